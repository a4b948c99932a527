// SPDX-License-Identifier: GPL-2.0-or-later
/* biotop - who uses each disk, and behind whose requests it waits */
#include <stdio.h>

#include "ringside/plugin.h"

/* Completions of a device that are looked back at, so that a request costs so many steps at most. */
#define BIOTOP_NR_DONE 256u
#define BIOTOP_PLACES 4u

/* The processes behind whose requests a row waited longest, and the names that the requests had. */
struct biotop_behind {
	struct rs_frequent at[BIOTOP_PLACES]; /* by pid, in ns */
	char comms[BIOTOP_PLACES][RS_COMM_LEN];
};

struct biotop_row {
	struct rs_hist i2d, d2c;
	uint64_t reads, writes, flushes, sync_writes, read_bytes, write_bytes;
	/* the device served it; it waited while others were served; requests of which that is not known */
	uint64_t served_ns, behind_ns, nr_cut;
	struct biotop_behind behind;
};

static void biotop_behind_add(struct biotop_behind *b, int32_t pid, const char *comm, uint64_t ns)
{
	const struct rs_frequent *p = rs_frequent_add(b->at, BIOTOP_PLACES, 0, (uint32_t)pid, 0, ns);

	if (p && p->nr == 1)
		memcpy(b->comms[p - b->at], comm, RS_COMM_LEN);
}

static void biotop_behind_merge(void *into, const void *from)
{
	const struct biotop_behind *b = from;

	for (unsigned int i = 0; i < BIOTOP_PLACES; i++)
		if (b->at[i].sum)
			biotop_behind_add(into, (int32_t)b->at[i].key0, b->comms[i], b->at[i].sum);
}

/* A device, whose last completions outlast an interval. */
struct biotop_dev {
	uint64_t served_ns;          /* for whomever */
	uint32_t dev;
	uint64_t nr_done;            /* since the last gap */
	struct biotop_done {
		uint64_t from_ns, complete_ns; /* the device served it */
		int32_t pid;         /* 0: unknown */
		char comm[RS_COMM_LEN];
	} done[BIOTOP_NR_DONE];
};

enum { STORE_USERS, STORE_DEVS };

/* The first key of both is the device. A hostile file may name any number. */
static const struct rs_store stores[] = {
	[STORE_USERS] = { .row_bytes = sizeof(struct biotop_row), .of_tasks = true, .max_rows = 1 << 14,
			  .kept_keys = 1,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct biotop_row, i2d) },
		{ RS_MEASURE_LATENCY, offsetof(struct biotop_row, d2c) },
		RS_MEASURE_SUMS(struct biotop_row, reads, nr_cut),
		{ RS_MEASURE_OTHER, offsetof(struct biotop_row, behind), biotop_behind_merge,
		  sizeof(struct biotop_behind) }) },
	[STORE_DEVS] = { .row_bytes = sizeof(struct biotop_dev), .keeps_rows = true, .max_rows = 256,
	  .measures = RS_LIST(rs_measure, { RS_MEASURE_SUM, offsetof(struct biotop_dev, served_ns) }) },
	{ 0 },
};

/* ---- requests as they complete ---- */

static const struct biotop_done *biotop_done_at(const struct biotop_dev *d, uint64_t nr)
{
	return &d->done[nr % BIOTOP_NR_DONE];
}

/*
 * A device works on one request after the other, as far as anybody can tell: it served a request from the
 * completion before it, or from its issue, to its own.
 */
static uint64_t biotop_served_from_ns(const struct biotop_dev *d, const struct rs_request *r)
{
	uint64_t last_ns = d->nr_done ? biotop_done_at(d, d->nr_done - 1)->complete_ns : 0;

	return last_ns > r->issue_ns ? last_ns : r->issue_ns;
}

/* What a device served while a request waited. */
struct biotop_ahead {
	bool known;                  /* false: .behind may have the last of it */
	uint64_t nr, ns;             /* requests, of whomever */
	uint64_t behind_ns;          /* of other processes */
	struct biotop_behind behind;
};

