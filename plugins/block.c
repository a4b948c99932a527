// SPDX-License-Identifier: GPL-2.0-or-later
/* block - requests to disks: each as it completes, their latency, and the devices */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

#include "ringside/by.h"

#define SECTOR_BYTES 512u        /* the block layer counts in these, whatever the device's own size */
#define MAX_OPEN 65536u          /* requests begun and not complete; beyond, the oldest is evicted */
#define NR_SLOTS 4096u
#define RWBS_LEN 16

struct device;

/* A request from its first event to its completion. */
struct request {
	struct request *chain;         /* same slot, first in first */
	struct request *older, *newer; /* all that are open, oldest first */
	struct device *device;
	uint64_t sector, nr_sectors;   /* what is left: a partial completion moves it on */
	uint64_t first_sector, bytes;
	uint64_t begin_ns;             /* of its first event */
	uint64_t insert_ns, issue_ns;  /* 0: not seen, not yet */
	uint32_t depth_epoch;          /* counted in the device's depth if it is the epoch now */
	int32_t pid, tid;              /* tid 0: nobody */
	bool shown;
	char comm[RS_COMM_LEN], rwbs[RWBS_LEN];
};

/* Latencies of one kind of request on a device. */
struct kind {
	struct kind *next;
	char rwbs[RWBS_LEN];
	struct rs_hist d2c, i2c;
};

struct device {
	struct device *next;
	uint32_t dev;
	struct kind *kinds;
	uint64_t reads, writes, read_bytes, write_bytes, merges, requeues;
	struct rs_hist i2d, d2c;
	unsigned int depth, depth_max;
	uint32_t depth_epoch;
	uint64_t since_ns;             /* depth is what it is since then */
	uint64_t known_ns, area, busy_ns; /* time with a known depth, its integral, its part above 0 */
};

struct block {
	struct request *slots[NR_SLOTS];
	struct request *oldest, *newest, *free;
	unsigned int nr_open;
	struct device *devices;
	bool merges_known;
};

enum { VIEW_IOSNOOP, VIEW_BIOLATENCY, VIEW_DISKS };

/* ---- devices ---- */

static struct device *device_of(struct rs_ctx *c, uint32_t dev)
{
	struct block *b = c->state;
	struct device **at = &b->devices;

	while (*at && (*at)->dev != dev)
		at = &(*at)->next;
	if (!*at && (*at = calloc(1, sizeof **at))) {
		(*at)->dev = dev;
		(*at)->since_ns = rs_begin_ns(c);
		rs_hist_init(&(*at)->i2d);
		rs_hist_init(&(*at)->d2c);
	}
	return *at;
}

static struct kind *kind_of(struct device *d, const char *rwbs)
{
	struct kind **at = &d->kinds;

	while (*at && strcmp((*at)->rwbs, rwbs) != 0)
		at = &(*at)->next;
	if (!*at && (*at = calloc(1, sizeof **at))) {
		snprintf((*at)->rwbs, sizeof (*at)->rwbs, "%s", rwbs);
		rs_hist_init(&(*at)->d2c);
		rs_hist_init(&(*at)->i2c);
	}
	return *at;
}

static void settle_depth(struct device *d, uint64_t now_ns)
{
	uint64_t len_ns = now_ns > d->since_ns ? now_ns - d->since_ns : 0;

	d->known_ns += len_ns;
	d->area += len_ns * d->depth;
	d->busy_ns += d->depth ? len_ns : 0;
	if (now_ns > d->since_ns)
		d->since_ns = now_ns;
}

static void depth_up(struct rs_ctx *c, struct request *r)
{
	struct device *d = r->device;

	settle_depth(d, rs_now_ns(c));
	r->depth_epoch = d->depth_epoch + 1;
	if (++d->depth > d->depth_max)
		d->depth_max = d->depth;
}

static void depth_down(struct rs_ctx *c, struct request *r)
{
	struct device *d = r->device;

	if (r->depth_epoch == d->depth_epoch + 1) {
		settle_depth(d, rs_now_ns(c));
		d->depth--;
	}
	r->depth_epoch = 0;
}

