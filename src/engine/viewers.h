/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * viewers.h - the processes between ringside's numbers and the user: the one that draws, its shell, the
 * terminal
 *
 * They run because ringside is being watched. Tables have them like all others; findings, what is stuck and
 * the slowest leave them out, except with --self. One thread adds, any thread reads.
 */
#ifndef RS_ENGINE_VIEWERS_H
#define RS_ENGINE_VIEWERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RS_MAX_VIEWERS 64

struct rs_session;

struct rs_viewers {
	atomic_uint nr;
	int32_t pids[RS_MAX_VIEWERS];
};

/* Adds the process and its ancestors; of a terminal multiplexer also its other processes. */
void rs_viewers_add(struct rs_viewers *v, struct rs_session *s, int32_t pid);
bool rs_viewers_has(const struct rs_viewers *v, int32_t pid); /* v may be NULL */

#endif
