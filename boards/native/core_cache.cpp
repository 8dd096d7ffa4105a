// SPDX-License-Identifier: MIT
#include "boards/native/core_cache.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace cox::board {

using hal::kCacheLine;
using hal::native::CacheOperation;

namespace {

static_assert(kCacheLine % sizeof(std::uint64_t) == 0);
constexpr std::size_t kWords = kCacheLine / sizeof(std::uint64_t);
using Line = std::array<std::uint64_t, kWords>;

std::uint64_t *words_of(std::byte *line) { return reinterpret_cast<std::uint64_t *>(line); }

/// Reads a line of memory as it was at one moment, although code of the host may write to it meanwhile.
Line load_line(std::byte *memory) {
  const auto load = [memory] {
    Line line;
    for (std::size_t i = 0; i < kWords; ++i) line[i] = std::atomic_ref(words_of(memory)[i]).load(std::memory_order_acquire);
    return line;
  };
  Line line = load();
  for (Line again = load(); again != line; again = load()) line = again;
  return line;
}

/// Writes a line to memory. Code of the host may read it meanwhile. So the words are written from the last to the first: a word that
/// announces others of its line stands before them (firmware/job/job_queue.h).
void store_line(std::byte *memory, const std::byte *line) {
  Line words;
  std::memcpy(words.data(), line, kCacheLine);
  for (std::size_t i = kWords; i-- != 0;) std::atomic_ref(words_of(memory)[i]).store(words[i], std::memory_order_release);
}

CoreCache *cache_of_process = nullptr;
struct sigaction action_before;

/// The core must never depend on the bytes of a stale line, so they may be any. Bytes that no other master writes show such a dependency.
/// They also differ from what the core writes, so a line that it changes is dirty.
constexpr auto kStaleByte = std::byte{0xDB};

void on_fault(int /*signal*/, siginfo_t *information, void * /*context*/) {
  if (cache_of_process != nullptr && cache_of_process->admit_host(information->si_addr)) return;
  // Another fault: the instruction runs again and faults as it would without this handler.
  sigaction(SIGSEGV, &action_before, nullptr);
}

}  // namespace

CoreCache::Mapping::~Mapping() {
  if (data != nullptr) munmap(data, bytes);
}

bool CoreCache::Mapping::map(std::size_t size, int protection, int file) {
  const int flags = MAP_NORESERVE | (file == -1 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
  void *const got = mmap(nullptr, size, protection, flags, file, 0);
  if (got == MAP_FAILED) return false;
  data = static_cast<std::byte *>(got);
  bytes = size;
  return true;
}

CoreCache::~CoreCache() {
  if (cache_of_process != this) return;
  cache_of_process = nullptr;
  sigaction(SIGSEGV, &action_before, nullptr);
}

bool CoreCache::create(std::span<std::byte> view, std::uint64_t seed, std::string &error, Host host) {
  if (cache_of_process != nullptr) {
    error = "memory that is not coherent exists already: one at a time";
    return false;
  }
  const std::size_t pages = view.size() / kPage;
  const int file = memfd_create("coxswain-dram", MFD_CLOEXEC);
  const int hosts_protection = host == Host::same_thread ? PROT_READ : PROT_READ | PROT_WRITE;
  const bool mapped = file != -1 && ftruncate(file, static_cast<off_t>(view.size())) == 0 &&
                      host_.map(view.size(), hosts_protection, file) && memory_.map(view.size(), PROT_READ | PROT_WRITE, file) &&
                      fetched_.map(view.size(), PROT_READ | PROT_WRITE) && stale_.map(view.size() / kCacheLine, PROT_READ | PROT_WRITE) &&
                      written_.map(pages * sizeof(std::uint32_t), PROT_READ | PROT_WRITE);
  if (!mapped) error = std::string("cannot map memory that is not coherent: ") + std::strerror(errno);
  if (file != -1) close(file);
  if (!mapped) return false;

  // With huge pages it would depend on the machine which pages count as used.
  madvise(view.data(), view.size(), MADV_NOHUGEPAGE);
  view_ = view;
  host_is_ = host;
  // With some seeds a line stays in the cache for a short time, with others for long.
  calls_per_eviction_ = 4U << 2 * (seed % 5);
  random_ = seed * 0x9E3779B97F4A7C15 + 0x1234567;
  is_used_.resize(pages);
  residency_.resize(pages);
  cache_of_process = this;
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &action_before);
  return true;
}

