// SPDX-License-Identifier: GPL-2.0-or-later
/* test-side - what a side measures of a recording, block by block: sums of a view, keys that last, loss, room */
#include <check.h>
#include <string.h>

#include "compare/side-align.h"
#include "lines.h"

static struct rs_side *side_read(const char *view, const char *by, uint64_t step_ns, const char *const *lines)
{
	struct rs_session_config config = { .nr_analyses = 1, .step_ns = step_ns, .end_step = rs_side_end_step };
	struct rs_source *source = rs_lines_source(lines, &rs_layouts[0]);
	struct rs_side_asked asked = { .by = by };
	struct rs_session *session;
	struct rs_error err = { 0 };
	struct rs_side *side;

	ck_assert(rs_requirements_find_view(view, &asked.ref, &err));
	side = rs_side_new(&asked, 1, &err);
	ck_assert_msg(side != NULL, "%s", err.text);
	config.analyses[0] = asked.ref.analysis;
	config.step_arg = side;
	session = rs_session_new(&config, &err);
	ck_assert_msg(session && rs_session_attach(session, source, &err) == 0, "%s", err.text);
	while (rs_session_run(session, 10000, &err) == RS_RUN_MORE)
		;
	rs_session_end(session);
	rs_side_end(side);
	rs_session_free(session);
	source->ops->close(source);
	return side;
}

static const struct rs_side_row *side_row(const struct rs_side *side, const char *text, size_t len)
{
	const struct rs_side_row *row = rs_side_find(&side->views[0], text, len);

	ck_assert_msg(row != NULL, "no row %s", text);
	return row;
}

/* a/10 reads twice in the first 10 us and once in the second; another a and b once each. */
#define READS \
	"seed a/10 pid=10", "seed a/20 pid=20", "seed b/11 pid=11", \
	"1000 cpu0 sys_enter t=10 nr=read 1 2 3", "1400 cpu0 sys_exit t=10 nr=read ret=1", \
	"2000 cpu0 sys_enter t=10 nr=read 1 2 3", "2600 cpu0 sys_exit t=10 nr=read ret=1", \
	"3000 cpu1 sys_enter t=20 nr=read 1 2 3", "3100 cpu1 sys_exit t=20 nr=read ret=1", \
	"4000 cpu1 sys_enter t=11 nr=write 1 2 3", "5000 cpu1 sys_exit t=11 nr=write ret=1", \
	"12000 cpu0 sys_enter t=10 nr=read 1 2 3", "12300 cpu0 sys_exit t=10 nr=read ret=1", \
	"18000 cpu0 sys_enter t=10 nr=write 1 2 3", "19000 cpu0 sys_exit t=10 nr=write ret=1"

/* By name, whatever the pid; each block has what ended in it. */
START_TEST(sums_of_blocks)
{
	struct rs_side *side = side_read("syscall-latency", "comm,syscall", 10000, LINES(READS));
	const struct rs_side_row *row = side_row(side, "a\0read", 7);

	ck_assert_uint_eq(side->nr_blocks, 2);
	ck_assert_uint_eq(side->len_ns, 18000); /* from the first event to the last */
	ck_assert_uint_eq(row->nr, 4);
	ck_assert_uint_eq(row->sum, 400 + 600 + 100 + 300);
	ck_assert_uint_eq(row->block_nr[0], 3);
	ck_assert_uint_eq(row->block_nr[1], 1);
	ck_assert_uint_eq(row->block_sum[1], 300);
	ck_assert_uint_eq(row->nr_points, 4);
	ck_assert_uint_eq(side_row(side, "b\0write", 8)->sum, 1000);
	ck_assert_str_eq(rs_side_key(row, 1), "read");
	ck_assert_str_eq(rs_side_key(row, 2), "");
	rs_side_free(side);
}
END_TEST

/* Without --by a view's own keys, with the name for the pid. */
START_TEST(keys_that_last)
{
	struct rs_side *side = side_read("syscall-latency", NULL, 10000, LINES(READS));

	ck_assert_uint_eq(side->views[0].nr_keys, 2);
	ck_assert_uint_eq(side_row(side, "a\0read", 7)->nr, 4);
	rs_side_free(side);
}
END_TEST

/* Events were lost in the second block: nothing of it is known. */
START_TEST(blocks_with_loss)
{
	struct rs_side *side = side_read("syscall-latency", NULL, 10000,
					 LINES(READS, "cpu0 lost 5", "25000 cpu0 sys_enter t=10 nr=read 1 2 3", "32000 cpu0 sys_exit t=10 nr=read ret=1"));

	ck_assert_uint_ge(side->lost_ns, 10000);
	ck_assert_uint_eq(side_row(side, "a\0read", 7)->block_nr[0], 3);
	ck_assert_uint_lt(side->nr_blocks, 4);
	rs_side_free(side);
}
END_TEST

/* More steps than there is room for blocks: two become one, and nothing is lost of the sums. */
START_TEST(many_steps)
{
	struct rs_side *side = side_read("syscall-latency", NULL, 100, LINES(READS));
	uint64_t nr = 0, sum = 0, len_ns = 0;
	const struct rs_side_row *row = side_row(side, "a\0read", 7);

	ck_assert_uint_le(side->nr_blocks, RS_SIDE_MAX_BLOCKS);
	for (unsigned int i = 0; i < side->nr_blocks; i++) {
		nr += row->block_nr[i];
		sum += row->block_sum[i];
		len_ns += side->block_ns[i];
	}
	ck_assert_uint_eq(nr, 4);
	ck_assert_uint_eq(sum, 1400);
	ck_assert_uint_eq(len_ns, side->len_ns);
	for (size_t i = 0; i < row->nr_points; i++)
		ck_assert_uint_lt(row->points[i].block, side->nr_blocks);
	rs_side_free(side);
}
END_TEST

