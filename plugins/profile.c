// SPDX-License-Identifier: GPL-2.0-or-later
/* profile - which code the tasks ran: samples by function, module, process and thread */
#include <math.h>

#include "ringside/plugin.h"

#define STACK_TEXT_BYTES 16384

/* Samples of one task and one stack. */
struct profile_row {
	uint64_t self, kernel; /* kernel: of these, in the kernel */
	uint64_t total;        /* of a function: also in what it called */
};

/* The key is the stack. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct profile_row), .of_tasks = true, .max_rows = 1 << 18, .stack_of = rs_key0_stack,
	  .measures = RS_LIST(rs_measure, RS_MEASURE_SUMS(struct profile_row, self, total)) },
	{ 0 },
};

struct profile {
	uint64_t nr_samples;   /* since the last reset, of the tasks that are shown */
	char text[STACK_TEXT_BYTES];
};

static void profile_on_sample(struct rs_ctx *c, const struct rs_cpu_sample *sample)
{
	struct profile *p = c->state;
	struct profile_row *row;

	if (!rs_shown(c, sample->task))
		return;
	p->nr_samples++;
	row = rs_store_row(c, 0, sample->task, sample->stack, 0);
	if (!row)
		return;
	row->self++;
	row->kernel += sample->in_kernel;
	row->total++;
}

static void profile_reset(struct rs_ctx *c)
{
	struct profile *p = c->state;

	p->nr_samples = 0;
}

/* ---- a stack counts for each function in it ---- */

static size_t profile_expand(struct rs_ctx *c, uint64_t key0, uint64_t *keys, size_t max)
{
	size_t nr = 1;

	keys[0] = key0;
	if (key0 == RS_KEY_FORGOTTEN)
		return nr;
	for (uint32_t stack = rs_stack_caller(c, (uint32_t)key0); stack && nr < max; stack = rs_stack_caller(c, stack))
		keys[nr++] = stack;
	return nr;
}

static void profile_as_caller(void *row)
{
	struct profile_row *r = row;

	r->self = r->kernel = 0;
}

/* ---- cells ---- */

static struct rs_value show_function(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	return rs_s(frame.function ? frame.function : "[unknown]");
}

static struct rs_value show_module(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	return rs_s(frame.module);
}

static struct rs_value show_address(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	rs_stack_put_address(&frame, buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

/* Outermost first, as folded stacks are written. */
static struct rs_value show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct profile *p = c->state;

	return rs_s(rs_stack_text(c, (uint32_t)g->keys[0], p->text, sizeof p->text));
}

static struct rs_value profile_share(const struct rs_ctx *c, uint64_t nr)
{
	return rs_milli(nr, ((const struct profile *)c->state)->nr_samples, 100);
}

static struct rs_value show_self_share(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return profile_share(c, ((const struct profile_row *)g->row)->self);
}

static struct rs_value show_total_share(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return profile_share(c, ((const struct profile_row *)g->row)->total);
}

/* A bound of the share's 95 % confidence interval, after Wilson: right for few samples, too. */
static struct rs_value show_bound(const struct rs_ctx *c, const struct rs_group *g, double sign)
{
	const struct profile *p = c->state;
	double z = 1.96, n = (double)p->nr_samples, share, bound;

	if (!p->nr_samples)
		return rs_null();
	share = (double)((const struct profile_row *)g->row)->self / n;
	bound = (share + z * z / (2 * n) + sign * z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))) / (1 + z * z / n);
	return rs_u((uint64_t)(bound * 100000 + 0.5));
}

static struct rs_value show_low(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return show_bound(c, g, -1);
}

static struct rs_value show_high(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return show_bound(c, g, 1);
}

#define PROFILE_SUM(member) .measure_bytes = offsetof(struct profile_row, member), .aspect = RS_VALUE
#define SELF_COLUMNS \
	{ "self", "SELF", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "samples in it", PROFILE_SUM(self) }, \
	{ "kernel", "KERNEL", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "of these, in the kernel", PROFILE_SUM(kernel) }, \
	{ "self_pct", "SELF%", RS_TYPE_MILLI, 0, 0, 7, "share of all samples", .cell = show_self_share }, \
	{ "low_pct", "LOW%", RS_TYPE_MILLI, 0, 0, 7, "95 % confidence: the share is at least this", .cell = show_low }, \
	{ "high_pct", "HIGH%", RS_TYPE_MILLI, 0, 0, 7, "likewise, at most this", .cell = show_high }

static const struct rs_column columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "[unknown]: no symbol covers the address", .key = RS_KEY_0, .by_cell = true,
	  .cell = show_function },
	{ "module", "MODULE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16, "program, library or kernel module that has the function", .key = RS_KEY_0,
	  .by_cell = true, .cell = show_module, .follows = "function" },
	{ "address", "ADDRESS", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "module and offset; of the kernel, and of code without a file, an address",
	  .key = RS_KEY_0, .by_cell = true, .cell = show_address },
	SELF_COLUMNS,
	{ "total", "TOTAL", RS_TYPE_COUNT, 0, 0, 8, "samples in it and in what it called", PROFILE_SUM(total) },
	{ "total_pct", "TOTAL%", RS_TYPE_MILLI, 0, 0, 7, "share of all samples", .cell = show_total_share },
	{ 0 },
};

static const struct rs_column stack_columns[] = {
	RS_GROUP_BY_COLUMNS,
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "functions, outermost first", .key = RS_KEY_0, .by_cell = true, .cell = show_stack },
	SELF_COLUMNS,
	{ 0 },
};

const struct rs_analysis rs_analysis_profile = {
	.abi = RS_ABI,
	.name = "profile",
	.summary = "which code runs, by samples of the CPUs",
	.by_name = true,
	.callbacks = RS_LIST(rs_callback, { RS_ON_SAMPLE, .sample = profile_on_sample }),
	.views = RS_LIST(rs_view,
		{ .name = "profile", .summary = "functions that run, by samples of the CPUs", .kind = RS_VIEW_TABLE, .columns = columns,
		  .sort = "-self,-total", .options = "by,frequency,format", .store = stores, .by = "pid,function,module",
		  .text_columns = "self,self_pct,low_pct,high_pct,total_pct,comm,pid,module,function",
		  .expand = profile_expand, .as_caller = profile_as_caller, .folded = "profile-stacks" },
		{ .name = "profile-stacks", .summary = "stacks that run, by samples of the CPUs", .kind = RS_VIEW_TABLE, .columns = stack_columns,
		  .sort = "-self", .options = "by,frequency", .store = stores, .by = "pid,stack",
		  .text_columns = "self,self_pct,comm,pid,stack" }),
	.stores = stores,
	.state_size = sizeof(struct profile),
	.reset = profile_reset,
};
