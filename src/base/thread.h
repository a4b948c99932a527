/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.h - a thread of ours: signals are for who waits for them, so it is born with all of them blocked */
#ifndef RS_BASE_THREAD_H
#define RS_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* stack_bytes 0: the C library's. Returns 0, or an errno. */
int rs_thread_begin(pthread_t *thread, size_t stack_bytes, void *(*body)(void *arg), void *arg);

/* Why a thread could not be made, by pthread_create's errno; EAGAIN is also said where its stack finds no memory. */
const char *rs_thread_why(int errnum);

#endif
