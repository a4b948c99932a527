// SPDX-License-Identifier: GPL-2.0-or-later
/* test-perfdata - a perf.data of either byte order, from a file or a pipe, packed or not: what its records become */
#include <check.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "base/buf.h"
#include "decode/group-counts.h"
#include "decode/merge.h"
#include "decode/sample-merge.h"
#include "perfdata/perf-convert.h"
#include "perfdata/perf-kernel.h"
#include "sample-lines.h"
#include "source/source.h"
#include "symbols/unwinder.h"

#define SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)
#define ROUND "round"
#define NR_EVENTS 3

enum shape { FILE_LITTLE, FILE_BIG, PIPE, COMPRESSED, NR_SHAPES };

struct event { uint32_t type; uint64_t config, sample_type, read_format, user_regs; };
static const struct event cpu_clock = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, SAMPLE_TYPE, 0, 0 };
static const struct event instructions = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, SAMPLE_TYPE, 0, 0 };

struct perf_file {
	enum shape shape;
	struct rs_buf records;
	struct event events[NR_EVENTS];
	size_t nr_events;
	const char *tracing;         /* NULL: none */
	size_t tracing_len;
	const char *build_id_path;   /* whose build-id is 20 times 0xab */
};

static bool is_big(const struct perf_file *f)
{
	return f->shape == FILE_BIG;
}

static void put(const struct perf_file *f, struct rs_buf *b, uint64_t v, unsigned int bytes)
{
	uint8_t number[8];

	for (unsigned int i = 0; i < bytes; i++)
		number[is_big(f) ? bytes - 1 - i : i] = (uint8_t)(v >> 8 * i);
	rs_buf_add(b, number, bytes);
}

static void put_header(const struct perf_file *f, struct rs_buf *b, uint32_t type, uint16_t misc, size_t bytes)
{
	put(f, b, type, 4);
	put(f, b, misc, 2);
	put(f, b, bytes, 2);
}

static struct perf_file new_file(enum shape shape)
{
	return (struct perf_file){ .shape = shape, .records = RS_BUF_INIT, .events = { cpu_clock }, .nr_events = 1 };
}

/* Lines of sample-lines.h, in this order; ROUND ends a round. */
static void add_lines(struct perf_file *f, const char *const *lines)
{
	for (; *lines; lines++) {
		struct rs_sample_source *one;
		struct rs_sample_record record;

		if (!strcmp(*lines, ROUND)) {
			put_header(f, &f->records, 68, 0, 8);
			continue;
		}
		one = sample_lines_open(SAMPLES(*lines), is_big(f));
		for (unsigned int ring = 0; ring < one->info.nr_rings; ring++)
			while (one->ops->next(one, ring, &record))
				rs_buf_add(&f->records, record.data, record.len_bytes);
		one->ops->close(one);
	}
}

static void put_attr(const struct perf_file *f, struct rs_buf *b, const struct event *e)
{
	uint64_t freq = 1ull << (is_big(f) ? 63 - 10 : 10), id_all = 1ull << (is_big(f) ? 63 - 18 : 18);

	put(f, b, e->type, 4);
	put(f, b, 112, 4);
	put(f, b, e->config, 8);
	put(f, b, 99, 8);
	put(f, b, e->sample_type, 8);
	put(f, b, e->read_format, 8);
	put(f, b, freq | id_all, 8);
	rs_buf_pad(b, '\0', 80 - 48);
	put(f, b, e->user_regs, 8);
	put(f, b, e->user_regs ? 8192 : 0, 4);
	rs_buf_pad(b, '\0', 112 - 92);
}

static void put_feature(const struct perf_file *f, struct rs_buf *table, struct rs_buf *body, size_t at, const void *data, size_t len)
{
	put(f, table, at + body->len, 8);
	put(f, table, len, 8);
	rs_buf_add(body, data, len);
}

static void put_build_id(const struct perf_file *f, struct rs_buf *b)
{
	put_header(f, b, 67, 0, 8 + 4 + 24 + strlen(f->build_id_path) + 1);
	put(f, b, (uint32_t)-1, 4);
	rs_buf_pad(b, '\xab', 20);
	rs_buf_pad(b, '\0', 4);
	rs_buf_add(b, f->build_id_path, strlen(f->build_id_path) + 1);
}

