/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file-ids.h - numbers for the files of descriptors, before and after their paths are known
 *
 * A file gets a pending number with its first call, and each call after the look-up has the number of the
 * path, which is the same for all descriptors of that path. A pending number is reused after
 * RS_FILE_IDS_PENDING others: from then on it has no path. Paths beyond RS_FILE_IDS_PATHS have no number. 0
 * is no number.
 */
#ifndef RS_ENGINE_FILES_FILE_IDS_H
#define RS_ENGINE_FILES_FILE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#define RS_FILE_IDS_PENDING (1u << 16)
#define RS_FILE_IDS_PATHS (1u << 16)
#define RS_FILE_IDS_BELOW 1024u

struct rs_file_path;

struct rs_file_ids {
	struct rs_map by_path;
	struct rs_file_path **paths;
	size_t nr_paths, paths_room;
	/*
	 * 1 + the index of the path, by number % RS_FILE_IDS_PENDING; 0: not known; a suggested one with a
	 * flag
	 */
	uint32_t *pending;
	uint64_t nr_pending;       /* ever given out */
	/* that wait for the path of `base`: the latest */
	struct { uint64_t id, base; char *name; } below[RS_FILE_IDS_BELOW];
	unsigned int nr_below;     /* ever added */
};

bool rs_file_ids_init(struct rs_file_ids *ids);
void rs_file_ids_done(struct rs_file_ids *ids);
uint64_t rs_file_ids_add_pending(struct rs_file_ids *ids);
/* Returns the number of that path; 0: no memory, or too many. */
uint64_t rs_file_ids_add_path(struct rs_file_ids *ids, const char *path);
/* id: a pending number whose path is known now. */
void rs_file_ids_resolve(struct rs_file_ids *ids, uint64_t id, uint64_t path_id);
/* id: a pending number, whose path is this one unless it is resolved. */
void rs_file_ids_suggest(struct rs_file_ids *ids, uint64_t id, uint64_t path_id);
/* Likewise: its path is this name below the one of `base`, as soon as that is known. */
void rs_file_ids_suggest_below(struct rs_file_ids *ids, uint64_t id, uint64_t base, const char *name);
bool rs_file_ids_is_resolved(const struct rs_file_ids *ids, uint64_t id);
/* Writes the path of a name below a folder. Returns false if the folder has none, or it was deleted. */
bool rs_file_ids_join(const char *dir, const char *name, char *buf, size_t size_bytes);
/* Returns NULL if it is not known. */
const char *rs_file_ids_path(const struct rs_file_ids *ids, uint64_t id);

/* 1 + the place of a path's number among all paths; 0: it is no path's. And back. */
uint32_t rs_file_ids_number(uint64_t id);
uint64_t rs_file_ids_of_number(uint32_t number);

#endif
