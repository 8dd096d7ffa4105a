// SPDX-License-Identifier: MIT
// Vector kernels for AVX-512.
#include "sim/model/tile/arithmetic/vector_kernels_common.h"

namespace cox::model::arithmetic {

const VectorKernels kAvx512VectorKernels{"avx512_vnni", load,  store,       affine,  add_scaled, arithmetic,
                                         compare,       table, exponential, extreme, bilinear};

}  // namespace cox::model::arithmetic
