// SPDX-License-Identifier: GPL-2.0-or-later
/* scene - what an export requests of the session, the begin and the end of the file, tracks */
#include "export/scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include "model/finding-list.h"

static struct rs_scene *scene_of(struct rs_export *e)
{
	return (struct rs_scene *)e;
}

/* ---- the file ---- */

static void scene_drop_machine(struct rs_scene *s)
{
	free(s->cpus);
	free(s->cpu_own);
	rs_scene_places_drop(s);
	s->cpus = NULL;
	s->cpu_own = NULL;
	s->nr_cpus = 0;
	s->nr_cut = 0;
}

/* The format first: it may have something of the machine before. */
static void scene_machine(struct rs_export *e, unsigned int index, unsigned int nr, const char *name)
{
	scene_of(e)->ops->machine(scene_of(e), index, nr, name);
	scene_drop_machine(scene_of(e));
}

/* Without memory, which is reported, nothing of CPUs, disks and connections is drawn. */
static void scene_begin(struct rs_export *e, unsigned int pass, const struct rs_trace_info *info,
			uint64_t begin_ns)
{
	struct rs_scene *s = scene_of(e);
	const struct rs_scene_ops *ops = s->ops;
	unsigned int nr = ops->max_cpus && info->nr_cpus > ops->max_cpus ? ops->max_cpus : info->nr_cpus;

	if (pass == 0) {
		s->info = info;
		s->begin_ns = begin_ns;
		s->cpus = calloc(nr + 1, sizeof *s->cpus);
		s->cpu_own = calloc(nr + 1, ops->cpu_bytes + 1);
		rs_scene_places_begin(s);
		s->nr_cpus = s->cpus && s->cpu_own ? nr : 0;
	}
	if (ops->begin)
		ops->begin(s, pass);
}

static void scene_end(struct rs_export *e, unsigned int pass, const struct rs_quality *quality)
{
	if (scene_of(e)->ops->end)
		scene_of(e)->ops->end(scene_of(e), pass, quality);
	if (pass == 0)
		scene_of(e)->info = NULL; /* of the source, which may be closed next */
}

static void scene_close(struct rs_export *e)
{
	if (scene_of(e)->ops->close)
		scene_of(e)->ops->close(scene_of(e));
}

static void scene_free(struct rs_export *e)
{
	scene_of(e)->ops->free(scene_of(e));
}

static bool scene_is_empty(const struct rs_export *e)
{
	const struct rs_scene *s = (const struct rs_scene *)e;

	return s->ops->is_empty(s);
}

static void scene_pack(struct rs_export *e, struct rs_buf *b)
{
	scene_of(e)->ops->pack(scene_of(e), b);
}

static struct rs_sink *scene_view(struct rs_export *e, const struct rs_view *view)
{
	return scene_of(e)->ops->view(scene_of(e), view);
}

uint64_t rs_scene_finding_ns(const struct rs_scene *s, const struct rs_finding_item *f)
{
	return f->since_ns && f->since_ns < s->end_ns ? f->since_ns : s->begin_ns;
}

static void scene_findings(struct rs_export *e, const struct rs_finding_list *list)
{
	struct rs_scene *s = scene_of(e);
	const struct rs_finding_item *f;
	unsigned int nr = 0;

	for (; (f = rs_finding_list_get(list, nr)); nr++)
		s->ops->finding(s, nr, f);
	if (s->ops->findings_end)
		s->ops->findings_end(s, nr, list);
}

static void scene_incident(struct rs_export *e, const struct rs_export_incident *i)
{
	scene_of(e)->ops->incident(scene_of(e), i);
}

/* ---- the end of the session ---- */

static void scene_put_task(struct rs_scene *s, struct rs_task *t)
{
	struct rs_scene_track at = rs_scene_track_of_task(s, t);

	if (s->ops->task)
		s->ops->task(s, &at);
}

static void scene_put_tasks(struct rs_scene *s)
{
	for (struct rs_task *t = rs_task_next(s->c, NULL); t; t = rs_task_next(s->c, t))
		scene_put_task(s, t);
}

static void scene_evict_task(struct rs_ctx *c, struct rs_task *t)
{
	struct rs_scene *s = rs_api_session_arg(c);
	const struct rs_scene_ops *ops = s->ops;

	if (ops->wake && ops->is_sorted)
		rs_wake_flows_evict(&s->flows, &rs_scene_task(c, t)->wakes);
	if (ops->count)
		rs_scene_put_counts(s, t);
	scene_put_task(s, t);
	if (ops->wake && !ops->is_sorted)
		rs_wake_flows_evict(&s->flows, &rs_scene_task(c, t)->wakes);
}

static void scene_end_tasks(struct rs_scene *s)
{
	const struct rs_scene_ops *ops = s->ops;

	for (struct rs_task *t = rs_task_next(s->c, NULL); t; t = rs_task_next(s->c, t)) {
		if (ops->count && ops->is_sorted)
			rs_scene_put_counts(s, t);
		if (ops->open_states && (ops->hidden_states || rs_shown(s->c, t)))
			rs_scene_put_open_state(s, t);
		if (ops->count && !ops->is_sorted)
			rs_scene_put_counts(s, t);
		if (!ops->is_sorted)
			scene_put_task(s, t);
	}
}

