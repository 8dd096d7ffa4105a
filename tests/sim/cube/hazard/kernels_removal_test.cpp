// SPDX-License-Identifier: MIT
// The kernels' streams have no hazard and no superfluous flag: removing any flag makes a hazard or a deadlock.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "coxswain/kernels/cube/conv2d.h"
#include "coxswain/kernels/cube/gemm.h"
#include "tests/sim/cube/hazard/program.h"

namespace cox::model::cube::test {
namespace kernels_removal_test {

using kernels::cube::Conv2dArguments;
using kernels::cube::GemmArguments;
using kernels::cube::Matrix;
using kernels::cube::Order;
using kernels::cube::OutputType;
using kernels::cube::Stream;
using kernels::cube::Tiling;
using kernels::cube::Type;

// The test runs nothing, so addresses are only numbers.
constexpr std::uint64_t kDram = 0x6000'0000, kDramBytes = 0x1000'0000;
constexpr std::uint64_t kLeft = kDram, kRight = kDram + 0x200'0000, kOutput = kDram + 0x400'0000, kAddend = kDram + 0x600'0000,
                        kVectors = kDram + 0x800'0000;

/// Returns the slots that `append` puts into a stream.
template <typename Append>
std::vector<MachineCode> slots_of(const Append &append) {
  std::vector<std::byte> memory((1U << 19) + 32);
  void *start = memory.data();
  std::size_t room = memory.size();
  std::align(32, 1U << 19, start, room);
  const isa::Window window{kDram, kDramBytes, true, true};
  Stream stream;
  EXPECT_TRUE(stream.init({static_cast<std::byte *>(start), 1U << 19}, std::span(&window, 1)).ok());
  const Status status = append(stream);
  EXPECT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what() << " " << status.value() << " " << status.limit();
  std::vector<MachineCode> codes(stream.code().size() / sizeof(MachineCode));
  std::memcpy(codes.data(), stream.code().data(), stream.code().size());
  return codes;
}

/// Returns the resolved operations, which do not depend on flags.
std::vector<isa::cube::Operation> operations_of(std::span<const MachineCode> codes) {
  std::vector<isa::cube::Operation> operations;
  isa::cube::Configuration configuration;
  for (const MachineCode &code : codes) {
    operations.push_back(isa::cube::resolve(code, configuration).value());
    configuration.apply(operations.back());
  }
  return operations;
}

/// Returns true if the first finding is a hazard or a deadlock. A flag that no instruction takes is neither.
bool is_found(std::span<const MachineCode> codes, std::span<const isa::cube::Operation> operations) {
  Detector detector;
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    detector.add(codes[i], operations[i], findings);
    if (!findings.empty()) return findings[0].kind == FindingKind::hazard || findings[0].kind == FindingKind::deadlock;
  }
  return false;
}

/// Expects that each flag of the stream is needed. Returns the number of flags.
unsigned expect_each_flag_is_needed(std::vector<MachineCode> codes) {
  const std::vector<Finding> findings = findings_of(codes);
  EXPECT_TRUE(findings.empty()) << text_of(findings);
  const std::vector<isa::cube::Operation> operations = operations_of(codes);
  unsigned flags = 0, needless = 0;
  for (std::size_t i = 0; i < codes.size() && needless < 10; ++i) {
    for (const isa::Field &mask : isa::cube::kHeaderFields) {
      for (unsigned bit = 0; bit < isa::cube::kMaskWidth; ++bit) {
        if (isa::extract_bits(codes[i], mask.bit + bit, 1) == 0) continue;
        isa::insert_bits(codes[i], mask.bit + bit, 1, 0);
        if (!is_found(codes, operations)) {
          ++needless;
          const Pipe own = isa::cube::pipe_of(codes[i]);
          ADD_FAILURE() << mask.name << " bit " << bit << " of instruction " << i << " of " << codes.size() << " ("
                        << isa::cube::find_instruction(codes[i][0])->name << ", pipe " << static_cast<int>(own) << ", other pipe "
                        << static_cast<int>(isa::cube::other_pipe(own, bit)) << ") could be left out";
        }
        isa::insert_bits(codes[i], mask.bit + bit, 1, 1);
        ++flags;
      }
    }
  }
  return flags;
}

GemmArguments product(Type type, OutputType to, std::uint32_t m, std::uint32_t k, std::uint32_t n) {
  GemmArguments arguments;
  arguments.type = type;
  arguments.to = to;
  arguments.left = {.address = kLeft, .rows = m, .columns = k};
  arguments.right = {.address = kRight, .rows = k, .columns = n};
  arguments.output = {.address = kOutput, .rows = m, .columns = n};
  return arguments;
}

std::vector<MachineCode> slots_of(const GemmArguments &arguments) {
  return slots_of([&](Stream &stream) { return gemm(stream, arguments); });
}

struct Case {
  const char *name;
  GemmArguments arguments;
};

std::vector<Case> products() {
  std::vector<Case> cases;
  cases.push_back({"bfloat16", product(Type::bfloat16, OutputType::bfloat16, 500, 400, 600)});
  GemmArguments quantised = product(Type::int8, OutputType::int8, 300, 1100, 500);
  quantised.biases = kVectors;
  quantised.scales = kVectors + 0x1'0000;
  quantised.activation = kernels::cube::Activation::ReLU;
  cases.push_back({"int8 with biases and factors", quantised});
  GemmArguments added = product(Type::half, OutputType::float32, 300, 300, 500);
  added.beta = 0.5F;
  added.addend = added.output;
  cases.push_back({"half, onto itself", added});
  added.addend.address = kAddend;
  added.biases = kVectors;
  cases.push_back({"half, with an addend", added});
  GemmArguments long_sum = product(Type::half, OutputType::float32, 176, 1098, 520);
  long_sum.beta = 0.5F;
  long_sum.addend = long_sum.output;
  cases.push_back({"half, onto itself, blocks beyond C's places", long_sum});
  cases.push_back({"bfloat16, tiles alike", product(Type::bfloat16, OutputType::float32, 384, 512, 1024)});
  GemmArguments transposed = product(Type::bfloat16, OutputType::float32, 300, 500, 400);
  transposed.left.order = transposed.right.order = Order::column_major;
  cases.push_back({"bfloat16, both transposed", transposed});
  cases.push_back({"float", product(Type::float32, OutputType::float32, 200, 300, 200)});
  cases.push_back({"int4", product(Type::int4, OutputType::int32, 300, 2000, 500)});
  GemmArguments batches = product(Type::bfloat16, OutputType::half, 100, 200, 70);
  batches.batches = 3;
  batches.left_stride = batches.right_stride = batches.output_stride = 0x10'0000;
  cases.push_back({"batches", batches});
  cases.push_back({"one tile", product(Type::bfloat16, OutputType::float32, 16, 16, 16)});
  cases.push_back({"a vector", product(Type::bfloat16, OutputType::float32, 300, 1000, 1)});
  return cases;
}

TEST(Kernels, EachFlagOfAProductIsNeeded) {
  for (const Case &problem : products()) {
    SCOPED_TRACE(problem.name);
    const std::vector<MachineCode> codes = slots_of(problem.arguments);
    EXPECT_GT(expect_each_flag_is_needed(codes), 5U);
  }
}

Conv2dArguments convolution(Type type, OutputType to, std::uint32_t side, std::uint32_t channels, std::uint32_t outputs,
                            std::uint32_t kernel, std::uint32_t stride) {
  Conv2dArguments arguments;
  arguments.type = type;
  arguments.output_type = to;
  arguments.input = kLeft;
  arguments.height = arguments.width = side;
  arguments.channels = channels;
  arguments.weights = kRight;
  arguments.kernel_height = arguments.kernel_width = kernel;
  arguments.stride_y = arguments.stride_x = stride;
  arguments.pad_top = arguments.pad_left = arguments.pad_bottom = arguments.pad_right = kernel / 2;
  arguments.output = kOutput;
  arguments.output_height = arguments.output_width = kernels::cube::conv2d_output_side(side, kernel / 2, kernel / 2, kernel, 1, stride);
  arguments.output_channels = outputs;
  return arguments;
}

TEST(Kernels, EachFlagOfAConvolutionIsNeeded) {
  Conv2dArguments quantised = convolution(Type::int8, OutputType::int8, 14, 256, 256, 3, 1);
  quantised.bias = kVectors;
  quantised.scale_mode = isa::cube::ScaleMode::channel;
  quantised.scales = kVectors + 0x1'0000;
  quantised.residual = kAddend;
  Conv2dArguments groups = convolution(Type::bfloat16, OutputType::bfloat16, 14, 64, 64, 3, 2);
  groups.groups = 2;
  for (const Conv2dArguments &arguments : {quantised, groups, convolution(Type::int8, OutputType::int8, 28, 64, 256, 1, 1),
                                           convolution(Type::half, OutputType::float32, 20, 3, 64, 7, 2)}) {
    const std::vector<MachineCode> codes = slots_of([&](Stream &stream) { return conv2d(stream, arguments); });
    EXPECT_GT(expect_each_flag_is_needed(codes), 5U);
  }
}

}  // namespace kernels_removal_test
}  // namespace cox::model::cube::test
