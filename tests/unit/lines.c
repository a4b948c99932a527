// SPDX-License-Identifier: GPL-2.0-or-later
/* lines - reads the lines, and is the source of the pages that they make */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines-parts.h"

/* ---- lines ---- */

static struct event_layout *find_event(struct lines *l, const char *name)
{
	for (unsigned int i = 0; i < l->source.info.nr_formats; i++)
		if (!strcmp(l->events[i].name, name))
			return &l->events[i];
	rs_lines_bad(l, "no such event before here");
}

/* "cpu0" */
static struct cpu *read_cpu(struct lines *l, const char *text, unsigned int *nr)
{
	if (strncmp(text, "cpu", 3) || !isdigit((unsigned char)text[3]) || (*nr = atoi(text + 3)) >= MAX_CPUS)
		rs_lines_bad(l, "expected cpuN before here");
	if (*nr >= l->source.info.nr_cpus)
		l->source.info.nr_cpus = *nr + 1;
	return &l->cpus[*nr];
}

static void read_lost(struct lines *l, struct cpu *c)
{
	char text[32];

	if (!rs_lines_word(l, text, sizeof text) || (strcmp(text, "page") && (strcmp(text, "lost") || !rs_lines_word(l, text, sizeof text))))
		rs_lines_bad(l, "expected \"cpuN lost N\", \"cpuN lost ?\" or \"cpuN page\"");
	if (c->nr_pages && !c->begin_page)
		rs_lines_close_page(l, c);
	c->begin_page = true;
	if (!strcmp(text, "page"))
		return;
	c->lost = true;
	c->counted = strcmp(text, "?");
	c->nr_lost = c->counted ? rs_lines_number(l, text, 10) : 0;
}

static void read_event(struct lines *l, uint64_t ts_ns)
{
	char text[64];
	uint8_t record[512];
	struct event_layout *ev;
	unsigned int nr = 0;
	struct cpu *c;

	if (!rs_lines_word(l, text, sizeof text))
		rs_lines_bad(l, "expected cpuN");
	c = read_cpu(l, text, &nr);
	if (!rs_lines_word(l, text, sizeof text))
		rs_lines_bad(l, "expected an event");
	ev = find_event(l, text);
	rs_lines_read_event(l, ev, nr);
	if (c->nr_pages && ts_ns < c->ts_ns)
		rs_lines_bad(l, "earlier than the line before it on this CPU");
	rs_lines_put_record(l, c, ts_ns, record, rs_lines_make_record(l, ev, record));
}

/* The call is read(3, 0x10, 0x20), or none. */
static void read_asleep(struct lines *l, struct rs_initial_task *seed)
{
	struct rs_initial_wait *w = &l->waits[l->nr_waits++];

	ck_assert_uint_le(l->nr_waits, 16);
	*w = (struct rs_initial_wait){ .letter = rs_lines_get(l, "asleep")->text[0], .syscall = -1, .args = { 3, 16, 32 } };
	if (rs_lines_get(l, "call"))
		w->syscall = (int64_t)rs_lines_syscall_nr(l, rs_lines_get(l, "call")->text);
	if (rs_lines_get(l, "wchan"))
		snprintf(w->wchan, sizeof w->wchan, "%.47s", rs_lines_get(l, "wchan")->text);
	seed->wait = w;
}

static const char *const controllers[] = { [RS_CGROUP_CPU] = "cgroup_cpu", [RS_CGROUP_MEMORY] = "cgroup_memory", [RS_CGROUP_IO] = "cgroup_io" };

/* live: what /proc said at the begin, or when rows are asked for; a file's own list has no majors. */
static void read_seed(struct lines *l, struct rs_initial_task *seed)
{
	rs_lines_read_task(l, "comm", "tid", 0);
	rs_lines_read_options(l, &l->events[0], 0);
	snprintf(seed->comm, sizeof seed->comm, "%.15s", rs_lines_get(l, "comm")->text);
	seed->tid = rs_lines_get(l, "tid")->number;
	seed->pid = rs_lines_get(l, "pid") ? rs_lines_get(l, "pid")->number : 0;
	seed->ppid = rs_lines_get(l, "ppid") ? rs_lines_get(l, "ppid")->number : 0;
	seed->self = rs_lines_get(l, "own");
	seed->kernel_thread = rs_lines_get(l, "kernel");
	seed->ts_ns = rs_lines_get(l, "at") ? rs_lines_get(l, "at")->number : 0;
	seed->stat_known = rs_lines_get(l, "majors");
	seed->nr_major_faults = rs_lines_get(l, "majors") ? rs_lines_get(l, "majors")->number : 0;
	seed->start_ticks = rs_lines_get(l, "start") ? rs_lines_get(l, "start")->number : 0;
	seed->abi = rs_lines_get(l, "bits") && rs_lines_get(l, "bits")->number == 32 ? RS_ABI_COMPAT : RS_ABI_NATIVE;
	if (rs_lines_get(l, "asleep"))
		seed->letter = rs_lines_get(l, "asleep")->text[0];
	if (rs_lines_get(l, "asleep") && strchr("DS", seed->letter))
		read_asleep(l, seed);
	if (rs_lines_get(l, "cgroup")) {
		char *path = l->task_cgroups[l->nr_task_cgroups++];

		ck_assert_uint_le(l->nr_task_cgroups, 16);
		snprintf(path, sizeof *l->task_cgroups, "%s", rs_lines_get(l, "cgroup")->text);
		seed->cgroup = path;
	}
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++) {
		const struct value *v = rs_lines_get(l, controllers[i]);

		seed->cgroup_of[i] = !v ? NULL : !strcmp(v->text, "/c") ? "/c" : !strcmp(v->text, "/d") ? "/d" : !strcmp(v->text, "/") ? "/" : "";
	}
}

