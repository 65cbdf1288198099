"""Every speed table, ours and the peers side by side; see README.md beside this file.

python benchmarks/run.py            # all tables
python benchmarks/run.py dense csr  # some of them
"""

import json
import sys
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from growth import first_use, growth
from passes import bandwidth, classes, csr, dense, dual, kept, online, shuffled, vowpal
from rich.console import Console
from rich.table import Table
from separation import noisy_verdicts, others, separation, text, tight, verdicts
from sklearn.exceptions import ConvergenceWarning

TABLES = (
    *(dense, shuffled, csr, bandwidth, vowpal, online, classes, kept, dual),
    *(separation, text, others, tight, verdicts, noisy_verdicts),
    *(first_use, growth),
)
HERE = Path(__file__).parent
FIGURES = "case", "ratio", "ours", "peer"


def show(table, rows):
    """Print a table, ratios first."""
    view = Table("ratio", "case", "ours", "peer", "", title=table.__doc__, title_justify="left")
    for r in rows:
        more = ", ".join(f"{k} {v}" for k, v in r.items() if k not in FIGURES)
        times = (f"{r[k]:.4f} s" for k in ("ours", "peer"))
        view.add_row(f"{r['ratio']:.2f}×", r["case"], *times, more)
    if len(rows) > 1 and table is not growth:
        view.add_row(f"{mean(rows):.2f}×", "geometric mean")
    Console(width=140).print(view)


def mean(rows):
    """The geometric mean of the ratios."""
    return float(np.exp(np.mean([np.log(r["ratio"]) for r in rows])))


def draw(results, file):
    """The ratios of the tables against peers, on one scale."""
    names = [t for t in TABLES if t.__name__ in results and t not in (growth, first_use, bandwidth)]
    cases = [(t.__name__, r) for t in names for r in results[t.__name__]]
    figure, ax = plt.subplots(figsize=(8, 0.22 * len(cases) + 1), layout="constrained")
    colours = {t.__name__: f"C{k % 10}" for k, t in enumerate(names)}
    ax.barh(range(len(cases)), [r["ratio"] for _, r in cases], color=[colours[n] for n, _ in cases])
    ax.set(yticks=range(len(cases)), yticklabels=[f"{n}: {r['case']}" for n, r in cases])
    ax.set(xscale="log", xlabel="times as fast as the peer", ylim=(len(cases) - 0.4, -0.6))
    ax.tick_params(labelsize=7)
    ax.axvline(1, color="0.3", lw=1)
    figure.savefig(file, dpi=110)


def main(names):
    """Run the tables named, or all; write results.json and the picture."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    file = HERE / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    for table in TABLES:
        if not names or table.__name__ in names:
            rows = list(table())
            show(table, rows)
            results[table.__name__] = rows
            file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    draw(results, HERE / "results.png")


if __name__ == "__main__":
    main(sys.argv[1:])
