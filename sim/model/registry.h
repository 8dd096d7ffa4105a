// SPDX-License-Identifier: MIT
// The engines that a library of the model has. The build generates the list from the rows of device/engines.h (docs/design.md, Engines in
// the model).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "coxswain/device/engines.h"
#include "sim/model/engine.h"
#include "sim/model/hazard/order.h"
#include "sim/model/host.h"
#include "sim/model/inventory.h"
#include "sim/model/options.h"
#include "sim/model/parameter.h"

namespace cox::model {

struct Surroundings;

/// How the model makes and describes one engine. Each engine's make.h declares one, `kKind`, in the engine's namespace.
struct EngineKind {
  registers::Engine id;
  std::span<const Parameter> parameters;  ///< the engine's parameters in the option `geometry`
  std::unique_ptr<Engine> (*make)(const Surroundings &surroundings, const Options &options);
  // The next three members are set only if the units of the engine are cores.
  std::span<const char *const> queues{};  ///< names of a core's submission queues
  const char *cores_parameter = nullptr;  ///< name of the parameter that is the number of cores
  /// Sets the members of `inventory` about cores.
  void (*describe)(const ParameterValues &parameters, Inventory &inventory) = nullptr;
  /// Creates the object that finds hazards between instructions of this engine. nullptr: the model creates hazard::StreamOrder, which is
  /// for engines that run their instructions one after another.
  std::unique_ptr<hazard::Order> (*make_order)(const Host &host) = nullptr;
  /// Checks the text of the engine's configuration file, which comes from `path`. Returns false and sets `error` to a sentence if it is
  /// wrong. nullptr: the engine has no configuration.
  bool (*check_configuration)(std::string_view text, std::string_view path, std::string &error) = nullptr;
};

/// The engines of this library in the order of their units: first an engine with cores, then those with a ring, by number.
[[nodiscard]] std::span<const EngineKind *const> engine_kinds();

/// Names of a core's submission queues; empty if no engine has cores.
[[nodiscard]] std::span<const char *const> core_queues();

/// Name of the parameter of `geometry` that is the number of cores; empty if no engine has cores.
[[nodiscard]] const char *cores_parameter();

[[nodiscard]] Inventory inventory_of(const ParameterValues &parameters);

}  // namespace cox::model
