"""Data frames are encoded as files are, whichever library they come from."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import certify, certify_each, fewest_mistakes, read, verify

FRAME = pd.DataFrame(
    {
        "age": [30, 41, 52, 63],
        "sex": ["f", "m", "f", "f"],
        "ward": pd.Categorical([1, 2, 1, 3]),
        "smokes": [True, False, False, True],
        "since": pd.to_datetime(["1970-01-02", "1970-01-03", "1970-01-02", "1970-01-05"]),
    }
)
NAMES = ["age", "sex=f", "sex=m", "ward=1", "ward=2", "ward=3", "smokes=false", "smokes=true"]
LABELS = ["ill", "well", "ill", "well"]
CONVERSIONS = {
    "pandas": lambda frame: frame,
    "text of pandas": lambda frame: frame.astype({"sex": "string", "age": "Int64"}),
    "polars": lambda frame: pl.from_pandas(frame.astype({"ward": str})),
    "arrow": lambda frame: pa.Table.from_pandas(frame.astype({"ward": str})),
    "objects": lambda frame: frame.astype({"ward": str, "age": object, "smokes": object}).assign(
        since=[day.date() for day in frame.since]
    ),
}
every_library = pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS)


@every_library
def test_a_frame_is_read_as_the_file_that_holds_it(convert, tmp_path):
    pq.write_table(pa.Table.from_pandas(FRAME.astype({"ward": str})), tmp_path / "t.parquet")
    file, frame = (read(x, target=None) for x in (tmp_path / "t.parquet", convert(FRAME)))
    assert frame.feature_names == file.feature_names == [*NAMES, "since"]
    assert frame.X.tolist() == file.X.tolist()
    assert frame.X[:, -1].tolist() == [1, 2, 1, 4]


@every_library
def test_certificates_of_frames_with_text_hold_and_name_coefficients(convert):
    frame = convert(FRAME)
    found = certify(frame, LABELS)
    assert found.verdict == "separable"
    assert list(found.infinite_coefficients()) == [*NAMES, "since", "intercept"]
    assert verify(found, frame, LABELS)
    assert fewest_mistakes(frame, LABELS).mistakes == 0


def test_a_table_of_read_brings_its_labels_and_names():
    table = read(FRAME.assign(y=LABELS))
    found = certify(table)
    assert found.infinite_coefficients() == certify(FRAME, LABELS).infinite_coefficients()
    assert verify(found, table)
    assert fewest_mistakes(table).mistakes == 0
    each = certify_each(FRAME, [0, 1, 2, 1], "one-vs-one")
    assert list(each[0, 1].infinite_coefficients()) == [*NAMES, "since", "intercept"]


def test_frames_of_numbers_and_booleans_are_taken_as_they_are():
    numbers = FRAME[["age", "smokes"]]
    assert list(certify(numbers, LABELS).infinite_coefficients()) == ["age", "smokes", "intercept"]
    assert certify(pa.Table.from_pandas(numbers), LABELS) == certify(numbers, LABELS)


def test_missing_values_are_refused_all_columns_in_one_message():
    frame = FRAME.assign(age=[1, None, 3, 4], sex=["f", "m", None, "f"])
    with pytest.raises(ValueError, match=r"missing values in 'age' \(row 1\), 'sex' \(row 2\)"):
        certify(frame, LABELS)
    assert read(frame, target=None, missing="drop").X.shape[0] == 2


def test_objects_that_are_nothing_known_are_refused():
    with pytest.raises(ValueError, match="column 'sex' holds objects that are neither"):
        certify(FRAME.assign(sex=[{}, {}, {}, {}]), LABELS)
    with pytest.raises(ValueError, match="column 'sex' holds objects that are neither"):
        certify(FRAME.assign(sex=["f", 1, "f", datetime.date(2020, 1, 1)]), LABELS)


# -- Reference coding ------------------------------------------------------------------------------


def region_table():
    """Six rows of the west, all dead; in the other regions nothing is certain."""
    region = np.repeat(["north", "south", "east", "west"], [12, 10, 8, 6])
    died = np.where((np.arange(36) % 2 == 0) | (region == "west"), "dead", "alive")
    return pd.DataFrame({"dose": np.arange(36) % 5, "region": region}), died


def test_a_level_that_tells_the_class_is_no_reference_however_frequent():
    X, died = region_table()
    often = np.concatenate((np.arange(36), np.repeat(np.flatnonzero(X.region == "west"), 5)))
    told = certify(X.iloc[often], died[often]).infinite_coefficients()
    assert told == certify(X, died).infinite_coefficients()
    assert (told["region=west"], told["region=north"]) == ("+inf", "reference")


def test_the_level_with_one_class_is_the_one_whose_coefficient_is_infinite():
    found = certify(*region_table())
    assert found.verdict == "touching"
    assert found.infinite_coefficients() == {
        "dose": "finite",
        "region=east": "finite",
        "region=north": "reference",
        "region=south": "finite",
        "region=west": "+inf",
        "intercept": "finite",
    }
    assert found.dependence() is None


def test_without_a_bias_the_first_text_column_has_no_reference():
    frame, died = region_table()
    found = certify(frame.assign(sex=["f", "m", "m"] * 12), died, fit_intercept=False)
    told = found.infinite_coefficients()
    assert told["region=west"] == "+inf"
    assert [name for name, what in told.items() if what == "reference"] == ["sex=m"]


def test_with_several_classes_the_reference_is_left_out_of_each():
    frame, died = region_table()
    died = np.where((np.arange(36) % 3 == 0) & (frame.region != "west"), "lost", died)
    told = certify(frame, died).infinite_coefficients()
    assert {each["region=north"] for each in told.values()} == {"reference"}
    assert told["dead"]["region=west"] == "+inf"


def test_whole_numbers_beyond_2_to_the_53_are_refused_among_missing_ones():
    values = [2**53 + 1, None]
    columns = pd.array(values, "Int64"), pd.Series(values, dtype=object)
    frames = [pd.DataFrame({"a": column, "y": ["u", "v"]}) for column in columns]
    frames += [library({"a": values, "y": ["u", "v"]}) for library in (pl.DataFrame, pa.table)]
    for frame in frames:
        with pytest.raises(ValueError, match=r"column 'a' holds whole numbers beyond 2\*\*53"):
            read(frame, missing="drop")
