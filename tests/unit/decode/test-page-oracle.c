// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-page-oracle.c - the page walker against libtraceevent's kbuffer, on recordings and on spoilt pages
 *
 * kbuffer trusts its pages, so it is asked only as far as the walker found the
 * page sound: it does not know how long a page is, takes 27 bits of commit for
 * the size, and follows any length that an entry says (as an int: beyond 2^31
 * backwards, and for ever). Where it differs on sound pages, kbuffer_differs says why.
 */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/kbuffer.h>

#include "decode/page.h"
#include "page-builder.h"
#include "recording/recording.h"
#include "source/source.h"

#define RECORDINGS "tests/traces/*.dat"
#define SLACK 64 /* behind a page given to kbuffer: it reads a second word and a lost count unasked */
#define LOW_59 ((1ull << 59) - 1)

/* ---- pages of recordings ---- */

typedef void page_fn(const struct rs_page_layout *l, const uint8_t *bytes, size_t len);

static struct rs_page_layout layout_of(const struct rs_trace_info *info)
{
	struct rs_page_layout l;

	ck_assert_int_eq(rs_page_layout_parse(&l, info->header_page.data, info->header_page.len,
					      info->long_bytes, info->big_endian), 0);
	return l;
}

/* Calls fn for each page of each CPU; returns how many there were. */
static size_t each_page(const char *path, page_fn *fn)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_tracedat_open(path, NULL, &err);
	struct rs_page page;
	size_t nr = 0;

	ck_assert_msg(s != NULL, "%s", err.text);
	for (unsigned int cpu = 0; cpu < s->info.nr_cpus; cpu++)
		for (; s->ops->next(s, cpu, &page, &err) == RS_NEXT_PAGE; nr++) {
			struct rs_page_layout l = layout_of(&s->info);

			fn(&l, page.data, page.len_bytes);
		}
	ck_assert_msg(err.status == RS_OK, "%s", err.text);
	s->ops->close(s);
	return nr;
}

/* ---- the comparison ---- */

static uint64_t nr_records, nr_lost_pages, nr_counted_pages, nr_sound, nr_faults[RS_PAGE_NR_FAULTS];

static struct kbuffer *new_kbuffer(const struct rs_page_layout *l)
{
	return kbuffer_alloc(l->long_bytes == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
			     l->big_endian ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);
}

/* A record as both see it; offset from the page's begin. */
static void same_record(const struct rs_page_cursor *c, const uint8_t *page, struct kbuffer *kb,
			const uint8_t *copy, const uint8_t *data, unsigned long long ts, uint64_t ts_mask)
{
	ck_assert_uint_eq(c->ts_ns & ts_mask, ts & ts_mask);
	ck_assert_int_eq(c->record - page, data - copy);
	ck_assert_int_eq(c->len_bytes, kbuffer_event_size(kb));
}

static void same_loss(const struct rs_page_cursor *c, struct kbuffer *kb)
{
	int missed = kbuffer_missed_events(kb);

	ck_assert_int_eq(c->lost, missed != 0);
	ck_assert_int_eq(c->lost_counted, missed > 0);
	if (missed > 0)
		ck_assert_uint_eq(c->nr_lost, (uint64_t)missed);
	nr_lost_pages += c->lost;
	nr_counted_pages += c->lost_counted;
}

/* All of a page of a recording: each record, and the end after the same one. */
static void same_page(const struct rs_page_layout *l, const uint8_t *bytes, size_t len)
{
	struct kbuffer *kb = new_kbuffer(l);
	struct rs_page_cursor c;
	unsigned long long ts;
	uint8_t *data;

	ck_assert(rs_page_load(&c, l, bytes, len));
	ck_assert_int_eq(kbuffer_load_subbuffer(kb, (void *)bytes), 0);
	same_loss(&c, kb);
	for (data = kbuffer_read_event(kb, &ts); data; data = kbuffer_next_event(kb, &ts), nr_records++) {
		ck_assert(rs_page_next(&c));
		same_record(&c, bytes, kb, bytes, data, ts, UINT64_MAX);
	}
	ck_assert(!rs_page_next(&c));
	ck_assert_int_eq(c.fault, RS_PAGE_OK);
	kbuffer_free(kb);
}

static glob_t find_recordings(void)
{
	glob_t g;

	ck_assert_msg(glob(RECORDINGS, 0, NULL, &g) == 0, "no " RECORDINGS ": run from the top of the tree");
	return g;
}

