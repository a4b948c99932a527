/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * help.h - help, made from the rows of commands, views, options and rules, and from the guide
 */
#ifndef RS_CLI_HELP_HELP_H
#define RS_CLI_HELP_HELP_H

#include "cli/command.h"

struct rs_rule;

/* ---- all there is, and one of it ---- */

/* All commands, and all views by the question that they answer. */
void rs_help_overview(struct rs_buf *out);
void rs_help_command(const struct rs_command *command, struct rs_buf *out);
void rs_help_view(const struct rs_view_ref *ref, struct rs_buf *out);
/* "  left          right": on two lines where the left is too long for its column; right may be "". */
void rs_help_line(struct rs_buf *out, const char *left, const char *right);

/* ---- rules ---- */

const struct rs_rule *rs_help_rule_find(const char *name); /* NULL: none of this name */
/* How it is found, when it is wrong, what to do. */
void rs_help_rule(const struct rs_rule *rule, struct rs_buf *out);
/* A text of a rule, with its threshold in place of {least}. */
void rs_help_rule_expand(const struct rs_rule *rule, const char *text, struct rs_buf *out);

/* ---- the guide ---- */

/* Of the guide's text, which ends with a NUL behind the last section; zeros: before the first. */
struct rs_help_section {
	const char *title, *text;
	size_t title_len, len;
};

bool rs_help_guide_next(struct rs_help_section *s); /* false: there are no more */
bool rs_help_guide_find(const char *title, struct rs_help_section *s); /* by its title, in any case */
void rs_help_guide_put(const struct rs_help_section *s, struct rs_buf *out);
void rs_help_guide_put_all(struct rs_buf *out);

/* ---- search ---- */

/*
 * Lists each command, view, rule, column and section of the guide that has all of the words, in any form, or
 * others that mean them; where none has all, those that have most. What fits best comes first. Returns false,
 * with err, if a word is nowhere: the nearest one.
 */
bool rs_help_search(char *const *words, size_t nr, struct rs_buf *out, struct rs_error *err);

#endif
