// SPDX-License-Identifier: GPL-2.0-or-later
/* test-pairs - pairs of events that are named when it is asked, and those that are known; and the matcher by itself */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "engine/match/match-table.h"

/* Two virtual CPUs of one machine, which are the threads 7 and 8, leave at once and come back the other way round. */
#define GUESTS \
	"1000 cpu0 kvm_exit 12 0 t=7", "1100 cpu1 kvm_exit 12 1 t=8", "1400 cpu1 kvm_entry 1 t=8", "1900 cpu0 kvm_entry 0 t=7"

START_TEST(by_a_field)
{
	check_rows(ASK("pairs", .begin = "kvm:kvm_exit", .end = "kvm:kvm_entry", .key = "vcpu_id", .by = "key"), LINES(GUESTS),
		   ROWS("pair=kvm_exit-kvm_entry key=vcpu_id=0 count=1 total_ns=900 max_at_ns=1000",
			"pair=kvm_exit-kvm_entry key=vcpu_id=1 count=1 total_ns=300 max_at_ns=1100"));
	/* by name alone; all keys in one row: what was counted is of the whole pair */
	check_rows(ASK("pairs", .begin = "kvm_exit", .end = "kvm_entry", .key = "vcpu_id"), LINES(GUESTS),
		   ROWS("count=2 total_ns=1200 avg_ns=600 max_ns=900 in_flight=0 unmatched=0 discarded=0"));
}
END_TEST

/* Without a name each that is known: of kvm both ways, by the task. */
START_TEST(known_ones)
{
	check_rows(ASK("pairs", .by = "tid"), LINES(GUESTS),
		   ROWS("pair=kvm_exit-kvm_entry tid=7 count=1 total_ns=900", "pair=kvm_exit-kvm_entry tid=8 count=1 total_ns=300"));
	check_rows(ASK("pairs"), LINES(GUESTS, "2500 cpu0 kvm_exit 1 0 t=7"),
		   ROWS("pair=kvm_exit-kvm_entry count=2 in_flight=1", "pair=kvm_entry-kvm_exit count=1 total_ns=600 in_flight=1"));
	/* a work waits for its worker, and is done, in another task */
	check_rows(ASK("pairs"),
		   LINES("1000 cpu0 workqueue_queue_work 81 t=7", "1300 cpu0 workqueue_execute_start 81 t=9",
			 "1900 cpu0 workqueue_execute_end 81 t=9"),
		   ROWS("pair=workqueue_queue_work-workqueue_execute_start count=1 total_ns=300",
			"pair=workqueue_execute_start-workqueue_execute_end count=1 total_ns=600"));
	/* one event is both: its state tells */
	check_rows(ASK("pairs"),
		   LINES("1000 cpu1 cpu_idle 2 1 t=0", "1300 cpu1 cpu_idle 4294967295 1 t=0", "1900 cpu1 cpu_idle 1 1 t=0"),
		   ROWS("pair=cpu_idle count=1 total_ns=300 in_flight=1"));
	/* each vector that the trace declares */
	check_rows(ASK("pairs"), LINES("1000 cpu1 local_timer_entry 9 t=0", "1300 cpu1 local_timer_exit 9 t=0"),
		   ROWS("pair=local_timer_entry-local_timer_exit count=1 total_ns=300"));
}
END_TEST

/* The same event twice: the time between each and the next. */
START_TEST(periods)
{
	check_rows(ASK("pairs", .begin = "print", .end = "print"),
		   LINES("1000 cpu0 print a t=7", "1400 cpu0 print b t=7", "2000 cpu0 print c t=7"),
		   ROWS("pair=print count=2 total_ns=1000 max_ns=600 max_at_ns=1400 in_flight=1 unmatched=1"));
}
END_TEST

/* An end without a begin is unmatched; so is a begin that the next one comes after, and the later one counts. */
START_TEST(unmatched)
{
	check_rows(ASK("pairs", .begin = "kvm_exit", .end = "kvm_entry"),
		   LINES("900 cpu0 kvm_entry 0 t=7", "1000 cpu0 kvm_exit 1 0 t=7", "1500 cpu0 kvm_exit 1 0 t=7", "1700 cpu0 kvm_entry 0 t=7"),
		   ROWS("count=1 total_ns=200 unmatched=2", "_quality unmatched=1"));
}
END_TEST

