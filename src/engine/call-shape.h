/* SPDX-License-Identifier: GPL-2.0-or-later */
/* call-shape.h - the arguments of a system call, from the kernel's own formats */
#ifndef RS_ENGINE_CALL_SHAPE_H
#define RS_ENGINE_CALL_SHAPE_H

#include <stdint.h>

struct rs_session;
struct rs_call_shapes;

struct rs_call_shape {
	unsigned int nr;
	char letters[7];        /* how to show each, see call-letters.h; terminated */
	char names[6][24];      /* names of the parameters in the kernel's source */
};

/* Returns NULL if the arguments are not known. Valid as long as the session. */
const struct rs_call_shape *rs_call_shape_get(struct rs_session *s, int64_t nr);
void rs_call_shapes_free(struct rs_call_shapes *shapes);

#endif
