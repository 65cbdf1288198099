"""The independent checker of certificates: standard library only, exact arithmetic throughout.

A hypothesis w is right on a row x of the second class if w·(x, 1) > 0, of the first if it is < 0:
in both cases w·z > 0, with z = (x, 1) or z = -(x, 1); without intercept, x stands for (x, 1).
Several classes have weights each, those of the first being zero, and the own class must lead every
rival: then w is the weights of all classes in line, and z has (x, 1) in the place of the own class
and -(x, 1) in that of the rival, a z for each pair of a row and a rival.

Separable: w·z > 0 for all z. Touching: w·z >= 0 for all and > 0 for some, but some z with positive
weights add up to zero, so that no w is positive on all of them. Overlapping: such z span all. In
hundreds of columns, exact weights would be too long. There, the proof may be `bounded`: let v be
the weights given, g = Σ v z and H = Σ v z z'. The weights v (1 - z·H⁻¹g) add up to zero, and if
|z| |g| is below the least eigenvalue of H, they are positive and z span all. It is, if H less a
multiple s of the identity has a Cholesky factor: s covers |z| |g| and the errors of rounding.
Columns that are `dependent`, in all rows (of touching classes, in those of the conflict) the same
combination of others, may be left out of it: what adds up to zero in those others does so in all
columns, and what spans them spans all rows. Columns that are `combined` are replaced by what is
left of them without a combination of others.

With a kernel, x are the features of a row. Those of a polynomial one are its monomials, but for
positive factors. Those of "rbf" and "laplacian" are independent for distinct rows (Micchelli 1986),
so that z add up to zero only where rows are equal, and span all if every row has every class.

Fewest mistakes: w·z <= 0 on rows that cost `mistakes` together. Every w is wrong on some row of
every conflict, so if conflicts are given weights such that no row carries more than a mistake in it
costs, mistakes cost the sum of the weights or more. A tree tells cases apart: a row is wrong, which
costs what it costs, and conflicts with it may not be used; or it is right, and may carry anything.
"""

import csv, hashlib, json, math, re, struct, sys  # noqa: E401, I001
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path

NUMBER = re.compile(r"(-?[0-9]{1,99999})(?:/([0-9]{1,99999}))?", re.ASCII)
FORMATS = "rosenblatt-certificate/1", "rosenblatt-certificate/2"
VERDICTS = "separable", "touching", "overlapping"
TWO, SEVERAL, FEWEST, BOUNDED = "two classes", "several classes", "fewest mistakes", "bounded"
CONSTANT, MOST_MONOMIALS, RELATED = "intercept", 5000, ("dependent", "combined")
INDEPENDENT = {"name": "rbf"}, {"name": "laplacian"}


def verify(certificate, X, y):
    """True if the data prove the certificate; otherwise ValueError says what fails."""
    c = claim(certificate)
    classes, one = c.get("classes"), c["fit_intercept"]
    X = X.toarray() if hasattr(X, "toarray") else X.rows() if hasattr(X, "rows") else X
    X = X.itertuples(False, None) if hasattr(X, "itertuples") else X
    X = [[double(v) for v in x] for x in getattr(X, "tolist", X.__iter__)()]
    y = [str(v + 0.0 if isinstance(v, float) else v) for v in getattr(y, "tolist", y.__iter__)()]
    require(X and all(v - v == 0 for x in X for v in x), "the data are empty or not finite")
    same = all([c.get("n_samples"), c.get("n_features")] == [len(y), len(x)] for x in X)
    require(same and len(X) == len(y), "the number of rows or features differs")
    told, sparse = "\n".join(y + costs_told(c)).encode(), c.get("hash") == "nonzero"
    cells = ((i, j, v) for i, x in enumerate(X) for j, v in enumerate(x) if v or not sparse)
    data = b"".join(struct.pack(*(("<qqd", *v) if sparse else ("<d", v[2]))) for v in cells)
    if c.get("hash") == "blocks":  # the rows that fit in 2**17 numbers, m bytes, have a hash each
        m = 8 * max(len(X[0]), 2**17 - 2**17 % max(1, len(X[0])))
        data = b"".join(hashlib.sha256(data[k : k + m]).digest() for k in range(0, len(data), m))
    digest, labels = hashlib.sha256(data + b"\n" + told).hexdigest(), sorted(set(y))
    require(c.get("sha256") == digest, "the hash is of other data")
    require(are_classes(classes, c) and sorted(classes) == labels, "the classes are not the labels")
    X = [[int(v) if v.is_integer() else Fraction(v) for v in x] for x in X]
    own = [classes.index(label) for label in y]
    if c.get("kernel") in INDEPENDENT:
        return check_distinct(c, X, own)
    X = [features(x, c.get("kernel")) + [1] * one for x in X]
    Z = [z for x, k in zip(X, own, strict=True) for z in pairs(x, k, len(classes))]
    if c.get("kind") == FEWEST:
        return check_mistakes(c, Z)
    if c["verdict"] != "overlapping":
        check_separator(separator(c, len(X[0])), Z, c["verdict"] == "separable", len(classes) - 1)
    if c["verdict"] != "separable":
        (rows, weights), spanning = conflict(c, own), c["verdict"] == "overlapping"
        check = check_conflict
        if c.get("proof") == BOUNDED:
            related = X if spanning else [X[i] for i in c["conflict"]["rows"]]
            check, Z = check_bounded, independent_part(c, related, Z, rows)
        check(rows, weights, Z, spanning)
    return True


