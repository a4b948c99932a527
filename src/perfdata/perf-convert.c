// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-convert - rewrites a perf.data as a recording in trace.dat format */
#include "perfdata/perf-convert.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "perfdata/perf-counts.h"
#include "perfdata/perf-files.h"
#include "perfdata/perf-kernel.h"
#include "perfdata/perf-pages.h"
#include "perfdata/perf-records.h"
#include "perfdata/perf-rounds.h"
#include "perfdata/perf-samples.h"
#include "perfdata/perf-stacks.h"
#include "perfdata/perf-tasks.h"
#include "perfdata/perf-unwind.h"
#include "recording/file-kind.h"

#define CONVERT_MAX_CPUS 8192u       /* more no kernel can have */
#define NO_EVENT UINT32_MAX
#define CONVERT_MAX_SPAN_NS (UINT64_C(366) * 86400 * 1000000000)
#define CONVERT_CLOCKS_DIFFER_NS 1000000000 /* perf's clock is not corrected as others are */
#define RECORDS_BETWEEN_STEPS 10000u
#define SAMPLES_BATCH_BYTES (256u << 10)

/* Of a file without tracepoints. */
static const char usual_header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

/* What is left out, by its reason. */
enum convert_left_out { BAD_RECORDS, OF_NO_EVENT, WITHOUT_RAW, OF_OTHER_TRACERS, NR_LEFT_OUT };

struct convert {
	struct rs_perf_header header;
	struct rs_perf_records records;
	struct rs_perf_rounds rounds;
	struct rs_perf_formats formats;
	struct rs_page_layout layout;
	struct rs_perf_tasks tasks;
	struct rs_perf_pages pages;
	struct rs_perf_samples samples;
	struct rs_perf_unwind unwind;
	struct rs_perf_counts counts;
	struct rs_perf_stacks stacks;
	struct rs_perf_files files;
	uint64_t first_ns, last_ns;  /* of the first record with a time, and of the last */
	uint32_t owner;              /* of the file */
	struct rs_producer producer;
	struct rs_trace_info info;
	struct rs_buf kallsyms, warnings;
	const struct rs_perf_event *sampled; /* whose samples are shown as those of the CPUs; NULL: none */
	const struct rs_perf_event *unwound; /* one that has copies of the program's stack; NULL: none */
	bool has_tracepoints, has_stacks; /* has_stacks: tracepoints with callchains */
	uint64_t nr_left_out[NR_LEFT_OUT];
};

static int convert_no_memory(const struct convert *c, struct rs_error *err)
{
	return rs_fail(err, "cannot read '%s': out of memory", c->header.path);
}

/* ---- which event shows what the CPUs run ---- */

/* Lower is better; 0: it does not show that. */
static unsigned int convert_rank(const struct rs_perf_event *e)
{
	static const struct { uint32_t type; uint64_t config; unsigned int rank; } ranks[] = {
		{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 1 },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 2 },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 3 },
		{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 4 },
	};
	bool is_hardware = e->type == PERF_TYPE_HARDWARE;

	for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
		/* on machines with several kinds of cores the upper half says which */
		if (e->type == ranks[i].type &&
		    (is_hardware ? (uint32_t)e->config : e->config) == ranks[i].config)
			return ranks[i].rank;
	if (strstr(e->name, "cycles"))
		return 4;
	return e->type == PERF_TYPE_SOFTWARE || e->type == PERF_TYPE_TRACEPOINT ||
			       e->type == PERF_TYPE_BREAKPOINT ?
		       0 :
		       5;
}

static void convert_choose_event(struct convert *c)
{
	for (const struct rs_perf_event *e = c->header.events; e < c->header.events + c->header.nr_events;
	     e++) {
		unsigned int rank = convert_rank(e);

		if (rank && (!c->sampled || rank < convert_rank(c->sampled)))
			c->sampled = e;
		c->has_tracepoints |= e->type == PERF_TYPE_TRACEPOINT;
		c->has_stacks |= e->type == PERF_TYPE_TRACEPOINT &&
				 (e->info.sample_type & PERF_SAMPLE_CALLCHAIN ||
				  rs_perf_unwind_is_possible(e));
		if (rs_perf_unwind_is_possible(e) && (e == c->sampled || e->type == PERF_TYPE_TRACEPOINT))
			c->unwound = e;
	}
}

