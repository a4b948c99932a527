// SPDX-License-Identifier: GPL-2.0-or-later
/* test-usual-file - the file of what is learned: two halves in turn, one of which may be damaged; a second daemon; forgetting */
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/usual-file.h"
#include "usual/usual-state.h"

static char path[] = "/tmp/rs-usual-file-XXXXXX";

static void file_begin(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void file_end(void)
{
	unlink(path);
	strcpy(path, "/tmp/rs-usual-file-XXXXXX");
}

static void file_says(void *arg, const char *text)
{
	snprintf(arg, 512, "%s", text);
}

static void *file_thread(void *f)
{
	char said[512] = "";

	rs_usual_file_run(f, file_says, said);
	ck_assert_str_eq(said, "");
	return NULL;
}

/* A daemon runs, keeps these generations one after another, and ends. 0: it forgets. */
static void file_keep(const uint64_t *generations, size_t nr)
{
	struct rs_error err = { 0 };
	struct rs_usual *u = rs_usual_new(&err);

	for (size_t i = 0; i < nr; i++) {
		struct rs_usual_file *f = rs_usual_file_open(path, &err);
		struct rs_buf state = RS_BUF_INIT;
		pthread_t thread;

		ck_assert_msg(f != NULL, "%s", err.text);
		rs_usual_file_load(f, 0, &state);
		ck_assert_int_eq(pthread_create(&thread, NULL, file_thread, f), 0);
		rs_usual_state_put(u, generations[i], &state);
		if (generations[i])
			rs_usual_file_keep(f, &state);
		else
			rs_usual_file_forget(f);
		rs_usual_file_quit(f);
		pthread_join(thread, NULL);
		rs_buf_done(&state);
		rs_usual_file_close(f);
	}
	rs_usual_free(u);
}

static uint64_t file_load(struct rs_usual_file *f, unsigned int n)
{
	struct rs_buf state = RS_BUF_INIT;
	uint64_t generation = 0;
	size_t nr_bytes;

	if (rs_usual_file_load(f, n, &state))
		ck_assert(rs_usual_state_header(state.data, state.len, &nr_bytes, &generation));
	rs_buf_done(&state);
	return generation;
}

static const struct {
	uint64_t kept[4];
	size_t nr;
	off_t broken;                /* what begins there becomes anything; 0: nothing */
	uint64_t last, other;        /* the generations that are read; 0: none */
} rows[] = {
	{ { 0 }, 0, 0, 0, 0 },
	{ { 5 }, 1, 0, 5, 0 },
	{ { 5, 6 }, 2, 0, 6, 5 },
	{ { 5, 6, 7 }, 3, 0, 7, 6 },
	{ { 5, 6, 7 }, 3, RS_USUAL_STATE_MOST, 6, 0 }, /* the header of the later one */
	{ { 5, 6, 0 }, 3, 0, 0, 0 },           /* nothing of it stays on the disk */
	{ { 5, 6, 0, 7 }, 4, 0, 7, 0 },
};

START_TEST(halves)
{
	struct rs_error err = { 0 };
	struct rs_usual_file *f;
	struct stat st;

	file_keep(rows[_i].kept, rows[_i].nr);
	if (rows[_i].broken) {
		int fd = open(path, O_WRONLY);

		ck_assert_int_eq(pwrite(fd, "anything", 8, rows[_i].broken), 8);
		close(fd);
	}
	f = rs_usual_file_open(path, &err);
	ck_assert_uint_eq(file_load(f, 0), rows[_i].last);
	ck_assert_uint_eq(file_load(f, 1), rows[_i].other);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_le(st.st_size, 2 * (off_t)RS_USUAL_STATE_MOST);
	ck_assert(!rows[_i].nr || rows[_i].kept[rows[_i].nr - 1] || !st.st_size);
	rs_usual_file_close(f);
}
END_TEST

START_TEST(a_second_daemon)
{
	struct rs_error err = { 0 };
	struct rs_usual_file *f = rs_usual_file_open(path, &err);
	char text[200];

	ck_assert_ptr_null(rs_usual_file_open(path, &err));
	snprintf(text, sizeof text, "'%s': another daemon keeps there what it learns", path);
	ck_assert_str_eq(err.text, text);
	rs_usual_file_close(f);
	err = (struct rs_error){ 0 };
	ck_assert_ptr_null(rs_usual_file_open("/dev/null", &err));
	ck_assert_str_eq(err.text, "'/dev/null' is no regular file");
}
END_TEST

#define NR(rows) ((int)(sizeof rows / sizeof *rows))

Suite *rs_suite_usual_file(void)
{
	Suite *s = suite_create("usual-file");
	TCase *tc = tcase_create("usual-file");

	tcase_add_checked_fixture(tc, file_begin, file_end);
	tcase_add_loop_test(tc, halves, 0, NR(rows));
	tcase_add_test(tc, a_second_daemon);
	suite_add_tcase(s, tc);
	return s;
}
