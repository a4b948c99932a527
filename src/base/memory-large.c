// SPDX-License-Identifier: GPL-2.0-or-later
/* memory-large - large memory, allocated and touched at the start */
#include "base/memory-large.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define LEAST_PAGE_BYTES 4096

void *rs_memory_take(size_t size_bytes, const char *what, struct rs_error *err)
{
	char *map = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED) {
		rs_fail(err, "cannot keep %s of %zu MiB: %s (choose a smaller one)", what, size_bytes >> 20,
			strerror(errno));
		return NULL;
	}
	madvise(map, size_bytes, MADV_HUGEPAGE); /* fewer faults, now and later; without it, all the same */
	for (size_t at = 0; at < size_bytes; at += LEAST_PAGE_BYTES)
		*(volatile char *)(map + at) = 0;
	return map;
}

void rs_memory_give(void *memory, size_t size_bytes)
{
	if (memory)
		munmap(memory, size_bytes);
}
