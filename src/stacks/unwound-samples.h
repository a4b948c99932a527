/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwound-samples.h - live samples whose stacks a thread of its own unwinds: --call-graph dwarf
 *
 *	rs_unwound_samples_open(&source->samples, &source->info);
 *	... a thread: rs_unwound_samples_run(source->samples);
 *	rs_unwound_samples_allow(source->samples);    // when the rights are given up
 *
 * The kernel's rings are the queue: when the thread is late they fill, and the kernel counts what it has no
 * room for. What comes out is a source of one ring, whose samples have addresses alone, in the order of time.
 */
#ifndef RS_STACKS_UNWOUND_SAMPLES_H
#define RS_STACKS_UNWOUND_SAMPLES_H

#include "source/source.h"

/* Returns the registers that a sample must have; 0: stacks of this machine's kind cannot be unwound. */
uint64_t rs_unwound_samples_regs(void);
/*
 * Replaces a source of samples with registers and stacks by one that owns it. info outlives it. Returns -1
 * without memory.
 */
int rs_unwound_samples_open(struct rs_sample_source **samples, const struct rs_trace_info *info);
/* The thread's body: returns when sampling has stopped, and all is unwound. */
void rs_unwound_samples_run(void *samples);
/*
 * Files of programs, which are untrusted, may be read from now on. Until then, and without it, samples are
 * lost.
 */
void rs_unwound_samples_allow(struct rs_sample_source *samples);

#endif
