// SPDX-License-Identifier: GPL-2.0-or-later
/* test-window - raw pages kept beside a plain array of all of them, and a recording read again */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/session.h"
#include "engine/timelines.h"
#include "recording/recording.h"
#include "source/window-parts.h"

#define NR_CPUS 3
#define PAGE_BYTES 4096
#define MAX_PAGES 5000
#define LEAST_BYTES (4 * (4096 + 104)) /* four records of the highest level */

static struct rs_source of = {
	.info = { .nr_cpus = NR_CPUS, .page_bytes = PAGE_BYTES, .long_bytes = 8, .kernel = "k" },
};
static struct rs_window *w;
static uint8_t bytes[PAGE_BYTES];
static uint64_t seed;

static void set_up_with(size_t size_bytes, uint64_t age_ns)
{
	struct rs_error err = { 0 };

	w = rs_window_new(&of.info, size_bytes, age_ns, &err);
	ck_assert_msg(w != NULL, "%s", err.text);
	of.pauses.nr = of.pauses.nr_more = 0;
}

static void set_up(void)
{
	set_up_with(LEAST_BYTES, 0);
}

static void tear_down(void)
{
	rs_window_free(w);
}

/* A page of nothing but its time and what marks it. */
static bool add(unsigned int cpu, uint64_t ts_ns, uint8_t mark, size_t len_bytes)
{
	memset(bytes, mark, sizeof bytes);
	memcpy(bytes, &ts_ns, sizeof ts_ns);
	return rs_window_add(w, cpu, &(struct rs_page){
		.data = bytes, .len_bytes = len_bytes, .empty_at_ns = ts_ns / 2,
	});
}

/* The page that an event of that CPU and time is in: where a source begins and ends. NULL: gone. */
static const struct rs_window_record *record_at(unsigned int cpu, uint64_t at_ns)
{
	uint64_t place = rs_window_find(w, cpu, at_ns);

	return place ? rs_window_at(w, place) : NULL;
}

static int mark_at(unsigned int cpu, uint64_t at_ns)
{
	const struct rs_window_record *r = record_at(cpu, at_ns);

	return r ? rs_window_bytes(r)[r->len_bytes - 1] : -1;
}

static struct rs_window_stats stats(void)
{
	struct rs_window_stats s;

	rs_window_stats(w, &s);
	return s;
}

/* The marks of a CPU's pages in a stretch, "!" for an error, "." for the end. */
static const char *rest_of(struct rs_source *s, unsigned int cpu)
{
	static char text[256];
	struct rs_error err = { 0 };
	struct rs_page page;
	size_t len = 0;
	enum rs_next next;

	while ((next = s->ops->next(s, cpu, &page, &err)) == RS_NEXT_PAGE && len < sizeof text - 2)
		text[len++] = (char)page.data[page.len_bytes - 1];
	text[len++] = next == RS_NEXT_END ? '.' : '!';
	text[len] = '\0';
	return text;
}

static struct rs_source *open_with(uint64_t from_ns, uint64_t to_ns, enum rs_window_loss loss)
{
	struct rs_error err = { 0 };
	struct rs_source *s = rs_window_open(w, &of, from_ns, to_ns, loss, &err);

	ck_assert_ptr_nonnull(s);
	return s;
}

static struct rs_source *open_range(uint64_t from_ns, uint64_t to_ns)
{
	return open_with(from_ns, to_ns, RS_WINDOW_LOSS_FAILS);
}

START_TEST(a_page_by_cpu_and_time)
{
	const struct rs_window_record *r;

	add(0, 100, 'a', 50);
	add(1, 150, 'b', 60);
	add(0, 200, 'c', 70);
	ck_assert_int_eq(mark_at(0, 99), -1);
	ck_assert_int_eq(mark_at(0, 100), 'a');
	ck_assert_int_eq(mark_at(0, 199), 'a');
	ck_assert_int_eq(mark_at(0, 200), 'c');
	ck_assert_int_eq(mark_at(0, UINT64_MAX), 'c');
	ck_assert_int_eq(mark_at(1, 200), 'b');
	ck_assert_int_eq(mark_at(2, 200), -1);
	r = record_at(0, 150);
	ck_assert_uint_eq(r->len_bytes, 50);
	ck_assert_uint_eq(r->empty_at_ns, 50);
	ck_assert_uint_eq(stats().whole_after_ns, 0);
}
END_TEST

