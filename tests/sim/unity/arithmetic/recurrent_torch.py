#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks recurrent layers and their cells with all units against torch's cells in float64.

Each element must lie between the two roundings of torch's number plus and minus its uncertainty. That has three parts: the sums' roundings
in the wider type, a few roundings of the cell, and what neighbours of the last step may differ by.

Usage: recurrent_torch.py PROGRAM [SEED]"""

import numpy
import torch

from unity_cases import Case, generator, run
from unity_numbers import FLOAT, FLOATS, UNITS, float_bits, value

KINDS = {"RNN": 1, "GRU": 3, "LSTM": 4}  # gates
CELLS = {"RNN": torch.nn.RNNCell, "GRU": torch.nn.GRUCell, "LSTM": torch.nn.LSTMCell}
LAYERS = {"RNN": torch.nn.RNN, "GRU": torch.nn.GRU, "LSTM": torch.nn.LSTM}
# Roundings of a product and of a function: fp16 is computed in fp32; the others not worse than torch in float64.
ROUNDING = {"fp16": 2.0 ** -24, "fp32": 2.0 ** -53, "fp64": 2.0 ** -53}


class Layer:
    """Sizes, weights and states of a layer, all numbers of the unit."""

    def __init__(self, random, kind, unit, sizes, options):
        self.kind, self.unit = kind, unit
        self.steps, self.batch, self.inputs, self.hidden = sizes
        self.rows = KINDS[kind] * self.hidden
        self.relu, self.has_bias, self.has_hidden, self.has_cell = options
        scale = float(random.choice([0.3, 1, 4])) / max(self.hidden, self.inputs) ** 0.5
        self.x = self.draw(random, (self.steps, self.batch, self.inputs), 2)
        self.input_weights = self.draw(random, (self.rows, self.inputs), scale)
        self.hidden_weights = self.draw(random, (self.rows, self.hidden), scale)
        self.bias = self.draw(random, (2, self.rows), scale if self.has_bias else 0)
        self.h = self.draw(random, (self.batch, self.hidden), 1 if self.has_hidden else 0)
        self.c = self.draw(random, (self.batch, self.hidden), 2 if self.has_cell else 0)

    def draw(self, random, shape, scale):
        return (random.normal(size=shape) * scale).astype(FLOAT[self.unit]).astype(numpy.float64)

    def load(self, module, suffix=""):
        """Gives the weights to a module of torch."""
        for name, values in [("weight_ih", self.input_weights), ("weight_hh", self.hidden_weights), ("bias_ih", self.bias[0]),
                             ("bias_hh", self.bias[1])]:
            getattr(module, name + suffix).data = torch.tensor(values)
        return module

    def options(self):
        return {"nonlinearity": "relu" if self.relu else "tanh"} if self.kind == "RNN" else {}

    def cell(self):
        return self.load(CELLS[self.kind](self.inputs, self.hidden, dtype=torch.float64, **self.options()))

    def step(self, cell, t, h, c):
        """torch's states after a step, without rounding."""
        x = torch.tensor(self.x[t])
        if self.kind == "LSTM":
            h, c = cell(x, (torch.tensor(h), torch.tensor(c)))
            return h.numpy(), c.numpy()
        return cell(x, torch.tensor(h)).numpy(), c

    def uncertainty_of_sums(self, t, h, slack):
        """Of each gate's sum: [batch][gate][hidden]."""
        with numpy.errstate(invalid="ignore"):
            terms = numpy.abs(self.x[t]) @ numpy.abs(self.input_weights).T + numpy.abs(h) @ numpy.abs(self.hidden_weights).T
            terms += numpy.abs(self.bias).sum(axis=0)
            sums = (self.inputs + self.hidden + 4) * ROUNDING[self.unit] * terms + slack @ numpy.abs(self.hidden_weights).T
        # An infinite sum saturates its gate.
        return numpy.where(numpy.isfinite(sums), sums, 0).reshape(self.batch, KINDS[self.kind], self.hidden)

    def uncertainty(self, t, h, c, slack_h, slack_c):
        """Bounds for the errors of the hidden and the cell state after a step. No gate's function is steeper than 1, sigmoids have 1/4."""
        gates, few = self.uncertainty_of_sums(t, h, slack_h), 8 * ROUNDING[self.unit]
        if self.kind == "RNN":
            return gates[:, 0] + few * (1 + self.largest), slack_c
        if self.kind == "GRU":
            inner = numpy.abs(self.hidden_weights[2 * self.hidden:]).sum(axis=1) * (numpy.abs(h) + slack_h).max(axis=1)[:, None]
            inner += numpy.abs(self.bias[1, 2 * self.hidden:])
            state = 1 + numpy.abs(h)
            return gates[:, 0] * inner / 4 + gates[:, 1] * state + gates[:, 2] + slack_h + few * state, slack_c
        c_next = numpy.abs(c) * gates[:, 1] / 4 + slack_c + gates[:, 0] / 4 + gates[:, 2] + few * (1 + numpy.abs(c))
        return gates[:, 3] / 4 + c_next + few, c_next

    def interval(self, number, slack):
        """Bits, or a pair of numbers of the unit; and the middle and the radius of the pair."""
        kind = FLOAT[self.unit]
        if not numpy.isfinite(number) or not numpy.isfinite(kind(number)):
            return float_bits(kind(number), self.unit), float(kind(number)), 0.0
        if not numpy.isfinite(slack):  # gates that infinities saturate
            slack = 8 * ROUNDING[self.unit] * (1 + abs(number))
        low, high = kind(number - slack), kind(number + slack)
        return (numpy.longdouble(low), numpy.longdouble(high)), float(kind(number)), float(numpy.float64(high) - numpy.float64(low))

    def intervals(self, numbers, slack):
        parts = [self.interval(n, s) for n, s in zip(numbers.ravel(), slack.ravel())]
        return ([p[0] for p in parts], numpy.array([p[1] for p in parts]).reshape(numbers.shape),
                numpy.array([p[2] for p in parts]).reshape(numbers.shape))

    def expected(self):
        """Intervals of all results, of the last hidden and of the last cell state."""
        cell, h, c = self.cell(), self.h, self.c
        slack_h, slack_c, results = numpy.zeros_like(h), numpy.zeros_like(c), []
        for t in range(self.steps):
            next_h, next_c = self.step(cell, t, h, c)
            self.largest = numpy.abs(next_h)
            slack_h, slack_c = self.uncertainty(t, h, c, slack_h, slack_c)
            of_h, h, slack_h = self.intervals(next_h, slack_h)
            of_c, c, slack_c = self.intervals(next_c, slack_c)
            results += of_h
        return results, of_h, of_c

    def case(self, cell):
        case = Case("Recurrent", op=self.kind + ("_CELL" if cell else ""), kind=KINDS[self.kind], relu=self.relu, steps=self.steps,
                    batch=self.batch, inputs=self.inputs, hidden=self.hidden)
        absent = [0, UNITS.index(self.unit), 0]

        def source(values):
            return case.source([float_bits(FLOAT[self.unit](v), self.unit) for v in values.ravel()], self.unit)
        results, last_h, last_c = self.expected()
        case.members["input"] = source(self.x)
        case.members["input_weights"] = source(self.input_weights)
        case.members["hidden_weights"] = source(self.hidden_weights)
        case.members["bias"] = source(self.bias) if self.has_bias else absent
        for name, present, state, last in [("hidden_state", self.has_hidden, self.h, last_h), ("cell_state", self.has_cell, self.c, last_c)]:
            case.members[name] = source(state) if present else absent
            if present:
                case.expect(case.members[name][0], self.unit, last)
        case.members["result"] = case.result(self.unit, results)
        return case


