// SPDX-License-Identifier: MIT
#include "sim/model/faults/parse.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "sim/model/faults/words.h"
#include "sim/model/registry.h"

namespace cox::model::faults {
namespace {

constexpr std::uint64_t kMostCycle = std::uint64_t{1} << 48;  // about three days at 1 GHz
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 32;
constexpr std::uint32_t kMostFactor = 1024;
constexpr std::uint32_t kEntryBits = 8 * kCompletionBytes;

/// Removes the next word from `rest` and returns it; empty at the end.
std::string_view next_word(std::string_view &rest) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = std::min(rest.find_first_not_of(kBlanks), rest.size());
  const std::size_t end = std::min(rest.find_first_of(kBlanks, begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

template <std::size_t kCount>
int index_of(const char *const (&words)[kCount], std::string_view word) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (word == words[i] && !word.empty()) return static_cast<int>(i);
  }
  return -1;
}

/// The words `key=value` of a line. The parser takes each word once; the first error is kept.
class Values {
 public:
  Values(std::string_view rest, const Inventory &inventory, std::string &error) : inventory_(inventory), error_(error) {
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      const std::size_t equals = word.find('=');
      const std::string_view key = word.substr(0, equals);
      if (equals == std::string_view::npos) {
        fail(fmt::format("'{}' is no key=value", word));
        return;
      }
      if (has(key)) fail(fmt::format("'{}' is there twice", key));
      pairs_.emplace_back(key, word.substr(equals + 1));
    }
  }

  void fail(std::string text) {
    if (error_.empty()) error_ = std::move(text);
  }
  [[nodiscard]] bool has(std::string_view key) const {
    for (const auto &pair : pairs_) {
      if (pair.first == key) return true;
    }
    return false;
  }
  /// Checks that the parser has taken every word.
  [[nodiscard]] bool finish() {
    if (!pairs_.empty()) fail(fmt::format("this kind has no '{}'", pairs_.front().first));
    return error_.empty();
  }

  std::string_view word(std::string_view key) {
    for (auto at = pairs_.begin(); at != pairs_.end(); ++at) {
      if (at->first != key) continue;
      const std::string_view value = at->second;
      pairs_.erase(at);
      return value;
    }
    fail(fmt::format("'{}' is missing", key));
    return {};
  }