START_TEST(the_oldest_goes)
{
	add(0, 100, 'a', PAGE_BYTES);
	add(1, 110, 'b', PAGE_BYTES);
	add(0, 120, 'c', PAGE_BYTES);
	add(0, 130, 'd', PAGE_BYTES);
	ck_assert_uint_eq(stats().nr_evicted, 0);
	add(1, 140, 'e', PAGE_BYTES);
	ck_assert_int_eq(mark_at(0, 110), -1);
	ck_assert_uint_eq(stats().whole_after_ns, 120); /* a's events were before c's */
	ck_assert_int_eq(mark_at(1, 110), 'b');
	add(2, 150, 'f', PAGE_BYTES);
	ck_assert_int_eq(mark_at(1, 139), -1);
	ck_assert_uint_eq(stats().whole_after_ns, 140);
	ck_assert_int_eq(mark_at(0, 125), 'c');
	ck_assert_uint_eq(stats().nr_evicted, 2);
}
END_TEST

START_TEST(what_is_no_page_is_refused)
{
	ck_assert(!add(NR_CPUS, 1, 'x', 50));
	ck_assert(!add(UINT32_MAX, 1, 'x', 50));
	ck_assert(!add(0, 1, 'x', 7));
	ck_assert(!rs_window_add(w, 0, &(struct rs_page){ .data = bytes, .len_bytes = PAGE_BYTES + 1 }));
	ck_assert_uint_eq(stats().nr_refused, 4);
	ck_assert_uint_eq(stats().nr_added, 0);
}
END_TEST

/* A damaged file's times: a page keeps its place behind the one before it. */
START_TEST(times_that_go_back)
{
	add(0, 500, 'a', 50);
	add(0, 10, 'b', 50);
	add(0, UINT64_MAX, 'c', 50);
	add(0, 0, 'd', 50);
	ck_assert_int_eq(mark_at(0, 400), -1);
	ck_assert_int_eq(mark_at(0, 600), 'b');
	ck_assert_int_eq(mark_at(0, UINT64_MAX), 'd');
}
END_TEST

START_TEST(a_range_is_read_again)
{
	struct rs_source *s;

	for (unsigned int i = 0; i < 8; i++)
		add(i & 1, 100 + 10 * i, (uint8_t)('a' + i), 100); /* a c e g on 0, b d f h on 1 */
	s = open_range(125, 150);
	ck_assert_uint_eq(s->ops->left(s, 0), 3);
	ck_assert_str_eq(rest_of(s, 0), "ceg."); /* an event of 125 is in c; g begins at 160, and tells that 150 is past */
	ck_assert_uint_eq(s->ops->left(s, 0), 0);
	ck_assert_str_eq(rest_of(s, 1), "bdf."); /* in b, which goes on up to 130; f begins at 150 */
	ck_assert_str_eq(rest_of(s, 1), ".");
	ck_assert_str_eq(rest_of(s, 2), ".");
	ck_assert(!s->info.live);
	ck_assert_str_eq(s->info.kernel, "k");
	s->ops->close(s);
	s = open_range(0, UINT64_MAX);
	ck_assert_str_eq(rest_of(s, 0), "aceg.");
	s->ops->close(s);
	s = open_range(140, 141); /* an event of 140 may also be the last one in c */
	ck_assert_str_eq(rest_of(s, 0), "ceg.");
	s->ops->close(s);
}
END_TEST

START_TEST(the_window_moves_on_under_a_reader)
{
	struct rs_source *s, *late;
	struct rs_error err = { 0 };
	struct rs_page page;

	for (unsigned int i = 0; i < 4; i++)
		add(0, 100 + i, (uint8_t)('a' + i), PAGE_BYTES);
	s = open_range(0, UINT64_MAX);
	late = open_range(0, UINT64_MAX);
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_int_eq(late->ops->next(late, 0, &page, &err), RS_NEXT_PAGE);
	add(0, 110, 'e', PAGE_BYTES); /* a has gone: it was handed out, and its bytes hold */
	ck_assert_int_eq(page.data[PAGE_BYTES - 1], 'a');
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_int_eq(page.data[PAGE_BYTES - 1], 'b');
	add(0, 120, 'f', PAGE_BYTES);
	ck_assert_str_eq(rest_of(s, 0), "cdef.");
	ck_assert_str_eq(rest_of(late, 0), "!"); /* b was next */
	ck_assert_str_eq(rest_of(late, 0), ".");
	s->ops->close(s);
	late->ops->close(late);
}
END_TEST

