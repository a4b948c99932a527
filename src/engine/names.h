/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names.h - the name, process and parent of each task: from the initial task snapshot, then from events
 */
#ifndef RS_ENGINE_NAMES_H
#define RS_ENGINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_event;
struct rs_field;
struct rs_first_names;
struct rs_initial_task;
struct rs_session;
struct rs_task_instance;

struct rs_names {
	struct rs_first_names *first;   /* read ahead; may be NULL */
	const struct rs_initial_task **snapshot; /* nr_initial rows of the source, sorted by tid */
	size_t nr_initial, nr_initial_read; /* read: of the source, when they were sorted */
	/* by index in the snapshot: an event has named it, so events have its state */
	bool *seen;
	/* by a live capture of ringside, now or when the file was recorded: it names its tasks itself */
	bool of_ringside;
	bool names_it;                  /* the current event both creates and names a task instance */
};

/* Sorts the initial tasks of the source. 0, or -1 without memory */
int rs_names_init(struct rs_session *s);
void rs_names_new_instance(void *session, struct rs_task_instance *inst);
/* Returns the initial task snapshot of this task instance, from /proc or the file; may be NULL. */
const struct rs_initial_task *rs_names_add_initial(const struct rs_session *s,
						   const struct rs_task_instance *inst);
/* The same for a tid that no event has named; may be NULL. */
const struct rs_initial_task *rs_names_initial_task(const struct rs_session *s, int32_t tid);
void rs_names_comm(struct rs_session *s, struct rs_task_instance *inst, const struct rs_event *ev,
		   const struct rs_field *f);
void rs_names_comm_text(struct rs_session *s, struct rs_task_instance *inst, const char *comm);
/* A task created another. Uses clone_flags if task_newtask reported them, else the parent's system call. */
void rs_names_fork(struct rs_session *s, struct rs_task_instance *parent, struct rs_task_instance *child,
		   bool flags_known, uint64_t clone_flags);

#endif
