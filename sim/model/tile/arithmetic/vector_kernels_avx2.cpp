// SPDX-License-Identifier: MIT
// Vector kernels for AVX2 with F16C.
#include "sim/model/tile/arithmetic/vector_kernels_common.h"

namespace cox::model::arithmetic {

const VectorKernels kAvx2VectorKernels{"avx2", load, store, affine, add_scaled, arithmetic, compare, table, exponential, extreme, bilinear};

}  // namespace cox::model::arithmetic
