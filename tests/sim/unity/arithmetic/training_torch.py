#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks losses, scores, optimisers and LABEL_SMOOTH against torch and scikit-learn in FP64.

The model evaluates in FP32 for fp16, in FP64 for fp32, and wider for fp64, and rounds once. Bounds are multiples of `unit_roundoff()`: one
for each rounding on the way to the result, with what it is a part of. Usage: training_torch.py PROGRAM [SEED]"""

import warnings
from fractions import Fraction

import numpy
import torch
from sklearn.metrics import roc_auc_score
from torch.nn import functional

from network_numpy import interval
from unity_cases import Case, generator, run
from unity_numbers import FLOATS, float_bits, random_bits, value, wrap, FLOAT

LONG = numpy.longdouble
NONE, MEAN, SUM = range(3)
SUBNORMAL = LONG(numpy.finfo(numpy.float64).smallest_subnormal)
UNDERFLOW = SUBNORMAL * 2 ** 40  # torch's products of subnormal gradients become 0 before they are divided by epsilon
ELEMENT_LOSSES = ["MSE_LOSS", "L1_LOSS", "LOG_LOSS", "SMOOTH_L1_LOSS", "KLDIV_LOSS", "SOFT_MARGIN_LOSS"]
ROW_LOSSES = ["CROSS_ENTROPY", "NLL_LOSS", "SPARSE_CROSS_ENTROPY_LOSS"]


def unit_roundoff(unit):
    """Of the format in which the model, or torch as its judge, evaluates."""
    return LONG(2) ** -(24 if unit == "fp16" else 53)


def fp32(number):
    return float(numpy.float32(number))


def numbers(bits, unit):
    return numpy.array([value(b, unit) for b in bits]).astype(numpy.float64)


def bits_of(array, unit):
    return [float_bits(FLOAT[unit](x), unit) for x in array.ravel()]


def special(random, unit, count):
    """NaN, infinities, zeros, subnormals and small numbers. Squares of the largest numbers would overflow in torch's FP64."""
    top = numpy.finfo(FLOAT[unit])
    ends = [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1.0, -1.0, 0.5, top.tiny, -top.smallest_subnormal, top.eps, 1 - top.epsneg]
    if unit != "fp64":
        ends += [top.max, top.min]
    return [float_bits(FLOAT[unit](ends[random.integers(len(ends))] if random.integers(2) else random.normal()), unit) for _ in range(count)]


def intervals(result, slack, unit):
    slack = numpy.where(numpy.isfinite(slack), slack, LONG(0)) + 4 * SUBNORMAL
    return [interval(LONG(a), b, unit) for a, b in zip(numpy.ravel(result), numpy.ravel(slack))]


# --- Losses ---

def element_terms(op, x, t, parameter, u):
    """torch's terms, and bounds of the model's errors before it rounds."""
    a, b = torch.from_numpy(x), torch.from_numpy(t)
    long_x, long_t = x.astype(LONG), t.astype(LONG)
    if op == "MSE_LOSS":
        y = functional.mse_loss(a, b, reduction="none").numpy()
        return y, 4 * u * numpy.abs(y)
    if op == "L1_LOSS":
        y = functional.l1_loss(a, b, reduction="none").numpy()
        return y, u * numpy.abs(y)
    if op == "SMOOTH_L1_LOSS":
        y = functional.smooth_l1_loss(a, b, reduction="none", beta=parameter).numpy()
        return y, 4 * u * (numpy.abs(long_x - long_t) + parameter)
    if op == "KLDIV_LOSS":
        y = functional.kl_div(a, b, reduction="none").numpy()
        return y, 4 * u * (numpy.abs(long_t * numpy.log(numpy.where(long_t > 0, long_t, 1))) + numpy.abs(long_t * long_x))
    if op == "LOG_LOSS":
        # PaddlePaddle's operator. The argument of a logarithm has relative errors of u, the second one also that of 1 - x.
        one, eps = LONG(1), LONG(parameter)
        first, second = numpy.log(long_x + eps), numpy.log(one - long_x + eps)
        y = -long_t * first - (one - long_t) * second
        share = numpy.abs((one - long_x) / (one - long_x + eps))
        return y, 4 * u * (numpy.abs(long_t) * (1 + numpy.abs(first)) + (1 + numpy.abs(long_t)) * (1 + share + numpy.abs(second)))
    # torch takes log(1 + e^z), which loses small results; logaddexp does not.
    z = -long_t * long_x
    y = numpy.logaddexp(LONG(0), z)
    theirs = functional.soft_margin_loss(a, b, reduction="none").numpy()
    agree = numpy.isclose(y.astype(numpy.float64), theirs, rtol=1e-12, atol=1e-15, equal_nan=True) | (z > 700)
    assert agree.all(), (z[~agree], y[~agree], theirs[~agree])
    return y, 4 * u * y * (1 + numpy.abs(z))