def double(v):
    """A number as a double, -0 as 0; whole numbers are safe up to 2**53. Text is read as it is."""
    v = v.item() if hasattr(v, "item") else v
    require(not isinstance(v, int) or abs(v) <= 2**53, "X holds whole numbers beyond 2**53")
    require(isinstance(v, str) or v != v or float(v) == v, f"X holds {v!r}, which is not a double")
    return float(v) + 0.0


def features(x, kernel):
    """The monomials of a row, where the kernel is polynomial."""
    if not kernel:
        return x
    require(can_be_written(len(x), kernel), "the kernel has too many monomials")
    places, values, found = range(len(x)), {(): 1}, []
    for size in range(1, kernel["degree"] + 1):
        values = {p: values[p[:-1]] * x[p[-1]] for p in combinations_with_replacement(places, size)}
        found = [*found * kernel["lower"], *values.values()]
    return found


def n_monomials(d, kernel):
    """The number of monomials of d features."""
    last = kernel["degree"]
    return math.comb(d + last, last) - 1 if kernel["lower"] else math.comb(d + last - 1, last)


def can_be_written(d, kernel):
    """Whether the monomials of d features are few, with those of lower degrees."""
    return n_monomials(d, kernel | {"lower": True}) <= MOST_MONOMIALS


def pairs(x, own, k):
    """The z of a row: one for each rival."""
    for rival in [*range(own), *range(own + 1, k)]:
        yield [v * ((c == own) - (c == rival)) for c in range(1, k) for v in x]


# -- What is claimed -------------------------------------------------------------------------------


def claim(certificate):
    """A certificate as a dictionary of a known kind."""
    c = certificate.to_json() if hasattr(certificate, "to_json") else certificate
    try:
        c = json.loads(c) if isinstance(c, str) else c
    except RecursionError:
        require(False, "it is nested too deeply")
    form = c.get("format") if isinstance(c, dict) else None
    require(form in FORMATS, "unknown format")
    kind, verdict = c.get("kind"), c.get("verdict")
    require(kind in ([None], [TWO, SEVERAL, FEWEST])[form == FORMATS[1]], f"{kind!r} is not a kind")
    distinct = c.get("kernel") in INDEPENDENT
    require(is_kernel(c.get("kernel"), kind != FEWEST and form), "the kernel is not known")
    forms = ([None], [None, "nonzero", "blocks"])[kind in (TWO, SEVERAL)]
    require(c.get("hash") in forms, "the hash is of an unknown form")
    bounded = kind in (TWO, SEVERAL) and verdict != VERDICTS[0] and not distinct
    require(c.get("proof") in ([None], [None, BOUNDED])[bounded], "the proof is of an unknown kind")
    for told in RELATED if c.get("proof") != BOUNDED else ():
        require(c.get(told) is None, f"{told} columns are no part of this proof")
    require(verdict in ([None] if kind == FEWEST else VERDICTS), f"{verdict!r} is not a proof")
    strays = {"conflict": verdict == "separable", "separator": distinct or verdict == "overlapping"}
    for part in strays:
        require(not strays[part] or c.get(part) is None, f"a {part} is no part of this verdict")
    b, free = c.get("fit_intercept"), not (c.get("kernel") or {}).get("lower")
    require(b is True or (free and b is False), "fit_intercept must be true" + free * " or false")
    return c


