"""Orders: who is visited next."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import naive
import numpy as np
import pytest
from scipy.stats import chisquare
from specimens import assert_same_log, plain

from rosenblatt.core.loop import Rows
from rosenblatt.core.orders import ORDERS, Rng, seeded
from rosenblatt.core.row_loops import shuffle
from rosenblatt.core.vectors import lengths2, store

X = np.array([[3.0], [-5.0], [1.0], [0.0], [7.0]])
Y = np.array([1, 1, -1, 1, 1], np.int32)


def one_pass(order, W=None, batch=1, boundary=0, bias=0.0, train=(0, 1, 2, 3, 4)):
    """The stretches of a pass, the hypothesis standing still."""
    storage = store(X, bias)
    train = np.array(train, np.uint32)
    rows = Rows(Y, np.ones(5), lengths2(storage, 5), boundary, train, np.ones(5))
    W = np.array([[1.0, 0.0]]) if W is None else W
    return [v.tolist() for v in ORDERS[order](storage, W, rows, batch, np.random.RandomState(0))]


def test_sweep_takes_rows_as_they_stand():
    assert one_pass("sweep") == [[0, 1, 2, 3, 4]]
    assert one_pass("sweep", train=[4, 1]) == [[4, 1]]


def test_shuffled_takes_every_row_once():
    (visit,) = one_pass("shuffled")
    assert sorted(visit) == [0, 1, 2, 3, 4]
    assert visit == naive.shuffled(range(5), np.random.RandomState(0).randint(1, 2**31 - 1))


def test_shuffles_are_even():
    seen = Counter()
    for seed in range(1, 6001):
        visit = np.arange(4, dtype=np.uint32)
        shuffle(visit, seed)
        seen[tuple(visit)] += 1
    assert len(seen) == 24
    assert chisquare(list(seen.values())).pvalue > 0.001


def test_random_draws_as_many_as_there_are_rows():
    (visit,) = one_pass("random", train=[4, 1, 3])
    assert len(visit) == 3
    assert set(visit) <= {4, 1, 3}


def test_worst_takes_the_smallest_margin_first():
    assert one_pass("worst")[0] == [1]
    assert one_pass("worst", batch=2)[0] == [1, 2]
    assert one_pass("worst", train=[0, 2, 4])[0] == [2]


def test_worst_makes_no_more_than_n_visits():
    assert len(one_pass("worst")) == 5
    assert len(one_pass("worst", batch=2)) == 3


def test_worst_passes_over_rows_that_cannot_move():
    zero = np.zeros((1, 2))
    assert one_pass("worst", W=zero)[0] == [0]
    assert one_pass("worst", W=zero, boundary=1)[0] == [2]  # the others are where they belong
    assert one_pass("worst", W=zero, batch=5)[0][-1] == 3  # a zero row comes last


def test_every_shuffled_pass_is_another():
    X, y = np.array([[0.0], [1], [1], [0]]), [1, -1, 1, -1]
    log = plain(X, y, max_iter=50, random_state=1).log_
    passes = [tuple(log.i[(log.t >= 4 * k) & (log.t < 4 * k + 4)]) for k in range(50)]
    assert len(set(passes)) > 5


@pytest.mark.parametrize("order", ["sweep", "random", "worst"])
def test_a_seed_decides_the_run(order):
    X, y = np.arange(12.0).reshape(6, 2) % 5, [0, 1, 0, 1, 1, 0]
    runs = [plain(X, y, order=order, random_state=7, max_iter=5).log_ for _ in range(2)]
    assert_same_log(*runs)
    assert len(runs[0])


@pytest.mark.parametrize("order", ["random", "worst"])
def test_separated_means_that_all_rows_were_checked(order):
    rng = np.random.RandomState(3)
    X = rng.randint(-8, 9, (30, 3)) / 4
    y = np.where(X @ [1, -2, 3] + 0.125 > 0, 1, -1)
    for seed in range(5):
        model = plain(X, y, order=order, random_state=seed, max_iter=5000)
        assert model.stop_reason_ == "separated"
        assert (model.predict(X) == y).all()


def test_a_pass_of_random_or_worst_is_n_visits():
    X, y = np.array([[0.0], [1], [1], [0]]), [1, -1, 1, -1]
    assert plain(X, y, order="random", max_iter=3).log_.seen == 12
    assert plain(X, y, order="worst", max_iter=3).log_.seen == 12


def test_worst_goes_on_when_a_batch_cancels_out():
    X, y = np.array([[1.0], [1], [2], [3]]), [1, -1, 1, 1]
    params = {"order": "worst", "batch_size": 2, "max_iter": 3}
    primal, dual = (plain(X, y, form=form, **params) for form in ("primal", "dual"))
    assert_same_log(primal.log_, dual.log_)
    assert primal.mistakes_.tolist() == [4, 4, 4]


# -- Active ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 5, 2])
def test_active_visits_its_rows_a_hundred_times_in_few_stretches(batch):
    first, *again = one_pass("active", batch=batch)
    assert first == [0, 1, 2, 3, 4]
    rounds = [len(stretch) // 5 for stretch in again]
    assert again == [[0, 1, 2, 3, 4] * k for k in rounds]
    assert sum(rounds) == 100
    assert rounds == [1] * 100 if 5 % batch else len(rounds) < 10  # no batch spans two rounds


# -- Random numbers --------------------------------------------------------------------------------


def drawn(rng):
    return rng.randint(9, size=5).tolist(), rng.standard_normal(3).tolist(), rng.random_sample()


def test_sources_that_were_used_before_give_the_numbers_of_new_ones():
    for _ in range(3):  # an odd number of normal numbers leaves one behind
        with seeded([7, 0, 7]) as rngs:
            assert [drawn(rng) for rng in rngs] == [drawn(Rng(seed)) for seed in (7, 0, 7)]
            with seeded([7]) as (inner,):
                assert inner not in rngs
                assert drawn(inner) == drawn(Rng(7))


def test_no_two_threads_draw_from_one_source():
    wanted = [drawn(Rng(seed)) for seed in range(8)]

    def work(seed):
        for _ in range(200):
            with seeded([seed]) as (rng,):
                assert drawn(rng) == wanted[seed]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
