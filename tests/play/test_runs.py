"""What the page replays of several classes, explicit features, points held out and an adversary."""

import contextlib
import io
import json

import numpy as np
import pytest

from rosenblatt import Certificate, KernelPerceptron, Perceptron, certify, datasets, verify
from rosenblatt.play.responses import answer

GROUPS = {"name": "groups", "n": 60, "classes": 3, "noise": 0.9, "seed": 1}
CIRCLES = {"name": "circles", "n": 60, "noise": 0.05, "seed": 1}
CLOUDS = {"name": "clouds", "n": 60, "margin": 0.1, "noise": 0, "seed": 1}
NOISY = CLOUDS | {"noise": 0.1}


def told(data, learner=None):
    """The run of a learner on data, which must not be refused."""
    data = {"name": data} if isinstance(data, str) else data
    status, body = answer("run", json.dumps({"data": data, "learner": learner or {}}).encode())
    assert status == 200, body
    return json.loads(body)


def leads(run, W):
    """By how much the own class of each point leads, under weights for each class."""
    scores = np.column_stack((run["points"], np.ones(len(run["points"])))) @ np.array(W).T
    own = np.arange(len(scores)), run["codes"]
    others = scores.copy()
    others[own] = -np.inf
    return scores[own] - others.max(axis=1)


# -- Several classes -------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [GROUPS, GROUPS | {"classes": 4}, "iris"])
def test_the_run_of_a_linear_machine_is_the_library_s(data):
    run = told(data, {"shuffle": False, "max_iter": 20})
    X, y = np.array(run["points"]), np.array(run["classes"])[run["codes"]]
    model = Perceptron(shuffle=False, max_iter=20, settle="after", record=True).fit(X, y)
    assert run["path"] == model.log_.path(X).tolist()
    assert run["log"]["own"] == model.log_.own.tolist()
    assert run["log"]["rival"] == model.log_.rival.tolist()
    handed = np.column_stack((model.coef_, model.intercept_))
    assert run["handed"] == handed.tolist()
    assert run["handed_errors"] == np.count_nonzero(model.predict(X) != y)
    assert "3 classes" in run["bound"]["reason"] or len(run["classes"]) == 4


@pytest.mark.parametrize("learner", [{}, {"batch_size": 4}, {"rule": "pa"}, {"form": "dual"}])
def test_errors_and_leads_are_those_of_each_hypothesis(learner):
    run = told(GROUPS, learner | {"max_iter": 3})
    ends = run["log"]["ends"]
    for k, W in enumerate(run["path"]):
        assert run["errors"][k] == np.count_nonzero(leads(run, W) <= 0)
    for j, i in enumerate(run["log"]["i"]):
        k = int(np.searchsorted(ends, j))
        assert run["margins"]["before"][j] == pytest.approx(leads(run, run["path"][k])[i])
        assert run["margins"]["after"][j] == pytest.approx(leads(run, run["path"][k + 1])[i])


@pytest.mark.parametrize("keep", ["pocket", "best", "last"])
@pytest.mark.parametrize("weights", [None, [1, 5, 0.5]])
def test_what_is_kept_of_several_classes_is_what_is_handed_back(keep, weights):
    learner = {"keep": keep, "max_iter": 10, "min_margin": 0, "settle": "never"}
    run = told("iris", learner | ({"class_weight": weights} if weights else {}))
    which = -1 if keep == "last" else run["kept"]["which"][-1]
    assert np.allclose(run["path"][which], run["handed"])


@pytest.mark.parametrize("kernel", [None, "rbf"])
def test_the_bracket_of_several_classes_is_within_the_library_s(kernel):
    learner = {"min_margin": 0} | ({"kernel": kernel} if kernel else {})
    run = told(GROUPS | {"noise": 0.5}, learner)
    X, y = np.array(run["points"]), np.array(run["classes"])[run["codes"]]
    model = (KernelPerceptron if kernel else Perceptron)(min_margin=0, rule="rosenblatt")
    bounds = model.set_params(**learner).fit(X, y).margin_bounds_
    assert run["bracket"]["lower"][-1] >= bounds[0] * (1 - 1e-9)
    assert run["bracket"]["upper"][-1] <= bounds[1] * (1 + 1e-9)
    assert run["bracket"]["lower"][-1] <= run["bracket"]["upper"][-1]


def test_a_kernel_of_several_classes_is_judged_as_the_library_predicts():
    run = told(GROUPS | {"noise": 1.2}, {"kernel": "poly", "rule": "rosenblatt", "max_iter": 4})
    X, y = np.array(run["points"]), np.array(run["classes"])[run["codes"]]
    model = KernelPerceptron("poly", rule="rosenblatt", max_iter=4, keep="last", settle="never")
    wrong = np.count_nonzero(model.fit(X, y).predict(X) != y)
    assert run["errors"][-1] == wrong


