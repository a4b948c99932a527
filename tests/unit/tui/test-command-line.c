// SPDX-License-Identifier: GPL-2.0-or-later
/* test-command-line - command lines of processes, which a thread reads */
#include <check.h>
#include <stdio.h>
#include <unistd.h>

#include "tui/overview/command-line.h"

static size_t read_args(int32_t pid, const char *comm, char *buf, size_t size_bytes)
{
	return (size_t)snprintf(buf, size_bytes, "%s", pid == 7 ? "/usr/lib/api --config /etc/api" : "");
}

/* Read by a thread: nothing at first, then without the program's folder; of a kernel thread nothing. */
START_TEST(command_lines)
{
	char text[RS_COMMAND_LINE];

	rs_command_line_get(read_args, 8, "kworker", text);
	ck_assert_str_eq(text, "");
	for (int i = 0; i < 5000; i++) {
		rs_command_line_get(read_args, 7, "api", text);
		if (*text)
			break;
		usleep(1000);
	}
	ck_assert_str_eq(text, "api --config /etc/api");
	rs_command_line_get(read_args, 8, "kworker", text);
	ck_assert_str_eq(text, "");
}
END_TEST

Suite *rs_suite_command_line(void);
Suite *rs_suite_command_line(void)
{
	Suite *s = suite_create("command-line");
	TCase *t = tcase_create("command-line");

	tcase_add_test(t, command_lines);
	suite_add_tcase(s, t);
	return s;
}
