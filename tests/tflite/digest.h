// SPDX-License-Identifier: MIT
// One number for all that the library computes of a model: places in the arena, sizes, pads, zero points, clamps and multipliers. The
// control core and the host must compute the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/crc32.h"
#include "coxswain/base/status.h"
#include "coxswain/tflite/arena.h"
#include "coxswain/tflite/model.h"
#include "coxswain/tflite/resolve.h"

namespace cox::tests::tflite_digest {

namespace tf = cox::tflite;

class Digest {
 public:
  void add(std::int64_t number) { value_ = crc32(std::as_bytes(std::span(&number, 1)), value_); }
  void add(const tf::QuantisedMultiplier &by) { add(by.multiplier), add(by.shift); }
  void add(const tf::Pads &pads) { add(pads.top), add(pads.left), add(pads.bottom), add(pads.right); }
  void add(const tf::Clamp &clamp) { add(clamp.least), add(clamp.most); }
  void add(const tf::ChannelScales &scales) {
    for (std::uint32_t i = 0; i < scales.count; ++i) add(scales.multiplier(i));
  }
  void add(const tf::Operation &operation) {
    add(static_cast<std::int64_t>(operation.index()));
    add(static_cast<std::int64_t>(tf::multiply_accumulates(operation)));
    if (const auto *const n = std::get_if<tf::Convolution>(&operation))
      add(n->pads), add(n->clamp), add(n->input_zero), add(n->output_zero), add(n->scales);
    if (const auto *const n = std::get_if<tf::FullyConnected>(&operation))
      add(n->clamp), add(n->weights_zero), add(n->output_zero), add(n->scales);
    if (const auto *const n = std::get_if<tf::Pool>(&operation)) add(n->pads), add(n->clamp);
    if (const auto *const n = std::get_if<tf::Sum>(&operation))
      add(n->input_multiplier[0]), add(n->input_multiplier[1]), add(n->output_multiplier), add(n->clamp);
    if (const auto *const n = std::get_if<tf::Product>(&operation)) add(n->multiplier), add(n->clamp);
    if (const auto *const n = std::get_if<tf::Softmax>(&operation)) add(n->multiplier), add(n->least_difference);
    if (const auto *const n = std::get_if<tf::Mean>(&operation)) add(n->multiplier), add(n->count);
    if (const auto *const n = std::get_if<tf::Rescale>(&operation)) add(n->multiplier), add(n->clamp);
    if (const auto *const n = std::get_if<tf::Sigmoid>(&operation)) add(n->multiplier), add(n->radius);
  }
  [[nodiscard]] std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0;
};

/// A set in which each operator has a kernel, which overwrites nothing.
class AnyKernels final : public tf::OperatorSet {
 public:
  [[nodiscard]] tf::Support check(const tf::Model & /*model*/, std::size_t /*index*/) const override { return {}; }
};

/// Adds the numbers of all operators that resolve() accepts.
inline void add_operators(Digest &digest, const tf::Model &model) {
  for (std::size_t i = 0; i < model.operators(); ++i) {
    const Result<tf::Operation> operation = tf::resolve(model, i);
    if (operation) digest.add(operation.value());
    if (!operation) digest.add(static_cast<std::int64_t>(operation.status().code()));
  }
}

inline void add_arena(Digest &digest, const tf::Model &model, const tf::ArenaPlan &plan) {
  digest.add(plan.bytes());
  digest.add(plan.live_bytes());
  for (std::size_t i = 0; i < model.tensors(); ++i) {
    const auto tensor = static_cast<std::int32_t>(i);
    if (plan.contains(tensor)) digest.add(plan.offset(tensor));
  }
}

}  // namespace cox::tests::tflite_digest
