// SPDX-License-Identifier: GPL-2.0-or-later
/* test-icicle - stacks as a tree of frames, and which columns each frame has */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "tui/flame/icicle.h"

static struct rs_frame_tree *tree;
static struct rs_icicle icicle;

static void add(const char *stack, uint64_t weight, enum rs_frame_side side)
{
	rs_frame_tree_add_stack(tree, &(struct rs_frame_stack){ .text = stack, .weight = weight, .side = side });
}

/* "main;work 6" */
static void add_all(const char *const *folded, enum rs_frame_side side)
{
	char stack[200];
	unsigned long weight;

	for (; *folded; folded++) {
		ck_assert_int_eq(sscanf(*folded, "%199s %lu", stack, &weight), 2);
		add(stack, weight, side);
	}
	ck_assert(rs_frame_tree_finish(tree));
}

#define STACKS(...) add_all((const char *const[]){ __VA_ARGS__, NULL }, RS_FRAME_SHOWN)

static uint32_t find(const char *name)
{
	for (uint32_t i = 0; i < rs_frame_tree_nr(tree); i++)
		if (!strcmp(rs_frame_tree_node(tree, i)->function, name))
			return i;
	ck_abort_msg("no frame %s", name);
}

/* "all@0+10 | a@0+7 b@7+3", lines of a layout; "+3@9+1": three merged frames. */
static const char *layout(uint32_t zoomed, int width)
{
	static char text[4096];
	size_t len = 0;

	ck_assert(rs_icicle_make(&icicle, tree, zoomed, width));
	*text = '\0';
	for (size_t i = 0; i < icicle.nr; i++) {
		const struct rs_icicle_cell *c = &icicle.cells[i];
		char name[64];

		snprintf(name, sizeof name, "%s", rs_frame_tree_node(tree, c->node)->function);
		if (c->nr_merged)
			snprintf(name, sizeof name, "+%u", c->nr_merged);
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s@%d+%d", !i ? "" : icicle.cells[i - 1].line == c->line ? " " : " | ", name, c->x, c->width);
	}
	return text;
}

static void set_up(void)
{
	tree = rs_frame_tree_new();
	ck_assert_ptr_nonnull(tree);
}

static void clean_up(void)
{
	rs_frame_tree_free(tree);
	rs_icicle_done(&icicle);
}

/* main 10 = 1 itself + 6 a + 3 b; a: 2 of it in x. */
/* Frames without a name are one where they only call one another; each is still there in the stack that is copied. */
START_TEST(frames_without_a_name)
{
	char stack[200];
	size_t nr;

	STACKS("main;[unknown];[unknown];[unknown];work 6", "main;[unknown];[unknown];[unknown];read 2", "main;idle 2");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 10), "all@0+10 | main@0+10 | [unknown] x3@0+8 idle@8+2 | work@0+6 read@6+2");
	ck_assert_uint_eq(rs_frame_tree_node(tree, find("work"))->depth, 3);
	ck_assert_str_eq(rs_frame_tree_put_stack(tree, find("work"), stack, sizeof stack), "main;[unknown];[unknown];[unknown];work");
	/* a branch, and time of its own, end what is folded, also where it was one before */
	STACKS("main;[unknown];[unknown];[unknown] 1", "main;[unknown];tick 1");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 12),
			 "all@0+12 | main@0+12 | [unknown]@0+10 idle@10+2 | [unknown] x2@0+9 tick@9+1 | work@0+6 read@6+2");
	ck_assert_double_eq_tol(rs_frame_tree_matching(tree, "UNKNOWN", &nr), 10 / 12.0, 0.001);
	ck_assert_uint_eq(nr, 2);
	ck_assert_uint_eq(rs_frame_tree_self(tree, rs_frame_tree_node(tree, find("[unknown] x2")), RS_FRAME_SHOWN), 1);
}
END_TEST

/* With addresses they are found by each of these; those of two modules are two. */
START_TEST(addresses_without_a_name)
{
	uint32_t node = RS_FRAME_ROOT, inner;

	for (int i = 0; i < 4; i++) {
		char name[40];

		snprintf(name, sizeof name, "[unknown] %s+0x%d", i < 2 ? "app" : "lib", i);
		node = rs_frame_tree_add_frame(tree, node, name, i < 2 ? "app" : "lib");
	}
	rs_frame_tree_weigh(tree, node, RS_FRAME_SHOWN, 3, NULL);
	inner = node;
	ck_assert(rs_frame_tree_finish(tree));
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 3), "all@0+3 | [unknown] app+0x0 x2@0+3 | [unknown] lib+0x2 x2@0+3");
	node = rs_frame_tree_find(tree, rs_frame_tree_node(tree, inner)->identity);
	ck_assert_uint_eq(node, find("[unknown] lib+0x2 x2"));
	ck_assert(rs_frame_tree_node_matches(tree, rs_frame_tree_node(tree, node), "LIB+0x3"));
	ck_assert(!rs_frame_tree_node_matches(tree, rs_frame_tree_node(tree, node), "app+0x1"));
}
END_TEST

