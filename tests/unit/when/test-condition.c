// SPDX-License-Identifier: GPL-2.0-or-later
/* test-condition - what --when accepts, and what it says of what it does not */
#include <check.h>
#include <string.h>

#include "when/condition.h"

static struct rs_condition *condition_read(const char *text)
{
	struct rs_error err = { 0 };
	struct rs_condition *c = rs_condition_new("--when", text, &err);

	ck_assert_msg(c != NULL, "%s: %s", text, err.text);
	return c;
}

static const struct {
	const char *text, *column;
	uint64_t value;
} accepted[] = {
	{ "iosnoop.lat_ns > 5", "lat_ns", 5 },
	{ "iosnoop.lat > 5", "lat_ns", 5 },             /* a bare number is in the column's unit */
	{ "iosnoop.lat_ms > 100", "lat_ns", 100000000 },
	{ "iosnoop.lat_ms > 100us", "lat_ns", 100000 }, /* one with a unit is not */
	{ "iosnoop.lat_s >= 1.5", "lat_ns", 1500000000 },
	{ "iosnoop.bytes>4KiB", "bytes", 4096 },
	{ "runqlat.p99 > 10ms", "p99_ns", 10000000 },   /* of a histogram */
	{ "runqlat.count == 3", "count", 3 },
	{ "cgroups.throttled_pct{cgroup~web} > 20", "throttled_pct", 20000 },
	{ "cgroups.disturbed > 20", "disturbed_ns", 20 },
	{ "iosnoop.lat{comm = \"a\\\"}\"} > 5", "lat_ns", 5 }, /* what is quoted ends nothing */
	{ "lost > 0", "lost", 0 },
	{ "  spikes:  runqlat.max_ms < 2 ", "max_ns", 2000000 },
};

START_TEST(columns)
{
	struct rs_condition *c = condition_read(accepted[_i].text);

	ck_assert_str_eq(c->view->columns[c->column].name, accepted[_i].column);
	ck_assert_uint_eq(c->begins.nodes[0].u, accepted[_i].value);
	ck_assert_int_eq(c->is_least, strchr(accepted[_i].text, '<') != NULL);
	rs_condition_free(c);
}
END_TEST

START_TEST(clauses_of_one)
{
	struct rs_condition *c = condition_read("night-io: iosnoop.lat > 100ms for 2s until 50ms every 10min "
						"except 02:00-04:30 except 23:00-01:00");

	ck_assert_str_eq(c->name, "night-io");
	ck_assert_ptr_eq(strstr(c->text, "iosnoop.lat > 100ms"), c->text);
	ck_assert_uint_eq(c->limits.for_ns, 2000000000);
	ck_assert_uint_eq(c->limits.every_ns, 600000000000);
	ck_assert_uint_eq(c->goes_on.nodes[0].u, 50000000);
	ck_assert_uint_eq(c->limits.nr_silences, 2);
	ck_assert_int_eq(c->limits.silences[0].to, 270);
	ck_assert_int_eq(c->limits.silences[1].from, 1380);
	rs_condition_free(c);
}
END_TEST

START_TEST(clauses_not_given)
{
	struct rs_condition *c = condition_read("iosnoop.lat_ms > 100 until 50 for 2");

	ck_assert_str_eq(c->name, "");
	ck_assert_uint_eq(c->limits.every_ns, RS_CONDITION_EVERY_NS);
	ck_assert_uint_eq(c->limits.for_ns, 2000000000);
	ck_assert_uint_eq(c->limits.nr_silences, 0);
	ck_assert_uint_eq(c->goes_on.nodes[0].u, 50000000); /* in the unit of the column, as it is written */
	rs_condition_free(c);
	c = condition_read("syscalls.ret < -5 until 0"); /* which is more than -5 */
	ck_assert_int_eq(c->goes_on.nodes[0].i, 0);
	rs_condition_free(c);
}
END_TEST

