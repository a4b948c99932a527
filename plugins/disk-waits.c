// SPDX-License-Identifier: GPL-2.0-or-later
/* disk-waits - findings: who waits for a disk or for what is written to one, why, and because of whom */
#include <stdio.h>

#include "ringside/disk-use.h"
#include "ringside/plugin.h"

#define DISK_WAITS_LEAST 33333        /* of what it did or could not do, in thousandths of a percent */
#define DISK_WAITS_LEAST_OF_TIME 80   /* and of one thread's time, in thousandths */
#define OTHERS_LEAST 200              /* of the wait for the device, for requests of others */
#define SLOW_NS 6000000               /* mean time of a request in the device: any working disk is faster */
#define QUICK_NS 1000000              /* likewise of a disk that is fast enough for what it is asked */
#define QUICK_LEAST 60000             /* from which share on a process waits for one all the same */
#define TINY_BYTES 2048               /* mean of requests, where they are many */
#define TINY_LEAST 500                /* requests a second */
#define STREAM_BYTES \
	65536 /* mean of requests, and how many MB a second, of a process that reads or writes large files \
	       */
#define STREAM_MB 100
#define INTERRUPTS_LEAST 10           /* a tenth of the wait: less of it is not worth a word */
#define HOG_LEAST \
	500 /* of the time that a disk serves one process, for the flushes of another to wait for that one, \
	       in thousandths */
#define FLUSH_LEAST_OF_TIME \
	333 /* of one thread's time, in thousandths, for who waits for nothing but its own flushes */
#define HEAVIER_LEAST 50              /* likewise, of one that flushes as well, and twice as much */

enum {
	R_SHARED,
	R_SLOW,
	R_TINY,
	R_DEPTH_1,
	R_COLD,
	R_PLAIN,
	R_FAULTS,
	R_SWAP,
	R_FLUSH,
	R_JOURNAL,
	R_HELD,
	R_DIRTY,
	R_MEMORY_HIGH,
	R_KERNEL,
};

