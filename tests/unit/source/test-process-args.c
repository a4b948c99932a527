// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of command lines, and the thread that reads them. */
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "source/live/args-reader.h"

static const char *get(struct rs_process_args_table *t, int32_t pid, const char *comm, uint64_t from_ns,
		       uint64_t to_ns)
{
	static char text[RS_PROCESS_ARGS_BYTES];

	rs_process_args_get(t, &(struct rs_process){ pid, comm, from_ns, to_ns }, text, sizeof text);
	return text;
}

static bool add(struct rs_process_args_table *t, int32_t pid, const char *comm, uint64_t read_ns, const char *text)
{
	struct rs_process_args row = { .pid = pid, .read_ns = read_ns, .text = text };

	strcpy(row.comm, comm);
	return rs_process_args_add(t, &row);
}

/* A number that was used twice, an exec in between, a name of 15 bytes. */
START_TEST(a_row_is_of_the_process_that_lived_then)
{
	struct rs_process_args_table *t = rs_process_args_new(false);

	add(t, 5, "python3", 100, "python3 old.py");
	add(t, 5, "python3", 200, "python3 new.py");
	add(t, 5, "a-very-long-nam", 0, "a-very-long-name-indeed -x");
	ck_assert_str_eq(get(t, 5, "python3", 0, 150), "python3 old.py");
	ck_assert_str_eq(get(t, 5, "python3", 150, 0), "python3 new.py");
	ck_assert_str_eq(get(t, 5, "python3", 250, 0), "");
	ck_assert_str_eq(get(t, 5, "python3", 110, 190), "");
	ck_assert_str_eq(get(t, 6, "python3", 0, 0), "");
	ck_assert_str_eq(get(t, 5, "sh", 0, 0), "");
	ck_assert_str_eq(get(t, 5, "a-very-long-nam", 7, 9), "a-very-long-name-indeed -x");
	ck_assert_str_eq(get(NULL, 5, "python3", 0, 0), "");
	rs_process_args_free(t);
}
END_TEST

START_TEST(what_was_asked_for_is_completed)
{
	struct rs_process_args_table *t = rs_process_args_new(true);
	const struct rs_process later = { 5, "sh", 60, 0 }, now = { 5, "sh", 40, 0 };

	ck_assert(!rs_process_args_has(t, &now));
	add(t, 5, "sh", 50, NULL);
	ck_assert(rs_process_args_has(t, &now));
	ck_assert(!rs_process_args_has(t, &later));
	ck_assert_str_eq(get(t, 5, "sh", 0, 0), "");
	add(t, 5, "sh", 55, "sh -c x");
	ck_assert_uint_eq(rs_process_args_nr(t), 1);
	ck_assert_str_eq(get(t, 5, "sh", 0, 0), "sh -c x");
	rs_process_args_free(t);
}
END_TEST

/* Of texts of 4 KiB 2048 fit; of a full table the oldest go, or no more come. */
START_TEST(tables_are_bounded)
{
	char text[RS_PROCESS_ARGS_BYTES + 10];

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	for (int evicts = 0; evicts < 2; evicts++) {
		struct rs_process_args_table *t = rs_process_args_new(evicts);

		for (int32_t pid = 1; pid <= 3000; pid++)
			ck_assert_int_eq(add(t, pid, "x", 0, text), evicts || pid <= 2048);
		ck_assert_uint_eq(rs_process_args_nr(t), 2048);
		ck_assert_uint_eq(strlen(get(t, evicts ? 3000 : 1, "x", 0, 0)), RS_PROCESS_ARGS_BYTES - 1);
		ck_assert_str_eq(get(t, evicts ? 1 : 3000, "x", 0, 0), "");
		rs_process_args_free(t);
		t = rs_process_args_new(evicts);
		for (int32_t pid = 1; pid <= 20000; pid++)
			add(t, pid, "x", 0, NULL);
		ck_assert_uint_eq(rs_process_args_nr(t), RS_PROCESS_ARGS_MAX);
		rs_process_args_free(t);
	}
}
END_TEST

/* A child that stops, in a shell with these words. */
static pid_t child(char *const argv[])
{
	pid_t pid = fork();

	if (!pid) {
		execv("/bin/sh", argv);
		_exit(127);
	}
	/* the name is there before the arguments are */
	ck_assert_int_eq(waitpid(pid, NULL, WUNTRACED), pid);
	return pid;
}

