/* SPDX-License-Identifier: MIT */
/*
 * What Coxswain uses of CMSIS-Core for the Cortex-M55, under CMSIS-Core's names, so that the real headers can take its place
 * (CMake option COX_CMSIS_DIR). Only target builds use this file. The Arm v8-M Architecture Reference Manual, D1.2, describes the
 * registers and their bits.
 *
 * Device headers include this file behind their IRQn_Type and macros such as __NVIC_PRIO_BITS. Functions take interrupt numbers as int32_t,
 * to which each IRQn_Type converts. Negative numbers are system exceptions.
 */
#ifndef HAL_CMSIS_CORE_CM55_H
#define HAL_CMSIS_CORE_CM55_H

#include <stdint.h>

#define __I volatile const
#define __O volatile
#define __IO volatile
#define __IM volatile const
#define __OM volatile
#define __IOM volatile

#ifndef __NVIC_PRIO_BITS
#define __NVIC_PRIO_BITS 3U
#endif
#ifndef __ICACHE_PRESENT
#define __ICACHE_PRESENT 0U
#endif
#ifndef __DCACHE_PRESENT
#define __DCACHE_PRESENT 0U
#endif

/* ---- Compiler ------------------------------------------------------------------------------------------------------------ */

#ifndef __ASM
#define __ASM __asm
#define __INLINE inline
#define __STATIC_INLINE static inline
#define __STATIC_FORCEINLINE __attribute__((always_inline)) static inline
#define __NO_RETURN __attribute__((__noreturn__))
#define __USED __attribute__((used))
#define __WEAK __attribute__((weak))
#define __PACKED __attribute__((packed, aligned(1)))
#define __ALIGNED(x) __attribute__((aligned(x)))
#endif

/* Names of start-up code and of the linker's layout. */
#define __INITIAL_SP __StackTop
#define __STACK_LIMIT __StackLimit
#define __VECTOR_TABLE __Vectors
#define __VECTOR_TABLE_ATTRIBUTE __attribute__((used, section(".vectors")))

/* ---- Instructions -------------------------------------------------------------------------------------------------------- */

static inline void __DMB(void) { __asm volatile("dmb 0xf" ::: "memory"); }
static inline void __DSB(void) { __asm volatile("dsb 0xf" ::: "memory"); }
static inline void __ISB(void) { __asm volatile("isb 0xf" ::: "memory"); }
static inline void __WFI(void) { __asm volatile("wfi" ::: "memory"); }
static inline void __WFE(void) { __asm volatile("wfe" ::: "memory"); }
static inline void __SEV(void) { __asm volatile("sev" ::: "memory"); }
static inline void __NOP(void) { __asm volatile("nop"); }
static inline void __disable_irq(void) { __asm volatile("cpsid i" ::: "memory"); }
static inline void __enable_irq(void) { __asm volatile("cpsie i" ::: "memory"); }

static inline uint32_t __get_PRIMASK(void) {
  uint32_t value;
  __asm volatile("mrs %0, primask" : "=r"(value)::"memory");
  return value;
}
static inline void __set_PRIMASK(uint32_t value) { __asm volatile("msr primask, %0" ::"r"(value) : "memory"); }

static inline uint32_t __get_IPSR(void) {
  uint32_t value;
  __asm volatile("mrs %0, ipsr" : "=r"(value));
  return value;
}

static inline uint32_t __get_MSP(void) {
  uint32_t value;
  __asm volatile("mrs %0, msp" : "=r"(value));
  return value;
}

static inline void __set_MSPLIM(uint32_t value) { __asm volatile("msr msplim, %0" ::"r"(value)); }

/* ---- System control block ------------------------------------------------------------------------------------------------ */

