// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test-lines - the builder itself, against libtraceevent: what the lines say is
 * what kbuffer and the parsed formats read back, in every layout
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/kbuffer.h>

#include "lines.h"

/* Reads one CPU's pages with libtraceevent and gives each record to the callback. */
struct reader {
	struct rs_source *source;
	struct tep_handle *tep;
	struct kbuffer *kbuf;
	unsigned int cpu;
	uint64_t ts_ns;
	int64_t missed; /* 0 none, -1 unknown */
	struct tep_record record;
	struct tep_event *event;
};

static void reader_init(struct reader *r, const struct layout *l, const char *const *lines)
{
	const struct rs_trace_info *info;

	memset(r, 0, sizeof *r);
	r->source = rs_lines_source(lines, l);
	info = &r->source->info;
	r->tep = tep_alloc();
	tep_set_long_size(r->tep, l->long_bytes);
	tep_set_file_bigendian(r->tep, l->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(r->tep, tep_is_bigendian());
	tep_parse_header_page(r->tep, (char *)info->header_page.data, info->header_page.len, l->long_bytes);
	for (size_t i = 0; i < info->nr_formats; i++)
		ck_assert_int_eq(0, tep_parse_event(r->tep, info->formats[i].text.data, info->formats[i].text.len,
						    info->formats[i].system));
	r->kbuf = kbuffer_alloc(l->long_bytes == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				l->big_endian ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);
}

static void reader_done(struct reader *r)
{
	kbuffer_free(r->kbuf);
	tep_free(r->tep);
	r->source->ops->close(r->source);
}

/* The next record of cpu; false at its end. */
static bool reader_next(struct reader *r, unsigned int cpu)
{
	unsigned long long ts;
	struct rs_page page;
	void *data = NULL;

	r->missed = 0;
	if (cpu == r->cpu && r->record.data)
		data = kbuffer_next_event(r->kbuf, &ts);
	if (data) {
		data = kbuffer_read_event(r->kbuf, &ts);
	} else {
		if (r->source->ops->next(r->source, cpu, &page, NULL) != RS_NEXT_PAGE)
			return false;
		ck_assert_int_eq(0, kbuffer_load_subbuffer(r->kbuf, (void *)page.data));
		r->missed = kbuffer_missed_events(r->kbuf);
		data = kbuffer_read_event(r->kbuf, &ts);
	}
	r->cpu = cpu;
	r->ts_ns = ts;
	r->record = (struct tep_record){ .data = data, .size = kbuffer_event_size(r->kbuf), .cpu = cpu, .ts = ts };
	r->event = tep_find_event_by_record(r->tep, &r->record);
	ck_assert_ptr_nonnull(r->event);
	return true;
}

static uint64_t number_of(struct reader *r, const char *field)
{
	unsigned long long v = 0;

	ck_assert_int_eq(0, tep_get_any_field_val(NULL, r->event, field, &r->record, &v, 1));
	return v;
}

static const char *text_of(struct reader *r, const char *field)
{
	int len;

	return tep_get_field_raw(NULL, r->event, field, &r->record, &len, 1);
}

static struct tep_record *record_of(struct reader *r)
{
	return &r->record;
}

static uint64_t arg_of(struct reader *r, const struct layout *l, unsigned int i)
{
	struct tep_format_field *f = tep_find_field(r->event, "args");

	return tep_read_number(r->tep, (char *)record_of(r)->data + f->offset + i * l->long_bytes, l->long_bytes);
}

START_TEST(lines_say_what_is_read_back)
{
	const struct layout *l = &rs_layouts[_i];
	struct reader r;

	reader_init(&r, l, LINES("1000 cpu0 sched_switch a b/1/10 D -> idle/0",
				 "1200 cpu1 sched_waking b/11 target=1 by a/10 irq",
				 "1300 cpu0 sys_enter t=10 nr=write 1 2 ff",
				 "1400 cpu0 sys_exit t=10 nr=write ret=-11",
				 "1500 cpu1 block_rq_complete t=0 8,300 WS sector=-1 nr=8 err=-5",
				 "9000001600 cpu1 sched_process_exec /bin/ls t=7 pid=7 old=8",
				 "9000001700 cpu1 sched_migrate_task c/12 0 -> 1 t=7",
				 "9000001800 cpu1 task_newtask c/12 flags=10000 t=7",
				 "9000001900 cpu1 task_rename c/12 -> d"));
	ck_assert(reader_next(&r, 0));
	ck_assert_str_eq(r.event->name, "sched_switch");
	ck_assert_uint_eq(r.ts_ns, 1000);
	ck_assert_str_eq(text_of(&r, "prev_comm"), "a b/1");
	ck_assert_str_eq(text_of(&r, "next_comm"), "swapper/0");
	ck_assert_uint_eq(number_of(&r, "common_pid"), 10);
	ck_assert_uint_eq(number_of(&r, "prev_state"), 2);
	ck_assert(reader_next(&r, 0));
	ck_assert_uint_eq(arg_of(&r, l, 2), 0xff);
	ck_assert(reader_next(&r, 0));
	ck_assert_int_eq((int32_t)number_of(&r, "ret"), -11); /* a 32-bit long is not extended */
	ck_assert(!reader_next(&r, 0));

	ck_assert(reader_next(&r, 1));
	ck_assert_uint_eq(number_of(&r, "common_flags"), 8);
	ck_assert_uint_eq(number_of(&r, "common_pid"), 10);
	ck_assert(reader_next(&r, 1));
	ck_assert_uint_eq(number_of(&r, "dev"), 8 << 20 | 300);
	ck_assert_uint_eq(number_of(&r, "sector"), UINT64_MAX);
	ck_assert_int_eq((int)number_of(&r, "error"), -5);
	ck_assert_str_eq(text_of(&r, "rwbs"), "WS");
	ck_assert(reader_next(&r, 1));
	ck_assert_uint_eq(r.ts_ns, 9000001600);
	ck_assert_str_eq(text_of(&r, "filename"), "/bin/ls");
	ck_assert_uint_eq(number_of(&r, "old_pid"), 8);
	ck_assert(reader_next(&r, 1));
	ck_assert_str_eq(text_of(&r, "comm"), "c");
	ck_assert_uint_eq(number_of(&r, "dest_cpu"), 1);
	ck_assert(reader_next(&r, 1));
	ck_assert_uint_eq(number_of(&r, "clone_flags"), 0x10000);
	ck_assert(reader_next(&r, 1));
	ck_assert_uint_eq(number_of(&r, "pid"), 12);
	ck_assert_str_eq(text_of(&r, "newcomm"), "d");
	ck_assert(!reader_next(&r, 1));
	reader_done(&r);
}
END_TEST

START_TEST(a_loss_is_marked_on_the_next_page)
{
	struct reader r;

	reader_init(&r, &rs_layouts[_i], LINES("cpu0 lost 7",
					       "1000 cpu0 sched_switch a/10 S -> idle/0",
					       "cpu0 lost ?",
					       "2000 cpu0 sched_switch idle/0 R -> a/10",
					       "2100 cpu0 sched_switch a/10 S -> idle/0"));
	ck_assert(reader_next(&r, 0));
	ck_assert_int_eq(r.missed, 7);
	ck_assert(reader_next(&r, 0));
	ck_assert_uint_eq(r.ts_ns, 2000);
	ck_assert_int_eq(r.missed, -1);
	ck_assert(reader_next(&r, 0));
	ck_assert_int_eq(r.missed, 0);
	ck_assert(!reader_next(&r, 0));
	reader_done(&r);
}
END_TEST

START_TEST(a_state_without_a_letter_is_refused)
{
	struct rs_source *s = rs_lines_source(LINES("1000 cpu0 sched_switch a/10 I -> idle/0"), &rs_layouts[_i]);

	if (strchr(rs_layouts[_i].letters, 'I')) {
		ck_assert_ptr_nonnull(s);
		s->ops->close(s);
	} else {
		ck_assert_ptr_null(s);
	}
}
END_TEST

Suite *rs_suite_lines(void)
{
	Suite *s = suite_create("lines");
	TCase *t = tcase_create("lines");

	tcase_add_loop_test(t, lines_say_what_is_read_back, 0, rs_nr_layouts);
	tcase_add_loop_test(t, a_loss_is_marked_on_the_next_page, 0, rs_nr_layouts);
	tcase_add_loop_test(t, a_state_without_a_letter_is_refused, 0, rs_nr_layouts);
	suite_add_tcase(s, t);
	return s;
}
