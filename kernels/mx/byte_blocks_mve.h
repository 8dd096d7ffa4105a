// SPDX-License-Identifier: MIT
// Layout of ByteTables, ByteSpread and Block for byte_blocks_mve.S. byte_blocks_mve.cpp compares the numbers with the C++ types.
#pragma once

#define BYTE_TABLES_RANKS 8192      // offset of ByteTables::ranks
#define BYTE_TABLES_EXPONENTS 8448  // offset of ByteTables::exponents
#define BYTE_TABLES_RANK_SHIFT 9    // log2 of the bytes of ByteTables::codes for each rank
#define BYTE_TABLES_SHIFTED 256     // offset of the codes for D = 1 in those of a rank
#define BYTE_SPREAD_PAIR_OFFSETS 0
#define BYTE_SPREAD_PRESENT 16
#define BYTE_SPREAD_STEP 32
#define BLOCK_ELEMENTS 2
#define BLOCK_BYTES 18
