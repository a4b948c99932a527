// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * syscall - names of system calls in the architecture of the recording, and in that of its 32-bit programs,
 * from libseccomp's tables
 */
#include "engine/calls/syscall.h"

#include <errno.h>
#include <fnmatch.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory-watch.h"
#include "base/nearest.h"

struct table {
	uint32_t arch;             /* 0: no such table */
	bool narrow;               /* words of 32 bits: an argument may take two, which differs by call */
	char *names[RS_MAX_CALL_NUMBERS];
	bool asked[RS_MAX_CALL_NUMBERS];
};

struct rs_syscall_names {
	struct table tables[RS_NR_CALL_TABLES];
	char *doubtful[RS_MAX_CALL_NUMBERS];  /* "poll?", of 32-bit programs */
	struct rs_call_facts facts;
	unsigned int clone_flags_arg;
};

/* uname -m: the architecture of the kernel */
static const struct {
	const char *machine;
	uint32_t arch;
} machines[] = {
	{ "x86_64", SCMP_ARCH_X86_64 },
	{ "i386", SCMP_ARCH_X86 }, { "i486", SCMP_ARCH_X86 }, { "i586", SCMP_ARCH_X86 },
	{ "i686", SCMP_ARCH_X86 },
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

/* uapi/linux/futex.h: the operations that wait, as listed in SEMANTICS "Futex". */
static bool syscall_names_futex_waits(uint64_t op)
{
	enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, WAIT_REQUEUE_PI = 11, LOCK_PI2 = 13, COMMAND = 127 };

	op &= COMMAND;
	return op == WAIT || op == LOCK_PI || op == WAIT_BITSET || op == WAIT_REQUEUE_PI || op == LOCK_PI2;
}

const struct rs_call_facts *rs_syscall_facts(const struct rs_syscall_names *n)
{
	return &n->facts;
}

enum rs_call_kind rs_syscall_kind(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args)
{
	uint8_t kind = rs_call_fact(n->facts.kind, nr);

	if (kind == RS_CALL_DEPENDS)
		return args && syscall_names_futex_waits(args[1]) ? RS_CALL_FUTEX_WAIT : RS_CALL_PLAIN;
	return (enum rs_call_kind)kind;
}

/*
 * libseccomp counts the calls on sockets and semaphores of i386 and s390 to socketcall and ipc, and gives
 * them no number, though kernels have them as calls of their own since 4.3: their names are known by number
 * only.
 */
static int64_t syscall_names_find_split(struct rs_syscall_names *n, enum rs_call_table table,
					const char *name)
{
	enum { FIRST = 337, LAST = 402 }; /* recvmmsg of i386, and msgctl in both */
	uint32_t arch = n->tables[table].arch;
	const char *known;

	if (arch != SCMP_ARCH_X86 && arch != SCMP_ARCH_S390 && arch != SCMP_ARCH_S390X)
		return -1;
	for (int64_t nr = FIRST; nr <= LAST; nr++) {
		known = rs_syscall_names_get(n, table == RS_CALLS_COMPAT ? nr | RS_CALL_COMPAT : nr);
		if (known && !strcmp(known, name))
			return nr;
	}
	return -1;
}

int64_t rs_syscall_number(struct rs_syscall_names *n, enum rs_call_table table, const char *name)
{
	int64_t nr = syscall_names_find_number(n->tables[table].arch, name);

	if (nr < 0)
		nr = syscall_names_find_split(n, table, name);
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
	rs_call_facts_init(&n->facts, n);
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

	if (!t)
		return NULL;
	if (!t->asked[row]) {
		t->asked[row] = true;
		errno = 0;
		t->names[row] = seccomp_syscall_resolve_num_arch(t->arch, (int)rs_call_number(nr));
		rs_memory_library_failed();
	}
	return t->names[row] && nr & RS_CALL_DOUBTFUL ? syscall_names_doubtful_name(n, row, t->names[row]) :
							t->names[row];
}

bool rs_syscall_is_narrow(struct rs_syscall_names *n, int64_t nr)
{
	unsigned int row;
	const struct table *t = syscall_names_find_row(n, nr, &row);

	return t && t->narrow;
}

unsigned int rs_syscall_nr_args(struct rs_syscall_names *n, int64_t nr)
{
	const char *letters = rs_syscall_is_narrow(n, nr) ?
				      NULL :
				      rs_call_facts_letters(&n->facts, nr & ~RS_CALL_DOUBTFUL);

	return letters ? (unsigned int)strlen(letters) : 6;
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

	return arch == SCMP_ARCH_X86_64 || arch == SCMP_ARCH_X86 || arch == SCMP_ARCH_S390X ||
	       arch == SCMP_ARCH_S390;
}

int rs_syscall_makes_thread(const struct rs_syscall_names *n, int64_t nr, const uint64_t *args)
{
	switch (rs_call_fact(n->facts.end, nr)) {
	case RS_CALL_CLONES:
		return !!(args[n->clone_flags_arg] & RS_CLONE_THREAD);
	case RS_CALL_FORKS:
		return 0;
	default: /* clone3 has its flags in the caller's memory */
		return -1;
	}
}

/* ---- names that a user gives ---- */

/* names: room for RS_MAX_CALL_NUMBERS and a NULL. Returns whether one of them matches. */
static bool syscall_names_list(struct rs_syscall_names *n, const char *pattern, const char **names,
			       size_t *nr)
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
		known = syscall_names_list(n, pattern, names, &nr) || !nr ||
			syscall_names_is_elsewhere(pattern);
		found = known ? NULL : rs_nearest(pattern, names);
	}
	if (found)
		snprintf(near, size, "%s", found);
	rs_syscall_names_free(n);
	free(names);
	return known;
}
