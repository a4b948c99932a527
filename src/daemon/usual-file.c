// SPDX-License-Identifier: GPL-2.0-or-later
/* usual-file - the file in which a daemon keeps what it has learned */
#include "daemon/usual-file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "usual/usual-state.h"

struct rs_usual_file {
	const char *path;
	int fd;
	unsigned int last;           /* the half that was read or written last; the other one is next */
	bool has_failed;             /* told, until it is written again */
	pthread_mutex_t lock;        /* guards the members below */
	pthread_cond_t changed;
	struct rs_buf next;          /* to be written; empty: nothing */
	bool forgets, quits;
};

/* ---- opening ---- */

static int usual_file_check(const struct rs_usual_file *f, struct rs_error *err)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return rs_fail(err, "'%s' is no regular file", f->path);
	if (flock(f->fd, LOCK_EX | LOCK_NB) < 0)
		return rs_fail(err, "'%s': another daemon keeps there what it learns", f->path);
	return 0;
}

struct rs_usual_file *rs_usual_file_open(const char *path, struct rs_error *err)
{
	struct rs_usual_file *f = calloc(1, sizeof *f);

	if (!f) {
		rs_fail(err, "cannot open '%s': out of memory", path);
		return NULL;
	}
	f->path = path;
	f->next = (struct rs_buf)RS_BUF_INIT;
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	f->fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0640);
	if (f->fd < 0)
		rs_fail(err, "cannot open '%s': %s", path, strerror(errno));
	else if (usual_file_check(f, err) == 0)
		return f;
	rs_usual_file_close(f);
	return NULL;
}

void rs_usual_file_close(struct rs_usual_file *f)
{
	if (!f)
		return;
	if (f->fd >= 0)
		close(f->fd);
	rs_buf_done(&f->next);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

const char *rs_usual_file_path(const struct rs_usual_file *f)
{
	return f->path;
}

/* ---- reading ---- */

struct usual_file_half {
	bool is_there;
	off_t at;
	size_t len;
	uint64_t generation;
};

static struct usual_file_half usual_file_find(const struct rs_usual_file *f, unsigned int half)
{
	struct usual_file_half h = { .at = (off_t)half * RS_USUAL_STATE_MOST };
	char header[RS_USUAL_STATE_HEADER];

	h.is_there = pread(f->fd, header, sizeof header, h.at) == sizeof header &&
		     rs_usual_state_header(header, sizeof header, &h.len, &h.generation);
	return h;
}

/* 0: the first half was written last. */
static unsigned int usual_file_last(const struct rs_usual_file *f)
{
	struct usual_file_half a = usual_file_find(f, 0), b = usual_file_find(f, 1);

	return b.is_there && (!a.is_there || b.generation > a.generation);
}

bool rs_usual_file_load(struct rs_usual_file *f, unsigned int n, struct rs_buf *state)
{
	unsigned int half = n ? !f->last : usual_file_last(f);
	struct usual_file_half h = usual_file_find(f, half);

	f->last = half;
	rs_buf_clear(state);
	if (!h.is_there || !rs_buf_reserve(state, h.len) ||
	    pread(f->fd, state->data, h.len, h.at) != (ssize_t)h.len)
		return false;
	state->len = h.len;
	return true;
}

/* ---- writing ---- */

void rs_usual_file_keep(void *file, struct rs_buf *state)
{
	struct rs_usual_file *f = file;

	pthread_mutex_lock(&f->lock);
	rs_buf_done(&f->next);
	f->next = *state;
	pthread_cond_signal(&f->changed);
	pthread_mutex_unlock(&f->lock);
	*state = (struct rs_buf)RS_BUF_INIT;
}

void rs_usual_file_forget(void *file)
{
	struct rs_usual_file *f = file;

	pthread_mutex_lock(&f->lock);
	rs_buf_done(&f->next);
	f->next = (struct rs_buf)RS_BUF_INIT;
	f->forgets = true;
	pthread_cond_signal(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

static int usual_file_write(struct rs_usual_file *f, const struct rs_buf *state)
{
	off_t at = f->last ? 0 : RS_USUAL_STATE_MOST;

	for (size_t done = 0; done < state->len;) {
		ssize_t n = pwrite(f->fd, state->data + done, state->len - done, at + (off_t)done);

		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	if (fdatasync(f->fd) < 0)
		return -1;
	f->last = !f->last;
	return 0;
}

static void usual_file_report(struct rs_usual_file *f, bool failed, void (*say)(void *arg, const char *text),
			      void *arg)
{
	char text[512];

	if (failed && !f->has_failed) {
		snprintf(text, sizeof text, "cannot keep what is learned in '%s': %s", f->path,
			 strerror(errno));
		say(arg, text);
	}
	f->has_failed = failed;
}

/* What is forgotten is not read again after a crash: the file is empty before the answer's next state. */
void rs_usual_file_run(struct rs_usual_file *f, void (*say)(void *arg, const char *text), void *arg)
{
	struct rs_buf state;
	bool forgets, quits;

	do {
		pthread_mutex_lock(&f->lock);
		while (!f->next.len && !f->forgets && !f->quits)
			pthread_cond_wait(&f->changed, &f->lock);
		state = f->next;
		forgets = f->forgets;
		quits = f->quits;
		f->next = (struct rs_buf)RS_BUF_INIT;
		f->forgets = false;
		pthread_mutex_unlock(&f->lock);
		if (forgets)
			usual_file_report(f, ftruncate(f->fd, 0) < 0 || fdatasync(f->fd) < 0, say, arg);
		if (state.len)
			usual_file_report(f, usual_file_write(f, &state) < 0, say, arg);
		rs_buf_done(&state);
	} while (!quits);
}

void rs_usual_file_quit(struct rs_usual_file *f)
{
	pthread_mutex_lock(&f->lock);
	f->quits = true;
	pthread_cond_signal(&f->changed);
	pthread_mutex_unlock(&f->lock);
}
