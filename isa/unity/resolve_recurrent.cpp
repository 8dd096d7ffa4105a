// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells.
#include "coxswain/isa/unity/operands.h"
#include "coxswain/isa/unity/region_sink.h"

namespace cox::isa::unity::detail {
namespace {

using namespace layouts;
using Kind = Recurrent::Kind;

Kind kind_of(Opcode op) {
  switch (op) {
    case Opcode::LSTM:
    case Opcode::LSTM_CELL: return Kind::lstm;
    case Opcode::GRU:
    case Opcode::GRU_CELL: return Kind::gru;
    default: return Kind::rnn;
  }
}

bool is_cell(Opcode op) { return op == Opcode::LSTM_CELL || op == Opcode::RNN_CELL || op == Opcode::GRU_CELL; }

}  // namespace

Result<Operation> resolve_recurrent(const Operands &o) {
  Recurrent r{.op = o.op(), .kind = kind_of(o.op())};
  Checks checks;
  const Unit unit = o.unit<kRecurrent, "UNIT">();
  r.hidden = o.word<kRecurrent, "HIDDEN">();
  r.inputs = o.word<kRecurrent, "INPUT">();
  r.batch = o.word<kRecurrent, "BATCH">();
  r.steps = o.word<kRecurrent, "T">();
  r.relu = o.get<kRecurrent, "RELU">() != 0;
  checks.size("HIDDEN", r.hidden);
  checks.size("INPUT", r.inputs);
  checks.unit("UNIT", unit, is_float(unit));
  checks.at_most("RELU", o.get<kRecurrent, "RELU">(), r.kind == Kind::rnn ? 1 : 0);
  checks.size("BATCH", r.batch);
  checks.size("T", r.steps);
  if (is_cell(r.op)) checks.at_most("T", r.steps, 1);
  if (r.kind != Kind::lstm) checks.zero("C", o.get<kRecurrent, "C">());
  if (!checks) return checks.status();
  const std::uint64_t rows = r.gates() * r.hidden, state = std::uint64_t{r.batch} * r.hidden;
  const auto optional = [unit](std::uint64_t address, std::uint64_t elements) { return Run{address, unit, address == 0 ? 0 : elements}; };
  r.input = {o.address<kRecurrent, "X">(), unit, std::uint64_t{r.steps} * r.batch * r.inputs};
  r.input_weights = {o.address<kRecurrent, "W_IH">(), unit, rows * r.inputs};
  r.hidden_weights = {o.address<kRecurrent, "W_HH">(), unit, rows * r.hidden};
  r.bias = optional(o.optional_address<kRecurrent, "BIAS">(), 2 * rows);
  r.hidden_state = optional(o.optional_address<kRecurrent, "H">(), state);
  r.cell_state = optional(o.optional_address<kRecurrent, "C">(), state);
  r.result = {o.address<kRecurrent, "Y">(), unit, r.steps * state};
  return Operation{r};
}

void list_regions(const Recurrent &operation, RegionSink &sink) {
  sink.read("X", operation.input);
  sink.read("W_IH", operation.input_weights);
  sink.read("W_HH", operation.hidden_weights);
  sink.read("BIAS", operation.bias);
  sink.write("H", operation.hidden_state);
  sink.write("C", operation.cell_state);
  sink.write("Y", operation.result);
}

}  // namespace cox::isa::unity::detail
