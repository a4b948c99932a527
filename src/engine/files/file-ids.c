// SPDX-License-Identifier: GPL-2.0-or-later
/* file-ids - numbers for the files of descriptors, before and after their paths are known */
#include "engine/files/file-ids.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "ringside/task.h"

#define FILE_IDS_IS_PATH (1ull << 63)
#define FILE_IDS_SUGGESTED (1u << 31)

struct rs_file_path {
	struct rs_map_node node;
	uint32_t index;
	char text[];
};

bool rs_file_ids_init(struct rs_file_ids *ids)
{
	ids->pending = calloc(RS_FILE_IDS_PENDING, sizeof *ids->pending);
	return rs_map_init(&ids->by_path, 64) && ids->pending;
}

void rs_file_ids_done(struct rs_file_ids *ids)
{
	for (size_t i = 0; i < ids->nr_paths; i++)
		free(ids->paths[i]);
	free(ids->paths);
	free(ids->pending);
	for (unsigned int i = 0; i < RS_FILE_IDS_BELOW; i++)
		free(ids->below[i].name);
	rs_map_done(&ids->by_path);
}

uint64_t rs_file_ids_add_pending(struct rs_file_ids *ids)
{
	uint64_t id = ++ids->nr_pending;

	ids->pending[id % RS_FILE_IDS_PENDING] = 0;
	return id;
}

static uint64_t file_ids_hash(const char *path)
{
	uint64_t hash = 0;

	for (; *path; path++)
		hash = rs_hash_u64(hash ^ (unsigned char)*path);
	return hash;
}

uint64_t rs_file_ids_add_path(struct rs_file_ids *ids, const char *path)
{
	uint64_t hash = file_ids_hash(path);
	size_t size_bytes = strlen(path) + 1;
	struct rs_file_path *p;

	for (struct rs_map_node *n = rs_map_find(&ids->by_path, hash); n; n = rs_map_find_next(n))
		if (!strcmp(RS_MAP_ENTRY(n, struct rs_file_path, node)->text, path))
			return RS_MAP_ENTRY(n, struct rs_file_path, node)->index | FILE_IDS_IS_PATH;
	if (ids->nr_paths >= RS_FILE_IDS_PATHS ||
	    !RS_VECTOR_RESERVE(&ids->paths, &ids->paths_room, ids->nr_paths + 1) ||
	    !(p = malloc(sizeof *p + size_bytes)))
		return 0;
	p->index = (uint32_t)ids->nr_paths;
	memcpy(p->text, path, size_bytes);
	ids->paths[ids->nr_paths++] = p;
	rs_map_add(&ids->by_path, &p->node, hash);
	return p->index | FILE_IDS_IS_PATH;
}

static bool file_ids_is_pending(const struct rs_file_ids *ids, uint64_t id)
{
	return id && !(id & FILE_IDS_IS_PATH) && id <= ids->nr_pending &&
	       ids->nr_pending - id < RS_FILE_IDS_PENDING;
}

/* The base of names is known now. */
static void file_ids_join(struct rs_file_ids *ids, uint64_t base)
{
	const char *dir = rs_file_ids_path(ids, base);
	char path[PATH_MAX];

	for (unsigned int i = 0; i < RS_FILE_IDS_BELOW; i++) {
		if (!ids->below[i].name || ids->below[i].base != base)
			continue;
		if (!rs_file_ids_is_resolved(ids, ids->below[i].id) &&
		    rs_file_ids_join(dir, ids->below[i].name, path, sizeof path))
			rs_file_ids_suggest(ids, ids->below[i].id, rs_file_ids_add_path(ids, path));
		free(ids->below[i].name);
		ids->below[i].name = NULL;
	}
}

void rs_file_ids_resolve(struct rs_file_ids *ids, uint64_t id, uint64_t path_id)
{
	if (!path_id || !file_ids_is_pending(ids, id))
		return;
	ids->pending[id % RS_FILE_IDS_PENDING] = (uint32_t)path_id + 1;
	if (ids->nr_below)
		file_ids_join(ids, id);
}

void rs_file_ids_suggest_below(struct rs_file_ids *ids, uint64_t id, uint64_t base, const char *name)
{
	unsigned int at = ids->nr_below++ % RS_FILE_IDS_BELOW;

	free(ids->below[at].name);
	ids->below[at].id = id;
	ids->below[at].base = base;
	ids->below[at].name = strdup(name);
}

bool rs_file_ids_join(const char *dir, const char *name, char *buf, size_t size_bytes)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(dir);

	if (*dir != '/' || (len >= sizeof deleted && !strcmp(dir + len + 1 - sizeof deleted, deleted)))
		return false;
	while (!strncmp(name, "./", 2))
		name += 2 + strspn(name + 2, "/");
	return (size_t)snprintf(buf, size_bytes, "%s%s%s", dir, len > 1 ? "/" : "", name) < size_bytes;
}

void rs_file_ids_suggest(struct rs_file_ids *ids, uint64_t id, uint64_t path_id)
{
	if (path_id && file_ids_is_pending(ids, id))
		ids->pending[id % RS_FILE_IDS_PENDING] = ((uint32_t)path_id + 1) | FILE_IDS_SUGGESTED;
}

bool rs_file_ids_is_resolved(const struct rs_file_ids *ids, uint64_t id)
{
	uint32_t at = file_ids_is_pending(ids, id) ? ids->pending[id % RS_FILE_IDS_PENDING] : 0;

	return id & FILE_IDS_IS_PATH || (at && !(at & FILE_IDS_SUGGESTED));
}

const char *rs_file_ids_path(const struct rs_file_ids *ids, uint64_t id)
{
	uint64_t at;

	if (id & FILE_IDS_IS_PATH)
		at = (id & ~FILE_IDS_IS_PATH) + 1;
	else
		at = file_ids_is_pending(ids, id) ?
			     ids->pending[id % RS_FILE_IDS_PENDING] & ~FILE_IDS_SUGGESTED :
			     0;
	return at && at <= ids->nr_paths ? ids->paths[at - 1]->text : NULL;
}

uint32_t rs_file_ids_number(uint64_t id)
{
	return id & FILE_IDS_IS_PATH ? (uint32_t)(id & ~FILE_IDS_IS_PATH) + 1 : 0;
}

uint64_t rs_file_ids_of_number(uint32_t number)
{
	return number ? (number - 1) | FILE_IDS_IS_PATH : 0;
}

static const struct {
	const char *prefix, *kind;
} file_kinds[] = {
	{ "socket:", "socket" }, { "TCP:[", "socket" }, { "TCPv6:[", "socket" },
	{ "UDP:[", "socket" }, { "UDPv6:[", "socket" }, { "UNIX-", "socket" },
	{ "pipe:", "pipe" }, { "anon_inode:", "other" }, { "/memfd:", "other" },
	{ "mnt:", "other" },
	{ "/dev/shm/", "file" }, { "/dev/", "device" }, { "/proc/", "kernel" }, { "/sys/", "kernel" },
	{ "/", "file" },
};

const char *rs_file_kind(const char *path)
{
	for (size_t i = 0; path && i < sizeof file_kinds / sizeof *file_kinds; i++)
		if (!strncmp(path, file_kinds[i].prefix, strlen(file_kinds[i].prefix)))
			return file_kinds[i].kind;
	/* "net:[402]"; a name that was opened begins anywhere */
	return !path ? NULL : strchr(path, ':') ? "other" : "file";
}
