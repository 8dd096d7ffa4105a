// SPDX-License-Identifier: MIT
#include "kernels/mx/engine.h"

#include <algorithm>
#include <limits>

#include "hal/board.h"
#include "hal/cache.h"
#include "hal/context.h"
#include "hal/interrupt_mask.h"
#include "hal/mx_base.h"

namespace cox::kernels::mx {
namespace {

static_assert(kWindows == hal::kWindows && isa::mx::kBaseRegisters == registers::mx::base::kCount);

// Copied, which is half of what a new one costs.
const Status kGood;
constexpr unsigned kMxQueueNumber = registers::kFirstEngineQueueNumber + static_cast<unsigned>(registers::Engine::mx);

}  // namespace

Status Engine::init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration) {
  if (configuration.windows.size() > kWindows)
    return Status(ErrorCode::invalid_argument, "windows", -1, static_cast<std::int64_t>(configuration.windows.size()), kWindows);
  geometry_ = geometry;
  queue_memory_ = queue_memory;
  queue_size_log2_ = configuration.queue_size_log2;
  context_ = configuration.context;
  window_count_ = static_cast<unsigned>(configuration.windows.size());
  std::copy(configuration.windows.begin(), configuration.windows.end(), windows_.begin());
  end_cycle_ = 0;
  fault_ = {};
  return take_into_use();
}

Status Engine::take_into_use() {
  hardware_ = {};  // nothing can be submitted unless all goes well
  if (const Status status = hal::reset_engine(geometry_, registers::Engine::mx); !status) return status;
  if (const Status status = configure_context(); !status) return status;
  if (const Status status = hardware_.init(geometry_, registers::Engine::mx, queue_memory_, queue_size_log2_); !status) return status;
  hal::set_enabled(true);
  failed_count_ = 0;
  failed_first_ = known_from_ = hardware_.tail();
  return {};
}

Status Engine::configure_context() {
  hal::ContextConfiguration configuration;
  for (unsigned i = 0; i < window_count_; ++i)
    configuration.windows[i] = {windows_[i].base, windows_[i].bytes, windows_[i].read, windows_[i].write};
  base_count_ = 0;
  return hal::configure_context(geometry_, context_, configuration);
}

[[gnu::always_inline]] inline Result<std::uint32_t> Engine::submit_stream(const Stream &stream) {
  if (hardware_.room() == 0) {
    if (hardware_.in_flight() == 0) return Status(ErrorCode::not_ready, "engine");
    return Status(ErrorCode::no_room, "streams in flight", -1, hardware_.in_flight(), hardware_.in_flight());
  }
  const std::span<const std::uint64_t> bases = stream.bases();
  for (unsigned i = 0; i < bases.size(); ++i) {
    if (i < base_count_ && bases_[i] == bases[i]) continue;
    // Streams in flight use the registers that are written, and may use none of those that are not.
    if (i < base_count_ && hardware_.in_flight() != 0)
      return Status(ErrorCode::not_ready, "base registers", static_cast<std::int32_t>(i), hardware_.in_flight());
    if (const Status status = hal::write_mx_base(geometry_, context_, i, bases[i]); !status) return status;
    bases_[i] = bases[i];
    base_count_ = std::max(base_count_, i + 1);
  }
  const std::span<const std::byte> code = stream.code();
  hal::clean_cache(code.data(), code.size());
  return hardware_.submit(context_, reinterpret_cast<std::uintptr_t>(code.data()), static_cast<std::uint32_t>(code.size()));
}

[[gnu::always_inline]] inline std::optional<hal::StreamCompletion> Engine::next(Deadline &deadline) {
  for (;;) {
    const hal::InterruptMask mask;  // anew each time, so that other handlers run in between
    if (hardware_.is_empty()) {
      if (deadline.is_over(board::microseconds())) return std::nullopt;
      // Only here: while the core does something else, nobody would answer the interrupt.
      if (!hal::enable_engine_interrupt(geometry_, registers::Engine::mx, true)) return std::nullopt;
      board::wait_for_completion();
      if (!hal::enable_engine_interrupt(geometry_, registers::Engine::mx, false)) return std::nullopt;
      if (hardware_.is_empty()) continue;
    }
    return hardware_.take();
  }
}

