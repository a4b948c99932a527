/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-params.h - which parameters the kernel's system calls have, from its syscalls/sys_enter_NAME/format
 *
 * Of each call a line, "int dfd, const char * filename, int flags, umode_t mode": types and names as in the
 * source.
 */
#ifndef RS_SOURCE_CALL_PARAMS_H
#define RS_SOURCE_CALL_PARAMS_H

#include "source/source.h"

struct rs_call_params_list {
	struct rs_call_params *row;
	size_t nr, room;
};

/* Makes the line from a format's text. The caller frees it. NULL: not the format of a call, or no memory. */
char *rs_call_params_parse(struct rs_text format);

/* One more; false: no memory. Both are copied. */
bool rs_call_params_add(struct rs_call_params_list *list, const char *name, const char *params);
/* Adds every call in events/syscalls of a tracefs or an instance; skips what cannot be read. */
void rs_call_params_read(struct rs_call_params_list *list, const char *tracefs);
void rs_call_params_done(struct rs_call_params_list *list);

#endif
