// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracedat-trailer - the trailer of ringside's own recordings, behind the last byte that trace-cmd reads
 *
 *	JSON | u64 its length, little-endian | "RNGSIDE1"
 *
 *	{ "version": 1, "realtime_offset_ns": N, "command": [pid, "its words"], "self": [tid, ...],
 *	  "tasks": [[ts_ns, tid, pid, "comm", kernel thread 0 or 1], ...],
 *	  "compat": [tid of a 32-bit program, ...], "compat_unknown": [tid of one of which that is not known, ...],
 *	  "calls": [["openat", "int dfd, const char * filename, int flags, umode_t mode"], ...], "disks": [[dev, "name"], ...], "pauses": [[off_ns, on_ns], ...] }
 *
 * Numbers may be strings of digits: a JSON number is exact up to 2^53 only.
 */
#include "source/tracedat.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRAILER_BYTES (64u << 20)
/* cJSON takes 64 bytes for each value: what is more than this is no list of a machine's tasks. */
#define MAX_VALUES (4u << 20)

static bool read_trailer_is_number(const cJSON *item, int64_t *value)
{
	char *end;

	if (cJSON_IsNumber(item)) {
		/* The comparison is false for NaN. */
		if (!(item->valuedouble >= -0x1p53 && item->valuedouble <= 0x1p53))
			return false;
		*value = (int64_t)item->valuedouble;
		return true;
	}
	if (!cJSON_IsString(item) || !*item->valuestring)
		return false;
	errno = 0;
	*value = strtoll(item->valuestring, &end, 10);
	return !*end && !errno;
}

static bool in_range(const cJSON *item, int64_t max, int64_t *value)
{
	return read_trailer_is_number(item, value) && *value >= 0 && *value <= max;
}

/* [ts_ns, tid, pid, "comm", kernel thread] */
static bool read_trailer_add_task(struct rs_tracedat *td, const cJSON *row)
{
	const cJSON *at[5] = { NULL };
	int64_t ts_ns, tid, pid, kernel_thread;
	struct rs_initial_task *initial;
	const cJSON *item;
	unsigned int nr = 0;

	cJSON_ArrayForEach(item, row)
		if (nr < 5)
			at[nr++] = item;
	if (nr < 5 || !in_range(at[0], INT64_MAX, &ts_ns) || !in_range(at[1], INT32_MAX, &tid) ||
	    !in_range(at[2], INT32_MAX, &pid) || !cJSON_IsString(at[3]) ||
	    !in_range(at[4], 1, &kernel_thread))
		return false;
	initial = rs_tracedat_add_initial_task(td);
	if (!initial)
		return false;
	initial->ts_ns = (uint64_t)ts_ns;
	initial->tid = (int32_t)tid;
	initial->pid = (int32_t)pid;
	initial->kernel_thread = kernel_thread;
	strncpy(initial->comm, at[3]->valuestring, sizeof initial->comm - 1);
	return true;
}

/* [dev, "name"] */
static bool read_trailer_add_disk(struct rs_tracedat *td, const cJSON *row)
{
	size_t nr = td->source.info.nr_disks;
	const cJSON *name = cJSON_GetArrayItem(row, 1);
	int64_t dev;

	if (!in_range(cJSON_GetArrayItem(row, 0), UINT32_MAX, &dev) || !cJSON_IsString(name))
		return false;
	if (!RS_VECTOR_RESERVE(&td->disks, &td->disks_room, nr + 1))
		return false;
	memset(&td->disks[nr], 0, sizeof td->disks[nr]);
	td->disks[nr].dev = (uint32_t)dev;
	strncpy(td->disks[nr].name, name->valuestring, sizeof td->disks[nr].name - 1);
	td->source.info.nr_disks++;
	return true;
}

/* [pid, "its words"]; absent where there was none */
static bool read_command(struct rs_tracedat *td, const cJSON *row)
{
	const cJSON *words = cJSON_GetArrayItem(row, 1);
	int64_t pid;

	if (!in_range(cJSON_GetArrayItem(row, 0), INT32_MAX, &pid) || !pid || !cJSON_IsString(words))
		return false;
	td->command = strdup(words->valuestring);
	td->source.info.command_pid = (int32_t)pid;
	td->source.info.command = td->command;
	return td->command;
}

