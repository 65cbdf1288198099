"""Pictures, judged by what was drawn."""

import re
import subprocess
import sys
import warnings
from dataclasses import replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.collections import LineCollection
from matplotlib.patches import FancyArrowPatch
from pictures import assert_legible
from PIL import Image
from sklearn.svm import SVC
from specimens import csr, plain, quarters, quietly

from rosenblatt import KernelPerceptron, Perceptron, datasets, novikoff, plots
from rosenblatt.plots import labels
from rosenblatt.plots.projection import Box, box_of, plane_of, principal, segment
from rosenblatt.plots.style import ink

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _close():
    plt.close("all")
    yield
    plt.close("all")


@pytest.fixture
def textbook():
    X, y = datasets.textbook()
    return Perceptron(shuffle=False, record=True).fit(X, y), X, y


@pytest.fixture(scope="module")
def cloud():
    X, y = datasets.clouds(60, 5, margin=0.2, random_state=1)
    return Perceptron(record=True).fit(X, y), X, y


@pytest.fixture(scope="module")
def three():
    X = np.array([[0.0, 0], [1, 0], [4, 0], [5, 1], [0, 4], [1, 5]])
    y = np.array(["a", "a", "b", "b", "c", "c"])
    return quietly(Perceptron(record=True, multi_class="ovr"), X, y), X, y


def line(ax, label):
    """The only line of that name."""
    (found,) = [each for each in ax.lines if each.get_label() == label]
    return np.column_stack(found.get_data())


def dots(ax, label):
    """The points of that name; none if there is no such name."""
    found = [each.get_offsets() for each in ax.collections if each.get_label() == label]
    return np.asarray(found[0]) if found else np.empty((0, 2))


def on_edge(points, ax):
    """Whether each point lies on the frame of the axes."""
    x, y = points.T
    close = [np.isclose(x, e) for e in ax.get_xlim()] + [np.isclose(y, e) for e in ax.get_ylim()]
    return np.any(close, axis=0)


# -- The border ------------------------------------------------------------------------------------


def test_the_line_runs_from_edge_to_edge_where_the_score_is_zero(textbook):
    model, X, y = textbook
    ax = plots.boundary(model, X, y)
    ends = line(ax, "hyperplane")
    np.testing.assert_allclose(model.decision_function(ends), 0, atol=1e-12)
    assert on_edge(ends, ax).all()


def test_the_rows_are_where_they_are_and_angles_are_true(textbook):
    model, X, y = textbook
    ax = plots.boundary(model, X, y)
    np.testing.assert_array_equal(dots(ax, "1"), X[:2])
    np.testing.assert_array_equal(dots(ax, "-1"), X[2:])
    assert ax.get_aspect() == 1
    assert ax.get_title() == "7 updates, 0 of 3 rows wrong"


def test_the_dashed_lines_go_through_the_nearest_row(textbook):
    model, X, y = textbook
    ax = plots.boundary(model, X, y)
    least = np.abs(model.decision_function(X)).min()
    dashed = [np.column_stack(each.get_data()) for each in ax.lines if each.get_linewidth() == 1]
    values = [model.decision_function(ends) for ends in dashed]
    np.testing.assert_allclose(values, [[least] * 2, [-least] * 2])


def test_the_weight_vector_stands_upright_on_the_line(textbook):
    model, X, y = textbook
    ax = plots.boundary(model, X, y)
    (arrow,) = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    foot, tip = map(np.array, arrow._posA_posB)
    assert model.decision_function([foot]) == pytest.approx(0)
    direction = (tip - foot) / np.linalg.norm(tip - foot)
    np.testing.assert_allclose(direction, model.coef_[0] / np.linalg.norm(model.coef_))


def test_rows_on_the_wrong_side_are_ringed_and_leave_no_margin():
    X, y = datasets.clouds(50, 2, margin=0.1, flip=4)
    model = plain(X, y, max_iter=30)
    ax = plots.boundary(model, X, y)
    np.testing.assert_array_equal(
        dots(ax, "on the wrong side"), X[np.flatnonzero(model.predict(X) != y)]
    )
    assert not [each for each in ax.lines if each.get_label() == "margin"]


def test_rows_in_conflict_are_crossed_out():
    X, y = datasets.xor()
    model = plain(X, y, max_iter=5)
    assert not len(dots(plots.boundary(model, X, y), "in conflict"))
    model = Perceptron(max_iter=5).fit(X, y)
    rows, _ = model.conflict_
    np.testing.assert_array_equal(
        dots(plots.boundary(model, X, y), "in conflict"), X[np.sort(rows)]
    )
    assert not len(dots(plots.boundary(model, X[:3], y[:3]), "in conflict"))


