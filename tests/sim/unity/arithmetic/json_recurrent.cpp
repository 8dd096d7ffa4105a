// SPDX-License-Identifier: MIT
// Recurrent layers: LSTM, RNN, GRU and their cells.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, Recurrent &to) { from("op", to.op); }

}  // namespace

void add_recurrent_families(JsonFamilies &families) { families["Recurrent"] = read_json_family<Recurrent, fill>; }

}  // namespace cox::test
