/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span.h - spans, which an analysis emits for timelines: a duration on a track
 *
 * An analysis declares its kinds of spans and emits each span when it ends. The timelines
 * of all screens and the tracks of all exports are made from these.
 *
 *	enum { SPAN_CALL };
 *	static const struct rs_span_kind spans[] = {
 *		[SPAN_CALL] = { .name = "syscall", .track = RS_TRACK_TASK, .label = call_label },
 *		{ 0 },
 *	};
 *	...
 *	if (rs_spans_enabled(c))
 *		rs_emit_span(c, SPAN_CALL, &(struct rs_span){ .task = call->task, .start_ns = call->enter_ns,
 *							.end_ns = call->exit_ns, .arg = (uint64_t)call->nr });
 */
#ifndef RINGSIDE_SPAN_H
#define RINGSIDE_SPAN_H

#include "table.h"
#include "task.h"
#include "wait.h"

enum rs_track_type {
	RS_TRACK_TASK,   /* a task instance: .task */
	RS_TRACK_CPU,    /* .id: its number */
	RS_TRACK_DISK,   /* .id: MAJ << 20 | MIN */
	RS_TRACK_CONNECTION, /* .id: the number of its socket, see socket.h */
	RS_NR_TRACK_TYPES,
};

enum rs_span_shape {
	RS_SPAN_SLICE,   /* nests with the other slices of its track */
	RS_SPAN_STATE,   /* one after the other: the state of the track; for a task, its scheduler state */
	RS_SPAN_ASYNC,   /* several at once */
	RS_SPAN_INSTANT, /* no length */
	/* .arg is a value (int64_t) that holds until the next one; columns[0] names it, with its unit */
	RS_SPAN_COUNTER,
	RS_SPAN_SAMPLE,  /* no length; apart from the instants of its track */
};

static inline bool rs_span_has_no_length(enum rs_span_shape shape)
{
	return shape == RS_SPAN_INSTANT || shape == RS_SPAN_SAMPLE;
}

struct rs_span_kind {
	const char *name;              /* "syscall": also the category in exports */
	enum rs_track_type track;
	enum rs_span_shape shape;
	/* Returns the label of a span, made from .arg only, in buf or static. NULL: the kind's name */
	const char *(*label)(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes);
	/* of .values, which details show; ends with a NULL name; NULL: none */
	const struct rs_column *columns;
	/*
	 * The unit of this kind's rate, "calls": screens show how many there are per second. Kinds with the
	 * same unit share a line. NULL: no rate. counts: returns true for spans that count, by .arg; NULL:
	 * all.
	 */
	const char *rate;
	bool (*counts)(struct rs_ctx *c, uint64_t arg);
	/*
	 * The name of this kind in the list of the slowest, "system call"; NULL: not listed. is_slowest: true
	 * for spans to list.
	 */
	const char *slowest;
	bool (*is_slowest)(struct rs_ctx *c, uint64_t arg);
	/*
	 * Returns true if such a span lasts as long as was requested (nanosleep) or as another task decides:
	 * a thread's screen does not mark it as slow. May be NULL. Not the opposite of is_slowest: a wait for
	 * a disk is slow for its thread, but the list of the slowest has the request already.
	 */
	bool (*by_choice)(struct rs_ctx *c, uint64_t arg);
	/* What a task waits for in such a span; 0: it is no wait, or a state of a task, whose .arg has it. */
	enum rs_cause cause;
	bool of_task;                  /* .arg is rs_span_of(): on the track of a CPU: its task */
	/*
	 * Where .arg has no room for that: the tid of its thread, the instance at the begin of the span; 0:
	 * unknown
	 */
	int32_t (*get_tid)(uint64_t arg);
	/* .arg is a stack, see sample.h: it stays known as long as a timeline has the span */
	bool of_stack;
	/* the bits of .arg that the label depends on: equal ones share a label; 0 all */
	uint64_t label_bits;
	/* instants of a task, too many to draw one by one: exports draw how many there were, by .rate */
	bool many;
	/* those that say what kind it is, for what has a track, a row or a sum for each; 0: .label_bits */
	uint64_t name_bits;
};

/*
 * The bits of a span's argument of which .label makes the name of its kind: of a request its type, without
 * its size.
 */
static inline uint64_t rs_span_name_arg(const struct rs_span_kind *kind, uint64_t arg)
{
	uint64_t bits = kind->name_bits ? kind->name_bits : kind->label_bits;

	return !kind->label ? 0 : bits ? arg & bits : arg;
}

