/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample-record.h - reads one record of perf_event_open(2): which members it has follows from the sample type
 *
 * A pure function of the record's bytes, which are untrusted: each length in them is checked.
 */
#ifndef RS_DECODE_SAMPLE_RECORD_H
#define RS_DECODE_SAMPLE_RECORD_H

#include <linux/perf_event.h>
#include <string.h>

#include "source/perf/samples.h"

enum rs_sample_kind {
	RS_SAMPLE_OTHER,        /* nothing in it is used */
	RS_SAMPLE_OF_CPU,       /* a stack */
	RS_SAMPLE_MMAP, RS_SAMPLE_EXEC, RS_SAMPLE_RENAME, RS_SAMPLE_FORK, RS_SAMPLE_EXIT,
	RS_SAMPLE_PROBE,        /* a function was called, or returned: see source/perf/probes.h */
	RS_SAMPLE_LOST,         /* records that the ring had no room for */
};

struct rs_sample_event {
	enum rs_sample_kind kind;
	uint64_t ts_ns;         /* of its own clock; 0: it has none */
	/* of MMAP, EXEC, RENAME, FORK and EXIT: the process that the record is about */
	int32_t pid, tid;
	uint32_t cpu;           /* UINT32_MAX unknown */
	struct rs_sample_record record; /* as it was read */
	union {
		struct {
			/* innermost first, with PERF_CONTEXT_* between the kernel's and the program's */
			const uint8_t *frames;
			uint64_t nr_frames, period, ip;
			const uint8_t *raw;    /* the record of a tracepoint; NULL: not part of the sample */
			uint32_t raw_bytes;
			const uint8_t *counts; /* see rs_sample_record_counts; NULL: not part of the sample */
			const uint8_t *user_regs, *user_stack; /* NULL: not part of the sample */
			uint64_t user_abi, user_stack_bytes;
			uint64_t args[4];      /* of PROBE, as function and returns */
			uint32_t function;
			bool returns, swaps;
			const char *name;      /* likewise, RS_PROBE_NAME_BYTES with its end; NULL: none */
		};
		struct {
			uint64_t start, len_bytes, offset, inode;
			const uint8_t *build_id; /* NULL: .inode */
			size_t build_id_len;
			const char *path;
			bool is_data;   /* not executable */
		};
		struct {
			int32_t parent; /* FORK: the process that forked; equal to .pid for a thread */
			int32_t parent_tid;
		};
		const char *comm;       /* EXEC, RENAME */
		struct {
			uint64_t nr_lost, lost_id; /* lost_id: of the event; 0 unknown */
		};
	};
};

/*
 * What a sample that ringside writes has: in a recording each stack is of addresses alone. With counts it has
 * PERF_SAMPLE_READ, too, as RS_SAMPLES_READ_FORMAT says.
 */
#define RS_SAMPLE_RECORD_TYPE \
	((uint64_t)(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
		    PERF_SAMPLE_CALLCHAIN))

/* What the events of a group have counted so far. */
struct rs_sample_counts {
	uint64_t enabled_ns, running_ns; /* running: of that, on the PMU; 0 where the sample does not tell */
	unsigned int nr;
	struct { uint64_t value, id; } row[RS_MAX_GROUP]; /* id 0: unknown */
};

/* Returns false if the record is malformed, or later than RS_MAX_TIME_NS. */
bool rs_sample_record_read(const struct rs_sample_info *info, const struct rs_sample_record *record,
			   struct rs_sample_event *event);

/* Returns false if the sample has no counts of a group. */
bool rs_sample_record_counts(const struct rs_sample_info *info, const struct rs_sample_event *event,
			     struct rs_sample_counts *counts);

/* Replaces the time in a copy of a record that was read, of this machine's byte order. */
void rs_sample_record_set_time(const struct rs_sample_info *info, uint8_t *data, size_t len_bytes,
			       uint64_t ts_ns);

#define RS_SAMPLE_RECORD_MAX_BYTES 65536u /* its size has 16 bits */

/*
 * Writes a sample as RS_SAMPLE_RECORD_TYPE says, with other frames: at most 8,000. counts: NULL none. Returns
 * its length.
 */
size_t rs_sample_record_put(uint8_t *to, const struct rs_sample_event *event,
			    const struct rs_sample_counts *counts, const uint64_t *frames, size_t nr_frames);

static inline uint64_t rs_sample_record_frame(const struct rs_sample_event *event, uint64_t i)
{
	uint64_t ip;

	memcpy(&ip, event->frames + i * sizeof ip, sizeof ip);
	return event->swaps ? __builtin_bswap64(ip) : ip;
}

#endif
