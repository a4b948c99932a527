// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tracing-settings - whether the instance still records what it was told to
 *
 * Any program of root may write to the files of our instance, and many write to all instances ("trace-cmd
 * reset"). What decides which events are recorded is read when the instance has been set up, from files that
 * stay open, and compared later. The kernel makes the text anew for each pread at 0, so no rights are needed
 * by then.
 *
 * A cleared buffer changes no file. The kernel sets its counters back then, which else only grow: events read
 * and overrun of each CPU. A snapshot, which swaps the buffers, looks the same.
 */
#include "tracefs/tracefs-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"

#define SETTING_BYTES 4096 /* what a read returns at most */

/* An "enable" file and a "filter" file for each event follow these. */
enum { TRACING_ON, CLOCK, CPUMASK, BUFFER_SIZE, OVERWRITE, PIDS, NOTRACE_PIDS, NR_FILES };

static const char *const settings_files[NR_FILES] = {
	[TRACING_ON] = "tracing_on",
	[CLOCK] = "trace_clock",
	[CPUMASK] = "tracing_cpumask",
	[BUFFER_SIZE] = "buffer_size_kb",
	[OVERWRITE] = "options/overwrite",
	[PIDS] = "set_event_pid",
	[NOTRACE_PIDS] = "set_event_notrace_pid",
};

struct rs_tracing_setting {
	int fd;                  /* negative: this kernel does not have it, or it changes by itself */
	char *expected;          /* NULL of tracing_on and of "enable" files: the caller knows */
};

struct setting_counts {
	uint64_t nr_read, overrun; /* as they were last */
	uint64_t nr_least;       /* events that had been written by then, at least */
};

struct rs_tracing_settings {
	pthread_mutex_t lock;    /* held while they are compared, or changed by the session itself */
	struct rs_tracing_setting *all;
	size_t nr, nr_events;    /* nr_events: those that are compared */
	struct setting_counts *counts; /* of each CPU */
};

/* ---- reading ---- */

static bool setting_read(int fd, char text[SETTING_BYTES])
{
	ssize_t n = pread(fd, text, SETTING_BYTES - 1, 0);

	if (n < 0)
		return false;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0'; /* of a list of threads the first will do */
	return true;
}

static void settings_open(struct rs_instance *in, struct rs_tracing_setting *s, const char *file,
			  bool is_expected)
{
	char text[SETTING_BYTES];

	s->fd = rs_tracefs_file_open(in->tracefs, file, O_RDONLY);
	if (s->fd < 0 || !is_expected)
		return;
	s->expected = setting_read(s->fd, text) ? strdup(text) : NULL;
	if (!s->expected)
		rs_close(&s->fd);
}

/* Two files of each event: the limit of a shell, 1024, is for programs that use select(). */
static size_t settings_room(size_t nr_events)
{
	struct rlimit limit;
	size_t room;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return 0;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	room = limit.rlim_cur / 4;
	return nr_events < room ? nr_events : room;
}

static void settings_open_events(struct rs_instance *in, struct rs_tracing_settings *s)
{
	for (size_t i = 0; i < s->nr_events; i++) {
		const struct rs_plan_event *ev = &in->plan->events[i];
		char file[192];

		snprintf(file, sizeof file, "events/%s/%s/enable", ev->system, ev->name);
		settings_open(in, &s->all[NR_FILES + 2 * i], file, false);
		snprintf(file, sizeof file, "events/%s/%s/filter", ev->system, ev->name);
		settings_open(in, &s->all[NR_FILES + 2 * i + 1], file, true);
	}
}

int rs_tracing_settings_watch(struct rs_instance *in, struct rs_error *err)
{
	struct rs_tracing_settings *s = in->settings = calloc(1, sizeof *s);

	if (!s)
		return rs_fail(err, "out of memory");
	pthread_mutex_init(&s->lock, NULL);
	s->nr_events = settings_room(in->plan->nr_events);
	s->nr = NR_FILES + 2 * s->nr_events;
	s->all = calloc(s->nr, sizeof *s->all);
	s->counts = calloc(in->nr_cpus, sizeof *s->counts);
	for (size_t i = 0; s->all && i < s->nr; i++)
		s->all[i].fd = -1;
	if (!s->all || !s->counts)
		return rs_fail(err, "out of memory");
	for (size_t i = 0; i < NR_FILES; i++)
		if (i != PIDS || !in->plan->nr_tids) /* of ours, threads come and go */
			settings_open(in, &s->all[i], settings_files[i], i != TRACING_ON);
	settings_open_events(in, s);
	RS_LOG(RS_LOG_TRACEFS, "the settings of %zu events of %zu are compared each second", s->nr_events,
	       in->plan->nr_events);
	return 0;
}

void rs_tracing_settings_done(struct rs_instance *in)
{
	struct rs_tracing_settings *s = in->settings;

	if (!s)
		return;
	for (size_t i = 0; s->all && i < s->nr; i++) {
		rs_close(&s->all[i].fd);
		free(s->all[i].expected);
	}
	pthread_mutex_destroy(&s->lock);
	free(s->all);
	free(s->counts);
	free(s);
	in->settings = NULL;
}

int rs_tracing_settings_resize(struct rs_instance *in,
			       int (*resize)(struct rs_instance *in, unsigned int kib), unsigned int kib)
{
	struct rs_tracing_settings *s = in->settings;
	struct rs_tracing_setting *size = s && s->all ? &s->all[BUFFER_SIZE] : NULL;
	char text[SETTING_BYTES], *now;
	int ret;

	if (!size || size->fd < 0)
		return resize(in, kib);
	pthread_mutex_lock(&s->lock);
	ret = resize(in, kib);
	now = setting_read(size->fd, text) ? strdup(text) : NULL;
	free(size->expected);
	size->expected = now;
	if (!now)
		rs_close(&size->fd);
	pthread_mutex_unlock(&s->lock);
	return ret;
}

/* ---- comparing ---- */

/* The differences as a list, "tracing_on 0, sched:sched_switch disabled". */
struct difference {
	char *text;
	size_t size, len;
};

static __attribute__((format(printf, 2, 3))) void difference_add(struct difference *d, const char *format,
								 ...)
{
	size_t room = d->size - d->len;
	va_list ap;
	int n;

	if (d->len && room > 3) {
		memcpy(d->text + d->len, ", ", 3);
		d->len += 2;
		room -= 2;
	}
	va_start(ap, format);
	n = vsnprintf(d->text + d->len, room, format, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < room) {
		d->len += (size_t)n;
	} else if (d->size > 4) { /* the end of the list */
		memcpy(d->text + d->size - 4, "...", 4);
		d->len = d->size - 1;
	}
}

/* "[boot]" of "local [boot] mono"; the name alone, cut to size. */
static void settings_clock(const char *text, char *name, size_t size)
{
	const char *at = strchr(text, '[');

	snprintf(name, size, "%.*s", at ? (int)strcspn(at + 1, "]") : 0, at ? at + 1 : "");
}

/* A size that another program has set is what is expected from now on: after it nothing is missing. */
static void settings_accept(struct rs_tracing_setting *s, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return;
	free(s->expected);
	s->expected = copy;
}

static void settings_compare_files(struct rs_tracing_settings *s, bool tracing, struct difference *d)
{
	char text[SETTING_BYTES];

	for (int i = 0; i < NR_FILES; i++) {
		const char *expected = i == TRACING_ON ? tracing ? "1" : "0" : s->all[i].expected;

		if (i == CLOCK || s->all[i].fd < 0 || !setting_read(s->all[i].fd, text) ||
		    !strcmp(text, expected))
			continue;
		difference_add(d, "%s %.40s", settings_files[i], *text ? text : "empty");
		if (i == BUFFER_SIZE)
			settings_accept(&s->all[i], text);
	}
}

/* An event with a trigger says "1*". */
static void settings_compare_events(struct rs_instance *in, const bool *events_off, struct difference *d)
{
	struct rs_tracing_settings *s = in->settings;
	char text[SETTING_BYTES];

	for (size_t i = 0; i < s->nr_events; i++) {
		const struct rs_tracing_setting *enable = &s->all[NR_FILES + 2 * i], *filter = enable + 1;
		const struct rs_plan_event *ev = &in->plan->events[i];

		if (enable->fd >= 0 && !events_off[i] && setting_read(enable->fd, text) && *text == '0')
			difference_add(d, "%s:%s disabled", ev->system, ev->name);
		if (filter->fd >= 0 && setting_read(filter->fd, text) && strcmp(text, filter->expected) != 0)
			difference_add(d, "%s:%s filter '%.40s'", ev->system, ev->name, text);
	}
}

/* The sum of the three is too large by what is read between them, never too small. */
static bool settings_was_cleared(struct setting_counts *c, const struct rs_cpu_counts *now)
{
	struct setting_counts before = *c;

	*c = (struct setting_counts){ now->nr_read, now->overrun, now->nr_read + now->overrun };
	if (!c->nr_least)
		c->nr_least = now->entries;
	return now->nr_read < before.nr_read || now->overrun < before.overrun ||
	       now->entries + now->overrun + now->nr_read < before.nr_least;
}

static void settings_compare_counts(struct rs_instance *in, struct difference *d)
{
	struct rs_cpu_counts now;
	bool cleared = false;

	for (unsigned int cpu = 0; cpu < in->nr_cpus; cpu++)
		if (rs_instance_counts(in, cpu, &now))
			cleared |= settings_was_cleared(&in->settings->counts[cpu], &now);
	if (cleared)
		difference_add(d, "buffer cleared");
}

static bool settings_has_clock(const struct rs_tracing_setting *clock, char *what, size_t size)
{
	char text[SETTING_BYTES];

	if (clock->fd < 0 || !setting_read(clock->fd, text) || !strcmp(text, clock->expected))
		return true;
	settings_clock(text, what, size);
	return false;
}

enum rs_tracing_settings_state rs_tracing_settings_check(struct rs_instance *in, bool tracing,
							 const bool *events_off, char *what, size_t size)
{
	struct difference d = { what, size, 0 };
	struct rs_tracing_settings *s = in->settings;
	bool has_clock;

	*what = '\0';
	if (!s)
		return RS_TRACING_AS_SET;
	pthread_mutex_lock(&s->lock);
	has_clock = settings_has_clock(&s->all[CLOCK], what, size);
	if (has_clock) {
		settings_compare_files(s, tracing, &d);
		settings_compare_events(in, events_off, &d);
		settings_compare_counts(in, &d);
	}
	pthread_mutex_unlock(&s->lock);
	return !has_clock ? RS_TRACING_OTHER_CLOCK : d.len ? RS_TRACING_CHANGED : RS_TRACING_AS_SET;
}