START_TEST(sums)
{
	STACKS("main;a 4", "main;a;x 2", "main;b 3", "main 1");
	ck_assert_uint_eq(rs_frame_tree_node(tree, RS_FRAME_ROOT)->total[0], 10);
	ck_assert_uint_eq(rs_frame_tree_node(tree, find("main"))->self[0], 1);
	ck_assert_uint_eq(rs_frame_tree_node(tree, find("a"))->total[0], 6);
	ck_assert_uint_eq(rs_frame_tree_node(tree, find("a"))->self[0], 4);
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 10), "all@0+10 | main@0+10 | a@0+6 b@6+3 | x@0+2");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 20), "all@0+20 | main@0+20 | a@0+12 b@12+6 | x@0+4");
}
END_TEST

/* Seven columns of 1/3 each: 2.33 columns, edges 2, 4, 7. Equal ones go by name. */
START_TEST(edges_are_rounded_down)
{
	STACKS("c 1", "b 1", "a 1");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 7), "all@0+7 | a@0+2 b@2+2 c@4+3");
}
END_TEST

/* Ten columns, 100 samples: a column is 10. d, e, f have 5, 4, 1: together one column. */
START_TEST(narrow_frames_are_merged)
{
	STACKS("a 60", "b 30", "d 5", "e 4", "f 1");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 10), "all@0+10 | a@0+6 b@6+3 +3@9+1");
	ck_assert_uint_eq(icicle.cells[3].first_merged, 2);
	/* e has 4 of 100, 0.4 of a column: shown at 25 columns */
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 25), "all@0+25 | a@0+15 b@15+7 d@22+1 e@23+1 +1@24+1");
}
END_TEST

/* a has 99 of 100, all of both columns: it gives one to what is narrow. */
START_TEST(merged_frames_have_a_column)
{
	STACKS("a 99", "b 1");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 10), "all@0+10 | a@0+9 +1@9+1");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 1), "all@0+1 | +2@0+1");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 0), "");
}
END_TEST

START_TEST(zoom)
{
	STACKS("main;a;x 2", "main;a;y 2", "main;b 6");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 10), "all@0+10 | main@0+10 | b@0+6 a@6+4 | x@6+2 y@8+2");
	ck_assert_str_eq(layout(find("a"), 10), "all@0+10 | main@0+10 | a@0+10 | x@0+5 y@5+5");
}
END_TEST

START_TEST(hits_and_steps)
{
	STACKS("main;a;x 2", "main;a;y 2", "main;b 6"); /* cells: 0 all, 1 main, 2 b, 3 a, 4 x, 5 y */
	layout(RS_FRAME_ROOT, 10);
	ck_assert_uint_eq(rs_icicle_at(&icicle, 0, 9), 0);
	ck_assert_uint_eq(rs_icicle_at(&icicle, 2, 5), 2);
	ck_assert_uint_eq(rs_icicle_at(&icicle, 2, 6), 3);
	ck_assert_uint_eq(rs_icicle_at(&icicle, 3, 5), SIZE_MAX);
	ck_assert_uint_eq(rs_icicle_at(&icicle, 3, 9), 5);
	ck_assert_uint_eq(rs_icicle_at(&icicle, 4, 0), SIZE_MAX);
	ck_assert_uint_eq(rs_icicle_at(&icicle, 0, 10), SIZE_MAX);
	ck_assert_uint_eq(rs_icicle_step(&icicle, 1, RS_ICICLE_INWARD), 2);
	ck_assert_uint_eq(rs_icicle_step(&icicle, 2, RS_ICICLE_INWARD), 2); /* b called nothing */
	ck_assert_uint_eq(rs_icicle_step(&icicle, 2, RS_ICICLE_RIGHT), 3);
	ck_assert_uint_eq(rs_icicle_step(&icicle, 3, RS_ICICLE_RIGHT), 3);
	ck_assert_uint_eq(rs_icicle_step(&icicle, 3, RS_ICICLE_INWARD), 4);
	ck_assert_uint_eq(rs_icicle_step(&icicle, 5, RS_ICICLE_OUTWARD), 3);
	ck_assert_uint_eq(rs_icicle_step(&icicle, 0, RS_ICICLE_OUTWARD), 0);
	ck_assert_uint_eq(rs_icicle_find(&icicle, tree, find("y")), 5);
}
END_TEST

