// SPDX-License-Identifier: GPL-2.0-or-later
/* biolatency - the distribution of block request latency */
#include <stdio.h>
#include <stdlib.h>

#include "ringside/group-by.h"

/* Latencies of one kind of request on one device. */
struct biolatency_kind {
	struct biolatency_kind *next;
	uint32_t dev;
	char rwbs[RS_RWBS_LEN];
	struct rs_hist d2c, i2c;
};

#define BIOLATENCY_MAX_KINDS 4096 /* a hostile file may name any number of devices and kinds */

struct biolatency {
	struct biolatency_kind *kinds;
	unsigned int nr;
};

static struct biolatency_kind *biolatency_kind_of(struct biolatency *b, const struct rs_request *r)
{
	struct biolatency_kind **at = &b->kinds;

	while (*at && ((*at)->dev != r->dev || strcmp((*at)->rwbs, r->rwbs) != 0))
		at = &(*at)->next;
	if (!*at && b->nr < BIOLATENCY_MAX_KINDS && (*at = calloc(1, sizeof **at))) {
		b->nr++;
		(*at)->dev = r->dev;
		memcpy((*at)->rwbs, r->rwbs, sizeof (*at)->rwbs);
		rs_hist_init(&(*at)->d2c);
		rs_hist_init(&(*at)->i2c);
	}
	return *at;
}

static void biolatency_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct biolatency_kind *kind;

	if (r->discarded || !r->shown)
		return;
	kind = biolatency_kind_of(c->state, r);
	if (!kind) {
		rs_count_evicted(c);
		return;
	}
	rs_hist_add(&kind->d2c, r->complete_ns - r->issue_ns);
	if (r->i2c_known)
		rs_hist_add(&kind->i2c, r->complete_ns - r->insert_ns);
}

static const struct rs_column columns[] = {
	RS_DEV_COLUMN("device, MAJ,MIN"),
	{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5, "kind of request, as in iosnoop" },
	{ "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "the bucket's lower end" },
	{ "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "the bucket's upper end, not in it" },
	{ "count", "count", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10, "requests of that latency" },
	{ 0 },
};

struct biolatency_group {
	bool begun;
	char dev[32], rwbs[RS_RWBS_LEN];
	struct rs_hist lat;
};

static void biolatency_put_group(const struct rs_group_by *by, const struct biolatency_group *g,
				 struct rs_sink *out)
{
	struct rs_value values[5] = { by->dev ? rs_s(g->dev) : rs_null(), by->type ? rs_s(g->rwbs) : rs_null() };
	char label[80];

	snprintf(label, sizeof label, "%s%s%s%s%s", by->dev ? "dev = " : "", by->dev ? g->dev : "",
		 by->dev && by->type ? ", " : "", by->type ? "type = " : "", by->type ? g->rwbs : "");
	rs_log2_rows(out, values, 2, &g->lat, label);
}

static void merge_kind(struct rs_groups *groups, const struct rs_group_by *by, const struct rs_query *q, const struct biolatency_kind *kind)
{
	const struct rs_hist *h = q->queue ? &kind->i2c : &kind->d2c;
	struct rs_group_key key = { .len = 0 };
	struct biolatency_group *g;
	char dev[32];

	rs_dev_text(kind->dev, dev, sizeof dev);
	if (!h->nr || !rs_pattern_matches(q->dev, dev) || !rs_pattern_matches(q->type, kind->rwbs))
		return;
	if (by->dev)
		rs_group_key_str(&key, dev);
	if (by->type)
		rs_group_key_str(&key, kind->rwbs);
	g = rs_groups_get(groups, &key);
	if (!g)
		return;
	if (!g->begun) {
		rs_hist_init(&g->lat);
		memcpy(g->dev, dev, sizeof g->dev);
		memcpy(g->rwbs, kind->rwbs, sizeof g->rwbs);
	}
	g->begun = true;
	rs_hist_merge(&g->lat, h);
}

static void biolatency_put_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct biolatency *b = c->state;
	struct rs_group_by by = rs_group_by_of(q, (struct rs_group_by){ 0 });
	struct rs_groups *groups = rs_groups_new(sizeof(struct biolatency_group));

	if (!groups)
		return;
	for (const struct biolatency_kind *kind = b->kinds; kind; kind = kind->next)
		merge_kind(groups, &by, q, kind);
	for (struct biolatency_group *g = rs_groups_next(groups, NULL); g; g = rs_groups_next(groups, g)) {
		biolatency_put_group(&by, g, out);
		rs_hist_done(&g->lat);
	}
	rs_groups_free(groups);
}

static void biolatency_reset(struct rs_ctx *c)
{
	struct biolatency *b = c->state;

	for (struct biolatency_kind *kind = b->kinds; kind; kind = kind->next) {
		rs_hist_clear(&kind->d2c);
		rs_hist_clear(&kind->i2c);
	}
}

static void biolatency_done(struct rs_ctx *c)
{
	struct biolatency *b = c->state;
	struct biolatency_kind *next;

	for (; b->kinds; b->kinds = next) {
		next = b->kinds->next;
		rs_hist_done(&b->kinds->d2c);
		rs_hist_done(&b->kinds->i2c);
		free(b->kinds);
	}
}

static const struct rs_latencies latencies[] = {
	{ "from_ns,to_ns", .kind = "request", .track_column = "dev" },
	{ 0 },
};

static const struct rs_view views[] = {
	{ .name = "biolatency", .summary = "distribution of block request latency", .kind = RS_VIEW_HIST,
	  .columns = columns, .options = "queue,dev,type,by", .rows = biolatency_put_rows, .text_columns = "from_ns,to_ns,count",
	  .latencies = latencies },
	{ 0 },
};

const struct rs_analysis rs_analysis_biolatency = {
	.abi = RS_ABI,
	.name = "biolatency",
	.summary = "how long block requests take, by device and kind",
	.views = views,
	.state_size = sizeof(struct biolatency),
	.request = biolatency_on_request,
	.reset = biolatency_reset,
	.done = biolatency_done,
};
