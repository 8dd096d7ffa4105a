// SPDX-License-Identifier: MIT
#include "tools/run/jobs/workload.h"

#include <gmock/gmock.h>

#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/file/file.h"
#include "tools/registry/registry.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/run/tile/task_program.h"

namespace cox::tools::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class WorkloadTest : public testing::Test {
 protected:
  WorkloadTest() { tools::write_file(image_, task::build_image(copy_task())); }

  std::string file(const char *name, std::size_t size) const {
    tools::write_file(folder_.file(name), counting(size));
    return folder_.file(name);
  }
  Workload read(const std::vector<FileBinding> &inputs, const std::vector<FileBinding> &windows = {}, std::size_t repeat = 0) const {
    return read_workload(program_formats(), image_, inputs, windows, repeat);
  }
  void expect_failure(ExitCode code, const testing::Matcher<const char *> &message, const std::vector<FileBinding> &inputs,
                      const std::vector<FileBinding> &windows = {}, std::size_t repeat = 0) const {
    try {
      static_cast<void>(read(inputs, windows, repeat));
      FAIL() << "accepted";
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code(), code);
      EXPECT_THAT(failure.what(), message);
    }
  }

  TemporaryFolder folder_;
  std::string image_ = folder_.file("copy.cxt");
};

TEST_F(WorkloadTest, OneInference) {
  const Workload workload = read({{"x", file("x", 128)}});
  EXPECT_EQ(workload.inferences, 1U);
  EXPECT_EQ(workload.program->name(), "copy");
  EXPECT_EQ(workload.inputs.at(0), counting(128));
}

TEST_F(WorkloadTest, AFileOfSeveralInputsIsSeveralInferences) { EXPECT_EQ(read({{"x", file("x", 5 * 128)}}).inferences, 5U); }

TEST_F(WorkloadTest, Repeat) { EXPECT_EQ(read({{"x", file("x", 128)}}, {}, 7).inferences, 7U); }

TEST_F(WorkloadTest, AStreamIsAssembled) {
  tools::write_file(folder_.file("bare.jsonl"), kCopyStream);
  const Workload workload = read_workload(program_formats(), folder_.file("bare.jsonl"), {}, {}, 0);
  const JobProgram::Interface &program = workload.program->interface();
  EXPECT_EQ(task::parse_image(program.image, "bare.cxt").instructions.size(), 7U);
  ASSERT_EQ(program.windows.size(), 1U);
  EXPECT_EQ(program.windows[0].size, 256U);
  EXPECT_EQ(workload.program->name(), "bare");
}

TEST_F(WorkloadTest, AMissingImageIsNamed) {
  try {
    static_cast<void>(read_workload(program_formats(), folder_.file("none.cxt"), {}, {}, 0));
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code(), ExitCode::bad_input);
    EXPECT_THAT(failure.what(), HasSubstr("none.cxt"));
  }
}

TEST_F(WorkloadTest, AMissingInputFileIsNamed) {
  expect_failure(ExitCode::bad_input, HasSubstr("nowhere"), {{"x", folder_.file("nowhere")}});
}

TEST_F(WorkloadTest, AWrongSizeNamesTensorExpectedAndActual) {
  expect_failure(ExitCode::failed, AllOf(HasSubstr("'x' takes 128 bytes"), HasSubstr("the file has 127")), {{"x", file("x", 127)}});
  expect_failure(ExitCode::failed, HasSubstr("the file has 0"), {{"x", file("x", 0)}});
  expect_failure(ExitCode::failed, HasSubstr("the file has 300"), {{"x", file("x", 300)}});
  // Both repetitions use the same 128 bytes, so a file with 256 is refused.
  expect_failure(ExitCode::failed, HasSubstr("the file has 256"), {{"x", file("x", 256)}}, {}, 2);
}

