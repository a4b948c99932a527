// SPDX-License-Identifier: GPL-2.0-or-later
#include "ship/spool.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char spool_folder[64];

static void spool_setup(void)
{
	snprintf(spool_folder, sizeof spool_folder, "/tmp/test-spool.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(spool_folder));
}

static void spool_teardown(void)
{
	char command[96];

	snprintf(command, sizeof command, "rm -rf '%s'", spool_folder);
	ck_assert_int_eq(system(command), 0);
}

static void spool_begin(struct rs_spool *s, const char *boot, uint64_t most_bytes)
{
	struct rs_error err = { 0 };

	ck_assert_msg(rs_spool_open(s, spool_folder, boot, most_bytes, &err) == 0, "%s", err.text);
}

/* A batch of so many bytes, in the place of the next one. */
static void spool_make(const struct rs_spool *s, off_t bytes)
{
	char path[PATH_MAX], file[PATH_MAX + 8];
	int fd;

	rs_spool_path(s, s->next, path);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(file, sizeof file, "%s/rows", path);
	fd = open(file, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, bytes), 0);
	close(fd);
}

static void spool_add(struct rs_spool *s, off_t bytes, uint64_t to_ns)
{
	struct rs_error err = { 0 };

	spool_make(s, bytes);
	ck_assert_int_eq(rs_spool_add(s, to_ns, &err), 0);
}

/* The oldest first; after a restart numbers and time go on. */
START_TEST(test_spool_goes_on)
{
	struct rs_error err = { 0 };
	struct rs_spool s;
	uint64_t number;

	spool_begin(&s, "boot-1", 1000);
	ck_assert(!rs_spool_first(&s, &number));
	spool_add(&s, 10, 5000);
	spool_add(&s, 10, 6000);
	rs_spool_close(&s);
	spool_begin(&s, "boot-1", 1000);
	ck_assert_uint_eq(s.next, 2);
	ck_assert_uint_eq(s.done_ns, 6000);
	ck_assert(rs_spool_first(&s, &number));
	ck_assert_uint_eq(number, 0);
	ck_assert_int_eq(rs_spool_remove(&s, 0, &err), 0);
	ck_assert(rs_spool_first(&s, &number));
	ck_assert_uint_eq(number, 1);
	rs_spool_close(&s);
}
END_TEST

/* Killed between the batch and the state, or while it wrote: it was never delivered, and is made anew from the same time. */
START_TEST(test_spool_forgets_half_made)
{
	struct rs_spool s;
	uint64_t number;
	char path[PATH_MAX], half[PATH_MAX + 8], other[96];

	spool_begin(&s, "boot-1", 1000);
	spool_add(&s, 10, 5000);
	spool_make(&s, 10);
	rs_spool_path(&s, 1, path);
	snprintf(half, sizeof half, "%s.Ab12Cd", path);
	ck_assert_int_eq(rename(path, half), 0);
	spool_make(&s, 10);
	snprintf(other, sizeof other, "%s/notes.000000000001", spool_folder);
	ck_assert_int_eq(mkdir(other, 0700), 0);
	rs_spool_close(&s);
	spool_begin(&s, "boot-1", 1000);
	ck_assert_uint_eq(s.next, 1);
	ck_assert_uint_eq(s.done_ns, 5000);
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert_int_ne(access(half, F_OK), 0);
	ck_assert_int_eq(access(other, F_OK), 0);
	ck_assert(rs_spool_first(&s, &number) && number == 0);
	rs_spool_close(&s);
}
END_TEST

/* After a boot the clock begins anew; numbers go on, for the old batches are still there. */
START_TEST(test_spool_after_boot)
{
	struct rs_spool s;

	spool_begin(&s, "boot-1", 1000);
	spool_add(&s, 10, 5000);
	rs_spool_close(&s);
	spool_begin(&s, "boot-2", 1000);
	ck_assert_uint_eq(s.next, 1);
	ck_assert_uint_eq(s.done_ns, 0);
	rs_spool_close(&s);
}
END_TEST

/* Three batches of 400 bytes where 1000 fit: the first goes, and is counted, also after a restart. */
START_TEST(test_spool_drops_oldest)
{
	struct rs_spool s;
	uint64_t number;

	spool_begin(&s, "boot-1", 1000);
	spool_add(&s, 400, 1);
	spool_add(&s, 400, 2);
	ck_assert_uint_eq(s.nr_dropped, 0);
	spool_add(&s, 400, 3);
	ck_assert_uint_eq(s.nr_dropped, 1);
	ck_assert(rs_spool_first(&s, &number) && number == 1);
	rs_spool_close(&s);
	spool_begin(&s, "boot-1", 1000);
	ck_assert_uint_eq(s.nr_dropped, 1);
	rs_spool_close(&s);
}
END_TEST

START_TEST(test_spool_is_for_one)
{
	struct rs_spool s, other;
	struct rs_error err = { 0 };

	spool_begin(&s, "boot-1", 1000);
	ck_assert_int_eq(rs_spool_open(&other, spool_folder, "boot-1", 1000, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "used by another ringside ship"));
	rs_spool_close(&other);
	rs_spool_close(&s);
}
END_TEST

/* Somebody else's file of that name is not overwritten. */
START_TEST(test_spool_refuses_other_state)
{
	struct rs_error err = { 0 };
	struct rs_spool s;
	char path[96];
	FILE *f;

	snprintf(path, sizeof path, "%s/state", spool_folder);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs("my notes\n", f);
	fclose(f);
	ck_assert_int_eq(rs_spool_open(&s, spool_folder, "boot-1", 1000, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is not ringside's"));
	rs_spool_close(&s);
}
END_TEST

Suite *rs_suite_spool(void);
Suite *rs_suite_spool(void)
{
	Suite *suite = suite_create("spool");
	TCase *tc = tcase_create("spool");

	tcase_add_checked_fixture(tc, spool_setup, spool_teardown);
	tcase_add_test(tc, test_spool_goes_on);
	tcase_add_test(tc, test_spool_forgets_half_made);
	tcase_add_test(tc, test_spool_after_boot);
	tcase_add_test(tc, test_spool_drops_oldest);
	tcase_add_test(tc, test_spool_is_for_one);
	tcase_add_test(tc, test_spool_refuses_other_state);
	suite_add_tcase(suite, tc);
	return suite;
}
