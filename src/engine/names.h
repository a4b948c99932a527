/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - the name, process and parent of each task: from the initial task snapshot, then from events
 */
#ifndef RS_ENGINE_NAMES_H
#define RS_ENGINE_NAMES_H

#include "engine/internal.h"

int rs_names_init(struct rs_session *s);           /* sorts the source's seeds */
void rs_names_new_instance(void *session, struct rs_task_instance *inst);
/* What /proc or the file said of this life first; NULL nothing. */
const struct rs_initial_task *rs_names_add_initial(const struct rs_session *s,
						   const struct rs_task_instance *inst);
/* Of a task that no event has told of; NULL nothing. */
const struct rs_initial_task *rs_names_initial_task(const struct rs_session *s, int32_t tid);
void rs_names_comm(struct rs_session *s, struct rs_task_instance *inst, const struct rs_event *ev, const struct rs_field *f);
void rs_names_comm_text(struct rs_session *s, struct rs_task_instance *inst, const char *comm);
/* A task made another: clone_flags where task_newtask told, else what the parent's system call tells. */
void rs_names_fork(struct rs_session *s, struct rs_task_instance *parent, struct rs_task_instance *child, bool flags_known, uint64_t clone_flags);
void rs_names_pid(struct rs_session *s, struct rs_task_instance *inst, int32_t pid);

#endif
