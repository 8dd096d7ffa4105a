// SPDX-License-Identifier: MIT
// Training: losses, ACCURACY, AUC, optimisers, LABEL_SMOOTH.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, Loss &to) {
  from("op", to.op)("reduction", to.reduction)("rows", to.rows)("classes", to.classes)("parameter", to.parameter)("input", to.input)(
      "target", to.target)("result", to.result);
}
void fill(const JsonReader &from, Score &to) {
  from("op", to.op)("classes", to.classes)("best", to.best)("scores", to.scores)("labels", to.labels)("result", to.result);
}
void fill(const JsonReader &from, OptimizerStep &to) {
  from("op", to.op)("nesterov", to.nesterov)("rate", to.rate)("hyper", to.hyper)("step", to.step)("parameters", to.parameters)(
      "gradients", to.gradients)("states", to.states);
}
void fill(const JsonReader &from, LabelSmooth &to) {
  from("epsilon", to.epsilon)("classes", to.classes)("source", to.source)("result", to.result)("prior", to.prior);
}

}  // namespace

void add_training_families(JsonFamilies &families) {
  families["Loss"] = read_json_family<Loss, fill>;
  families["Score"] = read_json_family<Score, fill>;
  families["OptimizerStep"] = read_json_family<OptimizerStep, fill>;
  families["LabelSmooth"] = read_json_family<LabelSmooth, fill>;
}

}  // namespace cox::test
