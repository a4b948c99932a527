// SPDX-License-Identifier: GPL-2.0-or-later
/* disks - each device: requests, latency, queue depth, how busy */
#include <stdio.h>
#include <stdlib.h>

#include "ringside/plugin.h"

struct disk {
	struct disk *next;
	uint32_t dev;
	uint64_t reads, writes, read_bytes, write_bytes, merges, requeues;
	struct rs_hist i2d, d2c;
	unsigned int depth, depth_max;
	uint64_t since_ns;                /* depth is what it is since then */
	uint64_t known_ns, area, busy_ns; /* time with a known depth, depth's integral, the part of it above 0 */
};

#define DISKS_MAX_DISKS 1024 /* a hostile file may name any number */

struct disks {
	struct disk *all;
	unsigned int nr;
	bool merges_known, requeues_known;
	uint64_t since_ns;                /* a disk's first request: what was before is known to be nothing */
};

static struct disk *disk_of(struct rs_ctx *c, uint32_t dev)
{
	struct disks *s = c->state;
	struct disk **at = &s->all;

	while (*at && (*at)->dev != dev)
		at = &(*at)->next;
	if (!*at && s->nr < DISKS_MAX_DISKS && (*at = calloc(1, sizeof **at))) {
		s->nr++;
		(*at)->dev = dev;
		(*at)->since_ns = s->since_ns ? s->since_ns : rs_begin_ns(c);
		rs_hist_init(&(*at)->i2d);
		rs_hist_init(&(*at)->d2c);
	}
	return *at;
}

static void disks_account_time(struct disk *d, uint64_t now_ns)
{
	uint64_t len_ns = now_ns > d->since_ns ? now_ns - d->since_ns : 0;

	d->known_ns += len_ns;
	d->area = rs_add_area(d->area, len_ns, d->depth);
	d->busy_ns += d->depth ? len_ns : 0;
	d->since_ns += len_ns;
}

static void disks_on_depth(struct rs_ctx *c, uint32_t dev, int change, uint64_t ts_ns)
{
	struct disk *d = disk_of(c, dev);

	if (!d)
		return;
	disks_account_time(d, ts_ns);
	if (change > 0 || d->depth)
		d->depth += (unsigned int)change;
	if (d->depth > d->depth_max)
		d->depth_max = d->depth;
}

/* How many are with the device is unknown in a gap, and counted anew after it. */
static void disks_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct disks *s = c->state;

	for (struct disk *d = s->all; d; d = d->next) {
		disks_account_time(d, gap->from_ns);
		d->depth = 0;
		if (gap->to_ns > d->since_ns)
			d->since_ns = gap->to_ns;
	}
	if (gap->to_ns > s->since_ns)
		s->since_ns = gap->to_ns;
}

static void disks_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct disk *d = disk_of(c, r->dev);

	if (!d)
		rs_count_evicted(c);
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
	struct disk *d = disk_of(c, (uint32_t)rs_u64(ev, &f[0]));

	if (d)
		d->merges++;
}

static void on_requeue(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct disk *d = disk_of(c, (uint32_t)rs_u64(ev, &f[0]));

	if (d)
		d->requeues++;
}

