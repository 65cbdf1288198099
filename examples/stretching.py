"""
Stretching: small margins cost many updates, unless the space is stretched
==========================================================================

The smaller the margin, the more updates plain passes make. An invertible map changes the margin
but not whether the rows can be separated: stretched a hundredfold along the direction of the gap,
the same rows need far fewer. Settling decides all of these without plain passes.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, datasets, max_margin

margins = 10.0 ** np.arange(-1, -4.1, -0.5)
plan = {"settle": "never", "min_margin": 0, "max_iter": 100_000}
plain, stretched = [], []
for margin in margins:
    X, y = datasets.clouds(200, 3, margin=margin, tight=True)
    plain.append(Perceptron(**plan).fit(X, y).n_updates_)
    w = max_margin(X, y).w
    along = np.outer(w, w) / (w @ w)
    stretched.append(Perceptron(**plan).fit(X + 99 * X @ along, y).n_updates_)
    settled = Perceptron(settle="first").fit(X, y).stop_reason_
    print(f"margin {margin:.1e}: {plain[-1]:>6} mistakes, {stretched[-1]:>4} stretched; {settled}")

figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="compressed")
ax.plot(margins, plain, color="#0072B2", marker="o", label="as they are")
ax.plot(margins, stretched, color="#D55E00", marker="s", label="stretched a hundredfold")
ax.set(xscale="log", yscale="log", xlabel="margin", ylabel="mistakes", title="until separated")
ax.invert_xaxis()
ax.legend(title="200 rows, half of them at the margin")
plt.show()
