// SPDX-License-Identifier: MIT
#include "coxswain/firmware/job/inferences.h"

namespace cox::firmware::job {

Status Inferences::plan(const Request &job, const schedule::RunWindows &windows, std::uint32_t written, const schedule::MemoryRange &dram,
                        std::span<const schedule::MemoryRange> reserved) {
  left_ = job.argument - 1;
  const Strides asked = strides_of(job);
  std::array<schedule::MemoryRange, kWindows> all;  // the windows of all inferences
  for (unsigned i = 0; i < kWindows; ++i) {
    std::uint64_t stride = asked[i];
    schedule::MemoryRange &window = all[i] = windows[i].range();
    // A window that the submitter does not give is a constant in the image, or is not needed.
    if (job.windows[i].size == 0 || window.size == 0) stride = 0;
    const auto at = static_cast<std::int32_t>(i);
    if (stride % schedule::kWindowAlignment != 0)
      return {ErrorCode::misaligned_address, "windows", at, signed_of(stride), schedule::kWindowAlignment};
    const std::uint64_t room = dram.end() - window.end();  // the product cannot overflow, because `left_` has less than 32 bits
    if (stride > dram.size || stride * left_ > room)
      return {ErrorCode::window_outside_dram, "windows", at, signed_of(stride), signed_of(room)};
    strides_[i] = static_cast<std::uint32_t>(stride);
    window.size += stride * left_;
    if (stride == 0) continue;  // the window's one place was checked before
    for (const schedule::MemoryRange &range : reserved) {
      if (window.overlaps(range)) return {ErrorCode::window_overlap, "windows", at, signed_of(window.address), signed_of(range.address)};
    }
  }
  for (unsigned i = 0; i < kWindows; ++i) {
    for (unsigned other = 0; other < i; ++other) {
      const schedule::MemoryRange &a = all[i], &b = all[other];
      // Windows with the same stride never come closer to each other.
      if (strides_[i] == strides_[other] || ((written >> i | written >> other) & 1) == 0 || !a.overlaps(b)) continue;
      return {ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(i), signed_of(a.address), signed_of(b.address)};
    }
  }
  return {};
}

void Inferences::widen(MemoryUse &memory) const {
  for (unsigned i = 0; i < kWindows; ++i) {
    if (memory.windows[i].last < memory.windows[i].first) continue;
    memory.windows[i].first -= std::uintptr_t{strides_[i]} * done_;
    memory.windows[i].last += std::uintptr_t{strides_[i]} * left_;
  }
}

void Inferences::move(schedule::RunWindows &windows) const {
  for (unsigned i = 0; i < kWindows; ++i) windows[i].base += strides_[i];
}

}  // namespace cox::firmware::job
