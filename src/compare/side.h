/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * side.h - what one side of a comparison measured: rows of views by keys that last, block by block
 *
 *	struct rs_side *side = rs_side_new(asked, nr_views, &err);
 *
 *	config.step_ns = rs_side_step_ns(side, len_ns);
 *	config.end_step = rs_side_end_step;            // with the side as .step_arg
 *	... run the session to its end ...
 *	row = rs_side_find(&side->views[0], "nginx\0openat\0", 13);
 *	rs_side_free(side);
 *
 * A key that lasts is one that means the same in another recording: the name of a process with the program
 * that it runs, a call, a disk, a function; never a pid. The time of a side is divided into blocks of equal
 * length. How the sums of a row differ from block to block says how sure they are, however the events follow
 * one another: of single events that could not be said, because slow ones come in groups. Blocks in which
 * events were lost are left out.
 */
#ifndef RS_COMPARE_SIDE_H
#define RS_COMPARE_SIDE_H

#include <limits.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "engine/session.h"

struct rs_side_stacks;

#define RS_SIDE_BLOCKS 32u      /* as many as are aimed at */
#define RS_SIDE_MAX_BLOCKS 64u  /* then two become one: how long a capture takes is not known before */
#define RS_SIDE_LEAST_BLOCKS 8u /* fewer: nothing is concluded */
#define RS_SIDE_ROWS 16384u     /* of all views; more are counted as left out */
#define RS_SIDE_KEYS 6u         /* key columns of a view */
#define RS_SIDE_STACKS 2u       /* views of stacks that it may take, too */
#define RS_SIDE_NO_PID UINT_MAX /* a key that names no process */

/* A bucket of a distribution: how often a value came in one block. */
struct rs_side_point {
	uint64_t value;
	uint32_t nr, block;
};

struct rs_side_row {
	struct rs_map_node node;    /* private */
	const char *key;            /* the texts of the view's keys, a NUL behind each */
	size_t key_bytes;
	uint64_t nr, sum;           /* of all blocks: how many, and their time (or what the view counts) */
	uint64_t block_nr[RS_SIDE_MAX_BLOCKS], block_sum[RS_SIDE_MAX_BLOCKS];
	struct rs_side_point *points; /* in no order; none where the view has no latency */
	size_t nr_points, room;
	size_t nr_merged;           /* private: the first of these, of steps before */
};

/*
 * by: "comm,syscall"; NULL: those of its own default keys that last. measure: the column whose sum is
 * compared; NULL: its latency, else its first sum.
 */
struct rs_side_asked {
	struct rs_view_ref ref;
	const char *by, *measure;
};

struct rs_side_view {
	struct rs_view_ref ref;
	struct rs_query query;
	unsigned int keys[RS_SIDE_KEYS], nr_keys; /* its columns, in their order */
	unsigned int pids[RS_SIDE_KEYS];          /* of a key that names a process the column of its pid */
	const struct rs_column *measure;          /* whose sum is compared */
	bool is_latency;                          /* it is of a histogram */
	bool is_own_measure;                      /* the one that is compared where none is asked for */
	struct rs_map map;                        /* private */
	struct rs_side_row **rows;
	size_t nr_rows, room;
};

struct rs_side {
	struct rs_side_view *views;
	size_t nr_views, nr_rows;
	unsigned int nr_blocks;
	unsigned int steps_a_block, nr_steps;     /* private: of the block that is being filled */
	uint64_t block_ns[RS_SIDE_MAX_BLOCKS];    /* how long each was */
	uint64_t block_steps[RS_SIDE_MAX_BLOCKS]; /* and of how many steps */
	uint64_t len_ns;                          /* all of them */
	uint64_t lost_ns;                         /* blocks that were left out */
	uint64_t nr_left_out;                     /* rows for which there was no room */
	char kernel[64], machine[64], host[64];   /* of its source; "" unknown */
	struct rs_side_stacks *stacks[RS_SIDE_STACKS]; /* private */
	unsigned int nr_stacks;
	bool is_before;                           /* of these, which side it is */
	bool of_runs;                             /* each session is a run of a command, and a block */
	bool failed;                              /* no memory: rows are missing */
};

/* NULL with err set: a view that cannot be compared, a column that is no key, no memory. */
struct rs_side *rs_side_new(const struct rs_side_asked *views, size_t nr_views, struct rs_error *err);
void rs_side_free(struct rs_side *side);
/* Can rows of this view be compared: does a store count something in them? */
bool rs_side_can_compare(const struct rs_view *view);

/* How long a step of the session is, of a time range of this length; 0: not known yet. */
uint64_t rs_side_step_ns(const struct rs_side *side, uint64_t len_ns);
/* What the source says of its machine; NULL unknown. */
void rs_side_set_source(struct rs_side *side, const char *kernel, const char *machine, const char *host);
/* For rs_session_config.end_step, with the side as .step_arg. */
void rs_side_end_step(void *side, struct rs_session *s, uint64_t from_ns, uint64_t to_ns);

/*
 * Before the first step: it adds its stacks there, as those of before, or of after. They are the caller's,
 * and the session must have their view. At most RS_SIDE_STACKS.
 */
void rs_side_take_stacks(struct rs_side *side, struct rs_side_stacks *stacks, bool is_before);
/* After the last step. */
void rs_side_end(struct rs_side *side);
/* Two blocks become one, so that there is room for as many again. */
void rs_side_halve(struct rs_side *side);

/*
 * What it does, for who has the figures from elsewhere: a row, which is made where there is none (NULL: no
 * room), what is added to it in the block that is being filled, and the end of that block.
 */
struct rs_side_row *rs_side_get_row(struct rs_side *side, struct rs_side_view *view, const char *key,
				    size_t key_bytes);
void rs_side_add_sums(struct rs_side *side, struct rs_side_row *row, uint64_t nr, uint64_t sum);
void rs_side_add_value(struct rs_side *side, struct rs_side_row *row, uint64_t value, uint64_t nr);
void rs_side_end_block(struct rs_side *side, uint64_t len_ns);

/*
 * Gives the row at a place another key. Where there is a row of that key it is added to that, and the last
 * row takes its place. After the end; false: no memory.
 */
bool rs_side_set_key(struct rs_side *side, struct rs_side_view *view, size_t at, const char *key,
		     size_t key_bytes);

/* A sum of all blocks in a second, or in a run of a command; NAN: it has no time. */
double rs_side_rate(const struct rs_side *side, double sum);
/* NULL: there is no such row. */
struct rs_side_row *rs_side_find(const struct rs_side_view *view, const char *key, size_t key_bytes);
/* The n-th text of a key; "" beyond the last. */
const char *rs_side_key(const struct rs_side_row *row, unsigned int n);
/* All of them, a blank between, in place of what the buffer has. */
void rs_side_put_text(struct rs_buf *key, const struct rs_side_view *view, const struct rs_side_row *row);

#endif
