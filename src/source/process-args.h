/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process-args.h - the command lines of processes: of a recording, or as they are read from /proc
 *
 * A table by process and name: after an exec a process has another name, and another row. Bounded: at most
 * RS_PROCESS_ARGS_MAX rows, RS_PROCESS_ARGS_BYTES of each, RS_PROCESS_ARGS_TEXT_BYTES of all. Any thread.
 */
#ifndef RS_SOURCE_PROCESS_ARGS_H
#define RS_SOURCE_PROCESS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringside/event.h"

#define RS_PROCESS_ARGS_BYTES 4096u /* of one, with its end: what is longer is cut */
#define RS_PROCESS_ARGS_MAX 16384u
#define RS_PROCESS_ARGS_TEXT_BYTES (8u << 20)

/* The command line of a process, as it was read, or asked for: it had that name then. Hostile bytes. */
struct rs_process_args {
	int32_t pid;
	char comm[RS_COMM_LEN];
	uint64_t read_ns;        /* in the trace's clock; 0: unknown */
	const char *text;
};

/* Whose command line is asked for: one that was read while it lived. */
struct rs_process {
	int32_t pid;
	const char *comm;
	uint64_t from_ns, to_ns; /* 0: the begin, or the end, is not known */
};

struct rs_process_args_table;

/* evicts: where it is full the oldest rows go; else no more are taken. NULL: no memory */
struct rs_process_args_table *rs_process_args_new(bool evicts);
void rs_process_args_free(struct rs_process_args_table *t);
/*
 * Adds a row, with a copy of its text; text NULL: it was asked for, and is not known, or not yet. A row of
 * that process and name without a text is completed. False: there is no room, or no memory.
 */
bool rs_process_args_add(struct rs_process_args_table *t, const struct rs_process_args *row);
/* Is there a row of that process, with a text or not? */
bool rs_process_args_has(struct rs_process_args_table *t, const struct rs_process *of);
/* Copies the text, cut to the buffer; returns its length, 0: unknown. t may be NULL. */
size_t rs_process_args_get(struct rs_process_args_table *t, const struct rs_process *of, char *buf,
			   size_t size_bytes);
/*
 * Calls row for each that has a text, the oldest first; it may not use the table, and what it gets lives
 * until rs_process_args_free if the table does not evict, else until it returns.
 */
void rs_process_args_each(struct rs_process_args_table *t,
			  void (*row)(void *arg, const struct rs_process_args *row), void *arg);
size_t rs_process_args_nr(struct rs_process_args_table *t); /* of rows; t may be NULL */

#endif
