// SPDX-License-Identifier: MIT
#include "tests/kernels/unity/network.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "tests/tflite/reference/evaluation.h"

namespace cox::tests::unity {

namespace tf = cox::tflite;

Network::Network(std::span<const std::byte> file, const std::function<void(Network &, std::size_t)> &encoded,
                 const kernels::unity::ContainerBuilder::Capacity &capacity)
    : bench(capacity), workspace_(tf::runner_workspace_bytes(file, capacity.units).value() / sizeof(std::max_align_t) + 1) {
  const std::span<std::byte> copy = bench.allocate(file.size());
  std::ranges::copy(file, copy.begin());
  const Status opened = runner.open(copy, std::as_writable_bytes(std::span(workspace_)));
  EXPECT_TRUE(opened) << opened.what();
  const std::span<std::byte> arena = bench.allocate(runner.arena_bytes()), constants = bench.allocate(runner.constant_bytes());
  const Status status = runner.encode(arena, constants, bench.builder, [&](std::size_t op) { encoded(*this, op); });
  EXPECT_TRUE(status) << error_name(status.code()) << " " << status.what() << " of operator " << status.index() << " value "
                      << status.value() << " limit " << status.limit();
}

Network::Network(std::span<const std::byte> file, unsigned units)
    : Network(file, [](Network &, std::size_t) {}, {.units = units, .instructions = 4096}) {}

void Network::set(std::size_t input, const Bytes &bytes) {
  const std::span<std::byte> to = runner.input(input);
  ASSERT_EQ(to.size(), bytes.size());
  std::memcpy(to.data(), bytes.data(), bytes.size());
}

Bytes Network::output(std::size_t index) const { return tensor(runner.model().outputs()[index]); }

Bytes Network::tensor(std::int32_t number) const {
  const std::span<std::byte> from = runner.memory_of(number);
  const auto *const first = reinterpret_cast<const std::uint8_t *>(from.data());
  return {first, first + from.size()};
}

namespace {

/// Inputs of floats get numbers around those that INT8 holds.
Bytes random_bytes(const tf::TensorView &tensor, std::mt19937 &random) {
  Bytes bytes(tensor.bytes);
  if (tensor.type != tf::ElementType::float32) {
    for (std::uint8_t &byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
  }
  std::uniform_real_distribution<float> distribution(-20, 20);
  std::vector<float> values(bytes.size() / sizeof(float));
  for (float &value : values) value = distribution(random);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

std::uint64_t compare_with_reference(const tflite_models::ModelParts &parts, unsigned seed, unsigned units, unsigned timings) {
  const tflite_models::File file(parts);
  Network network(file.view(), units);
  if (testing::Test::HasFailure()) return 0;
  const tf::Model &model = network.runner.model();
  std::mt19937 random(seed);
  std::uint64_t cycles = 0;
  for (unsigned round = 0; round < std::max(timings, 2U); ++round) {
    if (timings != 0) network.bench.set_random_timing(seed + round * 7919);
    tflite_reference::Evaluation evaluation(model);
    for (std::size_t i = 0; i < model.inputs().size(); ++i) {
      const Bytes bytes = random_bytes(model.tensor(static_cast<std::size_t>(model.inputs()[i])), random);
      evaluation.set(model.inputs()[i], bytes);
      network.set(i, bytes);
    }
    const Status status = evaluation.run();
    EXPECT_TRUE(status) << status.what();
    cycles = network.bench.run();
    for (std::size_t i = 0; i < model.outputs().size(); ++i)
      EXPECT_EQ(network.output(i), evaluation.bytes(model.outputs()[i])) << "output " << i << " round " << round;
    if (testing::Test::HasFailure()) break;
  }
  return cycles;
}

}  // namespace cox::tests::unity
