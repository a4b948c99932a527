// SPDX-License-Identifier: GPL-2.0-or-later
/* test-alike - waits of the same shape: how many names, calls and parts of their critical paths are the same */
#include <check.h>
#include <string.h>

#include "ask.h"
#include "ringside/wait-shape.h"
#include "wake-lines.h"

/* a reads three times for 3 ms: worker/1 answers, then worker/2, then another; each runs. And it waits for a CPU once, behind hog. */
#define WAITS \
	"seed a/10 pid=10", "seed worker/1/11 pid=11", "seed worker/2/12 pid=12", "seed another/13 pid=13", "seed hog/14 pid=14", \
	RUNS("cpu0", "a/10"), RUNS("cpu1", "worker/1/11"), RUNS("cpu2", "worker/2/12"), RUNS("cpu3", "another/13"), \
	CALL("1000000", "cpu0", "10", "read"), LEAVES("1000100", "cpu0", "a/10"), WAKES("4000000", "cpu1", "worker/1/11", "a/10"), \
	BACK("4000100", "cpu0", "a/10"), EXIT("4000200", "cpu0", "10", "read"), \
	CALL("5000000", "cpu0", "10", "read"), LEAVES("5000100", "cpu0", "a/10"), WAKES("8000000", "cpu2", "worker/2/12", "a/10"), \
	BACK("8000100", "cpu0", "a/10"), EXIT("8000200", "cpu0", "10", "read"), \
	CALL("9000000", "cpu0", "10", "read"), LEAVES("9000100", "cpu0", "a/10"), WAKES("12000000", "cpu3", "another/13", "a/10"), \
	BACK("12000100", "cpu0", "a/10"), EXIT("12000200", "cpu0", "10", "read"), \
	"13000000 cpu0 sched_waking hog/14 target=0 by a/10", "13000100 cpu0 sched_switch a/10 R -> hog/14", \
	"20000000 cpu0 sched_switch hog/14 S -> a/10"

/* Of the other read 5 of 6 are the same. The wait for a CPU, with hog, is not alike. */
START_TEST(like_one_read)
{
	check_rows(ASK("alike", .why = { .kind = RS_ASKED_SLICE, .tid = 10, .at_ns = 6000000 }), LINES(WAITS),
		   ROWS("at_ns=1000000 comm=a pid=10 tid=10 syscall=read took_ns=3000200 alike=100000 shape='a read, worker/1 run'",
			"at_ns=5000000 to_ns=8000200 alike=100000 shape='a read, worker/2 run'",
			"at_ns=9000000 alike=83300 shape='a read, another run'"));
}
END_TEST

START_TEST(like_the_slowest)
{
	check_rows(ASK("alike"), LINES(WAITS), ROWS("at_ns=13000100 syscall=- took_ns=6999900 alike=100000 shape='a run queue: hog'"));
}
END_TEST

START_TEST(asked_wait_is_not_there)
{
	check_rows(ASK("alike", .why = { .kind = RS_ASKED_SLICE, .tid = 99, .at_ns = 6000000 }), LINES(WAITS), NO_ROWS);
}
END_TEST

static struct rs_wait_shape shape_of(const char *name, int64_t call, unsigned int nr)
{
	struct rs_wait_shape shape = { .nr = nr };

	for (unsigned int i = 0; i < nr; i++) {
		strcpy(shape.at[i].name, name);
		shape.at[i].call = call;
	}
	return shape;
}

/* Digits tell workers apart; what is longer, or has no link, is less alike. */
START_TEST(names_and_links)
{
	struct rs_wait_shape a = shape_of("kworker/3:1", 7, 2), b = shape_of("kworker/12:0", 7, 2), c = shape_of("kworkers", 7, 2),
			     longer = shape_of("kworker/3:1", 7, 3), none = { .nr = 0 };

	ck_assert_uint_eq(rs_wait_shape_alike(&a, &b), 1000);
	ck_assert_uint_eq(rs_wait_shape_alike(&a, &c), 666);
	ck_assert_uint_eq(rs_wait_shape_alike(&a, &longer), 666);
	ck_assert_uint_eq(rs_wait_shape_alike(&none, &none), 0);
}
END_TEST

Suite *rs_suite_alike(void)
{
	Suite *s = suite_create("alike");
	TCase *t = tcase_create("alike");

	tcase_add_test(t, like_one_read);
	tcase_add_test(t, like_the_slowest);
	tcase_add_test(t, asked_wait_is_not_there);
	tcase_add_test(t, names_and_links);
	suite_add_tcase(s, t);
	return s;
}
