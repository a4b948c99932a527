/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu-case.h - what a rule about waits for a CPU judges */
#ifndef RS_WHY_CASES_CPU_CASE_H
#define RS_WHY_CASES_CPU_CASE_H

#include "ringside/plugin.h"
#include "why/evaluate.h"

/* How long each CPU was idle since the last reset: the state of the analysis that judges. */
struct rs_cpu_idle {
	uint64_t *idle_ns;
};

/* A process, its waits for a CPU, and who took most of these. */
struct rs_cpu_case {
	struct rs_case of;                  /* .e: who took most, NULL unknown */
	int free_cpu;                       /* -1: none */
	enum rs_throttling throttling;
	struct rs_throttled throttled;
	const char *group;                  /* whose quota it is; NULL: unknown */
	struct rs_weights weights;          /* of it and of who took most; zeros unknown */
	char texts[4][140];                 /* of slots */
};

/* Callbacks of an analysis with that state. */
int rs_cpu_case_begin(struct rs_ctx *c);
void rs_cpu_case_reset(struct rs_ctx *c);
void rs_cpu_case_on_idle(struct rs_ctx *c, const struct rs_interval *iv);

/* Fills the case of .of.b, but for what is asked of its cgroups. */
void rs_cpu_case_gather(struct rs_cpu_case *k);
/* Asks whether a quota of its cgroups holds it back, and whose. */
void rs_cpu_case_find_throttled(struct rs_cpu_case *k);
/* Were the processes there for most of the interval? */
bool rs_cpu_case_is_lasting(const struct rs_blame *b, uint64_t interval_ns);
/* Is its share of the CPU far below an equal one, compared with the main culprit's? */
bool rs_cpu_case_is_unfair(const struct rs_case *k);

#endif
