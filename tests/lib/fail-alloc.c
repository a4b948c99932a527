// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fail-alloc - LD_PRELOAD: an allocator that fails where it is told to
 *
 *	FAIL_COUNT=FILE   what all processes of a run share, see struct shared (4096 bytes, begins as 0)
 *	FAIL_AT=N         allocation N fails;  FAIL_FROM=N: N and all after it;  FAIL_EVERY=N: each N-th
 *	FAIL_STACK=HASH   the first allocation with this call stack fails;  FAIL_FROM_STACK=HASH: it and all after it
 *	FAIL_LOG=FILE     a line for each allocation that fails, or with FAIL_LIST=1 for the first of each call stack:
 *	                  "N KIND BYTES HASH MODULE+OFFSET ...", the innermost caller first;
 *	                  a signal: "- signal NR - MODULE+OFFSET ..."
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
#define MAX_PIDS 256
#define MAX_STACKS 65536

static struct shared {
	_Atomic uint64_t nr;    /* allocations so far */
	_Atomic uint64_t met;   /* the call stack that is to fail has been seen */
	_Atomic uint32_t pids[MAX_PIDS]; /* who allocated */
} *shared;
_Static_assert(sizeof(struct shared) <= 4096, "one page");

static uint64_t fail_at, fail_from, fail_every, fail_stack, fail_from_stack;
static int log_fd = -1;
static bool listing;
static _Atomic uint64_t *listed; /* hashes of the stacks that were listed, of all processes */
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

struct stack {
	const struct module *modules[MAX_FRAMES];
	uintptr_t offsets[MAX_FRAMES];
	int nr;
	uint64_t hash; /* equal in each run of the same programs */
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
	return hash;
}

/* The callers, without the shim's own. */
static void take_stack(struct stack *s, const char *kind)
{
	void *frames[MAX_FRAMES];
	int nr = backtrace(frames, MAX_FRAMES);

	s->nr = 0;
	s->hash = mix(0xcbf29ce484222325, kind, strlen(kind));
	for (int i = 0; i < nr; i++) {
		const struct module *m = module_of((uintptr_t)frames[i]);

		if (m && strstr(m->name, "fail-alloc"))
			continue;
		s->modules[s->nr] = m;
		s->offsets[s->nr] = (uintptr_t)frames[i] - (m ? m->base : 0);
		if (m) {
			s->hash = mix(s->hash, m->name, strlen(m->name));
			s->hash = mix(s->hash, &s->offsets[s->nr], sizeof *s->offsets);
		}
		s->nr++;
	}
}

static void put_stack(char *line, size_t size, size_t len, const struct stack *s)
{
	for (int i = 0; i < s->nr && len < size; i++)
		len += (size_t)snprintf(line + len, size - len, " %s+%#zx", s->modules[i] ? s->modules[i]->name : "?",
					s->offsets[i]);
	if (len > size - 2)
		len = size - 2;
	line[len++] = '\n';
	(void)!write(log_fd, line, len);
}

static void say(uint64_t n, const char *kind, size_t bytes, const struct stack *s)
{
	char line[2048];
	int len = snprintf(line, sizeof line, "%llu %s %zu %llx", (unsigned long long)n, kind, bytes,
			   (unsigned long long)s->hash);

	put_stack(line, sizeof line, (size_t)len, s);
}

/* The first of its call stack in any process? */
static bool is_new(uint64_t hash)
{
	for (uint64_t i = hash, left = MAX_STACKS; listed && left; i++, left--) {
		uint64_t seen = 0;

		if (atomic_compare_exchange_strong(&listed[i % MAX_STACKS], &seen, hash))
			return true;
		if (seen == hash)
			return false;
	}
	return true;
}

static void note_pid(void)
{
	uint32_t pid = (uint32_t)getpid();

	for (int i = 0; i < MAX_PIDS; i++) {
		uint32_t seen = 0;

		if (atomic_compare_exchange_strong(&shared->pids[i], &seen, pid) || seen == pid)
			return;
	}
}

static void on_signal(int sig)
{
	char line[2048];
	int len = snprintf(line, sizeof line, "- signal %d -", sig);
	struct stack s;

	inside = true;
	take_stack(&s, "");
	put_stack(line, sizeof line, (size_t)len, &s);
	signal(sig, SIG_DFL);
	raise(sig);
}

static uint64_t number(const char *name, int base)
{
	return getenv(name) ? strtoull(getenv(name), NULL, base) : 0;
}

static void *map_shared(size_t bytes, int flags, int fd)
{
	void *map = (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, 0);

	return map == MAP_FAILED ? NULL : map;
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
	fail_at = number("FAIL_AT", 10);
	fail_from = number("FAIL_FROM", 10);
	fail_every = number("FAIL_EVERY", 10);
	fail_stack = number("FAIL_STACK", 16);
	fail_from_stack = number("FAIL_FROM_STACK", 16);
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
		shared = map_shared(4096, 0, fd);
		close(fd);
	}
	if (listing)
		listed = map_shared(MAX_STACKS * sizeof *listed, MAP_ANONYMOUS, -1);
	inside = false;
}

static bool is_selected(uint64_t n, uint64_t hash)
{
	if (fail_stack && hash == fail_stack)
		return !atomic_exchange(&shared->met, 1);
	if (fail_from_stack && hash == fail_from_stack)
		atomic_store(&shared->met, 1);
	return n == fail_at || (fail_from && n >= fail_from) || (fail_every && n % fail_every == 0) ||
	       (fail_from_stack && atomic_load(&shared->met));
}

/* Is this the one? */
static bool fails(const char *kind, size_t bytes)
{
	static _Atomic bool told;
	struct stack s = { .nr = 0 };
	uint64_t n;
	bool yes;

	if (!shared || inside)
		return false;
	inside = true;
	note_pid();
	n = atomic_fetch_add(&shared->nr, 1) + 1;
	if (listing || fail_stack || fail_from_stack)
		take_stack(&s, kind);
	yes = is_selected(n, s.hash);
	if (yes && !s.nr)
		take_stack(&s, kind);
	/* of all from one on the first tells */
	if (log_fd >= 0 && ((listing && is_new(s.hash)) || (yes && !(fail_from || fail_from_stack)) ||
			    (yes && !atomic_exchange(&told, true))))
		say(n, kind, bytes, &s);
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
