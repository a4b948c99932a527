// SPDX-License-Identifier: GPL-2.0-or-later
/* test-finding-list - the costliest findings, of each rule, and the words that they are told in */
#include <check.h>

#include "model/finding-list.h"

/* Adds a finding as the engine does, its sentence without slots. */
static void add(struct rs_finding_list *list, const struct rs_finding *f)
{
	struct rs_finding_told told = { .finding = f, .is_told = true };
	const struct rs_sentence *says = f->says ? f->says : &f->rule->says;

	rs_phrase_init(&told.cause);
	rs_phrase_init(&told.how);
	rs_phrase_expand(&told.cause, says->cause, NULL);
	rs_phrase_expand(&told.how, says->how, NULL);
	rs_finding_list_add(list, &told);
}

static const struct rs_rule a_rule = { .name = "r", .verb = "waits" }, other_rule = { .name = "o", .verb = "waits" };

static void add_finding(struct rs_finding_list *list, const struct rs_rule *rule, const char *victim, int32_t pid, uint64_t cost_ns)
{
	add(list, &(struct rs_finding){
		.rule = rule, .cost_ns = cost_ns, .of_ns = 1000, .victim = victim, .victim_pid = pid,
		.says = &(struct rs_sentence){ "for disk vda", "requests of {culprit}" }, .culprit = "w", .culprit_pid = 7,
	});
}

/* Of one rule the three costliest; of processes of one name one. */
START_TEST(the_costliest_of_many)
{
	static const char *const expected[] = {
		"2 a processes wait 55 % of their time for disk vda: requests of w (7)", "d (4) waits 70 % of its time for disk vda: requests of w (7)",
		"b (2) waits 50 % of its time for disk vda: requests of w (7)", "f (9) waits 0 % of its time for disk vda: requests of w (7)",
	};
	struct rs_finding_list list;
	char text[RS_FINDING_TEXT];
	size_t nr = 0;

	ck_assert(rs_finding_list_init(&list));
	add_finding(&list, &a_rule, "a", 1, 300);
	add_finding(&list, &a_rule, "b", 2, 500);
	add_finding(&list, &a_rule, "a", 3, 800);
	add_finding(&list, &a_rule, "d", 4, 700);
	add_finding(&list, &a_rule, "e", 5, 3);
	add_finding(&list, &other_rule, "f", 9, 2);
	rs_finding_list_end(&list);
	for (const struct rs_finding_item *f; (f = rs_finding_list_get(&list, nr)); nr++)
		ck_assert_str_eq(rs_finding_list_text(f, text), expected[nr]);
	ck_assert_uint_eq(nr, 4);
	rs_finding_list_done(&list);
}
END_TEST

static const struct rs_rule of_time = { .name = "t", .verb = "waits", .unit = "%" }, of_threads = { .name = "m", .verb = "waits", .unit = "ms/s" };

static void check_numbers(const struct rs_rule *rule, const struct rs_finding *two, const char *share, uint64_t measured)
{
	struct rs_finding_list list;
	char text[RS_FINDING_TEXT];

	ck_assert(rs_finding_list_init(&list));
	list.interval_ns = 1000;
	for (int i = 0; i < 2; i++) {
		struct rs_finding f = two[i];

		f.rule = rule;
		f.victim = "a";
		f.victim_pid = 1;
		f.says = &(struct rs_sentence){ "for x" };
		add(&list, &f);
	}
	rs_finding_list_end(&list);
	ck_assert_str_eq(rs_finding_list_text(rs_finding_list_get(&list, 0), text), share);
	ck_assert_uint_eq(rs_finding_list_get(&list, 0)->measured, measured);
	rs_finding_list_done(&list);
}

