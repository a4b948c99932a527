// SPDX-License-Identifier: GPL-2.0-or-later
/* usual-reader - the rows of a session's views, as series */
#include "usual/usual-reader.h"

#include <stdlib.h>
#include <string.h>

#include "compare/side-keys.h"
#include "usual/usual-sources.h"

#define READER_CALL_NUMBER "nr"
#define READER_NO_COLUMN UINT32_MAX
#define READER_COUNTED_NS 10000u /* of what is only counted: idle time is no cost, and takes no place */

/* Calls in which a task waits for what others send: how long that takes is their affair, or the load's. */
#define READER_WAITING_CALLS \
	(RS_CLASS_READ | RS_CLASS_RECEIVE | RS_CLASS_AWAIT | RS_CLASS_POLL | RS_CLASS_SELECT | \
	 RS_CLASS_EPOLL | RS_CLASS_SLEEP | RS_CLASS_PAUSE | RS_CLASS_SIGNAL_WAIT | RS_CLASS_REAP | \
	 RS_CLASS_ACCEPT | RS_CLASS_FUTEX | RS_CLASS_SEMAPHORE)

struct rs_usual_reader {
	struct rs_side *side;        /* the views, with their keys; it has no rows */
	bool is_run[RS_USUAL_SOURCES]; /* by the session */
};

/* Takes the rows of one source. */
struct reader_sink {
	struct rs_sink sink;         /* first */
	struct rs_session *session;
	struct rs_usual *to;
	const struct rs_side_view *view;
	unsigned int source;
	size_t measure_bytes;        /* where in its measures what is taken is */
	uint32_t call, cause;        /* columns; READER_NO_COLUMN: it has none */
	char key[RS_SIDE_KEY_BYTES];
};

static bool reader_has(const struct rs_session_config *config, const struct rs_analysis *analysis)
{
	for (unsigned int i = 0; i < config->nr_analyses; i++)
		if (config->analyses[i] == analysis)
			return true;
	return false;
}

static int reader_choose(struct rs_usual_reader *r, const struct rs_session_config *config,
			 struct rs_error *err)
{
	struct rs_side_asked asked[RS_USUAL_SOURCES] = { { { 0 } } };
	size_t nr = 0;

	for (; nr < RS_USUAL_SOURCES && rs_usual_sources[nr].view; nr++) {
		asked[nr].by = rs_usual_sources[nr].by;
		asked[nr].measure = rs_usual_sources[nr].measure;
		if (!rs_requirements_find_view(rs_usual_sources[nr].view, &asked[nr].ref, err))
			return -1;
		r->is_run[nr] = reader_has(config, asked[nr].ref.analysis);
	}
	r->side = rs_side_new(asked, nr, err);
	return r->side ? 0 : -1;
}

struct rs_usual_reader *rs_usual_reader_new(const struct rs_session_config *config, struct rs_error *err)
{
	struct rs_usual_reader *r = calloc(1, sizeof *r);

	if (!r)
		rs_fail(err, "cannot learn what is usual: out of memory");
	else if (reader_choose(r, config, err) < 0) {
		free(r);
		r = NULL;
	}
	return r;
}

void rs_usual_reader_free(struct rs_usual_reader *r)
{
	if (r)
		rs_side_free(r->side);
	free(r);
}

/* ---- rows ---- */

static uint32_t reader_find_column(const struct rs_view *view, const char *name)
{
	for (uint32_t i = 0; view->columns[i].name; i++)
		if (!strcmp(view->columns[i].name, name))
			return i;
	return READER_NO_COLUMN;
}

/* Is it a wait that nobody chooses: for a disk, a lock, memory? */
static bool reader_is_plain_wait(const struct rs_value *cause)
{
	for (enum rs_cause i = RS_CAUSE_UNKNOWN; cause->known && i < RS_NR_CAUSES; i++)
		if (!strcmp(rs_cause_row(i)->name, cause->s))
			return rs_cause_row(i)->rank == RS_RANK_WAIT;
	return false;
}

static bool reader_can_be_slow(const struct reader_sink *to, const struct rs_value *values)
{
	if (to->cause != READER_NO_COLUMN)
		return reader_is_plain_wait(&values[to->cause]);
	/* that a disk's file is read says where: pread64, not read */
	return to->call == READER_NO_COLUMN || !values[to->call].known ||
	       rs_session_call_is(to->session, values[to->call].i, RS_CLASS_SEEK) ||
	       !rs_session_call_is(to->session, values[to->call].i, READER_WAITING_CALLS);
}

static void reader_add_step(void *arg, uint64_t value, uint64_t nr)
{
	rs_short_dist_add(arg, value, nr);
}

static void reader_take_row(struct rs_sink *sink, const struct rs_value *values, const void *measures)
{
	struct reader_sink *to = (struct reader_sink *)sink;
	const struct rs_usual_source *source = &rs_usual_sources[to->source];
	const void *at = (const char *)measures + to->measure_bytes;
	struct rs_usual_key key = { .source = to->source, .key = to->key,
				    .can_be_less = source->can_be_less, .can_be_more = source->can_be_more };
	struct rs_short_dist *dist;
	bool is_counted;
	uint64_t sum;

	key.can_be_slow = source->can_be_slow && reader_can_be_slow(to, values);
	if (!key.can_be_slow && !key.can_be_less && !key.can_be_more)
		return;
	if (to->view->is_latency)
		sum = rs_hist_sum_inside(at);
	else
		memcpy(&sum, at, sizeof sum);
	is_counted = to->view->is_latency && !key.can_be_slow;
	key.cost_ns = is_counted ? rs_hist_nr_begun(at) * READER_COUNTED_NS : sum;
	key.key_bytes = rs_side_keys_put(to->view, to->session, values, to->key);
	dist = rs_usual_get(to->to, &key);
	if (!dist)
		return;
	dist->sum += sum;
	dist->nr += to->view->is_latency ? rs_hist_nr_begun(at) : 1;
	if (to->view->is_latency && key.can_be_slow)
		rs_hist_each(at, reader_add_step, dist);
}

void rs_usual_reader_add(struct rs_usual_reader *r, struct rs_session *s, struct rs_usual *to)
{
	for (unsigned int i = 0; i < r->side->nr_views; i++) {
		const struct rs_side_view *v = &r->side->views[i];
		struct reader_sink sink = {
			.sink.measures = reader_take_row, .session = s, .to = to, .view = v, .source = i,
			.call = reader_find_column(v->ref.view, READER_CALL_NUMBER),
			.cause = reader_find_column(v->ref.view, "cause"),
			.measure_bytes = v->ref.view->measure_bytes ? v->ref.view->measure_bytes(&v->query) :
								      v->measure->measure_bytes };

		if (!r->is_run[i] || rs_session_disabled(s, v->ref.analysis) ||
		    rs_session_rows(s, &v->ref, &v->query, &sink.sink) < 0)
			rs_usual_skip(to, i);
	}
}