def row_terms(op, x, target, u):
    a = torch.from_numpy(x)
    if op == "NLL_LOSS":
        return functional.nll_loss(a, torch.from_numpy(target), reduction="none").numpy(), numpy.zeros(len(x), LONG)
    classes = x.shape[1]
    shifted = x.astype(LONG) - x.max(axis=1, keepdims=True)
    scores = functional.log_softmax(a, dim=1).numpy().astype(LONG)
    # The difference rounds, its exponential, a sum of `classes` terms, the logarithm and the last difference.
    error = u * (classes + 8 + 2 * numpy.abs(shifted) + numpy.abs(scores))
    y = functional.cross_entropy(a, torch.from_numpy(target), reduction="none").numpy()
    if op == "CROSS_ENTROPY":
        return y, (numpy.abs(target) * error + classes * u * numpy.abs(target * scores)).sum(axis=1)
    return y, error[numpy.arange(len(x)), target]


def reduced(terms, slack, reduction, u):
    if reduction == NONE:
        return terms, slack
    y = numpy.sum(terms.astype(LONG))
    slack = numpy.sum(slack) + terms.size * u * numpy.sum(numpy.abs(terms))
    return (y / terms.size, slack / terms.size + 2 * u * numpy.abs(y / terms.size)) if reduction == MEAN else (y, slack)


def loss_case(random, op, unit, reduction, kind="random", shape=None):
    rows, classes = shape or [int(n) for n in random.integers(1, 9, 2)]
    u, count = unit_roundoff(unit), rows * classes
    if kind == "special":
        bits, target_bits = special(random, unit, count), special(random, unit, count)
    else:
        bits = random_bits(random, unit, count, finite=True, small=True)
        target_bits = random_bits(random, unit, count, finite=True, small=True)
    parameter = 0.0
    if op == "SMOOTH_L1_LOSS":
        parameter = fp32(random.choice([0, 0.5, 1, 2.75, random.exponential()]))
    if op == "LOG_LOSS":
        # An infinite target makes NaN of a sum 1 - x + epsilon that rounds to 1.
        parameter = fp32(random.choice([1e-4, 1e-15, 0.25])) if kind == "random" else 0.25
    if kind == "random" and op == "LOG_LOSS":
        bits = bits_of(random.uniform(0, 1, count), unit)
    if kind == "random" and op in ("LOG_LOSS", "KLDIV_LOSS", "CROSS_ENTROPY"):
        target_bits = bits_of(random.uniform(0, 1, count) * random.integers(0, 2, count), unit)
    if kind == "random" and op == "SOFT_MARGIN_LOSS":
        target_bits = bits_of(random.choice([-1.0, 1.0], count), unit)
    x, t = numbers(bits, unit).reshape(rows, classes), numbers(target_bits, unit).reshape(rows, classes)
    case = Case("Loss", op=op, reduction=reduction, rows=rows, classes=classes, parameter=parameter)
    case.members["input"] = case.source(bits, unit)
    if op in ("NLL_LOSS", "SPARSE_CROSS_ENTROPY_LOSS"):
        labels = random.integers(0, classes, rows)
        case.members["target"] = case.source([int(n) for n in labels], "s32")
        terms, slack = row_terms(op, x, labels, u)
    else:
        case.members["target"] = case.source(target_bits, unit)
        terms, slack = row_terms(op, x, t, u) if op in ROW_LOSSES else element_terms(op, x, t, parameter, u)
    case.members["result"] = case.result(unit, intervals(*reduced(terms, slack, reduction, u), unit))
    return case


