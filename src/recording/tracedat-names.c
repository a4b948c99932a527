// SPDX-License-Identifier: GPL-2.0-or-later
/* tracedat-names - the names of tasks that a recording has, collected from its pages while it is written */
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "decode/formats.h"
#include "recording/tracedat-parts.h"

/* Twice the capacity of cmdlines: repeated names are removed when it is full. */
#define TRACEDAT_NAMES_MAX_NAMES (128 * 1024)

enum { COMM, TID };

/* Without a tid: the current task of the event (recent kernels dropped task_rename's pid). */
static const struct {
	const char *system, *name, *fields[3];
} rows[RS_MAX_NAMINGS] = {
	{ "task", "task_newtask", { "comm", "?pid" } },
	{ "task", "task_rename", { "newcomm", "?pid" } }, /* an exec renames, too */
	{ "sched", "sched_process_fork", { "child_comm", "?child_pid" } },
	{ "sched", "sched_process_exit", { "comm", "?pid" } },
};

/* An unexpected format gives no names. */
void rs_tracedat_names_init(struct rs_tracedat_names *n, const struct rs_trace_info *info)
{
	struct rs_error ignored = { 0 };
	struct rs_formats *formats = rs_formats_new(info, &ignored);

	memset(n, 0, sizeof *n);
	for (size_t i = 0; formats && i < RS_MAX_NAMINGS; i++)
		n->nr_namings += rs_formats_bind(formats, rows[i].system, rows[i].name, rows[i].fields,
						 &n->namings[n->nr_namings], NULL) == RS_BIND_OK;
	if (n->nr_namings && (!rs_formats_common(formats, &n->common) ||
			      rs_page_layout_parse(&n->layout, info->header_page.data, info->header_page.len,
						   info->long_bytes, info->big_endian) < 0))
		n->nr_namings = 0;
	rs_formats_free(formats);
}

void rs_tracedat_names_done(struct rs_tracedat_names *n)
{
	free(n->names);
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

/* comm need not end with a NUL. */
static void tracedat_names_add(struct rs_tracedat_names *n, uint64_t ts_ns, int64_t tid, const char *comm)
{
	struct rs_tracedat_name *name;
	size_t len = strnlen(comm, 15);

	if (tid <= 0 || tid > INT32_MAX || !len || !tracedat_names_make_room(n))
		return;
	name = &n->names[n->nr++];
	*name = (struct rs_tracedat_name){ .ts_ns = ts_ns, .tid = (int32_t)tid };
	memcpy(name->comm, comm, len);
}

void rs_tracedat_names_add_initial(struct rs_tracedat_names *n, const struct rs_initial_task *snapshot,
				   size_t nr,
				   uint64_t ts_ns)
{
	for (size_t i = 0; i < nr; i++)
		tracedat_names_add(n, ts_ns, snapshot[i].tid, snapshot[i].comm);
}

static void add_record(struct rs_tracedat_names *n, const struct rs_bound *b, const struct rs_page_cursor *c)
{
	const struct rs_event ev = { .data = c->record, .len_bytes = c->len_bytes };
	char comm[RS_COMM_LEN];

	if (c->len_bytes < b->min_len_bytes)
		return;
	rs_str(&ev, &b->fields[COMM], comm, sizeof comm);
	tracedat_names_add(n, c->ts_ns,
			   rs_i64(&ev, rs_has(&b->fields[TID]) ? &b->fields[TID] : &n->common.pid), comm);
}

void rs_tracedat_names_page(struct rs_tracedat_names *n, const uint8_t *page, size_t len_bytes)
{
	struct rs_page_cursor c;
	uint16_t id;

	if (!n->nr_namings || !rs_page_load(&c, &n->layout, page, len_bytes))
		return;
	while (rs_page_next(&c)) {
		if (c.len_bytes < n->common.min_len_bytes)
			continue;
		memcpy(&id, c.record + n->common.type.offset_bytes, 2);
		id = n->common.type.flags & RS_FIELD_SWAP ? __builtin_bswap16(id) : id;
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

void rs_tracedat_names_put(struct rs_tracedat_names *n, const struct rs_trace_info *info, struct rs_buf *out,
			   size_t max_bytes)
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
