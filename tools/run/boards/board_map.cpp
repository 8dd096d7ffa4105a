// SPDX-License-Identifier: MIT
#include "tools/run/boards/board_map.h"

namespace cox::tools::run {

const BoardMap *board_map(std::string_view name) {
  for (const BoardMap *map : board_maps()) {
    if (map->name == name) return map;
  }
  return nullptr;
}

}  // namespace cox::tools::run
