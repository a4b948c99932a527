// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory-watch - no allocation fails unnoticed
 *
 * The Makefile gives the linker --wrap=NAME for each WRAP(NAME, and __wrap_NAME( of this file: calls of NAME
 * in our objects come here, __real_NAME is the C library's. Libraries' own calls do not; see
 * rs_memory_library_failed.
 */
#include "base/memory-watch.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static _Atomic uint64_t nr_unreported;
static _Thread_local uint64_t nr_here, nr_here_reported;

static void note_failure(void)
{
	nr_here++;
	atomic_fetch_add_explicit(&nr_unreported, 1, memory_order_relaxed);
}

uint64_t rs_memory_failures(void)
{
	return nr_here;
}

bool rs_memory_failures_unreported(void)
{
	return nr_here > nr_here_reported;
}

bool rs_memory_failed(void)
{
	return atomic_load_explicit(&nr_unreported, memory_order_relaxed) > 0;
}

bool rs_memory_library_failed(void)
{
	if (errno != ENOMEM)
		return false;
	note_failure();
	return true;
}

void rs_memory_failed_elsewhere(void)
{
	note_failure();
}

void rs_memory_reported(void)
{
	atomic_fetch_sub_explicit(&nr_unreported, nr_here - nr_here_reported, memory_order_relaxed);
	nr_here_reported = nr_here;
}

int rs_memory_check(const char *what, struct rs_error *err)
{
	size_t len = strlen(err->text);

	if (!rs_memory_failed())
		return 0;
	if (err->status == RS_OK)
		return rs_fail(err,
			       "%s: out of memory: the result is not whole (free memory, or ask for less)",
			       what);
	/* what is missing may have been taken for a wrong file or a wrong word */
	if (!strcasestr(err->text, "memory"))
		snprintf(err->text + len, sizeof err->text - len, ": out of memory");
	err->status = RS_FAILED;
	return -1;
}

/* ---- wrapped by the linker ---- */

/* A function of the C library, and what its result r is if it had no memory. */
#define WRAP(name, type, params, args, failed) \
	type __real_##name params; \
	type __wrap_##name params \
	{ \
		type r = __real_##name args; \
		if (failed) \
			note_failure(); \
		return r; \
	}

WRAP(malloc, void *, (size_t bytes), (bytes), !r && bytes)
WRAP(calloc, void *, (size_t nr, size_t bytes), (nr, bytes), !r)
WRAP(realloc, void *, (void *old, size_t bytes), (old, bytes), !r && bytes)
WRAP(reallocarray, void *, (void *old, size_t nr, size_t bytes), (old, nr, bytes), !r && nr && bytes)
WRAP(aligned_alloc, void *, (size_t align, size_t bytes), (align, bytes), !r)
WRAP(posix_memalign, int, (void **memory, size_t align, size_t bytes), (memory, align, bytes), r == ENOMEM)
WRAP(mmap, void *, (void *at, size_t bytes, int prot, int flags, int fd, off_t offset),
     (at, bytes, prot, flags, fd, offset), r == MAP_FAILED && errno == ENOMEM)
WRAP(strdup, char *, (const char *s), (s), !r)
WRAP(strndup, char *, (const char *s, size_t len), (s, len), !r)
WRAP(vasprintf, int, (char **text, const char *fmt, va_list ap), (text, fmt, ap), r < 0)
WRAP(fopen, FILE *, (const char *path, const char *mode), (path, mode), !r && errno == ENOMEM)
WRAP(fdopen, FILE *, (int fd, const char *mode), (fd, mode), !r && errno == ENOMEM)
WRAP(opendir, DIR *, (const char *path), (path), !r && errno == ENOMEM)
WRAP(fdopendir, DIR *, (int fd), (fd), !r && errno == ENOMEM)
/* -1 is mostly the file's end, which leaves errno as it was: so it is cleared before. */
WRAP(getline, ssize_t, (char **line, size_t *size, FILE *file), (line, size, (errno = 0, file)),
     r < 0 && errno == ENOMEM)

int __wrap_asprintf(char **text, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = __wrap_vasprintf(text, fmt, ap);
	va_end(ap);
	return len;
}
