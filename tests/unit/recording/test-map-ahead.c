// SPDX-License-Identifier: GPL-2.0-or-later
/* test-map-ahead - what is asked for is mapped by the thread, or taken back */
#include <check.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recording/map-ahead.h"
#include "skip.h"

#define NR_PAGES 4096u
#define APART 64u /* a fault maps some pages around it, too */

static size_t page_bytes;

static uint8_t *map_file(void)
{
	char path[] = "/tmp/ringside-map-ahead-XXXXXX";
	int fd = mkstemp(path);
	uint8_t *map;

	ck_assert_int_ge(fd, 0);
	unlink(path);
	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	ck_assert_int_eq(ftruncate(fd, (off_t)(NR_PAGES * page_bytes)), 0);
	map = mmap(NULL, NR_PAGES * page_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(map, MAP_FAILED);
	close(fd);
	return map;
}

/* Mapped in this process, as pagemap's bit 63 says; mincore would tell of the page cache. */
static unsigned int nr_mapped(const uint8_t *map, unsigned int nr_pages)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	unsigned int nr = 0;

	ck_assert_int_ge(fd, 0);
	for (unsigned int i = 0; i < nr_pages; i++) {
		uint64_t entry;
		off_t at = (off_t)((uintptr_t)map / page_bytes + i) * 8;

		ck_assert_int_eq(pread(fd, &entry, sizeof entry, at), sizeof entry);
		nr += entry >> 63;
	}
	close(fd);
	return nr;
}

static bool can_populate(const char *test, const uint8_t *map)
{
	rs_map_ahead_step(&(struct rs_map_ahead_step){ .next = { map, page_bytes } });
	if (nr_mapped(map, 1) == 1)
		return true;
	rs_test_skipped(test, "this kernel has no MADV_POPULATE_READ");
	return false;
}

START_TEST(mapped_by_the_thread)
{
	uint8_t *map = map_file();
	struct rs_map_ahead *a = rs_map_ahead_new(2);
	struct rs_map_ahead_step step;

	ck_assert_ptr_nonnull(a);
	if (can_populate(__func__, map)) {
		ck_assert_uint_eq(nr_mapped(map + 128 * page_bytes, 64), 0);
		rs_map_ahead_ask(a, 1, &(struct rs_map_ahead_step){ .next = { map + 128 * page_bytes, 64 * page_bytes } });
		for (int i = 0; i < 1000 && nr_mapped(map + 128 * page_bytes, 64) < 64; i++)
			usleep(10000);
		ck_assert_uint_eq(nr_mapped(map + 128 * page_bytes, 64), 64);
		ck_assert(!rs_map_ahead_take_back(a, 1, &step));
		ck_assert_uint_eq(nr_mapped(map + (192 + APART) * page_bytes, 64), 0); /* and no more than that */
		rs_map_ahead_ask(a, 0, &(struct rs_map_ahead_step){ .passed = { map + 128 * page_bytes, 64 * page_bytes } });
		for (int i = 0; i < 1000 && nr_mapped(map + 128 * page_bytes, 64); i++)
			usleep(10000);
		ck_assert_uint_eq(nr_mapped(map + 128 * page_bytes, 64), 0);
	}
	rs_map_ahead_free(a);
	munmap(map, NR_PAGES * page_bytes);
}
END_TEST

/* Whoever comes first: what was not begun when it was taken back is not mapped any more, and nothing waits for it. */
START_TEST(taken_back)
{
	uint8_t *map = map_file();
	struct rs_map_ahead *a = rs_map_ahead_new(1);
	bool back[NR_PAGES / APART];
	struct rs_map_ahead_step step;

	ck_assert_ptr_nonnull(a);
	for (unsigned int i = 0; i < NR_PAGES / APART; i++) {
		rs_map_ahead_ask(a, 0, &(struct rs_map_ahead_step){ .next = { map + i * APART * page_bytes, page_bytes } });
		back[i] = rs_map_ahead_take_back(a, 0, &step);
		ck_assert(!back[i] || step.next.from == map + i * APART * page_bytes);
		ck_assert(!rs_map_ahead_take_back(a, 0, &step)); /* nothing is open */
	}
	rs_map_ahead_free(a);
	for (unsigned int i = 0; i < NR_PAGES / APART; i++)
		ck_assert(!back[i] || !nr_mapped(map + i * APART * page_bytes, 1));
	munmap(map, NR_PAGES * page_bytes);
}
END_TEST

START_TEST(without_one)
{
	struct rs_map_ahead_step step = { 0 };

	rs_map_ahead_ask(NULL, 0, &step);
	ck_assert(!rs_map_ahead_take_back(NULL, 0, &step));
	rs_map_ahead_free(NULL);
}
END_TEST

Suite *rs_suite_map_ahead(void)
{
	Suite *s = suite_create("map-ahead");
	TCase *t = tcase_create("map-ahead");

	tcase_add_test(t, mapped_by_the_thread);
	tcase_add_test(t, taken_back);
	tcase_add_test(t, without_one);
	suite_add_tcase(s, t);
	return s;
}
