// SPDX-License-Identifier: GPL-2.0-or-later
/* disk-waits - findings: who waits for a disk or for what is written to one, why, and because of whom */
#include <stdio.h>

#include "ringside/plugin.h"

#define DISK_WAITS_LEAST 33333        /* of what it did or could not do, in thousandths of a percent */
#define DISK_WAITS_LEAST_OF_TIME 80   /* and of one thread's time, in thousandths */
#define OTHERS_LEAST 200              /* of the wait for the device, for requests of others */
#define SLOW_NS 6000000               /* mean time of a request in the device: any working disk is faster */
#define QUICK_NS 1000000              /* likewise of a disk that is fast enough for what it is asked */
#define QUICK_LEAST 60000             /* from which share on a process waits for one all the same */
#define TINY_BYTES 2048               /* mean of requests, where they are many */
#define TINY_LEAST 500                /* requests a second */

enum { SHARED, SLOW, TINY, DEPTH_1, COLD, PLAIN, FAULTS, SWAP, FLUSH, JOURNAL, HELD, DIRTY, MEMORY_HIGH, KERNEL };

#define ROW(id, name, summary, advice) [id] = { name, summary, DISK_WAITS_LEAST, "%", "waits", advice }

static const struct rs_rule rules[] = {
	ROW(SHARED, "disk-shared", "a process waits for a disk that serves the requests of another",
	    "give the other one less of the disk (ionice, io.max), or another disk"),
	ROW(SLOW, "disk-slow", "a disk takes long for each request, though it has few", "look for errors of the device (dmesg, smartctl)"),
	ROW(TINY, "disk-tiny-requests", "a process waits for very many very small requests", "read and write more at once, or buffered"),
	ROW(DEPTH_1, "disk-depth-1", "a process has one request at a time, and waits for each", "have several requests in flight (io_uring, threads, readahead)"),
	ROW(COLD, "cold-cache", "a process reads files that are not in the page cache", "read ahead, or give the page cache more memory"),
	ROW(PLAIN, "disk-wait", "a process waits for its own requests", "see which requests are slow, and which files they are of"),
	ROW(FAULTS, "major-faults", "a process waits for pages of mapped files to be read", "read ahead (madvise), or give the page cache more memory"),
	[SWAP] = { "swap-in", "a process waits for pages to be read back from swap", 10000, "%", "waits", "give it more memory, or a higher memory limit" },
	ROW(FLUSH, "disk-flush", "a process waits in fsync, or writes with O_SYNC: the disk has to flush each time", "flush less often: several writes, then one fsync"),
	[JOURNAL] = { "disk-journal", "a process waits for the file system's journal to commit", 20000, "%", "waits",
		      "see who calls fsync; put its files on another file system" },
	ROW(HELD, "disk-held-back", "the requests of a process are held back before the device", "see io.max of its cgroup, and stacked devices (dmsetup table)"),
	ROW(DIRTY, "write-back", "a process is held back as a writer until dirty pages are written", "write less, or to a faster disk; see vm.dirty_bytes"),
	ROW(MEMORY_HIGH, "memory-high", "a process is held back on its return from the kernel: memory.high of its cgroup", "raise memory.high of its cgroup"),
	ROW(KERNEL, "blocked", "a process is in state D and no event tells why", "see the system call that it is in"),
	{ 0 },
};

/* ---- what the devices did ---- */

#define MAX_DEVS 64

struct disk_waits_dev {
	uint32_t dev;
	uint64_t nr, bytes, d2c_ns;
	uint64_t nr_page_outs;     /* writes that a task issued outside of any system call: swap */
};

struct disk_waits {
	struct disk_waits_dev devs[MAX_DEVS];
	unsigned int nr;
};

static struct disk_waits_dev *disk_waits_dev(struct rs_ctx *c, uint32_t dev)
{
	static struct disk_waits_dev none;
	struct disk_waits *s = c->state;

	for (unsigned int i = 0; i < s->nr; i++)
		if (s->devs[i].dev == dev)
			return &s->devs[i];
	if (s->nr == MAX_DEVS)
		return &none;
	s->devs[s->nr].dev = dev;
	return &s->devs[s->nr++];
}

static void disk_waits_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct disk_waits_dev *d;
	const struct rs_task *t;

	if (r->discarded || !r->issue_ns || !r->bytes)
		return;
	d = disk_waits_dev(c, r->dev);
	d->nr++;
	d->bytes += r->bytes;
	d->d2c_ns += r->complete_ns - r->issue_ns;
	t = strchr(r->rwbs, 'W') && r->tid > 0 ? rs_task_find(c, r->tid) : NULL;
	d->nr_page_outs += t && !t->kernel_thread && t->syscall < 0;
}

