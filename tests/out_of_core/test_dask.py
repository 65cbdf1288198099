"""Partitions on a cluster: one of them is the local perceptron; lost ones change nothing."""

import json
import os
import signal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils import estimator_checks
from specimens import quietly

from rosenblatt import Perceptron, datasets, load, novikoff, save, scan, verify
from rosenblatt import certify as in_memory
from rosenblatt.cli import main
from rosenblatt.dask import DaskPerceptron, certify, local_client
from rosenblatt.separability import fingerprint

da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
delayed = pytest.importorskip("dask").delayed

ATTRIBUTES = (
    "coef_",
    "intercept_",
    "mistakes_",
    "stop_reason_",
    "converged_",
    "margin_bounds_",
    "radius_",
)


@pytest.fixture(scope="module")
def client():
    with local_client(2) as found:
        yield found


def spread(X, y, parts):
    size = -(-len(y) // parts)
    return da.from_array(X, chunks=(size, X.shape[1])), da.from_array(y, chunks=size)


def exact(n=600, d=3, flip=0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(-40, 40, (n, d)) / 4
    y = np.where(X @ np.arange(1, d + 1) > 0.5, 1, -1)
    y[rng.choice(n, flip, replace=False)] *= -1
    return X, y


def assert_same(a, b):
    for name in ATTRIBUTES:
        x, y = getattr(a, name), getattr(b, name)
        same = all(map(np.array_equal, x, y)) if isinstance(x, list) else np.array_equal(x, y)
        assert same, name


@pytest.mark.parametrize(
    ("keep", "flip"), [("pocket", 0), ("pocket", 20), ("last", 20), ("average", 20)]
)
def test_one_partition_is_the_local_perceptron(client, keep, flip):
    X, y = exact(flip=flip)
    params = {"keep": keep, "max_iter": 12, "settle": "never", "min_margin": 0.01}
    local = quietly(Perceptron(**params), X, y)
    assert_same(quietly(DaskPerceptron(**params), *spread(X, y, 1)), local)


def test_numbers_wider_than_doubles_are_not_proved_on(client):
    X = np.array([[np.longdouble(1) + np.longdouble(2) ** -60], [1], [2], [3]], np.longdouble)
    with pytest.raises(ValueError, match="which double precision would change"):
        certify(da.from_array(X, chunks=2), da.from_array(np.array([0, 1, 1, 1]), chunks=2))


def test_a_score_of_weighted_partitions_is_refused(client):
    X, y = exact()
    dX, dy = spread(X, y, 3)
    model = DaskPerceptron().fit(dX, dy)
    with pytest.raises(ValueError, match="count alike: sample_weight must be None"):
        model.score(dX, dy, np.ones(len(y)))


@pytest.mark.parametrize("how", ["ovr", "direct"])
def test_several_classes(client, how):
    X = exact()[0]
    y = (X[:, 0] > 2).astype(int) + (X[:, 1] > 3)
    params = {"multi_class": how, "max_iter": 6, "settle": "never", "min_margin": 0}
    local = quietly(Perceptron(**params), X, y)
    assert_same(quietly(DaskPerceptron(**params), *spread(X, y, 1)), local)
    model = quietly(DaskPerceptron(**params), *spread(X, y, 3))
    assert model.decision_function(spread(X, y, 3)[0]).compute().shape == (600, 3)


@pytest.mark.parametrize(
    ("shift", "verdict", "reason"),
    [(0, "touching", "inseparable"), (9, "separable", "separated")],
)
def test_several_classes_are_decided_jointly_on_the_cluster(client, shift, verdict, reason):
    X, y = load_iris(return_X_y=True)
    X = X + np.outer(shift * (y == 2), [1, 0, 0, 0])
    model = quietly(DaskPerceptron(max_iter=20), *spread(X, y, 3))
    certificate = certify(*spread(X, y, 3))
    assert (model.stop_reason_, certificate.verdict) == (reason, verdict)
    assert verify(certificate, X, y)


@pytest.mark.parametrize("mix", ["mistakes", "uniform"])
def test_partitions_separate_together(client, mix):
    X, y = datasets.clouds(900, 4, margin=0.05)
    dX, dy = spread(X, y, 4)
    model = DaskPerceptron(mix=mix, settle="never", min_margin=0).fit(dX, dy)
    assert (model.stop_reason_, model.mistakes_[-1]) == ("separated", 0)
    assert Perceptron.score(model, X, y) == model.score(dX, dy) == 1
    np.testing.assert_array_equal(model.predict(dX).compute(), y)
    lower, upper = model.margin_bounds_
    assert 0 < lower <= novikoff(Perceptron().fit(X, y), X, y).gamma / model.radius_ <= upper


def test_the_pocket_of_partitions_is_no_worse_than_what_they_end_with(client):
    X, y = exact(flip=40)
    params = {"max_iter": 15, "settle": "never", "min_margin": 0}
    kept, last = (
        quietly(DaskPerceptron(keep=keep, **params), *spread(X, y, 3))
        for keep in ("pocket", "last")
    )
    np.testing.assert_array_equal(kept.mistakes_, last.mistakes_)
    assert kept._errors[0] <= last._errors[0]
    assert kept._errors[0] == np.sum(Perceptron.decision_function(kept, X) * y <= 0)


def test_the_average_is_over_all_visits(client):
    X, y = exact(90, 2, flip=5)
    params = {"keep": "average", "shuffle": False, "max_iter": 2, "settle": "never"}
    model = quietly(DaskPerceptron(**params), *spread(X, y, 3))
    W, held = np.zeros(3), []
    Z = np.column_stack((X, np.ones(90)))
    for _ in range(2):
        ends = []
        for part in np.split(np.arange(90), 3):
            w = W.copy()
            for i in part:
                w = w + y[i] * Z[i] * (y[i] * (Z[i] @ w) <= 0)
                held.append(w)
            ends.append(w)
        W = np.mean(ends, axis=0)
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], np.mean(held, axis=0))


