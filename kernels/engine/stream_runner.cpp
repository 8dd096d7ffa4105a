// SPDX-License-Identifier: MIT
#include "coxswain/kernels/engine/stream_runner.h"

#include <algorithm>

#include "coxswain/hal/device.h"
#include "coxswain/hal/ring.h"

namespace cox::kernels {

Status StreamRunner::attach(hal::Accelerator &accelerator, std::optional<unsigned> context, Configuration configuration) {
  const registers::Engine engine = configuration.engine;
  if (accelerator.is_open()) {
    if (const Status status = hal::check_ring_size(accelerator.geometry(), configuration.queue_size_log2); !status) return status;
  }
  const Result<std::span<std::byte>> memory = accelerator.attach(engine, hal::StreamEngine::queue_bytes(configuration.queue_size_log2));
  if (!memory) return memory.status();
  const Result<unsigned> taken = accelerator.take_context(engine, context);
  if (taken) configuration.context = taken.value();
  configuration.uncached = accelerator.queue_memory();
  const Status status = taken ? init(accelerator.geometry(), memory.value(), configuration) : taken.status();
  accelerator_ = status ? &accelerator : nullptr;
  if (!status) static_cast<void>(accelerator.detach(engine));  // cannot fail: the engine is attached
  return status;
}

Status StreamRunner::close() {
  if (accelerator_ == nullptr) return Status(ErrorCode::not_ready, "engine");
  if (const Status status = hal::reset_engine(geometry_, engine_); !status) return status;
  hardware_ = {};
  const Status status = accelerator_->detach(engine_);
  accelerator_ = nullptr;
  return status;
}

Status StreamRunner::init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration) {
  if (configuration.windows.size() > kWindows)
    return Status(ErrorCode::invalid_argument, "windows", -1, static_cast<std::int64_t>(configuration.windows.size()), kWindows);
  geometry_ = geometry;
  engine_ = configuration.engine;
  explain_ = configuration.explain;
  read_waiting_ = configuration.read_waiting;
  reset_after_fault_ = configuration.reset_after_fault;
  restore_ = configuration.restore;
  owner_ = configuration.owner;
  queue_memory_ = queue_memory;
  queue_size_log2_ = configuration.queue_size_log2;
  uncached_ = configuration.uncached;
  context_ = configuration.context;
  window_count_ = static_cast<unsigned>(configuration.windows.size());
  std::copy(configuration.windows.begin(), configuration.windows.end(), windows_.begin());
  end_cycle_ = 0;
  warnings_ = 0;
  fault_ = {};
  hardware_ = {};
  tag_offset_ = 0;
  has_joined_ = false;
  restarts_ = 0;
  repeated_ = ~std::uint32_t{0};
  const Status status = take_into_use();
  failed_count_ = 0;
  failed_first_ = known_from_ = next_tag();
  return status;
}

Status StreamRunner::take_into_use() {
  const std::uint32_t tag = next_tag();
  hardware_ = {};      // nothing can be submitted if a step below fails
  was_quiet_ = false;  // the queue's indices restart, so quiet_tail_ has no meaning any more
  if (const Status status = hal::reset_engine(geometry_, engine_); !status) return status;
  if (const Status status = configure_context(); !status) return status;
  if (const Status status = hardware_.init(geometry_, engine_, queue_memory_, queue_size_log2_); !status) return status;
  tag_offset_ = tag - hardware_.tail();
  return {};
}

Status StreamRunner::configure_context() {
  hal::ContextConfiguration configuration;
  for (unsigned i = 0; i < window_count_; ++i)
    configuration.windows[i] = {windows_[i].base, windows_[i].bytes, windows_[i].read, windows_[i].write};
  ++resets_;
  return hal::configure_context(geometry_, context_, configuration);
}

Status StreamRunner::refusal() const {
  if (hardware_.room() != 0) return {};
  if (hardware_.in_flight() == 0) return Status(ErrorCode::not_ready, "engine");
  return Status(ErrorCode::no_room, "streams in flight", -1, hardware_.in_flight(), hardware_.in_flight());
}

Status StreamRunner::outcome_of(std::uint32_t tag) const {
  constexpr std::uint32_t kAhead = 1U << 31;
  if (tag - next_tag() < kAhead) return Status(ErrorCode::invalid_argument, "tag", -1, tag, next_tag());
  if (tag - failed_first_ < failed_count_) return failure_;
  if (tag - known_from_ >= kAhead) return Status(ErrorCode::not_ready, "tag", -1, tag, known_from_);
  return {};
}

