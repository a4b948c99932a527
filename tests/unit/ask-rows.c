// SPDX-License-Identifier: GPL-2.0-or-later
/* ask-rows - rows of text: of a view, of spans, of what is open, of findings */
#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask-parts.h"

#include "engine/match/in-flight-list.h"
#include "model/finding-list.h"
#include "model/named-stacks.h"
#include "view/columns.h"
#include "view/expression.h"
#include "why/findings.h"

__attribute__((format(printf, 2, 3), noreturn))
void rs_ask_wrong(const struct rs_answer *a, const char *fmt, ...)
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
static void check_stack(struct rs_answer *a, const struct rs_column *column, const struct rs_value *value)
{
	char buf[16384];
	const char *named;

	if (!column->stack || !a->sink.stacks)
		return;
	named = value->stack ? rs_named_stacks_put(a->sink.stacks, value->stack, column->of_modules, buf, sizeof buf) : "-";
	if (value->known != (value->stack > 0) || strcmp(named, value->known ? value->s : "-"))
		rs_ask_wrong(a, "%s is %s, by number %s", column->name, value->known ? value->s : "-", named);
}

void rs_ask_keep_row(struct rs_sink *sink, const struct rs_value *values)
{
	struct rs_answer *a = (struct rs_answer *)sink;

	if (a->nr_rows == MAX_ROWS)
		rs_ask_wrong(a, "more than %d rows", MAX_ROWS);
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
	struct rs_answer *a = (struct rs_answer *)((char *)sink - offsetof(struct rs_answer, spans));
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
	rs_ask_keep_row(&a->sink, v);
}

static const struct rs_span_kind *find_kind(const char *name)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_span_kind *k = (*a)->spans; k && k->name; k++)
			if (!strcmp(k->name, name))
				return k;
	ck_abort_msg("nobody lays spans \"%s\"", name);
}

void rs_ask_rows_spans(struct rs_answer *a, struct rs_session *s)
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

void rs_ask_rows_open(struct rs_answer *a, struct rs_session *s)
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
			rs_ask_keep_row(&a->sink, v);
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
static void check_where(const struct rs_answer *a, const struct rs_finding_item *f)
{
	struct rs_expression where;
	struct rs_error err = { 0 };
	struct rs_view_ref ref;

	if (!rs_requirements_find_view(f->view, &ref, &err) || (f->where[0] && rs_expression_parse(&where, ref.view, "where", f->where, &err) < 0))
		rs_ask_wrong(a, "the finding of rule %s: %s", f->rule->name, err.text);
}

/* Each view that shows why is there, and knows what it is sorted, filtered and grouped by. "disks iosnoop/pid == 10" */
static const char *check_evidence(const struct rs_answer *a, const struct rs_finding_item *f)
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
			rs_ask_wrong(a, "the evidence of rule %s: %s", f->rule->name, err.text);
		len += (size_t)snprintf(text + len, sizeof text - len, "%s%s%s%s", i ? ", " : "", f->evidence[i].view, *where ? " " : "", where);
	}
	return text;
}

void rs_ask_rows_findings(struct rs_answer *a, struct rs_session *s)
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
		rs_ask_keep_row(&a->sink, v);
	}
	a->view = &finding_view;
	a->nr_columns = NR_FINDING_COLUMNS;
	rs_finding_list_done(&list);
}
