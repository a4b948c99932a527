/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perfetto.h - Perfetto's trace packets, shared by perfetto*.c only
 *
 *	scheduling, interrupts, tasks   ftrace events, in a bundle for each CPU (perfetto-ftrace.c)
 *	processes and threads           the process tree (perfetto-tasks.c)
 *	spans, counters, flows          track events (perfetto-tracks.c, perfetto-spans.c)
 *	samples of the CPUs             perf samples with call stacks (perfetto-samples.c)
 *
 * A reader sorts packets by their times, those of equal times by their order in the file. So a span is
 * written when it ends, as two packets, and events of each CPU are collected until there are enough for a
 * bundle. All packets are compressed together: each is much like one before it.
 */
#ifndef RS_EXPORT_PERFETTO_PERFETTO_H
#define RS_EXPORT_PERFETTO_PERFETTO_H

#include "export/scene/scene.h"

#define RS_PERFETTO_MAX_REQUIREMENTS 24u
#define RS_PERFETTO_MAX_CPUS 1024u   /* readers refuse a file with more */
#define RS_PERFETTO_LABELS 1024u     /* names of slices that are not repeated: a power of two */
#define RS_PERFETTO_TEXTS 2048u      /* texts of annotations, likewise */
#define RS_PERFETTO_GROUPS 1024u     /* of tracks beside each other: a power of two */
#define RS_PERFETTO_MAX_SIBLINGS 512u
#define RS_PERFETTO_STACKS 4096u     /* call stacks, frames and names of functions: each a power of two */
#define RS_PERFETTO_CALLERS 512u     /* functions that tasks wait in: a power of two */
#define RS_PERFETTO_ROOM 512         /* of a packet beside its texts, annotations and flows */
#define RS_PERFETTO_PACK (480u << 10) /* bytes that are compressed together: readers want less than 512 KB */

struct rs_perfetto_bits;
struct rs_perfetto_bundle;

/* A kind of span, and its first numbers in the tables of interned names. */
struct rs_perfetto_kind {
	struct rs_perfetto_kind *next;
	const struct rs_span_kind *kind;
	uint32_t category, first_annotation;
	unsigned int nr_columns;
	bool is_defined;                /* its category and the names of its columns were written */
	bool is_native;                 /* ftrace events show it */
};

struct rs_perfetto_label {
	const struct rs_perfetto_kind *kind; /* NULL: none */
	uint64_t arg;
	uint32_t iid;
};

/* A text by its hash: texts that differ have the same hash once in 2^64. */
struct rs_perfetto_text {
	uint64_t hash;                  /* 0: none */
	uint32_t iid;                   /* 0: it came once, and was not interned */
};

/* Tracks of one name under one parent, for spans that overlap: on each, one after the other. */
struct rs_perfetto_siblings {
	uint64_t parent;                /* 0: none */
	const struct rs_span_kind *kind;
	struct rs_perfetto_sibling { uint64_t uuid, free_ns; } *at;
	size_t nr, room;
};

/* Stored with each disk or connection, and each CPU. */
struct rs_perfetto_place {
	uint64_t uuid, counter;         /* 0: not written yet */
};

struct rs_perfetto_cpu {
	uint64_t uuid, counter;         /* 0: not written yet */
	struct rs_perfetto_bundle *bundle; /* NULL: none yet */
};

/* The slice that was written last: .to is where its packets end. */
struct rs_perfetto_last {
	uint64_t track, start_ns, nr_packets;
	size_t from, to;
};