TEST_F(WorkloadTest, AnUnknownTensorNamesThoseThatThereAre) {
  expect_failure(ExitCode::usage, AllOf(HasSubstr("--in z"), HasSubstr("it has: x")), {{"z", file("x", 128)}});
  expect_failure(ExitCode::usage, HasSubstr("--in y"), {{"y", file("x", 128)}});  // y is an output, not an input
  EXPECT_THROW(static_cast<void>(output_named(*program_of(copy_task()), "x")), Failure);
  EXPECT_EQ(output_named(*program_of(copy_task()), "y").offset, 128U);
}

TEST_F(WorkloadTest, AnInputThatIsNotGiven) {
  expect_failure(ExitCode::usage, HasSubstr("'x' (128 bytes) is not given: --in x=FILE, or --zero-inputs for zero bytes"), {});
}

TEST_F(WorkloadTest, AnInputThatIsNotGivenCanBeZero) {
  const auto read = [this](const std::vector<FileBinding> &inputs, std::size_t repeat) {
    return read_workload(program_formats(), image_, inputs, {}, repeat, {}, MissingInputs::zero);
  };
  EXPECT_EQ(read({}, 0).inputs.at(0), std::vector<std::uint8_t>(128));
  EXPECT_EQ(read({}, 0).inferences, 1U);
  EXPECT_EQ(read({}, 3).inferences, 3U);
  EXPECT_EQ(read({{"x", file("x", 128)}}, 0).inputs.at(0), counting(128));
}

TEST_F(WorkloadTest, AnInputThatIsGivenTwice) {
  expect_failure(ExitCode::usage, HasSubstr("given twice"), {{"x", file("x", 128)}, {"x", file("x", 128)}});
}

TEST_F(WorkloadTest, Windows) {
  const Workload workload = read({{"x", file("x", 128)}}, {{"0", file("w", 200)}});
  EXPECT_EQ(workload.contents.at(0), counting(200));
  expect_failure(ExitCode::failed, AllOf(HasSubstr("window 0 has 256 bytes"), HasSubstr("the file has 257")), {{"x", file("x", 128)}},
                 {{"0", file("w", 257)}});
  expect_failure(ExitCode::usage, HasSubstr("--window 1"), {{"x", file("x", 128)}}, {{"1", file("w", 1)}});
  expect_failure(ExitCode::usage, HasSubstr("given twice"), {{"x", file("x", 128)}}, {{"0", file("w", 1)}, {"0", file("w", 1)}});
  expect_failure(ExitCode::bad_input, HasSubstr("nowhere"), {{"x", file("x", 128)}}, {{"0", folder_.file("nowhere")}});
}

TEST_F(WorkloadTest, AWindowWithConstantsIsTheImages) {
  task::Task task = copy_task();
  task.windows.push_back({.index = 1, .size = 64, .writable = false});
  task.constants.push_back({.window = 1, .offset = 0, .data = counting(64)});
  tools::write_file(image_, task::build_image(task));
  expect_failure(ExitCode::usage, HasSubstr("--window 1: the image says what stands there"), {{"x", file("x", 128)}},
                 {{"1", file("w", 64)}});
}

TEST_F(WorkloadTest, InputsOfDifferentNumbersOfInferences) {
  task::Task task = copy_task();
  task.tensors.push_back({.name = "w", .direction = task::Direction::input, .shape = {1, 8, 1, 1}, .window = 0, .offset = 0, .size = 8});
  tools::write_file(image_, task::build_image(task));
  EXPECT_EQ(read({{"x", file("x", 256)}, {"w", file("w", 8)}}).inferences, 2U);  // both inferences use one `w`
  expect_failure(ExitCode::failed, AllOf(HasSubstr("'w' has values for 3 inferences"), HasSubstr("'x' for 2")),
                 {{"x", file("x", 256)}, {"w", file("w", 24)}});
}

TEST(ParseBinding, NameAndFile) {
  EXPECT_EQ(parse_binding("image=a=b", "--in").name, "image");
  EXPECT_EQ(parse_binding("image=a=b", "--in").file, "a=b");
  for (const char *bad : {"image", "=file", "image=", ""}) EXPECT_THROW(static_cast<void>(parse_binding(bad, "--in")), Failure) << bad;
}

}  // namespace
}  // namespace cox::tools::run