typedef struct {
  __IM uint32_t CPUID; /* 0x00 */
  __IOM uint32_t ICSR;
  __IOM uint32_t VTOR;
  __IOM uint32_t AIRCR;
  __IOM uint32_t SCR; /* 0x10 */
  __IOM uint32_t CCR;
  __IOM uint8_t SHPR[12]; /* 0x18 */
  __IOM uint32_t SHCSR;   /* 0x24 */
  __IOM uint32_t CFSR;
  __IOM uint32_t HFSR;
  __IOM uint32_t DFSR; /* 0x30 */
  __IOM uint32_t MMFAR;
  __IOM uint32_t BFAR;
  __IOM uint32_t AFSR;
  uint32_t RESERVED0[14]; /* 0x40: identification */
  __IM uint32_t CLIDR;    /* 0x78 */
  __IM uint32_t CTR;
  __IM uint32_t CCSIDR; /* 0x80 */
  __IOM uint32_t CSSELR;
  __IOM uint32_t CPACR; /* 0x88 */
  __IOM uint32_t NSACR;
  uint32_t RESERVED1[112]; /* 0x90 */
  __OM uint32_t ICIALLU;   /* 0x250 */
  uint32_t RESERVED2;
  __OM uint32_t ICIMVAU;
  __OM uint32_t DCIMVAC; /* 0x25c */
  __OM uint32_t DCISW;
  __OM uint32_t DCCMVAU;
  __OM uint32_t DCCMVAC; /* 0x268 */
  __OM uint32_t DCCSW;
  __OM uint32_t DCCIMVAC; /* 0x270 */
  __OM uint32_t DCCISW;
} SCB_Type;

#ifndef SCB_BASE /* A test has the registers elsewhere. */
#define SCB_BASE (0xE000ED00UL)
#endif
#define SCB ((SCB_Type *)SCB_BASE)

#define SCB_ICSR_PENDSTSET_Pos 26U
#define SCB_ICSR_PENDSTSET_Msk (1UL << SCB_ICSR_PENDSTSET_Pos)
#define SCB_AIRCR_VECTKEY_Pos 16U
#define SCB_AIRCR_SYSRESETREQ_Pos 2U
#define SCB_AIRCR_SYSRESETREQ_Msk (1UL << SCB_AIRCR_SYSRESETREQ_Pos)
#define SCB_CCR_IC_Pos 17U
#define SCB_CCR_IC_Msk (1UL << SCB_CCR_IC_Pos)
#define SCB_CCR_DC_Pos 16U
#define SCB_CCR_DC_Msk (1UL << SCB_CCR_DC_Pos)
#define SCB_CCR_DIV_0_TRP_Pos 4U
#define SCB_CCR_DIV_0_TRP_Msk (1UL << SCB_CCR_DIV_0_TRP_Pos)
#define SCB_SHCSR_USGFAULTENA_Pos 18U
#define SCB_SHCSR_USGFAULTENA_Msk (1UL << SCB_SHCSR_USGFAULTENA_Pos)
#define SCB_SHCSR_BUSFAULTENA_Pos 17U
#define SCB_SHCSR_BUSFAULTENA_Msk (1UL << SCB_SHCSR_BUSFAULTENA_Pos)
#define SCB_SHCSR_MEMFAULTENA_Pos 16U
#define SCB_SHCSR_MEMFAULTENA_Msk (1UL << SCB_SHCSR_MEMFAULTENA_Pos)
#define SCB_HFSR_DEBUGEVT_Pos 31U
#define SCB_HFSR_DEBUGEVT_Msk (1UL << SCB_HFSR_DEBUGEVT_Pos)
#define SCB_HFSR_FORCED_Pos 30U
#define SCB_HFSR_FORCED_Msk (1UL << SCB_HFSR_FORCED_Pos)
#define SCB_HFSR_VECTTBL_Pos 1U
#define SCB_HFSR_VECTTBL_Msk (1UL << SCB_HFSR_VECTTBL_Pos)
#define SCB_CCSIDR_NUMSETS_Pos 13U
#define SCB_CCSIDR_NUMSETS_Msk (0x7FFFUL << SCB_CCSIDR_NUMSETS_Pos)
#define SCB_CCSIDR_ASSOCIATIVITY_Pos 3U
#define SCB_CCSIDR_ASSOCIATIVITY_Msk (0x3FFUL << SCB_CCSIDR_ASSOCIATIVITY_Pos)
#define SCB_DCISW_WAY_Pos 30U
#define SCB_DCISW_WAY_Msk (3UL << SCB_DCISW_WAY_Pos)
#define SCB_DCISW_SET_Pos 5U
#define SCB_DCISW_SET_Msk (0x1FFUL << SCB_DCISW_SET_Pos)
#define SCB_CFSR_IACCVIOL_Msk (1UL << 0)
#define SCB_CFSR_DACCVIOL_Msk (1UL << 1)
#define SCB_CFSR_MUNSTKERR_Msk (1UL << 3)
#define SCB_CFSR_MSTKERR_Msk (1UL << 4)
#define SCB_CFSR_MLSPERR_Msk (1UL << 5)
#define SCB_CFSR_MMARVALID_Msk (1UL << 7)
#define SCB_CFSR_IBUSERR_Msk (1UL << 8)
#define SCB_CFSR_PRECISERR_Msk (1UL << 9)
#define SCB_CFSR_IMPRECISERR_Msk (1UL << 10)
#define SCB_CFSR_UNSTKERR_Msk (1UL << 11)
#define SCB_CFSR_STKERR_Msk (1UL << 12)
#define SCB_CFSR_LSPERR_Msk (1UL << 13)
#define SCB_CFSR_BFARVALID_Msk (1UL << 15)
#define SCB_CFSR_UNDEFINSTR_Msk (1UL << 16)
#define SCB_CFSR_INVSTATE_Msk (1UL << 17)
#define SCB_CFSR_INVPC_Msk (1UL << 18)
#define SCB_CFSR_NOCP_Msk (1UL << 19)
#define SCB_CFSR_STKOF_Msk (1UL << 20)
#define SCB_CFSR_UNALIGNED_Msk (1UL << 24)
#define SCB_CFSR_DIVBYZERO_Msk (1UL << 25)

