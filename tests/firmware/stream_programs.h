// SPDX-License-Identifier: MIT
// Programs of engines that run streams, for tests of loads and jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/firmware/task_builder.h"

namespace cox::tests {

/// Contents of the windows of a program, [window], before a run and after it.
struct WindowContents {
  std::vector<std::vector<std::uint8_t>> before, after;
};

/// Number of MX9 blocks of each tensor of sum_program(), and the tensors' size.
inline constexpr std::uint32_t kSumBlocks = 1024;
inline constexpr std::uint64_t kSumBytes = kSumBlocks * 18;

/// Returns an MX program that adds window 0 (read-only) to itself `rounds` times, each time into window 1.
TaskText sum_program(unsigned rounds = 1);
/// Returns the contents of its windows, with other values for each `seed` below 64.
WindowContents sum_contents(unsigned seed);

/// Sizes of product_program().
inline constexpr std::uint32_t kProductM = 48, kProductK = 96, kProductN = 80;

/// Returns a CUBE program: window 0 (INT8, m x k) times window 1 (INT8, k x n) into window 2 (INT32).
TaskText product_program();
/// Returns the contents of its windows, with other values for each `seed`.
WindowContents product_contents(unsigned seed);

/// Returns a program of two PIM cores: each multiplies a vector by a matrix, with operands in window 0 and the product in window 1. It does
/// so `rounds` times.
TaskText pim_program(unsigned rounds = 1);
/// Returns the contents of its windows, with other values for each `seed`.
WindowContents pim_contents(unsigned seed);
/// Returns an image text with `code` as a PIM program, and the windows of pim_program().
TaskText pim_text(std::vector<std::byte> code);

/// Number of elements (INT32) of each tensor of unity_program().
inline constexpr std::uint32_t kUnityElements = 1024;

/// Returns a program of two Unity units, with two tensors in window 0 (read-only) and two in window 1. Unit 0 writes the sum of the inputs;
/// unit 1 waits for it and writes it doubled. They do so `rounds` times in turn.
TaskText unity_program(unsigned rounds = 1);
/// Returns the contents of its windows, with other values for each `seed`.
WindowContents unity_contents(unsigned seed);

/// Returns the number of the instruction that names an address of the DRAM in relocation `index` of product_program().
std::uint32_t slot_of(const TaskText &product, std::size_t index);

}  // namespace cox::tests
