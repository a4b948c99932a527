// SPDX-License-Identifier: GPL-2.0-or-later
/* baseline-write - saves a side as a baseline: whole, or not at all */
#include "compare/baseline-sql.h"

#include <string.h>

#include "compare/packed.h"

static int baseline_put_blocks(struct rs_baselines *store, int64_t id, const struct rs_side *side,
			       struct rs_error *err)
{
	for (unsigned int i = 0; i < side->nr_blocks; i++) {
		sqlite3_stmt *stmt = rs_baseline_sql_prepare(
			store, "INSERT INTO block VALUES (?, ?, ?, ?)", err);

		if (stmt) {
			rs_baseline_db.sqlite3_bind_int64(stmt, 1, id);
			rs_baseline_db.sqlite3_bind_int64(stmt, 2, i);
			rs_baseline_db.sqlite3_bind_int64(stmt, 3, (int64_t)side->block_ns[i]);
			rs_baseline_db.sqlite3_bind_int64(stmt, 4, (int64_t)side->block_steps[i]);
		}
		if (rs_baseline_sql_finish(store, stmt, err) < 0)
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
	rs_baseline_db.sqlite3_bind_int64(stmt, 1, view);
	for (unsigned int i = 0; i < RS_SIDE_KEYS; i++)
		rs_baseline_sql_bind_text(stmt, (int)i + 2, i < nr_keys ? rs_side_key(row, i) : NULL);
	rs_baseline_db.sqlite3_bind_int64(stmt, 8, (int64_t)row->nr);
	rs_baseline_db.sqlite3_bind_int64(stmt, 9, (int64_t)row->sum);
	rs_baseline_db.sqlite3_bind_blob(stmt, 10, sums.data, (int)sums.len, SQLITE_TRANSIENT);
	rs_baseline_db.sqlite3_bind_blob(stmt, 11, points.data, (int)points.len, SQLITE_TRANSIENT);
	if (sums.failed || points.failed)
		ret = rs_fail(err, "cannot save a baseline: out of memory");
	else if (rs_baseline_db.sqlite3_step(stmt) != SQLITE_DONE)
		ret = rs_baseline_sql_fail(store, "write", err);
	rs_baseline_db.sqlite3_reset(stmt);
	rs_buf_done(&sums);
	rs_buf_done(&points);
	return ret;
}

static int baseline_put_rows(struct rs_baselines *store, int64_t id, const struct rs_side *side,
			     const struct rs_side_view *view, struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(
		store, "INSERT INTO measure VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", err);
	int ret = stmt ? 0 : -1;

	for (size_t i = 0; ret == 0 && i < view->nr_rows; i++)
		ret = baseline_put_row(store, stmt, id, side, view->rows[i], view->nr_keys, err);
	rs_baseline_db.sqlite3_finalize(stmt);
	return ret;
}

static int baseline_put_view(struct rs_baselines *store, int64_t id, const struct rs_side *side,
			     const struct rs_side_view *view, struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(store, "INSERT INTO view VALUES (NULL, ?, ?, ?)", err);
	struct rs_buf keys = RS_BUF_INIT;

	rs_baseline_sql_put_keys(view, &keys);
	if (stmt) {
		rs_baseline_db.sqlite3_bind_int64(stmt, 1, id);
		rs_baseline_sql_bind_text(stmt, 2, view->ref.view->name);
		rs_baseline_sql_bind_text(stmt, 3, keys.data ? keys.data : "");
	}
	rs_buf_done(&keys);
	if (rs_baseline_sql_finish(store, stmt, err) < 0)
		return -1;
	return baseline_put_rows(store, rs_baseline_db.sqlite3_last_insert_rowid(store->db), side, view, err);
}

static int baseline_put_details(struct rs_baselines *store, const struct rs_side *side,
			      const struct rs_baseline_details *details, struct rs_error *err)
{
	sqlite3_stmt *stmt = rs_baseline_sql_prepare(
		store, "INSERT INTO baseline VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", err);

	if (stmt) {
		rs_baseline_sql_bind_text(stmt, 1, details->name);
		rs_baseline_db.sqlite3_bind_int64(stmt, 2, details->saved_s);
		rs_baseline_sql_bind_text(stmt, 3, details->source);
		rs_baseline_sql_bind_text(stmt, 4, details->kernel);
		rs_baseline_sql_bind_text(stmt, 5, details->machine);
		rs_baseline_sql_bind_text(stmt, 6, details->host);
		rs_baseline_db.sqlite3_bind_int64(stmt, 7, (int64_t)side->len_ns);
		rs_baseline_db.sqlite3_bind_int64(stmt, 8, (int64_t)side->lost_ns);
		rs_baseline_db.sqlite3_bind_int64(stmt, 9, side->of_runs);
		rs_baseline_sql_bind_text(stmt, 10, details->options);
	}
	return rs_baseline_sql_finish(store, stmt, err);
}

static int baseline_put_all(struct rs_baselines *store, const struct rs_side *side,
			    const struct rs_baseline_details *details, struct rs_error *err)
{
	int64_t id;

	if (rs_baseline_sql_drop(store, details->name, err) < 0 ||
	    baseline_put_details(store, side, details, err) < 0)
		return -1;
	id = rs_baseline_db.sqlite3_last_insert_rowid(store->db);
	if (baseline_put_blocks(store, id, side, err) < 0)
		return -1;
	for (size_t i = 0; i < side->nr_views; i++)
		if (!rs_baseline_sql_has_before(side, i) &&
		    baseline_put_view(store, id, side, &side->views[i], err) < 0)
			return -1;
	return 0;
}

uint64_t rs_baseline_nr_views(const struct rs_side *side)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < side->nr_views; i++)
		nr += !rs_baseline_sql_has_before(side, i);
	return nr;
}

int rs_baselines_save(struct rs_baselines *store, const struct rs_side *side,
		      const struct rs_baseline_details *details, struct rs_error *err)
{
	struct rs_error ignored = { 0 };

	if (rs_baseline_sql_exec(store, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (baseline_put_all(store, side, details, err) == 0 &&
	    rs_baseline_sql_exec(store, "COMMIT", err) == 0)
		return 0;
	rs_baseline_sql_exec(store, "ROLLBACK", &ignored);
	return -1;
}