START_TEST(recordings_equal_kbuffer)
{
	glob_t g = find_recordings();

	nr_records = nr_lost_pages = nr_counted_pages = 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		uint64_t before = nr_records;

		ck_assert_uint_gt(each_page(g.gl_pathv[i], same_page), 0);
		ck_assert_msg(nr_records > before, "%s has no records", g.gl_pathv[i]);
	}
	ck_assert_uint_gt(nr_counted_pages, 0);
	ck_assert_uint_gt(nr_lost_pages, nr_counted_pages); /* some pages had no room for the count */
	globfree(&g);
}
END_TEST

/*
 * A spoilt page in a block of just its size: ASan sees any byte too many. What
 * the walker delivered kbuffer must deliver too; where the walker came to the
 * end, kbuffer must come to it too. Times are compared without their upper five
 * bits: kbuffer does not handle their wrap (see kbuffer_differs).
 */
static void same_as_far_as_sound(const struct rs_page_layout *l, const uint8_t *bytes, size_t len)
{
	uint8_t *copy = calloc(1, len + SLACK), *data = NULL;
	const uint8_t *last = bytes;
	struct kbuffer *kb = new_kbuffer(l);
	struct rs_page_cursor c;
	unsigned long long ts;
	bool first = true;

	ck_assert(copy && kb);
	memcpy(copy, bytes, len);
	if (rs_page_load(&c, l, bytes, len)) {
		kbuffer_load_subbuffer(kb, copy);
		for (; rs_page_next(&c); first = false, last = c.record + c.len_bytes) {
			ck_assert(c.record > last && c.len_bytes && c.record + c.len_bytes <= bytes + len);
			data = first ? kbuffer_read_event(kb, &ts) : kbuffer_next_event(kb, &ts);
			ck_assert_ptr_nonnull(data);
			same_record(&c, bytes, kb, copy, data, ts, LOW_59);
		}
		if (c.fault == RS_PAGE_OK && c.at == c.end) {
			ck_assert_ptr_null(first ? kbuffer_read_event(kb, &ts) : kbuffer_next_event(kb, &ts));
			nr_sound++;
		}
	}
	ck_assert(c.at <= c.end && c.end <= bytes + len);
	ck_assert_int_lt(c.fault, RS_PAGE_NR_FAULTS);
	nr_faults[c.fault]++;
	kbuffer_free(kb);
	free(copy);
}

/* Pages that are all noise would only ever meet the first check, so most of it is sound. */
static void spoil(const struct rs_page_layout *l, const uint8_t *page, size_t len, unsigned int times,
		  uint64_t *seed)
{
	for (unsigned int i = 0; i < times; i++) {
		size_t cut = page_random(seed) % 4 ? len : page_random(seed) % (len + 1);
		uint8_t *bytes = malloc(cut ? cut : 1);

		ck_assert_ptr_nonnull(bytes);
		memcpy(bytes, page, cut);
		for (uint32_t n = page_random(seed) % 5; n; n--)
			page_mutate(l, bytes, cut, seed);
		same_as_far_as_sound(l, bytes, cut);
		free(bytes);
	}
}

static void every_fault_was_met(void)
{
	ck_assert_uint_gt(nr_sound, 1000);
	for (int f = 0; f < RS_PAGE_NR_FAULTS; f++)
		ck_assert_msg(nr_faults[f] > 10, "%s: met %lu times", rs_page_fault_name(f), nr_faults[f]);
}

static void forget_counts(void)
{
	nr_sound = 0;
	memset(nr_faults, 0, sizeof nr_faults);
}

START_TEST(spoilt_pages)
{
	static const struct entry entries[] = {
		DATA(1, 8), EXTEND(1, 5), DATA(2, 112), LONG(3, 200), PADDING(4, 16), DATA(5, 4), STAMP(7, 6),
		DATA(7, 20), LONG(8, 8), PADDING(9, 4), EXTEND(0, 10), STAMP(9, 11), DATA(12, 24),
		LONG(13, 400), DATA(14, 4), { 0 },
	};
	struct rs_page_layout l = page_layout(_i);
	struct built_page p = page_build(&l, 1ull << 40, entries, 0);
	uint64_t seed = 20240229 + (uint64_t)_i;

	forget_counts();
	spoil(&l, p.bytes, p.len, 8000, &seed);
	every_fault_was_met();
	free(p.bytes);
}
END_TEST