#define RULE(id, name, summary, advice) \
	[R_##id] = { name, summary, DISK_WAITS_LEAST, "%", "waits", advice, true }

static const struct rs_rule rules[] = {
	RULE(SHARED, "disk-shared", "a process waits for a disk that serves the requests of another",
	     "give the other one less of the disk (ionice, io.max), or another disk"),
	RULE(SLOW, "disk-slow", "a disk takes long for each request, though it has few",
	     "look for errors of the device (dmesg, smartctl)"),
	RULE(TINY, "disk-tiny-requests", "a process waits for very many very small requests",
	     "read and write more at once, or buffered"),
	RULE(DEPTH_1, "disk-depth-1", "a process has one request at a time, and waits for each",
	     "have several requests in flight (io_uring, threads, readahead)"),
	RULE(COLD, "cold-cache", "a process reads files that are not in the page cache",
	     "read ahead, or give the page cache more memory"),
	RULE(PLAIN, "disk-wait", "a process waits for its own requests",
	     "see which requests are slow, and which files they are of"),
	RULE(FAULTS, "major-faults", "a process waits for pages of mapped files to be read",
	     "read ahead (madvise), or give the page cache more memory"),
	[R_SWAP] = { "swap-in", "a process waits for pages to be read back from swap", 10000, "%", "waits",
		     "give it more memory, or a higher memory limit", true },
	RULE(FLUSH, "disk-flush",
	     "a process waits in fsync, or writes with O_SYNC: the disk has to flush each time",
	     "flush less often: several writes, then one fsync"),
	[R_JOURNAL] = { "disk-journal", "a process waits for the file system's journal to commit", 20000, "%",
			"waits", "see who calls fsync; put its files on another file system", true },
	RULE(HELD, "disk-held-back", "the requests of a process are held back before the device",
	     "see io.max of its cgroup, and stacked devices (dmsetup table)"),
	RULE(DIRTY, "write-back", "a process is held back as a writer until dirty pages are written",
	     "write less, or to a faster disk; see vm.dirty_bytes"),
	RULE(MEMORY_HIGH, "memory-high",
	     "a process is held back on its return from the kernel: memory.high of its cgroup",
	     "raise memory.high of its cgroup"),
	RULE(KERNEL, "blocked", "a process is in state D and no event tells why",
	     "see the system call that it is in"),
	{ 0 },
};

/* ---- what it says: "{dev}" and its kin are the words of disk_waits_word, '*' is the culprit ---- */

enum disk_waits_culprit { BY_NOBODY, BY_DEVICE, BY_ABOVE, BY_OTHER, BY_WAKER };

enum {
	SHARED,
	SHARED_WRITE_BACK,
	SHARED_COMMITS,
	BEHIND_WRITE_BACK,
	SLOW,
	TINY,
	DEPTH_1,
	COLD,
	PLAIN,
	PENDING,
	FAULTS,
	SWAP,
	FLUSH,
	FLUSH_BEHIND,
	COMMIT,
	COMMIT_OF_OTHER,
	COMMIT_BEHIND,
	JOURNAL,
	JOURNAL_OF_OTHER,
	HELD,
	HELD_ABOVE,
	HELD_OR_STACKED,
	DIRTY,
	DIRTY_OF_OTHER,
	MEMORY_HIGH,
	KERNEL,
};

static const struct disk_waits_sentence {
	unsigned int rule;
	enum disk_waits_culprit by;
	const char *cause, *how;
	const char *limit;         /* the culprit is no process and no device, but this */
	bool is_inferred;
} sentences[] = {
	[SHARED] = { R_SHARED, BY_OTHER, "for disk{disk}", "{share} % of it for requests of *" },
	[SHARED_WRITE_BACK] = { R_SHARED, BY_OTHER, "for disk{disk}",
				"{share} % of it for the write-back of what * writes", .is_inferred = true },
	[SHARED_COMMITS] = { R_SHARED, BY_OTHER, "for disk{disk}",
			     "{share} % of it for commits and flushes that * forces", .is_inferred = true },
	[BEHIND_WRITE_BACK] = { R_SHARED, BY_OTHER, "for disk{disk}",
				"the disk writes back what * writes meanwhile, {each} for each request",
				.is_inferred = true },
	[SLOW] = { R_SLOW, BY_DEVICE, "for disk{disk}",
		   "the device * is slow, it takes {each} for a request{depth}{cold}" },
	[TINY] = { R_TINY, BY_DEVICE, "for disk{disk}",
		   "tiny requests, {bytes} bytes each, {rate} a second" },
	[DEPTH_1] = { R_DEPTH_1, BY_DEVICE, "for disk{disk}",
		      "one {tiny}request at a time (queue depth 1), of {bytes} bytes, the device takes "
		      "{each} for each{cold}" },
	[COLD] = { R_COLD, BY_DEVICE, "for disk{disk}",
		   "it reads {file} not in the page cache (cold cache), {each} for each request" },
	[PLAIN] = { R_PLAIN, BY_DEVICE, "for disk{disk}",
		    "the disk is busy with {own} requests, of {bytes} bytes and {each} each" },
	[PENDING] = { R_DEPTH_1, BY_DEVICE, "for disk{disk}", "its request has not completed yet" },
	[FAULTS] = { R_FAULTS, BY_DEVICE, "in major page faults, for disk{disk}",
		     "pages that are not in the page cache, {each} for each request" },
	[SWAP] = { R_SWAP, BY_DEVICE, "for pages from swap (disk{dev})",
		   "its memory does not fit, or its memory limit is too low", .is_inferred = true },
	[FLUSH] = { R_FLUSH, BY_DEVICE, "for disk{disk}{in}", "a flush for each write, {often}" },
	[FLUSH_BEHIND] = { R_FLUSH, BY_OTHER, "for disk{disk}{in}",
			   "the disk serves requests of * meanwhile, {busy} % of its time",
			   .is_inferred = true },
	[COMMIT] = { R_FLUSH, BY_WAKER, "for disk{disk}{in}", "* commits and flushes, {often}" },
	[COMMIT_OF_OTHER] = { R_FLUSH, BY_OTHER, "for disk{disk}{in}",
			      "{waker} commits and flushes what * writes, {often}", .is_inferred = true },
	[COMMIT_BEHIND] = { R_FLUSH, BY_OTHER, "for disk{disk}{in}",
			    "{waker} commits and flushes, while the disk serves requests of * {busy} % of "
			    "its time",
			    .is_inferred = true },
	[JOURNAL] = { R_JOURNAL, BY_WAKER, "for the journal of a file system{in}", "* commits",
		      .is_inferred = true },
	[JOURNAL_OF_OTHER] = { R_JOURNAL, BY_OTHER, "for the journal of a file system{in}",
			       "* forces commits{waker}", .is_inferred = true },
	[HELD] = { R_HELD, BY_NOBODY, "for disk{disk}{in}",
		   "its requests are held back before the device, by io.max of its cgroup{cgroup}", "io.max",
		   true },
	[HELD_ABOVE] = { R_HELD, BY_ABOVE, "for disk{disk}{in}",
			 "the stacked device * delays its requests, {held} each, before they reach the "
			 "disk{dev} below it",
			 .is_inferred = true },
	[HELD_OR_STACKED] = { R_HELD, BY_NOBODY, "for disk{disk}{in}",
			      "its requests are held back before the device, by io.max of its cgroup or by a "
			      "delay of a stacked device",
			      "io.max", true },
	[DIRTY] = { R_DIRTY, BY_DEVICE, "for write-back{in}",
		    "too many dirty pages, the disk{dev} is slower than what is written" },
	[DIRTY_OF_OTHER] = { R_DIRTY, BY_OTHER, "for write-back{in}",
			     "too many dirty pages, the disk{dev} is slower than what * writes",
			     .is_inferred = true },
	[MEMORY_HIGH] = { R_MEMORY_HIGH, BY_NOBODY, "held back on return to user mode",
			  "its cgroup{limited} is over its memory limit{limit} (memory.high)", "memory.high",
			  true },
	[KERNEL] = { R_KERNEL, BY_WAKER, "for something in the kernel that no event tells (state D{call})",
		     "* ends it" },
};

/* ---- who writes ---- */

/* What calls of a task wrote since the last reset. */
static uint64_t *disk_waits_written(const struct rs_ctx *c, const struct rs_task *t)
{
	return rs_task_data(c, t);
}

static void disk_waits_reset(struct rs_ctx *c)
{
	memset(c->state, 0, sizeof(struct rs_disk_use));
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t))
		*disk_waits_written(c, t) = 0;
}

