// SPDX-License-Identifier: MIT
#include "coxswain/tflite/check/container.h"
#include "coxswain/tflite/check/graph.h"
#include "coxswain/tflite/check/tensors.h"
#include "coxswain/tflite/flatbuffer.h"
#include "coxswain/tflite/model.h"

namespace cox::tflite {

Result<std::size_t> tensor_count(std::span<const std::byte> file) {
  const Result<const schema::Model *> model = check::container(file);
  if (!model) return model.status();
  return static_cast<std::size_t>(model.value()->subgraphs()->Get(0)->tensors()->size());
}

Result<Model> open(std::span<const std::byte> file, std::span<TensorUse> workspace) {
  const Result<const schema::Model *> container = check::container(file);
  if (!container) return container.status();
  const schema::Model &model = *container.value();
  const std::size_t tensors = model.subgraphs()->Get(0)->tensors()->size();
  if (workspace.size() < tensors) return Status{ErrorCode::no_room, "workspace", -1, signed_of(workspace.size()), signed_of(tensors)};
  if (Status status = check::tensors(model, file.size()); !status) return status;
  const std::span<TensorUse> uses = workspace.first(tensors);
  if (Status status = check::graph(model, file.size(), uses); !status) return status;
  Model opened;
  opened.file_ = file;
  opened.model_ = &model;
  opened.graph_ = model.subgraphs()->Get(0);
  opened.uses_ = uses;
  return opened;
}

}  // namespace cox::tflite
