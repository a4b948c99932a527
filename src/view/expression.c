// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * expression.c - parses an expression to nodes, by recursive descent of bounded depth, and evaluates them
 *
 *	or         and { || and }
 *	and        unary { && unary }
 *	unary      ! unary | ( or ) | comparison
 *	comparison COLUMN OPERATOR VALUE
 */
#include "view/expression.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/escape.h"
#include "base/units.h"
#include "view/columns.h"

/*
 * One truth value is carried from node to node: a comparison sets it, NOT inverts it, and a
 * jump skips the other operand of && or || if the result is already known. So evaluation
 * does not recurse, however deep the text nests.
 */
enum expression_kind {
	EXPR_UNSIGNED = 1, /* orders, u */
	EXPR_SIGNED,       /* orders, i */
	EXPR_TEXT,         /* orders, at */
	EXPR_CONTAINS,     /* at */
	EXPR_GLOB,         /* at */
	EXPR_UNKNOWN,      /* is_not */
	EXPR_NOT,
	EXPR_SKIP_IF_FALSE, /* at */
	EXPR_SKIP_IF_TRUE,  /* at */
};

#define EXPR_LESS 1
#define EXPR_EQUAL 2
#define EXPR_GREATER 4

/* ---- parsing ---- */

#define BLANKS " \t\r\n"

struct expression_parser {
	struct rs_expression *e;
	const struct rs_view *view;
	const char *what, *text;
	size_t at, depth, strings_len;
	struct rs_error *err;
};

/* ---- errors ---- */

/* Counts characters, not bytes: that is what people see. */
static size_t parse_find_place(const char *text, size_t at)
{
	size_t place = 1;

	for (size_t i = 0; i < at; i++)
		place += (text[i] & 0xc0) != 0x80;
	return place;
}

static int parse_fail(struct expression_parser *p, size_t at, const char *fmt,
		      ...) __attribute__((format(printf, 3, 4)));
static int parse_fail(struct expression_parser *p, size_t at, const char *fmt, ...)
{
	struct rs_buf shown = RS_BUF_INIT;
	char why[320];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	p->e->error_at = at;
	rs_escape_text(&shown, why);
	if (!p->what)
		rs_fail_usage(p->err, "%s", shown.data);
	else if (p->text[at])
		rs_fail_usage(p->err, "%s: at %zu: %s", p->what, parse_find_place(p->text, at), shown.data);
	else
		rs_fail_usage(p->err, "%s: at the end: %s", p->what, shown.data);
	rs_buf_done(&shown);
	return -1;
}

/* The text at a position, for a message: at most 24 bytes, up to the next blank. */
static const char *near_text(const struct expression_parser *p, size_t at, char word[32])
{
	size_t len = strcspn(p->text + at, BLANKS);
	bool cut = len > 24;

	if (cut)
		for (len = 24; len && (p->text[at + len] & 0xc0) == 0x80; len--)
			;
	snprintf(word, 32, "%.*s%s", (int)len, p->text + at, cut ? "..." : "");
	return word;
}

/* ---- words ---- */

static void parse_skip_blanks(struct expression_parser *p)
{
	p->at += strspn(p->text + p->at, BLANKS);
}

