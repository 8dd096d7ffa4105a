// SPDX-License-Identifier: MIT
// The data cache of the control core, over memory that is not coherent (docs/hal.md, Memory that is not coherent).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coxswain/hal/cache.h"

namespace cox::board {

/// Gives the core one copy of a memory and all other masters another one. The core uses the view. The device uses read() and write(), and
/// code of the host uses memory(). Lines of hal::kCacheLine bytes move between view and memory only in maintain(), and when a line is
/// evicted. The functions evict lines at random; a board calls disturb() and sleep() for this. An evicted line is written to memory if
/// the core has changed it. It is then fetched again.
///
/// A process can have only one CoreCache at a time, because it handles SIGSEGV. All calls come from one thread.
class CoreCache {
 public:
  static constexpr std::size_t kPage = 4096;
  enum class Host : std::uint8_t {
    /// The thread of the calls also writes to memory(). A write to a page faults once, until the page has been examined. So each call
    /// knows all writes of the host before it.
    same_thread,
    /// Any threads write to memory() at any time, without a fault. A call finds these writes when it examines their lines.
    other_threads
  };

  CoreCache() = default;
  ~CoreCache();
  CoreCache(const CoreCache &) = delete;
  CoreCache &operator=(const CoreCache &) = delete;

  /// `view`: zeroed memory, whole pages. The same calls with the same seed evict the same lines. Returns false with a sentence in `error`
  /// if Linux has no memory. Call it at most once.
  [[nodiscard]] bool create(std::span<std::byte> view, std::uint64_t seed, std::string &error, Host host = Host::same_thread);

  /// Returns memory as the host sees it. With Host::same_thread, a system call cannot write to it (EFAULT).
  [[nodiscard]] std::span<std::byte> memory() const { return {host_.data, view_.size()}; }

  /// A call of hal/cache.h. Bytes outside of the view are ignored.
  void maintain(hal::native::CacheOperation operation, std::uintptr_t address, std::size_t bytes);
  /// Accesses by the device. The range [offset, offset + bytes) is inside the memory.
  void read(std::size_t offset, void *data, std::size_t bytes);
  void write(std::size_t offset, const void *data, std::size_t bytes);
  /// The core executes: a few lines may be evicted.
  void disturb();
  /// The core sleeps: all lines may be evicted.
  void sleep();
  /// A reset of the core: all lines are lost.
  void reset();

  /// For the handler of SIGSEGV: a write of the host to `address` faulted. Returns false if `address` is not in memory().
  bool admit_host(const void *address);

 private:
  struct Mapping {
    std::byte *data = nullptr;
    std::size_t bytes = 0;

    Mapping() = default;
    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;
    ~Mapping();
    /// Maps zeroed private memory, or the file if `file` is not -1.
    [[nodiscard]] bool map(std::size_t size, int protection, int file = -1);
  };
  static constexpr std::size_t kLinesOfPage = kPage / hal::kCacheLine;
  static constexpr std::uint64_t kRecentPages = 32;

  [[nodiscard]] std::byte *view_of(std::size_t line) const { return view_.data() + line * hal::kCacheLine; }
  [[nodiscard]] std::byte *memory_of(std::size_t line) const { return memory_.data + line * hal::kCacheLine; }
  [[nodiscard]] std::byte *fetched_of(std::size_t line) const { return fetched_.data + line * hal::kCacheLine; }
  [[nodiscard]] bool is_dirty(std::size_t line) const;
  [[nodiscard]] bool &is_stale(std::size_t line) const { return reinterpret_cast<bool *>(stale_.data)[line]; }
  [[nodiscard]] std::uint64_t random();
  [[nodiscard]] bool happens(unsigned one_in) { return random() % one_in == 0; }

  void write_back(std::size_t line);
  void fetch(std::size_t line);
  void evict(std::size_t line);
  void evict_page(std::size_t page);
  /// Decides what the core keeps of a line that another master has written.
  void was_written(std::size_t line);
  /// Finds lines that the host has written: all of them, or with Host::other_threads those of one page.
  void examine_host();
  void examine(std::size_t first, std::size_t end);
  void examine_page(std::size_t page) { examine(page * kLinesOfPage, (page + 1) * kLinesOfPage); }
  [[nodiscard]] bool host_writes_at_any_time() const { return host_is_ == Host::other_threads; }
  /// Returns true if the core has invalidated the line in one of its last calls.
  [[nodiscard]] bool was_invalidated_now(std::size_t line) const;
  void use_page(std::size_t page);
  void find_used_pages();

  std::span<std::byte> view_;
  Host host_is_ = Host::same_thread;
  Mapping host_;     ///< memory, as the host sees it: with Host::same_thread a page is read-only until the host writes it
  Mapping memory_;   ///< the same memory, writable
  Mapping fetched_;  ///< each line as it was when it was fetched or cleaned; it differs from the view if the line is dirty
  Mapping stale_;    ///< for each line a bool: other masters have written the line since it was fetched
  Mapping written_;  ///< the numbers of the pages that the host has written since examine_host()
  std::size_t written_pages_ = 0;
  std::uint64_t random_ = 0;
  unsigned calls_per_eviction_ = 1;
  std::uint64_t calls_ = 0;
  struct Invalidation {
    std::size_t first = 1, last = 0;  ///< lines
    std::uint64_t call = 0;
  };
  static constexpr unsigned kInvalidations = 4;
  std::array<Invalidation, kInvalidations> invalidations_{};
  unsigned next_invalidation_ = 0;
  std::vector<std::uint32_t> used_pages_;
  std::vector<bool> is_used_;
  std::vector<unsigned char> residency_;
  std::array<std::uint32_t, kRecentPages> recent_pages_{};
  std::uint64_t recent_ = 0;
};

/// Returns the number in the environment variable COX_CACHE_SEED, or nothing if the variable is not set.
[[nodiscard]] std::optional<std::uint64_t> cache_seed_of_environment();

}  // namespace cox::board
