// SPDX-License-Identifier: MIT
// Linear algebra and Fourier transforms: LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, FFT, IFFT.
#include "isa/unity/operands.h"
#include "isa/unity/region_sink.h"

namespace cox::isa::unity::detail {

Result<Operation> resolve_matrix(const Operands &operands) { return Status(ErrorCode::unsupported, operands.row().name); }

void list_regions(const MatrixOperation & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const Fourier & /*operation*/, RegionSink & /*sink*/) {}

}  // namespace cox::isa::unity::detail
