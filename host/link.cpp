// SPDX-License-Identifier: MIT
#include "coxswain/host/link.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

namespace cox::host {

using firmware::job::Descriptor;
using firmware::job::Header;
using firmware::job::kExited;
using firmware::job::Kind;
using firmware::job::kLookAhead;
using firmware::job::kMagic;
using firmware::job::kStopped;
using firmware::job::kVersion;
using firmware::job::kWithdrawn;
using firmware::job::State;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kDefaultCapacity = 64;
constexpr std::uint32_t kDefaultReserved = 4;
constexpr std::uint32_t kDefaultOpenLimit = 10'000'000;

template <typename T>
T read_shared(const T &shared) {
  return std::atomic_ref(const_cast<T &>(shared)).load(std::memory_order_acquire);
}
/// Writes a value after all that was written before.
template <typename T>
void publish(T &shared, T value) {
  std::atomic_ref(shared).store(value, std::memory_order_release);
}

/// A time limit of a call.
class Deadline {
 public:
  explicit Deadline(std::uint32_t limit_us)
      : forever_(limit_us == COX_HOST_FOREVER), end_(Clock::now() + std::chrono::microseconds(limit_us)) {}

  [[nodiscard]] std::uint32_t left_us() const {
    if (forever_) return COX_HOST_FOREVER;
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(end_ - Clock::now()).count();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(left, 0, COX_HOST_FOREVER - 1));
  }
  /// Waits until `ready` returns true. Returns false if it does not within the limit.
  template <typename Ready>
  bool wait(std::condition_variable &changed, std::unique_lock<std::mutex> &lock, Ready ready) const {
    if (!forever_) return changed.wait_until(lock, end_, ready);
    changed.wait(lock, ready);
    return true;
  }

 private:
  bool forever_;
  Clock::time_point end_;
};

}  // namespace

Link::~Link() {
  if (interrupts_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    transport_.wake(transport_.opaque);
    interrupts_.join();
  }
  if (transport_.close != nullptr) transport_.close(transport_.opaque);
}

std::uint64_t Link::ring_bytes() const { return sizeof(Header) + std::uint64_t{capacity_} * sizeof(Descriptor); }

std::uint32_t Link::completed() const { return read_shared(header().completed); }

Descriptor &Link::descriptor(Ticket ticket) const {
  auto *const ring = reinterpret_cast<Descriptor *>(static_cast<std::byte *>(transport_.dram) + sizeof(Header));
  return ring[static_cast<std::uint32_t>(ticket) % capacity_];
}

Status Link::open(const cox_host_options &options, std::uint32_t flags) {
  capacity_ = options.capacity == 0 ? kDefaultCapacity : options.capacity;
  reserved_ = options.reserved == 0 ? std::min(kDefaultReserved, capacity_ - 1) : options.reserved;
  if (options.reserved == COX_HOST_NOTHING_RESERVED) reserved_ = 0;
  if (reserved_ >= capacity_) return {ErrorCode::invalid_argument, "reserved", -1, reserved_, capacity_ - 1};
  if (ring_bytes() > transport_.dram_bytes) {
    return {ErrorCode::invalid_argument, "capacity", -1, capacity_,
            static_cast<std::int64_t>((transport_.dram_bytes - sizeof(Header)) / sizeof(Descriptor))};
  }
  const Status status = take_over(options.open_limit_us == 0 ? kDefaultOpenLimit : options.open_limit_us);
  if (!status.ok()) return status;
  make_ring(flags);
  // No two links of this process have the same tickets.
  static std::atomic<Ticket> links = 0;
  first_ = next_ = ++links << 32;
  if (has_mailbox()) interrupts_ = std::thread(&Link::serve_interrupts, this);
  ring_core();
  return {};
}

/// If there is the ring of an earlier host, has the firmware give it up. Afterwards the firmware touches nothing in DRAM.
Status Link::take_over(std::uint32_t limit_us) {
  Header &ring = shared_header();
  const std::uint32_t magic = read_shared(ring.magic);
  if (magic != kMagic && magic != kWithdrawn) {
    session_ = 1;
    return {};
  }
  // The firmware answers with the new number, which neither an earlier host nor an earlier answer had.
  session_ = std::max(read_shared(ring.session), read_shared(ring.withdrawn)) + 1;
  publish(ring.session, session_);
  publish(ring.magic, kWithdrawn);
  ring_core();
  const Deadline deadline(limit_us);
  while (read_shared(ring.withdrawn) != session_) {
    const std::uint32_t left = deadline.left_us();
    if (left == 0) return {ErrorCode::timeout, "firmware"};
    if (!has_mailbox() || transport_.wait(transport_.opaque, left) < 0) return {ErrorCode::not_ready, "control core"};
  }
  return {};
}

void Link::ring_core() const {
  if (has_mailbox()) transport_.ring(transport_.opaque);
}

void Link::make_ring(std::uint32_t flags) {
  Header &ring = shared_header();
  // The outcomes of an earlier ring would pass for those of new jobs.
  std::memset(static_cast<std::byte *>(transport_.dram) + sizeof(Header), 0, capacity_ * sizeof(Descriptor));
  ring.version = kVersion;
  ring.capacity = capacity_;
  ring.flags = flags;
  publish(ring.submitted, std::uint32_t{0});
  ring.session = session_;
  publish(ring.magic, kMagic);
}

