/* SPDX-License-Identifier: MIT */
/*
 * The version record of an image (docs/flashing.md, The version section). Each image that cox_image() makes has one in the section
 * .coxswain.version, right behind its vectors. The linker's build id follows it as a note. The firmware prints the record; `cox info`
 * looks for it in files.
 */
#ifndef COXSWAIN_BASE_IMAGE_VERSION_H
#define COXSWAIN_BASE_IMAGE_VERSION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first 16 bytes of a record, without a 0 at the end. */
#define COX_IMAGE_VERSION_MAGIC "coxswain.version"
#define COX_IMAGE_VERSION_LAYOUT 1u

/* Bits of `features`. New ones are appended. */
#define COX_IMAGE_FEATURE_TRACE 0x1u        /* the firmware's trace (docs/tracing.md) */
#define COX_IMAGE_FEATURE_STREAM_JOBS 0x2u  /* jobs for engines that run streams */
#define COX_IMAGE_FEATURE_MVE 0x4u          /* compiled for the core's vector unit */
#define COX_IMAGE_FEATURE_SECURE 0x8u       /* compiled for the secure state */
#define COX_IMAGE_FEATURE_CACHES 0x10u      /* start-up enables the core's caches */
#define COX_IMAGE_FEATURE_SIGNED_JOBS 0x20u /* has keys, and loads only tasks that are signed with one of them (docs/signing.md) */

/* Little-endian. Texts end with a 0. */
typedef struct cox_image_version {
  char magic[16];
  uint16_t layout;              /* COX_IMAGE_VERSION_LAYOUT; larger if the layout has changed so that older readers cannot read it */
  uint16_t bytes;               /* size of the record; the build id's note lies right behind it */
  uint16_t major, minor, patch; /* base/version.h */
  uint16_t header;              /* bytes left free before the vectors for the header of a bootloader */
  uint32_t features;
  char name[32];     /* the image's target in CMake */
  char revision[32]; /* of the sources, for example "0b4a48a91234-dirty"; "unknown" outside of git */
  char board[32];
} cox_image_version;

/* The build id's note, as the linker writes it. */
typedef struct cox_build_id_note {
  uint32_t name_bytes; /* 4 */
  uint32_t id_bytes;   /* 20 */
  uint32_t type;       /* 3 */
  char name[4];        /* "GNU" */
  uint8_t id[20];      /* SHA-1 of the image's contents */
} cox_build_id_note;

#ifdef __cplusplus
}
#endif

#endif
