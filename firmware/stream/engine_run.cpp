// SPDX-License-Identifier: MIT
#include "coxswain/firmware/stream/engine_run.h"

#include <optional>

#include "coxswain/base/inline_copy.h"
#include "coxswain/firmware/schedule/watch.h"
#include "coxswain/firmware/stream/program_kind.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::firmware::stream {

namespace {

constexpr unsigned kQueueSizeLog2 = 1;  // a run has one stream in flight
/// Microseconds after which a completion entry counts as lost. Before that, it may just be delayed (docs/faults.md, swap).
constexpr std::uint64_t kUnderWay = 100;

}  // namespace

Status EngineRun::attach(hal::Accelerator &accelerator, registers::Engine engine, void (*on_completion)()) {
  if (accelerator_ != nullptr) return broken_;
  const Result<std::span<std::byte>> memory = accelerator.attach(engine, hal::StreamEngine::queue_bytes(kQueueSizeLog2));
  if (!memory) return memory.status();
  engine_ = engine;
  queue_memory_ = memory.value();
  accelerator_ = &accelerator;
  const Result<unsigned> context = accelerator.take_context(engine);
  Status status = context.status();
  if (context) {
    context_ = context.value();
    status = prepare_engine();
  }
  if (status) status = accelerator.connect(engine, {.completion = on_completion});
  if (!status) {
    static_cast<void>(accelerator.detach(engine));  // cannot fail: the engine is attached
    accelerator_ = nullptr;
    broken_ = {};
    return status;
  }
  set_clock(false);
  return {};
}

/// Resets the engine and brings up its queues.
Status EngineRun::prepare_engine() {
  hardware_ = {};
  broken_ = hal::reset_engine(accelerator_->geometry(), engine_);
  if (broken_) broken_ = hardware_.init(accelerator_->geometry(), engine_, queue_memory_, kQueueSizeLog2);
  return broken_;
}

void EngineRun::use_clock() {
  if (clock_users_++ == 0) set_clock(true);
}

void EngineRun::leave_clock() {
  if (--clock_users_ == 0) set_clock(false);
}

Status EngineRun::reset_engine() {
  const hal::InterruptMask mask;
  if (const Status status = prepare_engine(); !status) return status;
  is_blocked_ = false;
  hardware_.enable_interrupt(true);
  return {};
}

void EngineRun::set_clock(bool runs) {
  const hal::InterruptMask mask;                                                      // handlers may write the clocks of cores
  static_cast<void>(hal::set_engine_clock(accelerator_->geometry(), engine_, runs));  // cannot fail: the engine is attached
}

Status EngineRun::start(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows,
                        const schedule::RunOptions &options, Peers *peers) {
  task_ = &task;
  peers_ = peers;
  for (unsigned i = 0; i < hal::kWindows; ++i) windows_[i] = windows[i];
  owner_ = options.owner;
  report_.waiting = {};  // empty already before start_again(), because the run before has ended well
  set_options(options);
  use_clock();
  const Status status = launch();
  if (!status) leave_clock();
  return status;
}

/// Sets what may differ from one run of a task to the next, and begins its report.
void EngineRun::set_options(const schedule::RunOptions &options) {
  time_limit_ = options.time_limit_us == 0 ? schedule::kDefaultTimeLimit : options.time_limit_us;
  retries_left_ = options.retries;
  report_.status = {};
  report_.fault_address = 0;
  report_.cores = report_.retried = report_.warnings = 0;
}

void EngineRun::restart() {
  if (const Status status = launch(); !status) end(status);
}

/// Sets up the context and submits the program. The device has no stream of the context.
Status EngineRun::launch() {
  hal::ContextConfiguration configuration;
  configuration.owner = owner_;
  for (unsigned i = 0; i < hal::kWindows; ++i) configuration.windows[i] = windows_[i];
  if (peers_ != nullptr && peers_->cores != 0) {
    const hal::Geometry &geometry = accelerator_->geometry();
    configuration.l2_first = configuration.wl0_first = 0;
    configuration.l2_last = geometry.l2_bytes / geometry.l2_block_bytes - 1;
    configuration.wl0_last = geometry.wl0_units - 1;
    configuration.first_core = peers_->first_core;
    configuration.last_core = peers_->first_core + peers_->cores - 1;
  }
  if (Status status = hal::configure_context(accelerator_->geometry(), context_, configuration); !status) return status;
  const Result<std::span<const std::byte>> code = bound_code();
  if (!code) return code.status();
  return submit(code.value());
}

