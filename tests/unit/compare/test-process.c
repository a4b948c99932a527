// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-process - what a process takes for a unit of its work: parts that sum to the change, waits that count and do
 * not, whose calls are the work
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/fail-on.h"
#include "compare/process-text.h"

#define NR_BLOCKS 16u
#define UNITS 20u             /* in a block, of what a client asks for */
#define BLOCK_NS 1000000000ull

enum { WHY, CALLS, ANSWERS, SENDS };

static struct rs_side *sides[2];
static struct rs_process_list list;

static struct rs_side *process_make_side(void)
{
	struct rs_side_asked asked[RS_PROCESS_NR_VIEWS] = {
		{ .by = "comm,part,dev,type,culprit" }, { .by = "comm,syscall" },
		{ .by = "comm,side,server,server_port", .measure = "wait_peer_ns" }, { .by = "comm,side,server,server_port", .measure = "sends" },
	};
	struct rs_error err = { 0 };
	struct rs_side *side;

	ck_assert(rs_requirements_find_view("why", &asked[WHY].ref, &err));
	ck_assert(rs_requirements_find_view("syscall-latency", &asked[CALLS].ref, &err));
	ck_assert(rs_requirements_find_view("connections", &asked[ANSWERS].ref, &err));
	asked[SENDS].ref = asked[ANSWERS].ref;
	side = rs_side_new(asked, RS_PROCESS_NR_VIEWS, &err);
	ck_assert_msg(side != NULL, "%s", err.text);
	return side;
}

static void process_setup(void)
{
	sides[0] = process_make_side();
	sides[1] = process_make_side();
}

static void process_teardown(void)
{
	rs_process_list_done(&list);
	rs_side_free(sides[0]);
	rs_side_free(sides[1]);
}

/* key: "shop|read", with a | between its texts */
static void process_add(struct rs_side *side, unsigned int view, const char *key, uint64_t nr, uint64_t sum)
{
	char text[128];
	size_t len = strlen(key) + 1;
	struct rs_side_row *row;

	memcpy(text, key, len);
	for (char *at = text; *at; at++)
		*at = *at == '|' ? '\0' : *at;
	/* the texts are shorter than what was typed by nothing: each | became its NUL */
	row = rs_side_get_row(side, &side->views[view], text, len);
	ck_assert_ptr_nonnull(row);
	rs_side_add_sums(side, row, nr, sum);
}

/* What stands in a row of a table of a test: of a unit, on side a and b, in us; of a call how many in a block. */
struct row {
	unsigned int view;
	const char *key;
	unsigned int of_a, of_b;
};

/* A block has a little more or less of all, as machines do. */
static void process_fill(const struct row *rows, const unsigned int units[2])
{
	for (unsigned int s = 0; s < 2; s++)
		for (unsigned int i = 0; i < NR_BLOCKS; i++) {
			unsigned int noise = 98 + (i * 7 + s * 3) % 5;

			for (const struct row *r = rows; r->key; r++) {
				uint64_t each = s ? r->of_b : r->of_a;

				if (each)
					process_add(sides[s], r->view, r->key, r->view == CALLS || r->view == SENDS ? each : units[s],
						    each * 1000 * (r->view == CALLS ? 1 : units[s]) * noise / 100);
			}
			rs_side_end_block(sides[s], BLOCK_NS);
		}
	rs_process_compare(&list, sides[0], sides[1], NULL);
}

#define FILL(...) \
	process_fill((const struct row[]){ __VA_ARGS__, { 0 } }, (const unsigned int[]){ UNITS, UNITS })

static const struct rs_process_change *process_get(const char *comm)
{
	for (size_t i = 0; i < list.nr; i++)
		if (!strcmp(list.at[i].comm, comm))
			return &list.at[i];
	ck_abort_msg("%s: not compared", comm);
}

