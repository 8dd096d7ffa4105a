// SPDX-License-Identifier: MIT
#include "coxswain/hal/cox_dma.h"

#include <array>

#include "coxswain/base/c_status.h"
#include "coxswain/hal/dma.h"
#include "coxswain/hal/opened_accelerator.h"

namespace {

using cox::ErrorCode;
using cox::Result;
using cox::Status;
using cox::to_c;
using cox::hal::Dma;
using cox::hal::DmaCopy;

static_assert(COX_DMA_COPIES == Dma::kMostCopies && COX_DMA_LISTS == Dma::kLists);

constinit Dma dma;

cox_status not_open() { return to_c(Status(ErrorCode::not_ready, "cox_dma_open")); }
Dma::Handle handle_of(cox_dma_list list) { return static_cast<Dma::Handle>(list); }

}  // namespace

cox_status cox_dma_open() {
  const Result<cox::hal::Accelerator *> accelerator = cox::hal::opened_accelerator();
  if (!accelerator) return to_c(accelerator.status());
  if (dma.is_open()) return to_c(Status(ErrorCode::not_owner, "DMA"));
  const Result<std::span<std::byte>> memory = accelerator.value()->reserve(Dma::kQueueBytes);
  return to_c(memory ? dma.open(memory.value()) : memory.status());
}

cox_status cox_dma_close() { return dma.is_open() ? to_c(dma.close()) : not_open(); }

cox_status cox_dma_submit(const cox_dma_copy *copies, size_t count, uint32_t time_limit_us, cox_dma_list *list) {
  if (!dma.is_open()) return not_open();
  if (list == nullptr) return to_c(Status(ErrorCode::invalid_argument, "list"));
  if (copies == nullptr || count == 0 || count > COX_DMA_COPIES)
    return to_c(Status(ErrorCode::invalid_argument, "copies", -1, static_cast<std::int64_t>(count), COX_DMA_COPIES));
  std::array<DmaCopy, COX_DMA_COPIES> own;
  for (std::size_t i = 0; i < count; ++i) {
    const cox_dma_copy &copy = copies[i];
    own[i] = {reinterpret_cast<std::uintptr_t>(copy.source),
              reinterpret_cast<std::uintptr_t>(copy.destination),
              copy.bytes,
              copy.rows,
              copy.source_stride,
              copy.destination_stride};
  }
  const std::span<const DmaCopy> all = std::span(own).first(count);
  if (const Status status = Dma::check_apart(all); !status.ok()) return to_c(status);
  dma.supervise();  // a channel that did not stop may have stopped since
  const Result<Dma::Handle> handle = dma.submit(all, time_limit_us);
  if (handle) *list = static_cast<std::uint32_t>(handle.value());
  return to_c(handle.status());
}

bool cox_dma_has_ended(cox_dma_list list) {
  dma.supervise();
  return !dma.is_valid(handle_of(list)) || dma.has_ended(handle_of(list));
}

cox_status cox_dma_wait(cox_dma_list list, uint32_t limit_us) {
  return dma.is_open() ? to_c(dma.wait(handle_of(list), limit_us)) : not_open();
}

cox_status cox_dma_abort(cox_dma_list list) { return dma.is_open() ? to_c(dma.abort(handle_of(list))) : not_open(); }
