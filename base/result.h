// SPDX-License-Identifier: MIT
// A value, or the Status of a failure.
#pragma once

#include <utility>

#include "coxswain/base/status.h"

namespace cox {

/// The result of a call: a `T` on success, else a Status. The object always contains both, so `T` must be default-constructible and small.
template <typename T>
class [[nodiscard]] Result {
 public:
  constexpr Result(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor): `return value;` reads best
  constexpr Result(Status status) : status_(status) {}     // NOLINT(google-explicit-constructor)

  [[nodiscard]] constexpr bool ok() const { return status_.ok(); }
  [[nodiscard]] constexpr explicit operator bool() const { return ok(); }
  [[nodiscard]] constexpr Status status() const { return status_; }
  /// Requires ok().
  [[nodiscard]] constexpr const T &value() const & { return value_; }
  [[nodiscard]] constexpr T &value() & { return value_; }
  [[nodiscard]] constexpr T &&value() && { return std::move(value_); }

 private:
  T value_{};
  Status status_{};
};

}  // namespace cox