def test_the_joint_verdict_names_rivals_and_its_certificate_is_valid():
    run = told("iris", {"max_iter": 5})
    verdict, y = run["verdict"], np.array(run["classes"])[run["codes"]]
    assert verdict["verdict"] == "touching"
    assert len(verdict["conflict"]["rivals"]) == len(verdict["conflict"]["rows"])
    assert verify(Certificate.from_json(json.dumps(verdict["certificate"])), run["points"], y)


def test_points_of_several_classes_and_tables_are_read():
    points = {"X": [[0, 0], [4, 0], [0, 4], [5, 5]], "y": [2, 0, 1, 3], "classes": list("dcba")}
    run = told({"name": "points"} | points)
    assert (run["codes"], run["classes"]) == ([2, 0, 1, 3], ["d", "c", "b", "a"])
    assert run["stop"] == "separated"
    run = told({"name": "table", "text": "x,y,kind\n0,0,b\n4,0,a\n0,4,c\n"})
    assert (run["codes"], run["classes"]) == ([1, 0, 2], ["a", "b", "c"])


def test_a_start_of_several_classes():
    start = [1, 0, -2, 0, 1, 0, 0, 0, 3]
    assert np.ravel(told("iris", {"start": start, "max_iter": 2})["path"][0]).tolist() == start


def test_three_classes_of_many_features_are_seen_in_the_plane_of_their_weights():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 5)), np.repeat([0, 1, 2], 10)
    X += 4 * np.eye(5)[y]
    data = {"name": "points", "X": X.round(3).tolist(), "y": y.tolist(), "classes": list("abc")}
    run = told(data)
    axes, W = np.array(run["plane"]["axes"]), np.array(run["handed"])[:, :-1]
    spread = W - W.mean(axis=0)
    assert np.allclose(spread @ axes.T @ axes, spread)


# -- Settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize("boundary", ["mistake", 1, -1])
@pytest.mark.parametrize("keep", ["pocket", "best"])
def test_a_point_on_the_line_counts_as_the_boundary_says(boundary, keep):
    learner = {"boundary": boundary, "keep": keep, "max_iter": 4, "min_margin": 0}
    data = {"name": "points", "X": [[0, 0], [1, 0], [2, 0], [0, 1], [3, 1]], "y": [1, 0, 1, 0, 1]}
    run = told(data, learner | {"shuffle": False, "settle": "never"})
    X, y = np.array(run["points"]), 2 * np.array(run["codes"]) - 1
    for (w1, w2, b), errors in zip(run["path"], run["errors"], strict=True):
        f = X @ [w1, w2] + b
        side = np.where(f == 0, 0 if boundary == "mistake" else boundary, np.sign(f))
        assert errors == np.count_nonzero(side != y)
    assert run["path"][run["kept"]["which"][-1]] == run["handed"]


def test_class_weights_are_the_steps_and_end_the_theorem():
    run = told(NOISY, {"class_weight": [1, 3], "max_iter": 3})
    steps = np.abs(run["log"]["c"])
    assert np.array_equal(steps, np.where(np.array(run["codes"])[run["log"]["i"]], 3, 1))
    assert "weighted" in run["bound"]["reason"]


def test_deciding_first_makes_no_pass_where_the_points_are_separable():
    run = told(CLOUDS, {"settle": "first"})
    assert (run["mistakes"], run["settled"], run["handed_errors"]) == (0, True, 0)


# -- Explicit features -----------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", [["squares"], ["sines", "products"], ["products", "squares"]])
def test_explicit_features_are_learned_from_as_columns(kinds):
    run = told(CIRCLES, {"features": kinds, "shuffle": False, "max_iter": 20})
    (x1, x2), y = np.array(run["points"]).T, 2 * np.array(run["codes"]) - 1
    made = {"squares": [x1**2, x2**2], "products": [x1 * x2], "sines": [np.sin(x1), np.sin(x2)]}
    ordered = [kind for kind in ("squares", "products", "sines") if kind in kinds]
    X = np.column_stack([x1, x2, *(column for kind in ordered for column in made[kind])])
    assert np.allclose(run["lift"]["rows"], X)
    model = Perceptron(shuffle=False, max_iter=20, settle="after", record=True).fit(X, y)
    assert run["log"]["i"] == model.log_.i.tolist()
    assert run["verdict"]["verdict"] == certify(X, y).verdict
    assert len(run["lift"]["names"]) == X.shape[1]


