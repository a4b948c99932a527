/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample-lines.h - a source of samples from readable lines
 *
 *	SAMPLES("100 cpu0 map 7 400000-401000 0 /bin/prog",      // process, addresses, offset, path
 *		"150 cpu0 fork 7 8", "160 cpu0 exec 8",
 *		"200 cpu0 sample 7/8 400010 400020 kernel ffffffff81000010",  // process/thread, then addresses, outermost first
 *		"250 cpu0 sample 7/8 period=4000 400010",                 // else 1000
 *		"260 cpu0 sample 7/8 counts=1000/2000/30 400010",         // so far: cycles, instructions, cache misses of its group, which is
 *		                                          // the CPU's; enabled=9 running=5: ns, else as late as it is
 *		"300 cpu1 lost 5",
 *		"400 cpu0 call 7/8 malloc 40",                   // process/thread, function, arguments
 *		"410 cpu0 return 7/8 malloc 7f00 400010 400020", // its result, then return addresses, outermost first
 *		"420 cpu0 missed 5",                             // calls and returns
 *		"430 cpu0 kalloc 7/8 slab 9000 20 40 cache=filp 400010 kernel ffffffff81000010", // address, bytes asked for, bytes taken, then as a sample
 *		"440 cpu0 kfree 0/0 slab 9000")                  // slab, kmalloc; of pages their bytes behind the address
 *
 * Numbers after the process are hex, those with a name decimal. Each CPU has a ring.
 */
#ifndef TEST_SAMPLE_LINES_H
#define TEST_SAMPLE_LINES_H

#include "source/perf/samples.h"

#define SAMPLES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* swaps: the records are of the other byte order. Closed by its ops. */
struct rs_sample_source *sample_lines_open(const char *const *lines, bool swaps);

#endif
