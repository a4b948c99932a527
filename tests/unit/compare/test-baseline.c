// SPDX-License-Identifier: GPL-2.0-or-later
/* test-baseline - sides that are kept in a database: read as they were saved, whole or not at all, and hostile files */
#include <check.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/baseline.h"
#include "compare/packed.h"
#include "compare/side-merge.h"

#define NR_BLOCKS 10u

static char path[64];
static struct rs_side *side;
static struct rs_baselines *store;
static struct rs_error err;

static struct rs_side *baseline_make_side(const char *by)
{
	struct rs_side_asked asked = { .by = by };

	ck_assert(rs_requirements_find_view("syscall-latency", &asked.ref, &err));
	return rs_side_new(&asked, 1, &err);
}

/* "a" reads i times in block i, each in 1000 * i ns and one in 7; "b" writes, once, in the last. */
static void baseline_fill(struct rs_side *s)
{
	struct rs_side_row *a = rs_side_get_row(s, &s->views[0], "a\0read", 7), *b = rs_side_get_row(s, &s->views[0], "b\0\x01\xff", 5);

	for (unsigned int i = 0; i < NR_BLOCKS; i++) {
		rs_side_add_sums(s, a, i, 1000 * i * i + 7);
		rs_side_add_value(s, a, 1000 * i, i);
		rs_side_add_value(s, a, 7, 1);
		if (i == NR_BLOCKS - 1) {
			rs_side_add_sums(s, b, 1, UINT64_MAX / 2);
			rs_side_add_value(s, b, UINT64_MAX - 1, 1);
		}
		rs_side_end_block(s, 1000000 + i);
	}
}

static void baseline_setup(void)
{
	int fd;

	strcpy(path, "/tmp/ringside-baseline-XXXXXX");
	fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	err = (struct rs_error){ 0 };
	side = baseline_make_side("comm,syscall");
	baseline_fill(side);
	store = rs_baselines_open(path, true, &err);
	ck_assert_msg(store != NULL, "%s", err.text);
}

static void baseline_teardown(void)
{
	rs_baselines_close(store);
	rs_side_free(side);
	unlink(path);
}

static void baseline_save(const char *name)
{
	struct rs_baseline_details details = { .saved_s = 1700000000 };

	snprintf(details.name, sizeof details.name, "%s", name);
	strcpy(details.source, "a.dat");
	ck_assert_msg(rs_baselines_save(store, side, &details, &err) == 0, "%s", err.text);
}

static void check_row(const struct rs_side *loaded, const char *key, size_t len)
{
	const struct rs_side_row *was = rs_side_find(&side->views[0], key, len), *is = rs_side_find(&loaded->views[0], key, len);

	ck_assert_ptr_nonnull(is);
	ck_assert_uint_eq(is->nr, was->nr);
	ck_assert_uint_eq(is->sum, was->sum);
	ck_assert_mem_eq(is->block_nr, was->block_nr, sizeof is->block_nr);
	ck_assert_mem_eq(is->block_sum, was->block_sum, sizeof is->block_sum);
	ck_assert_uint_eq(is->nr_points, was->nr_points);
	ck_assert_mem_eq(is->points, was->points, is->nr_points * sizeof *is->points); /* saving has sorted them */
}

START_TEST(read_as_saved)
{
	struct rs_side *loaded = baseline_make_side("comm,syscall");
	struct rs_baseline_details details;

	baseline_save("friday");
	ck_assert_int_eq(rs_baselines_load(store, "friday", loaded, &details, NULL, &err), 0);
	ck_assert_uint_eq(loaded->nr_blocks, NR_BLOCKS);
	ck_assert_uint_eq(loaded->len_ns, side->len_ns);
	ck_assert_mem_eq(loaded->block_ns, side->block_ns, sizeof side->block_ns);
	check_row(loaded, "a\0read", 7);
	check_row(loaded, "b\0\x01\xff", 5);
	ck_assert_str_eq(details.source, "a.dat");
	ck_assert_int_eq(details.saved_s, 1700000000);
	ck_assert_uint_eq(details.nr_rows, 2);
	rs_side_free(loaded);
}
END_TEST

