// SPDX-License-Identifier: MIT
// The mailbox of the native board: rings between the thread that runs the firmware and threads that play the host.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cox::board {

/// All functions may be called from all threads at the same time.
class HostMailbox {
 public:
  using Duration = std::chrono::microseconds;

  // The host's side.
  void ring_core() { set(to_core_, core_woken_); }
  /// Waits until the control core has rung, and clears the ring. Returns false if it has not rung within `limit`.
  bool wait_for_core(Duration limit) { return wait(to_host_, host_woken_, limit, true); }
  /// Lets all wait_for_core() calls return as if the control core had rung.
  void wake_host() { set(to_host_, host_woken_); }

  // The control core's side.
  [[nodiscard]] bool core_is_rung() const { return to_core_.load(std::memory_order_acquire); }
  /// The core reads memory only after that. Otherwise a ring between the two could be lost.
  void clear_core() { to_core_.store(false, std::memory_order_seq_cst); }
  void ring_host() { set(to_host_, host_woken_); }
  [[nodiscard]] bool host_is_rung() const { return to_host_.load(std::memory_order_acquire); }
  void clear_host() { to_host_.store(false, std::memory_order_release); }
  /// Waits until the host has rung. Leaves the ring. Returns false if the host has not rung within `limit`.
  bool wait_for_host(Duration limit) { return wait(to_core_, core_woken_, limit, false); }

 private:
  void set(std::atomic<bool> &ring, std::condition_variable &woken) {
    {
      const std::lock_guard lock(mutex_);
      ring.store(true, std::memory_order_release);
    }
    woken.notify_all();
  }
  bool wait(std::atomic<bool> &ring, std::condition_variable &woken, Duration limit, bool clear) {
    std::unique_lock lock(mutex_);
    if (!woken.wait_for(lock, limit, [&] { return ring.load(std::memory_order_acquire); })) return false;
    if (clear) ring.store(false, std::memory_order_release);
    return true;
  }

  std::mutex mutex_;
  std::condition_variable core_woken_, host_woken_;
  std::atomic<bool> to_core_ = false, to_host_ = false;
};

}  // namespace cox::board
