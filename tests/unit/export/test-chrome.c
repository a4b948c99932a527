// SPDX-License-Identifier: GPL-2.0-or-later
/* test-chrome - the export that viewers read: whole and true whatever the recording holds */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chrome-check.h"
#include "export/chrome/chrome.h"
#include "lines.h"
#include "recording/recording.h"

#define export_lines(lines) rs_chrome_export(rs_lines_source(lines, &rs_layouts[_i]), false, 0, 0)

/* ---- slices that nest ---- */

START_TEST(inside_and_apart)
{
	struct rs_nest n = { 0 };

	ck_assert_uint_eq(rs_nest_add(&n, 10, 20), 10);
	ck_assert_uint_eq(rs_nest_add(&n, 20, 30), 20); /* behind it */
	ck_assert_uint_eq(rs_nest_add(&n, 5, 40), 5);   /* around both */
	ck_assert_uint_eq(rs_nest_add(&n, 41, 50), 41);
}
END_TEST

START_TEST(overlap_is_cut)
{
	struct rs_nest n = { 0 };

	rs_nest_add(&n, 10, 20);
	ck_assert_uint_eq(rs_nest_add(&n, 15, 30), 20);
	ck_assert_uint_eq(rs_nest_add(&n, 20, 31), 20); /* around the one that was cut */
	ck_assert_uint_eq(rs_nest_add(&n, 25, 31), 31); /* within it, and as late: nothing is left */
	ck_assert_uint_eq(rs_nest_add(&n, 2, 30), 30);  /* an end that goes back */
}
END_TEST

/* Whatever comes in order of ends: no two that were let through overlap. */
START_TEST(random_slices_nest)
{
	uint64_t from[300], to[300], now = 0;
	struct rs_nest n = { 0 };

	srand48(_i);
	for (int i = 0; i < 300; i++) {
		now += (uint64_t)lrand48() % 4;
		to[i] = now;
		from[i] = now - (uint64_t)lrand48() % (lrand48() % 8 ? 10 : 200) % (now + 1);
		from[i] = rs_nest_add(&n, from[i], to[i]);
		ck_assert_uint_le(from[i], to[i]);
		for (int k = 0; k < i; k++) {
			bool apart = to[k] <= from[i] || to[i] <= from[k], inside = from[k] >= from[i] && to[k] <= to[i];
			bool around = from[i] >= from[k] && to[i] <= to[k];

			ck_assert_msg(apart || inside || around, "[%lu, %lu] and [%lu, %lu]", from[k], to[k], from[i], to[i]);
		}
	}
}
END_TEST

/* ---- what becomes of what ---- */

START_TEST(states_and_running_tasks)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sched_switch idle/0 R -> a/10",
		"3000 cpu0 sched_switch a/10 S -> idle/0",
		"5000 cpu1 sched_waking a/10 target=0 by idle/0",
		"6000 cpu0 sched_switch idle/0 R -> a/10",
		"7000 cpu0 sched_switch a/10 R -> b/11"));
	const cJSON *sleep = rs_chrome_only(t, "T", "S");

	rs_chrome_check(t);
	/* the second slice, a's wait at the end, and b that runs to the end */
	ck_assert_uint_eq(rs_chrome_count(t, "T", "Running"), 3);
	ck_assert(rs_chrome_number(sleep, "ts") == 3 && rs_chrome_number(sleep, "dur") == 2);
	ck_assert(rs_chrome_number(sleep, "tid") == 10);
	ck_assert(rs_chrome_number(rs_chrome_only(t, "T", "R"), "dur") == 1);
	rs_chrome_only(t, "T", "R+");
	rs_chrome_free(t);
}
END_TEST