/* ---- names of processes ---- */

/* One python3 or two, which read once each. */
#define SERVER "seed python3/10 pid=10", "args 10 /usr/bin/python3 -u /srv/server.py --port 80"
#define WORKER "seed python3/11 pid=11", "args 11 python3 worker.py"
#define NAMELESS "seed python3/11 pid=11"
#define OF_10 "1000 cpu0 sys_enter t=10 nr=read 1 2 3", "1400 cpu0 sys_exit t=10 nr=read ret=1"
#define OF_11 "2000 cpu1 sys_enter t=11 nr=read 1 2 3", "2600 cpu1 sys_exit t=11 nr=read ret=1"

static struct rs_side *side_of(const char *const *lines)
{
	return side_read("syscall-latency", "comm,syscall", 10000, lines);
}

/* "python3 server.py read 1 400, ..." in the order of rows */
static void check_rows(const struct rs_side *side, const char *rows)
{
	struct rs_buf text = RS_BUF_INIT, key = RS_BUF_INIT;

	for (size_t i = 0; i < side->views[0].nr_rows; i++) {
		const struct rs_side_row *row = side->views[0].rows[i];

		rs_side_put_text(&key, &side->views[0], row);
		rs_buf_printf(&text, "%s%s %u %u", i ? ", " : "", key.data, (unsigned int)row->nr, (unsigned int)row->sum);
	}
	ck_assert_str_eq(text.data, rows);
	rs_buf_done(&text);
	rs_buf_done(&key);
}

static void check_aligned(const char *const *lines_a, const char *const *lines_b, const char *rows_a, const char *rows_b)
{
	struct rs_side *a = side_of(lines_a), *b = side_of(lines_b);

	ck_assert(rs_side_align(a, b));
	check_rows(a, rows_a);
	check_rows(b, rows_b);
	rs_side_free(a);
	rs_side_free(b);
}

START_TEST(names_with_programs)
{
	struct rs_side *side = side_of(LINES(SERVER, WORKER, OF_10, OF_11));

	check_rows(side, "python3 server.py read 1 400, python3 worker.py read 1 600");
	rs_side_free(side);
	check_aligned(LINES(SERVER, WORKER, OF_10, OF_11), LINES(SERVER, OF_10), "python3 server.py read 1 400, python3 worker.py read 1 600",
		      "python3 server.py read 1 400");
	check_aligned(LINES(SERVER, OF_10), LINES(SERVER, OF_10), "python3 server.py read 1 400", "python3 server.py read 1 400");
}
END_TEST

/* Versions of one program; and where command lines are not known all of one name are one. */
START_TEST(names_that_are_shortened)
{
	check_aligned(LINES(SERVER, OF_10), LINES(WORKER, OF_11), "python3 read 1 400", "python3 read 1 600");
	check_aligned(LINES(SERVER, WORKER, OF_10, OF_11), LINES(NAMELESS, OF_11), "python3 read 2 1000", "python3 read 1 600");
	check_aligned(LINES(SERVER, NAMELESS, OF_10, OF_11), LINES(SERVER, OF_10), "python3 read 2 1000", "python3 read 1 400");
	check_aligned(LINES(NAMELESS, OF_11), LINES(NAMELESS, OF_11), "python3 read 1 600", "python3 read 1 600");
}
END_TEST

/* Several processes of one name: a value of one block is one point, however many had it. */
START_TEST(points_of_several)
{
	struct rs_side *side = side_of(LINES("seed a/10 pid=10", "seed a/11 pid=11", OF_10, "2000 cpu1 sys_enter t=11 nr=read 1 2 3",
					     "2400 cpu1 sys_exit t=11 nr=read ret=1"));

	check_rows(side, "a read 2 800");
	ck_assert_uint_eq(side->views[0].rows[0]->nr_points, 1);
	ck_assert_uint_eq(side->views[0].rows[0]->points[0].nr, 2);
	rs_side_free(side);
}
END_TEST

static void side_check_refused(const char *view, const char *by, const char *why)
{
	struct rs_side_asked asked = { .by = by };
	struct rs_error err = { 0 };

	ck_assert(rs_requirements_find_view(view, &asked.ref, &err));
	ck_assert(!rs_side_new(&asked, 1, &err));
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

START_TEST(refused)
{
	side_check_refused("iosnoop", NULL, "nothing to compare");
	side_check_refused("syscall-latency", "comm,nonsense", "not grouped by all of these");
}
END_TEST

Suite *rs_suite_side(void)
{
	Suite *s = suite_create("side");
	TCase *tc = tcase_create("side");

	tcase_add_test(tc, sums_of_blocks);
	tcase_add_test(tc, keys_that_last);
	tcase_add_test(tc, blocks_with_loss);
	tcase_add_test(tc, many_steps);
	tcase_add_test(tc, names_with_programs);
	tcase_add_test(tc, names_that_are_shortened);
	tcase_add_test(tc, points_of_several);
	tcase_add_test(tc, refused);
	suite_add_tcase(s, tc);
	return s;
}
