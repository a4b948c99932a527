// SPDX-License-Identifier: GPL-2.0-or-later
#include "ringside/group-by.h"

#include <stdio.h>

struct rs_group_by rs_group_by_of(const struct rs_query *q, struct rs_group_by fallback)
{
	struct rs_group_by by = { 0 };

	if (!q->nr_by)
		return fallback;
	for (unsigned int i = 0; i < q->nr_by; i++) {
		by.comm |= !strcmp(q->by[i], "comm");
		by.pid |= !strcmp(q->by[i], "pid");
		by.tid |= !strcmp(q->by[i], "tid");
		by.syscall |= !strcmp(q->by[i], "syscall");
		by.dev |= !strcmp(q->by[i], "dev");
		by.type |= !strcmp(q->by[i], "type");
		by.lock_addr |= !strcmp(q->by[i], "lock_addr");
	}
	return by;
}

/* A process goes by its first thread's name; a thread by its own. */
static const char *group_by_comm_of(const struct rs_group_by *by, struct rs_ctx *c, const struct rs_task *t)
{
	return by->pid && !by->tid ? rs_task_process_comm(c, t) : t->comm;
}

void rs_group_by_key(const struct rs_group_by *by, struct rs_ctx *c, const struct rs_task *t,
		     struct rs_group_key *k)
{
	if (!t) {
		if (by->comm || by->pid || by->tid)
			rs_group_key_u64(k, UINT64_MAX);
		return;
	}
	if (by->comm)
		rs_group_key_str(k, group_by_comm_of(by, c, t));
	if (by->pid && !t->pid) {
		rs_group_key_u64(k, 1ull << 32 | (uint32_t)t->tid);
		rs_group_key_u64(k, t->inst);
	} else if (by->pid) {
		rs_group_key_u64(k, (uint32_t)t->pid);
	}
	if (by->tid) {
		rs_group_key_u64(k, (uint32_t)t->tid);
		rs_group_key_u64(k, t->inst);
	}
}

void rs_group_by_set_task(const struct rs_group_by *by, struct rs_ctx *c, const struct rs_task *t,
			  struct rs_group_task *task_of_group)
{
	if (task_of_group->set)
		return;
	task_of_group->set = true;
	if (!t)
		return;
	snprintf(task_of_group->comm, sizeof task_of_group->comm, "%s", group_by_comm_of(by, c, t));
	task_of_group->pid = t->pid;
	task_of_group->tid = t->tid;
}

void *rs_group_by_find(const struct rs_group_by *by, struct rs_ctx *c, struct rs_groups *groups,
		       const struct rs_task *t)
{
	struct rs_group_key key = { .len = 0 };
	struct rs_group_task *task_of_group;

	rs_group_by_key(by, c, t, &key);
	task_of_group = rs_groups_get(groups, &key);
	if (task_of_group)
		rs_group_by_set_task(by, c, t, task_of_group);
	return task_of_group;
}

void rs_group_by_values(const struct rs_group_by *by, const struct rs_group_task *task_of_group,
			struct rs_value values[3])
{
	/* one process, or one thread, has one name: it is shown though it is no key of its own */
	values[0] = by->comm || by->pid || by->tid ? rs_s(task_of_group->comm) : rs_null();
	values[1] = rs_u_if((by->pid || by->tid) && task_of_group->pid, (uint64_t)task_of_group->pid);
	values[2] = rs_u_if(task_of_group->tid && (by->tid || (by->pid && !task_of_group->pid)),
			    (uint64_t)task_of_group->tid);
}

void rs_group_by_label(const struct rs_group_by *by, const struct rs_group_task *task_of_group, char *buf,
		       size_t size_bytes)
{
	static const char *const names[3] = { "comm", "pid", "tid" };
	struct rs_value values[3];
	const char *between = "";
	size_t len = 0;

	buf[0] = '\0';
	rs_group_by_values(by, task_of_group, values);
	for (int i = 0; i < 3 && len < size_bytes; i++) {
		if (!values[i].known)
			continue;
		if (i == 0)
			len += (size_t)snprintf(buf + len, size_bytes - len, "%s = %s", names[i], values[i].s);
		else
			len += (size_t)snprintf(buf + len, size_bytes - len, "%s%s = %llu", between, names[i],
						(unsigned long long)values[i].u);
		between = ", ";
	}
}
