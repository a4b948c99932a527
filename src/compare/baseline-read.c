// SPDX-License-Identifier: GPL-2.0-or-later
/* baseline-read - what baselines there are, and one of them as a side; files may be damaged, or hostile */
#include "compare/baseline-sql.h"

#include <stdio.h>
#include <string.h>

#include "compare/packed.h"

static void baseline_get_text(sqlite3_stmt *stmt, int at, char *to, size_t size_bytes)
{
	const char *text = (const char *)rs_baseline_db.sqlite3_column_text(stmt, at);

	snprintf(to, size_bytes, "%s", text ? text : "");
}

static uint64_t baseline_get_u64(sqlite3_stmt *stmt, int at)
{
	int64_t v = rs_baseline_db.sqlite3_column_int64(stmt, at);

	return v > 0 ? (uint64_t)v : 0;
}

static void baseline_get_details(sqlite3_stmt *stmt, struct rs_baseline_details *details)
{
	*details = (struct rs_baseline_details){ .saved_s = rs_baseline_db.sqlite3_column_int64(stmt, 2) };
	baseline_get_text(stmt, 1, details->name, sizeof details->name);
	baseline_get_text(stmt, 3, details->source, sizeof details->source);
	baseline_get_text(stmt, 4, details->kernel, sizeof details->kernel);
	baseline_get_text(stmt, 5, details->machine, sizeof details->machine);
	baseline_get_text(stmt, 6, details->host, sizeof details->host);
	details->len_ns = baseline_get_u64(stmt, 7);
	details->lost_ns = baseline_get_u64(stmt, 8);
	details->nr_blocks = baseline_get_u64(stmt, 10);
	details->nr_rows = baseline_get_u64(stmt, 11);
	details->nr_bytes = baseline_get_u64(stmt, 12);
	details->nr_views = baseline_get_u64(stmt, 13);
	baseline_get_text(stmt, 14, details->options, sizeof details->options);
}

#define BASELINE_VIEWS "(SELECT id FROM view WHERE baseline = b.id)"
#define BASELINE_SELECT(options) \
	"SELECT id, name, saved_s, source, kernel, machine, host, len_ns, lost_ns, of_runs, " \
	"(SELECT count(*) FROM block WHERE baseline = b.id), " \
	"(SELECT count(*) FROM measure WHERE view IN " BASELINE_VIEWS "), " \
	"(SELECT sum(length(sums) + length(points)) FROM measure WHERE view IN " BASELINE_VIEWS "), " \
	"(SELECT count(*) FROM view WHERE baseline = b.id), " options " FROM baseline b "

/* older: of a file that has no options. */
static sqlite3_stmt *baseline_select(struct rs_baselines *store, const char *statement, const char *older,
				     struct rs_error *err)
{
	return rs_baseline_sql_prepare(store, store->version > 1 ? statement : older, err);
}

int rs_baselines_list(struct rs_baselines *store,
		      void (*each)(void *arg, const struct rs_baseline_details *details), void *arg,
		      struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_select(store, BASELINE_SELECT("options") "ORDER BY saved_s, id",
					     BASELINE_SELECT("NULL") "ORDER BY saved_s, id", err);
	struct rs_baseline_details details;
	int status = SQLITE_ERROR;

	while (stmt && (status = rs_baseline_db.sqlite3_step(stmt)) == SQLITE_ROW) {
		baseline_get_details(stmt, &details);
		each(arg, &details);
	}
	rs_baseline_db.sqlite3_finalize(stmt);
	if (status == SQLITE_DONE)
		return 0;
	return err->status == RS_OK ? rs_baseline_sql_fail(store, "read", err) : -1;
}

int rs_baselines_list_views(struct rs_baselines *store, const char *name,
			    void (*each)(void *arg, const char *view, const char *keys), void *arg,
			    struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(store, "SELECT v.name, v.keys FROM view v, baseline b "
							    "WHERE v.baseline = b.id AND b.name = ? ORDER BY "
							    "v.id", err);
	char view[RS_BASELINE_NAME], keys[RS_BASELINE_TEXT];

	if (stmt)
		rs_baseline_sql_bind_text(stmt, 1, name);
	while (stmt && rs_baseline_db.sqlite3_step(stmt) == SQLITE_ROW) {
		baseline_get_text(stmt, 0, view, sizeof view);
		baseline_get_text(stmt, 1, keys, sizeof keys);
		each(arg, view, keys);
	}
	rs_baseline_db.sqlite3_finalize(stmt);
	return err->status == RS_OK ? 0 : -1;
}

static int baseline_damaged(const struct rs_baselines *store, const char *name, struct rs_error *err)
{
	if (err->status != RS_OK)
		return -1;
	return rs_fail(err, "the baseline '%.60s' in '%s' is damaged (remove it, and save it again)", name,
		       store->path);
}

static int baseline_get_blocks(struct rs_baselines *store, int64_t id, struct rs_side *side,
			       struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(
		store, "SELECT n, len_ns, steps FROM block WHERE baseline = ? ORDER BY n", err);
	bool is_good = stmt;

	if (stmt)
		rs_baseline_db.sqlite3_bind_int64(stmt, 1, id);
	while (is_good && rs_baseline_db.sqlite3_step(stmt) == SQLITE_ROW) {
		is_good = side->nr_blocks < RS_SIDE_MAX_BLOCKS &&
			  baseline_get_u64(stmt, 0) == side->nr_blocks;
		if (!is_good)
			break;
		side->block_ns[side->nr_blocks] = baseline_get_u64(stmt, 1);
		side->block_steps[side->nr_blocks++] = baseline_get_u64(stmt, 2);
	}
	rs_baseline_db.sqlite3_finalize(stmt);
	return is_good ? 0 : -1;
}

