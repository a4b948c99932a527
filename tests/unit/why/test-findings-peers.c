// SPDX-License-Identifier: GPL-2.0-or-later
/* test-findings-peers - who waits for another that sleeps before it answers, for a link, for who has a lock: traces of one second */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "made-lines.h"

#define FINDINGS ASK("tasks", .findings = true)

/* The task of CPU cpu sleeps in a call from then on; is woken by another, or an interrupt, runs again and returns. */
static void peers_put_asleep(unsigned int at_us, unsigned int cpu, const char *task, const char *call)
{
	made_line("%u000 cpu%u sys_enter t=%s nr=%s 3 4 5", at_us, cpu, strchr(task, '/') + 1, call);
	made_line("%u001 cpu%u sched_switch %s S -> idle/0", at_us, cpu, task);
}

static void peers_put_awake(unsigned int at_us, unsigned int cpu, const char *task, const char *call, const char *by)
{
	made_line("%u000 cpu%u sched_waking %s target=%u by %s", at_us, !strncmp(by, "idle", 4) ? cpu : 1 - cpu, task, cpu, by);
	made_line("%u001 cpu%u sched_switch idle/0 R -> %s next_prio=120", at_us, cpu, task);
	made_line("%u002 cpu%u sys_exit t=%s nr=%s ret=%d", at_us, cpu, strchr(task, '/') + 1, call, strcmp(call, "nanosleep") ? 5 : 0);
}

/*
 * In each of ten rounds a waits for 90 ms in a read, for b, which sleeps for 85 of them in nanosleep; then b waits for a, in
 * wait_call, for 5 ms. Nothing but their age, or that one is the other's child, tells who asks.
 */
static void peers_put_turns(const char *a, const char *b, const char *wait_call)
{
	made_line("1 cpu0 sched_switch idle/0 R -> %s next_prio=120", a);
	made_line("1 cpu1 sched_switch idle/0 R -> %s next_prio=120", b);
	for (unsigned int round = 0; round < 10; round++) {
		unsigned int us = round * 100000 + 10;

		peers_put_asleep(us, 0, a, "read");
		peers_put_asleep(us, 1, b, "nanosleep");
		peers_put_awake(us + 85000, 1, b, "nanosleep", "idle/0 irq");
		peers_put_awake(us + 90000, 0, a, "read", b);
		peers_put_asleep(us + 91000, 1, b, wait_call);
		peers_put_awake(us + 96000, 1, b, wait_call, a);
	}
	made_line("1000100000 cpu1 sched_switch %s S -> idle/0", b);
}

static void peers_check(const char *a, const char *b, const char *wait_call, const char *seed_a, const char *seed_b, const char *const *expected)
{
	made_lines_begin();
	made_line("seed sh/5 pid=5");
	made_line("seed a/6 pid=6");
	made_line("seed %s %s", a, seed_a);
	made_line("seed %s %s", b, seed_b);
	peers_put_turns(a, b, wait_call);
	check_rows(FINDINGS, made_lines, expected);
}

#define A_WAITS_FOR_B ROWS("rule=peer-read victim=a culprit=b")

START_TEST(a_peer_that_sleeps_before_it_answers)
{
	/* b was there first: a asks it; but nobody asks its parent */
	peers_check("a/20", "b/10", "read", "pid=20 ppid=5", "pid=10 ppid=5", A_WAITS_FOR_B);
	peers_check("a/20", "b/10", "read", "pid=20 ppid=10", "pid=10 ppid=5", NO_ROWS);
	/* a is a server's process for one client, whose parent is in no event; or its parent is unknown */
	peers_check("a/20", "b/10", "read", "pid=20 ppid=6", "pid=10 ppid=5", NO_ROWS);
	peers_check("a/20", "b/10", "read", "pid=20 ppid=7", "pid=10 ppid=5", NO_ROWS);
	/* b is younger: it may ask a at its leisure, but not if it is a's child */
	peers_check("a/10", "b/20", "read", "pid=10 ppid=5", "pid=20 ppid=5", NO_ROWS);
	peers_check("a/10", "b/20", "read", "pid=10 ppid=5", "pid=20 ppid=10", A_WAITS_FOR_B);
	/* it polls what it serves; and it does not wait for a at all: it may say what it likes when it likes */
	peers_check("a/10", "b/20", "epoll_wait", "pid=10 ppid=5", "pid=20 ppid=5", A_WAITS_FOR_B);
	peers_check("a/20", "b/10", "nanosleep", "pid=20 ppid=5", "pid=10 ppid=5", NO_ROWS);
}
END_TEST