static void put_features(const struct perf_file *f, struct rs_buf *file)
{
	struct rs_buf table = RS_BUF_INIT, body = RS_BUF_INIT, part = RS_BUF_INIT;
	size_t at = file->len + 16 * (size_t)(1 + !!f->tracing + !!f->build_id_path);

	if (f->tracing)
		put_feature(f, &table, &body, at, f->tracing, f->tracing_len);
	if (f->build_id_path) {
		put_build_id(f, &part);
		put_feature(f, &table, &body, at, part.data, part.len);
		rs_buf_clear(&part);
	}
	put(f, &part, 2, 4);
	put(f, &part, 2, 4);
	put_feature(f, &table, &body, at, part.data, part.len);
	rs_buf_add(file, table.data, table.len);
	rs_buf_add(file, body.data, body.len);
	rs_buf_done(&table);
	rs_buf_done(&body);
	rs_buf_done(&part);
}

/* As perf record writes one. With several events each has the id of its number + 1. */
static void put_file(const struct perf_file *f, struct rs_buf *file)
{
	bool has_ids = f->nr_events > 1;
	size_t attrs_at = 104 + 8 * f->nr_events, data_at = attrs_at + 128 * f->nr_events;

	rs_buf_puts(file, is_big(f) ? "2ELIFREP" : "PERFILE2");
	put(f, file, 104, 8);
	put(f, file, 128, 8);
	put(f, file, attrs_at, 8);
	put(f, file, 128 * f->nr_events, 8);
	put(f, file, data_at, 8);
	put(f, file, f->records.len, 8);
	rs_buf_pad(file, '\0', 16);
	put(f, file, (f->tracing ? 1u << 1 : 0) | (f->build_id_path ? 1u << 2 : 0) | 1u << 7, 8);
	rs_buf_pad(file, '\0', 24);
	for (size_t i = 0; i < f->nr_events; i++)
		put(f, file, i + 1, 8);
	for (size_t i = 0; i < f->nr_events; i++) {
		put_attr(f, file, &f->events[i]);
		put(f, file, 104 + 8 * i, 8);
		put(f, file, has_ids ? 8 : 0, 8);
	}
	rs_buf_add(file, f->records.data, f->records.len);
	put_features(f, file);
}

static void put_pipe(const struct perf_file *f, struct rs_buf *file)
{
	rs_buf_puts(file, "PERFILE2");
	put(f, file, 16, 8);
	for (size_t i = 0; i < f->nr_events; i++) {
		put_header(f, file, 64, 0, 8 + 112 + 8);
		put_attr(f, file, &f->events[i]);
		put(f, file, i + 1, 8);
	}
	if (f->tracing) {
		put_header(f, file, 66, 0, 12);
		put(f, file, f->tracing_len, 4);
		rs_buf_add(file, f->tracing, f->tracing_len);
	}
	if (f->build_id_path)
		put_build_id(f, file);
	rs_buf_add(file, f->records.data, f->records.len);
}

/* All records in one stream, which is cut anywhere into records of at most 50 bytes. */
static void compress_records(struct perf_file *f)
{
	struct rs_buf packed = RS_BUF_INIT, out = RS_BUF_INIT;
	size_t room = ZSTD_compressBound(f->records.len);

	ck_assert(rs_buf_reserve(&packed, room));
	packed.len = ZSTD_compress(packed.data, room, f->records.data, f->records.len, 1);
	ck_assert(!ZSTD_isError(packed.len));
	for (size_t at = 0, len; at < packed.len; at += len) {
		len = packed.len - at < 50 ? packed.len - at : 50;
		put_header(f, &out, 81, 0, 8 + len);
		rs_buf_add(&out, packed.data + at, len);
	}
	rs_buf_done(&packed);
	rs_buf_done(&f->records);
	f->records = out;
}

static void build(struct perf_file *f, struct rs_buf *file)
{
	if (f->shape == COMPRESSED)
		compress_records(f);
	if (f->shape == PIPE)
		put_pipe(f, file);
	else
		put_file(f, file);
	ck_assert(!file->failed);
}

