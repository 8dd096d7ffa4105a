// SPDX-License-Identifier: MIT
// Verifies the entries of `mapping` in a task image (firmware/image/task.fbs). There is one for each instruction, so this check has a fast
// form.
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/firmware/load/budget.h"

namespace cox::firmware::image {
struct Task;  // the FlatBuffer, firmware/image/task.fbs
}

namespace cox::firmware::load {

/// Verifies entries from number `next` on, until all are verified or the budget is used. The list itself has been verified. Returns false
/// if an entry is malformed.
[[nodiscard]] bool verify_mapping(const image::Task &task, std::span<const std::byte> payload, std::size_t &next, Budget &budget);

}  // namespace cox::firmware::load
