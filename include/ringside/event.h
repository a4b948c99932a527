/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event.h - one decoded event and its bound fields; hash functions
 *
 * A handler gets the event and the fields that its analysis declared, in the
 * order of the declaration:
 *
 *	enum { DEV, SECTOR };                     // = order of .fields
 *	static void on_issue(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
 *	{
 *		uint64_t sector = rs_u64(ev, &f[SECTOR]);
 *	}
 *
 * The dispatcher has checked that the record is long enough for every bound
 * field, so these readers do not check again. An event and all that it points
 * to live until the handler returns.
 */
#ifndef RINGSIDE_EVENT_H
#define RINGSIDE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define RS_COMM_LEN 16 /* the kernel's TASK_COMM_LEN, NUL included */

struct rs_ctx;
struct rs_task;

enum rs_field_flags {
	RS_FIELD_PRESENT = 1, /* this kernel's format has the field */
	RS_FIELD_SIGNED = 2,
	RS_FIELD_SWAP = 4,    /* the recording's byte order is not ours */
	RS_FIELD_DYNAMIC = 8, /* __data_loc: offset and length are in the record */
	RS_FIELD_WORD = 16,   /* eight bytes in our order: a load and nothing else */
};

/* A field bound to where this kernel, or this recording, puts it. */
struct rs_field {
	uint16_t offset_bytes;
	uint16_t size_bytes;
	uint16_t flags; /* enum rs_field_flags */
};

/* Of the field common_flags: TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ, which no format says. */
#define RS_FLAGS_IN_INTERRUPT 0x18

struct rs_event {
	uint64_t ts_ns;       /* in the trace's clock */
	const uint8_t *data;  /* the record, common fields first */
	uint32_t len_bytes;
	uint16_t cpu;
	uint16_t id;          /* the format's ID */
	int32_t tid;          /* common_pid: whose context it fired in; 0 is idle */
	struct rs_task *task; /* that task; NULL for idle */
};

static inline bool rs_has(const struct rs_field *f)
{
	return f->flags & RS_FIELD_PRESENT;
}

/* Of any size and byte order: see rs_u64. */
uint64_t rs_u64_any(const struct rs_event *ev, const struct rs_field *f);

/*
 * rs_u64 - a field as an unsigned number; a signed one is sign-extended first.
 * A field that this kernel lacks reads as 0: ask rs_has where that matters.
 */
static inline uint64_t rs_u64(const struct rs_event *ev, const struct rs_field *f)
{
	const uint8_t *p = ev->data + f->offset_bytes;

	/* nearly all fields are one of these two, and in our own byte order */
	if (f->flags & RS_FIELD_WORD) {
		uint64_t v;

		memcpy(&v, p, 8);
		return v;
	}
	if (f->size_bytes == 4 && !(f->flags & RS_FIELD_SWAP)) {
		uint32_t v;

		memcpy(&v, p, 4);
		return f->flags & RS_FIELD_SIGNED ? (uint64_t)(int64_t)(int32_t)v : v;
	}
	return rs_u64_any(ev, f);
}

static inline int64_t rs_i64(const struct rs_event *ev, const struct rs_field *f)
{
	return (int64_t)rs_u64(ev, f);
}

/* rs_u64_elem - element i of an array of nr numbers, such as the arguments of sys_enter. */
static inline uint64_t rs_u64_elem(const struct rs_event *ev, const struct rs_field *f, unsigned int i,
				   unsigned int nr)
{
	struct rs_field elem = *f;

	elem.flags &= (uint16_t)~RS_FIELD_WORD;
	elem.size_bytes = (uint16_t)(f->size_bytes / nr);
	elem.offset_bytes = (uint16_t)(f->offset_bytes + i * elem.size_bytes);
	return rs_u64(ev, &elem);
}

/*
 * rs_str - copies a string field, fixed array or __data_loc, into buf, always
 * terminated; returns its length, 0 where the field is absent or points
 * outside of the record. The bytes are the traced program's: hostile.
 */
size_t rs_str(const struct rs_event *ev, const struct rs_field *f, char *buf, size_t size_bytes);

/* ---- what the engine knows of events ---- */

/*
 * Returns true if the event is enabled, and a recording contains at least one: a file may declare events that
 * were not enabled. Live, it may be turned off and on: call it each time, do not store the result.
 */
bool rs_event_is_recorded(const struct rs_ctx *c, const char *system, const char *name);
/*
 * Returns the value that the event's format prints as this symbol ("MM_SWAPENTS"). False: older kernels print
 * the number.
 */
bool rs_event_symbol(const struct rs_ctx *c, const char *system, const char *name, const char *symbol,
		     uint64_t *value);
/* Likewise the other way: the symbol of a value, into buf (64 bytes); NULL: the format has none. For rows. */
const char *rs_event_symbol_name(const struct rs_ctx *c, const char *system, const char *name, uint64_t value,
				 char *buf);
/*
 * Returns the name and system of an event ID; NULL: the trace does not declare it. It searches: do not call
 * it for each event.
 */
const char *rs_event_name(const struct rs_ctx *c, unsigned int id, const char **system);
unsigned int rs_nr_event_ids(const struct rs_ctx *c); /* 1 + the largest ID */
/*
 * Do spans or states show it? The engine handles it, or an analysis that has spans; RS_NAMED does not count.
 */
bool rs_event_is_drawn(const struct rs_ctx *c, unsigned int id);
/*
 * "vcpu_id=0 exit_reason=12": the event's fields, or the text that it carries; of hostile bytes. Lives until
 * the next such call
 */
const char *rs_event_text(struct rs_ctx *c, const struct rs_event *ev);
/*
 * "reason HLT rip 0xffff... info 0 0": as the kernel prints it, by the format of the event. Likewise; for
 * what is shown: microseconds
 */
const char *rs_event_print(struct rs_ctx *c, const struct rs_event *ev);

/*
 * ---- hash functions: of a number, of two, of bytes ----
 *
 * All bits of a result are usable: take as many as there are buckets from the low end (hash & (nr_buckets -
 * 1)). Results are the same in every run, but not in every version: do not store them in a file.
 */

/* One to one: two numbers with the same hash are the same number. */
static inline uint64_t rs_hash_u64(uint64_t v)
{
	v *= UINT64_C(0x9e3779b97f4a7c15);
	return v ^ v >> 32;
}

static inline uint64_t rs_hash_pair(uint64_t a, uint64_t b)
{
	return rs_hash_u64(a ^ rs_hash_u64(b) << 1);
}

/* FNV-1a */
static inline uint64_t rs_hash_bytes(const void *bytes, size_t len)
{
	const unsigned char *at = (const unsigned char *)bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (len--)
		hash = (hash ^ *at++) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

#endif
