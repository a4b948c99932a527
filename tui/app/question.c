// SPDX-License-Identifier: GPL-2.0-or-later
/* question.c - what a screen asks a machine's engine again and again, one request at a time */
#include "tui/app/question.h"

#include "tui/app/app.h"

static void question_got(void *arg, const struct rs_reply *reply)
{
	struct rs_question *q = arg;
	const void *before = reply->message ? q->answer : NULL;

	q->asked = false;
	if (q->pauses && q->asked_now && q->machine->app->paused && q->answer)
		return;
	q->is_first = !q->answer;
	if (reply->message)
		q->answer = rs_client_keep(q->machine->client, reply);
	rs_app_redraw(q->machine->app);
	if (q->answered)
		q->answered(q->of, reply);
	rs_message_drop(before);
}

void rs_question_ask(struct rs_question *q, const char *op, const void *request)
{
	if (q->asked)
		return;
	q->asked_now = q->machine->app->time.now;
	q->asked = rs_client_ask(q->machine->client, op, request, question_got, q) != 0;
}

void rs_question_drop(struct rs_question *q)
{
	rs_message_drop(q->answer);
	q->answer = NULL;
}

void rs_question_done(struct rs_question *q)
{
	rs_client_forget(q->machine->client, q);
	q->asked = false;
	rs_question_drop(q);
}
