/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracedat-parts.h - the parts of a trace.dat, shared by the writer's files
 */
#ifndef RS_RECORDING_TRACEDAT_PARTS_H
#define RS_RECORDING_TRACEDAT_PARTS_H

#include "base/buf.h"
#include "decode/formats.h"
#include "decode/page.h"
#include "recording/tracedat-writer.h"
#include "recording/trailer.h"

/* ---- tracedat-sections.c: the sections, in the recording's byte order ---- */

/* From the magic to printk_formats: what is known at the begin. kallsyms are read whole. */
void rs_tracedat_put_head(struct rs_buf *out, const struct rs_tracedat_head *head);
/* A size field of 4 or 8 bytes in the recording's byte order. */
void rs_tracedat_put_u32(struct rs_buf *out, const struct rs_trace_info *info, uint32_t v);
void rs_tracedat_put_u64(struct rs_buf *out, const struct rs_trace_info *info, uint64_t v);
/* From the number of CPUs to "flyrecord"; the table of offset and size of each CPU's data follows. */
void rs_tracedat_put_options(struct rs_buf *out, const struct rs_tracedat_head *head,
			     const struct rs_tracedat_tail *tail);

/* ---- tracedat-write-trailer.c ---- */

#define RS_TRACEDAT_MAX_PARTS 8

/* Where the parts of the trailer are in the file. */
struct rs_tracedat_places {
	struct rs_tracedat_section row[RS_TRACEDAT_MAX_PARTS];
	size_t nr;
};

/* Adds a part that is written at `offset`. */
void rs_tracedat_places_add(struct rs_tracedat_places *places, const struct rs_tracedat_part *part,
			    uint64_t offset);
/* Behind all that, and the parts: ringside's own data. */
void rs_tracedat_put_trailer(struct rs_buf *out, const struct rs_trace_info *info,
			     const struct rs_tracedat_tail *tail, const struct rs_tracedat_places *places);

/* ---- tracedat-names.c: tid to name, for the reader's cmdlines ---- */

struct rs_tracedat_name {
	uint64_t ts_ns;          /* time of the name: the latest wins */
	int32_t tid;
	char comm[16];
};

#define RS_MAX_NAMINGS 4
#define TRACEDAT_NAMES_BYTES_MAX (1u << 20) /* of their section */

/*
 * Names come from three places: tasks that exist at the begin, recorded forks,
 * renames and exits, tasks that exist at the end.
 */
struct rs_tracedat_names {
	struct rs_tracedat_name *names;
	size_t nr, size;
	struct rs_page_layout layout;
	struct rs_common common;
	struct rs_bound namings[RS_MAX_NAMINGS]; /* events that name a tid */
	unsigned int nr_namings;
};

void rs_tracedat_names_init(struct rs_tracedat_names *n, const struct rs_trace_info *info);
void rs_tracedat_names_done(struct rs_tracedat_names *n);
/* ts_ns: 0 for a task of the begin, UINT64_MAX for a task of the end. */
void rs_tracedat_names_add_initial(struct rs_tracedat_names *n, const struct rs_initial_task *snapshot,
				   size_t nr,
				   uint64_t ts_ns);
void rs_tracedat_names_page(struct rs_tracedat_names *n, const uint8_t *page, size_t len_bytes);
/* The section of names: lines "TID COMM", as saved_cmdlines has them, at most max_bytes. */
void rs_tracedat_names_put(struct rs_tracedat_names *n, const struct rs_trace_info *info, struct rs_buf *out,
			   size_t max_bytes);

#endif
