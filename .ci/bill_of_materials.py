"""The software bill of materials, in CycloneDX: what a wheel is, and what it stands on here.

    python .ci/bill_of_materials.py dist

writes dist/rosenblatt-<version>.cdx.json. Versions are those installed, with which the tests have
run; what only extras need is optional.
"""

import hashlib
import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def needs(name, extras):
    """The installed packages that one needs, each with the extras asked of it."""
    for line in distribution(name).requires or ():
        wanted = Requirement(line)
        asked = [{"extra": extra} for extra in (*extras, "")]
        if wanted.marker is None or any(wanted.marker.evaluate(extra) for extra in asked):
            yield canonicalize_name(wanted.name), frozenset(wanted.extras)


def closure(name, extras=frozenset()):
    """Everything that a package stands on: for each, what it needs itself."""
    found, waiting, met = {}, [(name, frozenset(extras))], set()
    while waiting:
        name, extras = each = waiting.pop()
        if each in met:
            continue
        met.add(each)
        try:
            direct = list(needs(name, extras))
        except PackageNotFoundError:  # of an extra that is not installed here
            continue
        found[name] = found.get(name, set()) | {other for other, _ in direct} - {name}
        waiting += direct
    return found


def reference(name):
    return f"pkg:pypi/{name}@{distribution(name).version}"


def component(name, required):
    """A package, as CycloneDX has it."""
    about = distribution(name).metadata
    told = about.get("License-Expression") or about.get("License") or ""
    named = {"licenses": [{"license": {"name": told.splitlines()[0]}}]} if told.strip() else {}
    return {
        "type": "library",
        "bom-ref": reference(name),
        "name": name,
        "version": about["Version"],
        "purl": reference(name),
        "scope": "required" if name in required else "optional",
    } | named


def bill(wheel):
    """The bill of a wheel of this package."""
    every, required = closure("rosenblatt", {"all"}), closure("rosenblatt")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    subject = component("rosenblatt", required) | {
        "hashes": [{"alg": "SHA-256", "content": digest}],
    }
    names = sorted(set(every) - {"rosenblatt"})
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": subject},
        "components": [component(name, required) for name in names],
        "dependencies": [
            {
                "ref": reference(name),
                "dependsOn": [reference(o) for o in sorted(direct & set(every))],
            }
            for name, direct in sorted(every.items())
        ],
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (wheel,) = folder.glob("*.whl")
    path = folder / f"{'-'.join(wheel.name.split('-')[:2])}.cdx.json"
    path.write_text(json.dumps(bill(wheel), indent=2) + "\n")
    print(path)
