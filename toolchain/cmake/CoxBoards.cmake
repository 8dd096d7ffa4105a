# Boards with a machine in QEMU: the folders boards/qemu-* (docs/porting.md).

# cox_boards(VARIABLE) sets VARIABLE to the boards' names, in alphabetical order.
function(cox_boards variable)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/boards/qemu-*/board.json)
  list(TRANSFORM headers REPLACE ".*/(qemu-[^/]+)/board.json" "\\1")
  list(SORT headers)
  set(${variable} ${headers} PARENT_SCOPE)
endfunction()

# cox_board_maps(TARGET) adds to TARGET the map of each board (tools/run/boards/board_map.h), and the function board_maps(). Each map has a
# source of its own, because all maps define the same macros.
function(cox_board_maps target)
  cox_boards(boards)
  set(declarations "")
  set(entries "")
  foreach(board IN LISTS boards)
    string(MAKE_C_IDENTIFIER ${board} map)
    string(REGEX REPLACE "^qemu-" "" machine ${board})
    string(APPEND declarations "extern const BoardMap ${map};\n")
    string(APPEND entries "&${map}, ")
    file(CONFIGURE OUTPUT ${map}.cpp @ONLY CONTENT "// Generated from boards/@board@/board.json by toolchain/cmake/CoxBoards.cmake.
#include \"boards/@board@/board_map.h\"
#include \"tools/run/boards/board_map.h\"

namespace cox::tools::run {

extern const BoardMap @map@;
const BoardMap @map@{\"@board@\", \"@machine@\", BOARD_DRAM_BASE, BOARD_DRAM_SIZE_DEFAULT, BOARD_DRAM_SIZE_MAX, BOARD_MODEL_OPTIONS};

}  // namespace cox::tools::run
")
    # The source of this library cannot include the maps of other boards.
    cox_board_map_library(cox_${map}_numbers ${PROJECT_SOURCE_DIR}/boards/${board})
    add_library(cox_${map}_map OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${map}.cpp)
    target_link_libraries(cox_${map}_map PRIVATE cox_${map}_numbers cox_board_map cox_warnings)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:cox_${map}_map>)
  endforeach()
  file(CONFIGURE OUTPUT board_maps.cpp @ONLY CONTENT "// Generated from boards/qemu-*/board.json by toolchain/cmake/CoxBoards.cmake.
#include \"tools/run/boards/board_map.h\"

namespace cox::tools::run {

@declarations@
std::span<const BoardMap *const> board_maps() {
  static constexpr const BoardMap *kMaps[] = {@entries@};
  return kMaps;
}

}  // namespace cox::tools::run
")
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/board_maps.cpp)
endfunction()
