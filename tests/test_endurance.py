"""A short run of every task of endurance.py; what long ones counted is in docs/reliability.md."""

import sys

import endurance
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are forked, and /proc is read"),
    pytest.mark.filterwarnings("ignore"),
]


def test_killed_fits_end_as_undisturbed_ones():
    counts = endurance.fits(6, 5e6, seed=1)
    assert counts["kills"] == 6
    assert counts["ended"] >= 1


def test_what_is_killed_while_it_writes_leaves_whole_files():
    counts = endurance.saves(5, seed=1)
    assert sum(counts.values()) == 15


def test_killed_workers_change_nothing():
    assert endurance.workers(2, seed=1) == {"kills": 2}


def test_disks_that_fill_end_in_one_line():
    assert sum(endurance.disk(4, seed=1).values()) == 4


def test_the_page_answers_and_keeps_its_memory():
    counts = endurance.page(200, 5, seed=1)
    assert counts[200] == 200
    assert counts["MB after"] < counts["MB before"] + 50
