// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-sections.c - the sections of a trace.dat, in the recording's byte order, and ringside's own data behind them
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/json.h"
#include "export/tracedat-parts.h"
#include "source/call-params.h"
#include "source/cgroup-counts.h"
#include "source/samples.h"

#define KALLSYMS_BYTES_MAX (64u << 20) /* a kernel's are some 5 to 20 MB */
#define PIECE_BYTES (64u << 10)

enum tracedat_option {
	OPTION_END = 0,
	OPTION_CPUSTAT = 2,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_CPUCOUNT = 8,
	OPTION_VERSION = 9,
};

static bool swaps(const struct rs_trace_info *info)
{
	return info->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

void rs_tracedat_put_u32(struct rs_buf *out, const struct rs_trace_info *info, uint32_t v)
{
	v = swaps(info) ? __builtin_bswap32(v) : v;
	rs_buf_add(out, &v, sizeof v);
}

void rs_tracedat_put_u64(struct rs_buf *out, const struct rs_trace_info *info, uint64_t v)
{
	v = swaps(info) ? __builtin_bswap64(v) : v;
	rs_buf_add(out, &v, sizeof v);
}

static void put_text64(struct rs_buf *out, const struct rs_trace_info *info, struct rs_text text)
{
	rs_tracedat_put_u64(out, info, text.len);
	rs_buf_add(out, text.data, text.len);
}

static bool is_ftrace(const struct rs_format_text *f)
{
	return !strcmp(f->system, "ftrace");
}

/* Formats that trace-cmd stores separately: the kernel's own entries (function, print ...). */
static void put_ftrace_formats(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	const struct rs_trace_info *info = head->info;
	uint32_t nr = (uint32_t)head->nr_ftrace_formats;

	for (size_t i = 0; i < info->nr_formats; i++)
		nr += is_ftrace(&info->formats[i]);
	rs_tracedat_put_u32(out, info, nr);
	for (size_t i = 0; i < head->nr_ftrace_formats; i++)
		put_text64(out, info, head->ftrace_formats[i].text);
	for (size_t i = 0; i < info->nr_formats; i++)
		if (is_ftrace(&info->formats[i]))
			put_text64(out, info, info->formats[i].text);
}

/* The first index with the system of formats[at]; formats need not be sorted. */
static bool is_first_of_system(const struct rs_trace_info *info, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (!strcmp(info->formats[i].system, info->formats[at].system))
			return false;
	return !is_ftrace(&info->formats[at]);
}

static void put_system(struct rs_buf *out, const struct rs_trace_info *info, const char *system)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < info->nr_formats; i++)
		nr += !strcmp(info->formats[i].system, system);
	rs_buf_add(out, system, strlen(system) + 1);
	rs_tracedat_put_u32(out, info, nr);
	for (size_t i = 0; i < info->nr_formats; i++)
		if (!strcmp(info->formats[i].system, system))
			put_text64(out, info, info->formats[i].text);
}

static void put_event_formats(struct rs_buf *out, const struct rs_trace_info *info)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < info->nr_formats; i++)
		nr += is_first_of_system(info, i);
	rs_tracedat_put_u32(out, info, nr);
	for (size_t i = 0; i < info->nr_formats; i++)
		if (is_first_of_system(info, i))
			put_system(out, info, info->formats[i].system);
}

static void put_all_formats(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	const struct rs_trace_info *info = head->info;

	rs_buf_add(out, "\x17\x08\x44tracing6", 12); /* includes the NUL of the version */
	rs_buf_putc(out, info->big_endian);
	rs_buf_putc(out, (char)info->long_bytes);
	rs_tracedat_put_u32(out, info, (uint32_t)info->page_bytes);
	rs_buf_add(out, "header_page", 12);
	put_text64(out, info, info->header_page);
	rs_buf_add(out, "header_event", 13);
	put_text64(out, info, head->header_event);
	put_ftrace_formats(out, head);
	put_event_formats(out, info);
}

/*
 * Reads with pread: a session may read the same descriptor. In memory, because the length is written first and a
 * module that is loaded meanwhile changes it.
 */
static void put_kallsyms(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	const struct rs_text *known = &head->info->kallsyms;
	struct rs_buf text = RS_BUF_INIT;
	ssize_t n = 1;

	while (head->kallsyms_fd >= 0 && n > 0 && text.len < KALLSYMS_BYTES_MAX && rs_buf_reserve(&text, PIECE_BYTES)) {
		n = pread(head->kallsyms_fd, text.data + text.len, PIECE_BYTES, (off_t)text.len);
		text.len += n > 0 ? (size_t)n : 0;
	}
	if (head->kallsyms_fd < 0)
		rs_buf_add(&text, known->data, known->len);
	rs_tracedat_put_u32(out, head->info, (uint32_t)text.len);
	rs_buf_add(out, text.data, text.len);
	out->failed |= text.failed;
	rs_buf_done(&text);
}