/* A count that is larger than any file's is no count. */
static void disk_waits_on_write(struct rs_ctx *c, const struct rs_call *call)
{
	if (call->task && !call->discarded && call->ret > 0 && call->ret < 1ll << 31)
		*disk_waits_written(c, call->task) += (uint64_t)call->ret;
}

static void disk_waits_find_writers(struct rs_ctx *c)
{
	struct rs_disk_use *use = c->state;
	uint64_t bytes;

	use->nr_writers = 0;
	for (struct rs_task *t = rs_task_next(c, NULL); t; t = rs_task_next(c, t)) {
		bytes = t->self ? 0 : *disk_waits_written(c, t);
		if (bytes)
			rs_disk_use_add_writer(use, rs_task_process_comm(c, t), t->pid ? t->pid : t->tid,
					       bytes);
	}
}

/* ---- what a process waits for ---- */

enum disk_waits_kind {
	IN_DEVICE,
	IN_BEFORE,
	IN_FAULT,
	IN_FLUSH,
	IN_JOURNAL,
	IN_WRITE,
	IN_DIRTY,
	IN_RETURN,
	IN_KERNEL,
	NR_KINDS
};

struct disk_waits_case {
	const struct rs_blame *b;
	uint64_t interval_ns;
	uint64_t ns[NR_KINDS], all_ns, busy_ns;
	const struct rs_blame_entry *first[NR_KINDS]; /* the costliest */
	uint64_t others_ns, own_write_ns, queued_ns;
	/* of all_ns: runnable, while the disk's interrupts had its CPU */
	uint64_t irq_ns;
	/* that the wait is for, or because of; .amount: for how long */
	struct rs_disk_user other;
	unsigned int of_other;                        /* the sentence about it */
	uint32_t dev;                                 /* of the costliest wait that has one; 0: unknown */
	enum disk_waits_kind most;
	const struct rs_blame_entry *e;               /* of that kind, the costliest */
	unsigned int sentence;
};

static bool call_is_flush(struct rs_ctx *c, int64_t call)
{
	return rs_call_is(c, call, RS_CLASS_FLUSH);
}

static bool call_is_write(struct rs_ctx *c, int64_t call)
{
	return rs_call_is(c, call, RS_CLASS_WRITE);
}

static bool call_is_change(struct rs_ctx *c, int64_t call)
{
	return rs_call_is(c, call, RS_CLASS_CHANGE);
}

static bool disk_waits_is_journal(const struct rs_blame_entry *e)
{
	return e->kind == RS_CULPRIT_TASK && !strncmp(e->comm, "jbd2/", 5);
}

/* Its own requests are writes: no page faults, but a call that began before the recording did. */
static bool disk_waits_writes(const struct rs_blame *b)
{
	for (unsigned int i = 0; i < b->nr; i++)
		if (b->at[i].kind == RS_CULPRIT_SELF && strchr((const char *)&b->at[i].rwbs, 'W'))
			return true;
	return false;
}

static enum disk_waits_kind disk_waits_kind(struct rs_ctx *c, const struct rs_blame *b,
					    const struct rs_blame_entry *e)
{
	if (e->part == RS_PART_DIRTY || e->part == RS_PART_THROTTLE)
		return IN_DIRTY;
	if (e->part == RS_PART_DISK_BEFORE)
		return IN_BEFORE;
	if (e->part == RS_PART_DISK_FLUSH || call_is_flush(c, e->call))
		return IN_FLUSH;
	if (e->part == RS_PART_FAULT || (e->part != RS_PART_KERNEL && e->in_no_call && !disk_waits_writes(b)))
		return IN_FAULT;
	if (e->part != RS_PART_KERNEL)
		return IN_DEVICE;
	if (disk_waits_is_journal(e))
		return IN_JOURNAL;
	if (e->in_no_call && e->kind == RS_CULPRIT_INTERRUPT) /* a timer ends it */
		return IN_RETURN;
	return e->kind == RS_CULPRIT_INTERRUPT && call_is_write(c, e->call) ? IN_WRITE : IN_KERNEL;
}

#define DISK_WAITS_PARTS \
	(RS_PARTS_OF_DISK | RS_PART_BIT(FAULT) | RS_PART_BIT(DIRTY) | RS_PART_BIT(THROTTLE) | \
	 RS_PART_BIT(KERNEL))

/* A wait for a flush that it asked for, by fsync or by a write with O_SYNC. */
static bool disk_waits_is_own_flush(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	return call_is_flush(c, e->call) || (disk_waits_is_journal(e) && call_is_write(c, e->call));
}

static uint64_t disk_waits_own_flush_ns(struct rs_ctx *c, const struct rs_blame *b)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < b->nr; i++)
		ns += disk_waits_is_own_flush(c, &b->at[i]) ? b->at[i].ns : 0;
	return ns;
}

