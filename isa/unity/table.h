// SPDX-License-Identifier: MIT
// The Unity instruction set: every operation with its code, its payload's fields and its operand table. docs/isa/unity.md is generated from
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/field.h"
#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/named_field.h"
#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/layouts.h"

namespace cox::isa::unity {

/// Whether resolve() accepts an operation, or refuses it as unsupported.
enum class Stage : std::uint8_t { now, later };

struct Instruction {
  const char *name;
  Opcode opcode;
  std::uint8_t section;  ///< kBaseSection or kAiSection
  std::uint16_t code;    ///< OP_CODE, 14 bits: group [13:5], operation in the group [4:0]
  std::span<const Field> fields;
  const Layout *layout;  ///< of the operand table; nullptr: none
  Stage stage;
  Meaning meaning;
};

namespace detail {

// clang-format off
inline constexpr EnumValue kSpaceValues[] = {{"16", 0}, {"32", 1}, {"64", 2}};
inline constexpr EnumType kSpace{"AddressSpace", kSpaceValues};

inline constexpr Field kIdentity[] = {
    {"section", 0, 6, 1, Kind::integer, 0, 63, {}, "section: 63 BASE, 0 AI"},
    {"op_code", 8, 14, 1, Kind::integer, 0, 16383, {}, "operation"},
};
inline constexpr Field kPayload[] = {
    {"address_space", 6, 2, 1, Kind::enumeration, 0, 2, {&kSpace}, "bits of an address in the operand table"},
    {"fetch", 32, 1, 1, Kind::boolean, 0, 1, {}, "takes keys before it starts", true},
    {"deposit", 33, 1, 1, Kind::boolean, 0, 1, {}, "gives a key when it has ended", true},
    {"blk", 34, 1, 1, Kind::boolean, 0, 1, {}, "the next instruction starts after this one has ended", true},
    {"num_key", 35, 3, 1, Kind::integer, 0, 7, {}, "keys to take, less one", true},
    {"keyr_bar", 38, 2, 1, Kind::integer, 0, 3, {}, "table of the keys to take", true},
    {"keyw_bar", 40, 2, 1, Kind::integer, 0, 3, {}, "table of the key to give", true},
    {"fetch_key", 42, 8, 1, Kind::integer, 0, 255, {}, "entry of the keys to take", true},
    {"deposit_key", 50, 8, 1, Kind::integer, 0, 255, {}, "entry of the key to give", true},
    {"table", 64, 32, 2, Kind::integer, 0, 4294967295, {}, "address of the operand table, low word first"},
};

}  // namespace detail

inline constexpr Instruction kInstructions[] = {
    {"EXIT", Opcode::EXIT, kBaseSection, 0x3fff, {}, nullptr, Stage::now, "ends the unit's program"},
    {"ADD", Opcode::ADD, kBaseSection, 0x0000, detail::kPayload, &layouts::kBinary, Stage::now, "sum"},
    {"SUB", Opcode::SUB, kBaseSection, 0x0001, detail::kPayload, &layouts::kBinary, Stage::now, "difference"},
    {"MAX", Opcode::MAX, kBaseSection, 0x0002, detail::kPayload, &layouts::kBinary, Stage::now, "larger element"},
    {"MIN", Opcode::MIN, kBaseSection, 0x0003, detail::kPayload, &layouts::kBinary, Stage::now, "smaller element"},
    {"MAXSI", Opcode::MAXSI, kBaseSection, 0x0004, detail::kPayload, &layouts::kBinary, Stage::now, "1 if source 1 is larger, else 0"},
    {"MINSI", Opcode::MINSI, kBaseSection, 0x0005, detail::kPayload, &layouts::kBinary, Stage::now, "1 if source 1 is smaller, else 0"},
    {"THRES", Opcode::THRES, kBaseSection, 0x0006, detail::kPayload, &layouts::kBinary, Stage::now, "source 0 if it is above (or below) source 1, else 0"},
    {"ASUM", Opcode::ASUM, kBaseSection, 0x0007, detail::kPayload, &layouts::kUnary, Stage::now, "sum of all elements"},
    {"ABS", Opcode::ABS, kBaseSection, 0x0008, detail::kPayload, &layouts::kUnary, Stage::now, "absolute value"},
    {"MEDIAN", Opcode::MEDIAN, kBaseSection, 0x0009, detail::kPayload, &layouts::kTernary, Stage::now, "middle one of three elements"},
    {"SIGN", Opcode::SIGN, kBaseSection, 0x000a, detail::kPayload, &layouts::kUnary, Stage::now, "1 or -1"},
    {"POW", Opcode::POW, kBaseSection, 0x000b, detail::kPayload, &layouts::kBinary, Stage::now, "power of integers"},
    {"SQRT", Opcode::SQRT, kBaseSection, 0x000c, detail::kPayload, &layouts::kUnary, Stage::now, "square root"},
    {"RSQRT", Opcode::RSQRT, kBaseSection, 0x000d, detail::kPayload, &layouts::kUnary, Stage::now, "reciprocal of the square root"},
    {"COS_SIM", Opcode::COS_SIM, kBaseSection, 0x000e, detail::kPayload, &layouts::kBinary, Stage::now, "cosine similarity of two vectors"},
    {"RECIPROCAL", Opcode::RECIPROCAL, kBaseSection, 0x000f, detail::kPayload, &layouts::kUnary, Stage::now, "reciprocal"},
    {"AND", Opcode::AND, kBaseSection, 0x0020, detail::kPayload, &layouts::kLogic, Stage::now, "bitwise and"},
    {"OR", Opcode::OR, kBaseSection, 0x0021, detail::kPayload, &layouts::kLogic, Stage::now, "bitwise or"},
    {"XOR", Opcode::XOR, kBaseSection, 0x0022, detail::kPayload, &layouts::kLogic, Stage::now, "bitwise exclusive or"},
    {"INV", Opcode::INV, kBaseSection, 0x0023, detail::kPayload, &layouts::kLogic, Stage::now, "bitwise complement"},
    {"BCLR", Opcode::BCLR, kBaseSection, 0x0024, detail::kPayload, &layouts::kLogic, Stage::now, "source 0 or the complement of source 1"},
    {"BSET", Opcode::BSET, kBaseSection, 0x0025, detail::kPayload, &layouts::kLogic, Stage::now, "source 0 and the complement of source 1"},
    {"ASR", Opcode::ASR, kBaseSection, 0x0040, detail::kPayload, &layouts::kBinary, Stage::now, "arithmetic shift to the right"},
    {"ASL", Opcode::ASL, kBaseSection, 0x0041, detail::kPayload, &layouts::kBinary, Stage::now, "arithmetic shift to the left"},
    {"LSR", Opcode::LSR, kBaseSection, 0x0042, detail::kPayload, &layouts::kBinary, Stage::now, "logical shift to the right"},
    {"LSL", Opcode::LSL, kBaseSection, 0x0043, detail::kPayload, &layouts::kBinary, Stage::now, "logical shift to the left"},
    {"ROR", Opcode::ROR, kBaseSection, 0x0044, detail::kPayload, &layouts::kBinary, Stage::now, "rotation to the right"},
    {"NSR", Opcode::NSR, kBaseSection, 0x0060, detail::kPayload, &layouts::kBinary, Stage::now, "shift to the right to half the width"},
    {"SXT", Opcode::SXT, kBaseSection, 0x0061, detail::kPayload, &layouts::kBinary, Stage::now, "sign extension"},
    {"UXT", Opcode::UXT, kBaseSection, 0x0062, detail::kPayload, &layouts::kBinary, Stage::now, "zero extension"},
    {"DIV", Opcode::DIV, kBaseSection, 0x0080, detail::kPayload, &layouts::kBinary, Stage::now, "quotient"},
    {"MOD", Opcode::MOD, kBaseSection, 0x0081, detail::kPayload, &layouts::kBinary, Stage::now, "remainder"},
    {"MUL", Opcode::MUL, kBaseSection, 0x00a0, detail::kPayload, &layouts::kBinary, Stage::now, "product"},
    {"REDUCE_ALL", Opcode::REDUCE_ALL, kBaseSection, 0x00c0, detail::kPayload, &layouts::kReduction, Stage::now, "1 if all elements are not 0"},
    {"REDUCE_ANY", Opcode::REDUCE_ANY, kBaseSection, 0x00c1, detail::kPayload, &layouts::kReduction, Stage::now, "1 if an element is not 0"},
    {"REDUCE_MEAN", Opcode::REDUCE_MEAN, kBaseSection, 0x00c2, detail::kPayload, &layouts::kReduction, Stage::now, "mean"},
    {"REDUCE_MAX", Opcode::REDUCE_MAX, kBaseSection, 0x00c3, detail::kPayload, &layouts::kReduction, Stage::now, "largest element"},
    {"REDUCE_MIN", Opcode::REDUCE_MIN, kBaseSection, 0x00c4, detail::kPayload, &layouts::kReduction, Stage::now, "smallest element"},
    {"REDUCE_PROD", Opcode::REDUCE_PROD, kBaseSection, 0x00c5, detail::kPayload, &layouts::kReduction, Stage::now, "product"},
    {"REDUCE_SUM", Opcode::REDUCE_SUM, kBaseSection, 0x00c6, detail::kPayload, &layouts::kReduction, Stage::now, "sum"},
    {"REDUCE_VAR", Opcode::REDUCE_VAR, kBaseSection, 0x00c7, detail::kPayload, &layouts::kReduction, Stage::now, "population variance"},
    {"CASE", Opcode::CASE, kBaseSection, 0x00e0, detail::kPayload, &layouts::kCase, Stage::now, "runs the program of the first predicate that is not 0"},
    {"COND", Opcode::COND, kBaseSection, 0x00e1, detail::kPayload, &layouts::kCond, Stage::now, "runs one of two programs"},
    {"SWITCH_CASE", Opcode::SWITCH_CASE, kBaseSection, 0x00e2, detail::kPayload, &layouts::kSwitchCase, Stage::now, "runs the program at an index"},
    {"WHILE_LOOP", Opcode::WHILE_LOOP, kBaseSection, 0x00e3, detail::kPayload, &layouts::kWhileLoop, Stage::now, "runs a program while a predicate is not 0"},
    {"CONCAT", Opcode::CONCAT, kBaseSection, 0x0100, detail::kPayload, &layouts::kConcat, Stage::now, "joins two tensors along an axis"},
    {"GATHER", Opcode::GATHER, kBaseSection, 0x0101, detail::kPayload, &layouts::kGather, Stage::now, "picks the elements at indices of an axis"},
    {"GATHER_ND", Opcode::GATHER_ND, kBaseSection, 0x0102, detail::kPayload, &layouts::kGatherNd, Stage::now, "picks the elements at tuples of indices"},
    {"SCATTER", Opcode::SCATTER, kBaseSection, 0x0103, detail::kPayload, &layouts::kScatter, Stage::now, "stores elements at indices"},
    {"SCATTER_ND", Opcode::SCATTER_ND, kBaseSection, 0x0104, detail::kPayload, &layouts::kScatterNd, Stage::now, "stores elements at tuples of indices"},
    {"SPLIT", Opcode::SPLIT, kBaseSection, 0x0105, detail::kPayload, &layouts::kSplit, Stage::now, "parts a tensor at an index of an axis"},
    {"SLICE", Opcode::SLICE, kBaseSection, 0x0106, detail::kPayload, &layouts::kSlice, Stage::now, "takes out the elements at an index of an axis"},
    {"TRANSPOSE", Opcode::TRANSPOSE, kBaseSection, 0x0107, detail::kPayload, &layouts::kTranspose, Stage::now, "permutes the axes"},
    {"RESHAPE", Opcode::RESHAPE, kBaseSection, 0x0108, detail::kPayload, &layouts::kCopy, Stage::now, "copies elements"},
    {"SQUEEZE", Opcode::SQUEEZE, kBaseSection, 0x0109, detail::kPayload, &layouts::kCopy, Stage::now, "copies elements"},
    {"UNSQUEEZE", Opcode::UNSQUEEZE, kBaseSection, 0x010a, detail::kPayload, &layouts::kCopy, Stage::now, "copies elements"},
    {"UNSTACK", Opcode::UNSTACK, kBaseSection, 0x010b, detail::kPayload, &layouts::kUnstack, Stage::now, "parts a tensor into those of an axis"},
    {"STACK", Opcode::STACK, kBaseSection, 0x010c, detail::kPayload, &layouts::kStack, Stage::now, "joins two tensors along a new axis"},
    {"TILE", Opcode::TILE, kBaseSection, 0x010d, detail::kPayload, &layouts::kTile, Stage::now, "repeats a tensor"},
    {"PAD", Opcode::PAD, kBaseSection, 0x010e, detail::kPayload, &layouts::kPad, Stage::now, "adds lines and columns"},
    {"ROLL", Opcode::ROLL, kBaseSection, 0x010f, detail::kPayload, &layouts::kRoll, Stage::now, "shifts elements around along the axes"},
    {"SIGN_BIT", Opcode::SIGN_BIT, kBaseSection, 0x0110, detail::kPayload, &layouts::kSignBit, Stage::now, "1 if the element is negative, else 0"},
    {"WHERE", Opcode::WHERE, kBaseSection, 0x0111, detail::kPayload, &layouts::kWhere, Stage::now, "picks elements of two sources by a condition"},
    {"FLATTEN", Opcode::FLATTEN, kBaseSection, 0x0112, detail::kPayload, &layouts::kCopy, Stage::now, "copies elements"},
    {"EXPAND_DIM", Opcode::EXPAND_DIM, kBaseSection, 0x0113, detail::kPayload, &layouts::kCopy, Stage::now, "copies elements"},
    {"REVERSE", Opcode::REVERSE, kBaseSection, 0x0114, detail::kPayload, &layouts::kStack, Stage::now, "reverses an axis"},
    {"ROUND", Opcode::ROUND, kBaseSection, 0x0120, detail::kPayload, &layouts::kUnary, Stage::now, "rounds to a whole number"},
    {"CEIL", Opcode::CEIL, kBaseSection, 0x0121, detail::kPayload, &layouts::kUnary, Stage::now, "rounds up"},
    {"FLOOR", Opcode::FLOOR, kBaseSection, 0x0122, detail::kPayload, &layouts::kUnary, Stage::now, "rounds down"},
    {"CLIP", Opcode::CLIP, kBaseSection, 0x0123, detail::kPayload, &layouts::kClip, Stage::now, "clamps to bounds"},
    {"DATA_CONVERT", Opcode::DATA_CONVERT, kBaseSection, 0x0140, detail::kPayload, &layouts::kDataConvert, Stage::now, "converts to another unit"},
    {"MATRIX_MUL", Opcode::MATRIX_MUL, kBaseSection, 0x0160, detail::kPayload, &layouts::kMatrixMul, Stage::now, "matrix product, or a convolution without a quantised result"},
    {"LU", Opcode::LU, kBaseSection, 0x0161, detail::kPayload, &layouts::kLu, Stage::now, "LU factorisation"},
    {"CHOLESKY", Opcode::CHOLESKY, kBaseSection, 0x0162, detail::kPayload, &layouts::kCholesky, Stage::now, "Cholesky factorisation"},
    {"QR", Opcode::QR, kBaseSection, 0x0163, detail::kPayload, &layouts::kQr, Stage::now, "QR factorisation"},
    {"NORM", Opcode::NORM, kBaseSection, 0x0164, detail::kPayload, &layouts::kMatrixNorm, Stage::now, "norms of a matrix"},
    {"INVERSE", Opcode::INVERSE, kBaseSection, 0x0165, detail::kPayload, &layouts::kInverse, Stage::now, "inverse of a matrix"},
    {"LSTSQ", Opcode::LSTSQ, kBaseSection, 0x0166, detail::kPayload, &layouts::kLstsq, Stage::now, "least squares"},
    {"SOLVE", Opcode::SOLVE, kBaseSection, 0x0167, detail::kPayload, &layouts::kSolve, Stage::now, "solves linear equations"},
    {"DATA_MOVE", Opcode::DATA_MOVE, kBaseSection, 0x0180, detail::kPayload, &layouts::kDataMove, Stage::now, "copies, fills, repeats or transposes surfaces"},
    {"RESIZE_BILINEAR", Opcode::RESIZE_BILINEAR, kBaseSection, 0x01a0, detail::kPayload, &layouts::kResize, Stage::now, "resizes a map, bilinear"},
    {"RESIZE_NEAREST", Opcode::RESIZE_NEAREST, kBaseSection, 0x01a1, detail::kPayload, &layouts::kResize, Stage::now, "resizes a map, nearest element"},
    {"CREATE_TENSOR", Opcode::CREATE_TENSOR, kBaseSection, 0x01c0, detail::kPayload, &layouts::kCreate, Stage::now, "describes a tensor"},
    {"WARP_TENSOR", Opcode::WARP_TENSOR, kBaseSection, 0x01c1, detail::kPayload, &layouts::kCreate, Stage::now, "describes elements that exist"},
    {"ZEROS", Opcode::ZEROS, kBaseSection, 0x01c2, detail::kPayload, &layouts::kCreate, Stage::now, "tensor of zeros"},
    {"FULL", Opcode::FULL, kBaseSection, 0x01c3, detail::kPayload, &layouts::kCreate, Stage::now, "tensor of one value"},
    {"EMPTY", Opcode::EMPTY, kBaseSection, 0x01c4, detail::kPayload, &layouts::kCreate, Stage::now, "tensor without defined elements"},
    {"CONTIGUOUS", Opcode::CONTIGUOUS, kBaseSection, 0x01c5, detail::kPayload, &layouts::kCreate, Stage::now, "dense copy of a tensor"},
    {"RAND_UNIFORM", Opcode::RAND_UNIFORM, kBaseSection, 0x01c6, detail::kPayload, &layouts::kCreate, Stage::now, "uniform random numbers"},
    {"RAND_NORMAL", Opcode::RAND_NORMAL, kBaseSection, 0x01c7, detail::kPayload, &layouts::kCreate, Stage::now, "normal random numbers"},
    {"RAND_BERNOULLI", Opcode::RAND_BERNOULLI, kBaseSection, 0x01c8, detail::kPayload, &layouts::kCreate, Stage::now, "random zeros and ones"},
    {"RAND_BINOMIAL", Opcode::RAND_BINOMIAL, kBaseSection, 0x01c9, detail::kPayload, &layouts::kCreate, Stage::now, "binomial random numbers"},
    {"MULTI_NOMIAL", Opcode::MULTI_NOMIAL, kBaseSection, 0x01ca, detail::kPayload, &layouts::kCreate, Stage::now, "random indices by weights"},
    {"RAND_PERM", Opcode::RAND_PERM, kBaseSection, 0x01cb, detail::kPayload, &layouts::kCreate, Stage::now, "random permutation"},
    {"RANGE", Opcode::RANGE, kBaseSection, 0x01cc, detail::kPayload, &layouts::kCreate, Stage::now, "arithmetic progression"},
    {"LINSPACE", Opcode::LINSPACE, kBaseSection, 0x01cd, detail::kPayload, &layouts::kCreate, Stage::now, "arithmetic progression between two ends"},
    {"CREATE_SPARSE_TENSOR", Opcode::CREATE_SPARSE_TENSOR, kBaseSection, 0x01ce, detail::kPayload, &layouts::kCreate, Stage::now, "describes a sparse tensor"},
    {"CREATE_QUANT_TENSOR", Opcode::CREATE_QUANT_TENSOR, kBaseSection, 0x01cf, detail::kPayload, &layouts::kCreate, Stage::now, "describes a quantised tensor"},
    {"DUPLICATE", Opcode::DUPLICATE, kBaseSection, 0x01d0, detail::kPayload, &layouts::kCreate, Stage::now, "copy of a tensor"},
    {"CREATE_FROM_DIAG", Opcode::CREATE_FROM_DIAG, kBaseSection, 0x01d1, detail::kPayload, &layouts::kCreate, Stage::now, "matrix from its diagonal"},
    {"DESTROY_TENSOR", Opcode::DESTROY_TENSOR, kBaseSection, 0x01d2, detail::kPayload, &layouts::kCreate, Stage::now, "clears a descriptor"},
    {"SEQ", Opcode::SEQ, kBaseSection, 0x01e0, detail::kPayload, &layouts::kBinary, Stage::now, "1 if equal, else 0"},
    {"SNE", Opcode::SNE, kBaseSection, 0x01e1, detail::kPayload, &layouts::kBinary, Stage::now, "1 if not equal, else 0"},
    {"SLE", Opcode::SLE, kBaseSection, 0x01e2, detail::kPayload, &layouts::kBinary, Stage::now, "1 if source 0 is not larger, else 0"},
    {"SLT", Opcode::SLT, kBaseSection, 0x01e3, detail::kPayload, &layouts::kBinary, Stage::now, "1 if source 0 is smaller, else 0"},
    {"SGE", Opcode::SGE, kBaseSection, 0x01e4, detail::kPayload, &layouts::kBinary, Stage::now, "1 if source 0 is not smaller, else 0"},
    {"SGT", Opcode::SGT, kBaseSection, 0x01e5, detail::kPayload, &layouts::kBinary, Stage::now, "1 if source 0 is larger, else 0"},
    {"SIN", Opcode::SIN, kBaseSection, 0x0200, detail::kPayload, &layouts::kUnary, Stage::now, "sine"},
    {"COS", Opcode::COS, kBaseSection, 0x0201, detail::kPayload, &layouts::kUnary, Stage::now, "cosine"},
    {"TAN", Opcode::TAN, kBaseSection, 0x0202, detail::kPayload, &layouts::kUnary, Stage::now, "tangent"},
    {"ASIN", Opcode::ASIN, kBaseSection, 0x0203, detail::kPayload, &layouts::kUnary, Stage::now, "arc sine"},
    {"ACOS", Opcode::ACOS, kBaseSection, 0x0204, detail::kPayload, &layouts::kUnary, Stage::now, "arc cosine"},
    {"ATAN", Opcode::ATAN, kBaseSection, 0x0205, detail::kPayload, &layouts::kUnary, Stage::now, "arc tangent"},
    {"SINH", Opcode::SINH, kBaseSection, 0x0220, detail::kPayload, &layouts::kUnary, Stage::now, "hyperbolic sine"},
    {"COSH", Opcode::COSH, kBaseSection, 0x0221, detail::kPayload, &layouts::kUnary, Stage::now, "hyperbolic cosine"},
    {"TANH", Opcode::TANH, kBaseSection, 0x0222, detail::kPayload, &layouts::kUnary, Stage::now, "hyperbolic tangent"},
    {"ASINH", Opcode::ASINH, kBaseSection, 0x0223, detail::kPayload, &layouts::kUnary, Stage::now, "inverse hyperbolic sine"},
    {"ACOSH", Opcode::ACOSH, kBaseSection, 0x0224, detail::kPayload, &layouts::kUnary, Stage::now, "inverse hyperbolic cosine"},
    {"ATANH", Opcode::ATANH, kBaseSection, 0x0225, detail::kPayload, &layouts::kUnary, Stage::now, "inverse hyperbolic tangent"},
    {"EXP", Opcode::EXP, kBaseSection, 0x0240, detail::kPayload, &layouts::kUnary, Stage::now, "exponential"},
    {"EXPML", Opcode::EXPML, kBaseSection, 0x0241, detail::kPayload, &layouts::kUnary, Stage::now, "exponential less 1"},
    {"LOG", Opcode::LOG, kBaseSection, 0x0242, detail::kPayload, &layouts::kUnary, Stage::now, "natural logarithm"},
    {"LOGLP", Opcode::LOGLP, kBaseSection, 0x0243, detail::kPayload, &layouts::kUnary, Stage::now, "natural logarithm of 1 + x"},
    {"LOG10", Opcode::LOG10, kBaseSection, 0x0244, detail::kPayload, &layouts::kUnary, Stage::now, "decimal logarithm"},
    {"LOG2", Opcode::LOG2, kBaseSection, 0x0245, detail::kPayload, &layouts::kUnary, Stage::now, "binary logarithm"},
    {"ARG_MAX", Opcode::ARG_MAX, kBaseSection, 0x0260, detail::kPayload, &layouts::kUnary, Stage::now, "index of the largest element"},
    {"ARG_MIN", Opcode::ARG_MIN, kBaseSection, 0x0261, detail::kPayload, &layouts::kUnary, Stage::now, "index of the smallest element"},
    {"ARG_SORT", Opcode::ARG_SORT, kBaseSection, 0x0262, detail::kPayload, &layouts::kArgSort, Stage::now, "sorts"},
    {"TOPK", Opcode::TOPK, kBaseSection, 0x0263, detail::kPayload, &layouts::kTopk, Stage::now, "the largest elements"},
    {"NON_ZERO", Opcode::NON_ZERO, kBaseSection, 0x0264, detail::kPayload, &layouts::kUnary, Stage::now, "indices of elements that are not 0"},
    {"FFT", Opcode::FFT, kBaseSection, 0x0280, detail::kPayload, &layouts::kFft, Stage::now, "Fourier transform"},
    {"IFFT", Opcode::IFFT, kBaseSection, 0x0281, detail::kPayload, &layouts::kFft, Stage::now, "inverse Fourier transform"},
    {"SHAPE", Opcode::SHAPE, kBaseSection, 0x02a0, detail::kPayload, &layouts::kQuery, Stage::now, "dimensions"},
    {"IS_EMPTY", Opcode::IS_EMPTY, kBaseSection, 0x02a1, detail::kPayload, &layouts::kQuery, Stage::now, "1 if the tensor has no elements"},
    {"IS_FINITE", Opcode::IS_FINITE, kBaseSection, 0x02a2, detail::kPayload, &layouts::kQuery, Stage::now, "1 for each finite element"},
    {"IS_INF", Opcode::IS_INF, kBaseSection, 0x02a3, detail::kPayload, &layouts::kQuery, Stage::now, "1 for each infinite element"},
    {"IS_CONTIGUROUS", Opcode::IS_CONTIGUROUS, kBaseSection, 0x02a4, detail::kPayload, &layouts::kQuery, Stage::now, "1 if the tensor is dense"},
    {"RANK", Opcode::RANK, kBaseSection, 0x02a5, detail::kPayload, &layouts::kQuery, Stage::now, "number of dimensions"},
    {"SIZE", Opcode::SIZE, kBaseSection, 0x02a6, detail::kPayload, &layouts::kQuery, Stage::now, "number of elements"},
    {"HAS_INF", Opcode::HAS_INF, kBaseSection, 0x02a7, detail::kPayload, &layouts::kQuery, Stage::now, "1 if an element is infinite"},
    {"HAS_NAN", Opcode::HAS_NAN, kBaseSection, 0x02a8, detail::kPayload, &layouts::kQuery, Stage::now, "1 if an element is NaN"},
    {"RELU", Opcode::RELU, kAiSection, 0x0000, detail::kPayload, &layouts::kActivation, Stage::now, "max(x, 0)"},
    {"PRELU", Opcode::PRELU, kAiSection, 0x0001, detail::kPayload, &layouts::kPrelu, Stage::now, "x, or x times a multiplier if x is not positive"},
    {"ELU", Opcode::ELU, kAiSection, 0x0002, detail::kPayload, &layouts::kElu, Stage::now, "x, or alpha (exp(x) - 1) if x is not positive"},
    {"HARD_SIGMOID", Opcode::HARD_SIGMOID, kAiSection, 0x0003, detail::kPayload, &layouts::kHardSigmoid, Stage::now, "a x + b between 0 and 1"},
    {"SELU", Opcode::SELU, kAiSection, 0x0004, detail::kPayload, &layouts::kSelu, Stage::now, "ELU times gamma"},
    {"SIGMOID", Opcode::SIGMOID, kAiSection, 0x0005, detail::kPayload, &layouts::kActivation, Stage::now, "logistic function"},
    {"AI_TANH", Opcode::AI_TANH, kAiSection, 0x0006, detail::kPayload, &layouts::kActivation, Stage::now, "hyperbolic tangent"},
    {"SOFTPLUS", Opcode::SOFTPLUS, kAiSection, 0x0007, detail::kPayload, &layouts::kActivation, Stage::now, "log(1 + exp(x))"},
    {"SOFTMAX", Opcode::SOFTMAX, kAiSection, 0x0008, detail::kPayload, &layouts::kSoftmax, Stage::now, "softmax along an axis"},
    {"LOGSOFTMAX", Opcode::LOGSOFTMAX, kAiSection, 0x0009, detail::kPayload, &layouts::kLogsoftmax, Stage::now, "logarithm of softmax"},
    {"SOFT_SIGN", Opcode::SOFT_SIGN, kAiSection, 0x000a, detail::kPayload, &layouts::kActivation, Stage::now, "x / (1 + |x|)"},
    {"RELU6", Opcode::RELU6, kAiSection, 0x000b, detail::kPayload, &layouts::kActivation, Stage::now, "x between 0 and 6"},
    {"THRESHOLD_RELU", Opcode::THRESHOLD_RELU, kAiSection, 0x000c, detail::kPayload, &layouts::kOneParameter, Stage::now, "x above a threshold, else 0"},
    {"LEAKY_RELU", Opcode::LEAKY_RELU, kAiSection, 0x000d, detail::kPayload, &layouts::kOneParameter, Stage::now, "x, or x times a slope if x is not positive"},
    {"BRELU", Opcode::BRELU, kAiSection, 0x000e, detail::kPayload, &layouts::kTwoParameters, Stage::now, "x between two bounds"},
    {"GELU", Opcode::GELU, kAiSection, 0x000f, detail::kPayload, &layouts::kActivation, Stage::now, "x times the normal distribution function"},
    {"SWISH", Opcode::SWISH, kAiSection, 0x0010, detail::kPayload, &layouts::kActivation, Stage::now, "x times the logistic function"},
    {"HARD_SWISH", Opcode::HARD_SWISH, kAiSection, 0x0011, detail::kPayload, &layouts::kActivation, Stage::now, "x times relu6(x + 3) / 6"},
    {"ERF", Opcode::ERF, kAiSection, 0x0012, detail::kPayload, &layouts::kActivation, Stage::now, "error function"},
    {"HARD_SHRINK", Opcode::HARD_SHRINK, kAiSection, 0x0013, detail::kPayload, &layouts::kOneParameter, Stage::now, "x outside of a threshold, else 0"},
    {"TANH_SHRINK", Opcode::TANH_SHRINK, kAiSection, 0x0014, detail::kPayload, &layouts::kActivation, Stage::now, "x - tanh(x)"},
    {"HARD_TANH", Opcode::HARD_TANH, kAiSection, 0x0015, detail::kPayload, &layouts::kTwoParameters, Stage::now, "x between two bounds"},
    {"ELE_ADD", Opcode::ELE_ADD, kAiSection, 0x0020, detail::kPayload, &layouts::kQuantisedAdd, Stage::now, "quantised sum"},
    {"ELE_SUB", Opcode::ELE_SUB, kAiSection, 0x0021, detail::kPayload, &layouts::kQuantisedAdd, Stage::now, "quantised difference"},
    {"CONV2D", Opcode::CONV2D, kAiSection, 0x0040, detail::kPayload, &layouts::kConvolution, Stage::now, "convolution"},
    {"DEP_CONV", Opcode::DEP_CONV, kAiSection, 0x0041, detail::kPayload, &layouts::kConvolution, Stage::now, "depthwise convolution"},
    {"TRANSPOSE_CONV", Opcode::TRANSPOSE_CONV, kAiSection, 0x0042, detail::kPayload, &layouts::kTransposeConv, Stage::now, "convolution of an enlarged map"},
    {"DILATE_CONV", Opcode::DILATE_CONV, kAiSection, 0x0043, detail::kPayload, &layouts::kDilateConv, Stage::now, "convolution with a dilated kernel"},
    {"CONV3D", Opcode::CONV3D, kAiSection, 0x0044, detail::kPayload, &layouts::kConv3d, Stage::now, "convolution of volumes"},
    {"TRANS_CONV3D", Opcode::TRANS_CONV3D, kAiSection, 0x0045, detail::kPayload, &layouts::kTransConv3d, Stage::now, "convolution of enlarged volumes"},
    {"CONV1D", Opcode::CONV1D, kAiSection, 0x0046, detail::kPayload, &layouts::kConvolution, Stage::now, "convolution of lines"},
    {"UDEF_CONV", Opcode::UDEF_CONV, kAiSection, 0x0047, detail::kPayload, &layouts::kUdefConv, Stage::now, "convolution with groups, dilation and large kernels"},
    {"MAX_POOL", Opcode::MAX_POOL, kAiSection, 0x0080, detail::kPayload, &layouts::kPool, Stage::now, "largest element of a window"},
    {"MIN_POOL", Opcode::MIN_POOL, kAiSection, 0x0081, detail::kPayload, &layouts::kPool, Stage::now, "smallest element of a window"},
    {"AVRG_POOL", Opcode::AVRG_POOL, kAiSection, 0x0082, detail::kPayload, &layouts::kPool, Stage::now, "mean of a window"},
    {"MEDIAN_POOL", Opcode::MEDIAN_POOL, kAiSection, 0x0083, detail::kPayload, &layouts::kPool, Stage::now, "middle element of a window"},
    {"ROI_POOL", Opcode::ROI_POOL, kAiSection, 0x0084, detail::kPayload, &layouts::kRoiPool, Stage::now, "largest element of each section of a region"},
    {"POOL3D", Opcode::POOL3D, kAiSection, 0x0085, detail::kPayload, &layouts::kPool3d, Stage::now, "pool of volumes"},
    {"POOL1D", Opcode::POOL1D, kAiSection, 0x0086, detail::kPayload, &layouts::kPool1d, Stage::now, "pool of lines"},
    {"ADAPTIVV_POOL1D", Opcode::ADAPTIVV_POOL1D, kAiSection, 0x0087, detail::kPayload, &layouts::kAdaptivePool, Stage::now, "pool of sections of lines"},
    {"ADAPTIVV_POOL2D", Opcode::ADAPTIVV_POOL2D, kAiSection, 0x0088, detail::kPayload, &layouts::kAdaptivePool, Stage::now, "pool of sections"},
    {"ADAPTIVV_POOL3D", Opcode::ADAPTIVV_POOL3D, kAiSection, 0x0089, detail::kPayload, &layouts::kAdaptivePool3d, Stage::now, "pool of sections of volumes"},
    {"UDEF_POOL", Opcode::UDEF_POOL, kAiSection, 0x008a, detail::kPayload, &layouts::kUdefPool, Stage::now, "pool with large windows"},
    {"BATCH_NORM", Opcode::BATCH_NORM, kAiSection, 0x00a0, detail::kPayload, &layouts::kBatchNorm, Stage::now, "normalises by given means and variances"},
    {"INSTANCE_NORM", Opcode::INSTANCE_NORM, kAiSection, 0x00a1, detail::kPayload, &layouts::kChannelNorm, Stage::now, "normalises each channel"},
    {"LAYER_NORM", Opcode::LAYER_NORM, kAiSection, 0x00a2, detail::kPayload, &layouts::kChannelNorm, Stage::now, "normalises over the channels"},
    {"GROUP_NORM", Opcode::GROUP_NORM, kAiSection, 0x00a3, detail::kPayload, &layouts::kGroupNorm, Stage::now, "normalises over groups of channels"},
    {"LRN_NORM", Opcode::LRN_NORM, kAiSection, 0x00a4, detail::kPayload, &layouts::kLrnNorm, Stage::now, "local response normalisation"},
    {"LP_NORM", Opcode::LP_NORM, kAiSection, 0x00a5, detail::kPayload, &layouts::kLpNorm, Stage::now, "divides by the Lp norm over the channels"},
    {"L2_NORM", Opcode::L2_NORM, kAiSection, 0x00a6, detail::kPayload, &layouts::kL2Norm, Stage::now, "divides by the L2 norm over the channels"},
    {"EMBEDDING", Opcode::EMBEDDING, kAiSection, 0x00e0, detail::kPayload, &layouts::kEmbedding, Stage::now, "rows of a table"},
    {"ONE_HOT", Opcode::ONE_HOT, kAiSection, 0x00e1, detail::kPayload, &layouts::kOneHot, Stage::now, "one-hot vectors"},
    {"LSTM", Opcode::LSTM, kAiSection, 0x0100, detail::kPayload, &layouts::kRecurrent, Stage::now, "LSTM over steps"},
    {"RNN_CELL", Opcode::RNN_CELL, kAiSection, 0x0101, detail::kPayload, &layouts::kRecurrent, Stage::now, "step of an RNN"},
    {"RNN", Opcode::RNN, kAiSection, 0x0102, detail::kPayload, &layouts::kRecurrent, Stage::now, "RNN over steps"},
    {"LSTM_CELL", Opcode::LSTM_CELL, kAiSection, 0x0103, detail::kPayload, &layouts::kRecurrent, Stage::now, "step of an LSTM"},
    {"GRU_CELL", Opcode::GRU_CELL, kAiSection, 0x0104, detail::kPayload, &layouts::kRecurrent, Stage::now, "step of a GRU"},
    {"GRU", Opcode::GRU, kAiSection, 0x0105, detail::kPayload, &layouts::kRecurrent, Stage::now, "GRU over steps"},
    {"DROPOUT", Opcode::DROPOUT, kAiSection, 0x0120, detail::kPayload, &layouts::kDropout, Stage::now, "sets random elements to 0"},
    {"LABEL_SMOOTH", Opcode::LABEL_SMOOTH, kAiSection, 0x0121, detail::kPayload, &layouts::kLabelSmooth, Stage::now, "smooths labels"},
    {"PIXEL_SHUFFLE", Opcode::PIXEL_SHUFFLE, kAiSection, 0x0140, detail::kPayload, &layouts::kPixelShuffle, Stage::now, "channels to pixels"},
    {"PIXEL_UNSHUFFLE", Opcode::PIXEL_UNSHUFFLE, kAiSection, 0x0141, detail::kPayload, &layouts::kPixelShuffle, Stage::now, "pixels to channels"},
    {"GRID_SAMPLE", Opcode::GRID_SAMPLE, kAiSection, 0x0142, detail::kPayload, &layouts::kGridSample, Stage::now, "samples a map at coordinates"},
    {"AFFINE_GRID", Opcode::AFFINE_GRID, kAiSection, 0x0143, detail::kPayload, &layouts::kAffineGrid, Stage::now, "coordinates of an affine map"},
    {"CROSS_ENTROPY", Opcode::CROSS_ENTROPY, kAiSection, 0x0160, detail::kPayload, &layouts::kLoss, Stage::now, "cross entropy of scores"},
    {"MSE_LOSS", Opcode::MSE_LOSS, kAiSection, 0x0161, detail::kPayload, &layouts::kLoss, Stage::now, "squared error"},
    {"L1_LOSS", Opcode::L1_LOSS, kAiSection, 0x0162, detail::kPayload, &layouts::kLoss, Stage::now, "absolute error"},
    {"LOG_LOSS", Opcode::LOG_LOSS, kAiSection, 0x0163, detail::kPayload, &layouts::kLoss, Stage::now, "logistic loss of probabilities"},
    {"SMOOTH_L1_LOSS", Opcode::SMOOTH_L1_LOSS, kAiSection, 0x0164, detail::kPayload, &layouts::kLoss, Stage::now, "smooth absolute error"},
    {"KLDIV_LOSS", Opcode::KLDIV_LOSS, kAiSection, 0x0165, detail::kPayload, &layouts::kLoss, Stage::now, "Kullback-Leibler divergence"},
    {"NLL_LOSS", Opcode::NLL_LOSS, kAiSection, 0x0166, detail::kPayload, &layouts::kLoss, Stage::now, "negative log likelihood"},
    {"SPARSE_CROSS_ENTROPY_LOSS", Opcode::SPARSE_CROSS_ENTROPY_LOSS, kAiSection, 0x0167, detail::kPayload, &layouts::kLoss, Stage::now, "cross entropy with class numbers"},
    {"SOFT_MARGIN_LOSS", Opcode::SOFT_MARGIN_LOSS, kAiSection, 0x0168, detail::kPayload, &layouts::kLoss, Stage::now, "soft margin loss"},
    {"ACCURACY", Opcode::ACCURACY, kAiSection, 0x0180, detail::kPayload, &layouts::kAccuracy, Stage::now, "share of correct predictions"},
    {"AUC", Opcode::AUC, kAiSection, 0x0181, detail::kPayload, &layouts::kAuc, Stage::now, "area under the ROC curve"},
    {"SGD", Opcode::SGD, kAiSection, 0x01a0, detail::kPayload, &layouts::kOptimizer, Stage::now, "step of gradient descent"},
    {"MOMENTUM", Opcode::MOMENTUM, kAiSection, 0x01a1, detail::kPayload, &layouts::kOptimizer, Stage::now, "step with momentum"},
    {"ADA_GRAD", Opcode::ADA_GRAD, kAiSection, 0x01a2, detail::kPayload, &layouts::kOptimizer, Stage::now, "step of AdaGrad"},
    {"ADA_DELTA", Opcode::ADA_DELTA, kAiSection, 0x01a3, detail::kPayload, &layouts::kOptimizer, Stage::now, "step of AdaDelta"},
    {"RMS_PROP", Opcode::RMS_PROP, kAiSection, 0x01a4, detail::kPayload, &layouts::kOptimizer, Stage::now, "step of RMSProp"},
    {"CENTERED_RMSPROP", Opcode::CENTERED_RMSPROP, kAiSection, 0x01a5, detail::kPayload, &layouts::kOptimizer, Stage::now, "step of centred RMSProp"},
    {"ADAM", Opcode::ADAM, kAiSection, 0x01a6, detail::kPayload, &layouts::kOptimizer, Stage::now, "step of Adam"},
};
// clang-format on

struct Traits {
  using Opcode = unity::Opcode;
  using Instruction = unity::Instruction;
  using MachineCode = unity::MachineCode;
  static constexpr const auto &kInstructions = unity::kInstructions;
  static constexpr bool kFiniteFloats = false;
  static constexpr std::span<const Field> opcode_fields(const Instruction & /*row*/) { return detail::kIdentity; }
  static constexpr std::uint32_t first_word(const Instruction &row) { return row.section | static_cast<std::uint32_t>(row.code) << 8; }
  static constexpr std::span<const Field> header(const Instruction & /*row*/) { return {}; }
};
using Set = InstructionSet<Traits>;
Traits traits_of(Opcode);

/// The number of an instruction's row, or kNoRow.
inline constexpr std::size_t kNoRow = 255;
[[nodiscard]] std::size_t row_of(const MachineCode &code);
/// Set::find() in constant time.
[[nodiscard]] const Instruction *find_quickly(const MachineCode &code);

/// Checks what can be decided without the operand table: Set::check(), check_sync(), and the table's address. Errors besides theirs:
/// misaligned_address ("table", `limit` kTableAlignment) and address_outside_window ("table") for an address above the address space.
[[nodiscard]] Status check(const MachineCode &code);

}  // namespace cox::isa::unity

extern template class cox::isa::InstructionSet<cox::isa::unity::Traits>;