/* -1: it was refused, with err set. */
static int convert(const struct rs_buf *file, struct rs_error *err)
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC), image_fd = -1;

	ck_assert(write(fd, file->data, file->len) == (ssize_t)file->len);
	*err = (struct rs_error){ 0 };
	ck_assert_int_eq(rs_perf_convert(fd, "perf.data", NULL, &image_fd, err) < 0, err->status != RS_OK);
	close(fd);
	return image_fd;
}

static struct rs_source *open_file(struct perf_file *f)
{
	struct rs_buf file = RS_BUF_INIT;
	struct rs_error err;
	struct rs_source *source;
	int image_fd;

	build(f, &file);
	image_fd = convert(&file, &err);
	ck_assert_msg(image_fd >= 0, "%s", err.text);
	source = rs_tracedat_open_fd(image_fd, "image", NULL, &err);
	ck_assert_msg(source, "%s", err.text);
	close(image_fd);
	rs_buf_done(&file);
	rs_buf_done(&f->records);
	return source;
}

/* "200 cpu0 10/11 kernel 81000010 400010": innermost first. */
static void print_sample(struct rs_buf *out, const struct rs_sample_event *ev)
{
	rs_buf_printf(out, "%llu cpu%d %d/%d", (unsigned long long)ev->ts_ns, (int)ev->cpu, ev->pid, ev->tid);
	for (uint64_t i = 0; i < ev->nr_frames; i++)
		if (rs_sample_record_frame(ev, i) < (uint64_t)PERF_CONTEXT_MAX)
			rs_buf_printf(out, " %llx", (unsigned long long)rs_sample_record_frame(ev, i));
}

static void print_record(struct rs_buf *out, const struct rs_sample_event *ev)
{
	if (ev->kind == RS_SAMPLE_OF_CPU)
		print_sample(out, ev);
	else if (ev->kind == RS_SAMPLE_MMAP)
		rs_buf_printf(out, "%llu map %d %llx+%llx %s %02x*%zu", (unsigned long long)ev->ts_ns, ev->pid, (unsigned long long)ev->start,
			      (unsigned long long)ev->len_bytes, ev->path, ev->build_id ? *ev->build_id : 0, ev->build_id_len);
	else if (ev->kind == RS_SAMPLE_FORK)
		rs_buf_printf(out, "%llu fork %d %d", (unsigned long long)ev->ts_ns, ev->parent, ev->pid);
	else if (ev->kind == RS_SAMPLE_EXEC)
		rs_buf_printf(out, "%llu exec %d", (unsigned long long)ev->ts_ns, ev->pid);
	else if (ev->kind == RS_SAMPLE_LOST)
		rs_buf_printf(out, "%llu lost %llu", (unsigned long long)ev->ts_ns, (unsigned long long)ev->nr_lost);
	rs_buf_putc(out, '\n');
}

static void check_samples(struct rs_source *source, const char *expected)
{
	struct rs_sample_merge *merge;
	struct rs_buf out = RS_BUF_INIT;
	struct rs_sample_event ev;

	ck_assert_msg(source->samples, "%s", source->no_samples);
	merge = rs_sample_merge_new(source->samples);
	while (rs_sample_merge_next(merge, UINT64_MAX, &ev))
		print_record(&out, &ev);
	ck_assert_str_eq(out.data, expected);
	ck_assert_uint_eq(rs_sample_merge_nr_bad(merge), 0);
	rs_sample_merge_free(merge);
	rs_buf_done(&out);
}

