// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscall - names of system calls in the architecture of the recording, and in that of its 32-bit programs,
 * from libseccomp's tables
 */
#include "engine/syscall.h"

#include <errno.h>
#include <fnmatch.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory-watch.h"
#include "base/nearest.h"
#include "engine/call-shape.h"

struct table {
	uint32_t arch;             /* 0: no such table */
	bool narrow;               /* words of 32 bits: an argument may take two, which differs by call */
	char *names[RS_MAX_CALL_NUMBERS];
	bool asked[RS_MAX_CALL_NUMBERS];
	uint8_t nr_args[RS_MAX_CALL_NUMBERS]; /* valid once .asked */
};

struct rs_syscall_names {
	struct table tables[RS_NR_CALL_TABLES];
	char *doubtful[RS_MAX_CALL_NUMBERS];  /* "poll?", of 32-bit programs */
	uint8_t kinds[RS_NR_CALL_PLACES], ends[RS_NR_CALL_PLACES]; /* see rs_syscall_kinds, rs_syscall_ends */
	unsigned int clone_flags_arg;
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

static uint32_t syscall_names_arch_of(const struct rs_trace_info *info)
{
	for (size_t i = 0; info->machine && i < sizeof machines / sizeof *machines; i++)
		if (!strcmp(machines[i].machine, info->machine))
			return machines[i].arch;
	/* no uname in the file: the likeliest architecture of its word size and byte order, or none */
	if (!info->machine && !info->big_endian)
		return info->long_bytes == 8 ? SCMP_ARCH_X86_64 : SCMP_ARCH_X86;
	return 0;
}

/* The architecture of the 32-bit programs that a 64-bit kernel runs; 0: none, or not known here. */
static uint32_t syscall_names_compat_arch(uint32_t arch)
{
	switch (arch) {
	case SCMP_ARCH_X86_64:
		return SCMP_ARCH_X86;
	case SCMP_ARCH_AARCH64:
		return SCMP_ARCH_ARM;
	case SCMP_ARCH_S390X:
		return SCMP_ARCH_S390;
	case SCMP_ARCH_PPC64:
		return SCMP_ARCH_PPC;
	case SCMP_ARCH_PARISC64:
		return SCMP_ARCH_PARISC;
	default:
		return 0;
	}
}

static int64_t syscall_names_find_number(uint32_t arch, const char *name)
{
	/* libseccomp gives pseudo numbers below 0 for what an architecture lacks */
	int nr = -1;

	errno = 0;
	if (arch)
		nr = seccomp_syscall_resolve_name_arch(arch, name);
	rs_memory_library_failed();
	return nr >= 0 ? nr : -1;
}

#define TIME64 "_time64"       /* ppoll_time64: 32-bit programs call it for 64 bits of time, and it is ppoll for all that is said of calls */
#define FUTEX RS_NR_CALL_KINDS /* depends on its operation */

static size_t syscall_names_len(const char *name)
{
	size_t len = strlen(name), kin = strlen(TIME64);

	return len > kin && !strcmp(name + len - kin, TIME64) ? len - kin : len;
}

bool rs_call_name_is_one_of(const char *name, const char *names)
{
	size_t len = syscall_names_len(name);

	for (const char *at = names; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == len && !memcmp(at, name, len))
			return true;
	return false;
}

static const struct {
	const char *name;
	uint8_t kind, end;
} kinds[] = {
	{ "epoll_wait", RS_CALL_IDLE }, { "epoll_pwait", RS_CALL_IDLE }, { "epoll_pwait2", RS_CALL_IDLE },
	{ "poll", RS_CALL_IDLE }, { "ppoll", RS_CALL_IDLE },
	{ "select", RS_CALL_IDLE }, { "_newselect", RS_CALL_IDLE },
	{ "pselect6", RS_CALL_IDLE },
	{ "nanosleep", RS_CALL_IDLE }, { "clock_nanosleep", RS_CALL_IDLE },
	{ "pause", RS_CALL_IDLE }, { "rt_sigsuspend", RS_CALL_IDLE }, { "sigsuspend", RS_CALL_IDLE },
	{ "rt_sigtimedwait", RS_CALL_IDLE },
	{ "io_getevents", RS_CALL_IO_WAIT }, { "io_pgetevents", RS_CALL_IO_WAIT },
	{ "io_uring_enter", RS_CALL_IO_WAIT },
	{ "futex", FUTEX },
	{ "futex_wait", RS_CALL_FUTEX_WAIT },
	{ "execve", RS_CALL_EXEC }, { "execveat", RS_CALL_EXEC },
	{ "write", RS_CALL_WRITE }, { "pwrite64", RS_CALL_WRITE }, { "writev", RS_CALL_WRITE }, { "pwritev", RS_CALL_WRITE },
	{ "pwritev2", RS_CALL_WRITE }, { "copy_file_range", RS_CALL_WRITE },
	{ "connect", RS_CALL_CONNECT }, { "send", RS_CALL_SEND }, { "sendto", RS_CALL_SEND }, { "sendmsg", RS_CALL_SEND }, { "sendmmsg", RS_CALL_SEND },
	{ "sendfile", RS_CALL_SEND }, { "sendfile64", RS_CALL_SEND },
	{ "rt_sigreturn", RS_CALL_PLAIN, RS_CALL_SIGRETURN }, { "sigreturn", RS_CALL_PLAIN, RS_CALL_SIGRETURN },
	{ "exit", RS_CALL_PLAIN, RS_CALL_EXITS }, { "exit_group", RS_CALL_PLAIN, RS_CALL_EXITS },
	{ "fork", RS_CALL_FORK, RS_CALL_FORKS }, { "vfork", RS_CALL_FORK, RS_CALL_FORKS }, { "clone", RS_CALL_FORK, RS_CALL_CLONES },
	{ "clone3", RS_CALL_FORK },
};

/* libseccomp counts the calls on sockets of i386 and s390 to socketcall, though kernels have them as calls of their own since 4.3. */
static bool syscall_names_has_socketcall(uint32_t arch)
{
	return arch == SCMP_ARCH_X86 || arch == SCMP_ARCH_S390 || arch == SCMP_ARCH_S390X;
}

static int64_t syscall_names_find_call(struct rs_syscall_names *n, enum rs_call_table table, const char *name)
{
	int64_t nr = rs_syscall_number(n, table, name);
	const char *known;

	if (nr >= 0 || table != RS_CALLS_NATIVE || !syscall_names_has_socketcall(n->tables[table].arch))
		return nr;
	for (nr = 0; nr < RS_MAX_CALL_NUMBERS; nr++)
		if ((known = rs_syscall_names_get(n, nr)) && !strcmp(known, name))
			return nr;
	return -1;
}

static void syscall_names_set_kind(struct rs_syscall_names *n, enum rs_call_table table, const char *name, size_t row)
{
	int place = rs_call_place(syscall_names_find_call(n, table, name));

	if (place < 0)
		return;
	n->kinds[place] = kinds[row].kind;
	n->ends[place] = kinds[row].end;
}

static void name_kinds(struct rs_syscall_names *n)
{
	char kin[48];

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (int table = 0; table < RS_NR_CALL_TABLES; table++) {
			syscall_names_set_kind(n, (enum rs_call_table)table, kinds[i].name, i);
			snprintf(kin, sizeof kin, "%s" TIME64, kinds[i].name);
			if (n->tables[table].narrow && kinds[i].kind != RS_CALL_PLAIN)
				syscall_names_set_kind(n, (enum rs_call_table)table, kin, i);
		}
}

/* uapi/linux/futex.h: the operations that wait, as listed in SEMANTICS "Futex". */
static bool syscall_names_futex_waits(uint64_t op)
{
	enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, WAIT_REQUEUE_PI = 11, LOCK_PI2 = 13, COMMAND = 127 };