/* Of the one in a call that wakes to the one in a call that is woken; both ends in an open slice. */
START_TEST(a_wakeup_is_a_flow)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sys_enter t=10 nr=read 3 0 1",
		"1100 cpu0 sched_switch a/10 S -> idle/0",
		"2000 cpu1 sys_enter t=20 nr=write 4 0 1",
		"2100 cpu1 sched_waking a/10 target=0 by b/20",
		"2200 cpu1 sys_exit t=20 nr=write ret=1",
		"2300 cpu0 sched_switch idle/0 R -> a/10",
		"2400 cpu0 sys_exit t=10 nr=read ret=1"));
	const cJSON *from = rs_chrome_only(t, "s", "wake"), *to = rs_chrome_only(t, "f", "wake");

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(from, "tid") == 20 && rs_chrome_number(from, "ts") == 2.1);
	ck_assert(rs_chrome_number(to, "tid") == 10 && rs_chrome_number(to, "ts") == 2.3);
	rs_chrome_free(t);
}
END_TEST

#define LOCAL_STATE(ns, sk, from_to, local, remote, flags) \
	#ns " cpu0 inet_sock_set_state " #sk " " from_to " " local " " remote " t=20 protocol=6 common_flags=" #flags
#define BOTH_ENDS \
	"seed a/10 pid=10", "seed b/20 pid=20", "with inet_sock_set_state", "with sock_send_length", "with sock_recv_length", \
		LOCAL_STATE(100, 1, "7 -> 2", "10.0.0.1:0", "10.0.0.2:80", 0), LOCAL_STATE(200, 1, "2 -> 1", "10.0.0.1:5000", "10.0.0.2:80", 16), \
		LOCAL_STATE(300, 2, "10 -> 3", "10.0.0.2:80", "10.0.0.1:0", 16), LOCAL_STATE(400, 2, "3 -> 1", "10.0.0.2:80", "10.0.0.1:5000", 16)
#define SENDS(enter, ns, end) \
	#enter " cpu1 sys_enter t=20 nr=write 4 0 1", #ns " cpu1 sock_send_length 1 1 t=20 protocol=6", #end " cpu1 sys_exit t=20 nr=write ret=1"

/* b sends twice before a receives: one arrow, from the first. */
START_TEST(a_message_is_a_flow)
{
	struct chrome *t = export_lines(LINES(
		BOTH_ENDS, SENDS(1000, 1100, 1200), SENDS(1300, 1400, 1500),
		"2000 cpu0 sys_enter t=10 nr=read 3 0 2",
		"2100 cpu0 sock_recv_length 2 2 t=10 protocol=6",
		"2200 cpu0 sys_exit t=10 nr=read ret=2"));
	const cJSON *from = rs_chrome_only(t, "s", "wake"), *to = rs_chrome_only(t, "f", "wake");

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(from, "tid") == 20 && rs_chrome_number(from, "ts") == 1.1);
	ck_assert(rs_chrome_number(to, "tid") == 10 && rs_chrome_number(to, "ts") == 2.1);
	rs_chrome_free(t);
}
END_TEST

/* The wake-up has its arrow: there is no second one. */
START_TEST(a_message_that_wakes)
{
	struct chrome *t = export_lines(LINES(
		BOTH_ENDS,
		"900 cpu0 sys_enter t=10 nr=read 3 0 2",
		"950 cpu0 sched_switch a/10 S -> idle/0",
		"1000 cpu1 sys_enter t=20 nr=write 4 0 1",
		"1050 cpu1 sched_waking a/10 target=0 by b/20",
		"1100 cpu1 sock_send_length 1 1 t=20 protocol=6",
		"1200 cpu1 sys_exit t=20 nr=write ret=1",
		"1300 cpu0 sched_switch idle/0 R -> a/10",
		"1400 cpu0 sock_recv_length 2 1 t=10 protocol=6",
		"1500 cpu0 sys_exit t=10 nr=read ret=1"));

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(rs_chrome_only(t, "s", "wake"), "ts") == 1.05);
	rs_chrome_free(t);
}
END_TEST