START_TEST(samples)
{
	struct perf_file f = new_file((enum shape)_i);
	struct rs_source *source;

	f.build_id_path = "/bin/prog";
	/* CPU 1's ring is written after CPU 0's: in the file 150 comes behind 300 */
	add_lines(&f, SAMPLES("0 cpu0 map 10 400000-401000 0 /bin/prog", "0 cpu0 map 10 500000-501000 0 /bin/other",
			      "200 cpu0 sample 10/11 400010 400020", "300 cpu0 fork 10 20",
			      "150 cpu1 sample 10/10 400030 kernel ffffffff81000010", ROUND,
			      "400 cpu0 exec 20", "450 cpu0 lost 5", "350 cpu1 sample 10/10 400040", ROUND));
	source = open_file(&f);
	check_samples(source, "0 map 10 400000+1000 /bin/prog ab*20\n0 map 10 500000+1000 /bin/other 00*0\n"
		      "150 cpu1 10/10 ffffffff81000010 400030\n200 cpu0 10/11 400020 400010\n300 fork 10 20\n"
		      "350 cpu1 10/10 400040\n400 exec 20\n450 lost 5\n");
	ck_assert_str_eq(source->samples->info.event, "cpu-clock");
	ck_assert_uint_eq(source->samples->info.hz, 99);
	ck_assert(source->samples->info.by_build_id && !source->samples->info.local);
	ck_assert_uint_eq(source->info.nr_cpus, 2);
	ck_assert_ptr_null(source->info.warnings);
	source->ops->close(source);
}
END_TEST

/* ---- groups: perf record -e '{cycles,instructions,cache-misses}:S' ---- */

#define GROUP(config) { PERF_TYPE_HARDWARE, config, SAMPLE_TYPE | PERF_SAMPLE_READ, RS_SAMPLES_READ_FORMAT }

/* The sums of what grew, as far as it is known: "3000 4000 5". */
static void check_growth(struct rs_source *source, const char *expected)
{
	struct rs_sample_merge *merge = rs_sample_merge_new(source->samples);
	struct rs_group_counts *counts = rs_group_counts_new();
	uint64_t sums[RS_NR_COUNTERS] = { 0 };
	struct rs_sample_event ev;
	char text[128];

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev)) {
		uint64_t growth[RS_NR_COUNTERS] = { 0 };

		if (ev.kind != RS_SAMPLE_OF_CPU || !rs_group_counts_add(counts, &source->samples->info, &ev, growth))
			continue;
		for (unsigned int i = 0; i < RS_NR_COUNTERS; i++)
			sums[i] += growth[i];
	}
	snprintf(text, sizeof text, "%u: %llu %llu %llu", source->samples->info.nr_counters, (unsigned long long)sums[RS_COUNTER_CYCLES],
		 (unsigned long long)sums[RS_COUNTER_INSTRUCTIONS], (unsigned long long)sums[RS_COUNTER_CACHE_MISSES]);
	ck_assert_str_eq(text, expected);
	ck_assert_uint_eq(rs_sample_merge_nr_bad(merge), 0);
	rs_sample_merge_free(merge);
	rs_group_counts_free(counts);
}

#define COUNTED_LINES SAMPLES("200 cpu0 sample 10/10 counts=1000/2000/3 400010", "300 cpu0 sample 10/10 counts=3000/5000/4 400020 kernel ffffffff81000010", \
			      "400 cpu0 sample 10/10 counts=4000/6000/8 400010", ROUND)

static struct rs_source *open_group(enum shape shape, uint64_t second, uint64_t third)
{
	struct perf_file f = new_file(shape);

	f.events[0] = (struct event)GROUP(PERF_COUNT_HW_CPU_CYCLES);
	f.events[1] = (struct event)GROUP(second);
	f.events[2] = (struct event)GROUP(third);
	f.nr_events = 3;
	add_lines(&f, COUNTED_LINES);
	return open_file(&f);
}

START_TEST(counts_of_groups)
{
	struct rs_source *source = open_group((enum shape)_i, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CACHE_MISSES);

	check_growth(source, "3: 3000 4000 5");
	source->ops->close(source);
	source = open_group((enum shape)_i, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CACHE_MISSES);
	check_samples(source, "200 cpu0 10/10 400010\n300 cpu0 10/10 ffffffff81000010 400020\n400 cpu0 10/10 400010\n");
	source->ops->close(source);
	/* an event that nothing is made of stands between them */
	source = open_group((enum shape)_i, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_INSTRUCTIONS);
	check_growth(source, "2: 3000 5 0");
	source->ops->close(source);
}
END_TEST

/* ---- tracepoints ---- */

#define FORMAT "name: sched_wakeup_new\nID: 77\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n"

static const struct event tracepoint = { PERF_TYPE_TRACEPOINT, 77, (SAMPLE_TYPE & ~PERF_SAMPLE_CALLCHAIN) | PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER, 0, 0 };

