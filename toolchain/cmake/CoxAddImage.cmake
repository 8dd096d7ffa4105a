# SPDX-License-Identifier: MIT
# Images and boards for other projects (docs/integration.md). The installed package has this file, too.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/CoxComponents.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/CoxProgram.cmake)
set_property(GLOBAL PROPERTY COX_CMAKE_FOLDER ${CMAKE_CURRENT_LIST_DIR})

# cox_board_image(TARGET BOARD) makes an interface library of a board's objects (BOARD is an object library): what links it becomes an image
# with start-up code and section layout. Unlike BOARD, it adds no include directories.
function(cox_board_image target board)
  add_library(${target} INTERFACE)
  target_sources(${target} INTERFACE $<TARGET_OBJECTS:${board}>)
  target_link_libraries(${target} INTERFACE $<LINK_ONLY:coxswain::hal> $<LINK_ONLY:coxswain::base>)
  get_target_property(options ${board} INTERFACE_LINK_OPTIONS)
  target_link_options(${target} INTERFACE -nostartfiles ${options})
  get_target_property(depends ${board} INTERFACE_LINK_DEPENDS)
  if(depends)
    set_property(TARGET ${target} PROPERTY INTERFACE_LINK_DEPENDS ${depends})
  endif()
endfunction()

# cox_board_folder(VARIABLE BOARD) sets VARIABLE to the folder of a board. BOARD is a folder, or the name of one in boards/.
function(cox_board_folder variable board)
  get_property(folder GLOBAL PROPERTY COX_CMAKE_FOLDER)
  get_filename_component(boards ${folder}/../../boards ABSOLUTE)
  get_filename_component(path "${board}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${path}/board.json AND EXISTS ${boards}/${board}/board.json)
    set(path ${boards}/${board})
  endif()
  if(NOT EXISTS ${path}/board.json)
    cox_board_names(names)
    list(JOIN names ", " known)
    cox_nearest(near "${board}" ${names})
    if(near)
      set(near "; did you mean \"${near}\"?")
    endif()
    message(FATAL_ERROR "coxswain: there is no board \"${board}\"${near} A board is a folder with board.json, board.h and board.cpp, or one of ${known}")
  endif()
  set(${variable} ${path} PARENT_SCOPE)
endfunction()

# cox_board_names(VARIABLE) sets VARIABLE to the names of the boards that come with Coxswain.
function(cox_board_names variable)
  get_property(folder GLOBAL PROPERTY COX_CMAKE_FOLDER)
  get_filename_component(boards ${folder}/../../boards ABSOLUTE)
  file(GLOB names RELATIVE ${boards} ${boards}/*/board.json)
  list(TRANSFORM names REPLACE "/board.json$" "")
  set(${variable} ${names} PARENT_SCOPE)
endfunction()

# coxswain_add_image(NAME SOURCES source... [LIBRARIES library...] [BOARD board]) makes a program with start-up code and section layout.
#
# BOARD is the folder of a board, or the name of one of Coxswain's. By default the image is for COX_BOARD_DIR or COX_BOARD. For the target it
# writes NAME.elf, NAME.bin, NAME.hex and NAME.map. In a native build the board is a model in the process, and NAME is an ordinary program.
function(coxswain_add_image name)
  cmake_parse_arguments(arg "" "BOARD" "SOURCES;LIBRARIES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES OR NOT arg_SOURCES)
    message(FATAL_ERROR "coxswain_add_image(${name}): the arguments are NAME SOURCES source... [LIBRARIES library...] [BOARD board]; not understood: ${arg_UNPARSED_ARGUMENTS} ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  foreach(library IN LISTS arg_LIBRARIES)
    string(REGEX MATCH "^coxswain::(.*)" found "${library}")
    if(found AND NOT TARGET ${library})
      cox_check_component(message "${CMAKE_MATCH_1}")
      if(NOT message)
        set(message "coxswain::${CMAKE_MATCH_1} is not here: name ${CMAKE_MATCH_1} as a component of find_package(coxswain), or in COX_COMPONENTS")
      endif()
      message(FATAL_ERROR "coxswain_add_image(${name}): ${message}")
    endif()
  endforeach()
  set(board coxswain::board)
  if(arg_BOARD AND CMAKE_SYSTEM_NAME STREQUAL "Generic")
    cox_board_folder(folder "${arg_BOARD}")
    string(MAKE_C_IDENTIFIER "${folder}" board)
    set(board cox_board_of_${board})
    if(NOT TARGET ${board})
      cox_use_board(${board} ${folder})
    endif()
  elseif(NOT TARGET coxswain::board)
    cox_board_names(names)
    list(JOIN names ", " known)
    message(FATAL_ERROR "coxswain_add_image(${name}): there is no board. Add BOARD and the folder of your board to the call, or set COX_BOARD_DIR to that folder, or COX_BOARD to one of Coxswain's boards: ${known}")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} ${board})
  if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
    set_target_properties(${name} PROPERTIES SUFFIX .elf)
    target_link_options(${name} PRIVATE -Wl,--gc-sections)
    cox_image_files(${name})
  endif()
endfunction()

# cox_use_board(TARGET FOLDER) makes TARGET, which an image links to run on the board in FOLDER.
function(cox_use_board target folder)
  foreach(module CoxBoard CoxLayer CoxWarnings)
    include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${module}.cmake)
  endforeach()
  foreach(library base device hal)
    if(NOT TARGET cox_${library})  # the installed package
      add_library(cox_${library} INTERFACE IMPORTED)
      target_link_libraries(cox_${library} INTERFACE coxswain::${library})
    endif()
  endforeach()
  cox_add_board(${target}_objects ${folder})
  cox_board_image(${target} ${target}_objects)
endfunction()

# cox_image_files(TARGET) writes TARGET.bin, TARGET.hex and TARGET.map beside TARGET.elf.
function(cox_image_files target)
  set(stem $<TARGET_FILE_DIR:${target}>/$<TARGET_FILE_BASE_NAME:${target}>)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} -O ihex $<TARGET_FILE:${target}> ${stem}.hex
    COMMAND ${CMAKE_OBJCOPY} -O binary $<TARGET_FILE:${target}> ${stem}.bin
    VERBATIM)
endfunction()
