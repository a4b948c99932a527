/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * viewers.h - who is between ringside's numbers and the user: what draws, the shell it was typed into, the terminal
 *
 * They work because somebody looks. Tables have them as all others; what is told unasked (findings, what is stuck, the
 * longest) leaves them out, unless --self asks for them. One thread adds, any thread asks.
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

/* The process and those that it comes from, up to the first of all; of a terminal multiplexer its other processes, too. */
void rs_viewers_add(struct rs_viewers *v, struct rs_session *s, int32_t pid);
bool rs_viewers_has(const struct rs_viewers *v, int32_t pid); /* v NULL: none */

#endif
