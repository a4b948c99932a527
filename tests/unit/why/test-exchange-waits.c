// SPDX-License-Identifier: GPL-2.0-or-later
/* test-exchange-waits - small pieces and delayed ACKs, many questions for little: traces of a tenth of a second to half a second */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* a/10 sends nr_sends times so many bytes to descriptor 3, and waits for so long; nr_exchanges times. An interrupt wakes it. */
struct exchange_stage {
	const char *send, *wait;
	unsigned int nr_exchanges, nr_sends, nr_bytes, wait_us;
};

static unsigned int exchange_lines(unsigned int us, const struct exchange_stage *h)
{
	char call[32];

	snprintf(call, sizeof call, "%.*s", (int)strcspn(h->wait, " "), h->wait);
	for (unsigned int i = 0; i < h->nr_sends; i++, us += 2) {
		made_line("%u000 cpu0 sys_enter t=10 nr=%s", us, h->send);
		made_line("%u000 cpu0 sys_exit t=10 nr=%.*s ret=%u", us + 1, (int)strcspn(h->send, " "), h->send, h->nr_bytes);
	}
	made_line("%u000 cpu0 sys_enter t=10 nr=%s", us, h->wait);
	made_line("%u500 cpu0 sched_switch a/10 S -> idle/0", us);
	us += h->wait_us;
	made_line("%u500 cpu1 sched_waking a/10 target=0 by idle/0", us);
	made_line("%u600 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", us);
	made_line("%u700 cpu0 sys_exit t=10 nr=%s ret=1", us, call);
	return us + 1;
}

static void exchange_check(struct exchange_stage h, const char *const *expected)
{
	unsigned int us = 1000;

	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("1000 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	for (unsigned int i = 0; i < h.nr_exchanges; i++)
		us = exchange_lines(us, &h);
	made_line("%u000 cpu0 sched_switch a/10 S -> idle/0", us + 1000);
	check_rows(FINDINGS, made_lines, expected);
}

static const struct exchange_stage delayed = { "sendto 3 0 100 0 0 0", "recvfrom 3 0 1000 0 0 0", 8, 2, 100, 41000 };

#define STAGE(...) ({ struct exchange_stage h = delayed; __VA_ARGS__; h; })

START_TEST(small_pieces)
{
	exchange_check(delayed, ROWS("rule=delayed-ack victim=a text='a (10) waits 8 times in recvfrom for 41 ms each, for an ACK that the peer "
				     "delays: it sends each request in 2 small pieces, of which TCP holds back the last one until the peer "
				     "acknowledges the first (Nagle)'"));
	exchange_check(STAGE(h.wait = "poll 0 1 1000"), ROWS("rule=delayed-ack"));
	exchange_check(STAGE(h.nr_exchanges = 2, h.wait_us = 205000), NO_ROWS);
}
END_TEST

/* Each differs in one thing. */
START_TEST(no_delayed_ack)
{
	/* one piece; large ones; a peer that takes its time, or is fast; another descriptor; a poll after what may be no socket */
	exchange_check(STAGE(h.nr_sends = 1), NO_ROWS);
	exchange_check(STAGE(h.nr_bytes = 1448), NO_ROWS);
	exchange_check(STAGE(h.nr_exchanges = 5, h.wait_us = 70000), NO_ROWS);
	exchange_check(STAGE(h.wait_us = 20000), NO_ROWS);
	exchange_check(STAGE(h.wait = "recvfrom 4 0 1000 0 0 0"), NO_ROWS);
	exchange_check(STAGE(h.send = "write 3 0 100", h.wait = "poll 0 1 1000"), NO_ROWS);
	exchange_check(STAGE(h.send = "sendto 3 0 100 0 9 16", h.wait = "poll 0 1 1000"), NO_ROWS);
}
END_TEST

START_TEST(many_questions)
{
	exchange_check(STAGE(h.nr_exchanges = 150, h.nr_sends = 1, h.wait_us = 900),
		       ROWS("rule=chatty victim=a text='a (10) asks 1091 times a second for an answer, in recvfrom: 98 % of its time are these "
			    "round trips, 900 us each, for requests of 100 B'"));
	/* too few; large ones; hardly waited for */
	exchange_check(STAGE(h.nr_exchanges = 55, h.nr_sends = 1, h.wait_us = 2100), NO_ROWS);
	exchange_check(STAGE(h.nr_exchanges = 150, h.nr_sends = 1, h.wait_us = 900, h.nr_bytes = 300), NO_ROWS);
}
END_TEST

Suite *rs_suite_exchange_waits(void);
Suite *rs_suite_exchange_waits(void)
{
	Suite *s = suite_create("exchange-waits");
	TCase *t = tcase_create("all");

	tcase_add_test(t, small_pieces);
	tcase_add_test(t, no_delayed_ack);
	tcase_add_test(t, many_questions);
	tcase_set_timeout(t, 30); /* many recordings, each in all layouts */
	suite_add_tcase(s, t);
	return s;
}
