// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probes - opens the events of all threads on all CPUs, and makes records of their hits
 *
 * A perf event of a task is read from a ring only where it is of one CPU; so there is one for each thread,
 * CPU and probe. Threads that begin later inherit them. The kernel's records name the event by a number
 * alone: what is handed out names the function. What the kernel frees is an event of each CPU, in the same
 * ring: so it comes after its allocation there.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "base/vector.h"
#include "source/perf/perf-ring.h"
#include "source/perf/probe-parts.h"
#include "source/perf/probe-regs.h"
#include "source/trace-clock.h"

#define PROBES_RING_BYTES (8u << 20)
#define PROBES_LEAST_RING_BYTES (64u << 10)
#define PROBES_MAX_FRAMES 256u
#define JUDGE_NS 200000000u
#define JUDGE_LEAST_CPU_NS 20000000u /* a process that hardly runs is not slowed down */

#define BEGIN_TYPE \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW | \
	 PERF_SAMPLE_REGS_USER)
#define ADDRESS_AT \
	8 /* in the record of the event, behind what all have: __probe_ip, or __probe_func of a return */

/* As rs_sample_info.sample_type of who hands them out has them behind a record: TID, TIME, CPU. */
struct probes_trailer {
	uint32_t pid, tid;
	uint64_t ts_ns;
	uint32_t cpu, zero;
};

struct probes_record {
	struct perf_event_header header;
	uint32_t pid, tid, function, flags;
	uint64_t args[RS_PROBE_ARGS], nr_frames;
	uint8_t rest[PROBES_MAX_FRAMES * sizeof(uint64_t) + RS_PROBE_NAME_BYTES +
		     sizeof(struct probes_trailer)];
};

struct probes_event {
	uint64_t id;                         /* of the perf event */
	enum rs_probe_side side;
	const struct rs_kernel_probe *kernel; /* NULL: of a function */
};

/* What one kind of them may take of some CPU time, and how much there had been of both when it was judged. */
struct probes_limit {
	/* 0: no limit. excesses: how often, one after the other, they took too much */
	unsigned int max_milli, nr_excesses;
	uint64_t cost_ns, cpu_ns;
};

struct probes_ring {
	/* a dummy event, whose ring it is: it stays when the probes are closed */
	int fd;
	int cpu;
	struct rs_perf_ring ring;
	uint64_t last_ns;                    /* of its last hit */
	struct probes_record record;         /* that was handed out */
};

struct rs_probes {
	struct rs_probe_target target;
	int *fds;
	size_t nr_fds, fds_room;
	struct probes_event *events;         /* by id */
	size_t nr_events, events_room;
	struct probes_ring *rings;
	unsigned int nr_rings;
	int64_t offset_ns;                   /* from CLOCK_MONOTONIC to the clock of records */
	int *cpu_fds;                        /* count the CPU time of each thread and those that it starts */
	size_t nr_cpu_fds, cpu_fds_room;
	uint64_t call_ns, nr_hits, alloc_ns, free_ns, kernel_cost_ns;
	uint64_t judged_ns;
	struct probes_limit limits[RS_NR_PROBE_KINDS];
	struct rs_error note;
};

/* ---- opening ---- */

int rs_probes_open_event(struct perf_event_attr *attr, pid_t tid, int cpu)
{
	attr->size = sizeof *attr;
	attr->disabled = 1;
	return (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Since 5.13 new threads inherit it, and not new processes. */
int rs_probes_open_inherited(struct perf_event_attr *attr, pid_t tid, int cpu)
{
	int fd;

	attr->inherit = attr->inherit_thread = 1;
	fd = rs_probes_open_event(attr, tid, cpu);
	if (fd >= 0 || (errno != EINVAL && errno != E2BIG))
		return fd;
	attr->inherit_thread = 0;
	return rs_probes_open_event(attr, tid, cpu);
}

struct perf_event_attr rs_probes_attr(uint32_t event_id, enum rs_probe_side side)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_TRACEPOINT, .config = event_id, .sample_period = 1,
		.sample_type = BEGIN_TYPE | (side == RS_PROBE_RETURN ? PERF_SAMPLE_CALLCHAIN : 0),
		.exclude_callchain_kernel = 1,
		.sample_regs_user = side == RS_PROBE_RETURN ? RS_PROBE_RESULT_MASK : RS_PROBE_ARGS_MASK,
		.use_clockid = 1, .clockid = CLOCK_MONOTONIC,
	};
}