def label_outside_case(random, op, unit, rows, classes, at, label):
    """Nothing is written if a label is outside."""
    case = Case("Loss", op=op, rows=rows, classes=classes)
    labels = [int(n) for n in random.integers(0, classes, rows)]
    labels[at] = label
    case.members["input"] = case.source(random_bits(random, unit, rows * classes), unit)
    case.members["target"] = case.source([wrap(n, "s32") for n in labels], "s32")
    case.members["result"] = case.result(unit, [0] * rows)
    case.error = f"error index {at} {label} {classes}"
    return case


def loss_cases(random):
    for op in ELEMENT_LOSSES + ROW_LOSSES:
        for unit in FLOATS:
            for reduction in (NONE, MEAN, SUM):
                for _ in range(5):
                    yield loss_case(random, op, unit, reduction)
                yield loss_case(random, op, unit, reduction, shape=(1, 1))
            for _ in range(6):
                yield loss_case(random, op, unit, NONE, "special")
            for reduction in (MEAN, SUM):  # few elements, so that some results are numbers
                yield loss_case(random, op, unit, reduction, "special", (2, 1))
            yield loss_case(random, op, unit, MEAN, shape=(3, 700))
    for op in ("NLL_LOSS", "SPARSE_CROSS_ENTROPY_LOSS"):
        for unit in FLOATS:
            for at, label in ((0, 5), (3, -1), (6, 1 << 30), (2, -100), (1, -(1 << 31))):
                yield label_outside_case(random, op, unit, 7, 5, at, label)


# --- Scores ---

def score_order(x):
    """Places of the scores as TOPK orders them."""
    return sorted(range(len(x)), key=lambda c: (not numpy.isnan(x[c]), 0.0 if numpy.isnan(x[c]) else -x[c], c))


def accuracy_case(random, unit, kind, rows=None, classes=None, best=None):
    rows, classes = rows or int(random.integers(1, 30)), classes or int(random.integers(1, 12))
    best = best or int(random.integers(1, classes + 1))
    if kind == "ties":
        bits = bits_of(random.integers(-2, 3, rows * classes) * random.choice([0.0, -0.0, 1.0], rows * classes), unit)
    else:
        bits = special(random, unit, rows * classes)
        if kind == "nan":
            bits = [float_bits(numpy.nan, unit) if random.integers(2) else b for b in bits]
    x = numbers(bits, unit).reshape(rows, classes)
    labels = [int(n) for n in random.integers(0, classes, rows)]
    right = sum(label in score_order(row)[:best] for row, label in zip(x, labels))
    case = Case("Score", op="ACCURACY", classes=classes, best=best, scores=None)
    case.members.update(scores=case.source(bits, unit), labels=case.source(labels, "s32"))
    case.members["result"] = case.result("fp32", [float_bits(numpy.float32(right / rows), "fp32")])
    return case


def exact_area(x, labels):
    pairs = [(a, b) for a, one in zip(x, labels) if one for b, zero in zip(x, labels) if not zero]
    return Fraction(sum(2 * bool(a > b) + bool(a == b) for a, b in pairs), 2 * len(pairs)) if pairs else numpy.nan


def auc_case(random, unit, kind, count=None):
    count = count or int(random.integers(1, 60))
    if kind == "ties":
        bits = bits_of(random.integers(-3, 4, count) * random.choice([-0.0, 0.0, 0.5], count), unit)
    elif kind == "special":
        bits = special(random, unit, min(count, 6))
    else:
        bits = random_bits(random, unit, count, finite=True, small=True)
    x = numbers(bits, unit)
    labels = [int(n) for n in random.integers(0, 2, len(x))]
    if kind == "one label":
        labels = [int(random.integers(2))] * len(x)
    area = exact_area(x, labels)
    if numpy.isfinite(x).all() and 0 < sum(labels) < len(x):
        assert abs(roc_auc_score(labels, x) - float(area)) < 1e-12
    if numpy.isnan(x).any():
        area = numpy.nan
    case = Case("Score", op="AUC")
    case.members.update(scores=case.source(bits, unit), labels=case.source(labels, "s32"))
    case.members["result"] = case.result("fp32", [float_bits(numpy.float32(float(area)), "fp32")])
    return case


