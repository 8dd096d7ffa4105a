// SPDX-License-Identifier: MIT
// Makes random instructions and branches of a program, and orders those of a sub-program.
#pragma once

#include <vector>

#include "tests/sim/unity/programs/program.h"

namespace cox::test::unity_programs {

class ItemMaker {
 public:
  ItemMaker(Random &random, Program &program);

  /// An instruction of a random operation.
  [[nodiscard]] Item plain();
  /// A small instruction that touches only bytes of its own.
  [[nodiscard]] Item relay();
  [[nodiscard]] static Item exit();
  /// A random branch and its sub-programs, at most `depth` deep, with what has to run before it. `exits`: sub-programs may leave the
  /// program.
  [[nodiscard]] Items branch(unsigned depth, bool exits);
  /// `depth` branches in one another.
  [[nodiscard]] Items chain(unsigned depth);

  /// Orders conflicting instructions by BLK and by keys that no other instruction takes.
  void order(Items &items);
  /// An entry that no other instruction uses. Throws std::length_error if there is none.
  [[nodiscard]] Key new_key();
  /// The touched bytes of later instructions go to places of these.
  void remember(const Item &item);

 private:
  [[nodiscard]] std::size_t sub_program(unsigned depth, bool exits);
  [[nodiscard]] std::size_t sub_program_or_none(unsigned depth, bool exits);
  std::size_t add(Items items);
  [[nodiscard]] Item copy(Unit unit, std::uint64_t to, std::uint64_t from);
  [[nodiscard]] Items loop(unsigned depth);
  [[nodiscard]] Item cond(unsigned depth, bool exits);
  [[nodiscard]] Item switch_case(unsigned depth, bool exits);
  [[nodiscard]] Item cases(unsigned depth, bool exits);
  [[nodiscard]] AddressSpace space(bool branch);
  /// An element for a predicate.
  void place_predicate(Maker &maker, const char *field, Unit unit, std::int64_t most);
  void touch_programs(Item &item);

  Random &random_;
  Program &program_;
  std::vector<Opcode> operations_;  ///< that have a generator
  std::vector<Key> free_keys_;
};

}  // namespace cox::test::unity_programs
