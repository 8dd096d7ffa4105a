// SPDX-License-Identifier: MIT
// Tensor descriptors and random numbers: CREATE_TENSOR to DESTROY_TENSOR, SHAPE to HAS_NAN, DROPOUT; and UNSTACK.
// Descriptors are lists of 64 bytes. Addresses in them, and all but those of runs, are device addresses.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void read(const JsonReader &from, const char *name, TensorDescriptor &to) {
  std::array<std::uint8_t, kDescriptorBytes> bytes{};
  from(name, bytes);
  to = read_descriptor(std::as_bytes(std::span(bytes)));
}
void read(const JsonReader &from, const char *name, TensorRange &to) {
  std::array<std::uint64_t, 3> range{};
  from(name, range);
  to = {range[0], range[1], range[2]};
}

void fill(const JsonReader &from, Creation &to) {
  read(from, "descriptor", to.descriptor);
  read(from, "tensor", to.tensor);
  read(from, "tensor_range", to.tensor_range);
  from("op", to.op)("address", to.address)("data", to.data)("shape", to.shape)("source", to.source)("tensor_address", to.tensor_address)(
      "p0", to.p0)("p1", to.p1)("seed", to.seed);
}
void fill(const JsonReader &from, Query &to) {
  read(from, "tensor", to.tensor);
  read(from, "range", to.range);
  from("op", to.op)("address", to.address)("result", to.result);
}
void fill(const JsonReader &from, Unstack &to) {
  from("op", to.op)("source", to.source)("outer", to.outer)("extent", to.extent)("inner", to.inner)("list", to.list)("space", to.space)(
      "page", to.page)("checksum", to.checksum);
}
void fill(const JsonReader &from, Dropout &to) {
  from("op", to.op)("source", to.source)("result", to.result)("ratio", to.ratio)("seed", to.seed);
}

}  // namespace

void add_creation_families(JsonFamilies &families) {
  families["Creation"] = read_json_family<Creation, fill>;
  families["Query"] = read_json_family<Query, fill>;
  families["Unstack"] = read_json_family<Unstack, fill>;
  families["Dropout"] = read_json_family<Dropout, fill>;
}

}  // namespace cox::test
