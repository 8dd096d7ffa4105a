// SPDX-License-Identifier: MIT
// Finds accesses of a run that touch the same bytes, one of them a write, and that nothing orders in every run (docs/unity-assembly.md,
// Checking). What orders an instruction A before an instruction B:
//
// - in one unit: BLK of A; a branch, or the end of a program or sub-program between the two;
// - keys: B takes keys of an entry that could not hold enough without the key that A gives. Keys that B may find: the initial count, and
//   one for each instruction that gives one and does not itself begin after B. Keys that B needs: its own, and those that instructions take
//   that begin before B. If those without A, and without all that end after A, are fewer, then A ends before B begins;
// - what follows from these.
//
// Two instructions whose accesses interleave by timing alone may so be reported although timing never makes them collide, but an order that
// is derived holds in every run. A submission ends with the last of its slots, and touches what their instructions touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "coxswain/isa/unity/program.h"
#include "sim/model/observer.h"
#include "sim/model/unity/machine/listener.h"

namespace cox::tools::unity {

/// Two instructions, the one that began earlier in this run first.
struct Hazard {
  std::uint32_t earlier = 0, later = 0;  ///< packed isa::unity::Position
  bool earlier_writes = false, later_writes = false;
  /// Fields that name the bytes; "table" for an operand table. Of a submission: the instruction of the other engine.
  const char *earlier_field = "", *later_field = "";
  unsigned memory = 0;                 ///< as in AccessOrder::add_touch()
  std::uint64_t first = 0, bytes = 0;  ///< of the bytes that both touch
};

class AccessOrder final : public model::unity::Listener {
 public:
  /// Instructions of a run that are looked at.
  static constexpr std::size_t kMostInstructions = 2000;
  static constexpr std::size_t kMostAccesses = 500'000;

  explicit AccessOrder(const isa::unity::Container &container);
  void on_start(const model::unity::UnitEvent &event) override;
  void on_end(const model::unity::UnitEvent &event) override;
  void on_keys(const model::unity::KeyEvent &event) override;

  /// An instruction that a submission has brought to another engine touches memory. `ticket`: of the submission. `memory`: 0 for DRAM,
  /// other numbers for memories of engines. `name`: of the instruction, in static storage.
  void add_touch(std::uint32_t ticket, unsigned memory, const char *name, const model::Touch &touch);

  /// True if the run had more than kMostInstructions, or more than kMostAccesses.
  [[nodiscard]] bool is_cut() const { return cut_; }
  /// Call after the run. One hazard for two positions, in the order of their addresses.
  [[nodiscard]] std::vector<Hazard> hazards();

 private:
  using Bits = std::vector<std::uint64_t>;
  /// An instruction. A branch that gives a key has a second node, which stands behind those of its sub-programs and gives the key.
  struct Node {
    unsigned unit = 0;
    std::uint32_t number = 0;  ///< in the unit
    std::uint32_t position = 0;
    isa::unity::Sync sync;
    bool is_branch = false;
    std::vector<std::size_t> after;    ///< nodes that end before this one begins, directly
    std::size_t previous = kNone;      ///< of the unit
    Bits before;                       ///< all nodes that end before this one begins
    std::vector<std::uint32_t> begun;  ///< for each unit: how many of its nodes begin before this one, or with it
  };
  struct Access {
    std::size_t node = 0;
    bool write = false;
    const char *field = "";
    unsigned memory = 0;
    std::uint64_t start = 0, end = 0;
  };
  struct Unit {
    std::vector<std::size_t> nodes;
    bool fence = false;  ///< all nodes so far end before the next one begins
    std::uint32_t program = UINT32_MAX, instruction = 0;
    std::vector<std::uint32_t> branches;  ///< positions of those that have not ended
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  void add_accesses(std::size_t node, const model::unity::UnitEvent &event);
  void add(const Access &access);
  void find_hazards(std::span<const Access> accesses, std::vector<Hazard> &found) const;
  void propagate();
  bool add_key_edges();
  bool add_key_edges(isa::unity::Key key, const std::vector<std::size_t> &gives, const std::vector<std::size_t> &takes);
  [[nodiscard]] bool ends_before(std::size_t a, std::size_t b) const { return (nodes_[b].before[a / 64] >> a % 64 & 1) != 0; }
  [[nodiscard]] bool begins_before(std::size_t a, std::size_t b) const { return nodes_[b].begun[nodes_[a].unit] > nodes_[a].number; }
  [[nodiscard]] bool is_ordered(std::size_t a, std::size_t b) const;

  const isa::unity::Container &container_;
  std::vector<Node> nodes_;  ///< in the order in which they began
  std::vector<Access> accesses_;
  std::vector<Unit> units_;
  std::map<std::uint32_t, std::size_t> submissions_;  ///< nodes by ticket
  std::map<std::uint32_t, std::uint32_t> initial_;    ///< keys, by table * 256 + entry
  bool cut_ = false;
};

}  // namespace cox::tools::unity
