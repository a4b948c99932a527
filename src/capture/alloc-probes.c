// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * alloc-probes - defines probes of the functions by which a process allocates and frees memory
 *
 * They are in its C library, in an allocator that the program brings (jemalloc), or in a static program
 * itself. The file is the one that is mapped, wherever its name leads by now: /proc/PID/map_files. A child
 * without rights parses it, for it is untrusted.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "capture/capture.h"
#include "source/perf/probe-regs.h"
#include "symbols/elf.h"

#define ALLOC_MAX_FILES 256
#define PARSE_SECONDS 10

/* By enum rs_probe_function. returns: the result is needed, so its end is probed, too. */
static const struct probing_function {
	const char *symbol;
	bool returns;
} functions[RS_NR_PROBED_FUNCTIONS] = {
	[RS_PROBE_MALLOC] = { "malloc", true },
	[RS_PROBE_CALLOC] = { "calloc", true },
	[RS_PROBE_REALLOC] = { "realloc", true },
	[RS_PROBE_REALLOCARRAY] = { "reallocarray", true },
	[RS_PROBE_ALIGNED_ALLOC] = { "aligned_alloc", true },
	[RS_PROBE_MEMALIGN] = { "memalign", true },
	[RS_PROBE_POSIX_MEMALIGN] = { "posix_memalign", true },
	/* libstdc++ has no frame pointers: from malloc alone the caller of new would be missing */
	[RS_PROBE_NEW] = { "_Znwm", true },
	[RS_PROBE_NEW_ARRAY] = { "_Znam", true },
	[RS_PROBE_FREE] = { "free", false },
	[RS_PROBE_MMAP] = { "mmap", true },
	[RS_PROBE_MREMAP] = { "mremap", true },
	[RS_PROBE_MUNMAP] = { "munmap", false },
};

struct probing_file {
	char link[64];               /* its entry in /proc/PID/map_files */
	uint64_t base;               /* what to add to an offset in the file to get an address */
	unsigned long long inode;
	/* whose malloc is called: the program's, another library's, the C library's */
	unsigned int rank;
	uint64_t offsets[RS_NR_PROBED_FUNCTIONS];
};

struct probing_files {
	struct probing_file at[ALLOC_MAX_FILES];
	size_t nr;
};

/* ---- which files ---- */

static unsigned int probing_rank(const char *path, bool is_program)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (is_program)
		return 3;
	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-2", 6) ||
			       !strncmp(name, "libc.musl", 9) || !strncmp(name, "ld-musl", 7) ?
		       1 :
		       2;
}

/* The dynamic linker's malloc serves nobody else; musl's linker is its C library. */
static bool probing_is_linker(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return !strncmp(name, "ld", 2) && strncmp(name, "ld-musl", 7) != 0 && strstr(name, ".so");
}

static void probing_add_file(struct probing_files *files, int32_t pid, const char *line,
			     unsigned long long program)
{
	unsigned long long start, end, offset, inode;
	struct probing_file *f = &files->at[files->nr];
	char perms[8];
	int at = 0;

	if (sscanf(line, "%llx-%llx %7s %llx %*x:%*x %llu %n", &start, &end, perms, &offset, &inode, &at) <
		    5 ||
	    !at || !inode || !strchr(perms, 'x') || files->nr == ALLOC_MAX_FILES ||
	    probing_is_linker(line + at))
		return;
	for (size_t i = 0; i < files->nr; i++)
		if (files->at[i].inode == inode)
			return;
	*f = (struct probing_file){ .inode = inode, .base = start - offset };
	snprintf(f->link, sizeof f->link, "/proc/%d/map_files/%llx-%llx", (int)pid, start, end);
	f->rank = probing_rank(line + at, inode == program);
	files->nr++;
}

/* 0, or -1: no such process, or no right. */
static int probing_list_files(struct probing_files *files, int32_t pid)
{
	char path[32], *line = NULL;
	struct stat program = { 0 };
	size_t room = 0;
	FILE *maps;

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	if (stat(path, &program) < 0)
		return -1;
	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	while (maps && getline(&line, &room, maps) > 0) {
		line[strcspn(line, "\n")] = '\0';
		probing_add_file(files, pid, line, program.st_ino);
	}
	free(line);
	if (maps)
		fclose(maps);
	return maps ? 0 : -1;
}

/* ---- where in them ---- */

static _Noreturn void probing_parse_and_exit(int file_fd, bool offered, int to_fd)
{
	const char *names[RS_NR_PROBED_FUNCTIONS];
	uint64_t offsets[RS_NR_PROBED_FUNCTIONS];
	struct rs_error ignored = { 0 };

	alarm(PARSE_SECONDS);
	if (geteuid() == 0 && rs_privileges_drop(NULL, false, &ignored) < 0)
		_exit(1);
	for (int i = 0; i < RS_NR_PROBED_FUNCTIONS; i++)
		names[i] = functions[i].symbol;
	rs_elf_find_offsets(file_fd, offered, names, RS_NR_PROBED_FUNCTIONS, offsets);
	_exit(write(to_fd, offsets, sizeof offsets) == sizeof offsets ? 0 : 1);
}

static void probing_parse(struct probing_file *f, bool offered)
{
	int file_fd = open(f->link, O_RDONLY | O_CLOEXEC | O_NONBLOCK), pair[2] = { -1, -1 };
	pid_t child = file_fd < 0 || pipe2(pair, O_CLOEXEC) < 0 ? -1 : fork();

	if (child == 0)
		probing_parse_and_exit(file_fd, offered, pair[1]);
	rs_close(&pair[1]);
	if (child < 0 || read(pair[0], f->offsets, sizeof f->offsets) != sizeof f->offsets)
		memset(f->offsets, 0, sizeof f->offsets);
	if (child > 0)
		waitpid(child, NULL, 0);
	rs_close(&pair[0]);
	rs_close(&file_fd);
}