static void put_tracing(const struct perf_file *f, struct rs_buf *b)
{
	rs_buf_add(b, "\x17\x08\x44tracing0.6", 14);
	rs_buf_putc(b, is_big(f));
	rs_buf_putc(b, 8);
	put(f, b, 4096, 4);
	rs_buf_add(b, "header_page", 12);
	put(f, b, 0, 8);
	rs_buf_add(b, "header_event", 13);
	put(f, b, 0, 8);
	put(f, b, 0, 4);
	put(f, b, 1, 4);
	rs_buf_add(b, "sched", 6);
	put(f, b, 1, 4);
	put(f, b, strlen(FORMAT), 8);
	rs_buf_puts(b, FORMAT);
	put(f, b, 0, 4);
	put(f, b, 0, 4);
}

/*
 * With the callchain of the event, where the file has them: frames ends with 0, NULL: none. And with so many registers, each of them
 * a program's 400010, and 16 bytes of its stack; 0: neither.
 */
static void put_tracepoint_with(struct perf_file *f, uint64_t id, uint64_t ts_ns, uint32_t cpu, uint32_t number, const uint64_t *frames, size_t nr_regs)
{
	struct rs_buf *b = &f->records;
	size_t nr = 0;

	while (frames && frames[nr])
		nr++;
	put_header(f, b, PERF_RECORD_SAMPLE, 1, 8 + 8 + 8 + 8 + 8 + 8 + (frames ? 8 : 0) + 8 * nr + 16 + (nr_regs ? 8 + 8 * nr_regs + 8 + 16 + 8 : 0));
	put(f, b, id, 8);
	put(f, b, 10, 4);
	put(f, b, 10, 4);
	put(f, b, ts_ns, 8);
	put(f, b, cpu, 8 - 4);
	put(f, b, 0, 4);
	put(f, b, 1, 8);
	if (frames)
		put(f, b, nr, 8);
	for (size_t i = 0; i < nr; i++)
		put(f, b, frames[i], 8);
	put(f, b, 12, 4);
	put(f, b, 77, 2);
	put(f, b, 0, 2);
	put(f, b, 10, 4);
	put(f, b, number, 4);
	if (!nr_regs)
		return;
	put(f, b, PERF_SAMPLE_REGS_ABI_64, 8);
	for (size_t i = 0; i < nr_regs; i++)
		put(f, b, 0x400010, 8);
	put(f, b, 16, 8);
	rs_buf_pad(b, '\0', 16);
	put(f, b, 16, 8);
}

static void put_tracepoint(struct perf_file *f, uint64_t id, uint64_t ts_ns, uint32_t cpu, uint32_t number)
{
	put_tracepoint_with(f, id, ts_ns, cpu, number, NULL, 0);
}

struct printed {
	struct rs_buf out;
	bool big;
};

static void print_gap(void *arg, const struct rs_gap *gap)
{
	rs_buf_printf(&((struct printed *)arg)->out, "lost %llu on cpu%u\n", (unsigned long long)gap->nr_lost, gap->cpu);
}

static void check_events(struct rs_source *source, const char *expected)
{
	struct printed p = { RS_BUF_INIT, source->info.big_endian };
	struct rs_error err = { 0 };
	struct rs_merge *merge = rs_merge_new(source, print_gap, &p, &err);
	struct rs_batch batch;

	while (rs_merge_next_batch(merge, &batch, &err))
		do {
			const uint8_t *r = batch.cursor->record;

			rs_buf_printf(&p.out, "%llu cpu%u %u\n", (unsigned long long)batch.cursor->ts_ns, batch.cpu, p.big ? r[11] : r[8]);
		} while (rs_merge_next_record(merge, &batch));
	ck_assert_str_eq(p.out.data, expected);
	rs_merge_free(merge);
	rs_buf_done(&p.out);
}

