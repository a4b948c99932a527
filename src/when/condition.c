// SPDX-License-Identifier: GPL-2.0-or-later
/* condition - parses what --when asks for: where rows come from, which, how long, how often, when not */
#include "when/condition.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "base/units.h"
#include "view/columns.h"
#include "when/statistics.h"

#define CONDITION_BLANKS " \t"
#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
#define SIGNS "=!<>~"
#define CONDITION_MAX_RULES 256
#define CONDITION_COLUMN 48 /* bytes of a column's name */

struct condition_parser {
	struct rs_condition *c;
	const char *what, *text;
	size_t at;
	size_t op_at, value_at;    /* of the comparison */
	char op[4];
	struct rs_error *err;
};

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

/* ---- errors ---- */

static int condition_fail(struct condition_parser *p, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static int condition_fail(struct condition_parser *p, size_t at, const char *fmt, ...)
{
	struct rs_buf shown = RS_BUF_INIT;
	char why[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	rs_escape_text(&shown, why);
	if (p->text[at])
		rs_fail_usage(p->err, "%s: at %zu: %s", p->what, at + 1, shown.data);
	else
		rs_fail_usage(p->err, "%s: at the end: %s", p->what, shown.data);
	rs_buf_done(&shown);
	return -1;
}

/* ---- words ---- */

static void condition_skip_blanks(struct condition_parser *p)
{
	p->at += strspn(p->text + p->at, CONDITION_BLANKS);
}

/* The next word, copied as far as it fits; its end is p->at. Returns where it begins. */
static size_t condition_take(struct condition_parser *p, size_t len, char *to, size_t size_bytes)
{
	size_t begin = p->at;

	snprintf(to, size_bytes, "%.*s", (int)(len < size_bytes ? len : size_bytes - 1), p->text + begin);
	p->at += len;
	return begin;
}

static size_t condition_take_word(struct condition_parser *p, char *to, size_t size_bytes)
{
	condition_skip_blanks(p);
	return condition_take(p, strcspn(p->text + p->at, CONDITION_BLANKS), to, size_bytes);
}

/* How long a value is: in quotes with these, else up to the next blank. */
static size_t condition_value_len(const struct condition_parser *p)
{
	const char *s = p->text + p->at;
	size_t len = 1;

	if (*s != '"' && *s != '\'')
		return strcspn(s, CONDITION_BLANKS);
	while (s[len] && s[len] != *s)
		len += s[len] == '\\' && s[len + 1] ? 2 : 1;
	return s[len] ? len + 1 : len;
}

/* ---- an expression that stands in the text, or is made of parts of it ---- */

/* at: where in the text its bytes from `from` on are; what is before them points there, too. */
static int condition_parse_expression(struct condition_parser *p, struct rs_expression *e, const char *text,
				      size_t from, size_t at)
{
	struct rs_error why = { 0 };

	if (rs_expression_parse(e, p->c->view, NULL, text, &why) == 0)
		return 0;
	return condition_fail(p, e->error_at > from ? at + e->error_at - from : at, "%s", why.text);
}

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
static int condition_fail_column(struct condition_parser *p, size_t at, const char *name)
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
		return condition_fail(p, at, "%s has no column '%s': did you mean '%s'?", p->c->view->name,
				      name, near);
	return condition_fail(p, at, "%s has no column '%s' (\"ringside %s --columns help\" lists them)",
			      p->c->view->name, name, p->c->view->name);
}

static int condition_set_column(struct condition_parser *p, size_t at, const char *name, const char **unit)
{
	p->c->column = condition_find_column(p->c->view, name, unit);
	return p->c->column < 0 ? condition_fail_column(p, at, name) : 0;
}

/* ---- a comparison ---- */

static int condition_compare(struct condition_parser *p, struct rs_expression *e, const char *value,
			     const char *unit, size_t at)
{
	const struct rs_column *column = &p->c->view->columns[p->c->column];
	bool is_bare = value[strspn(value, "0123456789.")] == '\0';
	char text[RS_EXPRESSION_BYTES + 1];
	int head = snprintf(text, sizeof text, "%s %s ", column->name, p->op);

	snprintf(text + head, sizeof text - (size_t)head, "%s%s", value, unit && is_bare ? unit : "");
	return condition_parse_expression(p, e, text, (size_t)head, at);
}

static int condition_take_comparison(struct condition_parser *p, const char *unit)
{
	char value[RS_CONDITION_BYTES + 1];
	size_t len;

	condition_skip_blanks(p);
	len = strspn(p->text + p->at, SIGNS);
	if (!len || len >= sizeof p->op)
		return condition_fail(p, p->at, "an operator is missing behind '%s' (== != < <= > >= ~ !~)",
				      p->c->view->columns[p->c->column].name);
	p->op_at = condition_take(p, len, p->op, sizeof p->op);
	p->c->is_least = p->op[0] == '<';
	condition_skip_blanks(p);
	len = condition_value_len(p);
	if (!len)
		return condition_fail(p, p->at, "a value is missing");
	p->value_at = condition_take(p, len, value, sizeof value);
	if (condition_compare(p, &p->c->begins, value, unit, p->value_at) < 0)
		return -1;
	p->c->goes_on = p->c->begins;
	return 0;
}

/* ---- clauses ---- */

static int condition_take_time(struct condition_parser *p, uint64_t *ns, const char *clause)
{
	char word[40];
	size_t at = condition_take_word(p, word, sizeof word);

	if (!*word)
		return condition_fail(p, at, "'%s' needs a time (such as 2s, 10min)", clause);
	if (rs_units_parse_duration(word, "s", ns) != RS_PARSE_OK)
		return condition_fail(p, at, "'%s' is no time (such as 2s, 10min)", word);
	return 0;
}

static int condition_take_for(struct condition_parser *p, const char *unit)
{
	return condition_take_time(p, &p->c->limits.for_ns, "for");
}

static int condition_take_every(struct condition_parser *p, const char *unit)
{
	return condition_take_time(p, &p->c->limits.every_ns, "every");
}

/* It must be a value at which the condition no longer holds, or the two are one. */
static int condition_check_until(struct condition_parser *p, size_t at, const char *value)
{
	const struct rs_expression_node *begins = p->c->begins.nodes, *until = p->c->goes_on.nodes;
	bool is_signed = p->c->view->columns[p->c->column].flags & RS_COLUMN_SIGNED;
	bool is_less = is_signed ? until->i < begins->i : until->u < begins->u,
	     is_more = is_signed ? until->i > begins->i : until->u > begins->u;

	if (p->op[0] == '>' ? is_more : is_less)
		return condition_fail(p, at,
				      "until %s: it would end before it begins (write a value on the other "
				      "side of %s)",
				      value, p->op);
	return 0;
}

static int condition_take_until(struct condition_parser *p, const char *unit)
{
	char value[64];
	size_t at = condition_take_word(p, value, sizeof value);

	if (!*value)
		return condition_fail(p, at, "'until' needs a value");
	if (p->c->column < 0 || (p->op[0] != '<' && p->op[0] != '>'))
		return condition_fail(p, at, "'until' is for < <= > >= alone");
	if (condition_compare(p, &p->c->goes_on, value, unit, at) < 0)
		return -1;
	return condition_check_until(p, at, value);
}

static bool condition_parse_minute(const char **text, int *minute)
{
	unsigned int h, m;
	int len = 0;

	if (sscanf(*text, "%2u:%2u%n", &h, &m, &len) != 2 || len != 5 || h > 24 || m > 59 ||
	    h * 60 + m > 1440)
		return false;
	*text += len;
	*minute = (int)(h * 60 + m);
	return true;
}

static int condition_take_except(struct condition_parser *p, const char *unit)
{
	struct rs_alarm_limits *limits = &p->c->limits;
	struct rs_alarm_silence s;
	char word[40];
	size_t at = condition_take_word(p, word, sizeof word);
	const char *end = word;

	if (limits->nr_silences == RS_ALARM_SILENCES)
		return condition_fail(p, at, "more than %d times to be silent at", RS_ALARM_SILENCES);
	if (!condition_parse_minute(&end, &s.from) || *end++ != '-' || !condition_parse_minute(&end, &s.to) ||
	    *end)
		return condition_fail(p, at, "'except' needs a time of the day (such as 02:00-04:30)");
	limits->silences[limits->nr_silences++] = s;
	return 0;
}

static const struct {
	const char *word;
	int (*take)(struct condition_parser *p, const char *unit);
} clauses[] = {
	{ "for", condition_take_for },
	{ "until", condition_take_until },
	{ "every", condition_take_every },
	{ "except", condition_take_except },
};

static int condition_take_clause(struct condition_parser *p, const char *unit)
{
	char word[40];
	size_t at = condition_take_word(p, word, sizeof word);

	for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++)
		if (!strcmp(word, clauses[i].word))
			return clauses[i].take(p, unit);
	return condition_fail(p, at, "'%s' is none of for TIME, until VALUE, every TIME, except HH:MM-HH:MM",
			      word);
}

