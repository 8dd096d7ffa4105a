# SPDX-License-Identifier: MIT
"""An LSTM with a dense layer and a sigmoid behind it, in NumPy: forward, backpropagation through time, Adam."""
import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Lstm:
    """Layouts and the order of the gates (i, f, g, o) are those of the instruction LSTM. Sequences are [steps][batch][inputs]."""

    def __init__(self, random, inputs, hidden):
        scale = 1 / np.sqrt(hidden)
        bias = np.zeros((2, 4 * hidden))
        bias[0, hidden : 2 * hidden] = 1  # at first the cells remember
        self.hidden = hidden
        self.parameters = {
            "w_ih": random.uniform(-scale, scale, (4 * hidden, inputs)),
            "w_hh": random.uniform(-scale, scale, (4 * hidden, hidden)),
            "bias": bias,
            "w_out": random.uniform(-scale, scale, hidden),
            "b_out": np.zeros(1),
        }

    def forward(self, x):
        """Returns the probabilities, [steps][batch], and keeps what backward() needs."""
        p = self.parameters
        h = c = np.zeros((x.shape[1], self.hidden))
        projected = x @ p["w_ih"].T + p["bias"].sum(axis=0)
        self.x, self.steps, states = x, [], []
        for step in range(len(x)):
            i, f, g, o = np.split(projected[step] + h @ p["w_hh"].T, 4, axis=1)
            i, f, g, o = sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)
            next_c = f * c + i * g
            tanh_c = np.tanh(next_c)
            self.steps.append((h, c, i, f, g, o, tanh_c))
            h, c = o * tanh_c, next_c
            states.append(h)
        self.states = np.stack(states)
        self.scores = sigmoid(self.states @ p["w_out"] + p["b_out"])
        return self.scores

    def backward(self, labels):
        """Returns the gradients of the mean cross entropy."""
        p = self.parameters
        at_logits = (self.scores - labels) / labels.size
        at_states = at_logits[..., None] * p["w_out"]
        at_sums = np.zeros((*labels.shape, 4 * self.hidden))
        w_hh = np.zeros_like(p["w_hh"])
        at_h = at_c = 0
        for step in reversed(range(len(labels))):
            h, c, i, f, g, o, tanh_c = self.steps[step]
            at_h = at_h + at_states[step]
            at_c = at_c + at_h * o * (1 - tanh_c**2)
            gates = (at_c * g * i * (1 - i), at_c * c * f * (1 - f), at_c * i * (1 - g**2), at_h * tanh_c * o * (1 - o))
            at_sums[step] = np.concatenate(gates, axis=1)
            w_hh += at_sums[step].T @ h
            at_h, at_c = at_sums[step] @ p["w_hh"], at_c * f
        bias = at_sums.sum(axis=(0, 1))
        return {
            "w_ih": np.einsum("tbk,tbi->ki", at_sums, self.x),
            "w_hh": w_hh,
            "bias": np.stack([bias, bias]),
            "w_out": np.einsum("tb,tbh->h", at_logits, self.states),
            "b_out": at_logits.sum(keepdims=True)[0],
        }


class Adam:
    def __init__(self, parameters, rate):
        self.rate, self.step = rate, 0
        self.first = {name: np.zeros_like(value) for name, value in parameters.items()}
        self.second = {name: np.zeros_like(value) for name, value in parameters.items()}

    def update(self, parameters, gradients):
        self.step += 1
        length = np.sqrt(sum((gradient**2).sum() for gradient in gradients.values()))
        for name, gradient in gradients.items():
            gradient = gradient / max(length, 1)  # so that a steep place does not throw the weights far away
            self.first[name] += 0.1 * (gradient - self.first[name])
            self.second[name] += 0.001 * (gradient**2 - self.second[name])
            mean, square = self.first[name] / (1 - 0.9**self.step), self.second[name] / (1 - 0.999**self.step)
            parameters[name] -= self.rate * mean / (np.sqrt(square) + 1e-8)


def cross_entropy(scores, labels):
    return -np.mean(labels * np.log(scores + 1e-12) + (1 - labels) * np.log(1 - scores + 1e-12))


def train(random, make_batch, inputs, hidden, updates, rate):
    """Trains an LSTM. make_batch() returns frames and labels. The weights are FP32 numbers at the end."""
    lstm = Lstm(random, inputs, hidden)
    adam = Adam(lstm.parameters, rate)
    for update in range(updates):
        x, labels = make_batch()
        loss = cross_entropy(lstm.forward(x), labels)
        adam.rate = rate * 0.5 * (1 + np.cos(np.pi * update / updates))
        adam.update(lstm.parameters, lstm.backward(labels))
        if update % 50 == 49:
            print(f"update {update + 1:4}: loss {loss:.4f}", flush=True)
    lstm.parameters = {name: value.astype(np.float32) for name, value in lstm.parameters.items()}
    return lstm
