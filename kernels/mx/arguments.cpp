// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/arguments.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::kTensorAlignment;

constexpr std::uint64_t kScratchAlignment = 4;
constexpr const char *kScratch = "scratch";

}  // namespace

Status check_memory(const Stream &stream, const isa::mx::Footprint &footprint, bool in_place) {
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::mx::Access &access = footprint.accesses[i];
    if (access.start % kTensorAlignment != 0)
      return Status(ErrorCode::misaligned_address, access.field, -1, static_cast<std::int64_t>(access.start), kTensorAlignment);
  }
  if (const Status status = isa::mx::check_apart(footprint, in_place); !status) return status;
  return isa::mx::check_windows(footprint, stream.windows());
}

void add_access(isa::mx::Footprint &footprint, bool write, std::uint64_t address, std::uint64_t bytes, const char *name) {
  footprint.accesses[footprint.count++] = {.start = address, .run = bytes, .write = write, .field = name};
}

Status add_scratch(isa::mx::Footprint &footprint, const Stream &stream, const Scratch &given, std::uint64_t wanted) {
  if (given.bytes < wanted)
    return Status(ErrorCode::no_room, kScratch, -1, static_cast<std::int64_t>(given.bytes), static_cast<std::int64_t>(wanted));
  if (given.address % kScratchAlignment != 0)
    return Status(ErrorCode::misaligned_address, kScratch, -1, static_cast<std::int64_t>(given.address), kScratchAlignment);
  add_access(footprint, true, given.address, wanted, kScratch);
  isa::mx::Footprint read;
  add_access(read, false, given.address, wanted, kScratch);
  return isa::mx::check_windows(read, stream.windows());
}

}  // namespace cox::kernels::mx
