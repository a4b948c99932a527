// SPDX-License-Identifier: GPL-2.0-or-later
/* test-states - how long a task ran since the last reset: slices whole and cut, in flight, lost, and taken along by an exec */
#include <check.h>

#include "engine/states/states.h"

static struct rs_tasks tasks;
static struct rs_states st;

static void ignore_interval(void *arg, const struct rs_interval *iv)
{
}

static void ignore_switch_in(void *arg, struct rs_task *t)
{
}

static void ignore_queue(void *arg, uint16_t cpu, unsigned int depth, uint64_t ts_ns)
{
}

static void begin(void)
{
	ck_assert_int_eq(rs_tasks_init(&tasks, 0, 100), 0);
	ck_assert_int_eq(rs_states_init(&st, &tasks, 1), 0);
	st.on = true;
	st.on_interval = ignore_interval;
	st.on_switch_in = ignore_switch_in;
	st.on_queue = ignore_queue;
}

static void end(void)
{
	rs_states_done(&st);
	rs_tasks_done(&tasks);
}

static uint64_t run_ns(int32_t tid, uint64_t now_ns)
{
	return rs_states_run_ns(&st, rs_tasks_find(&tasks, tid), now_ns);
}

/* Task 7 runs 100..200, a reset comes at 150; it runs on at 300. */
START_TEST(of_a_slice_that_a_reset_cuts)
{
	begin();
	rs_states_switch(&st, 0, 0, 'R', 7, 100);
	ck_assert_uint_eq(run_ns(7, 130), 30);
	rs_states_reset(&st, 150);
	ck_assert_uint_eq(run_ns(7, 150), 0);
	ck_assert_uint_eq(run_ns(7, 180), 30);
	rs_states_switch(&st, 0, 7, 'S', 0, 200);
	ck_assert_uint_eq(run_ns(7, 250), 50);
	rs_states_switch(&st, 0, 0, 'R', 7, 300);
	ck_assert_uint_eq(run_ns(7, 310), 60);
	rs_states_reset(&st, 320);
	rs_states_switch(&st, 0, 7, 'S', 0, 321);
	ck_assert_uint_eq(run_ns(7, 330), 1);
	end();
}
END_TEST

/* It runs from 100 on, a reset comes at 150, and events are lost from 160 to 170: that slice counts as unknown, the next one, of 10, does not. */
START_TEST(of_a_slice_in_which_events_are_lost)
{
	begin();
	rs_states_switch(&st, 0, 0, 'R', 7, 100);
	rs_states_reset(&st, 150);
	rs_states_gap(&st, &(struct rs_gap){ .cpu = 0, .from_ns = 160, .to_ns = 170 });
	ck_assert_uint_eq(run_ns(7, 180), 0);
	rs_states_switch(&st, 0, 7, 'S', 0, 200);
	ck_assert_uint_eq(run_ns(7, 210), 0);
	rs_states_switch(&st, 0, 0, 'R', 7, 300);
	rs_states_switch(&st, 0, 7, 'S', 0, 310);
	ck_assert_uint_eq(run_ns(7, 320), 10);
	end();
}
END_TEST

/* Thread 8 runs from 100 on, a reset comes at 150; at 160 it calls exec and is task 7 from then on, up to 200. */
START_TEST(of_a_slice_that_an_exec_takes_along)
{
	begin();
	rs_states_switch(&st, 0, 0, 'R', 7, 50);
	rs_states_switch(&st, 0, 7, 'S', 8, 100);
	rs_states_reset(&st, 150);
	rs_states_reassign(&st, rs_tasks_find(&tasks, 8), rs_tasks_find(&tasks, 7), 160);
	rs_states_switch(&st, 0, 7, 'S', 0, 200);
	ck_assert_uint_eq(run_ns(7, 210), 50);
	ck_assert_uint_eq(run_ns(8, 210), 0);
	end();
}
END_TEST

Suite *rs_suite_states(void);
Suite *rs_suite_states(void)
{
	Suite *s = suite_create("states");
	TCase *t = tcase_create("states");

	tcase_add_test(t, of_a_slice_that_a_reset_cuts);
	tcase_add_test(t, of_a_slice_in_which_events_are_lost);
	tcase_add_test(t, of_a_slice_that_an_exec_takes_along);
	suite_add_tcase(s, t);
	return s;
}