static void disk_waits_reset(struct rs_ctx *c)
{
	memset(c->state, 0, sizeof(struct disk_waits));
}

/* ---- what a process waits for ---- */

enum disk_waits_kind { IN_DEVICE, IN_FAULT, IN_FLUSH, IN_JOURNAL, IN_IO, IN_DIRTY, IN_RETURN, IN_KERNEL, NR_KINDS };

struct disk_waits_case {
	const struct rs_blame *b;
	uint64_t ns[NR_KINDS], all_ns, busy_ns;
	const struct rs_blame_entry *first[NR_KINDS]; /* the costliest */
	const struct rs_blame_entry *other;           /* of the requests of others */
	uint64_t other_ns, before_ns, own_write_ns;
	uint32_t dev;                                 /* of the costliest wait that has one; 0: unknown */
};

static bool call_is_one_of(struct rs_ctx *c, int64_t call, const char *names)
{
	const char *name = call >= 0 ? rs_syscall_name(c, call) : NULL, *at = name ? strstr(names, name) : NULL;
	size_t len = name ? strlen(name) : 0;

	return at && (at == names || at[-1] == ',') && (at[len] == ',' || !at[len]);
}

static bool call_is_flush(struct rs_ctx *c, int64_t call)
{
	return call_is_one_of(c, call, "fsync,fdatasync,msync,sync,syncfs,sync_file_range");
}

static bool call_is_io(struct rs_ctx *c, int64_t call)
{
	return call_is_one_of(c, call, "read,readv,pread64,preadv,preadv2,write,writev,pwrite64,pwritev,pwritev2,io_getevents,io_uring_enter,"
			      "sendfile64,sendfile,splice,copy_file_range");
}

static bool call_is_change(struct rs_ctx *c, int64_t call)
{
	return call_is_one_of(c, call, "openat,open,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,"
			      "truncate,ftruncate,fallocate,chmod,fchmod,chown,fchown,utimensat");
}

static enum disk_waits_kind disk_waits_kind(struct rs_ctx *c, const struct rs_blame_entry *e)
{
	if (e->part == RS_PART_DIRTY || e->part == RS_PART_THROTTLE)
		return IN_DIRTY;
	if (e->part == RS_PART_DISK_FLUSH || call_is_flush(c, e->call))
		return IN_FLUSH;
	if (e->part == RS_PART_FAULT || (e->part != RS_PART_KERNEL && e->call < 0))
		return IN_FAULT;
	if (e->part != RS_PART_KERNEL)
		return IN_DEVICE;
	if (e->kernel_thread && !strncmp(e->comm, "jbd2/", 5))
		return IN_JOURNAL;
	if (e->call < 0)
		return IN_RETURN;
	return e->kind == RS_CULPRIT_INTERRUPT && call_is_io(c, e->call) ? IN_IO : IN_KERNEL;
}

#define DISK_WAITS_PARTS (RS_PARTS_OF_DISK | RS_PART_BIT(FAULT) | RS_PART_BIT(DIRTY) | RS_PART_BIT(THROTTLE) | RS_PART_BIT(KERNEL))

static void disk_waits_find(struct rs_ctx *c, const struct rs_blame *b, struct disk_waits_case *k)
{
	*k = (struct disk_waits_case){ .b = b, .busy_ns = rs_blame_busy_ns(b) };
	for (unsigned int i = 0; i < b->nr; i++) {
		const struct rs_blame_entry *e = &b->at[i];
		enum disk_waits_kind kind = disk_waits_kind(c, e);

		if (!(DISK_WAITS_PARTS >> e->part & 1) || call_is_one_of(c, e->call, "vfork,clone,clone3")) /* a child is waited for in state D */
			continue;
		k->ns[kind] += e->ns;
		k->all_ns += e->ns;
		if (!k->first[kind])
			k->first[kind] = e;
		k->dev = k->dev ? k->dev : e->dev;
		if (e->part == RS_PART_DISK_BEFORE)
			k->before_ns += e->ns;
		if (e->kind == RS_CULPRIT_TASK && kind == IN_DEVICE) {
			k->other_ns += e->ns;
			k->other = k->other ? k->other : e;
		}
		k->own_write_ns += kind == IN_DEVICE && strchr((const char *)&e->rwbs, 'W') ? e->ns : 0;
	}
}

