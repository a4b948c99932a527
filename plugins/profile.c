// SPDX-License-Identifier: GPL-2.0-or-later
/* profile - which code the tasks ran: samples by function, module, process and thread */
#include "ringside/plugin.h"
#include "ringside/sample.h"

#define STACK_TEXT_BYTES 16384

/* Samples of one task and one stack. */
struct profile_row {
	uint64_t self, kernel; /* kernel: of these, in the kernel */
	uint64_t total;        /* of a function: also in what it called */
	uint64_t cycles, instructions, cache_misses; /* of .self, as far as they are known */
	uint64_t nr_ipc, nr_cache_misses; /* samples of which these are */
	uint64_t self_weight, total_weight; /* of these samples: shares are theirs */
};

/* The keys are the stack and the CPU. */
static const struct rs_store stores[] = {
	{ .row_bytes = sizeof(struct profile_row), .of_tasks = true, .max_rows = 1 << 18,
	  .key0_is_stack = true,
	  .measures = RS_LIST(rs_measure, RS_MEASURE_SUMS(struct profile_row, self, total_weight)) },
	{ 0 },
};

struct profile {
	uint64_t nr_samples, weight; /* since the last reset, of the tasks that are shown */
	char text[STACK_TEXT_BYTES], modules[STACK_TEXT_BYTES];
};

/* ---- spans: a tick for each sample ---- */

static const char *profile_label(struct rs_ctx *c, uint64_t arg, char *buf, size_t size_bytes)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)arg, &frame);
	return frame.function ? frame.function : "[unknown]";
}

static void profile_emit_sample(struct rs_ctx *c, const struct rs_cpu_sample *sample)
{
	struct profile *p = c->state;
	struct rs_value values[] = { rs_null(), rs_null(), rs_u(sample->cpu) };

	if (rs_span_values_enabled(c)) {
		values[0] = rs_s(rs_stack_text(c, sample->stack, p->text, sizeof p->text));
		values[1] = rs_s(rs_stack_modules(c, sample->stack, p->modules, sizeof p->modules));
	}
	rs_emit_span(c, 0, &(struct rs_span){ .task = sample->task, .start_ns = sample->ts_ns,
					      .end_ns = sample->ts_ns, .arg = sample->stack,
					      .values = values });
}

#define PROFILE_OF_IPC (1u << RS_COUNTER_CYCLES | 1u << RS_COUNTER_INSTRUCTIONS)

static void profile_add_counts(struct profile_row *row, const struct rs_cpu_sample *sample)
{
	if ((sample->counted & PROFILE_OF_IPC) == PROFILE_OF_IPC) {
		row->nr_ipc++;
		row->cycles += sample->grown[RS_COUNTER_CYCLES];
		row->instructions += sample->grown[RS_COUNTER_INSTRUCTIONS];
	}
	if (sample->counted & 1u << RS_COUNTER_CACHE_MISSES) {
		row->nr_cache_misses++;
		row->cache_misses += sample->grown[RS_COUNTER_CACHE_MISSES];
	}
}

static void profile_on_sample(struct rs_ctx *c, const struct rs_cpu_sample *sample)
{
	struct profile *p = c->state;
	struct profile_row *row;

	if (!rs_shown(c, sample->task))
		return;
	if (rs_spans_enabled(c))
		profile_emit_sample(c, sample);
	p->nr_samples++;
	p->weight += sample->weight;
	row = rs_store_row(c, 0, sample->task, sample->stack, sample->cpu);
	if (!row)
		return;
	row->self++;
	row->kernel += sample->in_kernel;
	row->total++;
	row->self_weight += sample->weight;
	row->total_weight += sample->weight;
	profile_add_counts(row, sample);
}

static void profile_reset(struct rs_ctx *c)
{
	struct profile *p = c->state;

	p->nr_samples = p->weight = 0;
}

/* ---- a stack counts for each function in it ---- */

static size_t profile_expand(struct rs_ctx *c, uint64_t key0, uint64_t *keys, size_t max)
{
	size_t nr = 1;

	keys[0] = key0;
	if (key0 == RS_KEY_FORGOTTEN)
		return nr;
	for (uint32_t stack = rs_stack_caller(c, (uint32_t)key0); stack && nr < max;
	     stack = rs_stack_caller(c, stack))
		keys[nr++] = stack;
	return nr;
}