/* JSON knows no lives: a tid that is used again is another thread, by a number made up. */
static void check_link(struct chrome *t, const char *name, double tid, double from_us, double length_us)
{
	const cJSON *slice = rs_chrome_only(t, "X", name);

	ck_assert_str_eq(cJSON_GetObjectItem(slice, "cat")->valuestring, "critical-path");
	ck_assert_double_eq(rs_chrome_number(slice, "tid"), tid);
	ck_assert_double_eq(rs_chrome_number(slice, "ts"), from_us);
	ck_assert_double_eq(rs_chrome_number(slice, "dur"), length_us);
}

/*
 * a sleeps in read from 1100 to 8300, until b writes; in that time b from 1300 to 7300, until c writes, which runs. The flow
 * goes from c to b to a, each end in the last nanosecond of a slice.
 */
START_TEST(a_critical_path)
{
	struct chrome *t = export_lines(LINES(
		"900 cpu0 sched_waking a/10 target=0 by idle/0", "910 cpu0 sched_switch idle/0 R -> a/10",
		"900 cpu1 sched_waking b/11 target=1 by idle/0", "910 cpu1 sched_switch idle/0 R -> b/11",
		"900 cpu2 sched_waking c/12 target=2 by idle/0", "910 cpu2 sched_switch idle/0 R -> c/12",
		"1000 cpu0 sys_enter t=10 nr=read", "1100 cpu0 sched_switch a/10 S -> idle/0",
		"1200 cpu1 sys_enter t=11 nr=read", "1300 cpu1 sched_switch b/11 S -> idle/0",
		"7300 cpu2 sched_waking b/11 target=1 by c/12", "7400 cpu1 sched_switch idle/0 R -> b/11", "7500 cpu1 sys_exit t=11 nr=read ret=1",
		"8300 cpu1 sched_waking a/10 target=0 by b/11", "8400 cpu0 sched_switch idle/0 R -> a/10", "9000 cpu0 sys_exit t=10 nr=read ret=1"));
	const cJSON *from = rs_chrome_only(t, "s", "critical path"), *step = rs_chrome_only(t, "t", "critical path");
	const cJSON *to = rs_chrome_only(t, "f", "critical path");

	rs_chrome_check(t);
	check_link(t, "waits for b (read, write)", 10, 1.1, 7.2);
	check_link(t, "waits for c (read, write)", 11, 1.3, 6);
	check_link(t, "on a CPU", 12, 7.299, 0.001);
	ck_assert(rs_chrome_number(from, "tid") == 12 && rs_chrome_number(from, "ts") == 7.299);
	ck_assert(rs_chrome_number(step, "tid") == 11 && rs_chrome_number(step, "ts") == 7.299);
	ck_assert(rs_chrome_number(to, "tid") == 10 && rs_chrome_number(to, "ts") == 8.299);
	rs_chrome_free(t);
}
END_TEST

/*
 * Of each process the slowest: a waits for b from 1100 to 8300 and once more from 9200 to 9400, x for y from 1100 to 3900. The
 * longer path is the first.
 */
