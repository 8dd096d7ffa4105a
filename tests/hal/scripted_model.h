// SPDX-License-Identifier: MIT
// A model behind the C interface that does what a test tells it, at the times that the test says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/model/cox_model.h"

namespace cox::board {

struct ScriptedModel {
  cox_host host = {};
  std::string options;
  std::multimap<std::uint64_t, std::function<void()>> events;  ///< by time; an event may add others
  std::map<std::uint32_t, std::uint32_t> registers;            ///< by offset; what is not in here is a bus fault
  std::vector<std::uint64_t> times;                            ///< that the board told, call by call
  bool destroyed = false;
  std::uint32_t abi = COX_MODEL_ABI;

  void at(std::uint64_t time, std::function<void()> action) { events.emplace(time, std::move(action)); }
  void set_line(std::uint32_t line, bool level) { host.interrupt(host.opaque, line, level ? 1 : 0); }
};

/// The one that cox_model_create() hands out; a test resets it.
ScriptedModel &scripted_model();

}  // namespace cox::board