static size_t parse_name_len(const struct expression_parser *p)
{
	return strspn(p->text + p->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* Matches an operator's sign or its word; a longer word is another word. */
static bool parse_accept_token(struct expression_parser *p, const char *sign, const char *word)
{
	size_t len = strlen(sign);

	parse_skip_blanks(p);
	if (strncmp(p->text + p->at, sign, len)) {
		len = parse_name_len(p);
		if (!word || len != strlen(word) || strncasecmp(p->text + p->at, word, len))
			return false;
	}
	p->at += len;
	return true;
}

/* ---- nodes ---- */

static struct rs_expression_node *add_node(struct expression_parser *p, enum expression_kind kind, size_t at)
{
	struct rs_expression_node *n = &p->e->nodes[p->e->nr_nodes];

	if (p->e->nr_nodes == RS_EXPRESSION_NODES) {
		parse_fail(p, at, "too many comparisons (about %d fit)", RS_EXPRESSION_NODES / 2);
		return NULL;
	}
	p->e->nr_nodes++;
	*n = (struct rs_expression_node){ .kind = (uint8_t)kind };
	return n;
}

/* ---- comparisons ---- */

struct operator {
	const char *sign;
	unsigned int orders; /* 0: ~ */
	bool is_not;
};

/* Longer signs first: "<=" before "<". */
static const struct operator operators[] = {
	{ "==", EXPR_EQUAL, false },
	{ "=", EXPR_EQUAL, false },
	{ "!=", EXPR_LESS | EXPR_GREATER, true },
	{ "!~", 0, true },
	{ "~", 0, false },
	{ "<=", EXPR_LESS | EXPR_EQUAL, false },
	{ "<", EXPR_LESS, false },
	{ ">=", EXPR_GREATER | EXPR_EQUAL, false },
	{ ">", EXPR_GREATER, false },
};

static bool is_equality(const struct operator *op)
{
	return op->sign[0] == '=' || op->orders == (EXPR_LESS | EXPR_GREATER);
}

static const struct operator *take_operator(struct expression_parser *p)
{
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
		if (parse_accept_token(p, operators[i].sign, NULL))
			return &operators[i];
	return NULL;
}

/* "latency" is the column that --min compares, whatever the view calls it. */
static int parse_find_column(const struct rs_view *view, const char *name)
{
	int column = rs_column_named(view, name);

	return column < 0 && !strcmp(name, "latency") ? rs_column_of_latency(view) : column;
}

static int take_column(struct expression_parser *p)
{
	char name[41], word[32], unknown[RS_COLUMN_UNKNOWN_BYTES];
	size_t len = parse_name_len(p), at = p->at;
	int column;

	if (!len && !p->text[at])
		return parse_fail(p, at, "a comparison is missing (such as pid == 42)");
	if (!len)
		return parse_fail(p, at, "a column's name is missing before '%s'", near_text(p, at, word));
	snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), p->text + at);
	column = parse_find_column(p->view, name);
	if (column < 0 || len >= sizeof name)
		return parse_fail(p, at, "%s", rs_column_unknown(p->view, name, strlen(name), unknown));
	if (p->view->kind == RS_VIEW_HIST && !(p->view->columns[column].flags & RS_COLUMN_KEY))
		return parse_fail(p, at, "'%s' is of a part of a picture: only its keys can be compared",
				  name);
	p->at += len;
	return column;
}

/* \x1b, or a character that stands for itself; p->at is behind the \. -1: neither. */
static int take_escape(struct expression_parser *p)
{
	const char *s = p->text + p->at;
	unsigned int c;

	if (*s == '\\' || *s == '"' || *s == '\'') {
		p->at++;
		return *s;
	}
	if (*s != 'x' || strspn(s + 1, "0123456789abcdefABCDEF") < 2 || sscanf(s + 1, "%2x", &c) != 1 || !c)
		return -1;
	p->at += 3;
	return (int)c;
}

static int take_quoted(struct expression_parser *p, char *to)
{
	size_t begin = p->at, len = 0;
	char quote = p->text[p->at++];

	while (p->text[p->at] != quote) {
		int c = p->text[p->at++];

		if (!c)
			return parse_fail(p, begin, "this quote is not closed");
		if (c == '\\' && (c = take_escape(p)) < 0)
			return parse_fail(p, p->at - 1, "no such escape (\\\\, \\\", \\' or \\x1b)");
		to[len++] = (char)c;
	}
	p->at++;
	to[len] = '\0';
	return 0;
}

/*
 * The value as a string of its own, or NULL. An operator precedes each value in the text, so there is
 * room for the NUL.
 */
static const char *take_value(struct expression_parser *p, bool *is_unknown)
{
	char *to = p->e->strings + p->strings_len, word[32];
	size_t len;

	*is_unknown = false;
	parse_skip_blanks(p);
	if (p->text[p->at] == '"' || p->text[p->at] == '\'') {
		if (take_quoted(p, to) < 0)
			return NULL;
	} else {
		len = strcspn(p->text + p->at, BLANKS "\"'()&|!=<>~");
		if (!len) {
			if (p->text[p->at])
				parse_fail(p, p->at, "a value is missing before '%s'",
					   near_text(p, p->at, word));
			else
				parse_fail(p, p->at, "a value is missing");
			return NULL;
		}
		memcpy(to, p->text + p->at, len);
		to[len] = '\0';
		p->at += len;
		*is_unknown = !strcmp(to, "-");
	}
	p->strings_len += strlen(to) + 1;
	return to;
}

static const char *const examples[] = {
	[RS_TYPE_COUNT] = "a whole number", [RS_TYPE_ID] = "a whole number",
	[RS_TYPE_TIME] = "a time of the trace clock (such as 12.5s; a bare number is ns)",
	[RS_TYPE_DURATION] = "a duration (such as 250us or 1.5s; a bare number is ns)",
	[RS_TYPE_BYTES] = "a size (such as 4KiB; a bare number is bytes)",
	[RS_TYPE_MILLI] = "a number (such as 99.5)",
};