START_TEST(paths_of_two_processes)
{
	struct chrome *t = export_lines(LINES(
		"900 cpu0 sched_waking a/10 target=0 by idle/0", "910 cpu0 sched_switch idle/0 R -> a/10",
		"900 cpu1 sched_waking b/11 target=1 by idle/0", "910 cpu1 sched_switch idle/0 R -> b/11",
		"900 cpu2 sched_waking x/20 target=2 by idle/0", "910 cpu2 sched_switch idle/0 R -> x/20",
		"900 cpu3 sched_waking y/21 target=3 by idle/0", "910 cpu3 sched_switch idle/0 R -> y/21",
		"1000 cpu0 sys_enter t=10 nr=read", "1100 cpu0 sched_switch a/10 S -> idle/0",
		"1000 cpu2 sys_enter t=20 nr=read", "1100 cpu2 sched_switch x/20 S -> idle/0",
		"3900 cpu3 sched_waking x/20 target=2 by y/21", "3950 cpu2 sched_switch idle/0 R -> x/20", "4000 cpu2 sys_exit t=20 nr=read ret=1",
		"8300 cpu1 sched_waking a/10 target=0 by b/11", "8400 cpu0 sched_switch idle/0 R -> a/10", "9000 cpu0 sys_exit t=10 nr=read ret=1",
		"9100 cpu0 sys_enter t=10 nr=read", "9200 cpu0 sched_switch a/10 S -> idle/0",
		"9400 cpu1 sched_waking a/10 target=0 by b/11", "9450 cpu0 sched_switch idle/0 R -> a/10", "9500 cpu0 sys_exit t=10 nr=read ret=1"));

	rs_chrome_check(t);
	ck_assert_uint_eq(rs_chrome_count(t, "s", "critical path"), 2);
	check_link(t, "waits for b (read, write)", 10, 1.1, 7.2);
	check_link(t, "waits for y (read, write)", 20, 1.1, 2.8);
	ck_assert_double_eq(rs_chrome_number(cJSON_GetObjectItem(rs_chrome_only(t, "X", "waits for b (read, write)"), "args"), "path"), 1);
	ck_assert_double_eq(rs_chrome_number(cJSON_GetObjectItem(rs_chrome_only(t, "X", "waits for y (read, write)"), "args"), "path"), 2);
	rs_chrome_free(t);
}
END_TEST

/* a waits for the disk: no flow, since no task let it go on. */
START_TEST(a_wait_without_a_waker)
{
	struct chrome *t = export_lines(LINES(
		"900 cpu0 sched_waking a/10 target=0 by idle/0", "910 cpu0 sched_switch idle/0 R -> a/10",
		"1000 cpu0 sys_enter t=10 nr=read 3 0 1", "1100 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
		"1200 cpu0 sched_switch a/10 D -> idle/0", "5000 cpu0 block_rq_complete t=0 8,0 R sector=100 nr=8",
		"5000 cpu0 sched_waking a/10 target=0 by idle/0", "5100 cpu0 sched_switch idle/0 R -> a/10", "5200 cpu0 sys_exit t=10 nr=read ret=1"));

	rs_chrome_check(t);
	ck_assert_uint_eq(rs_chrome_count(t, "s", "critical path"), 0);
	rs_chrome_free(t);
}
END_TEST

START_TEST(a_tid_used_again)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sched_switch idle/0 R -> a/10",
		"2000 cpu0 sched_switch a/10 X -> idle/0",
		"3000 cpu0 task_newtask new/10 flags=0 by init/1",
		"4000 cpu0 sched_switch idle/0 R -> new/10",
		"5000 cpu0 sched_switch new/10 S -> idle/0"));
	const cJSON *event;
	double tids[2] = { 0 };
	int nr = 0;

	rs_chrome_check(t);
	cJSON_ArrayForEach(event, t->events)
		if (!strcmp(cJSON_GetObjectItem(event, "ph")->valuestring, "T") && nr < 2 && rs_chrome_number(event, "dur") == 1)
			tids[nr++] = rs_chrome_number(event, "tid");
	ck_assert_int_eq(nr, 2);
	ck_assert(tids[0] == 10 && tids[1] > 4194304);
	rs_chrome_free(t);
}
END_TEST

START_TEST(hostile_names)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sched_switch idle/0 R -> a\"\\\n\x01\x1b]0;/10",
		"2000 cpu0 sched_switch a\"\\\n\x01\x1b]0;/10 S -> \xff\xfe/11",
		"3000 cpu0 sched_switch \xff\xfe/11 S -> idle/0"));

	rs_chrome_check(t);
	for (const char *p = t->text; *p; p++)
		ck_assert_msg((unsigned char)*p >= ' ' || *p == '\n', "a raw control character");
	rs_chrome_free(t);
}
END_TEST

