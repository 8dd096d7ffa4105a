// SPDX-License-Identifier: MIT
// Tests kernels of the MX engine on the control core. Compares their results with the core's own convolution, which is written from
// docs/mx9.md. Also tests faults, time limits and recovery, and measures the cost of a call. tests/target/kernels_mx/run.py has the
// expected output.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/device.h"
#include "coxswain/isa/numbers/clamped_exponential.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/conv_act.h"
#include "coxswain/kernels/mx/eladd.h"
#include "coxswain/kernels/mx/engine.h"
#include "coxswain/kernels/mx/pack_weights.h"
#include "coxswain/kernels/mx/stream.h"
#include "tests/target/selftest/selftest.h"

namespace {

namespace mx = cox::kernels::mx;
namespace board = cox::board;
using cox::ErrorCode;
using cox::Status;
using cox::isa::mx::Activation;
using cox::isa::mx::Block;
using cox::isa::mx::kBlockBytes;
using cox::isa::mx::kBlockElements;
using cox::isa::mx::Window;
using mx::Tensor;
using selftest::failed;
using selftest::good;
using selftest::random_bits;
using selftest::random_value;
using selftest::verdict;

constexpr std::size_t kMostWeights = 3 * 3 * 48 * 48;
constexpr std::uint64_t kLimit = 1'000'000;  // us

cox::hal::Accelerator accelerator;
mx::Engine engine;
mx::Stream stream;
std::array<float, kMostWeights> weights;
std::array<float, 48> biases;
alignas(32) std::array<std::byte, 16384> stream_memory;

/// Bytes of DRAM in use, a multiple of the cache line.
std::uint64_t used = 0;
std::uint64_t take(std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 32;
  const std::uint64_t address = board::dram_base() + used;
  used += (bytes + 2 * kLine - 1) / kLine * kLine;
  return address;
}

std::byte *memory(std::uint64_t address) { return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address)); }
std::span<Block> blocks(const Tensor &tensor) {
  return {reinterpret_cast<Block *>(memory(tensor.address)), static_cast<std::size_t>(tensor.count())};
}
void give(const Tensor &tensor) { cox::hal::clean_cache(memory(tensor.address), static_cast<std::size_t>(tensor.bytes())); }
void fetch(const Tensor &tensor) { cox::hal::invalidate_cache(memory(tensor.address), static_cast<std::size_t>(tensor.bytes())); }

Tensor tensor(std::uint32_t channels, std::uint32_t height, std::uint32_t width) {
  Tensor result{0, channels, height, width};
  result.address = take(result.bytes());
  return result;
}

void fill(const Tensor &tensor) {
  std::array<float, kBlockElements> values{};
  for (Block &block : blocks(tensor)) {
    for (float &value : values) value = random_value();
    block = cox::isa::mx::quantise(values);
  }
  give(tensor);
}

/// Returns the dot product as docs/mx9.md, Dot product, defines it: an integer sum, and one rounding.
float dot(const Block &a, const Block &b) {
  std::int32_t sum = 0;
  for (std::uint32_t i = 0; i < kBlockElements; ++i) {
    const std::int32_t product = (a.elements[i] & 127) * (b.elements[i] & 127);
    const unsigned shifts = (a.pair_shift >> i / 2 & 1U) + (b.pair_shift >> i / 2 & 1U);
    sum += ((a.elements[i] ^ b.elements[i]) & 128) != 0 ? -(product << (2 - shifts)) : product << (2 - shifts);
  }
  return std::ldexp(static_cast<float>(sum), a.exponent + b.exponent - 254 - 14);
}

float activate(float value, Activation activation) {
  if (activation == Activation::SiLU) return cox::isa::numbers::silu(value);
  if (activation == Activation::ReLU) return std::max(value, 0.0F);
  return value;
}

