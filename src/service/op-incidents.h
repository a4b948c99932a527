/* SPDX-License-Identifier: GPL-2.0-or-later */
/* op-incidents.h - incidents as the protocol's messages, which are their JSON everywhere */
#ifndef RS_SERVICE_OP_INCIDENTS_H
#define RS_SERVICE_OP_INCIDENTS_H

#include "base/json.h"
#include "why/incidents.h"

/* An incident as an object. */
void rs_op_incidents_put(struct rs_json *j, const struct rs_incidents *in, const struct rs_incident *i);

/*
 * The length of the steps in which the time range is judged: a second, as live, but not more than
 * RS_INCIDENT_STEPS of them.
 */
#define RS_INCIDENT_STEPS 1000
uint64_t rs_op_incidents_step_ns(uint64_t from_ns, uint64_t to_ns);

/* For rs_session_config.end_step, with the incidents as .step_arg. */
void rs_op_incidents_end_step(void *incidents, struct rs_session *s, uint64_t from_ns, uint64_t to_ns);

#endif
