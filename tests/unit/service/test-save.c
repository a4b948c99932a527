// SPDX-License-Identifier: GPL-2.0-or-later
/* test-save - a part of the range as a file, in each format, and to who does not read it */
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chrome-check.h"
#include "recording/recording.h"
#include "service/save.h"
#include "decode/retime.h"
#include "skip.h"

Suite *rs_suite_save(void);

/* ---- a capture of a recording's events, and a window behind it ---- */

static struct rs_source *source;
static struct rs_session *session;
static struct rs_time_range_source_config range;
static struct rs_quality all;
static struct rs_task_snapshot living, created;
static int fd;

static struct rs_time_range_config config_between(uint64_t from_ns, uint64_t to_ns)
{
	struct rs_time_range_config config = { .session = { .from_ns = from_ns, .to_ns = to_ns } };

	for (size_t i = 0; rs_plugins_all()[i]; i++)
		if (!rs_plugins_all()[i]->by_name)
			config.session.analyses[config.session.nr_analyses++] = rs_plugins_all()[i];
	return config;
}

/* A recording whose pages hold cycles of 2/3 ns: a TSC2NSEC option stands where a CPUSTAT one began. Little-endian. */
static int with_a_factor(const char *path)
{
	static const uint8_t option[] = { 14, 0, 16, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
	int in = open(path, O_RDONLY | O_CLOEXEC), out = memfd_create("factor", MFD_CLOEXEC);
	off_t len = lseek(in, 0, SEEK_END);
	uint8_t *file = malloc((size_t)len), *at;
	uint32_t left;

	ck_assert_int_eq(pread(in, file, (size_t)len, 0), len);
	at = memmem(file, (size_t)len, "options  ", 10);
	ck_assert_ptr_nonnull(at);
	for (at += 10; at[0] != 2; at += 6 + left)
		memcpy(&left, at + 2, sizeof left);
	memcpy(&left, at + 2, sizeof left);
	memcpy(at, option, sizeof option);
	left -= (uint32_t)sizeof option;
	memcpy(at + sizeof option, "\2\0", 2);
	memcpy(at + sizeof option + 2, &left, sizeof left);
	ck_assert_int_eq(write(out, file, (size_t)len), len);
	free(file);
	close(in);
	return out;
}

static void begin_source(struct rs_source *of, size_t window_bytes)
{
	struct rs_time_range_config config = config_between(0, 0);
	struct rs_error err = { 0 };

	source = of;
	range = (struct rs_time_range_source_config){ .of = source };
	if (window_bytes)
		range.window = source->window = rs_window_new(&source->info, window_bytes, 0, &err);
	session = rs_session_new(&config.session, &err);
	ck_assert_int_eq(rs_session_attach(session, source, &err), 0);
	while (rs_session_run(session, UINT64_MAX, &err) == RS_RUN_MORE)
		;
	rs_session_quality(session, &all);
	fd = memfd_create("saved", MFD_CLOEXEC);
	ck_assert_int_ge(fd, 0);
}

static void begin(const char *name, size_t window_bytes)
{
	struct rs_error err = { 0 };
	struct rs_source *of;
	char path[64];

	snprintf(path, sizeof path, "tests/traces/%s.dat", name);
	of = rs_tracedat_open(path, NULL, &err);
	ck_assert_msg(of != NULL, "%s", err.text);
	begin_source(of, window_bytes);
}

static void end(void)
{
	close(fd);
	rs_task_snapshot_done(&living);
	rs_task_snapshot_done(&created);
	rs_session_free(session);
	rs_window_free(range.window);
	source->ops->close(source);
}

/* The part in 16ths of the whole. */
static struct rs_save save_of(unsigned int from, unsigned int to)
{
	uint64_t length_ns = all.to_ns - all.from_ns, from_ns = all.from_ns + length_ns / 16 * from,
		 to_ns = all.from_ns + length_ns / 16 * to;
	struct rs_save save = { .origin = &range, .config = config_between(from_ns, to_ns), .out = { .fd = fd } };

	living.nr = created.nr = 0;
	ck_assert_int_eq(rs_session_initial_tasks(session, from_ns, to_ns, &living, &created), 0);
	save.config.snapshot = living.row;
	save.config.nr_initial = living.nr;
	save.created = created.row;
	save.nr_created = created.nr;
	return save;
}

static char *text_saved(void)
{
	off_t len = lseek(fd, 0, SEEK_END);
	char *text = calloc(1, (size_t)len + 1);

	ck_assert_int_eq(pread(fd, text, (size_t)len, 0), len);
	return text;
}

static void save_as(struct rs_save *save, const char *format)
{
	struct rs_error err = { 0 };

	ck_assert_msg(rs_save(save, format, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(save->out.bytes, (uint64_t)lseek(fd, 0, SEEK_END));
}

/* ---- trace.dat ---- */

/* Its path, while fd is open. */
static const char *path_saved(void)
{
	static char path[32];

	snprintf(path, sizeof path, "/proc/%d/fd/%d", getpid(), fd);
	return path;
}

struct summed {
	struct rs_span_sink sink; /* first */
	uint64_t nr, sum, names;
};

/* In any order: what is open at the end comes task by task, in the order of their first sight. */
static void sum_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind, const struct rs_span *span)
{
	struct summed *s = (struct summed *)(void *)sink;
	uint64_t h = 14695981039346656037u;

	h = (h ^ span->start_ns) * 1099511628211u;
	h = (h ^ span->end_ns) * 1099511628211u;
	h = (h ^ span->arg) * 1099511628211u;
	s->nr++;
	s->sum += h;
	for (const char *at = span->task ? span->task->comm : ""; *at; at++)
		h = (h ^ (uint64_t)*at) * 1099511628211u;
	s->names += span->task ? h ^ (uint64_t)span->task->pid << 32 : 0;
}

static struct summed sum_of(struct rs_source *s, const struct rs_session_config *config, struct rs_quality *quality)
{
	struct summed sum = { .sink.span = sum_span };
	struct rs_session *again;
	struct rs_error err = { 0 };

	again = rs_session_new(config, &err);
	rs_session_emit_span(again, &sum.sink);
	ck_assert_msg(rs_session_attach(again, s, &err) == 0, "%s", err.text);
	while (rs_session_run(again, UINT64_MAX, &err) == RS_RUN_MORE)
		;
	rs_session_end(again);
	rs_session_quality(again, quality);
	rs_session_free(again);
	ck_assert_msg(err.status == RS_OK, "%s", err.text);
	return sum;
}

static const char *const files[] = {
	"debian-6.1-amd64-mixed", "debian-6.1-s390x-v6", "debian-6.1-i386-v6", "debian-6.1-amd64-lost",
};

/* What is read of the file is what the pages of that time say, and who lived then. */
START_TEST(a_recording_of_a_time_range)
{
	struct rs_time_range_config config;
	struct rs_quality quality_saved, quality_of_range;
	struct summed saved, of_range;
	struct rs_source *pages, *file;
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_save save;

	begin(files[_i / 2], _i % 2 ? 8 << 20 : 0);
	save = save_of(5, 11);
	config = save.config;
	config.exact = true;
	save_as(&save, "trace.dat");
	pages = rs_time_range_source(&range, &config, &why, &err);
	config.session.from_ns = config.session.to_ns = 0;
	of_range = sum_of(pages, &config.session, &quality_of_range);
	pages->ops->close(pages);
	file = rs_tracedat_open(path_saved(), NULL, &err);
	ck_assert_msg(file != NULL, "%s", err.text);
	ck_assert_msg(!file->info.warnings, "%s", file->info.warnings);
	saved = sum_of(file, &config.session, &quality_saved);
	file->ops->close(file);
	ck_assert_uint_gt(saved.nr, 100);
	ck_assert_uint_eq(saved.nr, of_range.nr);
	ck_assert_uint_eq(saved.sum, of_range.sum);
	ck_assert_uint_eq(saved.names, of_range.names);
	ck_assert_uint_eq(quality_saved.events, save.nr_events);
	ck_assert_uint_eq(quality_of_range.events, save.nr_events);
	ck_assert_uint_eq(quality_saved.gaps, quality_of_range.gaps);
	ck_assert_uint_ge(quality_saved.from_ns, save.config.session.from_ns);
	ck_assert_uint_le(quality_saved.to_ns, save.config.session.to_ns);
	end();
}
END_TEST

static unsigned long run(const char *command)
{
	char line[512];
	unsigned long nr;
	FILE *f;

	snprintf(line, sizeof line, command, path_saved());
	f = popen(line, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%lu", &nr), 1);
	pclose(f);
	return nr;
}

/*
 * Of a recording of cycles: its range is found by time, without a window or in one, and saved as nanoseconds; and what was
 * saved says the same as what it was saved of, to ringside and to trace-cmd.
 */
START_TEST(a_time_range_in_cycles)
{
	struct rs_quality quality_saved, quality_of_range;
	struct summed saved, of_range;
	struct rs_source *pages, *file;
	struct rs_error err = { 0 };
	enum rs_time_range_why why;
	struct rs_save save;
	struct rs_time_range_config config;
	int cycles = with_a_factor("tests/traces/debian-6.1-amd64-v6.dat");

	source = rs_tracedat_open_fd(cycles, "cycles", NULL, &err);
	close(cycles);
	ck_assert_msg(source != NULL, "%s", err.text);
	ck_assert_ptr_nonnull(source->info.time_map);
	begin_source(rs_retime(source, &err), _i ? 8 << 20 : 0);
	ck_assert_str_eq(all.clock, "tsc2nsec");
	ck_assert_str_eq(all.unit, "ns");
	/* the recording's first event is at 39.970034785 s of its counter, times 3 / 2 */
	ck_assert_uint_eq(all.from_ns, 59955052177);
	save = save_of(5, 11);
	config = save.config;
	config.exact = true;
	save_as(&save, "trace.dat");
	pages = rs_time_range_source(&range, &config, &why, &err);
	config.session.from_ns = config.session.to_ns = 0;
	of_range = sum_of(pages, &config.session, &quality_of_range);
	pages->ops->close(pages);
	file = rs_tracedat_open(path_saved(), NULL, &err);
	ck_assert_msg(file != NULL, "%s", err.text);
	ck_assert_ptr_null(file->info.time_map);
	ck_assert_str_eq(file->info.clock, "tsc2nsec");
	saved = sum_of(file, &config.session, &quality_saved);
	file->ops->close(file);
	ck_assert_uint_gt(saved.nr, 100);
	ck_assert_uint_eq(saved.nr, of_range.nr);
	ck_assert_uint_eq(saved.sum, of_range.sum);
	ck_assert_uint_eq(quality_saved.events, save.nr_events);
	ck_assert_uint_gt(save.nr_events, all.events / 16);
	ck_assert_uint_lt(save.nr_events, all.events);
	ck_assert_uint_ge(quality_saved.from_ns, save.config.session.from_ns);
	ck_assert_uint_le(quality_saved.to_ns, save.config.session.to_ns);
	if (!system("command -v trace-cmd >/dev/null 2>&1"))
		ck_assert_uint_eq(run("trace-cmd report -i %s 2>/dev/null | grep -c ' \\[[0-9]*\\] '"), save.nr_events);
	end();
}
END_TEST

/* A program that knows nothing of us finds the same events, and nothing to warn of. */
START_TEST(trace_cmd_reads_it)
{
	struct rs_save save;

	if (system("command -v trace-cmd >/dev/null 2>&1"))
		SKIP("trace-cmd is not installed");
	begin(files[_i], 8 << 20);
	save = save_of(5, 11);
	save_as(&save, "trace.dat");
	ck_assert_uint_eq(run("trace-cmd report -i %s 2>&1 >/dev/null | wc -l"), 0);
	ck_assert_uint_eq(run("trace-cmd report -i %s | grep -c ' \\[[0-9]*\\] '"), save.nr_events);
	end();
}
END_TEST

/* Of a window that has moved on since the begin was chosen: pages that have gone are lost, and told as that. */
START_TEST(expired_pages)
{
	struct rs_quality quality;
	struct rs_source *file;
	struct rs_error err = { 0 };
	struct rs_window_stats stats;
	struct rs_save save;

	begin(files[0], 32 * 4200);
	rs_window_stats(range.window, &stats);
	save = save_of(0, 16);
	save_as(&save, "trace.dat");
	ck_assert_uint_gt(save.nr_events, 100);
	ck_assert_uint_lt(save.nr_events, all.events);
	file = rs_tracedat_open(path_saved(), NULL, &err);
	ck_assert_msg(file != NULL, "%s", err.text);
	sum_of(file, &save.config.session, &quality);
	file->ops->close(file);
	ck_assert_uint_eq(quality.events, save.nr_events);
	ck_assert_uint_eq(quality.bad_pages, 0);
	end();
}
END_TEST

/* ---- the others ---- */

START_TEST(as_chrome)
{
	struct rs_save save;
	struct chrome *t;

	begin(files[_i / 2], 8 << 20);
	save = save_of(5, 11);
	save.config.before_ns = _i % 2 ? 1000000000 : 0;
	save_as(&save, "chrome");
	t = rs_chrome_parse(text_saved());
	rs_chrome_check(t);
	ck_assert_uint_gt(rs_chrome_count(t, "X", NULL), 50);
	rs_chrome_free(t);
	end();
}
END_TEST

START_TEST(as_json)
{
	unsigned int nr = 0, nr_calls = 0;
	struct rs_save save;
	char *text, *at, *line;

	begin(files[0], 8 << 20);
	save = save_of(5, 11);
	save_as(&save, "json");
	at = text = text_saved();
	while ((line = strsep(&at, "\n")) && *line) {
		cJSON *row = cJSON_Parse(line);
		const cJSON *view = cJSON_GetObjectItem(row, "_view"), *last = cJSON_GetObjectItem(row, "_meta");

		ck_assert_msg(row != NULL, "no JSON: %s", line);
		ck_assert(view || last);
		ck_assert(!last || !at || !*at);
		nr_calls += view && !strcmp(view->valuestring, "syscalls");
		nr++;
		cJSON_Delete(row);
	}
	ck_assert_uint_gt(nr, 100);
	ck_assert_uint_gt(nr_calls, 50);
	free(text);
	end();
}
END_TEST

/* What begins with a view's name is a table of its own: its header first, each row as many cells. */
START_TEST(as_csv)
{
	unsigned int nr = 0, nr_cells = 0;
	struct rs_save save;
	char *text, *at, *line;

	begin(files[0], 8 << 20);
	save = save_of(5, 11);
	save_as(&save, "csv");
	at = text = text_saved();
	while ((line = strsep(&at, "\n")) && *line) {
		unsigned int cells = 1;

		if (strncmp(line, "cpus,", 5))
			continue;
		for (const char *c = line; *c; c++)
			cells += *c == ',';
		ck_assert(nr || !strncmp(line, "cpus,cpu,", 9));
		ck_assert(!nr || cells == nr_cells);
		nr_cells = cells;
		nr++;
	}
	ck_assert_uint_eq(nr, 1 + source->info.nr_cpus);
	free(text);
	end();
}
END_TEST

/*
 * Of a recording whose first event is at 39.970034785 s, from 0.1 to 0.12 s after it, trace-cmd report shows 75 events.
 * So many are saved and told, however much is read before them that what is in flight then is known.
 */
START_TEST(what_is_read_before_is_not_saved)
{
	static const char *const formats[] = { "trace.dat", "chrome", "json", "csv", "perfetto" };
	const uint64_t from_ns = 39970034785 + 100000000, to_ns = from_ns + 20000000;
	struct rs_save save = { .origin = &range };
	struct rs_error err = { 0 };
	struct rs_source *file;
	struct rs_quality quality;

	begin("debian-6.1-amd64-v6", _i % 2 ? 8 << 20 : 0);
	save.out.fd = fd;
	save.config = config_between(from_ns, to_ns);
	save.config.before_ns = 1000000000;
	save.config.before_bytes = 128 << 20;
	save_as(&save, formats[_i / 2]);
	ck_assert_uint_eq(save.nr_events, 75);
	if (_i / 2 == 0) {
		save.config.session.from_ns = save.config.session.to_ns = 0;
		file = rs_tracedat_open(path_saved(), NULL, &err);
		ck_assert_msg(file != NULL, "%s", err.text);
		sum_of(file, &save.config.session, &quality);
		file->ops->close(file);
		ck_assert_uint_eq(quality.events, 75);
	}
	end();
}
END_TEST

/* ---- who takes it ---- */

static void refused(struct rs_save *save, const char *format, const char *why)
{
	struct rs_error err = { 0 };

	ck_assert_int_eq(rs_save(save, format, &err), -1);
	ck_assert_msg(strstr(err.text, why) != NULL, "%s", err.text);
}

START_TEST(where_it_cannot_go)
{
	struct rs_save save;
	int null = open("/dev/null", O_RDONLY);

	begin(files[0], 8 << 20);
	save = save_of(5, 11);
	refused(&save, "trace.data", "did you mean 'trace.dat'");
	refused(&save, "pdf", "no format 'pdf'");
	refused(&save, "ctf", "the daemon opens none");
	save.out.fd = -1;
	refused(&save, "json", "no descriptor");
	save.out.fd = null;
	refused(&save, "json", "not open for writing");
	save.out.fd = open("/dev/full", O_WRONLY);
	for (unsigned int i = 0; i < 3; i++)
		refused(&save, (const char *const[]){ "json", "trace.dat", "chrome" }[i], "No space");
	close(save.out.fd);
	close(null);
	end();
}
END_TEST

static void *drain(void *arg)
{
	static char bytes[1 << 16];
	uint64_t *nr = arg;
	ssize_t n;

	while ((n = read((int)nr[1], bytes, sizeof bytes)) > 0)
		nr[0] += (uint64_t)n;
	return NULL;
}

START_TEST(to_a_pipe)
{
	struct rs_error err = { 0 };
	struct rs_save save;
	uint64_t nr[2] = { 0 };
	pthread_t thread;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	begin(files[0], 8 << 20);
	save = save_of(5, 11);
	save.out.fd = fds[1];
	nr[1] = (uint64_t)fds[0];
	pthread_create(&thread, NULL, drain, nr);
	ck_assert_msg(rs_save(&save, _i ? "trace.dat" : "json", &err) == 0, "%s", err.text);
	close(fds[1]);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(nr[0], save.out.bytes);
	close(fds[0]);
	end();
}
END_TEST

static bool never(void *arg)
{
	return false;
}

/* Nobody reads: the thread that writes comes back nevertheless. */
START_TEST(to_a_pipe_that_nobody_reads)
{
	struct rs_save save;
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(fds), 0);
	begin(files[0], 8 << 20);
	save = save_of(5, 11);
	save.out.fd = fds[1];
	save.out.stall_ms = 50;
	refused(&save, "trace.dat", "nobody reads");
	refused(&save, "json", "nobody reads");
	save.out.go_on = never;
	refused(&save, "trace.dat", "has gone");
	refused(&save, "chrome", "has gone");
	save.out.go_on = NULL;
	close(fds[0]);
	refused(&save, "trace.dat", "Broken pipe");
	ck_assert_int_eq(fcntl(fds[1], F_GETFL) & O_NONBLOCK, 0); /* the flags are shared with whoever passed it */
	close(fds[1]);
	end();
}
END_TEST

Suite *rs_suite_save(void)
{
	Suite *s = suite_create("save");
	TCase *t = tcase_create("save");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, a_recording_of_a_time_range, 0, 8);
	tcase_add_loop_test(t, trace_cmd_reads_it, 0, 4);
	tcase_add_loop_test(t, a_time_range_in_cycles, 0, 2);
	tcase_add_test(t, expired_pages);
	tcase_add_loop_test(t, as_chrome, 0, 8);
	tcase_add_test(t, as_json);
	tcase_add_test(t, as_csv);
	tcase_add_loop_test(t, what_is_read_before_is_not_saved, 0, 10);
	tcase_add_test(t, where_it_cannot_go);
	tcase_add_loop_test(t, to_a_pipe, 0, 2);
	tcase_add_test(t, to_a_pipe_that_nobody_reads);
	suite_add_tcase(s, t);
	return s;
}
