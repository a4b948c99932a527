/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot-code.h - which function a process runs most: samples of the CPUs by their innermost frame, since the
 * last reset
 *
 * Samples of all tasks are counted, also of those that are not shown: the culprit of a finding may be one.
 */
#ifndef RS_STACKS_HOT_CODE_H
#define RS_STACKS_HOT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringside/sample.h"

#define RS_HOT_CODE_MAX 65536u   /* places of the code, by thread */

struct rs_hot_code_counts;
struct rs_symbolizer;

/* The symbolizer outlives it. NULL: no memory. */
struct rs_hot_code_counts *rs_hot_code_new(struct rs_symbolizer *symbolizer);
void rs_hot_code_free(struct rs_hot_code_counts *h);
void rs_hot_code_reset(struct rs_hot_code_counts *h);
/* comm: of the process, RS_COMM_LEN bytes. module, offset: as the symbolizer has them. */
void rs_hot_code_add(struct rs_hot_code_counts *h, int32_t pid, int32_t tid, const char *comm,
		     uint32_t module, uint64_t offset);

/*
 * rs_hot_code_find - finds the function that most samples of the asked threads are in
 *
 * False: too few samples, or none that is in a tenth of them for certain. See rs_hot_code in sample.h.
 */
bool rs_hot_code_find(struct rs_hot_code_counts *h, const struct rs_hot_code_asked *asked,
		      struct rs_hot_code *code);

#endif
