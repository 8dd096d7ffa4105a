// SPDX-License-Identifier: MIT
#include "tools/run/boards/board_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <list>
#include <optional>
#include <vector>

#include "tools/file/file.h"
#include "tools/json/object.h"
#include "tools/json/parse.h"

namespace cox::tools::run {
namespace {

constexpr std::uint64_t kDramUnit = std::uint64_t{1} << 20, kAddresses = std::uint64_t{1} << 32;
constexpr unsigned kNvicInterrupts = 480;

/// One object of a board.json, whose numbers may be texts in hexadecimal.
class BoardObject : public JsonObject {
 public:
  BoardObject(const nlohmann::json &value, const std::string &place, std::initializer_list<std::string_view> required,
              std::initializer_list<std::string_view> optional = {})
      : JsonObject(value, place), place_(place) {
    std::vector<std::string_view> known(required);
    known.insert(known.end(), optional);
    for (const auto &[key, ignored] : value.items()) {
      if (std::ranges::find(known, key) == known.end()) fail(key, "no such field" + did_you_mean(key, known));
    }
    for (const std::string_view key : required) static_cast<void>(at(std::string(key).c_str()));
  }

  [[nodiscard]] BoardObject object(const char *key, std::initializer_list<std::string_view> required,
                                   std::initializer_list<std::string_view> optional = {}) const {
    return {at(key), place_ + ": " + key, required, optional};
  }

  [[nodiscard]] std::uint64_t quantity(const char *key) const {
    const nlohmann::json &value = at(key);
    std::uint64_t number = 0;
    bool good = value.is_number_unsigned();
    if (good) number = value.get<std::uint64_t>();
    if (value.is_string()) {
      const auto &text = value.get_ref<const std::string &>();
      const char *end = text.data() + text.size();
      good = (text.starts_with("0x") || text.starts_with("0X")) && std::from_chars(text.data() + 2, end, number, 16).ptr == end;
    }
    if (!good) fail(key, value.dump() + R"( is neither a number nor a hexadecimal one as a text, such as "0x20000000")");
    if (number >= kAddresses) fail(key, fmt::format("{:#x} is more than 32 bits hold", number));
    return number;
  }

 private:
  std::string place_;
};

struct Region {
  std::string place;
  std::uint64_t base, bytes;

  [[nodiscard]] std::string text() const { return fmt::format("{} (0x{:08x} to 0x{:08x})", place, base, base + bytes - 1); }
};

/// The regions and interrupts of a board.json.
class Regions {
 public:
  Regions(std::string file, std::uint64_t interrupts) : file_(std::move(file)), interrupts_(interrupts) {}

  void add(const std::string &place, std::uint64_t base, std::uint64_t bytes) {
    const Region added{place, base, bytes};
    if (bytes == 0) throw FileError(fmt::format("{}: {}: it has no bytes", file_, place));
    if (base + bytes > kAddresses) throw FileError(fmt::format("{}: {}: it ends above the 32 bits of addresses", file_, added.text()));
    for (const Region &other : all_) {
      if (base < other.base + other.bytes && other.base < base + bytes) {
        throw FileError(fmt::format("{}: {} overlaps {}; move one of them", file_, added.text(), other.text()));
      }
    }
    all_.push_back(added);
  }
  void add(const std::string &place, const BoardObject &object) { add(place, object.quantity("base"), object.quantity("size")); }

  void check_interrupt(const BoardObject &object, const char *key) const {
    if (const std::uint64_t number = object.quantity(key); number >= interrupts_) {
      object.fail(key, fmt::format("{} is none of the {} interrupts of the NVIC", number, interrupts_));
    }
  }

