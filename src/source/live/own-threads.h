/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * own-threads.h - what /proc says of threads of this process: do they run, wait for a CPU, or sleep?
 *
 * For the watchdog, which is real-time: nothing here allocates, or waits for a lock.
 */
#ifndef RS_SOURCE_LIVE_OWN_THREADS_H
#define RS_SOURCE_LIVE_OWN_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Returns the state letter of a thread of this process, or of another process if process is set; 0: it has
 * gone.
 */
char rs_own_threads_state(pid_t tid);
char rs_own_threads_process_state(pid_t pid);

/*
 * The time that a thread has waited on run queues, without a wait that has not ended yet. 0 where the kernel
 * does not tell (CONFIG_SCHED_INFO).
 */
uint64_t rs_own_threads_wait_ns(pid_t tid);

/*
 * Returns true if a thread of this process for which counts() is true runs, or waits for a CPU or a disk (D):
 * it will go on by itself, and may hold a lock meanwhile.
 */
bool rs_own_threads_any_goes_on(bool (*counts)(const void *arg, pid_t tid), const void *arg);

#endif
