// SPDX-License-Identifier: MIT
// Runs tasks that the verifier accepts through the firmware on the model, with the fast path and with the reference. There may be no fault,
// no time-out and no difference between the two. Tasks that the verifier refuses are ignored.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/operation.h"
#include "tests/fuzz/machine_run.h"
#include "tests/fuzz/seal.h"
#include "tests/fuzz/task_mutator.h"

namespace {

namespace image = cox::firmware::image;
namespace job = cox::firmware::job;
namespace tile = cox::isa::tile;

/// A task runs only if its work is less than this limit. The reference would take too long for more.
constexpr double kMostWork = 3e6;

double work_of(const tile::Operation &operation) {
  double work = static_cast<double>(cox::isa::tile::multiply_accumulates(operation));
  if (const auto *vector = std::get_if<tile::Vector>(&operation)) {
    work += 1.0 * vector->channels * vector->height * vector->width * vector->kernel_height * vector->kernel_width;
  }
  const tile::Footprint footprint = cox::isa::tile::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) work += static_cast<double>(footprint.accesses[i].bytes());
  return work;
}

bool is_small(std::span<const tile::MachineCode> instructions) {
  std::vector<tile::Configuration> configurations(tile::kMostCores);
  double work = 0;
  for (const tile::MachineCode &code : instructions) {
    tile::Configuration &configuration = configurations[tile::core_of(code)];
    if (!configuration.apply(code)) return false;
    const cox::Result<tile::Operation> operation = tile::resolve(code, configuration);
    if (operation) work += work_of(operation.value());
  }
  return work < kMostWork;
}

struct Outcome {
  std::uint64_t end_cycle = 0;
  std::vector<std::byte> windows;
};

void fill(std::span<std::byte> bytes) {
  std::minstd_rand random(1);
  for (std::byte &byte : bytes) byte = static_cast<std::byte>(random() >> 8);
}

std::optional<Outcome> run(std::span<const std::byte> bytes, const image::LoadedTask &task, const char *path) {
  cox::fuzz::MachineRun machine(std::string(R"({"geometry": {"tile_cores": 4}, "hazards": true, "path": ")") + path + "\"}");
  job::Request load;
  if (!machine.place_load(bytes, 0, load)) return std::nullopt;
  job::Request job{};
  job.kind = job::Kind::run;
  job.time_limit_us = UINT32_MAX;
  for (unsigned i = 0; i < job::kWindows; ++i) {
    if (task.windows()[i].size == 0) continue;
    job.windows[i] = {machine.reserve(task.windows()[i].size), task.windows()[i].size};
    if (job.windows[i].address == 0) return std::nullopt;
    fill(machine.at(job.windows[i].address, job.windows[i].size));
  }
  machine.submit(load);
  machine.submit(job);
  if (!machine.boot()) std::abort();
  for (std::size_t i = 0; i < 2; ++i) {
    const job::Outcome &done = machine.outcome(i);
    if (done.error == 0) continue;
    std::fprintf(stderr, "job %zu: %s %s, instruction %d, %lld, %lld\n", i, cox::error_name(static_cast<cox::ErrorCode>(done.error)),
                 done.error_what, done.error_index, static_cast<long long>(done.error_value), static_cast<long long>(done.error_limit));
    std::abort();
  }
  Outcome outcome{machine.outcome(1).end_cycle - machine.outcome(1).start_cycle, {}};
  for (const job::Window &window : job.windows) {
    if (window.size == 0) continue;
    const std::span<const std::byte> contents = machine.at(window.address, window.size);
    outcome.windows.insert(outcome.windows.end(), contents.begin(), contents.end());
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const cox::fuzz::Image bytes(data, size);
  cox::fuzz::seal(bytes.bytes());
  const cox::Result<std::size_t> needed = image::workspace_bytes(bytes.bytes());
  if (!needed) return 0;
  std::vector<std::uint64_t> workspace(needed.value() / sizeof(std::uint64_t) + 1);
  image::DeviceGeometry geometry = image::reference_geometry();
  geometry.cores = tile::kMostCores;
  const cox::Result<image::LoadedTask> task = image::load(bytes.bytes(), geometry, std::as_writable_bytes(std::span(workspace)));
  if (!task || !is_small(task.value().instructions())) return 0;
  const std::optional<Outcome> fast = run(bytes.bytes(), task.value(), "fast");
  if (!fast) return 0;
  const std::optional<Outcome> reference = run(bytes.bytes(), task.value(), "reference");
  if (fast->end_cycle != reference->end_cycle || fast->windows != reference->windows) {
    std::fprintf(stderr, "fast path and reference differ\n");
    std::abort();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size, std::size_t most, unsigned seed) {
  const std::size_t mutated = seed % 16 == 0 ? 0 : cox::fuzz::mutate_task(data, size, seed);
  return mutated != 0 ? mutated : LLVMFuzzerMutate(data, size, most);
}
