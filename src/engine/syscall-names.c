// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of system calls in the architecture of the recording, from libseccomp's tables. */
#include "engine/internal.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory-watch.h"

struct rs_syscall_names {
	uint32_t arch;
	uint8_t kinds[RS_MAX_CALL_NUMBERS]; /* see rs_syscall_kinds */
	int64_t clone, fork, vfork;
	unsigned int clone_flags_arg;
	bool narrow;               /* of 32 bits: an argument may take two words, and which do so differs */
	char *names[RS_MAX_CALL_NUMBERS];
	bool asked[RS_MAX_CALL_NUMBERS];
	uint8_t nr_args[RS_MAX_CALL_NUMBERS]; /* once its name was asked for */
};

/* uname -m: the architecture of the kernel */
static const struct {
	const char *machine;
	uint32_t arch;
} machines[] = {
	{ "x86_64", SCMP_ARCH_X86_64 },
	{ "i386", SCMP_ARCH_X86 }, { "i486", SCMP_ARCH_X86 }, { "i586", SCMP_ARCH_X86 }, { "i686", SCMP_ARCH_X86 },
	{ "aarch64", SCMP_ARCH_AARCH64 }, { "arm64", SCMP_ARCH_AARCH64 },
	{ "armv7l", SCMP_ARCH_ARM }, { "armv6l", SCMP_ARCH_ARM }, { "armv8l", SCMP_ARCH_ARM },
	{ "s390x", SCMP_ARCH_S390X }, { "s390", SCMP_ARCH_S390 },
	{ "ppc64le", SCMP_ARCH_PPC64LE }, { "ppc64", SCMP_ARCH_PPC64 }, { "ppc", SCMP_ARCH_PPC },
	{ "riscv64", SCMP_ARCH_RISCV64 },
	{ "mips", SCMP_ARCH_MIPS }, { "mips64", SCMP_ARCH_MIPS64 },
	{ "parisc", SCMP_ARCH_PARISC }, { "parisc64", SCMP_ARCH_PARISC64 },
};

static uint32_t arch_of(const struct rs_trace_info *info)
{
	for (size_t i = 0; info->machine && i < sizeof machines / sizeof *machines; i++)
		if (!strcmp(machines[i].machine, info->machine))
			return machines[i].arch;
	/* no uname in the file: by far the likeliest of its word size and byte order, or none */
	if (!info->machine && !info->big_endian)
		return info->long_bytes == 8 ? SCMP_ARCH_X86_64 : SCMP_ARCH_X86;
	return 0;
}

static int64_t number(uint32_t arch, const char *name)
{
	/* libseccomp gives pseudo numbers below 0 for what an architecture lacks */
	int nr = -1;

	errno = 0;
	if (arch)
		nr = seccomp_syscall_resolve_name_arch(arch, name);
	rs_memory_library_failed();
	return nr >= 0 ? nr : -1;
}

#define FUTEX RS_NR_CALL_KINDS /* depends on its operation */

static const struct {
	const char *name;
	uint8_t kind;
} kinds[] = {
	{ "epoll_wait", RS_CALL_IDLE }, { "epoll_pwait", RS_CALL_IDLE }, { "epoll_pwait2", RS_CALL_IDLE },
	{ "poll", RS_CALL_IDLE }, { "ppoll", RS_CALL_IDLE }, { "ppoll_time64", RS_CALL_IDLE },
	{ "select", RS_CALL_IDLE }, { "_newselect", RS_CALL_IDLE },
	{ "pselect6", RS_CALL_IDLE }, { "pselect6_time64", RS_CALL_IDLE },
	{ "nanosleep", RS_CALL_IDLE }, { "clock_nanosleep", RS_CALL_IDLE }, { "clock_nanosleep_time64", RS_CALL_IDLE },
	{ "pause", RS_CALL_IDLE }, { "rt_sigsuspend", RS_CALL_IDLE }, { "sigsuspend", RS_CALL_IDLE },
	{ "rt_sigtimedwait", RS_CALL_IDLE }, { "rt_sigtimedwait_time64", RS_CALL_IDLE },
	{ "io_getevents", RS_CALL_IO_WAIT }, { "io_pgetevents", RS_CALL_IO_WAIT },
	{ "io_pgetevents_time64", RS_CALL_IO_WAIT }, { "io_uring_enter", RS_CALL_IO_WAIT },
	{ "futex", FUTEX }, { "futex_time64", FUTEX },
	{ "futex_wait", RS_CALL_FUTEX_WAIT },
	{ "execve", RS_CALL_EXEC }, { "execveat", RS_CALL_EXEC },
};

