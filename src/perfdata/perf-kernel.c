// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-kernel - the symbols of the kernel that a perf.data was recorded on, if that kernel runs here */
#include "perfdata/perf-kernel.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "symbols/build-id-cache.h"

static const char kernel_path[] = "[kernel.kallsyms]";

bool rs_perf_kernel_is(const struct rs_sample_event *mmap)
{
	return mmap->pid == -1 && !strncmp(mmap->path, kernel_path, strlen(kernel_path));
}

/* Of the kernel that runs here. Returns its length; 0: unknown. */
static size_t kernel_build_id(uint8_t *id, size_t size_bytes)
{
	FILE *file = fopen("/sys/kernel/notes", "re");
	Elf64_Nhdr note;
	char name[256], desc[1024];
	size_t len = 0;

	while (file && !len && fread(&note, sizeof note, 1, file) == 1) {
		size_t name_bytes = ((size_t)note.n_namesz + 3) & ~(size_t)3,
		       desc_bytes = ((size_t)note.n_descsz + 3) & ~(size_t)3;

		if (name_bytes > sizeof name || desc_bytes > sizeof desc ||
		    fread(name, 1, name_bytes, file) != name_bytes ||
		    fread(desc, 1, desc_bytes, file) != desc_bytes)
			break;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(name, "GNU", 4) &&
		    note.n_descsz <= size_bytes) {
			len = note.n_descsz;
			memcpy(id, desc, len);
		}
	}
	if (file)
		fclose(file);
	return len;
}

/*
 * Without build-ids, as from a pipe: on this host a kernel of this name at this very address is the one that
 * runs.
 */
static bool kernel_has_same_name(struct rs_perf_header *h)
{
	struct utsname here;

	return uname(&here) == 0 && !strcmp(here.nodename, h->host) && !strcmp(here.release, h->kernel);
}

/* Returns the length of the recorded kernel's build-id; 0: unknown. */
static size_t kernel_recorded_build_id(struct rs_perf_header *h, const struct rs_sample_event *mmap,
				       const uint8_t **id)
{
	const struct rs_perf_build_id *saved = rs_perf_header_build_id(h, kernel_path);

	*id = mmap->build_id ? mmap->build_id : saved ? saved->id : NULL;
	return mmap->build_id ? mmap->build_id_len : saved ? saved->len_bytes : 0;
}

static bool kernel_is_here(const uint8_t *id, size_t id_len)
{
	uint8_t here[RS_PERF_BUILD_ID_BYTES];
	size_t len = kernel_build_id(here, sizeof here);

	return len && id_len >= len && !memcmp(id, here, len);
}

/* Reads "ffffffff81000000 T _text". */
static bool kernel_read_line(const char *line, uint64_t *address, const char **rest)
{
	char *end;

	*address = strtoull(line, &end, 16);
	*rest = end;
	return *end == ' ';
}

/* The mapping's path names a symbol, and its offset is where that one was. */
static uint64_t kernel_find_symbol(FILE *file, const char *symbol)
{
	char *line = NULL;
	const char *rest;
	uint64_t address, found = 0;
	size_t room = 0, len = strlen(symbol);

	while (!found && getline(&line, &room, file) > 0)
		if (kernel_read_line(line, &address, &rest) && strlen(rest) > 3 + len &&
		    !strncmp(rest + 3, symbol, len) && rest[3 + len] == '\n')
			found = address;
	free(line);
	return found;
}

/* Modules do not move with the kernel: after another boot they are left out. */
static void kernel_put_symbols(FILE *file, uint64_t distance, struct rs_buf *out)
{
	char *line = NULL;
	const char *rest;
	uint64_t address;
	size_t room = 0;

	rewind(file);
	while (getline(&line, &room, file) > 0)
		if (kernel_read_line(line, &address, &rest) && (!distance || !strchr(rest, '[')))
			rs_buf_printf(out, "%016" PRIx64 "%s", address + distance, rest);
	free(line);
}

bool rs_perf_kernel_symbols(struct rs_perf_header *h, const struct rs_sample_event *mmap, struct rs_buf *out)
{
	const char *symbol = mmap->path + strlen(kernel_path);
	const uint8_t *id;
	size_t id_len = kernel_recorded_build_id(h, mmap, &id);
	bool is_here = id_len ? kernel_is_here(id, id_len) : kernel_has_same_name(h);
	int cached_fd = is_here ? -1 : rs_build_id_cache_open(id, id_len, "kallsyms");
	FILE *file = !*symbol       ? NULL :
		     is_here        ? fopen("/proc/kallsyms", "re") :
		     cached_fd >= 0 ? fdopen(cached_fd, "r") :
				      NULL;
	uint64_t address = file ? kernel_find_symbol(file, symbol) : 0;

	if (address && (id_len || address == mmap->offset)) /* with a build-id it may be at another address */
		kernel_put_symbols(file, mmap->offset - address, out);
	if (file)
		fclose(file);
	else if (cached_fd >= 0)
		close(cached_fd);
	return is_here && address && address == mmap->offset;
}
