/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chrome.h - Chrome trace JSON, shared by chrome*.c only
 *
 *	{"traceEvents":[ ... ],"metadata":{...}}
 *
 * The format was tested with its readers: Perfetto's trace processor, the viewer of
 * chrome://tracing, speedscope. Times are microseconds since the first event,
 * with three decimals, by integer arithmetic: so no nanosecond is lost in a double.
 */
#ifndef RS_EXPORT_CHROME_CHROME_H
#define RS_EXPORT_CHROME_CHROME_H

#include "export/scene/scene.h"
#include "export/size-limit.h"

/*
 * Process numbers that no real process has, for CPUs and disks. A reused tid gets a number
 * that includes its instance, since readers know no instances; pid_max is at most 2^22.
 */
#define RS_CHROME_INSTANCE_SHIFT 22
#define RS_CHROME_INSTANCES 896u            /* beyond this, numbers repeat */
#define RS_CHROME_CPUS \
	4000000000u /* process of the CPUs; each CPU is the thread CPUS + cpu: readers show these numbers \
		       beside the names */
#define RS_CHROME_DISKS 4200000000u     /* a process for each disk */
#define RS_CHROME_FINDINGS 4250000000u  /* process of the findings */
#define RS_CHROME_CONNECTIONS 4260000000u /* process of the connections, each a thread from 1 on */
#define RS_CHROME_PRESSURE 4280000000u  /* process of the pressure */
/* Several machines share these numbers and the instances. */
#define RS_CHROME_MACHINE_CPUS 200000u
#define RS_CHROME_MACHINE_DISKS 1000u
#define RS_CHROME_MACHINE_FINDINGS 1000u
#define RS_CHROME_MACHINE_CONNECTIONS 2000u

/*
 * A text that is copied into many events. RS_CHROME_PIECE bytes can be read from its begin, whatever its
 * length: a copy of constant length is a few moves and no call.
 */
#define RS_CHROME_PIECE 64

struct rs_chrome_piece {
	const char *text;
	size_t len;
};

/* What each event of a track begins with, up to its time; the phase is still to be set. */
#define RS_CHROME_HEAD 52
#define RS_CHROME_HEAD_PHASE 9

struct rs_chrome_track {
	uint32_t pid, tid, len;
	char head[RS_CHROME_HEAD];
};

/* A kind of span, and the keys of its details: ,"ret": */
struct rs_chrome_kind {
	struct rs_chrome_kind *next;
	const struct rs_span_kind *kind;
	unsigned int nr_keys;
	struct rs_chrome_piece keys[RS_MAX_COLUMNS];
};

/* ,"name":"read","cat":"syscall" of the spans of that kind and .arg */
#define RS_CHROME_LABELS 512u

struct rs_chrome_label {
	const struct rs_chrome_kind *kind; /* NULL: none yet */
	uint64_t arg;
	struct rs_chrome_piece text;
	char own[96];
};

/* Stored with each CPU, and each disk or connection. */
struct rs_chrome_cpu {
	struct rs_chrome_track track;
	char queue_name[40];
};

struct rs_chrome_place {
	struct rs_chrome_track track;   /* .len 0: not made yet */
};

struct rs_chrome {
	struct rs_scene scene;          /* first */
	struct rs_buf *out;
	struct rs_size_limit *limit;    /* NULL: none */
	bool compat, any;               /* any: an event was written, so a comma is needed */
	bool drawn;                     /* a visible event: names and sort orders are not */
	uint64_t next_id;               /* of flows and asynchronous events: never used twice */
	struct rs_chrome_track cpus_track; /* of all CPUs together */
	struct rs_chrome_track pressure_track; /* .len 0: none was drawn */
	struct rs_chrome_kind *kinds;
	/* unkept: a label that is too long for a slot */
	struct rs_chrome_label labels[RS_CHROME_LABELS], unkept;
	struct rs_buf long_label;        /* its text, of the last one made */
	/* With several machines the current one; else 0 of 1, and no name. */
	unsigned int machine, nr_machines;
	const char *machine_name;
	uint32_t first_instance, nr_instances;
	unsigned int first_cpu;          /* CPUs of the machines before: readers know one machine only */
	struct rs_buf machines;          /* JSON: the metadata of each */
	uint8_t *stacks;                 /* of the current machine, by number: 1 if it is in use */
	size_t stacks_room;
	struct rs_buf frames;            /* JSON: the members of stackFrames */
	struct rs_wake_flows flows;      /* of the current machine */
};

/* Stored with each task, in the subscriber's task data. */
struct rs_chrome_task {
	struct rs_nest nest;
	struct rs_chrome_track track;   /* .len 0: not made yet */
	struct rs_wake_task wakes;
	struct rs_task_counts counts;
	bool seen;                      /* an event of it was written: it needs a name */
	bool process_is_named;          /* of a process' first thread: one of the others did */
};

struct rs_export *rs_chrome_make(const struct rs_export_options *options, struct rs_buf *out);

/*
 * Around what a limited file may leave out: false, or the event and then rs_chrome_wrote, with ->out->len
 * before it.
 */
static inline bool rs_chrome_takes(struct rs_chrome *ch, const char *kind, uint64_t len_ns)
{
	return !ch->limit || rs_size_limit_takes(ch->limit, kind, len_ns);
}

static inline void rs_chrome_wrote(struct rs_chrome *ch, const char *kind, uint64_t len_ns,
				   size_t before_bytes)
{
	if (ch->limit)
		rs_size_limit_wrote(ch->limit, kind, len_ns, ch->out->len - before_bytes);
}

