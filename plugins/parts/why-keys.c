// SPDX-License-Identifier: GPL-2.0-or-later
/* why-keys - the numbers of culprits, and the first key of a row of why: packed, taken apart and shown */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plugins/parts/why-keys.h"

#define MAX_CULPRITS 8192u       /* a power of two. Beyond, they are others */

int rs_why_keys_begin(struct rs_ctx *c)
{
	struct rs_why_keys *keys = c->state;

	keys->culprits = rs_alloc(c, MAX_CULPRITS, sizeof *keys->culprits);
	keys->places = rs_alloc(c, 2 * MAX_CULPRITS, sizeof *keys->places);
	if (!keys->culprits || !keys->places)
		return -ENOMEM;
	keys->culprits[0].kind = RS_CULPRIT_OTHERS;
	keys->nr_culprits = 1;
	return 0;
}

/* "trader waits for trader" says nothing: of a lock within a process it is the thread that counts. */
static int32_t why_culprit_thread(const struct rs_task *victim, const struct rs_culprit *k)
{
	bool of_lock = k->part == RS_PART_FUTEX || k->part == RS_PART_LOCK;

	if (!of_lock || k->kind != RS_CULPRIT_TASK || !victim || !victim->pid || k->pid != victim->pid)
		return 0;
	return k->tid;
}

uint32_t rs_why_culprit_number(struct rs_ctx *c, const struct rs_task *victim,
					  const struct rs_culprit *k)
{
	struct rs_why_keys *keys = c->state;
	int32_t tid = why_culprit_thread(victim, k);
	uint32_t at = (uint32_t)rs_hash_u64((k->id ^ (uint64_t)(uint32_t)tid << 24) << 3 ^ k->kind), *place;
	struct rs_why_culprit *culprit;
	char buf[RS_IRQ_NAME_LEN + 24];

	for (;; at++) {
		place = &keys->places[at & (2 * MAX_CULPRITS - 1)];
		if (!*place)
			break;
		if (keys->culprits[*place].kind == k->kind && keys->culprits[*place].id == k->id &&
		    keys->culprits[*place].tid == tid)
			return *place;
	}
	if (k->kind == RS_CULPRIT_OTHERS || keys->nr_culprits == MAX_CULPRITS)
		return 0;
	*place = keys->nr_culprits++;
	culprit = &keys->culprits[*place];
	*culprit = (struct rs_why_culprit){ .kind = k->kind, .id = k->id, .irq = k->irq, .pid = k->pid,
					 .tid = tid };
	if (k->kind == RS_CULPRIT_TASK && k->name && k->name->task)
		culprit->cgroup = k->name->task->cgroup;
	if (k->kind == RS_CULPRIT_TASK)
		snprintf(culprit->comm, sizeof culprit->comm, "%s", rs_culprit_text(c, k, buf, sizeof buf));
	return *place;
}

/*
 * ---- the first key: a part; of a lock its type, of a read or write the file, of a slice what it did, else
 * the device and the type of the request ----
 */

#define FILE_IS_PATH (1ull << 55) /* the highest bit of a file's number has its place here */

uint64_t rs_why_key(const struct rs_culprit *k, uint64_t file)
{
	uint64_t what = (uint64_t)rs_request_type(k->rwbs) << 32 | k->dev;

	if (k->part == RS_PART_LOCK)
		what = k->lock_flags;
	else if (k->part == RS_PART_READ_WRITE)
		what = (file >> 63 ? FILE_IS_PATH : 0) | (file & (FILE_IS_PATH - 1));
	return (uint64_t)k->part | what << 8;
}

bool rs_why_is_run(enum rs_time_part part)
{
	return rs_part_row(part)->cause == RS_CAUSE_RUN;
}

uint64_t rs_why_run_ns(const struct rs_culprits *culprits)
{
	uint64_t ns = 0;

	for (const struct rs_culprit *k = culprits->at; k < culprits->at + culprits->nr; k++)
		ns += rs_why_is_run(k->part) ? k->ns : 0;
	return ns;
}

uint64_t rs_why_share_of_run(const struct rs_oncpu_part *part, const struct rs_culprit *k,
					uint64_t run_ns)
{
	uint64_t slow_ns = k->part == RS_PART_RUN ? run_ns - k->ns : k->ns,
		 share_ns = run_ns ? (uint64_t)((unsigned __int128)part->ns * slow_ns / run_ns) : 0;

	return k->part == RS_PART_RUN ? part->ns - share_ns : share_ns;
}

#define KIND_BITS 4

uint64_t rs_why_key_of_run(const struct rs_oncpu_part *part, enum rs_time_part part_of_run)
{
	return (uint64_t)part_of_run | ((uint64_t)part->what << KIND_BITS | part->kind) << 8;
}

enum rs_time_part rs_why_part(uint64_t key0)
{
	return (enum rs_time_part)(key0 & 0xff);
}

uint32_t rs_why_dev(uint64_t key0)
{
	return rs_why_part(key0) == RS_PART_READ_WRITE || rs_why_is_run(rs_why_part(key0)) ? 0 :
										       (uint32_t)(key0 >> 8);
}

enum rs_oncpu_kind rs_why_run_kind(uint64_t key0)
{
	return (enum rs_oncpu_kind)(key0 >> 8 & ((1 << KIND_BITS) - 1));
}

