// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Makefile gives the linker --wrap=NAME for each __wrap_NAME of this file: calls of NAME in our objects come
 * here, __real_NAME is the C library's. Libraries' own calls do not; see rs_memory_library_failed.
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

static void *noted(void *memory)
{
	if (!memory)
		note_failure();
	return memory;
}

/* For calls that can also fail for other reasons. */
static void *noted_if_memory(void *result)
{
	if (!result && errno == ENOMEM)
		note_failure();
	return result;
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
		return rs_fail(err, "%s: out of memory: the result is not whole (free memory, or ask for less)", what);
	/* what is missing may have been taken for a wrong file or a wrong word */
	if (!strcasestr(err->text, "memory"))
		snprintf(err->text + len, sizeof err->text - len, ": out of memory");
	err->status = RS_FAILED;
	return -1;
}

/* ---- wrapped by the linker ---- */

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
	void *memory = __real_malloc(bytes);

	return memory || !bytes ? memory : noted(NULL);
}

void *__real_calloc(size_t nr, size_t bytes);
void *__wrap_calloc(size_t nr, size_t bytes)
{
	return noted(__real_calloc(nr, bytes));
}

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
	void *memory = __real_realloc(old, bytes);

	return memory || !bytes ? memory : noted(NULL);
}

void *__real_reallocarray(void *old, size_t nr, size_t bytes);
void *__wrap_reallocarray(void *old, size_t nr, size_t bytes)
{
	void *memory = __real_reallocarray(old, nr, bytes);

	return memory || !nr || !bytes ? memory : noted(NULL);
}

void *__real_aligned_alloc(size_t align, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes)
{
	return noted(__real_aligned_alloc(align, bytes));
}

int __real_posix_memalign(void **memory, size_t align, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t align, size_t bytes)
{
	int errnum = __real_posix_memalign(memory, align, bytes);

	if (errnum == ENOMEM)
		note_failure();
	return errnum;
}

void *__real_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	void *memory = __real_mmap(at, bytes, prot, flags, fd, offset);

	if (memory == MAP_FAILED && errno == ENOMEM)
		note_failure();
	return memory;
}

char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s)
{
	return noted(__real_strdup(s));
}

char *__real_strndup(const char *s, size_t len);
char *__wrap_strndup(const char *s, size_t len)
{
	return noted(__real_strndup(s, len));
}

int __real_vasprintf(char **text, const char *fmt, va_list ap);
int __wrap_asprintf(char **text, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = __real_vasprintf(text, fmt, ap);
	va_end(ap);
	if (len < 0)
		note_failure();
	return len;
}

int __wrap_vasprintf(char **text, const char *fmt, va_list ap)
{
	int len = __real_vasprintf(text, fmt, ap);

	if (len < 0)
		note_failure();
	return len;
}

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
	return noted_if_memory(__real_fopen(path, mode));
}

FILE *__real_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode)
{
	return noted_if_memory(__real_fdopen(fd, mode));
}

DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path)
{
	return noted_if_memory(__real_opendir(path));
}

DIR *__real_fdopendir(int fd);
DIR *__wrap_fdopendir(int fd)
{
	return noted_if_memory(__real_fdopendir(fd));
}

/* -1 is mostly the file's end, which leaves errno as it was. */
ssize_t __real_getline(char **line, size_t *size, FILE *file);
ssize_t __wrap_getline(char **line, size_t *size, FILE *file)
{
	ssize_t len;

	errno = 0;
	len = __real_getline(line, size, file);
	if (len < 0 && errno == ENOMEM)
		note_failure();
	return len;
}
