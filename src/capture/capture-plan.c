// SPDX-License-Identifier: GPL-2.0-or-later
/* capture-plan - the plan of a capture: what its analyses, and the user, require of the kernel */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/close.h"
#include "base/log.h"
#include "base/nearest.h"
#include "base/own-name.h"
#include "base/pidns.h"
#include "base/vector.h"
#include "capture/capture.h"

#define MAX_TIDS 65536
/*
 * A reader that is not real-time waits for a CPU: the buffer must hold what comes meanwhile. Stacks are
 * several times the events.
 */
#define PATIENT_BUFFER_KIB 8192

/*
 * by_task: the events of this system are fired by the task that they are about. skip_own: ringside's own work
 * (system calls, faults, allocations) fires them. Other systems: fired by any task, rarely by ringside.
 */
static const struct system {
	const char *system;
	bool by_task, skip_own;
	/* so frequent that capturing own work costs less than filtering it, see own_calls */
	bool often;
} systems[] = {
	{ "raw_syscalls", true, true, true },
	{ "syscalls", true, true, false },
	{ "exceptions", true, true, false },
	{ "kmem", false, true, false },
};

static const struct system *find_system(const char *name)
{
	static const struct system other = { 0 };

	for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
		if (!strcmp(systems[i].system, name))
			return &systems[i];
	return &other;
}

bool rs_capture_plan_kernel_is(unsigned int least_major, unsigned int least_minor)
{
	unsigned int major, minor;
	struct utsname uts;

	return uname(&uts) == 0 && sscanf(uts.release, "%u.%u", &major, &minor) == 2 &&
	       (major > least_major || (major == least_major && minor >= least_minor));
}

/* system and name have to outlive the plan. */
static int add_event(struct rs_capture_plan *p, const char *system, const char *name, bool by_task,
		     struct rs_error *err)
{
	const struct system *traits = find_system(system);
	/* in a PID namespace events carry other numbers: own work is then filtered by name, always */
	bool other_numbers = rs_pidns() == RS_PIDNS_OTHER;
	bool skip_own = traits->skip_own && (other_numbers || !(p->own_calls && traits->often));
	struct rs_plan_event *event;

	for (size_t i = 0; i < p->nr_events; i++)
		if (!strcmp(p->events[i].name, name) && !strcmp(p->events[i].system, system)) {
			p->all_by_task &= by_task;
			return 0;
		}
	event = RS_VECTOR_ADD(&p->events, &p->nr_events, &p->events_room);
	if (!event)
		return rs_fail(err, "cannot plan the capture: out of memory");
	*event = (struct rs_plan_event){
		.system = system, .name = name, .skip_own = skip_own,
		.skip_ringsides = traits->skip_own && !p->self,
		.filter = skip_own && other_numbers ? RS_OWN_NAME_FILTER : NULL,
	};
	p->all_by_task &= by_task;
	RS_LOG(RS_LOG_PLAN, "event %s:%s (%s)%s", system, name,
	       by_task ? "fired by the task itself" : "fired by anyone",
	       skip_own ? ", own work is filtered" : "");
	return 0;
}

int rs_capture_plan_add_event(struct rs_capture_plan *p, const char *system, const char *name,
			      struct rs_error *err)
{
	return add_event(p, system, name, find_system(system)->by_task, err);
}

/*
 * Would the kernel let a reader run SCHED_FIFO? Not without the right, nor in a group without real-time
 * budget.
 */
static bool may_run_fifo(void)
{
	struct sched_param before, fifo = { .sched_priority = 1 };
	int policy = sched_getscheduler(0);

	if (policy < 0 || sched_getparam(0, &before) < 0 || sched_setscheduler(0, SCHED_FIFO, &fifo) < 0)
		return false;
	return sched_setscheduler(0, policy, &before) == 0;
}

/* ---- requirements of analyses ---- */

static const char *capture_plan_analysis_name(const struct rs_event_requirement *need)
{
	return need->analysis ? need->analysis->name : "ringside";
}

/*
 * The guardians, which are forked with the instance, remove them; a session that is killed before leaves them
 * to the next one.
 */
static int capture_plan_add_names(struct rs_capture_plan *p, const char *tracefs, bool all,
				  struct rs_error *err)
{
	if (p->has_eprobes)
		return 0;
	p->has_eprobes = true;
	rs_eprobes_make(tracefs, all, &p->dynamic_events);
	for (unsigned int i = 0; i < p->dynamic_events.nr; i++)
		if (add_event(p, p->dynamic_events.group, p->dynamic_events.names[i], true, err) < 0)
			return -1;
	return 0;
}

