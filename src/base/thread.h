/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * thread.h - starts a thread with all signals blocked: signals go to the thread that waits for them; a pause
 * of a thread
 */
#ifndef RS_BASE_THREAD_H
#define RS_BASE_THREAD_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>

/* stack_bytes 0: the C library's. Returns 0, or an errno. */
int rs_thread_begin(pthread_t *thread, size_t stack_bytes, void *(*body)(void *arg), void *arg);

/* The reason for pthread_create's errno. EAGAIN also means that there was no memory for the stack. */
const char *rs_thread_why(int errnum);

/*
 * Pauses the calling thread for a time. Returns true at once when end is posted: who waits for the end of a
 * thread does not wait for its pause as well. A signal neither ends nor prolongs the pause, though no thread
 * can block all of them:
 * setresuid() of the C library interrupts each thread of the process with one.
 */
bool rs_thread_pause(sem_t *end, unsigned int ms);

#endif
