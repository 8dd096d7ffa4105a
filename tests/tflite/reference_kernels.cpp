// SPDX-License-Identifier: MIT
#include "tests/tflite/reference_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/tflite/reference/evaluation.h"

namespace cox::tests::tflite_reference {

namespace {

namespace tf = cox::tflite;

constexpr std::uint32_t kScratch = 100, kConstants = 20;

tf::Support check(const tf::Model & /*model*/, std::size_t /*index*/, const tf::Operation &operation) {
  tf::Support support;
  support.scratch_bytes = kScratch;
  support.constant_bytes = kConstants;
  const auto whole = [&](const auto &numbers) {
    for (std::size_t i = 0; i < 2; ++i) support.overwritable |= numbers.broadcast[i] ? 0U : 1U << i;
  };
  if (const auto *const numbers = std::get_if<tf::Sum>(&operation)) whole(*numbers);
  if (const auto *const numbers = std::get_if<tf::Product>(&operation)) whole(*numbers);
  if (const auto *const numbers = std::get_if<tf::Extremum>(&operation)) whole(*numbers);
  if (std::holds_alternative<tf::Rescale>(operation) || std::holds_alternative<tf::Sigmoid>(operation)) support.overwritable = 1;
  return support;
}

std::uint8_t *pointer(std::uintptr_t address) { return reinterpret_cast<std::uint8_t *>(address); }

Status encode(const tf::Encoding &encoding, Recording &recording) {
  EXPECT_EQ(encoding.scratch.size(), kScratch);
  EXPECT_EQ(encoding.constants.size(), kConstants);
  std::fill(encoding.constants.begin(), encoding.constants.end(), static_cast<std::byte>(encoding.index));
  const tf::Model &model = encoding.model;
  const tf::OperatorView op = model.op(encoding.index);
  std::vector<std::pair<std::int32_t, std::uintptr_t>> inputs, outputs;
  for (const std::int32_t tensor : op.inputs) {
    if (tensor != tf::kAbsent) inputs.emplace_back(tensor, encoding.addresses.of(tensor));
  }
  for (const std::int32_t tensor : op.outputs) outputs.emplace_back(tensor, encoding.addresses.of(tensor));
  return recording.append([inputs, outputs, &model, index = encoding.index, scratch = encoding.scratch, constants = encoding.constants] {
    for (const std::byte constant : constants) EXPECT_EQ(constant, static_cast<std::byte>(index));
    std::fill(scratch.begin(), scratch.end(), std::byte{0xA5});
    Evaluation evaluation(model);
    for (const auto &[tensor, address] : inputs) {
      evaluation.set(tensor, {pointer(address), model.tensor(static_cast<std::size_t>(tensor)).bytes});
    }
    const Status status = evaluation.run(index);
    EXPECT_TRUE(status) << status.what();
    for (const auto &[tensor, address] : outputs) {
      const std::vector<std::uint8_t> &bytes = evaluation.bytes(tensor);
      std::memcpy(pointer(address), bytes.data(), bytes.size());
    }
  });
}

constexpr tf::OperatorRow<Recording> row(tf::OperatorCode code) { return {code, check, encode}; }

constexpr tf::OperatorRow<Recording> kRows[] = {
    row(tf::OperatorCode::add),
    row(tf::OperatorCode::average_pool_2d),
    row(tf::OperatorCode::concatenation),
    row(tf::OperatorCode::conv_2d),
    row(tf::OperatorCode::depthwise_conv_2d),
    row(tf::OperatorCode::dequantize),
    row(tf::OperatorCode::expand_dims),
    row(tf::OperatorCode::fully_connected),
    row(tf::OperatorCode::logistic),
    row(tf::OperatorCode::max_pool_2d),
    row(tf::OperatorCode::maximum),
    row(tf::OperatorCode::mean),
    row(tf::OperatorCode::minimum),
    row(tf::OperatorCode::mul),
    row(tf::OperatorCode::pack),
    row(tf::OperatorCode::pad),
    row(tf::OperatorCode::padv2),
    row(tf::OperatorCode::quantize),
    row(tf::OperatorCode::relu),
    row(tf::OperatorCode::relu6),
    row(tf::OperatorCode::relu_n1_to_1),
    row(tf::OperatorCode::reshape),
    row(tf::OperatorCode::resize_bilinear),
    row(tf::OperatorCode::resize_nearest_neighbor),
    row(tf::OperatorCode::softmax),
    row(tf::OperatorCode::split),
    row(tf::OperatorCode::squeeze),
    row(tf::OperatorCode::strided_slice),
    row(tf::OperatorCode::sub),
    row(tf::OperatorCode::tanh),
    row(tf::OperatorCode::transpose),
    row(tf::OperatorCode::transpose_conv),
    row(tf::OperatorCode::unpack),
};

}  // namespace

Status Recording::append(std::function<void()> step) {
  if (steps.size() >= most_steps) return {ErrorCode::no_room, "recording"};
  steps.push_back(std::move(step));
  return {};
}

const tf::OperatorTable<Recording> &reference_kernels() {
  static constexpr tf::OperatorTable<Recording> kTable(kRows);
  return kTable;
}

}  // namespace cox::tests::tflite_reference
