// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/expression.h"

#include <string.h>

#include "base/units.h"
#include "view/expression-parts.h"

static unsigned int expression_order_of(bool greater, bool less)
{
	return greater ? RS_EXPR_GREATER : less ? RS_EXPR_LESS : RS_EXPR_EQUAL;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

/* Continuation bytes of UTF-8 are 10xxxxxx. */
static const char *after_character(const char *s)
{
	do
		s++;
	while ((*s & 0xc0) == 0x80);
	return s;
}

/* fnmatch refuses invalid UTF-8 and needs exponential time for "*a*a*a*b"; input is untrusted. */
static bool fits_glob(const char *glob, const char *s)
{
	const char *star = NULL, *again = NULL;

	while (*s) {
		if (*glob == '*') {
			star = ++glob;
			again = s;
		} else if (*glob == '?') {
			glob++;
			s = after_character(s);
		} else if (lower(*glob) == lower(*s)) {
			glob++;
			s++;
		} else if (star) {
			glob = star;
			s = ++again;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

static bool expression_matches(const struct rs_expression *e, const struct rs_expression_node *n, const struct rs_value *value)
{
	const struct rs_column *c = &e->columns[n->column];
	const char *wanted = e->strings + n->at, *text = value->s;
	char number[RS_UNIT_TEXT + 1];

	if (c->type != RS_TYPE_TEXT) {
		size_t len = c->flags & RS_COLUMN_SIGNED ? rs_units_put_i64(number, value->i) : rs_units_put_u64(number, value->u);

		number[len] = '\0';
		text = number;
	}
	return n->kind == RS_EXPR_GLOB ? fits_glob(wanted, text) : strcasestr(text, wanted) != NULL;
}

static bool expression_compare(const struct rs_expression *e, const struct rs_expression_node *n, const struct rs_value *value)
{
	int order;

	if (n->kind == RS_EXPR_UNKNOWN)
		return value->known == n->is_not;
	if (!value->known)
		return false;
	switch (n->kind) {
	case RS_EXPR_UNSIGNED:
		return n->orders & expression_order_of(value->u > n->u, value->u < n->u);
	case RS_EXPR_SIGNED:
		return n->orders & expression_order_of(value->i > n->i, value->i < n->i);
	case RS_EXPR_TEXT:
		order = strcmp(value->s, e->strings + n->at);
		return n->orders & expression_order_of(order > 0, order < 0);
	default:
		return expression_matches(e, n, value) != n->is_not;
	}
}

bool rs_expression_passes(const struct rs_expression *e, const struct rs_value *values)
{
	bool holds = true;

	for (unsigned int i = 0; i < e->nr_nodes; i++) {
		const struct rs_expression_node *n = &e->nodes[i];

		if (n->kind == RS_EXPR_NOT)
			holds = !holds;
		else if (n->kind < RS_EXPR_NOT)
			holds = expression_compare(e, n, &values[n->column]);
		else if (holds == (n->kind == RS_EXPR_SKIP_IF_TRUE))
			i = n->at - 1; /* the loop adds one */
	}
	return holds;
}

/* ---- as text ---- */

static void expression_put_text(struct rs_buf *out, const char *s)
{
	rs_buf_putc(out, '"');
	for (; *s; s++) {
		if ((unsigned char)*s < ' ' || *s == 127)
			rs_buf_printf(out, "\\x%02x", (unsigned char)*s);
		else
			rs_buf_printf(out, "%s%c", *s == '"' || *s == '\\' ? "\\" : "", *s);
	}
	rs_buf_putc(out, '"');
}

static void expression_put_number(struct rs_buf *out, const struct rs_column *c, const struct rs_value *value)
{
	bool negative = c->flags & RS_COLUMN_SIGNED && value->i < 0;
	uint64_t size = negative ? -value->u : value->u;
	char number[RS_UNIT_TEXT];

	if (negative)
		rs_buf_putc(out, '-');
	rs_buf_add(out, number, c->type == RS_TYPE_MILLI ? rs_units_put_milli(number, size) : rs_units_put_u64(number, size));
}

void rs_expression_put(struct rs_buf *out, const struct rs_column *column, const struct rs_value *value)
{
	rs_buf_printf(out, "%s == ", column->name);
	if (!value->known)
		rs_buf_putc(out, '-');
	else if (column->type == RS_TYPE_TEXT)
		expression_put_text(out, value->s);
	else
		expression_put_number(out, column, value);
}
