// SPDX-License-Identifier: GPL-2.0-or-later
/* capture - what every live command shares: from a list of needs to a running capture, and back */
#include "base/close.h"
#include "base/memory-watch.h"
#include "base/monotonic.h"
#include "base/pidns.h"
#include "capture/capture.h"
#include "capture/stack-cost.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/thread.h"
#include "decode/stacked-pages.h"
#include "source/perf/samples.h"
#include "source/perf/switch-stacks.h"
#include "source/trace-clock.h"
#include "stacks/unwound-samples.h"

/* ---- opening ---- */

#define CAPTURE_CHECK_NS 1000000000 /* what others changed is noticed that late, see changes.c */
#define CAPTURE_FIRST_CHECK_NS 100000000 /* that the buffer was cleared is known from the counts before */

static int make_timer(uint64_t ns, int *fd, struct rs_error *err)
{
	*fd = -1;
	if (!ns)
		return 0;
	*fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (*fd < 0)
		return rs_fail(err, "cannot make a timer: %s", strerror(errno));
	return 0;
}

/* every_ns 0: once */
static void arm_timer(int fd, uint64_t first_ns, uint64_t every_ns)
{
	struct itimerspec t = {
		.it_value = { (time_t)(first_ns / 1000000000), (long)(first_ns % 1000000000) },
		.it_interval = { (time_t)(every_ns / 1000000000), (long)(every_ns % 1000000000) },
	};

	if (fd < 0)
		return;
	timerfd_settime(fd, 0, &t, NULL);
}

static int open_fds(struct rs_capture *c, struct rs_error *err)
{
	c->notify_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->notify_fd < 0)
		return rs_fail(err, "cannot make an eventfd: %s", strerror(errno));
	if (make_timer(c->config->duration_ns, &c->duration_fd, err) < 0)
		return -1;
	if (make_timer(CAPTURE_CHECK_NS, &c->check_fd, err) < 0)
		return -1;
	return make_timer(c->config->interval_ns, &c->interval_fd, err);
}

static bool capture_has_calls(const struct rs_plan *plan)
{
	for (size_t i = 0; i < plan->nr_events; i++)
		if (!strcmp(plan->events[i].system, "raw_syscalls") ||
		    !strcmp(plan->events[i].system, "syscalls"))
			return true;
	return false;
}

static bool capture_has_triggers(const struct rs_plan *plan)
{
	for (size_t i = 0; i < plan->nr_events; i++)
		if (plan->events[i].stack_if)
			return true;
	return false;
}

/* --call-graph dwarf: a thread of its own computes the callers. */
static int capture_unwinds(struct rs_capture *c, struct rs_error *err)
{
	if (!c->source->samples || !c->source->samples->info.user_regs)
		return 0;
	if (rs_unwound_samples_open(&c->source->samples, &c->source->info) < 0)
		return rs_fail(err, "cannot capture: out of memory");
	c->unwinds = true;
	return rs_capture_thread(c, rs_unwound_samples_run, c->source->samples, err);
}

/* What a wait with its stack costs is measured, too. */
static int capture_open_stacks(struct rs_capture *c, struct rs_live_options *live, uint64_t *cost_ns,
			       struct rs_error *err)
{
	const struct rs_plan *plan = &c->plan.plan;

	if (!plan->switch_stacks_if && !capture_has_triggers(plan))
		return 0;
	/*
	 * The event is on before perf's is opened, and stays on, while tracing is off: so its handler is
	 * called first. Else what perf takes for a stack delays the event's time, and a task that another CPU
	 * wakes meanwhile would not have waited.
	 */
	if (plan->switch_stacks_if) {
		rs_stack_triggers_try(&c->instance, false, true);
		live->switch_stacks = rs_switch_stacks_open(&c->instance, plan->switch_stacks_if,
							    plan->user_stacks, err);
		if (!live->switch_stacks)
			return -1;
	}
	*cost_ns = rs_stack_cost_measure(&c->instance, live->switch_stacks);
	RS_LOG(RS_LOG_BUDGET, "a wait with its stack costs %llu ns (0: could not be measured)",
	       (unsigned long long)*cost_ns);
	return 0;
}

/*
 * On a busy machine what this thread does in a tenth of a second takes ten seconds at nice 0, and a recording
 * of five seconds has to end in time. The launched command exists already; the guardians, which do not yet,
 * clean up sooner.
 */
static void capture_raise_priority(struct rs_capture *c)
{
	c->nice_before = getpriority(PRIO_PROCESS, (id_t)gettid());
	c->is_raised = setpriority(PRIO_PROCESS, (id_t)gettid(), RS_CAPTURE_NICE) == 0;
	c->is_session_raised = !c->config->command && getsid(0) == getpid() &&
			       rs_session_nice_raise(RS_CAPTURE_SESSION_NICE, &c->session_nice_before);
}

