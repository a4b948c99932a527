// SPDX-License-Identifier: GPL-2.0-or-later
/* test-alarm - when a condition that holds fires: after for, once while it goes on, not too often, not at night */
#include <check.h>
#include <string.h>

#include "when/alarm.h"

/* A step of 1 s for each letter: B it begins, g it goes on alone, . neither. Returns F it fires, E it ends, '.'. */
static const char *alarm_run_at(struct rs_alarm *a, const struct rs_alarm_limits *limits, uint64_t ns,
				const char *steps, int minute)
{
	static const char letters[] = { [RS_ALARM_NOTHING] = '.', [RS_ALARM_FIRES] = 'F', [RS_ALARM_ENDS] = 'E' };
	static char got[64];
	size_t i;

	for (i = 0; steps[i]; i++)
		got[i] = letters[rs_alarm_step(a, limits, &(struct rs_alarm_step){
			ns + i * 10, ns + i * 10 + 10, steps[i] == 'B', steps[i] != '.', minute })];
	got[i] = '\0';
	return got;
}

static const char *alarm_run(struct rs_alarm *a, const struct rs_alarm_limits *limits, const char *steps, int minute)
{
	return alarm_run_at(a, limits, 0, steps, minute);
}

static const struct {
	uint64_t for_ns, every_ns;
	const char *steps, *got;
	uint64_t nr_held_back;
} alarm_rows[] = {
	{ 0, 0, "B.B", "FEF", 0 },
	{ 0, 0, "BBB", "F..", 0 },          /* once, however long it holds */
	{ 20, 0, "B.BB.BBB", "...FE.F.", 0 }, /* for two steps without a break */
	{ 0, 0, "Bgg.", "F..E", 0 },        /* not yet back behind `until` */
	{ 0, 0, "gB", ".F", 0 },            /* which alone begins nothing */
	{ 20, 0, "BgB", "...", 0 },
	{ 0, 50, "B.B.B.B.", "FE....FE", 2 }, /* at most once in five steps: each that is not told counts */
	{ 0, 50, "B.BBBBBB", "FE...F..", 1 }, /* what holds still then fires then */
};

START_TEST(fires)
{
	struct rs_alarm_limits limits = { alarm_rows[_i].for_ns, alarm_rows[_i].every_ns };
	struct rs_alarm a = { 0 };

	ck_assert_str_eq(alarm_run(&a, &limits, alarm_rows[_i].steps, -1), alarm_rows[_i].got);
	ck_assert_uint_eq(a.nr_held_back, alarm_rows[_i].nr_held_back);
}
END_TEST

static const struct {
	int from, to, minute;
	const char *got;
} silent_rows[] = {
	{ 120, 240, 119, "F" }, { 120, 240, 120, "." }, { 120, 240, 239, "." }, { 120, 240, 240, "F" },
	{ 1380, 60, 1400, "." }, { 1380, 60, 30, "." }, { 1380, 60, 60, "F" }, /* over midnight */
	{ 120, 240, -1, "F" },                                                  /* the time of day is not known */
};

START_TEST(is_silent)
{
	struct rs_alarm_limits limits = { .nr_silences = 1,
					  .silences = { { silent_rows[_i].from, silent_rows[_i].to } } };
	struct rs_alarm a = { 0 };

	ck_assert_str_eq(alarm_run(&a, &limits, "B", silent_rows[_i].minute), silent_rows[_i].got);
}
END_TEST

static const struct {
	uint64_t for_ns, every_ns, after_ns; /* where the clock is after the jump */
	const char *before, *after, *got;
} jumps[] = {
	/* back: it does not fire early, and is not held back until the old time is reached again */
	{ 30, 0, 100, "BB", "BBBB", "..F." },
	{ 0, 40, 100, "B.", "B.B.B.B.", "....FE.." },
	{ 0, 0, 100, "BB", "BB.B", "..EF" },   /* what is on stays on */
	/* ahead: time that nobody saw counts, for a machine that slept has waited */
	{ 30, 0, 9000, "BB", "BB", "F." },
	{ 0, 40, 9000, "B.", "BB", "F." },
};

START_TEST(after_a_jump)
{
	struct rs_alarm_limits limits = { jumps[_i].for_ns, jumps[_i].every_ns };
	struct rs_alarm a = { 0 };

	alarm_run_at(&a, &limits, 5000, jumps[_i].before, -1);
	ck_assert_str_eq(alarm_run_at(&a, &limits, jumps[_i].after_ns, jumps[_i].after, -1), jumps[_i].got);
	ck_assert_uint_le(a.since_ns, jumps[_i].after_ns + 80);
}
END_TEST

/* What holds still when a silence ends fires then, and says since when. */
START_TEST(after_silence)
{
	struct rs_alarm_limits limits = { .nr_silences = 1, .silences = { { 0, 60 } } };
	struct rs_alarm a = { 0 };

	ck_assert_str_eq(alarm_run(&a, &limits, ".BB", 59), "...");
	ck_assert_int_eq(rs_alarm_step(&a, &limits, &(struct rs_alarm_step){ 30, 40, true, true, 60 }), RS_ALARM_FIRES);
	ck_assert_uint_eq(a.since_ns, 10);
	ck_assert_uint_eq(a.nr_held_back, 1);
	ck_assert_uint_eq(a.nr_fired, 1);
}
END_TEST

#define NR(rows) ((int)(sizeof rows / sizeof *rows))

Suite *rs_suite_alarm(void)
{
	Suite *s = suite_create("alarm");
	TCase *tc = tcase_create("alarm");

	tcase_add_loop_test(tc, fires, 0, NR(alarm_rows));
	tcase_add_loop_test(tc, after_a_jump, 0, (int)(sizeof jumps / sizeof *jumps));
	tcase_add_loop_test(tc, is_silent, 0, NR(silent_rows));
	tcase_add_test(tc, after_silence);
	suite_add_tcase(s, tc);
	return s;
}
