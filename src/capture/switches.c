// SPDX-License-Identifier: GPL-2.0-or-later
/* switches - turns tracing, and single events, on and off while a capture runs */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "capture/capture-parts.h"
#include "source/perf/samples.h"
#include "source/trace-clock.h"

int rs_switches_init(struct rs_switches *sw, struct rs_instance *in, struct rs_source *source)
{
	*sw = (struct rs_switches){ .instance = in, .source = source };
	sw->events_off = calloc(in->plan->nr_events + 1, sizeof *sw->events_off);
	if (!sw->events_off)
		return -1;
	pthread_mutex_init(&sw->lock, NULL);
	return 0;
}

void rs_switches_done(struct rs_switches *sw)
{
	pthread_mutex_destroy(&sw->lock);
	free(sw->events_off);
}

/* A clock that user space cannot read is read by the kernel; 0 where that fails. */
uint64_t rs_switches_now_ns(const struct rs_switches *sw)
{
	uint64_t now = 0;
	clockid_t id;

	if (rs_trace_clock_id(sw->instance->plan->clock, &id))
		return rs_trace_clock_ns(id);
	for (unsigned int cpu = 0; cpu < sw->instance->nr_cpus && !now; cpu++)
		rs_instance_clock(sw->instance, cpu, &now);
	return now;
}

static void switches_pause_samples(struct rs_switches *sw, bool pause)
{
	struct rs_sample_source *const sources[] = { sw->source->samples, sw->source->switch_stacks };

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (sources[i])
			sources[i]->ops->pause(sources[i], pause);
}

static void turn_off(struct rs_switches *sw)
{
	if (sw->off)
		return;
	rs_instance_pause(sw->instance, true);
	switches_pause_samples(sw, true);
	sw->off_ns = rs_switches_now_ns(sw);
	sw->off = true;
}

static void turn_on(struct rs_switches *sw)
{
	if (!sw->off)
		return;
	/*
	 * added before tracing is on again: the reader must know of it before it meets an event from after it
	 */
	rs_pauses_add(&sw->source->pauses, sw->off_ns, rs_switches_now_ns(sw));
	sw->off = false;
	switches_pause_samples(sw, false);
	rs_instance_pause(sw->instance, false);
}

void rs_switches_allow(struct rs_switches *sw, bool allow)
{
	pthread_mutex_lock(&sw->lock);
	sw->ready = allow;
	if (allow)
		sw->checked_ns = rs_switches_now_ns(sw);
	pthread_mutex_unlock(&sw->lock);
}

int rs_switches_trace(struct rs_switches *sw, bool on, struct rs_error *err)
{
	int ret = 0;

	pthread_mutex_lock(&sw->lock);
	if (sw->ready)
		(on ? turn_on : turn_off)(sw);
	if (!sw->ready)
		ret = rs_fail(err, "cannot turn tracing %s: the capture has ended", on ? "on" : "off");
	else if (on)
		rs_instance_pause(sw->instance, false); /* another program may have turned it off */
	pthread_mutex_unlock(&sw->lock);
	return ret;
}

bool rs_switches_tracing(struct rs_switches *sw)
{
	bool on;

	pthread_mutex_lock(&sw->lock);
	on = sw->ready && !sw->off;
	pthread_mutex_unlock(&sw->lock);
	return on;
}

void rs_switches_pause(struct rs_switches *sw, void (*between)(void))
{
	bool was_off;

	pthread_mutex_lock(&sw->lock);
	was_off = sw->off;
	turn_off(sw);
	between();
	if (!was_off)
		turn_on(sw);
	pthread_mutex_unlock(&sw->lock);
}

/* By its system and name, or by its name alone. */
static bool switches_is_called(const struct rs_plan_event *ev, const char *name)
{
	size_t len = strlen(ev->system);

	return !strcmp(ev->name, name) ||
	       (!strncmp(ev->system, name, len) && name[len] == ':' && !strcmp(ev->name, name + len + 1));
}

static int switches_fail_unknown(const struct rs_plan *plan, const char *event, struct rs_error *err)
{
	char (*names)[160] = calloc(plan->nr_events + 1, sizeof *names);
	const char **list = calloc(plan->nr_events + 1, sizeof *list), *near = NULL;

	for (size_t i = 0; names && list && i < plan->nr_events; i++) {
		snprintf(names[i], sizeof names[i], "%s:%s", plan->events[i].system, plan->events[i].name);
		list[i] = strchr(event, ':') ? names[i] : plan->events[i].name;
	}
	if (names && list)
		near = rs_nearest(event, list);
	rs_fail_usage(err, "cannot turn '%s': this capture was not begun with it (%s%s%s)", event,
		      near ? "did you mean '" : "see ringside status", near ? near : "", near ? "'?" : "");
	free(names);
	free(list);
	return -1;
}

int rs_switches_find(const struct rs_switches *sw, const char *event, size_t *index, struct rs_error *err)
{
	const struct rs_plan *plan = sw->instance->plan;
	unsigned int nr_found = 0;

	for (size_t i = plan->nr_events; i-- > 0;) {
		if (!switches_is_called(&plan->events[i], event))
			continue;
		nr_found++;
		*index = i;
	}
	if (!nr_found)
		return switches_fail_unknown(plan, event, err);
	if (nr_found > 1)
		return rs_fail_usage(err, "cannot turn '%s': %u events have that name (write it as %s:%s)",
				     event, nr_found, plan->events[*index].system, event);
	return 0;
}

/*
 * Tracing is off around the change: a pair with one half before it and one after is discarded then, whatever
 * event it is that comes or goes.
 */
static int turn_event(struct rs_switches *sw, size_t i, bool on)
{
	bool was_off = sw->off;
	int ret;

	turn_off(sw);
	ret = rs_instance_event(sw->instance, i, on);
	if (!ret)
		sw->events_off[i] = !on;
	if (!was_off)
		turn_on(sw);
	return ret;
}

int rs_switches_event(struct rs_switches *sw, size_t i, bool on, struct rs_error *err)
{
	const struct rs_plan_event *ev = &sw->instance->plan->events[i];
	int ret = 0;

	pthread_mutex_lock(&sw->lock);
	if (!sw->ready)
		ret = -ESHUTDOWN;
	else if (sw->events_off[i] == on || *sw->changed)
		ret = turn_event(sw, i, on);
	pthread_mutex_unlock(&sw->lock);
	return ret ? rs_fail(err, "cannot turn '%s:%s' %s: %s", ev->system, ev->name, on ? "on" : "off",
			     strerror(-ret)) :
		     0;
}

const struct rs_plan_event *rs_switches_nth(struct rs_switches *sw, size_t i, bool *on)
{
	const struct rs_plan *plan = sw->instance->plan;

	if (i >= plan->nr_events)
		return NULL;
	pthread_mutex_lock(&sw->lock);
	*on = !sw->events_off[i];
	pthread_mutex_unlock(&sw->lock);
	return &plan->events[i];
}
