// SPDX-License-Identifier: MIT
// The file of the option `energy` (docs/model.md, Options): what each engine has used, as JSON.
#pragma once

#include <fstream>
#include <memory>
#include <string>

#include "sim/model/device/surroundings.h"

namespace cox::model {

class EnergyFile {
 public:
  /// Opens the file for writing. Returns nullptr if that fails.
  [[nodiscard]] static std::unique_ptr<EnergyFile> create(const std::string &path);
  /// Writes the energy of `engines` and closes the file. Returns false if the file could not be written whole.
  [[nodiscard]] bool close(const Peers &engines);

 private:
  std::ofstream file_;
};

}  // namespace cox::model
