// SPDX-License-Identifier: GPL-2.0-or-later
/* test-usual - what is learned of series, second by second, and what is told of them */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "usual/usual-sources.h"
#include "usual/usual.h"

#define SECOND UINT64_C(1000000000)
#define MS UINT64_C(1000000)
#define KEY(text) (text), sizeof(text)
#define NR(rows) ((int)(sizeof rows / sizeof *rows))

enum { RUN_QUEUE = 0, CALLS = 1, CPU = 4 }; /* of rs_usual_sources */

/* Interrupted by nothing, from the begin of a day on. */
struct machine {
	struct rs_usual *u;
	uint64_t now_ns;
	int64_t wall_s;
	bool has_lost;
};

static struct machine machine_new(void)
{
	struct rs_error err = { 0 };
	struct machine m = { rs_usual_new(&err), SECOND, 20000 * 86400, false };

	ck_assert_msg(m.u != NULL, "%s", err.text);
	return m;
}

static void machine_begin(struct machine *m)
{
	rs_usual_begin_interval(m->u);
}

static bool machine_end(struct machine *m)
{
	struct rs_usual_interval interval = { m->now_ns, m->now_ns + SECOND, m->wall_s, m->has_lost };

	m->now_ns += SECOND;
	m->wall_s++;
	return rs_usual_end_interval(m->u, &interval);
}

/* So many latencies of a key in the second that is going on. */
static void machine_add(struct machine *m, unsigned int source, const char *key, size_t key_bytes, uint64_t nr,
			uint64_t each_ns)
{
	struct rs_short_dist *d = rs_usual_get(m->u, &(struct rs_usual_key){ source, key, key_bytes, nr * each_ns,
		.can_be_slow = source != CPU, .can_be_less = source != CPU, .can_be_more = source == CPU });

	if (!d)
		return;
	d->nr += nr;
	d->sum += nr * each_ns;
	rs_short_dist_add(d, each_ns, nr);
}

/* postgres has 100 fsyncs a second, of so long */
static void machine_run(struct machine *m, unsigned int seconds, uint64_t nr, uint64_t each_ns)
{
	for (unsigned int i = 0; i < seconds; i++) {
		machine_begin(m);
		machine_add(m, CALLS, KEY("postgres\0fsync"), nr, each_ns);
		machine_end(m);
	}
}

/* Hours of 1 ms each, sparsely: a second of each ten minutes five times. */
static void machine_learn(struct machine *m, unsigned int nr_blocks, uint64_t nr, uint64_t each_ns)
{
	for (unsigned int i = 0; i < nr_blocks; i++) {
		machine_run(m, 20, nr, each_ns);
		m->wall_s += 600 - 20;
	}
	machine_run(m, 1, nr, each_ns);
}

static const char *machine_says(const struct machine *m)
{
	static char text[512];
	struct rs_usual_item items[RS_USUAL_MOST];
	struct rs_buf sentence = RS_BUF_INIT;
	size_t nr = rs_usual_list(m->u, items, RS_USUAL_MOST);

	for (size_t i = 0; i < nr; i++) {
		if (i)
			rs_buf_puts(&sentence, "|");
		rs_usual_put_sentence(&sentence, &items[i]);
	}
	snprintf(text, sizeof text, "%s", sentence.data);
	rs_buf_done(&sentence);
	return text;
}

/* ---- slow ---- */

static const struct {
	unsigned int nr_blocks;      /* that are learned, of 100 fsyncs of 1 ms a second */
	unsigned int seconds;        /* then so long these */
	uint64_t nr, each_ns;
	const char *says;
} slow_rows[] = {
	{ 13, 2, 100, 9 * MS, "p99 of fsync by postgres is 8.7 times its usual: 8.91ms, usually 1.02ms" },
	{ 13, 1, 100, 9 * MS, "" },          /* in one second of five alone */
	{ 10, 5, 100, 9 * MS, "" },          /* too little was seen */
	{ 13, 5, 100, 19 * MS / 10, "" },    /* not twice as long */
	{ 13, 5, 2, 9 * MS, "" },            /* costs 1.6 % of the time */
	{ 13, 5, 200, 9 * MS, "" },          /* twice the load: not comparable before days were seen */
	{ 13, 5, 3, 9 * MS, "p99 of fsync by postgres is 8.7 times its usual: 8.91ms, usually 1.02ms" },
};

START_TEST(slow)
{
	struct machine m = machine_new();

	machine_learn(&m, slow_rows[_i].nr_blocks, 100, MS);
	machine_run(&m, slow_rows[_i].seconds, slow_rows[_i].nr, slow_rows[_i].each_ns);
	ck_assert_str_eq(machine_says(&m), slow_rows[_i].says);
	rs_usual_free(m.u);
}
END_TEST

