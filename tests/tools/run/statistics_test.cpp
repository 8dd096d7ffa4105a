// SPDX-License-Identifier: MIT
#include "tools/run/report/statistics.h"

#include <gmock/gmock.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/run/jobs/readings.h"
#include "tools/run/tile/work.h"

namespace cox::tools::run {
namespace {

using firmware::job::Outcome;

Outcome finished(std::uint64_t start, std::uint64_t end, std::uint64_t control) {
  Outcome job{};
  job.inferences = 1;
  job.start_cycle = start;
  job.end_cycle = end;
  job.control_instructions = control;
  job.accelerator_instructions = 10;
  job.queues[3] = {.instructions = 4, .busy_cycles = 50, .stalled_cycles = 20, .bytes = 0};
  job.queues[1] = {.instructions = 6, .busy_cycles = 10, .stalled_cycles = 0, .bytes = 128};
  return job;
}

nlohmann::json json_of(const Statistics &statistics) {
  std::ostringstream out;
  write_statistics_json(out, statistics);
  return nlohmann::json::parse(out.str());
}

TEST(Statistics, OneRunCountsFromItsStart) {
  Statistics statistics;
  statistics.add(finished(1000, 1100, 400), true);
  const nlohmann::json json = json_of(statistics);
  EXPECT_EQ(json["end_cycle"], 100);
  EXPECT_EQ(json["boot_cycles"], 1000);
  EXPECT_EQ(json["accelerator_instructions"], 10);
  EXPECT_EQ(json["control_core_instructions"], 400);
  EXPECT_EQ(json["inferences"], 1);
  EXPECT_EQ(json["queues"].size(), 9U);
  EXPECT_EQ(json["queues"]["PE"]["instructions"], 4);
  EXPECT_EQ(json["queues"]["PE"]["busy_cycles"], 50);
  EXPECT_EQ(json["queues"]["PE"]["stalled_cycles"], 20);
  EXPECT_DOUBLE_EQ(json["queues"]["PE"]["utilisation"], 0.5);
  EXPECT_EQ(json["queues"]["LD"]["bytes"], 128);
  EXPECT_EQ(json["queues"]["VP"]["instructions"], 0);
}

TEST(Statistics, RunsOfABootFollowEachOther) {
  Statistics statistics;
  statistics.add(finished(1000, 1100, 400), true);
  statistics.add(finished(1150, 1250, 401), false);
  const nlohmann::json json = json_of(statistics);
  EXPECT_EQ(json["end_cycle"], 250);
  EXPECT_EQ(json["boot_cycles"], 1000);
  EXPECT_EQ(json["control_core_instructions"], 801);
  EXPECT_EQ(json["runs"][1]["start_cycle"], 150);
  EXPECT_DOUBLE_EQ(json["queues"]["PE"]["utilisation"], 100.0 / 250);
}

TEST(Statistics, ANewBootGoesOnWhereTheLastOneEnded) {
  Statistics statistics;
  statistics.add(finished(1000, 1100, 400), true);
  statistics.add(finished(70, 190, 400), true);
  EXPECT_EQ(statistics.end_cycle(), 100U + 120U);
  EXPECT_EQ(json_of(statistics)["runs"][1]["start_cycle"], 100);
}

TEST(Statistics, ABoardThatCannotCountGivesNull) {
  Statistics statistics;
  statistics.add(finished(0, 100, UINT64_MAX), true);
  EXPECT_TRUE(json_of(statistics)["control_core_instructions"].is_null());
  EXPECT_TRUE(json_of(statistics)["runs"][0]["control_core_instructions"].is_null());
}

TEST(Statistics, SleepClocksCoresAndRetries) {
  Outcome job = finished(1000, 1100, 20);
  job.cores = 2;
  job.first_core = 1;
  job.retried = 3;
  job.clocked_cycles = 80;
  Statistics statistics;
  statistics.device_cores = 4;
  statistics.multiply_accumulates = 5000;
  statistics.add(job, true);
  const nlohmann::json json = json_of(statistics);
  EXPECT_DOUBLE_EQ(json["asleep"], 0.6);       // 20 instructions of 2 cycles each leave 60 of 100 cycles for sleep
  EXPECT_DOUBLE_EQ(json["clock_gated"], 0.8);  // of 4 * 100 cycles, the four cores have a clock in 80 and none in 320
  EXPECT_DOUBLE_EQ(json["macs_per_cycle"], 50);
  EXPECT_DOUBLE_EQ(json["instructions_per_dispatch"], 2);
  EXPECT_DOUBLE_EQ(json["queues"]["PE"]["utilisation"], 0.25);  // PE is busy for 50 of the two cores' 2 * 100 cycles
  EXPECT_EQ(json["dram_bytes"], 128);
  EXPECT_EQ(json["retries"], 3);
  EXPECT_EQ(json["tile_cores"], 4);
  EXPECT_EQ(json["task_cores"], 2);
  EXPECT_TRUE(json["ecc_corrected"].is_null());
  EXPECT_EQ(json["runs"][0]["first_core"], 1);
  std::ostringstream out;
  write_statistics_text(out, statistics);
  EXPECT_THAT(out.str(),
              testing::HasSubstr("50 multiply-accumulates a cycle; 2 of 4 tile cores, without a clock 80.0 % of the time; control "
                                 "core asleep 60.0 %; begun again 3 times\n"));
}

TEST(Statistics, SleepIsOfTheTimeInWhichInstructionsWereCounted) {
  // The run takes 100 cycles. After its end, the control core takes 20 more cycles to handle the last completion (counting_cycles). In
  // these 120 cycles it executes 60 instructions of 2 cycles each, so it never sleeps.
  Outcome job = finished(1000, 1100, 60);
  job.counting_cycles = 20;
  Statistics statistics;
  statistics.add(job, true);
  EXPECT_DOUBLE_EQ(json_of(statistics)["asleep"], 0);
  job.counting_cycles = 60;
  statistics.add(job, true);
  EXPECT_DOUBLE_EQ(json_of(statistics)["asleep"], 1 - 240.0 / 280);
  EXPECT_EQ(json_of(statistics)["end_cycle"], 200);
}

TEST(Statistics, AnInstructionOfTheControlCoreTakesItsTime) {
  Statistics statistics;
  statistics.add(finished(1000, 1100, 20), true);
  EXPECT_EQ(json_of(statistics)["control_core_ns"], 2);
  statistics.instruction_nanoseconds = 4;
  EXPECT_EQ(json_of(statistics)["control_core_ns"], 4);
  EXPECT_DOUBLE_EQ(json_of(statistics)["asleep"], 0.2);  // 20 instructions of 4 cycles each leave 20 of 100 cycles for sleep
  statistics.add(finished(1100, 1200, UINT64_MAX), false);
  EXPECT_TRUE(json_of(statistics)["control_core_ns"].is_null());
}

TEST(Statistics, RunsOfSeveralImages) {
  task::Task task;
  task.tensors = {{.name = "x", .shape = {16, 3, 8, 8}}, {.name = "y", .shape = {16, 1, 1, 10}}};
  EXPECT_EQ(images_of(task), 16U);
  task.tensors[1].shape[0] = 4;
  EXPECT_EQ(images_of(task), 1U);
  EXPECT_EQ(images_of(task::Task{}), 1U);
  Statistics statistics;
  statistics.images = 16;
  for (const std::uint64_t start : {0U, 200U, 400U, 600U}) statistics.add(finished(start, start + 100, 10), start == 0);
  EXPECT_EQ(json_of(statistics)["inferences"], 4);
  EXPECT_EQ(json_of(statistics)["images"], 64);
  std::ostringstream out;
  write_statistics_text(out, statistics);
  EXPECT_THAT(out.str(), testing::StartsWith("4 runs of 16 images each, 700 cycles, 40 accelerator instructions"));
}

TEST(Statistics, WhatEccCorrected) {
  firmware::job::FaultEntry corrected{}, failed{}, doorbell{};
  corrected.fault = failed.fault = static_cast<std::uint8_t>(hal::FaultCode::ecc);
  corrected.action = doorbell.action = static_cast<std::uint8_t>(hal::FaultAction::corrected);
  corrected.detail = 3;
  failed.detail = 0x1000;  // an address, not a count
  doorbell.detail = 7;     // an index, not a count
  const std::vector<firmware::job::FaultEntry> entries = {corrected, failed, doorbell, corrected};
  firmware::job::FaultReading head{};
  head.faults = 4;
  std::vector<std::byte> reading(sizeof(head) + sizeof(entries[0]) * entries.size());
  std::memcpy(reading.data(), &head, sizeof(head));
  std::memcpy(reading.data() + sizeof(head), entries.data(), sizeof(entries[0]) * entries.size());
  EXPECT_EQ(corrected_errors(reading), 6U);
  EXPECT_EQ(corrected_errors(std::span(reading).first(sizeof(head) + sizeof(entries[0]))), 3U);  // the head says 4 entries, but 1 was read
  EXPECT_EQ(corrected_errors({}), 0U);
}

TEST(Statistics, TextLeavesOutWhatDidNothing) {
  Statistics statistics;
  statistics.add(finished(1000, 1100, 400), true);
  std::ostringstream out;
  write_statistics_text(out, statistics);
  EXPECT_THAT(out.str(),
              testing::HasSubstr("1 inference, 100 cycles, 10 accelerator instructions, 400 control core instructions (40.0 each)"));
  EXPECT_THAT(out.str(), testing::HasSubstr("\nPE "));
  EXPECT_THAT(out.str(), Not(testing::HasSubstr("\nVP ")));
}

}  // namespace
}  // namespace cox::tools::run
