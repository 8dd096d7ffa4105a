// SPDX-License-Identifier: MIT
// Tests the command `cox run` itself: its options, messages and exit status.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/tools/run/small_task.h"
#include "tools/file/file.h"
#include "tools/run/boards/temporary_folder.h"

namespace cox::tools::run {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

struct Ended {
  int status;
  std::string output;
};

class CommandTest : public testing::Test {
 protected:
  CommandTest() {
    tools::write_file(path("copy.cxt"), task::build_image(copy_task()));
    tools::write_file(path("x"), counting(128));
  }
  std::string path(const char *name) const { return folder_.file(name); }

  // Runs the command and returns what it writes to both of its streams.
  Ended run(const std::string &arguments, const std::string &environment = "") const { return cox("run " + arguments, environment); }
  Ended cox(const std::string &arguments, const std::string &environment = "") const {
    const std::string command = "cd " + folder_.file(".") + " && " + environment + " " COX_COMMAND " " + arguments + " 2>&1";
    std::FILE *pipe = popen(command.c_str(), "r");
    Ended ended{-1, ""};
    std::array<char, 4096> text{};
    for (std::size_t got = 0; (got = std::fread(text.data(), 1, text.size(), pipe)) > 0;) ended.output.append(text.data(), got);
    const int status = pclose(pipe);
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return ended;
  }
  std::string text(const char *name) const {
    const std::vector<std::uint8_t> bytes = tools::read_file(path(name));
    return {bytes.begin(), bytes.end()};
  }

