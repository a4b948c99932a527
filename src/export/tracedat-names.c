// SPDX-License-Identifier: GPL-2.0-or-later
#include <event-parse.h>
#include <stdlib.h>
#include <string.h>

#include "export/tracedat-parts.h"

/* Twice what the room for cmdlines holds: names that come again are squeezed out when it is full. */
#define MAX_NAMES (128 * 1024)

static void bind_exit(struct rs_tracedat_names *n, struct tep_handle *tep, const struct rs_format_text *f)
{
	struct tep_format_field *id, *pid, *comm;
	struct tep_event *event = NULL; /* belongs to tep */

	if (tep_parse_format(tep, &event, f->text.data, f->text.len, f->system) || !event)
		return;
	if (!event->name || strcmp(event->name, "sched_process_exit"))
		return;
	id = tep_find_common_field(event, "common_type");
	pid = tep_find_field(event, "pid");
	comm = tep_find_field(event, "comm");
	if (!id || id->size != 2 || !pid || pid->size != 4 || !comm || event->id <= 0 ||
	    event->id > UINT16_MAX)
		return;
	if ((unsigned int)(id->offset | pid->offset | comm->offset) >= UINT16_MAX)
		return;
	n->comm_dynamic = comm->flags & TEP_FIELD_IS_DYNAMIC;
	if (!n->comm_dynamic && comm->size != 16)
		return;
	n->exit_id = (uint16_t)event->id;
	n->id_offset = (uint16_t)id->offset;
	n->pid_offset = (uint16_t)pid->offset;
	n->comm_offset = (uint16_t)comm->offset;
	n->need_bytes = (uint32_t)(id->offset + id->size);
	if (n->need_bytes < n->pid_offset + 4u)
		n->need_bytes = n->pid_offset + 4u;
	if (n->need_bytes < n->comm_offset + (n->comm_dynamic ? 4u : 16u))
		n->need_bytes = n->comm_offset + (n->comm_dynamic ? 4u : 16u);
}

void rs_tracedat_names_init(struct rs_tracedat_names *n, const struct rs_trace_info *info)
{
	struct tep_handle *tep;

	memset(n, 0, sizeof *n);
	n->swap = info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (rs_page_layout_parse(&n->layout, info->header_page.data, info->header_page.len,
				 info->long_bytes, info->big_endian) < 0)
		return;
	tep = tep_alloc();
	if (!tep)
		return;
	tep_set_loglevel(TEP_LOG_NONE);
	for (size_t i = 0; i < info->nr_formats && !n->exit_id; i++) {
		if (!strcmp(info->formats[i].system, "sched") &&
		    memmem(info->formats[i].text.data, info->formats[i].text.len, "sched_process_exit", 18))
			bind_exit(n, tep, &info->formats[i]);
	}
	tep_free(tep);
}

void rs_tracedat_names_done(struct rs_tracedat_names *n)
{
	free(n->names);
	n->names = NULL;
	n->nr = n->size = 0;
}

static int by_tid_then_order(const void *a, const void *b)
{
	const struct rs_tracedat_name *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* One name for each tid, the last. */
static void squeeze(struct rs_tracedat_names *n)
{
	size_t kept = 0;

	if (!n->nr)
		return;
	qsort(n->names, n->nr, sizeof *n->names, by_tid_then_order);
	for (size_t i = 0; i < n->nr; i++) {
		if (i + 1 < n->nr && n->names[i + 1].tid == n->names[i].tid)
			continue;
		n->names[kept++] = n->names[i];
	}
	n->nr = kept;
}

static bool make_room(struct rs_tracedat_names *n)
{
	size_t size = n->size ? n->size * 2 : 1024;
	struct rs_tracedat_name *names;

	if (n->nr < n->size)
		return true;
	if (n->size >= MAX_NAMES) {
		squeeze(n);
		return n->nr < n->size;
	}
	names = realloc(n->names, size * sizeof *names);
	if (!names)
		return false;
	n->names = names;
	n->size = size;
	return true;
}

static void add(struct rs_tracedat_names *n, int32_t tid, const char *comm, size_t max)
{
	struct rs_tracedat_name *name;
	size_t len = strnlen(comm, max < 15 ? max : 15);

	if (tid <= 0 || !len || !make_room(n))
		return;
	name = &n->names[n->nr++];
	name->tid = tid;
	name->order = n->next_order++;
	memset(name->comm, 0, sizeof name->comm);
	memcpy(name->comm, comm, len);
}

void rs_tracedat_names_seeds(struct rs_tracedat_names *n, const struct rs_seed *seeds, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		add(n, seeds[i].tid, seeds[i].comm, sizeof seeds[i].comm);
}

static uint32_t u32_at(const struct rs_tracedat_names *n, const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return n->swap ? __builtin_bswap32(v) : v;
}

static void add_exit(struct rs_tracedat_names *n, const uint8_t *record, uint32_t len)
{
	uint32_t at = n->comm_offset, size = 16;

	if (n->comm_dynamic) {
		at = u32_at(n, record + n->comm_offset) & 0xffff;
		size = u32_at(n, record + n->comm_offset) >> 16;
		if (at > len || size > len - at)
			return;
	}
	add(n, (int32_t)u32_at(n, record + n->pid_offset), (const char *)record + at, size);
}

void rs_tracedat_names_page(struct rs_tracedat_names *n, const uint8_t *page, size_t len_bytes)
{
	struct rs_page_cursor c;
	uint16_t id;

	if (!n->exit_id || !rs_page_load(&c, &n->layout, page, len_bytes))
		return;
	while (rs_page_next(&c)) {
		if (c.len_bytes < n->need_bytes)
			continue;
		memcpy(&id, c.record + n->id_offset, 2);
		if ((n->swap ? __builtin_bswap16(id) : id) == n->exit_id)
			add_exit(n, c.record, c.len_bytes);
	}
}

/* A name with a newline would forge the next line. */
static void put_line(struct rs_buf *out, const struct rs_tracedat_name *name)
{
	char comm[16];

	memcpy(comm, name->comm, sizeof comm);
	for (char *p = comm; *p; p++)
		if (*p == '\n' || *p == '\r')
			*p = '?';
	rs_buf_printf(out, "%d %s\n", name->tid, comm);
}

void rs_tracedat_names_put(struct rs_tracedat_names *n, struct rs_buf *out, size_t max_bytes)
{
	size_t begin = out->len;

	squeeze(n);
	for (size_t i = 0; i < n->nr && out->len - begin + 32 <= max_bytes; i++)
		/* a blank one would make the line malformed */
		if (strspn(n->names[i].comm, " \t\v\f\r\n") < strlen(n->names[i].comm))
			put_line(out, &n->names[i]);
}
