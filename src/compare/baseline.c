// SPDX-License-Identifier: GPL-2.0-or-later
/* baseline - sides that are kept, by name, in one SQLite database */
#include "compare/baseline.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/library.h"
#include "compare/packed.h"

#define BASELINE_CALLS(CALL) \
	CALL(sqlite3_bind_blob) CALL(sqlite3_bind_int64) CALL(sqlite3_bind_text) CALL(sqlite3_busy_timeout) \
	CALL(sqlite3_changes) CALL(sqlite3_close) CALL(sqlite3_column_blob) CALL(sqlite3_column_bytes) \
	CALL(sqlite3_column_int64) CALL(sqlite3_column_text) CALL(sqlite3_errmsg) CALL(sqlite3_exec) \
	CALL(sqlite3_finalize) CALL(sqlite3_last_insert_rowid) CALL(sqlite3_open_v2) \
	CALL(sqlite3_prepare_v2) CALL(sqlite3_reset) CALL(sqlite3_step)

static struct { BASELINE_CALLS(RS_LIBRARY_CALL) } sql;
#define BASELINE_SYMBOL(name) RS_LIBRARY_SYMBOL(sql, name)
static const struct rs_library_symbol baseline_symbols[] = { BASELINE_CALLS(BASELINE_SYMBOL) { 0 } };

#define BASELINE_BUSY_MS 10000

struct rs_baselines {
	sqlite3 *db;
	const char *path;
};

static const char baseline_schema[] =
	"CREATE TABLE IF NOT EXISTS baseline (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
	"saved_s INTEGER, source TEXT, kernel TEXT, machine TEXT, host TEXT, len_ns INTEGER, "
	"lost_ns INTEGER, of_runs INTEGER);"
	"CREATE TABLE IF NOT EXISTS block (baseline INTEGER NOT NULL, n INTEGER NOT NULL, len_ns INTEGER, "
	"steps INTEGER, PRIMARY KEY (baseline, n)) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS view (id INTEGER PRIMARY KEY, baseline INTEGER NOT NULL, name TEXT, "
	"keys TEXT);"
	"CREATE TABLE IF NOT EXISTS measure (view INTEGER NOT NULL, key0 TEXT, key1 TEXT, key2 TEXT, "
	"key3 TEXT, key4 TEXT, key5 TEXT, nr INTEGER, total INTEGER, sums BLOB, points BLOB);"
	"CREATE INDEX IF NOT EXISTS measure_view ON measure (view);"
	"CREATE INDEX IF NOT EXISTS view_baseline ON view (baseline);";

/* ---- SQL ---- */

static int baseline_fail(const struct rs_baselines *store, const char *what, struct rs_error *err)
{
	return rs_fail(err, "cannot %s the baselines in '%s': %s", what, store->path,
		       store->db ? sql.sqlite3_errmsg(store->db) : "out of memory");
}

static int baseline_exec(struct rs_baselines *store, const char *statement, struct rs_error *err)
{
	return sql.sqlite3_exec(store->db, statement, NULL, NULL, NULL) == SQLITE_OK ?
		       0 :
		       baseline_fail(store, "change", err);
}

static sqlite3_stmt *baseline_prepare(struct rs_baselines *store, const char *statement, struct rs_error *err)
{
	sqlite3_stmt *stmt = NULL;

	if (sql.sqlite3_prepare_v2(store->db, statement, -1, &stmt, NULL) != SQLITE_OK)
		baseline_fail(store, "read", err);
	return stmt;
}

/* Runs what has no rows, and ends it. */
static int baseline_finish(struct rs_baselines *store, sqlite3_stmt *stmt, struct rs_error *err)
{
	int status = stmt ? sql.sqlite3_step(stmt) : SQLITE_ERROR;

	sql.sqlite3_finalize(stmt);
	if (status == SQLITE_DONE)
		return 0;
	return err->status == RS_OK ? baseline_fail(store, "write", err) : -1;
}

static void baseline_bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
	sql.sqlite3_bind_text(stmt, at, text, -1, SQLITE_TRANSIENT);
}

