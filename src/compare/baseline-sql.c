// SPDX-License-Identifier: GPL-2.0-or-later
/* baseline-sql - the database of baselines: what reading, writing and removing them share */
#include "compare/baseline-sql.h"

#include <string.h>

struct rs_baseline_db rs_baseline_db;

int rs_baseline_sql_fail(const struct rs_baselines *store, const char *what, struct rs_error *err)
{
	return rs_fail(err, "cannot %s the baselines in '%s': %s", what, store->path,
		       store->db ? rs_baseline_db.sqlite3_errmsg(store->db) : "out of memory");
}

int rs_baseline_sql_exec(struct rs_baselines *store, const char *statement, struct rs_error *err)
{
	return rs_baseline_db.sqlite3_exec(store->db, statement, NULL, NULL, NULL) == SQLITE_OK ?
		       0 :
		       rs_baseline_sql_fail(store, "change", err);
}

sqlite3_stmt *rs_baseline_sql_prepare(struct rs_baselines *store, const char *statement, struct rs_error *err)
{
	sqlite3_stmt *stmt = NULL;

	if (rs_baseline_db.sqlite3_prepare_v2(store->db, statement, -1, &stmt, NULL) != SQLITE_OK)
		rs_baseline_sql_fail(store, "read", err);
	return stmt;
}

int rs_baseline_sql_finish(struct rs_baselines *store, sqlite3_stmt *stmt, struct rs_error *err)
{
	int status = stmt ? rs_baseline_db.sqlite3_step(stmt) : SQLITE_ERROR;

	rs_baseline_db.sqlite3_finalize(stmt);
	if (status == SQLITE_DONE)
		return 0;
	return err->status == RS_OK ? rs_baseline_sql_fail(store, "write", err) : -1;
}

void rs_baseline_sql_bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
	rs_baseline_db.sqlite3_bind_text(stmt, at, text, -1, SQLITE_TRANSIENT);
}

int64_t rs_baseline_sql_number(struct rs_baselines *store, const char *statement, struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(store, statement, err);
	int64_t number = 0;

	if (stmt && rs_baseline_db.sqlite3_step(stmt) == SQLITE_ROW)
		number = rs_baseline_db.sqlite3_column_int64(stmt, 0);
	rs_baseline_db.sqlite3_finalize(stmt);
	return number;
}

void rs_baseline_sql_put_keys(const struct rs_side_view *view, struct rs_buf *keys)
{
	for (unsigned int i = 0; i < view->nr_keys; i++)
		rs_buf_printf(keys, "%s%s", i ? "," : "", view->ref.view->columns[view->keys[i]].name);
	if (!view->is_own_measure)
		rs_buf_printf(keys, "=%s", view->measure->name);
}

int rs_baseline_sql_drop(struct rs_baselines *store, const char *name, struct rs_error *err)
{
	static const char *const statements[] = {
		("DELETE FROM measure WHERE view IN (SELECT id FROM view WHERE baseline IN (SELECT id FROM "
		 "baseline WHERE name = ?))"),
		"DELETE FROM view WHERE baseline IN (SELECT id FROM baseline WHERE name = ?)",
		"DELETE FROM block WHERE baseline IN (SELECT id FROM baseline WHERE name = ?)",
		"DELETE FROM baseline WHERE name = ?",
	};

	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		sqlite3_stmt *stmt = rs_baseline_sql_prepare(store, statements[i], err);

		if (stmt)
			rs_baseline_sql_bind_text(stmt, 1, name);
		if (rs_baseline_sql_finish(store, stmt, err) < 0)
			return -1;
	}
	return 0;
}

bool rs_baseline_sql_has_before(const struct rs_side *side, size_t n)
{
	const struct rs_side_view *view = &side->views[n];

	for (size_t i = 0; i < n; i++)
		if (side->views[i].ref.view == view->ref.view && side->views[i].measure == view->measure &&
		    side->views[i].nr_keys == view->nr_keys &&
		    !memcmp(side->views[i].keys, view->keys, view->nr_keys * sizeof *view->keys))
			return true;
	return false;
}
