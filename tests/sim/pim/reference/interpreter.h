// SPDX-License-Identifier: MIT
// Runs the cores of a PIM program without time. Cores take turns; each turn lasts until the core waits, ends, faults or has used its turn.
// A program whose result does not depend on timing gives the same result with turns of any length.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "tests/sim/pim/reference/decode.h"
#include "tests/sim/pim/reference/state.h"

namespace cox::model::pim::oracle {

struct Fault {
  std::uint32_t instruction = 0;
  ErrorCode code = ErrorCode::ok;
  bool operator==(const Fault &) const = default;
};

using Code = std::vector<std::uint32_t>;

class Interpreter {
 public:
  /// Core i runs codes[i]. All registers and bytes are 0 until the caller sets them.
  Interpreter(const Configuration &configuration, const std::vector<Code> &codes);

  std::vector<Core> cores;
  Dram dram;

  /// Runs to the end: all cores have ended, faulted or wait for ever. Returns false if `instructions` of all cores together did not
  /// suffice.
  bool run(std::uint64_t instructions, std::uint64_t turn = ~std::uint64_t{0});
  /// Carries out the next instruction of a core; a pim-batch and its pim-compute are one. Returns false if the core has ended, has faulted
  /// or waits.
  bool step(unsigned core);
  /// For each core its fault, if it has one. After run(), cores
  /// that wait for ever, and cores that have ended and left a message open, have a deadlock.
  [[nodiscard]] const std::vector<std::optional<Fault>> &faults() const { return faults_; }

 private:
  /// One side of a message that has no partner yet.
  struct Side {
    unsigned core;
    std::uint32_t instruction;
    std::uint32_t source, destination, length;
    bool waits;
  };
  using Key = std::tuple<unsigned, unsigned, std::uint32_t>;  // sender, receiver, id
  struct Sides {
    std::deque<Side> sends, receives;
  };
  struct Arrivals {
    std::uint32_t number;
    std::set<unsigned> cores;
  };
  struct Waiting {
    bool message = false;  // for the partner of its synchronous message
    bool wait = false;
    bool barrier = false;
    std::uint32_t id = 0;
    unsigned other = 0;
  };

  [[nodiscard]] View view(unsigned core) { return {configuration_, cores[core], dram}; }
  [[nodiscard]] bool ended(unsigned core) const { return cores[core].counter == codes_[core].size(); }
  [[nodiscard]] bool can_step(unsigned core);
  void execute(unsigned core, const Decoded &instruction);
  void message(unsigned core, const Decoded &instruction);
  void deliver(const Key &key);
  void meet(const Side &send, const Side &receive);
  void barrier(unsigned core, const Decoded &instruction);
  [[nodiscard]] unsigned other_core(unsigned core, std::uint32_t number) const;
  [[nodiscard]] bool open(unsigned core, unsigned other, std::uint32_t id) const;
  void go_on(unsigned core);
  void fault(unsigned core, std::uint32_t instruction, ErrorCode code);
  void report_deadlocks();

  const Configuration &configuration_;
  std::vector<Code> codes_;
  std::vector<std::optional<Fault>> faults_;
  std::vector<Waiting> waiting_;
  std::map<Key, Sides> messages_;
  std::map<std::uint32_t, Arrivals> barriers_;
};

}  // namespace cox::model::pim::oracle
