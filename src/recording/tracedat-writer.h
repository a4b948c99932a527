/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracedat-writer.h - writes raw pages to a trace.dat of version 6
 *
 *	w = rs_tracedat_writer_open("trace.dat", nr_cpus, page_bytes, uid, gid, &err); // while still root
 *	rs_tracedat_writer_begin(w, &head, &err);
 *	while (...)
 *		rs_tracedat_writer_page(w, cpu, data, len, &err);
 *	rs_tracedat_writer_finish(w, &tail, &err);
 *	rs_tracedat_writer_free(w);
 *
 * The format requires each CPU's pages to be contiguous, so they are collected in an
 * unnamed file in the output's folder, in batches of one CPU each, and moved behind the
 * header at the end: each batch is freed there as soon as it was copied, so a nearly
 * full disk needs room for the recording once, not twice. What finishing needs beyond
 * that is reserved at the begin. A recording whose batches never filled is written to
 * the output directly.
 *
 * ringside's own data (real time offset, own threads, tasks with their processes,
 * disk names, losses) follows the last byte that the format's tables refer to; other
 * readers never look there. The file's last 16 bytes: the
 * length of the JSON text before them, u64 little-endian, then "RNGSIDE1".
 */
#ifndef RS_RECORDING_TRACEDAT_WRITER_H
#define RS_RECORDING_TRACEDAT_WRITER_H

#include <sys/types.h>

#include "base/buf.h"
#include "source/source.h"

#define RS_LOST_UNKNOWN UINT64_MAX

/* The caller owns all pointers; they must live until rs_tracedat_writer_free. */
struct rs_tracedat_head {
	const struct rs_trace_info *info;
	struct rs_text header_event;           /* the kernel's events/header_event */
	const struct rs_format_text *ftrace_formats; /* of system "ftrace" */
	size_t nr_ftrace_formats;
	int kallsyms_fd;                       /* read from its begin; -1: info->kallsyms */
	struct rs_text clocks;                 /* trace_clock's text; empty: from info->clock */
};

/* What the trailer names beside its text: see docs/trace-dat.md. */
struct rs_tracedat_part {
	const char *name;
	const void *data;
	size_t len_bytes;
};

struct rs_sample_info;

struct rs_tracedat_tail {
	const struct rs_initial_task *tasks;           /* tasks that exist at the end, with their names */
	size_t nr_tasks;
	const struct rs_text *cpu_stats;       /* per_cpu/cpuN/stats of each CPU; NULL none */
	const uint64_t *lost_by_cpu;           /* RS_LOST_UNKNOWN if unknown; NULL: none known */
	struct rs_pauses *pauses;              /* NULL: there were none */
	/* with .nr_samples and .nr_lost; NULL: the CPUs were not sampled */
	const struct rs_sample_info *samples;
	/* beside the part "samples", which rs_tracedat_writer_samples makes */
	const struct rs_tracedat_part *parts;
	size_t nr_parts;
	/* for readers of the recording, one line each; NULL or "": none */
	const char *warnings;
	/* Called before each batch is moved; false cuts the recording there. May be NULL */
	bool (*go_on)(void *arg, uint64_t done_bytes, uint64_t all_bytes);
	void *arg;
};

struct rs_tracedat_writer;

/*
 * rs_tracedat_writer_open - opens the output and its companion; an existing
 * file keeps owner, mode and, until rs_tracedat_writer_begin, its content. A new
 * one gets uid and gid (-1 leaves them as they are). NULL on error.
 */
struct rs_tracedat_writer *rs_tracedat_writer_open(const char *path, unsigned int nr_cpus, size_t page_bytes,
						   uid_t uid, gid_t gid, struct rs_error *err);

/* Likewise, to a file in this folder that has no name: see rs_tracedat_writer_dup. */
struct rs_tracedat_writer *rs_tracedat_writer_open_nameless(const char *folder, unsigned int nr_cpus,
							    size_t page_bytes, struct rs_error *err);

