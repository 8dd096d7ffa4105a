// SPDX-License-Identifier: MIT
// What must hold of a valid task: it loads, it has no hazard, and the device leaves the bytes that the interpreter computes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coxswain/firmware/image/loader.h"
#include "tests/firmware/random_tasks/generator.h"

namespace cox::tests {

std::string text_of(const Status &status);

/// An image with its workspace, loaded for a device of four cores.
struct Loaded {
  explicit Loaded(const TaskText &text);
  Image image;
  std::vector<std::uint64_t> workspace;
  Result<firmware::image::LoadedTask> result;
};

/// Runs the task on a native board, and in the interpreter. Returns a sentence that says what is wrong; empty if all is right.
std::string problem_of(const RandomTask &task);

}  // namespace cox::tests
