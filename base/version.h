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

#endif
