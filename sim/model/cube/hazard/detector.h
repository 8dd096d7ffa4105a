// SPDX-License-Identifier: MIT
// Hazards between the pipes of the matrix unit (docs/hazards.md, The matrix unit). Pipes run in order, and the k-th wait for a flag takes
// the k-th that was set, so what comes before what is known from the stream alone, whatever the timing was.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isa/cube/encode.h"
#include "isa/cube/operation.h"

namespace cox::model::cube {

enum class FindingKind : std::uint8_t {
  hazard,         ///< two accesses to the same bytes, one of them a write, in no order
  deadlock,       ///< a wait for a flag that nothing before it sets
  flag_overflow,  ///< a flag set more than kMostFlags times ahead of its waits
  flag_left,      ///< a flag that was set and is not waited for by the end
};

/// An instruction by its number in the stream, or streams where they are joined.
struct Party {
  std::int32_t instruction = -1;
  const char *name = "";
  isa::cube::Pipe pipe = isa::cube::Pipe::MTE2;
  bool write = false;
  const char *field = "";
};

struct Finding {
  FindingKind kind = FindingKind::hazard;
  Party earlier, later;  ///< in program order; of the other kinds `later` alone, of flag_left the setter is `earlier`
  isa::cube::Memory memory = isa::cube::Memory::dram;
  std::uint64_t first = 0, bytes = 0;             ///< hazard
  isa::cube::Pipe other = isa::cube::Pipe::MTE2;  ///< of the flag: the pipe at its other end
  unsigned event = 0;                             ///< of the flag

  /// One sentence for people: both instructions, the bytes, or the flag and what it would take.
  [[nodiscard]] std::string text() const;
};

class Detector {
 public:
  Detector();
  ~Detector();
  Detector(Detector &&) noexcept;
  Detector &operator=(Detector &&) noexcept;

  /// The next instruction in program order, admitted (isa/cube/encode.h, check(); resolve()). Findings that it completes are added to
  /// `findings`. After a deadlock nothing more is found until end().
  void add(const isa::cube::MachineCode &code, const isa::cube::Operation &operation, std::vector<Finding> &findings);
  /// The stream ends, or the last of those that are joined: flags that are left. Begins anew; buffers keep nothing.
  void end(std::vector<Finding> &findings);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A whole stream of 32-byte slots from its bytes alone: findings, and the first instruction that is refused (`refusal`, at its index).
struct Analysis {
  std::vector<Finding> findings;
  Status refusal;
};
[[nodiscard]] Analysis analyse(std::span<const std::byte> stream);

}  // namespace cox::model::cube
