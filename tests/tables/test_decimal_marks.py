"""Decimal commas and marks between thousands: recognised, or refused in a sentence."""

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