	op &= COMMAND;
	return op == WAIT || op == LOCK_PI || op == WAIT_BITSET || op == WAIT_REQUEUE_PI || op == LOCK_PI2;
}

const uint8_t *rs_syscall_kinds(const struct rs_syscall_names *n)
{
	return n->kinds;
}

const uint8_t *rs_syscall_ends(const struct rs_syscall_names *n)
{
	return n->ends;
}

enum rs_call_kind rs_syscall_kind(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args)
{
	int place = rs_call_place(nr);
	uint8_t kind = place >= 0 ? n->kinds[place] : RS_CALL_PLAIN;

	if (kind == FUTEX)
		return args && syscall_names_futex_waits(args[1]) ? RS_CALL_FUTEX_WAIT : RS_CALL_PLAIN;
	return (enum rs_call_kind)kind;
}

int64_t rs_syscall_number(const struct rs_syscall_names *n, enum rs_call_table table, const char *name)
{
	int64_t nr = syscall_names_find_number(n->tables[table].arch, name);

	return nr >= 0 && table == RS_CALLS_COMPAT ? nr | RS_CALL_COMPAT : nr;
}

struct rs_syscall_names *rs_syscall_names_new(const struct rs_trace_info *info)
{
	struct rs_syscall_names *n = calloc(1, sizeof *n);
	uint32_t arch = syscall_names_arch_of(info);

	if (!n)
		return NULL;
	n->tables[RS_CALLS_NATIVE].arch = arch;
	n->tables[RS_CALLS_NATIVE].narrow = info->long_bytes != 8;
	if (info->long_bytes == 8) {
		n->tables[RS_CALLS_COMPAT].arch = syscall_names_compat_arch(arch);
		n->tables[RS_CALLS_COMPAT].narrow = true;
		n->tables[RS_CALLS_X32].arch = arch == SCMP_ARCH_X86_64 ? SCMP_ARCH_X32 : 0;
	}
	/* CONFIG_CLONE_BACKWARDS2: the new stack comes before the flags */
	n->clone_flags_arg = arch == SCMP_ARCH_S390X || arch == SCMP_ARCH_S390;
	name_kinds(n);
	return n;
}

void rs_syscall_names_free(struct rs_syscall_names *n)
{
	if (!n)
		return;
	for (unsigned int i = 0; i < RS_MAX_CALL_NUMBERS; i++) {
		for (unsigned int table = 0; table < RS_NR_CALL_TABLES; table++)
			free(n->tables[table].names[i]);
		free(n->doubtful[i]);
	}
	free(n);
}

