// SPDX-License-Identifier: GPL-2.0-or-later
/* iosnoop - each block request as it completes */
#include <stdio.h>

#include "ringside/plugin.h"

static const struct rs_column columns[] = {
	{ "start_ns", "STARTs", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14,
	  "issued to the device; with -Q: inserted in the queue" },
	{ "end_ns", "ENDs", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "completed" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 12, "the task that asked for it" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 6, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 6, "the thread" },
	{ "type", "TYPE", RS_TYPE_TEXT, 0, 0, 4,
	  "R read, W write, D discard, F flush, then S sync, A ahead, M metadata, F FUA, N none" },
	{ RS_DEV_COLUMN("device, MAJ,MIN") },
	{ "sector", "BLOCK", RS_TYPE_ID, 0, RS_COLUMN_LEFT, 12, "first sector, of 512 bytes" },
	{ "bytes", "BYTES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 6, "size" },
	{ "lat_ns", "LATms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 8,
	  "issue to completion (D2C); with -Q: insert to completion (I2C)" },
	{ "queue_ns", "QUEms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8,
	  "insert to issue (I2D); null where it was never queued" },
	{ "issuer_comm", "ISSUER", RS_TYPE_TEXT, 0, 0, 12, "in whose context it was issued to the device" },
	{ "issuer_tid", "ISSUERTID", RS_TYPE_ID, 0, 0, 9, "that thread; null for an interrupt" },
	{ "bio_comm", "BIO", RS_TYPE_TEXT, 0, 0, 12,
	  "who queued its bio, where block_bio_queue was recorded" },
	{ "bio_tid", "BIOTID", RS_TYPE_ID, 0, 0, 6, "that thread" },
	{ "file", "FILE", RS_TYPE_TEXT, 0, RS_COLUMN_OF_FILE | RS_COLUMN_IF_KNOWN, 0,
	  "the file that it was reading, writing or syncing; a column of recordings that tell the files of "
	  "descriptors, and live where it is named" },
	RS_STREAM_STACK_COLUMN,
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

/*
 * ---- the requests on a device's track ----
 *
 * .arg, from its lowest bit on: 1 in what the size is counted, 25 the size, 16 four letters of the type, 22
 * who asked for it. A kernel's sizes fit: what is no multiple of 512 is a command's few bytes, and 2^32 is
 * more than a request may have.
 */
#define SIZE_BITS 25
#define TYPE_SHIFT (1 + SIZE_BITS)
#define TYPE_CHARS 4
#define TID_SHIFT (TYPE_SHIFT + 4 * TYPE_CHARS)
#define MAX_TID ((1 << 22) - 1) /* the kernel's PID_MAX_LIMIT less one */
#define SECTOR_BYTES 512u

/* as blk_fill_rwbs writes them; anything else is the last */
static const char letters[16] = " RWDFNSAMEZUOC?";

static uint64_t type_code(const char *rwbs)
{
	uint64_t code = 0;

	for (unsigned int i = 0; i < TYPE_CHARS && rwbs[i]; i++) {
		const char *at = strchr(letters + 1, rwbs[i]);

		code |= (uint64_t)(at ? at - letters : (long)strlen(letters) - 1) << 4 * i;
	}
	return code;
}

/* Bytes, or with the lowest bit set sectors. */
static uint64_t size_code(uint64_t bytes)
{
	uint64_t most = (1u << SIZE_BITS) - 1, sectors = bytes / SECTOR_BYTES;

	if (bytes % SECTOR_BYTES && bytes <= most)
		return bytes << 1;
	return (sectors < most ? sectors : most) << 1 | 1;
}

static int32_t asked_by(uint64_t arg)
{
	return (int32_t)(arg >> TID_SHIFT);
}

static const char *request_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	uint64_t size = arg >> 1 & ((1u << SIZE_BITS) - 1);
	char type[TYPE_CHARS + 1] = "";

	for (unsigned int i = 0; i < TYPE_CHARS && (arg >> (TYPE_SHIFT + 4 * i) & 0xf); i++)
		type[i] = letters[arg >> (TYPE_SHIFT + 4 * i) & 0xf];
	if (size)
		snprintf(buf, size_bytes, "%s %llu", type,
			 (unsigned long long)(arg & 1 ? size * SECTOR_BYTES : size));
	else
		snprintf(buf, size_bytes, "%s", type);
	return buf;
}

static void emit_request(struct rs_ctx *c, const struct rs_request *r, uint64_t end_ns, bool i2d_known,
			 bool open)
{
	struct rs_value values[] = {
		rs_s(r->rwbs),
		rs_u(r->sector),
		rs_u(r->bytes),
		rs_s(r->comm),
		rs_u_if(r->tid, (uint64_t)r->tid),
		rs_u_if(i2d_known, r->issue_ns - r->insert_ns),
	};
	uint64_t tid = r->tid > 0 && r->tid <= MAX_TID ? (uint64_t)r->tid : 0;

	rs_emit_span(c, 0,
		     &(struct rs_span){ .id = r->dev,
					.start_ns = r->issue_ns,
					.end_ns = end_ns,
					.in_flight = open,
					.arg = size_code(r->bytes) | type_code(r->rwbs) << TYPE_SHIFT |
					       tid << TID_SHIFT,
					.values = values });
}

/* Not a pipe or a socket, which no request is for. */
static struct rs_value iosnoop_file(struct rs_ctx *c, const struct rs_request *r)
{
	const char *path = r->file ? rs_file_path(c, r->file) : NULL;

	return rs_s(path && *path == '/' ? path : NULL);
}

static void iosnoop_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	bool queue = c->query->queue;
	uint64_t from_ns = queue ? r->insert_ns : r->issue_ns;
	char dev[32];

	if (r->discarded || !r->shown)
		return;
	if (rs_spans_enabled(c))
		emit_request(c, r, r->complete_ns, r->i2d_known, false);
	if (!rs_has_subscriber(c, 0))
		return;
	rs_dev_text(r->dev, dev, sizeof dev);
	rs_emit(c, 0,
		(const struct rs_value[]){
			rs_u_if(from_ns, from_ns),
			rs_u(r->complete_ns),
			rs_s(r->comm),
			rs_u_if(r->pid, (uint64_t)r->pid),
			rs_u_if(r->tid, (uint64_t)r->tid),
			rs_s(r->rwbs),
			rs_s(dev),
			rs_u(r->sector),
			rs_u(r->bytes),
			rs_u_if(!queue || r->i2c_known, r->complete_ns - from_ns),
			rs_u_if(r->i2d_known, r->issue_ns - r->insert_ns),
			rs_s(r->issuer_comm),
			rs_u_if(r->issuer_tid, (uint64_t)r->issuer_tid),
			rs_s(r->bio_comm),
			rs_u_if(r->bio_tid, (uint64_t)r->bio_tid),
			iosnoop_file(c, r),
			rs_stack_value(c, r->stack, RS_STACK_OUTSIDE_ENTRY),
		});
}