static void profile_as_caller(void *row)
{
	struct profile_row *r = row;

	r->self = r->kernel = r->self_weight = 0;
	r->cycles = r->instructions = r->cache_misses = r->nr_ipc = r->nr_cache_misses = 0;
}

/* ---- cells ---- */

static struct rs_value profile_show_function(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	return rs_s(frame.function ? frame.function : "[unknown]");
}

static struct rs_value profile_show_module(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	return rs_s(frame.module);
}

static struct rs_value profile_show_address(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct rs_frame frame;

	rs_stack_frame(c, (uint32_t)g->keys[0], &frame);
	rs_stack_put_address(&frame, buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

static uint32_t profile_stack(const struct rs_ctx *c, const struct rs_group *g)
{
	return (uint32_t)g->keys[0];
}

static struct rs_value profile_show_stack(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct profile *p = c->state;

	return rs_s(rs_stack_text(c, (uint32_t)g->keys[0], p->text, sizeof p->text));
}

static struct rs_value profile_show_modules(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	struct profile *p = c->state;

	return rs_s(rs_stack_modules(c, (uint32_t)g->keys[0], p->modules, sizeof p->modules));
}

static struct rs_value profile_share(const struct rs_ctx *c, uint64_t weight)
{
	return rs_milli(weight, ((const struct profile *)c->state)->weight, 100);
}

static struct rs_value profile_show_user(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct profile_row *row = g->row;

	return rs_u(row->self - row->kernel);
}

static struct rs_value profile_show_self_share(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return profile_share(c, ((const struct profile_row *)g->row)->self_weight);
}

static struct rs_value profile_show_total_share(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return profile_share(c, ((const struct profile_row *)g->row)->total_weight);
}

/* The share is that of the weight; how sure it is follows from the number of samples. */
static struct rs_value profile_bound(const struct rs_ctx *c, uint64_t weight, int sign)
{
	const struct profile *p = c->state;
	double share = p->weight ? (double)weight / (double)p->weight : 0;

	return p->weight ? rs_u((uint64_t)(rs_share_of_bound(share < 1 ? share : 1, p->nr_samples, sign) *
						   100000 +
					   0.5)) :
			   rs_null();
}

static struct rs_value profile_show_low(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return profile_bound(c, ((const struct profile_row *)g->row)->self_weight, -1);
}

static struct rs_value profile_show_high(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return profile_bound(c, ((const struct profile_row *)g->row)->self_weight, 1);
}

static struct rs_value profile_show_instructions(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct profile_row *row = g->row;

	return rs_u_if(row->nr_ipc, row->instructions);
}

static struct rs_value profile_show_cache_misses(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct profile_row *row = g->row;

	return rs_u_if(row->nr_cache_misses, row->cache_misses);
}

static struct rs_value profile_show_ipc(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct profile_row *row = g->row;

	return rs_milli(row->instructions, row->cycles, 1);
}

#define PROFILE_SUM(member) .measure_bytes = offsetof(struct profile_row, member), .aspect = RS_VALUE
#define CPU_COLUMN \
	{ \
		"cpu", "CPU", RS_TYPE_ID, 0, RS_COLUMN_KEY, 4, "the CPU, under --by cpu; null: all of them", \
			.key = RS_KEY_1 \
	}
#define SELF_COLUMNS \
	{ "self", "SELF", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "samples in it", PROFILE_SUM(self) }, \
	{ "kernel", "KERNEL", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "of these, in the kernel", \
	  PROFILE_SUM(kernel) }, \
	{ "user", "USER", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 8, "and outside of it", \
	  .cell = profile_show_user }, \
	{ "self_pct", "SELF%", RS_TYPE_MILLI, 0, 0, 7, \
	  "share of all samples, each by its period (as perf report)", .cell = profile_show_self_share }, \
	{ "low_pct", "LOW%", RS_TYPE_MILLI, 0, 0, 7, "95 % confidence: the share is at least this", \
	  .cell = profile_show_low }, \
	{ "high_pct", "HIGH%", RS_TYPE_MILLI, 0, 0, 7, "likewise, at most this", \
	  .cell = profile_show_high }, \
	{ "instructions", "INSTRUCTIONS", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 13, \
	  "counted since the CPU's last sample each; null: no PMU", \
	  .cell = profile_show_instructions }, \
	{ "cache_misses", "CACHE_MISSES", RS_TYPE_COUNT, 0, RS_COLUMN_SUM, 13, "likewise", \
	  .cell = profile_show_cache_misses }, \
	{ "ipc", "IPC", RS_TYPE_MILLI, 0, 0, 5, "instructions a cycle", .cell = profile_show_ipc }

static const struct rs_column columns[] = {
	RS_TASK_COLUMNS,
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_IF_KNOWN),
	{ "function", "FUNCTION", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "[unknown]: no symbol covers the address", .key = RS_KEY_0, .by_cell = true,
	  .cell = profile_show_function },
	{ "module", "MODULE", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 16,
	  "program, library or kernel module that has the function", .key = RS_KEY_0,
	  .by_cell = true, .cell = profile_show_module, .follows = "function" },
	{ "address", "ADDRESS", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "module and offset; of the kernel, and of code without a file, an address",
	  .key = RS_KEY_0, .by_cell = true, .cell = profile_show_address },
	CPU_COLUMN,
	SELF_COLUMNS,
	{ "total", "TOTAL", RS_TYPE_COUNT, 0, 0, 8, "samples in it and in what it called",
	  PROFILE_SUM(total) },
	{ "total_pct", "TOTAL%", RS_TYPE_MILLI, 0, 0, 7, "share of all samples",
	  .cell = profile_show_total_share },
	{ 0 },
};

static const struct rs_column stack_columns[] = {
	RS_TASK_COLUMNS,
	RS_CGROUP_COLUMNS(RS_COLUMN_KEY, RS_COLUMN_IF_KNOWN),
	{ "stack", "STACK", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0, "functions, outermost first", .key = RS_KEY_0,
	  .by_cell = true, .cell = profile_show_stack, .stack = profile_stack },
	{ "modules", "MODULES", RS_TYPE_TEXT, 0, RS_COLUMN_KEY, 0,
	  "modules of these functions, in the same order", .key = RS_KEY_0, .by_cell = true,
	  .cell = profile_show_modules, .stack = profile_stack, .of_modules = true, .follows = "stack" },
	CPU_COLUMN,
	SELF_COLUMNS,
	{ 0 },
};

const struct rs_analysis rs_analysis_profile = {
	.abi = RS_ABI,
	.name = "profile",
	.summary = "which code runs, by samples of the CPUs",
	.by_name = true,
	.samples = RS_SAMPLE_CGROUPS,
	.callbacks = RS_LIST(rs_callback, { RS_ON_SAMPLE, .sample = profile_on_sample }),
	.views = RS_LIST(rs_view,
		{ .name = "profile", .topic = RS_TOPIC_CODE,
		  .summary = "functions that run, by samples of the CPUs",
		  .kind = RS_VIEW_TABLE, .columns = columns,
		  .sort = "-self,-total", .options = "by,frequency,call-graph,format,debuginfod",
		  .store = stores, .by = "pid,function,module",
		  .text_columns = "self,self_pct,low_pct,high_pct,total_pct,ipc,comm,pid,module,function",
		  .expand = profile_expand, .as_caller = profile_as_caller, .folded = "profile-stacks" },
		{ .name = "profile-stacks", .topic = RS_TOPIC_CODE, .role = RS_ROLE_CPU_STACKS,
		  .summary = "stacks that run, by samples of the CPUs", .kind = RS_VIEW_TABLE,
		  .columns = stack_columns,
		  .sort = "-self", .options = "by,frequency,call-graph,format,debuginfod",
		  .folded = "profile-stacks", .store = stores, .by = "pid,stack",
		  .text_columns = "self,self_pct,comm,pid,stack" }),
	.stores = stores,
	.spans = RS_LIST(rs_span_kind,
		{ .name = "sample", .track = RS_TRACK_TASK, .shape = RS_SPAN_SAMPLE, .label = profile_label,
		  .of_stack = true,
		  .columns = RS_LIST(rs_column, RS_STACK_COLUMNS,
				     { "cpu", "CPU", RS_TYPE_ID, 0, 0, 0, "the CPU" }) }),
	.state_size = sizeof(struct profile),
	.reset = profile_reset,
};