def is_kernel(kernel, form):
    """Whether a kernel is one that certificates of a format can be about; None is the rows."""
    named = isinstance(kernel, dict) and set(kernel) == {"name", "degree", "lower"}
    whole = named and type(kernel["degree"]) is int and 0 < kernel["degree"] <= MOST_MONOMIALS
    poly = whole and kernel["name"] == "poly" and type(kernel["lower"]) is bool
    return kernel is None or (form == FORMATS[1] and (poly or kernel in INDEPENDENT))


def are_classes(classes, c):
    """Whether these are the names of two classes, or of several where the claim is about them."""
    texts = isinstance(classes, list) and all(type(label) is str for label in classes)
    return texts and (len(classes) > 2 if c.get("kind") == SEVERAL else len(classes) == 2)


def separator(c, width, name="separator"):
    """The weights of all classes but the first in line, less those of the first."""
    s = c.get(name)
    require(isinstance(s, dict) and isinstance(s.get("w"), list), f"the {name} is missing")
    count = len(c["classes"]) if c.get("kind") == SEVERAL else 1
    w, b = (s["w"], s.get("b")) if count > 1 else ([s["w"]], [s.get("b")])
    require(isinstance(b, list) and all(isinstance(v, list) for v in w), f"the {name} is missing")
    require(len(w) == len(b) == count, f"the {name} has the wrong length")
    machine = [[number(v) for v in [*weights, bias]] for weights, bias in zip(w, b, strict=True)]
    for weights in machine:
        require(c["fit_intercept"] or weights.pop() == 0, "without intercept, b must be 0")
        require(len(weights) == width, f"the {name} has the wrong length")
    first, *machine = machine if count > 1 else [[0] * width, *machine]
    return [v - f for weights in machine for v, f in zip(weights, first, strict=True)]


def conflict(c, own):
    """The places of z in conflict, given the class of each row; and their weights."""
    s = c.get("conflict")
    rows, weights = weighted(s, len(own))
    require(sum(weights) == 1, "weights must be positive and sum to 1")
    several, others = c.get("kind") == SEVERAL, range(len(c["classes"]))
    rivals = s.get("rivals") if several else [1 - int(own[i]) for i in rows]
    require(isinstance(rivals, list) and len(rivals) == len(rows), "every row needs a rival")
    named = list(zip(rows, rivals, strict=True))
    right = all(type(k) is int and k in others and k != own[i] for i, k in named)
    require(right, "a rival is not another class")
    places = [i * (len(others) - 1) + k - (k > own[i]) for i, k in named]
    once = "every pair needs one weight" if several else "every row needs one weight"
    require(len(set(places)) == len(places), once)
    return places, weights


def related_columns(c, name, width):
    """The places of dependent or combined columns, of `width` with the constant; and the shares."""
    given, one = {} if c.get(name) is None else c[name], c["fit_intercept"]
    names = [*map(str, range(width - one)), *[CONSTANT] * one]
    place = {name: j for j, name in enumerate(names)}
    require(isinstance(given, dict) and set(given) <= set(names), f"a {name} column is not there")
    both = RELATED[: 1 + (name == "combined")]  # what is dependent may depend on combined columns
    taken = {k for part in both if isinstance(c.get(part), dict) for k in c[part]}
    for shares in given.values():
        right = isinstance(shares, dict) and set(shares) <= set(names) - taken
        require(right, f"a {name} column must be a combination of independent ones")
    return {place[k]: {place[j]: number(v) for j, v in s.items()} for k, s in given.items()}


def weighted(s, n):
    """Rows, of which there are n, and their positive weights."""
    rows, weights = (s.get("rows"), s.get("weights")) if isinstance(s, dict) else (None, None)
    require(isinstance(rows, list) and isinstance(weights, list), "the conflict is missing")
    require(all(type(i) is int and 0 <= i < n for i in rows), "a row in conflict is not there")
    require(0 < len(rows) == len(weights), "every row needs one weight")
    weights = [number(v) for v in weights]
    require(min(weights) > 0, "weights must be positive and sum to 1")
    return rows, weights


def check_separator(w, Z, strict, rivals):
    sides = [dot(z, w) for z in Z]
    for i, side in enumerate(sides):
        wrong = f"row {i // rivals} (counted from 0) is on the wrong side"
        require(side > 0 or (side == 0 and not strict), wrong)
    require(any(sides), "the separator separates nothing")


