/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control.h - switches events of a live capture, sizes its buffers, and reports its cost
 *
 * Connects the capture, which switches events, the session, which must know of it, and the requests "status"
 * and "trace".
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
	/* limit for the kernel's buffers, all CPUs together; 0: they keep their size */
	uint64_t buffer_most_bytes;
	/* for the log and the service manager; called from any thread, may be NULL */
	void (*say)(void *arg, enum rs_say level, const char *text);
	void *arg;
};

struct rs_control;

struct rs_control *rs_control_new(const struct rs_control_config *config, struct rs_error *err);
void rs_control_free(struct rs_control *c);

/* Any thread: takes effect with the next batch. */
void rs_control_limit(struct rs_control *c, unsigned int max_overhead_milli);
void rs_control_say(struct rs_control *c, enum rs_say level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- analyzer thread ---- */

/* Call about once a second, with the cost of the last one. */
void rs_control_set_events(struct rs_control *c, const struct rs_session *session);
/* what another program has changed, or that all is as set again */
void rs_control_report_change(struct rs_control *c);
int rs_control_trace(struct rs_control *c, bool on, struct rs_error *err);
/* event: its number, as of rs_switches_nth. */
int rs_control_event(struct rs_control *c, struct rs_session *session, size_t event, bool on,
		     struct rs_error *err);
struct rs_capture *rs_control_capture(const struct rs_control *c);
const char *rs_control_warning(struct rs_control *c);           /* NULL: none; valid until the next call */
size_t rs_control_nr_events(const struct rs_control *c);
/* For the answer to "status"; events has room for all events. */
void rs_control_status(struct rs_control *c, struct rs_status_budget *budget, struct rs_status_buffer *buffer,
		       struct rs_status_event *events);

/*
 * ---- the size of the kernel's buffers, from the lost events ----
 *
 * Events are lost for two reasons. Either the readers are too slow for the buffer size: a larger buffer
 * helps. Or the analyzer is too slow, the page ring is full, and the readers stop: a larger buffer only
 * delays the loss, and only fewer events help.
 */
struct rs_growth {
	unsigned int kib, begun_kib; /* of a CPU, now and at the start; 0: unknown, they do not grow */
	unsigned int most_kib;       /* limit */
	uint64_t nr_lost, nr_full;   /* at the last call */
	bool behind;                 /* the analyzer caused the last loss */
};

/* most_bytes: limit for all CPUs together; 0: they keep their size. */
void rs_control_growth_init(struct rs_growth *g, unsigned int kib, unsigned int nr_cpus, uint64_t most_bytes);

/*
 * Call about once a second. nr_lost: events lost so far; nr_full: how often a reader found the page ring full
 * so far. Returns the new buffer size in KiB for each CPU; 0: no change. The caller sets g->kib if the kernel
 * had the memory.
 */
unsigned int rs_control_growth_next(struct rs_growth *g, uint64_t nr_lost, uint64_t nr_full);

#endif
