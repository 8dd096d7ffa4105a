// SPDX-License-Identifier: MIT
#include "tools/tflite/unity/unity_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/device/engines.h"
#include "coxswain/device/npu_registers.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/unity/geometry.h"
#include "coxswain/isa/unity/location.h"
#include "coxswain/kernels/unity/engine.h"
#include "coxswain/kernels/unity/tflite_kernels.h"
#include "coxswain/tflite/runner.h"
#include "sim/model/observers/event_log.h"
#include "sim/model/options.h"
#include "sim/model/unity/geometry.h"
#include "tools/command/failure.h"

namespace cox::tools::tflite {

namespace {

using kernels::unity::ContainerBuilder;

constexpr std::size_t kMebibyte = 1U << 20;
constexpr std::size_t kLeastDram = 16 * kMebibyte, kMostDram = 1024 * kMebibyte;
constexpr std::size_t kLine = 64;  ///< regions of DRAM begin at lines of the cache

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

[[noreturn]] void fail(const std::string &text) { throw Failure(ExitCode::failed, text); }

class UnitySession final : public Session {
 public:
  UnitySession(const ModelFile &file, const SessionSettings &settings)
      : model_(file.model()), settings_(settings), runner_(kernels::unity::tflite_kernels()) {
    const std::span<const std::byte> bytes = file.bytes();
    const Result<std::size_t> workspace = format::runner_workspace_bytes(bytes, settings.units);
    if (!workspace) fail(describe(workspace.status()));
    workspace_.resize(workspace.value() / sizeof(std::max_align_t) + 1);
    require(runner_.open(bytes, std::as_writable_bytes(std::span(workspace_))), "the model");
    switch_on(bytes.size());
    // The kernels take constants from the file, so the device must see it.
    const std::span<std::byte> copy = take(bytes.size());
    std::ranges::copy(bytes, copy.begin());
    require(runner_.open(copy, std::as_writable_bytes(std::span(workspace_))), "the model");
    arena_ = take(runner_.arena_bytes());
    constants_ = take(runner_.constant_bytes());
    encode();
    hal::clean_cache(copy.data(), copy.size());
    runner_.reset_variables();
  }

  Sizes sizes() const override {
    unsigned instructions = 0;
    for (unsigned unit = 0; unit < settings_.units; ++unit) instructions += container_.instructions(unit);
    return {.arena_bytes = runner_.arena_bytes(),
            .constant_bytes = runner_.constant_bytes(),
            .program_bytes = container_.code().size(),
            .instructions = instructions,
            .units = settings_.units,
            .peak_macs_per_cycle = std::uint64_t{geometry_.unity_macs_per_cycle} * settings_.units,
            .dram_bytes_per_cycle = geometry_.unity_dram_bytes_per_cycle};
  }

  std::vector<std::vector<std::uint8_t>> run(std::span<const std::span<const std::uint8_t>> inputs) override {
    for (std::size_t i = 0; i < inputs.size(); ++i) std::memcpy(runner_.input(i).data(), inputs[i].data(), runner_.input(i).size());
    hal::clean_and_invalidate_cache(arena_.data(), arena_.size());
    const std::uint64_t limit = settings_.time_limit_us == 0 ? kernels::unity::Engine::kDefaultLimit : settings_.time_limit_us;
    if (const Status status = engine_.run(container_, limit); !status) fail(fault_text(status));
    hal::invalidate_cache(arena_.data(), arena_.size());
    std::vector<std::vector<std::uint8_t>> outputs;
    for (std::size_t i = 0; i < model_.outputs().size(); ++i) {
      const std::span<const std::byte> output = runner_.output(i);
      const auto *const first = reinterpret_cast<const std::uint8_t *>(output.data());
      outputs.emplace_back(first, first + output.size());
    }
    return outputs;
  }

  std::vector<InferenceTime> finish() override {
    const std::vector<std::byte> container(container_.code().begin(), container_.code().end());
    board_.reset();  // the log is complete then
    std::vector<model::EventRecord> records;
    std::string error;
    if (!model::read_event_log(settings_.events, records, error)) fail(error);
    return times_of(records, container);
  }

