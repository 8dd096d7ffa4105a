// SPDX-License-Identifier: MIT
// Linear algebra and Fourier transforms: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, FFT, IFFT.
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

Status matrix_operation(const isa::unity::MatrixOperation & /*operation*/, Memory & /*memory*/) { return {}; }
Status fourier(const isa::unity::Fourier & /*operation*/, Memory & /*memory*/) { return {}; }

}  // namespace cox::model::unity::reference
