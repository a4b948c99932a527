// SPDX-License-Identifier: GPL-2.0-or-later
/* fail-on - what makes a comparison fail a check: "slower:syscall-latency>10%,new:locks" */
#include "compare/fail-on.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fail_term {
	char verdict[16], view[40]; /* view "": processes, and the rows of all views */
	double least;               /* of what it was before; 0: whatever is told */
};

/* Reads one of the terms, and moves behind it; false: it is not written as one. */
static bool fail_on_next(const char **text, struct fail_term *term)
{
	const char *end = *text + strcspn(*text, ","), *at = *text;
	size_t len = strcspn(at, ":>,");
	char *after;

	*term = (struct fail_term){ 0 };
	if (!len || len >= sizeof term->verdict)
		return false;
	memcpy(term->verdict, at, len);
	at += len;
	if (*at == ':') {
		len = strcspn(++at, ">,");
		if (!len || len >= sizeof term->view)
			return false;
		memcpy(term->view, at, len);
		at += len;
	}
	if (*at == '>') {
		term->least = strtod(at + 1, &after) / 100;
		if (after == at + 1 || *after != '%' || term->least < 0 || term->least > 1e6)
			return false;
		at = after + 1;
	}
	*text = *end ? end + 1 : end;
	return at == end;
}

static bool fail_on_is_verdict(const char *word)
{
	for (unsigned int i = 0; i < RS_NR_CHANGE_VERDICTS; i++)
		if (!strcmp(rs_change_word((enum rs_change_verdict)i), word))
			return true;
	return false;
}

int rs_fail_on_check(const char *text, struct rs_error *err)
{
	const char *at = text;
	struct fail_term term;

	while (at && *at)
		if (!fail_on_next(&at, &term) || !fail_on_is_verdict(term.verdict))
			return rs_fail_usage(err,
					     "--fail-on '%.60s': write it as slower, faster, more, less, new "
					     "or gone, then :VIEW and >PERCENT%% if you want, as "
					     "slower:syscall-latency>10%%",
					     text);
	return 0;
}

unsigned int rs_fail_on_processes(const char *text, const struct rs_process_list *list)
{
	struct fail_term term;
	unsigned int nr = 0;

	while (text && *text && fail_on_next(&text, &term))
		for (size_t i = 0; !*term.view && i < list->nr; i++) {
			const struct rs_process_change *p = &list->at[i];

			nr += !strcmp(rs_process_word(p->verdict), term.verdict) &&
			      fabs(p->change.value) >= term.least * p->of_a.value;
		}
	return nr;
}

/* The largest of its changes, as a share of what it was. */
static double fail_on_share(const struct rs_change *ch)
{
	double p50 = ch->p50_a.value > 0 ? fabs(ch->p50.value) / ch->p50_a.value : 0,
	       p99 = ch->p99_a.value > 0 ? fabs(ch->p99.value) / ch->p99_a.value : 0,
	       rate = ch->rate_a.value > 0 ? fabs(ch->rate_b.value / ch->rate_a.value - 1) : INFINITY;

	if (ch->verdict == RS_CHANGE_SLOWER || ch->verdict == RS_CHANGE_FASTER)
		return fmax(p50, p99);
	return rate;
}

unsigned int rs_fail_on_changes(const char *text, const struct rs_change_list *list)
{
	struct fail_term term;
	unsigned int nr = 0;

	while (text && *text && fail_on_next(&text, &term)) {
		if (*term.view && strcmp(term.view, list->view->ref.view->name) != 0)
			continue;
		for (size_t i = 0; i < list->nr; i++)
			nr += !strcmp(rs_change_word(list->at[i].verdict), term.verdict) &&
			      fail_on_share(&list->at[i]) >= term.least;
	}
	return nr;
}
