"""Larger than one machine: the perceptron on a dask cluster, by iterative parameter mixing.

Partitions stay on the workers that hold them; only hypotheses are sent. The result of a partition
depends on its rows and its hypothesis alone, so a lost worker costs time and changes nothing.
"""

from dataclasses import dataclass
from typing import Any, Self

from rosenblatt.blocks import certificate_of_rows, right_of, share
from rosenblatt.estimators.perceptron import Perceptron
from rosenblatt.inputs.parameters import one_of, parameter
from rosenblatt.out_of_core.block_learning import column_scales, make_run
from rosenblatt.out_of_core.dask_partitions import (
    NO_PARTITIONS,
    by_partition,
    client_now,
    is_collection,
    is_file_list,
    lay_out,
    local_client,
    partition_pairs,
)
from rosenblatt.out_of_core.finish import carry_out
from rosenblatt.out_of_core.parameter_mixing import Rounds
from rosenblatt.separability.certificate import Certificate
from rosenblatt.tables import Blocks

__all__ = ["DaskPerceptron", "certify", "local_client"]


@dataclass(kw_only=True, eq=False, repr=False)
class DaskPerceptron(Perceptron):
    """The perceptron on data that are spread over the workers of a dask cluster.

    Each round, every partition makes one pass from the same hypothesis, where its rows are; then
    the resulting weights are averaged. A round without mistakes proves that the data are
    separated. With one partition, this is `Perceptron`, mistake for mistake.

    Parameters
    ----------
    mix : {"uniform", "mistakes"}
        Weigh partitions equally, or by the number of mistakes they made in the round.
    **params
        Those of `Perceptron`, as far as they apply to blocks (see :func:`fit_blocks`); rows are
        shuffled within partitions. A round may overstep ``max_updates``. ``record=True`` is
        refused: mixed hypotheses are not sums of steps.

    Examples
    --------
    >>> import dask.array as da
    >>> from rosenblatt import datasets
    >>> from rosenblatt.dask import DaskPerceptron, local_client
    >>> X, y = datasets.clouds(400, 3, margin=0.1)
    >>> dX, dy = da.from_array(X, chunks=(100, 3)), da.from_array(y, chunks=100)
    >>> with local_client(1, processes=False):
    ...     model = DaskPerceptron().fit(dX, dy)
    ...     model.stop_reason_, model.score(dX, dy)
    ('separated', 1.0)

    References
    ----------
    McDonald, R., Hall, K. and Mann, G. (2010). Distributed training strategies for the structured
    perceptron. NAACL.
    """

    mix: str = parameter("uniform", one_of("uniform", "mistakes"))

    def fit(self, X: Any, y: Any = -1) -> Self:  # type: ignore[override]
        """Learn from all partitions, round after round, until there is a reason to stop.

        Parameters
        ----------
        X, y : dask array and dask array, or dask dataframe and dask series
            Rows and labels with the same partitions.
        X, y : list of str, and int or str
            Parquet files of numbers, each a partition, and the column of labels.
        X : Blocks
            What :func:`scan` gives for Parquet or .npy: as many partitions as there are workers.
        """
        p = self._checked()
        if self.record:
            raise ValueError("record=True is not possible: mixed hypotheses are not sums of steps")
        partitions = lay_out(X, y, p)
        task = partitions.task
        columns = column_scales(partitions)
        passes = partitions.scaled(task._replace(columns=columns)) if columns else partitions
        states = self._starts(task.specimen, len(task.kinds), None, None)
        runs = [make_run(state, passes.task, k) for k, state in enumerate(states)]
        rounds = Rounds(runs, passes, self.mix, self.random_state)
        told = carry_out(self, partitions, runs, states, rounds.make_all, columns)
        self._warn(task.specimen, *told)
        return self

    def local(self) -> Perceptron:
        """The same model without a cluster, which can be saved."""
        model = Perceptron(**{k: v for k, v in self.get_params().items() if k != "mix"})
        learned = {k: v for k, v in vars(self).items() if k.endswith("_") or k.startswith("_")}
        model.__dict__.update(learned)
        return model

    # -- predicting --------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> Any:
        """The score of each row, of a dask collection as a dask collection."""
        if not is_collection(X):
            return super().decision_function(X)
        return by_partition(self.local().decision_function, X, len(self.classes_), float)

    def predict(self, X: Any) -> Any:
        """The class of each row, of a dask collection as a dask collection."""
        if not is_collection(X):
            return super().predict(X)
        return by_partition(self.local().predict, X, 2, self.classes_.dtype)

    def score(self, X: Any, y: Any = -1, sample_weight: Any = None) -> float:
        """The accuracy, counted where the rows are; they come as in `fit`."""
        if not (is_collection(X) or is_file_list(X) or isinstance(X, Blocks)):
            return super().score(X, y, sample_weight)
        if sample_weight is not None:
            raise ValueError("rows of a dask collection count alike: sample_weight must be None")
        model, client = self.local(), client_now()
        loaded = client.compute(partition_pairs(X, y))
        found = client.map(lambda pair: right_of(model, *pair), loaded, pure=False)
        return share(client.gather(found), NO_PARTITIONS)


def certify(X: Any, y: Any = -1, *, fit_intercept: bool = True, digest: bool = True) -> Certificate:
    """Decide whether classes on a cluster are linearly separable, with a proof.

    The hardest rows are gathered and the question is decided for them; what was found is checked
    where the rows are, and those for which it does not hold are gathered too.

    Parameters
    ----------
    X, y
        As in `DaskPerceptron.fit`.
    fit_intercept : bool
        Whether the hyperplane may be anywhere, or must go through the origin.
    digest : bool
        Whether to compute the hash by which `verify` knows the data. For it all rows pass through
        this process, one partition at a time; without it, the certificate is a claim to be checked
        by other means.

    Examples
    --------
    >>> import dask.array as da
    >>> from rosenblatt import datasets, verify
    >>> from rosenblatt.dask import certify, local_client
    >>> X, y = datasets.xor()
    >>> with local_client(1, processes=False):
    ...     found = certify(da.from_array(X, chunks=2), da.from_array(y, chunks=2))
    >>> found.verdict, verify(found, X, y)
    ('overlapping', True)
    """
    params = Perceptron(fit_intercept=fit_intercept).get_params()
    partitions = lay_out(X, y, params, exactly=True)
    blocks = (future.result() for future in partitions.blocks)  # one at a time
    rows = ((block.X, block.codes) for block in blocks)
    return certificate_of_rows(partitions, rows if digest else None)
