// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstring>

#include "coxswain/isa/pim/table.h"
#include "sim/model/pim/configuration/json_part.h"
#include "sim/model/pim/configuration/names.h"
#include "sim/model/pim/configuration/numbers.h"
#include "sim/model/pim/configuration/settings.h"

namespace cox::model::pim {
namespace {

using isa::pim::Array;
using isa::pim::Configuration;
using isa::pim::Memory;
using isa::pim::MemoryType;
using nlohmann::json;

constexpr std::uint64_t kMostAddress = UINT32_MAX;
constexpr std::uint64_t kMostWidth = 1U << 16;

json parse_json(std::string_view text, std::string_view file) {
  try {
    return json::parse(text, nullptr, true, true);
  } catch (const json::parse_error &error) {
    // error.byte counts the characters that the library has read, including the refused one.
    const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const std::string_view before = text.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t column = at - (before.find_last_of('\n') + 1) + 1;
    const bool ends = at >= text.size();
    throw ConfigurationError(
        fmt::format("{}:{}:{}: this is not JSON{}", file, line, column, ends ? ": it ends before its last value does" : ""));
  } catch (const json::out_of_range &) {
    throw ConfigurationError(fmt::format("{}: a number is too large for any key", file));
  }
}

/// Addresses that a part of the device takes.
struct Range {
  std::string place;  ///< for the beginning of a message
  std::string name;   ///< for the other side's message
  std::uint64_t first = 0, bytes = 0;

  [[nodiscard]] std::uint64_t end() const { return first + bytes; }
};

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  Settings read(const json &document) {
    const JsonPart root(document, file_);
    root.allow({"$schema", "core_cnt", "cores", "local memory list", "local_memory_list", "pim_unit_config", "special register binding",
                "special_register_binding", "simd_unit_config", "timing", "energy"});
    if (root.has({"core_cnt", "cores"}))
      settings_.cores = static_cast<unsigned>(root.number({"core_cnt", "cores"}, 1, isa::pim::kMostCores));
    memories(root);
    for (const JsonPart &part : root.object({"pim_unit_config"})) array(part);
    bindings(root);
    for (const JsonPart &part : root.object({"timing"})) numbers(part, settings_.timing, kTimingNumbers, kLongTimingNumbers);
    for (const JsonPart &part : root.object({"energy"})) numbers(part, settings_.energy, kEnergyNumbers);
    for (const JsonPart &part : root.object({"simd_unit_config"})) simd(part);
    check_overlaps();
    // The reader has named every mistake that it knows by its place. This is for those that it does not know.
    if (const Status status = isa::pim::check(configuration_); !status)
      root.fail(fmt::format("{}: {}, the limit is {}", status.what(), status.value(), status.limit()));
    return settings_;
  }

 private:
  void memories(const JsonPart &root) {
    static constexpr Spellings kList = {"local memory list", "local_memory_list"};
    const bool given = root.has(kList);
    if (given) configuration_.memories_count = 0;
    bool dram = false;
    for (const JsonPart &unnamed : root.list(kList)) {
      const std::string name = unnamed.text({"name"});
      const JsonPart part = unnamed.named(name);
      part.allow({"name", "type", "addressing", "width_byte", "read_width_byte", "write_width_byte"});
      constexpr std::array<std::string_view, 3> kTypes{"sram", "reg_buffer", "dram"};
      if (!part.has({"type"})) part.fail("type", "missing");
      const std::size_t type = part.choice({"type"}, kTypes, 0);
      const std::vector<JsonPart> addressing = part.object({"addressing"});
      if (addressing.empty()) part.fail("addressing", "missing");
      addressing[0].allow({"offset", "size", "offset_byte", "size_byte"});
      if (type == 2) {
        if (dram) part.fail("there is a DRAM already");
        dram = true;
        read_dram(part, addressing[0]);
      } else {
        local_memory(part, addressing[0], name, type == 0 ? MemoryType::sram : MemoryType::reg_buffer);
      }
    }
    if (!given) {
      for (const Memory &memory : configuration_.local_memories())
        ranges_.push_back({file_, std::string(memory.name()), memory.first, memory.bytes});
    }
    if (!dram) ranges_.push_back({file_, "dram", configuration_.dram_first, configuration_.dram_bytes});
  }

