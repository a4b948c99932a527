// SPDX-License-Identifier: GPL-2.0-or-later
/* test-incidents - findings over time: a waits for a lock that b has, at times in ms, and each second is judged by itself */
#include <check.h>

#include "engine/session.h"
#include "lines.h"
#include "recurring-lines.h"
#include "service/op-incidents.h"

#define MS 1000000ull

static struct rs_incidents *incidents_of(const char *const *lines, uint64_t from_ns)
{
	struct rs_source *source = rs_lines_source(lines, &rs_layouts[0]);
	struct rs_incidents *in = rs_incidents_new();
	struct rs_session_config config = { .findings = true, .from_ns = from_ns, .step_ns = 1000 * MS,
					    .end_step = rs_op_incidents_end_step, .step_arg = in };
	const struct rs_analysis *const *all = rs_plugins_all();
	struct rs_error err = { 0 };
	struct rs_session *s;

	while (*all)
		config.analyses[config.nr_analyses++] = *all++;
	s = rs_session_new(&config, &err);
	ck_assert_msg(s && rs_session_attach(s, source, &err) == 0, "%s", err.text);
	while (rs_session_run(s, 1000, &err) == RS_RUN_MORE)
		;
	rs_session_end(s);
	rs_session_free(s);
	source->ops->close(source);
	return in;
}

static const struct rs_incident *incident_of(const struct rs_incidents *in, const char *rule)
{
	const struct rs_incident *i;

	for (size_t n = 0; (i = rs_incidents_get(in, n)); n++)
		if (!strcmp(i->item.rule->name, rule))
			return i;
	return NULL;
}

static const char *often(const struct rs_incidents *in, const struct rs_incident *i, uint64_t now_ns)
{
	static char text[128];

	return rs_incident_often(in, i, now_ns, text, sizeof text);
}

/* Each is 30 % of its second; 100 us pass until a is off its CPU, and it is woken 100 us late. */
START_TEST(four_at_a_period)
{
	const struct rs_incident *i;
	struct rs_incidents *in;

	recurring_put_all(AT(1100, 6100, 11100, 16100), 300, LOCK, 20000);
	in = incidents_of(made_lines, 0);
	i = incident_of(in, "futex-lock");
	ck_assert_ptr_nonnull(i);
	ck_assert_str_eq(i->item.victim.name, "a");
	ck_assert_str_eq(i->item.culprit.name, "b");
	ck_assert_uint_eq(i->begin_ns, 1100 * MS + 100);
	ck_assert_uint_eq(i->end_ns, 16400 * MS + 100);
	ck_assert_uint_eq(i->nr_found, 4);
	ck_assert(!i->is_open);
	ck_assert_uint_eq(i->slowest.to_ns - i->slowest.from_ns, 300 * MS);
	ck_assert_str_eq(often(in, i, 0), "4 times 300ms, every 5.00s");
	ck_assert_str_eq(often(in, i, 19400 * MS + 100), "4 times 300ms, every 5.00s, the last 3.00s ago");
	/* from the third on; its own begin is that of the first wait */
	i = incident_of(in, "recurring-wait");
	ck_assert_ptr_nonnull(i);
	ck_assert_uint_eq(i->begin_ns, 1100 * MS + 100);
	ck_assert(i->is_open);
	rs_incidents_free(in);
}
END_TEST

/* From 5.85 to 6.15 s: it is judged in the second in which it ends, 15 % of it, and is one wait of 300 ms. */
START_TEST(a_wait_over_an_end_is_one)
{
	const struct rs_incident *i;
	struct rs_incidents *in;

	recurring_put_all(AT(1100, 5850), 300, LOCK, 9000);
	in = incidents_of(made_lines, 0);
	i = incident_of(in, "futex-lock");
	ck_assert_ptr_nonnull(i);
	ck_assert_uint_eq(i->nr_found, 2);
	ck_assert_str_eq(often(in, i, 0), "2 times, slowest 300ms");
	ck_assert_uint_eq(i->slowest.from_ns, 1100 * MS + 100);
	ck_assert_uint_eq(i->end_ns, 6150 * MS + 100);
	ck_assert_ptr_null(incident_of(in, "recurring-wait"));
	rs_incidents_free(in);
}
END_TEST