static void biotop_ahead_add(struct biotop_ahead *a, const struct biotop_done *done, uint64_t begin_ns,
			     int32_t pid)
{
	uint64_t ns = rs_part_ns(begin_ns, done->from_ns, done->complete_ns);

	a->nr++;
	a->ns += ns;
	if (!pid || !done->pid || done->pid == pid || !ns) /* whose is unknown, or it is its own */
		return;
	a->behind_ns += ns;
	biotop_behind_add(&a->behind, done->pid, done->comm, ns);
}

static void biotop_find_ahead(struct rs_ctx *c, const struct biotop_dev *d, const struct rs_request *r,
			      uint64_t begin_ns, struct biotop_ahead *a)
{
	uint64_t first = d->nr_done > BIOTOP_NR_DONE ? d->nr_done - BIOTOP_NR_DONE : 0;

	*a = (struct biotop_ahead){ .nr = 0 };
	if (rs_discarded(c, r->begin_ns, r->complete_ns))
		return;
	a->known = true;
	for (uint64_t nr = d->nr_done; nr-- > first;) {
		const struct biotop_done *done = biotop_done_at(d, nr);

		if (done->complete_ns <= begin_ns)
			return;
		biotop_ahead_add(a, done, begin_ns, r->pid);
	}
	a->known = !first;
}

static void biotop_add_behind(struct rs_ctx *c, const struct biotop_dev *d, struct biotop_row *row,
			      const struct rs_request *r)
{
	uint64_t since_ns = rs_since_ns(c);
	struct biotop_ahead a;

	biotop_find_ahead(c, d, r, r->begin_ns > since_ns ? r->begin_ns : since_ns, &a);
	row->behind_ns += a.known ? a.behind_ns : 0;
	row->nr_cut += !a.known && a.nr;
	biotop_behind_merge(&row->behind, &a.behind);
}

static void biotop_add(struct rs_ctx *c, const struct biotop_dev *d, struct biotop_row *row,
		       const struct rs_request *r)
{
	bool reads = strchr(r->rwbs, 'R'), writes = !reads && strchr(r->rwbs, 'W');

	rs_latency_add(c, &row->d2c, r->issue_ns, r->complete_ns, false);
	if (r->i2d_known)
		rs_latency_add(c, &row->i2d, r->insert_ns, r->issue_ns, false);
	row->reads += reads;
	row->read_bytes += reads ? r->bytes : 0;
	row->writes += writes;
	row->write_bytes += writes ? r->bytes : 0;
	row->sync_writes += writes && strpbrk(r->rwbs, "SF");
	row->flushes += !reads && !writes && strchr(r->rwbs, 'F');
	row->served_ns += rs_part_ns(rs_since_ns(c), biotop_served_from_ns(d, r), r->complete_ns);
	biotop_add_behind(c, d, row, r);
}

static void biotop_done_push(struct biotop_dev *d, const struct rs_request *r)
{
	struct biotop_done *done = &d->done[d->nr_done % BIOTOP_NR_DONE];

	done->from_ns = biotop_served_from_ns(d, r);
	done->complete_ns = r->complete_ns;
	done->pid = r->pid;
	memcpy(done->comm, r->comm, sizeof done->comm);
	d->nr_done++;
}

/* ---- each request, and who has the device ---- */

/* Who has most of it: a place of `at`; NULL: nobody. */
static const struct rs_frequent *biotop_most(const struct biotop_behind *b)
{
	const struct rs_frequent *most = &b->at[0];

	for (const struct rs_frequent *p = b->at; p < b->at + BIOTOP_PLACES; p++)
		most = p->sum > most->sum ? p : most;
	return most->sum ? most : NULL;
}

/* A request has the name of its thread. */
static struct rs_value biotop_most_comm(struct rs_ctx *c, const struct biotop_behind *b)
{
	const struct rs_frequent *most = biotop_most(b);
	const char *process = most ? rs_api_process_comm(c, (int32_t)most->key0) : NULL;

	return rs_s(process ? process : most ? b->comms[most - b->at] : NULL);
}

static struct rs_value biotop_most_pid(const struct biotop_behind *b)
{
	const struct rs_frequent *most = biotop_most(b);

	return rs_u_if(most, most ? most->key0 : 0);
}

