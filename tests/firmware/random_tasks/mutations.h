// SPDX-License-Identifier: MIT
// Ways to make a valid task wrong. Each comes with the error that the verifier must report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coxswain/base/status.h"
#include "tests/firmware/random_tasks/generator.h"

namespace cox::tests {

struct Refusal {
  ErrorCode error = ErrorCode::ok;
  std::string what;         ///< empty: any name
  std::int32_t index = -2;  ///< -2: any index
};

struct Mutation {
  const char *name;
  /// Makes `task.text` wrong and returns the expected refusal; nullopt if the task cannot be made wrong in this way.
  std::optional<Refusal> (*apply)(RandomTask &task, Random &random);
};

extern const std::vector<Mutation> kMutations;

}  // namespace cox::tests
