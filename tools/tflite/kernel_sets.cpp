// SPDX-License-Identifier: MIT
#include "tools/tflite/kernel_sets.h"

#include <array>

#include "coxswain/kernels/unity/tflite_kernels.h"
#include "tools/tflite/unity/unity_session.h"

namespace cox::tools::tflite {

// An engine adds its OperatorTable here.
std::span<const KernelSet> kernel_sets() {
  static const std::array<KernelSet, 1> kSets = {{{"unity", &kernels::unity::tflite_kernels(), open_unity_session}}};
  return kSets;
}

}  // namespace cox::tools::tflite
