// SPDX-License-Identifier: MIT
#include "rig.h"

#include <cstring>
#include <memory>
#include <stdexcept>

namespace cox::model::unity::testing {

using namespace isa::unity;

Status VectorDram::check(bool write, std::uint64_t address, std::uint64_t count) {
  const std::uint64_t end = kBase + (write ? kReadOnly - kBase : kBytes);
  if (address >= kBase + closed && address <= end && count <= end - address) return {};
  return {ErrorCode::address_outside_window, "dram", -1, signed_of(address)};
}

Status VectorDram::read(std::uint64_t address, std::span<std::byte> into) {
  if (fails) return {ErrorCode::device_fault, "dram"};
  std::memcpy(into.data(), &bytes.at(address - kBase), into.size());
  return {};
}

Status VectorDram::write(std::uint64_t address, std::span<const std::byte> from) {
  if (fails) return {ErrorCode::device_fault, "dram"};
  std::memcpy(&bytes.at(address - kBase), from.data(), from.size());
  return {};
}

std::int32_t VectorDram::word(std::uint64_t address) const {
  std::int32_t value = 0;
  std::memcpy(&value, &bytes.at(address - kBase), sizeof value);
  return value;
}

void VectorDram::set_word(std::uint64_t address, std::int32_t value) { std::memcpy(&bytes.at(address - kBase), &value, sizeof value); }

std::uint64_t Rig::allocate(std::uint64_t count) {
  const std::uint64_t address = next_;
  next_ += (count + 3) / 4 * 4;
  return address;
}

void Rig::patch(std::uint64_t address, const std::string &program) {
  if (!program.empty()) patches_[address] = program;
}

template <Opcode Op>
Item Rig::store(const OperandTable<Op, AddressSpace::bits32> &table, const Sync &sync) {
  const std::uint64_t address = allocate(table.words().size_bytes());
  (void)dram.write(address, std::as_bytes(table.words()));
  const Instruction &row = Set::row(Op);
  return {MachineCode{row.section | 1U << 6 | std::uint32_t{row.code} << 8, sync_word(sync), static_cast<std::uint32_t>(address - origin()),
                      0}};
}

Item Rig::binary(Opcode op, std::uint64_t d, std::uint64_t a, std::uint64_t b, std::uint64_t elements, const Sync &sync) {
  const auto make = [&]<Opcode Op>() {
    OperandTable<Op, AddressSpace::bits32> table;
    table.template set<"S0">(a);
    table.template set<"S1">(b);
    table.template set<"D">(d);
    table.template set<"LEN">(elements);
    table.template set<"S0_UNIT">(static_cast<unsigned>(Unit::s32));
    table.template set<"S1_UNIT">(static_cast<unsigned>(Unit::s32));
    table.template set<"D_UNIT">(static_cast<unsigned>(Unit::s32));
    return store(table, sync);
  };
  switch (op) {
    case Opcode::ADD: return make.template operator()<Opcode::ADD>();
    case Opcode::SUB: return make.template operator()<Opcode::SUB>();
    case Opcode::MUL: return make.template operator()<Opcode::MUL>();
    default: throw std::invalid_argument("binary");
  }
}

Item Rig::cond(std::uint64_t predicate, const std::string &yes, const std::string &no, const Sync &sync) {
  OperandTable<Opcode::COND, AddressSpace::bits32> table;
  table.set<"PRED">(predicate);
  table.set<"UNIT">(static_cast<unsigned>(Unit::s32));
  const Item item = store(table, sync);
  patch(origin() + item.code[2] + 4, yes);
  patch(origin() + item.code[2] + 8, no);
  return item;
}

Item Rig::loop(std::uint64_t predicate, const std::string &condition, const std::string &body, std::uint32_t limit, const Sync &sync) {
  OperandTable<Opcode::WHILE_LOOP, AddressSpace::bits32> table;
  table.set<"PRED">(predicate);
  table.set<"UNIT">(static_cast<unsigned>(Unit::s32));
  table.set<"LIMIT">(limit);
  const Item item = store(table, sync);
  patch(origin() + item.code[2] + 4, condition);
  patch(origin() + item.code[2] + 8, body);
  return item;
}

Item Rig::switch_case(std::uint64_t index, const std::vector<std::string> &programs, const std::string &other) {
  const std::uint64_t list = allocate(4 * programs.size());
  for (std::size_t i = 0; i < programs.size(); ++i) patch(list + 4 * i, programs[i]);
  OperandTable<Opcode::SWITCH_CASE, AddressSpace::bits32> table;
  table.set<"INDEX">(index);
  table.set<"PROGRAMS">(list);
  table.set<"UNIT">(static_cast<unsigned>(Unit::s32));
  table.set<"N">(programs.size());
  const Item item = store(table, {});
  patch(origin() + item.code[2] + 8, other);
  return item;
}

Item Rig::cases(const std::vector<std::pair<std::uint64_t, std::string>> &pairs, const std::string &other) {
  const std::uint64_t list = allocate(8 * pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    dram.set_word(list + 8 * i, static_cast<std::int32_t>(pairs[i].first));
    patch(list + 8 * i + 4, pairs[i].second);
  }
  OperandTable<Opcode::CASE, AddressSpace::bits32> table;
  table.set<"PAIRS">(list);
  table.set<"UNIT">(static_cast<unsigned>(Unit::s32));
  table.set<"N">(pairs.size());
  const Item item = store(table, {});
  patch(origin() + item.code[2] + 4, other);
  return item;
}

Item Rig::gather(std::uint64_t d, std::uint64_t from, std::uint32_t extent, std::uint64_t index) {
  OperandTable<Opcode::GATHER, AddressSpace::bits32> table;
  table.set<"S">(from);
  table.set<"INDEX">(index);
  table.set<"D">(d);
  table.set<"FH">(1);
  table.set<"FW">(1);
  table.set<"FC">(extent);
  table.set<"INDEX_LEN">(1);
  table.set<"AXIS">(3);
  table.set<"UNIT">(static_cast<unsigned>(Unit::s32));
  return store(table, {});
}

Item Rig::leave() {
  const Instruction &row = Set::row(Opcode::EXIT);
  return {MachineCode{row.section | std::uint32_t{row.code} << 8, 0, 0, 0}};
}

void Rig::write() {
  std::vector<ProgramEntry> entries;
  std::vector<const Program *> programs;
  for (unsigned unit = 0; unit < queues.size(); ++unit) {
    for (const Program &program : queues[unit]) {
      entries.push_back(
          {.offset = 0, .instructions = static_cast<std::uint16_t>(program.size() + 1), .unit = static_cast<std::uint8_t>(unit)});
      programs.push_back(&program);
    }
  }
  const std::uint32_t own = static_cast<std::uint32_t>(entries.size());
  for (const auto &[name, program] : sub_programs) {
    entries.push_back({.offset = 0, .instructions = static_cast<std::uint16_t>(program.size() + 1)});
    programs.push_back(&program);
  }
  const auto subs = static_cast<std::uint32_t>(sub_programs.size());
  std::uint32_t offset = container_front(own, static_cast<std::uint32_t>(initial.size()), subs);
  for (ProgramEntry &entry : entries) {
    entry.offset = offset;
    offset +=
        (static_cast<std::uint32_t>(program_bytes(entry.instructions)) + kProgramAlignment - 1) / kProgramAlignment * kProgramAlignment;
  }
  container_bytes.assign(offset, std::byte{0});
  const ContainerHeader header{.units = static_cast<std::uint16_t>(queues.size()),
                               .flags = flags,
                               .programs = own,
                               .sub_programs = subs,
                               .keys = static_cast<std::uint32_t>(initial.size()),
                               .time_limit = time_limit};
  std::memcpy(container_bytes.data(), &header, sizeof header);
  std::memcpy(container_bytes.data() + sizeof header, entries.data(), entries.size() * sizeof entries[0]);
  if (!initial.empty())
    std::memcpy(container_bytes.data() + sizeof header + entries.size() * sizeof entries[0], initial.data(),
                initial.size() * sizeof initial[0]);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ImageWriter writer{std::span<std::byte>(container_bytes).subspan(entries[i].offset)};
    for (const Item &item : *programs[i]) {
      if (!writer.add(item.code, item.domain)) throw std::length_error("image");
    }
    writer.end();
  }
  for (const auto &[address, name] : patches_) {
    for (std::size_t i = 0; i < sub_programs.size(); ++i) {
      if (sub_programs[i].first == name) dram.set_word(address, static_cast<std::int32_t>(kBase - origin() + entries[own + i].offset));
    }
  }
  (void)dram.write(kBase, container_bytes);
  const Result<Container> opened = Container::open(container_bytes);
  if (!opened) throw std::runtime_error(std::string(error_name(opened.status().code())) + " " + opened.status().what());
  container = std::make_unique<Container>(opened.value());
}

const Outcome &Rig::run() {
  write();
  machine.start(*container, {.address = kBase, .page = page, .key_tables = key_tables}, dram, 0);
  while (!machine.done()) machine.step(machine.next_event());
  return machine.outcome();
}

std::uint32_t Rig::position(const Container &container, unsigned unit, std::uint32_t number) {
  return Container::position(container.program(container.queue(unit).first), unit, number);
}

}  // namespace cox::model::unity::testing