@pytest.mark.parametrize("axis", [0, 1])
def test_a_hyperplane_may_be_parallel_to_an_axis(axis):
    X = np.array([[0.0, 0], [0, 1], [2, 0], [2, 1]])[:, [axis, 1 - axis]]
    model = Perceptron().fit(X, [-1, -1, 1, 1])
    model.coef_ = np.eye(2)[[axis]]
    model.intercept_ = np.array([-0.5])
    ax = plots.boundary(model, X, [-1, -1, 1, 1])
    ends = line(ax, "hyperplane")
    np.testing.assert_allclose(ends[:, axis], 0.5)
    np.testing.assert_allclose(np.sort(ends[:, 1 - axis]), [ax.get_xlim(), ax.get_ylim()][1 - axis])


@pytest.mark.parametrize(
    ("coef", "intercept", "note"),
    [([[1, 1]], -1e9, "outside the picture"), ([[0, 0]], 5, "w = 0"), ([[0, 0]], 0, "w = 0")],
)
def test_without_a_line_to_draw_the_title_says_so(textbook, coef, intercept, note):
    model, X, y = textbook
    model.coef_, model.intercept_ = np.array(coef, float), np.array([intercept], float)
    ax = plots.boundary(model, X, y)
    assert note in ax.get_title()
    assert len(ax.lines) == 0
    assert_legible(ax.figure)


def test_a_line_just_outside_widens_the_picture(textbook):
    model, X, y = textbook
    model.intercept_ = np.array([-1.0])
    ax = plots.boundary(model, X, y)
    np.testing.assert_allclose(model.decision_function(line(ax, "hyperplane")), 0, atol=1e-12)
    assert ax.get_xlim()[0] < 0.7


def test_features_of_different_ranges_are_not_drawn_to_one_scale():
    table = pd.DataFrame({"age": [20.0, 30, 60, 70], "income": [2e4, 5e4, 9e4, 3e4]})
    y = ["no", "no", "yes", "yes"]
    ax = plots.boundary(quietly(Perceptron(), table, y), table, y)
    assert ax.get_aspect() == "auto"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("age", "income")


def test_one_feature_and_one_place():
    X, y = np.array([[1.0], [2], [3], [4]]), [0, 0, 1, 1]
    model = Perceptron().fit(X, y)
    ends = line(plots.boundary(model, X, y), "hyperplane")
    np.testing.assert_allclose(ends[:, 0], -model.intercept_[0] / model.coef_[0, 0])
    same = np.ones((2, 2))
    plots.boundary(quietly(Perceptron(max_iter=3), same, [0, 1]), same, [0, 1])


# -- More than two features ------------------------------------------------------------------------


def test_many_features_are_seen_along_the_hyperplane(cloud):
    model, X, y = cloud
    ax = plots.boundary(model, X, y)
    distances = model.decision_function(X) / np.linalg.norm(model.coef_)
    drawn = np.concatenate((dots(ax, "-1"), dots(ax, "1")))
    wanted = np.concatenate((distances[y < 0], distances[y > 0]))
    np.testing.assert_allclose(drawn[:, 0], wanted, atol=1e-12)
    np.testing.assert_allclose(line(ax, "hyperplane")[:, 0], 0, atol=1e-12)
    assert "along w" in ax.get_xlabel()
    assert "orthogonal to w" in ax.get_ylabel()
    assert_legible(ax.figure)


def test_the_second_axis_is_the_first_principal_direction_orthogonal_to_w(cloud):
    model, X, _ = cloud
    u = model.coef_[0] / np.linalg.norm(model.coef_)
    centred = X - X.mean(axis=0)
    _, _, directions = np.linalg.svd(centred - np.outer(centred @ u, u))
    found = plane_of(model, X).axes[1]
    assert abs(found @ u) < 1e-9
    assert abs(found @ directions[0]) == pytest.approx(1)


def test_rows_that_differ_along_w_only_have_some_second_direction():
    X = np.outer([0.0, 1, 2, 3], [1.0, 2, 2])
    found = principal(X, np.array([[1, 2, 2]]) / 3)
    assert np.linalg.norm(found) == pytest.approx(1)
    assert found @ [1, 2, 2] == pytest.approx(0)


def test_sparse_rows_look_like_dense_ones(cloud):
    model, X, y = cloud
    dense, sparse = plots.boundary(model, X, y), plots.boundary(model, csr(X), y)
    np.testing.assert_allclose(dots(dense, "1"), dots(sparse, "1"), atol=1e-9)


