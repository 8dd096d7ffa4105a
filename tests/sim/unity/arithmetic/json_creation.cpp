// SPDX-License-Identifier: MIT
// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, SHAPE to HAS_NAN, DROPOUT; and UNSTACK.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, Creation &to) { from("op", to.op); }
void fill(const JsonReader &from, Query &to) { from("op", to.op); }
void fill(const JsonReader &from, Unstack &to) { from("op", to.op); }
void fill(const JsonReader &from, Dropout &to) { from("op", to.op); }

}  // namespace

void add_creation_families(JsonFamilies &families) {
  families["Creation"] = read_json_family<Creation, fill>;
  families["Query"] = read_json_family<Query, fill>;
  families["Unstack"] = read_json_family<Unstack, fill>;
  families["Dropout"] = read_json_family<Dropout, fill>;
}

}  // namespace cox::test
