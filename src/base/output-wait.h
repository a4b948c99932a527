/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output-wait.h - this process waits for somebody to read what it has written
 *
 * A pager at its first page, a terminal stopped by Ctrl-S: then nothing moves, and nothing is wrong. A watchdog that looks for
 * stalled threads asks here first.
 */
#ifndef RS_BASE_OUTPUT_WAIT_H
#define RS_BASE_OUTPUT_WAIT_H

#include <stdbool.h>

void rs_output_wait_begin(void);
void rs_output_wait_end(void);
bool rs_output_waits(void);

#endif
