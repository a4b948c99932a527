// SPDX-License-Identifier: GPL-2.0-or-later
#include <check.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/async-output.h"

static void *write_all(void *box)
{
	rs_async_output_run(box);
	return NULL;
}

/* The end as live capture has it: no more is put, the writer comes to its end, the box goes. */
static int finish(struct rs_async_output *box, pthread_t writer, struct rs_error *err)
{
	rs_async_output_end(box);
	pthread_join(writer, NULL);
	return rs_async_output_free(box, err);
}

struct reader {
	int fd;
	size_t nr, wrong; /* bytes read; those that are not the next of the pattern */
};

static void *read_pattern(void *arg)
{
	struct reader *r = arg;
	char bytes[777];
	ssize_t n;

	while ((n = read(r->fd, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n; i++)
			r->wrong += (unsigned char)bytes[i] != r->nr++ % 251;
	return NULL;
}

/* 1 MB through a ring of 1000 bytes, in pieces smaller and larger than it: each byte, in order. */
START_TEST(every_byte_in_order)
{
	struct rs_error err = { 0 };
	struct rs_buf b = RS_BUF_INIT;
	struct rs_async_output *box;
	pthread_t writer;
	struct reader r = { 0 };
	pthread_t thread;
	size_t put = 0;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	r.fd = fds[0];
	pthread_create(&thread, NULL, read_pattern, &r);
	box = rs_async_output_new(fds[1], 1000, &err);
	pthread_create(&writer, NULL, write_all, box);
	for (size_t piece = 1; put < 1000000; piece = piece * 7 % 3001) {
		for (size_t i = 0; i < piece; i++)
			rs_buf_putc(&b, put++ % 251);
		ck_assert(rs_async_output_put(box, &b));
		ck_assert_uint_eq(b.len, 0);
	}
	ck_assert_int_eq(finish(box, writer, &err), 0);
	close(fds[1]);
	pthread_join(thread, NULL);
	close(fds[0]);
	rs_buf_done(&b);
	ck_assert_uint_eq(r.nr, put);
	ck_assert_uint_eq(r.wrong, 0);
}
END_TEST

/* A put that waits for room must come back when the reader goes away, and that is no error. */
START_TEST(the_reader_goes_away)
{
	struct rs_error err = { 0 };
	struct rs_buf b = RS_BUF_INIT;
	struct rs_async_output *box;
	pthread_t writer;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(fds), 0);
	box = rs_async_output_new(fds[1], 1000, &err);
	pthread_create(&writer, NULL, write_all, box);
	close(fds[0]);
	rs_buf_pad(&b, 'x', 100000);
	ck_assert(!rs_async_output_put(box, &b));
	ck_assert(rs_async_output_broken(box));
	ck_assert_int_eq(finish(box, writer, &err), 0);
	ck_assert_int_eq(err.status, RS_OK);
	close(fds[1]);
	rs_buf_done(&b);
}
END_TEST

START_TEST(a_full_disk)
{
	struct rs_error err = { 0 };
	struct rs_buf b = RS_BUF_INIT;
	int fd = open("/dev/full", O_WRONLY);
	struct rs_async_output *box = rs_async_output_new(fd, 1000, &err);
	pthread_t writer;

	pthread_create(&writer, NULL, write_all, box);
	rs_buf_puts(&b, "x");
	rs_async_output_put(box, &b);
	ck_assert_int_eq(finish(box, writer, &err), -1);
	ck_assert_str_eq(err.text, "cannot write the output: No space left on device");
	close(fd);
	rs_buf_done(&b);
}
END_TEST

Suite *rs_suite_outbox(void);
Suite *rs_suite_outbox(void)
{
	Suite *s = suite_create("outbox");
	TCase *t = tcase_create("outbox");

	tcase_add_test(t, every_byte_in_order);
	tcase_add_test(t, the_reader_goes_away);
	tcase_add_test(t, a_full_disk);
	suite_add_tcase(s, t);
	return s;
}
