// SPDX-License-Identifier: GPL-2.0-or-later
/* initial-mappings - the mappings that existed when sampling began, as a recording saves them */
#include "recording/initial-mappings.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"

/* As it is in the file. */
struct mappings_row {
	uint32_t pid, path;
	uint64_t start, end, offset, inode;
	uint8_t build_id_len, build_id[RS_MAX_BUILD_ID_BYTES], zero[3];
};

_Static_assert(sizeof(struct mappings_row) == 64, "the format has no padding");

/* A path that is in the text. */
struct mappings_path {
	struct rs_map_node node;
	const char *path;
	uint32_t at;
};

/* Returns where a path is in the text, to which it is added. A library is mapped by most processes. */
static uint32_t mappings_put_path(struct rs_buf *text, struct rs_map *paths, struct mappings_path *new,
				  const char *path)
{
	uint64_t hash = rs_hash_bytes(path, strlen(path));

	for (struct rs_map_node *n = rs_map_find(paths, hash); n; n = rs_map_find_next(n)) {
		const struct mappings_path *known = RS_MAP_ENTRY(n, struct mappings_path, node);

		if (!strcmp(known->path, path))
			return known->at;
	}
	*new = (struct mappings_path){ .path = path, .at = (uint32_t)text->len };
	rs_map_add(paths, &new->node, hash);
	rs_buf_add(text, path, strlen(path) + 1);
	return new->at;
}

void rs_initial_mappings_put(struct rs_buf *out, const struct rs_initial_mapping *mappings, size_t nr)
{
	struct mappings_path *paths = calloc(nr + 1, sizeof *paths);
	struct rs_buf text = RS_BUF_INIT, rows = RS_BUF_INIT;
	struct rs_map by_path = { 0 };
	uint32_t head[2];

	if (!paths || !rs_map_init(&by_path, nr)) {
		out->failed = true;
		nr = 0;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct rs_initial_mapping *m = &mappings[i];
		struct mappings_row row = {
			.pid = htole32((uint32_t)m->pid),
			.path = htole32(mappings_put_path(&text, &by_path, &paths[i], m->path)),
			.start = htole64(m->start), .end = htole64(m->end), .offset = htole64(m->offset),
			.inode = htole64(m->inode),
			.build_id_len = m->build_id_len,
		};

		memcpy(row.build_id, m->build_id, sizeof row.build_id);
		rs_buf_add(&rows, &row, sizeof row);
	}
	head[0] = htole32((uint32_t)nr);
	head[1] = htole32((uint32_t)text.len);
	rs_buf_add(out, head, sizeof head);
	rs_buf_add(out, text.data, text.len);
	rs_buf_add(out, rows.data, rows.len);
	out->failed |= text.failed | rows.failed;
	rs_map_done(&by_path);
	rs_buf_done(&text);
	rs_buf_done(&rows);
	free(paths);
}

static bool mappings_read_row(const uint8_t *at, const char *text, size_t text_len,
			      struct rs_initial_mapping *m)
{
	struct mappings_row row;

	memcpy(&row, at, sizeof row);
	if (le32toh(row.path) >= text_len || row.build_id_len > RS_MAX_BUILD_ID_BYTES ||
	    le64toh(row.start) >= le64toh(row.end))
		return false;
	*m = (struct rs_initial_mapping){
		.pid = (int32_t)le32toh(row.pid), .start = le64toh(row.start), .end = le64toh(row.end),
		.offset = le64toh(row.offset),
		.inode = le64toh(row.inode), .build_id_len = row.build_id_len,
		.path = text + le32toh(row.path),
	};
	memcpy(m->build_id, row.build_id, sizeof row.build_id);
	return true;
}

bool rs_initial_mappings_read(const uint8_t *data, size_t len, struct rs_initial_mapping **mappings,
			      size_t *nr)
{
	const char *text = (const char *)data + 8;
	uint32_t head[2] = { 0 };
	size_t count, text_len;

	if (len < sizeof head)
		return false;
	memcpy(head, data, sizeof head);
	count = le32toh(head[0]);
	text_len = le32toh(head[1]);
	if (text_len > len - 8 || count != (len - 8 - text_len) / sizeof(struct mappings_row) ||
	    (len - 8 - text_len) % sizeof(struct mappings_row) || (text_len && text[text_len - 1]))
		return false;
	*mappings = calloc(count + 1, sizeof **mappings);
	if (!*mappings)
		return false;
	for (*nr = 0; *nr < count; ++*nr)
		if (!mappings_read_row(data + 8 + text_len + *nr * sizeof(struct mappings_row), text,
				       text_len, &(*mappings)[*nr])) {
			free(*mappings);
			*mappings = NULL;
			*nr = 0;
			return false;
		}
	return true;
}
