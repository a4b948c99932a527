// SPDX-License-Identifier: GPL-2.0-or-later
/* html-states - states as slices of the page: who woke, who had what was waited for; what its script reads */
#include "base/json.h"
#include "export/html/html.h"
#include "ringside/culprit.h"

/* ---- parties ---- */

static uint32_t html_states_task_party(struct rs_scene *s, const struct rs_task *t)
{
	return rs_html_slices_party(&rs_html_of(s)->timeline.slices,
				    &(struct rs_html_party){ t->comm, rs_task_process_comm(s->c, t),
							     t->tid, t->pid });
}

static uint32_t html_states_name_party(struct rs_scene *s, const char *name, int32_t tid, int32_t pid)
{
	return rs_html_slices_party(&rs_html_of(s)->timeline.slices,
				    &(struct rs_html_party){ name, "", tid, pid });
}

static uint32_t html_states_waker(struct rs_scene *s, const struct rs_interval *iv)
{
	const struct rs_task *waker;

	if (iv->kind == RS_PREEMPTED || iv->waker_tid < 0)
		return RS_HTML_UNKNOWN;
	if (iv->waker_tid == 0)
		return RS_HTML_INTERRUPT;
	waker = rs_task_find(s->c, iv->waker_tid);
	if (waker)
		return html_states_task_party(s, waker);
	return iv->waker_comm ? html_states_name_party(s, iv->waker_comm, iv->waker_tid, 0) : RS_HTML_UNKNOWN;
}

static uint32_t html_states_culprit_party(struct rs_scene *s, const struct rs_culprit *k)
{
	const struct rs_task_name *n = k->name;
	char text[48];

	switch (k->kind) {
	case RS_CULPRIT_TASK:
		if (n && n->task)
			return html_states_task_party(s, n->task);
		if (n)
			return html_states_name_party(s, n->comm, n->tid, n->pid);
		return k->comm ? html_states_name_party(s, k->comm, k->tid, k->pid) : RS_HTML_UNKNOWN;
	case RS_CULPRIT_INTERRUPT:
		return RS_HTML_INTERRUPT;
	case RS_CULPRIT_OTHERS:
		return RS_HTML_ANYBODY;
	case RS_CULPRIT_IRQ:
		return html_states_name_party(s, rs_culprit_text(s->c, k, text, sizeof text), 0, 0);
	case RS_CULPRIT_SELF:
		return RS_HTML_ITSELF;
	case RS_CULPRIT_IDLE:
		return RS_HTML_IDLE;
	default:
		return RS_HTML_UNKNOWN;
	}
}

/* Who had most of what it waited for. Who sleeps by its own choice waits for nobody. */
static void html_states_set_culprit(struct rs_scene *s, const struct rs_interval *iv,
				    struct rs_html_kind *kind)
{
	const struct rs_culprit *most = NULL;
	struct rs_culprits culprits;

	rs_culprits_find(s->c, iv->task, iv->from_ns, iv->to_ns, &culprits);
	for (unsigned int i = 0; i < culprits.nr; i++)
		if (!most || culprits.at[i].ns > most->ns)
			most = &culprits.at[i];
	if (!most)
		return;
	kind->part = most->part;
	kind->culprit = html_states_culprit_party(s, most);
}

static bool html_states_has_culprit(const struct rs_interval *iv, enum rs_cause cause)
{
	enum rs_cause_rank rank = rs_cause_row(cause)->rank;

	/* who will end what is open is not known, nor all of its culprits */
	return iv->kind != RS_RUN && !iv->in_flight && (rank == RS_RANK_WAIT || rank == RS_RANK_CHOICE);
}

static uint64_t html_states_hash(const struct rs_html_kind *kind)
{
	return rs_hash_bytes(kind, sizeof *kind);
}

void rs_html_states_add(struct rs_scene *s, unsigned int track, const struct rs_scene_state *state,
			enum rs_cause cause)
{
	struct rs_html_slices *slices = &rs_html_of(s)->timeline.slices;
	const struct rs_interval *iv = state->interval;
	struct rs_html_kind kind = { .state = cause, .part = RS_NR_PARTS, .open = iv->in_flight };
	uint64_t from_ns = iv->from_ns > s->begin_ns ? iv->from_ns : s->begin_ns;

	if (from_ns >= iv->to_ns || !rs_html_slices_takes(slices, track, iv->to_ns - from_ns))
		return;
	kind.waker = html_states_waker(s, iv);
	if (track >= RS_HTML_TASKS)
		kind.ran = html_states_task_party(s, iv->task);
	else if (iv->kind == RS_RUN)
		kind.cpu = iv->cpu + 1u;
	if (html_states_has_culprit(iv, cause)) {
		html_states_set_culprit(s, iv, &kind);
		rs_html_trees_add(&rs_html_of(s)->trees, s->c, iv, state->wait ? state->wait->syscall : -1,
				  html_states_hash(&kind), s->begin_ns);
	}
	rs_html_slices_add(slices, track, from_ns, iv->to_ns, &kind);
}