struct perf_event_attr rs_probes_dummy_attr(void)
{
	/*
	 * a tracepoint may fire in an NMI, so the kernel refuses CLOCK_BOOTTIME for it; events that share a
	 * ring share the clock
	 */
	return (struct perf_event_attr){ .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
					 .use_clockid = 1, .clockid = CLOCK_MONOTONIC };
}

static const char *probes_why(int errnum)
{
	return errnum == EACCES || errnum == EPERM ? "run as root" :
	       errnum == EMFILE                    ? "raise the limit of open files: ulimit -n 1048576" :
	       errnum == ESRCH                     ? "it has ended" :
						     "this kernel or container has no perf events on probes";
}

int rs_probes_fail(const struct rs_probe_target *target, struct rs_error *err)
{
	int errnum = errno;

	return rs_fail(err, "cannot probe process %d: %s (%s)", (int)target->pid, strerror(errnum),
		       probes_why(errnum));
}

int rs_probes_for_each_thread(const struct rs_probe_target *target, int (*fn)(void *arg, pid_t tid),
			      void *arg)
{
	char path[32];
	const struct dirent *entry;
	DIR *dir;
	int ret = 0;

	snprintf(path, sizeof path, "/proc/%d/task", (int)target->pid);
	dir = opendir(path);
	if (!dir)
		return -1;
	while (!ret && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			ret = fn(arg, (pid_t)atoi(entry->d_name));
	closedir(dir);
	return ret;
}

static void probes_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static bool probes_add_fd(struct rs_probes *p, int fd)
{
	int *place = fd < 0 ? NULL : RS_VECTOR_ADD(&p->fds, &p->nr_fds, &p->fds_room);

	if (place)
		*place = fd;
	else
		rs_close(&fd);
	return place;
}

/* tid -1: of all tasks. */
static int probes_open_on(struct rs_probes *p, struct perf_event_attr *attr, struct probes_event what,
			  pid_t tid, const struct probes_ring *ring)
{
	int fd = tid < 0 ? rs_probes_open_event(attr, tid, ring->cpu) :
			   rs_probes_open_inherited(attr, tid, ring->cpu);
	struct probes_event *event;

	if (fd < 0 && errno == ESRCH)
		return 0; /* a thread that has ended */
	if (!probes_add_fd(p, fd))
		return -1;
	event = RS_VECTOR_ADD(&p->events, &p->nr_events, &p->events_room);
	if (!event)
		return -1;
	*event = what;
	return ioctl(fd, PERF_EVENT_IOC_ID, &event->id) < 0 ||
			       ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) < 0 ?
		       -1 :
		       0;
}

static int probes_open_clock(struct rs_probes *p, pid_t tid)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK };
	int fd = rs_probes_open_inherited(&attr, tid, -1), *place;

	if (fd < 0)
		return errno == ESRCH ? 0 : -1;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	place = RS_VECTOR_ADD(&p->cpu_fds, &p->nr_cpu_fds, &p->cpu_fds_room);
	if (place)
		*place = fd;
	else
		close(fd);
	return place ? 0 : -1;
}

static int probes_open_kernel(struct rs_probes *p, bool allocates, pid_t tid, const struct probes_ring *ring)
{
	for (const struct rs_kernel_probe *k = p->target.kernel; k < p->target.kernel + p->target.nr_kernel;
	     k++) {
		struct perf_event_attr attr = rs_kernel_probe_attr(k);

		if (rs_kernel_probe_allocates(k) == allocates && probes_open_on(p, &attr,
			(struct probes_event){ .kernel = k }, tid, ring) < 0)
			return -1;
	}
	return 0;
}

static int probes_open_thread(void *arg, pid_t tid)
{
	struct rs_probes *p = arg;

	if (probes_open_clock(p, tid) < 0)
		return -1;
	for (unsigned int i = 0; i < p->nr_rings; i++) {
		for (enum rs_probe_side side = 0; p->target.nr && side < RS_NR_PROBE_SIDES; side++) {
			struct perf_event_attr attr = rs_probes_attr(p->target.event_ids[side], side);

			if (probes_open_on(p, &attr, (struct probes_event){ .side = side }, tid,
					   &p->rings[i]) < 0)
				return -1;
		}
		if (probes_open_kernel(p, true, tid, &p->rings[i]) < 0)
			return -1;
	}
	return 0;
}