/* ---- Interrupt controller ------------------------------------------------------------------------------------------------ */

typedef struct {
  __IOM uint32_t ISER[16]; /* 0x000 */
  uint32_t RESERVED0[16];
  __IOM uint32_t ICER[16]; /* 0x080 */
  uint32_t RESERVED1[16];
  __IOM uint32_t ISPR[16]; /* 0x100 */
  uint32_t RESERVED2[16];
  __IOM uint32_t ICPR[16]; /* 0x180 */
  uint32_t RESERVED3[16];
  __IOM uint32_t IABR[16]; /* 0x200 */
  uint32_t RESERVED4[16];
  __IOM uint32_t ITNS[16]; /* 0x280 */
  uint32_t RESERVED5[16];
  __IOM uint8_t IPR[496]; /* 0x300 */
} NVIC_Type;

#define NVIC_BASE (0xE000E100UL)
#define NVIC ((NVIC_Type *)NVIC_BASE)

static inline void NVIC_EnableIRQ(int32_t irqn) {
  if (irqn >= 0) {
    __asm volatile("" ::: "memory");
    NVIC->ISER[(uint32_t)irqn >> 5] = 1UL << ((uint32_t)irqn & 31U);
    __asm volatile("" ::: "memory");
  }
}
static inline void NVIC_DisableIRQ(int32_t irqn) {
  if (irqn >= 0) {
    NVIC->ICER[(uint32_t)irqn >> 5] = 1UL << ((uint32_t)irqn & 31U);
    __DSB();
    __ISB();
  }
}
static inline uint32_t NVIC_GetPendingIRQ(int32_t irqn) {
  return irqn >= 0 ? (NVIC->ISPR[(uint32_t)irqn >> 5] >> ((uint32_t)irqn & 31U)) & 1U : 0U;
}
static inline void NVIC_SetPendingIRQ(int32_t irqn) {
  if (irqn >= 0) NVIC->ISPR[(uint32_t)irqn >> 5] = 1UL << ((uint32_t)irqn & 31U);
}
static inline void NVIC_ClearPendingIRQ(int32_t irqn) {
  if (irqn >= 0) NVIC->ICPR[(uint32_t)irqn >> 5] = 1UL << ((uint32_t)irqn & 31U);
}
/* 0 is the most urgent. */
static inline void NVIC_SetPriority(int32_t irqn, uint32_t priority) {
  uint8_t field = (uint8_t)((priority << (8U - __NVIC_PRIO_BITS)) & 0xFFUL);
  if (irqn >= 0) {
    NVIC->IPR[(uint32_t)irqn] = field;
  } else {
    SCB->SHPR[((uint32_t)irqn & 0xFUL) - 4UL] = field;
  }
}
__attribute__((__noreturn__)) static inline void NVIC_SystemReset(void) {
  __DSB();
  SCB->AIRCR = (0x5FAUL << SCB_AIRCR_VECTKEY_Pos) | SCB_AIRCR_SYSRESETREQ_Msk;
  __DSB();
  for (;;) {
    __NOP();
  }
}