struct rs_span {
	struct rs_task *task;          /* RS_TRACK_TASK; else NULL */
	uint64_t id;                   /* of another track */
	uint64_t start_ns, end_ns;
	bool in_flight;                /* end_ns is the last event's time */
	uint64_t arg;                  /* all that a timeline stores beside kind and times */
	const struct rs_value *values; /* as .columns, until rs_emit_span returns; NULL none */
};

/* Of RS_ON_SPAN: of the shapes RS_SPAN_SLICE and RS_SPAN_ASYNC. */
struct rs_emitted_span {
	const struct rs_span *span;
	const struct rs_span_kind *kind;
	struct rs_ctx *ctx;            /* of the analysis that emitted it, for .label */
	unsigned int number;           /* of the kind, among those of the session */
};

/* Of .values: screens list the functions below each other. */
#define RS_STACK_COLUMNS \
	{ "stack", "STACK", RS_TYPE_TEXT, 0, 0, 0, "functions, outermost first" }, \
	{ "modules", "MODULES", RS_TYPE_TEXT, 0, 0, 0, "modules of these functions, in the same order" }

static inline uint64_t rs_span_of(const struct rs_task *t)
{
	return (uint32_t)t->tid | (uint64_t)t->inst << 32;
}
static inline int32_t rs_span_tid(uint64_t arg) { return (int32_t)arg; }
static inline uint32_t rs_span_task_instance(uint64_t arg) { return (uint32_t)(arg >> 32); }

/*
 * .arg of spans on other tracks that tell their thread: its tid, of which the kernel has 22 bits, and a
 * number of at most 40 bits above it. For .get_tid and .label.
 */
#define RS_SPAN_TID_BITS 24
#define RS_SPAN_NUMBER_BITS (~0ull << RS_SPAN_TID_BITS) /* for .label_bits */

static inline uint64_t rs_span_tid_and(int32_t tid, uint64_t number)
{
	return ((uint64_t)(uint32_t)tid & ((1u << RS_SPAN_TID_BITS) - 1)) | number << RS_SPAN_TID_BITS;
}

static inline int32_t rs_span_only_tid(uint64_t arg)
{
	return (int32_t)(arg & ((1u << RS_SPAN_TID_BITS) - 1));
}

static inline uint64_t rs_span_number(uint64_t arg) { return arg >> RS_SPAN_TID_BITS; }

/*
 * .arg of a task's RS_SPAN_STATE, so that an export can translate it to its format.
 * RS_UNKNOWN: it overlaps a gap. letter and cause are of RS_BLOCKED, cpu of RS_RUN. Of those that look
 * the same, and have the same label, the bits of RS_STATE_STYLE are the same.
 */
#define RS_STATE_STYLE 0xffffffu

static inline uint64_t rs_state_arg(enum rs_state state, char letter, enum rs_cause cause, uint16_t cpu)
{
	return (uint64_t)state | (uint64_t)(unsigned char)letter << 8 | (uint64_t)cause << 16 |
	       (uint64_t)cpu << 32;
}

/* "run", "delay", "D (disk)", "?": a name for each state, letter and cause; into buf or elsewhere. */
const char *rs_state_label(uint64_t arg, char *buf, size_t size_bytes);

static inline enum rs_state rs_state_of(uint64_t arg) { return (enum rs_state)(arg & 0xff); }
static inline char rs_state_letter(uint64_t arg) { return (char)(arg >> 8 & 0xff); }
static inline enum rs_cause rs_state_cause(uint64_t arg) { return (enum rs_cause)(arg >> 16 & 0xff); }
static inline uint16_t rs_state_cpu(uint64_t arg) { return (uint16_t)(arg >> 32); }

/*
 * Who ended a wait, or began a delay: a tid, 0 an interrupt, -1 unknown. It has 24 bits, in two pieces; the
 * kernel's tids have 22, another recording's that do not fit are unknown.
 */
static inline uint64_t rs_state_woken_by(uint64_t arg, int32_t waker_tid)
{
	uint64_t by = waker_tid < 0 || waker_tid >= 0xffffff ? 0 : (uint64_t)waker_tid + 1;

	return (arg & 0x0000ffff00ffffffu) | (by & 0xff) << 24 | by >> 8 << 48;
}

static inline int32_t rs_state_waker(uint64_t arg)
{
	return (int32_t)((arg >> 24 & 0xff) | arg >> 48 << 8) - 1;
}

#endif
