// SPDX-License-Identifier: MIT
// Console output about the image itself, from its version record.
#include "coxswain/base/version.h"
#include "coxswain/base/image_version_text.h"
#include "coxswain/firmware/console/console.h"
#include "coxswain/firmware/console/text.h"

extern "C" {
// An image that cox_image() did not make has no record. One whose linker script does not keep the build id has no note.
extern const cox_image_version cox_image_version_record __attribute__((weak));
extern const cox_build_id_note linker_build_id __attribute__((weak));
}

namespace cox::firmware::console {

void print_version(std::string_view prefix) {
  if (&cox_image_version_record == nullptr) {
    return print(Text() << prefix << "version " << unsigned{COX_VERSION_MAJOR} << "." << unsigned{COX_VERSION_MINOR} << "."
                        << unsigned{COX_VERSION_PATCH} << ", in an image without a version record");
  }
  Text version;
  version << prefix;
  image_version::write_version(version, cox_image_version_record);
  print(version);
  Text build;
  build << prefix;
  image_version::write_build(build, cox_image_version_record, &linker_build_id);
  print(build);
}

}  // namespace cox::firmware::console