static int64_t baseline_number(struct rs_baselines *store, const char *statement, struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_prepare(store, statement, err);
	int64_t number = stmt && sql.sqlite3_step(stmt) == SQLITE_ROW ? sql.sqlite3_column_int64(stmt, 0) : 0;

	sql.sqlite3_finalize(stmt);
	return number;
}

/* ---- the file ---- */

static int baseline_check_file(struct rs_baselines *store, bool create, struct rs_error *err)
{
	int64_t id = baseline_number(store, "PRAGMA application_id", err),
		version = baseline_number(store, "PRAGMA user_version", err);
	char numbers[80];

	if (err->status != RS_OK)
		return -1;
	if (id == RS_BASELINE_APPLICATION_ID && version == RS_BASELINE_VERSION)
		return 0;
	if (id == RS_BASELINE_APPLICATION_ID)
		return rs_fail(err,
			       "'%s' is of version %lld, and this ringside knows %d (a newer one reads it)",
			       store->path, (long long)version, RS_BASELINE_VERSION);
	if (id || version || !create)
		return rs_fail(err, "'%s' is no file of baselines", store->path);
	snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 RS_BASELINE_APPLICATION_ID, RS_BASELINE_VERSION);
	return baseline_exec(store, baseline_schema, err) < 0 ? -1 : baseline_exec(store, numbers, err);
}

static void baseline_make_folder(const char *path)
{
	char folder[4096];
	char *slash;

	if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder)
		return;
	slash = strrchr(folder, '/');
	if (!slash || slash == folder)
		return;
	*slash = '\0';
	mkdir(folder, 0700); /* where it cannot, opening says so */
}

struct rs_baselines *rs_baselines_open(const char *path, bool create, struct rs_error *err)
{
	struct rs_baselines *store = calloc(1, sizeof *store);
	int flags = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE;

	if (!store) {
		rs_fail(err, "cannot open '%s': out of memory", path);
		return NULL;
	}
	store->path = path;
	if (rs_library_load("libsqlite3.so.0", "libsqlite3-0", baseline_symbols, err) < 0) {
		free(store);
		return NULL;
	}
	if (create)
		baseline_make_folder(path);
	if (sql.sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
		baseline_fail(store, "open", err);
	else
		sql.sqlite3_busy_timeout(store->db, BASELINE_BUSY_MS);
	if (err->status == RS_OK && baseline_check_file(store, create, err) == 0)
		return store;
	rs_baselines_close(store);
	return NULL;
}

void rs_baselines_close(struct rs_baselines *store)
{
	if (store)
		sql.sqlite3_close(store->db);
	free(store);
}

bool rs_baseline_name_is_good(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	return len && !name[len] && *name != '-' && len < RS_BASELINE_NAME;
}

/* ---- saving ---- */

static void baseline_put_keys(const struct rs_side_view *view, struct rs_buf *keys)
{
	for (unsigned int i = 0; i < view->nr_keys; i++)
		rs_buf_printf(keys, "%s%s", i ? "," : "", view->ref.view->columns[view->keys[i]].name);
}

static int baseline_put_blocks(struct rs_baselines *store, int64_t id, const struct rs_side *side,
			       struct rs_error *err)
{
	for (unsigned int i = 0; i < side->nr_blocks; i++) {
		sqlite3_stmt *stmt = baseline_prepare(store, "INSERT INTO block VALUES (?, ?, ?, ?)", err);

		if (stmt) {
			sql.sqlite3_bind_int64(stmt, 1, id);
			sql.sqlite3_bind_int64(stmt, 2, i);
			sql.sqlite3_bind_int64(stmt, 3, (int64_t)side->block_ns[i]);
			sql.sqlite3_bind_int64(stmt, 4, (int64_t)side->block_steps[i]);
		}
		if (baseline_finish(store, stmt, err) < 0)
			return -1;
	}
	return 0;
}

static int baseline_put_row(struct rs_baselines *store, sqlite3_stmt *stmt, int64_t view,
			    const struct rs_side *side, struct rs_side_row *row, unsigned int nr_keys,
			    struct rs_error *err)
{
	struct rs_buf sums = RS_BUF_INIT, points = RS_BUF_INIT;
	int ret = 0;

