// SPDX-License-Identifier: MIT
#include "sim/model/unity/arithmetic/kernels_loops.h"
#include "sim/model/unity/arithmetic/product_loops.h"
#include "sim/model/unity/arithmetic/real_loops.h"

namespace cox::model::unity {

const Kernels kAvx2Kernels{
    "AVX2",
    multiply,
    multiply_channels,
    requantise,
    add,
    {pairs, each, to_wholes, sum, sum_squares, add_to, extreme, exponentials, scale, normalise, multiply_reals, interleave}};

}  // namespace cox::model::unity