static int condition_take_clauses(struct condition_parser *p, const char *unit)
{
	for (condition_skip_blanks(p); p->text[p->at]; condition_skip_blanks(p))
		if (condition_take_clause(p, unit) < 0)
			return -1;
	return 0;
}

/* ---- findings ---- */

static int condition_check_rule(struct condition_parser *p, size_t at, const char *rule)
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
		return condition_fail(p, at, "no rule '%s': did you mean '%s'?", rule, near);
	return condition_fail(p, at, "no rule '%s' (\"ringside list rules\" names them)", rule);
}

/* Behind a rule, `for` names whom it is about, unless a time follows. */
static bool condition_take_victim(struct condition_parser *p, char *victim, size_t size_bytes)
{
	size_t begin = p->at;
	uint64_t ns;
	char word[8];

	condition_take_word(p, word, sizeof word);
	if (!strcmp(word, "for")) {
		condition_skip_blanks(p);
		condition_take(p, condition_value_len(p), victim, size_bytes);
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

static int condition_take_finding(struct condition_parser *p)
{
	char rule[64], victim[128] = "", text[RS_EXPRESSION_BYTES + 1];
	size_t at = condition_take_word(p, rule, sizeof rule);

	p->c->of = RS_CONDITION_OF_FINDINGS;
	p->c->view = &finding_rows;
	p->c->column = -1;
	if (!*rule)
		return condition_fail(p, at, "'finding' of which rule? (\"ringside list rules\" names them)");
	if (condition_check_rule(p, at, rule) < 0)
		return -1;
	if (condition_take_victim(p, victim, sizeof victim))
		snprintf(text, sizeof text, "rule %s %s && victim %s %s", condition_equals(rule), rule,
			 condition_equals(victim), victim);
	else
		snprintf(text, sizeof text, "rule %s %s", condition_equals(rule), rule);
	if (condition_parse_expression(p, &p->c->begins, text, sizeof text, at) < 0)
		return -1;
	p->c->goes_on = p->c->begins;
	return condition_take_clauses(p, NULL);
}

/* ---- views, and the trace ---- */

static int condition_set_view(struct condition_parser *p, size_t at, const char *name)
{
	struct rs_condition *c = p->c;
	struct rs_error why = { 0 };

	if (!rs_requirements_find_view(name, &c->ref, &why))
		return condition_fail(p, at, "%s", why.text);
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
static int condition_take_where(struct condition_parser *p)
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
		return condition_fail(p, p->at, "this '{' is not closed");
	snprintf(where, sizeof where, "%.*s", (int)(end - begin), p->text + begin);
	p->at = end + 1;
	return condition_parse_expression(p, &p->c->where, where, 0, begin);
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

static int condition_take_rows(struct condition_parser *p)
{
	char name[64], column[64];
	const char *unit;
	size_t at;

	at = condition_take(p, strspn(p->text + p->at, WORD), name, sizeof name);
	if (p->text[p->at] == '.') {
		if (condition_set_view(p, at, name) < 0)
			return -1;
		p->at++;
		at = condition_take(p, strspn(p->text + p->at, WORD), column, sizeof column);
	} else {
		struct rs_view_ref ref;
		struct rs_error none = { 0 };

		if (*name && rs_requirements_find_view(name, &ref, &none))
			return condition_fail(p, p->at,
					      "which column of %s? (%s.COLUMN; \"ringside %s --columns "
					      "help\" lists them)",
					      name, name, name);
		p->c->of = RS_CONDITION_OF_TRACE;
		p->c->view = &trace_rows;
		memcpy(column, name, sizeof column);
	}
	if (!*column)
		return condition_fail(p, at,
				      "a column is missing (VIEW.COLUMN > VALUE, finding RULE, lost > 0)");
	if (condition_set_column(p, at, column, &unit) < 0 || condition_take_where(p) < 0 ||
	    condition_take_comparison(p, unit) < 0)
		return -1;
	condition_add_keys(p->c);
	return condition_take_clauses(p, unit);
}

/* ---- all of it ---- */

/* "slow-disk: ..." */
static void condition_take_name(struct condition_parser *p)
{
	size_t len = strspn(p->text + p->at, WORD);

	if (!len || p->text[p->at + len] != ':' || len >= RS_CONDITION_NAME)
		return;
	condition_take(p, len, p->c->name, sizeof p->c->name);
	p->at++;
	condition_skip_blanks(p);
}

static int condition_parse(struct condition_parser *p)
{
	static const char finding[] = "finding";
	size_t len = sizeof finding - 1;

	if (strlen(p->text) > RS_CONDITION_BYTES)
		return condition_fail(p, RS_CONDITION_BYTES, "more than %d bytes", RS_CONDITION_BYTES);
	condition_skip_blanks(p);
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
	struct condition_parser p = { .c = c, .what = what, .text = text, .err = err };

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
