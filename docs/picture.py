"""Draws the picture of the README from an example: python docs/picture.py"""

import runpy
from pathlib import Path

import matplotlib.pyplot as plt

HERE = Path(__file__).parent

if __name__ == "__main__":
    plt.switch_backend("Agg")
    runpy.run_path(str(HERE.parent / "examples" / "when_data_touch.py"))
    plt.savefig(HERE / "_static" / "verdicts.png", dpi=100)
