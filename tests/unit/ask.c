// SPDX-License-Identifier: GPL-2.0-or-later
/* ask - runs a session over lines and compares what a view says, see ask.h */
#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "finding-variants.h"
#include "sample-lines.h"

#include "decode/stacked-pages.h"
#include "decode/event-ids.h"
#include "model/finding-list.h"
#include "model/named-stacks.h"
#include "engine/viewers.h"
#include "view/columns.h"
#include "engine/match/in-flight-list.h"
#include "engine/session.h"
#include "view/expression.h"
#include "why/findings.h"

#define MAX_ROWS 64

struct answer {
	struct rs_sink sink;      /* first */
	const struct rs_view *view;
	char *rows[MAX_ROWS][RS_MAX_COLUMNS];
	unsigned int nr_rows, nr_columns, nr_invariants;
	const struct ask *ask;
	const char *layout;
	/* of spans */
	struct rs_span_sink spans;
	struct rs_view span_view;
	struct rs_column span_columns[RS_MAX_COLUMNS];
	unsigned int nr_asked, nr_answered; /* of ask->looks */
	unsigned int nr_containers;
	bool container_waits;               /* its reply was not taken yet */
};

__attribute__((format(printf, 2, 3), noreturn))
static void wrong(const struct answer *a, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	ck_abort_msg("%s:%d: view %s, layout %s: %s", a->ask->file, a->ask->line, a->ask->view, a->layout, text);
}

static char *render(const struct rs_column *column, const struct rs_value *v)
{
	char *text;
	int rc;

	if (!v->known)
		rc = asprintf(&text, "-");
	else if (column->type == RS_TYPE_TEXT)
		rc = asprintf(&text, "%s", v->s);
	else if (column->flags & RS_COLUMN_SIGNED)
		rc = asprintf(&text, "%" PRId64, v->i);
	else
		rc = asprintf(&text, "%" PRIu64, v->u);
	ck_assert_int_ge(rc, 0);
	return text;
}

/* Of each view: what a number stands for is the text that is shown. */
static void check_stack(struct answer *a, const struct rs_column *column, const struct rs_value *value)
{
	char buf[16384];
	const char *named;

	if (!column->stack || !a->sink.stacks)
		return;
	named = value->stack ? rs_named_stacks_put(a->sink.stacks, value->stack, column->of_modules, buf, sizeof buf) : "-";
	if (value->known != (value->stack > 0) || strcmp(named, value->known ? value->s : "-"))
		wrong(a, "%s is %s, by number %s", column->name, value->known ? value->s : "-", named);
}

static void keep_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct answer *a = (struct answer *)sink;

	if (a->nr_rows == MAX_ROWS)
		wrong(a, "more than %d rows", MAX_ROWS);
	for (unsigned int i = 0; i < a->nr_columns; i++) {
		check_stack(a, &a->view->columns[i], &values[i]);
		a->rows[a->nr_rows][i] = render(&a->view->columns[i], &values[i]);
	}
	a->nr_rows++;
}

/* ---- spans as rows ---- */

enum { SPAN_COMM, SPAN_TID, SPAN_ID, SPAN_FROM, SPAN_TO, SPAN_LABEL, SPAN_OPEN, NR_SPAN_COLUMNS };

static const struct rs_column span_columns[] = {
	[SPAN_COMM] = { .name = "comm", .type = RS_TYPE_TEXT }, [SPAN_TID] = { .name = "tid", .type = RS_TYPE_ID },
	[SPAN_ID] = { .name = "id", .type = RS_TYPE_ID }, [SPAN_FROM] = { .name = "from", .type = RS_TYPE_TIME },
	[SPAN_TO] = { .name = "to", .type = RS_TYPE_TIME }, [SPAN_LABEL] = { .name = "label", .type = RS_TYPE_TEXT },
	[SPAN_OPEN] = { .name = "open", .type = RS_TYPE_COUNT },
};

