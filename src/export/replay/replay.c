// SPDX-License-Identifier: GPL-2.0-or-later
/* replay - the first reading of the recording finds the wait, the second what everybody did meanwhile */
#include "export/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/vector.h"
#include "export/scene/scene.h"
#include "model/finding-list.h"

struct replay_export {
	struct rs_scene scene;           /* first */
	struct rs_buf *out;
	void (*put)(const struct rs_replay *r, struct rs_buf *out);
	unsigned int pass;
	struct rs_wait_instance wait;    /* that is shown */
	bool is_found;                   /* it is of a finding */
	int32_t *hidden;                 /* tids of tasks that filters hide */
	size_t nr_hidden, hidden_room;
	int64_t call;                    /* that it was in; -1: none, or unknown */
	bool has_tree;
	struct rs_wait_tree tree;
	struct rs_replay_states states;
	struct rs_replay replay;
};

static struct replay_export *replay_of(struct rs_scene *s)
{
	return (struct replay_export *)s;
}

/* ---- first reading: which wait ---- */

/* Where no finding has one, the slowest that cost. */
static void replay_note_wait(struct replay_export *x, const struct rs_interval *iv, enum rs_cause cause)
{
	if (rs_cause_row(cause)->rank == RS_RANK_WAIT && !iv->in_flight && !iv->inferred &&
	    rs_shown(x->scene.c, iv->task) && iv->to_ns - iv->from_ns > x->wait.to_ns - x->wait.from_ns)
		x->wait = (struct rs_wait_instance){ iv->task->tid, iv->from_ns, iv->to_ns };
}

/* Findings come when the session has ended, and no longer tells who is hidden. Usually nobody is. */
static void replay_note_hidden(struct replay_export *x)
{
	struct rs_ctx *c = x->scene.c;
	int32_t *tid;

	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		tid = rs_shown(c, t) ? NULL : RS_VECTOR_ADD(&x->hidden, &x->nr_hidden, &x->hidden_room);
		if (tid)
			*tid = t->tid;
	}
}

/* A finding of a process may be about a wait of a thread that was not asked for. */
static bool replay_is_hidden(const struct replay_export *x, int32_t tid)
{
	for (size_t i = 0; i < x->nr_hidden; i++)
		if (x->hidden[i] == tid)
			return true;
	return false;
}

static void replay_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f)
{
	struct replay_export *x = replay_of(s);
	char text[RS_FINDING_TEXT];

	if (x->is_found || f->slowest.tid <= 0 || replay_is_hidden(x, f->slowest.tid))
		return;
	x->is_found = true;
	x->wait = f->slowest;
	rs_copy(x->replay.headline, sizeof x->replay.headline, rs_finding_list_text(f, text));
}

/* ---- second reading: what everybody did ---- */

static bool replay_overlaps(const struct replay_export *x, uint64_t from_ns, uint64_t to_ns)
{
	return from_ns < x->wait.to_ns && to_ns > x->wait.from_ns;
}

/* The history still has the wait when it has just ended, and forgets it later. */
static void replay_find_tree(struct replay_export *x)
{
	struct rs_task *t = rs_task_find(x->scene.c, x->wait.tid);

	if (x->has_tree || !t)
		return;
	x->has_tree = rs_wait_tree_find(x->scene.c, t, x->wait.from_ns, x->wait.to_ns, x->call, &x->tree);
}

static void replay_gather(struct replay_export *x, const struct rs_interval *iv, enum rs_cause cause)
{
	struct rs_replay_state state = { .from_ns = iv->from_ns, .to_ns = iv->to_ns, .tid = iv->task->tid,
					 .inst = iv->task->inst, .cause = cause, .cpu = iv->cpu };

	rs_copy(state.comm, sizeof state.comm, iv->task->comm);
	rs_replay_steps_gather(&x->states, &state);
}

static void replay_state(struct rs_scene *s, const struct rs_scene_track *at,
			 const struct rs_scene_state *state)
{
	struct replay_export *x = replay_of(s);
	const struct rs_interval *iv = state->interval;
	enum rs_cause cause =
		rs_cause_of_state(iv->kind, state->wait ? state->wait->cause : RS_CAUSE_UNKNOWN);

	if (x->pass == 0) {
		replay_note_wait(x, iv, cause);
		return;
	}
	if (iv->task->tid == x->wait.tid && iv->to_ns <= x->wait.to_ns && state->wait)
		x->call = state->wait->syscall;
	if (iv->to_ns > x->wait.to_ns || (iv->task->tid == x->wait.tid && iv->to_ns == x->wait.to_ns))
		replay_find_tree(x);
	if (replay_overlaps(x, iv->from_ns, iv->to_ns))
		replay_gather(x, iv, cause);
}

