// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-header - what a perf.data says of its records: byte order, events, machine, clock, build-ids */
#include "perfdata/perf-header.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time-limit.h"
#include "base/vector.h"

#define PERF_HEADER_BYTES 104u
#define PIPE_HEADER_BYTES 16u
#define ATTR_BYTES_MIN 64u             /* PERF_ATTR_SIZE_VER0 */
#define MAX_EVENTS 65536u
#define MAX_EVENT_IDS (16u << 20)
#define MAX_BUILD_IDS (1u << 18)
#define MAX_FEATURE_BYTES (64u << 20)
#define NR_FEATURES 256u

/* Bits of perf_event_attr, from the first one on. */
enum { ATTR_FREQ = 10, ATTR_SAMPLE_ID_ALL = 18, ATTR_USE_CLOCKID = 25 };

static int header_damaged(const struct rs_perf_header *h, const char *what, struct rs_error *err)
{
	return rs_fail(err, "cannot read '%s': %s (the perf.data is cut off or damaged)", h->path, what);
}

static int header_no_memory(const struct rs_perf_header *h, struct rs_error *err)
{
	return rs_fail(err, "cannot read '%s': out of memory", h->path);
}

int rs_perf_header_pread(const struct rs_perf_header *h, uint64_t at, void *to, size_t bytes,
			 const char *what, struct rs_error *err)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t n = at + done < h->file_bytes ?
				    pread(h->fd, (char *)to + done, bytes - done, (off_t)(at + done)) :
				    0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return rs_fail(err, "cannot read '%s': %s", h->path, strerror(errno));
		if (!n)
			return rs_fail(err, "cannot read '%s': it ends within %s (the perf.data is cut off)",
				       h->path, what);
		done += (size_t)n;
	}
	return 0;
}

static void header_read_name(struct rs_bytes *b, char *name, size_t size_bytes)
{
	uint32_t len = rs_bytes_u32(b);
	const uint8_t *text = rs_bytes_take(b, len);

	if (text && memchr(text, '\0', len))
		rs_copy(name, size_bytes, (const char *)text);
}

/* ---- events ---- */

/* A bitfield's first bit is the lowest one in little-endian, the highest one in big-endian. */
static bool header_attr_bit(const struct rs_bytes *b, uint64_t bits, unsigned int bit)
{
	return bits >> (b->big_endian ? 63 - bit : bit) & 1;
}

/* What perf calls an event of which the file has no name. */
static void header_name_event(struct rs_perf_event *e)
{
	static const char *const hardware[] = {
		"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses",
		"bus-cycles",
		"stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
	};
	static const char *const software[] = {
		"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
		"minor-faults", "major-faults",
		"alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches",
	};

	if (e->type == PERF_TYPE_HARDWARE && e->config < sizeof hardware / sizeof *hardware)
		rs_copy(e->name, sizeof e->name, hardware[e->config]);
	if (e->type == PERF_TYPE_SOFTWARE && e->config < sizeof software / sizeof *software)
		rs_copy(e->name, sizeof e->name, software[e->config]);
}

/* Older versions of perf wrote fewer members. */
static void header_read_attr(struct rs_perf_header *h, struct rs_bytes *b, struct rs_perf_event *e)
{
	uint64_t frequency, bits, at = b->at;
	uint32_t clock = 0;

	e->type = rs_bytes_u32(b);
	rs_bytes_u32(b);
	e->config = rs_bytes_u64(b);
	frequency = rs_bytes_u64(b);
	e->info.sample_type = rs_bytes_u64(b);
	e->info.read_format = rs_bytes_u64(b);
	bits = rs_bytes_u64(b);
	rs_bytes_take(b, 16);                          /* to the end of version 0 */
	if (b->failed)
		return;
	if (rs_bytes_left(b) >= 8)
		rs_bytes_u64(b);                       /* config2 */
	e->info.branch_type = rs_bytes_left(b) >= 8 ? rs_bytes_u64(b) : 0;
	e->info.user_regs = rs_bytes_left(b) >= 8 ? rs_bytes_u64(b) : 0;
	if (rs_bytes_left(b) >= 8) {
		rs_bytes_u32(b);                       /* sample_stack_user */
		clock = rs_bytes_u32(b);
	}
	e->info.swaps = b->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	e->info.no_sample_ids = !header_attr_bit(b, bits, ATTR_SAMPLE_ID_ALL);
	e->info.nr_rings = 1;
	if (header_attr_bit(b, bits, ATTR_FREQ))
		e->hz = frequency < RS_SAMPLES_MAX_HZ * 100 ? (unsigned int)frequency : 0;
	if (header_attr_bit(b, bits, ATTR_USE_CLOCKID))
		h->clock = (int)clock;
	header_name_event(e);
	b->at = at;
}

