// SPDX-License-Identifier: GPL-2.0-or-later
/* first-names - the name that the first event to name a task gives it, for the time before that event */
#include "engine/first-names.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "decode/page.h"

#define FIRST_NAMES_ROOM 1024
#define FIRST_NAMES_MAX (1u << 17) /* tasks beyond keep the name of the file's list */
#define NR_CACHED 1024u
#define MAX_PLACES 2         /* names in one event */

/*
 * A tid and its name, as fields. pid_at -1: the task in whose context it fires; comm_at -1: from here on
 * another name or instance.
 */
struct first_names_place {
	int8_t pid_at, comm_at;  /* in fields */
};

/* The same events that the engine takes names from: see task-events.c. */
static const struct source_event {
	const char *system, *name, *unless; /* unless: not used where the system has this one */
	const char *fields[5];
	struct first_names_place places[MAX_PLACES];
	unsigned int nr_places;
} events[] = {
	{ "sched", "sched_switch", NULL, { "prev_pid", "prev_comm", "next_pid", "next_comm" },
	  { { 0, 1 }, { 2, 3 } }, 2 },
	{ "sched", "sched_waking", NULL, { "pid", "comm" }, { { 0, 1 } }, 1 },
	{ "sched", "sched_wakeup", "sched_waking", { "pid", "comm" }, { { 0, 1 } }, 1 },
	{ "sched", "sched_wakeup_new", NULL, { "pid", "comm" }, { { 0, 1 } }, 1 },
	{ "sched", "sched_migrate_task", NULL, { "pid", "comm" }, { { 0, 1 } }, 1 },
	{ "sched", "sched_process_exit", NULL, { "pid", "comm" }, { { 0, 1 } }, 1 },
	/* from here on the child's tid is a new instance with a name of its own */
	{ "sched", "sched_process_fork", NULL, { "parent_pid", "parent_comm", "child_pid" },
	  { { 0, 1 }, { 2, -1 } }, 2 },
	{ "task", "task_newtask", NULL, { "pid" }, { { 0, -1 } }, 1 },
	{ "sched", "sched_process_exec", NULL, { "pid" }, { { 0, -1 } }, 1 },
	{ "task", "task_rename", NULL, { "?pid", "oldcomm" }, { { 0, 1 } }, 1 },
	{ "block", "block_rq_insert", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_rq_issue", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_rq_merge", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_io_start", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_io_done", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_bio_queue", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_bio_backmerge", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_bio_frontmerge", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_getrq", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_plug", NULL, { "comm" }, { { -1, 0 } }, 1 },
	{ "block", "block_unplug", NULL, { "comm" }, { { -1, 0 } }, 1 },
};

#define NR_EVENTS (sizeof events / sizeof *events)

struct name {
	struct rs_map_node node; /* by tid */
	struct name *next;       /* all of them */
	uint64_t named_ns;       /* UINT64_MAX: not named */
	uint64_t other_ns;       /* from here on it has another name, by an exec, or is another instance */
	char comm[RS_COMM_LEN];
};

/* A cache of look-ups: nearly all names repeat. */
struct cached_name {
	int32_t tid;
	uint64_t named_ns;
};

struct rs_first_names {
	struct rs_map by_tid;
	struct name *names;
	struct cached_name cache[NR_CACHED];
	struct rs_source *source;
	struct rs_common common;
	struct rs_page_layout layout;
	struct rs_bound bounds[NR_EVENTS];
	uint8_t kinds[1 << 16];  /* by event id: 1 + its row in events; 0: none */
	uint64_t *read_to_ns;    /* the last event read of each CPU; UINT64_MAX: no more */
	uint64_t least_ns;       /* the least of them: all names up to here are known */
	unsigned int least_cpu;
	uint64_t left_bytes;
	char comm[RS_COMM_LEN];  /* the last name returned */
};

static struct name *first_names_of(struct rs_first_names *n, int32_t tid)
{
	uint64_t hash = rs_hash_u64((uint32_t)tid);
	struct rs_map_node *node = rs_map_find(&n->by_tid, hash);
	struct name *name;

	if (node)
		return RS_MAP_ENTRY(node, struct name, node);
	if (n->by_tid.nr == FIRST_NAMES_MAX || !(name = malloc(sizeof *name)))
		return NULL;
	*name = (struct name){ .next = n->names, .named_ns = UINT64_MAX, .other_ns = UINT64_MAX };
	n->names = name;
	rs_map_add(&n->by_tid, &name->node, hash);
	return name;
}

/* ---- the walk ---- */

/* From here on the tid is another instance, or has another name. */
static void first_names_end_name(struct rs_first_names *n, int32_t tid, uint64_t ts_ns)
{
	struct name *name = first_names_of(n, tid);

	if (name && ts_ns < name->other_ns)
		name->other_ns = ts_ns;
}

static void first_names_add(struct rs_first_names *n, int32_t tid, const struct rs_event *ev,
			    const struct rs_field *f)
{
	struct cached_name *cached = &n->cache[(uint32_t)tid % NR_CACHED];
	struct name *name;
	char comm[RS_COMM_LEN];

	if (cached->tid == tid && ev->ts_ns >= cached->named_ns)
		return;
	name = first_names_of(n, tid);
	if (!name)
		return;
	if (ev->ts_ns < name->named_ns && rs_str(ev, f, comm, sizeof comm)) {
		name->named_ns = ev->ts_ns;
		memset(name->comm, 0, sizeof name->comm);
		memcpy(name->comm, comm, strlen(comm));
	}
	*cached = (struct cached_name){ tid, name->named_ns };
}

/* The tid that an event names. */
static int32_t first_names_tid_at(const struct rs_first_names *n, const struct first_names_place *at,
				  const struct rs_event *ev, const struct rs_field *f)
{
	return (int32_t)rs_u64(ev,
			       at->pid_at >= 0 && rs_has(&f[at->pid_at]) ? &f[at->pid_at] : &n->common.pid);
}

static void first_names_add_all(struct rs_first_names *n, const struct source_event *e,
				const struct rs_event *ev, const struct rs_field *f)
{
	for (unsigned int i = 0; i < e->nr_places; i++) {
		const struct first_names_place *at = &e->places[i];
		int32_t tid = first_names_tid_at(n, at, ev, f);

		if (tid <= 0)
			continue;
		if (at->comm_at >= 0)
			first_names_add(n, tid, ev, &f[at->comm_at]);
		else
			first_names_end_name(n, tid, ev->ts_ns);
	}
}

static void first_names_read_record(struct rs_first_names *n, const struct rs_page_cursor *at,
				    unsigned int row)
{
	const struct rs_event ev = { .ts_ns = at->ts_ns, .data = at->record, .len_bytes = at->len_bytes };

	if (ev.len_bytes >= n->bounds[row].min_len_bytes)
		first_names_add_all(n, &events[row], &ev, n->bounds[row].fields);
}

/* Most records only have their type checked. See read_common in session.c. */
static void first_names_read_page(struct rs_first_names *n, struct rs_page_cursor *at)
{
	uint32_t type_at = n->common.type.offset_bytes, min_len_bytes = n->common.min_len_bytes;
	bool swaps = n->common.type.flags & RS_FIELD_SWAP;
	const uint8_t *kinds = n->kinds;
	uint16_t id;

	while (rs_page_next(at)) {
		if (at->len_bytes < min_len_bytes)
			continue;
		memcpy(&id, at->record + type_at, sizeof id);
		if (swaps)
			id = __builtin_bswap16(id);
		if (kinds[id])
			first_names_read_record(n, at, kinds[id] - 1u);
	}
}

static void first_names_find_least(struct rs_first_names *n)
{
	n->least_cpu = 0;
	for (unsigned int cpu = 1; cpu < n->source->info.nr_cpus; cpu++)
		if (n->read_to_ns[cpu] < n->read_to_ns[n->least_cpu])
			n->least_cpu = cpu;
	n->least_ns = n->read_to_ns[n->least_cpu];
}

/* Reads the next page of the CPU that is the farthest behind. */
static void first_names_resume(struct rs_first_names *n)
{
	uint64_t *read_to_ns = &n->read_to_ns[n->least_cpu];
	struct rs_error ignored = { 0 }; /* the session meets and reports it again */
	struct rs_page_cursor at;
	struct rs_page page;

	if (n->source->ops->next(n->source, n->least_cpu, &page, &ignored) != RS_NEXT_PAGE) {
		*read_to_ns = UINT64_MAX;
	} else {
		n->left_bytes -= page.len_bytes < n->left_bytes ? page.len_bytes : n->left_bytes;
		if (rs_page_load(&at, &n->layout, page.data, page.len_bytes)) {
			first_names_read_page(n, &at);
			/* a file may have wrong times: going forward alone guarantees an end */
			if (at.ts_ns > *read_to_ns)
				*read_to_ns = at.ts_ns;
		}
	}
	first_names_find_least(n);
}

/* Most tasks first appear in an event that names them: then nothing needs to be read. */
static const char *first_names_name_from_event(struct rs_first_names *n, const struct rs_event *ev,
					       int32_t tid)
{
	const struct source_event *e;
	const struct rs_bound *b;

	if (!n->kinds[ev->id])
		return NULL;
	e = &events[n->kinds[ev->id] - 1];
	b = &n->bounds[n->kinds[ev->id] - 1];
	if (ev->len_bytes < b->min_len_bytes)
		return NULL;
	memset(n->comm, 0, sizeof n->comm);
	for (unsigned int i = 0; i < e->nr_places; i++) {
		const struct first_names_place *at = &e->places[i];

		if (at->comm_at >= 0 && first_names_tid_at(n, at, ev, b->fields) == tid &&
		    rs_str(ev, &b->fields[at->comm_at], n->comm, sizeof n->comm))
			return n->comm;
	}
	return NULL;
}

/* Reads until every CPU has reached the name, or the time at which the tid gets another name. */
const char *rs_first_names_get(struct rs_first_names *n, int32_t tid, const struct rs_event *now,
			       uint64_t to_ns)
{
	const char *own = n && tid > 0 && now ? first_names_name_from_event(n, now, tid) : NULL;
	struct name *name = own || !n || tid <= 0 ? NULL : first_names_of(n, tid);

	if (!name)
		return own;
	while (n->least_ns < name->named_ns && n->least_ns < name->other_ns && n->least_ns != UINT64_MAX &&
	       n->left_bytes && (!to_ns || n->least_ns <= to_ns))
		first_names_resume(n);
	return name->named_ns < name->other_ns && name->named_ns <= n->least_ns ? name->comm : NULL;
}

/* ---- making one ---- */

static bool first_names_bind(struct rs_first_names *n, struct rs_formats *formats)
{
	const struct rs_trace_info *info = &n->source->info;

	if (rs_page_layout_of(&n->layout, info, NULL) < 0)
		return false;
	for (size_t i = 0; i < NR_EVENTS; i++) {
		const struct source_event *e = &events[i];

		if (e->unless && rs_formats_has(formats, e->system, e->unless))
			continue;
		if (rs_formats_bind(formats, e->system, e->name, e->fields, &n->bounds[i], NULL) ==
		    RS_BIND_OK)
			n->kinds[n->bounds[i].id] = (uint8_t)(i + 1);
	}
	return rs_formats_common(formats, &n->common);
}

struct rs_first_names *rs_first_names_new(struct rs_source *source, struct rs_formats *formats,
					  uint64_t max_bytes)
{
	struct rs_first_names *n = calloc(1, sizeof *n);

	if (!n)
		return NULL;
	n->source = source;
	n->left_bytes = max_bytes;
	n->read_to_ns = calloc(source->info.nr_cpus + 1, sizeof *n->read_to_ns);
	if (rs_map_init(&n->by_tid, FIRST_NAMES_ROOM) && n->read_to_ns && source->info.nr_cpus &&
	    first_names_bind(n, formats))
		return n;
	rs_first_names_free(n);
	return NULL;
}

void rs_first_names_free(struct rs_first_names *n)
{
	struct name *next;

	if (!n)
		return;
	for (struct name *name = n->names; name; name = next) {
		next = name->next;
		free(name);
	}
	rs_map_done(&n->by_tid);
	free(n->read_to_ns);
	free(n);
}
