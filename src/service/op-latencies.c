// SPDX-License-Identifier: GPL-2.0-or-later
/* All spans of a kind may be looked at, millions: so many in a turn, and the rest in later ones. */
#include <string.h>

#include "service/service.h"
#include "rpc/wire-span.h"
#include "rpc/wire.h"

#define OP_LATENCIES_SPANS_PER_BATCH 100000 /* spans; some ten nanoseconds each */
#define MOST_SPANS 100000000 /* a second, or two, of the engine's time */
#define DEFAULT_COLUMNS 80
#define OP_LATENCIES_DEFAULT_SLOWEST 50

/* ---- the question ---- */

static int op_latencies_add_label(struct rs_latency_panel_ask *ask, const cJSON *label, struct rs_error *err)
{
	if (!cJSON_IsString(label) || ask->nr_labels == RS_LATENCY_DIST_LABELS)
		return rs_fail_usage(err, "label is a text, or a list of %d at most", RS_LATENCY_DIST_LABELS);
	ask->labels[ask->nr_labels++] = label->valuestring;
	return 0;
}

static int op_latencies_read_labels(const cJSON *request, struct rs_latency_panel_ask *ask,
				    struct rs_error *err)
{
	const cJSON *label = cJSON_GetObjectItemCaseSensitive(request, "label"), *at;

	if (!label || cJSON_IsNull(label))
		return 0;
	if (!cJSON_IsArray(label))
		return op_latencies_add_label(ask, label, err);
	cJSON_ArrayForEach(at, label)
		if (op_latencies_add_label(ask, at, err) < 0)
			return -1;
	return 0;
}

static int read_as(const cJSON *request, struct rs_latency_panel_ask *ask, struct rs_error *err)
{
	static const char *const names[] = { [RS_LATENCY_DIST_HISTOGRAM] = "histogram",
					     [RS_LATENCY_DIST_HEAT] = "heat",
					     [RS_LATENCY_DIST_SLOWEST] = "slowest" };
	const char *as = rs_wire_text_of(request, "as");
	uint64_t columns, limit;

	for (unsigned int i = 0; as && i < sizeof names / sizeof *names; i++)
		if (!strcmp(as, names[i])) {
			ask->as = (enum rs_latency_dist_as)i;
			if (rs_wire_span_read_number(request, "columns", DEFAULT_COLUMNS, RS_MAX_CELLS, &columns, err) < 0 ||
			    rs_wire_span_read_number(request, "limit", OP_LATENCIES_DEFAULT_SLOWEST, RS_MAX_SLOWEST, &limit, err) < 0)
				return -1;
			ask->columns = (unsigned int)columns;
			ask->limit = limit;
			return 0;
		}
	return rs_fail_usage(err, "as is \"histogram\", \"heat\" or \"slowest\"");
}

/* A heat map of all times begins and ends with what there is. */
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
	const cJSON *r = job->request;
	uint64_t pid, tid;

	*ask = (struct rs_latency_panel_ask){ .nr_labels = 0 };
	if (rs_wire_span_read_kind(r, rs_service_timelines(job->service), &ask->kind, err) < 0 || op_latencies_read_labels(r, ask, err) < 0 ||
	    rs_wire_span_read_number(r, "pid", 0, INT32_MAX, &pid, err) < 0 ||
	    rs_wire_span_read_number(r, "tid", 0, INT32_MAX, &tid, err) < 0 ||
	    rs_wire_span_read_time(r, &ask->from_ns, &ask->to_ns, err) < 0 || read_as(r, ask, err) < 0 ||
	    rs_wire_span_read_number(r, "min_ns", 0, UINT64_MAX, &ask->min_ns, err) < 0 ||
	    rs_wire_span_read_number(r, "max_ns", UINT64_MAX, UINT64_MAX, &ask->max_ns, err) < 0)
		return -1;
	ask->pid = (int32_t)pid;
	ask->tid = (int32_t)tid;
	ask->one_track = cJSON_GetObjectItemCaseSensitive(r, "track") != NULL;
	if (ask->as == RS_LATENCY_DIST_HEAT)
		op_latencies_narrow_filter(job->service, ask);
	return ask->one_track ? rs_wire_span_read_track(r, &ask->track, err) : 0;
}

/* ---- the answer ---- */

static void op_latencies_put_u64(struct rs_json *j, const char *key, uint64_t v)
{
	rs_json_key(j, key);
	rs_wire_u64(j, v);
}

static void put_bucket(void *arg, uint64_t from, uint64_t to, uint64_t nr)
{
	struct rs_json *j = arg;

	rs_json_open(j, '[');
	rs_wire_u64(j, from);
	rs_wire_u64(j, to);
	rs_json_u64(j, nr);
	rs_json_close(j, ']');
}

static void put_quantile(struct rs_json *j, const char *key, const struct rs_hist *h, unsigned int per_mille)
{
	rs_json_key(j, key);
	if (h->nr)
		rs_wire_u64(j, rs_hist_quantile(h, per_mille));
	else
		rs_json_null(j);
}

