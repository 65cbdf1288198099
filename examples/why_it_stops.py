"""
Why it stops: Novikoff's bound
==============================

Each update adds at least ηγ to w·w*, where w* is the widest separator, and at most η²R² to the
squared length of w. One grows with k and the other with √k, and the first can never exceed the
second, so there are at most (R/γ)² updates.
"""

import matplotlib.pyplot as plt

from rosenblatt import Perceptron, datasets, novikoff, plots

X, y = datasets.clouds(200, 2, margin=0.05, tight=True, random_state=0)
model = Perceptron(record=True).fit(X, y)
report = novikoff(model, X, y)

print(report)
plots.bound(report)
plt.show()
