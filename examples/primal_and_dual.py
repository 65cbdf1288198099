"""
Primal and dual: one hypothesis, two ways to store it
=====================================================

The three points of the textbook. The primal form stores weights; the dual form stores how many
updates each row caused, and all inner products. Both make the same updates, and the weights are
the sum of the rows, counted with their signs.
"""

import matplotlib.pyplot as plt

from rosenblatt import Perceptron, datasets, plots

X, y = datasets.textbook()
primal = Perceptron(form="primal", shuffle=False, record=True).fit(X, y)
dual = Perceptron(form="dual", shuffle=False, record=True).fit(X, y)

print("mistakes, primal:", primal.log_.i)
print("mistakes, dual:  ", dual.log_.i)
print("weights:         ", primal.coef_[0], primal.intercept_)
print("sum of rows:     ", dual.dual_coef_ @ X, dual.dual_coef_.sum())

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="compressed")
plots.boundary(primal, X, y, ax=left)
plots.dual(dual, X, y, ax=right)
left.set_title("primal: w = ({:g}, {:g}), b = {:g}".format(*primal.coef_[0], *primal.intercept_))
right.set_title("dual: row 0 twice, row 2 five times")
plt.show()
