// SPDX-License-Identifier: MIT
// Models on the native board as `cox run` runs them: files, results beside the reference, times of operators, and each refusal.
#include "tools/tflite/model_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "tests/tflite/model_builder.h"
#include "tests/tflite/reference/evaluation.h"
#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/npy/npy.h"
#include "tools/tflite/layer_report.h"
#include "tools/tflite/tensor_file.h"

namespace cox::tests::tflite_model_run {
namespace {

using namespace cox::tools;          // NOLINT(google-build-using-namespace)
using namespace cox::tools::tflite;  // NOLINT(google-build-using-namespace)
using testing::HasSubstr;
using tflite_models::ModelParts;
using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  for (std::uint8_t &byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Returns the message of the error that `call` throws, behind its exit code.
template <typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Failure &failure) {
    return std::to_string(static_cast<int>(failure.code())) + " " + failure.what();
  } catch (const FileError &error) {
    return std::to_string(static_cast<int>(ExitCode::bad_input)) + " " + error.what();
  }
  return "no error";
}

/// A folder with a model and files of tensors.
class ModelRunTest : public testing::Test {
 protected:
  ModelRunTest() : folder_(testing::TempDir() + "model_run_test_" + std::to_string(getpid()) + "/") {
    std::filesystem::create_directories(folder_);
  }
  ~ModelRunTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string &name) const { return folder_ + name; }

  ModelFile &open(const ModelParts &parts) {
    const tflite_models::File file(parts);
    write_file(path("model.tflite"), std::span(reinterpret_cast<const std::uint8_t *>(file.view().data()), file.view().size()));
    file_ = std::make_unique<ModelFile>(path("model.tflite"));
    return *file_;
  }
  [[nodiscard]] format::TensorView input(std::size_t index) const {
    return file_->model().tensor(static_cast<std::size_t>(file_->model().inputs()[index]));
  }
  /// Writes a file of `name` with bytes for input `index`.
  std::string put(const std::string &name, const Bytes &bytes) {
    write_file(path(name), bytes);
    return path(name);
  }
  std::string put_array(const std::string &name, NpyType type, const std::vector<std::size_t> &shape) {
    std::size_t count = type.bytes;
    for (const std::size_t size : shape) count *= size;
    return put(name, npy_file({.type = type, .shape = shape, .bytes = random_bytes(count, 7)}));
  }
  [[nodiscard]] SessionSettings settings() const {
    const nlohmann::json options = {{"events", path("events")}};
    return {.model_options = options.dump(), .events = path("events")};
  }
  /// Returns the error of a run of the open model with these inputs, of which only the files are read.
  [[nodiscard]] std::string refusal(const std::vector<TensorBinding> &inputs, const std::vector<TensorBinding> &outputs = {},
                                    std::size_t repeat = 0) const {
    const std::string text = error_of([&] { const ModelRun run(*file_, inputs, outputs, repeat); });
    const std::size_t at = text.find(folder_);
    return at == std::string::npos ? text : text.substr(0, at) + text.substr(at + folder_.size());
  }

  /// Runs a model for two inferences, and compares all outputs with the reference.
  void compare(const ModelParts &parts, unsigned units = 1) {
    ModelFile &file = open(parts);
    const format::Model &model = file.model();
    const KernelSet &set = kernel_sets().front();
    check_operators("model.tflite", file, set);
    std::vector<TensorBinding> inputs, outputs;
    std::vector<Bytes> values;
    for (std::size_t i = 0; i < model.inputs().size(); ++i) {
      values.push_back(random_bytes(2 * input(i).bytes, static_cast<unsigned>(i)));
      inputs.push_back({std::to_string(i), put("in" + std::to_string(i), values.back())});
    }
    for (std::size_t i = 0; i < model.outputs().size(); ++i) outputs.push_back({std::to_string(i), path("out" + std::to_string(i))});
    ModelRun run(file, inputs, outputs, 0);
    ASSERT_EQ(run.inferences(), 2U);
    SessionSettings with_units = settings();
    with_units.units = units;
    const std::unique_ptr<Session> session = set.open(file, with_units);
    run.run(*session);
    run.write_outputs();
    sizes_ = session->sizes();
    times_ = session->finish();
    ASSERT_EQ(times_.size(), 2U);
    std::vector<Bytes> expected(model.outputs().size());
    for (std::size_t inference = 0; inference < 2; ++inference) {
      tflite_reference::Evaluation evaluation(model);
      for (std::size_t i = 0; i < values.size(); ++i)
        evaluation.set(model.inputs()[i], std::span(values[i]).subspan(inference * input(i).bytes, input(i).bytes));
      ASSERT_TRUE(evaluation.run());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const Bytes &bytes = evaluation.bytes(model.outputs()[i]);
        expected[i].insert(expected[i].end(), bytes.begin(), bytes.end());
      }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(read_file(outputs[i].file), expected[i]) << "output " << i;
  }