/* Cycles of the other kind of cores, of user space alone: each sample shows what a CPU ran. */
static bool convert_is_sampled(const struct convert *c, const struct rs_perf_event *e)
{
	return c->sampled &&
	       (e == c->sampled || (convert_rank(e) == convert_rank(c->sampled) && convert_rank(e) < 5));
}

/* ---- the first pass: over a pipe's records, which say what a file's header says ---- */

static void convert_count_cpu(struct convert *c, const struct rs_perf_record *record, unsigned int *nr_cpus)
{
	const struct rs_perf_event *e = rs_perf_header_event(&c->header, &record->all);
	struct rs_sample_event ev;

	if (record->type < RS_PERF_HEADER_ATTR && e && rs_sample_record_read(&e->info, &record->all, &ev) &&
	    ev.cpu < CONVERT_MAX_CPUS && ev.cpu >= *nr_cpus)
		*nr_cpus = ev.cpu + 1;
}

static int convert_survey(struct convert *c, struct rs_error *err)
{
	unsigned int nr_cpus = 1;
	struct rs_perf_record record;
	int more = rs_perf_records_begin(&c->records, &c->header, err);

	while (more >= 0 && (more = rs_perf_records_next(&c->records, &record, err)) > 0) {
		convert_count_cpu(c, &record, &nr_cpus);
		if (c->header.is_pipe)
			more = rs_perf_header_record(&c->header, record.type, record.misc, &record.body, err);
	}
	rs_perf_records_done(&c->records);
	c->records = (struct rs_perf_records){ 0 };
	if (!c->header.nr_cpus)
		c->header.nr_cpus = nr_cpus;
	if (more == 0 && !c->header.nr_events)
		return rs_fail(err,
			       "cannot read '%s': it has no events (the perf.data is cut off or damaged)",
			       c->header.path);
	return more;
}

/* ---- what the recording's head says ---- */

static const char *convert_clock_name(int clock)
{
	static const struct { int clock; const char *name; } names[] = {
		{ -1, "perf" }, { CLOCK_MONOTONIC, "mono" }, { CLOCK_MONOTONIC_RAW, "mono_raw" },
		{ CLOCK_BOOTTIME, "boot" }, { CLOCK_TAI, "tai" },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].clock == clock)
			return names[i].name;
	return NULL;
}

