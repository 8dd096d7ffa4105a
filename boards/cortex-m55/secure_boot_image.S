// SPDX-License-Identifier: MIT
// The secure image, as a section of the non-secure one. The linker puts it to the beginning of the board's code memory, where the core begins.
  .section .secure_boot, "a", %progbits
  .global secure_boot_image
secure_boot_image:
  .incbin SECURE_BOOT_IMAGE