/* A label that is made once, and one that is too long for that, each for several spans: escaped it is 6 times as long. */
START_TEST(labels_short_and_long)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 irq_handler_entry t=10 24 \x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04",
		"1100 cpu0 irq_handler_exit t=10 24 ret=1",
		"1200 cpu0 irq_handler_entry t=10 25 eth0",
		"1300 cpu0 irq_handler_exit t=10 25 ret=1",
		"1400 cpu0 irq_handler_entry t=10 24 \x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04",
		"1500 cpu0 irq_handler_exit t=10 24 ret=1",
		"1600 cpu0 irq_handler_entry t=10 25 eth0",
		"1700 cpu0 irq_handler_exit t=10 25 ret=1"));

	rs_chrome_check(t);
	ck_assert_uint_eq(rs_chrome_count(t, "X", "eth0"), 2);
	ck_assert_uint_eq(rs_chrome_count(t, "X", "\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04"), 2);
	rs_chrome_free(t);
}
END_TEST

/* Of a process that is led by another thread: its number is that of the leader, from when it is known. */
START_TEST(the_leader_becomes_known)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sched_process_exec /bin/a t=10 pid=10 old=10",
		"2000 cpu0 task_newtask b/12 flags=10000 by a/10",
		"3000 cpu0 sys_enter t=12 nr=read 3 0 1",
		"3100 cpu0 sys_exit t=12 nr=read ret=10",
		"4000 cpu0 sched_process_exec /bin/x t=12 pid=12 old=12",
		"5000 cpu0 sys_enter t=12 nr=write 3 0 1",
		"5100 cpu0 sys_exit t=12 nr=write ret=1"));
	const cJSON *before = rs_chrome_only(t, "X", "read"), *after = rs_chrome_only(t, "X", "write");

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(before, "pid") == 10 && rs_chrome_number(before, "tid") == 12);
	ck_assert(rs_chrome_number(after, "pid") == 12 && rs_chrome_number(after, "tid") == 12);
	rs_chrome_free(t);
}
END_TEST

static const char *args_of(struct chrome *t, const char *call)
{
	const cJSON *args = cJSON_GetObjectItem(cJSON_GetObjectItem(rs_chrome_only(t, "X", call), "args"), "args");

	return args ? args->valuestring : "none";
}

/* What a call does not take is what registers happened to hold. Of 32 bits nobody knows how many words an argument has. */
START_TEST(the_words_that_a_call_takes)
{
	bool narrow = rs_layouts[_i].long_bytes == 4;
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sys_enter t=10 nr=read 3 abcdef0 1000 9 9 9", "1100 cpu0 sys_exit t=10 nr=read ret=0",
		"1200 cpu0 sys_enter t=10 nr=fork 1 2 3 4 5 6", "1300 cpu0 sys_exit t=10 nr=fork ret=11",
		"1400 cpu0 sys_enter t=10 nr=futex 1000 189 2 0 0 ffffffff", "1500 cpu0 sys_exit t=10 nr=futex ret=-11",
		"1600 cpu0 sys_enter t=10 nr=999 1 2 3 4 5 6", "1700 cpu0 sys_exit t=10 nr=999 ret=0"));

	rs_chrome_check(t);
	ck_assert_str_eq(args_of(t, "read"), narrow ? "0x3 0xabcdef0 0x1000 0x9 0x9 0x9" : "0x3 0xabcdef0 0x1000");
	ck_assert_str_eq(args_of(t, "fork"), narrow ? "0x1 0x2 0x3 0x4 0x5 0x6" : "none");
	ck_assert_str_eq(args_of(t, "futex"), "0x1000 0x189 0x2 0x0 0x0 0xffffffff");
	ck_assert_str_eq(args_of(t, "syscall_999"), "0x1 0x2 0x3 0x4 0x5 0x6");
	rs_chrome_free(t);
}
END_TEST

