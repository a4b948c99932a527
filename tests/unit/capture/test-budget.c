// SPDX-License-Identifier: GPL-2.0-or-later
/* What the capture costs, and when that is said: hand-computed turns of one second. */
#include <check.h>
#include <string.h>

#include "capture/budget.h"

Suite *rs_suite_budget(void);

static struct rs_budget b;
static struct rs_error err;
static uint64_t now_ns, own_ns, lost, switches, calls;

static void setup(void)
{
	now_ns = own_ns = lost = switches = calls = 0;
	rs_budget_init(&b, 50, 2, 200); /* 5 % of two CPUs: 100 ms a second */
	ck_assert_int_eq(rs_budget_add(&b, "sched:sched_switch", 0, &err), 0);
	ck_assert_int_eq(rs_budget_add(&b, "raw_syscalls:sys_enter", 0, &err), 0);
}

static void teardown(void)
{
	rs_budget_done(&b);
}

static bool turn(uint64_t more_switches, uint64_t more_calls, uint64_t more_own_ms, uint64_t more_lost)
{
	now_ns += 1000000000;
	own_ns += more_own_ms * 1000000;
	lost += more_lost;
	switches += more_switches;
	calls += more_calls;
	rs_budget_count(&b, 0, switches);
	rs_budget_count(&b, 1, calls);
	return rs_budget_check(&b, &(struct rs_budget_sums){ now_ns, own_ns, lost });
}

START_TEST(own_cpu_and_events_are_told_apart)
{
	turn(0, 0, 0, 0);
	turn(100000, 50000, 30, 0);
	ck_assert_uint_eq(b.own_milli, 30);
	ck_assert_uint_eq(b.events_milli, 30); /* 150,000 of 200 ns */
	ck_assert(b.measured);
	ck_assert_uint_eq(b.events[0].per_s, 100000);
}
END_TEST

START_TEST(lost_events_cost_as_others_do)
{
	turn(0, 0, 0, 0);
	turn(30000, 10000, 0, 40000);
	ck_assert_uint_eq(b.events[0].per_s, 60000);
	ck_assert_uint_eq(b.events_milli, 16);
}
END_TEST

START_TEST(the_dearest_kind_and_its_command_are_named)
{
	turn(0, 0, 0, 0);
	ck_assert(!turn(100000, 400000, 1, 0)); /* 100 ms and 1: over, but it may pass */
	ck_assert(!turn(100000, 400000, 1, 0));
	ck_assert_ptr_null(rs_budget_warning(&b));
	ck_assert(turn(100000, 400000, 1, 0));
	ck_assert_str_eq(rs_budget_warning(&b),
			 "costs 5.05 % of the machine (ringside 0.05, events 5.00), over the 5.0 % of --max-overhead: most of "
			 "it is raw_syscalls:sys_enter, 400000 a second (ringside trace set raw_syscalls:sys_enter=off)");
	for (int i = 0; i < 4; i++) /* another one, for a moment */
		ck_assert(!turn(600000, 400000, 1, 0));
	ck_assert(!turn(100000, 400000, 1, 0));
	for (int i = 0; i < 4; i++)
		ck_assert(!turn(600000, 400000, 1, 0));
	ck_assert_ptr_nonnull(strstr(rs_budget_warning(&b), "sys_enter=off"));
	ck_assert(turn(600000, 400000, 1, 0)); /* the fifth in a row */
	ck_assert_ptr_nonnull(strstr(rs_budget_warning(&b), "sched:sched_switch=off"));
}
END_TEST

/* Each half of the calls costs less than the switches, both together more: and both are turned off, or none. */
START_TEST(halves_of_a_pair_are_named_together)
{
	ck_assert_int_eq(rs_budget_add(&b, "raw_syscalls:sys_exit", 0, &err), 0);
	ck_assert_int_eq(rs_budget_add(&b, "sched:sched_waking", 0, &err), 0);
	for (uint64_t i = 0; i <= 3; i++) {
		rs_budget_count(&b, 0, i * 300000);
		rs_budget_count(&b, 1, i * 200000);
		rs_budget_count(&b, 2, i * 200000);
		rs_budget_count(&b, 3, i * 100000);
		rs_budget_check(&b, &(struct rs_budget_sums){ now_ns += 1000000000, 0, 0 });
	}
	ck_assert_ptr_nonnull(rs_budget_warning(&b));
	ck_assert_msg(strstr(rs_budget_warning(&b), "most of it is raw_syscalls:sys_enter, raw_syscalls:sys_exit, 400000 a second "
			     "(ringside trace set raw_syscalls:sys_enter=off raw_syscalls:sys_exit=off)") != NULL,
		      "%s", rs_budget_warning(&b));
}
END_TEST

