// SPDX-License-Identifier: GPL-2.0-or-later
/* process-args - the command lines of processes: of a recording, or as they are read from /proc */
#include "source/process-args.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"

struct process_args_row {
	struct rs_map_node node;       /* by process and name */
	struct process_args_row *next; /* the one that came after it */
	struct rs_process_args args;
	char *text;
};

struct rs_process_args_table {
	pthread_mutex_t lock;
	struct rs_map map;
	struct process_args_row *oldest, **tail;
	size_t text_bytes;
	bool evicts;
};

static uint64_t process_args_hash(int32_t pid, const char *comm)
{
	return rs_hash_pair((uint32_t)pid, rs_hash_bytes(comm, strnlen(comm, RS_COMM_LEN - 1)));
}

static bool process_args_is(const struct process_args_row *row, int32_t pid, const char *comm)
{
	return row->args.pid == pid && !strncmp(row->args.comm, comm, RS_COMM_LEN - 1);
}

struct rs_process_args_table *rs_process_args_new(bool evicts)
{
	struct rs_process_args_table *t = calloc(1, sizeof *t);

	if (!t || !rs_map_init(&t->map, 64)) {
		free(t);
		return NULL;
	}
	pthread_mutex_init(&t->lock, NULL);
	t->tail = &t->oldest;
	t->evicts = evicts;
	return t;
}

static void process_args_set_text(struct rs_process_args_table *t, struct process_args_row *row, char *text)
{
	t->text_bytes -= row->text ? strlen(row->text) + 1 : 0;
	t->text_bytes += text ? strlen(text) + 1 : 0;
	free(row->text);
	row->args.text = row->text = text;
}

static void process_args_drop_oldest(struct rs_process_args_table *t)
{
	struct process_args_row *row = t->oldest;

	t->oldest = row->next;
	if (!t->oldest)
		t->tail = &t->oldest;
	process_args_set_text(t, row, NULL);
	rs_map_remove(&t->map, &row->node);
	free(row);
}

void rs_process_args_free(struct rs_process_args_table *t)
{
	if (!t)
		return;
	while (t->oldest)
		process_args_drop_oldest(t);
	rs_map_done(&t->map);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

static struct process_args_row *process_args_make(struct rs_process_args_table *t,
						  const struct rs_process_args *of)
{
	struct process_args_row *row = calloc(1, sizeof *row);

	if (!row)
		return NULL;
	row->args.pid = of->pid;
	rs_copy(row->args.comm, sizeof row->args.comm, of->comm);
	*t->tail = row;
	t->tail = &row->next;
	rs_map_add(&t->map, &row->node, process_args_hash(of->pid, row->args.comm));
	return row;
}

/* The latest, or the latest that has no text. */
static struct process_args_row *process_args_find(struct rs_process_args_table *t, int32_t pid,
						  const char *comm, bool without_text)
{
	struct rs_map_node *n = rs_map_find(&t->map, process_args_hash(pid, comm));

	for (; n; n = rs_map_find_next(n)) {
		struct process_args_row *row = RS_MAP_ENTRY(n, struct process_args_row, node);

		if (process_args_is(row, pid, comm) && !(without_text && row->text))
			return row;
	}
	return NULL;
}

static bool process_args_has_room(const struct rs_process_args_table *t, size_t text_bytes)
{
	return t->map.nr < RS_PROCESS_ARGS_MAX && t->text_bytes + text_bytes <= RS_PROCESS_ARGS_TEXT_BYTES;
}

bool rs_process_args_add(struct rs_process_args_table *t, const struct rs_process_args *of)
{
	char *text = of->text ? strndup(of->text, RS_PROCESS_ARGS_BYTES - 1) : NULL;
	size_t bytes = text ? strlen(text) + 1 : 0;
	struct process_args_row *row = NULL;

	if (of->text && !text)
		return false;
	pthread_mutex_lock(&t->lock);
	while (t->evicts && t->oldest && !process_args_has_room(t, bytes))
		process_args_drop_oldest(t);
	if (process_args_has_room(t, bytes)) {
		row = process_args_find(t, of->pid, of->comm, true);
		row = row ? row : process_args_make(t, of);
	}
	if (row) {
		row->args.read_ns = of->read_ns;
		process_args_set_text(t, row, text);
	}
	pthread_mutex_unlock(&t->lock);
	if (!row)
		free(text);
	return row;
}

/* Was it read of that very process, and not of one that had its number before or after? */
static bool process_args_is_of(const struct process_args_row *row, const struct rs_process *of)
{
	uint64_t read_ns = row->args.read_ns;

	return process_args_is(row, of->pid, of->comm) &&
	       (!read_ns || (read_ns >= of->from_ns && (!of->to_ns || read_ns <= of->to_ns)));
}

/* With the lock. */
static const struct process_args_row *process_args_find_of(const struct rs_process_args_table *t,
							   const struct rs_process *of, bool with_text)
{
	struct rs_map_node *n = rs_map_find(&t->map, process_args_hash(of->pid, of->comm));

	for (; n; n = rs_map_find_next(n)) {
		const struct process_args_row *row = RS_MAP_ENTRY(n, struct process_args_row, node);

		if (process_args_is_of(row, of) && (row->text || !with_text))
			return row;
	}
	return NULL;
}

bool rs_process_args_has(struct rs_process_args_table *t, const struct rs_process *of)
{
	bool has;

	pthread_mutex_lock(&t->lock);
	has = process_args_find_of(t, of, false);
	pthread_mutex_unlock(&t->lock);
	return has;
}

size_t rs_process_args_get(struct rs_process_args_table *t, const struct rs_process *of, char *buf,
			   size_t size_bytes)
{
	const struct process_args_row *row;

	*buf = '\0';
	if (!t)
		return 0;
	pthread_mutex_lock(&t->lock);
	row = process_args_find_of(t, of, true);
	if (row)
		rs_copy(buf, size_bytes, row->text);
	pthread_mutex_unlock(&t->lock);
	return strlen(buf);
}

void rs_process_args_each(struct rs_process_args_table *t,
			  void (*each)(void *arg, const struct rs_process_args *row), void *arg)
{
	pthread_mutex_lock(&t->lock);
	for (const struct process_args_row *row = t->oldest; row; row = row->next)
		if (row->text)
			each(arg, &row->args);
	pthread_mutex_unlock(&t->lock);
}

size_t rs_process_args_nr(struct rs_process_args_table *t)
{
	size_t nr = 0;

	if (!t)
		return 0;
	pthread_mutex_lock(&t->lock);
	nr = t->map.nr;
	pthread_mutex_unlock(&t->lock);
	return nr;
}
