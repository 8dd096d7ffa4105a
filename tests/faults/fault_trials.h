// SPDX-License-Identifier: MIT
// The campaign's plans as trials. An input is a batch in the header, and a line for each fault of its plan.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/campaign/trials.h"
#include "tests/faults/batch.h"

namespace cox::faults {

/// Runs the batch on a device without faults. Returns a sentence if something is wrong. Until then the batch has no targets.
std::string run_without_plan(Batch &batch, const std::string &file);

class FaultTrials final : public campaign::Trials {
 public:
  FaultTrials();
  ~FaultTrials() override;

  campaign::Input make(std::uint64_t seed) override;
  campaign::Verdict run(const campaign::Input &input) override;

 private:
  /// Runs the batch without a plan, if this process has not done so yet. Returns a sentence if something was wrong.
  const std::string &prepare(const NamedBatch &named);

  std::vector<NamedBatch> batches_;
  std::map<std::string, std::string> prepared_;  ///< by the batch's name: what run_without_plan() returned
  std::string file_;
};

}  // namespace cox::faults
