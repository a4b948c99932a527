// SPDX-License-Identifier: GPL-2.0-or-later
/* test-sample-window - records that are kept beside a window, and what they say of mappings when they are evicted */
#include <check.h>
#include <stdlib.h>

#include "decode/sample-merge.h"
#include "sample-lines.h"
#include "source/window-pins.h"
#include "stacks/sample-window.h"
#include "stacks/stack-builder.h"
#include "symbols/symbolizer.h"

#define NR_EVICTING 70000 /* of 72 bytes: more than the 4 MiB of a small window */

static const struct rs_trace_info info = { .nr_cpus = 1, .page_bytes = 4096 };
static struct rs_sample_source *lines;
static struct rs_symbolizer *names;
static struct rs_window *pages;
static struct rs_sample_window *w;

static void setup(void)
{
	struct rs_error err = { 0 };

	lines = sample_lines_open(SAMPLES("100 cpu0 map 7 400000-401000 0 /bin/prog", "150 cpu0 fork 7 8", "160 cpu0 exec 7",
					  "170 cpu0 map 7 500000-501000 0 /bin/other", "200 cpu0 sample 8/8 400010"), false);
	names = rs_symbolizer_new(&(struct rs_symbolizer_config){ .local = false });
	pages = rs_window_new(&info, 1 << 20, 0, &err);
	w = rs_sample_window_new(lines, &info, pages, names);
	ck_assert_ptr_nonnull(w);
}

static void teardown(void)
{
	rs_sample_window_free(w);
	rs_window_free(pages);
	rs_symbolizer_free(names);
	lines->ops->close(lines);
}

static unsigned int unpin_at; /* add() ends the pin of client 1 then; 0: it does not */

/* Adds all records; after the last one the window gets it once more at each ns from 1000 to 1003, and reader is opened. Then so often again. */
static void add(unsigned int times, struct rs_sample_source **reader)
{
	struct rs_sample_merge *merge = rs_sample_merge_new(lines);
	struct rs_sample_event ev;

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev)) {
		rs_sample_window_add(w, &ev);
		for (unsigned int i = 0; ev.kind == RS_SAMPLE_OF_CPU && i < times; i++) {
			ev.ts_ns = 1000 + i;
			rs_sample_window_add(w, &ev);
			if (unpin_at && i == unpin_at)
				rs_window_pins_clear(pages, 1);
			if (i == 3)
				*reader = rs_sample_window_open(w);
		}
	}
	rs_sample_merge_free(merge);
}

/* Returns how many samples there are, the last of them at last_ns, all of process 8 in prog. */
static unsigned int count(struct rs_sample_source *source, uint64_t last_ns)
{
	struct rs_stack_builder *b = rs_stack_builder_new(source, &info, 0);
	struct rs_sample_merge *merge = rs_sample_merge_new(source);
	struct rs_sample_event ev = { 0 };
	unsigned int nr = 0;

	for (uint64_t ts_ns = 0; rs_sample_merge_next(merge, UINT64_MAX, &ev); ts_ns = ev.ts_ns) {
		struct rs_frame frame;
		bool in_kernel;

		ck_assert_uint_le(ts_ns, ev.ts_ns);
		rs_stack_builder_follow(b, &ev);
		if (ev.kind != RS_SAMPLE_OF_CPU)
			continue;
		rs_stack_builder_frame(b, rs_stack_builder_add_sample(b, &ev, &in_kernel), &frame);
		ck_assert_str_eq(frame.module, "prog");
		ck_assert_uint_eq(frame.offset, 0x10);
		nr++;
	}
	ck_assert_uint_eq(ev.ts_ns, last_ns);
	rs_sample_merge_free(merge);
	rs_stack_builder_free(b);
	source->ops->close(source);
	return nr;
}

/* The records of the mappings are evicted: the mappings are those that a range begins with. A reader goes on with what it has. */
START_TEST(evicted)
{
	struct rs_sample_source *early = NULL;
	unsigned int nr;

	add(NR_EVICTING, &early);
	nr = count(rs_sample_window_open(w), 1000 + NR_EVICTING - 1);
	ck_assert_uint_gt(nr, NR_EVICTING / 2);
	ck_assert_uint_lt(nr, NR_EVICTING);
	ck_assert_uint_eq(count(early, 1003), 5);
}
END_TEST

static void add_page(uint64_t ts_ns)
{
	uint64_t page[8] = { ts_ns }; /* it begins with its time */

	ck_assert(rs_window_add(pages, 0, &(struct rs_page){ .data = (uint8_t *)page, .len_bytes = sizeof page }));
}

/* How many samples of the time from 1000 to 1003 it still has. */
static unsigned int count_first(struct rs_sample_source *source)
{
	struct rs_sample_merge *merge = rs_sample_merge_new(source);
	struct rs_sample_event ev;
	unsigned int nr = 0;

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev))
		nr += ev.kind == RS_SAMPLE_OF_CPU && ev.ts_ns >= 1000 && ev.ts_ns <= 1003;
	rs_sample_merge_free(merge);
	source->ops->close(source);
	return nr;
}

/*
 * The first chunk is of a pinned time: later ones are evicted instead, and what is read after them still has its
 * mappings. All of the window may not be pinned: then the oldest are evicted.
 */
START_TEST(pinned)
{
	struct rs_window_pin pin = { .client = 1, .from_ns = 1000, .to_ns = 1003 };
	struct rs_sample_source *early = NULL;
	struct rs_error err = { 0 };

	add_page(1000);
	add_page(1004);
	ck_assert_msg(rs_window_pins_set(pages, &pin, &err) == 0, "%s", err.text);
	add(NR_EVICTING, &early);
	early->ops->close(early);
	ck_assert_uint_eq(count_first(rs_sample_window_open(w)), 4);
	count(rs_sample_window_open(w), 1000 + NR_EVICTING - 1);
}
END_TEST

START_TEST(no_longer_pinned)
{
	struct rs_window_pin pin = { .client = 1, .from_ns = 1000, .to_ns = 1003 };
	struct rs_sample_source *early = NULL;
	struct rs_error err = { 0 };

	add_page(1000);
	add_page(1004);
	ck_assert_msg(rs_window_pins_set(pages, &pin, &err) == 0, "%s", err.text);
	unpin_at = NR_EVICTING;
	add(2 * NR_EVICTING, &early);
	early->ops->close(early);
	ck_assert_uint_eq(count_first(rs_sample_window_open(w)), 0);
	count(rs_sample_window_open(w), 1000 + 2 * NR_EVICTING - 1);
}
END_TEST

START_TEST(too_much_is_pinned)
{
	struct rs_window_pin pin = { .client = 1, .from_ns = 1000, .to_ns = 1000 + NR_EVICTING };
	struct rs_sample_source *early = NULL;
	struct rs_error err = { 0 };

	add_page(1000);
	add_page(1000 + NR_EVICTING);
	ck_assert_msg(rs_window_pins_set(pages, &pin, &err) == 0, "%s", err.text);
	add(NR_EVICTING, &early);
	early->ops->close(early);
	ck_assert_uint_eq(count_first(rs_sample_window_open(w)), 0);
	count(rs_sample_window_open(w), 1000 + NR_EVICTING - 1);
}
END_TEST

Suite *rs_suite_sample_window(void);
Suite *rs_suite_sample_window(void)
{
	Suite *s = suite_create("sample-window");
	TCase *t = tcase_create("sample-window");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, evicted);
	tcase_add_test(t, pinned);
	tcase_add_test(t, no_longer_pinned);
	tcase_add_test(t, too_much_is_pinned);
	suite_add_tcase(s, t);
	return s;
}