static int parse_set_number(struct expression_parser *p, struct rs_expression_node *n, const char *value,
			    size_t at)
{
	const struct rs_column *c = &p->view->columns[n->column];
	bool negative = *value == '-', is_signed = c->flags & RS_COLUMN_SIGNED;
	uint64_t size = 0, most = is_signed ? (uint64_t)INT64_MAX + negative : UINT64_MAX;
	enum rs_parse got = rs_units_parse_value(value + negative, c->type, &size);

	if (got == RS_PARSE_BAD)
		return parse_fail(p, at, "%s is compared with %s, not '%.40s'", c->name, examples[c->type],
				  value);
	if (negative && !is_signed)
		return parse_fail(p, at, "%s is never less than 0", c->name);
	if (got == RS_PARSE_RANGE || size > most)
		return parse_fail(p, at, "'%.40s' is too large", value);
	n->kind = is_signed ? EXPR_SIGNED : EXPR_UNSIGNED;
	n->u = negative ? -size : size;
	return 0;
}

static int set_value(struct expression_parser *p, struct rs_expression_node *n, const struct operator *op,
		     size_t op_at)
{
	const struct rs_column *c = &p->view->columns[n->column];
	bool is_unknown;
	size_t at;
	const char *value;

	parse_skip_blanks(p);
	at = p->at;
	value = take_value(p, &is_unknown);
	if (!value)
		return -1;
	n->at = (uint32_t)(value - p->e->strings);
	if (is_unknown && !is_equality(op))
		return parse_fail(p, op_at, "'-' is what is not known: == - or != -");
	if (is_unknown)
		n->kind = EXPR_UNKNOWN;
	else if (!op->orders)
		n->kind = strpbrk(value, "*?") ? EXPR_GLOB : EXPR_CONTAINS;
	else if (c->type == RS_TYPE_TEXT)
		n->kind = EXPR_TEXT;
	else
		return parse_set_number(p, n, value, at);
	return 0;
}

static int check_operator(struct expression_parser *p, const struct rs_column *c, const struct operator *op,
			  size_t at)
{
	if (c->type == RS_TYPE_TEXT && op->orders && !is_equality(op))
		return parse_fail(p, at, "%s is text: == != ~ or !~, not %s", c->name, op->sign);
	if (c->type != RS_TYPE_TEXT && c->type != RS_TYPE_ID && !op->orders)
		return parse_fail(p, at, "%s is a number: == != < <= > or >=, not %s", c->name, op->sign);
	return 0;
}

static int parse_comparison(struct expression_parser *p)
{
	int column = take_column(p);
	struct rs_expression_node *n;
	const struct operator *op;
	const struct rs_column *c;
	size_t at;

	if (column < 0)
		return -1;
	c = &p->view->columns[column];
	parse_skip_blanks(p);
	at = p->at;
	op = take_operator(p);
	if (!op)
		return parse_fail(p, at, "an operator is missing behind '%s' (== != < <= > >= ~ !~)",
				  c->name);
	n = add_node(p, EXPR_UNKNOWN, at);
	if (!n || check_operator(p, c, op, at) < 0)
		return -1;
	n->column = (uint8_t)column;
	n->orders = (uint8_t)op->orders;
	n->is_not = op->is_not;
	p->e->used |= 1ull << column;
	return set_value(p, n, op, at);
}

/* ---- and, or, not ---- */

static int parse_or(struct expression_parser *p);

static int parse_parentheses(struct expression_parser *p, size_t begin)
{
	if (parse_or(p) < 0)
		return -1;
	if (parse_accept_token(p, ")", NULL))
		return 0;
	return p->text[p->at] ? parse_fail(p, p->at, "'&&', '||' or ')' is missing") :
				parse_fail(p, begin, "this '(' is not closed");
}

static int parse_unary(struct expression_parser *p)
{
	bool is_not;
	size_t at;
	int result;

	parse_skip_blanks(p);
	at = p->at;
	is_not = parse_accept_token(p, "!", "not");
	if (!is_not && !parse_accept_token(p, "(", NULL))
		return parse_comparison(p);
	if (p->depth++ == RS_EXPRESSION_DEPTH)
		return parse_fail(p, at, "more than %d of ( and ! within each other", RS_EXPRESSION_DEPTH);
	result = is_not ? parse_unary(p) : parse_parentheses(p, at);
	if (result == 0 && is_not && !add_node(p, EXPR_NOT, at))
		result = -1;
	p->depth--;
	return result;
}