START_TEST(too_long)
{
	char text[RS_CONDITION_BYTES + 2] = "lost > 0";
	struct rs_error err = { 0 };

	memset(text + 8, ' ', RS_CONDITION_BYTES - 8);
	rs_condition_free(condition_read(text));
	text[RS_CONDITION_BYTES] = ' ';
	ck_assert(!rs_condition_new("--when", text, &err));
	ck_assert_msg(strstr(err.text, "more than 500 bytes"), "%s", err.text);
}
END_TEST

/* Rows that merge over a key have null there: what WHERE compares is a key. */
START_TEST(keys)
{
	struct rs_condition *c = condition_read("runqlat.p99{comm ~ \"a}b\" && pid > 3} > 10ms");

	ck_assert_uint_eq(c->query.nr_by, 2);
	ck_assert_str_eq(c->query.by[0], "comm");
	ck_assert_str_eq(c->query.by[1], "pid");
	rs_condition_free(c);
	c = condition_read("syscall-latency.p99{syscall = read} > 10ms");
	ck_assert_uint_eq(c->query.nr_by, 2); /* its own, of the parts */
	rs_condition_free(c);
	c = condition_read("syscall-latency.p99{cgroup ~ web} > 10ms");
	ck_assert_uint_eq(c->query.nr_by, 3); /* and one more */
	rs_condition_free(c);
}
END_TEST

static const struct {
	const char *text, *rule, *victim;
	bool passes;
	uint64_t for_ns;
} findings[] = {
	{ "finding cpu-throttled", "cpu-throttled", "any", true, 0 },
	{ "finding cpu-throttled", "disk-wait", "any", false, 0 },
	{ "finding cpu-throttled for nginx", "cpu-throttled", "nginx", true, 0 },
	{ "finding cpu-throttled for nginx", "cpu-throttled", "nginx2", false, 0 },
	{ "finding cpu-throttled for nginx*", "cpu-throttled", "nginx2", true, 0 },
	{ "finding cpu-throttled for 3s", "cpu-throttled", "any", true, 3000000000 },
	{ "finding cpu-throttled for \"3s\" for 2s", "cpu-throttled", "3s", true, 2000000000 },
	{ "finding cpu-throttled for 3", "cpu-throttled", "any", true, 3000000000 },
	{ "finding * for \"a b\"", "disk-wait", "a b", true, 0 },
	{ "finding * for \"a\\\"b\" for 2s", "disk-wait", "a\"b", true, 2000000000 },
};

START_TEST(finding)
{
	struct rs_condition *c = condition_read(findings[_i].text);
	struct rs_value values[] = { [RS_CONDITION_RULE] = rs_s(findings[_i].rule),
				     [RS_CONDITION_VICTIM] = rs_s(findings[_i].victim) };

	ck_assert_int_eq(rs_expression_passes(&c->begins, values), findings[_i].passes);
	ck_assert_uint_eq(c->limits.for_ns, findings[_i].for_ns);
	rs_condition_free(c);
}
END_TEST

#define EXCEPT " except 02:00-03:00"
#define NAME_OF_64 "a234567890123456789012345678901234567890123456789012345678901234"