static void replay_request(struct rs_scene *s, const struct rs_request *r)
{
	struct replay_export *x = replay_of(s);
	struct rs_replay_state state = { .from_ns = r->issue_ns ? r->issue_ns : r->begin_ns,
					 .to_ns = r->complete_ns, .tid = r->tid, .cause = RS_CAUSE_DISK,
					 .is_request = true, .dev = r->dev };

	if (x->pass == 0 || !replay_overlaps(x, state.from_ns, state.to_ns))
		return;
	rs_copy(state.comm, sizeof state.comm, r->comm);
	rs_copy(state.rwbs, sizeof state.rwbs, r->rwbs);
	rs_replay_steps_gather(&x->states, &state);
}

static void replay_name_disks(struct replay_export *x)
{
	struct rs_replay *r = &x->replay;

	for (unsigned int i = 0; i < r->nr_tracks; i++)
		if (r->tracks[i].kind == RS_REPLAY_DISK)
			rs_disk_words(x->scene.c, r->tracks[i].id, r->tracks[i].name,
				      sizeof r->tracks[i].name);
}

static void replay_session_end(struct rs_scene *s)
{
	struct replay_export *x = replay_of(s);
	struct rs_replay *r = &x->replay;

	if (x->pass == 0)
		replay_note_hidden(x);
	if (x->pass == 0 || x->wait.tid <= 0 || x->wait.to_ns <= x->wait.from_ns)
		return;
	replay_find_tree(x);
	if (!x->has_tree || !x->tree.nr)
		return;
	r->begin_ns = s->begin_ns;
	r->from_ns = x->wait.from_ns;
	r->to_ns = x->wait.to_ns;
	rs_replay_steps_choose(r, &x->tree, &x->states);
	replay_name_disks(x);
	rs_replay_steps_fill(r, &x->states);
	rs_replay_words_make(r, &x->tree);
}

/* ---- the format ---- */

static void replay_begin(struct rs_scene *s, unsigned int pass)
{
	replay_of(s)->pass = pass;
}

static void replay_close(struct rs_scene *s)
{
	replay_of(s)->put(&replay_of(s)->replay, replay_of(s)->out);
}

static bool replay_is_empty(const struct rs_scene *s)
{
	return !((const struct replay_export *)s)->replay.nr_tracks;
}

static bool replay_draws(const struct rs_span_kind *kind)
{
	(void)kind;
	return false;
}

static void replay_free(struct rs_scene *s)
{
	free(replay_of(s)->hidden);
	free(replay_of(s)->states.at);
	rs_scene_done(s);
	free(s);
}

static const struct rs_scene_ops replay_ops = {
	.name = "replay", .summary = "who did what during one wait",
	.hidden_states = true, .requires_history = true, .open_states = true,
	.begin = replay_begin, .close = replay_close, .free = replay_free, .is_empty = replay_is_empty,
	.session_end = replay_session_end, .finding = replay_finding, .draws = replay_draws,
	.state = replay_state, .request = replay_request,
};

static struct rs_export *replay_make(struct rs_buf *out,
				     void (*put)(const struct rs_replay *r, struct rs_buf *out))
{
	struct replay_export *x = calloc(1, sizeof *x);

	if (!x)
		return NULL;
	x->out = out;
	x->put = put;
	x->call = -1;
	rs_scene_init(&x->scene, &replay_ops);
	x->scene.export.subscriber[1] = x->scene.export.subscriber[0];
	x->scene.export.empty = "wait that cost time";
	return &x->scene.export;
}

struct rs_export *rs_replay_make_svg(const struct rs_export_options *options, struct rs_buf *out)
{
	(void)options;
	return replay_make(out, rs_replay_svg_put);
}

struct rs_export *rs_replay_make_cast(const struct rs_export_options *options, struct rs_buf *out)
{
	(void)options;
	return replay_make(out, rs_replay_cast_put);
}
