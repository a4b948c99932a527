// SPDX-License-Identifier: GPL-2.0-or-later
/* test-page.c - the page walker: each kind of entry, each fault, in both byte orders and word sizes */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/page.h"
#include "page-builder.h"

#define MISSED (1ull << 31)
#define STORED (1ull << 30)
/* as a 64-bit kernel has it: its flag is an int, and the sign comes along */
#define MISSED_64 0xffffffff80000000ull

/* ---- header_page ---- */

#define HEADER_64 \
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n" \
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" \
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n" \
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n"
#define HEADER_32 \
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n" \
	"\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n" \
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n" \
	"\tfield: char data;\toffset:12;\tsize:4084;\tsigned:1;\n"

static const struct layout_case {
	const char *text;
	unsigned int file_long;
	int ret, long_bytes, commit, data;
} layout_cases[] = {
	{ HEADER_64, 8, 0, 8, 8, 16 },
	{ HEADER_32, 4, 0, 4, 8, 12 },
	/* a 32-bit trace-cmd on a 64-bit kernel: the kernel's text counts */
	{ HEADER_64, 4, 0, 8, 8, 16 },
	{ "", 8, 0, 8, 8, 16 },
	{ "", 4, 0, 4, 8, 12 },
	{ "", 2, -1, 0, 0, 0 },
	{ "field: local_t commit; offset:24; size:8;\nfield: char data; offset:40;\tsize:1;", 8, 0, 8, 24, 40 },
	{ "nothing of the kind", 8, -1, 0, 0, 0 },
	{ "\tfield: local_t commit;\toffset:8;\tsize:8;\n", 8, -1, 0, 0, 0 },
	{ "\tfield: char data;\toffset:16;\tsize:4080;\n", 8, -1, 0, 0, 0 },
	/* commit within the time stamp, data within commit, a time stamp elsewhere, an odd long */
	{ "field: local_t commit;\toffset:4;\tsize:8;\nfield: char data;\toffset:16;\tsize:1;\n", 8, -1, 0, 0, 0 },
	{ "field: local_t commit;\toffset:8;\tsize:8;\nfield: char data;\toffset:12;\tsize:1;\n", 8, -1, 0, 0, 0 },
	{ "field: u64 timestamp;\toffset:8;\tsize:8;\n" HEADER_64, 8, 0, 8, 8, 16 },
	{ HEADER_64 "field: u64 timestamp;\toffset:8;\tsize:8;\n", 8, -1, 0, 0, 0 },
	{ "field: local_t commit;\toffset:8;\tsize:2;\nfield: char data;\toffset:16;\tsize:1;\n", 8, -1, 0, 0, 0 },
	/* numbers that are none */
	{ "field: local_t commit;\toffset:;\tsize:8;\nfield: char data;\toffset:16;\tsize:1;\n", 8, -1, 0, 0, 0 },
	{ "field: local_t commit;\toffset:8;\tsize:8;\nfield: char data;\toffset:4294967312;\tsize:1;\n", 8, -1, 0, 0, 0 },
	{ "field: local_t commit;\toffset:8;\tsize:8;\nfield: char data;\toffset:-16;\tsize:1;\n", 8, -1, 0, 0, 0 },
	{ "field: local_t commit;\toffset:8;\tsize:8;\nfield: char data;\toffset:16", 8, -1, 0, 0, 0 },
	{ "data;offset:16;size:1;", 8, -1, 0, 0, 0 },
};

/* A copy of just the text's size: no terminator to rely on. */
static char *unterminated(const char *text, size_t len)
{
	char *copy = malloc(len ? len : 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, text, len);
	return copy;
}

START_TEST(header_page_texts)
{
	const struct layout_case *c = &layout_cases[_i];
	struct rs_page_layout l = { 0 };
	char *text = unterminated(c->text, strlen(c->text));

	ck_assert_int_eq(rs_page_layout_parse(&l, text, strlen(c->text), c->file_long, true), c->ret);
	ck_assert_int_eq(l.long_bytes, c->long_bytes);
	ck_assert_int_eq(l.commit_offset, c->commit);
	ck_assert_int_eq(l.data_offset, c->data);
	ck_assert_int_eq(l.big_endian, c->ret == 0);
	free(text);
}
END_TEST

