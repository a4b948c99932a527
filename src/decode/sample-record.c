// SPDX-License-Identifier: GPL-2.0-or-later
/* sample-record - reads one record of perf_event_open(2): its members follow from the sample type */
#include "decode/sample-record.h"

#include "base/time-limit.h"
#include "source/perf/probes.h"

#ifndef PERF_FORMAT_LOST                 /* since 6.0 */
#define PERF_FORMAT_LOST (1u << 4)
#endif
#define SAMPLE_BRANCH_COUNTERS (1u << 19) /* PERF_SAMPLE_BRANCH_COUNTERS, since 6.8 */
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

/* The number is the record's. */
static const uint8_t *sample_take_many(struct sample_reader *r, uint64_t nr, size_t each)
{
	if (nr > (size_t)(r->end - r->at) / each) {
		r->failed = true;
		return NULL;
	}
	return sample_take(r, (size_t)nr * each);
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

static size_t sample_count_bytes(uint64_t format)
{
	return 8 * (size_t)(1 + __builtin_popcountll(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST)));
}

/* The event's count, or those of its group: only checked here. */
static const uint8_t *sample_skip_read(struct sample_reader *r, uint64_t format)
{
	const uint8_t *counts = r->at;
	uint64_t nr = format & PERF_FORMAT_GROUP ? sample_u64(r) : 1;

	sample_take(r, 8 * (size_t)__builtin_popcountll(format & (PERF_FORMAT_TOTAL_TIME_ENABLED |
								  PERF_FORMAT_TOTAL_TIME_RUNNING)));
	sample_take_many(r, nr, sample_count_bytes(format));
	return counts;
}

static void sample_skip_branches(struct sample_reader *r, uint64_t type)
{
	uint64_t nr = sample_u64(r);

	if (type & PERF_SAMPLE_BRANCH_HW_INDEX)
		sample_u64(r);
	sample_take_many(r, nr, 24 + (type & SAMPLE_BRANCH_COUNTERS ? 8 : 0));
}

/* What the program had in its registers and at the top of its stack, for unwinding. */
static void sample_read_user(struct sample_reader *r, const struct rs_sample_info *info,
			     struct rs_sample_event *ev)
{
	if (info->sample_type & PERF_SAMPLE_REGS_USER) {
		ev->user_abi = sample_u64(r);
		if (ev->user_abi)
			ev->user_regs = sample_take(r, 8 * (size_t)__builtin_popcountll(info->user_regs));
	}
	if (info->sample_type & PERF_SAMPLE_STACK_USER) {
		uint64_t room = sample_u64(r);

		ev->user_stack = sample_take_many(r, room, 1);
		ev->user_stack_bytes = room ? sample_u64(r) : 0; /* of which so many were copied */
		if (ev->user_stack_bytes > room)
			r->failed = true;
	}
}

/* In the order of perf_event_open(2), as far as something is used. */
static void sample_read_stack(struct sample_reader *r, const struct rs_sample_info *info,
			      struct rs_sample_event *ev)
{
	uint64_t type = info->sample_type;

	if (type & PERF_SAMPLE_IDENTIFIER)
		sample_u64(r);
	if (type & PERF_SAMPLE_IP)
		ev->ip = sample_u64(r);
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
	if (type & PERF_SAMPLE_READ)
		ev->counts = sample_skip_read(r, info->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		ev->nr_frames = sample_u64(r);
		ev->frames = sample_take_many(r, ev->nr_frames, 8);
	}
	if (type & PERF_SAMPLE_RAW) {
		ev->raw_bytes = sample_u32(r);
		ev->raw = sample_take(r, ev->raw_bytes);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		sample_skip_branches(r, info->branch_type);
	sample_read_user(r, info, ev);
	ev->swaps = r->swaps;
}

static size_t sample_id_bytes(uint64_t type)
{
	return 8 * (size_t)__builtin_popcountll(type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
							PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
							PERF_SAMPLE_IDENTIFIER));
}

/* Behind every other record: what the sample type has of TID, TIME, ID, STREAM_ID, CPU and IDENTIFIER. */
static void sample_read_id(const struct rs_sample_info *info, struct sample_reader *r,
			   struct rs_sample_event *ev)
{
	uint64_t type = info->sample_type;
	size_t bytes = info->no_sample_ids ? 0 : sample_id_bytes(type);

