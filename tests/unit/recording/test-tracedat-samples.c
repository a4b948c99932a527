// SPDX-License-Identifier: GPL-2.0-or-later
/* test-tracedat-samples - samples, mappings and symbols in a recording, from whoever wrote it */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/map.h"
#include "decode/sample-merge.h"
#include "recording/initial-mappings.h"
#include "recording/recording.h"
#include "recording/tracedat-writer.h"
#include "sample-lines.h"
#include "source/source.h"
#include "stacks/stack-builder.h"
#include "tracedat-builder.h"

#define SAMPLE_TYPE "422"   /* TID, TIME, CPU, PERIOD, CALLCHAIN */
#define SAMPLED "\"sampled\":{\"event\":\"cpu-clock\",\"hz\":99,\"sample_type\":" SAMPLE_TYPE ",\"samples\":2,\"lost\":7}"

enum { RECORDS, MAPPINGS, SYMBOLS, STRANGE, NR_PARTS };

static const char *const names[NR_PARTS] = { "samples", "mappings", "symbols", "regs" };

/* What each part of the file is, and what the trailer says of it. */
struct parts {
	struct rs_buf bytes[NR_PARTS];
	struct { uint64_t offset, len; uint32_t crc; } said[NR_PARTS];
	const char *sampled;
};

static void put_u32(struct rs_buf *b, uint32_t v)
{
	v = htole32(v);
	rs_buf_add(b, &v, sizeof v);
}

static void put_u64(struct rs_buf *b, uint64_t v)
{
	v = htole64(v);
	rs_buf_add(b, &v, sizeof v);
}

/* Two samples in process 10: of work() at prog+0x10, which is in the list, and of prog+0x20, which is not. */
static void put_records(struct rs_buf *out)
{
	struct rs_sample_source *lines = sample_lines_open(SAMPLES("200 cpu0 sample 10/10 400010", "300 cpu1 sample 10/10 400020"), false);
	struct rs_sample_merge *merge = rs_sample_merge_new(lines);
	struct rs_sample_event ev;

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev))
		rs_buf_add(out, ev.record.data, ev.record.len_bytes);
	rs_sample_merge_free(merge);
	lines->ops->close(lines);
}

/* Of /bin/prog, and of code that process 7 has made. */
static void put_symbols(struct rs_buf *out)
{
	static const char text[] = "/bin/prog\0work\0//anon\0jit";

	put_u32(out, 2);
	put_u32(out, sizeof text);
	rs_buf_add(out, text, sizeof text);
	for (int module = 0; module < 2; module++) {
		put_u32(out, module ? 15 : 0);
		put_u32(out, module ? 7 : 0);
		put_u64(out, module ? 0 : 99);
		rs_buf_pad(out, '\0', 24);
		put_u32(out, 1);
		put_u64(out, module ? 0x700010 : 0x10);
		put_u32(out, module ? 22 : 10);
	}
}

static void parts_init(struct parts *p)
{
	static const struct rs_initial_mapping mappings[] = {
		{ .pid = 10, .start = 0x400000, .end = 0x401000, .inode = 99, .path = "/bin/prog" },
		{ .pid = 11, .start = 0x400000, .end = 0x401000, .inode = 99, .path = "/bin/prog" },
		{ .pid = 7, .start = 0x700000, .end = 0x701000, .path = "//anon" },
	};

	*p = (struct parts){ .sampled = SAMPLED };
	for (int i = 0; i < NR_PARTS; i++)
		p->bytes[i] = (struct rs_buf)RS_BUF_INIT;
	put_records(&p->bytes[RECORDS]);
	rs_initial_mappings_put(&p->bytes[MAPPINGS], mappings, 3);
	put_symbols(&p->bytes[SYMBOLS]);
}

/* The recording with its parts; `change` makes what the trailer says, or the parts, wrong. */
static struct built build(struct parts *p, void (*change)(struct parts *p))
{
	struct built f = build_tracedat(&(struct recipe){ .version = 6 });
	struct rs_buf json = RS_BUF_INIT;
	uint64_t at = f.len;

	for (int i = 0; i < NR_PARTS; i++) {
		p->said[i].offset = at;
		p->said[i].len = p->bytes[i].len;
		at += p->bytes[i].len;
	}
	if (change)
		change(p);
	rs_buf_printf(&json, "{\"version\":1,%s,\"sections\":[", p->sampled);
	for (int i = 0; i < NR_PARTS; i++) {
		rs_buf_add(&f.buf, p->bytes[i].data, p->bytes[i].len);
		if (i == STRANGE && !p->bytes[i].len)
			continue;
		rs_buf_printf(&json, "%s[\"%s\",\"%llu\",\"%llu\",%u]", i ? "," : "", names[i], (unsigned long long)p->said[i].offset,
			      (unsigned long long)p->said[i].len,
			      (uint32_t)crc32(0, (const uint8_t *)p->bytes[i].data, (uInt)p->bytes[i].len) ^ p->said[i].crc);
		rs_buf_done(&p->bytes[i]);
	}
	rs_buf_puts(&json, "]}");
	rs_buf_add(&f.buf, json.data, json.len);
	put_u64(&f.buf, json.len);
	rs_buf_puts(&f.buf, "RNGSIDE1");
	rs_buf_done(&json);
	f.data = (uint8_t *)f.buf.data;
	f.len = f.buf.len;
	return f;
}

