/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prompt.h - a line editor: cursor, history, UTF-8 */
#ifndef RS_TUI_PROMPT_H
#define RS_TUI_PROMPT_H

#include "tui/toolkit/canvas.h"

#define RS_PROMPT_BYTES 1024
#define RS_PROMPT_HISTORY 16

struct rs_prompt {
	bool open;
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
	void *arg;
};

void rs_prompt_open(struct rs_prompt *p, const char *question, const char *preset,
		    void (*done)(void *arg, const char *text), void (*typed)(void *arg, const char *text),
		    void *arg);
/* Handles every key while the prompt is open; calls done and typed. */
void rs_prompt_key(struct rs_prompt *p, uint32_t key);
/* Closes the prompt without a callback, because its screen has closed. */
void rs_prompt_drop(struct rs_prompt *p);
void rs_prompt_draw(const struct rs_prompt *p, struct rs_canvas *c, struct rs_area line);

#endif