/* The place, and the nearest name. */
static const struct {
	const char *text, *why;
} refused[] = {
	{ "", "--when: at the end: a column is missing (VIEW.COLUMN > VALUE, finding RULE, lost > 0)" },
	{ "runqlatt.p99 > 1", "--when: at 1: unknown view 'runqlatt': did you mean 'runqlat'?" },
	{ "x: runqlat.p98 > 1", "--when: at 12: runqlat has no column 'p98': did you mean 'p95'?" },
	{ "iosnoop.latt > 1", "--when: at 9: iosnoop has no column 'latt': did you mean 'lat'?" },
	{ "runqlat > 1", "--when: at 8: which column of runqlat?" },
	{ "lots > 1", "--when: at 1: the trace has no column 'lots': did you mean 'lost'?" },
	{ "runqlat.p99", "--when: at the end: an operator is missing behind 'p99_ns'" },
	{ "runqlat.p99 >", "--when: at the end: a value is missing" },
	{ "runqlat.p99 > much", "--when: at 15: p99_ns is compared with a duration" },
	{ "runqlat.p99 > 1ms fo 2s", "--when: at 19: 'fo' is none of for TIME" },
	{ "runqlat.p99 > 1ms for", "--when: at the end: 'for' needs a time" },
	{ "runqlat.p99 > 1ms for ever", "--when: at 23: 'ever' is no time" },
	{ "runqlat.p99 > 1ms until 2ms", "--when: at 25: until 2ms: it would end before it begins" },
	{ "runqlat.p99 < 2ms until 1ms", "--when: at 25: until 1ms: it would end before it begins" },
	{ "iosnoop.comm = a until b", "--when: at 24: 'until' is for < <= > >= alone" },
	{ "runqlat.p99 > 1ms except 25:00-26:00", "--when: at 26: 'except' needs a time of the day" },
	{ "runqlat.p99{com ~ x} > 1", "--when: at 13: runqlat has no column 'com'" },
	{ "runqlat.p99{comm ~ x > 1", "--when: at 12: this '{' is not closed" },
	{ "runqlat.p99 > 1ms except 2:00-03:00", "--when: at 26: 'except' needs a time of the day" },
	{ "runqlat.p99 > 1ms except 02:60-03:00", "--when: at 26: 'except' needs a time of the day" },
	{ "runqlat.p99 > 1ms except 02:00-24:01", "--when: at 26: 'except' needs a time of the day" },
	{ "runqlat.p99 > 1ms except 02:00-03:00x", "--when: at 26: 'except' needs a time of the day" },
	{ "runqlat.p99 > 1ms except 02:00+03:00", "--when: at 26: 'except' needs a time of the day" },
	{ "lost > 0" EXCEPT EXCEPT EXCEPT EXCEPT EXCEPT, "--when: at 93: more than 4 times to be silent at" },
	{ "iosnoop.lat-ms > 1", "--when: at 9: iosnoop has no column 'lat-ms'" },
	{ "lost >>>> 1", "--when: at 6: an operator is missing behind 'lost'" },
	{ "findings > 1", "--when: at 1: the trace has no column 'findings'" },
	{ NAME_OF_64 ": lost > 0", "--when: at 1: the trace has no column 'a23456789" },
	{ "runqlat.p99{comm ~ x && com = y} > 1", "--when: at 25: runqlat has no column 'com'" },
	{ "finding a\x1b", "--when: at 9: no rule 'a\\x1B'" },
	{ "finding", "--when: at the end: 'finding' of which rule?" },
	{ "finding cpu-throtled", "--when: at 9: no rule 'cpu-throtled': did you mean 'cpu-throttled'?" },
	{ "finding disk-wait until 3", "--when: at 25: 'until' is for < <= > >= alone" },
};

START_TEST(errors)
{
	struct rs_error err = { 0 };

	ck_assert(!rs_condition_new("--when", refused[_i].text, &err));
	ck_assert_int_eq(err.status, RS_USAGE);
	ck_assert_msg(!strncmp(err.text, refused[_i].why, strlen(refused[_i].why)), "'%s': %s", refused[_i].text,
		      err.text);
}
END_TEST

#define NR(rows) ((int)(sizeof rows / sizeof *rows))

Suite *rs_suite_condition(void)
{
	Suite *s = suite_create("condition");
	TCase *tc = tcase_create("condition");

	tcase_add_loop_test(tc, columns, 0, NR(accepted));
	tcase_add_test(tc, clauses_of_one);
	tcase_add_test(tc, clauses_not_given);
	tcase_add_test(tc, too_long);
	tcase_add_test(tc, keys);
	tcase_add_loop_test(tc, finding, 0, NR(findings));
	tcase_add_loop_test(tc, errors, 0, NR(refused));
	suite_add_tcase(s, tc);
	return s;
}
