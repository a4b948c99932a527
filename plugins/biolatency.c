// SPDX-License-Identifier: GPL-2.0-or-later
/* biolatency - the distribution of block request latency */
#include "ringside/plugin.h"

struct biolatency_row {
	struct rs_hist d2c, i2c;
};

/* Keys are the task, the device and the type. A hostile file may name any number of them. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct biolatency_row), .of_tasks = true, .stays_with_thread = true,
	  .max_rows = 16384, .kept_keys = 3,
	  .measures = RS_LIST(rs_measure,
		{ RS_MEASURE_LATENCY, offsetof(struct biolatency_row, d2c) },
		{ RS_MEASURE_LATENCY, offsetof(struct biolatency_row, i2c) }) },
	{ 0 },
};

static void biolatency_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct biolatency_row *row;

	if (r->discarded || !r->shown)
		return;
	row = rs_store_row_of_stack(c, 0, r->tid ? rs_task_find(c, r->tid) : NULL, r->dev,
				    rs_rwbs_key(r->rwbs), r->stack);
	if (!row)
		return;
	rs_hist_add(&row->d2c, r->complete_ns - r->issue_ns);
	if (r->i2c_known)
		rs_hist_add(&row->i2c, r->complete_ns - r->insert_ns);
}

static struct rs_value biolatency_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_rwbs_text(g->keys[1], buf));
}

static size_t biolatency_measure(const struct rs_query *q)
{
	return q->queue ? offsetof(struct biolatency_row, i2c) : offsetof(struct biolatency_row, d2c);
}

const struct rs_analysis rs_analysis_biolatency = {
	.abi = RS_ABI,
	.name = "biolatency",
	.summary = "how long block requests take, by device and kind",
	.callbacks = RS_LIST(rs_callback, { RS_ON_REQUEST, .request = biolatency_on_request }),
	.views = RS_LIST(rs_view,
		{ .name = "biolatency", .topic = RS_TOPIC_FILES,
		  .diff_by = "dev,type",
		  .summary = "distribution of block request latency",
		  .kind = RS_VIEW_HIST,
		  .options = "queue,dev,type,by", .store = stores, .measure_bytes = biolatency_measure,
		  .text_columns = "from_ns,to_ns,count",
		  .columns = RS_LIST(rs_column,
			{ RS_DEV_COLUMN("device, MAJ,MIN"), .key = RS_KEY_0, .cell = rs_show_dev },
			{ "type", "TYPE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 5, "kind of request, as in iosnoop",
			  .key = RS_KEY_1, .cell = biolatency_show_type },
			RS_GROUP_BY_COLUMNS,
			RS_BY_STACK_COLUMN(rs_show_stack),
			{ "from_ns", "from", RS_TYPE_DURATION, RS_UNIT_US, 0, 10, "the bucket's lower end" },
			{ "to_ns", "to", RS_TYPE_DURATION, RS_UNIT_US, 0, 10,
			  "the bucket's upper end, not in it" },
			{ "count", "count", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 10,
			  "requests of that latency" }),
		  .latencies = RS_LIST(rs_latencies,
				       { "from_ns,to_ns", .kind = "request", .track_column = "dev" }) }),
	.uses_stacks = true,
	.stores = stores,
};
