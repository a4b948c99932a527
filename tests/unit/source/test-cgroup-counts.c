// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cgroup-counts - the files of control groups, in a tree made here */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "source/live/cgroup-counts.h"
#include "source/live/pressure-series.h"

static char top[64];

static void write_file(const char *path, const char *text)
{
	char full[200];
	FILE *f;

	snprintf(full, sizeof full, "%s%s", top, path);
	f = fopen(full, "w");
	ck_assert_msg(f, "%s", full);
	fputs(text, f);
	fclose(f);
}

static void make_group(const char *path)
{
	char full[200];

	snprintf(full, sizeof full, "%s%s", top, path);
	ck_assert_int_eq(mkdir(full, 0700), 0);
}

/* A quota on /a, none on what is below it; "/" and "/a/b" have no bandwidth files, /a/b no pressure either. */
static void make_tree(void)
{
	snprintf(top, sizeof top, "/tmp/test-cgroups-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(top));
	make_group("/a");
	make_group("/a/b");
	write_file("/cgroup.controllers", "cpuset cpu io memory\n");
	write_file("/cpu.stat", "usage_usec 9000\nuser_usec 1\nsystem_usec 1\n");
	write_file("/a/cpu.stat", "usage_usec 500\nuser_usec 1\nsystem_usec 1\ncore_sched.force_idle_usec 3\nnr_periods 10\nnr_throttled 4\nthrottled_usec 70\nnr_bursts 0\n");
	write_file("/a/cpu.pressure", "some avg10=0.00 avg60=1.00 avg300=0.07 total=33\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
	write_file("/a/io.pressure", "nonsense\n");
	write_file("/a/memory.events", "low 0\nhigh 12\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n");
	write_file("/a/memory.current", "4096\n");
	write_file("/a/io.stat", "254:0 rbytes=100 wbytes=7 rios=2 wios=1 dbytes=0 dios=0\n254:16 \n8:0 rbytes=23 wbytes=0 rios=1 wios=0 dbytes=0 dios=0\n");
	write_file("/a/io.max", "254:0 rbps=2048 wbps=max riops=max wiops=9\n8:0 rbps=1024 wbps=max riops=max wiops=max\n");
	write_file("/a/b/io.stat", "");
	write_file("/a/cpu.weight", "50\n");
	write_file("/a/cpu.max", "20000 100000\n");
	write_file("/a/memory.max", "67108864\n");
	write_file("/a/memory.high", "max\n");
	write_file("/a/b/cpu.max", "max 50000\n");
	write_file("/a/b/memory.max", "max\n");
	write_file("/a/b/cpu.stat", "usage_usec 40\n");
}

static void remove_tree(void)
{
	char command[100];

	snprintf(command, sizeof command, "rm -r %s", top);
	ck_assert_int_eq(system(command), 0);
}

static void check_count(const struct rs_cgroup_counts *c, enum rs_cgroup_count which, bool known, uint64_t u)
{
	ck_assert_int_eq(c->value[which].known, known);
	ck_assert_uint_eq(c->value[which].u, u);
}

START_TEST(groups_and_those_above)
{
	struct rs_cgroup_list list = { 0 };

	make_tree();
	ck_assert_ptr_nonnull(rs_cgroup_counts_root(top));
	rs_cgroup_counts_add(&list, "/a/b");
	rs_cgroup_counts_add(&list, "/a/absent");
	rs_cgroup_counts_add(&list, "/a");
	rs_cgroup_counts_add(&list, "/../other");
	ck_assert_uint_eq(list.nr, 6);
	ck_assert_str_eq(list.row[0].path, "/");
	ck_assert_str_eq(list.row[1].path, "/a");
	ck_assert_str_eq(list.row[2].path, "/a/b");
	ck_assert_str_eq(list.row[3].path, "/a/absent");
	rs_cgroup_counts_update(&list, top);
	check_count(&list.row[0].begin, RS_CGROUP_USAGE_NS, true, 9000000);
	check_count(&list.row[0].begin, RS_CGROUP_PERIODS, false, 0);
	check_count(&list.row[1].begin, RS_CGROUP_PERIODS, true, 10);
	check_count(&list.row[1].begin, RS_CGROUP_THROTTLED, true, 4);
	check_count(&list.row[1].begin, RS_CGROUP_THROTTLED_NS, true, 70000);
	check_count(&list.row[1].begin, RS_CGROUP_CPU_PRESSURE_NS, true, 33000);
	check_count(&list.row[1].begin, RS_CGROUP_MEMORY_PRESSURE_NS, false, 0);
	check_count(&list.row[1].begin, RS_CGROUP_IO_PRESSURE_NS, false, 0);
	check_count(&list.row[1].begin, RS_CGROUP_CPU_FULL_NS, true, 7000);
	check_count(&list.row[1].begin, RS_CGROUP_HIGH_EVENTS, true, 12);
	check_count(&list.row[1].begin, RS_CGROUP_MAX_EVENTS, true, 3);
	/* the sum of the disks; of limits the least */
	check_count(&list.row[1].begin, RS_CGROUP_READ_BYTES, true, 123);
	check_count(&list.row[1].begin, RS_CGROUP_WRITTEN_BYTES, true, 7);
	check_count(&list.row[1].end, RS_CGROUP_IO_MAX_READ, true, 1024);
	check_count(&list.row[1].end, RS_CGROUP_IO_MAX_WRITE, false, 0);
	check_count(&list.row[1].end, RS_CGROUP_MEMORY_NOW, true, 4096);
	check_count(&list.row[2].begin, RS_CGROUP_READ_BYTES, false, 0);
	/* "max" is no number */
	check_count(&list.row[1].end, RS_CGROUP_WEIGHT, true, 50);
	check_count(&list.row[1].end, RS_CGROUP_QUOTA_NS, true, 20000000);
	check_count(&list.row[1].end, RS_CGROUP_PERIOD_NS, true, 100000000);
	check_count(&list.row[1].end, RS_CGROUP_MEMORY_MAX, true, 67108864);
	check_count(&list.row[1].end, RS_CGROUP_MEMORY_HIGH, false, 0);
	check_count(&list.row[2].end, RS_CGROUP_QUOTA_NS, false, 0);
	check_count(&list.row[2].end, RS_CGROUP_PERIOD_NS, true, 50000000);
	check_count(&list.row[2].end, RS_CGROUP_MEMORY_MAX, false, 0);
	check_count(&list.row[3].begin, RS_CGROUP_USAGE_NS, false, 0);
	check_count(&list.row[5].begin, RS_CGROUP_USAGE_NS, false, 0); /* "/../other" is not in this tree */
	/* the second reading is the end; a group that is not there any more has none */
	write_file("/a/cpu.stat", "usage_usec 600\nnr_periods 20\nnr_throttled 18446744073709551616\n");
	write_file("/a/b/cpu.stat", "");
	rs_cgroup_counts_update(&list, top);
	check_count(&list.row[1].begin, RS_CGROUP_PERIODS, true, 10);
	check_count(&list.row[1].end, RS_CGROUP_PERIODS, true, 20);
	check_count(&list.row[1].end, RS_CGROUP_THROTTLED, false, 0);
	check_count(&list.row[2].begin, RS_CGROUP_USAGE_NS, true, 40000);
	check_count(&list.row[2].end, RS_CGROUP_USAGE_NS, false, 0);
	rs_cgroup_counts_done(&list);
	remove_tree();
}
END_TEST

/* The controller "cpu" may be of version 1; then no group of version 2 has a quota. */
START_TEST(no_controller)
{
	make_tree();
	write_file("/cgroup.controllers", "cpuset io\n");
	ck_assert_ptr_null(rs_cgroup_counts_root(top));
	write_file("/cgroup.controllers", "");
	ck_assert_ptr_null(rs_cgroup_counts_root(top));
	remove_tree();
	ck_assert_ptr_null(rs_cgroup_counts_root(top));
}
END_TEST

START_TEST(a_bound)
{
	struct rs_cgroup_list list = { 0 };
	char path[32];

	for (unsigned int i = 0; i < RS_CGROUP_COUNTS_MAX + 9; i++) {
		snprintf(path, sizeof path, "/%u", i);
		rs_cgroup_counts_add(&list, path);
	}
	rs_cgroup_counts_add(&list, "no path");
	ck_assert_uint_eq(list.nr, RS_CGROUP_COUNTS_MAX);
	rs_cgroup_counts_update(&list, NULL);
	check_count(&list.row[0].end, RS_CGROUP_USAGE_NS, false, 0);
	rs_cgroup_counts_done(&list);
}
END_TEST

/* Only what changed has a row, but "/": it tells when there was a reading. */
START_TEST(pressure_while_it_is_recorded)
{
	struct rs_pressure_series series = { 0 };
	struct rs_cgroup_list list = { 0 };
	struct rs_pressure_reading *rows;
	size_t nr;

	make_tree();
	rs_cgroup_counts_add(&list, "/a/b");
	rs_pressure_series_take(&series, &list, top, 1000000000, false);
	rs_pressure_series_take(&series, &list, top, 1999999999, false); /* too early */
	rs_pressure_series_take(&series, &list, top, 2000000000, true);
	write_file("/a/cpu.pressure", "some avg10=0.00 avg60=1.00 avg300=0.07 total=44\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=8\n");
	rs_pressure_series_take(&series, &list, top, 3000000000, true);
	rs_pressure_series_take(&series, &list, top, 3000000000, true); /* no time has passed */
	rs_pressure_series_take(&series, &list, NULL, 4000000000, true);
	remove_tree();
	rows = rs_pressure_series_rows(&series, &list, &nr);
	ck_assert_uint_eq(nr, 6);
	ck_assert_str_eq(rows[1].path, "/a");
	ck_assert_uint_eq(rows[1].ns[0].u, 33000);
	ck_assert_uint_eq(rows[1].ns[1].u, 7000);
	ck_assert(!rows[1].ns[4].known && !rows[0].ns[0].known);
	ck_assert_str_eq(rows[2].path, "/a/b");
	ck_assert_str_eq(rows[3].path, "/");
	ck_assert_uint_eq(rows[3].ts_ns, 2000000000);
	ck_assert_str_eq(rows[4].path, "/");
	ck_assert_str_eq(rows[5].path, "/a");
	ck_assert_uint_eq(rows[5].ts_ns, 3000000000);
	ck_assert_uint_eq(rows[5].ns[0].u, 44000);
	free(rows);
	rs_pressure_series_done(&series);
	rs_cgroup_counts_done(&list);
}
END_TEST

/* However long it lasts: the first reading stays, and those between are twice as far apart. */
START_TEST(pressure_for_long)
{
	struct rs_pressure_series series = { 0 };
	struct rs_cgroup_list list = { 0 };

	make_tree();
	rs_cgroup_counts_add(&list, "/");
	for (uint64_t second = 1; second <= 1000; second++)
		rs_pressure_series_take(&series, &list, top, second * 1000000000, true);
	remove_tree();
	ck_assert_uint_le(series.nr, RS_PRESSURE_READINGS);
	ck_assert_uint_gt(series.nr, RS_PRESSURE_READINGS / 2);
	ck_assert_uint_eq(series.at[0].ts_ns, 1000000000);
	ck_assert_uint_eq(series.at[series.nr - 1].ts_ns, 1000000000000);
	ck_assert_uint_gt(series.each_ns, 8000000000);
	rs_pressure_series_take(&series, &list, "/", 1001000000000, false); /* one second is too early now */
	ck_assert_uint_eq(series.at[series.nr - 1].ts_ns, 1000000000000);
	rs_pressure_series_done(&series);
	rs_cgroup_counts_done(&list);
}
END_TEST

Suite *rs_suite_cgroup_counts(void);
Suite *rs_suite_cgroup_counts(void)
{
	Suite *s = suite_create("cgroup-counts");
	TCase *t = tcase_create("groups");

	tcase_add_test(t, groups_and_those_above);
	tcase_add_test(t, no_controller);
	tcase_add_test(t, a_bound);
	tcase_add_test(t, pressure_while_it_is_recorded);
	tcase_add_test(t, pressure_for_long);
	suite_add_tcase(s, t);
	return s;
}
