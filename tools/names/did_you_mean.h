// SPDX-License-Identifier: MIT
// Makes the end of a message about an unknown name.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "coxswain/base/closest_name.h"

namespace cox::tools {

/// Returns `; did you mean "kernel"?` with the nearest of `names`, or an empty text if no name is near. `name_of` returns the name of an
/// element.
template <typename Names, typename Projection = std::identity>
[[nodiscard]] std::string did_you_mean(std::string_view typed, const Names &names, Projection name_of = {}) {
  ClosestName closest(typed);
  for (const auto &entry : names) closest.offer(std::string_view(std::invoke(name_of, entry)));
  if (closest.found().empty()) return {};
  return "; did you mean \"" + std::string(closest.found()) + "\"?";
}

}  // namespace cox::tools
