// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stack-triggers - events that the kernel's stack follows: "stacktrace if prev_state > 0" in the event's
 * trigger file
 *
 * The kernel evaluates a trigger before the event's filter: a stack would follow an event that the filter
 * drops, so the condition has the filter, too. A trigger fires also while its event is off.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/close.h"
#include "base/log.h"
#include "tracefs/tracefs-file.h"

#define REMOVE_TRIGGER "!stacktrace"

static int stack_triggers_write(struct rs_stack_trigger *t, const char *text)
{
	int ret = rs_tracefs_file_write_fd(t->fd, text);

	t->is_on = !ret && text == t->text;
	return ret;
}

static char *stack_triggers_text(const struct rs_plan_event *ev, const char *filter)
{
	struct rs_buf b = RS_BUF_INIT;
	bool both = *ev->stack_if && *filter;

	rs_buf_puts(&b, "stacktrace");
	if (*ev->stack_if || *filter)
		rs_buf_printf(&b, both ? " if (%s) && (%s)" : " if %s%s", ev->stack_if, filter);
	if (!b.failed)
		return b.data;
	rs_buf_done(&b);
	return NULL;
}

int rs_stack_triggers_add(struct rs_instance *in, size_t event, const char *filter, struct rs_error *err)
{
	const struct rs_plan_event *ev = &in->plan->events[event];
	struct rs_stack_trigger *t;
	char file[192];
	int ret;

	if (!in->triggers && !(in->triggers = calloc(in->plan->nr_events, sizeof *in->triggers)))
		return rs_fail(err, "out of memory");
	t = &in->triggers[event];
	snprintf(file, sizeof file, "events/%s/%s/trigger", ev->system, ev->name);
	t->text = stack_triggers_text(ev, filter);
	t->fd = rs_tracefs_file_open(in->tracefs, file, O_WRONLY);
	ret = !t->text ? -ENOMEM : t->fd < 0 ? t->fd : stack_triggers_write(t, t->text);
	RS_LOG(RS_LOG_TRACEFS, "event %s:%s, trigger '%s': %s", ev->system, ev->name, t->text ? t->text : "",
	       ret ? strerror(-ret) : "set");
	return !ret ? 0 :
		      rs_fail(err, "cannot record stacks with %s:%s: %s (%s)", ev->system, ev->name,
			      strerror(-ret),
			      ret == -ENOENT || ret == -EINVAL ?
				      "this kernel has no trigger \"stacktrace\"; perf record -g -e shows "
				      "stacks of the event" :
				      "run as root");
}

int rs_stack_triggers_turn(struct rs_instance *in, size_t event, bool on)
{
	struct rs_stack_trigger *t = in->triggers ? &in->triggers[event] : NULL;

	if (!t || !t->text || t->is_on == on)
		return 0;
	return stack_triggers_write(t, on ? t->text : REMOVE_TRIGGER);
}

static int stack_triggers_write_file(struct rs_instance *in, const char *file, const char *text)
{
	int fd = rs_tracefs_file_open(in->tracefs, file, O_WRONLY),
	    ret = fd < 0 ? fd : rs_tracefs_file_write_fd(fd, text);

	if (fd >= 0)
		close(fd);
	return ret;
}

int rs_stack_triggers_try(struct rs_instance *in, bool with_trigger, bool on)
{
	const char *text = on ? "stacktrace if prev_state > 0" : REMOVE_TRIGGER;
	int trigger = with_trigger ?
			      stack_triggers_write_file(in, "events/sched/sched_switch/trigger", text) :
			      0;
	int event = stack_triggers_write_file(in, "events/sched/sched_switch/enable", on ? "1" : "0");

	return trigger ? trigger : event;
}

void rs_stack_triggers_remove(struct rs_instance *in)
{
	for (size_t i = 0; in->triggers && i < in->plan->nr_events; i++)
		rs_stack_triggers_turn(in, i, false);
}

void rs_stack_triggers_close(struct rs_instance *in)
{
	for (size_t i = 0; in->triggers && i < in->plan->nr_events; i++) {
		if (in->triggers[i].fd > 0)
			rs_close(&in->triggers[i].fd);
		free(in->triggers[i].text);
	}
	free(in->triggers);
	in->triggers = NULL;
}