/* ---- median ---- */

/* So many of that length, and one of 90 ms for each twenty of them: the 99th percentile. */
static void machine_run_with_stalls(struct machine *m, unsigned int seconds, uint64_t nr, uint64_t each_ns)
{
	for (unsigned int i = 0; i < seconds; i++) {
		machine_begin(m);
		machine_add(m, CALLS, KEY("postgres\0fsync"), nr, each_ns);
		machine_add(m, CALLS, KEY("postgres\0fsync"), nr / 20, 90 * MS);
		machine_end(m);
	}
}

static const struct {
	uint64_t before;             /* for five seconds so many a second, as usual */
	unsigned int seconds;        /* then so long these */
	uint64_t nr, each_ns;
	const char *says;
} median_rows[] = {
	{ 100, 5, 100, 9 * MS, "median of fsync by postgres is 8.7 times its usual: 8.91ms, usually 1.02ms" },
	{ 100, 1, 100, 9 * MS, "" },         /* most latencies of five seconds are as usual */
	{ 30, 1, 150, 9 * MS, "" },          /* most are not, but in one second alone */
	{ 100, 5, 1, 90 * MS, "" },          /* five latencies have no median */
};

START_TEST(median)
{
	struct machine m = machine_new();

	for (unsigned int i = 0; i < 13; i++) {
		machine_run_with_stalls(&m, 20, 100, MS);
		m.wall_s += 600 - 20;
	}
	machine_run_with_stalls(&m, 5, median_rows[_i].before, MS);
	machine_run(&m, median_rows[_i].seconds, median_rows[_i].nr, median_rows[_i].each_ns);
	ck_assert_str_eq(machine_says(&m), median_rows[_i].says);
	rs_usual_free(m.u);
}
END_TEST

/* It ends five seconds after it was seen last, is remembered, and is told anew when it comes again. */
START_TEST(ends_and_comes_again)
{
	struct machine m = machine_new();
	struct rs_usual_stats stats;
	struct rs_usual_item item;
	uint64_t since_ns;

	machine_learn(&m, 13, 100, MS);
	since_ns = m.now_ns + SECOND;
	machine_run(&m, 10, 100, 9 * MS);
	machine_run(&m, 7, 100, MS);         /* three of these are windows with two slow seconds */
	ck_assert_str_ne(machine_says(&m), "");
	machine_run(&m, 1, 100, MS);
	ck_assert_str_eq(machine_says(&m), "");
	ck_assert_uint_eq(rs_usual_list_ended(m.u, &item, 1), 1);
	ck_assert_uint_eq(item.since_ns, since_ns);
	ck_assert_uint_eq(item.last_ns, since_ns + 12 * SECOND);
	ck_assert(item.has_ended && item.times_milli > 8500 && item.times_milli < 9500);
	machine_learn(&m, 2, 100, MS);
	machine_run(&m, 10, 100, 9 * MS);
	ck_assert_str_ne(machine_says(&m), "");
	rs_usual_stats(m.u, &stats);
	ck_assert_uint_eq(stats.nr_begun, 2);
	rs_usual_free(m.u);
}
END_TEST

/* What goes on for more than an hour is usual from then on: once its blocks have ended. */
START_TEST(becomes_usual)
{
	struct machine m = machine_new();

	machine_learn(&m, 13, 100, MS);
	machine_run(&m, 3600, 100, 9 * MS);
	ck_assert_str_ne(machine_says(&m), "");
	machine_run(&m, 1210, 100, 9 * MS);
	ck_assert_str_eq(machine_says(&m), "");
	rs_usual_free(m.u);
}
END_TEST

/* Seconds with lost events are not judged, and none before them is judged together with one after. */
START_TEST(lost_events)
{
	struct machine m = machine_new();
	struct rs_usual_stats stats;

	machine_learn(&m, 13, 100, MS);
	for (unsigned int i = 0; i < 5; i++) {
		m.has_lost = i % 2;
		machine_run(&m, 1, 100, 9 * MS);
	}
	ck_assert_str_eq(machine_says(&m), "");
	rs_usual_stats(m.u, &stats);
	ck_assert_uint_eq(stats.nr_lost, 2);
	rs_usual_free(m.u);
}
END_TEST

/* ---- the time of day ---- */