/* ---- requests that are not complete ---- */

static const char *type_word(const char *rwbs)
{
	/* a flush may come before what it is of: "FWS" writes */
	return strchr(rwbs, 'R') ? "read" : strchr(rwbs, 'W') ? "write" : strchr(rwbs, 'D') ? "discard" :
	       strchr(rwbs, 'F') ? "flush" : rwbs;
}

static void iosnoop_list(struct rs_ctx *c, const struct rs_in_flight_to *to, const struct rs_request *r,
			 uint64_t since_ns)
{
	const char *name = rs_disk_name(c, r->dev);
	char dev[32], text[160];

	if (!rs_in_flight_accepts(to, since_ns, false))
		return;
	rs_dev_text(r->dev, dev, sizeof dev);
	snprintf(text, sizeof text, "%.16s %llu bytes at sector %llu of %.32s%s", type_word(r->rwbs),
		 (unsigned long long)r->bytes, (unsigned long long)r->sector, name ? name : dev,
		 r->issue_ns ? "" : ", not issued yet");
	rs_in_flight_add(c, to, NULL, &(struct rs_in_flight){ .kind = "request", .what = text,
		.comm = r->comm, .pid = r->pid, .tid = r->tid,
							      .since_ns = since_ns });
}

/* One that still waits in a queue has no span: its begin would move once it is issued. */
static void iosnoop_in_flight(struct rs_ctx *c, const struct rs_in_flight_to *to)
{
	for (const struct rs_request *r = rs_request_next(c, NULL); r; r = rs_request_next(c, r))
		if (r->shown && to->list)
			iosnoop_list(c, to, r, r->issue_ns ? r->issue_ns : r->begin_ns);
		else if (r->shown && r->issue_ns)
			emit_request(c, r, rs_last_event_ns(c), r->insert_ns && r->insert_ns <= r->issue_ns &&
				     !rs_discarded(c, r->insert_ns, r->issue_ns), true);
}

const struct rs_analysis rs_analysis_iosnoop = {
	.abi = RS_ABI,
	.name = "iosnoop",
	.summary = "each block request as it completes",
	.uses_files = true,
	.uses_stacks = true,
	.callbacks = RS_LIST(rs_callback, { RS_ON_REQUEST, .request = iosnoop_on_request }),
	.views = RS_LIST(rs_view,
		{ .name = "iosnoop", .topic = RS_TOPIC_FILES,
		  .summary = "each block request as it completes", .kind = RS_VIEW_STREAM,
		  .columns = columns, .options = "queue,dev,type,starts,ends",
		  .text_columns = "comm,pid,type,dev,sector,bytes,lat_ns,file,stack",
		  .latencies = RS_LIST(rs_latencies,
				       { "lat_ns", .kind = "request", .track_column = "dev" }) }),
	.spans = RS_LIST(rs_span_kind,
		{ .name = "request", .track = RS_TRACK_DISK, .shape = RS_SPAN_ASYNC, .label = request_label,
		  .rate = "requests", .slowest = "block request", .cause = RS_CAUSE_DISK, .get_tid = asked_by,
		  .label_bits = (UINT64_C(1) << TID_SHIFT) - 1,
		  .name_bits = ((UINT64_C(1) << TID_SHIFT) - 1) & ~((UINT64_C(1) << TYPE_SHIFT) - 1),
		  .columns = RS_LIST(rs_column,
			{ "type", "TYPE", RS_TYPE_TEXT, 0, 0, 0, "as the view iosnoop has it" },
			{ "sector", "BLOCK", RS_TYPE_ID, 0, 0, 0, "first sector, of 512 bytes" },
			{ "bytes", "BYTES", RS_TYPE_BYTES, 0, 0, 0, "size" },
			{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 0, "the task that asked for it" },
			{ "tid", "TID", RS_TYPE_ID, 0, 0, 0, "the thread" },
			{ "queue_ns", "QUEUED", RS_TYPE_DURATION, 0, 0, 0,
			  "insert to issue (I2D), before the span" }) }),
	.emit_in_flight = iosnoop_in_flight,
	.list_in_flight = iosnoop_in_flight,
};