 private:
  void require(const Status &status, const char *what) const {
    if (!status) fail(fmt::format("{}: {}", what, describe(status)));
  }

  void switch_on(std::size_t file_bytes) {
    const std::size_t needed =
        rounded_up(file_bytes + runner_.arena_bytes() + runner_.constant_bytes() + isa::unity::kMostContainerBytes + kMebibyte, kMebibyte);
    if (needed > kMostDram)
      fail(fmt::format("the model needs {} MiB of DRAM; the board has at most {}", needed / kMebibyte, kMostDram / kMebibyte));
    board::NativeBoardSettings machine;
    machine.model_options = options_with_units();
    read_geometry(machine.model_options);
    machine.dram_bytes = std::max(needed, kLeastDram);
    machine.log = [](int, std::string_view text) { fmt::print(stderr, "npu: {}\n", text); };
    std::string error;
    board_ = board::NativeBoard::create(std::move(machine), error);
    if (!board_) fail("the board native: " + error);
    windows_[0] = {.base = board_->dram_address(), .bytes = board::dram_size(), .read = true, .write = true};
    require(accelerator_.open(), "the accelerator");
    const Result<unsigned> units = hal::unity::read_units();
    if (!units) fail(describe(units.status()));
    if (units.value() < settings_.units) fail(fmt::format("--units {}: the device has {}", settings_.units, units.value()));
    require(engine_.init(accelerator_, {.windows = windows_}), "the engine");
  }

  void read_geometry(const std::string &options) {
    std::string error;
    const std::optional<model::Options> device = model::parse_options(options.c_str(), error);
    if (!device) fail("the options of the model: " + error);
    model::set_parameters(geometry_, model::unity::kParameters, device->parameters);
  }

  /// The device gets as many units as the model uses, unless the user chose their number.
  [[nodiscard]] std::string options_with_units() const {
    nlohmann::json options = nlohmann::json::parse(settings_.model_options);
    nlohmann::json &geometry = options["geometry"];
    if (settings_.units > 1 && !geometry.contains("unity_units")) geometry["unity_units"] = settings_.units;
    if (geometry.is_null()) options.erase("geometry");
    return options.dump();
  }

  /// Takes a region of DRAM. switch_on() has made sure that there is enough.
  std::span<std::byte> take(std::size_t bytes) {
    const std::span<std::byte> region = board_->core_dram().subspan(next_, bytes);
    next_ += rounded_up(bytes, kLine);
    return region;
  }

  /// Encodes twice: the first time to count the instructions, whose room lies before the operand tables.
  void encode() {
    const std::span<std::byte> memory = take(isa::unity::kMostContainerBytes);
    std::uint32_t room = isa::unity::kMostInstructions;
    for (int pass = 0; pass < 2; ++pass) {
      ends_.assign(model_.operators(), {});
      require(
          container_.init(memory, windows_, {.units = settings_.units, .instructions = room, .signals = ContainerBuilder::kMostSignals}),
          "the program");
      const auto encoded = [this](std::size_t op) {
        for (unsigned unit = 0; unit < settings_.units; ++unit) ends_[op][unit] = container_.instructions(unit);
      };
      require(runner_.encode(arena_, constants_, container_, encoded), "the program");
      room = 1;
      for (unsigned unit = 0; unit < settings_.units; ++unit) room = std::max(room, container_.instructions(unit) + 1);
    }
  }

  /// Returns the operator that an instruction of a unit's program belongs to.
  [[nodiscard]] std::size_t operator_of(unsigned unit, std::uint32_t instruction) const {
    const auto found = std::ranges::find_if(ends_, [=](const Ends &ends) { return instruction < ends[unit]; });
    return static_cast<std::size_t>(found - ends_.begin());
  }

