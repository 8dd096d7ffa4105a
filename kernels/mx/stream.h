// SPDX-License-Identifier: MIT
// A stream of MX instructions under construction (docs/kernels/mx.md, Streams). Kernels append instructions; an Engine runs the stream,
// once or many times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/mx/operation.h"
#include "coxswain/isa/mx/table.h"
#include "coxswain/kernels/engine/stream_buffer.h"

namespace cox::kernels::mx {

using kernels::kWindows;

class Stream : public StreamBuffer {
 public:
  /// Runs the stream's contents to their end. The stream is then emptied, and kernels continue to append to it.
  using Flush = Status (*)(void *owner, Stream &stream);

  /// As StreamBuffer::init(), with memory that is aligned to 8 bytes.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows);
  /// From now on the stream calls `flush` when its memory or its base registers are used up. With nullptr, append() fails then.
  void set_flush(Flush flush, void *owner);
  /// Empties the stream and resets its base registers.
  void clear();

  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }  ///< CONFBADDRs included
  /// Returns the values that the stream needs in base registers 0 to bases().size() - 1.
  [[nodiscard]] std::span<const std::uint64_t> bases() const { return {bases_.address.data(), base_count_}; }

  // For kernels. Each function checks the operation as the device will (isa/mx/operation.h) before it appends anything. It appends the
  // instruction, after a CONFBADDR if the instruction needs other base registers than those selected. If the stream has no flush function
  // (set_flush()), two more errors are possible: no_room ("stream") if the memory is full, and no_room ("base registers") if more than 32
  // regions of 16 MiB are addressed.
  Status append(const isa::mx::ConvAct &operation);
  Status append(const isa::mx::Elementwise &operation);
  Status append(const isa::mx::Pool &operation);
  Status append(const isa::mx::Move &operation);

  /// Does the same as append(), but inline, for kernels that include kernels/mx/append.h.
  Status append_conv_act(const isa::mx::ConvAct &operation);

  /// A place in the stream to which it can be rolled back.
  struct Mark {
    StreamBuffer::Mark place;
    std::uint32_t instructions = 0;
    unsigned base_count = 0;
    std::uint32_t selected = kNothingSelected;
  };
  [[nodiscard]] Mark mark() const { return {StreamBuffer::mark(), instructions_, base_count_, selected_}; }
  /// As StreamBuffer::roll_back(); restores the base registers and the count of instructions, too.
  void roll_back(const Mark &mark);

 private:
  /// The part of a window below 4 GiB.
  struct LowWindow {
    std::uint32_t first = 0, last = 0;
    unsigned access = 0;
  };
  /// An address, and the bit of CONFBADDR at which the number of its base register begins.
  struct Address {
    std::uint64_t start = 0;
    unsigned base_bit = 0;
  };
  static constexpr unsigned kRead = 1, kWritten = 2;
  static LowWindow low_window(const isa::mx::Window &window);
  // append() and append_plain() append most instructions without a call, because both are inline. If append_plain() does not accept an
  // instruction, append_checked() appends it or returns the error.
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
  /// Forgets the base registers of an empty stream, which needs none.
  void forget();
  static Result<std::span<std::byte>> call_flush(void *owner, StreamBuffer &buffer);
  /// Returns the bytes of an instruction, plus those of its CONFBADDR if it needs one.
  [[nodiscard]] std::size_t bytes_with(std::size_t bytes, std::uint32_t selected) const;
  void write(const isa::mx::MachineCode &code, std::size_t bytes, std::uint32_t selected, unsigned base_count);
  Status check(const isa::mx::MachineCode &code, std::uint32_t selected, unsigned base_count);
  [[nodiscard]] Status check(const isa::mx::MachineCode &code, std::uint32_t selected, const isa::mx::BaseRegisters &bases) const;
  /// Returns the error that the instruction would have in every stream. It checks the instruction with fresh base registers, as in an empty
  /// stream.
  [[nodiscard]] Status check_alone(const isa::mx::MachineCode &code, std::span<const Address> addresses) const;
  [[nodiscard]] bool is_held(std::uint32_t first, std::uint32_t last, unsigned access) const;

  /// The opcode of CONFBADDR, bits [3:0], is 0. So no CONFBADDR has this value.
  static constexpr std::uint32_t kNothingSelected = 1;

  std::uint32_t instructions_ = 0;
  unsigned base_count_ = 0;
  std::uint32_t selected_ = kNothingSelected;  ///< first word of the last CONFBADDR, which holds all of its fields
  isa::mx::BaseRegisters bases_;
  std::array<LowWindow, kWindows> low_windows_{};
  Flush flush_ = nullptr;
};

}  // namespace cox::kernels::mx
