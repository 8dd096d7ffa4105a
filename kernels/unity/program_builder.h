// SPDX-License-Identifier: MIT
// A program container of the Unity engine under construction (docs/isa/unity.md, Containers). Kernels append instructions and operand
// tables; an Engine runs the container. The bytes are a valid container after init() and after each kernel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/unity/operand_table.h"
#include "coxswain/isa/unity/program.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/kernels/engine/stream_buffer.h"

namespace cox::kernels::unity {

using kernels::kWindows;

/// The address space of operand tables: as wide as an address of the control core. A board of a 32-bit core has all its memory below 4 GiB
/// on the bus, too.
inline constexpr isa::unity::AddressSpace kSpace =
    sizeof(std::uintptr_t) == 8 ? isa::unity::AddressSpace::bits64 : isa::unity::AddressSpace::bits32;

/// An operand table of the control core's address space.
template <isa::unity::Opcode Op>
using Table = isa::unity::OperandTable<Op, kSpace>;

/// The first word of an operation's payload.
template <isa::unity::Opcode Op>
inline constexpr std::uint32_t kFirstWord = isa::unity::Traits::first_word(isa::unity::Set::row(Op)) | static_cast<std::uint32_t>(kSpace)
                                                                                                           << 6;

/// An operation, chosen at run time, whose operand table has the layout of that of `Op`.
template <isa::unity::Opcode Op>
struct SameTable {
  std::uint32_t first_word;
};
template <isa::unity::Opcode Op, isa::unity::Opcode Other>
constexpr SameTable<Op> same_table() {
  static_assert(isa::unity::Set::row(Op).layout == isa::unity::Set::row(Other).layout);
  return {kFirstWord<Other>};
}

/// Members that append return no errors. The builder keeps the first error and ignores the calls that follow, until end_kernel() returns
/// it. Instructions of one unit run one after another; signals order those of several units. The header is followed by room for each
/// unit's instructions; operand tables and constants lie behind it in the order in which they were added.
class ContainerBuilder : public StreamBuffer {
 public:
  struct Capacity {
    unsigned units = 1;                ///< 1 to isa::unity::kMostUnits
    std::uint32_t instructions = 512;  ///< of each unit, with its END; 1 to isa::unity::kMostInstructions
    std::uint32_t signals = 256;       ///< between units, at most kMostSignals; one unit has none
  };
  /// A signal is an entry of the key tables.
  static constexpr std::uint32_t kMostSignals = isa::unity::kKeyTables * isa::unity::kKeyEntries;

  /// Begins a container in `memory`, aligned to isa::unity::kProgramAlignment. `windows` are the windows of the context that will run it.
  /// Errors: those of StreamBuffer::init(); invalid_argument ("units", "instructions", "signals"); no_room ("stream", `value` the bytes
  /// that header and instructions need).
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows, const Capacity &capacity);
  /// Begins the container again, without instructions.
  void clear();

  [[nodiscard]] unsigned units() const { return capacity_.units; }
  /// Returns the number of a unit's instructions, without END.
  [[nodiscard]] std::uint32_t instructions(unsigned unit) const { return programs_[unit].count; }
  /// Device cycles after which the device stops the container, rounded up to a multiple of 1024; 0: no limit of its own.
  void set_time_limit(std::uint64_t cycles);
  /// Calls `visit` for each part of the container that the device looks at: not for the room for further instructions.
  template <typename Visit>
  void for_each_part(Visit visit) const {
    if (is_empty()) return;
    const std::span<const std::byte> all = code();
    visit(all.first(isa::unity::container_front(capacity_.units, signals_, 0)));
    for (unsigned unit = 0; unit < capacity_.units; ++unit)
      visit(all.subspan(image(unit), static_cast<std::size_t>(isa::unity::program_bytes(programs_[unit].count + 1))));  // with END
    visit(all.subspan(image(capacity_.units)));
  }

  /// Lets every operand that lies in the `bytes` bytes from `from` lie at the same place behind `to` instead, in the tables of all
  /// instructions. The container must not be running. Error: address_outside_window ("operands") if the bytes behind `to` do not lie in a
  /// window; nothing is changed then.
  Status move_operands(std::uint64_t from, std::uint64_t bytes, std::uint64_t to);

  // Units side by side. The container sets the entries of its signals to 0 when it starts, and each give_key() must have its take_keys(),
  // so a run leaves the key tables as it found them.

  /// The unit to which kernels append from now on; after init() and clear() it is unit 0. Error: invalid_argument ("unit").
  Status select_unit(unsigned unit);
  /// Returns the number of a new signal, counted from 0: entry n % 256 of key table n / 256, which the context must own. Errors: not_ready
  /// before init(); no_room ("signals", `limit` the capacity).
  [[nodiscard]] Result<unsigned> add_signal();
  /// The selected unit gives a key to the signal when its instructions so far have ended. An instruction gives one key, so further calls
  /// append a COND without programs each. Errors: invalid_argument ("signal"); those of add().
  Status give_key(unsigned signal);
  /// The next instruction of the selected unit waits for `keys` keys of the signal and takes them; if none follows, finish() appends one.
  /// Errors: invalid_argument ("signal"; "keys" above isa::unity::kMostKeys, or 0); those of add().
  Status take_keys(unsigned signal, unsigned keys);
  /// Appends a COND to each unit that has called take_keys() behind its last instruction. Errors: those of add().
  Status finish();

