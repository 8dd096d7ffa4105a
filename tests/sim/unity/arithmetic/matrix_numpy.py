#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks linear algebra and Fourier transforms against NumPy, SciPy, exact fractions and the properties of factors.

Results of inexact algorithms are checked by their backward error: factors must be those of a matrix that is as near to A as
docs/unity-arithmetic.md says. The bounds of LU and CHOLESKY are doubled, because the check computes in FP80, too.

Usage: matrix_numpy.py PROGRAM [SEED]"""

from fractions import Fraction

import numpy
import scipy.fft
import scipy.linalg

from unity_cases import Case, generator, run
from unity_numbers import FLOAT, FLOATS, NAN, PRECISION, float_bits, ulp, unpack, value, width

LONG = numpy.longdouble
ANY = (LONG(-numpy.inf), LONG(numpy.inf))  # any number, but no NaN
WIDE = {"fp16": LONG(2) ** -53, "fp32": LONG(2) ** -53, "fp64": LONG(2) ** -64}  # rounding error of the format of the computation


def bits_of(array, unit):
    """An array of a unit's numbers as a list of bits."""
    return [int(b) for b in numpy.ascontiguousarray(array, FLOAT[unit]).view(f"u{width(unit) // 8}").ravel()]


def rounding(array, unit):
    """A bound for the errors of rounding numbers to a unit."""
    return numpy.abs(array).astype(LONG) * LONG(2) ** -PRECISION[unit] + LONG(numpy.finfo(FLOAT[unit]).smallest_subnormal)


def near(array, slack, unit):
    """Intervals around numbers that are rounded after an error of at most `slack`."""
    low, high = numpy.float64(array - slack), numpy.float64(array + slack)
    if unit != "fp64":  # NumPy rounds FP80 to FP64 first
        low, high = numpy.nextafter(low, -numpy.inf), numpy.nextafter(high, numpy.inf)
    low, high = low.astype(FLOAT[unit]), high.astype(FLOAT[unit])
    return [(LONG(a), LONG(b)) for a, b in zip(low.ravel(), high.ravel())]


class MatrixCase(Case):
    """One operation on a matrix; `verify`, if there is one, takes the results as arrays and says what is wrong."""

    def __init__(self, op, a, unit, **members):
        super().__init__("MatrixOperation", op=op, rows=a.shape[0], columns=a.shape[1], **members)
        self.unit, self.a, self.shapes, self.verify = unit, a.astype(LONG), {}, None
        self.members["a"] = self.source(bits_of(a, unit), unit)

    def right_sides(self, b, behind=False):
        self.members["right_sides"] = b.shape[1]
        if behind:  # LSTSQ: directly behind A
            both = numpy.concatenate([self.a.ravel(), b.ravel()]).astype(FLOAT[self.unit])
            self.members["a"] = self.source(bits_of(both, self.unit), self.unit)[:2] + [self.a.size]
            at = self.members["a"][0] + self.a.size * width(self.unit) // 8
            self.members["b"] = [at, self.members["a"][1], b.size]
        else:
            self.members["b"] = self.source(bits_of(b, self.unit), self.unit)

    def gives(self, name, shape, expected=ANY, unit=None):
        """A result with these bits or intervals, or one for all."""
        unit = unit or self.unit
        count = int(numpy.prod(shape))
        self.members[name] = self.result(unit, expected if isinstance(expected, list) else [expected] * count)
        assert self.members[name][2] == count
        self.shapes[name] = (shape, unit)
        return self

    def check(self, answer):
        wrong = super().check(answer)
        if wrong or self.verify is None:
            return wrong
        after = bytes.fromhex(answer)
        results = []
        for name, (shape, unit) in self.shapes.items():
            address, _, count = self.members[name]
            numbers = [value(b, unit) for b in unpack(after[address:], unit, count)]
            results.append(numpy.array(numbers).astype(LONG if unit in FLOAT else int).reshape(shape))
        return self.verify(*results)


def nothing_but_nan(case, *results):
    for name, shape in results:
        case.gives(name, shape, NAN[case.unit])
    return case


def random_matrix(random, unit, rows, columns, whole=False):
    if whole:
        return random.integers(-4, 5, (rows, columns)).astype(FLOAT[unit])
    return random.normal(size=(rows, columns)).astype(FLOAT[unit])


