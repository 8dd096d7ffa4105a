// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/scratch.h"

#include <array>
#include <memory>
#include <new>

namespace cox::model::arithmetic {
namespace {

constexpr std::align_val_t kAlignment{64};

struct Release {
  void operator()(std::byte *bytes) const { ::operator delete(bytes, kAlignment); }
};

struct Buffer {
  std::unique_ptr<std::byte, Release> bytes;
  std::int64_t size = 0;
};

thread_local std::array<Buffer, static_cast<std::size_t>(ScratchUse::count)> buffers;

}  // namespace

std::byte *scratch(ScratchUse use, std::int64_t bytes) {
  Buffer &buffer = buffers[static_cast<std::size_t>(use)];
  if (buffer.size < bytes || !buffer.bytes) {
    const std::int64_t size = bytes > 0 ? bytes : 1;
    buffer.bytes.reset();
    buffer.size = 0;
    buffer.bytes.reset(static_cast<std::byte *>(::operator new(static_cast<std::size_t>(size), kAlignment)));
    buffer.size = size;
  }
  return buffer.bytes.get();
}

}  // namespace cox::model::arithmetic
