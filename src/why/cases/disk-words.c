// SPDX-License-Identifier: GPL-2.0-or-later
/* disk-words - whose doing a wait for a disk is, and what a sentence about it has in its slots */
#include "why/cases/disk-words.h"

#include <string.h>

#define INTERRUPTS_LEAST 10           /* a tenth of the wait: less of it is not worth a word */

bool rs_disk_words_is_one_at_a_time(struct rs_ctx *c, const struct rs_disk_case *k)
{
	return rs_disk_use_dev(c->state, k->of.e->dev)->d2c_ns < k->of.interval_ns / 10 * 13 &&
	       k->queued_ns < k->ns[RS_IN_DEVICE] / 5;
}

static const char *disk_words_dev_name(struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes)
{
	const char *name = dev ? rs_disk_name(c, dev) : NULL;

	if (!name && dev)
		rs_dev_text(dev, buf, size_bytes);
	return name || !dev ? name : buf;
}

struct rs_case_culprit rs_disk_words_culprit(struct rs_disk_case *k, unsigned int by)
{
	const struct rs_blame_entry *e = k->of.e;
	struct rs_ctx *c = k->of.c;

	switch ((enum rs_disk_by)by) {
	case RS_DISK_BY_OTHER:
		return (struct rs_case_culprit){ k->other.comm, k->other.pid, k->other.nr };
	case RS_DISK_BY_DEVICE:
		return (struct rs_case_culprit){
			.comm = disk_words_dev_name(c, rs_disk_case_dev(k), k->name, sizeof k->name)
		};
	case RS_DISK_BY_ABOVE:
		return (struct rs_case_culprit){ .comm = rs_disk_above(c, e->dev, k->name, sizeof k->name) };
	case RS_DISK_BY_WAKER:
		if (e->kind != RS_CULPRIT_TASK)
			return (struct rs_case_culprit){ 0 };
		return (struct rs_case_culprit){ .comm = e->comm,
						 .pid = !k->is_of_flush ? e->pids[0] : 0 };
	default:
		return (struct rs_case_culprit){ .comm = by == RS_DISK_BY_IO_MAX      ? "io.max" :
							 by == RS_DISK_BY_MEMORY_HIGH ? "memory.high" :
										     NULL };
	}
}

/* Of what the wait is for: the device, and its requests. */
static void disk_words_put_device(struct rs_disk_case *k, struct rs_case_slots *to)
{
	struct rs_ctx *c = k->of.c;
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->of.e->dev);
	uint64_t nr = d->nr ? d->nr : 1;
	uint32_t dev = rs_disk_case_dev(k);
	bool has_irqs = k->irq_ns > k->of.ns / INTERRUPTS_LEAST && dev,
	     is_cold = memchr((const char *)&k->of.e->rwbs, 'A', sizeof k->of.e->rwbs);

	rs_dev_text(dev, k->number, sizeof k->number);

	const struct rs_slot slots[] = {
		{ "disk", RS_SLOT_DISK, rs_u(dev) },
		{ "dev", RS_SLOT_DEV, rs_u(dev) },
		{ "dev_number", RS_SLOT_TEXT, rs_s(dev ? k->number : NULL) },
		{ "irqs", RS_SLOT_TEXT, rs_s(has_irqs ? "interrupts" : NULL) },
		{ "each", RS_SLOT_DURATION, rs_u(d->d2c_ns / nr) },
		{ "bytes", RS_SLOT_NUMBER, rs_u(d->bytes / nr) },
		{ "tiny", RS_SLOT_TEXT, rs_s(d->bytes / nr <= RS_DISK_TINY_BYTES ? "tiny " : NULL) },
		{ "rate", RS_SLOT_NUMBER,
		  rs_u(rs_milli(d->nr * 1000000000, k->of.interval_ns, 1).u / 1000) },
		{ "depth", RS_SLOT_TEXT,
		  rs_s(rs_disk_words_is_one_at_a_time(c, k) ? "one at a time (queue depth 1)" : NULL) },
		{ "cold", RS_SLOT_TEXT, rs_s(is_cold ? "for files that are not in the page cache" : NULL) },
	};

	rs_evaluate_add_slots(to, slots, sizeof slots / sizeof *slots);
}

/* Of the call that it waits in, and who has a part in that. */
static void disk_words_put_wait(struct rs_disk_case *k, struct rs_case_slots *to)
{
	const struct rs_blame_entry *e = k->of.e;
	const struct rs_blame *b = k->of.b;
	struct rs_ctx *c = k->of.c;
	bool is_flush = k->is_of_flush && e->call >= 0 && rs_syscall_name(c, e->call);
	const char *path = rs_disk_use_path(c, c->state, b, false);
	const struct rs_slot slots[] = {
		{ "call", RS_SLOT_CALL, rs_i(e->call) },
		{ "sync", RS_SLOT_TEXT,
		  rs_s(is_flush && !rs_call_is(c, e->call, RS_CLASS_FLUSH) ? "O_SYNC or O_DSYNC" : NULL) },
		/* a wait for its own write */
		{ "synced_file", RS_SLOT_FILE,
		  rs_s(is_flush ? rs_disk_use_path(c, c->state, b, true) : NULL) },
		{ "file", RS_SLOT_FILE, rs_s(path) },
		{ "of_one", RS_SLOT_TEXT, rs_s(path ? ", which is" : NULL) },
		{ "own", RS_SLOT_TEXT, rs_s(b->nr_processes > 1 ? "their own" : "its own") },
		{ "held", RS_SLOT_DURATION, rs_u(e->ns / (e->nr ? e->nr : 1)) },
		{ "often", RS_SLOT_RATE, rs_u(e->nr * 1000000000 / k->of.interval_ns) },
		{ "share", RS_SLOT_PERCENT,
		  rs_u((rs_milli(k->other.amount, k->of.ns, 100).u + 500) / 1000) },
		{ "busy", RS_SLOT_PERCENT,
		  rs_u(rs_milli(k->other.amount, k->of.interval_ns, 100).u / 1000) },
		{ "waker", RS_SLOT_NAME, rs_s(e->kernel_thread ? e->comm : NULL) },
	};

	rs_evaluate_add_slots(to, slots, sizeof slots / sizeof *slots);
}

static void disk_words_put_groups(struct rs_disk_case *k, struct rs_case_slots *to)
{
	const struct rs_task *t = k->of.b->task;
	struct rs_memory_limit limit;
	bool is_high = rs_cgroup_memory_limit(k->of.c, t, &limit) && !strcmp(limit.file, "memory.high");
	const struct rs_slot slots[] = {
		{ "cgroup", RS_SLOT_CGROUP, rs_s(rs_task_cgroup(t, RS_CGROUP_IO)) },
		{ "limited", RS_SLOT_CGROUP,
		  rs_s(is_high ? limit.cgroup : rs_task_cgroup(t, RS_CGROUP_MEMORY)) },
		{ "limit", RS_SLOT_BYTES, rs_u_if(is_high, limit.bytes) },
	};

	rs_evaluate_add_slots(to, slots, sizeof slots / sizeof *slots);
}

void rs_disk_words_slots(struct rs_case *of, const struct rs_rule_row *row, struct rs_case_slots *to)
{
	struct rs_disk_case *k = (struct rs_disk_case *)of;

	disk_words_put_device(k, to);
	disk_words_put_wait(k, to);
	disk_words_put_groups(k, to);
}