def check_distinct(c, X, own):
    known, verdict = {}, c["verdict"]
    for x, k in zip(X, own, strict=True):
        known.setdefault(tuple(x), set()).add(k)
    sizes = {len(classes) for classes in known.values()}
    several = "overlapping" if sizes == {len(c["classes"])} else "touching"
    require(verdict == ("separable" if sizes == {1} else several), "equal rows refute the verdict")
    if verdict != "separable":
        (places, weights), rows = conflict(c, own), c["conflict"]["rows"]
        equal = len({tuple(X[i]) for i in rows}) == 1 < len({own[i] for i in rows})
        require(equal, "the rows in conflict are not equal, with different labels")
        Z = [z for k in own for z in pairs([1], k, len(c["classes"]))]  # but for a factor
        check_conflict(places, weights, Z, spanning=False)
    return True


def check_conflict(rows, weights, Z, spanning):
    for column in zip(*(Z[i] for i in rows), strict=True):
        require(dot(column, weights) == 0, "the weighted rows do not add up to zero")
    for v in across([Z[i] for i in rows]) if spanning else ():
        stray = any(sum(v[j] * z[j] for j in v) for z in Z)
        require(not stray, "the conflict does not span all rows")


def independent_part(c, X, Z, rows):
    """All z without the dependent columns, which are the combinations given in all rows of X; those
    in conflict with what is left of combined columns."""
    width = len(X[0])
    given, combined = (related_columns(c, name, width) for name in RELATED)
    for k, shares in given.items():
        same = all(x[k] == sum(v * x[j] for j, v in shares.items() if x[j]) for x in X)
        require(same, f"column {k} (counted from 0) is not the combination given")
    kept, Z = [j for j in range(len(Z[0])) if j % width not in given], [*map(list, Z)]
    for j, k in ((j, j % width) for j in kept if j % width in combined):
        for i in rows:
            Z[i][j] -= sum(v * Z[i][j - k + m] for m, v in combined[k].items())
        require(any(Z[i][j] for i in rows), "nothing is left of a combined column")
    return [[z[j] for j in kept] for z in Z]


def check_bounded(rows, weights, Z, spanning):
    used = [j for j, column in enumerate(zip(*(Z[i] for i in rows), strict=True)) if any(column)]
    stray = spanning and any(z[j] for j in set(range(len(Z[0]))) - set(used) for z in Z)
    require(not stray, "the conflict does not span all rows")
    v = [float(x / max(weights)) for x in weights]
    columns = [[Z[i][j] for i in rows] for j in used]
    error, most = sys.float_info.epsilon, sys.float_info.max
    fit = all(abs(x) <= most and (float(x) == x or abs(x) > 2.0**-1000) for a in columns for x in a)
    require(fit and min(v) >= 2.0**-100, "the bound on rounding errors does not hold")
    sizes = [math.frexp(max(map(abs, a)))[1] for a in columns]  # powers of two change no weight
    columns = [[math.ldexp(x, -k) for x in a] for a, k in zip(columns, sizes, strict=True)]
    heavy = [[x * k for x, k in zip(a, v, strict=True)] for a in columns]
    sums = [abs(sum(a)) + (len(v) + 8) * error * sum(map(abs, a)) for a in heavy]
    longest = max(math.hypot(*z) for z in zip(*columns, strict=True))
    H = [[dot(a, b) for b in columns[: k + 1]] for k, a in enumerate(heavy)]
    trace = sum(row[-1] for row in H)
    shift = 2 * math.hypot(*sums) * longest + 2 * (len(v) + len(H) + 20) * error * trace
    for k, row in enumerate(H):
        row[-1] -= shift
        for j in range(k + 1):
            row[j] -= sum(x * y for x, y in zip(row[:j], H[j][:j], strict=True))
            require(j < k or row[k] > 0, "the bound on rounding errors does not hold")
            row[j] = row[j] / H[j][j] if j < k else math.sqrt(row[j])


