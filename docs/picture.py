"""Draws pictures of the READMEs and the MNIST page from examples: python docs/picture.py"""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib import font_manager

from rosenblatt.plots.labels import give_fonts

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
CHINESE = {"separable": "可分", "touching": "相接", "overlapping": "重叠", "rows wrong": "误分类"}


def draw(name: str, example: str, lang: str = "en") -> None:
    """Run an example, in a language."""
    path = EXAMPLES / f"{example}.py"
    code = path.read_text("utf-8").replace("ax=ax)", f"ax=ax, lang={lang!r})")
    exec(compile(code, path, "exec"), {})
    for ax in plt.gcf().axes if lang == "zh" else ():
        title = ax.get_title()
        for english, chinese in CHINESE.items():
            title = title.replace(english, chinese)
        ax.set_title(title)
    give_fonts(plt.gcf(), lang)
    plt.savefig(HERE / "_static" / f"{name}.png", dpi=100)


if __name__ == "__main__":
    plt.switch_backend("Agg")
    font_manager.fontManager.addfont(HERE / "fonts" / "NotoSansCJKsc-subset.otf")
    draw("verdicts", "when_data_touch")
    draw("verdicts-zh", "when_data_touch", "zh")
    draw("conflict", "images_in_conflict")
