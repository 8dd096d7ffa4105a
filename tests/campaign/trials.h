// SPDX-License-Identifier: MIT
// The command line that programs of `cox campaign` have (docs/campaign.md, Programs): seeds become inputs, inputs are text, and each input
// is right or wrong.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cox::campaign {

/// Something that a trial has done: a cell of the picture, and the state by which the cell is divided.
struct Cell {
  std::string row, column, state;
};

struct Verdict {
  std::string what;  ///< what is wrong, in one sentence; empty if all is right
  std::vector<Cell> coverage;
};

/// The input of a trial. A file of it begins each line of the header with `! `. Blank lines and lines that begin with # are comments.
struct Input {
  std::vector<std::string> header;  ///< "NAME VALUE": lines that must stay
  std::vector<std::string> lines;   ///< lines that may be removed, one by one

  /// Returns the value of header line `name`. Throws NoSense if there is no such line.
  [[nodiscard]] std::string value(std::string_view name) const;
  /// The same for a number. Throws NoSense if the value is not a decimal number.
  [[nodiscard]] std::uint64_t number(std::string_view name) const;
};

/// An input that says nothing about the tested code, for example because an instruction is not legal where it stands.
struct NoSense : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Trials {
 public:
  virtual ~Trials() = default;
  Trials() = default;
  Trials(const Trials &) = delete;
  Trials &operator=(const Trials &) = delete;

  /// Makes the input of a seed, which is the same on every machine.
  virtual Input make(std::uint64_t seed) = 0;
  /// Runs an input. Throws NoSense. It may also crash or hang: the campaign runs it in a process of its own.
  virtual Verdict run(const Input &input) = 0;
};

/// True if the arguments ask for trials.
[[nodiscard]] bool wants_trials(int argc, char **argv);
/// Does what the arguments ask for. Returns the exit status: 0 right, 1 wrong, 2 usage, 3 an input that makes no sense.
int run_trials(Trials &trials, int argc, char **argv);

}  // namespace cox::campaign