  TemporaryFolder folder_;
};

TEST_F(CommandTest, NativelyEverythingIsWritten) {
  const Ended ended =
      run("copy.cxt --in x=x --out y=y --board native --stats stats.json --events events.csv --trace trace.json --svg timeline.svg");
  ASSERT_EQ(ended.status, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("1 inference"));
  EXPECT_EQ(tools::read_file(path("y")), counting(128));
  EXPECT_EQ(nlohmann::json::parse(text("stats.json"))["accelerator_instructions"], 7);
  EXPECT_TRUE(nlohmann::json::parse(text("stats.json"))["control_core_instructions"].is_null());
  EXPECT_THAT(text("events.csv"), AllOf(HasSubstr("index,core,class,name,start,end\n0,0,CT,ct_st,"), HasSubstr("\n6,0,CT,ct_ed,")));
  EXPECT_TRUE(nlohmann::json::parse(text("trace.json")).contains("traceEvents"));
  EXPECT_THAT(text("timeline.svg"), HasSubstr(">copy<"));
}

TEST_F(CommandTest, IdealDispatchReplaysATraceExactly) {
  // In this trace, an instruction starts when the previous one in its class and all instructions whose tokens it takes have ended.
  tools::write_file(path("trace.txt"),
                    timed_copy_stream({"[0, 38]", "[38, 73]", "[0, 21]", "[73, 173]", "[0, 20]", "[173, 300]", "[300, 331]"}));
  const Ended ended = run("copy.cxt --in x=x --board native --dispatch ideal --durations trace.txt --events events.csv --stats stats.json");
  ASSERT_EQ(ended.status, 0) << ended.output;
  EXPECT_EQ(text("events.csv"),
            "index,core,class,name,start,end\n0,0,CT,ct_st,0,38\n1,0,CT,ct_bc,38,73\n2,0,LD,lda_cfg,0,21\n3,0,LD,lda_mov,73,173\n"
            "4,0,ST,sta_cfg,0,20\n5,0,ST,sta_mov,173,300\n6,0,CT,ct_ed,300,331\n");
  EXPECT_EQ(nlohmann::json::parse(text("stats.json"))["end_cycle"], 331);
}

TEST_F(CommandTest, ABatch) {
  tools::write_file(path("many"), counting(5 * 128));
  const Ended ended = run("copy.cxt --in x=many --out y=y --board native --stats stats.json --quiet");
  ASSERT_EQ(ended.status, 0) << ended.output;
  EXPECT_EQ(ended.output, "");
  EXPECT_EQ(tools::read_file(path("y")), counting(5 * 128));
  EXPECT_EQ(nlohmann::json::parse(text("stats.json"))["inferences"], 5);
}

TEST_F(CommandTest, RepeatWritesOneOutput) {
  const Ended ended = run("copy.cxt --in x=x --out y=y --board native --repeat 3 --stats stats.json");
  ASSERT_EQ(ended.status, 0) << ended.output;
  EXPECT_EQ(tools::read_file(path("y")), counting(128));
  EXPECT_EQ(nlohmann::json::parse(text("stats.json"))["runs"].size(), 3U);
}

TEST_F(CommandTest, InputsThatAreZero) {
  const Ended ended = run("copy.cxt --zero-inputs --out y=y --board native");
  ASSERT_EQ(ended.status, 0) << ended.output;
  EXPECT_EQ(tools::read_file(path("y")), std::vector<std::uint8_t>(128));
}

TEST_F(CommandTest, LimitsOfTheDeviceAreInTheStatistics) {
  const Ended ended =
      run("copy.cxt --in x=x --board native --stats stats.json --cores 2 --option geometry.pe_rows=4 "
          "--option geometry.dram_bytes_per_1024_cycles=8448");
  ASSERT_EQ(ended.status, 0) << ended.output;
  const nlohmann::json stats = nlohmann::json::parse(text("stats.json"));
  EXPECT_EQ(stats["peak_macs_per_cycle"], 2048);  // the task has one of the two cores: 8 * 4 elements, each 64 a cycle
  EXPECT_EQ(stats["dram_bytes_per_cycle"], 8.25);
  EXPECT_TRUE(stats["energy_femtojoules"].is_null());  // the tile cores' model has no energy
  EXPECT_TRUE(stats["control_core_ns"].is_null());
}

TEST_F(CommandTest, TheEnergyOfAllRunsIsInTheStatistics) {
  // Only instructions take energy, 7 fJ each.
  tools::write_file(path("pim.json"), std::string_view(R"({"energy": {"mac_bit": 0, "sram_read_byte": 0, "sram_write_byte": 0,
    "buffer_read_byte": 0, "buffer_write_byte": 0, "array_read_byte": 0, "array_write_byte": 0, "dram_byte": 0, "hop_byte": 0,
    "simd_element": 0, "output_element": 0, "instruction": 7, "leakage_cycle": 0}})"));
  tools::write_file(path("five.pim"), std::string_view(".core 0-1\n nop\n nop\n nop\n nop\n nop\n"));
  const std::string command = "five.pim --board native --configuration pim=pim.json --stats stats.json";
  const auto stats_of = [this](const std::string &arguments) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 0) << ended.output;
    return nlohmann::json::parse(text("stats.json"));
  };
  const nlohmann::json stats = stats_of(command);
  EXPECT_EQ(stats["energy_femtojoules"], 2 * 5 * 7);
  EXPECT_TRUE(stats["peak_macs_per_cycle"].is_null());
  EXPECT_TRUE(stats["dram_bytes_per_cycle"].is_null());
  EXPECT_EQ(stats_of(command + " --repeat 3")["energy_femtojoules"], 3 * 2 * 5 * 7);
  EXPECT_EQ(stats_of(command + " --option energy=own.json")["energy_femtojoules"], 2 * 5 * 7);
  EXPECT_EQ(nlohmann::json::parse(text("own.json"))["pim"]["instructions"], 2 * 5 * 7);
}

TEST_F(CommandTest, IdealUnderQemuIsRefusedWithTheReason) {
  const Ended ended = run("copy.cxt --in x=x --dispatch ideal");
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("--dispatch ideal"), HasSubstr("use --board native")));
}

