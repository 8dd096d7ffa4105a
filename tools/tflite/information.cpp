// SPDX-License-Identifier: MIT
#include "tools/tflite/information.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "coxswain/tflite/resolve.h"
#include "tools/tflite/text_table.h"

namespace cox::tools::tflite {

namespace {

using nlohmann::json;

/// No kernels: nothing is overwritten, and copies share memory.
class NoKernels final : public format::OperatorSet {
  [[nodiscard]] format::Support check(const format::Model & /*model*/, std::size_t index) const override {
    return {Status{ErrorCode::unsupported, "kernel", static_cast<std::int32_t>(index)}};
  }
};

TensorInformation tensor_information(const format::Model &model, std::int32_t index) {
  const format::TensorView tensor = model.tensor(static_cast<std::size_t>(index));
  TensorInformation information{index, printable(tensor.name), format::element_name(tensor.type), shape_text(tensor.shape), tensor.bytes,
                                ""};
  const format::Quantisation &quantisation = tensor.quantisation;
  if (quantisation.count == 1)
    information.quantisation = fmt::format("scale {}, zero point {}", quantisation.scale(), quantisation.zero_point());
  if (quantisation.count > 1) information.quantisation = fmt::format("{} scales", quantisation.count);
  return information;
}

std::string window_text(std::int32_t height, std::int32_t width, std::int32_t stride_height, std::int32_t stride_width,
                        const format::Pads &pads) {
  std::string text = fmt::format("{}x{}", height, width);
  if (stride_height != 1 || stride_width != 1) text += fmt::format(", stride {}x{}", stride_height, stride_width);
  if (pads != format::Pads{}) text += fmt::format(", pads {},{},{},{}", pads.top, pads.left, pads.bottom, pads.right);
  return text;
}

/// Returns what a table of operators shows of an operation's numbers.
std::string details_of(const format::Operation &operation) {
  if (const auto *const n = std::get_if<format::Convolution>(&operation)) {
    std::string text = window_text(n->kernel_height, n->kernel_width, n->stride_height, n->stride_width, n->pads);
    if (n->dilation_height != 1 || n->dilation_width != 1) text += fmt::format(", dilation {}x{}", n->dilation_height, n->dilation_width);
    if (n->groups != 1) text += fmt::format(", {} groups", n->groups);
    if (n->depth_multiplier != 1) text += fmt::format(", depth multiplier {}", n->depth_multiplier);
    return text;
  }
  if (const auto *const n = std::get_if<format::Pool>(&operation))
    return window_text(n->kernel_height, n->kernel_width, n->stride_height, n->stride_width, n->pads);
  if (const auto *const n = std::get_if<format::FullyConnected>(&operation)) return fmt::format("{} to {}", n->depth, n->columns);
  if (const auto *const n = std::get_if<format::Concatenation>(&operation)) return fmt::format("axis {}", n->axis);
  if (const auto *const n = std::get_if<format::Split>(&operation)) return fmt::format("axis {}", n->axis);
  return "";
}

OperatorInformation operator_information(const format::Model &model, const format::ArenaPlan &plan, std::size_t index,
                                         std::span<const KernelSet> sets) {
  const format::OperatorView op = model.op(index);
  OperatorInformation information;
  information.name = name_of(op);
  information.version = op.version;
  for (const std::int32_t tensor : op.inputs) {
    if (tensor == format::kAbsent) continue;
    const std::size_t constant = model.tensor(static_cast<std::size_t>(tensor)).data.size();
    information.constant_bytes += constant;
    if (constant == 0) information.inputs.push_back(tensor_information(model, tensor));
  }
  for (const std::int32_t tensor : op.outputs) information.outputs.push_back(tensor_information(model, tensor));
  information.copy = plan.is_alias(index);
  const Result<format::Operation> operation = format::resolve(model, index);
  if (operation) {
    information.details = details_of(operation.value());
    information.multiply_accumulates = format::multiply_accumulates(operation.value());
  } else {
    information.refusal = describe(operation.status());
  }
  for (const KernelSet &set : sets) {
    const Status status = set.kernels->check(model, index).status;
    information.kernels.push_back(status || information.copy ? "" : describe(status));
  }
  return information;
}

std::string joined_shapes(const std::vector<TensorInformation> &tensors) {
  std::string text;
  for (const TensorInformation &tensor : tensors) text += (text.empty() ? "" : ", ") + tensor.shape;
  return text;
}

std::string tensors_text(const Information &information) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&rows](const char *title, const std::vector<TensorInformation> &tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const TensorInformation &tensor = tensors[i];
      rows.push_back({title, std::to_string(i), tensor.type, tensor.shape, tensor.quantisation, tensor.name});
    }
  };
  add("input", information.inputs);
  add("output", information.outputs);
  return table_of(rows, {1});
}

/// Returns what the column of a set says: yes, copy or no.
std::string kernel_text(const OperatorInformation &op, std::size_t set) {
  if (op.copy) return "copy";
  return op.kernels[set].empty() ? "yes" : "no";
}

json json_of(const TensorInformation &tensor) {
  return {{"tensor", tensor.index}, {"name", tensor.name},   {"type", tensor.type},
          {"shape", tensor.shape},  {"bytes", tensor.bytes}, {"quantisation", tensor.quantisation}};
}

