// SPDX-License-Identifier: GPL-2.0-or-later
/* test-packet-drops - packets that are dropped because something is full: traces of a tenth of a second */
#include <check.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* a/10 is in sendto when its packets are dropped, in its own time or (in_interrupt) in what interrupts it. */
struct drops_stage {
	unsigned int nr, reason;
	bool in_interrupt;
};

static void drops_check(struct drops_stage h, const char *const *expected)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("with kfree_skb");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1000 cpu0 sys_enter t=10 nr=sendto 3 0 1000 0");
	for (unsigned int i = 0; i < h.nr; i++)
		made_line("%u000 cpu0 kfree_skb 256 %u protocol=2048 t=10 common_flags=%d", 10 + i, h.reason, h.in_interrupt ? 16 : 0);
	made_line("1000000 cpu0 sys_exit t=10 nr=sendto ret=1000");
	made_line("100001000 cpu0 sched_switch a/10 S -> idle/0");
	check_rows(FINDINGS, made_lines, expected);
}

static const struct drops_stage drops = { 20, 64, false };

#define STAGE(...) ({ struct drops_stage h = drops; __VA_ARGS__; h; })

START_TEST(a_queue_is_full)
{
	drops_check(drops, ROWS("rule=packet-drops victim=a text='a (10) loses 200 packets a second, reason QDISC_DROP: the queue of a "
				"network device is full'"));
	/* somebody's, who is interrupted */
	drops_check(STAGE(h.in_interrupt = true), ROWS("rule=packet-drops victim='the network'"));
	/* a few; for a reason that is none; for one that the kernel does not name */
	drops_check(STAGE(h.nr = 4), NO_ROWS);
	drops_check(STAGE(h.reason = 3), NO_ROWS);
	drops_check(STAGE(h.reason = 77), NO_ROWS);
}
END_TEST

Suite *rs_suite_packet_drops(void);
Suite *rs_suite_packet_drops(void)
{
	Suite *s = suite_create("packet-drops");
	TCase *t = tcase_create("all");

	tcase_add_test(t, a_queue_is_full);
	suite_add_tcase(s, t);
	return s;
}
