// SPDX-License-Identifier: MIT
// Makes one random instruction: its operand table, and the bytes that it touches. A generator of a family (generators.h) chooses units,
// shapes and modes, and asks for places of operands; it knows their sizes from the definition of the operation, not from resolve().
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/table.h"
#include "tests/sim/unity/programs/memory.h"
#include "tests/sim/unity/programs/random.h"

namespace cox::test::unity_programs {

using isa::unity::AddressSpace;
using isa::unity::Opcode;
using isa::unity::TableBits;
using isa::unity::Unit;

/// Bytes that an instruction may touch: from the first to the last one of an operand.
struct Range {
  const char *field = "";
  bool write = false;
  std::uint64_t address = 0, bytes = 0;
  unsigned element_bits = 0;
  std::uint64_t elements = 0;  ///< of a run; a byte can have one or two elements of 4 bits

  [[nodiscard]] bool meets(const Range &other) const { return address < other.address + other.bytes && other.address < address + bytes; }
  /// True if the two touch the same bytes, and one of them writes.
  [[nodiscard]] bool conflicts(const Range &other) const { return (write || other.write) && meets(other); }
};

/// An instruction without its SYNC_CTRL and the place of its table.
struct Made {
  Opcode op{};
  AddressSpace space{};
  TableBits table;
  std::vector<Range> ranges;

  [[nodiscard]] const isa::unity::Layout &layout() const { return *isa::unity::Set::row(op).layout; }
  [[nodiscard]] unsigned table_bytes() const {
    return isa::unity::table_bytes(layout(), space, isa::unity::is_extended(layout(), table, space));
  }
  /// Replaces a field by the low bits of `value`; the field must exist.
  void set(std::string_view field, std::uint64_t value);
  [[nodiscard]] std::uint64_t get(std::string_view field) const;
  [[nodiscard]] bool has(std::string_view field) const { return isa::unity::find_field(layout(), field).field != nullptr; }
  /// True if lines or surfaces of an operand do not adjoin.
  [[nodiscard]] bool has_gaps() const;
};

/// What the instructions of a program share: constants, and the bytes that earlier ones have touched.
struct Pool {
  explicit Pool(Random &random) : memory(random) {
    data = kData;
    const std::uint64_t part = random.one_of({std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{4}});
    for (Window &window : data) window.bytes /= part;
  }
  ProgramMemory memory;                 ///< as it is before the program runs
  std::array<Window, 3> data{};         ///< parts of kData, small ones for more dependences
  std::vector<Range> recent;            ///< that instructions have read or written
  std::array<std::uint64_t, 3> used{};  ///< bytes of each area's constants
  std::uint64_t words = 0;              ///< bytes of kWords

  /// A place for constants in an area that the space reaches. Throws std::length_error.
  std::uint64_t constant(Random &random, AddressSpace space, std::uint64_t bytes, unsigned alignment);
  /// Bytes in kWords that no other instruction touches. Throws std::length_error.
  std::uint64_t word(std::uint64_t bytes);
};

class Maker {
 public:
  Maker(Random &numbers, Pool &pool, Opcode op, AddressSpace space) : random(numbers), pool_(pool), made_{op, space, {}, {}} {}

  Random &random;
  [[nodiscard]] Opcode op() const { return made_.op; }
  [[nodiscard]] AddressSpace space() const { return made_.space; }
  [[nodiscard]] unsigned address_bits() const { return isa::unity::address_bits(made_.space); }

  void set(std::string_view field, std::uint64_t value) { made_.set(field, value); }
  void set(std::string_view field, Unit unit) { made_.set(field, static_cast<unsigned>(unit)); }
  [[nodiscard]] bool has(std::string_view field) const { return made_.has(field); }
  /// Sets a field to a random number from `first` to `last`, and returns it.
  std::uint32_t choose(std::string_view field, std::int64_t first, std::int64_t last) {
    const std::int64_t value = random.between(first, last);
    set(field, static_cast<std::uint64_t>(value));
    return static_cast<std::uint32_t>(value);
  }
  Unit choose(std::string_view field, Unit unit) {
    set(field, unit);
    return unit;
  }

  // Places of operands. All throw std::length_error if there is no place.
  /// An operand that is read.
  void source(const char *field, Unit unit, std::uint64_t elements) {
    source_bytes(field, isa::unity::run_bytes(unit, elements), unit, elements);
  }
  void source_bytes(const char *field, std::uint64_t bytes, Unit unit, std::uint64_t elements = 0);
  /// An operand that is written. `in_place`: it may equal a source with as many elements of as many bits.
  void result(const char *field, Unit unit, std::uint64_t elements, bool in_place = false) {
    place_result(field, {"", true, 0, isa::unity::run_bytes(unit, elements), isa::unity::bits_of(unit), elements}, unit, in_place);
  }
  void result_bytes(const char *field, std::uint64_t bytes, Unit unit) {
    place_result(field, {"", true, 0, bytes, isa::unity::bits_of(unit)}, unit, false);
  }
  /// A place for an operand that is written and that no field names; `field` is that of a list.
  [[nodiscard]] std::uint64_t result_of_list(const char *field, std::uint64_t bytes, Unit unit);
  /// A place for a tensor that a descriptor names; the instruction may not read its elements.
  [[nodiscard]] std::uint64_t place_of_tensor(const char *field, std::uint64_t bytes, Unit unit, bool is_read);
  /// An operand that is read, and written at the same place.
  void updated(const char *field, Unit unit, std::uint64_t elements);
  /// An operand that is read and that no instruction writes, with the given integers, or with the bits of floats.
  void constants(const char *field, Unit unit, std::span<const std::int64_t> values);

  [[nodiscard]] const Made &made() const { return made_; }
  [[nodiscard]] Pool &pool() { return pool_; }
  void add_range(const Range &range) { made_.ranges.push_back(range); }
  /// Sets a field to a device address.
  void set_address(std::string_view field, std::uint64_t address) {
    set(field, address - (made_.space == AddressSpace::bits16 ? kPage : 0));
  }

 private:
  [[nodiscard]] std::uint64_t place(std::uint64_t bytes, unsigned alignment, bool write);
  [[nodiscard]] std::uint64_t place_in_place(Range result);
  void place_result(const char *field, Range result, Unit unit, bool in_place);

  Pool &pool_;
  Made made_;
};

}  // namespace cox::test::unity_programs