START_TEST(tracepoints)
{
	struct perf_file f = new_file((enum shape)_i);
	struct rs_buf tracing = RS_BUF_INIT;
	struct rs_source *source;

	f.events[0] = tracepoint;
	put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	put_tracepoint(&f, 1, 1000, 0, 1);
	put_tracepoint(&f, 1, 9000000000, 0, 2); /* its delta needs a time extend */
	put_tracepoint(&f, 1, 2000, 1, 3);
	/* two records were lost on CPU 1: as it has the id, and what else follows each record */
	put_header(&f, &f.records, PERF_RECORD_LOST, 0, 8 + 16 + 32);
	put(&f, &f.records, 1, 8);
	put(&f, &f.records, 2, 8);
	put(&f, &f.records, 0, 8);
	put(&f, &f.records, 2500, 8);
	put(&f, &f.records, 1, 4);
	put(&f, &f.records, 0, 4);
	put(&f, &f.records, 1, 8);
	put_tracepoint(&f, 1, 3000, 1, 4);
	put_header(&f, &f.records, 68, 0, 8);
	source = open_file(&f);
	check_events(source, "1000 cpu0 1\n2000 cpu1 3\nlost 2 on cpu1\n3000 cpu1 4\n9000000000 cpu0 2\n");
	ck_assert_ptr_null(source->samples);
	ck_assert_int_eq(source->info.big_endian, is_big(&f));
	source->ops->close(source);
	rs_buf_done(&tracing);
}
END_TEST

/* "65532 of 10 at 1000: 10 400010 400020": a stack's ID, task, time, and its field and addresses. */
static void check_stacks(struct rs_source *source, const char *expected)
{
	struct rs_error err = { 0 };
	struct rs_merge *merge = rs_merge_new(source, print_gap, NULL, &err);
	struct rs_buf out = RS_BUF_INIT;
	struct rs_batch batch;

	while (rs_merge_next_batch(merge, &batch, &err))
		do {
			const uint8_t *r = batch.cursor->record;
			bool swaps = source->info.big_endian;
			uint16_t id = swaps ? (uint16_t)(r[0] << 8 | r[1]) : (uint16_t)(r[1] << 8 | r[0]);

			if (id == 77)
				continue;
			rs_buf_printf(&out, "%u of %u at %llu: %u", id, swaps ? r[7] : r[4], (unsigned long long)batch.cursor->ts_ns, swaps ? r[11] : r[8]);
			for (unsigned int at = 16; at + 8 <= batch.cursor->len_bytes; at += 8) {
				uint64_t address;

				memcpy(&address, r + at, sizeof address);
				rs_buf_printf(&out, " %llx", (unsigned long long)(swaps ? __builtin_bswap64(address) : address));
			}
			rs_buf_putc(&out, '\n');
		} while (rs_merge_next_record(merge, &batch));
	ck_assert_str_eq(out.data, expected);
	rs_merge_free(merge);
	rs_buf_done(&out);
}

/*
 * A callchain becomes the kernel's own events behind the tracepoint, each ends with 0: of the kernel, with its number of
 * addresses, and of the program, with its PID. A guest's part is left out. The mappings come with them.
 */
START_TEST(stacks_of_tracepoints)
{
	static const uint64_t both[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010, 0xffffffff81000020,
					 (uint64_t)PERF_CONTEXT_USER, 0x400010, 0 };
	static const uint64_t guests[] = { (uint64_t)PERF_CONTEXT_GUEST, 0x1234, (uint64_t)PERF_CONTEXT_USER, 0x400010, 0x400020, 0 };
	struct perf_file f = new_file((enum shape)_i);
	struct rs_buf tracing = RS_BUF_INIT;
	struct rs_source *source;

	f.events[0] = tracepoint;
	f.events[0].sample_type |= PERF_SAMPLE_CALLCHAIN;
	put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	put_tracepoint_with(&f, 1, 1000, 0, 1, both, 0);
	put_tracepoint_with(&f, 1, 2000, 0, 2, guests, 0);
	put_header(&f, &f.records, 68, 0, 8);
	source = open_file(&f);
	check_stacks(source, "65531 of 10 at 1000: 2 ffffffff81000010 ffffffff81000020\n65532 of 10 at 1000: 10 400010 0 0 0 0 0 0 0\n"
		     "65532 of 10 at 2000: 10 400010 400020 0 0 0 0 0 0\n");
	ck_assert_ptr_nonnull(source->samples);
	source->ops->close(source);
	rs_buf_done(&tracing);
}
END_TEST

