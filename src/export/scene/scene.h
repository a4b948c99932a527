/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scene.h - what an export draws: the engine's callbacks and the analyses' spans, as tracks, slices, states,
 * wake-ups, flows, counters, pressure, samples, losses, findings and names of tasks
 *
 * A format is a const table of functions, and a struct that begins with a struct rs_scene:
 *
 *	static const struct rs_scene_ops toy_ops = { .name = "toy", .summary = "...", .slice = toy_slice };
 *
 *	struct toy { struct rs_scene scene; ... };
 *	rs_scene_init(&toy->scene, &toy_ops);    // and .make of the format returns &toy->scene.export
 *
 * A NULL function: that part is not drawn, and what only it needs is not requested of the session. All that
 * filters hide, that overlaps a gap or that is before the time range is left out here, and each part comes in
 * the order of the ends. Times are those of the recording, in ns.
 */
#ifndef RS_EXPORT_SCENE_SCENE_H
#define RS_EXPORT_SCENE_SCENE_H

#include "export/export.h"
#include "export/scene/nest.h"
#include "export/scene/path-slices.h"
#include "export/scene/queue-depth.h"
#include "export/scene/task-counts.h"
#include "export/scene/wake-flows.h"

#define RS_SCENE_CALLBACKS 10u

struct rs_finding_item;
struct rs_scene;

/* Where something is drawn. */
struct rs_scene_track {
	enum rs_track_type type;
	unsigned int id;                /* of another: its number among those of its type */
	struct rs_task *task;           /* of a task; else NULL */
	struct rs_nest *nest;           /* of its slices */
	void *own;                      /* the format's bytes: .task_bytes, .cpu_bytes, .place_bytes */
};

/* A state that has ended, or that is open at the end: interval->in_flight. */
struct rs_scene_state {
	const struct rs_interval *interval;
	/* of RS_BLOCKED: its cause; NULL: not known, or of another state */
	const struct rs_wait *wait;
	uint32_t stack;                 /* see rs_stack_frame; 0: none */
};

struct rs_scene_ops {
	const char *name, *summary;     /* of the analysis that the session runs for it */
	/* bytes of its own that it has with each task, CPU, disk or connection: zeroed at first */
	size_t task_bytes, cpu_bytes, place_bytes;
	unsigned int max_cpus;          /* those beyond are left out; 0: no limit */
	bool all_analyses;              /* see struct rs_export */
	bool span_values;               /* it uses .values of spans */
	/* it decides itself where a slice may begin: see rs_scene_track.nest */
	bool nests;
	bool requires_history;          /* see struct rs_analysis; implied by .path */
	bool uses_stacks;
	bool hidden_states;             /* states and requests also of tasks that filters hide */
	/* states that are open at the end, too. Else only those that the end of a time range cuts */
	bool open_states;
	/*
	 * Its readers sort by time. At the end of a task or of the session, waiting flows are drawn first,
	 * then, and tasks last; else flows last, and tasks before critical paths.
	 */
	bool is_sorted;

	/* ---- the file; all but .free may be NULL ---- */

	/* see struct rs_export; .machine NULL: the format has one machine only */
	void (*machine)(struct rs_scene *s, unsigned int index, unsigned int nr, const char *name);
	void (*begin)(struct rs_scene *s, unsigned int pass);
	void (*end)(struct rs_scene *s, unsigned int pass, const struct rs_quality *quality);
	void (*close)(struct rs_scene *s);
	void (*free)(struct rs_scene *s); /* also of the struct that begins with it */
	bool (*is_empty)(const struct rs_scene *s);
	void (*pack)(struct rs_scene *s, struct rs_buf *b);
	struct rs_sink *(*view)(struct rs_scene *s, const struct rs_view *view);
	/* nr: from 0; from when it is drawn: rs_scene_finding_ns */
	void (*finding)(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f);
	void (*findings_end)(struct rs_scene *s, unsigned int nr, const struct rs_finding_list *list);

	void (*incident)(struct rs_scene *s, const struct rs_export_incident *i);

	/* ---- spans; c: of the analysis, for the label ---- */

