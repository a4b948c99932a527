// SPDX-License-Identifier: GPL-2.0-or-later
/* trace-bytes - a recording from any bytes, see trace-bytes.h */
#include "trace-bytes.h"

#include <stdlib.h>
#include <string.h>

#include "lines.h"

#define PAGE 4096
#define MAX_CPUS 4
#define MAX_EVENTS 128
#define NR_LAYOUTS 8
#define MAX_DELTA ((1ull << 27) - 1)
#define COMMIT_LOST (1ull << 31)
#define COMMIT_COUNTED (1ull << 30)

struct cpu {
	uint8_t **pages;
	unsigned int nr_pages, nr_given;
	size_t at;                       /* in the last page */
	uint64_t ts_ns, nr_lost;
	bool lost, counted, fresh;       /* fresh: the next record begins a page */
	int32_t tid;                     /* who is on it, by what was said so far */
};

/* The formats of a layout are the same each time. */
struct kernel {
	bool made;
	struct event_layout events[MAX_EVENTS];
	struct rs_format_text formats[MAX_EVENTS], no_states[MAX_EVENTS];
	size_t nr_events, nr_no_states;
	struct rs_buf texts[MAX_EVENTS], header_page;
};

struct trace {
	struct rs_source source;         /* first */
	const struct layout *layout;
	struct kernel *kernel;
	const uint8_t *at, *end;
	struct cpu cpus[MAX_CPUS];
	struct rs_initial_task snapshot[2];
	struct bytes_options *options;
	uint64_t now_ns, begin_ns, end_ns;
	bool begun;

	/* what one event says, and what the ones to come may refer to */
	struct { const char *name; uint64_t number; const char *text; } values[16];
	unsigned int nr_values;
	int64_t calls[8];                /* the call that tid 1 + n is in */
	struct { uint32_t dev; uint64_t sector, nr; } requests[8];
	unsigned int nr_requests;
};

static uint8_t take(struct trace *t)
{
	return t->at < t->end ? *t->at++ : 0;
}

/* ---- one event's record ---- */

static void say(struct trace *t, const char *name, uint64_t number, const char *text)
{
	t->values[t->nr_values].name = name;
	t->values[t->nr_values].number = number;
	t->values[t->nr_values++].text = text;
}

