// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/program_builder.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "coxswain/hal/bus.h"
namespace cox::kernels::unity {

using isa::unity::ContainerHeader;
using isa::unity::Domain;
using isa::unity::kGroupInstructions;
using isa::unity::kProgramAlignment;
using isa::unity::MachineCode;
using isa::unity::ProgramEntry;

namespace {

/// Writes a payload, whose place is a multiple of its size.
void store(std::byte *place, const MachineCode &code) { new (place) MachineCode(code); }

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

isa::unity::Key key_of(unsigned signal) {
  return {static_cast<std::uint8_t>(signal / isa::unity::kKeyEntries), static_cast<std::uint8_t>(signal % isa::unity::kKeyEntries)};
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
  if (capacity.signals > kMostSignals) return {ErrorCode::invalid_argument, "signals", -1, capacity.signals, kMostSignals};
  const std::uint32_t front = isa::unity::container_front(capacity.units, capacity.units == 1 ? 0 : capacity.signals, 0);
  const std::uint64_t image =
      (isa::unity::program_bytes(capacity.instructions) + kProgramAlignment - 1) & -std::uint64_t{kProgramAlignment};
  const std::uint64_t least = front + capacity.units * image;
  if (memory.size() < least) return {ErrorCode::no_room, "stream", -1, signed_of(least), signed_of(memory.size())};
  if (const std::uint64_t address = hal::bus_address(memory); address % kProgramAlignment != 0)
    return {ErrorCode::invalid_argument, "stream address", -1, signed_of(address), kProgramAlignment};
  memory = memory.first(std::min<std::size_t>(memory.size(), isa::unity::kMostContainerBytes));
  if (const Status status = StreamBuffer::init(memory, windows, {.unit = kUnit, .least = static_cast<std::size_t>(least)}); !status)
    return status;
  address_ = hal::bus_address(first());
  capacity_ = capacity;
  if (capacity.units == 1) capacity_.signals = 0;
  front_ = front;
  image_bytes_ = static_cast<std::uint32_t>(image);
  time_limit_ = 0;
  clear();
  return {};
}

void ContainerBuilder::clear() {
  StreamBuffer::clear();
  error_ = {};
  programs_ = {};
  signals_ = 0;
  unit_ = 0;
  const std::size_t bytes = front_ + std::size_t{capacity_.units} * image_bytes_;
  if (bytes == 0) return;
  std::memset(take(bytes), 0, bytes);
  write_header();
  for (unsigned unit = 0; unit < capacity_.units; ++unit) {
    set_count(unit, 0);
    seal(unit);
  }
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
                               .keys = signals_,
                               .time_limit = time_limit_};
  std::memcpy(begin(), &header, sizeof header);
}

void ContainerBuilder::set_count(unsigned unit, std::uint32_t count) {
  std::byte *const first = begin() + image(unit);
  programs_[unit].count = count;
  programs_[unit].id = first + isa::unity::id_offset(count);
  programs_[unit].payload = first + isa::unity::payload_offset(count);
  std::memset(programs_[unit].id, static_cast<int>(Domain::end), kGroupInstructions - count % kGroupInstructions);
}

void ContainerBuilder::seal(unsigned unit) {
  const Program &program = programs_[unit];
  store(program.payload, {});
  const ProgramEntry entry{
      .offset = image(unit), .instructions = static_cast<std::uint16_t>(program.count + 1), .unit = static_cast<std::uint8_t>(unit)};
  std::memcpy(begin() + sizeof(ContainerHeader) + unit * sizeof entry, &entry, sizeof entry);
}

Status ContainerBuilder::check_bytes(std::uint64_t address, std::uint64_t bytes, bool write, const char *what) const {
  const Bytes access{address, bytes, write};
  for (const isa::Window &window : windows()) {
    if (isa::holds(window, access)) return {};
  }
  const isa::Window own{.base = address_, .bytes = capacity(), .read = true};
  if (isa::holds(own, access)) return {};
  return {ErrorCode::address_outside_window, what, -1, signed_of(address)};
}

Status ContainerBuilder::begin_kernel() {
  if (is_empty()) return {ErrorCode::not_ready, "stream"};
  error_ = {};
  kept_.mark = mark();
  for (unsigned unit = 0; unit < capacity_.units; ++unit) kept_.programs[unit] = {programs_[unit].count, programs_[unit].sync};
  return {};
}

Status ContainerBuilder::end_kernel() {
  const bool is_kept = error_.ok();
  if (!is_kept) roll_back(kept_.mark);
  for (unsigned unit = 0; unit < capacity_.units; ++unit) {
    const Kept::Program &before = kept_.programs[unit];
    if (programs_[unit].count == before.count) continue;
    if (!is_kept) {
      set_count(unit, before.count);
      programs_[unit].sync = before.sync;
    }
    seal(unit);
  }
  return error_;
}

void ContainerBuilder::fail(const Status &status) {
  if (error_) error_ = status;
}

std::uint64_t ContainerBuilder::constant(std::span<const std::byte> bytes) {
  if (!error_) return 0;
  std::byte *const place = reserve(rounded_up(bytes.size()));
  if (place == nullptr) {
    fail(status());
    return 0;
  }
  std::memcpy(place, bytes.data(), bytes.size());
  return address_ + static_cast<std::uint64_t>(place - first());
}

std::uint32_t *ContainerBuilder::refuse(std::size_t table_bytes, unsigned unit) {
  if (unit >= capacity_.units) {
    fail({ErrorCode::invalid_argument, "unit", -1, unit, capacity_.units});
  } else if (const std::uint32_t count = programs_[unit].count; count + 1 >= capacity_.instructions) {
    fail({ErrorCode::no_room, "instructions", -1, count + 2, capacity_.instructions});
  } else if (reserve(table_bytes) == nullptr) {
    fail(status());
  }
  return nullptr;
}

std::uint32_t *ContainerBuilder::append(std::uint32_t first_word, std::size_t table_bytes, unsigned unit) {
  if (unit >= capacity_.units) [[unlikely]]
    return refuse(table_bytes, unit);
  Program &program = programs_[unit];
  const std::uint32_t count = program.count + 1;
  if (count >= capacity_.instructions || !has_room(table_bytes) || !error_) [[unlikely]]
    return refuse(table_bytes, unit);
  std::byte *const table = take(table_bytes);
  std::byte *const id = program.id, *const payload = program.payload;
  program.count = count;
  program.id = id + 1;
  program.payload = payload + isa::unity::kInstructionBytes;
  store(payload, {first_word, program.sync, static_cast<std::uint32_t>(table - begin()), 0});
  program.sync = kBlocks;
  *id = static_cast<std::byte>(Domain::unity);
  if (count % kGroupInstructions == 0) [[unlikely]]
    set_count(unit, count);
  return reinterpret_cast<std::uint32_t *>(table);
}

Status ContainerBuilder::select_unit(unsigned unit) {
  if (unit >= capacity_.units) return {ErrorCode::invalid_argument, "unit", -1, unit, capacity_.units};
  unit_ = unit;
  return {};
}

Result<unsigned> ContainerBuilder::add_signal() {
  if (is_empty()) return Status(ErrorCode::not_ready, "stream");
  if (signals_ == capacity_.signals) return Status(ErrorCode::no_room, "signals", -1, signals_ + 1, capacity_.signals);
  const isa::unity::Key key = key_of(signals_);
  const isa::unity::InitialKey entry{.table = key.table, .entry = key.entry, .count = 0};
  std::memcpy(begin() + sizeof(ContainerHeader) + capacity_.units * sizeof(ProgramEntry) + signals_ * sizeof entry, &entry, sizeof entry);
  ++signals_;
  write_header();
  return signals_ - 1;
}

Status ContainerBuilder::check_signal(unsigned signal) const {
  return signal < signals_ ? Status() : Status(ErrorCode::invalid_argument, "signal", -1, signal, signals_);
}

bool ContainerBuilder::give_with_last(unsigned unit, unsigned signal) {
  // An instruction that waits for its keys is not there yet.
  if (programs_[unit].count == 0 || programs_[unit].sync != kBlocks) return false;
  std::byte *const payload = begin() + image(unit) + isa::unity::payload_offset(programs_[unit].count - 1);
  MachineCode code;
  std::memcpy(code.data(), payload, sizeof code);
  isa::unity::Sync sync = isa::unity::read_sync(code[1]);
  if (sync.deposits) return false;
  sync.deposits = true;
  sync.deposit = key_of(signal);
  code[1] = isa::unity::sync_word(sync);
  std::memcpy(payload, code.data(), sizeof code);
  return true;
}

Status ContainerBuilder::append_idle(unsigned unit) {
  if (const Status status = begin_kernel(); !status) return status;
  Table<isa::unity::Opcode::COND> table;
  table.set<"PRED">(constant(std::uint64_t{0}));
  table.set<"UNIT">(static_cast<std::uint64_t>(isa::unity::Unit::u8));
  add(table, unit);
  return end_kernel();
}

Status ContainerBuilder::give_key(unsigned signal) {
  if (const Status status = check_signal(signal); !status) return status;
  if (give_with_last(unit_, signal)) return {};
  if (const Status status = append_idle(unit_); !status) return status;
  static_cast<void>(give_with_last(unit_, signal));
  return {};
}

Status ContainerBuilder::take_keys(unsigned signal, unsigned keys) {
  if (const Status status = check_signal(signal); !status) return status;
  if (keys == 0 || keys > isa::unity::kMostKeys) return {ErrorCode::invalid_argument, "keys", -1, keys, isa::unity::kMostKeys};
  if (programs_[unit_].sync != kBlocks) {
    if (const Status status = append_idle(unit_); !status) return status;
  }
  programs_[unit_].sync =
      isa::unity::sync_word({.fetches = true, .blocks = true, .keys = static_cast<std::uint8_t>(keys), .fetch = key_of(signal)});
  return {};
}

Status ContainerBuilder::finish() {
  for (unsigned unit = 0; unit < capacity_.units; ++unit) {
    if (programs_[unit].sync == kBlocks) continue;
    if (const Status status = append_idle(unit); !status) return status;
  }
  return {};
}

Status ContainerBuilder::move_operands(std::uint64_t from, std::uint64_t bytes, std::uint64_t to) {
  const Status inside = check_bytes(to, bytes, false, "operands");
  if (!inside) return inside;
  for (unsigned unit = 0; unit < capacity_.units; ++unit) {
    for (std::uint32_t number = 0; number < programs_[unit].count; ++number) {
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