static void keep_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind, const struct rs_span *span)
{
	struct answer *a = (struct answer *)((char *)sink - offsetof(struct answer, spans));
	struct rs_value v[RS_MAX_COLUMNS] = { [SPAN_ID] = rs_u(span->id) };
	char buf[128];

	if (strcmp(kind->name, a->ask->span))
		return;
	v[SPAN_COMM] = span->task ? rs_s(span->task->comm) : rs_null();
	v[SPAN_TID] = span->task ? rs_u((uint64_t)span->task->tid) :
		      rs_u_if(kind->get_tid && kind->get_tid(span->arg), kind->get_tid ? (uint64_t)kind->get_tid(span->arg) : 0);
	v[SPAN_FROM] = rs_u(span->start_ns);
	v[SPAN_TO] = rs_u(span->end_ns);
	v[SPAN_LABEL] = rs_s(kind->label ? kind->label(c, span->arg, buf, sizeof buf) : kind->name);
	v[SPAN_OPEN] = rs_u(span->in_flight);
	for (unsigned int i = 0; span->values && kind->columns[i].name; i++)
		v[NR_SPAN_COLUMNS + i] = span->values[i];
	keep_row(&a->sink, v);
}

static const struct rs_span_kind *find_kind(const char *name)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_span_kind *k = (*a)->spans; k && k->name; k++)
			if (!strcmp(k->name, name))
				return k;
	ck_abort_msg("nobody lays spans \"%s\"", name);
}

static void ask_for_spans(struct answer *a, struct rs_session *s)
{
	const struct rs_span_kind *kind = find_kind(a->ask->span);
	unsigned int nr = 0;

	memcpy(a->span_columns, span_columns, sizeof span_columns);
	while (kind->columns && kind->columns[nr].name) {
		a->span_columns[NR_SPAN_COLUMNS + nr] = kind->columns[nr];
		nr++;
	}
	a->spans.span = keep_span;
	a->spans.values = true;
	a->span_view = (struct rs_view){ .kind = RS_VIEW_STREAM, .columns = a->span_columns };
	a->view = &a->span_view;
	a->nr_columns = NR_SPAN_COLUMNS + nr;
	ck_assert_int_eq(rs_session_emit_span(s, &a->spans), 0);
}

/* ---- what is open, and what is found, as rows ---- */

enum { OPEN_KIND, OPEN_COMM, OPEN_PID, OPEN_TID, OPEN_WHAT, OPEN_SINCE, OPEN_AT_LEAST, OPEN_IDLE, NR_OPEN_COLUMNS };

static const struct rs_column open_columns[] = {
	[OPEN_KIND] = { .name = "kind", .type = RS_TYPE_TEXT }, [OPEN_COMM] = { .name = "comm", .type = RS_TYPE_TEXT },
	[OPEN_PID] = { .name = "pid", .type = RS_TYPE_ID }, [OPEN_TID] = { .name = "tid", .type = RS_TYPE_ID },
	[OPEN_WHAT] = { .name = "what", .type = RS_TYPE_TEXT }, [OPEN_SINCE] = { .name = "since", .type = RS_TYPE_TIME },
	[OPEN_AT_LEAST] = { .name = "at_least", .type = RS_TYPE_COUNT }, [OPEN_IDLE] = { .name = "idle", .type = RS_TYPE_COUNT },
	{ 0 },
};

static const struct rs_view open_view = { .kind = RS_VIEW_STREAM, .columns = open_columns };

static void ask_for_open(struct answer *a, struct rs_session *s)
{
	struct rs_in_flight_list list;

	a->view = &open_view;
	a->nr_columns = NR_OPEN_COLUMNS;
	ck_assert(rs_in_flight_list_init(&list, 100));
	list.idle_too = true;
	rs_session_list_in_flight(s, &list);
	for (size_t i = 0; i < list.nr; i++) {
		const struct rs_in_flight_item *o = &list.items[i];
		const struct rs_value v[] = {
			rs_s(o->kind), rs_s(o->comm), rs_u_if(o->pid, (uint64_t)o->pid), rs_u_if(o->tid, (uint64_t)o->tid), rs_s(o->what),
			rs_u(o->since_ns), rs_u(o->at_least), rs_u(o->idle),
		};

		if (!*a->ask->open || !strcmp(o->kind, a->ask->open))
			keep_row(&a->sink, v);
	}
	rs_in_flight_list_done(&list);
}

enum { FINDING_RULE, FINDING_WEIGHT, FINDING_TEXT, FINDING_VIEW, FINDING_WHERE, FINDING_BRIEF, FINDING_WHY, FINDING_VICTIM, FINDING_CULPRIT, FINDING_COST, FINDING_CONFIDENCE, FINDING_CODE,
       FINDING_LOST, FINDING_MEASURED, NR_FINDING_COLUMNS };