def shape(random, most=12):
    return int(random.integers(1, most)), int(random.integers(1, most))


# LU

def lu_case(random, unit, rows, columns, whole):
    a = random_matrix(random, unit, rows, columns, whole)
    least = min(rows, columns)
    case = MatrixCase("LU", a, unit).gives("result", a.shape).gives("second", (least,), (1, rows), "s32")

    def verify(factors, pivots):
        lower = numpy.tril(factors, -1)[:, :least] + numpy.eye(rows, least, dtype=LONG)
        upper = numpy.triu(factors)[:least]
        permuted = case.a.copy()
        for k, pivot in enumerate(pivots):
            if pivot < k + 1:
                return f"pivot {pivot} of step {k + 1}"
            permuted[[k, pivot - 1]] = permuted[[pivot - 1, k]]
        if numpy.abs(lower).max() > 1:
            return "an element of L is above 1"
        bound = numpy.abs(lower) @ rounding(upper, unit) + rounding(lower, unit) @ numpy.abs(upper)
        bound = bound * LONG(1.01) + 2 * least * WIDE[unit] * (numpy.abs(lower) @ numpy.abs(upper))
        if (numpy.abs(lower @ upper - permuted) > bound).any():
            return "L U is not P A"
        if not whole:  # without ties
            theirs = scipy.linalg.lu_factor(a.astype(numpy.float64))[1][:least] + 1 if rows == columns else pivots
            if (pivots != theirs).any():
                return f"pivots {pivots}, LAPACK has {theirs}"
        return None
    case.verify = verify
    return case


def exact_lu_case(unit, a, factors, pivots):
    a, factors = numpy.array(a, FLOAT[unit]), numpy.array(factors, FLOAT[unit])
    return MatrixCase("LU", a, unit).gives("result", a.shape, bits_of(factors, unit)).gives("second", (len(pivots),), pivots, "s32")


def lu_cases(random, unit):
    # The first one of equal magnitudes is the pivot.
    yield exact_lu_case(unit, [[-2, 1], [2, 4]], [[-2, 1], [-1, 5]], [1, 2])
    yield exact_lu_case(unit, [[1, 2], [2, 2], [-2, 6]], [[2, 2], [-1, 8], [0.5, 0.125]], [2, 3])
    yield exact_lu_case(unit, [[1, 2, 3], [4, 8, 4]], [[4, 8, 4], [0.25, 0, 2]], [2, 2])
    yield exact_lu_case(unit, [[1, 2], [2, 4]], [[2, 4], [0.5, 0]], [2, 2])
    yield exact_lu_case(unit, [[0, 0, 2], [0, 0, 4], [0, 3, 1]], [[0, 0, 2], [0, 3, 1], [0, 0, 4]], [1, 3, 3])
    yield exact_lu_case(unit, [[-7]], [[-7]], [1])
    yield exact_lu_case(unit, [[0]], [[0]], [1])
    yield exact_lu_case(unit, [[1], [-4], [2]], [[-4], [-0.25], [-0.5]], [2])
    for bad in (numpy.nan, numpy.inf, -numpy.inf):
        a = random_matrix(random, unit, 3, 4)
        a[2, 3] = bad
        case = nothing_but_nan(MatrixCase("LU", a, unit), ("result", a.shape))
        yield case.gives("second", (3,), [1, 2, 3], "s32")
    for turn in range(40):
        rows, columns = shape(random)
        if turn % 2:
            columns = rows
        yield lu_case(random, unit, rows, columns, turn % 4 >= 2)
    yield lu_case(random, unit, 40, 40, False)


# CHOLESKY

def positive_matrix(random, unit, n):
    """Symmetric, positive definite, and exact in the unit."""
    root = random.integers(-3, 4, (n, n)).astype(numpy.float64)
    return (root @ root.T + numpy.eye(n)).astype(FLOAT[unit])


