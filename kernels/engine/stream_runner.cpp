// SPDX-License-Identifier: MIT
#include "kernels/engine/stream_runner.h"

#include <algorithm>
#include <optional>

#include "hal/device.h"

namespace cox::kernels {

Status StreamRunner::init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration) {
  if (configuration.windows.size() > kWindows)
    return Status(ErrorCode::invalid_argument, "windows", -1, static_cast<std::int64_t>(configuration.windows.size()), kWindows);
  geometry_ = geometry;
  engine_ = configuration.engine;
  explain_ = configuration.explain;
  queue_memory_ = queue_memory;
  queue_size_log2_ = configuration.queue_size_log2;
  context_ = configuration.context;
  window_count_ = static_cast<unsigned>(configuration.windows.size());
  std::copy(configuration.windows.begin(), configuration.windows.end(), windows_.begin());
  end_cycle_ = 0;
  warnings_ = 0;
  fault_ = {};
  return take_into_use();
}

Status StreamRunner::take_into_use() {
  hardware_ = {};  // nothing can be submitted unless all goes well
  if (const Status status = hal::reset_engine(geometry_, engine_); !status) return status;
  if (const Status status = configure_context(); !status) return status;
  if (const Status status = hardware_.init(geometry_, engine_, queue_memory_, queue_size_log2_); !status) return status;
  hal::set_enabled(true);
  failed_count_ = 0;
  failed_first_ = known_from_ = hardware_.tail();
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
  if (tag - hardware_.tail() < kAhead) return Status(ErrorCode::invalid_argument, "tag", -1, tag, hardware_.tail());
  if (tag - failed_first_ < failed_count_) return failure_;
  if (tag - known_from_ >= kAhead) return Status(ErrorCode::not_ready, "tag", -1, tag, known_from_);
  return {};
}

/// The context is quarantined, so that streams behind the one that failed end at once, without effect. Then nothing of the context is in
/// flight, and it can be reset.
Status StreamRunner::recover(Deadline deadline) {
  const hal::StreamCompletion completion = hardware_.take().value_or(hal::StreamCompletion());
  if (!completion.intact) return lose_streams(Status(ErrorCode::device_fault, "completion"));
  explain(completion);
  record({.detail = completion.fault.pack(),
          .instruction = fault_.instruction,
          .fault = completion.status,
          .error = ErrorCode::device_fault,
          .action = hal::FaultAction::failed});
  known_from_ = failed_first_ + failed_count_;
  failed_first_ = completion.tag;
  failed_count_ = hardware_.tail() - completion.tag;
  failure_ =
      Status(ErrorCode::device_fault, fault_.field, fault_.instruction, static_cast<std::int64_t>(fault_.code), completion.fault.offset);
  while (hardware_.in_flight() != 0) {
    if (!sleep(deadline)) return give_up();
    if (!hardware_.is_expected(hardware_.oldest())) return lose_streams(Status(ErrorCode::device_fault, "completion"));
    hardware_.release();
  }
  // The record keeps the first fault until somebody clears it, and the completion has said all that it could.
  const unsigned own_queue = registers::kFirstEngineQueueNumber + static_cast<unsigned>(engine_);
  if (const std::optional<hal::Fault> recorded = hal::read_fault(); recorded && recorded->queue_number == own_queue) hal::clear_fault();
  if (const Status status = configure_context(); !status) return status;
  return failure_;
}

Status StreamRunner::give_up() {
  if (hardware_.is_blocked()) return lose_streams(Status(ErrorCode::device_fault, "completion"));
  return lose_streams(Status(ErrorCode::timeout, "stream", -1, hardware_.in_flight()));
}

/// Begins anew with the engine, whatever it still holds.
Status StreamRunner::lose_streams(const Status &status) {
  record({.error = status.code(), .action = hal::FaultAction::reset});
  if (const Status ready = take_into_use(); !ready) return ready;
  return status;
}

void StreamRunner::record(const hal::FaultRecord &fault) const {
  hal::FaultRecord complete = fault;
  complete.cycle = hal::device_cycles();
  complete.queue = static_cast<std::uint8_t>(registers::kFirstEngineQueueNumber + static_cast<unsigned>(engine_));
  complete.context = static_cast<std::uint8_t>(context_);
  hal::fault_log::append(complete);
}

void StreamRunner::explain(const hal::StreamCompletion &completion) {
  const registers::EngineDescriptor &descriptor = hardware_.descriptor(completion.tag);
  fault_ = {};
  fault_.code = completion.status;
  fault_.address = descriptor.address + completion.fault.offset;
  if (explain_ == nullptr) return;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a bus address
  const std::span stream(reinterpret_cast<const std::byte *>(static_cast<std::uintptr_t>(descriptor.address)), descriptor.bytes);
  explain_(stream, completion.fault, fault_);
}

}  // namespace cox::kernels
