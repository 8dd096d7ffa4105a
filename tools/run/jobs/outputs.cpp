// SPDX-License-Identifier: MIT
#include "tools/run/jobs/outputs.h"

#include <algorithm>
#include <span>
#include <string>

#include "tools/command/failure.h"
#include "tools/file/file.h"

namespace cox::tools::run {

void write_outputs(const Workload &workload, const OutputBytes &bytes_of, const std::vector<FileBinding> &outputs, bool repeated) {
  for (const FileBinding &output : outputs) {
    const JobProgram::Tensor &tensor = output_named(*workload.program, output.name);
    const auto index = static_cast<std::size_t>(&tensor - workload.program->tensors().data());
    std::span<const std::uint8_t> bytes = bytes_of.at(index);
    if (repeated) bytes = bytes.first(tensor.size);
    write_file(output.file, bytes);
  }
}

void check_repetitions(const Workload &workload, const OutputBytes &bytes_of) {
  for (const auto &[index, bytes] : bytes_of) {
    const JobProgram::Tensor &tensor = workload.program->tensors()[index];
    for (std::size_t i = 1; i < workload.inferences; ++i) {
      if (!std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(tensor.size),
                      bytes.begin() + static_cast<std::ptrdiff_t>(i * tensor.size))) {
        throw Failure(ExitCode::failed,
                      "output '" + tensor.name + "': run " + std::to_string(i) + " differs from run 0 with the same input");
      }
    }
  }
}

}  // namespace cox::tools::run