static void check_verdict(const char *comm, enum rs_process_verdict verdict, double change_us)
{
	const struct rs_process_change *p = process_get(comm);

	ck_assert_msg(p->verdict == verdict, "%s is %s, not %s: %.0f ns, %.0f", comm, rs_process_word(p->verdict), rs_process_word(verdict),
		      p->of_a.value, p->of_b.value);
	ck_assert_double_eq_tol(p->change.value / 1000, change_us, fabs(change_us) * 0.05 + 100);
}

static void check_first(const char *comm, enum rs_time_part part, const char *culprit, double change_us)
{
	const struct rs_process_part *first = &process_get(comm)->parts[0];

	ck_assert_str_eq(rs_part_row(first->part)->name, rs_part_row(part)->name);
	ck_assert_str_eq(first->culprit, culprit);
	ck_assert_double_eq_tol(first->change.value / 1000, change_us, fabs(change_us) * 0.05);
	ck_assert(first->is_told && first->counts);
}

/* Of all parts that count the changes sum to that of the process. */
static void check_sums(void)
{
	for (size_t n = 0; n < list.nr; n++) {
		double sum = 0;

		for (size_t i = 0; i < list.at[n].nr_parts; i++)
			sum += list.at[n].parts[i].counts ? list.at[n].parts[i].change.value : 0;
		ck_assert_double_eq_tol(sum, list.at[n].change.value, 1);
	}
}

/* shop asks, checkout works for 3 ms and answers; shop is the client, for it waits longer. */
#define SHOP { CALLS, "shop|read", UNITS, UNITS }, { CALLS, "shop|write", UNITS, UNITS }
#define CHECKOUT { CALLS, "checkout|read", UNITS, UNITS }, { WHY, "checkout|run|-|user mode|itself", 3000, 3000 }, \
	{ WHY, "checkout|read, write|-|socket|shop", 100, 100 }

/* The server sleeps for 5 ms: its own doing, and the client's wait follows. */
START_TEST(a_server_that_sleeps)
{
	FILL(SHOP, CHECKOUT, { WHY, "checkout|timer|-|-|interrupt", 0, 5000 }, { WHY, "shop|read, write|-|socket|checkout", 3050, 8050 });
	check_verdict("checkout", RS_PROCESS_SLOWER, 5000);
	check_verdict("shop", RS_PROCESS_SLOWER, 5000);
	check_first("checkout", RS_PART_TIMER, "interrupt", 5000);
	check_first("shop", RS_PART_READ_WRITE, "checkout", 5000);
	ck_assert(process_get("checkout")->is_root && !process_get("shop")->is_root);
	ck_assert_str_eq(list.at[0].comm, "checkout");
	check_sums();
}
END_TEST

/* What the sentence says in which order; names are escaped. */
START_TEST(sentences)
{
	struct rs_buf out = RS_BUF_INIT;

	FILL(SHOP, CHECKOUT, { WHY, "checkout|timer|-|-|interrupt", 0, 5000 }, { WHY, "checkout|run queue|-|-|a\x1b[2J", 0, 2000 },
	     { WHY, "shop|read, write|-|socket|checkout", 3050, 10050 });
	rs_process_text_put(&out, process_get("checkout"));
	ck_assert_msg(rs_pattern_matches("checkout:?*ms?for?each?read?of?shop?instead?of?*ms:?+*ms?timer?(new),?+*ms?run-queue?wait?behind?a\\\\x1B*2J?(new)",
					 out.data), "%s", out.data);
	rs_buf_clear(&out);
	rs_process_text_put(&out, process_get("shop"));
	ck_assert_msg(rs_pattern_matches("shop:?*ms?for?each?read?instead?of?*ms:?+*ms?read,?write,?for?checkout", out.data), "%s", out.data);
	rs_buf_clear(&out);
	rs_process_text_put_evidence(&out, process_get("shop"));
	ck_assert_msg(rs_pattern_matches("95?%:?+*?to?+*;?320?and?320?read;?it?waits?for?others?that?take?longer", out.data), "%s", out.data);
	rs_buf_done(&out);
}
END_TEST

