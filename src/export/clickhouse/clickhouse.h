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

struct rs_clickhouse {
	struct rs_scene scene;          /* first */
	const char *path;               /* of the folder */
	struct rs_export_batch batch;
	int folder;
	struct rs_clickhouse_file files[RS_CLICKHOUSE_NR_TABLES];
	struct rs_sink latencies;
	char host[72], boot[48];
	int64_t realtime_offset_ns;     /* 0 if unknown: times are the trace clock's */
	uint64_t from_ns;
	uint64_t nr_lost, nr_gaps, nr_uncounted; /* of the time that is exported */
};

struct rs_export *rs_clickhouse_make(const struct rs_export_options *options, struct rs_buf *out);

#endif
