// SPDX-License-Identifier: GPL-2.0-or-later
/* stacked-pages - pages as if the kernel had recorded stacks: perf's callchains become events */
#include "decode/stacked-pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "decode/page-writer.h"
#include "decode/stack-record.h"

#define STACKED_NO_TASK INT32_MIN        /* -1 is a dead one */
/*
 * From a switch, the last one that was read so far, to its stack: without a later one it could be that of the
 * task's next wait.
 */
#define STACKED_MAX_NS 1000000u

enum { STACKED_PREV_PID };

struct stacked_cpu {
	struct rs_page raw;
	/* of .raw, at a record that was not written yet; .is_left: there is one */
	struct rs_page_cursor cursor;
	/* has_loss: no page has said yet that events were lost before .raw */
	bool is_left, has_loss;
	uint8_t *page;                       /* what is handed out; NULL: not made yet */
	struct rs_sample_event stack;        /* the next one, if .has_stack */
	bool has_stack;
	int32_t left;                        /* who left the CPU at the last switch, until it has its stack */
	uint64_t left_ns;
	uint8_t head[RS_STACK_RECORD_HEAD_BYTES]; /* of that switch */
};

struct stacked_pages {
	struct rs_page_filter filter;        /* first */
	struct rs_sample_source *stacks;
	struct rs_page_layout layout;
	struct rs_common common;
	struct rs_bound switches;
	struct rs_stack_place kernel, user;
	size_t page_bytes;
	int64_t offset_ns;                   /* from a stack's time to the trace clock */
	struct rs_stack_chain chain;
	struct rs_buf kernel_record, user_record;
	unsigned int nr_cpus;
	struct stacked_cpu cpus[];
};

/* ---- stacks ---- */

/* Goes to the next stack, unless there is one. */
static bool stacked_peek(struct stacked_pages *p, unsigned int cpu)
{
	struct stacked_cpu *c = &p->cpus[cpu];
	struct rs_sample_record record;

	while (!c->has_stack && cpu < p->stacks->info.nr_rings &&
	       p->stacks->ops->next(p->stacks, cpu, &record)) {
		c->has_stack = rs_sample_record_read(&p->stacks->info, &record, &c->stack) &&
			       c->stack.kind == RS_SAMPLE_OF_CPU;
		if (c->has_stack)
			c->stack.ts_ns += (uint64_t)p->offset_ns;
		else if (c->stack.kind == RS_SAMPLE_LOST)
			p->filter.nr_lost += c->stack.nr_lost;
	}
	return c->has_stack;
}

/* Its switch was not recorded. A dead task's last one has no task, and nobody asks for it. */
static void stacked_drop_stack(struct stacked_pages *p, struct stacked_cpu *c)
{
	p->filter.nr_lost += c->stack.tid > 0;
	c->has_stack = false;
}

/*
 * Writes the stack behind its switch, with the time of what is before it. Returns false if the page has no
 * room for it.
 */
static bool stacked_write_stack(struct stacked_pages *p, struct stacked_cpu *c, struct rs_page_writer *w)
{
	rs_stack_record_split(&c->stack, &p->chain);
	rs_stack_record_put_kernel(&p->kernel_record, &p->layout, &p->kernel, c->head, &p->chain);
	rs_stack_record_put_user(&p->user_record, &p->layout, &p->user, c->head, &p->chain, c->stack.pid);
	if (p->kernel_record.failed || p->user_record.failed) {
		p->filter.nr_lost++;
	} else {
		if (w->at + RS_PAGE_RECORD_ROOM(p->kernel_record.len) +
			    RS_PAGE_RECORD_ROOM(p->user_record.len) >
		    p->page_bytes)
			return false;
		if (p->chain.nr_kernel)
			rs_page_writer_record(w, (const uint8_t *)p->kernel_record.data,
					      (uint32_t)p->kernel_record.len, w->ts_ns);
		if (p->chain.nr_user)
			rs_page_writer_record(w, (const uint8_t *)p->user_record.data,
					      (uint32_t)p->user_record.len, w->ts_ns);
	}
	c->has_stack = false;
	c->left = STACKED_NO_TASK;
	return true;
}

/*
 * Writes the stack before a record, or at the end of what is known now, NULL; one that is not of the last
 * switch waits for the next one. Returns false if the page has no room for it.
 */
