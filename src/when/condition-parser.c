// SPDX-License-Identifier: GPL-2.0-or-later
/* condition-parser - the text of a condition while it is parsed: words, errors that name the place */
#include "when/condition-parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"

#define CONDITION_BLANKS " \t"

int rs_condition_parser_fail(struct rs_condition_parser *p, size_t at, const char *fmt, ...)
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

void rs_condition_parser_skip_blanks(struct rs_condition_parser *p)
{
	p->at += strspn(p->text + p->at, CONDITION_BLANKS);
}

size_t rs_condition_parser_take(struct rs_condition_parser *p, size_t len, char *to, size_t size_bytes)
{
	size_t begin = p->at;

	snprintf(to, size_bytes, "%.*s", (int)(len < size_bytes ? len : size_bytes - 1), p->text + begin);
	p->at += len;
	return begin;
}

size_t rs_condition_parser_take_word(struct rs_condition_parser *p, char *to, size_t size_bytes)
{
	rs_condition_parser_skip_blanks(p);
	return rs_condition_parser_take(p, strcspn(p->text + p->at, CONDITION_BLANKS), to, size_bytes);
}

size_t rs_condition_parser_value_len(const struct rs_condition_parser *p)
{
	const char *s = p->text + p->at;
	size_t len = 1;

	if (*s != '"' && *s != '\'')
		return strcspn(s, CONDITION_BLANKS);
	while (s[len] && s[len] != *s)
		len += s[len] == '\\' && s[len + 1] ? 2 : 1;
	return s[len] ? len + 1 : len;
}

int rs_condition_parser_expression(struct rs_condition_parser *p, struct rs_expression *e, const char *text,
				   size_t from, size_t at)
{
	struct rs_error why = { 0 };

	if (rs_expression_parse(e, p->c->view, NULL, text, &why) == 0)
		return 0;
	return rs_condition_parser_fail(p, e->error_at > from ? at + e->error_at - from : at, "%s", why.text);
}

int rs_condition_parser_compare(struct rs_condition_parser *p, struct rs_expression *e, const char *value,
				const char *unit, size_t at)
{
	const struct rs_column *column = &p->c->view->columns[p->c->column];
	bool is_bare = value[strspn(value, "0123456789.")] == '\0';
	char text[RS_EXPRESSION_BYTES + 1];
	int head = snprintf(text, sizeof text, "%s %s ", column->name, p->op);

	snprintf(text + head, sizeof text - (size_t)head, "%s%s", value, unit && is_bare ? unit : "");
	return rs_condition_parser_expression(p, e, text, (size_t)head, at);
}