static const struct rs_column finding_columns[] = {
	[FINDING_RULE] = { .name = "rule", .type = RS_TYPE_TEXT },
	[FINDING_WEIGHT] = { .name = "weight", .type = RS_TYPE_COUNT }, [FINDING_TEXT] = { .name = "text", .type = RS_TYPE_TEXT },
	[FINDING_VIEW] = { .name = "view", .type = RS_TYPE_TEXT }, [FINDING_WHERE] = { .name = "where", .type = RS_TYPE_TEXT },
	[FINDING_BRIEF] = { .name = "brief", .type = RS_TYPE_TEXT }, [FINDING_WHY] = { .name = "why", .type = RS_TYPE_TEXT },
	[FINDING_VICTIM] = { .name = "victim", .type = RS_TYPE_TEXT }, [FINDING_CULPRIT] = { .name = "culprit", .type = RS_TYPE_TEXT },
	[FINDING_COST] = { .name = "cost_ms", .type = RS_TYPE_COUNT }, [FINDING_CONFIDENCE] = { .name = "confidence", .type = RS_TYPE_TEXT },
	[FINDING_CODE] = { .name = "code", .type = RS_TYPE_TEXT },
	[FINDING_LOST] = { .name = "lost_ms", .type = RS_TYPE_COUNT }, [FINDING_MEASURED] = { .name = "measured", .type = RS_TYPE_COUNT },
	{ 0 },
};

static const struct rs_view finding_view = { .kind = RS_VIEW_STREAM, .columns = finding_columns };

/* What it names is there. */
static void check_where(const struct answer *a, const struct rs_finding_item *f)
{
	struct rs_expression where;
	struct rs_error err = { 0 };
	struct rs_view_ref ref;

	if (!rs_requirements_find_view(f->view, &ref, &err) || (f->where[0] && rs_expression_parse(&where, ref.view, "where", f->where, &err) < 0))
		wrong(a, "the finding of rule %s: %s", f->rule->name, err.text);
}

/* Each view that shows why is there, and knows what it is sorted, filtered and grouped by. "disks iosnoop/pid == 10" */
static const char *check_evidence(const struct answer *a, const struct rs_finding_item *f)
{
	static char text[600];
	size_t len = 0;

	*text = '\0';
	for (unsigned int i = 0; i < f->nr_evidence; i++) {
		const char *where = f->evidence[i].where;
		struct rs_expression expression;
		struct rs_error err = { 0 };
		struct rs_columns by;
		struct rs_sort sort;
		struct rs_view_ref ref;

		if (!rs_requirements_find_view(f->evidence[i].view, &ref, &err) ||
		    (*where && rs_expression_parse(&expression, ref.view, "where", where, &err) < 0) ||
		    rs_columns_parse_sort(ref.view, *f->evidence[i].sort ? f->evidence[i].sort : NULL, &sort, &err) < 0 ||
		    rs_columns_parse(ref.view, *f->evidence[i].by ? f->evidence[i].by : NULL, &by, &err) < 0)
			wrong(a, "the evidence of rule %s: %s", f->rule->name, err.text);
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s%s%s", i ? ", " : "", f->evidence[i].view, *where ? " " : "", where);
	}
	return text;
}

static void ask_for_findings(struct answer *a, struct rs_session *s)
{
	char text[RS_FINDING_TEXT], brief[RS_FINDING_TEXT], code[RS_FINDING_TEXT];
	const struct rs_finding_item *f;
	struct rs_finding_list list;

	ck_assert(rs_finding_list_init(&list));
	rs_findings_collect(s, &list);
	for (size_t i = 0; (f = rs_finding_list_get(&list, i)); i++) {
		const struct rs_value v[] = { rs_s(f->rule->name), rs_u(f->weight), rs_s(rs_finding_list_text(f, text)), rs_s(f->view),
					      rs_s(f->where), rs_s(rs_finding_list_brief(f, brief)), rs_s(check_evidence(a, f)),
					      rs_s(f->victim.name), rs_s(f->culprit.name), rs_u((f->cost_ns + 500000) / 1000000),
					      rs_s(f->confidence == RS_MEASURED ? "measured" : "inferred"), rs_s(rs_finding_list_code(f, code)),
					      rs_u((f->lost_ns + 500000) / 1000000), rs_u((f->measured + 500) / 1000) };

		check_where(a, f);
		a->view = &finding_view;
		a->nr_columns = NR_FINDING_COLUMNS;
		keep_row(&a->sink, v);
	}
	a->view = &finding_view;
	a->nr_columns = NR_FINDING_COLUMNS;
	rs_finding_list_done(&list);
}

