"""A report says what is so, in both languages, on a page that needs nothing and runs nothing."""

import base64
import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

import rosenblatt
from rosenblatt import Perceptron, certify, datasets, max_margin, read, report, verify
from rosenblatt.html_report.columns import examine_columns
from rosenblatt.html_report.phrases import REPORT_PHRASES, report_speaker
from rosenblatt.html_report.reasons import examine_coefficients
from rosenblatt.html_report.subject import subject_of
from rosenblatt.html_report.words import because

EMPTY = {"meta", "path", "use", "rect"}


class Text(HTMLParser):
    """The text of a page, and its elements, which must be balanced."""

    def __init__(self, page):
        super().__init__()
        self.open, self.names, self.parts, self.links = [], set(), [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, name, attributes):
        self.names.add(name)
        self.links += [value for key, value in attributes if key in ("href", "src")]
        if name != "meta":
            self.open.append(name)

    def handle_startendtag(self, name, attributes):
        self.names.add(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.parts.append(data)

    def __str__(self):
        return re.sub(r"\s+", " ", " ".join(self.parts))


def text_of(made):
    return str(Text(made.html))


def told(frame, labels, lang="en"):
    """The infinite coefficients of a table, and why."""
    subject = subject_of(frame, labels)
    found = examine_coefficients(subject, certify(frame, labels))
    return {c.name: (c.direction, because(c, report_speaker(lang))) for c in found.infinite}


# -- Infinite coefficients -------------------------------------------------------------------------


def patients():
    """Like the endometrial data: a yes-or-no column that determines the grade of 13 patients."""
    rng = np.random.RandomState(0)
    new = np.arange(79) < 13
    table = pd.DataFrame({"NV": new.astype(int), "PI": rng.randint(0, 50, 79)})
    table["EH"] = rng.uniform(0.3, 3.6, 79).round(2)
    return table, np.where(new | (rng.rand(79) < 0.4), "high", "low")


def test_a_column_of_zeros_and_ones_that_determines_a_class():
    why = "NV = 1: 13 rows, all of class high"
    assert told(*patients()) == {"NV": ("-inf", [why])}  # "low", the second class, is positive
    assert certify(*patients()).verdict == "touching"


def lizards():
    """Like the lizards: levels of several columns; under one level the species is always one."""
    rng = np.random.RandomState(1)
    table = pd.DataFrame(
        {
            "height": rng.choice(["high", "low"], 160),
            "light": rng.choice(["sunny", "shady", "shady"], 160),
            "time": rng.choice(["early", "midday", "late"], 160, p=[0.5, 0.3, 0.2]),
        }
    )
    always = (table.light == "sunny") & (table.time == "late")
    return table, np.where(always | (rng.rand(160) < 0.5), "opalinus", "grahami"), always


def test_levels_of_two_columns_that_overlap_have_finite_coefficients():
    table, species, _ = lizards()
    assert told(table, species) == {}


def test_a_combination_of_levels_is_told_with_its_rows():
    table, species, always = lizards()
    table["both"] = np.where(always, "sunny and late", "other")
    why = f"both = sunny and late: {always.sum()} rows, all of class opalinus"
    assert told(table, species) == {"both=sunny and late": ("+inf", [why])}


def states():
    """Like the states with capital punishment: of few rows, the south always, income decides."""
    income = np.array([34, 41, 35, 40, 33, 42, 37, 36, 45, 46, 47, 29, 28, 27.0])
    south = np.array([0] * 11 + [1] * 3)
    law = np.array(["no", "yes", "yes", "no"] * 2 + ["no", "yes", "no"] + ["yes"] * 3)
    return pd.DataFrame({"income": income, "south": south}), law


def test_few_states():
    why = "south = 1: 3 rows, all of class yes"
    assert told(*states()) == {"south": ("+inf", [why])}
    assert told(*states(), lang="zh") == {"south": ("+inf", ["south = 1：3 行，全部属于类别 yes"])}


def test_a_frequent_level_of_one_class_is_told_itself():
    region = np.repeat(["north", "south", "east"], [12, 8, 6])
    died = np.where((region == "north") | (np.arange(26) % 2 == 0), "dead", "alive")
    why = ["region = north: 12 rows, all of class dead"]
    assert told(pd.DataFrame({"region": region}), died) == {"region=north": ("+inf", why)}


def test_a_number_beyond_which_there_is_one_class():
    dose = [*range(14), 13, *range(20, 26)]
    found = told(pd.DataFrame({"dose": dose}), [0] * 14 + [1] * 7)
    why = ["dose < 13: 13 rows, all of class 0", "dose > 13: 6 rows, all of class 1"]
    assert found["dose"] == ("+inf", why)


def test_several_columns_together():
    rng = np.random.RandomState(2)
    X = rng.randn(60, 3).round(3)
    y = (X[:, 0] - X[:, 1] > 0).astype(int)
    X[-2:], y[-2:] = [[1, 1, 0.1], [1, 1, 0.1]], [0, 1]
    found = told(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    assert found["a"][0] == "+inf"
    assert re.fullmatch(r"a, b together determine the class of 5\d rows", *found["a"][1])


def test_with_several_classes_a_level_without_a_class():
    region = np.repeat(["north", "west"], [30, 12])
    kind = np.array(list("abc") * 10 + list("ab") * 6)
    found = report(pd.DataFrame({"region": region}), kind).findings.coefficients.infinite
    assert [(c.name, c.direction, c.label) for c in found] == [("region=west", "-inf", "c")]
    assert because(found[0], report_speaker("en")) == ["region = west: 12 rows, none of class c"]


# -- The page --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def region():
    """Six rows of the west, all dead; a constant, a duplicate and two contradictory rows."""
    place = np.repeat(["north", "south", "east", "west"], [12, 10, 8, 6])
    died = np.where((np.arange(36) % 2 == 0) | (place == "west"), "dead", "alive")
    table = pd.DataFrame({"dose": np.arange(36) % 5, "region": place, "one": 1})
    return table.assign(twice=table.dose, half=table.dose / 2), died


def test_the_page_answers_in_english(region):
    made = report(*region)
    text = text_of(made)
    for sentence in (
        "Not strictly. A hyperplane has no row on the wrong side",
        "region=west +∞ region = west: 6 rows, all of class dead",
        "from the most frequent level of the column that more than one class has (region = north)",
        "row (from 0) label",
        "1 column has the same value in all rows: one.",
        "These columns are identical to each other: dose, twice.",
        "half is a linear combination of dose.",
        "A positive score means class dead, a negative one class alive.",
        "baseline: always dead",
        "rosenblatt.report(X, y)",
    ):
        assert sentence in text, sentence
    assert made.findings.verdict == "touching"
    assert str(made).startswith("not separable")


def test_the_page_answers_in_chinese(region):
    text = text_of(report(*region, lang="zh"))
    for sentence in (
        "不能严格分开（拟完全分离）",
        "region = west：6 行，全部属于类别 dead",
        "总是预测 dead",
        "逻辑斯谛回归",
    ):
        assert sentence in text, sentence


def test_every_phrase_exists_in_both_languages_with_the_same_fields():
    for key, (english, chinese) in REPORT_PHRASES.items():
        shown = re.sub(r"{\w+:[^}]*\|[^}]*}", "", english)  # without the words for one or for more
        assert set(re.findall(r"{(\w+)", shown)) == set(re.findall(r"{(\w+)", chinese)), key
        assert re.search("[\u4e00-\u9fff，、。：；（]|∞", chinese) or key == "gap", key


def test_the_certificate_on_the_page_is_proof(region):
    link = next(x for x in Text(report(*region).html).links if x.startswith("data:"))
    proof = base64.b64decode(link.partition("base64,")[2]).decode()
    assert verify(json.loads(proof), *region)


def test_rows_in_the_way_are_told_by_their_lines(tmp_path):
    X, y = datasets.clouds(60, 2, margin=0.3)
    y[17] = -y[17]
    path = tmp_path / "flipped.csv"
    np.savetxt(path, np.column_stack((X, y)), delimiter=",", header="a,b,label", comments="")
    made = report(read(path))
    assert made.findings.best[:2] == (1, 1)
    assert [(row.number, row.label) for row in made.findings.wrong.rows] == [(19, str(y[17]))]
    assert made.findings.wrong.rows[0].conflicts > 0
    assert f"rosenblatt certify {path} --save" in text_of(made)


def test_several_classes_have_a_matrix_of_pairs():
    X, y = load_iris(return_X_y=True, as_frame=True)
    made = report(X, y)
    assert made.findings.pairs == {
        (0, 1): "separable",
        (0, 2): "separable",
        (1, 2): "overlapping",
    }
    assert "In some linear machine no row scores higher" in text_of(made)
    assert made.findings.best.mistakes >= made.findings.best.at_least > 0


def test_names_and_labels_are_harmless():
    evil = "<script>alert('$1$')</script>"
    X = pd.DataFrame({evil: [0.0, 1, 2, 3], "t": [evil, "b", evil, "b"]})
    made = report(X, [evil, evil, "{x} & $", "{x} & $"])
    page = Text(made.html)
    assert "script" not in page.names
    assert evil in str(page)
    assert not {name for name in page.names if name in ("iframe", "object", "link", "img")}


def test_nothing_is_loaded_and_the_page_is_small(region):
    made = report(*region)
    assert all(link.startswith(("data:", "#")) for link in Text(made.html).links)
    assert len(made.html.encode()) < 2_000_000
    assert "svg" in Text(made.html).names


def test_it_is_saved_and_shown_in_notebooks(region, tmp_path):
    made = report(*region)
    made.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text("utf-8") == made.html
    assert "<iframe" in made._repr_html_()
    assert "Not strictly" in made._repr_html_()


def test_without_matplotlib_the_page_says_so(region, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "drawing needs matplotlib" in text_of(report(*region))


def test_an_unknown_language_is_refused_before_the_work():
    with pytest.raises(ValueError, match="lang='fr' is not known"):
        report(None, None, lang="fr")


def test_sparse_rows_and_a_class_of_one_row():
    from scipy.sparse import csr_array

    made = report(csr_array(np.eye(5)), [0, 0, 0, 0, 1])
    assert made.findings.verdict == "separable"
    assert "A class has one row only" in text_of(made)


def test_rows_without_any_difference():
    made = report(np.zeros((4, 2)), [0, 0, 1, 1])
    assert (made.findings.verdict, made.findings.best.at_least) == ("overlapping", 2)
    assert "2 columns have the same value in all rows: x0, x1." in text_of(made)
    with pytest.raises(ValueError, match="there are no labels y"):
        verify(made.findings.certificate, np.zeros((4, 2)))


def test_the_public_name_is_the_function_also_after_its_modules_are_loaded():
    assert rosenblatt.report is report
    assert callable(rosenblatt.report)


def test_the_run_says_that_a_second_stage_found_the_separator():
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.r_[:200]
    for lang, ended in (
        ("en", "why it ended a second stage found the separator, before plain passes did"),
        ("zh", "结束原因 在常规训练收敛之前，由判定阶段找到分离超平面"),
    ):
        text = text_of(report(X[rows], y[rows], lang=lang))
        assert ended in text
    assert "why it ended every row was right" in text_of(report(*datasets.textbook()))


# -- The hyperplane that is drawn ------------------------------------------------------------------


def test_the_margin_told_is_that_of_the_hyperplane_drawn_beside_the_widest():
    X, y = load_iris(return_X_y=True)
    made = report(X, y == 0)
    plain = Perceptron().fit(X, y == 0)
    f = np.abs(plain.decision_function(X)) / np.linalg.norm(plain.coef_)
    assert made.findings.margin.nearest == pytest.approx(f.min())
    assert made.findings.margin.widest == pytest.approx(max_margin(X, y == 0).margin)
    assert (
        f"The nearest row is {f.min():.3g} away from the hyperplane that Perceptron() finds. "
        "The widest margin of any hyperplane is 0.818."
    ) in text_of(made)
    shown = "orthogonal to w. The picture shows the hyperplane that Perceptron() finds."
    assert shown in text_of(made)
    assert "The weights are those of the hyperplane that Perceptron() finds." in text_of(made)
    assert "图中为 Perceptron() 得到的超平面。" in text_of(report(X, y == 0, lang="zh"))


def test_the_margin_of_several_classes_is_the_distance_of_a_row_from_a_border():
    X, y = np.array([[0.0, 0], [4, 0], [0, 4], [5, 1]]), [0, 1, 2, 1]
    made = report(X, y)
    plain = Perceptron().fit(X, y)
    W, f = plain.coef_, plain.decision_function(X)
    leads = [
        (f[i, own] - f[i, c]) / np.linalg.norm(W[own] - W[c])
        for i, own in enumerate(y)
        for c in range(3)
        if c != own
    ]
    assert made.findings.margin == (pytest.approx(min(leads)), None)
    assert "from a border of the linear machine that Perceptron() finds." in text_of(made)


def test_weights_where_rows_are_in_the_way_are_those_of_the_best_hyperplane():
    text = text_of(report([[0.0], [1], [2], [3], [4]], [0, 0, 1, 0, 1]))
    assert "The picture shows the best hyperplane found (1 row wrong)." in text
    assert "The weights are those of the best hyperplane found (1 row wrong)." in text


# -- Touching --------------------------------------------------------------------------------------


def test_touching_tells_how_many_rows_the_hyperplane_leaves_undecided(region):
    made = report(*region)
    assert made.findings.on_border == 30  # all but the six of the west
    assert (
        "Not strictly. A hyperplane has no row on the wrong side, but it leaves 30 of 36 rows "
        "undecided, because they lie on it; every such hyperplane has rows on it."
    ) in text_of(made)


def test_touching_of_several_classes_tells_how_many_rows_are_tied():
    place = np.repeat(["north", "west"], [30, 12])
    kind = np.array(list("abc") * 10 + list("a") * 12)
    made = report(pd.DataFrame({"place": place}), kind)
    assert made.findings.on_border == 30
    text = text_of(made)
    assert "no row scores higher for another class, but 30 of 42 rows have ties" in text
    assert "Almost" not in text
    assert "42 行中有 30 行" in text_of(report(pd.DataFrame({"place": place}), kind, lang="zh"))


def test_levels_that_no_row_has_any_more_make_no_column_constant(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("city,v,ok\nA,1,yes\nB,,no\nC,3,yes\nA,7,no\nC,2,no\n")
    table = read(path, missing="drop")
    assert examine_columns(subject_of(table)).constant == []
    path.write_text("city,v,ok\nA,1,yes\nB,,no\nA,3,yes\nA,7,no\n")
    assert examine_columns(subject_of(read(path, missing="drop"))).constant == ["city"]
