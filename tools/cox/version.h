// SPDX-License-Identifier: MIT
#pragma once

namespace cox::tools {

/// Returns, for example, `0.1.0, revision 0b4a48a91234`: the version, and the revision of the sources that `cox` was built from.
[[nodiscard]] const char *version_text();

}  // namespace cox::tools
