// SPDX-License-Identifier: MIT
#include "sim/model/energy_file.h"

#include <nlohmann/json.hpp>

#include "sim/model/engine.h"
#include "sim/model/registry.h"

namespace cox::model {

std::unique_ptr<EnergyFile> EnergyFile::create(const std::string &path) {
  auto energy = std::make_unique<EnergyFile>();
  energy->file_.open(path);
  return energy->file_ ? std::move(energy) : nullptr;
}

bool EnergyFile::close(const Peers &engines) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const EngineKind *kind : engine_kinds()) {
    const Engine *engine = engines.find(kind->id);
    if (engine == nullptr) continue;
    for (const Engine::EnergyPart &part : engine->energy()) all[std::string(registers::row_of(kind->id).key)][part.name] = part.femtojoules;
  }
  file_ << all.dump(2) << '\n';
  file_.close();
  return !file_.fail();
}

}  // namespace cox::model
