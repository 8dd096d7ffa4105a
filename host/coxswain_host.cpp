// SPDX-License-Identifier: MIT
// The C interface of the host library.
#include "coxswain/host/coxswain_host.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string>

#include "coxswain/base/c_status.h"
#include "coxswain/firmware/image/image_header.h"
#include "coxswain/firmware/image/loader.h"
#include "coxswain/host/link.h"
#include "coxswain/host/memory.h"

using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::to_c;
using cox::firmware::job::kBlock;
using cox::firmware::job::Kind;
using cox::firmware::job::kTaskSlots;
using cox::firmware::job::Outcome;
using cox::firmware::job::Request;
using cox::host::Link;
using cox::host::Memory;

struct cox_host {
  explicit cox_host(const cox_host_transport &given) : transport(given), link(given) {}

  cox_host_transport transport;
  Link link;
  std::unique_ptr<Memory> memory;
  /// Memory of the tasks that cox_host_load() has loaded; 0: none.
  struct Task {
    std::uint64_t image = 0, workspace = 0;
  };
  std::mutex tasks_mutex;
  std::array<Task, kTaskSlots> tasks{};
};

namespace {

static_assert(COX_HOST_WINDOWS == cox::firmware::job::kWindows);
static_assert(static_cast<unsigned>(Kind::load) == COX_HOST_LOAD && static_cast<unsigned>(Kind::run) == COX_HOST_RUN);
static_assert(static_cast<unsigned>(Kind::unload) == COX_HOST_UNLOAD && static_cast<unsigned>(Kind::cancel) == COX_HOST_CANCEL);
static_assert(static_cast<unsigned>(Kind::share) == COX_HOST_SHARE && static_cast<unsigned>(Kind::read_trace) == COX_HOST_READ_TRACE);
static_assert(static_cast<unsigned>(Kind::read_faults) == COX_HOST_READ_FAULTS);
static_assert(sizeof(cox_host_outcome::what) == sizeof(Outcome::error_what));
static_assert(sizeof(cox_host_outcome::waiting) == sizeof(Outcome::waiting));
static_assert(offsetof(cox_host_waiting_unit, unit) == offsetof(cox::registers::WaitingUnit, unit));

/// Calls `function`, which returns a cox_status. The library allocates memory, so it may fail for lack of it.
template <typename Function>
cox_status guarded(Function function) {
  try {
    return function();
  } catch (const std::exception &) {
    return to_c({ErrorCode::no_room, "memory of the host"});
  }
}

cox_status refused(const char *what) { return to_c({ErrorCode::invalid_argument, what}); }

Request request_of(const cox_host_job &job) {
  Request request{};
  request.kind = static_cast<Kind>(job.kind);
  request.task_slot = job.task_slot;
  request.time_limit_us = job.time_limit_us;
  request.argument = job.argument;
  request.image_address = job.image_address;
  request.image_bytes = job.image_bytes;
  request.workspace_address = job.workspace_address;
  request.workspace_bytes = job.workspace_bytes;
  for (unsigned i = 0; i < COX_HOST_WINDOWS; ++i) request.windows[i] = {job.windows[i].address, job.windows[i].size};
  request.owner = job.owner;
  request.priority = job.priority;
  request.core_mask = job.core_mask;
  request.retries = job.retries;
  if (request.kind == Kind::run && job.inferences != 0) {
    cox::firmware::job::Strides strides;
    std::copy_n(job.strides, COX_HOST_WINDOWS, strides.begin());
    cox::firmware::job::set_inferences(request, job.inferences, strides);
  }
  return request;
}

void give(const Outcome &from, cox_host_outcome &outcome) {
  outcome = {};
  outcome.error = from.error;
  outcome.index = from.error_index;
  outcome.value = from.error_value;
  outcome.limit = from.error_limit;
  std::memcpy(outcome.what, from.error_what, sizeof(outcome.what) - 1);
  outcome.start_cycle = from.start_cycle;
  outcome.end_cycle = from.end_cycle;
  outcome.control_instructions = from.control_instructions;
  outcome.accelerator_instructions = from.accelerator_instructions;
  outcome.first_core = from.first_core;
  outcome.cores = from.cores;
  outcome.retried = from.retried;
  outcome.inferences = from.inferences;
  outcome.waiting_units = from.waiting_units;
  if (from.counted == 0) std::memcpy(outcome.waiting, from.waiting, from.waiting_units * sizeof(from.waiting[0]));
}

/// Returns a text with the same characters that lasts. The firmware has few different names.
const char *lasting(const char *text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return texts.emplace(text).first->c_str();
}

cox_status do_job(cox_host &host, const Request &job, std::uint32_t limit_us, cox_host_outcome *outcome) {
  const auto begin = std::chrono::steady_clock::now();
  const Result<cox::host::Ticket> ticket = host.link.submit(job, limit_us);
  if (!ticket) return to_c(ticket.status());
  std::uint32_t left = limit_us;
  if (limit_us != COX_HOST_FOREVER) {
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin).count();
    left = passed < limit_us ? limit_us - static_cast<std::uint32_t>(passed) : 0;
  }
  const Result<Outcome> found = host.link.wait(ticket.value(), left);
  if (!found) {
    host.link.forget(ticket.value());
    return to_c(found.status());
  }
  cox_host_outcome given{};
  give(found.value(), given);
  if (outcome != nullptr) *outcome = given;
  return {given.error, given.index, given.error == 0 ? "" : lasting(given.what), given.value, given.limit};
}

