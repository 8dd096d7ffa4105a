// SPDX-License-Identifier: MIT
// Copies of small plain objects without a call of memcpy(), for code that runs once a job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace cox {

/// Copies an object of at most a few hundred bytes. GCC inlines copies of at most 64 bytes, so the object is copied in such pieces.
template <typename T>
void inline_copy(T &to, const T &from) {
  static_assert(std::is_trivially_copyable_v<T>);
  constexpr std::size_t kPiece = 64;
  [&]<std::size_t... kPieces>(std::index_sequence<kPieces...>) {
    auto *const target = static_cast<std::byte *>(__builtin_assume_aligned(&to, alignof(T)));
    const auto *const source = static_cast<const std::byte *>(__builtin_assume_aligned(&from, alignof(T)));
    (std::memcpy(target + kPieces * kPiece, source + kPieces * kPiece, std::min(kPiece, sizeof(T) - kPieces * kPiece)), ...);
  }
  (std::make_index_sequence<(sizeof(T) + kPiece - 1) / kPiece>());
}

}  // namespace cox
