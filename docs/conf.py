"""How the documentation is built: make docs."""

import logging
import re
import sys
from importlib import metadata
from pathlib import Path

from matplotlib import font_manager
from numpydoc.xref import DEFAULT_LINKS
from sphinx.search.en import SearchEnglish

sys.path.insert(0, str(Path(__file__).parent))  # the scripts beside this file

import notebooks

project = "rosenblatt"
author = "the rosenblatt developers"
copyright = author
version = release = metadata.version("rosenblatt")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx.ext.viewcode",
    "numpydoc",
    "matplotlib.sphinxext.plot_directive",
    "sphinx_gallery.gen_gallery",
    "sphinx-mathjax-offline",  # MathJax beside the pages: formulas need no network
    "sphinx_copybutton",
]
exclude_patterns = ["gallery/*.md5", "gallery/*.ipynb"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
highlight_options = {"python": {"stripnl": True}}  # doctests end with an empty line
copybutton_prompt_text = ">>> |... |$ "
copybutton_prompt_is_regexp = False
toc_object_entries_show_parents = "hide"  # the margin is narrow
smartquotes = False  # it makes a dash of --tol
numpydoc_show_class_members = False
numpydoc_xref_param_type = True  # types in docstrings are links, those of this table only
numpydoc_xref_ignore = "all"
numpydoc_xref_aliases = {name: name for name in DEFAULT_LINKS} | {
    "ndarray": "numpy.ndarray",
    "RandomState": "numpy.random.RandomState",
    "Path": "pathlib.Path",
    "Fraction": "fractions.Fraction",
    "Perceptron": "rosenblatt.Perceptron",
    "KernelPerceptron": "rosenblatt.KernelPerceptron",
    "Certificate": "rosenblatt.Certificate",
}
autodoc_typehints = "none"  # the docstrings say it in words

OTHER_PROJECTS = {  # their few objects that are linked to are listed in docs/inventories
    "python": "https://docs.python.org/3/",
    "numpy": "https://numpy.org/doc/stable/",
    "scipy": "https://docs.scipy.org/doc/scipy/",
    "pandas": "https://pandas.pydata.org/docs/",
    "scikit-learn": "https://scikit-learn.org/stable/",
}
intersphinx_mapping = {
    name: (url, f"inventories/{name}.inv") for name, url in OTHER_PROJECTS.items()
}

font_manager.fontManager.addfont(Path(__file__).with_name("fonts") / "NotoSansCJKsc-subset.otf")
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # it has no bold
plot_include_source = True
plot_html_show_source_link = False
plot_html_show_formats = False
plot_formats = [("png", 144)]
plot_rcparams = {"figure.figsize": (6.4, 4.8)}
plot_apply_rcparams = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "teaching_order.TeachingOrder",
    "backreferences_dir": "gallery/used_in",
    "doc_module": ("rosenblatt",),
    "reference_url": {"rosenblatt": None},
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "rosenblatt"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_show_sourcelink = False
html_search_language = "en-zh"
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_prev_next": True,
    "navbar_center": ["sections"],
    "navbar_persistent": ["search-button-field", "language"],  # on phones, too
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc", "notebook"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


THEME_IN_CHINESE = {
    "Back to top": "回到顶部",
    "Collapse Sidebar": "收起侧栏",
    "Color mode": "颜色",
    "Dark": "深色",
    "Expand Sidebar": "展开侧栏",
    "Home": "首页",
    "Light": "浅色",
    "On this page": "本页内容",
    "Search": "搜索",
    "Section Navigation": "目录",
    "Skip to main content": "跳到正文",
    "System Settings": "跟随系统",
    "next": "下一页",
    "previous": "上一页",
}

SECTIONS_IN_CHINESE = [
    ("zh/course/index", "课程"),
    ("zh/howto/index", "操作指南"),
    ("gallery/index", "例图（英文）"),
    ("reference", "参考（英文）"),
    ("inside", "内部原理（英文）"),
]


class SearchBoth(SearchEnglish):
    """English words, and Chinese characters and pairs of them, since Chinese has no spaces.

    A query is split into words and pairs, so that 口袋算法 is found where 口袋, 袋算 and 算法 are.
    """

    lang = "en-zh"
    js_splitter_code = r"""
var splitQuery = (query) =>
  query
    .split(/[^\p{Letter}\p{Number}_]+/gu)
    .flatMap((term) => term.match(/[\u4e00-\u9fff]+|[^\u4e00-\u9fff]+/gu) || [])
    .flatMap((run) =>
      /^[\u4e00-\u9fff]{2}/.test(run)
        ? Array.from(run.slice(1), (_, i) => run.slice(i, i + 2))
        : [run]
    );
"""

    def split(self, input):
        runs = re.findall("[\u4e00-\u9fff]+", input)
        pairs = [run[i : i + 2] for run in runs for i in range(len(run) - 1)]
        words = super().split(re.sub("[\u4e00-\u9fff]", " ", input))
        return words + pairs + list("".join(runs))


def setup(app):
    app.add_search_language(SearchBoth)
    app.connect("source-read", label_in_chinese)
    app.connect("html-page-context", name_languages)
    app.connect("build-finished", write_notebooks)
    app.connect("autodoc-process-docstring", keep_bars, priority=1000)
    app.connect("autodoc-skip-member", skip_fields)


def label_in_chinese(app, page, source):
    """The figures of Chinese pages have Chinese labels; the code is otherwise the same."""
    if page.startswith("zh/"):
        call = r"^(   (?:>>>|\.\.\.) .*\bplots\.\w+\(.*)\)$"
        source[0] = re.sub(call, r'\1, lang="zh")', source[0], flags=re.MULTILINE)


def name_languages(app, page, template, context, doctree):
    """Chinese pages say so, for browsers to take Chinese fonts; the switch keeps the page."""
    chinese = page.startswith("zh/")
    if chinese:
        context["language"] = "zh-CN"
        context["root_doc"] = "zh/index"  # where the title and the first breadcrumb lead
        context["chinese_sections"] = SECTIONS_IN_CHINESE
        context["_"] = lambda text: THEME_IN_CHINESE.get(text, text)
    other = page.removeprefix("zh/") if chinese else f"zh/{page}"
    start = "index" if chinese else "zh/index"
    context["other_language"] = other if other in app.env.found_docs else start


def write_notebooks(app, exception):
    """The course can be downloaded."""
    if exception is None and app.builder.name == "html":
        notebooks.write(Path(app.outdir) / "notebooks")


def keep_bars(app, what, name, obj, options, lines):
    """In docstrings |w| is a length, not a substitution of reStructuredText."""
    lines[:] = [line if ">>>" in line else line.replace("|", r"\|") for line in lines]


def skip_fields(app, what, name, obj, skip, options):
    """The fields of a named tuple are described as its attributes, and not a second time."""
    return True if type(obj).__name__ == "_tuplegetter" else None
