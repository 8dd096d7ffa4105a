// SPDX-License-Identifier: MIT
// Only this source is compiled again when the revision changes.
#include "tools/cox/version.h"

#include "cox_revision.h"

namespace cox::tools {

const char *version_text() { return COX_VERSION ", revision " COX_REVISION; }

}  // namespace cox::tools
