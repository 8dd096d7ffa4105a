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
#include "kernels/engine/stream_buffer.h"

namespace cox::kernels::mx {

using kernels::kWindows;

class Stream : public StreamBuffer {
 public:
  /// Runs what the stream holds to its end. The stream goes on empty.
  using Flush = Status (*)(void *owner, Stream &stream);

  /// As StreamBuffer::init(), with memory that is aligned to 8 bytes.
  Status init(std::span<std::byte> memory, std::span<const isa::Window> windows);
  /// From now on a stream that cannot take more is given to `flush`. nullptr: it refuses again.
  void set_flush(Flush flush, void *owner);
  /// Empties the stream, its base registers included.
  void clear();

  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }  ///< CONFBADDRs included
  /// What the base registers must hold: registers 0 to bases().size() - 1.
  [[nodiscard]] std::span<const std::uint64_t> bases() const { return {bases_.address.data(), base_count_}; }

  // For kernels. Each checks the operation as the device will (isa/mx/operation.h) before it appends anything: a CONFBADDR where other base
  // registers are wanted than those chosen, and the instruction. no_room ("stream", "base registers"): the memory is full, or more than 32
  // regions of 16 MiB are addressed, and there is no flush.
  Status append(const isa::mx::ConvAct &operation);
  Status append(const isa::mx::Elementwise &operation);
  Status append(const isa::mx::Pool &operation);
  Status append(const isa::mx::Move &operation);

  /// append(), inline: for kernels that include kernels/mx/append.h.
  Status append_conv_act(const isa::mx::ConvAct &operation);

  /// A place in the stream to which it can be rolled back.
  struct Mark {
    StreamBuffer::Mark place;
    std::uint32_t instructions = 0;
    unsigned base_count = 0;
    std::uint32_t selected = kNothingSelected;
  };
  [[nodiscard]] Mark mark() const { return {StreamBuffer::mark(), instructions_, base_count_, selected_}; }
  /// As StreamBuffer::roll_back(), with the base registers and the count of instructions.
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
  /// The stream has no instruction, so it needs no base register.
  void forget();
  static Result<std::span<std::byte>> call_flush(void *owner, StreamBuffer &buffer);
  /// Bytes of an instruction and of the CONFBADDR that it needs before it.
  [[nodiscard]] std::size_t bytes_with(std::size_t bytes, std::uint32_t selected) const;
  void write(const isa::mx::MachineCode &code, std::size_t bytes, std::uint32_t selected, unsigned base_count);
  Status check(const isa::mx::MachineCode &code, std::uint32_t selected, unsigned base_count);
  [[nodiscard]] Status check(const isa::mx::MachineCode &code, std::uint32_t selected, const isa::mx::BaseRegisters &bases) const;
  /// With base registers of its own: what is wrong with it in any stream.
  [[nodiscard]] Status check_alone(const isa::mx::MachineCode &code, std::span<const Address> addresses) const;
  [[nodiscard]] bool is_held(std::uint32_t first, std::uint32_t last, unsigned access) const;

  /// No CONFBADDR: its opcode is 0.
  static constexpr std::uint32_t kNothingSelected = 1;

  std::uint32_t instructions_ = 0;
  unsigned base_count_ = 0;
  std::uint32_t selected_ = kNothingSelected;  ///< the last CONFBADDR's first word, in which it has all of its fields
  isa::mx::BaseRegisters bases_;
  std::array<LowWindow, kWindows> low_windows_{};
  Flush flush_ = nullptr;
};

}  // namespace cox::kernels::mx
