// SPDX-License-Identifier: GPL-2.0-or-later
/* record-args - the command lines of processes, read while a recording is made */
#include "cli/record/record-args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/thread.h"
#include "base/vector.h"
#include "source/live/proc.h"

#define END_WAIT_MS 200

/* Never freed: the thread may be held by a process that is stuck. */
struct rs_record_args {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct rs_process_args *row;  /* by pid and comm; .text NULL: not read yet */
	size_t nr, room, nr_read;
};

static void record_args_read(struct rs_record_args *a, size_t at)
{
	struct rs_process_args row = a->row[at];
	char text[RECORD_ARGS_BYTES];

	pthread_mutex_unlock(&a->lock);
	rs_proc_args(row.pid, row.comm, text, sizeof text);
	row.text = *text ? strdup(text) : NULL;
	pthread_mutex_lock(&a->lock);
	a->row[at].text = row.text;
	a->nr_read = at + 1;
}

static void *record_args_body(void *arg)
{
	struct rs_record_args *a = arg;

	pthread_mutex_lock(&a->lock);
	for (;;) {
		while (a->nr_read < a->nr)
			record_args_read(a, a->nr_read);
		pthread_cond_broadcast(&a->changed);
		pthread_cond_wait(&a->changed, &a->lock);
	}
	return NULL;
}

static bool record_args_has(const struct rs_record_args *a, const struct rs_initial_task *task)
{
	for (size_t i = 0; i < a->nr; i++)
		if (a->row[i].pid == task->pid && !strncmp(a->row[i].comm, task->comm, sizeof a->row[i].comm))
			return true;
	return false;
}

static void record_args_add(struct rs_record_args *a, const struct rs_initial_task *task, size_t nr)
{
	for (const struct rs_initial_task *end = task + nr; task < end && a->nr < RECORD_ARGS_MAX; task++) {
		struct rs_process_args *row = task->tid == task->pid && !task->kernel_thread &&
							      !record_args_has(a, task) ?
						      RS_VECTOR_ADD(&a->row, &a->nr, &a->room) :
						      NULL;

		if (!row)
			continue;
		*row = (struct rs_process_args){ .pid = task->pid };
		rs_copy(row->comm, sizeof row->comm, task->comm);
	}
}

struct rs_record_args *rs_record_args_begin(const struct rs_initial_task *initial, size_t nr)
{
	struct rs_record_args *a = calloc(1, sizeof *a);
	pthread_t thread;

	if (!a)
		return NULL;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	record_args_add(a, initial, nr);
	if (rs_thread_begin(&thread, 0, record_args_body, a) == 0) {
		pthread_detach(thread);
		return a;
	}
	free(a->row);
	free(a);
	return NULL;
}

void rs_record_args_end(struct rs_record_args *a, const struct rs_initial_task *living, size_t nr,
			struct rs_trace_info *info)
{
	struct timespec until;
	int error = 0;

	if (!a)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += END_WAIT_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&a->lock);
	record_args_add(a, living, nr);
	pthread_cond_broadcast(&a->changed);
	while (a->nr_read < a->nr && !error)
		error = pthread_cond_timedwait(&a->changed, &a->lock, &until);
	info->args = a->row;
	info->nr_args = a->nr_read;
	a->nr = a->nr_read; /* the thread adds nothing any more */
	pthread_mutex_unlock(&a->lock);
}