def score_cases(random):
    for unit in FLOATS:
        for kind in ("ties", "special"):
            for _ in range(12):
                yield accuracy_case(random, unit, kind)
                yield auc_case(random, unit, kind)
        for _ in range(6):
            yield accuracy_case(random, unit, "nan")
        yield accuracy_case(random, unit, "special", 1, 1, 1)
        yield accuracy_case(random, unit, "ties", 5, 2000, 17)
        yield auc_case(random, unit, "ties", 1)
        yield auc_case(random, unit, "ties", 200)
        for _ in range(6):
            yield auc_case(random, unit, "random")
        yield auc_case(random, unit, "one label")
        for at, label, op, most in ((2, 5, "ACCURACY", 5), (0, -1, "ACCURACY", 5), (1, 2, "AUC", 2), (3, -1, "AUC", 2)):
            labels = [0, 1, 1, 0]
            labels[at] = label
            case = Case("Score", op=op, classes=5 if op == "ACCURACY" else 1)
            case.members["scores"] = case.source(random_bits(random, unit, 4 * case.members["classes"]), unit)
            case.members.update(labels=case.source([wrap(n, "s32") for n in labels], "s32"), result=case.result("fp32", [0]))
            case.error = f"error index {at} {label} {most}"
            yield case


# --- Optimisers ---

STATES = {"SGD": [], "MOMENTUM": ["momentum_buffer"], "ADA_GRAD": ["sum"], "ADA_DELTA": ["square_avg", "acc_delta"],
          "RMS_PROP": ["square_avg"], "CENTERED_RMSPROP": ["square_avg", "grad_avg"], "ADAM": ["exp_avg", "exp_avg_sq"]}


def torch_optimizer(op, p, rate, hyper, nesterov):
    if op in ("SGD", "MOMENTUM"):
        return torch.optim.SGD([p], lr=rate, momentum=hyper[0] if hyper else 0, nesterov=nesterov)
    if op == "ADA_GRAD":
        return torch.optim.Adagrad([p], lr=rate, eps=hyper[0])
    if op == "ADA_DELTA":
        return torch.optim.Adadelta([p], lr=rate, rho=hyper[0], eps=hyper[1])
    if op in ("RMS_PROP", "CENTERED_RMSPROP"):
        return torch.optim.RMSprop([p], lr=rate, alpha=hyper[0], eps=hyper[1], centered=op == "CENTERED_RMSPROP")
    return torch.optim.Adam([p], lr=rate, betas=hyper[:2], eps=hyper[2])


def bounds(op, p, g, before, after, rate, hyper, nesterov, step, u):
    """Bounds of the errors of the parameters and of each state, from those before and after the step. Averages of squares, and roots and
    quotients of them, have no cancellation, so their errors are relative."""
    p, g, before, after = numpy.abs(p), numpy.abs(g), [numpy.abs(s) for s in before], [numpy.abs(s) for s in after]
    if op == "SGD":
        return 2 * u * (p + rate * g), []
    if op == "MOMENTUM":
        buffer = hyper[0] * before[0] + g
        return 4 * u * (p + rate * (g + hyper[0] * buffer if nesterov else buffer)), [2 * u * buffer]
    if op == "ADA_GRAD":
        return 8 * u * (p + rate * g / (numpy.sqrt(after[0]) + hyper[0])), [2 * u * after[0]]
    if op == "ADA_DELTA":
        delta = numpy.sqrt(before[1] + hyper[1]) / numpy.sqrt(after[0] + hyper[1]) * g
        return 16 * u * (p + rate * delta), [4 * u * after[0], 32 * u * after[1]]
    if op == "RMS_PROP":
        return 16 * u * (p + rate * g / (numpy.sqrt(after[0]) + hyper[1])), [4 * u * after[0]]
    average = hyper[0] * before[-1 if op == "CENTERED_RMSPROP" else 0] + (1 - hyper[0]) * g
    if op == "CENTERED_RMSPROP":
        # The difference cancels: its error is that of the averages.
        variance = after[0] - after[1] ** 2
        move = rate * g / (numpy.sqrt(variance) + hyper[1])
        return 16 * u * (p + move) + move * 8 * u * (after[0] + average ** 2) / variance, [4 * u * after[0], 4 * u * average]
    corrections = [1 - LONG(beta) ** step for beta in hyper[:2]]
    move = rate / corrections[0] * average / (numpy.sqrt(after[1] / corrections[1]) + hyper[2])
    # torch's corrections lose bits for a beta near 1.
    lost = LONG(2) ** -53 * (1 / corrections[0] + 1 / corrections[1])
    return 24 * u * (p + move) + lost * move, [4 * u * average, 4 * u * after[1]]