static void peers_put_namesakes(const char *victim, const char *peer)
{
	made_lines_begin();
	made_line("args 20 /usr/bin/python3 -u /srv/server.py --password=***");
	made_line("args 10 python3 -m app.db --data /x");
	made_line("args 30 python3 worker.py");
	made_line("seed sh/5 pid=5");
	made_line("seed %s pid=10 ppid=5", peer);
	made_line("seed %s pid=20 ppid=5", victim);
	made_line("seed python3/30 pid=30 ppid=5");
	peers_put_turns(victim, peer, "read");
}

/* An idle process has the name of one, whose command line tells it; db and web are the only ones of their names. */
START_TEST(a_name_that_two_processes_have)
{
	peers_put_namesakes("python3/20", "db/10");
	check_rows(FINDINGS, made_lines,
		   ROWS("victim=python3 culprit=db text='python3 server.py (20) waits 90 % of its time in read for a peer, "
			"over a pipe or a socket: db (10) sleeps voluntarily in nanosleep'"));
	peers_put_namesakes("web/20", "python3/10");
	check_rows(FINDINGS, made_lines,
		   ROWS("victim=web culprit=python3 text='web (20) waits 90 % of its time in read for a peer, over a pipe or a "
			"socket: python3 -m app.db (10) sleeps voluntarily in nanosleep'"));
}
END_TEST

/* Both have the interpreter's name: what they run tells one from the other; where that is not known, they are two of a name. */
START_TEST(programs_of_one_interpreter)
{
	made_lines_begin();
	made_line("args 20 python3 client.py");
	made_line("args 10 python3 -u server.py");
	made_line("seed sh/5 pid=5");
	made_line("seed python3/10 pid=10 ppid=5");
	made_line("seed python3/20 pid=20 ppid=5");
	peers_put_turns("python3/20", "python3/10", "read");
	check_rows(FINDINGS, made_lines,
		   ROWS("text='python3 client.py (20) waits 90 % of its time in read for a peer, over a pipe or "
			"a socket: python3 server.py (10) sleeps voluntarily in nanosleep'"));
}
END_TEST

/* The same over a connection that a makes first, which has an address; a second one, once, and nothing is said of it. */
static void peers_put_over_tcp(unsigned int nr_connections)
{
	made_lines_begin();
	made_line("with inet_sock_set_state");
	made_line("seed sh/5 pid=5");
	made_line("seed a/20 pid=20 ppid=5");
	made_line("seed b/10 pid=10 ppid=5");
	for (unsigned int i = 0; i < nr_connections; i++) {
		made_line("%u cpu0 sys_enter t=20 nr=connect %u 4 5", 1 + i * 4, 3 + i);
		made_line("%u cpu0 inet_sock_set_state %u 7 -> 2 10.0.0.1:0 10.0.0.2:5432 t=20 protocol=6", 2 + i * 4, 1 + i);
		made_line("%u cpu0 inet_sock_set_state %u 2 -> 1 10.0.0.1:%u 10.0.0.2:5432 t=20 protocol=6", 3 + i * 4, 1 + i, 5000 + i);
		made_line("%u cpu0 sys_exit t=20 nr=connect ret=0", 4 + i * 4);
	}
	made_line("20 cpu0 sched_switch idle/0 R -> a/20 next_prio=120");
	made_line("20 cpu1 sched_switch idle/0 R -> b/10 next_prio=120");
	for (unsigned int round = 0; round < 10; round++) {
		unsigned int us = round * 100000 + 10, fd = 3 + (round == 1 && nr_connections > 1);

		made_line("%u000 cpu0 sys_enter t=20 nr=recvfrom %u 4 5", us, fd);
		made_line("%u001 cpu0 sched_switch a/20 S -> idle/0", us);
		peers_put_asleep(us, 1, "b/10", "nanosleep");
		peers_put_awake(us + 85000, 1, "b/10", "nanosleep", "idle/0 irq");
		peers_put_awake(us + 90000, 0, "a/20", "recvfrom", "b/10");
		peers_put_asleep(us + 91000, 1, "b/10", "read");
		peers_put_awake(us + 96000, 1, "b/10", "read", "a/20");
	}
	made_line("1000100000 cpu1 sched_switch b/10 S -> idle/0");
}