def test_settling_gathers_rows_from_partitions(client):
    X, y = datasets.clouds(900, 4, margin=0.05, flip=1)
    model = DaskPerceptron(max_iter=3).fit(*spread(X, y, 3))
    assert model.stop_reason_ == "inseparable"
    assert len(model.conflict_[0]) >= 2
    X, y = datasets.clouds(900, 4, margin=1e-4, tight=True)
    model = DaskPerceptron(settle="first").fit(*spread(X, y, 3))
    assert (model.stop_reason_, model.settled_, model.converged_) == ("separated", True, True)


def test_where_nothing_separates_few_rounds_are_made(client):
    X, y = datasets.clouds(1000, 5, margin=0.05, flip=3)
    model = DaskPerceptron().fit(*spread(X, y, 3))
    assert (model.stop_reason_, model.mistake_bounds_) == ("inseparable", (1, 3))
    assert model.n_iter_ <= 8


def test_few_mistakes_are_searched_for_on_a_sample_of_partitions(client):
    X, y = datasets.clouds(60_000, 10, margin=0.02, flip=1200)
    model = DaskPerceptron().fit(*spread(X, y, 3))
    wrong = int(np.count_nonzero(Perceptron.predict(model, X) != y))
    assert (model.stop_reason_, model.settled_) == ("inseparable", True)
    assert model.mistake_bounds_ == (1, wrong)
    assert wrong <= 1.05 * 1200


def test_certificates_of_partitions(client):
    X, y = exact(flip=1)
    certificate = certify(*spread(X, y, 3))
    assert certificate.verdict == "overlapping"
    assert verify(certificate, X, y)
    assert certify(*spread(X, y, 3), digest=False).sha256 == ""


def test_partitions_of_any_size_have_the_hash_of_blocks_in_memory(client, monkeypatch):
    monkeypatch.setattr(fingerprint, "MOST_AT_ONCE", 0)
    monkeypatch.setattr(fingerprint, "BLOCK_NUMBERS", 100)  # 33 rows
    X, y = exact()
    found = certify(*spread(X, y, 7))
    assert found.hashed == "blocks"
    assert found.sha256 == in_memory(X, y).sha256
    assert verify(found, X, y)


