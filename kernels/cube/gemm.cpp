// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/gemm.h"

#include <algorithm>

#include "coxswain/kernels/cube/gemm_arguments.h"

namespace cox::kernels::cube {
namespace {

/// Writes the product in sections of columns. `given` is the caller's tiling for the first section, or nullptr.
Status write(Stream &stream, const GemmArguments &arguments, const Tiling *given) {
  const std::uint32_t n = arguments.right.columns, section = section_columns(arguments);
  const Stream::Mark mark = stream.mark();
  ProductPipeline pipeline;
  for (std::uint32_t first = 0; first < n; first += section) {
    const ProductPipeline::Arguments columns = pipeline_arguments(arguments, first, std::min(section, n - first));
    const bool use_given = given != nullptr && given->product == columns.product;
    const Tiling tiling = use_given ? *given : choose_tiling(columns.product);
    // If both operands are in L1, tiling.fits() is true even if L1 has no room for biases and factors.
    if (!columns.channels_fit || !tiling.fits()) {
      stream.roll_back(mark);
      return Status(ErrorCode::no_room, "L1", -1, columns.product.l1_bytes, isa::cube::kL1Bytes);
    }
    if (!pipeline.run(stream, columns, tiling)) {
      const Status status = stream.status();
      stream.roll_back(mark);
      return status;
    }
  }
  return {};
}

}  // namespace

Status gemm(Stream &stream, const GemmArguments &arguments) {
  if (const Status status = check_gemm(stream, arguments); !status) return status;
  return write(stream, arguments, nullptr);
}

Status gemm(Stream &stream, const GemmArguments &arguments, const Tiling &tiling) {
  if (const Status status = check_gemm(stream, arguments); !status) return status;
  if (!tiling.fits() || tiling.product != gemm_product(arguments)) return Status(ErrorCode::invalid_argument, "tiling", -1, 0, 0);
  return write(stream, arguments, &tiling);
}

Product gemm_product(const GemmArguments &arguments) { return pipeline_arguments(arguments, 0, section_columns(arguments)).product; }

}  // namespace cox::kernels::cube