/* "work in prog, - in prog": the innermost function of each sample; "bad" of a malformed record. */
static void check_functions(const struct rs_source *s, const char *expected)
{
	struct rs_stack_builder *b = rs_stack_builder_new(s->samples, &s->info, 0);
	struct rs_sample_merge *merge = rs_sample_merge_new(s->samples);
	struct rs_buf text = RS_BUF_INIT;
	struct rs_sample_event ev;
	bool in_kernel;

	while (rs_sample_merge_next(merge, UINT64_MAX, &ev)) {
		struct rs_frame frame;

		rs_stack_builder_follow(b, &ev);
		rs_stack_builder_frame(b, rs_stack_builder_add_sample(b, &ev, &in_kernel), &frame);
		rs_buf_printf(&text, "%s%s in %s", text.len ? ", " : "", frame.function ? frame.function : "-", frame.module);
	}
	for (uint64_t i = 0; i < rs_sample_merge_nr_bad(merge); i++)
		rs_buf_puts(&text, ", bad");
	ck_assert_str_eq(text.data, expected);
	rs_buf_done(&text);
	rs_sample_merge_free(merge);
	rs_stack_builder_free(b);
}

static void two_bytes_more(struct parts *p) { p->said[SYMBOLS].len += 100000; }
static void at_the_end_of_time(struct parts *p) { p->said[SYMBOLS].offset = UINT64_MAX; p->said[SYMBOLS].len = 2; }
static void in_the_one_before(struct parts *p) { p->said[MAPPINGS].offset--; }
static void in_the_header(struct parts *p) { p->said[RECORDS].offset = 8; }
static void other_bytes(struct parts *p) { p->said[RECORDS].crc = 1; }
static void one_more(struct parts *p) { rs_buf_puts(&p->bytes[STRANGE], "r"); p->said[STRANGE].len = 1; }
static void other_kind(struct parts *p) { p->sampled = "\"sampled\":{\"event\":\"x\",\"hz\":9,\"sample_type\":65535,\"samples\":2,\"lost\":7}"; }
static void not_sampled(struct parts *p) { p->sampled = "\"x\":0"; }
static void many_mappings(struct parts *p) { memset(p->bytes[MAPPINGS].data, 0xff, 4); }
static void much_text(struct parts *p) { memset(p->bytes[MAPPINGS].data + 4, 0xff, 4); }
static void text_without_end(struct parts *p) { p->bytes[MAPPINGS].data[8 + strlen("/bin/prog") + 1 + strlen("//anon")] = 'x'; }
static void many_modules(struct parts *p) { memset(p->bytes[SYMBOLS].data, 0xff, 4); }
static void many_symbols(struct parts *p) { memset(p->bytes[SYMBOLS].data + 8 + 26 + 40, 0x7f, 4); }
static void name_behind_the_text(struct parts *p) { p->bytes[SYMBOLS].data[8 + 26 + 44 + 8] = 26; }
static void long_record(struct parts *p) { p->bytes[RECORDS].data[p->bytes[RECORDS].len / 2 + 7] = 0x7f; }
static void empty_record(struct parts *p) { memset(p->bytes[RECORDS].data + 6, 0, 2); }
static void many_frames(struct parts *p) { memset(p->bytes[RECORDS].data + 40, 0xff, 8); }

/* Each change, what the reader says, and what it reads all the same; functions NULL: why there are no samples. */
static const struct {
	void (*change)(struct parts *p);
	const char *note, *functions, *why;
} wrong[] = {
	{ NULL, NULL, "work in prog, - in prog", NULL },
	{ two_bytes_more, "the part 'symbols' at the file's end is bad and is skipped: it ends behind its place in the file", "- in prog, - in prog", NULL },
	{ at_the_end_of_time, "it ends behind its place in the file", "- in prog, - in prog", NULL },
	{ in_the_one_before, "the part 'mappings' at the file's end is bad and is skipped: it overlaps another part", "- in [unknown], - in [unknown]", NULL },
	{ in_the_header, "the part 'samples' at the file's end is bad and is skipped: it overlaps another part", NULL, "the samples in this file are damaged" },
	{ other_bytes, "the part 'samples' at the file's end is bad and is skipped: wrong checksum", NULL, "the samples in this file are damaged" },
	{ one_more, "the part 'regs' at the file's end is not known here and is skipped", "work in prog, - in prog", NULL },
	{ other_kind, NULL, NULL, "the samples in this file are of a kind that is not known here (0xffff)" },
	{ not_sampled, NULL, NULL, "this recording has no samples of the CPUs (make one with: ringside record --samples)" },
	{ many_mappings, "the part 'mappings' at the file's end is malformed", "- in [unknown], - in [unknown]", NULL },
	{ much_text, "the part 'mappings' at the file's end is malformed", "- in [unknown], - in [unknown]", NULL },
	{ text_without_end, "the part 'mappings' at the file's end is malformed", "- in [unknown], - in [unknown]", NULL },
	{ many_modules, NULL, "- in prog, - in prog", NULL },
	{ many_symbols, NULL, "- in prog, - in prog", NULL },
	{ name_behind_the_text, NULL, "- in prog, - in prog", NULL },
	{ long_record, NULL, "work in prog, bad", NULL },
	{ empty_record, NULL, ", bad", NULL },
	{ many_frames, NULL, "- in prog, bad", NULL },
};