bool CoreCache::admit_host(const void *address) {
  const std::size_t offset = static_cast<std::size_t>(static_cast<const std::byte *>(address) - host_.data);
  if (offset >= view_.size()) return false;
  const std::size_t page = offset / kPage;
  reinterpret_cast<std::uint32_t *>(written_.data)[written_pages_++] = static_cast<std::uint32_t>(page);
  return mprotect(host_.data + page * kPage, kPage, PROT_READ | PROT_WRITE) == 0;
}

/// splitmix64.
std::uint64_t CoreCache::random() {
  std::uint64_t z = random_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

bool CoreCache::is_dirty(std::size_t line) const { return std::memcmp(view_of(line), fetched_of(line), kCacheLine) != 0; }

void CoreCache::write_back(std::size_t line) {
  store_line(memory_of(line), view_of(line));
  std::memcpy(fetched_of(line), view_of(line), kCacheLine);
  is_stale(line) = false;
}

void CoreCache::fetch(std::size_t line) {
  const Line words = load_line(memory_of(line));
  std::memcpy(view_of(line), words.data(), kCacheLine);
  std::memcpy(fetched_of(line), words.data(), kCacheLine);
  is_stale(line) = false;
}

void CoreCache::evict(std::size_t line) {
  if (is_dirty(line)) {
    write_back(line);
  } else if (is_stale(line)) {
    fetch(line);
  }
}

void CoreCache::evict_page(std::size_t page) {
  const std::size_t first = page * kLinesOfPage;
  if (host_writes_at_any_time()) examine_page(page);
  // Most pages have no line to move.
  if (std::memcmp(view_of(first), fetched_of(first), kPage) == 0 && std::memchr(&is_stale(first), 1, kLinesOfPage) == nullptr) return;
  for (std::size_t line = first; line < first + kLinesOfPage; ++line) evict(line);
}

void CoreCache::was_written(std::size_t line) {
  if (is_dirty(line)) {
    // The line stays dirty, or it is evicted now and overwrites the other master's bytes.
    is_stale(line) = true;
    if (happens(2)) write_back(line);
  } else if (was_invalidated_now(line) || happens(2)) {
    fetch(line);
  } else {
    std::memset(view_of(line), static_cast<int>(kStaleByte), kCacheLine);
    std::memset(fetched_of(line), static_cast<int>(kStaleByte), kCacheLine);
    is_stale(line) = true;
  }
}

/// Such a line has perhaps not been fetched yet. A core that polls a word may see its old value or its new one, but never other bytes.
bool CoreCache::was_invalidated_now(std::size_t line) const {
  constexpr std::uint64_t kCalls = 8;
  return std::any_of(invalidations_.begin(), invalidations_.end(),
                     [&](const Invalidation &each) { return line >= each.first && line <= each.last && calls_ - each.call < kCalls; });
}

/// Finds the lines of [first, end) that the host has written.
void CoreCache::examine(std::size_t first, std::size_t end) {
  if (std::memcmp(memory_of(first), fetched_of(first), (end - first) * kCacheLine) == 0) return;
  for (std::size_t line = first; line < end; ++line) {
    // What the host writes to a stale line changes nothing for the core.
    if (!is_stale(line) && std::memcmp(memory_of(line), fetched_of(line), kCacheLine) != 0) was_written(line);
  }
}

void CoreCache::examine_host() {
  if (host_writes_at_any_time()) {
    if (recent_ != 0) examine_page(recent_pages_[random() % std::min(recent_, kRecentPages)]);
    return;
  }
  for (std::size_t i = 0; i < written_pages_; ++i) {
    const std::size_t page = reinterpret_cast<const std::uint32_t *>(written_.data)[i];
    use_page(page);
    examine_page(page);
    mprotect(host_.data + page * kPage, kPage, PROT_READ);
  }
  written_pages_ = 0;
}

void CoreCache::maintain(CacheOperation operation, std::uintptr_t address, std::size_t bytes) {
  const auto base = reinterpret_cast<std::uintptr_t>(view_.data());
  const std::uintptr_t from = std::max(address, base), to = std::min(address + bytes, base + view_.size());
  if (from >= to) return;
  examine_host();
  for (std::size_t page = (from - base) / kPage; page <= (to - 1 - base) / kPage; ++page) use_page(page);
  const std::size_t first = (from - base) / kCacheLine, last = (to - 1 - base) / kCacheLine;
  if (host_writes_at_any_time()) examine(first, last + 1);
  for (std::size_t line = first; line <= last; ++line) {
    const bool dirty = is_dirty(line);
    // A dirty line that the core only drops may have been evicted before.
    if (dirty && (operation != CacheOperation::invalidate || happens(2))) write_back(line);
    if (operation != CacheOperation::clean && (dirty || is_stale(line))) fetch(line);
  }
  if (operation != CacheOperation::clean) {
    invalidations_[next_invalidation_++ % kInvalidations] = {first, last, calls_};
  }
  disturb();
}

void CoreCache::read(std::size_t offset, void *data, std::size_t bytes) {
  examine_host();
  std::memcpy(data, memory_.data + offset, bytes);
}

void CoreCache::write(std::size_t offset, const void *data, std::size_t bytes) {
  if (bytes == 0) return;
  examine_host();
  const std::size_t first = offset / kCacheLine, last = (offset + bytes - 1) / kCacheLine;
  for (std::size_t page = first / kLinesOfPage; page <= last / kLinesOfPage; ++page) use_page(page);
  for (std::size_t line = first; line <= last; ++line) {
    // The line may have been evicted before the write.
    if (is_dirty(line) && happens(4)) write_back(line);
  }
  std::memcpy(memory_.data + offset, data, bytes);
  for (std::size_t line = first; line <= last; ++line) was_written(line);
}

void CoreCache::use_page(std::size_t page) {
  recent_pages_[recent_++ % kRecentPages] = static_cast<std::uint32_t>(page);
  if (is_used_[page]) return;
  is_used_[page] = true;
  used_pages_.push_back(static_cast<std::uint32_t>(page));
}

/// Finds the pages that the core has used. Linux has given them memory.
void CoreCache::find_used_pages() {
  if (mincore(view_.data(), view_.size(), residency_.data()) != 0) return;
  for (std::size_t page = 0; page < residency_.size(); ++page) {
    if ((residency_[page] & 1) != 0 && !is_used_[page]) use_page(page);
  }
}

void CoreCache::disturb() {
  examine_host();
  constexpr unsigned kCallsUntilSearch = 1024;
  if (calls_++ % kCallsUntilSearch == 0) find_used_pages();
  if (!happens(calls_per_eviction_) || used_pages_.empty()) return;
  const std::uint64_t random_bits = random();
  const std::uint64_t choice = random_bits >> 32;
  const std::size_t page =
      (random_bits >> 2) % 2 == 0 ? recent_pages_[choice % std::min(recent_, kRecentPages)] : used_pages_[choice % used_pages_.size()];
  if ((random_bits >> 3) % 4 == 0) return evict_page(page);
  const std::size_t first = page * kLinesOfPage + (random_bits >> 8) % kLinesOfPage;
  const std::size_t end = std::min((page + 1) * kLinesOfPage, first + 1 + (random_bits >> 16) % 8);
  for (std::size_t line = first; line < end; ++line) evict(line);
}

void CoreCache::sleep() {
  disturb();
  if (!happens(calls_per_eviction_)) return;
  find_used_pages();
  // Enough for a data cache, and short for a test with much memory.
  constexpr std::size_t kMostPages = 1024;
  const std::size_t count = std::min(used_pages_.size(), kMostPages);
  const std::size_t first = used_pages_.size() > kMostPages ? random() % used_pages_.size() : 0;
  for (std::size_t i = 0; i < count; ++i) evict_page(used_pages_[(first + i) % used_pages_.size()]);
}

void CoreCache::reset() {
  examine_host();
  find_used_pages();
  for (const std::uint32_t page : used_pages_) {
    if (host_writes_at_any_time()) examine_page(page);
    for (std::size_t line = page * kLinesOfPage; line < (page + 1) * kLinesOfPage; ++line) {
      if (is_dirty(line) && happens(2)) write_back(line);
      if (is_dirty(line) || is_stale(line)) fetch(line);
    }
  }
}

std::optional<std::uint64_t> cache_seed_of_environment() {
  const char *const text = std::getenv("COX_CACHE_SEED");
  std::uint64_t seed = 0;
  if (text == nullptr || std::from_chars(text, text + std::strlen(text), seed).ec != std::errc()) return std::nullopt;
  return seed;
}

}  // namespace cox::board