  void read_dram(const JsonPart &part, const JsonPart &addressing) {
    configuration_.dram_first = static_cast<std::uint32_t>(addressing.number({"offset", "offset_byte"}, 0, kMostAddress));
    configuration_.dram_bytes = addressing.number({"size", "size_byte"}, 0, kMostAddress + 1);
    if (configuration_.dram_bytes % isa::pim::kWindows != 0)
      addressing.fail(fmt::format("size {} is not a multiple of {}, the number of windows", configuration_.dram_bytes, isa::pim::kWindows));
    if (part.has({"width_byte"}) || part.has({"read_width_byte"}) || part.has({"write_width_byte"}))
      part.fail("a DRAM has no width here; timing has its bytes a cycle");
    add_range({part.place(), "dram", configuration_.dram_first, configuration_.dram_bytes});
  }

  void local_memory(const JsonPart &part, const JsonPart &addressing, std::string_view name, MemoryType type) {
    if (configuration_.memories_count == isa::pim::kMostMemories)
      part.fail(fmt::format("a core has at most {} local memories", isa::pim::kMostMemories));
    if (name.empty() || name.size() > Memory::kMostNameBytes)
      part.fail("name", fmt::format("must have 1 to {} bytes", Memory::kMostNameBytes));
    // The name is a word of `cox run --memory NAME@ADDRESS=FILE`.
    if (name.find_first_of("@=+") != std::string_view::npos) part.fail("name", "must not have @, = or +");
    if (name == kArrayName || name == kDramName || name == kRegistersName) part.fail("name", "is a name of another part of the core");
    for (const Memory &other : configuration_.local_memories()) {
      if (other.name() == name) part.fail("name", "is the name of another memory, too");
    }
    Memory memory;
    std::copy(name.begin(), name.end(), memory.name_bytes.begin());
    memory.type = type;
    memory.first = static_cast<std::uint32_t>(addressing.number({"offset", "offset_byte"}, 0, kMostAddress));
    memory.bytes = static_cast<std::uint32_t>(addressing.number({"size", "size_byte"}, 1, kMostAddress));
    memory.read_width = memory.write_width = kDefaultWidth;
    if (part.has({"width_byte"}) && (part.has({"read_width_byte"}) || part.has({"write_width_byte"})))
      part.fail("width_byte", "stands for read_width_byte and write_width_byte; leave it out or them");
    part.read_number({"width_byte", "read_width_byte"}, memory.read_width, 1, kMostWidth);
    part.read_number({"width_byte", "write_width_byte"}, memory.write_width, 1, kMostWidth);
    configuration_.memories[configuration_.memories_count++] = memory;
    add_range({part.place(), std::string(name), memory.first, memory.bytes});
  }

  void array(const JsonPart &part) {
    Array &array = configuration_.array;
    part.allow({"macro_total_cnt", "macro_group_size_configurable_values", "macro_group_size", "macro_size", "sram", "address_space"});
    part.read_number({"macro_total_cnt"}, array.macros, 1, 1024);
    for (const JsonPart &size : part.object({"macro_size"})) {
      size.allow({"compartment_cnt_per_macro", "element_cnt_per_compartment", "row_cnt_per_element", "bit_width_per_row"});
      size.read_number({"compartment_cnt_per_macro"}, array.compartments, 1, 64);
      size.read_number({"element_cnt_per_compartment"}, array.elements, 1, 16);
      size.read_number({"row_cnt_per_element"}, array.rows, 1, 1024);
      size.read_number({"bit_width_per_row"}, array.bits, 8, 8);
    }
    group_sizes(part);
    for (const JsonPart &sram : part.object({"sram"})) {
      sram.allow({"as_mode"});
      array.order = static_cast<isa::pim::ArrayOrder>(sram.choice({"as_mode"}, kArrayOrders, static_cast<std::size_t>(array.order)));
    }
    for (const JsonPart &space : part.object({"address_space"})) {
      space.allow({"offset", "size", "offset_byte", "size_byte"});
      array.first = static_cast<std::uint32_t>(space.number({"offset_byte", "offset"}, 0, kMostAddress));
      std::uint64_t size = array.bytes();
      space.read_number({"size_byte", "size"}, size, 1, kMostAddress);
      if (size != array.bytes()) {
        space.fail("size_byte", fmt::format("{}, but {} macros of {} compartments, {} rows and {} elements of {} bits take {}", size,
                                            array.macros, array.compartments, array.rows, array.elements, array.bits, array.bytes()));
      }
    }
    array_place_ = part.place();
  }

