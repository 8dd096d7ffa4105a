// SPDX-License-Identifier: MIT
#include "tools/pim/run_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include "coxswain/isa/pim/program.h"
#include "coxswain/isa/pim/table.h"
#include "tools/file/error.h"
#include "tools/names/did_you_mean.h"
#include "tools/pim/expression.h"
#include "tools/pim/open_program.h"
#include "tools/pim/program_parts.h"

namespace cox::tools::pim {
namespace {

constexpr std::string_view kRegisters = "registers";
constexpr std::string_view kTensorPrefix = "registers of core ";
constexpr std::uint64_t kSpacing = 64;  // between the parts of the window for requests

const std::vector<assembly::Word> kNoRequestWords;

class NoNames final : public Names {
 public:
  [[nodiscard]] std::optional<Value> find(std::string_view /*name*/) const override { return std::nullopt; }
  [[nodiscard]] std::vector<std::string_view> all() const override { return {}; }
};

/// A memory of the core, or a part of DRAM.
struct NamedMemory {
  std::string name;
  std::uint32_t first = 0;  ///< address
  std::uint64_t bytes = 0;
  std::optional<unsigned> window;  ///< of DRAM
};

std::vector<NamedMemory> memories_of(const isa::pim::Configuration &configuration) {
  std::vector<NamedMemory> all;
  for (const isa::pim::Memory &memory : configuration.local_memories())
    all.push_back({std::string(memory.name()), memory.first, memory.bytes, std::nullopt});
  all.push_back({"array", configuration.array.first, configuration.array.bytes(), std::nullopt});
  for (unsigned window = 0; window < isa::pim::kWindows; ++window) {
    const auto first = static_cast<std::uint32_t>(configuration.dram_first + window * configuration.dram_part());
    all.push_back({fmt::format("dram{}", window), first, configuration.dram_part(), window});
  }
  return all;
}

class Adder {
 public:
  Adder(StreamImage &image, const isa::pim::Configuration &configuration, const std::string &file)
      : image_(image),
        configuration_(configuration),
        memories_(memories_of(configuration)),
        parts_(parts_of(open_program(image.code, file))) {}

  RequestedTensors add(const ProgramFormat::RunRequest &request) {
    for (const std::string &text : request.set) set(text);
    for (const std::string &text : request.memory) load(text);
    for (const std::string &text : request.dump) dump(text);
    if (window_used_ != 0) image_.windows.push_back({static_cast<std::uint8_t>(free_window()), window_used_, true});
    image_.code = build_program(parts_);
    return std::move(tensors_);
  }

 private:
  [[noreturn]] static void fail(const std::string &option, const std::string &text, const std::string &why) {
    throw FileError(fmt::format("{} {}: {}", option, text, why));
  }

  /// Takes `coreN.` off the front. Returns nullopt if it is not there.
  std::optional<unsigned> take_core(const std::string &option, const std::string &text, std::string_view &rest) const {
    const std::size_t dot = rest.find('.');
    if (!rest.starts_with("core") || dot == std::string_view::npos) return std::nullopt;
    unsigned core = 0;
    for (const char digit : rest.substr(4, dot - 4)) {
      if (digit < '0' || digit > '9' || core > isa::pim::kMostCores) return std::nullopt;
      core = core * 10 + static_cast<unsigned>(digit - '0');
    }
    if (core >= parts_.cores.size()) fail(option, text, fmt::format("there is no core {}; the program has {}", core, parts_.cores.size()));
    rest.remove_prefix(dot + 1);
    return core;
  }

  static std::int64_t number(const std::string &option, const std::string &text, std::string_view expression) {
    const std::string file = option + " " + text;
    const assembly::Line line(file, 1, kNoRequestWords);
    Tokens tokens(line, expression);
    const std::int64_t value = take_number(tokens, NoNames());
    tokens.expect_end();
    return value;
  }

