"""Writes the measured table of both READMEs from benchmarks/results.json: python docs/peers.py"""

import json
import re
from math import exp, log
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
MARKED = re.compile(r"(<!-- measured[^>]*-->\n).*?(<!-- end -->)", re.DOTALL)
PAGES = {
    "README.md": (
        "| the same task | against | their time over ours: mean (range) |",
        {
            "dense": ("the same passes, dense rows", "scikit-learn's `Perceptron`"),
            "csr": ("the same passes, sparse rows", "scikit-learn's `Perceptron`"),
            "separation": ("until the data are separated", "the same, told the passes it needs"),
            "text": ("the same, sparse rows like text", "the same, told the passes it needs"),
            "verdicts": ("a verdict with exact proof", "one full linear program, HiGHS"),
            "noisy_verdicts": ("the same, up to 20 % of labels flipped", "the same"),
            "first_use": ("import and first fit", "scikit-learn's `Perceptron`"),
        },
    ),
    "README.zh-CN.md": (
        "| 同样的任务 | 比较对象 | 对方用时 ÷ 本库用时：平均（范围） |",
        {
            "dense": ("同样的轮数，稠密数据", "scikit-learn 的 `Perceptron`"),
            "csr": ("同样的轮数，稀疏数据", "scikit-learn 的 `Perceptron`"),
            "separation": ("直到把数据分开", "同上，并告诉它所需的轮数"),
            "text": ("同上，类似文本的稀疏数据", "同上，并告诉它所需的轮数"),
            "verdicts": ("带精确证明的结论", "HiGHS 解一个完整的线性规划"),
            "noisy_verdicts": ("同上，翻转至多 20 % 的标签", "同上"),
            "first_use": ("导入并首次训练", "scikit-learn 的 `Perceptron`"),
        },
    ),
}


def table(name: str, results: dict) -> str:
    """The table of a page."""
    head, tasks = PAGES[name]
    lines = [head, "|---|---|---|"]
    for key, (task, peer) in tasks.items():
        if key in results:
            ratios = [row["ratio"] for row in results[key] if "--help" not in row["case"]]
            lines.append(f"| {task} | {peer} | {spread(ratios)} |")
    return "\n".join(lines) + "\n"


def spread(ratios: list[float]) -> str:
    """The geometric mean, and the range."""
    mean = exp(sum(map(log, ratios)) / len(ratios))
    span = f" ({min(ratios):.1f}–{max(ratios):.1f})" if len(ratios) > 1 else ""
    return f"**{mean:.1f}**{span}"


def page(name: str) -> str:
    """A README with its table as measured last."""
    text = (ROOT / name).read_text("utf-8")
    if not RESULTS.exists():
        return text
    made = table(name, json.loads(RESULTS.read_text("utf-8")))
    return MARKED.sub(rf"\g<1>{made}\g<2>", text)


if __name__ == "__main__":
    for name in PAGES:
        (ROOT / name).write_text(page(name), "utf-8")
