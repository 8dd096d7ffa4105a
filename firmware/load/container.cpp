// SPDX-License-Identifier: MIT
#include "coxswain/firmware/load/container.h"

#include <algorithm>
#include <cstring>

#include "coxswain/base/crc32.h"
#include "coxswain/firmware/image/flatbuffer.h"
#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/load/mapping.h"
#include "coxswain/firmware/verify/streams.h"

namespace cox::firmware::load {

using image::ImageHeader;
using image::kMagic;
using image::kProgramVersion;
using image::kVersion;
using image::Task;

namespace {

// Limits of the FlatBuffers verifier.
constexpr flatbuffers::uoffset_t kMaximumDepth = 8;          // largest depth of nested tables
constexpr flatbuffers::uoffset_t kMaximumTables = 1U << 14;  // largest number of windows, constants and tensors together
constexpr flatbuffers::uoffset_t kMaximumMapping = verify::kMaximumInstructions;  // largest number of entries of `mapping`

// Arguments of Budget::spend(): estimated control-core instructions.
constexpr std::int32_t kByteCost = 1;     // to add one byte of the payload to the checksum
constexpr std::int32_t kTableCost = 600;  // to verify one window, constant or tensor

/// The root table. Verify() makes all checks of Task::Verify() except those of the tables in the task's vectors. There may be many such
/// tables, so check_tables() checks them in steps.
struct Root : private flatbuffers::Table {
  bool Verify(flatbuffers::Verifier &verifier) const {
    const Task &task = reinterpret_cast<const Task &>(*this);
    return VerifyTableStart(verifier) && VerifyOffset(verifier, Task::VT_NAME) && verifier.VerifyString(task.name()) &&
           VerifyFieldRequired<image::Geometry>(verifier, Task::VT_GEOMETRY, alignof(image::Geometry)) &&
           VerifyOffsetRequired(verifier, Task::VT_INSTRUCTIONS) && verifier.VerifyVector(task.instructions()) &&
           VerifyOffset(verifier, Task::VT_MAPPING) && verifier.VerifyVector(task.mapping()) && VerifyOffset(verifier, Task::VT_WINDOWS) &&
           verifier.VerifyVector(task.windows()) && VerifyOffset(verifier, Task::VT_CONSTANTS) && verifier.VerifyVector(task.constants()) &&
           VerifyOffset(verifier, Task::VT_TENSORS) && verifier.VerifyVector(task.tensors()) && VerifyOffset(verifier, Task::VT_PROGRAM) &&
           verifier.VerifyTable(task.program()) && verifier.EndTable();
  }
};

/// Returns the number of fields of the schema's root table.
template <typename... Fields>
constexpr std::size_t fields_of(flatbuffers::Offset<Task> (*)(flatbuffers::FlatBufferBuilder &, Fields...)) {
  return sizeof...(Fields);
}
static_assert(fields_of(image::CreateTask) == 8, "Root checks all of them");

const std::uint8_t *bytes_of(std::span<const std::byte> payload) { return reinterpret_cast<const std::uint8_t *>(payload.data()); }

Status malformed() { return {ErrorCode::image_malformed, "payload"}; }

template <typename T>
std::size_t count_of(const flatbuffers::Vector<T> *list) {
  return list == nullptr ? 0 : list->size();
}

/// Verifies the tables of one of the task's vectors, from number `next` on. The vector itself has been verified. Returns false if one is
/// malformed.
template <typename T>
bool verify_tables(const flatbuffers::Vector<flatbuffers::Offset<T>> *tables, std::span<const std::byte> payload, std::size_t &next,
                   Budget &budget) {
  // A step verifies fewer tables than the library's limit, and check_root() has compared their numbers with it.
  flatbuffers::Verifier verifier(bytes_of(payload), payload.size(), kMaximumDepth, kMaximumMapping);
  for (; next < count_of(tables) && budget.is_left(); ++next) {
    budget.spend(kTableCost);
    if (!tables->Get(static_cast<flatbuffers::uoffset_t>(next))->Verify(verifier)) return false;
  }
  return true;
}

}  // namespace

Status Container::begin(std::span<const std::byte> image) {
  if (reinterpret_cast<std::uintptr_t>(image.data()) % image::kImageAlignment != 0) return {ErrorCode::invalid_argument, "image"};
  if (image.size() < sizeof(ImageHeader)) {
    return {ErrorCode::image_truncated, "header", -1, static_cast<std::int64_t>(image.size()), sizeof(ImageHeader)};
  }
  ImageHeader header{};
  std::memcpy(&header, image.data(), sizeof(header));
  if (header.magic != kMagic) return {ErrorCode::image_magic, "magic", -1, header.magic, kMagic};
  if (header.version != kVersion && header.version != kProgramVersion)
    return {ErrorCode::image_version, "version", -1, header.version, kProgramVersion};
  has_program_ = header.version == kProgramVersion;
  payload_ = image.subspan(sizeof(ImageHeader));
  if (payload_.size() < header.payload_bytes) {
    return {ErrorCode::image_truncated, "payload_bytes", -1, static_cast<std::int64_t>(payload_.size()), header.payload_bytes};
  }
  if (payload_.size() > header.payload_bytes) {
    return {ErrorCode::image_malformed, "payload_bytes", -1, static_cast<std::int64_t>(payload_.size()), header.payload_bytes};
  }
  expected_ = header.payload_crc32;
  checksum_ = 0;
  next_ = 0;
  phase_ = Phase::checksum;
  return {};
}

Status Container::step(Budget &budget) {
  while (phase_ != Phase::done && budget.is_left()) {
    if (Status status = phase_ == Phase::checksum ? check_sum(budget) : check_tables(budget); !status) return status;
  }
  return {};
}

Status Container::check_sum(Budget &budget) {
  constexpr std::size_t kPiece = 16384;
  for (; next_ < payload_.size() && budget.is_left(); next_ += kPiece) {
    budget.spend(kPiece * kByteCost);
    checksum_ = crc32(payload_.subspan(next_, std::min(payload_.size() - next_, kPiece)), checksum_);
  }
  if (next_ < payload_.size()) return {};
  if (checksum_ != expected_) return {ErrorCode::image_checksum, "payload_crc32", -1, checksum_, expected_};
  return check_root();
}

Status Container::check_root() {
  // The library would read past the end of a payload that is shorter than a root offset and an identifier.
  if (payload_.size() < 2 * sizeof(flatbuffers::uoffset_t)) return malformed();
  flatbuffers::Verifier verifier(bytes_of(payload_), payload_.size(), kMaximumDepth, kMaximumTables);
  if (!verifier.VerifyBuffer<Root>(image::TaskIdentifier())) return malformed();
  task_ = image::GetTask(bytes_of(payload_));
  // The root is a table, too.
  if (1 + count_of(task_->windows()) + count_of(task_->constants()) + count_of(task_->tensors()) > kMaximumTables) return malformed();
  if (count_of(task_->mapping()) > kMaximumMapping) return malformed();
  if ((task_->program() != nullptr) != has_program_) return {ErrorCode::image_malformed, "program"};
  if (has_program_ && count_of(task_->instructions()) != 0) return {ErrorCode::image_malformed, "instructions"};
  next_ = 0;
  phase_ = Phase::windows;
  return {};
}

/// Verifies the tables of the list that `phase_` names, and goes on to the next list.
Status Container::check_tables(Budget &budget) {
  bool good = true;
  std::size_t tables = 0;
  const auto verify_list = [&](const auto *list) {
    tables = count_of(list);
    good = verify_tables(list, payload_, next_, budget);
  };
  switch (phase_) {
    case Phase::windows: verify_list(task_->windows()); break;
    case Phase::constants: verify_list(task_->constants()); break;
    case Phase::tensors: verify_list(task_->tensors()); break;
    case Phase::mapping:
      tables = count_of(task_->mapping());
      good = verify_mapping(*task_, payload_, next_, budget);
      break;
    case Phase::checksum:
    case Phase::done: break;
  }
  if (!good) return malformed();
  if (next_ < tables) return {};
  next_ = 0;
  phase_ = static_cast<Phase>(static_cast<unsigned>(phase_) + 1);
  return {};
}

}  // namespace cox::firmware::load
