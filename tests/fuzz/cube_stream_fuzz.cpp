// SPDX-License-Identifier: MIT
// Runs any bytes as a stream of the matrix unit. The device must stop at the first instruction that isa/cube refuses or at which the hazard
// detector reports a deadlock. A stream without hazards must leave the same memory as the reference arithmetic, which executes its
// instructions in program order.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "sim/model/cube/arithmetic/execute.h"
#include "sim/model/cube/hazard/detector.h"
#include "tests/fuzz/cube_slots.h"
#include "tests/sim/cube/engine/machine.h"
#include "tools/cube/assemble.h"
#include "tools/cube/disassemble.h"

namespace cox {
namespace {

using model::cube::Analysis;
using model::cube::FindingKind;
using test::CubeMachine;

constexpr std::size_t kMostSlots = 96;
constexpr isa::Window kWindow{CubeMachine::kWindow, CubeMachine::kWindowBytes, true, true};
// The largest number of multiplications in a stream that runs, and in a stream whose results are compared.
constexpr std::uint64_t kMostProducts = 50'000'000, kMostCompared = 2'000'000;

void require(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::vector<std::byte> pattern() {
  std::vector<std::byte> bytes(CubeMachine::kWindowBytes);
  std::uint32_t state = 1;
  for (std::byte &byte : bytes) byte = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

/// The result of executing the slots in program order, up to the first refused one.
struct Expected {
  std::int32_t refused = -1;
  bool hazard = false;
  std::uint64_t products = 0;
  std::vector<isa::cube::Operation> operations;
};

Expected expect(std::span<const isa::cube::MachineCode> codes) {
  const Analysis analysis = model::cube::analyse(std::as_bytes(codes));
  Expected expected;
  std::int32_t refused = analysis.refusal.ok() ? static_cast<std::int32_t>(codes.size()) : analysis.refusal.index();
  for (const model::cube::Finding &finding : analysis.findings) {
    require(!finding.text().empty(), "a finding without a text");
    if (finding.kind == FindingKind::deadlock || finding.kind == FindingKind::flag_overflow)
      refused = std::min(refused, finding.later.instruction);
  }
  isa::cube::Configuration configuration;
  std::int32_t i = 0;
  for (; i < refused; ++i) {
    const isa::cube::Operation operation = isa::cube::resolve(codes[static_cast<std::size_t>(i)], configuration).value();
    configuration.apply(operation);
    if (!isa::cube::check_windows(isa::cube::footprint(operation), std::span(&kWindow, 1))) break;
    if (const auto *mad = std::get_if<isa::cube::Mad>(&operation)) expected.products += std::uint64_t{mad->m} * mad->n * mad->k;
    expected.operations.push_back(operation);
  }
  if (i < static_cast<std::int32_t>(codes.size())) expected.refused = i;
  expected.hazard = std::any_of(analysis.findings.begin(), analysis.findings.end(), [&](const model::cube::Finding &finding) {
    return finding.kind == FindingKind::hazard && finding.later.instruction < i;
  });
  return expected;
}

void run_by_reference(std::span<const isa::cube::Operation> operations, std::span<std::byte> window) {
  static model::cube::Buffers buffers;
  for (auto *buffer : {&buffers.l1, &buffers.l0a, &buffers.l0b, &buffers.l0c, &buffers.bias_table}) {
    std::memset(buffer->data(), 0, buffer->size());
  }
  for (const isa::cube::Operation &operation : operations) {
    std::byte *dram = nullptr;
    const isa::cube::Footprint footprint = isa::cube::footprint(operation);
    for (unsigned i = 0; i < footprint.count; ++i) {
      if (footprint.accesses[i].memory == isa::cube::Memory::dram) dram = &window[footprint.accesses[i].start - CubeMachine::kWindow];
    }
    execute(operation, buffers, dram, model::cube::Path::reference);
  }
}

/// A device that runs one input after another. The unit clears its buffers before a stream of another context. begin() alternates between
/// two contexts, so each input finds cleared buffers.
class Unit {
 public:
  explicit Unit(bool mapped, bool hazards = false) : machine_(hazards ? R"({"hazards": true})" : nullptr, mapped) {
    machine_.open_context(1);
  }

  CubeMachine &begin() {
    context_ = 1 - context_;
    machine_.write(test::r::context::control::offset(context_), 1 | test::r::context::control::kReset.mask());
    machine_.forget_programs();
    machine_.log.clear();
    machine_.interrupts.clear();
    first_ = machine_.engine_completions();
    return machine_;
  }
  [[nodiscard]] unsigned context() const { return context_; }
  [[nodiscard]] std::uint32_t completed() { return machine_.engine_completions() - first_; }
  [[nodiscard]] test::Entry entry(std::uint32_t index) { return machine_.engine_entry(first_ + index); }
  void end() { machine_.write(test::r::cq::head::offset(machine_.row().completion_queue()), machine_.engine_completions()); }

 private:
  CubeMachine machine_;
  unsigned context_ = 0;
  std::uint32_t first_ = 0;
};

/// Cuts the slots into `pieces` streams, joins each to the previous one, and runs them.
void run_on_device(Unit &unit, std::span<const isa::cube::MachineCode> codes, const Expected &expected, std::size_t pieces, bool hazards) {
  static const std::vector<std::byte> kPattern = pattern();
  CubeMachine &machine = unit.begin();
  std::memcpy(machine.find(CubeMachine::kWindow, kPattern.size()), kPattern.data(), kPattern.size());
  const std::size_t piece_slots = (codes.size() + pieces - 1) / pieces;
  std::uint32_t submitted = 0;
  for (std::size_t first = 0; first < codes.size(); first += piece_slots, ++submitted) {
    const auto piece = codes.subspan(first, std::min(piece_slots, codes.size() - first));
    machine.submit(machine.stream(piece, unit.context(), first + piece.size() < codes.size()));
  }
  machine.run();
  require(unit.completed() == submitted, "a stream did not complete");

  for (std::uint32_t i = 0; i < submitted; ++i) {
    const test::Entry entry = unit.entry(i);
    const auto first = static_cast<std::int32_t>(i * piece_slots), end = first + static_cast<std::int32_t>(piece_slots);
    if (expected.refused < 0 || expected.refused >= end) {
      require(entry.status == test::FaultCode::none, "the device refuses what is right");
    } else if (expected.refused >= first) {
      require(entry.status != test::FaultCode::none && entry.status != test::FaultCode::aborted, "the device runs what is refused");
      const auto offset = static_cast<std::uint32_t>(expected.refused - first) * static_cast<std::uint32_t>(isa::cube::kSlotBytes);
      require(registers::EngineFaultDetail::unpack(entry.detail).offset == offset, "the device stops somewhere else");
    } else {
      require(entry.status == test::FaultCode::aborted, "the device goes on after a fault");
    }
  }
  unit.end();
  const auto tells_of_hazard = [](const std::string &line) { return line.find("hazard: ") != std::string::npos; };
  const bool told = std::any_of(machine.log.begin(), machine.log.end(), tells_of_hazard);
  require(told == (hazards && expected.hazard), "the device and the detector do not agree on hazards");
  if (expected.hazard || expected.products > kMostCompared) return;

  static std::vector<std::byte> window;
  window = kPattern;
  run_by_reference(expected.operations, window);
  require(std::memcmp(window.data(), machine.find(CubeMachine::kWindow, window.size()), window.size()) == 0,
          "other bytes than one after another");
}

void run_on_device(std::span<const isa::cube::MachineCode> codes, const Expected &expected, unsigned manner) {
  const std::size_t pieces = 1 + manner % 3;
  const bool mapped = manner / 4 % 2 == 0;
  if (manner / 8 == 0) {
    // A device with the hazard observer serves only one input, because the observer's memory grows with each input.
    Unit unit(mapped, true);
    return run_on_device(unit, codes, expected, pieces, true);
  }
  static Unit units[] = {Unit(false), Unit(true)};
  run_on_device(units[mapped ? 1 : 0], codes, expected, pieces, false);
}

void run_through_text(std::span<const isa::cube::MachineCode> codes) {
  std::size_t good = 0;
  while (good < codes.size() && isa::cube::check(codes[good]).ok()) ++good;
  if (good == 0) return;
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t *>(codes.data()), good * isa::cube::kSlotBytes);
  const std::vector<std::uint8_t> again = tools::cube::assemble(tools::cube::disassemble(bytes, "stream"), "text");
  require(again.size() == bytes.size() && std::memcmp(again.data(), bytes.data(), bytes.size()) == 0, "the text is of another stream");
}

}  // namespace
}  // namespace cox

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  using namespace cox;
  if (size < 1 + isa::cube::kSlotBytes) return 0;
  const unsigned manner = data[0];
  const std::span<const std::uint8_t> bytes(data + 1, size - 1);
  (void)model::cube::analyse(std::as_bytes(bytes));

  std::vector<isa::cube::MachineCode> codes(std::min(bytes.size() / isa::cube::kSlotBytes, kMostSlots));
  std::memcpy(codes.data(), bytes.data(), codes.size() * isa::cube::kSlotBytes);
  fuzz::CubeSlots slots(kWindow);
  if (manner % 2 == 0) {
    for (isa::cube::MachineCode &code : codes) code = slots.shape(code);
  }
  run_through_text(codes);
  const Expected expected = expect(codes);
  if (expected.products <= kMostProducts) run_on_device(codes, expected, manner / 2);
  return 0;
}
