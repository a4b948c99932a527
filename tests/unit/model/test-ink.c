// SPDX-License-Identifier: GPL-2.0-or-later
/* test-ink - which time leaves ink in pictures: what cost, not what merely took long */
#include <check.h>

#include "ringside/wait.h"

enum { NONE, PEER = 1u << RS_CATEGORY_PEER, LOCKS = 1u << RS_CATEGORY_LOCK, POLLS = 1u << RS_CATEGORY_SLEEP };

/* A task whose waits of these categories a finding says to cost, and what its time in each state becomes. */
static const struct {
	enum rs_cause cause;
	uint32_t pains;
	enum rs_ink ink, own; /* of ringside's own */
	enum rs_cause as;
} cases[] = {
	{ RS_CAUSE_RUN, NONE, RS_INK_CALM, RS_INK_DIM, RS_CAUSE_RUN },
	/* wanted to work and could not */
	{ RS_CAUSE_DELAY, NONE, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_DELAY },
	{ RS_CAUSE_PREEMPTED, NONE, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_PREEMPTED },
	{ RS_CAUSE_DISK, NONE, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_DISK },
	{ RS_CAUSE_LOCK, NONE, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_LOCK },
	{ RS_CAUSE_RECLAIM, NONE, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_RECLAIM },
	{ RS_CAUSE_OTHER_D, NONE, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_OTHER_D },
	/* a thread of a pool waits for work by the same call as for a lock: a finding tells */
	{ RS_CAUSE_FUTEX, NONE, RS_INK_DIM, RS_INK_DIM, RS_CAUSE_FUTEX },
	{ RS_CAUSE_FUTEX, PEER, RS_INK_DIM, RS_INK_DIM, RS_CAUSE_FUTEX },
	{ RS_CAUSE_FUTEX, LOCKS, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_FUTEX },
	{ RS_CAUSE_SLEEP, NONE, RS_INK_DIM, RS_INK_DIM, RS_CAUSE_SLEEP },
	{ RS_CAUSE_SLEEP, PEER, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_SLEEP },
	/* so with a poll: of a victim it has the color of who waits for a peer */
	{ RS_CAUSE_IDLE, NONE, RS_INK_BLANK, RS_INK_BLANK, RS_CAUSE_IDLE },
	{ RS_CAUSE_IDLE, PEER | LOCKS, RS_INK_BLANK, RS_INK_BLANK, RS_CAUSE_IDLE },
	{ RS_CAUSE_IDLE, POLLS, RS_INK_FULL, RS_INK_DIM, RS_CAUSE_SLEEP },
	/* nothing is known of it, whatever a finding says */
	{ RS_CAUSE_NOT_SEEN, PEER | LOCKS | POLLS, RS_INK_BLANK, RS_INK_BLANK, RS_CAUSE_NOT_SEEN },
	{ RS_CAUSE_UNKNOWN, NONE, RS_INK_BLANK, RS_INK_BLANK, RS_CAUSE_UNKNOWN },
	{ RS_CAUSE_NOT_RECORDED, NONE, RS_INK_BLANK, RS_INK_BLANK, RS_CAUSE_NOT_RECORDED },
	{ RS_CAUSE_OFF_CPU, NONE, RS_INK_BLANK, RS_INK_BLANK, RS_CAUSE_OFF_CPU },
};

START_TEST(what_cost_is_seen)
{
	enum rs_cause as;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rs_ink_task task = { .pains = cases[i].pains }, own = { true, cases[i].pains };

		ck_assert_int_eq(rs_cause_ink(cases[i].cause, &task, &as), cases[i].ink);
		ck_assert_int_eq(as, cases[i].as);
		ck_assert_int_eq(rs_cause_ink(cases[i].cause, &own, NULL), cases[i].own);
		if (!cases[i].pains)
			ck_assert_int_eq(rs_cause_ink(cases[i].cause, NULL, NULL), cases[i].ink);
	}
}
END_TEST

START_TEST(categories_have_names)
{
	ck_assert_int_eq(rs_category_find("peer"), RS_CATEGORY_PEER);
	ck_assert_int_eq(rs_category_find("other"), RS_CATEGORY_OTHER);
	ck_assert_int_eq(rs_category_find("peers"), RS_CATEGORY_RUN);
	ck_assert_int_eq(rs_category_find(NULL), RS_CATEGORY_RUN);
}
END_TEST

Suite *rs_suite_ink(void)
{
	Suite *s = suite_create("ink");
	TCase *t = tcase_create("ink");

	tcase_add_test(t, what_cost_is_seen);
	tcase_add_test(t, categories_have_names);
	suite_add_tcase(s, t);
	return s;
}
