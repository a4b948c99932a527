// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "export/tracedat-parts.h"

enum tracedat_head_option {
	OPTION_END = 0,
	OPTION_CPUSTAT = 2,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_CPUCOUNT = 8,
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

void rs_tracedat_put_formats(struct rs_buf *out, const struct rs_tracedat_head *head)
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

void rs_tracedat_put_printk(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	const struct rs_text *text = &head->info->printk_formats;

	rs_tracedat_put_u32(out, head->info, (uint32_t)text->len);
	rs_buf_add(out, text->data, text->len);
}

static void put_option(struct rs_buf *out, const struct rs_trace_info *info, enum tracedat_head_option id,
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
static void put_text_option(struct rs_buf *out, const struct rs_trace_info *info,
			    enum tracedat_head_option id,
			    struct rs_text text)
{
	struct rs_buf copy = RS_BUF_INIT;

	rs_buf_add(&copy, text.data, text.len);
	put_option(out, info, id, copy.data, copy.len + 1);
	rs_buf_done(&copy);
}

static void put_clock(struct rs_buf *out, const struct rs_tracedat_head *head)
{
	char text[64];

	if (head->clocks.len) {
		put_text_option(out, head->info, OPTION_TRACECLOCK, head->clocks);
	} else if (head->info->clock) {
		snprintf(text, sizeof text, "[%s]\n", head->info->clock);
		put_option(out, head->info, OPTION_TRACECLOCK, text, strlen(text) + 1);
	}
}

/* "Linux HOST RELEASE MACHINE", without the host's name: the file may be given to others. */
static void put_uname(struct rs_buf *out, const struct rs_trace_info *info)
{
	char text[256];

	if (!info->kernel)
		return;
	snprintf(text, sizeof text, "Linux localhost %s %s", info->kernel,
		 info->machine ? info->machine : "unknown");
	put_option(out, info, OPTION_UNAME, text, strlen(text) + 1);
}

/* The kernel's text does not name its CPU: readers expect a line before it that does. */
static void put_stats(struct rs_buf *out, const struct rs_trace_info *info, unsigned int cpu,
		      struct rs_text stats)
{
	struct rs_buf text = RS_BUF_INIT;

	if (!stats.len)
		return;
	rs_buf_printf(&text, "CPU: %u\n", cpu);
	rs_buf_add(&text, stats.data, stats.len);
	put_option(out, info, OPTION_CPUSTAT, text.data, text.len + 1);
	out->failed |= text.failed;
	rs_buf_done(&text);
}

void rs_tracedat_put_options(struct rs_buf *out, const struct rs_tracedat_head *head,
			     const struct rs_tracedat_tail *tail)
{
	const struct rs_trace_info *info = head->info;
	uint32_t nr_cpus = swaps(info) ? __builtin_bswap32(info->nr_cpus) : info->nr_cpus;

	rs_tracedat_put_u32(out, info, info->nr_cpus);
	rs_buf_add(out, "options  ", 10);
	put_clock(out, head);
	put_uname(out, info);
	put_option(out, info, OPTION_CPUCOUNT, &nr_cpus, sizeof nr_cpus);
	for (unsigned int cpu = 0; tail->cpu_stats && cpu < info->nr_cpus; cpu++)
		put_stats(out, info, cpu, tail->cpu_stats[cpu]);
	put_option(out, info, OPTION_END, NULL, 0);
	rs_buf_add(out, "flyrecord", 10);
}
