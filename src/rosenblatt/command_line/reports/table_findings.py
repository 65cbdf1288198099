"""What `certify` and `explain` tell of a table besides its verdict: infinite coefficients with the
rows behind them, columns that add nothing, and rows that contradict each other."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.reports.report_lines import Facts
from rosenblatt.html_report.columns import Contradiction, contradictory_rows, examine_columns
from rosenblatt.html_report.phrases import Say, report_speaker
from rosenblatt.html_report.reasons import Coefficients, examine_coefficients
from rosenblatt.html_report.subject import Subject, subject_of
from rosenblatt.html_report.words import (
    because,
    coefficient_name,
    contradiction_texts,
    contradictory,
    enumerated,
    odd_columns,
)
from rosenblatt.play.json_text import json_value
from rosenblatt.tables import Table

EXAMINED_NUMBERS = 4e6  # in a table examined beside its verdict; `report` examines larger ones
SHOWN_COEFFICIENTS = 10
SHOWN_GROUPS = 4  # of contradictory rows


def findings_of(table: Any, certificate: Any) -> tuple[Facts, list[tuple[str, str]]]:
    """All of it, for machines and for people; nothing of kernels, of blocks of rows and of large
    tables."""
    told = isinstance(table, Table) and not certificate.kernel
    if not told or certificate.verdict == "undecided" or table.X.size > EXAMINED_NUMBERS:
        return {}, []
    subject = subject_of(table)
    coefficients = examine_coefficients(subject, certificate)
    columns, groups = examine_columns(subject), contradictory_rows(subject) or []
    facts = {
        "infinite_coefficients": [asdict(c) for c in coefficients.infinite],
        "reference_levels": coefficients.references,
        "columns": columns._asdict(),
        "contradictions": [
            {"numbers": subject.numbers(group.rows), "labels": group.labels} for group in groups
        ],
    }
    tell = report_speaker(language())
    lines = {
        "infinite": coefficient_lines(certificate.verdict, coefficients, tell),
        "columns": odd_columns(columns, tell),
        "contradictory": contradiction_lines(groups, subject, tell),
    }
    named = [("" if k else say(name), told) for name in lines for k, told in enumerate(lines[name])]
    return json_value(facts), named


def coefficient_lines(verdict: str, found: Coefficients, tell: Say) -> Iterator[str]:
    """The coefficients that are infinite, and why."""
    if verdict in ("separable", "overlapping"):
        yield tell("all_infinite" if verdict == "separable" else "all_finite")
    known = [c for c in found.infinite if c.direction != "either"]
    for each in known[:SHOWN_COEFFICIENTS]:
        why = tell("semicolon").join(because(each, tell))
        told = f"{coefficient_name(each, tell)} → {tell(each.direction)}"
        yield tell("why", what=told, why=why) if why else told
    if len(known) > SHOWN_COEFFICIENTS:
        yield tell("and_more", count=len(known) - SHOWN_COEFFICIENTS)
    if either := [coefficient_name(c, tell) for c in found.infinite if c.direction == "either"]:
        yield tell("either", count=len(either), names=enumerated(either, tell))
    if found.references and found.infinite:
        levels = [f"{column} = {level}" for column, level in found.references.items()]
        yield tell("reference_coding", levels=enumerated(levels, tell))


def contradiction_lines(groups: list[Contradiction], subject: Subject, tell: Say) -> Iterator[str]:
    """The rows that contradict each other, and the first of them."""
    if groups:
        yield contradictory(groups, tell)
        yield from contradiction_texts(groups, subject, tell, SHOWN_GROUPS)