static void name_kinds(struct rs_syscall_names *n)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		int64_t nr = number(n->arch, kinds[i].name);

		if (nr >= 0 && nr < RS_MAX_CALL_NUMBERS)
			n->kinds[nr] = kinds[i].kind;
	}
}

/* uapi/linux/futex.h: the operations that wait, as SEMANTICS "Futex" names them. */
static bool futex_waits(uint64_t op)
{
	enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, WAIT_REQUEUE_PI = 11, LOCK_PI2 = 13, COMMAND = 127 };

	op &= COMMAND;
	return op == WAIT || op == LOCK_PI || op == WAIT_BITSET || op == WAIT_REQUEUE_PI || op == LOCK_PI2;
}

const uint8_t *rs_syscall_kinds(const struct rs_syscall_names *n)
{
	return n->kinds;
}

enum rs_call_kind rs_syscall_kind(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args)
{
	uint8_t kind = nr >= 0 && nr < RS_MAX_CALL_NUMBERS ? n->kinds[nr] : RS_CALL_PLAIN;

	if (kind == FUTEX)
		return futex_waits(args[1]) ? RS_CALL_FUTEX_WAIT : RS_CALL_PLAIN;
	return (enum rs_call_kind)kind;
}

struct rs_syscall_names *rs_syscall_names_new(const struct rs_trace_info *info, struct rs_call_numbers *special)
{
	struct rs_syscall_names *n = calloc(1, sizeof *n);

	if (!n)
		return NULL;
	n->arch = arch_of(info);
	n->narrow = info->long_bytes != 8;
	n->clone = number(n->arch, "clone");
	n->fork = number(n->arch, "fork");
	n->vfork = number(n->arch, "vfork");
	/* CONFIG_CLONE_BACKWARDS2: the new stack comes before the flags */
	n->clone_flags_arg = n->arch == SCMP_ARCH_S390X || n->arch == SCMP_ARCH_S390;
	name_kinds(n);
	special->rt_sigreturn = number(n->arch, "rt_sigreturn");
	special->sigreturn = number(n->arch, "sigreturn");
	special->exit = number(n->arch, "exit");
	special->exit_group = number(n->arch, "exit_group");
	return n;
}

void rs_syscall_names_free(struct rs_syscall_names *n)
{
	for (unsigned int i = 0; n && i < RS_MAX_CALL_NUMBERS; i++)
		free(n->names[i]);
	free(n);
}

const char *rs_syscall_names_get(struct rs_syscall_names *n, int64_t nr)
{
	if (nr < 0 || nr >= RS_MAX_CALL_NUMBERS || !n->arch)
		return NULL;
	if (!n->asked[nr]) {
		n->asked[nr] = true;
		errno = 0;
		n->names[nr] = seccomp_syscall_resolve_num_arch(n->arch, (int)nr);
		rs_memory_library_failed();
		n->nr_args[nr] = n->narrow ? 6 : (uint8_t)rs_call_takes(n->names[nr]);
	}
	return n->names[nr];
}

unsigned int rs_syscall_nr_args(struct rs_syscall_names *n, int64_t nr)
{
	return rs_syscall_names_get(n, nr) ? n->nr_args[nr] : 6;
}

int rs_syscall_etimedout(const struct rs_syscall_names *n)
{
	switch (n->arch) {
	case SCMP_ARCH_MIPS:
	case SCMP_ARCH_MIPS64:
		return 145;
	case SCMP_ARCH_PARISC:
	case SCMP_ARCH_PARISC64:
		return 238;
	default:
		return 110;
	}
}

bool rs_syscall_generic_constants(const struct rs_syscall_names *n)
{
	return n->arch == SCMP_ARCH_X86_64 || n->arch == SCMP_ARCH_X86 || n->arch == SCMP_ARCH_S390X || n->arch == SCMP_ARCH_S390;
}

int rs_syscall_makes_thread(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args)
{
	if (nr < 0)
		return -1;
	if (nr == n->fork || nr == n->vfork)
		return 0;
	if (nr == n->clone)
		return !!(args[n->clone_flags_arg] & RS_CLONE_THREAD);
	return -1; /* clone3 has its flags in the caller's memory */
}
