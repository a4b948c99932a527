// SPDX-License-Identifier: GPL-2.0-or-later
/* test-herd - who is woken with many others for what one of them gets: traces of a tenth of a second */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* p/9 wakes nr_tasks of python3/10, python3/11 ... each 4 ms, which wait in a call; nr_got of them find something, and all sleep in it again after run_us. */
struct herd_stage {
	const char *call;
	unsigned int nr_tasks, nr_events, nr_got, run_us, apart_us;
	bool by_lock;   /* each has to take a lock to look, for which it sleeps */
	bool got_waits; /* who got something waits for more of it, in read */
	unsigned int nr_programs; /* they are processes, of so many programs in turn; 0: threads */
};

static void herd_put_lock(unsigned int us, unsigned int tid, const char *call)
{
	made_line("%u010 cpu0 sys_exit t=%u nr=futex ret=0", us, tid);
	made_line("%u020 cpu0 sys_enter t=%u nr=futex 2000 80 2", us, tid);
	made_line("%u030 cpu0 sched_switch python3/%u S -> idle/0", us, tid);
	made_line("%u040 cpu1 sched_waking python3/%u target=0 by p/9", us, tid);
	made_line("%u050 cpu0 sched_switch idle/0 R -> python3/%u next_prio=120", us, tid);
	made_line("%u060 cpu0 sys_exit t=%u nr=futex ret=0", us, tid);
	made_line("%u070 cpu0 sys_enter t=%u nr=%s", us, tid, call);
}

static void herd_put_event(unsigned int us, const struct herd_stage *h)
{
	char prev[16] = "idle/0", call[16];

	snprintf(call, sizeof call, "%.*s", (int)strcspn(h->call, " "), h->call);
	for (unsigned int i = 0; i < h->nr_tasks; i++)
		made_line("%u000 cpu1 sched_waking python3/%u target=0 by p/9", us + i * h->apart_us, 10 + i);
	us += h->nr_tasks * h->apart_us + 1;
	for (unsigned int i = 0; i < h->nr_tasks; i++, us += h->run_us) {
		made_line("%u001 cpu0 sched_switch %s %s -> python3/%u next_prio=120", us, prev, i ? "S" : "R", 10 + i);
		snprintf(prev, sizeof prev, "python3/%u", 10 + i);
		if (h->by_lock)
			herd_put_lock(us, 10 + i, h->call);
		if (i >= h->nr_got)
			continue;
		made_line("%u100 cpu0 sys_exit t=%u nr=%s ret=1", us, 10 + i, call);
		made_line("%u200 cpu0 sys_enter t=%u nr=read 3 4 8", us, 10 + i);
		if (h->got_waits) {
			made_line("%u210 cpu0 sched_switch python3/%u S -> idle/0", us, 10 + i);
			made_line("%u220 cpu1 sched_waking python3/%u target=0 by p/9", us, 10 + i);
			made_line("%u230 cpu0 sched_switch idle/0 R -> python3/%u next_prio=120", us, 10 + i);
		}
		made_line("%u300 cpu0 sys_exit t=%u nr=read ret=8", us, 10 + i);
		made_line("%u400 cpu0 sys_enter t=%u nr=%s", us, 10 + i, h->call);
	}
	made_line("%u001 cpu0 sched_switch %s S -> idle/0", us, prev);
}

static void herd_check(struct herd_stage h, const char *const *expected)
{
	made_lines_begin();
	made_line("seed p/9 pid=9");
	for (unsigned int i = 0; i < h.nr_tasks; i++) {
		made_line("seed python3/%u pid=%u", 10 + i, h.nr_programs ? 10 + i : 10);
		if (h.nr_programs)
			made_line("args %u python3 program-%u.py", 10 + i, i % h.nr_programs);
	}
	made_line("1 cpu1 sched_switch idle/0 R -> p/9 next_prio=120");
	for (unsigned int i = 0; i < h.nr_tasks; i++) {
		made_line("%u00 cpu0 sched_switch idle/0 R -> python3/%u next_prio=120", 10 + 4 * i, 10 + i);
		made_line("%u00 cpu0 sys_enter t=%u nr=%s", 11 + 4 * i, 10 + i, h.call);
		made_line("%u00 cpu0 sched_switch python3/%u S -> idle/0", 12 + 4 * i, 10 + i);
	}
	for (unsigned int event = 0; event < h.nr_events; event++)
		herd_put_event(event * (98000 / h.nr_events) + 1000, &h);
	made_line("100001000 cpu1 sched_switch p/9 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

static const struct herd_stage herd = { "epoll_wait 3 4 5", 6, 25, 1, 5, 2 };

#define STAGE(...) ({ struct herd_stage h = herd; __VA_ARGS__; h; })

START_TEST(many_for_what_one_gets)
{
	herd_check(herd,
		   ROWS("rule=herd victim=python3 culprit=p text='python3 (10) wakes 1249 times a second in vain, in epoll_wait (a "
			"thundering herd): p (9) wakes 6 at a time, of which 5 find nothing, take 5 us on a CPU each and sleep again'"));
	/* a condition of the program: FUTEX_WAIT_BITSET until a time */
	herd_check(STAGE(h.call = "futex 1000 189 0"), ROWS("rule=herd"));
	/* the lock of that condition, which each has to take; a connection, on which nothing has come yet */
	herd_check(STAGE(h.call = "futex 1000 189 0", h.by_lock = true, h.nr_events = 12, h.nr_tasks = 10),
		   ROWS("rule=herd"));
	herd_check(STAGE(h.got_waits = true), ROWS("rule=herd"));
	herd_check(STAGE(h.nr_programs = 1), ROWS("rule=herd"));
}
END_TEST

/* Each differs in one thing. */
START_TEST(no_herd)
{
	/* two of them get something: a queue of work; or nobody, as where all work for a moment and meet again (a barrier) */
	herd_check(STAGE(h.nr_got = 2), NO_ROWS);
	herd_check(STAGE(h.nr_tasks = 8, h.nr_got = 2, h.nr_events = 18), NO_ROWS);
	herd_check(STAGE(h.nr_got = 0), NO_ROWS);
	/* of one interpreter, and not of one program */
	herd_check(STAGE(h.nr_programs = 2), NO_ROWS);
	/* they work, without a call */
	herd_check(STAGE(h.run_us = 60), NO_ROWS);
	herd_check(STAGE(h.run_us = 110), NO_ROWS);
}
END_TEST

START_TEST(no_herd_of_so_few)
{
	/* too rarely; too few; one after the other */
	herd_check(STAGE(h.nr_events = 19), NO_ROWS);
	herd_check(STAGE(h.nr_tasks = 3, h.nr_events = 55, h.run_us = 1), NO_ROWS);
	herd_check(STAGE(h.apart_us = 110), NO_ROWS);
	/* a lock, of which another rule tells; a sleep */
	herd_check(STAGE(h.call = "futex 1000 80 2"), ROWS("rule=futex-lock"));
	herd_check(STAGE(h.call = "nanosleep 1 0 0"), NO_ROWS);
}
END_TEST

Suite *rs_suite_herd(void);
Suite *rs_suite_herd(void)
{
	Suite *s = suite_create("herd");
	TCase *t = tcase_create("all");

	tcase_add_test(t, many_for_what_one_gets);
	tcase_add_test(t, no_herd);
	tcase_add_test(t, no_herd_of_so_few);
	tcase_set_timeout(t, 30); /* many recordings, each in all layouts */
	suite_add_tcase(s, t);
	return s;
}