struct rs_perfetto {
	struct rs_scene scene;          /* first */
	struct rs_requirement requirements[RS_PERFETTO_MAX_REQUIREMENTS];
	struct rs_buf *out;
	struct libdeflate_compressor *packer; /* of the thread that writes, as .packed */
	struct rs_buf packed;
	const struct rs_perfetto_bits *bits; /* of a switch's prev_state */
	bool drawn;
	size_t packet;                  /* offset of the content of the packet that is open */
	size_t nested;                  /* likewise of the message in it */
	uint64_t nr_packets;
	struct rs_perfetto_last last;
	uint64_t next_uuid, next_flow;
	unsigned int machine;           /* of several; else 0 */
	const char *machine_name;       /* NULL: there is one */
	/* a bit for each: a task of the session was its first; NULL: none yet */
	uint64_t *seen_tids;
	uint64_t cpus_uuid, connections_uuid, pressure_uuid;
	char pressure_name[160];        /* of the last counter below it, and its track */
	uint64_t pressure_counter;
	/* what sched_wakeup is written as */
	enum { RS_PERFETTO_UNSURE, RS_PERFETTO_WAKINGS, RS_PERFETTO_WAKEUPS } wakeups;
	uint8_t event_row[1u << 16];    /* by the ID of an event: 1 + its row; 0 not looked for */
	/* interned, of the current machine */
	struct rs_perfetto_kind *kinds, *recent;
	uint32_t nr_kinds, nr_annotations, nr_labels, nr_texts, nr_functions, nr_modules, nr_frames,
		nr_callstacks, nr_callers;
	struct rs_perfetto_label labels[RS_PERFETTO_LABELS];
	struct rs_perfetto_text texts[RS_PERFETTO_TEXTS];
	struct rs_perfetto_text functions[RS_PERFETTO_STACKS], modules[RS_PERFETTO_STACKS],
		frames[RS_PERFETTO_STACKS], callstacks[RS_PERFETTO_STACKS], callers[RS_PERFETTO_CALLERS];
	struct rs_perfetto_siblings siblings[RS_PERFETTO_GROUPS];
	unsigned int next_place;
	uint64_t findings;              /* the track that their tracks are under; 0: none yet */
	uint64_t links[RS_MAX_LINKS + 1]; /* the tracks of the last critical path, by the number of a link */
};

/* Stored with each task. */
struct rs_perfetto_task {
	bool has_track;
	bool is_listed;                 /* in the process tree */
	bool is_named;                  /* an event of the kernel has its name */
	bool is_renamed;                /* by an event, and no exec came since */
	bool has_newtask;                   /* its task_newtask was written */
	int32_t listed_pid;
	/* last while it ran: it then leaves its CPU runnable, whatever it was about to wait for, */
	uint64_t woken_ns;
	/* unless one comes after this: .ts_ns 0: none */
	struct rs_perfetto_left { uint64_t ts_ns; int64_t state; uint16_t cpu; } left;
	int32_t parent_tid;             /* of a fork that is still to be written as a task_newtask; 0: none */
	/* the process whose task that was, as readers know it; 0: not known, or no fork */
	int32_t forked_by;
	uint64_t waits;                 /* the track of waits with their stacks; 0: none yet */
};

static inline struct rs_perfetto *rs_perfetto_of(struct rs_scene *s)
{
	return (struct rs_perfetto *)s;
}

static inline struct rs_perfetto_cpu *rs_perfetto_cpu(const struct rs_perfetto *pf, unsigned int cpu)
{
	return rs_scene_cpu_own(&pf->scene, cpu);
}

struct rs_export *rs_perfetto_make(const struct rs_export_options *options, struct rs_buf *out);

/* ---- packets: perfetto-tracks.c ---- */

/*
 * Opens a packet of this time, with room for so many bytes beside RS_PERFETTO_ROOM, and returns where to
 * write. NULL: no memory. rs_perfetto_close ends it.
 */
char *rs_perfetto_open(struct rs_perfetto *pf, uint64_t ts_ns, size_t bytes);
/* Likewise without a time, for definitions. */
char *rs_perfetto_open_untimed(struct rs_perfetto *pf, size_t bytes);
void rs_perfetto_close(struct rs_perfetto *pf, char *p);

/* ---- compressed packets: perfetto-pack.c ---- */