  std::string folder_;
  std::unique_ptr<ModelFile> file_;
  std::vector<InferenceTime> times_;
  Session::Sizes sizes_;
};

TEST_F(ModelRunTest, GivesTheBytesOfTheReference) {
  compare(tflite_models::convolution_and_add());
  ASSERT_EQ(times_.front().layers.size(), 2U);
  const LayerTime &convolution = times_.front().layers[0], &sum = times_.front().layers[1];
  EXPECT_EQ(convolution.start, 0U);
  EXPECT_GT(convolution.end, 0U);
  EXPECT_GE(sum.start, convolution.end);
  EXPECT_EQ(sum.end, times_.front().cycles);
  EXPECT_GT(convolution.dram_bytes, 0U);
  EXPECT_EQ(sum.instructions, 1U);
}

TEST_F(ModelRunTest, ReportsEachOperator) {
  compare(tflite_models::convolution_and_add());
  const LayerReport report =
      report_of("m.tflite", *file_, {.arena_bytes = 1024, .constant_bytes = 64, .program_bytes = 500, .instructions = 2}, times_);
  const std::string text = text_of(report);
  EXPECT_THAT(text, HasSubstr("0  CONV_2D   1x5x5x4"));
  EXPECT_THAT(text, HasSubstr("1,800"));
  EXPECT_THAT(text, HasSubstr("arena 1,024 bytes, constants 64 bytes, program 500 bytes"));
  EXPECT_THAT(text, HasSubstr("2 inferences of"));
  const nlohmann::json json = json_of(report);
  EXPECT_EQ(json["operators"][0]["name"], "CONV_2D");
  EXPECT_EQ(json["operators"][0]["multiply_accumulates"], 1800);
  EXPECT_EQ(json["operators"][1]["end_cycle"], json["inference_cycles"][0]);
  std::ostringstream picture;
  write_picture(picture, report);
  EXPECT_THAT(picture.str(), HasSubstr("0 CONV_2D"));
  EXPECT_THAT(picture.str(), HasSubstr("1 ADD"));
}

TEST_F(ModelRunTest, ReportsTheUnitsOfEachOperator) {
  compare(tflite_models::all_operators(), 8);
  std::set<unsigned> units;
  for (const LayerTime &layer : times_.front().layers) {
    for (const UnitTime &time : layer.units) {
      units.insert(time.unit);
      EXPECT_GE(time.start, layer.start);
      EXPECT_LE(time.end, layer.end);
    }
    EXPECT_EQ(layer.units.empty(), layer.instructions == 0);
  }
  EXPECT_GE(units.size(), 2U);
  const LayerReport report = report_of("m.tflite", *file_, sizes_, times_);
  EXPECT_EQ(json_of(report)["units"], 8);
  EXPECT_EQ(json_of(report)["operators"][0]["units"][0]["unit"], times_.front().layers[0].units[0].unit);
  EXPECT_THAT(text_of(report), HasSubstr("DRAM bytes  units"));
  std::ostringstream picture;
  write_picture(picture, report);
  EXPECT_THAT(picture.str(), HasSubstr("unit 7"));
  EXPECT_THAT(picture.str(), HasSubstr(" on unit 1"));
}

TEST_F(ModelRunTest, ReportsTheLimitsOfTheUnits) {
  ModelFile &file = open(tflite_models::convolution_and_add());
  SessionSettings two = settings();
  two.units = 2;
  const nlohmann::json geometry = {{"unity_units", 4}, {"unity_macs_per_cycle", 64}, {"unity_dram_bytes_per_cycle", 32}};
  two.model_options = nlohmann::json({{"events", path("events")}, {"geometry", geometry}}).dump();
  const nlohmann::json json = json_of(report_of("m.tflite", file, kernel_sets().front().open(file, two)->sizes(), {}));
  EXPECT_EQ(json["peak_macs_per_cycle"], 2 * 64);  // of the units that run the model
  EXPECT_EQ(json["dram_bytes_per_cycle"], 32);
}

TEST_F(ModelRunTest, ChecksTheUnitsOfTheDevice) {
  ModelFile &file = open(tflite_models::convolution_and_add());
  SessionSettings small = settings();
  small.units = 3;
  small.model_options = nlohmann::json({{"events", path("events")}, {"geometry", {{"unity_units", 2}}}}).dump();
  EXPECT_EQ(error_of([&] { kernel_sets().front().open(file, small); }), "4 --units 3: the device has 2");
}

