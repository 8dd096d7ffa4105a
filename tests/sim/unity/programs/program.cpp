// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/program.h"

#include <cstring>
#include <stdexcept>

#include "coxswain/isa/unity/storage.h"

namespace cox::test::unity_programs {

using namespace isa::unity;

namespace {

/// Places parts of a container, and writes them.
class Writer {
 public:
  explicit Writer(Program &program) : program_(program) {}

  void write() {
    collect();
    const auto own = static_cast<std::uint32_t>(entries_.size());
    for (Items &items : program_.sub_programs) add({.offset = 0, .instructions = length(items.size()), .unit = 0}, {&items});
    std::uint32_t offset =
        container_front(own, static_cast<std::uint32_t>(program_.keys.size()), static_cast<std::uint32_t>(program_.sub_programs.size()));
    for (ProgramEntry &entry : entries_) {
      entry.offset = offset;
      const auto size = static_cast<std::uint32_t>(program_bytes(entry.instructions));
      offset += (size + kProgramAlignment - 1) / kProgramAlignment * kProgramAlignment;
    }
    first_sub_program_ = own;
    program_.bytes.assign(offset, std::byte{0});
    for (std::size_t i = 0; i < entries_.size(); ++i) write_image(i);
    write_front(own);
    if (program_.bytes.size() > kMostContainerBytes) throw std::length_error("container");
    (void)program_.pool.memory.write(program_.container, program_.bytes);
  }

 private:
  static std::uint16_t length(std::size_t items) { return static_cast<std::uint16_t>(items + 1); }
  void add(const ProgramEntry &entry, std::vector<Items *> items) {
    entries_.push_back(entry);
    items_.push_back(std::move(items));
  }

  /// Makes the programs of the units' queues, and the schedule.
  void collect() {
    program_.schedule.assign(program_.steps.size(), {});
    for (unsigned unit = 0; unit < program_.units; ++unit) {
      bool fresh = true;
      for (std::size_t number = 0; number < program_.steps.size(); ++number) {
        Step &step = program_.steps[number];
        if (step.unit != unit) continue;
        if (fresh || step.new_program) add({.offset = 0, .instructions = 1, .unit = static_cast<std::uint8_t>(unit)}, {});
        ProgramEntry &entry = entries_.back();
        const std::uint32_t first = entry.instructions - 1U;
        const auto end = static_cast<std::uint32_t>(first + step.items.size());
        program_.schedule[number] = {static_cast<std::uint32_t>(entries_.size() - 1), first, end};
        entry.instructions = length(end + step.dead.size());
        items_.back().push_back(&step.items);
        items_.back().push_back(&step.dead);
        fresh = step.ends_program;
      }
      // A unit without steps has an empty program.
      if (fresh && (entries_.empty() || entries_.back().unit != unit))
        add({.offset = 0, .instructions = 1, .unit = static_cast<std::uint8_t>(unit)}, {});
    }
  }

  std::uint32_t place(std::uint32_t bytes, std::uint32_t alignment) {
    const auto first = static_cast<std::uint32_t>((program_.bytes.size() + alignment - 1) / alignment * alignment);
    program_.bytes.resize(first + bytes);
    return first;
  }

  /// The address of a sub-program as a table holds it; 0 without one.
  [[nodiscard]] std::uint64_t sub_program(std::size_t number, AddressSpace space) const {
    if (number == kNoProgram) return 0;
    if (number == kNoSubProgram) return address(entries_[0].offset, space);
    return address(entries_[first_sub_program_ + number].offset, space);
  }
  /// The address of a byte of the container, as an instruction holds it.
  [[nodiscard]] std::uint64_t address(std::uint64_t offset, AddressSpace space) const {
    if (space == AddressSpace::bits16) return program_.container + offset - kPage;
    return offset + (program_.relative ? 0 : program_.container);
  }
  /// The address of operands in the container: device addresses always.
  [[nodiscard]] std::uint64_t operand_address(std::uint64_t offset, AddressSpace space) const {
    return program_.container + offset - (space == AddressSpace::bits16 ? kPage : 0);
  }

  void write_list(Item &item) {
    const AddressSpace space = item.made.space;
    const unsigned size = address_bits(space) / 8;
    const std::uint32_t list = place(static_cast<std::uint32_t>(item.list.size() * size), size);
    for (std::size_t i = 0; i < item.list.size(); ++i) {
      const Item::Entry &entry = item.list[i];
      const std::uint64_t value = entry.is_program ? sub_program(entry.program, space) : entry.value;
      std::memcpy(&program_.bytes[list + i * size], &value, size);
    }
    item.made.set(item.made.op == Opcode::CASE ? "PAIRS" : "PROGRAMS", operand_address(list, space));
  }