static struct rs_perf_event *header_add_event(struct rs_perf_header *h, struct rs_bytes *attr,
					      struct rs_error *err)
{
	struct rs_perf_event *e;

	if (h->nr_events == MAX_EVENTS) {
		header_damaged(h, "too many events", err);
		return NULL;
	}
	e = RS_VECTOR_ADD(&h->events, &h->nr_events, &h->events_room);
	if (!e) {
		header_no_memory(h, err);
		return NULL;
	}
	*e = (struct rs_perf_event){ 0 };
	header_read_attr(h, attr, e);
	return e;
}

static int header_add_ids(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	h->ids_are_sorted = false;
	while (rs_bytes_left(b) >= 8) {
		struct rs_perf_event_id *id = h->nr_ids < MAX_EVENT_IDS ?
						      RS_VECTOR_ADD(&h->ids, &h->nr_ids, &h->ids_room) :
						      NULL;

		if (!id)
			return header_no_memory(h, err);
		*id = (struct rs_perf_event_id){ rs_bytes_u64(b), (uint32_t)h->nr_events - 1 };
	}
	return 0;
}

static int header_compare_id(const void *a, const void *b)
{
	uint64_t x = ((const struct rs_perf_event_id *)a)->id, y = ((const struct rs_perf_event_id *)b)->id;

	return (x > y) - (x < y);
}

static int header_compare_path(const void *a, const void *b)
{
	return strcmp(((const struct rs_perf_build_id *)a)->path, ((const struct rs_perf_build_id *)b)->path);
}

/* At the first question: a pipe's records add ids one event at a time. */
static void header_sort(void *of, size_t nr, size_t bytes, bool *is_sorted,
			int (*compare)(const void *, const void *))
{
	if (nr && !*is_sorted)
		qsort(of, nr, bytes, compare);
	*is_sorted = true;
}

struct rs_perf_event *rs_perf_header_event_of_id(struct rs_perf_header *h, uint64_t id)
{
	const struct rs_perf_event_id key = { .id = id }, *found;

	header_sort(h->ids, h->nr_ids, sizeof *h->ids, &h->ids_are_sorted, header_compare_id);
	found = h->nr_ids ? bsearch(&key, h->ids, h->nr_ids, sizeof key, header_compare_id) : NULL;
	return found ? &h->events[found->event] : NULL;
}

/* Where a record has its event's id, in bytes from its begin (a sample) or from its end; 0: it has none. */
static size_t header_id_place(uint64_t type, bool is_sample)
{
	const uint64_t before = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;

	if (type & PERF_SAMPLE_IDENTIFIER)
		return 8;
	if (!(type & PERF_SAMPLE_ID))
		return 0;
	if (is_sample)
		return 8 + 8 * (size_t)__builtin_popcountll(type & before);
	return 8 + 8 * (size_t)__builtin_popcountll(type & (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU));
}

/* perf takes care that the id is at one place in all events of a file. */
struct rs_perf_event *rs_perf_header_event(struct rs_perf_header *h, const struct rs_sample_record *record)
{
	struct rs_bytes b = { .data = record->data, .len = record->len_bytes, .big_endian = h->big_endian };
	bool is_sample = rs_bytes_u32(&b) == PERF_RECORD_SAMPLE;
	struct rs_perf_event *first = h->events, *found;
	uint64_t id;
	size_t place;

	if (!h->nr_events)
		return NULL;
	place = h->nr_events > 1 && (is_sample || !first->info.no_sample_ids) ?
			header_id_place(first->info.sample_type, is_sample) :
			0;
	if (!place || place + 8 > record->len_bytes)
		return &h->events[0];
	b.at = is_sample ? place : record->len_bytes - place;
	id = rs_bytes_u64(&b);
	found = id ? rs_perf_header_event_of_id(h, id) : &h->events[0]; /* 0: perf itself made the record */
	return found || is_sample ? found : &h->events[0];
}

/* ---- features: what perf tells of the machine ---- */

static int header_take_tracing(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	uint64_t len = rs_bytes_left(b);

	rs_buf_clear(&h->tracing);
	rs_buf_add(&h->tracing, rs_bytes_take(b, len), (size_t)len);
	return h->tracing.failed ? header_no_memory(h, err) : 0;
}

