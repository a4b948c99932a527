// SPDX-License-Identifier: GPL-2.0-or-later
/* show-when - waits for a condition in what is shown: ends with the first that fires, with a line */
#include "cli/show/show-when.h"

#include <inttypes.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/units.h"

#define SHOW_WHEN_STEP_NS 1000000000u

static void show_when_put_json(const struct rs_show_when *w, const struct rs_when_event *event)
{
	struct rs_json j;

	rs_json_init(&j, w->out);
	rs_json_open(&j, '{');
	rs_json_put_str(&j, "when", event->condition->text);
	if (*event->condition->name)
		rs_json_put_str(&j, "name", event->condition->name);
	rs_json_put_str(&j, "sentence", event->sentence);
	rs_json_key(&j, "from_ns");
	rs_json_u64(&j, event->from_ns);
	rs_json_key(&j, "to_ns");
	rs_json_u64(&j, event->to_ns);
	rs_json_key(&j, "rows");
	rs_json_u64(&j, event->nr_rows);
	rs_json_close(&j, '}');
	rs_buf_putc(w->out, '\n');
}

/* "3.000 s: runqlat.p99 > 10ms for 2s: p99_ns 23.4ms: comm nginx" */
static void show_when_put_text(const struct rs_show_when *w, const struct rs_when_event *event)
{
	uint64_t ms = event->to_ns > w->begin_ns ? (event->to_ns - w->begin_ns) / 1000000 : 0;

	rs_buf_printf(w->out, "%" PRIu64 ".%03" PRIu64 " s: ", ms / 1000, ms % 1000);
	rs_escape_text(w->out, rs_when_name(event->condition));
	rs_buf_puts(w->out, ": ");
	rs_escape_text(w->out, event->sentence);
	rs_buf_putc(w->out, '\n');
}

static void show_when_fired(void *arg, const struct rs_when_event *event)
{
	struct rs_show_when *w = arg;

	if (event->event != RS_ALARM_FIRES || w->fired)
		return;
	w->fired = true;
	if (w->json)
		show_when_put_json(w, event);
	else
		show_when_put_text(w, event);
}

/* ---- which views ---- */

static void show_when_add_view(struct rs_show_when *w, const struct rs_view_ref *ref)
{
	for (size_t i = 0; i < w->nr_views; i++)
		if (w->views[i].view == ref->view)
			return;
	if (w->nr_views < RS_MAX_VIEWS)
		w->views[w->nr_views++] = *ref;
}

/* Findings, and losses, are of what is traced if nothing is named. */
static void show_when_choose_views(struct rs_show_when *w)
{
	struct rs_view_ref all[RS_MAX_VIEWS];
	size_t nr;

	w->nr_views = rs_when_views(w->when, w->views, RS_MAX_VIEWS);
	if (w->nr_views && !rs_when_needs_findings(w->when))
		return;
	nr = rs_commands_views(all, RS_MAX_VIEWS, false);
	for (size_t i = 0; i < nr; i++)
		show_when_add_view(w, &all[i]);
}

int rs_show_when_init(struct rs_show_when *w, const struct rs_options *opt, struct rs_error *err)
{
	*w = (struct rs_show_when){ .json = opt->json,
				    .step_ns = opt->interval_ns ? opt->interval_ns : SHOW_WHEN_STEP_NS };
	w->when = rs_when_new(&(struct rs_when_to){ .fired = show_when_fired, .arg = w }, err);
	for (size_t i = 0; w->when && i < opt->nr_whens; i++)
		if (rs_when_add(w->when, "--when", opt->whens[i], err) < 0)
			return -1;
	if (!w->when)
		return -1;
	show_when_choose_views(w);
	return 0;
}

void rs_show_when_done(struct rs_show_when *w)
{
	rs_when_free(w->when);
}

void rs_show_when_ask(struct rs_show_when *w, uint64_t begin_ns, struct rs_session_config *config,
		      struct rs_buf *out)
{
	w->begin_ns = begin_ns;
	w->out = out;
	config->step_ns = w->step_ns;
	config->end_step = rs_when_end_step;
	config->step_arg = w->when;
}

int rs_show_when_check(const struct rs_show_when *w, const struct rs_session *s, struct rs_error *err)
{
	struct rs_view_ref refs[RS_WHEN_MOST];
	size_t nr = rs_when_views(w->when, refs, RS_WHEN_MOST);

	for (size_t i = 0; i < nr; i++) {
		const char *why = rs_session_disabled(s, refs[i].analysis);

		if (why)
			return rs_fail(err, "%s: %s", refs[i].view->name, why);
	}
	return 0;
}
