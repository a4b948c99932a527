/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * contentions.h - contention on kernel locks that is in flight
 */
#ifndef RS_ENGINE_CONTENTIONS_H
#define RS_ENGINE_CONTENTIONS_H

#include "engine/task-table.h"
#include "ringside/match.h"

struct rs_session;

struct rs_lock_begun {
	struct rs_begun begun;  /* key: the lock's address */
	unsigned int flags;     /* enum rs_lock_flags */
	int32_t waker_tid;      /* the last to wake it meanwhile */
	bool has_waker;
};

/* The innermost contention in flight; NULL: none, or a gap made it uncertain. */
struct rs_lock_begun *rs_contentions_innermost(const struct rs_session *s, const struct rs_task_instance *inst);

#endif