/// The body of the thread that the control core's rings wake.
void Link::serve_interrupts() {
  constexpr std::uint32_t kLong = 3'600'000'000;
  for (bool gone = false; !gone;) {
    gone = transport_.wait(transport_.opaque, kLong) < 0;
    {
      const std::lock_guard lock(mutex_);
      if (closing_) return;
      look();
      lost_ = lost_ || gone;
    }
    changed_.notify_all();
  }
}

/// Returns true if the firmware no longer serves this ring.
bool Link::is_lost() const {
  const std::uint32_t state = read_shared(header().firmware_state);
  return lost_ || state == kExited || state == kStopped || read_shared(header().session) != session_;
}

/// Reads the outcomes that have come. Called with the mutex locked.
void Link::look() {
  const bool lost = is_lost();  // before the outcomes: those that were written earlier still count
  while (look_at_front()) {
  }
  lost_ = lost;
}

/// Reads the outcomes of the jobs that the firmware can have taken, and gives up the descriptors at the front. Returns true if there are
/// others behind.
bool Link::look_at_front() {
  const std::uint32_t given_back = completed();
  // The firmware takes only this many jobs, so no later one is done.
  const std::size_t possible = std::min<std::size_t>(in_ring_.size(), kLookAhead);
  const Ticket oldest = next_ - in_ring_.size();
  for (std::size_t i = 0; i < possible; ++i) {
    Submitted &job = in_ring_[i];
    const Outcome &outcome = descriptor(oldest + i).outcome;
    // The number first: the firmware writes that the job runs, and then the number. In the other order, an earlier job's state could pass
    // for that of this job.
    const bool done = read_shared(outcome.number) == static_cast<std::uint32_t>(oldest + i) && read_shared(outcome.state) == State::done;
    if (job.done || !done) continue;
    job.done = true;
    if (job.wanted) answers_[oldest + i] = outcome;
  }
  std::size_t passed = 0;  // `completed` has passed these
  while (passed < possible && in_ring_[passed].done && given_back - static_cast<std::uint32_t>(oldest + passed) - 1 < capacity_) ++passed;
  in_ring_.erase(in_ring_.begin(), in_ring_.begin() + static_cast<std::ptrdiff_t>(passed));
  return passed != 0 && !in_ring_.empty();
}

Link::Submitted *Link::in_ring(Ticket ticket) {
  const Ticket oldest = next_ - in_ring_.size();
  return ticket >= oldest && ticket < next_ ? &in_ring_[ticket - oldest] : nullptr;
}

std::uint32_t Link::places(const Request &job) const { return job.kind == Kind::cancel ? capacity_ : capacity_ - reserved_; }

Result<Ticket> Link::submit(const Request &job, std::uint32_t limit_us, bool answered) {
  Ticket ticket = 0;
  {
    const Deadline deadline(limit_us);
    std::unique_lock lock(mutex_);
    const auto ready = [&] { return lost_ || in_ring_.size() < places(job); };
    if (!ready()) look();
    if (!deadline.wait(changed_, lock, ready)) {
      look();
      if (!ready()) return Status{ErrorCode::no_room, "ring", -1, static_cast<std::int64_t>(in_ring_.size()), places(job)};
    }
    if (is_lost()) return Status{ErrorCode::not_ready, "link"};
    Request &shared = descriptor(next_).request;
    shared = job;
    shared.state = State::submitted;
    in_ring_.push_back({.owner = job.owner, .wanted = answered});
    ticket = next_++;
    publish(shared_header().submitted, static_cast<std::uint32_t>(next_));
  }
  ring_core();
  return ticket;
}

Result<Link::Outcome> Link::wait(Ticket ticket, std::uint32_t limit_us) {
  const Deadline deadline(limit_us);
  std::unique_lock lock(mutex_);
  const auto pending = [&] {
    const Submitted *job = in_ring(ticket);
    return job != nullptr && job->wanted && !job->done;
  };
  const auto ready = [&] { return lost_ || !pending(); };
  // Should a ring have been lost, the job is done nevertheless.
  if (!deadline.wait(changed_, lock, ready)) look();
  if (const auto answer = answers_.find(ticket); answer != answers_.end()) {
    const Outcome outcome = answer->second;
    answers_.erase(answer);
    if (Submitted *job = in_ring(ticket); job != nullptr) job->wanted = false;
    return outcome;
  }
  if (!pending()) return Status{ErrorCode::invalid_argument, "ticket"};
  if (!lost_) return Status{ErrorCode::timeout, "job"};
  in_ring(ticket)->wanted = false;
  return Status{ErrorCode::not_ready, "link"};
}

Status Link::cancel(Ticket ticket, std::uint32_t limit_us) {
  const Deadline deadline(limit_us);
  Request request{};
  {
    const std::lock_guard lock(mutex_);
    const Submitted *job = in_ring(ticket);
    if (ticket < first_ || ticket >= next_) return {ErrorCode::invalid_argument, "ticket"};
    if (job == nullptr || job->done) return {ErrorCode::not_ready, "job"};
    request.owner = job->owner;
  }
  request.kind = Kind::cancel;
  request.argument = static_cast<std::uint32_t>(ticket);
  const Result<Ticket> cancel = submit(request, limit_us);
  if (!cancel) return cancel.status();
  const Result<Outcome> outcome = wait(cancel.value(), deadline.left_us());
  if (!outcome) {
    forget(cancel.value());
    return outcome.status();
  }
  return outcome.value().error == 0 ? Status() : Status{static_cast<ErrorCode>(outcome.value().error), "job"};
}

void Link::forget(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  answers_.erase(ticket);
  if (Submitted *job = in_ring(ticket); job != nullptr) job->wanted = false;
  changed_.notify_all();
}

}  // namespace cox::host
