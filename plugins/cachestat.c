// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cachestat - pages that reads found in the page cache, and pages that they had to wait for, by file
 *
 * A read adds the pages that are missing to the cache, with those that are read ahead, and only then says
 * which it has got (mm_filemap_get_pages, Linux 6.16): a page that it added itself was missing, any other one
 * was there. What it has not got of a range is said once more, in the next event of the same call.
 */
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"

#define CACHESTAT_IS_INODE (1ull << 62) /* in place of a file's number: that of an inode without a path */
#define CACHESTAT_ADDED 16u             /* ranges that a call has added: more count as hits */
#define CACHESTAT_MAX_PAGES (1ull << 40) /* no file has more */

struct cachestat_row {
	uint64_t pages, missed, added, faults;
};

static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct cachestat_row), .of_tasks = true, .max_rows = 1 << 16, .kept_keys = 2,
	  .measures = RS_LIST(rs_measure, RS_MEASURE_SUMS(struct cachestat_row, pages, faults)) },
	{ 0 },
};

struct cachestat_range {
	uint64_t from, to;        /* pages; to is behind the last */
};

/* What the task's call has done to one inode. */
struct cachestat_task {
	uint64_t call_ns, dev, ino;
	struct cachestat_range got, added[CACHESTAT_ADDED];
	unsigned int nr_added;
};

static uint64_t cachestat_common(struct cachestat_range a, struct cachestat_range b)
{
	uint64_t from = a.from > b.from ? a.from : b.from, to = a.to < b.to ? a.to : b.to;

	return to > from ? to - from : 0;
}

static struct cachestat_task *cachestat_task_of(struct rs_ctx *c, const struct rs_task *t, uint64_t dev,
						uint64_t ino)
{
	struct cachestat_task *of = rs_task_data(c, t);
	uint64_t call_ns = t->syscall >= 0 ? t->syscall_enter_ns : 0;

	if (of->call_ns != call_ns || of->dev != dev || of->ino != ino)
		*of = (struct cachestat_task){ .call_ns = call_ns, .dev = dev, .ino = ino };
	return of;
}

/* By the descriptor of the call, else by the inode: a fault, a program that is loaded, a folder. */
static struct cachestat_row *cachestat_row_of(struct rs_ctx *c, struct rs_task *t, uint64_t dev, uint64_t ino)
{
	enum rs_file_op op = RS_FILE_NONE;
	uint64_t file = rs_task_file(c, t, &op);

	return file && op != RS_FILE_NONE ? rs_store_row(c, 0, t, file, 0) :
					    rs_store_row(c, 0, t, CACHESTAT_IS_INODE | ino, dev);
}

enum { CACHESTAT_INO, CACHESTAT_DEV, CACHESTAT_INDEX, CACHESTAT_LAST, CACHESTAT_ORDER = CACHESTAT_LAST };

static void cachestat_on_add(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t ino = rs_u64(ev, &f[CACHESTAT_INO]), dev = rs_u64(ev, &f[CACHESTAT_DEV]),
		 index = rs_u64(ev, &f[CACHESTAT_INDEX]), order = rs_u64(ev, &f[CACHESTAT_ORDER]),
		 nr = order < 32 ? 1ull << order : 1;
	struct cachestat_task *of;
	struct cachestat_row *row;

	if (!ev->task || !rs_shown(c, ev->task) || index > CACHESTAT_MAX_PAGES)
		return;
	row = cachestat_row_of(c, ev->task, dev, ino);
	if (row)
		row->added += nr;
	of = cachestat_task_of(c, ev->task, dev, ino);
	if (of->nr_added && of->added[of->nr_added - 1].to == index)
		of->added[of->nr_added - 1].to += nr;
	else if (of->nr_added < CACHESTAT_ADDED)
		of->added[of->nr_added++] = (struct cachestat_range){ index, index + nr };
}

static void cachestat_count(struct cachestat_row *row, const struct cachestat_task *of,
			    struct cachestat_range pages)
{
	if (pages.to <= pages.from)
		return;
	row->pages += pages.to - pages.from;
	for (unsigned int i = 0; i < of->nr_added; i++)
		row->missed += cachestat_common(pages, of->added[i]);
}

/* The part that the call has not got before. */
static void cachestat_on_get(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	uint64_t ino = rs_u64(ev, &f[CACHESTAT_INO]), dev = rs_u64(ev, &f[CACHESTAT_DEV]);
	struct cachestat_range pages = { rs_u64(ev, &f[CACHESTAT_INDEX]),
					 rs_u64(ev, &f[CACHESTAT_LAST]) + 1 };
	struct cachestat_task *of;
	struct cachestat_row *row;

	if (!ev->task || !rs_shown(c, ev->task) || pages.to <= pages.from || pages.to > CACHESTAT_MAX_PAGES)
		return;
	row = cachestat_row_of(c, ev->task, dev, ino);
	if (!row)
		return;
	of = cachestat_task_of(c, ev->task, dev, ino);
	if (!cachestat_common(pages, of->got)) {
		cachestat_count(row, of, pages);
		of->got = pages;
		return;
	}
	cachestat_count(row, of, (struct cachestat_range){ pages.from, of->got.from });
	cachestat_count(row, of, (struct cachestat_range){ of->got.to, pages.to });
	of->got.from = pages.from < of->got.from ? pages.from : of->got.from;
	of->got.to = pages.to > of->got.to ? pages.to : of->got.to;
}

