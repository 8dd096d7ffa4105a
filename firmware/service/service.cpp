// SPDX-License-Identifier: MIT
// The entries of the secure firmware. Compiled with -mcmse: the compiler makes a veneer for each, and clears the registers on the way back.
#include <arm_cmse.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "coxswain/firmware/coxswain.h"
#include "coxswain/firmware/service/cox_service.h"
#include "coxswain/hal/board.h"

namespace cox::firmware::service {
namespace {

/// The secure DRAM of a task: image, workspace, windows.
constexpr std::size_t kSlotBytes = 16U << 20;
constexpr std::size_t kWorkspace = COX_SERVICE_IMAGE_BYTES;  ///< offset
constexpr std::size_t kWindows = 2U << 20;                   ///< offset
constexpr std::size_t kWorkspaceBytes = kWindows - kWorkspace;
static_assert(kWindows + COX_SERVICE_WINDOWS_BYTES == kSlotBytes);
static_assert(COX_SERVICE_WINDOWS == COX_WINDOWS);

struct Slot {
  bool is_used = false;
  cox_task task;
  cox_service_status status;
};

std::array<Slot, COX_SERVICE_TASKS> slots;
std::atomic<bool> in_call = false;

/// Admits one call at a time: a non-secure interrupt may interrupt an entry and call another.
class Call {
 public:
  Call() : admitted_(!in_call.exchange(true)) {}
  ~Call() {
    if (admitted_) in_call = false;
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  [[nodiscard]] bool admitted() const { return admitted_; }

 private:
  bool admitted_;
};

std::byte *memory_of(std::uint32_t task) {
  return reinterpret_cast<std::byte *>(board::dram_base() + task * kSlotBytes);  // NOLINT(performance-no-int-to-ptr): memory of the map
}

/// Returns true if the non-secure caller itself may access all of the bytes.
bool is_callers(const void *address, std::size_t bytes, int access) {
  return address != nullptr && bytes != 0 &&
         cmse_check_address_range(const_cast<void *>(address), bytes, CMSE_NONSECURE | access) != nullptr;
}

/// The bytes that a window takes in the slot.
constexpr std::uint64_t aligned(std::uint64_t bytes) { return (bytes + COX_ALIGNMENT - 1) / COX_ALIGNMENT * COX_ALIGNMENT; }

bool is_task(std::uint32_t task) { return task < slots.size() && slots[task].is_used; }

std::uint32_t load(const void *image, std::uint32_t image_bytes, std::uint32_t *result) {
  if (!is_callers(image, image_bytes, CMSE_MPU_READ) || !is_callers(result, sizeof(*result), CMSE_MPU_READWRITE))
    return COX_ERROR_INVALID_ARGUMENT;
  if (image_bytes > COX_SERVICE_IMAGE_BYTES) return COX_ERROR_NO_ROOM;
  std::uint32_t task = 0;
  while (task < slots.size() && slots[task].is_used) ++task;
  if (task == slots.size()) return COX_ERROR_NO_ROOM;
  Slot &slot = slots[task];
  std::byte *const memory = memory_of(task);
  std::memcpy(memory, image, image_bytes);
  if (const cox_status status = cox_load(&slot.task, memory, image_bytes, memory + kWorkspace, kWorkspaceBytes); status.error != COX_OK)
    return status.error;
  slot.status = {};
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; i < COX_SERVICE_WINDOWS; ++i) {
    const std::uint64_t bytes = cox_window_bytes(&slot.task, i);
    total += aligned(bytes);
    if (total > COX_SERVICE_WINDOWS_BYTES) return COX_ERROR_NO_ROOM;
    slot.status.window_bytes[i] = static_cast<std::uint32_t>(bytes);
  }
  slot.is_used = true;
  *result = task;
  return COX_OK;
}

/// Copies the windows in, runs the task, and copies them back if it has succeeded.
std::uint32_t run(std::uint32_t task, const cox_service_window *caller, std::uint32_t time_limit_us) {
  if (!is_task(task) || !is_callers(caller, sizeof(*caller) * COX_SERVICE_WINDOWS, CMSE_MPU_READ)) return COX_ERROR_INVALID_ARGUMENT;
  Slot &slot = slots[task];
  std::array<cox_service_window, COX_SERVICE_WINDOWS> given;  // a copy, which the caller cannot change
  std::memcpy(given.data(), caller, sizeof(given));
  std::array<cox_window, COX_WINDOWS> windows{};
  std::byte *place = memory_of(task) + kWindows;
  for (std::uint32_t i = 0; i < COX_SERVICE_WINDOWS; ++i) {
    const std::uint32_t bytes = slot.status.window_bytes[i];
    if (bytes == 0) continue;
    if (given[i].bytes < bytes) return COX_ERROR_WINDOW_TOO_SMALL;
    if (!is_callers(given[i].address, bytes, CMSE_MPU_READWRITE)) return COX_ERROR_INVALID_ARGUMENT;
    windows[i] = {place, bytes};
    place += aligned(bytes);
  }
  for (std::uint32_t i = 0; i < COX_SERVICE_WINDOWS; ++i) {
    if (windows[i].size != 0) std::memcpy(windows[i].address, given[i].address, windows[i].size);
  }
  cox_report report{};
  const cox_status status = cox_run(&slot.task, windows.data(), time_limit_us, &report);
  slot.status.runs += 1;
  slot.status.last_error = status.error;
  if (status.error != COX_OK) {
    slot.status.failures += 1;
    return status.error;
  }
  slot.status.last_cycles = static_cast<std::uint32_t>(report.end_cycle - report.start_cycle);
  for (std::uint32_t i = 0; i < COX_SERVICE_WINDOWS; ++i) {
    if (windows[i].size != 0) std::memcpy(given[i].address, windows[i].address, windows[i].size);
  }
  return COX_OK;
}

}  // namespace

extern "C" {

__attribute__((cmse_nonsecure_entry, used)) std::uint32_t cox_service_load(const void *image, std::uint32_t image_bytes,
                                                                           std::uint32_t *task) {
  const Call call;
  return call.admitted() ? load(image, image_bytes, task) : std::uint32_t{COX_ERROR_NOT_READY};
}

__attribute__((cmse_nonsecure_entry, used)) std::uint32_t cox_service_run(std::uint32_t task, const cox_service_window *windows,
                                                                          std::uint32_t time_limit_us) {
  const Call call;
  return call.admitted() ? run(task, windows, time_limit_us) : std::uint32_t{COX_ERROR_NOT_READY};
}

__attribute__((cmse_nonsecure_entry, used)) std::uint32_t cox_service_status_of(std::uint32_t task, cox_service_status *status) {
  const Call call;
  if (!call.admitted()) return COX_ERROR_NOT_READY;
  if (!is_task(task) || !is_callers(status, sizeof(*status), CMSE_MPU_READWRITE)) return COX_ERROR_INVALID_ARGUMENT;
  *status = slots[task].status;
  return COX_OK;
}

__attribute__((cmse_nonsecure_entry, used)) std::uint32_t cox_service_unload(std::uint32_t task) {
  const Call call;
  if (!call.admitted()) return COX_ERROR_NOT_READY;
  if (!is_task(task)) return COX_ERROR_INVALID_ARGUMENT;
  slots[task].is_used = false;
  return COX_OK;
}

}  // extern "C"

}  // namespace cox::firmware::service
