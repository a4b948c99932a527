// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * html-ink.c - how much of a thread's time is drawn in full: the rule of rs_cause_ink, as on the terminal
 *
 * Whose waits cost is known when the findings are, after all states. So the picture sums what may turn out to
 * be dim in layers of its own, and the slices of a thread get their ink when the page is written.
 */
#include <stdio.h>

#include "base/own-name.h"
#include "export/html/html.h"
#include "model/finding-list.h"

void rs_html_ink_add_finding(struct rs_html_timeline *t, const struct rs_finding_item *f)
{
	for (unsigned int i = 0; i < f->victim.nr_pids && t->nr_pains < RS_HTML_PAINS; i++)
		t->pains[t->nr_pains++] = (struct rs_html_pain){ f->victim.pids[i], f->category };
}

struct rs_ink_task rs_html_ink_of(const struct rs_html_timeline *t, const struct rs_html_task *task)
{
	struct rs_ink_task ink = { .own = rs_own_name(task->process) };
	/* as findings name a task whose process is not known */
	int32_t pid = task->pid ? task->pid : task->tid;

	for (unsigned int i = 0; i < t->nr_pains; i++)
		if (t->pains[i].pid == pid)
			ink.pains |= 1u << t->pains[i].category;
	return ink;
}

/* A futex is a lock, or what another does when it likes: a finding tells which. */
unsigned int rs_html_ink_layer(enum rs_cause cause)
{
	const struct rs_cause_row *row = rs_cause_row(cause);

	if (row->rank == RS_RANK_UNKNOWN)
		return RS_HTML_LAYERS;
	return cause == RS_CAUSE_FUTEX ? RS_HTML_FUTEX : row->category;
}

enum rs_ink rs_html_ink_of_layer(unsigned int layer, const struct rs_ink_task *ink, enum rs_cause *cause)
{
	*cause = layer == RS_HTML_FUTEX ? RS_CAUSE_FUTEX : rs_category_row(layer)->color;
	return rs_cause_ink(*cause, ink, cause);
}

float rs_html_ink_lost_ns(const struct rs_html_timeline *t, const struct rs_html_task *task)
{
	struct rs_ink_task ink = rs_html_ink_of(t, task);
	float ns = 0;

	for (unsigned int layer = 0; layer < RS_HTML_LAYERS; layer++) {
		enum rs_cause cause;

		if (rs_html_ink_of_layer(layer, &ink, &cause) == RS_INK_FULL)
			for (unsigned int i = 0; i < RS_HTML_COLUMNS; i++)
				ns += task->ns[i][layer];
	}
	return ns;
}

void rs_html_ink_put(const struct rs_ink_task *ink, char text[RS_NR_CAUSES + 1])
{
	for (enum rs_cause cause = RS_CAUSE_UNKNOWN; cause < RS_NR_CAUSES; cause++) {
		enum rs_cause as = cause;
		enum rs_ink of = rs_cause_ink(cause, ink, &as);

		text[cause] = (char)('0' + (as == cause ? (unsigned int)of : RS_INK_FULL + 1u));
	}
	text[RS_NR_CAUSES] = '\0';
}
