"""Draws the picture of both READMEs from an example: python docs/picture.py"""

from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib import font_manager

from rosenblatt.plots.labels import give_fonts

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "when_data_touch.py"
CHINESE = {"separable": "可分", "touching": "相接", "overlapping": "重叠", "rows wrong": "误分类"}


def draw(path: Path, lang: str) -> None:
    """Run the example, in a language."""
    code = EXAMPLE.read_text("utf-8").replace("ax=ax)", f"ax=ax, lang={lang!r})")
    exec(compile(code, EXAMPLE, "exec"), {})
    for ax in plt.gcf().axes if lang == "zh" else ():
        title = ax.get_title()
        for english, chinese in CHINESE.items():
            title = title.replace(english, chinese)
        ax.set_title(title)
    give_fonts(plt.gcf(), lang)
    plt.savefig(path, dpi=100)


if __name__ == "__main__":
    plt.switch_backend("Agg")
    font_manager.fontManager.addfont(HERE / "fonts" / "NotoSansCJKsc-subset.otf")
    draw(HERE / "_static" / "verdicts.png", "en")
    draw(HERE / "_static" / "verdicts-zh.png", "zh")