START_TEST(parts_are_checked)
{
	struct rs_error err = { 0 };
	struct rs_source *s, *again;
	struct parts p;
	struct built f;

	parts_init(&p);
	f = build(&p, wrong[_i].change);
	s = rs_tracedat_open(built_path(&f), NULL, &err);
	ck_assert_msg(s, "%s", err.text);
	if (wrong[_i].note)
		ck_assert_msg(s->info.warnings && strstr(s->info.warnings, wrong[_i].note), "%s", s->info.warnings);
	else
		ck_assert_msg(!s->info.warnings, "%s", s->info.warnings);
	if (wrong[_i].functions) {
		ck_assert_ptr_nonnull(s->samples);
		ck_assert_uint_eq(s->samples->info.nr_samples, 2);
		ck_assert_uint_eq(s->samples->ops->nr_lost(s->samples), 7);
		ck_assert_str_eq(s->samples->info.event, "cpu-clock");
		check_functions(s, wrong[_i].functions);
		again = s->ops->again(s, &err); /* without checking sums again */
		check_functions(again, wrong[_i].functions);
		again->ops->close(again);
	} else {
		ck_assert_ptr_null(s->samples);
		ck_assert_str_eq(s->no_samples, wrong[_i].why);
	}
	s->ops->close(s);
	built_done(&f);
}
END_TEST

/* The writer moves records of any size, in many batches, and their checksum is right. */
START_TEST(records_are_moved)
{
	static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	const struct rs_trace_info info = { .nr_cpus = 1, .page_bytes = 4096, .long_bytes = 8, .clock = "boot",
					    .header_page = { header_page, sizeof header_page - 1 } };
	const struct rs_tracedat_head head = { .info = &info, .kallsyms_fd = -1 };
	const struct rs_sample_info samples = { .sample_type = 422, .event = "cpu-clock", .hz = 99, .nr_samples = 40000 };
	const struct rs_tracedat_part part = { "symbols", "\0\0\0\0\0\0\0", 8 };
	const struct rs_tracedat_tail tail = { .samples = &samples, .parts = &part, .nr_parts = 1 };
	struct rs_buf records = RS_BUF_INIT;
	char path[] = "/tmp/ringside-test-XXXXXX";
	struct rs_error err = { 0 };
	struct rs_tracedat_writer *w;
	struct rs_sample_record record;
	struct rs_source *s;
	unsigned int nr = 0;

	close(mkstemp(path));
	w = rs_tracedat_writer_open(path, 1, 4096, (uid_t)-1, (gid_t)-1, &err);
	ck_assert_msg(w && rs_tracedat_writer_begin(w, &head, &err) == 0, "%s", err.text);
	put_records(&records);
	for (int i = 0; i < 20000; i++)
		ck_assert_int_eq(rs_tracedat_writer_samples(w, records.data, records.len, &err), 0);
	ck_assert_msg(rs_tracedat_writer_finish(w, &tail, &err) == 0, "%s", err.text);
	rs_tracedat_writer_free(w);
	s = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(s && s->samples && !s->info.warnings, "%s%s", err.text, s ? s->info.warnings : "");
	for (; s->samples->ops->next(s->samples, 0, &record); nr++)
		ck_assert_mem_eq(record.data, records.data + nr % 2 * records.len / 2, record.len_bytes);
	ck_assert_uint_eq(nr, 40000);
	s->ops->close(s);
	rs_buf_done(&records);
	unlink(path);
}
END_TEST

Suite *rs_suite_tracedat_samples(void);
Suite *rs_suite_tracedat_samples(void)
{
	Suite *s = suite_create("tracedat-samples");
	TCase *t = tcase_create("tracedat-samples");

	tcase_add_loop_test(t, parts_are_checked, 0, sizeof wrong / sizeof *wrong);
	tcase_add_test(t, records_are_moved);
	suite_add_tcase(s, t);
	return s;
}
