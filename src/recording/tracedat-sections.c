// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-sections.c - the sections of a trace.dat, in the recording's byte order, and ringside's own data
 * behind them
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/json.h"
#include "recording/recording.h"
#include "recording/tracedat-parts.h"
#include "source/call-params.h"
#include "source/live/cgroup-counts.h"
#include "source/perf/samples.h"

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
 * Reads with pread: a session may read the same descriptor. In memory, because the length is written first
 * and a module that is loaded meanwhile changes it.
 */
static void put_kallsyms(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	const struct rs_text *known = &head->info->kallsyms;
	struct rs_buf text = RS_BUF_INIT;
	ssize_t n = 1;

	while (head->kallsyms_fd >= 0 && n > 0 && text.len < KALLSYMS_BYTES_MAX &&
	       rs_buf_reserve(&text, PIECE_BYTES)) {
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
static void put_text_option(struct rs_buf *out, const struct rs_trace_info *info, enum tracedat_option id,
			    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
static void put_text_option(struct rs_buf *out, const struct rs_trace_info *info, enum tracedat_option id,
			    const char *fmt, ...)
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
		put_text_option(out, head->info, OPTION_TRACECLOCK, "%.*s", (int)head->clocks.len,
				head->clocks.data);
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
		put_text_option(out, info, OPTION_UNAME, "Linux %s %s %s", info->host ? info->host : "(none)",
				info->kernel, info->machine ? info->machine : "unknown");
	put_option(out, info, OPTION_CPUCOUNT, &nr_cpus, sizeof nr_cpus);
	put_text_option(out, info, OPTION_VERSION, "%s", RS_TRACEDAT_WITH_TRAILER);
	/* the kernel's text does not name its CPU: readers expect a line before it that does */
	for (unsigned int cpu = 0; tail->cpu_stats && cpu < info->nr_cpus; cpu++)
		if (tail->cpu_stats[cpu].len)
			put_text_option(out, info, OPTION_CPUSTAT, "CPU: %u\n%.*s", cpu,
					(int)tail->cpu_stats[cpu].len, tail->cpu_stats[cpu].data);
	put_option(out, info, OPTION_END, NULL, 0);
	rs_buf_add(out, "flyrecord", 10);
}