/* Cut off anywhere: either refused or the right answer, never another. */
START_TEST(header_page_cut_off)
{
	for (size_t len = 1; len < strlen(HEADER_64); len++) {
		struct rs_page_layout l = { 0 };
		char *text = unterminated(HEADER_64, len);

		if (rs_page_layout_parse(&l, text, len, 8, false) == 0)
			ck_assert_int_eq(l.data_offset, 16);
		free(text);
	}
}
END_TEST

/* ---- entries ---- */

/* Walks a page: "time:length#number " for each record, then the fault's number. */
static const char *walk(const struct rs_page_layout *layout, const uint8_t *bytes, size_t len)
{
	static char out[4096];
	struct rs_page_cursor c;
	size_t n = 0;

	out[0] = '\0';
	rs_page_load(&c, layout, bytes, len);
	while (rs_page_next(&c) && n < sizeof out - 64)
		n += (size_t)snprintf(out + n, sizeof out - n, "%lu:%u#%u ", c.ts_ns, c.len_bytes,
				      page_get_u32(layout, c.record));
	snprintf(out + n, sizeof out - n, "%d", c.fault);
	ck_assert(!rs_page_next(&c)); /* the end stays the end */
	ck_assert_int_eq(out[strlen(out) - 1] - '0', c.fault);
	return out;
}

/* Pages begin at time 1000. The last number is the fault: 3 record length, 4 record cut, 5 extend cut. */
static const struct walk_case {
	struct entry entries[8];
	const char *records;
} walk_cases[] = {
	{ { { 0 } }, "0" },
	{ { DATA(0, 4) }, "1000:4#0 0" },
	{ { DATA(5, 8), DATA(7, 112), DATA(0, 4) }, "1005:8#0 1012:112#1 1012:4#2 0" },
	{ { DATA(0x7ffffff, 8), DATA(1, 4) }, "134218727:8#0 134218728:4#1 0" },

	/* long records: the length counts itself; one of 8 bytes is written so where alignment asks for it */
	{ { LONG(3, 116), DATA(1, 4) }, "1003:116#0 1004:4#1 0" },
	{ { LONG(3, 8), LONG(1, 4) }, "1003:8#0 1004:4#1 0" },
	{ { { 2, 0, 3, 9, 8 }, DATA(1, 4) }, "1003:8#0 1004:4#1 0" }, /* 5 bytes and filling */
	{ { { 2, 0, 3, 0, 0 }, DATA(1, 4) }, "3" },
	{ { DATA(1, 4), { 2, 0, 3, 3, 0 } }, "1001:4#0 3" },
	{ { { 2, 0, 3, 4, 0 }, DATA(1, 4) }, "3" },
	{ { DATA(1, 4), { 2, 0, 3, 9, 4 } }, "1001:4#0 4" },
	{ { DATA(1, 4), { 2, 0, 3, 0xffffffff, 8 } }, "1001:4#0 4" },
	{ { DATA(1, 4), { 2, 0, 3, 0x80000000, 8 } }, "1001:4#0 4" },
	{ { DATA(1, 4), { 1, 0, 3, 0, 0 } }, "1001:4#0 4" },
	{ { DATA(1, 4), { 1, 3, 3, 0, 8 } }, "1001:4#0 4" },
	{ { DATA(1, 4), { 1, 28, 3, 0, 0 } }, "1001:4#0 4" },

	/* padding: a discarded event's delta counts, delta 0 ends the page */
	{ { DATA(1, 4), PADDING(10, 12), DATA(2, 4) }, "1001:4#0 1013:4#2 0" },
	{ { DATA(1, 4), PADDING(1, 8) }, "1001:4#0 0" },
	{ { PADDING(1, 0), DATA(2, 4) }, "1003:4#1 0" },
	{ { DATA(1, 4), PAGE_ENDS, DATA(2, 4) }, "1001:4#0 0" },
	{ { DATA(1, 4), PAGE_ENDS }, "1001:4#0 0" },
	{ { { 2, 29, 1, 0, 0 }, DATA(1, 4) }, "3" },
	{ { { 2, 29, 1, 6, 8 }, DATA(1, 4) }, "3" },
	{ { { 2, 29, 1, 16, 8 } }, "4" }, /* 4 bytes too many */
	{ { { 2, 29, 1, 24, 8 } }, "4" },
	{ { { 2, 29, 1, 0xfffffffc, 8 } }, "4" },
	{ { { 1, 29, 1, 0, 0 } }, "4" },

	/* time extends: the second word counts 2^27 ns */
	{ { EXTEND(1, 5), DATA(2, 4) }, "134218735:4#1 0" },
	{ { EXTEND(0xffffffff, 0x7ffffff), DATA(2, 4) }, "576460752303424489:4#1 0" },
	{ { EXTEND(1, 0), EXTEND(1, 0), DATA(0, 4) }, "268436456:4#2 0" },
	{ { EXTEND(1, 0) }, "0" },
	{ { DATA(1, 4), { 1, 30, 5, 0, 0 } }, "1001:4#0 5" },
	{ { DATA(1, 4), { 1, 31, 5, 0, 0 } }, "1001:4#0 5" },

	/* absolute time stamps replace the time; earlier ones too while the upper bits are 0 */
	{ { STAMP(1, 5), DATA(2, 4) }, "134217735:4#1 0" },
	{ { STAMP(0, 900), DATA(2, 4) }, "902:4#1 0" },
};

