// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * samples - perf events of all CPUs, each with a ring that the kernel writes and the consumer reads in place
 *
 * A CPU has two events that share its ring: one for samples, and one for mappings and processes, which goes
 * on while sampling pauses. Where there is a PMU the first one leads a group, whose counts each sample has.
 * No thread reads ahead: at 99 Hz a ring holds seconds.
 */
#include "source/perf/samples.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "base/pidns.h"
#include "base/vector.h"
#include "source/perf/perf-ring.h"
#include "source/perf/probes.h"
#include "source/trace-clock.h"
#include "tracefs/mapped-files.h"

#define SAMPLES_RING_BYTES (1u << 20)
#define SAMPLES_MOST_RING_BYTES (8u << 20)
#define SAMPLES_LEAST_RING_BYTES (64u << 10) /* without the right to lock more memory */
#define MAX_INITIAL_MAPPINGS 262144u
#define STACK_TYPE (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)
#define SAMPLE_TYPE \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

#define NR_SAMPLES_MEMBERS 2u

struct samples_ring {
	int fd, sample_fd;                  /* fd: of mappings and processes, whose ring it is */
	int member_fds[NR_SAMPLES_MEMBERS]; /* they count with the sampling event; the group's first ones */
	struct rs_perf_ring ring;
};

struct samples {
	struct rs_sample_source source;     /* first */
	struct samples_ring *rings;
	unsigned int nr;
	clockid_t trace_clock, perf_clock;
	int files_fd;                       /* the instance's; -1 none */
	struct rs_probes *probes;           /* their rings come behind those of the CPUs; NULL: none */
	struct rs_initial_mapping *mappings;
	size_t nr_mappings, mappings_room;
};

static struct samples *samples_of(struct rs_sample_source *s)
{
	return (struct samples *)s;
}

/* ---- opening ---- */

