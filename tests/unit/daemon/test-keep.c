// SPDX-License-Identifier: GPL-2.0-or-later
/* test-keep - what is kept when a condition fires: the folder, its limits, what is unfinished; the journal; the command */
#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/journal.h"
#include "daemon/keep-command.h"
#include "daemon/keep-findings.h"
#include "daemon/keep-folder.h"

static char keep_path[64];

static void keep_setup(void)
{
	snprintf(keep_path, sizeof keep_path, "/tmp/test-keep.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(keep_path));
}

static void keep_teardown(void)
{
	char command[96];

	snprintf(command, sizeof command, "rm -rf '%s'", keep_path);
	ck_assert_int_eq(system(command), 0);
}

static void keep_open(struct rs_keep_folder *f)
{
	struct rs_error err = { 0 };

	ck_assert_msg(rs_keep_folder_open(f, keep_path, &err) == 0, "%s", err.text);
}

static void keep_write(struct rs_keep_folder *f, const char *stem, const char *ending, size_t bytes)
{
	struct rs_error err = { 0 };
	int fd = rs_keep_folder_create(f, stem, ending, &err);
	char data[4096] = "x";

	ck_assert_msg(fd >= 0, "%s", err.text);
	for (; bytes; bytes -= bytes < sizeof data ? bytes : sizeof data)
		ck_assert_int_gt(write(fd, data, bytes < sizeof data ? bytes : sizeof data), 0);
	close(fd);
}

static void keep_add(struct rs_keep_folder *f, const char *stem, size_t bytes)
{
	struct rs_error err = { 0 };

	keep_write(f, stem, ".dat", bytes);
	keep_write(f, stem, ".json", 10);
	ck_assert_msg(rs_keep_folder_finish(f, stem, &err) == 0, "%s", err.text);
}

static int keep_not_dot(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
}

/* "a.dat a.json", sorted */
static const char *keep_list(void)
{
	static char text[1000];
	struct dirent **names;
	int nr = scandir(keep_path, &names, keep_not_dot, alphasort);
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < nr; i++) {
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i ? " " : "", names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return text;
}

#define A "20261128T054500Z-a"
#define B "20261128T054501Z-b"
#define C "20261128T054502Z-c"

START_TEST(whole_or_not)
{
	struct rs_keep_folder f = { -1, 20, 1 << 30 };
	struct rs_error err = { 0 };

	keep_open(&f);
	keep_add(&f, A, 100);
	keep_write(&f, B, ".dat", 100);
	ck_assert_str_eq(keep_list(), ".part-" B ".dat " A ".dat " A ".json");
	rs_keep_folder_drop(&f, B);
	ck_assert_str_eq(keep_list(), A ".dat " A ".json");
	/* without the file that is the last there is nothing to keep */
	keep_write(&f, B, ".dat", 100);
	ck_assert_int_eq(rs_keep_folder_finish(&f, B, &err), -1);
	ck_assert_str_eq(keep_list(), A ".dat " A ".json");
	rs_keep_folder_close(&f);
}
END_TEST

/* Who was killed left parts, or files without the one that comes last; what others put there is theirs. */
START_TEST(after_a_kill)
{
	struct rs_keep_folder f = { -1, 20, 1 << 30 };
	char other[100];

	keep_open(&f);
	keep_add(&f, A, 100);
	keep_add(&f, B, 100);
	keep_write(&f, C, ".dat", 100);
	snprintf(other, sizeof other, "%s/" B ".json", keep_path);
	unlink(other);
	snprintf(other, sizeof other, "%s/mine.dat", keep_path);
	close(open(other, O_WRONLY | O_CREAT, 0600));
	rs_keep_folder_close(&f);
	keep_open(&f);
	ck_assert_str_eq(keep_list(), A ".dat " A ".json mine.dat");
	rs_keep_folder_close(&f);
}
END_TEST

#define AHEAD "20550605T214500Z-a" /* of before the clock was set right */
#define NOW 1795844700l /* 20261128T054500Z */

START_TEST(oldest_first)
{
	struct rs_keep_folder f = { -1, 2, 1 << 30 };

	keep_open(&f);
	keep_add(&f, B, 100);
	keep_add(&f, A, 100);
	keep_add(&f, C, 100);
	rs_keep_folder_prune(&f, NOW);
	ck_assert_str_eq(keep_list(), B ".dat " B ".json " C ".dat " C ".json");
	f.most_bytes = 40000;
	keep_add(&f, A, 100);
	rs_keep_folder_prune(&f, NOW); /* few of them, and small */
	ck_assert_str_eq(keep_list(), B ".dat " B ".json " C ".dat " C ".json");
	f.most_bytes = 1;
	rs_keep_folder_prune(&f, NOW); /* the last one stays */
	ck_assert_str_eq(keep_list(), C ".dat " C ".json");
	rs_keep_folder_close(&f);
}
END_TEST

START_TEST(names)
{
	struct rs_keep_folder f = { -1, 2, 1 << 30 };
	char stem[RS_KEEP_STEM];

	keep_open(&f);
	rs_keep_folder_name(&f, NOW, "disk /x: 5", stem);
	ck_assert_str_eq(stem, "20261128T054500Z-disk--x--5");
	keep_add(&f, stem, 1);
	rs_keep_folder_name(&f, NOW, "disk /x: 5", stem);
	ck_assert_str_eq(stem, "20261128T054501Z-disk--x--5");
	ck_assert(rs_keep_folder_is_stem(stem));
	ck_assert(!rs_keep_folder_is_stem("20261128T0545"));
	ck_assert(!rs_keep_folder_is_stem("notes.txt"));
	rs_keep_folder_close(&f);
}
END_TEST

/* What is new goes last, however the clock is set: back by an hour, back from years ahead, ahead. */
START_TEST(after_a_jump)
{
	static const time_t times[] = { NOW, NOW - 3600, NOW - 3601, NOW + 900000000, NOW, NOW + 5 };
	static const char *const kept[] = {
		A, "20261128T054501Z-a", "20261128T054502Z-a", AHEAD, "20261128T054503Z-a",
		"20261128T054505Z-a",
	};
	struct rs_keep_folder f = { -1, 2, 1 << 30 };
	char stem[RS_KEEP_STEM], wanted[500];
	const char *before;

	keep_open(&f);
	keep_add(&f, AHEAD, 100);
	for (unsigned int i = 0; i < 6; i++) {
		rs_keep_folder_name(&f, times[i], "a", stem);
		ck_assert_str_eq(stem, kept[i]);
		keep_add(&f, stem, 100);
		rs_keep_folder_prune(&f, times[i]);
		before = kept[i == 4 ? 2 : i ? i - 1 : 0]; /* what is ahead goes first */
		snprintf(wanted, sizeof wanted, "%s.dat %s.json %s.dat %s.json", before, before, stem, stem);
		ck_assert_str_eq(keep_list(), i ? wanted : A ".dat " A ".json " AHEAD ".dat " AHEAD ".json");
	}
	rs_keep_folder_close(&f);
}
END_TEST

static const char *keep_text(const char *file)
{
	static char text[4000];
	char path[200];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", keep_path, file);
	f = fopen(path, "r");
	ck_assert_msg(f != NULL, "no %s: %s", file, keep_list());
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* Control characters are escaped, and quotes for the shell: names are hostile. */
START_TEST(findings)
{
	static const struct rs_wire_alarm alarm = { .when = "lost > 0", .sentence = "lost \x1b 5" };
	static const struct rs_finding_evidence evidence = { "disks", "-busy_ns", "comm == 'a'", NULL };
	static const struct rs_wire_finding one = { .rule = "disk-wait", .text = "a\nb (10) waits",
						    .advice = "less", .evidence = &evidence,
						    .nr_evidence = 1 };
	struct rs_findings_reply reply = { .from_ns = rs_u(5), .to_ns = rs_u(2000000005) };
	struct rs_keep_findings k = { .alarms = &alarm, .nr_alarms = 1, .reply = &reply };
	struct rs_keep_folder f = { -1, 20, 1 << 30 };
	struct rs_error err = { 0 };

	keep_open(&f);
	ck_assert_int_eq(rs_keep_findings_write(&f, A, &k, &err), 0);
	ck_assert_str_eq(keep_text(".part-" A ".findings.txt"),
			 "lost > 0: lost \\x1B 5\n\nno findings in these 2.00s\n");
	ck_assert_str_eq(keep_text(".part-" A ".findings.json"), "");
	reply.findings = &one;
	reply.nr_findings = 1;
	k.has_recording = true;
	ck_assert_int_eq(rs_keep_findings_write(&f, B, &k, &err), 0);
	ck_assert_str_eq(keep_text(".part-" B ".findings.txt"),
			 "lost > 0: lost \\x1B 5\n\na\\x0Ab (10) waits\n"
			 "    see: ringside disks -s busy_ns --where 'comm == '\\''a'\\''' -i " B ".dat\n"
			 "    try: less (rule disk-wait)\n");
	ck_assert_ptr_nonnull(strstr(keep_text(".part-" B ".findings.json"), "\"a\\u000Ab (10) waits\""));
	rs_keep_folder_close(&f);
}
END_TEST

START_TEST(journal_entry)
{
	static const char wanted[] = "MESSAGE=p99\nTEXT\n\3\0\0\0\0\0\0\0a\nb\n";
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct rs_journal j;
	char got[200];
	ssize_t len;

	snprintf(at.sun_path, sizeof at.sun_path, "%.60s/socket", keep_path);
	rs_journal_open(&j, at.sun_path);
	ck_assert_int_eq(j.fd, -1);
	rs_journal_put(&j, "MESSAGE", "to nobody");
	ck_assert(!rs_journal_send(&j));
	rs_journal_close(&j);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
	rs_journal_open(&j, at.sun_path);
	rs_journal_put(&j, "MESSAGE", "p99");
	rs_journal_put(&j, "TEXT", "a\nb"); /* with its length: a line of it is no field */
	ck_assert(rs_journal_send(&j));
	len = recv(fd, got, sizeof got, MSG_DONTWAIT);
	ck_assert_int_eq(len, sizeof wanted - 1);
	ck_assert_int_eq(memcmp(got, wanted, sizeof wanted - 1), 0);
	rs_journal_close(&j);
	close(fd);
}
END_TEST

static const struct {
	const char *command, *why; /* NULL: it is well */
	int limit_ms;
} keep_commands[] = {
	{ "test \"$RINGSIDE_SENTENCE\" = 'a $(b)' && test -z \"$HOME\"", NULL, 10000 },
	{ "read x && exit 1; exit 0", NULL, 10000 }, /* its input is empty */
	{ "exit 3", "exited with 3", 10000 },
	{ "kill -9 $$", "ended by signal 9", 10000 },
	{ "sleep 100 & sleep 100", "was ended: it ran longer than", 100 },
};

START_TEST(command)
{
	const struct rs_keep_variable variables[] = { { "RINGSIDE_SENTENCE", "a $(b)" }, { NULL, NULL } };
	const char *why = keep_commands[_i].why;
	struct rs_error err = { 0 };
	int status = rs_keep_command_run(keep_commands[_i].command, variables, keep_commands[_i].limit_ms, &err);

	ck_assert_int_eq(status, why ? -1 : 0);
	ck_assert_msg(!why || strstr(err.text, why), "%s", err.text);
}
END_TEST

Suite *rs_suite_keep(void)
{
	Suite *s = suite_create("keep");
	TCase *tc = tcase_create("keep");

	tcase_add_checked_fixture(tc, keep_setup, keep_teardown);
	tcase_add_test(tc, whole_or_not);
	tcase_add_test(tc, after_a_kill);
	tcase_add_test(tc, oldest_first);
	tcase_add_test(tc, names);
	tcase_add_test(tc, after_a_jump);
	tcase_add_test(tc, findings);
	tcase_add_test(tc, journal_entry);
	tcase_add_loop_test(tc, command, 0, (int)(sizeof keep_commands / sizeof *keep_commands));
	suite_add_tcase(s, tc);
	return s;
}
