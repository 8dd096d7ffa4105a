// SPDX-License-Identifier: MIT
// The bytes of a program of the PIM engine under construction: header, settings, copies, and the code of each core. ProgramBuilder adds
// registers and instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/program.h"
#include "coxswain/kernels/engine/stream_buffer.h"

namespace cox::kernels::pim {

/// The bytes are a valid program (isa/pim/program.h) after init() and after each kernel. Code of a core is a chain of sections; a jump
/// leads from each to the next one.
class ProgramCode : public StreamBuffer {
 public:
  /// Begins a program for `cores` cores in `memory`, aligned to 8 bytes; `configuration` is the device's and outlives the program.
  /// `windows` are the windows of the context that will run it: window w is part w of the configuration's DRAM. Errors: those of
  /// StreamBuffer::init(); invalid_argument ("cores") unless there are 1 to 64; no_room ("stream") if the memory is too short for a program
  /// without instructions.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, const isa::pim::Configuration &configuration,
              unsigned cores = 1);
  /// Begins the program again, without settings, copies and code.
  void clear();

  [[nodiscard]] unsigned cores() const { return cores_; }
  [[nodiscard]] const isa::pim::Configuration &configuration() const { return *configuration_; }
  /// Returns the number of instructions of all cores.
  [[nodiscard]] std::uint32_t instructions() const { return words_; }

  /// Gives a register its value at the start of `core`: `place` is 0 to 31 for a general register, 32 plus its number for a special one.
  /// Errors: not_ready ("setting") after the first copy or instruction; invalid_argument ("core", "setting"); no_room ("stream").
  Status set(unsigned core, unsigned place, std::uint32_t value);
  /// Adds a copy that the device makes before or after the program. Errors: not_ready ("copy") after the first instruction;
  /// invalid_argument ("core"); no_room ("stream").
  Status add(const isa::pim::Copy &copy);
  /// Device cycles after which the device stops the program; 0: no limit of its own.
  void set_time_limit(std::uint64_t cycles);

  /// Returns the device address of a bus address: its place in the part of DRAM that belongs to its window. Error: address_outside_window
  /// ("address") if no window holds all bytes.
  [[nodiscard]] Result<std::uint32_t> address_of(std::uint64_t bus_address, std::uint64_t bytes = 1) const;
  /// Checks that bytes lie in DRAM inside of a window that permits the access, or in one local memory. Errors: address_outside_window,
  /// address_outside_buffer, with `what` as their name.
  [[nodiscard]] Status check_bytes(std::uint32_t address, std::uint64_t bytes, bool write, const char *what) const;
  /// Returns true if the address lies in DRAM.
  [[nodiscard]] bool is_dram(std::uint32_t address) const;

  /// Everything up to end_kernel() is kept or, after an error, taken back. Error: not_ready before init().
  Status begin_kernel();
  Status end_kernel();
  /// Stops the kernel with an error, unless it has one.
  void fail(const Status &status);
  [[nodiscard]] bool has_failed() const { return !error_.ok(); }
  [[nodiscard]] const Status &error() const { return error_; }

 protected:
  enum class Entry : std::uint8_t {
    same,   ///< the core's last section goes on
    next,   ///< a section begins
    first,  ///< the core's first section begins, and no setting writes its registers
  };
  /// The instructions that follow are for `core`.
  Entry enter(unsigned core);
  /// They are also for the `count` cores from `first` on, the last of which has been entered. It must be the last section of these cores.
  void share(unsigned first, unsigned count);

  void emit(const isa::pim::MachineCode &code);
  /// Number of the next instruction.
  [[nodiscard]] std::uint32_t position() const { return words_; }
  void take_back(std::uint32_t words);

 private:
  static constexpr std::uint32_t kNoTail = ~std::uint32_t{0};
  static constexpr unsigned kNoCore = isa::pim::kMostCores;

  void write_word(std::uint32_t number, std::uint32_t word);
  /// Ends the section with a jump, the tail of its cores.
  void leave();
  void point_tail(unsigned core, std::uint32_t target);
  [[nodiscard]] bool has_shared_tail(unsigned core) const;
  /// Writes the number of instructions of each core, and lets the last jump of each go to the end.
  void seal();
  void write_header();
  std::byte *insert(std::size_t bytes);

  const isa::pim::Configuration *configuration_ = nullptr;
  unsigned cores_ = 0;
  std::uint32_t settings_ = 0, copies_ = 0;
  std::uint64_t time_limit_ = 0;
  std::uint32_t words_ = 0;                                           ///< instructions written
  std::array<std::uint32_t, isa::pim::kMostCores> first_{}, tail_{};  ///< first and last instruction of each core
  unsigned core_ = kNoCore;                                           ///< the first core whose section is last
  unsigned sharers_ = 1;                                              ///< cores that share it
  Status error_;
  struct Kept {
    std::uint32_t words = 0;
    std::array<std::uint32_t, isa::pim::kMostCores> first{}, tail{};
  } kept_;
};

}  // namespace cox::kernels::pim
