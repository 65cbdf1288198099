"""Answers: what the worker makes of a request, as plain data."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt import certify, fewest_mistakes, max_margin, novikoff
from rosenblatt.kernels.feature_space import kernel_of
from rosenblatt.play.json_text import encoded
from rosenblatt.play.points import LabelledPoints, collect
from rosenblatt.play.python_script import script
from rosenblatt.play.replay import Replay, learn_state
from rosenblatt.play.requests import (
    BOTH,
    KERNEL_FIELDS,
    LINEAR_FIELDS,
    TRACE,
    Refused,
    State,
    checked_object,
    parsed,
    read_request,
)
from rosenblatt.play.view_plane import ViewPlane, view_plane
from rosenblatt.separability.max_margin import augmented_margin

GRAM = 64  # points whose Gram matrix is drawn
GRAM_OF_ALL = 12  # points of which none is left out there
COUNTED = 500  # points whose fewest mistakes are counted, in the plane
EXPORTED = 24  # runs in one file
MOST_LIFTED = 500  # points whose widest margin in a feature space is sought

Facts = dict[str, Any]


def answer(name: str, body: bytes) -> tuple[int, bytes]:
    """The status and the body of the reply to a request."""
    try:
        return 200, encoded(QUESTIONS[name](parsed(body)))
    except Refused as refused:
        return refused.status, encoded(refused.reply)
    except (ValueError, TypeError) as error:  # the library's own refusals
        return 422, encoded(of_setting(str(error)).reply)


def of_setting(sentence: str) -> Refused:
    """The library's refusal, which begins with the name of a parameter where it is about one."""
    name = sentence.replace("=", " ").partition(" ")[0]
    known = name in (*BOTH, *KERNEL_FIELDS, *LINEAR_FIELDS)
    return Refused(sentence, code="setting", name=name) if known else Refused(sentence)


# -- The whole run ---------------------------------------------------------------------------------


def replayed_run(state: State) -> Facts:
    """Everything that the page replays."""
    cloud = collect(state.sample)
    return replay_facts(learn_state(state, cloud), script(state, cloud))


def replay_facts(replay: Replay, code: str) -> Facts:
    """A run, and all that is known of it."""
    cloud = replay.cloud
    verdict = judge(cloud, replay.model.fit_intercept)
    plane = view_plane(cloud.X, picture_normal(replay, verdict))
    return {
        **points(cloud, plane),
        **how_it_ended(replay),
        **hypothesis_facts(replay),
        "bound": novikoff_bound(replay),
        "bracket": margin_brackets(replay),
        "verdict": verdict,
        "fewest": fewest_facts(cloud, replay.model.fit_intercept, verdict),
        "gram": gram_facts(replay),
        "kernel": kernel_facts(replay),
        "code": code,
    }


def points(cloud: LabelledPoints, plane: ViewPlane) -> Facts:
    """The data, and the plane in which they are drawn."""
    return {
        "points": cloud.X,
        "signs": cloud.signs,
        "classes": cloud.classes,
        "features": cloud.features,
        "plane": plane._asdict(),
    }


def how_it_ended(replay: Replay) -> Facts:
    """How the run ended."""
    model = replay.model
    return {
        "stop": model.stop_reason_,
        "passes": model.n_iter_,
        "mistakes": model.n_updates_,
        "seen": replay.log.seen,
        "radius": model.radius_,
        "full": TRACE if model.n_updates_ >= TRACE else None,
    }


def hypothesis_facts(replay: Replay) -> Facts:
    """The log, and every hypothesis with its errors."""
    model, log = replay.model, replay.log
    handed = None if replay.kernel else np.append(model.coef_[0], model.intercept_)
    scores = model.decision_function(replay.cloud.X)
    wrong = np.count_nonzero(replay.cloud.signs * scores <= 0)
    return {
        "log": {"t": log.t, "i": log.i, "c": log.c, "ends": replay.ends},
        "margins": {"before": replay.judged.before, "after": replay.judged.after},
        "path": None if replay.kernel else replay.path,
        "errors": replay.judged.errors,
        "kept": companion(replay),
        "handed": handed,
        "handed_errors": wrong,
        "settled": was_settled(replay),
    }


def was_settled(replay: Replay) -> bool:
    """Whether what is handed back was found after the passes, and not by them."""
    left = replay.model.stop_reason_ == "separated" and replay.judged.errors[-1] > 0
    return bool(getattr(replay.model, "settled_", False) or left)


def companion(replay: Replay) -> Facts | None:
    """What the keeper holds at each hypothesis: the number of another one, or a mean."""
    if replay.model.keep in ("pocket", "best"):
        return {"which": replay.pocket()}
    if replay.model.keep in ("average", "vote") and not replay.kernel:
        return {"means": replay.averages()}
    return None