/* && and || alike: an operand, and the next one unless the first has decided. */
static int parse_joined(struct expression_parser *p, const char *sign, const char *word,
			enum expression_kind skip,
			int (*operand)(struct expression_parser *p))
{
	int result = operand(p);

	while (result == 0 && parse_accept_token(p, sign, word)) {
		struct rs_expression_node *n = add_node(p, skip, p->at);

		if (!n)
			return -1;
		result = operand(p);
		n->at = p->e->nr_nodes;
	}
	return result;
}

static int parse_and(struct expression_parser *p)
{
	return parse_joined(p, "&&", "and", EXPR_SKIP_IF_FALSE, parse_unary);
}

static int parse_or(struct expression_parser *p)
{
	return parse_joined(p, "||", "or", EXPR_SKIP_IF_TRUE, parse_and);
}

static int parse_all(struct expression_parser *p)
{
	char word[32];

	if (strlen(p->text) > RS_EXPRESSION_BYTES)
		return parse_fail(p, RS_EXPRESSION_BYTES, "more than %d bytes", RS_EXPRESSION_BYTES);
	if (rs_columns_nr(p->view) > RS_MAX_COLUMNS)
		return parse_fail(p, 0, "%s has more than %d columns", p->view->name, RS_MAX_COLUMNS);
	if (parse_or(p) < 0)
		return -1;
	if (!p->text[p->at])
		return 0;
	if (p->text[p->at] == ')')
		return parse_fail(p, p->at, "no '(' is open here");
	return parse_fail(p, p->at,
			  "'&&' or '||' is missing before '%s' (text with blanks or signs: in quotes)",
			  near_text(p, p->at, word));
}

int rs_expression_parse(struct rs_expression *e, const struct rs_view *view, const char *what,
			const char *text, struct rs_error *err)
{
	struct expression_parser p = { .e = e, .view = view, .what = what, .text = text, .err = err };

	*e = (struct rs_expression){ .columns = view->columns };
	if (parse_all(&p) == 0)
		return 0;
	e->nr_nodes = 0;
	return -1;
}

/* ---- evaluation ---- */

static unsigned int expression_order_of(bool greater, bool less)
{
	return greater ? EXPR_GREATER : less ? EXPR_LESS : EXPR_EQUAL;
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

static bool expression_matches(const struct rs_expression *e, const struct rs_expression_node *n,
			       const struct rs_value *value)
{
	const struct rs_column *c = &e->columns[n->column];
	const char *wanted = e->strings + n->at, *text = value->s;
	char number[RS_UNIT_TEXT + 1];

	if (c->type != RS_TYPE_TEXT) {
		size_t len = c->flags & RS_COLUMN_SIGNED ? rs_units_put_i64(number, value->i) :
							   rs_units_put_u64(number, value->u);

		number[len] = '\0';
		text = number;
	}
	return n->kind == EXPR_GLOB ? fits_glob(wanted, text) : strcasestr(text, wanted) != NULL;
}

static bool expression_compare(const struct rs_expression *e, const struct rs_expression_node *n,
			       const struct rs_value *value)
{
	int order;

	if (n->kind == EXPR_UNKNOWN)
		return value->known == n->is_not;
	if (!value->known)
		return false;
	switch (n->kind) {
	case EXPR_UNSIGNED:
		return n->orders & expression_order_of(value->u > n->u, value->u < n->u);
	case EXPR_SIGNED:
		return n->orders & expression_order_of(value->i > n->i, value->i < n->i);
	case EXPR_TEXT:
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

		if (n->kind == EXPR_NOT)
			holds = !holds;
		else if (n->kind < EXPR_NOT)
			holds = expression_compare(e, n, &values[n->column]);
		else if (holds == (n->kind == EXPR_SKIP_IF_TRUE))
			i = n->at - 1; /* the loop adds one */
	}
	return holds;
}

/* ---- as text ---- */

void rs_expression_put_text(struct rs_buf *out, const char *s)
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
	rs_buf_add(out, number,
		   c->type == RS_TYPE_MILLI ? rs_units_put_milli(number, size) :
					      rs_units_put_u64(number, size));
}

void rs_expression_put(struct rs_buf *out, const struct rs_column *column, const struct rs_value *value)
{
	rs_buf_printf(out, "%s == ", column->name);
	if (!value->known)
		rs_buf_putc(out, '-');
	else if (column->type == RS_TYPE_TEXT)
		rs_expression_put_text(out, value->s);
	else
		expression_put_number(out, column, value);
}
