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

#define RECORDINGS "tests/traces/*-v6.dat"
#define SLACK 64 /* behind a page given to kbuffer: it reads a head's second word and the lost count unasked */
#define LOW_59 ((1ull << 59) - 1)

/* ---- a v6 recording's pages, read straight from the file as trace-cmd.dat.v6(5) has it ---- */

struct recording {
	uint8_t *bytes;
	size_t len, at;
	bool big;
	struct rs_page_layout layout;
	size_t page_bytes;
	unsigned int nr_cpus;
};

static uint64_t number(struct recording *r, unsigned int bytes)
{
	uint64_t v = 0;

	ck_assert_uint_le(bytes, r->len - r->at);
	for (unsigned int i = 0; i < bytes; i++)
		v |= (uint64_t)r->bytes[r->at + i] << 8 * (r->big ? bytes - 1 - i : i);
	r->at += bytes;
	return v;
}

static const char *skip(struct recording *r, uint64_t bytes)
{
	const char *at = (const char *)r->bytes + r->at;

	ck_assert_uint_le(bytes, r->len - r->at);
	r->at += bytes;
	return at;
}

static void skip_string(struct recording *r)
{
	skip(r, strnlen((const char *)r->bytes + r->at, r->len - r->at) + 1);
}

static void skip_formats(struct recording *r)
{
	for (uint64_t n = number(r, 4); n; n--)
		skip(r, number(r, 8));
}

static void read_file(struct recording *r, const char *path)
{
	FILE *f = fopen(path, "rb");
	long len;

	ck_assert_msg(f && !fseek(f, 0, SEEK_END) && (len = ftell(f)) > 0 && !fseek(f, 0, SEEK_SET), "%s", path);
	*r = (struct recording){ .bytes = malloc((size_t)len), .len = (size_t)len };
	ck_assert(r->bytes && fread(r->bytes, 1, r->len, f) == r->len);
	fclose(f);
}

/* Leaves r->at at the table of the CPUs' offsets and sizes. */
static void open_recording(struct recording *r, const char *path)
{
	unsigned int file_long;
	const char *text;
	uint64_t len;

	read_file(r, path);
	ck_assert_mem_eq(skip(r, 12), "\027\010\104tracing6", 12);
	r->big = number(r, 1);
	file_long = (unsigned int)number(r, 1);
	r->page_bytes = number(r, 4);
	ck_assert_str_eq(skip(r, 12), "header_page");
	len = number(r, 8);
	text = skip(r, len);
	ck_assert_int_eq(rs_page_layout_parse(&r->layout, text, len, file_long, r->big), 0);
	ck_assert_str_eq(skip(r, 13), "header_event");
	skip(r, number(r, 8));
	skip_formats(r);
	for (uint64_t systems = number(r, 4); systems; systems--) {
		skip_string(r);
		skip_formats(r);
	}
	skip(r, number(r, 4)); /* kallsyms */
	skip(r, number(r, 4)); /* printk formats */
	skip(r, number(r, 8)); /* saved command lines */
	r->nr_cpus = (unsigned int)number(r, 4);
	ck_assert_str_eq(skip(r, 10), "options  ");
	while (number(r, 2))
		skip(r, number(r, 4));
	ck_assert_str_eq(skip(r, 10), "flyrecord");
}

/* Calls page for each page of each CPU; returns how many there were. */
static size_t each_page(struct recording *r, void (*page)(const struct rs_page_layout *l, const uint8_t *bytes, size_t len))
{
	size_t nr = 0;

	for (unsigned int cpu = 0; cpu < r->nr_cpus; cpu++) {
		uint64_t at = number(r, 8), left = number(r, 8);

		for (; left; left -= r->page_bytes, at += r->page_bytes, nr++) {
			ck_assert(left >= r->page_bytes && at + left <= r->len);
			page(&r->layout, r->bytes + at, r->page_bytes);
		}
	}
	return nr;
}

/* ---- the comparison ---- */

static uint64_t nr_records, nr_lost_pages, nr_sound, nr_faults[RS_PAGE_NR_FAULTS];

static struct kbuffer *new_kbuffer(const struct rs_page_layout *l)
{
	return kbuffer_alloc(l->long_bytes == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
			     l->big_endian ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);
}

