// SPDX-License-Identifier: GPL-2.0-or-later
/* test-greeting - versions, clocks and the begin, and what the other side may say instead */
#include <check.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "link/greeting.h"

/* What the other side has said already; nothing more comes. */
static int said(const char *text)
{
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(write(fds[1], text, strlen(text)), (ssize_t)strlen(text));
	close(fds[1]);
	return fds[0];
}

START_TEST(version)
{
	static const struct { const char *said, *error; } rows[] = {
		{ "Last login: today\nringside-link 2 0.1.0\nrest", NULL },
		{ "\n\nringside-link 2 9.9\nrest", NULL },
		{ "ringside-link 1 9.9\nrest", "ringside there is of another version, 1 9.9 (install this one, " RS_VERSION ")" },
		{ "sh: ringside: not found\n", "ringside did not start there" },
		{ "", "ringside did not start there" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rs_error err = { 0 };
		int fd = said(rows[i].said), status = rs_greeting_expect(fd, &err);
		char rest[5] = "";

		ck_assert_int_eq(status, rows[i].error ? -1 : 0);
		ck_assert_str_eq(err.text, rows[i].error ? rows[i].error : "");
		if (!rows[i].error)
			ck_assert_int_eq(read(fd, rest, 4), 4); /* no byte of what follows is gone */
		ck_assert_str_eq(rest, rows[i].error ? "" : "rest");
		close(fd);
	}
}
END_TEST

struct server {
	int in_fd, out_fd, status;
	char words[100];
};

static void *serve(void *arg)
{
	struct server *s = arg;

	s->status = rs_greeting_serve(s->in_fd, s->out_fd, s->words, sizeof s->words);
	return NULL;
}

START_TEST(both_sides)
{
	struct rs_error err = { 0 };
	struct rs_host_clock clock;
	struct server server;
	int to[2], from[2];
	pthread_t thread;

	ck_assert_int_eq(pipe(to), 0);
	ck_assert_int_eq(pipe(from), 0);
	server = (struct server){ .in_fd = to[0], .out_fd = from[1] };
	ck_assert_int_eq(pthread_create(&thread, NULL, serve, &server), 0);
	ck_assert_int_eq(rs_greeting_expect(from[0], &err), 0);
	ck_assert_int_eq(rs_greeting_ask_clock(from[0], to[1], &clock, &err), 0);
	rs_greeting_begin(to[1], "web 1");
	pthread_join(thread, NULL);
	ck_assert_int_eq(server.status, 0);
	ck_assert_str_eq(server.words, "web 1");
	/* it is our own clock: zero is within what it says */
	ck_assert(clock.known);
	ck_assert_int_le(clock.boot_offset_ns, (int64_t)clock.within_ns);
	ck_assert_int_ge(clock.boot_offset_ns, -(int64_t)clock.within_ns - 1);
	for (int i = 0; i < 2; i++) {
		close(to[i]);
		close(from[i]);
	}
}
END_TEST

/* Eight answers that are there at once: of a machine that has run for ten seconds, in 1970. */
START_TEST(other_clock)
{
	static const char answer[] = "10000000000 20000000000\n";
	struct timespec boot, wall;
	struct rs_error err = { 0 };
	struct rs_host_clock clock;
	char text[8 * sizeof answer] = "";
	int to[2], fd;

	for (int i = 0; i < 8; i++)
		strcat(text, answer);
	fd = said(text);
	ck_assert_int_eq(pipe(to), 0);
	clock_gettime(CLOCK_BOOTTIME, &boot);
	clock_gettime(CLOCK_REALTIME, &wall);
	ck_assert_int_eq(rs_greeting_ask_clock(fd, to[1], &clock, &err), 0);
	ck_assert_int_eq((boot.tv_sec * 1000000000 + boot.tv_nsec + clock.boot_offset_ns + 5000000000) / 10000000000, 1);
	ck_assert_int_eq((wall.tv_sec * 1000000000 + wall.tv_nsec + clock.wall_offset_ns + 5000000000) / 10000000000, 2);
	close(fd);
	close(to[0]);
	close(to[1]);
}
END_TEST

START_TEST(no_clock)
{
	static const char *const rows[] = { "", "soon\n", "-5 3\n", "5 -3\n", "5\n", "5 3" };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rs_error err = { 0 };
		struct rs_host_clock clock;
		int to[2], fd = said(rows[i]);

		ck_assert_int_eq(pipe(to), 0);
		ck_assert_int_eq(rs_greeting_ask_clock(fd, to[1], &clock, &err), -1);
		ck_assert_str_eq(err.text, "ringside there does not say what time it is");
		close(fd);
		close(to[0]);
		close(to[1]);
	}
}
END_TEST

/* A client of another version, or none at all, begins nothing. */
START_TEST(no_begin)
{
	static const char *const rows[] = { "", "clock\n", "beginning\n", "begin", "GET / HTTP/1.1\n" };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char words[10];
		int to[2], fd = said(rows[i]);

		ck_assert_int_eq(pipe(to), 0);
		ck_assert_int_eq(rs_greeting_serve(fd, to[1], words, sizeof words), -1);
		close(fd);
		close(to[0]);
		close(to[1]);
	}
}
END_TEST

Suite *rs_suite_greeting(void);
Suite *rs_suite_greeting(void)
{
	Suite *s = suite_create("greeting");
	TCase *t = tcase_create("greeting");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, version);
	tcase_add_test(t, both_sides);
	tcase_add_test(t, other_clock);
	tcase_add_test(t, no_clock);
	tcase_add_test(t, no_begin);
	suite_add_tcase(s, t);
	return s;
}
