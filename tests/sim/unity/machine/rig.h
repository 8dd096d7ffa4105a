// SPDX-License-Identifier: MIT
// A machine of Unity units with DRAM in a vector, and containers from lists of instructions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/storage.h"
#include "sim/model/unity/machine/machine.h"

namespace cox::model::unity::testing {

using isa::unity::Key;
using isa::unity::MachineCode;
using isa::unity::Opcode;
using isa::unity::Sync;
using isa::unity::Unit;

// The DRAM: a container, operand tables, data, and a page that cannot be written.
inline constexpr std::uint64_t kBase = 0x40000000, kTables = kBase + 0x10000, kData = kBase + 0x20000, kReadOnly = kBase + 0xF0000;
inline constexpr std::uint64_t kBytes = 0x100000;

/// Addresses of words, vectors of words and so on; every test has its own use.
constexpr std::uint64_t word_at(unsigned number) { return kData + 4 * std::uint64_t{number}; }

class VectorDram final : public Dram {
 public:
  Status check(bool write, std::uint64_t address, std::uint64_t bytes) override;
  Status read(std::uint64_t address, std::span<std::byte> bytes) override;
  Status write(std::uint64_t address, std::span<const std::byte> bytes) override;

  [[nodiscard]] std::int32_t word(std::uint64_t address) const;
  void set_word(std::uint64_t address, std::int32_t value);

  std::vector<std::byte> bytes = std::vector<std::byte>(kBytes);
  std::uint64_t closed = 0;  ///< bytes at the beginning that no window holds
  bool fails = false;        ///< read() and write() fail
};

inline Sync fetch(Key key, unsigned keys = 1) { return {.fetches = true, .keys = static_cast<std::uint8_t>(keys), .fetch = key}; }
inline Sync deposit(Key key) { return {.deposits = true, .deposit = key}; }
inline Sync both(Key from, Key to, unsigned keys = 1) {
  return {.fetches = true, .deposits = true, .keys = static_cast<std::uint8_t>(keys), .fetch = from, .deposit = to};
}
inline Sync block(Sync sync = {}) {
  sync.blocks = true;
  return sync;
}

struct Item {
  MachineCode code{};
  isa::unity::Domain domain = isa::unity::Domain::unity;
};
using Program = std::vector<Item>;

/// DRAM, and a container in the making.
class Rig {
 public:
  explicit Rig(unsigned units = 1, const Timing &timing = {}) : machine(timing, units, Path::reference), queues(units) {}

  // Instructions. Each has an operand table of its own. Vectors are of s32.
  /// d = a op b.
  Item binary(Opcode op, std::uint64_t d, std::uint64_t a, std::uint64_t b, std::uint64_t elements = 1, const Sync &sync = {});
  Item add(std::uint64_t d, std::uint64_t a, std::uint64_t b, const Sync &sync = {}) { return binary(Opcode::ADD, d, a, b, 1, sync); }
  /// `predicate`: address of an s32. Programs are names of sub-programs; empty: none.
  Item cond(std::uint64_t predicate, const std::string &yes, const std::string &no, const Sync &sync = {});
  Item loop(std::uint64_t predicate, const std::string &condition, const std::string &body, std::uint32_t limit, const Sync &sync = {});
  Item switch_case(std::uint64_t index, const std::vector<std::string> &programs, const std::string &other);
  /// Pairs of the address of a predicate and a program.
  Item cases(const std::vector<std::pair<std::uint64_t, std::string>> &pairs, const std::string &other);
  Item gather(std::uint64_t d, std::uint64_t from, std::uint32_t extent, std::uint64_t index);
  static Item leave();

  /// Appends a program to a unit's queue.
  void queue(unsigned unit, const Program &program) { queues[unit].push_back(program); }
  void sub_program(const std::string &name, const Program &program) { sub_programs.push_back({name, program}); }
  void keys(Key key, std::uint16_t count) { initial.push_back({key.table, key.entry, count}); }

  /// Writes the container.
  void write();
  /// write(), start at cycle 0, and all steps.
  const Outcome &run();
  /// Packed position of an instruction of a unit's first program.
  [[nodiscard]] static std::uint32_t position(const isa::unity::Container &container, unsigned unit, std::uint32_t number);

  VectorDram dram;
  Machine machine;
  std::vector<std::vector<Program>> queues;
  std::vector<std::pair<std::string, Program>> sub_programs;
  std::vector<isa::unity::InitialKey> initial;
  std::uint16_t flags = 0;  ///< kFlagRelative: set it before the first instruction is made
  std::uint32_t time_limit = 0;
  unsigned key_tables = 0xF;
  std::uint64_t page = 0;
  std::vector<std::byte> container_bytes;
  std::unique_ptr<isa::unity::Container> container;

 private:
  template <Opcode Op>
  Item store(const isa::unity::OperandTable<Op, isa::unity::AddressSpace::bits32> &table, const Sync &sync);
  std::uint64_t allocate(std::uint64_t bytes);
  /// What addresses of tables and sub-programs count from.
  [[nodiscard]] std::uint64_t origin() const { return (flags & isa::unity::kFlagRelative) != 0 ? kBase : 0; }
  /// The word at `address` becomes the address of the sub-program when the container is written.
  void patch(std::uint64_t address, const std::string &program);

  std::uint64_t next_ = kTables;
  std::map<std::uint64_t, std::string> patches_;
};

}  // namespace cox::model::unity::testing