START_TEST(once)
{
	const struct rs_incident *i;
	struct rs_incidents *in;

	recurring_put_all(AT(1100), 300, LOCK, 5000);
	in = incidents_of(made_lines, 0);
	i = incident_of(in, "futex-lock");
	ck_assert_ptr_nonnull(i);
	ck_assert_str_eq(often(in, i, 0), "once, 300ms");
	ck_assert_str_eq(often(in, i, 3400 * MS + 100), "once, 300ms, 2.00s ago");
	rs_incidents_free(in);
}
END_TEST

/* After more than a minute without it, it is another one; --from begins later. */
START_TEST(after_a_pause)
{
	struct rs_incidents *in;

	recurring_put_all(AT(1100, 70100), 300, LOCK, 75000);
	in = incidents_of(made_lines, 0);
	ck_assert_ptr_nonnull(rs_incidents_get(in, 1));
	ck_assert_uint_eq(rs_incidents_get(in, 0)->end_ns, 1400 * MS + 100);
	ck_assert_uint_eq(rs_incidents_get(in, 1)->begin_ns, 70100 * MS + 100);
	rs_incidents_expire(in, 1401 * MS);
	ck_assert_uint_eq(rs_incidents_get(in, 0)->begin_ns, 70100 * MS + 100);
	ck_assert_ptr_null(rs_incidents_get(in, 1));
	rs_incidents_free(in);
	in = incidents_of(made_lines, 50000 * MS);
	ck_assert_uint_eq(rs_incidents_get(in, 0)->begin_ns, 70100 * MS + 100);
	rs_incidents_free(in);
}
END_TEST

/* What was lost may have been another wait: how often it came is unknown. */
START_TEST(events_were_lost_meanwhile)
{
	const struct rs_incident *i;
	struct rs_incidents *in;
	unsigned int at = 0, last;

	recurring_put_all(AT(1100, 6100, 11100, 16100), 300, LOCK, 20000);
	while (strncmp(made_lines[at], "11100000000", 11) != 0)
		at++;
	for (last = at; made_lines[last]; last++)
		;
	memmove(&made_lines[at + 1], &made_lines[at], (last - at + 1) * sizeof *made_lines);
	made_lines[at] = "cpu0 lost 5";
	in = incidents_of(made_lines, 0);
	i = incident_of(in, "futex-lock");
	ck_assert_ptr_nonnull(i);
	ck_assert(!rs_incident_nr_waits(in, i).known);
	ck_assert(!rs_incident_period_ns(in, i).known);
	ck_assert_str_eq(often(in, i, 0), "");
	rs_incidents_free(in);
}
END_TEST

/* It works and sleeps. */
START_TEST(nothing_is_wrong)
{
	struct rs_incidents *in;
	uint64_t from_ns, to_ns;

	recurring_put_all(AT(1100, 2100, 3100, 4100), 300, "nanosleep 1 0", 6000);
	in = incidents_of(made_lines, 0);
	ck_assert_ptr_null(rs_incidents_get(in, 0));
	rs_incidents_time(in, &from_ns, &to_ns);
	ck_assert_uint_eq(from_ns, 1);
	ck_assert_uint_eq(to_ns, 6000 * MS);
	rs_incidents_free(in);
}
END_TEST

START_TEST(steps_of_all_sizes)
{
	ck_assert_uint_eq(rs_op_incidents_step_ns(5, 70000 * MS), 1000 * MS);
	ck_assert_uint_eq(rs_op_incidents_step_ns(0, 1000000 * MS), 1000 * MS);
	ck_assert_uint_eq(rs_op_incidents_step_ns(0, 3600000 * MS), 3600 * MS);
	ck_assert_uint_eq(rs_op_incidents_step_ns(10, 0), 1000 * MS); /* the end is not known */
}
END_TEST

Suite *rs_suite_incidents(void);
Suite *rs_suite_incidents(void)
{
	Suite *s = suite_create("incidents");
	TCase *t = tcase_create("all");

	tcase_add_test(t, four_at_a_period);
	tcase_add_test(t, a_wait_over_an_end_is_one);
	tcase_add_test(t, once);
	tcase_add_test(t, after_a_pause);
	tcase_add_test(t, events_were_lost_meanwhile);
	tcase_add_test(t, nothing_is_wrong);
	tcase_add_test(t, steps_of_all_sizes);
	suite_add_tcase(s, t);
	return s;
}