static int probes_open_rings(struct rs_probes *p, struct rs_error *err)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF), ret;

	p->rings = calloc((size_t)nr_cpus, sizeof *p->rings);
	if (!p->rings)
		return rs_fail(err, "out of memory");
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		struct perf_event_attr attr = rs_probes_dummy_attr();
		struct probes_ring *r = &p->rings[p->nr_rings];

		r->cpu = cpu;
		r->fd = rs_probes_open_event(&attr, -1, cpu);
		if (r->fd < 0 && errno == ENODEV)
			continue; /* offline */
		if (r->fd < 0)
			return rs_probes_fail(&p->target, err);
		p->nr_rings++;
		ret = rs_perf_ring_map(&r->ring, r->fd, PROBES_RING_BYTES, PROBES_LEAST_RING_BYTES);
		if (ret)
			return rs_fail(err, "cannot map CPU %d's ring of probes: %s", cpu, strerror(-ret));
	}
	return 0;
}

static int probes_by_id(const void *a, const void *b)
{
	const struct probes_event *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int probes_open_all(struct rs_probes *p, struct rs_error *err)
{
	probes_raise_limit();
	if (probes_open_rings(p, err) < 0)
		return -1;
	for (unsigned int i = 0; i < p->nr_rings; i++)
		if (probes_open_kernel(p, false, -1, &p->rings[i]) < 0)
			return rs_probes_fail(&p->target, err);
	if (rs_probes_for_each_thread(&p->target, probes_open_thread, p) < 0)
		return rs_probes_fail(&p->target, err);
	qsort(p->events, p->nr_events, sizeof *p->events, probes_by_id);
	RS_LOG(RS_LOG_SOURCE,
	       "%zu functions of process %d and %zu events of the kernel are probed, with %zu perf events",
	       p->target.nr, (int)p->target.pid, p->target.nr_kernel, p->nr_events);
	return 0;
}

struct rs_probes *rs_probes_open(const struct rs_probe_target *target, struct rs_error *err)
{
	struct rs_probes *p = calloc(1, sizeof *p);

	if (!p) {
		rs_fail(err, "out of memory");
		return NULL;
	}
	p->target = *target;
	if (probes_open_all(p, err) == 0)
		return p;
	rs_probes_close(p);
	return NULL;
}

void rs_probes_limit(struct rs_probes *p, const struct rs_probe_rate *rate, unsigned int max_milli,
		     unsigned int max_machine_milli)
{
	p->call_ns = rate->call_ns;
	p->alloc_ns = rate->alloc_ns;
	p->free_ns = rate->free_ns;
	p->limits[RS_PROBE_PROCESS].max_milli = max_milli;
	p->limits[RS_PROBE_KERNEL].max_milli = max_machine_milli;
}

void rs_probes_set_clock(struct rs_probes *p, clockid_t clock)
{
	p->offset_ns = clock == CLOCK_MONOTONIC ?
			       0 :
			       (int64_t)(rs_trace_clock_ns(clock) - rs_trace_clock_ns(CLOCK_MONOTONIC));
}

const struct rs_probe_target *rs_probes_target(const struct rs_probes *p)
{
	return &p->target;
}

static void probes_close_events(struct rs_probes *p)
{
	while (p->nr_fds)
		close(p->fds[--p->nr_fds]);
	while (p->nr_cpu_fds)
		close(p->cpu_fds[--p->nr_cpu_fds]);
}

void rs_probes_close(struct rs_probes *p)
{
	if (!p)
		return;
	probes_close_events(p);
	for (unsigned int i = 0; i < p->nr_rings; i++) {
		rs_perf_ring_done(&p->rings[i].ring);
		rs_close(&p->rings[i].fd);
	}
	free(p->rings);
	free(p->events);
	free(p->fds);
	free(p->cpu_fds);
	free(p);
}

void rs_probes_turn(struct rs_probes *p, bool on)
{
	for (size_t i = 0; i < p->nr_fds; i++)
		ioctl(p->fds[i], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

unsigned int rs_probes_nr_rings(const struct rs_probes *p)
{
	return p->nr_rings;
}

/* ---- what they cost ---- */

static uint64_t probes_cpu_ns(const struct rs_probes *p)
{
	uint64_t sum = 0, ns;

	for (size_t i = 0; i < p->nr_cpu_fds; i++)
		sum += read(p->cpu_fds[i], &ns, sizeof ns) == sizeof ns ? ns : 0;
	return sum;
}

/* Off is closed: an event that is disabled leaves its breakpoint in the program. */
static void probes_turn_off(struct rs_probes *p, enum rs_probe_kind kind, uint64_t share_milli)
{
	probes_close_events(p);
	rs_fail(&p->note,
		"the probes of process %d were turned off: they took about %llu %% of %s CPU time, more than "
		"%u %% (--max-overhead)",
		(int)p->target.pid, (unsigned long long)(share_milli < 990 ? share_milli / 10 : 99),
		kind == RS_PROBE_PROCESS ? "its" : "the machine's", p->limits[kind].max_milli / 10);
}

/*
 * Of what both grew by since it was judged last. Twice in a row: what is read now may have happened a little
 * earlier.
 */
static void probes_judge(struct rs_probes *p, enum rs_probe_kind kind, uint64_t cost_ns, uint64_t cpu_ns,
			 bool first)
{
	struct probes_limit *limit = &p->limits[kind];
	uint64_t grown_ns = cpu_ns - limit->cpu_ns,
		 share_milli = grown_ns >= JUDGE_LEAST_CPU_NS && !first ?
				       (cost_ns - limit->cost_ns) * 1000 / grown_ns :
				       0;

	limit->nr_excesses = limit->max_milli && share_milli > limit->max_milli ? limit->nr_excesses + 1 : 0;
	limit->cost_ns = cost_ns;
	limit->cpu_ns = cpu_ns;
	if (limit->nr_excesses == 2 && p->nr_fds)
		probes_turn_off(p, kind, share_milli);
}

void rs_probes_watch(struct rs_probes *p)
{
	uint64_t now_ns = rs_trace_clock_ns(CLOCK_MONOTONIC);
	bool first = !p->judged_ns;

	if (!p->nr_fds || now_ns - p->judged_ns < JUDGE_NS)
		return;
	p->judged_ns = now_ns;
	/* malloc has two, free has one */
	probes_judge(p, RS_PROBE_PROCESS, p->nr_hits * p->call_ns * 2 / 3, probes_cpu_ns(p), first);
	probes_judge(p, RS_PROBE_KERNEL, p->kernel_cost_ns, now_ns * p->nr_rings, first);
}

const char *rs_probes_note(const struct rs_probes *p)
{
	return p->note.status ? p->note.text : NULL;
}

/* ---- records ---- */

static const struct probes_event *probes_find_event(const struct rs_probes *p, uint64_t id)
{
	return bsearch(&(struct probes_event){ .id = id }, p->events, p->nr_events, sizeof *p->events,
		       probes_by_id);
}

static const struct rs_probe *probes_find(const struct rs_probes *p, uint64_t address)
{
	for (const struct rs_probe *probe = p->target.probes; probe < p->target.probes + p->target.nr;
	     probe++)
		if (probe->address == address)
			return probe;
	return NULL; /* the process has executed another program */
}

static void probes_end_record(struct probes_ring *r, const char name[RS_PROBE_NAME_BYTES],
			      const struct probes_trailer *trailer, struct rs_sample_record *record)
{
	struct probes_record *out = &r->record;
	uint8_t *at = out->rest + out->nr_frames * sizeof(uint64_t);

	if (out->flags & RS_PROBE_RECORD_NAMED) {
		memcpy(at, name, RS_PROBE_NAME_BYTES);
		at += RS_PROBE_NAME_BYTES;
	}
	memcpy(at, trailer, sizeof *trailer);
	at += sizeof *trailer;
	out->header = (struct perf_event_header){ .type = RS_PROBE_RECORD };
	out->header.size = (uint16_t)(at - (uint8_t *)out);
	*record = (struct rs_sample_record){ (const uint8_t *)out, out->header.size };
}

/* A hit in the kernel's own record: its sizes are those of the attributes. */
struct probes_hit {
	struct { struct perf_event_header header; uint64_t id; struct probes_trailer at; } head;
	const struct probes_event *event;
	/* raw: the record of the event of tracefs; regs: behind their ABI */
	const uint8_t *frames, *raw, *regs;
	uint64_t nr_frames, abi;
	uint32_t raw_bytes;
};

static bool probes_read_hit(const struct rs_probes *p, const struct rs_sample_record *record,
			    struct probes_hit *hit)
{
	const uint8_t *at = record->data + sizeof hit->head;

	memcpy(&hit->head, record->data, sizeof hit->head);
	hit->event = probes_find_event(p, hit->head.id);
	if (!hit->event)
		return false;
	hit->nr_frames = 0;
	hit->frames = at;
	if (hit->event->kernel ? rs_kernel_probe_allocates(hit->event->kernel) :
				 hit->event->side == RS_PROBE_RETURN) {
		memcpy(&hit->nr_frames, at, sizeof hit->nr_frames);
		hit->frames = at + sizeof hit->nr_frames;
		at = hit->frames + hit->nr_frames * sizeof hit->nr_frames;
	}
	memcpy(&hit->raw_bytes, at, sizeof hit->raw_bytes);
	hit->raw = at + sizeof hit->raw_bytes;
	if (hit->event->kernel)
		return true;
	memcpy(&hit->abi, hit->raw + hit->raw_bytes, sizeof hit->abi);
	hit->regs = hit->raw + hit->raw_bytes + sizeof hit->abi;
	return true;
}

/* Of a 32-bit process nothing is taken. */
static bool probes_convert_call(struct rs_probes *p, struct probes_record *out, const struct probes_hit *hit)
{
	bool returns = hit->event->side == RS_PROBE_RETURN;
	const struct rs_probe *probe;
	uint64_t address;

	memcpy(&address, hit->raw + ADDRESS_AT, sizeof address);
	probe = probes_find(p, address);
	if (!probe || hit->abi != PERF_SAMPLE_REGS_ABI_64)
		return false;
	out->function = probe->function;
	out->flags = returns ? RS_PROBE_RECORD_RETURNS : 0;
	rs_probe_regs_read(hit->regs, returns, out->args);
	p->nr_hits++;
	return true;
}

static bool probes_convert_kernel(struct rs_probes *p, struct probes_record *out,
				  const struct probes_hit *hit, char name[RS_PROBE_NAME_BYTES])
{
	p->kernel_cost_ns += rs_kernel_probe_allocates(hit->event->kernel) ? p->alloc_ns : p->free_ns;
	if (!rs_kernel_probe_read(hit->event->kernel, hit->raw, hit->raw_bytes, out->args, name))
		return false;
	out->function = hit->event->kernel->function;
	out->flags = (rs_kernel_probe_allocates(hit->event->kernel) ? RS_PROBE_RECORD_RETURNS : 0) |
		     (*name ? RS_PROBE_RECORD_NAMED : 0);
	return true;
}

static bool probes_convert_hit(struct rs_probes *p, struct probes_ring *r, struct rs_sample_record *record)
{
	struct probes_record *out = &r->record;
	char name[RS_PROBE_NAME_BYTES] = "";
	struct probes_hit hit;

	if (!probes_read_hit(p, record, &hit) ||
	    !(hit.event->kernel ? probes_convert_kernel(p, out, &hit, name) :
				  probes_convert_call(p, out, &hit)))
		return false;
	out->pid = hit.head.at.pid;
	out->tid = hit.head.at.tid;
	out->nr_frames = hit.nr_frames < PROBES_MAX_FRAMES ? hit.nr_frames : PROBES_MAX_FRAMES;
	memcpy(out->rest, hit.frames, out->nr_frames * sizeof hit.nr_frames);
	hit.head.at.ts_ns += (uint64_t)p->offset_ns;
	r->last_ns = hit.head.at.ts_ns;
	probes_end_record(r, name, &hit.head.at, record);
	return true;
}

static void probes_convert_loss(struct rs_probes *p, struct probes_ring *r, struct rs_sample_record *record)
{
	struct { struct perf_event_header header; uint64_t id, nr; } lost;

	memcpy(&lost, record->data, sizeof lost);
	r->record = (struct probes_record){ .function = RS_PROBE_LOST, .args = { lost.nr } };
	*(p->target.nr_kernel ? &p->kernel_cost_ns : &p->nr_hits) += lost.nr *
								     (p->target.nr_kernel ? p->free_ns : 1);
	probes_end_record(r, NULL, &(struct probes_trailer){ .ts_ns = r->last_ns, .cpu = (uint32_t)r->cpu },
			  record);
}

bool rs_probes_next(struct rs_probes *p, unsigned int ring, struct rs_sample_record *record)
{
	struct probes_ring *r = &p->rings[ring];
	struct perf_event_header header;

	while (rs_perf_ring_next(&r->ring, record)) {
		memcpy(&header, record->data, sizeof header);
		if (header.type == PERF_RECORD_LOST)
			probes_convert_loss(p, r, record);
		else if (header.type != PERF_RECORD_SAMPLE || !probes_convert_hit(p, r, record))
			continue;
		return true;
	}
	return false;
}
