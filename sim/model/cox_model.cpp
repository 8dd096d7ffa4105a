// SPDX-License-Identifier: MIT
// The C interface over the device.
#include "sim/model/cox_model.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include "sim/model/device/device.h"
#include "sim/model/energy_file.h"
#include "sim/model/observers/event_log.h"
#include "sim/model/observers/hazard_observer.h"

struct cox_model {
  cox_model(const cox_host &callbacks, const cox::model::Options &options) : host(callbacks), device(host, options) {}

  cox::model::Host host;
  std::unique_ptr<cox::model::EventLog> events;
  std::unique_ptr<cox::model::EnergyFile> energy;
  std::unique_ptr<cox::model::HazardObserver> hazards;
  cox::model::Device device;
};

namespace {

const char *why_not(const cox_host *host) {
  if (host == nullptr) return "there is no host";
  if (host->abi != COX_MODEL_ABI || host->size != sizeof(cox_host)) return "the host is of another version of the interface";
  const bool complete = host->map != nullptr && host->read != nullptr && host->write != nullptr && host->interrupt != nullptr;
  return complete ? nullptr : "a callback of the host is missing";
}

cox_model *refuse(const std::string &reason, char *error, std::size_t error_size) {
  if (error != nullptr && error_size != 0) std::snprintf(error, error_size, "%s", reason.c_str());
  return nullptr;
}

}  // namespace

extern "C" {

std::uint32_t cox_model_abi(void) { return COX_MODEL_ABI; }

cox_model *cox_model_create(const cox_host *host, const char *options, char *error, size_t error_size) {
  if (error != nullptr && error_size != 0) error[0] = '\0';
  if (const char *reason = why_not(host); reason != nullptr) return refuse(reason, error, error_size);
  try {
    std::string reason;
    const std::optional<cox::model::Options> parsed = cox::model::parse_options(options, reason);
    if (!parsed) return refuse(reason, error, error_size);
    auto model = std::make_unique<cox_model>(*host, *parsed);
    const std::span planned(parsed->faults);
    for (const auto &fault : planned.last(parsed->random_faults)) model->host.warning("planned: {}", cox::model::faults::text(fault));
    if (!parsed->events.empty()) {
      model->events = cox::model::EventLog::create(parsed->events);
      if (model->events == nullptr) return refuse("event log '" + parsed->events + "' cannot be written", error, error_size);
      model->device.attach(*model->events);
    }
    if (!parsed->energy.empty()) {
      model->energy = cox::model::EnergyFile::create(parsed->energy);
      if (model->energy == nullptr) return refuse("energy file '" + parsed->energy + "' cannot be written", error, error_size);
    }
    if (parsed->hazards) {
      model->hazards = std::make_unique<cox::model::HazardObserver>(model->host);
      model->device.attach(*model->hazards);
    }
    return model.release();
  } catch (const std::exception &exception) {
    return refuse(exception.what(), error, error_size);
  }
}

void cox_model_destroy(cox_model *model) {
  if (model == nullptr) return;
  if (model->events != nullptr && !model->events->close()) model->host.error("the event log could not be written whole");
  if (model->energy != nullptr && !model->energy->close(model->device.engines()))
    model->host.error("the energy file could not be written whole");
  delete model;
}

void cox_model_reset(cox_model *model, std::uint64_t now) { model->device.reset(now); }

int cox_model_read(cox_model *model, std::uint64_t now, std::uint32_t offset, std::uint32_t size, std::uint32_t *value) {
  return model->device.read(now, offset, size, *value) ? 0 : -1;
}

int cox_model_write(cox_model *model, std::uint64_t now, std::uint32_t offset, std::uint32_t size, std::uint32_t value) {
  return model->device.write(now, offset, size, value) ? 0 : -1;
}

void cox_model_advance(cox_model *model, std::uint64_t now) { model->device.advance(now); }

std::uint64_t cox_model_next_event(const cox_model *model) { return model->device.next_event(); }

std::uint32_t cox_model_cores(const cox_model *model) { return model->device.cores(); }

void *cox_model_l2(cox_model *model, std::uint32_t core, std::uint64_t *size) {
  const std::span<std::byte> l2 = model->device.l2(core);
  if (l2.empty()) return nullptr;
  if (size != nullptr) *size = l2.size();
  return l2.data();
}

}  // extern "C"
