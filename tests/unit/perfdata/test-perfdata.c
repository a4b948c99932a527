// SPDX-License-Identifier: GPL-2.0-or-later
/* test-perfdata - a perf.data of either byte order, from a file or a pipe, packed or not: what its records become */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "decode/group-counts.h"
#include "decode/merge.h"
#include "decode/sample-merge.h"
#include "perfdata-builder.h"
#include "perfdata/perf-convert.h"
#include "perfdata/perf-kernel.h"
#include "recording/recording.h"
#include "sample-lines.h"
#include "skip.h"
#include "source/source.h"
#include "symbols/unwinder.h"

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

	perf_file_build(f, &file);
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
	struct perf_file f = perf_file_new((enum perf_file_shape)_i);
	struct rs_source *source;

	f.build_id_path = "/bin/prog";
	/* CPU 1's ring is written after CPU 0's: in the file 150 comes behind 300 */
	perf_file_add_lines(&f, SAMPLES("0 cpu0 map 10 400000-401000 0 /bin/prog", "0 cpu0 map 10 500000-501000 0 /bin/other",
			      "200 cpu0 sample 10/11 400010 400020", "300 cpu0 fork 10 20",
			      "150 cpu1 sample 10/10 400030 kernel ffffffff81000010", PERF_FILE_ROUND,
			      "400 cpu0 exec 20", "450 cpu0 lost 5", "350 cpu1 sample 10/10 400040", PERF_FILE_ROUND));
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

#define GROUP(config) { PERF_TYPE_HARDWARE, config, PERF_FILE_SAMPLE_TYPE | PERF_SAMPLE_READ, RS_SAMPLES_READ_FORMAT }

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
			      "400 cpu0 sample 10/10 counts=4000/6000/8 400010", PERF_FILE_ROUND)

static struct rs_source *open_group(enum perf_file_shape shape, uint64_t second, uint64_t third)
{
	struct perf_file f = perf_file_new(shape);

	f.events[0] = (struct perf_file_event)GROUP(PERF_COUNT_HW_CPU_CYCLES);
	f.events[1] = (struct perf_file_event)GROUP(second);
	f.events[2] = (struct perf_file_event)GROUP(third);
	f.nr_events = 3;
	perf_file_add_lines(&f, COUNTED_LINES);
	return open_file(&f);
}

START_TEST(counts_of_groups)
{
	struct rs_source *source = open_group((enum perf_file_shape)_i, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CACHE_MISSES);

	check_growth(source, "3: 3000 4000 5");
	source->ops->close(source);
	source = open_group((enum perf_file_shape)_i, PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CACHE_MISSES);
	check_samples(source, "200 cpu0 10/10 400010\n300 cpu0 10/10 ffffffff81000010 400020\n400 cpu0 10/10 400010\n");
	source->ops->close(source);
	/* an event that nothing is made of stands between them */
	source = open_group((enum perf_file_shape)_i, PERF_COUNT_HW_BRANCH_MISSES, PERF_COUNT_HW_INSTRUCTIONS);
	check_growth(source, "2: 3000 5 0");
	source->ops->close(source);
}
END_TEST

/* ---- tracepoints ---- */

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
	struct perf_file f = perf_file_new((enum perf_file_shape)_i);
	struct rs_buf tracing = RS_BUF_INIT;
	struct rs_source *source;

	f.events[0] = perf_file_tracepoint;
	perf_file_put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	perf_file_put_tracepoint(&f, 1, 1000, 0, 1);
	perf_file_put_tracepoint(&f, 1, 9000000000, 0, 2); /* its delta needs a time extend */
	perf_file_put_tracepoint(&f, 1, 2000, 1, 3);
	/* two records were lost on CPU 1: as it has the id, and what else follows each record */
	perf_file_put_header(&f, &f.records, PERF_RECORD_LOST, 0, 8 + 16 + 32);
	perf_file_put(&f, &f.records, 1, 8);
	perf_file_put(&f, &f.records, 2, 8);
	perf_file_put(&f, &f.records, 0, 8);
	perf_file_put(&f, &f.records, 2500, 8);
	perf_file_put(&f, &f.records, 1, 4);
	perf_file_put(&f, &f.records, 0, 4);
	perf_file_put(&f, &f.records, 1, 8);
	perf_file_put_tracepoint(&f, 1, 3000, 1, 4);
	perf_file_put_header(&f, &f.records, 68, 0, 8);
	source = open_file(&f);
	check_events(source, "1000 cpu0 1\n2000 cpu1 3\nlost 2 on cpu1\n3000 cpu1 4\n9000000000 cpu0 2\n");
	ck_assert_ptr_null(source->samples);
	ck_assert_int_eq(source->info.big_endian, perf_file_is_big(&f));
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
	struct perf_file f = perf_file_new((enum perf_file_shape)_i);
	struct rs_buf tracing = RS_BUF_INIT;
	struct rs_source *source;

	f.events[0] = perf_file_tracepoint;
	f.events[0].sample_type |= PERF_SAMPLE_CALLCHAIN;
	perf_file_put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	perf_file_put_tracepoint_with(&f, 1, 1000, 0, 1, both, 0);
	perf_file_put_tracepoint_with(&f, 1, 2000, 0, 2, guests, 0);
	perf_file_put_header(&f, &f.records, 68, 0, 8);
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
	struct perf_file f = perf_file_new((enum perf_file_shape)_i);
	struct rs_buf tracing = RS_BUF_INIT;
	struct rs_source *source;

	if (!rs_unwinder_regs())
		SKIP("no stacks are unwound on this architecture");
	f.events[0] = perf_file_tracepoint;
	f.events[0].sample_type |= PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	f.events[0].user_regs = rs_unwinder_regs();
	perf_file_put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	perf_file_put_tracepoint_with(&f, 1, 1000, 0, 1, kernel, (size_t)__builtin_popcountll(rs_unwinder_regs()));
	perf_file_put_header(&f, &f.records, 68, 0, 8);
	source = open_file(&f);
	check_stacks(source, perf_file_is_big(&f) ? "65531 of 10 at 1000: 1 ffffffff81000010\n" : expected);
	source->ops->close(source);
	rs_buf_done(&tracing);
}
END_TEST