def test_zero_weights_in_many_features_show_principal_directions(cloud):
    _, X, y = cloud
    model = Perceptron().fit(X, y)
    model.coef_ = np.zeros((1, 5))
    assert plots.boundary(model, X, y).get_xlabel() == "first principal direction"


# -- Regions ---------------------------------------------------------------------------------------


def test_three_classes_are_regions(three):
    model, X, y = three
    ax = plots.boundary(model, X, y)
    for name in "abc":
        np.testing.assert_array_equal(dots(ax, name), X[y == name])
    assert len([each for each in ax.collections if each.get_alpha() == 0.14]) == 3
    assert_legible(ax.figure)


@pytest.mark.parametrize("multi_class", ["ovr", "direct"])
def test_three_classes_in_many_features_are_cut_where_their_weights_differ(multi_class):
    X = np.random.RandomState(0).randn(30, 6)
    y = np.argmax(X[:, :3], axis=1)
    model = quietly(Perceptron(multi_class=multi_class, max_iter=20), X, y)
    plane = plane_of(model, X)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-12)
    lifted = plane.lift(plane.project(X))
    np.testing.assert_array_equal(model.predict(lifted), model.predict(X))
    assert "weights differ" in plots.boundary(model, X, y).get_xlabel()


@pytest.mark.parametrize("make", [lambda: SVC(), lambda: Perceptron(keep="vote", max_iter=5)])
@pytest.mark.parametrize("named", [False, True])
def test_other_models_are_drawn_by_the_zero_of_their_scores(make, named):
    X, y = datasets.moons(80)
    X = pd.DataFrame(X, columns=["u", "v"]) if named else X
    model = quietly(make(), X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = plots.boundary(model, X, y)
    (contour,) = [c for c in ax.collections if c.get_zorder() == 3]
    points = np.concatenate([path.vertices for path in contour.get_paths()])
    values = model.decision_function(pd.DataFrame(points, columns=["u", "v"]) if named else points)
    assert np.abs(values).mean() < 0.1
    assert "border" in [each.get_label() for each in ax.lines]


# -- The geometry of the frame ---------------------------------------------------------------------


@given(st.tuples(quarters, quarters, quarters))
def test_a_segment_is_the_part_of_the_line_within_the_box(values):
    a, b, c = values
    box = Box(np.array([-2.0, -1.0]), np.array([2.0, 1.5]), True)
    ends = segment(np.array([a, b, c]), box)
    _, _, grid = box.grid(60)
    sides = grid @ [a, b] + c
    if ends is None:
        assert (a, b) == (0, 0) or (sides >= -1e-9).all() or (sides <= 1e-9).all()
    else:
        np.testing.assert_allclose(ends @ [a, b] + c, 0, atol=1e-12)
        inside = (ends >= box.low - 1e-9) & (ends <= box.high + 1e-9)
        edge = np.isclose(ends, box.low) | np.isclose(ends, box.high)
        assert inside.all()
        assert edge.any(axis=1).all()


def test_a_box_is_never_empty():
    for points in (np.zeros((1, 2)), np.array([[0.0, 5], [3, 5]]), np.array([[0.0, 0], [1, 100]])):
        box = box_of(points)
        assert (box.size > 0).all()
        assert box.holds(points).all()


# -- The path --------------------------------------------------------------------------------------


def test_the_path_draws_every_hypothesis_that_is_a_line(textbook):
    model, X, y = textbook
    ax = plots.path(model, X, y)
    (drawn,) = [each for each in ax.collections if isinstance(each, LineCollection)]
    hypotheses = model.log_.path(X)
    real = [h for h in hypotheses if h[:2].any()]
    segments = drawn.get_segments()
    assert len(segments) == len(real)
    for ends, h in zip(segments, real, strict=True):
        np.testing.assert_allclose(ends @ h[:2] + h[2], 0, atol=1e-12)
    np.testing.assert_allclose(line(ax, "last hypothesis"), segments[-1])
    assert_legible(ax.figure)


def test_a_long_path_is_thinned_and_says_so(cloud):
    model, X, y = cloud
    n = model.n_updates_
    ax = plots.path(model, X, y, most=5)
    assert ax.get_title() == f"{n} updates, 5 of them drawn"


def test_the_trail_is_that_of_the_log(textbook, cloud):
    model, X, _ = textbook
    np.testing.assert_array_equal(plane_of(model, X).trail(model.log_, X), model.log_.path(X))
    model, X, _ = cloud
    plane = plane_of(model, X)
    np.testing.assert_allclose(
        plane.trail(model.log_, X), plane.cut(model.log_.path(X)), atol=1e-10
    )


def test_the_path_of_one_class_out_of_three(three):
    model, X, y = three
    ax = plots.path(model, X, y, label="b")
    assert ax.get_title() == f"{len(model.log_[1])} updates"
    with pytest.raises(ValueError, match="label=, out of 'a', 'b', 'c'"):
        plots.path(model, X, y)
    direct = quietly(Perceptron(multi_class="direct", record=True), X, y)
    with pytest.raises(ValueError, match="several hypotheses together"):
        plots.path(direct, X, y)


def test_without_a_record_there_is_no_path(textbook):
    _, X, y = textbook
    with pytest.raises(ValueError, match="fit with record=True"):
        plots.path(Perceptron().fit(X, y), X, y)


# -- Charts ----------------------------------------------------------------------------------------


def test_the_histogram_counts_the_distances(cloud):
    model, X, y = cloud
    ax = plots.margins(model, X, y)
    distances = model.decision_function(X) / np.linalg.norm(model.coef_)
    heights = [bar.get_height() for bars in ax.containers for bar in bars]
    edges = [bar.get_x() for bar in ax.containers[0]]
    assert sum(heights) == len(y)
    assert min(edges) <= distances.min() < sorted(edges)[1]
    assert np.abs(edges).min() < 1e-12  # no bar has rows of both sides
    assert f"{np.abs(distances).min():.3g}" in ax.get_title()
    assert_legible(ax.figure)


def test_scores_and_leads_have_histograms_too(three):
    assert plots.margins(*three).get_xlabel() == "lead over the best other class"
    X, y = datasets.moons(50)
    assert plots.margins(SVC().fit(X, y), X, y).get_xlabel() == "score"


def test_the_bound_draws_both_inequalities(textbook):
    model, X, y = textbook
    report = novikoff(model, X, y)
    ax = plots.bound(model, X, y)
    k, norm = line(ax, "|w|").T
    np.testing.assert_array_equal(k, np.arange(1, 8))
    np.testing.assert_allclose(norm**2, report.steps.length2)
    np.testing.assert_allclose(line(ax, "w·w*")[:, 1], report.steps.progress)
    k, most = line(ax, "at most √k ηR").T
    least = line(ax, "at least kηγ")[:, 1]
    np.testing.assert_allclose(most, np.sqrt(k * 26))
    assert ((most >= least) == (k <= report.bound)).all()
    assert line(ax, "117 allowed")[0, 0] == pytest.approx(report.bound)
    assert line(ax, "7 made")[0, 0] == 7
    assert_legible(ax.figure)


def test_the_bound_of_a_report_and_without_a_record(textbook):
    _, X, y = textbook
    ax = plots.bound(novikoff(Perceptron().fit(X, y), X, y))
    assert not [each for each in ax.lines if each.get_label() == "|w|"]


def test_where_the_theorem_does_not_apply_there_is_no_picture_of_it():
    X, y = datasets.xor()
    with pytest.raises(ValueError, match="not separable"):
        plots.bound(plain(X, y, max_iter=5), X, y)


@given(st.integers(0, 20), st.booleans())
def test_the_bracket_closes_on_the_models_own(seed, shuffle):
    X, y = datasets.clouds(30, 3, margin=0.1, random_state=seed)
    model = plain(X, y, shuffle=shuffle, keep="last", random_state=seed)
    top, bottom = plots.passes(model, X, y)
    np.testing.assert_array_equal(top.patches[0].get_data().values, model.mistakes_)
    lower, upper = line(bottom, "the best hypothesis so far"), line(bottom, "no separator has more")
    assert len(lower) == len(upper) == model.n_iter_
    assert (np.diff(lower[:, 1]) >= 0).all()
    assert (np.diff(upper[:, 1]) <= 0).all()
    assert (lower[:, 1] <= upper[:, 1] + 1e-12).all()
    np.testing.assert_allclose((lower[-1, 1], upper[-1, 1]), model.margin_bounds_, rtol=1e-9)
    plt.close("all")


def test_without_a_record_only_the_last_bracket_is_known(textbook):
    _, X, y = textbook
    model = Perceptron().fit(X, y)
    _, bottom = plots.passes(model, X, y)
    assert line(bottom, "no separator has more").tolist() == [
        [model.n_iter_, model.margin_bounds_[1]]
    ]
    assert_legible(bottom.figure)


@pytest.mark.slow
def test_without_a_pass_there_are_pictures_all_the_same():
    X, y = datasets.credit()
    model = Perceptron(settle="first", record=True).fit(X, y)
    for figure in every_picture(model, X, y, "en"):
        figure.draw_without_rendering()


def test_a_settled_model_is_drawn_by_its_separator():
    X, y = datasets.credit()
    model = Perceptron(max_iter=5, record=True).fit(X, y)
    assert model.settled_
    ax = plots.boundary(model, X, y)
    assert not len(dots(ax, "on the wrong side"))
    np.testing.assert_allclose(line(ax, "hyperplane")[:, 0], 0, atol=1e-9)
    assert ax.get_title() == f"{model.n_updates_} updates, 0 of 200 rows wrong"


def test_the_path_and_the_film_of_a_settled_run_end_on_what_was_handed_back():
    X, y = datasets.clouds(60, 2, margin=0.004, random_state=7)
    model = Perceptron(record=True, max_iter=10, random_state=0).fit(X, y)
    assert model.settled_
    ends = line(plots.path(model, X, y), "returned")
    length = np.linalg.norm(model.coef_)
    np.testing.assert_allclose(model.decision_function(ends) / length, 0, atol=1e-9)
    film = plots.animate(model, X, y)
    film.show(len(film) - 1)
    shown = np.column_stack(film.new.get_data())
    np.testing.assert_allclose(model.decision_function(shown) / length, 0, atol=1e-9)
    assert film.left.get_title() == f"returned, after {model.n_updates_} updates"


def test_rows_that_are_far_out_do_not_make_a_speck_of_the_others():
    X, y = datasets.clouds(300, 2, margin=0.2, random_state=1)
    X[:2] *= 1000
    model = quietly(Perceptron(), X, y)
    ax = plots.boundary(model, X, y)
    assert np.ptp(ax.get_xlim()) < 20
    assert ax.get_title().endswith("2 rows are beyond the picture")
    ax = plots.margins(model, X, y)
    assert np.ptp(ax.get_xlim()) < 20
    assert sum(bar.get_height() for bars in ax.containers for bar in bars) == 300
    assert ax.get_title().endswith("2 rows beyond the picture are in the outermost bars")


def test_many_rows_and_passes_are_curves():
    X, y = datasets.clouds(300, 2, margin=0.05, flip=30, random_state=1)
    params = {"max_iter": 250, "min_margin": 0, "settle": "never", "record": True}
    model = quietly(Perceptron(**params), X, y)
    ax = plots.dual(model, X, y)
    counts = np.concatenate([line(ax, name)[:, 1] for name in ("-1", "1")])
    np.testing.assert_array_equal(np.sort(counts), np.sort(model.log_.counts(300))[-len(counts) :])
    assert ax.get_xlabel() == "rows, the busiest first"
    top, _ = plots.passes(model, X, y)
    assert not top.patches[0].get_fill()


def test_the_bound_is_the_same_number_in_title_and_legend():
    X, y = datasets.textbook()
    report = novikoff(Perceptron(shuffle=False, record=True).fit(X, y), X, y)
    ax = plots.bound(replace(report, bound=117.9))
    assert ax.get_title().startswith("(R/γ)² allows 117 ")
    assert len(line(ax, "117 allowed"))


def test_sparse_rows_have_passes_and_three_classes_one_each(three, cloud):
    model, X, y = cloud
    axes = plt.subplots(2)[1]
    panels = plots.passes(model, csr(X), y, axes=axes)
    assert list(panels) == list(axes)
    assert panels.figure is axes[0].figure
    model, X, y = three
    top, _ = plots.passes(model, X, y, label="c")
    np.testing.assert_array_equal(top.patches[0].get_data().values, model.mistakes_[2])


@pytest.mark.parametrize("record", [True, False])
def test_the_dual_form_counts_mistakes(textbook, record):
    _, X, y = textbook
    ax = plots.dual(Perceptron(shuffle=False, eta0=0.5, record=record).fit(X, y), X, y)
    bars = {round(bar.get_center()[0]): bar.get_height() for bar in ax.patches}
    assert bars == {0: 2, 2: 5}
    assert ax.get_title() == "2 of 3 rows caused updates"
    assert_legible(ax.figure)


def test_after_partial_fit_the_steps_are_not_known(textbook):
    _, X, y = textbook
    model = Perceptron().partial_fit(X, y, classes=[-1, 1])
    with pytest.raises(ValueError, match="not with partial_fit"):
        plots.dual(model, X, y)


# -- Kernels ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rings():
    X, y = datasets.circles(60)
    model = KernelPerceptron("poly", degree=2, keep="last", min_margin=0, record=True)
    return quietly(model, X, y), X, y


@pytest.mark.parametrize("cache_size", [200, 0.001])
def test_the_bracket_of_a_kernel_closes_on_the_models_own(rings, cache_size):
    model, X, y = rings
    model = KernelPerceptron(**model.get_params() | {"cache_size": cache_size}).fit(X, y)
    top, bottom = plots.passes(model, X, y)
    np.testing.assert_array_equal(top.patches[0].get_data().values, model.mistakes_)
    lower, upper = line(bottom, "the best hypothesis so far"), line(bottom, "no separator has more")
    assert len(lower) == len(upper) == model.n_iter_ > 1
    assert (np.diff(lower[:, 1]) >= 0).all()
    assert (np.diff(upper[:, 1]) <= 0).all()
    assert (lower[:, 1] <= upper[:, 1] + 1e-12).all()
    np.testing.assert_allclose((lower[-1, 1], upper[-1, 1]), model.margin_bounds_, rtol=1e-9)
    report = novikoff(model, X, y)
    assert (upper[:, 1] >= report.gamma / report.radius * (1 - 1e-9)).all()
    assert_legible(bottom.figure)


def test_the_linear_kernel_has_the_perceptrons_passes(cloud):
    model, X, y = cloud
    lifted = KernelPerceptron("linear", record=True).fit(X, y)
    pictures = plots.passes(model, X, y), plots.passes(lifted, X, y)
    for name in ("the best hypothesis so far", "no separator has more"):
        theirs, ours = (line(each.bracket, name) for each in pictures)
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_without_a_record_only_the_last_bracket_of_a_kernel_is_known(rings):
    _, X, y = rings
    model = KernelPerceptron().fit(X, y)
    _, bottom = plots.passes(model, X, y)
    found = line(bottom, "no separator has more").tolist()
    assert found == [[model.n_iter_, model.margin_bounds_[1]]]


@pytest.mark.parametrize("params", [{"kernel": "sigmoid", "max_iter": 5}, {"budget": 8}])
def test_without_margins_there_are_the_mistakes_of_each_pass(rings, params):
    _, X, y = rings
    model = quietly(KernelPerceptron(record=True, **params), X, y)
    top, bottom = plots.passes(model, X, y)
    np.testing.assert_array_equal(top.patches[0].get_data().values, model.mistakes_)
    assert not bottom.lines
    assert [t.get_text() for t in bottom.texts] == [labels.word("no bracket", "en")]
    assert_legible(bottom.figure)


def test_three_classes_of_a_kernel_have_passes_and_counts_each(three):
    _, X, y = three
    model = KernelPerceptron(record=True, multi_class="ovr").fit(X, y)
    top, _ = plots.passes(model, X, y, label="b")
    np.testing.assert_array_equal(top.patches[0].get_data().values, model.mistakes_[1])
    ax = plots.dual(model, X, y, label="b")
    heights = {round(bar.get_center()[0]): bar.get_height() for bar in ax.patches}
    assert heights == {i: n for i, n in enumerate(model.log_[1].counts(6)) if n}


@pytest.mark.parametrize("record", [True, False])
def test_the_dual_form_of_a_kernel_is_its_support(record):
    X, y = datasets.xor()
    params = {"degree": 2, "eta0": 0.5, "keep": "last", "record": record}
    model = KernelPerceptron("poly", **params).fit(X, y)
    ax = plots.dual(model, X, y)
    bars = {round(bar.get_center()[0]): bar.get_height() for bar in ax.patches}
    assert bars == dict(zip(model.support_, np.abs(model.dual_coef_) / 0.5, strict=True))
    assert sum(bars.values()) == model.n_updates_


def test_after_partial_fit_the_steps_of_a_kernel_are_not_known(rings):
    _, X, y = rings
    model = KernelPerceptron().partial_fit(X, y, classes=[-1, 1]).partial_fit(X, y)
    with pytest.raises(ValueError, match="not with partial_fit"):
        plots.dual(model, X, y)


def test_the_bound_of_a_kernel_is_drawn_in_its_feature_space(rings):
    model, X, y = rings
    report = novikoff(model, X, y)
    ax = plots.bound(model, X, y)
    np.testing.assert_allclose(line(ax, "|w|")[:, 1] ** 2, report.steps.length2)
    np.testing.assert_allclose(line(ax, "w·w*")[:, 1], report.steps.progress)


@pytest.mark.parametrize("draw", [plots.path, plots.animate])
def test_pictures_of_weights_say_what_shows_a_kernel(rings, draw):
    before = plt.get_fignums()
    with pytest.raises(TypeError, match=r"weights, which a KernelPerceptron .*boundary, margins"):
        draw(*rings)
    assert plt.get_fignums() == before


# -- The film --------------------------------------------------------------------------------------


def test_frame_k_shows_hypothesis_k(textbook):
    model, X, y = textbook
    film = plots.animate(model, X, y)
    hypotheses = model.log_.path(X)
    assert len(film) == len(hypotheses) == 8
    for k in (7, 0, 3, 5, 1, 6, 2, 4):  # in any order: no frame is made from another
        film.show(k)
        np.testing.assert_array_equal(film.trail[k], hypotheses[k])
        for drawn, h in ((film.new, hypotheses[k]), (film.old, hypotheses[k - 1])):
            ends = np.column_stack(drawn.get_data())
            assert len(ends) == (2 if h[:2].any() and (k or drawn is film.new) else 0)
            np.testing.assert_allclose(ends @ h[:2] + h[2], 0, atol=1e-12)
        np.testing.assert_array_equal(
            np.column_stack(film.track.get_data()), hypotheses[: k + 1, :2]
        )


def test_a_frame_rings_the_mistake_and_points_from_old_to_new(textbook):
    model, X, y = textbook
    film = plots.animate(model, X, y)
    for k in range(1, 8):
        film.show(k)
        i = model.log_.i[k - 1]
        np.testing.assert_array_equal(film.ring.get_offsets(), X[[i]])
        old, new = map(np.array, film.arrow._posA_posB)
        np.testing.assert_array_equal(new - old, y[i] * X[i])
        assert film.left.get_title() == f"update {k} of 7: point {i + 1}"
    film.show(0)
    assert len(film.ring.get_offsets()) == 0
    assert not film.arrow.get_visible()


def test_frames_are_copies_which_nothing_moves_later(textbook):
    model, X, y = textbook
    film = plots.animate(model, X, y)
    before = film.trail.copy()
    model.partial_fit(X, -y)
    model.coef_ += 5
    np.testing.assert_array_equal(film.trail, before)


def test_a_batch_is_one_frame():
    X, y = datasets.clouds(30, 2, margin=0.1)
    model = plain(X, y, batch_size=10)
    film = plots.animate(model, X, y)
    film.show(1)
    first = model.log_.t == model.log_.t[0]
    np.testing.assert_array_equal(film.ring.get_offsets(), X[model.log_.i[first]])
    np.testing.assert_array_equal(film.trail, model.log_.path(X))


def test_a_long_film_is_thinned_to_true_frames(cloud):
    model, X, y = cloud
    film = plots.animate(model, X, y, most=4)
    last = model.n_updates_
    assert len(film) == 4
    film.show(3)
    assert film.left.get_title().startswith(f"update {last} of {last}")
    assert_legible(film.figure)


@pytest.mark.parametrize("k", [0, 7])
def test_a_film_is_legible(textbook, k):
    film = plots.animate(*textbook)
    film.show(k)
    assert_legible(film.figure)


@pytest.mark.slow
def test_a_film_is_saved_as_gif(textbook, tmp_path):
    plots.animate(*textbook, save=tmp_path / "run.gif")
    with Image.open(tmp_path / "run.gif") as picture:
        assert picture.n_frames == 8


@pytest.mark.slow
def test_a_film_is_saved_as_a_page_that_needs_nothing_else(textbook, tmp_path):
    film = plots.animate(*textbook, save=tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert len(re.findall(r'"data:image/webp;base64,[^"]+"', page)) == 8
    assert 'type="range"' in page
    assert 'max="7"' in page
    assert not re.search(r"https?:|src=|href=|@\w+@", page)
    assert film._repr_html_().startswith("<iframe")


@pytest.mark.skipif(not mpl.animation.FFMpegWriter.isAvailable(), reason="ffmpeg is not there")
def test_a_film_is_saved_as_mp4(textbook, tmp_path):
    plots.animate(*textbook, save=tmp_path / "run.mp4")
    assert (tmp_path / "run.mp4").stat().st_size > 1000


def test_films_that_cannot_be_saved_say_why(textbook, tmp_path, monkeypatch):
    film = plots.animate(*textbook)
    with pytest.raises(ValueError, match=r"\.gif, \.mp4 or \.html, not as '\.avi'"):
        film.save(tmp_path / "run.avi")
    monkeypatch.setattr("matplotlib.animation.FFMpegWriter.isAvailable", lambda: False)
    with pytest.raises(FileNotFoundError, match="needs ffmpeg"):
        film.save(tmp_path / "run.mp4")


def test_a_run_without_a_mistake_is_a_film_of_one_frame():
    X, y = datasets.textbook()
    model = plain(X, y, given={"coef_init": [[1, 1]], "intercept_init": [-3]})
    assert len(plots.animate(model, X, y)) == 1


# -- Words, fonts and backgrounds ------------------------------------------------------------------


def every_picture(model, X, y, lang):
    yield plots.boundary(model, X, y, lang=lang).figure
    yield plots.path(model, X, y, lang=lang).figure
    yield plots.margins(model, X, y, lang=lang).figure
    yield plots.bound(model, X, y, lang=lang).figure
    yield plots.passes(model, X, y, lang=lang).figure
    yield plots.dual(model, X, y, lang=lang).figure
    yield plots.animate(model, X, y, lang=lang).figure


def test_both_languages_say_the_same():
    for key, both in labels.WORDS.items():
        fields = [re.findall(r"\{(\w+)", text) for text in both]
        assert sorted(fields[0]) == sorted(fields[1]), key


@pytest.mark.filterwarnings("ignore:Glyph")
def test_chinese_text_has_a_font_to_fall_back_on(textbook, monkeypatch):
    monkeypatch.setattr(labels, "chinese_font", lambda: "Some Han")
    chinese = re.compile("[\u4e00-\u9fff]")
    for figure in every_picture(*textbook, "zh"):
        said = [t for t in figure.findobj(mpl.text.Text) if chinese.search(t.get_text())]
        assert said
        assert all(text.get_fontfamily()[-1] == "Some Han" for text in said)


def test_an_installed_chinese_font_has_every_character(textbook):
    try:
        labels.chinese_font()
    except FileNotFoundError:
        pytest.skip("no font with Chinese characters")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "Glyph")  # one that is missing
        for figure in every_picture(*textbook, "zh"):
            assert_legible(figure)


def test_without_a_chinese_font_one_sentence_says_what_to_install(textbook, monkeypatch):
    monkeypatch.setattr(labels.font_manager.fontManager, "ttflist", [])
    monkeypatch.setattr(labels.font_manager, "findSystemFonts", list)
    with pytest.raises(FileNotFoundError, match="apt install fonts-noto-cjk"):
        plots.boundary(*textbook, lang="zh")


def test_a_font_installed_a_moment_ago_is_found(monkeypatch):
    added = []
    monkeypatch.setattr(labels.font_manager.fontManager, "ttflist", [])
    monkeypatch.setattr(labels.font_manager.fontManager, "addfont", added.append)
    files = ["/fonts/NotoSansCJK-Regular.ttc", "/fonts/DejaVuSans.ttf"]
    monkeypatch.setattr(labels.font_manager, "findSystemFonts", lambda: files)
    with pytest.raises(FileNotFoundError):
        labels.chinese_font()
    assert added == files[:1]


def test_an_unknown_language_is_refused(textbook):
    with pytest.raises(ValueError, match="'fr' is not known; labels of pictures are in"):
        plots.boundary(*textbook, lang="fr")


@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_ink_contrasts_with_the_background(textbook, style):
    with plt.style.context(style):
        for figure in every_picture(*textbook, "en"):
            for ax in figure.axes[:1]:
                tones = [sum(mpl.colors.to_rgb(c)) for c in (ink(ax), ax.get_facecolor())]
                assert abs(tones[0] - tones[1]) > 2
                texts = ax.get_legend().get_texts() if ax.get_legend() else []
                assert all(mpl.colors.same_color(text.get_color(), ink(ax)) for text in texts)


def test_transparent_axes_take_the_figures_colour():
    _, ax = plt.subplots(facecolor="black")
    ax.set_facecolor("none")
    assert ink(ax) == "#EEEEEE"


def test_a_picture_is_drawn_where_it_is_told(textbook):
    figure, axes = plt.subplots(1, 4)
    for ax, draw in zip(
        axes, (plots.boundary, plots.margins, plots.dual, plots.bound), strict=True
    ):
        assert draw(*textbook, ax=ax) is ax
    assert plt.get_fignums() == [figure.number]


def test_without_matplotlib_one_sentence_names_the_extra():
    hidden = "import sys; sys.modules['matplotlib'] = None; import rosenblatt; rosenblatt.plots"
    ran = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert "needs matplotlib: pip install 'rosenblatt[plot]'" in ran.stderr.splitlines()[-1]


def test_the_legend_of_passes_names_only_what_is_drawn():
    X, y = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]]), [1, 1, 0, 0]
    model = Perceptron(record=True).fit(X, y)
    _, bottom = plots.passes(model, X, y)
    assert bottom.get_yscale() == "log"
    drawn = [line for line in bottom.lines if (line.get_ydata() > 0).any()]
    assert [text.get_text() for text in bottom.get_legend().get_texts()] == [
        line.get_label() for line in drawn
    ]
    assert len(drawn) == 1