bool rs_syscall_has_compat(const struct rs_syscall_names *n)
{
	return n->tables[RS_CALLS_COMPAT].arch;
}

bool rs_syscall_exec_reports(const struct rs_syscall_names *n)
{
	return n->tables[RS_CALLS_NATIVE].arch == SCMP_ARCH_X86_64;
}

/* The table that has the number, and its row there; NULL: none. */
static struct table *syscall_names_find_row(struct rs_syscall_names *n, int64_t nr, unsigned int *row)
{
	int place = rs_call_place(nr);
	struct table *t;

	if (place < 0)
		return NULL;
	*row = (unsigned int)place % RS_MAX_CALL_NUMBERS;
	t = &n->tables[(unsigned int)place / RS_MAX_CALL_NUMBERS];
	return t->arch ? t : NULL;
}

static const char *syscall_names_doubtful_name(struct rs_syscall_names *n, unsigned int row, const char *name)
{
	if (!n->doubtful[row]) {
		size_t len = strlen(name);

		n->doubtful[row] = malloc(len + 2);
		if (!n->doubtful[row])
			return name;
		memcpy(n->doubtful[row], name, len);
		memcpy(n->doubtful[row] + len, "?", 2);
	}
	return n->doubtful[row];
}

const char *rs_syscall_names_get(struct rs_syscall_names *n, int64_t nr)
{
	unsigned int row;
	struct table *t = syscall_names_find_row(n, nr, &row);
	const char *letters;

	if (!t)
		return NULL;
	if (!t->asked[row]) {
		t->asked[row] = true;
		errno = 0;
		t->names[row] = seccomp_syscall_resolve_num_arch(t->arch, (int)rs_call_number(nr));
		rs_memory_library_failed();
		letters = t->narrow ? NULL : rs_call_shape_letters(t->names[row]);
		t->nr_args[row] = letters ? (uint8_t)strlen(letters) : 6;
	}
	return t->names[row] && nr & RS_CALL_DOUBTFUL ? syscall_names_doubtful_name(n, row, t->names[row]) : t->names[row];
}

bool rs_syscall_is_narrow(struct rs_syscall_names *n, int64_t nr)
{
	unsigned int row;
	const struct table *t = syscall_names_find_row(n, nr, &row);

	return t && t->narrow;
}

unsigned int rs_syscall_nr_args(struct rs_syscall_names *n, int64_t nr)
{
	unsigned int row;
	const struct table *t = rs_syscall_names_get(n, nr) ? syscall_names_find_row(n, nr, &row) : NULL;

	return t ? t->nr_args[row] : 6;
}

int rs_syscall_etimedout(const struct rs_syscall_names *n)
{
	switch (n->tables[RS_CALLS_NATIVE].arch) {
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
	uint32_t arch = n->tables[RS_CALLS_NATIVE].arch;

	return arch == SCMP_ARCH_X86_64 || arch == SCMP_ARCH_X86 || arch == SCMP_ARCH_S390X || arch == SCMP_ARCH_S390;
}

int rs_syscall_makes_thread(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args)
{
	int place = rs_call_place(nr);

	if (place >= 0 && n->ends[place] == RS_CALL_CLONES)
		return !!(args[n->clone_flags_arg] & RS_CLONE_THREAD);
	/* clone3 has its flags in the caller's memory */
	return place >= 0 && n->ends[place] == RS_CALL_FORKS ? 0 : -1;
}

/* ---- names that a user gives ---- */

/* names: room for RS_MAX_CALL_NUMBERS and a NULL. Returns whether one of them matches. */
static bool syscall_names_list(struct rs_syscall_names *n, const char *pattern, const char **names, size_t *nr)
{
	bool fits = false;

	for (int64_t call = 0; call < RS_MAX_CALL_NUMBERS; call++) {
		const char *name = rs_syscall_names_get(n, call);

		if (!name)
			continue;
		names[(*nr)++] = name;
		fits |= fnmatch(pattern, name, 0) == 0;
	}
	return fits;
}

/* A call without a name is shown as syscall_NR. */
static bool syscall_names_is_elsewhere(const char *pattern)
{
	return !strncmp(pattern, "syscall_", 8) || seccomp_syscall_resolve_name(pattern) != __NR_SCMP_ERROR;
}

bool rs_syscall_is_known(const struct rs_trace_info *info, const char *pattern, char *near, size_t size)
{
	const char **names = calloc(RS_MAX_CALL_NUMBERS + 1, sizeof *names), *found = NULL;
	struct rs_syscall_names *n = rs_syscall_names_new(info);
	size_t nr = 0;
	bool known = true;

	*near = '\0';
	if (names && n) {
		known = syscall_names_list(n, pattern, names, &nr) || !nr || syscall_names_is_elsewhere(pattern);
		found = known ? NULL : rs_nearest(pattern, names);
	}
	if (found)
		snprintf(near, size, "%s", found);
	rs_syscall_names_free(n);
	free(names);
	return known;
}