static int header_add_build_id(struct rs_perf_header *h, const uint8_t *id, uint8_t len_bytes,
			       const char *path, struct rs_error *err)
{
	struct rs_perf_build_id *b = h->nr_build_ids < MAX_BUILD_IDS ?
					     RS_VECTOR_ADD(&h->build_ids, &h->nr_build_ids,
							   &h->build_ids_room) :
					     NULL;

	if (!b || !(b->path = strdup(path))) {
		h->nr_build_ids -= !!b;
		return header_no_memory(h, err);
	}
	h->build_ids_are_sorted = false;
	memcpy(b->id, id, RS_PERF_BUILD_ID_BYTES);
	b->len_bytes = len_bytes;
	return 0;
}

/* The body of a record: pid, the id in 24 bytes, its path. misc of newer ones: the id's length follows it. */
static int header_read_build_id(struct rs_perf_header *h, uint16_t misc, struct rs_bytes *b,
				struct rs_error *err)
{
	const uint16_t has_size = 1u << 15; /* PERF_RECORD_MISC_BUILD_ID_SIZE */
	const uint8_t *id;
	const char *path;
	uint8_t len = RS_PERF_BUILD_ID_BYTES;

	rs_bytes_u32(b);
	id = rs_bytes_take(b, 24);
	path = rs_bytes_string(b);
	if (!id || !path)
		return 0;
	if (misc & has_size && id[RS_PERF_BUILD_ID_BYTES] <= RS_PERF_BUILD_ID_BYTES)
		len = id[RS_PERF_BUILD_ID_BYTES];
	return len ? header_add_build_id(h, id, len, path, err) : 0;
}

static int header_take_build_ids(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	while (rs_bytes_left(b) >= 8) {
		uint16_t misc, size;
		struct rs_bytes body;

		rs_bytes_u32(b);
		misc = rs_bytes_u16(b);
		size = rs_bytes_u16(b);
		body = rs_bytes_sub(b, size >= 8 ? size - 8u : 0);
		if (body.failed || size < 8 || header_read_build_id(h, misc, &body, err) < 0)
			return err->status == RS_OK ? 0 : -1;
	}
	return 0;
}

static int header_take_host(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	header_read_name(b, h->host, sizeof h->host);
	return 0;
}

static int header_take_kernel(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	header_read_name(b, h->kernel, sizeof h->kernel);
	return 0;
}

static int header_take_machine(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	header_read_name(b, h->machine, sizeof h->machine);
	return 0;
}

static int header_take_nr_cpus(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	uint32_t available = rs_bytes_u32(b), online = rs_bytes_u32(b);

	/* perf of before 3.4 wrote them the other way around */
	if (!b->failed)
		h->nr_cpus = available > online ? available : online;
	return 0;
}

/* In the order of the events: attr, ids, name. */
static int header_take_names(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	uint32_t nr = rs_bytes_u32(b), attr_bytes = rs_bytes_u32(b);

	for (uint32_t i = 0; i < nr && i < h->nr_events && !b->failed; i++) {
		uint32_t nr_ids;

		rs_bytes_take(b, attr_bytes);
		nr_ids = rs_bytes_u32(b);
		header_read_name(b, h->events[i].name, sizeof h->events[i].name);
		rs_bytes_take(b, (uint64_t)nr_ids * 8);
	}
	return 0;
}

/* Since 5.10: the time of day and of the clock, read at once. */
static int header_take_clock(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	uint64_t wall_ns, clock_ns;

	rs_bytes_u32(b); /* version */
	rs_bytes_u32(b); /* clock */
	wall_ns = rs_bytes_u64(b);
	clock_ns = rs_bytes_u64(b);
	h->realtime_offset_known = !b->failed && wall_ns <= RS_MAX_TIME_NS && clock_ns <= RS_MAX_TIME_NS;
	if (h->realtime_offset_known)
		h->realtime_offset_ns = (int64_t)wall_ns - (int64_t)clock_ns;
	return 0;
}

/* By their bit in the header: tools/perf/util/header.h. */
static const struct {
	unsigned int bit;
	int (*take)(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err);
} features[] = {
	{ 1, header_take_tracing }, { 2, header_take_build_ids }, { 3, header_take_host },
	{ 4, header_take_kernel }, { 6, header_take_machine }, { 7, header_take_nr_cpus },
	{ 12, header_take_names }, { 29, header_take_clock },
};

