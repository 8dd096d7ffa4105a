// SPDX-License-Identifier: MIT
// `cox run` of a TensorFlow Lite model: its input and output files, and its inferences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/tflite/kernel_sets.h"
#include "tools/tflite/model_file.h"
#include "tools/tflite/session.h"

namespace cox::tools::tflite {

/// A tensor and its file, as NAME=FILE. The name is the number of the input or output, or the tensor's name.
struct TensorBinding {
  std::string name, file;
};

/// Throws Failure(bad_task) that names each operator without a kernel, if there is one.
void check_operators(const std::string &path, ModelFile &file, const KernelSet &set);

class ModelRun {
 public:
  /// Reads the inputs and checks the names of the outputs. `repeat`: number of inferences with one input; 0: the inputs determine the
  /// number. `zero_inputs`: an input that is missing has zero bytes. Throws Failure: usage (a tensor that the model does not have, is given
  /// twice or is missing), failed (wrong type, shape, size or number of inferences); FileError. `file` must outlive the run.
  ModelRun(const ModelFile &file, const std::vector<TensorBinding> &inputs, const std::vector<TensorBinding> &outputs, std::size_t repeat,
           bool zero_inputs = false);

  [[nodiscard]] std::size_t inferences() const { return inferences_; }

  /// Runs all inferences. Throws Failure(failed) if one fails, or if repeated ones differ.
  void run(Session &session);
  /// Writes the outputs that have files. Throws OutputError.
  void write_outputs() const;

 private:
  void complete_inputs(bool zero_inputs);

  struct Output {
    std::size_t index;
    std::string file;
  };
  [[nodiscard]] format::TensorView tensor(std::int32_t index) const { return model_.tensor(static_cast<std::size_t>(index)); }

  const format::Model &model_;
  std::size_t inferences_ = 1;
  bool repeats_ = false;
  std::vector<std::vector<std::uint8_t>> inputs_;   ///< of each input, one value or one for each inference
  std::vector<std::vector<std::uint8_t>> results_;  ///< of each output, of all inferences; of one if they repeat
  std::vector<Output> outputs_;
};

}  // namespace cox::tools::tflite
