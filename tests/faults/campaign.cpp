// SPDX-License-Identifier: MIT
// Random fault plans on batches of real inferences (docs/testing.md). Every inference ends in bounded time with the right bytes, or with an
// error that names the fault. After the plan, an inference is right within kAttempts attempts, without another boot,
// unless the plan has stopped the clock of the only core or engine for ever.
//   fault_campaign [--only tile|mx|cube|dma|pim|unity|mixed] [--first SEED] [--plans N] [--plan FILE] [--show]
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include "coxswain/hal/fault_log.h"
#include "tests/faults/batch.h"

namespace {

using namespace cox;
using faults::Batch;
using faults::Outcome;
using faults::Targets;

constexpr std::uint64_t kSettled = 20'000'000;  // cycles after which all timed faults of a plan have ended
constexpr unsigned kAttempts = 40;              // attempts within which an inference must succeed after the plan

enum Kind : unsigned {
  kBusError,
  kStuck,
  kStuckForGood,
  kSlow,
  kInterrupt,
  kCompletion,
  kFlipOne,
  kFlipTwo,
  kDoorbell,
  kReset,
  kClock,
  kClockForGood,
  kKinds
};
constexpr const char *kKindNames[kKinds] = {"bus_error",  "stuck",           "stuck, until a reset", "slow",     "interrupt",
                                            "completion", "flip of one bit", "flip of two bits",     "doorbell", "reset",
                                            "clock",      "clock, for ever"};

struct Plan {
  std::vector<Kind> kinds;
  std::string text;
  [[nodiscard]] bool only(std::initializer_list<Kind> of) const {
    return std::ranges::all_of(kinds, [&](Kind kind) { return std::ranges::find(of, kind) != of.end(); });
  }
  [[nodiscard]] bool has(Kind kind) const { return std::ranges::find(kinds, kind) != kinds.end(); }
};

/// Makes the same plans on every machine. The standard library's distributions give different numbers on different machines.
class Planner {
 public:
  Planner(std::uint64_t seed, const Targets &targets) : random_(seed), targets_(targets) {}

  /// Makes a plan of one to four faults. The first fault has kind `turn` % kKinds, so successive plans go through all kinds.
  Plan make(std::uint64_t turn) {
    Plan plan;
    const std::uint64_t count = pick(2) == 0 ? 1 : 1 + pick(4);
    for (std::uint64_t i = 0; i < count; ++i) {
      // pick(kKinds - 1) leaves out kClockForGood, which is permanent. So the device works again after most plans.
      Kind kind = static_cast<Kind>(i == 0 ? turn % kKinds : pick(kKinds - 1));
      if (targets_.units.empty()) kind = without_unit(kind);
      plan.kinds.push_back(kind);
      plan.text += line(kind) + "\n";
    }
    return plan;
  }

 private:
  /// Returns a fault of a DMA channel for a fault of a core or an engine.
  static Kind without_unit(Kind kind) {
    switch (kind) {
      case kCompletion: return kBusError;
      case kReset: return kFlipTwo;
      case kClock: return kStuck;
      case kClockForGood: return kStuckForGood;
      default: return kind;
    }
  }
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }
  std::string number(const char *key, std::uint64_t value) { return std::string(" ") + key + "=" + std::to_string(value); }
  std::string nth(const char *key, unsigned most) { return number(key, 1 + pick(std::max(1U, most))); }
  std::string at() { return number("at", pick(targets_.cycles)); }
  template <typename T>
  const T &one(const std::vector<T> &of) {
    return of[pick(of.size())];
  }

