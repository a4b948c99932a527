/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay.h - one wait, moment by moment: who has the lock, the CPU, the head of the disk's queue
 *
 * The recording is read twice: first for the wait, the slowest of the first finding, then for what everybody
 * did meanwhile, of which the tree of the wait says who matters. Two writers draw the same struct rs_replay:
 * an animated SVG, and an asciicast of version 2. Both are of a fixed size at most, and the same for the same
 * recording.
 */
#ifndef RS_EXPORT_REPLAY_REPLAY_H
#define RS_EXPORT_REPLAY_REPLAY_H

#include "export/export.h"
#include "ringside/culprit.h"
#include "ringside/plugin.h"

#define RS_REPLAY_STATES 65536u  /* that are gathered; of more, the shortest are left out */
#define RS_REPLAY_TASKS 7u
#define RS_REPLAY_CPUS 3u
#define RS_REPLAY_DISKS 2u
#define RS_REPLAY_TRACKS (RS_REPLAY_TASKS + RS_REPLAY_CPUS + RS_REPLAY_DISKS)
#define RS_REPLAY_STEPS 400u     /* of all tracks */
#define RS_REPLAY_CAPTIONS 101u
#define RS_REPLAY_TEXT 216u
#define RS_REPLAY_SLOWER 20u     /* than it was, within these limits: */
#define RS_REPLAY_LEAST_MS 3000u
#define RS_REPLAY_MOST_MS 60000u

/* What a task did, or a request in the device, while somebody waited. */
struct rs_replay_state {
	uint64_t from_ns, to_ns;
	int32_t tid;             /* of a request: who asked for it; 0: unknown */
	uint32_t inst;
	enum rs_cause cause;
	uint16_t cpu;            /* of RUN; of DELAY and PREEMPTED, the one that it waited for */
	bool is_request;
	uint32_t dev;            /* of a request */
	char comm[RS_COMM_LEN];  /* hostile bytes, as all names and texts here */
	char rwbs[8];            /* of a request */
};

struct rs_replay_states {
	struct rs_replay_state *at;
	size_t nr, room;
	uint64_t least_ns;       /* shorter ones are left out: there were too many */
};

enum rs_replay_track_kind { RS_REPLAY_TASK, RS_REPLAY_CPU, RS_REPLAY_DISK };

/* A time in which a track does one thing. Between two, it is not known what it did. */
struct rs_replay_step {
	uint64_t from_ns, to_ns;
	uint64_t own_ns;         /* of that it did this; the rest are states too short to be drawn */
	enum rs_cause cause;
	uint16_t cpu;            /* see struct rs_replay_state */
	char text[48];           /* "runs on CPU 1" */
};

struct rs_replay_track {
	enum rs_replay_track_kind kind;
	int32_t tid;             /* TASK */
	uint32_t inst;
	bool any_inst;           /* TASK: which instance is not known */
	uint32_t id;             /* the CPU, or the disk as events have it */
	bool on_path;            /* the one above it waited for it, from part_from_ns to part_to_ns */
	uint64_t part_from_ns, part_to_ns;
	char name[48];           /* "audit-log (24669)" */
	const char *role;        /* "holder"; "" none */
	unsigned int first, nr;  /* its steps */
};

struct rs_replay_caption {
	uint64_t from_ns;        /* up to the next one */
	char text[RS_REPLAY_TEXT];
};

struct rs_replay {
	uint64_t begin_ns;       /* of the recording */
	uint64_t from_ns, to_ns; /* of the wait; both 0: there is none */
	char headline[320];      /* the sentence of the finding; "": it is of none */
	char last[320];          /* what it came to, for the end */
	unsigned int nr_tracks, nr_steps, nr_captions;
	struct rs_replay_track tracks[RS_REPLAY_TRACKS];
	struct rs_replay_step steps[RS_REPLAY_STEPS];
	struct rs_replay_caption captions[RS_REPLAY_CAPTIONS];
};

/* ---- replay-steps.c ---- */

/* Without memory, which is counted, the state is left out. */
void rs_replay_steps_gather(struct rs_replay_states *states, const struct rs_replay_state *state);
/* The tracks of those that the tree names, and of the CPUs and disks that they wanted. Names no disk. */
void rs_replay_steps_choose(struct rs_replay *r, const struct rs_wait_tree *tree,
			    const struct rs_replay_states *states);
/* Their steps. Sorts the states. */
void rs_replay_steps_fill(struct rs_replay *r, struct rs_replay_states *states);
/* What the track does then; NULL: unknown. */
const struct rs_replay_step *rs_replay_steps_at(const struct rs_replay *r,
						const struct rs_replay_track *track, uint64_t ns);

/* ---- replay-words.c ---- */

/* The captions and the last sentence. */
void rs_replay_words_make(struct rs_replay *r, const struct rs_wait_tree *tree);
const struct rs_replay_caption *rs_replay_words_at(const struct rs_replay *r, uint64_t ns);
void rs_replay_words_sort(uint64_t *times, size_t nr);
/* How long it plays. */
unsigned int rs_replay_words_play_ms(const struct rs_replay *r);
/* "102ms in 3.0 s: 29 times slower than it was; from 1.464198 s", into text. */
void rs_replay_words_speed(const struct rs_replay *r, char *text, size_t size_bytes);
/*
 * Calls put with each line of at most so many bytes, broken at spaces, at most nr_lines of them: the last one
 * then has "..." at its end.
 */
void rs_replay_words_wrap(const char *text, size_t width, unsigned int nr_lines,
			  void (*put)(void *arg, unsigned int nr, const char *line), void *arg);

/* ---- the writers ---- */

void rs_replay_svg_put(const struct rs_replay *r, struct rs_buf *out);
void rs_replay_cast_put(const struct rs_replay *r, struct rs_buf *out);

struct rs_export *rs_replay_make_svg(const struct rs_export_options *options, struct rs_buf *out);
struct rs_export *rs_replay_make_cast(const struct rs_export_options *options, struct rs_buf *out);

#endif
