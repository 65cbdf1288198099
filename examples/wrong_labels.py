"""
The fewest mistakes: which labels are wrong, and a bracket that closes
======================================================================

Where no line separates the classes, the line with the fewest mistakes points at the labels that may
be wrong. Rows in conflict prove how few mistakes any line can make; with more effort, the fewest
mistakes found and the fewest proved come together.
"""

import matplotlib.pyplot as plt
import numpy as np

from rosenblatt import datasets, fewest_mistakes

X, y = datasets.clouds(150, 2, margin=0.1, random_state=3)
flipped = np.array([5, 31, 77, 120])
y[flipped] *= -1
found = fewest_mistakes(X, y)
print(f"flipped {flipped.tolist()}, suspects {found.rows.tolist()}")

A, b = datasets.clouds(400, 6, margin=0.02, flip=24, random_state=0)
efforts = 10.0 ** np.arange(-5, -0.9, 0.5)
brackets = [fewest_mistakes(A, b, effort=effort) for effort in efforts]
for effort, each in zip(efforts, brackets, strict=True):
    print(f"effort {effort:.0e}: between {each.at_least} and {each.mistakes} mistakes")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="compressed")
left.scatter(*X.T, c=np.where(y > 0, "#0072B2", "#D55E00"), s=18)
left.scatter(*X[found.rows].T, s=130, facecolors="none", edgecolors="black", label="suspects")
x = np.array([X[:, 0].min(), X[:, 0].max()])
left.plot(x, -(found.w[0] * x + found.b) / found.w[1], color="black", lw=1.5)
left.set(
    ylim=(X[:, 1].min() - 0.2, X[:, 1].max() + 0.2),
    title=f"{found.mistakes} mistakes, proved fewest",
)
left.legend()
made, proved = [each.mistakes for each in brackets], [each.at_least for each in brackets]
right.plot(efforts, made, color="#D55E00", marker="o", label="fewest found")
right.plot(efforts, proved, color="#0072B2", marker="s", label="fewest proved")
right.fill_between(efforts, proved, made, color="0.9")
right.set(
    xscale="log", xlabel="effort", ylabel="mistakes", ylim=(0, None), title="the bracket closes"
)
right.legend()
plt.show()
