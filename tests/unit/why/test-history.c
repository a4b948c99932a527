// SPDX-License-Identifier: GPL-2.0-or-later
/* test-history - the memory of the history stays bounded, whatever comes and goes */
#include "why/history-parts.h"

#include <check.h>
#include <stdlib.h>

#define SEGMENTS 512u  /* that are kept, with one CPU */
#define IN_CHUNK 128u
#define TASKS 50000u

/* Each of 50,000 tasks runs once and is evicted: names that no segment refers to any more are used again. */
START_TEST(names_of_evicted_tasks)
{
	struct rs_states states = { .nr_cpus = 1 };
	struct rs_history *h = rs_history_new(&states, 1, true);
	struct rs_task_instance inst;
	unsigned int nr = 0;

	ck_assert_ptr_nonnull(h);
	for (unsigned int i = 1; i <= TASKS; i++) {
		inst = (struct rs_task_instance){ .task = { .tid = (int32_t)i, .pid = (int32_t)i } };
		rs_history_interval(h, &(struct rs_interval){ .task = &inst.task, .kind = RS_RUN, .from_ns = i, .to_ns = i + 1 });
		ck_assert_ptr_nonnull(inst.name);
		rs_history_evict(h, &inst);
	}
	ck_assert_uint_eq(rs_history_nr(h), TASKS);
	for (const struct rs_task_name *n = h->evicted; n; n = n->evicted_next)
		nr++;
	ck_assert_uint_le(nr, SEGMENTS + IN_CHUNK);
	ck_assert_uint_ge(nr, SEGMENTS - 1);
	rs_history_free(h);
}
END_TEST

/*
 * In a storm, a slice each 2 us, it takes samples: 512 slices, then none until 40 us for each have passed, 20.48 ms, but a wait of
 * 10 ms. What came before a pause is forgotten.
 */
START_TEST(samples_of_a_storm)
{
	struct rs_states states = { .nr_cpus = 1 };
	struct rs_history *h = rs_history_new(&states, 1, true);
	struct rs_task_instance inst = { .task = { .tid = 1, .pid = 1 } };
	uint64_t at_ns = 0, paused_ns = 0;
	uint32_t nr;

	ck_assert_ptr_nonnull(h);
	for (; !rs_history_is_paused(h, at_ns); at_ns += 2000)
		rs_history_interval(h, &(struct rs_interval){ .task = &inst.task, .kind = RS_RUN, .from_ns = at_ns, .to_ns = at_ns + 2000 });
	ck_assert_uint_ge(rs_history_nr(h), SEGMENTS);
	ck_assert_uint_le(rs_history_nr(h), 2 * SEGMENTS);
	nr = rs_history_nr(h);
	ck_assert(rs_history_is_kept(h, inst.name->newest)); /* the last one alone */
	ck_assert(!rs_history_is_kept(h, h->ring[inst.name->newest & h->mask].before));
	for (; rs_history_is_paused(h, at_ns); at_ns += 2000)
		paused_ns += 2000;
	ck_assert_uint_ge(paused_ns, SEGMENTS * 37000u);
	ck_assert_uint_le(paused_ns, SEGMENTS * 39000u);
	rs_history_interval(h, &(struct rs_interval){ .task = &inst.task, .kind = RS_RUN, .from_ns = at_ns, .to_ns = at_ns + 2000 });
	ck_assert_uint_eq(rs_history_nr(h), nr + 1);
	rs_history_evict(h, &inst);
	rs_history_free(h);
}
END_TEST

Suite *rs_suite_history(void);
Suite *rs_suite_history(void)
{
	Suite *s = suite_create("history");
	TCase *t = tcase_create("history");

	tcase_add_test(t, names_of_evicted_tasks);
	tcase_add_test(t, samples_of_a_storm);
	suite_add_tcase(s, t);
	return s;
}
