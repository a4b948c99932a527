// SPDX-License-Identifier: GPL-2.0-or-later
/* baseline - sides that are kept, by name, in one SQLite database: the file itself */
#include "compare/baseline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compare/baseline-sql.h"

#define BASELINE_BUSY_MS 10000
#define BASELINE_SYMBOL(name) RS_LIBRARY_SYMBOL(rs_baseline_db, name)

static const struct rs_library_symbol baseline_symbols[] = { BASELINE_CALLS(BASELINE_SYMBOL) { 0 } };

static const char baseline_schema[] =
	"CREATE TABLE IF NOT EXISTS baseline (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, "
	"saved_s INTEGER, source TEXT, kernel TEXT, machine TEXT, host TEXT, len_ns INTEGER, "
	"lost_ns INTEGER, of_runs INTEGER, options TEXT);"
	"CREATE TABLE IF NOT EXISTS block (baseline INTEGER NOT NULL, n INTEGER NOT NULL, len_ns INTEGER, "
	"steps INTEGER, PRIMARY KEY (baseline, n)) WITHOUT ROWID;"
	"CREATE TABLE IF NOT EXISTS view (id INTEGER PRIMARY KEY, baseline INTEGER NOT NULL, name TEXT, "
	"keys TEXT);"
	"CREATE TABLE IF NOT EXISTS measure (view INTEGER NOT NULL, key0 TEXT, key1 TEXT, key2 TEXT, "
	"key3 TEXT, key4 TEXT, key5 TEXT, nr INTEGER, total INTEGER, sums BLOB, points BLOB);"
	"CREATE INDEX IF NOT EXISTS measure_view ON measure (view);"
	"CREATE INDEX IF NOT EXISTS view_baseline ON view (baseline);";

static int baseline_make_newer(struct rs_baselines *store, struct rs_error *err)
{
	store->version = RS_BASELINE_VERSION;
	return rs_baseline_sql_exec(store, "BEGIN IMMEDIATE; ALTER TABLE baseline ADD COLUMN options TEXT; "
					   "PRAGMA user_version = 2; COMMIT", err);
}

static int baseline_check_file(struct rs_baselines *store, bool create, struct rs_error *err)
{
	int64_t id = rs_baseline_sql_number(store, "PRAGMA application_id", err),
		version = rs_baseline_sql_number(store, "PRAGMA user_version", err);
	char numbers[80];

	if (err->status != RS_OK)
		return -1;
	store->version = version;
	if (id == RS_BASELINE_APPLICATION_ID && version == 1 && create)
		return baseline_make_newer(store, err);
	if (id == RS_BASELINE_APPLICATION_ID && version >= 1 && version <= RS_BASELINE_VERSION)
		return 0;
	if (id == RS_BASELINE_APPLICATION_ID)
		return rs_fail(err,
			       "'%s' is of version %lld, and this ringside knows %d (a newer one reads it)",
			       store->path, (long long)version, RS_BASELINE_VERSION);
	if (id || version || !create)
		return rs_fail(err, "'%s' is no file of baselines", store->path);
	store->version = RS_BASELINE_VERSION;
	snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 RS_BASELINE_APPLICATION_ID, RS_BASELINE_VERSION);
	if (rs_baseline_sql_exec(store, baseline_schema, err) < 0)
		return -1;
	return rs_baseline_sql_exec(store, numbers, err);
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
	if (rs_baseline_db.sqlite3_open_v2(path, &store->db, flags, NULL) != SQLITE_OK)
		rs_baseline_sql_fail(store, "open", err);
	else
		rs_baseline_db.sqlite3_busy_timeout(store->db, BASELINE_BUSY_MS);
	if (err->status == RS_OK && baseline_check_file(store, create, err) == 0)
		return store;
	rs_baselines_close(store);
	return NULL;
}

void rs_baselines_close(struct rs_baselines *store)
{
	if (store)
		rs_baseline_db.sqlite3_close(store->db);
	free(store);
}

bool rs_baseline_name_is_good(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	return len && !name[len] && *name != '-' && len < RS_BASELINE_NAME;
}

int rs_baselines_remove(struct rs_baselines *store, const char *name, struct rs_error *err)
{
	if (rs_baseline_sql_exec(store, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (rs_baseline_sql_drop(store, name, err) == 0 && !rs_baseline_db.sqlite3_changes(store->db))
		rs_fail(err, "there is no baseline '%.60s' in '%s'", name, store->path);
	rs_baseline_sql_exec(store, "COMMIT", err);
	return err->status == RS_OK ? 0 : -1;
}