/// Returns one output block of a convolution, from packed weights.
Block convolve(const mx::ConvActArguments &call, std::uint32_t group, std::uint32_t row, std::uint32_t column) {
  const std::uint32_t inputs = call.input.blocks();
  const std::byte *packed = memory(call.weights + cox::isa::mx::weight_bytes(call.kernel, inputs, group));
  const auto *const weight_blocks = reinterpret_cast<const Block *>(packed);
  const std::span<Block> map = blocks(call.input);
  std::array<float, kBlockElements> values{};
  for (std::uint32_t lane = 0; lane < kBlockElements; ++lane) {
    float sum = 0;
    for (std::uint32_t position = 0; position < call.kernel * call.kernel; ++position) {
      const std::int32_t y =
          static_cast<std::int32_t>(row * call.stride + position / call.kernel) - static_cast<std::int32_t>(call.padding);
      const std::int32_t x =
          static_cast<std::int32_t>(column * call.stride + position % call.kernel) - static_cast<std::int32_t>(call.padding);
      if (y < 0 || x < 0 || y >= static_cast<std::int32_t>(call.input.height) || x >= static_cast<std::int32_t>(call.input.width)) continue;
      for (std::uint32_t block = 0; block < inputs; ++block) {
        const std::size_t at =
            (std::size_t{block} * call.input.height + static_cast<std::uint32_t>(y)) * call.input.width + static_cast<std::uint32_t>(x);
        sum += dot(map[at], weight_blocks[(position * inputs + block) * kBlockElements + lane]);
      }
    }
    float bias = 0;
    std::memcpy(&bias, packed + std::size_t{call.kernel} * call.kernel * inputs * kBlockElements * kBlockBytes + lane * 4, sizeof(bias));
    values[lane] = activate(sum + bias, call.activation);
  }
  return cox::isa::mx::quantise(values);
}

/// Returns true if the layer's output channel blocks from `first` on equal the core's own result.
bool matches(const mx::ConvActArguments &call, const Tensor &output, std::uint32_t first) {
  fetch(output);
  const std::span<Block> made = blocks(output);
  std::size_t at = 0;
  for (std::uint32_t group = 0; group < output.blocks(); ++group) {
    for (std::uint32_t row = 0; row < output.height; ++row) {
      for (std::uint32_t column = 0; column < output.width; ++column, ++at) {
        if (made[at] != convolve(call, first + group, row, column)) return false;
      }
    }
  }
  return true;
}

mx::ConvActArguments layer(std::uint32_t inputs, std::uint32_t outputs, std::uint32_t side, std::uint32_t kernel, std::uint32_t stride,
                           Activation activation) {
  mx::ConvActArguments call;
  call.kernel = kernel;
  call.stride = stride;
  call.padding = kernel / 2;
  call.activation = activation;
  const std::uint32_t output_side = cox::isa::mx::output_side(side, kernel, stride, call.padding);
  call.input = tensor(inputs, side, side);
  call.output = tensor(outputs, output_side, output_side);
  fill(call.input);
  const mx::WeightShape shape{kernel, inputs, outputs};
  const std::span<float> values = std::span(weights).first(std::size_t{kernel} * kernel * inputs * outputs);
  for (float &value : values) value = random_value() * 0.25F;
  for (float &value : biases) value = random_value();
  const std::uint64_t bytes = mx::packed_weights_bytes(shape).value();
  call.weights = take(bytes);
  const std::span<std::byte> packed(memory(call.weights), static_cast<std::size_t>(bytes));
  if (!good(mx::pack_weights(shape, values, std::span(biases).first(outputs), packed))) failed = true;
  cox::hal::clean_cache(packed.data(), packed.size());
  return call;
}

bool run(const mx::ConvActArguments &call) {
  stream.clear();
  return good(mx::conv_act(stream, call)) && good(engine.run(stream, kLimit));
}

void test_convolutions() {
  bool same = true;
  for (const Activation activation : {Activation::None, Activation::SiLU, Activation::ReLU}) {
    for (std::uint32_t kernel = 1; kernel <= 3; kernel += 2) {
      for (std::uint32_t stride = 1; stride <= 2; ++stride) {
        used = 0;
        mx::ConvActArguments call = layer(33, 32, 7, kernel, stride, activation);
        same = same && run(call) && matches(call, call.output, 0);
        // Checks the layer again with its output split into halves.
        call.split_output = call.output.slice(16, 16);
        call.output = call.output.slice(0, 16);
        std::swap(call.output.address, call.split_output.address);
        same = same && run(call) && matches(call, call.output, 0) && matches(call, call.split_output, 1);
      }
    }
  }
  verdict("convolutions", same);
}

/// A map that is too wide for one instruction must be processed in pieces.
void test_decompositions() {
  used = 0;
  mx::ConvActArguments call = layer(16, 16, 3, 3, 1, Activation::SiLU);
  call.input = tensor(16, 3, 1100);
  call.output = tensor(16, 3, 1100);
  fill(call.input);
  const cox::Result<std::uint64_t> bytes = mx::conv_act_scratch_bytes(call);
  call.scratch = {take(bytes.value()), bytes.value()};
  const bool refused = mx::conv_act_scratch_bytes(call).value() > 0 && run(call);
  verdict("decompositions", refused && matches(call, call.output, 0));
}