  std::string line(Kind kind) {
    const Targets::Queue &queue = one(targets_.queues);
    static const Targets::Unit kNone{.name = {}, .completion_queue = 0, .entries = 8};
    const Targets::Unit &unit = targets_.units.empty() ? kNone : one(targets_.units);
    const std::uint64_t cycles = 1 + pick(pick(2) == 0 ? 10'000 : 2'000'000);
    switch (kind) {
      case kBusError: return "bus_error queue=" + queue.name + nth("access", queue.accesses);
      case kStuck: return "stuck queue=" + queue.name + nth("instruction", queue.instructions) + number("cycles", cycles);
      case kStuckForGood:
        // The bus does not answer a DMA channel for so long that the channel does not stop in time.
        if (targets_.units.empty() && pick(2) == 0)
          return "stuck queue=" + queue.name + nth("instruction", queue.instructions) + number("cycles", 200'000'000);
        return "stuck queue=" + queue.name + nth("instruction", queue.instructions);
      case kSlow: return "slow" + number("factor", 2 + pick(63)) + at() + number("cycles", cycles);
      case kInterrupt: {
        constexpr const char *kWhat[] = {"lost", "doubled", "early"};  // only line 0 can be early
        const unsigned line = targets_.line;
        if (pick(3) == 0) return "interrupt spurious" + number("line", line == 0 ? pick(2) : line) + at();
        return std::string("interrupt ") + kWhat[pick(line == 0 ? 3 : 2)] + number("line", line) + nth("count", unit.entries);
      }
      case kCompletion: {
        constexpr const char *kWhat[] = {"corrupt", "swap", "lost", "doubled"};
        const std::uint64_t what = pick(4);
        return std::string("completion ") + kWhat[what] + number("queue", unit.completion_queue) + nth("count", unit.entries) +
               (what == 0 ? number("bit", pick(64)) : "");
      }
      case kFlipOne:
      case kFlipTwo: {
        const Targets::Range &range = one(targets_.memory);
        return "flip memory=" + range.memory + number("address", range.address + pick(range.bytes)) +
               number("bits", kind == kFlipOne ? 1 : 2) + at();
      }
      case kDoorbell: return "doorbell lost queue=" + queue.name + nth("count", queue.doorbells);
      case kReset: return "reset " + unit.name + at();
      case kClock: return "clock " + unit.name + at() + number("cycles", cycles);
      case kClockForGood: return "clock " + unit.name + at() + " cycles=forever";
      case kKinds: break;
    }
    return {};
  }

  std::mt19937_64 random_;
  const Targets &targets_;
};

/// Plans that once found an error. They always run.
struct Found {
  unsigned batch;
  const char *plan;
};
constexpr Found kFound[] = {
    // L2: a fault in a word that no instruction of the task overwrites completely.
    {0, "flip memory=l2 core=0 address=820 bits=2 at=26131"},
    // A fault in a slot: the device no longer knows the context of the instruction, and the instructions behind it lack their
    // configuration.
    {0, "stuck queue=ST core=0 instruction=4\nflip memory=queue address=538481281 bits=2 at=15961"},
    {2, "flip memory=queue address=538538309 bits=2 at=3089"},
    // A fault in a descriptor: the device no longer knows the address of the stream.
    {4, "flip memory=queue address=538443819 bits=2 at=413"},
    {4, "stuck queue=CUBE instruction=113\ncompletion lost queue=5 count=1\nflip memory=queue address=538443813 bits=2 at=635"},
    // Keys: the next container takes those of one that failed.
    {7, "bus_error queue=UNITY access=12"},
};

struct Totals {
  unsigned plans = 0, injected = 0, inferences = 0, right = 0, failed = 0;
  /// How often each error occurred: errors[kind of the plan's first fault][name of the error].
  std::map<std::string, std::map<std::string, unsigned>> errors;
};

bool names_a_fault(const Outcome &outcome) {
  // The copies are correct, so the DMA engine may refuse a descriptor only if its memory has failed.
  if (outcome.what == "DMA channel" || outcome.what == "bus_read" || outcome.what == "bad_descriptor") return true;
  switch (outcome.error) {
    case ErrorCode::device_fault:
      // The task and the stream are correct, so no other fault may be reported.
      return outcome.what == "completion" || outcome.what == "core reset" || outcome.what == "engine reset" ||
             outcome.value == static_cast<int>(registers::FaultCode::bus_error) ||
             outcome.value == static_cast<int>(registers::FaultCode::ecc);
    case ErrorCode::time_limit:
    case ErrorCode::timeout: return true;
    case ErrorCode::cancelled: return outcome.what == "tile core";
    default: return false;
  }
}

/// One plan on one device. run() returns a sentence if something is wrong.
class Trial {
 public:
  Trial(Batch &batch, const Plan &plan, const std::string &file) : batch_(batch), plan_(plan) {
    std::ofstream(file) << plan.text;
    board::NativeBoardSettings settings;
    settings.model_options = "{" + batch.geometry() + (batch.geometry().empty() ? "" : ", ") + "\"faults\": \"" + file + "\"}";
    settings.dram_bytes = std::size_t{16} << 20;
    settings.console = [](std::string_view) {};
    settings.log = [this](int, std::string_view line) {
      if (line.find("injected at") != std::string_view::npos) ++injected_;
      log_ += std::string(line) + "\n";
    };
    settings.bus_fault = [this](const board::BusFault &fault) {
      if (problem_.empty()) problem_ = "bus fault at " + std::to_string(fault.address);
    };
    settings.watchdog = [this] { problem_ = "the watchdog"; };
    board_ = board::NativeBoard::create(std::move(settings), problem_);
  }