def cholesky_case(random, unit, n):
    a = positive_matrix(random, unit, n)
    upper = bool(random.integers(2))
    unread = numpy.tril(numpy.ones((n, n), bool), -1) if upper else numpy.triu(numpy.ones((n, n), bool), 1)
    stored = a.copy()
    stored[unread] = random.choice([numpy.nan, numpy.inf, 7])  # the unit does not read it
    case = MatrixCase("CHOLESKY", stored, unit, upper=upper)
    factor = numpy.linalg.cholesky(a.astype(numpy.float64))
    if unit != "fp64":
        slack = numpy.full((n, n), 1e-11 * float(numpy.abs(a).max()))
        expected = near((factor.T if upper else factor).astype(LONG), slack, unit)
        case.gives("result", (n, n), [0 if skip else e for e, skip in zip(expected, unread.ravel())])
        return case

    def verify(result):
        if (result[unread] != 0).any():
            return "the other triangle is not 0"
        lower = result.T if upper else result
        if (numpy.diag(lower) <= 0).any():
            return "the diagonal is not positive"
        bound = rounding(lower, unit) @ numpy.abs(lower).T
        bound = LONG(1.01) * (bound + bound.T) + 2 * (n + 1) * WIDE[unit] * (numpy.abs(lower) @ numpy.abs(lower).T)
        return "L L^T is not A" if (numpy.abs(lower @ lower.T - a.astype(LONG)) > bound).any() else None
    case.verify = verify
    return case.gives("result", (n, n))


def cholesky_cases(random, unit):
    for upper in (False, True):
        def exactly(a, lower):
            lower = numpy.array(lower, FLOAT[unit])
            case = MatrixCase("CHOLESKY", numpy.array(a, FLOAT[unit]), unit, upper=upper)
            return case.gives("result", lower.shape, bits_of(lower.T if upper else lower, unit))
        yield exactly([[4]], [[2]])
        yield exactly([[4, 2, -6], [2, 10, 3], [-6, 3, 17.25]], [[2, 0, 0], [1, 3, 0], [-3, 2, 2.0615528128088303]])
        yield exactly([[4, 2, -6], [2, 10, 3], [-6, 3, 29]], [[2, 0, 0], [1, 3, 0], [-3, 2, 4]])
        for a in ([[0]], [[-1]], [[numpy.nan]], [[numpy.inf]], [[1, 2], [2, 4]], [[1, 2], [2, 3]], [[3, 3], [3, 3]], [[7, 7, 1], [7, 7, 1], [1, 1, 9]],
                  [[5, 0, 0], [0, 4, 0], [0, 0, -1]], [[4, numpy.nan], [numpy.nan, 9]], [[0.1, 0.1], [0.1, 0.1]]):
            a = numpy.array(a, FLOAT[unit])
            yield nothing_but_nan(MatrixCase("CHOLESKY", a, unit, upper=upper), ("result", a.shape))
    for _ in range(20):
        yield cholesky_case(random, unit, int(random.integers(1, 12)))
    yield cholesky_case(random, unit, 30)


# QR

def qr_case(random, unit, rows, columns, whole, a=None):
    a = random_matrix(random, unit, rows, columns, whole) if a is None else a.astype(FLOAT[unit])
    least = min(rows, columns)
    case = MatrixCase("QR", a, unit).gives("result", (rows, least)).gives("second", (least, columns))

    def verify(q, r):
        if (numpy.diag(r) < 0).any():
            return "the diagonal of R has a negative element"
        if (numpy.tril(r, -1) != 0).any():
            return "R is not triangular"
        growth = 8 * rows * columns * WIDE[unit]
        error = rounding(q, unit).T @ numpy.abs(q)
        if (numpy.abs(q.T @ q - numpy.eye(least)) > LONG(1.01) * (error + error.T) + growth).any():
            return "the columns of Q are not orthonormal"
        error = LONG(1.01) * (rounding(q, unit) @ numpy.abs(r) + numpy.abs(q) @ rounding(r, unit))
        if (numpy.abs(q @ r - case.a) > error + growth * numpy.sqrt((case.a ** 2).sum(axis=0))).any():
            return "Q R is not A"
        if unit != "fp64" and not whole:
            theirs_q, theirs = numpy.linalg.qr(a.astype(numpy.float64))
            signs = numpy.where(numpy.diag(theirs) < 0, -1, 1)
            if (numpy.abs(theirs * signs[:, None] - r) > rounding(r, unit) + 1e-10).any():
                return "R is not NumPy's"
            if (numpy.abs(theirs_q * signs - q) > rounding(q, unit) + 1e-8).any():
                return "Q is not NumPy's"
        return None
    case.verify = verify
    return case


