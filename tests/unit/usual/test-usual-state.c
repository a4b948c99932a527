// SPDX-License-Identifier: GPL-2.0-or-later
/* test-usual-state - what was learned, as bytes and back; what is damaged teaches nothing */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "usual/usual-sources.h"
#include "usual/usual-parts.h"
#include "usual/usual-state.h"

#define NR(rows) ((int)(sizeof rows / sizeof *rows))

/* A learner with so many blocks and series, all of them whole. */
static struct rs_usual *state_usual(unsigned int nr_blocks, unsigned int nr_series)
{
	struct rs_error err = { 0 };
	struct rs_usual *u = rs_usual_new(&err);

	for (unsigned int i = 0; i < nr_series; i++) {
		char key[24];

		snprintf(key, sizeof key, "task%u", i);
		ck_assert_ptr_nonnull(rs_usual_add_series(u, i % 6, key, strlen(key) + 1));
		u->series[i]->cost_ns = i;
	}
	for (unsigned int b = 0; b < nr_blocks; b++) {
		unsigned int place = rs_block_ring_add(&u->blocks, 1000 + b);

		for (unsigned int i = 0; i < nr_series; i++)
			for (unsigned int m = 0; m < RS_SERIES_NR_MEASURES; m++)
				u->series[i]->blocks[place][m] = (uint16_t)((b * 31 + i * 7 + m) % RS_SERIES_STEPS);
	}
	return u;
}

static const struct { unsigned int nr_blocks, nr_series; } whole_rows[] = {
	{ 0, 0 }, { 3, 1 }, { 7, 12 }, { RS_BLOCK_RING_MOST + 5, 20 }, { RS_BLOCK_RING_MOST, RS_USUAL_SERIES },
};

START_TEST(there_and_back)
{
	struct rs_usual *u = state_usual(whole_rows[_i].nr_blocks, whole_rows[_i].nr_series),
			*other = state_usual(1, 2);
	struct rs_buf bytes = RS_BUF_INIT;
	struct rs_error err = { 0 };
	uint64_t generation;
	size_t nr_bytes;

	rs_usual_state_put(u, 42, &bytes);
	ck_assert_uint_le(bytes.len, RS_USUAL_STATE_MOST);
	ck_assert(rs_usual_state_header(bytes.data, RS_USUAL_STATE_HEADER, &nr_bytes, &generation));
	ck_assert_uint_eq(nr_bytes, bytes.len);
	ck_assert_uint_eq(generation, 42);
	ck_assert_int_eq(rs_usual_state_get(other, bytes.data, bytes.len, &err), 0);
	ck_assert_uint_eq(other->nr_series, u->nr_series);
	ck_assert_mem_eq(&other->blocks, &u->blocks, sizeof u->blocks);
	for (size_t i = 0; i < u->nr_series; i++) {
		ck_assert_uint_eq(other->series[i]->source, u->series[i]->source);
		ck_assert_uint_eq(other->series[i]->cost_ns, u->series[i]->cost_ns);
		ck_assert_str_eq(other->series[i]->key, u->series[i]->key);
		ck_assert_mem_eq(other->series[i]->blocks, u->series[i]->blocks,
				 u->blocks.nr * sizeof *u->series[i]->blocks);
	}
	rs_buf_done(&bytes);
	rs_usual_free(u);
	rs_usual_free(other);
}
END_TEST

/* ---- damage: with a checksum that is right all the same ---- */

static void state_seal(struct rs_buf *b)
{
	uint64_t sum = UINT64_C(14695981039346656037);

	for (size_t i = RS_USUAL_STATE_HEADER; i < b->len; i++)
		sum = (sum ^ (unsigned char)b->data[i]) * UINT64_C(1099511628211);
	for (unsigned int i = 0; i < 8; i++)
		b->data[RS_USUAL_STATE_HEADER - 8 + i] = (char)(sum >> 8 * i);
}

enum { BLOCKS = RS_USUAL_STATE_HEADER, SERIES = BLOCKS + 8 + 3 * 4, VIEW = SERIES + 4, KEY_BYTES = VIEW + 16,
       KEY = KEY_BYTES + 4, STEPS = KEY + RS_SERIES_KEY + 8 };

static const struct {
	size_t at, len;              /* the bytes there become .to; len 0: the end is cut off there */
	const char *to;
	bool sealed;                 /* and the checksum fits */
	bool is_good;
} damaged_rows[] = {
	{ 0, 0, NULL },                          /* nothing at all */
	{ 20, 0, NULL },
	{ RS_USUAL_STATE_HEADER, 0, NULL },
	{ STEPS, 0, NULL, true },
	{ 0, 1, "x", true },                     /* of another program */
	{ 8, 1, "\2", true },                    /* of another version */
	{ 12, 1, "\0", true },                   /* it says that it is shorter */
	{ KEY, 1, "x" },                         /* a bit fell over */
	{ KEY, 1, "x", true, true },             /* which is what the last row tells apart */
	{ BLOCKS, 2, "\xff\xff", true },         /* more blocks than there can be */
	{ BLOCKS + 4, 2, "\xff\xff", true },     /* the next one beyond them */
	{ BLOCKS + 4, 1, "\1", true },
	{ SERIES, 4, "\xff\xff\xff\xff", true },
	{ SERIES, 1, "\0", true },               /* bytes behind the last */
	{ VIEW, 16, "xxxxxxxxxxxxxxxx", true },  /* without an end */
	{ VIEW, 1, "x", true, true },            /* a view that is not known is left out */
	{ KEY_BYTES, 1, "\0", true },
	{ KEY_BYTES, 1, "\x60", true },
	{ KEY_BYTES, 1, "\3", true },            /* without an end */
	{ STEPS, 2, "\xff\xff", true },
};

START_TEST(damaged)
{
	struct rs_usual *u = state_usual(3, 1), *other = state_usual(2, 2);
	struct rs_buf bytes = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_usual_stats stats;

	rs_usual_state_put(u, 1, &bytes);
	if (damaged_rows[_i].len)
		memcpy(bytes.data + damaged_rows[_i].at, damaged_rows[_i].to, damaged_rows[_i].len);
	else
		bytes.len = damaged_rows[_i].at;
	if (damaged_rows[_i].sealed)
		state_seal(&bytes);
	ck_assert_int_eq(rs_usual_state_get(other, bytes.data, bytes.len, &err),
			 damaged_rows[_i].is_good ? 0 : -1);
	rs_usual_stats(other, &stats);
	ck_assert_uint_eq(stats.learned_s, damaged_rows[_i].is_good ? 1800 : 0);
	rs_buf_done(&bytes);
	rs_usual_free(u);
	rs_usual_free(other);
}
END_TEST

Suite *rs_suite_usual_state(void)
{
	Suite *s = suite_create("usual-state");
	TCase *tc = tcase_create("usual-state");

	tcase_add_loop_test(tc, there_and_back, 0, NR(whole_rows));
	tcase_add_loop_test(tc, damaged, 0, NR(damaged_rows));
	suite_add_tcase(s, tc);
	return s;
}
