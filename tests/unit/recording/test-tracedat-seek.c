// SPDX-License-Identifier: GPL-2.0-or-later
/* test-tracedat-seek - the pages between two times, beside all pages of the same file */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "recording/recording.h"
#include "source/source.h"
#include "tracedat-builder.h"

Suite *rs_suite_tracedat_seek(void);

#define MAX_PAGES 2000
#define MAX_CPUS 8

static const char *const files[] = {
	"debian-6.1-amd64-mixed", "debian-6.1-amd64-lost", /* packed */
	"debian-6.1-amd64-v6", "debian-6.1-s390x-v6", "debian-6.1-i386-v6",
};

struct page {
	uint64_t begin_ns, sum;
};

static struct page all[MAX_CPUS][MAX_PAGES];
static size_t nr_all[MAX_CPUS];

static struct rs_source *open_file(const char *path)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_tracedat_open(path, NULL, &err);

	ck_assert_msg(s != NULL, "%s", err.text);
	ck_assert_uint_le(s->info.nr_cpus, MAX_CPUS);
	return s;
}

static struct page page_of(const struct rs_source *s, const struct rs_page *page)
{
	struct page p = { .sum = page->len_bytes };

	memcpy(&p.begin_ns, page->data, sizeof p.begin_ns);
	p.begin_ns = s->info.big_endian ? be64toh(p.begin_ns) : p.begin_ns;
	for (size_t i = 0; i < page->len_bytes; i++)
		p.sum = p.sum * 31 + page->data[i];
	return p;
}

static void read_all(struct rs_source *s)
{
	struct rs_error err = { 0 };
	struct rs_page page;

	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		for (nr_all[cpu] = 0; s->ops->next(s, cpu, &page, &err) == RS_NEXT_PAGE; nr_all[cpu]++)
			all[cpu][nr_all[cpu]] = page_of(s, &page);
	ck_assert_int_eq(err.status, RS_OK);
}

/* As read_all has read it. */
static void check_all(struct rs_source *s)
{
	struct rs_error err = { 0 };
	uint64_t done, bytes;
	struct rs_page page;

	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++) {
		size_t nr = 0;

		for (; s->ops->next(s, cpu, &page, &err) == RS_NEXT_PAGE; nr++) {
			ck_assert_uint_lt(nr, nr_all[cpu]);
			ck_assert_uint_eq(page_of(s, &page).sum, all[cpu][nr].sum);
		}
		ck_assert_uint_eq(nr, nr_all[cpu]);
	}
	ck_assert_int_eq(err.status, RS_OK);
	s->ops->progress(s, &done, &bytes);
	ck_assert_uint_eq(done, bytes);
}

/* What is handed out is one piece of all, with all that can have an event of that time, and the page behind. */
static void check_cpu(struct rs_source *s, unsigned int cpu, uint64_t from_ns, uint64_t to_ns, size_t most_more)
{
	uint64_t left = s->ops->left(s, cpu);
	size_t nr = 0, at = 0, first = 0, last = 0;
	struct rs_error err = { 0 };
	struct rs_page page;

	while (first + 1 < nr_all[cpu] && all[cpu][first + 1].begin_ns < from_ns)
		first++;
	while (last < nr_all[cpu] && all[cpu][last].begin_ns < to_ns)
		last++;
	for (; s->ops->next(s, cpu, &page, &err) == RS_NEXT_PAGE; nr++) {
		struct page p = page_of(s, &page);

		while (!nr && at < nr_all[cpu] && all[cpu][at].sum != p.sum)
			at++;
		ck_assert_uint_lt(at + nr, nr_all[cpu]);
		ck_assert_uint_eq(all[cpu][at + nr].sum, p.sum);
	}
	ck_assert_int_eq(err.status, RS_OK);
	ck_assert_uint_eq(nr, left);
	ck_assert_uint_le(at, first);
	ck_assert_uint_ge(at + most_more, first);
	if (last < nr_all[cpu])
		last++;
	ck_assert_uint_ge(at + nr, last);
	ck_assert_uint_le(at + nr, last + most_more);
}

