// SPDX-License-Identifier: GPL-2.0-or-later
/* test-settings - kept in a file that is whole or not there; a broken one is said, not used, and put aside */
#include "tui/app/settings.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/ringside-test-XXXXXX", path[100];

static void set_up(void)
{
	strcpy(folder + sizeof folder - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/config/ringside/settings.json", folder);
}

static void tear_down(void)
{
	char command[100];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

static void put_file(const char *text)
{
	char command[1000];
	FILE *f;

	snprintf(command, sizeof command, "mkdir -p '%s/config/ringside'", folder);
	ck_assert_int_eq(system(command), 0);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static const char *read_back(const char *name)
{
	static char text[1000];
	FILE *f = fopen(name, "r");

	ck_assert_msg(f != NULL, "%s", name);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return text;
}

START_TEST(the_selection_is_restored)
{
	struct rs_settings s;
	struct rs_error err = { 0 };

	ck_assert(rs_settings_read(&s, path, &err)); /* none yet: no error */
	ck_assert_ptr_null(rs_settings_of_view(&s, "tasks", "sort"));
	ck_assert_uint_eq(rs_settings_refresh_ms(&s, 1000), 1000);
	rs_settings_set_view(&s, "tasks", "sort", "-run_ns");
	rs_settings_set_view(&s, "tasks", "columns", "comm,pid");
	rs_settings_set_view(&s, "tasks", "sort", "comm");
	rs_settings_set_text(&s, "theme", "light");
	rs_settings_set_refresh_ms(&s, 500);
	ck_assert_msg(rs_settings_write(&s, &err) == 0, "%s", err.text);
	rs_settings_done(&s);

	ck_assert(rs_settings_read(&s, path, &err));
	ck_assert_str_eq(rs_settings_of_view(&s, "tasks", "sort"), "comm");
	ck_assert_str_eq(rs_settings_of_view(&s, "tasks", "columns"), "comm,pid");
	ck_assert_str_eq(rs_settings_text(&s, "theme"), "light");
	ck_assert_uint_eq(rs_settings_refresh_ms(&s, 1000), 500);
	rs_settings_done(&s);
}
END_TEST

START_TEST(the_usual_place)
{
	struct rs_settings s;
	struct rs_error err = { 0 };
	char wanted[200];

	setenv("HOME", folder, 1);
	unsetenv("XDG_CONFIG_HOME");
	rs_settings_read(&s, NULL, &err);
	snprintf(wanted, sizeof wanted, "%s/.config/ringside/settings.json", folder);
	ck_assert_str_eq(s.path, wanted);
	rs_settings_done(&s);
	setenv("XDG_CONFIG_HOME", folder, 1);
	rs_settings_read(&s, NULL, &err);
	snprintf(wanted, sizeof wanted, "%s/ringside/settings.json", folder);
	ck_assert_str_eq(s.path, wanted);
	rs_settings_done(&s);
	setenv("XDG_CONFIG_HOME", "relative", 1); /* to be ignored */
	unsetenv("HOME");
	rs_settings_read(&s, NULL, &err);
	ck_assert_ptr_null(s.path);
	ck_assert_int_eq(rs_settings_write(&s, &err), 0);
	rs_settings_done(&s);
}
END_TEST

START_TEST(a_broken_file)
{
	static const char *const broken[] = { "", "{", "[1]", "7", "{\"theme\":", "{} x", "\xFF\xFE" };
	char aside[150];

	snprintf(aside, sizeof aside, "%s.bad", path);
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		struct rs_settings s;
		struct rs_error err = { 0 }, none = { 0 };

		put_file(broken[i]);
		ck_assert(!rs_settings_read(&s, path, &err));
		ck_assert_ptr_nonnull(strstr(err.text, "settings.json: not JSON of settings"));
		ck_assert_ptr_null(rs_settings_text(&s, "theme"));
		ck_assert_str_eq(read_back(path), broken[i]); /* reading changes nothing */
		rs_settings_set_text(&s, "theme", "dark");
		ck_assert_int_eq(rs_settings_write(&s, &none), 0);
		ck_assert_str_eq(read_back(aside), broken[i]);
		rs_settings_done(&s);
		ck_assert(rs_settings_read(&s, path, &none));
		rs_settings_done(&s);
	}
}
END_TEST

/* Each member may be of any kind: what it is not is not used. */
START_TEST(members_of_another_kind)
{
	struct rs_settings s;
	struct rs_error err = { 0 };

	put_file("{\"views\":7,\"theme\":[1],\"refresh_ms\":\"fast\",\"of a later version\":1}");
	ck_assert(rs_settings_read(&s, path, &err));
	ck_assert_ptr_null(rs_settings_of_view(&s, "tasks", "sort"));
	ck_assert_ptr_null(rs_settings_text(&s, "theme"));
	ck_assert_uint_eq(rs_settings_refresh_ms(&s, 1000), 1000);
	rs_settings_set_view(&s, "tasks", "sort", "comm");
	ck_assert_str_eq(rs_settings_of_view(&s, "tasks", "sort"), "comm");
	ck_assert_int_eq(rs_settings_write(&s, &err), 0);
	ck_assert_ptr_nonnull(strstr(read_back(path), "of a later version"));
	rs_settings_done(&s);
	put_file("{\"refresh_ms\":1e99,\"views\":{\"tasks\":{\"sort\":{}}}}");
	ck_assert(rs_settings_read(&s, path, &err));
	ck_assert_uint_eq(rs_settings_refresh_ms(&s, 1000), 1000);
	ck_assert_ptr_null(rs_settings_of_view(&s, "tasks", "sort"));
	rs_settings_done(&s);
}
END_TEST

/* A link is not followed, a folder is not a file, and the old one stays where the new one cannot be written. */
START_TEST(what_cannot_be_read_or_written)
{
	struct rs_settings s;
	struct rs_error err = { 0 };

	put_file("{}");
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert(!rs_settings_read(&s, path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "not a file of settings"));
	rs_settings_done(&s);
	err = (struct rs_error){ 0 };
	ck_assert(rs_settings_read(&s, "/dev/null/settings.json", &err));
	ck_assert_int_lt(rs_settings_write(&s, &err), 0);
	rs_settings_done(&s);
}
END_TEST

Suite *rs_suite_settings(void);
Suite *rs_suite_settings(void)
{
	Suite *s = suite_create("settings");
	TCase *t = tcase_create("file");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, the_selection_is_restored);
	tcase_add_test(t, the_usual_place);
	tcase_add_test(t, a_broken_file);
	tcase_add_test(t, members_of_another_kind);
	tcase_add_test(t, what_cannot_be_read_or_written);
	suite_add_tcase(s, t);
	return s;
}