/* ---- rows as text ---- */

static int find_column(const struct answer *a, const char *name, size_t len)
{
	for (unsigned int i = 0; i < a->nr_columns; i++)
		if (strlen(a->view->columns[i].name) == len && !memcmp(a->view->columns[i].name, name, len))
			return i;
	wrong(a, "there is no column \"%.*s\"", (int)len, name);
}

/* Takes the next "name=value" or "name='va lue'" off *at; false at the end. */
static bool next_cell(const struct answer *a, const char **at, const char **name, size_t *name_len,
		      const char **value, size_t *value_len)
{
	const char *equals;

	*at += strspn(*at, " ");
	if (!**at)
		return false;
	*name = *at;
	equals = strchr(*at, '=');
	if (!equals)
		wrong(a, "expected name=value at \"%s\"", *at);
	*name_len = equals - *at;
	*value = equals + 1;
	if (**value == '\'') {
		++*value;
		*value_len = strcspn(*value, "'");
		*at = *value + *value_len + 1;
	} else {
		*value_len = strcspn(*value, " ");
		*at = *value + *value_len;
	}
	return true;
}

static bool row_is(const struct answer *a, unsigned int row, const char *expected)
{
	const char *name, *value;
	size_t name_len, value_len;

	while (next_cell(a, &expected, &name, &name_len, &value, &value_len)) {
		const char *is = a->rows[row][find_column(a, name, name_len)];

		if (strlen(is) != value_len || memcmp(is, value, value_len))
			return false;
	}
	return true;
}

/* All rows, with the columns that the expected row names: what a failure has to show. */
static void fail_with_rows(const struct answer *a, const char *what, const char *expected)
{
	char text[4096] = "";
	size_t len = 0;

	for (unsigned int row = 0; row < a->nr_rows; row++) {
		const char *at = expected, *name, *value;
		size_t name_len, value_len;

		len += snprintf(text + len, sizeof text - len, "\n   came:    ");
		while (len < sizeof text && next_cell(a, &at, &name, &name_len, &value, &value_len))
			len += snprintf(text + len, sizeof text - len, " %.*s=%s", (int)name_len, name,
					a->rows[row][find_column(a, name, name_len)]);
		if (len >= sizeof text)
			break;
	}
	wrong(a, "%s\n   expected: %s%s", what, expected, text);
}

static void compare_rows(const struct answer *a, const char *const *expected)
{
	bool in_order = a->view->kind != RS_VIEW_TABLE && !a->ask->some, used[MAX_ROWS] = { false };
	const char *last = "";
	unsigned int nr = 0;

	for (; *expected; expected++) {
		unsigned int row = in_order ? nr : 0;

		if (!strncmp(*expected, "_quality ", 9))
			continue;
		if (in_order && (row >= a->nr_rows || !row_is(a, row, *expected)))
			fail_with_rows(a, "this row is not in its place", *expected);
		for (; !in_order && row < a->nr_rows; row++)
			if (!used[row] && row_is(a, row, *expected))
				break;
		if (row == a->nr_rows)
			fail_with_rows(a, "this row is not there", *expected);
		used[row] = true;
		last = *expected;
		nr++;
	}
	if (nr != a->nr_rows && !a->ask->some)
		fail_with_rows(a, "more rows than expected; the last was", last);
}

static const struct { const char *name; size_t offset; } quality_fields[] = {
	{ "events", offsetof(struct rs_quality, events) }, { "gaps", offsetof(struct rs_quality, gaps) },
	{ "lost_to_ns", offsetof(struct rs_quality, lost_to_ns) },
	{ "gaps_uncounted", offsetof(struct rs_quality, gaps_uncounted) },
	{ "unmatched", offsetof(struct rs_quality, unmatched) }, { "discarded", offsetof(struct rs_quality,
										    discarded) },
	{ "inferred", offsetof(struct rs_quality, inferred) }, { "in_flight", offsetof(struct rs_quality, in_flight) },
	{ "evicted", offsetof(struct rs_quality, evicted) }, { "late", offsetof(struct rs_quality, late) },
	{ "bad_pages", offsetof(struct rs_quality, bad_pages) },
	{ "bad_records", offsetof(struct rs_quality, bad_records) },
	{ "stacks", offsetof(struct rs_quality, stacks) }, { "stacks_unmatched", offsetof(struct rs_quality, stacks_unmatched) },
	{ "samples", offsetof(struct rs_quality, samples) }, { "samples_lost", offsetof(struct rs_quality, samples_lost) },
	{ "all_tasks", offsetof(struct rs_quality, all_tasks) }, { "no_wakings", offsetof(struct rs_quality, no_wakings) },
	{ "from_ns", offsetof(struct rs_quality, from_ns) }, { "to_ns", offsetof(struct rs_quality, to_ns) },
};

