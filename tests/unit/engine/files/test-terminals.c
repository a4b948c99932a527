// SPDX-License-Identifier: GPL-2.0-or-later
/* test-terminals - which reads wait for a person: asked once for each, known until the next call */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal-path.h"
#include "engine/calls/syscall.h"
#include "engine/files/fd-paths.h"
#include "engine/files/terminals.h"
#include "engine/internal.h"

static struct rs_fd_reply reply; /* pid 0: none */
static int nr_asked;
static bool deaf;                /* nobody answers any more */

static bool ask(void *arg, int32_t pid, int32_t fd)
{
	(void)arg;
	(void)pid;
	(void)fd;
	nr_asked++;
	return !deaf;
}

static bool answer(void *arg, struct rs_fd_reply *to)
{
	(void)arg;
	if (!reply.pid)
		return false;
	*to = reply;
	reply.pid = 0;
	return true;
}

static void answer_with(int32_t pid, int32_t fd, uint64_t read_ns, const char *path)
{
	reply = (struct rs_fd_reply){ .pid = pid, .fd = fd, .read_ns = read_ns, .len = path ? (int32_t)strlen(path) : -1 };
	snprintf(reply.path, sizeof reply.path, "%s", path ? path : "");
}

static struct rs_session *session;
static struct rs_terminals *t;
static const struct rs_task cat = { .tid = 7, .pid = 7 };

static void set_up(void)
{
	reply.pid = 0;
	nr_asked = 0;
	deaf = false;
	session = calloc(1, sizeof *session);
	ck_assert_ptr_nonnull(session);
	session->config.fd_requester = (struct rs_fd_requester){ ask, answer, NULL };
	session->config.for_viewers = true;
	ck_assert_int_eq(rs_observer_terminals.begin(session), 0);
	t = rs_terminals_of(session);
	ck_assert_ptr_nonnull(t);
}

static void tear_down(void)
{
	free(t);
	free(session);
}

START_TEST(a_terminal)
{
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true)); /* asked, and not known yet */
	answer_with(7, 0, 150, "/dev/pts/3");
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	for (int i = 0; i < 10; i++)
		ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	ck_assert(rs_terminals_has(t, &cat, 100, 0, false)); /* it has ended: what it was */
	ck_assert_int_eq(nr_asked, 1);
	ck_assert(!rs_terminals_has(t, &cat, 200, 0, false)); /* the next one, of which nobody had asked */
	ck_assert_int_eq(nr_asked, 1);
	ck_assert(rs_terminals_has(t, &cat, 300, 0, true));
	ck_assert_int_eq(nr_asked, 2);
}
END_TEST

START_TEST(another_file)
{
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	answer_with(7, 0, 150, "pipe:[33]");
	ck_assert(!rs_terminals_has(t, &cat, 100, 0, true));
	ck_assert(rs_terminals_has(t, &cat, 200, 0, true));
	answer_with(7, 0, 250, NULL); /* it has gone, or may not be seen */
	ck_assert(!rs_terminals_has(t, &cat, 200, 0, true));
}
END_TEST

/* Of another descriptor, or made before the call began: it does not count. */
START_TEST(not_its_answer)
{
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	answer_with(7, 1, 150, "pipe:[33]");
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	answer_with(7, 0, 99, "pipe:[33]");
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	answer_with(7, 0, 100, "/dev/tty1");
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
}
END_TEST

START_TEST(no_answer)
{
	for (int i = 0; i < 3; i++)
		ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	ck_assert(!rs_terminals_has(t, &cat, 100, 0, true)); /* for ever is too long */
	ck_assert(!rs_terminals_has(t, &cat, 100, 0, false));
	deaf = true;
	ck_assert(!rs_terminals_has(t, &cat, 200, 0, true));
	deaf = false;
	ck_assert(rs_terminals_has(t, &cat, 200, 0, true)); /* and again */
	nr_asked = 0;
	ck_assert(!rs_terminals_has(t, &(struct rs_task){ .tid = 8 }, 200, 0, true)); /* of which process? */
	ck_assert(!rs_terminals_has(t, &cat, 300, -1, true));
	ck_assert_int_eq(nr_asked, 0);
}
END_TEST

/* What the descriptors' observer has read is read by nobody else. */
START_TEST(handed_on)
{
	const struct rs_trace_info info = { .machine = "x86_64", .long_bytes = 8 };
	struct rs_syscall_names *names = rs_syscall_names_new(&info);
	struct rs_fd_paths *paths = rs_fd_paths_new(&session->config.fd_requester, NULL, NULL, names);

	free(t);
	rs_observer_set(session, RS_OBSERVER_FILES, paths);
	ck_assert_int_eq(rs_observer_terminals.begin(session), 0);
	t = rs_terminals_of(session);
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	answer_with(7, 0, 150, "pipe:[33]");
	ck_assert(rs_terminals_has(t, &cat, 100, 0, true));
	rs_fd_lookups_take_replies(paths, t);
	ck_assert(!rs_terminals_has(t, &cat, 100, 0, true));
	rs_fd_paths_free(paths);
	rs_syscall_names_free(names);
}
END_TEST

START_TEST(names)
{
	ck_assert(rs_is_terminal_path("/dev/pts/12", 11));
	ck_assert(rs_is_terminal_path("/dev/ttyS0", 10));
	ck_assert(rs_is_terminal_path("/dev/console", 12));
	ck_assert(!rs_is_terminal_path("/dev/pts/12", 5)); /* not terminated there */
	ck_assert(!rs_is_terminal_path("/dev/null", 9));
	ck_assert(!rs_is_terminal_path("/srv/dev/pts/1", 14));
}
END_TEST

Suite *rs_suite_terminals(void)
{
	Suite *s = suite_create("terminals");
	TCase *c = tcase_create("terminals");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, a_terminal);
	tcase_add_test(c, another_file);
	tcase_add_test(c, not_its_answer);
	tcase_add_test(c, no_answer);
	tcase_add_test(c, handed_on);
	tcase_add_test(c, names);
	suite_add_tcase(s, c);
	return s;
}
