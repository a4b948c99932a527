// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-compare - a recording's timelines by random windows, beside a plain scan of all that was laid
 *
 *	timeline-compare [-m MIB] [-n WINDOWS] [-s SEED] [-r TIMES] FILE
 *
 * -r: the file is read so many times, each time REPEAT_NS later, as one long recording.
 * Reads the file with all analyses, keeps each span twice, and asks both for the same windows of the same
 * tracks. Prints name=number words; exit status 1 where they differ. With a MIB too small for the file,
 * what the timeline has let go is known by its own word and nothing else may be missing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/session.h"
#include "engine/timelines.h"
#include "recording/recording.h"

#define REPEAT_NS 1000000000000u

/* The plain way: everything in one array, scanned from end to end. */
struct plain {
	uint32_t type;
	uint64_t id, nr;                /* nr: as it was laid, for equal ends */
	struct rs_timeline_span span;   /* .kind is not compared: numbers are the timelines' own; .arg is */
};

static struct {
	struct rs_span_sink sink;
	struct plain *all;
	size_t nr, size;
	struct rs_timelines *timelines;
	uint64_t seed, nr_windows, nr_found, nr_wrong, ask_ns;
	const struct plain *at, *end;   /* the scan of the window now */
	const struct rs_timeline_range *range;
	uint64_t whole_after_ns;
} run = { .seed = 88172645463325252ull, .nr_windows = 3000 };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t random_below(uint64_t n)
{
	run.seed ^= run.seed << 13;
	run.seed ^= run.seed >> 7;
	run.seed ^= run.seed << 17;
	return n ? run.seed % n : 0;
}

static void on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
		    const struct rs_span *s)
{
	struct plain *p;

	if (run.nr == run.size) {
		run.size = run.size ? 2 * run.size : 1 << 16;
		run.all = realloc(run.all, run.size * sizeof *run.all);
		if (!run.all) {
			fputs("timeline-compare: out of memory\n", stderr);
			exit(1);
		}
	}
	p = &run.all[run.nr];
	*p = (struct plain){ .type = rs_track_type(kind->track, kind->shape), .id = s->id, .nr = run.nr };
	if (s->task)
		p->id = rs_task_track(s->task->tid, s->task->inst);
	p->span = (struct rs_timeline_span){ .start_ns = s->start_ns, .end_ns = s->end_ns, .arg = s->arg };
	run.nr++;
}

static int by_track_and_end(const void *a, const void *b)
{
	const struct plain *x = a, *y = b;
	uint64_t xs[] = { x->type, x->id, x->span.end_ns, x->nr }, ys[] = { y->type, y->id, y->span.end_ns, y->nr };

	for (int i = 0; i < 4; i++)
		if (xs[i] != ys[i])
			return xs[i] < ys[i] ? -1 : 1;
	return 0;
}

static bool in_range(const struct rs_timeline_span *s)
{
	const struct rs_timeline_range *r = run.range;

	return s->start_ns < r->to_ns && (s->end_ns > r->from_ns || s->start_ns >= r->from_ns) &&
	       s->end_ns - s->start_ns >= r->min_duration_ns;
}

/* The scan goes on to what the timeline has found: what lies between must have been let go. */
static bool compare(void *arg, const struct rs_timeline_span *s)
{
	run.nr_found++;
	for (; run.at < run.end; run.at++) {
		const struct rs_timeline_span *p = &run.at->span;

		if (!in_range(p))
			continue;
		if (p->start_ns == s->start_ns && p->end_ns == s->end_ns && p->arg == s->arg) {
			run.at++;
			return true;
		}
		if (p->end_ns > run.whole_after_ns)
			break;
	}
	run.nr_wrong++;
	return true;
}

static void ask(const struct plain *from, const struct plain *end, const struct rs_timeline_range *range)
{
	struct rs_timeline *tl = rs_timelines_of(run.timelines);
	uint64_t begin_ns = now_ns();

	run.at = from;
	run.end = end;
	run.range = range;
	rs_timeline_query(tl, rs_timeline_find(tl, from->type, from->id), range, compare, NULL);
	run.ask_ns += now_ns() - begin_ns;
	for (; run.at < end; run.at++)
		run.nr_wrong += in_range(&run.at->span) && run.at->span.end_ns > run.whole_after_ns;
}

/* All spans of a track that is as likely as it has spans. */
static const struct plain *random_track(const struct plain **end)
{
	const struct plain *from = &run.all[random_below(run.nr)], *last = from, *stop = run.all + run.nr;

	while (from > run.all && from[-1].type == last->type && from[-1].id == last->id)
		from--;
	while (last < stop && last->type == from->type && last->id == from->id)
		last++;
	*end = last;
	return from;
}

static void ask_all(void)
{
	for (uint64_t i = 0; i < run.nr_windows; i++) {
		const struct plain *end, *from = random_track(&end);
		uint64_t begin_ns = from->span.start_ns, all_ns = end[-1].span.end_ns - begin_ns + 2;
		struct rs_timeline_range r = { .from_ns = begin_ns + random_below(all_ns) };

		r.to_ns = r.from_ns + 1 + random_below(all_ns >> random_below(20));
		r.min_duration_ns = random_below(4) ? 0 : random_below(1 << random_below(24));
		ask(from, end, &r);
	}
}

