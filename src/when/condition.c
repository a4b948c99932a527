// SPDX-License-Identifier: GPL-2.0-or-later
/* condition - parses what --when asks for: where rows come from, which, how long, how often, when not */
#include "when/condition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/nearest.h"
#include "base/units.h"
#include "view/columns.h"
#include "when/condition-clauses.h"
#include "when/statistics.h"

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
#define SIGNS "=!<>~"
#define CONDITION_MAX_RULES 256
#define CONDITION_COLUMN 48 /* bytes of a column's name */

/* ---- the rows that are of no view ---- */

static const struct rs_column finding_columns[] = {
	[RS_CONDITION_RULE] = { .name = "rule", .type = RS_TYPE_TEXT },
	[RS_CONDITION_VICTIM] = { .name = "victim", .type = RS_TYPE_TEXT },
	{ .name = NULL },
};

static const struct rs_column trace_columns[] = {
	[RS_CONDITION_LOST] = { .name = "lost", .type = RS_TYPE_COUNT },
	{ .name = NULL },
};

static const struct rs_view finding_rows = { .name = "finding", .kind = RS_VIEW_TABLE,
					     .columns = finding_columns };
static const struct rs_view trace_rows = { .name = "the trace", .kind = RS_VIEW_TABLE,
					   .columns = trace_columns };

/* ---- columns ---- */

static const char *const units_of_time[] = { "ms", "us", "s", NULL };
static const char *const endings[] = { "_ns", "_bytes", "_pct", NULL };

/* "p99" is p99_ns; "lat_ms" is lat_ns, where a bare number is of *unit. -1: no such column. */
static int condition_find_column(const struct rs_view *view, const char *name, const char **unit)
{
	char other[CONDITION_COLUMN];
	size_t len = strlen(name);
	int column = rs_column_named(view, name);

	*unit = NULL;
	for (size_t i = 0; column < 0 && endings[i]; i++) {
		snprintf(other, sizeof other, "%.40s%s", name, endings[i]);
		column = rs_column_named(view, other);
	}
	for (size_t i = 0; column < 0 && units_of_time[i]; i++) {
		size_t unit_len = strlen(units_of_time[i]);

		if (len <= unit_len + 1 || name[len - unit_len - 1] != '_' ||
		    strcmp(name + len - unit_len, units_of_time[i]) != 0)
			continue;
		snprintf(other, sizeof other, "%.*s_ns",
			 (int)(len - unit_len - 1 < 40 ? len - unit_len - 1 : 40), name);
		column = rs_column_named(view, other);
		*unit = column < 0 ? NULL : units_of_time[i];
	}
	return column;
}

/* The columns as they may be written: without the unit at their end. */
static int condition_fail_column(struct rs_condition_parser *p, size_t at, const char *name)
{
	char written[RS_MAX_COLUMNS][CONDITION_COLUMN];
	const char *names[2 * RS_MAX_COLUMNS + 1] = { NULL }, *near;
	const struct rs_column *columns = p->c->view->columns;
	size_t nr = 0;

	for (size_t i = 0; columns[i].name && i < RS_MAX_COLUMNS; i++) {
		size_t len = strlen(columns[i].name);

		snprintf(written[i], sizeof written[i], "%.*s",
			 (int)(len > 3 && !strcmp(columns[i].name + len - 3, "_ns") ? len - 3 : len),
			 columns[i].name);
		names[nr++] = columns[i].name;
		names[nr++] = written[i];
	}
	near = rs_nearest(name, names);
	if (near)
		return rs_condition_parser_fail(p, at, "%s has no column '%s': did you mean '%s'?",
						p->c->view->name, name, near);
	return rs_condition_parser_fail(
		p, at, "%s has no column '%s' (\"ringside %s --columns help\" lists them)",
		p->c->view->name, name, p->c->view->name);
}

static int condition_set_column(struct rs_condition_parser *p, size_t at, const char *name,
				const char **unit)
{
	p->c->column = condition_find_column(p->c->view, name, unit);
	return p->c->column < 0 ? condition_fail_column(p, at, name) : 0;
}

/* ---- a comparison ---- */