/*
 * By dwarf: the program's part is unwound from the registers; where nothing is mapped it is the innermost function alone. A file of
 * the other byte order is of another kind of machine.
 */
START_TEST(unwound_stacks_of_tracepoints)
{
	static const uint64_t kernel[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0xffffffff81000010, 0 };
	const char *expected = "65531 of 10 at 1000: 1 ffffffff81000010\n65532 of 10 at 1000: 10 400010 0 0 0 0 0 0 0\n";
	struct perf_file f = new_file((enum shape)_i);
	struct rs_buf tracing = RS_BUF_INIT;
	struct rs_source *source;

	if (!rs_unwinder_regs())
		return;
	f.events[0] = tracepoint;
	f.events[0].sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	f.events[0].user_regs = rs_unwinder_regs();
	put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	put_tracepoint_with(&f, 1, 1000, 0, 1, kernel, (size_t)__builtin_popcountll(rs_unwinder_regs()));
	put_header(&f, &f.records, 68, 0, 8);
	source = open_file(&f);
	check_stacks(source, is_big(&f) ? "65531 of 10 at 1000: 1 ffffffff81000010\n" : expected);
	source->ops->close(source);
	rs_buf_done(&tracing);
}
END_TEST

/* ---- several events ---- */

static void put_sample_of(struct perf_file *f, uint64_t id, uint64_t ts_ns)
{
	put_header(f, &f->records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 + 8 + 8 + 8 + 8 + 8);
	put(f, &f->records, id, 8);
	put(f, &f->records, 0x400010, 8);
	put(f, &f->records, 10, 4);
	put(f, &f->records, 10, 4);
	put(f, &f->records, ts_ns, 8);
	put(f, &f->records, 0, 8);
}

/* A sample without a stack is a stack of one frame. */
START_TEST(one_event_shows_what_ran)
{
	struct perf_file f = new_file(FILE_LITTLE);
	struct rs_source *source;

	f.events[0] = instructions;
	f.events[1] = cpu_clock;
	f.nr_events = 2;
	for (int i = 0; i < 2; i++)
		f.events[i].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	put_sample_of(&f, 1, 100);
	put_sample_of(&f, 2, 200);
	put_sample_of(&f, 1, 300);
	put_sample_of(&f, 9, 400);
	source = open_file(&f);
	check_samples(source, "200 cpu0 10/10 400010\n");
	ck_assert_str_eq(source->samples->info.event, "cpu-clock");
	ck_assert_str_eq(source->info.warnings, "left out: 1 records of an event that it does not describe\n"
			 "left out: 2 samples of 'instructions'; CPU samples are those of cpu-clock\n");
	source->ops->close(source);
}
END_TEST

/* ---- hostile ---- */

/* A part of it that is read is what it says it is: nothing is read outside of the file, and no error lacks a text. */
static void read_any(const struct rs_buf *file)
{
	struct rs_error err;
	int image_fd = convert(file, &err);
	struct rs_source *source;
	struct printed p = { .out = RS_BUF_INIT };

	if (image_fd < 0)
		return;
	source = rs_tracedat_open_fd(image_fd, "image", NULL, &err);
	ck_assert_msg(source, "%s", err.text);
	source->ops->close(source);
	rs_buf_done(&p.out);
	close(image_fd);
}

START_TEST(any_byte_may_be_wrong)
{
	struct perf_file f = new_file((enum shape)_i);
	struct rs_buf tracing = RS_BUF_INIT, file = RS_BUF_INIT, cut;

	f.events[1] = tracepoint;
	f.events[0].sample_type |= PERF_SAMPLE_IDENTIFIER;
	f.nr_events = 2;
	put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	f.build_id_path = "/bin/prog";
	put_tracepoint(&f, 2, 1000, 0, 1);
	put_tracepoint(&f, 1, 1000, 0, 1);
	put_tracepoint(&f, 2, 900, 1, 1);
	build(&f, &file);
	for (size_t len = 0; len < file.len; len += 7) {
		cut = (struct rs_buf){ file.data, len, 0, false };
		read_any(&cut);
	}
	for (size_t i = 8; i < file.len; i++) {
		char was = file.data[i];

		for (int to = 0; to < 2; to++) {
			file.data[i] = to ? '\xff' : (char)(was ^ 0x10);
			read_any(&file);
		}
		file.data[i] = was;
	}
	rs_buf_done(&f.records);
	rs_buf_done(&tracing);
	rs_buf_done(&file);
}
END_TEST

