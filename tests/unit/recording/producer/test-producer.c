// SPDX-License-Identifier: GPL-2.0-or-later
/* test-producer - what a file and a stream have of the same capture; samples of a range, and of some CPUs */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lines.h"
#include "recording/producer/producer.h"
#include "recording/recording.h"
#include "sample-lines.h"

Suite *rs_suite_producer(void);

/* Process 7 runs before, in and behind the time from 200 to 300, on two CPUs. */
static struct rs_source *capture(const struct layout *layout)
{
	struct rs_source *source = rs_lines_source(LINES(
		"100 cpu0 sched_switch idle/0 R -> prog/7",
		"150 cpu1 sched_switch idle/0 R -> prog/8",
		"cpu1 page",
		"350 cpu1 sched_switch prog/8 S -> idle/0",
		"400 cpu0 sched_switch prog/7 S -> idle/0"), layout);

	source->samples = sample_lines_open(SAMPLES(
		"90 cpu0 map 7 400000-401000 0 /bin/prog",
		"110 cpu0 sample 7/7 400010 400020",
		"200 cpu1 sample 7/8 400030",
		"250 cpu0 lost 5",
		"300 cpu0 sample 7/7 400040",
		"310 cpu0 sample 7/7 400050"), layout->big_endian);
	return source;
}

static void close_capture(struct rs_source *source)
{
	source->samples->ops->close(source->samples);
	source->ops->close(source);
}

static int write_to_fd(void *arg, const void *data, size_t len_bytes, struct rs_error *err)
{
	return write(*(int *)arg, data, len_bytes) == (ssize_t)len_bytes ? 0 : rs_fail(err, "short write");
}

static void produce(struct rs_producer *p, struct rs_source *source, uint64_t until_ns)
{
	struct rs_error err = { 0 };
	struct rs_page page;

	p->head = (struct rs_tracedat_head){ .info = &source->info, .kallsyms_fd = -1 };
	ck_assert_msg(rs_producer_begin(p, source, &err) == 0, "%s", err.text);
	ck_assert_int_eq(rs_producer_take_samples(p, until_ns, &err), 0);
	for (unsigned int cpu = 0; cpu < source->info.nr_cpus; cpu++)
		while (source->ops->next(source, cpu, &page, &err) == RS_NEXT_PAGE)
			ck_assert_int_eq(rs_producer_page(p, cpu, page.data, page.len_bytes, &err), 0);
	ck_assert_msg(rs_producer_finish(p, &err) == 0, "%s", err.text);
	rs_producer_done(p);
	close_capture(source);
}

static struct rs_source *reopen(int fd)
{
	struct rs_error err = { 0 };
	struct rs_source *source = rs_tracedat_open_fd(fd, "produced", NULL, &err);

	ck_assert_msg(source != NULL, "%s", err.text);
	return source;
}

static struct rs_source *to_file(struct rs_source *source, uint64_t from_ns, uint64_t to_ns, const bool *cpus)
{
	struct rs_error err = { 0 };
	struct rs_producer p = { .from_ns = from_ns, .cpus = cpus };
	struct rs_source *made;

	p.writer = rs_tracedat_writer_open_nameless("/tmp", source->info.nr_cpus, source->info.page_bytes,
						    &err);
	ck_assert_msg(p.writer != NULL, "%s", err.text);
	produce(&p, source, to_ns);
	made = reopen(rs_tracedat_writer_dup(p.writer));
	rs_tracedat_writer_free(p.writer);
	return made;
}

static struct rs_source *to_stream(struct rs_source *source, const uint64_t *nr_pages, uint64_t from_ns,
				   uint64_t to_ns, const bool *cpus)
{
	int fd = memfd_create("stream", MFD_CLOEXEC);
	struct rs_tracedat_stream stream = { .nr_pages = nr_pages, .write = write_to_fd, .arg = &fd };
	struct rs_producer p = { .stream = &stream, .from_ns = from_ns, .cpus = cpus };

	produce(&p, source, to_ns);
	rs_tracedat_stream_done(&stream);
	return reopen(fd);
}

