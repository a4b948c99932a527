// SPDX-License-Identifier: GPL-2.0-or-later
/* trace-bytes-check - what must hold of every recording, see trace-bytes.h */
#include "trace-bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/session.h"

#define MAX_VIEWS 128

struct run;

/* One view that is listened to, or asked. */
struct subscriber {
	struct rs_sink sink;             /* first */
	struct run *run;
	struct rs_view_ref ref;
	unsigned int end_column;         /* of a stream: its rows' end time */
	uint64_t last_ns, nr_rows, sum;  /* sum: of what the books compare, see books */
};

struct run {
	void (*broken)(const char *what);
	struct bytes_options options;
	struct rs_session *session;
	struct subscriber subscribers[MAX_VIEWS];
	unsigned int nr_subscribers;
	uint64_t begin_ns, end_ns, hash;
};

__attribute__((format(printf, 2, 3)))
static void wrong(const struct run *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	r->broken(text);
}

static void add_hash(struct run *r, const void *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		r->hash = (r->hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
}

static unsigned int column(const struct rs_view *view, const char *name)
{
	unsigned int i = 0;

	while (view->columns[i].name && strcmp(view->columns[i].name, name))
		i++;
	return view->columns[i].name ? i : RS_MAX_COLUMNS;
}

static uint64_t number(const struct subscriber *l, const struct rs_value *v, const char *name)
{
	unsigned int i = column(l->ref.view, name);

	return i < RS_MAX_COLUMNS && v[i].known ? v[i].u : 0;
}

/* ---- a row ---- */

/*
 * Durations that may be longer than the recording: sums over several tasks, or over lives that were evicted; and
 * a hostile recording has a task, and its interrupts, on several CPUs at once. NULL: every column of the view.
 */
static const struct {
	const char *view, *column;
} sums[] = {
	{ "syscall-latency", "total_ns" }, { "syscall-latency", "cpu_ns" },
	{ "irqs", "total_ns" }, { "irqs", "avg_ns" }, { "irqs", "p50_ns" }, { "irqs", "p99_ns" }, { "irqs", "raise_delay_p99_ns" },
	{ "irqtime", "irq_ns" }, { "irqtime", "softirq_ns" }, { "irqtime", "total_ns" },
	{ "locks", "total_ns" }, { "mmaplock", "wait_total_ns" }, { "mmaplock", "hold_total_ns" },
	{ "iofiles", "total_ns" }, { "futex", "total_ns" }, { "offcpu", "total_ns" }, { "antagonists", "total_ns" }, { "why", "total_ns" }, { "what-if", "waited_ns" }, { "what-if", "saved_ns" },
	{ "biotop", "served_ns" }, { "biotop", "behind_ns" }, { "waterfall", NULL },
	{ "reclaim", NULL }, /* a throttling can have begun before the first event */
	{ "tasks", NULL },   /* of a process: that its parts add up is an invariant of its own */
};

static bool is_bounded(const struct subscriber *l, const struct rs_column *c)
{
	/* a bucket's end is no measured time */
	if (l->ref.view->kind == RS_VIEW_HIST || (l->run->options.moved && !strcmp(l->ref.view->name, "sched")))
		return false;
	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		if (!strcmp(l->ref.view->name, sums[i].view) && (!sums[i].column || !strcmp(c->name, sums[i].column)))
			return false;
	return true;
}

/* A row without a thread sums up those that were evicted. */
static bool is_evicted_total(const struct subscriber *l, const struct rs_value *v)
{
	return !strcmp(l->ref.view->name, "sched") && !number(l, v, "tid");
}

static void check_value(const struct subscriber *l, const struct rs_column *c, const struct rs_value *v, bool is_total)
{
	const struct run *r = l->run;

	if (!v->known)
		return;
	if (c->type == RS_TYPE_DURATION && !is_total && is_bounded(l, c) && v->u > r->end_ns - r->begin_ns)
		wrong(r, "%s: %s %" PRIu64 " is more than the recording's %" PRIu64, l->ref.view->name, c->name, v->u,
		      r->end_ns - r->begin_ns);
	if (c->type == RS_TYPE_TIME && (v->u < r->begin_ns || v->u > r->end_ns))
		wrong(r, "%s: %s %" PRIu64 " is not in the recording", l->ref.view->name, c->name, v->u);
	if (c->type == RS_TYPE_TEXT && !v->s)
		wrong(r, "%s: %s is no text", l->ref.view->name, c->name);
}

static void check_sums(const struct subscriber *l, const struct rs_value *v)
{
	const struct run *r = l->run;
	/* from a time on a total takes the part since then, a latency is whole */
	static const struct { const char *view, *less, *more; bool is_whole; } at_most[] = {
		{ "cpus", "runq_avg", "runq_max", false }, { "disks", "depth_avg", "depth_max", false },
		{ "syscall-latency", "cpu_ns", "total_ns", false }, { "syscall-latency", "p50_ns", "p99_ns", false },
		{ "syscall-latency", "p99_ns", "max_ns", false }, { "syscall-latency", "min_ns", "p50_ns", false },
		{ "irqs", "p50_ns", "p99_ns", false }, { "irqs", "p99_ns", "max_ns", false }, { "irqs", "max_ns", "total_ns", true },
		{ "irqs", "raise_delay_p99_ns", "raise_delay_max_ns", false }, { "irqtime", "worst_ns", "total_ns", true },
		{ "sched", "delay_p99_ns", "delay_max_ns", false }, { "sched", "delay_max_ns", "delay_total_ns", true },
	};
	static const char *const percents[] = { "util_pct", "busy_pct" };

	for (size_t i = 0; i < sizeof at_most / sizeof *at_most; i++) {
		bool is_avg = strstr(at_most[i].less, "_avg");
		uint64_t a = number(l, v, at_most[i].less), b = number(l, v, at_most[i].more);

		if (!strcmp(l->ref.view->name, at_most[i].view) && a > (is_avg ? b * 1000 : b) &&
		    !(at_most[i].is_whole && r->options.from))
			wrong(r, "%s: %s %" PRIu64 " is more than %s %" PRIu64, at_most[i].view, at_most[i].less, a,
			      at_most[i].more, b);
	}
	for (int i = 0; i < 2; i++)
		if (number(l, v, percents[i]) > 100000)
			wrong(r, "%s: %s is more than 100 %%", l->ref.view->name, percents[i]);
	if (!strcmp(l->ref.view->name, "cpus") &&
	    number(l, v, "busy_ns") + number(l, v, "idle_ns") + number(l, v, "unknown_ns") > r->end_ns - r->begin_ns)
		wrong(r, "cpus: busy, idle and unknown are more than the recording");
}

/* What two views tell of the same thing, added up: see check_books. */
static uint64_t book_value(const struct subscriber *l, const struct rs_value *v)
{
	const char *name = l->ref.view->name;

	if (!strcmp(name, "sched") || !strcmp(name, "timehist"))
		return number(l, v, "run_ns");
	if (!strcmp(name, "cpus"))
		return number(l, v, "busy_ns");
	if (!strcmp(name, "runqlat") || !strcmp(name, "biolatency"))
		return number(l, v, "count");
	if (!strcmp(name, "syscall-latency"))
		return number(l, v, "calls");
	return 1;
}

static void on_row(struct rs_sink *sink, const struct rs_value *v)
{
	struct subscriber *l = (struct subscriber *)sink;
	const struct rs_column *columns = l->ref.view->columns;

	for (unsigned int i = 0; columns[i].name; i++) {
		check_value(l, &columns[i], &v[i], is_evicted_total(l, v));
		add_hash(l->run, &v[i].known, 1);
		if (v[i].known && columns[i].type == RS_TYPE_TEXT)
			add_hash(l->run, v[i].s, strlen(v[i].s) + 1);
		else if (v[i].known)
			add_hash(l->run, &v[i].u, 8);
	}
	check_sums(l, v);
	if (l->ref.view->kind == RS_VIEW_STREAM) {
		if (v[l->end_column].u < l->last_ns)
			wrong(l->run, "%s: time goes back in %s", l->ref.view->name, columns[l->end_column].name);
		l->last_ns = v[l->end_column].u;
	}
	l->nr_rows++;
	l->sum += book_value(l, v);
}

/* ---- a session ---- */

static void add_subscribers(struct run *r)
{
	static const struct rs_query query = { .queue = false };

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (unsigned int i = 0; (*a)->views && (*a)->views[i].name; i++) {
			struct subscriber *l = &r->subscribers[r->nr_subscribers++];
			const struct rs_view *view = &(*a)->views[i];

			if (r->nr_subscribers > MAX_VIEWS)
				abort(); /* more views came: MAX_VIEWS must grow */
			*l = (struct subscriber){ .sink.row = on_row, .run = r, .ref = { *a, view, i } };
			l->end_column = column(view, "end_ns");
			if (l->end_column == RS_MAX_COLUMNS)
				l->end_column = column(view, "time_ns");
			if (view->kind == RS_VIEW_STREAM)
				rs_session_subscribe(r->session, &l->ref, &query, &l->sink);
		}
}

static void check_invariant(void *arg, const char *invariant, int64_t imbalance)
{
	if (imbalance)
		wrong(arg, "the invariant \"%s\" has an imbalance of %" PRId64, invariant, imbalance);
}

/* Every table asked, by each of its keys too; then the invariants. */
static void ask_all(struct run *r, bool twice)
{
	struct rs_quality quality;

	for (unsigned int i = 0; i < r->nr_subscribers; i++) {
		struct subscriber *l = &r->subscribers[i];
		const struct rs_column *c = l->ref.view->columns;

		if (l->ref.view->kind == RS_VIEW_STREAM)
			continue;
		for (; twice && c->name; c++)
			if (c->flags & RS_COLUMN_KEY)
				rs_session_rows(r->session, &l->ref, &(struct rs_query){ .by = { c->name }, .nr_by = 1 }, &l->sink);
		l->sum = 0;
		rs_session_rows(r->session, &l->ref, &(struct rs_query){ .nr_by = 0 }, &l->sink);
	}
	rs_session_check(r->session, check_invariant, r);
	rs_session_quality(r->session, &quality);
	add_hash(r, &quality.events, sizeof quality.events);
	if (r->options.from) /* what is in flight may have begun before, and what is inferred is at the begin */
		return;
	if (quality.in_flight > quality.events || quality.unmatched > quality.events ||
	    quality.inferred > quality.events)
		wrong(r, "the quality line counts more than there were events");
}

static uint64_t sum_of(const struct run *r, const char *view)
{
	for (unsigned int i = 0; i < r->nr_subscribers; i++)
		if (!strcmp(r->subscribers[i].ref.view->name, view))
			return r->subscribers[i].sum;
	return 0;
}

/* Views that tell the same story must tell it alike, where nothing was left out of any. */
static void check_view_sums(const struct run *r)
{
	/* to_the_end: what is in flight at the end of a time range is in a sum, and is no row of a stream */
	static const struct { const char *a, *b; unsigned int factor; bool to_the_end; } counters[] = {
		{ "cpus", "timehist", 1, true }, { "runqlat", "runqslower", 1, false },
		{ "sched", "cpus", 1, false }, /* a row for each life: those that were evicted have none */
		{ "syscall-latency", "syscalls", 2, true }, /* by process, and by process and call */
		{ "biolatency", "iosnoop", 1, false },
	};
	struct rs_quality quality;

	rs_session_quality(r->session, &quality);
	if (r->options.reset_every || r->options.from || r->options.narrow)
		return;
	for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
		uint64_t a = sum_of(r, counters[i].a), b = sum_of(r, counters[i].b);

		if (counters[i].to_the_end && r->options.to)
			continue;
		if (a != b * counters[i].factor && (strcmp(counters[i].a, "sched") || !quality.evicted))
			wrong(r, "%s says %" PRIu64 ", %s %" PRIu64, counters[i].a, a, counters[i].b, b * counters[i].factor);
	}
}