  void group_sizes(const JsonPart &part) {
    Array &array = configuration_.array;
    constexpr const char *kSizes = "macro_group_size_configurable_values";
    const char *key = kSizes;
    if (const json *one = part.find({"macro_group_size"}, key)) {
      if (part.has({kSizes})) part.fail("macro_group_size", fmt::format("\"{}\" says the same", kSizes));
      array.group_sizes_count = 1;
      array.group_sizes[0] = static_cast<std::uint32_t>(part.checked(key, *one, 1, array.macros));
    } else if (const json *list = part.find({kSizes}, key)) {
      if (!list->is_array() || list->empty() || list->size() > isa::pim::kMostGroupSizes)
        part.fail(key, fmt::format("must be a list of 1 to {} sizes, the first being the one of addresses", isa::pim::kMostGroupSizes));
      array.group_sizes_count = 0;
      for (const json &size : *list) {
        const auto macros =
            static_cast<std::uint32_t>(part.checked(fmt::format("{}[{}]", key, array.group_sizes_count), size, 1, array.macros));
        if (array.has_group_size(macros)) part.fail(key, fmt::format("{} is in the list twice", macros));
        array.group_sizes[array.group_sizes_count++] = macros;
      }
    }
    for (const std::uint32_t size : std::span(array.group_sizes).first(array.group_sizes_count)) {
      if (array.macros % size != 0)
        part.fail(key, fmt::format("groups of {} macros do not divide {} macros (macro_total_cnt)", size, array.macros));
    }
  }

  void bindings(const JsonPart &root) {
    static constexpr Spellings kList = {"special register binding", "special_register_binding"};
    if (root.has(kList)) configuration_.bound.fill(isa::pim::kUnbound);
    for (const JsonPart &part : root.list(kList)) {
      part.allow({"special", "general"});
      const auto special = special_register(part);
      const auto general = static_cast<std::uint8_t>(part.number({"general"}, 0, isa::pim::kRegisters - 1));
      if (configuration_.bound[special] != isa::pim::kUnbound) part.fail("special", fmt::format("{} is bound already", special));
      const auto taken = std::ranges::find(configuration_.bound, general);
      if (taken != configuration_.bound.end()) {
        part.fail("general",
                  fmt::format("register {} is bound to special register {} already", general, taken - configuration_.bound.begin()));
      }
      configuration_.bound[special] = general;
    }
  }

  static unsigned special_register(const JsonPart &part) {
    const char *key = "special";
    const json *value = part.find({"special"}, key);
    if (value == nullptr) part.fail(key, "missing");
    const std::span<const isa::EnumValue> names = isa::pim::detail::kSpecialValues;
    if (value->is_string()) {
      const auto typed = value->get<std::string>();
      for (const isa::EnumValue &name : names) {
        if (typed == name.name) return static_cast<unsigned>(name.value);
      }
      std::vector<std::string_view> all;
      for (const isa::EnumValue &name : names) all.emplace_back(name.name);
      part.fail(key, fmt::format("there is no special register \"{}\"{}", typed, near_name(typed, all)));
    }
    const auto number = static_cast<unsigned>(part.checked(key, *value, 0, isa::pim::kRegisters - 1));
    if (!isa::pim::is_special(number))
      part.fail(key, fmt::format("there is no special register {}; there are 0 to 8 and 16 to 20", number));
    return number;
  }

  void simd(const JsonPart &part) {
    part.allow({"instruction_list"});
    for (const JsonPart &row : part.list({"instruction_list"})) {
      row.allow({"name", "opcode", "input_cnt", "input1_type", "input2_type", "input3_type", "input4_type"});
      isa::pim::SimdForm &form = simd_form(row);
      for (unsigned i = 0; i < isa::pim::kMostSimdInputs; ++i) {
        const std::string key = fmt::format("input{}_type", i + 1);
        if (!row.has({key.c_str()})) continue;
        if (i >= form.inputs) row.fail(key, fmt::format("the operation has {} inputs", unsigned{form.inputs}));
        const bool block = form.kinds[i] == isa::pim::SimdKind::block;
        const auto kind = static_cast<isa::pim::SimdKind>(row.choice({key.c_str()}, kSimdKinds, 0));
        if (block != (kind == isa::pim::SimdKind::block))
          row.fail(key, block ? "is a block of numbers, and stays one" : "must be \"vector\" or \"scalar\"");
        form.kinds[i] = kind;
      }
    }
  }

