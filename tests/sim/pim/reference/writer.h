// SPDX-License-Identifier: MIT
// Writes the code of one core of a random program. It chooses registers and addresses, and loads them before they are used.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "tests/sim/pim/reference/interpreter.h"
#include "tests/sim/pim/reference/random.h"
#include "tests/sim/pim/reference/words.h"

namespace cox::model::pim::oracle {

class Writer {
 public:
  /// One value in `wrong` is wrong; 0: none is. `dram_bytes` is the size of each window. The core writes only slot `slot` of `slots` slots
  /// of each, and reads only that and the last.
  struct Limits {
    unsigned wrong = 0;
    std::uint64_t window_bytes = 0;
    unsigned slot = 0, slots = 1;
  };
  Writer(const Configuration &configuration, Random &random, Limits limits);

  [[nodiscard]] Code &code() { return code_; }
  [[nodiscard]] const Configuration &configuration() const { return configuration_; }
  [[nodiscard]] Random &random() { return random_; }
  void emit(std::uint32_t word) { code_.push_back(word); }
  /// True where a value shall be wrong.
  bool wrong() { return limits_.wrong != 0 && random_.one_in(limits_.wrong); }

  /// Begins an action: all registers are free but those that are held.
  void begin();
  /// A register that the action has not used. Few are bound to a special one.
  unsigned free_register();
  /// A register that is no special one.
  unsigned unbound_register();
  /// True for a register that neither the action nor a loop uses, and that is no special one.
  [[nodiscard]] bool is_free(unsigned number) const;
  /// Keeps a register through the following actions.
  void hold(unsigned number) { held_.insert(number); }
  void release(unsigned number) { held_.erase(number); }
  /// True if the special register is a general one that is held.
  [[nodiscard]] bool binds_held(unsigned special) const { return held_.contains(configuration_.bound[special]); }

  /// Loads a general register.
  void load(unsigned number, std::uint32_t value);
  unsigned value(std::uint32_t value);
  /// The same with a register that no other value of this action has.
  unsigned own_value(std::uint32_t value) {
    const unsigned number = unbound_register();
    load(number, value);
    return number;
  }
  void special(unsigned number, std::uint32_t value);
  /// Stores words in a local memory.
  void poke(std::uint32_t address, const Bytes &bytes);

  /// An address of bytes of a local memory that no other address of this action names, if there is room; else another place.
  std::uint32_t local_address(std::uint64_t bytes);
  /// The most bytes that local_address() can give.
  [[nodiscard]] std::uint64_t room() const { return room_; }
  std::uint32_t array_address(std::uint64_t bytes);
  std::uint32_t dram_address(std::uint64_t bytes, bool write);
  /// The most bytes that dram_address() can give.
  [[nodiscard]] std::uint64_t dram_room() const { return limits_.window_bytes / (limits_.slots + 1); }
  /// An address whose bytes do not lie in one window, but begin near or behind its end.
  std::uint32_t bad_dram_address(std::uint64_t bytes);
  /// An address whose bytes do not lie in one local memory.
  std::uint32_t bad_address(std::uint64_t bytes);
  /// An address, rarely a bad one.
  std::uint32_t address(std::uint64_t bytes) { return bytes != 0 && wrong() ? bad_address(bytes) : local_address(bytes); }
  /// 1, 2, 4, 8, 16 or 32, at most `most`; rarely another number.
  std::uint32_t width(std::uint32_t most = 32);
  /// A number, rarely negative or huge.
  std::uint32_t count(std::uint64_t number);

 private:
  const Configuration &configuration_;
  Random &random_;
  Limits limits_;
  Code code_;
  [[nodiscard]] bool is_bound(unsigned number) const;

  std::set<unsigned> used_, held_;
  struct Claim {
    std::uint64_t first, end;
  };
  std::vector<Claim> claims_;
  std::uint64_t room_ = 0;
};

}  // namespace cox::model::pim::oracle
