// SPDX-License-Identifier: MIT
#include "coxswain/firmware/load/signature_check.h"

#include "coxswain/firmware/image/signed_header.h"

namespace cox::firmware::load {

namespace {
SignatureCheck *check_of_all_loads = nullptr;
}

void set_signature_check(SignatureCheck *check) { check_of_all_loads = check; }
SignatureCheck *signature_check() { return check_of_all_loads; }

Status Admitting::begin(std::span<const std::byte> image, std::span<std::byte> copy) {
  abandon();
  admission_ = {};
  if (check_of_all_loads == nullptr) {
    if (image::is_signed_image(image)) return {ErrorCode::unsupported, "signed images"};
    admission_.payload = image;
    return {};
  }
  if (Status status = check_of_all_loads->begin(image, copy); !status.ok()) return status;
  check_ = check_of_all_loads;
  return {};
}

Status Admitting::step(Budget &budget) {
  if (check_ == nullptr) return {};
  const Status status = check_->step(budget);
  if (!status.ok()) {
    check_ = nullptr;
  } else if (check_->done()) {
    admission_ = check_->admission();
    check_ = nullptr;
  }
  return status;
}

void Admitting::abandon() {
  if (check_ != nullptr) check_->abandon();
  check_ = nullptr;
}

}  // namespace cox::firmware::load
