// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lines - reads the lines and writes ring-buffer pages as the kernel does
 *
 * A line's words fill named values; a record is then made by going over the
 * event's fields in the layout and asking for the value of each field's name.
 */
#include <check.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

#define PAGE 4096
#define MAX_CPUS 8
#define MAX_PAGES 64
#define MAX_VALUES 24
#define MAX_EVENTS 96
#define MAX_ARGS 4
#define COMMIT_LOST (1ull << 31)
#define COMMIT_COUNTED (1ull << 30)
#define MAX_DELTA ((1ull << 27) - 1)

struct value {
	char name[24], text[64];
	uint64_t number;
};

struct cpu {
	uint8_t *pages[MAX_PAGES];
	unsigned int nr_pages, nr_given;
	size_t at;              /* in the last page */
	uint64_t ts_ns;
	bool begin_page, lost, counted;
	uint64_t nr_lost;
};

struct lines {
	struct rs_source source;
	const char *const *text;  /* to be read again: the caller keeps it */
	const struct layout *layout;
	struct event_layout events[MAX_EVENTS];
	struct rs_buf texts[MAX_EVENTS], header_page;
	struct rs_format_text formats[MAX_EVENTS];
	struct rs_seed seeds[16], proc[16];
	struct rs_seed_wait waits[16];
	unsigned int nr_waits;
	struct rs_proc_sample sample;
	struct rs_gauges gauges;
	struct { int32_t pid; const char *words; } args[MAX_ARGS];
	unsigned int nr_args;
	struct cpu cpus[MAX_CPUS];
	bool without[MAX_EVENTS];
	unsigned int nr_events;
	bool no_letter;         /* a state that this layout cannot say */

	/* the line being read */
	const char *line, *at;
	struct value values[MAX_VALUES];
	unsigned int nr_values;
};

__attribute__((noreturn))
static void bad(const struct lines *l, const char *why)
{
	ck_abort_msg("line \"%s\": %s at \"%s\"", l->line, why, l->at);
}

/* ---- reading a line ---- */

static struct value *set(struct lines *l, const char *name, uint64_t number)
{
	struct value *v = &l->values[l->nr_values++];

	ck_assert_uint_le(l->nr_values, MAX_VALUES);
	snprintf(v->name, sizeof v->name, "%s", name);
	v->text[0] = 0;
	v->number = number;
	return v;
}

static const struct value *get(const struct lines *l, const char *name)
{
	for (unsigned int i = 0; i < l->nr_values; i++)
		if (!strcmp(l->values[i].name, name))
			return &l->values[i];
	return NULL;
}

static void skip_spaces(struct lines *l)
{
	l->at += strspn(l->at, " ");
}

static bool word(struct lines *l, char *buf, size_t size)
{
	size_t len;

	skip_spaces(l);
	len = strcspn(l->at, " ");
	if (!len)
		return false;
	if (len >= size)
		bad(l, "a word too long");
	memcpy(buf, l->at, len);
	buf[len] = 0;
	l->at += len;
	return true;
}

static uint64_t number(struct lines *l, const char *text, int base)
{
	char *end;
	uint64_t n = text[0] == '-' ? (uint64_t)strtoll(text, &end, base) : strtoull(text, &end, base);

	if (end == text || *end)
		bad(l, "not a number before here");
	return n;
}

/* "NAME/TID": the first slash with only digits up to the next space, so that names hold spaces and slashes. */
static const char *name_end(const char *at)
{
	for (const char *p = strchr(at, '/'); p; p = strchr(p + 1, '/')) {
		size_t digits = strspn(p + 1, "0123456789");

		if (digits && (!p[1 + digits] || p[1 + digits] == ' '))
			return p;
	}
	return NULL;
}

static void read_task(struct lines *l, const char *comm, const char *tid, unsigned int cpu)
{
	const char *slash;
	struct value *v;

	skip_spaces(l);
	slash = name_end(l->at);
	if (!slash)
		bad(l, "expected NAME/TID");
	v = set(l, comm, 0);
	snprintf(v->text, sizeof v->text, "%.*s", (int)(slash - l->at), l->at);
	l->at = slash + 1;
	v = set(l, tid, strtoull(l->at, NULL, 10));
	l->at += strspn(l->at, "0123456789");
	if (!v->number && !strcmp(v[-1].text, "idle"))
		snprintf(v[-1].text, sizeof v->text, "swapper/%u", cpu);
}

