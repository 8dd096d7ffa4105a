// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells, with torch's formulas.
#include <vector>

#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Recurrent;
using isa::unity::Run;

template <typename Wide>
class Layer {
 public:
  Layer(const Recurrent &operation, Memory &memory)
      : operation_(operation),
        unit_(operation.result.unit),
        input_(read(memory, operation.input)),
        input_weights_(read(memory, operation.input_weights)),
        hidden_weights_(read(memory, operation.hidden_weights)),
        bias_(read_optional(memory, operation.bias)),
        hidden_bytes_(write_optional(memory, operation.hidden_state)),
        cell_bytes_(write_optional(memory, operation.cell_state)),
        result_(write(memory, operation.result)),
        hidden_(loaded(hidden_bytes_)),
        cell_(loaded(cell_bytes_)),
        next_(operation.hidden) {}

  void run() {
    for (std::uint64_t t = 0; t < operation_.steps; ++t) {
      for (std::uint64_t b = 0; b < operation_.batch; ++b) step(t, b);
    }
    store(hidden_bytes_, hidden_);
    store(cell_bytes_, cell_);
  }

 private:
  /// What a gate gets from the input and from the hidden state, biases included.
  struct Sums {
    Wide input = 0, hidden = 0;

    [[nodiscard]] Wide both() const { return input + hidden; }
  };

  [[nodiscard]] Wide number(const std::byte *run, std::uint64_t i) const {
    return static_cast<Wide>(real_of_bits(load_bits(run, unit_, i), unit_));
  }
  [[nodiscard]] std::uint64_t bits(Wide value) const { return bits_of_wide(value, unit_); }
  [[nodiscard]] Wide rounded(Wide value) const { return static_cast<Wide>(real_of_bits(bits(value), unit_)); }

  /// A state [batch][hidden]; zeros if it is absent.
  [[nodiscard]] std::vector<Wide> loaded(const std::byte *state) const {
    std::vector<Wide> values(std::uint64_t{operation_.batch} * operation_.hidden);
    for (std::uint64_t i = 0; state != nullptr && i < values.size(); ++i) values[i] = number(state, i);
    return values;
  }
  void store(std::byte *state, const std::vector<Wide> &values) const {
    for (std::uint64_t i = 0; state != nullptr && i < values.size(); ++i) store_bits(state, unit_, i, bits(values[i]));
  }

  [[nodiscard]] Sums sums(std::uint64_t t, std::uint64_t b, std::uint64_t gate, std::uint64_t j) const {
    const std::uint64_t inputs = operation_.inputs, hidden = operation_.hidden;
    const std::uint64_t row = gate * hidden + j, from = (t * operation_.batch + b) * inputs;
    Sums sums;
    for (std::uint64_t i = 0; i < inputs; ++i) {
      sums.input = std::fma(number(input_weights_, row * inputs + i), number(input_, from + i), sums.input);
    }
    for (std::uint64_t i = 0; i < hidden; ++i) {
      sums.hidden = std::fma(number(hidden_weights_, row * hidden + i), hidden_[b * hidden + i], sums.hidden);
    }
    if (bias_ != nullptr) {
      sums.input += number(bias_, row);
      sums.hidden += number(bias_, operation_.gates() * hidden + row);
    }
    return sums;
  }

  /// The hidden states of a sequence change together after the step, because each depends on all of them.
  void step(std::uint64_t t, std::uint64_t b) {
    const std::uint64_t hidden = operation_.hidden, first = b * hidden;
    for (std::uint64_t j = 0; j < hidden; ++j) {
      const auto gate = [&](std::uint64_t number) { return sums(t, b, number, j); };
      switch (operation_.kind) {
        case Recurrent::Kind::lstm: next_[j] = lstm(gate, cell_[first + j]); break;
        case Recurrent::Kind::gru: next_[j] = gru(gate, hidden_[first + j]); break;
        case Recurrent::Kind::rnn: next_[j] = rnn(gate(0).both()); break;
      }
    }
    for (std::uint64_t j = 0; j < hidden; ++j) {
      hidden_[first + j] = rounded(next_[j]);
      store_bits(result_, unit_, (t * operation_.batch + b) * hidden + j, bits(next_[j]));
    }
  }

  /// Gates i, f, g, o. The hidden state depends on the cell state before that is rounded.
  template <typename Gate>
  [[nodiscard]] Wide lstm(Gate gate, Wide &cell) const {
    const Wide i = sigmoid(gate(0).both()), f = sigmoid(gate(1).both());
    const Wide g = std::tanh(gate(2).both()), o = sigmoid(gate(3).both());
    const Wide next = f * cell + i * g;
    cell = rounded(next);
    return o * std::tanh(next);
  }
  /// Gates r, z, n; r multiplies the bias of the hidden state, too.
  template <typename Gate>
  [[nodiscard]] static Wide gru(Gate gate, Wide hidden) {
    const Wide r = sigmoid(gate(0).both()), z = sigmoid(gate(1).both());
    const Sums last = gate(2);
    const Wide n = std::tanh(last.input + r * last.hidden);
    return (1 - z) * n + z * hidden;
  }
  [[nodiscard]] Wide rnn(Wide sum) const {
    if (!operation_.relu) return std::tanh(sum);
    return sum < 0 ? Wide{0} : sum;
  }

  const Recurrent &operation_;
  Unit unit_;
  const std::byte *input_, *input_weights_, *hidden_weights_, *bias_;
  std::byte *hidden_bytes_, *cell_bytes_, *result_;
  std::vector<Wide> hidden_, cell_;  ///< [batch][hidden], numbers of the unit
  std::vector<Wide> next_;           ///< the hidden state of one sequence after the step
};

}  // namespace

Status recurrent(const Recurrent &operation, Memory &memory) {
  in_wider(operation.result.unit, [&](auto wide) { Layer<decltype(wide)>(operation, memory).run(); });
  return {};
}

}  // namespace cox::model::unity::reference
