// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "export/tracedat-parts.h"
#include "source/call-params.h"

/* As text: readers that store numbers as doubles would round a time. */
static void put_u64_text(struct rs_json *j, uint64_t v)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, v);
	rs_json_str(j, text);
}

static void write_trailer_put_tasks(struct rs_json *j, const struct rs_trace_info *info)
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
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

static void put_abi(struct rs_json *j, const struct rs_trace_info *info, const char *key, enum rs_abi abi)
{
	rs_json_key(j, key);
	rs_json_open(j, '[');
	for (size_t i = 0; i < info->nr_initial; i++)
		if (info->snapshot[i].abi == abi && !info->snapshot[i].kernel_thread)
			rs_json_i64(j, info->snapshot[i].tid);
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
	put_abi(j, info, "compat", RS_ABI_COMPAT);
	put_abi(j, info, "compat_unknown", RS_ABI_UNKNOWN);
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

static void put_self(struct rs_json *j, const struct rs_trace_info *info)
{
	rs_json_key(j, "self");
	rs_json_open(j, '[');
	for (size_t i = 0; i < info->nr_initial; i++)
		if (info->snapshot[i].self)
			rs_json_i64(j, info->snapshot[i].tid);
	rs_json_close(j, ']');
}

static void write_trailer_put_lost(struct rs_json *j, const struct rs_trace_info *info,
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

static void write_trailer_put_pauses(struct rs_json *j, struct rs_pauses *pauses)
{
	struct rs_pauses_cursor at = { 0 };
	struct rs_pause pause;

	rs_json_key(j, "pauses");
	rs_json_open(j, '[');
	while (pauses && rs_pauses_next(pauses, &at, &pause)) {
		rs_json_open(j, '[');
		put_u64_text(j, pause.off_ns);
		put_u64_text(j, pause.on_ns);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

void rs_tracedat_put_trailer(struct rs_buf *out, const struct rs_trace_info *info,
			     const uint64_t *lost_by_cpu, struct rs_pauses *pauses)
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
	put_self(&j, info);
	write_trailer_put_tasks(&j, info);
	put_abis(&j, info);
	rs_call_params_put(&j, info);
	rs_source_put_disks(&j, info);
	write_trailer_put_lost(&j, info, lost_by_cpu);
	write_trailer_put_pauses(&j, pauses);
	rs_json_close(&j, '}');
	for (int i = 0; i < 8; i++)
		length[i] = (uint8_t)((uint64_t)(out->len - begin) >> 8 * i);
	rs_buf_add(out, length, sizeof length);
	rs_buf_add(out, "RNGSIDE1", 8);
}
