/* SPDX-License-Identifier: GPL-2.0-or-later */
/* condition-parser.h - the text of a condition while it is parsed: words, errors that name the place */
#ifndef RS_WHEN_CONDITION_PARSER_H
#define RS_WHEN_CONDITION_PARSER_H

#include "when/condition.h"

struct rs_condition_parser {
	struct rs_condition *c;
	const char *what, *text;
	size_t at;
	char op[4];                /* of the comparison */
	struct rs_error *err;
};

/* Sets .err, wrong usage, with the place. Returns -1. */
int rs_condition_parser_fail(struct rs_condition_parser *p, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void rs_condition_parser_skip_blanks(struct rs_condition_parser *p);
/* The next len bytes, copied as far as they fit; their end is p->at. Returns where they begin. */
size_t rs_condition_parser_take(struct rs_condition_parser *p, size_t len, char *to, size_t size_bytes);
/* The next word. */
size_t rs_condition_parser_take_word(struct rs_condition_parser *p, char *to, size_t size_bytes);
/* How long a value is: in quotes with these, else up to the next blank. */
size_t rs_condition_parser_value_len(const struct rs_condition_parser *p);
/*
 * An expression that stands in the text, or is made of parts of it. at: where in the text its bytes from
 * `from` on are; what is before them points there, too.
 */
int rs_condition_parser_expression(struct rs_condition_parser *p, struct rs_expression *e, const char *text,
				   size_t from, size_t at);
/* The column beside the value, which stands at `at`; unit: of a bare number, NULL: the column's. */
int rs_condition_parser_compare(struct rs_condition_parser *p, struct rs_expression *e, const char *value,
				const char *unit, size_t at);

#endif
