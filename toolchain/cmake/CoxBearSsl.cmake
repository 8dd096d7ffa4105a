# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# BearSSL, with which firmware and tools verify signed images (docs/signing.md), compiled from the distribution's source package. If the
# sources are there, COX_HAS_BEARSSL is true, and there are two targets: cox_bearssl has what the control core needs, cox_bearssl_tools what
# host tools need besides that.
set(COX_BEARSSL_DIR ${PROJECT_SOURCE_DIR}/build/bearssl-src CACHE PATH "Sources of BearSSL 0.6 (toolchain/fetch-bearssl); signed images are left out if they are not there")

set(COX_HAS_BEARSSL FALSE)
if(EXISTS ${COX_BEARSSL_DIR}/src/inner.h)
  set(COX_HAS_BEARSSL TRUE)
else()
  message(STATUS "No BearSSL in ${COX_BEARSSL_DIR}: signed images are left out (toolchain/fetch-bearssl fetches it)")
  return()
endif()

function(cox_bearssl_library name)
  list(TRANSFORM ARGN PREPEND ${COX_BEARSSL_DIR}/src/)
  add_library(${name} STATIC ${ARGN})
  foreach(folder inc src .)
    target_include_directories(${name} SYSTEM PUBLIC $<BUILD_INTERFACE:${COX_BEARSSL_DIR}/${folder}>)
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)  # its files have private functions of the same name
  target_compile_options(${name} PRIVATE -w -fno-sanitize=all)
  cox_map_view(${name} PRIVATE ${COX_BEARSSL_DIR})
  if(CMAKE_CROSSCOMPILING)
    target_compile_options(${name} PRIVATE -Os)
  endif()
endfunction()

cox_bearssl_library(cox_bearssl
  codec/ccopy.c codec/dec32be.c codec/enc32be.c
  hash/sha2small.c
  int/i31_add.c int/i31_bitlen.c int/i31_decmod.c int/i31_decode.c int/i31_encode.c int/i31_iszero.c int/i31_moddiv.c int/i31_ninv31.c int/i31_sub.c)
# An image's hash and the two divisions take most of the time that these files take.
set_source_files_properties(${COX_BEARSSL_DIR}/src/hash/sha2small.c PROPERTIES COMPILE_OPTIONS -O2)
set_source_files_properties(${COX_BEARSSL_DIR}/src/int/i31_moddiv.c PROPERTIES COMPILE_OPTIONS "-O2;-fno-tree-vectorize")

# Keys in files, signatures, and BearSSL's own verification, which tests compare with that of firmware/signature.
if(COX_BOARD STREQUAL "native")
  cox_bearssl_library(cox_bearssl_tools
    codec/pemdec.c codec/pemenc.c
    ec/ec_keygen.c ec/ec_p256_m31.c ec/ec_pubkey.c ec/ec_curve25519.c ec/ec_secp256r1.c ec/ec_secp384r1.c ec/ec_secp521r1.c
    ec/ecdsa_i31_bits.c ec/ecdsa_i31_sign_raw.c ec/ecdsa_i31_vrfy_raw.c
    int/i31_fmont.c int/i31_modpow.c int/i31_montmul.c int/i31_muladd.c int/i31_rshift.c int/i31_tmont.c int/i32_div32.c
    mac/hmac.c rand/hmac_drbg.c rand/sysrng.c
    x509/asn1enc.c x509/encode_ec_pk8der.c x509/encode_ec_rawder.c x509/skey_decoder.c)
  target_link_libraries(cox_bearssl_tools PUBLIC cox_bearssl)
endif()
