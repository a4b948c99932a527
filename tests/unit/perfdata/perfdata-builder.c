// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata-builder.h"

#include <check.h>
#include <string.h>
#include <zstd.h>

#include "sample-lines.h"

const struct perf_file_event perf_file_cpu_clock = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, PERF_FILE_SAMPLE_TYPE, 0, 0 };
const struct perf_file_event perf_file_instructions = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, PERF_FILE_SAMPLE_TYPE, 0, 0 };
const struct perf_file_event perf_file_tracepoint = { PERF_TYPE_TRACEPOINT, 77, (PERF_FILE_SAMPLE_TYPE & ~PERF_SAMPLE_CALLCHAIN) | PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER, 0, 0 };

bool perf_file_is_big(const struct perf_file *f)
{
	return f->shape == FILE_BIG;
}

void perf_file_put(const struct perf_file *f, struct rs_buf *b, uint64_t v, unsigned int bytes)
{
	uint8_t number[8];

	for (unsigned int i = 0; i < bytes; i++)
		number[perf_file_is_big(f) ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
	rs_buf_add(b, number, bytes);
}

void perf_file_put_header(const struct perf_file *f, struct rs_buf *b, uint32_t type, uint16_t misc, size_t bytes)
{
	perf_file_put(f, b, type, 4);
	perf_file_put(f, b, misc, 2);
	perf_file_put(f, b, bytes, 2);
}

struct perf_file perf_file_new(enum perf_file_shape shape)
{
	return (struct perf_file){ .shape = shape, .records = RS_BUF_INIT, .events = { perf_file_cpu_clock }, .nr_events = 1 };
}

void perf_file_add_lines(struct perf_file *f, const char *const *lines)
{
	for (; *lines; lines++) {
		struct rs_sample_source *one;
		struct rs_sample_record record;

		if (!strcmp(*lines, PERF_FILE_ROUND)) {
			perf_file_put_header(f, &f->records, 68, 0, 8);
			continue;
		}
		one = sample_lines_open(SAMPLES(*lines), perf_file_is_big(f));
		for (unsigned int ring = 0; ring < one->info.nr_rings; ring++)
			while (one->ops->next(one, ring, &record))
				rs_buf_add(&f->records, record.data, record.len_bytes);
		one->ops->close(one);
	}
}

static void perf_file_put_attr(const struct perf_file *f, struct rs_buf *b, const struct perf_file_event *e)
{
	uint64_t freq = 1ull << (perf_file_is_big(f) ? 63 - 10 : 10), id_all = 1ull << (perf_file_is_big(f) ? 63 - 18 : 18);

	perf_file_put(f, b, e->type, 4);
	perf_file_put(f, b, 112, 4);
	perf_file_put(f, b, e->config, 8);
	perf_file_put(f, b, 99, 8);
	perf_file_put(f, b, e->sample_type, 8);
	perf_file_put(f, b, e->read_format, 8);
	perf_file_put(f, b, freq | id_all, 8);
	rs_buf_pad(b, '\0', 80 - 48);
	perf_file_put(f, b, e->user_regs, 8);
	perf_file_put(f, b, e->user_regs ? 8192 : 0, 4);
	rs_buf_pad(b, '\0', 112 - 92);
}

static void perf_file_put_feature(const struct perf_file *f, struct rs_buf *table, struct rs_buf *body, size_t at, const void *data, size_t len)
{
	perf_file_put(f, table, at + body->len, 8);
	perf_file_put(f, table, len, 8);
	rs_buf_add(body, data, len);
}

static void perf_file_put_build_id(const struct perf_file *f, struct rs_buf *b)
{
	perf_file_put_header(f, b, 67, 0, 8 + 4 + 24 + strlen(f->build_id_path) + 1);
	perf_file_put(f, b, (uint32_t)-1, 4);
	rs_buf_pad(b, '\xab', 20);
	rs_buf_pad(b, '\0', 4);
	rs_buf_add(b, f->build_id_path, strlen(f->build_id_path) + 1);
}

static void perf_file_put_features(const struct perf_file *f, struct rs_buf *file)
{
	struct rs_buf table = RS_BUF_INIT, body = RS_BUF_INIT, part = RS_BUF_INIT;
	size_t at = file->len + 16 * (size_t)(1 + !!f->tracing + !!f->build_id_path);

	if (f->tracing)
		perf_file_put_feature(f, &table, &body, at, f->tracing, f->tracing_len);
	if (f->build_id_path) {
		perf_file_put_build_id(f, &part);
		perf_file_put_feature(f, &table, &body, at, part.data, part.len);
		rs_buf_clear(&part);
	}
	perf_file_put(f, &part, 2, 4);
	perf_file_put(f, &part, 2, 4);
	perf_file_put_feature(f, &table, &body, at, part.data, part.len);
	rs_buf_add(file, table.data, table.len);
	rs_buf_add(file, body.data, body.len);
	rs_buf_done(&table);
	rs_buf_done(&body);
	rs_buf_done(&part);
}

/* As perf record writes one. With several events each has the id of its number + 1. */
static void perf_file_put_file(const struct perf_file *f, struct rs_buf *file)
{
	bool has_ids = f->nr_events > 1;
	size_t attrs_at = 104 + 8 * f->nr_events, data_at = attrs_at + 128 * f->nr_events;

	rs_buf_puts(file, perf_file_is_big(f) ? "2ELIFREP" : "PERFILE2");
	perf_file_put(f, file, 104, 8);
	perf_file_put(f, file, 128, 8);
	perf_file_put(f, file, attrs_at, 8);
	perf_file_put(f, file, 128 * f->nr_events, 8);
	perf_file_put(f, file, data_at, 8);
	perf_file_put(f, file, f->records.len, 8);
	rs_buf_pad(file, '\0', 16);
	perf_file_put(f, file, (f->tracing ? 1u << 1 : 0) | (f->build_id_path ? 1u << 2 : 0) | 1u << 7, 8);
	rs_buf_pad(file, '\0', 24);
	for (size_t i = 0; i < f->nr_events; i++)
		perf_file_put(f, file, i + 1, 8);
	for (size_t i = 0; i < f->nr_events; i++) {
		perf_file_put_attr(f, file, &f->events[i]);
		perf_file_put(f, file, 104 + 8 * i, 8);
		perf_file_put(f, file, has_ids ? 8 : 0, 8);
	}
	rs_buf_add(file, f->records.data, f->records.len);
	perf_file_put_features(f, file);
}

static void perf_file_put_pipe(const struct perf_file *f, struct rs_buf *file)
{
	rs_buf_puts(file, "PERFILE2");
	perf_file_put(f, file, 16, 8);
	for (size_t i = 0; i < f->nr_events; i++) {
		perf_file_put_header(f, file, 64, 0, 8 + 112 + 8);
		perf_file_put_attr(f, file, &f->events[i]);
		perf_file_put(f, file, i + 1, 8);
	}
	if (f->tracing) {
		perf_file_put_header(f, file, 66, 0, 12);
		perf_file_put(f, file, f->tracing_len, 4);
		rs_buf_add(file, f->tracing, f->tracing_len);
	}
	if (f->build_id_path)
		perf_file_put_build_id(f, file);
	rs_buf_add(file, f->records.data, f->records.len);
}

/* All records in one stream, which is cut anywhere into records of at most 50 bytes. */
static void perf_file_compress(struct perf_file *f)
{
	struct rs_buf packed = RS_BUF_INIT, out = RS_BUF_INIT;
	size_t room = ZSTD_compressBound(f->records.len);

	ck_assert(rs_buf_reserve(&packed, room));
	packed.len = ZSTD_compress(packed.data, room, f->records.data, f->records.len, 1);
	ck_assert(!ZSTD_isError(packed.len));
	for (size_t at = 0, len; at < packed.len; at += len) {
		len = packed.len - at < 50 ? packed.len - at : 50;
		perf_file_put_header(f, &out, 81, 0, 8 + len);
		rs_buf_add(&out, packed.data + at, len);
	}
	rs_buf_done(&packed);
	rs_buf_done(&f->records);
	f->records = out;
}

void perf_file_build(struct perf_file *f, struct rs_buf *file)
{
	if (f->shape == COMPRESSED)
		perf_file_compress(f);
	if (f->shape == PIPE)
		perf_file_put_pipe(f, file);
	else
		perf_file_put_file(f, file);
	ck_assert(!file->failed);
}

/* ---- tracepoints ---- */

#define BUILDER_FORMAT "name: sched_wakeup_new\nID: 77\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n"

void perf_file_put_tracing(const struct perf_file *f, struct rs_buf *b)
{
	rs_buf_add(b, "\x17\x08\x44tracing0.6", 14);
	rs_buf_putc(b, perf_file_is_big(f));
	rs_buf_putc(b, 8);
	perf_file_put(f, b, 4096, 4);
	rs_buf_add(b, "header_page", 12);
	perf_file_put(f, b, 0, 8);
	rs_buf_add(b, "header_event", 13);
	perf_file_put(f, b, 0, 8);
	perf_file_put(f, b, 0, 4);
	perf_file_put(f, b, 1, 4);
	rs_buf_add(b, "sched", 6);
	perf_file_put(f, b, 1, 4);
	perf_file_put(f, b, strlen(BUILDER_FORMAT), 8);
	rs_buf_puts(b, BUILDER_FORMAT);
	perf_file_put(f, b, 0, 4);
	perf_file_put(f, b, 0, 4);
}

void perf_file_put_tracepoint_with(struct perf_file *f, uint64_t id, uint64_t ts_ns, uint32_t cpu, uint32_t number, const uint64_t *frames, size_t nr_regs)
{
	struct rs_buf *b = &f->records;
	size_t nr = 0;

	while (frames && frames[nr])
		nr++;
	perf_file_put_header(f, b, PERF_RECORD_SAMPLE, 1, 8 + 8 + 8 + 8 + 8 + 8 + (frames ? 8 : 0) + 8 * nr + 16 + (nr_regs ? 8 + 8 * nr_regs + 8 + 16 + 8 : 0));
	perf_file_put(f, b, id, 8);
	perf_file_put(f, b, 10, 4);
	perf_file_put(f, b, 10, 4);
	perf_file_put(f, b, ts_ns, 8);
	perf_file_put(f, b, cpu, 8 - 4);
	perf_file_put(f, b, 0, 4);
	perf_file_put(f, b, 1, 8);
	if (frames)
		perf_file_put(f, b, nr, 8);
	for (size_t i = 0; i < nr; i++)
		perf_file_put(f, b, frames[i], 8);
	perf_file_put(f, b, 12, 4);
	perf_file_put(f, b, 77, 2);
	perf_file_put(f, b, 0, 2);
	perf_file_put(f, b, 10, 4);
	perf_file_put(f, b, number, 4);
	if (!nr_regs)
		return;
	perf_file_put(f, b, PERF_SAMPLE_REGS_ABI_64, 8);
	for (size_t i = 0; i < nr_regs; i++)
		perf_file_put(f, b, 0x400010, 8);
	perf_file_put(f, b, 16, 8);
	rs_buf_pad(b, '\0', 16);
	perf_file_put(f, b, 16, 8);
}

void perf_file_put_tracepoint(struct perf_file *f, uint64_t id, uint64_t ts_ns, uint32_t cpu, uint32_t number)
{
	perf_file_put_tracepoint_with(f, id, ts_ns, cpu, number, NULL, 0);
}