static int read_trailer_compare_tid(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

static int read_trailer_compare_time(const void *a, const void *b)
{
	const struct rs_initial_task *x = a, *y = b;

	if (x->ts_ns != y->ts_ns)
		return x->ts_ns < y->ts_ns ? -1 : 1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* Calls mark() for each task with whether it is in the list; a tid that is not in the initial task snapshot is skipped: its name is unknown. */
static bool mark_listed(struct rs_tracedat *td, const cJSON *list, void (*mark)(struct rs_initial_task *initial, bool is_listed))
{
	size_t nr = 0, max = (size_t)cJSON_GetArraySize(list);
	int32_t *tids = malloc((max + 1) * sizeof *tids);
	const cJSON *item;
	int64_t tid;

	if (!tids)
		return false;
	cJSON_ArrayForEach(item, list)
		if (in_range(item, INT32_MAX, &tid))
			tids[nr++] = (int32_t)tid;
	qsort(tids, nr, sizeof *tids, read_trailer_compare_tid);
	for (size_t i = 0; i < td->nr_initial; i++)
		mark(&td->snapshot[i], bsearch(&td->snapshot[i].tid, tids, nr, sizeof *tids,
					       read_trailer_compare_tid));
	free(tids);
	return nr == max;
}

/* The recorder's own threads. */
static void mark_self(struct rs_initial_task *initial, bool is_listed)
{
	initial->self = is_listed;
}

/* With this list all other tasks are native, except those of the next list. */
static void mark_compat(struct rs_initial_task *initial, bool is_listed)
{
	initial->abi = is_listed ? RS_ABI_COMPAT : RS_ABI_NATIVE;
}

static void mark_unknown(struct rs_initial_task *initial, bool is_listed)
{
	if (is_listed)
		initial->abi = RS_ABI_UNKNOWN;
}

/* [off, on] */
static bool add_pause(struct rs_tracedat *td, const cJSON *item)
{
	int64_t off_ns, on_ns;

	if (!read_trailer_is_number(cJSON_GetArrayItem(item, 0), &off_ns) || !read_trailer_is_number(cJSON_GetArrayItem(item, 1), &on_ns))
		return false;
	if (off_ns < 0 || on_ns < off_ns)
		return false;
	rs_pauses_add(&td->source.pauses, (uint64_t)off_ns, (uint64_t)on_ns);
	return true;
}

/* Returns what is wrong with it, or NULL; what was right before that stays. */
static const char *read_json(struct rs_tracedat *td, const cJSON *json)
{
	const cJSON *offset = cJSON_GetObjectItemCaseSensitive(json, "realtime_offset_ns"), *item;
	const char *wrong = NULL;
	int64_t value;

	if (!read_trailer_is_number(cJSON_GetObjectItemCaseSensitive(json, "version"), &value) || value != 1)
		return "a version that is not known here";
	if (read_trailer_is_number(offset, &value)) {
		td->source.info.realtime_offset_ns = value;
		td->source.info.realtime_offset_known = true;
	} else if (offset && !cJSON_IsNull(offset)) {
		wrong = "a bad offset";
	}
	item = cJSON_GetObjectItemCaseSensitive(json, "command");
	if (item && !read_command(td, item))
		wrong = "a bad command";
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "tasks"))
		if (!read_trailer_add_task(td, item))
			wrong = "a bad task";
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "calls"))
		if (!rs_call_params_take(&td->call_params, item))
			wrong = "a bad system call";
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "disks"))
		if (!read_trailer_add_disk(td, item))
			wrong = "a bad disk";
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "pauses"))
		if (!add_pause(td, item))
			wrong = "a bad pause";
	if (!mark_listed(td, cJSON_GetObjectItemCaseSensitive(json, "self"), mark_self))
		wrong = "a bad list of own threads";
	item = cJSON_GetObjectItemCaseSensitive(json, "compat");
	if (item && (!mark_listed(td, item, mark_compat) ||
		     !mark_listed(td, cJSON_GetObjectItemCaseSensitive(json, "compat_unknown"), mark_unknown)))
		wrong = "a bad list of 32-bit programs";
	if (td->nr_initial)
		qsort(td->snapshot, td->nr_initial, sizeof *td->snapshot, read_trailer_compare_time);
	return wrong;
}

static const char *read_trailer_parse(struct rs_tracedat *td, const uint8_t *text, size_t len)
{
	size_t nr_values = 0;
	const char *wrong;
	cJSON *json;

	for (size_t i = 0; i < len; i++)
		nr_values += text[i] == ',';
	if (nr_values > MAX_VALUES)
		return "too many values";
	json = cJSON_ParseWithLength((const char *)text, len);
	if (!json)
		return "no JSON";
	wrong = read_json(td, json);
	cJSON_Delete(json);
	return wrong;
}

void rs_tracedat_read_trailer(struct rs_tracedat *td)
{
	static const char magic[8] = "RNGSIDE1";
	struct rs_bytes b = { .data = td->map, .len = td->map_bytes };
	uint64_t len;
	const char *wrong;

	if (td->map_bytes < 16 || memcmp(td->map + td->map_bytes - 8, magic, 8))
		return;
	b.at = td->map_bytes - 16;
	len = rs_bytes_u64(&b);
	if (len > td->map_bytes - 16 || len > MAX_TRAILER_BYTES)
		wrong = "an impossible length";
	else
		wrong = read_trailer_parse(td, td->map + td->map_bytes - 16 - len, (size_t)len);
	if (wrong)
		rs_tracedat_note(td,
				 "ringside's own part at the file's end has %s: names and times of day may be"
				 " missing",
				 wrong);
}
