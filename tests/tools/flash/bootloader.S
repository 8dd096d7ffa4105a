/* SPDX-License-Identifier: MIT */
/*
 * A bootloader that checks nothing, and behind it the slot with the signed image SIGNED: starts the image as MCUboot does.
 *
 * Registers: r0 vectors of the image, r1 what they say
 */
  .syntax unified
  .thumb
  .word 0x20001000
  .word start + 1
start:
  ldr r0, =0x10400
  ldr r1, [r0]
  msr msp, r1
  ldr r1, [r0, #4]
  bx r1
  .ltorg
  .org 0x10000
  .incbin SIGNED