static void read_state(struct lines *l, const char *name)
{
	const char *letters = l->layout->letters, *p;
	char text[16];
	uint64_t state = 0;

	if (!word(l, text, sizeof text))
		bad(l, "expected a state");
	for (p = text; *p; p++) {
		const char *bit = strchr(letters, *p);

		if (*p == 'R' || *p == '|')
			continue;
		if (*p == '+')
			state |= 1ull << l->layout->letters_bits;
		else if (bit)
			state |= 1ull << (bit - letters);
		else if (strchr("SDTtXZPI", *p))
			l->no_letter = true;
		else
			bad(l, "no such state before here");
	}
	set(l, name, state);
}

static void read_dev(struct lines *l)
{
	unsigned int major = 0, minor = 0;
	char text[32];

	if (!word(l, text, sizeof text) || sscanf(text, "%u,%u", &major, &minor) != 2)
		bad(l, "expected MAJ,MIN before here");
	set(l, "dev", (uint64_t)major << 20 | minor);
}

/* One word of an event's pattern: "->", "@state", "%dev", "$text", "#number", "comm/pid". */
static void read_pattern_word(struct lines *l, char *what, unsigned int cpu)
{
	char text[64], *slash = strchr(what, '/');

	if (slash) {
		*slash = 0;
		read_task(l, what, slash + 1, cpu);
	} else if (*what == '@') {
		read_state(l, what + 1);
	} else if (*what == '%') {
		read_dev(l);
	} else if (!word(l, text, sizeof text)) {
		bad(l, "the line ends too early");
	} else if (*what == '$') {
		struct value *v = set(l, what + 1, 0);

		snprintf(v->text, sizeof v->text, "%s", text);
	} else if (*what == '#') {
		set(l, what + 1, number(l, text, 10));
	} else if (strcmp(text, what)) {
		bad(l, "expected -> before here");
	}
}

/* "nr" is a system call's number or name in one event, sectors in the other. */
static uint64_t syscall_nr(struct lines *l, const char *text)
{
	char key[32];
	const char *found;

	if (isdigit((unsigned char)*text) || *text == '-')
		return number(l, text, 10);
	snprintf(key, sizeof key, "%s=", text);
	for (found = l->layout->syscalls; (found = strstr(found, key)); found++)
		if (found == l->layout->syscalls || found[-1] == ' ')
			return strtoull(found + strlen(key), NULL, 10);
	bad(l, "no such system call in the test's list");
}

static const char *const long_names[][2] = {
	{ "target", "target_cpu" }, { "err", "error" }, { "old", "old_pid" }, { "flags", "clone_flags" },
	{ "t", "common_pid" },
};

static void read_option(struct lines *l, const char *key, const char *text, bool is_syscall)
{
	struct value *v;

	for (size_t i = 0; i < sizeof long_names / sizeof *long_names; i++)
		if (!strcmp(key, long_names[i][0]))
			key = long_names[i][1];
	if (!strcmp(key, "nr")) {
		set(l, is_syscall ? "id" : "nr_sector", is_syscall ? syscall_nr(l, text) : number(l, text, 10));
	} else if (!strcmp(key, "comm") || !strcmp(key, "cgroup") || !strcmp(key, "asleep") || !strcmp(key, "call") ||
		   !strcmp(key, "wchan")) {
		v = set(l, key, 0);
		snprintf(v->text, sizeof v->text, "%s", text);
	} else {
		set(l, key, number(l, text, !strcmp(key, "clone_flags") ? 16 : 10));
	}
}