TEST_F(ModelRunTest, ReadsAndWritesArrays) {
  ModelFile &file = open(tflite_models::convolution_and_add());
  const std::string first = put_array("a.npy", {'i', 1}, {3, 5, 5, 2}), second = put_array("b.npy", {'i', 1}, {1, 5, 5, 4});
  ModelRun run(file, {{"0", first}, {"1", second}}, {{"0", path("out.npy")}}, 0);
  EXPECT_EQ(run.inferences(), 3U);
  const std::unique_ptr<Session> session = kernel_sets().front().open(file, settings());
  run.run(*session);
  run.write_outputs();
  const NpyArray array = read_npy(path("out.npy"));
  EXPECT_EQ(array.type, (NpyType{'i', 1}));
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{3, 5, 5, 4}));
}

TEST_F(ModelRunTest, RepeatsOneInput) {
  ModelFile &file = open(tflite_models::convolution_and_add());
  const std::string first = put("a", random_bytes(50, 1)), second = put("b", random_bytes(100, 2));
  ModelRun run(file, {{"0", first}, {"1", second}}, {{"0", path("out.npy")}}, 4);
  const std::unique_ptr<Session> session = kernel_sets().front().open(file, settings());
  run.run(*session);
  run.write_outputs();
  EXPECT_EQ(session->finish().size(), 4U);
  EXPECT_EQ(read_npy(path("out.npy")).shape, (std::vector<std::size_t>{1, 5, 5, 4}));
}

TEST_F(ModelRunTest, MissingInputsCanBeZero) {
  ModelFile &file = open(tflite_models::convolution_and_add());
  const std::string first = put("a", random_bytes(50, 1)), zeros = put("b", Bytes(100)), given = path("given"), missing = path("missing");
  const auto write = [&](const std::vector<TensorBinding> &inputs, const std::string &output) {
    ModelRun run(file, inputs, {{"0", output}}, 0, true);
    const std::unique_ptr<Session> session = kernel_sets().front().open(file, settings());
    run.run(*session);
    run.write_outputs();
  };
  write({{"0", first}, {"1", zeros}}, given);
  write({{"0", first}}, missing);
  EXPECT_EQ(read_file(missing), read_file(given));
}

TEST_F(ModelRunTest, FindsTensorsByNumberAndByName) {
  ModelParts parts = tflite_models::convolution_and_add();
  parts.tensors[static_cast<std::size_t>(parts.inputs[0])].name = "image";
  parts.tensors[static_cast<std::size_t>(parts.inputs[1])].name = "offset";
  open(parts);
  const std::string first = put("a", Bytes(50)), second = put("b", Bytes(100));
  EXPECT_EQ(refusal({{"image", first}, {"1", second}}), "no error");
  EXPECT_EQ(refusal({{"imag", first}}),
            "2 --in imag: the model has no such input; it has: 0 (image, int8 1x5x5x2); 1 (offset, int8 1x5x5x4); did you mean \"image\"?");
  EXPECT_EQ(refusal({{"2", first}}), "2 --in 2: the model has no such input; it has: 0 (image, int8 1x5x5x2); 1 (offset, int8 1x5x5x4)");
  EXPECT_EQ(refusal({{"0", first}, {"image", first}}), "2 --in image is given twice");
  EXPECT_EQ(refusal({{"0", first}}),
            "2 input 1 (offset, int8 1x5x5x4, 100 bytes) is not given: --in 1=FILE, or --zero-inputs for zero bytes");
  EXPECT_THAT(refusal({{"0", first}, {"1", second}}, {{"1", "x"}}), HasSubstr("2 --out 1: the model has no such output; it has: 0 ("));
}

TEST_F(ModelRunTest, RefusesFilesThatDoNotFit) {
  open(tflite_models::convolution_and_add());
  const std::string second = put("b", Bytes(100));
  const auto message = [&](const std::string &file) { return refusal({{"0", file}, {"1", second}}); };
  EXPECT_EQ(message(put("short", Bytes(49))),
            "4 short: input 0 takes 50 bytes (or several times as many, one inference each); the file has 49");
  EXPECT_EQ(message(put("none", Bytes())), "4 none: input 0 takes 50 bytes (or several times as many, one inference each); the file has 0");
  EXPECT_EQ(message(put_array("f.npy", {'f', 4}, {1, 5, 5, 2})),
            "4 f.npy: input 0 takes int8; the file has float32; quantise it: value / 0.5 + -3, rounded");
  EXPECT_EQ(message(put_array("u.npy", {'u', 1}, {1, 5, 5, 2})), "4 u.npy: input 0 takes int8; the file has uint8");
  EXPECT_EQ(message(put_array("s.npy", {'i', 1}, {5, 5, 2})),
            "4 s.npy: input 0 takes the shape 1x5x5x2 (for N inferences Nx5x5x2); the file has 5x5x2");
  EXPECT_EQ(message(put_array("t.npy", {'i', 1}, {1, 2, 5, 5})),
            "4 t.npy: input 0 takes the shape 1x5x5x2 (for N inferences Nx5x5x2); the file has 1x2x5x5");
  EXPECT_THAT(message(put_array("z.npy", {'i', 1}, {0, 5, 5, 2})), HasSubstr("the file has 0x5x5x2"));
  EXPECT_EQ(message(put("raw.npy", Bytes(50))), "3 raw.npy: this is no .npy file");
  EXPECT_THAT(message(path("absent")), HasSubstr("3 absent: No such file"));
  EXPECT_EQ(message(put_array("n.npy", {'i', 1}, {4, 1, 5, 5, 2})), "no error");
}

