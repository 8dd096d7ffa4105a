/* SPDX-License-Identifier: MIT */
/*
 * Signed images (docs/signing.md): which images the loader takes, and with which keys they must be signed. A program sets the policy once,
 * before cox_tile_open() or firmware_main(), and links cox_signature. Without a policy, the loader takes unsigned images only.
 */
#ifndef FIRMWARE_COX_SIGNATURE_H
#define FIRMWARE_COX_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COX_MOST_SIGNING_KEYS 8u

/* A public key of the curve P-256. */
typedef struct cox_public_key {
  uint8_t point[64];        /* x and y, 32 bytes each, big-endian */
  uint32_t minimum_version; /* lowest version of an image with this key, at the beginning of each boot */
} cox_public_key;

typedef struct cox_signing_policy {
  const cox_public_key *keys; /* must stay unchanged; may be NULL if there are none */
  size_t key_count;           /* at most COX_MOST_SIGNING_KEYS */
  bool allow_unsigned;        /* true: images without a signature are taken, too */
  /* The minimum version of each key, in a counter that outlives a boot and never decreases. Both functions are NULL, or neither. Without
   * them, the minimum begins each boot at `minimum_version`. `key` is a number in `keys`. They are called during a load and should return
   * within a millisecond. */
  uint32_t (*read_minimum)(void *context, size_t key);
  /* Called when an image of a higher version has passed all checks. Returns false if the counter did not take the version: the load then
   * fails with rolled_back ("minimum_version"). */
  bool (*raise_minimum)(void *context, size_t key, uint32_t version);
  void *context;
  /* Memory in DRAM that only the control core and the accelerator can write, aligned to 64 bytes; or NULL. Jobs copy each image there
   * before they verify it, and have their workspaces there. Without it, a submitter must not be able to change an image after the load has
   * begun (docs/signing.md, What is guaranteed). */
  void *protected_memory;
  size_t protected_bytes;
} cox_signing_policy;

/* Sets the policy for all later loads. Copies `*policy`. Errors, with nothing changed: invalid_argument with the name of a wrong member;
 * `index` is the number of a key that is no point of the curve. */
cox_status cox_set_signing_policy(const cox_signing_policy *policy);

#ifdef __cplusplus
}
#endif
#endif
