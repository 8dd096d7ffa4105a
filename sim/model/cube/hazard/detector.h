// SPDX-License-Identifier: MIT
// Finds hazards between the pipes of the matrix unit (docs/hazards.md, The matrix unit). A pipe runs its instructions in order, and the
// k-th wait for a flag takes the k-th setting of this flag. The order of instructions therefore follows from the stream only, independently
// of the timing. The detector compares the bytes that footprint() (isa/cube/operation.h) returns. For an IM2COL_TO_L0A, these are the bytes
// of the whole map. For a MAD, they are the bytes of whole fractals.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coxswain/isa/cube/encode.h"
#include "coxswain/isa/cube/operation.h"

namespace cox::model::cube {

enum class FindingKind : std::uint8_t {
  hazard,         ///< two accesses to the same bytes, one of them a write, that nothing orders
  deadlock,       ///< a wait for a flag that no earlier slot sets
  flag_overflow,  ///< a slot sets a flag that was set kMostFlags times more often than waited for
  flag_left,      ///< a flag that was set and that no slot waits for
};

/// An instruction by its number in the stream, or in all joined streams.
struct Party {
  std::int32_t instruction = -1;
  const char *name = "";
  isa::cube::Pipe pipe = isa::cube::Pipe::MTE2;
  bool write = false;
  const char *field = "";
};

/// A finding. `earlier` comes before `later` in program order.
///  - hazard: `earlier` and `later` are both set. Fields and bytes are those of the first two accesses that collided. The detector examines
///    the reads of an instruction before its writes.
///  - deadlock: `later` is the refused instruction, which waits for a flag that is not set. `earlier` is the last instruction
///    before `later` that could be changed to set the flag. If there is none, the number of `earlier` is -1.
///  - flag_overflow: `later` is the refused instruction.
///  - flag_left: only `earlier` is set, the instruction that set the flag.
struct Finding {
  FindingKind kind = FindingKind::hazard;
  Party earlier, later;
  isa::cube::Memory memory = isa::cube::Memory::dram;
  std::uint64_t first = 0, last = 0, bytes = 0;   ///< for a hazard: lowest and highest byte that both touch, and number of such bytes
  isa::cube::Pipe other = isa::cube::Pipe::MTE2;  ///< for findings about a flag: the pipe at the flag's other end
  unsigned event = 0;                             ///< for findings about a flag: its event
  std::uint32_t sets = 0, waits = 0;  ///< how often slots set the flag and waited for it before `later`; for flag_left, in the whole stream

  /// A sentence for the user. It names both instructions and the bytes, or the flag and the change that would help.
  [[nodiscard]] std::string text() const;
};

class Detector {
 public:
  Detector();
  ~Detector();
  Detector(Detector &&) noexcept;
  Detector &operator=(Detector &&) noexcept;

  /// Adds the next instruction in program order. It must have passed check() (isa/cube/encode.h) and resolve(). Appends new findings to
  /// `findings`. A pair of instructions is reported once for each memory. If several hazards concern the same bytes, at least one of them
  /// is reported. The device stops at a deadlock or a flag_overflow, so after such a finding the detector finds nothing more until end().
  void add(const isa::cube::MachineCode &code, const isa::cube::Operation &operation, std::vector<Finding> &findings);
  /// Ends the stream, or the last of several joined streams: reports the flags that are left, and forgets everything, so that a new stream
  /// can begin.
  void end(std::vector<Finding> &findings);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The result of analyse(). `refusal` is the error of the first instruction that fails check() or resolve(), with its index, or
/// stream_truncated if the last slot is incomplete. After a refusal, analyse() ignores the rest of the stream and does not report flags
/// that are left.
struct Analysis {
  std::vector<Finding> findings;
  Status refusal;
};
/// Analyses the bytes of a whole stream of 32-byte slots, or of several joined streams one after another.
[[nodiscard]] Analysis analyse(std::span<const std::byte> stream);

}  // namespace cox::model::cube
