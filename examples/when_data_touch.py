"""
When data touch: separable, touching, overlapping
=================================================

The three pictures show the same points, except that one point of the second class moves. As long
as there is a gap, the perceptron finds a line. When the classes touch, no line separates them
strictly; when they overlap, none separates them even weakly. Rows that prove it are crossed out.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, certify, plots

rest = [[0, 0], [1, 2], [2, 0], [0, 2], [3, 0], [3, 3], [4, 2], [5, 2], [4, 4]]
y = np.array([-1, -1, -1, -1, -1, 1, 1, 1, 1, 1])
places = [[2, 3], [2, 1], [1, 1]]

figure, axes = plt.subplots(1, 3, figsize=(14, 4.8), layout="compressed")
for ax, place in zip(axes, places, strict=True):
    X = np.array([*rest, place], float)
    model, verdict = Perceptron(max_iter=200).fit(X, y), certify(X, y).verdict
    wrong = (model.predict(X) != y).sum()
    rows = [] if model.conflict_ is None else sorted(model.conflict_[0].tolist())
    print(f"{verdict:<12} training: {model.stop_reason_}; wrong: {wrong}; in conflict: {rows}")
    plots.boundary(model, X, y, ax=ax)
    ax.set_title(f"{verdict}; rows wrong: {wrong}")
plt.show()
