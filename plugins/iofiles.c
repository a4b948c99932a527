// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * iofiles - the file that a block request is for
 *
 * A request has a device and a sector. Its file is told by what its task does when the request begins:
 *
 *	inode   it writes pages of an inode (ext4_writepages, or the flusher's writeback_single_inode with
 *	        xfs_map_blocks);
 *	        a write or a sync of that inode has told its descriptor before
 *	call    it is in a read, write or sync of a descriptor
 *
 * Else it is unknown: faults of mapped files, the journal, the flushes of a device.
 */
#include <stdio.h>
#include <string.h>

#include "ringside/event.h"
#include "ringside/plugin.h"

#define IOFILES_NR_INODES 8192u   /* known lately: the next one of the same hash takes the place */
#define IOFILES_NR_BEGUN 4096u    /* requests, likewise */
#define IOFILES_NR_HELD 256u      /* rows that wait for the look-up of their path */
#define IOFILES_HOLD_NS 200000000u
#define IOFILES_IS_INODE (1ull << 62) /* in place of a file's number: that of an inode without a path */

struct iofiles_row {
	struct rs_hist lat;
	uint64_t reads, writes, read_bytes, write_bytes;
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct iofiles_row), .of_tasks = true, .max_rows = 1 << 16, .kept_keys = 1,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct iofiles_row, lat) },
		RS_MEASURE_SUMS(struct iofiles_row, reads, write_bytes)) },
	{ 0 },
};

enum { VIEW_IOFILES, VIEW_IOFILE };

struct iofiles_file {
	uint64_t file;            /* of rs_call_file, or IOFILES_IS_INODE and its number; 0: unknown */
	const char *by;           /* what told it */
};

struct iofiles {
	struct iofiles_inode { uint64_t dev, ino, file, since_ns; } inodes[IOFILES_NR_INODES];
	struct { uint64_t dev, sector, since_ns; struct iofiles_file of; } begun[IOFILES_NR_BEGUN];
	struct { struct rs_request r; struct iofiles_file of; } held[IOFILES_NR_HELD];
	uint64_t nr_held, nr_emitted;
};

/* The inode whose pages a task writes now. */
struct iofiles_task {
	bool flushes;             /* it is the flusher, in writeback_single_inode */
	uint64_t dev, ino;        /* ino 0: none */
	uint64_t since_ns;
};

/* ---- inodes ---- */

enum { INODE_INO, INODE_DEV };

/* Returns the inode's place: it is that inode's, or another one's. */
static struct iofiles_inode *iofiles_inode_of(struct rs_ctx *c, uint64_t dev, uint64_t ino)
{
	return &((struct iofiles *)c->state)->inodes[rs_hash_u64(ino ^ dev << 40) % IOFILES_NR_INODES];
}

/* The task is in a write or a sync of that inode: its descriptor's. */
static void iofiles_on_written(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	enum rs_file_op op;
	uint64_t file = rs_task_file(c, ev->task, &op);

	uint64_t dev = rs_u64(ev, &f[INODE_DEV]), ino = rs_u64(ev, &f[INODE_INO]);

	if (file && op != RS_FILE_READ)
		*iofiles_inode_of(c, dev, ino) = (struct iofiles_inode){ dev, ino, file, ev->ts_ns };
}

/* Its number may be another file's from now on. */
static void iofiles_on_evicted(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t dev = rs_u64(ev, &f[INODE_DEV]), ino = rs_u64(ev, &f[INODE_INO]);
	struct iofiles_inode *i = iofiles_inode_of(c, dev, ino);

	if (i->dev == dev && i->ino == ino)
		i->file = 0;
}

/* What the task writes, from now on; NULL: no task. */
static struct iofiles_task *iofiles_set_inode(struct rs_ctx *c, const struct rs_event *ev, uint64_t dev,
					      uint64_t ino)
{
	struct iofiles_task *t = ev->task ? rs_task_data(c, ev->task) : NULL;

	if (t) {
		t->dev = dev;
		t->ino = ino;
		t->since_ns = ev->ts_ns;
	}
	return t;
}

