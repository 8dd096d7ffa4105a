// SPDX-License-Identifier: MIT
// The part of a load that verifies the signature of an image, before any other part looks at it (docs/signing.md). It is an interface, so
// that only programs that set a policy (firmware/cox_signature.h) contain it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/firmware/load/budget.h"

namespace cox::firmware::load {

/// What a check has found out about an image that it lets pass.
struct Admission {
  std::span<const std::byte> payload;  ///< the image without header and signature
  std::uint32_t key = 0;               ///< number of the key that the image is signed with
  std::uint32_t version = 0;
  bool is_signed = false;
};

class SignatureCheck {
 public:
  SignatureCheck() = default;
  SignatureCheck(const SignatureCheck &) = delete;
  SignatureCheck &operator=(const SignatureCheck &) = delete;

  /// Begins the check of `image`, which must outlive it. If `copy` is not empty, the image is first copied to it, piece by piece, and the
  /// copy is verified; it has the size and the alignment of the image. Only one check can be in progress.
  /// Errors of this function and of step(): those of image::load() about signatures; not_ready ("signature check") if another check is in
  /// progress. After an error, and when done() is true, no check is in progress.
  virtual Status begin(std::span<const std::byte> image, std::span<std::byte> copy) = 0;
  /// Works until the check is complete or the budget is used.
  virtual Status step(Budget &budget) = 0;
  [[nodiscard]] virtual bool done() const = 0;
  /// The result, when done() is true, until another check begins.
  [[nodiscard]] virtual const Admission &admission() const = 0;
  /// Ends a check that is in progress.
  virtual void abandon() = 0;
  /// Called when an image has passed all other checks of its load, too: raises the minimum version of its key. Returns the error of the
  /// application's counter.
  virtual Status accept(const Admission &admission) = 0;

  /// Memory that only the firmware and the accelerator can write, or nothing. Jobs copy images there, and have their workspaces there.
  [[nodiscard]] virtual std::span<std::byte> protected_memory() const = 0;

 protected:
  ~SignatureCheck() = default;
};

/// The signature phase of a load: the check of all loads, or the refusal of signed images in a firmware without one.
class Admitting {
 public:
  /// Errors of this function and of step(): those of SignatureCheck::begin(), and unsupported ("signed images") without a check.
  [[nodiscard]] Status begin(std::span<const std::byte> image, std::span<std::byte> copy = {});
  [[nodiscard]] Status step(Budget &budget);
  [[nodiscard]] bool done() const { return check_ == nullptr; }
  /// Ends the phase early.
  void abandon();
  /// The result, when done() is true.
  [[nodiscard]] const Admission &admission() const { return admission_; }

 private:
  SignatureCheck *check_ = nullptr;  ///< while the phase is in progress
  Admission admission_;
};

/// Makes all loads use this check, which must stay as long as loads begin. Null, the default: no check, and signed images are refused.
void set_signature_check(SignatureCheck *check);
[[nodiscard]] SignatureCheck *signature_check();

}  // namespace cox::firmware::load
