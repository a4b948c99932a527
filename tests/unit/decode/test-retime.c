// SPDX-License-Identifier: GPL-2.0-or-later
/* test-retime - pages in another clock: the same records, losses and malformations at the mapped times */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time-limit.h"
#include "decode/retime.h"
#include "page-builder.h"
#include "source/time-map.h"

/* One CPU of one page, handed out again and again. */
struct one_page {
	struct rs_source source;
	struct rs_page page;
	char header[256];
};

static enum rs_next next(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	*page = ((struct one_page *)s)->page;
	return RS_NEXT_PAGE;
}

static void close_source(struct rs_source *s)
{
	free(s);
}

static struct rs_source *open_page(const struct rs_page_layout *l, const uint8_t *bytes, size_t len,
				   const struct rs_time_map *map)
{
	static const struct rs_source_ops ops = { .next = next, .close = close_source };
	struct one_page *p = calloc(1, sizeof *p);
	struct rs_error err = { 0 };
	struct rs_source *s;

	snprintf(p->header, sizeof p->header,
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\n\tfield: local_t commit;\toffset:8;\tsize:%u;\n"
		 "\tfield: char data;\toffset:%u;\tsize:4080;\n", l->long_bytes, l->data_offset);
	p->source = (struct rs_source){ .ops = &ops };
	p->source.info = (struct rs_trace_info){
		.nr_cpus = 1, .page_bytes = 4096, .long_bytes = l->long_bytes, .big_endian = l->big_endian, .time_map = map,
		.header_page = { p->header, strlen(p->header) },
	};
	p->page = (struct rs_page){ .data = bytes, .len_bytes = len };
	s = rs_retime(&p->source, &err);
	ck_assert_msg(s != NULL, "%s", err.text);
	return s;
}

static struct rs_time_sample steps[] = { { 0, 0, 1, 0 }, { 1500, -400, 1, 0 }, { 5000000000, 600, 1, 0 } };
static struct rs_time_samples cpu = { steps, 3 };

static const struct rs_time_map factor = { .mult = 3, .shift = 1 }, range = { .mult = 1000, .shift = 0 },
	back = { .cpus = &cpu, .nr_cpus = 1 };

/* Entries at 1000, 1010 (after a discarded one), 2010, 2010 + 2^28 + 3, and the last two at the same time. */
static const struct entry entries[] = {
	DATA(0, 8), PADDING(4, 8), DATA(6, 4), LONG(1000, 200), EXTEND(2, 3), DATA(0, 112), LONG(0, 116), { 0 },
};

static const struct {
	const struct rs_time_map *map;
	uint64_t at[5];
} expected[] = {
	{ &factor, { 1500, 1515, 3015, 402656203, 402656203 } },
	/* distances of a million of ns where there were a thousand, and of 2^28 * 1000 where there was 2^28 */
	{ &range, { 1000000, 1010000, 2010000, 268437469000, 268437469000 } },
	/* 0 is added before 1500, and 400 taken from there on */
	{ &back, { 1000, 1010, 1610, 268437069, 268437069 } },
};

START_TEST(times_computed_by_hand)
{
	for (int which = 0; which < NR_LAYOUTS; which++) {
		struct rs_page_layout l = page_layout(which);
		struct built_page p = page_build(&l, 1000, entries, 0);
		struct rs_source *s = open_page(&l, p.bytes, p.len, expected[_i].map);
		struct rs_error err = { 0 };
		struct rs_page_cursor c;
		struct rs_page page;

		ck_assert_uint_eq(s->info.page_bytes, 8192);
		ck_assert_ptr_null(s->info.time_map);
		ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
		ck_assert(rs_page_load(&c, &l, page.data, page.len_bytes));
		for (unsigned int i = 0; i < 5; i++) {
			ck_assert(rs_page_next(&c));
			ck_assert_uint_eq(c.ts_ns, expected[_i].at[i]);
		}
		ck_assert(!rs_page_next(&c));
		ck_assert_int_eq(c.fault, RS_PAGE_OK);
		s->ops->close(s);
		free(p.bytes);
	}
}
END_TEST

/* Two records 1 apart, between which the sample says 400 less: the second is earlier, as trace-cmd shows it. */
START_TEST(a_step_back)
{
	static const struct entry two[] = { DATA(499, 8), DATA(1, 8), DATA(1, 8), { 0 } };
	struct rs_page_layout l = page_layout(0);
	struct built_page p = page_build(&l, 1000, two, 0);
	struct rs_source *s = open_page(&l, p.bytes, p.len, &back);
	struct rs_error err = { 0 };
	struct rs_page_cursor c;
	struct rs_page page;

	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert(rs_page_load(&c, &l, page.data, page.len_bytes));
	ck_assert(rs_page_next(&c));
	ck_assert_uint_eq(c.ts_ns, 1499);
	ck_assert(rs_page_next(&c));
	ck_assert_uint_eq(c.ts_ns, 1100);
	ck_assert(rs_page_next(&c));
	ck_assert_uint_eq(c.ts_ns, 1101);
	s->ops->close(s);
	free(p.bytes);
}
END_TEST

