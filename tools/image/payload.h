// SPDX-License-Identifier: MIT
// The windows, constants and tensors in the FlatBuffer of a task image. `Bound` is a type with members windows, constants and tensors.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "coxswain/firmware/image/task_generated.h"
#include "tools/image/container.h"
#include "tools/image/contents.h"

namespace cox::tools {

/// Applies `build` to each element.
template <typename T, typename Build>
auto build_all(flatbuffers::FlatBufferBuilder &builder, const std::vector<T> &elements, Build build) {
  std::vector<decltype(build(builder, elements.front()))> offsets;
  offsets.reserve(elements.size());
  for (const T &element : elements) offsets.push_back(build(builder, element));
  return builder.CreateVector(offsets);
}

struct BoundOffsets {
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<firmware::image::Window>>> windows;
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<firmware::image::Constant>>> constants;
  flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<firmware::image::Tensor>>> tensors;
};

template <typename Bound>
BoundOffsets build_bound(flatbuffers::FlatBufferBuilder &builder, const Bound &bound) {
  namespace image = firmware::image;
  BoundOffsets offsets;
  offsets.constants = build_all(builder, bound.constants, [](flatbuffers::FlatBufferBuilder &b, const Constant &constant) {
    return image::CreateConstantDirect(b, constant.window, constant.offset, &constant.data);
  });
  offsets.tensors = build_all(builder, bound.tensors, [](flatbuffers::FlatBufferBuilder &b, const auto &tensor) {
    const auto name = b.CreateString(tensor.name);
    const auto shape = b.CreateVector(tensor.shape.data(), tensor.shape.size());
    return image::CreateTensor(b, name, static_cast<image::Direction>(tensor.direction), static_cast<image::Format>(tensor.format), shape,
                               tensor.window, tensor.offset, tensor.size, tensor.padded);
  });
  offsets.windows = build_all(builder, bound.windows, [](flatbuffers::FlatBufferBuilder &b, const Window &window) {
    return image::CreateWindow(b, window.index, window.size, window.writable);
  });
  return offsets;
}

/// `last` is the last format that the engine has. Throws FileError(image_malformed).
template <typename AnyTensor>
void read_tensor(const firmware::image::Tensor &entry, AnyTensor &tensor, firmware::image::Format last, const std::string &file) {
  tensor.name = entry.name()->str();
  if (entry.shape()->size() != tensor.shape.size())
    fail_image(file, ErrorCode::image_malformed, "tensor " + tensor.name + ": shape: not N, C, H, W");
  if (entry.format() > last || entry.direction() > firmware::image::Direction::MAX) {
    fail_image(file, ErrorCode::image_malformed, "tensor " + tensor.name + ": format or direction");
  }
  tensor.direction = static_cast<Direction>(entry.direction());
  tensor.format = static_cast<decltype(tensor.format)>(entry.format());
  std::copy(entry.shape()->begin(), entry.shape()->end(), tensor.shape.begin());
  tensor.window = entry.window();
  tensor.offset = entry.offset();
  tensor.size = entry.size();
  tensor.padded = entry.padded();
}

/// Like read_tensor(), for all windows, constants and tensors of an image.
template <typename Bound>
void read_bound(const firmware::image::Task &root, Bound &bound, firmware::image::Format last, const std::string &file) {
  if (root.windows() != nullptr) {
    for (const auto *window : *root.windows()) bound.windows.push_back({window->index(), window->size(), window->writable()});
  }
  if (root.constants() != nullptr) {
    for (const auto *constant : *root.constants()) {
      Constant copy{constant->window(), constant->offset(), {}};
      if (constant->data() != nullptr) copy.data.assign(constant->data()->begin(), constant->data()->end());
      bound.constants.push_back(std::move(copy));
    }
  }
  if (root.tensors() != nullptr) {
    for (const auto *tensor : *root.tensors()) read_tensor(*tensor, bound.tensors.emplace_back(), last, file);
  }
}

}  // namespace cox::tools
