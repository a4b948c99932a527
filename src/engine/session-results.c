// SPDX-License-Identifier: GPL-2.0-or-later
/* session-results - what is asked of a session: rows of views, streams, what is in flight, a new interval */
#include "engine/internal.h"
#include "engine/store/store-table.h"

static struct rs_analysis_instance *session_find_analysis(struct rs_session *s,
							  const struct rs_analysis *a)
{
	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (s->analyses[i].analysis == a)
			return &s->analyses[i];
	return NULL;
}

int rs_session_subscribe(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query,
			 struct rs_sink *sink)
{
	struct rs_analysis_instance *instance = session_find_analysis(s, view->analysis);

	if (!instance || view->index >= RS_MAX_STREAMS)
		return -1;
	instance->query = *query;
	instance->sinks[view->index] = sink;
	instance->ctx.subscribed |= 1u << view->index;
	return 0;
}

void rs_session_unsubscribe(struct rs_session *s, const struct rs_view_ref *view)
{
	struct rs_analysis_instance *instance = session_find_analysis(s, view->analysis);

	if (instance && view->index < RS_MAX_STREAMS)
		instance->ctx.subscribed &= ~(1u << view->index);
}

const char *rs_session_disabled(const struct rs_session *s, const struct rs_analysis *a)
{
	const struct rs_analysis_instance *instance = session_find_analysis((struct rs_session *)s, a);

	if (!instance)
		return NULL;
	return instance->disabled[0] ? instance->disabled : instance->off[0] ? instance->off : NULL;
}

int rs_session_rows(struct rs_session *s, const struct rs_view_ref *view, const struct rs_query *query,
		    struct rs_sink *sink)
{
	struct rs_analysis_instance *instance = session_find_analysis(s, view->analysis);

	if (!instance || instance->disabled[0] || instance->off[0])
		return 0;
	if (view->view->store)
		return rs_store_view_rows(&instance->ctx, view->view, query, sink);
	return view->view->rows ? view->view->rows(&instance->ctx, query, sink) : 0;
}

bool rs_session_call_is(const struct rs_session *s, int64_t nr, uint32_t classes)
{
	int place = nr & RS_CALL_DOUBTFUL ? -1 : rs_call_place(nr);

	return place >= 0 && rs_syscall_facts(s->syscalls)->classes[place] & classes;
}

void rs_session_reset(struct rs_session *s)
{
	rs_states_reset(&s->states, s->now_ns);
	s->quality.gaps_ns = 0;
	RS_OBSERVE(s->observers.reset, s);
	for (unsigned int i = 0; i < s->nr_analyses; i++) {
		rs_store_reset(&s->analyses[i].ctx);
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->reset)
			s->analyses[i].analysis->reset(&s->analyses[i].ctx);
	}
}

void rs_session_list_in_flight(struct rs_session *s, struct rs_in_flight_list *list)
{
	const struct rs_in_flight_to to = { .list = list };

	for (unsigned int i = 0; i < s->nr_analyses; i++)
		if (!s->analyses[i].disabled[0] && s->analyses[i].analysis->list_in_flight)
			s->analyses[i].analysis->list_in_flight(&s->analyses[i].ctx, &to);
}
