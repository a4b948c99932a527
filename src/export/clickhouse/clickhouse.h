/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clickhouse.h - rows for ClickHouse: a folder with schema.sql and, for each table, its rows as JSONEachRow
 *
 *	clickhouse-client --multiquery <out/schema.sql
 *	clickhouse-client -q "INSERT INTO ringside_span FORMAT JSONEachRow" <out/ringside_span.json   # ...
 *
 * Each row has (host, boot, sequence), which no other row of its table has: a row that is inserted twice is
 * one row. Shared by clickhouse*.c only, except for the names of the tables.
 */
#ifndef RS_EXPORT_CLICKHOUSE_CLICKHOUSE_H
#define RS_EXPORT_CLICKHOUSE_CLICKHOUSE_H

#include "base/json.h"
#include "export/scene/scene.h"

enum rs_clickhouse_table {
	RS_CLICKHOUSE_SPAN,      /* each span that lasts long enough */
	RS_CLICKHOUSE_LATENCY,   /* durations of all spans and states, summed */
	RS_CLICKHOUSE_FINDING,
	RS_CLICKHOUSE_BATCH,     /* one row: of which time, and how reliable */
	RS_CLICKHOUSE_NR_TABLES,
};

extern const char *const rs_clickhouse_tables[RS_CLICKHOUSE_NR_TABLES]; /* "ringside_span" */
/* CREATE TABLE of all, each ended by ";\n". */
extern const char rs_clickhouse_schema[];

struct rs_clickhouse_file {
	int fd;
	struct rs_buf rows;
	uint64_t nr_rows;
};

struct rs_clickhouse_sums;

struct rs_clickhouse {
	struct rs_scene scene;          /* first */
	const char *path;               /* of the folder */
	struct rs_export_batch batch;
	int folder;
	struct rs_clickhouse_file files[RS_CLICKHOUSE_NR_TABLES];
	struct rs_clickhouse_sums *sums;
	char host[72], boot[48];
	int64_t realtime_offset_ns;     /* 0 if unknown: times are the trace clock's */
	uint64_t from_ns;
	uint64_t nr_lost, nr_gaps, nr_uncounted; /* of the time that is exported */
};

/*
 * Opens a row, with what all tables begin with: host, boot, batch, sequence, time. Close it with
 * rs_clickhouse_end_row.
 */
void rs_clickhouse_begin_row(struct rs_clickhouse *ch, enum rs_clickhouse_table table, struct rs_json *j,
			     uint64_t ts_ns);
void rs_clickhouse_end_row(struct rs_clickhouse *ch, enum rs_clickhouse_table table, struct rs_json *j);

/* ---- clickhouse-sums.c: durations by kind, operation and command ---- */

struct rs_clickhouse_sums *rs_clickhouse_sums_new(void); /* NULL: no memory */
void rs_clickhouse_sums_free(struct rs_clickhouse_sums *sums);
/* A duration: those with the same .kind, .arg and .command are of the same operation. */
struct rs_clickhouse_duration {
	const char *kind;               /* "syscall" */
	const char *operation;          /* "read"; NULL: what .of->label makes of .arg; "" none */
	const struct rs_span_kind *of;  /* NULL: of a state */
	struct rs_ctx *c;               /* for the label */
	uint64_t arg;
	const struct rs_task *task;     /* whose command; NULL: none */
	uint64_t len_ns;
};

/* Strings are copied. Beyond 8192 different ones a kind's sums are under "(others)". */
void rs_clickhouse_sums_add(struct rs_clickhouse_sums *sums, const struct rs_clickhouse_duration *d);
void rs_clickhouse_sums_put(const struct rs_clickhouse_sums *sums, struct rs_clickhouse *ch, uint64_t ts_ns);

struct rs_export *rs_clickhouse_make(const struct rs_export_options *options, struct rs_buf *out);

#endif
