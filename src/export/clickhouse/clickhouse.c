// SPDX-License-Identifier: GPL-2.0-or-later
/* clickhouse - rows for ClickHouse: a folder with schema.sql and, for each table, its rows as JSONEachRow */
#include "export/clickhouse/clickhouse.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/finding-list.h"
#include "model/latency-sum.h"
#include "ringside/wait.h"
#include "view/formatter.h"

#define CLICKHOUSE_WRITE_BYTES (256u << 10)

const char *const rs_clickhouse_tables[RS_CLICKHOUSE_NR_TABLES] = {
	[RS_CLICKHOUSE_SPAN] = "ringside_span", [RS_CLICKHOUSE_LATENCY] = "ringside_latency",
	[RS_CLICKHOUSE_FINDING] = "ringside_finding", [RS_CLICKHOUSE_BATCH] = "ringside_batch",
};

/* What all tables begin with; the order keeps the rows of a host and a time together. */
#define CLICKHOUSE_HEAD \
	"host String, boot String, batch UInt64, sequence UInt64, time DateTime, time_ns Int64"
#define CLICKHOUSE_ENGINE \
	" ENGINE = ReplacingMergeTree PARTITION BY toDate(time) ORDER BY (host, time, boot, sequence);\n"

const char rs_clickhouse_schema[] =
	"CREATE TABLE IF NOT EXISTS ringside_span (" CLICKHOUSE_HEAD
	", kind String, operation String, command String, pid Nullable(Int32),"
	" tid Nullable(Int32), cpu Nullable(UInt32), disk String, cgroup String, duration_ns UInt64, "
	"in_flight UInt8, details String)" CLICKHOUSE_ENGINE
	"CREATE TABLE IF NOT EXISTS ringside_latency (" CLICKHOUSE_HEAD
	", kind String, operation String, command String, count UInt64, sum_ns UInt64,"
	" max_ns UInt64, buckets Array(UInt64))" CLICKHOUSE_ENGINE
	"CREATE TABLE IF NOT EXISTS ringside_finding (" CLICKHOUSE_HEAD
	", rule String, text String, victim String, culprit String, confidence String,"
	" cost_ns UInt64, advice String)" CLICKHOUSE_ENGINE
	"CREATE TABLE IF NOT EXISTS ringside_batch (" CLICKHOUSE_HEAD
	", from_ns UInt64, to_ns UInt64, lost UInt64, gaps UInt64, gaps_uncounted UInt64,"
	" unmatched UInt64, spans UInt64, dropped_batches UInt64)" CLICKHOUSE_ENGINE;

/* ---- files ---- */

static void clickhouse_write(struct rs_clickhouse *ch, struct rs_clickhouse_file *f)
{
	size_t done = 0;

	if (f->rows.failed)
		rs_fail(&ch->scene.export.error, "cannot write rows: out of memory");
	while (done < f->rows.len && ch->scene.export.error.status == RS_OK) {
		ssize_t n = write(f->fd, f->rows.data + done, f->rows.len - done);

		if (n < 0 && errno != EINTR)
			rs_fail(&ch->scene.export.error, "cannot write rows: %s", strerror(errno));
		done += n > 0 ? (size_t)n : 0;
	}
	rs_buf_clear(&f->rows);
}

