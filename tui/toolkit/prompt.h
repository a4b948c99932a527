/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prompt.h - a line editor: cursor, history, UTF-8, words that Tab completes, texts that are refused */
#ifndef RS_TUI_PROMPT_H
#define RS_TUI_PROMPT_H

#include "tui/toolkit/canvas.h"

#define RS_PROMPT_BYTES 1024
#define RS_PROMPT_HISTORY 16
#define RS_PROMPT_WORD_BYTES 72
#define RS_PROMPT_WORDS 64

/* What the word at the cursor may become. */
struct rs_prompt_words {
	size_t from;             /* the byte where that word begins */
	const char *after;       /* follows a word that Tab has completed; NULL: nothing */
	unsigned int nr;
	char at[RS_PROMPT_WORDS][RS_PROMPT_WORD_BYTES];
};

struct rs_prompt {
	bool open;
	char why[256];           /* why done refused the text as it is; "": it did not */
	char question[64];
	char text[RS_PROMPT_BYTES];
	size_t len, cursor;      /* bytes; the cursor is at the start of a character */
	struct rs_prompt_entry {
		char question[64], text[RS_PROMPT_BYTES];
	} history[RS_PROMPT_HISTORY]; /* newest first, shared by all prompts; question "": no more */
	int recalled;            /* index in the history; -1: the typed text */
	char typed_text[RS_PROMPT_BYTES]; /* the typed text, while history is shown */
	void (*done)(void *arg, const char *text);
	void (*typed)(void *arg, const char *text);
	/* Sets words->from and adds what the word at byte `cursor` may become. NULL: Tab does nothing. */
	void (*complete)(void *arg, const char *text, size_t cursor, struct rs_prompt_words *words);
	bool (*empty)(void *arg);      /* Backspace in an empty text; false: it does nothing. May be NULL */
	struct rs_prompt_words words;  /* for the text as it is */
	int cycled;                    /* the word that Tab has put in; -1: none */
	void *arg;
};

void rs_prompt_open(struct rs_prompt *p, const char *question, const char *preset,
		    void (*done)(void *arg, const char *text), void (*typed)(void *arg, const char *text),
		    void *arg);
/* Handles every key while the prompt is open; calls done and typed. */
void rs_prompt_key(struct rs_prompt *p, uint32_t key);
/*
 * To be called by done, of a text that is wrong: the prompt stays open, with the cursor at a byte of the text
 * and the reason below it.
 */
void rs_prompt_refuse(struct rs_prompt *p, size_t at, const char *why);
/* Completes words from now on, and once for the text as it is. */
void rs_prompt_set_complete(struct rs_prompt *p,
			    void (*complete)(void *arg, const char *text, size_t cursor,
					     struct rs_prompt_words *words));
/* Asks for the words again: there may be more of them by now. */
void rs_prompt_complete(struct rs_prompt *p);
/* Adds a word if it begins with what is typed from words->from to the cursor, ignoring case, once. */
void rs_prompt_words_add(struct rs_prompt_words *words, const char *text, size_t cursor, const char *word);
/* Closes the prompt without a callback, because its screen has closed. */
void rs_prompt_drop(struct rs_prompt *p);
/* Draws the words, the text and the reason of a refusal into the last lines of an area. */
void rs_prompt_draw(const struct rs_prompt *p, struct rs_canvas *c, struct rs_area area);

#endif
