# SPDX-License-Identifier: MIT
# The Debian package `coxswain`: the component cox below /usr, with its dependencies (docs/install.md). `make deb` builds it with CPack.
set(COX_PACKAGE_MAINTAINER "The Coxswain authors <maintainers@coxswain.invalid>" CACHE STRING "Maintainer of the Debian package: NAME <ADDRESS>")

# Files that only a package has. They belong to the component `debian`, so `cmake --install --component cox` leaves them out.
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C TZ=UTC date -R -d @${COX_SOURCE_DATE} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
configure_file(packaging/debian/changelog.in ${PROJECT_BINARY_DIR}/packaging/changelog @ONLY)
find_program(COX_GZIP gzip)
install(FILES packaging/debian/copyright DESTINATION share/doc/coxswain COMPONENT debian)
install(FILES packaging/debian/coxswain.lintian-overrides DESTINATION share/lintian/overrides RENAME coxswain COMPONENT debian)
install(FILES ${PROJECT_BINARY_DIR}/packaging/changelog DESTINATION share/doc/coxswain COMPONENT debian)
install(CODE "execute_process(COMMAND \"${COX_GZIP}\" -9 -n -f \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/doc/coxswain/changelog\" COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT debian)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME coxswain)
set(CPACK_PACKAGE_VENDOR "The Coxswain authors")
set(CPACK_PACKAGE_CONTACT "${COX_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "assemble, check and run tasks for the Coxswain NPU")
set(CPACK_PACKAGE_DESCRIPTION "The command cox assembles, checks, lowers and runs tasks for an NPU of five
engines, on an exact model of the accelerator: in its own process, or with the
real firmware under QEMU. The package has QEMU with the boards' machines, the
model and the firmware images of all boards.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
# One package of two components. The components of libraries and headers are not in it.
set(CPACK_COMPONENTS_ALL cox debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_NAME coxswain)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, python3-dask, python3-distributed")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, gdb-multiarch, man-db")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
