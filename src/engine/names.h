/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - the name, process and parent of each task: from the initial task snapshot, then from events
 */
#ifndef RS_ENGINE_NAMES_H
#define RS_ENGINE_NAMES_H

#include "engine/internal.h"

int rs_names_init(struct rs_session *s);           /* sorts the initial tasks of the source */
void rs_names_new_instance(void *session, struct rs_task_instance *inst);
/* Returns the initial task snapshot of this task instance, from /proc or the file; may be NULL. */
const struct rs_initial_task *rs_names_add_initial(const struct rs_session *s,
						   const struct rs_task_instance *inst);
/* The same for a tid that no event has named; may be NULL. */
const struct rs_initial_task *rs_names_initial_task(const struct rs_session *s, int32_t tid);
void rs_names_comm(struct rs_session *s, struct rs_task_instance *inst, const struct rs_event *ev, const struct rs_field *f);
void rs_names_comm_text(struct rs_session *s, struct rs_task_instance *inst, const char *comm);
/* A task created another. Uses clone_flags where task_newtask reported them, else the parent's system call. */
void rs_names_fork(struct rs_session *s, struct rs_task_instance *parent, struct rs_task_instance *child, bool flags_known, uint64_t clone_flags);
void rs_names_pid(struct rs_session *s, struct rs_task_instance *inst, int32_t pid);

#endif