START_TEST(entries)
{
	const struct walk_case *c = &walk_cases[_i / NR_LAYOUTS];
	struct rs_page_layout layout = page_layout(_i % NR_LAYOUTS);
	struct built_page p = page_build(&layout, 1000, c->entries, 0);

	ck_assert_str_eq(walk(&layout, p.bytes, p.len), c->records);
	free(p.bytes);
}
END_TEST

/* What lies behind the committed data is no entry, whatever it looks like. */
START_TEST(only_committed_data_is_read)
{
	struct rs_page_layout layout = page_layout(_i);
	struct built_page p = page_build(&layout, 1000, (struct entry[]){ DATA(1, 4), DATA(2, 8), { 0 } }, 0);

	page_put_long(&layout, p.bytes + 8, 8);
	ck_assert_str_eq(walk(&layout, p.bytes, p.len), "1001:4#0 0");
	page_put_long(&layout, p.bytes + 8, 0);
	ck_assert_str_eq(walk(&layout, p.bytes, p.len), "0");
	page_put_long(&layout, p.bytes + 8, 12); /* the second one's head */
	ck_assert_str_eq(walk(&layout, p.bytes, p.len), "1001:4#0 4");
	page_put_long(&layout, p.bytes + 8, 10);
	ck_assert_str_eq(walk(&layout, p.bytes, p.len), "1001:4#0 4");
	free(p.bytes);
}
END_TEST

/* The upper five bits of the time before are kept, one more where the lower 59 wrapped: rb_fix_abs_ts() */
START_TEST(absolute_stamps_keep_the_upper_bits)
{
	static const struct {
		uint64_t page_ns, stamp, expected;
	} cases[] = {
		{ 3ull << 59 | 1000, 2000, 3ull << 59 | 2000 },
		{ 3ull << 59 | 1000, 1000, 3ull << 59 | 1000 },
		{ 3ull << 59 | 1000, 999, 4ull << 59 | 999 },
		{ 7ull << 59 | 1000, 2000, 7ull << 59 | 2000 },
		{ (1ull << 59) - 1, 5, 5 },
	};
	struct rs_page_layout layout = page_layout(_i);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t upper = (uint32_t)(cases[i].stamp >> 27), lower = cases[i].stamp & 0x7ffffff;
		struct entry entries[] = { STAMP(upper, lower), DATA(0, 4), { 0 } };
		struct built_page p = page_build(&layout, cases[i].page_ns, entries, 0);
		char expected[64];

		snprintf(expected, sizeof expected, "%llu:4#1 0", (unsigned long long)cases[i].expected);
		ck_assert_str_eq(walk(&layout, p.bytes, p.len), expected);
		free(p.bytes);
	}
}
END_TEST

#define LAST (1ull << 62) /* RS_MAX_TIME_NS: what is later is in no page */

