// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/call-letters.h"

#include <stddef.h>
#include <string.h>

static const struct {
	const char *name, *args;
} calls[] = {
	{ "read", "fpz" }, { "write", "fpz" }, { "pread64", "fpzd" }, { "pwrite64", "fpzd" },
	{ "readv", "fpi" }, { "writev", "fpi" }, { "preadv", "fpid" }, { "pwritev", "fpid" },
	{ "open", "pOo" }, { "openat", "DpOo" }, { "creat", "po" }, { "close", "f" },
	{ "lseek", "fdW" }, { "dup", "f" }, { "dup2", "ff" }, { "dup3", "ffO" }, { "pipe", "p" }, { "pipe2", "pO" },
	{ "fsync", "f" }, { "fdatasync", "f" }, { "ftruncate", "fd" }, { "fallocate", "fxdd" },
	{ "stat", "pp" }, { "fstat", "fp" }, { "lstat", "pp" }, { "newfstatat", "Dppx" }, { "statx", "Dpxxp" },
	{ "access", "po" }, { "faccessat", "Dpo" }, { "readlink", "ppz" }, { "readlinkat", "Dppz" },
	{ "unlink", "p" }, { "unlinkat", "Dpx" }, { "mkdir", "po" }, { "mkdirat", "Dpo" }, { "getdents64", "fpz" },
	{ "ioctl", "fxp" }, { "fcntl", "fix" }, { "sendfile", "ffpz" }, { "copy_file_range", "fpfpzx" },
	{ "mmap", "pzPMfd" }, { "mprotect", "pzP" }, { "munmap", "pz" }, { "madvise", "pzi" }, { "brk", "p" },
	{ "socket", "Aii" }, { "connect", "fpz" }, { "accept", "fpp" }, { "accept4", "fppx" }, { "bind", "fpz" },
	{ "listen", "fi" }, { "sendto", "fpzxpz" }, { "recvfrom", "fpzxpp" }, { "sendmsg", "fpx" }, { "recvmsg", "fpx" },
	{ "poll", "pzi" }, { "ppoll", "pzpp." }, { "select", "ipppp" }, { "pselect6", "ippppp" },
	{ "epoll_create1", "x" }, { "epoll_ctl", "fEfp" }, { "epoll_wait", "fpii" }, { "epoll_pwait", "fpiip." },
	{ "futex", "pFipp." }, { "nanosleep", "pp" }, { "clock_nanosleep", "cxpp" }, { "clock_gettime", "cp" },
	{ "clone", "Cppp." }, { "clone3", "pz" }, { "fork", "" }, { "vfork", "" }, { "execve", "ppp" }, { "execveat", "Dpppx" },
	{ "wait4", "ipxp" }, { "waitid", "iipxp" }, { "exit", "i" }, { "exit_group", "i" },
	{ "kill", "iS" }, { "tkill", "iS" }, { "tgkill", "iiS" }, { "rt_sigaction", "Sppz" }, { "rt_sigreturn", "" },
	{ "getpid", "" }, { "getppid", "" }, { "gettid", "" }, { "getuid", "" }, { "geteuid", "" }, { "sched_yield", "" },
	{ "sched_setaffinity", "izp" }, { "sched_getaffinity", "izp" }, { "prctl", "ixxxx" }, { "getrandom", "pzx" },
	{ "io_uring_enter", "fiixpz" }, { "io_submit", "xip" }, { "io_getevents", "xiipp" }, { "eventfd2", "iO" },
};

const char *rs_call_letters(const char *name)
{
	for (size_t i = 0; name && i < sizeof calls / sizeof *calls; i++)
		if (!strcmp(calls[i].name, name))
			return calls[i].args;
	return NULL;
}