void rs_tracedat_put_head(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	const struct rs_text *printk = &head->info->printk_formats;

	put_all_formats(out, head);
	put_kallsyms(out, head);
	rs_tracedat_put_u32(out, head->info, (uint32_t)printk->len);
	rs_buf_add(out, printk->data, printk->len);
}

static void put_option(struct rs_buf *out, const struct rs_trace_info *info, enum tracedat_option id,
		       const void *data, size_t len)
{
	uint16_t id16 = swaps(info) ? __builtin_bswap16(id) : id;

	rs_buf_add(out, &id16, sizeof id16);
	if (id == OPTION_END)
		return;
	rs_tracedat_put_u32(out, info, (uint32_t)len);
	rs_buf_add(out, data, len);
}

/* The reader expects a NUL-terminated string. */
static void put_text_option(struct rs_buf *out, const struct rs_trace_info *info, enum tracedat_option id, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static void put_text_option(struct rs_buf *out, const struct rs_trace_info *info, enum tracedat_option id, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		out->failed = true;
	else
		put_option(out, info, id, text, strlen(text) + 1);
	va_end(ap);
	free(text);
}

static void put_clock(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	if (head->clocks.len)
		put_text_option(out, head->info, OPTION_TRACECLOCK, "%.*s", (int)head->clocks.len, head->clocks.data);
	else if (head->info->clock)
		put_text_option(out, head->info, OPTION_TRACECLOCK, "[%s]\n", head->info->clock);
}

void rs_tracedat_put_options(struct rs_buf *out, const struct rs_tracedat_head *head,
			     const struct rs_tracedat_tail *tail)
{
	const struct rs_trace_info *info = head->info;
	uint32_t nr_cpus = swaps(info) ? __builtin_bswap32(info->nr_cpus) : info->nr_cpus;

	rs_tracedat_put_u32(out, info, info->nr_cpus);
	rs_buf_add(out, "options  ", 10);
	put_clock(out, head);
	if (info->kernel) /* "(none)" is what the kernel itself says where nobody has set a name */
		put_text_option(out, info, OPTION_UNAME, "Linux %s %s %s", info->host ? info->host : "(none)", info->kernel,
				info->machine ? info->machine : "unknown");
	put_option(out, info, OPTION_CPUCOUNT, &nr_cpus, sizeof nr_cpus);
	put_text_option(out, info, OPTION_VERSION, "%s", RS_TRACEDAT_WITH_TRAILER);
	/* the kernel's text does not name its CPU: readers expect a line before it that does */
	for (unsigned int cpu = 0; tail->cpu_stats && cpu < info->nr_cpus; cpu++)
		if (tail->cpu_stats[cpu].len)
			put_text_option(out, info, OPTION_CPUSTAT, "CPU: %u\n%.*s", cpu, (int)tail->cpu_stats[cpu].len, tail->cpu_stats[cpu].data);
	put_option(out, info, OPTION_END, NULL, 0);
	rs_buf_add(out, "flyrecord", 10);
}

/* ---- the trailer ---- */

/* As text: readers that store numbers as doubles would round a time. */
static void put_u64_text(struct rs_json *j, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, v);
	rs_json_str(j, text);
}

