/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminals.h - finds the reads in flight from a terminal, which wait for a person
 *
 * An event has only the descriptor's number. When a viewer lists what is in flight, the requester (session.h)
 * is asked for the file; the next refresh has the answer. It holds for the moment of that look-up, while the
 * call was still in flight: if another thread replaced the descriptor meanwhile, the new file is taken for
 * the one being read.
 */
#ifndef RS_ENGINE_FILES_TERMINALS_H
#define RS_ENGINE_FILES_TERMINALS_H

#include "engine/session.h"

struct rs_terminals;

/* NULL: descriptors of terminals are not known. */
struct rs_terminals *rs_terminals_of(const struct rs_session *s);

/*
 * Does the call of tid that began at enter_ns read fd of a terminal? in_flight: sends a request if that is
 * not known; until the answer comes the read is taken for one of a terminal, so that no prompt is listed as
 * stuck for a moment.
 */
bool rs_terminals_has(struct rs_terminals *t, const struct rs_task *task, uint64_t enter_ns, int32_t fd,
		      bool in_flight);

/* A reply that another observer has read. */
void rs_terminals_reply(struct rs_terminals *t, const struct rs_fd_reply *reply);

#endif
