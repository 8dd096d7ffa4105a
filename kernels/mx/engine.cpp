// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/engine.h"

#include <algorithm>

#include "coxswain/hal/mx/base.h"

namespace cox::kernels::mx {

static_assert(isa::mx::kBaseRegisters == registers::mx::base::kCount);

void Set::explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
  std::size_t offset = 0;
  for (std::int32_t number = 0; offset < stream.size(); ++number) {
    const Result<isa::mx::Fetched> fetched = isa::mx::fetch(stream.subspan(offset));
    if (offset == detail.offset) {
      fault.instruction = number;
      if (!fetched) return;
      fault.name = fetched.value().instruction->name;
      fault.field = isa::mx::field_name(*fetched.value().instruction, detail.field_bit);
      return;
    }
    if (!fetched) return;
    offset += fetched.value().instruction->bytes;
  }
}

[[gnu::always_inline]] inline Status BaseRegisters::prepare(const StreamRunner &runner, const Stream &stream) {
  const std::span<const std::uint64_t> bases = stream.bases();
  for (unsigned i = 0; i < bases.size(); ++i) {
    if (i < count_ && bases_[i] == bases[i]) continue;
    // Streams in flight use the registers that were written, so those must not change; the other registers are free.
    if (i < count_ && runner.in_flight() != 0)
      return Status(ErrorCode::not_ready, "base registers", static_cast<std::int32_t>(i), runner.in_flight());
    if (const Status status = hal::mx::write_base(runner.geometry(), runner.context(), i, bases[i]); !status) return status;
    bases_[i] = bases[i];
    count_ = std::max(count_, i + 1);
  }
  return {};
}

void BaseRegisters::restore(const StreamRunner &runner) const {
  for (unsigned i = 0; i < count_; ++i) {
    // This cannot fail: the device accepted the same values before.
    static_cast<void>(hal::mx::write_base(runner.geometry(), runner.context(), i, bases_[i]));
  }
}

}  // namespace cox::kernels::mx

template class cox::kernels::Engine<cox::kernels::mx::Set>;
