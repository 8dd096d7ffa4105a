// SPDX-License-Identifier: MIT
// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, Depth &to) {
  from("depth", to.source)("result_depth", to.result)("kernel_depth", to.kernel)("front", to.front)("back", to.back)(
      "stride_depth", to.stride)("enlarge_depth", to.enlarge)("source_step", to.source_step)("kernel_step", to.kernel_step);
}
/// The members of the planes stand beside those of the depth.
void fill(const JsonReader &from, VolumeConvolution &to) {
  fill(from, to.planes);
  fill(from, to.depth);
}
void fill(const JsonReader &from, VolumePool &to) {
  fill(from, to.planes);
  fill(from, to.depth);
}
void fill(const JsonReader &from, SectionPool &to) {
  from("op", to.op)("kind", to.kind)("source", to.source)("result", to.result);
  fill(from, to.depth);
}

}  // namespace

void add_volume_families(JsonFamilies &families) {
  families["VolumeConvolution"] = read_json_family<VolumeConvolution, fill>;
  families["VolumePool"] = read_json_family<VolumePool, fill>;
  families["SectionPool"] = read_json_family<SectionPool, fill>;
}

}  // namespace cox::test