static const struct probing_file *probing_find(const struct probing_files *files,
					       enum rs_probe_function function)
{
	const struct probing_file *best = NULL;

	for (size_t i = 0; i < files->nr; i++)
		if (files->at[i].offsets[function] && (!best || files->at[i].rank > best->rank))
			best = &files->at[i];
	return best;
}

/* A static program offers no functions to others: its own names are read where it has them. */
static void probing_parse_all(struct probing_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		probing_parse(&files->at[i], true);
	for (size_t i = 0; !probing_find(files, RS_PROBE_MALLOC) && i < files->nr; i++)
		if (files->at[i].rank == 3)
			probing_parse(&files->at[i], false);
}

/* ---- the events ---- */

/* The id by which perf_event_open names it; 0: unknown. */
static uint32_t probing_event_id(const char *tracefs, const char *group, const char *name)
{
	char file[128], *text;
	uint32_t id;

	snprintf(file, sizeof file, "events/%s/%s/id", group, name);
	text = rs_tracefs_read(tracefs, file, NULL);
	id = text ? (uint32_t)strtoul(text, NULL, 10) : 0;
	free(text);
	return id;
}

/* 0, or -1 with errno set. */
static int probing_define(struct rs_capture_plan *p, const char *tracefs, enum rs_probe_side side,
			  const char *name, const char *file, uint64_t offset)
{
	char definition[128];
	int ret;

	snprintf(definition, sizeof definition, "%s:0x%llx", file, (unsigned long long)offset);
	ret = rs_dynamic_events_add(tracefs, &p->dynamic_events, side == RS_PROBE_RETURN ? 'r' : 'p', name,
				    definition);
	errno = -ret;
	return ret ? -1 : 0;
}

/* aligned_alloc and memalign may be one function. */
static bool probing_is_probed(const struct rs_capture_plan *p, uint64_t address)
{
	for (size_t i = 0; i < p->probes.nr; i++)
		if (p->probes.probes[i].address == address)
			return true;
	return false;
}

/* All of a side, for they become one event with the first. */
static int probing_define_side(struct rs_capture_plan *p, const char *tracefs,
			       const struct probing_files *files, enum rs_probe_side side)
{
	static const char *const names[RS_NR_PROBE_SIDES] = { "alloc", "alloc_return" };

	p->probes.nr = 0;
	for (int function = 0; function < RS_NR_PROBED_FUNCTIONS; function++) {
		const struct probing_file *f = probing_find(files, function);
		uint64_t address = f ? f->base + f->offsets[function] : 0;

		if (!f || probing_is_probed(p, address))
			continue;
		p->probes.probes[p->probes.nr++] = (struct rs_probe){ address, function };
		if ((side == RS_PROBE_BEGIN || functions[function].returns) &&
		    probing_define(p, tracefs, side, names[side], f->link, f->offsets[function]) < 0)
			return -1;
	}
	p->probes.event_ids[side] = probing_event_id(tracefs, p->dynamic_events.group, names[side]);
	return p->probes.event_ids[side] ? 0 : -1;
}

static void probing_define_own(struct rs_capture_plan *p, const char *tracefs, enum rs_probe_side side)
{
	static const char *const names[RS_NR_PROBE_SIDES] = { "own", "own_return" };
	uint64_t own = rs_probe_rate_own_offset();

	if (own && probing_define(p, tracefs, side, names[side], "/proc/self/exe", own) == 0)
		p->probes.own_ids[side] = probing_event_id(tracefs, p->dynamic_events.group, names[side]);
}

static int probing_define_all(struct rs_capture_plan *p, const char *tracefs,
			      const struct probing_files *files, struct rs_error *err)
{
	for (enum rs_probe_side side = 0; side < RS_NR_PROBE_SIDES; side++) {
		if (probing_define_side(p, tracefs, files, side) < 0)
			return rs_fail(err,
				       "alloc: cannot probe the functions of process %d: %s (the kernel "
				       "needs uprobe events, Linux 5.4 or later)",
				       (int)p->probes.pid, strerror(errno));
		probing_define_own(p, tracefs, side);
	}
	return 0;
}

static bool probing_is_64_bit(int32_t pid)
{
	unsigned char ident[EI_NIDENT] = { 0 };
	char path[32];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && read(fd, ident, sizeof ident) != sizeof ident)
		ident[EI_CLASS] = 0;
	rs_close(&fd);
	return ident[EI_CLASS] == ELFCLASS64;
}

int rs_alloc_probes_plan(struct rs_capture_plan *p, const char *tracefs, struct rs_error *err)
{
	struct probing_files *files;
	int ret = -1;

	if (!RS_PROBE_REGS_KNOWN || !probing_is_64_bit(p->probes.pid))
		return rs_fail(
			err,
			"alloc: process %d does not exist, or is no 64-bit program of x86, ARM or RISC-V",
			(int)p->probes.pid);
	files = calloc(1, sizeof *files);
	if (!files)
		return rs_fail(err, "alloc: out of memory");
	if (probing_list_files(files, p->probes.pid) < 0) {
		rs_fail(err, "alloc: cannot read what process %d has mapped: %s", (int)p->probes.pid,
			strerror(errno));
	} else {
		probing_parse_all(files);
		ret = probing_find(files, RS_PROBE_MALLOC) ?
			      probing_define_all(p, tracefs, files, err) :
			      rs_fail(err,
				      "alloc: no function malloc in process %d: its program is static and "
				      "has no symbols",
				      (int)p->probes.pid);
	}
	free(files);
	return ret;
}