bool EngineRun::start_again(std::span<const hal::Window, hal::kWindows> windows, const schedule::RunOptions &options,
                            schedule::RunSummary &ended) {
  if (!report_.status || !broken_) return false;
  hal::move_windows(context_, windows_, windows);
  const Result<std::span<const std::byte>> code = bound_code();
  if (!code) return false;
  complete();
  inline_copy(ended, report_);
  set_options(options);
  if (const Status status = submit(code.value()); !status) end(status);
  return true;
}

/// Applies the relocations of the program to the windows, and returns the stream to submit.
Result<std::span<const std::byte>> EngineRun::bound_code() const {
  const image::StreamProgram &program = *task_->program();
  return program.kind->bind(program, windows_, accelerator_->geometry(), context_);
}

/// Submits a bound program.
Status EngineRun::submit(std::span<const std::byte> code) {
  code_ = code;
  const hal::InterruptMask mask;
  has_completion_ = false;
  const std::uint64_t now = board::microseconds();
  deadline_ = now + time_limit_;
  last_look_ = now;
  quiet_since_ = UINT64_MAX;
  if (report_.retried == 0) {
    report_.start_cycle = hal::device_cycles();
    control_start_ = board::executed_instructions();
  }
  const Result<std::uint32_t> tag = hardware_.submit(context_, hal::bus_address(code_), static_cast<std::uint32_t>(code_.size()));
  if (!tag) return tag.status();
  state_ = State::running;
  return {};
}

void EngineRun::take_completion() {
  if (hardware_.is_empty()) {
    // The line would stay high. look() finds out why.
    hardware_.enable_interrupt(false);
    is_blocked_ = true;
  } else if (const std::optional<hal::StreamCompletion> completion = hardware_.take(); completion && !has_completion_) {
    completion_ = *completion;
    has_completion_ = true;
  }
}

void EngineRun::look() {
  if (state_ != State::running) return;
  bool ended = false, blocked = false;
  {
    const hal::InterruptMask mask;
    if (!has_completion_ && !hardware_.is_empty()) take_completion();  // before its interrupt, or after a lost one
    ended = has_completion_;
    blocked = is_blocked_;
    if (blocked) {
      is_blocked_ = false;
      hardware_.enable_interrupt(true);
    }
  }
  if (ended) return finish(completion_);
  const std::uint64_t now = board::microseconds();
  if (now >= deadline_) return fail({ErrorCode::time_limit, "stream", -1, time_limit_}, {.error = ErrorCode::time_limit}, false);
  if (!blocked && now - last_look_ < schedule::kLookInterval) return;
  last_look_ = now;
  if (const Status status = find_trouble(now); !status) fail(status, {.error = status.code()}, true);
}

/// Looks for events that the device does not report. Rings a lost doorbell again.
Status EngineRun::find_trouble(std::uint64_t now) {
  const hal::InterruptMask mask;
  if (has_completion_ || !hardware_.is_empty()) return {};
  if (!hardware_.is_enabled()) return {ErrorCode::device_fault, "engine reset"};
  if (hardware_.is_blocked()) return {ErrorCode::device_fault, "completion"};
  if (hardware_.ring_again()) {
    record({.detail = hardware_.tail(), .error = ErrorCode::timeout, .action = hal::FaultAction::corrected});
  } else if (hardware_.is_quiet()) {
    if (quiet_since_ == UINT64_MAX) quiet_since_ = now;
    return now - quiet_since_ >= kUnderWay ? Status(ErrorCode::device_fault, "completion") : Status();
  }
  quiet_since_ = UINT64_MAX;
  return {};
}

void EngineRun::finish(const hal::StreamCompletion &completion) {
  report_.warnings = static_cast<std::uint8_t>(report_.warnings | completion.warnings);
  if (completion.intact && completion.status == hal::FaultCode::none) {
    report_.end_cycle = completion.time;
    return end({});
  }
  if (!completion.intact) return fail({ErrorCode::device_fault, "completion"}, {.error = ErrorCode::device_fault}, true);
  const Status status = explain(completion);
  if (peers_ != nullptr && completion.status == hal::FaultCode::ecc) peers_->reset_cores();
  const bool passing =
      completion.status == hal::FaultCode::bus_error || completion.status == hal::FaultCode::ecc || is_peer_reset(completion);
  fail(status,
       {.detail = completion.fault.pack(), .instruction = status.index(), .fault = completion.status, .error = ErrorCode::device_fault},
       passing);
}