/* It waits for one that was not there: three links, and the new one is at their end. */
START_TEST(a_new_neighbor)
{
	FILL(SHOP, CHECKOUT, { WHY, "checkout|run queue|-|-|importer", 0, 4000 }, { WHY, "importer|run|-|user mode|itself", 0, 4000 },
	     { WHY, "shop|read, write|-|socket|checkout", 3050, 7050 });
	check_verdict("checkout", RS_PROCESS_SLOWER, 4000);
	check_first("checkout", RS_PART_QUEUE, "importer", 4000);
	ck_assert(process_get("checkout")->parts[0].is_new);
	check_sums();
}
END_TEST

/* The server asks another now, and makes twice as many calls: its work is what its client asks for. */
START_TEST(a_server_that_asks_another)
{
	FILL(SHOP, { CALLS, "checkout|read", UNITS, 2 * UNITS }, { WHY, "checkout|run|-|user mode|itself", 3000, 3000 },
	     { WHY, "checkout|read, write|-|socket|shop", 100, 100 }, { WHY, "checkout|read, write|-|socket|store", 0, 6000 },
	     { WHY, "store|run|-|user mode|itself", 0, 6000 }, { WHY, "shop|read, write|-|socket|checkout", 3050, 9050 });
	ck_assert_str_eq(process_get("checkout")->worker, "shop");
	check_verdict("checkout", RS_PROCESS_SLOWER, 6000);
	check_first("checkout", RS_PART_READ_WRITE, "store", 6000);
	check_sums();
}
END_TEST

/* Requests come from elsewhere, at a fixed rate: what it works longer it waits less, and is slower all the same. */
START_TEST(a_server_with_time_to_spare)
{
	FILL({ CALLS, "web|recvfrom", UNITS, UNITS }, { WHY, "web|run|-|user mode|itself", 3000, 8000 },
	     { WHY, "web|poll|-|-|interrupt", 47000, 42000 });
	check_verdict("web", RS_PROCESS_SLOWER, 5000);
	check_sums();
}
END_TEST

/* It asks a server over the network, and its answers come later: from elsewhere, or from one of this machine that is as fast as before. */
#define ASKS { CALLS, "app|recvfrom", UNITS, UNITS }, { WHY, "app|run|-|user mode|itself", 2000, 2000 }, \
	{ WHY, "app|socket|-|-|interrupt", 1000, 6000 }, { ANSWERS, "app|client|10.0.0.2|80", 1000, 6000 }
START_TEST(answers_over_the_network)
{
	struct rs_buf out = RS_BUF_INIT;

	FILL(ASKS, { SENDS, "app|client|10.0.0.2|80", UNITS, UNITS });
	check_verdict("app", RS_PROCESS_SLOWER, 5000);
	rs_process_text_put(&out, process_get("app"));
	ck_assert_msg(strstr(out.data, "ms answers of 10.0.0.2:80 or the network to it") != NULL, "%s", out.data);
	check_sums();
	rs_buf_done(&out);
}
END_TEST

START_TEST(a_slow_link)
{
	struct rs_buf out = RS_BUF_INIT;

	FILL(ASKS, { SENDS, "app|client|10.0.0.2|80", UNITS, UNITS }, { ANSWERS, "db|server|10.0.0.2|80", 3000, 8000 },
	     { CALLS, "db|recvfrom", UNITS, UNITS }, { WHY, "db|run|-|user mode|itself", 1000, 1000 },
	     { WHY, "db|socket|-|-|app", 3000, 8000 }, { ANSWERS, "app|server|10.0.0.1|22", 10, 10 });
	check_verdict("app", RS_PROCESS_SLOWER, 5000);
	check_verdict("db", RS_PROCESS_ALIKE, 0);
	rs_process_text_put(&out, process_get("app"));
	ck_assert_msg(strstr(out.data, "ms network to db at 10.0.0.2:80") != NULL, "%s", out.data);
	rs_buf_done(&out);
}
END_TEST

