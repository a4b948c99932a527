/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open-names.h - the names that threads' calls in flight open */
#ifndef RS_ENGINE_FILES_OPEN_NAMES_H
#define RS_ENGINE_FILES_OPEN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/formats.h"

struct rs_session;

#define RS_OPEN_NAMES_NR 1024u
#define RS_MAX_OPEN_NAMES 8u

/* The events that tell by which names files are opened. */
struct rs_open_name_events {
	struct rs_bound at[RS_MAX_OPEN_NAMES];
	unsigned int nr;
};

struct rs_open_names {
	/* by tid: of two threads the later one stays; text NULL: none */
	struct { int32_t tid; char *text; } at[RS_OPEN_NAMES_NR];
	unsigned int nr;
};

/* Is that the system of events that read names? */
bool rs_open_names_is_group(const char *system);
void rs_open_names_set(struct rs_open_names *names, int32_t tid, const char *text);
const char *rs_open_names_get(const struct rs_open_names *names, int32_t tid); /* NULL: none */
void rs_open_names_drop(struct rs_open_names *names, int32_t tid);
void rs_open_names_done(struct rs_open_names *names);

/* Finds the events that tell by which names files are opened, and routes them. 0, or -1 without memory */
void rs_open_names_bind(struct rs_session *s);
int rs_open_names_route(struct rs_session *s);

#endif
