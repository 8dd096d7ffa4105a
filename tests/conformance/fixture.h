// SPDX-License-Identifier: MIT
// The fixture of the conformance suite. It runs one engine of device/engines.h in the model and accesses it through its registers.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "tests/conformance/sample.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::conformance {

namespace r = registers;
using r::FaultCode;
using test::Entry;

inline void PrintTo(const Subject *subject, std::ostream *stream) { *stream << r::engine_name(subject->engine); }

class Conformance : public testing::TestWithParam<const Subject *> {
 protected:
  static constexpr std::uint64_t kPlace = 0x4000;  ///< bytes reserved for each input and for each output
  static constexpr std::uint32_t kRingLog2 = 2;
  static constexpr std::uint32_t kRing = 1U << kRingLog2;

  Conformance() : sample_(GetParam()->make()) { power_on(); }

  /// Makes a new device with a fault plan. In the plan, `{engine}` stands for the engine's name and `{completions}` for its completion
  /// queue.
  void power_on(std::string plan = {}, std::uint32_t coalesce = 0, std::uint32_t completions_log2 = 4) {
    for (const auto &[word, value] :
         {std::pair("{engine}", std::string(row().name)), std::pair("{completions}", std::to_string(row().completion_queue()))}) {
      for (std::size_t at = plan.find(word); at != std::string::npos; at = plan.find(word))
        plan.replace(at, std::string(word).size(), value);
    }
    std::ofstream(plan_file_.path()) << plan;
    const std::string options = R"({"faults": ")" + plan_file_.path() + "\"}";
    machine_.emplace(row(), plan.empty() ? nullptr : options.c_str());
    machine().bring_up_engine(kRingLog2, completions_log2, coalesce);
    sample_->open(machine(), 0);
  }
  void open(unsigned context) {
    machine().open_context(context);
    sample_->open(machine(), context);
  }

  [[nodiscard]] test::EngineMachine &machine() { return *machine_; }
  [[nodiscard]] const r::EngineRow &row() const { return r::row_of(GetParam()->engine); }

  /// Fills input `i` with operands and output `i` with 0xA5, and submits a program that reads this input and writes this output.
  void submit(unsigned i, unsigned context = 0) {
    prepare(i);
    machine().submit(sample_->program(input(i), output(i)), context);
  }
  void prepare(unsigned i) {
    const Bytes operands = sample_->input(i);
    ASSERT_LE(operands.size(), kPlace);
    std::memcpy(machine().find(input(i), operands.size()), operands.data(), operands.size());
    std::memset(machine().find(output(i), kPlace), 0xA5, kPlace);
  }
  /// Returns true if output `i` is right and nothing behind it was written.
  [[nodiscard]] bool is_right(unsigned i) {
    Bytes wanted = sample_->expected(sample_->input(i));
    wanted.resize(kPlace, std::byte{0xA5});
    return std::memcmp(machine().find(output(i), kPlace), wanted.data(), kPlace) == 0;
  }
  [[nodiscard]] bool is_untouched(unsigned i) {
    const std::byte *bytes = machine().find(output(i), kPlace);
    return std::all_of(bytes, bytes + kPlace, [](std::byte byte) { return byte == std::byte{0xA5}; });
  }
  [[nodiscard]] static std::uint64_t input(unsigned i) { return test::EngineMachine::kWindow + i * 2 * kPlace; }
  [[nodiscard]] static std::uint64_t output(unsigned i) { return input(i) + kPlace; }

  /// Runs the device until nothing happens any more. Expects completion `index` to be the last.
  void expect_completion(std::uint32_t index, FaultCode status, unsigned context = 0) {
    machine().run();
    ASSERT_EQ(machine().engine_completions(), index + 1);
    const Entry entry = machine().engine_entry(index);
    EXPECT_EQ(entry.tag, index);
    EXPECT_EQ(entry.queue, row().queue_number());
    EXPECT_EQ(entry.context, context);
    EXPECT_EQ(entry.status, status) << r::kFaultCodeNames[static_cast<unsigned>(entry.status)];
  }
  void write_context(unsigned context, std::uint32_t value) { machine().write(r::context::control::offset(context), value); }
  static constexpr std::uint32_t kAbort = 3, kReset = 5;  ///< values of CONTEXT[].CONTROL: ABORT or RESET, each with VALID
  static constexpr unsigned kNoContext = 255;
  [[nodiscard]] bool is_quarantined(unsigned context) {
    return r::context::control::kQuarantined.get(machine().read(r::context::control::offset(context))) != 0;
  }

  std::unique_ptr<Sample> sample_;

 private:
  test::TemporaryFile plan_file_{"plan.txt"};
  std::optional<test::EngineMachine> machine_;
};

}  // namespace cox::conformance
