# The registry of program formats (tools/registry), from the rows of device/engines.h.

include(CoxEngines)

# device/engines.h gives each engine a key and a home, `layers` or `tests`. cox_registry(TARGET HOMES HOME...) makes a library that defines
# tools::program_formats() for the engines with one of these homes. The folder of an engine is tools/KEY or, for `tests`, tests/KEY/tools.
# It has registration.h, which declares cox::tools::KEY::program_format(), and a library cox_tools_KEY. If an engine has no folder, or a
# folder has no engine, the build fails.
function(cox_registry target)
  cmake_parse_arguments(arg "" "" "HOMES" ${ARGN})
  set(includes "")
  set(entries "")
  set(named "")
  set(libraries "")
  foreach(home IN LISTS arg_HOMES)
    cox_engines(keys ${home})
    if(home STREQUAL "layers")
      set(prefix tools/)
      set(suffix "")
      set(pattern ${PROJECT_SOURCE_DIR}/tools/*/registration.h)
    else()
      set(prefix tests/)
      set(suffix /tools)
      set(pattern ${PROJECT_SOURCE_DIR}/tests/*/tools/registration.h)
    endif()
    foreach(key IN LISTS keys)
      string(APPEND includes "#include \"${prefix}${key}${suffix}/registration.h\"\n")
      string(APPEND entries "      &${key}::program_format(),\n")
      list(APPEND libraries cox_tools_${key})
    endforeach()
    file(GLOB folders CONFIGURE_DEPENDS ${pattern})
    foreach(header IN LISTS folders)
      get_filename_component(folder ${header} DIRECTORY)
      if(NOT home STREQUAL "layers")
        get_filename_component(folder ${folder} DIRECTORY)
      endif()
      get_filename_component(key ${folder} NAME)
      string(APPEND named "static_assert(registers::row_of(registers::Engine::${key}).home == registers::Home::${home});\n")
    endforeach()
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT "// Generated from device/engines.h by toolchain/cmake/CoxRegistry.cmake.
#include \"tools/registry/registry.h\"

@includes@
namespace cox::tools {

// Each folder has its row.
@named@
ProgramFormats program_formats() {
  static const ProgramFormat *const formats[] = {
@entries@  };
  return formats;
}

}  // namespace cox::tools
")
  add_library(${target} STATIC ${file})
  target_link_libraries(${target} PUBLIC cox_program_format PRIVATE ${libraries} cox_warnings)
endfunction()
