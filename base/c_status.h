// SPDX-License-Identifier: MIT
// Converts outcomes for C programs.
#pragma once

#include "coxswain/base/cox_status.h"
#include "coxswain/base/status.h"

namespace cox {

inline cox_status to_c(const Status &status) {
  return {static_cast<std::uint32_t>(status.code()), status.index(), status.what(), status.value(), status.limit()};
}

}  // namespace cox
