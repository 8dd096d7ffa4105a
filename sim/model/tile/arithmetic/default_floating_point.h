// SPDX-License-Identifier: MIT
// The floating-point environment for the arithmetic of all engines of the model.
#pragma once

#include <cfenv>

namespace cox::model::arithmetic {

/// Sets the default floating-point environment during the object's lifetime. If a host links code that was built with -ffast-math, all of
/// its threads flush subnormals. The results of the model must not depend on that.
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
