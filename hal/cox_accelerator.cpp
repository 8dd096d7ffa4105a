// SPDX-License-Identifier: MIT
#include "coxswain/hal/cox_accelerator.h"

#include "coxswain/base/c_status.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/opened_accelerator.h"

namespace {

using cox::ErrorCode;
using cox::Status;

constinit cox::hal::Accelerator accelerator;

Status check_version(const cox_options &options) {
  if (options.version_major != COX_INTERFACE_MAJOR)
    return {ErrorCode::unsupported, "COX_INTERFACE_MAJOR", -1, options.version_major, COX_INTERFACE_MAJOR};
  if (options.version_minor > COX_INTERFACE_MINOR)
    return {ErrorCode::unsupported, "COX_INTERFACE_MINOR", -1, options.version_minor, COX_INTERFACE_MINOR};
  return {};
}

}  // namespace

cox::Result<cox::hal::Accelerator *> cox::hal::opened_accelerator() {
  if (!accelerator.is_open()) return Status(ErrorCode::not_ready, "cox_open");
  return &accelerator;
}

cox_status cox_open(const cox_options *options) {
  if (options == nullptr) return cox::to_c(Status(ErrorCode::invalid_argument, "options"));
  if (const Status status = check_version(*options); !status) return cox::to_c(status);
  if (accelerator.is_open()) return cox::to_c(Status(ErrorCode::not_owner, "cox_open"));
  const uint32_t priority = options->version_minor >= 1 ? options->interrupt_priority : 0;
  return cox::to_c(accelerator.open(cox::board::queue_memory(), priority));
}

cox_status cox_close() {
  if (!accelerator.is_open()) return cox::to_c(cox::hal::opened_accelerator().status());
  return cox::to_c(accelerator.close());
}

uint64_t cox_dram_base() { return cox::hal::dram_range().address; }
uint64_t cox_dram_bytes() { return cox::board::dram_size(); }

cox_memory cox_dram() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the board says where DRAM is
  return {reinterpret_cast<void *>(static_cast<std::uintptr_t>(cox::board::dram_base())), cox::board::dram_size()};
}
