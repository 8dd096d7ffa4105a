# The boards of this tree, which have machines in QEMU of their own: the folders of boards/ with a board.json (docs/porting.md).

# cox_boards(VARIABLE) sets VARIABLE to the boards' names, in alphabetical order.
function(cox_boards variable)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/boards/*/board.json)
  list(TRANSFORM files REPLACE ".*/([^/]+)/board.json" "\\1")
  list(SORT files)
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# cox_board_maps(TARGET) adds to TARGET the function board_texts() with the board.json of each of these boards (tools/run/boards/board_map.h).
function(cox_board_maps target)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/boards/*/board.json)
  list(SORT files)
  set(entries "")
  foreach(file IN LISTS files)
    get_filename_component(board ${file} DIRECTORY)
    get_filename_component(board ${board} NAME)
    file(READ ${file} text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    string(APPEND entries "    {\"${board}\", R\"json(${text})json\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT board_texts.cpp @ONLY CONTENT "// Generated from boards/*/board.json by toolchain/cmake/CoxBoards.cmake.
#include \"tools/run/boards/board_map.h\"

namespace cox::tools::run {

std::span<const BoardText> board_texts() {
  static constexpr BoardText kTexts[] = {
@entries@  };
  return kTexts;
}

}  // namespace cox::tools::run
")
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/board_texts.cpp)
endfunction()
