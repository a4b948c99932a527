/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learner.h - what a daemon learns of its intervals: see usual/usual.h
 *
 *	learner = rs_learner_new(&(struct rs_learner_config){ ... }, &err);
 *	service_config.learner = learner;
 *
 * The thread of the analysis uses it. What is worth keeping is handed to .keep, which must not block: that
 * thread reads the trace.
 */
#ifndef RS_SERVICE_LEARNER_H
#define RS_SERVICE_LEARNER_H

#include "base/buf.h"
#include "base/error.h"

struct rs_session;
struct rs_session_config;
struct rs_usual;

struct rs_learner_config {
	const struct rs_session_config *session;
	/* Takes the state, and its memory; NULL: nothing is kept. */
	void (*keep)(void *arg, struct rs_buf *state);
	void (*forget)(void *arg);   /* what was kept; NULL as .keep */
	void *arg;
	const char *file;            /* where it is kept, for answers; NULL: nowhere */
};

struct rs_learner;

struct rs_learner *rs_learner_new(const struct rs_learner_config *config, struct rs_error *err);
void rs_learner_free(struct rs_learner *l);
/* Takes what was kept, the state of that generation. -1: it is damaged, and nothing is known. */
int rs_learner_restore(struct rs_learner *l, const void *state, size_t len, struct rs_error *err);

/* Before the reset of the session. */
void rs_learner_end_interval(struct rs_learner *l, struct rs_session *s, uint64_t from_ns, uint64_t to_ns);
void rs_learner_forget(struct rs_learner *l);
const struct rs_usual *rs_learner_usual(const struct rs_learner *l);
/* What is unusual, of several the costliest and how many more; NULL: nothing is. Until the next interval. */
const char *rs_learner_sentence(const struct rs_learner *l);
const char *rs_learner_file(const struct rs_learner *l); /* NULL: nowhere */

#endif
