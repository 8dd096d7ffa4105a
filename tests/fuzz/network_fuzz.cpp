// SPDX-License-Identifier: MIT
// Reads any text as a network.
#include "tests/fuzz/scratch_file.h"
#include "tools/file/error.h"
#include "tools/lower/network/network.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  try {
    static_cast<void>(cox::lower::read_network(cox::fuzz::scratch_file(data, size)));
  } catch (const cox::lower::NetworkError &) {
    return 0;
  } catch (const cox::tools::FileError &) {
    return 0;
  }
  return 0;
}