static void check_range(const char *path, uint64_t from_ns, uint64_t to_ns, size_t most_more)
{
	struct rs_source *s = open_file(path);
	struct rs_error err = { 0 };
	uint64_t done, bytes;

	ck_assert_int_eq(s->ops->seek(s, from_ns, to_ns, &err), 0);
	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		check_cpu(s, cpu, from_ns, to_ns, most_more);
	s->ops->progress(s, &done, &bytes);
	ck_assert_uint_eq(done, bytes);
	s->ops->close(s);
}

START_TEST(pages_between_two_times)
{
	size_t most_more = _i < 2 ? 20 : 0; /* a chunk of ten pages on either side */
	char path[64];
	struct rs_source *s;
	uint64_t begin, end;

	snprintf(path, sizeof path, "tests/traces/%s.dat", files[_i]);
	s = open_file(path);
	read_all(s);
	s->ops->close(s);
	begin = all[0][0].begin_ns;
	end = all[0][nr_all[0] - 1].begin_ns;
	ck_assert_uint_gt(nr_all[0], 5);
	for (unsigned int i = 0; i <= 8; i++)
		for (unsigned int k = i; k <= 8; k++)
			check_range(path, begin + (end - begin) / 8 * i, begin + (end - begin) / 8 * k, most_more);
	check_range(path, 0, UINT64_MAX, 0);
	check_range(path, 0, 1, most_more);
	check_range(path, UINT64_MAX - 1, UINT64_MAX, most_more);
	check_range(path, all[0][3].begin_ns, all[0][3].begin_ns + 1, most_more);
}
END_TEST

/* Whoever has looked at some pages gets all of them again. */
START_TEST(all_pages_after_rewind)
{
	struct rs_error err = { 0 };
	struct rs_page page;
	struct rs_source *s;
	char path[64];

	snprintf(path, sizeof path, "tests/traces/%s.dat", files[_i]);
	s = open_file(path);
	read_all(s);
	s->ops->rewind(s);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	s->ops->rewind(s);
	check_all(s);
	s->ops->close(s);
}
END_TEST

/* A second reader of a file uses what the first has unpacked, also when that is closed. */
START_TEST(a_reader_that_outlives_the_first)
{
	struct rs_source *s, *again;
	struct rs_error err = { 0 };
	size_t nr_formats;
	char path[64];

	snprintf(path, sizeof path, "tests/traces/%s.dat", files[_i]);
	s = open_file(path);
	read_all(s);
	nr_formats = s->info.nr_formats;
	again = s->ops->again(s, &err);
	ck_assert_msg(again != NULL, "%s", err.text);
	s->ops->close(s);
	ck_assert_uint_gt(nr_formats, 0);
	ck_assert_uint_eq(again->info.nr_formats, nr_formats);
	for (size_t i = 0; i < nr_formats; i++)
		ck_assert_ptr_nonnull(memmem(again->info.formats[i].text.data, again->info.formats[i].text.len,
					     "format:", 7));
	check_all(again);
	again->ops->close(again);
}
END_TEST

/* A damaged chunk is met where it is read, and not where it is searched. */
START_TEST(a_damaged_chunk)
{
	struct built f = build_tracedat(&(struct recipe){ .version = 7, .codec = "zstd" });
	struct rs_error err = { 0 };
	struct rs_source *s;
	struct rs_page page;

	memset(f.data + f.chunks_at + 12, 0xff, 8);
	s = open_file(built_path(&f));
	ck_assert_int_eq(s->ops->seek(s, 5, 100, &err), 0);
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_ERROR);
	ck_assert_msg(strstr(err.text, "CPU 0") != NULL, "%s", err.text);
	s->ops->close(s);
	built_done(&f);
}
END_TEST

Suite *rs_suite_tracedat_seek(void)
{
	Suite *s = suite_create("tracedat-seek");
	TCase *t = tcase_create("tracedat-seek");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, pages_between_two_times, 0, 5);
	tcase_add_loop_test(t, all_pages_after_rewind, 0, 5);
	tcase_add_loop_test(t, a_reader_that_outlives_the_first, 0, 5);
	tcase_add_test(t, a_damaged_chunk);
	suite_add_tcase(s, t);
	return s;
}
