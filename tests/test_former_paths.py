"""Pickles of earlier versions name classes by modules that have moved."""

import pickle
import subprocess
import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("bounds.MistakeBound", "rosenblatt.mistake_bound.MistakeBound"),
        ("bounds.Steps", "rosenblatt.mistake_bound.Steps"),
        ("columns.Column", "rosenblatt.tables.encoding.Column"),
        ("columns.Encoding", "rosenblatt.tables.encoding.Encoding"),
        ("columns.Tally", "rosenblatt.tables.encoding.ColumnStatistics"),
        ("dask.DaskPerceptron", "rosenblatt.dask.DaskPerceptron"),
        ("delimited.Delimited", "rosenblatt.tables.file_formats.delimited_text.Delimited"),
        ("dual.KernelPerceptron", "rosenblatt.estimators.kernel_perceptron.KernelPerceptron"),
        ("estimators.Perceptron", "rosenblatt.estimators.perceptron.Perceptron"),
        ("expansion.Ballots", "rosenblatt.estimators.kernel_expansion.VotedExpansion"),
        ("expansion.Memory", "rosenblatt.estimators.kernel_expansion.Memory"),
        ("files.File", "rosenblatt.tables.files.File"),
        ("fitting.Online", "rosenblatt.estimators.runs.Online"),
        ("geometry.Bracket", "rosenblatt.core.margin_bound.Bracket"),
        ("log.Log", "rosenblatt.core.log.Log"),
        ("survey.Survey", "rosenblatt.tables.schema.Survey"),
        ("sweep.Dense", "rosenblatt.core.loop.Dense"),
        ("sweep.Rows", "rosenblatt.core.loop.Rows"),
        ("tables.Blocks", "rosenblatt.tables.Blocks"),
        ("tables.Table", "rosenblatt.tables.Table"),
        ("tables.Told", "rosenblatt.tables.ReadSummary"),
        ("verdicts.Certificate", "rosenblatt.separability.certificate.Certificate"),
        ("verdicts.Clash", "rosenblatt.separability.certificate.ConflictWeights"),
        ("verdicts.Hyperplane", "rosenblatt.separability.certificate.Hyperplane"),
        ("verdicts.LinearMachine", "rosenblatt.separability.certificate.LinearMachine"),
        ("verdicts.PairClash", "rosenblatt.separability.certificate.PairConflictWeights"),
        ("widest.MaxMargin", "rosenblatt.separability.max_margin.MaxMargin"),
        ("wishes.Wish", "rosenblatt.tables.column_selection.ReadOptions"),
        (
            "dependence.Dependence",
            "rosenblatt.separability.coefficients.dependent_columns.Dependence",
        ),
        ("tables.parquet.Parquet", "rosenblatt.tables.file_formats.parquet.Parquet"),
        ("fewest.FewestMistakes", "rosenblatt.separability.fewest_mistakes.FewestMistakes"),
        (
            "mistakes.MistakesCertificate",
            "rosenblatt.separability.counting.mistakes_certificate.MistakesCertificate",
        ),
        ("packing.Packing", "rosenblatt.separability.counting.packing.Packing"),
        ("packing.Branch", "rosenblatt.separability.counting.packing.Branch"),
    ],
)
def test_a_class_is_found_under_its_former_name(former, now):
    module, name = f"rosenblatt.{former}".rsplit(".", 1)
    found = pickle.loads(f"c{module}\n{name}\n.".encode())
    module, name = now.rsplit(".", 1)
    assert found is getattr(import_module(module), name)


def test_what_never_was_is_not_found():
    with pytest.raises(AttributeError):
        pickle.loads(b"crosenblatt.log\nTree\n.")


def test_former_modules_load_nothing_before_they_are_asked():
    code = "import rosenblatt, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
