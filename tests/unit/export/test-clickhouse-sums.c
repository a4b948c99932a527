// SPDX-License-Identifier: GPL-2.0-or-later
/* test-clickhouse-sums - durations whose kind, operation and command have one hash are apart: here all keys have one */
#include <check.h>

#include "ringside/event.h"

static unsigned int nr_hashed;

static uint64_t hash_of_all(const void *bytes, size_t len)
{
	(void)bytes;
	(void)len;
	nr_hashed++;
	return 7;
}

#define rs_hash_bytes hash_of_all
#define rs_clickhouse_sums_new one_hash_sums_new
#define rs_clickhouse_sums_free one_hash_sums_free
#define rs_clickhouse_sums_add one_hash_sums_add
#define rs_clickhouse_sums_put one_hash_sums_put
#include "export/clickhouse/clickhouse-sums.c"

static void add(struct rs_clickhouse_sums *sums, const char *kind, const char *operation, const char *comm, uint64_t len_ns)
{
	struct rs_task task = { .tid = 1 };

	snprintf(task.comm, sizeof task.comm, "%s", comm);
	rs_clickhouse_sums_add(sums, &(struct rs_clickhouse_duration){ .kind = kind, .operation = operation, .arg = (uint64_t)*operation, .task = &task,
								       .len_ns = len_ns });
}

static uint64_t sum_of(const struct rs_clickhouse_sums *sums, const char *kind, const char *operation, const char *comm)
{
	uint64_t sum_ns = 0;

	for (unsigned int i = 0; i < SUMS_PLACES; i++) {
		const struct sums_place *p = sums->places[i];

		if (p && !strcmp(p->kind, kind) && !strcmp(p->operation, operation) && !strcmp(p->command, comm))
			sum_ns += p->sum_ns;
	}
	return sum_ns;
}

START_TEST(keys_of_one_hash)
{
	static const char syscall[] = "syscall", wait[] = "wait";
	struct rs_clickhouse_sums *sums = rs_clickhouse_sums_new();

	ck_assert_ptr_nonnull(sums);
	for (int round = 0; round < 2; round++) {
		add(sums, syscall, "read", "a", 1);
		add(sums, syscall, "write", "a", 10);
		add(sums, syscall, "read", "b", 100);
		add(sums, wait, "read", "a", 1000);
	}
	ck_assert_uint_ge(nr_hashed, 12);
	ck_assert_uint_eq(sums->nr, 4);
	ck_assert_uint_eq(sum_of(sums, "syscall", "read", "a"), 2);
	ck_assert_uint_eq(sum_of(sums, "syscall", "write", "a"), 20);
	ck_assert_uint_eq(sum_of(sums, "syscall", "read", "b"), 200);
	ck_assert_uint_eq(sum_of(sums, "wait", "read", "a"), 2000);
	rs_clickhouse_sums_free(sums);
}
END_TEST

Suite *rs_suite_clickhouse_sums(void);
Suite *rs_suite_clickhouse_sums(void)
{
	Suite *s = suite_create("clickhouse-sums");
	TCase *t = tcase_create("clickhouse-sums");

	tcase_add_test(t, keys_of_one_hash);
	suite_add_tcase(s, t);
	return s;
}