START_TEST(the_thread_reads_each_process_once)
{
	char *const argv[] = { "a shell", "-c", "kill -STOP $$", "--password=hunter2", NULL },
	     *const long_argv[] = { "sh", "-c", "kill -STOP $$", calloc(1, 100001), NULL };
	const clockid_t clock = CLOCK_MONOTONIC;
	struct rs_args_reader *r = rs_args_reader_begin(&clock, false), *plain = rs_args_reader_begin(NULL, true);
	struct rs_process_args_table *t = rs_args_reader_table(r);
	struct rs_initial_task tasks[2] = { { .comm = "sh" }, { .comm = "sh" } };
	uint64_t begin_ns = rs_monotonic_ns();

	memset(long_argv[3], '7', 100000);
	ck_assert_int_gt(rs_args_reader_tid(r), 0);
	for (int i = 0; i < 2; i++)
		tasks[i].tid = tasks[i].pid = child(i ? long_argv : argv);
	rs_args_reader_ask_all(r, tasks, 2);
	rs_args_reader_wait(r, 10000);
	ck_assert_str_eq(get(t, tasks[0].pid, "sh", begin_ns, 0), "a shell -c kill -STOP $$ --password=***");
	ck_assert_str_eq(get(t, tasks[0].pid, "sh", 0, begin_ns), "");
	ck_assert_uint_eq(strlen(get(t, tasks[1].pid, "sh", 0, 0)), RS_PROCESS_ARGS_BYTES - 1);
	ck_assert_str_eq(get(t, tasks[1].pid, "sh", 0, 0) + RS_PROCESS_ARGS_BYTES - 7, "777...");
	rs_args_reader_ask(plain, &(struct rs_process){ tasks[0].pid, "sh" });
	rs_args_reader_ask(plain, &(struct rs_process){ tasks[0].pid, "another" });
	rs_args_reader_wait(plain, 10000);
	ck_assert_str_eq(get(rs_args_reader_table(plain), tasks[0].pid, "sh", 0, 0),
			 "a shell -c kill -STOP $$ --password=hunter2");
	ck_assert_str_eq(get(rs_args_reader_table(plain), tasks[0].pid, "another", 0, 0), "");
	for (int i = 0; i < 2; i++) {
		kill(tasks[i].pid, SIGKILL);
		waitpid(tasks[i].pid, NULL, 0);
	}
	/* it is in the table, so nothing is read again */
	rs_args_reader_ask_all(r, tasks, 2);
	rs_args_reader_wait(r, 10000);
	ck_assert_str_eq(get(t, tasks[0].pid, "sh", 0, 0), "a shell -c kill -STOP $$ --password=***");
	ck_assert_uint_eq(rs_process_args_nr(t), 2);
	rs_args_reader_end(r);
	rs_args_reader_end(plain);
	free(long_argv[3]);
}
END_TEST

/* A storm of new programs: one tick's budget is taken, the rest is not read. */
START_TEST(a_storm_is_bounded)
{
	struct rs_args_reader *r = rs_args_reader_begin(NULL, false);
	uint64_t begin_ns = rs_monotonic_ns(), ticks;

	for (int32_t pid = 1 << 23; pid < (1 << 23) + 10000; pid++)
		rs_args_reader_ask(r, &(struct rs_process){ pid, "storm" });
	ticks = 1 + (rs_monotonic_ns() - begin_ns) / 50000000;
	ck_assert_uint_ge(rs_process_args_nr(rs_args_reader_table(r)), 32);
	ck_assert_uint_le(rs_process_args_nr(rs_args_reader_table(r)), 32 * ticks);
	rs_args_reader_end(r);
}
END_TEST

Suite *rs_suite_process_args(void);
Suite *rs_suite_process_args(void)
{
	Suite *s = suite_create("process-args");
	TCase *t = tcase_create("process-args");

	tcase_add_test(t, a_row_is_of_the_process_that_lived_then);
	tcase_add_test(t, what_was_asked_for_is_completed);
	tcase_add_test(t, tables_are_bounded);
	tcase_add_test(t, the_thread_reads_each_process_once);
	tcase_add_test(t, a_storm_is_bounded);
	suite_add_tcase(s, t);
	return s;
}
