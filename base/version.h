/* SPDX-License-Identifier: MIT */
/*
 * The version of Coxswain: semantic versioning of the headers, libraries and file formats. CMakeLists.txt takes the project's version from
 * this file. It holds only macros, because C, C++ and assembly read it.
 */
#ifndef COXSWAIN_BASE_VERSION_H
#define COXSWAIN_BASE_VERSION_H

#define COX_VERSION_MAJOR 0
#define COX_VERSION_MINOR 1
#define COX_VERSION_PATCH 0

/* What links an installed library compiles with COX_LIBRARY_VERSION, the library's version: CMake's targets and pkg-config say so. */
#if defined(COX_LIBRARY_VERSION)
#if COX_LIBRARY_VERSION != COX_VERSION_MAJOR * 10000 + COX_VERSION_MINOR * 100 + COX_VERSION_PATCH
#error \
    "Coxswain's headers are of another version than its library. Take both from one installation: look for an older one on the include path"
#endif
#endif

#endif
