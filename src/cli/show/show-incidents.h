/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show-incidents.h - findings --over-time: when each was found, how often, and its slowest wait */
#ifndef RS_CLI_SHOW_SHOW_INCIDENTS_H
#define RS_CLI_SHOW_SHOW_INCIDENTS_H

#include "cli/options/options.h"
#include "engine/session.h"
#include "why/incidents.h"

/* Has the session judge its time in steps, and put what it finds into incidents. */
void rs_show_incidents_ask(struct rs_incidents *incidents, const struct rs_moment_clock *clock,
			   struct rs_session_config *config);
/* Is the recording judged in more than one step? Then a list of incidents tells more than findings. */
bool rs_show_incidents_has_steps(const struct rs_moment_clock *clock);
/* After the end: each incident in the order in which they began. */
void rs_show_incidents_put(const struct rs_incidents *incidents, struct rs_session *session,
			   const struct rs_options *opt, uint64_t begin_ns, struct rs_buf *out);
/*
 * A heading, and a line for each incident; nothing if there is none, or if the time was judged in one step.
 */
void rs_show_incidents_list(const struct rs_incidents *incidents, const struct rs_options *opt,
			    uint64_t begin_ns, struct rs_buf *out);

#endif