/* 300 and 500 ns that were lost rank as 9900: what is said is 800 of 2000, or of 1000 of the name, and 800 ms of each second. */
START_TEST(what_was_measured)
{
	const struct rs_finding each[] = { { .cost_ns = 9000, .lost_ns = 300, .of_ns = 1000 }, { .cost_ns = 900, .lost_ns = 500, .of_ns = 1000 } };
	const struct rs_finding of_name[] = { { .cost_ns = 9000, .lost_ns = 300, .of_ns = 1000, .of_name = true }, { .cost_ns = 900, .lost_ns = 500, .of_ns = 1000, .of_name = true } };
	const struct rs_finding all[] = { { .cost_ns = 300, .of_ns = 1000 }, { .cost_ns = 500, .of_ns = 1000 } };
	const struct rs_finding no_share[] = { { .cost_ns = 9000, .lost_ns = 3000 }, { .cost_ns = 900, .lost_ns = 500 } };

	check_numbers(&of_time, each, "a (1) waits 40 % of its time for x", 40000);
	check_numbers(&of_time, of_name, "a (1) waits 80 % of its time for x", 80000);
	check_numbers(&of_time, all, "a (1) waits 40 % of its time for x", 40000);
	check_numbers(&of_threads, each, "a (1) waits 40 % of its time for x", 800000);
	check_numbers(&of_threads, no_share, "a (1) waits for x", 3500000);
}
END_TEST

/* Marked words follow the number of the victims, or of the culprits. */
START_TEST(words_agree)
{
	static const char *const expected[] = {
		"2 a processes wait 50 % of their time for their lock: w (7) has it (it sleeps), they are late themselves",
		"b (3) waits 50 % of its time for its lock: 2 x processes have it (they sleep), it is late itself",
	};
	struct rs_finding f = { .rule = &a_rule, .cost_ns = 500, .of_ns = 1000, .victim = "a", .victim_pid = 1, .culprit = "w", .culprit_pid = 7,
				.says = &(struct rs_sentence){ "for {~its} lock", "{culprit} {^has} it ({^it} {^sleeps}), {~it} {~is} late {~itself}" } };
	struct rs_finding_list list;
	char text[RS_FINDING_TEXT];

	ck_assert(rs_finding_list_init(&list));
	add(&list, &f);
	f.victim_pid = 2;
	add(&list, &f);
	f.victim = "b";
	f.victim_pid = 3;
	f.culprit = "x";
	f.nr_culprits = 2;
	add(&list, &f);
	rs_finding_list_end(&list);
	for (size_t i = 0; i < 2; i++)
		ck_assert_str_eq(rs_finding_list_text(rs_finding_list_get(&list, i), text), expected[i]);
	rs_finding_list_done(&list);
}
END_TEST

static const struct rs_rule death = { .name = "d", .verb = "dies" };

/* Costs one after the other; the name of the first victim that is told. */
struct told {
	const struct rs_rule *rule;
	const char *victim, *culprit, *view;
	uint64_t cost_ns;
	unsigned int nr_victims;
};

static void check_first(const struct told *told, size_t nr, const char *expected)
{
	struct rs_finding_list list;
	struct rs_rule rules[4];

	ck_assert(rs_finding_list_init(&list));
	for (size_t i = 0; i < nr; i++) {
		rules[i] = *told[i].rule;
		rules[i].view = told[i].view;
		add(&list, &(struct rs_finding){
			.rule = &rules[i], .cost_ns = told[i].cost_ns, .victim = told[i].victim, .victim_pid = 10 + (int32_t)i, .nr_victims = told[i].nr_victims,
			.says = &(struct rs_sentence){ "for x", "{culprit}" }, .culprit = told[i].culprit, .culprit_pid = 90,
		});
	}
	rs_finding_list_end(&list);
	ck_assert_str_eq(rs_finding_list_get(&list, 0)->victim.name, expected);
	rs_finding_list_done(&list);
}

#define FIRST(expected, ...) check_first((const struct told[]){ __VA_ARGS__ }, sizeof((const struct told[]){ __VA_ARGS__ }) / sizeof(struct told), expected)

/* A death comes before what waits for who died, and before what costs about the same; what costs far more and waits for another comes first. */
START_TEST(a_death_before_what_waits_for_it)
{
	FIRST("db", { &a_rule, "web", "db", "offcpu", 9000, 0 }, { &death, "db", "db", "signals", 1000, 0 });
	FIRST("db", { &a_rule, "web", "disk", "offcpu", 1200, 0 }, { &death, "db", "db", "signals", 1000, 0 });
	FIRST("web", { &a_rule, "web", "disk", "offcpu", 9000, 0 }, { &death, "db", "db", "signals", 1000, 0 });
}
END_TEST