/* Who waits most for flushes of its own, of the others: NULL unknown. */
static const struct rs_blame *disk_waits_flusher(struct rs_ctx *c, const struct rs_blame *victim)
{
	const struct rs_blame *found = NULL, *list;
	uint64_t most_ns = 0;
	size_t nr;

	list = rs_blame_list(c, &nr);
	for (size_t i = 0; i < nr; i++)
		for (unsigned int j = 0; j < list[i].nr; j++)
			if (&list[i] != victim && disk_waits_is_own_flush(c, &list[i].at[j]) &&
			    list[i].at[j].ns > most_ns) {
				most_ns = list[i].at[j].ns;
				found = &list[i];
			}
	return found;
}

/* Whose the requests of an entry are: those of the kernel's threads have a reason. */
static struct rs_disk_user disk_waits_user(struct rs_ctx *c, const struct disk_waits_case *k,
					   const struct rs_blame_entry *e, unsigned int *sentence)
{
	bool is_kworker = !strncmp(e->comm, "kworker/", 8),
	     is_flush = disk_waits_is_journal(e) || (is_kworker && *(const char *)&e->rwbs == 'F');
	bool is_write = strchr((const char *)&e->rwbs, 'W');
	const struct rs_disk_user *writer = is_kworker && is_write && !is_flush ?
						    rs_disk_use_writer(c->state, k->b->comm, k->interval_ns) :
						    NULL;
	const struct rs_blame *flusher = is_flush ? disk_waits_flusher(c, k->b) : NULL;

	*sentence = writer ? SHARED_WRITE_BACK : flusher ? SHARED_COMMITS : SHARED;
	if (writer)
		return (struct rs_disk_user){ writer->comm, writer->pid, writer->nr, e->ns };
	if (flusher)
		return (struct rs_disk_user){ flusher->comm, flusher->pid, flusher->nr_processes, e->ns };
	return (struct rs_disk_user){ e->comm, e->pids[0], rs_blame_nr_culprits(c, e), e->ns };
}

/* Who has most of the device meanwhile. Processes of its own name do what it does. */
static void disk_waits_find_other(struct rs_ctx *c, struct disk_waits_case *k)
{
	struct rs_disk_user users[RS_BLAME_PLACES];
	unsigned int nr = 0, of[RS_BLAME_PLACES], j; /* of: the sentence about the costliest that they do */

	for (unsigned int i = 0; i < k->b->nr; i++) {
		const struct rs_blame_entry *e = &k->b->at[i];

		if (e->kind != RS_CULPRIT_TASK || !(RS_PARTS_OF_DISK >> e->part & 1) ||
		    disk_waits_kind(c, k->b, e) != IN_DEVICE || !strcmp(e->comm, k->b->comm))
			continue;
		users[nr] = disk_waits_user(c, k, e, &of[nr]);
		k->others_ns += e->ns;
		for (j = 0; strcmp(users[j].comm, users[nr].comm) != 0; j++)
			;
		users[j].amount += j < nr ? e->ns : 0;
		nr += j == nr;
		if (users[j].amount <= k->other.amount)
			continue;
		k->other = users[j];
		k->of_other = of[j];
	}
}

/*
 * Runnable, while the interrupts in which the disk's requests complete have its CPU: it waits for the disk as
 * well, most of the time in the device.
 */
static void disk_waits_add_interrupts(const struct rs_blame *b, struct disk_waits_case *k)
{
	uint64_t ns = rs_blame_disk_irq_ns(b);

	if (k->most != IN_DEVICE || k->ns[IN_DEVICE] < ns)
		return;
	k->irq_ns = ns;
	k->all_ns += ns;
}

static void disk_waits_find(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns,
			    struct disk_waits_case *k)
{
	*k = (struct disk_waits_case){ .b = b, .interval_ns = interval_ns, .busy_ns = rs_blame_busy_ns(b) };
	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];
		enum disk_waits_kind kind = disk_waits_kind(c, b, e);

		/* a child is waited for in state D */
		if (!(DISK_WAITS_PARTS >> e->part & 1) || rs_call_is(c, e->call, RS_CLASS_SPAWN))
			continue;
		k->ns[kind] += e->ns;
		k->all_ns += e->ns;
		if (!k->first[kind])
			k->first[kind] = e;
		k->dev = k->dev ? k->dev : e->dev;
		k->queued_ns += e->part == RS_PART_DISK_QUEUE ? e->ns : 0;
		k->own_write_ns += e->part != RS_PART_KERNEL && e->call >= 0 &&
						   strchr((const char *)&e->rwbs, 'W') ?
					   e->ns :
					   0;
	}
	for (enum disk_waits_kind kind = 0; kind < NR_KINDS; kind++)
		if (k->ns[kind] > k->ns[k->most])
			k->most = kind;
	k->e = k->first[k->most];
	disk_waits_add_interrupts(b, k);
}

/* ---- which sentence that makes ---- */

static uint32_t disk_waits_dev_of(struct rs_ctx *c, const struct disk_waits_case *k)
{
	const struct rs_disk_use_dev *written = k->most == IN_DIRTY ? rs_disk_use_written_back(c->state) :
								      NULL;

	if (k->e->dev || written)
		return k->e->dev ? k->e->dev : written->dev;
	return k->dev || !disk_waits_is_journal(k->e) ? k->dev :
							rs_disk_use_journal_dev(c, c->state, k->e->comm);
}

/*
 * More of what the other one waits is for this one than the other way round: who takes is not told as who
 * suffers.
 */