TEST_F(CommandTest, WhatIsMissingIsNamed) {
  const Ended no_file = run("copy.cxt --in x=nowhere --board native");
  EXPECT_EQ(no_file.status, 3);
  EXPECT_THAT(no_file.output, HasSubstr("nowhere"));
  const Ended no_tensor = run("copy.cxt --in z=x --board native");
  EXPECT_EQ(no_tensor.status, 2);
  EXPECT_THAT(no_tensor.output, HasSubstr("it has: x"));
  const Ended no_output = run("copy.cxt --in x=x --out z=z --board native");
  EXPECT_EQ(no_output.status, 2);
  EXPECT_THAT(no_output.output, HasSubstr("it has: y"));
  const Ended no_qemu = run("copy.cxt --in x=x", "COX_QEMU=/nowhere/qemu");
  EXPECT_EQ(no_qemu.status, 4);
  EXPECT_THAT(no_qemu.output, AllOf(HasSubstr("/nowhere/qemu"), HasSubstr("COX_QEMU names this file")));
}

TEST_F(CommandTest, AWrongSize) {
  tools::write_file(path("short"), counting(100));
  const Ended ended = run("copy.cxt --in x=short --board native");
  EXPECT_EQ(ended.status, 4);
  EXPECT_THAT(ended.output, HasSubstr("'x' takes 128 bytes"));
}

TEST_F(CommandTest, ACorruptedImage) {
  std::vector<std::uint8_t> image = tools::read_file(path("copy.cxt"));
  image[image.size() / 2] ^= 1;
  tools::write_file(path("bad.cxt"), image);
  const Ended ended = run("bad.cxt --in x=x --board native");
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.output, HasSubstr("bad.cxt"));
}

TEST_F(CommandTest, WhatTheFirmwareRefusesIsSaidAsCheckSaysIt) {
  constexpr std::size_t kLoad = 3, kStore = 5;
  constexpr unsigned kLd = static_cast<unsigned>(isa::tile::Class::LD), kSt = static_cast<unsigned>(isa::tile::Class::ST);
  struct Broken {
    const char *sentence;
    void (*spoil)(task::Task &task);
  };
  const Broken all[] = {
      {"tokens_unbalanced: LD puts 1 token for ST, which takes 0\n",
       [](task::Task &task) { isa::insert_bits(task.instructions[kStore].code, isa::tile::kPreviousBit, isa::tile::kClasses, 0); }},
      {"instruction 3 (line 4, lda_mov): deadlock: it can never start: it waits for a token from ST\n",
       [](task::Task &task) {
         isa::insert_bits(task.instructions[kLoad].code, isa::tile::kPreviousBit + kSt, 1, 1);
         isa::insert_bits(task.instructions[kStore].code, isa::tile::kNextBit + kLd, 1, 1);
       }},
      {"instruction 3 (line 4, lda_mov): missing_configuration: no lda_cfg before it\n",
       [](task::Task &task) { std::swap(task.instructions[2], task.instructions[kLoad + 1]); }},
      {"instruction 3 (line 4, lda_mov): address_outside_window: STaddr: 128, the limit is 100\n",
       [](task::Task &task) {
         task.windows[0].size = 100;
         task.tensors.clear();
       }},
  };
  for (const Broken &broken : all) {
    task::Task task = copy_task();
    broken.spoil(task);
    tools::write_file(path("bad.cxt"), task::build_image(task));
    const Ended ran = run(std::string("bad.cxt --board native") + (task.tensors.empty() ? "" : " --in x=x"));
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.output, std::string("cox: copy: ") + broken.sentence);
    const Ended checked = cox("check bad.cxt");
    EXPECT_EQ(checked.status, 1);
    EXPECT_THAT(checked.output, HasSubstr(std::string("error: ") + broken.sentence));
  }
}

TEST_F(CommandTest, NoRoom) {
  task::Task task = copy_task();
  task.windows[0].size = std::uint64_t{2} << 30;
  tools::write_file(path("large.cxt"), task::build_image(task));
  const Ended ended = run("large.cxt --in x=x --board native");
  EXPECT_EQ(ended.status, 4);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("no room in DRAM"), HasSubstr("at most 1073741824")));
}

TEST_F(CommandTest, WrongModelOptionsAreToldByTheModel) {
  const Ended ended = run("copy.cxt --in x=x --board native --option colour=red");
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.output, HasSubstr("--option: there is no option 'colour'"));
  EXPECT_EQ(run("copy.cxt --in x=x --board native --option faults=7").status, 2);
}

