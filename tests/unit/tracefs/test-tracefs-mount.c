// SPDX-License-Identifier: GPL-2.0-or-later
/* test-tracefs-mount - where tracefs is not mounted, or empty: in a mount namespace that the test's process has for itself */
#include <check.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skip.h"
#include "tracefs/tracefs-file.h"
#include "tracefs/tracefs.h"

static const struct rs_plan_event events[] = { { .system = "sched", .name = "sched_switch" } };
static const struct rs_plan plan = { .events = events, .nr_events = 1, .clock = "boot", .buffer_percent = 10 };

static void unmount_all(const char *type)
{
	char *mounts = rs_tracefs_read("/proc/self", "mounts", NULL), *save;

	for (char *line = strtok_r(mounts, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char at[256], is[64];

		if (sscanf(line, "%*s %255s %63s", at, is) == 2 && !strcmp(is, type))
			umount2(at, MNT_DETACH);
	}
	free(mounts);
}

/* Mounted nowhere: mounted for us, and the namespace that we left does not see it. */
START_TEST(mounts_its_own)
{
	int status;
	pid_t pid;

	if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		SKIP("no mount namespace can be had");
	for (int i = 0; i < 4; i++) {
		unmount_all("tracefs");
		unmount_all("debugfs");
	}
	/* As systemd has it: without care, a mount of the child's would come up here. */
	ck_assert_int_eq(mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL), 0);
	ck_assert(access("/sys/kernel/tracing/instances", F_OK) < 0);
	pid = fork();
	if (pid == 0) {
		struct rs_error err = { 0 };
		struct rs_instance in;

		/* The guardians must see the mount as well. */
		if (!rs_tracefs_find(&err) || rs_instance_open(&in, &plan, &err) < 0) {
			fprintf(stderr, "tracefs: %s\n", err.text);
			_exit(1);
		}
		rs_instance_close(&in);
		snprintf(in.path, sizeof in.path, "%s/instances/%s", rs_tracefs_find(&err), in.name);
		_exit(access(in.path, F_OK) == 0 ? 2 : 0);
	}
	waitpid(pid, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	ck_assert_msg(access("/sys/kernel/tracing/instances", F_OK) < 0, "the mount is seen outside");
}
END_TEST

/* As under lockdown: the mount is there and empty. */
START_TEST(an_empty_tracefs)
{
	struct rs_error err = { 0 };

	if (geteuid() != 0 || unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		SKIP("no mount namespace can be had");
	unmount_all("debugfs");
	/* Over the mount that is found; where there is none, one is made for us. */
	mount("nodev", "/sys/kernel/tracing", "tracefs", 0, NULL);
	if (mount("tmpfs", "/sys/kernel/tracing", "tmpfs", 0, NULL) < 0)
		SKIP("nothing can be mounted");
	ck_assert_ptr_null(rs_tracefs_find(&err));
	ck_assert_int_eq(err.status, RS_FAILED);
	ck_assert_msg(strstr(err.text, "'/sys/kernel/tracing' is empty") || strstr(err.text, "locked down"),
		      "%s", err.text);
}
END_TEST

Suite *rs_suite_tracefs_mount(void);
Suite *rs_suite_tracefs_mount(void)
{
	Suite *s = suite_create("tracefs-mount");
	TCase *t = tcase_create("mount");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, mounts_its_own);
	tcase_add_test(t, an_empty_tracefs);
	suite_add_tcase(s, t);
	return s;
}
