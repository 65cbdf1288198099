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
    c = certificate.to_json() if hasattr(certificate, "to_json") else certificate
    require(not isinstance(c, str) or c.count("[") + c.count("{") < 500, "it is nested too deeply")
    c = json.loads(c) if isinstance(c, str) else c
    require(isinstance(c, dict) and c.get("format") == "rosenblatt-certificate/1", "unknown format")
    verdict, classes, one = map(c.get, ("verdict", "classes", "fit_intercept"))
    require(verdict in ("separable", "touching", "overlapping"), f"{verdict!r} is not a proof")
    require(isinstance(one, bool), "fit_intercept must be true or false")
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
    stray = {"separable": "conflict", "overlapping": "separator"}.get(verdict)
    require(c.get(stray) is None, f"a {stray} is no part of this verdict")
    if verdict != "overlapping":
        check_separator(c.get("separator"), Z, one, verdict == "separable")
    if verdict != "separable":
        check_conflict(c.get("conflict"), Z, verdict == "overlapping")
    return True


def check_separator(s, Z, one, strict):
    require(isinstance(s, dict) and isinstance(s.get("w"), list), "the separator is missing")
    w = [number(v) for v in s["w"] + [s.get("b")]]
    require(one or w.pop() == 0, "without intercept, b must be 0")
    require(len(w) == len(Z[0]), "the separator has the wrong length")
    sides = [sum(a * b for a, b in zip(z, w, strict=True) if a) for z in Z]
    for i, side in enumerate(sides):
        require(side > 0 or (side == 0 and not strict), f"row {i} is on the wrong side")
    require(any(sides), "the separator separates nothing")


def check_conflict(s, Z, spanning):
    rows, weights = (s.get("rows"), s.get("weights")) if isinstance(s, dict) else (None, None)
    require(isinstance(rows, list) and isinstance(weights, list), "the conflict is missing")
    require(all(type(i) is int and 0 <= i < len(Z) for i in rows), "a row in conflict is not there")
    require(0 < len(set(rows)) == len(rows) == len(weights), "every row needs one weight")
    weights = [number(v) for v in weights]
    require(min(weights) > 0 and sum(weights) == 1, "weights must be positive and sum to 1")
    for column in zip(*(Z[i] for i in rows), strict=True):
        total = sum(v * x for v, x in zip(weights, column, strict=True) if x)
        require(total == 0, "the weighted rows do not add up to zero")
    astray = (sum(v[j] * z[j] for j in v) for v in across([Z[i] for i in rows]) for z in Z)
    require(not (spanning and any(astray)), "the conflict does not span all rows")


def across(M):  # vectors that vanish on all rows of M, by elimination in whole numbers (Bareiss)
    M, q, leads = [[int(v * max(x.denominator for x in z)) for v in z] for z in M], 1, {}
    for j in range(len(M[0])):
        for k, p, a in [(k, z, z[j]) for k, z in enumerate(M) if z[j] and k not in leads][:1]:
            M = [z if z is p else [(a * v - z[j] * p[i]) // q for i, v in enumerate(z)] for z in M]
            q, leads[k] = a, j
    for free in set(range(len(M[0]))) - set(leads.values()):
        yield {free: 1} | {j: Fraction(-M[k][free], q) for k, j in leads.items() if M[k][free]}


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