static enum disk_waits_kind disk_waits_most(const struct disk_waits_case *k)
{
	enum disk_waits_kind most = IN_DEVICE;

	for (enum disk_waits_kind kind = 0; kind < NR_KINDS; kind++)
		if (k->ns[kind] > k->ns[most])
			most = kind;
	return most;
}

static unsigned int disk_waits_rule_of_device(struct rs_ctx *c, const struct disk_waits_case *k, uint64_t interval_ns)
{
	const struct disk_waits_dev *d = disk_waits_dev(c, k->first[IN_DEVICE]->dev);
	uint64_t nr = d->nr ? d->nr : 1, mean_ns = d->d2c_ns / nr;
	const char *rwbs = (const char *)&k->first[IN_DEVICE]->rwbs;

	if (k->other_ns > k->ns[IN_DEVICE] / 1000 * OTHERS_LEAST)
		return SHARED;
	if (k->before_ns > k->ns[IN_DEVICE] / 2)
		return HELD;
	if (mean_ns >= SLOW_NS)
		return SLOW;
	if (memchr(rwbs, 'A', sizeof k->first[IN_DEVICE]->rwbs))
		return COLD;
	if (d->bytes / nr <= TINY_BYTES && rs_milli(d->nr * 1000000000, interval_ns, 1).u >= TINY_LEAST * 1000ull)
		return TINY;
	return d->d2c_ns < interval_ns / 10 * 13 ? DEPTH_1 : PLAIN;
}

/* Who calls fsync most, of the others: NULL unknown. */
static const struct rs_blame *disk_waits_flusher(struct rs_ctx *c, const struct rs_blame *victim)
{
	const struct rs_blame *found = NULL, *list;
	uint64_t most_ns = 0;
	size_t nr;

	list = rs_blame_list(c, &nr);
	for (size_t i = 0; i < nr; i++)
		for (unsigned int j = 0; j < list[i].nr; j++)
			if (&list[i] != victim && call_is_flush(c, list[i].at[j].call) && list[i].at[j].ns > most_ns) {
				most_ns = list[i].at[j].ns;
				found = &list[i];
			}
	return found;
}

static unsigned int disk_waits_rule(struct rs_ctx *c, const struct disk_waits_case *k, enum disk_waits_kind most, uint64_t interval_ns)
{
	switch (most) {
	case IN_DEVICE:
		return disk_waits_rule_of_device(c, k, interval_ns);
	case IN_FAULT:
		return disk_waits_dev(c, k->first[IN_FAULT]->dev)->nr_page_outs ? SWAP : FAULTS;
	case IN_FLUSH:
		return FLUSH;
	case IN_JOURNAL:
		return JOURNAL;
	case IN_DIRTY:
		return DIRTY;
	case IN_IO: /* a write with O_SYNC waits for its own requests, then for the flush */
		return k->own_write_ns && call_is_one_of(c, k->first[IN_IO]->call, "write,writev,pwrite64,pwritev,pwritev2") ? FLUSH : HELD;
	case IN_RETURN:
		return MEMORY_HIGH;
	default: /* a change of a directory waits for the commit in flight, and is woken by whoever ends it */
		return call_is_change(c, k->first[most]->call) && disk_waits_flusher(c, k->b) ? JOURNAL : KERNEL;
	}
}

/* ---- in words ---- */

struct disk_waits_words {
	char dev[40], number[32], cause[120], how[120];
	const char *culprit;
	int32_t culprit_pid;
	unsigned int nr_culprits;
};

/* The device of the wait, else of any request of the process; "": unknown. */
static void disk_waits_name_dev(struct rs_ctx *c, const struct disk_waits_case *k, enum disk_waits_kind most, struct disk_waits_words *w)
{
	uint32_t dev = k->first[most]->dev ? k->first[most]->dev : k->dev;
	const char *name;

	w->dev[0] = w->number[0] = '\0';
	if (!dev)
		return;
	rs_dev_text(dev, w->number, sizeof w->number);
	name = rs_disk_name(c, dev);
	snprintf(w->dev, sizeof w->dev, "%.30s", name ? name : w->number);
}

static unsigned int disk_waits_percent(uint64_t part_ns, uint64_t all_ns)
{
	return (unsigned int)((rs_milli(part_ns, all_ns, 100).u + 500) / 1000);
}