TEST_F(CommandTest, WhatIsWrongIsNamed) {
  const auto checked = [this](const char *field, const char *other) {
    std::string stream(kCopyStream);
    stream.replace(stream.find(field), std::string_view(field).size(), other);
    tools::write_file(path("wrong.jsonl"), stream);
    return cox("check wrong.jsonl").output;
  };
  EXPECT_THAT(checked("\"DBSG\": 0", "\"DBSG\": 2"), HasSubstr("DTaddr: L2 region 2 is not defined: no ct_bc before it does so"));
  EXPECT_THAT(checked("\"DTaddr\": 128, \"Tile\": [1, 8, 4, 4]", "\"DTaddr\": 128, \"Tile\": [1, 8, 4, 8]"),
              AllOf(HasSubstr("shape_mismatch: Tile takes 8 of STile, which has 4"), HasSubstr("mend: make Tile and the shape")));

  // The task's only store to window 0 has a wrong shape, so `cox check` cannot tell which bytes it writes. The window still counts as
  // writable, because it holds the output tensor y. If the bindings file says that the window is read-only, that is an error.
  const std::string tensors =
      R"("tensors": [{"name": "y", "direction": "output", "format": "INT8", "shape": [1, 8, 4, 4], "window": 0, "offset": 128}]})";
  tools::write_file(path("wrong.bindings.json"), "{" + tensors);
  EXPECT_THAT(cox("check wrong.jsonl").output, AllOf(HasSubstr("1 error,"), HasSubstr("shape_mismatch")));
  tools::write_file(path("wrong.bindings.json"), R"({"windows": [{"index": 0, "size": 256}], )" + tensors);
  const Ended refused = cox("as wrong.jsonl -o wrong.cxt");
  EXPECT_EQ(refused.status, 3);
  EXPECT_THAT(refused.output, HasSubstr("wrong.bindings.json: tensors[0]: window: 'y' is an output in window 0, which is read-only"));
  tools::write_file(path("wrong.bindings.json"), std::string_view(R"({"constants": [{"window": 1, "file": "absent.bin"}]})"));
  EXPECT_THAT(cox("as wrong.jsonl -o wrong.cxt").output, HasSubstr("wrong.bindings.json: constants[0]: file: "));

  const Ended nowhere = cox("lower absent.json -o nowhere/x.jsonl");
  EXPECT_EQ(nowhere.status, 5);
  EXPECT_THAT(nowhere.output, HasSubstr("there is no folder 'nowhere'"));
  tools::write_file(path("jobs.stats.json"), std::string_view(R"({"asleep": null, "jobs": []})"));
  EXPECT_THAT(cox("stats jobs.stats.json jobs.stats.json").output, HasSubstr("statistics of cox run --jobs"));
  const Ended twice = run("copy.cxt --in x=two --repeat 2 --board native", "head -c 256 /dev/zero > two;");
  EXPECT_THAT(twice.output, HasSubstr("takes 128 bytes, and with --repeat it is that of one inference; the file has 256"));
}

TEST_F(CommandTest, APlanOfFaultsIsAnInput) {
  Ended ended = run("copy.cxt --in x=x --board native --option faults=absent.txt");
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.output, HasSubstr("fault plan 'absent.txt' cannot be opened"));
  tools::write_file(path("plan.txt"), std::string_view("bus_error queue=LD\n"));
  ended = run("copy.cxt --in x=x --board native --option faults=plan.txt");
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.output, HasSubstr("line 1"));
}

