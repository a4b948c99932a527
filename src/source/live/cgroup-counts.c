// SPDX-License-Identifier: GPL-2.0-or-later
/* cgroup-counts - what the kernel counts for a control group of version 2, and its limits */
#include "source/live/cgroup-counts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "source/live/proc.h"

enum cgroup_lines { OF_ONE_LINE, OF_ALL_LINES, LEAST_LINE }; /* a line for each disk: their sum, the least */

/*
 * All times are in microseconds. A pressure file's lines are of "some": at least one task waited, and of
 * "full": all of them did.
 */
static const struct {
	const char *file, *line, *key; /* the first of the lines that begin so */
	unsigned int unit;
	enum cgroup_lines lines;
} cgroup_counts[RS_NR_CGROUP_COUNTS] = {
	[RS_CGROUP_USAGE_NS] = { "cpu.stat", "", "usage_usec ", 1000 },
	[RS_CGROUP_PERIODS] = { "cpu.stat", "", "nr_periods ", 1 },
	[RS_CGROUP_THROTTLED] = { "cpu.stat", "", "nr_throttled ", 1 },
	[RS_CGROUP_THROTTLED_NS] = { "cpu.stat", "", "throttled_usec ", 1000 },
	[RS_CGROUP_CPU_PRESSURE_NS] = { "cpu.pressure", "some ", "total=", 1000 },
	[RS_CGROUP_CPU_FULL_NS] = { "cpu.pressure", "full ", "total=", 1000 },
	[RS_CGROUP_MEMORY_PRESSURE_NS] = { "memory.pressure", "some ", "total=", 1000 },
	[RS_CGROUP_MEMORY_FULL_NS] = { "memory.pressure", "full ", "total=", 1000 },
	[RS_CGROUP_IO_PRESSURE_NS] = { "io.pressure", "some ", "total=", 1000 },
	[RS_CGROUP_IO_FULL_NS] = { "io.pressure", "full ", "total=", 1000 },
	[RS_CGROUP_HIGH_EVENTS] = { "memory.events", "high ", "high ", 1 },
	[RS_CGROUP_MAX_EVENTS] = { "memory.events", "max ", "max ", 1 },
	[RS_CGROUP_READ_BYTES] = { "io.stat", "", "rbytes=", 1, OF_ALL_LINES },
	[RS_CGROUP_WRITTEN_BYTES] = { "io.stat", "", "wbytes=", 1, OF_ALL_LINES },
	[RS_CGROUP_WEIGHT] = { "cpu.weight", "", "", 1 },
	[RS_CGROUP_QUOTA_NS] = { "cpu.max", "", "", 1000 }, /* "20000 100000", or "max 100000" */
	[RS_CGROUP_PERIOD_NS] = { "cpu.max", "", " ", 1000 },
	[RS_CGROUP_MEMORY_MAX] = { "memory.max", "", "", 1 },
	[RS_CGROUP_MEMORY_HIGH] = { "memory.high", "", "", 1 },
	[RS_CGROUP_MEMORY_NOW] = { "memory.current", "", "", 1 },
	[RS_CGROUP_IO_MAX_READ] = { "io.max", "", "rbps=", 1, LEAST_LINE },
	[RS_CGROUP_IO_MAX_WRITE] = { "io.max", "", "wbps=", 1, LEAST_LINE },
};

static bool cgroup_counts_has_cpu(const char *folder)
{
	char path[PATH_MAX], text[512];

	snprintf(path, sizeof path, "%s/cgroup.controllers", folder);
	rs_proc_read(AT_FDCWD, path, text, sizeof text);
	for (const char *word = text; *word; word += strspn(word, " \n")) {
		size_t len = strcspn(word, " \n");

		if (len == 3 && !memcmp(word, "cpu", 3))
			return true;
		word += len;
	}
	return false;
}

const char *rs_cgroup_counts_root(const char *mount)
{
	return cgroup_counts_has_cpu(mount) ? mount : NULL;
}

/* The number behind the first occurrence of key. */
static struct rs_value cgroup_counts_find(const char *text, const char *key, unsigned int unit)
{
	const char *at = strstr(text, key);
	uint64_t nr;
	char *end;