def qr_cases(random, unit):
    def exactly(a, q, r):
        a, q, r = (numpy.array(x, FLOAT[unit]) for x in (a, q, r))
        case = MatrixCase("QR", a, unit)

        def verify(ours_q, ours_r):
            return None if (ours_q == q).all() and (ours_r == r).all() else f"Q {ours_q}, R {ours_r}"
        case.verify = verify
        return case.gives("result", q.shape).gives("second", r.shape)
    yield exactly([[-3]], [[-1]], [[3]])
    yield exactly([[0]], [[1]], [[0]])
    yield exactly([[2, 5], [0, -4]], [[1, 0], [0, -1]], [[2, 5], [0, 4]])
    yield exactly([[-2, 5, 1], [0, -4, 3]], [[-1, 0], [0, -1]], [[2, -5, -1], [0, 4, -3]])
    yield exactly([[3], [4]], [[0.6], [0.8]], [[5]])
    yield exactly([[0, 1], [1, 0]], [[0, 1], [1, 0]], [[1, 0], [0, 1]])
    for at in ((0, 0), (2, 1)):
        for bad in (numpy.nan, numpy.inf):
            a = random_matrix(random, unit, 3, 2)
            a[at] = bad
            yield nothing_but_nan(MatrixCase("QR", a, unit), ("result", (3, 2)), ("second", (2, 2)))
    for turn in range(40):
        rows, columns = shape(random)
        yield qr_case(random, unit, rows, columns, turn % 4 == 0)
    yield qr_case(random, unit, 40, 25, False)
    yield qr_case(random, unit, 25, 40, False)
    yield qr_case(random, unit, 6, 4, True, random_matrix(random, unit, 6, 2, True) @ random_matrix(random, unit, 2, 4, True))  # rank 2
    for head in (1, -1):  # a column that is nearly a multiple of a unit vector
        yield qr_case(random, unit, 2, 2, True, numpy.array([[head, 3], [2.0 ** {"fp16": -14, "fp32": -26, "fp64": -30}[unit], 5]]))


# NORM

ORDERS = [None, 1, numpy.inf, -numpy.inf]


def norm_of(x, axis, order):
    if axis == 3:
        return numpy.array([numpy.linalg.norm(x.ravel(), order)])
    if axis == 0:
        return numpy.array([numpy.linalg.norm(x, order)])
    return numpy.linalg.norm(x, order, axis=axis - 1)  # each column is a vector along axis 0


def norm_cases(random, unit):
    for axis in range(4):
        for kind, order in enumerate(ORDERS):
            for turn in range(12):
                rows, columns = shape(random, 9)
                a = random_matrix(random, unit, rows, columns)
                if turn == 0:
                    a = a[:1, :1]
                elif turn == 1:  # ends of the range: the sums of squares need more than the unit has
                    a = (numpy.sign(a) * numpy.finfo(FLOAT[unit]).max / (64 if turn % 2 else 1)).astype(FLOAT[unit])
                elif turn == 2:
                    a = (a * numpy.finfo(FLOAT[unit]).smallest_subnormal * 8).astype(FLOAT[unit])
                elif turn == 3:
                    a[...] = numpy.finfo(FLOAT[unit]).max
                elif turn >= 8:
                    for bad in (numpy.nan, -numpy.inf)[: turn - 7]:
                        a[random.integers(rows), random.integers(columns)] = bad
                    if turn == 9:
                        a[0, 0] = numpy.inf
                elif turn == 7:
                    a[...] = -0.0
                x = a.astype(LONG)
                norms = norm_of(x, axis, order)
                slack = numpy.abs(norms) * x.size * 4 * WIDE[unit]
                expected = [float_bits(n, unit) if not numpy.isfinite(n) else near(n, s, unit)[0] for n, s in zip(norms, slack)]
                case = MatrixCase("NORM", a, unit, axis=axis, type=kind)
                yield case.gives("result", norms.shape, expected)


# INVERSE, SOLVE, LSTSQ

def solved(a, b):
    """X of A X = B in fractions; None if A is singular."""
    n = len(a)
    rows = [[Fraction(float(x)) if not isinstance(x, Fraction) else x for x in list(r) + list(s)] for r, s in zip(a, b)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k])]
    return [r[n:] for r in rows]


