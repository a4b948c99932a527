// SPDX-License-Identifier: GPL-2.0-or-later
/* ask - runs a session over lines and compares what a view says, see ask.h */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask-parts.h"
#include "finding-variants.h"
#include "sample-lines.h"

#include "decode/event-ids.h"
#include "decode/stacked-pages.h"
#include "engine/viewers.h"
#include "model/named-stacks.h"

static void check_invariant(void *arg, const char *invariant, int64_t imbalance)
{
	struct rs_answer *a = arg;

	a->nr_invariants++;
	if (imbalance)
		rs_ask_wrong(a, "the invariant \"%s\" has an imbalance of %" PRId64, invariant, imbalance);
}

static void fill_query(struct rs_query *query, struct rs_terms *terms, const struct rs_view *view, const struct ask *ask, char *by)
{
	char *name;

	*terms = (struct rs_terms){ .nr = 0 };
	for (const struct rs_column *c = view->columns; ask->only.column && c->name; c++)
		if (!strcmp(c->name, ask->only.column))
			terms->at[terms->nr++] = (struct rs_term){ c, ask->only.patterns, 0 };
	*query = (struct rs_query){ .terms = terms, .queue = ask->queue, .older_ns = ask->older_ns, .count_open = ask->count_open };
	while (ask->by && (name = strsep(&by, ",")))
		query->by[query->nr_by++] = name;
}

static bool ask_fd(void *arg, int32_t pid, int32_t fd)
{
	struct rs_answer *a = arg;
	const struct fd_answer *answer = &a->ask->answers[a->nr_asked];

	if (fd == RS_FD_CWD && (answer->fd != fd || answer->pid != pid)) /* a test that says nothing of it has no answer */
		return true;
	if (!pid || answer->pid != pid || answer->fd != fd)
		rs_ask_wrong(a, "asked for descriptor %d of %d, and not for %d of %d", fd, pid, answer->fd, answer->pid);
	a->nr_asked++;
	return true;
}

static bool answer_fd(void *arg, struct rs_fd_reply *reply)
{
	struct rs_answer *a = arg;
	const struct fd_answer *answer = &a->ask->answers[a->nr_answered];

	if (a->nr_answered + answer->late >= a->nr_asked)
		return false;
	a->nr_answered++;
	*reply = (struct rs_fd_reply){ .pid = answer->pid, .fd = answer->fd, .read_ns = answer->read_ns, .len = -1,
					.state = answer->state, .state_ns = answer->state ? answer->read_ns : 0 };
	if (answer->path) {
		reply->len = (int32_t)strlen(answer->path);
		memcpy(reply->path, answer->path, (size_t)reply->len);
	}
	return true;
}

static bool ask_container(void *arg, int32_t pid, int32_t fd)
{
	struct rs_answer *a = arg;

	if (pid <= 0 || fd != RS_FD_CONTAINER || a->nr_containers++)
		rs_ask_wrong(a, "asked for the container of %d, %u times", pid, a->nr_containers);
	a->container_waits = true;
	return true;
}

static bool answer_container(void *arg, struct rs_fd_reply *reply)
{
	struct rs_answer *a = arg;

	if (!a->container_waits)
		return false;
	a->container_waits = false;
	*reply = (struct rs_fd_reply){ .pid = 1, .fd = RS_FD_CONTAINER, .len = (int32_t)strlen(a->ask->container) };
	memcpy(reply->path, a->ask->container, (size_t)reply->len);
	return true;
}

static struct rs_viewers viewers;

static struct rs_session *make_session(struct rs_answer *a, struct rs_source *ahead, struct rs_error *err)
{
	static const struct rs_event_id_set nothing = { { 0 } };
	const struct ask *ask = a->ask;
	struct rs_session_config config = {
		.ahead = ask->answers ? NULL : ahead, .ahead_bytes = ask->names_bytes, .exact = ask->exact,
		.is_part = ask->is_part, .findings = true, .names_code = ask->samples, .recorded = ask->unrecorded ? &nothing : NULL, .from_ns = ask->from_ns, .to_ns = ask->to_ns, .max_tasks = ask->max_tasks, .max_stacks = ask->max_stacks,
		.events = &ask->event, .nr_events = ask->event != NULL,
		.asked = { &ask->begin, ask->begin ? 2 : 0, ask->key }, /* the end is beside the begin */
		.selection = { .pids = &ask->pid, .nr_pids = ask->pid != 0, .command = ask->command,
			       .no_children = ask->no_children, .by_kernel = ask->by_kernel,
			       .comm_glob = ask->comm_glob, .cgroup_glob = ask->cgroup_glob, .cpus = ask->cpus, .self = ask->self },
		.viewers = &viewers, .asked_why = ask->why, .machine_ends = ask->machine_ends, .machine = ask->machine_ends ? "host" : NULL,
	};
	const struct rs_analysis *const *all = rs_plugins_all();
	struct rs_session *s;