/* ---- who takes part in what findings show ---- */

static void html_states_mark(void *arg, int32_t tid)
{
	struct rs_html_timeline *t = arg;

	for (unsigned int i = 0; i < RS_HTML_TASKS; i++)
		t->tasks[i].is_party |= t->tasks[i].tid == tid;
}

void rs_html_states_mark_parties(struct rs_html_timeline *t)
{
	for (unsigned int n = 0; n < t->nr_findings; n++) {
		const struct rs_wait_instance *wait = &t->findings[n];

		for (unsigned int i = 0; wait->tid && i < RS_HTML_TASKS; i++) {
			if (t->tasks[i].tid != wait->tid)
				continue;
			t->tasks[i].is_party = true;
			rs_html_slices_visit(&t->slices, i, wait->from_ns, wait->to_ns, html_states_mark, t);
		}
	}
}

const struct rs_html_tree *rs_html_states_find_tree(const struct rs_html *h,
						    const struct rs_wait_instance *wait)
{
	const struct rs_html_timeline *t = &h->timeline;
	const struct rs_html_kind *kind = NULL;

	for (unsigned int i = 0; i < RS_HTML_TASKS && !kind; i++)
		if (t->tasks[i].tid == wait->tid)
			kind = rs_html_slices_kind_at(&t->slices, i,
						      wait->from_ns + (wait->to_ns - wait->from_ns) / 2);
	return rs_html_trees_find(&h->trees, wait, kind ? html_states_hash(kind) : 0);
}

/* ---- the data ---- */

static void html_states_put_causes(struct rs_json *j)
{
	rs_json_key(j, "states");
	rs_json_open(j, '[');
	for (enum rs_cause cause = RS_CAUSE_UNKNOWN; cause < RS_NR_CAUSES; cause++) {
		struct rs_buf class = RS_BUF_INIT;

		rs_html_style_put_cause(&class, cause);
		rs_json_open(j, '[');
		rs_json_str(j, rs_cause_row(cause)->name);
		rs_json_str(j, class.data);
		rs_json_close(j, ']');
		rs_buf_done(&class);
	}
	rs_json_close(j, ']');
	rs_json_key(j, "parts");
	rs_json_open(j, '[');
	for (enum rs_time_part part = 0; part < RS_NR_PARTS; part++)
		rs_json_str(j, rs_part_row(part)->name);
	rs_json_close(j, ']');
}

/* Of each its thread and its times, or null. */
static void html_states_put_findings(const struct rs_html_timeline *t, struct rs_json *j)
{
	rs_json_key(j, "findings");
	rs_json_open(j, '[');
	for (unsigned int i = 0; i < t->nr_findings; i++) {
		const struct rs_wait_instance *wait = &t->findings[i];

		if (!wait->tid) {
			rs_json_null(j);
			continue;
		}
		rs_json_open(j, '[');
		rs_json_i64(j, wait->tid);
		rs_json_i64(j, (int64_t)(wait->from_ns - t->begin_ns));
		rs_json_i64(j, (int64_t)(wait->to_ns - t->begin_ns));
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

/* In a script "</script>" and "<!--" would end it, or begin another. */
static void html_states_put_safe(struct rs_buf *out, const struct rs_buf *json)
{
	const char *at = json->data, *end = json->data + json->len;

	for (const char *bad; at < end; at = bad + 1) {
		bad = memchr(at, '<', (size_t)(end - at));
		if (!bad)
			break;
		rs_buf_add(out, at, (size_t)(bad - at));
		rs_buf_puts(out, "\\u003c");
	}
	rs_buf_add(out, at, (size_t)(end - at));
	out->failed |= json->failed;
}

void rs_html_states_put(struct rs_html_timeline *t, size_t max_bytes, struct rs_buf *out)
{
	struct rs_buf json = RS_BUF_INIT;
	struct rs_json j;

	rs_json_init(&j, &json);
	rs_json_open(&j, '{');
	html_states_put_causes(&j);
	html_states_put_findings(t, &j);
	rs_html_slices_put(&t->slices, t->drawn, t->nr_drawn, t->begin_ns,
			   max_bytes > json.len ? max_bytes - json.len : 0, &j);
	rs_json_close(&j, '}');
	html_states_put_safe(out, &json);
	rs_buf_done(&json);
}