#define OVER_TCP(nr, text) \
	do { \
		peers_put_over_tcp(nr); \
		check_rows(FINDINGS, made_lines, ROWS("rule=peer-socket victim=a culprit=b text='" text "'")); \
	} while (0)

START_TEST(a_peer_with_an_address)
{
	OVER_TCP(1, "a (20) waits 90 % of its time in recvfrom for 10.0.0.2:5432 over TCP: b (10) sleeps voluntarily in nanosleep");
	OVER_TCP(2, "a (20) waits 90 % of its time in recvfrom for a peer, over a socket: b (10) sleeps voluntarily in nanosleep");
}
END_TEST

/* The peer's end of the sockets that a connects, as their event tells it; NULL: there is no such event. */
static const char *peers_remote;

/*
 * Four times a second a sends something, if it asks, and waits for wait_ms in select, until the time-out; once in a while there is an answer. b
 * reads it, or nobody does.
 */
static void peers_put_unanswered(const char *call, unsigned int wait_ms, unsigned int nr_answers, const char *reader, unsigned int nfds)
{
	made_lines_begin();
	if (peers_remote)
		made_line("with inet_sock_set_state");
	made_line("seed a/10 pid=10");
	made_line("seed b/11 pid=11");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	for (unsigned int round = 0; round < 8; round++) {
		unsigned int us = round * 125000 + 10;

		peers_put_asleep(us, 1, "b/11", "recvfrom");
		made_line("%u000 cpu0 sys_enter t=10 nr=%s 3 4 5", us + 1000, call);
		if (peers_remote)
			made_line("%u050 cpu0 inet_sock_set_state 1 7 -> 2 %s t=10 protocol=6", us + 1000, peers_remote);
		made_line("%u100 cpu0 sys_exit t=10 nr=%s ret=%d", us + 1000, call, strcmp(call, "connect") ? 5 : -115);
		made_line("%u200 cpu0 sys_enter t=10 nr=pselect6 %u 1 64", us + 1000, nfds);
		made_line("%u300 cpu0 sched_switch a/10 S -> idle/0", us + 1000);
		peers_put_awake(us + 2000, 1, "b/11", "recvfrom", reader);
		made_line("%u000 cpu0 sched_waking a/10 target=0 by idle/0 irq", us + wait_ms * 1000);
		made_line("%u001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", us + wait_ms * 1000);
		made_line("%u002 cpu0 sys_exit t=10 nr=pselect6 ret=%d", us + wait_ms * 1000, round < nr_answers);
	}
	made_line("1000100000 cpu0 sched_switch a/10 S -> idle/0");
}

/*
 * Of two processes b/11 and b/12 each sends something, on a socket that is connected, and polls it until the time-out of 200 ms, twice. They live
 * for that, or were there before; first: which of them is there at all. Each runs for 21 ms beside these 400: 95 %.
 */
