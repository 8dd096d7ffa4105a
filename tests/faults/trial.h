// SPDX-License-Identifier: MIT
// One plan on one device.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/campaign/trials.h"
#include "tests/faults/batch.h"
#include "tests/faults/plan.h"

namespace cox::faults {

struct Totals {
  unsigned plans = 0, injected = 0, inferences = 0, right = 0, failed = 0;
  /// How often each error occurred: errors[kind of the plan's first fault][name of the error].
  std::map<std::string, std::map<std::string, unsigned>> errors;
};

class Trial {
 public:
  /// Boots a board with the plan, which goes through the file `file`.
  Trial(Batch &batch, const Plan &plan, const std::string &file);

  /// True if the model takes the plan. Otherwise run() returns what is wrong with it.
  [[nodiscard]] bool is_possible() const { return board_ != nullptr; }
  /// Runs the batch, and inferences after it. Returns a sentence if something is wrong.
  const std::string &run(Totals &totals);
  [[nodiscard]] const std::string &log() const { return log_; }
  /// Each kind of fault that struck, with `engine` and what the firmware did. Faults of several kinds can strike in one plan. What the
  /// firmware did is then not attributed to one of them.
  [[nodiscard]] std::vector<campaign::Cell> coverage(const std::string &engine) const;

 private:
  void complain(const std::string &sentence) {
    if (problem_.empty()) problem_ = sentence;
  }
  void on_log(std::string_view line);
  /// Notes what the firmware did, as far as its log goes back.
  void note_actions();
  void write_fault_log();
  void judge(const Outcome &outcome, const std::string &name, Totals &totals);
  /// True if another unit can do the work of one that is lost.
  [[nodiscard]] bool has_another() const;
  /// Runs inferences until one is right. The ones before it may fail, because some of the plan's faults occur late.
  void recover();

  Batch &batch_;
  const Plan &plan_;
  std::string problem_, log_;
  unsigned injected_ = 0;
  std::set<Kind> struck_;
  std::set<std::string> states_;  ///< what the firmware did
  std::unique_ptr<board::NativeBoard> board_;
};

}  // namespace cox::faults