static void put_tasks(struct rs_json *j, const struct rs_trace_info *info)
{
	rs_json_key(j, "tasks");
	rs_json_open(j, '[');
	for (size_t i = 0; i < info->nr_initial; i++) {
		const struct rs_initial_task *initial = &info->snapshot[i];
		char comm[sizeof initial->comm + 1] = { 0 };

		memcpy(comm, initial->comm, sizeof initial->comm);
		rs_json_open(j, '[');
		put_u64_text(j, initial->ts_ns);
		rs_json_i64(j, initial->tid);
		rs_json_i64(j, initial->pid);
		rs_json_str(j, comm);
		rs_json_u64(j, initial->kernel_thread);
		rs_json_i64(j, initial->ppid);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

/* Threads by their ABI; -1: ringside's own. */
static void put_tids(struct rs_json *j, const struct rs_trace_info *info, const char *key, int abi)
{
	rs_json_key(j, key);
	rs_json_open(j, '[');
	for (size_t i = 0; i < info->nr_initial; i++) {
		const struct rs_initial_task *t = &info->snapshot[i];

		if (abi < 0 ? t->self : (int)t->abi == abi && !t->kernel_thread)
			rs_json_i64(j, t->tid);
	}
	rs_json_close(j, ']');
}

/* If it was determined: threads in neither list are 64-bit. */
static void put_abis(struct rs_json *j, const struct rs_trace_info *info)
{
	bool known = false;

	for (size_t i = 0; i < info->nr_initial && !known; i++)
		known = info->snapshot[i].abi != RS_ABI_UNKNOWN;
	if (!known)
		return;
	put_tids(j, info, "compat", RS_ABI_COMPAT);
	put_tids(j, info, "compat_unknown", RS_ABI_UNKNOWN);
}

static void put_command(struct rs_json *j, const struct rs_trace_info *info)
{
	if (info->command_pid <= 0)
		return;
	rs_json_key(j, "command");
	rs_json_open(j, '[');
	rs_json_i64(j, info->command_pid);
	rs_json_str(j, info->command ? info->command : "");
	rs_json_close(j, ']');
}

static void put_fd_paths(struct rs_json *j, const struct rs_trace_info *info)
{
	if (!info->nr_fd_paths)
		return;
	rs_json_key(j, "fds");
	rs_json_open(j, '[');
	for (const struct rs_fd_path *p = info->fd_paths; p < info->fd_paths + info->nr_fd_paths; p++) {
		rs_json_open(j, '[');
		put_u64_text(j, p->read_ns);
		rs_json_i64(j, p->tid);
		rs_json_i64(j, p->fd);
		rs_json_str(j, p->path);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

static void put_process_args(struct rs_json *j, const struct rs_trace_info *info)
{
	if (!info->nr_args)
		return;
	rs_json_key(j, "args");
	rs_json_open(j, '[');
	for (const struct rs_process_args *a = info->args; a < info->args + info->nr_args; a++) {
		if (!a->text)
			continue;
		rs_json_open(j, '[');
		rs_json_i64(j, a->pid);
		rs_json_str(j, a->comm);
		rs_json_str(j, a->text);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

static bool sections_is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool sections_is_same_cgroup(const struct rs_initial_task *a, const struct rs_initial_task *b)
{
	bool same = sections_is_same(a->cgroup, b->cgroup);

	for (int i = 0; same && i < RS_NR_CGROUP_CONTROLLERS; i++)
		same = sections_is_same(a->cgroup_of[i], b->cgroup_of[i]);
	return same;
}

/* Paths of controllers follow if one differs. */
static void put_cgroup_end(struct rs_json *j, const struct rs_initial_task *t)
{
	bool differs = false;

	rs_json_close(j, ']');
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
		differs |= !!t->cgroup_of[i];
	for (int i = 0; differs && i < RS_NR_CGROUP_CONTROLLERS; i++)
		rs_json_str(j, t->cgroup_of[i]);
	rs_json_close(j, ']');
}

static void put_cgroup_begin(struct rs_json *j, const struct rs_initial_task *t)
{
	rs_json_open(j, '[');
	rs_json_str(j, t->cgroup);
	rs_json_open(j, '[');
}

/* ["path", [pid, ...]] of each run of processes in one control group, as /proc lists them. */
static void put_cgroups(struct rs_json *j, const struct rs_trace_info *info)
{
	const struct rs_initial_task *group = NULL; /* the first of the run */

	for (const struct rs_initial_task *t = info->snapshot; t < info->snapshot + info->nr_initial; t++) {
		if (!t->cgroup || t->tid != t->pid)
			continue;
		if (!group) {
			rs_json_key(j, "cgroups");
			rs_json_open(j, '[');
		} else if (!sections_is_same_cgroup(group, t)) {
			put_cgroup_end(j, group);
		}
		if (!group || !sections_is_same_cgroup(group, t)) {
			put_cgroup_begin(j, t);
			group = t;
		}
		rs_json_i64(j, t->pid);
	}
	if (group) {
		put_cgroup_end(j, group);
		rs_json_close(j, ']');
	}
}

static void put_cgroup_counts(struct rs_json *j, const struct rs_trace_info *info)
{
	if (!info->nr_cgroup_rows)
		return;
	rs_message_open_list(j, "cgroup_counts");
	for (size_t i = 0; i < info->nr_cgroup_rows; i++)
		if (!info->cgroup_rows[i].is_around)
			rs_message_put(j, &rs_cgroup_row_message, &info->cgroup_rows[i]);
	rs_json_close(j, ']');
}

static void put_lost(struct rs_json *j, const struct rs_trace_info *info,
				   const uint64_t *lost_by_cpu)
{
	rs_json_key(j, "lost_by_cpu");
	rs_json_open(j, '[');
	for (unsigned int cpu = 0; lost_by_cpu && cpu < info->nr_cpus; cpu++) {
		if (lost_by_cpu[cpu] == RS_LOST_UNKNOWN)
			rs_json_null(j);
		else
			put_u64_text(j, lost_by_cpu[cpu]);
	}
	rs_json_close(j, ']');
}

static void put_pauses(struct rs_json *j, struct rs_pauses *pauses)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	rs_json_key(j, "pauses");
	rs_json_open(j, '[');
	while (pauses && rs_pauses_next(pauses, &at, &pause)) {
		rs_json_open(j, '[');
		put_u64_text(j, pause.off_ns);
		put_u64_text(j, pause.on_ns);
		if (*pause.what)
			rs_json_str(j, pause.what);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

void rs_tracedat_places_add(struct rs_tracedat_places *places, const struct rs_tracedat_part *part, uint64_t offset)
{
	if (places->nr < RS_TRACEDAT_MAX_PARTS)
		places->row[places->nr++] = (struct rs_tracedat_place){
			part->name, offset, part->len_bytes, (uint32_t)crc32_z(0, part->data, part->len_bytes) };
}

/* "cycles,instructions" */
static void put_counters(struct rs_json *j, const struct rs_sample_info *info)
{
	struct rs_buf names = RS_BUF_INIT;

	for (unsigned int i = 0; i < info->nr_counters; i++)
		rs_buf_printf(&names, "%s%s", i ? "," : "", rs_pmu_counters_name(info->counters[i]));
	rs_json_key(j, "counters");
	rs_json_str(j, names.failed ? "" : names.data);
	rs_buf_done(&names);
}

static void put_jitted(struct rs_json *j, const struct rs_sample_info *info)
{
	if (!info->jitted_to_ns)
		return;
	rs_json_key(j, "jitted_from_ns");
	put_u64_text(j, (uint64_t)info->jitted_from_ns);
	rs_json_key(j, "jitted_to_ns");
	put_u64_text(j, (uint64_t)info->jitted_to_ns);
	rs_json_key(j, "jitted_owner");
	rs_json_u64(j, info->jitted_owner);
}

static void put_sampled(struct rs_json *j, const struct rs_sample_info *info)
{
	if (!info)
		return;
	rs_json_key(j, "sampled");
	rs_json_open(j, '{');
	rs_json_key(j, "event");
	rs_json_str(j, info->event);
	rs_json_key(j, "hz");
	rs_json_u64(j, info->hz);
	rs_json_key(j, "sample_type");
	put_u64_text(j, info->sample_type);
	if (info->nr_counters) {
		rs_json_key(j, "read_format");
		put_u64_text(j, info->read_format);
		put_counters(j, info);
	}
	rs_json_key(j, "samples");
	put_u64_text(j, info->nr_samples);
	rs_json_key(j, "lost");
	put_u64_text(j, info->nr_lost);
	if (info->by_build_id)
		rs_json_put_bool(j, "by_build_id", true);
	put_jitted(j, info);
	rs_json_close(j, '}');
}

static void put_places(struct rs_json *j, const struct rs_tracedat_places *places)
{
	if (!places->nr)
		return;
	rs_json_key(j, "sections");
	rs_json_open(j, '[');
	for (const struct rs_tracedat_place *p = places->row; p < places->row + places->nr; p++) {
		rs_json_open(j, '[');
		rs_json_str(j, p->name);
		put_u64_text(j, p->offset);
		put_u64_text(j, p->bytes);
		rs_json_u64(j, p->crc);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

void rs_tracedat_put_trailer(struct rs_buf *out, const struct rs_trace_info *info, const struct rs_tracedat_tail *tail,
			     const struct rs_tracedat_places *places)
{
	size_t begin = out->len;
	uint8_t length[8];
	struct rs_json j;

	rs_json_init(&j, out);
	rs_json_open(&j, '{');
	rs_json_key(&j, "version");
	rs_json_u64(&j, 1);
	if (info->realtime_offset_known) {
		char text[24];

		snprintf(text, sizeof text, "%" PRId64, info->realtime_offset_ns);
		rs_json_key(&j, "realtime_offset_ns");
		rs_json_str(&j, text);
	}
	put_command(&j, info);
	put_tids(&j, info, "self", -1);
	put_tasks(&j, info);
	put_abis(&j, info);
	rs_call_params_put(&j, info);
	rs_source_put_disks(&j, info);
	rs_source_put_mounts(&j, info);
	if (info->nr_stacked)
		rs_source_put_stacked(&j, info);
	put_fd_paths(&j, info);
	put_process_args(&j, info);
	put_cgroups(&j, info);
	put_cgroup_counts(&j, info);
	put_lost(&j, info, tail->lost_by_cpu);
	put_pauses(&j, tail->pauses);
	if (tail->warnings && *tail->warnings)
		rs_json_put_str(&j, "warnings", tail->warnings);
	put_sampled(&j, tail->samples);
	put_places(&j, places);
	rs_json_close(&j, '}');
	for (int i = 0; i < 8; i++)
		length[i] = (uint8_t)((uint64_t)(out->len - begin) >> 8 * i);
	rs_buf_add(out, length, sizeof length);
	rs_buf_add(out, "RNGSIDE1", 8);
}