  /// Reads a number, decimal or hexadecimal with 0x.
  std::uint64_t number(std::string_view key, std::uint64_t least, std::uint64_t most) {
    const std::string_view value = word(key);
    const bool hexadecimal = value.starts_with("0x");
    const std::string_view digits = hexadecimal ? value.substr(2) : value;
    std::uint64_t result = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), result, hexadecimal ? 16 : 10);
    if (digits.empty() || status != std::errc{} || end != digits.data() + digits.size() || result < least || result > most) {
      fail(fmt::format("'{}' is '{}', must be a number from {} to {}", key, value, least, most));
    }
    return result;
  }
  std::uint32_t small_number(std::string_view key, std::uint32_t least, std::uint32_t most) {
    return static_cast<std::uint32_t>(number(key, least, most));
  }

  unsigned core() { return small_number("core", 0, inventory_.cores - 1); }
  Cycle cycle() { return number("at", 0, kMostCycle); }
  Cycle cycles() { return number("cycles", 1, kMostCycle); }

  /// Reads a submission queue. Its form is either `queue=` with the name of a core's queue and `core=` with the core's number, or only
  /// `queue=` with the name of an engine or of a DMA channel.
  unsigned queue() {
    const std::string_view name = word("queue");
    for (unsigned channel = 0; channel < registers::dma::channel::kCount; ++channel) {
      if (name == fmt::format("dma{}", channel)) return registers::dma::kFirstQueueNumber + channel;
    }
    if (const registers::EngineRow *engine = find_engine(name); engine != nullptr) return engine->queue_number();
    const std::span<const char *const> queues = core_queues();
    const auto queue = std::find(queues.begin(), queues.end(), name);
    if (queue == queues.end()) {
      fail(fmt::format("there is no queue '{}': there are {}{}{}", name, fmt::join(queues, ", "), queues.empty() ? "" : ", ", engines()));
      return 0;
    }
    return queue_number(core(), static_cast<unsigned>(queue - queues.begin()));
  }
  /// Reads a unit: `core=` with a number, or `engine=` with the name of an engine.
  unsigned unit() {
    if (!has("engine")) return core();
    const std::string_view name = word("engine");
    if (const registers::EngineRow *engine = find_engine(name); engine != nullptr) return engine->completion_queue();
    fail(fmt::format("there is no engine '{}': there are {}", name, engines()));
    return 0;
  }
  /// Reads `queue=` with the number of the completion queue of a core or an engine.
  unsigned completion_queue() {
    const unsigned most = inventory_.engines.empty() ? inventory_.cores - 1 : inventory_.engines.back()->completion_queue();
    const unsigned queue = small_number("queue", 0, most);
    const bool of_engine = std::any_of(inventory_.engines.begin(), inventory_.engines.end(),
                                       [queue](const registers::EngineRow *engine) { return engine->completion_queue() == queue; });
    if (queue >= inventory_.cores && !of_engine) fail(fmt::format("there is no completion queue {}", queue));
    return queue;
  }

 private:
  [[nodiscard]] const registers::EngineRow *find_engine(std::string_view name) const {
    for (const registers::EngineRow *engine : inventory_.engines) {
      if (name == engine->name) return engine;
    }
    return nullptr;
  }
  [[nodiscard]] std::string engines() const {
    std::vector<std::string_view> names;
    for (const registers::EngineRow *engine : inventory_.engines) names.emplace_back(engine->name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  const Inventory &inventory_;
  std::string &error_;
  std::vector<std::pair<std::string_view, std::string_view>> pairs_;
};

Effect effect_of(std::string_view &rest, std::initializer_list<Effect> known, std::string &error) {
  const std::string_view word = next_word(rest);
  const int index = index_of(kEffectWords, word);
  for (const Effect effect : known) {
    if (index == static_cast<int>(effect)) return effect;
  }
  error = fmt::format("'{}' is nothing that can happen to it", word);
  return Effect::none;
}

void read_flip(Values &values, const Inventory &inventory, Planned &fault) {
  const std::string_view name = values.word("memory");
  const int memory = index_of(kStoreWords, name);
  if (memory < 0) return values.fail(fmt::format("there is no memory '{}'", name));
  fault.memory = static_cast<Store>(memory);
  std::uint64_t most = (std::uint64_t{1} << 40) - 1;  // largest bus address
  if (fault.memory == Store::l2) most = inventory.l2_bytes - 1;
  if (fault.memory == Store::wl0) most = inventory.wl0_bytes - 1;
  if (fault.memory == Store::l2 || fault.memory == Store::wl0) fault.unit = values.core();
  fault.address = values.number("address", 0, most);
  fault.bits = values.small_number("bits", 1, 2);
  fault.at = values.cycle();
}

void read_interrupt(Values &values, Planned &fault) {
  fault.line = values.small_number("line", 0, 2);
  if (fault.effect == Effect::early && fault.line != 0) values.fail("only line 0 can be early");
  if (fault.effect == Effect::spurious || !values.has("count")) {
    fault.at = values.cycle();
  } else {
    fault.count = values.number("count", 1, kMostCount);
  }
}

void read_completion(Values &values, Planned &fault) {
  fault.unit = values.completion_queue();
  fault.count = values.number("count", 1, kMostCount);
  if (fault.effect == Effect::corrupt && values.has("bit")) fault.bit = values.small_number("bit", 0, kEntryBits - 1);
}

void read_clock(Values &values, Planned &fault) {
  fault.unit = values.unit();
  fault.at = values.cycle();
  Values copy = values;
  if (copy.word("cycles") == "forever") {
    static_cast<void>(values.word("cycles"));
  } else {
    fault.cycles = values.cycles();
  }
}

}  // namespace

bool parse_line(std::string_view line, const Inventory &inventory, Planned &fault, std::string &error) {
  error.clear();
  fault = {};
  const std::string_view word = next_word(line);
  const int kind = index_of(kKindWords, word);
  if (kind < 0) {
    error = fmt::format("there is no fault '{}'", word);
    return false;
  }
  fault.kind = static_cast<Kind>(kind);
  using enum Effect;
  if (fault.kind == Kind::interrupt) fault.effect = effect_of(line, {lost, doubled, early, spurious}, error);
  if (fault.kind == Kind::completion) fault.effect = effect_of(line, {corrupt, swap, lost, doubled}, error);
  if (fault.kind == Kind::doorbell) fault.effect = effect_of(line, {lost}, error);
  if (!error.empty()) return false;
  Values values(line, inventory, error);
  switch (fault.kind) {
    case Kind::bus_error:
      fault.queue = values.queue();
      fault.count = values.number("access", 1, kMostCount);
      break;
    case Kind::stuck:
      fault.queue = values.queue();
      fault.count = values.number("instruction", 1, kMostCount);
      if (values.has("cycles")) fault.cycles = values.cycles();
      break;
    case Kind::slow:
      fault.factor = values.small_number("factor", 1, kMostFactor);
      fault.at = values.cycle();
      fault.cycles = values.cycles();
      break;
    case Kind::interrupt: read_interrupt(values, fault); break;
    case Kind::completion: read_completion(values, fault); break;
    case Kind::flip: read_flip(values, inventory, fault); break;
    case Kind::doorbell:
      fault.queue = values.queue();
      fault.count = values.number("count", 1, kMostCount);
      break;
    case Kind::reset:
      fault.unit = values.unit();
      fault.at = values.cycle();
      break;
    case Kind::clock: read_clock(values, fault); break;
  }
  return values.finish();
}

bool parse_plan(std::string_view text, const Inventory &inventory, std::vector<Planned> &plan, std::string &error) {
  unsigned number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    Planned fault;
    if (std::string reason; !parse_line(line, inventory, fault, reason)) {
      error = fmt::format("line {}: {}", number, reason);
      return false;
    }
    plan.push_back(fault);
  }
  return true;
}

}  // namespace cox::model::faults
