// SPDX-License-Identifier: MIT
// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, VolumeConvolution &to) { from("op", to.op); }
void fill(const JsonReader &from, VolumePool &to) { from("op", to.op); }
void fill(const JsonReader &from, SectionPool &to) { from("op", to.op); }

}  // namespace

void add_volume_families(JsonFamilies &families) {
  families["VolumeConvolution"] = read_json_family<VolumeConvolution, fill>;
  families["VolumePool"] = read_json_family<VolumePool, fill>;
  families["SectionPool"] = read_json_family<SectionPool, fill>;
}

}  // namespace cox::test
