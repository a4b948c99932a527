// SPDX-License-Identifier: GPL-2.0-or-later
/* incident-rows.c - what rows that show incidents ask for and select, and what Enter opens on one */
#include "tui/overview/incident-rows.h"

#include <string.h>

#include "base/buf.h"
#include "rpc/filter-views.h"

#define INCIDENT_ROWS_AGO_COLUMNS 11 /* "12.3s ago" and two blanks */

bool rs_incident_rows_ask(struct rs_app *app, struct rs_question *question)
{
	struct rs_buf where = RS_BUF_INIT;
	bool is_filtered;

	rs_app_filter_where(app, rs_filter_view(RS_FILTER_FINDINGS), NULL, NULL, &where);
	rs_question_ask(question, "incidents", &(struct rs_incidents_request){
		.time = rs_app_asked_time(app), .where = where.len ? where.data : NULL });
	is_filtered = where.len > 0;
	rs_buf_done(&where);
	return is_filtered;
}

bool rs_incident_rows_select(const struct rs_wire_incident *i, struct rs_screen_selection *out)
{
	const struct rs_wire_finding *f = i ? i->finding : NULL;
	int64_t pid = f && f->nr_victim_pids ? f->victim_pids[0] : 0;

	*out = (struct rs_screen_selection){ .column = -1 };
	if (!f)
		return false;
	if (i->slowest && rs_selection_set_wait(out, f->victim, pid, i->slowest->tid, i->slowest->from_ns,
						i->slowest->to_ns))
		return true;
	rs_selection_add_task(&out->keys, f->victim ? f->victim : "-", pid, 0);
	return pid > 0;
}

void rs_incident_rows_draw(const struct rs_wire_incident *i, uint64_t now_ns, struct rs_canvas *c,
			   struct rs_area line)
{
	const struct rs_wire_finding *f = i->finding;
	struct rs_buf text = RS_BUF_INIT;
	char ago[RS_SCREEN_TEXT];

	rs_put_format(c, line.y, line.x, INCIDENT_ROWS_AGO_COLUMNS - 1, RS_STYLE_WARN, "%s ago",
		      rs_screen_duration(now_ns > i->end_ns ? now_ns - i->end_ns : 0, ago));
	/* a finding about what recurs says so itself */
	if (i->often && *i->often && !strstr(f->text, ", every "))
		rs_buf_printf(&text, "%s: ", i->often);
	rs_buf_puts(&text, f->brief && *f->brief ? f->brief : f->text);
	rs_put_cut(c, line.y, line.x + INCIDENT_ROWS_AGO_COLUMNS, line.width - INCIDENT_ROWS_AGO_COLUMNS,
		   RS_STYLE_TEXT, text.data);
	rs_buf_done(&text);
}

struct rs_screen *rs_incident_rows_open(struct rs_app *app, const struct rs_wire_incident *i)
{
	struct rs_screen_selection wait;

	if (rs_incident_rows_select(i, &wait) && wait.is_wait)
		return rs_why_open_wait(app, &wait, i->finding);
	return rs_details_new_evidence(app, i->finding);
}
