// SPDX-License-Identifier: GPL-2.0-or-later
/* instance - makes a private instance, asks and tells it what is needed while it traces, and removes it */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "base/memory-watch.h"
#include "tracefs/tracefs-file.h"
#include "tracefs/guardian.h"
#include "tracefs/tracefs.h"

#define INSTANCE_MAX_CPUS 8192 /* the kernel's own NR_CPUS limit */

/* "0-7" or "0,2-3": the highest number counts, ids are what per_cpu folders are named by. */
static unsigned int nr_possible_cpus(void)
{
	char *text = rs_tracefs_read("/sys/devices/system/cpu", "possible", NULL);
	char *last = text ? text + strcspn(text, "\n") : NULL;
	long nr;

	while (last && last > text && last[-1] != '-' && last[-1] != ',')
		last--;
	nr = last && *last ? strtol(last, NULL, 10) + 1 : sysconf(_SC_NPROCESSORS_CONF);
	free(text);
	return nr < 1 ? 1 : nr > INSTANCE_MAX_CPUS ? INSTANCE_MAX_CPUS : (unsigned int)nr;
}

static void init(struct rs_instance *in, const struct rs_plan *plan)
{
	*in = (struct rs_instance){
		.tracing_on_fd = -1, .enable_fd = -1, .free_fd = -1, .size_fd = -1,
		.guardian_fds = { -1, -1 }, .ask_fd = -1, .files_fd = -1,
		.names_fd = -1, .nr_cpus = nr_possible_cpus(),
		.plan = plan,
	};
}

/*
 * Called before anything that takes time: tracing is on in a new instance. With disable_on_free the kernel
 * stops tracing and frees the buffer when the last holder of free_buffer ends, even if all processes of the
 * session are killed at once. The guardians do not hold it: they were forked before.
 */
static void make_safe(struct rs_instance *in)
{
	rs_instance_pause(in, true);
	errno = 0; /* a kernel may not have it, but what is not safe only for want of memory must not go on */
	tracefs_option_enable(in->tracefs, TRACEFS_OPTION_DISABLE_ON_FREE);
	rs_memory_library_failed();
	in->free_fd = rs_tracefs_file_open(in->tracefs, "free_buffer", O_WRONLY);
	rs_guardians_notify(in, RS_GUARDIAN_OURS);
}

/*
 * The first open file protects the instance from any clean-up. The kernel compares addresses there: opening a
 * file of an instance that was just removed may open that of a new one in the same memory. Then the folder is
 * missing.
 */
static int hold(const struct rs_instance *in)
{
	int fd = rs_tracefs_file_open(in->tracefs, "tracing_on", O_RDWR);

	if (fd < 0 || rs_tracefs_file_exists(in->path, "tracing_on"))
		return fd;
	close(fd);
	return -ENODEV;
}

static int set_name(struct rs_instance *in, const char *tracefs, unsigned int suffix, struct rs_error *err)
{
	int len = snprintf(in->name, sizeof in->name, "ringside-%d", (int)getpid());

	if (suffix)
		snprintf(in->name + len, sizeof in->name - (size_t)len, ".%u", suffix);
	len = snprintf(in->path, sizeof in->path, "%s/instances/%s", tracefs, in->name);
	if (len < 0 || (size_t)len >= sizeof in->path)
		return rs_fail(err, "the path of tracefs is too long: '%s'", tracefs);
	return 0;
}

/*
 * 1: the folder is ours; 0: the name is taken, which the library finds out itself or, in a race, by EEXIST.
 */
static int instance_make_folder(struct rs_instance *in, struct rs_error *err)
{
	errno = ENOMEM;
	in->tracefs = tracefs_instance_create(in->name);
	if (in->tracefs)
		return tracefs_instance_is_new(in->tracefs);
	if (errno == EEXIST)
		return 0;
	if (errno == EFAULT) /* the library passed a NULL path to the kernel */
		errno = ENOMEM;
	return rs_fail(err, "cannot make the tracing instance '%s': %s%s", in->path, strerror(errno),
		       errno == ENOMEM ? "" : " (run as root)");
}

/*
 * Makes a folder of a new name. Until the first file is open, the clean-up of another session may remove it:
 * then the next name is tried, as if the name were taken.
 */
