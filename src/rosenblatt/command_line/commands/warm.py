"""The command that compiles: warm."""

from time import perf_counter

from rosenblatt.command_line import terminal
from rosenblatt.command_line.group import cli
from rosenblatt.command_line.messages import say
from rosenblatt.command_line.options import common_options


@cli.command()
@common_options
def warm(as_json: bool) -> None:
    """Compile everything now, so that first uses are as quick as later ones.

    The code is kept in files, for all processes; after an update, it has to be compiled again.
    """
    from rosenblatt.core.loop import sweep
    from rosenblatt.html_report.learning import quiet

    start = perf_counter()
    with terminal.waiting(say("compiling")):
        quiet(use_everything)
    seconds, kept = round(perf_counter() - start, 1), sweep._cache.cache_path is not None
    told = say("compiled" if kept else "compiled in vain", seconds=seconds)
    terminal.tell({"seconds": seconds, "kept": kept}, [told], as_json)


def use_everything() -> None:
    """Use every loop with all types for which it is compiled."""
    import numpy as np
    from scipy.sparse import csr_array
    from sklearn.datasets import load_iris

    from rosenblatt import KernelPerceptron, Perceptron, certify, fewest_mistakes

    X, y = load_iris(return_X_y=True)
    pairs = (X[:100], y[:100]), (X[50:], y[50:])  # separable, and not
    certify([[1.0], [1.0 + 2**-52]], [0, 1])  # by sums without rounding
    for features, labels in (*pairs, (X, y)):
        certify(features, labels)
        for stored in (np.float64, np.float32, csr_array):
            Z = stored(features)
            Perceptron().fit(Z, labels).predict(Z)
    for model in (
        Perceptron(form="dual", max_iter=5),
        Perceptron(penalty="l2", max_iter=5),
        KernelPerceptron(kernel="rbf"),
    ):
        model.fit(*pairs[1])
    fewest_mistakes(pairs[1][0][:, :2], pairs[1][1], effort=0.1)
