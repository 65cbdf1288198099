"""Findings in words."""

from collections.abc import Iterable, Iterator
from typing import Any

from rosenblatt.html_report.columns import ColumnFindings, Contradiction
from rosenblatt.html_report.findings import Findings
from rosenblatt.html_report.phrases import Say
from rosenblatt.html_report.reasons import InfiniteCoefficient, Reason
from rosenblatt.html_report.subject import Subject
from rosenblatt.separability.coding import INTERCEPT

SHOWN_NAMES = 8  # of a list in a sentence
SHOWN_ODDITIES = 10  # of each kind


def reason_text(reason: Reason, say: Say) -> str:
    """Such as "region = west: 6 rows, all of class dead"."""
    what = say("and").join(f"{c.column} {c.relation} {c.value}" for c in reason.conditions)
    phrase = "all_of" if reason.all_of else "none_of"
    return say(phrase, what=what, count=reason.count, label=reason.label)


def because(found: InfiniteCoefficient, say: Say) -> list[str]:
    """Why a coefficient is infinite; nothing if its sign is open, or it is not known."""
    if found.reasons:
        return [reason_text(reason, say) for reason in found.reasons]
    if not found.columns:
        return []
    phrase = "together" if len(found.columns) > 1 else "alone"
    return [say(phrase, columns=enumerated(found.columns, say), count=found.count)]


def coefficient_name(found: InfiniteCoefficient, say: Say) -> str:
    """The name of a coefficient; with several classes, and which it belongs to."""
    name = say("intercept") if found.name == INTERCEPT else found.name
    return name if found.label is None else say("coefficient_of", name=name, label=found.label)


def enumerated(names: Iterable[Any], say: Say) -> str:
    """Names in a sentence, not all of them if they are many."""
    told = [say("intercept") if name == INTERCEPT else str(name) for name in names]
    if len(told) <= SHOWN_NAMES:
        return say("comma").join(told)
    more = say("and_more", count=len(told) - SHOWN_NAMES)
    return say("comma").join([*told[:SHOWN_NAMES], more])


def hyperplane_text(findings: Findings, say: Say) -> str:
    """Which hyperplane, or linear machine, is drawn, and has the weights that are told."""
    if findings.several:
        return say("machine_of_perceptron")
    if findings.best:
        return say("best_found", count=findings.best.mistakes)
    return say("hyperplane_of_perceptron")


def odd_columns(columns: ColumnFindings, say: Say) -> Iterator[str]:
    """Columns that are constant, the same as others, or combinations of others."""
    if columns.row_names:
        names = enumerated(columns.row_names, say)
        yield say("row_names", count=len(columns.row_names), names=names)
    if columns.constant:
        names = enumerated(columns.constant, say)
        yield say("constant", count=len(columns.constant), names=names)
    for group in columns.duplicates[:SHOWN_ODDITIES]:
        yield say("duplicates", names=enumerated(group, say))
    for name, others in list(columns.dependent.items())[:SHOWN_ODDITIES]:
        phrase = "depends_on_many" if len(others) > SHOWN_NAMES else "dependent"
        yield say(phrase, name=name, names=enumerated(others, say), count=len(others))
    hidden = sum(max(0, len(x) - SHOWN_ODDITIES) for x in (columns.duplicates, columns.dependent))
    if hidden:
        yield say("and_more", count=hidden)
    if not columns.compared:
        yield say("not_compared")


def contradictory(groups: list[Contradiction], say: Say) -> str:
    """How many rows contradict others."""
    rows = sum(len(group.rows) for group in groups)
    return say("contradictory", count=len(groups), rows=rows)


def contradiction_texts(
    groups: list[Contradiction], subject: Subject, say: Say, shown: int = SHOWN_ODDITIES
) -> list[str]:
    """Groups of rows that are equal but for their labels, each with its places and labels."""
    told = [contradiction_text(group, subject, say) for group in groups[:shown]]
    more = len(groups) - shown
    return told + ([say("and_more", count=more)] if more > 0 else [])


def contradiction_text(group: Contradiction, subject: Subject, say: Say) -> str:
    places = zip(subject.numbers(group.rows), group.labels, strict=True)
    phrase = f"{subject.unit}_of"
    return enumerated((say(phrase, number=n, label=label) for n, label in places), say)