	if (bytes > (size_t)(r->end - r->at))
		r->failed = true;
	if (r->failed || !bytes)
		return;
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

static void sample_read_probe(struct sample_reader *r, struct rs_sample_event *ev)
{
	uint32_t flags;

	ev->kind = RS_SAMPLE_PROBE;
	ev->pid = (int32_t)sample_u32(r);
	ev->tid = (int32_t)sample_u32(r);
	ev->function = sample_u32(r);
	flags = sample_u32(r);
	ev->returns = flags & RS_PROBE_RECORD_RETURNS;
	for (int i = 0; i < RS_PROBE_ARGS; i++)
		ev->args[i] = sample_u64(r);
	ev->nr_frames = sample_u64(r);
	ev->frames = sample_take_many(r, ev->nr_frames, 8);
	ev->swaps = r->swaps;
	if (flags & RS_PROBE_RECORD_NAMED)
		ev->name = (const char *)sample_take(r, RS_PROBE_NAME_BYTES);
	r->failed |= ev->name && ev->name[RS_PROBE_NAME_BYTES - 1];
	if (ev->function >= RS_NR_PROBE_FUNCTIONS && ev->function != RS_PROBE_LOST)
		ev->kind = RS_SAMPLE_OTHER; /* a newer version's */
}

static void sample_read_text(struct sample_reader *r, const char **text)
{
	*text = (const char *)r->at;
	if (r->at == r->end || !memchr(r->at, '\0', (size_t)(r->end - r->at)))
		r->failed = true;
}

static void sample_read_mmap(struct sample_reader *r, uint32_t type, uint16_t misc,
			     struct rs_sample_event *ev)
{
	const uint8_t *identity;

	ev->pid = (int32_t)sample_u32(r);
	ev->tid = (int32_t)sample_u32(r);
	ev->start = sample_u64(r);
	ev->len_bytes = sample_u64(r);
	ev->offset = sample_u64(r);
	if (type == PERF_RECORD_MMAP2) {
		/* major, minor, inode, generation; or the length and 20 bytes of a build-id */
		identity = sample_take(r, 24);
		sample_u64(r);                 /* protection and flags */
		if (identity && (misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
			ev->build_id_len = identity[0] < MAX_BUILD_ID_BYTES ? identity[0] :
									      MAX_BUILD_ID_BYTES;
			ev->build_id = identity + 4;
		} else if (identity) {
			memcpy(&ev->inode, identity + 8, 8);
			ev->inode = r->swaps ? __builtin_bswap64(ev->inode) : ev->inode;
		}
	}
	ev->is_data = misc & PERF_RECORD_MISC_MMAP_DATA;
	sample_read_text(r, &ev->path);
}

static void sample_read_task(struct sample_reader *r, struct rs_sample_event *ev)
{
	ev->pid = (int32_t)sample_u32(r);
	ev->parent = (int32_t)sample_u32(r);
	ev->tid = (int32_t)sample_u32(r);
	ev->parent_tid = (int32_t)sample_u32(r);
}

static void sample_read_comm(struct sample_reader *r, uint16_t misc, struct rs_sample_event *ev)
{
	ev->pid = (int32_t)sample_u32(r);
	ev->tid = (int32_t)sample_u32(r);
	ev->kind = misc & PERF_RECORD_MISC_COMM_EXEC ? RS_SAMPLE_EXEC : RS_SAMPLE_RENAME;
	sample_read_text(r, &ev->comm);
}

static bool sample_read(const struct rs_sample_info *info, const struct rs_sample_record *record,
			struct rs_sample_event *ev)
{
	struct sample_reader r = { record->data, record->data + record->len_bytes, info->swaps, false };
	uint32_t type = sample_u32(&r);
	const uint8_t *head = sample_take(&r, 4);
	uint16_t misc = 0;