static void spoil_page_of_recording(const struct rs_page_layout *l, const uint8_t *bytes, size_t len)
{
	static uint64_t seed = 5;

	spoil(l, bytes, len, 2, &seed);
}

START_TEST(spoilt_recordings)
{
	glob_t g = find_recordings();

	forget_counts();
	for (size_t i = 0; i < g.gl_pathc; i++)
		each_page(g.gl_pathv[i], spoil_page_of_recording);
	ck_assert_uint_gt(nr_sound, 100);
	globfree(&g);
}
END_TEST

/* One of the fuzzer's saved inputs: see tests/fuzz/fuzz-page.c */
static void replay(const char *path)
{
	static uint8_t input[65536];
	FILE *f = fopen(path, "rb");
	struct rs_page_layout l;
	uint8_t *page;
	size_t len;

	ck_assert_msg(f != NULL, "%s", path);
	len = fread(input, 1, sizeof input, f);
	fclose(f);
	ck_assert_msg(len > 0 && len < sizeof input, "%s: %zu bytes", path, len);
	page = malloc(len > 1 ? len - 1 : 1);
	ck_assert_ptr_nonnull(page);
	memcpy(page, input + 1, len - 1);
	l = page_layout(input[0] % NR_LAYOUTS);
	if (input[0] & 4)
		rs_page_layout_parse(&l, (const char *)page, len - 1, 8, false);
	else
		same_as_far_as_sound(&l, page, len - 1);
	free(page);
}

START_TEST(fuzz_corpus)
{
	glob_t g;

	ck_assert_msg(glob("tests/fuzz/corpus-page/*", 0, NULL, &g) == 0, "no corpus here");
	forget_counts();
	for (size_t i = 0; i < g.gl_pathc; i++)
		replay(g.gl_pathv[i]);
	for (int f = 0; f < RS_PAGE_NR_FAULTS; f++)
		ck_assert_msg(nr_faults[f], "%s: in no saved input", rs_page_fault_name(f));
	globfree(&g);
}
END_TEST

/* Noise behind a sound header. */
START_TEST(random_pages)
{
	struct rs_page_layout l = page_layout(_i);
	uint64_t seed = 99 + (uint64_t)_i;

	forget_counts();
	for (int i = 0; i < 8000; i++) {
		size_t len = l.data_offset + page_random(&seed) % 256;
		uint8_t *bytes = malloc(len);

		ck_assert_ptr_nonnull(bytes);
		for (size_t b = 0; b < len; b++)
			bytes[b] = (uint8_t)page_random(&seed);
		page_put_long(&l, bytes + l.commit_offset, len - l.data_offset);
		same_as_far_as_sound(&l, bytes, len);
		free(bytes);
	}
	ck_assert_uint_gt(nr_faults[RS_PAGE_RECORD_CUT], 1000);
	ck_assert_uint_gt(nr_faults[RS_PAGE_RECORD_LENGTH], 100);
}
END_TEST

/* A fault at the k-th entry costs that entry and what follows, never what came before. */
START_TEST(records_before_a_fault_are_delivered)
{
	enum { NR = 20 };
	static const struct entry bad[] = {
		{ 2, 0, 0, 0, 0 }, { 2, 0, 0, 1 << 20, 0 }, { 2, 29, 1, 2, 0 }, { 2, 29, 1, 1 << 20, 0 },
	};
	struct rs_page_layout l = page_layout(_i);

	for (int k = 0; k < NR; k++)
		for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
			struct entry entries[NR + 1] = { { 0 } };
			struct built_page p;
			struct rs_page_cursor c;
			int nr = 0;

			for (int i = 0; i < NR; i++)
				entries[i] = i == k ? bad[b] : (struct entry)DATA(1, 8);
			p = page_build(&l, 0, entries, 0);
			ck_assert(rs_page_load(&c, &l, p.bytes, p.len));
			while (rs_page_next(&c))
				ck_assert_uint_eq(page_get_u32(&l, c.record), (uint32_t)nr++);
			ck_assert_int_eq(nr, k);
			ck_assert_int_ne(c.fault, RS_PAGE_OK);
			ck_assert_int_eq(c.at - p.bytes, l.data_offset + 12 * k); /* where it is */
			free(p.bytes);
		}
}
END_TEST

/* ---- where kbuffer is wrong on pages that can be ---- */

