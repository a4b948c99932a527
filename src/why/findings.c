// SPDX-License-Identifier: GPL-2.0-or-later
/* findings - what the analyses of a session report: their sentences in words, with evidence that can be shown
 */
#include "why/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "engine/internal.h"
#include "engine/process-program.h"
#include "engine/session-select.h"
#include "engine/short-cmdline.h"
#include "model/finding-list.h"

/* ---- slots: their texts by their kinds ---- */

#define FINDINGS_SLOTS 32

typedef const char *findings_format_fn(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes);

static const char *findings_format_text(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	return *v.s ? v.s : NULL;
}

static const char *findings_format_number(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%" PRIu64, v.u);
	return buf;
}

static const char *findings_format_level(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%" PRIi64, v.i);
	return buf;
}

static const char *findings_format_percent(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%" PRIu64 " %%", v.u);
	return buf;
}

static const char *findings_format_duration(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	return rs_duration_text(c, v.u, buf, size_bytes);
}

static const char *findings_format_bytes(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	return rs_size_text(v.u, buf, size_bytes);
}

static const char *findings_format_rate(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	return rs_rate_text(v.u, buf, size_bytes);
}

static const char *findings_format_call(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	return v.i >= 0 ? rs_syscall_name(c, v.i) : NULL;
}

static const char *findings_format_disk(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	return v.u ? rs_disk_words(c, (uint32_t)v.u, buf, size_bytes) : NULL;
}

static const char *findings_format_dev(struct rs_ctx *c, struct rs_value v, char *buf, size_t size_bytes)
{
	const char *name = v.u ? rs_disk_name(c, (uint32_t)v.u) : NULL;

	if (!v.u || name)
		return name;
	rs_dev_text((uint32_t)v.u, buf, size_bytes);
	return buf;
}

/* most: bytes of a text that a sentence has room for. */
static const struct findings_kind { findings_format_fn *put; size_t most;
} kinds[RS_NR_SLOT_KINDS] = {
	[RS_SLOT_NUMBER] = { findings_format_number, 24 },
	[RS_SLOT_LEVEL] = { findings_format_level, 24 },
	[RS_SLOT_PERCENT] = { findings_format_percent, 24 },
	[RS_SLOT_DURATION] = { findings_format_duration, 40 },
	[RS_SLOT_BYTES] = { findings_format_bytes, 40 },
	[RS_SLOT_RATE] = { findings_format_rate, 40 },
	[RS_SLOT_CALL] = { findings_format_call, 40 },
	[RS_SLOT_DISK] = { findings_format_disk, 100 },
	[RS_SLOT_DEV] = { findings_format_dev, 30 },
	[RS_SLOT_NAME] = { findings_format_text, 48 },
	[RS_SLOT_FILE] = { findings_format_text, 60 },
	[RS_SLOT_CGROUP] = { findings_format_text, 50 },
	[RS_SLOT_LOCK] = { findings_format_text, 140 },
	[RS_SLOT_TEXT] = { findings_format_text, 255 },
};

/* The texts of a finding's slots. */
struct findings_slots {
	struct rs_slot_text at[FINDINGS_SLOTS + 4];
	unsigned int nr;
	char text[FINDINGS_SLOTS + 4][256];
};

static void findings_add_slot(struct rs_ctx *c, struct findings_slots *s, const struct rs_slot *slot)
{
	const struct findings_kind *kind = &kinds[slot->kind];
	char buf[256];
	const char *text = slot->value.known && kind->put ? kind->put(c, slot->value, buf, sizeof buf) : NULL;

	if (s->nr >= FINDINGS_SLOTS + 3)
		return;
	if (text)
		snprintf(s->text[s->nr], sizeof *s->text, "%.*s", (int)kind->most, text);
	s->at[s->nr] = (struct rs_slot_text){ slot->name, slot->kind, text ? s->text[s->nr] : NULL };
	s->nr++;
}

static const char *findings_format_pids(int32_t pid, int32_t other, char *buf, size_t size_bytes)
{
	if (other > 0 && other != pid)
		snprintf(buf, size_bytes, "pid == %d || pid == %d", pid, other);
	else
		snprintf(buf, size_bytes, "pid == %d", pid);
	return buf;
}

static void findings_fill_slots(struct rs_ctx *c, struct findings_slots *s, const struct rs_finding *f)
{
	char pids[64];

	s->nr = 0;
	for (const struct rs_slot *slot = f->slots; slot && slot->name && s->nr < FINDINGS_SLOTS; slot++)
		findings_add_slot(c, s, slot);
	findings_add_slot(c, s, &(struct rs_slot){ "pid", RS_SLOT_LEVEL, rs_i(f->victim_pid) });
	findings_format_pids(f->victim_pid, f->culprit_pid, pids, sizeof pids);
	findings_add_slot(c, s, &(struct rs_slot){ "pids", RS_SLOT_TEXT, rs_s(pids) });
	s->at[s->nr] = (struct rs_slot_text){ 0 };
}

/* ---- evidence ---- */

/*
 * Writes the expression of which rows; NULL: a slot of it is not known, or cannot be in an expression. NULL
 * as well where the template is.
 */