/* Who exports or draws what was captured has no right to more than others. */
static void capture_lower_priority(struct rs_capture *c)
{
	if (c->is_raised)
		setpriority(PRIO_PROCESS, (id_t)gettid(), c->nice_before);
	if (c->is_session_raised)
		rs_session_nice_set(c->session_nice_before);
	c->is_session_raised = false;
}

/* The order is that of the header: each step needs the steps before it. */
static int capture_open_all(struct rs_capture *c, struct rs_error *err)
{
	const struct rs_capture_config *config = c->config;
	struct rs_live_options live = config->live;
	uint64_t stack_cost_ns = 0;

	if (rs_capture_signals_take(&c->signals, config->reloads, err) < 0)
		return -1;
	c->has_signals = true;
	if (config->command &&
	    rs_launch_fork(&c->launch, config->command, config->as_root, &c->signals.before, err) < 0)
		return -1;
	capture_raise_priority(c);
	/* while the command's process makes itself ready, on another CPU */
	if (geteuid() == 0 && rs_privileges_find(&c->user, err) < 0)
		return -1;
	if (config->command && rs_launch_await(&c->launch, err) < 0)
		return -1;
	if (config->command && !config->nr_pids && (live.samples & RS_SAMPLE_PROBES) &&
	    rs_launch_run_to_entry(&c->launch, err) < 0)
		return -1;
	c->tracefs = rs_tracefs_find(err);
	if (!c->tracefs)
		return -1;
	if (rs_capture_plan_make(&c->plan, c->tracefs, config, c->launch.pid, err) < 0 ||
	    rs_instance_open(&c->instance, &c->plan.plan, err) < 0)
		return -1;
	c->has_instance = true;
	if (config->switchable) {
		rs_budget_measure(&c->instance, &c->costs);
		RS_LOG(RS_LOG_BUDGET,
		       "an event costs %llu ns, one of a system call %llu ns (0: could not be measured)",
		       (unsigned long long)c->costs.event_ns, (unsigned long long)c->costs.call_ns);
	}
	live.sample_regs = rs_unwound_samples_regs();
	if (live.sample_stack_bytes && !live.sample_regs)
		return rs_fail(err, "cannot unwind stacks of this kind of machine (--call-graph fp)");
	live.pids = config->pids;
	live.tids = config->tids;
	live.nr_pids = config->nr_pids;
	live.nr_tids = config->nr_tids;
	live.abis = capture_has_calls(&c->plan.plan);
	if (c->plan.plan.user_stacks)
		live.samples |= RS_SAMPLE_MAPPINGS;
	if (c->plan.probes.pid &&
	    rs_probe_cost_open(&c->plan, config->max_probe_milli, &live.probes, err) < 0)
		return -1;
	if (capture_open_stacks(c, &live, &stack_cost_ns, err) < 0) {
		rs_probes_close(live.probes);
		return -1;
	}
	c->source = rs_live_open(&c->instance, &live, err);
	if (!c->source)
		return -1;
	if (capture_unwinds(c, err) < 0 ||
	    (live.switch_stacks && rs_stacked_pages_open(c->source, live.switch_stacks, err) < 0))
		return -1;
	c->source->info.stack_cost_ns = stack_cost_ns;
	if (rs_switches_init(&c->switches, &c->instance, c->source) < 0)
		return rs_fail(err, "cannot capture: out of memory");
	c->has_switches = true;
	return open_fds(c, err);
}

/*
 * Out of memory an option may not be set, or a row of /proc be missing: the capture would not be what was
 * asked for.
 */
static bool capture_is_short(uint64_t failures_before, struct rs_error *err)
{
	if (rs_memory_failures() == failures_before)
		return false;
	rs_fail(err, "cannot capture: out of memory (free memory, or trace less)");
	return true;
}

struct rs_capture *rs_capture_open(const struct rs_capture_config *config, struct rs_error *err)
{
	uint64_t failures = rs_memory_failures();
	struct rs_capture *c = calloc(1, sizeof *c);

	if (!c) {
		rs_fail(err, "cannot capture: out of memory");
		return NULL;
	}
	c->config = config;
	c->notify_fd = c->duration_fd = c->interval_fd = c->check_fd = -1;
	c->launch = (struct rs_launch){ .pidfd = -1, .go_fd = -1, .error_fd = -1 };
	c->plan.missing = (struct rs_buf)RS_BUF_INIT;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	if (capture_open_all(c, err) < 0 || capture_is_short(failures, err)) {
		rs_capture_close(c);
		return NULL;
	}
	return c;
}