static const char *const gauge_names[RS_NR_GAUGES] = {
	"total", "free", "available", "buffers", "cached", "reclaimable", "committed", "mapped", "shared", "dirty",
	"swap_total", "swap_free", "faults", "major_faults", "page_in", "page_out",
};

static void read_gauges(struct lines *l, struct rs_gauges *g)
{
	const struct value *at;

	rs_lines_read_options(l, &l->events[0], 0);
	at = rs_lines_get(l, "at");
	g->time_ns = at ? rs_u(at->number) : rs_null();
	for (int i = 0; i < RS_NR_GAUGES; i++) {
		const struct value *v = rs_lines_get(l, gauge_names[i]);

		g->value[i] = v ? rs_u(v->number) : rs_null();
	}
	l->source.info.gauges = &l->gauges;
}

static void read_args(struct lines *l)
{
	char text[32];

	if (l->nr_args == MAX_ARGS || !rs_lines_word(l, text, sizeof text))
		rs_lines_bad(l, "expected PID WORDS...");
	rs_lines_skip_spaces(l);
	l->args[l->nr_args].pid = (int32_t)rs_lines_number(l, text, 10);
	l->args[l->nr_args++].words = l->at;
}

/* Of one call: what the kernel calls its parameters. */
static void read_params(struct lines *l)
{
	if (!rs_lines_word(l, l->call_name, sizeof l->call_name))
		rs_lines_bad(l, "expected a call's name");
	rs_lines_skip_spaces(l);
	snprintf(l->call_params, sizeof l->call_params, "%s", l->at);
	l->call = (struct rs_call_params){ l->call_name, l->call_params };
	l->source.info.call_params = &l->call;
	l->source.info.nr_call_params = 1;
}

static uint32_t read_dev(struct lines *l)
{
	char text[32];
	unsigned int major, minor;

	if (!rs_lines_word(l, text, sizeof text) || sscanf(text, "%u,%u", &major, &minor) != 2)
		rs_lines_bad(l, "expected MAJ,MIN");
	return major << 20 | minor;
}

/* "stacked 254,0 8,0 vg-root": the one above, the one below, how the one above is known */
static void read_stacked(struct lines *l)
{
	l->stacked.above = read_dev(l);
	l->stacked.below = read_dev(l);
	rs_lines_word(l, l->stacked.label, sizeof l->stacked.label);
	l->source.info.stacked = &l->stacked;
	l->source.info.nr_stacked = 1;
}

/* "counts /a periods=9 throttled=5 throttled_ns=70": how a recording's counts of a control group grew */
static void read_counts(struct lines *l)
{
	static const char *const names[RS_NR_CGROUP_COUNTS] = { "usage", "periods", "throttled", "throttled_ns", "cpu", "cpu_full", "memory", "memory_full", "io", "io_full",
		"high_events", "max_events", "read_bytes", "written_bytes", "weight", "quota_ns", "period_ns", "memory_max", "memory_high",
		"memory_now", "io_max_read", "io_max_write" };
	struct rs_cgroup_row *row = &l->cgroups[l->source.info.nr_cgroup_rows];

	row->path = l->cgroup_paths[l->source.info.nr_cgroup_rows++];
	rs_lines_word(l, row->path, sizeof *l->cgroup_paths);
	rs_lines_read_options(l, &l->events[0], 0);
	for (int i = 0; i < RS_NR_CGROUP_COUNTS; i++) {
		const struct value *v = rs_lines_get(l, names[i]);

		row->begin.value[i] = rs_u_if(v || !i, 1000);
		row->end.value[i] = rs_u_if(v || !i, (i >= RS_CGROUP_WEIGHT ? 0 : 1000) + (v ? v->number : 0));
	}
	l->source.info.cgroup_rows = l->cgroups;
}