static void iofiles_on_pages(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	iofiles_set_inode(c, ev, rs_u64(ev, &f[INODE_DEV]), rs_u64(ev, &f[INODE_INO]));
}

static void iofiles_on_pages_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	iofiles_set_inode(c, ev, 0, 0);
}

/* Nothing tells when a task has written these blocks but the flusher's end. */
static void iofiles_on_blocks(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	const struct iofiles_task *t = ev->task ? rs_task_data(c, ev->task) : NULL;

	if (t && t->flushes)
		iofiles_on_pages(c, ev, f);
}

/*
 * The event names a bdi, not the file system's device: without an event of ext4 or xfs the number alone is
 * known.
 */
static void iofiles_on_flush(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct iofiles_task *t = iofiles_set_inode(c, ev, 0, rs_u64(ev, &f[INODE_INO]));

	if (t)
		t->flushes = true;
}

static void iofiles_on_flush_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct iofiles_task *t = iofiles_set_inode(c, ev, 0, 0);

	if (t)
		t->flushes = false;
}

/* ---- requests as they begin ---- */

enum { RQ_DEV, RQ_SECTOR, RQ_NR_SECTOR, RQ_RWBS };

/* What a task writes while it reads a file is of others, as in reclaim. */
static struct iofiles_file iofiles_find(struct rs_ctx *c, struct rs_task *task, const char *rwbs,
					uint64_t now_ns)
{
	const struct iofiles_task *t = task ? rs_task_data(c, task) : NULL;
	bool reads = strchr(rwbs, 'R');
	enum rs_file_op op;
	uint64_t file;

	if (t && t->ino && !reads && !rs_discarded(c, t->since_ns, now_ns)) {
		const struct iofiles_inode *i = iofiles_inode_of(c, t->dev, t->ino);
		bool known = i->dev == t->dev && i->ino == t->ino && i->file &&
			     !rs_discarded(c, i->since_ns, now_ns);

		return (struct iofiles_file){ known ? i->file : t->ino | IOFILES_IS_INODE, "inode" };
	}
	file = rs_task_file(c, task, &op);
	if (!file || (reads ? op == RS_FILE_SYNC : op == RS_FILE_READ))
		return (struct iofiles_file){ 0, NULL };
	return (struct iofiles_file){ file, "call" };
}

static unsigned int iofiles_begun_at(uint64_t dev, uint64_t sector)
{
	return (unsigned int)(rs_hash_u64(sector ^ dev << 40) % IOFILES_NR_BEGUN);
}

/* is_first: of a bio or request at its very begin; else one that may have begun before. */
static void iofiles_begin(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f,
			  bool is_first)
{
	struct iofiles *s = c->state;
	uint64_t dev = rs_u64(ev, &f[RQ_DEV]), sector = rs_u64(ev, &f[RQ_SECTOR]);
	unsigned int at = iofiles_begun_at(dev, sector);
	char rwbs[RS_RWBS_LEN];

	if (!rs_u64(ev, &f[RQ_NR_SECTOR]) ||
	    (!is_first && s->begun[at].dev == dev && s->begun[at].sector == sector))
		return;
	rs_str(ev, &f[RQ_RWBS], rwbs, sizeof rwbs);
	s->begun[at].dev = dev;
	s->begun[at].sector = sector;
	s->begun[at].since_ns = ev->ts_ns;
	s->begun[at].of = iofiles_find(c, ev->task, rwbs, ev->ts_ns);
}

static void iofiles_on_first(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	iofiles_begin(c, ev, f, true);
}

static void iofiles_on_later(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	iofiles_begin(c, ev, f, false);
}

/* ---- requests as they complete ---- */

