/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demo.h - the recordings that the command demo shows, in the program itself; made at build time */
#ifndef RS_CLI_DEMO_H
#define RS_CLI_DEMO_H

#include <stddef.h>

struct rs_demo_recording {
	const char *name;
	const unsigned char *data;   /* packed by xz */
	size_t size_bytes;
};

/* Ends with a NULL name. */
extern const struct rs_demo_recording rs_demo_recordings[];

#endif
