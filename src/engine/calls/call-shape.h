/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-shape.h - the arguments of a system call: how to show each, as a letter
 *
 * f descriptor   D directory descriptor   p address   z size or count   d signed   i int   u unsigned int   x
 * hex o octal mode   O open flags   P protection   M mapping flags   F futex operation   C clone flags W
 * whence       S signal       A address family   E epoll operation   c clock id . taken by the call, but not
 * shown: it says little, or depends on the others
 */
#ifndef RS_ENGINE_CALLS_CALL_SHAPE_H
#define RS_ENGINE_CALLS_CALL_SHAPE_H

#include <stdint.h>

#include "base/buf.h"
#include "engine/calls/calls.h"

struct rs_session;
struct rs_call_shapes;

struct rs_call_shape {
	unsigned int nr;
	char letters[7];        /* how to show each, terminated */
	char names[6][24];      /* names of the parameters in the kernel's source */
};

/* The texts of the last call that was shown. */
struct rs_call_texts {
	struct rs_call_shapes *shapes;  /* NULL until a call is shown */
	struct rs_buf text;
	char words[6 * 19];             /* its words: "0x", 16 digits and a separator each */
	uint8_t nr_args[RS_MAX_CALL_NUMBERS]; /* 1 + how many a call of that number has; 0: not asked yet */
};

/*
 * From the kernel's own formats. Returns NULL if the arguments are not known. Valid as long as the session.
 */
const struct rs_call_shape *rs_call_shape_get(struct rs_session *s, int64_t nr);
void rs_call_shapes_free(struct rs_call_shapes *shapes);

#endif
