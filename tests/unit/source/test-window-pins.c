// SPDX-License-Identifier: GPL-2.0-or-later
/* test-window-pins - pages that stay in a window while others go: how many, for whom, and what is read of them */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "source/window-parts.h"

#define NR_CPUS 3
#define PAGE_BYTES 4096
#define LEN 4000
#define RECORD(levels) (40 + 8 * (levels) + LEN)
/* Eight records: the first of a whole page, the others of LEN; not nine. Half: 16800, four of LEN. */
#define WINDOW_BYTES (8 * 4200)

static struct rs_source of = {
	.info = { .nr_cpus = NR_CPUS, .page_bytes = PAGE_BYTES, .long_bytes = 8, .kernel = "k" },
};
static struct rs_window *w;
static uint8_t bytes[PAGE_BYTES];

static void set_up_with(size_t size_bytes)
{
	struct rs_error err = { 0 };

	w = rs_window_new(&of.info, size_bytes, 0, &err);
	ck_assert_msg(w != NULL, "%s", err.text);
}

static void set_up(void)
{
	set_up_with(WINDOW_BYTES);
}

static void tear_down(void)
{
	rs_window_free(w);
}

static void add(unsigned int cpu, uint64_t ts_ns, uint8_t mark, size_t len_bytes)
{
	memset(bytes, mark, sizeof bytes);
	memcpy(bytes, &ts_ns, sizeof ts_ns);
	ck_assert(rs_window_add(w, cpu, &(struct rs_page){ .data = bytes, .len_bytes = len_bytes }));
}

/* a at 100 to h at 170, all of CPU 0: the window is full. */
static void add_a_to_h(void)
{
	for (unsigned int i = 0; i < 8; i++)
		add(0, 100 + 10 * i, (uint8_t)('a' + i), i ? LEN : PAGE_BYTES);
	ck_assert_uint_eq(w->stats.nr_evicted, 0);
}

/* nr more, from 180 on: their marks are digits, over and over. */
static void add_more(unsigned int nr)
{
	static unsigned int before;

	for (unsigned int i = 0; i < nr; i++)
		add(0, w->latest_ns + 10, (uint8_t)('0' + before++ % 10), LEN);
}

static struct rs_window_pin pin(uint32_t client, uint32_t uid, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_window_pin p = { client, uid, from_ns, to_ns, 0 };
	struct rs_error err = { 0 };

	ck_assert_msg(rs_window_pins_set(w, &p, &err) == 0, "%s", err.text);
	return p;
}

/* The marks of CPU 0's pages of a range, a '!' before one after a loss. */
static const char *read_range(uint64_t from_ns, uint64_t to_ns)
{
	static char text[256];
	struct rs_error err = { 0 };
	struct rs_source *s = rs_window_open(w, &of, from_ns, to_ns, RS_WINDOW_LOSS_IS_GAP, &err);
	struct rs_page page;
	uint32_t commit;
	size_t len = 0;

	ck_assert_ptr_nonnull(s);
	while (s->ops->next(s, 0, &page, &err) == RS_NEXT_PAGE && len < sizeof text - 2) {
		uint8_t mark = page.data[page.len_bytes - 1];

		memcpy(&commit, page.data + 8, sizeof commit);
		if (commit != mark * 0x01010101u)
			text[len++] = '!';
		text[len++] = (char)mark;
	}
	text[len] = '\0';
	s->ops->close(s);
	return text;
}

static uint64_t left_of(uint64_t from_ns, uint64_t to_ns)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_window_open(w, &of, from_ns, to_ns, RS_WINDOW_LOSS_IS_GAP, &err);
	uint64_t left = s->ops->left(s, 0);

	s->ops->close(s);
	return left;
}

START_TEST(pinned_pages_stay_while_others_go)
{
	struct rs_window_pin p;

	add_a_to_h();
	p = pin(1, 0, 125, 135); /* events of 125 are in c, of 135 in d */
	ck_assert_uint_eq(p.from_ns, 125);
	ck_assert_uint_eq(p.to_ns, 135);
	ck_assert_uint_eq(p.bytes, RECORD(1) + RECORD(2)); /* c is the third of its CPU, d the fourth */
	ck_assert_str_eq(read_range(125, 136), "cde"); /* e tells that 135 is past */
	for (unsigned int i = 0; i < 100; i++) {
		add_more(1);
		ck_assert_uint_ge(w->stats.nr_added - w->stats.nr_evicted, 7);
		ck_assert_uint_le(w->stats.nr_added - w->stats.nr_evicted, 8);
		/* without a mark of loss, and without a page from after it: that is not of this range */
		ck_assert_str_eq(read_range(125, 136), i < 2 ? "cde" : "cd");
	}
	ck_assert_uint_eq(left_of(125, 136), 2);
	ck_assert_uint_eq(strlen(read_range(w->latest_ns - 30, UINT64_MAX)), 5); /* the page before, and four */
	ck_assert(w->stats.whole_after_ns >= w->latest_ns - 50); /* of what is not pinned */
}
END_TEST

