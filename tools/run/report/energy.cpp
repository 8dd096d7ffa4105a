// SPDX-License-Identifier: MIT
#include "tools/run/report/energy.h"

#include <nlohmann/json.hpp>

#include "tools/command/failure.h"
#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/json/parse.h"

namespace cox::tools::run {

std::optional<std::uint64_t> energy_of_file(const std::string &path) {
  try {
    const nlohmann::json engines = parse_json(read_file(path), path);
    std::optional<std::uint64_t> sum;
    for (const auto &[engine, parts] : engines.items()) {
      for (const auto &[part, femtojoules] : parts.items()) sum = sum.value_or(0) + femtojoules.get<std::uint64_t>();
    }
    return sum;
  } catch (const FileError &error) {
    throw Failure(ExitCode::failed, std::string("the energy of the run: ") + error.what());
  }
}

}  // namespace cox::tools::run
