// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <event-parse.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "base/memory-watch.h"
#include "decode/formats.h"
#include "export/tracedat-parts.h"

/* Twice the capacity of cmdlines: repeated names are removed when it is full. */
#define TRACEDAT_NAMES_MAX_NAMES (128 * 1024)

/* tid NULL or absent: the current task of the event (recent kernels dropped task_rename's pid). */
static const struct {
	const char *system, *name, *tid, *comm;
} rows[RS_MAX_NAMINGS] = {
	{ "task", "task_newtask", "pid", "comm" },
	{ "task", "task_rename", "pid", "newcomm" }, /* an exec renames, too */
	{ "sched", "sched_process_fork", "child_pid", "child_comm" },
	{ "sched", "sched_process_exit", "pid", "comm" },
};

static void need(struct rs_tracedat_naming *b, int offset, int size)
{
	if (b->need_bytes < (uint32_t)(offset + size))
		b->need_bytes = (uint32_t)(offset + size);
}

/* Finds the fields; an unexpected format gives no names. */
static void tracedat_names_bind(struct rs_tracedat_names *n, struct tep_event *event, const char *tid_name,
				const char *comm_name)
{
	struct tep_format_field *id = tep_find_common_field(event, "common_type");
	struct tep_format_field *tid = tep_find_field(event, tid_name);
	struct tep_format_field *comm = tep_find_field(event, comm_name);
	struct rs_tracedat_naming b = { .id = (uint16_t)event->id };

	if (!tid)
		tid = tep_find_common_field(event, "common_pid");
	if (!id || id->size != 2 || !tid || tid->size != 4 || !comm)
		return;
	b.comm_dynamic = comm->flags & TEP_FIELD_IS_DYNAMIC;
	if (comm->size != (b.comm_dynamic ? 4 : 16) || event->id <= 0 || event->id > UINT16_MAX)
		return;
	if ((unsigned int)(id->offset | tid->offset | comm->offset) >= UINT16_MAX)
		return;
	b.tid_offset = (uint16_t)tid->offset;
	b.comm_offset = (uint16_t)comm->offset;
	need(&b, id->offset, id->size);
	need(&b, tid->offset, tid->size);
	need(&b, comm->offset, comm->size);
	n->id_offset = (uint16_t)id->offset; /* common: the same in all */
	n->namings[n->nr_namings++] = b;
}

/* At most one format for each row, so that a file with repeated formats cannot overflow the table. */
static void bind_row(struct rs_tracedat_names *n, struct tep_handle *tep, const struct rs_trace_info *info,
		     size_t row)
{
	for (size_t i = 0; i < info->nr_formats; i++) {
		const struct rs_format_text *f = &info->formats[i];
		struct tep_event *event; /* owned by tep */

		if (strcmp(f->system, rows[row].system) ||
		    !memmem(f->text.data, f->text.len, rows[row].name, strlen(rows[row].name)))
			continue;
		event = rs_format_parse(tep, f, false);
		if (!event)
			continue;
		if (!event->name || strcmp(event->name, rows[row].name))
			continue;
		tracedat_names_bind(n, event, rows[row].tid, rows[row].comm);
		return;
	}
}

void rs_tracedat_names_init(struct rs_tracedat_names *n, const struct rs_trace_info *info)
{
	struct tep_handle *tep;

	memset(n, 0, sizeof *n);
	n->swap = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (rs_page_layout_of(&n->layout, info, NULL) < 0)
		return;
	errno = 0;
	tep = tep_alloc();
	if (rs_memory_library_failed() || !tep)
		return;
	tep_set_loglevel(TEP_LOG_NONE);
	for (size_t row = 0; row < RS_MAX_NAMINGS; row++)
		bind_row(n, tep, info, row);
	tep_free(tep);
}

void rs_tracedat_names_done(struct rs_tracedat_names *n)
{
	free(n->names);
	n->names = NULL;
	n->nr = n->size = 0;
}

static int by_tid_then_time(const void *a, const void *b)
{
	const struct rs_tracedat_name *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->ts_ns < y->ts_ns ? -1 : x->ts_ns > y->ts_ns;
}