/* A record as both see it; offset from the page's begin. */
static void same_record(const struct rs_page_cursor *c, const uint8_t *page, struct kbuffer *kb, const uint8_t *copy,
			const uint8_t *data, unsigned long long ts, uint64_t ts_mask)
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

	nr_records = nr_lost_pages = 0;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		uint64_t before = nr_records;
		struct recording r;

		open_recording(&r, g.gl_pathv[i]);
		ck_assert_uint_gt(each_page(&r, same_page), 0);
		ck_assert_msg(nr_records > before, "%s has no records", g.gl_pathv[i]);
		free(r.bytes);
	}
	ck_assert_uint_gt(nr_lost_pages, 0); /* the recording of 6.18 has one */
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
static void spoil(const struct rs_page_layout *l, const uint8_t *page, size_t len, unsigned int times, uint64_t *seed)
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
		DATA(1, 8), EXTEND(1, 5), DATA(2, 112), LONG(3, 200), PADDING(4, 16), DATA(5, 4), STAMP(7, 6), DATA(7, 20),
		LONG(8, 8), PADDING(9, 4), EXTEND(0, 10), STAMP(9, 11), DATA(12, 24), LONG(13, 400), DATA(14, 4), { 0 },
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

	spoil(l, bytes, len, 4, &seed);
}

START_TEST(spoilt_recordings)
{
	glob_t g = find_recordings();

	forget_counts();
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct recording r;

		open_recording(&r, g.gl_pathv[i]);
		each_page(&r, spoil_page_of_recording);
		free(r.bytes);
	}
	ck_assert_uint_gt(nr_sound, 100);
	globfree(&g);
}
END_TEST

/* The fuzzer's saved inputs: see tests/fuzz/fuzz-page.c */
START_TEST(fuzz_corpus)
{
	glob_t g;

	ck_assert_msg(glob("tests/fuzz/corpus-page/*", 0, NULL, &g) == 0, "no corpus: run from the top of the tree");
	forget_counts();
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct recording r;
		struct rs_page_layout l;
		uint8_t *page;

		read_file(&r, g.gl_pathv[i]);
		l = page_layout(r.bytes[0] % NR_LAYOUTS);
		page = malloc(r.len > 1 ? r.len - 1 : 1);
		ck_assert_ptr_nonnull(page);
		memcpy(page, r.bytes + 1, r.len - 1);
		if (r.bytes[0] & 4)
			rs_page_layout_parse(&l, (const char *)page, r.len - 1, 8, false);
		else
			same_as_far_as_sound(&l, page, r.len - 1);
		free(page);
		free(r.bytes);
	}
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
	static const struct entry bad[] = { { 2, 0, 0, 0, 0 }, { 2, 0, 0, 1 << 20, 0 }, { 2, 29, 1, 2, 0 }, { 2, 29, 1, 1 << 20, 0 } };
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
static void first_record(struct entry *entries, uint64_t page_ns, uint64_t flags, uint64_t *ours, uint64_t *theirs, int *missed)
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

/* It puts an absolute stamp after a wrap of the lower 59 bits 18 years back; the kernel's own reader adds the carry. */
START_TEST(kbuffer_differs_after_a_wrap)
{
	uint64_t ours, theirs;
	int missed;

	first_record((struct entry[]){ STAMP(0, 5), DATA(0, 4), { 0 } }, (1ull << 59) | 1000, 0, &ours, &theirs, &missed);
	ck_assert_uint_eq(ours, (2ull << 59) | 5);
	ck_assert_uint_eq(theirs, (1ull << 59) | 5);
}
END_TEST

/* It takes lost events for the first entry's, so a page that begins with a time stamp hides them. */
START_TEST(kbuffer_differs_on_loss_before_a_time_stamp)
{
	uint64_t ours, theirs;
	int missed;

	first_record((struct entry[]){ DATA(0, 4), { 0 } }, 1000, 1ull << 31, &ours, &theirs, &missed);
	ck_assert_int_eq(missed, -1);
	first_record((struct entry[]){ EXTEND(0, 5), DATA(0, 4), { 0 } }, 1000, 1ull << 31, &ours, &theirs, &missed);
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
