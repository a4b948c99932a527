// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/contentions.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	unsigned int flags;
	const char *name;
} types[] = {
	{ 0, "semaphore" },
	{ RS_LOCK_SPIN, "spinlock" },
	{ RS_LOCK_SPIN | RS_LOCK_READ, "rwlock:R" },
	{ RS_LOCK_SPIN | RS_LOCK_WRITE, "rwlock:W" },
	{ RS_LOCK_READ, "rwsem:R" },
	{ RS_LOCK_WRITE, "rwsem:W" },
	{ RS_LOCK_RT, "rt-mutex" },
	{ RS_LOCK_RT | RS_LOCK_READ, "rwlock-rt:R" },
	{ RS_LOCK_RT | RS_LOCK_WRITE, "rwlock-rt:W" },
	{ RS_LOCK_PERCPU | RS_LOCK_READ, "percpu-rwsem:R" },
	{ RS_LOCK_PERCPU | RS_LOCK_WRITE, "percpu-rwsem:W" },
	{ RS_LOCK_MUTEX, "mutex" },
	{ RS_LOCK_MUTEX | RS_LOCK_SPIN, "mutex" }, /* it spins before it sleeps */
};

const char *rs_lock_type(unsigned int flags)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].flags == flags)
			return types[i].name;
	return NULL;
}

int rs_contentions_init(struct rs_contentions *c, unsigned int nr_cpus)
{
	c->nr_cpus = nr_cpus;
	c->idle = calloc(nr_cpus + 1, sizeof *c->idle);
	return c->idle ? 0 : -1;
}

void rs_contentions_done(struct rs_contentions *c)
{
	free(c->idle);
	c->idle = NULL;
}

static struct rs_open_lock *contentions_find(struct rs_open_locks *open, uint64_t lock_addr)
{
	for (unsigned int i = open->nr; i; i--)
		if (open->at[i - 1].lock_addr == lock_addr)
			return &open->at[i - 1];
	return NULL;
}

static void remove_at(struct rs_open_locks *open, struct rs_open_lock *lock)
{
	size_t nr_after = (size_t)(&open->at[--open->nr] - lock);

	memmove(lock, lock + 1, nr_after * sizeof *lock);
}

void rs_contentions_begin(struct rs_contentions *c, struct rs_open_locks *open, uint64_t lock_addr, unsigned int flags, uint64_t ts_ns)
{
	struct rs_open_lock *lock = contentions_find(open, lock_addr);

	if (lock && !rs_gaps_hit(c->gaps, lock->begin_ns, ts_ns))
		return; /* a mutex spins, then sleeps: one contention from the first begin */
	if (lock) { /* of before a gap: nobody knows when it ended */
		c->nr_discarded++;
		remove_at(open, lock);
	}
	if (open->nr == RS_OPEN_LOCKS) { /* ends were not seen: the oldest goes */
		c->nr_evicted++;
		remove_at(open, &open->at[0]);
	}
	open->at[open->nr++] = (struct rs_open_lock){ .lock_addr = lock_addr, .begin_ns = ts_ns, .flags = flags, .waker_tid = -1 };
}

void rs_contentions_end(struct rs_contentions *c, struct rs_open_locks *open, struct rs_contention *end)
{
	struct rs_open_lock *lock = contentions_find(open, end->lock_addr);

	if (!lock) {
		c->nr_unmatched++;
		return;
	}
	end->flags = lock->flags;
	end->begin_ns = lock->begin_ns;
	end->waker_tid = lock->waker_tid;
	end->discarded = rs_gaps_hit(c->gaps, lock->begin_ns, end->end_ns);
	c->nr_discarded += end->discarded;
	remove_at(open, lock);
	c->on_contention(c->arg, end);
}

void rs_contentions_drop(struct rs_contentions *c, struct rs_open_locks *open, uint64_t ts_ns)
{
	for (unsigned int i = 0; i < open->nr; i++)
		++*(rs_gaps_hit(c->gaps, open->at[i].begin_ns, ts_ns) ? &c->nr_discarded : &c->nr_unmatched);
	open->nr = 0;
}

struct rs_open_lock *rs_contentions_current(const struct rs_contentions *c, struct rs_open_locks *open, uint64_t now_ns)
{
	struct rs_open_lock *lock = open->nr ? &open->at[open->nr - 1] : NULL;

	return lock && !rs_gaps_hit(c->gaps, lock->begin_ns, now_ns) ? lock : NULL;
}

void rs_contentions_count(const struct rs_contentions *c, const struct rs_open_locks *open, uint64_t now_ns,
			  uint64_t *nr_in_flight, uint64_t *nr_discarded)
{
	for (unsigned int i = 0; i < open->nr; i++)
		++*(rs_gaps_hit(c->gaps, open->at[i].begin_ns, now_ns) ? nr_discarded : nr_in_flight);
}
