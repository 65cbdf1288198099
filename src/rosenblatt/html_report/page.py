"""The page of a report: one section after the other, in the order in which people ask."""

from collections.abc import Iterator
from importlib.metadata import version
from importlib.resources import files

import numpy as np

from rosenblatt.core.loop import Array
from rosenblatt.extras import need
from rosenblatt.html_report import details
from rosenblatt.html_report.elements import Html, bullets, concatenated, element, paragraph, table
from rosenblatt.html_report.findings import Findings
from rosenblatt.html_report.phrases import Say, report_speaker
from rosenblatt.html_report.recipes import Recipe
from rosenblatt.html_report.words import (
    because,
    coefficient_name,
    enumerated,
    hyperplane_text,
    reason_text,
)

SHOWN_PURE = 15  # values that occur with one class only
MOST_DRAWN = 1500  # rows in a picture
DRAWN_WRONG = 500  # of them, those that are wrong


def page(findings: Findings, recipe: Recipe, lang: str) -> str:
    """The whole page."""
    say = report_speaker(lang)
    title = say("title", name=recipe.name or say("table"))
    style = files("rosenblatt.html_report").joinpath("page.css").read_text("utf-8")
    head = element(
        "head",
        Html('<meta charset="utf-8">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        element("title", title),
        Html(f"<style>{style}</style>"),
    )
    made = element("p", say("made_by", version=version("rosenblatt")), class_="quiet")
    body = element("body", element("h1", title), *sections(findings, recipe, lang, say), made)
    code = {"en": "en", "zh": "zh-Hans"}[lang]
    return f"<!DOCTYPE html>\n{element('html', head, body, lang=code)}\n"


def sections(findings: Findings, recipe: Recipe, lang: str, say: Say) -> Iterator[Html]:
    """All that the page says."""
    yield element("p", say("comma").join(description(findings, say)), class_="quiet")
    yield section(say("verdict_title"), *verdict_and_picture(findings, lang, say))
    if findings.best:
        yield section(say("wrong_title"), *rows_in_the_way(findings, say))
    yield section(say("infinite_title"), *coefficients(findings, say))
    yield section(say("look_title"), *details.oddities(findings, say))
    if findings.several:
        yield section(say("pairs_title"), *details.matrix_of_pairs(findings, say))
    yield section(say("run_title"), *details.training_run(findings, say))
    yield section(say("weights_title"), *details.contributions_of_columns(findings, say))
    yield section(say("accuracy_title"), *details.accuracies(findings, say))
    yield section(say("again_title"), *(element("pre", code) for code in recipe.codes()))
    yield section(say("certificate_title"), *details.download(findings, say))


def section(title: str, *children: Html) -> Html:
    return element("section", element("h2", title), *children)


def description(findings: Findings, say: Say) -> Iterator[str]:
    """What the table is, in a line."""
    subject = findings.subject
    n, d = subject.shape
    yield say("rows", count=n)
    yield say("columns", count=len(subject.columns))
    if d != len(subject.columns):
        yield say("features", count=d)
    if subject.table and subject.table.target is not None:
        yield say("target", name=subject.table.target)
    for label, count in zip(subject.classes, subject.class_sizes, strict=True):
        yield say("class_count", label=label, count=count)
    for key in ("dropped", "filled"):
        if subject.table and (count := getattr(subject.table.told, key)):
            yield say(key, count=count)


# -- Can it be separated? --------------------------------------------------------------------------


def verdict_and_picture(findings: Findings, lang: str, say: Say) -> Iterator[Html]:
    """The answer in one sentence, and a picture."""
    found, jointly = findings.certificate, "_jointly" if findings.several else ""
    open_ = found.verdict == "undecided"
    rows = {"count": findings.on_border, "rows": findings.subject.shape[0]}
    sentence = say(found.verdict + ("" if open_ else jointly), reason=found.reason, **rows)
    yield element("p", sentence, class_=f"verdict {found.verdict}")
    if found.verdict == "separable":
        yield paragraph(*margin_sentences(findings, say), say("proved"))
    elif found.conflict:
        count = len(set(found.conflict.rows))
        yield paragraph(say("proved_by_rows" + jointly, count=count), say("gap"), say("proved"))
    yield picture(findings, lang, say)


def margin_sentences(findings: Findings, say: Say) -> Iterator[str]:
    """How far the nearest row is from the hyperplane that is drawn, and from the widest."""
    if (found := findings.margin) is None:
        return
    phrase = "margin_jointly" if findings.several else "margin"
    yield say(phrase, margin=found.nearest, whose=hyperplane_text(findings, say))
    yield say("gap")
    if found.widest is not None:
        yield say("widest_margin", margin=found.widest)
        yield say("gap")


def picture(findings: Findings, lang: str, say: Say) -> Html:
    """The rows and what separates them; or why there is no picture."""
    try:
        need("matplotlib", "plot", "drawing")
        from rosenblatt.plots.boundary_plot import boundary
        from rosenblatt.plots.inline_svg import inline_svg
    except ImportError:
        return paragraph(say("no_picture"))
    subject, model = findings.subject, findings.model
    rows = drawn_rows(model.predict(subject.X) != subject.y)
    X, y = subject.X[rows], subject.y[rows]
    svg = inline_svg(lambda ax: boundary(model, X, y, ax=ax, lang=lang))
    (n, d), shown = subject.shape, len(rows)
    kind = {1: "_one", 2: "_two"}.get(d, "_several" if findings.several else "")
    caption = say("caption" + kind) + say("drawn", whose=hyperplane_text(findings, say))
    caption += say("sampled", shown=shown, count=n) if shown < n else ""
    return element("figure", Html(svg), element("figcaption", caption, class_="quiet"))


def drawn_rows(wrong: Array) -> Array:
    """All rows, or a sample that has the wrong ones."""
    if len(wrong) <= MOST_DRAWN:
        return np.arange(len(wrong))
    rng = np.random.RandomState(0)
    ends = rng.permutation(np.flatnonzero(wrong))[:DRAWN_WRONG]
    others = rng.permutation(np.flatnonzero(~wrong))[: MOST_DRAWN - len(ends)]
    return np.sort(np.concatenate((ends, others)))


# -- Which rows are in the way? --------------------------------------------------------------------


def rows_in_the_way(findings: Findings, say: Say) -> Iterator[Html]:
    """The best that there is, and the rows that it gets wrong."""
    best, wrong = findings.best, findings.wrong
    assert best is not None
    assert wrong is not None
    phrase = "best_exact" if best.mistakes == best.at_least else "best_between"
    one = say("linear_machine" if findings.several else "hyperplane")
    rows = findings.subject.shape[0]
    yield paragraph(say(phrase, one=one, count=best.mistakes, rows=rows, least=best.at_least))
    seen = say("conflicts_seen", count=wrong.conflicts)
    yield paragraph(say("without_them"), say("gap"), seen)
    shown = len(wrong.rows)
    if shown < wrong.count:
        yield paragraph(say("first_rows", shown=shown, count=wrong.count))
    every = len(findings.subject.columns)
    if len(wrong.columns) < every:
        yield paragraph(say("telling_columns", shown=len(wrong.columns), count=every))
    head = [say(findings.subject.counted), say("label"), *wrong.columns, say("in_conflicts")]
    cells = [[row.number, row.label, *row.cells, row.conflicts] for row in wrong.rows]
    text = {c.name for c in findings.subject.columns if c.levels is not None}
    values = [k for k, name in enumerate(wrong.columns, 2) if name not in text]
    yield table(head, cells, numeric=(0, *values, len(head) - 1))


# -- Which coefficients are infinite? --------------------------------------------------------------


def coefficients(findings: Findings, say: Say) -> Iterator[Html]:
    """The coefficients of a logistic regression without a finite estimate, and why."""
    found = findings.coefficients
    yield paragraph(coefficients_in_short(findings, say))
    known = [each for each in found.infinite if each.direction != "either"]
    if known:
        head = [say("coefficient"), say("goes_to"), say("because")]
        rows = [
            [coefficient_name(each, say), say(each.direction), in_lines(because(each, say))]
            for each in known
        ]
        yield table(head, rows)
    if either := [coefficient_name(c, say) for c in found.infinite if c.direction == "either"]:
        yield paragraph(say("either", count=len(either), names=enumerated(either, say)))
    if found.references and found.infinite:
        levels = say("comma").join(f"{c} = {level}" for c, level in found.references.items())
        yield paragraph(say("reference_coding", levels=levels))
    if findings.verdict == "separable" and found.pure:
        yield paragraph(say("pure_title"))
        told = [reason_text(reason, say) for reason in found.pure]
        more = len(told) - SHOWN_PURE
        yield bullets(told[:SHOWN_PURE] + ([say("and_more", count=more)] if more > 0 else []))


def coefficients_in_short(findings: Findings, say: Say) -> str:
    found = findings.coefficients
    of_all = {"separable": "all_infinite", "overlapping": "all_finite", "undecided": "no_verdict"}
    of_some = "some_infinite" if found.examined else "not_examined"
    return say(of_all.get(findings.verdict, of_some), count=len(found.infinite))


def in_lines(texts: list[str]) -> Html:
    """Texts one below the other."""
    return concatenated(element("div", text) for text in texts)
