// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "formatted.h"
#include "view/printer.h"
#include "view/rows.h"
#include "view/summary.h"

START_TEST(kept_rows_are_bounded)
{
	const struct rs_sort sort = { .nr = 1, .keys = { { PID, true } } };
	struct rs_rows *kept = rs_rows_new(&formatted_table, &sort, 0, 10000);
	struct rs_value row[UTIL + 1] = { [COMM] = rs_s("0123456789") };
	size_t nr;

	ck_assert_ptr_nonnull(kept);
	for (unsigned int i = 0; i < 1000; i++) {
		row[PID] = rs_u(i * 7919 % 1000); /* each once, in no order */
		ck_assert(rs_rows_add(kept, row));
	}
	nr = rs_rows_sort(kept);
	ck_assert_uint_gt(nr, 20);
	ck_assert_uint_le(nr * (sizeof row + 11), 10000);
	ck_assert_uint_eq(rs_rows_nr_added(kept), 1000);
	ck_assert_uint_eq(rs_rows_nr_dropped(kept), 1000 - nr);
	for (size_t i = 0; i < nr; i++) {
		ck_assert_uint_eq(rs_rows_get(kept, i)[PID].u, 999 - i);
		ck_assert_str_eq(rs_rows_get(kept, i)[COMM].s, "0123456789");
	}
	/* sorted, it goes on to take rows */
	row[PID] = rs_u(5000);
	ck_assert(rs_rows_add(kept, row));
	rs_rows_sort(kept);
	ck_assert_uint_eq(rs_rows_get(kept, 0)[PID].u, 5000);
	ck_assert_uint_eq(rs_rows_get(kept, 1)[PID].u, 999);
	rs_rows_free(kept);
}
END_TEST

/*
 * A producer that leaves out what is below the sink's bound, and counts it there, prints the same rows as
 * one that brings all, whatever they are sorted by and filtered for.
 */
static char *print_some(const struct rs_formatter_options *opt, bool by_bound, uint64_t *nr_rows, unsigned int *nr_made)
{
	struct rs_printer *p = formatted_printer(&formatted_stream, opt);
	struct rs_sink *sink = rs_printer_sink(p);
	struct rs_value row[UTIL + 1] = { [COMM] = rs_s("x") };
	char *text;

	*nr_made = 0;
	for (unsigned int i = 0; i < 1000; i++) {
		row[PID] = rs_u(i);
		row[LAT] = rs_u(i * 7919 % 500 * 1000); /* each twice, in no order */
		row[ERRNO] = i % 3 ? rs_null() : rs_u(2);
		if (by_bound && row[LAT].u < sink->least_ns) {
			sink->nr_less++;
			continue;
		}
		++*nr_made;
		sink->row(sink, row);
	}
	*nr_rows = rs_printer_nr_rows(p);
	rs_printer_finish(p);
	rs_printer_free(p);
	text = strdup(formatted_out.data);
	rs_buf_clear(&formatted_out);
	return text;
}

static const struct rs_terms failed = { 1, { { &formatted_columns[ERRNO], NULL, 0 } } };
static const struct rs_terms long_ones = { 1, { { &formatted_columns[LAT], NULL, 450000 } } };

static const struct {
	struct rs_formatter_options opt;
	unsigned int most_made; /* of 1000 rows, with the bound */
} bounded[] = {
	{ { .format = "csv", .sort = "-lat_ns", .nr_rows = 5 }, 100 },
	{ { .format = "csv", .sort = "-lat_ns,-pid", .nr_rows = 5 }, 100 },
	{ { .format = "csv", .sort = "lat_ns", .nr_rows = 5 }, 1000 },
	{ { .format = "csv", .sort = "pid", .nr_rows = 5 }, 1000 },
	{ { .format = "csv", .sort = "-lat_ns" }, 1000 },
	{ { .format = "csv", .sort = "-lat_ns", .nr_rows = 5, .terms = &failed }, 1000 },
	{ { .format = "csv", .sort = "-lat_ns", .nr_rows = 5, .terms = &long_ones }, 100 },
	{ { .format = "csv", .terms = &long_ones }, 100 },
};