	rs_packed_put_sums(&sums, row, side->nr_blocks);
	rs_packed_put_points(&points, row);
	sql.sqlite3_bind_int64(stmt, 1, view);
	for (unsigned int i = 0; i < RS_SIDE_KEYS; i++)
		baseline_bind_text(stmt, (int)i + 2, i < nr_keys ? rs_side_key(row, i) : NULL);
	sql.sqlite3_bind_int64(stmt, 8, (int64_t)row->nr);
	sql.sqlite3_bind_int64(stmt, 9, (int64_t)row->sum);
	sql.sqlite3_bind_blob(stmt, 10, sums.data, (int)sums.len, SQLITE_TRANSIENT);
	sql.sqlite3_bind_blob(stmt, 11, points.data, (int)points.len, SQLITE_TRANSIENT);
	if (sums.failed || points.failed)
		ret = rs_fail(err, "cannot save a baseline: out of memory");
	else if (sql.sqlite3_step(stmt) != SQLITE_DONE)
		ret = baseline_fail(store, "write", err);
	sql.sqlite3_reset(stmt);
	rs_buf_done(&sums);
	rs_buf_done(&points);
	return ret;
}

static int baseline_put_rows(struct rs_baselines *store, int64_t id, const struct rs_side *side,
			     const struct rs_side_view *view, struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_prepare(
		store, "INSERT INTO measure VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", err);
	int ret = stmt ? 0 : -1;

	for (size_t i = 0; ret == 0 && i < view->nr_rows; i++)
		ret = baseline_put_row(store, stmt, id, side, view->rows[i], view->nr_keys, err);
	sql.sqlite3_finalize(stmt);
	return ret;
}

static int baseline_put_view(struct rs_baselines *store, int64_t id, const struct rs_side *side,
			     const struct rs_side_view *view, struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_prepare(store, "INSERT INTO view VALUES (NULL, ?, ?, ?)", err);
	struct rs_buf keys = RS_BUF_INIT;

	baseline_put_keys(view, &keys);
	if (stmt) {
		sql.sqlite3_bind_int64(stmt, 1, id);
		baseline_bind_text(stmt, 2, view->ref.view->name);
		baseline_bind_text(stmt, 3, keys.data ? keys.data : "");
	}
	rs_buf_done(&keys);
	if (baseline_finish(store, stmt, err) < 0)
		return -1;
	return baseline_put_rows(store, sql.sqlite3_last_insert_rowid(store->db), side, view, err);
}

static int baseline_put_details(struct rs_baselines *store, const struct rs_side *side,
			      const struct rs_baseline_details *details, struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_prepare(
		store, "INSERT INTO baseline VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)", err);

	if (stmt) {
		baseline_bind_text(stmt, 1, details->name);
		sql.sqlite3_bind_int64(stmt, 2, details->saved_s);
		baseline_bind_text(stmt, 3, details->source);
		baseline_bind_text(stmt, 4, details->kernel);
		baseline_bind_text(stmt, 5, details->machine);
		baseline_bind_text(stmt, 6, details->host);
		sql.sqlite3_bind_int64(stmt, 7, (int64_t)side->len_ns);
		sql.sqlite3_bind_int64(stmt, 8, (int64_t)side->lost_ns);
		sql.sqlite3_bind_int64(stmt, 9, side->of_runs);
	}
	return baseline_finish(store, stmt, err);
}

static int baseline_drop(struct rs_baselines *store, const char *name, struct rs_error *err)
{
	static const char *const statements[] = {
		("DELETE FROM measure WHERE view IN (SELECT id FROM view WHERE baseline IN (SELECT id FROM "
		 "baseline WHERE name = ?))"),
		"DELETE FROM view WHERE baseline IN (SELECT id FROM baseline WHERE name = ?)",
		"DELETE FROM block WHERE baseline IN (SELECT id FROM baseline WHERE name = ?)",
		"DELETE FROM baseline WHERE name = ?",
	};

	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		sqlite3_stmt *stmt = baseline_prepare(store, statements[i], err);

		if (stmt)
			baseline_bind_text(stmt, 1, name);
		if (baseline_finish(store, stmt, err) < 0)
			return -1;
	}
	return 0;
}

