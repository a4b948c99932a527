// SPDX-License-Identifier: GPL-2.0-or-later
/* op-latencies.c - how long spans were: of one kind, the slowest of each, and together those of each kind */
#include <stdlib.h>

#include "query/kind-sums.h"
#include "service/service.h"
#include "service/where.h"

#define OP_LATENCIES_SPANS_PER_BATCH 100000 /* of up to millions: about ten nanoseconds each */
#define MOST_SPANS 100000000 /* one or two seconds of the engine's time */
#define MAX_KEPT 256
#define BUDGET 60000 /* spans; about ten nanoseconds each */
#define WHERE_BUDGET 600000 /* likewise where most of them do not pass, a hundred nanoseconds each */

/* ---- latencies: the request ---- */

/* A heat map without a time range covers all available spans. */
static void op_latencies_narrow_filter(struct rs_service *service, struct rs_latency_panel_ask *ask)
{
	struct rs_service_stats stats;

	rs_service_stats(service, &stats);
	if (ask->to_ns == UINT64_MAX)
		ask->to_ns = stats.now_ns + 1;
	if (!ask->from_ns)
		ask->from_ns = stats.from_ns < ask->to_ns ? stats.from_ns : 0;
}

static int op_latencies_read_ask(struct rs_job *job, struct rs_latency_panel_ask *ask, struct rs_error *err)
{
	const struct rs_latencies_request *r = job->request;

	*ask = (struct rs_latency_panel_ask){
		.nr_labels = (unsigned int)r->nr_labels, .pid = r->pid, .tid = r->tid,
		.as = (enum rs_latency_dist_as)r->as,
		.columns = r->columns, .limit = r->limit, .min_ns = r->min_ns, .max_ns = r->max_ns,
		.one_track = r->track,
	};
	for (size_t i = 0; i < r->nr_labels; i++)
		ask->labels[i] = r->labels[i];
	if (rs_job_read_kind(&r->kind, job->service->timelines, &ask->kind, err) < 0 ||
	    rs_job_read_time(&r->time, &ask->from_ns, &ask->to_ns, err) < 0)
		return -1;
	if (ask->as == RS_LATENCY_DIST_HEAT)
		op_latencies_narrow_filter(job->service, ask);
	return ask->one_track ? rs_job_read_track(r->track, &ask->track, err) : 0;
}

/* ---- its answer ---- */

static void put_bucket(void *arg, uint64_t from_ns, uint64_t to_ns, uint64_t nr)
{
	rs_message_put(arg, &rs_wire_bucket_message, &(struct rs_wire_bucket){ from_ns, to_ns, nr });
}

static struct rs_value quantile(const struct rs_hist *h, unsigned int per_mille)
{
	return h->nr ? rs_u(rs_hist_quantile(h, per_mille)) : rs_null();
}

/* cells: of a heat map; NULL: of none */
static void op_latencies_put_quantiles(struct rs_json *j, const struct rs_hist *h,
				       const struct rs_cells *cells)
{
	rs_message_put_members(j, &rs_latencies_reply_message, &(struct rs_latencies_reply){
		.count = h->nr, .avg_ns = h->nr ? rs_u(h->sum / h->nr) : rs_null(),
		.p50_ns = quantile(h, 500),
		.p95_ns = quantile(h, 950), .p99_ns = quantile(h, 990), .max_ns = quantile(h, 1000),
		.from_ns = cells ? cells->from_ns : 0, .cell_ns = cells ? cells->cell_ns : 0,
	});
}

static void put_histogram(struct rs_json *j, const struct rs_hist *h)
{
	op_latencies_put_quantiles(j, h, NULL);
	rs_message_open_list(j, "buckets");
	if (h->nr)
		rs_hist_log2(h, put_bucket, j);
	rs_json_close(j, ']');
}

static bool op_latencies_is_empty(const struct rs_latency_dist *s, unsigned int row)
{
	for (unsigned int i = 0; i < s->cells.nr; i++)
		if (s->heat[row * s->cells.nr + i].count)
			return false;
	return true;
}

static void op_latencies_put_row(struct rs_json *j, const struct rs_latency_dist *s, unsigned int row)
{
	const struct rs_heat_cell *cells = s->heat + row * s->cells.nr;
	uint32_t counts[RS_MAX_CELLS];
	uint64_t sums_ns[RS_MAX_CELLS];
	struct rs_heat_row r = { .counts = counts, .nr_counts = s->cells.nr,
				 .sums_ns = sums_ns, .nr_sums_ns = s->cells.nr };

	for (unsigned int i = 0; i < s->cells.nr; i++) {
		counts[i] = cells[i].count;
		sums_ns[i] = cells[i].ns;
	}
	rs_latency_dist_heat_bounds(row, &r.from_ns, &r.to_ns);
	rs_message_put(j, &rs_heat_row_message, &r);
}

