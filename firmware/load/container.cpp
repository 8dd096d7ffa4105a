// SPDX-License-Identifier: MIT
#include "firmware/load/container.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "base/crc32.h"
#include "firmware/image/flatbuffer.h"
#include "firmware/image/image_header.h"
#include "firmware/image/loader.h"
#include "firmware/verify/verifier.h"

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
constexpr std::int32_t kByteCost = 1;      // to add one byte of the payload to the checksum
constexpr std::int32_t kMappingCost = 60;  // to verify one entry of `mapping`
constexpr std::int32_t kTableCost = 600;   // to verify one window, constant or tensor

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

/// Verifies entries of `mapping`. They have few different layouts (vtables), so a repeated layout is not verified again.
class MappingEntry : private flatbuffers::Table {
 public:
  /// The layout of an entry that was verified.
  struct Layout {
    const std::uint8_t *vtable = nullptr;
    std::size_t bytes = 0;  ///< from the entry's beginning to the end of its last field
    std::array<std::size_t, 2> lists =
        {};  ///< bytes from the entry's beginning to its fields that refer to lists; 0: there is no such field
  };

  /// Makes the checks of Mapping::Verify() that do not depend on the layout.
  [[nodiscard]] bool verify(std::span<const std::byte> payload, const Layout &known) const {
    const auto at = static_cast<std::size_t>(start() - bytes_of(payload));
    if (known.vtable == nullptr || at % sizeof(flatbuffers::soffset_t) != 0) return false;
    if (at > payload.size() || payload.size() - at < known.bytes || GetVTable() != known.vtable) return false;
    return std::ranges::all_of(known.lists, [&](std::size_t field) { return field == 0 || refers_to_list(payload, at + field); });
  }
  /// The layout of this entry, which the library has verified.
  [[nodiscard]] Layout layout() const {
    Layout own{GetVTable(), sizeof(flatbuffers::soffset_t), {}};
    for (const auto field : {image::Mapping::VT_SLYR, image::Mapping::VT_S_FLYR, image::Mapping::VT_WKL, image::Mapping::VT_TILE,
                             image::Mapping::VT_CLYR, image::Mapping::VT_C_FLYR}) {
      const std::size_t offset = GetOptionalFieldOffset(field);
      if (offset != 0) own.bytes = std::max(own.bytes, offset + sizeof(std::int32_t));
    }
    own.lists = {GetOptionalFieldOffset(image::Mapping::VT_CLYR), GetOptionalFieldOffset(image::Mapping::VT_C_FLYR)};
    return own;
  }

 private:
  [[nodiscard]] const std::uint8_t *start() const { return reinterpret_cast<const std::uint8_t *>(this); }
  /// True if the field at `at`, which is inside the payload, refers to a list of integers inside the payload.
  [[nodiscard]] static bool refers_to_list(std::span<const std::byte> payload, std::size_t at) {
    const auto distance = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(&payload[at]);
    if (distance == 0 || distance >= payload.size() - at) return false;
    const std::size_t list = at + distance;
    const std::size_t left = payload.size() - list;
    if (list % sizeof(flatbuffers::uoffset_t) != 0 || left < sizeof(flatbuffers::uoffset_t)) return false;
    return flatbuffers::ReadScalar<flatbuffers::uoffset_t>(&payload[list]) <=
           (left - sizeof(flatbuffers::uoffset_t)) / sizeof(std::int32_t);
  }
};

/// Verifies the tables of one of the task's vectors, from number `next` on. The vector itself has been verified. Returns false if one is
/// malformed.
template <typename T>
bool verify_tables(const flatbuffers::Vector<flatbuffers::Offset<T>> *tables, std::span<const std::byte> payload, std::int32_t cost,
                   std::size_t &next, Budget &budget) {
  // A step verifies fewer tables than the library's limit, and check_root() has compared their numbers with it.
  flatbuffers::Verifier verifier(bytes_of(payload), payload.size(), kMaximumDepth, kMaximumMapping);
  [[maybe_unused]] std::array<MappingEntry::Layout, 4> known;
  [[maybe_unused]] unsigned oldest = 0;
  for (; next < count_of(tables) && budget.is_left(); ++next) {
    budget.spend(cost);
    const T *table = tables->Get(static_cast<flatbuffers::uoffset_t>(next));
    if constexpr (std::is_same_v<T, image::Mapping>) {
      const auto &entry = reinterpret_cast<const MappingEntry &>(*table);
      if (std::ranges::any_of(known, [&](const MappingEntry::Layout &layout) { return entry.verify(payload, layout); })) continue;
      if (!table->Verify(verifier)) return false;
      known[oldest++ % known.size()] = entry.layout();
    } else {
      if (!table->Verify(verifier)) return false;
    }
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
  const auto verify_list = [&](const auto *list, std::int32_t cost) {
    tables = count_of(list);
    good = verify_tables(list, payload_, cost, next_, budget);
  };
  switch (phase_) {
    case Phase::windows: verify_list(task_->windows(), kTableCost); break;
    case Phase::constants: verify_list(task_->constants(), kTableCost); break;
    case Phase::tensors: verify_list(task_->tensors(), kTableCost); break;
    case Phase::mapping: verify_list(task_->mapping(), kMappingCost); break;
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
