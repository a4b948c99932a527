// SPDX-License-Identifier: GPL-2.0-or-later
/* side - what one side of a comparison measured: rows of views by keys that last, block by block */
#include "compare/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/units.h"
#include "base/vector.h"
#include "view/cell.h"

#define SIDE_KEY_BYTES 1024
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

bool rs_side_can_compare(const struct rs_view *view)
{
	bool is_latency;

	return view->store && side_measure(view, &is_latency);
}

/* An id, an address, a descriptor or a connection is another one in the next recording. */
static bool side_lasts(const struct rs_column *c)
{
	return c->type == RS_TYPE_TEXT && !(c->flags & (RS_COLUMN_OF_FILE | RS_COLUMN_OF_STACKS)) &&
	       !strstr(c->name, "addr");
}

/* Is it one of the keys that the view's own default has, with a name for its process or thread? */
static bool side_is_own_key(const struct rs_view *view, const struct rs_column *c)
{
	const char *by = view->also_by ? view->also_by : view->by;

	if (!c->key)
		return false;
	if (!strcmp(c->name, "comm"))
		return !by || rs_comma_list_has(by, "comm") || rs_comma_list_has(by, "pid") ||
		       rs_comma_list_has(by, "tid");
	return side_lasts(c) && (c->always || (by && rs_comma_list_has(by, c->name)));
}

static bool side_add_key(struct rs_side_view *v, unsigned int column)
{
	if (v->nr_keys == RS_SIDE_KEYS)
		return false;
	v->keys[v->nr_keys++] = column;
	if (v->query.nr_by < RS_MAX_BY)
		v->query.by[v->query.nr_by++] = v->ref.view->columns[column].name;
	return true;
}

static int side_choose_keys(struct rs_side_view *v, const char *by, struct rs_error *err)
{
	const struct rs_column *columns = v->ref.view->columns;
	unsigned int nr_found = 0, nr_asked = 0;

	for (unsigned int i = 0; columns[i].name; i++) {
		bool is_asked = by && rs_comma_list_has(by, columns[i].name);

		nr_found += is_asked && columns[i].key;
		if ((is_asked && columns[i].key) || (!by && side_is_own_key(v->ref.view, &columns[i])))
			side_add_key(v, i);
	}
	for (const char *at = by; at && *at; at += strcspn(at, ","), at += *at == ',')
		nr_asked++;
	if (nr_found < nr_asked)
		return rs_fail_usage(err, "--by %s: %s is not grouped by all of these (ringside %s --columns "
					  "help lists its keys)",
				     by, v->ref.view->name, v->ref.view->name);
	return 0;
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
	if (!rs_map_init(&v->map, 64))
		return rs_fail(err, "cannot compare: out of memory");
	return side_choose_keys(v, asked->by, err);
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

/* ---- one block ---- */

/* Takes the rows of one view at the end of a block. */
struct side_sink {
	struct rs_sink sink;        /* first */
	struct rs_side *side;
	struct rs_side_view *view;
	struct rs_side_row *row;    /* whose histogram is being taken */
	size_t measure_bytes;       /* where in its measures what is compared is */
	char key[SIDE_KEY_BYTES];
	size_t key_bytes;
};

static size_t side_put_cell(const struct rs_column *c, const struct rs_value *value, char *to, size_t room)
{
	static const struct rs_cell_style style;
	char number[RS_UNIT_TEXT + 1];
	const char *text = number;
	size_t len;

	if (c->type == RS_TYPE_TEXT) {
		text = value->known ? value->s : "-";
		len = strlen(text);
	} else {
		len = rs_cell_number(&style, c, value, number);
	}
	if (len >= room)
		len = room - 1;
	memcpy(to, text, len);
	to[len] = '\0';
	return len + 1;
}

static void side_put_key(struct side_sink *to, const struct rs_value *values)
{
	const struct rs_side_view *v = to->view;

	to->key_bytes = 0;
	for (unsigned int i = 0; i < v->nr_keys; i++)
		to->key_bytes += side_put_cell(&v->ref.view->columns[v->keys[i]], &values[v->keys[i]],
					       to->key + to->key_bytes, SIDE_KEY_BYTES / RS_SIDE_KEYS);
}

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

	side_put_key(to, values);
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
					.view = &side->views[i] };

		to.measure_bytes = side_measure_bytes(to.view);
		if (rs_session_rows(s, &to.view->ref, &to.view->query, &to.sink) < 0)
			side->failed = true;
	}
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

/* Two blocks become one, so that there is room for as many again. */
static void side_halve(struct rs_side *side)
{
	for (size_t i = 0; i < side->nr_views; i++)
		for (size_t r = 0; r < side->views[i].nr_rows; r++)
			side_halve_row(side->views[i].rows[r]);
	side_halve_sums(side->block_ns);
	side_halve_sums(side->block_steps);
	side->nr_blocks /= 2;
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

void rs_side_end_block(struct rs_side *side, uint64_t len_ns)
{
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
		side_halve(side);
	side_take_block(side, s);
	rs_side_end_block(side, to_ns - from_ns);
}

void rs_side_end(struct rs_side *side)
{
	/* the last block, where it is not full, is shorter than the others, which its length tells */
	if (side->nr_steps)
		side->nr_blocks++;
	side->nr_steps = 0;
}
