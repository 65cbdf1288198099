"""
When data touch: separable, touching, overlapping
=================================================

The same points three times; only one point of the second class moves. As long as there is a gap,
the perceptron finds a line. When the classes touch, no line is strictly between them, and when they
overlap, none is even weakly so. Rows that prove it are crossed out.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, plots

rest = [[0, 0], [1, 2], [2, 0], [0, 2], [3, 0], [3, 3], [4, 2], [5, 2], [4, 4]]
y = np.array([-1, -1, -1, -1, -1, 1, 1, 1, 1, 1])
places = {"a gap": [2, 3], "touching": [2, 1], "overlapping": [1, 1]}

figure, axes = plt.subplots(1, 3, figsize=(14, 4.8), layout="compressed")
for ax, (title, place) in zip(axes, places.items(), strict=True):
    X = np.array([*rest, place], float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that training did not end is the point here
        model = Perceptron(max_iter=200).fit(X, y)
    wrong = (model.predict(X) != y).sum()
    print(f"{title:<12} {model.stop_reason_}, {wrong} of {len(y)} rows wrong")
    plots.boundary(model, X, y, ax=ax)
    ax.set_title(f"{title}: {model.stop_reason_}, {wrong} rows wrong")
plt.show()
