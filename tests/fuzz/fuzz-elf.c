// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz-elf.c - the symbols of any bytes: never outside of them, always to an end, and names only of what is covered
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	uint8_t id[RS_BUILD_ID_BYTES];
	struct rs_elf *e = NULL;

	if (fd >= 0 && write(fd, data, len) == (ssize_t)len)
		e = rs_elf_new(fd);
	for (uint64_t offset = 0; e && offset < 0x2000; offset += 16) {
		const char *name = rs_elf_function(e, offset);

		if (name && !*name)
			abort();
	}
	if (e && rs_elf_build_id(e, id) > sizeof id)
		abort();
	rs_elf_free(e);
	if (fd >= 0)
		close(fd);
	return 0;
}
