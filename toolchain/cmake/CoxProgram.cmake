# Programs of the accelerator in applications. cox_program(TARGET FILE) puts the contents of FILE, for example a task image that `cox as`
# has written, into the application TARGET. For FILE first.cxt, the application includes first.h, which declares `first` and `first_bytes`.

function(cox_program target file)
  get_filename_component(file ${file} ABSOLUTE)
  get_filename_component(name ${file} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} name)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.programs)
  file(CONFIGURE OUTPUT ${folder}/${name}.h @ONLY CONTENT [[
/* The program in @file@. */
#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned char @name@[];
extern const unsigned @name@_bytes;
#ifdef __cplusplus
}
#endif
]])
  # The alignment is COX_ALIGNMENT.
  file(CONFIGURE OUTPUT ${folder}/${name}.S @ONLY CONTENT [[
  .section .rodata.@name@, "a"
  .global @name@, @name@_bytes
  .balign 64
@name@:
  .incbin "@file@"
@name@_end:
  .balign 4
@name@_bytes:
  .long @name@_end - @name@
#if !defined(__arm__)
  .section .note.GNU-stack, ""
#endif
]])
  set_source_files_properties(${folder}/${name}.S PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(${target} PRIVATE ${folder}/${name}.S)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
