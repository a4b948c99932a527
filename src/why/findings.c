// SPDX-License-Identifier: GPL-2.0-or-later
/* findings - collects what the analyses of a session report, with evidence that can be shown */
#include "why/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/comma-list.h"
#include "engine/internal.h"
#include "engine/session-select.h"
#include "model/finding-list.h"

const char *rs_where_pids(int32_t pid, int32_t other, char *buf, size_t size_bytes)
{
	int len = snprintf(buf, size_bytes, "pid == %d", pid);

	if (other > 0 && other != pid && len > 0 && (size_t)len < size_bytes)
		snprintf(buf + len, size_bytes - (size_t)len, " || pid == %d", other);
	return buf;
}

const char *rs_where_text(const char *column, const char *text, char *buf, size_t size_bytes)
{
	if (!text || !*text || strpbrk(text, "\"\\'\n"))
		return NULL;
	return (size_t)snprintf(buf, size_bytes, "%s == \"%s\"", column, text) < size_bytes ? buf : NULL;
}

/*
 * Where a recording does not tell processes, the thread that stands for one is known by its tid, and its pid
 * is null in all rows: "pid == 42" becomes "tid == 42". Returns where, or buf.
 */
static const char *findings_known_where(struct rs_ctx *c, const char *where, char *buf, size_t size_bytes)
{
	size_t len = 0;

	if (!where || !strstr(where, "pid == "))
		return where;
	for (const char *at = where; *at && len + 1 < size_bytes;) {
		bool is_pid = !strncmp(at, "pid == ", 7) && (at == where || at[-1] == ' ');
		const struct rs_task *t = is_pid ? rs_task_find(c, (int32_t)strtol(at + 7, NULL, 10)) : NULL;

		buf[len++] = t && !t->pid ? 't' : *at;
		at++;
	}
	buf[len] = '\0';
	return buf;
}

/* Returns false for a view that another run over this recording could not show either. */
static bool findings_could_show(const struct rs_session *s, const char *name)
{
	struct rs_error ignored = { 0 };
	struct rs_view_ref ref;

	if (!rs_requirements_find_view(name, &ref, &ignored))
		return false;
	if (s->source->info.live || s->source->info.of_live)
		return true;
	for (const struct rs_requirement *r = ref.analysis->requirements; r && r->name; r++)
		if (r->need == RS_REQUIRED &&
		    !rs_session_events_of(s, rs_session_event_id(s, r->system, r->name)))
			return false;
	return !ref.analysis->live_only;
}

bool rs_is_selected(struct rs_ctx *c, const char *process, int32_t pid)
{
	size_t len = process ? strcspn(process, "/") : 0; /* "server/worker" is a thread of server */

	if (!rs_session_select_narrows(&c->session->config.selection))
		return true;
	for (struct rs_task *t = pid ? rs_task_next(c, NULL) : NULL; t; t = rs_task_next(c, t)) {
		const char *comm = rs_task_process_comm(c, t);

		if (t->selected &&
		    (t->pid == pid || t->tid == pid || (strlen(comm) == len && !memcmp(comm, process, len))))
			return true;
	}
	return false;
}

void rs_report_finding(struct rs_ctx *c, const struct rs_finding *finding)
{
	struct rs_evidence evidence[RS_MAX_EVIDENCE + 1] = { 0 };
	struct rs_finding known = *finding;
	char bufs[RS_MAX_EVIDENCE + 1][RS_CELL_TEXT_BYTES];
	unsigned int nr = 0;

	if (rs_is_viewer(c, finding->victim_pid) ||
	    rs_comma_list_has(c->session->config.silence, finding->rule->name))
		return;
	known.where = findings_known_where(c, finding->where, bufs[RS_MAX_EVIDENCE], sizeof *bufs);
	known.evidence = finding->evidence ? evidence : NULL;
	for (unsigned int i = 0; finding->evidence && finding->evidence[i].view && i < RS_MAX_EVIDENCE; i++) {
		evidence[nr] = finding->evidence[i];
		evidence[nr].where = findings_known_where(c, evidence[nr].where, bufs[i], sizeof *bufs);
		nr += findings_could_show(c->session, evidence[nr].view);
	}
	evidence[nr].view = NULL;
	rs_finding_list_add(c->session->findings, &known,
			    rs_is_selected(c, finding->victim, finding->victim_pid));
}

/*
 * Where not all processes of the runner are known by number, those of its name are meant. "server/worker" is
 * a thread of server.
 */
static void findings_find_code(struct rs_session *s, struct rs_finding_item *item)
{
	const struct rs_finding_party *runner = rs_finding_list_runner(item);
	struct rs_hot_code_asked asked = { .ids = runner->pids, .nr_ids = runner->nr_pids };
	char comm[RS_COMM_LEN] = "";
	struct rs_hot_code code;

	if (runner->nr > runner->nr_pids) {
		memcpy(comm, runner->name, strnlen(runner->name, sizeof comm - 1));
		asked.comm = comm;
	}
	if (!runner->nr || !rs_hot_code(&s->analyses[0].ctx, &asked, &code))
		return;
	item->code.nr = code.nr;
	item->code.nr_samples = code.nr_samples;
	rs_copy(item->code.function, sizeof item->code.function, code.function);
	rs_copy(item->code.module, sizeof item->code.module, code.module);
}

void rs_findings_collect(struct rs_session *s, struct rs_finding_list *list)
{
	s->findings = list;
	list->interval_ns = s->nr_analyses ? rs_judged_ns(&s->analyses[0].ctx) : 0;
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->findings &&
		    !rs_session_silences(&s->config, s->analyses[i].analysis))
			s->analyses[i].analysis->findings(&s->analyses[i].ctx);
	s->findings = NULL;
	rs_finding_list_end(list);
	for (size_t i = 0; s->nr_analyses && i < list->nr; i++)
		if (!list->items[i].hidden && list->items[i].names_code)
			findings_find_code(s, &list->items[i]);
}