static const char *findings_where(const char *template, const struct findings_slots *s,
				  char buf[RS_CELL_TEXT_BYTES])
{
	char name[32];
	size_t len = 0;

	for (const char *at = template; at && *at; at++) {
		const struct rs_slot_text *slot = s->at;

		if (*at != '{') {
			len += (size_t)snprintf(buf + len, RS_CELL_TEXT_BYTES - len, "%c", *at);
		} else {
			rs_copy(name, sizeof name, at + 1);
			name[strcspn(name, "}")] = '\0';
			while (slot->name && strcmp(slot->name, name) != 0)
				slot++;
			if (!slot->name || !slot->text || strpbrk(slot->text, "\"\\'\n"))
				return NULL;
			len += (size_t)snprintf(buf + len, RS_CELL_TEXT_BYTES - len, "%s", slot->text);
			at += strcspn(at, "}");
		}
		if (len >= RS_CELL_TEXT_BYTES || !*at)
			return NULL;
	}
	return template ? buf : NULL;
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
		bool has_name = strlen(comm) == len && !memcmp(comm, process, len);

		if (t->selected &&
		    (t->pid == pid || t->tid == pid ||
		     (has_name && rs_process_program_of_task(c, t) == rs_process_program(c, pid))))
			return true;
	}
	return false;
}

/* Those that can be shown, with their expressions in bufs. */
static void findings_take_evidence(struct rs_ctx *c, const struct rs_evidence *from,
				   const struct findings_slots *s, struct rs_evidence to[RS_MAX_EVIDENCE + 1],
				   char bufs[RS_MAX_EVIDENCE][2][RS_CELL_TEXT_BYTES])
{
	unsigned int nr = 0;

	for (unsigned int i = 0; from[i].view && nr < RS_MAX_EVIDENCE; i++) {
		const char *where = findings_where(from[i].where, s, bufs[nr][0]);

		if ((from[i].where && !where && !from[i].or_all) ||
		    !findings_could_show(c->session, from[i].view))
			continue;
		to[nr] = from[i];
		to[nr].where = findings_known_where(c, where, bufs[nr][1], sizeof *bufs[nr]);
		nr++;
	}
	to[nr].view = NULL;
}

void rs_report_finding(struct rs_ctx *c, const struct rs_finding *f)
{
	const struct rs_sentence *says = f->says ? f->says : &f->rule->says;
	const struct rs_evidence *evidence = f->evidence ? f->evidence : f->rule->evidence;
	struct rs_evidence known[RS_MAX_EVIDENCE + 1];
	struct rs_finding_told told = { .finding = f, .evidence = evidence ? known : NULL };
	char bufs[RS_MAX_EVIDENCE][2][RS_CELL_TEXT_BYTES], where[2][RS_CELL_TEXT_BYTES];
	struct findings_slots slots;

	if (rs_is_viewer(c, f->victim_pid) || rs_comma_list_has(c->session->config.silence, f->rule->name))
		return;
	findings_fill_slots(c, &slots, f);
	rs_phrase_init(&told.cause);
	rs_phrase_init(&told.how);
	rs_phrase_expand(&told.cause, says->cause, slots.at);
	rs_phrase_expand(&told.how, says->how, slots.at);
	told.where = findings_known_where(c, findings_where(f->rule->where, &slots, where[0]), where[1],
					  sizeof *where);
	if (evidence)
		findings_take_evidence(c, evidence, &slots, known, bufs);
	told.is_told = rs_is_selected(c, f->victim, f->victim_pid);
	told.victim_program = rs_process_program(c, f->victim_pid);
	told.culprit_program = rs_process_program(c, f->culprit_pid);
	rs_finding_list_add(c->session->findings, &told);
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

/* "server/worker" is a thread of server: what tells its process from others of that name stands before it. */
static void findings_find_title(struct rs_ctx *c, struct rs_finding_party *party)
{
	bool is_one = party->nr == 1 && party->nr_pids == 1;
	const char *comm = is_one || party->program ? rs_api_process_comm(c, party->pids[0]) : NULL;
	size_t len = comm ? strlen(comm) : 0;
	char buf[RS_SHORT_ARGS_BYTES];
	const char *title = NULL;

	if (len && !strncmp(party->name, comm, len) && (!party->name[len] || party->name[len] == '/'))
		title = is_one ? rs_short_cmdline(c, party->pids[0], comm, buf, sizeof buf) :
				 rs_short_cmdline_of_all(c, party->pids[0], comm, buf, sizeof buf);
	if (title)
		snprintf(party->title, sizeof party->title, "%s%.*s", title, RS_COMM_LEN, party->name + len);
}

/* Of what is told: to find these walks all tasks. */
static void findings_find_titles(struct rs_session *s, struct rs_finding_item *item)
{
	findings_find_title(&s->analyses[0].ctx, &item->victim);
	findings_find_title(&s->analyses[0].ctx, &item->culprit);
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
	for (size_t i = 0; s->nr_analyses && i < list->nr; i++) {
		if (list->items[i].hidden)
			continue;
		findings_find_titles(s, &list->items[i]);
		if (list->items[i].names_code)
			findings_find_code(s, &list->items[i]);
	}
}
