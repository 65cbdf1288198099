"""Reports: what the command line tells, as facts for machines and as lines for people."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

import numpy as np

from rosenblatt.command_line.messages import Say

Facts = dict[str, Any]
SHOWN = 20  # weights and rows in text; JSON has all
LARGE = 2e7  # numbers in a table of which the widest margin is not computed
KERNEL_NUMBERS = {
    "poly": ("gamma", "degree", "coef0"),
    "rbf": ("gamma",),
    "sigmoid": ("gamma", "coef0"),
    "laplacian": ("gamma",),
}


def plain(value: Any) -> Any:
    """NumPy's things as JSON has them; what is not finite becomes null."""
    if isinstance(value, dict):
        return {str(plain(k)): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value


def aligned(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Names and values in two columns; Chinese letters are two wide."""
    from rich.cells import cell_len

    pairs = list(pairs)
    width = max((cell_len(name) for name, _ in pairs), default=0)
    for name, value in pairs:
        yield f"{name}{' ' * (width - cell_len(name))}  {value}".rstrip()


def data_line(facts: Facts, say: Say) -> str:
    """What was decided in reading, in one line."""
    told = facts["data"] | {"encoded": ", ".join(facts["data"]["encoded"])}
    if told["file"] == "standard input":
        told["file"] = say("standard input")
    parts = [say("data", **told)]
    parts += [say(k, **told) for k in ("target", "encoded", "dropped", "filled") if told[k]]
    return "".join(parts)


# Verdicts on more than two classes, which are decided jointly.
JOINTLY = {name: f"{name}_jointly" for name in ("separable", "touching", "overlapping")}


# -- fit -------------------------------------------------------------------------------------------


def fit_facts(table: Any, model: Any) -> Facts:
    """What a fitted model has to say."""
    reasons = model.stop_reason_
    several = isinstance(reasons, list)
    facts = {
        "data": table.told._asdict(),
        "rows": table.told.rows,
        "features": table.told.features,
        "classes": model.classes_,
        "verdict": [verdict(r) for r in reasons] if several else verdict(reasons),
        "stop_reason": reasons,
        "converged": model.converged_,
        "passes": model.n_iter_,
        "mistakes": model.n_updates_,
        "margin_bounds": model.margin_bounds_,
        "radius": model.radius_,
        "training_accuracy": accuracy(table, model),
    }
    return plain(
        facts
        | (kernel_facts(model) if hasattr(model, "support_") else hyperplane_facts(table, model))
    )


def accuracy(table: Any, model: Any) -> float:
    """The share of rows that a model gets right, in memory or block by block."""
    from rosenblatt.blocks import score_blocks

    in_memory = hasattr(table, "X")
    return float(model.score(table.X, table.y) if in_memory else score_blocks(model, table))


def hyperplane_facts(table: Any, model: Any) -> Facts:
    """What only a Perceptron has."""
    widest = None if isinstance(model.stop_reason_, list) else widest_margin(table, model)
    return {
        "settled": model.settled_,
        "mistake_bound": (model.radius_ / widest) ** 2 if widest else None,
        "widest_margin": widest / model.radius_ if widest else None,
        "weights": weights(table.feature_names, model),
        "intercept": model.intercept_ if len(model.coef_) > 1 else float(model.intercept_[0]),
    }


def kernel_facts(model: Any) -> Facts:
    """What only a KernelPerceptron has."""
    numbers = {"gamma": model.gamma_, "degree": model.degree, "coef0": model.coef0}
    used = KERNEL_NUMBERS.get(model.kernel, ())
    return {
        "kernel": {"name": model.kernel} | {name: numbers[name] for name in used},
        "support_vectors": len(model.support_),
        "support_by_class": dict(zip(model.classes_, model.n_support_, strict=True)),
    }


def widest_margin(table: Any, model: Any) -> float | None:
    """Novikoff's γ, for two separable classes, unless there is too much."""
    from rosenblatt.separability.max_margin import augmented_margin

    linear = len(model.classes_) == 2 and model.stop_reason_ == "separated"
    large = not hasattr(table, "X") or np.prod(table.X.shape) > LARGE
    if not linear or not hasattr(model, "coef_") or large:
        return None
    try:
        return augmented_margin(table.X, table.y, model.fit_intercept).margin
    except ValueError:  # right only with points on the hyperplane
        return None


def verdict(reason: str) -> str:
    """What the end of a run says of the data."""
    return {"separated": "separable", "inseparable": "inseparable"}.get(reason, "open")


def weights(names: Sequence[str], model: Any) -> Any:
    """Weights by feature, the largest first; with several classes, those of each."""

    def ranked(w: Any) -> Facts:
        return {names[j]: w[j] for j in np.argsort(-np.abs(w), kind="stable")}

    if len(model.coef_) == 1:
        return ranked(model.coef_[0])
    return {c: ranked(w) for c, w in zip(model.classes_.tolist(), model.coef_, strict=True)}


def fit_lines(facts: Facts, say: Say) -> Iterator[str]:
    """The same for people."""
    yield data_line(facts, say)
    yield from aligned(_fit_pairs(facts, say))
    if "kernel" in facts:
        return
    if isinstance(facts["intercept"], float):
        yield from weight_lines(facts["weights"], facts["intercept"], say("weights"), say)
        return
    for (name, w), b in zip(facts["weights"].items(), facts["intercept"], strict=True):
        yield from weight_lines(w, b, say("weights_of", name=name), say)


def _fit_pairs(facts: Facts, say: Say) -> Iterator[tuple[str, str]]:
    verdicts, reasons = facts["verdict"], facts["stop_reason"]
    words = {"separable": "separable_by_kernel"} if "kernel" in facts else {}
    if isinstance(verdicts, str):
        words = words or (JOINTLY if len(facts["classes"]) > 2 else {})
        yield say("verdict"), say(words.get(verdicts, verdicts), reason=reasons)
    else:
        for name, v, reason in zip(facts["classes"], verdicts, reasons, strict=True):
            yield say("class", name=name), say(words.get(v, v), reason=reason)
    yield say("mistakes"), say("made" if facts["passes"] else "settled", **facts)
    if "kernel" in facts:
        yield from _kernel_pairs(facts, say)
    if facts.get("mistake_bound") and isinstance(verdicts, str):
        yield say("bound"), say("allowed", bound=f"{facts['mistake_bound']:,.0f}")
    if isinstance(verdicts, str) and facts["margin_bounds"]:
        lower, upper = facts["margin_bounds"]
        widest = facts.get("widest_margin")
        phrase = "against" if widest else "between"
        yield say("margin"), say(phrase, lower=lower, upper=upper, widest=widest)
    yield say("accuracy"), say("training", accuracy=facts["training_accuracy"])
    for key, phrase in (("test", "test"), ("cross_validation", "cv")):
        if key in facts:
            yield "", say(phrase, **facts[key])
    for path in facts.get("saved", []):
        yield say("saved"), path


def _kernel_pairs(facts: Facts, say: Say) -> Iterator[tuple[str, str]]:
    name, *numbers = facts["kernel"].items()
    yield say("kernel"), ", ".join([name[1], *(f"{k} {v:g}" for k, v in numbers)])
    by_class = ", ".join(f"{name}: {count}" for name, count in facts["support_by_class"].items())
    yield say("support"), say("held", count=facts["support_vectors"], by_class=by_class)


def weight_lines(by_name: Facts, intercept: float, title: str, say: Say) -> Iterator[str]:
    yield title
    shown = [(name, f"{w:+.6g}") for name, w in list(by_name.items())[:SHOWN]]
    for line in aligned([*shown, (say("bias"), f"{intercept:+.6g}")]):
        yield f"  {line}"
    if len(by_name) > SHOWN:
        yield f"  {say('more', count=len(by_name) - SHOWN)}"


# -- certify ---------------------------------------------------------------------------------------


def certified(table: Any, fit_intercept: bool) -> Any:
    """The certificate of a table in memory, or of blocks."""
    from rosenblatt import certify
    from rosenblatt.blocks import certify_blocks

    if not hasattr(table, "X"):
        return certify_blocks(table, fit_intercept=fit_intercept)
    return certify(table.X, table.y, fit_intercept=fit_intercept)


def verified(claim: Any, table: Any, independent: bool) -> None:
    """Check a certificate on a table in memory, or on blocks; ValueError says what fails."""
    from rosenblatt import checker, verify
    from rosenblatt.blocks import verify_blocks

    if not hasattr(table, "X"):
        verify_blocks(claim, table)
    elif independent:
        checker.verify(claim, table.X, table.y)
    else:
        verify(claim, table.X, table.y)


def claim_of(text: str) -> Any:
    """A certificate of either format."""
    from rosenblatt import Certificate, MistakesCertificate
    from rosenblatt.separability.counting.mistakes_certificate import FORMAT

    kind = MistakesCertificate if f'"{FORMAT}"' in text[:200] else Certificate
    return kind.from_json(text)


def claimed(claim: Any, say: Say | None = None) -> str:
    """What a certificate claims, in a word, or in a phrase."""
    if hasattr(claim, "verdict"):
        return str(claim.verdict)
    bracket = {"least": number(claim.at_least), "mistakes": number(claim.mistakes)}
    return say("bracket", **bracket) if say else "fewest mistakes"


def number(x: Any) -> str:
    """A fraction as people write it."""
    return str(x) if x.denominator == 1 else f"{float(x):g}"


def certificate_facts(table: Any, certificate: Any) -> Facts:
    """What a certificate says, with the places of the rows in the file."""
    facts = {"data": table.told._asdict(), "verdict": certificate.verdict}
    facts["classes"] = list(certificate.classes)
    if certificate.verdict == "separable":
        facts["margin"] = certificate.margin
    if certificate.conflict is not None:
        facts["conflict"] = places(table, sorted(set(certificate.conflict.rows)))
    if certificate.verdict == "undecided":
        facts["reason"] = certificate.reason
    return plain(facts)


def places(table: Any, rows: Any) -> Facts:
    """Where rows are in the file."""
    return {"unit": table.source.unit, "numbers": sorted(table.numbers(rows))}


def certificate_pairs(facts: Facts, say: Say) -> Iterator[tuple[str, str]]:
    """A certificate for people."""
    several = JOINTLY if len(facts["classes"]) > 2 else {}
    yield say("verdict"), say(several.get(facts["verdict"], facts["verdict"]), **facts)
    if "margin" in facts:
        yield say("margin"), say("width", margin=facts["margin"])
    if facts.get("conflict"):
        yield say("conflict"), say("proof", **_some(facts["conflict"], say))
    if facts.get("obstacles"):
        yield say("obstacles"), say("remove", **_some(facts["obstacles"], say))
    for path in facts.get("saved", []):
        yield say("saved"), path


def _some(found: Facts, say: Say) -> Facts:
    numbers = found["numbers"]
    shown = say(f"{found['unit']}s", numbers=", ".join(map(str, numbers[:SHOWN])))
    if len(numbers) > SHOWN:
        shown += " " + say("more", count=len(numbers) - SHOWN)
    return {"count": len(numbers), "places": shown}


# -- explain ---------------------------------------------------------------------------------------


def mistakes(table: Any, log: Any, most: int) -> list[Facts]:
    """The first mistakes of a run."""
    if isinstance(log, list):
        raise ValueError(
            f"y has {len(log)} classes, each with a run of its own; to see one run, use "
            "--multi-class direct"
        )
    rows = log.i[:most]
    columns = log.t[:most], rows, table.numbers(rows), table.y[rows], log.c[:most]
    names = "seen", "row", table.source.unit, "label", "step"
    return plain([dict(zip(names, m, strict=True)) for m in zip(*columns, strict=True)])


def mistake_lines(listed: list[Facts], count: int, say: Say) -> Iterator[str]:
    """The first mistakes of a run, as a table."""
    from rich.cells import cell_len

    if not count:
        yield say("none")
        return
    few = len(listed) < count
    yield say("first" if few else "all", shown=len(listed), count=count)
    unit = "line" if "line" in listed[0] else "row"
    head = [say(word) for word in ("number", "seen", unit, "label", "step")]
    rows = [
        [str(k), str(m["seen"]), str(m[unit]), str(m["label"]), f"{m['step']:+g}"]
        for k, m in enumerate(listed, 1)
    ]
    widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
    for row in [head, *rows]:
        cells = zip(row, widths, strict=True)
        yield "  " + "  ".join(" " * (width - cell_len(c)) + c for c, width in cells)


# -- predict ---------------------------------------------------------------------------------------


def predictions(model: Any, table: Any) -> Iterator[Facts]:
    """Labels and scores, as columns; of a table in memory, or block by block."""
    from rosenblatt.tables.files import ahead

    for X in [table.X] if hasattr(table, "X") else (X for X, _ in ahead(iter(table))):
        scores = np.reshape(model.decision_function(X), (X.shape[0], -1))
        names = [f"score={c}" for c in model.classes_] if scores.shape[1] > 1 else ["score"]
        yield plain({"prediction": model.predict(X)} | dict(zip(names, scores.T, strict=True)))


def joined(parts: Iterable[Facts]) -> Facts:
    """The same columns in one."""
    found = list(parts)
    return {name: [value for part in found for value in part[name]] for name in found[0]}


def as_csv(parts: Iterable[Facts]) -> Iterator[str]:
    """Columns as CSV, under one header."""
    for k, columns in enumerate(parts):
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([columns] if k == 0 else [])
        writer.writerows(zip(*columns.values(), strict=True))
        yield text.getvalue()


def by_name(certificates: Any) -> Facts:
    """Verdicts by label, or by the two labels of a pair."""
    return {
        " / ".join(map(str, key)) if isinstance(key, tuple) else str(key): certificate.verdict
        for key, certificate in certificates.items()
    }