static const struct samples_event {
	const char *name;
	uint32_t type;
	uint64_t config;
} events[] = {
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	/* a timer: machines without a PMU, most virtual ones */
	{ "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
};

#define NR_SAMPLES_EVENTS (sizeof events / sizeof *events)

/* What is counted with cycles. A PMU may have no counter for the last ones. */
static const struct samples_event members[NR_SAMPLES_MEMBERS] = {
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
};

/* What is tried until the kernel takes it. */
struct samples_try {
	const struct rs_samples_options *opt;
	const struct samples_event *event;
	clockid_t clock;
	enum { OLDER, WITH_BUILD_IDS /* since 5.12 */, WITH_LOST /* since 6.0 */ } kernel;
	unsigned int nr_members;
};

static int samples_open_event(struct perf_event_attr *attr, const struct samples_try *try, int cpu,
			      int group_fd)
{
	attr->size = sizeof *attr;
	attr->use_clockid = 1;
	attr->clockid = try->clock;
	return try->opt->open_event ?
		       try->opt->open_event(attr, cpu, group_fd) :
		       (int)syscall(SYS_perf_event_open, attr, -1, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t samples_read_format(const struct samples_try *try)
{
	return (try->kernel >= WITH_LOST ? PERF_FORMAT_LOST : 0) |
	       (try->nr_members ? RS_SAMPLES_READ_FORMAT : 0);
}

static uint64_t samples_type(const struct samples_try *try)
{
	return SAMPLE_TYPE | (try->opt->stack_bytes ? STACK_TYPE : 0) |
	       (try->nr_members ? PERF_SAMPLE_READ : 0);
}

static int samples_open_sampling(const struct samples_try *try, int cpu)
{
	const struct rs_samples_options *opt = try->opt;
	struct perf_event_attr attr = {
		.type = try->event->type, .config = try->event->config, .freq = 1,
		.sample_freq = opt->hz ? opt->hz : RS_SAMPLES_HZ, .exclude_idle = 1,
		.disabled = 1, .sample_id_all = 1, .sample_type = samples_type(try),
		.read_format = samples_read_format(try),
	};

	if (opt->stack_bytes) {
		attr.exclude_callchain_user = 1;
		attr.sample_regs_user = opt->user_regs;
		attr.sample_stack_user = opt->stack_bytes;
	}
	return samples_open_event(&attr, try, cpu, -1);
}

/* They count while their leader is on. Returns false with errno set; the caller closes them all. */
static bool samples_open_members(const struct samples_try *try, int cpu, int leader_fd, int *fds)
{
	for (unsigned int i = 0; i < NR_SAMPLES_MEMBERS; i++)
		fds[i] = -1;
	for (unsigned int i = 0; i < try->nr_members; i++) {
		struct perf_event_attr attr = { .type = members[i].type, .config = members[i].config,
						.exclude_idle = 1, .read_format = samples_read_format(try) };

		fds[i] = samples_open_event(&attr, try, cpu, leader_fd);
		if (fds[i] < 0)
			return false;
	}
	return true;
}

static void samples_close_members(int *fds)
{
	for (unsigned int i = 0; i < NR_SAMPLES_MEMBERS; i++)
		rs_close(&fds[i]);
}

static int samples_open_tracking(const struct samples_try *try, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .sample_period = 1, .mmap = 1,
		.mmap2 = 1,
		.build_id = try->kernel >= WITH_BUILD_IDS, .comm = 1, .comm_exec = 1, .task = 1,
		.disabled = 1, .sample_id_all = 1, .sample_type = SAMPLE_TYPE,
	};

	return samples_open_event(&attr, try, cpu, -1);
}

/*
 * cycles interrupt even where interrupts are off (NMI), and the kernel reads CLOCK_BOOTTIME only where that
 * is safe: then it takes CLOCK_MONOTONIC, whose distance to the trace clock is added. Events before `first`
 * are left out.
 */
static int samples_find_event(clockid_t clock, const struct rs_samples_options *opt, size_t first,
			      struct samples_try *try)
{
	const clockid_t clocks[] = { clock, CLOCK_MONOTONIC };
	int fd = -1, tracking_fd;

	for (size_t i = first; i < NR_SAMPLES_EVENTS; i++)
		for (size_t k = 0; k < sizeof clocks / sizeof *clocks; k++)
			for (int kernel = WITH_LOST; kernel >= OLDER; kernel--) {
				*try = (struct samples_try){ opt, &events[i], clocks[k], kernel, 0 };
				fd = samples_open_sampling(try, 0);
				tracking_fd = fd < 0 ? -1 : samples_open_tracking(try, 0);
				if (tracking_fd >= 0 || errno == EACCES || errno == EPERM ||
				    errno == EMFILE) {
					rs_close(&tracking_fd);
					return fd;
				}
				rs_close(&fd);
			}
	return fd;
}

/* How many members the first CPU takes in a group, all or the first ones. */
static unsigned int samples_find_members(const struct samples_try *found)
{
	struct samples_try try = *found;

	if (try.event->type != PERF_TYPE_HARDWARE)
		return 0;
	for (try.nr_members = NR_SAMPLES_MEMBERS; try.nr_members; try.nr_members--) {
		int fds[NR_SAMPLES_MEMBERS], leader_fd = samples_open_sampling(&try, 0);
		bool opened = leader_fd >= 0 && samples_open_members(&try, 0, leader_fd, fds);

		if (leader_fd >= 0)
			samples_close_members(fds);
		rs_close(&leader_fd);
		if (opened)
			break;
	}
	return try.nr_members;
}

static const char *samples_why(int errnum)
{
	return errnum == EACCES || errnum == EPERM ?
		       "run as root, or with CAP_PERFMON; without it kernel.perf_event_paranoid must be -1" :
	       errnum == EINVAL ? "kernel.perf_event_max_sample_rate may be lower" :
				  "no perf events in this kernel, or in this container";
}

const char *rs_samples_probe(struct rs_error *err)
{
	struct samples_try try;
	int fd = samples_find_event(CLOCK_BOOTTIME, &(struct rs_samples_options){ 0 }, 0, &try);

	if (fd < 0) {
		rs_fail(err, "cannot sample what the CPUs run: %s (%s)", strerror(errno), samples_why(errno));
		return NULL;
	}
	close(fd);
	return try.event->name;
}

/*
 * Stacks fill a ring fast: it holds what comes in a second, for on a busy machine the thread that unwinds
 * them waits, too.
 */
static uint64_t samples_ring_bytes(const struct rs_samples_options *opt)
{
	uint64_t bytes = SAMPLES_RING_BYTES;

	while (bytes < SAMPLES_MOST_RING_BYTES && bytes < (uint64_t)opt->hz * opt->stack_bytes)
		bytes *= 2;
	return bytes;
}

static int samples_map_ring(struct samples_ring *r, const struct rs_samples_options *opt, unsigned int cpu,
			    struct rs_error *err)
{
	int ret = rs_perf_ring_map(&r->ring, r->fd, samples_ring_bytes(opt), SAMPLES_LEAST_RING_BYTES);

	return !ret ? 0 :
		      rs_fail(err,
			      "cannot map CPU %u's samples: %s (kernel.perf_event_mlock_kb may be too low)",
			      cpu, strerror(-ret));
}

/* The CPU's two events. False with errno set; ENODEV: it is offline. */
static bool samples_open_pair(struct samples_ring *r, const struct samples_try *try, unsigned int cpu)
{
	bool samples = try->opt->hz;
	int errnum;

	for (unsigned int i = 0; i < NR_SAMPLES_MEMBERS; i++)
		r->member_fds[i] = -1;
	r->fd = samples_open_tracking(try, (int)cpu);
	r->sample_fd = r->fd < 0 || !samples ? -1 : samples_open_sampling(try, (int)cpu);
	if (r->fd >= 0 && (!samples || (r->sample_fd >= 0 &&
					samples_open_members(try, (int)cpu, r->sample_fd, r->member_fds))))
		return true;
	errnum = errno;
	samples_close_members(r->member_fds);
	rs_close(&r->sample_fd);
	rs_close(&r->fd);
	errno = errnum;
	return false;
}

/* Returns -1 with err set; errno says why where the kernel has refused an event. */
static int samples_open_rings(struct samples *s, const struct samples_try *try, struct rs_error *err)
{
	unsigned int nr_cpus = (unsigned int)sysconf(_SC_NPROCESSORS_CONF);

	s->rings = calloc(nr_cpus, sizeof *s->rings);
	errno = 0;
	if (!s->rings)
		return rs_fail(err, "out of memory");
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++) {
		struct samples_ring *r = &s->rings[s->nr];

		if (!samples_open_pair(r, try, cpu)) {
			int errnum = errno;

			if (errnum == ENODEV)
				continue;
			rs_fail(err, "cannot sample CPU %u: %s (%s)", cpu, strerror(errnum),
				samples_why(errnum));
			errno = errnum;
			return -1;
		}
		s->nr++;
		if (samples_map_ring(r, try->opt, cpu, err) < 0)
			return -1;
		if (try->opt->hz && ioctl(r->sample_fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd) < 0)
			return rs_fail(err, "cannot sample CPU %u: %s", cpu, strerror(errno));
	}
	return 0;
}

/* ---- reading ---- */

static bool samples_next(struct rs_sample_source *source, unsigned int ring, struct rs_sample_record *record)
{
	struct samples *s = samples_of(source);

	return ring < s->nr ? rs_perf_ring_next(&s->rings[ring].ring, record) :
			      rs_probes_next(s->probes, ring - s->nr, record);
}

static uint64_t samples_known_ns(struct rs_sample_source *source)
{
	struct samples *s = samples_of(source);

	if (s->probes)
		rs_probes_watch(s->probes);
	return rs_trace_clock_ns(s->trace_clock);
}

static int64_t samples_offset_ns(struct rs_sample_source *source)
{
	const struct samples *s = samples_of(source);

	return s->perf_clock == s->trace_clock ?
		       0 :
		       (int64_t)(rs_trace_clock_ns(s->trace_clock) - rs_trace_clock_ns(s->perf_clock));
}

static uint64_t samples_nr_lost(struct rs_sample_source *source)
{
	const struct samples *s = samples_of(source);
	uint64_t sum = 0;

	for (unsigned int i = 0; i < s->nr; i++) {
		uint64_t alone[2];                                   /* the event's count, samples lost */
		/* number, two times, and of each event count, ID, samples lost */
		uint64_t group[3 + 3 * (1 + NR_SAMPLES_MEMBERS)];
		bool has_group = s->source.info.nr_counters;
		ssize_t len = read(s->rings[i].sample_fd, has_group ? group : alone,
				   has_group ? sizeof group : sizeof alone);

		if (!has_group && len == sizeof alone)
			sum += alone[1];
		else if (has_group && len == (ssize_t)((3 + 3 * s->source.info.nr_counters) * sizeof *group))
			sum += group[5];
	}
	return sum;
}

static bool samples_ask_file(struct rs_sample_source *source, uint32_t id, int32_t pid, uint64_t start,
			     uint64_t end)
{
	return rs_mapped_files_ask(samples_of(source)->files_fd,
				   &(struct rs_mapped_files_request){ pid, id, start, end });
}

static int samples_take_file(struct rs_sample_source *source, uint32_t *id)
{
	return rs_mapped_files_take(samples_of(source)->files_fd, id);
}

static void samples_close_rings(struct samples *s)
{
	for (unsigned int i = 0; i < s->nr; i++) {
		struct samples_ring *r = &s->rings[i];

		rs_perf_ring_done(&r->ring);
		samples_close_members(r->member_fds);
		rs_close(&r->sample_fd);
		rs_close(&r->fd);
	}
	free(s->rings);
	s->rings = NULL;
	s->nr = 0;
}

static void samples_close(struct rs_sample_source *source)
{
	struct samples *s = samples_of(source);

	samples_close_rings(s);
	rs_probes_close(s->probes);
	for (size_t i = 0; i < s->nr_mappings; i++)
		free((char *)s->mappings[i].path);
	free(s->mappings);
	free(s);
}

/* ---- the mappings of all processes ---- */

/* "7f00-7f10 r-xp 00001000 fe:00 1234    /usr/lib/libc.so.6" */
static void samples_read_line(struct samples *s, int32_t pid, const char *line)
{
	struct rs_initial_mapping m = { .pid = pid }, *new;
	unsigned long long start, end, offset, inode;
	char perms[8];
	int at = 0;

	if (sscanf(line, "%llx-%llx %7s %llx %*x:%*x %llu %n", &start, &end, perms, &offset, &inode, &at) <
		    5 ||
	    !at || !strchr(perms, 'x') || s->nr_mappings == MAX_INITIAL_MAPPINGS)
		return;
	m.start = start;
	m.end = end;
	m.offset = offset;
	m.inode = inode;
	m.path = strndup(line + at, strcspn(line + at, "\n"));
	new = m.path ? RS_VECTOR_ADD(&s->mappings, &s->nr_mappings, &s->mappings_room) : NULL;
	if (new)
		*new = m;
	else
		free((char *)m.path);
}

static void samples_read_maps(struct samples *s, int32_t pid)
{
	char path[32], *line = NULL;
	size_t room = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	file = fopen(path, "re");
	while (file && getline(&line, &room, file) > 0)
		samples_read_line(s, pid, line);
	free(line);
	if (file)
		fclose(file);
}

static void samples_pause(struct rs_sample_source *source, bool pause)
{
	const struct samples *s = samples_of(source);

	for (unsigned int i = 0; i < s->nr; i++)
		ioctl(s->rings[i].sample_fd, pause ? PERF_EVENT_IOC_DISABLE : PERF_EVENT_IOC_ENABLE, 0);
	if (s->probes)
		rs_probes_turn(s->probes, !pause);
}

static void samples_start(struct rs_sample_source *source)
{
	struct samples *s = samples_of(source);
	/* /proc of another PID namespace has other PIDs */
	DIR *proc = rs_pidns() != RS_PIDNS_OTHER ? opendir("/proc") : NULL;
	const struct dirent *entry;

	for (unsigned int i = 0; i < s->nr; i++)
		ioctl(s->rings[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	samples_pause(source, false);
	/* after: what is mapped from now on has a record */
	while (proc && (entry = readdir(proc)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			samples_read_maps(s, atoi(entry->d_name));
	if (proc)
		closedir(proc);
	source->info.mappings = s->mappings;
	source->info.nr_mappings = s->nr_mappings;
}

static void samples_stop(struct rs_sample_source *source)
{
	struct samples *s = samples_of(source);

	samples_pause(source, true);
	for (unsigned int i = 0; i < s->nr; i++)
		ioctl(s->rings[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

/* ---- the source ---- */

static const struct rs_sample_ops samples_ops = {
	.next = samples_next, .known_ns = samples_known_ns, .offset_ns = samples_offset_ns,
	.nr_lost = samples_nr_lost,
	.ask_file = samples_ask_file, .take_file = samples_take_file,
	.start = samples_start, .pause = samples_pause, .stop = samples_stop, .close = samples_close,
};

static void samples_set_info(struct samples *s, const struct samples_try *try)
{
	struct rs_sample_info *info = &s->source.info;

	info->nr_rings = s->nr;
	info->event = try->event->name;
	if (!try->opt->hz)
		return;
	info->sample_type = samples_type(try);
	info->read_format = samples_read_format(try);
	info->user_regs = try->opt->stack_bytes ? try->opt->user_regs : 0;
	info->nr_counters = try->nr_members ? 1 + try->nr_members : 0;
	info->counters[0] = (uint8_t)rs_pmu_counters_find(try->event->name, strlen(try->event->name));
	for (unsigned int i = 0; i < try->nr_members; i++)
		info->counters[1 + i] = (uint8_t)rs_pmu_counters_find(members[i].name,
								      strlen(members[i].name));
}

/*
 * Some CPUs of a machine with several kinds of cores may lack an event that CPU 0 has: then all take the next
 * one, for shares of different events cannot be compared; but first they try it without a group. Returns -1
 * with err set.
 */
static int samples_open_all(struct samples *s, const struct rs_samples_options *opt, struct rs_error *err)
{
	bool with_group = opt->hz;
	size_t first = 0;

	for (;;) {
		struct samples_try try;
		int fd = samples_find_event(s->trace_clock, opt, first, &try);

		if (fd < 0)
			return rs_fail(err, "cannot sample what the CPUs run: %s (%s)", strerror(errno),
				       samples_why(errno));
		close(fd);
		s->perf_clock = try.clock;
		try.nr_members = with_group ? samples_find_members(&try) : 0;
		if (samples_open_rings(s, &try, err) == 0) {
			RS_LOG(RS_LOG_SOURCE,
			       "samples of %s at %u Hz on %u CPUs, %u events in its group, clock %d, "
			       "build-ids %d",
			       try.event->name, opt->hz, s->nr, 1 + try.nr_members, (int)try.clock,
			       try.kernel >= WITH_BUILD_IDS);
			samples_set_info(s, &try);
			return 0;
		}
		if (!try.nr_members)
			first = (size_t)(try.event - events) + 1;
		with_group = !try.nr_members;
		if (!try.nr_members &&
		    ((errno != ENOENT && errno != EOPNOTSUPP) || first == NR_SAMPLES_EVENTS))
			return -1;
		samples_close_rings(s);
		*err = (struct rs_error){ 0 };
	}
}

struct rs_sample_source *rs_samples_open(const struct rs_samples_options *opt, struct rs_error *err)
{
	struct samples *s = calloc(1, sizeof *s);

	if (!s) {
		rs_fail(err, "out of memory");
		return NULL;
	}
	s->source.ops = &samples_ops;
	s->files_fd = opt->files_fd;
	s->source.info = (struct rs_sample_info){ .sample_type = SAMPLE_TYPE, .local = true, .hz = opt->hz };
	if (!rs_trace_clock_id(opt->clock, &s->trace_clock))
		rs_fail(err, "samples have no times in the trace clock '%s' (--clock boot has them)",
			opt->clock ? opt->clock : "unknown");
	else if (samples_open_all(s, opt, err) == 0)
		return &s->source;
	samples_close(&s->source);
	return NULL;
}

void rs_samples_add_probes(struct rs_sample_source *source, struct rs_probes *probes)
{
	struct samples *s = samples_of(source);

	s->probes = probes;
	rs_probes_set_clock(probes, s->perf_clock);
	source->info.nr_rings += rs_probes_nr_rings(probes);
}
