"""At the size where cleverness acts: row groups, threads and formats, samples, many columns.

Whatever is fast on blocks is compared with rows in memory: verdict by verdict, label by label, and
every proof on the rows themselves.
"""

from concurrent.futures import ThreadPoolExecutor

import dask.array as da
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from separability.test_verify import write
from sklearn.linear_model import Perceptron as Peer

from rosenblatt import (
    KernelPerceptron,
    Perceptron,
    certify,
    checker,
    datasets,
    fit_blocks,
    scan,
    verify,
)
from rosenblatt.blocks import certify_blocks, predict_blocks, score_blocks, verify_blocks
from rosenblatt.dask import DaskPerceptron, local_client
from rosenblatt.separability.exact.confirmation import cancels

pytestmark = pytest.mark.slow

KINDS = ("separable", "touching", "overlapping")
FEW = 2**18  # numbers that the independent checker reads within seconds


def rows_of(kind, n, d, seed):
    """Rows and labels with a known verdict: normal ones, or whole numbers where classes touch."""
    rng = np.random.default_rng(seed)
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    if kind == "touching":
        return touching(n, d, rng)
    X = rng.standard_normal((n, d))
    y = np.where(X @ w >= 0, 1, -1)
    X += (0.01 * y)[:, None] * w
    if kind == "overlapping":
        y[rng.choice(n, max(2, n // 1000), replace=False)] *= -1
    return X, y


def touching(n, d, rng):
    """Whole numbers on both sides of a hyperplane, and on it, where labels are anything."""
    w = rng.integers(1, 4, d)
    X = rng.integers(-9, 10, (n, d))
    on = rng.random(n) < 0.01
    X[on, 0], X[on, 1:] = 0, 0
    X[on, 1], X[on, 2] = w[2], -w[1]  # a few points of the hyperplane, many times
    X[on] *= rng.integers(-3, 4, on.sum())[:, None]
    side = np.sign(X @ w)
    side[side == 0] = rng.choice([-1, 1], np.count_nonzero(side == 0))
    return X.astype(float), side


def write_parquet(path, X, y, group):
    columns = {f"x{j:02}": x for j, x in enumerate(X.T)} | {"y": y}
    pq.write_table(pa.table(columns), path, row_group_size=group)
    return path


def assert_as_in_memory(path, X, y, kind):
    """The verdict over blocks is that of memory, and its proof holds for the rows in memory."""
    blocks = scan(path, target=-1)
    found = certify_blocks(blocks)
    assert found.verdict == certify(X, y).verdict == kind
    if found.conflict is not None:
        Z = np.column_stack((X, np.ones(len(X))))[found.conflict.rows]
        assert cancels(Z * y[found.conflict.rows, None], found.conflict.weights)
    assert verify(found, X, y)
    assert verify_blocks(found, blocks)
    if X.size < FEW:
        assert checker.verify(found, X, y)


def draw(seed):
    """A random table: kind, rows, features, rows in a group."""
    rng = np.random.default_rng(seed)
    n, d = int(10 ** rng.uniform(4, 5.7)), int(rng.integers(3, 40))
    return KINDS[seed % 3], min(n, 10**7 // d), d, int(10 ** rng.uniform(4, 5.7))


@pytest.mark.parametrize("seed", range(9))
def test_verdicts_of_random_streams(seed, tmp_path):
    kind, n, d, group = draw(seed)
    X, y = rows_of(kind, n, d, seed)
    assert_as_in_memory(write_parquet(tmp_path / "rows.parquet", X, y, group), X, y, kind)


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_many_row_groups_with_any_number_of_cores(cores, tmp_path, monkeypatch):
    for module in ("core.threads", "tables.file_formats.parquet", "tables.schema"):
        monkeypatch.setattr(f"rosenblatt.{module}.CORES", cores)
    X, y = rows_of("separable", 400_000, 25, 0)
    path = write_parquet(tmp_path / "rows.parquet", X, y, 100_000)
    assert_as_in_memory(path, X, y, "separable")


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".svm"])
def test_every_format_at_size(suffix, tmp_path):
    X, y = rows_of("overlapping", 60_000, 25, 1)
    write(tmp_path / f"rows{suffix}", X, y)
    assert_as_in_memory(tmp_path / f"rows{suffix}", X, y, "overlapping")


@pytest.mark.parametrize("settle", ["first", "never"])
@pytest.mark.parametrize("keep", ["pocket", "average", "last"])
def test_a_stream_learns_what_memory_learns(settle, keep, tmp_path):
    X, y = rows_of("separable", 400_000, 25, 2)
    X = np.round(X * 64) / 64  # exact sums, so that equal means equal
    path = write_parquet(tmp_path / "rows.parquet", X, y, 50_000)
    params = {"settle": settle, "keep": keep, "shuffle": False, "max_iter": 5, "min_margin": 0}
    blocks = scan(path)
    model = fit_blocks(Perceptron(**params), blocks)
    memory = Perceptron(**params).fit(X, y)
    assert model.stop_reason_ == memory.stop_reason_
    assert model.converged_ == memory.converged_
    np.testing.assert_array_equal(model.mistakes_, memory.mistakes_)
    if settle == "never" and keep == "last":
        np.testing.assert_array_equal(model.coef_, memory.coef_)
    labels = np.concatenate(list(predict_blocks(model, blocks)))
    np.testing.assert_array_equal(labels, model.predict(X))
    assert score_blocks(model, blocks) == model.score(X, y)


def test_a_checkpoint_of_many_blocks_goes_on_to_the_same_weights(tmp_path):
    X, y = rows_of("overlapping", 300_000, 20, 3)
    blocks = scan(write_parquet(tmp_path / "rows.parquet", X, y, 30_000))
    params = {"settle": "never", "max_iter": 3, "min_margin": 0}
    whole = fit_blocks(Perceptron(**params), blocks)
    part = fit_blocks(Perceptron(**params), blocks, checkpoint=tmp_path / "state", every=0)
    again = fit_blocks(Perceptron(**params), blocks, checkpoint=tmp_path / "state", every=0)
    for model in (part, again):
        np.testing.assert_array_equal(model.coef_, whole.coef_)
        np.testing.assert_array_equal(model.mistakes_, whole.mistakes_)


# -- Few mistakes, where samples are searched ------------------------------------------------------


def noisy(n=400_000, d=25, seed=4):
    X, y = rows_of("separable", n, d, seed)
    y[np.random.default_rng(seed).choice(n, n // 50, replace=False)] *= -1
    return X, y


def test_few_mistakes_of_many_rows_in_memory():
    X, y = noisy()
    model = Perceptron().fit(X, y)
    wrong = int(np.count_nonzero(model.predict(X) != y))
    assert (model.stop_reason_, model.mistake_bounds_) == ("inseparable", (1, wrong))
    assert wrong <= 1.01 * len(y) / 50


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_few_mistakes_of_many_rows_in_files(cores, tmp_path, monkeypatch):
    for module in ("core.threads", "tables.file_formats.parquet", "tables.schema"):
        monkeypatch.setattr(f"rosenblatt.{module}.CORES", cores)
    X, y = noisy()
    model = fit_blocks(Perceptron(), scan(write_parquet(tmp_path / "rows.parquet", X, y, 50_000)))
    wrong = int(np.count_nonzero(model.predict(X) != y))
    assert (model.stop_reason_, model.mistake_bounds_) == ("inseparable", (1, wrong))
    assert wrong <= 1.05 * len(y) / 50


def test_few_mistakes_of_many_rows_on_a_cluster():
    X, y = noisy()
    parts = da.from_array(X, chunks=(100_000, X.shape[1])), da.from_array(y, chunks=100_000)
    with local_client(2):
        model = DaskPerceptron().fit(*parts)
    wrong = int(np.count_nonzero(Perceptron.predict(model, X) != y))
    assert (model.stop_reason_, model.mistake_bounds_) == ("inseparable", (1, wrong))
    assert wrong <= 1.05 * len(y) / 50


# -- Scaled columns, several classes, penalties ----------------------------------------------------


@pytest.mark.parametrize("cores", [1, 2, 8])
def test_scaled_columns_of_many_row_groups(cores, tmp_path, monkeypatch):
    for module in ("core.threads", "tables.file_formats.parquet", "tables.schema"):
        monkeypatch.setattr(f"rosenblatt.{module}.CORES", cores)
    X, y = rows_of("separable", 400_000, 8, 3)
    X = X * 10.0 ** np.arange(-2, 6) + 3
    path = write_parquet(tmp_path / "rows.parquet", X, y, 50_000)
    plain = {"scale": "standard", "shuffle": False, "max_iter": 2, "min_margin": 0}
    passes = [Perceptron(settle="never", keep="last", **plain) for _ in range(2)]
    streamed, memory = fit_blocks(passes[0], scan(path)), passes[1].fit(X, y)
    np.testing.assert_array_equal(streamed.mistakes_, memory.mistakes_)
    np.testing.assert_allclose(streamed.coef_, memory.coef_, rtol=1e-6)
    assert fit_blocks(Perceptron(scale="standard"), scan(path)).converged_


def test_several_classes_of_many_rows_on_a_cluster():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((300_000, 10))
    y = np.argmax(X @ rng.standard_normal((10, 3)), axis=1)
    parts = da.from_array(X, chunks=(50_000, 10)), da.from_array(y, chunks=50_000)
    with local_client(2):
        model = DaskPerceptron().fit(*parts)
    assert model.stop_reason_ == "separated"
    np.testing.assert_array_equal(Perceptron.predict(model, X), y)


@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_weights_that_shrink_millions_of_times_are_held_as_well_as_shrunk_at_once(penalty, form):
    X, y = rows_of("overlapping", 300_000, 6, 6)
    how = {"penalty": penalty, "alpha": 1e-3, "shuffle": False, "tol": None, "max_iter": 5}
    peer = Peer(**how).fit(X, y)
    ours = Perceptron(**how).fit(form(X), y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, atol=1e-9)


# -- Many columns, where there is no frame and the hash passes over zeros --------------------------


def test_random_labels_of_many_columns_overlap():
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((6000, 1500)), rng.choice([-1, 1], 6000)
    found = certify(X, y)
    assert (found.verdict, found.proof) == ("overlapping", "bounded")
    assert verify(found, X, y)
    with pytest.raises(ValueError, match="the hash is of other data"):
        verify(found, X, -y)
    assert Perceptron().fit(X, y).stop_reason_ == "inseparable"
    blocks = [(X[k : k + 700], y[k : k + 700]) for k in range(0, len(y), 700)]
    streamed = certify_blocks(blocks)
    assert (streamed.verdict, streamed.proof) == ("overlapping", "bounded")
    assert verify(streamed, X, y)
    assert fit_blocks(Perceptron(), blocks).stop_reason_ == "inseparable"


def test_large_sparse_tables():
    rng = np.random.default_rng(6)
    X = sp.random_array((20_000, 50_000), density=1e-3, rng=rng, format="csr")
    y = np.where(X @ rng.standard_normal(50_000) > 0, 1, -1)
    found = certify(X, y)
    assert (found.verdict, found.hashed) == ("separable", "nonzero")
    assert verify(found, X, y)
    X[7], y[7] = X[8], -y[8]
    found = certify(X.tocsr(), y)
    assert (found.verdict, sorted(found.conflict.rows)) == ("touching", [7, 8])
    assert verify(found, X, y)
    assert Perceptron().fit(X, y).stop_reason_ == "inseparable"


def test_large_sparse_tables_of_several_classes():
    """Their pairs have 100,000 dimensions, and plain passes find no linear machine."""
    rng = np.random.default_rng(1)
    X = sp.random_array((20_000, 50_000), density=1e-4, rng=rng, format="csr")
    y = (X @ rng.standard_normal((50_000, 3))).argmax(axis=1)
    found = certify(X, y)
    assert (found.verdict, found.hashed) == ("separable", "nonzero")
    assert verify(found, X, y)
    assert Perceptron().fit(X, y).converged_
    X[7], y[7] = X[8], (y[8] + 1) % 3
    found = certify(X.tocsr(), y)
    assert (found.verdict, sorted(found.conflict.rows)) == ("touching", [7, 8])
    assert verify(found, X, y)


# -- The minimal face, in hundreds of columns ------------------------------------------------------


def rare_pixels(n, d, rare, seed=0):
    """Images with random labels; some columns are lit in a few rows only, which they tell apart."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 256, (n, d)) * (rng.random((n, d)) < 0.3)
    y = rng.choice([-1, 1], n)
    lit = rng.choice(n, (rare, 3))
    edge = np.zeros((n, rare))
    for j, rows in enumerate(lit):
        edge[rows, j] = rng.integers(1, 256, 3)
        y[rows] = y[rows[0]]
    return np.hstack((X, edge)).astype(float), y


@pytest.mark.parametrize(("rare", "verdict"), [(0, "overlapping"), (60, "touching")])
def test_images_with_rare_pixels_touch(rare, verdict):
    X, y = rare_pixels(3000, 560, rare)
    found = certify(X, y)
    assert found.verdict == verdict
    assert verify(found, X, y)


# -- Kernels ---------------------------------------------------------------------------------------


def test_one_solve_of_many_rows_gives_the_same_digits_in_every_thread():
    X, y = np.random.default_rng(0).standard_normal((1800, 6)), np.arange(1800) % 2

    def solved(_):
        model = KernelPerceptron("rbf", 1.0, max_iter=1).fit(X, y)
        return model.stop_reason_, model.dual_coef_.tobytes()

    alone = solved(0)
    assert alone[0] == "separated"
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(solved, range(2))) == [alone] * 2


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_one_pair_of_equal_rows_among_many_is_found_for_any_kernel(form):
    X, y = rows_of("separable", 200_000, 20, 3)
    assert certify(form(X), y, kernel="rbf").verdict == "separable"
    X[150_000], y[150_000] = X[7], -y[7]
    found = certify(form(X), y, kernel="rbf")
    assert (found.verdict, found.conflict.rows) == ("touching", [7, 150_000])
    assert verify(found, X, y)


def levels(n, sizes, seed, faint=0.0):
    """Categories, a column for each level, as CSR; the larger `faint`, the rarer the last ones."""
    rng, begins = np.random.default_rng(seed), np.cumsum([0, *sizes])
    shares = [1 / np.arange(1, size + 1) ** faint for size in sizes]
    drawn = [rng.choice(len(p), n, p=p / p.sum()) for p in shares]
    places = (np.stack(drawn, axis=1) + begins[:-1]).ravel()
    ends = np.arange(0, len(places) + 1, len(sizes))
    return sp.csr_array((np.ones(len(places)), places, ends), shape=(n, begins[-1])), rng


@pytest.mark.parametrize("form", [sp.csr_array, lambda X: X.toarray()])
def test_random_labels_of_many_levels_overlap(form):
    X, rng = levels(6000, [60] * 25, 7)
    X, y = form(X), rng.choice([-1, 1], 6000)
    found = certify(X, y)
    assert (found.verdict, found.proof, len(found.dependent)) == ("overlapping", "bounded", 25)
    assert verify(found.to_json(), X, y)
    assert Perceptron().fit(X, y).stop_reason_ == "inseparable"
    blocks = [(X[k : k + 700], y[k : k + 700]) for k in range(0, len(y), 700)]
    streamed = certify_blocks(blocks)
    assert (streamed.verdict, streamed.proof) == ("overlapping", "bounded")
    assert verify(streamed, X, y)
    assert fit_blocks(Perceptron(), blocks).stop_reason_ == "inseparable"


def test_rare_levels_of_random_labels_touch():
    X, rng = levels(6000, [300] * 8, 8, faint=1.2)
    y = rng.choice([-1, 1], 6000)
    found = certify(X, y)
    assert (found.verdict, found.proof) == ("touching", "bounded")
    assert verify(found.to_json(), X, y)


@pytest.mark.parametrize("dense", [True, False])
def test_random_labels_of_three_classes_in_many_columns_overlap(dense):
    X, rng = levels(3000, [35] * 20, 9)
    X, y = rng.standard_normal((3000, 700)) if dense else X, rng.integers(3, size=3000)
    found = certify(X, y)
    assert (found.verdict, found.proof) == ("overlapping", "bounded")
    assert verify(found.to_json(), X, y)
    assert Perceptron().fit(X, y).stop_reason_ == "inseparable"


@pytest.mark.parametrize("verdict", ["separable", "overlapping"])
def test_labels_of_several_types_in_many_blocks_are_those_in_memory(verdict):
    """Whole numbers, fractions, truth values and columns, one after another in 300 blocks."""
    X, y = datasets.clouds(60_000, 8, margin=0.02, flip=3 * (verdict == "overlapping"))
    y = (y > 0).astype(int)
    forms = (np.asarray, lambda y: y.astype(float), lambda y: y.astype(bool), lambda y: y[:, None])
    parts = zip(np.split(X, 300), np.split(y, 300), strict=True)
    blocks = [(rows, forms[k % 4](own)) for k, (rows, own) in enumerate(parts)]
    whole = Perceptron(shuffle=False, settle="never", max_iter=3).fit(X, y)
    part = fit_blocks(Perceptron(shuffle=False, settle="never", max_iter=3), blocks)
    np.testing.assert_array_equal(part.coef_, whole.coef_)
    found = certify_blocks(blocks)
    assert found.verdict == verdict == certify(X, y).verdict
    assert verify_blocks(found, blocks)
    assert verify(found, X, y.astype(float))
    assert score_blocks(part, blocks) == part.score(X, y)
