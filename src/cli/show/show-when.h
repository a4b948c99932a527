/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show-when.h - waits for a condition in what is shown: ends with the first that fires, and says so in a line
 *
 *	struct rs_show_when wait;
 *	rs_show_when_init(&wait, &opt, &err);            // opt.whens
 *	opt.wait = &wait;
 *	rs_show_views("wait", RS_SHOW_WHEN, wait.views, wait.nr_views, &opt, &err);
 *	if (wait.fired) ...
 *	rs_show_when_done(&wait);
 */
#ifndef RS_CLI_SHOW_SHOW_WHEN_H
#define RS_CLI_SHOW_SHOW_WHEN_H

#include "cli/command.h"
#include "when/when.h"

struct rs_show_when {
	struct rs_when *when;
	struct rs_view_ref views[RS_MAX_VIEWS];
	size_t nr_views;
	bool json, fired;
	uint64_t step_ns, begin_ns;
	struct rs_buf *out;          /* set by rs_show_when_ask */
};

int rs_show_when_init(struct rs_show_when *w, const struct rs_options *opt, struct rs_error *err);
void rs_show_when_done(struct rs_show_when *w);
/* Before the session is made: has it judge each step. The line goes to out. */
void rs_show_when_ask(struct rs_show_when *w, uint64_t begin_ns, struct rs_session_config *config,
		      struct rs_buf *out);
/* -1: this source cannot feed a view that a condition is about, which would never fire. */
int rs_show_when_check(const struct rs_show_when *w, const struct rs_session *s, struct rs_error *err);

#endif
