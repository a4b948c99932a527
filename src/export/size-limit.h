/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * size-limit.h - which events a file of limited size has
 *
 *	l = rs_size_limit_new(200 << 20);
 *	... write everything to nowhere:    if (rs_size_limit_takes(l, "syscall", len_ns)) write it, then
 *	                                    rs_size_limit_wrote(l, "syscall", len_ns, bytes);
 *	rs_size_limit_fit(l, total_bytes, &err);
 *	... write it again: takes() now says no for some
 *	rs_size_limit_put(l, &json);        // what was left out
 *
 * Each kind keeps the same part of its bytes: its longest events. Where only some of one length fit, every
 * n-th of them is written, so that what is left out is spread evenly over time. Events without a length are
 * spread likewise.
 */
#ifndef RS_EXPORT_SIZE_LIMIT_H
#define RS_EXPORT_SIZE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct rs_size_limit;
struct rs_json;
struct rs_buf;

/* NULL: no memory. */
struct rs_size_limit *rs_size_limit_new(uint64_t max_bytes);
void rs_size_limit_free(struct rs_size_limit *l); /* NULL is fine */
/* kind: a string that outlives the limit. While it is measured all are taken. */
bool rs_size_limit_takes(struct rs_size_limit *l, const char *kind, uint64_t len_ns);
void rs_size_limit_wrote(struct rs_size_limit *l, const char *kind, uint64_t len_ns, uint64_t bytes);
/* Ends the measuring. total_bytes: of all that was written. -1: the file cannot be so small. */
int rs_size_limit_fit(struct rs_size_limit *l, uint64_t total_bytes, struct rs_error *err);
/* Returns true if something is left out. */
bool rs_size_limit_drops(const struct rs_size_limit *l);
/* Leaves out an event whose meaning depends on others that may be left out. */
void rs_size_limit_leave_out(struct rs_size_limit *l, const char *kind);
/* {"syscall":{"written":90,"left_out":210,"shorter_than_ns":2048}, ...} */
void rs_size_limit_put(const struct rs_size_limit *l, struct rs_json *j);
/* "210 of 300 syscall (shorter than 2.0 us), ..."; nothing if nothing is left out */
void rs_size_limit_say(const struct rs_size_limit *l, struct rs_buf *out);

#endif