static int capture_plan_add_requirements(struct rs_capture_plan *p, const char *tracefs,
					 const struct rs_capture_config *config,
					 struct rs_error *err)
{
	bool previous_here = false;

	for (size_t i = 0; i < config->nr_requirements; i++) {
		const struct rs_event_requirement *need = &config->needs[i];
		bool is_fallback = need->need == RS_FALLBACK;
		bool here;

		if (is_fallback && previous_here)
			continue;
		here = rs_tracefs_has_event(tracefs, need->system, need->name);
		previous_here = here;
		if (here) {
			if (add_event(p, need->system, need->name, need->by == RS_BY_TASK, err) < 0 ||
			    (need->with_names &&
			     capture_plan_add_names(p, tracefs, need->with_names == RS_CALL_NAMES_ALL,
						    err) < 0))
				return -1;
		} else if (need->need == RS_REQUIRED) {
			return rs_fail(err,
				       "%s cannot work: this kernel has no event %s:%s (see ringside doctor)",
				       capture_plan_analysis_name(need), need->system, need->name);
		} else if (!rs_requirement_is_replaced(tracefs, need)) {
			rs_buf_printf(&p->missing, "%s:%s (%s)\n", need->system, need->name,
				      capture_plan_analysis_name(need));
			RS_LOG(RS_LOG_PLAN, "this kernel has no event %s:%s: %s goes without", need->system,
			       need->name, capture_plan_analysis_name(need));
		}
	}
	return 0;
}

/* ---- events that the user named ---- */