static void same_page(const struct rs_page_layout *l, const uint8_t *bytes, size_t len, const struct rs_time_map *map)
{
	struct rs_source *s = open_page(l, bytes, len, map);
	struct rs_page_cursor a, b;
	struct rs_error err = { 0 };
	struct rs_page page;
	bool in_range;

	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_uint_le(page.len_bytes, s->info.page_bytes);
	if (rs_page_load(&a, l, bytes, len) && rs_time_map_apply(map, 0, a.ts_ns) > RS_MAX_TIME_NS)
		a.fault = RS_PAGE_TIME;
	ck_assert_int_eq(!a.fault, rs_page_load(&b, l, page.data, page.len_bytes));
	if (b.fault == RS_PAGE_TIME) {
		s->ops->close(s);
		return;
	}
	in_range = a.ts_ns < 1ull << 59 && b.ts_ns < 1ull << 59; /* beyond, a step back cannot be written */
	ck_assert_int_eq(a.lost, b.lost);
	ck_assert_int_eq(a.lost_counted, b.lost_counted);
	ck_assert_uint_eq(a.nr_lost, b.nr_lost);
	while (!a.fault && rs_page_next(&a)) {
		uint64_t ts = rs_time_map_apply(map, 0, a.ts_ns);

		if (!rs_page_next(&b) && ts > RS_MAX_TIME_NS) { /* the map says so */
			ck_assert_int_eq(b.fault, RS_PAGE_TIME);
			break;
		}
		ck_assert(!b.fault);
		ck_assert_uint_eq(a.len_bytes, b.len_bytes);
		ck_assert_mem_eq(a.record, b.record, a.len_bytes);
		in_range &= ts < 1ull << 59 && a.ts_ns < 1ull << 59;
		if (in_range)
			ck_assert_uint_eq(b.ts_ns, ts);
	}
	if (!b.fault)
		ck_assert(!rs_page_next(&b));
	ck_assert(a.fault == b.fault || b.fault == RS_PAGE_TIME || (a.fault == RS_PAGE_TIME && b.fault == RS_PAGE_EXTEND_CUT));
	s->ops->close(s);
}

START_TEST(whatever_the_page_is)
{
	static const struct rs_time_map *const maps[] = { &factor, &range, &back };
	uint64_t state = 0x1234567 + (uint64_t)_i;

	for (int i = 0; i < 3000; i++) {
		struct rs_page_layout l = page_layout(i % NR_LAYOUTS);
		struct built_page p = page_build(&l, i % 7 ? 1000 : UINT64_MAX - 5, entries, i % 3 ? 0 : 3ull << 30);

		for (uint32_t nr = page_random(&state) % 4; nr; nr--)
			page_mutate(&l, p.bytes, p.len, &state);
		same_page(&l, p.bytes, p.len, maps[_i]);
		free(p.bytes);
	}
}
END_TEST

/* Nothing but records of 4 bytes, each of which needs a time extend before it: the page doubles. */
START_TEST(a_full_page_of_small_records)
{
	enum { NR = (4096 - 16) / 8 };
	struct rs_page_layout l = page_layout(0);
	struct entry small[NR + 1] = { { 0 } };
	struct built_page p;

	for (unsigned int i = 0; i < NR; i++)
		small[i] = (struct entry)DATA(200000, 4);
	p = page_build(&l, 1000, small, 0);
	ck_assert_uint_eq(p.len, 4096);
	same_page(&l, p.bytes, p.len, &range);
	free(p.bytes);
}
END_TEST

START_TEST(a_file_that_needs_nothing_costs_nothing)
{
	struct rs_page_layout l = page_layout(0);
	struct built_page p = page_build(&l, 1000, entries, 0);
	struct rs_source *s = open_page(&l, p.bytes, p.len, NULL);
	struct rs_error err = { 0 };
	struct rs_page page;

	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_ptr_eq(page.data, p.bytes);
	s->ops->close(s);
	free(p.bytes);
}
END_TEST

Suite *rs_suite_retime(void)
{
	Suite *s = suite_create("retime");
	TCase *t = tcase_create("retime");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, times_computed_by_hand, 0, sizeof expected / sizeof *expected);
	tcase_add_test(t, a_step_back);
	tcase_add_loop_test(t, whatever_the_page_is, 0, 3);
	tcase_add_test(t, a_full_page_of_small_records);
	tcase_add_test(t, a_file_that_needs_nothing_costs_nothing);
	suite_add_tcase(s, t);
	return s;
}
