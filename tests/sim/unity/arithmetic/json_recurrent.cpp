// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, Recurrent &to) {
  from("op", to.op)("kind", to.kind)("input", to.input)("input_weights", to.input_weights)("hidden_weights", to.hidden_weights)(
      "bias", to.bias)("hidden_state", to.hidden_state)("cell_state", to.cell_state)("result", to.result)("steps", to.steps)(
      "batch", to.batch)("inputs", to.inputs)("hidden", to.hidden)("relu", to.relu);
}

}  // namespace

void add_recurrent_families(JsonFamilies &families) { families["Recurrent"] = read_json_family<Recurrent, fill>; }

}  // namespace cox::test
