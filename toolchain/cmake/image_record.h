/* SPDX-License-Identifier: MIT */
/*
 * Defines the version record of an image (base/image_version.h). CoxImage.cmake makes a source of it for each image, with these macros:
 * COX_IMAGE_NAME, COX_IMAGE_BOARD, COX_IMAGE_HEADER and, if the project has a version, COX_IMAGE_VERSION. cox_revision.h has COX_REVISION.
 */
#include "cox_revision.h"
#include "coxswain/base/image_version.h"
#include "coxswain/base/version.h"

#if !defined(COX_IMAGE_VERSION)
#define COX_IMAGE_VERSION COX_VERSION_MAJOR, COX_VERSION_MINOR, COX_VERSION_PATCH
#endif

#if defined(COX_TRACE)
#define RECORD_TRACE COX_IMAGE_FEATURE_TRACE
#else
#define RECORD_TRACE 0u
#endif
#if defined(COX_IMAGE_STREAM_JOBS)
#define RECORD_STREAM_JOBS COX_IMAGE_FEATURE_STREAM_JOBS
#else
#define RECORD_STREAM_JOBS 0u
#endif
#if defined(__ARM_FEATURE_MVE)
#define RECORD_MVE COX_IMAGE_FEATURE_MVE
#else
#define RECORD_MVE 0u
#endif
#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3
#define RECORD_SECURE COX_IMAGE_FEATURE_SECURE
#else
#define RECORD_SECURE 0u
#endif
#if defined(COX_SIGNED_JOBS)
#define RECORD_SIGNED_JOBS COX_IMAGE_FEATURE_SIGNED_JOBS
#else
#define RECORD_SIGNED_JOBS 0u
#endif

/* Its address is COX_IMAGE_FEATURE_CACHES if the board's start-up enables the caches (boards/cortex-m55/startup.cpp), else 0. Only the
 * board knows, and not every image that links a board includes its header. */
extern const char cox_image_caches[] __attribute__((weak));

_Static_assert(sizeof(cox_image_version) == 128, "docs/flashing.md has the layout");
_Static_assert(sizeof COX_IMAGE_NAME <= sizeof((cox_image_version *)0)->name, "the image's name is too long for its version record");
_Static_assert(sizeof COX_REVISION <= sizeof((cox_image_version *)0)->revision, "COX_REVISION is longer than 31 characters");
_Static_assert(sizeof COX_IMAGE_BOARD <= sizeof((cox_image_version *)0)->board, "the board's name is too long for the version record");

__attribute__((section(".coxswain.version"), used)) const cox_image_version cox_image_version_record = {
    COX_IMAGE_VERSION_MAGIC,
    COX_IMAGE_VERSION_LAYOUT,
    sizeof(cox_image_version),
    COX_IMAGE_VERSION,
    COX_IMAGE_HEADER,
    (uint32_t)cox_image_caches + (RECORD_TRACE | RECORD_STREAM_JOBS | RECORD_MVE | RECORD_SECURE | RECORD_SIGNED_JOBS),
    COX_IMAGE_NAME,
    COX_REVISION,
    COX_IMAGE_BOARD,
};
