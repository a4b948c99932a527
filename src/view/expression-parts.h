/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * expression-parts.h - the nodes of an expression, for its parser and its evaluation
 *
 * One truth value is carried from node to node: a comparison sets it, NOT inverts it, and a
 * jump skips the other operand of && or || if the result is already known. So evaluation
 * does not recurse, however deep the text nests.
 */
#ifndef RS_VIEW_EXPRESSION_PARTS_H
#define RS_VIEW_EXPRESSION_PARTS_H

enum rs_expression_kind {
	RS_EXPR_UNSIGNED = 1, /* orders, u */
	RS_EXPR_SIGNED,       /* orders, i */
	RS_EXPR_TEXT,         /* orders, at */
	RS_EXPR_CONTAINS,     /* at */
	RS_EXPR_GLOB,         /* at */
	RS_EXPR_UNKNOWN,      /* is_not */
	RS_EXPR_NOT,
	RS_EXPR_SKIP_IF_FALSE, /* at */
	RS_EXPR_SKIP_IF_TRUE,  /* at */
};

#define RS_EXPR_LESS 1
#define RS_EXPR_EQUAL 2
#define RS_EXPR_GREATER 4

#endif
