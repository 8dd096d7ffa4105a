// SPDX-License-Identifier: MIT
#include "coxswain/firmware/stream/program_loader.h"

#include <algorithm>
#include <bit>

#include "coxswain/device/engine_descriptor.h"
#include "coxswain/device/npu_registers.h"
#include "coxswain/firmware/image/flatbuffer.h"

namespace cox::firmware::stream {

namespace {

/// The FlatBuffer's verifier does not check where the elements of a vector begin.
bool is_aligned(const void *data) { return reinterpret_cast<std::uintptr_t>(data) % alignof(std::uint64_t) == 0; }

}  // namespace

Status ProgramLoader::begin(const image::Program &program, const load::Windows &windows, std::uint32_t engines,
                            std::span<std::byte> workspace) {
  done_ = false;
  engines_ = engines;
  const auto engine = static_cast<registers::Engine>(program.engine());
  const registers::EngineRow *const row = registers::find_engine(engine);
  if (row == nullptr || !row->has_ring()) return {ErrorCode::unsupported, "engine", -1, program.engine(), registers::engine::kCount};
  if ((engines >> row->number() & 1) == 0) return {ErrorCode::unsupported, row->full_name};
  const auto kind = std::find_if(kinds_.begin(), kinds_.end(), [&](const ProgramKind *one) { return one->engine() == engine; });
  if (kind == kinds_.end()) return {ErrorCode::unsupported, "jobs of the engine", -1, program.engine()};

  const std::span code = std::as_bytes(std::span(program.code()->data(), program.code()->size()));
  if (code.empty() || code.size() % registers::kStreamAlignment != 0 || code.size() > registers::kMostStreamBytes ||
      !is_aligned(code.data()))
    return {ErrorCode::image_malformed, "program.code", -1, static_cast<std::int64_t>(code.size()), registers::kMostStreamBytes};
  const std::size_t relocations = program.relocations() == nullptr ? 0 : program.relocations()->size();
  if (relocations > image::kMostRelocations || (relocations != 0 && !is_aligned(program.relocations()->Data())))
    return {ErrorCode::image_malformed, "program.relocations", -1, static_cast<std::int64_t>(relocations), image::kMostRelocations};
  if (reinterpret_cast<std::uintptr_t>(workspace.data()) % image::kStreamWorkspaceAlignment != 0)
    return {ErrorCode::invalid_argument, "workspace"};
  if (const std::size_t needed = image::stream_workspace_bytes(code.size()); workspace.size() < needed)
    return {ErrorCode::no_room, "workspace", -1, static_cast<std::int64_t>(workspace.size()), static_cast<std::int64_t>(needed)};

  program_ = {.kind = *kind, .code = code, .relocations = {}, .workspace = workspace};
  static_assert(sizeof(image::RelocationEntry) == sizeof(image::Relocation));
  if (relocations != 0) program_.relocations = {reinterpret_cast<const image::Relocation *>(program.relocations()->Data()), relocations};
  CheckWindows places{};
  for (unsigned i = 0; i < places.size(); ++i) places[i] = {i * kWindowSpacing, windows[i].size, true, windows[i].writable};
  return program_.kind->begin_check(program_, places);
}

Status ProgramLoader::step(load::Budget &budget) {
  if (Status status = program_.kind->check(budget); !status) return status;
  done_ = program_.kind->is_checked();
  program_.instructions = program_.kind->instructions();
  program_.peers = program_.kind->peers();
  if (const std::uint32_t missing = program_.peers.engines & ~engines_; done_ && missing != 0) {
    done_ = false;
    return {ErrorCode::unsupported, registers::engine_with_ring(static_cast<unsigned>(std::countr_zero(missing)))->full_name};
  }
  return {};
}

}  // namespace cox::firmware::stream
