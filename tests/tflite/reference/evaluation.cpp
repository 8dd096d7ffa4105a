// SPDX-License-Identifier: MIT
#include "tests/tflite/reference/evaluation.h"

#include <cstring>
#include <functional>

#include "coxswain/tflite/resolve.h"
#include "tests/tflite/reference/operators.h"

namespace cox::tests::tflite_reference {

namespace {

/// Calls `body(index)` for all indices of a shape, the last one fastest.
void walk(const tf::Shape &shape, const std::function<void(const std::vector<std::int32_t> &)> &body) {
  std::vector<std::int32_t> index(shape.rank, 0);
  for (std::int32_t i = 0; i < shape.elements(); ++i) {
    body(index);
    for (std::size_t d = shape.rank; d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

std::size_t place(const tf::Shape &shape, const std::vector<std::int32_t> &index) {
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.rank; ++d) at = at * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(index[d]);
  return at;
}

}  // namespace

Evaluation::Evaluation(const cox::tflite::Model &model) : model_(model), values_(model.tensors()) {
  for (std::size_t i = 0; i < model.tensors(); ++i) {
    const tf::TensorView tensor = model.tensor(i);
    if (tensor.constant())
      set(static_cast<std::int32_t>(i), {reinterpret_cast<const std::uint8_t *>(tensor.data.data()), tensor.data.size()});
  }
}

void Evaluation::set(std::int32_t tensor, std::span<const std::uint8_t> bytes) {
  values_[static_cast<std::size_t>(tensor)].assign(bytes.begin(), bytes.end());
}

Status Evaluation::run() {
  for (std::size_t i = 0; i < model_.operators(); ++i) {
    if (Status status = run(i); !status) return status;
  }
  return {};
}

Status Evaluation::run(std::size_t index) {
  const Result<tf::Operation> operation = tf::resolve(model_, index);
  if (!operation) return operation.status();
  evaluate(operation.value(), index);
  return {};
}

void Evaluation::evaluate(const tf::Operation &operation, std::size_t index) {
  const auto tensor = [this](std::int32_t number) { return model_.tensor(static_cast<std::size_t>(number)); };
  const auto signed_bytes = [this](std::int32_t number) {
    const std::vector<std::uint8_t> &all = bytes(number);
    return std::span(reinterpret_cast<const std::int8_t *>(all.data()), all.size());
  };
  const auto words = [this](std::int32_t number) {
    std::vector<std::int32_t> all;
    if (number < 0) return all;
    all.resize(bytes(number).size() / 4);
    std::memcpy(all.data(), bytes(number).data(), bytes(number).size());
    return all;
  };
  const auto store = [this](std::int32_t number, const auto &values) {
    set(number, {reinterpret_cast<const std::uint8_t *>(values.data()), values.size() * sizeof(values[0])});
  };
  const auto multipliers = [](const tf::ChannelScales &scales) {
    Multipliers all;
    for (std::uint32_t i = 0; i < scales.count; ++i) all.push_back(scales.multiplier(i));
    return all;
  };
  const auto operand = [&](std::int32_t number) { return Operand{signed_bytes(number), tensor(number).shape}; };

  if (const auto *const n = std::get_if<tf::Copy>(&operation)) store(n->output, std::vector<std::uint8_t>(bytes(n->input)));
  if (const auto *const n = std::get_if<tf::Convolution>(&operation)) {
    store(n->output, convolution(*n, signed_bytes(n->input), signed_bytes(n->weights), words(n->bias), multipliers(n->scales)));
  }
  if (const auto *const n = std::get_if<tf::FullyConnected>(&operation)) {
    store(n->output, fully_connected(*n, signed_bytes(n->input), signed_bytes(n->weights), words(n->bias), multipliers(n->scales)));
  }
  if (const auto *const n = std::get_if<tf::Pool>(&operation)) store(n->output, pool(*n, signed_bytes(n->input)));
  if (const auto *const n = std::get_if<tf::Softmax>(&operation)) store(n->output, softmax(*n, signed_bytes(n->input)));
  if (const auto *const n = std::get_if<tf::Sigmoid>(&operation)) store(n->output, sigmoid(*n, signed_bytes(n->input)));
  if (const auto *const n = std::get_if<tf::Rescale>(&operation)) store(n->output, rescale(*n, signed_bytes(n->input)));
  if (const auto *const n = std::get_if<tf::Resize>(&operation)) store(n->output, resize(*n, signed_bytes(n->input)));
  if (const auto *const n = std::get_if<tf::Sum>(&operation)) {
    store(n->output, sum(*n, operand(n->inputs[0]), operand(n->inputs[1]), tensor(n->output).shape));
  }
  if (const auto *const n = std::get_if<tf::Product>(&operation)) {
    store(n->output, product(*n, operand(n->inputs[0]), operand(n->inputs[1]), tensor(n->output).shape));
  }
  if (const auto *const n = std::get_if<tf::Extremum>(&operation)) {
    store(n->output, extremum(*n, operand(n->inputs[0]), operand(n->inputs[1]), tensor(n->output).shape));
  }
  if (const auto *const n = std::get_if<tf::Mean>(&operation)) store(n->output, mean(*n, signed_bytes(n->input), tensor(n->input).shape));
  if (const auto *const n = std::get_if<tf::Pad>(&operation)) {
    store(n->output, pad(*n, signed_bytes(n->input), tensor(n->input).shape, tensor(n->output).shape));
  }
  if (const auto *const n = std::get_if<tf::Conversion>(&operation)) {
    if (n->to_float) {
      store(n->output, dequantise(*n, signed_bytes(n->input)));
    } else {
      std::vector<float> values(bytes(n->input).size() / 4);
      std::memcpy(values.data(), bytes(n->input).data(), bytes(n->input).size());
      store(n->output, quantise(*n, values));
    }
  }

  // Operators that move elements of any size. Each output element names the input tensor and the place that it comes from.
  const auto gather = [&](std::int32_t output, const auto &source) {
    const tf::TensorView view = tensor(output);
    const std::size_t size = tf::element_bits(view.type) / 8;
    std::vector<std::uint8_t> values;
    walk(view.shape, [&](const std::vector<std::int32_t> &at) {
      const std::pair<std::int32_t, std::size_t> from = source(at);
      const std::uint8_t *const first = bytes(from.first).data() + from.second * size;
      values.insert(values.end(), first, first + size);
    });
    store(output, values);
  };
  const tf::OperatorView op = model_.op(index);
  if (const auto *const n = std::get_if<tf::Transpose>(&operation)) {
    gather(n->output, [&](const std::vector<std::int32_t> &at) {
      std::vector<std::int32_t> from(n->rank);
      for (std::size_t d = 0; d < n->rank; ++d) from[n->permutation[d]] = at[d];
      return std::pair(n->input, place(tensor(n->input).shape, from));
    });
  }
  if (const auto *const n = std::get_if<tf::Slice>(&operation)) {
    tf::Shape taken;
    taken.rank = static_cast<std::uint8_t>(n->rank);
    taken.dimensions = n->count;
    std::vector<std::size_t> places;
    walk(taken, [&](const std::vector<std::int32_t> &at) {
      std::vector<std::int32_t> from(n->rank);
      for (std::size_t d = 0; d < n->rank; ++d) from[d] = n->begin[d] + at[d] * n->stride[d];
      places.push_back(place(tensor(n->input).shape, from));
    });
    std::size_t next = 0;
    gather(n->output, [&](const std::vector<std::int32_t> &) { return std::pair(n->input, places[next++]); });
  }
  if (const auto *const n = std::get_if<tf::Concatenation>(&operation)) {
    gather(n->output, [&](std::vector<std::int32_t> at) {
      std::int32_t along = at[n->axis];
      if (n->pack) {
        at.erase(at.begin() + n->axis);
        const std::int32_t from = op.inputs[static_cast<std::size_t>(along)];
        return std::pair(from, place(tensor(from).shape, at));
      }
      std::size_t part = 0;
      while (along >= tensor(op.inputs[part]).shape[n->axis]) along -= tensor(op.inputs[part++]).shape[n->axis];
      at[n->axis] = along;
      return std::pair(op.inputs[part], place(tensor(op.inputs[part]).shape, at));
    });
  }
  if (const auto *const n = std::get_if<tf::Split>(&operation)) {
    for (std::size_t part = 0; part < op.outputs.size(); ++part) {
      gather(op.outputs[part], [&](std::vector<std::int32_t> at) {
        const auto number = static_cast<std::int32_t>(part);
        if (n->unpack) {
          at.insert(at.begin() + n->axis, number);
        } else {
          at[n->axis] += number * tensor(op.outputs[part]).shape[n->axis];
        }
        return std::pair(n->input, place(tensor(n->input).shape, at));
      });
    }
  }
}

}  // namespace cox::tests::tflite_reference
