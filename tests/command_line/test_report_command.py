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
