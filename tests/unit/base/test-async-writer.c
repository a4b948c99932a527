// SPDX-License-Identifier: GPL-2.0-or-later
/* test-async-writer - one thread fills buffers, another writes them: all of them, in order, and failures are told */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/async-writer.h"

#define BUFFER_BYTES 1000

struct written {
	struct rs_buf all;
	unsigned int nr, fail_at; /* calls; the one that fails, 0: none does */
	bool slow, says, has_failed;
	pthread_mutex_t hold;     /* a write waits until the test releases it */
	atomic_bool begun;
};

static int write_it(void *arg, struct rs_buf *b, struct rs_error *err)
{
	struct written *t = arg;

	atomic_store(&t->begun, true);
	pthread_mutex_lock(&t->hold);
	pthread_mutex_unlock(&t->hold);
	if (t->slow)
		usleep(1000);
	if (++t->nr == t->fail_at)
		return t->says ? rs_fail(err, "no more") : -1;
	rs_buf_add(&t->all, b->data, b->len);
	t->has_failed |= b->failed;
	return 0;
}

/* What a test fills, its writer, and what that wrote. */
static struct written t;
static struct rs_buf b;
static struct rs_error err;
static struct rs_async_writer *w;

static void begin(const struct written *of, size_t buffer_bytes)
{
	t = *of;
	b = (struct rs_buf)RS_BUF_INIT;
	pthread_mutex_init(&t.hold, NULL);
	err = (struct rs_error){ 0 };
	w = rs_async_writer_new(write_it, &t, buffer_bytes, &err);
}

#define BEGIN(...) begin(&(struct written){ .all = RS_BUF_INIT, __VA_ARGS__ }, BUFFER_BYTES)

static void end(void)
{
	rs_buf_done(&b);
	rs_buf_done(&t.all);
	pthread_mutex_destroy(&t.hold);
}

/* Puts "0\n", "1\n", ...; returns how many until nothing more was taken. */
static int put_numbers(int nr)
{
	for (int i = 0; i < nr; i++) {
		rs_buf_printf(&b, "%d\n", i);
		if (!rs_async_writer_put(w, &b))
			return i;
		ck_assert_uint_eq(b.len, 0);
	}
	return nr;
}

static void *run(void *arg)
{
	rs_async_writer_run(w);
	return arg;
}

/* _i & 1: writes are slow; _i & 2: in the caller's thread. */
START_TEST(all_in_order)
{
	struct rs_buf expected = RS_BUF_INIT;
	pthread_t thread;

	BEGIN(.slow = _i & 1);
	if (_i & 2)
		pthread_create(&thread, NULL, run, NULL);
	else
		rs_async_writer_start(w);
	ck_assert_int_eq(put_numbers(5000), 5000);
	rs_async_writer_close(w);
	if (_i & 2)
		pthread_join(thread, NULL);
	ck_assert_int_eq(rs_async_writer_free(w, &err), 0);
	for (int i = 0; i < 5000; i++)
		rs_buf_printf(&expected, "%d\n", i);
	ck_assert_str_eq(t.all.data, expected.data);
	rs_buf_done(&expected);
	end();
}
END_TEST

/* 1 MB in pieces of 1 to 3000 bytes, smaller and larger than a buffer. */
START_TEST(pieces_of_any_size)
{
	size_t put = 0;

	BEGIN();
	rs_async_writer_start(w);
	for (size_t piece = 1; put < 1000000; piece = piece * 7 % 3001) {
		for (size_t i = 0; i < piece; i++)
			rs_buf_putc(&b, put++ % 251);
		ck_assert(rs_async_writer_put(w, &b));
	}
	ck_assert_int_eq(rs_async_writer_free(w, &err), 0);
	ck_assert_uint_eq(t.all.len, put);
	for (size_t i = 0; i < put; i++)
		ck_assert_uint_eq((unsigned char)t.all.data[i], i % 251);
	end();
}
END_TEST