static bool disk_waits_is_taker(struct rs_ctx *c, const struct disk_waits_case *k)
{
	const struct rs_blame *other = rs_blame_find(c, k->other.comm);
	uint64_t all_ns = 0, ns = 0;

	for (unsigned int i = 0; other && i < other->nr; i++)
		if (RS_PARTS_OF_DISK >> other->at[i].part & 1) {
			all_ns += other->at[i].ns;
			ns += !strcmp(other->at[i].comm, k->b->comm) ? other->at[i].ns : 0;
		}
	return rs_milli(ns, all_ns, 100).u > rs_milli(k->other.amount, k->ns[IN_DEVICE], 100).u;
}

static bool disk_waits_is_shared(struct rs_ctx *c, const struct disk_waits_case *k)
{
	return k->other.amount && k->others_ns > k->ns[IN_DEVICE] / 1000 * OTHERS_LEAST &&
	       !disk_waits_is_taker(c, k);
}

static bool disk_waits_is_one_at_a_time(struct rs_ctx *c, const struct disk_waits_case *k)
{
	return rs_disk_use_dev(c->state, k->e->dev)->d2c_ns < k->interval_ns / 10 * 13 &&
	       k->queued_ns < k->ns[IN_DEVICE] / 5;
}

/*
 * Is most of what the disk moves written back, for one that writes far more? Its requests are with the device
 * meanwhile, several at a time.
 */
static bool disk_waits_find_write_back(struct rs_ctx *c, struct disk_waits_case *k,
				       const struct rs_disk_use_dev *d)
{
	const struct rs_disk_user *writer = d->write_back_bytes > d->bytes / 2 ?
						    rs_disk_use_writer(c->state, k->b->comm, k->interval_ns) :
						    NULL;

	if (writer)
		k->other = *writer;
	return writer;
}

static unsigned int disk_waits_say_device(struct rs_ctx *c, struct disk_waits_case *k)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->e->dev);
	uint64_t nr = d->nr ? d->nr : 1, mean_ns = d->d2c_ns / nr;

	if (disk_waits_is_shared(c, k))
		return k->of_other;
	if (disk_waits_find_write_back(c, k, d))
		return BEHIND_WRITE_BACK;
	if (mean_ns >= SLOW_NS)
		return SLOW;
	if (memchr((const char *)&k->e->rwbs, 'A', sizeof k->e->rwbs))
		return COLD;
	if (d->bytes / nr <= TINY_BYTES &&
	    rs_milli(d->nr * 1000000000, k->interval_ns, 1).u >= TINY_LEAST * 1000ull)
		return TINY;
	if (!d->nr)
		return PENDING;
	return disk_waits_is_one_at_a_time(c, k) ? DEPTH_1 : PLAIN;
}

/* The device is full of the requests of others, so that there is no room for one more; else it is a limit. */
static unsigned int disk_waits_say_before(struct rs_ctx *c, const struct disk_waits_case *k)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->e->dev);
	char name[80];

	if (k->ns[IN_DEVICE] > k->all_ns / 20 && disk_waits_is_shared(c, k))
		return k->of_other;
	if (d->nr_delegated < d->nr - d->nr / 20)
		return HELD;
	return rs_disk_above(c, d->dev, name, sizeof name) ? HELD_ABOVE : HELD_OR_STACKED;
}

/* The process that the device serves for most of the time; false: there is none. */
static bool disk_waits_find_hog(struct rs_ctx *c, struct disk_waits_case *k)
{
	struct rs_disk_user hog = rs_disk_use_most_served(c, c->state, disk_waits_dev_of(c, k), k->b->comm);

	if (hog.amount < k->interval_ns / 1000 * HOG_LEAST)
		return false;
	k->other = hog;
	return true;
}

static unsigned int disk_waits_say_flush(struct rs_ctx *c, struct disk_waits_case *k)
{
	return disk_waits_find_hog(c, k) ? FLUSH_BEHIND : FLUSH;
}

static unsigned int disk_waits_say_writer(struct rs_ctx *c, struct disk_waits_case *k, unsigned int of_other,
					  unsigned int of_itself)
{
	const struct rs_disk_user *writer = rs_disk_use_writer(c->state, k->b->comm, k->interval_ns);

	if (!writer)
		return of_itself;
	k->other = *writer;
	return of_other;
}

/*
 * Another that flushes, and has far more to flush: the commits are most of all its own, and the victim waits
 * for them.
 */
static bool disk_waits_find_heavier(struct rs_ctx *c, struct disk_waits_case *k)
{
	uint32_t dev = disk_waits_dev_of(c, k);
	struct rs_disk_user other = rs_disk_use_most_served(c, c->state, dev, k->b->comm);
	const struct rs_blame *b = other.comm ? rs_blame_find(c, other.comm) : NULL;

	if (!b || other.amount < k->interval_ns / 1000 * HEAVIER_LEAST ||
	    other.amount < 2 * rs_disk_use_served_ns(c, c->state, dev, k->b->comm) ||
	    rs_milli(disk_waits_own_flush_ns(c, b), k->interval_ns, 1).u < DISK_WAITS_LEAST_OF_TIME)
		return false;
	k->other = other;
	return true;
}

