"""
Credit: can loan decisions be explained by one hyperplane?
==========================================================

200 applications with three features. The picture looks along the hyperplane, so that it appears
as a line, with every application on its own side and at its true distance.
"""

import matplotlib.pyplot as plt

from rosenblatt import Perceptron, datasets, plots

X, y = datasets.credit()
model = Perceptron(random_state=0).fit(X, y)

low, high = model.margin_bounds_
print(f"{len(y)} applications, {X.shape[1]} features: {' against '.join(model.classes_)}")
print(f"ended because   {model.stop_reason_}, after {model.n_iter_} passes")
print(f"mistakes made   {model.n_updates_}")
print(f"training errors {(model.predict(X) != y).sum()}")
print(f"margin          between {low:.2g} and {high:.2g} of the longest row")
for name, weight in zip(datasets.CREDIT_FEATURES, model.coef_[0], strict=True):
    print(f"{name:>8} {weight:+10.3g}")
print(f"{'bias':>8} {model.intercept_[0]:+10.3g}")

plots.boundary(model, X, y)
plt.show()
