// SPDX-License-Identifier: GPL-2.0-or-later
/* disk-waits - rules: who waits for a disk or for what is written to one, why, and because of whom */
#include <string.h>

#include "why/cases/disk-case.h"
#include "why/cases/disk-words.h"

#define DISK_WAITS_LEAST 33333        /* of what it did or could not do, in thousandths of a percent */
#define DISK_WAITS_LEAST_OF_TIME 80   /* and of one thread's time, in thousandths */
#define OTHERS_LEAST 200              /* of the wait for the device, for requests of others */
#define SLOW_NS 6000000               /* mean time of a request in the device: any working disk is faster */
#define QUICK_NS 1000000              /* likewise of a disk that is fast enough for what it is asked */
#define QUICK_LEAST 60000             /* from which share on a process waits for one all the same */
#define TINY_LEAST 500                /* requests a second */
#define STREAM_BYTES \
	65536 /* mean of requests, and how many MB a second, of a process that reads or writes large files \
	       */
#define STREAM_MB 100
#define HOG_LEAST \
	500 /* of the time that a disk serves one process, for the flushes of another to wait for that one, \
	       in thousandths */
#define FLUSH_LEAST_OF_TIME \
	333 /* of one thread's time, in thousandths, for who waits for nothing but its own flushes */
#define HEAVIER_LEAST 50              /* likewise, of one that flushes as well, and twice as much */

#define DISK_OF_DEV "dev == \"{dev_number}\""

/* Where others issue its requests, or none was issued yet, iosnoop has no row of the victim. */
static const struct rs_evidence of_requests[] = { { "iosnoop", "-lat_ns", "pid == {pid}" },
						  { "disks", NULL, DISK_OF_DEV },
						  { "antagonists", NULL, "pid == {pid}" },
						  { "offcpu", "-total_ns", "pid == {pid}" },
						  { 0 } },
				of_waits[] = { { "offcpu", "-total_ns", "pid == {pid}" },
					       { "antagonists", NULL, "pid == {pid}" },
					       { "disks", NULL, DISK_OF_DEV },
					       { 0 } },
				/* a wait that has not ended is in no other view */
				of_pending[] = { { "antagonists", NULL, "pid == {pid}" },
						 { "disks", NULL, DISK_OF_DEV },
						 { 0 } };

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

/* One view for all of them: who is told as a taker is not listed for waits of its own. */
#define DISK_RULE_FROM(id, name, summary, least, advice, ...) \
	[R_##id] = { name, summary, least, "%", "waits", advice, .has_chain = true, .view = "disks", \
		     .where = DISK_OF_DEV, .evidence = of_waits, __VA_ARGS__ }
#define DISK_RULE(id, name, summary, ...) DISK_RULE_FROM(id, name, summary, DISK_WAITS_LEAST, __VA_ARGS__)

