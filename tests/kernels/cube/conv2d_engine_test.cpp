// SPDX-License-Identifier: MIT
// conv2d() through an engine. The device runs segments of the stream while the kernel writes the next ones, and checks for hazards.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/kernels/cube/engine.h"
#include "tests/kernels/cube/conv2d_problem.h"
#include "tests/kernels/device_test.h"

namespace cox::tests {
namespace {

using isa::cube::OutputType;
using isa::cube::Type;

class Conv2dOnTheDevice : public HazardsTest {
 protected:
  Conv2dOnTheDevice() { EXPECT_TRUE(engine.init(accelerator, {.context = 2, .windows = windows}).ok()); }

  /// Copies a tensor to device memory and returns its address.
  std::uint64_t place(const std::vector<std::byte> &tensor) {
    const std::uint64_t offset = used_;
    used_ += (tensor.size() + 95) / 64 * 64 + 16;
    std::memcpy(board_->dram().data() + offset, tensor.data(), tensor.size());
    return hal::dram_range().address + offset;
  }

  void expect_right(Conv2dProblem &problem, unsigned segments, std::size_t segment_slots) {
    used_ = 0;
    Conv2dArguments call = problem.arguments;
    call.input = place(problem.input);
    call.weights = place(problem.weights);
    if (call.bias != 0) call.bias = place(problem.bias);
    if (!problem.scales.empty()) call.scales = place(problem.scales);
    if (call.residual != 0) call.residual = place(problem.residual);
    call.output = place(problem.output);
    kernels::cube::Stream stream;
    const std::span<std::byte> code = board_->core_dram().last(kMiB).first(segments * segment_slots * isa::cube::kSlotBytes);
    ASSERT_TRUE(stream.init(code, windows, segments).ok());
    const bool feeds = segments > 1;
    if (feeds) {
      ASSERT_TRUE(engine.attach(stream).ok());
    }
    const Status appended = kernels::cube::conv2d(stream, call);
    ASSERT_TRUE(appended.ok()) << problem.text() << error_name(appended.code()) << " " << appended.what();
    EXPECT_EQ(stream.fed_slots() != 0, feeds);
    const Status ran = engine.run(stream);
    ASSERT_TRUE(ran.ok()) << problem.text() << error_name(ran.code()) << " " << engine.fault().name << " " << engine.fault().field;
    EXPECT_EQ(engine.warnings(), 0U) << problem.text();
    std::memcpy(problem.output.data(), board_->dram().data() + (call.output - hal::dram_range().address), problem.output.size());
    problem.expect_right();
  }

  kernels::cube::Engine engine;

 private:
  std::size_t used_ = 0;
};

Conv2dArguments layer() {
  Conv2dArguments a;
  a.batch = 2;
  a.height = 21;
  a.width = 17;
  a.channels = 40;
  a.output_channels = 72;
  a.kernel_height = a.kernel_width = 3;
  a.pad_top = a.pad_left = a.pad_bottom = a.pad_right = 1;
  a.bias = a.residual = 1;
  a.scale_mode = isa::cube::ScaleMode::channel;
  a.scale = 0.004F;
  a.zero_point = 3;
  a.pad_value = -5;
  a.activation = isa::cube::Activation::ReLU;
  return a;
}

TEST_F(Conv2dOnTheDevice, OneStream) {
  std::mt19937 random(1);
  Conv2dProblem problem(layer(), random);
  expect_right(problem, 1, 1024);
}

TEST_F(Conv2dOnTheDevice, FedWhileItIsWritten) {
  std::mt19937 random(2);
  Conv2dArguments depthwise = layer();
  depthwise.groups = depthwise.channels = depthwise.output_channels = 24;
  depthwise.type = Type::half;
  depthwise.output_type = OutputType::bfloat16;
  depthwise.pad_value = depthwise.zero_point = 0;
  Conv2dProblem problem(depthwise, random);
  expect_right(problem, 4, 64);
}

}  // namespace
}  // namespace cox::tests
