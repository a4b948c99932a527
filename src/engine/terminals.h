/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terminals.h - which reads in flight are of a terminal: they wait for a person, however long that takes
 *
 * An event has the descriptor's number alone. Where somebody looks at what is in flight, the asker (session.h) is asked what
 * it stands for; the next look has the answer. It tells of the moment of the asker's look, when the call was still in
 * flight: a descriptor that another thread has replaced meanwhile is taken for the one that is read.
 */
#ifndef RS_ENGINE_TERMINALS_H
#define RS_ENGINE_TERMINALS_H

#include "engine/session.h"

struct rs_terminals;

/* NULL: no memory */
struct rs_terminals *rs_terminals_new(const struct rs_fd_requester *requester);
void rs_terminals_free(struct rs_terminals *t);

/*
 * Is what a call of tid that began at enter_ns reads through fd a terminal? in_flight: it is asked for if it is not known;
 * while the answer is awaited it is taken for one, so that nobody's prompt is shown as stuck for a moment.
 */
bool rs_terminals_has(struct rs_terminals *t, const struct rs_task *task, uint64_t enter_ns, int32_t fd, bool in_flight);

#endif
