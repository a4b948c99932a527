// SPDX-License-Identifier: GPL-2.0-or-later
/* disks - each device: requests, latency, queue depth, how busy */
#include "ringside/plugin.h"

struct disks_row {
	uint64_t reads, writes, read_bytes, write_bytes, merges, requeues;
	struct rs_hist i2d, d2c;
	uint64_t depth_max;
	/* time with a known depth, the integral of depth, the part of the time above 0 */
	uint64_t known_ns, area, busy_ns;
	/* what no interval ends: */
	unsigned int depth;
	uint64_t since_ns;                /* it is that deep since then */
};

/* The depth up to now_ns. */
static void disks_add_depth(const struct rs_ctx *c, struct disks_row *d, uint64_t now_ns)
{
	uint64_t len_ns;

	if (d->since_ns < rs_since_ns(c))
		d->since_ns = rs_since_ns(c);
	len_ns = now_ns > d->since_ns ? now_ns - d->since_ns : 0;
	d->known_ns += len_ns;
	d->area = rs_add_area(d->area, len_ns, d->depth);
	d->busy_ns += d->depth ? len_ns : 0;
	d->since_ns += len_ns;
	if (d->depth > d->depth_max)
		d->depth_max = d->depth;
}

static void disks_complete(struct rs_ctx *c, const struct rs_query *q, struct rs_task *t, void *row)
{
	disks_add_depth(c, row, rs_last_event_ns(c));
}

/* The key is the device. A hostile file may name any number. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct disks_row), .keeps_rows = true, .max_rows = 1024,
	  .complete = disks_complete,
	  .measures = RS_LIST(rs_measure,
		RS_MEASURE_SUMS(struct disks_row, reads, requeues),
		{ RS_MEASURE_LATENCY, offsetof(struct disks_row, i2d) },
		{ RS_MEASURE_LATENCY, offsetof(struct disks_row, d2c) },
		{ RS_MEASURE_MAX, offsetof(struct disks_row, depth_max) },
		RS_MEASURE_SUMS(struct disks_row, known_ns, busy_ns)) },
	{ 0 },
};

struct disks {
	uint64_t gap_to_ns;
};

/* What was before a disk's first request is known to be nothing, but for a gap. */
static struct disks_row *disks_row_of(struct rs_ctx *c, uint32_t dev)
{
	struct disks_row *d = rs_store_row(c, 0, NULL, dev, 0);

	if (d && !d->since_ns)
		d->since_ns = ((const struct disks *)c->state)->gap_to_ns;
	return d;
}

static void disks_on_depth(struct rs_ctx *c, uint32_t dev, int change, uint64_t ts_ns)
{
	struct disks_row *d = disks_row_of(c, dev);

	if (!d)
		return;
	disks_add_depth(c, d, ts_ns);
	if (change > 0 || d->depth)
		d->depth += (unsigned int)change;
	if (d->depth > d->depth_max)
		d->depth_max = d->depth;
}

/* How many are with the device is unknown in a gap, and counted anew after it. */
static void disks_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct disks *s = c->state;

	for (struct disks_row *d = rs_store_next(c, 0, NULL); d; d = rs_store_next(c, 0, d)) {
		disks_add_depth(c, d, gap->from_ns);
		d->depth = 0;
		if (gap->to_ns > d->since_ns)
			d->since_ns = gap->to_ns;
	}
	if (gap->to_ns > s->gap_to_ns)
		s->gap_to_ns = gap->to_ns;
}

static void disks_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct disks_row *d = disks_row_of(c, r->dev);

	if (!d || r->discarded || !r->shown)
		return;
	rs_hist_add(&d->d2c, r->complete_ns - r->issue_ns);
	if (r->i2d_known)
		rs_hist_add(&d->i2d, r->issue_ns - r->insert_ns);
	if (strchr(r->rwbs, 'R')) {
		d->reads++;
		d->read_bytes += r->bytes;
	} else if (strchr(r->rwbs, 'W')) {
		d->writes++;
		d->write_bytes += r->bytes;
	}
}

static void on_merge(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct disks_row *d = disks_row_of(c, (uint32_t)rs_u64(ev, &f[0]));

	if (d)
		d->merges++;
}

static void on_requeue(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct disks_row *d = disks_row_of(c, (uint32_t)rs_u64(ev, &f[0]));

	if (d)
		d->requeues++;
}

static struct rs_value disks_show_name(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_disk_name(c, (uint32_t)g->keys[0]));
}

static struct rs_value disks_show_depth(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct disks_row *d = g->row;

	return rs_milli(d->area, d->known_ns, 1);
}