/* "pressure 2000 /a cpu=500 cpu_full=100": what the pressure of a group of "counts" had come to by then */
static void read_pressure(struct lines *l)
{
	static const char *const names[RS_NR_PRESSURES] = { "cpu", "cpu_full", "memory", "memory_full", "io", "io_full" };
	struct rs_pressure_reading *row = &l->pressure[l->source.info.nr_pressure++];
	char path[sizeof *l->cgroup_paths], text[32];

	if (!rs_lines_word(l, text, sizeof text) || !rs_lines_word(l, path, sizeof path))
		rs_lines_bad(l, "expected \"pressure NS /PATH\"");
	row->ts_ns = rs_lines_number(l, text, 10);
	for (size_t i = 0; i < l->source.info.nr_cgroup_rows; i++)
		row->path = !strcmp(l->cgroup_paths[i], path) ? l->cgroup_paths[i] : row->path;
	if (!row->path)
		rs_lines_bad(l, "no such group was counted");
	rs_lines_read_options(l, &l->events[0], 0);
	for (int i = 0; i < RS_NR_PRESSURES; i++) {
		const struct value *v = rs_lines_get(l, names[i]);

		row->ns[i] = rs_u_if(v, v ? v->number : 0);
	}
	l->source.info.pressure = l->pressure;
}

/* "containers CONTAINER:[ID,web,]": what a container is called */
static void read_containers(struct lines *l)
{
	rs_lines_word(l, l->containers, sizeof l->containers);
	l->source.info.containers = l->containers;
}

/* "symbol 18446744071578845440 flush_work": a function of the kernel, at that address */
static void read_symbol(struct lines *l)
{
	char addr[32], name[48];
	uint64_t at;

	rs_lines_word(l, addr, sizeof addr);
	rs_lines_word(l, name, sizeof name);
	at = rs_lines_number(l, addr, 10);
	rs_buf_printf(&l->symbols, "%" PRIx64 " T %s\n", l->layout->long_bytes == 4 ? (uint32_t)at : at, name);
	l->source.info.kallsyms.data = l->symbols.data;
	l->source.info.kallsyms.len = l->symbols.len;
}

/* "disk 8,0 sda /var": its name, and where it is mounted */
static void read_disk(struct lines *l)
{
	l->disk.dev = read_dev(l);
	rs_lines_word(l, l->disk.name, sizeof l->disk.name);
	rs_lines_word(l, l->disk.mount, sizeof l->disk.mount);
	l->source.info.disks = &l->disk;
	l->source.info.nr_disks = 1;
}

static uint32_t read_number(struct lines *l)
{
	char text[32];

	return rs_lines_word(l, text, sizeof text) ? (uint32_t)rs_lines_number(l, text, 10) : 0;
}

/* "idle-state 0 2 C6 85 600": CPU, number, name, exit latency, residency */
static void read_idle_state(struct lines *l)
{
	struct rs_idle_state *of = &l->idle_states[l->source.info.nr_idle_states++];

	of->cpu = read_number(l);
	of->state = read_number(l);
	rs_lines_word(l, of->name, sizeof of->name);
	of->exit_us = read_number(l);
	of->residency_us = read_number(l);
	l->source.info.idle_states = l->idle_states;
}

/* "speed 0 2400000 2000000": CPU, highest, base frequency */
static void read_speed(struct lines *l)
{
	struct rs_cpu_speed *of = &l->speeds[l->source.info.nr_cpu_speeds++];

	of->cpu = read_number(l);
	of->max_khz = read_number(l);
	of->base_khz = read_number(l);
	l->source.info.cpu_speeds = l->speeds;
}

/* "fd 10 3 1160 /a": what a recording tells of descriptor 3 of thread 10, which was looked up at 1160 */
static void read_fd(struct lines *l)
{
	uint64_t numbers[3];
	char text[32];

	for (int i = 0; i < 3; i++)
		numbers[i] = rs_lines_word(l, text, sizeof text) ? rs_lines_number(l, text, 10) : 0;
	rs_lines_word(l, l->fd_text, sizeof l->fd_text);
	l->fd = (struct rs_fd_path){ .tid = (int32_t)numbers[0], .fd = (int32_t)numbers[1], .read_ns = numbers[2], .path = l->fd_text };
	l->source.info.fd_paths = &l->fd;
	l->source.info.nr_fd_paths = 1;
}

/* "told 10 3 500 2000 NAME" */
static void read_told(struct lines *l)
{
	uint64_t numbers[4];
	char text[32];

	for (int i = 0; i < 4; i++)
		numbers[i] = rs_lines_word(l, text, sizeof text) ? rs_lines_number(l, text, 10) : 0;
	rs_lines_word(l, l->told_name, sizeof l->told_name);
	l->told = (struct rs_fd_socket){ .pid = (int32_t)numbers[0], .fd = (int32_t)numbers[1], .since_ns = numbers[2], .until_ns = numbers[3],
					 .name = l->told_name };
	l->source.info.fd_sockets = &l->told;
	l->source.info.nr_fd_sockets = 1;
}