static void disk_waits_say(struct rs_ctx *c, const struct disk_waits_case *k, unsigned int rule, enum disk_waits_kind most, uint64_t interval_ns,
			   struct disk_waits_words *w)
{
	const struct rs_blame_entry *e = k->first[most];
	const struct disk_waits_dev *d = disk_waits_dev(c, e->dev);
	const char *call = e->call >= 0 ? rs_syscall_name(c, e->call) : NULL;
	uint64_t nr = d->nr ? d->nr : 1;
	const struct rs_blame *flusher;
	char mean[40];

	disk_waits_name_dev(c, k, most, w);
	snprintf(w->cause, sizeof w->cause, "for disk%s%s", *w->dev ? " " : "", w->dev);
	w->how[0] = '\0';
	w->culprit = *w->dev ? w->dev : NULL;
	w->culprit_pid = 0;
	w->nr_culprits = 0;
	rs_duration_text(c, d->d2c_ns / nr, mean, sizeof mean);
	switch (rule) {
	case SHARED:
		w->culprit = k->other->comm;
		w->culprit_pid = k->other->pids[0];
		w->nr_culprits = rs_blame_nr_culprits(c, k->other);
		snprintf(w->how, sizeof w->how, "%u %% of it for requests of *", disk_waits_percent(k->other_ns, k->ns[IN_DEVICE]));
		break;
	case SLOW:
		snprintf(w->how, sizeof w->how, "the device * is slow, it takes %s for a request", mean);
		break;
	case TINY:
		snprintf(w->how, sizeof w->how, "tiny requests, %u bytes each, %u a second", (unsigned int)(d->bytes / nr),
			 (unsigned int)(rs_milli(d->nr * 1000000000, interval_ns, 1).u / 1000));
		break;
	case DEPTH_1:
		snprintf(w->how, sizeof w->how, d->nr ? "one request at a time (queue depth 1) of %u bytes%s, %s each" : "its request has not completed yet",
			 (unsigned int)(d->bytes / nr), strchr((const char *)&e->rwbs, 'R') ? " that are not in the page cache" : "", mean);
		break;
	case COLD:
		snprintf(w->how, sizeof w->how, "it reads files that are not in the page cache (cold cache)");
		break;
	case FAULTS:
		snprintf(w->cause, sizeof w->cause, "in major page faults, for disk%s%s", *w->dev ? " " : "", w->dev);
		snprintf(w->how, sizeof w->how, "pages that are not in the page cache");
		break;
	case SWAP:
		snprintf(w->cause, sizeof w->cause, "for pages from swap (disk %.30s)", w->dev);
		snprintf(w->how, sizeof w->how, "its memory does not fit, or its memory limit is too low");
		break;
	case FLUSH:
		snprintf(w->cause, sizeof w->cause, "for disk%s%s in %s%s", *w->dev ? " " : "", w->dev, call ? call : "?",
			 call_is_flush(c, e->call) ? "" : " with O_SYNC or O_DSYNC");
		w->culprit = e->kernel_thread ? e->comm : w->culprit;
		snprintf(w->how, sizeof w->how, "%s, %u times a second", e->kernel_thread ? "* commits and flushes" : "a flush for each write",
			 (unsigned int)(e->nr * 1000000000 / interval_ns));
		break;
	case JOURNAL:
		flusher = disk_waits_flusher(c, k->b);
		snprintf(w->cause, sizeof w->cause, "for the journal of a file system%s%.16s%s in %s", e->kernel_thread ? " (" : "",
			 e->kernel_thread ? e->comm : "", e->kernel_thread ? ")" : "", call ? call : "?");
		w->culprit = flusher ? flusher->comm : e->comm;
		w->culprit_pid = flusher ? flusher->pid : e->pids[0];
		snprintf(w->how, sizeof w->how, flusher ? "* forces commits with fsync" : "* commits");
		break;
	case HELD:
		snprintf(w->cause, sizeof w->cause, "for a disk in %s", call ? call : "?");
		snprintf(w->how, sizeof w->how, "its requests are held back before the device, by io.max of its cgroup or by a delay of a stacked device");
		w->culprit = "io.max";
		break;
	case DIRTY:
		snprintf(w->cause, sizeof w->cause, "for write-back%s%s%s", call ? " in " : "", call ? call : "", "");
		snprintf(w->how, sizeof w->how, "too many dirty pages, the disk%s%s is slower than what is written", *w->dev ? " " : "", w->dev);
		break;
	case MEMORY_HIGH:
		snprintf(w->cause, sizeof w->cause, "held back on return to user mode");
		snprintf(w->how, sizeof w->how, "its cgroup%s%.40s is over its memory limit (memory.high)", k->b->task->cgroup ? " " : "",
			 k->b->task->cgroup ? k->b->task->cgroup : "");
		w->culprit = "memory.high";
		break;
	case KERNEL:
		snprintf(w->cause, sizeof w->cause, "for something in the kernel that no event tells (state D%s%s)", call ? ", in " : "", call ? call : "");
		w->culprit = e->kind == RS_CULPRIT_TASK ? e->comm : NULL;
		w->culprit_pid = e->kind == RS_CULPRIT_TASK ? e->pids[0] : 0;
		snprintf(w->how, sizeof w->how, "* ends it");
		break;
	default:
		snprintf(w->how, sizeof w->how, "its own requests, %s each", mean);
	}
}