/* What is behind a time that no clock shows is not read; deltas are added without a check: they overflow nothing. */
static const struct {
	uint64_t page_ns;
	struct entry entries[4];
	const char *walked;
} late_cases[] = {
	{ LAST, { DATA(2, 4) }, "4611686018427387906:4#0 0" },
	{ LAST + 1, { DATA(2, 4) }, "6" },
	{ 1ull << 63, { DATA(2, 4) }, "6" },
	{ UINT64_MAX, { DATA(2, 4) }, "6" },
	{ LAST - (1ull << 27), { DATA(1, 4), EXTEND(1, 0), DATA(1, 4) }, "4611686018293170177:4#0 6" },
	{ LAST - (1ull << 27) - 1, { DATA(1, 4), EXTEND(1, 0), DATA(1, 4) }, "4611686018293170176:4#0 4611686018427387905:4#2 0" },
	{ 1000, { EXTEND(UINT32_MAX, 0x7ffffff), EXTEND(UINT32_MAX, 0x7ffffff), DATA(0, 4) }, "1152921504606847974:4#2 0" },
	{ 7ull << 59 | 1000, { EXTEND(UINT32_MAX, 0x7ffffff), DATA(0, 4) }, "6" },
	{ 7ull << 59 | 1000, { DATA(0, 4), STAMP(0, 1), DATA(0, 4) }, "4035225266123965416:4#0 6" },
};

START_TEST(later_than_any_clock)
{
	const size_t nr_cases = sizeof late_cases / sizeof *late_cases;
	struct rs_page_layout layout = page_layout(_i / (int)nr_cases);
	const struct entry *entries = late_cases[_i % (int)nr_cases].entries;
	struct built_page p = page_build(&layout, late_cases[_i % (int)nr_cases].page_ns, entries, 0);

	ck_assert_str_eq(walk(&layout, p.bytes, p.len), late_cases[_i % (int)nr_cases].walked);
	free(p.bytes);
}
END_TEST

/* ---- page headers ---- */

START_TEST(a_short_page_is_refused)
{
	struct rs_page_layout layout = page_layout(_i);
	struct rs_page_cursor c;

	for (size_t len = 0; len < layout.data_offset; len++) {
		uint8_t *bytes = calloc(1, len ? len : 1);

		ck_assert(!rs_page_load(&c, &layout, bytes, len));
		ck_assert_int_eq(c.fault, RS_PAGE_SHORT);
		ck_assert(!rs_page_next(&c));
		ck_assert_int_eq(c.fault, RS_PAGE_SHORT);
		free(bytes);
	}
}
END_TEST

/* One byte more than the page has; bits that no kernel sets; the largest size. */
START_TEST(a_commit_that_lies_is_refused)
{
	static const uint64_t lies[] = { 9, 12, 0xfffff, 8 | 1 << 20, 8 | 1 << 29, 0xffffffff, UINT64_MAX };
	struct rs_page_layout layout = page_layout(_i);
	struct built_page p = page_build(&layout, 1000, (struct entry[]){ DATA(1, 4), { 0 } }, 0);
	struct rs_page_cursor c;

	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		page_put_long(&layout, p.bytes + 8, lies[i]);
		ck_assert(!rs_page_load(&c, &layout, p.bytes, p.len));
		ck_assert_int_eq(c.fault, RS_PAGE_COMMIT);
		ck_assert(!rs_page_next(&c));
		ck_assert_int_eq(c.fault, RS_PAGE_COMMIT);
		ck_assert(!c.lost);
	}
	free(p.bytes);
}
END_TEST

/* A page may come in part: what was read must hold the committed data, no more. */
START_TEST(a_partly_read_page_needs_its_data_only)
{
	struct rs_page_layout layout = page_layout(_i);
	struct built_page p = page_build(&layout, 1000, (struct entry[]){ DATA(1, 4), DATA(1, 4), { 0 } }, 0);
	struct rs_page_cursor c;

	ck_assert(rs_page_load(&c, &layout, p.bytes, p.len));
	ck_assert(!rs_page_load(&c, &layout, p.bytes, p.len - 1));
	ck_assert_int_eq(c.fault, RS_PAGE_COMMIT);
	free(p.bytes);
}
END_TEST

/* 64 KiB sub-buffers: sizes above 16 bits. */
START_TEST(a_large_page_is_walked_whole)
{
	struct rs_page_layout layout = page_layout(_i);
	struct entry entries[] = { LONG(1, 40000), LONG(1, 65536 - 16 - 40008 - 8 - 8), DATA(1, 4), { 0 } };
	struct built_page p = page_build(&layout, 1000, entries, 0);

	ck_assert_str_eq(walk(&layout, p.bytes, p.len), "1001:40000#0 1002:25496#1 1003:4#2 0");
	free(p.bytes);
}
END_TEST

