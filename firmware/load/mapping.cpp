// SPDX-License-Identifier: MIT
#include "coxswain/firmware/load/mapping.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "coxswain/firmware/image/flatbuffer.h"

namespace cox::firmware::load {
namespace {

using Entries = flatbuffers::Vector<flatbuffers::Offset<image::Mapping>>;

constexpr std::int32_t kEntryCost = 50;  // estimated control-core instructions to verify an entry

const std::uint8_t *bytes_of(std::span<const std::byte> payload) { return reinterpret_cast<const std::uint8_t *>(payload.data()); }

/// The layout (vtable) of an entry that was verified. Entries have few different ones, so a repeated layout is not verified again.
struct Layout {
  const std::uint8_t *vtable = nullptr;
  std::size_t bytes = SIZE_MAX;  ///< from the entry's beginning to the end of its last field
  /// Bytes from the entry's beginning to its fields that refer to lists; 0: there is no such field.
  std::array<std::size_t, 2> lists = {};
};

struct Entry : private flatbuffers::Table {
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
};

/// Returns true if the field at `at`, which is inside the payload, refers to a list of integers inside the payload.
bool refers_to_list(std::span<const std::byte> payload, std::size_t at) {
  const auto distance = flatbuffers::ReadScalar<flatbuffers::uoffset_t>(&payload[at]);
  if (distance == 0 || distance >= payload.size() - at) return false;
  const std::size_t list = at + distance;
  const std::size_t left = payload.size() - list;
  if (list % sizeof(flatbuffers::uoffset_t) != 0 || left < sizeof(flatbuffers::uoffset_t)) return false;
  return flatbuffers::ReadScalar<flatbuffers::uoffset_t>(&payload[list]) <= (left - sizeof(flatbuffers::uoffset_t)) / sizeof(std::int32_t);
}

/// Makes the checks of Mapping::Verify() that do not depend on the layout. Returns false if the layout is not known.
bool verify(std::span<const std::byte> payload, std::size_t at, std::span<const Layout> known) {
  if (at % sizeof(flatbuffers::soffset_t) != 0 || at >= payload.size()) return false;
  if (payload.size() - at < sizeof(flatbuffers::soffset_t)) return false;
  const auto *const entry = bytes_of(payload) + at;
  const auto *const vtable = entry - flatbuffers::ReadScalar<flatbuffers::soffset_t>(entry);
  const auto layout = std::ranges::find(known, vtable, &Layout::vtable);
  if (layout == known.end() || payload.size() - at < layout->bytes) return false;
  for (const std::size_t field : layout->lists) {
    if (field != 0 && !refers_to_list(payload, at + field)) return false;
  }
  return true;
}

/// Verifies an entry with the library, and returns its layout. The layout has no vtable if the entry is malformed.
[[gnu::noinline, gnu::cold]] Layout verified_layout(const image::Mapping &entry, std::span<const std::byte> payload) {
  constexpr flatbuffers::uoffset_t kTables = 1;  // an entry has no tables of its own
  flatbuffers::Verifier verifier(bytes_of(payload), payload.size(), 1, kTables);
  return entry.Verify(verifier) ? reinterpret_cast<const Entry &>(entry).layout() : Layout();
}

}  // namespace

bool verify_mapping(const image::Task &task, std::span<const std::byte> payload, std::size_t &next, Budget &budget) {
  const Entries *const entries = task.mapping();
  if (entries == nullptr) return true;
  std::array<Layout, 4> known;
  unsigned oldest = 0;
  for (; next < entries->size() && budget.is_left(); ++next) {
    budget.spend(kEntryCost);
    const image::Mapping *const entry = entries->Get(static_cast<flatbuffers::uoffset_t>(next));
    const auto at = static_cast<std::size_t>(reinterpret_cast<const std::uint8_t *>(entry) - bytes_of(payload));
    if (verify(payload, at, known)) continue;
    Layout &replaced = known[oldest++ % known.size()];
    replaced = verified_layout(*entry, payload);
    if (replaced.vtable == nullptr) return false;
  }
  return true;
}

}  // namespace cox::firmware::load
