/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fail-on.h - what makes a comparison fail a check: "slower:syscall-latency>10%,new:locks" */
#ifndef RS_COMPARE_FAIL_ON_H
#define RS_COMPARE_FAIL_ON_H

#include "compare/change.h"
#include "compare/process.h"

/* Is it written as it should be? 0, or -1 with err set, which says what is wrong. */
int rs_fail_on_check(const char *text, struct rs_error *err);
/* How many of the processes, and of the rows of a view, it names. NULL names none. */
unsigned int rs_fail_on_processes(const char *text, const struct rs_process_list *list);
unsigned int rs_fail_on_changes(const char *text, const struct rs_change_list *list);

#endif