/* One name for each tid, the last. */
static void squeeze(struct rs_tracedat_names *n)
{
	size_t kept = 0;

	if (!n->nr)
		return;
	qsort(n->names, n->nr, sizeof *n->names, by_tid_then_time);
	for (size_t i = 0; i < n->nr; i++) {
		if (i + 1 < n->nr && n->names[i + 1].tid == n->names[i].tid)
			continue;
		n->names[kept++] = n->names[i];
	}
	n->nr = kept;
}

static bool tracedat_names_make_room(struct rs_tracedat_names *n)
{
	if (n->nr == n->size && n->size >= TRACEDAT_NAMES_MAX_NAMES) {
		squeeze(n);
		return n->nr < n->size;
	}
	return RS_VECTOR_RESERVE(&n->names, &n->size, n->nr + 1);
}

static void tracedat_names_add(struct rs_tracedat_names *n, uint64_t ts_ns, int32_t tid, const char *comm,
			       size_t max)
{
	struct rs_tracedat_name *name;
	size_t len = strnlen(comm, max < 15 ? max : 15);

	if (tid <= 0 || !len || !tracedat_names_make_room(n))
		return;
	name = &n->names[n->nr++];
	name->ts_ns = ts_ns;
	name->tid = tid;
	memset(name->comm, 0, sizeof name->comm);
	memcpy(name->comm, comm, len);
}

void rs_tracedat_names_add_initial(struct rs_tracedat_names *n, const struct rs_initial_task *snapshot,
				   size_t nr,
				   uint64_t ts_ns)
{
	for (size_t i = 0; i < nr; i++)
		tracedat_names_add(n, ts_ns, snapshot[i].tid, snapshot[i].comm, sizeof snapshot[i].comm);
}

static uint32_t u32_at(const struct rs_tracedat_names *n, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return n->swap ? __builtin_bswap32(v) : v;
}

static void add_record(struct rs_tracedat_names *n, const struct rs_tracedat_naming *b,
		       const struct rs_page_cursor *c)
{
	uint32_t at = b->comm_offset, size = 16;

	if (c->len_bytes < b->need_bytes)
		return;
	if (b->comm_dynamic) {
		at = u32_at(n, c->record + b->comm_offset) & 0xffff;
		size = u32_at(n, c->record + b->comm_offset) >> 16;
		if (at > c->len_bytes || size > c->len_bytes - at)
			return;
	}
	tracedat_names_add(n, c->ts_ns, (int32_t)u32_at(n, c->record + b->tid_offset),
			   (const char *)c->record + at, size);
}

void rs_tracedat_names_page(struct rs_tracedat_names *n, const uint8_t *page, size_t len_bytes)
{
	struct rs_page_cursor c;
	uint16_t id;

	if (!n->nr_namings || !rs_page_load(&c, &n->layout, page, len_bytes))
		return;
	while (rs_page_next(&c)) {
		if (c.len_bytes < n->id_offset + 2u)
			continue;
		memcpy(&id, c.record + n->id_offset, 2);
		id = n->swap ? __builtin_bswap16(id) : id;
		for (unsigned int i = 0; i < n->nr_namings; i++)
			if (n->namings[i].id == id)
				add_record(n, &n->namings[i], &c);
	}
}

/* A name with a newline would fake the next line. */
static void tracedat_names_put_line(struct rs_buf *out, const struct rs_tracedat_name *name)
{
	char comm[16];

	memcpy(comm, name->comm, sizeof comm);
	for (char *p = comm; *p; p++)
		if (*p == '\n' || *p == '\r')
			*p = '?';
	rs_buf_printf(out, "%d %s\n", name->tid, comm);
}

void rs_tracedat_names_put(struct rs_tracedat_names *n, const struct rs_trace_info *info, struct rs_buf *out, size_t max_bytes)
{
	struct rs_buf lines = RS_BUF_INIT;

	squeeze(n);
	for (size_t i = 0; i < n->nr && lines.len + 32 <= max_bytes; i++)
		/* an empty name would make the line malformed */
		if (strspn(n->names[i].comm, " \t\v\f\r\n") < strlen(n->names[i].comm))
			tracedat_names_put_line(&lines, &n->names[i]);
	rs_tracedat_put_u64(out, info, lines.len);
	rs_buf_add(out, lines.data, lines.len);
	out->failed |= lines.failed;
	rs_buf_done(&lines);
}