static void read_pause(struct lines *l)
{
	char off[32], on[32];

	if (!rs_lines_word(l, off, sizeof off) || !rs_lines_word(l, on, sizeof on))
		rs_lines_bad(l, "expected two times");
	rs_pauses_add(&l->source.pauses, rs_lines_number(l, off, 10), rs_lines_number(l, on, 10));
}

static void read_line(struct lines *l, const char *line)
{
	char text[64];
	unsigned int nr;

	l->line = l->at = line;
	l->nr_values = 0;
	if (!rs_lines_word(l, text, sizeof text) || text[0] == '#')
		return;
	if (!strcmp(text, "without") || !strcmp(text, "with")) {
		bool without = !strcmp(text, "without");

		if (!rs_lines_word(l, text, sizeof text))
			rs_lines_bad(l, "expected an event");
		l->without[find_event(l, text) - l->events] = without;
	} else if (!strcmp(text, "seed")) {
		read_seed(l, &l->snapshot[l->source.info.nr_initial++]);
	} else if (!strcmp(text, "live")) {
		l->source.info.live = true;
	} else if (!strcmp(text, "proc")) {
		read_seed(l, &l->proc[l->sample.nr_tasks++]);
	} else if (!strcmp(text, "gauges")) {
		read_gauges(l, l->source.info.gauges ? &l->sample.gauges : &l->gauges);
	} else if (!strcmp(text, "args")) {
		read_args(l);
	} else if (!strcmp(text, "params")) {
		read_params(l);
	} else if (!strcmp(text, "stacked")) {
		read_stacked(l);
	} else if (!strcmp(text, "idle-state")) {
		read_idle_state(l);
	} else if (!strcmp(text, "speed")) {
		read_speed(l);
	} else if (!strcmp(text, "fd")) {
		read_fd(l);
	} else if (!strcmp(text, "told")) {
		read_told(l);
	} else if (!strcmp(text, "symbol")) {
		read_symbol(l);
	} else if (!strcmp(text, "disk")) {
		read_disk(l);
	} else if (!strcmp(text, "counts")) {
		read_counts(l);
	} else if (!strcmp(text, "pressure")) {
		read_pressure(l);
	} else if (!strcmp(text, "containers")) {
		read_containers(l);
	} else if (!strcmp(text, "pause")) {
		read_pause(l);
	} else if (!strncmp(text, "cpu", 3)) {
		read_lost(l, read_cpu(l, text, &nr));
	} else {
		read_event(l, rs_lines_number(l, text, 10));
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

/* Where it is not wanted at once, it is in the table at once, too. */
static size_t lines_args(struct rs_source *s, const struct rs_process *of, char *buf, size_t size_bytes)
{
	struct lines *l = (struct lines *)s;
	struct rs_process_args row = { .pid = of->pid };

	for (unsigned int i = 0; i < l->nr_args; i++)
		if (l->args[i].pid == of->pid)
			row.text = l->args[i].words;
	if (row.text && buf)
		return (size_t)snprintf(buf, size_bytes, "%s", row.text);
	if (!row.text)
		return 0;
	if (!s->info.args)
		s->info.args = rs_process_args_new(false);
	snprintf(row.comm, sizeof row.comm, "%s", of->comm);
	if (!rs_process_args_has(s->info.args, of))
		rs_process_args_add(s->info.args, &row);
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
	rs_buf_done(&l->symbols);
	rs_process_args_free(s->info.args);
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
			rs_lines_close_page(l, c);
	}
}

struct rs_source *rs_lines_source(const char *const *lines, const struct layout *layout)
{
	struct lines *l = calloc(1, sizeof *l);
	struct rs_trace_info *info = &l->source.info;

	l->layout = layout;
	l->text = lines;
	l->header_page = (struct rs_buf)RS_BUF_INIT;
	l->symbols = (struct rs_buf)RS_BUF_INIT;
	for (; rs_event_layout(&l->events[l->nr_events], layout, l->nr_events); l->nr_events++) {
		l->texts[l->nr_events] = (struct rs_buf)RS_BUF_INIT;
		l->without[l->nr_events] = l->events[l->nr_events].rare;
		ck_assert_uint_lt(l->nr_events, MAX_EVENTS - 1);
	}
	l->source.ops = &lines_ops;
	*info = (struct rs_trace_info){
		.nr_cpus = 1, .page_bytes = PAGE, .long_bytes = layout->long_bytes, .big_endian = layout->big_endian,
		.nr_formats = l->nr_events, .clock = "boot", .kernel = layout->kernel, .machine = layout->machine,
		.snapshot = l->snapshot,
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