/* How many were issued is uncertain over a gap: the depth is unknown in it, and counted anew after. */
static void on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct block *b = c->state;

	for (struct device *d = b->devices; d; d = d->next) {
		settle_depth(d, gap->from_ns);
		d->depth = 0;
		d->depth_epoch++;
		if (gap->to_ns > d->since_ns)
			d->since_ns = gap->to_ns;
	}
}

/* ---- open requests ---- */

/* What an event says of its request. Requests without data go by (dev, rwbs): a flush completes at sector -1. */
struct key {
	struct device *device;
	uint64_t sector, nr_sectors;
	char rwbs[RWBS_LEN];
};

enum { DEV, SECTOR, NR_SECTOR, RWBS, BYTES };

static bool key_of(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f, struct key *k)
{
	k->device = device_of(c, (uint32_t)rs_u64(ev, &f[DEV]));
	k->nr_sectors = rs_u64(ev, &f[NR_SECTOR]);
	k->sector = k->nr_sectors ? rs_u64(ev, &f[SECTOR]) : 0;
	rs_str(ev, &f[RWBS], k->rwbs, sizeof k->rwbs);
	return k->device;
}

static struct request **slot_of(struct block *b, const struct device *d, uint64_t sector)
{
	uint64_t h = (sector ^ (uint64_t)d->dev << 40) * 0x9e3779b97f4a7c15u;

	return &b->slots[h >> 52 & (NR_SLOTS - 1)];
}

static bool is_of(const struct request *r, const struct key *k)
{
	if (r->device != k->device || r->sector != k->sector || !r->nr_sectors != !k->nr_sectors)
		return false;
	return k->nr_sectors || !strcmp(r->rwbs, k->rwbs);
}

static void put_in_slot(struct block *b, struct request *r)
{
	struct request **at = slot_of(b, r->device, r->sector);

	while (*at)
		at = &(*at)->chain;
	r->chain = NULL;
	*at = r;
}

static void take_from_slot(struct block *b, struct request *r)
{
	struct request **at = slot_of(b, r->device, r->sector);

	while (*at && *at != r)
		at = &(*at)->chain;
	if (*at)
		*at = r->chain;
}

static void drop(struct rs_ctx *c, struct request *r)
{
	struct block *b = c->state;

	depth_down(c, r);
	take_from_slot(b, r);
	*(r->older ? &r->older->newer : &b->oldest) = r->newer;
	*(r->newer ? &r->newer->older : &b->newest) = r->older;
	b->nr_open--;
	r->chain = b->free;
	b->free = r;
}

static void name_it(struct rs_ctx *c, struct request *r, const struct rs_task *t)
{
	if (r->tid || !t)
		return;
	r->tid = t->tid;
	r->pid = t->pid;
	memcpy(r->comm, t->comm, sizeof r->comm);
	r->shown = rs_shown(c, t);
}

static struct request *new_request(struct rs_ctx *c, const struct key *k)
{
	struct block *b = c->state;
	struct request *r;

	if (b->nr_open >= MAX_OPEN) {
		rs_count_evicted(c);
		drop(c, b->oldest);
	}
	r = b->free;
	if (r)
		b->free = r->chain;
	else if (!(r = malloc(sizeof *r)))
		return NULL;
	*r = (struct request){ .device = k->device, .sector = k->sector, .nr_sectors = k->nr_sectors,
			       .first_sector = k->sector, .begin_ns = rs_now_ns(c), .older = b->newest };
	memcpy(r->rwbs, k->rwbs, sizeof r->rwbs);
	r->shown = rs_shown(c, NULL);
	*(b->newest ? &b->newest->newer : &b->oldest) = r;
	b->newest = r;
	b->nr_open++;
	put_in_slot(b, r);
	return r;
}