/* By the task, a loss on any CPU makes the pair uncertain; by the CPU, its own alone. */
START_TEST(loss)
{
	check_rows(ASK("pairs", .begin = "kvm_exit", .end = "kvm_entry"),
		   LINES("900 cpu1 print x t=8", "1000 cpu0 kvm_exit 1 0 t=7", "cpu1 lost 3", "1500 cpu1 print x t=8",
			 "1700 cpu0 kvm_entry 0 t=7", "2000 cpu0 kvm_exit 1 0 t=7", "2300 cpu0 kvm_entry 0 t=7"),
		   ROWS("count=1 total_ns=300 discarded=1 unmatched=0", "_quality discarded=1"));
	check_rows(ASK("pairs", .begin = "kvm_exit", .end = "kvm_entry", .key = "cpu"),
		   LINES("900 cpu1 print x t=8", "1000 cpu0 kvm_exit 1 0 t=7", "cpu1 lost 3", "1500 cpu1 print x t=8",
			 "1700 cpu0 kvm_entry 0 t=7"),
		   ROWS("count=1 total_ns=700 discarded=0", "_quality discarded=0"));
	/* what a loss made uncertain is over before the next begin: that begin follows none, and nothing is unmatched */
	check_rows(ASK("pairs", .begin = "kvm_exit", .end = "kvm_entry"),
		   LINES("900 cpu1 print x t=8", "1000 cpu0 kvm_exit 1 0 t=7", "cpu1 lost 3", "1500 cpu1 print x t=8",
			 "1700 cpu0 kvm_exit 1 0 t=7", "1900 cpu0 kvm_entry 0 t=7"),
		   ROWS("count=1 total_ns=200 discarded=1 unmatched=0 in_flight=0"));
	/* in flight at the end, and a loss since */
	check_rows(ASK("pairs", .begin = "kvm_exit", .end = "kvm_entry"),
		   LINES("900 cpu1 print x t=8", "1000 cpu0 kvm_exit 1 0 t=7", "cpu1 lost 3", "1500 cpu1 print x t=8",
			 "1700 cpu0 kvm_exit 1 0 t=9"),
		   ROWS("_quality discarded=1 in_flight=1"));
}
END_TEST

START_TEST(single_ones_and_spans)
{
	check_rows(ASK("pair-list", .begin = "kvm_exit", .end = "kvm_entry", .key = "vcpu_id"), LINES(GUESTS),
		   ROWS("start_ns=1100 tid=8 key=vcpu_id=1 cpu=1 end_cpu=1 lat_ns=300", "start_ns=1000 tid=7 key=vcpu_id=0 lat_ns=900"));
	check_rows(ASK("pairs", .begin = "kvm_exit", .end = "kvm_entry", .span = "pair"), LINES(GUESTS, "2000 cpu0 kvm_exit 1 0 t=7", "2200 cpu1 print x t=8"),
		   ROWS("tid=8 from=1100 to=1400 label=kvm_exit-kvm_entry open=0", "tid=7 from=1000 to=1900 open=0", "tid=7 from=2000 to=2200 open=1"));
	check_rows(ASK("pairs", .span = "pair on a CPU"), LINES("1000 cpu1 local_timer_entry 9 t=7", "1300 cpu1 local_timer_exit 9 t=7"),
		   ROWS("id=1 from=1000 to=1300 label=local_timer_entry-local_timer_exit key=cpu=1"));
}
END_TEST

/* -p: of whom it began. */
START_TEST(narrowed)
{
	check_rows(ASK("pairs", .pid = 8, .begin = "kvm_exit", .end = "kvm_entry"), LINES("seed b/8 pid=8", GUESTS), ROWS("count=1 total_ns=300"));
}
END_TEST

/* ---- the matcher ---- */

static struct rs_gaps gaps;
static char told[256];

static const struct rs_gaps *gaps_of(void *arg, uint16_t cpu)
{
	(void)arg;
	(void)cpu;
	return &gaps;
}

static void notify(void *arg, const struct rs_match_moment *begin, const struct rs_match_moment *end, unsigned int depth)
{
	size_t len = strlen(told);

	(void)arg;
	snprintf(told + len, sizeof told - len, "%llu:%llu-%llu/%u ", (unsigned long long)begin->key, (unsigned long long)begin->ts_ns,
		 (unsigned long long)end->ts_ns, depth);
}

