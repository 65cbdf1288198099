"""What strangers get: the versions that are promised, the wheel, the source archive."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
SUPPORTED = re.search(r"\[(.*)\]", EXTRAS["all"][0])[1].split(",")


def test_the_oldest_versions_are_the_floors():
    promised = PROJECT["dependencies"] + [line for extra in SUPPORTED for line in EXTRAS[extra]]
    floors = [re.sub(r"\[.*\]", "", line).replace(">=", "==") for line in promised]
    lines = (ROOT / "constraints-min.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == floors


# -- Wheel and source archive ----------------------------------------------------------------------


def call(*command, cwd=None):
    """Run a command: its exit code, and all that it printed."""
    done = subprocess.run(map(str, command), cwd=cwd, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """A folder with the source archive, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    code, said = call(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    assert code == 0, said
    return folder


@pytest.fixture(scope="module")
def stranger(dist, tmp_path_factory):
    """Runs a program of an environment that has the wheel, but no extra, in an empty folder."""
    home, folder = tmp_path_factory.mktemp("environment"), tmp_path_factory.mktemp("empty")
    call(sys.executable, "-m", "venv", home)
    (wheel,) = dist.glob("*.whl")
    code, said = call(home / "bin" / "pip", "install", "--quiet", wheel)
    assert code == 0, said
    return lambda program, *args: call(home / "bin" / program, *args, cwd=folder)


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package(dist):
    """py.typed, the embedded data and the pages too; made from the source archive alone."""
    tracked = subprocess.check_output(["git", "ls-files", "src"], cwd=ROOT, text=True).split()
    (wheel,) = dist.glob("*.whl")
    inside = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    assert sorted(inside) == sorted(name.removeprefix("src/") for name in tracked)
    assert "rosenblatt/py.typed" in inside


@pytest.mark.slow
def test_the_source_archive_can_test_itself(dist):
    (archive,) = dist.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"LICENSE", "Makefile", "constraints-min.txt", "tests/naive.py", ".ci/run"} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith(".venv")]


@pytest.mark.slow
def test_the_same_sources_make_the_same_files_anywhere(tmp_path):
    """Bit by bit: in another folder, with other times and permissions, and from the archive."""
    tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    made = []
    for folder, mode in ((tmp_path / "a", 0o644), (tmp_path / "b" / "deeper", 0o600)):
        for name in filter(None, tracked.split("\0")):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
            target.chmod(mode | (ROOT / name).stat().st_mode & 0o100)
            os.utime(target, (mode * 10**6,) * 2)
        code, said = call(sys.executable, "-m", "build", "--outdir", folder / "dist", folder)
        assert code == 0, said
        made.append({file.name: file.read_bytes() for file in (folder / "dist").iterdir()})
    assert len(made[0]) == 2
    assert made[0] == made[1]


@pytest.mark.slow
def test_the_bill_of_materials_names_what_the_wheel_stands_on(dist):
    code, said = call(sys.executable, ROOT / ".ci" / "bill_of_materials.py", dist)
    assert code == 0, said
    (path,), (wheel,) = dist.glob("*.cdx.json"), dist.glob("*.whl")
    bill = json.loads(path.read_text())
    digest = bill["metadata"]["component"]["hashes"][0]["content"]
    assert digest == hashlib.sha256(wheel.read_bytes()).hexdigest()
    scopes = {part["name"]: part["scope"] for part in bill["components"]}
    floors = {line: re.split(r"[\[>]", line)[0] for line in PROJECT["dependencies"]}
    assert all(scopes[name] == "required" for name in floors.values())
    assert scopes["llvmlite"] == "required"  # which numba needs
    assert scopes["matplotlib"] == "optional"
    known = {part["bom-ref"] for part in (*bill["components"], bill["metadata"]["component"])}
    assert {each["ref"] for each in bill["dependencies"]} == known
    assert all(set(each["dependsOn"]) <= known for each in bill["dependencies"])


def told(result):
    """What `verify --json` found."""
    facts = json.loads(result[1])
    return facts["valid"], facts["verdict"]


@pytest.mark.slow
def test_a_stranger_fits_certifies_and_verifies(stranger):
    assert stranger("rosenblatt", "fit", "--save", "model.rosenblatt")[0] == 0
    assert stranger("rosenblatt", "certify", "--save", "proof.json")[0] == 0
    assert told(stranger("rosenblatt", "verify", "proof.json", "--json")) == (True, "separable")
    clouds = (
        "import numpy, rosenblatt\n"
        "X, y = rosenblatt.datasets.clouds(200, 3, 0.1, flip=2)\n"
        "numpy.savetxt('clouds.csv', numpy.column_stack((X, y)), delimiter=',', fmt='%.17g')\n"
    )
    assert stranger("python", "-c", clouds) == (0, "")
    assert stranger("rosenblatt", "certify", "clouds.csv", "--save", "no.json")[0] == 1
    again = stranger("rosenblatt", "verify", "no.json", "clouds.csv", "--json")
    assert told(again) == (True, "overlapping")


@pytest.mark.slow
def test_every_public_name_is_there_without_extras(stranger):
    names = (
        "import rosenblatt\n"
        "for name in set(rosenblatt.__all__) - {'plots'}:\n"
        "    getattr(rosenblatt, name)\n"
    )
    assert stranger("python", "-c", names) == (0, "")


ASKED = {
    "dask": "import rosenblatt.dask; rosenblatt.dask.local_client(2).__enter__()",
    "play": "import rosenblatt.cli; rosenblatt.cli.main(['play', '--lang', 'en'])",
    "plot": "rosenblatt.plots",
    "tables": "open('t.parquet', 'wb').write(b'PAR1'); rosenblatt.read('t.parquet')",
    "excel": (
        "from zipfile import ZipFile; book = ZipFile('t.xlsx', 'w'); "
        "book.writestr('xl/workbook.xml', ''); book.close(); rosenblatt.read('t.xlsx')"
    ),
    "remote": "rosenblatt.read('s3://bucket/t.csv')",
    "onnx": "rosenblatt.to_onnx(rosenblatt.Perceptron().fit([[0], [1]], [0, 1]))",
}


@pytest.mark.slow
@pytest.mark.parametrize("extra", sorted({*SUPPORTED} - {"exact"}))  # only faster with that one
def test_a_missing_extra_is_named(stranger, extra):
    code, said = stranger("python", "-c", f"import rosenblatt; {ASKED[extra]}")
    assert code != 0
    sentence = rf"(ImportError|error): .* needs \w+: pip install 'rosenblatt\[{extra}\]'"
    assert re.fullmatch(sentence, said.splitlines()[-1])
