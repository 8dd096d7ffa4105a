// SPDX-License-Identifier: MIT
// The functions of hal/cox_os.h on top of the kernel (docs/porting.md, An operating system). A semaphore for each engine blocks the threads
// that wait for it.
#include <array>
#include <cstdint>

#include "coxswain/hal/cox_os.h"
#include "examples/threads/kernel.h"

namespace {

constexpr TickType_t kLongest = 10;  // milliseconds

struct Waiters {
  SemaphoreHandle_t semaphore = nullptr;
  UBaseType_t count = 0;  ///< threads that no notification has unblocked. Only used in critical sections
};
std::array<Waiters, COX_OS_ENGINES> waiters;

}  // namespace

extern "C" void cox_os_wait(std::uint32_t engine) {
  Waiters &own = waiters[engine];
  if (own.semaphore == nullptr) own.semaphore = xSemaphoreCreateCounting(COX_OS_ENGINES, 0);
  ++own.count;
  cox_os_unlock(0);
  const BaseType_t is_notified = xSemaphoreTake(own.semaphore, kLongest);
  static_cast<void>(cox_os_lock());
  if (is_notified == pdFALSE && own.count != 0) --own.count;
}

extern "C" void cox_os_notify(std::uint32_t engine) {
  const std::uint32_t state = cox_os_lock();
  Waiters &own = waiters[engine];
  for (; own.count != 0; --own.count) xSemaphoreGiveFromISR(own.semaphore, nullptr);
  cox_os_unlock(state);
}