	bool (*draws)(const struct rs_span_kind *kind); /* NULL: all but states of tasks and disks */
	void (*kind)(struct rs_scene *s, const struct rs_span_kind *kind); /* before its first span */
	/* each as it is, for a format that draws none; or by their shapes: */
	void (*span)(struct rs_scene *s, struct rs_ctx *c, const struct rs_span_kind *kind,
		     const struct rs_span *span);
	/* start_ns: where it begins, so that slices of a track nest */
	void (*slice)(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
		      const struct rs_span_kind *kind, const struct rs_span *span, uint64_t start_ns);
	/* of those that may overlap: all on disks */
	void (*async)(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
		      const struct rs_span_kind *kind, const struct rs_span *span);
	void (*instant)(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			const struct rs_span_kind *kind, const struct rs_span *span);
	/* how many instants of a kind a task had: of kinds with too many for one each */
	void (*count)(struct rs_scene *s, const struct rs_scene_track *at, struct rs_task_count *count);
	/* a value that holds from then on. kind NULL: the depth of the CPU's or the disk's queue */
	void (*counter)(struct rs_scene *s, const struct rs_scene_track *at, const struct rs_span_kind *kind,
			uint64_t ts_ns, int64_t value);

	/*
	 * at the end: the pressure of a control group, "io some /a", from then on, in percent of the time.
	 * What had less than 1 % in all its steps has none
	 */
	void (*pressure)(struct rs_scene *s, const char *name, uint64_t ts_ns, unsigned int percent);

	/* ---- tasks ---- */

	void (*state)(struct rs_scene *s, const struct rs_scene_track *at,
		      const struct rs_scene_state *state);
	/*
	 * Returns the number of the track of an end of a wake-up, which need not be drawn then: of who
	 * woke or, with is_woken, was woken.
	 */
	uint64_t (*wake_track)(struct rs_scene *s, struct rs_task *t, bool is_woken);
	/* a wake-up, or what was sent and is received, that both have slices around */
	void (*wake)(struct rs_scene *s, const struct rs_wake_end *from, const struct rs_wake_end *to);
	/* critical paths, at the end: see path-slices.h */
	void (*path)(struct rs_scene *s, const struct rs_path_slice *slice);
	void (*path_flow)(struct rs_scene *s, const struct rs_path_slice *slice, bool begins, bool ends);
	/* before the task is forgotten: for its name */
	void (*task)(struct rs_scene *s, const struct rs_scene_track *at);

	/* ---- the rest ---- */

	void (*sample)(struct rs_scene *s, const struct rs_scene_track *at,
		       const struct rs_cpu_sample *sample);
	/* each that rs_scene_use_stack was told, and their callers, at the end; caller 0: none */
	void (*stack)(struct rs_scene *s, uint32_t stack, uint32_t caller, const struct rs_frame *frame);
	void (*request)(struct rs_scene *s, const struct rs_request *r);
	void (*loss)(struct rs_scene *s, const struct rs_gap *gap);
	void (*session_end)(struct rs_scene *s); /* the last while the session is there */
};

struct rs_scene_cpu {
	struct rs_nest nest;
	struct rs_queue_depth queue;
};

/* A disk, or a connection: see scene-places.c. */
struct rs_scene_place {
	uint64_t id;
	int64_t depth;                  /* of a disk: requests */
	struct rs_nest nest;
	char name[160];                 /* "disk 8,0 sda"; "": unknown */
};

struct rs_scene_places {
	struct rs_scene_place *at;      /* NULL: no memory, or not of this type */
	char *own;
	unsigned int nr;
};

struct rs_scene {
	struct rs_export export;        /* first: an rs_export is one of these */
	const struct rs_scene_ops *ops;
	struct rs_analysis subscriber;
	struct rs_callback callbacks[RS_SCENE_CALLBACKS];
	struct rs_ctx *c;               /* of the subscriber; NULL: no session */
	const struct rs_trace_info *info;
	uint64_t begin_ns, end_ns;      /* end_ns: of the last event, at the end */
	uint64_t nr_cut;                /* slices that were cut so that they nest */
	size_t own_offset;              /* of the format's bytes in the data of a task */
	/* of the current machine */
	unsigned int nr_cpus;
	struct rs_scene_cpu *cpus;
	char *cpu_own;
	struct rs_scene_places places[RS_NR_TRACK_TYPES];
	struct rs_wake_flows flows;
	struct rs_scene_message *messages; /* NULL: none yet */
	uint8_t *stacks;                /* by number: 1 if it is in use */
	size_t stacks_room;
};

/* Stored with each task, where slices, counts or wake-ups are drawn; the format's bytes follow. */
struct rs_scene_task {
	struct rs_nest nest;
	struct rs_wake_task wakes;
	struct rs_task_counts counts;
};