int rs_perfetto_pack_begin(struct rs_perfetto *pf); /* -1: no memory */
/* Compresses packets, in the thread that writes them. */
void rs_perfetto_pack(struct rs_scene *s, struct rs_buf *b);
void rs_perfetto_pack_end(struct rs_perfetto *pf); /* also if it could not begin */

/* ---- tracks: perfetto-tracks.c ---- */

/* The track of a task, which is written on its first use. */
uint64_t rs_perfetto_task_track(struct rs_perfetto *pf, struct rs_task *t);
uint64_t rs_perfetto_cpu_track(struct rs_perfetto *pf, unsigned int cpu);
/* Likewise of a task, a CPU or a disk. */
uint64_t rs_perfetto_track(struct rs_perfetto *pf, const struct rs_scene_track *at);
/*
 * Writes a track; parent 0: none. Returns its number. t: the task whose track it is under, NULL: none; its
 * time is that of the task's birth then, for readers look for the thread of a parent at this time.
 */
uint64_t rs_perfetto_add_track(struct rs_perfetto *pf, uint64_t parent, const struct rs_task *t,
			       const char *name);
/* Likewise of a counter; unit: of perfetto-fields.h. */
uint64_t rs_perfetto_add_counter(struct rs_perfetto *pf, uint64_t parent, const struct rs_task *t,
				 const char *name, unsigned int unit);
/* Likewise without a parent; with several machines its name begins with the machine's. */
uint64_t rs_perfetto_add_group(struct rs_perfetto *pf, const char *name);
uint64_t rs_perfetto_thread_uuid(const struct rs_perfetto *pf, int32_t tid, uint32_t inst);

/* ---- processes and threads: perfetto-tasks.c ---- */

/* From when on readers know the thread: the time of what describes it. */
uint64_t rs_perfetto_birth_ns(const struct rs_perfetto *pf, const struct rs_task *t);
/* Lists the task in the process tree, where this is not done or its process has become known. */
void rs_perfetto_list_task(struct rs_perfetto *pf, struct rs_perfetto_task *d, const struct rs_task *t);
/* No event of this task will be written any more. */
void rs_perfetto_end_task(struct rs_scene *s, const struct rs_scene_track *at);
/* Behind all tasks: lists those that no event was about. */
void rs_perfetto_list_unseen(struct rs_perfetto *pf);

/* ---- events on tracks: perfetto-events.c ---- */

void rs_perfetto_count(struct rs_perfetto *pf, uint64_t track, uint64_t ts_ns, int64_t value);
/* Names that are interned at the begin, with their category. */
enum { RS_PERFETTO_WAKE = 1, RS_PERFETTO_WOKEN = 2 };
/* An instant at the begin or the end of a wake-up's flow. */
void rs_perfetto_wake(struct rs_perfetto *pf, uint64_t track, uint64_t ts_ns, uint32_t name, uint64_t flow);
/* Interns these names: into the packet that is open. */
char *rs_perfetto_put_names(char *p);
/* A slice of a critical path; an end of the flow .next_flow in it. */
void rs_perfetto_link(struct rs_perfetto *pf, uint64_t track, const struct rs_path_slice *slice);
void rs_perfetto_link_flow(struct rs_perfetto *pf, uint64_t track, uint64_t ts_ns, bool ends);
void rs_perfetto_loss(struct rs_perfetto *pf, const struct rs_gap *gap);
void rs_perfetto_put_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f);
/* An instant with what is known of the recording and its quality. */
void rs_perfetto_describe(struct rs_perfetto *pf, const struct rs_quality *quality);

/* ---- spans: perfetto-spans.c ---- */

void rs_perfetto_add_kind(struct rs_scene *s, const struct rs_span_kind *kind);
void rs_perfetto_put_slice(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			   const struct rs_span_kind *kind, const struct rs_span *span, uint64_t start_ns);
void rs_perfetto_put_async(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			   const struct rs_span_kind *kind, const struct rs_span *span);
void rs_perfetto_put_instant(struct rs_scene *s, const struct rs_scene_track *at, struct rs_ctx *c,
			     const struct rs_span_kind *kind, const struct rs_span *span);