static const struct rs_rule rules[] = {
	DISK_RULE(SHARED, "disk-shared", "a process waits for a disk that serves the requests of another",
		  "give the other one less of the disk (ionice, io.max), or another disk",
	  .found =
		"A process waits for a disk that serves the requests of another for a good part of that "
		"time, or writes back what another writes: at least {least} of its time.",
	  .wrong =
		"Who wrote what a kernel thread writes back is inferred: the process that writes most. "
		"A disk with many queues may serve both at full speed."),
	DISK_RULE(SLOW, "disk-slow", "a disk takes long for each request, though it has few",
		  "look for errors of the device (dmesg, smartctl)",
	  .found =
		"A process waits for a disk that takes longer for a request on average than a working "
		"disk does, and serves no one else: at least {least} of its time.",
	  .wrong =
		"A disk over a network, or one that a hypervisor throttles, is as slow without any "
		"error: compare with what it should give."),
	DISK_RULE(TINY, "disk-tiny-requests", "a process waits for very many very small requests",
		  "read and write more at once, or buffered",
	  .found =
		"A process waits for a disk that serves very many requests, each very small: at least "
		"{least} of its time.",
	  .wrong =
		"A log whose records must be on disk one by one has to write so. The sizes are those of "
		"all requests of the disk."),
	DISK_RULE(DEPTH_1, "disk-depth-1", "a process has one request at a time, and waits for each",
		  "have several requests in flight (io_uring, threads, readahead)",
	  .found =
		"A process waits for a disk, and its requests hardly ever overlap: at least {least} of "
		"its time, more where the disk is fast.",
	  .wrong =
		"A program that follows links on the disk, as through an index, cannot know its next "
		"request before it has the last one."),
	DISK_RULE(COLD, "cold-cache", "a process reads files that are not in the page cache",
		  "read ahead, or give the page cache more memory",
	  .found =
		"A process waits for requests of the readahead, so what it reads is not in the page "
		"cache: at least {least} of its time, more where the disk is fast.",
	  .wrong =
		"The first read of each file comes from the disk: it is a fault only if the same files "
		"are read again. A copy at the full speed of the disk is not reported."),
	DISK_RULE(PLAIN, "disk-wait", "a process waits for its own requests",
		  "see which requests are slow, and which files they are of",
	  .found =
		"A process waits for its own requests, and no other rule about disks applies: at least "
		"{least} of its time, more where the disk is fast.",
	  .wrong =
		"The disk may be as fast as it can be, and the wait the price of the work. A copy at "
		"the full speed of the disk is not reported."),
	DISK_RULE(FAULTS, "major-faults", "a process waits for pages of mapped files to be read",
		  "read ahead (madvise), or give the page cache more memory",
	  .found =
		"A process waits for the disk in page faults, not in a system call: at least {least} of "
		"its time.",
	  .wrong = "A program that starts reads its code once: look at a later interval."),
	DISK_RULE_FROM(SWAP, "swap-in", "a process waits for pages to be read back from swap", 10000,
		       "give it more memory, or a higher memory limit",
	  .found =
		"A process waits in page faults for a disk to which pages are written out: at least "
		"{least} of its time.",
	  .wrong =
		"That the pages come from swap is inferred from what is written to the disk meanwhile: "
		"mapped files on the same disk look alike."),
	DISK_RULE(FLUSH, "disk-flush",
		  "a process waits in fsync, or writes with O_SYNC: the disk has to flush each time",
		  "flush less often: several writes, then one fsync",
	  .found =
		"A process waits in fsync or a like call, or in a write with O_SYNC, for the flush of a "
		"disk or the commit that it forces: at least {least} of its time.",
	  .wrong =
		"Data that must survive a power failure has to be flushed: how often is the question. "
		"Whose data makes the flush long is inferred."),
	DISK_RULE_FROM(JOURNAL, "disk-journal", "a process waits for the file system's journal to commit",
		       20000, "see who calls fsync; put its files on another file system",
	  .found =
		"A process waits in a call that changes files for the journal of its file system to "
		"commit: at least {least} of its time.",
	  .wrong =
		"Who forces the commits is inferred: the process that flushes most. Nothing is reported "
		"where no system calls were recorded."),
	DISK_RULE(HELD, "disk-held-back", "the requests of a process are held back before the device",
		  "see io.max of its cgroup, and stacked devices (dmsetup table)",
	  .found =
		"The requests of a process wait longer before they are issued to the device than in it, "
		"and it is not full of requests of others: at least {least} of its time.",
	  .wrong =
		"An I/O scheduler that idles, or a stacked device, delays requests as well: io.max is "
		"named as the likely cause."),
	DISK_RULE(DIRTY, "write-back", "a process is held back as a writer until dirty pages are written",
		  "write less, or to a faster disk; see vm.dirty_bytes",
	  .found =
		"A process that writes is put to sleep until dirty pages are written: at least {least} "
		"of its time.",
	  .wrong = "Whose dirty pages these are is inferred: the process that writes most."),
	DISK_RULE(MEMORY_HIGH, "memory-high",
		  "a process is held back on its return from the kernel: memory.high of its cgroup",
		  "raise memory.high of its cgroup",
	  .found =
		"A process sleeps in state D on its return from the kernel, and no other event explains "
		"it: at least {least} of its time.",
	  .wrong =
		"The cause is inferred: throttling of block I/O for its cgroup sleeps in the same "
		"place."),
	DISK_RULE(KERNEL, "blocked", "a process is in state D and no event tells why",
		  "see the system call that it is in",
	  .found =
		"A process is in state D, all events that could explain that were recorded, and none "
		"does: at least {least} of its time.",
	  .wrong =
		"There is a cause, but no event for it: NFS, FUSE, a driver. Stacks of waits (--stacks) "
		"name the function that it sleeps in."),
	{ 0 },
};

/* ---- what it says, and whose doing it is ---- */

enum {
	SHARED, /* these three in the order of enum rs_disk_reason */
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
	NR_ROWS
};

#define DISK_CAUSE "for disk{ |disk}{ and its |irqs}"
#define DISK_IN "{ in |call}{ with |sync}{ of |synced_file}"