static int clickhouse_open(struct rs_clickhouse *ch, const char *name)
{
	char file[64];
	int fd;

	snprintf(file, sizeof file, "%s", name);
	fd = ch->folder < 0 ? -1 : openat(ch->folder, file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		rs_fail(&ch->scene.export.error, "cannot write '%.200s/%s': %s", ch->path, file,
			strerror(errno));
	return fd;
}

static void clickhouse_open_all(struct rs_clickhouse *ch)
{
	struct rs_clickhouse_file schema = { .rows = RS_BUF_INIT };
	char name[48];

	ch->folder = open(ch->path, O_DIRECTORY | O_CLOEXEC);
	for (unsigned int i = 0; i < RS_CLICKHOUSE_NR_TABLES; i++) {
		snprintf(name, sizeof name, "%s.json", rs_clickhouse_tables[i]);
		ch->files[i] = (struct rs_clickhouse_file){ .fd = clickhouse_open(ch, name),
							    .rows = RS_BUF_INIT };
	}
	schema.fd = clickhouse_open(ch, "schema.sql");
	rs_buf_puts(&schema.rows, rs_clickhouse_schema);
	clickhouse_write(ch, &schema);
	rs_buf_done(&schema.rows);
	if (schema.fd >= 0)
		close(schema.fd);
}

/* A batch that has its name is on the disk: whoever ships it forgets the time that it covers. */
static void clickhouse_close_all(struct rs_clickhouse *ch)
{
	for (unsigned int i = 0; i < RS_CLICKHOUSE_NR_TABLES; i++) {
		struct rs_clickhouse_file *f = &ch->files[i];

		clickhouse_write(ch, f);
		rs_buf_done(&f->rows);
		if (f->fd >= 0 && (fsync(f->fd) < 0 || close(f->fd) < 0) && errno != EINVAL)
			rs_fail(&ch->scene.export.error, "cannot write rows: %s", strerror(errno));
		f->fd = -1;
	}
	if (ch->folder >= 0)
		close(ch->folder);
	ch->folder = -1;
}

/* ---- rows ---- */

/* Opens a row, with what all tables begin with: host, boot, batch, sequence, time. */
static void clickhouse_begin_row(struct rs_clickhouse *ch, enum rs_clickhouse_table table, struct rs_json *j,
				 uint64_t ts_ns)
{
	struct rs_clickhouse_file *f = &ch->files[table];
	int64_t wall_ns = (int64_t)ts_ns + ch->realtime_offset_ns;

	rs_json_init(j, &f->rows);
	rs_json_open(j, '{');
	rs_json_put_str(j, "host", ch->host);
	rs_json_put_str(j, "boot", ch->boot);
	rs_json_put_u64(j, "batch", ch->batch.number);
	rs_json_put_u64(j, "sequence", ch->batch.number << 32 | f->nr_rows++);
	rs_json_put_u64(j, "time", wall_ns > 0 ? (uint64_t)wall_ns / 1000000000 : 0);
	rs_json_key(j, "time_ns");
	rs_json_i64(j, wall_ns);
}

static void clickhouse_end_row(struct rs_clickhouse *ch, enum rs_clickhouse_table table, struct rs_json *j)
{
	struct rs_clickhouse_file *f = &ch->files[table];

	rs_json_close(j, '}');
	rs_buf_putc(&f->rows, '\n');
	if (f->rows.len >= CLICKHOUSE_WRITE_BYTES)
		clickhouse_write(ch, f);
}

static void clickhouse_put_i32(struct rs_json *j, const char *key, int32_t v)
{
	rs_json_key(j, key);
	rs_json_i64(j, v);
}

static void clickhouse_put_track(struct rs_ctx *c, const struct rs_span_kind *kind,
				 const struct rs_span *span, struct rs_json *j)
{
	const char *disk = kind->track == RS_TRACK_DISK ? rs_disk_name(c, (uint32_t)span->id) : NULL;
	char dev[32] = "";

	if (kind->track == RS_TRACK_DISK && !disk)
		snprintf(dev, sizeof dev, "%u,%u", (uint32_t)span->id >> 20, (uint32_t)span->id & 0xfffff);
	if (span->task && span->task->pid)
		clickhouse_put_i32(j, "pid", span->task->pid);
	if (span->task)
		clickhouse_put_i32(j, "tid", span->task->tid);
	if (kind->track == RS_TRACK_CPU)
		rs_json_put_u64(j, "cpu", span->id);
	if (kind->track == RS_TRACK_DISK)
		rs_json_put_str(j, "disk", disk ? disk : dev);
	if (span->task && span->task->cgroup)
		rs_json_put_str(j, "cgroup", span->task->cgroup);
}

/* An object in a string: kinds have different columns. */
static void clickhouse_put_details(const struct rs_span_kind *kind, const struct rs_span *span,
				   struct rs_json *j)
{
	struct rs_buf text = RS_BUF_INIT;
	struct rs_json details;

	rs_json_init(&details, &text);
	rs_json_open(&details, '{');
	for (const struct rs_column *column = kind->columns; span->values && column && column->name; column++)
		if (span->values[column - kind->columns].known)
			rs_json_rows_put_cell(&details, column, span->values[column - kind->columns]);
	rs_json_close(&details, '}');
	rs_json_put_str(j, "details", text.failed ? "" : text.data);
	rs_buf_done(&text);
}

static struct rs_clickhouse *clickhouse_of(struct rs_scene *s)
{
	return (struct rs_clickhouse *)s;
}

static void clickhouse_span(struct rs_scene *s, struct rs_ctx *c, const struct rs_span_kind *kind,
			    const struct rs_span *span)
{
	struct rs_clickhouse *ch = clickhouse_of(s);
	uint64_t len_ns = span->end_ns - span->start_ns;
	bool has_label = kind->label && !kind->of_task;
	char buf[96] = "";
	struct rs_json j;

	if ((kind->shape != RS_SPAN_SLICE && kind->shape != RS_SPAN_ASYNC) ||
	    (span->task && rs_is_viewer(c, span->task->pid)))
		return;
	if (len_ns < ch->batch.least_ns || (span->in_flight && ch->batch.is_part))
		return;
	clickhouse_begin_row(ch, RS_CLICKHOUSE_SPAN, &j, span->start_ns);
	rs_json_put_str(&j, "kind", kind->name);
	rs_json_put_str(&j, "operation",
			has_label ? kind->label(c, rs_span_name_arg(kind, span->arg), buf, sizeof buf) : "");
	rs_json_put_str(&j, "command", span->task ? span->task->comm : "");
	clickhouse_put_track(c, kind, span, &j);
	rs_json_put_u64(&j, "duration_ns", len_ns);
	rs_json_put_u64(&j, "in_flight", span->in_flight);
	clickhouse_put_details(kind, span, &j);
	clickhouse_end_row(ch, RS_CLICKHOUSE_SPAN, &j);
}

/* ---- sums of latencies ---- */

static void clickhouse_put_buckets(struct rs_json *j, const struct rs_latency_sum *sum)
{
	unsigned int nr = RS_LATENCY_BUCKETS;

	while (nr && !sum->buckets[nr - 1])
		nr--;
	rs_json_key(j, "buckets");
	rs_json_open(j, '[');
	for (unsigned int i = 0; i < nr; i++)
		rs_json_u64(j, sum->buckets[i]);
	rs_json_close(j, ']');
}

static void clickhouse_put_column(struct rs_json *j, const char *key, struct rs_value text)
{
	rs_json_put_str(j, key, text.known ? text.s : "");
}

static void clickhouse_latency(struct rs_sink *sink, const struct rs_value *values, const void *measures)
{
	struct rs_clickhouse *ch = (void *)((char *)sink - offsetof(struct rs_clickhouse, latencies));
	uint64_t to_ns = ch->batch.to_ns ? ch->batch.to_ns : ch->scene.end_ns;
	const struct rs_latency_sum *sum = measures;
	struct rs_json j;

	clickhouse_begin_row(ch, RS_CLICKHOUSE_LATENCY, &j, to_ns);
	clickhouse_put_column(&j, "kind", values[RS_LATENCY_KIND]);
	clickhouse_put_column(&j, "operation", values[RS_LATENCY_OPERATION]);
	clickhouse_put_column(&j, "command", values[RS_LATENCY_COMMAND]);
	rs_json_put_u64(&j, "count", sum->nr);
	rs_json_put_u64(&j, "sum_ns", sum->sum_ns);
	rs_json_put_u64(&j, "max_ns", sum->max_ns);
	clickhouse_put_buckets(&j, sum);
	clickhouse_end_row(ch, RS_CLICKHOUSE_LATENCY, &j);
}

/* ---- findings, the batch ---- */

static void clickhouse_finding(struct rs_scene *s, unsigned int nr, const struct rs_finding_item *f)
{
	struct rs_clickhouse *ch = clickhouse_of(s);
	char text[RS_FINDING_TEXT];
	struct rs_json j;

	clickhouse_begin_row(ch, RS_CLICKHOUSE_FINDING, &j, f->since_ns ? f->since_ns : ch->from_ns);
	rs_json_put_str(&j, "rule", f->rule->name);
	rs_json_put_str(&j, "text", rs_finding_list_text(f, text));
	rs_json_put_str(&j, "victim", f->victim.name);
	rs_json_put_str(&j, "culprit", f->culprit.name);
	rs_json_put_str(&j, "confidence", f->confidence == RS_INFERRED ? "inferred" : "measured");
	rs_json_put_u64(&j, "cost_ns", f->cost_ns);
	rs_json_put_str(&j, "advice", f->rule->advice ? f->rule->advice : "");
	clickhouse_end_row(ch, RS_CLICKHOUSE_FINDING, &j);
}

static void clickhouse_put_batch(struct rs_clickhouse *ch, uint64_t to_ns, uint64_t nr_unmatched)
{
	struct rs_json j;

	clickhouse_begin_row(ch, RS_CLICKHOUSE_BATCH, &j, ch->from_ns);
	rs_json_put_u64(&j, "from_ns", ch->from_ns);
	rs_json_put_u64(&j, "to_ns", to_ns);
	rs_json_put_u64(&j, "lost", ch->nr_lost);
	rs_json_put_u64(&j, "gaps", ch->nr_gaps);
	rs_json_put_u64(&j, "gaps_uncounted", ch->nr_uncounted);
	rs_json_put_u64(&j, "unmatched", nr_unmatched);
	rs_json_put_u64(&j, "spans", ch->files[RS_CLICKHOUSE_SPAN].nr_rows);
	rs_json_put_u64(&j, "dropped_batches", ch->batch.nr_dropped);
	clickhouse_end_row(ch, RS_CLICKHOUSE_BATCH, &j);
}

/* ---- the format ---- */

static void clickhouse_loss(struct rs_scene *s, const struct rs_gap *gap)
{
	struct rs_clickhouse *ch = clickhouse_of(s);

	ch->nr_gaps++;
	ch->nr_lost += gap->nr_lost;
	ch->nr_uncounted += !gap->nr_lost;
}

static bool clickhouse_draws(const struct rs_span_kind *kind)
{
	return kind->shape == RS_SPAN_SLICE || kind->shape == RS_SPAN_ASYNC;
}

static void clickhouse_begin(struct rs_scene *s, unsigned int pass)
{
	struct rs_clickhouse *ch = clickhouse_of(s);
	const struct rs_trace_info *info = s->info;

	ch->from_ns = ch->batch.from_ns ? ch->batch.from_ns : s->begin_ns;
	ch->realtime_offset_ns = info->realtime_offset_known ? info->realtime_offset_ns : 0;
	snprintf(ch->host, sizeof ch->host, "%s",
		 ch->batch.host ? ch->batch.host :
		 info->host     ? info->host :
				  "");
	if (ch->batch.boot) {
		snprintf(ch->boot, sizeof ch->boot, "%s", ch->batch.boot);
		return;
	}
	snprintf(ch->boot, sizeof ch->boot, "%016" PRIx64, info->trace_id ? info->trace_id : s->begin_ns);
	ch->batch.number = s->export.part; /* two parts of a recording may have a row each of one time */
}

static void clickhouse_end(struct rs_scene *s, unsigned int pass, const struct rs_quality *quality)
{
	struct rs_clickhouse *ch = clickhouse_of(s);
	uint64_t to_ns = ch->batch.to_ns ? ch->batch.to_ns : quality->to_ns;

	if (!ch->batch.from_ns)
		ch->from_ns = quality->from_ns;
	clickhouse_put_batch(ch, to_ns, quality->unmatched);
	if (ch->batch.nr_unmatched)
		*ch->batch.nr_unmatched = quality->unmatched;
}

static void clickhouse_close(struct rs_scene *s)
{
	clickhouse_close_all(clickhouse_of(s));
}

static void clickhouse_free(struct rs_scene *s)
{
	struct rs_clickhouse *ch = clickhouse_of(s);

	clickhouse_close_all(ch);
	rs_scene_done(s);
	free(ch);
}

static const struct rs_scene_ops clickhouse_ops = {
	.name = "clickhouse", .summary = "durations of states, for ClickHouse", .span_values = true,
	.begin = clickhouse_begin, .end = clickhouse_end, .close = clickhouse_close,
	.free = clickhouse_free, .finding = clickhouse_finding,
	.draws = clickhouse_draws, .span = clickhouse_span, .loss = clickhouse_loss,
};

struct rs_export *rs_clickhouse_make(const struct rs_export_options *options, struct rs_buf *out)
{
	struct rs_clickhouse *ch = calloc(1, sizeof *ch);

	(void)out;
	if (!ch)
		return NULL;
	ch->folder = -1;
	ch->path = options->path;
	ch->batch = options->batch;
	ch->latencies.measures = clickhouse_latency;
	rs_scene_init(&ch->scene, &clickhouse_ops);
	ch->scene.export.latencies = &ch->latencies;
	clickhouse_open_all(ch);
	return &ch->scene.export;
}
