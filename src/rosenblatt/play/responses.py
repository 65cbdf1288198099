"""Answers: what the worker makes of a request, as plain data."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt import novikoff
from rosenblatt.kernels.feature_space import kernel_of
from rosenblatt.play.json_fields import Refused, checked_object, parsed
from rosenblatt.play.json_text import encoded
from rosenblatt.play.requests import (
    BOTH,
    KERNEL_FIELDS,
    LINEAR_FIELDS,
    TRACE,
    State,
    read_request,
)
from rosenblatt.play.runs.explicit_features import lifted
from rosenblatt.play.runs.learning import learn_state
from rosenblatt.play.runs.points import LabelledPoints, collect
from rosenblatt.play.runs.python_script import script
from rosenblatt.play.runs.replay import Replay
from rosenblatt.play.runs.verdicts import Facts, fewest_facts, judge
from rosenblatt.play.runs.view_plane import ViewPlane, plane_of_classes, view_plane

GRAM = 64  # points whose Gram matrix is drawn
GRAM_OF_ALL = 12  # points of which none is left out there
EXPORTED = 24  # runs in one file
MOST_LIFTED = 500  # points whose widest margin in a feature space is sought


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
    drawn, kinds = collect(state.sample), state.features
    replay = learn_state(state, lifted(drawn, kinds))
    return replay_facts(replay, script(state, replay), drawn, kinds)


def replay_facts(
    replay: Replay, code: str, drawn: LabelledPoints, kinds: tuple[str, ...] = ()
) -> Facts:
    """A run, and all that is known of it; with explicit features of some kinds."""
    verdict, cloud = judge(replay), replay.cloud
    return {
        **points(drawn, picture_plane(replay, drawn, verdict)),
        **how_it_ended(replay),
        **hypothesis_facts(replay),
        "held": replay.held if len(replay.held) else None,
        "bound": novikoff_bound(replay),
        "bracket": replay.bracket(),
        "verdict": verdict,
        "fewest": fewest_facts(replay, verdict),
        "gram": gram_facts(replay),
        "kernel": kernel_facts(replay),
        "lift": {"kinds": kinds, "names": cloud.features, "rows": cloud.X} if kinds else None,
        "code": code,
    }


def points(cloud: LabelledPoints, plane: ViewPlane) -> Facts:
    """The data, and the plane in which they are drawn."""
    return {
        "points": cloud.X,
        "codes": cloud.codes,
        "classes": cloud.classes,
        "features": cloud.features,
        "plane": plane,
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
    log, judged = replay.log, replay.judged
    handed, wrong = handed_back(replay), handed_errors(replay)
    return {
        "log": {"t": log.t, "i": log.i, "c": log.c, "ends": replay.ends}
        | {"own": log.own, "rival": log.rival},
        "margins": {"before": judged.before, "after": judged.after},
        "path": None if replay.kernel else replay.path,
        "errors": judged.errors,
        "held_errors": judged.held,
        "boundary": replay.boundary,
        "kept": companion(replay),
        "handed": handed,
        "handed_errors": np.count_nonzero(wrong[replay.trained]),
        "handed_held": np.count_nonzero(wrong[replay.held]),
        "settled": was_settled(replay),
    }


def handed_back(replay: Replay) -> np.ndarray | None:
    """The hypothesis that is handed back; of several classes, one for each."""
    if replay.kernel:
        return None
    W = np.column_stack((replay.model.coef_, replay.model.intercept_))
    return W if replay.cloud.is_several else W[0]


def handed_errors(replay: Replay) -> np.ndarray:
    """Which points what is handed back has wrong."""
    scores = replay.model.decision_function(replay.cloud.X)
    scores = scores.T[None] if replay.cloud.is_several else scores[None]
    return replay.errs(replay.led(scores))[0]


def was_settled(replay: Replay) -> bool:
    """Whether what is handed back was found after the passes, and not by them."""
    left = replay.model.stop_reason_ == "separated" and replay.judged.errors[-1] > 0
    return bool(getattr(replay.model, "settled_", False) or left)


def companion(replay: Replay) -> Facts | None:
    """What the keeper holds at each hypothesis: the number of another one, or a mean."""
    if replay.model.keep in ("pocket", "best"):
        return {"which": replay.pocket()}
    if replay.model.keep == "average" and not replay.kernel:
        means = replay.averages()
        wrong = replay.errs(replay.margins_of(means))
        counts = {"errors": replay.trained, "held": replay.held}
        return {"means": means} | {
            name: wrong[:, rows].sum(axis=1) for name, rows in counts.items()
        }
    return None


def novikoff_bound(replay: Replay) -> Facts:
    """Novikoff's bound with both inequalities at each mistake, or why it does not apply."""
    if replay.kernel and len(replay.trained) > MOST_LIFTED:
        return {"reason": f"there are more than {MOST_LIFTED} points", "code": "many"}
    fitted = replay.cloud.take(replay.rows)
    found = novikoff(replay.model, fitted.X, fitted.labels)
    if found.steps is None:
        return {"reason": found.reason}
    names = "radius", "gamma", "bound", "eta"
    steps = {"progress": found.steps.progress, "length2": found.steps.length2}
    return {name: getattr(found, name) for name in names} | steps


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


# -- The picture -----------------------------------------------------------------------------------


def picture_plane(replay: Replay, drawn: LabelledPoints, verdict: Facts) -> ViewPlane:
    """The plane in which the points are drawn."""
    flat = not replay.kernel and drawn.X.shape == replay.cloud.X.shape
    if drawn.is_several and flat:
        return plane_of_classes(drawn.X, replay.model.coef_)
    known = verdict["band"]["w"] if "band" in verdict else None
    if not replay.kernel and known is None and not drawn.is_several:
        known = replay.model.coef_[0]
    return view_plane(drawn.X, known if flat or replay.kernel else None)


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