	if (ask->answers)
		config.fd_requester = (struct rs_fd_requester){ ask_fd, answer_fd, a };
	if (ask->container)
		config.container_requester = (struct rs_fd_requester){ ask_container, answer_container, a };
	/* All at once, as a report runs them: none may disturb another. */
	while (*all)
		config.analyses[config.nr_analyses++] = *all++;
	viewers.nr = 0;
	s = rs_session_new(&config, err);
	if (!s)
		rs_ask_wrong(a, "rs_session_new: %s", err->text);
	return s;
}

static void run_turns(const struct rs_answer *a, struct rs_session *s, uint64_t step, struct rs_error *err)
{
	const uint64_t *reset = a->ask->resets;
	struct rs_quality quality;

	while (rs_session_run(s, reset ? 1 : step, err) == RS_RUN_MORE) {
		rs_session_quality(s, &quality);
		if (reset && *reset && quality.to_ns >= *reset) {
			if (quality.to_ns != *reset)
				rs_ask_wrong(a, "a turn ended at %" PRIu64 ", not at %" PRIu64, quality.to_ns,
				      *reset);
			rs_session_reset(s);
			reset++;
		}
	}
	if (reset && *reset)
		rs_ask_wrong(a, "no turn ended at %" PRIu64, *reset);
}

static void run(struct rs_answer *a, struct rs_source *source, struct rs_source *ahead,
		const char *const *expected, uint64_t step)
{
	struct rs_error err = { 0 };
	struct rs_view_ref ref;
	struct rs_query query;
	struct rs_terms terms;
	struct rs_session *s = make_session(a, ahead, &err);
	char by[64];

	if (!rs_requirements_find_view(a->ask->view, &ref, &err))
		rs_ask_wrong(a, "rs_view_find: %s", err.text);
	a->view = ref.view;
	if (a->ask->span)
		rs_ask_rows_spans(a, s);
	else
		while (ref.view->columns[a->nr_columns].name)
			a->nr_columns++;
	snprintf(by, sizeof by, "%s", a->ask->by ? a->ask->by : "");
	fill_query(&query, &terms, ref.view, a->ask, by);
	if (!a->ask->span && !a->ask->open && !a->ask->findings && ref.view->kind == RS_VIEW_STREAM && rs_session_subscribe(s, &ref, &query, &a->sink) < 0)
		rs_ask_wrong(a, "rs_session_subscribe failed");
	if (rs_session_attach(s, source, &err) < 0)
		rs_ask_wrong(a, "rs_session_attach: %s", err.text);
	if (rs_session_disabled(s, ref.analysis))
		rs_ask_wrong(a, "disabled: %s", rs_session_disabled(s, ref.analysis));
	run_turns(a, s, step, &err);
	if (err.status)
		rs_ask_wrong(a, "rs_session_run: %s", err.text);
	if (a->ask->answers && a->ask->answers[a->nr_asked].pid)
		rs_ask_wrong(a, "descriptor %d of %d was not asked for", a->ask->answers[a->nr_asked].fd,
		      a->ask->answers[a->nr_asked].pid);
	rs_session_end(s);
	rs_session_sample(s);
	if (a->ask->viewer)
		rs_viewers_add(&viewers, s, a->ask->viewer);
	if (a->ask->open)
		rs_ask_rows_open(a, s);
	else if (a->ask->findings)
		rs_ask_rows_findings(a, s);
	else if (!a->ask->span && ref.view->kind != RS_VIEW_STREAM)
		rs_session_rows(s, &ref, &query, &a->sink);
	rs_ask_compare_rows(a, expected);
	rs_ask_compare_quality(a, s, expected);
	rs_session_check(s, check_invariant, a);
	if (!a->nr_invariants)
		rs_ask_wrong(a, "rs_session_check told no invariant");
	rs_session_free(s);
}

