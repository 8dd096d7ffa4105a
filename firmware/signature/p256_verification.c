/* SPDX-License-Identifier: MIT */
#include "coxswain/firmware/signature/p256_verification.h"

#include <string.h>

/* The arithmetic of the curve is private to this file of BearSSL. The table of its functions gets another name, because a program may also
 * link the library's. */
#define br_ec_p256_m31 cox_unused_p256_m31
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "src/ec/ec_p256_m31.c"
#pragma GCC diagnostic pop

_Static_assert(sizeof(p256_jacobian) == sizeof(cox_p256_point), "the words of a point");

enum {
  kCoordinate = 32, /* bytes of a coordinate or of a factor */
  kWords = 9,       /* words of a coordinate */
  kInteger = 1 + 9, /* words of an integer modulo the order: BearSSL's form for 256 bits has its length and 9 words of 31 bits */
};

/* The steps. */
enum {
  kDecode,
  kFactorOfGenerator,
  kFactorOfKey,
  kFirstDigit,
  kCompare = kFirstDigit + 2 * kCoordinate, /* a factor has 64 hexadecimal digits */
  kEnd,
};

static p256_jacobian *point(cox_p256_point *words) { return (p256_jacobian *)words; }

static bool decode_key(p256_jacobian *to, const uint8_t key[COX_P256_KEY_BYTES]) {
  uint8_t encoded[1 + COX_P256_KEY_BYTES];
  encoded[0] = 4; /* uncompressed */
  memcpy(&encoded[1], key, COX_P256_KEY_BYTES);
  return p256_decode(to, encoded, sizeof encoded) == 1;
}

bool cox_p256_is_key(const uint8_t key[COX_P256_KEY_BYTES]) {
  p256_jacobian decoded;
  return decode_key(&decoded, key);
}

/* Writes dividend / s modulo the order of the curve to `factor`. Returns false if s is no number from 1 to the order less one, or if the
 * dividend is not less than the order and `reduce` is false. */
static bool divide(uint8_t *factor, const uint8_t *dividend, bool reduce, const uint8_t *s) {
  uint32_t order[kInteger], result[kInteger], divisor[kInteger], temporary[3 * kInteger];
  br_i31_decode(order, P256_N, sizeof P256_N);
  if (br_i31_decode_mod(divisor, s, kCoordinate, order) == 0 || br_i31_iszero(divisor) != 0) return false;
  br_i31_zero(result, order[0]);
  br_i31_decode(result, dividend, kCoordinate);
  result[0] = order[0];
  /* The order has 256 bits, so one subtraction reduces the dividend. */
  const bool is_less = br_i31_sub(result, order, 0) == 1;
  if (!is_less && !reduce) return false;
  if (!is_less) br_i31_sub(result, order, 1);
  if (br_i31_moddiv(result, divisor, order, br_i31_ninv31(order[1]), temporary) == 0) return false;
  br_i31_encode(factor, kCoordinate, result);
  return true;
}

static bool set_multiples(cox_p256_verification *verification) {
  if (!decode_key(point(&verification->multiples[0]), verification->key)) return false;
  verification->multiples[1] = verification->multiples[0];
  p256_double(point(&verification->multiples[1]));
  verification->multiples[2] = verification->multiples[0];
  p256_add(point(&verification->multiples[2]), point(&verification->multiples[1]));
  return true;
}

static bool is_zero_number(const uint8_t *bytes) {
  uint8_t bits = 0;
  for (int i = 0; i < kCoordinate; ++i) bits |= bytes[i];
  return bits == 0;
}

void cox_p256_begin(cox_p256_verification *verification, const uint8_t key[COX_P256_KEY_BYTES], const uint8_t digest[COX_P256_DIGEST_BYTES],
                    const uint8_t signature[COX_P256_SIGNATURE_BYTES]) {
  memset(verification, 0, sizeof *verification);
  memcpy(verification->key, key, sizeof verification->key);
  memcpy(verification->digest, digest, sizeof verification->digest);
  memcpy(verification->r, signature, kCoordinate);
  memcpy(verification->s, signature + kCoordinate, kCoordinate);
  verification->is_infinity = true;
}