static int instance_create(struct rs_instance *in, const char *tracefs, struct rs_error *err)
{
	for (unsigned int suffix = 0; suffix < 100; suffix++) {
		int ret;

		if (set_name(in, tracefs, suffix, err) < 0)
			return -1;
		rs_guardians_notify(in, RS_GUARDIAN_TRY);
		ret = instance_make_folder(in, err);
		if (ret < 0)
			return -1;
		in->tracing_on_fd = ret ? hold(in) : -ENOENT;
		if (in->tracing_on_fd >= 0) {
			make_safe(in);
			return 0;
		}
		/* taken, gone before it was found, or between being found and being opened */
		if (in->tracing_on_fd != -ENOENT && in->tracing_on_fd != -ENODEV)
			return rs_fail(err, "cannot open '%s/tracing_on': %s", in->path,
				       strerror(-in->tracing_on_fd));
		tracefs_instance_free(in->tracefs);
		in->tracefs = NULL;
	}
	return rs_fail(err, "cannot make a tracing instance: every name from ringside-%d is taken "
		       "(see 'ringside cleanup')", (int)getpid());
}

/* Sub-buffers have had other sizes than a page since 6.8. */
static size_t sub_buffer_bytes(const struct rs_instance *in)
{
	char *kib = rs_tracefs_read(in->path, "buffer_subbuf_size_kb", NULL);
	const char *data = in->header_page ? strstr(in->header_page, " data;") : NULL;
	size_t bytes = kib ? strtoul(kib, NULL, 10) * 1024 : 0;
	unsigned int offset, size;

	if (!bytes && data && sscanf(data, " data; offset:%u; size:%u;", &offset, &size) == 2)
		bytes = (size_t)offset + size;
	free(kib);
	return bytes >= 64 && bytes <= 64 << 20 ? bytes : (size_t)getpagesize();
}

/* *fd: the descriptor, or -errno. */
static int open_file(const struct rs_instance *in, const char *file, int flags, int *fd, struct rs_error *err)
{
	*fd = rs_tracefs_file_open(in->tracefs, file, flags);
	return *fd >= 0 ? 0 : rs_fail(err, "cannot open '%s/%s': %s%s", in->path, file, strerror(-*fd),
				      *fd == -EMFILE ? " (raise the limit: ulimit -n 4096)" : "");
}

/*
 * The raw buffers are opened and read by our own code: tracefs_cpu_open (1.6.4) does not set O_CLOEXEC, and
 * its reader asks select() before each page and makes a pipe for each CPU, where ours reads until a page is
 * less than half full.
 */
static int open_cpus(struct rs_instance *in, struct rs_error *err)
{
	unsigned char *listed = calloc(in->nr_cpus, 1);
	unsigned int nr_open = 0;
	int ret = 0;

	in->raw_fds = malloc(in->nr_cpus * sizeof *in->raw_fds);
	in->stats_fds = malloc(in->nr_cpus * sizeof *in->stats_fds);
	if (!listed || !in->raw_fds || !in->stats_fds)
		ret = rs_fail(err, "out of memory");
	for (unsigned int i = 0; i < in->nr_cpus && in->raw_fds && in->stats_fds; i++)
		in->raw_fds[i] = in->stats_fds[i] = -1;
	if (!ret)
		ret = rs_instance_plan_parse_cpus(in->plan->cpus, listed, in->nr_cpus, err);
	for (unsigned int i = 0; i < in->nr_cpus && !ret; i++) {
		char file[64];

		if (!listed[i])
			continue;
		snprintf(file, sizeof file, "per_cpu/cpu%u/trace_pipe_raw", i);
		if (rs_tracefs_file_exists(in->path, file))
			ret = open_file(in, file, O_RDONLY | O_NONBLOCK, &in->raw_fds[i], err);
		nr_open += in->raw_fds[i] >= 0;
		snprintf(file, sizeof file, "per_cpu/cpu%u/stats", i);
		in->stats_fds[i] = rs_tracefs_file_open(in->tracefs, file, O_RDONLY);
	}
	free(listed);
	return ret || nr_open ? ret : rs_fail(err, "no CPU has a buffer under '%s/per_cpu'", in->path);
}

