/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side-keys.h - by what the rows of a side are told apart: names that mean the same in another recording
 *
 * A process is its name, and where its command line is known the program that an interpreter runs, or its
 * title: see rs_short_args_lasting. Several of one name and program are one.
 */
#ifndef RS_COMPARE_SIDE_KEYS_H
#define RS_COMPARE_SIDE_KEYS_H

#include "compare/side.h"

#define RS_SIDE_KEY_BYTES 1024u

/* Sets the keys of a view; by: see struct rs_side_asked. -1: err says which is none. */
int rs_side_keys_choose(struct rs_side_view *view, const char *by, struct rs_error *err);
/* Writes the texts of a row's keys, a NUL behind each; returns how long they are. values: of all columns */
size_t rs_side_keys_put(const struct rs_side_view *view, const struct rs_session *s,
			const struct rs_value *values, char key[RS_SIDE_KEY_BYTES]);

#endif