/* What was begun before a gap and never ended: its key is free for another request. */
static bool drop_if_void(struct rs_ctx *c, struct request *r)
{
	if (!rs_voided(c, r->issue_ns ? r->issue_ns : r->begin_ns, rs_now_ns(c)))
		return false;
	rs_count_voided(c);
	drop(c, r);
	return true;
}

/* The first request of that key that is not issued yet, or a new one. */
static struct request *begun(struct rs_ctx *c, const struct key *k, bool inserted_too)
{
	struct block *b = c->state;
	struct request *r = *slot_of(b, k->device, k->sector), *next;

	for (; r; r = next) {
		next = r->chain;
		if (!is_of(r, k) || drop_if_void(c, r))
			continue;
		if (!r->issue_ns && (inserted_too || !r->insert_ns))
			return r;
	}
	return new_request(c, k);
}

static uint64_t bytes_of(const struct key *k, const struct rs_event *ev, const struct rs_field *f)
{
	/* what is passed through to a device has bytes and no sectors */
	return rs_has(&f[BYTES]) ? rs_u64(ev, &f[BYTES]) : k->nr_sectors * SECTOR_BYTES;
}

static void on_io_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct request *r;
	struct key k;

	if (!key_of(c, ev, f, &k))
		return;
	r = new_request(c, &k);
	if (r)
		name_it(c, r, ev->task);
}

static void on_insert(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct request *r;
	struct key k;

	if (!key_of(c, ev, f, &k))
		return;
	r = begun(c, &k, false);
	if (!r)
		return;
	r->insert_ns = ev->ts_ns;
	r->nr_sectors = k.nr_sectors;
	name_it(c, r, ev->task);
}

/*
 * What was inserted inside of the request that is issued has been merged into
 * it. A front merge moves the request before its own insert: then that one is
 * the first insert.
 */
static void swallow_merged(struct rs_ctx *c, struct request *issued)
{
	struct block *b = c->state;
	uint64_t end = issued->sector + issued->nr_sectors;
	struct request *next;

	for (struct request *r = b->oldest; r; r = next) {
		next = r->newer;
		if (r == issued || r->issue_ns || r->device != issued->device || !r->nr_sectors)
			continue;
		if (r->sector < issued->sector || r->sector + r->nr_sectors > end)
			continue;
		if (!issued->insert_ns)
			issued->insert_ns = r->insert_ns;
		if (!issued->tid) {
			issued->tid = r->tid;
			issued->pid = r->pid;
			issued->shown = r->shown;
			memcpy(issued->comm, r->comm, sizeof issued->comm);
		}
		drop(c, r);
	}
}

static void on_issue(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct block *b = c->state;
	struct request *r;
	struct key k;

	if (!key_of(c, ev, f, &k))
		return;
	r = begun(c, &k, true);
	if (!r)
		return;
	r->issue_ns = ev->ts_ns;
	r->nr_sectors = k.nr_sectors;
	r->bytes = bytes_of(&k, ev, f);
	memcpy(r->rwbs, k.rwbs, sizeof r->rwbs);
	if (k.nr_sectors && b->nr_open > 1)
		swallow_merged(c, r);
	name_it(c, r, ev->task);
	depth_up(c, r);
}

/* ---- completion ---- */

enum {
	START, END, COMM, PID, TID, TYPE, S_DEV, S_SECTOR, S_BYTES, LAT, QUEUE, NR_STREAM_COLUMNS,
};

