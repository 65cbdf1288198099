"""What the command `fit` tells of a model."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import KERNEL_PARAMS

from rosenblatt import KernelPerceptron
from rosenblatt.command_line.messages import say
from rosenblatt.command_line.reports.report_lines import (
    JOINTLY,
    Facts,
    contributions,
    told_lines,
    weight_lines,
)
from rosenblatt.command_line.row_sources import (
    accuracy,
    baseline,
    deviations_by_name,
    widest_margin,
)
from rosenblatt.estimators.linear_model import LinearModel
from rosenblatt.inputs.fitted_model import FittedModel
from rosenblatt.mistake_bound.report import allowed
from rosenblatt.mistake_bound.theorem import squared
from rosenblatt.play.json_text import json_value


def fit_facts(table: Any, model: FittedModel) -> Facts:
    """What a fitted model has to say."""
    reasons = model.stop_reason_
    several = isinstance(reasons, list)
    facts = {
        "data": table.told._asdict(),
        "rows": table.told.rows,
        "features": table.told.features,
        "classes": model.classes_,
        "verdict": [verdict_of_run(r) for r in reasons] if several else verdict_of_run(reasons),
        "stop_reason": reasons,
        "converged": model.converged_,
        "passes": model.n_iter_,
        "mistakes": model.n_updates_,
        "margin_bounds": model.margin_bounds_,
        "radius": model.radius_,
        "training_accuracy": accuracy(table, model),
        "baseline": baseline(table),
    }
    if isinstance(model, KernelPerceptron):
        return json_value(facts | support_facts(model))
    assert isinstance(model, LinearModel)
    return json_value(facts | hyperplane_facts(table, model))


def hyperplane_facts(table: Any, model: LinearModel) -> Facts:
    """What only a Perceptron has."""
    widest = widest_margin(table, model)
    deviation, several = deviations_by_name(table), len(model.coef_) > 1
    weights = [largest_first(table.feature_names, w) for w in model.coef_]
    shares = [contributions(w, deviation) for w in weights]

    def by_class(found: list[Any]) -> Any:
        return dict(zip(model.classes_.tolist(), found, strict=True)) if several else found[0]

    return {
        "settled": model.settled_,
        "mistake_bounds": model.mistake_bounds_,
        "mistake_bound": squared(model.radius_ / widest) if widest else None,
        "widest_margin": widest / model.radius_ if widest else None,
        "weights": by_class(weights),
        "contributions": by_class(shares) if deviation else None,
        "intercept": model.intercept_ if several else float(model.intercept_[0]),
    }


def support_facts(model: KernelPerceptron) -> Facts:
    """What only a KernelPerceptron has."""
    numbers = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    used = {name: x for name, x in numbers.items() if name in KERNEL_PARAMS[model.kernel]}
    return {
        "kernel": {"name": model.kernel} | used,
        "support_vectors": len(model.support_),
        "support_by_class": dict(zip(model.classes_, model.n_support_, strict=True)),
    }


def verdict_of_run(reason: str) -> str:
    """What the end of a run says of the data."""
    return {"separated": "separable", "inseparable": "inseparable"}.get(reason, "open")


def largest_first(names: Sequence[str], w: Any) -> Facts:
    """Weights by feature, the largest first."""
    return {names[j]: w[j] for j in np.argsort(-np.abs(w), kind="stable")}


def fit_lines(facts: Facts) -> Iterator[str]:
    """The same for people."""
    yield from told_lines(facts, _fit_pairs(facts))
    if "kernel" in facts:
        return
    shares = facts["contributions"]
    more = say("shares") if shares else ""
    if isinstance(facts["intercept"], float):
        title = say("weights", positive=facts["classes"][-1], more=more)
        yield from weight_lines(facts["weights"], facts["intercept"], title, shares)
        return
    for (name, w), b in zip(facts["weights"].items(), facts["intercept"], strict=True):
        title = say("weights_of", name=name, more=more)
        yield from weight_lines(w, b, title, shares and shares[name])


def _fit_pairs(facts: Facts) -> Iterator[tuple[str, str]]:
    verdicts, reasons = facts["verdict"], facts["stop_reason"]
    words = {"separable": "separable_by_kernel"} if "kernel" in facts else {}
    if isinstance(verdicts, str):
        words = words or (JOINTLY if len(facts["classes"]) > 2 else {})
        runs = [(say("verdict"), verdicts, reasons)]
    else:
        names = [say("class", name=name) for name in facts["classes"]]
        runs = list(zip(names, verdicts, reasons, strict=True))
    for name, verdict, reason in runs:
        yield name, say(words.get(verdict, verdict), ending=ending_text(reason))
    yield say("updates"), updates(facts)
    if "kernel" in facts:
        yield from _kernel_pairs(facts)
    if facts.get("mistake_bound") and isinstance(verdicts, str):
        yield say("bound"), say("allowed", bound=allowed(facts["mistake_bound"]))
    if verdicts in ("separable", "open") and facts["margin_bounds"]:
        lower, upper = facts["margin_bounds"]
        widest = facts.get("widest_margin")
        phrase = "against" if widest else margin_phrase(lower, upper)
        yield say("margin"), say(phrase, lower=lower, upper=upper, widest=widest)
    if verdicts == "inseparable" and "mistake_bounds" in facts:
        least, wrong = facts["mistake_bounds"]
        phrase = "bracket_of_two" if len(facts["classes"]) == 2 else "bracket_of_several"
        yield say("wrong_rows"), say(phrase, wrong=wrong, rows=facts["rows"], least=least)
    yield say("accuracy"), training_text(facts)
    for key, phrase in (("test", "test"), ("cross_validation", "cv")):
        if key in facts:
            yield "", say(phrase, **facts[key])


def training_text(facts: Facts) -> str:
    """The accuracy in training, beside that of the largest class if it is known."""
    reached, known = facts["training_accuracy"], facts["baseline"]
    if not known:
        return say("training", accuracy=reached)
    return say("beside", accuracy=reached, label=known["label"], baseline=known["accuracy"])


def ending_text(reason: str) -> str:
    """Why a run ended that left the question open; nothing of others."""
    return "" if reason in ("separated", "inseparable") else say(f"ended_{reason}")


def updates(facts: Facts) -> str:
    """How often the hypothesis moved; with a run for each class, in each of them."""
    made = facts["mistakes"]
    if isinstance(made, list):
        made = ", ".join(f"{c}: {n:,}" for c, n in zip(facts["classes"], made, strict=True))
    else:
        made = f"{made:,}"
    return say("made" if facts["passes"] else "settled", mistakes=made, passes=facts["passes"])


def margin_phrase(lower: float, upper: float) -> str:
    """How a bracket of margins is said that may have no lower end, or no upper one above zero."""
    return "between" if lower > 0 else "below" if upper > 0 else "no_margin"


def _kernel_pairs(facts: Facts) -> Iterator[tuple[str, str]]:
    name, *numbers = facts["kernel"].items()
    yield say("kernel"), ", ".join([name[1], *(f"{k} {v:g}" for k, v in numbers)])
    by_class = ", ".join(f"{name}: {count}" for name, count in facts["support_by_class"].items())
    yield say("support"), say("held", count=facts["support_vectors"], by_class=by_class)