/// Gives the memory of a task back.
void release(cox_host &host, const cox_host::Task &task) {
  for (const std::uint64_t address : {task.image, task.workspace}) {
    if (address != 0) static_cast<void>(host.memory->free(address));
  }
}

void *in_dram(const cox_host &host, std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t offset = address - host.transport.dram_base;
  if (offset > host.transport.dram_bytes || bytes > host.transport.dram_bytes - offset) return nullptr;
  return static_cast<std::byte *>(host.transport.dram) + offset;
}

/// Returns the address in DRAM of a copy of the image. The FlatBuffer behind the image's header begins a block, so that its constants are
/// aligned in memory as they are in the FlatBuffer.
Result<std::uint64_t> place_image(cox_host &host, const void *image, std::size_t bytes, cox_host::Task &task) {
  constexpr std::uint64_t kBefore = kBlock - sizeof(cox::firmware::image::ImageHeader);
  const Result<std::uint64_t> address = host.memory->allocate(bytes + kBefore);
  if (!address) return address.status();
  task.image = address.value();
  std::memcpy(in_dram(host, task.image + kBefore, bytes), image, bytes);
  return task.image + kBefore;
}

}  // namespace

cox_status cox_host_open(const cox_host_transport *transport, const cox_host_options *options, cox_host **host) {
  if (transport == nullptr || transport->dram == nullptr || transport->ring == nullptr || transport->wait == nullptr ||
      transport->wake == nullptr) {
    return refused("transport");
  }
  return guarded([&]() -> cox_status {
    auto opened = std::make_unique<cox_host>(*transport);
    if (host == nullptr) return refused("host");
    if (reinterpret_cast<std::uintptr_t>(transport->dram) % kBlock != 0) return refused("dram");
    const Status status = opened->link.open(options != nullptr ? *options : cox_host_options{});
    if (!status.ok()) return to_c(status);
    opened->memory =
        std::make_unique<Memory>(transport->dram_base + opened->link.ring_bytes(), transport->dram_base + transport->dram_bytes);
    *host = opened.release();
    return to_c({});
  });
}

void cox_host_close(cox_host *host) { delete host; }

cox_status cox_host_allocate(cox_host *host, std::uint64_t bytes, std::uint64_t *address) {
  if (host == nullptr || address == nullptr) return refused(host == nullptr ? "host" : "address");
  return guarded([&] {
    const Result<std::uint64_t> found = host->memory->allocate(bytes);
    if (found.ok()) *address = found.value();
    return to_c(found.status());
  });
}

cox_status cox_host_free(cox_host *host, std::uint64_t address) {
  if (host == nullptr) return refused("host");
  return guarded([&] { return to_c(host->memory->free(address)); });
}

void *cox_host_memory(cox_host *host, std::uint64_t address, std::uint64_t bytes) {
  return host == nullptr ? nullptr : in_dram(*host, address, bytes);
}

cox_status cox_host_submit(cox_host *host, const cox_host_job *job, std::uint32_t limit_us, std::uint64_t *ticket) {
  if (host == nullptr || job == nullptr) return refused(host == nullptr ? "host" : "job");
  if (job->kind == COX_HOST_CANCEL) return refused("kind");
  return guarded([&] {
    const Result<cox::host::Ticket> submitted = host->link.submit(request_of(*job), limit_us, ticket != nullptr);
    if (submitted.ok() && ticket != nullptr) *ticket = submitted.value();
    return to_c(submitted.status());
  });
}