  MachineCode write_item(Item &item) {
    const Instruction &row = Set::row(item.made.op);
    MachineCode code{row.section | std::uint32_t{row.code} << 8, sync_word(item.sync), 0, 0};
    if (item.is_exit()) return code;
    if (!item.list.empty()) write_list(item);
    for (const auto &[field, number] : item.programs) item.made.set(field, sub_program(number, item.made.space));
    const std::uint32_t table = place(item.made.table_bytes(), kTableAlignment);
    item.made.table.copy_to(std::span(program_.bytes).subspan(table));
    const std::uint64_t at = address(table, item.made.space);
    code[0] |= static_cast<std::uint32_t>(item.made.space) << 6;
    code[2] = static_cast<std::uint32_t>(at);
    code[3] = static_cast<std::uint32_t>(at >> 32);
    return code;
  }

  void write_image(std::size_t number) {
    const ProgramEntry &entry = entries_[number];
    std::vector<std::byte> image(program_bytes(entry.instructions));
    ImageWriter writer{std::span(image)};
    for (Items *items : items_[number]) {
      for (Item &item : *items) {
        item.position = Container::position(entry, entry.unit, writer.instructions());
        if (!writer.add(write_item(item))) throw std::length_error("image");
      }
    }
    writer.end();
    std::memcpy(&program_.bytes[entry.offset], image.data(), image.size());
  }

  void write_front(std::uint32_t own) {
    const ContainerHeader header{.units = static_cast<std::uint16_t>(program_.units),
                                 .flags = program_.relative ? kFlagRelative : std::uint16_t{0},
                                 .programs = own,
                                 .sub_programs = static_cast<std::uint32_t>(program_.sub_programs.size()),
                                 .keys = static_cast<std::uint32_t>(program_.keys.size()),
                                 .time_limit = program_.time_limit,
                                 .page = program_.own_page ? kPage : 0};
    std::byte *at = program_.bytes.data();
    std::memcpy(at, &header, sizeof header);
    at += sizeof header;
    std::memcpy(at, entries_.data(), entries_.size() * sizeof entries_[0]);
    at += entries_.size() * sizeof entries_[0];
    if (!program_.keys.empty()) std::memcpy(at, program_.keys.data(), program_.keys.size() * sizeof program_.keys[0]);
  }

  Program &program_;
  std::vector<ProgramEntry> entries_;
  std::vector<std::vector<Items *>> items_;  ///< of each entry
  std::size_t first_sub_program_ = 0;
};

}  // namespace

void Program::write() { Writer(*this).write(); }

void Program::patch(std::uint64_t offset, std::uint64_t value, unsigned count) {
  std::memcpy(&bytes.at(offset), &value, count);
  pool.memory.put(container + offset, value, count);
}

std::uint32_t Program::word(std::uint64_t offset) const {
  std::uint32_t value = 0;
  std::memcpy(&value, &bytes.at(offset), sizeof value);
  return value;
}

Order order_of(const Program &program) {
  const std::vector<Step> &steps = program.steps;
  if (steps.size() > kMostSteps) throw std::length_error("steps");
  Order order(steps.size());
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const Sync &sync = steps[step].items.front().sync;
    bool fence = steps[step].begins_with_fence();
    for (std::size_t other = step; other-- > 0;) {
      const Step &earlier = steps[other];
      const Sync &given = earlier.items.back().sync;
      bool ended = false;
      if (earlier.unit == steps[step].unit) {
        fence = fence || earlier.ends_with_fence();
        order[step] |= order[other];
        ended = fence || given.blocks;
        fence = fence || earlier.begins_with_fence();
      }
      // Program order never has more givers for an entry than its takers need (random_program.cpp).
      if (sync.fetches && given.deposits && given.deposit == sync.fetch) ended = true;
      if (!ended) continue;
      order[step][other] = true;
      order[step] |= order[other];
    }
  }
  return order;
}

bool begins_before(const Program &program, const Order &order, std::size_t a, std::size_t b) {
  return order[b][a] || (program.steps[a].unit == program.steps[b].unit && a < b);
}

}  // namespace cox::test::unity_programs
