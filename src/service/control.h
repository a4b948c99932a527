/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - switches events of a live capture, and reports its cost
 *
 * Connects the capture, which switches events, the session, which must know of it, and the requests "status" and
 * "trace".
 */
#ifndef RS_SERVICE_CONTROL_H
#define RS_SERVICE_CONTROL_H

#include <stdatomic.h>

#include "capture/capture.h"
#include "rpc/protocol.h"

enum rs_say { RS_SAY_ERROR, RS_SAY_WARNING, RS_SAY_INFO, RS_SAY_DEBUG };

struct rs_control_config {
	struct rs_capture *capture;
	unsigned int max_overhead_milli;  /* of the whole machine; 0: no limit */
	uint64_t buffer_most_bytes;       /* limit for the kernel's buffers, all CPUs together; 0: they keep their size */
	/* for the log and the service manager; called from any thread, may be NULL */
	void (*say)(void *arg, enum rs_say level, const char *text);
	void *arg;
};

struct rs_control;

struct rs_control *rs_control_new(const struct rs_control_config *config, struct rs_error *err);
void rs_control_free(struct rs_control *c);

/* Any thread: takes effect with the next batch. */
void rs_control_limit(struct rs_control *c, unsigned int max_overhead_milli);
void rs_control_say(struct rs_control *c, enum rs_say level, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- analyzer thread ---- */

/* Call about once a second, with the cost of the last one. */
void rs_control_set_events(struct rs_control *c, const struct rs_session *session);
int rs_control_trace(struct rs_control *c, bool on, struct rs_error *err);
/* Event numbers as in rs_capture_find_event. */
int rs_control_find_event(const struct rs_control *c, const char *name, size_t *event, struct rs_error *err);
bool rs_control_event_on(const struct rs_control *c, size_t event);
int rs_control_event(struct rs_control *c, struct rs_session *session, size_t event, bool on, struct rs_error *err);
const pid_t *rs_control_guardians(const struct rs_control *c); /* two; 0: it has ended */
bool rs_control_tracing(struct rs_control *c);
const char *rs_control_warning(struct rs_control *c);           /* NULL: none; valid until the next call */
size_t rs_control_nr_events(const struct rs_control *c);
/* For the answer to "status"; events has room for all events. */
void rs_control_status(struct rs_control *c, struct rs_status_budget *budget, struct rs_status_buffer *buffer,
		       struct rs_status_event *events);

#endif