 private:
  std::string file_;
  std::uint64_t interrupts_;
  std::vector<Region> all_;
};

/// Returns the address of a memory on the bus.
std::uint64_t bus_base(const BoardObject &memory) { return memory.quantity(memory.has("bus") ? "bus" : "base"); }

void check_devices(const BoardObject &board, Regions &regions) {
  const BoardObject devices = board.object("devices", {"uart", "accelerator"}, {"probe", "watchdog", "mailbox", "dma"});
  for (const char *name : {"probe", "watchdog"}) {
    if (devices.has(name)) regions.add(name, devices.object(name, {"base", "size"}));
  }
  for (const char *name : {"uart", "mailbox", "dma"}) {
    if (!devices.has(name)) continue;
    const BoardObject device = devices.object(name, {"base", "size", "interrupt"});
    regions.add(name, device);
    regions.check_interrupt(device, "interrupt");
  }
  const BoardObject accelerator = devices.object("accelerator", {"base", "size", "completion_interrupt", "fault_interrupt"});
  regions.add("accelerator", accelerator);
  regions.check_interrupt(accelerator, "completion_interrupt");
  regions.check_interrupt(accelerator, "fault_interrupt");
  if (!board.has("peripherals")) return;
  const nlohmann::json &peripherals = board.at("peripherals");
  if (!peripherals.is_object()) board.fail("peripherals", "must be an object");
  for (const auto &[name, value] : peripherals.items()) {
    const BoardObject device(value, "peripherals: " + name, {"base", "size"}, {"interrupt"});
    regions.add(name, device);
    if (device.has("interrupt")) regions.check_interrupt(device, "interrupt");
  }
}

}  // namespace

BoardMap parse_board_map(std::string_view text, const std::string &file) {
  const std::span bytes(reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
  const nlohmann::json document = parse_json(bytes, file);
  const BoardObject board(document, file, {"description", "memory", "sram_layout", "devices", "clocks", "interrupts"},
                          {"$schema", "machine", "peripherals", "stream_jobs", "model_options"});
  Regions regions(file, board.number("interrupts", 1, kNvicInterrupts)), on_bus(file, 0);
  const BoardObject memory = board.object("memory", {"code", "sram", "l2", "dram"});
  for (const char *name : {"code", "sram"}) {
    const BoardObject region = memory.object(name, {"base", "size"}, {"bus"});
    regions.add(name, region);
    on_bus.add(std::string("on the bus, ") + name, bus_base(region), region.quantity("size"));
  }
  const BoardObject l2 = memory.object("l2", {"base", "stride", "cores"});
  regions.add("l2", l2.quantity("base"), l2.quantity("stride") * l2.quantity("cores"));
  const BoardObject dram = memory.object("dram", {"base", "min", "default", "max"}, {"bus"});
  regions.add("dram", dram.quantity("base"), dram.quantity("max"));
  on_bus.add("on the bus, dram", bus_base(dram), dram.quantity("max"));
  check_devices(board, regions);

  BoardMap map;
  map.dram_base = bus_base(dram);
  map.dram_default_bytes = dram.quantity("default");
  map.dram_largest_bytes = dram.quantity("max");
  for (const char *name : {"min", "default", "max"}) {
    if (dram.quantity(name) % kDramUnit != 0) dram.fail(name, "must be whole MiB");
  }
  if (dram.quantity("min") > map.dram_default_bytes || map.dram_default_bytes > map.dram_largest_bytes) {
    dram.fail("default", "min, default and max must be in ascending order");
  }
  if (board.has("machine")) map.machine = board.text("machine");
  map.model_options = "{}";
  if (board.has("model_options")) {
    if (!board.at("model_options").is_object()) board.fail("model_options", "must be an object (docs/model.md)");
    map.model_options = board.at("model_options").dump();
  }
  return map;
}

const BoardMap &read_board_map(const std::string &path) {
  namespace fs = std::filesystem;
  static std::list<BoardMap> read;  // the maps' users keep their addresses
  std::error_code ignored;
  const fs::path file = fs::is_directory(path, ignored) ? fs::path(path) / "board.json" : fs::path(path);
  if (!fs::exists(file, ignored)) {
    throw FileError(fmt::format("{}: the file does not exist; the folder of a board has its memory map in board.json", file.string()));
  }
  const std::vector<std::uint8_t> bytes = read_file(file.string());
  BoardMap map = parse_board_map({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, file.string());
  map.file = fs::absolute(file).lexically_normal().string();
  map.name = fs::path(map.file).parent_path().filename().string();
  return read.emplace_back(std::move(map));
}

std::span<const BoardMap *const> board_maps() {
  static const std::vector<BoardMap> kMaps = [] {
    std::vector<BoardMap> maps;
    for (const BoardText &board : board_texts()) {
      maps.push_back(parse_board_map(board.text, std::string(board.name) + "/board.json"));
      maps.back().name = board.name;
    }
    return maps;
  }();
  static const std::vector<const BoardMap *> kPointers = [] {
    std::vector<const BoardMap *> pointers;
    for (const BoardMap &map : kMaps) pointers.push_back(&map);
    return pointers;
  }();
  return kPointers;
}

const BoardMap *board_map(std::string_view name) {
  for (const BoardMap *map : board_maps()) {
    if (map->name == name) return map;
  }
  return nullptr;
}

}  // namespace cox::tools::run