/* A commit writes what others wrote, and its flush waits for it. */
static unsigned int disk_waits_say_commit(struct rs_ctx *c, struct disk_waits_case *k)
{
	if (disk_waits_find_hog(c, k))
		return COMMIT_BEHIND;
	return disk_waits_find_heavier(c, k) ? COMMIT_OF_OTHER :
					       disk_waits_say_writer(c, k, COMMIT_OF_OTHER, COMMIT);
}

static unsigned int disk_waits_say_journal(struct rs_ctx *c, struct disk_waits_case *k)
{
	const struct rs_blame *flusher = disk_waits_flusher(c, k->b);

	/* a write with O_SYNC waits for its own requests, then for the commit */
	if (call_is_write(c, k->e->call) && k->own_write_ns)
		return disk_waits_say_commit(c, k);
	if (!flusher)
		return JOURNAL;
	k->other = (struct rs_disk_user){ flusher->comm, flusher->pid, flusher->nr_processes, 0 };
	return JOURNAL_OF_OTHER;
}

static unsigned int disk_waits_say(struct rs_ctx *c, struct disk_waits_case *k)
{
	switch (k->most) {
	case IN_DEVICE:
		return disk_waits_say_device(c, k);
	case IN_BEFORE:
		return disk_waits_say_before(c, k);
	case IN_FAULT:
		return rs_disk_use_dev(c->state, k->e->dev)->nr_page_outs ? SWAP : FAULTS;
	case IN_FLUSH:
		return disk_waits_is_journal(k->e) ? disk_waits_say_commit(c, k) : disk_waits_say_flush(c, k);
	case IN_JOURNAL:
		return disk_waits_say_journal(c, k);
	case IN_DIRTY:
		return disk_waits_say_writer(c, k, DIRTY_OF_OTHER, DIRTY);
	case IN_WRITE:
		return k->own_write_ns ? disk_waits_say_flush(c, k) : KERNEL;
	case IN_RETURN:
		return MEMORY_HIGH;
	default: /* a change of a directory waits for the commit in flight, and is woken by whoever ends it */
		return call_is_change(c, k->e->call) && disk_waits_flusher(c, k->b) ?
			       disk_waits_say_journal(c, k) :
			       KERNEL;
	}
}

/* ---- in words ---- */

static const char *disk_waits_dev_name(struct rs_ctx *c, uint32_t dev, char *buf, size_t size_bytes)
{
	const char *name = dev ? rs_disk_name(c, dev) : NULL;

	if (name || !dev)
		return name ? name : "";
	rs_dev_text(dev, buf, size_bytes);
	return buf;
}

/* Is the only limit of its memory a memory.high? */
static bool disk_waits_is_high(struct rs_ctx *c, const struct disk_waits_case *k,
			       struct rs_memory_limit *limit)
{
	return rs_cgroup_memory_limit(c, k->b->task, limit) && !strcmp(limit->file, "memory.high");
}

#define WORD(name) (len == sizeof name - 1 && !memcmp(word, name, len))

/* Returns the text of a word of the sentences; those that may be missing begin with a space, or are empty. */
static const char *disk_waits_word(struct rs_ctx *c, const struct disk_waits_case *k, const char *word,
				   size_t len, char *buf, size_t size_bytes)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->e->dev);
	const char *call = k->e->call >= 0 ? rs_syscall_name(c, k->e->call) : NULL;
	const char *cgroup = rs_task_cgroup(k->b->task, WORD("limited") ? RS_CGROUP_MEMORY : RS_CGROUP_IO);
	/* a wait for its own write */
	const char *path = WORD("in") && sentences[k->sentence].rule == R_FLUSH ?
				   rs_disk_use_path(c, c->state, k->b->comm, true) :
			   WORD("file") ? rs_disk_use_path(c, c->state, k->b->comm, false) :
					  NULL;
	uint64_t nr = d->nr ? d->nr : 1;
	struct rs_memory_limit limit;
	char disk[100];

	*buf = '\0';
	if (WORD("dev") && disk_waits_dev_of(c, k))
		snprintf(buf, size_bytes, " %.30s",
			 disk_waits_dev_name(c, disk_waits_dev_of(c, k), disk, sizeof disk));
	else if (WORD("disk") && disk_waits_dev_of(c, k))
		snprintf(buf, size_bytes, " %s%s",
			 rs_disk_words(c, disk_waits_dev_of(c, k), disk, sizeof disk),
			 k->irq_ns > k->all_ns / INTERRUPTS_LEAST ? " and its interrupts" : "");
	else if (WORD("in") && call)
		snprintf(buf, size_bytes, " in %s%s%s%.60s", call,
			 sentences[k->sentence].rule == R_FLUSH && !call_is_flush(c, k->e->call) ?
				 " with O_SYNC or O_DSYNC" :
				 "",
			 path ? " of " : "", path ? path : "");
	else if (WORD("file") && path)
		snprintf(buf, size_bytes, "%.60s, which is", path);
	else if (WORD("file"))
		return "files that are";
	else if (WORD("call") && call)
		snprintf(buf, size_bytes, ", in %s", call);
	else if (WORD("own"))
		return k->b->nr_processes > 1 ? "their own" : "its own";
	else if (WORD("tiny"))
		return d->bytes / nr <= TINY_BYTES ? "tiny " : "";
	else if (WORD("each"))
		rs_duration_text(c, d->d2c_ns / nr, buf, size_bytes);
	else if (WORD("bytes"))
		snprintf(buf, size_bytes, "%u", (unsigned int)(d->bytes / nr));
	else if (WORD("held"))
		rs_duration_text(c, k->e->ns / (k->e->nr ? k->e->nr : 1), buf, size_bytes);
	else if (WORD("rate"))
		snprintf(buf, size_bytes, "%u",
			 (unsigned int)(rs_milli(d->nr * 1000000000, k->interval_ns, 1).u / 1000));
	else if (WORD("often"))
		rs_rate_text(k->e->nr * 1000000000 / k->interval_ns, buf, size_bytes);
	else if (WORD("share"))
		snprintf(buf, size_bytes, "%u",
			 (unsigned int)((rs_milli(k->other.amount, k->all_ns, 100).u + 500) /
					1000)); /* of what the sentence says before */
	else if (WORD("busy"))
		snprintf(buf, size_bytes, "%u",
			 (unsigned int)(rs_milli(k->other.amount, k->interval_ns, 100).u / 1000));
	else if (WORD("depth") && disk_waits_is_one_at_a_time(c, k))
		snprintf(buf, size_bytes, ", one at a time (queue depth 1)");
	else if (WORD("cold") && memchr((const char *)&k->e->rwbs, 'A', sizeof k->e->rwbs))
		snprintf(buf, size_bytes, ", for files that are not in the page cache");
	else if (WORD("waker") && k->e->kernel_thread)
		snprintf(buf, size_bytes, sentences[k->sentence].rule == R_JOURNAL ? " (%.16s)" : "%.16s",
			 k->e->comm);
	else if (WORD("limited") && disk_waits_is_high(c, k, &limit))
		snprintf(buf, size_bytes, " %.40s", limit.cgroup);
	else if (WORD("limit") && disk_waits_is_high(c, k, &limit))
		snprintf(buf, size_bytes, " of %s", rs_size_text(limit.bytes, disk, sizeof disk));
	else if ((WORD("cgroup") || WORD("limited")) && cgroup)
		snprintf(buf, size_bytes, " %.40s", cgroup);
	return buf;
}

