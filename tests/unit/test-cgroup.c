// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cgroup - which of a process' control groups is shown */
#include <check.h>
#include <stdio.h>

#include "source/proc.h"

static const struct {
	const char *text, *path;
} rows[] = {
	{ "0::/user.slice/session-1.scope\n", "/user.slice/session-1.scope" },
	{ "0::/\n", "/" },
	{ "2:cpu:/c\n1:name=systemd:/s\n0::/u\n", "/u" },
	{ "2:cpu:/c\n1:name=systemd:/s\n0::/\n", "/s" },
	{ "9:pids:/p\n4:memory:/m\n1:name=systemd:/\n0::/\n", "/m" },
	{ "3:cpu,cpuacct:/c\n4:memory:/\n", "/c" },
	{ "0::/a:b c", "/a:b c" },
	{ "", NULL }, { "\n\n", NULL }, { "0:", NULL }, { "0::", NULL }, { "0::relative\n", NULL },
};

START_TEST(path)
{
	char text[256];
	const char *got;

	snprintf(text, sizeof text, "%s", rows[_i].text);
	got = rs_proc_cgroup_path(text);
	if (rows[_i].path)
		ck_assert_str_eq(got, rows[_i].path);
	else
		ck_assert_ptr_null(got);
}
END_TEST

Suite *rs_suite_cgroup(void)
{
	Suite *s = suite_create("cgroup");
	TCase *t = tcase_create("cgroup");

	tcase_add_loop_test(t, path, 0, sizeof rows / sizeof *rows);
	suite_add_tcase(s, t);
	return s;
}
