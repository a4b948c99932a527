// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fail-alloc - LD_PRELOAD: an allocator that fails where it is told to
 *
 *	FAIL_COUNT=FILE   the number of allocations so far, shared by all processes of a run (8 bytes, begins as 0)
 *	FAIL_AT=N         allocation N fails;  FAIL_FROM=N: N and all after it;  FAIL_EVERY=N: each N-th
 *	FAIL_LOG=FILE     a line for each allocation that fails, or with FAIL_LIST=1 for each one:
 *	                  "N KIND BYTES MODULE+OFFSET ...", the innermost caller first; a signal: "- SIGNAL NR MODULE+OFFSET ..."
 *
 * Only processes that are FAIL_NAME ("ringside") are touched, not what they launch. Allocations are what the program,
 * its libraries and libc itself take from malloc and its kin, and what the program maps.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

#define MAX_FRAMES 24
#define MAX_MODULES 64

static _Atomic uint64_t *count;
static uint64_t fail_at, fail_from, fail_every;
static int log_fd = -1;
static bool listing;
static __thread bool inside; /* what the shim itself takes is given */

static struct module {
	uintptr_t base, end;
	char name[40];
} modules[MAX_MODULES];
static int nr_modules;

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct module *m = &modules[nr_modules];
	const char *name = *info->dlpi_name ? info->dlpi_name : "ringside", *slash = strrchr(name, '/');

	if (nr_modules == MAX_MODULES)
		return 1;
	m->base = info->dlpi_addr;
	m->end = 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD) {
			uintptr_t end = m->base + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;

			m->end = end > m->end ? end : m->end;
		}
	snprintf(m->name, sizeof m->name, "%s", slash ? slash + 1 : name);
	nr_modules++;
	return 0;
}

static const struct module *module_of(uintptr_t at)
{
	for (int i = 0; i < nr_modules; i++)
		if (at >= modules[i].base && at < modules[i].end)
			return &modules[i];
	return NULL;
}

/* "MODULE+OFFSET ..." of the callers, without the shim's own. */
static void put_stack(char *line, size_t size, size_t len)
{
	void *frames[MAX_FRAMES];
	int nr = backtrace(frames, MAX_FRAMES);

	for (int i = 0; i < nr && len < size; i++) {
		const struct module *m = module_of((uintptr_t)frames[i]);

		if (m && strstr(m->name, "fail-alloc"))
			continue;
		len += (size_t)snprintf(line + len, size - len, " %s+%#zx", m ? m->name : "?",
					(uintptr_t)frames[i] - (m ? m->base : 0));
	}
	if (len > size - 2)
		len = size - 2;
	line[len++] = '\n';
	(void)!write(log_fd, line, len);
}

static void say(uint64_t n, const char *kind, size_t bytes)
{
	char line[2048];
	int len = snprintf(line, sizeof line, "%llu %s %zu", (unsigned long long)n, kind, bytes);

	put_stack(line, sizeof line, (size_t)len);
}

static void on_signal(int sig)
{
	char line[2048];
	int len = snprintf(line, sizeof line, "- signal %d", sig);

	inside = true;
	put_stack(line, sizeof line, (size_t)len);
	signal(sig, SIG_DFL);
	raise(sig);
}

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("FAIL_COUNT"), *name = getenv("FAIL_NAME"), *log = getenv("FAIL_LOG");
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	void *frame;
	int fd;

	if (!path || strcmp(program_invocation_short_name, name ? name : "ringside"))
		return;
	inside = true;
	fail_at = getenv("FAIL_AT") ? strtoull(getenv("FAIL_AT"), NULL, 10) : 0;
	fail_from = getenv("FAIL_FROM") ? strtoull(getenv("FAIL_FROM"), NULL, 10) : 0;
	fail_every = getenv("FAIL_EVERY") ? strtoull(getenv("FAIL_EVERY"), NULL, 10) : 0;
	listing = getenv("FAIL_LIST") != NULL;
	backtrace(&frame, 1); /* loads the unwinder now */
	dl_iterate_phdr(add_module, NULL);
	if (log) {
		log_fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		log_fd = fcntl(log_fd, F_DUPFD_CLOEXEC, 700); /* out of the way of who counts descriptors */
		for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
			signal(fatal[i], on_signal);
	}
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0) {
		void *map = (void *)syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		close(fd);
		if (map != MAP_FAILED)
			count = map;
	}
	inside = false;
}

/* Is this the one? */
static bool fails(const char *kind, size_t bytes)
{
	uint64_t n;
	bool yes;

	if (!count || inside)
		return false;
	inside = true;
	n = atomic_fetch_add(count, 1) + 1;
	yes = n == fail_at || (fail_from && n >= fail_from) || (fail_every && n % fail_every == 0);
	/* of all from the n-th on the first tells */
	if (log_fd >= 0 && (listing || (yes && (!fail_from || n == fail_from))))
		say(n, kind, bytes);
	inside = false;
	if (yes)
		errno = ENOMEM;
	return yes;
}

void *malloc(size_t bytes)
{
	return fails("malloc", bytes) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t nr, size_t bytes)
{
	return fails("calloc", nr * bytes) ? NULL : __libc_calloc(nr, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return fails("realloc", bytes) ? NULL : __libc_realloc(old, bytes);
}

void *reallocarray(void *old, size_t nr, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(nr, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, all);
}

void *memalign(size_t align, size_t bytes)
{
	return fails("memalign", bytes) ? NULL : __libc_memalign(align, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
	return memalign(align, bytes);
}

int posix_memalign(void **memory, size_t align, size_t bytes)
{
	int saved = errno;
	void *got = memalign(align, bytes);

	errno = saved;
	if (!got)
		return ENOMEM;
	*memory = got;
	return 0;
}

void *mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	if (fails("mmap", bytes))
		return MAP_FAILED;
	return (void *)syscall(SYS_mmap, at, bytes, prot, flags, fd, offset);
}

void *mmap64(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	return mmap(at, bytes, prot, flags, fd, offset);
}