/* web waits for db, which waits for a disk for about as long: web's sentence tells both, whichever cost a little more; not where db's costs far more. */
START_TEST(a_chain_before_a_part_of_it)
{
	FIRST("web", { &a_rule, "web", "db", "offcpu", 1000, 0 }, { &other_rule, "db", "writer", "iosnoop", 900, 0 });
	FIRST("web", { &a_rule, "web", "db", "offcpu", 900, 0 }, { &other_rule, "db", "writer", "iosnoop", 1000, 0 });
	FIRST("db", { &a_rule, "web", "db", "offcpu", 700, 0 }, { &other_rule, "db", "writer", "iosnoop", 1000, 0 });
	FIRST("db", { &a_rule, "web", "cache", "offcpu", 900, 0 }, { &other_rule, "db", "writer", "iosnoop", 1000, 0 });
}
END_TEST

/* The threads of app compete for longer than b waits for them: app starves itself. Of several processes nobody does that to itself. */
START_TEST(a_starved_process_before_a_bystander)
{
	FIRST("app", { &a_rule, "b", "app", "runqlat", 500, 0 }, { &other_rule, "app", "app", "runqlat", 9000, 0 });
	FIRST("b", { &a_rule, "b", "app", "runqlat", 500, 0 }, { &other_rule, "app", "app", "runqlat", 9000, 6 });
	FIRST("b", { &a_rule, "b", "app", "runqlat", 500, 0 }, { &other_rule, "app", "app", "runqlat", 400, 0 });
}
END_TEST

static const struct rs_rule herd = { .name = "h", .verb = "wakes", .explains_waits = true };

static size_t nr_told_with_herd(uint64_t cost_ns, const char *victim, const char *culprit, uint64_t wait_ns)
{
	struct rs_finding_list list;
	size_t nr = 0;

	ck_assert(rs_finding_list_init(&list));
	add(&list, &(struct rs_finding){ .rule = &herd, .cost_ns = cost_ns, .victim = "app", .victim_pid = 10,
					 .culprit = "client", .culprit_pid = 90 });
	add(&list, &(struct rs_finding){ .rule = &a_rule, .cost_ns = wait_ns, .victim = victim, .victim_pid = 10,
					 .culprit = culprit, .culprit_pid = 11 });
	rs_finding_list_end(&list);
	while (rs_finding_list_get(&list, nr))
		nr++;
	rs_finding_list_done(&list);
	return nr;
}

/* A herd says why its threads wait for each other; not why they wait for another, or for far longer. Others who wait for them follow it. */
START_TEST(a_herd_before_what_follows_from_it)
{
	ck_assert_uint_eq(nr_told_with_herd(1000, "app", "app", 1900), 1);
	ck_assert_uint_eq(nr_told_with_herd(1000, "app", "app", 2100), 2);
	ck_assert_uint_eq(nr_told_with_herd(1000, "app", "other", 1900), 2);
	ck_assert_uint_eq(nr_told_with_herd(1000, "app/worker", "worker", 1900), 1);
	ck_assert_uint_eq(nr_told_with_herd(1000, "app/worker", "cleaner", 1900), 2);
	FIRST("app", { &a_rule, "b", "app", "antagonists", 3900, 0 }, { &herd, "app", "client", "offcpu", 1000, 0 });
	FIRST("b", { &a_rule, "b", "app", "antagonists", 4100, 0 }, { &herd, "app", "client", "offcpu", 1000, 0 });
	FIRST("b", { &a_rule, "b", "disk", "antagonists", 3900, 0 }, { &herd, "app", "client", "offcpu", 1000, 0 });
}
END_TEST

Suite *rs_suite_finding_list(void);
Suite *rs_suite_finding_list(void)
{
	Suite *s = suite_create("finding-list");
	TCase *t = tcase_create("finding-list");

	tcase_add_test(t, the_costliest_of_many);
	tcase_add_test(t, what_was_measured);
	tcase_add_test(t, words_agree);
	tcase_add_test(t, a_death_before_what_waits_for_it);
	tcase_add_test(t, a_chain_before_a_part_of_it);
	tcase_add_test(t, a_starved_process_before_a_bystander);
	tcase_add_test(t, a_herd_before_what_follows_from_it);
	suite_add_tcase(s, t);
	return s;
}