#define DISK_ROW(id, of, culprit, cause, how, ...) \
	[id] = { .rule = &rules[R_##of], .by = RS_DISK_##culprit, .says = { cause, how }, __VA_ARGS__ }

static const struct rs_rule_row rows[NR_ROWS] = {
	DISK_ROW(SHARED, SHARED, BY_OTHER, DISK_CAUSE, "{share} of it for requests of {culprit}"),
	DISK_ROW(SHARED_WRITE_BACK, SHARED, BY_OTHER, DISK_CAUSE,
	    "{share} of it for the write-back of what {culprit} {^writes}", .is_inferred = true),
	DISK_ROW(SHARED_COMMITS, SHARED, BY_OTHER, DISK_CAUSE,
	    "{share} of it for commits and flushes that {culprit} {^forces}", .is_inferred = true),
	DISK_ROW(BEHIND_WRITE_BACK, SHARED, BY_OTHER, DISK_CAUSE,
	    "the disk writes back what {culprit} {^writes} meanwhile, {each} for each request",
	    .is_inferred = true),
	DISK_ROW(SLOW, SLOW, BY_DEVICE, DISK_CAUSE,
	    "the device {culprit} {^is} slow, it takes {each} for a request{, |depth}{, |cold}"),
	DISK_ROW(TINY, TINY, BY_DEVICE, DISK_CAUSE, "tiny requests, {bytes} bytes each, {rate} a second"),
	DISK_ROW(DEPTH_1, DEPTH_1, BY_DEVICE, DISK_CAUSE,
	    "one {tiny}request at a time (queue depth 1), of {bytes} bytes, the device takes {each} for "
	    "each{, |cold}"),
	DISK_ROW(COLD, COLD, BY_DEVICE, DISK_CAUSE,
	    "it reads {file}{of_one/files that are} not in the page cache (cold cache), {each} for each "
	    "request"),
	DISK_ROW(PLAIN, PLAIN, BY_DEVICE, DISK_CAUSE,
	    "the disk is busy with {own} requests, of {bytes} bytes and {each} each"),
	DISK_ROW(PENDING, DEPTH_1, BY_DEVICE, DISK_CAUSE, "its request has not completed yet",
	    .evidence = of_pending),
	DISK_ROW(FAULTS, FAULTS, BY_DEVICE, "in major page faults, " DISK_CAUSE,
	    "pages that are not in the page cache, {each} for each request"),
	DISK_ROW(SWAP, SWAP, BY_DEVICE, "for pages from swap (disk{ |dev})",
	    "its memory does not fit, or its memory limit is too low", .is_inferred = true),
	DISK_ROW(FLUSH, FLUSH, BY_DEVICE, DISK_CAUSE DISK_IN, "a flush for each write, {often}"),
	DISK_ROW(FLUSH_BEHIND, FLUSH, BY_OTHER, DISK_CAUSE DISK_IN,
	    "the disk serves requests of {culprit} meanwhile, {busy} of its time", .is_inferred = true),
	DISK_ROW(COMMIT, FLUSH, BY_WAKER, DISK_CAUSE DISK_IN, "{culprit} {^commits} and {^flushes}, {often}"),
	DISK_ROW(COMMIT_OF_OTHER, FLUSH, BY_OTHER, DISK_CAUSE DISK_IN,
	    "{waker} commits and flushes what {culprit} {^writes}, {often}", .is_inferred = true),
	DISK_ROW(COMMIT_BEHIND, FLUSH, BY_OTHER, DISK_CAUSE DISK_IN,
	    "{waker} commits and flushes, while the disk serves requests of {culprit} {busy} of its time",
	    .is_inferred = true),
	DISK_ROW(JOURNAL, JOURNAL, BY_WAKER, "for the journal of a file system" DISK_IN,
	    "{culprit} {^commits}", .is_inferred = true),
	DISK_ROW(JOURNAL_OF_OTHER, JOURNAL, BY_OTHER, "for the journal of a file system" DISK_IN,
	    "{culprit} {^forces} commits{ (|waker|)}", .is_inferred = true),
	DISK_ROW(HELD, HELD, BY_IO_MAX, DISK_CAUSE DISK_IN,
	    "its requests are held back before the device, by io.max of its cgroup{ |cgroup}",
	    .is_inferred = true),
	DISK_ROW(HELD_ABOVE, HELD, BY_ABOVE, DISK_CAUSE DISK_IN,
	    "the stacked device {culprit} {^delays} its requests, {held} each, before they reach the "
	    "disk{ |dev} below it", .is_inferred = true),
	DISK_ROW(HELD_OR_STACKED, HELD, BY_IO_MAX, DISK_CAUSE DISK_IN,
	    "its requests are held back before the device, by io.max of its cgroup or by a delay of a "
	    "stacked device", .is_inferred = true),
	DISK_ROW(DIRTY, DIRTY, BY_DEVICE, "for write-back" DISK_IN,
	    "too many dirty pages, the disk{ |dev} is slower than what is written"),
	DISK_ROW(DIRTY_OF_OTHER, DIRTY, BY_OTHER, "for write-back" DISK_IN,
	    "too many dirty pages, the disk{ |dev} is slower than what {culprit} {^writes}",
	    .is_inferred = true),
	DISK_ROW(MEMORY_HIGH, MEMORY_HIGH, BY_MEMORY_HIGH, "held back on return to user mode",
	    "its cgroup{ |limited} is over its memory limit{ of |limit} (memory.high)", .is_inferred = true),
	DISK_ROW(KERNEL, KERNEL, BY_WAKER,
	    "for something in the kernel that no event tells (state D{, in |call})", "{culprit} {^ends} it"),
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
			rs_disk_use_add_writer(c, t, bytes);
	}
}

/* ---- which sentence that makes ---- */

/*
 * More of what the other one waits is for this one than the other way round: who takes is not told as who
 * suffers.
 */
static bool disk_waits_is_taker(struct rs_ctx *c, const struct rs_disk_case *k)
{
	const struct rs_blame *other = rs_blame_find(c, k->other.comm, k->other.pid);
	uint64_t all_ns = 0, ns = 0;

	for (unsigned int i = 0; other && i < other->nr; i++)
		if (RS_PARTS_OF_DISK >> other->at[i].part & 1) {
			all_ns += other->at[i].ns;
			ns += rs_blame_is_of(&other->at[i], k->of.b) ? other->at[i].ns : 0;
		}
	return rs_milli(ns, all_ns, 100).u > rs_milli(k->other.amount, k->ns[RS_IN_DEVICE], 100).u;
}

static bool disk_waits_is_shared(struct rs_ctx *c, const struct rs_disk_case *k)
{
	return k->other.amount && k->others_ns > k->ns[RS_IN_DEVICE] / 1000 * OTHERS_LEAST &&
	       !disk_waits_is_taker(c, k);
}

/*
 * Is most of what the disk moves written back, for one that writes far more? Its requests are with the device
 * meanwhile, several at a time.
 */
static bool disk_waits_find_write_back(struct rs_ctx *c, struct rs_disk_case *k,
				       const struct rs_disk_use_dev *d)
{
	const struct rs_disk_user *writer =
		d->write_back_bytes > d->bytes / 2 ?
			rs_disk_use_writer(c->state, k->of.b, k->of.interval_ns) :
			NULL;

	if (writer)
		k->other = *writer;
	return writer;
}

static unsigned int disk_waits_say_device(struct rs_ctx *c, struct rs_disk_case *k)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->of.e->dev);
	uint64_t nr = d->nr ? d->nr : 1, mean_ns = d->d2c_ns / nr;

	if (disk_waits_is_shared(c, k))
		return SHARED + k->reason;
	if (disk_waits_find_write_back(c, k, d))
		return BEHIND_WRITE_BACK;
	if (mean_ns >= SLOW_NS)
		return SLOW;
	if (memchr((const char *)&k->of.e->rwbs, 'A', sizeof k->of.e->rwbs))
		return COLD;
	if (d->bytes / nr <= RS_DISK_TINY_BYTES &&
	    rs_milli(d->nr * 1000000000, k->of.interval_ns, 1).u >= TINY_LEAST * 1000ull)
		return TINY;
	if (!d->nr)
		return PENDING;
	return rs_disk_words_is_one_at_a_time(c, k) ? DEPTH_1 : PLAIN;
}