/* A path of a look-up, "inode 12", or "/dev/vda": the file system's own data. */
static struct rs_value iofiles_path(struct rs_ctx *c, uint64_t file, char *buf, size_t size_bytes)
{
	uint64_t ino = file & ~IOFILES_IS_INODE;
	const char *path, *disk;

	if (file & IOFILES_IS_INODE && !(file >> 63)) {
		/* the inode of a block device has its number */
		disk = ino <= UINT32_MAX ? rs_disk_name(c, (uint32_t)ino) : NULL;
		if (disk)
			snprintf(buf, size_bytes, "/dev/%.100s", disk);
		else
			snprintf(buf, size_bytes, "inode %llu", (unsigned long long)ino);
		return rs_s(buf);
	}
	path = rs_file_path(c, file);
	return rs_s(path && *path == '/' ? path : NULL);
}

enum { END, S_COMM, S_PID, S_TID, TYPE, DEV, SECTOR, BYTES, LAT, BY, PATH, NR_STREAM_COLUMNS };

static const struct rs_column stream_columns[] = {
	[END] = { "end_ns", "TIME(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "completed" },
	[S_COMM] = { "comm", "COMM", RS_TYPE_TEXT, 0, 0, 16, "the task that asked for it" },
	[S_PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[S_TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "the thread" },
	[TYPE] = { "type", "TYPE", RS_TYPE_TEXT, 0, 0, 4, "as the view iosnoop has it" },
	[DEV] = { RS_DEV_COLUMN("device, MAJ,MIN") },
	[SECTOR] = { "sector", "BLOCK", RS_TYPE_ID, 0, RS_COLUMN_LEFT, 12, "first sector, of 512 bytes" },
	[BYTES] = { "bytes", "BYTES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "size" },
	[LAT] = { "lat_ns", "LATms", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_LATENCY | RS_COLUMN_LENGTH, 8,
		  "issue to completion (D2C)" },
	[BY] = { "by", "BY", RS_TYPE_TEXT, 0, 0, 5,
		 "what told the file: the inode that the task wrote, or the call on a descriptor that it was "
		 "in" },
	[PATH] = { "file", "FILE", RS_TYPE_TEXT, 0, 0, 0, "the file; null: unknown" },
	RS_STREAM_CGROUP_COLUMNS,
	{ 0 },
};

static void iofiles_emit(struct rs_ctx *c, const struct rs_request *r, const struct iofiles_file *of)
{
	char dev[32], path[RS_CELL_TEXT_BYTES];

	rs_dev_text(r->dev, dev, sizeof dev);
	rs_emit(c, VIEW_IOFILE,
		(const struct rs_value[NR_STREAM_COLUMNS]){
			[END] = rs_u(r->complete_ns),
			[S_COMM] = rs_s(r->comm),
			[S_PID] = rs_u_if(r->pid, (uint64_t)r->pid),
			[S_TID] = rs_u_if(r->tid, (uint64_t)r->tid),
			[TYPE] = rs_s(r->rwbs),
			[DEV] = rs_s(dev),
			[SECTOR] = rs_u(r->sector),
			[BYTES] = rs_u(r->bytes),
			[LAT] = rs_u(r->complete_ns - r->issue_ns),
			[BY] = rs_s(of->by),
			[PATH] = iofiles_path(c, of->file, path, sizeof path),
		});
}

/* Rows in their order, but none before its path has been looked up, or that takes too long. */
static void iofiles_emit_held(struct rs_ctx *c, uint64_t now_ns)
{
	struct iofiles *s = c->state;

	for (; s->nr_emitted < s->nr_held; s->nr_emitted++) {
		const struct rs_request *r = &s->held[s->nr_emitted % IOFILES_NR_HELD].r;
		const struct iofiles_file *of = &s->held[s->nr_emitted % IOFILES_NR_HELD].of;

		if (of->file && !(of->file & IOFILES_IS_INODE) && !rs_file_path(c, of->file) &&
		    s->nr_held - s->nr_emitted < IOFILES_NR_HELD && now_ns - r->complete_ns < IOFILES_HOLD_NS)
			return;
		iofiles_emit(c, r, of);
	}
}

static void iofiles_hold(struct rs_ctx *c, const struct rs_request *r, const struct iofiles_file *of)
{
	struct iofiles *s = c->state;

	s->held[s->nr_held % IOFILES_NR_HELD].r = *r;
	s->held[s->nr_held++ % IOFILES_NR_HELD].of = *of;
	iofiles_emit_held(c, r->complete_ns);
}

static void iofiles_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct iofiles *s = c->state;
	unsigned int at = iofiles_begun_at(r->dev, r->sector);
	struct iofiles_file of = { 0 };
	struct iofiles_row *row;
	bool reads = strchr(r->rwbs, 'R');

	if (s->begun[at].dev == r->dev && s->begun[at].sector == r->sector) {
		of = rs_discarded(c, s->begun[at].since_ns, r->complete_ns) ? of : s->begun[at].of;
		s->begun[at].dev = 0;
	}
	if (r->discarded || !r->shown)
		return;
	if (rs_row_is_shown(c, VIEW_IOFILE, r->complete_ns - r->issue_ns))
		iofiles_hold(c, r, &of);
	row = rs_store_row(c, 0, r->tid ? rs_task_find(c, r->tid) : NULL, of.file, 0);
	if (!row)
		return;
	rs_latency_add(c, &row->lat, r->issue_ns, r->complete_ns, false);
	*(reads ? &row->reads : &row->writes) += 1;
	*(reads ? &row->read_bytes : &row->write_bytes) += r->bytes;
}

static void iofiles_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	iofiles_emit_held(c, call->exit_ns);
}

static void iofiles_end(struct rs_ctx *c, uint64_t end_ns)
{
	iofiles_emit_held(c, UINT64_MAX);
}

/* ---- by file ---- */

static struct rs_value iofiles_show_path(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return iofiles_path(c, g->keys[0], buf, RS_CELL_TEXT_BYTES);
}

#define IOFILES_LATENCY .measure_bytes = offsetof(struct iofiles_row, lat), .aspect
#define IOFILES_SUM(member) .measure_bytes = offsetof(struct iofiles_row, member), .aspect = RS_VALUE

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "file", "FILE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "the file; null: unknown", .key = RS_KEY_0,
	  .by_cell = true, .cell = iofiles_show_path },
	{ "requests", "REQUESTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "that completed",
	  IOFILES_LATENCY = RS_COUNT },
	{ "reads", "READS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "of these, reads", IOFILES_SUM(reads) },
	{ "writes", "WRITES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "and all others", IOFILES_SUM(writes) },
	{ "read_bytes", "READ", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "their bytes", IOFILES_SUM(read_bytes) },
	{ "write_bytes", "WRITTEN", RS_TYPE_BYTES, 0, RS_COLUMN_SUM, 9, "their bytes",
	  IOFILES_SUM(write_bytes) },
	{ "total_ns", "TOTAL(ms)", RS_TYPE_DURATION, RS_UNIT_MS, RS_COLUMN_SUM, 11,
	  "sum of issue to completion (D2C)", IOFILES_LATENCY = RS_TOTAL },
	{ "p50_ns", "P50(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 9, "half of them took at most this",
	  IOFILES_LATENCY = RS_P50 },
	{ "p99_ns", "P99(us)", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "99 % took at most this",
	  IOFILES_LATENCY = RS_P99 },
	{ "max_ns", "MAX(us)", RS_TYPE_DURATION, RS_UNIT_US, RS_COLUMN_LATENCY, 11, "longest",
	  IOFILES_LATENCY = RS_MAX },
	{ 0 },
};

#define INODE_EVENT(system, name, handler) \
	{ \
		system, name, RS_OPTIONAL, RS_BY_ANYONE, handler, \
		{ \
			"ino", "dev" \
		} \
	}
#define BLOCK_EVENT(name, need, handler) \
	{ \
		"block", name, need, RS_BY_ANYONE, handler, \
		{ \
			"dev", "sector", "nr_sector", "rwbs" \
		} \
	}

const struct rs_analysis rs_analysis_iofiles = {
	.abi = RS_ABI,
	.name = "iofiles",
	.summary = "block requests by file",
	.by_name = true,
	.requires_files = true,
	.requirements = RS_LIST(
		rs_requirement, BLOCK_EVENT("block_io_start", RS_OPTIONAL, iofiles_on_first),
		BLOCK_EVENT("block_bio_queue", RS_FALLBACK, iofiles_on_first), /* before 6.5 */
		BLOCK_EVENT("block_rq_insert", RS_OPTIONAL, iofiles_on_later),
		BLOCK_EVENT("block_rq_issue", RS_REQUIRED, iofiles_on_later),
		INODE_EVENT("ext4", "ext4_da_write_begin", iofiles_on_written),
		INODE_EVENT("ext4", "ext4_write_begin", iofiles_on_written),
		INODE_EVENT("ext4", "ext4_sync_file_enter", iofiles_on_written),
		INODE_EVENT("xfs", "xfs_file_buffered_write", iofiles_on_written),
		INODE_EVENT("xfs", "xfs_file_fsync", iofiles_on_written),
		INODE_EVENT("ext4", "ext4_evict_inode", iofiles_on_evicted),
		INODE_EVENT("xfs", "xfs_destroy_inode", iofiles_on_evicted),
		INODE_EVENT("ext4", "ext4_writepages", iofiles_on_pages),
		INODE_EVENT("ext4", "ext4_writepages_result", iofiles_on_pages_end),
		INODE_EVENT("xfs", "xfs_map_blocks_found", iofiles_on_blocks),
		INODE_EVENT("xfs", "xfs_map_blocks_alloc", iofiles_on_blocks),
		{ "writeback",
		  "writeback_single_inode_start",
		  RS_OPTIONAL,
		  RS_BY_ANYONE,
		  iofiles_on_flush,
		  { "ino" } },
		{ "writeback",
		  "writeback_single_inode",
		  RS_OPTIONAL,
		  RS_BY_ANYONE,
		  iofiles_on_flush_end,
		  { "ino" } }),
	.callbacks = RS_LIST(rs_callback, { RS_ON_REQUEST, .request = iofiles_on_request },
			     { RS_ON_CALL, .call = iofiles_on_call }),
	.views = RS_LIST(
		rs_view,
		{ .name = "iofiles", .topic = RS_TOPIC_FILES,
		  .summary = "block requests by file",
		  .kind = RS_VIEW_TABLE,
		  .columns = columns,
		  .sort = "-total_ns",
		  .options = "by",
		  .store = stores,
		  .by = "file",
		  .text_columns =
			  "requests,reads,writes,read_bytes,write_bytes,total_ns,p50_ns,p99_ns,max_ns,file",
		  .latencies = RS_LIST(rs_latencies,
				       { "total_ns,p50_ns,p99_ns,max_ns", .kind = "request" }) },
		{ .name = "iofile", .topic = RS_TOPIC_FILES,
		  .summary = "each block request and its file",
		  .kind = RS_VIEW_STREAM,
		  .columns = stream_columns,
		  .options = "dev,type",
		  .text_columns = "comm,pid,type,dev,sector,bytes,lat_ns,by,file",
		  .latencies = RS_LIST(rs_latencies,
				       { "lat_ns", .kind = "request", .track_column = "dev" }) }),
	.stores = stores,
	.state_size = sizeof(struct iofiles),
	.task_size = sizeof(struct iofiles_task),
	.end = iofiles_end,
};