/* Puts the rows from the shortest to the longest latency; the bucket [1, 2) has no upper half. */
static void put_heat(struct rs_json *j, const struct rs_latency_dist *s, const struct rs_session *session)
{
	unsigned int first = 0, last = RS_HEAT_ROWS;

	while (first < last && op_latencies_is_empty(s, first))
		first++;
	while (first < last && op_latencies_is_empty(s, last - 1))
		last--;
	op_latencies_put_quantiles(j, &s->hist, &s->cells);
	rs_message_open_list(j, "rows");
	for (unsigned int row = first; row < last; row++)
		if (row != 2)
			op_latencies_put_row(j, s, row);
	rs_json_close(j, ']');
	rs_message_open_list(j, "lost");
	for (unsigned int i = 0; i < s->cells.nr; i++) {
		uint64_t from_ns = s->cells.from_ns + i * s->cells.cell_ns;

		if (rs_session_lost_in(session, from_ns, from_ns + s->cells.cell_ns))
			rs_json_u64(j, i);
	}
	rs_json_close(j, ']');
}

static void op_latencies_put_spans(struct rs_job *job, const char *name, const struct rs_slowest_span *spans,
				   size_t nr)
{
	rs_message_open_list(&job->reply, name);
	for (size_t i = 0; i < nr; i++)
		rs_job_put_span(&job->reply, job->service->timelines, &spans[i], UINT32_MAX);
	rs_json_close(&job->reply, ']');
}

/* ---- its job ---- */

/* What is kept from one batch to the next. */
struct op_latencies {
	struct rs_latency_dist *dist;
	struct rs_where *where;
};

static void op_latencies_forget(void *cached)
{
	struct op_latencies *l = cached;

	rs_latency_dist_free(l->dist);
	free(l->where);
	free(l);
}

static int refuse_if_expensive(struct rs_job *job, uint64_t nr_spans, struct rs_error *err)
{
	if (nr_spans <= MOST_SPANS)
		return 0;
	job->code = "limit";
	return rs_fail(
		err,
		"%llu million spans would be read, more than %d (ask for a shorter time, or for one task)",
		(unsigned long long)nr_spans / 1000000, MOST_SPANS / 1000000);
}

static int op_latencies_begin(struct rs_job *job, struct rs_error *err)
{
	const struct rs_latencies_request *request = job->request;
	struct op_latencies *l = calloc(1, sizeof *l);
	struct rs_latency_panel_ask ask;

	if (!l)
		return rs_fail(err, "latencies: out of memory");
	job->cached = l;
	job->free_cached = op_latencies_forget;
	if (op_latencies_read_ask(job, &ask, err) < 0 ||
	    rs_where_read(request->where, RS_FILTER_SPANS, job->service->timelines, &l->where, err) < 0)
		return -1;
	ask.passes = l->where ? rs_where_span : NULL;
	ask.where = l->where;
	l->dist = rs_latency_dist_new(job->service->timelines, &ask, err);
	if (!l->dist)
		return -1;
	/* the slowest are found without reading most of the others */
	if (ask.as == RS_LATENCY_DIST_SLOWEST)
		return 0;
	return refuse_if_expensive(job, rs_latency_dist_nr(l->dist), err);
}

static int op_latencies_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_latency_dist *s;

	if (!job->cached && op_latencies_begin(job, err) < 0)
		return -1;
	s = ((struct op_latencies *)job->cached)->dist;
	if (rs_latency_dist_go(s, OP_LATENCIES_SPANS_PER_BATCH))
		return RS_OP_AGAIN;
	if (s->ask.as == RS_LATENCY_DIST_HISTOGRAM)
		put_histogram(&job->reply, &s->hist);
	else if (s->ask.as == RS_LATENCY_DIST_HEAT)
		put_heat(&job->reply, s, job->service->session);
	else
		op_latencies_put_spans(job, "spans", s->slowest, s->nr_slowest);
	return 0;
}

const struct rs_op rs_op_latencies = { .name = "latencies", .run = op_latencies_run };

/* ---- kinds ---- */

struct op_kinds {
	struct rs_kind_sums *sums;
	struct rs_where *where;
};

static void op_kinds_forget(void *cached)
{
	struct op_kinds *k = cached;

	rs_kind_sums_free(k->sums);
	free(k->where);
	free(k);
}

static int op_kinds_begin(struct rs_job *job, struct rs_error *err)
{
	const struct rs_kinds_request *r = job->request;
	struct rs_kind_sums_ask ask = { .pid = r->pid, .tid = r->tid, .one_track = r->track };
	struct op_kinds *k = calloc(1, sizeof *k);

	if (!k)
		return rs_fail(err, "kinds: out of memory");
	job->cached = k;
	job->free_cached = op_kinds_forget;
	if (rs_job_read_time(&r->time, &ask.from_ns, &ask.to_ns, err) < 0 ||
	    (r->track && rs_job_read_track(r->track, &ask.track, err) < 0) ||
	    rs_where_read(r->where, RS_FILTER_SPANS, job->service->timelines, &k->where, err) < 0)
		return -1;
	ask.passes = k->where ? rs_where_span : NULL;
	ask.where = k->where;
	k->sums = rs_kind_sums_new(job->service->timelines, &ask, err);
	return k->sums ? refuse_if_expensive(job, rs_span_walk_nr(&k->sums->walk), err) : -1;
}

