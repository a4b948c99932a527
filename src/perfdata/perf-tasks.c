// SPDX-License-Identifier: GPL-2.0-or-later
/* perf-tasks - perf's records of processes as the kernel's own events of tasks */
#include "perfdata/perf-tasks.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vector.h"

#define TASKS_MAX_NAMES (1u << 18)
#define TASKS_MAX_INITIAL (4u << 20)       /* PID_MAX_LIMIT */
#define KTHREADD 2

struct tasks_name {
	struct rs_map_node node;
	char comm[16];
	bool kernel_thread;
};

/* ---- the events, as recent kernels lay them out: ids that no kernel gives ---- */

#define TASKS_COMMON_FIELDS \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

enum tasks_made { MADE_NEWTASK, MADE_RENAME, MADE_EXIT, NR_MADE };

static const struct {
	const char *system, *name, *text;
	uint16_t id, bytes;
} made[NR_MADE] = {
	[MADE_NEWTASK] = { "task", "task_newtask",
		"name: task_newtask\nID: 65533\n" TASKS_COMMON_FIELDS
		"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
		"\tfield:u64 clone_flags;\toffset:32;\tsize:8;\tsigned:0;\n\n"
		"print fmt: \"pid=%d comm=%s clone_flags=%lx\", REC->pid, REC->comm, REC->clone_flags\n",
		65533, 40 },
	[MADE_RENAME] = { "task", "task_rename",
		"name: task_rename\nID: 65534\n" TASKS_COMMON_FIELDS
		"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:char oldcomm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
		"\tfield:char newcomm[16];\toffset:28;\tsize:16;\tsigned:0;\n\n"
		"print fmt: \"pid=%d oldcomm=%s newcomm=%s\", REC->pid, REC->oldcomm, REC->newcomm\n", 65534,
		44 },
	[MADE_EXIT] = { "sched", "sched_process_exit",
		"name: sched_process_exit\nID: 65535\n" TASKS_COMMON_FIELDS
		"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"comm=%s pid=%d\", REC->comm, REC->pid\n", 65535, 28 },
};

bool rs_perf_tasks_init(struct rs_perf_tasks *t, const struct rs_page_layout *layout,
			struct rs_perf_formats *formats)
{
	*t = (struct rs_perf_tasks){ .layout = layout };
	if (!rs_map_init(&t->names, 256))
		return false;
	for (int i = 0; i < NR_MADE; i++) {
		t->makes[i] = !rs_perf_formats_have(formats, made[i].system, made[i].name);
		if (t->makes[i] &&
		    !rs_perf_formats_add(formats, made[i].system,
					 (struct rs_text){ made[i].text, strlen(made[i].text) }))
			return false;
	}
	return true;
}

/* ---- names, which events of a fork and an exit repeat ---- */

static struct tasks_name *tasks_name_of(const struct rs_perf_tasks *t, int32_t tid)
{
	return RS_MAP_ENTRY(rs_map_find(&t->names, rs_hash_u64((uint32_t)tid)), struct tasks_name, node);
}

/* NULL: no room. */
static struct tasks_name *tasks_name_make(struct rs_perf_tasks *t, int32_t tid)
{
	struct tasks_name *name = tasks_name_of(t, tid);

	if (name || t->names.nr == TASKS_MAX_NAMES || !(name = calloc(1, sizeof *name)))
		return name;
	rs_map_add(&t->names, &name->node, rs_hash_u64((uint32_t)tid));
	return name;
}

void rs_perf_tasks_done(struct rs_perf_tasks *t)
{
	for (size_t i = 0; i < t->names.nr_buckets; i++)
		for (struct rs_map_node *node = t->names.buckets[i], *next; node; node = next) {
			next = node->chain;
			free(RS_MAP_ENTRY(node, struct tasks_name, node));
		}
	rs_map_done(&t->names);
	free(t->snapshot);
}

/* ---- records ---- */

static void tasks_put(const struct rs_perf_tasks *t, uint8_t *record, size_t at, uint64_t v,
		      unsigned int bytes)
{
	rs_page_put_number(t->layout, record + at, v, bytes);
}

static void tasks_put_comm(uint8_t *at, const struct tasks_name *name)
{
	if (name)
		memcpy(at, name->comm, sizeof name->comm);
}

