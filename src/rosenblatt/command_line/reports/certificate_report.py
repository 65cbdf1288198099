"""What the commands `certify` and `verify` tell."""

from collections.abc import Iterator
from typing import Any

from rosenblatt import Certificate, MistakesCertificate
from rosenblatt.checker import FEWEST
from rosenblatt.command_line.messages import say
from rosenblatt.command_line.reports.report_lines import JOINTLY, Facts, places, some
from rosenblatt.command_line.terminal import in_our_words
from rosenblatt.play.json_text import json_value

BY_KERNEL = {name: f"{name}_by_kernel" for name in ("separable", "touching", "overlapping")}


def claim_of(text: str) -> Any:
    """A certificate of either kind, which stands near its beginning."""
    kind = MistakesCertificate if f'"{FEWEST}"' in text[:200] else Certificate
    return kind.from_json(text)


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