/* What follows the pattern: "key=value", "by NAME/TID", "irq", "group_dead", and sys_enter's words in hex. */
static void read_options(struct lines *l, const struct event_layout *ev, unsigned int cpu)
{
	bool is_syscall = strstr(ev->system, "syscalls");
	char text[64], name[16], *equals;
	unsigned int nr_args = 0;

	while (word(l, text, sizeof text)) {
		if ((equals = strchr(text, '='))) {
			*equals = 0;
			read_option(l, text, equals + 1, is_syscall);
		} else if (!strcmp(text, "by")) {
			read_task(l, "by_comm", "common_pid", cpu);
		} else if (!strcmp(text, "irq")) {
			set(l, "common_flags", 8);
		} else if (!strcmp(text, "group_dead")) {
			set(l, "group_dead", 1);
		} else if (is_syscall && nr_args < 6) {
			snprintf(name, sizeof name, "args%u", nr_args++);
			set(l, name, number(l, text, 16));
		} else {
			bad(l, "what is that before here");
		}
	}
}

/* Events that fire in the context of the very task that they name. */
static const char *const own_context[][2] = {
	{ "sched_switch", "prev_pid" }, { "sched_process_fork", "parent_pid" }, { "sched_process_exec", "pid" },
	{ "sched_process_exit", "pid" }, { "task_rename", "pid" },
};

static void set_context(struct lines *l, const struct event_layout *ev)
{
	for (size_t i = 0; i < sizeof own_context / sizeof *own_context; i++)
		if (!strcmp(ev->name, own_context[i][0]) && get(l, own_context[i][1]))
			set(l, "common_pid", get(l, own_context[i][1])->number);
	if (!get(l, "common_pid"))
		bad(l, "in whose context? say t=TID or by NAME/TID");
}

/* ---- writing records and pages ---- */

static void put(const struct lines *l, uint8_t *at, unsigned int size, uint64_t v)
{
	for (unsigned int i = 0; i < size; i++)
		at[l->layout->big_endian ? size - 1 - i : i] = v >> 8 * i;
}

static void put_slot(const struct lines *l, uint8_t *record, size_t *len, const struct slot *slot)
{
	const struct value *v = get(l, slot->name);
	const char *text = v ? v->text : "";

	if (slot->is_data_loc) {
		put(l, record + slot->offset, 4, (strlen(text) + 1) << 16 | *len);
		memcpy(record + *len, text, strlen(text) + 1);
		*len += strlen(text) + 1;
	} else if (slot->is_text) {
		/* As the kernel's strncpy'd comm: cut, and always terminated. */
		snprintf((char *)record + slot->offset, slot->nr, "%.*s", (int)slot->nr - 1, text);
	} else if (slot->nr > 1) {
		for (unsigned int i = 0; i < slot->nr; i++) {
			char name[16];

			snprintf(name, sizeof name, "args%u", i);
			v = get(l, name);
			put(l, record + slot->offset + i * slot->size, slot->size, v ? v->number : 0);
		}
	} else {
		put(l, record + slot->offset, slot->size, v ? v->number : 0);
	}
}

static size_t make_record(const struct lines *l, const struct event_layout *ev, uint8_t *record)
{
	const struct value *flags = get(l, "common_flags");
	size_t len = ev->size;

	memset(record, 0, 512);
	put(l, record, 2, ev->id);
	record[2] = flags ? flags->number : 0;
	put(l, record + 4, 4, get(l, "common_pid")->number);
	for (unsigned int i = 0; i < ev->nr_slots; i++)
		put_slot(l, record, &len, &ev->slots[i]);
	return (len + 3) / 4 * 4;
}

static size_t header_bytes(const struct lines *l)
{
	return 8 + l->layout->long_bytes;
}

static void close_page(struct lines *l, struct cpu *c)
{
	uint8_t *page = c->pages[c->nr_pages - 1];
	uint64_t commit = c->at - header_bytes(l);

	if (c->lost)
		commit |= COMMIT_LOST | (c->counted ? COMMIT_COUNTED : 0);
	if (c->lost && c->counted)
		put(l, page + c->at, l->layout->long_bytes, c->nr_lost);
	put(l, page + 8, l->layout->long_bytes, commit);
	c->lost = false;
}

static void begin_page(struct lines *l, struct cpu *c, uint64_t ts_ns)
{
	ck_assert_uint_lt(c->nr_pages, MAX_PAGES);
	c->pages[c->nr_pages] = calloc(1, PAGE);
	put(l, c->pages[c->nr_pages++], 8, ts_ns);
	c->at = header_bytes(l);
	c->ts_ns = ts_ns;
	c->begin_page = false;
}