/* ---- several events ---- */

static void put_sample_of(struct perf_file *f, uint64_t id, uint64_t ts_ns)
{
	perf_file_put_header(f, &f->records, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 + 8 + 8 + 8 + 8 + 8);
	perf_file_put(f, &f->records, id, 8);
	perf_file_put(f, &f->records, 0x400010, 8);
	perf_file_put(f, &f->records, 10, 4);
	perf_file_put(f, &f->records, 10, 4);
	perf_file_put(f, &f->records, ts_ns, 8);
	perf_file_put(f, &f->records, 0, 8);
}

/* A sample without a stack is a stack of one frame. */
START_TEST(one_event_shows_what_ran)
{
	struct perf_file f = perf_file_new(FILE_LITTLE);
	struct rs_source *source;

	f.events[0] = perf_file_instructions;
	f.events[1] = perf_file_cpu_clock;
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

/* Later than any clock (2^62): malformed, and of no weight for the order of the others. */
START_TEST(a_time_later_than_any_clock)
{
	struct perf_file f = perf_file_new((enum perf_file_shape)_i);
	struct rs_source *source;

	f.events[0].sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	put_sample_of(&f, 1, 100);
	put_sample_of(&f, 1, UINT64_MAX);
	put_sample_of(&f, 1, (1ull << 62) + 1);
	put_sample_of(&f, 1, 200);
	source = open_file(&f);
	check_samples(source, "100 cpu0 10/10 400010\n200 cpu0 10/10 400010\n");
	ck_assert_str_eq(source->info.warnings, "left out: 2 malformed records\n");
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
	struct perf_file f = perf_file_new((enum perf_file_shape)_i);
	struct rs_buf tracing = RS_BUF_INIT, file = RS_BUF_INIT, cut;

	f.events[1] = perf_file_tracepoint;
	f.events[0].sample_type |= PERF_SAMPLE_IDENTIFIER;
	f.nr_events = 2;
	perf_file_put_tracing(&f, &tracing);
	f.tracing = tracing.data;
	f.tracing_len = tracing.len;
	f.build_id_path = "/bin/prog";
	perf_file_put_tracepoint(&f, 2, 1000, 0, 1);
	perf_file_put_tracepoint(&f, 1, 1000, 0, 1);
	perf_file_put_tracepoint(&f, 2, 900, 1, 1);
	perf_file_build(&f, &file);
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
	tcase_add_loop_test(t, samples, 0, PERF_FILE_SHAPES);
	tcase_add_loop_test(t, counts_of_groups, 0, PERF_FILE_SHAPES);
	tcase_add_loop_test(t, tracepoints, 0, PERF_FILE_SHAPES);
	tcase_add_loop_test(t, stacks_of_tracepoints, 0, PERF_FILE_SHAPES);
	tcase_add_loop_test(t, unwound_stacks_of_tracepoints, 0, PERF_FILE_SHAPES);
	tcase_add_test(t, one_event_shows_what_ran);
	tcase_add_loop_test(t, a_time_later_than_any_clock, 0, PERF_FILE_SHAPES);
	tcase_add_loop_test(t, any_byte_may_be_wrong, 0, PERF_FILE_SHAPES);
	tcase_add_test(t, symbols_of_another_kernel);
	tcase_add_test(t, refused);
	suite_add_tcase(s, t);
	return s;
}
