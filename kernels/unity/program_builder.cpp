// SPDX-License-Identifier: MIT
#include "kernels/unity/program_builder.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace cox::kernels::unity {

using isa::unity::ContainerHeader;
using isa::unity::Domain;
using isa::unity::kGroupInstructions;
using isa::unity::kProgramAlignment;
using isa::unity::MachineCode;
using isa::unity::ProgramEntry;

namespace {

constexpr std::size_t kUnit = 8;  ///< alignment of operand tables and constants

std::uint64_t address_of(const std::byte *byte) { return reinterpret_cast<std::uintptr_t>(byte); }

/// An access as isa::holds() takes it.
struct Bytes {
  std::uint64_t start, count;
  bool write;

  [[nodiscard]] std::uint64_t end() const { return start + count; }
};

/// The mode that says whether a parameter is a value or an address, for example BIAS_MODE of BIAS. Not found: it is a value.
isa::unity::Placed mode_of(const isa::unity::Layout &layout, std::string_view name) {
  constexpr std::string_view kSuffix = "_MODE";
  isa::unity::Placed found;
  isa::unity::for_each_field(layout, false, [&](const isa::unity::Placed &placed) {
    const std::string_view other = placed.field->name;
    if (other.size() != name.size() + kSuffix.size() || !other.starts_with(name) || !other.ends_with(kSuffix)) return true;
    found = placed;
    return false;
  });
  return found;
}

bool is_address(const isa::unity::Layout &layout, const isa::unity::TableField &field, const isa::unity::TableBits &table) {
  using isa::unity::Holds;
  if (field.holds == Holds::address || field.holds == Holds::optional_address) return true;
  if (field.holds != Holds::parameter) return false;
  const isa::unity::Placed mode = mode_of(layout, field.name);
  return mode.field != nullptr && table.read(mode.place, kSpace) != 0;
}

}  // namespace

Status ContainerBuilder::init(std::span<std::byte> memory, std::span<const isa::Window> windows, const Capacity &capacity) {
  if (capacity.units == 0 || capacity.units > isa::unity::kMostUnits)
    return {ErrorCode::invalid_argument, "units", -1, capacity.units, isa::unity::kMostUnits};
  if (capacity.instructions == 0 || capacity.instructions > isa::unity::kMostInstructions)
    return {ErrorCode::invalid_argument, "instructions", -1, capacity.instructions, isa::unity::kMostInstructions};
  const std::uint32_t front = isa::unity::container_front(capacity.units, 0, 0);
  const std::uint64_t image =
      (isa::unity::program_bytes(capacity.instructions) + kProgramAlignment - 1) & -std::uint64_t{kProgramAlignment};
  const std::uint64_t least = front + capacity.units * image;
  if (memory.size() < least) return {ErrorCode::no_room, "stream", -1, signed_of(least), signed_of(memory.size())};
  if (const std::uint64_t address = address_of(memory.data()); address % kProgramAlignment != 0)
    return {ErrorCode::invalid_argument, "stream address", -1, signed_of(address), kProgramAlignment};
  memory = memory.first(std::min<std::size_t>(memory.size(), isa::unity::kMostContainerBytes));
  if (const Status status = StreamBuffer::init(memory, windows, {.unit = kUnit, .least = static_cast<std::size_t>(least)}); !status)
    return status;
  capacity_ = capacity;
  front_ = front;
  image_bytes_ = static_cast<std::uint32_t>(image);
  time_limit_ = 0;
  clear();
  return {};
}

void ContainerBuilder::clear() {
  StreamBuffer::clear();
  error_ = {};
  counts_.fill(0);
  const std::size_t bytes = front_ + std::size_t{capacity_.units} * image_bytes_;
  if (bytes == 0) return;
  std::memset(take(bytes), 0, bytes);
  write_header();
  for (unsigned unit = 0; unit < capacity_.units; ++unit) seal(unit);
}

void ContainerBuilder::set_time_limit(std::uint64_t cycles) {
  const std::uint64_t units = (cycles + isa::unity::kTimeUnit - 1) / isa::unity::kTimeUnit;
  time_limit_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(units, UINT32_MAX));
  if (!is_empty()) write_header();
}

void ContainerBuilder::write_header() {
  const ContainerHeader header{.units = static_cast<std::uint16_t>(capacity_.units),
                               .flags = isa::unity::kFlagRelative,
                               .programs = capacity_.units,
                               .time_limit = time_limit_};
  std::memcpy(begin(), &header, sizeof header);
}