static void put(const struct trace *t, uint8_t *at, unsigned int size, uint64_t v)
{
	for (unsigned int i = 0; i < size; i++)
		at[t->layout->big_endian ? size - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

static void put_slot(const struct trace *t, uint8_t *record, size_t *len, const struct slot *slot)
{
	const char *text = "";
	uint64_t number = 0;
	size_t n;

	for (unsigned int i = 0; i < t->nr_values; i++)
		if (!strcmp(t->values[i].name, slot->name)) {
			number = t->values[i].number;
			text = t->values[i].text ? t->values[i].text : "";
		}
	n = strlen(text);
	if (slot->is_data_loc) {
		put(t, record + slot->offset, 4, (n + 1) << 16 | *len);
		memcpy(record + *len, text, n + 1);
		*len += n + 1;
	} else if (slot->is_text) {
		memcpy(record + slot->offset, text, n < slot->nr ? n : slot->nr);
	} else {
		for (unsigned int i = 0; i < slot->nr; i++)
			put(t, record + slot->offset + i * slot->size, slot->size, number);
	}
}

static void close_page(struct trace *t, struct cpu *c)
{
	size_t header = 8 + t->layout->long_bytes;
	uint64_t commit = c->at - header;
	uint8_t *page;

	if (!c->nr_pages)
		return;
	page = c->pages[c->nr_pages - 1];
	if (c->lost)
		commit |= COMMIT_LOST | (c->counted ? COMMIT_COUNTED : 0);
	if (c->lost && c->counted)
		put(t, page + c->at, t->layout->long_bytes, c->nr_lost);
	put(t, page + 8, t->layout->long_bytes, commit);
	c->lost = false;
}

static void begin_page(struct trace *t, struct cpu *c)
{
	c->pages = realloc(c->pages, (c->nr_pages + 1) * sizeof *c->pages);
	c->pages[c->nr_pages] = calloc(1, PAGE);
	put(t, c->pages[c->nr_pages++], 8, t->now_ns);
	c->at = 8 + t->layout->long_bytes;
	c->ts_ns = t->now_ns;
	c->fresh = false;
}

static void put_head(struct trace *t, struct cpu *c, unsigned int type_len, uint64_t delta)
{
	put(t, c->pages[c->nr_pages - 1] + c->at, 4,
	    t->layout->big_endian ? (uint64_t)type_len << 27 | delta : delta << 5 | type_len);
	c->at += 4;
}

static void put_record(struct trace *t, struct cpu *c, const uint8_t *record, size_t len)
{
	bool full = c->nr_pages && c->at + len + 32 > PAGE;
	uint64_t delta;

	/* a page's times only grow, and by no more than an extend holds */
	if (!c->nr_pages || c->fresh || full || t->now_ns < c->ts_ns || (t->now_ns - c->ts_ns) >> 58) {
		if (!c->fresh)
			close_page(t, c);
		begin_page(t, c);
	}
	delta = t->now_ns - c->ts_ns;
	if (delta > MAX_DELTA) {
		put_head(t, c, 30, delta & MAX_DELTA);
		put(t, c->pages[c->nr_pages - 1] + c->at, 4, delta >> 27);
		c->at += 4;
		delta = 0;
	}
	put_head(t, c, len / 4 <= 28 ? len / 4 : 0, delta);
	if (len / 4 > 28) {
		put(t, c->pages[c->nr_pages - 1] + c->at, 4, len + 4);
		c->at += 4;
	}
	memcpy(c->pages[c->nr_pages - 1] + c->at, record, len);
	c->at += len;
	c->ts_ns = t->now_ns;
	if (!t->begun || t->now_ns < t->begin_ns)
		t->begin_ns = t->now_ns;
	if (!t->begun || t->now_ns > t->end_ns)
		t->end_ns = t->now_ns;
	t->begun = true;
}

static void write_event(struct trace *t, unsigned int cpu, const char *name, int32_t tid)
{
	uint8_t record[512] = { 0 };
	const struct event_layout *ev = t->kernel->events;
	size_t len;

	while (strcmp(ev->name, name))
		ev++;
	len = ev->size;
	put(t, record, 2, ev->id);
	put(t, record + 4, 4, (uint32_t)tid);
	for (unsigned int i = 0; i < ev->nr_slots; i++)
		put_slot(t, record, &len, &ev->slots[i]);
	put_record(t, &t->cpus[cpu], record, (len + 3) / 4 * 4);
	t->nr_values = 0;
}

/* ---- what events say ---- */

static int32_t any_tid(struct trace *t)
{
	static const int32_t odd[] = { 0, -1, -7, INT32_MAX, INT32_MIN, 2, 1000, 1001 };
	uint8_t b = take(t);

	if (b < 224)
		return 1 + b % 6;
	return b < 248 ? odd[b % 8] : 100 + take(t);
}

static const char *any_comm(struct trace *t)
{
	static const char *const comms[] = { "a", "bb", "kworker/0:1", "x\"\x1b[2J", "", "sixteen-bytes-xx", "a", "a" };

	return comms[take(t) % 8];
}

static uint64_t any_cpu(struct trace *t)
{
	uint8_t b = take(t);

	return b < 240 ? b % t->source.info.nr_cpus : b < 248 ? 65535u + b % 3 : UINT64_MAX;
}

/* Mostly whoever is there. */
static int32_t context(struct trace *t, unsigned int cpu)
{
	uint8_t b = take(t);

	return b < 230 ? t->cpus[cpu].tid : any_tid(t);
}

static void say_switch(struct trace *t, unsigned int cpu, const char *name)
{
	static const uint8_t states[] = { 1, 1, 1, 2, 2, 0, 0, 0, 0x10, 0x20, 0x40, 0x80, 4, 8, 1, 0 };
	int32_t prev = context(t, cpu), next = take(t) & 1 ? any_tid(t) : 0;
	uint8_t state = states[take(t) % 16];

	say(t, "prev_pid", (uint32_t)prev, NULL);
	say(t, "prev_comm", 0, any_comm(t));
	say(t, "prev_state", state, NULL);
	say(t, "next_pid", (uint32_t)next, NULL);
	say(t, "next_comm", 0, any_comm(t));
	t->cpus[cpu].tid = next;
	write_event(t, cpu, name, prev);
}

static void add_task_line(struct trace *t, unsigned int cpu, const char *name)
{
	say(t, "pid", (uint32_t)any_tid(t), NULL);
	say(t, "comm", 0, any_comm(t));
	say(t, "target_cpu", any_cpu(t), NULL);
	say(t, "dest_cpu", any_cpu(t), NULL);
	say(t, "clone_flags", take(t) & 1 ? 0x10000 : 0, NULL);
	say(t, "oldcomm", 0, any_comm(t));
	say(t, "newcomm", 0, any_comm(t));
	write_event(t, cpu, name, context(t, cpu));
}

static void say_fork(struct trace *t, unsigned int cpu, const char *name)
{
	int32_t parent = context(t, cpu), child = any_tid(t);
	uint8_t b = take(t);

	if (b & 1) {
		say(t, "pid", (uint32_t)child, NULL);
		say(t, "comm", 0, any_comm(t));
		say(t, "clone_flags", b & 2 ? 0x10000 : 0, NULL);
		write_event(t, cpu, "task_newtask", parent);
	}
	say(t, "parent_pid", (uint32_t)parent, NULL);
	say(t, "parent_comm", 0, any_comm(t));
	say(t, "child_pid", (uint32_t)child, NULL);
	say(t, "child_comm", 0, any_comm(t));
	write_event(t, cpu, name, parent);
	if (b & 4) {
		say(t, "pid", (uint32_t)child, NULL);
		say(t, "target_cpu", any_cpu(t), NULL);
		write_event(t, cpu, "sched_wakeup_new", parent);
	}
}

static void say_exec(struct trace *t, unsigned int cpu, const char *name)
{
	int32_t old = context(t, cpu), tid = take(t) & 1 ? old : any_tid(t);

	say(t, "filename", 0, take(t) & 1 ? "/usr/bin/a-very-long-program-name" : "");
	say(t, "pid", (uint32_t)tid, NULL);
	say(t, "old_pid", (uint32_t)old, NULL);
	t->cpus[cpu].tid = tid;
	t->options->moved |= tid != old;
	write_event(t, cpu, name, tid);
}

static void say_exit(struct trace *t, unsigned int cpu, const char *name)
{
	int32_t tid = context(t, cpu);

	say(t, "pid", (uint32_t)tid, NULL);
	say(t, "comm", 0, any_comm(t));
	write_event(t, cpu, name, tid);
}

static void say_sys_enter(struct trace *t, unsigned int cpu, const char *name)
{
	static const int64_t odd[] = { -1, 15, 60, 231, 100000, INT64_MIN, 1, 3 };
	int32_t tid = context(t, cpu);
	uint8_t b = take(t);
	int64_t nr = b < 220 ? b % 4 : odd[b % 8];

	if (tid > 0 && tid <= 8)
		t->calls[tid - 1] = nr;
	say(t, "id", (uint64_t)nr, NULL);
	say(t, "args", b, NULL);
	write_event(t, cpu, name, tid);
}

static void say_sys_exit(struct trace *t, unsigned int cpu, const char *name)
{
	static const int64_t rets[] = { 0, 1, -1, -4095, -512, 4096, INT64_MIN, INT64_MAX };
	int32_t tid = context(t, cpu);
	uint8_t b = take(t);

	say(t, "id", (uint64_t)(b < 230 && tid > 0 && tid <= 8 ? t->calls[tid - 1] : b % 5 - 1), NULL);
	say(t, "ret", (uint64_t)rets[take(t) % 8], NULL);
	write_event(t, cpu, name, tid);
}

static void say_request(struct trace *t, uint32_t dev, uint64_t sector, uint64_t nr)
{
	static const char *const kinds[] = { "R", "W", "WS", "FF", "N", "RAM", "", "R" };

	say(t, "dev", dev, NULL);
	say(t, "sector", sector, NULL);
	say(t, "nr_sector", nr, NULL);
	say(t, "bytes", nr * 512, NULL);
	say(t, "rwbs", 0, kinds[take(t) % 8]);
	say(t, "comm", 0, any_comm(t));
}

/* A request of its own, or inside, around or after one that was told of. */
static void say_next_request(struct trace *t, unsigned int cpu, const char *name)
{
	static const uint64_t odd[] = { 0, UINT64_MAX, UINT64_MAX - 4, 1ull << 63 };
	uint8_t b = take(t), which = take(t) % 8;
	uint32_t dev = b < 200 ? 8u << 20 : b < 230 ? 253u << 20 : (uint32_t)b << 24;
	uint64_t sector = b < 240 ? take(t) % 16 * 8 : odd[b % 4], nr = take(t);

	nr = nr < 200 ? 8 * (1 + nr % 3) : nr < 230 ? 0 : nr < 245 ? nr : UINT32_MAX;
	if (b & 1 && t->nr_requests) { /* again: the next step of one that has begun */
		dev = t->requests[which % t->nr_requests].dev;
		sector = t->requests[which % t->nr_requests].sector;
		nr = t->requests[which % t->nr_requests].nr;
	}
	t->requests[which].dev = dev;
	t->requests[which].sector = sector;
	t->requests[which].nr = nr;
	t->nr_requests = t->nr_requests > which ? t->nr_requests : which + 1u;
	say_request(t, dev, sector, nr);
	write_event(t, cpu, name, context(t, cpu));
}

static void say_complete(struct trace *t, unsigned int cpu, const char *name)
{
	uint8_t which = take(t) % 8, b = take(t);
	uint64_t nr = t->requests[which].nr, sector = t->requests[which].sector;

	if (b > 200 && nr > 1) {
		nr /= 2;
		t->requests[which].sector += nr;
		t->requests[which].nr -= nr;
	}
	say_request(t, t->requests[which].dev, sector, nr);
	write_event(t, cpu, name, take(t) < 128 ? 0 : context(t, cpu));
}

/* Two lines, one of them shared, and some vectors; now and then a number that no kernel has. */
static void say_irq(struct trace *t, unsigned int cpu, const char *name)
{
	static const char *const handlers[] = { "eth0", "i8042", "", "x\"\x1b[2J" };
	uint8_t b = take(t);

	say(t, "irq", b < 240 ? 24u + b % 2 : (uint32_t)b << 24, NULL);
	say(t, "vec", b < 240 ? b % 4u : b < 248 ? 31 + b % 3u : UINT32_MAX, NULL);
	say(t, "name", 0, handlers[b >> 1 & 3]);
	write_event(t, cpu, name, context(t, cpu));
}

static void say_memory(struct trace *t, unsigned int cpu, const char *name)
{
	static const uint64_t sizes[] = { 0, 4096, 8192, 1u << 20, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX, 1 };
	uint8_t b = take(t);

	say(t, "order", b < 240 ? b % 12 : b < 250 ? b : UINT32_MAX, NULL);
	say(t, "pfn", b == 7 ? UINT64_MAX : b, NULL);
	say(t, "mm_id", b < 250 ? b % 5 : take(t) * 2654435761u, NULL);
	say(t, "curr", b >> 3 & 1, NULL);
	say(t, "member", b < 252 ? b >> 4 & 3 : b, NULL);
	say(t, "size", sizes[take(t) % 8], NULL);
	write_event(t, cpu, name, context(t, cpu));
}

/* Any bytes as a record: of no event, or too short for what it says it is. */
static void junk(struct trace *t, unsigned int cpu, const char *name)
{
	uint8_t record[32] = { 0 };
	size_t len = 4 + take(t) % 7 * 4;

	put(t, record, 2, 295u + take(t) % 40);
	for (size_t i = 2; i < len; i++)
		record[i] = take(t);
	put_record(t, &t->cpus[cpu], record, len);
}

static void lose(struct trace *t, unsigned int cpu, const char *name)
{
	struct cpu *c = &t->cpus[cpu];
	uint8_t b = take(t);

	if (!c->fresh)
		close_page(t, c);
	c->fresh = c->lost = true;
	c->counted = b & 1;
	c->nr_lost = b < 250 ? b : UINT64_MAX >> 1;
	c->tid = b & 2 ? c->tid : any_tid(t);
}

static void move_time(struct trace *t)
{
	uint8_t b = take(t);

	if (b < 60)
		return; /* equal times */
	if (b < 250)
		t->now_ns += (uint64_t)b * (1 + take(t) % 8);
	else if (b < 254)
		t->now_ns += 1ull << take(t) % 40;
	else if (b == 254)
		t->now_ns -= t->now_ns < 5000 ? t->now_ns : take(t);
	else if (take(t) > 250) /* to the far end of what 64 bits hold */
		t->now_ns |= 3ull << 62;
}

/* A few locks and maps, of every type and of none; and what may be a stall. */
static void say_wait(struct trace *t, unsigned int cpu, const char *name)
{
	uint8_t b = take(t);

	say(t, "lock_addr", b < 250 ? 0x1000u + b % 4 : UINT64_MAX, NULL);
	say(t, "flags", b < 240 ? b >> 2 : UINT32_MAX, NULL);
	say(t, "ret", b & 1 ? (uint64_t)-4 : 0, NULL);
	say(t, "mm", b % 6u, NULL);
	say(t, "write", b >> 3 & 1, NULL);
	say(t, "success", b % 16u > 0, NULL);
	say(t, "order", b % 10u, NULL);
	say(t, "usec_delayed", b < 250 ? b : UINT32_MAX, NULL);
	say(t, "pause", b % 3u, NULL);
	write_event(t, cpu, name, context(t, cpu));
}

/* How often, and what. */
static const struct {
	unsigned int often;
	const char *name;
	void (*say)(struct trace *t, unsigned int cpu, const char *name);
} kinds[] = {
	{ 10, "sched_switch", say_switch }, { 5, "sched_waking", add_task_line }, { 1, "sched_wakeup", add_task_line },
	{ 1, "sched_wakeup_new", add_task_line }, { 1, "sched_migrate_task", add_task_line },
	{ 1, "sched_process_fork", say_fork }, { 1, "task_newtask", add_task_line }, { 1, "sched_process_exec", say_exec },
	{ 1, "sched_process_exit", say_exit }, { 1, "task_rename", add_task_line },
	{ 4, "sys_enter", say_sys_enter }, { 4, "sys_exit", say_sys_exit },
	{ 1, "block_io_start", say_next_request }, { 1, "block_rq_insert", say_next_request },
	{ 2, "block_rq_issue", say_next_request }, { 1, "block_rq_requeue", say_next_request },
	{ 2, "block_rq_complete", say_complete }, { 1, NULL, junk }, { 1, NULL, lose },
	{ 2, "irq_handler_entry", say_irq }, { 2, "irq_handler_exit", say_irq }, { 1, "softirq_raise", say_irq },
	{ 1, "softirq_entry", say_irq }, { 2, "softirq_exit", say_irq },
	{ 2, "page_fault_user", say_memory }, { 1, "page_fault_kernel", say_memory }, { 2, "mm_page_alloc", say_memory },
	{ 1, "mm_page_free", say_memory }, { 4, "rss_stat", say_memory },
	{ 2, "contention_begin", say_wait }, { 2, "contention_end", say_wait },
	{ 1, "mm_vmscan_direct_reclaim_begin", say_wait }, { 1, "mm_vmscan_direct_reclaim_end", say_wait },
	{ 1, "mm_vmscan_throttled", say_wait }, { 1, "balance_dirty_pages", say_wait },
	{ 1, "mmap_lock_start_locking", say_wait }, { 1, "mmap_lock_acquire_returned", say_wait },
	{ 1, "mmap_lock_released", say_wait },
};

static void one_event(struct trace *t)
{
	unsigned int cpu = take(t) % t->source.info.nr_cpus, which = 0, i = 0, sum = 0;

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		sum += kinds[k].often;
	which = take(t) % sum;

	while (which >= kinds[i].often)
		which -= kinds[i++].often;
	if (kinds[i].name)
		move_time(t);
	kinds[i].say(t, cpu, kinds[i].name);
}

/* ---- the source ---- */

static enum rs_next next(struct rs_source *s, unsigned int nr, struct rs_page *page, struct rs_error *err)
{
	struct cpu *c = &((struct trace *)s)->cpus[nr];

	if (c->nr_given == c->nr_pages)
		return RS_NEXT_END;
	*page = (struct rs_page){ .data = c->pages[c->nr_given++], .len_bytes = PAGE };
	return RS_NEXT_PAGE;
}

static void close_source(struct rs_source *s)
{
	struct trace *t = (struct trace *)s;

	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++) {
		for (unsigned int i = 0; i < t->cpus[cpu].nr_pages; i++)
			free(t->cpus[cpu].pages[i]);
		free(t->cpus[cpu].pages);
	}
	free(t);
}

static struct kernel *kernel_of(unsigned int layout)
{
	static struct kernel kernels[NR_LAYOUTS];
	struct kernel *k = &kernels[layout];

	if (k->made)
		return k;
	for (unsigned int i = 0; rs_event_layout(&k->events[i], &rs_layouts[layout], i); i++) {
		if (i == MAX_EVENTS - 1)
			abort();
		k->nr_events = i + 1;
		k->texts[i] = (struct rs_buf)RS_BUF_INIT;
		rs_event_format(&k->texts[i], &k->events[i], &rs_layouts[layout]);
		k->formats[i] = (struct rs_format_text){
			.system = k->events[i].system, .text = { k->texts[i].data, k->texts[i].len },
		};
		if (strcmp(k->events[i].system, "sched"))
			k->no_states[k->nr_no_states++] = k->formats[i];
	}
	k->header_page = (struct rs_buf)RS_BUF_INIT;
	rs_header_page(&k->header_page, &rs_layouts[layout]);
	k->made = true;
	return k;
}

static void read_options(struct trace *t, struct bytes_options *o)
{
	uint8_t b = take(t);

	*o = (struct bytes_options){
		.exact = b & 1, .narrow = b > 240, .no_states = (b & 0x1e) == 0x1e,
		.step = 1 + take(t) % 64, .max_tasks = take(t) % 4 ? 0 : 1 + take(t) % 8,
	};
	b = take(t);
	o->reset_every = b < 64 ? 1 + b : 0;
	b = take(t);
	o->from = b < 40 ? b * 6u : 0;
	b = take(t);
	o->to = b < 40 ? 64 + b * 6u : 0;
	b = take(t);
	if (b > 220)
		rs_pauses_add(&t->source.pauses, 1000000 + b * 50, 1000000 + b * 50 + take(t) * 8);
	t->now_ns = 1000000;
}

struct rs_source *rs_bytes_source(const uint8_t *bytes, size_t len, struct bytes_options *options,
				  uint64_t *begin_ns, uint64_t *end_ns)
{
	struct trace *t = calloc(1, sizeof *t);
	static const struct rs_source_ops ops = { .next = next, .close = close_source };
	unsigned int layout;

	t->at = bytes;
	t->end = bytes + len;
	layout = take(t) % rs_nr_layouts;
	t->layout = &rs_layouts[layout];
	t->kernel = kernel_of(layout);
	t->source.ops = &ops;
	t->options = options;
	t->snapshot[0] = (struct rs_initial_task){ .tid = 3, .pid = 3, .comm = "seed" };
	t->snapshot[1] = (struct rs_initial_task){ .tid = 4, .pid = 3, .comm = "seed-thread" };
	read_options(t, options);
	t->source.info = (struct rs_trace_info){
		.nr_cpus = 1 + take(t) % MAX_CPUS, .page_bytes = PAGE, .long_bytes = t->layout->long_bytes,
		.big_endian = t->layout->big_endian, .clock = "boot", .kernel = t->layout->kernel,
		.machine = t->layout->machine, .snapshot = t->snapshot, .nr_initial = 2,
		.formats = options->no_states ? t->kernel->no_states : t->kernel->formats,
		.nr_formats = options->no_states ? t->kernel->nr_no_states : t->kernel->nr_events,
		.header_page = { t->kernel->header_page.data, t->kernel->header_page.len },
	};
	while (t->at < t->end)
		one_event(t);
	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++)
		if (!t->cpus[cpu].fresh)
			close_page(t, &t->cpus[cpu]);
	*begin_ns = t->begin_ns;
	*end_ns = t->end_ns;
	return &t->source;
}
