"""The adversary finds what is false, and nothing else; its judge agrees with a slower one."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import naive
import numpy as np
import pytest
from adversary import (
    coefficients,
    commands,
    configurations,
    fits,
    forms,
    inputs,
    judge,
    optima,
    search,
    slow_judge,
    tables,
    verdicts,
)
from specimens import quietly

from rosenblatt import Certificate, Perceptron, certify
from rosenblatt.separability import decide, slack_conflicts
from rosenblatt.separability.floating_point import orthonormal_basis

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("family", tables.FAMILIES)
def test_nothing_is_false(family):
    for k in range(3):
        X, y = tables.draw(family, np.random.default_rng((0, k)))
        assert search.look(X, y, (0, k), share=None)[2] == []


@pytest.mark.parametrize("attack", search.ATTACKS)
def test_every_attack_finds_nothing(attack):
    told = []
    for k, family in enumerate(tables.FAMILIES[::4]):
        X, y = tables.draw(family, np.random.default_rng((1, k)))
        told.append(attack(X, y, np.random.default_rng(k)))
    assert [] in told  # not all were refused, or not for this attack
    assert [each for each in told if each] == []


def test_attacks_come_in_their_shares():
    rng, found = np.random.default_rng(0), Counter()
    for _ in range(20000):
        found[search.drawn(search.ATTACKS, rng, 1.0)] += 1
    for attack, (share, times) in search.ATTACKS.items():
        assert found[attack, times] == pytest.approx(20 * share, rel=0.4)
    assert (None, 0) not in {search.drawn(search.ATTACKS, rng, None) for _ in range(2000)}


@pytest.mark.parametrize("form", forms.FORMS)
def test_a_form_is_the_same_table(form):
    for X in ([[0.0, 1], [1, 0], [1, 1]], [[0.5, -3], [2.0**60, 0]], [[1e-300, 0.1]]):
        given = form(np.array(X))
        given = given.toarray() if hasattr(given, "toarray") else np.asarray(given)
        assert given.tolist() == X


def test_blocks_are_the_rows():
    rng, X, y = (
        np.random.default_rng(0),
        np.arange(12.0).reshape(6, 2),
        np.array([0, 1, 2, 0, 1, 2]),
    )
    sizes = Counter()
    for _ in range(50):
        rows, labels, blocks = configurations.cut(X, y, rng)
        assert np.array_equal(np.vstack([each for each, _ in blocks]), rows)
        assert np.array_equal(np.concatenate([each for _, each in blocks]), labels)
        sizes.update(len(each) for _, each in blocks)
    assert sizes[0] > 0
    assert sizes[1] > 50


# -- The judge -------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", tables.FAMILIES)
def test_the_judge_agrees_with_a_program_for_each_row(family):
    for k in range(4):
        X, y = family(np.random.default_rng((2, k)))
        wanted = naive.quick_verdict(X, y, bool(k % 2))
        assert judge.verdict_of(X, (y > 0).astype(int), bool(k % 2)) == wanted


@pytest.mark.parametrize("family", tables.FAMILIES)
def test_the_judge_agrees_with_its_slow_twin(family):
    for k in range(6):
        X, y = tables.draw(family, np.random.default_rng((4, k)))
        table = judge.judged(X[:10], np.unique(y[:10], return_inverse=True)[1], bool(k % 3), 4)
        Z = table.vectors[:12]
        assert judge.verdict(Z) == slow_judge.verdict(Z)
        assert judge.squared_margin(judge.gram(Z)) == slow_judge.squared_margin(Z)
        assert table.verdict == judge.verdict(table.vectors)
        assert (table.squared_margin > 0) == (table.verdict == "separable")


@pytest.mark.parametrize("patience", [0, 3])
def test_the_judge_comes_to_its_end_where_much_is_degenerate(monkeypatch, patience):
    monkeypatch.setattr(judge, "PATIENCE", patience)
    rng = np.random.default_rng(0)
    for _ in range(20):
        Z = rng.integers(-1, 2, (12, 8)).tolist()
        Z = [[Fraction(v) for v in z] for z in Z]
        assert judge.verdict(Z) == slow_judge.verdict(Z)


def test_a_table_is_judged_once_and_another_is_another():
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 1])
    assert judge.judged(X, y) is judge.judged(X.copy(), y.copy())
    assert judge.judged(X, y).verdict == "separable"
    assert judge.judged(X, y[::-1]).verdict == "separable"
    assert judge.judged(X, np.array([0, 1, 0])).verdict == "overlapping"
    assert judge.judged(X, y, False).verdict == "touching"


def test_coefficients_run_away_as_linear_programs_in_floating_point_say():
    X = np.array([[0.0, 1, 2], [1, 1, 3], [2, 0, 2], [3, 1, 5]])
    assert coefficients.directions(X[:, :1], np.array([0, 0, 1, 1]), True) == [["+inf", "-inf"]]
    assert coefficients.directions(X, np.array([0, 1, 0, 1]), True)[0][2] == "aliased"
    three = coefficients.directions(X[:, :1], np.array([0, 1, 1, 2]), True)
    assert three == [["+inf", "-inf"], ["+inf", "-inf"]]


def test_several_classes_two_of_which_are_two_classes():
    for k in range(20):
        X, y = tables.draw(tables.lattice, np.random.default_rng((3, k)))
        rows, two = judge.fractions_of(X), np.minimum(y, 1)
        pairs = judge.vectors(rows, two.tolist(), 3)
        known = [z for i, z in enumerate(pairs) if i % 2 == 0]  # the other class, not the third
        assert judge.verdict(known) == judge.verdict_of(X, two)


def test_the_margin_of_two_points_is_half_of_their_distance():
    X, y = np.array([[0.0, 0], [3, 4], [9, 9]]), np.array([0, 1, 1])
    assert optima.exact_margin(X, y, True) == Fraction(25, 4)
    assert optima.exact_margin(X, y, False) == 0


def test_the_fewest_mistakes_are_those_of_all_subsets():
    rng = np.random.default_rng(0)
    for _ in range(20):
        X, y = rng.integers(-2, 3, (7, 2)).astype(float), rng.integers(0, 2, 7)
        cost = rng.choice([1.0, 2.0, 0.5], 7)
        Z = judge.judged(X, y, classes=2).vectors
        found = judge.fewest_mistakes(Z, [Fraction(c) for c in cost])
        assert found == naive.fewest_mistakes(naive.augment(X), 2 * y - 1, cost)


# -- What is false is found ------------------------------------------------------------------------


def test_a_wrong_verdict_is_found_and_shrunk(monkeypatch, capsys):
    def lying(X, y, fit_intercept):
        found = certify(X, y, fit_intercept=fit_intercept)
        return certify(X, np.sign(X[:, 0]), fit_intercept=True) if len(y) > 3 else found

    X, y = np.array([[-2.0, 0], [-1, 0], [1, 0], [2, 0], [3, 0]]), np.array([-1, 1, -1, 1, 1])
    monkeypatch.setattr(verdicts, "certify", lying)
    monkeypatch.setattr(search, "ATTACKS", {fits.check_fit: (1, 1)})

    def is_false(X, y):
        return search.look(X, y, 0)[2]

    assert is_false(X, (y > 0).astype(int))
    assert search.shrunk(X, (y > 0).astype(int), is_false)[0].shape == (4, 1)
    monkeypatch.setattr(search, "FAMILIES", [lambda rng: (X, y)])
    assert search.main("0.01s", 7, 1) == 1
    assert capsys.readouterr().out.startswith("seed 7\n<lambda>")


def test_a_wrong_verdict_on_wide_tables_is_found(monkeypatch):
    """Of tables in memory and in blocks, in either width."""
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 0])
    other = certify(X, [0, 1, 1])
    monkeypatch.setattr(verdicts, "certify", lambda *args, **how: other)
    monkeypatch.setattr(verdicts.blocks, "certify_blocks", lambda *args, **how: other)
    for seed in range(8):
        told = verdicts.check_wide(X, y, np.random.default_rng(seed))
        assert told[0].startswith("wide, it is separable, and it is")


def test_limits_of_width_are_those_of_the_library():
    """A name that no module looks up would leave tables as narrow as they are."""
    before = decide.REACH, orthonormal_basis.MOST_DIMENSIONS, slack_conflicts.SOONER_BOUNDED
    with verdicts.as_if_wide(), verdicts.as_if_wide(verdicts.HUNDREDS):
        assert certify([[0.0, 1], [1, 0], [1, 1], [0, 0]], [0, 0, 1, 1]).proof == "bounded"
        assert decide.REACH == orthonormal_basis.MOST_DIMENSIONS == 0
    assert before == (
        decide.REACH,
        orthonormal_basis.MOST_DIMENSIONS,
        slack_conflicts.SOONER_BOUNDED,
    )
    assert certify([[0.0, 1], [1, 0], [1, 1], [0, 0]], [0, 0, 1, 1]).proof != "bounded"


@pytest.mark.slow
def test_all_cores_search_other_tables_and_tell_one_summary():
    command = [sys.executable, "-m", "adversary", "0.01s", "5", "2"]
    ran = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (told,) = (line for line in ran.stdout.splitlines() if line.startswith("| all"))
    verdicts = [int(count) for count in told.strip("| ").split(" | ")[1:]]
    assert sum(verdicts) == 2 * len(tables.FAMILIES)  # at least one round each, and time is up
    assert verdicts[-1] == 0
    alone = [search.search(-1, 5, tables.FAMILIES, part=k, parts=2)[0] for k in range(2)]
    assert alone[0] == alone[1]  # time is up before the first


@pytest.mark.slow
def test_a_process_that_dies_is_told(monkeypatch, capsys):
    monkeypatch.setattr(search, "quiet_search", dying)
    assert search.main("0.01s", 5, 2) == 1
    out = capsys.readouterr().out
    assert out.count("ended in BrokenProcessPool") == 2
    assert "| processes that died | 0 | 0 | 0 | 0 | 2 |" in out


def dying(*args):
    os._exit(1)


def test_what_raises_is_told(monkeypatch):
    monkeypatch.setattr(fits, "fit_blocks", lambda *args: 1 / 0)
    monkeypatch.setattr(fits, "WAYS", [fits.in_blocks])
    X, y = np.array([[0.0], [1]]), np.array([0, 1])
    (told,) = fits.check_fit(X, y, np.random.default_rng(0))
    assert told.endswith("is refused: ZeroDivisionError('division by zero')")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("converged_", False),
        ("stop_reason_", "inseparable"),
        ("margin_bounds_", (0.0, 0.1)),
        ("margin_bounds_", (0.99, 1.0)),
        ("conflict_", (np.array([0, 1]), [Fraction(1), Fraction(1)])),
    ],
)
def test_a_wrong_claim_of_a_model_is_found(name, value):
    X, y = np.array([[-2.0], [-1], [1], [2]]), np.array([0, 0, 1, 1])
    model = quietly(Perceptron(), X, y)
    learned = fits.about(model, X, y)
    assert fits.false_of(learned) == []
    setattr(model, name, value)
    assert name in " ".join(fits.false_of(learned))


def test_a_form_that_is_misread_is_found(monkeypatch):
    def misread(X, y, **how):
        return certify(np.asarray(X) if isinstance(X, np.ndarray) else X[::-1], y, **how)

    X, y = np.array([[0.0], [1], [5]]), np.array([0, 1, 0])
    monkeypatch.setattr(inputs, "certify", misread)
    monkeypatch.setattr(inputs, "in_some_form", lambda rng, X: X.tolist())
    monkeypatch.setattr(inputs, "labels_in_some_form", lambda rng, y: y)
    told = " ".join(inputs.check_inputs(X, y, np.random.default_rng(0)))
    assert "the hash of list" in told
    assert "verify refuses its certificate" in told


def test_a_certificate_of_other_rows_is_found(monkeypatch):
    monkeypatch.setattr(inputs, "verify", lambda *args: True)
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 1])
    told = " ".join(inputs.check_inputs(X, y, np.random.default_rng(0)))
    assert "a certificate is accepted for other rows" in told


def test_a_wrong_verdict_on_a_class_is_found(monkeypatch):
    def lying(X, y, scheme, fit_intercept):
        return dict.fromkeys(
            [(0, 1)] if scheme == "one-vs-one" else [0, 1], certify([[0], [0]], [0, 1])
        )

    monkeypatch.setattr(inputs, "certify_each", lying)
    X, y = np.array([[-1.0], [2]]), np.array([0, 1])
    for seed in range(4):
        assert "and it is separable" in inputs.check_each(X, y, np.random.default_rng(seed))[0]


def test_wrong_coefficients_are_found(monkeypatch):
    monkeypatch.setattr(
        Certificate, "infinite_coefficients", lambda self: {"x0": "finite", "b": ""}
    )
    X, y = np.array([[0.0], [1]]), np.array([0, 1])
    assert coefficients.check_coefficients(X, y, np.random.default_rng(0)) != []


@pytest.mark.parametrize(
    "wrong", [{"at_least": 2}, {"mistakes": 0}, {"rows": np.array([0])}, {"optimal": False}]
)
def test_a_wrong_count_is_found(monkeypatch, wrong):
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 0])
    real = optima.fewest_mistakes(X, y)
    assert optima.check_fewest(X, y, np.random.default_rng(0)) == []
    found = SimpleNamespace(
        **vars(real) | {"optimal": real.optimal} | wrong, certificate=real.certificate
    )
    ones = [Fraction(1)] * 3
    assert optima.false_count(real, X, y, True, ones, np.random.default_rng(0)) == []
    assert optima.false_count(found, X, y, True, ones, np.random.default_rng(0)) != []


def test_a_forged_count_that_is_accepted_is_found(monkeypatch):
    """Of checkers that believe everything, and of one that does."""
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 0])
    found, ones = optima.fewest_mistakes(X, y), [Fraction(1)] * 3
    monkeypatch.setattr(optima, "verify", lambda *args: True)
    seeds = [np.random.default_rng(k) for k in range(20)]
    one = [optima.false_count(found, X, y, True, ones, rng) for rng in seeds]
    assert any("verify says True and the checker False" in " ".join(told) for told in one)
    monkeypatch.setattr(optima.checker, "verify", lambda *args: True)
    both = [optima.false_count(found, X, y, True, ones, rng) for rng in seeds]
    assert any("a forged certificate is accepted" in " ".join(told) for told in both)


def test_a_margin_that_its_hyperplane_has_not_is_found(monkeypatch):
    X, y = np.array([[0.0], [2]]), np.array([0, 1])
    real = optima.max_margin(X, y)
    other = real._replace(b=real.b + 0.5)
    monkeypatch.setattr(optima, "max_margin", lambda *args, **how: other)
    (told,) = optima.check_margin(X, y, np.random.default_rng(0))
    assert "its hyperplane has" in told


def test_a_command_that_fails_is_found(monkeypatch):
    monkeypatch.setattr(commands, "run", lambda args: 2)
    X, y = np.array([[0.0], [1]]), np.array([0, 1])
    assert commands.check_commands(X, y, np.random.default_rng(1)) != []


def test_a_checker_that_says_the_same_of_every_file_is_found(monkeypatch, tmp_path):
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 1])
    for told, wanted in (("valid\n", "for other labels"), (None, "a proof is refused")):
        monkeypatch.setattr(commands, "told_alone", lambda *args, told=told: told)
        said = commands.check_alone(tmp_path / "t.csv", X, y, np.random.default_rng(0))
        assert wanted in " ".join(said)


def test_blocks_of_several_widths_that_are_accepted_are_found(monkeypatch):
    X, y = np.array([[0.0], [1], [2]]), np.array([0, 1, 1])
    monkeypatch.setattr(verdicts.blocks, "verify_blocks", lambda *args: True)
    told = [verdicts.check_blocks(X, y, np.random.default_rng(k)) for k in range(4)]
    assert ["a certificate is accepted for blocks of several widths"] in told
