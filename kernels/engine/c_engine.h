// SPDX-License-Identifier: MIT
// The common part of the C interfaces of the kernel libraries. Each library has one engine object, streams lie in the caller's memory, and
// functions return `cox_status`. Each library adds one function for each kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "coxswain/base/cox_status.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cox_submission.h"
#include "coxswain/hal/opened_accelerator.h"
#include "coxswain/isa/window.h"
#include "coxswain/kernels/engine/c_interface.h"
#include "coxswain/kernels/engine/stream_submissions.h"

namespace cox::kernels::c_interface {

/// `Engine` is a kernels::Engine. `Handle` is a C structure whose member `opaque` holds a stream of the engine.
template <typename Engine, typename Handle>
class CEngine {
 public:
  using Stream = typename Engine::Stream;
  static_assert(sizeof(Stream) <= sizeof(Handle) && alignof(Stream) <= alignof(Handle) && std::is_trivially_destructible_v<Stream>);

  /// `open` is the name of the C function that calls open().
  explicit constexpr CEngine(const char *open) : open_(open) {}

  /// Opens the engine with all of DRAM as its window. Errors: not_ready ("cox_open") before cox_open(); those of kernels::Engine::init().
  cox_status open() {
    const Result<hal::Accelerator *> accelerator = hal::opened_accelerator();
    if (!accelerator) return to_c(accelerator.status());
    Engine *const opened = engine_ != nullptr ? engine_ : create();  // init() refuses an engine that is open
    const MemoryRange range = hal::dram_range();
    const isa::Window dram[] = {{.base = range.address, .bytes = range.size, .read = true, .write = true}};
    const Status status = opened->init(*accelerator.value(), {.windows = dram});
    if (status.ok() && engine_ == nullptr) submissions_->open();
    if (status.ok()) engine_ = opened;
    return to_c(status);
  }
  /// Streams in flight are lost, and their handles become invalid.
  cox_status close() {
    if (engine_ == nullptr) return before_open();
    const typename Submissions::Exclusive exclusive(*submissions_);
    const Status status = engine_->close();
    if (!status.ok()) return to_c(status);
    submissions_->close();
    engine_ = nullptr;
    return to_c(status);
  }

  /// Returns nullptr before open().
  [[nodiscard]] Engine *engine() const { return engine_; }
  [[nodiscard]] cox_status before_open() const { return to_c(Status(ErrorCode::not_ready, open_)); }

  /// Makes an empty stream in `memory`. `shape` holds the further arguments of Stream::init().
  template <typename... Shape>
  cox_status init_stream(Handle &handle, void *memory, std::size_t bytes, Shape... shape) {
    if (engine_ == nullptr) return before_open();
    return to_c((new (handle.opaque) Stream)->init({static_cast<std::byte *>(memory), bytes}, engine_->windows(), shape...));
  }

  template <typename AnyHandle>
  cox_status run(AnyHandle &stream, std::uint32_t time_limit_us) {
    if (engine_ == nullptr) return before_open();
    const Result<hal::Handle> submitted = submissions_->submit(stream_in(stream));
    if (!submitted) return to_c(submitted.status());
    return to_c(submissions_->wait(submitted.value(), limit_of(time_limit_us), hal::AtLimit::stop));
  }

  template <typename AnyHandle>
  cox_status submit(AnyHandle &stream, cox_handle *handle) {
    if (engine_ == nullptr) return before_open();
    if (handle == nullptr) return to_c(Status(ErrorCode::invalid_argument, "handle"));
    const Result<hal::Handle> submitted = submissions_->submit(stream_in(stream));
    if (submitted) *handle = submitted.value().bits();
    return to_c(submitted.status());
  }
  cox_status wait(cox_handle handle, std::uint32_t time_limit_us) {
    if (engine_ == nullptr) return before_open();
    return to_c(submissions_->wait(hal::Handle(handle), limit_of(time_limit_us), hal::AtLimit::stop));
  }
  /// Calls `function` with the engine while this thread uses it for itself. Returns not_ready ("callback") instead if an interrupt may use
  /// it.
  template <typename Function>
  cox_status alone(const Function &function) {
    if (engine_ == nullptr) return before_open();
    const typename Submissions::Exclusive exclusive(*submissions_);
    if (submissions_->has_interrupt_calls()) return to_c(Status(ErrorCode::not_ready, "callback"));
    return to_c(function(*engine_));
  }
  /// Returns the device cycles at the end of the last stream that ended well; 0 before open().
  [[nodiscard]] std::uint64_t end_cycle() const { return engine_ == nullptr ? 0 : engine_->end_cycle(); }

  static Stream &stream_in(Handle &handle) { return *std::launder(reinterpret_cast<Stream *>(handle.opaque)); }
  static const Stream &stream_in(const Handle &handle) { return *std::launder(reinterpret_cast<const Stream *>(handle.opaque)); }
  /// Returns the time limit to use; 0 selects the default.
  static std::uint64_t limit_of(std::uint32_t time_limit_us) { return time_limit_us == 0 ? Engine::kDefaultLimit : time_limit_us; }

 private:
  using Submissions = StreamSubmissions<Engine>;

  Engine *create() {
    auto *const engine = new (memory_) Engine;
    if (submissions_ == nullptr) submissions_ = new (memory_of_submissions_) Submissions(*engine);
    return engine;
  }

  const char *open_;
  Engine *engine_ = nullptr;  ///< the engine if it is open
  /// Made at the first open() and never again, so that generations of handles continue. The engine is always at the same place.
  Submissions *submissions_ = nullptr;
  alignas(Engine) std::byte memory_[sizeof(Engine)]{};
  alignas(Submissions) std::byte memory_of_submissions_[sizeof(Submissions)]{};
};

}  // namespace cox::kernels::c_interface