/* The first record as both see it: time and, from kbuffer, the loss. */
static void first_record(const struct entry *entries, uint64_t page_ns, uint64_t flags, uint64_t *ours,
			 uint64_t *theirs, int *missed)
{
	struct rs_page_layout l = page_layout(0);
	struct built_page p = page_build(&l, page_ns, entries, flags);
	struct kbuffer *kb = new_kbuffer(&l);
	struct rs_page_cursor c;
	unsigned long long ts = 0;

	p.bytes = realloc(p.bytes, p.len + SLACK);
	ck_assert_ptr_nonnull(p.bytes);
	memset(p.bytes + p.len, 0, SLACK);
	ck_assert(rs_page_load(&c, &l, p.bytes, p.len));
	kbuffer_load_subbuffer(kb, p.bytes);
	*missed = kbuffer_missed_events(kb);
	ck_assert(rs_page_next(&c));
	ck_assert_ptr_nonnull(kbuffer_read_event(kb, &ts));
	*ours = c.ts_ns;
	*theirs = ts;
	ck_assert_int_eq(c.lost, flags != 0);
	kbuffer_free(kb);
	free(p.bytes);
}

/* It puts an absolute stamp after a wrap of the lower 59 bits 18 years back; the kernel adds the carry. */
START_TEST(kbuffer_differs_after_a_wrap)
{
	static const struct entry wrapped[] = { STAMP(0, 5), DATA(0, 4), { 0 } };
	uint64_t ours, theirs;
	int missed;

	first_record(wrapped, (1ull << 59) | 1000, 0, &ours, &theirs, &missed);
	ck_assert_uint_eq(ours, (2ull << 59) | 5);
	ck_assert_uint_eq(theirs, (1ull << 59) | 5);
}
END_TEST

/* It takes lost events for the first entry's, so a page that begins with a time stamp hides them. */
START_TEST(kbuffer_differs_on_loss_before_a_time_stamp)
{
	static const struct entry at_once[] = { DATA(0, 4), { 0 } };
	static const struct entry behind_a_stamp[] = { EXTEND(0, 5), DATA(0, 4), { 0 } };
	uint64_t ours, theirs;
	int missed;

	first_record(at_once, 1000, 1ull << 31, &ours, &theirs, &missed);
	ck_assert_int_eq(missed, -1);
	first_record(behind_a_stamp, 1000, 1ull << 31, &ours, &theirs, &missed);
	ck_assert_int_eq(missed, 0);
	ck_assert_uint_eq(ours, theirs);
}
END_TEST

/*
 * Padding of delta 0 ends a page and has no length (rb_null_event). kbuffer
 * takes what stands behind it for one, and then what is left of an older lap
 * for records.
 */
START_TEST(kbuffer_differs_at_the_page_end_mark)
{
	struct entry entries[] = { DATA(1, 4), { 2, 29, 0, 4, 0 }, DATA(2, 4), { 0 } };
	struct rs_page_layout l = page_layout(0);
	struct built_page p = page_build(&l, 1000, entries, 0);
	struct kbuffer *kb = new_kbuffer(&l);
	struct rs_page_cursor c;

	ck_assert(rs_page_load(&c, &l, p.bytes, p.len));
	kbuffer_load_subbuffer(kb, p.bytes);
	ck_assert(rs_page_next(&c));
	ck_assert(!rs_page_next(&c));
	ck_assert_int_eq(c.fault, RS_PAGE_OK);
	ck_assert_ptr_nonnull(kbuffer_next_event(kb, NULL));
	kbuffer_free(kb);
	free(p.bytes);
}
END_TEST

Suite *rs_suite_page_oracle(void);
Suite *rs_suite_page_oracle(void)
{
	Suite *s = suite_create("page-oracle");
	TCase *t = tcase_create("kbuffer");

	tcase_set_timeout(t, 120); /* under valgrind */
	tcase_add_test(t, recordings_equal_kbuffer);
	tcase_add_loop_test(t, spoilt_pages, 0, NR_LAYOUTS);
	tcase_add_test(t, spoilt_recordings);
	tcase_add_test(t, fuzz_corpus);
	tcase_add_loop_test(t, random_pages, 0, NR_LAYOUTS);
	tcase_add_loop_test(t, records_before_a_fault_are_delivered, 0, NR_LAYOUTS);
	tcase_add_test(t, kbuffer_differs_after_a_wrap);
	tcase_add_test(t, kbuffer_differs_on_loss_before_a_time_stamp);
	tcase_add_test(t, kbuffer_differs_at_the_page_end_mark);
	suite_add_tcase(s, t);
	return s;
}