  const std::string &run(Totals &totals) {
    if (board_ == nullptr) return problem_;
    if (problem_ = batch_.boot(*board_); !problem_.empty()) return problem_;
    const std::uint64_t begin = board_->now();
    const std::vector<Outcome> outcomes = batch_.run(*board_);
    if (board_->now() - begin > batch_.bound() + kSettled) complain("the batch took " + std::to_string(board_->now() - begin) + " cycles");
    for (std::size_t i = 0; i < outcomes.size(); ++i) judge(outcomes[i], "inference " + std::to_string(i), totals);
    for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) {
      const hal::FaultRecord fault = hal::fault_log::at(i);
      log_ += "log: " + std::to_string(fault.cycle) + " queue " + std::to_string(fault.queue) + " context " +
              std::to_string(fault.context) + " " + registers::kFaultCodeNames[static_cast<unsigned>(fault.fault)] + " " +
              error_name(fault.error) + " instruction " + std::to_string(fault.instruction) + " detail " + std::to_string(fault.detail) +
              " " + hal::kFaultActionNames[static_cast<unsigned>(fault.action)] + "\n";
    }
    board_->advance(kSettled);
    recover();
    totals.injected += injected_;
    ++totals.plans;
    return problem_;
  }
  [[nodiscard]] const std::string &log() const { return log_; }

 private:
  void complain(const std::string &sentence) {
    if (problem_.empty()) problem_ = sentence;
  }
  void judge(const Outcome &outcome, const std::string &name, Totals &totals) {
    ++totals.inferences;
    const std::string error = std::string(error_name(outcome.error)) + " " + outcome.what;
    if (outcome.error == ErrorCode::ok) {
      ++totals.right;
      if (!outcome.right) complain(name + ": wrong bytes");
      return;
    }
    ++totals.failed;
    log_ += name + ": " + error + "\n";
    ++totals.errors[plan_.kinds.empty() ? "" : kKindNames[plan_.kinds.front()]][error];
    if (!names_a_fault(outcome)) complain(name + ": " + error);
    if (plan_.only({kSlow, kInterrupt, kDoorbell, kFlipOne, kClock, kStuck})) complain(name + ": " + error + ", where nothing was lost");
    // A unit that hangs for ever also hangs the retry, unless another unit is free.
    const bool another = has_another();
    if (outcome.retries != 0 && plan_.kinds.size() == 1 &&
        (plan_.only({kBusError, kStuckForGood, kCompletion, kReset}) || (another && plan_.has(kClockForGood))))
      complain(name + ": " + error + ", though it could begin again");
  }
  /// True if another unit can do the work of one that is lost.
  [[nodiscard]] bool has_another() const {
    const Targets targets = batch_.targets();
    return targets.units.size() > 1 && !targets.needs_all;
  }
  /// Runs inferences until one is right. The ones before it may fail, because some of the plan's faults occur late.
  void recover() {
    auto late = std::ranges::count(plan_.kinds, kFlipTwo) + std::ranges::count(plan_.kinds, kFlipOne) / 2 +
                std::ranges::count(plan_.kinds, kReset) + std::ranges::count(plan_.kinds, kCompletion);
    unsigned lost = 0;
    for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
      const unsigned before = injected_;
      const Outcome outcome = batch_.run_again(*board_);
      if (injected_ != before) continue;
      if (outcome.error == ErrorCode::ok && outcome.right) return;
      if (outcome.error == ErrorCode::device_fault && late-- > 0) continue;
      // A unit that has lost its clock for ever cannot be used. If there are other units, they do the work from the second attempt on.
      if (plan_.has(kClockForGood) && (outcome.error == ErrorCode::time_limit || outcome.error == ErrorCode::timeout)) {
        if (!has_another()) return;
        if (lost++ == 0) continue;
      }
      complain(std::string("after the plan: ") + (outcome.error == ErrorCode::ok ? "wrong bytes" : error_name(outcome.error)) + " " +
               outcome.what);
      return;
    }
    complain("the plan does not end");
  }

  Batch &batch_;
  const Plan &plan_;
  std::string problem_, log_;
  unsigned injected_ = 0;
  std::unique_ptr<board::NativeBoard> board_;
};

