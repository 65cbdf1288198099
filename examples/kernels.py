"""
Kernels: a circle in a circle
=============================

No line separates a circle from one around it. In the feature space of a kernel a hyperplane
does, and the perceptron finds it after a few updates; in the plane it is a closed curve. The rows
that caused updates determine it.
"""

import matplotlib.pyplot as plt

from rosenblatt import KernelPerceptron, Perceptron, datasets, plots

X, y = datasets.circles(400)
flat = Perceptron().fit(X, y)
model = KernelPerceptron(kernel="rbf", gamma=2).fit(X, y)
print(f"in the plane:         {flat.stop_reason_}, {(flat.predict(X) != y).sum()} rows wrong")
print(f"in the feature space: {model.stop_reason_}, after {model.n_updates_} mistakes")

ax = plots.boundary(model, X, y)
ax.scatter(*model.support_vectors_.T, s=110, facecolors="none", edgecolors="#222222", zorder=6)
ax.set_title(f"separated after {model.n_updates_} mistakes (ringed)")
plt.show()