void ContainerBuilder::seal(unsigned unit) {
  const std::uint32_t number = counts_[unit], first = image(unit);
  std::byte *const image = begin() + first;
  const auto id = static_cast<std::size_t>(isa::unity::id_offset(number));
  std::memset(image + id, static_cast<int>(Domain::end), kGroupInstructions - number % kGroupInstructions);
  std::memset(image + isa::unity::payload_offset(number), 0, isa::unity::kInstructionBytes);
  const ProgramEntry entry{
      .offset = first, .instructions = static_cast<std::uint16_t>(number + 1), .unit = static_cast<std::uint8_t>(unit)};
  std::memcpy(begin() + sizeof(ContainerHeader) + unit * sizeof entry, &entry, sizeof entry);
}

Status ContainerBuilder::check_bytes(std::uint64_t address, std::uint64_t bytes, bool write, const char *what) const {
  const Bytes access{address, bytes, write};
  for (const isa::Window &window : windows()) {
    if (isa::holds(window, access)) return {};
  }
  const isa::Window own{.base = address_of(first()), .bytes = capacity(), .read = true};
  if (isa::holds(own, access)) return {};
  return {ErrorCode::address_outside_window, what, -1, signed_of(address)};
}

Status ContainerBuilder::begin_kernel() {
  if (is_empty()) return {ErrorCode::not_ready, "stream"};
  error_ = {};
  kept_ = {mark(), counts_};
  return {};
}

Status ContainerBuilder::end_kernel() {
  if (error_) return {};
  roll_back(kept_.mark);
  for (unsigned unit = 0; unit < capacity_.units; ++unit) {
    if (counts_[unit] == kept_.counts[unit]) continue;
    counts_[unit] = kept_.counts[unit];
    seal(unit);
  }
  return error_;
}

void ContainerBuilder::fail(const Status &status) {
  if (error_) error_ = status;
}

std::byte *ContainerBuilder::put(std::span<const std::byte> bytes) {
  if (!error_) return nullptr;
  std::byte *const place = reserve((bytes.size() + kUnit - 1) / kUnit * kUnit);
  if (place == nullptr) {
    fail(status());
    return nullptr;
  }
  std::memcpy(place, bytes.data(), bytes.size());
  return place;
}

std::uint64_t ContainerBuilder::constant(std::span<const std::byte> bytes) { return address_of(put(bytes)); }

void ContainerBuilder::append(std::uint32_t first_word, std::span<const std::uint32_t> table, unsigned unit) {
  if (unit >= capacity_.units) return fail({ErrorCode::invalid_argument, "unit", -1, unit, capacity_.units});
  const std::uint32_t number = counts_[unit];
  if (number + 1 >= capacity_.instructions) return fail({ErrorCode::no_room, "instructions", -1, number + 2, capacity_.instructions});
  const std::byte *const place = put(std::as_bytes(table));
  if (place == nullptr) return;
  const MachineCode code{first_word | static_cast<std::uint32_t>(kSpace) << 6, isa::unity::sync_word({.blocks = true}),
                         static_cast<std::uint32_t>(place - begin()), 0};
  std::byte *const image = begin() + this->image(unit);
  std::memcpy(image + isa::unity::payload_offset(number), code.data(), sizeof code);
  image[isa::unity::id_offset(number)] = static_cast<std::byte>(Domain::unity);
  ++counts_[unit];
  seal(unit);
}

Status ContainerBuilder::move_operands(std::uint64_t from, std::uint64_t bytes, std::uint64_t to) {
  const Status inside = check_bytes(to, bytes, false, "operands");
  if (!inside) return inside;
  for (unsigned unit = 0; unit < capacity_.units; ++unit) {
    for (std::uint32_t number = 0; number < counts_[unit]; ++number) {
      MachineCode code;
      std::memcpy(code.data(), begin() + image(unit) + isa::unity::payload_offset(number), sizeof code);
      const isa::unity::Layout &layout = *isa::unity::find_quickly(code)->layout;
      const std::span<std::byte> memory(begin() + code[2], isa::unity::table_bytes(layout, kSpace, false));
      isa::unity::TableBits table(memory);
      isa::unity::for_each_field(layout, false, [&](const isa::unity::Placed &placed) {
        const std::uint64_t address = table.read(placed.place, kSpace);
        if (address - from < bytes && address != 0 && is_address(layout, *placed.field, table))
          table.write(placed.place, kSpace, address - from + to);
        return true;
      });
      table.copy_to(memory);
    }
  }
  return {};
}

}  // namespace cox::kernels::unity
