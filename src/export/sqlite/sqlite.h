/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sqlite.h - an SQLite database, shared by sqlite*.c only
 *
 * Each view is a table of its name, each kind of span a table span_KIND; beside them stand the tables of
 * rs_sqlite_fixed. All are described by columns as views have them: from these follow the CREATE TABLE, whose
 * comments are the columns' help, and how a row is inserted. Rows go to the file as they come; indices and
 * SQL views follow at the end.
 */
#ifndef RS_EXPORT_SQLITE_SQLITE_H
#define RS_EXPORT_SQLITE_SQLITE_H

#include <sqlite3.h>

#include "base/library.h"
#include "export/scene/scene.h"

/* Of SQLite: see base/library.h. */
#define RS_SQLITE_CALLS(CALL) \
	CALL(sqlite3_bind_double) CALL(sqlite3_bind_int64) CALL(sqlite3_bind_null) \
	CALL(sqlite3_bind_text) CALL(sqlite3_close) \
	CALL(sqlite3_errmsg) CALL(sqlite3_exec) CALL(sqlite3_finalize) CALL(sqlite3_keyword_check) \
	CALL(sqlite3_open_v2) \
	CALL(sqlite3_prepare_v2) CALL(sqlite3_prepare_v3) CALL(sqlite3_progress_handler) \
	CALL(sqlite3_reset) CALL(sqlite3_step) \
	CALL(sqlite3_stricmp)

struct rs_sqlite_calls { RS_SQLITE_CALLS(RS_LIBRARY_CALL) };
extern struct rs_sqlite_calls rs_sqlite_calls;

#define RS_SQLITE_APPLICATION_ID 0x52534442 /* "RSDB", which file(1) and others read at offset 68 */
#define RS_SQLITE_VERSION 1 /* user_version: moves when a table of rs_sqlite_fixed or an SQL view changes */
#define RS_SQLITE_ANY_TYPE 0                /* of a column: a row's columns tell the type of its value */
#define RS_SQLITE_MAX_COLUMNS (RS_MAX_COLUMNS + 8)

/* A table that rows are inserted into. */
struct rs_sqlite_table {
	struct rs_sqlite_table *next;
	char name[64];
	const char *indices;            /* "thread,start_ns;stack": made after the rows; NULL: none */
	unsigned int nr_columns;
	sqlite3_stmt *insert;
};

/* What a table is made of: its own columns, then those of a view or of a kind of span. */
struct rs_sqlite_layout {
	const char *name, *help;
	const struct rs_column *columns, *more_columns; /* end with a NULL name; may be NULL */
	const char *key;                /* the column that is the primary key; NULL: none */
	const char *indices;
};

enum rs_sqlite_fixed {
	RS_SQLITE_THREAD,
	RS_SQLITE_STATE,
	RS_SQLITE_CULPRIT,
	RS_SQLITE_SAMPLE,
	RS_SQLITE_STACK,
	RS_SQLITE_QUANTILE,
	RS_SQLITE_FINDING,
	RS_SQLITE_EVIDENCE,
	RS_SQLITE_CPU,
	RS_SQLITE_DISK,
	RS_SQLITE_GAP,
	RS_SQLITE_META,
	RS_SQLITE_NR_FIXED,
};

struct rs_sqlite_kind;
struct rs_sqlite_rows;

struct rs_sqlite {
	struct rs_scene scene;          /* first */
	sqlite3 *db;                    /* NULL: not opened, or closed */
	bool (*interrupted)(void);
	struct rs_sqlite_table *tables; /* all, the newest first */
	struct rs_sqlite_table *fixed[RS_SQLITE_NR_FIXED];
	struct rs_sqlite_kind *kinds;
	struct rs_sqlite_rows *rows;
	struct rs_buf texts[RS_SQLITE_MAX_COLUMNS]; /* of a row: those that were no UTF-8 */
	uint64_t nr_states;             /* the last id */
};

static inline struct rs_sqlite *rs_sqlite_of(struct rs_scene *s)
{
	return (struct rs_sqlite *)s;
}

struct rs_export *rs_sqlite_make(const struct rs_export_options *options, struct rs_buf *out);

/* ---- sqlite-table.c ---- */

/*
 * Opens the file and begins the one transaction. Failures of all functions here are in export.error; after
 * one, nothing is written.
 */
void rs_sqlite_open(struct rs_sqlite *sq, const char *path);
/* Commits, if nothing failed, and closes the file. */
void rs_sqlite_close(struct rs_sqlite *sq);
void rs_sqlite_run(struct rs_sqlite *sq, const char *statement);
/* Creates a table of that layout; its name is changed where it is taken. NULL: it failed. */
struct rs_sqlite_table *rs_sqlite_table_new(struct rs_sqlite *sq, const struct rs_sqlite_layout *layout);
/* Inserts a row. values: one for each column, those of .more_columns in `more`; NULL where there are none. */
void rs_sqlite_add(struct rs_sqlite *sq, struct rs_sqlite_table *table, const struct rs_column *columns,
		   const struct rs_value *values, const struct rs_column *more_columns,
		   const struct rs_value *more);
void rs_sqlite_make_indices(struct rs_sqlite *sq);

/* ---- sqlite-schema.c ---- */

extern const struct rs_sqlite_layout rs_sqlite_fixed[RS_SQLITE_NR_FIXED];
void rs_sqlite_make_tables(struct rs_sqlite *sq);
void rs_sqlite_make_views(struct rs_sqlite *sq);
/* Inserts a row into a table of rs_sqlite_fixed; a value of meta by the type of its column. */
void rs_sqlite_put(struct rs_sqlite *sq, enum rs_sqlite_fixed table, const struct rs_value *values);
void rs_sqlite_put_meta(struct rs_sqlite *sq, const struct rs_column *column, struct rs_value value);

/* ---- sqlite-rows.c: views and spans ---- */

struct rs_sink *rs_sqlite_add_view(struct rs_scene *s, const struct rs_view *view);
void rs_sqlite_add_kind(struct rs_scene *s, const struct rs_span_kind *kind);
void rs_sqlite_add_span(struct rs_scene *s, struct rs_ctx *c, const struct rs_span_kind *kind,
			const struct rs_span *span);
/* "SELECT ... UNION ALL SELECT ...": all spans. */
void rs_sqlite_put_spans(const struct rs_sqlite *sq, struct rs_buf *out);
void rs_sqlite_free_rows(struct rs_sqlite *sq);

/* ---- sqlite-states.c: states, waits with culprits, samples, tasks ---- */

void rs_sqlite_put_state(struct rs_scene *s, const struct rs_scene_track *at,
			 const struct rs_scene_state *state);
void rs_sqlite_put_sample(struct rs_scene *s, const struct rs_scene_track *at,
			  const struct rs_cpu_sample *sample);
void rs_sqlite_put_stack(struct rs_scene *s, uint32_t stack, uint32_t caller, const struct rs_frame *frame);
void rs_sqlite_put_thread(struct rs_scene *s, const struct rs_scene_track *at);
void rs_sqlite_put_gap(struct rs_scene *s, const struct rs_gap *gap);
/* The number of a task instance: its tid, and above 32 bits its instance. */
static inline uint64_t rs_sqlite_thread_id(const struct rs_task *t)
{
	return rs_span_of(t);
}

/* ---- sqlite-findings.c ---- */

void rs_sqlite_put_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f);

#endif