# -- What comes in, and what goes out --------------------------------------------------------------


def test_frames(client):
    X, y = exact()
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=np.where(y > 0, "yes", "no"))
    parts = dd.from_pandas(frame, npartitions=3)
    features, kind = parts[["a", "b", "c"]], parts["kind"]
    model = DaskPerceptron().fit(features, kind)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.score(features, kind) == 1
    assert model.predict(features).compute().tolist() == frame["kind"].tolist()


def test_lists_of_parquet_files(client, tmp_path):
    X, y = exact()
    files = [tmp_path / f"{k}.parquet" for k in range(3)]
    for file, rows in zip(files, np.split(np.arange(600), 3), strict=True):
        columns = {f"x{j}": X[rows, j] for j in range(3)} | {"label": y[rows]}
        pq.write_table(pa.table(columns), file)
    model = DaskPerceptron(settle="never", shuffle=False).fit(files, "label")
    again = DaskPerceptron(settle="never", shuffle=False).fit(*spread(X, y, 3))
    assert_same(model, again)


def test_the_model_is_an_estimator_and_can_be_taken_home(client, tmp_path):
    X, y = exact()
    model = DaskPerceptron(mix="mistakes", eta0=0.5)
    assert clone(model).get_params() == model.get_params()
    assert repr(model) == "DaskPerceptron(eta0=0.5, mix='mistakes')"
    model.fit(*spread(X, y, 2))
    save(model.local(), tmp_path / "model")
    np.testing.assert_array_equal(load(tmp_path / "model").predict(X), y)


def test_everything_listens_to_this_machine_only(client):
    addresses = [client.scheduler.address, *client.scheduler_info()["workers"]]
    assert all("127.0.0.1" in address for address in addresses)


def test_scanned_tables_are_shared_out_among_the_workers(client, tmp_path):
    X, y = exact()
    np.save(tmp_path / "t.npy", np.column_stack((X, y)))
    (tmp_path / "t.txt").write_text("1 2\n3 4\n")
    model = DaskPerceptron(settle="never").fit(scan(tmp_path / "t.npy"))
    assert_same(model, Perceptron(settle="never").fit(X, y))  # one piece, so one partition
    with pytest.raises(ValueError, match="has no parts that can be read by themselves"):
        DaskPerceptron().fit(scan(tmp_path / "t.txt"))


@pytest.mark.slow
def test_workers_on_the_command_line(tmp_path, capfd):
    X, y = exact(3000)
    columns = {f"x{j}": X[:, j] for j in range(3)} | {"label": np.where(y > 0, "yes", "no")}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet", row_group_size=500)
    options = ["--workers", "2", "--settle", "never", "--save", str(tmp_path / "model"), "--json"]
    with pytest.raises(SystemExit) as ended:
        main(["fit", str(tmp_path / "t.parquet"), *options])
    facts = json.loads(capfd.readouterr().out)
    assert (ended.value.code, facts["verdict"], facts["training_accuracy"]) == (0, "separable", 1)
    assert load(tmp_path / "model").classes_.tolist() == ["no", "yes"]


# -- What is lost, and what is refused -------------------------------------------------------------


def test_a_worker_that_is_killed_changes_nothing(client, monkeypatch):
    X, y = exact(flip=20)
    params = {"max_iter": 12, "settle": "never", "min_margin": 0, "keep": "average"}
    undisturbed = quietly(DaskPerceptron(**params), *spread(X, y, 4))
    victim, calls, gather = min(client.run(os.getpid).values()), [], type(client).gather

    def deadly(*args, **kwargs):
        calls.append(args)
        if len(calls) == 6:  # in the middle of a round
            os.kill(victim, signal.SIGKILL)
        return gather(*args, **kwargs)

    monkeypatch.setattr(type(client), "gather", deadly)
    disturbed = quietly(DaskPerceptron(**params), *spread(X, y, 4))
    client.wait_for_workers(2)
    assert len(calls) > 6
    assert victim not in client.run(os.getpid).values()
    assert_same(undisturbed, disturbed)