/* Causes that share a word are one: a screen asks for the spans of a cause by it. */
static void op_kinds_merge(struct rs_kind_sum sums[RS_NR_CAUSES])
{
	for (enum rs_cause from = RS_CAUSE_UNKNOWN + 1; from < RS_NR_CAUSES; from++) {
		enum rs_cause to = from;

		if (!sums[from].count || !rs_cause_find(rs_cause_row(from)->word, &to) || to == from)
			continue;
		sums[to].count += sums[from].count;
		if (__builtin_add_overflow(sums[to].ns, sums[from].ns, &sums[to].ns))
			sums[to].ns = UINT64_MAX;
		sums[from] = (struct rs_kind_sum){ 0 };
	}
}

static void op_kinds_put(struct rs_job *job, struct rs_kind_sums *k)
{
	rs_message_open_list(&job->reply, "kinds");
	for (unsigned int i = 0; i < k->nr_kinds; i++) {
		op_kinds_merge(k->sums[i]);
		for (enum rs_cause cause = RS_CAUSE_UNKNOWN; cause < RS_NR_CAUSES; cause++)
			if (k->sums[i][cause].count)
				rs_message_put(&job->reply, &rs_wire_kind_message, &(struct rs_wire_kind){
					.kind = (uint16_t)i, .count = k->sums[i][cause].count,
					.cause = cause ? rs_cause_row(cause)->word : NULL,
					.total_ns = k->sums[i][cause].ns });
	}
	rs_json_close(&job->reply, ']');
}

static int op_kinds_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_kind_sums *sums;

	if (!job->cached && op_kinds_begin(job, err) < 0)
		return -1;
	sums = ((struct op_kinds *)job->cached)->sums;
	if (rs_kind_sums_go(sums, OP_LATENCIES_SPANS_PER_BATCH))
		return RS_OP_AGAIN;
	op_kinds_put(job, sums);
	return 0;
}

const struct rs_op rs_op_kinds = { .name = "kinds", .run = op_kinds_run };

/* ---- slowest ---- */

/*
 * The slowest spans, collected while spans were emitted: of the last seconds if live, of the whole file
 * otherwise.
 */
static size_t pop_slowest(struct rs_timelines *t, uint64_t from_ns, size_t limit, struct rs_slowest_span *to,
			  size_t max)
{
	struct rs_long_span spans[RS_SLOWEST_TIMES * RS_SLOWEST_OF_EACH];
	const struct rs_slowest_kept *kept;
	size_t nr = 0;

	for (unsigned int kind = 0; rs_timelines_kind_number(t, kind); kind++) {
		size_t of_kind = (kept = rs_timelines_slowest(t, kind)) ?
					 rs_slowest_kept_get(kept, from_ns, spans, limit) :
					 0;

		for (size_t i = 0; i < of_kind && nr < max; i++)
			if (spans[i].span.end_ns - spans[i].span.start_ns >= RS_SLOWEST_LEAST_NS)
				to[nr++] = (struct rs_slowest_span){
					.ref = { rs_track_type_of(spans[i].type), spans[i].id },
					.shape = rs_track_shape_of(spans[i].type), .span = spans[i].span,
				};
	}
	return nr;
}

/*
 * Returns true if the collected spans answer the request: live without an end, for a file also without a
 * begin.
 */
static bool is_kept(const struct rs_job *job, const struct rs_asked_time *time)
{
	return !time->to_ns.known && time->from_ns.known == (job->service->config.interval_ns > 0);
}

static int op_slowest_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_timelines *t = job->service->timelines;
	struct rs_slowest_span cached[MAX_KEPT], *slowest = NULL;
	struct rs_where *where;
	const struct rs_slowest_request *request = job->request;
	uint64_t from_ns, to_ns;
	size_t nr;

	if (rs_job_read_time(&request->time, &from_ns, &to_ns, err) < 0)
		return -1;
	if (!request->where && is_kept(job, &request->time)) {
		op_latencies_put_spans(job, "worst", cached,
				       pop_slowest(t, from_ns, request->limit, cached, MAX_KEPT));
		return 0;
	}
	if (rs_where_read(request->where, RS_FILTER_SPANS, t, &where, err) < 0)
		return -1;
	slowest = rs_latency_dist_find_slowest(t, from_ns, to_ns, request->limit,
					       where ? WHERE_BUDGET : BUDGET, where ? rs_where_span : NULL,
					       where, &nr);
	op_latencies_put_spans(job, "worst", slowest, nr);
	free(slowest);
	free(where);
	return 0;
}

const struct rs_op rs_op_slowest = { .name = "worst", .run = op_slowest_run };