  void set(const std::string &text) {
    const std::string option = "--set";
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail(option, text, "it should be REGISTER=VALUE or coreN.REGISTER=VALUE");
    std::string_view name = std::string_view(text).substr(0, equals);
    const std::optional<unsigned> only = take_core(option, text, name);
    const std::optional<Value> place = find_register(name);
    if (!place) fail(option, text, fmt::format("'{}' is not a register{}", name, did_you_mean(name, register_names())));
    const bool is_special = place->kind == ValueKind::special;
    if (is_special && !isa::pim::is_special(static_cast<unsigned>(place->number)))
      fail(option, text, fmt::format("there is no special register {}", place->number));
    const std::int64_t value = number(option, text, std::string_view(text).substr(equals + 1));
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::uint32_t>::max())
      fail(option, text, fmt::format("{} does not fit into 32 bits", value));
    for (unsigned core = 0; core < parts_.cores.size(); ++core) {
      if (only && *only != core) continue;
      isa::pim::Setting setting;
      setting.core = static_cast<std::uint8_t>(core);
      setting.place = static_cast<std::uint8_t>(place->number + (is_special ? isa::pim::kRegisters : 0));
      setting.value = static_cast<std::uint32_t>(value);
      std::erase_if(parts_.settings, [&](const isa::pim::Setting &old) { return old.core == core && old.place == setting.place; });
      parts_.settings.push_back(setting);
    }
  }

  /// NAME@OFFSET, where NAME may begin with coreN. and a memory's name may have any characters but @, = and +.
  struct Place {
    unsigned core = 0;
    const NamedMemory *memory = nullptr;
    std::uint64_t offset = 0;
  };
  Place place(const std::string &option, const std::string &text, std::string_view rest) const {
    Place found;
    found.core = take_core(option, text, rest).value_or(0);
    const std::size_t at = rest.find('@');
    const std::string_view name = rest.substr(0, at);
    const auto memory = std::ranges::find(memories_, name, &NamedMemory::name);
    if (memory == memories_.end())
      fail(option, text, fmt::format("there is no memory '{}'{}", name, did_you_mean(name, memories_, &NamedMemory::name)));
    found.memory = &*memory;
    if (at == std::string_view::npos) return found;
    const std::int64_t offset = number(option, text, rest.substr(at + 1));
    if (offset < 0) fail(option, text, fmt::format("the offset {} is below 0", offset));
    found.offset = static_cast<std::uint64_t>(offset);
    return found;
  }

  static void check_inside(const std::string &option, const std::string &text, const Place &place, std::uint64_t bytes) {
    if (place.offset > place.memory->bytes || bytes > place.memory->bytes - place.offset) {
      fail(option, text,
           fmt::format("{} bytes from byte {} on pass the end of {}, which has {}", bytes, place.offset, place.memory->name,
                       place.memory->bytes));
    }
  }

  void load(const std::string &text) {
    const std::string option = "--memory";
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals + 1 == text.size()) fail(option, text, "it should be NAME@OFFSET=FILE");
    const std::string file = text.substr(equals + 1);
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(file, error);
    if (error) throw FileError(file + ": " + error.message());
    if (bytes == 0) fail(option, text, "the file is empty");
    const Place to = place(option, text, std::string_view(text).substr(0, equals));
    check_inside(option, text, to, bytes);
    add_tensor(fmt::format("memory {}", tensors_.inputs.size()), Direction::input, to, isa::pim::CopyKind::load, bytes);
    tensors_.inputs.emplace_back(image_.tensors.back().name, file);
  }

  void dump(const std::string &text) {
    const std::string option = "--dump";
    const std::size_t equals = text.find('=');
    if (text == kRegisters) return dump_registers();
    const std::size_t plus = std::string_view(text).substr(0, equals).rfind('+');
    if (equals == std::string::npos || equals + 1 == text.size() || plus == std::string::npos)
      fail(option, text, "it should be NAME@OFFSET+BYTES=FILE, or registers");
    const Place from = place(option, text, std::string_view(text).substr(0, plus));
    const std::int64_t bytes = number(option, text, std::string_view(text).substr(plus + 1, equals - plus - 1));
    if (bytes < 1) fail(option, text, fmt::format("{} bytes cannot be read", bytes));
    check_inside(option, text, from, static_cast<std::uint64_t>(bytes));
    add_tensor(fmt::format("dump {}", tensors_.outputs.size()), Direction::output, from, isa::pim::CopyKind::store,
               static_cast<std::uint64_t>(bytes));
    tensors_.outputs.emplace_back(image_.tensors.back().name, text.substr(equals + 1));
  }

  void dump_registers() {
    for (unsigned core = 0; core < parts_.cores.size(); ++core) {
      const Place none{.core = core};
      add_tensor(registers_tensor(core), Direction::output, none, isa::pim::CopyKind::store_registers, isa::pim::kStoredRegistersBytes);
    }
  }

