/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phrase.h - a sentence as words with kinds: its victim, its numbers, its disk are found by them
 *
 * A template is expanded once, where a finding is reported; screens, JSON and exports read the words, and
 * nobody parses the text. What a template has: see struct rs_slot. Words are untrusted bytes: names of
 * tasks, paths.
 */
#ifndef RS_MODEL_PHRASE_H
#define RS_MODEL_PHRASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ringside/plugin.h"

#define RS_PHRASE_PARTS 40
#define RS_PHRASE_SIZE 1024

struct rs_phrase {
	unsigned int nr;
	struct rs_phrase_part { uint8_t kind; uint16_t len; } at[RS_PHRASE_PARTS];
	size_t len;
	char text[RS_PHRASE_SIZE];      /* of all words, one after the other */
};

/* A slot's text; NULL: it has none. */
struct rs_slot_text {
	const char *name;               /* NULL: the end of a list */
	enum rs_slot_kind kind;
	const char *text;
};

void rs_phrase_init(struct rs_phrase *w);
/* What does not fit is cut. Text that follows text is one word. */
void rs_phrase_add(struct rs_phrase *w, enum rs_slot_kind kind, const char *text, size_t len);
void rs_phrase_puts(struct rs_phrase *w, enum rs_slot_kind kind, const char *text);
/* Appends what the template says. slots: NULL: none. */
void rs_phrase_expand(struct rs_phrase *w, const char *template, const struct rs_slot_text *slots);
/* Appends `from`: inflects the words that agree with a number, and inserts the culprit. */
void rs_phrase_settle(struct rs_phrase *w, const struct rs_phrase *from, bool many_victims,
		      bool many_culprits, const char *culprit);
bool rs_phrase_have(const struct rs_phrase *w, enum rs_slot_kind kind);
/* Appends the plural of a word: "their" of "its", "poll" of "polls". */
void rs_phrase_put_plural(struct rs_phrase *w, enum rs_slot_kind kind, const char *word, size_t len);

#endif
