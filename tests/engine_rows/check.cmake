# SPDX-License-Identifier: MIT
# Configures and compiles copies of the sources in which an engine `ghost` has a row in device/engines.h or a folder, but not both. Each
# copy must fail to build, with its expected message. The sources without `ghost` must build.
# Call: cmake -DSOURCE=... -DFOLDER=(folder to work in) -DCOMPILER=... -DLAUNCHER=(compiler launcher, may be empty) -P check.cmake
cmake_minimum_required(VERSION 3.23)

set(tree ${FOLDER}/tree)
set(build ${FOLDER}/build)
set(objects
  sim/model/CMakeFiles/cox_model_core.dir/__/__/generated/cox_model/engines.cpp.o
  tools/registry/CMakeFiles/cox_registry.dir/cox_registry.cpp.o
  tests/tools/registry/CMakeFiles/cox_test_registry.dir/cox_test_registry.cpp.o)

# link_into(FOLDER) fills tree/FOLDER with links to the entries of this folder in the sources. A case can
# then add files to tree/FOLDER without a change to the sources.
function(link_into folder)
  file(REMOVE ${tree}/${folder})
  file(MAKE_DIRECTORY ${tree}/${folder})
  file(GLOB entries RELATIVE ${SOURCE}/${folder} ${SOURCE}/${folder}/*)
  list(REMOVE_ITEM entries build)
  foreach(entry IN LISTS entries)
    file(CREATE_LINK ${SOURCE}/${folder}/${entry} ${tree}/${folder}/${entry} SYMBOLIC)
  endforeach()
endfunction()

# begin([HOME]) makes a fresh tree. With HOME, device/engines.h of this tree has a row for the engine `ghost`. HOME says where
# the engine's folders are: `layers` means a folder in each layer, `tests` means all in tests/ghost.
function(begin)
  file(REMOVE_RECURSE ${tree})
  foreach(folder . device isa sim sim/model tools tests)
    link_into(${folder})
  endforeach()
  if(ARGC EQUAL 0)
    return()
  endif()
  file(READ ${SOURCE}/device/engines.h table)
  set(end "/* the end of the rows */")
  string(REPLACE "${end}" "ROW(ghost, 6, \"GHOST\", \"ghost engine\", streams, ${ARGV0}) \\\n  ${end}" changed "${table}")
  if(changed STREQUAL table)
    message(FATAL_ERROR "device/engines.h has no \"${end}\"")
  endif()
  file(REMOVE ${tree}/device/engines.h)
  file(WRITE ${tree}/device/engines.h "${changed}")
endfunction()

# expect(CASE MESSAGE): the build must fail with a message that matches; with an empty MESSAGE it must succeed.
function(expect case expected)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${tree} -B ${build} -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} "-DCOX_ONLY=base;device;isa;hal;firmware;kernels;sim/model;boards/native;tools;tests"
      "-DCOX_TESTS=conformance;echo;tools/registry"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status EQUAL 0)
    execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} --target ${objects} -- -k 0 RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  endif()
  # CMake breaks its messages into lines. Here they become one.
  string(REGEX REPLACE "[ \n]+" " " line "${output}")
  if(expected STREQUAL "" AND NOT status EQUAL 0)
    message(FATAL_ERROR "${case}: does not build:\n${output}")
  elseif(NOT expected STREQUAL "" AND (status EQUAL 0 OR NOT line MATCHES "${expected}"))
    message(FATAL_ERROR "${case}: status ${status}, expected \"${expected}\":\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
begin()
expect("the sources as they are" "")

begin(layers)
foreach(layer isa sim/model tools)
  expect("a row without its folder in ${layer}"
    "given source \"ghost\" which is not an existing directory. Call Stack [(]most recent call first[)]: ${layer}/CMakeLists.txt")
  file(WRITE ${tree}/${layer}/ghost/CMakeLists.txt "")
endforeach()
expect("a row without its sample in the conformance suite" "Cannot find source file: [^ ]*/tests/conformance/ghost_sample.cpp")

link_into(tests/conformance)
file(WRITE ${tree}/tests/conformance/ghost_sample.cpp "")
expect("a row without its make.h in the model" "sim/model/ghost/make.h: No such file")
expect("a row without its registration.h in the tools" "tools/ghost/registration.h: No such file")

begin(tests)
expect("a row without its folder in the tests" "tests/ghost/tools/registration.h: No such file")

begin()
file(WRITE ${tree}/sim/model/ghost/make.h "")
expect("a folder of the model without its row" "device/engines.h has no row 'ghost' with home 'layers'")

foreach(folder tools/ghost tests/ghost/tools)
  begin()
  file(WRITE ${tree}/${folder}/registration.h "")
  expect("the folder ${folder} without its row" "ghost[^ ]* is not a member of [^ ]*cox::registers::Engine")
endforeach()