def fractions(a):
    return [[Fraction(float(x)) for x in row] for row in a]


def product(a, b):
    return [[sum((x * y for x, y in zip(row, column)), Fraction(0)) for column in zip(*b)] for row in a]


def transposed(a):
    return [list(row) for row in zip(*a)]


def long_of(fraction):
    high = float(fraction)
    return LONG(high) + LONG(float(fraction - Fraction(high)))


def exact_result(case, name, exact, condition):
    """Results within the rounding error, and what the condition number makes of errors of the computation."""
    x = numpy.array([[long_of(f) for f in row] for row in exact])
    slack = 64 * x.shape[0] * WIDE[case.unit] * LONG(condition) * numpy.abs(x).max() + 0 * x
    return case.gives(name, x.shape, near(x, slack, case.unit))


def condition_of(a):
    return numpy.linalg.cond(numpy.array(a).astype(numpy.float64))


def singular_matrix(random, unit, n):
    """One of exact rank n - 1 or less."""
    kind = random.integers(3)
    a = random_matrix(random, unit, n, n, True)
    if kind == 0:
        a[random.integers(n)] = 0
    elif kind == 1:
        a[:, -1] = a[:, :-1].sum(axis=1)
    else:
        a[-1] = a[:-1].sum(axis=0)
    return a


def linear_cases(random, unit):
    def solve_case(a, b, with_lu):
        case = MatrixCase("SOLVE", a, unit)
        case.right_sides(b)
        exact = solved(a, b)
        if exact is None:
            nothing_but_nan(case, ("result", b.shape))
        else:
            exact_result(case, "result", exact, condition_of(a))
        if with_lu:
            case.gives("second", a.shape)
        return case

    def inverse_case(a):
        case = MatrixCase("INVERSE", a, unit)
        exact = solved(a, numpy.eye(len(a)))
        return nothing_but_nan(case, ("result", a.shape)) if exact is None else exact_result(case, "result", exact, condition_of(a))

    for turn in range(40):
        n, k = int(random.integers(1, 7)), int(random.integers(1, 5))
        a = singular_matrix(random, unit, n) if turn % 5 == 0 else random_matrix(random, unit, n, n, turn % 2 == 0)
        yield inverse_case(a)
        yield solve_case(a, random_matrix(random, unit, n, k), bool(random.integers(2)))
    for a in ([[0]], [[1, 2], [2, 4]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[0, 1], [0, 1]]):
        a = numpy.array(a, FLOAT[unit])
        assert solved(a, a) is None
        yield inverse_case(a)
        yield solve_case(a, a[:, :1], False)
    near_one = LONG(2) ** (2 - PRECISION[unit])
    nearly = numpy.array([[1 + near_one, 1], [1, 1 - near_one]], FLOAT[unit])
    if unit != "fp64":  # the determinant, near_one squared, is far above rounding errors
        yield inverse_case(nearly)
    yield inverse_case(numpy.array([[4]], FLOAT[unit]))
    far = 2.0 ** {"fp16": 10, "fp32": 90, "fp64": 600}[unit]  # columns of very different size, otherwise a plain matrix
    yield inverse_case(numpy.array([[1, far], [3, 5 * far]], FLOAT[unit]))
    yield solve_case(numpy.array([[far, 1], [5 * far, 3]], FLOAT[unit]), numpy.ones((2, 1)), False)
    yield inverse_case(numpy.array([[1, 1], [0, 2.0 ** -14]], FLOAT[unit]))  # a small pivot that no subtraction has made
    yield inverse_case(numpy.diag([2.0 ** -13, 1, 2.0 ** 13]).astype(FLOAT[unit]))
    # The factors that SOLVE gives are those of LU.
    lu = numpy.array([[2, 2], [0.5, 3]], FLOAT[unit])
    case = MatrixCase("SOLVE", numpy.array([[1, 4], [2, 2]], FLOAT[unit]), unit)
    case.right_sides(numpy.array([[9, 6], [6, 0]], FLOAT[unit]))
    case.gives("result", (2, 2), bits_of(numpy.array([[1, -2], [2, 2]]), unit))
    yield case.gives("second", (2, 2), bits_of(lu, unit))
    case = MatrixCase("SOLVE", numpy.array([[1, 2], [2, 4]], FLOAT[unit]), unit)
    case.right_sides(numpy.ones((2, 1)))
    yield nothing_but_nan(case, ("result", (2, 1))).gives("second", (2, 2), bits_of(numpy.array([[2, 4], [0.5, 0]]), unit))
    for bad in (numpy.nan, numpy.inf):
        a = random_matrix(random, unit, 3, 3)
        b = random_matrix(random, unit, 3, 2)
        a[0, 2] = bad
        yield nothing_but_nan(MatrixCase("INVERSE", a, unit), ("result", (3, 3)))
        case = MatrixCase("SOLVE", a, unit)
        case.right_sides(b)
        yield nothing_but_nan(case, ("result", (3, 2)), ("second", (3, 3)))
        # Bad elements of B spoil their column of X only.
        case = MatrixCase("SOLVE", numpy.eye(3), unit)
        b[2, 0] = bad
        case.right_sides(b)
        yield case.gives("result", (3, 2), [bit for row in b for bit in (NAN[unit], float_bits(row[1], unit))])
    for n in (20, 45):
        a, b = random_matrix(random, unit, n, n), random_matrix(random, unit, n, 3)
        inverse, solve = MatrixCase("INVERSE", a, unit).gives("result", (n, n)), MatrixCase("SOLVE", a, unit).gives("result", (n, 3))
        solve.right_sides(b)

        def residual(right, left=inverse.a, growth=64 * n * n * WIDE[unit]):
            def verify(x):
                bound = numpy.abs(left) @ (LONG(1.01) * rounding(x, unit) + growth * numpy.abs(x).max())
                return "A X is not B" if (numpy.abs(left @ x - right.astype(LONG)) > bound).any() else None
            return verify
        inverse.verify, solve.verify = residual(numpy.eye(n)), residual(b)
        yield inverse
        yield solve