TEST_F(CommandTest, WhatAPlanOfFaultsCameTo) {
  tools::write_file(path("plan.txt"), std::string_view("bus_error queue=LD core=0 access=2\nbus_error queue=ST core=0 access=200\n"));
  const char *options = " --in x=x --board native --retries 2 --option faults=plan.txt";
  Ended ended = run(std::string("copy.cxt") + options);
  EXPECT_EQ(ended.status, 0) << ended.output;  // the run was retried
  EXPECT_THAT(ended.output, AllOf(HasSubstr("injected at "), Not(HasSubstr("not begun again")),
                                  HasSubstr("1 of the plan's 2 faults did not happen: bus_error queue=ST core=0 access=200")));
  ended = run(std::string("copy.cxt -q") + options);
  EXPECT_THAT(ended.output, Not(AnyOf(HasSubstr("injected at"), HasSubstr("did not happen"))));

  // The store overwrites the load's source, so the task cannot run again.
  std::string stream(kCopyStream);
  stream.replace(stream.find("\"DTaddr\": 128"), 13, "\"DTaddr\": 64");
  task::Task again = copy_task();
  again.instructions = task::read_stream(stream, "again.jsonl");
  tools::write_file(path("again.cxt"), task::build_image(again));
  ended = run(std::string("again.cxt") + options);
  EXPECT_EQ(ended.status, 4);
  EXPECT_THAT(ended.output, HasSubstr("; not begun again: the task reads DRAM that it writes"));
}

TEST_F(CommandTest, AnOutputThatCannotBeWritten) {
  const Ended ended = run("copy.cxt --in x=x --out y=/nowhere/y --board native");
  EXPECT_EQ(ended.status, 5);
  EXPECT_THAT(ended.output, HasSubstr("/nowhere/y"));
}

TEST_F(CommandTest, AnOutputThatCannotBeWrittenIsSaidBeforeTheRun) {
  const std::string no_board = "COX_QEMU=/nowhere/qemu";
  EXPECT_EQ(run("copy.cxt --in x=x --out y=y --svg y.svg", no_board).status, 4);
  for (const char *output : {"--out y=/nowhere/y", "--out y=.", "--out y=x/y", "--svg /nowhere/y", "--trace /nowhere/y",
                             "--stats /nowhere/y", "--events /nowhere/y"}) {
    EXPECT_EQ(run(std::string("copy.cxt --in x=x ") + output, no_board).status, 5) << output;
  }
}

TEST_F(CommandTest, AFullDiskLeavesTheOldOutputAndNothingElse) {
  tools::write_file(path("y"), std::string_view("old"));
  const Ended ended = run("copy.cxt --in x=x --out y=y --board native", "trap '' XFSZ; ulimit -f 0;");
  EXPECT_EQ(ended.status, 5) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("y: cannot be written"));
  EXPECT_EQ(text("y"), "old");
  EXPECT_FALSE(std::filesystem::exists(path("y.unfinished")));
}

TEST_F(CommandTest, InterruptedItLeavesNothingBehind) {
  const std::string temporary = path("temporary");
  std::filesystem::create_directory(temporary);
  const Ended ended =
      run("copy.cxt --in x=x --board native --repeat 400000 -q & sleep 0.5; kill -TERM $!; wait $!", "exec env TMPDIR=" + temporary);
  EXPECT_EQ(ended.status, 128 + 15) << ended.output;
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(CommandTest, JobsOfTwoOwners) {
  tools::write_file(path("jobs.json"), std::string_view(R"([{"task": "copy.cxt", "owner": 1, "inputs": {"x": "x"}, "outputs": {"y": "y1"}},
    {"task": "copy.cxt", "owner": 2, "inputs": {"x": "x"}, "outputs": {"y": "y2"}, "repeat": 2}])"));
  const Ended ended = run("--jobs jobs.json --board native --cores 2 --stats stats.json");
  ASSERT_EQ(ended.status, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("entry 1, inference 1: copy, owner 2, priority 0: core "), HasSubstr("3 jobs, 0 failed")));
  EXPECT_EQ(tools::read_file(path("y1")), counting(128));
  EXPECT_EQ(tools::read_file(path("y2")), counting(128));
  EXPECT_EQ(nlohmann::json::parse(text("stats.json"))["jobs"].size(), 3U);
  // One job takes too long and fails. The output of the other job is written nevertheless.
  tools::write_file(path("jobs.json"),
                    std::string_view(R"([{"task": "copy.cxt", "inputs": {"x": "x"}, "outputs": {"y": "y3"}, "time_limit_us": 100},
    {"task": "copy.cxt", "inputs": {"x": "x"}, "outputs": {"y": "y4"}}])"));
  const Ended slow = run("--jobs jobs.json --board native --option geometry.load_setup_cycles=1000000");
  EXPECT_EQ(slow.status, 4);
  EXPECT_THAT(slow.output, AllOf(HasSubstr("failed: "), HasSubstr("time_limit"), HasSubstr("1 of 2 jobs failed")));
  EXPECT_FALSE(std::filesystem::exists(path("y3")));
  EXPECT_EQ(tools::read_file(path("y4")), counting(128));
}

