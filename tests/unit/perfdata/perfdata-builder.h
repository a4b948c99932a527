/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfdata-builder.h - a small perf.data as perf record writes one, of either byte order, a file or a pipe, packed or not
 *
 *	struct perf_file f = perf_file_new(FILE_BIG);
 *	perf_file_add_lines(&f, SAMPLES("200 cpu0 sample 10/11 400010"));
 *	perf_file_build(&f, &buf);
 */
#ifndef TESTS_PERFDATA_BUILDER_H
#define TESTS_PERFDATA_BUILDER_H

#include <linux/perf_event.h>
#include <stdbool.h>

#include "base/buf.h"

#define PERF_FILE_SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define PERF_FILE_ROUND "round"
#define PERF_FILE_EVENTS 3

enum perf_file_shape { FILE_LITTLE, FILE_BIG, PIPE, COMPRESSED, PERF_FILE_SHAPES };

struct perf_file_event { uint32_t type; uint64_t config, sample_type, read_format, user_regs; };

struct perf_file {
	enum perf_file_shape shape;
	struct rs_buf records;
	struct perf_file_event events[PERF_FILE_EVENTS];
	size_t nr_events;
	const char *tracing;         /* NULL: none */
	size_t tracing_len;
	const char *build_id_path;   /* whose build-id is 20 times 0xab */
};

extern const struct perf_file_event perf_file_cpu_clock, perf_file_instructions, perf_file_tracepoint;

bool perf_file_is_big(const struct perf_file *f);
struct perf_file perf_file_new(enum perf_file_shape shape);
/* Lines of sample-lines.h, in this order; PERF_FILE_ROUND ends a round. */
void perf_file_add_lines(struct perf_file *f, const char *const *lines);
/* A number in the byte order of the file. */
void perf_file_put(const struct perf_file *f, struct rs_buf *b, uint64_t v, unsigned int bytes);
void perf_file_put_header(const struct perf_file *f, struct rs_buf *b, uint32_t type, uint16_t misc, size_t bytes);
/* What describes the event sched_wakeup_new, of perf_file_tracepoint. */
void perf_file_put_tracing(const struct perf_file *f, struct rs_buf *b);
/*
 * With the callchain of the event, where the file has them: frames ends with 0, NULL: none. And with so many registers, each of them
 * a program's 400010, and 16 bytes of its stack; 0: neither.
 */
void perf_file_put_tracepoint_with(struct perf_file *f, uint64_t id, uint64_t ts_ns, uint32_t cpu, uint32_t number, const uint64_t *frames, size_t nr_regs);
void perf_file_put_tracepoint(struct perf_file *f, uint64_t id, uint64_t ts_ns, uint32_t cpu, uint32_t number);
/* With several events each has the id of its number + 1. */
void perf_file_build(struct perf_file *f, struct rs_buf *file);

#endif
