/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire-words.h - what the protocol calls the numbers of the public headers, both ways; shared by the two ends of the catalogue
 */
#ifndef RS_RPC_WIRE_WORDS_H
#define RS_RPC_WIRE_WORDS_H

#include <stdbool.h>

/* A list ends with a NULL word. */
struct rs_word {
	const char *word;
	unsigned int number;
};

extern const struct rs_word rs_words_types[], rs_words_units[], rs_words_flags[], rs_words_view_kinds[], rs_words_tracks[],
	rs_words_shapes[], rs_words_panels[];

const char *rs_wire_word_find(const struct rs_word *words, unsigned int number);  /* NULL: none */
bool rs_wire_word_number(const struct rs_word *words, const char *word, unsigned int *number); /* word may be NULL: false */

#endif
