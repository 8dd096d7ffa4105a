// SPDX-License-Identifier: MIT
#include "tests/faults/trial.h"

#include <algorithm>
#include <fstream>

#include "coxswain/hal/fault_log.h"

namespace cox::faults {
namespace {

constexpr std::uint64_t kSettled = 20'000'000;  // cycles after which all timed faults of a plan have ended
constexpr unsigned kAttempts = 40;              // attempts within which an inference must succeed after the plan
constexpr const char *kFailed = "failed by name";

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

}  // namespace

Trial::Trial(Batch &batch, const Plan &plan, const std::string &file) : batch_(batch), plan_(plan) {
  std::ofstream(file) << plan.text;
  board::NativeBoardSettings settings;
  settings.model_options = "{" + batch.geometry() + (batch.geometry().empty() ? "" : ", ") + "\"faults\": \"" + file + "\"}";
  settings.dram_bytes = std::size_t{16} << 20;
  settings.console = [](std::string_view) {};
  settings.log = [this](int, std::string_view line) { on_log(line); };
  settings.bus_fault = [this](const board::BusFault &fault) {
    if (problem_.empty()) problem_ = "bus fault at " + std::to_string(fault.address);
  };
  settings.watchdog = [this] { problem_ = "the watchdog"; };
  board_ = board::NativeBoard::create(std::move(settings), problem_);
}

void Trial::on_log(std::string_view line) {
  constexpr std::string_view kInjected = "injected at";
  if (const std::size_t at = line.find(kInjected); at != std::string_view::npos) {
    ++injected_;
    if (const std::size_t text = line.find(": ", at); text != std::string_view::npos) struck_.insert(kind_of(line.substr(text + 2)));
  }
  log_ += std::string(line) + "\n";
}

const std::string &Trial::run(Totals &totals) {
  if (board_ == nullptr) return problem_;
  if (problem_ = batch_.boot(*board_); !problem_.empty()) return problem_;
  const std::uint64_t begin = board_->now();
  const std::vector<Outcome> outcomes = batch_.run(*board_);
  if (board_->now() - begin > batch_.bound() + kSettled) complain("the batch took " + std::to_string(board_->now() - begin) + " cycles");
  for (std::size_t i = 0; i < outcomes.size(); ++i) judge(outcomes[i], "inference " + std::to_string(i), totals);
  note_actions();
  write_fault_log();
  board_->advance(kSettled);
  recover();
  note_actions();
  totals.injected += injected_;
  ++totals.plans;
  return problem_;
}

void Trial::note_actions() {
  for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) {
    const hal::FaultAction action = hal::fault_log::at(i).action;
    if (action == hal::FaultAction::none) continue;
    states_.insert(action == hal::FaultAction::failed ? kFailed : hal::kFaultActionNames[static_cast<unsigned>(action)]);
  }
}

void Trial::write_fault_log() {
  for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) {
    const hal::FaultRecord fault = hal::fault_log::at(i);
    log_ += "log: " + std::to_string(fault.cycle) + " queue " + std::to_string(fault.queue) + " context " + std::to_string(fault.context) +
            " " + registers::kFaultCodeNames[static_cast<unsigned>(fault.fault)] + " " + error_name(fault.error) + " instruction " +
            std::to_string(fault.instruction) + " detail " + std::to_string(fault.detail) + " " +
            hal::kFaultActionNames[static_cast<unsigned>(fault.action)] + "\n";
  }
}

std::vector<campaign::Cell> Trial::coverage(const std::string &engine) const {
  std::vector<campaign::Cell> cells;
  for (const Kind kind : struck_) {
    if (struck_.size() > 1) {
      cells.push_back({kKindNames[kind], engine, "with others"});
    } else if (states_.empty()) {
      cells.push_back({kKindNames[kind], engine, "no action"});
    }
    for (const std::string &state : states_) {
      if (struck_.size() == 1) cells.push_back({kKindNames[kind], engine, state});
    }
  }
  return cells;
}

void Trial::judge(const Outcome &outcome, const std::string &name, Totals &totals) {
  ++totals.inferences;
  const std::string error = std::string(error_name(outcome.error)) + " " + outcome.what;
  if (outcome.error == ErrorCode::ok) {
    ++totals.right;
    if (!outcome.right) complain(name + ": wrong bytes");
    return;
  }
  ++totals.failed;
  states_.insert(kFailed);
  log_ += name + ": " + error + "\n";
  ++totals.errors[plan_.kinds.empty() ? "" : kKindNames[plan_.kinds.front()]][error];
  if (!names_a_fault(outcome)) complain(name + ": " + error);
  // Several delays may add up to more than the time limit.
  const bool was_slow = (outcome.error == ErrorCode::time_limit || outcome.error == ErrorCode::timeout) && plan_.delay > kLongestDelay;
  if (plan_.only({kSlow, kInterrupt, kDoorbell, kFlipOne, kClock, kStuck}) && !was_slow)
    complain(name + ": " + error + ", where nothing was lost");
  // A unit that hangs for ever also hangs the retry, unless another unit is free.
  const bool another = has_another();
  if (outcome.retries != 0 && plan_.kinds.size() == 1 &&
      (plan_.only({kBusError, kStuckForGood, kCompletion, kReset}) || (another && plan_.has(kClockForGood))))
    complain(name + ": " + error + ", though it could begin again");
}

bool Trial::has_another() const {
  const Targets targets = batch_.targets();
  return targets.units.size() > 1 && !targets.needs_all;
}

void Trial::recover() {
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

}  // namespace cox::faults