void rs_perfetto_put_count(struct rs_scene *s, const struct rs_scene_track *at, struct rs_task_count *count);
void rs_perfetto_put_value(struct rs_perfetto *pf, const struct rs_scene_track *at,
			   const struct rs_span_kind *kind, uint64_t ts_ns, int64_t value);
void rs_perfetto_drop_spans(struct rs_perfetto *pf); /* all that is known of kinds and their tracks */
/* to the interned data */
char *rs_perfetto_put_text(char *p, unsigned int field, uint32_t iid, const char *text, size_t len);
/* The number of a text in a table of so many: 0 if it was not there, and is now, with the new number *nr. */
uint32_t rs_perfetto_intern(struct rs_perfetto_text *table, size_t size, uint64_t hash, uint32_t *nr);

/* ---- events of the kernel: perfetto-kernel.c ---- */

/* Makes .requirements: events that are written as they are. */
void rs_perfetto_request(struct rs_perfetto *pf);
/* The task was forked by this one, where no event of the recording says how. */
void rs_perfetto_put_newtask(struct rs_perfetto *pf, const struct rs_task *t, int32_t parent_tid);
void rs_perfetto_put_request(struct rs_scene *s, const struct rs_request *r);
/* Shows ftrace events this kind of span? */
bool rs_perfetto_is_native(const struct rs_span_kind *kind);

/* ---- bundles, who runs: perfetto-ftrace.c ---- */

/* An event that is being written. */
struct rs_perfetto_event {
	unsigned int cpu;
	char *event, *message;
};

/*
 * Opens an event, and the message in it; returns where to write, with RS_PERFETTO_ROOM. NULL: no such CPU, or
 * no memory.
 */
char *rs_perfetto_open_event(struct rs_perfetto *pf, unsigned int cpu, uint64_t ts_ns, int32_t tid,
			     unsigned int field, struct rs_perfetto_event *e);
void rs_perfetto_close_event(struct rs_perfetto *pf, const struct rs_perfetto_event *e, char *p);
void rs_perfetto_on_switch(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f);
void rs_perfetto_on_waking(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f);
void rs_perfetto_on_wakeup_new(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f);
void rs_perfetto_on_wakeup(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f);
/* What the bits of prev_state mean to readers that are told this release; NULL: unknown. */
const struct rs_perfetto_bits *rs_perfetto_find_bits(const char *release);
void rs_perfetto_run(struct rs_perfetto *pf, const struct rs_interval *iv);
/* The task still runs on its CPU. */
void rs_perfetto_runs_on(struct rs_perfetto *pf, const struct rs_task *t, uint64_t from_ns);
/* How a task was blocked; caller: of rs_perfetto_caller. */
void rs_perfetto_blocked(struct rs_perfetto *pf, const struct rs_interval *iv, bool io_wait, uint32_t caller);
void rs_perfetto_lost(struct rs_perfetto *pf, const struct rs_gap *gap);
/* Writes what is left of each CPU. */
void rs_perfetto_flush(struct rs_perfetto *pf);
void rs_perfetto_free_bundles(struct rs_perfetto *pf);

/* ---- perfetto-samples.c, perfetto-path.c ---- */

void rs_perfetto_put_sample(struct rs_scene *s, const struct rs_scene_track *at,
			    const struct rs_cpu_sample *sample);
/* A wait of which the stack was recorded. */
void rs_perfetto_put_wait(struct rs_perfetto *pf, const struct rs_scene_track *at,
			  const struct rs_scene_state *state);
/* The number of the function that a task waits in, by that stack; 0: not known. */
uint32_t rs_perfetto_caller(struct rs_perfetto *pf, uint32_t stack);
void rs_perfetto_put_path(struct rs_scene *s, const struct rs_path_slice *slice);
void rs_perfetto_put_path_flow(struct rs_scene *s, const struct rs_path_slice *slice, bool begins, bool ends);

#endif