[[gnu::always_inline]] inline Status Engine::wait_for(std::uint32_t tag, std::uint64_t limit_us) {
  if (!hardware_.is_in_flight(tag)) return outcome_of(tag);
  Deadline deadline{limit_us};
  do {
    const std::optional<hal::StreamCompletion> completion = next(deadline);
    if (!completion) return give_up();
    if (completion->status != hal::FaultCode::none) return recover(*completion, deadline);
    end_cycle_ = completion->time;
  } while (hardware_.is_in_flight(tag));
  return kGood;
}

[[gnu::noinline]] Status Engine::outcome_of(std::uint32_t tag) const {
  constexpr std::uint32_t kAhead = 1U << 31;
  if (tag - hardware_.tail() < kAhead) return Status(ErrorCode::invalid_argument, "tag", -1, tag, hardware_.tail());
  if (tag - failed_first_ < failed_count_) return failure_;
  if (tag - known_from_ >= kAhead) return Status(ErrorCode::not_ready, "tag", -1, tag, known_from_);
  return {};
}

// run() is what applications call for each of their kernels: it has its own copy of the other two.
Result<std::uint32_t> Engine::submit(const Stream &stream) { return submit_stream(stream); }

Status Engine::wait(std::uint32_t tag, std::uint64_t limit_us) { return wait_for(tag, limit_us); }

Status Engine::run(const Stream &stream, std::uint64_t limit_us) {
  const Result<std::uint32_t> tag = submit_stream(stream);
  if (!tag) return tag.status();
  return wait_for(tag.value(), limit_us);
}

/// The context is quarantined, so that streams behind the one that failed end at once, without effect. Then nothing of the context is in
/// flight, and it can be reset.
Status Engine::recover(const hal::StreamCompletion &completion, Deadline &deadline) {
  explain(completion);
  known_from_ = failed_first_ + failed_count_;
  failed_first_ = completion.tag;
  failed_count_ = hardware_.tail() - completion.tag;
  failure_ =
      Status(ErrorCode::device_fault, fault_.field, fault_.instruction, static_cast<std::int64_t>(fault_.code), completion.fault.offset);
  while (hardware_.in_flight() != 0) {
    if (!next(deadline)) return give_up();
  }
  // The record keeps the first fault until somebody clears it, and the completion has said all that it could.
  if (const std::optional<hal::Fault> recorded = hal::read_fault(); recorded && recorded->queue_number == kMxQueueNumber)
    hal::clear_fault();
  if (const Status status = configure_context(); !status) return status;
  return failure_;
}

Status Engine::give_up() {
  const auto in_flight = static_cast<std::int64_t>(hardware_.in_flight());
  if (const Status status = take_into_use(); !status) return status;
  return Status(ErrorCode::timeout, "stream", -1, in_flight);
}

void Engine::explain(const hal::StreamCompletion &completion) {
  const registers::EngineDescriptor &descriptor = hardware_.descriptor(completion.tag);
  fault_ = {};
  fault_.code = completion.status;
  fault_.address = descriptor.address + completion.fault.offset;
  fault_.name = "instruction";
  fault_.field = "instruction";
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  const std::span stream(reinterpret_cast<const std::byte *>(static_cast<std::uintptr_t>(descriptor.address)), descriptor.bytes);
  std::size_t offset = 0;
  for (std::int32_t number = 0; offset < stream.size(); ++number) {
    const Result<isa::mx::Fetched> fetched = isa::mx::fetch(stream.subspan(offset));
    if (offset == completion.fault.offset) {
      fault_.instruction = number;
      if (!fetched) return;
      fault_.name = fetched.value().instruction->name;
      fault_.field = isa::mx::field_name(*fetched.value().instruction, completion.fault.field_bit);
      return;
    }
    if (!fetched) return;
    offset += fetched.value().instruction->bytes;
  }
}

}  // namespace cox::kernels::mx
