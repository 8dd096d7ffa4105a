// SPDX-License-Identifier: MIT
// A task with its window in the native board's DRAM.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/hal/context.h"
#include "tests/firmware/scheduled_tasks.h"

namespace cox::tests {

struct Loaded {
  /// `window`: the bus address of the task's window 0.
  Loaded(const TaskText &text, std::uint64_t window)
      : image(text), workspace(firmware::image::workspace_bytes(text.code.size(), text.tile_cores) / 8 + 1) {
    firmware::image::DeviceGeometry geometry = firmware::image::reference_geometry();
    geometry.cores = isa::tile::kMostCores;
    const auto result = firmware::image::load(image.bytes(), geometry, std::as_writable_bytes(std::span(workspace)));
    EXPECT_TRUE(result.ok()) << error_name(result.status().code()) << " " << result.status().what() << " " << result.status().index();
    if (result.ok()) task = result.value();
    windows[0] = {window, task.windows()[0].size, true, true};
  }
  Image image;
  std::vector<std::uint64_t> workspace;
  firmware::image::LoadedTask task;
  std::array<hal::Window, hal::kWindows> windows{};
};

}  // namespace cox::tests