static const struct rs_requirement requirements[] = {
	{ "block", "block_rq_merge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
	{ "block", "block_bio_backmerge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
	{ "block", "block_bio_frontmerge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
	{ "block", "block_rq_requeue", RS_OPTIONAL, RS_BY_ANYONE, on_requeue, { "dev" } },
	{ 0 },
};

enum {
	DEV, NAME, READS, WRITES, READ_BYTES, WRITE_BYTES, I2D_P99, D2C_P50, D2C_P99, D2C_MAX,
	DEPTH_AVG, DEPTH_MAX, BUSY, MERGES, REQUEUES, NR_COLUMNS,
};

static const struct rs_column columns[] = {
	[DEV] = RS_DEV_COLUMN("device, MAJ,MIN"),
	[NAME] = { "name", "DISK", RS_TYPE_TEXT, 0, 0, 10, "its name; null where the recording does not tell" },
	[READS] = { "reads", "READS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "reads completed" },
	[WRITES] = { "writes", "WRITES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "writes completed" },
	[READ_BYTES] = { "read_bytes", "READ", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "bytes read" },
	[WRITE_BYTES] = { "write_bytes", "WRITTEN", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "bytes written" },
	[I2D_P99] = { "i2d_p99_ns", "I2Dp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % waited in the queue at most this, of those that were queued" },
	[D2C_P50] = { "d2c_p50_ns", "D2Cp50ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "half of the requests took the device at most this" },
	[D2C_P99] = { "d2c_p99_ns", "D2Cp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % took the device at most this" },
	[D2C_MAX] = { "d2c_max_ns", "D2Cmaxms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 9, "longest" },
	[DEPTH_AVG] = { "depth_avg", "DEPTH", RS_TYPE_MILLI, 0, 0, 6, "requests with the device, averaged over time" },
	[DEPTH_MAX] = { "depth_max", "MAX", RS_TYPE_COUNT, 0, 0, 4, "most at once" },
	[BUSY] = { "busy_pct", "BUSY%", RS_TYPE_MILLI, 0, 0, 7, "time with at least one request" },
	[MERGES] = { "merges", "MERGES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "bios and requests merged into others" },
	[REQUEUES] = { "requeues", "REQUEUES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "requests that the device gave back" },
	{ 0 },
};

static void show_disk(struct rs_ctx *c, struct disk *d, struct rs_sink *out)
{
	const struct disks *s = c->state;
	struct rs_value v[NR_COLUMNS];
	char dev[32];

	disks_account_time(d, rs_last_event_ns(c));
	rs_dev_text(d->dev, dev, sizeof dev);
	v[DEV] = rs_s(dev);
	v[NAME] = rs_s(rs_disk_name(c, d->dev));
	v[READS] = rs_u(d->reads);
	v[WRITES] = rs_u(d->writes);
	v[READ_BYTES] = rs_u(d->read_bytes);
	v[WRITE_BYTES] = rs_u(d->write_bytes);
	v[I2D_P99] = rs_u_if(d->i2d.nr, d->i2d.nr ? rs_hist_quantile(&d->i2d, 990) : 0);
	v[D2C_P50] = rs_u_if(d->d2c.nr, d->d2c.nr ? rs_hist_quantile(&d->d2c, 500) : 0);
	v[D2C_P99] = rs_u_if(d->d2c.nr, d->d2c.nr ? rs_hist_quantile(&d->d2c, 990) : 0);
	v[D2C_MAX] = rs_u_if(d->d2c.nr, d->d2c.max);
	v[DEPTH_AVG] = rs_milli(d->area, d->known_ns, 1);
	v[DEPTH_MAX] = rs_u(d->depth_max);
	v[BUSY] = rs_milli(d->busy_ns, d->known_ns, 100);
	v[MERGES] = rs_u_if(s->merges_known, d->merges);
	v[REQUEUES] = rs_u_if(s->requeues_known, d->requeues);
	out->row(out, v);
}

static void disks_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct disks *s = c->state;

	s->requeues_known = rs_event_is_recorded(c, "block", "block_rq_requeue");
	s->merges_known = false;
	for (const struct rs_requirement *w = requirements; w->handler == on_merge; w++)
		s->merges_known |= rs_event_is_recorded(c, w->system, w->name);
	for (struct disk *d = s->all; d; d = d->next)
		show_disk(c, d, out);
}

/* Four fifths of the time and more: a disk that serves one request at a time has no more to give; one that serves many may. */
#define DISKS_LEAST_BUSY 800

static void disks_find_findings(struct rs_ctx *c, struct disk *d, uint64_t interval_ns,
				struct rs_finding_sink *out)
{
	const char *name = rs_disk_name(c, d->dev);
	char dev[32], text[160], brief[80], where[64];
	const struct rs_evidence evidence[] = { { "iosnoop", NULL, where, NULL }, { "tasks", "-disk_ns", NULL, NULL }, { "disks", NULL, where, NULL }, { 0 } };
	uint64_t busy, depth;

	disks_account_time(d, rs_last_event_ns(c));
	busy = rs_milli(d->busy_ns, interval_ns, 1).u;
	depth = rs_milli(d->area, d->known_ns, 1).u;
	if (busy < DISKS_LEAST_BUSY)
		return;
	rs_dev_text(d->dev, dev, sizeof dev);
	snprintf(text, sizeof text, "disk %.30s is busy %u %% of the time, with %u.%u requests at once on average", name ? name : dev,
		 (unsigned int)(busy / 10), (unsigned int)(depth / 1000), (unsigned int)(depth / 100 % 10));
	snprintf(brief, sizeof brief, "disk %.30s is busy %u %%, %u.%u requests at once", name ? name : dev, (unsigned int)(busy / 10),
		 (unsigned int)(depth / 1000), (unsigned int)(depth / 100 % 10));
	snprintf(where, sizeof where, "dev == \"%s\"", dev);
	out->finding(out, &(struct rs_finding){ .weight = busy < 1000 ? (unsigned int)busy : 1000, .text = text, .brief = brief,
						.view = "disks", .where = where, .evidence = evidence });
}

static void disks_put_findings(struct rs_ctx *c, struct rs_finding_sink *out)
{
	const struct disks *s = c->state;
	uint64_t interval_ns = rs_judged_ns(c);

	for (struct disk *d = interval_ns ? s->all : NULL; d; d = d->next)
		disks_find_findings(c, d, interval_ns, out);
}

static void disks_reset(struct rs_ctx *c)
{
	struct disks *s = c->state;

	for (struct disk *d = s->all; d; d = d->next) {
		rs_hist_clear(&d->d2c);
		rs_hist_clear(&d->i2d);
		disks_account_time(d, rs_last_event_ns(c));
		d->reads = d->writes = d->read_bytes = d->write_bytes = d->merges = d->requeues = 0;
		d->known_ns = d->area = d->busy_ns = 0;
		d->depth_max = d->depth;
	}
	s->since_ns = rs_last_event_ns(c);
}

static void disks_done(struct rs_ctx *c)
{
	struct disks *s = c->state;
	struct disk *next;

	for (; s->all; s->all = next) {
		next = s->all->next;
		rs_hist_done(&s->all->i2d);
		rs_hist_done(&s->all->d2c);
		free(s->all);
	}
}

static const struct rs_panel panel = {
	.kind = RS_PANEL_TABLE, .title = "Disks", .place = 3,
	/* the right-most go first where the screen is narrow */
	.columns = "dev,name,busy_pct,d2c_p99_ns,depth_avg,reads,writes,read_bytes,write_bytes",
};

static const struct rs_latencies latencies[] = {
	{ "d2c_p50_ns,d2c_p99_ns,d2c_max_ns", .kind = "request", .track_column = "dev" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "disks", .summary = "each disk: requests, latency, queue depth, how busy", .kind = RS_VIEW_TABLE,
	  .columns = columns, .options = "dev", .sort = "-busy_pct", .machine_wide = "DEPTH, MAX, BUSY%, MERGES, REQUEUES", .rows = disks_put_rows, .panel = &panel, .latencies = latencies,
	  .text_columns = "dev,name,reads,writes,read_bytes,write_bytes,d2c_p50_ns,d2c_p99_ns,d2c_max_ns,depth_avg,depth_max,busy_pct" },
	{ 0 },
};

const struct rs_analysis rs_analysis_disks = {
	.abi = RS_ABI,
	.name = "disks",
	.summary = "what the disks did",
	.requirements = requirements,
	.views = views,
	.state_size = sizeof(struct disks),
	.request = disks_on_request,
	.disk_depth = disks_on_depth,
	.gap = disks_on_gap,
	.reset = disks_reset,
	.findings = disks_put_findings,
	.done = disks_done,
};
