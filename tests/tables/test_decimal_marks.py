"""Decimal commas and marks between thousands: recognised, or refused in a sentence."""

import sys

import numpy as np
import pytest

from rosenblatt import read, scan


@pytest.fixture
def table(tmp_path):
    def write(text, name="t.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("text", "X", "told"),
    [
        ("1,5;2,5;A\n0,25;-1;B\n", [[1.5, 2.5], [0.25, -1]], "decimal commas"),
        ("u;v;w\n1,5;2,5;A\n0,25;;B\n3;1;A\n", [[1.5, 2.5], [3, 1]], "decimal commas"),
        ("1,5\t2,5\tA\n0,25\t-1\tB\n", [[1.5, 2.5], [0.25, -1]], "decimal commas"),
        ("1,5 2,5 A\n0,25 -1e-2 B\n", [[1.5, 2.5], [0.25, -0.01]], "decimal commas"),
        ("1.234,5;1.500;A\n-2;0,5;B\n", [[1234.5, 1500], [-2, 0.5]], "decimal commas"),
        ("1 234,5;7;A\n2,5;8;B\n", [[1234.5, 7], [2.5, 8]], "decimal commas"),
        ('"1,234,567",2,A\n"1,500",3,B\n', [[1234567, 2], [1500, 3]], "between thousands"),
        ("1'234.5;2;A\n1'500;3;B\n", [[1234.5, 2], [1500, 3]], "between thousands"),
        ("1;2;A\n" * 2 + "3;4;B\n", [[1, 2], [1, 2], [3, 4]], None),
    ],
)
def test_numbers_as_people_write_them(table, text, X, told):
    path = table(text)
    found = read(path, missing="drop")
    assert found.X.tolist() == X
    assert found.told.encoded == ()
    assert (told is None) == (found.told.decimal is None)
    assert told is None or told in str(found.told)
    ((block, _),) = scan(path, missing="drop")
    assert block.tolist() == X


@pytest.mark.parametrize(
    ("text", "decimal", "said"),
    [
        (
            "1,500;A\n2,250;B\n",
            None,
            r"'x1' holds '1,500' in line 1, which may mean 1.5 or 1500",
        ),
        (
            "1,5;2.5;A\n2,5;3;B\n",
            None,
            r"'1,5' in line 1, and column 'x2' holds '2.5' in line 1",
        ),
        ("1,5;2;A\n2,5;3;B\n", ".", r"holds '1,5' in line 1, which is no number with decimal='\.'"),
        (
            "1,5;2.5;A\n2,5;3;B\n",
            ",",
            r"'2.5' in line 1, which is no number with decimal=','",
        ),
    ],
)
def test_numbers_that_may_mean_two_things_are_refused(table, text, decimal, said):
    for take in (read, scan):
        with pytest.raises(ValueError, match=said):
            take(table(text), decimal=decimal)


def test_a_mark_that_is_named_is_believed(table):
    path = table("1,500;A\n2,250;B\n")
    assert read(path, decimal=",").X.tolist() == [[1.5], [2.25]]
    assert read(path, decimal=".").X.tolist() == [[1500], [2250]]


def test_a_mark_that_comes_late_is_found(table, monkeypatch):
    monkeypatch.setattr("rosenblatt.tables.file_formats.text_layout.SAMPLE_BYTES", 20)
    found = read(table("1;2;A\n" * 50 + "1,5;2;B\n"))
    assert found.X[-1].tolist() == [1.5, 2]
    assert found.told.decimal == ","


@pytest.mark.parametrize("cells", ["1,5;x", "a,b;c,d", "1.2.3;1.2.4", "1,2,3;4,5,6"])
def test_what_is_no_number_stays_text(table, cells):
    first, second = cells.split(";")
    assert read(table(f"{first};1;A\n{second};2;B\n")).told.encoded == ("x1",)


# -- whole numbers that a double does not hold -----------------------------------------------------

BEYOND = {
    "a.csv": "id,y\n9007199254740992,no\n9007199254740993,yes\n",
    "a.dat": "9007199254740993 2 1\n3 4 -1\n",
    "point.csv": 'id,b;y\n"9,007,199,254,740,993";2.5;no\n1;3.5;yes\n'.replace(",b", ";b"),
    "digits.csv": f"id,y\n{'9' * 400},no\n1,yes\n",
}


@pytest.mark.parametrize("name", BEYOND)
@pytest.mark.parametrize("patient", [False, True])
def test_whole_numbers_beyond_2_to_the_53_are_refused(table, name, patient, monkeypatch):
    if patient:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        monkeypatch.setattr(np, "loadtxt", lambda *a, **k: (_ for _ in ()).throw(ValueError()))
    path = table(BEYOND[name], name)
    for take in (read, scan):
        with pytest.raises(ValueError, match=r"holds whole numbers beyond 2\*\*53; leave it out"):
            take(path)


@pytest.mark.parametrize("line", ["1 1:9007199254740993", "9007199254740993 1:2"])
def test_whole_numbers_beyond_2_to_the_53_are_refused_in_libsvm(table, line):
    path = table(f"1 1:1\n{line}\n", "t.libsvm")
    with pytest.raises(ValueError, match=r"line 2: holds whole numbers beyond 2\*\*53"):
        read(path)


@pytest.mark.parametrize("name", ["a.csv", "a.dat"])
def test_large_numbers_that_are_no_whole_ones_are_the_nearest_double(table, name):
    cells = "1e20", "12345678901234567890.5", "-9007199254740992"
    text = "".join(f"{cell},{k % 2}\n" for k, cell in enumerate(cells))
    path = table(text if name == "a.csv" else text.replace(",", " "), name)
    assert read(path).X.ravel().tolist() == [float(cell) for cell in cells]
    assert read(path).source.fast


def test_a_column_of_long_numbers_can_be_left_out(table):
    path = table("id,a,y\n9007199254740993,1,no\n9007199254740995,2,yes\n")
    assert read(path, without=["id"]).X.tolist() == [[1], [2]]
    assert [X.tolist() for X, _ in scan(path, without=["id"])] == [[[1], [2]]]