/* The device is full of the requests of others, so that there is no room for one more; else it is a limit. */
static unsigned int disk_waits_say_before(struct rs_ctx *c, const struct rs_disk_case *k)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->of.e->dev);
	char name[80];

	if (k->ns[RS_IN_DEVICE] > k->of.ns / 20 && disk_waits_is_shared(c, k))
		return SHARED + k->reason;
	if (d->nr_delegated < d->nr - d->nr / 20)
		return HELD;
	return rs_disk_above(c, d->dev, name, sizeof name) ? HELD_ABOVE : HELD_OR_STACKED;
}

/* The process that the device serves for most of the time; false: there is none. */
static bool disk_waits_find_hog(struct rs_ctx *c, struct rs_disk_case *k)
{
	struct rs_disk_user hog =
		rs_disk_use_most_served(c, c->state, rs_disk_case_dev(k), k->of.b);

	if (hog.amount < k->of.interval_ns / 1000 * HOG_LEAST)
		return false;
	k->other = hog;
	return true;
}

static unsigned int disk_waits_say_flush(struct rs_ctx *c, struct rs_disk_case *k)
{
	return disk_waits_find_hog(c, k) ? FLUSH_BEHIND : FLUSH;
}

static unsigned int disk_waits_say_writer(struct rs_ctx *c, struct rs_disk_case *k, unsigned int of_other,
					  unsigned int of_itself)
{
	const struct rs_disk_user *writer = rs_disk_use_writer(c->state, k->of.b, k->of.interval_ns);

	if (!writer)
		return of_itself;
	k->other = *writer;
	return of_other;
}

