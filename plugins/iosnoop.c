// SPDX-License-Identifier: GPL-2.0-or-later
/* iosnoop - each block request as it completes */
#include "ringside/plugin.h"

enum {
	START, END, COMM, PID, TID, TYPE, DEV, SECTOR, BYTES, LAT, QUEUE, NR_COLUMNS,
};

static const struct rs_column columns[] = {
	[START] = { "start_ns", "STARTs", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "issued to the device; with -Q: inserted in the queue" },
	[END] = { "end_ns", "ENDs", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "completed" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 12, "the task that asked for it" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 6, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 6, "the thread" },
	[TYPE] = { "type", "TYPE", RS_TYPE_TEXT, 0, 0, 4, "R read, W write, D discard, F flush, then S sync, A ahead, M metadata, F FUA, N none" },
	[DEV] = RS_DEV_COLUMN("device, MAJ,MIN"),
	[SECTOR] = { "sector", "BLOCK", RS_TYPE_ID, 0, RS_COLUMN_LEFT, 12, "first sector, of 512 bytes" },
	[BYTES] = { "bytes", "BYTES", RS_TYPE_COUNT, 0, 0, 6, "size" },
	[LAT] = { "lat_ns", "LATms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 8, "issue to completion (D2C); with -Q: insert to completion (I2C)" },
	[QUEUE] = { "queue_ns", "QUEms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "insert to issue (I2D); null where it was never queued" },
	{ 0 },
};

static void on_request(struct rs_ctx *c, const struct rs_request *r)
{
	bool queue = c->query->queue;
	uint64_t from_ns = queue ? r->insert_ns : r->issue_ns;
	struct rs_value v[NR_COLUMNS];
	char dev[32];

	if (r->voided || !r->shown || !rs_listening(c, 0))
		return;
	rs_dev_text(r->dev, dev, sizeof dev);
	v[START] = rs_u_if(from_ns, from_ns);
	v[END] = rs_u(r->complete_ns);
	v[COMM] = rs_s(r->comm);
	v[PID] = rs_u_if(r->pid, (uint64_t)r->pid);
	v[TID] = rs_u_if(r->tid, (uint64_t)r->tid);
	v[TYPE] = rs_s(r->rwbs);
	v[DEV] = rs_s(dev);
	v[SECTOR] = rs_u(r->sector);
	v[BYTES] = rs_u(r->bytes);
	v[LAT] = rs_u_if(!queue || r->i2c_known, r->complete_ns - from_ns);
	v[QUEUE] = rs_u_if(r->i2d_known, r->issue_ns - r->insert_ns);
	rs_emit(c, 0, v);
}

static const struct rs_view views[] = {
	{ .name = "iosnoop", .summary = "each block request as it completes", .kind = RS_VIEW_STREAM,
	  .columns = columns, .options = "queue,dev,type,starts,ends", .text_columns = "comm,pid,type,dev,sector,bytes,lat_ns" },
	{ 0 },
};

const struct rs_analysis rs_analysis_iosnoop = {
	.abi = RS_ABI,
	.name = "iosnoop",
	.summary = "each block request as it completes",
	.views = views,
	.request = on_request,
};
