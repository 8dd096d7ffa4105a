// SPDX-License-Identifier: MIT
// Ways to make a valid task wrong, each with the error that must name it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tests/firmware/random_tasks/generator.h"

namespace cox::tests {

struct Refusal {
  ErrorCode error = ErrorCode::ok;
  std::string what;         ///< empty: any
  std::int32_t index = -2;  ///< -2: any
};

struct Mutation {
  const char *name;
  /// Makes `task.text` wrong and says what is to be refused; nullopt where the task has nothing to make wrong that way.
  std::optional<Refusal> (*apply)(RandomTask &task, Random &random);
};

extern const std::vector<Mutation> kMutations;

}  // namespace cox::tests
