// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-files - the build-ids of files that a perf.data names without one */
#include "perfdata/perf-files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "source/trace-clock.h"
#include "symbols/elf.h"

#define MAX_FILES 65536u

struct files_file {
	struct rs_map_node node;
	uint64_t inode;
	struct rs_perf_build_id build_id; /* len_bytes 0: none */
};

bool rs_perf_files_init(struct rs_perf_files *f)
{
	*f = (struct rs_perf_files){ 0 };
	return rs_map_init(&f->by_path, 64);
}

void rs_perf_files_done(struct rs_perf_files *f)
{
	for (size_t i = 0; i < f->by_path.nr_buckets; i++)
		for (struct rs_map_node *node = f->by_path.buckets[i], *next; node; node = next) {
			struct files_file *file = RS_MAP_ENTRY(node, struct files_file, node);

			next = node->chain;
			free(file->build_id.path);
			free(file);
		}
	rs_map_done(&f->by_path);
}

/* perf's own clock runs with CLOCK_MONOTONIC. */
void rs_perf_files_same_boot(struct rs_perf_files *f, const struct rs_perf_header *h, uint64_t begin_ns)
{
	clockid_t clock = h->clock < 0 ? CLOCK_MONOTONIC : h->clock;
	uint64_t now_ns = rs_trace_clock_ns(clock), wall_ns = rs_trace_clock_ns(CLOCK_REALTIME);
	char host[256] = "";

	if (gethostname(host, sizeof host - 1) < 0 || strcmp(host, h->host) != 0)
		return;
	if (begin_ns <= now_ns && now_ns - begin_ns < wall_ns)
		f->begin_wall_ns = (int64_t)(wall_ns - (now_ns - begin_ns));
}

static bool files_is_same(const struct rs_perf_files *f, const struct stat *st, uint64_t inode)
{
	int64_t changed_ns = (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec;

	return S_ISREG(st->st_mode) && st->st_ino == inode && changed_ns < f->begin_wall_ns;
}

static void files_read(const struct rs_perf_files *f, struct files_file *file)
{
	struct stat st;
	int fd;

	/* before it is opened: to open a device is to use it */
	if (stat(file->build_id.path, &st) < 0 || !files_is_same(f, &st, file->inode))
		return;
	fd = open(file->build_id.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && files_is_same(f, &st, file->inode))
		file->build_id.len_bytes = (uint8_t)rs_elf_read_build_id(fd, file->build_id.id);
	close(fd);
}

static struct files_file *files_make(struct rs_perf_files *f, const struct rs_sample_event *mmap,
				     uint64_t hash)
{
	struct files_file *file = f->by_path.nr < MAX_FILES ? calloc(1, sizeof *file) : NULL;

	if (!file || !(file->build_id.path = strdup(mmap->path))) {
		free(file);
		return NULL;
	}
	file->inode = mmap->inode;
	rs_map_add(&f->by_path, &file->node, hash);
	files_read(f, file);
	return file;
}

const struct rs_perf_build_id *rs_perf_files_build_id(struct rs_perf_files *f,
						      const struct rs_sample_event *mmap)
{
	uint64_t hash = rs_hash_pair(rs_hash_bytes(mmap->path, strlen(mmap->path)), mmap->inode);
	struct files_file *file = NULL;

	if (!f->begin_wall_ns || mmap->build_id || !mmap->inode || *mmap->path != '/')
		return NULL;
	for (struct rs_map_node *n = rs_map_find(&f->by_path, hash); n && !file; n = rs_map_find_next(n)) {
		file = RS_MAP_ENTRY(n, struct files_file, node);
		if (file->inode != mmap->inode || strcmp(file->build_id.path, mmap->path) != 0)
			file = NULL;
	}
	if (!file)
		file = files_make(f, mmap, hash);
	return file && file->build_id.len_bytes ? &file->build_id : NULL;
}