  isa::pim::SimdForm &simd_form(const JsonPart &row) {
    const auto opcode = row.number({"opcode"}, 0, 255);
    const auto inputs = row.number({"input_cnt"}, 1, isa::pim::kMostSimdInputs);
    std::string counts;
    for (isa::pim::SimdForm &form : configuration_.simd) {
      if (form.opcode != opcode) continue;
      if (form.inputs == inputs) return form;
      counts += fmt::format("{}{}", counts.empty() ? "" : " or ", unsigned{form.inputs});
    }
    if (counts.empty()) row.fail("opcode", fmt::format("no operation has opcode {:#04x}", opcode));
    row.fail("input_cnt", fmt::format("operation {:#04x} has {} inputs, not {}", opcode, counts, inputs));
  }

  template <typename Owner, typename... Tables>
  static void numbers(const JsonPart &part, Owner &owner, const Tables &...tables) {
    std::vector<std::string_view> keys;
    const auto add_keys = [&keys](const auto &table) {
      for (const auto &row : table) keys.emplace_back(row.name);
    };
    const auto read = [&part, &owner](const auto &table) {
      for (const auto &row : table) part.read_number({row.name}, owner.*(row.member), row.minimum, row.maximum);
    };
    (add_keys(tables), ...);
    part.allow(keys);
    (read(tables), ...);
  }

  void add_range(Range range) {
    if (range.end() > kMostAddress + 1)
      throw ConfigurationError(fmt::format("{}: addressing: {} bytes from {:#x} pass the end of the addresses, {:#x}", range.place,
                                           range.bytes, range.first, kMostAddress + 1));
    ranges_.push_back(std::move(range));
  }

  void check_overlaps() {
    const Array &array = configuration_.array;
    const bool given = !array_place_.empty();
    Range its_range{given ? array_place_ : file_, std::string(kArrayName), array.first, array.bytes()};
    if (given) {
      add_range(std::move(its_range));
    } else {
      ranges_.insert(ranges_.begin(), std::move(its_range));
    }
    // Parts that the file does not give have no place of their own, so they come first and the message is about the other.
    std::stable_partition(ranges_.begin(), ranges_.end(), [this](const Range &range) { return range.place == file_; });
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (ranges_[i].first < ranges_[j].end() && ranges_[j].first < ranges_[i].end()) overlap(ranges_[i], ranges_[j]);
      }
    }
  }

  [[noreturn]] void overlap(const Range &range, const Range &other) const {
    // The first address from which the range overlaps nothing, if there is one.
    std::uint64_t free = range.first;
    for (bool moved = true; moved;) {
      moved = false;
      for (const Range &taken : ranges_) {
        if (&taken == &range || free >= taken.end() || taken.first >= free + range.bytes) continue;
        free = taken.end();
        moved = true;
      }
    }
    const std::string mend = free + range.bytes <= kMostAddress + 1 ? fmt::format("; {} is free (0x{:x})", free, free) : std::string();
    throw ConfigurationError(fmt::format("{}: addresses {:#x} to {:#x} overlap \"{}\" ({:#x} to {:#x}){}", range.place, range.first,
                                         range.end() - 1, other.name, other.first, other.end() - 1, mend));
  }

  std::string file_;
  Settings settings_;
  Configuration &configuration_ = settings_.configuration;
  std::vector<Range> ranges_;
  std::string array_place_;  ///< empty: the file does not describe the array
};

}  // namespace

std::optional<Settings> parse_settings(std::string_view text, std::string_view file, std::string &error) {
  error.clear();
  try {
    return Reader(file).read(parse_json(text, file));
  } catch (const ConfigurationError &mistake) {
    error = mistake.what();
    return std::nullopt;
  }
}

Settings settings_of(std::string_view text, std::optional<unsigned> cores) {
  Settings settings;
  std::string error;
  if (!text.empty()) settings = parse_settings(text, "", error).value();
  settings.cores = cores.value_or(settings.cores.value_or(kDefaultCores));
  return settings;
}

}  // namespace cox::model::pim