static int condition_take_comparison(struct rs_condition_parser *p, const char *unit)
{
	char value[RS_CONDITION_BYTES + 1];
	size_t len, at;

	rs_condition_parser_skip_blanks(p);
	len = strspn(p->text + p->at, SIGNS);
	if (!len || len >= sizeof p->op)
		return rs_condition_parser_fail(
			p, p->at, "an operator is missing behind '%s' (== != < <= > >= ~ !~)",
			p->c->view->columns[p->c->column].name);
	rs_condition_parser_take(p, len, p->op, sizeof p->op);
	p->c->is_least = p->op[0] == '<';
	rs_condition_parser_skip_blanks(p);
	len = rs_condition_parser_value_len(p);
	if (!len)
		return rs_condition_parser_fail(p, p->at, "a value is missing");
	at = rs_condition_parser_take(p, len, value, sizeof value);
	if (rs_condition_parser_compare(p, &p->c->begins, value, unit, at) < 0)
		return -1;
	p->c->goes_on = p->c->begins;
	return 0;
}

/* ---- findings ---- */

static int condition_check_rule(struct rs_condition_parser *p, size_t at, const char *rule)
{
	const char *names[CONDITION_MAX_RULES + 1], *near;
	size_t nr = 0;

	if (strpbrk(rule, "*?"))
		return 0;
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_rule *r = (*a)->rules; r && r->name && nr < CONDITION_MAX_RULES; r++) {
			if (!strcmp(r->name, rule))
				return 0;
			names[nr++] = r->name;
		}
	names[nr] = NULL;
	near = rs_nearest(rule, names);
	if (near)
		return rs_condition_parser_fail(p, at, "no rule '%s': did you mean '%s'?", rule, near);
	return rs_condition_parser_fail(p, at, "no rule '%s' (\"ringside list rules\" names them)", rule);
}

/* Behind a rule, `for` names whom it is about, unless a time follows. */
static bool condition_take_victim(struct rs_condition_parser *p, char *victim, size_t size_bytes)
{
	size_t begin = p->at;
	uint64_t ns;
	char word[8];

	rs_condition_parser_take_word(p, word, sizeof word);
	if (!strcmp(word, "for")) {
		rs_condition_parser_skip_blanks(p);
		rs_condition_parser_take(p, rs_condition_parser_value_len(p), victim, size_bytes);
		if (*victim && rs_units_parse_duration(victim, "s", &ns) != RS_PARSE_OK)
			return true;
	}
	p->at = begin;
	return false;
}

static const char *condition_equals(const char *pattern)
{
	return strpbrk(pattern, "*?") ? "~" : "==";
}

static int condition_take_finding(struct rs_condition_parser *p)
{
	char rule[64], victim[128] = "", text[RS_EXPRESSION_BYTES + 1];
	size_t at = rs_condition_parser_take_word(p, rule, sizeof rule);

	p->c->of = RS_CONDITION_OF_FINDINGS;
	p->c->view = &finding_rows;
	p->c->column = -1;
	if (!*rule)
		return rs_condition_parser_fail(
			p, at, "'finding' of which rule? (\"ringside list rules\" names them)");
	if (condition_check_rule(p, at, rule) < 0)
		return -1;
	if (condition_take_victim(p, victim, sizeof victim))
		snprintf(text, sizeof text, "rule %s %s && victim %s %s", condition_equals(rule), rule,
			 condition_equals(victim), victim);
	else
		snprintf(text, sizeof text, "rule %s %s", condition_equals(rule), rule);
	if (rs_condition_parser_expression(p, &p->c->begins, text, sizeof text, at) < 0)
		return -1;
	p->c->goes_on = p->c->begins;
	return rs_condition_clauses_take(p, NULL);
}

/* ---- views, and the trace ---- */

static int condition_set_view(struct rs_condition_parser *p, size_t at, const char *name)
{
	struct rs_condition *c = p->c;
	struct rs_error why = { 0 };

	if (!rs_requirements_find_view(name, &c->ref, &why))
		return rs_condition_parser_fail(p, at, "%s", why.text);
	c->view = c->ref.view;
	if (c->view->kind != RS_VIEW_HIST)
		return 0;
	c->made_columns = rs_statistics_columns(c->view);
	c->made =
		(struct rs_view){ .name = c->view->name, .kind = RS_VIEW_TABLE, .columns = c->made_columns };
	c->view = &c->made;
	return c->made_columns ? 0 : rs_fail(p->err, "%s: out of memory", p->what);
}

/* Behind the column: "{cgroup ~ web && pid > 3}". */
static int condition_take_where(struct rs_condition_parser *p)
{
	char where[RS_EXPRESSION_BYTES + 1], quote = 0;
	size_t begin = p->at + 1, end = begin;

	if (p->text[p->at] != '{')
		return 0;
	for (; p->text[end] && (quote || p->text[end] != '}'); end++) {
		char ch = p->text[end];

		if (quote && ch == '\\' && p->text[end + 1])
			end++;
		else if (quote ? ch == quote : ch == '"' || ch == '\'')
			quote = quote ? 0 : ch;
	}
	if (!p->text[end])
		return rs_condition_parser_fail(p, p->at, "this '{' is not closed");
	snprintf(where, sizeof where, "%.*s", (int)(end - begin), p->text + begin);
	p->at = end + 1;
	return rs_condition_parser_expression(p, &p->c->where, where, 0, begin);
}