def draw_layer(random, kind, unit, steps):
    sizes = (steps, int(random.integers(1, 4)), int(random.integers(1, 9)), int(random.integers(1, 9)))
    flags = [bool(n) for n in random.integers(4, size=3)]
    return Layer(random, kind, unit, sizes, (kind == "RNN" and bool(random.integers(2)), flags[0], flags[1], kind == "LSTM" and flags[2]))


def special_layer(random, kind, unit, relu):
    """One step with NaN, infinities, zeros of both signs, subnormals and the largest numbers among the inputs, states and biases."""
    top = numpy.finfo(FLOAT[unit])
    large = float(top.max) if unit != "fp64" else 1e300  # torch's sums in float64 must not overflow
    numbers = [numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, float(top.smallest_subnormal), float(top.tiny), large, -large]
    layer = Layer(random, kind, unit, (1, len(numbers), 2, 3), (relu, True, True, kind == "LSTM"))
    layer.x[0, :, 1] = numbers
    layer.h[:, 2] = random.permutation(numbers)
    if kind == "LSTM":
        layer.c[:, 0] = random.permutation(numbers)
    return layer


def check_layers(random):
    """torch's layers are its cells, one step after another, so that the cells may stand for the layers."""
    for kind in KINDS:
        layer = draw_layer(random, kind, "fp64", 7)
        module = layer.load(LAYERS[kind](layer.inputs, layer.hidden, dtype=torch.float64, **layer.options()), "_l0")
        h, c = torch.tensor(layer.h)[None], torch.tensor(layer.c)[None]
        y, last = module(torch.tensor(layer.x), (h, c) if kind == "LSTM" else h)
        results, last_h, last_c = layer.expected()
        for numbers, intervals in [(y, results)] + ([(last[0], last_h), (last[1], last_c)] if kind == "LSTM" else [(last, last_h)]):
            for number, (low, high) in zip(numbers.numpy().ravel(), intervals):
                assert low <= number <= high, (kind, number, low, high)


def cases(random):
    for kind in KINDS:
        for unit in FLOATS:
            for steps in [1, 1, 1, 2, 3, 5, 9]:
                for _ in range(6):
                    yield draw_layer(random, kind, unit, steps).case(cell=False)
            for _ in range(12):
                yield draw_layer(random, kind, unit, 1).case(cell=True)
            for relu in ([False, True] if kind == "RNN" else [False]):
                for _ in range(4):
                    yield special_layer(random, kind, unit, relu).case(cell=True)
            yield Layer(random, kind, unit, (2, 2, 70, 33), (False, True, True, kind == "LSTM")).case(cell=False)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    numbers = generator()
    check_layers(numbers)
    run(list(cases(numbers)), "as torch has them")
