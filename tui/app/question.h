/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * question.h - what a screen asks a machine's engine again and again: one request at a time, the last answer
 * is kept
 */
#ifndef RS_TUI_APP_QUESTION_H
#define RS_TUI_APP_QUESTION_H

#include "rpc/client.h"

struct rs_tui_machine;

struct rs_question {
	struct rs_tui_machine *machine;
	/* Called after each reply with `of`. A refusal leaves the former answer. May be NULL. */
	void (*answered)(void *of, const struct rs_reply *reply);
	void *of;
	const void *answer;      /* the message; NULL: none yet */
	bool asked, is_first;    /* a reply is pending; the answer is the first one */
	/* asked again and again of "now": a reply that comes after a pause would change what is seen */
	bool pauses;
	bool asked_now;          /* the pending one was asked of "now" */
};

/* Does nothing while a reply is pending. */
void rs_question_ask(struct rs_question *q, const char *op, const void *request);
void rs_question_drop(struct rs_question *q); /* forgets the answer, as if none had come */
void rs_question_done(struct rs_question *q); /* likewise; a pending reply no longer arrives */

#endif
