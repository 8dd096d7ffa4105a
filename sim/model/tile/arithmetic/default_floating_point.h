// SPDX-License-Identifier: MIT
// The floating-point environment that arithmetic of the model runs in, of tile cores and engines.
#pragma once

#include <cfenv>

namespace cox::model::arithmetic {

/// A host that links something built with -ffast-math flushes subnormals in all its threads; results must not depend on that.
class DefaultFloatingPoint {
 public:
  DefaultFloatingPoint() {
    std::fegetenv(&caller_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatingPoint() { std::fesetenv(&caller_); }
  DefaultFloatingPoint(const DefaultFloatingPoint &) = delete;
  DefaultFloatingPoint &operator=(const DefaultFloatingPoint &) = delete;

 private:
  std::fenv_t caller_{};
};

}  // namespace cox::model::arithmetic