json json_of(const std::vector<TensorInformation> &tensors) {
  json list = json::array();
  for (const TensorInformation &tensor : tensors) list.push_back(json_of(tensor));
  return list;
}

}  // namespace

Information information_of(const std::string &path, std::span<const KernelSet> sets) {
  ModelFile file(path);
  const format::Model &model = file.model();
  const NoKernels none;
  const format::OperatorSet &planned = sets.empty() ? none : *sets.front().kernels;
  const format::ArenaPlan plan = file.plan(planned);

  Information information;
  information.file = path;
  information.description = printable(model.description());
  information.file_bytes = file.file_bytes();
  information.arena_bytes = plan.bytes();
  information.live_bytes = plan.live_bytes();
  for (const KernelSet &set : sets) information.engines.emplace_back(set.engine);
  for (const std::int32_t tensor : model.inputs()) information.inputs.push_back(tensor_information(model, tensor));
  for (const std::int32_t tensor : model.outputs()) information.outputs.push_back(tensor_information(model, tensor));
  for (std::size_t i = 0; i < model.operators(); ++i) {
    information.operators.push_back(operator_information(model, plan, i, sets));
    information.multiply_accumulates += information.operators.back().multiply_accumulates;
  }
  for (std::size_t i = 0; i < model.tensors(); ++i) information.constant_bytes += model.tensor(i).data.size();
  return information;
}

std::string text_of(const Information &information) {
  std::string text =
      fmt::format("{}: {} bytes, {} operators", information.file, grouped(information.file_bytes), information.operators.size());
  if (!information.description.empty()) text += fmt::format(", \"{}\"", information.description);
  text += "\n" + tensors_text(information) + "\n";

  std::vector<std::vector<std::string>> rows = {{"#", "operator", "version", "inputs", "outputs", "type", "details", "MACs", "constants"}};
  rows[0].insert(rows[0].end(), information.engines.begin(), information.engines.end());
  for (std::size_t i = 0; i < information.operators.size(); ++i) {
    const OperatorInformation &op = information.operators[i];
    const std::string type = op.outputs.empty() ? "" : op.outputs.front().type;
    rows.push_back({std::to_string(i), op.name, std::to_string(op.version), joined_shapes(op.inputs), joined_shapes(op.outputs), type,
                    op.details, op.multiply_accumulates == 0 ? "" : grouped(op.multiply_accumulates),
                    op.constant_bytes == 0 ? "" : grouped(op.constant_bytes)});
    for (std::size_t set = 0; set < information.engines.size(); ++set) rows.back().push_back(kernel_text(op, set));
  }
  text += table_of(rows, {0, 2, 7, 8}) + "\n";
  text += fmt::format("{} multiply-accumulates; constants: {} bytes\n", grouped(information.multiply_accumulates),
                      grouped(information.constant_bytes));
  text += fmt::format("arena: {} bytes; largest live set: {} bytes\n", grouped(information.arena_bytes), grouped(information.live_bytes));

  for (std::size_t i = 0; i < information.operators.size(); ++i) {
    const OperatorInformation &op = information.operators[i];
    if (!op.refusal.empty()) text += fmt::format("not supported: {}: {}\n", op.name, op.refusal);
    for (std::size_t set = 0; op.refusal.empty() && set < information.engines.size(); ++set) {
      if (!op.kernels[set].empty()) text += fmt::format("no kernel for {}: {}: {}\n", information.engines[set], op.name, op.kernels[set]);
    }
  }
  const auto computes_floats = [](const OperatorInformation &op) {
    return !op.refusal.empty() && !op.inputs.empty() && op.inputs.front().type == format::element_name(format::ElementType::float32);
  };
  if (std::any_of(information.operators.begin(), information.operators.end(), computes_floats))
    text += "operators compute with INT8 activations: quantise the whole model to integers\n";
  if (information.engines.empty()) text += "no engine has kernels for models\n";
  return text;
}

json json_of(const Information &information) {
  json operators = json::array();
  for (const OperatorInformation &op : information.operators) {
    json kernels = json::object();
    for (std::size_t set = 0; set < information.engines.size(); ++set) {
      kernels[information.engines[set]] = {{"supported", op.kernels[set].empty()}, {"why", op.kernels[set]}};
    }
    operators.push_back({{"operator", op.name},
                         {"version", op.version},
                         {"inputs", json_of(op.inputs)},
                         {"outputs", json_of(op.outputs)},
                         {"details", op.details},
                         {"multiply_accumulates", op.multiply_accumulates},
                         {"constant_bytes", op.constant_bytes},
                         {"copy", op.copy},
                         {"refusal", op.refusal},
                         {"kernels", kernels}});
  }
  return {{"file", information.file},
          {"description", information.description},
          {"file_bytes", information.file_bytes},
          {"inputs", json_of(information.inputs)},
          {"outputs", json_of(information.outputs)},
          {"operators", operators},
          {"multiply_accumulates", information.multiply_accumulates},
          {"constant_bytes", information.constant_bytes},
          {"arena_bytes", information.arena_bytes},
          {"live_bytes", information.live_bytes}};
}

}  // namespace cox::tools::tflite
