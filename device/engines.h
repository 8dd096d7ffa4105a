// SPDX-License-Identifier: MIT
// The only list of engines, one row each (docs/design.md, Engines). HAL, console, model, fault plans, event log, tools and documents
// iterate over it. The build reads the rows too, and compiles a registry for each layer from the folders that the rows name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cox::registers {

/// How a program reaches its engine.
enum class Submission : std::uint8_t {
  slots,           ///< each slot of a queue is an instruction: the tile cores' queues, CORE[].SQ[]
  streams,         ///< each slot of a queue describes a stream of instructions (device/engine_descriptor.h)
  joined_streams,  ///< as `streams`, and a stream may be joined to the next one
};

/// Location of an engine's folders. `layers`: one folder in each layer. `tests`: only tests use the engine, and all its folders are under
/// tests/NAME.
enum class Home : std::uint8_t { layers, tests };

// ROW(id, number, short name, full name, submission, home, warnings): `number` is the index in ENGINE[]. It is 255 for tile cores, which
// have no entry in ENGINE[]. Warnings are the names of bits 24 and up of a completion's second word.
// clang-format off
#define COX_ENGINES(ROW) \
  ROW(tile, 255, "TILE", "tile engine", slots, layers) \
  ROW(mx, 0, "MX", "MX engine", streams, layers) \
  ROW(cube, 1, "CUBE", "matrix unit", joined_streams, layers, "a MAD with an m, k or n of 0", "a bias read that wrapped", "flags left at the end") \
  ROW(pim, 2, "PIM", "PIM cores", streams, layers) \
  ROW(unity, 3, "UNITY", "Unity units", streams, layers) \
  ROW(echo, 7, "ECHO", "echo engine", streams, tests) \
  /* the end of the rows */
// clang-format on

/// The value of an engine other than `tile` is its index in ENGINE[].
enum class Engine : std::uint8_t {
#define COX_ENGINE_VALUE(id, number, ...) id = number,
  COX_ENGINES(COX_ENGINE_VALUE)
#undef COX_ENGINE_VALUE
};

inline constexpr unsigned kFirstEngineCompletionQueue = 4;  ///< follows the completion queues of 4 tile cores
/// The queue number of engine 0 in completions and FAULT_STATUS. The numbers 0 to 35 belong to 4 tile cores with 9 queues each.
inline constexpr unsigned kFirstEngineQueueNumber = 36;
inline constexpr unsigned kMostWarnings = 7;

struct EngineRow {
  Engine id;
  std::string_view key;   ///< name of the engine's folder in each layer
  const char *name;       ///< short name, for plans, logs and listings
  const char *full_name;  ///< name for use in sentences
  Submission submission;
  Home home;
  std::array<const char *, kMostWarnings> warnings;  ///< the engine's warnings, then nullptr

  /// True if the engine has a ring of descriptors, ENGINE[number()].
  [[nodiscard]] constexpr bool has_ring() const { return submission != Submission::slots; }
  [[nodiscard]] constexpr unsigned number() const { return static_cast<unsigned>(id); }
  /// Number of the engine's bit in CAPABILITIES.
  [[nodiscard]] constexpr unsigned capability() const { return has_ring() ? 1 + number() : 0; }
  /// The engine's queue number in completions and FAULT_STATUS. Only for an engine that has a ring.
  [[nodiscard]] constexpr unsigned queue_number() const { return kFirstEngineQueueNumber + number(); }
  [[nodiscard]] constexpr unsigned completion_queue() const { return kFirstEngineCompletionQueue + number(); }
};

inline constexpr EngineRow kEngineRows[] = {
#define COX_ENGINE_ROW(id, number, name, full_name, submission, home, ...) \
  {Engine::id, #id, name, full_name, Submission::submission, Home::home, {__VA_ARGS__}},
    COX_ENGINES(COX_ENGINE_ROW)
#undef COX_ENGINE_ROW
};

/// The row of the engine whose ring is ENGINE[number]; nullptr if the table has none.
[[nodiscard]] constexpr const EngineRow *engine_with_ring(unsigned number) {
  for (const EngineRow &row : kEngineRows) {
    if (row.has_ring() && row.number() == number) return &row;
  }
  return nullptr;
}

/// The row with exactly this short name; nullptr if the table has none.
[[nodiscard]] constexpr const EngineRow *find_engine(std::string_view name) {
  for (const EngineRow &row : kEngineRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

/// The row of `engine`; nullptr if the table has none. `engine` may come from a register or a file, so it may have any value.
[[nodiscard]] constexpr const EngineRow *find_engine(Engine engine) {
  for (const EngineRow &row : kEngineRows) {
    if (row.id == engine) return &row;
  }
  return nullptr;
}

[[nodiscard]] constexpr const EngineRow &row_of(Engine engine) {
  for (const EngineRow &row : kEngineRows) {
    if (row.id == engine) return row;
  }
  return kEngineRows[0];
}

/// The row of the tile cores, which have queues of instructions instead of a ring of descriptors.
[[nodiscard]] constexpr const EngineRow &core_engine() {
  for (const EngineRow &row : kEngineRows) {
    if (!row.has_ring()) return row;
  }
  return kEngineRows[0];
}

[[nodiscard]] constexpr const char *engine_name(Engine engine) { return row_of(engine).full_name; }

}  // namespace cox::registers
