// SPDX-License-Identifier: MIT
// The accelerator as one object (docs/hal.md, The accelerator). It owns what its engines share: identity and geometry, queue memory,
// contexts, interrupt lines, engine clocks and the device's fault record. The task scheduler and the engines of the kernel libraries are
// its clients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/base/version.h"
#include "coxswain/device/engines.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/device.h"

namespace cox::hal {

/// Only one accelerator may be open at a time, because the board has one. The object must not move while it is open. An interrupt handler
/// must not call these functions, except take_context() and give_context(). Only one thread at a time may call the others.
class Accelerator {
 public:
  static constexpr std::size_t kQueueAlignment = 64;

  /// Functions of a client that the accelerator calls from its interrupt handlers. A function may be null.
  struct Handlers {
    /// The engine has a completion. The function makes the line go low (CompletionRing::acknowledge()) and returns soon.
    void (*completion)() = nullptr;
    /// An instruction of the engine has failed. The accelerator has cleared the device's fault record, whose contents are `fault`.
    void (*fault)(const Fault &fault) = nullptr;
  };

  /// Identifies the device, takes the clocks from all cores and engines, connects the interrupt lines and enables the queues.
  /// `queue_memory` is memory for queues as board::queue_memory(), aligned to kQueueAlignment. Objects that were attached before a second
  /// open() must not be used any more. `interrupt_priority` is that of both interrupt lines (board::set_npu_interrupt_priority()). Errors:
  /// those of identify(); invalid_argument ("queue memory") for memory that is not aligned; invalid_argument ("interrupt_priority",
  /// `limit` the number of priorities).
  Status open(std::span<std::byte> queue_memory = board::queue_memory(), unsigned interrupt_priority = 0);
  /// Disables the interrupts and queues. Errors, with nothing changed: not_ready before open(); not_owner with the name of an engine that
  /// is attached.
  Status close();

  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Valid after open().
  [[nodiscard]] const Geometry &geometry() const { return geometry_; }
  /// The queue memory that open() was given.
  [[nodiscard]] std::span<std::byte> queue_memory() const { return memory_; }
  /// The last fault that the device has reported, since open().
  [[nodiscard]] const std::optional<Fault> &last_fault() const { return last_fault_; }

  /// Gives `engine` to the caller until detach(), with `queue_bytes` of queue memory, aligned to kQueueAlignment. An engine with a ring
  /// gets its clock. Cores stay without: their client starts the clock of each core that it uses. Errors, with nothing changed: not_ready
  /// ("accelerator") before open(); those of check_engine(); not_owner with the engine's name if it is attached already; no_room ("queue
  /// memory", `value` the bytes that found no place).
  Result<std::span<std::byte>> attach(registers::Engine engine, std::size_t queue_bytes);
  /// Calls these handlers from now on. If there is a completion handler, the completion interrupts of the engine are enabled, otherwise
  /// they are disabled. Before the call, the client has initialised the engine's completion queues. Error: not_ready with the engine's name
  /// if it is not attached.
  Status connect(registers::Engine engine, const Handlers &handlers);
  /// Calls `function` at the end of each completion interrupt from now on, until close(). It may enable the interrupt of an engine that has
  /// no completion handler.
  void observe(void (*function)());
  /// Takes back what attach() and take_context() gave. The caller has stopped the engine: its queues are disabled, and no instruction of
  /// its contexts is in flight. Error: not_ready with the engine's name if it is not attached.
  Status detach(registers::Engine engine);

  /// Gives a context to an attached engine until give_context() or detach(): `wanted`, or without it the free context with the highest
  /// number. Errors: not_ready with the engine's name if it is not attached; invalid_argument ("context") if the device has no such
  /// context; not_owner ("context") if another client or the engine itself has it; no_room ("contexts") if no context is free.
  Result<unsigned> take_context(registers::Engine engine, std::optional<unsigned> wanted = {});
  /// Takes back a context that take_context() gave. No instruction of the context may be in flight. Writes no register.
  void give_context(unsigned context);
  /// True if no client has the context. False if the device has no such context.
  [[nodiscard]] bool is_free(unsigned context) const { return context < geometry_.contexts && (contexts_in_use_ >> context & 1) == 0; }

  /// Takes `bytes` of queue memory for the caller until close(), for example for streams: the core does not cache it. Error: no_room
  /// ("queue memory").
  Result<std::span<std::byte>> reserve(std::size_t bytes);

 private:
  static constexpr std::size_t kMostClients = std::size(registers::kEngineRows);

  struct Client {
    bool is_attached = false;
    std::uint32_t contexts = 0;  ///< bit c: context c
    std::span<std::byte> memory;
    Handlers handlers;
  };

  [[nodiscard]] static std::size_t index_of(registers::Engine engine);
  [[nodiscard]] bool is_attached(registers::Engine engine) const;
  [[nodiscard]] std::uint32_t completions_of(const registers::EngineRow &row) const;
  [[nodiscard]] bool is_unused(std::size_t first, std::size_t bytes) const;
  [[nodiscard]] Result<std::span<std::byte>> find_memory(std::size_t bytes) const;
  void set_clock(registers::Engine engine, bool runs) const;
  void connect_handlers();
  static void stop_waiting(std::uint32_t pending);
  static void on_completion();
  static void on_fault();

  static Accelerator *active_;  ///< the accelerator that the interrupts serve

  bool is_open_ = false;
  Geometry geometry_;
  std::span<std::byte> memory_;
  std::size_t free_end_ = 0;           ///< the bytes of memory_ from here on were reserved, or are too few for an aligned piece
  std::uint32_t contexts_in_use_ = 0;  ///< bit c: some client has context c
  std::optional<Fault> last_fault_;
  void (*observer_)() = nullptr;
  std::array<Client, kMostClients> clients_;  ///< [row of device/engines.h]
};

}  // namespace cox::hal