static void put_histogram(struct rs_json *j, const struct rs_hist *h)
{
	rs_json_put_u64(j, "count", h->nr);
	rs_json_key(j, "avg_ns");
	if (h->nr)
		rs_wire_u64(j, h->sum / h->nr);
	else
		rs_json_null(j);
	put_quantile(j, "p50_ns", h, 500);
	put_quantile(j, "p95_ns", h, 950);
	put_quantile(j, "p99_ns", h, 990);
	put_quantile(j, "max_ns", h, 1000);
	rs_json_key(j, "buckets");
	rs_json_open(j, '[');
	if (h->nr)
		rs_hist_log2(h, put_bucket, j);
	rs_json_close(j, ']');
}

static bool op_latencies_is_empty(const struct rs_latency_dist *s, unsigned int row)
{
	for (unsigned int i = 0; i < s->cells.nr; i++)
		if (s->heat[row * s->cells.nr + i])
			return false;
	return true;
}

static void op_latencies_put_row(struct rs_json *j, const struct rs_latency_dist *s, unsigned int row)
{
	uint64_t from_ns, to_ns;

	rs_latency_dist_heat_bounds(row, &from_ns, &to_ns);
	rs_json_open(j, '{');
	op_latencies_put_u64(j, "from_ns", from_ns);
	op_latencies_put_u64(j, "to_ns", to_ns);
	rs_json_key(j, "counts");
	rs_json_open(j, '[');
	for (unsigned int i = 0; i < s->cells.nr; i++)
		rs_json_u64(j, s->heat[row * s->cells.nr + i]);
	rs_json_close(j, ']');
	rs_json_close(j, '}');
}

/* From the shortest to the longest that there is; [1, 2) has no upper half. */
static void put_heat(struct rs_json *j, const struct rs_latency_dist *s)
{
	unsigned int first = 0, last = RS_HEAT_ROWS;

	while (first < last && op_latencies_is_empty(s, first))
		first++;
	while (first < last && op_latencies_is_empty(s, last - 1))
		last--;
	op_latencies_put_u64(j, "from_ns", s->cells.from_ns);
	op_latencies_put_u64(j, "cell_ns", s->cells.cell_ns);
	rs_json_key(j, "rows");
	rs_json_open(j, '[');
	for (unsigned int row = first; row < last; row++)
		if (row != 2)
			op_latencies_put_row(j, s, row);
	rs_json_close(j, ']');
}

static void op_latencies_put_slowest(struct rs_job *job, const struct rs_latency_dist *s)
{
	struct rs_json *j = &job->reply;

	rs_json_key(j, "spans");
	rs_json_open(j, '[');
	for (size_t i = 0; i < s->nr_slowest; i++)
		rs_wire_span(j, rs_service_timelines(job->service), &s->slowest[i], RS_DEPTH_UNKNOWN);
	rs_json_close(j, ']');
}

/* ---- the job ---- */

static void op_latencies_forget(void *spread)
{
	rs_latency_dist_free(spread);
}

/* The longest are found without a look at most of what is shorter. */
static int refuse_if_expensive(struct rs_job *job, const struct rs_latency_dist *s, struct rs_error *err)
{
	uint64_t nr = rs_latency_dist_nr(s);

	if (s->ask.as == RS_LATENCY_DIST_SLOWEST || nr <= MOST_SPANS)
		return 0;
	job->code = "dear";
	return rs_fail(err, "%llu million spans would be looked at, more than %d (ask for less of the past, or of one task)",
		       (unsigned long long)nr / 1000000, MOST_SPANS / 1000000);
}

static struct rs_latency_dist *op_latencies_begin(struct rs_job *job, struct rs_error *err)
{
	struct rs_latency_panel_ask ask;

	if (op_latencies_read_ask(job, &ask, err) < 0)
		return NULL;
	return rs_latency_dist_new(rs_service_timelines(job->service), &ask, err);
}

static int op_latencies_run(struct rs_job *job, struct rs_error *err)
{
	struct rs_latency_dist *s = job->cached;

	if (!s) {
		s = op_latencies_begin(job, err);
		if (!s)
			return -1;
		job->cached = s;
		job->free_cached = op_latencies_forget;
		if (refuse_if_expensive(job, s, err) < 0)
			return -1;
	}
	if (rs_latency_dist_go(s, OP_LATENCIES_SPANS_PER_BATCH))
		return RS_OP_AGAIN;
	if (s->ask.as == RS_LATENCY_DIST_HISTOGRAM)
		put_histogram(&job->reply, &s->hist);
	else if (s->ask.as == RS_LATENCY_DIST_HEAT)
		put_heat(&job->reply, s);
	else
		op_latencies_put_slowest(job, s);
	return 0;
}

const struct rs_op rs_op_latencies = { .name = "lengths", .place = RS_OP_ENGINE, .run = op_latencies_run };
