// SPDX-License-Identifier: MIT
#include "coxswain/firmware/image/loaded_task.h"

#include "coxswain/firmware/image/flatbuffer.h"

namespace cox::firmware::image {

std::string_view LoadedTask::name() const {
  if (task_ == nullptr || task_->name() == nullptr) return "";
  return {task_->name()->c_str(), task_->name()->size()};
}

std::size_t LoadedTask::constants() const { return task_ == nullptr || task_->constants() == nullptr ? 0 : task_->constants()->size(); }

ConstantView LoadedTask::constant(std::size_t index) const {
  const Constant &constant = *task_->constants()->Get(static_cast<flatbuffers::uoffset_t>(index));
  ConstantView view{constant.window(), constant.offset(), {}};
  if (constant.data() != nullptr) view.data = std::as_bytes(std::span(constant.data()->data(), constant.data()->size()));
  return view;
}

std::size_t LoadedTask::tensors() const { return task_ == nullptr || task_->tensors() == nullptr ? 0 : task_->tensors()->size(); }

TensorView LoadedTask::tensor(std::size_t index) const {
  const Tensor &tensor = *task_->tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  TensorView view;
  view.name = {tensor.name()->c_str(), tensor.name()->size()};
  view.output = tensor.direction() == Direction::output;
  view.format = static_cast<std::uint8_t>(tensor.format());
  for (flatbuffers::uoffset_t i = 0; i < view.shape.size(); ++i) view.shape[i] = tensor.shape()->Get(i);
  view.window = tensor.window();
  view.offset = tensor.offset();
  view.size = tensor.size();
  view.padded = tensor.padded();
  return view;
}

Result<TensorView> LoadedTask::find_tensor(std::string_view name) const {
  for (std::size_t i = 0; i < tensors(); ++i) {
    const TensorView view = tensor(i);
    if (view.name == name) return view;
  }
  return Status{ErrorCode::tensor_unknown, "name"};
}

}  // namespace cox::firmware::image