/*
 * rs_tracedat_writer_begin - writes what is known at the begin and reserves
 * room for the end. Call before the first page, which could take that room.
 */
int rs_tracedat_writer_begin(struct rs_tracedat_writer *w, const struct rs_tracedat_head *head,
			     struct rs_error *err);

/*
 * rs_tracedat_writer_page - takes one page, header included. After an error (a
 * full disk, mostly) it takes no more; rs_tracedat_writer_finish then makes a
 * readable file of what came before.
 */
int rs_tracedat_writer_page(struct rs_tracedat_writer *w, unsigned int cpu, const void *page,
			    size_t len_bytes, struct rs_error *err);

/* Takes perf records, whole ones, in the order of time: they become the part "samples". Fails likewise. */
int rs_tracedat_writer_samples(struct rs_tracedat_writer *w, const void *records, size_t len_bytes,
			       struct rs_error *err);

int rs_tracedat_writer_finish(struct rs_tracedat_writer *w, const struct rs_tracedat_tail *tail,
			      struct rs_error *err);

/*
 * A descriptor to read the output, for a caller that may no longer open it and that closes it. -1 with errno
 * set.
 */
int rs_tracedat_writer_dup(const struct rs_tracedat_writer *w);

/* Bytes of pages so far, safe from any thread; after finish the size of the file. */
uint64_t rs_tracedat_writer_data_bytes(const struct rs_tracedat_writer *w);
uint64_t rs_tracedat_writer_file_bytes(const struct rs_tracedat_writer *w);

/* Instead of finish: discards the recording; rs_tracedat_writer_free leaves no file, or an empty one. */
void rs_tracedat_writer_discard(struct rs_tracedat_writer *w);

/* Closes everything. Removes a file that was created here and not begun, if still permitted. */
void rs_tracedat_writer_free(struct rs_tracedat_writer *w);

/*
 * ---- in one pass, for outputs that cannot seek: a pipe ----
 *
 *	rs_tracedat_stream_begin(&s, &head, &tail, &err);
 *	for each CPU: s.nr_pages[cpu] times rs_tracedat_stream_page(&s, page, len, &err);
 *	rs_tracedat_stream_finish(&s, &tail, &err);
 *
 * The format has the position of each CPU's pages before the first page, so the numbers of pages must be
 * known before; a CPU with fewer pages in the end is padded with empty ones (rs_tracedat_stream_blank).
 */
struct rs_tracedat_stream {
	const uint64_t *nr_pages;       /* of each CPU */
	int (*write)(void *arg, const void *data, size_t len_bytes, struct rs_error *err);
	void *arg;
	/* private */
	const struct rs_trace_info *info;
	uint8_t *page;
	struct rs_buf samples;
	uint64_t at;                    /* bytes written */
};

/*
 * Each returns 0, or -1 with err; rs_tracedat_stream_done frees, after begin in any case. The tail's tasks
 * are written at the begin, beside those of head->info, and all else of it at the end.
 */
int rs_tracedat_stream_begin(struct rs_tracedat_stream *s, const struct rs_tracedat_head *head,
			     const struct rs_tracedat_tail *tail, struct rs_error *err);
int rs_tracedat_stream_page(struct rs_tracedat_stream *s, const void *page, size_t len_bytes,
			    struct rs_error *err);
/* An empty page with that time. */
int rs_tracedat_stream_blank(struct rs_tracedat_stream *s, uint64_t ts_ns, struct rs_error *err);
/*
 * Takes perf records as rs_tracedat_writer_samples does, and keeps them in memory; without memory the part
 * "samples" is left out.
 */
void rs_tracedat_stream_samples(struct rs_tracedat_stream *s, const void *records, size_t len_bytes);
int rs_tracedat_stream_finish(struct rs_tracedat_stream *s, const struct rs_tracedat_tail *tail,
			      struct rs_error *err);
void rs_tracedat_stream_done(struct rs_tracedat_stream *s);

#endif