static uint32_t commit_of(const struct rs_page *page)
{
	uint32_t commit;

	memcpy(&commit, page->data + 8, sizeof commit);
	return commit;
}

/* The mark that the kernel itself would set: a reader of pages needs to know no other. */
START_TEST(expired_pages_are_marked_as_lost)
{
	struct rs_source *s;
	struct rs_error err = { 0 };
	struct rs_page page;

	for (unsigned int i = 0; i < 4; i++)
		add(0, 100 + i, 0, PAGE_BYTES);
	s = open_with(0, UINT64_MAX, RS_WINDOW_LOSS_IS_GAP);
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_uint_eq(commit_of(&page), 0);
	for (unsigned int i = 4; i < 7; i++) /* the pages up to 102 have gone */
		add(0, 100 + i, 0, PAGE_BYTES);
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_uint_eq(page.data[0], 103);
	ck_assert_uint_eq(commit_of(&page), 1u << 31);
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_uint_eq(page.data[0], 104);
	ck_assert_uint_eq(commit_of(&page), 0);
	s->ops->close(s);
	s = open_with(101, UINT64_MAX, RS_WINDOW_LOSS_IS_GAP); /* they had gone before */
	ck_assert_int_eq(s->ops->next(s, 0, &page, &err), RS_NEXT_PAGE);
	ck_assert_uint_eq(page.data[0], 103);
	ck_assert_uint_eq(commit_of(&page), 1u << 31);
	s->ops->close(s);
}
END_TEST

START_TEST(the_page_that_is_due_first_has_expired)
{
	struct rs_source *s;

	add(0, 100, 'a', PAGE_BYTES);
	s = open_range(0, UINT64_MAX);
	for (unsigned int i = 1; i < 5; i++)
		add(0, 100 + i, 'b', PAGE_BYTES);
	ck_assert_str_eq(rest_of(s, 0), "!");
	s->ops->close(s);
}
END_TEST

START_TEST(pauses_of_the_range_go_with_it)
{
	struct rs_source *s;

	add(0, 100, 'a', 50);
	add(0, 300, 'b', 50);
	rs_pauses_add(&of.pauses, 20, 50);
	rs_pauses_add(&of.pauses, 200, 250);
	s = open_range(220, 400);
	ck_assert_uint_eq(s->pauses.nr, 1);
	ck_assert_uint_eq(s->pauses.list[0].off_ns, 200);
	s->ops->close(s);
	s = open_range(301, 400);
	ck_assert_uint_eq(s->pauses.nr, 0);
	s->ops->close(s);
}
END_TEST

START_TEST(what_is_older_than_the_age_goes)
{
	tear_down();
	set_up_with(1 << 20, 100);
	add(0, 100, 'a', 50);
	add(0, 150, 'b', 50);
	add(0, 250, 'c', 50);
	ck_assert_uint_eq(stats().nr_evicted, 0); /* a's events may be as late as 150 */
	add(1, 251, 'd', 50);
	ck_assert_uint_eq(stats().nr_evicted, 1);
	ck_assert_int_eq(mark_at(0, 149), -1);
	ck_assert_int_eq(mark_at(0, 150), 'b');
}
END_TEST

START_TEST(a_window_too_small_is_refused)
{
	struct rs_error err = { 0 };

	ck_assert_ptr_null(rs_window_new(&of.info, LEAST_BYTES - 8, 0, &err));
	ck_assert_int_eq(err.status, RS_USAGE);
}
END_TEST

/* ---- beside a plain array ---- */

static struct kept {
	unsigned int cpu;
	uint64_t ts_ns, nr;
	size_t len_bytes;
} all[MAX_PAGES];

static uint64_t random_below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

static void add_random(unsigned int i, uint64_t now_ns)
{
	struct kept *k = &all[i];

	k->cpu = (unsigned int)(random_below(8) ? random_below(2) : 2);
	k->ts_ns = now_ns;
	k->nr = i;
	k->len_bytes = 16 + random_below(random_below(3) ? PAGE_BYTES - 15 : 40);
	memset(bytes, (int)(i & 0x7f), sizeof bytes);
	memcpy(bytes, &k->ts_ns, 8);
	memcpy(bytes + 8, &k->nr, 8);
	ck_assert(rs_window_add(w, k->cpu, &(struct rs_page){ .data = bytes, .len_bytes = k->len_bytes }));
}

