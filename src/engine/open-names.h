/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open-names.h - the names that threads' calls in flight open */
#ifndef RS_ENGINE_OPEN_NAMES_H
#define RS_ENGINE_OPEN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define RS_OPEN_NAMES_NR 1024u

struct rs_open_names {
	struct { int32_t tid; char *text; } at[RS_OPEN_NAMES_NR]; /* by tid: of two threads the later one stays; text NULL: none */
	unsigned int nr;
};

/* Is that the system of events that read names? */
bool rs_open_names_is_group(const char *system);
void rs_open_names_set(struct rs_open_names *names, int32_t tid, const char *text);
const char *rs_open_names_get(const struct rs_open_names *names, int32_t tid); /* NULL: none */
void rs_open_names_drop(struct rs_open_names *names, int32_t tid);
void rs_open_names_done(struct rs_open_names *names);

#endif
