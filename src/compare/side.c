// SPDX-License-Identifier: GPL-2.0-or-later
/* side - what one side of a comparison measured: rows of views by keys that last, block by block */
#include "compare/side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "compare/side-keys.h"
#include "compare/side-stacks.h"

#define SIDE_STEP_LEAST_NS 20000000u /* shorter ones have hardly anything in them */
#define SIDE_STEP_LIVE_NS 100000000u
#define SIDE_STEP_RUN_NS (1000 * 86400 * UINT64_C(1000000000)) /* it ends before */

/* ---- which columns ---- */

static bool side_is_latency(const struct rs_column *c)
{
	return c->aspect >= RS_COUNT && c->aspect <= RS_MAX;
}

/* Time first: what costs is compared, and how often it came is counted beside it. */
static const struct rs_column *side_measure(const struct rs_view *view, bool *is_latency)
{
	const struct rs_column *sum = NULL;

	for (const struct rs_column *c = view->columns; c->name; c++) {
		*is_latency = side_is_latency(c) || (view->kind == RS_VIEW_HIST && !c->key);
		if (*is_latency)
			return c;
		if (!sum && c->aspect == RS_VALUE && c->flags & RS_COLUMN_SUM)
			sum = c;
	}
	return sum;
}

static const struct rs_column *side_measure_named(const struct rs_view *view, const char *name)
{
	for (const struct rs_column *c = view->columns; c->name; c++)
		if (c->aspect == RS_VALUE && !strcmp(c->name, name))
			return c;
	return NULL;
}

bool rs_side_can_compare(const struct rs_view *view)
{
	bool is_latency;

	return view->store && side_measure(view, &is_latency);
}

static int side_add_view(struct rs_side_view *v, const struct rs_side_asked *asked, struct rs_error *err)
{
	const struct rs_view *view = asked->ref.view;

	v->ref = asked->ref;
	if (!rs_side_can_compare(view))
		return rs_fail_usage(err, "%s: there is nothing to compare in it: its rows are no sums of a "
					  "key that lasts",
				     view->name);
	v->measure = side_measure(view, &v->is_latency);
	v->is_own_measure = !asked->measure;
	if (asked->measure) {
		v->measure = side_measure_named(view, asked->measure);
		v->is_latency = false;
	}
	if (!v->measure)
		return rs_fail_usage(err, "%s: there is no sum '%s' in it", view->name, asked->measure);
	if (!rs_map_init(&v->map, 64))
		return rs_fail(err, "cannot compare: out of memory");
	return rs_side_keys_choose(v, asked->by, err);
}

struct rs_side *rs_side_new(const struct rs_side_asked *views, size_t nr_views, struct rs_error *err)
{
	struct rs_side *side = calloc(1, sizeof *side);

	if (side)
		side->views = calloc(nr_views, sizeof *side->views);
	if (!side || !side->views) {
		rs_fail(err, "cannot compare: out of memory");
		free(side);
		return NULL;
	}
	side->steps_a_block = 1;
	for (; side->nr_views < nr_views; side->nr_views++)
		if (side_add_view(&side->views[side->nr_views], &views[side->nr_views], err) < 0) {
			side->nr_views++;
			rs_side_free(side);
			return NULL;
		}
	return side;
}

static void side_free_row(struct rs_side_row *row)
{
	free(row->points);
	free((char *)row->key);
	free(row);
}

void rs_side_free(struct rs_side *side)
{
	for (size_t i = 0; side && i < side->nr_views; i++) {
		struct rs_side_view *v = &side->views[i];

		for (size_t r = 0; r < v->nr_rows; r++)
			side_free_row(v->rows[r]);
		free(v->rows);
		rs_map_done(&v->map);
	}
	if (side)
		free(side->views);
	free(side);
}

/* ---- rows ---- */

struct rs_side_row *rs_side_find(const struct rs_side_view *view, const char *key, size_t key_bytes)
{
	struct rs_map_node *n = rs_map_find(&view->map, rs_hash_bytes(key, key_bytes));

