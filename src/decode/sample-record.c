// SPDX-License-Identifier: GPL-2.0-or-later
#include "decode/sample-record.h"

#include <linux/perf_event.h>

#define SAMPLE_MAX_FRAMES 8192u /* as many as a record has bytes for */
#define MAX_BUILD_ID_BYTES 20u

/* Reads forward; behind the end it reads zeros and notes that. */
struct sample_reader {
	const uint8_t *at, *end;
	bool swaps, failed;
};

static const uint8_t *sample_take(struct sample_reader *r, size_t bytes)
{
	const uint8_t *at = r->at;

	if (bytes > (size_t)(r->end - r->at)) {
		r->failed = true;
		return NULL;
	}
	r->at += bytes;
	return at;
}

static uint64_t sample_u64(struct sample_reader *r)
{
	const uint8_t *at = sample_take(r, 8);
	uint64_t v = 0;

	if (at)
		memcpy(&v, at, 8);
	return r->swaps ? __builtin_bswap64(v) : v;
}

static uint32_t sample_u32(struct sample_reader *r)
{
	const uint8_t *at = sample_take(r, 4);
	uint32_t v = 0;

	if (at)
		memcpy(&v, at, 4);
	return r->swaps ? __builtin_bswap32(v) : v;
}

static uint16_t sample_swap16(const struct rs_sample_info *info, uint16_t v)
{
	return info->swaps ? __builtin_bswap16(v) : v;
}

/* In the order of perf_event_open(2). */
static void sample_read_stack(struct sample_reader *r, uint64_t type, struct rs_sample_event *ev)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		sample_u64(r);
	if (type & PERF_SAMPLE_IP)
		sample_u64(r);
	if (type & PERF_SAMPLE_TID) {
		ev->pid = (int32_t)sample_u32(r);
		ev->tid = (int32_t)sample_u32(r);
	}
	if (type & PERF_SAMPLE_TIME)
		ev->ts_ns = sample_u64(r);
	if (type & PERF_SAMPLE_ADDR)
		sample_u64(r);
	if (type & PERF_SAMPLE_ID)
		sample_u64(r);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample_u64(r);
	if (type & PERF_SAMPLE_CPU) {
		ev->cpu = sample_u32(r);
		sample_u32(r);
	}
	if (type & PERF_SAMPLE_PERIOD)
		ev->period = sample_u64(r);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		ev->nr_frames = sample_u64(r);
		if (ev->nr_frames > SAMPLE_MAX_FRAMES)
			r->failed = true;
		else
			ev->frames = sample_take(r, ev->nr_frames * 8);
	}
	ev->swaps = r->swaps;
}

/* Behind every other record: what the sample type has of TID, TIME, ID, STREAM_ID, CPU and IDENTIFIER. */
static void sample_read_id(const struct rs_sample_info *info, struct sample_reader *r, struct rs_sample_event *ev)
{
	uint64_t type = info->sample_type;
	size_t bytes = 8 * (size_t)__builtin_popcountll(type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
								PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER));

	if (bytes > (size_t)(r->end - r->at)) {
		r->failed = true;
		return;
	}
	r->at = r->end - bytes;
	if (type & PERF_SAMPLE_TID) /* of the task that ran, which the record need not be about */
		sample_u64(r);
	if (type & PERF_SAMPLE_TIME)
		ev->ts_ns = sample_u64(r);
	if (type & PERF_SAMPLE_ID)
		sample_u64(r);
	if (type & PERF_SAMPLE_STREAM_ID)
		sample_u64(r);
	if (type & PERF_SAMPLE_CPU)
		ev->cpu = sample_u32(r);
}

static void sample_read_mmap(struct sample_reader *r, uint32_t type, uint16_t misc, struct rs_sample_event *ev)
{
	const uint8_t *identity;

	ev->pid = (int32_t)sample_u32(r);
	ev->tid = (int32_t)sample_u32(r);
	ev->start = sample_u64(r);
	ev->len_bytes = sample_u64(r);
	ev->offset = sample_u64(r);
	if (type == PERF_RECORD_MMAP2) {
		identity = sample_take(r, 24); /* major, minor, inode, generation; or the length and 20 bytes of a build-id */
		sample_u64(r);                 /* protection and flags */
		if (identity && (misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
			ev->build_id_len = identity[0] < MAX_BUILD_ID_BYTES ? identity[0] : MAX_BUILD_ID_BYTES;
			ev->build_id = identity + 4;
		} else if (identity) {
			memcpy(&ev->inode, identity + 8, 8);
			ev->inode = r->swaps ? __builtin_bswap64(ev->inode) : ev->inode;
		}
	}
	ev->is_data = misc & PERF_RECORD_MISC_MMAP_DATA;
	ev->path = (const char *)r->at;
	if (r->at == r->end || !memchr(r->at, '\0', (size_t)(r->end - r->at)))
		r->failed = true;
}

static void sample_read_task(struct sample_reader *r, struct rs_sample_event *ev)
{
	ev->pid = (int32_t)sample_u32(r);
	ev->parent = (int32_t)sample_u32(r);
	ev->tid = (int32_t)sample_u32(r);
}

static void sample_read_comm(struct sample_reader *r, uint16_t misc, struct rs_sample_event *ev)
{
	ev->pid = (int32_t)sample_u32(r);
	ev->tid = (int32_t)sample_u32(r);
	ev->kind = misc & PERF_RECORD_MISC_COMM_EXEC ? RS_SAMPLE_EXEC : RS_SAMPLE_OTHER;
}

bool rs_sample_record_read(const struct rs_sample_info *info, const struct rs_sample_record *record, struct rs_sample_event *ev)
{
	struct sample_reader r = { record->data, record->data + record->len_bytes, info->swaps, false };
	uint32_t type = sample_u32(&r);
	const uint8_t *head = sample_take(&r, 4);
	uint16_t misc = 0;

	*ev = (struct rs_sample_event){ .kind = RS_SAMPLE_OTHER, .cpu = UINT32_MAX };
	if (head)
		memcpy(&misc, head, 2);
	misc = sample_swap16(info, misc);
	switch (type) {
	case PERF_RECORD_SAMPLE:
		ev->kind = RS_SAMPLE_OF_CPU;
		sample_read_stack(&r, info->sample_type, ev);
		return !r.failed;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		ev->kind = RS_SAMPLE_MMAP;
		sample_read_mmap(&r, type, misc, ev);
		break;
	case PERF_RECORD_COMM:
		sample_read_comm(&r, misc, ev);
		break;
	case PERF_RECORD_FORK:
		ev->kind = RS_SAMPLE_FORK;
		sample_read_task(&r, ev);
		break;
	case PERF_RECORD_LOST:
		ev->kind = RS_SAMPLE_LOST;
		sample_u64(&r);
		ev->nr_lost = sample_u64(&r);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		ev->kind = RS_SAMPLE_LOST;
		ev->nr_lost = sample_u64(&r);
		break;
	default:
		break;
	}
	sample_read_id(info, &r, ev);
	return !r.failed;
}