static void peers_put_brief(bool is_brief, int first)
{
	made_lines_begin();
	made_line("seed sh/5 pid=5");
	for (int tid = first; tid <= 12; tid++) {
		unsigned int us = (unsigned int)(tid - 11) * 500000 + 10;

		if (is_brief)
			made_line("%u000 cpu1 sched_process_fork sh/5 -> b/%d", us, tid);
		else
			made_line("seed b/%d pid=%d", tid, tid);
		made_line("%u001 cpu0 sched_switch idle/0 R -> b/%d next_prio=120", us, tid);
		for (int i = 0; i < 2; i++, us += 210000) {
			made_line("%u000 cpu0 sys_enter t=%d nr=sendto 3 4 5 0 0 0", us + 1000, tid);
			made_line("%u100 cpu0 sys_exit t=%d nr=sendto ret=5", us + 1000, tid);
			made_line("%u200 cpu0 sys_enter t=%d nr=poll 64 1 c8", us + 1000, tid);
			made_line("%u300 cpu0 sched_switch b/%d S -> idle/0", us + 1000, tid);
			made_line("%u000 cpu0 sched_waking b/%d target=0 by idle/0 irq", us + 201000, tid);
			made_line("%u001 cpu0 sched_switch idle/0 R -> b/%d next_prio=120", us + 201000, tid);
			made_line("%u002 cpu0 sys_exit t=%d nr=poll ret=0", us + 201000, tid);
		}
		made_line("%u000 cpu0 sched_switch b/%d %s -> idle/0", us + 1000, tid, is_brief ? "X" : "S");
	}
	made_line("1000100000 cpu1 sched_switch sh/5 S -> idle/0");
}

