// SPDX-License-Identifier: MIT
// Reads any text as the bindings of a task.
#include "tests/fuzz/scratch_file.h"
#include "tools/file/error.h"
#include "tools/tile/bindings.h"
#include "tools/tile/image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  cox::task::Task task;
  cox::task::Layout layout;
  layout.windows[0] = {256, true};
  layout.windows[1] = {64, false};
  try {
    cox::task::read_bindings(cox::fuzz::scratch_file(data, size), task, layout);
  } catch (const cox::tools::FileError &) {
    return 0;
  }
  static_cast<void>(cox::task::parse_image(cox::task::build_image(task), "image"));
  return 0;
}