/* ---- Security extension, for code that is compiled with -mcmse ------------------------------------------------------------- */

#if defined(__ARM_FEATURE_CMSE) && __ARM_FEATURE_CMSE == 3U

#define SCB_AIRCR_VECTKEY_Msk (0xFFFFUL << SCB_AIRCR_VECTKEY_Pos)
#define SCB_AIRCR_BFHFNMINS_Msk (1UL << 13U)
#define SCB_AIRCR_SYSRESETREQS_Msk (1UL << 3U)
#define SCB_SHCSR_SECUREFAULTENA_Msk (1UL << 19U)
#define SCB_NSACR_CP10_Msk (1UL << 10U)
#define SCB_NSACR_CP11_Msk (1UL << 11U)

#define SCB_BASE_NS (0xE002ED00UL)
#define SCB_NS ((SCB_Type *)SCB_BASE_NS)

typedef struct {
  __IOM uint32_t CTRL; /* 0x00 */
  __IM uint32_t TYPE;
  __IOM uint32_t RNR;
  __IOM uint32_t RBAR;
  __IOM uint32_t RLAR; /* 0x10 */
  __IOM uint32_t SFSR;
  __IOM uint32_t SFAR;
} SAU_Type;

#define SAU_BASE (0xE000EDD0UL)
#define SAU ((SAU_Type *)SAU_BASE)
#define SAU_CTRL_ENABLE_Msk (1UL << 0U)
#define SAU_RBAR_BADDR_Msk (0xFFFFFFE0UL)
#define SAU_RLAR_LADDR_Msk (0xFFFFFFE0UL)
#define SAU_RLAR_NSC_Msk (1UL << 1U)
#define SAU_RLAR_ENABLE_Msk (1UL << 0U)
#define SAU_SFSR_INVEP_Msk (1UL << 0U)
#define SAU_SFSR_INVIS_Msk (1UL << 1U)
#define SAU_SFSR_INVER_Msk (1UL << 2U)
#define SAU_SFSR_AUVIOL_Msk (1UL << 3U)
#define SAU_SFSR_INVTRAN_Msk (1UL << 4U)
#define SAU_SFSR_LSPERR_Msk (1UL << 5U)
#define SAU_SFSR_SFARVALID_Msk (1UL << 6U)
#define SAU_SFSR_LSERR_Msk (1UL << 7U)

static inline void TZ_SAU_Enable(void) { SAU->CTRL |= SAU_CTRL_ENABLE_Msk; }
static inline void __TZ_set_MSP_NS(uint32_t value) { __asm volatile("msr msp_ns, %0" ::"r"(value)); }
/* 1: the interrupt is the non-secure state's. */
static inline uint32_t NVIC_SetTargetState(int32_t irqn) {
  if (irqn < 0) return 0U;
  NVIC->ITNS[(uint32_t)irqn >> 5] |= 1UL << ((uint32_t)irqn & 31U);
  return (NVIC->ITNS[(uint32_t)irqn >> 5] >> ((uint32_t)irqn & 31U)) & 1U;
}

#endif

/* ---- System timer -------------------------------------------------------------------------------------------------------- */

typedef struct {
  __IOM uint32_t CTRL;
  __IOM uint32_t LOAD;
  __IOM uint32_t VAL;
  __IM uint32_t CALIB;
} SysTick_Type;

#define SysTick_BASE (0xE000E010UL)
#define SysTick ((SysTick_Type *)SysTick_BASE)
#define SysTick_CTRL_CLKSOURCE_Msk (1UL << 2U)
#define SysTick_CTRL_TICKINT_Msk (1UL << 1U)
#define SysTick_CTRL_ENABLE_Msk (1UL << 0U)

/* ---- Memory protection unit ---------------------------------------------------------------------------------------------- */

typedef struct {
  __IM uint32_t TYPE;
  __IOM uint32_t CTRL;
  __IOM uint32_t RNR;
  __IOM uint32_t RBAR;
  __IOM uint32_t RLAR;
  uint32_t RESERVED0[7]; /* RBAR_A1 to RLAR_A3, and one reserved */
  __IOM uint32_t MAIR0;  /* 0x30 */
  __IOM uint32_t MAIR1;
} MPU_Type;

