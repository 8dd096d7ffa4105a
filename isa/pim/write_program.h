// SPDX-License-Identifier: MIT
// Writes a program of the PIM engine (isa/pim/program.h) into memory of the caller, part after part:
//
//   ProgramWriter writer(memory, 2);
//   writer.begin_code(0);
//   writer.append(build::jmp(1));
//   writer.share_code(1, 0);
//   writer.begin_copies();
//   writer.append(Copy{...});
//   Result<std::span<const std::byte>> program = writer.finish();
//
// Calls do not return errors: the first one is kept, later calls do nothing, and finish() returns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/program.h"

namespace cox::isa::pim {

/// Bytes of a program that ProgramWriter writes, if `instructions` has the length of each code that is not shared.
[[nodiscard]] constexpr std::uint64_t program_bytes(unsigned cores, std::span<const std::uint32_t> instructions, std::uint32_t settings = 0,
                                                    std::uint32_t copies = 0) {
  std::uint64_t bytes = sizeof(ProgramHeader) + cores * sizeof(CodeEntry);
  for (const std::uint32_t count : instructions) {
    bytes += (std::uint64_t{count} * kInstructionBytes + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
  }
  return bytes + settings * std::uint64_t{sizeof(Setting)} + copies * std::uint64_t{sizeof(Copy)};
}

class ProgramWriter {
 public:
  /// Begins a program whose cores have no code. `memory` begins at a multiple of kPartAlignment and stays the caller's. Error:
  /// invalid_argument ("cores") unless there are 1 to kMostCores; no_room ("program").
  ProgramWriter(std::span<std::byte> memory, unsigned cores);

  /// The instructions that follow are the code of `core`. Errors: invalid_argument ("core") if the program does not have it, or if it has
  /// code already.
  void begin_code(unsigned core);
  /// Error: too_many_instructions beyond kMostInstructions; not_ready ("code") without begin_code().
  void append(const MachineCode &code);
  void append(std::span<const MachineCode> code);
  /// Number of the next instruction of this code.
  [[nodiscard]] std::uint32_t next_instruction() const { return part_ == Part::code ? count_ : 0; }
  /// Writes an instruction of this code again, for example a branch whose target is now known. Error: invalid_argument ("instruction").
  void replace(std::uint32_t number, const MachineCode &code);
  /// Lets `core` run the code of `other`. Errors: as begin_code(), for both; `other` must have code.
  void share_code(unsigned core, unsigned other);

  /// Begins the settings or the copies; each at most once. Error: invalid_argument ("settings", "copies").
  void begin_settings();
  void begin_copies();
  /// Error: not_ready ("setting", "copy") without the begin.
  void append(const Setting &setting);
  void append(const Copy &copy);

  /// Device cycles; 0: none.
  void set_time_limit(std::uint64_t cycles);

  /// Ends the program and returns its bytes. Errors: the first of all calls; then those of Program::open().
  [[nodiscard]] Result<std::span<const std::byte>> finish();

 private:
  enum class Part : std::uint8_t { none, code, settings, copies };

  void refuse(ErrorCode code, const char *what, std::int64_t value = 0, std::int64_t limit = 0);
  bool has_core(unsigned core);
  void begin(Part part);
  /// Appends bytes to the part; false if they do not fit.
  bool put(const void *bytes, std::size_t size);
  void write_entry(unsigned core, const CodeEntry &entry);
  [[nodiscard]] CodeEntry read_entry(unsigned core) const;

  std::span<std::byte> memory_;
  std::size_t used_ = 0;
  ProgramHeader header_;
  Status status_;
  Part part_ = Part::none;
  unsigned core_ = 0;        ///< of the code that is being written
  std::uint32_t count_ = 0;  ///< instructions, settings or copies of the part
  std::uint32_t first_ = 0;  ///< offset of the part
  bool has_settings_ = false, has_copies_ = false;
  std::uint64_t with_code_ = 0;  ///< bit i: core i has code
};

}  // namespace cox::isa::pim
