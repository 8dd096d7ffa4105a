/* SPDX-License-Identifier: MIT */
/*
 * Verifies an ECDSA signature over the curve P-256 in steps, with the arithmetic of BearSSL. BearSSL's own function does it in one call of
 * milliseconds, which is too long for the main loop of the firmware (docs/jobs.md, Long work).
 */
#ifndef FIRMWARE_SIGNATURE_P256_VERIFICATION_H
#define FIRMWARE_SIGNATURE_P256_VERIFICATION_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COX_P256_KEY_BYTES 64u       /* x and y of the public key's point, 32 bytes each, big-endian */
#define COX_P256_SIGNATURE_BYTES 64u /* r and s, 32 bytes each, big-endian */
#define COX_P256_DIGEST_BYTES 32u    /* of SHA-256 */

/* A point in Jacobian coordinates, in BearSSL's words of 30 bits. */
typedef struct cox_p256_point {
  uint32_t words[27];
} cox_p256_point;

typedef struct cox_p256_verification {
  cox_p256_point multiples[3]; /* the public key, and 2 and 3 times it */
  cox_p256_point sum;          /* the sum so far */
  uint8_t of_generator[32];    /* factors of the generator and of the public key, big-endian */
  uint8_t of_key[32];
  uint8_t key[COX_P256_KEY_BYTES], digest[32], r[32], s[32];
  uint8_t step;
  bool is_infinity; /* the sum is the point at infinity */
  bool good;
} cox_p256_verification;

/* Estimated instructions of the control core for a step. */
enum { COX_P256_STEP_COST = 100000 };

/* Returns true if the key is a point of the curve. */
bool cox_p256_is_key(const uint8_t key[COX_P256_KEY_BYTES]);

/* Begins to verify a signature. Keeps none of the pointers. */
void cox_p256_begin(cox_p256_verification *verification, const uint8_t key[COX_P256_KEY_BYTES], const uint8_t digest[COX_P256_DIGEST_BYTES],
                    const uint8_t signature[COX_P256_SIGNATURE_BYTES]);

/* Does a step. Returns true if another one is needed; otherwise `good` says if the signature is right. */
bool cox_p256_step(cox_p256_verification *verification);

#ifdef __cplusplus
}
#endif
#endif
