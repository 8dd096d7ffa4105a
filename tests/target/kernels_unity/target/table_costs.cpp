// SPDX-License-Identifier: MIT
#include "table_costs.h"

#include <cstdint>
#include <cstdio>

#include "cost_of.h"
#include "coxswain/kernels/unity/conv2d.h"
#include "coxswain/kernels/unity/convolution_instructions.h"
#include "tests/target/selftest/selftest.h"

namespace unity_selftest {

namespace {

namespace unity = cox::kernels::unity;
using selftest::good;

/// A CONV2D with a value in every field: 3x3 at a stride of 2, with padding, scales of each channel and bounds.
unity::Conv2dArguments arguments_at(std::uint64_t dram) {
  constexpr std::uint64_t kOperand = 4096;  // bytes of room for each operand
  return {.input = dram,
          .weights = dram + kOperand,
          .output = dram + 2 * kOperand,
          .height = 8,
          .width = 8,
          .channels = 16,
          .output_height = 4,
          .output_width = 4,
          .output_channels = 16,
          .kernel_height = 3,
          .kernel_width = 3,
          .stride_y = 2,
          .stride_x = 2,
          .pad_top = 1,
          .pad_left = 1,
          .pad_value = -3,
          .results = {.biases = dram + 3 * kOperand,
                      .multipliers = dram + 4 * kOperand,
                      .shifts = dram + 5 * kOperand,
                      .output_zero = 7,
                      .bounds = {-100, 100}}};
}

}  // namespace

bool measure_tables(unity::ContainerBuilder &builder, std::uint64_t dram) {
  builder.clear();
  const unity::Conv2dArguments arguments = arguments_at(dram);
  const auto input = static_cast<std::uintptr_t>(arguments.input), output = static_cast<std::uintptr_t>(arguments.output);
  bool failed = false;
  cox::Status begun, ended, checked, called;
  const unsigned long begin = cost_of([&] { begun = builder.begin_kernel(); });
  const unsigned long table = cost_of([&] { unity::add_image<unity::Opcode::CONV2D>(builder, arguments, input, output); });
  const unsigned long append = cost_of([&] { failed = builder.append<unity::Opcode::CONV2D>() == nullptr; });
  const unsigned long end = cost_of([&] { ended = builder.end_kernel(); });
  const unsigned long check = cost_of([&] { checked = unity::check_conv2d(arguments); });
  const unsigned long call = cost_of([&] { called = unity::conv2d(builder, arguments); });
  builder.clear();
  if (failed || !good(begun) || !good(ended) || !good(checked) || !good(called)) return false;
  std::printf("unity.table_instructions %lu\n", table);
  std::printf("unity.table.append_instructions %lu\n", append);
  std::printf("unity.kernel.begin_instructions %lu\n", begin);
  std::printf("unity.kernel.end_instructions %lu\n", end);
  std::printf("unity.conv2d.check_instructions %lu\n", check);
  std::printf("unity.conv2d.call_instructions %lu\n", call);
  return true;
}

}  // namespace unity_selftest
