"""
The pocket: keep the best hypothesis on noisy data
==================================================

If no line separates the classes, the last hypothesis depends only on the last few updates. The
pocket keeps the best one found.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import Perceptron, datasets, plots

X, y = datasets.clouds(200, 2, margin=0.1, flip=16, random_state=1)
plan = {"max_iter": 20, "record": True, "settle": "never", "min_margin": 0, "tol": None}
pocket = Perceptron(keep="best", max_updates=400, **plan).fit(X, y)
last = Perceptron(keep="last", max_updates=400, **plan).fit(X, y)

hypotheses = last.log_.path(X)
scores = X @ hypotheses[:, :2].T + hypotheses[:, 2]
errors = (scores * y[:, None] <= 0).sum(axis=0)
print(f"last hypothesis: {(last.predict(X) != y).sum()} of {len(y)} rows wrong")
print(f"pocket:          {(pocket.predict(X) != y).sum()} of {len(y)} rows wrong")

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(15, 5), layout="compressed")
left.plot(errors, lw=0.8, color="#56B4E9", label="after each mistake")
left.plot(np.minimum.accumulate(errors), lw=2, color="#D55E00", label="in the pocket")
left.set(xlabel="mistake", ylabel="rows wrong", ylim=(0, None), title="errors along the run")
left.legend()
plots.boundary(last, X, y, ax=middle)
plots.boundary(pocket, X, y, ax=right)
middle.set_title(f"last hypothesis: {(last.predict(X) != y).sum()} rows wrong")
right.set_title(f"in the pocket: {(pocket.predict(X) != y).sum()} rows wrong")
plt.show()
