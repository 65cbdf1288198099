"""The command that answers on one page."""

import json

import pytest

from rosenblatt.cli import main

REGIONS = ["north"] * 12 + ["south"] * 10 + ["east"] * 8 + ["west"] * 6


@pytest.fixture
def table(tmp_path):
    """Six rows of the west, all dead; in the other regions nothing is certain."""
    died = [
        "dead" if k % 2 == 0 or region == "west" else "alive" for k, region in enumerate(REGIONS)
    ]
    rows = [
        f"{k % 5},{region},{y}" for k, (region, y) in enumerate(zip(REGIONS, died, strict=True))
    ]
    path = tmp_path / "regions.csv"
    path.write_text("\n".join(["dose,region,state", *rows]) + "\n")
    return path


@pytest.fixture
def run(capsys, monkeypatch):
    """Run a command: exit code, output and errors."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def command(*args):
        with pytest.raises(SystemExit) as end:
            main([str(arg) for arg in args])
        return (end.value.code or 0, *capsys.readouterr())

    return command


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "region = west: 6 rows, all of class dead"),
        ("zh", "region = west：6 行，全部属于类别 dead"),
    ],
)
def test_a_report_in_both_languages(run, table, tmp_path, lang, sentence):
    page = tmp_path / "report.html"
    code, out, err = run("report", table, "-o", page, "--lang", lang)
    assert (code, err) == (0, "")
    assert out.rstrip().endswith(str(page))
    html = page.read_text("utf-8")
    assert sentence in html
    assert f"rosenblatt verify certificate.json {table}" in html


def test_the_page_tells_how_the_table_was_read(run, table, tmp_path):
    page = tmp_path / "report.html"
    how = ("--target", "dose", "--without", "region")
    code, out, _ = run("report", table, "-o", page, *how, "--json")
    assert code == 0
    assert json.loads(out)["saved"] == [str(page)]
    html = page.read_text("utf-8")
    assert "--target=dose --without=region" in html
    assert "target=&#x27;dose&#x27;, without=[&#x27;region&#x27;]" in html


def test_a_page_is_an_html_file(run, table, tmp_path):
    code, _, err = run("report", table, "-o", tmp_path / "report.pdf")
    assert code == 2
    assert "should end in .html" in err
    assert not (tmp_path / "report.pdf").exists()


# -- what certify and explain tell -----------------------------------------------------------------


@pytest.mark.parametrize("command", ["certify", "explain"])
def test_infinite_coefficients_are_named_with_the_rows_behind_them(run, table, command):
    _, out, err = run(command, table)
    assert err == ""
    assert "region=west → +∞: region = west: 6 rows, all of class dead" in out
    assert "level of the column that more than one class has (region = north)" in out
    assert "line 2 (dead), line 7 (alive), line 12 (dead)" in out
    _, out, _ = run(command, table, "--lang", "zh")
    assert "region=west → +∞：region = west：6 行，全部属于类别 dead" in out


def test_the_same_for_machines(run, table):
    code, out, _ = run("certify", table, "--json")
    facts = json.loads(out)
    (west,) = facts["infinite_coefficients"]
    assert code == 1
    assert (west["name"], west["direction"], west["count"]) == ("region=west", "+inf", 6)
    assert facts["reference_levels"] == {"region": "north"}
    assert facts["contradictions"][0] == {
        "numbers": [2, 7, 12],
        "labels": ["dead", "alive", "dead"],
    }


def test_dependent_columns_are_told(run, tmp_path):
    path = tmp_path / "units.csv"
    rows = [f"{c},{c * 1.8 + 32},{c},7,{c % 2}" for c in range(12)]
    path.write_text("\n".join(["celsius,fahrenheit,again,seven,y", *rows]) + "\n")
    _, out, _ = run("certify", path)
    assert "1 column has the same value in all rows: seven." in out
    assert "These columns are identical to each other: celsius, again." in out
    assert "fahrenheit is a linear combination of the constant, celsius." in out
    assert "None. The classes overlap" in out


def test_with_several_classes_the_joint_verdict_comes_first(run, tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("0,0,a\n1,0,a\n5,5,b\n6,5,b\n0,9,c\n1,9,c\n")
    for scheme in ("one-vs-rest", "one-vs-one"):
        code, out, _ = run("certify", path, "--scheme", scheme)
        assert code == 0
        assert out.splitlines()[1].startswith("all together")
        assert "some linear machine scores every row highest" in out.splitlines()[1]
    _, out, _ = run("explain", path)
    assert out.splitlines()[1].startswith("verdict  separable: some linear machine")


# -- weights in words ------------------------------------------------------------------------------


def test_fit_tells_which_class_is_positive_and_what_columns_contribute(run, tmp_path):
    path = tmp_path / "points.csv"
    rows = [f"{k},{(k % 2) / 100},{'yes' if k > 5 else 'no'}" for k in range(14)]
    path.write_text("\n".join(["large,small,y", *rows]) + "\n")
    _, out, _ = run("fit", path)
    assert "a positive score means yes" in out
    assert "training 100.00% (always yes: 57.14%)" in out
    facts = json.loads(run("fit", path, "--json")[1])
    assert facts["baseline"] == {"label": "yes", "accuracy": 8 / 14}
    assert sum(facts["contributions"].values()) == pytest.approx(1)
    assert facts["contributions"]["large"] > 0.9
    _, out, _ = run("fewest", path)
    assert "a positive score means yes" in out


def test_with_several_classes_every_hypothesis_has_its_contributions(run, tmp_path):
    path = tmp_path / "three.csv"
    path.write_text("0,0,a\n1,0,a\n5,5,b\n6,5,b\n0,9,c\n1,9,c\n")
    facts = json.loads(run("fit", path, "--json")[1])
    assert {name: round(sum(of.values()), 9) for name, of in facts["contributions"].items()} == {
        "a": 1, "b": 1, "c": 1
    }  # fmt: skip


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_near_the_largest_have_a_verdict(tmp_path, capfd):
    X = [[-1e242, 2e242, 3e242], [-3e242, 1e242, 3e242], [-2e242, 3e242, 0.0]]
    X.append([-3e242, 2e242, -1e242])
    lines = [",".join(map(repr, [*x, label])) for x, label in zip(X, (3, 0, 2, 1), strict=True)]
    (tmp_path / "t.csv").write_text("a,b,c,y\n" + "\n".join(lines) + "\n")
    with pytest.raises(SystemExit) as ended:
        main(["certify", str(tmp_path / "t.csv")])
    assert not ended.value.code, capfd.readouterr().err
    assert "separable" in capfd.readouterr().out


def test_a_bound_beyond_floating_point_is_not_told(run, tmp_path):
    (tmp_path / "t.csv").write_text("1e-187,-1e-187,a\n0,0,b\n")
    code, out, err = run("fit", tmp_path / "t.csv", "--no-header", "--json")
    assert code == 0, err
    assert json.loads(out)["mistake_bound"] is None