	*ev = (struct rs_sample_event){ .kind = RS_SAMPLE_OTHER, .cpu = UINT32_MAX, .record = *record };
	if (head)
		memcpy(&misc, head, 2);
	misc = sample_swap16(info, misc);
	switch (type) {
	case PERF_RECORD_SAMPLE:
		ev->kind = RS_SAMPLE_OF_CPU;
		sample_read_stack(&r, info, ev);
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
	case PERF_RECORD_EXIT:
		ev->kind = RS_SAMPLE_EXIT;
		sample_read_task(&r, ev);
		break;
	case PERF_RECORD_LOST:
		ev->kind = RS_SAMPLE_LOST;
		ev->lost_id = sample_u64(&r);
		ev->nr_lost = sample_u64(&r);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		ev->kind = RS_SAMPLE_LOST;
		ev->nr_lost = sample_u64(&r);
		break;
	case RS_PROBE_RECORD:
		sample_read_probe(&r, ev);
		break;
	default:
		break;
	}
	sample_read_id(info, &r, ev);
	return !r.failed;
}

bool rs_sample_record_read(const struct rs_sample_info *info, const struct rs_sample_record *record,
			   struct rs_sample_event *ev)
{
	return sample_read(info, record, ev) && ev->ts_ns <= RS_MAX_TIME_NS;
}

bool rs_sample_record_counts(const struct rs_sample_info *info, const struct rs_sample_event *ev,
			     struct rs_sample_counts *counts)
{
	struct sample_reader r = { ev->counts, ev->record.data + ev->record.len_bytes, ev->swaps, false };
	uint64_t nr;

	if (!ev->counts || !(info->read_format & PERF_FORMAT_GROUP))
		return false;
	nr = sample_u64(&r);
	*counts = (struct rs_sample_counts){ .nr = nr < RS_MAX_GROUP ? (unsigned int)nr : RS_MAX_GROUP };
	if (info->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		counts->enabled_ns = sample_u64(&r);
	if (info->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		counts->running_ns = sample_u64(&r);
	for (unsigned int i = 0; i < counts->nr; i++) {
		counts->row[i].value = sample_u64(&r);
		if (info->read_format & PERF_FORMAT_ID)
			counts->row[i].id = sample_u64(&r);
		if (info->read_format & PERF_FORMAT_LOST)
			sample_u64(&r);
	}
	return counts->nr && !r.failed;
}

void rs_sample_record_set_time(const struct rs_sample_info *info, uint8_t *data, size_t len_bytes,
			       uint64_t ts_ns)
{
	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	struct perf_event_header header;
	size_t at;

	memcpy(&header, data, sizeof header);
	if (header.type == PERF_RECORD_SAMPLE)
		at = sizeof header + 8 * (size_t)__builtin_popcountll(info->sample_type & before);
	else
		at = len_bytes - sample_id_bytes(info->sample_type) +
		     (info->sample_type & PERF_SAMPLE_TID ? 8 : 0);
	memcpy(data + at, &ts_ns, sizeof ts_ns);
}

static uint8_t *sample_put_u64(uint8_t *to, uint64_t v)
{
	memcpy(to, &v, sizeof v);
	return to + sizeof v;
}

static uint8_t *sample_put_counts(uint8_t *to, const struct rs_sample_counts *counts)
{
	to = sample_put_u64(to, counts->nr);
	to = sample_put_u64(to, counts->enabled_ns);
	to = sample_put_u64(to, counts->running_ns);
	for (unsigned int i = 0; i < counts->nr; i++) {
		to = sample_put_u64(to, counts->row[i].value);
		to = sample_put_u64(to, counts->row[i].id);
	}
	return to;
}

size_t rs_sample_record_put(uint8_t *to, const struct rs_sample_event *ev,
			    const struct rs_sample_counts *counts, const uint64_t *frames, size_t nr_frames)
{
	struct {
		struct perf_event_header header;
		uint32_t pid, tid;
		uint64_t ts_ns;
		uint32_t cpu, reserved;
		uint64_t period;
	} head = { { .type = PERF_RECORD_SAMPLE }, (uint32_t)ev->pid, (uint32_t)ev->tid, ev->ts_ns, ev->cpu,
		   0, ev->period };
	uint8_t *at = to + sizeof head;

	if (counts)
		at = sample_put_counts(at, counts);
	at = sample_put_u64(at, nr_frames);
	memcpy(at, frames, nr_frames * sizeof *frames);
	head.header.size = (uint16_t)((size_t)(at - to) + nr_frames * sizeof *frames);
	memcpy(to, &head, sizeof head);
	return head.header.size;
}
