// SPDX-License-Identifier: MIT
// A random program: steps in a global order, which its keys, BLK, branches and ends of programs enforce, and its container.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/sync.h"
#include "tests/sim/unity/programs/maker.h"

namespace cox::test::unity_programs {

using isa::unity::Key;
using isa::unity::Sync;

/// The number that stands for no program in a branch.
inline constexpr std::size_t kNoProgram = SIZE_MAX;
/// A program of a unit's queue, which no branch may call.
inline constexpr std::size_t kNoSubProgram = SIZE_MAX - 1;

/// An instruction of a program in the making.
struct Item {
  Made made;  ///< EXIT: only `op`
  Sync sync{};
  std::vector<Range> touched{};  ///< by the instruction and by all sub-programs that it may run
  /// Fields of the table that name sub-programs.
  std::vector<std::pair<std::string, std::size_t>> programs{};
  /// The list of CASE or SWITCH_CASE.
  struct Entry {
    std::uint64_t value = 0;           ///< as the list holds it, if the entry names no program
    std::size_t program = kNoProgram;  ///< number of a sub-program
    bool is_program = false;
  };
  std::vector<Entry> list{};
  std::uint32_t position = 0;  ///< packed isa::unity::Position, when the container has been written

  [[nodiscard]] bool is_branch() const { return made.op >= Opcode::CASE && made.op <= Opcode::WHILE_LOOP; }
  [[nodiscard]] bool is_exit() const { return made.op == Opcode::EXIT; }
  /// True if it begins when all earlier instructions of the unit have ended, and later ones begin when it has ended.
  [[nodiscard]] bool is_fence() const { return is_branch() || is_exit(); }
};
using Items = std::vector<Item>;

/// Instructions of one unit that follow one another in the global order. The first one takes the keys of the step, the last one gives one.
struct Step {
  unsigned unit = 0;
  Items items{};
  bool new_program = false;   ///< the step begins a program of the unit's queue
  bool ends_program = false;  ///< an EXIT may run or runs; the unit's next step begins a program
  Items dead{};               ///< instructions behind an EXIT, which never run

  [[nodiscard]] std::vector<Range> touched() const {
    std::vector<Range> all;
    for (const Item &item : items) all.insert(all.end(), item.touched.begin(), item.touched.end());
    return all;
  }
  [[nodiscard]] bool begins_with_fence() const { return new_program || items.front().is_fence(); }
  [[nodiscard]] bool ends_with_fence() const { return ends_program || items.back().is_fence(); }
  [[nodiscard]] bool can_deposit() const { return !ends_program && !items.back().is_exit() && !items.back().sync.deposits; }
};

/// Instructions `first` to `end` - 1 of a program of the container.
struct Stretch {
  std::uint32_t program = 0, first = 0, end = 0;
};

struct Program {
  explicit Program(Random &random) : pool(random) {}

  Pool pool;
  unsigned units = 1;
  std::vector<Step> steps;  ///< in the global order
  std::vector<Items> sub_programs;
  std::vector<isa::unity::InitialKey> keys;
  unsigned key_tables = 15;  ///< that the context owns
  bool relative = false;     ///< kFlagRelative
  bool own_page = false;     ///< the header names the page
  std::uint32_t time_limit = 0;
  std::uint64_t container = kPage;  ///< device address

  // Set by write().
  std::vector<std::byte> bytes;   ///< of the container
  std::vector<Stretch> schedule;  ///< of each step

  /// Writes the container, and stores it in the memory of the pool. Throws std::length_error if it is too large.
  void write();
  /// The byte of the container at which an instruction's payload begins.
  [[nodiscard]] static std::uint32_t payload(const Item &item) { return isa::unity::Position::unpack(item.position).byte(); }
  /// Replaces bytes of the written container, in memory, too.
  void patch(std::uint64_t offset, std::uint64_t value, unsigned count);
  [[nodiscard]] std::uint32_t word(std::uint64_t offset) const;
};

/// For each step, the steps that end before it begins. A program has at most kMostSteps steps.
inline constexpr std::size_t kMostSteps = 256;
using Order = std::vector<std::bitset<kMostSteps>>;
[[nodiscard]] Order order_of(const Program &program);
/// True if step `a` begins before step `b` begins.
[[nodiscard]] bool begins_before(const Program &program, const Order &order, std::size_t a, std::size_t b);

/// The first item of step `number`.
[[nodiscard]] inline Item &item_of(Program &program, std::size_t number) { return program.steps[number].items.front(); }
[[nodiscard]] inline const Item &item_of(const Program &program, std::size_t number) { return program.steps[number].items.front(); }

}  // namespace cox::test::unity_programs
