/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency-kinds.h - the kinds of spans that a task, or all, had in a time range, what cost most first
 *
 * The engine answers once with all of them (`kinds`). A state of tasks is a kind for each cause, such as
 * "disk": but not where another kind has the same waits with more about them, as futexes have.
 */
#ifndef RS_TUI_LATENCY_KINDS_H
#define RS_TUI_LATENCY_KINDS_H

#include "tui/latency/latency.h"

/*
 * Sorts what cost before what may have cost, then what is no wait, then what cost nothing; the most time
 * first. task: whose they are; NULL: of all. Returns how many.
 */
size_t rs_latency_kinds_read(const struct rs_kinds_reply *reply, const struct rs_catalogue *catalogue,
			     const struct rs_ink_task *task,
			     struct rs_latency_kind kinds[RS_LATENCY_MAX_KINDS]);
/* "run queue", "disk", "system call" */
const char *rs_latency_kinds_name(const struct rs_latency_kind *kind);
/* Whose color they have; what is no wait, such as a call, has that of any sleep. */
enum rs_category rs_latency_kinds_category(const struct rs_latency_kind *kind);
/* Makes `of` the spans of this kind, of the same task. */
void rs_latency_kinds_choose(const struct rs_latency_kind *kind, struct rs_latency_of *of);
/* The kind that `of` has spans of; NULL: none, or there are none of it. */
const struct rs_latency_kind *rs_latency_kinds_find(const struct rs_latency_kind *kinds, size_t nr,
						    const struct rs_latency_of *of);
/* The kind of a wait, whose time these kinds are of: what it waited for most; NULL: unknown. */
const struct rs_latency_kind *rs_latency_kinds_of_wait(const struct rs_latency_kind *kinds, size_t nr);
/* That cost most, of that category if there are any; RS_CATEGORY_RUN: of all. NULL: there are none. */
const struct rs_latency_kind *rs_latency_kinds_costliest(const struct rs_latency_kind *kinds, size_t nr,
							 enum rs_category category);
/* "futex 16  run queue 1,266  disk 3", the selected one marked. Returns the columns taken. */
int rs_latency_kinds_draw(const struct rs_latency_kind *kinds, size_t nr, const struct rs_latency_kind *at,
			  struct rs_canvas *c, struct rs_area line);

#endif
