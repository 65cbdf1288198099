"""
Images in conflict: one picture, mixed in two ways
==================================================

No hyperplane tells the 8 from all other digits of scikit-learn's 1,797 images. The proof can be
looked at: a weighted mean of eights is, pixel by pixel, the same image as a weighted mean of other
digits. A hyperplane with the eights strictly on one side and the others on the other would have
that image on both sides.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from rosenblatt import certify

images, digit = load_digits(return_X_y=True)
certificate = certify(images, digit == 8)
rows = np.array(certificate.conflict.rows)
weights = np.array([float(weight) for weight in certificate.conflict.weights])
print(f"{certificate.verdict}; {len(rows)} images in conflict")

figure, axes = plt.subplots(2, 8, figsize=(12, 3.6), layout="compressed")
for line, eight in zip(axes, (True, False), strict=True):
    side = (digit[rows] == 8) == eight
    mean = weights[side] @ images[rows[side]] / weights[side].sum()
    order = np.argsort(-weights[side])[:7]
    for ax, k in zip(line, order, strict=False):
        ax.imshow(images[rows[side][k]].reshape(8, 8), cmap="gray_r")
        ax.set_title(f"{weights[side][k] / weights[side].sum():.1%}", fontsize="small")
    line[-1].imshow(mean.reshape(8, 8), cmap="gray_r")
    line[-1].set_title(f"mean of all {side.sum()}", fontsize="small")
    print(f"{'eights' if eight else 'others'}: {mean.round(2)[20:28].tolist()}")
for ax in axes.flat:
    ax.set(xticks=[], yticks=[], frame_on=False)
plt.show()
