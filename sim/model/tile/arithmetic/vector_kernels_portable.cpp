// SPDX-License-Identifier: MIT
// Vector kernels for any host.
#include "sim/model/tile/arithmetic/vector_kernels_common.h"

namespace cox::model::arithmetic {

const VectorKernels kPortableVectorKernels{"portable", load,  store,       affine,  add_scaled, arithmetic,
                                           compare,    table, exponential, extreme, bilinear};

}  // namespace cox::model::arithmetic
