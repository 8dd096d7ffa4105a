// SPDX-License-Identifier: MIT
// memcpy(), memmove() and memset(), in place of those of Newlib-nano, which work byte by byte (base/byte_blocks.h). The build turns off the
// optimisation that would replace the loops here by calls of these functions.
#include <cstddef>

#include "coxswain/base/byte_blocks.h"

extern "C" {

void *memcpy(void *to, const void *from, std::size_t count);
void *memmove(void *to, const void *from, std::size_t count);
void *memset(void *to, int value, std::size_t count);

[[gnu::used]] void *memcpy(void *to, const void *from, std::size_t count) {
  cox::copy_upwards(static_cast<std::byte *>(to), static_cast<const std::byte *>(from), count);
  return to;
}

[[gnu::used]] void *memmove(void *to, const void *from, std::size_t count) {
  auto *first = static_cast<std::byte *>(to);
  const auto *source = static_cast<const std::byte *>(from);
  if (first <= source || first >= source + count) {
    cox::copy_upwards(first, source, count);
  } else {
    cox::copy_downwards(first, source, count);
  }
  return to;
}

[[gnu::used]] void *memset(void *to, int value, std::size_t count) {
  cox::fill(static_cast<std::byte *>(to), static_cast<std::byte>(value), count);
  return to;
}

}  // extern "C"