  /// Returns a sentence about an inference that failed: operator, instruction, what the device says, and the field.
  [[nodiscard]] std::string fault_text(const Status &status) const {
    const kernels::StreamFault &fault = engine_.fault();
    const auto code = static_cast<std::size_t>(fault.code);
    if (status.code() != ErrorCode::device_fault || code == 0 || code >= registers::kFaultCodes) return describe(status);
    const std::string reason = registers::kFaultCodeNames[code];
    if (fault.instruction < 0)
      return fmt::format("the program: {}: {}", reason, status.what()[0] == '\0' ? "header or tables" : status.what());
    // The address is the container's, plus the position.
    const unsigned unit = isa::unity::Position::unpack(static_cast<std::uint32_t>(fault.address - container_.address())).unit;
    const std::size_t op = operator_of(unit, static_cast<std::uint32_t>(fault.instruction));
    const std::string layer = op < model_.operators() ? fmt::format("operator {} ({}): ", op, name_of(model_.op(op))) : "";
    return fmt::format("{}instruction {} ({}): {}: {}", layer, fault.instruction, fault.name, reason, fault.field);
  }

  static void add_unit(std::vector<UnitTime> &units, const UnitTime &time) {
    const auto place = std::ranges::lower_bound(units, time.unit, {}, &UnitTime::unit);
    if (place == units.end() || place->unit != time.unit) {
      units.insert(place, time);
      return;
    }
    place->start = std::min(place->start, time.start);
    place->end = std::max(place->end, time.end);
  }

  [[nodiscard]] std::vector<InferenceTime> times_of(std::span<const model::EventRecord> records,
                                                    std::span<const std::byte> container) const {
    struct Inference {
      std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
      std::vector<LayerTime> layers;
    };
    std::map<std::uint32_t, Inference> inferences;  // by the index of the stream
    for (const model::EventRecord &record : records) {
      if (record.kind != model::EventKind::stream_instruction || record.core != static_cast<std::uint8_t>(registers::Engine::unity))
        continue;
      const isa::Location location = isa::unity::locate(container, record.ordinal, isa::kNoField);
      if (location.instruction < 0) continue;
      const unsigned unit = isa::unity::Position::unpack(static_cast<std::uint32_t>(record.ordinal)).unit;
      const std::size_t op = operator_of(unit, static_cast<std::uint32_t>(location.instruction));
      if (op >= model_.operators()) continue;  // the END of the program
      Inference &inference = inferences[record.index];
      inference.layers.resize(model_.operators());
      inference.first = std::min(inference.first, record.start);
      inference.last = std::max(inference.last, record.end);
      LayerTime &layer = inference.layers[op];
      layer.start = layer.instructions == 0 ? record.start : std::min(layer.start, record.start);
      layer.end = std::max(layer.end, record.end);
      layer.dram_bytes += record.bytes;
      ++layer.instructions;
      add_unit(layer.units, {unit, record.start, record.end});
    }
    std::vector<InferenceTime> times;
    for (auto &[index, inference] : inferences) {
      for (LayerTime &layer : inference.layers) {
        if (layer.instructions == 0) continue;
        layer.start -= inference.first;
        layer.end -= inference.first;
        for (UnitTime &time : layer.units) {
          time.start -= inference.first;
          time.end -= inference.first;
        }
      }
      times.push_back({inference.last - inference.first, std::move(inference.layers)});
    }
    return times;
  }

  const format::Model &model_;
  SessionSettings settings_;
  model::unity::Geometry geometry_;
  std::unique_ptr<board::NativeBoard> board_;
  isa::Window windows_[1];
  hal::Accelerator accelerator_;
  kernels::unity::Engine engine_;
  ContainerBuilder container_;
  format::Runner<ContainerBuilder> runner_;
  std::vector<std::max_align_t> workspace_;
  std::size_t next_ = 0;  ///< offset of the free part of DRAM
  std::span<std::byte> arena_, constants_;
  using Ends = std::array<std::uint32_t, isa::unity::kMostUnits>;
  std::vector<Ends> ends_;  ///< for each operator, the numbers of the units' instructions up to its last one; 0 if it has none
};

}  // namespace

std::unique_ptr<Session> open_unity_session(const ModelFile &file, const SessionSettings &settings) {
  return std::make_unique<UnitySession>(file, settings);
}

}  // namespace cox::tools::tflite