def optimizer_cases(random, op, unit, rate, hyper, nesterov=False, steps=5, kind="random", first_step=1):
    """Consecutive steps. Each starts from what the one before must have stored."""
    rate, hyper = fp32(rate), [fp32(h) for h in hyper]
    count, u = int(random.integers(1, 20)), unit_roundoff(unit)
    p_bits = random_bits(random, unit, count, finite=True, small=True)
    state_bits = [[0] * count for _ in STATES[op]]
    p = torch.from_numpy(numbers(p_bits, unit)).requires_grad_()
    optimizer = torch_optimizer(op, p, rate, hyper, nesterov)
    for step in range(1, steps + 1):
        g_bits = special(random, unit, count) if kind == "special" else bits_of(random.normal(size=count) * 3, unit)
        if kind == "special" and step == 1:
            p_bits[0] = special(random, unit, 1)[0]
            with torch.no_grad():
                p.copy_(torch.from_numpy(numbers(p_bits, unit)))
        before = [numbers(bits, unit).astype(LONG) for bits in state_bits]
        p.grad = torch.from_numpy(numbers(g_bits, unit))
        if op == "ADAM" and step == 1 and first_step != 1:
            optimizer.step()
            with torch.no_grad():
                p.copy_(torch.from_numpy(numbers(p_bits, unit)))
                for name in STATES[op]:
                    optimizer.state[p][name].zero_()
                optimizer.state[p]["step"].fill_(first_step - 1)
        optimizer.step()
        after = [optimizer.state[p][name].detach().numpy().astype(LONG) for name in STATES[op]]
        slack, state_slack = bounds(op, numbers(p_bits, unit).astype(LONG), numbers(g_bits, unit).astype(LONG), before, after, LONG(rate),
                                    [LONG(h) for h in hyper], nesterov, step + first_step - 1, u)
        case = Case("OptimizerStep", op=op, nesterov=nesterov, rate=rate, hyper=hyper, step=step + first_step - 1 if op == "ADAM" else 0)
        case.members["gradients"] = case.source(g_bits, unit)
        case.members["parameters"] = case.source(p_bits, unit)
        case.expect(case.members["parameters"][0], unit, intervals(p.detach().numpy(), slack + UNDERFLOW, unit))
        case.members["states"] = [case.source(bits, unit) for bits in state_bits]
        for run_, expected, bound in zip(case.members["states"], after, state_slack):
            case.expect(run_[0], unit, intervals(expected, bound, unit))
        yield case
        p_bits, state_bits = bits_of(p.detach().numpy(), unit), [bits_of(s.astype(numpy.float64), unit) for s in after]
        with torch.no_grad():
            p.copy_(torch.from_numpy(numbers(p_bits, unit)))
            for name, bits in zip(STATES[op], state_bits):
                optimizer.state[p][name].copy_(torch.from_numpy(numbers(bits, unit)))