/* Replaces the words in braces. */
static void disk_waits_expand(struct rs_ctx *c, const struct disk_waits_case *k, const char *text, char *out,
			      size_t size_bytes)
{
	char word[110];
	size_t at = 0, len;

	for (*out = '\0'; *text && at + 1 < size_bytes; text += len) {
		len = strcspn(text, "{");
		if (len) {
			at += (size_t)snprintf(out + at, size_bytes - at, "%.*s", (int)len, text);
			continue;
		}
		len = strcspn(text, "}") + 1;
		at += (size_t)snprintf(out + at, size_bytes - at, "%s",
				       disk_waits_word(c, k, text + 1, len - 2, word, sizeof word));
	}
}

/*
 * Its flushes are nobody else's fault, and it sleeps by its own wish for most of the time: a few commits a
 * second.
 */
static bool disk_waits_is_at_leisure(const struct disk_waits_case *k)
{
	return (k->sentence == FLUSH || k->sentence == COMMIT) &&
	       rs_milli(k->all_ns, k->interval_ns, 1).u < FLUSH_LEAST_OF_TIME;
}

/*
 * Would events tell another cause that were not recorded? Without system calls it is unknown who flushes, who
 * writes what the kernel's threads write back, and in which call it waits.
 */
static bool disk_waits_is_unknown(struct rs_ctx *c, const struct disk_waits_case *k)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->e->dev);

	if (k->sentence == KERNEL || k->sentence == MEMORY_HIGH)
		return !rs_absence_is_known_of_d(c) || (k->e->call < 0 && !k->e->in_no_call);
	/* whose requests does the disk serve? */
	if ((k->most == IN_FLUSH || k->most == IN_JOURNAL) && !rs_absence_is_known(c, RS_EVENTS_REQUESTS))
		return true;
	return !rs_absence_is_known(c, RS_EVENTS_CALLS) &&
	       (k->most == IN_JOURNAL || (k->most == IN_DEVICE && (!strchr((const char *)&k->e->rwbs, 'R') ||
								   d->write_back_bytes > d->bytes / 2)));
}

/* The share from which on a rule reports, in thousandths of a percent. */
static uint64_t disk_waits_least(struct rs_ctx *c, const struct disk_waits_case *k)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->dev);
	unsigned int rule = sentences[k->sentence].rule;

	if (!d->nr || (rule != R_COLD && rule != R_PLAIN && rule != R_DEPTH_1))
		return rules[rule].threshold;
	/* a backup, a copy: as fast as it can be */
	if (d->bytes / d->nr >= STREAM_BYTES && d->bytes > d->busy_ns / 1000 * STREAM_MB)
		return UINT64_MAX;
	return d->d2c_ns / d->nr < QUICK_NS ? QUICK_LEAST : rules[rule].threshold;
}

