// SPDX-License-Identifier: GPL-2.0-or-later
/* disk-case - the waits of processes for a disk: of which kind, for whose requests, and why those are served
 */
#include "why/cases/disk-case.h"

#include <string.h>

bool rs_disk_case_is_journal(const struct rs_blame_entry *e)
{
	return e->kind == RS_CULPRIT_TASK && !strncmp(e->comm, "jbd2/", 5);
}

/* Its own requests are writes: no page faults, but a call that began before the recording did. */
static bool disk_case_writes(const struct rs_blame *b)
{
	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].kind == RS_CULPRIT_SELF && strchr((const char *)&b->at[i].rwbs, 'W'))
			return true;
	return false;
}

static enum rs_disk_wait disk_case_kind(struct rs_ctx *c, const struct rs_blame *b,
					    const struct rs_blame_entry *e)
{
	if (e->part == RS_PART_DIRTY || e->part == RS_PART_THROTTLE)
		return RS_IN_DIRTY;
	if (e->part == RS_PART_DISK_BEFORE)
		return RS_IN_BEFORE;
	if (e->part == RS_PART_DISK_FLUSH || rs_call_is(c, e->call, RS_CLASS_FLUSH))
		return RS_IN_FLUSH;
	if (e->part == RS_PART_FAULT || (e->part != RS_PART_KERNEL && e->in_no_call && !disk_case_writes(b)))
		return RS_IN_FAULT;
	if (e->part != RS_PART_KERNEL)
		return RS_IN_DEVICE;
	if (rs_disk_case_is_journal(e))
		return RS_IN_JOURNAL;
	if (e->in_no_call && e->kind == RS_CULPRIT_INTERRUPT) /* a timer ends it */
		return RS_IN_RETURN;
	return e->kind == RS_CULPRIT_INTERRUPT && rs_call_is(c, e->call, RS_CLASS_WRITE) ? RS_IN_WRITE :
											   RS_IN_KERNEL;
}

#define DISK_CASE_PARTS \
	(RS_PARTS_OF_DISK | RS_PART_BIT(FAULT) | RS_PART_BIT(DIRTY) | RS_PART_BIT(THROTTLE) | \
	 RS_PART_BIT(KERNEL))

/* A wait for a flush that it asked for, by fsync or by a write with O_SYNC. */
static bool disk_case_is_own_flush(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return rs_call_is(c, e->call, RS_CLASS_FLUSH) ||
	       (rs_disk_case_is_journal(e) && rs_call_is(c, e->call, RS_CLASS_WRITE));
}

uint64_t rs_disk_case_own_flush_ns(struct rs_ctx *c, const struct rs_blame *b)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < b->nr; i++)
		ns += disk_case_is_own_flush(c, &b->at[i]) ? b->at[i].ns : 0;
	return ns;
}

/* Who waits most for flushes of its own, of the others: NULL unknown. */
const struct rs_blame *rs_disk_case_flusher(struct rs_ctx *c, const struct rs_blame *victim)
{
	const struct rs_blame *found = NULL, *list;
	uint64_t most_ns = 0;
	size_t nr;

	list = rs_blame_list(c, &nr);
	for (size_t i = 0; i < nr; i++)
		for (unsigned int j = 0; j < list[i].nr; j++)
			if (&list[i] != victim && disk_case_is_own_flush(c, &list[i].at[j]) &&
			    list[i].at[j].ns > most_ns) {
				most_ns = list[i].at[j].ns;
				found = &list[i];
			}
	return found;
}

/* Whose the requests of an entry are: those of the kernel's threads have a reason. */
static struct rs_disk_user disk_case_user(struct rs_ctx *c, const struct rs_disk_case *k,
					   const struct rs_blame_entry *e, enum rs_disk_reason *reason)
{
	bool is_kworker = !strncmp(e->comm, "kworker/", 8),
	     is_flush = rs_disk_case_is_journal(e) || (is_kworker && *(const char *)&e->rwbs == 'F');
	bool is_write = strchr((const char *)&e->rwbs, 'W');
	const struct rs_disk_user *writer =
		is_kworker && is_write && !is_flush ?
			rs_disk_use_writer(c->state, k->of.b, k->of.interval_ns) :
			NULL;
	const struct rs_blame *flusher = is_flush ? rs_disk_case_flusher(c, k->of.b) : NULL;

	*reason = writer ? RS_FOR_WRITE_BACK : flusher ? RS_FOR_COMMITS : RS_FOR_ITSELF;
	if (writer)
		return (struct rs_disk_user){ writer->comm, writer->program, writer->pid, writer->nr, e->ns };
	if (flusher)
		return (struct rs_disk_user){ flusher->comm, flusher->program, flusher->pid,
					      flusher->nr_processes, e->ns };
	return (struct rs_disk_user){ e->comm, e->program, e->pids[0], rs_blame_nr_culprits(c, e), e->ns };
}

