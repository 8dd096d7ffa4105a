// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "coxswain/isa/unity/table.h"

namespace cox::isa::unity {
namespace {

constexpr std::size_t kInstructionCount = std::size(kInstructions);

/// Names one behind the other, each with a 0 at its end. Looking for one takes time that a report of a fault has.
template <std::size_t Bytes>
struct NameList {
  std::array<char, Bytes> text{};

  [[nodiscard]] const char *at(std::size_t number) const {
    const char *name = text.data();
    for (; number > 0; --number) name = std::find(name, text.data() + Bytes, '\0') + 1;
    return name;
  }
};
/// `names()` returns an array of string_view.
template <typename Names>
consteval auto list_of(Names names) {
  constexpr std::size_t kBytes = [](auto all) {
    std::size_t bytes = 0;
    for (const std::string_view name : all) bytes += name.size() + 1;
    return bytes;
  }(Names{}());
  NameList<kBytes> list;
  char *next = list.text.data();
  for (const std::string_view name : names()) next = std::ranges::copy(name, next).out + 1;
  return list;
}

constexpr auto kInstructionNames = list_of([] {
  std::array<std::string_view, kInstructionCount> names;
  std::ranges::transform(kInstructions, names.begin(), [](const Instruction &row) { return row.name; });
  return names;
});

/// All instructions but EXIT have the fields kPayload and an operand table.
constexpr std::uint8_t kNoLayout = 255;
static_assert(std::ranges::all_of(kInstructions, [](const Instruction &row) {
  return row.layout == nullptr ? row.fields.empty() : row.fields.data() == detail::kPayload;
}));
constexpr auto kPayloadNames = list_of([] {
  std::array<std::string_view, std::size(detail::kPayload)> names;
  std::ranges::transform(detail::kPayload, names.begin(), [](const Field &field) { return field.name; });
  return names;
});
constexpr auto kPayloadBits = [] {
  std::array<std::uint8_t, std::size(detail::kPayload)> bits{};
  std::ranges::transform(detail::kPayload, bits.begin(), [](const Field &field) { return static_cast<std::uint8_t>(field.bit); });
  return bits;
}();

/// The layouts, each once, in the order of the first instructions that have them.
struct Layouts {
  std::array<const Layout *, kInstructionCount> all{};
  std::size_t count = 0;
  std::array<std::uint8_t, kInstructionCount> of_row{};
};
constexpr Layouts kLayouts = [] {
  Layouts layouts;
  for (std::size_t row = 0; row < kInstructionCount; ++row) {
    const auto end = layouts.all.begin() + layouts.count;
    const auto known = std::find(layouts.all.begin(), end, kInstructions[row].layout);
    layouts.of_row[row] = kInstructions[row].layout == nullptr ? kNoLayout : static_cast<std::uint8_t>(known - layouts.all.begin());
    if (known == end && kInstructions[row].layout != nullptr) layouts.all[layouts.count++] = kInstructions[row].layout;
  }
  return layouts;
}();
constexpr std::array<std::uint8_t, kInstructionCount> kLayoutOfRow = kLayouts.of_row;

/// Number of the first field of each layout among the fields of all layouts, and of all fields.
constexpr auto kFirstFields = [] {
  std::array<std::uint16_t, kLayouts.count + 1> first{};
  for (std::size_t i = 0; i < kLayouts.count; ++i) {
    std::uint16_t count = 0;
    for_each_field(*kLayouts.all[i], true, [&](const Placed & /*placed*/) { return ++count, true; });
    first[i + 1] = static_cast<std::uint16_t>(first[i] + count);
  }
  return first;
}();
constexpr auto kFields = [] {
  std::array<std::string_view, kFirstFields.back()> names;
  std::size_t next = 0;
  for (std::size_t i = 0; i < kLayouts.count; ++i)
    for_each_field(*kLayouts.all[i], true, [&](const Placed &placed) { return names[next++] = placed.field->name, true; });
  return names;
}();

/// The FNV-1a hash of each name. Names are told apart by their hashes, because comparisons of text are beyond Clang's limit for one
/// constant.
constexpr auto kHashes = [] {
  std::array<std::uint32_t, kFields.size()> hashes{};
  std::ranges::transform(kFields, hashes.begin(), [](std::string_view name) {
    std::uint32_t hash = 2166136261;
    for (const char character : name) hash = (hash ^ static_cast<std::uint8_t>(character)) * 16777619;
    return hash;
  });
  return hashes;
}();
constexpr auto kSortedHashes = [] {
  auto hashes = kHashes;
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}();
constexpr std::size_t kDifferentNames = [] {
  auto hashes = kSortedHashes;
  return static_cast<std::size_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin());
}();
static_assert(kDifferentNames <= UINT8_MAX);

/// The different names in the order of their hashes, and of each field the number of its name.
struct FieldNames {
  std::array<std::string_view, kDifferentNames> different;
  std::array<std::uint8_t, kFields.size()> of_field{};
};
constexpr FieldNames kNames = [] {
  std::array<std::uint32_t, kDifferentNames> hashes{};
  std::unique_copy(kSortedHashes.begin(), kSortedHashes.end(), hashes.begin());
  FieldNames names;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const auto number = static_cast<std::size_t>(std::lower_bound(hashes.begin(), hashes.end(), kHashes[i]) - hashes.begin());
    names.different[number] = kFields[i];
    names.of_field[i] = static_cast<std::uint8_t>(number);
  }
  return names;
}();
static_assert(
    [] {
      for (std::size_t i = 0; i < kFields.size(); ++i) {
        if (kNames.different[kNames.of_field[i]] != kFields[i]) return false;
      }
      return true;
    }(),
    "two names have one hash");
constexpr auto kNameOfField = kNames.of_field;
constexpr auto kFieldNames = list_of([] { return kNames.different; });

}  // namespace

const char *instruction_name(std::size_t row) { return kInstructionNames.at(row); }

const char *payload_field_name(std::size_t row, unsigned bit) {
  if (kLayoutOfRow[row] == kNoLayout) return "instruction";
  const auto *const found = std::ranges::find(kPayloadBits, bit);
  return found == kPayloadBits.end() ? "instruction" : kPayloadNames.at(static_cast<std::size_t>(found - kPayloadBits.begin()));
}

const char *table_field_name(std::size_t row, unsigned number) {
  const std::uint8_t layout = kLayoutOfRow[row];
  if (layout == kNoLayout) return "";
  const unsigned field = kFirstFields[layout] + number;
  return field < kFirstFields[layout + 1U] ? kFieldNames.at(kNameOfField[field]) : "";
}

}  // namespace cox::isa::unity
