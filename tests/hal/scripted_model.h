// SPDX-License-Identifier: MIT
// A scripted model behind the C interface: the test gives its actions and their times.
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
  std::multimap<std::uint64_t, std::function<void()>> events;  ///< key: time; an event may add others
  std::map<std::uint32_t, std::uint32_t> registers;            ///< key: offset; an access to any other offset is a bus fault
  std::vector<std::uint64_t> times;  ///< values of `now` in the board's calls: register accesses and cox_model_advance()
  bool destroyed = false;
  std::uint32_t abi = COX_MODEL_ABI;

  void at(std::uint64_t time, std::function<void()> action) { events.emplace(time, std::move(action)); }
  void set_line(std::uint32_t line, bool level) { host.interrupt(host.opaque, line, level ? 1 : 0); }
};

/// The model that cox_model_create() returns. A test resets it.
ScriptedModel &scripted_model();

}  // namespace cox::board