/* ---- running ---- */

int rs_capture_start(struct rs_capture *c, struct rs_error *err)
{
	uint64_t failures = rs_memory_failures();

	if (rs_pidns() != RS_PIDNS_OTHER) /* in another PID namespace they belong to other processes */
		rs_capture_threads_add_own(c);
	else
		c->nr_own_tids = 0;
	if (rs_instance_start(&c->instance, &c->plan.plan, c->own_tids, c->nr_own_tids, err) < 0)
		return -1;
	c->started = true;
	rs_live_start(c->source); /* and /proc is read, now that nothing is missed meanwhile */
	if (capture_is_short(failures, err))
		return -1;
	if (rs_privileges_drop(&c->user, c->config->core, err) < 0)
		return -1;
	rs_launch_release(&c->launch);
	arm_timer(c->duration_fd, c->config->duration_ns, 0);
	arm_timer(c->interval_fd, c->config->interval_ns, c->config->interval_ns);
	arm_timer(c->check_fd, CAPTURE_FIRST_CHECK_NS, CAPTURE_CHECK_NS);
	rs_switches_allow(&c->switches, true);
	if (!c->config->has_sandbox)
		rs_capture_sandboxed(c);
	rs_capture_threads_set_phase(c, RS_CAPTURE_RUNNING);
	return 0;
}

void rs_capture_sandboxed(struct rs_capture *c)
{
	if (c->unwinds)
		rs_unwound_samples_allow(c->source->samples);
}

void rs_capture_notify(struct rs_capture *c)
{
	uint64_t one = 1;

	(void)!write(c->notify_fd, &one, sizeof one);
}

/* Reads a timer or an eventfd; true if there was something to read. */
static bool drain_counter(int fd)
{
	uint64_t n;

	return fd >= 0 && read(fd, &n, sizeof n) == sizeof n;
}

enum watched {
	SIGNALS,
	GUARDIAN_A,
	GUARDIAN_B,
	PARENT,
	STALL,
	LAUNCH_ERROR,
	LAUNCH,
	DURATION,
	NOTIFY,
	INTERVAL,
	CHECK,
	NR_WATCHED
};

static enum rs_capture_event capture_check(struct rs_capture *c)
{
	int ret = rs_changes_check(&c->switches, &c->end_error);

	return ret < 0 ? RS_CAPTURE_END_ERROR : ret ? RS_CAPTURE_CHANGED : RS_CAPTURE_TIMEOUT;
}

/* In this order of importance; TIMEOUT: nothing that the caller has to know. */
static enum rs_capture_event capture_find_event(struct rs_capture *c, const struct pollfd *fds)
{
	int sig;

	if ((fds[GUARDIAN_A].revents | fds[GUARDIAN_B].revents) & (POLLHUP | POLLERR)) {
		rs_fail(&c->end_error,
			"a guardian process of this session was killed: the session ends, for nobody "
			"would clean up after it");
		return RS_CAPTURE_END_ERROR;
	}
	if (fds[PARENT].revents) {
		rs_fail(&c->end_error, "the process that began this session has ended");
		return RS_CAPTURE_END_ERROR;
	}
	if (fds[STALL].revents) {
		rs_fail(&c->end_error,
			"nobody has taken the events that wait for two seconds: the session ends "
			"(please report this)");
		return RS_CAPTURE_END_ERROR;
	}
	if ((fds[LAUNCH_ERROR].revents | fds[LAUNCH].revents) &&
	    rs_launch_check(&c->launch, &c->end_error) < 0)
		return RS_CAPTURE_END_ERROR;
	while (fds[SIGNALS].revents && (sig = rs_capture_signals_next(&c->signals))) {
		if (sig == SIGHUP && c->config->reloads)
			return RS_CAPTURE_RELOAD;
		if (sig != SIGTSTP)
			return RS_CAPTURE_END_SIGNAL;
		rs_switches_pause(&c->switches, rs_capture_signals_stop_self);
	}
	if (fds[LAUNCH].revents) {
		rs_live_last_sample(c->source); /* while /proc still has it, the last time */
		rs_launch_reap(&c->launch);
		return c->config->outlives_command ? RS_CAPTURE_COMMAND_ENDED : RS_CAPTURE_END_COMMAND;
	}
	if (fds[DURATION].revents && drain_counter(c->duration_fd))
		return RS_CAPTURE_END_TIME;
	if (fds[NOTIFY].revents && drain_counter(c->notify_fd))
		return RS_CAPTURE_NOTIFIED;
	if (fds[INTERVAL].revents && drain_counter(c->interval_fd))
		return RS_CAPTURE_INTERVAL;
	if (fds[CHECK].revents && drain_counter(c->check_fd))
		return capture_check(c);
	return RS_CAPTURE_TIMEOUT;
}