static void put_head(struct lines *l, struct cpu *c, unsigned int type_len, uint64_t delta)
{
	uint32_t head = l->layout->big_endian ? (uint32_t)type_len << 27 | delta : delta << 5 | type_len;

	put(l, c->pages[c->nr_pages - 1] + c->at, 4, head);
	c->at += 4;
}

static void put_record(struct lines *l, struct cpu *c, uint64_t ts_ns, const uint8_t *record, size_t len)
{
	bool full = c->nr_pages && c->at + len + 24 > PAGE;
	uint64_t delta;

	if (c->begin_page && c->nr_pages)
		; /* closed when the loss was read */
	else if (full)
		close_page(l, c);
	if (!c->nr_pages || c->begin_page || full)
		begin_page(l, c, ts_ns);
	delta = ts_ns - c->ts_ns;
	if (delta > MAX_DELTA) {
		put_head(l, c, 30, delta & MAX_DELTA);
		put(l, c->pages[c->nr_pages - 1] + c->at, 4, delta >> 27);
		c->at += 4;
		delta = 0;
	}
	put_head(l, c, len / 4 <= 28 ? len / 4 : 0, delta);
	if (len / 4 > 28) {
		put(l, c->pages[c->nr_pages - 1] + c->at, 4, len + 4);
		c->at += 4;
	}
	memcpy(c->pages[c->nr_pages - 1] + c->at, record, len);
	c->at += len;
	c->ts_ns = ts_ns;
}

/* ---- lines ---- */

static struct event_layout *find_event(struct lines *l, const char *name)
{
	for (unsigned int i = 0; i < l->source.info.nr_formats; i++)
		if (!strcmp(l->events[i].name, name))
			return &l->events[i];
	bad(l, "no such event before here");
}

/* "cpu0" */
static struct cpu *read_cpu(struct lines *l, const char *text, unsigned int *nr)
{
	if (strncmp(text, "cpu", 3) || !isdigit((unsigned char)text[3]) || (*nr = atoi(text + 3)) >= MAX_CPUS)
		bad(l, "expected cpuN before here");
	if (*nr >= l->source.info.nr_cpus)
		l->source.info.nr_cpus = *nr + 1;
	return &l->cpus[*nr];
}

static void read_lost(struct lines *l, struct cpu *c)
{
	char text[32];

	if (!word(l, text, sizeof text) || (strcmp(text, "page") && (strcmp(text, "lost") || !word(l, text, sizeof text))))
		bad(l, "expected \"cpuN lost N\", \"cpuN lost ?\" or \"cpuN page\"");
	if (c->nr_pages && !c->begin_page)
		close_page(l, c);
	c->begin_page = true;
	if (!strcmp(text, "page"))
		return;
	c->lost = true;
	c->counted = strcmp(text, "?");
	c->nr_lost = c->counted ? number(l, text, 10) : 0;
}

static void read_event(struct lines *l, uint64_t ts_ns)
{
	char text[64], pattern[96], *rest, *what;
	uint8_t record[512];
	struct event_layout *ev;
	unsigned int nr = 0;
	struct cpu *c;

	if (!word(l, text, sizeof text))
		bad(l, "expected cpuN");
	c = read_cpu(l, text, &nr);
	if (!word(l, text, sizeof text))
		bad(l, "expected an event");
	ev = find_event(l, text);
	skip_spaces(l);
	if (!strncmp(l->at, "t=", 2)) {
		word(l, text, sizeof text);
		read_option(l, "t", text + 2, false);
	}
	snprintf(pattern, sizeof pattern, "%s", ev->pattern);
	for (rest = pattern; *pattern && (what = strsep(&rest, " ")); )
		read_pattern_word(l, what, nr);
	read_options(l, ev, nr);
	set_context(l, ev);
	if (c->nr_pages && ts_ns < c->ts_ns)
		bad(l, "earlier than the line before it on this CPU");
	put_record(l, c, ts_ns, record, make_record(l, ev, record));
}

