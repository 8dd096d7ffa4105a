// SPDX-License-Identifier: MIT
#include "sim/model/unity/arithmetic/kernels_loops.h"

namespace cox::model::unity {

const Kernels kAvx512Kernels{"AVX-512 with VNNI", multiply, multiply_channels, requantise, add};

}  // namespace cox::model::unity
