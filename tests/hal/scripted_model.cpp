// SPDX-License-Identifier: MIT
#include "tests/hal/scripted_model.h"

#include <cstdio>
#include <utility>

namespace cox::board {

ScriptedModel &scripted_model() {
  static ScriptedModel model;
  return model;
}

}  // namespace cox::board

using cox::board::scripted_model;
using cox::board::ScriptedModel;

uint32_t cox_model_abi(void) { return scripted_model().abi; }

cox_model *cox_model_create(const cox_host *host, const char *options, char *error, size_t error_size) {
  ScriptedModel &model = scripted_model();
  model.options = options == nullptr ? "(none)" : options;
  if (model.options == "refuse") {
    std::snprintf(error, error_size, "options: \"refuse\" is refused");
    return nullptr;
  }
  model.host = *host;
  return reinterpret_cast<cox_model *>(&model);
}

void cox_model_destroy(cox_model *) { scripted_model().destroyed = true; }

int cox_model_read(cox_model *, uint64_t now, uint32_t offset, uint32_t size, uint32_t *value) {
  ScriptedModel &model = scripted_model();
  model.times.push_back(now);
  const auto found = model.registers.find(offset);
  if (size != 4 || found == model.registers.end()) return 1;
  *value = found->second;
  return 0;
}

int cox_model_write(cox_model *, uint64_t now, uint32_t offset, uint32_t size, uint32_t value) {
  ScriptedModel &model = scripted_model();
  model.times.push_back(now);
  const auto found = model.registers.find(offset);
  if (size != 4 || found == model.registers.end()) return 1;
  found->second = value;
  return 0;
}

void cox_model_advance(cox_model *, uint64_t now) {
  ScriptedModel &model = scripted_model();
  model.times.push_back(now);
  // An event that an action adds runs in a later call of cox_model_advance(), even if it is due now.
  std::vector<std::function<void()>> due;
  const auto end = model.events.upper_bound(now);
  for (auto event = model.events.begin(); event != end; event = model.events.erase(event)) due.push_back(std::move(event->second));
  for (const std::function<void()> &action : due) action();
}

uint64_t cox_model_next_event(const cox_model *) {
  const ScriptedModel &model = scripted_model();
  return model.events.empty() ? COX_MODEL_NEVER : model.events.begin()->first;
}
