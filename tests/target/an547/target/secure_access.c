/* SPDX-License-Identifier: MIT */
/* A non-secure program that reads the secure boot image at the beginning of the code memory. The read is a SecureFault. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
  printf("reading the secure code\n");
  const volatile uint32_t *const vectors = (const volatile uint32_t *)SECURE_CODE;
  printf("read %08lx\n", (unsigned long)vectors[1]);
  return 0;
}
