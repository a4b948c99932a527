/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thread.h - starts a thread with all signals blocked: signals go to the thread that waits for them */
#ifndef RS_BASE_THREAD_H
#define RS_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* stack_bytes 0: the C library's. Returns 0, or an errno. */
int rs_thread_begin(pthread_t *thread, size_t stack_bytes, void *(*body)(void *arg), void *arg);

/* The reason for pthread_create's errno. EAGAIN also means that there was no memory for the stack. */
const char *rs_thread_why(int errnum);

#endif