/* "b1" a begin of key 1, "e1" its end, each at the next time: 1, 2, ... */
static void play(struct rs_match_table *m, const char *what)
{
	for (uint64_t ts_ns = 1; *what; what += strcspn(what, " "), what += strspn(what, " "), ts_ns++) {
		struct rs_match_moment at = { .key = (uint64_t)atoi(what + 1), .ts_ns = ts_ns };

		(*what == 'b' ? rs_match_table_begin : rs_match_table_end)(m, &at);
	}
}

static struct rs_match_table matcher(bool nests, uint32_t most)
{
	struct rs_match_table m;

	gaps = (struct rs_gaps){ 0 };
	told[0] = '\0';
	ck_assert_int_eq(rs_match_table_init(&m, &(struct rs_match_table_decl){ .most = most, .nests = nests, .gaps = gaps_of, .on_pair = notify }), 0);
	return m;
}

START_TEST(match_nests)
{
	struct rs_match_table m = matcher(true, 8);
	struct rs_match_open open;

	play(&m, "b1 b1 b2 e1 e2 e1 e1");
	ck_assert_str_eq(told, "1:2-4/1 2:3-5/0 1:1-6/0 ");
	ck_assert_uint_eq(m.matcher.counts.unmatched_ends, 1);
	open = rs_match_table_open(&m, 9);
	ck_assert_uint_eq(open.in_flight + open.discarded + m.by_key.nr, 0);
	rs_match_table_done(&m);
}
END_TEST

START_TEST(match_evicts_the_oldest)
{
	struct rs_match_table m = matcher(false, 2);
	struct rs_match_open open;

	play(&m, "b1 b2 b3 e1 e2 e3 b4");
	ck_assert_str_eq(told, "2:2-5/0 3:3-6/0 ");
	ck_assert_uint_eq(m.matcher.counts.evicted, 1);
	ck_assert_uint_eq(m.matcher.counts.unmatched_ends, 1);
	open = rs_match_table_open(&m, 9);
	ck_assert_uint_eq(open.in_flight, 1);
	rs_match_table_done(&m);
}
END_TEST

/* Against a list that is searched from its end: keys of few values, so that all cases come. */
START_TEST(match_random)
{
	struct rs_match_table m = matcher(true, 1000);
	uint64_t list[1000], nr = 0, nr_paired = 0, nr_unmatched = 0, seed = 42;

	m.decl.on_pair = notify;
	for (uint64_t ts_ns = 1; ts_ns < 20000; ts_ns++) {
		struct rs_match_moment at = { .key = (seed = seed * 6364136223846793005ull + 1442695040888963407ull) >> 60, .ts_ns = ts_ns };
		uint64_t i = nr;

		told[0] = '\0';
		if (seed >> 40 & 1 && nr < 1000) {
			list[nr++] = at.key;
			rs_match_table_begin(&m, &at);
			continue;
		}
		rs_match_table_end(&m, &at);
		while (i && list[i - 1] != at.key)
			i--;
		nr_paired += i > 0;
		nr_unmatched += !i;
		if (i)
			memmove(&list[i - 1], &list[i], (nr-- - i) * sizeof *list);
		ck_assert_uint_eq(m.matcher.counts.paired, nr_paired);
		ck_assert_uint_eq(m.matcher.counts.unmatched_ends, nr_unmatched);
		ck_assert_uint_eq(m.by_key.nr, nr);
	}
	rs_match_table_done(&m);
}
END_TEST

Suite *rs_suite_pairs(void)
{
	Suite *s = suite_create("pairs");
	TCase *t = tcase_create("pairs");

	tcase_add_test(t, by_a_field);
	tcase_add_test(t, known_ones);
	tcase_add_test(t, periods);
	tcase_add_test(t, unmatched);
	tcase_add_test(t, loss);
	tcase_add_test(t, single_ones_and_spans);
	tcase_add_test(t, narrowed);
	tcase_add_test(t, match_nests);
	tcase_add_test(t, match_evicts_the_oldest);
	tcase_add_test(t, match_random);
	suite_add_tcase(s, t);
	return s;
}