static void add_samples(struct rs_source *source, const char *const *samples, bool swaps)
{
	static const char kallsyms[] = "ffffffff81000000 T start\nffffffff81000100 T read\nffffffff81000200 T lock\nffffffff81000300 T end\n"
		"c1000000 T do_start\nc1000100 T do_read\nc1000200 T mutex_lock\nc1000300 T schedule\n"
		"c1000400 T trace_event_raw_event_sched_switch\nc1000500 T do_end\n"
		"c2000000 T caller_of_lock\nc2000100 T trace_event_raw_event_contention_begin\n"
		"c2000200 T __traceiter_contention_begin\nc2000300 T trace_call_bpf\nc2000400 T perf_trace_contention_begin\n"
		"c2000500 T bpf_trace_run2\nc2000600 T native_queued_spin_lock_slowpath\nc2000700 T __pv_queued_spin_lock_slowpath\n"
		"c2000800 T _raw_spin_lock_irqsave\nc2000900 T rwsem_down_write_slowpath\nc2000a00 T down_write\n"
		"c2000b00 T up_write\nc2000c00 T __mutex_lock.constprop.0\nc2000d00 T rwbase_read_lock\n"
		"c2000e00 T __bpf_trace_contention_begin\nc2000f00 T queued_read_lock_slowpath\nc2001000 T rtlock_slowlock_locked\n"
		"c2001100 T rt_spin_lock\nc2001200 T raw_spin_rq_lock_nested\nc2001300 T resilient_queued_spin_lock_slowpath\n"
		"c2001400 T bpf_prog_6deef7357e7b4530_prog\nc2001500 T __do_trace_contention_begin\n"
		"c2001600 T __ww_mutex_lock.constprop.0\nc2001700 T locks_end\n";

	source->samples = sample_lines_open(samples, swaps);
	source->info.kallsyms = (struct rs_text){ kallsyms, sizeof kallsyms - 1 };
}

static void add_switch_stacks(const struct rs_answer *a, struct rs_source *source, bool swaps)
{
	struct rs_error err = { 0 };

	source->switch_stacks = sample_lines_open(a->ask->switch_stacks, swaps);
	if (rs_stacked_pages_open(source, source->switch_stacks, &err) < 0)
		rs_ask_wrong(a, "rs_stacked_pages_open: %s", err.text);
}

static void close_samples(struct rs_source *source)
{
	rs_stacked_pages_free(source->filter);
	if (source->switch_stacks)
		source->switch_stacks->ops->close(source->switch_stacks);
	if (source->samples)
		source->samples->ops->close(source->samples);
}

static void check_in_layout(const struct ask *ask, const char *const *lines, const char *const *expected, unsigned int i)
{
	struct rs_answer a = { .sink = { .row = rs_ask_keep_row, .texts = ~0ull }, .ask = ask, .layout = rs_layouts[i].name };
	struct rs_source *source = rs_lines_source(lines, &rs_layouts[i]);
	/* as a report does: names are looked for in another reading of the same */
	struct rs_source *ahead = rs_lines_source(lines, &rs_layouts[i]);

	if (!source)
		return;
	a.sink.stacks = rs_named_stacks_new(RS_STACKS_MAX);
	if (ask->samples)
		add_samples(source, ask->samples, i % 2);
	if (ask->switch_stacks)
		add_switch_stacks(&a, source, i % 2);
	run(&a, source, ahead, expected, i % 2 || ask->answers ? 1 : 10000);
	ahead->ops->close(ahead);
	close_samples(source);
	source->ops->close(source);
	for (unsigned int row = 0; row < a.nr_rows; row++)
		for (unsigned int column = 0; column < a.nr_columns; column++)
			free(a.rows[row][column]);
	rs_named_stacks_free(a.sink.stacks);
}

/*
 * RS_LAYOUTS=2: a check has two of the layouts, which take turns by the line that it stands on, so that all checks together
 * have each. Unset: all of them.
 */
static bool is_layout_asked(const struct ask *ask, unsigned int i)
{
	const char *nr = getenv("RS_LAYOUTS");

	if (ask->layout)
		return !strcmp(ask->layout, rs_layouts[i].name);
	return !nr || ((unsigned int)ask->line + rs_nr_layouts - i) % rs_nr_layouts < strtoul(nr, NULL, 10);
}

void rs_check_rows(const struct ask *ask, const char *const *lines, const char *const *expected)
{
	for (unsigned int i = 0; i < rs_nr_layouts; i++)
		if (is_layout_asked(ask, i))
			check_in_layout(ask, lines, expected, i);
	rs_check_finding_variants(ask, lines);
}