static bool stacked_write_due(struct stacked_pages *p, unsigned int cpu, const uint64_t *until_ns,
			      struct rs_page_writer *w)
{
	struct stacked_cpu *c = &p->cpus[cpu];
	uint64_t most_ns = until_ns ? *until_ns : c->left_ns + STACKED_MAX_NS;

	return !stacked_peek(p, cpu) || c->stack.tid != c->left || c->stack.ts_ns >= most_ns ||
	       stacked_write_stack(p, c, w);
}

/* At most, of the next stack. */
static size_t stacked_stack_room(const struct stacked_pages *p, const struct stacked_cpu *c)
{
	uint64_t nr = c->stack.nr_frames < RS_STACK_RECORD_MAX_KERNEL + RS_STACK_RECORD_MAX_USER ?
			      c->stack.nr_frames :
			      RS_STACK_RECORD_MAX_KERNEL + RS_STACK_RECORD_MAX_USER;

	/* a user_stack has at least 8 addresses */
	return RS_PAGE_RECORD_ROOM(p->kernel.callers_at) + RS_PAGE_RECORD_ROOM(p->user.callers_at) +
	       (size_t)(nr + 8) * p->layout.long_bytes;
}

/* ---- records ---- */

/* Returns who leaves the CPU; STACKED_NO_TASK: it is another event. */
static int32_t stacked_leaves(const struct stacked_pages *p, const struct rs_page_cursor *record)
{
	const struct rs_event ev = { .data = record->record, .len_bytes = record->len_bytes };

	if (ev.len_bytes < p->switches.min_len_bytes || rs_u64(&ev, &p->common.type) != p->switches.id)
		return STACKED_NO_TASK;
	return (int32_t)rs_u64(&ev, &p->switches.fields[STACKED_PREV_PID]);
}

/*
 * Writes the next record. A switch and its stack are on one page: a reader looks ahead for it there. Returns
 * false if the page has no room; what had room in the kernel's page has it in an empty one.
 */
static bool stacked_write_record(struct stacked_pages *p, unsigned int cpu, struct rs_page_writer *w)
{
	struct stacked_cpu *c = &p->cpus[cpu];
	int32_t leaves = stacked_leaves(p, &c->cursor);
	size_t room = RS_PAGE_RECORD_ROOM(c->cursor.len_bytes);

	/* stacks before it are its own, or of a switch that is not there */
	while (leaves != STACKED_NO_TASK && stacked_peek(p, cpu) && c->stack.ts_ns < c->cursor.ts_ns &&
	       c->stack.tid != leaves)
		stacked_drop_stack(p, c);
	if (c->has_stack && c->stack.tid == leaves)
		room += stacked_stack_room(p, c);
	if (rs_page_writer_len(w) && w->at + room > p->page_bytes)
		return false;
	rs_page_writer_record(w, c->cursor.record, c->cursor.len_bytes, c->cursor.ts_ns);
	if (leaves != STACKED_NO_TASK) {
		c->left = leaves;
		c->left_ns = c->cursor.ts_ns;
		memcpy(c->head, c->cursor.record, sizeof c->head);
	}
	return true;
}

/* What follows a malformed record is for the reader to count. */
static void stacked_end_page(struct stacked_pages *p, struct stacked_cpu *c, struct rs_page_writer *w)
{
	size_t len = (size_t)(c->cursor.end - c->cursor.at);

	if (c->cursor.fault && w->at + len <= p->page_bytes)
		rs_page_writer_bytes(w, c->cursor.at, len);
}

/* Fills a page with what is left of the raw one, and with the stacks of it. */
static void stacked_fill(struct stacked_pages *p, unsigned int cpu, struct rs_page *page)
{
	struct stacked_cpu *c = &p->cpus[cpu];
	struct rs_page_cursor loss = c->cursor;
	struct rs_page_writer w;

	loss.lost &= c->has_loss;
	loss.lost_counted &= c->has_loss;
	c->has_loss = false;
	rs_page_writer_begin(&w, &p->layout, c->page, c->cursor.ts_ns);
	while (c->is_left && stacked_write_due(p, cpu, &c->cursor.ts_ns, &w) &&
	       stacked_write_record(p, cpu, &w))
		c->is_left = rs_page_next(&c->cursor);
	if (!c->is_left) {
		stacked_end_page(p, c, &w);
		stacked_write_due(p, cpu, NULL, &w);
	}
	*page = c->raw;
	page->data = c->page;
	page->len_bytes = rs_page_put_header(&p->layout, c->page, p->page_bytes, w.begin_ns,
					     rs_page_writer_len(&w), &loss);
}