/* The same rows are there already: a comparison may need a view twice. */
static bool baseline_has_before(const struct rs_side *side, size_t n)
{
	const struct rs_side_view *view = &side->views[n];

	for (size_t i = 0; i < n; i++)
		if (side->views[i].ref.view == view->ref.view && side->views[i].nr_keys == view->nr_keys &&
		    !memcmp(side->views[i].keys, view->keys, view->nr_keys * sizeof *view->keys))
			return true;
	return false;
}

static int baseline_put_all(struct rs_baselines *store, const struct rs_side *side,
			    const struct rs_baseline_details *details, struct rs_error *err)
{
	int64_t id;

	if (baseline_drop(store, details->name, err) < 0 ||
	    baseline_put_details(store, side, details, err) < 0)
		return -1;
	id = sql.sqlite3_last_insert_rowid(store->db);
	if (baseline_put_blocks(store, id, side, err) < 0)
		return -1;
	for (size_t i = 0; i < side->nr_views; i++)
		if (!baseline_has_before(side, i) &&
		    baseline_put_view(store, id, side, &side->views[i], err) < 0)
			return -1;
	return 0;
}

int rs_baselines_save(struct rs_baselines *store, const struct rs_side *side,
		      const struct rs_baseline_details *details, struct rs_error *err)
{
	struct rs_error ignored = { 0 };

	if (baseline_exec(store, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (baseline_put_all(store, side, details, err) == 0 && baseline_exec(store, "COMMIT", err) == 0)
		return 0;
	baseline_exec(store, "ROLLBACK", &ignored);
	return -1;
}

int rs_baselines_remove(struct rs_baselines *store, const char *name, struct rs_error *err)
{
	if (baseline_exec(store, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (baseline_drop(store, name, err) == 0 && !sql.sqlite3_changes(store->db))
		rs_fail(err, "there is no baseline '%.60s' in '%s'", name, store->path);
	baseline_exec(store, "COMMIT", err);
	return err->status == RS_OK ? 0 : -1;
}

/* ---- reading ---- */

static void baseline_get_text(sqlite3_stmt *stmt, int at, char *to, size_t size_bytes)
{
	const char *text = (const char *)sql.sqlite3_column_text(stmt, at);

	snprintf(to, size_bytes, "%s", text ? text : "");
}

static uint64_t baseline_get_u64(sqlite3_stmt *stmt, int at)
{
	int64_t v = sql.sqlite3_column_int64(stmt, at);

	return v > 0 ? (uint64_t)v : 0;
}

static void baseline_get_details(sqlite3_stmt *stmt, struct rs_baseline_details *details)
{
	*details = (struct rs_baseline_details){ .saved_s = sql.sqlite3_column_int64(stmt, 2) };
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
}

#define BASELINE_SELECT \
	"SELECT id, name, saved_s, source, kernel, machine, host, len_ns, lost_ns, of_runs, " \
	"(SELECT count(*) FROM block WHERE baseline = b.id), " \
	"(SELECT count(*) FROM measure WHERE view IN (SELECT id FROM view WHERE baseline = b.id)), " \
	"(SELECT sum(length(sums) + length(points)) FROM measure WHERE view IN (SELECT id FROM view WHERE " \
	"baseline = b.id)) FROM baseline b "

int rs_baselines_list(struct rs_baselines *store,
		      void (*each)(void *arg, const struct rs_baseline_details *details), void *arg,
		      struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_prepare(store, BASELINE_SELECT "ORDER BY saved_s, id", err);
	struct rs_baseline_details details;
	int status = SQLITE_ERROR;

	while (stmt && (status = sql.sqlite3_step(stmt)) == SQLITE_ROW) {
		baseline_get_details(stmt, &details);
		each(arg, &details);
	}
	sql.sqlite3_finalize(stmt);
	if (status == SQLITE_DONE)
		return 0;
	return err->status == RS_OK ? baseline_fail(store, "read", err) : -1;
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
	sqlite3_stmt *stmt = baseline_prepare(
		store, "SELECT n, len_ns, steps FROM block WHERE baseline = ? ORDER BY n", err);
	bool is_good = stmt;

	if (stmt)
		sql.sqlite3_bind_int64(stmt, 1, id);
	while (is_good && sql.sqlite3_step(stmt) == SQLITE_ROW) {
		is_good = side->nr_blocks < RS_SIDE_MAX_BLOCKS &&
			  baseline_get_u64(stmt, 0) == side->nr_blocks;
		if (!is_good)
			break;
		side->block_ns[side->nr_blocks] = baseline_get_u64(stmt, 1);
		side->block_steps[side->nr_blocks++] = baseline_get_u64(stmt, 2);
	}
	sql.sqlite3_finalize(stmt);
	return is_good ? 0 : -1;
}

#define BASELINE_KEY_BYTES 4096

/* The texts of a row's keys, a NUL behind each. 0: they are too long. */
static size_t baseline_get_key(sqlite3_stmt *stmt, unsigned int nr_keys, char key[BASELINE_KEY_BYTES])
{
	size_t len = 0;

	for (unsigned int i = 0; i < nr_keys; i++) {
		const char *text = (const char *)sql.sqlite3_column_text(stmt, (int)i);
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
	return !row || (rs_packed_get_sums(row, side->nr_blocks, sql.sqlite3_column_blob(stmt, 6),
					   (size_t)sql.sqlite3_column_bytes(stmt, 6)) &&
			rs_packed_get_points(row, side->nr_blocks, sql.sqlite3_column_blob(stmt, 7),
					     (size_t)sql.sqlite3_column_bytes(stmt, 7)));
}

static int64_t baseline_find_view(struct rs_baselines *store, int64_t id, const struct rs_side_view *view,
				  struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_prepare(
		store, "SELECT id FROM view WHERE baseline = ? AND name = ? AND keys = ?", err);
	struct rs_buf keys = RS_BUF_INIT;
	int64_t found = 0;

	baseline_put_keys(view, &keys);
	if (stmt) {
		sql.sqlite3_bind_int64(stmt, 1, id);
		baseline_bind_text(stmt, 2, view->ref.view->name);
		baseline_bind_text(stmt, 3, keys.data ? keys.data : "");
		if (sql.sqlite3_step(stmt) == SQLITE_ROW)
			found = sql.sqlite3_column_int64(stmt, 0);
	}
	sql.sqlite3_finalize(stmt);
	rs_buf_done(&keys);
	return found;
}

static int baseline_get_rows(struct rs_baselines *store, int64_t id, struct rs_side *side,
			     struct rs_side_view *view, struct rs_error *err)
{
	sqlite3_stmt *stmt = baseline_prepare(
		store, "SELECT key0, key1, key2, key3, key4, key5, sums, points FROM measure WHERE view = ?",
		err);
	bool is_good = stmt;

	if (stmt)
		sql.sqlite3_bind_int64(stmt, 1, id);
	while (is_good && sql.sqlite3_step(stmt) == SQLITE_ROW)
		is_good = baseline_get_row(stmt, side, view);
	sql.sqlite3_finalize(stmt);
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
	sqlite3_stmt *stmt = baseline_prepare(store, BASELINE_SELECT "WHERE name = ?", err);
	int64_t id = 0;

	if (stmt)
		baseline_bind_text(stmt, 1, name);
	if (stmt && sql.sqlite3_step(stmt) == SQLITE_ROW) {
		id = sql.sqlite3_column_int64(stmt, 0);
		baseline_get_details(stmt, details);
		side->of_runs = sql.sqlite3_column_int64(stmt, 9);
		side->len_ns = details->len_ns;
		side->lost_ns = details->lost_ns;
	}
	sql.sqlite3_finalize(stmt);
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
