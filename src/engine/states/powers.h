/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * powers.h - what the CPUs' idle states and frequencies add to tasks' times
 *
 * Where power:cpu_idle and power:cpu_frequency are recorded, and a history is kept. Bounded: of each CPU the
 * last changes; what is older, lost, or never told is not known, and adds nothing.
 */
#ifndef RS_ENGINE_POWERS_H
#define RS_ENGINE_POWERS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_ctx;

/*
 * Of the time from_ns to to_ns, in which the CPU was idle and a task waited for it: returns how long it took
 * to leave the idle state that it was in at from_ns. 0: it was in none, or it is not known. *is_deep: sysfs
 * tells that the state is a deep one.
 */
uint64_t rs_powers_exit_ns(const struct rs_ctx *c, unsigned int cpu, uint64_t from_ns, uint64_t to_ns,
			   bool *is_deep);

/* Returns how long the CPU ran at a low frequency between two times: see powers.c. */
uint64_t rs_powers_slow_ns(const struct rs_ctx *c, unsigned int cpu, uint64_t from_ns, uint64_t to_ns);

#endif