/* Of each CPU. */
static uint64_t *count_pages(const struct layout *layout)
{
	struct rs_source *source = capture(layout);
	uint64_t *nr = calloc(source->info.nr_cpus, sizeof *nr);
	struct rs_error err = { 0 };
	struct rs_page page;

	for (unsigned int cpu = 0; cpu < source->info.nr_cpus; cpu++)
		while (source->ops->next(source, cpu, &page, &err) == RS_NEXT_PAGE)
			nr[cpu]++;
	close_capture(source);
	return nr;
}

static void check_same_pages(struct rs_source *a, struct rs_source *b)
{
	struct rs_error err = { 0 };
	struct rs_page page, other;
	unsigned int nr = 0;

	ck_assert_uint_eq(a->info.nr_cpus, b->info.nr_cpus);
	for (unsigned int cpu = 0; cpu < a->info.nr_cpus; cpu++)
		while (a->ops->next(a, cpu, &page, &err) == RS_NEXT_PAGE) {
			ck_assert_int_eq(b->ops->next(b, cpu, &other, &err), RS_NEXT_PAGE);
			ck_assert_uint_eq(page.len_bytes, other.len_bytes);
			ck_assert_mem_eq(page.data, other.data, page.len_bytes);
			nr++;
		}
	ck_assert_uint_eq(nr, 3);
}

static void check_same_samples(struct rs_source *a, struct rs_source *b, unsigned int nr_records)
{
	struct rs_sample_source *x = a->samples, *y = b->samples;
	struct rs_sample_record record, other;
	unsigned int nr = 0;

	ck_assert(x && y);
	ck_assert_uint_eq(x->info.nr_samples, y->info.nr_samples);
	ck_assert_uint_eq(x->info.symbols_len, y->info.symbols_len);
	ck_assert_mem_eq(x->info.symbols, y->info.symbols, x->info.symbols_len);
	for (; x->ops->next(x, 0, &record); nr++) {
		ck_assert(y->ops->next(y, 0, &other));
		ck_assert_uint_eq(record.len_bytes, other.len_bytes);
		ck_assert_mem_eq(record.data, other.data, record.len_bytes);
	}
	ck_assert(!y->ops->next(y, 0, &other));
	ck_assert_uint_eq(nr, nr_records);
}

/* In each row: what was asked for, and what is there of samples, and of records with the map and the loss. */
static const struct asked {
	uint64_t from_ns, to_ns;
	bool is_of_cpus, cpus[2];
	unsigned int nr_samples, nr_records;
} asked[] = {
	{ .to_ns = UINT64_MAX, .nr_samples = 4, .nr_records = 6 },
	{ .from_ns = 200, .to_ns = 300, .nr_samples = 2, .nr_records = 4 },
	{ .to_ns = UINT64_MAX, .is_of_cpus = true, .cpus = { false, true }, .nr_samples = 1, .nr_records = 3 },
};

START_TEST(a_file_and_a_stream_have_the_same)
{
	const struct layout *layout = &rs_layouts[(unsigned int)_i % rs_nr_layouts];
	const struct asked *of = &asked[(unsigned int)_i / rs_nr_layouts];
	const bool *cpus = of->is_of_cpus ? of->cpus : NULL;
	uint64_t *nr_pages = count_pages(layout);
	struct rs_source *file = to_file(capture(layout), of->from_ns, of->to_ns, cpus),
			 *stream = to_stream(capture(layout), nr_pages, of->from_ns, of->to_ns, cpus);

	ck_assert_uint_eq(file->samples->info.nr_samples, of->nr_samples);
	check_same_pages(file, stream);
	check_same_samples(file, stream, of->nr_records);
	file->ops->close(file);
	stream->ops->close(stream);
	free(nr_pages);
}
END_TEST

Suite *rs_suite_producer(void)
{
	Suite *s = suite_create("producer");
	TCase *t = tcase_create("producer");

	tcase_add_loop_test(t, a_file_and_a_stream_have_the_same, 0,
			    (int)(rs_nr_layouts * (sizeof asked / sizeof *asked)));
	suite_add_tcase(s, t);
	return s;
}
