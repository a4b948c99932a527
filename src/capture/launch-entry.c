// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * launch-entry - runs the launched command up to its first instruction, and holds it there
 *
 * By then the dynamic linker has mapped all libraries that the program names, and main has not begun: what is
 * probed in them is known, and no call is missed. Debuggers do the same: a breakpoint where the program
 * begins (AT_ENTRY).
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/close.h"
#include "capture/capture.h"

#if defined(__x86_64__)
static const unsigned char entry_breakpoint[] = { 0xcc };                   /* int3 */
#elif defined(__riscv)
static const unsigned char entry_breakpoint[] = { 0x02, 0x90 };             /* c.ebreak */
#else
/* brk #0 of arm64; others refuse before they get here */
static const unsigned char entry_breakpoint[] = { 0x00, 0x00, 0x20, 0xd4 };
#endif

/* Behind the breakpoint instead of at it. */
static int entry_step_back(pid_t pid, unsigned long entry)
{
#if defined(__x86_64__)
	struct user_regs_struct regs;
	struct iovec vec = { &regs, sizeof regs };

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &vec) < 0)
		return -1;
	regs.rip = entry;
	return (int)ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &vec);
#else
	(void)pid, (void)entry;
	return 0; /* it is at it */
#endif
}

/* 0: not there, as in a 32-bit program. */
static unsigned long entry_address(pid_t pid)
{
	unsigned long pair[2], entry = 0;
	char path[32];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && !entry && read(fd, pair, sizeof pair) == sizeof pair)
		entry = pair[0] == AT_ENTRY ? pair[1] : 0;
	rs_close(&fd);
	return entry;
}

/* Until it stops for this reason; other signals are delivered. -1: it has ended instead. */
static int entry_await(struct rs_launch *l, int reason)
{
	int status, sig = 0;

	for (;;) {
		if (waitpid(l->pid, &status, __WALL) < 0 && errno != EINTR)
			return -1;
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			l->status = status;
			l->status_known = true;
			return -1;
		}
		if (WIFSTOPPED(status) && status >> 8 == reason)
			return 0;
		sig = status >> 16 ? 0 : WSTOPSIG(status); /* an event of ptrace is no signal */
		ptrace(PTRACE_CONT, l->pid, NULL, (void *)(long)sig);
	}
}

static int entry_run(struct rs_launch *l, unsigned long entry)
{
	unsigned long before, with;

	errno = 0;
	before = with = (unsigned long)ptrace(PTRACE_PEEKTEXT, l->pid, (void *)entry, NULL);
	memcpy(&with, entry_breakpoint, sizeof entry_breakpoint);
	if (errno || ptrace(PTRACE_POKETEXT, l->pid, (void *)entry, (void *)with) < 0 ||
	    ptrace(PTRACE_CONT, l->pid, NULL, NULL) < 0 || entry_await(l, SIGTRAP) < 0)
		return -1;
	return ptrace(PTRACE_POKETEXT, l->pid, (void *)entry, (void *)before) < 0 ?
		       -1 :
		       entry_step_back(l->pid, entry);
}

/* A child that is held ends with ringside, however that ends. */
int rs_launch_run_to_entry(struct rs_launch *l, struct rs_error *err)
{
	unsigned long entry;

	if (ptrace(PTRACE_SEIZE, l->pid, NULL, (void *)(PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)) < 0)
		return rs_fail(err, "cannot hold '%s' where it begins: %s (start it, and name it with -p)",
			       l->name, strerror(errno));
	l->held = true;
	(void)!write(l->go_fd, "", 1);
	rs_close(&l->go_fd);
	if (entry_await(l, SIGTRAP | PTRACE_EVENT_EXEC << 8) < 0)
		return rs_launch_check(l, err) < 0 ?
			       -1 :
			       rs_fail(err, "cannot run '%s': its process ended before it began", l->name);
	entry = entry_address(l->pid);
	if (entry && entry_run(l, entry) < 0)
		return rs_fail(err, "cannot run '%s': its process ended before main", l->name);
	return 0;
}

void rs_launch_let_go(struct rs_launch *l)
{
	ptrace(PTRACE_DETACH, l->pid, NULL, NULL);
	l->held = false;
}