/* A frame that is too narrow is found where it is merged, a deeper one at the nearest caller that is shown. */
START_TEST(find_what_is_merged)
{
	STACKS("a 98", "b;deep 1", "c 1");
	layout(RS_FRAME_ROOT, 10);
	ck_assert_uint_eq(rs_icicle_find(&icicle, tree, find("c")), 2);
	ck_assert_uint_eq(rs_icicle_find(&icicle, tree, find("deep")), 2);
}
END_TEST

/* A call of itself counts once; a frame inside a matching one counts with it. */
START_TEST(matching)
{
	size_t nr;

	STACKS("main;read;read 3", "main;read;copy 1", "main;write 4", "main;write;READ 2");
	ck_assert_double_eq_tol(rs_frame_tree_matching(tree, "read", &nr), 0.6, 1e-9);
	ck_assert_uint_eq(nr, 3);
	ck_assert_double_eq_tol(rs_frame_tree_matching(tree, "none", &nr), 0, 1e-9);
	ck_assert_uint_eq(nr, 0);
}
END_TEST

/* 10 samples against 40: a has 0.5 and 0.75, b 0.5 and 0.25. Their sizes are the means. */
START_TEST(compared)
{
	add_all((const char *const[]){ "a 30", "b 10", NULL }, RS_FRAME_SHOWN);
	rs_frame_tree_move_before(tree);
	STACKS("a 5", "b 5");
	ck_assert_double_eq_tol(rs_frame_tree_node(tree, find("a"))->size, 0.625, 1e-9);
	ck_assert_uint_eq(rs_frame_tree_node(tree, find("a"))->total[RS_FRAME_BEFORE], 30);
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 8), "all@0+8 | a@0+5 b@5+3");
	rs_frame_tree_clear_side(tree, RS_FRAME_BEFORE);
	ck_assert(rs_frame_tree_finish(tree));
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 8), "all@0+8 | a@0+4 b@4+4");
}
END_TEST

/* What was waited for most colors a frame, and its callers; modules go with functions. */
START_TEST(causes_and_modules)
{
	rs_frame_tree_add_stack(tree, &(struct rs_frame_stack){ .outer = "sh", .text = "main;read", .modules = "sh;libc.so", .cause = "disk", .weight = 5 });
	rs_frame_tree_add_stack(tree, &(struct rs_frame_stack){ .outer = "sh", .text = "main;poll", .modules = "sh", .cause = "timer", .weight = 7 });
	ck_assert(rs_frame_tree_finish(tree));
	ck_assert_str_eq(rs_frame_tree_node(tree, find("read"))->cause, "disk");
	ck_assert_str_eq(rs_frame_tree_node(tree, find("main"))->cause, "timer");
	ck_assert_str_eq(rs_frame_tree_node(tree, find("read"))->module, "libc.so");
	ck_assert_str_eq(rs_frame_tree_node(tree, find("poll"))->module, "");
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 12), "all@0+12 | sh@0+12 | main@0+12 | poll@0+7 read@7+5");
}
END_TEST

START_TEST(nothing)
{
	ck_assert(rs_frame_tree_finish(tree));
	ck_assert_str_eq(layout(RS_FRAME_ROOT, 10), "");
	ck_assert_uint_eq(rs_icicle_at(&icicle, 0, 0), SIZE_MAX);
	ck_assert_uint_eq(rs_icicle_find(&icicle, tree, RS_FRAME_ROOT), SIZE_MAX);
}
END_TEST

Suite *rs_suite_icicle(void)
{
	Suite *s = suite_create("icicle");
	TCase *t = tcase_create("icicle");

	tcase_add_test(t, frames_without_a_name);
	tcase_add_test(t, addresses_without_a_name);
	tcase_add_checked_fixture(t, set_up, clean_up);
	tcase_add_test(t, sums);
	tcase_add_test(t, edges_are_rounded_down);
	tcase_add_test(t, narrow_frames_are_merged);
	tcase_add_test(t, merged_frames_have_a_column);
	tcase_add_test(t, zoom);
	tcase_add_test(t, hits_and_steps);
	tcase_add_test(t, find_what_is_merged);
	tcase_add_test(t, matching);
	tcase_add_test(t, compared);
	tcase_add_test(t, causes_and_modules);
	tcase_add_test(t, nothing);
	suite_add_tcase(s, t);
	return s;
}