START_TEST(what_was_pinned_goes_with_its_pin)
{
	struct rs_window_pin p;

	add_a_to_h();
	pin(1, 0, 125, 135);
	add_more(20);
	ck_assert_str_eq(read_range(125, 136), "cd");
	rs_window_pins_clear(w, 2); /* has none */
	ck_assert(rs_window_pins_find(w, 1, &p));
	rs_window_pins_clear(w, 1);
	ck_assert(!rs_window_pins_find(w, 1, &p));
	ck_assert_uint_eq(rs_window_find(w, 0, 136), 0); /* the first page now is much later */
	add_more(20);
	ck_assert_uint_ge(w->stats.nr_added - w->stats.nr_evicted, 7);
	for (unsigned int i = 0; i < RS_WINDOW_LEVELS; i++)
		ck_assert_uint_eq(w->cpus[0].held[i], 0);
}
END_TEST

/* A pin that ended before the window came to it leaves no trace. */
START_TEST(a_pin_that_ends_at_once)
{
	add_a_to_h();
	pin(1, 0, 125, 135);
	rs_window_pins_clear(w, 1);
	add_more(4);
	ck_assert_uint_eq(w->stats.nr_evicted, 4);
	ck_assert_uint_eq(rs_window_find(w, 0, 139), 0);
}
END_TEST

START_TEST(at_most_half_is_pinned)
{
	struct rs_window_pin p;
	struct rs_error err = { 0 };

	add_a_to_h();
	p = pin(1, 0, 0, 179);
	/* e to h: f and g are the sixth and seventh, h the eighth. An event of 140 may be the last in d. */
	ck_assert_uint_eq(p.from_ns, 141);
	ck_assert_uint_eq(p.bytes, 3 * RECORD(1) + RECORD(2));
	add_more(50);
	ck_assert_str_eq(read_range(141, 180), "efgh");
	ck_assert_uint_ge(w->stats.nr_added - w->stats.nr_evicted, 4 + 3);
	p = (struct rs_window_pin){ 1, 0, 100, 120, 0 }; /* gone */
	ck_assert_int_eq(rs_window_pins_set(w, &p, &err), -1);
	ck_assert(!rs_window_pins_find(w, 1, &p));
}
END_TEST

/* Whose window is too small for a page between two pins has none. */
START_TEST(a_window_of_four_pages_pins_nothing)
{
	struct rs_window_pin p = { 1, 0, 100, 110, 0 };
	struct rs_error err = { 0 };

	tear_down();
	set_up_with(4 * (4096 + 104));
	add(0, 100, 'a', LEN);
	ck_assert_int_eq(rs_window_pins_set(w, &p, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "too small"));
	ck_assert_uint_eq(w->nr_pins, 0);
}
END_TEST

START_TEST(users_get_equal_parts)
{
	struct rs_window_pin p;

	add_a_to_h();
	ck_assert_uint_eq(pin(1, 1000, 0, 179).from_ns, 141); /* e to h: all that there is for pins */
	p = pin(2, 1001, 145, 165); /* asks for e to g, a half of a half is two pages: f and g */
	ck_assert_uint_eq(p.from_ns, 151);
	ck_assert_uint_eq(p.bytes, 2 * RECORD(1));
	ck_assert(rs_window_pins_find(w, 1, &p));
	ck_assert_uint_eq(p.from_ns, 161); /* g and h */
	ck_assert_uint_eq(p.to_ns, 179);
	add_more(50);
	ck_assert_str_eq(read_range(151, 166), "fgh"); /* h is the other's */
	ck_assert_str_eq(read_range(161, 180), "gh");
	rs_window_pins_clear(w, 1);
	add_more(1);
	ck_assert_str_eq(read_range(151, 166), "fg");
	ck_assert_uint_eq(rs_window_find(w, 0, 175), rs_window_find(w, 0, 166)); /* h has gone */
}
END_TEST

