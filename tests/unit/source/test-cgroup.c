// SPDX-License-Identifier: GPL-2.0-or-later
/* test-cgroup - which of a process' control groups is shown */
#include <check.h>
#include <stdio.h>

#include "source/live/proc.h"

#define ALL(path) path, { path, path, path }

static const struct {
	const char *text, *path, *of[RS_NR_CGROUP_CONTROLLERS]; /* of cpu, memory and blkio */
} rows[] = {
	{ "0::/user.slice/session-1.scope\n", ALL("/user.slice/session-1.scope") },
	{ "0::/\n", ALL("/") },
	{ "2:cpu:/c\n1:name=systemd:/s\n0::/u\n", "/u", { "/c", "/u", "/u" } },
	{ "2:cpu:/c\n1:name=systemd:/s\n0::/\n", "/s", { "/c", "/", "/" } },
	{ "9:pids:/p\n4:memory:/m\n1:name=systemd:/\n0::/\n", "/m", { "/", "/m", "/" } },
	{ "3:cpu,cpuacct:/c\n4:memory:/\n", "/c", { "/c", "/", NULL } },
	{ "5:cpuacct:/a\n6:cpuset:/t\n7:net_cls,blkio:/b\n3:cpu:/c\n", "/a", { "/c", NULL, "/b" } },
	{ "0::/a:b c", ALL("/a:b c") },
	{ "", ALL(NULL) }, { "\n\n", ALL(NULL) }, { "0:", ALL(NULL) }, { "0::", ALL(NULL) }, { "0::relative\n", ALL(NULL) },
};

static void check_path(const char *got, const char *expected)
{
	if (expected)
		ck_assert_str_eq(got, expected);
	else
		ck_assert_ptr_null(got);
}

START_TEST(path)
{
	struct rs_proc_cgroup found;
	char text[256];

	snprintf(text, sizeof text, "%s", rows[_i].text);
	rs_proc_cgroup_paths(text, &found);
	check_path(found.path, rows[_i].path);
	for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
		check_path(found.of[i], rows[_i].of[i]);
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