/* A log that is cut keeps its end. */
START_TEST(newest_first_keeps_the_last)
{
	struct rs_sort none = { 0 };
	struct rs_rows *kept = rs_rows_new(&formatted_table, &none, 3, 10000);
	struct rs_value row[RS_MAX_COLUMNS] = { [COMM] = rs_s("x") };

	rs_rows_newest_first(kept);
	for (unsigned int i = 0; i < 10; i++) {
		row[PID] = rs_u(i);
		ck_assert(rs_rows_add(kept, row));
	}
	ck_assert_uint_eq(rs_rows_sort(kept), 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(rs_rows_get(kept, i)[PID].u, 9 - i);
	rs_rows_free(kept);
}
END_TEST

START_TEST(a_bound_leaves_out_nothing_that_is_shown)
{
	uint64_t nr_all, nr_bound;
	unsigned int made_all, made_bound;
	char *all = print_some(&bounded[_i].opt, false, &nr_all, &made_all);
	char *bound = print_some(&bounded[_i].opt, true, &nr_bound, &made_bound);

	ck_assert_str_eq(all, bound);
	ck_assert_uint_eq(nr_all, nr_bound);
	ck_assert_uint_eq(made_all, 1000);
	ck_assert_uint_le(made_bound, bounded[_i].most_made);
	free(all);
	free(bound);
}
END_TEST

/* The producer's strings are gone when the rows are written. */
START_TEST(kept_strings_are_copies)
{
	struct rs_formatter_options opt = { .format = "csv", .columns = "comm", .no_header = true };
	struct rs_printer *p = formatted_printer(&formatted_table, &opt);
	char name[] = "first";
	struct rs_value row[UTIL + 1] = { [COMM] = rs_s(name) };

	rs_printer_sink(p)->row(rs_printer_sink(p), row);
	memcpy(name, "other", 5);
	rs_printer_finish(p);
	ck_assert_str_eq(formatted_out.data, "first\n");
	rs_printer_free(p);
}
END_TEST

/* A page of each kind of view, and of one that is not there. */
struct page {
	struct rs_summary *s;
	struct rs_sink *lat, *tasks, *snoop, *plain;
};

static struct page page_of_all(void)
{
	static const struct rs_view plain = { .name = "plain", .summary = "no order", .kind = RS_VIEW_STREAM,
					      .columns = formatted_hist_columns, .text_columns = "comm,count" };
	static const struct rs_view off = {
		.name = "off", .summary = "not here", .kind = RS_VIEW_TABLE, .columns = formatted_columns
	};
	struct rs_formatter_options opt = { .format = "text", .largest_first = true }; /* as the command line has it */
	struct page p = { .s = rs_summary_new(&opt, 2) };
	struct rs_error err = { 0 };

	p.lat = rs_summary_add(p.s, &formatted_histogram, &err);
	p.tasks = rs_summary_add(p.s, &formatted_table, &err);
	p.snoop = rs_summary_add(p.s, &formatted_stream, &err);
	p.plain = rs_summary_add(p.s, &plain, &err);
	ck_assert_ptr_nonnull(rs_summary_add(p.s, &off, &err));
	rs_summary_explain(p.s, &off, "no sched events in this recording");
	formatted_add_rows(p.snoop);
	p.plain->row(p.plain, (const struct rs_value[]){ rs_s("a"), rs_u(1), rs_u(2), rs_u(3) });
	return p;
}

static const char *written(struct page *p, const struct rs_quality *quality)
{
	rs_buf_clear(&formatted_out);
	rs_summary_write(p->s, &formatted_out, quality);
	return formatted_out.data;
}

#define STREAMS \
	"snoop: each request (2 of 4 by -lat_ns)\n" \
	"  COMM         PID TYPE DEV    BLOCK                   BYTES             LATms\n" \
	"  averylon 4194304 W    8,0    18446744073709551615  16.0EiB 18446744073709.55\n" \
	"  a\"b,\\x1B       7 WS   253,16 0                          0B             50.00\n" \
	"\n" \
	"plain: no order\n" \
	"  COMM          count\n" \
	"  a                 3\n" \
	"\n"

START_TEST(summary_page)
{
	struct page p = page_of_all();

	formatted_add_rows(p.tasks);
	formatted_add_group(p.lat, NULL, "", formatted_waits_ns, 5);
	ck_assert_str_eq(written(&p, &formatted_quality),
			 "lat: how long requests took\n"
			 "  count 5  avg 10.2us  p50 4.00us  p95 40.0us  p99 40.0us  max 40.0us\n"
			 "\n"
			 "tasks: each task (2 of 4 by -lat_ns)\n"
			 "  COMM         PID             LATms                  RET  UTIL%\n"
			 "  averylon 4194304 18446744073709.55 -9223372036854775808   0.01\n"
			 "  a\"b,\\x1B       7             50.00                   -2 100.00\n"
			 "\n" STREAMS
			 "none seen: off (each by itself says what it needs)\n"
			 "\n" QUALITY_LINE);
	rs_summary_free(p.s);
}
END_TEST

/* Tables and histograms begin anew, streams go on unless they are cleared, too; a page can be written twice. */
START_TEST(a_page_that_is_refreshed)
{
	struct page p = page_of_all();

	formatted_add_rows(p.tasks);
	formatted_add_group(p.lat, NULL, "", formatted_waits_ns, 5);
	rs_summary_clear(p.s, false);
	p.tasks->row(p.tasks, formatted_rows[0]);
	ck_assert_str_eq(written(&p, NULL),
			 "tasks: each task\n"
			 "  COMM        PID    LATms  RET  UTIL%\n"
			 "  dd           42     1.23 4096  12.35\n"
			 "\n" STREAMS
			 "none seen: lat, off (each by itself says what it needs)\n"
			 "\n");
	rs_summary_clear(p.s, true);
	ck_assert_ptr_nonnull(strstr(written(&p, NULL), "none seen: lat, tasks, snoop, plain, off (each"));
	rs_summary_free(p.s);
}
END_TEST

Suite *rs_suite_summary(void);
Suite *rs_suite_summary(void)
{
	Suite *s = suite_create("summary");
	TCase *t = tcase_create("page");

	tcase_add_checked_fixture(t, formatted_set_up, formatted_clean_up);
	tcase_add_test(t, newest_first_keeps_the_last);
	tcase_add_test(t, kept_rows_are_bounded);
	tcase_add_loop_test(t, a_bound_leaves_out_nothing_that_is_shown, 0, sizeof bounded / sizeof *bounded);
	tcase_add_test(t, kept_strings_are_copies);
	tcase_add_test(t, summary_page);
	tcase_add_test(t, a_page_that_is_refreshed);
	suite_add_tcase(s, t);
	return s;
}