bool StreamRunner::take_good() {
  while (hardware_.in_flight() != 0 && !hardware_.is_empty()) {
    const hal::Completion &completion = hardware_.oldest();
    if (!hardware_.is_expected(completion) || completion.status() != hal::FaultCode::none) return true;
    end_cycle_ = completion.time();
    warnings_ |= completion.warnings();
    hardware_.release();
  }
  return false;
}

void StreamRunner::block_thread() const {
  hardware_.enable_interrupt(true);
  cox_os_wait(hal::os_number(engine_));
  hardware_.enable_interrupt(false);
}

bool StreamRunner::is_in_trouble() {
  // Microseconds after which a completion entry counts as lost. Before that, it may just be delayed (docs/faults.md, swap).
  constexpr std::uint64_t kUnderWay = 100;
  trouble_ = {};
  if (!hardware_.is_enabled()) {
    trouble_ = Status(ErrorCode::device_fault, "engine reset");
  } else if (hardware_.is_blocked()) {
    trouble_ = Status(ErrorCode::device_fault, "completion");
  } else if (hardware_.ring_again()) {
    record({.detail = hardware_.tail(), .error = ErrorCode::timeout, .action = hal::FaultAction::corrected});
  } else if (hardware_.is_quiet()) {
    const std::uint64_t now = board::microseconds();
    const bool still = was_quiet_ && quiet_tail_ == hardware_.tail();
    if (still && now - quiet_since_ >= kUnderWay) trouble_ = Status(ErrorCode::device_fault, "completion");
    if (!still) quiet_since_ = now;
    quiet_tail_ = hardware_.tail();
    was_quiet_ = true;
    return !trouble_.ok();
  }
  was_quiet_ = false;
  return !trouble_.ok();
}

/// Collects the streams in flight, beginning with the one whose running index is `from`.
void StreamRunner::collect_lost(Lost &lost, std::uint32_t from) const {
  lost.first = from + tag_offset_;
  lost.count = hardware_.tail() - from;
  lost.can_run_again = lost.count <= kMostRestarted;
  // If the stream before `from` is joined to stream `from`, the streams cannot run again. The earlier stream's descriptor says whether it
  // is joined. In a full ring that descriptor is overwritten. The code then assumes that it was joined, if any stream since init() was.
  if (has_joined_ && (lost.count >= 1U << queue_size_log2_ || hardware_.descriptor(from - 1).joined())) lost.can_run_again = false;
  for (std::uint32_t i = 0; i < lost.count && lost.can_run_again; ++i) {
    const registers::EngineDescriptor &descriptor = hardware_.descriptor(from + i);
    lost.places[i] = {descriptor.address, descriptor.bytes};
    if (descriptor.joined()) lost.can_run_again = false;
  }
}

bool StreamRunner::goes_on(std::uint64_t limit_us) {
  if (hardware_.is_empty()) return ended_late();
  trouble_ = {};
  // A completion may have arrived since the caller looked.
  const hal::Completion &completion = hardware_.oldest();
  if (hardware_.is_expected(completion) && completion.status() == hal::FaultCode::none) return true;
  return ended_badly(limit_us);
}

bool StreamRunner::ended_late() {
  const Status status = trouble_.ok() ? Status(ErrorCode::timeout, "stream", -1, hardware_.in_flight()) : trouble_;
  trouble_ = {};
  const std::uint32_t oldest = hardware_.tail() - hardware_.in_flight();
  fault_ = {};
  fault_.address = hardware_.descriptor(oldest).address;
  if (read_waiting_ != nullptr) read_waiting_(stream(oldest), fault_);
  Lost lost;
  collect_lost(lost, oldest);
  return begin_anew(lost, status);
}

/// A fault quarantines the context, so the streams behind the failing one end at once without effect. After that no stream of the context
/// is in flight, and the context can be reset.
bool StreamRunner::ended_badly(std::uint64_t limit_us) {
  const std::uint32_t oldest = hardware_.tail() - hardware_.in_flight();
  const hal::Completion &entry = hardware_.oldest();
  const std::uint32_t before = oldest + tag_offset_ - 1;
  if (entry.is_intact() && entry.tag() == static_cast<std::uint16_t>(oldest - 1) && repeated_ != before) {
    // This is a second copy of the previous stream's completion, so it carries no information.
    repeated_ = before;
    static_cast<void>(hardware_.take());
    record({.error = ErrorCode::device_fault, .action = hal::FaultAction::corrected});
    return true;
  }
  Lost lost;
  collect_lost(lost, oldest);
  const hal::StreamCompletion completion = hardware_.take().value_or(hal::StreamCompletion());
  if (!completion.intact) return begin_anew(lost, Status(ErrorCode::device_fault, "completion"));

  explain(completion);
  const std::uint32_t detail = completion.fault.pack();
  const bool of_memory = completion.status == hal::FaultCode::ecc;
  const Status status(ErrorCode::device_fault, fault_.field, fault_.instruction, static_cast<std::int64_t>(fault_.code),
                      of_memory ? detail : completion.fault.offset);
  const hal::FaultRecord fault{
      .detail = detail, .instruction = fault_.instruction, .fault = completion.status, .error = ErrorCode::device_fault};
  // If the device could not read the descriptor, the completion names another context. Then the engine must be reset.
  const bool was_read = completion.context == context_;
  // After an ECC error in the descriptor, the stream's address in `lost` may be wrong, too.
  if (!was_read && completion.status == hal::FaultCode::ecc) lost.can_run_again = false;
  const bool drained = was_read && !reset_after_fault_ && drain(limit_us);
  if (!drained) return begin_anew(lost, status, fault);
  if (const Status ready = configure_context(); !ready) {
    status_ = ready;
    return false;
  }
  return run_again_or_fail(lost, status, fault);
}