static bool condition_is_key(const struct rs_column *column)
{
	return column->key || column->flags & RS_COLUMN_KEY;
}

/*
 * The view's finest keys, and those that WHERE compares: what rows merge over is null in them. Of a view with
 * sums beside their parts (.also_by), the parts.
 */
static void condition_add_keys(struct rs_condition *c)
{
	const struct rs_view *view = c->ref.view;
	const char *by = view && view->also_by ? view->also_by : view ? view->by : NULL;
	bool is_own = true;

	if (c->of != RS_CONDITION_OF_VIEW || !view->store)
		return;
	for (unsigned int i = 0; view->columns[i].name; i++) {
		bool is_default = by && rs_comma_list_has(by, view->columns[i].name);
		bool is_used = condition_is_key(&view->columns[i]) && c->where.used >> i & 1;

		if ((is_default || is_used) && c->query.nr_by < RS_MAX_BY)
			c->query.by[c->query.nr_by++] = view->columns[i].name;
		is_own = is_own && (is_default || !is_used);
	}
	if (is_own && !view->also_by)
		c->query.nr_by = 0;
}

static int condition_take_rows(struct rs_condition_parser *p)
{
	char name[64], column[64];
	const char *unit;
	size_t at;

	at = rs_condition_parser_take(p, strspn(p->text + p->at, WORD), name, sizeof name);
	if (p->text[p->at] == '.') {
		if (condition_set_view(p, at, name) < 0)
			return -1;
		p->at++;
		at = rs_condition_parser_take(p, strspn(p->text + p->at, WORD), column, sizeof column);
	} else {
		struct rs_view_ref ref;
		struct rs_error none = { 0 };

		if (*name && rs_requirements_find_view(name, &ref, &none))
			return rs_condition_parser_fail(
				p, p->at,
				"which column of %s? (%s.COLUMN; \"ringside %s --columns help\" lists them)",
				name, name, name);
		p->c->of = RS_CONDITION_OF_TRACE;
		p->c->view = &trace_rows;
		memcpy(column, name, sizeof column);
	}
	if (!*column)
		return rs_condition_parser_fail(
			p, at, "a column is missing (VIEW.COLUMN > VALUE, finding RULE, lost > 0)");
	if (condition_set_column(p, at, column, &unit) < 0 || condition_take_where(p) < 0 ||
	    condition_take_comparison(p, unit) < 0)
		return -1;
	condition_add_keys(p->c);
	return rs_condition_clauses_take(p, unit);
}

/* ---- all of it ---- */

/* "slow-disk: ..." */
static void condition_take_name(struct rs_condition_parser *p)
{
	size_t len = strspn(p->text + p->at, WORD);

	if (!len || p->text[p->at + len] != ':' || len >= RS_CONDITION_NAME)
		return;
	rs_condition_parser_take(p, len, p->c->name, sizeof p->c->name);
	p->at++;
	rs_condition_parser_skip_blanks(p);
}

static int condition_parse(struct rs_condition_parser *p)
{
	static const char finding[] = "finding";
	size_t len = sizeof finding - 1;

	if (strlen(p->text) > RS_CONDITION_BYTES)
		return rs_condition_parser_fail(p, RS_CONDITION_BYTES, "more than %d bytes",
						RS_CONDITION_BYTES);
	rs_condition_parser_skip_blanks(p);
	condition_take_name(p);
	snprintf(p->c->text, sizeof p->c->text, "%s", p->text + p->at);
	if (strncmp(p->text + p->at, finding, len) || strspn(p->text + p->at, WORD) != len)
		return condition_take_rows(p);
	p->at += len;
	return condition_take_finding(p);
}

struct rs_condition *rs_condition_new(const char *what, const char *text, struct rs_error *err)
{
	struct rs_condition *c = calloc(1, sizeof *c);
	struct rs_condition_parser p = { .c = c, .what = what, .text = text, .err = err };

	if (!c) {
		rs_fail(err, "%s: out of memory", what);
		return NULL;
	}
	c->limits.every_ns = RS_CONDITION_EVERY_NS;
	if (condition_parse(&p) == 0)
		return c;
	rs_condition_free(c);
	return NULL;
}

void rs_condition_free(struct rs_condition *c)
{
	if (c)
		free(c->made_columns);
	free(c);
}
