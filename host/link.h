// SPDX-License-Identifier: MIT
// The job ring as a host sees it: one submitter for all threads of a process. The C interface is coxswain_host.h.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "coxswain/base/result.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/host/coxswain_host.h"

namespace cox::host {

using Ticket = std::uint64_t;

/// All functions may be called by all threads, except open(), close() and the destructor. The rules are those of coxswain_host.h.
class Link {
 public:
  using Outcome = firmware::job::Outcome;
  using Request = firmware::job::Request;

  /// A transport without functions has no mailbox: the firmware sees jobs when it boots or at a tick, and wait() only looks at the ring.
  explicit Link(const cox_host_transport &transport) : transport_(transport) {}
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;
  ~Link();

  /// Makes the ring. With a mailbox, starts the thread that the control core's rings wake. `flags`: those of the ring's header.
  Status open(const cox_host_options &options, std::uint32_t flags = 0);

  /// Submits `job`; its `state` is ignored. If `answered` is false, the outcome is forgotten.
  Result<Ticket> submit(const Request &job, std::uint32_t limit_us, bool answered = true);
  Result<Outcome> wait(Ticket ticket, std::uint32_t limit_us);
  Status cancel(Ticket ticket, std::uint32_t limit_us);
  /// Forgets the outcome of a job, now or when it is done.
  void forget(Ticket ticket);

  /// Returns the bytes of DRAM that the ring takes at its base.
  [[nodiscard]] std::uint64_t ring_bytes() const;
  /// Returns the number of jobs that are done, counted from the front of the ring.
  [[nodiscard]] std::uint32_t completed() const;
  [[nodiscard]] const firmware::job::Header &header() const { return *static_cast<const firmware::job::Header *>(transport_.dram); }

 private:
  /// A job in the ring, from its submission until the firmware gives its descriptor back.
  struct Submitted {
    std::uint8_t owner = 0;
    bool wanted = false;  ///< a caller may ask for the outcome
    bool done = false;    ///< the outcome was read
  };
  Status take_over(std::uint32_t limit_us);
  void make_ring(std::uint32_t flags);
  [[nodiscard]] bool has_mailbox() const { return transport_.wait != nullptr; }
  void ring_core() const;
  void serve_interrupts();
  [[nodiscard]] bool is_lost() const;
  void look();
  bool look_at_front();
  [[nodiscard]] std::uint32_t places(const Request &job) const;
  [[nodiscard]] Submitted *in_ring(Ticket ticket);
  [[nodiscard]] firmware::job::Header &shared_header() const { return *static_cast<firmware::job::Header *>(transport_.dram); }
  [[nodiscard]] firmware::job::Descriptor &descriptor(Ticket ticket) const;

  cox_host_transport transport_;
  std::uint32_t capacity_ = 0, reserved_ = 0, session_ = 0;
  mutable std::mutex mutex_;                     ///< guards all below, and the submitter's part of the ring
  std::condition_variable changed_;              ///< a look has found something, or the link is lost
  std::deque<Submitted> in_ring_;                ///< the last one has the ticket `next_ - 1`
  Ticket first_ = 0;                             ///< the first ticket of this link
  Ticket next_ = 0;                              ///< its low half is the running number of the next job
  std::unordered_map<Ticket, Outcome> answers_;  ///< outcomes that no wait() has taken yet
  bool lost_ = false;
  bool closing_ = false;
  std::thread interrupts_;
};

}  // namespace cox::host
