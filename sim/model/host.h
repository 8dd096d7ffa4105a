// SPDX-License-Identifier: MIT
// The host's callbacks (sim/model/cox_model.h), as the model uses them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "sim/model/cox_model.h"

namespace cox::model {

class Host {
 public:
  explicit Host(const cox_host &callbacks) : callbacks_(callbacks) {}

  /// Returns plain memory of the guest, or nullptr if the range is not plain memory.
  [[nodiscard]] void *map(std::uint64_t address, std::uint64_t size) const { return callbacks_.map(callbacks_.opaque, address, size); }
  /// Returns false on a bus error.
  [[nodiscard]] bool read(std::uint64_t address, void *data, std::uint64_t size) const {
    return callbacks_.read(callbacks_.opaque, address, data, size) == 0;
  }
  [[nodiscard]] bool write(std::uint64_t address, const void *data, std::uint64_t size) const {
    return callbacks_.write(callbacks_.opaque, address, data, size) == 0;
  }
  void interrupt(std::uint32_t line, bool level) const { callbacks_.interrupt(callbacks_.opaque, line, level ? 1 : 0); }

  template <typename... Arguments>
  void error(fmt::format_string<Arguments...> format, Arguments &&...arguments) const {
    log(COX_LOG_ERROR, fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  template <typename... Arguments>
  void warning(fmt::format_string<Arguments...> format, Arguments &&...arguments) const {
    log(COX_LOG_WARNING, fmt::format(format, std::forward<Arguments>(arguments)...));
  }

 private:
  void log(int level, const std::string &text) const {
    if (callbacks_.log != nullptr) callbacks_.log(callbacks_.opaque, level, text.c_str());
  }

  cox_host callbacks_;
};

}  // namespace cox::model
