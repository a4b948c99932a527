// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * observers - the table of what follows a session and is no view, and the lists of functions that its hooks
 * call
 */
#include "engine/observer.h"

#include <stdlib.h>

#include "engine/internal.h"

static const struct rs_observer *const observers[RS_NR_OBSERVERS] = {
	[RS_OBSERVER_CGROUPS] = &rs_observer_cgroups,
	[RS_OBSERVER_THROTTLES] = &rs_observer_throttles,
	[RS_OBSERVER_COMPANIONS] = &rs_observer_companions,
	[RS_OBSERVER_HISTORY] = &rs_observer_history,
	[RS_OBSERVER_BLAMES] = &rs_observer_blames,
	[RS_OBSERVER_SLOW_WAITS] = &rs_observer_slow_waits,
	[RS_OBSERVER_WORKS] = &rs_observer_works,
	[RS_OBSERVER_POWERS] = &rs_observer_powers,
	[RS_OBSERVER_STACKS] = &rs_observer_stacks,
	[RS_OBSERVER_FILES] = &rs_observer_files,
	[RS_OBSERVER_TERMINALS] = &rs_observer_terminals,
};

/* The observer with the hooks that are called now. */
static struct rs_observer observers_hooks(const struct rs_session *s, int id)
{
	struct rs_observer hooks = s->observers.state[id] ? *observers[id] : (struct rs_observer){ 0 };

	if (!hooks.sees_events || !hooks.sees_events(s))
		hooks.event = NULL, hooks.event_done = NULL;
	return hooks;
}

#define OBSERVERS_COUNT(hook, parameters) unsigned int hook;
#define OBSERVERS_ADD(hook_, parameters) \
	if (hooks.hook_) \
		lists->hook_[nr.hook_++] = hooks.hook_;
#define OBSERVERS_END(hook, parameters) lists->hook[nr.hook] = NULL;

void rs_observers_list(struct rs_session *s)
{
	struct rs_observers *lists = &s->observers;
	struct { RS_OBSERVER_HOOKS(OBSERVERS_COUNT) } nr = { 0 };

	for (int id = 0; id < RS_NR_OBSERVERS; id++) {
		const struct rs_observer hooks = observers_hooks(s, id);

		RS_OBSERVER_HOOKS(OBSERVERS_ADD)
	}
	RS_OBSERVER_HOOKS(OBSERVERS_END)
}

int rs_observers_route(struct rs_session *s)
{
	for (int id = 0; id < RS_NR_OBSERVERS; id++)
		if (observers[id]->route && observers[id]->route(s) < 0)
			return -1;
	return 0;
}

int rs_observers_bind(struct rs_session *s)
{
	for (int id = 0; id < RS_NR_OBSERVERS; id++)
		if (observers[id]->bind && observers[id]->bind(s) < 0)
			return -1;
	return rs_observers_route(s);
}

int rs_observers_begin(struct rs_session *s)
{
	for (int id = 0; id < RS_NR_OBSERVERS; id++)
		if (observers[id]->begin && observers[id]->begin(s) < 0)
			return -1;
	rs_observers_list(s);
	return 0;
}

void rs_observers_free(struct rs_session *s)
{
	for (int id = 0; id < RS_NR_OBSERVERS; id++) {
		void *state = s->observers.state[id];

		s->observers.state[id] = NULL;
		if (state && observers[id]->free)
			observers[id]->free(s, state);
		else
			free(state);
	}
	rs_observers_list(s);
}