START_TEST(a_call_that_is_open_at_the_end)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sys_enter t=10 nr=read 3 0 1",
		"3000 cpu0 sys_enter t=11 nr=write 3 0 1"));
	const cJSON *open = rs_chrome_only(t, "X", "read");

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(open, "dur") == 2);
	ck_assert(rs_chrome_number(cJSON_GetObjectItem(open, "args"), "open") == 1);
	rs_chrome_free(t);
}
END_TEST

/* On its CPU's track, within the slice that it interrupts. */
START_TEST(interrupts_on_their_cpu)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sched_switch idle/0 R -> a/10",
		"2000 cpu0 softirq_entry t=10 3",
		"2100 cpu0 irq_handler_entry t=10 24 eth0",
		"2400 cpu0 irq_handler_exit t=10 24 ret=1",
		"2800 cpu0 softirq_exit t=10 3",
		"4000 cpu0 sched_switch a/10 S -> idle/0"));
	const cJSON *irq = rs_chrome_only(t, "X", "eth0"), *softirq = rs_chrome_only(t, "X", "NET_RX");

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(irq, "dur") == 0.3 && rs_chrome_number(softirq, "dur") == 0.8);
	ck_assert(rs_chrome_number(irq, "pid") == rs_chrome_number(softirq, "pid") && rs_chrome_number(irq, "pid") >= 1 << 30);
	ck_assert(rs_chrome_number(irq, "tid") == rs_chrome_number(softirq, "tid"));
	ck_assert(rs_chrome_number(cJSON_GetObjectItem(irq, "args"), "id") == 24);
	ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(irq, "args"), "comm")->valuestring, "a");
	rs_chrome_free(t);
}
END_TEST

/* What a gap overlaps is left out, and the gap is there to be seen. */
START_TEST(loss_in_the_middle)
{
	struct chrome *t = export_lines(LINES(
		"1000 cpu0 sched_switch idle/0 R -> a/10",
		"1500 cpu0 sys_enter t=10 nr=read 3 0 1",
		"cpu0 lost 5",
		"9000 cpu0 sys_exit t=10 nr=read ret=1",
		"9500 cpu0 sched_switch a/10 S -> idle/0"));
	const cJSON *loss = rs_chrome_only(t, "i", "lost events");

	rs_chrome_check(t);
	ck_assert_uint_eq(rs_chrome_count(t, "X", "read"), 0);
	ck_assert_str_eq(cJSON_GetObjectItem(loss, "s")->valuestring, "t"); /* on the track of its CPU, which has a name */
	ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(loss, "args"), "lost")->valuestring, "5");
	rs_chrome_free(t);
}
END_TEST

/* From its issue to the end, with what is known of it; of a complete one beside it nothing says that it is open. */
START_TEST(a_request_in_flight)
{
	struct chrome *t = export_lines(LINES("1000 cpu0 block_rq_issue t=10 8,0 R 4096 sector=100 nr=8 comm=a",
					      "2000 cpu0 block_rq_issue t=10 8,0 W 512 sector=200 nr=1 comm=a",
					      "4000 cpu0 block_rq_complete t=0 8,0 W sector=200 nr=1"));
	const cJSON *begin = rs_chrome_only(t, "b", "R"), *end = rs_chrome_only(t, "e", "R");
	const cJSON *complete = rs_chrome_only(t, "b", "W");

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(end, "ts") - rs_chrome_number(begin, "ts") == 3);
	ck_assert(rs_chrome_number(cJSON_GetObjectItem(begin, "args"), "open") == 1);
	ck_assert(rs_chrome_number(cJSON_GetObjectItem(begin, "args"), "tid") == 10);
	ck_assert_ptr_null(cJSON_GetObjectItem(cJSON_GetObjectItem(complete, "args"), "open"));
	rs_chrome_free(t);
}
END_TEST