	/* a part of another word is none: "core_sched.force_usage_usec 1" */
	while (at && at != text && *key != ' ' && at[-1] != '\n' && at[-1] != ' ')
		at = strstr(at + 1, key);
	if (!at)
		return rs_null();
	at += strlen(key);
	errno = 0;
	nr = strtoull(at, &end, 10);
	return rs_u_if(end != at && !errno && nr <= UINT64_MAX / unit, nr * unit);
}

static struct rs_value cgroup_counts_join(struct rs_value a, struct rs_value b, enum cgroup_lines lines)
{
	if (!a.known || !b.known)
		return a.known ? a : b;
	if (lines == LEAST_LINE)
		return a.u < b.u ? a : b;
	return rs_u(a.u > UINT64_MAX - b.u ? UINT64_MAX : a.u + b.u);
}

/* What a file says. Its lines are cut apart, and joined again. */
static struct rs_value cgroup_counts_of(char *text, enum rs_cgroup_count which)
{
	const char *begin = cgroup_counts[which].line;
	enum cgroup_lines lines = cgroup_counts[which].lines;
	struct rs_value value = rs_null();
	char *end;

	for (char *line = text; *line; line = *end ? end + 1 : end) {
		char cut;

		end = line + strcspn(line, "\n");
		if (strncmp(line, begin, strlen(begin)) != 0)
			continue;
		cut = *end;
		if (*begin || lines)
			*end = '\0';
		value = cgroup_counts_join(value, cgroup_counts_find(line, cgroup_counts[which].key,
								     cgroup_counts[which].unit), lines);
		*end = cut;
		if (!lines)
			break;
	}
	return value;
}

/* A group outside of this process' namespace is "/../name": its folder is not in this tree. */
static bool cgroup_counts_is_below(const char *path)
{
	return *path == '/' && strncmp(path, "/..", 3) != 0;
}

/* Reads nr counts, from one that is the first of its file on. */
static void cgroup_counts_read_some(const char *root, const char *path, enum rs_cgroup_count first,
				    unsigned int nr, struct rs_value *values)
{
	char file[PATH_MAX], text[4096] = "";

	for (unsigned int i = first; i < first + nr; i++) {
		if (i == first || strcmp(cgroup_counts[i].file, cgroup_counts[i - 1].file)) {
			snprintf(file, sizeof file, "%s%s/%s", root, path, cgroup_counts[i].file);
			rs_proc_read(AT_FDCWD, file, text, sizeof text);
		}
		values[i - first] = cgroup_counts_of(text, (enum rs_cgroup_count)i);
	}
}

static bool cgroup_counts_read(const char *root, const char *path, struct rs_cgroup_counts *counts)
{
	if (!cgroup_counts_is_below(path))
		return false;
	cgroup_counts_read_some(root, path, 0, RS_NR_CGROUP_COUNTS, counts->value);
	return counts->value[RS_CGROUP_USAGE_NS].known;
}

void rs_cgroup_counts_read_pressure(const char *root, const char *path, struct rs_value ns[RS_NR_PRESSURES])
{
	memset(ns, 0, RS_NR_PRESSURES * sizeof *ns);
	if (cgroup_counts_is_below(path))
		cgroup_counts_read_some(root, path, RS_CGROUP_CPU_PRESSURE_NS, RS_NR_PRESSURES, ns);
}

/* ---- a list of groups ---- */

static void cgroup_counts_add_one(struct rs_cgroup_list *list, const char *path, size_t len)
{
	struct rs_cgroup_row *row;

	for (size_t i = list->nr; i--;)
		if (!strncmp(list->row[i].path, path, len) && !list->row[i].path[len])
			return;
	row = list->nr < RS_CGROUP_COUNTS_MAX ? RS_VECTOR_ADD(&list->row, &list->nr, &list->room) : NULL;
	if (!row)
		return;
	*row = (struct rs_cgroup_row){ .path = strndup(path, len) };
	list->nr -= !row->path;
}

/* "/a/b": "/", "/a" and "/a/b", for a quota of each holds for it. */
void rs_cgroup_counts_add(struct rs_cgroup_list *list, const char *path)
{
	if (*path != '/')
		return;
	cgroup_counts_add_one(list, path, 1);
	for (size_t len = 1; path[len]; len += path[len] == '/') {
		len += strcspn(path + len, "/");
		cgroup_counts_add_one(list, path, len);
	}
}

