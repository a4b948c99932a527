/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named-stacks.h - stacks by the names of their frames, each kept once: what rows have instead of texts as
 * "main;work;read"
 *
 *	id = RS_STACK_ROOT;
 *	for (outermost to innermost)
 *		id = rs_named_stacks_add(s, id, function, module);
 *
 * Names and numbers outlive the session that they are of. Its own numbers do not: those of stacks that no row
 * of a store has are given to others, and names end with the session.
 */
#ifndef RS_MODEL_NAMED_STACKS_H
#define RS_MODEL_NAMED_STACKS_H

#include <string.h>

#include "model/stack-table.h"

struct rs_named_stacks;

/* max: see rs_stack_table_new. NULL: no memory. */
struct rs_named_stacks *rs_named_stacks_new(size_t max);
void rs_named_stacks_free(struct rs_named_stacks *s); /* may be NULL */
/* True once a name or a frame was left out for want of memory. */
bool rs_named_stacks_failed(const struct rs_named_stacks *s);

/* Names are copied; a ; in them, which separates names, becomes a colon. RS_STACK_OTHERS: no room. */
uint32_t rs_named_stacks_add(struct rs_named_stacks *s, uint32_t caller, const char *function,
			     const char *module);
size_t rs_named_stacks_nr(const struct rs_named_stacks *s); /* one more than the largest number */
/* Of the innermost frame; the names live as long as the table. */
uint32_t rs_named_stacks_caller(const struct rs_named_stacks *s, uint32_t stack);
const char *rs_named_stacks_function(const struct rs_named_stacks *s, uint32_t stack);
const char *rs_named_stacks_module(const struct rs_named_stacks *s, uint32_t stack);
/* As strcmp does of their texts: of the functions, or of their modules. */
int rs_named_stacks_compare(const struct rs_named_stacks *s, uint32_t a, uint32_t b, bool of_modules);
/*
 * "main;work;read": outermost first; what does not fit is left out there. Returns where in buf the text
 * begins.
 */
const char *rs_named_stacks_put(const struct rs_named_stacks *s, uint32_t stack, bool of_modules, char *buf,
				size_t size_bytes);

/* A ; separates names. */
static inline void rs_named_stacks_replace(char *name, size_t len)
{
	for (char *at = name; (at = memchr(at, ';', len - (size_t)(at - name)));)
		*at = ':';
}

/* Puts a name before `at` in such a text. Returns where that begins now; NULL: no room. */
static inline char *rs_named_stacks_prepend(const char *name, const char *begin, char *at, bool is_last)
{
	size_t len = strlen(name);

	if (len + 1 > (size_t)(at - begin))
		return NULL;
	if (!is_last)
		*--at = ';';
	at -= len;
	memcpy(at, name, len);
	rs_named_stacks_replace(at, len);
	return at;
}

/* ---- texts by number, as frames have them ---- */

/* Returns the number of a text, as it is; that of "" is 0. */
uint32_t rs_named_stacks_text(struct rs_named_stacks *s, const char *text, size_t len);
const char *rs_named_stacks_text_of(const struct rs_named_stacks *s, uint32_t number);
uint32_t rs_named_stacks_number_of(const char *text_of_table);
size_t rs_named_stacks_nr_texts(const struct rs_named_stacks *s);
uint32_t rs_named_stacks_add_numbers(struct rs_named_stacks *s, uint32_t caller, uint32_t function,
				     uint32_t module);

/* ---- stacks of one table in another ---- */

/* What was copied; all zero at first. */
struct rs_named_copy {
	const struct rs_named_stacks *from;
	struct rs_named_copied {
		uint32_t below, stack; /* of the other table; stack 0: not copied yet */
	} *copied;                     /* by number of the stack in from */
	uint32_t *texts;               /* by number in from: that in the other; 0: not copied yet, or "" */
	uint32_t *frames;              /* that are to be copied, innermost first */
	size_t copied_room, texts_room, frames_room;
};

/* Returns the number in `to` of a stack below one of its own. from: the same in all calls for one `copy`. */
uint32_t rs_named_stacks_copy(struct rs_named_stacks *to, struct rs_named_copy *copy,
			      const struct rs_named_stacks *from, uint32_t below, uint32_t stack);
void rs_named_stacks_copy_done(struct rs_named_copy *copy);

#endif