static void run_to_end(struct run *r)
{
	struct rs_error err = { 0 };
	uint64_t nr = 0;

	while (rs_session_run(r->session, r->options.step, &err) == RS_RUN_MORE) {
		nr += r->options.step;
		if (r->options.reset_every && nr >= r->options.reset_every) {
			ask_all(r, false);
			rs_session_reset(r->session);
			nr = 0;
		}
	}
	if (err.status)
		wrong(r, "rs_session_run: %s", err.text);
	rs_session_end(r->session);
	ask_all(r, true);
	check_view_sums(r);
}

static uint64_t run_once(const uint8_t *bytes, size_t len, void (*broken)(const char *what))
{
	static const int32_t pids[] = { 3 };
	struct rs_session_config config = { .nr_analyses = 0 };
	struct run r = { .broken = broken, .hash = 0xcbf29ce484222325u };
	struct rs_source *ahead = rs_bytes_source(bytes, len, &r.options, &r.begin_ns, &r.end_ns);
	struct rs_source *source = rs_bytes_source(bytes, len, &r.options, &r.begin_ns, &r.end_ns);
	uint64_t span = r.end_ns - r.begin_ns;
	struct rs_error err = { 0 };

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		config.analyses[config.nr_analyses++] = *a;
	config.ahead = ahead;
	config.ahead_bytes = 1 << 20;
	config.exact = r.options.exact;
	config.max_tasks = r.options.max_tasks;
	config.from_ns = r.options.from ? r.begin_ns + span / 256 * r.options.from : 0;
	config.to_ns = r.options.to ? r.begin_ns + span / 256 * r.options.to : 0;
	if (r.options.narrow)
		config.selection = (struct rs_selection){ .pids = pids, .nr_pids = 1, .comm_glob = "*" };
	r.session = rs_session_new(&config, &err);
	if (!r.session) {
		wrong(&r, "rs_session_new: %s", err.text);
		goto out;
	}
	add_subscribers(&r);
	if (rs_session_attach(r.session, source, &err) < 0)
		wrong(&r, "rs_session_attach: %s", err.text);
	else
		run_to_end(&r);
	rs_session_free(r.session);
out:
	ahead->ops->close(ahead);
	source->ops->close(source);
	return r.hash;
}

void rs_check_bytes(const uint8_t *bytes, size_t len, void (*broken)(const char *what))
{
	if (run_once(bytes, len, broken) != run_once(bytes, len, broken))
		broken("the same recording gave other rows the second time");
}