/* One copy of each path, and tasks of a group come in runs. */
void rs_cgroup_counts_add_initial(struct rs_cgroup_list *list, const struct rs_trace_info *info)
{
	const struct rs_initial_task *last = NULL, *t;

	for (t = info->snapshot; t < info->snapshot + info->nr_initial; last = t++) {
		if (t->cgroup && (!last || t->cgroup != last->cgroup))
			rs_cgroup_counts_add(list, t->cgroup);
		for (int i = 0; i < RS_NR_CGROUP_CONTROLLERS; i++)
			if (t->cgroup_of[i] && (!last || t->cgroup_of[i] != last->cgroup_of[i]))
				rs_cgroup_counts_add(list, t->cgroup_of[i]);
	}
}

void rs_cgroup_counts_update(struct rs_cgroup_list *list, const char *root)
{
	for (struct rs_cgroup_row *row = list->row; row < list->row + list->nr; row++) {
		row->end = (struct rs_cgroup_counts){ 0 };
		if (root && cgroup_counts_read(root, row->path, &row->end) &&
		    !row->begin.value[RS_CGROUP_USAGE_NS].known)
			row->begin = row->end;
	}
}

void rs_cgroup_counts_done(struct rs_cgroup_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->row[i].path);
	free(list->row);
	*list = (struct rs_cgroup_list){ 0 };
}

/* ---- in a recording ---- */

#define CGROUP_COUNTS_OF(when) \
	{ #when "_usage_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_USAGE_NS]) }, \
	{ #when "_periods", RS_MAYBE, RS_AT(when.value[RS_CGROUP_PERIODS]) }, \
	{ #when "_throttled", RS_MAYBE, RS_AT(when.value[RS_CGROUP_THROTTLED]) }, \
	{ #when "_throttled_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_THROTTLED_NS]) }, \
	{ #when "_cpu_pressure_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_CPU_PRESSURE_NS]) }, \
	{ #when "_memory_pressure_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_MEMORY_PRESSURE_NS]) }, \
	{ #when "_io_pressure_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_IO_PRESSURE_NS]) },

/* Recordings of older versions lack these. */
#define CGROUP_COUNTS_MORE_OF(when) \
	{ #when "_cpu_full_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_CPU_FULL_NS]) }, \
	{ #when "_memory_full_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_MEMORY_FULL_NS]) }, \
	{ #when "_io_full_ns", RS_MAYBE, RS_AT(when.value[RS_CGROUP_IO_FULL_NS]) }, \
	{ #when "_high_events", RS_MAYBE, RS_AT(when.value[RS_CGROUP_HIGH_EVENTS]) }, \
	{ #when "_max_events", RS_MAYBE, RS_AT(when.value[RS_CGROUP_MAX_EVENTS]) }, \
	{ #when "_read_bytes", RS_MAYBE, RS_AT(when.value[RS_CGROUP_READ_BYTES]) }, \
	{ #when "_written_bytes", RS_MAYBE, RS_AT(when.value[RS_CGROUP_WRITTEN_BYTES]) },

RS_MESSAGE(rs_cgroup_row)
	{ "path", RS_STRING, RS_AT(path), .required = true },
	CGROUP_COUNTS_OF(begin)
	CGROUP_COUNTS_OF(end)
	{ "weight", RS_MAYBE, RS_AT(end.value[RS_CGROUP_WEIGHT]) },
	{ "quota_ns", RS_MAYBE, RS_AT(end.value[RS_CGROUP_QUOTA_NS]) },
	{ "period_ns", RS_MAYBE, RS_AT(end.value[RS_CGROUP_PERIOD_NS]) },
	{ "memory_max", RS_MAYBE, RS_AT(end.value[RS_CGROUP_MEMORY_MAX]) },
	{ "memory_high", RS_MAYBE, RS_AT(end.value[RS_CGROUP_MEMORY_HIGH]) },
	CGROUP_COUNTS_MORE_OF(begin)
	CGROUP_COUNTS_MORE_OF(end)
	{ "memory_now", RS_MAYBE, RS_AT(end.value[RS_CGROUP_MEMORY_NOW]) },
	{ "io_max_read", RS_MAYBE, RS_AT(end.value[RS_CGROUP_IO_MAX_READ]) },
	{ "io_max_write", RS_MAYBE, RS_AT(end.value[RS_CGROUP_IO_MAX_WRITE]) },
RS_MESSAGE_END(rs_cgroup_row, RS_TUPLE_OF, NULL)
