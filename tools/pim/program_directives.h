// SPDX-License-Identifier: MIT
// Directives about registers, copies and the time limit of a program (docs/pim.md, Directives). They hold for each core of their section,
// or for the core that they name.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "tools/pim/program_parts.h"
#include "tools/pim/symbols.h"

namespace cox::tools::pim {

class Directives {
 public:
  /// Puts what it reads into `parts`. The arguments must outlive it.
  Directives(const Symbols &symbols, ProgramParts &parts) : symbols_(symbols), parts_(parts) {}

  /// Reads the rest of a line that begins with the directive `name`, in a section of these cores with these labels. Fails the line.
  void read(Tokens &tokens, std::string_view name, const std::set<unsigned> &section_cores, const Definitions &labels);

 private:
  [[nodiscard]] std::set<unsigned> named_core(const Tokens &tokens, unsigned core, std::size_t column) const;
  void set(Tokens &tokens, const std::set<unsigned> &section_cores, const Definitions &labels);
  void copy(Tokens &tokens, std::string_view name, const std::set<unsigned> &cores, const Definitions &labels);

  const Symbols &symbols_;
  ProgramParts &parts_;
  std::set<std::pair<unsigned, unsigned>> settings_;  ///< core and place
};

}  // namespace cox::tools::pim