static int open_events(struct rs_instance *in, struct rs_error *err)
{
	const struct rs_plan *plan = in->plan;
	int ret = 0;

	in->event_fds = malloc((plan->nr_events + 1) * sizeof *in->event_fds);
	if (!in->event_fds)
		return rs_fail(err, "out of memory");
	for (size_t i = 0; i < plan->nr_events; i++)
		in->event_fds[i] = -1;
	for (size_t i = 0; i < plan->nr_events && !ret; i++) {
		char file[192];

		snprintf(file, sizeof file, "events/%s/%s/enable", plan->events[i].system,
			 plan->events[i].name);
		ret = open_file(in, file, O_WRONLY, &in->event_fds[i], err);
	}
	return ret;
}

static void read_buffer_size(struct rs_instance *in)
{
	ssize_t kib = tracefs_instance_get_buffer_size(in->tracefs, 0);

	in->buffer_kib = kib > 0 && kib < UINT32_MAX ? (unsigned int)kib : 0;
}

static int instance_set_up(struct rs_instance *in, const struct rs_plan *plan, struct rs_error *err)
{
	if (rs_instance_plan_apply(in, plan, err) < 0)
		return -1;
	if (open_file(in, "events/enable", O_WRONLY, &in->enable_fd, err) < 0)
		return -1;
	in->header_page = rs_tracefs_read(in->path, "events/header_page", &in->header_page_len);
	in->header_event = rs_tracefs_read(in->path, "events/header_event", &in->header_event_len);
	in->page_bytes = sub_buffer_bytes(in);
	read_buffer_size(in);
	if (plan->switchable &&
	    (open_events(in, err) < 0 || open_file(in, "buffer_size_kb", O_WRONLY, &in->size_fd, err) < 0))
		return -1;
	return open_cpus(in, err) < 0 || rs_instance_plan_begin_clock(in, plan->clock, err) < 0 ? -1 : 0;
}

int rs_instance_open(struct rs_instance *in, const struct rs_plan *plan, struct rs_error *err)
{
	const char *tracefs;
	unsigned int nr_busy;

	init(in, plan);
	tracefs = rs_tracefs_find(err);
	if (!tracefs)
		return -1;
	rs_tracefs_cleanup(&nr_busy);
	RS_LOG(RS_LOG_TRACEFS, "mounted at %s; %u instances of ringside are in use", tracefs, nr_busy);
	if (rs_guardians_start(in, tracefs, err) < 0 || instance_create(in, tracefs, err) < 0 ||
	    instance_set_up(in, plan, err) < 0) {
		rs_instance_close(in);
		return -1;
	}
	RS_LOG(RS_LOG_TRACEFS, "instance %s: guardians %d and %d, pages of %zu bytes, %u KiB a CPU", in->name,
	       (int)in->guardian_pids[0], (int)in->guardian_pids[1], in->page_bytes, in->buffer_kib);
	return 0;
}

void rs_instance_pause(struct rs_instance *in, bool pause)
{
	int saved = errno;

	if (in->tracing_on_fd >= 0 && write(in->tracing_on_fd, pause ? "0" : "1", 1) < 0)
		errno = saved; /* a signal handler cannot report it */
	errno = saved;
}

void rs_instance_stop(struct rs_instance *in)
{
	rs_instance_pause(in, true);
	if (in->enable_fd >= 0)
		rs_tracefs_file_write_fd(in->enable_fd, "0");
	rs_stack_triggers_remove(in);
}

int rs_instance_event(struct rs_instance *in, size_t event, bool on)
{
	int ret;

	if (!in->event_fds || event >= in->plan->nr_events)
		return -EBADF;
	ret = rs_tracefs_file_write_fd(in->event_fds[event], on ? "1" : "0");
	return ret ? ret : rs_stack_triggers_turn(in, event, on);
}

int rs_instance_open_marker(struct rs_instance *in)
{
	return rs_instance_await_clock(in, NULL) < 0 ?
		       -1 :
		       rs_tracefs_file_open(in->tracefs, "trace_marker", O_WRONLY);
}

