/* SPDX-License-Identifier: GPL-2.0-or-later */
/* baseline-sql.h - the database of baselines: what reading, writing and removing them share */
#ifndef RS_COMPARE_BASELINE_SQL_H
#define RS_COMPARE_BASELINE_SQL_H

#include <sqlite3.h>

#include "base/library.h"
#include "compare/baseline.h"

#define BASELINE_CALLS(CALL) \
	CALL(sqlite3_bind_blob) CALL(sqlite3_bind_int64) CALL(sqlite3_bind_text) CALL(sqlite3_busy_timeout) \
	CALL(sqlite3_changes) CALL(sqlite3_close) CALL(sqlite3_column_blob) CALL(sqlite3_column_bytes) \
	CALL(sqlite3_column_int64) CALL(sqlite3_column_text) CALL(sqlite3_errmsg) CALL(sqlite3_exec) \
	CALL(sqlite3_finalize) CALL(sqlite3_last_insert_rowid) CALL(sqlite3_open_v2) \
	CALL(sqlite3_prepare_v2) CALL(sqlite3_reset) CALL(sqlite3_step)

/* The library's calls, once rs_baselines_open has loaded it. */
extern struct rs_baseline_db { BASELINE_CALLS(RS_LIBRARY_CALL) } rs_baseline_db;

struct rs_baselines {
	sqlite3 *db;
	const char *path;
	int64_t version;             /* RS_BASELINE_VERSION, or 1 */
};

/* "cannot read the baselines in ...", with what SQLite says. Returns -1. */
int rs_baseline_sql_fail(const struct rs_baselines *store, const char *what, struct rs_error *err);
int rs_baseline_sql_exec(struct rs_baselines *store, const char *statement, struct rs_error *err);
/* NULL: err is set. */
sqlite3_stmt *rs_baseline_sql_prepare(struct rs_baselines *store, const char *statement,
				      struct rs_error *err);
/* Runs what has no rows, and ends it. stmt may be NULL, where preparing it failed. */
int rs_baseline_sql_finish(struct rs_baselines *store, sqlite3_stmt *stmt, struct rs_error *err);
void rs_baseline_sql_bind_text(sqlite3_stmt *stmt, int at, const char *text);
int64_t rs_baseline_sql_number(struct rs_baselines *store, const char *statement, struct rs_error *err);
/* "comm,syscall", with "=sends" where not the view's own measure is compared: how the database names it. */
void rs_baseline_sql_put_keys(const struct rs_side_view *view, struct rs_buf *keys);
/* Are the rows of this view of a side there already, before it? A comparison may need a view twice. */
bool rs_baseline_sql_has_before(const struct rs_side *side, size_t view);
/* Forgets a baseline, within a transaction. */
int rs_baseline_sql_drop(struct rs_baselines *store, const char *name, struct rs_error *err);

#endif
