// SPDX-License-Identifier: MIT
// A stream of MX instructions under construction (docs/kernels/mx.md, Streams): kernels append to it, an Engine runs it, once or many
// times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "isa/mx/operation.h"
#include "isa/mx/table.h"

namespace cox::kernels::mx {

inline constexpr unsigned kWindows = 4;

class Stream {
 public:
  /// Where the stream cannot take more, it gives what it holds to `flush`, which runs it to its end, and goes on empty.
  using Flush = Status (*)(void *owner, Stream &stream);

  /// Instructions go to `memory`, which the device reads at the same address: aligned to 8 bytes, at most registers::kMostStreamBytes of it
  /// are used. Addresses are checked against `windows` (at most kWindows), those of the context that will run the stream. invalid_argument:
  /// memory or windows that do not do.
  Status init(std::span<std::byte> memory, std::span<const isa::mx::Window> windows);
  /// From now on a full stream is run instead of refused. nullptr: refused again.
  void set_flush(Flush flush, void *owner) {
    flush_ = flush;
    owner_ = owner;
  }
  /// Empty again, base registers included.
  void clear();

  [[nodiscard]] std::span<const std::byte> code() const { return memory_.first(bytes_); }
  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }  ///< CONFBADDRs included
  /// What the base registers must hold: registers 0 to bases().size() - 1.
  [[nodiscard]] std::span<const std::uint64_t> bases() const { return {bases_.address.data(), base_count_}; }
  [[nodiscard]] std::span<const isa::mx::Window> windows() const { return {windows_.data(), window_count_}; }

  // For kernels. Each checks the operation as the device will (isa/mx/operation.h) before it appends anything: a CONFBADDR where other base
  // registers are wanted than those chosen, and the instruction. no_room ("stream", "base registers"): the memory is full, or more than 32
  // regions of 16 MiB are addressed, and there is no flush.
  Status append(const isa::mx::ConvAct &operation);
  Status append(const isa::mx::Elementwise &operation);
  Status append(const isa::mx::Pool &operation);
  Status append(const isa::mx::Move &operation);

  /// append(), inline: for kernels that include kernels/mx/append.h.
  Status append_conv_act(const isa::mx::ConvAct &operation);

  /// What append() has done since can be taken back, unless a flush came between.
  struct Mark {
    std::size_t bytes = 0;
    std::uint32_t instructions = 0;
    unsigned base_count = 0;
    std::uint32_t flushes = 0;
    std::uint32_t selected = kNothingSelected;
  };
  [[nodiscard]] Mark mark() const { return {bytes_, instructions_, base_count_, flushes_, selected_}; }
  void roll_back(const Mark &mark);

 private:
  /// What a window has below 4 GiB.
  struct LowWindow {
    std::uint32_t first = 0, last = 0;
    unsigned access = 0;
  };
  /// An address, and where CONFBADDR has its base register's number.
  struct Address {
    std::uint64_t start = 0;
    unsigned base_bit = 0;
  };
  static constexpr unsigned kRead = 1, kWritten = 2;
  static LowWindow low_window(const isa::mx::Window &window);
  // Good instructions go in by the first two, without a call; whatever is not plainly good takes the way of the third, which has the last
  // word, and words.
  template <typename... Operands>
  Status append(const isa::mx::MachineCode &code, std::size_t bytes, bool in_place, const Operands &...operands);
  template <typename... Operands>
  [[nodiscard]] bool append_plain(const isa::mx::MachineCode &code, std::size_t bytes, bool in_place, const Operands &...operands);
  Status append_checked(const isa::mx::MachineCode &code, std::size_t bytes, std::span<const Address> addresses);
  Status try_append(const isa::mx::MachineCode &code, std::size_t bytes, std::span<const Address> addresses);
  template <isa::mx::Opcode Op>
  Status append_one_tensor(const isa::mx::Elementwise &operation);
  template <isa::mx::Opcode Op>
  Status append_two_tensors(const isa::mx::Elementwise &operation);
  [[nodiscard]] std::size_t bytes_with(std::size_t bytes, std::uint32_t selected) const;
  void write(const isa::mx::MachineCode &code, std::size_t bytes, std::uint32_t selected, unsigned base_count);
  Status check(const isa::mx::MachineCode &code, std::uint32_t selected, unsigned base_count);
  [[nodiscard]] Status check(const isa::mx::MachineCode &code, std::uint32_t selected, const isa::mx::BaseRegisters &bases) const;
  /// With base registers of its own: what is wrong with it in any stream.
  [[nodiscard]] Status check_alone(const isa::mx::MachineCode &code, std::span<const Address> addresses) const;
  [[nodiscard]] bool is_held(std::uint32_t first, std::uint32_t last, unsigned access) const;

  /// No CONFBADDR: its opcode is 0.
  static constexpr std::uint32_t kNothingSelected = 1;

  std::span<std::byte> memory_;
  std::size_t bytes_ = 0;
  std::uint32_t instructions_ = 0;
  isa::mx::BaseRegisters bases_;
  unsigned base_count_ = 0;
  std::array<isa::mx::Window, kWindows> windows_{};
  std::array<LowWindow, kWindows> low_windows_{};
  unsigned window_count_ = 0;
  std::uint32_t selected_ = kNothingSelected;  ///< the last CONFBADDR's first word, in which it has all of its fields
  Flush flush_ = nullptr;
  void *owner_ = nullptr;
  std::uint32_t flushes_ = 0;
};

}  // namespace cox::kernels::mx