static void capture_fill_pollfds(const struct rs_capture *c, struct pollfd *fds)
{
	const int fd[NR_WATCHED] = {
		[SIGNALS] = c->signals.fd, [GUARDIAN_A] = c->instance.guardian_fds[0],
		[GUARDIAN_B] = c->instance.guardian_fds[1],
		[PARENT] = c->config->live.parent_pidfd > 0 ? c->config->live.parent_pidfd : -1,
		[STALL] = rs_live_stall_fd(c->source),
		[LAUNCH_ERROR] = c->launch.error_fd,
		[LAUNCH] = c->launch.pidfd, [DURATION] = c->duration_fd, [NOTIFY] = c->notify_fd,
		[INTERVAL] = c->interval_fd, [CHECK] = c->check_fd,
	};

	for (int i = 0; i < NR_WATCHED; i++)
		fds[i] = (struct pollfd){ .fd = fd[i], .events = POLLIN }; /* poll passes over -1 */
}

static void set_end(struct rs_capture *c, enum rs_capture_event event)
{
	c->end = event;
	if (!c->config->finish_first)
		rs_capture_signals_give_back(&c->signals);
}

enum rs_capture_event rs_capture_wait(struct rs_capture *c, int timeout_ms, struct rs_error *err)
{
	uint64_t until_ms = rs_monotonic_ms() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0);
	enum rs_capture_event event = c->end;
	struct pollfd fds[NR_WATCHED];

	while (event == RS_CAPTURE_TIMEOUT) {
		uint64_t now_ms = rs_monotonic_ms();
		int left_ms = timeout_ms < 0 ? -1 : now_ms < until_ms ? (int)(until_ms - now_ms) : 0;

		capture_fill_pollfds(c, fds);
		if (poll(fds, NR_WATCHED, left_ms) > 0)
			event = capture_find_event(c, fds);
		else if (!left_ms)
			return RS_CAPTURE_TIMEOUT;
	}
	if (event >= RS_CAPTURE_END_TIME && c->end == RS_CAPTURE_TIMEOUT) {
		if (event != RS_CAPTURE_END_ERROR && rs_changes_check(&c->switches, &c->end_error) < 0)
			event = RS_CAPTURE_END_ERROR;
		set_end(c, event);
	}
	if (event == RS_CAPTURE_END_ERROR)
		rs_fail(err, "%s", c->end_error.text);
	return event;
}

bool rs_capture_interrupted(struct rs_capture *c)
{
	int sig;

	while ((sig = rs_capture_signals_next(&c->signals)))
		if (sig != SIGTSTP)
			return true;
	return false;
}

/* ---- the end ---- */

void rs_capture_end_source(struct rs_capture *c)
{
	struct rs_error ignored = { 0 };

	if (c->source_ended)
		return;
	c->source_ended = true;
	if (c->started)
		rs_changes_check(&c->switches, &ignored);
	if (c->has_switches)
		rs_switches_allow(&c->switches, false);
	if (c->started) {
		/* first: on a busy machine it takes long to turn events off, and samples would go on */
		rs_live_stop_samples(c->source);
		rs_instance_stop(&c->instance);
		rs_live_stop(c->source);
	}
}

void rs_capture_stop(struct rs_capture *c)
{
	if (c->stopped)
		return;
	c->stopped = true;
	rs_capture_end_source(c);
	if (c->phase == RS_CAPTURE_WAITING)
		rs_capture_threads_set_phase(c, RS_CAPTURE_CANCELLED);
	rs_capture_threads_join(c);
	if (c->source)
		rs_live_consumer_ended(c->source);
}

void rs_capture_close(struct rs_capture *c)
{
	if (!c)
		return;
	rs_capture_stop(c);
	if (c->has_switches)
		rs_switches_done(&c->switches);
	if (c->source) {
		rs_stacked_pages_free(c->source->filter);
		c->source->ops->close(c->source);
	}
	if (c->has_instance)
		rs_instance_close(&c->instance);
	rs_capture_plan_done(&c->plan);
	rs_launch_done(&c->launch);
	rs_close(&c->notify_fd);
	rs_close(&c->duration_fd);
	rs_close(&c->interval_fd);
	rs_close(&c->check_fd);
	/*
	 * A signal that asked for the end while the session ended by itself must not kill it before it has
	 * printed its result.
	 */
	while (c->has_signals && !c->config->finish_first && rs_capture_signals_next(&c->signals))
		;
	if (c->has_signals)
		rs_capture_signals_done(&c->signals);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	capture_lower_priority(c);
	free(c);
}