/* The call is read(3, 0x10, 0x20), or none. */
static void read_asleep(struct lines *l, struct rs_seed *seed)
{
	struct rs_seed_wait *w = &l->waits[l->nr_waits++];

	ck_assert_uint_le(l->nr_waits, 16);
	*w = (struct rs_seed_wait){ .letter = get(l, "asleep")->text[0], .syscall = -1, .args = { 3, 16, 32 } };
	if (get(l, "call"))
		w->syscall = (int64_t)syscall_nr(l, get(l, "call")->text);
	if (get(l, "wchan"))
		snprintf(w->wchan, sizeof w->wchan, "%.47s", get(l, "wchan")->text);
	seed->wait = w;
}

/* live: what /proc said at the begin, or when rows are asked for; a file's own list has no majors. */
static void read_seed(struct lines *l, struct rs_seed *seed)
{
	read_task(l, "comm", "tid", 0);
	read_options(l, &l->events[0], 0);
	snprintf(seed->comm, sizeof seed->comm, "%.15s", get(l, "comm")->text);
	seed->tid = get(l, "tid")->number;
	seed->pid = get(l, "pid") ? get(l, "pid")->number : 0;
	seed->ppid = get(l, "ppid") ? get(l, "ppid")->number : 0;
	seed->ts_ns = get(l, "at") ? get(l, "at")->number : 0;
	seed->books_known = get(l, "majors");
	seed->nr_major_faults = get(l, "majors") ? get(l, "majors")->number : 0;
	seed->start_ticks = get(l, "start") ? get(l, "start")->number : 0;
	if (get(l, "asleep"))
		read_asleep(l, seed);
	if (get(l, "cgroup"))
		seed->cgroup = !strcmp(get(l, "cgroup")->text, "/a") ? "/a" : "/b";
}

static const char *const gauge_names[RS_NR_GAUGES] = {
	"total", "free", "available", "buffers", "cached", "reclaimable", "committed", "mapped", "shared", "dirty",
	"swap_total", "swap_free", "faults", "major_faults", "page_in", "page_out",
};

static void read_gauges(struct lines *l, struct rs_gauges *g)
{
	const struct value *at;

	read_options(l, &l->events[0], 0);
	at = get(l, "at");
	g->time_ns = at ? rs_u(at->number) : rs_null();
	for (int i = 0; i < RS_NR_GAUGES; i++) {
		const struct value *v = get(l, gauge_names[i]);

		g->value[i] = v ? rs_u(v->number) : rs_null();
	}
	l->source.info.gauges = &l->gauges;
}

static void read_args(struct lines *l)
{
	char text[32];

	if (l->nr_args == MAX_ARGS || !word(l, text, sizeof text))
		bad(l, "expected PID WORDS...");
	skip_spaces(l);
	l->args[l->nr_args].pid = (int32_t)number(l, text, 10);
	l->args[l->nr_args++].words = l->at;
}

static void read_pause(struct lines *l)
{
	char off[32], on[32];

	if (!word(l, off, sizeof off) || !word(l, on, sizeof on))
		bad(l, "expected two times");
	rs_source_pause(&l->source, number(l, off, 10), number(l, on, 10));
}

static void read_line(struct lines *l, const char *line)
{
	char text[64];
	unsigned int nr;

	l->line = l->at = line;
	l->nr_values = 0;
	if (!word(l, text, sizeof text) || text[0] == '#')
		return;
	if (!strcmp(text, "without")) {
		if (!word(l, text, sizeof text))
			bad(l, "expected an event");
		l->without[find_event(l, text) - l->events] = true;
	} else if (!strcmp(text, "seed")) {
		read_seed(l, &l->seeds[l->source.info.nr_seeds++]);
	} else if (!strcmp(text, "live")) {
		l->source.info.live = true;
	} else if (!strcmp(text, "proc")) {
		read_seed(l, &l->proc[l->sample.nr_tasks++]);
	} else if (!strcmp(text, "gauges")) {
		read_gauges(l, l->source.info.gauges ? &l->sample.gauges : &l->gauges);
	} else if (!strcmp(text, "args")) {
		read_args(l);
	} else if (!strcmp(text, "pause")) {
		read_pause(l);
	} else if (!strncmp(text, "cpu", 3)) {
		read_lost(l, read_cpu(l, text, &nr));
	} else {
		read_event(l, number(l, text, 10));
	}
}