static const struct rs_column queue_columns[] = {
	{ "start_ns", "STARTs", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14, "when it was asked for" },
	{ "end_ns", "ENDs", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "completed" },
	{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the task that asked for it" },
	{ "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	{ "tid", "TID", RS_TYPE_ID, 0, 0, 7, "the thread" },
	{ "type", "TYPE", RS_TYPE_TEXT, 0, 0, 4, "as the view iosnoop has it" },
	{ RS_DEV_COLUMN("device, MAJ,MIN") },
	{ "bytes", "BYTES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "size" },
	{ "lat_ns", "LATms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 9,
	  "from its first event to completion: queue and device" },
	{ "ahead", "AHEAD", RS_TYPE_COUNT, 0, 0, 6, "requests that the device served before it, meanwhile" },
	{ "ahead_ns", "AHEADms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "how long that took" },
	{ "behind_ns", "BEHINDms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "of that, requests of other processes" },
	{ "behind", "BEHIND", RS_TYPE_TEXT, 0, 0, 16, "the process that had most of that" },
	{ "behind_pid", "BEHINDPID", RS_TYPE_ID, 0, 0, 9, "that process" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

enum { VIEW_BIOTOP, VIEW_BIOQUEUE };

static void biotop_emit(struct rs_ctx *c, const struct biotop_dev *d, const struct rs_request *r)
{
	struct biotop_ahead a;
	char dev[32];

	biotop_find_ahead(c, d, r, r->begin_ns, &a);
	rs_dev_text(r->dev, dev, sizeof dev);
	rs_emit(c, VIEW_BIOQUEUE,
		(const struct rs_value[]){
			rs_u(r->begin_ns),
			rs_u(r->complete_ns),
			rs_s(r->comm),
			rs_u_if(r->pid, (uint64_t)r->pid),
			rs_u_if(r->tid, (uint64_t)r->tid),
			rs_s(r->rwbs),
			rs_s(dev),
			rs_u(r->bytes),
			rs_u(r->complete_ns - r->begin_ns),
			rs_u_if(a.known, a.nr),
			rs_u_if(a.known, a.ns),
			rs_u_if(a.known && r->pid, a.behind_ns),
			biotop_most_comm(c, &a.behind),
			biotop_most_pid(&a.behind),
		});
}

/* "dd/4242"; "?" of a request without an owner. */
static const char *biotop_owner_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	const struct rs_task *t = arg ? rs_task_find(c, rs_span_tid(arg)) : NULL;

	if (t && t->inst == rs_span_task_instance(arg) && t->comm[0])
		snprintf(buf, size_bytes, "%s/%d", t->comm, t->tid);
	else if (arg)
		snprintf(buf, size_bytes, "%d", rs_span_tid(arg));
	else
		snprintf(buf, size_bytes, "?");
	return buf;
}

/* The requests themselves are slow, and listed: not that they are served. */
static bool biotop_is_voluntary(struct rs_ctx *c, uint64_t arg)
{
	return true;
}

static void biotop_emit_served(struct rs_ctx *c, const struct biotop_dev *d, const struct rs_request *r,
			       const struct rs_task *t)
{
	const struct rs_value values[] = {
		rs_s(r->comm), rs_u_if(r->pid, (uint64_t)r->pid), rs_u_if(r->tid, (uint64_t)r->tid),
		rs_s(r->rwbs), rs_u(r->bytes),
	};

	rs_emit_span(c, 0, &(struct rs_span){ .id = r->dev, .start_ns = biotop_served_from_ns(d, r),
		.end_ns = r->complete_ns, .arg = t ? rs_span_of(t) : 0, .values = values });
}

static void biotop_on_shown(struct rs_ctx *c, const struct biotop_dev *d, const struct rs_request *r)
{
	struct rs_task *t = r->tid ? rs_task_find(c, r->tid) : NULL;
	struct biotop_row *row = c->no_rows ? NULL : rs_store_row(c, STORE_USERS, t, r->dev, 0);

	if (row)
		biotop_add(c, d, row, r);
	if (rs_spans_enabled(c))
		biotop_emit_served(c, d, r, t);
	if (rs_row_is_shown(c, VIEW_BIOQUEUE, r->complete_ns - r->begin_ns))
		biotop_emit(c, d, r);
}

static void biotop_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct biotop_dev *d = rs_store_row(c, STORE_DEVS, NULL, r->dev, 0);

	if (!d || r->discarded)
		return;
	d->dev = r->dev;
	d->served_ns += rs_part_ns(rs_since_ns(c), biotop_served_from_ns(d, r), r->complete_ns);
	if (r->shown)
		biotop_on_shown(c, d, r);
	biotop_done_push(d, r);
}

/* What completed in a gap is unknown: no request is compared with what was before. */
static void biotop_on_gap(struct rs_ctx *c, const struct rs_gap *gap)
{
	struct biotop_dev *d = NULL;

	while ((d = rs_store_next(c, STORE_DEVS, d)))
		d->nr_done = 0;
}

/* ---- its rows ---- */

/* 0: unknown, as the rows are not by device. */
static uint64_t biotop_all_served_ns(struct rs_ctx *c, const struct rs_group *g)
{
	struct biotop_dev *d = rs_group_is_by(g, "dev") ? rs_store_next(c, STORE_DEVS, NULL) : NULL;

	while (d && d->dev != g->keys[0])
		d = rs_store_next(c, STORE_DEVS, d);
	return d ? d->served_ns : 0;
}

static struct rs_value biotop_show_name(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_disk_name(c, (uint32_t)g->keys[0]));
}

static struct rs_value biotop_show_device(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_milli(((const struct biotop_row *)g->row)->served_ns, biotop_all_served_ns(c, g), 100);
}

static struct rs_value biotop_show_sync(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct biotop_row *row = g->row;

	return rs_milli(row->sync_writes, row->writes, 100);
}

/* Of requests without a process it is not known which others are of another one. */
static struct rs_value biotop_show_behind_ns(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct biotop_row *row = g->row;

	return rs_u_if(!row->nr_cut && g->task && g->task->pid, row->behind_ns);
}

static const struct biotop_behind *biotop_behind_of(const struct rs_group *g)
{
	return &((const struct biotop_row *)g->row)->behind;
}

static struct rs_value biotop_show_behind(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return biotop_most_comm(c, biotop_behind_of(g));
}

static struct rs_value biotop_show_behind_pid(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return biotop_most_pid(biotop_behind_of(g));
}

#define BIOTOP_VALUE(member) .measure_bytes = offsetof(struct biotop_row, member), .aspect = RS_VALUE
#define BIOTOP_LATENCY(member) .measure_bytes = offsetof(struct biotop_row, member), .aspect

static const struct rs_column columns[] = {
	{ RS_DEV_COLUMN("device, MAJ,MIN"), .key = RS_KEY_0, .cell = rs_show_dev },
	{ "name", "DISK", RS_TYPE_TEXT, 0, 0, 10, "its name; null where the recording does not tell",
	  .key = RS_KEY_0, .follows = "dev", .cell = biotop_show_name },
	RS_GROUP_BY_COLUMNS,
	{ "requests", "REQS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "requests that completed",
	  BIOTOP_LATENCY(d2c) = RS_COUNT },
	{ "reads", "READS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "of these, reads", BIOTOP_VALUE(reads) },
	{ "writes", "WRITES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7, "of these, writes", BIOTOP_VALUE(writes) },
	{ "flushes", "FLUSHES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 7,
	  "of these, flushes of the device's cache: for fsync, or a journal", BIOTOP_VALUE(flushes) },
	{ "read_bytes", "READ", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "bytes read", BIOTOP_VALUE(read_bytes) },
	{ "write_bytes", "WRITTEN", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "bytes written",
	  BIOTOP_VALUE(write_bytes) },
	{ "sync_pct", "SYNC%", RS_TYPE_MILLI, 0, 0, 6,
	  "of its writes, those that somebody waits for: O_DIRECT, O_SYNC, fsync, FUA",
	  .cell = biotop_show_sync },
	{ "served_ns", "SERVED(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "time that the device served its requests: of each from the completion before it, or its issue, to "
	  "its own", BIOTOP_VALUE(served_ns) },
	{ "served_pct", "DEV%", RS_TYPE_MILLI, 0, 0, 6,
	  "its share of the time that the device served anybody; null where rows are not by device",
	  .cell = biotop_show_device },
	{ "i2d_avg_ns", "QUEavgms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "insert to issue (I2D), the average of those that were queued", BIOTOP_LATENCY(i2d) = RS_AVG },
	{ "i2d_p99_ns", "QUEp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % of these waited at most this",
	  BIOTOP_LATENCY(i2d) = RS_P99 },
	{ "d2c_avg_ns", "DEVavgms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9,
	  "issue to completion (D2C), the average", BIOTOP_LATENCY(d2c) = RS_AVG },
	{ "d2c_p99_ns", "DEVp99ms", RS_TYPE_DURATION, RS_UNIT_MS, 0, 9, "99 % took the device at most this",
	  BIOTOP_LATENCY(d2c) = RS_P99 },
	{ "d2c_max_ns", "DEVmaxms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY, 9, "longest",
	  BIOTOP_LATENCY(d2c) = RS_MAX },
	{ "behind_ns", "BEHIND(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 10,
	  "time that its requests waited while the device served those of other processes, of all its "
	  "requests together; null: more than 256 were served before one of its own",
	  .cell = biotop_show_behind_ns },
	{ "behind", "BEHIND", RS_TYPE_TEXT, 0, 0, 16, "the process behind whose requests it waited longest",
	  .cell = biotop_show_behind },
	{ "behind_pid", "BEHINDPID", RS_TYPE_ID, 0, 0, 9, "that process", .cell = biotop_show_behind_pid },
	{ 0 },
};

const struct rs_analysis rs_analysis_biotop = {
	.abi = RS_ABI,
	.name = "biotop",
	.summary = "who uses each disk, and behind whose requests it waits",
	.callbacks = RS_LIST(rs_callback, { RS_ON_REQUEST, .request = biotop_on_request },
			     { RS_ON_GAP, .gap = biotop_on_gap }),
	.views = RS_LIST(rs_view,
		[VIEW_BIOTOP] = { .name = "biotop", .topic = RS_TOPIC_FILES,
				  .summary = "each disk by process: requests, share of its time, who waits "
					     "behind whom",
				  .kind = RS_VIEW_TABLE,
				  .columns = columns,
				  .options = "dev,by",
				  .sort = "-served_ns",
				  .store = stores,
				  .by = "dev,comm,pid",
				  .text_columns = "dev,comm,pid,requests,read_bytes,write_bytes,served_pct,"
						  "i2d_avg_ns,d2c_avg_ns,d2c_p99_ns,behind_ns,behind",
				  .latencies = RS_LIST(rs_latencies,
						       { "d2c_avg_ns,d2c_p99_ns,d2c_max_ns",
							 .kind = "request", .track_column = "dev" }) },
		[VIEW_BIOQUEUE] = { .name = "bioqueue", .topic = RS_TOPIC_FILES,
				    .role = RS_ROLE_DISK_QUEUE,
				    .summary = "each block request: how many were served before it, and "
					       "whose",
				    .kind = RS_VIEW_STREAM,
				    .columns = queue_columns,
				    .options = "dev,type",
				    .by_name = true,
				    .text_columns = "end_ns,comm,pid,type,dev,bytes,lat_ns,ahead,ahead_ns,"
						    "behind_ns,behind" }),
	.spans = RS_LIST(rs_span_kind,
		{ .name = "served", .track = RS_TRACK_DISK, .shape = RS_SPAN_STATE,
		  .label = biotop_owner_label, .by_choice = biotop_is_voluntary, .of_task = true,
		  .columns = RS_LIST(rs_column,
			{ "comm", "COMM", RS_TYPE_TEXT, 0, 0, 0, "the task that asked for the request" },
			{ "pid", "PID", RS_TYPE_ID, 0, 0, 0, "its process" },
			{ "tid", "TID", RS_TYPE_ID, 0, 0, 0, "the thread" },
			{ "type", "TYPE", RS_TYPE_TEXT, 0, 0, 0, "as the view iosnoop has it" },
			{ "bytes", "BYTES", RS_TYPE_BYTES, 0, 0, 0, "size" }) }),
	.stores = stores,
};
