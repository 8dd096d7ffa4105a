// SPDX-License-Identifier: MIT
// Signed images for tests, and the policies that take them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/firmware/cox_signature.h"
#include "coxswain/firmware/load/signature_check.h"
#include "tests/firmware/task_builder.h"
#include "tools/sign/keys.h"

namespace cox::tests {

/// Bytes of a signed image, aligned so that the payload's program is aligned to 64 bytes.
class SignedImage {
 public:
  explicit SignedImage(std::span<const std::uint8_t> bytes);

  [[nodiscard]] std::span<std::byte> bytes() { return std::span(storage_).subspan(kShift, size_); }

 private:
  static constexpr std::size_t kAlignment = 64, kShift = 48;
  struct alignas(kAlignment) Line {
    std::byte bytes[kAlignment];
  };
  std::vector<Line> lines_;
  std::span<std::byte> storage_;
  std::size_t size_;
};

/// Two keys, made once.
[[nodiscard]] const tools::sign::PrivateKey &first_key();
[[nodiscard]] const tools::sign::PrivateKey &second_key();

/// Signs a payload, or the image of a task.
[[nodiscard]] SignedImage sign(std::span<const std::byte> payload, std::uint32_t version = 5,
                               const tools::sign::PrivateKey &key = first_key());
[[nodiscard]] SignedImage sign(const TaskText &text, std::uint32_t version = 5, const tools::sign::PrivateKey &key = first_key());

/// A test whose loads have a policy. The end of the test takes it away.
class SignaturePolicy {
 public:
  SignaturePolicy();
  ~SignaturePolicy();
  SignaturePolicy(const SignaturePolicy &) = delete;
  SignaturePolicy &operator=(const SignaturePolicy &) = delete;

  /// Sets the policy: signed images only, with the first key and minimum version 3, unless the members were changed.
  void set();

  std::vector<cox_public_key> keys;
  cox_signing_policy policy{};
};

}  // namespace cox::tests
