"""Run the tests that decide, prove or compare numbers as other processors would.

Compilers fuse multiplications with additions for one processor and not for another, kernels of
linear algebra sum in different orders, and threads cut the rows into different parts. None of that
may change a verdict, or a number beyond its last digits.

Run it as ``make targets``. Targets that this processor cannot run are skipped, and said so.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import llvmlite.binding as llvm

ROOT = Path(__file__).parent.parent
DECIDING = [
    "separability/convex_hull",
    "separability/exact",
    "separability/test_certify.py",
    "separability/test_decide.py",
    "separability/several_classes",
    "separability/test_facial_reduction.py",
    "separability/test_feature_spaces.py",
    "separability/test_max_margin.py",
    "estimators/test_settle.py",
    "test_numbers.py",
]
X86 = platform.machine().lower() in ("x86_64", "amd64")


class Target(NamedTuple):
    """A processor to compile for, the kernels of linear algebra, and the number of threads."""

    cpu: str | None  # None is this one
    kernels: str | None
    threads: int
    needs: tuple[str, ...] = ()  # features of the processor


TARGETS = [
    Target("generic", None, 1),
    Target("sandybridge", "Sandybridge", 2, ("avx",)),
    Target("haswell", "Haswell", 1, ("avx2", "fma", "bmi2")),
    Target(None, "Haswell", 2, ("avx2", "fma")),
]


def lacking(target: Target) -> list[str]:
    """What this processor lacks of what a target needs."""
    features = llvm.get_host_cpu_features()
    return [name for name in target.needs if not (X86 and features.get(name))]


def environment(target: Target) -> dict[str, str]:
    """The variables that make a run one for the target, with compiled code of its own."""
    names = "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"
    chosen = dict.fromkeys(names, str(target.threads))
    chosen["NUMBA_CACHE_DIR"] = str(ROOT / "build" / "targets" / (target.cpu or "host"))
    if target.cpu:
        chosen["NUMBA_CPU_NAME"] = target.cpu
    if target.kernels:
        chosen["OPENBLAS_CORETYPE"] = target.kernels
    return os.environ | chosen


def run(target: Target) -> bool:
    """Run the tests for a target; whether they pass."""
    told = f"{target.cpu or 'host'}, {target.kernels or 'host'} kernels, {target.threads} threads"
    if missing := lacking(target):
        print(f"-- {told}: skipped, for this processor lacks {', '.join(missing)}", flush=True)
        return True
    print(f"-- {told}", flush=True)
    tests = [f"tests/{name}" for name in DECIDING]
    command = [sys.executable, "-m", "pytest", "-m", "not slow", "-n", "2"]
    code = f"import os, sys; {cores(target)}; os.execv(sys.argv[1], sys.argv[1:])"
    line = [sys.executable, "-c", code, *command, *tests]
    return subprocess.run(line, cwd=ROOT, env=environment(target), check=False).returncode == 0


def cores(target: Target) -> str:
    """What keeps a process to as many cores as threads, where that can be done."""
    if not hasattr(os, "sched_setaffinity"):
        return "pass"
    some = sorted(os.sched_getaffinity(0))[: target.threads]
    return f"os.sched_setaffinity(0, {some})"


if __name__ == "__main__":
    passed = [run(target) for target in TARGETS]
    sys.exit(not all(passed))
