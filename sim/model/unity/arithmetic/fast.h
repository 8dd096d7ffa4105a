// SPDX-License-Identifier: MIT
// The fast path: the same bits as the reference, for the operations and units in which networks spend their time. Each function returns
// false, and has done nothing, if it does not have the case.
#pragma once

#include <span>

#include "coxswain/isa/unity/operation.h"
#include "sim/model/unity/arithmetic/kernels.h"
#include "sim/model/unity/arithmetic/memory.h"

namespace cox::model::unity::fast {

/// All sets of kernels that this host can run, the best one last.
[[nodiscard]] std::span<const Kernels *const> supported_kernels();
[[nodiscard]] const Kernels &best_kernels();

/// Arithmetic, comparisons and conversions of integers of at most 32 bits, or with FP32 as the widest float.
[[nodiscard]] bool elementwise(const isa::unity::Elementwise &operation, Memory &memory);
/// FP32 throughout, and FP32 to integers of 8 and 16 bits.
[[nodiscard]] bool real_elementwise(const isa::unity::Elementwise &operation, Memory &memory, const Kernels &kernels);
/// RELU, RELU6, SIGMOID and AI_TANH of FP32; RELU of integers of 8, 16 and 32 bits.
[[nodiscard]] bool activation(const isa::unity::Activation &operation, Memory &memory, const Kernels &kernels);
/// Sums, means and extremes of FP32: of neighbours, or if the channels stay; of neighbours that are integers of 8, 16 and 32 bits.
[[nodiscard]] bool reduction(const isa::unity::Reduction &operation, Memory &memory, const Kernels &kernels);
/// SOFTMAX of FP32 along neighbours.
[[nodiscard]] bool softmax(const isa::unity::Softmax &operation, Memory &memory, const Kernels &kernels);
/// LAYER_NORM of FP32 along neighbours.
[[nodiscard]] bool norm(const isa::unity::Norm &operation, Memory &memory, const Kernels &kernels);
/// All units of whole bytes.
[[nodiscard]] bool transpose(const isa::unity::Transpose &operation, Memory &memory);
/// Floats but FP64, with at least 8 outputs in a group.
[[nodiscard]] bool real_convolution(const isa::unity::Convolution &operation, Memory &memory, const Kernels &kernels);
/// Integer maps and kernels of at most 16 bits, with a Q31 multiplier, plain, or without a multiplier if 32 bits hold the sums.
[[nodiscard]] bool convolution(const isa::unity::Convolution &operation, Memory &memory, const Kernels &kernels);
/// Maximum and average of s8 and u8 in NHWC.
[[nodiscard]] bool pool(const isa::unity::Pool &operation, Memory &memory);
/// Integers of at most 32 bits, without a multiplier or with a Q31 one.
[[nodiscard]] bool quantised_add(const isa::unity::QuantisedAdd &operation, Memory &memory, const Kernels &kernels);

}  // namespace cox::model::unity::fast