	for (; n; n = rs_map_find_next(n)) {
		struct rs_side_row *row = RS_MAP_ENTRY(n, struct rs_side_row, node);

		if (row->key_bytes == key_bytes && !memcmp(row->key, key, key_bytes))
			return row;
	}
	return NULL;
}

const char *rs_side_key(const struct rs_side_row *row, unsigned int n)
{
	const char *at = row->key;

	for (; n && at < row->key + row->key_bytes; n--)
		at += strlen(at) + 1;
	return at < row->key + row->key_bytes ? at : "";
}

void rs_side_put_text(struct rs_buf *key, const struct rs_side_view *view, const struct rs_side_row *row)
{
	rs_buf_clear(key);
	for (unsigned int i = 0; i < view->nr_keys; i++)
		rs_buf_printf(key, "%s%s", i ? " " : "", rs_side_key(row, i));
}

static struct rs_side_row *side_make_row(struct rs_side *side, struct rs_side_view *v, const char *key,
					 size_t key_bytes)
{
	struct rs_side_row *row = calloc(1, sizeof *row), **at;
	char *copy = malloc(key_bytes + 1);

	at = row && copy ? RS_VECTOR_ADD(&v->rows, &v->nr_rows, &v->room) : NULL;
	if (!at) {
		side->failed = true;
		free(row);
		free(copy);
		return NULL;
	}
	memcpy(copy, key, key_bytes);
	copy[key_bytes] = '\0';
	row->key = copy;
	row->key_bytes = key_bytes;
	rs_map_add(&v->map, &row->node, rs_hash_bytes(key, key_bytes));
	side->nr_rows++;
	return *at = row;
}

struct rs_side_row *rs_side_get_row(struct rs_side *side, struct rs_side_view *v, const char *key,
				    size_t key_bytes)
{
	struct rs_side_row *row = rs_side_find(v, key, key_bytes);

	if (row)
		return row;
	if (side->nr_rows >= RS_SIDE_ROWS) {
		side->nr_left_out++;
		return NULL;
	}
	return side_make_row(side, v, key, key_bytes);
}

/* All that is of another one, block by block. */
static bool side_add_row(struct rs_side_row *to, const struct rs_side_row *row)
{
	if (!RS_VECTOR_RESERVE(&to->points, &to->room, to->nr_points + row->nr_points))
		return false;
	if (row->nr_points)
		memcpy(to->points + to->nr_points, row->points, row->nr_points * sizeof *row->points);
	to->nr_points += row->nr_points;
	to->nr += row->nr;
	if (__builtin_add_overflow(to->sum, row->sum, &to->sum))
		to->sum = UINT64_MAX;
	for (unsigned int i = 0; i < RS_SIDE_MAX_BLOCKS; i++) {
		to->block_nr[i] += row->block_nr[i];
		to->block_sum[i] += row->block_sum[i];
	}
	return true;
}

bool rs_side_set_key(struct rs_side *side, struct rs_side_view *v, size_t at, const char *key,
		     size_t key_bytes)
{
	struct rs_side_row *row = v->rows[at], *other = rs_side_find(v, key, key_bytes);
	char *copy = other ? NULL : malloc(key_bytes + 1);

	if (other ? !side_add_row(other, row) : !copy)
		return false;
	rs_map_remove(&v->map, &row->node);
	if (other) {
		v->rows[at] = v->rows[--v->nr_rows];
		side->nr_rows--;
		side_free_row(row);
		return true;
	}
	memcpy(copy, key, key_bytes);
	copy[key_bytes] = '\0';
	free((char *)row->key);
	row->key = copy;
	row->key_bytes = key_bytes;
	rs_map_add(&v->map, &row->node, rs_hash_bytes(copy, key_bytes));
	return true;
}

/* ---- one block ---- */

