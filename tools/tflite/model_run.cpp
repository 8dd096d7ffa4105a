// SPDX-License-Identifier: MIT
#include "tools/tflite/model_run.h"

#include <fmt/format.h>

#include <charconv>
#include <span>

#include "tools/command/failure.h"
#include "tools/names/did_you_mean.h"
#include "tools/tflite/tensor_file.h"

namespace cox::tools::tflite {

namespace {

/// Inputs or outputs of a model, for messages.
struct Side {
  const char *option, *noun;
};
constexpr Side kIn = {"--in", "input"}, kOut = {"--out", "output"};

std::size_t find_tensor(const format::Model &model, std::span<const std::int32_t> tensors, const std::string &name, const Side &side) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = error == std::errc() && end == name.data() + name.size();
  if (is_number && number < tensors.size()) return number;
  std::vector<std::string> known;
  std::string all;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const format::TensorView tensor = model.tensor(static_cast<std::size_t>(tensors[i]));
    if (!is_number && tensor.name == name) return i;
    known.push_back(printable(tensor.name));
    all += fmt::format("{}{} ({}, {})", i == 0 ? "" : "; ", i, known.back(), tensor_text(tensor));
  }
  throw Failure(ExitCode::usage, fmt::format("{} {}: the model has no such {}; it has: {}{}", side.option, name, side.noun, all,
                                             is_number ? "" : did_you_mean(name, known)));
}

}  // namespace

void check_operators(const std::string &path, ModelFile &file, const KernelSet &set) {
  const format::ArenaPlan plan = file.plan(*set.kernels);
  std::string missing;
  std::size_t count = 0;
  for (std::size_t i = 0; i < file.model().operators(); ++i) {
    if (plan.is_alias(i)) continue;
    const Status status = set.kernels->check(file.model(), i).status;
    if (status) continue;
    missing += fmt::format("\n  {}: {}", name_of(file.model().op(i)), describe(status));
    ++count;
  }
  if (count > 0)
    throw Failure(ExitCode::bad_task, fmt::format("{}: {} of {} operators have no kernel for {}:{}", path, count, file.model().operators(),
                                                  set.engine, missing));
}

ModelRun::ModelRun(const ModelFile &file, const std::vector<TensorBinding> &inputs, const std::vector<TensorBinding> &outputs,
                   std::size_t repeat, bool zero_inputs)
    : model_(file.model()), repeats_(repeat > 0), inputs_(model_.inputs().size()), results_(model_.outputs().size()) {
  std::string first;  // the input that determined the number of inferences
  for (const TensorBinding &binding : inputs) {
    const std::size_t index = find_tensor(model_, model_.inputs(), binding.name, kIn);
    if (!inputs_[index].empty()) throw Failure(ExitCode::usage, fmt::format("--in {} is given twice", binding.name));
    const format::TensorView input = tensor(model_.inputs()[index]);
    inputs_[index] = read_tensor(binding.file, fmt::format("input {}", index), input);
    const std::size_t count = inputs_[index].size() / input.bytes;
    if (count == 1) continue;
    if (repeats_)
      throw Failure(ExitCode::failed, fmt::format("{}: values for {} inferences; with --repeat it is one", binding.file, count));
    if (!first.empty() && count != inferences_) {
      throw Failure(ExitCode::failed,
                    fmt::format("{}: values for {} inferences, but {} has values for {}", binding.file, count, first, inferences_));
    }
    first = binding.file;
    inferences_ = count;
  }
  complete_inputs(zero_inputs);
  for (const TensorBinding &binding : outputs)
    outputs_.push_back({find_tensor(model_, model_.outputs(), binding.name, kOut), binding.file});
  if (repeats_) inferences_ = repeat;
}

void ModelRun::complete_inputs(bool zero_inputs) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].empty()) continue;
    const format::TensorView input = tensor(model_.inputs()[i]);
    if (!zero_inputs)
      throw Failure(ExitCode::usage, fmt::format("input {} ({}, {}, {} bytes) is not given: --in {}=FILE, or --zero-inputs for zero bytes",
                                                 i, printable(input.name), tensor_text(input), input.bytes, i));
    inputs_[i].resize(input.bytes);
  }
}

void ModelRun::run(Session &session) {
  for (std::size_t inference = 0; inference < inferences_; ++inference) {
    std::vector<std::span<const std::uint8_t>> values;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const std::size_t bytes = tensor(model_.inputs()[i]).bytes;
      const std::span<const std::uint8_t> all = inputs_[i];
      values.push_back(all.size() == bytes ? all : all.subspan(inference * bytes, bytes));
    }
    const std::vector<std::vector<std::uint8_t>> outputs = session.run(values);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!repeats_ || inference == 0) {
        results_[i].insert(results_[i].end(), outputs[i].begin(), outputs[i].end());
      } else if (outputs[i] != results_[i]) {
        throw Failure(ExitCode::failed, fmt::format("inference {}: output {} differs from that of inference 0", inference, i));
      }
    }
  }
}

void ModelRun::write_outputs() const {
  for (const Output &output : outputs_)
    write_tensor(output.file, tensor(model_.outputs()[output.index]), results_[output.index], repeats_ ? 1 : inferences_);
}

}  // namespace cox::tools::tflite