def novikoff_bound(replay: Replay) -> Facts:
    """Novikoff's bound with both inequalities at each mistake, or why it does not apply."""
    if replay.kernel and len(replay.cloud.X) > MOST_LIFTED:
        return {"reason": f"there are more than {MOST_LIFTED} points", "code": "many"}
    found = novikoff(replay.model, replay.cloud.X, replay.cloud.labels)
    if found.steps is None:
        return {"reason": found.reason}
    names = "radius", "gamma", "bound", "eta"
    steps = {"progress": found.steps.progress, "length2": found.steps.length2}
    return {name: getattr(found, name) for name in names} | steps


def margin_brackets(replay: Replay) -> Facts | None:
    """Between what the widest margin lies, after each update."""
    found = replay.bracket()
    return None if found is None else {"lower": found[0], "upper": found[1]}


def kernel_facts(replay: Replay) -> Facts | None:
    """The kernel and its numbers, with which the page draws the border of a hypothesis."""
    if not replay.kernel:
        return None
    numbers = kernel_of(replay.model, replay.cloud.X)._asdict()
    return {key: numbers[key] for key in ("name", "gamma", "degree", "coef0", "bias")}


def gram_facts(replay: Replay) -> Facts:
    """The inner products of all points if they are few, or of those that moved w most often."""
    counts = replay.log.counts(len(replay.cloud.X))
    busiest = np.argsort(-counts, kind="stable")[:GRAM]
    rows = np.sort(busiest[(counts[busiest] > 0) | (len(counts) <= GRAM_OF_ALL)])
    X = replay.cloud.X[rows]
    bias = float(replay.model.fit_intercept)
    values = replay.gram[np.ix_(rows, rows)] - bias if replay.kernel else X @ X.T
    return {"rows": rows, "values": values, "moved": np.count_nonzero(counts)}


# -- The verdict -----------------------------------------------------------------------------------


def judge(cloud: LabelledPoints, fit_intercept: bool) -> Facts:
    """Whether a line separates the points: with the widest band, or with the rows in conflict."""
    proof = certify(cloud.X, cloud.labels, fit_intercept=fit_intercept)
    facts: Facts = {"verdict": proof.verdict, "certificate": json.loads(proof.to_json())}
    if proof.verdict == "separable":
        best = max_margin(cloud.X, cloud.labels, fit_intercept=fit_intercept)
        facts["band"] = {"w": best.w, "b": best.b, "margin": best.margin, "support": best.support}
        facts["gamma"] = augmented_margin(cloud.X, cloud.labels, fit_intercept).margin
    if proof.conflict is not None:
        rows, weights = proof.conflict.rows, proof.conflict.weights
        facts["conflict"] = {
            "rows": rows,
            "weights": [str(weight) for weight in weights],
            "shares": [float(weight) for weight in weights],
            "point": meeting(cloud, rows, weights) if fit_intercept else None,
        }
    return facts


def meeting(cloud: LabelledPoints, rows: list[int], weights: Any) -> np.ndarray:
    """The point that is in the hulls of both classes: weighted, each class's rows add up to it."""
    shares = np.array([float(weight) for weight in weights])
    ours = cloud.signs[rows] > 0
    return shares[ours] @ cloud.X[rows][ours] / shares[ours].sum()


def fewest_facts(cloud: LabelledPoints, fit_intercept: bool, verdict: Facts) -> Facts | None:
    """The best line of all, and how few mistakes there can be, where that takes no time."""
    n, d = cloud.X.shape
    if verdict["verdict"] == "separable" or d > 2 or n > COUNTED:
        return None
    best = fewest_mistakes(cloud.X, cloud.labels, fit_intercept=fit_intercept, n_jobs=1)
    names = "mistakes", "at_least", "rows", "proof"
    line = np.append(best.w, best.b)
    return {name: getattr(best, name) for name in names} | {"line": line}


def picture_normal(replay: Replay, verdict: Facts) -> Any:
    """The normal of the hyperplane that a picture is best of."""
    if "band" in verdict:
        return verdict["band"]["w"]
    return None if replay.kernel else replay.model.coef_[0]


# -- One file --------------------------------------------------------------------------------------


def exported(fields: Any) -> Facts:
    """A page that replays the answers to some questions without a server."""
    from rosenblatt.play.one_file import assemble  # which needs this module

    known = checked_object(
        "the export", fields, {"state": dict, "questions": list}, {"lesson": str}
    )
    if not 1 <= len(known["questions"]) <= EXPORTED:
        raise Refused(f"an export has 1 to {EXPORTED} runs")
    answers = [replayed_run(read_request(question)) for question in known["questions"]]
    return {"html": assemble(known | {"answers": answers}).html}


QUESTIONS: dict[str, Callable[[Any], Facts]] = {
    "run": lambda fields: replayed_run(read_request(fields)),
    "export": exported,
}