TEST_F(ModelRunTest, RefusesDifferentNumbersOfInferences) {
  open(tflite_models::convolution_and_add());
  const std::string two = put("two", Bytes(100)), three = put("three", Bytes(300)), one = put("one", Bytes(100));
  EXPECT_THAT(refusal({{"0", two}, {"1", three}}), HasSubstr("4 three: values for 3 inferences, but "));
  EXPECT_EQ(refusal({{"0", two}, {"1", one}}), "no error");
  EXPECT_EQ(refusal({{"0", two}, {"1", one}}, {}, 5), "4 two: values for 2 inferences; with --repeat it is one");
}

TEST_F(ModelRunTest, NamesAllOperatorsWithoutAKernelBeforeTheRun) {
  ModelParts parts = tflite_models::convolution_and_add();
  for (tflite_models::CodePart &code : parts.codes) code.code = 32;
  parts.codes[1].custom = "My\nOp";
  ModelFile &file = open(parts);
  EXPECT_EQ(error_of([&] { check_operators("m.tflite", file, kernel_sets().front()); }),
            "1 m.tflite: 2 of 2 operators have no kernel for unity:\n  CUSTOM: operator 0: there is no kernel\n"
            "  CUSTOM My?Op: operator 1: there is no kernel");
}

TEST_F(ModelRunTest, NamesTheOperatorOfAFault) {
  ModelFile &file = open(tflite_models::convolution_and_add());
  const std::string first = put("a", Bytes(50)), second = put("b", Bytes(100));
  write_file(path("plan.txt"), std::string_view("bus_error queue=UNITY access=12\n"));
  SessionSettings faulty = settings();
  faulty.model_options = nlohmann::json({{"events", path("events")}, {"faults", path("plan.txt")}}).dump();
  ModelRun run(file, {{"0", first}, {"1", second}}, {}, 0);
  const std::unique_ptr<Session> session = kernel_sets().front().open(file, faulty);
  EXPECT_THAT(error_of([&] { run.run(*session); }), HasSubstr("4 operator 1 (ADD): instruction 1 (ELE_ADD"));
}

TEST_F(ModelRunTest, NamesTheOperatorOfAFaultOnAnyUnit) {
  ModelFile &file = open(tflite_models::all_operators());
  std::vector<TensorBinding> inputs;
  for (std::size_t i = 0; i < file.model().inputs().size(); ++i)
    inputs.push_back({std::to_string(i), put("in" + std::to_string(i), random_bytes(input(i).bytes, 1))});
  SessionSettings faulty = settings();
  faulty.units = 8;
  faulty.model_options = nlohmann::json({{"events", path("events")}, {"faults", path("plan.txt")}}).dump();
  // Instructions of these operators, and COND, which gives further keys.
  const std::map<std::string, std::string> instructions = {{"MAXIMUM", "MAX"},     {"MINIMUM", "MIN"}, {"RELU", "ELE_ADD"},
                                                           {"LOGISTIC", "GATHER"}, {"TANH", "GATHER"}, {"CONV_2D", "CONV2D"}};
  std::set<std::string> seen;
  for (unsigned access = 30; access < 250; access += 3) {
    write_file(path("plan.txt"), std::string_view("bus_error queue=UNITY access=" + std::to_string(access) + "\n"));
    ModelRun run(file, inputs, {}, 0);
    const std::unique_ptr<Session> session = kernel_sets().front().open(file, faulty);
    const std::string text = error_of([&] { run.run(*session); });
    for (const auto &[op, instruction] : instructions) {
      if (text.find("(" + op + ")") == std::string::npos) continue;
      EXPECT_THAT(text, testing::AnyOf(HasSubstr("(" + instruction + ")"), HasSubstr("(COND)")));
      seen.insert(op);
    }
  }
  EXPECT_GE(seen.size(), 4U);
}

}  // namespace
}  // namespace cox::tests::tflite_model_run