/* The count lies behind the data, as a long, where bit 30 says so and the page has room. */
static const struct lost_case {
	uint64_t flags, stored;
	int cut_bytes; /* of the page's end */
	bool lost, counted;
	uint64_t nr;
} lost_cases[] = {
	{ 0, 77, 0, false, false, 0 },
	{ STORED, 77, 0, false, false, 0 },
	{ MISSED, 77, 0, true, false, 0 },
	{ MISSED_64, 77, 0, true, false, 0 },
	{ MISSED | STORED, 77, 0, true, true, 77 },
	{ MISSED_64 + STORED, 77, 0, true, true, 77 },
	{ MISSED | STORED, 0x7fffffff, 0, true, true, 0x7fffffff },
	{ MISSED | STORED, 77, 1, true, false, 0 },
	{ MISSED | STORED, 77, 64, true, false, 0 }, /* all of it */
	{ MISSED | STORED, 0, 0, true, false, 0 },
	{ MISSED | STORED, UINT64_MAX, 0, true, false, 0 }, /* -1 */
};

START_TEST(lost_events)
{
	const struct lost_case *t = &lost_cases[_i / NR_LAYOUTS];
	struct rs_page_layout layout = page_layout(_i % NR_LAYOUTS);
	struct built_page p = page_build(&layout, 1000, (struct entry[]){ DATA(1, 4), { 0 } }, t->flags);
	size_t room = t->cut_bytes >= layout.long_bytes ? 0 : layout.long_bytes - (size_t)t->cut_bytes;
	uint8_t stored[8];
	struct rs_page_cursor c;

	page_put_long(&layout, stored, t->stored);
	p.bytes = realloc(p.bytes, p.len + room);
	ck_assert_ptr_nonnull(p.bytes);
	memcpy(p.bytes + p.len, stored, room);
	ck_assert(rs_page_load(&c, &layout, p.bytes, p.len + room));
	ck_assert_int_eq(c.lost, t->lost);
	ck_assert_int_eq(c.lost_counted, t->counted);
	ck_assert_uint_eq(c.nr_lost, t->nr);
	ck_assert_str_eq(walk(&layout, p.bytes, p.len + room), "1001:4#0 0");
	free(p.bytes);
}
END_TEST

START_TEST(every_fault_has_a_name)
{
	for (int i = 0; i < RS_PAGE_NR_FAULTS; i++)
		for (int j = 0; j < i; j++)
			ck_assert_str_ne(rs_page_fault_name(i), rs_page_fault_name(j));
	ck_assert_ptr_nonnull(rs_page_fault_name(RS_PAGE_NR_FAULTS));
	ck_assert_ptr_nonnull(rs_page_fault_name(-1));
}
END_TEST

Suite *rs_suite_page(void);
Suite *rs_suite_page(void)
{
	Suite *s = suite_create("page");
	TCase *t = tcase_create("walker");

	tcase_add_loop_test(t, header_page_texts, 0, sizeof layout_cases / sizeof *layout_cases);
	tcase_add_test(t, header_page_cut_off);
	tcase_add_loop_test(t, entries, 0, NR_LAYOUTS * sizeof walk_cases / sizeof *walk_cases);
	tcase_add_loop_test(t, only_committed_data_is_read, 0, NR_LAYOUTS);
	tcase_add_loop_test(t, absolute_stamps_keep_the_upper_bits, 0, NR_LAYOUTS);
	tcase_add_loop_test(t, later_than_any_clock, 0, NR_LAYOUTS * sizeof late_cases / sizeof *late_cases);
	tcase_add_loop_test(t, a_short_page_is_refused, 0, NR_LAYOUTS);
	tcase_add_loop_test(t, a_commit_that_lies_is_refused, 0, NR_LAYOUTS);
	tcase_add_loop_test(t, a_partly_read_page_needs_its_data_only, 0, NR_LAYOUTS);
	tcase_add_loop_test(t, a_large_page_is_walked_whole, 0, NR_LAYOUTS);
	tcase_add_loop_test(t, lost_events, 0, NR_LAYOUTS * sizeof lost_cases / sizeof *lost_cases);
	tcase_add_test(t, every_fault_has_a_name);
	suite_add_tcase(s, t);
	return s;
}
