/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session-events.h - which events are off, and which were recorded
 */
#ifndef RS_ENGINE_SESSION_EVENTS_H
#define RS_ENGINE_SESSION_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_event_ids;
struct rs_session;

#define RS_NO_EVENT UINT32_MAX  /* instead of an id: the trace does not have the event */
#define RS_MAX_OFF 64

/* An event that was turned off while the capture runs. */
struct rs_off_event {
	char system[48], name[80];
};

struct rs_event_presence {
	struct rs_off_event off[RS_MAX_OFF];
	unsigned int nr_off;
	struct rs_event_ids *ids;       /* of the recording; made when first needed, freed by the session */
};

bool rs_session_event_is_off(const struct rs_session *s, const char *system, const char *name);
/*
 * Returns true if the event was recorded. Live, that is each declared event. A recording must contain at
 * least one, in any part: unless config.recorded is set, this reads the file until it finds one.
 */
bool rs_session_occurs(struct rs_session *s, uint32_t id);
/* Likewise, for rows: with config.answers_early one that has not come yet is not recorded. */
bool rs_session_occurs_in_rows(struct rs_session *s, const char *system, const char *name);

#endif
