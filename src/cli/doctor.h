/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor.h - one thing that a machine may lack: what it is, what that costs, the line that mends it
 */
#ifndef RS_CLI_DOCTOR_H
#define RS_CLI_DOCTOR_H

#include "base/buf.h"

enum rs_health {
	RS_HEALTH_GOOD,
	RS_HEALTH_UNKNOWN, /* could not be asked */
	RS_HEALTH_LOSS,    /* something is lost, the rest works */
	RS_HEALTH_FATAL,   /* capture cannot work */
};

struct rs_symptom {
	enum rs_health health;
	struct rs_buf what;  /* what was found, one line */
	struct rs_buf loses; /* what that costs: views, columns; "" nothing */
	struct rs_buf mend;  /* a line to be typed as it is, or what to do; "" nothing */
};

struct rs_probe {
	const char *name;
	void (*probe)(struct rs_symptom *f);
};

/* In the order in which one hinders the next; ends with a NULL name. */
extern const struct rs_probe rs_machine_probes[];
extern const struct rs_probe rs_kernel_probes[];
/* Last: a capture gives away the rights to look at anything else. */
extern const struct rs_probe rs_capture_probes[];

#endif