static int header_take_feature(struct rs_perf_header *h, uint64_t bit, struct rs_bytes *b,
			       struct rs_error *err)
{
	for (size_t i = 0; i < sizeof features / sizeof *features; i++)
		if (features[i].bit == bit)
			return features[i].take(h, b, err);
	return 0;
}

/* ---- a file ---- */

/* Reads a part of the file into buf. */
static int header_load(const struct rs_perf_header *h, uint64_t at, uint64_t bytes, struct rs_buf *buf,
		       struct rs_bytes *b, const char *what, struct rs_error *err)
{
	rs_buf_clear(buf);
	if (bytes > MAX_FEATURE_BYTES || at > h->file_bytes || bytes > h->file_bytes - at)
		return header_damaged(h, what, err);
	if (!rs_buf_reserve(buf, (size_t)bytes + 1))
		return header_no_memory(h, err);
	*b = (struct rs_bytes){ .data = (const uint8_t *)buf->data, .len = bytes, .origin = at,
				.big_endian = h->big_endian };
	return rs_perf_header_pread(h, at, buf->data, (size_t)bytes, what, err);
}

static int header_read_events(struct rs_perf_header *h, uint64_t at, uint64_t bytes, uint64_t each,
			      struct rs_error *err)
{
	struct rs_buf attrs = RS_BUF_INIT, ids = RS_BUF_INIT;
	struct rs_bytes b, list;
	int ret = -1;

	if (each < ATTR_BYTES_MIN + 16 || each > 4096)
		header_damaged(h, "an impossible size of events", err);
	else
		ret = header_load(h, at, bytes, &attrs, &b, "the table of events", err);
	while (ret == 0 && rs_bytes_left(&b) >= each) {
		struct rs_bytes attr = rs_bytes_sub(&b, each - 16);
		uint64_t ids_at = rs_bytes_u64(&b), ids_bytes = rs_bytes_u64(&b);

		if (!header_add_event(h, &attr, err) ||
		    header_load(h, ids_at, ids_bytes, &ids, &list, "the ids of events", err) < 0 ||
		    header_add_ids(h, &list, err) < 0)
			ret = -1;
	}
	rs_buf_done(&attrs);
	rs_buf_done(&ids);
	return ret;
}

/* A file that was cut off has none of them: its records are read all the same. */
static int header_read_features(struct rs_perf_header *h, const uint64_t *bits, struct rs_error *err)
{
	struct rs_buf table = RS_BUF_INIT, body = RS_BUF_INIT;
	struct rs_error cut = { 0 };
	struct rs_bytes rows, b;
	uint64_t nr = 0;
	int ret = 0;

	for (unsigned int i = 0; i < NR_FEATURES / 64; i++)
		nr += (uint64_t)__builtin_popcountll(bits[i]);
	if (header_load(h, h->data_end, nr * 16, &table, &rows, "the table of features", &cut) < 0)
		nr = 0;
	for (unsigned int bit = 0; nr && bit < NR_FEATURES && ret == 0; bit++) {
		uint64_t at, bytes;

		if (!(bits[bit / 64] >> bit % 64 & 1))
			continue;
		at = rs_bytes_u64(&rows);
		bytes = rs_bytes_u64(&rows);
		if (header_load(h, at, bytes, &body, &b, "a feature", &cut) == 0)
			ret = header_take_feature(h, bit, &b, err);
	}
	rs_buf_done(&table);
	rs_buf_done(&body);
	return ret;
}

static int header_read_file(struct rs_perf_header *h, struct rs_error *err)
{
	uint8_t data[PERF_HEADER_BYTES];
	struct rs_bytes b = { .data = data, .len = sizeof data, .at = 16, .big_endian = h->big_endian };
	uint64_t each, events_at, events_bytes, data_bytes, bits[NR_FEATURES / 64];

	if (rs_perf_header_pread(h, 0, data, sizeof data, "its header", err) < 0)
		return -1;
	each = rs_bytes_u64(&b);
	events_at = rs_bytes_u64(&b);
	events_bytes = rs_bytes_u64(&b);
	h->data_at = rs_bytes_u64(&b);
	data_bytes = rs_bytes_u64(&b);
	rs_bytes_take(&b, 16);
	for (unsigned int i = 0; i < NR_FEATURES / 64; i++)
		bits[i] = rs_bytes_u64(&b);
	if (h->data_at > h->file_bytes)
		return header_damaged(h, "its records begin behind its end", err);
	/* perf writes the size at the end: 0 if it was killed */
	h->is_cut = !data_bytes || __builtin_add_overflow(h->data_at, data_bytes, &h->data_end) ||
		    h->data_end > h->file_bytes;
	if (h->is_cut)
		h->data_end = h->file_bytes;
	if (header_read_events(h, events_at, events_bytes, each, err) < 0 ||
	    header_read_features(h, bits, err) < 0)
		return -1;
	return h->nr_events ? 0 : header_damaged(h, "it has no events", err);
}

