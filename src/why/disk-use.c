// SPDX-License-Identifier: GPL-2.0-or-later
/* disk-use - what each disk did since the last reset, for whom, and who writes */
#include "why/disk-use.h"

#include <string.h>

#include "engine/process-program.h"
#include "ringside/plugin.h"

#define FILE_OTHERS 10 /* a tenth of the time: less is not worth a word */
#define HEAVIER 4 /* times what a process writes, for another to be the one that it waits for */

struct rs_disk_use_dev *rs_disk_use_dev(struct rs_disk_use *use, uint32_t dev)
{
	for (unsigned int i = 0; i < use->nr_devs; i++)
		if (use->devs[i].dev == dev)
			return &use->devs[i];
	if (use->nr_devs == RS_DISK_USE_DEVS) {
		use->devs[RS_DISK_USE_DEVS] = (struct rs_disk_use_dev){ 0 };
		return &use->devs[RS_DISK_USE_DEVS];
	}
	use->devs[use->nr_devs].dev = dev;
	return &use->devs[use->nr_devs++];
}

/* Most often it is the one as before. */
static void disk_use_add_served(struct rs_disk_use *use, uint32_t dev, int32_t pid, uint64_t ns)
{
	const struct rs_frequent *p = rs_frequent_add(use->served, RS_DISK_USE_TASKS, use->last_served, dev,
						      (uint32_t)pid, ns);

	if (p)
		use->last_served = (unsigned int)(p - use->served);
}

static bool disk_use_is_worker(const char *comm)
{
	return *comm == 'k' && !strncmp(comm, "kworker/", 8);
}

/*
 * "kworker/0:1", not "kworker/0:1H", which the block layer has for itself, and not "kworker/u4:0", which
 * writes back.
 */
static bool disk_use_is_delegate(const char *comm)
{
	return disk_use_is_worker(comm) && comm[8] != 'u' && !strchr(comm, 'H');
}

/* Less time is added to the others. */
static void disk_use_join_file(struct rs_disk_use_file *to, const struct rs_disk_use_file *of)
{
	to->others_ns += of->others_ns;
	if (of->file == to->file) {
		to->ns += of->ns;
	} else if (of->ns > to->ns) {
		to->others_ns += to->ns;
		to->file = of->file;
		to->ns = of->ns;
	} else {
		to->others_ns += of->ns;
	}
}

static void disk_use_add_file(struct rs_disk_use *use, const struct rs_request *r, bool is_write)
{
	const struct rs_disk_use_file one = { r->tid, is_write, r->file, r->complete_ns - r->issue_ns, 0 };
	unsigned int i = 0;

	while (i < use->nr_files && (use->files[i].tid != r->tid || use->files[i].is_write != is_write))
		i++;
	if (i < use->nr_files)
		disk_use_join_file(&use->files[i], &one);
	else if (i < RS_DISK_USE_FILES)
		use->files[use->nr_files++] = one;
}

const char *rs_disk_use_path(struct rs_ctx *c, const struct rs_disk_use *use, const struct rs_blame *b,
			     bool is_write)
{
	struct rs_disk_use_file all = { 0 };

	for (unsigned int i = 0; i < use->nr_files; i++) {
		const struct rs_task *t = use->files[i].is_write == is_write ?
						  rs_task_find(c, use->files[i].tid) :
						  NULL;

		if (t && rs_blame_has_task(c, b, t))
			disk_use_join_file(&all, &use->files[i]);
	}
	return all.file && all.others_ns <= (all.ns + all.others_ns) / FILE_OTHERS ?
		       rs_file_path(c, all.file) :
		       NULL;
}

void rs_disk_use_add(struct rs_ctx *c, const struct rs_request *r)
{
	struct rs_disk_use *use = c->state;
	bool is_write = strchr(r->rwbs, 'W');
	struct rs_disk_use_dev *d;
	const struct rs_task *t;
	uint64_t from_ns;

	if (r->discarded || !r->issue_ns)
		return;
	d = rs_disk_use_dev(use, r->dev);
	from_ns = r->issue_ns > d->last_ns ? r->issue_ns : d->last_ns;
	d->busy_ns += r->complete_ns > from_ns ? r->complete_ns - from_ns : 0;
	d->last_ns = r->complete_ns;
	if (r->pid && r->complete_ns > from_ns)
		disk_use_add_served(use, r->dev, r->pid, r->complete_ns - from_ns);
	if (!r->bytes)
		return;
	d->nr++;
	d->bytes += r->bytes;
	d->d2c_ns += r->complete_ns - r->issue_ns;
	if (r->tid > 0)
		disk_use_add_file(use, r, is_write);
	d->nr_delegated += disk_use_is_delegate(r->comm);
	d->write_back_bytes += is_write && disk_use_is_worker(r->comm) ? r->bytes : 0;
	t = is_write && r->tid > 0 ? rs_task_find(c, r->tid) : NULL;
	d->nr_page_outs += t && (t->kernel_thread ? !strncmp(t->comm, "kswapd", 6) : t->syscall < 0);
}