static void cachestat_on_fault(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	struct cachestat_row *row;

	if (!ev->task || !rs_shown(c, ev->task))
		return;
	row = cachestat_row_of(c, ev->task, rs_u64(ev, &f[CACHESTAT_DEV]), rs_u64(ev, &f[CACHESTAT_INO]));
	if (row)
		row->faults++;
}

/* ---- rows ---- */

static struct rs_value cachestat_show_file(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	if (g->keys[0] == RS_KEY_FORGOTTEN)
		return rs_null();
	if (!(g->keys[0] & CACHESTAT_IS_INODE))
		return rs_s(rs_file_path(c, g->keys[0]));
	snprintf(buf, RS_CELL_TEXT_BYTES, "inode %" PRIu64, (uint64_t)(g->keys[0] & ~CACHESTAT_IS_INODE));
	return rs_s(buf);
}

static struct rs_value cachestat_show_dev(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	if (g->keys[0] == RS_KEY_FORGOTTEN || !(g->keys[0] & CACHESTAT_IS_INODE))
		return rs_null();
	rs_dev_text((uint32_t)g->keys[1], buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

static struct rs_value cachestat_show_hit(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct cachestat_row *row = g->row;

	return rs_milli(row->pages > row->missed ? row->pages - row->missed : 0, row->pages, 100);
}

#define CACHESTAT_SUM(member) \
	.measure_bytes = offsetof(struct cachestat_row, member), .aspect = RS_VALUE
#define CACHESTAT_GETS .if_recorded = "filemap:mm_filemap_get_pages"

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "file", "FILE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "the file of the call's descriptor, else the inode; null: unknown", .key = RS_KEY_0,
	  .by_cell = true, .cell = cachestat_show_file },
	{ "dev", "DEV", RS_TYPE_TEXT, 0, RS_COLUMN_KEY | RS_COLUMN_IF_KNOWN, 7,
	  "of an inode: the device of its file system, MAJ,MIN", .key = RS_KEY_1, .by_cell = true,
	  .always = true, .cell = cachestat_show_dev },
	{ "pages", "PAGES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9, "that reads got from the cache",
	  CACHESTAT_SUM(pages), CACHESTAT_GETS },
	{ "missed", "MISSED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "of these, pages that were not there when the call began", CACHESTAT_SUM(missed), CACHESTAT_GETS },
	{ "hit_pct", "HIT%", RS_TYPE_MILLI, 0, 0, 6, "percentage of the pages that were there",
	  .cell = cachestat_show_hit },
	{ "added", "ADDED", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 9,
	  "pages added to the cache: missed, read ahead, and written", CACHESTAT_SUM(added) },
	{ "faults", "FAULTS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8,
	  "page faults of mappings of the file that the pages around did not serve", CACHESTAT_SUM(faults),
	  .if_recorded = "filemap:mm_filemap_fault" },
	{ 0 },
};

const struct rs_analysis rs_analysis_cachestat = {
	.abi = RS_ABI,
	.name = "cachestat",
	.summary = "hits and misses of the page cache by file",
	.by_name = true,
	.requires_files = true,
	.requirements = RS_LIST(rs_requirement,
		{ "filemap", "mm_filemap_add_to_page_cache", RS_REQUIRED, RS_BY_TASK, cachestat_on_add,
		  { "i_ino", "s_dev", "index", "?order" } },
		{ "filemap", "mm_filemap_get_pages", RS_OPTIONAL, RS_BY_TASK, cachestat_on_get,
		  { "i_ino", "s_dev", "index", "last_index" } },
		{ "filemap", "mm_filemap_fault", RS_OPTIONAL, RS_BY_TASK, cachestat_on_fault,
		  { "i_ino", "s_dev" } }),
	.views = RS_LIST(rs_view,
			 { .name = "cachestat", .topic = RS_TOPIC_FILES,
			   .summary = "pages that reads found in the page cache, and those they missed, by "
				      "file",
			   .kind = RS_VIEW_TABLE,
			   .columns = columns,
			   .sort = "-missed",
			   .options = "by",
			   .store = stores,
			   .by = "file",
			   .text_columns = "pages,missed,hit_pct,added,faults,dev,file" }),
	.stores = stores,
	.task_size = sizeof(struct cachestat_task),
};
