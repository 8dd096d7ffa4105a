// SPDX-License-Identifier: MIT
#include "coxswain/tflite/check/graph.h"

#include <cstdint>

#include "coxswain/tflite/flatbuffer.h"
#include "coxswain/tflite/lists.h"

namespace cox::tflite::check {

namespace {

class Graph {
 public:
  Graph(const schema::Model &model, std::span<TensorUse> uses) : model_(model), graph_(*model.subgraphs()->Get(0)), uses_(uses) {}

  Status run(std::size_t file_bytes) {
    for (TensorUse &use : uses_) use = {};
    for (const std::int32_t tensor : lists::span_of(graph_.inputs())) {
      if (!exists(tensor)) return outside("inputs", tensor);
      if (is_constant(tensor)) return {ErrorCode::image_malformed, "inputs: constant", -1, tensor};
      use(tensor).is_input = true;
    }
    std::size_t listed_bytes = 0;  // limits time, like the sum in tensors()
    for (flatbuffers::uoffset_t i = 0; i < graph_.operators()->size(); ++i) {
      const schema::Operator &op = *graph_.operators()->Get(i);
      const auto index = static_cast<std::int32_t>(i);
      listed_bytes += 4 * (lists::count_of(op.inputs()) + lists::count_of(op.outputs()));
      if (listed_bytes > file_bytes)
        return {ErrorCode::image_malformed, "operator.inputs", index, signed_of(listed_bytes), signed_of(file_bytes)};
      if (Status status = check_operator(op, index); !status) return status.at(index);
    }
    for (const std::int32_t tensor : lists::span_of(graph_.outputs())) {
      if (!exists(tensor)) return outside("outputs", tensor);
      if (!has_value(tensor)) return {ErrorCode::image_malformed, "outputs: never written", -1, tensor};
      use(tensor).is_output = true;
    }
    return {};
  }

 private:
  [[nodiscard]] TensorUse &use(std::int32_t tensor) { return uses_[static_cast<std::size_t>(tensor)]; }
  [[nodiscard]] bool exists(std::int32_t tensor) const { return tensor >= 0 && static_cast<std::size_t>(tensor) < uses_.size(); }
  [[nodiscard]] Status outside(const char *what, std::int32_t tensor) const {
    return {ErrorCode::image_malformed, what, -1, tensor, signed_of(uses_.size()) - 1};
  }
  [[nodiscard]] const schema::Tensor &table(std::int32_t tensor) const {
    return *lists::at(graph_.tensors(), static_cast<std::size_t>(tensor));
  }
  [[nodiscard]] bool is_constant(std::int32_t tensor) const {
    return lists::count_of(lists::at(model_.buffers(), table(tensor).buffer())->data()) != 0;
  }
  [[nodiscard]] bool has_value(std::int32_t tensor) {
    return use(tensor).is_input || use(tensor).writer >= 0 || table(tensor).is_variable() || is_constant(tensor);
  }

  Status check_operator(const schema::Operator &op, std::int32_t index) {
    const std::uint32_t codes = model_.operator_codes()->size();
    if (op.opcode_index() >= codes)
      return {ErrorCode::image_malformed, "operator.opcode_index", -1, op.opcode_index(), std::int64_t{codes} - 1};
    const schema::OperatorCode &code = *model_.operator_codes()->Get(op.opcode_index());
    if (code.deprecated_builtin_code() < 0 || code.builtin_code() < 0) {
      return {ErrorCode::image_malformed, "operator_code.builtin_code", -1,
              std::min<std::int32_t>(code.deprecated_builtin_code(), code.builtin_code()), 0};
    }
    if (code.version() < 1) return {ErrorCode::image_malformed, "operator_code.version", -1, code.version(), 1};
    if ((op.builtin_options_type() == schema::BuiltinOptions::NONE) != (op.builtin_options() == nullptr)) {
      return {ErrorCode::image_malformed, "operator.builtin_options", -1, static_cast<std::int64_t>(op.builtin_options_type())};
    }
    const std::span<const std::int32_t> inputs = lists::span_of(op.inputs()), outputs = lists::span_of(op.outputs());
    if (inputs.size() > kMaxOperands) return {ErrorCode::unsupported, "operator.inputs", -1, signed_of(inputs.size()), kMaxOperands};
    if (outputs.size() > kMaxOperands) return {ErrorCode::unsupported, "operator.outputs", -1, signed_of(outputs.size()), kMaxOperands};
    for (const std::int32_t tensor : inputs) {
      if (tensor == kAbsent) continue;
      if (!exists(tensor)) return outside("operator.inputs", tensor);
      if (!has_value(tensor)) return {ErrorCode::image_malformed, "operator.inputs: read before it is written", -1, tensor};
      use(tensor).last_reader = index;
    }
    for (const std::int32_t tensor : outputs) {
      if (!exists(tensor)) return outside("operator.outputs", tensor);
      if (has_value(tensor)) return {ErrorCode::image_malformed, "operator.outputs: written twice", -1, tensor};
      use(tensor).writer = index;
    }
    return {};
  }

  const schema::Model &model_;
  const schema::SubGraph &graph_;
  std::span<TensorUse> uses_;
};

}  // namespace

Status graph(const schema::Model &model, std::size_t file_bytes, std::span<TensorUse> uses) { return Graph(model, uses).run(file_bytes); }

}  // namespace cox::tflite::check
