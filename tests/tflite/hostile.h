// SPDX-License-Identifier: MIT
// What must hold for any bytes as a model.
#pragma once

#include <cstdint>
#include <span>

namespace cox::tests::tflite_hostile {

/// What became of a file.
enum class Verdict {
  refused,   ///< by open()
  rejected,  ///< an operator was refused by resolve()
  planned,   ///< too large to run here
  ran,
};

/// Gives the file, whose address is a multiple of 16, to the reader. If open() accepts it: reads all that the model shows, resolves and
/// plans all operators, and runs it with the reference if it is small, once in an arena and once tensor by tensor. Aborts if results
/// differ, or if a byte outside of the workspaces is written.
Verdict examine(std::span<const std::uint8_t> file);

}  // namespace cox::tests::tflite_hostile