cox_status cox_host_wait(cox_host *host, std::uint64_t ticket, std::uint32_t limit_us, cox_host_outcome *outcome) {
  if (host == nullptr || outcome == nullptr) return refused(host == nullptr ? "host" : "outcome");
  return guarded([&] {
    const Result<Outcome> found = host->link.wait(ticket, limit_us);
    if (found.ok()) give(found.value(), *outcome);
    return to_c(found.status());
  });
}

cox_status cox_host_cancel(cox_host *host, std::uint64_t ticket, std::uint32_t limit_us) {
  if (host == nullptr) return refused("host");
  return guarded([&] { return to_c(host->link.cancel(ticket, limit_us)); });
}

cox_status cox_host_do(cox_host *host, const cox_host_job *job, std::uint32_t limit_us, cox_host_outcome *outcome) {
  if (host == nullptr || job == nullptr) return refused(host == nullptr ? "host" : "job");
  if (job->kind == COX_HOST_CANCEL) return refused("kind");
  return guarded([&] { return do_job(*host, request_of(*job), limit_us, outcome); });
}

cox_status cox_host_load(cox_host *host, std::uint32_t task_slot, const void *image, std::size_t image_bytes, std::uint32_t limit_us) {
  if (host == nullptr || image == nullptr) return refused(host == nullptr ? "host" : "image");
  if (task_slot >= kTaskSlots) return to_c({ErrorCode::invalid_argument, "task_slot", -1, task_slot, kTaskSlots - 1});
  return guarded([&]() -> cox_status {
    const std::lock_guard lock(host->tasks_mutex);
    if (host->tasks[task_slot].image != 0) return to_c({ErrorCode::no_room, "task_slot", -1, task_slot});
    cox_host::Task task;
    const Result<std::uint64_t> placed = place_image(*host, image, image_bytes, task);
    if (!placed) return to_c(placed.status());
    Request job{};
    job.kind = Kind::load;
    job.task_slot = task_slot;
    job.image_address = placed.value();
    job.image_bytes = image_bytes;
    const Result<std::size_t> workspace =
        cox::firmware::image::workspace_bytes({static_cast<const std::byte *>(in_dram(*host, placed.value(), image_bytes)), image_bytes});
    const Result<std::uint64_t> address = workspace.ok() ? host->memory->allocate(workspace.value()) : workspace.status();
    cox_status status = to_c(address.status());
    if (address.ok()) {
      task.workspace = job.workspace_address = address.value();
      job.workspace_bytes = workspace.value();
      status = do_job(*host, job, limit_us, nullptr);
    }
    // After a timeout the firmware may still read the image.
    if (status.error == COX_OK || status.error == COX_ERROR_TIMEOUT) {
      host->tasks[task_slot] = task;
    } else {
      release(*host, task);
    }
    return status;
  });
}

cox_status cox_host_unload(cox_host *host, std::uint32_t task_slot, std::uint32_t limit_us) {
  if (host == nullptr) return refused("host");
  if (task_slot >= kTaskSlots) return to_c({ErrorCode::invalid_argument, "task_slot", -1, task_slot, kTaskSlots - 1});
  return guarded([&] {
    const std::lock_guard lock(host->tasks_mutex);
    Request job{};
    job.kind = Kind::unload;
    job.task_slot = task_slot;
    const cox_status status = do_job(*host, job, limit_us, nullptr);
    // An empty slot is no failure of the link: the load may have failed after its timeout.
    if (status.error == COX_OK || status.error == COX_ERROR_NOT_READY) {
      release(*host, host->tasks[task_slot]);
      host->tasks[task_slot] = {};
    }
    return status;
  });
}

cox_status cox_host_run(cox_host *host, std::uint32_t task_slot, const cox_host_window *windows, std::size_t count,
                        std::uint32_t limit_us) {
  if (host == nullptr) return refused("host");
  if (count > COX_HOST_WINDOWS || (windows == nullptr && count != 0)) return refused("windows");
  cox_host_job job{};
  job.kind = COX_HOST_RUN;
  job.task_slot = task_slot;
  for (std::size_t i = 0; i < count; ++i) job.windows[i] = windows[i];
  return cox_host_do(host, &job, limit_us, nullptr);
}