static void baseline_count(void *arg, const struct rs_baseline_details *details)
{
	++*(unsigned int *)arg;
}

static unsigned int baseline_nr(void)
{
	unsigned int nr = 0;

	ck_assert_int_eq(rs_baselines_list(store, baseline_count, &nr, &err), 0);
	return nr;
}

/* One of the same name takes its place; what is removed is gone, and cannot be removed again. */
START_TEST(names)
{
	struct rs_side *loaded = baseline_make_side("comm,syscall");
	struct rs_baseline_details details;

	baseline_save("friday");
	baseline_save("saturday");
	baseline_save("friday");
	ck_assert_uint_eq(baseline_nr(), 2);
	ck_assert_int_eq(rs_baselines_remove(store, "friday", &err), 0);
	ck_assert_uint_eq(baseline_nr(), 1);
	ck_assert_int_lt(rs_baselines_remove(store, "friday", &err), 0);
	ck_assert_int_lt(rs_baselines_load(store, "friday", loaded, &details, NULL, &err), 0);
	ck_assert(rs_baseline_name_is_good("a.b-C_9") && !rs_baseline_name_is_good("") && !rs_baseline_name_is_good("-a") &&
		  !rs_baseline_name_is_good("a b") && !rs_baseline_name_is_good("../a"));
	rs_side_free(loaded);
}
END_TEST

/* Of a view by other keys nothing is there: that is said, and no error. */
START_TEST(other_keys)
{
	struct rs_side *loaded = baseline_make_side("comm");
	struct rs_buf missing = RS_BUF_INIT;
	struct rs_baseline_details details;

	baseline_save("friday");
	ck_assert_int_eq(rs_baselines_load(store, "friday", loaded, &details, &missing, &err), 0);
	ck_assert_str_eq(missing.data, "syscall-latency");
	ck_assert_uint_eq(loaded->nr_rows, 0);
	rs_buf_done(&missing);
	rs_side_free(loaded);
}
END_TEST

/* Whatever somebody wrote there is refused, or read, and does no harm. */
START_TEST(damaged)
{
	static const char *const damages[] = {
		"UPDATE measure SET sums = x'ff'", "UPDATE measure SET sums = x''", "UPDATE measure SET sums = sums || x'00'",
		"UPDATE measure SET points = x'80'", "UPDATE measure SET points = x'140001'", "UPDATE measure SET points = x'40000000'", "UPDATE measure SET points = x'ffffffffffffffffff7f0001'",
		"INSERT INTO measure SELECT * FROM measure", "INSERT INTO block SELECT baseline, n + 10, len_ns, steps FROM block",
		"UPDATE block SET n = n + 1 WHERE n = 9",
	};
	struct rs_baseline_details details;

	for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
		struct rs_side *loaded = baseline_make_side("comm,syscall");
		sqlite3 *db;

		baseline_save("friday");
		ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
		ck_assert_msg(sqlite3_exec(db, damages[i], NULL, NULL, NULL) == SQLITE_OK, "%s: %s", damages[i], sqlite3_errmsg(db));
		sqlite3_close(db);
		err = (struct rs_error){ 0 };
		ck_assert_msg(rs_baselines_load(store, "friday", loaded, &details, NULL, &err) < 0, "%s", damages[i]);
		ck_assert_msg(strstr(err.text, "damaged") != NULL, "%s: %s", damages[i], err.text);
		rs_side_free(loaded);
	}
}
END_TEST

