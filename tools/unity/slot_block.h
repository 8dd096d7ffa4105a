// SPDX-License-Identifier: MIT
// A block `.slots` of an xDSA program: queue slots of another engine, and behind them the streams that they describe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/unity/storage.h"
#include "tools/unity/engine_text.h"
#include "tools/unity/expression.h"

namespace cox::tools::unity {

/// Slots and streams begin at multiples of this.
inline constexpr std::uint64_t kSlotAlignment = isa::unity::kSlotBytes;

class SlotBlock {
 public:
  /// `line`: of the directive. `source` is for messages and must outlive the block.
  SlotBlock(isa::unity::Domain domain, std::size_t line, const std::string &source) : domain_(domain), line_(line), source_(source) {}

  /// Adds a line of the present stream.
  void add_line(std::size_t line, std::string_view text) { streams_.back().lines.push_back({line, text}); }
  /// Begins another stream. Throws FileError for tile cores, whose slots describe no streams.
  void next_stream(std::size_t line);
  /// Adds a stream that is the contents of a file. Throws FileError for a second file of tile instructions.
  void add_file(EngineCode code);

  struct Built {
    std::vector<std::uint8_t> bytes;
    unsigned queue = 0, slots = 0;
  };
  /// Returns slots and streams as they lie at `address`. `$name` and `$(expression)` in a line stand for their values. Throws FileError.
  [[nodiscard]] Built build(const Symbols &symbols, std::uint64_t address) const;

  [[nodiscard]] isa::unity::Domain domain() const { return domain_; }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  struct TextLine {
    std::size_t line = 0;
    std::string_view text;
  };
  struct Stream {
    std::vector<TextLine> lines;
    std::optional<EngineCode> code;  ///< from a file
  };
  [[nodiscard]] EngineCode code_of(const Stream &stream, const Symbols &symbols) const;
  [[noreturn]] void fail(std::size_t line, const std::string &why) const;

  isa::unity::Domain domain_;
  std::size_t line_;
  const std::string &source_;
  std::vector<Stream> streams_{1};
};

}  // namespace cox::tools::unity
