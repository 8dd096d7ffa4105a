// SPDX-License-Identifier: MIT
#include "coxswain/firmware/load/load.h"

#include "coxswain/firmware/image/flatbuffer.h"
#include "coxswain/firmware/load/geometry.h"
#include "coxswain/isa/tile/configuration.h"

namespace cox::firmware::load {

using image::DeviceGeometry;
using image::Geometry;
using image::Task;

namespace {

Status check_geometry(const Geometry &needed, const DeviceGeometry &geometry) {
  if (needed.l2_bytes() > geometry.l2_bytes) {
    return {ErrorCode::image_geometry, "l2_bytes", -1, needed.l2_bytes(), static_cast<std::int64_t>(geometry.l2_bytes)};
  }
  if (needed.wl0_bytes() > geometry.wl0_bytes) {
    return {ErrorCode::image_geometry, "wl0_bytes", -1, needed.wl0_bytes(), static_cast<std::int64_t>(geometry.wl0_bytes)};
  }
  return check_cores(needed, geometry.cores);
}

std::span<const isa::tile::MachineCode> instructions_of(const Task &task) {
  static_assert(sizeof(image::MachineCode) == sizeof(isa::tile::MachineCode) &&
                alignof(image::MachineCode) == alignof(isa::tile::MachineCode));
  return {reinterpret_cast<const isa::tile::MachineCode *>(task.instructions()->Data()), task.instructions()->size()};
}

}  // namespace

void Load::begin(std::span<const std::byte> image, const DeviceGeometry &geometry, std::span<std::byte> workspace,
                 verify::Deadlock *waiting, ProgramLoad *programs, std::span<std::byte> copy) {
  workspace_ = workspace;
  programs_ = programs;
  has_program_ = false;
  geometry_ = geometry;
  waiting_ = waiting;
  status_ = admitting_.begin(image, copy);
  phase_ = status_.ok() ? Phase::signature : Phase::done;
}

void Load::abandon() {
  admitting_.abandon();
  phase_ = Phase::done;
}

bool Load::step(std::int32_t instructions) {
  Budget budget(instructions);
  while (phase_ != Phase::done && budget.is_left()) {
    status_ = work(budget);
    if (!status_.ok()) phase_ = Phase::done;
  }
  return phase_ != Phase::done;
}

image::LoadedTask Load::task() const {
  if (has_program_) return {&container_.task(), programs_->program(), contents_.windows()};
  return {&container_.task(), instructions_, verifier_.needs(), verifier_.plan(), contents_.windows()};
}

/// Does the work of the phase until the budget is used, or until the next phase begins.
Status Load::work(Budget &budget) {
  switch (phase_) {
    case Phase::signature:
      if (Status status = admitting_.step(budget); !status || !admitting_.done()) return status;
      return begin_container();
    case Phase::container:
      if (Status status = container_.step(budget); !status || !container_.done()) return status;
      return begin_contents();
    case Phase::contents:
      if (Status status = contents_.step(budget); !status || !contents_.done()) return status;
      if (const image::Program *const program = container_.task().program(); program != nullptr) return begin_program(*program);
      return begin_proof();
    case Phase::proof:
      if (Status status = verifier_.step(budget); !status || !verifier_.done()) return status;
      return complete();
    case Phase::program:
      if (Status status = programs_->step(budget); !status || !programs_->done()) return status;
      has_program_ = true;
      return complete();
    case Phase::done: break;
  }
  return {};
}

/// The image is only read from here on, because now its signature is known to be right, or not needed.
Status Load::begin_container() {
  phase_ = Phase::container;
  return container_.begin(admitting_.admission().payload);
}

Status Load::begin_contents() {
  if (Status status = check_geometry(*container_.task().geometry(), geometry_); !status) return status;
  phase_ = Phase::contents;
  return contents_.begin(container_.task());
}

Status Load::begin_proof() {
  const Task &task = container_.task();
  instructions_ = instructions_of(task);
  if (task.mapping() != nullptr && task.mapping()->size() != 0 && task.mapping()->size() != instructions_.size()) {
    return {ErrorCode::image_malformed, "mapping", -1, task.mapping()->size(), static_cast<std::int64_t>(instructions_.size())};
  }
  if (reinterpret_cast<std::uintptr_t>(workspace_.data()) % image::kWorkspaceAlignment != 0) {
    return {ErrorCode::invalid_argument, "workspace"};
  }
  const unsigned cores = cores_of(*task.geometry());
  if (const std::size_t needed = image::workspace_bytes(instructions_.size(), cores); workspace_.size() < needed) {
    return {ErrorCode::no_room, "workspace", -1, static_cast<std::int64_t>(workspace_.size()), static_cast<std::int64_t>(needed)};
  }
  verify::Limits limits;
  for (unsigned i = 0; i < verify::kWindows; ++i) limits.windows[i] = {contents_.windows()[i].size, contents_.windows()[i].writable};
  limits.blocks = {0, static_cast<std::uint32_t>(geometry_.l2_bytes / isa::tile::kBlockBytes) - 1};
  limits.wl0_bytes = geometry_.wl0_bytes;
  limits.cores = cores;
  phase_ = Phase::proof;
  return verifier_.begin(instructions_, limits, workspace_, waiting_);
}

/// Begins the check of a program of an engine that runs streams.
Status Load::begin_program(const image::Program &program) {
  if (programs_ == nullptr) return {ErrorCode::unsupported, "jobs of the engine", -1, program.engine()};
  phase_ = Phase::program;
  return programs_->begin(program, contents_.windows(), geometry_.engines, workspace_);
}

/// The image has passed all checks, so older versions are no longer needed.
Status Load::complete() {
  phase_ = Phase::done;
  SignatureCheck *const check = signature_check();
  return check == nullptr ? Status() : check->accept(admitting_.admission());
}

}  // namespace cox::firmware::load
