/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscall.h - the system calls of the recording's architecture: names, numbers, and what a number tells of a
 * call
 */
#ifndef RS_ENGINE_CALLS_SYSCALL_H
#define RS_ENGINE_CALLS_SYSCALL_H

#include "engine/calls/call-facts.h"
#include "ringside/wait.h"
#include "source/source.h"

/* uapi/linux/sched.h: the same on every architecture */
#define RS_CLONE_PARENT 0x8000u
#define RS_CLONE_THREAD 0x10000u
#define RS_CLONE_FS 0x200u
#define RS_CLONE_FILES 0x400u
#define RS_CLONE_NEWNS 0x20000u

struct rs_syscall_names;

struct rs_syscall_names *rs_syscall_names_new(const struct rs_trace_info *info);
void rs_syscall_names_free(struct rs_syscall_names *n);
const char *rs_syscall_names_get(struct rs_syscall_names *n, int64_t nr);
/* -1: the table lacks it */
int64_t rs_syscall_number(struct rs_syscall_names *n, enum rs_call_table table, const char *name);
/* the kernel may run 32-bit programs whose calls are known here */
bool rs_syscall_has_compat(const struct rs_syscall_names *n);
/* words of 32 bits: a longer argument takes two */
bool rs_syscall_is_narrow(struct rs_syscall_names *n, int64_t nr);
/* The exit of an execve has the number of execve in the new program's table (x86's set_personality_*()). */
bool rs_syscall_exec_reports(const struct rs_syscall_names *n);
/*
 * The number of argument words that the call takes; 6 if not known. The other words are whatever the
 * registers held.
 */
unsigned int rs_syscall_nr_args(struct rs_syscall_names *n, int64_t nr);
/* What calls.tbl says, by number. Valid as long as the names. */
const struct rs_call_facts *rs_syscall_facts(const struct rs_syscall_names *n);
/* args may be NULL for calls that have no RS_CALL_FUTEX_WAIT by their arguments. */
enum rs_call_kind rs_syscall_kind(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args);
/* The number of ETIMEDOUT: one of the few errors that differ by architecture. */
int rs_syscall_etimedout(const struct rs_syscall_names *n);
/* This architecture uses the constants of the asm-generic headers, as x86 and s390 do. */
bool rs_syscall_generic_constants(const struct rs_syscall_names *n);
/* The kind of child that a fork-like call creates: 1 a thread, 0 a process, -1 not known. */
int rs_syscall_makes_thread(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args);

/*
 * rs_syscall_is_known - pattern: a name, or one with * and ?
 *
 * Calls of other architectures are known, too, for 32-bit programs make them. False: near, of size bytes,
 * gets the most similar name, or "". If the recording's architecture is not known, every name is accepted.
 */
bool rs_syscall_is_known(const struct rs_trace_info *info, const char *pattern, char *near, size_t size);

#endif
