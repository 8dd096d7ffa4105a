// SPDX-License-Identifier: MIT
// All batches of the campaign. A seed runs on batch number `seed` modulo their count, so new ones come last.
#include <tuple>

#include "tests/faults/batch.h"

namespace cox::faults {

std::vector<NamedBatch> make_batches(const std::string &only) {
  std::vector<NamedBatch> batches;
  const auto add = [&](const std::string &name, const std::string &engine, std::unique_ptr<Batch> batch) {
    if (name.starts_with(only)) batches.push_back({name, engine, std::move(batch)});
  };
  for (const auto &[name, image, cores] : {std::tuple{"tile", COX_DIGITS, 1U}, std::tuple{"tile, two cores", COX_DIGITS, 2U},
                                           std::tuple{"tile, a task of two cores of four", COX_DIGITS_CORES, 4U}})
    add(name, "tile", make_tile_batch(image, COX_DIGITS_IMAGES, cores));
  add("mx", "mx", make_mx_batch(COX_DIGITS_MX_WEIGHTS));
  add("cube", "cube", make_cube_batch());
  add("dma", "dma", make_dma_batch());
  add("pim", "pim", make_pim_batch());
  add("unity", "unity", make_unity_batch());
  add("mixed", "mixed", make_mixed_batch());
  return batches;
}

}  // namespace cox::faults
