"""
Votes: all hypotheses together are better than the last one
===========================================================

Handwritten digits, a polynomial kernel and few passes, as in Freund and Schapire (1999): the last
hypothesis depends only on the last few updates; the average of all, or their vote, weighted by how
long each survived, makes fewer errors.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from rosenblatt import KernelPerceptron

warnings.simplefilter("ignore", ConvergenceWarning)  # a few passes are the point here

X, y = load_digits(return_X_y=True)
X, held, y, wanted = train_test_split(X / 16, y, train_size=1200, random_state=0)
passes = [1, 2, 3, 5, 8]
colours = {"last": "#D55E00", "average": "#0072B2", "vote": "#009E73"}

figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="compressed")
for keep, colour in colours.items():
    model = KernelPerceptron("poly", degree=4, gamma=1.0, keep=keep)
    errors = [
        100 * (1 - model.set_params(max_iter=k).fit(X, y).score(held, wanted)) for k in passes
    ]
    print(f"{keep:8} test error in % after {passes} passes:", np.round(errors, 1))
    ax.plot(passes, errors, color=colour, marker="o", label=keep)
ax.set(xlabel="passes", ylabel="test error in %", ylim=(0, None), title="digits")
ax.legend(title="returned")
plt.show()