/* Adds a point to the sum. The sum is never this point or its opposite: that would be a known relation between the key and the generator,
 * from which the private key follows. */
static void add(cox_p256_verification *verification, const p256_jacobian *other, bool is_affine) {
  p256_jacobian *sum = point(&verification->sum);
  if (verification->is_infinity) {
    *sum = *other;
    verification->is_infinity = false;
  } else if (is_affine) {
    p256_add_mixed(sum, other);
  } else {
    p256_add(sum, other);
  }
}

/* Multiplies the sum by 16, and adds the next digit's multiples of the key and of the generator. All values are public, so branches may
 * depend on them. */
static void add_digit(cox_p256_verification *verification) {
  const unsigned digit = verification->step - (unsigned)kFirstDigit, index = digit / 2u, shift = digit % 2u == 0 ? 4 : 0;
  const unsigned of_key = (unsigned)verification->of_key[index] >> shift & 15u;
  const unsigned of_generator = (unsigned)verification->of_generator[index] >> shift & 15u;
  for (int half = 2; half >= 0; half -= 2) {
    for (int i = 0; i < 2 && !verification->is_infinity; ++i) p256_double(point(&verification->sum));
    const unsigned pair = of_key >> half & 3u;
    if (pair != 0) add(verification, point(&verification->multiples[pair - 1]), false);
  }
  if (of_generator != 0) {
    p256_jacobian multiple;
    lookup_Gwin(&multiple, of_generator);
    add(verification, &multiple, true);
  }
}

static bool is_zero(const uint32_t *value) {
  uint32_t bits = 0;
  for (int i = 0; i < kWords; ++i) bits |= value[i];
  return bits == 0;
}

/* Returns true if the sum's x coordinate, which is X / Z^2, is `wanted`. */
static bool has_x(const p256_jacobian *sum, const uint32_t *wanted) {
  uint32_t product[kWords], difference[kWords];
  square_f256(product, sum->z);
  mul_f256(product, product, wanted);
  sub_f256(difference, product, sum->x);
  reduce_final_f256(difference);
  return is_zero(difference);
}

/* Returns true if the sum's x coordinate is r modulo the order. The coordinate is less than twice the order, so it is r or r + order. */
static bool is_right(cox_p256_verification *verification) {
  p256_jacobian *sum = point(&verification->sum);
  if (verification->is_infinity) return false;
  reduce_final_f256(sum->z);
  if (is_zero(sum->z)) return false; /* the point at infinity */
  uint32_t wanted[kWords];
  wanted[8] = be8_to_le30(wanted, verification->r, kCoordinate);
  if (has_x(sum, wanted)) return true;
  uint32_t order[kWords], below[kWords];
  order[8] = be8_to_le30(order, P256_N, kCoordinate);
  uint32_t carry = 0, borrow = 0;
  for (int i = 0; i < kWords; ++i) {
    const uint32_t word = wanted[i] + order[i] + carry;
    wanted[i] = word & 0x3FFFFFFF;
    carry = word >> 30;
  }
  memcpy(below, wanted, sizeof below);
  for (int i = 0; i < kWords; ++i) {
    const uint32_t word = below[i] - F256[i] - borrow;
    borrow = word >> 31;
  }
  const bool is_coordinate = borrow == 1; /* r + order is less than the field's prime */
  return is_coordinate && has_x(sum, wanted);
}

bool cox_p256_step(cox_p256_verification *verification) {
  bool goes_on = true;
  switch (verification->step) {
    case kDecode: goes_on = set_multiples(verification) && !is_zero_number(verification->r); break;
    case kFactorOfGenerator: goes_on = divide(verification->of_generator, verification->digest, true, verification->s); break;
    case kFactorOfKey: goes_on = divide(verification->of_key, verification->r, false, verification->s); break;
    case kCompare:
      verification->good = is_right(verification);
      goes_on = false;
      break;
    case kEnd: return false;
    default: add_digit(verification); break;
  }
  verification->step = goes_on ? (uint8_t)(verification->step + 1) : (uint8_t)kEnd;
  return goes_on;
}
