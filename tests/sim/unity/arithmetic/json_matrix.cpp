// SPDX-License-Identifier: MIT
// Linear algebra and Fourier transforms: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, FFT, IFFT.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, MatrixOperation &to) {
  from("op", to.op)("rows", to.rows)("columns", to.columns)("right_sides", to.right_sides)("a", to.a)("b", to.b)("result", to.result)(
      "second", to.second)("upper", to.upper)("axis", to.axis)("type", to.type);
}
void fill(const JsonReader &from, Fourier &to) {
  from("op", to.op)("length", to.length)("batch", to.batch)("real_input", to.real_input)("source", to.source)("result", to.result);
}

}  // namespace

void add_matrix_families(JsonFamilies &families) {
  families["MatrixOperation"] = read_json_family<MatrixOperation, fill>;
  families["Fourier"] = read_json_family<Fourier, fill>;
}

}  // namespace cox::test