void rs_instance_clear(struct rs_instance *in)
{
	/* the opening empties the buffer */
	int fd = rs_tracefs_file_open(in->tracefs, "trace", O_WRONLY | O_TRUNC);

	rs_close(&fd);
}

static int instance_write_size(struct rs_instance *in, unsigned int kib)
{
	char text[16];
	int ret = -EBADF;

	snprintf(text, sizeof text, "%u", kib);
	if (in->size_fd >= 0)
		ret = rs_tracefs_file_write_fd(in->size_fd, text);
	if (!ret)
		in->buffer_kib = kib;
	return ret;
}

int rs_instance_resize(struct rs_instance *in, unsigned int kib)
{
	return rs_tracing_settings_resize(in, instance_write_size, kib);
}

static void close_events(struct rs_instance *in)
{
	for (size_t i = 0; in->event_fds && i < in->plan->nr_events; i++)
		rs_close(&in->event_fds[i]);
	free(in->event_fds);
	in->event_fds = NULL;
}

void rs_instance_close(struct rs_instance *in)
{
	rs_instance_await_clock(in, NULL);
	rs_instance_stop(in);
	for (unsigned int i = 0; i < in->nr_cpus; i++) {
		if (in->raw_fds)
			rs_close(&in->raw_fds[i]);
		if (in->stats_fds)
			rs_close(&in->stats_fds[i]);
	}
	close_events(in);
	rs_tracing_settings_done(in);
	rs_stack_triggers_close(in);
	free(in->raw_fds);
	free(in->stats_fds);
	free(in->header_page);
	free(in->header_event);
	in->header_page = in->header_event = NULL;
	in->raw_fds = in->stats_fds = NULL;
	rs_close(&in->tracing_on_fd);
	rs_close(&in->enable_fd);
	rs_close(&in->free_fd);
	rs_close(&in->size_fd);
	rs_guardians_end(in);
	/* Both guardians were killed: the engine may still be able to do it. */
	if (in->tracefs)
		tracefs_instance_destroy(in->tracefs);
	tracefs_instance_free(in->tracefs);
	in->tracefs = NULL;
	in->path[0] = '\0';
}

/* A CPU's stats into text, which begins with a newline so that each line can be found by its name. */
static bool instance_read_stats(struct rs_instance *in, unsigned int cpu, char *text, size_t size)
{
	ssize_t n;

	if (cpu >= in->nr_cpus || !in->stats_fds || in->stats_fds[cpu] < 0)
		return false;
	text[0] = '\n';
	n = pread(in->stats_fds[cpu], text + 1, size - 2, 0);
	text[n > 0 ? n + 1 : 0] = '\0';
	return n > 0;
}

/* The number after a name of a line. */
static uint64_t stats_count(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

bool rs_instance_lost(struct rs_instance *in, unsigned int cpu, uint64_t *nr_lost)
{
	static const char *const counts[] = { "\noverrun: ", "\ncommit overrun: ", "\ndropped events: " };
	char text[512];

	if (!instance_read_stats(in, cpu, text, sizeof text) || !strstr(text, counts[0]))
		return false;
	*nr_lost = 0;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		*nr_lost += stats_count(text, counts[i]);
	return true;
}

bool rs_instance_counts(struct rs_instance *in, unsigned int cpu, struct rs_cpu_counts *counts)
{
	char text[512];

	if (!instance_read_stats(in, cpu, text, sizeof text) || !strstr(text, "\nread events: "))
		return false;
	*counts = (struct rs_cpu_counts){ stats_count(text, "\nentries: "), stats_count(text, "\noverrun: "),
					  stats_count(text, "\nread events: ") };
	return true;
}

/* "now ts:  2594.121198" where the clock counts nanoseconds, "now ts: 123456" where something else. */
bool rs_instance_clock(struct rs_instance *in, unsigned int cpu, uint64_t *now)
{
	char text[512], *at, *end;
	uint64_t whole;

	if (!instance_read_stats(in, cpu, text, sizeof text) || !(at = strstr(text, "\nnow ts: ")))
		return false;
	whole = strtoull(at + strlen("\nnow ts: "), &end, 10);
	*now = *end == '.' ? whole * 1000000000 + strtoull(end + 1, NULL, 10) * 1000 : whole;
	return true;
}
