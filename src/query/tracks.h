/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracks.h - tracks as the protocol names them: "cpu:3", "task:4242.7" (tid and instance), "disk:8:0",
 * "connection:65538" (the number of its socket)
 */
#ifndef RS_QUERY_TRACKS_H
#define RS_QUERY_TRACKS_H

#include "engine/timelines.h"

#define RS_TRACK_NAME 32
#define RS_TRACK_LABEL 64
#define RS_NR_SPAN_SHAPES 6 /* enum rs_span_shape */

struct rs_track_ref {
	enum rs_track_type of;
	uint64_t id;
};

bool rs_track_read(const char *name, struct rs_track_ref *ref);
void rs_track_name(const struct rs_track_ref *ref, char name[RS_TRACK_NAME]);
int32_t rs_track_tid(const struct rs_track_ref *ref);                /* 0: not a task's */

struct rs_track_info {
	struct rs_track_ref ref;
	char label[RS_TRACK_LABEL];                                  /* untrusted bytes */
	int32_t pid, tid;                                            /* 0: unknown, or none */
	bool kernel_thread;
	unsigned int shapes;                                          /* 1 << enum rs_span_shape */
	uint64_t nr_spans;                                           /* that end in the requested time */
	int activity;                                                /* see query/track-activity.h */
	const char *involved;                                        /* see query/involved.h */
};

struct rs_involved;
struct rs_opens;

struct rs_track_ask {
	bool all; /* else: only .of; with the threads of a process its connections */
	enum rs_track_type of;
	int32_t pid, tid;                                            /* 0: any */
	uint64_t from_ns, to_ns;
	size_t limit; /* of each type; of more tasks, the involved, then the busiest, kernel threads last */
	const struct rs_involved *involved;                          /* NULL: none */
	/* a disk that does not answer has only these */
	const struct rs_opens *opens;
	/* Which of these tracks; called with `where`. NULL: all */
	bool (*passes)(const void *where, const struct rs_track_info *info);
	const void *where;
};

/*
 * CPUs first, then disks, connections, tasks, then kernel threads: a process' first thread before the others,
 * by number. NULL: none, or no memory
 */
struct rs_track_info *rs_tracks_list(struct rs_timelines *t, const struct rs_track_ask *ask, size_t *nr);
/* Of a task, with the name that it had then. */
void rs_track_details(const struct rs_timelines *t, const struct rs_track_ref *ref, uint64_t at_ns,
		      struct rs_track_info *info);
/* false: the viewer's own, or hidden */
bool rs_track_is_shown(const struct rs_timelines *t, const struct rs_track_ref *ref);

/* Finds the instance of the tid that had something on its tracks then. */
bool rs_track_of_tid(struct rs_timelines *t, int32_t tid, uint64_t at_ns, struct rs_track_ref *ref);
/* The task that a span belongs to: that of its track; on a CPU or a disk, as its kind stores it. */
/* NULL: none, or forgotten */
const struct rs_task *rs_track_span_task(struct rs_timelines *t, const struct rs_track_ref *ref,
					 const struct rs_timeline_span *span);
/* 0: none, or unknown */
int32_t rs_track_span_tid(const struct rs_timelines *t, const struct rs_track_ref *ref,
			  const struct rs_timeline_span *span);

static inline uint32_t rs_track_timeline(const struct rs_timeline *tl, const struct rs_track_ref *ref,
					 enum rs_span_shape shape)
{
	return rs_timeline_find(tl, rs_track_type(ref->of, shape), ref->id);
}

#endif
