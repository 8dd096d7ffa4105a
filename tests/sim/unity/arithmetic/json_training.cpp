// SPDX-License-Identifier: MIT
// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, Loss &to) { from("op", to.op); }
void fill(const JsonReader &from, Score &to) { from("op", to.op); }
void fill(const JsonReader &from, OptimizerStep &to) { from("op", to.op); }
void fill(const JsonReader &from, LabelSmooth &to) { from("op", to.op); }

}  // namespace

void add_training_families(JsonFamilies &families) {
  families["Loss"] = read_json_family<Loss, fill>;
  families["Score"] = read_json_family<Score, fill>;
  families["OptimizerStep"] = read_json_family<OptimizerStep, fill>;
  families["LabelSmooth"] = read_json_family<LabelSmooth, fill>;
}

}  // namespace cox::test