/* ---- the source ---- */

static enum rs_next lines_next(struct rs_source *s, unsigned int nr, struct rs_page *page, struct rs_error *err)
{
	struct lines *l = (struct lines *)s;
	struct cpu *c = &l->cpus[nr];

	if (c->nr_given == c->nr_pages)
		return RS_NEXT_END;
	*page = (struct rs_page){ .data = c->pages[c->nr_given++], .len_bytes = PAGE };
	return RS_NEXT_PAGE;
}

static size_t lines_args(struct rs_source *s, int32_t pid, const char *comm, char *buf, size_t size_bytes)
{
	const struct lines *l = (const struct lines *)s;

	for (unsigned int i = 0; i < l->nr_args; i++)
		if (l->args[i].pid == pid)
			return (size_t)snprintf(buf, size_bytes, "%s", l->args[i].words);
	return 0;
}

static void lines_close(struct rs_source *s)
{
	struct lines *l = (struct lines *)s;

	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++)
		for (unsigned int i = 0; i < l->cpus[cpu].nr_pages; i++)
			free(l->cpus[cpu].pages[i]);
	for (unsigned int i = 0; i < l->nr_events; i++)
		rs_buf_done(&l->texts[i]);
	rs_buf_done(&l->header_page);
	free(l);
}

static const struct rs_proc_sample *lines_sample(struct rs_source *s)
{
	struct lines *l = (struct lines *)s;

	l->sample.tasks = l->proc;
	return s->info.live ? &l->sample : NULL;
}

static struct rs_source *lines_again(const struct rs_source *s, struct rs_error *err)
{
	const struct lines *l = (const struct lines *)s;

	return rs_lines_source(l->text, l->layout);
}

static const struct rs_source_ops lines_ops = {
	.next = lines_next, .again = lines_again, .sample = lines_sample, .args = lines_args, .close = lines_close,
};

static void fill_formats(struct lines *l)
{
	struct rs_trace_info *info = &l->source.info;

	info->nr_formats = 0;
	for (unsigned int i = 0; i < l->nr_events; i++) {
		if (l->without[i])
			continue;
		rs_event_format(&l->texts[i], &l->events[i], l->layout);
		l->formats[info->nr_formats++] = (struct rs_format_text){
			.system = l->events[i].system, .text = { l->texts[i].data, l->texts[i].len },
		};
	}
	info->formats = l->formats;
	rs_header_page(&l->header_page, l->layout);
	info->header_page = (struct rs_text){ l->header_page.data, l->header_page.len };
}

static void finish(struct lines *l)
{
	fill_formats(l);
	for (unsigned int cpu = 0; cpu < l->source.info.nr_cpus; cpu++) {
		struct cpu *c = &l->cpus[cpu];

		if (c->lost && c->begin_page)
			ck_abort_msg("cpu%u: \"lost\" must come before an event of that CPU", cpu);
		if (c->nr_pages && !c->begin_page)
			close_page(l, c);
	}
}

struct rs_source *rs_lines_source(const char *const *lines, const struct layout *layout)
{
	struct lines *l = calloc(1, sizeof *l);
	struct rs_trace_info *info = &l->source.info;

	l->layout = layout;
	l->text = lines;
	l->header_page = (struct rs_buf)RS_BUF_INIT;
	for (; rs_event_layout(&l->events[l->nr_events], layout, l->nr_events); l->nr_events++) {
		l->texts[l->nr_events] = (struct rs_buf)RS_BUF_INIT;
		ck_assert_uint_lt(l->nr_events, MAX_EVENTS - 1);
	}
	l->source.ops = &lines_ops;
	*info = (struct rs_trace_info){
		.nr_cpus = 1, .page_bytes = PAGE, .long_bytes = layout->long_bytes, .big_endian = layout->big_endian,
		.nr_formats = l->nr_events, .clock = "boot", .kernel = layout->kernel, .machine = layout->machine,
		.seeds = l->seeds,
	};
	for (; *lines; lines++)
		read_line(l, *lines);
	finish(l);
	if (l->no_letter) {
		lines_close(&l->source);
		return NULL;
	}
	return &l->source;
}