/* While the first write lasts, 1999 bytes fit into the two other buffers in pieces of one: nobody waits, and they are 3 writes. */
START_TEST(small_pieces_are_collected)
{
	BEGIN();
	pthread_mutex_lock(&t.hold);
	rs_async_writer_start(w);
	rs_buf_putc(&b, 'x');
	ck_assert(rs_async_writer_put(w, &b));
	while (!atomic_load(&t.begun))
		usleep(100);
	for (int i = 0; i < 2 * (BUFFER_BYTES - 1); i++) {
		rs_buf_putc(&b, 'y');
		ck_assert(rs_async_writer_put(w, &b));
	}
	pthread_mutex_unlock(&t.hold);
	ck_assert_int_eq(rs_async_writer_free(w, &err), 0);
	ck_assert_uint_eq(t.all.len, 1 + 2 * (BUFFER_BYTES - 1));
	ck_assert_uint_eq(t.nr, 3);
	end();
}
END_TEST

/* The third write fails: the rest is dropped, which who fills learns; with an error, or without where the reader left. */
START_TEST(a_failure_is_told)
{
	begin(&(struct written){ .all = RS_BUF_INIT, .fail_at = 3, .says = _i }, 2);
	rs_async_writer_start(w);
	ck_assert_int_lt(put_numbers(100), 100);
	ck_assert(rs_async_writer_failed(w));
	ck_assert_int_eq(rs_async_writer_free(w, &err), -1);
	ck_assert_str_eq(t.all.data, "0\n1\n");
	ck_assert_uint_eq(t.nr, 3);
	ck_assert_str_eq(err.text, _i ? "no more" : "");
	end();
}
END_TEST

START_TEST(the_first_error_counts)
{
	BEGIN(.fail_at = 1, .says = true);
	rs_async_writer_start(w);
	put_numbers(1);
	rs_fail(&err, "before");
	ck_assert_int_eq(rs_async_writer_free(w, &err), -1);
	ck_assert_str_eq(err.text, "before");
	end();
}
END_TEST

/* A buffer that had no memory: whoever writes it sees so, also where it was added to one before. */
START_TEST(a_failed_buffer_stays_one)
{
	struct rs_buf whole = RS_BUF_INIT, cut = RS_BUF_INIT;

	BEGIN();
	rs_buf_puts(&whole, "whole\n");
	rs_buf_puts(&cut, "cut");
	cut.failed = true;
	rs_async_writer_put(w, &whole);
	rs_async_writer_put(w, &cut);
	rs_async_writer_close(w);
	rs_async_writer_run(w);
	ck_assert_str_eq(t.all.data, "whole\ncut");
	ck_assert(t.has_failed);
	ck_assert_uint_eq(t.nr, 1);
	ck_assert_int_eq(rs_async_writer_free(w, &err), 0);
	rs_buf_done(&whole);
	rs_buf_done(&cut);
	end();
}
END_TEST

START_TEST(nothing_at_all)
{
	BEGIN();
	rs_async_writer_start(w);
	ck_assert_int_eq(rs_async_writer_free(w, &err), 0);
	ck_assert_uint_eq(t.nr, 0);
	ck_assert_int_eq(rs_async_writer_free(NULL, &err), 0);
	ck_assert_ptr_null(rs_async_writer_new(write_it, &t, SIZE_MAX / 2 - 2, &err));
	ck_assert_str_eq(err.text, "cannot write the output: out of memory");
	end();
}
END_TEST

Suite *rs_suite_async_writer(void);
Suite *rs_suite_async_writer(void)
{
	Suite *s = suite_create("async-writer");
	TCase *tests = tcase_create("async-writer");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, all_in_order, 0, 4);
	tcase_add_test(tests, pieces_of_any_size);
	tcase_add_test(tests, small_pieces_are_collected);
	tcase_add_loop_test(tests, a_failure_is_told, 0, 2);
	tcase_add_test(tests, the_first_error_counts);
	tcase_add_test(tests, a_failed_buffer_stays_one);
	tcase_add_test(tests, nothing_at_all);
	suite_add_tcase(s, tests);
	return s;
}
