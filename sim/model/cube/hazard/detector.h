// SPDX-License-Identifier: MIT
// Hazards between the pipes of the matrix unit (docs/hazards.md, The matrix unit). Pipes run in order, and the k-th wait for a flag takes
// the k-th that was set, so what comes before what is known from the stream alone, whatever the timing was. Two instructions of one pipe
// are in order. Bytes are those of isa/cube/operation.h, footprint(): an IM2COL_TO_L0A reads the whole map, a MAD whole fractals.
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

/// In program order. A hazard has both parties; the field and the bytes are those of the accesses that met first, reads of the later one
/// before its writes. Of a deadlock and of a flag_overflow `later` is the instruction that is refused; `earlier` of a deadlock the last
/// before it, of the pipe at the flag's other end, that does not set the flag and could (instruction -1: there is none). Of a flag_left
/// `earlier` alone: who set it.
struct Finding {
  FindingKind kind = FindingKind::hazard;
  Party earlier, later;
  isa::cube::Memory memory = isa::cube::Memory::dram;
  std::uint64_t first = 0, last = 0, bytes = 0;  ///< hazard: the lowest and the highest byte that both touch, and how many of those between
  isa::cube::Pipe other = isa::cube::Pipe::MTE2;  ///< of the flag: the pipe at its other end
  unsigned event = 0;                             ///< of the flag
  std::uint32_t sets = 0, waits = 0;              ///< of the flag: how many stood in the stream before `later`, or in all of it

  /// One sentence for people: both instructions, the bytes, or the flag and what it would take.
  [[nodiscard]] std::string text() const;
};

class Detector {
 public:
  Detector();
  ~Detector();
  Detector(Detector &&) noexcept;
  Detector &operator=(Detector &&) noexcept;

  /// The next instruction in program order, admitted (isa/cube/encode.h, check(); resolve()). Adds what it makes known to `findings`: each
  /// pair of instructions once for each memory, of several hazards on the same bytes at least one. After a deadlock or a flag_overflow, at
  /// which the device stops, nothing more is found until end().
  void add(const isa::cube::MachineCode &code, const isa::cube::Operation &operation, std::vector<Finding> &findings);
  /// The stream ends, or the last of those that are joined: flags that are left. Begins anew; buffers keep nothing.
  void end(std::vector<Finding> &findings);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A whole stream of 32-byte slots from its bytes alone; several that are joined, one behind the other. `refusal` is of the first
/// instruction that does not check or resolve, at its index; stream_truncated where the last one is cut off. What comes after it is not
/// looked at, nor are flags that are left.
struct Analysis {
  std::vector<Finding> findings;
  Status refusal;
};
[[nodiscard]] Analysis analyse(std::span<const std::byte> stream);

}  // namespace cox::model::cube
