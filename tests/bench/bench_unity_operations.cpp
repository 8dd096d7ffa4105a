// SPDX-License-Identifier: MIT
// Runs operations of the Unity units in the model for tests/bench/unity_operations.py, which measures NumPy beside it.
//   bench_unity_operations
// Each line of the standard input is `OPERATION PATH RUNS`, with path `reference` or `fast`. The answer is the processor time in
// nanoseconds of a run. `list` answers with the names of the operations, `check OPERATION` with `same` or `different`: whether both paths
// give the same bytes.
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "paired_runs.h"
#include "sim/model/unity/arithmetic/execute.h"

namespace {

using namespace cox::isa::unity;  // the operations
using cox::model::unity::Path;

constexpr std::uint64_t kBytes = std::uint64_t{1} << 20;  // of an operand
constexpr std::uint64_t kFloats = kBytes / sizeof(float);
constexpr std::uint32_t kSide = 512;  // kFloats is its square

/// Device addresses are offsets.
class BenchMemory final : public cox::model::unity::Memory {
 public:
  BenchMemory() : bytes_(5 * kBytes + 64) {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    base_ = bytes_.data() + (64 - address % 64) % 64;
  }
  const std::byte *read(std::uint64_t address, std::uint64_t /*bytes*/) override { return base_ + address; }
  std::byte *write(std::uint64_t address, std::uint64_t /*bytes*/) override { return base_ + address; }

  void put(std::uint64_t address, const std::vector<float> &values) {
    std::memcpy(base_ + address, values.data(), values.size() * sizeof(float));
  }
  [[nodiscard]] std::byte *at(std::uint64_t address) { return base_ + address; }

 private:
  std::vector<std::byte> bytes_;
  std::byte *base_ = nullptr;
};

// Places of operands: two sources and the result of floats; bytes; weights and indices.
constexpr std::uint64_t kFirst = 0, kSecond = kBytes, kResult = 2 * kBytes, kWholes = 3 * kBytes, kExtra = 4 * kBytes;

void fill(BenchMemory &memory) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(0.25F, 4);
  std::uniform_int_distribution<int> byte(-128, 127), index(0, kSide - 1);
  std::vector<float> values(kFloats);
  for (const std::uint64_t address : {kFirst, kSecond, kExtra}) {
    for (float &value : values) value = uniform(random);
    if (address == kSecond) {
      for (float &value : values) value -= 2;  // both signs
    }
    memory.put(address, values);
  }
  for (std::uint64_t i = 0; i < kBytes; ++i) *memory.at(kWholes + i) = static_cast<std::byte>(byte(random));
  for (std::uint32_t i = 0; i < kSide; ++i) {
    const std::int32_t place = index(random);
    std::memcpy(memory.at(kExtra + i * sizeof place), &place, sizeof place);
  }
}

Run floats(std::uint64_t address, std::uint64_t elements = kFloats) { return {address, Unit::fp32, elements}; }

Operation pair(Opcode op) {
  return Elementwise{.op = op, .sources = 2, .source = {floats(kFirst), floats(kSecond)}, .result = floats(kResult)};
}
Operation single(Opcode op, Run result = floats(kResult)) {
  const std::uint64_t source = op == Opcode::SQRT ? kFirst : kSecond;
  return Elementwise{.op = op, .source = {floats(source)}, .result = result};
}
Operation activation(Opcode op) { return Activation{.op = op, .source = floats(kSecond), .result = floats(kResult)}; }
Operation reduction(Opcode op) {
  return Reduction{.op = op,
                   .source = floats(kFirst),
                   .result = floats(kResult, 1),
                   .width = kSide,
                   .channels = kSide,
                   .over_height = true,
                   .over_width = true,
                   .over_channels = true};
}

FeatureMap dense(std::uint64_t address, Unit unit, std::uint32_t height, std::uint32_t width, std::uint32_t channels) {
  const std::uint64_t size = nibbles_of(unit);
  return {address, unit, height, width, channels, width * channels * size, channels * size, size};
}
Convolution::Kernel kernel(std::uint64_t address, Unit unit, std::uint32_t number, std::uint32_t side, std::uint32_t channels) {
  const std::uint64_t size = nibbles_of(unit), column = channels * size, row = side * column;
  return {address, unit, number, side, side, channels, side * row, row, column, size};
}

/// The product of two matrices of 512 x 512, the second one transposed.
Operation product() {
  Convolution c{.op = Opcode::MATRIX_MUL, .plain = true};
  c.source = dense(kFirst, Unit::fp32, 1, kSide, kSide);
  c.kernel = kernel(kSecond, Unit::fp32, kSide, 1, kSide);
  c.result = dense(kResult, Unit::fp32, 1, kSide, kSide);
  c.padding.unit = Unit::fp32;
  return c;
}