/* Of the first version: it is read as it is, and gets the column of the second when something is saved. */
START_TEST(an_older_file)
{
	struct rs_side *loaded = baseline_make_side("comm,syscall");
	struct rs_baseline_details details;
	sqlite3 *db;

	baseline_save("friday");
	rs_baselines_close(store);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, "ALTER TABLE baseline DROP COLUMN options; PRAGMA user_version = 1", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	store = rs_baselines_open(path, false, &err);
	ck_assert_msg(store != NULL, "%s", err.text);
	ck_assert_int_eq(rs_baselines_load(store, "friday", loaded, &details, NULL, &err), 0);
	ck_assert_str_eq(details.options, "");
	check_row(loaded, "a\0read", 7);
	rs_side_free(loaded);
	rs_baselines_close(store);
	store = rs_baselines_open(path, true, &err);
	ck_assert_msg(store != NULL, "%s", err.text);
	baseline_save("saturday");
	ck_assert_uint_eq(baseline_nr(), 2);
}
END_TEST

static void baseline_note_view(void *arg, const char *view, const char *keys)
{
	ck_assert_str_eq(view, "syscall-latency");
	ck_assert_str_eq(keys, "comm,syscall");
	++*(unsigned int *)arg;
}

START_TEST(views_of_one)
{
	unsigned int nr = 0;

	baseline_save("friday");
	ck_assert_int_eq(rs_baselines_list_views(store, "friday", baseline_note_view, &nr, &err), 0);
	ck_assert_uint_eq(nr, 1);
	ck_assert_int_eq(rs_baselines_list_views(store, "monday", baseline_note_view, &nr, &err), 0);
	ck_assert_uint_eq(nr, 1);
}
END_TEST

/* What was measured later stands in blocks of its own: sums are those of both, and too many blocks become fewer. */
START_TEST(merged)
{
	struct rs_side *other = baseline_make_side("comm,syscall");
	const struct rs_side_row *a = rs_side_find(&side->views[0], "a\0read", 7);
	uint64_t nr = a->nr, sum = a->sum, len_ns = side->len_ns, blocks_nr = 0, points_nr = 0;

	baseline_fill(other);
	ck_assert(rs_side_merge(side, other));
	ck_assert_uint_eq(side->nr_blocks, 2 * NR_BLOCKS);
	ck_assert_uint_eq(a->block_nr[NR_BLOCKS + 3], 3);
	ck_assert_uint_eq(a->block_sum[NR_BLOCKS + 3], 1000 * 9 + 7);
	ck_assert_uint_eq(side->len_ns, 2 * len_ns);
	for (unsigned int i = 2; i < 20; i++)
		ck_assert(rs_side_merge(side, other));
	ck_assert_uint_le(side->nr_blocks, RS_SIDE_MAX_BLOCKS);
	ck_assert_uint_eq(a->nr, 20 * nr);
	ck_assert_uint_eq(a->sum, 20 * sum);
	for (unsigned int i = 0; i < side->nr_blocks; i++)
		blocks_nr += a->block_nr[i];
	for (size_t i = 0; i < a->nr_points; i++) {
		ck_assert_uint_lt(a->points[i].block, side->nr_blocks);
		points_nr += a->points[i].nr;
	}
	ck_assert_uint_eq(blocks_nr, a->nr);
	ck_assert_uint_eq(points_nr, 20 * (nr + NR_BLOCKS));
	rs_side_free(other);
}
END_TEST

static void check_refused(const char *statement, const char *why)
{
	sqlite3 *db;

	rs_baselines_close(store);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, statement, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	err = (struct rs_error){ 0 };
	store = rs_baselines_open(path, true, &err);
	ck_assert(!store);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

START_TEST(other_files)
{
	check_refused("PRAGMA user_version = 99", "is of version 99");
	check_refused("PRAGMA application_id = 5", "is no file of baselines");
}
END_TEST

Suite *rs_suite_baseline(void)
{
	Suite *s = suite_create("baseline");
	TCase *tc = tcase_create("baseline");

	tcase_add_checked_fixture(tc, baseline_setup, baseline_teardown);
	tcase_add_test(tc, read_as_saved);
	tcase_add_test(tc, names);
	tcase_add_test(tc, other_keys);
	tcase_add_test(tc, damaged);
	tcase_add_test(tc, other_files);
	tcase_add_test(tc, an_older_file);
	tcase_add_test(tc, views_of_one);
	tcase_add_test(tc, merged);
	suite_add_tcase(s, tc);
	return s;
}
