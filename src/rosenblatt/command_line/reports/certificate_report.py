"""What the commands `certify`, `explain` and `verify` tell: a verdict; and besides it infinite
coefficients with the rows behind them, columns that add nothing, and rows that contradict each
other."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rosenblatt import Certificate, MistakesCertificate
from rosenblatt.checker import FEWEST
from rosenblatt.command_line.messages import language, say
from rosenblatt.command_line.reports.report_lines import JOINTLY, Facts, places, some
from rosenblatt.command_line.terminal import in_our_words
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
from rosenblatt.tables.files import File

BY_KERNEL = {name: f"{name}_by_kernel" for name in ("separable", "touching", "overlapping")}
EXAMINED_NUMBERS = 4e6  # in a table examined beside its verdict; `report` examines larger ones
SHOWN_COEFFICIENTS = 10
SHOWN_GROUPS = 4  # of contradictory rows


def claim_of(file: File) -> Any:
    """A certificate of either kind, which stands near its beginning."""
    text = file.text()
    kind = MistakesCertificate if f'"{FEWEST}"' in text[:200] else Certificate
    try:
        return kind.from_json(text)
    except ValueError as error:
        raise ValueError(f"{file.name}: {error}") from error


def claimed(claim: Any) -> str:
    """What a certificate claims, in a phrase."""
    if hasattr(claim, "verdict"):
        return say(f"verdict_{claim.verdict}")
    bracket = {"least": fraction_text(claim.at_least), "mistakes": fraction_text(claim.mistakes)}
    return say("bracket", **bracket)


def fraction_text(x: Any) -> str:
    """A fraction as people write it."""
    return str(x) if x.denominator == 1 else f"{float(x):g}"


def certificate_facts(table: Any, certificate: Any) -> Facts:
    """What a certificate says, with the places of the rows in the file."""
    facts = {"data": table.told._asdict(), "verdict": certificate.verdict}
    facts["classes"] = list(certificate.classes)
    if certificate.kernel:
        facts["kernel"] = certificate.kernel
    elif certificate.verdict == "separable":
        facts["margin"] = certificate.margin
    if certificate.conflict is not None:
        facts["conflict"] = places(table, sorted(set(certificate.conflict.rows)))
    if certificate.verdict == "undecided":
        facts["reason"] = certificate.reason
    return json_value(facts)


def certificate_pairs(facts: Facts) -> Iterator[tuple[str, str]]:
    """A certificate for people."""
    yield say("verdict"), verdict_text(facts)
    if "kernel" in facts:
        told = [str(value) for name, value in facts["kernel"].items() if name != "lower"]
        yield say("kernel"), " ".join(told)
    if facts.get("margin") is not None:  # of numbers near 1e308, it overflows
        yield say("margin"), f"{facts['margin']:.6g}"
    if facts.get("conflict"):
        yield say("conflict"), say("proof", **some(facts["conflict"]))
    if facts.get("obstacles"):
        yield say("obstacles"), say("remove", **some(facts["obstacles"]))
    if "fewest" in facts:
        yield say("fewest"), say("bracket", **facts["fewest"])


def verdict_text(facts: Facts) -> str:
    """The verdict in a sentence."""
    verdict: str = facts["verdict"]
    words = BY_KERNEL if "kernel" in facts else JOINTLY if len(facts["classes"]) > 2 else {}
    return say(words.get(verdict, verdict), reason=in_our_words(facts.get("reason", "")))


def by_name(certificates: Any) -> Facts:
    """Verdicts by label, or by the two labels of a pair."""
    return {
        " / ".join(map(str, key)) if isinstance(key, tuple) else str(key): certificate.verdict
        for key, certificate in certificates.items()
    }


# -- Besides the verdict ---------------------------------------------------------------------------


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
