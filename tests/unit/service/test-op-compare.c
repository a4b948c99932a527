// SPDX-License-Identifier: GPL-2.0-or-later
/* test-op-compare - what changed from one time to another: who, by how much, and which rows */
#include <check.h>
#include <string.h>

#include "lines.h"
#include "made-lines.h"
#include "served.h"

Suite *rs_suite_op_compare(void);

#define COMPARE_UNITS 90 /* A has more blocks than the least that tell */
#define A_NS 1000000ull
#define B_NS 1000000000ull

/* a writes out, and sleeps, again and again: so many us. Ends at the time that is returned, in us. */
static unsigned int compare_add_units(unsigned int at_us, unsigned int sleep_us)
{
	for (unsigned int i = 0; i < COMPARE_UNITS; i++, at_us += sleep_us + 300) {
		made_line("%u000 cpu0 sys_enter t=10 nr=fdatasync", at_us);
		made_line("%u000 cpu0 sys_exit t=10 nr=fdatasync ret=0", at_us + 100);
		made_line("%u000 cpu0 sys_enter t=10 nr=nanosleep", at_us + 110);
		made_line("%u000 cpu0 sched_switch a/10 S -> idle/0", at_us + 120);
		made_line("%u000 cpu0 sched_waking a/10 target=0 by idle/0", at_us + 120 + sleep_us);
		made_line("%u000 cpu0 sched_switch idle/0 R -> a/10", at_us + 130 + sleep_us);
		made_line("%u000 cpu0 sys_exit t=10 nr=nanosleep ret=0", at_us + 140 + sleep_us);
	}
	return at_us;
}

static const cJSON *compare_ask(const char *list, uint64_t before_from_ns, uint64_t before_to_ns,
				uint64_t from_ns, uint64_t to_ns)
{
	struct rs_json *j = raw_begin("compare");

	rs_json_put_u64(j, "from_ns", from_ns);
	rs_json_put_u64(j, "to_ns", to_ns);
	if (before_to_ns) {
		rs_json_key(j, "before");
		rs_json_open(j, '{');
		rs_json_put_u64(j, "from_ns", before_from_ns);
		rs_json_put_u64(j, "to_ns", before_to_ns);
		rs_json_close(j, '}');
	}
	served_send(-1);
	return cJSON_GetObjectItem(served_answer, list);
}

START_TEST(longer_sleep)
{
	uint64_t a_to_ns, b_to_ns;
	const cJSON *list, *row;
	bool found = false;

	made_lines_begin();
	made_line("seed a/10 pid=10");
	made_line("910 cpu0 sched_switch idle/0 R -> a/10");
	a_to_ns = compare_add_units(A_NS / 1000, 2000) * 1000ull;
	b_to_ns = compare_add_units(B_NS / 1000, 7000) * 1000ull;
	served_begin_client(made_lines);
	served_wait_loaded();
	list = compare_ask("processes", A_NS, a_to_ns, B_NS, b_to_ns);
	ck_assert_int_eq(cJSON_GetArraySize(list), 1);
	row = cJSON_GetArrayItem(list, 0);
	ck_assert_str_eq(raw_text_of(row, "process"), "a");
	ck_assert_str_eq(raw_text_of(row, "verdict"), "slower");
	ck_assert_ptr_nonnull(strstr(raw_text_of(row, "text"), ": +5.00ms timer"));
	cJSON_ArrayForEach(row, cJSON_GetObjectItem(served_answer, "rows"))
		found |= !strcmp(raw_text_of(row, "view"), "syscall-latency") &&
			 !strcmp(raw_text_of(row, "key"), "a nanosleep") &&
			 !strcmp(raw_text_of(row, "verdict"), "slower");
	ck_assert(found);
	list = compare_ask("processes", B_NS, b_to_ns, A_NS, a_to_ns); /* the other way round */
	ck_assert_str_eq(raw_text_of(cJSON_GetArrayItem(list, 0), "verdict"), "faster");
	list = compare_ask("processes", A_NS, a_to_ns, A_NS, a_to_ns);
	ck_assert_int_eq(cJSON_GetArraySize(list), 0);
	ck_assert_uint_eq(served_number("compared"), 1);
	served_end_client();
}
END_TEST

START_TEST(two_times_are_needed)
{
	served_begin_client(LINES("1000 cpu0 sys_enter t=10 nr=read"));
	served_wait_loaded();
	compare_ask("processes", 0, 0, 1000, 2000);
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	compare_ask("processes", 2000, 1000, 1000, 2000);
	ck_assert_str_eq(raw_text_of(served_answer, "code"), "usage");
	served_end_client();
}
END_TEST

Suite *rs_suite_op_compare(void)
{
	Suite *s = suite_create("op-compare");
	TCase *t = tcase_create("all");

	tcase_add_test(t, longer_sleep);
	tcase_add_test(t, two_times_are_needed);
	suite_add_tcase(s, t);
	return s;
}