static struct rs_disk_user disk_waits_culprit(struct rs_ctx *c, const struct disk_waits_case *k, char *buf,
					      size_t size_bytes)
{
	const struct disk_waits_sentence *say = &sentences[k->sentence];
	const char *name = disk_waits_dev_name(c, disk_waits_dev_of(c, k), buf, size_bytes);

	switch (say->by) {
	case BY_OTHER:
		return k->other;
	case BY_DEVICE:
		return (struct rs_disk_user){ .comm = *name ? name : NULL };
	case BY_ABOVE:
		return (struct rs_disk_user){ .comm = rs_disk_above(c, k->e->dev, buf, size_bytes) };
	case BY_WAKER:
		return (struct rs_disk_user){ .comm = k->e->kind == RS_CULPRIT_TASK ? k->e->comm : NULL,
					      .pid = k->e->kind == RS_CULPRIT_TASK && say->rule != R_FLUSH ?
							     k->e->pids[0] :
							     0 };
	default:
		return (struct rs_disk_user){ .comm = say->limit };
	}
}

static void disk_waits_report(struct rs_ctx *c, const struct disk_waits_case *k)
{
	const struct disk_waits_sentence *say = &sentences[k->sentence];
	char cause[160], how[160], where[32], of_disk[48], number[32], name[80];
	const struct rs_evidence of_requests[] = { { "iosnoop", "-lat_ns", where, NULL },
						   { "disks", NULL, of_disk, NULL },
						   { "antagonists", NULL, where, NULL },
						   { "offcpu", "-total_ns", where, NULL },
						   { 0 } };
	/* where others issue its requests, or none was issued yet, iosnoop has no row of the victim */
	const struct rs_evidence of_waits[] = { { "offcpu", "-total_ns", where, NULL },
						{ "antagonists", NULL, where, NULL },
						{ disk_waits_dev_of(c, k) ? "disks" : NULL, NULL, of_disk,
						  NULL },
						{ 0 } };
	bool has_requests = (k->most == IN_DEVICE || k->most == IN_FLUSH || k->most == IN_FAULT) &&
			    rs_disk_use_served_ns(c, c->state, disk_waits_dev_of(c, k), k->b->comm);
	/* a wait that has not ended is in no other view */
	const struct rs_evidence of_pending[] = { of_waits[1], of_waits[2], { 0 } };
	const struct rs_evidence *evidence = has_requests           ? of_requests :
					     k->sentence == PENDING ? of_pending :
								      of_waits;
	struct rs_disk_user culprit = disk_waits_culprit(c, k, name, sizeof name);

	disk_waits_expand(c, k, say->cause, cause, sizeof cause);
	disk_waits_expand(c, k, say->how, how, sizeof how);
	rs_dev_text(disk_waits_dev_of(c, k), number, sizeof number);
	snprintf(where, sizeof where, "pid == %d", k->b->pid);
	snprintf(of_disk, sizeof of_disk, "dev == \"%s\"", number);
	rs_report_finding(c, &(struct rs_finding){
		/* each page from swap costs another that is written to it */
		.rule = &rules[say->rule], .cost_ns = say->rule == R_SWAP ? 2 * k->all_ns : k->all_ns,
		.lost_ns = k->all_ns, .of_ns = k->busy_ns,
		.victim = k->b->comm,
		.victim_pid = k->b->pid, .nr_victims = k->b->nr_processes, .cause = cause, .how = how,
		.culprit = culprit.comm,
		.culprit_pid = culprit.pid, .nr_culprits = culprit.nr,
		.confidence = say->is_inferred ? RS_INFERRED : RS_MEASURED,
		.since_ns = k->e->since_ns,
		/* one view for all of them: who is told as a taker is not listed for waits of its own */
		.view = "disks", .where = disk_waits_dev_of(c, k) ? of_disk : NULL, .evidence = evidence,
	});
}

static void disk_waits_judge(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct disk_waits_case k;

	disk_waits_find(c, b, interval_ns, &k);
	if (!k.busy_ns || !k.e || rs_milli(k.all_ns, interval_ns, 1).u < DISK_WAITS_LEAST_OF_TIME)
		return;
	disk_waits_find_other(c, &k);
	k.sentence = disk_waits_say(c, &k);
	if (!disk_waits_is_at_leisure(&k) && !disk_waits_is_unknown(c, &k) &&
	    rs_milli(k.all_ns, k.busy_ns, 100).u >= disk_waits_least(c, &k))
		disk_waits_report(c, &k);
}

static void disk_waits_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	size_t nr = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr) : NULL;

	if (interval_ns)
		disk_waits_find_writers(c);
	for (size_t i = 0; i < nr; i++)
		disk_waits_judge(c, &list[i], interval_ns);
}

const struct rs_analysis rs_analysis_disk_waits = {
	.abi = RS_ABI,
	.name = "disk-waits",
	.summary = "who waits for a disk, and because of whom",
	.callbacks = RS_LIST(rs_callback, { RS_ON_REQUEST, .request = rs_disk_use_add },
			     { RS_ON_CALL, .call = disk_waits_on_write, .kinds = 1u << RS_CALL_WRITE,
			       .if_recorded = true }),
	.requires_history = true,
	.requires_blame = true,
	.uses_files = true,
	.samples = RS_SAMPLE_CGROUPS,
	.state_size = sizeof(struct rs_disk_use),
	.task_size = sizeof(uint64_t),
	.reset = disk_waits_reset,
	.rules = rules,
	.findings = disk_waits_put_findings,
};