/*
 * Another that flushes, and has far more to flush: the commits are most of all its own, and the victim waits
 * for them.
 */
static bool disk_waits_find_heavier(struct rs_ctx *c, struct rs_disk_case *k)
{
	uint32_t dev = rs_disk_case_dev(k);
	struct rs_disk_user other = rs_disk_use_most_served(c, c->state, dev, k->of.b);
	const struct rs_blame *b = other.comm ? rs_blame_find(c, other.comm, other.pid) : NULL;

	if (!b || other.amount < k->of.interval_ns / 1000 * HEAVIER_LEAST ||
	    other.amount < 2 * rs_disk_use_served_ns(c, c->state, dev, k->of.b) ||
	    rs_milli(rs_disk_case_own_flush_ns(c, b), k->of.interval_ns, 1).u < DISK_WAITS_LEAST_OF_TIME)
		return false;
	k->other = other;
	return true;
}

/* A commit writes what others wrote, and its flush waits for it. */
static unsigned int disk_waits_say_commit(struct rs_ctx *c, struct rs_disk_case *k)
{
	if (disk_waits_find_hog(c, k))
		return COMMIT_BEHIND;
	return disk_waits_find_heavier(c, k) ? COMMIT_OF_OTHER :
					       disk_waits_say_writer(c, k, COMMIT_OF_OTHER, COMMIT);
}

static unsigned int disk_waits_say_journal(struct rs_ctx *c, struct rs_disk_case *k)
{
	const struct rs_blame *flusher = rs_disk_case_flusher(c, k->of.b);

	/* a write with O_SYNC waits for its own requests, then for the commit */
	if (rs_call_is(c, k->of.e->call, RS_CLASS_WRITE) && k->own_write_ns)
		return disk_waits_say_commit(c, k);
	if (!flusher)
		return JOURNAL;
	k->other = (struct rs_disk_user){ flusher->comm, flusher->program, flusher->pid,
					       flusher->nr_processes, 0 };
	return JOURNAL_OF_OTHER;
}

static unsigned int disk_waits_say(struct rs_ctx *c, struct rs_disk_case *k)
{
	switch (k->most) {
	case RS_IN_DEVICE:
		return disk_waits_say_device(c, k);
	case RS_IN_BEFORE:
		return disk_waits_say_before(c, k);
	case RS_IN_FAULT:
		return rs_disk_use_dev(c->state, k->of.e->dev)->nr_page_outs ? SWAP : FAULTS;
	case RS_IN_FLUSH:
		return rs_disk_case_is_journal(k->of.e) ? disk_waits_say_commit(c, k) :
							disk_waits_say_flush(c, k);
	case RS_IN_JOURNAL:
		return disk_waits_say_journal(c, k);
	case RS_IN_DIRTY:
		return disk_waits_say_writer(c, k, DIRTY_OF_OTHER, DIRTY);
	case RS_IN_WRITE:
		return k->own_write_ns ? disk_waits_say_flush(c, k) : KERNEL;
	case RS_IN_RETURN:
		return MEMORY_HIGH;
	default: /* a change of a directory waits for the commit in flight, and is woken by whoever ends it */
		return rs_call_is(c, k->of.e->call, RS_CLASS_CHANGE) && rs_disk_case_flusher(c, k->of.b) ?
			       disk_waits_say_journal(c, k) :
			       KERNEL;
	}
}

