// SPDX-License-Identifier: GPL-2.0-or-later
/* args-reader - reads the command lines of processes from /proc, for a table of them */
#include "source/live/args-reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/monotonic.h"
#include "base/thread.h"
#include "base/vector.h"
#include "source/live/proc.h"
#include "source/trace-clock.h"

#define ARGS_READER_TICK_NS 50000000u
#define ARGS_READER_BUDGET 32u    /* 10 us each: less than one percent of a CPU */

struct args_reader_ask {
	int32_t pid;
	char comm[RS_COMM_LEN];
};

/* The thread may be held by a process that is stuck: the last of both frees it. */
struct rs_args_reader {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	sem_t ready;
	struct rs_process_args_table *table;
	struct args_reader_ask *asked; /* [at, nr) are to be read */
	size_t at, nr, room;
	bool reads;                    /* one of them is being read */
	bool ended;
	unsigned int nr_users;
	uint64_t tick_ns;
	unsigned int budget;
	pid_t tid;
	bool has_clock, plain;
	clockid_t clock;
};

static void args_reader_free(struct rs_args_reader *r)
{
	pthread_mutex_destroy(&r->lock);
	pthread_cond_destroy(&r->changed);
	sem_destroy(&r->ready);
	rs_process_args_free(r->table);
	free(r->asked);
	free(r);
}

static void args_reader_leave(struct rs_args_reader *r)
{
	bool last;

	pthread_mutex_lock(&r->lock);
	last = !--r->nr_users;
	pthread_mutex_unlock(&r->lock);
	if (last)
		args_reader_free(r);
}

static uint64_t args_reader_now_ns(const struct rs_args_reader *r)
{
	return r->has_clock ? rs_trace_clock_ns(r->clock) : 0;
}

static size_t args_reader_read_one(struct rs_args_reader *r, int32_t pid, const char *comm, char *text,
				   size_t size_bytes)
{
	struct rs_process_args row = { .pid = pid };
	size_t len = rs_proc_args(pid, comm, r->plain, text, size_bytes);

	rs_copy(row.comm, sizeof row.comm, comm);
	row.read_ns = args_reader_now_ns(r);
	row.text = len ? text : NULL;
	rs_process_args_add(r->table, &row);
	return len;
}

/* With the lock, which is not held while a process is read. */
static void args_reader_read_next(struct rs_args_reader *r)
{
	struct args_reader_ask ask = r->asked[r->at++];
	char text[RS_PROCESS_ARGS_BYTES];

	if (r->at == r->nr)
		r->at = r->nr = 0;
	r->reads = true;
	pthread_mutex_unlock(&r->lock);
	args_reader_read_one(r, ask.pid, ask.comm, text, sizeof text);
	pthread_mutex_lock(&r->lock);
	r->reads = false;
}

static void *args_reader_body(void *arg)
{
	struct rs_args_reader *r = arg;

	r->tid = gettid();
	sem_post(&r->ready);
	pthread_mutex_lock(&r->lock);
	while (!r->ended) {
		if (r->at < r->nr) {
			args_reader_read_next(r);
			continue;
		}
		pthread_cond_broadcast(&r->changed);
		pthread_cond_wait(&r->changed, &r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	args_reader_leave(r);
	return NULL;
}

struct rs_args_reader *rs_args_reader_begin(const clockid_t *clock, bool plain)
{
	struct rs_args_reader *r = calloc(1, sizeof *r);
	pthread_t thread;

	if (!r)
		return NULL;
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	sem_init(&r->ready, 0, 0);
	r->has_clock = clock;
	r->clock = clock ? *clock : 0;
	r->plain = plain;
	r->nr_users = 2;
	r->table = rs_process_args_new(true);
	if (!r->table || rs_thread_begin(&thread, 0, args_reader_body, r) != 0) {
		args_reader_free(r);
		return NULL;
	}
	pthread_detach(thread);
	while (sem_wait(&r->ready) < 0 && errno == EINTR)
		;
	return r;
}

void rs_args_reader_end(struct rs_args_reader *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->ended = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	args_reader_leave(r);
}

pid_t rs_args_reader_tid(const struct rs_args_reader *r)
{
	return r ? r->tid : 0;
}

struct rs_process_args_table *rs_args_reader_table(struct rs_args_reader *r)
{
	return r ? r->table : NULL;
}

/* ---- asking ---- */

/* With the lock. A row without a text says that it was asked for. */
static void args_reader_add(struct rs_args_reader *r, int32_t pid, const char *comm)
{
	struct rs_process_args row = { .pid = pid, .read_ns = args_reader_now_ns(r) };
	struct args_reader_ask *ask;

	rs_copy(row.comm, sizeof row.comm, comm);
	ask = rs_process_args_add(r->table, &row) ? RS_VECTOR_ADD(&r->asked, &r->nr, &r->room) : NULL;
	if (!ask)
		return;
	ask->pid = pid;
	memcpy(ask->comm, row.comm, sizeof ask->comm);
	pthread_cond_broadcast(&r->changed);
}

/* With the lock. */
static bool args_reader_may_ask(struct rs_args_reader *r)
{
	uint64_t now_ns = rs_monotonic_ns();

	if (!r->tick_ns || now_ns - r->tick_ns >= ARGS_READER_TICK_NS) {
		r->tick_ns = now_ns;
		r->budget = ARGS_READER_BUDGET;
	}
	return r->budget && r->budget--;
}

void rs_args_reader_ask(struct rs_args_reader *r, const struct rs_process *of)
{
	if (!r || of->pid <= 0 || !*of->comm || rs_process_args_has(r->table, of))
		return;
	pthread_mutex_lock(&r->lock);
	if (args_reader_may_ask(r))
		args_reader_add(r, of->pid, of->comm);
	pthread_mutex_unlock(&r->lock);
}

void rs_args_reader_ask_all(struct rs_args_reader *r, const struct rs_initial_task *tasks, size_t nr)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	for (const struct rs_initial_task *task = tasks; task < tasks + nr; task++) {
		const struct rs_process of = { .pid = task->pid, .comm = task->comm };

		if (task->tid == task->pid && !task->kernel_thread && !rs_process_args_has(r->table, &of))
			args_reader_add(r, task->pid, task->comm);
	}
	pthread_mutex_unlock(&r->lock);
}

void rs_args_reader_wait(struct rs_args_reader *r, unsigned int ms)
{
	struct timespec until;
	int error = 0;

	if (!r)
		return;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ms % 1000 * 1000000L;
	until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_mutex_lock(&r->lock);
	while ((r->at < r->nr || r->reads) && !error)
		error = pthread_cond_timedwait(&r->changed, &r->lock, &until);
	pthread_mutex_unlock(&r->lock);
}

size_t rs_args_reader_read(struct rs_args_reader *r, const struct rs_process *of, char *buf,
			   size_t size_bytes)
{
	char text[RS_PROCESS_ARGS_BYTES];

	*buf = '\0';
	if (!r || of->pid <= 0)
		return 0;
	if (!rs_process_args_get(r->table, of, buf, size_bytes) &&
	    args_reader_read_one(r, of->pid, of->comm, text, sizeof text))
		rs_copy(buf, size_bytes, text);
	return strlen(buf);
}