#define MPU_BASE (0xE000ED90UL)
#define MPU ((MPU_Type *)MPU_BASE)
#define MPU_TYPE_DREGION_Pos 8U
#define MPU_TYPE_DREGION_Msk (0xFFUL << MPU_TYPE_DREGION_Pos)
#define MPU_CTRL_ENABLE_Msk (1UL << 0U)
#define MPU_CTRL_HFNMIENA_Msk (1UL << 1U)
#define MPU_CTRL_PRIVDEFENA_Msk (1UL << 2U)

/* As in CMSIS-Core's mpu_armv8.h. Parameters of ARM_MPU_RBAR: SH is the shareability (0 none, 2 outer, 3 inner). RO, NP and XN are flags:
   1 makes the region read-only (RO), permits unprivileged access (NP), and forbids execution (XN). */
#define ARM_MPU_SH_NON (0U)
#define ARM_MPU_RBAR(BASE, SH, RO, NP, XN) \
  (((BASE)&0xFFFFFFE0UL) | (((SH)&3UL) << 3U) | ((((RO)&1UL) << 1U | ((NP)&1UL)) << 1U) | ((XN)&1UL))
#define ARM_MPU_RLAR(LIMIT, IDX) (((LIMIT)&0xFFFFFFE0UL) | (((IDX)&7UL) << 1U) | 1UL)

static inline void ARM_MPU_SetRegion(uint32_t rnr, uint32_t rbar, uint32_t rlar) {
  MPU->RNR = rnr;
  MPU->RBAR = rbar;
  MPU->RLAR = rlar;
}
static inline void ARM_MPU_ClrRegion(uint32_t rnr) {
  MPU->RNR = rnr;
  MPU->RLAR = 0U;
}
static inline void ARM_MPU_SetMemAttr(uint8_t idx, uint8_t attr) {
  uint32_t shift = (uint32_t)(idx & 3U) * 8U;
  __IOM uint32_t *mair = idx < 4U ? &MPU->MAIR0 : &MPU->MAIR1;
  *mair = (*mair & ~(0xFFUL << shift)) | ((uint32_t)attr << shift);
}
static inline void ARM_MPU_Enable(uint32_t control) {
  __DMB();
  MPU->CTRL = control | MPU_CTRL_ENABLE_Msk;
  __DSB();
  __ISB();
}
static inline void ARM_MPU_Disable(void) {
  __DMB();
  MPU->CTRL = MPU->CTRL & ~MPU_CTRL_ENABLE_Msk;
  __DSB();
  __ISB();
}

/* ---- Caches -------------------------------------------------------------------------------------------------------------- */

#define __SCB_DCACHE_LINE_SIZE 32U

/* Enables the instruction cache, after the invalidation of all of its lines: at power-on they are unknown (Arm v8-M, B6.3). */
static inline void SCB_EnableICache(void) {
#if __ICACHE_PRESENT == 1U
  if ((SCB->CCR & SCB_CCR_IC_Msk) != 0U) return;
  __DSB();
  __ISB();
  SCB->ICIALLU = 0U;
  __DSB();
  __ISB();
  SCB->CCR = SCB->CCR | SCB_CCR_IC_Msk;
  __DSB();
  __ISB();
#endif
}

/* Enables the data cache, after the invalidation of all sets and ways. The cache writes nothing back, so memory keeps its content. */
static inline void SCB_EnableDCache(void) {
#if __DCACHE_PRESENT == 1U
  uint32_t sizes, set, way;
  if ((SCB->CCR & SCB_CCR_DC_Msk) != 0U) return;
  SCB->CSSELR = 0U; /* the data cache of level 1 */
  __DSB();
  sizes = SCB->CCSIDR;
  set = (sizes & SCB_CCSIDR_NUMSETS_Msk) >> SCB_CCSIDR_NUMSETS_Pos; /* both sizes are less 1 */
  do {
    way = (sizes & SCB_CCSIDR_ASSOCIATIVITY_Msk) >> SCB_CCSIDR_ASSOCIATIVITY_Pos;
    do {
      SCB->DCISW = ((set << SCB_DCISW_SET_Pos) & SCB_DCISW_SET_Msk) | ((way << SCB_DCISW_WAY_Pos) & SCB_DCISW_WAY_Msk);
    } while (way-- != 0U);
  } while (set-- != 0U);
  __DSB();
  SCB->CCR = SCB->CCR | SCB_CCR_DC_Msk;
  __DSB();
  __ISB();
#endif
}

#endif