/* A client that pins again, a longer time: what is pinned already is still there to be pinned. */
START_TEST(a_pin_replaces_the_clients_former_one)
{
	struct rs_window_pin p;

	add_a_to_h();
	pin(1, 0, 125, 135);
	add_more(2); /* a and b have gone */
	ck_assert_uint_eq(pin(1, 0, 125, 145).from_ns, 125);
	ck_assert_uint_eq(w->nr_pins, 1);
	add_more(20);
	ck_assert_str_eq(read_range(125, 146), "cde");
	p = pin(1, 0, 125, 165); /* f and g have gone */
	ck_assert_uint_eq(p.from_ns, 125);
	ck_assert_uint_eq(p.to_ns, 145);
	ck_assert_uint_eq(pin(1, 0, 131, 145).from_ns, 131); /* c goes */
	ck_assert_str_eq(read_range(131, 146), "de");
	ck_assert_uint_eq(rs_window_find(w, 0, 129), 0);
}
END_TEST

/* CPU 1 had its last page long before: it is pinned where there is room for all since then, else left out. */
START_TEST(a_quiet_cpu_does_not_pin_all)
{
	const uint64_t s = 1000000000;
	struct rs_window_pin p;

	add(1, s, 'q', LEN);
	for (unsigned int i = 0; i < 7; i++)
		add(0, 5 * s + i, (uint8_t)('a' + i), LEN);
	p = pin(1, 0, 5 * s + 2, 5 * s + 3); /* b, c, d and, before a, q: five pages are too much */
	ck_assert_uint_eq(p.from_ns, 5 * s + 2);
	ck_assert_uint_eq(p.bytes, 2 * RECORD(1) + RECORD(2));
	p = pin(1, 0, 5 * s + 1, 5 * s + 1); /* a, b and q: three pages are not */
	ck_assert_uint_eq(p.bytes, 3 * RECORD(1));
}
END_TEST

/* ---- at random, beside a plain array ---- */

#define MAX_PAGES 20000

static struct kept {
	unsigned int cpu;
	uint64_t ts_ns;
	size_t len_bytes;
} all[MAX_PAGES];
static uint64_t seed;

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static void add_random(unsigned int i)
{
	struct kept *k = &all[i];

	*k = (struct kept){ (unsigned int)random_below(NR_CPUS), 1 + i,
			    16 + random_below(random_below(3) ? PAGE_BYTES - 15 : 40) };
	memset(bytes, (int)(i & 0x7f), sizeof bytes);
	memcpy(bytes, &k->ts_ns, 8);
	ck_assert(rs_window_add(w, k->cpu, &(struct rs_page){ .data = bytes, .len_bytes = k->len_bytes }));
}

/* All pages of all CPUs from from_ns to to_ns: times are 1, 2, ..., so none may be missing. */
static void whole(uint64_t from_ns, uint64_t to_ns)
{
	for (uint64_t ts = from_ns; ts <= to_ns; ts++) {
		const struct kept *k = &all[ts - 1];
		uint64_t place = rs_window_find(w, k->cpu, ts);
		const struct rs_window_record *r;

		ck_assert_uint_ne(place, 0);
		r = rs_window_at(w, place);
		ck_assert_uint_eq(r->begin_ns, ts);
		ck_assert_uint_eq(r->len_bytes, k->len_bytes);
		for (size_t at = 8; at < r->len_bytes; at++)
			if (rs_window_bytes(r)[at] != ((ts - 1) & 0x7f))
				ck_abort_msg("byte %zu of page %llu", at, (unsigned long long)ts);
	}
}

static void pin_at_random(unsigned int nr)
{
	uint32_t client = 1 + (uint32_t)random_below(6);
	struct rs_window_pin p = { client, client / 3, 0, 1 + nr - random_below(60), 0 };
	struct rs_error err = { 0 };

	if (p.to_ns > nr || !random_below(3)) {
		rs_window_pins_clear(w, client);
		return;
	}
	p.from_ns = p.to_ns - random_below(p.to_ns < 40 ? p.to_ns : 40);
	if (rs_window_pins_set(w, &p, &err) == 0)
		ck_assert_uint_gt(p.bytes, 0);
}

static uint64_t all_whole(unsigned int nr)
{
	struct rs_window_pin p;
	uint64_t sum = 0;

	for (uint32_t client = 1; client <= 6; client++)
		if (rs_window_pins_find(w, client, &p)) {
			whole(p.from_ns, p.to_ns);
			sum += p.bytes;
		}
	ck_assert_uint_le(sum, w->stats.size_bytes / 2);
	whole(w->stats.whole_after_ns + 1, nr);
	return sum;
}