def least_squares_cases(random, unit):
    def lstsq_case(a, b):
        case = MatrixCase("LSTSQ", a, unit)
        case.right_sides(b, behind=True)
        f, g = fractions(a), fractions(b)
        rows, columns = a.shape
        if rows >= columns:  # A^T A X = A^T B
            exact = solved(product(transposed(f), f), product(transposed(f), g))
        else:  # X = A^T Y, A A^T Y = B
            y = solved(product(f, transposed(f)), g)
            exact = y and product(transposed(f), y)
        if exact is None:
            return nothing_but_nan(case, ("result", (columns, b.shape[1])))
        condition = condition_of(a)
        x = numpy.array([[long_of(n) for n in row] for row in exact])
        scale = numpy.abs(x).max() + numpy.abs(case.members["right_sides"]) * numpy.abs(b).astype(LONG).max() * condition
        slack = 64 * (rows + columns) * WIDE[unit] * LONG(condition) * scale + 0 * x
        return case.gives("result", x.shape, near(x, slack, unit))

    for turn in range(60):
        rows, columns = shape(random, 7)
        a = random_matrix(random, unit, rows, columns, turn % 2 == 0)
        if turn % 6 == 0:  # dependent rows and columns
            a[-1] = a[0] * 2
            a[:, -1] = a[:, 0]
        yield lstsq_case(a, random_matrix(random, unit, rows, int(random.integers(1, 4)), turn % 4 == 0))
    for a in ([[0]], [[0], [0]], [[0, 0]], [[1, 2], [2, 4]], [[1, 2], [2, 4], [3, 6]], [[1, 2, 3], [2, 4, 6]], [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
              [[1, 2.0 ** -14], [2, 2.0 ** -12], [3, 2.0 ** -14]], [[1, 2], [3, 4], [5, 6]], [[1, 3, 5], [2, 4, 6]], [[3]], [[1, 0], [0, 2.0 ** -14], [0, 0]]):
        a = numpy.array(a, FLOAT[unit])
        yield lstsq_case(a, numpy.ones((len(a), 2), FLOAT[unit]))
    tiny = 2.0 ** {"fp16": -20, "fp32": -90, "fp64": -300}[unit]
    yield lstsq_case(numpy.array([[tiny, 2 * tiny], [3 * tiny, tiny], [tiny, tiny]], FLOAT[unit]), numpy.full((3, 1), tiny, FLOAT[unit]))
    if unit == "fp32":
        yield lstsq_case(numpy.array([[1 + 2.0 ** -22, 1], [1, 1 - 2.0 ** -22]], FLOAT[unit]), numpy.ones((2, 1), FLOAT[unit]))
    for a in ([[1, 2], [3, numpy.nan], [5, 6]], [[numpy.inf, 1, 2]]):
        a = numpy.array(a, FLOAT[unit])
        case = MatrixCase("LSTSQ", a, unit)
        case.right_sides(numpy.ones((len(a), 2), FLOAT[unit]), behind=True)
        yield nothing_but_nan(case, ("result", (a.shape[1], 2)))
    for a in (numpy.eye(3, 2), numpy.eye(2, 3)):
        case = MatrixCase("LSTSQ", a, unit)
        b = numpy.arange(2 * len(a)).reshape(-1, 2).astype(FLOAT[unit])
        b[-1, 1] = numpy.inf  # spoils column 1 of X, also where X does not depend on it
        case.right_sides(b, behind=True)
        x = numpy.zeros((a.shape[1], 2), FLOAT[unit])
        x[:2, 0] = b[:2, 0]
        yield case.gives("result", x.shape, [bit for row in x for bit in ((LONG(row[0]), LONG(row[0])), NAN[unit])])


# FFT, IFFT

def fourier_case(random, op, unit, length, batch, real, x=None, exact=False):
    count = batch * length * (1 if real else 2)
    if x is None:
        x = random.integers(-9, 10, count) if exact else random.normal(size=count)
    x = numpy.array(x, FLOAT[unit])
    case = Case("Fourier", op=op, length=length, batch=batch, real_input=real)
    case.members["source"] = case.source(bits_of(x, unit), unit)
    numbers = x.astype(LONG).reshape(batch, length, -1)
    vectors = numbers[..., 0] + (0 if real else 1j * numbers[..., 1])
    finite = numpy.isfinite(numbers).all(axis=(1, 2))
    y = (scipy.fft.fft if op == "FFT" else scipy.fft.ifft)(numpy.where(finite[:, None], vectors, 0).astype(numpy.clongdouble), axis=1)
    assert y.dtype == numpy.clongdouble
    expected = []
    for row, good, source in zip(y, finite, vectors):
        total = numpy.abs(source).sum() / (length if op == "IFFT" else 1)
        slack = 0 if exact else 4 * length * WIDE[unit] * total
        pairs = numpy.stack([row.real, row.imag], axis=1)
        expected += near(pairs, slack, unit) if good else [NAN[unit]] * (2 * length)
    case.members["result"] = case.result(unit, expected)
    return case


def fourier_cases(random, unit):
    for op in ("FFT", "IFFT"):
        for real in (False, True):
            for length in [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 25, 27, 30, 31, 49, 64, 97, 100, 121, 128, 210, 256, 499]:
                yield fourier_case(random, op, unit, length, int(random.integers(1, 4)), real)
            for length in (1, 2, 4):
                yield fourier_case(random, op, unit, length, 3, real, exact=True)
            size = 1 if real else 2
            impulse = numpy.zeros(60 * size)
            impulse[0] = 12
            yield fourier_case(random, op, unit, 60, 1, real, impulse, exact=True)
            for bad in (numpy.nan, numpy.inf, -numpy.inf):  # spoils its own vector
                for length in (1, 6):
                    x = random.normal(size=3 * length * size)
                    x[length * size + int(random.integers(length * size))] = bad
                    yield fourier_case(random, op, unit, length, 3, real, x)
            top = numpy.finfo(FLOAT[unit]).max
            yield fourier_case(random, op, unit, 8, 1, real, numpy.full(8 * size, top))  # sums that overflow
    yield fourier_case(random, "FFT", unit, 2048, 1, False)
    yield fourier_case(random, "IFFT", unit, 4095, 1, True)
    yield fourier_case(random, "FFT", unit, 4093, 1, True)  # a prime


def cases(random):
    for unit in FLOATS:
        yield from lu_cases(random, unit)
        yield from cholesky_cases(random, unit)
        yield from qr_cases(random, unit)
        yield from norm_cases(random, unit)
        yield from linear_cases(random, unit)
        yield from least_squares_cases(random, unit)
        yield from fourier_cases(random, unit)


if __name__ == "__main__":
    run(list(cases(generator())), "as NumPy, SciPy and fractions have them")
