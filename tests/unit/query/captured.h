/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * captured.h - a session that reads, as of a capture, and what is there of its past
 *
 *	captured_begin(captured_file("debian-6.1-amd64-mixed"), 8 << 20);
 *	captured_read_on(UINT64_MAX);
 *	st = rs_time_range_open(&captured_past, ...);
 *	captured_end();
 */
#ifndef TEST_CAPTURED_H
#define TEST_CAPTURED_H

#include "query/time-range.h"

extern struct rs_session *captured_session;
extern struct rs_time_range_source_config captured_history;

struct rs_time_range_config captured_config(uint64_t from_ns, uint64_t to_ns); /* of all analyses */
struct rs_source *captured_file(const char *name);                          /* tests/traces/NAME.dat */
/* window_bytes 0: the past is in the source itself. The source is closed by captured_end. */
void captured_begin(struct rs_source *of, size_t window_bytes);
/* All of these lines, in a window that holds them; layout: its number in rs_layouts. */
void captured_begin_lines(const char *const *lines, int layout);
void captured_read_on(uint64_t nr_events);
void captured_end(void);

#endif
