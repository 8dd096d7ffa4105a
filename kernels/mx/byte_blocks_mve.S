// SPDX-License-Identifier: MIT
// Packing of bytes for the control core's vector unit: 15.5 instructions a block. Compiled intrinsics need more, because the compiler sets
// the vector predicate and the start value of the largest rank with instructions of their own. The twin in C++ is byte_blocks.cpp.
//
// Registers:
//   r0       next bytes
//   r1       next block
//   r2       exponent of the block, then its first two bytes: exponent and D bits
//   r3       ByteTables, which begin with the codes
//   r4       ByteTables::ranks
//   r5       ByteTables::exponents
//   r6, r7   one holds the rank of the block, the other the address of this rank's codes for D = 0. The two swap from block to block.
//   r8       address of the rank's codes for D = 1
//   r9       ByteSpread::step
//   r10      number of blocks
//   lr       counter of the low-overhead loop
//   q0       bytes of the block
//   q1       ranks of the bytes, then the larger rank of each pair in both of its lanes, then codes
//   q2       ranks with the lanes of each pair swapped, then codes
//   q3       the D bit of each pair, as a bit of r2
//   q4       ByteSpread::pair_offsets
//   q5       ByteSpread::present
#include "coxswain/kernels/mx/byte_blocks_mve.h"

  .syntax unified
  .thumb

// Finds the rank of the block, and the codes of its elements: q1 has those of pairs with D = 1, q2 the others. The remaining lanes are 0.
// VMAXV compares the lanes with the lowest byte of \rank. This byte is 0, because \rank has the address of codes of the block before.
  .macro find_codes rank, codes
  vrev16.8 q2, q1
  vmax.u8 q1, q1, q2
  vmaxv.u8 \rank, q1
  ldrb r2, [r5, \rank]
  add \codes, r3, \rank, lsl #BYTE_TABLES_RANK_SHIFT
  add r8, \codes, #BYTE_TABLES_SHIFTED
  vptte.i8 ne, q1, \rank
  vaddvat.u16 r2, q3
  vldrbt.u8 q1, [r8, q0]
  vldrbe.u8 q2, [\codes, q0]
  .endm

  .macro store_block
  vstrb.8 q1, [r1, #BLOCK_ELEMENTS]
  strh r2, [r1], #BLOCK_BYTES
  .endm

  .macro pack_block rank, codes
  vldrb.u8 q0, [r0], #16
  vldrb.u8 q1, [r4, q0]
  find_codes \rank, \codes
  vorr q1, q1, q2
  store_block
  .endm

// Elements that are not present have rank 0. If the block's rank is another one, the pairs that have only such elements have D = 1.
  .macro pack_spread_block rank, codes
  vldrh.u16 q0, [r0, q4, uxtw #1]
  add r0, r0, r9
  vldrb.u8 q1, [r4, q0]
  vand q1, q1, q5
  find_codes \rank, \codes
  vorr q1, q1, q2
  vand q1, q1, q5
  store_block
  .endm

// Packs two blocks at a time, because r6 and r7 swap, and then the last block of an odd number.
  .macro pack_blocks block
  movw r4, #BYTE_TABLES_RANKS
  movw r5, #BYTE_TABLES_EXPONENTS
  add r4, r3, r4
  add r5, r3, r5
  mov r10, r2
  mov r6, #0
  adr r7, bits_of_pairs
  vldrw.u32 q3, [r7]
  lsr r7, r10, #1
  wls lr, r7, 2f
1:
  \block r6, r7
  \block r7, r6
  le lr, 1b
2:
  tst r10, #1
  beq 3f
  \block r6, r7
3:
  .endm

  .section .text.byte_blocks, "ax", %progbits
  .balign 4
bits_of_pairs:
  .hword 0x0100, 0x0200, 0x0400, 0x0800, 0x1000, 0x2000, 0x4000, 0x8000

// void cox_mx_pack_bytes(const uint8_t *values, Block *blocks, size_t count, const ByteTables *tables)
  .global cox_mx_pack_bytes
  .type cox_mx_pack_bytes, %function
cox_mx_pack_bytes:
  push {r4, r5, r6, r7, r8, r9, r10, lr}
  pack_blocks pack_block
  pop {r4, r5, r6, r7, r8, r9, r10, pc}
  .size cox_mx_pack_bytes, . - cox_mx_pack_bytes

// void cox_mx_pack_byte_spread(const uint8_t *first, Block *blocks, size_t count, const ByteTables *tables, const ByteSpread *spread)
  .global cox_mx_pack_byte_spread
  .type cox_mx_pack_byte_spread, %function
cox_mx_pack_byte_spread:
  push {r4, r5, r6, r7, r8, r9, r10, lr}
  ldr r7, [sp, #32]
  vpush {d8, d9, d10, d11}
  ldr r9, [r7, #BYTE_SPREAD_STEP]
  vldrh.u16 q4, [r7, #BYTE_SPREAD_PAIR_OFFSETS]
  vldrb.u8 q5, [r7, #BYTE_SPREAD_PRESENT]
  pack_blocks pack_spread_block
  vpop {d8, d9, d10, d11}
  pop {r4, r5, r6, r7, r8, r9, r10, pc}
  .size cox_mx_pack_byte_spread, . - cox_mx_pack_byte_spread