/* The kernel's symbols are those of perf's cache, moved to where it was; modules do not move with it. */
START_TEST(symbols_of_another_kernel)
{
	static const uint8_t id[20] = { 0xab, 0xcd };
	struct rs_sample_event mmap = { .kind = RS_SAMPLE_MMAP, .pid = -1, .offset = 0xffffffff92000000, .build_id = id, .build_id_len = 20,
					.path = "[kernel.kallsyms]_text" };
	char dir[] = "/tmp/ringside-test-XXXXXX", command[200], path[160], *home = getenv("HOME");
	struct rs_perf_header header = { 0 };
	struct rs_buf out = RS_BUF_INIT;
	FILE *file;

	home = home ? strdup(home) : NULL;
	ck_assert_ptr_nonnull(mkdtemp(dir));
	setenv("HOME", dir, 1);
	ck_assert(!rs_perf_kernel_symbols(&header, &mmap, &out));
	ck_assert_uint_eq(out.len, 0);
	snprintf(path, sizeof path, "%s/.debug/.build-id/ab/cd%036d", dir, 0);
	snprintf(command, sizeof command, "mkdir -p %s", path);
	ck_assert_int_eq(system(command), 0);
	strcat(path, "/kallsyms");
	file = fopen(path, "w");
	fputs("ffffffff81000000 T _text\nffffffff81000100 T start\nffffffffc0000000 t ext4_read\t[ext4]\n", file);
	fclose(file);
	ck_assert(!rs_perf_kernel_symbols(&header, &mmap, &out)); /* it is not of this boot */
	ck_assert_str_eq(out.data, "ffffffff92000000 T _text\nffffffff92000100 T start\n");
	rs_buf_done(&out);
	snprintf(command, sizeof command, "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
	if (home)
		setenv("HOME", home, 1);
	free(home);
}
END_TEST

START_TEST(refused)
{
	static const struct { const char *bytes; size_t len; const char *why; } files[] = {
		{ "PERFILE2h\0\0\0", 12, "cannot read 'perf.data': it ends within its header (the perf.data is cut off)" },
		{ "PERFILE2\x10\0\0\0\0\0\0\0", 16, "cannot read 'perf.data': it has no events (the perf.data is cut off or damaged)" },
		{ "PERFILE2\x20\0\0\0\0\0\0\0", 16, "cannot read 'perf.data': its header has 32 bytes, not 104 (it is no perf.data of perf record)" },
	};
	struct rs_error err;

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct rs_buf file = { (char *)(uintptr_t)files[i].bytes, files[i].len, 0, false };

		ck_assert_int_eq(convert(&file, &err), -1);
		ck_assert_str_eq(err.text, files[i].why);
	}
}
END_TEST

/* Thousands of recordings: not on a disk. */
static void setup(void)
{
	setenv("TMPDIR", "/dev/shm", 1);
}

Suite *rs_suite_perfdata(void)
{
	Suite *s = suite_create("perfdata");
	TCase *t = tcase_create("perfdata");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, samples, 0, NR_SHAPES);
	tcase_add_loop_test(t, counts_of_groups, 0, NR_SHAPES);
	tcase_add_loop_test(t, tracepoints, 0, NR_SHAPES);
	tcase_add_loop_test(t, stacks_of_tracepoints, 0, NR_SHAPES);
	tcase_add_loop_test(t, unwound_stacks_of_tracepoints, 0, NR_SHAPES);
	tcase_add_test(t, one_event_shows_what_ran);
	tcase_add_loop_test(t, any_byte_may_be_wrong, 0, NR_SHAPES);
	tcase_add_test(t, symbols_of_another_kernel);
	tcase_add_test(t, refused);
	suite_add_tcase(s, t);
	return s;
}
