// SPDX-License-Identifier: GPL-2.0-or-later
/* test-fd-observer - descriptors are followed for analyses that require files, and where they can be known */
#include <check.h>

#include "engine/session.h"
#include "fd-lines.h"

/* What is asked for, beside working directories. */
static unsigned int nr_asked;
static int32_t asked_fd;

static bool ask(void *arg, int32_t pid, int32_t fd)
{
	nr_asked += fd != RS_FD_CWD;
	asked_fd = fd;
	return true;
}

static bool answer(void *arg, struct rs_fd_reply *reply)
{
	return false;
}

static void drop_row(struct rs_sink *sink, const struct rs_value *values)
{
}

/* Returns how many descriptors a live session with this view alone asks for. */
static unsigned int count_asked_of(const char *view, bool for_viewers, const char *const *lines)
{
	struct rs_source *source = rs_lines_source(lines, &rs_layouts[0]);
	struct rs_session_config config = { .fd_requester = { ask, answer, NULL }, .for_viewers = for_viewers };
	struct rs_sink sink = { .row = drop_row };
	struct rs_query query = { 0 };
	struct rs_error err = { 0 };
	struct rs_session *s;
	struct rs_view_ref ref;

	nr_asked = 0;
	ck_assert(rs_requirements_find_view(view, &ref, &err));
	config.analyses[config.nr_analyses++] = ref.analysis;
	s = rs_session_new(&config, &err);
	ck_assert_ptr_nonnull(s);
	if (ref.view->kind == RS_VIEW_STREAM)
		ck_assert_int_ge(rs_session_subscribe(s, &ref, &query, &sink), 0);
	ck_assert_int_eq(rs_session_attach(s, source, &err), 0);
	while (rs_session_run(s, 1, &err) == RS_RUN_MORE)
		;
	rs_session_free(s);
	source->ops->close(source);
	return nr_asked;
}

static unsigned int count_asked(const char *view, const char *const *lines)
{
	return count_asked_of(view, false, lines);
}

#define OPENED A_10, OPENAT(1000, 1010, CWD, 3, "/a"), TICK(1100), TICK(1150)

/* A row of a call needs the descriptors of that row: one that is only opened is not looked up for it. */
START_TEST(asked_for_if_shown)
{
	ck_assert_uint_eq(count_asked("syscalls", LINES(OPENED)), 0);
	ck_assert_uint_eq(count_asked("syscalls", LINES(OPENED, READ(1200, 1300), TICK(1400))), 1);
	ck_assert_int_eq(asked_fd, 3);
	ck_assert_uint_eq(count_asked("filelat", LINES(OPENED)), 1);
}
END_TEST

/* A session with viewers looks up the sockets that waits are on, and follows no file. */
START_TEST(asked_for_by_viewers)
{
	ck_assert_uint_eq(count_asked_of("filelat", true, LINES(OPENED, READ(1200, 1300), TICK(1400))), 0);
	ck_assert_uint_eq(count_asked_of("offcpu", true,
					 LINES(A_10, "with inet_sock_set_state", "900 cpu0 sched_switch idle/0 R -> a/10",
					       ENTER(1000, 10, recvfrom, "4 0 64 0 0 0"), "1010 cpu0 sched_switch a/10 S -> idle/0",
					       "1200 cpu0 sched_waking a/10 target=0 by idle/0 irq", "1210 cpu0 sched_switch idle/0 R -> a/10",
					       LEAVE(1220, 10, recvfrom, 5), TICK(1300))),
			  1);
	ck_assert_int_eq(asked_fd, 4);
}
END_TEST

/* A recording with neither look-ups nor names: no call is counted as one on an unknown file. */
START_TEST(no_names_and_no_lookups)
{
	check_rows(ASK("filelat"), LINES("without openat", A_10, READ(1200, 1300)), NO_ROWS);
	check_rows(ASK("filelat"), LINES(A_10, READ(1200, 1300)), ROWS("path=- reads=1"));
}
END_TEST

Suite *rs_suite_fd_observer(void);
Suite *rs_suite_fd_observer(void)
{
	Suite *s = suite_create("fd-observer");
	TCase *t = tcase_create("observer");

	tcase_add_test(t, asked_for_if_shown);
	tcase_add_test(t, asked_for_by_viewers);
	tcase_add_test(t, no_names_and_no_lookups);
	suite_add_tcase(s, t);
	return s;
}
