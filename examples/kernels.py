"""
Kernels: circles, and digits by a vote
======================================

No line separates a disc from the ring around it; in the feature space of a kernel a hyperplane
does, and the perceptron finds it in a few mistakes. On handwritten digits Freund and Schapire
(1999) saw that, with few passes, all hypotheses together, voting or averaged, beat the last one.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from rosenblatt import KernelPerceptron

warnings.simplefilter("ignore", ConvergenceWarning)  # a few passes are the point here

X, y = make_circles(400, factor=0.3, noise=0.05, random_state=0)
model = KernelPerceptron(kernel="rbf", gamma=2).fit(X, y)
print(f"circles: {model.n_updates_} mistakes, {model.stop_reason_}")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="compressed")
side = np.linspace(-1.4, 1.4, 200)
plane = np.stack(np.meshgrid(side, side), axis=-1)
score = model.decision_function(plane.reshape(-1, 2)).reshape(200, 200)
left.contourf(side, side, score > 0, levels=1, colors=["#dbe9f6", "#fde0c5"])
left.scatter(*X.T, c=np.where(y, "#d95f02", "#1f78b4"), s=10)
left.scatter(*model.support_vectors_.T, s=90, facecolors="none", edgecolors="black")
left.set_title(f"separated after {model.n_updates_} mistakes (ringed)")
left.set_aspect("equal")

X, y = load_digits(return_X_y=True)
X, held, y, wanted = train_test_split(X / 16, y, train_size=1200, random_state=0)
passes = [1, 2, 3, 5, 8]
for keep in ("last", "average", "vote"):
    digits = KernelPerceptron("poly", degree=4, gamma=1.0, keep=keep)
    errors = [
        100 * (1 - digits.set_params(max_iter=k).fit(X, y).score(held, wanted)) for k in passes
    ]
    print(f"digits, {keep:8} test error after {passes} passes:", np.round(errors, 1))
    right.plot(passes, errors, marker="o", label=keep)
right.set_title("digits, polynomial of degree 4")
right.set_xlabel("passes")
right.set_ylabel("test error in %")
right.set_ylim(bottom=0)
right.legend()
plt.show()
