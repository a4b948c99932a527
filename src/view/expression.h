/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression.h - selects rows: comm ~ post && p99_ns > 1ms
 *
 *	struct rs_expression e;
 *	if (rs_expression_parse(&e, view, "--where", text, &err) < 0)
 *		...  "--where: at 9: sched has no column 'p99' (did you mean ...?)", of wrong usage
 *	if (rs_expression_passes(&e, values)) ...
 *
 *	comparison   COLUMN OPERATOR VALUE
 *	combined     ! && || ( ), also not, and, or; ! binds closest, || loosest
 *	== (or =) != < <= > >=   of numbers; of text == and != alone, letter by letter
 *	~ !~         text or id: contains it, ignoring case; with * or ? the whole text must match the pattern
 *	a value      1ms, 4KiB, 99.5%, -2, R, "of blanks and signs", 'so too'; \" \\ \x1b within quotes
 *	-            not known: errno == -, errno != -
 *
 * The column that --min compares is "latency" too, whatever its name.
 *
 * A bare number is in the column's base unit, as in JSON: ns, bytes. Every comparison
 * with an unknown value is false, except == -, and its negation by ! is true.
 */
#ifndef RS_VIEW_EXPRESSION_H
#define RS_VIEW_EXPRESSION_H

#include "base/buf.h"
#include "base/error.h"
#include "ringside/table.h"

#define RS_EXPRESSION_BYTES 1000 /* of text */
#define RS_EXPRESSION_NODES 256
#define RS_EXPRESSION_DEPTH 32   /* of ( and ! */

struct rs_expression_node {
	uint8_t kind, column;
	uint8_t orders;    /* which of less, equal, greater are true: bits 0 to 2 */
	uint8_t is_not;    /* !~ */
	uint32_t at;       /* of text: in strings; of a jump: the node to go on with */
	union {
		uint64_t u;
		int64_t i;
	};
};

/* Owns everything except the columns; nodes run from first to last, jumps go forward. */
struct rs_expression {
	const struct rs_column *columns;
	uint64_t used;         /* bit n: column n is compared */
	unsigned int nr_nodes; /* 0: every row passes */
	size_t error_at;       /* after an error: the byte of the text that it points at */
	struct rs_expression_node nodes[RS_EXPRESSION_NODES];
	char strings[RS_EXPRESSION_BYTES + 1];
};

/*
 * rs_expression_parse - what: begins the message and is followed by the place; NULL: a message without
 * place, for who shows e->error_at. text may be freed afterwards, the view's columns must live on. Of a
 * histogram only key columns can be compared: its rows are parts of one picture. -1: wrong usage, with a
 * message that names it; *e then passes every row.
 */
int rs_expression_parse(struct rs_expression *e, const struct rs_view *view, const char *what,
			const char *text, struct rs_error *err);
/* values: one for each column of the view. Allocates nothing. */
bool rs_expression_passes(const struct rs_expression *e, const struct rs_value *values);
/* Appends a text as a value: in quotes, with escapes of what would end it. */
void rs_expression_put_text(struct rs_buf *out, const char *s);
/* Appends `comm == "x"`, which is true for this value of the column; for an unknown one `comm == -`. */
void rs_expression_put(struct rs_buf *out, const struct rs_column *column, const struct rs_value *value);

#endif