/* A recording of calls alone has no states and no disks: what there is is written. */
START_TEST(a_recording_of_few_events)
{
	struct chrome *t = export_lines(LINES("without sched_switch", "without sched_waking", "without block_rq_issue",
					      "1000 cpu0 sys_enter t=10 nr=read 1 2 3",
					      "1500 cpu0 sys_exit t=10 nr=read ret=0"));

	rs_chrome_check(t);
	ck_assert_uint_eq(rs_chrome_count(t, "X", "read"), 1);
	rs_chrome_free(t);
}
END_TEST

/* No span, no state: markers, values and what nobody reads are a picture all the same. */
START_TEST(instants_and_counters)
{
	struct chrome *t = export_lines(LINES("without sched_switch", "1000 cpu0 print frame_7 t=10", "1200 cpu1 write_msr t=10",
					      "1500 cpu0 cpu_frequency 800000 1 t=0", "1800 cpu0 cpu_idle 4294967295 1 t=0"));
	const cJSON *e;

	rs_chrome_check(t);
	ck_assert(!t->empty);
	e = rs_chrome_only(t, "i", "marker");
	ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(e, "args"), "text")->valuestring, "frame_7");
	e = rs_chrome_only(t, "i", "write_msr");
	ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(e, "args"), "fields")->valuestring, "msr=0 val=0 failed=0");
	e = rs_chrome_only(t, "C", "cpu_frequency of CPU 1");
	ck_assert_int_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(e, "args"), "kHz")->valueint, 800000);
	ck_assert_double_eq(cJSON_GetObjectItem(e, "ts")->valuedouble, 1.5);
	e = rs_chrome_only(t, "C", "cpu_idle of CPU 1");
	ck_assert_int_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(e, "args"), "state")->valueint, -1);
	rs_chrome_free(t);
}
END_TEST

#define PRESSURE \
	LINES("counts / usage=1", "counts /a usage=2", "pressure 1000000000 / cpu=0", "pressure 2000000000 / cpu=0", "pressure 2000000000 /a cpu=0 io=0", \
	      "pressure 3000000000 / cpu=0", "pressure 3000000000 /a cpu=510000000 io=4000000", \
	      "pressure 4000000000 / cpu=0", "pressure 4000000000 /a cpu=1510000000 io=8000000", \
	      "1000000000 cpu0 sched_switch idle/0 R -> a/10", "4000000000 cpu0 sched_switch a/10 S -> idle/0")

/* Two steps of the one that had any, and the end of the last; less than 1 % is none. */
START_TEST(pressure)
{
	struct chrome *t = export_lines(PRESSURE);

	rs_chrome_check(t);
	ck_assert_uint_eq(rs_chrome_count(t, "C", "cpu some /a"), 3);
	ck_assert_uint_eq(rs_chrome_count(t, "C", "io some /a"), 0);
	ck_assert_uint_eq(rs_chrome_count(t, "C", "cpu some /"), 0);
	rs_chrome_free(t);
}
END_TEST

/* A thread of the process of all connections: its states as slices, and what is sent again. */
START_TEST(a_connection)
{
	struct chrome *t = export_lines(LINES(
		"seed a/10 pid=10", "with inet_sock_set_state", "with tcp_retransmit_skb",
		"1000 cpu0 inet_sock_set_state 1 7 -> 2 10.0.0.1:0 10.0.0.2:80 t=10 protocol=6 common_flags=0",
		"3000 cpu0 inet_sock_set_state 1 2 -> 1 10.0.0.1:5000 10.0.0.2:80 t=10 protocol=6 common_flags=16",
		"4000 cpu0 tcp_retransmit_skb 1 10.0.0.1:5000 10.0.0.2:80 t=10 protocol=6",
		"9000 cpu0 inet_sock_set_state 1 1 -> 7 10.0.0.1:5000 10.0.0.2:80 t=10 protocol=6 common_flags=16"));
	const cJSON *open = rs_chrome_only(t, "X", "ESTAB");

	rs_chrome_check(t);
	ck_assert(rs_chrome_number(rs_chrome_only(t, "X", "SYN-SENT"), "dur") == 2);
	ck_assert(rs_chrome_number(open, "ts") == 3 && rs_chrome_number(open, "dur") == 6);
	ck_assert(rs_chrome_number(rs_chrome_only(t, "i", "retransmit"), "tid") == rs_chrome_number(open, "tid"));
	ck_assert_ptr_nonnull(strstr(t->text, "\"a TCP:[10.0.0.1:5000->10.0.0.2:80]\""));
	rs_chrome_free(t);
}
END_TEST