int rs_perf_header_read(struct rs_perf_header *h, int fd, const char *path, struct rs_error *err)
{
	uint8_t head[PIPE_HEADER_BYTES];
	struct rs_bytes b = { .data = head, .len = sizeof head, .at = 8 };
	off_t end = lseek(fd, 0, SEEK_END);
	uint64_t header_bytes;

	*h = (struct rs_perf_header){ .fd = fd, .path = path, .file_bytes = end > 0 ? (uint64_t)end : 0,
				      .tracing = RS_BUF_INIT, .clock = -1 };
	if (rs_perf_header_pread(h, 0, head, sizeof head, "its header", err) < 0)
		return -1;
	/* the magic is a number that the recording machine has written */
	h->big_endian = *head != 'P';
	b.big_endian = h->big_endian;
	header_bytes = rs_bytes_u64(&b);
	h->is_pipe = header_bytes == PIPE_HEADER_BYTES;
	h->data_at = header_bytes;
	h->data_end = h->file_bytes;
	if (h->is_pipe)
		return 0;
	if (header_bytes != PERF_HEADER_BYTES)
		return rs_fail(err,
			       "cannot read '%s': its header has %" PRIu64
			       " bytes, not %u (it is no perf.data of perf record)",
			       path, header_bytes, PERF_HEADER_BYTES);
	if (header_read_file(h, err) < 0)
		return -1;
	return 0;
}

void rs_perf_header_done(struct rs_perf_header *h)
{
	for (size_t i = 0; i < h->nr_build_ids; i++)
		free(h->build_ids[i].path);
	free(h->build_ids);
	free(h->events);
	free(h->ids);
	rs_buf_done(&h->tracing);
}

const struct rs_perf_build_id *rs_perf_header_build_id(struct rs_perf_header *h, const char *path)
{
	const struct rs_perf_build_id key = { .path = (char *)(uintptr_t)path };

	header_sort(h->build_ids, h->nr_build_ids, sizeof *h->build_ids, &h->build_ids_are_sorted,
		    header_compare_path);
	return h->nr_build_ids ?
		       bsearch(&key, h->build_ids, h->nr_build_ids, sizeof key, header_compare_path) :
		       NULL;
}

/* ---- the same from a pipe, as records ---- */

static int header_take_attr(struct rs_perf_header *h, struct rs_bytes *b, struct rs_error *err)
{
	struct rs_bytes attr = *b, whole;
	uint32_t bytes;

	rs_bytes_u32(&attr);
	bytes = rs_bytes_u32(&attr);
	whole = rs_bytes_sub(b, bytes);
	if (bytes < ATTR_BYTES_MIN || whole.failed)
		return header_damaged(h, "an event", err);
	return header_add_event(h, &whole, err) ? header_add_ids(h, b, err) : -1;
}

/* Of the event with an id: its name. */
static void header_take_update(struct rs_perf_header *h, struct rs_bytes *b)
{
	uint64_t kind = rs_bytes_u64(b), id = rs_bytes_u64(b);
	const char *name = rs_bytes_string(b);
	struct rs_perf_event *e = kind == 2 && name ? rs_perf_header_event_of_id(h, id) : NULL;

	if (e)
		rs_copy(e->name, sizeof e->name, name);
}

int rs_perf_header_record(struct rs_perf_header *h, uint32_t type, uint16_t misc, struct rs_bytes *body,
			  struct rs_error *err)
{
	switch (type) {
	case RS_PERF_HEADER_ATTR:
		return header_take_attr(h, body, err);
	case RS_PERF_HEADER_TRACING_DATA:
		return header_take_tracing(h, body, err);
	case RS_PERF_HEADER_BUILD_ID:
		return header_read_build_id(h, misc, body, err);
	case RS_PERF_EVENT_UPDATE:
		header_take_update(h, body);
		return 0;
	case RS_PERF_HEADER_FEATURE:
		return header_take_feature(h, rs_bytes_u64(body), body, err);
	default:
		return 0;
	}
}