  // For kernels.

  /// Checks that bytes lie in a window that permits the access, or, for reads, in this container. Error: address_outside_window, with
  /// `what` as its name.
  [[nodiscard]] Status check_bytes(std::uint64_t address, std::uint64_t bytes, bool write, const char *what) const;

  /// Everything up to end_kernel() is kept or, after an error, taken back. Error: not_ready before init().
  Status begin_kernel();
  Status end_kernel();
  /// Stops the kernel with an error, unless it has one.
  void fail(const Status &status);

  /// Appends an instruction to the program of the selected unit, or of `unit`, without its operand table. Returns the place of the table,
  /// for Table<Op>::copy_to(), or nullptr after an error: invalid_argument ("unit"), no_room ("instructions", `limit` the unit's capacity),
  /// no_room ("stream").
  template <isa::unity::Opcode Op>
  [[nodiscard]] std::uint32_t *append() {
    return append<Op>(unit_);
  }
  template <isa::unity::Opcode Op>
  [[nodiscard]] std::uint32_t *append(unsigned unit) {
    return append(kFirstWord<Op>, rounded_up(sizeof(Table<Op>)), unit);
  }
  /// Appends an instruction with its operand table. It costs more instructions than append() and a table that is filled then, which the
  /// compiler keeps in registers.
  template <isa::unity::Opcode Op>
  void add(const Table<Op> &table) {
    add(table, unit_);
  }
  template <isa::unity::Opcode Op>
  void add(const Table<Op> &table, unsigned unit) {
    if (std::uint32_t *const place = append<Op>(unit); place != nullptr) new (place) Table<Op>(table);
  }
  template <isa::unity::Opcode Op>
  void add(const Table<Op> &table, const SameTable<Op> &operation) {
    std::uint32_t *const place = append(operation.first_word, rounded_up(sizeof table), unit_);
    if (place != nullptr) new (place) Table<Op>(table);
  }
  /// Copies bytes behind the operand tables and returns their address, a multiple of 8, or 0 after an error.
  [[nodiscard]] std::uint64_t constant(std::span<const std::byte> bytes);
  template <typename Number>
  [[nodiscard]] std::uint64_t constant(const Number &number) {
    return constant(std::span<const std::byte>(reinterpret_cast<const std::byte *>(&number), sizeof number));
  }

 private:
  static constexpr std::size_t kUnit = 8;  ///< alignment of operand tables and constants
  static constexpr std::size_t rounded_up(std::size_t bytes) { return (bytes + kUnit - 1) / kUnit * kUnit; }

  static constexpr std::uint32_t kBlocks = isa::unity::sync_word({.blocks = true});

  /// A unit's program, and where its next instruction goes. The ids from there to the end of the group are END.
  struct Program {
    std::uint32_t count = 0;       ///< without END
    std::uint32_t sync = kBlocks;  ///< SYNC_CTRL of the next instruction
    std::byte *id = nullptr, *payload = nullptr;
  };

  /// `table_bytes` is a multiple of kUnit.
  [[nodiscard]] std::uint32_t *append(std::uint32_t first_word, std::size_t table_bytes, unsigned unit);
  /// Keeps the error of an instruction that cannot be appended, unless there is one already.
  std::uint32_t *refuse(std::size_t table_bytes, unsigned unit);
  [[nodiscard]] std::uint32_t image(unsigned unit) const { return front_ + unit * image_bytes_; }
  /// Lets the unit's program have `count` instructions, and ends their group.
  void set_count(unsigned unit, std::uint32_t count);
  /// Ends the unit's program behind its instructions, and sets its entry in the table of programs.
  void seal(unsigned unit);
  void write_header();
  [[nodiscard]] Status check_signal(unsigned signal) const;
  /// Adds to the keys that the last instruction of a unit gives. Returns false if it gives one already.
  [[nodiscard]] bool give_with_last(unsigned unit, unsigned signal);
  /// Appends an instruction that does nothing but take and give keys.
  Status append_idle(unsigned unit);

  std::uint64_t address_ = 0;  ///< of first(), on the bus
  Capacity capacity_;
  std::uint32_t front_ = 0, image_bytes_ = 0;
  std::uint32_t time_limit_ = 0;
  std::uint32_t signals_ = 0;
  unsigned unit_ = 0;
  std::array<Program, isa::unity::kMostUnits> programs_{};
  Status error_;
  struct Kept {
    Mark mark;
    struct Program {
      std::uint32_t count = 0, sync = 0;
    };
    std::array<Program, isa::unity::kMostUnits> programs{};
  } kept_;
};

/// The containers of kernels::Engine.
using Stream = ContainerBuilder;

}  // namespace cox::kernels::unity
