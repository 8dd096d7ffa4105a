// SPDX-License-Identifier: MIT
#include "coxswain/tflite/model.h"

#include <algorithm>

#include "coxswain/tflite/flatbuffer.h"
#include "coxswain/tflite/lists.h"

namespace cox::tflite {

using lists::at;
using lists::span_of;

std::string_view Model::description() const { return lists::text_of(model_->description()); }

TensorView Model::tensor(std::size_t index) const {
  const schema::Tensor &table = *at(graph_->tensors(), index);
  TensorView view;
  view.name = lists::text_of(table.name());
  view.type = static_cast<ElementType>(table.type());
  const std::span<const std::int32_t> shape = span_of(table.shape());
  std::copy(shape.begin(), shape.end(), view.shape.dimensions.begin());
  view.shape.rank = static_cast<std::uint8_t>(shape.size());
  view.bytes =
      static_cast<std::uint32_t>((std::uint64_t{element_bits(view.type)} * static_cast<std::uint32_t>(view.shape.elements()) + 7) / 8);
  view.variable = table.is_variable();
  view.data = std::as_bytes(span_of(at(model_->buffers(), table.buffer())->data()));
  if (const schema::QuantizationParameters *const quantisation = table.quantization(); quantisation != nullptr) {
    const std::span<const float> scales = span_of(quantisation->scale());
    view.quantisation.scales = scales.data();
    view.quantisation.count = static_cast<std::uint32_t>(scales.size());
    if (quantisation->zero_point() != nullptr && !scales.empty()) {
      view.quantisation.zero_points = reinterpret_cast<const std::byte *>(quantisation->zero_point()->Data());
      view.quantisation.zero_count = quantisation->zero_point()->size();
    }
    view.quantisation.dimension = static_cast<std::uint32_t>(quantisation->quantized_dimension());
  }
  return view;
}

std::size_t Model::operators() const { return lists::count_of(graph_->operators()); }

const schema::Operator &Model::operator_table(std::size_t index) const { return *at(graph_->operators(), index); }

OperatorView Model::op(std::size_t index) const {
  const schema::Operator &table = operator_table(index);
  const schema::OperatorCode &code = *at(model_->operator_codes(), table.opcode_index());
  OperatorView view;
  view.code = static_cast<OperatorCode>(std::max<std::int32_t>(code.deprecated_builtin_code(), code.builtin_code()));
  view.version = code.version();
  view.custom_name = lists::text_of(code.custom_code());
  view.inputs = span_of(table.inputs());
  view.outputs = span_of(table.outputs());
  return view;
}

std::span<const std::int32_t> Model::inputs() const { return span_of(graph_->inputs()); }
std::span<const std::int32_t> Model::outputs() const { return span_of(graph_->outputs()); }

}  // namespace cox::tflite
