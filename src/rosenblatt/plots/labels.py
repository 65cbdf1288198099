"""The words of the pictures, in English and Chinese, and fonts that have them."""

from pathlib import Path
from typing import Any

from matplotlib import font_manager
from matplotlib.text import Text

LANGUAGES = ("en", "zh")
WORDS = {
    "feature 0": ("x₁", "x₁"),
    "feature 1": ("x₂", "x₂"),
    "distance": ("signed distance from the hyperplane, along w", "到超平面的带符号距离（沿 w）"),
    "orthogonal": ("first principal direction orthogonal to w", "与 w 正交的第一主方向"),
    "pc 1": ("first principal direction", "第一主方向"),
    "pc 2": ("second principal direction", "第二主方向"),
    "weights 1": ("direction in which the weights differ most", "各类权重差异最大的方向"),
    "weights 2": ("second such direction", "差异次大的方向"),
    "hyperplane": ("hyperplane", "超平面"),
    "border": ("border", "边界"),
    "band": ("margin", "间隔"),
    "wrong": ("on the wrong side", "误分类点"),
    "conflict": ("in conflict", "互相冲突的点"),
    "state": (
        "{mistakes:,} updates, {wrong:,} of {n:,} rows wrong",
        "更新 {mistakes:,} 次，{n:,} 个点中误分类 {wrong:,} 个",
    ),
    "errors": ("{wrong:,} of {n:,} rows wrong", "{n:,} 个点中误分类 {wrong:,} 个"),
    "outside": ("the hyperplane is outside the picture", "超平面在图外"),
    "beyond": ("{n:,} rows are beyond the picture", "{n:,} 个点在图外"),
    "at the edges": (
        "{n:,} rows beyond the picture are in the outermost bars",
        "图外的 {n:,} 个点计入两端",
    ),
    "nowhere": ("w = 0: there is no hyperplane", "w = 0：没有超平面"),
    "mistake": ("update", "第几次更新"),
    "last": ("last hypothesis", "最后的假设"),
    "handed": ("returned", "返回的假设"),
    "handed frame": ("returned, after {n:,} updates", "{n:,} 次更新之后返回的假设"),
    "path": ("{n:,} updates", "共 {n:,} 次更新"),
    "path thinned": (
        "{n:,} updates, {shown} of them drawn",
        "共 {n:,} 次更新，画出其中 {shown} 次",
    ),
    "rows": ("rows", "点数"),
    "score": ("score", "得分"),
    "lead": ("lead over the best other class", "比次优类别高出的得分"),
    "margins": (
        "{wrong:,} of {n:,} rows wrong; smallest margin {least:.3g}",
        "{n:,} 个点中误分类 {wrong:,} 个；最小间隔 {least:.3g}",
    ),
    "mistakes": ("updates", "更新次数"),
    "length": ("length", "长度"),
    "progress": ("w·w*", "w·w*"),
    "norm": ("|w|", "|w|"),
    "least": ("at least kηγ", "下界 kηγ"),
    "most": ("at most √k ηR", "上界 √k ηR"),
    "made": ("{k:,} made", "实际 {k:,} 次"),
    "allowed": ("{k:,} allowed", "至多 {k:,} 次"),
    "bound": (
        "(R/γ)² allows {bound} updates, {k:,} made",
        "(R/γ)²：至多更新 {bound} 次，实际 {k:,} 次",
    ),
    "pass": ("pass", "轮次"),
    "mistakes in pass": ("updates in the pass", "本轮更新次数"),
    "bracket": ("margin / R", "间隔 / R"),
    "upper": ("no separator has more", "任何超平面都不超过"),
    "lower": ("the best hypothesis so far", "目前最好的假设"),
    "no bracket": ("no margins are known in the space of this model", "该模型所在空间中的间隔未知"),
    "row": ("row", "样本序号"),
    "times": ("updates caused by the row", "该样本引起的更新次数"),
    "busiest": ("rows, the busiest first", "样本（更新次数多的在前）"),
    "steps": ("sum of steps / η", "步长之和 / η"),
    "dual": ("{carry:,} of {n:,} rows caused updates", "{n:,} 个样本中有 {carry:,} 个引起更新"),
    "start": ("before the first update", "第一次更新之前"),
    "frame": ("update {k:,} of {n:,}: point {rows}", "第 {k:,} 次更新（共 {n:,} 次）：点 {rows}"),
    "old": ("before", "更新前"),
    "new": ("after", "更新后"),
    "erring": ("the mistake", "误分类点"),
    "update": ("update η y x", "更新 η y x"),
    "so far": ("w so far", "w 的轨迹"),
    "weights": ("w = ({w}), b = {b}", "w = ({w})，b = {b}"),
    "weight": ("weight of {name}", "{name} 的权重"),
    "weight axis": ("w along the {which} axis of the picture", "w 在图中{which}轴上的分量"),
    "first": ("first", "第一"),
    "second": ("second", "第二"),
    "play": ("play", "播放"),
    "pause": ("pause", "暂停"),
}

CHINESE_FONTS = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Microsoft YaHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "SimHei",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Noto Sans CJK JP",
    "Noto Serif CJK SC",
    "SimSun",
    "Arial Unicode MS",
)
FILES = ("cjk", "wqy", "sourcehan", "notosanssc", "msyh", "simhei", "simsun", "pingfang", "heiti")


def word(key: str, lang: str, **values: Any) -> str:
    """A word or sentence of a picture."""
    if lang not in LANGUAGES:
        listed = " or ".join(map(repr, LANGUAGES))
        raise ValueError(f"lang={lang!r} is not known; labels of pictures are in {listed}")
    text = WORDS[key][LANGUAGES.index(lang)]
    return text.format(**values) if values else text


def give_fonts(artist: Any, lang: str) -> None:
    """Let all text of axes or a figure fall back on a font with Chinese characters."""
    for_readers = getattr(artist.figure, "for_readers", False)  # who have fonts of their own
    if lang != "zh" or (for_readers and not _installed()):
        return
    font = chinese_font()
    for text in artist.findobj(Text):
        families = [family for family in text.get_fontfamily() if family != font]
        text.set_fontfamily([*families, font])


def chinese_font() -> str:
    """The first known font that is installed, also if it came after matplotlib's last look."""
    font = _installed()
    if font is None:
        _look_again()
        font = _installed()
    if font is not None:
        return font
    raise FileNotFoundError(
        "lang='zh' needs a font with Chinese characters, and none was found: install Noto Sans CJK "
        "or WenQuanYi Zen Hei (on Debian and Ubuntu: apt install fonts-noto-cjk)"
    )


def _installed() -> str | None:
    known = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in CHINESE_FONTS if name in known), None)


def _look_again() -> None:
    for path in font_manager.findSystemFonts():
        if any(part in Path(path).name.lower().replace("-", "") for part in FILES):
            font_manager.fontManager.addfont(path)