def test_what_is_refused(client):
    X, y = exact()
    with pytest.raises(ValueError, match="record=True is not possible"):
        DaskPerceptron(record=True).fit(*spread(X, y, 2))
    with pytest.raises(ValueError, match="mix='max' is not known"):
        DaskPerceptron(mix="max").fit(*spread(X, y, 2))
    with pytest.raises(TypeError, match="They are ndarray and ndarray"):
        DaskPerceptron().fit(X, y)
    with pytest.raises(ValueError, match="needs all rows in memory; over blocks, use keep="):
        DaskPerceptron(keep="vote").fit(*spread(X, y, 2))
    with pytest.raises(ValueError, match="there are no rows in these partitions"):
        DaskPerceptron().fit(da.empty((0, 3), chunks=2), da.empty(0, chunks=2))


def test_partitions_that_might_be_encoded_each_in_its_way_are_refused(client, tmp_path):
    table = pa.table({"colour": ["red", "green"], "kind": ["cherry", "apple"]})
    pq.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="columns that are no numbers, which each partition"):
        DaskPerceptron().fit([tmp_path / "a.parquet"], "kind")


# -- Partitions that are odd -----------------------------------------------------------------------


def cut(X, y, *sizes):
    return da.from_array(X, chunks=(sizes, X.shape[1])), da.from_array(y, chunks=(sizes,))


@pytest.mark.parametrize("sizes", [(1, 2, 597), (0, 100, 0, 500, 0), (600, 0)])
def test_partitions_that_are_empty_or_unequal_are_learned_from(client, sizes):
    X, y = exact()
    rows, labels = cut(X, y, *sizes)
    model = DaskPerceptron().fit(rows, labels)
    assert (model.stop_reason_, model.converged_) == ("separated", True)
    assert model.predict(rows).compute().tolist() == y.tolist()
    assert model.score(rows, labels) == 1
    assert verify(certify(rows, labels), X, y)


def test_partitions_of_one_class_each_are_learned_from(client):
    X, y = exact()
    order = np.argsort(y, kind="stable")
    negative = int((y < 0).sum())
    assert DaskPerceptron().fit(*cut(X[order], y[order], negative, 600 - negative)).converged_
    with pytest.raises(ValueError, match="y has one class"):
        DaskPerceptron().fit(*cut(X[y > 0], y[y > 0], 600 - negative))