/* Sets .export, which may be changed then, and .subscriber, likewise. s: zeroed. */
void rs_scene_init(struct rs_scene *s, const struct rs_scene_ops *ops);
/* Frees what is in it, but not the format's. */
void rs_scene_done(struct rs_scene *s);

/* The format's bytes of a task, while the session is there. */
static inline void *rs_scene_task_own(const struct rs_scene *s, const struct rs_task *t)
{
	return (char *)rs_task_data(s->c, t) + s->own_offset;
}

static inline void *rs_scene_cpu_own(const struct rs_scene *s, unsigned int cpu)
{
	return s->cpu_own + cpu * s->ops->cpu_bytes;
}

static inline const char *rs_scene_place_name(const struct rs_scene *s, const struct rs_scene_track *at)
{
	return s->places[at->type].at[at->id].name;
}

/* From when a finding is drawn: it began then, or is one of the whole time. */
uint64_t rs_scene_finding_ns(const struct rs_scene *s, const struct rs_finding_item *f);
/* Notes that a stack is in use. Returns false without memory. */
bool rs_scene_use_stack(struct rs_scene *s, uint32_t stack);
/* Returns the function of the kernel that a task waits in, by its stack; NULL: not known. */
const char *rs_scene_wait_function(struct rs_scene *s, uint32_t stack);

/* ---- shared by scene*.c only ---- */

static inline struct rs_scene_task *rs_scene_task(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_data(c, t);
}

static inline struct rs_scene_track rs_scene_track_of_task(const struct rs_scene *s, struct rs_task *t)
{
	struct rs_scene_task *d = rs_scene_task(s->c, t);

	return (struct rs_scene_track){ RS_TRACK_TASK, 0, t, &d->nest, (char *)d + s->own_offset };
}

static inline struct rs_scene_track rs_scene_track_of_cpu(const struct rs_scene *s, unsigned int cpu)
{
	return (struct rs_scene_track){ RS_TRACK_CPU, cpu, NULL, &s->cpus[cpu].nest,
					rs_scene_cpu_own(s, cpu) };
}

/* scene-places.c */
void rs_scene_places_begin(struct rs_scene *s);
void rs_scene_places_drop(struct rs_scene *s);
/* Returns false if it is not drawn: there is no memory, or there are too many connections. */
bool rs_scene_track_of_place(struct rs_scene *s, enum rs_track_type type, uint64_t id,
			     struct rs_scene_track *at);

/* scene-spans.c */
void rs_scene_on_kind(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind);
void rs_scene_on_span(struct rs_span_sink *sink, struct rs_ctx *c, const struct rs_span_kind *kind,
		      const struct rs_span *span);
void rs_scene_put_counts(struct rs_scene *s, struct rs_task *t); /* what is not written yet */

/* scene-states.c */
void rs_scene_on_interval(struct rs_ctx *c, const struct rs_interval *iv);
void rs_scene_on_wait(struct rs_ctx *c, const struct rs_wait *w);
void rs_scene_on_call(struct rs_ctx *c, const struct rs_call *call);
void rs_scene_put_wake(struct rs_wake_flows *f, const struct rs_wake_end *from, const struct rs_wake_end *to);
void rs_scene_put_open_state(struct rs_scene *s, struct rs_task *t);
void rs_scene_put_paths(struct rs_scene *s);

/* scene-messages.c */
void rs_scene_on_message(struct rs_ctx *c, const struct rs_socket_message *m);
void rs_scene_drop_messages(struct rs_scene *s);

/* scene-pressure.c */
void rs_scene_put_pressure(struct rs_scene *s);

/* scene-counters.c: depths of queues, losses, requests, samples, stacks */
void rs_scene_on_queue(struct rs_ctx *c, uint16_t cpu, unsigned int depth, uint64_t ts_ns);
void rs_scene_on_disk_depth(struct rs_ctx *c, uint32_t dev, int change, uint64_t ts_ns);
void rs_scene_on_gap(struct rs_ctx *c, const struct rs_gap *gap);
void rs_scene_on_request(struct rs_ctx *c, const struct rs_request *r);
void rs_scene_put_queues(struct rs_scene *s);
void rs_scene_on_sample(struct rs_ctx *c, const struct rs_cpu_sample *sample);
void rs_scene_put_stacks(struct rs_scene *s);

#endif
