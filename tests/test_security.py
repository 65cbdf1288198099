"""What SECURITY.md promises and no other test holds; and that the tests it names exist."""

import json
import os
import re
import socket
import sys
from pathlib import Path

import numpy as np
import pytest

from rosenblatt import certify, read, report
from rosenblatt.play.responses import QUESTIONS, answer
from rosenblatt.play.server import listen

ROOT = Path(__file__).parents[1]
CODE = "__import__('os').mkdir('evaluated')"


def test_every_test_that_is_named_exists():
    told = (ROOT / "SECURITY.md").read_text()
    file = None
    for name in re.findall(r"`([\w/]+\.py|test_\w+)`", told):
        if name.endswith(".py"):
            file = (ROOT / "tests" / name).read_text()
        else:
            assert f"def {name}(" in file, name
    assert len(re.findall(r"`test_\w+`", told)) > 20


def test_cells_that_are_code_are_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    cells = [CODE, "=CMD()", "{{7*7}}", "${HOME}", "a"]
    lines = [f'"{cell}",{k},{"pq"[k % 2]}' for k, cell in enumerate(cells)]
    Path("t.csv").write_text(f'"{CODE}",b,y\n' + "\n".join(lines) + "\n")
    table = read("t.csv", target="y")
    assert certify(table).verdict == "separable"
    assert os.listdir() == ["t.csv"]


class Payload:
    """What pickle would run."""

    def __reduce__(self):
        return os.mkdir, ("evaluated",)


@pytest.mark.parametrize("name", ["t.npy", "t.npz"])
def test_pickles_in_arrays_are_not_opened(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (np.save if name.endswith("npy") else np.savez)(name, np.array([[Payload(), 1]] * 2, object))
    with pytest.raises(ValueError, match=f"{name}"):
        read(name)
    assert os.listdir() == [name]


def test_markup_in_a_table_is_text_in_a_report(tmp_path):
    evil = "<script>alert(1)</script>"
    path = tmp_path / "t.csv"
    path.write_text(f"{evil},b,y\n0,1,{evil}\n1,0,{evil}\n1,0,x\n0,1,x\n")
    table = read(path, target="y")
    html = report(table).html + certify(table)._repr_html_()
    assert evil not in html
    assert "&lt;script&gt;alert(1)" in html


# -- The page --------------------------------------------------------------------------------------


def test_the_page_listens_on_this_machine_only():
    with listen("127.0.0.1", 0) as sock:
        assert sock.getsockname()[0] == "127.0.0.1"
        assert sock.family == socket.AF_INET


OPENED, WATCHING = [], []  # files, while somebody watches
sys.addaudithook(lambda event, args: WATCHING and event == "open" and OPENED.append(args[0]))


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.csv", "file:///etc/passwd", "t.csv"])
def test_the_page_opens_no_file_that_a_request_names(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("1,0\n2,1\n")
    WATCHING.append(name)
    try:
        for data in (
            {"name": name},
            {"name": "table", "text": name},
            {"name": "points", "X": name},
        ):
            for question in QUESTIONS:
                body = json.dumps({"data": data, "learner": {"kernel": name}}).encode()
                assert answer(question, body)[0] != 200
    finally:
        WATCHING.clear()
    opened, OPENED[:] = OPENED[:], []
    assert not [path for path in opened if name in str(path)]
    assert os.listdir() == ["t.csv"]  # a table that was pasted is in a folder of its own meanwhile
