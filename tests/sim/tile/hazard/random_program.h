// SPDX-License-Identifier: MIT
// Small random tasks for tests of the hazard detector. Most of them have hazards.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/sim/tile/hazard/program.h"

namespace cox::model::hazard::test {

/// Loads, transforms and stores with a few overlapping addresses and random dependency bits.
inline Program random_program(std::mt19937 &random) {
  const auto draw = [&random](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  std::vector<std::string> lines = {start(), cut(4, 3, {"", R"("LD", "DT", "ST")"}), load_configuration(6), transform_configuration(6, 16),
                                    store_configuration(6)};
  bool first[3] = {true, true, true};
  const char *const names[3] = {"LD", "DT", "ST"};
  for (int i = 0; i < 12; ++i) {
    const int which = draw(3);
    Classes classes;
    if (first[which]) classes.previous = R"("CT")";
    first[which] = false;
    const int other = (which + 1 + draw(2)) % 3;
    if (draw(2) == 0) classes.next = text('"', names[other], '"');
    if (draw(3) == 0) classes.previous += text(classes.previous.empty() ? "" : ", ", '"', names[other], '"');
    const int a = draw(24) * 8;
    const int b = 4096 - 96 + draw(12) * 8;  // some wrap at the region's end
    if (which == 0) lines.push_back(load(a, draw(2) == 0 ? a : b, 1 + draw(6), classes));
    if (which == 1) lines.push_back(transform(a, draw(2) == 0 ? b : a + 96, 1 + draw(5), classes));
    if (which == 2) lines.push_back(store(draw(2) == 0 ? b : a, a, 1 + draw(6), classes));
  }
  lines.push_back(end());
  return Program(lines);
}

}  // namespace cox::model::hazard::test
