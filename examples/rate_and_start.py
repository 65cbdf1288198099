"""
Learning rate and start: the answer is not unique
=================================================

From zero, and in exact arithmetic, the learning rate only scales the weights: the line is the
same. From any other start it matters, and so does the order of the rows. All of these lines
separate the data; the perceptron finds one of them, not a particular one.
"""

import matplotlib.pyplot as plt

from rosenblatt import Perceptron, datasets, plots

X, y = datasets.clouds(40, 2, margin=0.4, random_state=3)
runs = {
    "η = 1, from zero": (1.0, None, 0),
    "η = 0.25, from zero: the same line": (0.25, None, 0),
    "η = 1, from w = (3, 1)": (1.0, [3, 1], 0),
    "η = 0.25, from w = (3, 1)": (0.25, [3, 1], 0),
    "η = 1, from w = (-2, -3)": (1.0, [-2, -3], 0),
    "η = 1, from zero, another order": (1.0, None, 5),
}

figure, axes = plt.subplots(2, 3, figsize=(13, 9), layout="compressed")
for ax, (title, (eta0, start, seed)) in zip(axes.flat, runs.items(), strict=True):
    model = Perceptron(eta0=eta0, random_state=seed).fit(X, y, coef_init=start)
    print(f"{title:<36} w = {model.coef_[0].round(2)}, {model.n_updates_} mistakes")
    plots.boundary(model, X, y, ax=ax)
    ax.set_title(title)
plt.show()