/* Cuts "sys:event" lines into "sys" and "event" behind it; the kernel's own entries cannot be enabled. */
static int read_available(struct rs_capture_plan *p, const char *tracefs, struct rs_error *err)
{
	size_t nr = 0, len = 0;
	char *save = NULL;

	p->available = rs_tracefs_read(tracefs, "available_events", &len);
	if (!p->available)
		return rs_fail(err, "cannot read %s/available_events: %s", tracefs, strerror(errno));
	for (size_t i = 0; i < len; i++)
		nr += p->available[i] == '\n';
	p->names = calloc(nr + 2, sizeof *p->names);
	if (!p->names)
		return rs_fail(err, "cannot plan the capture: out of memory");
	nr = 0;
	for (char *line = strtok_r(p->available, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');

		if (!colon || !strncmp(line, "ftrace:", 7))
			continue;
		*colon = '\0';
		p->names[nr++] = line;
	}
	return 0;
}

static const char *capture_plan_event_of(const char *name)
{
	return name + strlen(name) + 1;
}

/* "sched:sched_*", "sched", "sched_switch": the whole of a system and its event, of either alone the one. */
static bool capture_plan_matches(const char *pattern, const char *name)
{
	char both[256];

	if (strchr(pattern, ':')) {
		snprintf(both, sizeof both, "%s:%s", name, capture_plan_event_of(name));
		return !fnmatch(pattern, both, 0);
	}
	return !fnmatch(pattern, name, 0) || !fnmatch(pattern, capture_plan_event_of(name), 0);
}

/* Compared as "sys:event" where the word has a colon, else with each system and each event. */
static int capture_plan_fail_unknown(struct rs_capture_plan *p, const char *pattern, struct rs_error *err)
{
	bool with_system = strchr(pattern, ':');
	const char **words, *near = NULL;
	size_t nr = 0;

	while (p->names[nr])
		nr++;
	words = calloc(2 * nr + 1, sizeof *words);
	for (size_t i = 0, n = 0; words && i < nr; i++) {
		if (!with_system)
			words[n++] = capture_plan_event_of(p->names[i]);
		else
			p->names[i][strlen(p->names[i])] = ':';
		words[n++] = p->names[i];
	}
	if (words)
		near = rs_nearest(pattern, words);
	rs_fail_usage(err, "unknown event '%s': this kernel has none of that name (%s%s%s)", pattern,
		      near ? "did you mean '" : "see ringside list events", near ? near : "",
		      near ? "'?" : "");
	free(words);
	return -1;
}

/* The number of events that were found; -1: no memory. */
static int add_matching(struct rs_capture_plan *p, const char *pattern, struct rs_error *err)
{
	int found = 0;

	for (size_t i = 0; p->names[i]; i++) {
		if (!capture_plan_matches(pattern, p->names[i]))
			continue;
		found++;
		if (add_event(p, p->names[i], capture_plan_event_of(p->names[i]),
			      find_system(p->names[i])->by_task, err))
			return -1;
	}
	return found;
}

static int add_named(struct rs_capture_plan *p, const char *tracefs, const struct rs_capture_config *config,
		     struct rs_error *err)
{
	if (config->nr_events + config->nr_likely && read_available(p, tracefs, err) < 0)
		return -1;
	for (size_t e = 0; e < config->nr_events; e++) {
		int found = add_matching(p, config->events[e], err);

		if (found <= 0)
			return found < 0 ? -1 : capture_plan_fail_unknown(p, config->events[e], err);
	}
	for (size_t e = 0; e < config->nr_likely; e++)
		if (add_matching(p, config->likely[e], err) < 0)
			return -1;
	return 0;
}

/* ---- clock ---- */

/* trace_clock is "[local] global boot ..." */
static int check_clock(const char *tracefs, const char *clock, struct rs_error *err)
{
	char *clocks = rs_tracefs_read(tracefs, "trace_clock", NULL), *save = NULL;
	const char *words[32] = { NULL }, *near;
	struct rs_buf all = RS_BUF_INIT;
	bool found = false;
	size_t nr = 0;
	int ret = 0;

	if (!clocks)
		return rs_fail(err, "cannot read %s/trace_clock: %s", tracefs, strerror(errno));
	for (char *word = strtok_r(clocks, " []\n", &save); word && nr < 31;
	     word = strtok_r(NULL, " []\n", &save)) {
		words[nr++] = word;
		found |= !strcmp(word, clock);
		rs_buf_printf(&all, " %s", word);
	}
	if (!found) {
		near = rs_nearest(clock, words);
		ret = rs_fail_usage(err, "unknown clock '%s': this kernel has%s%s%s%s", clock, all.data,
				    near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
	}
	rs_buf_done(&all);
	free(clocks);
	return ret;
}

/* ---- tasks to narrow to ---- */

static int add_tid(struct rs_capture_plan *p, pid_t tid, struct rs_error *err)
{
	if (!p->tids && !(p->tids = calloc(MAX_TIDS, sizeof *p->tids)))
		return rs_fail(err, "cannot plan the capture: out of memory");
	if (p->plan.nr_tids == MAX_TIDS)
		return rs_fail(err, "-p: more than %d threads", MAX_TIDS);
	p->tids[p->plan.nr_tids++] = tid;
	return 0;
}

static int add_threads_of(struct rs_capture_plan *p, int32_t pid, struct rs_error *err)
{
	char path[64];
	struct dirent *entry;
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return rs_fail(err, "-p %d: no such process", pid);
	while (!ret && (entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			ret = add_tid(p, (pid_t)strtol(entry->d_name, NULL, 10), err);
	closedir(dir);
	return ret;
}

/* /proc has every thread by its number, though it lists the first of each process alone. */
static int check_thread(int32_t tid, struct rs_error *err)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d", tid);
	return access(path, F_OK) == 0 ? 0 : rs_fail(err, "-t %d: no such thread", tid);
}

/*
 * Only if each event is fired by the task that it is about: with a pid filter in the kernel a process would
 * have every issue and no completion, since an interrupt completes in the context of any task.
 */
static int capture_plan_narrow_filter(struct rs_capture_plan *p, const struct rs_capture_config *config,
				      pid_t command,
				      struct rs_error *err)
{
	if (rs_pidns() == RS_PIDNS_OTHER && (config->nr_pids || config->nr_tids))
		return rs_fail(err, "-p and -t do not work here: this is a PID namespace of its own, and "
			       "the kernel's events bear the host's numbers (run ringside on the host)");
	if (rs_pidns() == RS_PIDNS_OTHER && config->only_command)
		return rs_fail(
			err,
			"cannot tell the command from others: this is a PID namespace of its own, and the "
			"kernel's events bear the host's numbers (run ringside on the host, or show the "
			"whole "
			"machine with --system)");
	for (size_t i = 0; i < config->nr_pids; i++)
		if (add_threads_of(p, config->pids[i], err) < 0)
			return -1;
	for (size_t i = 0; i < config->nr_tids; i++)
		if (check_thread(config->tids[i], err) < 0 || add_tid(p, config->tids[i], err) < 0)
			return -1;
	if (config->only_command && command && add_tid(p, command, err) < 0)
		return -1;
	if (!p->all_by_task || config->no_children)
		p->plan.nr_tids = 0;
	return 0;
}

/* Of one process. */
static int capture_plan_probes(struct rs_capture_plan *p, const char *tracefs,
			       const struct rs_capture_config *config, pid_t command, struct rs_error *err)
{
	unsigned int samples = config->live.samples;
	const char *name = samples & RS_SAMPLE_PROBES ? "alloc" : "kmem";

	if (config->nr_pids != 1 && (config->nr_pids || !command))
		return rs_fail_usage(err, "%s: of which process? (-p PID%s)", name,
				     config->nr_pids ? ", one alone" :
						       ", or -- COMMAND; of a recording: -i FILE");
	if (rs_pidns() == RS_PIDNS_OTHER)
		return rs_fail(err,
			       "%s: this is a PID namespace of its own, and samples bear the host's numbers "
			       "(run ringside on the host)",
			       name);
	p->probes.pid = config->nr_pids ? config->pids[0] : command;
	p->probes.is_stopped = !config->nr_pids;
	if ((samples & RS_SAMPLE_PROBES) && rs_alloc_probes_plan(p, tracefs, err) < 0)
		return -1;
	return samples & RS_SAMPLE_KMEM ? rs_kmem_probes_plan(p, tracefs, err) : 0;
}

int rs_capture_plan_make(struct rs_capture_plan *p, const char *tracefs,
			 const struct rs_capture_config *config, pid_t command, struct rs_error *err)
{
	/*
	 * before 6.1 the kernel wakes a reader for each event, whatever buffer_percent says, also for its own
	 * events
	 */
	*p = (struct rs_capture_plan){ .missing = RS_BUF_INIT, .all_by_task = true,
				       .own_calls = config->own_calls && rs_capture_plan_kernel_is(6, 1),
		.self = config->self };
	p->plan.clock = config->clock ? config->clock : "boot";
	p->plan.buffer_kib = config->buffer_kib || (may_run_fifo() && !config->stacks) ? config->buffer_kib :
											 PATIENT_BUFFER_KIB;
	p->plan.cpus = config->cpus;
	p->plan.buffer_percent = 10;
	if (check_clock(tracefs, p->plan.clock, err) < 0 ||
	    capture_plan_add_requirements(p, tracefs, config, err) < 0 ||
	    add_named(p, tracefs, config, err) < 0 ||
	    rs_stack_events_plan(p, tracefs, config->stacks, err) < 0)
		return -1;
	if ((config->live.samples & RS_SAMPLE_ALLOCATIONS) &&
	    capture_plan_probes(p, tracefs, config, command, err) < 0)
		return -1;
	if (!p->nr_events)
		return rs_fail(err, "nothing to capture: this kernel has none of the events that are needed "
				    "(see ringside doctor)");
	if (capture_plan_narrow_filter(p, config, command, err) < 0)
		return -1;
	p->plan.events = p->events;
	p->plan.dynamic_events = &p->dynamic_events;
	p->plan.nr_events = p->nr_events;
	p->plan.tids = p->tids;
	p->plan.switchable = config->switchable;
	p->plan.socket_path = config->socket_path;
	RS_LOG(RS_LOG_PLAN, "%zu events, clock %s, %u KiB a CPU (0: the kernel's default), CPUs %s",
	       p->nr_events, p->plan.clock, p->plan.buffer_kib, p->plan.cpus ? p->plan.cpus : "all");
	if (p->plan.nr_tids)
		RS_LOG(RS_LOG_PLAN,
		       "narrowed in the kernel to %zu threads: each event is fired by the task that it is "
		       "about",
		       p->plan.nr_tids);
	else if (config->nr_pids || config->nr_tids || config->only_command)
		RS_LOG(RS_LOG_PLAN, "not narrowed in the kernel: some events are fired by other tasks than "
				    "those they are about");
	return 0;
}

/* The guardians have done it, unless there were none yet, or they were killed. */
static void capture_plan_remove_names(struct rs_capture_plan *p)
{
	char path[PATH_MAX];
	int fd;

	if (!p->dynamic_events.nr)
		return;
	snprintf(path, sizeof path, "%s/instances", rs_tracefs_find(NULL));
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rs_dynamic_events_remove(fd, &p->dynamic_events);
	rs_close(&fd);
}

void rs_capture_plan_done(struct rs_capture_plan *p)
{
	capture_plan_remove_names(p);
	free(p->events);
	free(p->available);
	free(p->names);
	free(p->tids);
	while (p->nr_names)
		free(p->call_names[--p->nr_names]);
	rs_buf_done(&p->missing);
}