struct Arguments {
  std::string only, plan;
  std::uint64_t first = 1;
  unsigned plans = 36;
  bool show = false;
};

int run(const Arguments &arguments) {
  struct Named {
    std::string name;
    std::unique_ptr<Batch> batch;
  };
  std::vector<Named> batches;
  const auto add = [&](const char *name, std::unique_ptr<Batch> batch) {
    if (arguments.only.empty() || std::string(name).starts_with(arguments.only)) batches.push_back({name, std::move(batch)});
  };
  for (const auto &[name, image, cores] : {std::tuple{"tile", COX_DIGITS, 1U}, std::tuple{"tile, two cores", COX_DIGITS, 2U},
                                           std::tuple{"tile, a task of two cores of four", COX_DIGITS_CORES, 4U}})
    add(name, faults::make_tile_batch(image, COX_DIGITS_IMAGES, cores));
  add("mx", faults::make_mx_batch(COX_DIGITS_MX_WEIGHTS));
  add("cube", faults::make_cube_batch());
  add("dma", faults::make_dma_batch());
  add("pim", faults::make_pim_batch());
  add("unity", faults::make_unity_batch());
  add("mixed", faults::make_mixed_batch());

  const std::string file = "fault_campaign_" + std::to_string(getpid()) + ".plan";
  Totals totals;
  const Plan none;
  for (const Named &named : batches) {
    const std::string problem = Trial(*named.batch, none, file).run(totals);
    if (!problem.empty() || totals.failed != 0) {
      std::printf("%s, without a plan: %s\n", named.name.c_str(), problem.c_str());
      return 1;
    }
    std::printf("%s: %llu cycles without faults\n", named.name.c_str(), static_cast<unsigned long long>(named.batch->targets().cycles));
  }
  totals = {};
  unsigned bad = 0;
  const auto run_plan = [&](const std::string &name, Batch &batch, const Plan &plan) {
    alarm(120);  // ends the process if the firmware hangs and the device's time stands still
    if (arguments.show) std::printf("%s:\n%s", name.c_str(), plan.text.c_str());
    std::fflush(stdout);
    Trial trial(batch, plan, file);
    const std::string problem = trial.run(totals);
    bad += problem.empty() ? 0 : 1;
    if (!problem.empty() || arguments.show)
      std::printf("%s: %s\n%s%s", name.c_str(), problem.c_str(), plan.text.c_str(), trial.log().c_str());
  };
  if (!arguments.plan.empty()) {
    std::stringstream text;
    text << std::ifstream(arguments.plan).rdbuf();
    for (const Named &named : batches) run_plan(named.name, *named.batch, {.kinds = {}, .text = text.str()});
  } else {
    for (const Found &found : kFound) {
      if (arguments.only.empty()) run_plan("found", *batches[found.batch].batch, {.kinds = {kFlipTwo, kFlipTwo}, .text = found.plan});
    }
    for (unsigned i = 0; i < arguments.plans; ++i) {
      const std::uint64_t seed = arguments.first + i;
      const Named &named = batches[seed % batches.size()];
      const Targets targets = named.batch->targets();
      run_plan("seed " + std::to_string(seed) + ", " + named.name, *named.batch, Planner(seed, targets).make(seed / batches.size()));
    }
  }
  std::remove(file.c_str());
  std::printf("%u plans, %u faults that struck, %u inferences: %u right, %u failed with a fault's name; %u plans went wrong\n",
              totals.plans, totals.injected, totals.inferences, totals.right, totals.failed, bad);
  for (const auto &[kind, errors] : totals.errors) {
    std::printf("  %s:", kind.c_str());
    for (const auto &[error, count] : errors) std::printf(" %s %u,", error.c_str(), count);
    std::printf("\n");
  }
  return bad == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
  Arguments arguments;
  if (const char *plans = std::getenv("COX_FAULT_PLANS"); plans != nullptr)
    arguments.plans = static_cast<unsigned>(std::strtoul(plans, nullptr, 10));
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
    if (word == "--only") {
      arguments.only = value();
    } else if (word == "--first") {
      arguments.first = std::strtoull(value().c_str(), nullptr, 10);
    } else if (word == "--plans") {
      arguments.plans = static_cast<unsigned>(std::strtoul(value().c_str(), nullptr, 10));
    } else if (word == "--plan") {
      arguments.plan = value();
    } else if (word == "--show") {
      arguments.show = true;
    } else {
      std::fprintf(stderr, "fault_campaign: what is %s?\n", word.c_str());
      return 2;
    }
  }
  return run(arguments);
}