static uint64_t quality_value(const struct answer *a, const struct rs_quality *t, const char *name, size_t len)
{
	uint64_t lost = 0;

	for (unsigned int cpu = 0; cpu < t->nr_cpus; cpu++)
		lost += t->lost_by_cpu[cpu];
	if (len == 4 && !memcmp(name, "lost", 4))
		return lost;
	for (size_t i = 0; i < sizeof quality_fields / sizeof *quality_fields; i++)
		if (strlen(quality_fields[i].name) == len && !memcmp(quality_fields[i].name, name, len))
			return *(const uint64_t *)((const char *)t + quality_fields[i].offset);
	wrong(a, "the quality line has no \"%.*s\"", (int)len, name);
}

static void compare_quality(const struct answer *a, struct rs_session *s, const char *const *expected)
{
	struct rs_quality quality = { 0 };

	rs_session_quality(s, &quality);
	for (; *expected; expected++) {
		const char *at = *expected + 9, *name, *value;
		size_t name_len, value_len;

		if (strncmp(*expected, "_quality ", 9))
			continue;
		while (next_cell(a, &at, &name, &name_len, &value, &value_len)) {
			uint64_t is = quality_value(a, &quality, name, name_len);

			if (is != strtoull(value, NULL, 10))
				wrong(a, "quality: expected %.*s=%.*s, came %" PRIu64, (int)name_len, name,
				     (int)value_len, value, is);
		}
	}
}

static void check_invariant(void *arg, const char *invariant, int64_t imbalance)
{
	struct answer *a = arg;

	a->nr_invariants++;
	if (imbalance)
		wrong(a, "the invariant \"%s\" has an imbalance of %" PRId64, invariant, imbalance);
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
	struct answer *a = arg;
	const struct fd_answer *answer = &a->ask->answers[a->nr_asked];

	if (fd == RS_FD_CWD && (answer->fd != fd || answer->pid != pid)) /* a test that says nothing of it has no answer */
		return true;
	if (!pid || answer->pid != pid || answer->fd != fd)
		wrong(a, "asked for descriptor %d of %d, and not for %d of %d", fd, pid, answer->fd, answer->pid);
	a->nr_asked++;
	return true;
}

static bool answer_fd(void *arg, struct rs_fd_reply *reply)
{
	struct answer *a = arg;
	const struct fd_answer *answer = &a->ask->answers[a->nr_answered];

	if (a->nr_answered + answer->late >= a->nr_asked)
		return false;
	a->nr_answered++;
	*reply = (struct rs_fd_reply){ .pid = answer->pid, .fd = answer->fd, .read_ns = answer->read_ns, .len = -1 };
	if (answer->path) {
		reply->len = (int32_t)strlen(answer->path);
		memcpy(reply->path, answer->path, (size_t)reply->len);
	}
	return true;
}

static bool ask_container(void *arg, int32_t pid, int32_t fd)
{
	struct answer *a = arg;

	if (pid <= 0 || fd != RS_FD_CONTAINER || a->nr_containers++)
		wrong(a, "asked for the container of %d, %u times", pid, a->nr_containers);
	a->container_waits = true;
	return true;
}

static bool answer_container(void *arg, struct rs_fd_reply *reply)
{
	struct answer *a = arg;

	if (!a->container_waits)
		return false;
	a->container_waits = false;
	*reply = (struct rs_fd_reply){ .pid = 1, .fd = RS_FD_CONTAINER, .len = (int32_t)strlen(a->ask->container) };
	memcpy(reply->path, a->ask->container, (size_t)reply->len);
	return true;
}

static struct rs_viewers viewers;

static struct rs_session *make_session(struct answer *a, struct rs_source *ahead, struct rs_error *err)
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
		.viewers = &viewers, .asked_why = ask->why,
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
		wrong(a, "rs_session_new: %s", err->text);
	return s;
}

