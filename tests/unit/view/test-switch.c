// SPDX-License-Identifier: GPL-2.0-or-later
/* An event that is turned off while a session runs: what needs it says so, what can do without has a null column. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "engine/session.h"
#include "lines.h"

Suite *rs_suite_switch(void);

/* a runs twice on CPU 0, and is moved once; each line of the other CPU ends a turn of a live session */
static const char *const lines[] = {
	"live",
	"1000 cpu0 sched_switch idle/0 R -> a/10",
	"1450 cpu0 sched_migrate_task a/10 0 -> 1 t=10",
	"1500 cpu0 sched_switch a/10 S -> idle/0",
	"1600 cpu1 sched_switch idle/0 R -> b/11",
	"1700 cpu1 sched_switch b/11 S -> idle/0",
	NULL,
};

struct answer {
	struct rs_sink sink;
	const struct rs_view *view;
	unsigned int nr_rows;
	bool migrations_known;
	uint64_t run_ns, migrations;
};

static unsigned int column(const struct rs_view *view, const char *name)
{
	for (unsigned int i = 0; view->columns[i].name; i++)
		if (!strcmp(view->columns[i].name, name))
			return i;
	ck_abort_msg("no column %s", name);
}

static void keep(struct rs_sink *sink, const struct rs_value *v)
{
	struct answer *a = (struct answer *)sink;

	a->nr_rows++;
	a->migrations_known = v[column(a->view, "migrations")].known;
	a->migrations += v[column(a->view, "migrations")].u;
	a->run_ns += v[column(a->view, "run_ns")].u;
}

static struct rs_session *session;
static struct rs_source *source;
static struct rs_view_ref sched, cpus;

static void setup(void)
{
	struct rs_session_config config = { 0 };
	struct rs_error err = { 0 };

	ck_assert(rs_requirements_find_view("sched", &sched, &err) &&
		  rs_requirements_find_view("cpus", &cpus, &err));
	config.analyses[config.nr_analyses++] = sched.analysis;
	if (cpus.analysis != sched.analysis)
		config.analyses[config.nr_analyses++] = cpus.analysis;
	session = rs_session_new(&config, &err);
	source = rs_lines_source(lines, &rs_layouts[0]);
	ck_assert(session && source);
	ck_assert_msg(rs_session_attach(session, source, &err) == 0, "%s", err.text);
}

static void teardown(void)
{
	rs_session_free(session);
	source->ops->close(source);
}

static void run_all(void)
{
	struct rs_error err = { 0 };

	while (rs_session_run(session, 1000, &err) != RS_RUN_END)
		;
	ck_assert_msg(err.status == RS_OK, "%s", err.text);
}

static struct answer ask(void)
{
	struct answer a = { .sink = { .row = keep }, .view = sched.view };
	struct rs_query query = { 0 };

	rs_session_rows(session, &sched, &query, &a.sink);
	return a;
}

START_TEST(without_a_needed_event_it_is_off_and_says_why)
{
	const char *why;

	ck_assert(rs_session_event(session, "sched", "sched_switch", false));
	run_all();
	why = rs_session_disabled(session, sched.analysis);
	ck_assert_ptr_nonnull(why);
	ck_assert_msg(strstr(why, "sched:sched_switch") && strstr(why, "turned off"), "%s", why);
	ck_assert_uint_eq(ask().nr_rows, 0);
}
END_TEST

START_TEST(an_event_with_a_fallback_that_nobody_turned_on_is_needed)
{
	ck_assert(rs_session_event(session, "sched", "sched_waking", false));
	ck_assert_ptr_nonnull(rs_session_disabled(session, sched.analysis));
}
END_TEST

START_TEST(on_again_it_goes_on)
{
	struct answer a;

	ck_assert(rs_session_event(session, "sched", "sched_switch", false));
	ck_assert(rs_session_event(session, "sched", "sched_switch", true));
	ck_assert_ptr_null(rs_session_disabled(session, sched.analysis));
	run_all();
	a = ask();
	ck_assert_uint_eq(a.nr_rows, 2);
	ck_assert_uint_eq(a.run_ns, 500 + 100);
	ck_assert(a.migrations_known);
	ck_assert_uint_eq(a.migrations, 1); /* each event was handled once */
}
END_TEST

START_TEST(without_an_optional_event_its_column_is_null)
{
	struct answer a;

	run_all();
	ck_assert(rs_session_event(session, "sched", "sched_migrate_task", false));
	ck_assert_ptr_null(rs_session_disabled(session, sched.analysis));
	a = ask();
	ck_assert_uint_eq(a.nr_rows, 2);
	ck_assert(!a.migrations_known);
	ck_assert(rs_session_event(session, "sched", "sched_migrate_task", true));
	ck_assert(ask().migrations_known);
}
END_TEST

START_TEST(as_often_as_one_likes)
{
	for (int i = 0; i < 1000; i++) {
		ck_assert(rs_session_event(session, "sched", "sched_switch", false));
		ck_assert(rs_session_event(session, "sched", "sched_switch", false));
		ck_assert(rs_session_event(session, "sched", "sched_switch", true));
		ck_assert(rs_session_event(session, "sched", "sched_switch", true));
	}
	run_all();
	ck_assert_uint_eq(ask().migrations, 1);
}
END_TEST

START_TEST(too_many_are_refused)
{
	char name[32];

	for (int i = 0; i < 64; i++) {
		snprintf(name, sizeof name, "event-%d", i);
		ck_assert(rs_session_event(session, "some", name, false));
	}
	ck_assert(!rs_session_event(session, "some", "more", false));
	ck_assert(!rs_session_event(session, "some", "a-name-that-is-longer-than-any-that-the-kernel-could-have-for-an-event-of-its-own-at-all", false));
}
END_TEST

Suite *rs_suite_switch(void)
{
	Suite *s = suite_create("switch");
	TCase *t = tcase_create("switch");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, without_a_needed_event_it_is_off_and_says_why);
	tcase_add_test(t, an_event_with_a_fallback_that_nobody_turned_on_is_needed);
	tcase_add_test(t, on_again_it_goes_on);
	tcase_add_test(t, without_an_optional_event_its_column_is_null);
	tcase_add_test(t, as_often_as_one_likes);
	tcase_add_test(t, too_many_are_refused);
	suite_add_tcase(s, t);
	return s;
}