/* Takes the rows of one view at the end of a block. */
struct side_sink {
	struct rs_sink sink;        /* first */
	struct rs_side *side;
	struct rs_side_view *view;
	struct rs_session *session;
	struct rs_side_row *row;    /* whose histogram is being taken */
	size_t measure_bytes;       /* where in its measures what is compared is */
	char key[RS_SIDE_KEY_BYTES];
	size_t key_bytes;
};

void rs_side_add_sums(struct rs_side *side, struct rs_side_row *row, uint64_t nr, uint64_t sum)
{
	row->nr += nr;
	row->block_nr[side->nr_blocks] += nr;
	if (__builtin_add_overflow(row->sum, sum, &row->sum))
		row->sum = UINT64_MAX; /* a hostile file's times */
	row->block_sum[side->nr_blocks] += sum;
}

void rs_side_add_value(struct rs_side *side, struct rs_side_row *row, uint64_t value, uint64_t nr)
{
	struct rs_side_point *p = RS_VECTOR_ADD(&row->points, &row->nr_points, &row->room);

	if (p)
		*p = (struct rs_side_point){ value, nr < UINT32_MAX ? (uint32_t)nr : UINT32_MAX,
					     side->nr_blocks };
	else
		side->failed = true;
}

static void side_add_point(void *arg, uint64_t value, uint64_t nr)
{
	struct side_sink *to = arg;

	rs_side_add_value(to->side, to->row, value, nr);
}

static void side_take_hist(struct side_sink *to, const struct rs_hist *hist)
{
	to->row = rs_side_get_row(to->side, to->view, to->key, to->key_bytes);
	if (!to->row)
		return;
	rs_side_add_sums(to->side, to->row, rs_hist_nr_begun(hist), rs_hist_sum_inside(hist));
	rs_hist_each(hist, side_add_point, to);
}

static void side_take_row(struct rs_sink *sink, const struct rs_value *values, const void *measures)
{
	struct side_sink *to = (struct side_sink *)sink;
	const void *at = (const char *)measures + to->measure_bytes;
	uint64_t value;

	to->key_bytes = rs_side_keys_put(to->view, to->session, values, to->key);
	if (to->view->is_latency) {
		side_take_hist(to, at);
		return;
	}
	to->row = rs_side_get_row(to->side, to->view, to->key, to->key_bytes);
	memcpy(&value, at, sizeof value);
	if (to->row)
		rs_side_add_sums(to->side, to->row, value, value);
}

/* A picture is of one histogram, which its options may choose. */
static size_t side_measure_bytes(const struct rs_side_view *v)
{
	return v->ref.view->measure_bytes ? v->ref.view->measure_bytes(&v->query) : v->measure->measure_bytes;
}

static void side_take_block(struct rs_side *side, struct rs_session *s)
{
	for (size_t i = 0; i < side->nr_views; i++) {
		struct side_sink to = { .sink.measures = side_take_row, .side = side,
					.view = &side->views[i], .session = s };

		to.measure_bytes = side_measure_bytes(to.view);
		if (rs_session_rows(s, &to.view->ref, &to.view->query, &to.sink) < 0)
			side->failed = true;
	}
	for (unsigned int i = 0; i < side->nr_stacks; i++)
		rs_side_stacks_add(side->stacks[i], s, side->is_before ? RS_FRAME_BEFORE : RS_FRAME_SHOWN);
}

void rs_side_take_stacks(struct rs_side *side, struct rs_side_stacks *stacks, bool is_before)
{
	side->is_before = is_before;
	if (side->nr_stacks < RS_SIDE_STACKS)
		side->stacks[side->nr_stacks++] = stacks;
}

/* ---- blocks ---- */

static void side_halve_sums(uint64_t sums[RS_SIDE_MAX_BLOCKS])
{
	for (unsigned int i = 0; i < RS_SIDE_MAX_BLOCKS; i++)
		sums[i] = i < RS_SIDE_MAX_BLOCKS / 2 ? sums[2 * i] + sums[2 * i + 1] : 0;
}

