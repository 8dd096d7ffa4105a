// SPDX-License-Identifier: MIT
// Random tasks as trials of `cox campaign` (docs/campaign.md). An input has a line for each instruction without its tokens, for example
//   sta_mov core=1 00000012 00000000 000000C0
// with the words of its machine code as far as they are not 0. Running the input adds ct_st and ct_ed, derives the tokens and the
// instructions that only order others, and so makes a valid task of any lines that are legal where they stand.
#pragma once

#include "tests/campaign/trials.h"
#include "tests/firmware/random_tasks/generator.h"

namespace cox::tests {

/// Makes the task of an input. Throws campaign::NoSense if a line is not legal where it stands.
RandomTask task_of(const campaign::Input &input, Random &random);

class TaskTrials final : public campaign::Trials {
 public:
  campaign::Input make(std::uint64_t seed) override;
  campaign::Verdict run(const campaign::Input &input) override;
};

}  // namespace cox::tests
