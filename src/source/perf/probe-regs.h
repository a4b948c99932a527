/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probe-regs.h - where a function has its arguments and its result: the registers of each architecture's
 * calling convention
 */
#ifndef RS_SOURCE_PERF_PROBE_REGS_H
#define RS_SOURCE_PERF_PROBE_REGS_H

#include <stdint.h>
#include <string.h>

#include "ringside/sample.h"

/* Numbers of asm/perf_regs.h. */
#if defined(__x86_64__)
#define RS_PROBE_REGS { 5, 4, 3, 2 } /* DI, SI, DX, CX */
#define RS_PROBE_ARGS_MASK 0x3cu
#define RS_PROBE_RESULT 0            /* AX */
#elif defined(__riscv) && __riscv_xlen == 64
#define RS_PROBE_REGS { 10, 11, 12, 13 } /* A0 to A3 */
#define RS_PROBE_ARGS_MASK 0x3c00u
#define RS_PROBE_RESULT 10
#else /* arm64; others refuse before they get here */
#define RS_PROBE_REGS { 0, 1, 2, 3 }
#define RS_PROBE_ARGS_MASK 0xfu
#define RS_PROBE_RESULT 0
#endif
#define RS_PROBE_RESULT_MASK (1u << RS_PROBE_RESULT)

#if defined(__x86_64__) || defined(__aarch64__) || (defined(__riscv) && __riscv_xlen == 64)
#define RS_PROBE_REGS_KNOWN true
#else
#define RS_PROBE_REGS_KNOWN false
#endif

/* regs: those of the mask, in the order of their numbers. */
static inline void rs_probe_regs_read(const uint8_t *regs, bool returns, uint64_t args[RS_PROBE_ARGS])
{
	static const unsigned int numbers[RS_PROBE_ARGS] = RS_PROBE_REGS;

	memset(args, 0, RS_PROBE_ARGS * sizeof *args);
	if (returns)
		memcpy(args, regs, sizeof *args);
	for (int i = 0; !returns && i < RS_PROBE_ARGS; i++)
		memcpy(&args[i],
		       regs + 8 * (size_t)__builtin_popcount(RS_PROBE_ARGS_MASK & ((1u << numbers[i]) - 1)),
		       sizeof *args);
}

#endif
