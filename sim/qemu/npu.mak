# SPDX-License-Identifier: GPL-2.0-or-later
# The devices of qemu-system-arm for Coxswain: only its own machines.
CONFIG_SEMIHOSTING=y
CONFIG_ARM_COMPATIBLE_SEMIHOSTING=y
CONFIG_NPU_SOC=y
