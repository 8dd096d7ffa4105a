// SPDX-License-Identifier: MIT
// Unity operations from JSON, for tests that compute expected results elsewhere. Members have the names of the fields in
// isa/unity/operation.h; one that is not there keeps its default. Units are numbers, operations names.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "coxswain/isa/unity/operation.h"

namespace cox::test {

/// `base` is added to each address. Throws nlohmann::json::exception, or std::out_of_range for an unknown name.
[[nodiscard]] isa::unity::Operation operation_of(const nlohmann::json &json, std::uint64_t base);

}  // namespace cox::test