/*
 * The common fields; of the task in whose context the kernel would have recorded it. Returns false if none is
 * made.
 */
static bool tasks_make(const struct rs_perf_tasks *t, enum tasks_made kind, int32_t tid, uint8_t *record)
{
	memset(record, 0, RS_PERF_TASKS_RECORD_BYTES);
	tasks_put(t, record, 0, made[kind].id, 2);
	tasks_put(t, record, 4, (uint32_t)tid, 4);
	return t->makes[kind];
}

static uint32_t tasks_on_fork(struct rs_perf_tasks *t, const struct rs_sample_event *ev, uint8_t *record)
{
	const struct tasks_name *parent = tasks_name_of(t, ev->parent_tid);
	struct tasks_name *child = tasks_name_make(t, ev->tid);

	if (child) {
		child->kernel_thread = ev->parent == KTHREADD || ev->pid == KTHREADD;
		if (parent)
			memcpy(child->comm, parent->comm, sizeof child->comm);
	}
	if (!ev->ts_ns || !tasks_make(t, MADE_NEWTASK, ev->parent_tid, record))
		return 0;
	tasks_put(t, record, 8, (uint32_t)ev->tid, 4);
	tasks_put_comm(record + 12, child);
	tasks_put(t, record, 32, ev->pid == ev->parent ? CLONE_THREAD : 0, 8);
	return made[MADE_NEWTASK].bytes;
}

static void tasks_add_initial(struct rs_perf_tasks *t, const struct rs_sample_event *ev,
			      const struct tasks_name *name)
{
	struct rs_initial_task *initial = t->nr_initial < TASKS_MAX_INITIAL ?
						  RS_VECTOR_ADD(&t->snapshot, &t->nr_initial,
								&t->initial_room) :
						  NULL;

	if (!initial)
		return;
	*initial = (struct rs_initial_task){ .tid = ev->tid, .pid = ev->pid,
					     .kernel_thread = name->kernel_thread };
	memcpy(initial->comm, name->comm, sizeof initial->comm);
}

static uint32_t tasks_on_comm(struct rs_perf_tasks *t, const struct rs_sample_event *ev, uint8_t *record)
{
	struct tasks_name *name = tasks_name_make(t, ev->tid);
	bool makes = tasks_make(t, MADE_RENAME, ev->tid, record);

	if (!name)
		return 0;
	tasks_put(t, record, 8, (uint32_t)ev->tid, 4);
	tasks_put_comm(record + 12, name);
	memset(name->comm, 0, sizeof name->comm);
	rs_copy(name->comm, sizeof name->comm, ev->comm);
	tasks_put_comm(record + 28, name);
	if (!ev->ts_ns)
		tasks_add_initial(t, ev, name);
	return ev->ts_ns && makes ? made[MADE_RENAME].bytes : 0;
}

static uint32_t tasks_on_exit(struct rs_perf_tasks *t, const struct rs_sample_event *ev, uint8_t *record)
{
	struct tasks_name *name = tasks_name_of(t, ev->tid);
	bool makes = tasks_make(t, MADE_EXIT, ev->tid, record);

	tasks_put_comm(record + 8, name);
	tasks_put(t, record, 24, (uint32_t)ev->tid, 4);
	if (name) {
		rs_map_remove(&t->names, &name->node);
		free(name);
	}
	return ev->ts_ns && makes ? made[MADE_EXIT].bytes : 0;
}

uint32_t rs_perf_tasks_record(struct rs_perf_tasks *t, const struct rs_sample_event *ev,
			      uint8_t record[RS_PERF_TASKS_RECORD_BYTES])
{
	switch (ev->kind) {
	case RS_SAMPLE_FORK:
		return tasks_on_fork(t, ev, record);
	case RS_SAMPLE_EXEC:
	case RS_SAMPLE_RENAME:
		return tasks_on_comm(t, ev, record);
	case RS_SAMPLE_EXIT:
		return tasks_on_exit(t, ev, record);
	default:
		return 0;
	}
}

void rs_perf_tasks_begin(struct rs_perf_tasks *t, uint64_t begin_ns)
{
	for (size_t i = 0; i < t->nr_initial; i++)
		t->snapshot[i].ts_ns = begin_ns;
}
