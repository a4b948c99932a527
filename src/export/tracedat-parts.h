/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracedat-parts.h - the pieces of a trace.dat, between the writer's own files
 */
#ifndef RS_EXPORT_TRACEDAT_PARTS_H
#define RS_EXPORT_TRACEDAT_PARTS_H

#include "base/buf.h"
#include "decode/page.h"
#include "export/tracedat-writer.h"

/* Writes all of it or fails with errno set. */
int rs_write_at(int fd, const void *data, size_t len_bytes, uint64_t at);

/* ---- tracedat-head.c: the sections, in the recording's byte order ---- */

/* From the magic to the formats, without kallsyms. */
void rs_tracedat_put_formats(struct rs_buf *out, const struct rs_tracedat_head *head);
/* What follows kallsyms and is known at the begin. */
void rs_tracedat_put_printk(struct rs_buf *out, const struct rs_tracedat_head *head);
/* A size field of 4 or 8 bytes in the recording's byte order. */
void rs_tracedat_put_u32(struct rs_buf *out, const struct rs_trace_info *info, uint32_t v);
void rs_tracedat_put_u64(struct rs_buf *out, const struct rs_trace_info *info, uint64_t v);
/* From the number of CPUs to "flyrecord"; the table of offset and size of each CPU's data follows. */
void rs_tracedat_put_options(struct rs_buf *out, const struct rs_tracedat_head *head,
			     const struct rs_tracedat_tail *tail);

/* ---- tracedat-names.c: tid to name, for the reader's cmdlines ---- */

struct rs_tracedat_name {
	int32_t tid;
	uint32_t order;          /* later ones win */
	char comm[16];
};

/*
 * Names come from three places, each better than the one before: who lived at
 * the begin, the exits in the recorded pages (the last name of all that ended
 * meanwhile), who lives at the end.
 */
struct rs_tracedat_names {
	struct rs_tracedat_name *names;
	size_t nr, size;
	struct rs_page_layout layout;
	uint16_t exit_id;        /* of sched_process_exit; 0: not recorded */
	uint16_t id_offset, pid_offset, comm_offset;
	uint32_t need_bytes;     /* a record shorter than this is not one */
	bool swap, comm_dynamic;
	uint32_t next_order;
};

void rs_tracedat_names_init(struct rs_tracedat_names *n, const struct rs_trace_info *info);
void rs_tracedat_names_done(struct rs_tracedat_names *n);
void rs_tracedat_names_seeds(struct rs_tracedat_names *n, const struct rs_seed *seeds, size_t nr);
void rs_tracedat_names_page(struct rs_tracedat_names *n, const uint8_t *page, size_t len_bytes);
/* Lines "TID COMM", as saved_cmdlines has them, at most max_bytes. */
void rs_tracedat_names_put(struct rs_tracedat_names *n, struct rs_buf *out, size_t max_bytes);

/* ---- tracedat-trailer.c ---- */

void rs_tracedat_put_trailer(struct rs_buf *out, const struct rs_trace_info *info,
			     const uint64_t *lost_by_cpu, const struct rs_pauses *pauses);

#endif
