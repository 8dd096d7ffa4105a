// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/run.h"

namespace cox::isa::unity {

/// LSTM, RNN and GRU over `steps` steps, and their cells, which carry out one step. Formulas and the order of gates are torch's. All runs
/// have one float unit. Layouts, with G gates:
struct Recurrent {
  enum class Kind : std::uint8_t { rnn = 1, gru = 3, lstm = 4 };  ///< the value is the number of gates
  Opcode op{};                                                    ///< LSTM, RNN, GRU, LSTM_CELL, RNN_CELL, GRU_CELL
  Kind kind{};
  Run input{};           ///< [steps][batch][inputs]
  Run input_weights{};   ///< [G * hidden][inputs]
  Run hidden_weights{};  ///< [G * hidden][hidden]
  Run bias{};            ///< [2][G * hidden]: added to products of the input, of the hidden state; no elements: zeros
  /// [batch][hidden], read before the first step and written after the last one. No elements: zeros at first, and not stored. Only LSTM has
  /// a cell state.
  Run hidden_state{}, cell_state{};
  Run result{};                                                ///< [steps][batch][hidden]: the hidden state after each step
  std::uint32_t steps = 1, batch = 1, inputs = 1, hidden = 1;  ///< 1 to 4095; cells have one step
  bool relu = false;                                           ///< RNN, RNN_CELL: RELU instead of tanh

  [[nodiscard]] constexpr std::uint64_t gates() const { return static_cast<std::uint64_t>(kind); }
};

}  // namespace cox::isa::unity
