// SPDX-License-Identifier: MIT
// The common part of the C interfaces of the kernel libraries. Each library has one engine object, streams lie in the caller's memory, and
// functions return `cox_status`. Each library adds one function for each kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

#include "base/cox_status.h"
#include "hal/board.h"
#include "hal/device.h"
#include "isa/window.h"
#include "kernels/engine/c_interface.h"

namespace cox::kernels::c_interface {

/// Connects the two interrupt handlers of the accelerator. The completion handler does nothing, because kernels::Engine reads the
/// completion queue itself. The fault handler only clears the fault record of the device, because the completion of the failed stream also
/// has the fault.
void connect_interrupts();

/// `Engine` is a kernels::Engine. `Handle` is a C structure whose member `opaque` holds a stream of the engine.
template <typename Engine, typename Handle>
class CEngine {
 public:
  using Stream = typename Engine::Stream;
  static_assert(sizeof(Stream) <= sizeof(Handle) && alignof(Stream) <= alignof(Handle) && std::is_trivially_destructible_v<Stream>);

  /// `init` is the name of the C function that calls open().
  explicit constexpr CEngine(const char *init) : init_(init) {}

  /// Opens the engine with all of DRAM as its window.
  cox_status open(std::span<std::byte> queue_memory, unsigned context, unsigned queue_size_log2) {
    engine_ = nullptr;
    const Result<hal::Geometry> geometry = hal::identify();
    if (!geometry) return to_c(geometry.status());
    connect_interrupts();
    const isa::Window dram[] = {{.base = board::dram_base(), .bytes = board::dram_size(), .read = true, .write = true}};
    auto *const created = new (memory_) Engine;
    const Status status =
        created->init(geometry.value(), queue_memory, {.context = context, .windows = dram, .queue_size_log2 = queue_size_log2});
    if (status.ok()) engine_ = created;
    return to_c(status);
  }

  /// Returns nullptr before open().
  [[nodiscard]] Engine *engine() const { return engine_; }
  [[nodiscard]] cox_status before_init() const { return to_c(Status(ErrorCode::not_ready, init_)); }

  /// Makes an empty stream in `memory`. `shape` holds the further arguments of Stream::init().
  template <typename... Shape>
  cox_status init_stream(Handle &handle, void *memory, std::size_t bytes, Shape... shape) {
    if (engine_ == nullptr) return before_init();
    return to_c((new (handle.opaque) Stream)->init({static_cast<std::byte *>(memory), bytes}, engine_->windows(), shape...));
  }

  template <typename AnyHandle>
  cox_status run(AnyHandle &handle, std::uint32_t time_limit_us) {
    if (engine_ == nullptr) return before_init();
    return to_c(engine_->run(stream_in(handle), limit_of(time_limit_us)));
  }

  static Stream &stream_in(Handle &handle) { return *std::launder(reinterpret_cast<Stream *>(handle.opaque)); }
  static const Stream &stream_in(const Handle &handle) { return *std::launder(reinterpret_cast<const Stream *>(handle.opaque)); }
  /// Returns the time limit to use; 0 selects the default.
  static std::uint64_t limit_of(std::uint32_t time_limit_us) { return time_limit_us == 0 ? Engine::kDefaultLimit : time_limit_us; }

 private:
  const char *init_;
  Engine *engine_ = nullptr;
  alignas(Engine) std::byte memory_[sizeof(Engine)]{};
};

}  // namespace cox::kernels::c_interface