#define BASELINE_KEY_BYTES 4096

/* The texts of a row's keys, a NUL behind each. 0: they are too long. */
static size_t baseline_get_key(sqlite3_stmt *stmt, unsigned int nr_keys, char key[BASELINE_KEY_BYTES])
{
	size_t len = 0;

	for (unsigned int i = 0; i < nr_keys; i++) {
		const char *text = (const char *)rs_baseline_db.sqlite3_column_text(stmt, (int)i);
		size_t more = text ? strlen(text) + 1 : 1;

		if (len + more > BASELINE_KEY_BYTES)
			return 0;
		memcpy(key + len, text ? text : "", more);
		len += more;
	}
	return len;
}

static bool baseline_get_row(sqlite3_stmt *stmt, struct rs_side *side, struct rs_side_view *view)
{
	char key[BASELINE_KEY_BYTES];
	size_t len = baseline_get_key(stmt, view->nr_keys, key);
	struct rs_side_row *row;

	if ((!len && view->nr_keys) || rs_side_find(view, key, len))
		return false;
	row = rs_side_get_row(side, view, key, len);
	if (!row)
		return true; /* there is no room, which the side says */
	return rs_packed_get_sums(row, side->nr_blocks, rs_baseline_db.sqlite3_column_blob(stmt, 6),
				  (size_t)rs_baseline_db.sqlite3_column_bytes(stmt, 6)) &&
	       rs_packed_get_points(row, side->nr_blocks, rs_baseline_db.sqlite3_column_blob(stmt, 7),
				    (size_t)rs_baseline_db.sqlite3_column_bytes(stmt, 7));
}

static int64_t baseline_find_view(struct rs_baselines *store, int64_t id, const struct rs_side_view *view,
				  struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(
		store, "SELECT id FROM view WHERE baseline = ? AND name = ? AND keys = ?", err);
	struct rs_buf keys = RS_BUF_INIT;
	int64_t found = 0;

	rs_baseline_sql_put_keys(view, &keys);
	if (stmt) {
		rs_baseline_db.sqlite3_bind_int64(stmt, 1, id);
		rs_baseline_sql_bind_text(stmt, 2, view->ref.view->name);
		rs_baseline_sql_bind_text(stmt, 3, keys.data ? keys.data : "");
		if (rs_baseline_db.sqlite3_step(stmt) == SQLITE_ROW)
			found = rs_baseline_db.sqlite3_column_int64(stmt, 0);
	}
	rs_baseline_db.sqlite3_finalize(stmt);
	rs_buf_done(&keys);
	return found;
}

static int baseline_get_rows(struct rs_baselines *store, int64_t id, struct rs_side *side,
			     struct rs_side_view *view, struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(
		store, "SELECT key0, key1, key2, key3, key4, key5, sums, points FROM measure WHERE view = ?",
		err);
	bool is_good = stmt;

	if (stmt)
		rs_baseline_db.sqlite3_bind_int64(stmt, 1, id);
	while (is_good && rs_baseline_db.sqlite3_step(stmt) == SQLITE_ROW)
		is_good = baseline_get_row(stmt, side, view);
	rs_baseline_db.sqlite3_finalize(stmt);
	return is_good ? 0 : -1;
}

static int baseline_get_views(struct rs_baselines *store, int64_t id, struct rs_side *side,
			      struct rs_buf *missing, struct rs_error *err)
{
	for (size_t i = 0; i < side->nr_views; i++) {
		struct rs_side_view *view = &side->views[i];
		int64_t found = baseline_find_view(store, id, view, err);

		if (!found && missing)
			rs_buf_printf(missing, "%s%s", missing->len ? ", " : "", view->ref.view->name);
		if (found && baseline_get_rows(store, found, side, view, err) < 0)
			return -1;
	}
	return err->status == RS_OK ? 0 : -1;
}

static int64_t baseline_find(struct rs_baselines *store, const char *name, struct rs_side *side,
			     struct rs_baseline_details *details, struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_select(store, BASELINE_SELECT("options") "WHERE name = ?",
					     BASELINE_SELECT("NULL") "WHERE name = ?", err);
	int64_t id = 0;

	if (stmt)
		rs_baseline_sql_bind_text(stmt, 1, name);
	if (stmt && rs_baseline_db.sqlite3_step(stmt) == SQLITE_ROW) {
		id = rs_baseline_db.sqlite3_column_int64(stmt, 0);
		baseline_get_details(stmt, details);
		side->of_runs = rs_baseline_db.sqlite3_column_int64(stmt, 9);
		side->len_ns = details->len_ns;
		side->lost_ns = details->lost_ns;
	}
	rs_baseline_db.sqlite3_finalize(stmt);
	if (!id && err->status == RS_OK)
		rs_fail(err, "there is no baseline '%.60s' in '%s' (ringside baseline list)", name,
			store->path);
	return id;
}

int rs_baselines_load(struct rs_baselines *store, const char *name, struct rs_side *side,
		      struct rs_baseline_details *details, struct rs_buf *missing, struct rs_error *err)
{
	int64_t id = baseline_find(store, name, side, details, err);

	if (!id)
		return -1;
	if (baseline_get_blocks(store, id, side, err) < 0 ||
	    baseline_get_views(store, id, side, missing, err) < 0)
		return baseline_damaged(store, name, err);
	return 0;
}
