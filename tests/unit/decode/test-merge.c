// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-merge - the records of all CPUs in the order of time, of a file and of a live source
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "decode/merge.h"
#include "page-builder.h"

#define MAX_STEPS 8

/* What a CPU of the source answers, in turn: a page with records at these times, or nothing now. */
struct step {
	uint64_t at_ns[4];    /* of a page's records; 0 ends them; none: nothing now */
	uint64_t watermark_ns; /* of "nothing now" */
	uint64_t flags;       /* of the page's commit */
};

struct scripted {
	struct rs_source source;
	const struct step *steps[2];
	unsigned int at[2];
	struct built_page page[2];
	struct rs_page_layout layout;
};

static const struct step *step_of(struct scripted *s, unsigned int cpu)
{
	return &s->steps[cpu][s->at[cpu]];
}

static bool at_end(const struct step *step)
{
	return !step->at_ns[0] && !step->watermark_ns;
}

static enum rs_next next(struct rs_source *source, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	struct scripted *s = (struct scripted *)source;
	const struct step *step = step_of(s, cpu);
	struct entry entries[5] = { { 0 } };

	if (at_end(step))
		return RS_NEXT_END;
	s->at[cpu]++;
	if (!step->at_ns[0])
		return RS_NEXT_NONE;
	for (int i = 0; i < 4 && step->at_ns[i]; i++)
		entries[i] = (struct entry)DATA((uint32_t)(step->at_ns[i] - step->at_ns[i ? i - 1 : 0]), 12);
	free(s->page[cpu].bytes);
	s->page[cpu] = page_build(&s->layout, step->at_ns[0], entries, step->flags);
	*page = (struct rs_page){ .data = s->page[cpu].bytes, .len_bytes = s->page[cpu].len };
	return RS_NEXT_PAGE;
}

static uint64_t watermark(struct rs_source *source, unsigned int cpu)
{
	const struct step *step = step_of((struct scripted *)source, cpu);

	return at_end(step) ? UINT64_MAX : step->watermark_ns;
}

static void on_gap(void *arg, const struct rs_gap *gap)
{
	rs_buf_printf(arg, "gap%u:%llu-%llu ", gap->cpu, (unsigned long long)gap->from_ns, (unsigned long long)gap->to_ns);
}

/* All that the source gives: "cpu:time" each, "|" where there was nothing now. */
static char *merged(const struct step *cpu0, const struct step *cpu1, uint64_t off_ns, uint64_t on_ns)
{
	static const struct rs_source_ops ops = { .next = next, .watermark_ns = watermark };
	struct scripted s = { .source.ops = &ops, .steps = { cpu0, cpu1 }, .layout = page_layout(0) };
	struct rs_buf out = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_merge *m;
	struct rs_batch batch;

	s.source.info = (struct rs_trace_info){ .nr_cpus = cpu1 ? 2 : 1, .page_bytes = 4096, .long_bytes = 8 };
	if (off_ns)
		rs_pauses_add(&s.source.pauses, off_ns, on_ns);
	m = rs_merge_new(&s.source, on_gap, &out, &err);
	ck_assert_ptr_nonnull(m);
	for (int turn = 0; turn < 20 && !rs_merge_ended(m); turn++) {
		while (rs_merge_next_batch(m, &batch, &err))
			do
				rs_buf_printf(&out, "%u:%llu ", batch.cpu, (unsigned long long)batch.cursor->ts_ns);
			while (rs_merge_next_record(m, &batch));
		if (!rs_merge_ended(m))
			rs_buf_puts(&out, "| ");
	}
	rs_merge_free(m);
	free(s.page[0].bytes);
	free(s.page[1].bytes);
	return out.data;
}

#define AT(...) { .at_ns = { __VA_ARGS__ } }
#define EMPTY(until_ns) { .watermark_ns = until_ns }
#define CPU(...) ((const struct step[MAX_STEPS]){ __VA_ARGS__ })

static void check(const char *came, const char *expected)
{
	ck_assert_str_eq(came, expected);
	free((char *)came);
}