def test_too_many_features_are_refused():
    data = {"name": "points", "X": np.eye(9).tolist(), "y": [0, 1, 0, 1, 0, 1, 0, 1, 0]}
    body = json.dumps({"data": data, "learner": {"features": ["products"]}}).encode()
    status, reply = answer("run", body)
    assert (status, b"that makes 45 features" in reply) == (422, True)


# -- Points held out -------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("learner", [{}, {"kernel": "rbf"}, {"features": ["squares"]}])
@pytest.mark.parametrize("data", [NOISY, GROUPS])
def test_points_held_out_are_judged_and_not_learned_from(data, learner):
    run = told(data | {"held": 3}, learner | {"max_iter": 3, "keep": "last", "shuffle": False})
    held = np.array(run["held"])
    assert np.array_equal(held, np.arange(2, 60, 3))
    assert not set(run["log"]["i"]) & set(held.tolist())
    X = np.array(run["lift"]["rows"] if run["lift"] else run["points"])
    y = np.array(run["codes"])
    train = np.setdiff1d(np.arange(60), held)
    model = (KernelPerceptron if "kernel" in learner else Perceptron)(settle="never", keep="last")
    model.set_params(max_iter=3, shuffle=False).fit(X[train], y[train])
    assert run["held_errors"][-1] == np.count_nonzero(model.predict(X[held]) != y[held])
    assert run["errors"][-1] == np.count_nonzero(model.predict(X[train]) != y[train])


def test_the_mean_of_hypotheses_and_the_best_line_are_judged_on_them_too():
    run = told(NOISY | {"held": 4}, {"keep": "average", "max_iter": 3})
    X, y = np.array(run["points"]), 2 * np.array(run["codes"]) - 1
    *w, b = run["kept"]["means"][-1]
    wrong = y * (X @ w + b) <= 0
    assert run["kept"]["held"][-1] == np.count_nonzero(wrong[run["held"]])
    assert run["kept"]["errors"][-1] == np.count_nonzero(np.delete(wrong, run["held"]))
    *w, b = run["fewest"]["line"]
    wrong = y * (X @ w + b) <= 0
    assert run["fewest"]["held"] == np.count_nonzero(wrong[run["held"]])
    assert (
        sorted(run["fewest"]["rows"]) == np.setdiff1d(np.flatnonzero(wrong), run["held"]).tolist()
    )


# -- The adversary ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_an_adversary_finds_no_shorter_order_than_the_most_wrong_first(seed):
    data = CLOUDS | {"n": 20, "seed": seed}
    worst, run = (told(data, {"order": order}) for order in ("worst", "adversary"))
    assert worst["mistakes"] <= run["mistakes"] <= run["bound"]["bound"]


@pytest.mark.parametrize(("data", "least"), [("textbook", 11), (CLOUDS, 15), (CIRCLES, 3)])
def test_an_adversary_causes_more_mistakes_than_the_order_given_and_keeps_to_the_bound(data, least):
    more = {"features": ["squares"]} if data is CIRCLES else {}
    plain = told(data, {"shuffle": False} | more)
    run = told(data, {"order": "adversary"} | more)
    assert plain["mistakes"] < run["mistakes"] <= run["bound"]["bound"]
    assert run["mistakes"] >= least
    assert run["bound"]["bound"] == pytest.approx(plain["bound"]["bound"])
    assert (run["stop"], run["errors"][-1]) == ("separated", 0)
    assert max(run["margins"]["before"]) <= 0


# -- Python ----------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("data", "learner"),
    [
        (GROUPS, {"shuffle": False, "max_iter": 5}),
        ("iris", {"class_weight": [1, 2, 3], "max_iter": 5, "boundary": 1}),
        (CIRCLES, {"features": ["squares", "products", "sines"]}),
        (NOISY | {"held": 3}, {"max_iter": 5}),
        (CLOUDS, {"order": "adversary"}),
        (CLOUDS | {"held": 5}, {"order": "adversary", "start": [1, 0, 1]}),
    ],
)
def test_the_python_that_it_offers_makes_the_same_mistakes(data, learner):
    run, names = told(data, learner), {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(run["code"], names)
    assert names["model"].log_.c.tolist() == run["log"]["c"]
    rows = np.array(run["points"])[run["log"]["i"]]
    assert np.allclose(names["X"][names["model"].log_.i][:, :2], rows)
    assert printed.getvalue().startswith(f"{run['stop']} {run['mistakes']}\n")


def test_groups_have_as_many_classes_as_asked_for():
    X, y = datasets.groups(40, classes=4)
    assert (X.shape, sorted(set(y.tolist()))) == ((40, 2), ["A", "B", "C", "D"])
