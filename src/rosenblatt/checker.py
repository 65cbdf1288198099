"""The independent checker of certificates: standard library only, exact arithmetic throughout.

With z = y (x, 1), or y x without intercept, y = -1 for the first class and +1 for the second:
separable: w·z > 0 for all rows; touching: w·z >= 0 for all and > 0 for some, but rows with positive
weights add up to zero, so no w is positive on all of them; overlapping: such rows span all rows.
"""

import csv, hashlib, json, re, struct, sys  # noqa: E401, I001
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

NUMBER = re.compile(r"(-?[0-9]{1,99999})(?:/([0-9]{1,99999}))?", re.ASCII)


def verify(certificate, X, y):
    """True if the data prove the certificate; otherwise ValueError says what fails."""
    c = claim(certificate)
    verdict, classes, one = c["verdict"], c.get("classes"), c["fit_intercept"]
    X = X.toarray() if hasattr(X, "toarray") else X.to_numpy() if hasattr(X, "to_numpy") else X
    X = [[float(v) + 0.0 for v in x] for x in getattr(X, "tolist", X.__iter__)()]
    y = [str(label) for label in getattr(y, "tolist", y.__iter__)()]
    require(X and all(v - v == 0 for x in X for v in x), "the data are empty or not finite")
    same = all([c.get("n_samples"), c.get("n_features")] == [len(y), len(x)] for x in X)
    require(same and len(X) == len(y), "the number of rows or features differs")
    data = b"".join(struct.pack(f"<{len(x)}d", *x) for x in X) + b"\n" + "\n".join(y).encode()
    require(c.get("sha256") == hashlib.sha256(data).hexdigest(), "the hash is of other data")
    two = sorted(set(y))
    require(len(two) == 2 and classes in (two, two[::-1]), "the classes are not the two labels")
    X = [[int(v) if v.is_integer() else Fraction(v) for v in x + [1.0] * one] for x in X]
    Z = [[v if label == classes[1] else -v for v in x] for x, label in zip(X, y, strict=True)]
    if verdict != "overlapping":
        check_separator(separator(c, len(Z[0])), Z, verdict == "separable")
    if verdict != "separable":
        check_conflict(*conflict(c, len(Z)), Z, verdict == "overlapping")
    return True


def claim(certificate):
    c = certificate.to_json() if hasattr(certificate, "to_json") else certificate
    require(not isinstance(c, str) or c.count("[") + c.count("{") < 500, "it is nested too deeply")
    c = json.loads(c) if isinstance(c, str) else c
    require(isinstance(c, dict) and c.get("format") == "rosenblatt-certificate/1", "unknown format")
    verdict = c.get("verdict")
    require(verdict in ("separable", "touching", "overlapping"), f"{verdict!r} is not a proof")
    require(isinstance(c.get("fit_intercept"), bool), "fit_intercept must be true or false")
    stray = {"separable": "conflict", "overlapping": "separator"}.get(verdict)
    require(c.get(stray) is None, f"a {stray} is no part of this verdict")
    return c


def separator(c, width):
    s = c.get("separator")
    require(isinstance(s, dict) and isinstance(s.get("w"), list), "the separator is missing")
    w = [number(v) for v in s["w"] + [s.get("b")]]
    require(c["fit_intercept"] or w.pop() == 0, "without intercept, b must be 0")
    require(len(w) == width, "the separator has the wrong length")
    return w


def check_separator(w, Z, strict):
    sides = [sum(a * b for a, b in zip(z, w, strict=True) if a) for z in Z]
    for i, side in enumerate(sides):
        require(side > 0 or (side == 0 and not strict), f"row {i} is on the wrong side")
    require(any(sides), "the separator separates nothing")


def conflict(c, n):
    s = c.get("conflict")
    rows, weights = (s.get("rows"), s.get("weights")) if isinstance(s, dict) else (None, None)
    require(isinstance(rows, list) and isinstance(weights, list), "the conflict is missing")
    require(all(type(i) is int and 0 <= i < n for i in rows), "a row in conflict is not there")
    require(0 < len(set(rows)) == len(rows) == len(weights), "every row needs one weight")
    weights = [number(v) for v in weights]
    require(min(weights) > 0 and sum(weights) == 1, "weights must be positive and sum to 1")
    return rows, weights


def check_conflict(rows, weights, Z, spanning):
    for column in zip(*(Z[i] for i in rows), strict=True):
        total = sum(v * x for v, x in zip(weights, column, strict=True) if x)
        require(total == 0, "the weighted rows do not add up to zero")
    span = {}  # the rows in conflict, reduced, by the place of their first number
    for z in (beyond(Z[i], span) for i in rows if spanning):
        for lead in [j for j, v in enumerate(z) if v][:1]:
            span[lead] = [Fraction(v) / z[lead] for v in z]
    if spanning and len(span) < len(Z[0]):
        require(not any(any(beyond(z, span)) for z in Z), "the conflict does not span all rows")


def beyond(z, span):
    for lead in sorted(span):
        z = [a - z[lead] * b if b else a for a, b in zip(z, span[lead], strict=True)]
    return z


def number(text):
    parts = isinstance(text, str) and NUMBER.fullmatch(text)
    require(parts and parts[2] != "0" * len(parts[2] or ""), "a malformed number")
    return Fraction(int(Decimal(parts[1])), int(Decimal(parts[2] or 1)))


def require(condition, otherwise):
    if not condition:
        raise ValueError(f"certificate refuted: {otherwise}")


if __name__ == "__main__":
    try:
        proof, data = (Path(name).read_text("utf-8") for name in sys.argv[1:3])
        table = [row for row in csv.reader(data.splitlines()) if row]
        verify(proof, [map(float, row[:-1]) for row in table], [row[-1] for row in table])
    except (OSError, ValueError, csv.Error) as error:
        sys.exit(str(error))
    print("valid")
