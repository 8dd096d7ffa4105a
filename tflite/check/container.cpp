// SPDX-License-Identifier: MIT
#include "coxswain/tflite/check/container.h"

#include <cstdint>

#include "coxswain/tflite/flatbuffer.h"
#include "coxswain/tflite/lists.h"
#include "coxswain/tflite/model.h"

namespace cox::tflite::check {

namespace {

// Limits of the FlatBuffers verifier. Tensors have up to four tables each, operators two.
constexpr flatbuffers::uoffset_t kMaximumDepth = 8;
constexpr flatbuffers::uoffset_t kMaximumTables = 1U << 16;

constexpr std::size_t kSmallestFile = 16;  ///< the offset of the root table, the identifier, and an empty table

Status check_count(std::size_t count, std::size_t limit, const char *what) {
  if (count == 0) return {ErrorCode::image_malformed, what, -1, 0, 1};
  if (count > limit) return {ErrorCode::unsupported, what, -1, signed_of(count), signed_of(limit)};
  return {};
}

}  // namespace

Result<const schema::Model *> container(std::span<const std::byte> file) {
  if (reinterpret_cast<std::uintptr_t>(file.data()) % kFileAlignment != 0) {
    return Status{ErrorCode::invalid_argument, "file", -1,
                  static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(file.data()) % kFileAlignment),
                  static_cast<std::int64_t>(kFileAlignment)};
  }
  if (file.size() > kMaxFileBytes) return Status{ErrorCode::invalid_argument, "file", -1, signed_of(file.size()), signed_of(kMaxFileBytes)};
  if (file.size() < kSmallestFile) return Status{ErrorCode::image_truncated, "file", -1, signed_of(file.size()), signed_of(kSmallestFile)};
  const auto *const bytes = reinterpret_cast<const std::uint8_t *>(file.data());
  if (!schema::ModelBufferHasIdentifier(bytes)) return Status{ErrorCode::image_magic, "identifier"};
  flatbuffers::Verifier verifier(bytes, file.size(), kMaximumDepth, kMaximumTables);
  if (!schema::VerifyModelBuffer(verifier)) return Status{ErrorCode::image_malformed, "FlatBuffer"};

  const schema::Model &model = *schema::GetModel(bytes);
  if (model.version() != kSchemaVersion) return Status{ErrorCode::image_version, "version", -1, model.version(), kSchemaVersion};
  if (lists::count_of(model.subgraphs()) == 0) return Status{ErrorCode::image_malformed, "subgraphs", -1, 0, 1};
  if (model.subgraphs()->size() > 1) return Status{ErrorCode::unsupported, "subgraphs", -1, model.subgraphs()->size(), 1};
  const schema::SubGraph &graph = *model.subgraphs()->Get(0);
  if (Status status = check_count(lists::count_of(graph.tensors()), kMaxTensors, "tensors"); !status) return status;
  if (Status status = check_count(lists::count_of(graph.operators()), kMaxOperators, "operators"); !status) return status;
  if (Status status = check_count(lists::count_of(graph.inputs()), kMaxOperands, "inputs"); !status) return status;
  if (Status status = check_count(lists::count_of(graph.outputs()), kMaxOperands, "outputs"); !status) return status;
  if (lists::count_of(model.buffers()) == 0) return Status{ErrorCode::image_malformed, "buffers", -1, 0, 1};
  if (lists::count_of(model.operator_codes()) == 0) return Status{ErrorCode::image_malformed, "operator_codes", -1, 0, 1};
  return &model;
}

}  // namespace cox::tflite::check
