/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * html-slices.h - the slices that the page's timeline shows when it is zoomed: a bounded number of states,
 * the longest of each track, with who woke and who had what was waited for
 *
 *	struct rs_html_slices s;
 *
 *	rs_html_slices_init(&s, nr_tracks);
 *	... for each state: if (rs_html_slices_takes(&s, track, len_ns)) rs_html_slices_add(&s, track, ...);
 *	rs_html_slices_put(&s, ...);
 *
 * When there is no room the tracks with most slices give up their shortest ones, until half of the room is
 * free: a track of few short waits has them all beside one of a million. A shorter slice than those is not
 * taken any more; the columns of the picture have its time.
 */
#ifndef RS_EXPORT_HTML_HTML_SLICES_H
#define RS_EXPORT_HTML_HTML_SLICES_H

#include "base/json.h"
#include "base/map.h"
#include "ringside/plugin.h"
#include "ringside/wait.h"

#define RS_HTML_SLICES 131072u  /* 12 to 20 bytes of the page each */
#define RS_HTML_PARTIES 8192u
#define RS_HTML_KINDS 32768u

/* The first parties: what no name stands for. */
enum rs_html_nobody {
	RS_HTML_UNKNOWN, RS_HTML_INTERRUPT, RS_HTML_ANYBODY, RS_HTML_ITSELF, RS_HTML_IDLE, RS_HTML_NR_NOBODY
};

/* All that a slice says beside its time; many slices say the same. Parties by their numbers; 0: unknown. */
struct rs_html_kind {
	uint32_t state;         /* enum rs_cause */
	uint32_t ran;           /* of a slice of a CPU */
	uint32_t waker;
	uint32_t culprit;       /* who had most of the time that was waited for */
	uint32_t part;          /* enum rs_time_part, of that; RS_NR_PARTS: unknown */
	uint32_t cpu;           /* 1 more than the CPU it ran on; 0: none */
	uint32_t open;          /* 1: it had not ended at the end */
};

struct rs_html_slice {
	uint64_t from_ns, to_ns;
	uint32_t track, use;
	uint32_t kind;
};

struct rs_html_track {
	uint64_t least_ns;      /* what is not longer is not taken */
	uint32_t use;           /* tracks are given to other tasks: slices of those before are dropped */
};

struct rs_html_slices {
	struct rs_html_slice *at;
	size_t nr;
	struct rs_html_track *tracks;
	unsigned int nr_tracks;
	struct rs_html_named *parties;
	struct rs_html_told *kinds;
	uint32_t nr_parties, nr_kinds;
	struct rs_map parties_map, kinds_map;
};

/* false: no memory */
bool rs_html_slices_init(struct rs_html_slices *s, unsigned int nr_tracks);
void rs_html_slices_done(struct rs_html_slices *s);
/* Another task has the track from now on. */
void rs_html_slices_reuse(struct rs_html_slices *s, unsigned int track);

static inline bool rs_html_slices_takes(const struct rs_html_slices *s, unsigned int track, uint64_t len_ns)
{
	return len_ns > s->tracks[track].least_ns;
}

/* A task, or what is none: tid 0. pid 0, process "": unknown. */
struct rs_html_party {
	const char *name, *process;
	int32_t tid, pid;
};

/* Returns its number; of one that had the same name and tid before, that. RS_HTML_ANYBODY: too many. */
uint32_t rs_html_slices_party(struct rs_html_slices *s, const struct rs_html_party *party);
/* Of a track they come in the order of their ends. */
void rs_html_slices_add(struct rs_html_slices *s, unsigned int track, uint64_t from_ns, uint64_t to_ns,
			const struct rs_html_kind *kind);

/* Calls visit for each task that woke, or had what was waited for, in the slices of a track in that time. */
void rs_html_slices_visit(const struct rs_html_slices *s, unsigned int track, uint64_t from_ns,
			    uint64_t to_ns, void (*visit)(void *arg, int32_t tid), void *arg);

/* Returns what the slice of the track at that time says; NULL: there is none. Valid until one is added. */
const struct rs_html_kind *rs_html_slices_kind_at(const struct rs_html_slices *s, unsigned int track,
						  uint64_t at_ns);

/* A track of the picture. */
struct rs_html_drawn {
	unsigned int track;
	int cpu;                /* -1: of a task */
	uint32_t party;         /* of a task, as the next */
	struct rs_ink_task ink;
	int y;
};

/*
 * Adds the members "tracks", "kinds" and "parties" of an object, at most max_bytes: the shortest slices are
 * dropped until they fit. Slices are sorted then: none may be added. Times count from begin_ns.
 */
void rs_html_slices_put(struct rs_html_slices *s, const struct rs_html_drawn *drawn, unsigned int nr_drawn,
			uint64_t begin_ns, size_t max_bytes, struct rs_json *j);

#endif