/* Who has most of the device meanwhile. Processes of its own name do what it does. */
void rs_disk_case_find_other(struct rs_disk_case *k)
{
	struct rs_ctx *c = k->of.c;
	struct rs_disk_user users[RS_BLAME_PLACES];
	enum rs_disk_reason of[RS_BLAME_PLACES]; /* of the costliest that they do */
	unsigned int nr = 0, j;

	for (unsigned int i = 0; i < k->of.b->nr; i++) {
		const struct rs_blame_entry *e = &k->of.b->at[i];

		if (e->kind != RS_CULPRIT_TASK || !(RS_PARTS_OF_DISK >> e->part & 1) ||
		    disk_case_kind(c, k->of.b, e) != RS_IN_DEVICE || rs_blame_is_of(e, k->of.b))
			continue;
		users[nr] = disk_case_user(c, k, e, &of[nr]);
		k->others_ns += e->ns;
		for (j = 0; !rs_disk_use_is_same(&users[j], &users[nr]); j++)
			;
		users[j].amount += j < nr ? e->ns : 0;
		nr += j == nr;
		if (users[j].amount <= k->other.amount)
			continue;
		k->other = users[j];
		k->reason = of[j];
	}
}

/*
 * Runnable, while the interrupts in which the disk's requests complete have its CPU: it waits for the disk as
 * well, most of the time in the device.
 */
static void disk_case_add_interrupts(const struct rs_blame *b, struct rs_disk_case *k)
{
	uint64_t ns = rs_blame_disk_irq_ns(b);

	if (k->most != RS_IN_DEVICE || k->ns[RS_IN_DEVICE] < ns)
		return;
	k->irq_ns = ns;
	k->of.ns += ns;
}

void rs_disk_case_gather(struct rs_disk_case *k)
{
	const struct rs_blame *b = k->of.b;
	struct rs_ctx *c = k->of.c;

	k->of.of_ns = rs_blame_busy_ns(b);
	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];
		enum rs_disk_wait kind = disk_case_kind(c, b, e);

		/* a child is waited for in state D */
		if (!(DISK_CASE_PARTS >> e->part & 1) || rs_call_is(c, e->call, RS_CLASS_SPAWN))
			continue;
		k->ns[kind] += e->ns;
		k->of.ns += e->ns;
		if (!k->first[kind])
			k->first[kind] = e;
		k->dev = k->dev ? k->dev : e->dev;
		k->queued_ns += e->part == RS_PART_DISK_QUEUE ? e->ns : 0;
		k->own_write_ns += e->part != RS_PART_KERNEL && e->call >= 0 &&
						   strchr((const char *)&e->rwbs, 'W') ?
					   e->ns :
					   0;
	}
	for (enum rs_disk_wait kind = 0; kind < RS_NR_DISK_WAITS; kind++)
		if (k->ns[kind] > k->ns[k->most])
			k->most = kind;
	k->of.e = k->first[k->most];
	disk_case_add_interrupts(b, k);
}

uint32_t rs_disk_case_dev(const struct rs_disk_case *k)
{
	struct rs_ctx *c = k->of.c;
	const struct rs_disk_use_dev *written = k->most == RS_IN_DIRTY ? rs_disk_use_written_back(c->state) :
								      NULL;

	if (k->of.e->dev || written)
		return k->of.e->dev ? k->of.e->dev : written->dev;
	return k->dev || !rs_disk_case_is_journal(k->of.e) ? k->dev :
							rs_disk_use_journal_dev(c, c->state, k->of.e->comm);
}
