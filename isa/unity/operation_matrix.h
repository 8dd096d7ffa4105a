// SPDX-License-Identifier: MIT
// Linear algebra and Fourier transforms: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, FFT, IFFT.
#pragma once

#include <cstdint>

#include "isa/unity/instruction.h"
#include "isa/unity/run.h"

namespace cox::isa::unity {

/// LU to SOLVE.
struct MatrixOperation {
  Opcode op{};
};

/// FFT and IFFT.
struct Fourier {
  Opcode op{};
};

}  // namespace cox::isa::unity
