// SPDX-License-Identifier: GPL-2.0-or-later
/* capture-threads - threads that begin together with the capture, and who is left out of what it sees */
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/thread.h"
#include "capture/capture.h"

void rs_capture_threads_set_phase(struct rs_capture *c, int phase)
{
	pthread_mutex_lock(&c->lock);
	c->phase = phase;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

static void *capture_run_thread(void *arg)
{
	struct rs_capture_thread *t = arg;
	struct rs_capture *c = t->c;
	int phase;

	/* at nice 0 the backlog grows on a busy machine; never real-time, because it computes */
	setpriority(PRIO_PROCESS, (id_t)gettid(), RS_CAPTURE_NICE);
	/* no_new_privs belongs to a thread: the process gives its own up later */
	rs_privileges_drop_thread();
	pthread_mutex_lock(&c->lock);
	c->own_tids[c->nr_own_tids++] = gettid();
	pthread_cond_broadcast(&c->changed);
	while (c->phase == RS_CAPTURE_WAITING)
		pthread_cond_wait(&c->changed, &c->lock);
	phase = c->phase;
	pthread_mutex_unlock(&c->lock);
	if (phase == RS_CAPTURE_RUNNING)
		t->body(t->arg);
	return NULL;
}

int rs_capture_thread(struct rs_capture *c, void (*body)(void *arg), void *arg, struct rs_error *err)
{
	struct rs_capture_thread *t = &c->threads[c->nr_threads];
	size_t before = c->nr_own_tids;
	int failed;

	if (c->started || c->nr_threads == RS_CAPTURE_MAX_THREADS)
		return rs_fail(err, "cannot make a thread: too late, or too many");
	*t = (struct rs_capture_thread){ .c = c, .body = body, .arg = arg };
	failed = pthread_create(&t->id, NULL, capture_run_thread, t);
	if (failed)
		return rs_fail(err, "cannot make a thread: %s", rs_thread_why(failed));
	c->nr_threads++;
	pthread_mutex_lock(&c->lock);
	while (c->nr_own_tids == before)
		pthread_cond_wait(&c->changed, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return 0;
}

void rs_capture_threads_join(struct rs_capture *c)
{
	while (c->nr_threads)
		pthread_join(c->threads[--c->nr_threads].id, NULL);
}

static void capture_add_own_tid(struct rs_capture *c, pid_t tid)
{
	if (tid > 0 && c->nr_own_tids < RS_CAPTURE_MAX_OWN_TIDS)
		c->own_tids[c->nr_own_tids++] = tid;
}

void rs_capture_threads_add_own(struct rs_capture *c)
{
	capture_add_own_tid(c, gettid());
	capture_add_own_tid(c, c->instance.guardian_pids[0]);
	capture_add_own_tid(c, c->instance.guardian_pids[1]);
	c->nr_own_tids += rs_live_tids(c->source, c->own_tids + c->nr_own_tids,
				       RS_CAPTURE_MAX_OWN_TIDS - c->nr_own_tids);
}