bool rs_disk_use_is_same(const struct rs_disk_user *a, const struct rs_disk_user *b)
{
	return a->program == b->program && !strcmp(a->comm, b->comm);
}

static struct rs_disk_user disk_use_user(struct rs_ctx *c, const struct rs_task *t)
{
	return (struct rs_disk_user){ .comm = rs_task_process_comm(c, t),
				      .program = rs_process_program_of_task(c, t),
				      .pid = t->pid ? t->pid : t->tid };
}

void rs_disk_use_add_writer(struct rs_ctx *c, const struct rs_task *t, uint64_t bytes)
{
	struct rs_disk_use *use = c->state;
	struct rs_disk_user user = disk_use_user(c, t);
	size_t i = 0;

	while (i < use->nr_writers && !rs_disk_use_is_same(&use->writers[i], &user))
		i++;
	if (i == RS_DISK_USE_WRITERS)
		return;
	if (i == use->nr_writers)
		use->writers[use->nr_writers++] = user;
	use->writers[i].amount += bytes;
	use->writers[i].nr++;
}

const struct rs_disk_use_dev *rs_disk_use_written_back(const struct rs_disk_use *use)
{
	const struct rs_disk_use_dev *most = NULL;

	for (unsigned int i = 0; i < use->nr_devs; i++)
		if (use->devs[i].write_back_bytes > (most ? most->write_back_bytes : 0))
			most = &use->devs[i];
	return most;
}

const struct rs_disk_user *rs_disk_use_writer(const struct rs_disk_use *use, const struct rs_blame *than,
					      uint64_t interval_ns)
{
	const struct rs_disk_user *most = NULL, of = { .comm = than->comm, .program = than->program };
	uint64_t than_bytes = 0, least_bytes = interval_ns / 1000;

	for (unsigned int i = 0; i < use->nr_writers; i++)
		if (rs_disk_use_is_same(&use->writers[i], &of))
			than_bytes = use->writers[i].amount;
		else if (!most || use->writers[i].amount > most->amount)
			most = &use->writers[i];
	return most && most->amount > HEAVIER * than_bytes && most->amount > least_bytes ? most : NULL;
}

/* NULL: it is a kernel thread, or unknown. */
static const struct rs_task *disk_use_served(struct rs_ctx *c, const struct rs_disk_use *use, unsigned int i,
					     uint32_t dev)
{
	const struct rs_task *t = use->served[i].sum && use->served[i].key0 == dev ?
					  rs_task_find(c, (int32_t)use->served[i].key1) :
					  NULL;

	return t && !t->kernel_thread ? t : NULL;
}

uint64_t rs_disk_use_served_ns(struct rs_ctx *c, const struct rs_disk_use *use, uint32_t dev,
			       const struct rs_blame *b)
{
	uint64_t ns = 0;

	for (unsigned int i = 0; i < RS_DISK_USE_TASKS; i++) {
		const struct rs_task *t = disk_use_served(c, use, i, dev);

		ns += t && rs_blame_has_task(c, b, t) ? use->served[i].sum : 0;
	}
	return ns;
}

struct rs_disk_user rs_disk_use_most_served(struct rs_ctx *c, const struct rs_disk_use *use, uint32_t dev,
					    const struct rs_blame *except)
{
	struct rs_disk_user users[RS_DISK_USE_TASKS], most = { 0 };
	unsigned int nr = 0, at;

	for (unsigned int i = 0; i < RS_DISK_USE_TASKS; i++) {
		const struct rs_task *t = disk_use_served(c, use, i, dev);

		if (!t || rs_blame_has_task(c, except, t))
			continue;
		users[nr] = disk_use_user(c, t);
		for (at = 0; !rs_disk_use_is_same(&users[at], &users[nr]); at++)
			;
		nr += at == nr;
		users[at].amount += use->served[i].sum;
		users[at].nr++;
		if (users[at].amount > most.amount)
			most = users[at];
	}
	return most;
}

/* Requests name the whole disk, journals the partition: "sda" of "sda1", "nvme0n1" of "nvme0n1p2". */
static bool disk_use_has_partition(const char *disk, const char *partition)
{
	size_t len = strlen(disk);

	if (strncmp(disk, partition, len) != 0)
		return false;
	partition += len;
	partition += *partition == 'p';
	return partition[strspn(partition, "0123456789")] == '-';
}

uint32_t rs_disk_use_journal_dev(const struct rs_ctx *c, const struct rs_disk_use *use, const char *comm)
{
	for (unsigned int i = 0; i < use->nr_devs; i++) {
		const char *name = rs_disk_name(c, use->devs[i].dev);

		if (name && !strncmp(comm, "jbd2/", 5) && disk_use_has_partition(name, comm + 5))
			return use->devs[i].dev;
	}
	return 0;
}