START_TEST(equal_times_go_to_the_lower_cpu)
{
	check(merged(CPU(AT(1000, 2000, 2000), AT(3000)), CPU(AT(1000, 2000), AT(2500, 3000)), 0, 0),
	      "0:1000 1:1000 0:2000 0:2000 1:2000 1:2500 0:3000 1:3000 ");
}
END_TEST

/*
 * A CPU that runs empty in the middle of its turn holds the other back, at its
 * watermark: what it reads later belongs before. Broken once: 436 events in 2.4 M
 * came late, the rest of the time both CPUs had something.
 */
START_TEST(an_empty_cpu_holds_the_other_back)
{
	check(merged(CPU(AT(1000), EMPTY(2000), AT(3000)), CPU(AT(1100, 1900, 2500, 5000)), 0, 0),
	      "0:1000 1:1100 1:1900 1:2500 0:3000 1:5000 ");
}
END_TEST

/* Both empty, then one goes on: up to what is known of the other, not further. */
START_TEST(nothing_now_is_not_the_end)
{
	check(merged(CPU(EMPTY(500), AT(900), EMPTY(1500), EMPTY(4000)),
		     CPU(AT(1000, 2000)), 0, 0),
	      "| 0:900 1:1000 1:2000 ");
}
END_TEST

/* A CPU whose reader's own calls keep it from ever being seen empty is known up to its last event. */
START_TEST(known_up_to_the_last_event)
{
	check(merged(CPU(AT(1000), EMPTY(1), EMPTY(1), AT(1200)), CPU(AT(900, 1000, 1100)), 0, 0),
	      "1:900 0:1000 1:1000 | 1:1100 0:1200 ");
}
END_TEST

START_TEST(a_gap_begins_after_the_last_record)
{
	check(merged(CPU(AT(1000, 1500), { .at_ns = { 3000 }, .flags = 1u << 31 }), CPU(AT(1600, 3500)), 0, 0),
	      "0:1000 0:1500 gap0:1500-3000 1:1600 0:3000 1:3500 ");
}
END_TEST

/* Also where one CPU has the whole turn to itself. */
START_TEST(a_pause_is_told_between_the_records)
{
	check(merged(CPU(AT(1000, 1500, 4000)), NULL, 2000, 3000), "0:1000 0:1500 gap0:2000-3000 0:4000 ");
	check(merged(CPU(AT(1000), AT(4000)), CPU(AT(1500, 4000)), 2000, 3000),
	      "0:1000 1:1500 gap0:2000-3000 gap1:2000-3000 0:4000 1:4000 ");
	/* and where two change places over it, each in the middle of a page */
	check(merged(CPU(AT(1000, 3500)), CPU(AT(1500, 4000)), 2000, 3000),
	      "0:1000 1:1500 gap0:2000-3000 gap1:2000-3000 0:3500 1:4000 ");
}
END_TEST

/* What another program changed is noticed later than it was, and goes on: each second is one more gap, in the list it is one. */
START_TEST(a_change_that_goes_on)
{
	struct rs_pauses pauses = { 0 };
	struct rs_pauses_cursor early = { 0 }, late = { 0 };
	struct rs_pause got;

	rs_pauses_put(&pauses, &(struct rs_pause){ 10, 20, "tracing_on 0" });
	ck_assert(rs_pauses_next(&pauses, &early, &got) && got.off_ns == 10 && got.on_ns == 20);
	ck_assert(!rs_pauses_next(&pauses, &early, &got));
	rs_pauses_put(&pauses, &(struct rs_pause){ 20, 30, "tracing_on 0" });
	rs_pauses_put(&pauses, &(struct rs_pause){ 30, 40, "tracing_on 0" });
	rs_pauses_put(&pauses, &(struct rs_pause){ 40, 50, "buffer cleared" });
	rs_pauses_add(&pauses, 50, 60);
	ck_assert_uint_eq(pauses.nr, 3);
	/* one who was there reads what is new, also of the pause that he has read */
	ck_assert(rs_pauses_next(&pauses, &early, &got) && got.off_ns == 20 && got.on_ns == 40);
	ck_assert_str_eq(got.what, "tracing_on 0");
	ck_assert(rs_pauses_next(&pauses, &early, &got) && got.off_ns == 40 && !strcmp(got.what, "buffer cleared"));
	ck_assert(rs_pauses_next(&pauses, &early, &got) && got.off_ns == 50 && !*got.what);
	ck_assert(!rs_pauses_next(&pauses, &early, &got));
	/* one who comes later reads each once */
	ck_assert(rs_pauses_next(&pauses, &late, &got) && got.off_ns == 10 && got.on_ns == 40);
	ck_assert(rs_pauses_next(&pauses, &late, &got) && rs_pauses_next(&pauses, &late, &got));
	ck_assert(!rs_pauses_next(&pauses, &late, &got));
}
END_TEST

