// SPDX-License-Identifier: MIT
#include "kernels/mx/engine.h"

#include <algorithm>

#include "hal/mx/base.h"

namespace cox::kernels::mx {
namespace {

static_assert(kWindows == kernels::kWindows && isa::mx::kBaseRegisters == registers::mx::base::kCount);

// Copied, which is half of what a new one costs.
const Status kGood;

void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
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

}  // namespace

Status Engine::init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration) {
  base_count_ = 0;
  const Status status = runner_.init(geometry, queue_memory,
                                     {.engine = registers::Engine::mx,
                                      .context = configuration.context,
                                      .windows = configuration.windows,
                                      .queue_size_log2 = configuration.queue_size_log2,
                                      .explain = explain,
                                      .restore = restore,
                                      .owner = this});
  resets_ = runner_.resets();
  return status;
}

[[gnu::always_inline]] inline Result<std::uint32_t> Engine::submit_stream(const Stream &stream) {
  if (!runner_.has_room()) return runner_.refusal();
  const std::span<const std::uint64_t> bases = stream.bases();
  for (unsigned i = 0; i < bases.size(); ++i) {
    if (i < base_count_ && bases_[i] == bases[i]) continue;
    // Streams in flight use the registers that are written, and may use none of those that are not.
    if (i < base_count_ && runner_.in_flight() != 0)
      return Status(ErrorCode::not_ready, "base registers", static_cast<std::int32_t>(i), runner_.in_flight());
    if (const Status status = hal::mx::write_base(runner_.geometry(), runner_.context(), i, bases[i]); !status) return status;
    bases_[i] = bases[i];
    base_count_ = std::max(base_count_, i + 1);
  }
  return runner_.submit(stream.code());
}

[[gnu::always_inline]] inline Status Engine::wait_for(std::uint32_t tag, std::uint64_t limit_us) {
  if (runner_.wait(tag, limit_us)) [[likely]]
    return kGood;
  return failed();
}

void Engine::restore(void *owner) {
  const Engine &engine = *static_cast<const Engine *>(owner);
  for (unsigned i = 0; i < engine.base_count_; ++i) {
    // They were accepted before.
    static_cast<void>(hal::mx::write_base(engine.runner_.geometry(), engine.runner_.context(), i, engine.bases_[i]));
  }
}

[[gnu::cold, gnu::noinline]] Status Engine::failed() {
  if (resets_ != runner_.resets()) base_count_ = 0;
  resets_ = runner_.resets();
  return runner_.status();
}

// run() is what applications call for each of their kernels: it has its own copy of the other two.
Result<std::uint32_t> Engine::submit(const Stream &stream) { return submit_stream(stream); }

Status Engine::wait(std::uint32_t tag, std::uint64_t limit_us) { return wait_for(tag, limit_us); }

Status Engine::run(const Stream &stream, std::uint64_t limit_us) {
  const Result<std::uint32_t> tag = submit_stream(stream);
  if (!tag) return tag.status();
  return wait_for(tag.value(), limit_us);
}

}  // namespace cox::kernels::mx
