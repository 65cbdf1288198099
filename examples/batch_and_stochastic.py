"""
Batch against stochastic: how many rows per update
==================================================

Stochastic gradient descent updates the hypothesis at each mistake and uses the result at once; a
batch judges all of its rows by the same hypothesis and adds up their steps. With half of the rows
close to the line, as here, batches need many more passes; on other data, where the sum points in
the right direction at once, they need fewer.
"""

import matplotlib.pyplot as plt

from rosenblatt import Perceptron, datasets

X, y = datasets.clouds(300, 3, margin=0.03, tight=True, random_state=2)
sizes = {1: "#0072B2", 20: "#E69F00", "all": "#009E73"}

figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="compressed")
for size, colour in sizes.items():
    model = Perceptron(batch_size=size, settle="never", min_margin=0).fit(X, y)
    name = {1: "one row (stochastic)", "all": "all rows (batch)"}.get(size, f"{size} rows")
    print(f"{name:<22} {model.n_iter_:>4} passes, {model.n_updates_:>6} mistakes")
    passes = range(1, model.n_iter_ + 1)
    ax.plot(passes, model.mistakes_, color=colour, label=f"{name}: {model.n_iter_} passes")
ax.set(
    xscale="log", xlabel="pass", ylabel="mistakes in the pass", title="until the rows are separated"
)
ax.set_yscale("symlog", linthresh=1)
ax.set_ylim(0, None)
ax.legend(title="judged together", loc="center", bbox_to_anchor=(0.71, 0.3))
plt.show()