START_TEST(pins_at_random)
{
	uint64_t sum = 0;

	tear_down();
	set_up_with(200000 + 8 * (size_t)_i);
	seed = 88172645463325252ull + (uint64_t)_i;
	for (unsigned int i = 0; i < MAX_PAGES; i++) {
		add_random(i);
		if (i > 100 && i % 37 == 0)
			pin_at_random(i + 1);
		if (i % 13 == 0)
			sum += all_whole(i + 1);
	}
	ck_assert_uint_gt(sum, 0);
	for (uint32_t client = 1; client <= 6; client++)
		rs_window_pins_clear(w, client);
	ck_assert_uint_eq(w->nr_pins, 0);
	whole(w->stats.whole_after_ns + 1, MAX_PAGES);
}
END_TEST

/* ---- threads: one adds, one pins and reads what it pinned, one asks ---- */

static void *add_many(void *arg)
{
	static uint8_t page[PAGE_BYTES];
	_Atomic bool *ended = arg;

	for (uint64_t i = 1; i <= 20000; i++) {
		memset(page, (int)(i & 0x7f), sizeof page);
		memcpy(page, &i, sizeof i);
		rs_window_add(w, (unsigned int)i % NR_CPUS, &(struct rs_page){ .data = page, .len_bytes = LEN });
	}
	atomic_store(ended, true);
	return NULL;
}

static void *ask_much(void *arg)
{
	_Atomic bool *ended = arg;
	struct rs_window_pin p;
	uint64_t from_ns, to_ns;

	while (!atomic_load(ended)) {
		rs_window_pins_bounds(w, &from_ns, &to_ns);
		if (rs_window_pins_find(w, 7, &p))
			ck_assert_uint_ge(p.to_ns, p.from_ns);
	}
	return NULL;
}

static bool read_pinned(const struct rs_window_pin *p)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_window_open(w, &of, p->from_ns, p->to_ns + 1, RS_WINDOW_LOSS_FAILS, &err);
	struct rs_page page;
	uint64_t ts, nr = 0;

	for (unsigned int cpu = 0; cpu < NR_CPUS; cpu++) {
		enum rs_next next;

		while ((next = s->ops->next(s, cpu, &page, &err)) == RS_NEXT_PAGE) {
			memcpy(&ts, page.data, sizeof ts);
			for (size_t i = 16; i < LEN; i += 99)
				ck_assert_uint_eq(page.data[i], ts & 0x7f);
			nr += ts >= p->from_ns && ts <= p->to_ns;
		}
		ck_assert_int_eq(next, RS_NEXT_END);
	}
	s->ops->close(s);
	return nr == p->to_ns - p->from_ns + 1;
}

START_TEST(pages_are_pinned_while_they_are_added)
{
	_Atomic bool ended = false;
	pthread_t threads[2];
	uint64_t nr = 0;

	tear_down();
	set_up_with(64 * PAGE_BYTES);
	ck_assert_int_eq(pthread_create(&threads[0], NULL, add_many, &ended), 0);
	ck_assert_int_eq(pthread_create(&threads[1], NULL, ask_much, &ended), 0);
	while (!atomic_load(&ended) || !nr) {
		struct rs_window_pin p = { .client = 7 };
		struct rs_window_stats stats;
		struct rs_error err = { 0 };

		rs_window_stats(w, &stats);
		p.to_ns = stats.latest_ns;
		p.from_ns = stats.latest_ns > 10 ? stats.latest_ns - 10 : 1;
		if (!p.to_ns || rs_window_pins_set(w, &p, &err) < 0)
			continue;
		for (unsigned int i = 0; i < 20; i++)
			ck_assert(read_pinned(&p));
		nr++;
		rs_window_pins_clear(w, 7);
	}
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}
END_TEST

Suite *rs_suite_window_pins(void)
{
	Suite *s = suite_create("window-pins");
	TCase *t = tcase_create("window-pins");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, pinned_pages_stay_while_others_go);
	tcase_add_test(t, what_was_pinned_goes_with_its_pin);
	tcase_add_test(t, a_pin_that_ends_at_once);
	tcase_add_test(t, at_most_half_is_pinned);
	tcase_add_test(t, a_window_of_four_pages_pins_nothing);
	tcase_add_test(t, users_get_equal_parts);
	tcase_add_test(t, a_pin_replaces_the_clients_former_one);
	tcase_add_test(t, a_quiet_cpu_does_not_pin_all);
	tcase_add_loop_test(t, pins_at_random, 0, 3);
	tcase_add_test(t, pages_are_pinned_while_they_are_added);
	suite_add_tcase(s, t);
	return s;
}
