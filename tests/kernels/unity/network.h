// SPDX-License-Identifier: MIT
// TensorFlow Lite models on the units of the model, beside the reference of tests/tflite.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coxswain/kernels/unity/tflite_kernels.h"
#include "coxswain/tflite/runner.h"
#include "tests/kernels/unity/unity_bench.h"
#include "tests/tflite/model_builder.h"

namespace cox::tests::unity {

using Bytes = std::vector<std::uint8_t>;

/// A model in DRAM, encoded.
class Network {
 public:
  /// `encoded` is called for each operator whose instructions are the last in the builder. It may run the container so far.
  explicit Network(
      std::span<const std::byte> file, const std::function<void(Network &, std::size_t)> &encoded = [](Network &, std::size_t) {},
      const kernels::unity::ContainerBuilder::Capacity &capacity = {.instructions = 4096});
  /// A model on several units.
  Network(std::span<const std::byte> file, unsigned units);

  void set(std::size_t input, const Bytes &bytes);
  [[nodiscard]] Bytes output(std::size_t index) const;
  [[nodiscard]] Bytes tensor(std::int32_t number) const;

  Bench bench;
  tflite::Runner<kernels::unity::ContainerBuilder> runner{kernels::unity::tflite_kernels()};

 private:
  std::vector<std::max_align_t> workspace_;
};

/// Runs the model with random inputs, and compares all outputs with the reference. Returns the cycles of the last run. With `timings`, it
/// runs as often, each time with other random durations.
std::uint64_t compare_with_reference(const tflite_models::ModelParts &parts, unsigned seed, unsigned units = 1, unsigned timings = 0);

}  // namespace cox::tests::unity