static struct rs_value disks_show_busy(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct disks_row *d = g->row;

	return rs_milli(d->busy_ns, d->known_ns, 100);
}

#define DISKS_VALUE(member) .measure_bytes = offsetof(struct disks_row, member), .aspect = RS_VALUE
#define DISKS_LATENCY(member) .measure_bytes = offsetof(struct disks_row, member), .aspect

static const struct rs_column columns[] = {
	{ RS_DEV_COLUMN("device, MAJ,MIN"), .key = RS_KEY_0, .always = true, .cell = rs_show_dev },
	{ "name", "DISK", RS_TYPE_TEXT, 0, 0, 10, "its name; null where the recording does not tell",
	  .cell = disks_show_name },
	{ "reads", "READS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "reads completed", DISKS_VALUE(reads) },
	{ "writes", "WRITES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "writes completed", DISKS_VALUE(writes) },
	{ "read_bytes", "READ", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "bytes read", DISKS_VALUE(read_bytes) },
	{ "write_bytes", "WRITTEN", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "bytes written",
	  DISKS_VALUE(write_bytes) },
	{ "i2d_p99_ns", "I2Dp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "99 % waited in the queue at most this, of those that were queued",
	  DISKS_LATENCY(i2d) = RS_P99 },
	{ "d2c_p50_ns", "D2Cp50ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "half of the requests took the device at most this",
	  DISKS_LATENCY(d2c) = RS_P50 },
	{ "d2c_p99_ns", "D2Cp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % took the device at most this",
	  DISKS_LATENCY(d2c) = RS_P99 },
	{ "d2c_max_ns", "D2Cmaxms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 9, "longest",
	  DISKS_LATENCY(d2c) = RS_MAX },
	{ "depth_avg", "DEPTH", RS_TYPE_MILLI, 0, 0, 6, "requests with the device, averaged over time",
	  .cell = disks_show_depth },
	{ "depth_max", "MAX", RS_TYPE_COUNT, 0, 0, 4, "most at once", DISKS_VALUE(depth_max) },
	{ "busy_pct", "BUSY%", RS_TYPE_MILLI, 0, 0, 7, "time with at least one request",
	  .cell = disks_show_busy },
	{ "merges", "MERGES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "bios and requests merged into others",
	  DISKS_VALUE(merges),
	  .if_recorded = "block:block_rq_merge,block:block_bio_backmerge,block:block_bio_frontmerge" },
	{ "requeues", "REQUEUES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "requests that the device gave back",
	  DISKS_VALUE(requeues), .if_recorded = "block:block_rq_requeue" },
	{ 0 },
};

const struct rs_analysis rs_analysis_disks = {
	.abi = RS_ABI,
	.name = "disks",
	.summary = "what the disks did",
	.callbacks = RS_LIST(rs_callback, { RS_ON_DISK_DEPTH, .disk_depth = disks_on_depth },
			     { RS_ON_GAP, .gap = disks_on_gap },
			     { RS_ON_REQUEST, .request = disks_on_request }),
	.requirements = RS_LIST(
		rs_requirement, { "block", "block_rq_merge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
		{ "block", "block_bio_backmerge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
		{ "block", "block_bio_frontmerge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
		{ "block", "block_rq_requeue", RS_OPTIONAL, RS_BY_ANYONE, on_requeue, { "dev" } }),
	.views = RS_LIST(rs_view,
			 { .name = "disks", .topic = RS_TOPIC_FILES,
			   .summary = "each disk: requests, latency, queue depth, how busy",
			   .kind = RS_VIEW_TABLE,
			   .columns = columns,
			   .options = "dev",
			   .sort = "-busy_pct",
			   .machine_wide = "DEPTH, MAX, BUSY%, MERGES, REQUEUES", .tasks_view = "biotop",
			   .store = stores,
			   .by = "dev",
			   .text_columns = "dev,name,reads,writes,read_bytes,write_bytes,d2c_p50_ns,d2c_p99_"
					   "ns,d2c_max_ns,depth_avg,depth_max,busy_pct",
			   .latencies = RS_LIST(rs_latencies, { "d2c_p50_ns,d2c_p99_ns,d2c_max_ns",
								.kind = "request", .track_column = "dev" }),
			   .panel =
				   &(const struct rs_panel){
					   .kind = RS_PANEL_TABLE,
					   .title = "Disks",
					   .place = 3,
					   .opens = "biotop",
					   /* the right-most go first where the screen is narrow */
					   .columns = "dev,name,busy_pct,d2c_p99_ns,depth_avg,reads,writes,"
						      "read_bytes,write_bytes",
				   } }),
	.stores = stores,
	.state_size = sizeof(struct disks),
};
