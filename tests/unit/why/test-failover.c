// SPDX-License-Identifier: GPL-2.0-or-later
/* test-failover - who waits until its time-out for one that does not answer, and asks another then: traces of one second */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* a/10 makes a call that returns at once. */
static void failover_put_call(unsigned int at_us, const char *call, const char *args, int ret)
{
	made_line("%u000 cpu0 sys_enter t=10 nr=%s %s", at_us, call, args);
	made_line("%u500 cpu0 sys_exit t=10 nr=%s ret=%d", at_us, call, ret);
}

/* It sleeps in one until a timer wakes it. */
static void failover_put_wait(unsigned int at_us, unsigned int len_us, const char *call, const char *args, int ret)
{
	made_line("%u000 cpu0 sys_enter t=10 nr=%s %s", at_us, call, args);
	made_line("%u300 cpu0 sched_switch a/10 S -> idle/0", at_us);
	made_line("%u000 cpu0 sched_waking a/10 target=0 by idle/0 irq", at_us + len_us);
	made_line("%u001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", at_us + len_us);
	made_line("%u002 cpu0 sys_exit t=10 nr=%s ret=%d", at_us + len_us, call, ret);
}

/* What a does in each of nr_rounds in a second: asks, waits for wait_ms, asks another, and is answered in a call; NULL: it does not do that. */
struct failover_round {
	const char *ask, *ask_args;
	const char *wait, *wait_args;
	int wait_ret;
	const char *other, *other_args;
	int other_ret;
	const char *answer, *answer_args;
	int answer_ret;
	unsigned int wait_ms, nr_rounds;
	unsigned int other_each;    /* the latter two in each so many rounds alone; 0: in all */
	unsigned int same_each;     /* in each so many rounds it asks the first again, which answers; 0: never */
};

static void failover_check(struct failover_round r, const char *const *expected)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	for (unsigned int round = 0; round < r.nr_rounds; round++) {
		unsigned int us = round * (1000000 / r.nr_rounds) + 10;
		bool is_same = r.same_each && round % r.same_each == 0;

		failover_put_call(us, r.ask, r.ask_args, strcmp(r.ask, "connect") ? 5 : -115);
		failover_put_wait(us + 10, r.wait_ms * 1000, r.wait, r.wait_args, r.wait_ret);
		us += r.wait_ms * 1000 + 1000;
		if (r.other_each && round % r.other_each != r.other_each - 1)
			continue;
		if (r.other)
			failover_put_call(us, r.other, is_same ? r.ask_args : r.other_args, r.other_ret);
		if (r.answer)
			failover_put_call(us + 10, r.answer, is_same ? r.ask_args : r.answer_args, r.answer_ret);
	}
	made_line("1000100000 cpu0 sched_switch a/10 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

/* A name server that is dead, and a second one. */
static const struct failover_round resolver = {
	"sendto", "3 4 5", "poll", "64 1 64", 0, "sendto", "4 4 5", 5, "recvfrom", "4 4 5", 5, 100, 8, 0, 0
};

#define ROUND(...) ({ struct failover_round r = resolver; __VA_ARGS__; r; })

START_TEST(an_answer_of_another)
{
	failover_check(resolver,
		       ROWS("rule=failover victim=a culprit=a text='a (10) waits 80 % of its time for answers on descriptor 3 that do not come: "
			    "poll ends by its time-out of 100 ms, 8 times in 1 s, and it asks another then, which answers (failover)'"));
	/* in a call that receives, of a socket with a time-out (SO_RCVTIMEO) */
	failover_check(ROUND(r.wait = "recvfrom", r.wait_args = "3 4 5", r.wait_ret = -11),
		       ROWS("rule=failover text='a (10) waits 80 % of its time for answers on descriptor 3 that do not come: "
			    "recvfrom ends by its time-out of 100 ms, 8 times in 1 s, and it asks another then, which answers (failover)'"));
	/* Perl's select is of descriptors up to a multiple of 8 */
	failover_check(ROUND(r.wait = "pselect6", r.wait_args = "8 1 64"), ROWS("rule=failover"));
	failover_check(ROUND(r.wait = "pselect6", r.wait_args = "4 1 64"), ROWS("rule=failover"));
	/* a connection that is not accepted; the number of the descriptor is free again when it is closed */
	failover_check(ROUND(r.ask = "connect", r.other = "connect", r.other_args = "3 4 5", r.other_ret = -115, r.answer = "poll", r.answer_args = "64 1 64", r.answer_ret = 1),
		       ROWS("rule=failover text='a (10) waits 80 % of its time for connections of descriptor 3 that are not accepted: "
			    "poll ends by its time-out of 100 ms, 8 times in 1 s, and it asks another then, which answers (failover)'"));
}
END_TEST

/* Each differs in one thing from the first of those above. */
START_TEST(no_answer_of_another)
{
	/* too rarely, or for too little time */
	failover_check(ROUND(r.nr_rounds = 2, r.wait_ms = 300), NO_ROWS);
	failover_check(ROUND(r.nr_rounds = 3, r.wait_ms = 300), ROWS("rule=failover"));
	failover_check(ROUND(r.wait_ms = 40), NO_ROWS);
	/* it sends metrics and sleeps in poll, and asks another once in a while */
	failover_check(ROUND(r.nr_rounds = 24, r.wait_ms = 30, r.other_each = 4), NO_ROWS);
	failover_check(ROUND(r.nr_rounds = 24, r.wait_ms = 30, r.other_each = 3), ROWS("rule=failover"));
	/* one in two is asked again, and answers: what was sent is lost at times */
	failover_check(ROUND(r.nr_rounds = 24, r.wait_ms = 30, r.same_each = 2), NO_ROWS);
	failover_check(ROUND(r.nr_rounds = 24, r.wait_ms = 30, r.same_each = 6), ROWS("rule=failover"));
	/* select is of a larger descriptor; it polls several: a loop of events; it sleeps */
	failover_check(ROUND(r.wait = "pselect6", r.wait_args = "5 1 64"), NO_ROWS);
	failover_check(ROUND(r.wait_args = "64 2 64"), NO_ROWS);
	failover_check(ROUND(r.wait = "epoll_wait"), NO_ROWS);
	failover_check(ROUND(r.wait = "nanosleep"), NO_ROWS);
	/* it sends to the same again, as a heartbeat, or reads what it has not asked for; or nothing is read */
	failover_check(ROUND(r.other_args = "3 4 5", r.answer_args = "3 4 5"), NO_ROWS);
	failover_check(ROUND(r.answer_args = "5 4 5"), NO_ROWS);
	failover_check(ROUND(r.other = NULL), NO_ROWS);
	/* the other does not answer either, or has nothing */
	failover_check(ROUND(r.answer_ret = -11), NO_ROWS);
	/* it was no request, or was answered before */
	failover_check(ROUND(r.ask = "write"), NO_ROWS);
	failover_check(ROUND(r.wait_ret = 1), NO_ROWS);
}
END_TEST

Suite *rs_suite_failover(void);
Suite *rs_suite_failover(void)
{
	Suite *s = suite_create("failover");
	TCase *t = tcase_create("all");

	tcase_add_test(t, an_answer_of_another);
	tcase_add_test(t, no_answer_of_another);
	suite_add_tcase(s, t);
	return s;
}