/* A list of pauses has its end, a daemon has not: what comes behind it makes the last one longer, and is told again. */
START_TEST(more_pauses_than_are_kept)
{
	static const struct rs_source_ops ops = { .next = next, .watermark_ns = watermark };
	struct scripted s = { .source.ops = &ops, .steps = { CPU(AT(1, 9000), EMPTY(9500), EMPTY(9500), AT(10000)), NULL },
			      .layout = page_layout(0), .source.info = { .nr_cpus = 1, .page_bytes = 4096, .long_bytes = 8 } };
	struct rs_buf out = RS_BUF_INIT;
	struct rs_error err = { 0 };
	struct rs_merge *m = rs_merge_new(&s.source, on_gap, &out, &err);
	unsigned int nr_told = 0;
	struct rs_batch batch;

	for (uint64_t i = 1; i <= RS_MAX_PAUSES + 1; i++)
		rs_pauses_add(&s.source.pauses, 10 * i, 10 * i + 5);
	while (rs_merge_next_batch(m, &batch, &err))
		while (rs_merge_next_record(m, &batch))
			;
	for (const char *at = out.data; (at = strstr(at, "gap0:")); at++)
		nr_told++;
	ck_assert_uint_eq(nr_told, RS_MAX_PAUSES);
	ck_assert_ptr_nonnull(strstr(out.data, "gap0:2560-2575 ")); /* two in one: the list holds no more */

	rs_buf_clear(&out);
	rs_pauses_add(&s.source.pauses, 9600, 9700);
	while (rs_merge_next_batch(m, &batch, &err))
		rs_buf_printf(&out, "0:%llu ", (unsigned long long)batch.cursor->ts_ns),
		rs_merge_next_record(m, &batch);
	ck_assert_str_eq(out.data, "gap0:9600-9700 0:10000 ");
	rs_merge_free(m);
	free(s.page[0].bytes);
	rs_buf_done(&out);
}
END_TEST

static enum rs_next nothing(struct rs_source *source, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	return RS_NEXT_END;
}

/* As many CPUs as a file may claim, one more than 16 bits count: it comes to an end all the same. */
START_TEST(as_many_cpus_as_a_file_may_claim)
{
	static const struct rs_source_ops ops = { .next = nothing };
	struct rs_source source = { .ops = &ops, .info = { .nr_cpus = 65536, .long_bytes = 8 } };
	struct rs_error err = { 0 };
	struct rs_merge *m = rs_merge_new(&source, NULL, NULL, &err);
	struct rs_batch batch;

	ck_assert_ptr_nonnull(m);
	ck_assert(!rs_merge_next_batch(m, &batch, &err));
	ck_assert(rs_merge_ended(m));
	rs_merge_free(m);
}
END_TEST

Suite *rs_suite_merge(void)
{
	Suite *s = suite_create("merge");
	TCase *t = tcase_create("order");

	tcase_add_test(t, equal_times_go_to_the_lower_cpu);
	tcase_add_test(t, an_empty_cpu_holds_the_other_back);
	tcase_add_test(t, nothing_now_is_not_the_end);
	tcase_add_test(t, known_up_to_the_last_event);
	tcase_add_test(t, a_gap_begins_after_the_last_record);
	tcase_add_test(t, a_pause_is_told_between_the_records);
	tcase_add_test(t, a_change_that_goes_on);
	tcase_add_test(t, more_pauses_than_are_kept);
	tcase_add_test(t, as_many_cpus_as_a_file_may_claim);
	suite_add_tcase(s, t);
	return s;
}
