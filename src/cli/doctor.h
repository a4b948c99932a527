/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doctor.h - what `doctor` finds: a probe fills in one symptom */
#ifndef RS_CLI_DOCTOR_H
#define RS_CLI_DOCTOR_H

#include "base/buf.h"

#define RS_DOCTOR_MAX_REQUIREMENTS 256
#define RS_DOCTOR_LIVE_AND_RECORD "all live views and record; recordings can be read"
#define RS_DOCTOR_AS_ROOT "sudo ringside doctor"

enum rs_health {
	RS_HEALTH_GOOD,
	RS_HEALTH_UNKNOWN, /* could not be asked */
	RS_HEALTH_LOSS,    /* something is lost, the rest works */
	RS_HEALTH_FATAL,   /* capture cannot work */
};

/* One thing that a machine may lack. Each text is one line. */
struct rs_symptom {
	enum rs_health health;
	struct rs_buf what;  /* what was found */
	struct rs_buf loses; /* what that costs: views, columns; "" nothing */
	struct rs_buf mend;  /* a line to be typed as it is, or what to do; "" nothing */
};

/* loses, mend: NULL none. */
__attribute__((format(printf, 5, 6))) void rs_doctor_found(struct rs_symptom *f, enum rs_health health,
							   const char *loses, const char *mend,
							   const char *what, ...);

void rs_doctor_capture_stacks(struct rs_symptom *f);
void rs_doctor_capture_allocations(struct rs_symptom *f);
/* These two in this order: the second tells of the capture of the first. */
void rs_doctor_capture_try(struct rs_symptom *f);
void rs_doctor_capture_switches(struct rs_symptom *f);

#endif