/* chrome-texts.c */
void rs_chrome_track_set(struct rs_chrome_track *t, uint32_t pid, uint32_t tid);
/* Call once for each kind, before its first span. Without memory the output fails. */
void rs_chrome_add_kind(struct rs_chrome *ch, const struct rs_span_kind *kind);
void rs_chrome_free_kinds(struct rs_chrome *ch);
/*
 * Stores the label in its slot; one that is too long is valid until the next call only. NULL: the output has
 * failed
 */
const struct rs_chrome_label *rs_chrome_texts_add_label(struct rs_chrome *ch, struct rs_ctx *c,
							const struct rs_span_kind *kind, uint64_t arg,
							struct rs_chrome_label *label);

/* chrome-put.c: one event each */
bool rs_chrome_put_ready(struct rs_chrome *ch); /* call before the first event; false: no memory */
void rs_chrome_span(struct rs_chrome *ch, struct rs_ctx *c, const struct rs_chrome_track *at,
		    const struct rs_span_kind *kind, const struct rs_span *span, uint64_t start_ns);
/* A thread's state. */
struct rs_chrome_state {
	const char *name;               /* the scheduler's */
	uint64_t from_ns, to_ns;
	int cpu;                        /* -1: not on one */
	bool io_wait;
	const char *function;           /* of the kernel, that it waits in; NULL: not known */
	uint32_t frame;                 /* a member of stackFrames; 0: no stack */
};

void rs_chrome_put_state(struct rs_chrome *ch, const struct rs_chrome_track *at,
			 const struct rs_chrome_state *state);
void rs_chrome_flow(struct rs_chrome *ch, const struct rs_chrome_track *from, uint64_t from_ns,
		    const struct rs_chrome_track *to, uint64_t to_ns);
/* An end of the flow .next_id of critical paths: phase 's', 't' or 'f'. */
void rs_chrome_path_flow(struct rs_chrome *ch, char phase, const struct rs_chrome_track *at, uint64_t ts_ns);
/* A slice of a critical path: its number, and that of the link. */
void rs_chrome_link(struct rs_chrome *ch, const struct rs_chrome_track *at, uint64_t from_ns, uint64_t to_ns,
		    const char *name, unsigned int path, unsigned int link, const char *text);
/* A sample of the CPU that ran this task; frame: a member of stackFrames. */
void rs_chrome_sample(struct rs_chrome *ch, const struct rs_chrome_track *at, uint64_t ts_ns, uint32_t frame);
void rs_chrome_counter(struct rs_chrome *ch, const struct rs_chrome_track *at, const char *name,
		       const char *series, uint64_t ts_ns, int64_t value);
struct rs_finding_item;
void rs_chrome_finding(struct rs_chrome *ch, const struct rs_chrome_track *at, uint64_t from_ns,
		       uint64_t to_ns, const struct rs_finding_item *f);
void rs_chrome_loss(struct rs_chrome *ch, const struct rs_gap *gap);
void rs_chrome_name(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, const char *name);
/* What readers show beside a process' name: its machine, its command line; NULL: none, not both. */
void rs_chrome_label(struct rs_chrome *ch, uint32_t pid, const char *machine, const char *cmdline);
void rs_chrome_sort_index(struct rs_chrome *ch, const char *what, uint32_t pid, uint32_t tid, int64_t index);
/* Writes to `out`: ch->out, or the buffer that collects the machines' metadata. */
void rs_chrome_metadata(struct rs_chrome *ch, const struct rs_quality *quality, struct rs_buf *out);

/* ---- tracks: chrome.c ---- */

static inline struct rs_chrome *rs_chrome_of(struct rs_scene *s)
{
	return (struct rs_chrome *)s;
}

/* The number of a task instance. */
uint32_t rs_chrome_instance(const struct rs_chrome *ch, int32_t tid, uint32_t inst);
uint32_t rs_chrome_place_pid(const struct rs_chrome *ch, enum rs_track_type type, unsigned int number);
/* The track of a task, which then needs a name. */
const struct rs_chrome_track *rs_chrome_task_track(const struct rs_chrome *ch, const struct rs_task *t,
						   struct rs_chrome_task *d);

/* ---- names, written behind what was drawn: chrome-names.c ---- */

/* if an event of it was written */
void rs_chrome_name_task(struct rs_scene *s, const struct rs_scene_track *at);
void rs_chrome_name_tracks(struct rs_chrome *ch); /* CPUs, disks, connections */
/* Critical paths; called once all tasks have names. */
void rs_chrome_put_path(struct rs_scene *s, const struct rs_path_slice *slice);
void rs_chrome_put_path_flow(struct rs_scene *s, const struct rs_path_slice *slice, bool begins, bool ends);
/* Each finding is a thread of its own, since they overlap; nr: how many there were, at their end */
void rs_chrome_put_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f);
void rs_chrome_end_findings(struct rs_scene *s, unsigned int nr, const struct rs_finding_list *list);

/* ---- chrome-samples.c ---- */

/* Sets function and frame of a state, by its stack. */
void rs_chrome_set_stack(struct rs_chrome *ch, uint32_t stack, struct rs_chrome_state *state);
void rs_chrome_put_sample(struct rs_scene *s, const struct rs_scene_track *at,
			  const struct rs_cpu_sample *sample);
void rs_chrome_put_stack(struct rs_scene *s, uint32_t stack, uint32_t caller, const struct rs_frame *frame);

/* ---- chrome-compat.c: second pass, scheduling as text for viewers that do not know "T" ---- */

extern const struct rs_analysis rs_chrome_compat_subscriber;

#endif