/*
 * Its flushes are nobody else's fault, and it sleeps by its own wish for most of the time: a few commits a
 * second.
 */
static bool disk_waits_is_at_leisure(const struct rs_disk_case *k, unsigned int row)
{
	return (row == FLUSH || row == COMMIT) &&
	       rs_milli(k->of.ns, k->of.interval_ns, 1).u < FLUSH_LEAST_OF_TIME;
}

/*
 * Would events tell another cause that were not recorded? Without system calls it is unknown who flushes, who
 * writes what the kernel's threads write back, and in which call it waits.
 */
static bool disk_waits_is_unknown(struct rs_ctx *c, const struct rs_disk_case *k, unsigned int row)
{
	const struct rs_disk_use_dev *d = rs_disk_use_dev(c->state, k->of.e->dev);
	const struct rs_blame_entry *e = k->of.e;

	if (row == KERNEL || row == MEMORY_HIGH)
		return !rs_absence_is_known_of_d(c) || (e->call < 0 && !e->in_no_call);
	/* whose requests does the disk serve? */
	if ((k->most == RS_IN_FLUSH || k->most == RS_IN_JOURNAL) &&
	    !rs_absence_is_known(c, RS_EVENTS_REQUESTS))
		return true;
	return !rs_absence_is_known(c, RS_EVENTS_CALLS) &&
	       (k->most == RS_IN_JOURNAL ||
		(k->most == RS_IN_DEVICE &&
		 (!strchr((const char *)&e->rwbs, 'R') || d->write_back_bytes > d->bytes / 2)));
}

static bool disk_waits_find(struct rs_case *of)
{
	struct rs_disk_case *k = (struct rs_disk_case *)of;

	rs_disk_case_gather(k);
	if (!of->of_ns || !of->e || rs_milli(of->ns, of->interval_ns, 1).u < DISK_WAITS_LEAST_OF_TIME)
		return false;
	rs_disk_case_find_other(k);
	return true;
}

static const struct rs_rule_row *disk_waits_choose(struct rs_case *of)
{
	struct rs_disk_case *k = (struct rs_disk_case *)of;
	unsigned int row = disk_waits_say(of->c, k);

	k->is_of_flush = rows[row].rule == &rules[R_FLUSH];
	return disk_waits_is_at_leisure(k, row) || disk_waits_is_unknown(of->c, k, row) ? NULL : &rows[row];
}

static uint64_t disk_waits_least(const struct rs_case *k, const struct rs_rule_row *row)
{
	const struct rs_disk_use_dev *d =
		rs_disk_use_dev(k->c->state, ((const struct rs_disk_case *)k)->dev);
	bool is_quick = row->rule == &rules[R_COLD] || row->rule == &rules[R_PLAIN] ||
			row->rule == &rules[R_DEPTH_1];

	if (!d->nr || !is_quick)
		return row->rule->threshold;
	/* a backup, a copy: as fast as it can be */
	if (d->bytes / d->nr >= STREAM_BYTES && d->bytes > d->busy_ns / 1000 * STREAM_MB)
		return RS_CASE_NEVER;
	return d->d2c_ns / d->nr < QUICK_NS ? QUICK_LEAST : row->rule->threshold;
}

static void disk_waits_blame(struct rs_case *of, const struct rs_rule_row *row)
{
	struct rs_disk_case *k = (struct rs_disk_case *)of;

	of->culprit = rs_disk_words_culprit(k, row->by);
	/* each page from swap costs another that is written to it */
	of->cost_ns = row->rule == &rules[R_SWAP] ? 2 * of->ns : of->ns;
	if ((k->most == RS_IN_DEVICE || k->most == RS_IN_FLUSH || k->most == RS_IN_FAULT) &&
	    rs_disk_use_served_ns(of->c, of->c->state, rs_disk_case_dev(k), of->b))
		of->evidence = of_requests;
}

static const struct rs_family disk_family = {
	.rows = rows, .find = disk_waits_find, .choose = disk_waits_choose, .least = disk_waits_least,
	.blame = disk_waits_blame, .slots = rs_disk_words_slots,
	.case_size_bytes = RS_CASE_SIZE(struct rs_disk_case),
};

static void disk_waits_put_findings(struct rs_ctx *c)
{
	if (rs_judged_ns(c))
		disk_waits_find_writers(c);
	rs_evaluate(c, (const struct rs_family *const[]){ &disk_family }, 1);
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