static void convert_warn(struct convert *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void convert_warn(struct convert *c, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	rs_buf_printf(&c->warnings, "%s%s", c->warnings.len ? "\n" : "", text);
}

static void convert_read_formats(struct convert *c)
{
	const char *wrong = c->header.tracing.len ?
				    rs_perf_formats_read(&c->formats, (const uint8_t *)c->header.tracing.data,
							 c->header.tracing.len) :
				    NULL;

	if (wrong)
		convert_warn(c, "the formats of its tracepoints are damaged: %s", wrong);
	if (wrong || !c->header.tracing.len) {
		rs_perf_formats_done(&c->formats);
		c->formats = (struct rs_perf_formats){ .big_endian = c->header.big_endian, .long_bytes = 8 };
	}
	if (!c->formats.header_page.len && c->formats.long_bytes == 8)
		c->formats.header_page = (struct rs_text){ usual_header_page, strlen(usual_header_page) };
}

static int convert_make_info(struct convert *c, struct rs_error *err)
{
	const struct rs_perf_header *h = &c->header;

	convert_read_formats(c);
	if (h->nr_cpus > CONVERT_MAX_CPUS)
		return rs_fail(
			err,
			"cannot read '%s': it says that the machine has %u CPUs (the perf.data is damaged)",
			h->path, h->nr_cpus);
	c->info = (struct rs_trace_info){
		.nr_cpus = h->nr_cpus, .page_bytes = RS_PERF_PAGE_BYTES, .long_bytes = c->formats.long_bytes,
		.big_endian = c->header.big_endian,
		.header_page = c->formats.header_page, .printk_formats = c->formats.printk_formats,
		.clock = convert_clock_name(h->clock),
		.host = *h->host ? h->host : NULL, .kernel = *h->kernel ? h->kernel : NULL,
		.machine = *h->machine ? h->machine : NULL,
		.realtime_offset_known = h->realtime_offset_known,
		.realtime_offset_ns = h->realtime_offset_ns,
	};
	if (rs_page_layout_of(&c->layout, &c->info, err) < 0)
		return -1;
	if (c->layout.data_offset + 64u > RS_PERF_PAGE_BYTES)
		return rs_fail(err, "cannot read '%s': header_page makes no sense (the perf.data is damaged)",
			       h->path);
	if (!rs_perf_files_init(&c->files) || !rs_perf_tasks_init(&c->tasks, &c->layout, &c->formats) ||
	    !rs_perf_unwind_init(&c->unwind, c->unwound, h, &c->info) ||
	    (c->has_stacks && !rs_perf_stacks_init(&c->stacks, &c->layout, &c->formats)))
		return convert_no_memory(c, err);
	c->info.formats = c->formats.formats;
	c->info.nr_formats = c->formats.nr;
	rs_perf_samples_init(&c->samples, &c->layout);
	c->producer.head = (struct rs_tracedat_head){
		.info = &c->info, .header_event = c->formats.header_event, .kallsyms_fd = -1,
	};
	return 0;
}

static int convert_open(struct convert *c, struct rs_error *err)
{
	c->producer.writer = rs_tracedat_writer_open_nameless(rs_unpack_folder(), c->info.nr_cpus,
							      RS_PERF_PAGE_BYTES, err);
	if (!c->producer.writer)
		return -1;
	if (!rs_perf_pages_init(&c->pages, &c->layout, &c->producer, c->info.nr_cpus))
		return convert_no_memory(c, err);
	return 0;
}

/* At the first record with a time: what existed before is known by now. */
static int convert_begin(struct convert *c, uint64_t begin_ns, struct rs_error *err)
{
	c->info.kallsyms = (struct rs_text){ c->kallsyms.data, c->kallsyms.len };
	rs_perf_tasks_begin(&c->tasks, begin_ns);
	c->info.snapshot = c->tasks.snapshot;
	c->info.nr_initial = c->tasks.nr_initial;
	return rs_producer_begin(&c->producer, NULL, err);
}

/* ---- records, in the order of time ---- */

static int convert_sample(struct convert *c, const struct rs_perf_event *e, struct rs_sample_event *ev,
			  uint16_t misc, struct rs_error *err)
{
	uint32_t cpu = ev->cpu == UINT32_MAX ? 0 : ev->cpu;
	struct rs_sample_counts counts;

	if (e->type != PERF_TYPE_TRACEPOINT) {
		if (convert_is_sampled(c, e)) {
			rs_perf_counts_read(&c->counts, &c->header, e, ev, &counts);
			rs_perf_unwind_sample(&c->unwind, e, ev);
			rs_perf_samples_sample(&c->samples, ev, c->counts.nr ? &counts : NULL, misc);
		}
		return 0;
	}
	if (!ev->raw) {
		c->nr_left_out[WITHOUT_RAW]++;
		return 0;
	}
	if (rs_perf_pages_record(&c->pages, cpu, ev->raw, ev->raw_bytes, ev->ts_ns, err) < 0)
		return -1;
	rs_perf_unwind_sample(&c->unwind, e, ev);
	return rs_perf_stacks_record(&c->stacks, &c->pages, cpu, ev, err);
}

static void convert_mmap(struct convert *c, const struct rs_sample_event *ev)
{
	const struct rs_perf_build_id *id;

	if (rs_perf_kernel_is(ev) && !c->producer.begun && !c->kallsyms.len &&
	    rs_perf_kernel_symbols(&c->header, ev, &c->kallsyms))
		rs_perf_files_same_boot(&c->files, &c->header, c->first_ns);
	if (ev->is_data || ev->pid <= 0)
		return;
	id = rs_perf_header_build_id(&c->header, ev->path);
	id = id ? id : rs_perf_files_build_id(&c->files, ev);
	rs_perf_samples_mmap(&c->samples, ev, id);
	rs_perf_unwind_follow(&c->unwind, ev, id);
}

static int convert_task(struct convert *c, const struct rs_sample_event *ev, struct rs_error *err)
{
	uint8_t record[RS_PERF_TASKS_RECORD_BYTES];
	uint32_t len = rs_perf_tasks_record(&c->tasks, ev, record);

	if (ev->kind == RS_SAMPLE_FORK || ev->kind == RS_SAMPLE_EXEC) {
		rs_perf_samples_task(&c->samples, ev);
		rs_perf_unwind_follow(&c->unwind, ev, NULL);
	}
	return len ? rs_perf_pages_record(&c->pages, ev->cpu == UINT32_MAX ? 0 : ev->cpu, record, len,
					  ev->ts_ns, err) :
		     0;
}

static int convert_lost(struct convert *c, const struct rs_sample_event *ev, struct rs_error *err)
{
	const struct rs_perf_event *of = rs_perf_header_event_of_id(&c->header, ev->lost_id);

	if (of ? of->type == PERF_TYPE_TRACEPOINT : c->has_tracepoints)
		return rs_perf_pages_lost(&c->pages, ev->cpu == UINT32_MAX ? 0 : ev->cpu, ev->nr_lost, err);
	rs_perf_samples_lost(&c->samples, ev);
	return 0;
}

static int convert_item(struct convert *c, const struct rs_perf_item *item, struct rs_error *err)
{
	struct rs_sample_record record = rs_perf_rounds_record(&c->rounds, item);
	struct rs_bytes head = { .data = record.data, .len = record.len_bytes, .at = 4,
				 .big_endian = c->header.big_endian };
	const struct rs_perf_event *e = &c->header.events[item->event];
	struct rs_sample_event ev;

	if (!rs_sample_record_read(&e->info, &record, &ev))
		return 0; /* counted when it came */
	ev.ts_ns = item->ts_ns;
	if (item->ts_ns > c->last_ns)
		c->last_ns = item->ts_ns;
	if (item->ts_ns && !c->producer.begun && convert_begin(c, item->ts_ns, err) < 0)
		return -1;
	switch (ev.kind) {
	case RS_SAMPLE_OF_CPU:
		return convert_sample(c, e, &ev, rs_bytes_u16(&head), err);
	case RS_SAMPLE_MMAP:
		convert_mmap(c, &ev);
		return 0;
	case RS_SAMPLE_LOST:
		return convert_lost(c, &ev, err);
	case RS_SAMPLE_FORK:
	case RS_SAMPLE_EXEC:
	case RS_SAMPLE_RENAME:
	case RS_SAMPLE_EXIT:
		return convert_task(c, &ev, err);
	case RS_SAMPLE_PROBE:
	case RS_SAMPLE_OTHER:
		break;
	}
	return 0;
}

/* Nothing is written before the recording begins: until then it is the mappings that existed before. */
static int convert_take_samples(struct convert *c, struct rs_error *err)
{
	struct rs_buf *out = &c->samples.out;
	int ret;

	if (out->failed || c->kallsyms.failed)
		return convert_no_memory(c, err);
	if (!c->producer.begun)
		return 0;
	ret = rs_producer_add_samples(&c->producer, out->data, out->len, err);
	rs_buf_clear(out);
	return ret;
}

static int convert_take_due(struct convert *c, bool all, struct rs_error *err)
{
	const struct rs_perf_item *item;

	if (!rs_perf_rounds_sort(&c->rounds, all))
		return 0;
	for (size_t i = 0; i < c->rounds.nr && !c->first_ns; i++)
		c->first_ns = c->rounds.items[i].ts_ns;
	while ((item = rs_perf_rounds_next(&c->rounds)))
		if (convert_item(c, item, err) < 0 ||
		    (c->samples.out.len >= SAMPLES_BATCH_BYTES && convert_take_samples(c, err) < 0))
			return -1;
	return convert_take_samples(c, err);
}

/* ---- records, as they come ---- */

static int convert_add(struct convert *c, const struct rs_perf_record *record, struct rs_error *err)
{
	struct rs_perf_event *e = rs_perf_header_event(&c->header, &record->all);
	struct rs_sample_event ev;
	uint64_t ts_ns;

	if (!e) {
		c->nr_left_out[OF_NO_EVENT]++;
		return 0;
	}
	if (!rs_sample_record_read(&e->info, &record->all, &ev)) {
		c->nr_left_out[BAD_RECORDS]++;
		return 0;
	}
	e->nr_samples += ev.kind == RS_SAMPLE_OF_CPU;
	ts_ns = e->info.sample_type & PERF_SAMPLE_TIME ? ev.ts_ns : c->rounds.round_ns;
	if (ev.kind != RS_SAMPLE_OTHER &&
	    !rs_perf_rounds_add(&c->rounds, ts_ns, (uint32_t)(e - c->header.events), &record->all))
		return convert_no_memory(c, err);
	return 0;
}

static int convert_record(struct convert *c, const struct rs_perf_record *record, struct rs_error *err)
{
	if (record->type == RS_PERF_FINISHED_ROUND)
		rs_perf_rounds_end(&c->rounds);
	else if (record->type == RS_PERF_AUXTRACE)
		c->nr_left_out[OF_OTHER_TRACERS]++;
	else if (record->type < RS_PERF_HEADER_ATTR && convert_add(c, record, err) < 0)
		return -1;
	return convert_take_due(c, false, err);
}

static int convert_records(struct convert *c, const struct rs_unpack_progress *progress, struct rs_error *err)
{
	const struct rs_perf_header *h = &c->header;
	struct rs_perf_record record;
	uint64_t nr = 0;
	int more = rs_perf_records_begin(&c->records, h, err);

	while (more >= 0 && (more = rs_perf_records_next(&c->records, &record, err)) > 0) {
		more = convert_record(c, &record, err);
		if (progress && progress->step && ++nr % RECORDS_BETWEEN_STEPS == 0)
			progress->step(progress->arg, c->records.at - h->data_at, h->data_end - h->data_at);
	}
	return more < 0 ? -1 : convert_take_due(c, true, err);
}

/* ---- the end ---- */

static void convert_explain(struct convert *c)
{
	static const char *const reasons[NR_LEFT_OUT] = {
		[BAD_RECORDS] = "malformed records",
		[OF_NO_EVENT] = "records of an event that it does not describe",
		[WITHOUT_RAW] = "records of tracepoints that were recorded without their fields",
		[OF_OTHER_TRACERS] = "parts of a CPU's own tracer (AUX)",
	};

	if (c->header.is_cut && !c->records.cut)
		c->records.cut = "perf record did not finish it, or its end is missing";
	if (c->records.cut)
		convert_warn(c, "the perf.data is cut off or damaged: %s", c->records.cut);
	for (int i = 0; i < NR_LEFT_OUT; i++)
		if (c->nr_left_out[i])
			convert_warn(c, "left out: %" PRIu64 " %s", c->nr_left_out[i], reasons[i]);
	if (c->pages.nr_left_out)
		convert_warn(c,
			     "left out: %" PRIu64 " records of a CPU that the machine has not, or too long",
			     c->pages.nr_left_out);
	for (const struct rs_perf_event *e = c->header.events; e < c->header.events + c->header.nr_events;
	     e++)
		if (e->nr_samples && e->type != PERF_TYPE_TRACEPOINT && !convert_is_sampled(c, e))
			convert_warn(c, "left out: %" PRIu64 " samples of '%s'%s%s", e->nr_samples,
				     *e->name ? e->name : "an event without a name",
				     c->sampled ? "; CPU samples are those of " :
						  ", which do not show what the CPUs run",
				     c->sampled ? c->sampled->name : "");
}

/* Of this machine and boot alone: which maps of code that processes have made may be theirs. */
static void convert_limit_maps(const struct convert *c, struct rs_sample_info *sampled)
{
	uint64_t span_ns = c->last_ns > c->first_ns ? c->last_ns - c->first_ns : 0;

	if (!c->files.begin_wall_ns || span_ns > CONVERT_MAX_SPAN_NS)
		return;
	sampled->jitted_from_ns = c->files.begin_wall_ns;
	sampled->jitted_to_ns = c->files.begin_wall_ns + (int64_t)span_ns + CONVERT_CLOCKS_DIFFER_NS;
	sampled->jitted_owner = c->owner;
}

static int convert_finish(struct convert *c, int *to, struct rs_error *err)
{
	struct rs_sample_info sampled = {
		.event = c->sampled && *c->sampled->name ? c->sampled->name : "an event",
		.hz = c->sampled ? c->sampled->hz : 0,
		.sample_type = RS_SAMPLE_RECORD_TYPE | (c->counts.nr ? PERF_SAMPLE_READ : 0),
		.read_format = RS_SAMPLES_READ_FORMAT, .nr_counters = c->counts.nr,
		.nr_samples = c->samples.nr_samples, .nr_lost = c->samples.nr_lost, .by_build_id = true,
	};

	memcpy(sampled.counters, c->counts.counters, sizeof sampled.counters);
	convert_limit_maps(c, &sampled);
	if (!c->producer.begun && convert_begin(c, 0, err) < 0)
		return -1;
	if (rs_perf_pages_end(&c->pages, err) < 0)
		return -1;
	convert_explain(c);
	c->producer.tail = (struct rs_tracedat_tail){
		.samples = c->sampled || c->has_stacks ? &sampled : NULL, .warnings = c->warnings.data,
	};
	if (convert_take_samples(c, err) < 0 || rs_producer_finish(&c->producer, err) < 0)
		return -1;
	*to = rs_tracedat_writer_dup(c->producer.writer);
	return *to < 0 ? rs_fail(err, "cannot read '%s': %s", c->header.path, strerror(errno)) : 0;
}

static void convert_done(struct convert *c)
{
	rs_perf_records_done(&c->records);
	rs_perf_rounds_done(&c->rounds);
	rs_perf_pages_done(&c->pages);
	rs_perf_samples_done(&c->samples);
	rs_perf_unwind_done(&c->unwind);
	rs_perf_stacks_done(&c->stacks);
	rs_perf_files_done(&c->files);
	rs_perf_tasks_done(&c->tasks);
	rs_perf_formats_done(&c->formats);
	rs_perf_header_done(&c->header);
	rs_tracedat_writer_free(c->producer.writer);
	rs_producer_done(&c->producer);
	rs_buf_done(&c->kallsyms);
	rs_buf_done(&c->warnings);
	free(c);
}

static int convert_file(int fd, const char *path, uid_t owner, const struct rs_unpack_progress *progress,
			int *to, struct rs_error *err)
{
	struct convert *c = calloc(1, sizeof *c);
	int ret = -1;

	if (!c)
		return rs_fail(err, "cannot read '%s': out of memory", path);
	c->owner = owner;
	c->kallsyms = c->warnings = c->samples.out = (struct rs_buf)RS_BUF_INIT;
	rs_perf_rounds_init(&c->rounds);
	if (rs_perf_header_read(&c->header, fd, path, err) == 0 &&
	    ((!c->header.is_pipe && c->header.nr_cpus) || convert_survey(c, err) == 0)) {
		convert_choose_event(c);
		rs_perf_counts_init(&c->counts, &c->header, c->sampled);
		if (convert_make_info(c, err) == 0 && convert_open(c, err) == 0 &&
		    convert_records(c, progress, err) == 0)
			ret = convert_finish(c, to, err);
	}
	convert_done(c);
	return ret;
}

/* perf record --threads and perf record with AUX areas make a folder of files. */
static int convert_refuse_folder(const char *path, struct rs_error *err)
{
	char header[4096];

	if ((size_t)snprintf(header, sizeof header, "%s/header", path) < sizeof header &&
	    access(header, F_OK) == 0)
		return rs_fail(err,
			       "cannot read '%s': it is a folder of perf record --threads (record without "
			       "--threads)",
			       path);
	return 0;
}

int rs_perf_convert(int fd, const char *path, const struct rs_unpack_progress *progress, int *to,
		    struct rs_error *err)
{
	/* O_NONBLOCK: to open a FIFO would else wait for a writer */
	int own_fd = fd >= 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY),
	    of = fd >= 0 ? fd : own_fd, ret = 0;
	size_t path_len = strlen(path);
	uint8_t head[RS_PERFDATA_MAGIC_BYTES];
	struct stat st;

	*to = -1;
	path += path_len > 200 ? path_len - 200 : 0;
	if (of < 0 || fstat(of, &st) < 0)
		return 0;
	if (S_ISDIR(st.st_mode))
		ret = convert_refuse_folder(path, err);
	else if (S_ISREG(st.st_mode) && pread(of, head, sizeof head, 0) == sizeof head &&
		 rs_file_kind_is_perfdata(head, sizeof head))
		ret = convert_file(of, path, st.st_uid, progress, to, err);
	if (own_fd >= 0)
		close(own_fd);
	return ret;
}