  /// Adds a tensor, and a copy between it and the core's memory. Bytes of DRAM need no copy.
  void add_tensor(const std::string &name, Direction direction, const Place &place, isa::pim::CopyKind kind, std::uint64_t bytes) {
    Tensor tensor;
    tensor.name = name;
    tensor.direction = direction;
    tensor.shape = {1, 1, 1, static_cast<std::uint32_t>(bytes)};
    tensor.size = bytes;
    if (place.memory != nullptr && place.memory->window) {
      tensor.window = static_cast<std::uint8_t>(*place.memory->window);
      tensor.offset = place.offset;
      check_window(tensor);
    } else {
      tensor.window = static_cast<std::uint8_t>(free_window());
      tensor.offset = window_used_;
      window_used_ += (bytes + kSpacing - 1) / kSpacing * kSpacing;
      isa::pim::Copy copy;
      copy.kind = kind;
      copy.core = static_cast<std::uint8_t>(place.core);
      copy.local = place.memory == nullptr ? 0 : static_cast<std::uint32_t>(place.memory->first + place.offset);
      copy.dram = static_cast<std::uint32_t>(configuration_.dram_first + tensor.window * configuration_.dram_part() + tensor.offset);
      copy.bytes = static_cast<std::uint32_t>(bytes);
      if (window_used_ > configuration_.dram_part()) throw FileError("--memory, --dump: the bytes do not fit into a window");
      // Loads of the request come after those of the program, so that they decide what the memories hold.
      parts_.copies.push_back(copy);
    }
    image_.tensors.push_back(std::move(tensor));
  }

  void check_window(const Tensor &tensor) const {
    const auto window = std::ranges::find(image_.windows, tensor.window, &Window::index);
    if (window == image_.windows.end()) throw FileError(fmt::format("--memory, --dump: the program has no window {}", tensor.window));
    if (tensor.offset + tensor.size > window->size) {
      throw FileError(fmt::format("--memory, --dump: {} bytes from byte {} on pass the end of window {}, which has {}", tensor.size,
                                  tensor.offset, tensor.window, window->size));
    }
  }

  /// The window through which bytes move: the last one that the program does not have.
  [[nodiscard]] unsigned free_window() const {
    for (unsigned window = isa::pim::kWindows; window-- > 0;) {
      if (std::ranges::find(image_.windows, window, &Window::index) == image_.windows.end()) return window;
    }
    throw FileError("--memory, --dump: the program uses all windows, so there is none for these bytes");
  }

  StreamImage &image_;
  const isa::pim::Configuration &configuration_;
  std::vector<NamedMemory> memories_;
  ProgramParts parts_;
  std::uint64_t window_used_ = 0;
  RequestedTensors tensors_;
};

}  // namespace

RequestedTensors add_requests(StreamImage &image, const ProgramFormat::RunRequest &request, const isa::pim::Configuration &configuration,
                              const std::string &file) {
  return Adder(image, configuration, file).add(request);
}

std::string registers_tensor(unsigned core) { return fmt::format("{}{}", kTensorPrefix, core); }
bool is_registers_tensor(const std::string &name) { return name.starts_with(kTensorPrefix); }

std::string registers_text(const std::string &title, std::span<const std::uint8_t> bytes) {
  std::array<std::uint32_t, isa::pim::kStoredRegistersBytes / 4> words{};
  if (bytes.size() < sizeof(words)) return {};
  std::memcpy(words.data(), bytes.data(), sizeof(words));
  std::string text = fmt::format("{}: instruction {}\n", title, words.back());
  for (unsigned i = 0; i < 2 * isa::pim::kRegisters; ++i) {
    if (words[i] == 0) continue;
    const unsigned special = i - isa::pim::kRegisters;
    const isa::EnumValue *name = i < isa::pim::kRegisters ? nullptr : isa::pim::detail::kSpecial.find(special);
    text += fmt::format("  {:<22} {:#010x}  {}\n",
                        i < isa::pim::kRegisters ? fmt::format("r{}", i)
                        : name != nullptr        ? name->name
                                                 : fmt::format("s{}", special),
                        words[i], static_cast<std::int32_t>(words[i]));
  }
  return text;
}

}  // namespace cox::tools::pim
