// SPDX-License-Identifier: MIT
// A task under construction, in program order. Instructions that touch the same bytes, or the definition of the same region, are ordered
// when they are added: by tokens within a core, and by pairs of SI and SO between cores. The task has no hazard, no deadlock and no
// superfluous token.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/operation.h"

namespace cox::tests {

struct Random {
  explicit Random(std::uint64_t seed) : engine(seed) {}
  /// A random number from 0 to `end` - 1.
  std::int64_t below(std::int64_t end) { return static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(end)); }
  std::int64_t between(std::int64_t first, std::int64_t last) { return first + below(last - first + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return *(values.begin() + below(static_cast<std::int64_t>(values.size())));
  }

  std::mt19937_64 engine;
};

class Graph {
 public:
  struct Added {
    isa::tile::MachineCode code;
    unsigned core;
  };

  Graph(unsigned cores, Random &random)
      : cores_(cores), random_(random), now_(lanes(), Clock(lanes())), last_(lanes()), configurations_(cores) {}

  /// Adds an instruction of `core` and sets its dependency and core bits. The instruction must be legal at this position (can_add()).
  void add(isa::tile::MachineCode code, unsigned core);

  [[nodiscard]] unsigned cores() const { return cores_; }
  [[nodiscard]] const isa::tile::Configuration &configuration(unsigned core) const { return configurations_[core]; }
  [[nodiscard]] const std::vector<isa::tile::MachineCode> &codes() const { return codes_; }
  /// What add() was called with, in order. codes() has also the instructions that only order others, and the tokens.
  [[nodiscard]] const std::vector<Added> &added() const { return added_; }
  /// Returns true if instruction `a` has certainly ended when instruction `b` starts. Both are indices.
  [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const;

 private:
  using Clock = std::vector<std::uint32_t>;
  /// An access to bytes first to end - 1 of a memory: L2 or WL0 of a core, or a window. With Place::region, it is an access to the
  /// definition of a region: a ct_bc of the core writes the definition, and other instructions read it.
  struct Touch {
    enum class Place : std::uint8_t { l2, wl0, dram, region } place;
    unsigned number;
    std::int64_t first, end;
    bool write;
    [[nodiscard]] bool conflicts(const Touch &other) const {
      return place == other.place && number == other.number && (write || other.write) && first < other.end && other.first < end;
    }
  };
  struct Node {
    unsigned lane;
    std::uint32_t position;
    bool configuration;
    Clock clock;
    std::vector<Touch> touches;
  };

  [[nodiscard]] std::size_t lanes() const { return cores_ * isa::tile::kClasses; }
  [[nodiscard]] std::vector<Touch> touches_of(const isa::tile::MachineCode &code, unsigned core) const;
  /// Adds the instruction so that it waits for the first `needed[lane]` instructions of each lane. A Clock holds, for each lane, how many
  /// of its instructions have certainly ended.
  std::size_t append(isa::tile::MachineCode code, unsigned core, Clock needed, std::vector<Touch> touches);
  void link(std::size_t giver, isa::tile::MachineCode &taker, unsigned to, Clock &clock);

  unsigned cores_;
  Random &random_;
  std::vector<isa::tile::MachineCode> codes_;
  std::vector<Added> added_;
  std::vector<Node> nodes_;
  std::vector<Clock> now_;                      ///< for each lane, the clock of its last instruction
  std::vector<std::vector<std::size_t>> last_;  ///< for each lane, the indices of its instructions in codes_
  std::vector<isa::tile::Configuration> configurations_;
};

}  // namespace cox::tests