/* Three days: 1000 a second by day, of 2 ms, and 20 by night, of 1 ms. */
static void machine_days(struct machine *m)
{
	for (unsigned int i = 0; i < 3 * 144; i++) {
		bool is_day = m->wall_s % 86400 >= 8 * 3600 && m->wall_s % 86400 < 20 * 3600;

		machine_run(m, 16, is_day ? 1000 : 20, is_day ? 2 * MS : MS);
		m->wall_s += 600 - 16;
	}
}

static const struct {
	int hour;                    /* of the fourth day */
	uint64_t nr, each_ns;
	const char *says;
} day_rows[] = {
	{ 12, 1000, 2 * MS, "" },
	{ 12, 3, 2 * MS, "fsync by postgres: 3 a second, usually 1,004 at this hour" },
	{ 12, 1000, 3 * MS, "" },
	{ 3, 20, MS, "" },
	{ 3, 20, 3 * MS, "p99 of fsync by postgres is 2.9 times its usual: 3.01ms, usually 1.02ms at this hour" },
	{ 3, 1000, 3 * MS, "p99 of fsync by postgres is 2.9 times its usual: 3.01ms, usually 1.02ms at this hour; it "
			   "has 49 times its usual load" },
	{ 3, 0, 0, "fsync by postgres: 0 a second, usually 20 at this hour" },
	{ 8, 20, MS, "" },           /* an hour about the change both are usual */
};

START_TEST(time_of_day)
{
	struct machine m = machine_new();

	machine_days(&m);
	m.wall_s += day_rows[_i].hour * 3600;
	machine_run(&m, 6, day_rows[_i].nr, day_rows[_i].each_ns);
	ck_assert_str_eq(machine_says(&m), day_rows[_i].says);
	rs_usual_free(m.u);
}
END_TEST

static void machine_run_cpu(struct machine *m, unsigned int seconds, uint64_t run_ns)
{
	for (unsigned int i = 0; i < seconds; i++) {
		machine_begin(m);
		machine_add(m, CPU, KEY("encode"), 1, run_ns);
		machine_end(m);
	}
}

START_TEST(more_cpu)
{
	struct machine m = machine_new();

	for (unsigned int i = 0; i < 3 * 144; i++) {
		machine_run_cpu(&m, 16, 200 * MS);
		m.wall_s += 600 - 16;
	}
	machine_run_cpu(&m, 5, 350 * MS);    /* more than half as much again, but little */
	ck_assert_str_eq(machine_says(&m), "");
	machine_run_cpu(&m, 5, 1900 * MS);
	ck_assert_str_eq(machine_says(&m), "encode: 1.90 CPUs, usually 0.19 at this hour");
	rs_usual_free(m.u);
}
END_TEST

/* ---- bounds ---- */

/* Of 2000 keys those with most time have the places, whatever order they come in. */
START_TEST(bounded)
{
	struct machine m = machine_new();
	struct rs_usual_stats stats;
	unsigned int nr_found = 0;

	for (unsigned int second = 0; second < 30; second++) {
		machine_begin(&m);
		for (unsigned int i = 0; i < 2000; i++) {
			char key[16];
			unsigned int n = i * 7919 % 2000; /* the last 100 are the costly ones */

			snprintf(key, sizeof key, "task%u", n);
			machine_add(&m, RUN_QUEUE, key, strlen(key) + 1, 1, n < 1900 ? 1000 + n : 5 * MS);
		}
		machine_end(&m);
	}
	rs_usual_stats(m.u, &stats);
	ck_assert_uint_eq(stats.nr_series, RS_USUAL_SERIES);
	machine_begin(&m);
	for (unsigned int n = 1900; n < 2000; n++) {
		char key[16];

		snprintf(key, sizeof key, "task%u", n);
		nr_found += rs_usual_get(m.u, &(struct rs_usual_key){ RUN_QUEUE, key, strlen(key) + 1 }) != NULL;
	}
	ck_assert_uint_eq(nr_found, 100);
	rs_usual_free(m.u);
}
END_TEST

Suite *rs_suite_usual(void)
{
	Suite *s = suite_create("usual");
	TCase *tc = tcase_create("usual");

	tcase_add_loop_test(tc, slow, 0, NR(slow_rows));
	tcase_add_loop_test(tc, median, 0, NR(median_rows));
	tcase_add_test(tc, ends_and_comes_again);
	tcase_add_test(tc, becomes_usual);
	tcase_add_test(tc, lost_events);
	tcase_add_loop_test(tc, time_of_day, 0, NR(day_rows));
	tcase_add_test(tc, more_cpu);
	tcase_add_test(tc, bounded);
	suite_add_tcase(s, tc);
	return s;
}