/* A name server that does not answer: nothing tells that the poll is of the socket, but that they do nothing else. A heartbeat stays. */
START_TEST(short_lived_ones_without_an_answer)
{
	peers_put_brief(true, 11);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=no-answer text='2 b processes wait 95 % of their time for answers that do not come: poll ends by its time-out, 4 times a second'"));
	peers_put_brief(false, 11);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	peers_put_brief(true, 12);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* A connect that goes on is waited for by select, of its descriptor 3; other descriptors may be what it selects. */
START_TEST(connects_without_an_answer)
{
	peers_put_unanswered("connect", 101, 0, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=no-answer victim=a culprit=a text='a (10) waits 80 % of its time for connections that are not accepted: pselect6 ends by its time-out, 8 times a second'"));
	/* by whom is known where the socket is: of IPv4, and of IPv6 */
	peers_remote = "10.0.0.1:0 10.0.0.2:5432";
	peers_put_unanswered("connect", 101, 0, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=no-answer text='a (10) waits 80 % of its time for connections that are not accepted by 10.0.0.2:5432 over TCP: pselect6 ends by its time-out, 8 times a second'"));
	peers_remote = "fe80::1:0 fe80::2:80";
	peers_put_unanswered("connect", 101, 0, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=no-answer text='a (10) waits 80 % of its time for connections that are not accepted by [fe80::2]:80 over TCP: pselect6 ends by its time-out, 8 times a second'"));
	peers_remote = NULL;
	peers_put_unanswered("connect", 101, 0, "idle/0 irq", 9);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	peers_put_unanswered("connect", 101, 3, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* The answer comes, into a call that waits for it; then a polls for something else. */
static void peers_put_answered(void)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	for (unsigned int us = 10; us < 1000000; us += 125000) {
		made_line("%u000 cpu0 sys_enter t=10 nr=sendto 3 4 5", us);
		made_line("%u100 cpu0 sys_exit t=10 nr=sendto ret=5", us);
		peers_put_asleep(us + 1, 0, "a/10", "recvfrom");
		peers_put_awake(us + 15000, 0, "a/10", "recvfrom", "idle/0 irq");
		made_line("%u000 cpu0 sys_enter t=10 nr=pselect6 4 1 64", us + 16000);
		made_line("%u300 cpu0 sched_switch a/10 S -> idle/0", us + 16000);
		made_line("%u000 cpu0 sched_waking a/10 target=0 by idle/0 irq", us + 101000);
		made_line("%u001 cpu0 sched_switch idle/0 R -> a/10 next_prio=120", us + 101000);
		made_line("%u002 cpu0 sys_exit t=10 nr=pselect6 ret=0", us + 101000);
	}
	made_line("1000100000 cpu0 sched_switch a/10 S -> idle/0");
}

START_TEST(requests_without_an_answer)
{
	peers_put_unanswered("sendto", 101, 0, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines, ROWS("rule=no-answer text='a (10) waits 80 % of its time for answers that do not come: pselect6 ends by its time-out, 8 times a second'"));
	peers_put_unanswered("sendto", 101, 0, "a/10", 4);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=no-answer victim=a culprit=b text='a (10) waits 80 % of its time for answers that do not come: b (11) gets what it sends, but pselect6 ends by its time-out, 8 times a second'"));
	/* most are answered, or it waits for little time, or has asked nobody: so it sleeps by its own wish */
	peers_put_unanswered("sendto", 101, 3, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	peers_put_unanswered("sendto", 41, 0, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	peers_put_unanswered("read", 101, 0, "idle/0 irq", 4);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	/* on another descriptor than the one that is polled: a heartbeat */
	peers_put_unanswered("sendto", 101, 0, "idle/0 irq", 9);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	peers_put_answered();
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* Ten times a waits for wait_ms of each 100 in a call, until an interrupt wakes it: who reads a pipe would wake it itself. */
static void peers_put_link(const char *call, unsigned int wait_ms)
{
	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	for (unsigned int at = 0; at < 1000; at += 100) {
		peers_put_asleep(at * 1000 + 10, 0, "a/10", call);
		peers_put_awake((at + wait_ms) * 1000 + 10, 0, "a/10", call, "idle/0 irq");
	}
	made_line("1000100000 cpu0 sched_switch a/10 S -> idle/0");
}

START_TEST(a_slow_link)
{
	peers_put_link("sendto", 40);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=peer-write text='a (10) waits 40 % of its time in sendto, the send buffer of a socket is full: the network link is slow, or the peer behind it reads slowly'"));
	peers_put_link("sendto", 30);
	check_rows(FINDINGS, made_lines, NO_ROWS);
	peers_put_link("recvfrom", 40);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/*
 * b has a file lock for 40 ms of each 100, then wakes the first of the line, a/20, which wakes a/21 after 5: of the 850 ms that both wait 450
 * end with a/20, but in most of these it stood in line itself. Where b has it for 25 ms they wait for less than a third.
 */
static void peers_put_line(unsigned int held_ms)
{
	made_lines_begin();
	made_line("seed a/20 pid=20");
	made_line("seed a/21 pid=21");
	made_line("seed b/11 pid=11");
	made_line("1 cpu0 sched_switch idle/0 R -> a/20 next_prio=120");
	made_line("1 cpu2 sched_switch idle/0 R -> a/21 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	for (unsigned int us = 10; us < 1000000; us += 100000) {
		peers_put_asleep(us, 0, "a/20", "fcntl");
		peers_put_asleep(us, 2, "a/21", "fcntl");
		peers_put_awake(us + held_ms * 1000, 0, "a/20", "fcntl", "b/11");
		made_line("%u000 cpu0 sched_waking a/21 target=2 by a/20", us + held_ms * 1000 + 5000);
		made_line("%u001 cpu2 sched_switch idle/0 R -> a/21 next_prio=120", us + held_ms * 1000 + 5000);
		made_line("%u002 cpu2 sys_exit t=21 nr=fcntl ret=0", us + held_ms * 1000 + 5000);
	}
	made_line("1000100000 cpu1 sched_switch b/11 S -> idle/0");
}

START_TEST(a_line_before_a_file_lock)
{
	peers_put_line(40);
	check_rows(FINDINGS, made_lines,
		   ROWS("rule=file-lock text='2 a processes wait 42 % of their time in fcntl for a file lock: b (11) holds it (it runs on a CPU)'"));
	peers_put_line(25);
	check_rows(FINDINGS, made_lines, NO_ROWS);
}
END_TEST

/* In each 100 ms one of three processes lets the next on, which has the lock for a third of it: nobody holds it more than the others. */
START_TEST(a_file_lock_that_goes_round)
{
	unsigned int us = 0;

	made_lines_begin();
	for (unsigned int i = 0; i < 3; i++)
		made_line("seed a/%u pid=%u", 20 + i, 20 + i);
	for (unsigned int i = 0; i < 3; i++)
		made_line("%u cpu%u sched_switch idle/0 R -> a/%u next_prio=120", 1 + i, i, 20 + i);
	peers_put_asleep(10, 1, "a/21", "fcntl");
	peers_put_asleep(20, 2, "a/22", "fcntl");
	for (unsigned int turn = 0; us < 990000; turn++) {
		char next[8], by[8];

		us = (turn + 1) * 33000;
		snprintf(by, sizeof by, "a/%u", 20 + turn % 3);
		snprintf(next, sizeof next, "a/%u", 20 + (turn + 1) % 3);
		made_line("%u000 cpu%u sched_waking %s target=%u by %s", us, turn % 3, next, (turn + 1) % 3, by);
		made_line("%u001 cpu%u sched_switch idle/0 R -> %s next_prio=120", us, (turn + 1) % 3, next);
		made_line("%u002 cpu%u sys_exit t=%s nr=fcntl ret=0", us, (turn + 1) % 3, strchr(next, '/') + 1);
		peers_put_asleep(us + 10, turn % 3, by, "fcntl");
	}
	made_line("1000100000 cpu0 sched_switch a/20 S -> idle/0");
	check_rows(FINDINGS, made_lines, ROWS("rule=file-lock text='3 a processes wait 66 % of their time in fcntl for a file lock: 3 a processes hold it in turn'"));
}
END_TEST

/*
 * In each of ten rounds b runs for 95 ms, then asks a, which has waited in `call`, and is answered after 3 ms. has_accepted: the first time
 * a waits in accept4.
 */
static void peers_put_served(const char *call, bool has_accepted)
{
	made_lines_begin();
	made_line("seed a/10 pid=10 ppid=5");
	made_line("seed b/11 pid=11 ppid=6");
	made_line("1 cpu0 sched_switch idle/0 R -> a/10 next_prio=120");
	made_line("1 cpu1 sched_switch idle/0 R -> b/11 next_prio=120");
	for (unsigned int us = 10; us < 1000000; us += 100000) {
		const char *in = has_accepted && us == 10 ? "accept4" : call;

		peers_put_asleep(us, 0, "a/10", in);
		peers_put_awake(us + 95000, 0, "a/10", in, "b/11");
		peers_put_asleep(us + 95100, 1, "b/11", "read");
		peers_put_awake(us + 98000, 1, "b/11", "read", "a/10");
	}
	made_line("1000100000 cpu1 sched_switch b/11 S -> idle/0");
}

/* Nobody is told to wait, whether it is asked about or not; without what tells who serves whom a waits for b. */
START_TEST(a_server_without_requests)
{
	static const struct { const char *call; bool has_accepted; } servers[] = {
		{ "accept4", false }, { "epoll_wait", false }, { "poll", false }, { "read", true }, { "recvfrom", true },
	};

	for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
		peers_put_served(servers[i].call, servers[i].has_accepted);
		check_rows(FINDINGS, made_lines, NO_ROWS);
		check_rows(ASK("tasks", .findings = true, .pid = 10), made_lines, NO_ROWS);
	}
	peers_put_served("read", false);
	check_rows(FINDINGS, made_lines, ROWS("rule=peer-read victim=a culprit=b"));
}
END_TEST

Suite *rs_suite_findings_peers(void);
Suite *rs_suite_findings_peers(void)
{
	Suite *s = suite_create("findings_peers");
	TCase *t = tcase_create("findings_peers");

	tcase_add_test(t, a_peer_that_sleeps_before_it_answers);
	tcase_add_test(t, a_name_that_two_processes_have);
	tcase_add_test(t, programs_of_one_interpreter);
	tcase_add_test(t, a_peer_with_an_address);
	tcase_add_test(t, a_slow_link);
	tcase_add_test(t, requests_without_an_answer);
	tcase_add_test(t, short_lived_ones_without_an_answer);
	tcase_add_test(t, connects_without_an_answer);
	tcase_add_test(t, a_line_before_a_file_lock);
	tcase_add_test(t, a_file_lock_that_goes_round);
	tcase_add_test(t, a_server_without_requests);
	suite_add_tcase(s, t);
	return s;
}