static void run_turns(const struct answer *a, struct rs_session *s, uint64_t step, struct rs_error *err)
{
	const uint64_t *reset = a->ask->resets;
	struct rs_quality quality;

	while (rs_session_run(s, reset ? 1 : step, err) == RS_RUN_MORE) {
		rs_session_quality(s, &quality);
		if (reset && *reset && quality.to_ns >= *reset) {
			if (quality.to_ns != *reset)
				wrong(a, "a turn ended at %" PRIu64 ", not at %" PRIu64, quality.to_ns,
				      *reset);
			rs_session_reset(s);
			reset++;
		}
	}
	if (reset && *reset)
		wrong(a, "no turn ended at %" PRIu64, *reset);
}

static void run(struct answer *a, struct rs_source *source, struct rs_source *ahead,
		const char *const *expected, uint64_t step)
{
	struct rs_error err = { 0 };
	struct rs_view_ref ref;
	struct rs_query query;
	struct rs_terms terms;
	struct rs_session *s = make_session(a, ahead, &err);
	char by[64];

	if (!rs_requirements_find_view(a->ask->view, &ref, &err))
		wrong(a, "rs_view_find: %s", err.text);
	a->view = ref.view;
	if (a->ask->span)
		ask_for_spans(a, s);
	else
		while (ref.view->columns[a->nr_columns].name)
			a->nr_columns++;
	snprintf(by, sizeof by, "%s", a->ask->by ? a->ask->by : "");
	fill_query(&query, &terms, ref.view, a->ask, by);
	if (!a->ask->span && !a->ask->open && !a->ask->findings && ref.view->kind == RS_VIEW_STREAM && rs_session_subscribe(s, &ref, &query, &a->sink) < 0)
		wrong(a, "rs_session_subscribe failed");
	if (rs_session_attach(s, source, &err) < 0)
		wrong(a, "rs_session_attach: %s", err.text);
	if (rs_session_disabled(s, ref.analysis))
		wrong(a, "disabled: %s", rs_session_disabled(s, ref.analysis));
	run_turns(a, s, step, &err);
	if (err.status)
		wrong(a, "rs_session_run: %s", err.text);
	if (a->ask->answers && a->ask->answers[a->nr_asked].pid)
		wrong(a, "descriptor %d of %d was not asked for", a->ask->answers[a->nr_asked].fd,
		      a->ask->answers[a->nr_asked].pid);
	rs_session_end(s);
	rs_session_sample(s);
	if (a->ask->viewer)
		rs_viewers_add(&viewers, s, a->ask->viewer);
	if (a->ask->open)
		ask_for_open(a, s);
	else if (a->ask->findings)
		ask_for_findings(a, s);
	else if (!a->ask->span && ref.view->kind != RS_VIEW_STREAM)
		rs_session_rows(s, &ref, &query, &a->sink);
	compare_rows(a, expected);
	compare_quality(a, s, expected);
	rs_session_check(s, check_invariant, a);
	if (!a->nr_invariants)
		wrong(a, "rs_session_check told no invariant");
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

static void add_switch_stacks(const struct answer *a, struct rs_source *source, bool swaps)
{
	struct rs_error err = { 0 };

	source->switch_stacks = sample_lines_open(a->ask->switch_stacks, swaps);
	if (rs_stacked_pages_open(source, source->switch_stacks, &err) < 0)
		wrong(a, "rs_stacked_pages_open: %s", err.text);
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
	struct answer a = { .sink = { .row = keep_row, .texts = ~0ull }, .ask = ask, .layout = rs_layouts[i].name };
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
 * Under a sanitizer, which looks at the code and not at the answers, each check has one layout, by the line that it stands on:
 * all of them together have each.
 */
static bool is_layout_asked(const struct ask *ask, unsigned int i)
{
	if (ask->layout)
		return !strcmp(ask->layout, rs_layouts[i].name);
	return !getenv("RS_ONE_LAYOUT") || (unsigned int)ask->line % rs_nr_layouts == i;
}

void rs_check_rows(const struct ask *ask, const char *const *lines, const char *const *expected)
{
	for (unsigned int i = 0; i < rs_nr_layouts; i++)
		if (is_layout_asked(ask, i))
			check_in_layout(ask, lines, expected, i);
	rs_check_finding_variants(ask, lines);
}