/// True if other code has reset an engine or a core while it ran a slot of the program. Nothing else aborts a stream before its completion.
bool EngineRun::is_peer_reset(const hal::StreamCompletion &completion) const {
  return peers_ != nullptr && completion.status == hal::FaultCode::aborted;
}

/// Returns the error of a completion with a fault, and writes its address to the report.
Status EngineRun::explain(const hal::StreamCompletion &completion) {
  const auto code = static_cast<std::int64_t>(completion.status);
  const bool of_memory = completion.status == hal::FaultCode::ecc;
  // If the device could not read the descriptor, the completion names another context.
  const bool was_read = completion.context == context_;
  if (of_memory) report_.fault_address = completion.fault.pack();
  if (of_memory || !was_read) {
    return {ErrorCode::device_fault, was_read ? "memory" : "descriptor", -1, code, of_memory ? completion.fault.pack() : 0};
  }
  const ProgramKind &kind = *task_->program()->kind;
  const isa::Location place = kind.locate(code_, completion.fault);
  report_.fault_address = hal::bus_address(code_) + place.byte;
  if (Status status = kind.explain(completion); !status) return status;
  if (is_peer_reset(completion)) return {ErrorCode::device_fault, "engine reset", place.instruction, code};
  const char *const field = *place.field == '\0' ? "instruction" : place.field;
  return {ErrorCode::device_fault, field, place.instruction, code, completion.fault.offset};
}

/// Resets the engine, and begins the run again or ends it. `passing`: the fault may not recur.
void EngineRun::fail(const Status &status, hal::FaultRecord fault, bool passing) {
  const unsigned waiting = task_->program()->kind->read_waiting(code_, waiting_);
  if (peers_ != nullptr) stop_peers();
  {
    const hal::InterruptMask mask;
    static_cast<void>(prepare_engine());
    is_blocked_ = false;
    hardware_.enable_interrupt(broken_.ok());
  }
  const bool again = passing && retries_left_ != 0 && broken_.ok();
  fault.action = again ? hal::FaultAction::retried : hal::FaultAction::failed;
  record(fault);
  if (!again) {
    report_.waiting = std::span(waiting_).first(waiting);
    return end(status);
  }
  --retries_left_;
  ++report_.retried;
  state_ = State::restarting;
}

/// Stops what the program has submitted to other engines. The end of the stream says that they have ended it.
void EngineRun::stop_peers() {
  if (state_ != State::running || has_completion_) return;                    // an attempt that has failed has stopped them already
  if (hardware_.is_enabled() && hardware_.is_quiet()) return;                 // only the completion was lost
  static_cast<void>(hal::abort_context(accelerator_->geometry(), context_));  // cannot fail: the context exists
  for (unsigned polls = 0; polls < hal::kResetPolls; ++polls) {
    if (!hardware_.is_enabled() || !hardware_.is_empty()) break;
  }
  if (hardware_.is_empty()) peers_->reset();
}

void EngineRun::record(hal::FaultRecord fault) const {
  fault.cycle = hal::device_cycles();
  fault.queue = static_cast<std::uint8_t>(registers::row_of(engine_).queue_number());
  fault.context = static_cast<std::uint8_t>(context_);
  fault.owner = owner_;
  hal::fault_log::append(fault);
}

void EngineRun::cancel() {
  if (state_ != State::running && state_ != State::restarting) return;
  fail({ErrorCode::cancelled, "stream"}, {.error = ErrorCode::cancelled}, false);
}

void EngineRun::end(const Status &status) {
  const hal::InterruptMask mask;
  const std::uint64_t executed = board::executed_instructions();
  report_.status = status;
  report_.control_instructions = executed == UINT64_MAX ? UINT64_MAX : executed - control_start_;
  report_.counted_cycle = hal::device_cycles();
  if (!status) report_.end_cycle = report_.counted_cycle;
  state_ = State::ended;
}

/// Completes the report of a run that has ended.
void EngineRun::complete() { report_.accelerator_instructions = report_.status ? task_->program()->instructions : 0; }

const schedule::RunSummary &EngineRun::take_report() {
  leave_clock();
  state_ = State::idle;
  complete();
  return report_;
}

}  // namespace cox::firmware::stream
