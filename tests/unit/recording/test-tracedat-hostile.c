// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that lie: each ends in one clear line or in a source that can be read
 * to its end, never in a crash, and never in memory that the file does not hold.
 */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording/recording.h"
#include "source/source.h"
#include "tracedat-builder.h"

Suite *rs_suite_tracedat_hostile(void);

static uint32_t sum_text(const char *text, size_t len)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < len; i++)
		sum += (uint8_t)text[i];
	return sum;
}

static uint32_t sum_info(const struct rs_trace_info *info)
{
	uint32_t sum = sum_text(info->header_page.data, info->header_page.len) +
		       sum_text(info->kallsyms.data, info->kallsyms.len) +
		       sum_text(info->printk_formats.data, info->printk_formats.len);

	for (size_t i = 0; i < info->nr_formats; i++) {
		sum += sum_text(info->formats[i].system, strlen(info->formats[i].system));
		sum += sum_text(info->formats[i].text.data, info->formats[i].text.len);
	}
	for (size_t i = 0; i < info->nr_initial; i++)
		sum += (uint32_t)strnlen(info->snapshot[i].comm, sizeof info->snapshot[i].comm);
	return sum + (uint32_t)(info->warnings ? strlen(info->warnings) : 0);
}

/* Touches all that the source says it has; returns how many pages and errors its CPUs had. */
static void read_all(struct rs_source *s, unsigned int *nr_pages, unsigned int *nr_errors)
{
	const struct rs_trace_info *info = &s->info;
	volatile uint32_t sum; /* read for the sanitizer's sake */

	sum = sum_info(info);
	(void)sum;
	*nr_pages = *nr_errors = 0;
	ck_assert(info->nr_cpus >= 1 && info->nr_cpus <= 65536);
	ck_assert(info->page_bytes >= 4096 && !(info->page_bytes & (info->page_bytes - 1)));
	ck_assert(info->long_bytes == 4 || info->long_bytes == 8);
	for (unsigned int cpu = 0; cpu < info->nr_cpus; cpu++) {
		struct rs_error err = { 0 };
		enum rs_next next;
		struct rs_page page;

		while ((next = s->ops->next(s, cpu, &page, &err)) == RS_NEXT_PAGE) {
			ck_assert(page.len_bytes >= 1 && page.len_bytes <= info->page_bytes);
			sum += page.data[0] + page.data[page.len_bytes - 1];
			ck_assert_uint_lt(++*nr_pages, 1u << 20);
		}
		*nr_errors += next == RS_NEXT_ERROR;
		ck_assert_int_eq(next == RS_NEXT_ERROR, err.status != RS_OK);
		ck_assert_int_eq(s->ops->next(s, cpu, &page, &err), RS_NEXT_END);
	}
}

/* Opens and reads it all; false: refused. */
static bool survives(const char *path, unsigned int *nr_pages)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_tracedat_open(path, NULL, &err);
	unsigned int nr_errors;
	char *names;

	*nr_pages = 0;
	if (!s) {
		ck_assert_int_eq(err.status, RS_FAILED);
		ck_assert_ptr_nonnull(strchr(err.text, '\''));
		return false;
	}
	ck_assert_int_eq(err.status, RS_OK);
	read_all(s, nr_pages, &nr_errors);
	s->ops->close(s);
	names = rs_tracedat_buffers(path, &err);
	ck_assert_ptr_nonnull(names);
	free(names);
	return true;
}

static void must_refuse(const char *path, const char *why)
{
	struct rs_error err = { 0 };

	ck_assert_ptr_null(rs_tracedat_open(path, NULL, &err));
	ck_assert_int_eq(err.status, RS_FAILED);
	ck_assert_msg(strstr(err.text, why) != NULL, "\"%s\" does not say \"%s\"", err.text, why);
}

static const struct recipe shapes[] = {
	{ .version = 6, .inner = "second", .trailer = "{\"version\":1,\"tasks\":[[1,2,2,\"a\",0]]}" },
	{ .version = 6, .big_endian = true, .long_bytes = 4, .clock = "" },
	{ .version = 7, .inner = "second" },
	{ .version = 7, .codec = "zlib", .inner = "second" },
	{ .version = 7, .codec = "zstd", .nr_pages = 5, .trailer = "{\"version\":1,\"disks\":[[1,\"a\"]]}" },
};
#define NR_SHAPES ((int)(sizeof shapes / sizeof *shapes))