static void same_page(const struct rs_page *page, const struct kept *k)
{
	uint64_t nr;

	memcpy(&nr, page->data + 8, 8);
	ck_assert_uint_eq(nr, k->nr);
	ck_assert_uint_eq(page->len_bytes, k->len_bytes);
	for (size_t i = 16; i < k->len_bytes; i++)
		if (page->data[i] != (k->nr & 0x7f)) /* millions of bytes: no assertion for each */
			ck_abort_msg("byte %zu of page %llu", i, (unsigned long long)k->nr);
}

/* Of what is still there, the last of that CPU that begins at that time or before. */
static void ask_random(unsigned int nr, uint64_t now_ns)
{
	unsigned int cpu = (unsigned int)random_below(NR_CPUS), first = (unsigned int)stats().nr_evicted;
	uint64_t at_ns = all[first].ts_ns + random_below(now_ns - all[first].ts_ns + 2);
	const struct kept *found = NULL;
	const struct rs_window_record *r;

	for (unsigned int i = first; i < nr; i++)
		if (all[i].cpu == cpu && all[i].ts_ns <= at_ns)
			found = &all[i];
	r = record_at(cpu, at_ns);
	ck_assert((r != NULL) == (found != NULL));
	if (found)
		same_page(&(struct rs_page){ .data = rs_window_bytes(r), .len_bytes = r->len_bytes }, found);
}

static void read_all(unsigned int nr)
{
	struct rs_source *s = open_range(0, UINT64_MAX);
	struct rs_error err = { 0 };
	struct rs_page page;

	for (unsigned int i = (unsigned int)stats().nr_evicted; i < nr; i++) {
		ck_assert_int_eq(s->ops->next(s, all[i].cpu, &page, &err), RS_NEXT_PAGE);
		same_page(&page, &all[i]);
	}
	for (unsigned int cpu = 0; cpu < NR_CPUS; cpu++)
		ck_assert_str_eq(rest_of(s, cpu), ".");
	s->ops->close(s);
}

START_TEST(pages_at_random)
{
	uint64_t now_ns = 1;

	tear_down();
	set_up_with(_i ? 200000 : LEAST_BYTES + 16, 0);
	seed = 88172645463325252ull + (uint64_t)_i;
	for (unsigned int i = 0; i < MAX_PAGES; i++) {
		now_ns += random_below(100);
		add_random(i, now_ns);
		ask_random(i + 1, now_ns);
		if (i % 500 == 99)
			read_all(i + 1);
	}
	ck_assert_uint_gt(stats().nr_evicted, MAX_PAGES / 2);
}
END_TEST

/* ---- one thread adds while others read ---- */

#define NR_ADDED 20000

static void *add_many(void *arg)
{
	static uint8_t page[PAGE_BYTES];
	_Atomic bool *ended = arg;

	for (uint64_t i = 1; i <= NR_ADDED; i++) {
		memcpy(page, &i, sizeof i);
		memset(page + 16, (int)(i & 0x7f), sizeof page - 16);
		ck_assert(rs_window_add(w, (unsigned int)i % NR_CPUS, &(struct rs_page){ .data = page, .len_bytes = PAGE_BYTES }));
		for (uint64_t n = 0; n < 10; n++) /* more of them than are kept apart */
			rs_pauses_add(&of.pauses, i, i + 1);
	}
	atomic_store(ended, true);
	return NULL;
}

/* Each page is whole, and the next of its CPU; false where the window has moved on. */
static bool read_some(struct rs_source *s, unsigned int cpu, uint64_t *nr_read)
{
	struct rs_error err = { 0 };
	struct rs_page page;
	uint64_t before = 0, ts;
	enum rs_next next;

	while ((next = s->ops->next(s, cpu, &page, &err)) == RS_NEXT_PAGE) {
		memcpy(&ts, page.data, sizeof ts);
		ck_assert_uint_eq(ts % NR_CPUS, cpu);
		ck_assert(!before || ts == before + NR_CPUS);
		for (size_t i = 16; i < PAGE_BYTES; i += 99)
			ck_assert_uint_eq(page.data[i], ts & 0x7f);
		before = ts;
		++*nr_read;
	}
	return next == RS_NEXT_END;
}