/* The server is of this machine, and works longer itself: it is no matter of the network alone. */
START_TEST(a_server_behind_a_link)
{
	struct rs_buf out = RS_BUF_INIT;

	FILL(ASKS, { SENDS, "app|client|10.0.0.2|80", UNITS, UNITS }, { ANSWERS, "db|server|10.0.0.2|80", 3000, 8000 },
	     { CALLS, "db|recvfrom", UNITS, UNITS }, { WHY, "db|run|-|user mode|itself", 1000, 6000 });
	check_verdict("db", RS_PROCESS_SLOWER, 5000);
	rs_process_text_put(&out, process_get("app"));
	ck_assert_msg(strstr(out.data, "ms answers of 10.0.0.2:80 or the network to it") != NULL, "%s", out.data);
	rs_buf_done(&out);
}
END_TEST

/* It only receives, as who is told of what happens: it may wait for something to do. */
START_TEST(only_receives)
{
	FILL(ASKS, { SENDS, "app|client|10.0.0.2|80", 1, 1 });
	check_verdict("app", RS_PROCESS_ALIKE, 0);
}
END_TEST

/* Half as many requests: it waits twice as long for each, and is as fast as before. Then twice as many. */
START_TEST(another_load)
{
	static const struct row less[] = { { CALLS, "web|recvfrom", 2 * UNITS, UNITS }, { WHY, "web|run|-|user mode|itself", 3000, 3000 },
					   { WHY, "web|poll|-|-|interrupt", 22000, 47000 }, { 0 } };

	process_fill(less, (const unsigned int[]){ 2 * UNITS, UNITS });
	check_verdict("web", RS_PROCESS_ALIKE, 0);
	ck_assert_double_eq_tol(process_get("web")->input_ns, 25e6, 1e6);
}
END_TEST

/* It makes no calls: whether it has more to do or is slower nothing tells. */
START_TEST(no_calls)
{
	FILL({ WHY, "crunch|run|-|user mode|itself", 5000, 9000 });
	check_verdict("crunch", RS_PROCESS_MORE, 80000); /* of a second: 20 units */
}
END_TEST

/* 2 % are less than is told, whatever the noise. */
START_TEST(too_little)
{
	FILL(SHOP, { CALLS, "checkout|read", UNITS, UNITS }, { WHY, "checkout|run|-|user mode|itself", 10000, 10200 });
	check_verdict("checkout", RS_PROCESS_ALIKE, 200);
}
END_TEST

/* Its calls come half as often, a quarter, three times: it does something else. */
START_TEST(other_work)
{
	FILL({ CALLS, "app|read", 100, 50 }, { CALLS, "app|write", 100, 25 }, { CALLS, "app|openat", 100, 300 },
	     { WHY, "app|run|-|user mode|itself", 3000, 9000 });
	ck_assert_int_eq(process_get("app")->verdict, RS_PROCESS_UNDETERMINED);
}
END_TEST

/* Stages of requests of one disk and culprit are one part; of another disk another. */
START_TEST(parts_of_a_disk)
{
	FILL({ CALLS, "db|pwrite64", UNITS, UNITS }, { WHY, "db|disk: queued|vda|write|itself", 1000, 3000 },
	     { WHY, "db|disk: in device|vda|write|itself", 1000, 4000 }, { WHY, "db|disk: in device|vdb|write|itself", 1000, 1000 });
	check_verdict("db", RS_PROCESS_SLOWER, 5000);
	ck_assert_uint_eq(process_get("db")->nr_parts, 2);
	check_first("db", RS_PART_DISK_DEVICE, "itself", 5000);
}
END_TEST

/* --per: who does not make that call is counted in seconds, which is said. */
START_TEST(per_a_call)
{
	struct rs_buf out = RS_BUF_INIT;

	FILL(SHOP, { CALLS, "db|fsync", UNITS, UNITS }, { WHY, "db|run|-|user mode|itself", 3000, 6000 },
	     { WHY, "shop|run|-|user mode|itself", 3000, 6000 });
	rs_process_list_done(&list);
	rs_process_compare(&list, sides[0], sides[1], "fsync");
	check_verdict("db", RS_PROCESS_SLOWER, 3000);
	check_verdict("shop", RS_PROCESS_MORE, 60000);
	ck_assert(!process_get("db")->work.lacks_per && process_get("shop")->work.lacks_per);
	rs_process_text_put_evidence(&out, process_get("shop"));
	ck_assert_msg(strstr(out.data, "it does not make the call of --per") != NULL, "%s", out.data);
	rs_buf_done(&out);
}
END_TEST

