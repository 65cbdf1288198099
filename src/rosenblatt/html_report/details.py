"""The later sections of a report: columns, pairs, the run, the weights, accuracy, certificate."""

from base64 import b64encode
from collections.abc import Iterator

from rosenblatt.html_report.elements import Html, bullets, element, paragraph, table
from rosenblatt.html_report.findings import Findings
from rosenblatt.html_report.learning import RunFindings, Weight
from rosenblatt.html_report.phrases import Say
from rosenblatt.html_report.words import (
    contradiction_texts,
    contradictory,
    hyperplane_text,
    odd_columns,
)
from rosenblatt.mistake_bound.report import allowed

SHOWN_WEIGHTS = 15
SHOWN_WEIGHTS_OF_CLASS = 5
LONGEST_CERTIFICATE = 2**20  # bytes of JSON that a page can carry


def oddities(findings: Findings, say: Say) -> Iterator[Html]:
    """Columns that add nothing, and rows that contradict each other."""
    columns, groups = list(odd_columns(findings.columns, say)), findings.contradictions
    if columns:
        yield bullets(columns)
    if groups is None:
        yield paragraph(say("rows_not_compared"))
    elif groups:
        yield paragraph(contradictory(groups, say))
        yield bullets(contradiction_texts(groups, findings.subject, say))
    elif not columns:
        yield paragraph(say("nothing_odd"))


def matrix_of_pairs(findings: Findings, say: Say) -> Iterator[Html]:
    """The verdict on each pair of classes, as a matrix."""
    classes, found = findings.subject.classes, findings.pairs
    if found is None:
        yield paragraph(say("too_many_classes", count=len(classes)))
        return
    yield paragraph(say("pairs_told"))
    k = range(len(classes))
    cells = [
        [classes[a], *(say(f"is_{found[a, b]}") if a < b else "" for b in k[1:])] for a in k[:-1]
    ]
    yield table(["", *classes[1:]], cells)


def training_run(findings: Findings, say: Say) -> Iterator[Html]:
    """Mistakes, bound and margins."""
    found = findings.run
    rows = [[say("updates"), f"{found.updates:,}" if found.passes else say("no_passes")]]
    if found.passes:
        rows.append([say("passes"), f"{found.passes:,}"])
    rows.append([say("ended"), say(ending_phrase(found))])
    rows.append([say("longest"), f"{found.radius:.4g}"])
    if found.bound is not None:
        rows.append([say("widest"), f"{found.gamma:.4g}"])
        rows.append([say("bound"), allowed(found.bound)])
    if found.reason == "separated":
        rows.append([say("returned"), f"{found.relative_margin:.3g}"])
    yield table([], rows)
    yield element("p", say("augmented"), class_="quiet")


def ending_phrase(found: RunFindings) -> str:
    """The phrase for why a run ended: a separator may be that of the second stage."""
    if found.reason == "separated" and found.settled:
        return "separated_by_settling"
    return "ended_by_margin" if found.reason == "margin" else found.reason


def contributions_of_columns(findings: Findings, say: Say) -> Iterator[Html]:
    """Which class is positive, and what the columns contribute."""
    classes = findings.subject.classes
    whose = say("weights_of", whose=hyperplane_text(findings, say))
    if not findings.several:
        signs = say("positive", positive=classes[1], negative=classes[0])
        yield paragraph(whose, say("gap"), signs)
        yield from weight_table(findings.weights[0], SHOWN_WEIGHTS, say)
        return
    yield paragraph(whose, say("gap"), say("highest"))
    for label, of_class in zip(classes, findings.weights, strict=True):
        yield element("h3", say("class", label=label))
        yield from weight_table(of_class, SHOWN_WEIGHTS_OF_CLASS, say)


def weight_table(found: list[Weight], shown: int, say: Say) -> Iterator[Html]:
    head = [say("feature"), say("weight"), say("contribution"), say("towards")]
    rows = [
        [w.name, f"{w.weight:+.4g}", f"{w.contribution:.1%}", towards(w, say)]
        for w in found[:shown]
    ]
    yield table(head, rows, numeric=(1, 2))
    if len(found) > shown:
        yield element("p", say("more_weights", count=len(found) - shown), class_="quiet")


def towards(weight: Weight, say: Say) -> str:
    """The class that larger values speak for; of several, the own one or the others."""
    return weight.towards if weight.is_for else say("against", label=weight.towards)


def accuracies(findings: Findings, say: Say) -> Iterator[Html]:
    """Baseline, training and cross-validation."""
    found, n = findings.accuracy, findings.subject.shape[0]
    rows = [[say("baseline", label=found.majority), f"{found.baseline:.2%}"]]
    if findings.best and not findings.several:
        rows.append([say("best_accuracy"), f"{1 - findings.best.mistakes / n:.2%}"])
    rows.append([say("training"), f"{found.training:.2%}"])
    if found.folds:
        told = f"{found.mean:.2%} ± {found.std:.2%}"
        rows.append([say("cross_validated", folds=found.folds), told])
    yield table([], rows, numeric=(1,))
    if not found.folds:
        yield paragraph(say("no_folds"))
    elif found.validated < n:
        yield paragraph(say("validated_sample", count=found.validated))


def download(findings: Findings, say: Say) -> Iterator[Html]:
    """The certificate to download."""
    if findings.verdict == "undecided":
        yield paragraph(say("no_certificate"))
        return
    text = findings.certificate.to_json().encode()
    size = f"{max(1, round(len(text) / 1000)):,}"
    if len(text) > LONGEST_CERTIFICATE:
        yield paragraph(say("too_long", size=size))
    else:
        link = f"data:application/json;base64,{b64encode(text).decode()}"
        told = say("download", size=size)
        yield element("p", element("a", told, href=link, download="certificate.json"))
    yield paragraph(say("check_it"))