START_TEST(nothing_at_all)
{
	struct chrome *t = export_lines(LINES("without sched_waking"));

	rs_chrome_check(t);
	ck_assert(t->empty); /* names of CPUs are there, and are nothing to look at */
	rs_chrome_free(t);
}
END_TEST

/* ---- whole recordings ---- */

static const char *const recordings[] = {
	"debian-5.10-amd64-v6", "debian-6.1-amd64-lost", "debian-6.1-amd64-mixed", "debian-6.1-amd64-v6", "debian-6.1-i386-v6",
	"debian-6.1-s390x-v6", "host-6.18-amd64-v6",
};
#define NR_RECORDINGS ((int)(sizeof recordings / sizeof *recordings))

static struct rs_source *open_recording(int i)
{
	struct rs_error err = { 0 };
	struct rs_source *source;
	char path[128];

	snprintf(path, sizeof path, "tests/traces/%s.dat", recordings[i]);
	source = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(source, "%s", err.text);
	return source;
}

START_TEST(a_recording)
{
	struct chrome *t = rs_chrome_export(open_recording(_i), false, 0, 0);

	rs_chrome_check(t);
	ck_assert_uint_gt(rs_chrome_count(t, "T", "Running"), 10);
	rs_chrome_free(t);
}
END_TEST

START_TEST(a_recording_twice_is_the_same)
{
	struct chrome *a = rs_chrome_export(open_recording(_i), true, 0, 0), *b = rs_chrome_export(open_recording(_i), true, 0, 0);

	ck_assert_str_eq(a->text, b->text);
	ck_assert_uint_eq(rs_chrome_count(a, "T", NULL), 0); /* --compat has them as text */
	ck_assert_ptr_nonnull(cJSON_GetObjectItem(a->root, "systemTraceEvents"));
	rs_chrome_free(a);
	rs_chrome_free(b);
}
END_TEST

Suite *rs_suite_chrome(void);
Suite *rs_suite_chrome(void)
{
	Suite *s = suite_create("chrome");
	TCase *nest = tcase_create("nest"), *lines = tcase_create("lines"), *files = tcase_create("recordings");

	tcase_add_test(nest, inside_and_apart);
	tcase_add_test(nest, overlap_is_cut);
	tcase_add_loop_test(nest, random_slices_nest, 0, 50);
	tcase_add_loop_test(lines, states_and_running_tasks, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_wakeup_is_a_flow, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_message_is_a_flow, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_message_that_wakes, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_critical_path, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, paths_of_two_processes, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_wait_without_a_waker, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_tid_used_again, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, hostile_names, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, labels_short_and_long, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, the_leader_becomes_known, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, the_words_that_a_call_takes, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_call_that_is_open_at_the_end, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_request_in_flight, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, interrupts_on_their_cpu, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, loss_in_the_middle, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, a_recording_of_few_events, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, instants_and_counters, 0, (int)rs_nr_layouts);
	tcase_add_test(lines, pressure);
	tcase_add_loop_test(lines, a_connection, 0, (int)rs_nr_layouts);
	tcase_add_loop_test(lines, nothing_at_all, 0, (int)rs_nr_layouts);
	tcase_set_timeout(files, 60);
	tcase_add_loop_test(files, a_recording, 0, NR_RECORDINGS);
	tcase_add_loop_test(files, a_recording_twice_is_the_same, 0, NR_RECORDINGS);
	suite_add_tcase(s, nest);
	suite_add_tcase(s, lines);
	suite_add_tcase(s, files);
	return s;
}