START_TEST(pages_are_added_while_they_are_read)
{
	_Atomic bool ended = false;
	uint64_t nr_read = 0;
	pthread_t thread;

	tear_down();
	set_up_with(64 * PAGE_BYTES, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, add_many, &ended), 0);
	while (!atomic_load(&ended)) {
		struct rs_source *s = open_range(stats().whole_after_ns + 1, UINT64_MAX);

		for (unsigned int cpu = 0; cpu < NR_CPUS; cpu++)
			read_some(s, cpu, &nr_read);
		s->ops->close(s);
	}
	pthread_join(thread, NULL);
	ck_assert_uint_eq(stats().nr_added, NR_ADDED);
	ck_assert_uint_gt(nr_read, 0);
}
END_TEST

/* ---- a recording, read, and read again from the window ---- */

struct reading {
	struct rs_span_sink sink;
	uint64_t nr_events, nr_spans, sum;
};

static void add_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
		     const struct rs_span *s)
{
	struct reading *r = (struct reading *)sink;

	r->nr_spans++;
	r->sum = (r->sum ^ s->start_ns ^ s->end_ns << 7 ^ s->arg) * 0x100000001b3u;
}

static struct reading read_source(struct rs_source *source)
{
	struct reading r = { .sink.span = add_span };
	struct rs_session_config config = { 0 };
	struct rs_error err = { 0 };
	struct rs_session *s;
	struct rs_quality quality;

	for (size_t i = 0; rs_plugins_all()[i]; i++)
		config.analyses[config.nr_analyses++] = rs_plugins_all()[i];
	s = rs_session_new(&config, &err);
	ck_assert_int_eq(rs_session_emit_span(s, &r.sink), 0);
	ck_assert_msg(rs_session_attach(s, source, &err) == 0, "%s", err.text);
	while (rs_session_run(s, UINT64_MAX, &err) == RS_RUN_MORE)
		;
	rs_session_end(s);
	rs_session_quality(s, &quality);
	r.nr_events = quality.events;
	rs_session_free(s);
	ck_assert_msg(err.status == RS_OK, "%s", err.text);
	return r;
}

START_TEST(a_recording_read_again)
{
	static const char *const files[] = {
		"debian-6.1-amd64-mixed", "debian-6.1-s390x-v6", "debian-6.1-i386-v6",
	};
	struct rs_error err = { 0 };
	struct reading first, again;
	struct rs_source *source, *s;
	char path[64];

	tear_down();
	snprintf(path, sizeof path, "tests/traces/%s.dat", files[_i]);
	source = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(source != NULL, "%s", err.text);
	w = source->window = rs_window_new(&source->info, 8 << 20, 0, &err);
	ck_assert_msg(w != NULL, "%s", err.text);
	first = read_source(source);
	s = rs_window_open(w, source, 0, UINT64_MAX, RS_WINDOW_LOSS_FAILS, &err);
	again = read_source(s);
	s->ops->close(s);
	source->ops->close(source);
	ck_assert_uint_eq(stats().nr_evicted, 0);
	ck_assert_uint_gt(first.nr_spans, 1000);
	ck_assert_uint_eq(first.nr_events, again.nr_events);
	ck_assert_uint_eq(first.nr_spans, again.nr_spans);
	ck_assert_uint_eq(first.sum, again.sum);
}
END_TEST

Suite *rs_suite_window(void)
{
	Suite *s = suite_create("window");
	TCase *t = tcase_create("window");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, a_page_by_cpu_and_time);
	tcase_add_test(t, the_oldest_goes);
	tcase_add_test(t, what_is_no_page_is_refused);
	tcase_add_test(t, times_that_go_back);
	tcase_add_test(t, a_range_is_read_again);
	tcase_add_test(t, the_window_moves_on_under_a_reader);
	tcase_add_test(t, expired_pages_are_marked_as_lost);
	tcase_add_test(t, the_page_that_is_due_first_has_expired);
	tcase_add_test(t, pages_are_added_while_they_are_read);
	tcase_add_test(t, pauses_of_the_range_go_with_it);
	tcase_add_test(t, what_is_older_than_the_age_goes);
	tcase_add_test(t, a_window_too_small_is_refused);
	tcase_add_loop_test(t, pages_at_random, 0, 2);
	tcase_add_loop_test(t, a_recording_read_again, 0, 3);
	suite_add_tcase(s, t);
	return s;
}
