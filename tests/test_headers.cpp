// SPDX-License-Identifier: MIT
// Nothing: the headers that tests share are compiled with it (CMakeLists.txt).
