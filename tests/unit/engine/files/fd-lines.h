/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fd-lines.h - lines of calls on descriptors, for the tests of descriptors' paths
 *
 * A_10 is a process of two threads, 10 and 11. READ is a read of its descriptor 3, and the row of it is PLAIN
 * or PATH. TICK, on another CPU, ends a turn: then what is to be known is asked.
 */
#ifndef TESTS_FD_LINES_H
#define TESTS_FD_LINES_H

#include "ask.h"
#include "tracefs/guardian.h"

#define ANSWER(pid, fd, ns, path) { pid, fd, ns, path, false }
#define LATE(pid, fd, ns, path) { pid, fd, ns, path, true }
#define SYSCALLS "syscalls", .some = true
#define A_10 "seed a/10 pid=10", "seed a/11 pid=10"
#define TICK(ns) #ns " cpu1 sched_waking x/98 target=1 by y/99"

#define ENTER(ns, tid, call, args) #ns " cpu0 sys_enter t=" #tid " nr=" #call " " args
#define LEAVE(ns, tid, call, ret) #ns " cpu0 sys_exit t=" #tid " nr=" #call " ret=" #ret
#define CALL(from, to, tid, call, args, ret) ENTER(from, tid, call, args), LEAVE(to, tid, call, ret)
#define FILE_CALL(from, to, tid, call, fd, ret) CALL(from, to, tid, call, #fd " 0 64 0 0 0", ret)
#define CLOSE(from, to) CALL(from, to, 10, close, "3 0 0 0 0 0", 0)

#define READ(from, to) CALL(from, to, 10, read, "3 0 64 0 0 0", 100)
#define PLAIN(from) "start_ns=" #from " call='read(3, NULL, 100)'"
#define PATH(from, path) "start_ns=" #from " call='read(3<" path ">, NULL, 100)'"

/* With the name that the kernel has read. */
#define OPENAT(from, to, dir, ret, name) \
	ENTER(from, 10, openat, dir " 0 0 0 0 0"), #from " cpu0 openat t=10 " name, LEAVE(to, 10, openat, ret)
#define CWD "ffffff9c"

/* Until a call of the new program tells by a word of more than 32 bits, it may be a 32-bit program. */
#define EXEC_AT(ns) #ns " cpu0 sched_process_exec /bin/x t=10 pid=10 old=10"
#define IS_64_BITS(from, to) CALL(from, to, 10, getppid, "7fff00001000 0 0 0 0 0", 1)
#define EXEC(from, to) \
	ENTER(from, 10, execve, "0 0 0 0 0 0"), EXEC_AT(from), LEAVE(to, 10, execve, 0), \
	IS_64_BITS(to##1, to##2)

#endif