/* As many as a busy machine has: what is found must not depend on where a process is among them. */
START_TEST(many_processes)
{
	static struct row rows[2 * 400 + 1];
	static char keys[800][48];
	unsigned int nr = 0;

	for (unsigned int i = 0; i < 400; i++) {
		snprintf(keys[2 * i], sizeof keys[0], "p%u|recvfrom", i * 7919 % 400);
		snprintf(keys[2 * i + 1], sizeof keys[0], "p%u|run|-|user mode|itself", i * 7919 % 400);
		rows[nr++] = (struct row){ CALLS, keys[2 * i], UNITS, UNITS };
		rows[nr++] = (struct row){ WHY, keys[2 * i + 1], 3000, i % 100 ? 3000 : 8000 };
	}
	process_fill(rows, (const unsigned int[]){ UNITS, UNITS });
	ck_assert_uint_eq(list.nr, 400);
	for (unsigned int i = 0; i < 4; i++)
		ck_assert_int_eq(list.at[i].verdict, RS_PROCESS_SLOWER);
	ck_assert_int_eq(list.at[4].verdict, RS_PROCESS_ALIKE);
	ck_assert_int_eq(process_get("p0")->verdict, RS_PROCESS_SLOWER);
}
END_TEST

/* ---- what fails a check ---- */

START_TEST(checks)
{
	static const char *const good[] = { "slower", "slower:locks", "slower>5%", "faster:locks>12.5%,new", "" };
	static const char *const bad[] = { "slow", "slower:", "slower>5", "slower>x%", ":locks", "slower,,new", "slower>5%x" };
	struct rs_error err = { 0 };

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ck_assert_msg(!rs_fail_on_check(good[i], &err), "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(rs_fail_on_check(bad[i], &err) < 0, "%s", bad[i]);
	FILL(SHOP, CHECKOUT, { WHY, "checkout|timer|-|-|interrupt", 0, 5000 }, { WHY, "shop|read, write|-|socket|checkout", 3050, 8050 });
	ck_assert_uint_eq(rs_fail_on_processes("slower", &list), 2);
	ck_assert_uint_eq(rs_fail_on_processes("slower>165%", &list), 1); /* 5 of 3 and 3.05 ms: 167 and 164 % */
	ck_assert_uint_eq(rs_fail_on_processes("slower:locks", &list), 0);
	ck_assert_uint_eq(rs_fail_on_processes("faster,new", &list), 0);
	ck_assert_uint_eq(rs_fail_on_processes(NULL, &list), 0);
}
END_TEST

Suite *rs_suite_process(void)
{
	Suite *s = suite_create("process");
	TCase *tc = tcase_create("process");

	tcase_add_checked_fixture(tc, process_setup, process_teardown);
	tcase_add_test(tc, a_server_that_sleeps);
	tcase_add_test(tc, sentences);
	tcase_add_test(tc, a_new_neighbor);
	tcase_add_test(tc, a_server_that_asks_another);
	tcase_add_test(tc, a_server_with_time_to_spare);
	tcase_add_test(tc, answers_over_the_network);
	tcase_add_test(tc, a_slow_link);
	tcase_add_test(tc, a_server_behind_a_link);
	tcase_add_test(tc, only_receives);
	tcase_add_test(tc, another_load);
	tcase_add_test(tc, no_calls);
	tcase_add_test(tc, too_little);
	tcase_add_test(tc, other_work);
	tcase_add_test(tc, parts_of_a_disk);
	tcase_add_test(tc, per_a_call);
	tcase_add_test(tc, many_processes);
	tcase_add_test(tc, checks);
	suite_add_tcase(s, tc);
	return s;
}