/* A file's pages again and again, later each time. A page's first 8 bytes are its time. */
static struct repeated {
	struct rs_source source;
	struct rs_source *file[256];
	unsigned int nr_files, file_of_cpu[64];
	uint8_t page[64][65536];
} repeated;

static enum rs_next next_repeated(struct rs_source *s, unsigned int cpu, struct rs_page *page, struct rs_error *err)
{
	unsigned int *at = &repeated.file_of_cpu[cpu];
	enum rs_next next = RS_NEXT_END;
	uint64_t ts_ns;

	for (; *at < repeated.nr_files; ++*at) {
		struct rs_source *file = repeated.file[*at];

		next = file->ops->next(file, cpu, page, err);
		if (next != RS_NEXT_END)
			break;
	}
	if (next != RS_NEXT_PAGE || page->len_bytes > sizeof repeated.page[0] || page->len_bytes < sizeof ts_ns)
		return next;
	memcpy(repeated.page[cpu], page->data, page->len_bytes);
	memcpy(&ts_ns, page->data, sizeof ts_ns);
	ts_ns += *at * REPEAT_NS;
	memcpy(repeated.page[cpu], &ts_ns, sizeof ts_ns);
	page->data = repeated.page[cpu];
	return next;
}

static void close_repeated(struct rs_source *s)
{
	while (repeated.nr_files--)
		repeated.file[repeated.nr_files]->ops->close(repeated.file[repeated.nr_files]);
}

static struct rs_source *open_file(const char *path, unsigned int times, struct rs_error *err)
{
	static const struct rs_source_ops ops = { .next = next_repeated, .close = close_repeated };

	if (times <= 1)
		return rs_tracedat_open(path, NULL, err);
	for (; repeated.nr_files < times && repeated.nr_files < 256; repeated.nr_files++)
		if (!(repeated.file[repeated.nr_files] = rs_tracedat_open(path, NULL, err)))
			return NULL;
	repeated.source.ops = &ops;
	repeated.source.info = repeated.file[0]->info;
	if (repeated.source.info.big_endian || repeated.source.info.nr_cpus > 64) {
		rs_fail(err, "-r: a little-endian recording of 64 CPUs at most is wanted");
		return NULL;
	}
	return &repeated.source;
}

static int read_file(const char *path, unsigned int times, size_t size_bytes, struct rs_error *err)
{
	struct rs_source *source = open_file(path, times, err);
	struct rs_session_config config = { 0 };
	enum rs_run_result more = RS_RUN_MORE;
	struct rs_session *s = NULL;
	struct rs_quality quality;
	int ret = -1;

	for (size_t i = 0; rs_plugins_all()[i] && i < RS_MAX_ANALYSES; i++)
		config.analyses[config.nr_analyses++] = rs_plugins_all()[i];
	run.sink.span = on_span;
	if (!source || !(run.timelines = rs_timelines_new(size_bytes, 0, err)) || !(s = rs_session_new(&config, err)))
		goto out;
	rs_session_emit_span(s, &run.sink);
	rs_session_emit_span(s, rs_timelines_sink(run.timelines));
	if (rs_session_attach(s, source, err) < 0)
		goto out;
	while (more == RS_RUN_MORE)
		more = rs_session_run(s, UINT64_MAX, err);
	rs_session_end(s);
	rs_session_quality(s, &quality);
	printf("events=%lu spans=%zu ", quality.events, run.nr);
	ret = err->status ? -1 : 0;
out:
	rs_session_free(s);
	if (source)
		source->ops->close(source);
	return ret;
}

int main(int argc, char **argv)
{
	struct rs_timeline_stats stats;
	struct rs_error err = { 0 };
	unsigned int times = 1;
	size_t mib = 1024;

	for (int c; (c = getopt(argc, argv, "m:n:s:r:")) != -1;) {
		if (c == 'm')
			mib = strtoul(optarg, NULL, 0);
		else if (c == 'n')
			run.nr_windows = strtoul(optarg, NULL, 0);
		else if (c == 's')
			run.seed = strtoul(optarg, NULL, 0) | 1;
		else if (c == 'r')
			times = (unsigned int)strtoul(optarg, NULL, 0);
		else
			return 2;
	}
	if (optind != argc - 1 || read_file(argv[optind], times, mib << 20, &err) < 0) {
		fprintf(stderr, "timeline-compare: %s\n", *err.text ? err.text : "which file?");
		return err.status ? 1 : 2;
	}
	rs_timeline_stats(rs_timelines_of(run.timelines), &stats);
	run.whole_after_ns = stats.whole_after_ns;
	qsort(run.all, run.nr, sizeof *run.all, by_track_and_end);
	if (run.nr)
		ask_all();
	if (stats.nr_emitted != run.nr)
		run.nr_wrong++;
	printf("kept=%lu evicted=%lu late=%lu refused=%lu tracks=%lu windows=%lu found=%lu wrong=%lu ask_us=%lu\n",
	       stats.nr_spans, stats.nr_evicted, stats.nr_late, stats.nr_refused, stats.nr_tracks, run.nr_windows,
	       run.nr_found, run.nr_wrong, run.ask_ns / (run.nr_windows ? run.nr_windows : 1) / 1000);
	rs_timelines_free(run.timelines);
	free(run.all);
	return run.nr_wrong ? 1 : 0;
}