/* Cut off anywhere: in the header an error, in version 6's pages what is left of them. */
START_TEST(every_prefix)
{
	struct built f = build_tracedat(&shapes[_i]);
	size_t data = shapes[_i].version == 6 ? 4096 : 0;

	for (size_t len = 0; len < f.len; len += len < 4096 || f.len - len < 2048 ? 1 : 61) {
		unsigned int nr_pages;
		bool read = survives(built_path_of(&f, f.data, len), &nr_pages);

		if (data && len >= data)
			ck_assert(read && nr_pages >= (len - data < 4 * 4096 ? (len - data) / 4096 : 4));
		else if (len < f.table_at)
			ck_assert_msg(!read, "read with %zu bytes of %zu", len, f.len);
	}
	built_done(&f);
}
END_TEST

static uint32_t dice(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

/* Half of the changes go to what is not pages; values that lie well are chosen often. */
START_TEST(random_changes)
{
	static const uint8_t liars[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct built f = build_tracedat(&shapes[_i]);
	uint8_t *copy = malloc(f.len);
	uint32_t seed = 12345 + (uint32_t)_i;
	unsigned int nr_read = 0, nr_pages;

	ck_assert_ptr_nonnull(copy);
	for (int round = 0; round < 3000; round++) {
		memcpy(copy, f.data, f.len);
		for (uint32_t n = dice(&seed) % 4; n < 4; n++) {
			size_t at = dice(&seed) % (dice(&seed) % 2 ? f.len : f.table_at % 4096 + 100);
			uint32_t to = dice(&seed);

			copy[at] = to % 2 ? liars[to / 2 % sizeof liars] : (uint8_t)(to >> 8);
		}
		nr_read += survives(built_path_of(&f, copy, f.len), &nr_pages);
	}
	/* Else the changes are too many or too few to reach anything. */
	ck_assert_msg(nr_read > 100 && nr_read < 2900, "%u of 3000 read", nr_read);
	free(copy);
	built_done(&f);
}
END_TEST

/* One lie each, and what is said of it. */

enum place {
	PAGE_SIZE_AT, HEADER_PAGE_SIZE_AT, NR_SYSTEMS_AT, OPTION_SIZE_AT, NR_CPUS_AT, KIND_AT, TABLE_AT,
	FIRST_OPTIONS_AT, DONE_AT, SECTION_AT,
};

static size_t place_in(const struct built *f, enum place place)
{
	const size_t places[] = {
		f->page_size_at, f->header_page_size_at, f->nr_systems_at, f->option_size_at, f->nr_cpus_at,
		f->kind_at, f->table_at, f->first_options_at, f->done_at, f->section_at,
	};

	return places[place];
}

static const struct {
	unsigned int version;
	const char *codec;
	enum place place;
	int plus;
	uint64_t value;
	unsigned int bytes;
	const char *why;
} lies[] = {
	{ 6, NULL, PAGE_SIZE_AT, 0, 0, 4, "a page size of 0 at byte 14" },
	{ 6, NULL, PAGE_SIZE_AT, 0, 4097, 4, "a page size of 4097 at byte 14" },
	{ 6, NULL, PAGE_SIZE_AT, 0, 1u << 30, 4, "a page size of 1073741824" },
	{ 6, NULL, PAGE_SIZE_AT, -1, 5, 1, "a long of neither 4 nor 8 bytes at byte 13" },
	{ 6, NULL, PAGE_SIZE_AT, -2, 2, 1, "an unknown byte order at byte 12" },
	{ 6, NULL, PAGE_SIZE_AT, -4, '8', 1, "a trace.dat of version 8, only 6 and 7" },
	{ 6, NULL, HEADER_PAGE_SIZE_AT, -12, 'x', 1, "no \"header_page\" at byte 18" },
	{ 6, NULL, HEADER_PAGE_SIZE_AT, 0, UINT64_MAX, 8, "the page header's description would go on past" },
	{ 6, NULL, NR_SYSTEMS_AT, 0, UINT32_MAX, 4, "the events' formats would go on past the end" },
	{ 6, NULL, NR_SYSTEMS_AT, 8, UINT32_MAX, 4, "the events' formats would go on past the end" },
	{ 6, NULL, NR_SYSTEMS_AT, 12, UINT64_MAX - 7, 8, "the events' formats would go on past the end" },
	{ 6, NULL, OPTION_SIZE_AT, 0, UINT32_MAX, 4, "the options would go on past the end" },
	{ 6, NULL, NR_CPUS_AT, 0, UINT32_MAX, 4, "a table of CPUs that runs past the end" },
	{ 6, NULL, KIND_AT, 0, 'F', 1, "neither \"flyrecord\" nor \"latency\"" },
	{ 7, NULL, FIRST_OPTIONS_AT, 0, 0, 8, "no offset of the options" },
	{ 7, NULL, FIRST_OPTIONS_AT, 0, UINT64_MAX, 8, "no options, which say where all else is" },
	{ 7, NULL, FIRST_OPTIONS_AT, 0, 40, 8, "a section" },
	{ 7, NULL, SECTION_AT, 0, 99, 2, "a section of another kind" },
	{ 7, NULL, SECTION_AT, 8, UINT64_MAX, 8, "a section would go on past the end" },
	{ 7, NULL, SECTION_AT, 2, 1, 2, "" },
	{ 7, "zstd", SECTION_AT, 16, UINT32_MAX, 4, "a packed section would go on past the end" },
	{ 7, "zstd", SECTION_AT, 20, UINT32_MAX, 4, "a packed section of an impossible size" },
	{ 7, "zstd", SECTION_AT, 20, (64u << 20) + 1, 4, "a packed section of an impossible size" },
	{ 7, "zstd", SECTION_AT, 20, 63u << 20, 4, "zstd data that does not unpack to its size" },
	{ 7, "zlib", SECTION_AT, 20, 63u << 20, 4, "zlib data that does not unpack to its size" },
	{ 7, "zstd", SECTION_AT, 20, 16, 4, "zstd data that does not unpack to its size" },
	{ 7, "zlib", SECTION_AT, 20, 16, 4, "zlib data that does not unpack to its size" },
	{ 7, "zstd", FIRST_OPTIONS_AT, -4, 'x', 1, "it is compressed with 'zstx', only zstd and zlib" },
	{ 7, NULL, TABLE_AT, -8, 12345, 4, "a page size of 12345" },
	{ 7, NULL, TABLE_AT, -4, UINT32_MAX, 4, "a table of CPUs that runs past its option's end" },
	{ 7, NULL, TABLE_AT, -4, 3, 4, "a table of CPUs that runs past its option's end" },
	{ 7, NULL, TABLE_AT, 0, 70000, 4, "70001 CPUs" },
	{ 7, NULL, TABLE_AT, 20, 0, 4, "a CPU that is there twice" },
	{ 7, NULL, NR_CPUS_AT, 0, 65537, 4, "65537 CPUs" },
};

START_TEST(lie_is_named)
{
	const struct recipe recipe = { .version = lies[_i].version, .codec = lies[_i].codec };
	struct built f = build_tracedat(&recipe);

	built_put(&f, (size_t)((ptrdiff_t)place_in(&f, lies[_i].place) + lies[_i].plus), lies[_i].value,
		  lies[_i].bytes);
	must_refuse(built_path(&f), lies[_i].why);
	built_done(&f);
}
END_TEST

START_TEST(options_in_a_circle)
{
	struct built f = build_tracedat(&(struct recipe){ .version = 7 });

	for (int i = 0; i < 8; i++)
		f.data[f.done_at + (size_t)i] = f.data[f.first_options_at + (size_t)i];
	must_refuse(built_path(&f), "sections of options without end");
	built_done(&f);
}
END_TEST

START_TEST(latency_text_is_no_recording_of_events)
{
	for (unsigned int version = 6; version <= 7; version++) {
		struct built f = build_tracedat(&(struct recipe){ .version = version, .kind = "latency" });

		must_refuse(built_path(&f), "it holds a latency tracer's text, no events");
		built_done(&f);
	}
}
END_TEST

/* The CPUs' data: what is missing is noted, the rest is read. */

static const struct {
	uint64_t offset, size;
	unsigned int nr_pages;  /* of both CPUs */
	const char *note;
} tables[] = {
	{ 4096, 8192, 4, NULL },
	{ 4096, 0, 2, NULL },
	{ 0, 100, 3, NULL },
	{ UINT64_MAX, 8192, 2, "the last 8192 of its 8192 bytes are missing" },
	{ UINT64_MAX, UINT64_MAX, 2, "bytes are missing, the file is cut off" },
};

/* CPU 1 has the bytes from 12288 to the end of the file, 20480. Version 7's row of a CPU begins with its number. */
static const struct {
	uint64_t offset, size;
	const char *reason;
} shared[] = {
	{ 12288, 8192, "data that CPU 0 and CPU 1 share, at byte 12288 of 20480" },
	{ 4096, 8193, "data that CPU 0 and CPU 1 share, at byte 12288 of 20480" },
	{ 4096, UINT64_MAX, "data that CPU 0 and CPU 1 share, at byte 12288 of 20480" },
	{ 16384, 8192, "data that CPU 1 and CPU 0 share, at byte 16384 of 20480" },
};

START_TEST(cpus_that_share_their_data)
{
	struct built f = build_tracedat(&(struct recipe){ 0 });

	built_put(&f, f.table_at, shared[_i].offset, 8);
	built_put(&f, f.table_at + 8, shared[_i].size, 8);
	must_refuse(built_path(&f), shared[_i].reason);
	built_done(&f);
}
END_TEST

START_TEST(cpus_that_share_their_data_in_version_7)
{
	static const char *const codecs[] = { "none", "zlib", "zstd" };
	struct built f = build_tracedat(&(struct recipe){ .version = 7, .codec = codecs[_i] });

	memcpy(f.data + f.table_at + 20 + 4, f.data + f.table_at + 4, 8); /* CPU 1 begins where CPU 0 does */
	must_refuse(built_path(&f), "data that CPU ");
	built_done(&f);
}
END_TEST

START_TEST(cpu_table_that_lies)
{
	struct built f = build_tracedat(&(struct recipe){ 0 });
	struct rs_error err = { 0 };
	unsigned int nr_pages, nr_errors;
	struct rs_source *s;

	ck_assert_uint_eq(f.len, 5 * 4096);
	built_put(&f, f.table_at, tables[_i].offset, 8);
	built_put(&f, f.table_at + 8, tables[_i].size, 8);
	s = rs_tracedat_open(built_path(&f), NULL, &err);
	ck_assert_msg(s != NULL, "%s", err.text);
	if (tables[_i].note)
		ck_assert_ptr_nonnull(strstr(s->info.warnings, tables[_i].note));
	else
		ck_assert_ptr_null(s->info.warnings);
	read_all(s, &nr_pages, &nr_errors);
	ck_assert_uint_eq(nr_pages, tables[_i].nr_pages);
	ck_assert_uint_eq(nr_errors, 0);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

/* Chunks: the number of them, then of the first the packed size, the unpacked size, the data. */
static const struct {
	unsigned int plus, bytes;
	uint64_t value;
	unsigned int nr_pages;      /* that CPU 0 still has of its 4 */
	const char *why;            /* NULL: no error */
} chunk_lies[] = {
	{ 0, 4, 0, 0, NULL },
	{ 0, 4, 1, 2, NULL },
	{ 4, 4, UINT32_MAX, 0, "CPU 0: a chunk that runs past its data's end" },
	{ 8, 4, 0, 0, "a chunk with an impossible size" },
	{ 8, 4, 4096 * 257, 0, "a chunk with an impossible size" },
	{ 8, 4, UINT32_MAX, 0, "a chunk with an impossible size" },
	{ 8, 4, 4096 * 256, 0, "data that does not unpack to its size" },
	{ 8, 4, 4096, 0, "data that does not unpack to its size" },
	{ 12, 4, 0, 0, "data that does not unpack to its size" },
};

START_TEST(chunk_that_lies)
{
	for (int zlib = 0; zlib < 2; zlib++) {
		const struct recipe recipe = { .version = 7, .codec = zlib ? "zlib" : "zstd", .nr_pages = 4 };
		struct built f = build_tracedat(&recipe);
		struct rs_error err = { 0 };
		struct rs_source *s;
		struct rs_page page;
		unsigned int nr = 0;
		enum rs_next next;

		built_put(&f, f.chunks_at + chunk_lies[_i].plus, chunk_lies[_i].value, chunk_lies[_i].bytes);
		s = rs_tracedat_open(built_path(&f), NULL, &err);
		ck_assert_msg(s != NULL, "%s", err.text);
		while ((next = s->ops->next(s, 0, &page, &err)) == RS_NEXT_PAGE)
			nr++;
		ck_assert_uint_eq(nr, chunk_lies[_i].nr_pages);
		ck_assert_int_eq(next, chunk_lies[_i].why ? RS_NEXT_ERROR : RS_NEXT_END);
		if (chunk_lies[_i].why)
			ck_assert_msg(strstr(err.text, chunk_lies[_i].why) != NULL, "%s", err.text);
		ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_END);
		/* The other CPU's data is not touched by that. */
		for (nr = 0; s->ops->next(s, 1, &page, &err) == RS_NEXT_PAGE; nr++)
			ck_assert_uint_eq(page.data[2], nr);
		ck_assert_uint_eq(nr, 4);
		s->ops->close(s);
		built_done(&f);
	}
}
END_TEST

/* The second of two chunks is not whole: the pages of the first are read, the note says the rest. */
START_TEST(chunk_that_the_end_of_the_file_cuts)
{
	struct built f = build_tracedat(&(struct recipe){ .version = 7, .codec = "zstd", .nr_pages = 4 });
	struct rs_error err = { 0 };
	struct rs_source *s;
	struct rs_page page;
	size_t first = 12 + f.data[f.chunks_at + 4];

	/* A row: u32 CPU, u64 offset, u64 size. */
	built_put(&f, f.table_at + 4, f.len, 8);
	rs_buf_reserve(&f.buf, first + 10);
	rs_buf_add(&f.buf, f.buf.data + f.chunks_at, first + 10);
	s = rs_tracedat_open(built_path_of(&f, f.buf.data, f.buf.len), NULL, &err);
	ck_assert_msg(s != NULL, "%s", err.text);
	ck_assert_ptr_nonnull(strstr(s->info.warnings, "CPU 0: the last 1 of its 2 chunks are missing, the file is cut off"));
	for (unsigned int i = 0; i < 2; i++) {
		ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
		ck_assert_uint_eq(page.data[2], i);
	}
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_END);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

/* What is no recording at all. */

START_TEST(not_a_recording)
{
	struct built f = build_tracedat(&(struct recipe){ 0 });
	char dir[] = "/tmp/test-tracedat-XXXXXX", fifo[64];

	must_refuse(built_path_of(&f, "", 0), "is not a trace.dat recording: it is empty");
	must_refuse(built_path_of(&f, "#!/bin/sh\n", 10), "is not a trace.dat recording");
	must_refuse(built_path_of(&f, f.data, 3), "is not a trace.dat recording");
	must_refuse("/no/such/file", "cannot open '/no/such/file': No such file or directory");
	must_refuse("/dev/null", "it is a pipe or device, not a file");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	must_refuse(dir, "it is a directory, not a file");
	snprintf(fifo, sizeof fifo, "%s/fifo", dir);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	must_refuse(fifo, "it is a pipe or device, not a file");
	unlink(fifo);
	rmdir(dir);
	built_done(&f);
}
END_TEST

START_TEST(long_path_keeps_the_reason)
{
	char path[1024];

	memset(path, '/', sizeof path - 1);
	strcpy(path + sizeof path - 6, "/none");
	must_refuse(path, "/none': No such file or directory");
}
END_TEST

Suite *rs_suite_tracedat_hostile(void)
{
	Suite *s = suite_create("tracedat-hostile");
	TCase *many = tcase_create("many"), *one = tcase_create("one lie");

	tcase_set_timeout(many, 120);
	tcase_add_loop_test(many, every_prefix, 0, NR_SHAPES);
	tcase_add_loop_test(many, random_changes, 0, NR_SHAPES);
	suite_add_tcase(s, many);

	tcase_set_timeout(one, 30);
	tcase_add_loop_test(one, lie_is_named, 0, sizeof lies / sizeof *lies);
	tcase_add_test(one, options_in_a_circle);
	tcase_add_test(one, latency_text_is_no_recording_of_events);
	tcase_add_loop_test(one, cpu_table_that_lies, 0, sizeof tables / sizeof *tables);
	tcase_add_loop_test(one, cpus_that_share_their_data, 0, sizeof shared / sizeof *shared);
	tcase_add_loop_test(one, cpus_that_share_their_data_in_version_7, 0, 3);
	tcase_add_loop_test(one, chunk_that_lies, 0, sizeof chunk_lies / sizeof *chunk_lies);
	tcase_add_test(one, chunk_that_the_end_of_the_file_cuts);
	tcase_add_test(one, not_a_recording);
	tcase_add_test(one, long_path_keeps_the_reason);
	suite_add_tcase(s, one);
	return s;
}