/// Takes the completions of all streams in flight. Returns false if they do not arrive in time.
bool StreamRunner::drain(std::uint64_t limit_us) {
  Deadline deadline{limit_us};
  while (hardware_.in_flight() != 0) {
    if (!sleep(deadline) || !hardware_.is_expected(hardware_.oldest())) {
      trouble_ = {};
      return false;
    }
    hardware_.release();
  }
  return true;
}

/// Resets the engine, even if streams are in flight. `fault` holds details that `status` does not.
bool StreamRunner::begin_anew(const Lost &lost, const Status &status, hal::FaultRecord fault) {
  fault.error = status.code();
  hal::FaultRecord reset = fault;
  reset.action = hal::FaultAction::reset;
  record(reset);
  if (const Status ready = take_into_use(); !ready) {
    status_ = ready;
    return false;
  }
  return run_again_or_fail(lost, status, fault);
}

/// Call only when engine and context are ready and no stream is in flight.
bool StreamRunner::run_again_or_fail(const Lost &lost, const Status &status, hal::FaultRecord fault) {
  // Faults of the stream itself would recur; faults of the hardware may pass.
  const bool may_pass =
      fault.fault == hal::FaultCode::none || fault.fault == hal::FaultCode::bus_error || fault.fault == hal::FaultCode::ecc;
  if (restarted_ != lost.first) restarts_ = 0;
  const bool again = may_pass && lost.can_run_again && restarts_ < retries_;
  fault.action = again ? hal::FaultAction::retried : hal::FaultAction::failed;
  record(fault);
  if (!again) {
    known_from_ = failed_first_ + failed_count_;
    failed_first_ = lost.first;
    failed_count_ = lost.count;
    failure_ = status_ = status;
    return false;
  }
  restarted_ = lost.first;
  ++restarts_;
  if (restore_ != nullptr) restore_(owner_);
  tag_offset_ = lost.first - hardware_.tail();
  for (std::uint32_t i = 0; i < lost.count; ++i) {
    // This cannot fail: the stream was accepted before, and the ring is empty.
    static_cast<void>(hardware_.submit(context_, lost.places[i].address, lost.places[i].bytes));
  }
  return true;
}

void StreamRunner::record(hal::FaultRecord fault) const {
  const hal::InterruptMask mask;  // other threads may report faults of other engines
  fault.cycle = hal::device_cycles();
  fault.queue = static_cast<std::uint8_t>(registers::kFirstEngineQueueNumber + static_cast<unsigned>(engine_));
  fault.context = static_cast<std::uint8_t>(context_);
  hal::fault_log::append(fault);
}

void StreamRunner::explain(const hal::StreamCompletion &completion) {
  fault_ = {};
  fault_.code = completion.status;
  const bool was_read = completion.context == context_;
  if (completion.status == hal::FaultCode::ecc) fault_.address = completion.fault.pack();
  if (!was_read || completion.status == hal::FaultCode::ecc) {
    fault_.field = was_read ? "memory" : "descriptor";
    return;
  }
  const registers::EngineDescriptor &descriptor = hardware_.descriptor(completion.tag);
  fault_.address = descriptor.address + completion.fault.offset;
  if (explain_ != nullptr) explain_(stream(completion.tag), completion.fault, fault_);
  if (read_waiting_ != nullptr) read_waiting_(stream(completion.tag), fault_);
}

std::span<const std::byte> StreamRunner::stream(std::uint32_t index) const {
  const registers::EngineDescriptor &descriptor = hardware_.descriptor(index);
  return {hal::core_pointer<const std::byte>(descriptor.address), descriptor.bytes};
}

}  // namespace cox::kernels