static void scene_on_end(struct rs_ctx *c, uint64_t end_ns)
{
	struct rs_scene *s = rs_api_session_arg(c);
	const struct rs_scene_ops *ops = s->ops;

	s->end_ns = end_ns;
	if (ops->is_sorted)
		rs_wake_flows_end(&s->flows);
	scene_end_tasks(s);
	if (ops->counter)
		rs_scene_put_queues(s);
	if (ops->pressure)
		rs_scene_put_pressure(s);
	if (ops->path)
		rs_scene_put_paths(s);
	if (ops->is_sorted)
		scene_put_tasks(s);
	if (ops->stack)
		rs_scene_put_stacks(s);
	rs_wake_flows_end(&s->flows);
	rs_scene_drop_messages(s);
	if (ops->session_end)
		ops->session_end(s);
	s->c = NULL; /* it ends with the session */
}

static int scene_on_begin(struct rs_ctx *c)
{
	struct rs_scene *s = rs_api_session_arg(c);

	s->c = c;
	if (s->ops->path)
		((struct rs_chain_list *)c->state)->is_rough = true;
	return 0;
}

/* ---- what is requested of the session ---- */

static void scene_add_callbacks(struct rs_scene *s)
{
	const struct rs_scene_ops *ops = s->ops;
	bool has_states = ops->state || ops->wake || ops->path;
	const struct { bool is_wanted; struct rs_callback callback; } rows[] = {
		{ has_states, { RS_ON_INTERVAL, .interval = rs_scene_on_interval,
				.kinds = 1 << RS_RUN | 1 << RS_DELAY | 1 << RS_PREEMPTED } },
		{ has_states, { RS_ON_WAIT, .wait = rs_scene_on_wait } },
		{ ops->wake || ops->path, { RS_ON_CALL, .call = rs_scene_on_call,
					    .kinds = ~(1u << RS_CALL_IDLE), .if_recorded = true } },
		{ ops->wake, { RS_ON_MESSAGE, .message = rs_scene_on_message, .if_recorded = true } },
		{ ops->counter, { RS_ON_QUEUE, .queue = rs_scene_on_queue } },
		{ ops->counter, { RS_ON_DISK_DEPTH, .disk_depth = rs_scene_on_disk_depth } },
		{ ops->request, { RS_ON_REQUEST, .request = rs_scene_on_request, .if_recorded = true } },
		{ ops->loss || ops->counter, { RS_ON_GAP, .gap = rs_scene_on_gap } },
		{ ops->sample, { RS_ON_SAMPLE, .sample = rs_scene_on_sample, .if_recorded = true } },
	};
	unsigned int nr = 0;

	_Static_assert(sizeof rows / sizeof *rows < RS_SCENE_CALLBACKS, "the last row is of zeros");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].is_wanted)
			s->callbacks[nr++] = rows[i].callback;
}

/* States of tasks come from the engine itself. That a disk serves a request is seen by the request. */
static bool scene_draws(const struct rs_span_kind *kind)
{
	return kind->shape != RS_SPAN_STATE || kind->track == RS_TRACK_CONNECTION;
}

static void scene_set_subscriber(struct rs_scene *s)
{
	const struct rs_scene_ops *ops = s->ops;

	s->own_offset = ops->slice || ops->count || ops->wake ? sizeof(struct rs_scene_task) : 0;
	scene_add_callbacks(s);
	s->subscriber = (struct rs_analysis){
		.abi = RS_ABI, .name = ops->name, .summary = ops->summary, .callbacks = s->callbacks,
		.requires_states = ops->state || ops->wake || ops->path,
		.requires_history = ops->requires_history || ops->path,
		.uses_stacks = ops->uses_stacks,
		.state_size = ops->path ? sizeof(struct rs_chain_list) : 0,
		.task_size = s->own_offset + ops->task_bytes,
		.begin = scene_on_begin, .task_evict = scene_evict_task, .end = scene_on_end,
	};
}

void rs_scene_init(struct rs_scene *s, const struct rs_scene_ops *ops)
{
	s->ops = ops;
	s->flows.put = rs_scene_put_wake;
	scene_set_subscriber(s);
	s->export = (struct rs_export){
		.subscriber = { &s->subscriber },
		.spans = { true },
		.all_analyses = ops->all_analyses,
		.sink = { .span = rs_scene_on_span, .kind = ops->kind ? rs_scene_on_kind : NULL,
			  .values = ops->span_values },
		.draws = ops->draws ? ops->draws : scene_draws,
		.view = ops->view ? scene_view : NULL,
		.findings = ops->finding ? scene_findings : NULL,
		.incident = ops->incident ? scene_incident : NULL,
		.machine = ops->machine ? scene_machine : NULL,
		.pack = ops->pack ? scene_pack : NULL,
		.is_empty = ops->is_empty ? scene_is_empty : NULL,
		.begin = scene_begin, .end = scene_end, .close = scene_close, .free = scene_free,
	};
}

void rs_scene_done(struct rs_scene *s)
{
	scene_drop_machine(s);
	rs_scene_drop_messages(s);
	free(s->flows.at);
	free(s->stacks);
}