/* ---- pages ---- */

static bool stacked_load(struct stacked_pages *p, struct stacked_cpu *c)
{
	if (!c->page)
		c->page = malloc(p->page_bytes);
	if (!c->page || !rs_page_load(&c->cursor, &p->layout, c->raw.data, c->raw.len_bytes))
		return false;
	if (c->cursor.lost)
		c->left = STACKED_NO_TASK;
	c->has_loss = true;
	p->offset_ns = p->stacks->ops->offset_ns(p->stacks);
	c->is_left = rs_page_next(&c->cursor);
	return c->is_left;
}

/* What cannot be read, or only without memory for a copy, is handed on as it is. */
static enum rs_next stacked_next(struct rs_page_filter *filter, struct rs_source *s, unsigned int cpu,
				 struct rs_page *page, struct rs_error *err)
{
	struct stacked_pages *p = (struct stacked_pages *)filter;
	struct stacked_cpu *c = &p->cpus[cpu];
	enum rs_next next;

	if (!c->is_left) {
		next = s->ops->next(s, cpu, &c->raw, err);
		if (next != RS_NEXT_PAGE || !stacked_load(p, c)) {
			*page = c->raw;
			return next;
		}
	}
	stacked_fill(p, cpu, page);
	return RS_NEXT_PAGE;
}

/* ---- the filter ---- */

static int stacked_bind_place(struct rs_formats *formats, const struct rs_trace_info *info, bool is_user,
			      struct rs_stack_place *place)
{
	struct rs_stack_record r;

	if (!rs_stack_record_bind(&r, formats, info, is_user))
		return -1;
	*place = (struct rs_stack_place){ r.bound.id, r.bound.fields[RS_STACK_RECORD_NR].offset_bytes,
					  r.bound.fields[RS_STACK_RECORD_CALLERS].offset_bytes };
	return place->first_at < RS_STACK_RECORD_HEAD_BYTES || place->callers_at < place->first_at + 4 ? -1 :
													 0;
}

static int stacked_bind(struct stacked_pages *p, const struct rs_trace_info *info, struct rs_error *err)
{
	static const char *const fields[] = { "prev_pid", NULL };
	struct rs_formats *formats = rs_formats_new(info, err);
	int ret = -1;

	if (!formats)
		return -1;
	if (rs_formats_bind(formats, "sched", "sched_switch", fields, &p->switches, NULL) == RS_BIND_OK &&
	    stacked_bind_place(formats, info, false, &p->kernel) == 0 &&
	    stacked_bind_place(formats, info, true, &p->user) == 0 && rs_formats_common(formats, &p->common))
		ret = rs_page_layout_of(&p->layout, info, err);
	else
		rs_fail(err, "cannot record stacks: this kernel's formats of sched_switch, kernel_stack or "
			     "user_stack are not understood (please report this)");
	rs_formats_free(formats);
	return ret;
}

int rs_stacked_pages_open(struct rs_source *source, struct rs_sample_source *stacks, struct rs_error *err)
{
	const struct rs_trace_info *info = &source->info;
	struct stacked_pages *p = calloc(1, sizeof *p + info->nr_cpus * sizeof p->cpus[0]);

	if (!p)
		return rs_fail(err, "out of memory");
	p->filter.next = stacked_next;
	p->stacks = stacks;
	p->nr_cpus = info->nr_cpus;
	p->page_bytes = info->page_bytes;
	p->kernel_record = p->user_record = (struct rs_buf)RS_BUF_INIT;
	for (unsigned int cpu = 0; cpu < p->nr_cpus; cpu++)
		p->cpus[cpu].left = STACKED_NO_TASK;
	if (stacked_bind(p, info, err) == 0) {
		source->filter = &p->filter;
		return 0;
	}
	rs_stacked_pages_free(&p->filter);
	return -1;
}

void rs_stacked_pages_free(struct rs_page_filter *filter)
{
	struct stacked_pages *p = (struct stacked_pages *)filter;

	if (!p)
		return;
	for (unsigned int cpu = 0; cpu < p->nr_cpus; cpu++)
		free(p->cpus[cpu].page);
	rs_buf_done(&p->kernel_record);
	rs_buf_done(&p->user_record);
	free(p);
}
