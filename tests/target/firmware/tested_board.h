// SPDX-License-Identifier: MIT
// The board whose image these tests boot: COX_TEST_BOARD, by default the default board. Jobs are placed at the default board's DRAM, so
// the board must have its DRAM there.
#pragma once

#include <cstdlib>

#include "tools/command/failure.h"
#include "tools/run/boards/board.h"

namespace cox::tests {

inline const tools::run::BoardMap &tested_board() {
  const char *const name = std::getenv("COX_TEST_BOARD");
  const tools::run::BoardMap *const map = tools::run::board_map(name != nullptr ? name : tools::run::kDefaultBoard);
  if (map == nullptr || map->dram_base != tools::run::kDramBase || map->dram_default_bytes != tools::run::kDramDefaultBytes) {
    throw tools::Failure(tools::ExitCode::failed, "COX_TEST_BOARD names no board that has the default board's DRAM");
  }
  return *map;
}

}  // namespace cox::tests