static void side_halve_row(struct rs_side_row *row)
{
	side_halve_sums(row->block_nr);
	side_halve_sums(row->block_sum);
	for (size_t i = 0; i < row->nr_points; i++)
		row->points[i].block /= 2;
}

void rs_side_halve(struct rs_side *side)
{
	for (size_t i = 0; i < side->nr_views; i++)
		for (size_t r = 0; r < side->views[i].nr_rows; r++)
			side_halve_row(side->views[i].rows[r]);
	side_halve_sums(side->block_ns);
	side_halve_sums(side->block_steps);
	side->nr_blocks = (side->nr_blocks + 1) / 2;
	side->steps_a_block *= 2;
}

uint64_t rs_side_step_ns(const struct rs_side *side, uint64_t len_ns)
{
	uint64_t step_ns = len_ns ? len_ns / RS_SIDE_BLOCKS + 1 : SIDE_STEP_LIVE_NS;

	if (side->of_runs)
		return SIDE_STEP_RUN_NS;
	return step_ns > SIDE_STEP_LEAST_NS ? step_ns : SIDE_STEP_LEAST_NS;
}

void rs_side_set_source(struct rs_side *side, const char *kernel, const char *machine, const char *host)
{
	snprintf(side->kernel, sizeof side->kernel, "%s", kernel ? kernel : "");
	snprintf(side->machine, sizeof side->machine, "%s", machine ? machine : "");
	snprintf(side->host, sizeof side->host, "%s", host ? host : "");
}

static int side_compare_points(const void *a, const void *b)
{
	uint64_t x = ((const struct rs_side_point *)a)->value, y = ((const struct rs_side_point *)b)->value;

	return (x > y) - (x < y);
}

/* Of several processes of one name a value came several times in the block: they are one point. */
static void side_merge_points(struct rs_side_row *row)
{
	size_t first = row->nr_merged, last = first;

	if (row->nr_points - first > 1) {
		qsort(row->points + first, row->nr_points - first, sizeof *row->points, side_compare_points);
		for (size_t i = first + 1; i < row->nr_points; i++) {
			struct rs_side_point *to = &row->points[last], *p = &row->points[i];

			if (p->value != to->value || p->nr > UINT32_MAX - to->nr)
				row->points[++last] = *p;
			else
				to->nr += p->nr;
		}
		row->nr_points = last + 1;
	}
	row->nr_merged = row->nr_points;
}

void rs_side_end_block(struct rs_side *side, uint64_t len_ns)
{
	for (size_t i = 0; i < side->nr_views; i++)
		for (size_t r = 0; r < side->views[i].nr_rows; r++)
			side_merge_points(side->views[i].rows[r]);
	side->block_ns[side->nr_blocks] += len_ns;
	side->block_steps[side->nr_blocks]++;
	side->len_ns += len_ns;
	if (++side->nr_steps < side->steps_a_block)
		return;
	side->nr_blocks++;
	side->nr_steps = 0;
}

void rs_side_end_step(void *arg, struct rs_session *s, uint64_t from_ns, uint64_t to_ns)
{
	struct rs_side *side = arg;

	if (to_ns <= from_ns)
		return;
	if (rs_session_lost_in(s, from_ns, to_ns)) {
		side->lost_ns += to_ns - from_ns;
		return;
	}
	if (side->nr_blocks == RS_SIDE_MAX_BLOCKS)
		rs_side_halve(side);
	side_take_block(side, s);
	rs_side_end_block(side, to_ns - from_ns);
}

double rs_side_rate(const struct rs_side *side, double sum)
{
	double units = 0;

	for (unsigned int i = 0; i < side->nr_blocks; i++)
		units += side->of_runs ? (double)side->block_steps[i] : (double)side->block_ns[i] / 1e9;
	return units > 0 ? sum / units : NAN;
}

void rs_side_end(struct rs_side *side)
{
	/* the last block, where it is not full, is shorter than the others, which its length tells */
	if (side->nr_steps)
		side->nr_blocks++;
	side->nr_steps = 0;
}