TEST_F(CommandTest, WhatDoesNotGoTogether) {
  for (const auto &[arguments, complaint] : std::vector<std::pair<const char *, const char *>>{
           {"--board native", "a task is missing, or --jobs"},
           {"copy.cxt --jobs jobs.json", "too much"},
           {"--jobs jobs.json --in x=x", "--in: not with --jobs"},
           {"--jobs jobs.json --zero-inputs", "--zero-inputs: not with --jobs; an entry of the file says it"},
           {"five.pim --step --zero-inputs", "--step: --zero-inputs has no meaning beside it"},
           {"five.pim --step --control-core-ns 4", "--step: --control-core-ns has no meaning beside it"},
           {"copy.cxt --in x=x --board native --control-core-ns 4", "--control-core-ns: natively the control core takes no time"},
           {"copy.cxt --in x=x --control-core-ns 3", "'3' is not one of 1, 2, 4, 8, 16, 32"},
           {"--jobs jobs.json --svg y.svg", "--svg: not with --jobs"},
           {"copy.cxt --in x=x --board native --cores 2 --option geometry.tile_cores=2", "--cores: --option geometry.tile_cores"},
           {"copy.cxt --in x=x --board native --option geometry=5", "'geometry' is not an object"},
           {"copy.cxt --in x=x --board native --firmware-trace --svg y.svg", "--firmware-trace: natively"},
           {"copy.cxt --in x=x --firmware-trace", "--firmware-trace: it goes into"},
           {"copy.cxt --in x=x --dispatch ideal --board qemu-npu-compact", "--dispatch ideal"},
           {"copy.cxt --in x=x --board native --image x.elf", "--image: natively the firmware is part of cox"},
           {"copy.cxt --in x=x --cores 5", "is not a number from"}}) {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_THAT(ended.output, HasSubstr(complaint)) << arguments;
  }
}

TEST_F(CommandTest, ABoardOfAnotherProject) {
  const std::string board = std::string(COX_SOURCE_DIR) + "/boards/qemu-npu-soc";
  for (const auto &[arguments, status, complaint] : std::vector<std::tuple<std::string, int, const char *>>{
           {board, 4, "needs the firmware image. Give the image that you have built for this board with --image"},
           {board + " --image nono.elf", 4, "'nono.elf' does not exist. --image names this file"},
           {path("."), 3, "board.json: the file does not exist; the folder of a board has its memory map in board.json"},
           {"nono", 2, "--board: 'nono' is not one of native, qemu"}}) {
    const Ended ended = run("copy.cxt --in x=x --board " + arguments);
    EXPECT_EQ(ended.status, status) << ended.output;
    // Without QEMU, its absence is named first.
    if (ended.output.find("QEMU with the machine") == std::string::npos) {
      EXPECT_THAT(ended.output, HasSubstr(complaint));
    }
  }
}

TEST_F(CommandTest, AnOptionTakesOneValueAndTheTaskFollows) {
  const Ended ended = run("--board native --in x=x --out y=y --option geometry.doorbell_latency=0 copy.cxt");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_EQ(tools::read_file(path("y")), counting(128));
}

TEST_F(CommandTest, LimitsOutOfRange) {
  for (const char *limit : {"--time-limit 0", "--time-limit -5", "--max-host-seconds 0", "--max-host-seconds -3"}) {
    const Ended ended = run(std::string("copy.cxt --in x=x ") + limit);
    EXPECT_EQ(ended.status, 2) << limit;
    EXPECT_THAT(ended.output, HasSubstr("is not a number from")) << limit;
    EXPECT_LT(ended.output.size(), 200U) << limit;
  }
}

}  // namespace
}  // namespace cox::tools::run
