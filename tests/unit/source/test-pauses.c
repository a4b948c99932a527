// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-pauses - pauses in the order of time, each told once to each reader, while another thread adds more
 *
 * The threads are for make SAN=thread: without any one of the locks it reports a race.
 */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "source/pauses.h"

static struct rs_pauses list, copy;
static atomic_uint nr_readers;

static void begin(void)
{
	memset(&list, 0, sizeof list);
	memset(&copy, 0, sizeof copy);
	pthread_mutex_init(&list.lock, NULL);
	pthread_mutex_init(&copy.lock, NULL);
	nr_readers = 0;
}

static void is_next(struct rs_pauses_cursor *at, uint64_t off_ns, uint64_t on_ns)
{
	struct rs_pause pause;

	ck_assert(rs_pauses_next(&list, at, &pause));
	ck_assert_uint_eq(pause.off_ns, off_ns);
	ck_assert_uint_eq(pause.on_ns, on_ns);
}

START_TEST(each_once)
{
	struct rs_pauses_cursor at = { 0 }, later;
	struct rs_pause pause;

	begin();
	rs_pauses_add(&list, 10, 20);
	rs_pauses_add(&list, 30, 40);
	is_next(&at, 10, 20);
	later = rs_pauses_end(&list);
	rs_pauses_add(&list, 35, 50); /* begins in the one before: what was not told of it */
	is_next(&at, 30, 40);
	is_next(&at, 40, 50);
	ck_assert(!rs_pauses_next(&list, &at, &pause));
	is_next(&later, 40, 50);
	ck_assert(!rs_pauses_next(&list, &later, &pause));
}
END_TEST

/* A change that goes on is one pause, and of too many the last one grows. */
START_TEST(what_goes_on)
{
	struct rs_pause change = { 10, 20, "tracing_on 0" }, more = { 20, 30, "tracing_on 0" }, pause;
	struct rs_pauses_cursor at = { 0 };

	begin();
	rs_pauses_put(&list, &change);
	rs_pauses_put(&list, &more);
	is_next(&at, 10, 30);
	ck_assert(!rs_pauses_next(&list, &at, &pause));
	for (uint64_t ns = 40; list.nr < RS_MAX_PAUSES; ns += 2)
		rs_pauses_add(&list, ns, ns + 1);
	at = rs_pauses_end(&list);
	rs_pauses_add(&list, 5000, 6000);
	is_next(&at, 5000, 6000);
	ck_assert_uint_eq(list.nr, RS_MAX_PAUSES);
}
END_TEST

#define NR_ADDED 200u /* pause i is from 10 i + 10 to 10 i + 15 */

static void *add_pauses(void *arg)
{
	while (atomic_load(&nr_readers) < 3)
		;
	for (unsigned int i = 0; i < NR_ADDED; i++)
		rs_pauses_add(&list, 10 * i + 10, 10 * i + 15);
	return NULL;
}

static void *read_pauses(void *arg)
{
	struct rs_pauses_cursor at = { 0 };
	unsigned int *nr_wrong = arg;
	struct rs_pause pause;

	atomic_fetch_add(&nr_readers, 1);
	for (unsigned int i = 0; i < NR_ADDED;)
		if (rs_pauses_next(&list, &at, &pause)) {
			*nr_wrong += pause.off_ns != 10 * i + 10 || pause.on_ns != 10 * i + 15;
			i++;
		}
	return NULL;
}

static void *watch_end(void *arg)
{
	unsigned int *nr_wrong = arg;
	struct rs_pauses_cursor at;

	atomic_fetch_add(&nr_readers, 1);
	do {
		at = rs_pauses_end(&list);
		*nr_wrong += at.nr && at.to_ns != 10 * at.nr + 5;
	} while (at.nr < NR_ADDED);
	return NULL;
}

static void *copy_pauses(void *arg)
{
	unsigned int *nr_wrong = arg;

	atomic_fetch_add(&nr_readers, 1);
	for (unsigned int i = 0; i < 100; i++) {
		memset(&copy, 0, sizeof copy);
		rs_pauses_copy(&copy, &list, 0, UINT64_MAX);
		*nr_wrong += copy.nr && copy.list[copy.nr - 1].off_ns != 10 * copy.nr;
	}
	return NULL;
}

START_TEST(while_others_read)
{
	static void *(*const run[])(void *) = { read_pauses, watch_end, copy_pauses, add_pauses };
	unsigned int nr_wrong[4] = { 0 };
	pthread_t threads[4];

	begin();
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run[i], &nr_wrong[i]), 0);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(nr_wrong[i], 0);
}
END_TEST

Suite *rs_suite_pauses(void);
Suite *rs_suite_pauses(void)
{
	Suite *s = suite_create("pauses");
	TCase *t = tcase_create("pauses");

	tcase_add_test(t, each_once);
	tcase_add_test(t, what_goes_on);
	tcase_add_test(t, while_others_read);
	suite_add_tcase(s, t);
	return s;
}