/* The share from which on a rule reports, in thousandths of a percent. */
static uint64_t disk_waits_least(struct rs_ctx *c, const struct disk_waits_case *k, unsigned int rule)
{
	const struct disk_waits_dev *d = disk_waits_dev(c, k->dev);

	if ((rule == COLD || rule == PLAIN || rule == DEPTH_1) && d->nr && d->d2c_ns / d->nr < QUICK_NS)
		return QUICK_LEAST;
	return rules[rule].threshold;
}

static void disk_waits_judge(struct rs_ctx *c, const struct rs_blame *b, uint64_t interval_ns)
{
	struct disk_waits_words words;
	struct disk_waits_case k;
	char where[32], of_disk[48];
	const struct rs_evidence evidence[] = { { "iosnoop", "-lat_ns", where, NULL }, { "disks", NULL, of_disk, NULL }, { "antagonists", NULL, where, NULL },
						{ "offcpu", NULL, where, NULL }, { 0 } };
	enum disk_waits_kind most;
	unsigned int rule;

	disk_waits_find(c, b, &k);
	if (!k.busy_ns || rs_milli(k.all_ns, interval_ns, 1).u < DISK_WAITS_LEAST_OF_TIME)
		return;
	most = disk_waits_most(&k);
	if (!k.first[most] || rs_milli(k.all_ns, k.busy_ns, 100).u < disk_waits_least(c, &k, disk_waits_rule(c, &k, most, interval_ns)))
		return;
	rule = disk_waits_rule(c, &k, most, interval_ns);
	disk_waits_say(c, &k, rule, most, interval_ns, &words);
	snprintf(where, sizeof where, "pid == %d", b->pid);
	snprintf(of_disk, sizeof of_disk, "dev == \"%s\"", words.number);
	rs_report_finding(c, &(struct rs_finding){
		.rule = &rules[rule], .cost_ns = rule == SWAP ? 2 * k.all_ns : k.all_ns, .of_ns = k.busy_ns, /* each page from swap costs another that is written to it */ .victim = b->comm, .victim_pid = b->pid,
		.nr_victims = b->nr_processes, .cause = words.cause, .how = words.how, .culprit = words.culprit,
		.culprit_pid = words.culprit_pid, .nr_culprits = words.nr_culprits,
		.confidence = rule == HELD || rule == MEMORY_HIGH || rule == SWAP || rule == JOURNAL ? RS_INFERRED : RS_MEASURED,
		.since_ns = k.first[most]->since_ns, .measured = rs_milli(k.all_ns, k.busy_ns, 100).u, .view = "iosnoop", .where = where, .evidence = evidence,
	});
}

static void disk_waits_put_findings(struct rs_ctx *c)
{
	uint64_t interval_ns = rs_judged_ns(c);
	size_t nr = 0;
	const struct rs_blame *list = interval_ns ? rs_blame_list(c, &nr) : NULL;

	for (size_t i = 0; i < nr; i++)
		disk_waits_judge(c, &list[i], interval_ns);
}

static const struct rs_callback callbacks[] = {
	{ RS_ON_REQUEST, .request = disk_waits_on_request },
	{ 0 },
};

const struct rs_analysis rs_analysis_disk_waits = {
	.abi = RS_ABI,
	.name = "disk-waits",
	.summary = "who waits for a disk, and because of whom",
	.callbacks = callbacks,
	.requires_history = true,
	.requires_blame = true,
	.state_size = sizeof(struct disk_waits),
	.reset = disk_waits_reset,
	.rules = rules,
	.findings = disk_waits_put_findings,
};
