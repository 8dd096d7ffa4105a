// SPDX-License-Identifier: MIT
// The names of a program's text: constants, labels, and what the configuration and the number of cores define.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/pim/configuration.h"
#include "tools/assembly/line.h"
#include "tools/pim/expression.h"
#include "tools/pim/token.h"

namespace cox::tools::pim {

struct Definition {
  Value value;
  std::size_t line = 0;  ///< 0: the assembler defines it
};
using Definitions = std::map<std::string, Definition, std::less<>>;

/// Adds a name to `names`. Fails the line if it is a word of the assembler, or defined already.
void define(const assembly::Line &line, const Token &name, std::size_t number, Definitions &names, Value value);

class Symbols {
 public:
  /// Defines the memories, `array`, and the parts of DRAM.
  explicit Symbols(const isa::pim::Configuration &configuration);

  /// Number of the program's cores; 0 until the whole text has been read once.
  [[nodiscard]] unsigned cores() const { return cores_; }
  void set_cores(unsigned cores) { cores_ = cores; }
  [[nodiscard]] Definitions &constants() { return constants_; }
  [[nodiscard]] const Definitions &constants() const { return constants_; }
  [[nodiscard]] const Definitions &predefined() const { return predefined_; }

 private:
  void predefine(std::string name, std::int64_t value);

  Definitions constants_, predefined_;
  unsigned cores_ = 0;
};

/// The names that an expression may use. `labels`: those of its section. `counter`: number of the instruction, if `.` names one. `core`:
/// the value of CORE, if it has one.
class Scope final : public Names {
 public:
  Scope(const Symbols &symbols, const Definitions *labels, std::optional<std::uint32_t> counter, std::optional<unsigned> core = {})
      : symbols_(symbols), labels_(labels), counter_(counter), core_(core) {}

  [[nodiscard]] std::optional<Value> find(std::string_view name) const override;
  [[nodiscard]] std::vector<std::string_view> all() const override;

 private:
  const Symbols &symbols_;
  const Definitions *labels_;
  std::optional<std::uint32_t> counter_;
  std::optional<unsigned> core_;
};

}  // namespace cox::tools::pim
