// SPDX-License-Identifier: GPL-2.0-or-later
/* build-id-cache - files that perf record has copied to ~/.debug, by their build-id */
#include "symbols/build-id-cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/close.h"

#define CACHE_MAX_PATH 4096

int rs_build_id_cache_open(const uint8_t *id, size_t len_bytes, const char *name)
{
	const char *home = getenv("HOME");
	char path[CACHE_MAX_PATH];
	struct stat st;
	size_t len;
	int fd;

	if (!home || len_bytes < 2)
		return -1;
	/* ab/cdef is a link to the folder of that file */
	len = (size_t)snprintf(path, sizeof path, "%s/.debug/.build-id/%02x/", home, id[0]);
	for (size_t i = 1; i < len_bytes && len < sizeof path; i++)
		len += (size_t)snprintf(path + len, sizeof path - len, "%02x", id[i]);
	if (len < sizeof path)
		len += (size_t)snprintf(path + len, sizeof path - len, "/%s", name);
	fd = len < sizeof path ? open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)))
		rs_close(&fd);
	return fd;
}
