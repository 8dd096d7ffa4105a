// SPDX-License-Identifier: MIT
// The place of a unit in the programs of its queue and in the sub-programs that branches have called.
#pragma once

#include <cstdint>
#include <vector>

#include "coxswain/isa/unity/program.h"

namespace cox::model::unity {

class ProgramCounter {
 public:
  /// The unit begins with the first program of its queue. `container` must last until the next start().
  void start(const isa::unity::Container &container, unsigned unit);
  /// True if the unit has ended all programs of its queue.
  [[nodiscard]] bool done() const { return frames_.empty(); }
  /// The next instruction. Not to be called if done().
  [[nodiscard]] isa::unity::Stored instruction() const;
  /// Packed isa::unity::Position of the next instruction.
  [[nodiscard]] std::uint32_t position() const;
  /// The instruction behind this one is the next.
  void advance() { ++frames_.back().number; }
  /// The number of sub-programs that have not returned.
  [[nodiscard]] unsigned depth() const { return static_cast<unsigned>(frames_.size()) - 1; }
  /// The sub-program begins; depth() is below isa::unity::kMostDepth.
  void call(const isa::unity::ProgramEntry &program) { frames_.push_back({program, 0}); }
  /// END of a sub-program.
  void leave() { frames_.pop_back(); }
  /// END of a program of the queue, or EXIT: the next program of the queue begins.
  void next_program();

 private:
  struct Frame {
    isa::unity::ProgramEntry program;
    std::uint32_t number = 0;
  };
  const isa::unity::Container *container_ = nullptr;
  unsigned unit_ = 0;
  isa::unity::Container::Queue queue_;
  std::vector<Frame> frames_;
};

}  // namespace cox::model::unity