void test_elementwise() {
  used = 0;
  const Tensor a = tensor(32, 4, 4), b = tensor(32, 4, 4), sum = tensor(32, 4, 4);
  fill(a);
  fill(b);
  stream.clear();
  bool same = good(mx::eladd(stream, a, b, sum)) && good(engine.run(stream, kLimit));
  fetch(sum);
  std::array<float, kBlockElements> left{}, right{};
  for (std::size_t i = 0; i < sum.count(); ++i) {
    cox::isa::mx::dequantise(blocks(a)[i], left);
    cox::isa::mx::dequantise(blocks(b)[i], right);
    for (std::uint32_t j = 0; j < kBlockElements; ++j) left[j] += right[j];
    same = same && blocks(sum)[i] == cox::isa::mx::quantise(left);
  }
  verdict("element-wise", same);
}

/// Measures the call in docs/kernels/mx.md: append, submit and wait.
void measure() {
  used = 0;
  const mx::ConvActArguments call = layer(16, 16, 16, 3, 1, Activation::SiLU);
  std::uint64_t instructions[4] = {};
  bool same = true;
  for (std::uint64_t &count : instructions) {
    std::fill(blocks(call.output).begin(), blocks(call.output).end(), Block{});
    give(call.output);
    const std::uint64_t before = board::executed_instructions();
    stream.clear();
    const bool appended = mx::conv_act(stream, call).ok();
    const std::uint64_t between = board::executed_instructions();
    const bool ended = appended && engine.run(stream, kLimit).ok();
    count = board::executed_instructions() - before;
    same = same && ended && matches(call, call.output, 0);
    std::printf("conv_act %lu, run %lu\n", static_cast<unsigned long>(between - before),
                static_cast<unsigned long>(count - (between - before)));
  }
  verdict("one instruction", same);
  std::printf("mx.conv_act.control_instructions %lu\n", static_cast<unsigned long>(instructions[3]));
}

/// Sets Length2 of the second ELADD to 255 after the kernel has written the instruction. The output of this ELADD then overlaps its inputs.
void test_fault() {
  used = 0;
  const Tensor a = tensor(16, 1, 1), sum = tensor(16, 1, 1);
  fill(a);
  stream.clear();
  bool seen = good(mx::eladd(stream, a, a, sum)) && good(mx::eladd(stream, a, a, sum));
  stream_memory[8 + 16 + 7] = std::byte{0xFF};
  const Status status = engine.run(stream, kLimit);
  const mx::StreamFault &fault = engine.fault();
  seen = seen && status.code() == ErrorCode::device_fault && std::strcmp(status.what(), "OutOffset") == 0 && status.index() == 2;
  seen = seen && fault.code == cox::hal::FaultCode::overlap && std::strcmp(fault.name, "ELADD") == 0;
  seen = seen && fault.address == reinterpret_cast<std::uintptr_t>(stream_memory.data()) + 24;
  verdict("fault", seen);
  test_elementwise();
  verdict("after a fault", seen);
}

void test_timeout() {
  used = 0;
  constexpr std::uint32_t kSide = 1024;
  const Tensor a = tensor(16, kSide, kSide), sum = tensor(16, kSide, kSide);
  stream.clear();
  bool seen = true;
  for (int i = 0; i < 16; ++i) seen = seen && good(mx::eladd(stream, a, a, sum));
  const std::uint64_t before = board::microseconds();
  const Status status = engine.run(stream, 1000);
  const std::uint64_t passed = board::microseconds() - before;
  seen = seen && status.code() == ErrorCode::timeout && passed >= 1000 && passed < 12'000;
  verdict("timeout", seen);
  const bool again = good(engine.run(stream, kLimit));
  verdict("after a timeout", again);
}

Status bring_up() {
  if (Status status = accelerator.open(); !status) return status;
  const Window windows[] = {{.base = board::dram_base(), .bytes = board::dram_size(), .read = true, .write = true}};
  if (Status status = stream.init(stream_memory, windows); !status) return status;
  return engine.init(accelerator, {.windows = windows});
}

}  // namespace

int main() {
  if (!good(bring_up())) return 1;
  test_convolutions();
  test_decompositions();
  test_elementwise();
  measure();
  test_fault();
  test_timeout();
  return failed ? 1 : 0;
}
