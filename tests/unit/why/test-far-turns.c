// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-far-turns - what the task at the other end of a connection did while it had the turn: collected of the one machine, and
 * shown in the waits of the other
 */
#include <check.h>
#include <stdio.h>

#include "ask.h"
#include "engine/net/machine-ends.h"
#include "engine/session.h"
#include "lines.h"
#include "why/far-turns.h"

#define SERVER "10.0.0.2:80 10.0.0.1:5000"

/* db receives at 2010, sleeps by its own choice from 2030 to 5000, and sends at 6000. */
static const char *const there[] = LINES("seed db/20 pid=20", "with inet_sock_set_state", "with sock_send_length", "with sock_recv_length",
	"900 cpu0 sched_switch idle/0 R -> db/20",
	"1000 cpu0 sys_enter t=20 nr=recvfrom 4 0 64 0 0 0", "1005 cpu0 sock_recv_length 2 5 t=20 protocol=6",
	"1006 cpu0 inet_sock_set_state 2 3 -> 1 " SERVER " t=20 protocol=6 common_flags=16", "2010 cpu0 sys_exit t=20 nr=recvfrom ret=5",
	"2020 cpu0 sys_enter t=20 nr=nanosleep 1 2 3", "2030 cpu0 sched_switch db/20 S -> idle/0", "5000 cpu0 sched_waking db/20 target=0 by idle/0 irq",
	"5010 cpu0 sched_switch idle/0 R -> db/20", "5020 cpu0 sys_exit t=20 nr=nanosleep ret=0",
	"6000 cpu0 sys_enter t=20 nr=sendto 4 0 64 0 0 0", "6010 cpu0 sys_exit t=20 nr=sendto ret=64",
	/* what it sends then answers nothing */
	"7000 cpu0 sys_enter t=20 nr=sendto 4 0 64 0 0 0", "7010 cpu0 sys_exit t=20 nr=sendto ret=64");

/* shop waits for the answer from 1500 to 6500. */
static const char *const here[] = LINES("seed shop/10 pid=10", "with inet_sock_set_state", "900 cpu0 sched_switch idle/0 R -> shop/10",
	"1000 cpu0 sys_enter t=10 nr=connect 3 0 10 0 0 0", "1010 cpu0 inet_sock_set_state 1 7 -> 2 10.0.0.1:0 10.0.0.2:80 t=10 protocol=6",
	"1100 cpu0 inet_sock_set_state 1 2 -> 1 10.0.0.1:5000 10.0.0.2:80 t=10 protocol=6 common_flags=16", "1200 cpu0 sys_exit t=10 nr=connect ret=0",
	"1490 cpu0 sys_enter t=10 nr=recvfrom 3 0 64 0 0 0", "1500 cpu0 sched_switch shop/10 S -> idle/0",
	"6500 cpu0 sched_waking shop/10 target=0 by idle/0 irq", "6501 cpu0 sched_switch idle/0 R -> shop/10", "6510 cpu0 sys_exit t=10 nr=recvfrom ret=64");

static void collect(struct rs_machine_ends *ends, bool is_on_clock)
{
	struct rs_session_config config = { .analyses = { &rs_far_turns_analysis }, .nr_analyses = 1 };
	struct rs_source *source = rs_lines_source(there, &rs_layouts[0]);
	struct rs_error err = { 0 };
	struct rs_session *s = rs_session_new(&config, &err);

	ck_assert_msg(s && rs_session_attach(s, source, &err) == 0, "%s", err.text);
	while (rs_session_run(s, 1000, &err) == RS_RUN_MORE)
		;
	ck_assert_int_eq(rs_machine_ends_collect(ends, s, "guest"), 0);
	if (is_on_clock)
		ck_assert_int_eq(rs_far_turns_collect(ends, s), 0);
	rs_machine_ends_sort(ends);
	rs_session_free(s);
	source->ops->close(source);
}

START_TEST(a_turn)
{
	struct rs_machine_ends ends = { 0 };

	collect(&ends, true);
	ck_assert_uint_eq(ends.nr, 1);
	ck_assert_str_eq(ends.row->task.comm, "db");
	ck_assert_uint_eq(ends.nr_far_turns, 1);
	ck_assert_uint_eq(ends.far_turns->from_ns, 2010);
	ck_assert_uint_eq(ends.far_turns->to_ns, 6000);
	ck_assert_uint_eq(ends.far_turns->part, RS_PART_TIMER);
	ck_assert_uint_eq(ends.far_turns->part_ns, 2970);
	check_rows(ASK("wait-tree", .some = true, .machine_ends = &ends), here,
		   ROWS("kind=part part=socket peer='db (20) on guest' text='  socket, db (20) on guest, which has the turn for 0.004 ms: timer 0.003 ms'"));
	rs_machine_ends_done(&ends);
}
END_TEST

/* Times of its own tell nothing of when it had the turn. */
START_TEST(another_clock)
{
	struct rs_machine_ends ends = { 0 };

	collect(&ends, false);
	check_rows(ASK("wait-tree", .some = true, .machine_ends = &ends), here, ROWS("kind=part part=socket text='  socket, db (20) on guest'"));
	rs_machine_ends_done(&ends);
}
END_TEST

Suite *rs_suite_far_turns(void);
Suite *rs_suite_far_turns(void)
{
	Suite *s = suite_create("far-turns");
	TCase *t = tcase_create("far-turns");

	tcase_add_test(t, a_turn);
	tcase_add_test(t, another_clock);
	suite_add_tcase(s, t);
	return s;
}