/// 3 x 3 from 64 to 64 channels on a map of 128 x 128 x 64 of s8.
Operation convolution() {
  Convolution c{.op = Opcode::CONV2D};
  c.source = dense(kWholes, Unit::s8, 128, 128, 64);
  c.kernel = kernel(kFirst, Unit::s8, 64, 3, 64);
  c.result = dense(kResult, Unit::s8, 128, 128, 64);
  c.top = c.bottom = c.left = c.right = 1;
  c.padding.unit = Unit::s8;
  c.has_multiplier = true;
  c.bias.unit = c.multiplier.unit = Unit::s32;
  c.multiplier.value = 0x40000000;
  c.shift = {.unit = Unit::s8, .value = 0xF6};  // -10
  c.scale.unit = Unit::s8;
  return c;
}

Operation pool() {
  Pool p{.op = Opcode::MAX_POOL, .kind = Pool::Kind::max};
  p.source = dense(kWholes, Unit::s8, 128, 128, 64);
  p.result = dense(kResult, Unit::s8, 64, 64, 64);
  p.kernel_height = p.kernel_width = p.stride_vertical = p.stride_horizontal = 2;
  p.padding.unit = Unit::s8;
  return p;
}

const std::map<std::string, Operation> &operations() {
  static const std::map<std::string, Operation> all{
      {"ADD", pair(Opcode::ADD)},
      {"MUL", pair(Opcode::MUL)},
      {"DIV", pair(Opcode::DIV)},
      {"MAX", pair(Opcode::MAX)},
      {"SQRT", single(Opcode::SQRT)},
      {"EXP", single(Opcode::EXP)},
      {"DATA_CONVERT", single(Opcode::DATA_CONVERT, {kResult, Unit::s8, kFloats})},
      {"RELU", activation(Opcode::RELU)},
      {"SIGMOID", activation(Opcode::SIGMOID)},
      {"AI_TANH", activation(Opcode::AI_TANH)},
      {"REDUCE_SUM", reduction(Opcode::REDUCE_SUM)},
      {"REDUCE_MEAN", reduction(Opcode::REDUCE_MEAN)},
      {"REDUCE_MAX", reduction(Opcode::REDUCE_MAX)},
      {"MATRIX_MUL", product()},
      {"CONV2D", convolution()},
      {"MAX_POOL", pool()},
      {"SOFTMAX", Softmax{.op = Opcode::SOFTMAX, .source = floats(kSecond), .result = floats(kResult), .outer = kSide, .extent = kSide}},
      {"LAYER_NORM", Norm{.op = Opcode::LAYER_NORM,
                          .source = floats(kSecond),
                          .result = floats(kResult),
                          .weight = floats(kFirst, kSide),
                          .bias = floats(kFirst + kBytes / 2, kSide),
                          .spatial = kSide,
                          .channels = kSide}},
      {"TRANSPOSE", Transpose{floats(kFirst), floats(kResult), {1, 1, kSide, kSide}, {0, 1, 3, 2}}},
      {"GATHER", Gather{.op = Opcode::GATHER,
                        .source = floats(kFirst),
                        .result = floats(kResult),
                        .index = {kExtra, Unit::s32, kSide},
                        .extent = kSide,
                        .inner = kSide}},
  };
  return all;
}

std::vector<std::byte> result_of(BenchMemory &memory, const Operation &operation, Path path) {
  std::memset(memory.at(kResult), 0, kBytes);
  const cox::Status status = cox::model::unity::execute(operation, memory, path);
  if (!status.ok()) return {};
  return {memory.at(kResult), memory.at(kResult) + kBytes};
}

}  // namespace

int main() {
  BenchMemory memory;
  fill(memory);
  std::string word;
  while (std::cin >> word) {
    if (word == "list") {
      for (const auto &[name, operation] : operations()) std::printf("%s ", name.c_str());
      std::printf("\n");
    } else {
      std::string name = word;
      if (word == "check") std::cin >> name;
      const auto found = operations().find(name);
      if (found == operations().end()) {
        std::fprintf(stderr, "bench_unity_operations: unknown operation %s\n", name.c_str());
        return 2;
      }
      if (word == "check") {
        const std::vector<std::byte> expected = result_of(memory, found->second, Path::reference);
        const bool same = !expected.empty() && result_of(memory, found->second, Path::fast) == expected;
        std::printf("%s\n", same ? "same" : "different");
      } else {
        std::string path;
        int runs = 1;
        std::cin >> path >> runs;
        const double begin = cox::bench::thread_seconds();
        for (int i = 0; i < runs; ++i) {
          if (!cox::model::unity::execute(found->second, memory, path == "fast" ? Path::fast : Path::reference).ok()) return 1;
        }
        std::printf("%.1f\n", (cox::bench::thread_seconds() - begin) * 1e9 / runs);
      }
    }
    std::fflush(stdout);
  }
  return 0;
}