static const struct rs_column iosnoop_columns[] = {
	[START] = { "start_ns", "STARTs", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "issued to the device; with -Q: inserted in the queue" },
	[END] = { "end_ns", "ENDs", RS_TYPE_TIME, RS_UNIT_S, 0, 14, "completed" },
	[COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 12, "the task that asked for it" },
	[PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 6, "its process" },
	[TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 6, "the thread" },
	[TYPE] = { "type", "TYPE", RS_TYPE_TEXT, 0, 0, 4, "R read, W write, D discard, F flush, then S sync, A ahead, M metadata, F FUA, N none" },
	[S_DEV] = { "dev", "DEV", RS_TYPE_TEXT, 0, 0, 8, "device, MAJ,MIN" },
	[S_SECTOR] = { "sector", "BLOCK", RS_TYPE_ID, 0, RS_COLUMN_LEFT, 12, "first sector, of 512 bytes" },
	[S_BYTES] = { "bytes", "BYTES", RS_TYPE_COUNT, 0, 0, 6, "size" },
	[LAT] = { "lat_ns", "LATms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 8, "issue to completion (D2C); with -Q: insert to completion (I2C)" },
	[QUEUE] = { "queue_ns", "QUEms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 8, "insert to issue (I2D); null where it was never queued" },
	{ 0 },
};

static void dev_text(uint32_t dev, char *buf, size_t size_bytes)
{
	snprintf(buf, size_bytes, "%u,%u", dev >> 20, dev & 0xfffffu); /* as the event's own print fmt has it */
}

static bool i2d_of(struct rs_ctx *c, const struct request *r, uint64_t *i2d_ns)
{
	*i2d_ns = r->issue_ns - r->insert_ns;
	return r->insert_ns && r->insert_ns <= r->issue_ns && !rs_voided(c, r->insert_ns, r->issue_ns);
}

static void emit(struct rs_ctx *c, const struct request *r, uint64_t now_ns)
{
	struct rs_value v[NR_STREAM_COLUMNS];
	uint64_t i2d_ns, from_ns = c->query->queue ? r->insert_ns : r->issue_ns;
	bool queued = i2d_of(c, r, &i2d_ns);
	char dev[32];

	dev_text(r->device->dev, dev, sizeof dev);
	v[START] = rs_u_if(from_ns, from_ns);
	v[END] = rs_u(now_ns);
	v[COMM] = rs_s(r->comm);
	v[PID] = rs_u_if(r->pid, (uint64_t)r->pid);
	v[TID] = rs_u_if(r->tid, (uint64_t)r->tid);
	v[TYPE] = rs_s(r->rwbs);
	v[S_DEV] = rs_s(dev);
	v[S_SECTOR] = rs_u(r->first_sector);
	v[S_BYTES] = rs_u(r->bytes);
	v[LAT] = rs_u_if(from_ns && (!c->query->queue || !rs_voided(c, from_ns, now_ns)), now_ns - from_ns);
	v[QUEUE] = rs_u_if(queued, i2d_ns);
	rs_emit(c, VIEW_IOSNOOP, v);
}

static void add_to_device(struct rs_ctx *c, const struct request *r, uint64_t now_ns)
{
	struct device *d = r->device;
	struct kind *kind = kind_of(d, r->rwbs);
	uint64_t i2d_ns;

	rs_hist_add(&d->d2c, now_ns - r->issue_ns);
	if (i2d_of(c, r, &i2d_ns))
		rs_hist_add(&d->i2d, i2d_ns);
	if (strchr(r->rwbs, 'R')) {
		d->reads++;
		d->read_bytes += r->bytes;
	} else if (strchr(r->rwbs, 'W')) {
		d->writes++;
		d->write_bytes += r->bytes;
	}
	if (!kind)
		return;
	rs_hist_add(&kind->d2c, now_ns - r->issue_ns);
	if (r->insert_ns && !rs_voided(c, r->insert_ns, now_ns))
		rs_hist_add(&kind->i2c, now_ns - r->insert_ns);
}

/* First in, first out, but one of the same size is preferred. */
static struct request *issued(struct rs_ctx *c, const struct key *k)
{
	struct request *first = NULL;

	for (struct request *r = *slot_of(c->state, k->device, k->sector); r; r = r->chain) {
		if (!r->issue_ns || !is_of(r, k))
			continue;
		if (r->nr_sectors == k->nr_sectors)
			return r;
		first = first ? first : r;
	}
	return first;
}

static void on_complete(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct request *r;
	struct key k;

	if (!key_of(c, ev, f, &k))
		return;
	r = issued(c, &k);
	if (!r) {
		rs_count_orphan(c);
		return;
	}
	if (k.nr_sectors && k.nr_sectors < r->nr_sectors) { /* a part: the rest is still with the device */
		take_from_slot(c->state, r);
		r->sector += k.nr_sectors;
		r->nr_sectors -= k.nr_sectors;
		put_in_slot(c->state, r);
		return;
	}
	if (rs_voided(c, r->issue_ns, ev->ts_ns)) {
		rs_count_voided(c);
	} else if (r->shown) {
		add_to_device(c, r, ev->ts_ns);
		if (rs_listening(c, VIEW_IOSNOOP))
			emit(c, r, ev->ts_ns);
	}
	drop(c, r);
}

static void on_requeue(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct request *r;
	struct key k;

	if (!key_of(c, ev, f, &k))
		return;
	k.device->requeues++;
	r = issued(c, &k);
	if (!r)
		return;
	depth_down(c, r);
	r->issue_ns = 0;
}

static void on_merge(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct device *d = device_of(c, (uint32_t)rs_u64(ev, &f[DEV]));

	if (d)
		d->merges++;
}

#define REQUEST_FIELDS { "dev", "sector", "nr_sector", "rwbs", "?bytes" }

static const struct rs_want wants[] = {
	{ "block", "block_rq_issue", RS_REQUIRED, RS_BY_ANYONE, on_issue, REQUEST_FIELDS },
	{ "block", "block_rq_complete", RS_REQUIRED, RS_BY_ANYONE, on_complete, REQUEST_FIELDS },
	{ "block", "block_rq_insert", RS_OPTIONAL, RS_BY_ANYONE, on_insert, REQUEST_FIELDS },
	{ "block", "block_io_start", RS_OPTIONAL, RS_BY_ANYONE, on_io_start, REQUEST_FIELDS },
	{ "block", "block_rq_requeue", RS_OPTIONAL, RS_BY_ANYONE, on_requeue, REQUEST_FIELDS },
	{ "block", "block_rq_merge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
	{ "block", "block_bio_backmerge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
	{ "block", "block_bio_frontmerge", RS_OPTIONAL, RS_BY_ANYONE, on_merge, { "dev" } },
	{ 0 },
};

/* ---- biolatency ---- */

static const struct rs_column biolatency_columns[] = {
	{ "dev", "DEV", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 8, "device, MAJ,MIN" },
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5, "kind of request, as in iosnoop" },
	{ "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "the bucket's lower end" },
	{ "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "the bucket's upper end, not in it" },
	{ "count", "count", RS_TYPE_COUNT, 0, 0, 10, "requests of that latency" },
	{ 0 },
};

struct lat_group {
	bool begun;
	char dev[32], rwbs[RWBS_LEN];
	struct rs_hist lat;
};

static void show_latency(const struct rs_by *by, const struct lat_group *g, struct rs_sink *out)
{
	struct rs_value values[5] = { by->dev ? rs_s(g->dev) : rs_null(), by->type ? rs_s(g->rwbs) : rs_null() };
	char label[80];

	snprintf(label, sizeof label, "%s%s%s%s%s", by->dev ? "dev = " : "", by->dev ? g->dev : "",
		 by->dev && by->type ? ", " : "", by->type ? "type = " : "", by->type ? g->rwbs : "");
	rs_log2_rows(out, values, 2, &g->lat, label);
}

static void merge_kind(struct rs_groups *groups, const struct rs_by *by, const struct rs_query *q, const char *dev,
		       const struct kind *kind)
{
	const struct rs_hist *h = q->queue ? &kind->i2c : &kind->d2c;
	struct rs_group_key key = { .len = 0 };
	struct lat_group *g;

	if (!h->nr || (q->dev && strcmp(q->dev, dev) != 0) || (q->type && fnmatch(q->type, kind->rwbs, 0) != 0))
		return;
	if (by->dev)
		rs_group_key_str(&key, dev);
	if (by->type)
		rs_group_key_str(&key, kind->rwbs);
	g = rs_groups_get(groups, &key);
	if (!g)
		return;
	if (!g->begun) {
		rs_hist_init(&g->lat);
		snprintf(g->dev, sizeof g->dev, "%s", dev);
		snprintf(g->rwbs, sizeof g->rwbs, "%s", kind->rwbs);
	}
	g->begun = true;
	rs_hist_merge(&g->lat, h);
}

static void biolatency(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct block *b = c->state;
	struct rs_by by = rs_by_of(q, (struct rs_by){ 0 });
	struct rs_groups *groups = rs_groups_new(sizeof(struct lat_group));
	char dev[32];

	if (!groups)
		return;
	for (struct device *d = b->devices; d; d = d->next) {
		dev_text(d->dev, dev, sizeof dev);
		for (struct kind *kind = d->kinds; kind; kind = kind->next)
			merge_kind(groups, &by, q, dev, kind);
	}
	for (struct lat_group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g)) {
		show_latency(&by, g, out);
		rs_hist_done(&g->lat);
	}
	rs_groups_free(groups);
}

/* ---- disks ---- */

enum {
	D_DEV, D_NAME, READS, WRITES, READ_BYTES, WRITE_BYTES, I2D_P99, D2C_P50, D2C_P99, D2C_MAX,
	DEPTH_AVG, DEPTH_MAX, BUSY, MERGES, REQUEUES, NR_DISK_COLUMNS,
};

static const struct rs_column disks_columns[] = {
	[D_DEV] = { "dev", "DEV", RS_TYPE_TEXT, 0, 0, 8, "device, MAJ,MIN" },
	[D_NAME] = { "name", "DISK", RS_TYPE_TEXT, 0, 0, 10, "its name; null where the recording does not tell" },
	[READS] = { "reads", "READS", RS_TYPE_COUNT, 0, 0, 8, "reads completed" },
	[WRITES] = { "writes", "WRITES", RS_TYPE_COUNT, 0, 0, 8, "writes completed" },
	[READ_BYTES] = { "read_bytes", "READ", RS_TYPE_BYTES, 0, 0, 9, "bytes read" },
	[WRITE_BYTES] = { "write_bytes", "WRITTEN", RS_TYPE_BYTES, 0, 0, 9, "bytes written" },
	[I2D_P99] = { "i2d_p99_ns", "I2Dp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % waited in the queue at most this, of those that were queued" },
	[D2C_P50] = { "d2c_p50_ns", "D2Cp50ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "half of the requests took the device at most this" },
	[D2C_P99] = { "d2c_p99_ns", "D2Cp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % took the device at most this" },
	[D2C_MAX] = { "d2c_max_ns", "D2Cmaxms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 9, "longest" },
	[DEPTH_AVG] = { "depth_avg", "DEPTH", RS_TYPE_MILLI, 0, 0, 6, "requests with the device, averaged over time" },
	[DEPTH_MAX] = { "depth_max", "MAX", RS_TYPE_COUNT, 0, 0, 4, "most at once" },
	[BUSY] = { "busy_pct", "BUSY%", RS_TYPE_MILLI, 0, 0, 7, "time with at least one request" },
	[MERGES] = { "merges", "MERGES", RS_TYPE_COUNT, 0, 0, 7, "bios and requests merged into others" },
	[REQUEUES] = { "requeues", "REQUEUES", RS_TYPE_COUNT, 0, 0, 8, "requests that the device gave back" },
	{ 0 },
};

static void show_disk(struct rs_ctx *c, struct device *d, struct rs_sink *out)
{
	const struct block *b = c->state;
	struct rs_value v[NR_DISK_COLUMNS];
	char dev[32];

	settle_depth(d, rs_now_ns(c));
	dev_text(d->dev, dev, sizeof dev);
	v[D_DEV] = rs_s(dev);
	v[D_NAME] = rs_s(rs_disk_name(c, d->dev));
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
	v[MERGES] = rs_u_if(b->merges_known, d->merges);
	v[REQUEUES] = rs_u_if(rs_event_is_on(c, "block", "block_rq_requeue"), d->requeues);
	out->row(out, v);
}

static void disks(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	struct block *b = c->state;

	for (struct device *d = b->devices; d; d = d->next)
		show_disk(c, d, out);
}

/* ---- the analysis ---- */

static int begin(struct rs_ctx *c)
{
	struct block *b = c->state;

	b->merges_known = rs_event_is_on(c, "block", "block_rq_merge") || rs_event_is_on(c, "block", "block_bio_backmerge") ||
			  rs_event_is_on(c, "block", "block_bio_frontmerge");
	return 0;
}

static uint64_t in_flight(struct rs_ctx *c)
{
	const struct block *b = c->state;
	uint64_t nr = 0;

	for (const struct request *r = b->oldest; r; r = r->newer)
		nr += !rs_voided(c, r->issue_ns ? r->issue_ns : r->begin_ns, rs_now_ns(c));
	return nr;
}

static void reset(struct rs_ctx *c)
{
	struct block *b = c->state;

	for (struct device *d = b->devices; d; d = d->next) {
		for (struct kind *kind = d->kinds; kind; kind = kind->next) {
			rs_hist_clear(&kind->d2c);
			rs_hist_clear(&kind->i2c);
		}
		rs_hist_clear(&d->d2c);
		rs_hist_clear(&d->i2d);
		settle_depth(d, rs_now_ns(c));
		d->reads = d->writes = d->read_bytes = d->write_bytes = d->merges = d->requeues = 0;
		d->known_ns = d->area = d->busy_ns = 0;
		d->depth_max = d->depth;
	}
}

static void free_requests(struct request *r, bool by_chain)
{
	for (struct request *next; r; r = next) {
		next = by_chain ? r->chain : r->newer;
		free(r);
	}
}

static void done(struct rs_ctx *c)
{
	struct block *b = c->state;
	struct kind *kind, *next_kind;

	free_requests(b->oldest, false);
	free_requests(b->free, true);
	for (struct device *d = b->devices, *next; d; d = next) {
		next = d->next;
		for (kind = d->kinds; kind; kind = next_kind) {
			next_kind = kind->next;
			rs_hist_done(&kind->d2c);
			rs_hist_done(&kind->i2c);
			free(kind);
		}
		rs_hist_done(&d->d2c);
		rs_hist_done(&d->i2d);
		free(d);
	}
}

static const struct rs_view views[] = {
	[VIEW_IOSNOOP] = { .name = "iosnoop", .summary = "each block request as it completes", .kind = RS_VIEW_STREAM,
			   .columns = iosnoop_columns, .options = "queue,dev,type,starts,ends",
			   .text_columns = "comm,pid,type,dev,sector,bytes,lat_ns" },
	[VIEW_BIOLATENCY] = { .name = "biolatency", .summary = "distribution of block request latency", .kind = RS_VIEW_HIST,
			      .columns = biolatency_columns, .options = "queue,dev,type,by", .rows = biolatency,
			      .text_columns = "from_ns,to_ns,count" },
	[VIEW_DISKS] = { .name = "disks", .summary = "each disk: requests, latency, queue depth, how busy", .kind = RS_VIEW_TABLE,
			 .columns = disks_columns, .options = "dev", .sort = "-busy_pct", .rows = disks,
			 .text_columns = "dev,name,reads,writes,read_bytes,write_bytes,d2c_p50_ns,d2c_p99_ns,d2c_max_ns,depth_avg,depth_max,busy_pct" },
	{ 0 },
};

const struct rs_analysis rs_analysis_block = {
	.abi = RS_ABI,
	.name = "block",
	.summary = "requests to disks",
	.wants = wants,
	.views = views,
	.state_size = sizeof(struct block),
	.begin = begin,
	.gap = on_gap,
	.in_flight = in_flight,
	.reset = reset,
	.done = done,
};