def across(M):
    """Vectors that vanish on all rows of M, by elimination in whole numbers (Bareiss): exact."""
    M, q, leads = [[int(v * max(x.denominator for x in z)) for v in z] for z in M], 1, {}
    for j in range(len(M[0])):
        pivots = [k for k, z in enumerate(M) if z[j] and k not in leads]
        for k in pivots[:1]:
            p, a = M[k], M[k][j]
            M = [z if z is p else [(a * v - z[j] * p[i]) // q for i, v in enumerate(z)] for z in M]
            q, leads[k] = a, j
    for free in set(range(len(M[0]))) - set(leads.values()):
        yield {free: 1} | {j: Fraction(-M[k][free], q) for k, j in leads.items() if M[k][free]}


def dot(a, b):
    return sum(x * v for x, v in zip(a, b, strict=True) if x)


def check_mistakes(c, Z):
    costs, conflicts = costs_of(c, len(Z)), c.get("conflicts")
    w = separator(c, len(Z[0]), "hypothesis")
    made = sum(cost for cost, z in zip(costs, Z, strict=True) if dot(z, w) <= 0)
    require(number(c.get("mistakes")) == made, "the hypothesis makes other mistakes")
    require(isinstance(conflicts, list), "the conflicts are missing")
    for s in conflicts:
        rows, weights = weighted(s, len(Z))
        require(len(set(rows)) == len(rows), "every row needs one weight")
        check_conflict(rows, weights, Z, spanning=False)
    require(number(c.get("at_least")) == bound(c, costs), "the packing proves another bound")
    return True


def costs_told(c):
    """The costs of mistakes, which are part of the data, as they are written; none if all are 1."""
    costs = c.get("weights", ()) if c.get("kind") == FEWEST else None
    texts = isinstance(costs, list) and costs and all(isinstance(v, str) for v in costs)
    require(costs is None or texts, "the weights are missing")
    return costs or []


def costs_of(c, n):
    """What a mistake in each row costs."""
    costs = [number(v) for v in costs_told(c)] or [Fraction(1)] * n
    require(len(costs) == n and min(costs) >= 0 < max(costs), "every row needs one weight")
    return costs


def bound(c, costs):
    """What mistakes cost at least, over all cases, as a whole multiple of their unit."""
    below = math.lcm(*(cost.denominator for cost in costs))
    unit = Fraction(math.gcd(*(int(cost * below) for cost in costs)), below)
    least = min(leaves(c.get("packing"), [set(s["rows"]) for s in c["conflicts"]], costs))
    return math.ceil(least / unit) * unit


def leaves(tree, conflicts, costs):
    """What mistakes cost at least in each case that a tree tells apart."""
    cases = [(tree, frozenset(), frozenset())]
    while cases:
        node, wrong, right = cases.pop()
        require(isinstance(node, dict), "the packing is missing")
        if "row" in node:
            row = node["row"]
            require(type(row) is int and 0 <= row < len(costs), "a row in the tree is not there")
            require(row not in wrong | right, "a row in the tree is branched on twice")
            cases.append((node.get("wrong"), wrong | {row}, right))
            cases.append((node.get("right"), wrong, right | {row}))
            continue
        used, weights = node.get("conflicts"), node.get("weights")
        require(isinstance(used, list) and isinstance(weights, list), "the packing is missing")
        places = range(len(conflicts))
        require(all(type(k) is int and k in places for k in used), "a conflict is not there")
        require(len(set(used)) == len(used) == len(weights), "every conflict needs one weight")
        weights, carried = [number(v) for v in weights], {}
        require(all(v > 0 for v in weights), "weights of conflicts must be positive")
        for k, v in zip(used, weights, strict=True):
            require(not conflicts[k] & wrong, "a conflict has a row that is wrong already")
            for i in conflicts[k] - right:
                carried[i] = carried.get(i, 0) + v
                too_much = f"row {i} (counted from 0) carries more than a mistake in it costs"
                require(carried[i] <= costs[i], too_much)
        require(number(node.get("sum")) == sum(weights), "the weights have another sum")
        yield sum(costs[i] for i in wrong) + sum(weights)


def number(text):
    parts = isinstance(text, str) and NUMBER.fullmatch(text)
    require(parts and parts[2] != "0" * len(parts[2] or ""), "a malformed number")
    return Fraction(int(Decimal(parts[1])), int(Decimal(parts[2] or 1)))


def require(condition, otherwise):
    if not condition:
        raise ValueError(f"certificate refuted: {otherwise}")


if __name__ == "__main__":
    _ = len(sys.argv) == 3 or sys.exit(f"usage: python {sys.argv[0]} CERTIFICATE.json TABLE.csv")
    try:
        proof, data = (Path(name).read_bytes().decode("utf-8-sig") for name in sys.argv[1:3])
        table = [row for row in csv.reader(re.split("(?<=\n)", data)) if row]
        print(verify(proof, [row[:-1] for row in table], [row[-1] for row in table]) and "valid")
    except (OSError, ValueError, csv.Error) as error:
        sys.exit(str(error))