static const char *why_kind_of_run(const struct rs_ctx *c, uint64_t what, char *buf)
{
	char name[40];

	switch ((enum rs_oncpu_kind)(what & ((1 << KIND_BITS) - 1))) {
	case RS_ONCPU_USER:
		return "user mode";
	case RS_ONCPU_HANDLER:
		return "signal handler";
	case RS_ONCPU_CALL:
		snprintf(buf, RS_CELL_TEXT_BYTES, "%s(2)",
			 rs_call_name(c, (int64_t)(what >> KIND_BITS), name, sizeof name));
		return buf;
	case RS_ONCPU_STALL:
		return rs_stall_name((enum rs_stall_kind)(what >> KIND_BITS));
	default:
		return NULL;
	}
}

static const char *why_type(const struct rs_ctx *c, uint64_t key0, char *buf)
{
	uint64_t what = key0 >> 8;

	if (rs_why_is_run(rs_why_part(key0)))
		return why_kind_of_run(c, what, buf);
	if (rs_why_part(key0) == RS_PART_READ_WRITE)
		return rs_file_kind(rs_file_path(c, (what & FILE_IS_PATH ? 1ull << 63 : 0) |
							    (what & (FILE_IS_PATH - 1))));
	return rs_why_part(key0) == RS_PART_LOCK ? NULL :
						rs_request_type_name((enum rs_request_type)(what >> 32));
}

#define WHY_SOCKET (1ull << 62)  /* no kernel has an address there */

const void *rs_why_peak_of(const struct rs_culprit *k)
{
	uint64_t of = k->part == RS_PART_LOCK ? k->lock_addr : k->socket ? k->socket | WHY_SOCKET : 0;

	return (const void *)(uintptr_t)of;
}

uint64_t rs_why_peak_lock(const struct rs_peak *peak)
{
	uint64_t of = (uint64_t)(uintptr_t)peak->of;

	return of >> 62 == WHY_SOCKET >> 62 ? 0 : of;
}

uint32_t rs_why_peak_socket(const struct rs_peak *peak)
{
	uint64_t of = (uint64_t)(uintptr_t)peak->of;

	return of >> 62 == WHY_SOCKET >> 62 ? (uint32_t)of : 0;
}

bool rs_why_has_taken_key(uint64_t key0, uint64_t key1)
{
	enum rs_time_part part = rs_why_part(key0);

	if (part == RS_PART_WAKEUP || part == RS_PART_IDLE_EXIT || part == RS_PART_DEEP_EXIT)
		return false;
	return part == RS_PART_FUTEX || rs_part_cause(part)->rank == RS_RANK_WAIT;
}

/* ---- cells ---- */

static const struct rs_why_culprit *why_culprit_of(struct rs_ctx *c, const struct rs_group *g)
{
	const struct rs_why_keys *keys = c->state;

	return &keys->culprits[g->keys[1] < keys->nr_culprits ? g->keys[1] : 0];
}

struct rs_value rs_why_show_part(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(rs_part_row(rs_why_part(g->keys[0]))->name);
}

struct rs_value rs_why_show_dev(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	uint32_t dev = rs_why_dev(g->keys[0]);
	const char *name = rs_why_part(g->keys[0]) == RS_PART_LOCK ? rs_lock_type(dev) :
			   dev                                  ? rs_disk_name(c, dev) :
								  NULL;

	if (!dev || name)
		return rs_s(name);
	rs_dev_text(dev, buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

/* By the name that the process has now, if it is still known. */
static const char *why_culprit_comm(struct rs_ctx *c, const struct rs_why_culprit *culprit)
{
	const struct rs_task *t = culprit->pid ? rs_task_find(c, culprit->pid) : NULL;
	const char *comm = t ? rs_task_process_comm(c, t) : NULL;

	return comm && *comm ? comm : culprit->comm;
}

struct rs_value rs_why_show_culprit(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_why_culprit *culprit = why_culprit_of(c, g);
	const struct rs_culprit k = { .kind = culprit->kind, .irq = culprit->irq,
				      .comm = why_culprit_comm(c, culprit) };

	const struct rs_task *thread = culprit->tid ? rs_task_find(c, culprit->tid) : NULL;

	if (thread && thread->comm[0] && strcmp(thread->comm, k.comm) != 0) {
		snprintf(buf, RS_CELL_TEXT_BYTES, "%s/%s", k.comm, thread->comm);
		return rs_s(buf);
	}
	return rs_s(rs_culprit_text(c, &k, buf, RS_CELL_TEXT_BYTES));
}

struct rs_value rs_why_show_culprit_pid(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	const struct rs_why_culprit *culprit = why_culprit_of(c, g);
	uint64_t id = culprit->id >> 32 ? culprit->id >> 32 : culprit->id;

	return rs_u_if(culprit->kind == RS_CULPRIT_TASK, id);
}

struct rs_value rs_why_show_type(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(why_type(c, g->keys[0], buf));
}

struct rs_value rs_why_show_culprit_cgroup(struct rs_ctx *c, const struct rs_group *g, char *buf)
{
	return rs_s(why_culprit_of(c, g)->cgroup);
}