/* Few that are dear cost more than many that are cheap. */
START_TEST(a_kind_has_a_cost_of_its_own)
{
	ck_assert_int_eq(rs_budget_add(&b, "block:block_rq_issue", 1000, &err), 0);
	turn(0, 0, 0, 0);
	for (int i = 1; i <= 3; i++) {
		rs_budget_count(&b, 0, switches += 400000);
		rs_budget_count(&b, 2, (uint64_t)i * 100000);
		rs_budget_check(&b, &(struct rs_budget_sums){ now_ns += 1000000000, 0, 0 });
	}
	ck_assert_uint_eq(b.events_milli, 80 + 100);
	ck_assert_ptr_nonnull(strstr(rs_budget_warning(&b), "block:block_rq_issue, 100000 a second"));
}
END_TEST

START_TEST(of_two_equally_expensive_it_stays_with_one)
{
	turn(0, 0, 0, 0);
	for (int i = 0; i < 3; i++)
		turn(400000, 390000, 0, 0);
	for (int i = 0; i < 10; i++)
		ck_assert(!turn(400000 - 20000 * (i % 2), 390000, 0, 0));
	for (int i = 0; i < 4; i++)
		ck_assert(!turn(200000, 390000, 0, 0));
	ck_assert(turn(200000, 390000, 0, 0));
}
END_TEST

START_TEST(just_at_the_bound_is_within)
{
	turn(0, 0, 0, 0);
	for (int i = 0; i < 10; i++)
		turn(100000, 400000, 0, 0);
	ck_assert_ptr_null(rs_budget_warning(&b));
}
END_TEST

START_TEST(it_goes_when_it_has_been_within_for_a_while)
{
	turn(0, 0, 0, 0);
	for (int i = 0; i < 3; i++)
		turn(0, 400000, 100, 0);
	ck_assert_ptr_nonnull(rs_budget_warning(&b));
	for (int i = 0; i < 29; i++) {
		ck_assert(!turn(0, 10, 1, 0));
		ck_assert_ptr_nonnull(rs_budget_warning(&b));
	}
	ck_assert(turn(0, 10, 1, 0));
	ck_assert_ptr_null(rs_budget_warning(&b));
}
END_TEST

START_TEST(without_a_bound_nothing_is_too_expensive)
{
	rs_budget_limit(&b, 0);
	for (int i = 0; i < 10; i++)
		ck_assert(!turn(1000000000, 0, 2000, 0));
	ck_assert_ptr_null(rs_budget_warning(&b));
	ck_assert_uint_eq(b.own_milli, 2000);
}
END_TEST

START_TEST(sums_that_go_back_are_no_rate)
{
	turn(1000, 1000, 10, 0);
	turn(1000, 1000, 10, 0);
	switches = calls = own_ns = 0;
	turn(0, 0, 0, 0);
	ck_assert_uint_eq(b.events[0].per_s, 0);
	ck_assert_uint_eq(b.own_milli, 0);
}
END_TEST

START_TEST(unmeasured_is_assumed_and_said)
{
	struct rs_budget other;

	rs_budget_init(&other, 0, 1, 0);
	ck_assert(!other.measured);
	ck_assert_uint_eq(other.event_cost_ns, RS_EVENT_COST_NS);
	rs_budget_done(&other);
}
END_TEST

Suite *rs_suite_budget(void)
{
	Suite *s = suite_create("budget");
	TCase *t = tcase_create("budget");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, own_cpu_and_events_are_told_apart);
	tcase_add_test(t, lost_events_cost_as_others_do);
	tcase_add_test(t, the_dearest_kind_and_its_command_are_named);
	tcase_add_test(t, halves_of_a_pair_are_named_together);
	tcase_add_test(t, a_kind_has_a_cost_of_its_own);
	tcase_add_test(t, of_two_equally_expensive_it_stays_with_one);
	tcase_add_test(t, just_at_the_bound_is_within);
	tcase_add_test(t, it_goes_when_it_has_been_within_for_a_while);
	tcase_add_test(t, without_a_bound_nothing_is_too_expensive);
	tcase_add_test(t, sums_that_go_back_are_no_rate);
	tcase_add_test(t, unmeasured_is_assumed_and_said);
	suite_add_tcase(s, t);
	return s;
}