def test_a_missing_value_in_the_last_partition_is_refused(client):
    X, y = exact()
    X[-1, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        DaskPerceptron().fit(*cut(X, y, 200, 400))
    with pytest.raises(ValueError, match="NaN"):
        certify(*cut(X, y, 200, 400))


def test_frames_with_an_empty_partition_and_with_other_columns(client):
    X, y = exact()
    frame, labels = pd.DataFrame(X, columns=["a", "b", "c"]), pd.Series(y, name="y")

    def collected(*parts):
        return dd.from_delayed(
            [delayed(part) for part in parts], meta=parts[0][:0], verify_meta=False
        )

    odd = collected(frame[:200], frame[200:200], frame[200:])
    sides = collected(labels[:200], labels[200:200], labels[200:])
    model = DaskPerceptron().fit(odd, sides)
    assert model.converged_
    assert model.score(odd, sides) == 1
    mixed = collected(frame[:200], frame[200:][["c", "a", "b"]])
    with pytest.raises(ValueError, match=r"a block has the columns \['c', 'a', 'b'\]"):
        DaskPerceptron().fit(mixed, collected(labels[:200], labels[200:]))


def test_frames_that_would_have_to_be_encoded_are_not_certified(client):
    frame = pd.DataFrame({"a": pd.Categorical([1, 2] * 300), "b": np.arange(600.0)})
    parts = dd.from_pandas(frame.assign(y=np.arange(600) // 300), npartitions=2)
    with pytest.raises(ValueError, match=r"columns that are no numbers, .* in its own way: a\."):
        certify(parts[["a", "b"]], parts["y"])


@pytest.mark.parametrize("target", ["y", -1])
def test_files_whose_columns_are_in_another_order(client, tmp_path, target):
    X, y = exact()

    def write(name, rows, names):
        columns = {"abc"[j]: X[rows, j] for j in range(3)} | {"y": y[rows], "z": X[rows, 0]}
        pq.write_table(pa.table({each: columns[each] for each in names}), tmp_path / name)
        return str(tmp_path / name)

    first, other = write("1", slice(200), "abcy"), write("2", slice(200, 600), "ycab")
    model = DaskPerceptron().fit([first, other], target)
    assert model.local().score(X, y) == 1
    with pytest.raises(ValueError, match="has no column 'c'"):
        DaskPerceptron().fit([first, write("3", slice(200, 600), "abzy")], target)
    with pytest.raises(ValueError, match="has a column 'z', which the first file does not have"):
        DaskPerceptron().fit([first, write("4", slice(200, 600), "abczy")], target)


def test_what_is_learned_from_is_scored(client, tmp_path):
    X, y = exact()
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y}), path)
    model = DaskPerceptron().fit([path], "y")
    assert model.score([path], "y") == model.score([path]) == model.score(scan(path, "y")) == 1
    with pytest.raises(TypeError, match="y must be a position or a name of a column of the files"):
        model.fit([path], None)
    with pytest.raises(ValueError, match="there is no 9"):
        model.fit([path], 9)


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.coo_matrix, sp.csc_matrix])
def test_partitions_may_be_sparse(client, kind):
    X, y = exact()
    parts = [da.from_delayed(delayed(kind)(X[k : k + 200]), (200, 3), float) for k in (0, 200, 400)]
    rows, labels = da.concatenate(parts), da.from_array(y, chunks=200)
    model = DaskPerceptron().fit(rows, labels)
    assert model.predict(rows).compute().tolist() == y.tolist()
    assert model.score(rows, labels) == 1
    assert verify(certify(rows, labels), X, y)


def test_labels_may_be_a_column(client):
    X, y = exact()
    rows = da.from_array(X, chunks=(200, 3))
    for labels in (da.from_array(y[:, None], chunks=(300, 1)), column_of(y)):
        model = DaskPerceptron().fit(rows, labels)
        assert model.score(rows, labels) == 1
        assert verify(certify(rows, labels), X, y)


def column_of(y):
    """Chunks of a size that is not known."""
    return da.concatenate([of_unknown_size(y[k : k + 200, None]) for k in (0, 200, 400)])


def of_unknown_size(part):
    return da.from_delayed(delayed(np.asarray)(part), (np.nan, *part.shape[1:]), object)


def test_partitions_with_more_rows_than_labels_are_refused(client):
    X, y = exact()
    rows, short = da.from_array(X, chunks=(200, 3)), [y[:200], y[:0], y[400:]]
    labels = da.concatenate([of_unknown_size(part) for part in short])
    model = DaskPerceptron().fit(*spread(X, y, 3))
    for refused in (DaskPerceptron().fit, certify, model.score):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            refused(rows, labels)


def test_partitions_whose_labels_are_numbers_and_text_are_refused(client):
    X, y = exact()
    labels = da.concatenate([of_unknown_size(part) for part in (y[:300], y[300:].astype(str))])
    with pytest.raises(ValueError, match="labels of some blocks are numbers, and those of others"):
        DaskPerceptron().fit(da.from_array(X, chunks=(300, 3)), labels)
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
        DaskPerceptron().fit(da.from_array(X[:, 0], chunks=300), da.from_array(y, chunks=300))


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_estimator_cloneable,
        estimator_checks.check_estimator_repr,
        estimator_checks.check_estimator_tags_renamed,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_mixin_order,
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_parameters_default_constructible,
        estimator_checks.check_set_params,
        estimator_checks.check_valid_tag_types,
    ],
)
def test_the_checks_of_scikit_learn_that_need_no_rows_in_memory(check):
    check("DaskPerceptron", DaskPerceptron())