SETTINGS = [
    ("SGD", 0.1, []), ("SGD", 0, []), ("SGD", 3.25, []),
    ("MOMENTUM", 0.1, [0.9]), ("MOMENTUM", 0.01, [0.25]), ("MOMENTUM", 1, [1.5]),
    ("ADA_GRAD", 0.1, [1e-10]), ("ADA_GRAD", 0.5, [0.25]), ("ADA_GRAD", 1, [0]),
    ("ADA_DELTA", 1, [0.9, 1e-6]), ("ADA_DELTA", 0.5, [0, 0.125]), ("ADA_DELTA", 2, [1, 0.5]), ("ADA_DELTA", 1, [0.25, 0.01]),
    ("RMS_PROP", 0.01, [0.99, 1e-8]), ("RMS_PROP", 0.1, [0.5, 0.5]), ("RMS_PROP", 0.1, [0, 0.125]),
    ("CENTERED_RMSPROP", 0.01, [0.99, 1e-8]), ("CENTERED_RMSPROP", 0.1, [0.5, 0.5]),
    ("ADAM", 1e-3, [0.9, 0.999, 1e-8]), ("ADAM", 0.5, [0.5, 0.25, 0.5]), ("ADAM", 0.125, [0, 0, 0.01]), ("ADAM", 0.1, [0.75, 0.999999, 0]),
]


def training_cases(random):
    for op, rate, hyper in SETTINGS:
        for unit in FLOATS:
            yield from optimizer_cases(random, op, unit, rate, hyper)
            if hyper[-1:] != [0]:
                for _ in range(3):
                    yield from optimizer_cases(random, op, unit, rate, hyper, steps=1, kind="special")
            if op == "MOMENTUM" and hyper[0] > 0:
                yield from optimizer_cases(random, op, unit, rate, hyper, nesterov=True)
            if op == "ADAM":
                yield from optimizer_cases(random, op, unit, rate, hyper, steps=3, first_step=1000)
    for unit in FLOATS:
        # The square of the averaged gradient is larger than the average of squares: the root of a negative number.
        case = Case("OptimizerStep", op="CENTERED_RMSPROP", rate=0.5, hyper=[0.5, 0.0])
        parameters, zero, two = bits_of(numpy.ones(2), unit), [0, 0], bits_of(numpy.array([2.0, 2.0]), unit)
        case.members.update(gradients=case.source(zero, unit), parameters=case.source(parameters, unit),
                            states=[case.source(zero, unit), case.source(two, unit)])
        case.expect(case.members["parameters"][0], unit, [float_bits(numpy.nan, unit)] * 2)
        case.expect(case.members["states"][0][0], unit, zero)
        case.expect(case.members["states"][1][0], unit, parameters)
        yield case


# --- LABEL_SMOOTH, PaddlePaddle's formula ---

def label_smooth_case(random, unit, kind, epsilon):
    rows, classes = [int(n) for n in random.integers(1, 9, 2)]
    epsilon = fp32(epsilon)
    make = (lambda n: special(random, unit, n)) if kind == "special" else (lambda n: random_bits(random, unit, n, finite=True, small=True))
    bits = make(rows * classes)
    case = Case("LabelSmooth", classes=classes, epsilon=epsilon)
    case.members["source"] = case.source(bits, unit)
    prior = numpy.full(classes, LONG(1) / classes)
    if random.integers(2):
        prior_bits = make(classes)
        case.members["prior"] = case.source(prior_bits, unit)
        prior = numbers(prior_bits, unit).astype(LONG)
    first = (1 - LONG(epsilon)) * numbers(bits, unit).astype(LONG).reshape(rows, classes)
    second = numpy.broadcast_to(LONG(epsilon) * prior, first.shape)
    slack = 4 * unit_roundoff(unit) * (numpy.abs(first) + numpy.abs(second))
    case.members["result"] = case.result(unit, intervals(first + second, slack, unit))
    return case


def cases(random):
    yield from loss_cases(random)
    yield from score_cases(random)
    yield from training_cases(random)
    for unit in FLOATS:
        for epsilon in (0, 0.1, 0.5, 1):
            for kind in ("random", "random", "random", "special", "special"):
                yield label_smooth_case(random, unit, kind, epsilon)


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")  # torch advises against the mean over elements of KLDIV_LOSS
    run(list(cases(generator())), "as torch and scikit-learn have them")
