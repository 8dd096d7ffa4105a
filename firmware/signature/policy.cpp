// SPDX-License-Identifier: MIT
#include "coxswain/firmware/signature/policy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "coxswain/base/c_status.h"
#include "coxswain/firmware/load/signature_check.h"
#include "coxswain/firmware/signature/verification.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::firmware::signature {

namespace {

using load::Admission;
using load::Budget;

constexpr std::size_t kProtectedAlignment = 64;  // of a program in an image

class PolicyCheck final : public load::SignatureCheck {
 public:
  explicit PolicyCheck(const cox_signing_policy &policy) : policy_(policy) {
    for (std::size_t i = 0; i < policy.key_count; ++i) minimum_[i] = policy.keys[i].minimum_version;
  }

  Status begin(std::span<const std::byte> image, std::span<std::byte> copy) override {
    if (!claim()) return {ErrorCode::not_ready, "signature check"};
    const Status status = begin_claimed(image, copy);
    if (!status.ok()) abandon();
    return status;
  }

  Status step(Budget &budget) override {
    const Status status = admission_.is_signed ? verify(budget) : copy_unsigned(budget);
    if (!status.ok() || done_) abandon();
    return status;
  }

  [[nodiscard]] bool done() const override { return done_; }
  [[nodiscard]] const Admission &admission() const override { return admission_; }
  void abandon() override { in_progress_ = false; }

  Status accept(const Admission &admission) override {
    if (!admission.is_signed || admission.version <= minimum_of(admission.key)) return {};
    if (policy_.raise_minimum == nullptr) {
      minimum_[admission.key] = admission.version;
    } else if (!policy_.raise_minimum(policy_.context, admission.key, admission.version)) {
      return {ErrorCode::rolled_back, "minimum_version", static_cast<std::int32_t>(admission.key), admission.version};
    }
    return {};
  }

  [[nodiscard]] std::span<std::byte> protected_memory() const override {
    return {static_cast<std::byte *>(policy_.protected_memory), policy_.protected_bytes};
  }

 private:
  /// Returns false if another check is in progress, for example one of another thread.
  bool claim() {
    const hal::InterruptMask mask;
    if (in_progress_) return false;
    in_progress_ = true;
    return true;
  }

  Status begin_claimed(std::span<const std::byte> image, std::span<std::byte> copy) {
    done_ = false;
    admission_ = {};
    if (image::is_signed_image(image)) {
      admission_.is_signed = true;
      return verification_.begin(image, copy, {policy_.keys, policy_.key_count});
    }
    if (!policy_.allow_unsigned) return {ErrorCode::image_unsigned, "signature"};
    if (!copy.empty() && copy.size() != image.size()) return {ErrorCode::invalid_argument, "copy"};
    unsigned_ = image;
    copy_ = copy;
    copied_ = 0;
    return {};
  }

  Status verify(Budget &budget) {
    if (Status status = verification_.step(budget); !status.ok() || !verification_.done()) return status;
    admission_.payload = verification_.payload();
    admission_.key = verification_.key();
    admission_.version = verification_.version();
    const std::uint32_t minimum = minimum_of(admission_.key);
    if (admission_.version < minimum) {
      return {ErrorCode::rolled_back, "version", static_cast<std::int32_t>(admission_.key), admission_.version, minimum};
    }
    done_ = true;
    return {};
  }

  Status copy_unsigned(Budget &budget) {
    constexpr std::size_t kPiece = 4096;
    for (; copied_ < copy_.size() && budget.is_left(); copied_ += std::min(kPiece, copy_.size() - copied_)) {
      const std::size_t piece = std::min(kPiece, copy_.size() - copied_);
      budget.spend(static_cast<std::int32_t>(piece));
      std::memcpy(&copy_[copied_], &unsigned_[copied_], piece);
      hal::clean_cache(&copy_[copied_], piece);
    }
    if (copied_ < copy_.size()) return {};
    admission_.payload = copy_.empty() ? unsigned_ : std::span<const std::byte>(copy_);
    done_ = true;
    return {};
  }

  [[nodiscard]] std::uint32_t minimum_of(std::uint32_t key) const {
    return policy_.read_minimum == nullptr ? minimum_[key] : policy_.read_minimum(policy_.context, key);
  }

  cox_signing_policy policy_;
  std::array<std::uint32_t, COX_MOST_SIGNING_KEYS> minimum_{};  ///< of each key, for policies without a counter
  Verification verification_;
  Admission admission_;
  std::span<const std::byte> unsigned_;
  std::span<std::byte> copy_;
  std::size_t copied_ = 0;
  bool in_progress_ = false, done_ = false;
};

alignas(PolicyCheck) std::byte memory_of_check[sizeof(PolicyCheck)];

Status check(const cox_signing_policy &policy) {
  if (policy.key_count > COX_MOST_SIGNING_KEYS) {
    return {ErrorCode::invalid_argument, "key_count", -1, static_cast<std::int64_t>(policy.key_count), COX_MOST_SIGNING_KEYS};
  }
  if (policy.keys == nullptr && policy.key_count != 0) return {ErrorCode::invalid_argument, "keys"};
  for (std::size_t i = 0; i < policy.key_count; ++i) {
    if (!cox_p256_is_key(policy.keys[i].point)) return {ErrorCode::invalid_argument, "keys", static_cast<std::int32_t>(i)};
  }
  if ((policy.read_minimum == nullptr) != (policy.raise_minimum == nullptr)) return {ErrorCode::invalid_argument, "raise_minimum"};
  if ((policy.protected_memory == nullptr) != (policy.protected_bytes == 0)) return {ErrorCode::invalid_argument, "protected_bytes"};
  if (reinterpret_cast<std::uintptr_t>(policy.protected_memory) % kProtectedAlignment != 0) {
    return {ErrorCode::invalid_argument, "protected_memory"};
  }
  return {};
}

}  // namespace

Status set_policy(const cox_signing_policy &policy) {
  if (Status status = check(policy); !status.ok()) return status;
  load::set_signature_check(new (memory_of_check) PolicyCheck(policy));
  return {};
}

}  // namespace cox::firmware::signature

cox_status cox_set_signing_policy(const cox_signing_policy *policy) {
  if (policy == nullptr) return cox::to_c(cox::Status(cox::ErrorCode::invalid_argument, "policy"));
  return cox::to_c(cox::firmware::signature::set_policy(*policy));
}
