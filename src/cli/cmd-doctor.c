// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor - what this machine lacks, what that costs, and the commands that fix it
 */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pidns.h"
#include "capture/capture.h"
#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/out.h"
#include "source/perf/samples.h"
#include "tracefs/tracefs.h"
#include "view/formatter.h"

static const char *const healths[] = {
	[RS_HEALTH_GOOD] = "good",
	[RS_HEALTH_UNKNOWN] = "unknown",
	[RS_HEALTH_LOSS] = "lacks",
	[RS_HEALTH_FATAL] = "cannot",
};

void rs_doctor_found(struct rs_symptom *f, enum rs_health health, const char *loses, const char *mend,
		     const char *what, ...)
{
	char text[PATH_MAX];
	va_list ap;

	va_start(ap, what);
	vsnprintf(text, sizeof text, what, ap);
	va_end(ap);
	f->health = health;
	rs_buf_puts(&f->what, text);
	rs_buf_puts(&f->loses, loses ? loses : "");
	rs_buf_puts(&f->mend, mend ? mend : "");
}

/* ---- what around the kernel defeats a capture: rights, priorities, limits, namespaces ---- */

/* The first line of a small file, without its end; false where it cannot be read. */
static bool first_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "re");
	bool read = f && fgets(line, size, f);

	if (f)
		fclose(f);
	if (read)
		line[strcspn(line, "\n")] = '\0';
	return read;
}

static void probe_kernel(struct rs_symptom *f)
{
	struct utsname name;

	uname(&name);
	rs_buf_printf(&f->what, "%s %s %s", name.sysname, name.release, name.machine);
}

static void probe_tracefs(struct rs_symptom *f)
{
	struct rs_error err = { 0 };
	const char *tracefs = rs_tracefs_find(&err);

	if (tracefs)
		rs_buf_printf(&f->what, "at %s", tracefs);
	else
		rs_doctor_found(f, RS_HEALTH_FATAL, RS_DOCTOR_LIVE_AND_RECORD,
				geteuid() ? RS_DOCTOR_AS_ROOT : NULL, "%s", err.text);
}

/* Under "confidentiality" tracefs is there, and empty. */
static void probe_lockdown(struct rs_symptom *f)
{
	char line[128];

	if (!first_line("/sys/kernel/security/lockdown", line, sizeof line))
		rs_buf_puts(&f->what, "none");
	else if (!strstr(line, "[confidentiality]"))
		rs_buf_puts(&f->what, line);
	else
		rs_doctor_found(f, RS_HEALTH_FATAL, RS_DOCTOR_LIVE_AND_RECORD,
				"boot without lockdown=confidentiality on the kernel's command line",
				"confidentiality: the kernel shows its tracing to nobody");
}

/* Runs in a child: neither its class nor its nice value must stay with this process. Returns 0 or errno. */
static int try_in_child(int (*try)(void))
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(try() < 0 ? errno : 0);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}

static int try_fifo(void)
{
	return sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
}

static int try_nice(void)
{
	return setpriority(PRIO_PROCESS, 0, -20);
}

/* kernel.perf_event_paranoid asks for CAP_PERFMON, which root has, unless it is inside a container. */
static void probe_samples(struct rs_symptom *f)
{
	char paranoid[16] = "unknown";
	struct rs_error err = { 0 };
	const char *event = rs_samples_probe(&err);

	first_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
	if (!event)
		rs_doctor_found(f, RS_HEALTH_LOSS, "profile", geteuid() ? RS_DOCTOR_AS_ROOT : NULL,
				"%s; kernel.perf_event_paranoid is %s", err.text, paranoid);
	else if (!strcmp(event, "cycles"))
		rs_buf_printf(&f->what, "of cycles; kernel.perf_event_paranoid is %s", paranoid);
	else
		rs_doctor_found(f, RS_HEALTH_GOOD,
				"where the kernel runs with interrupts disabled: such time counts where they "
				"are enabled again",
				NULL,
				"of a timer (%s): this machine has no counter of cycles; "
				"kernel.perf_event_paranoid is %s",
				event, paranoid);
}

/*
 * Version 1 has a hierarchy for one controller, or for cpu and cpuacct together; version 2 has one without a
 * name.
 */
static bool is_controller(const char *names, const char *controller)
{
	return !strcmp(names, controller) ||
	       (*controller && (!strcmp(names, "cpu,cpuacct") || !strcmp(names, "cpuacct,cpu")));
}

/* Finds the folder of this process' cgroup: of version 1 by the controller's name, of version 2 by "". */
static bool find_cgroup(const char *controller, char *path, size_t size)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[PATH_MAX + 64], *names, *group;
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		names = strchr(line, ':');
		group = names ? strchr(names + 1, ':') : NULL;
		if (!group)
			continue;
		*group++ = '\0';
		names++;
		if (!is_controller(names, controller))
			continue;
		if (*controller)
			found = snprintf(path, size, "/sys/fs/cgroup/%s%s", controller, group) < (int)size;
		else
			found = snprintf(path, size, "%s%s", access("/sys/fs/cgroup/unified", F_OK) == 0 ?
					 "/sys/fs/cgroup/unified" : "/sys/fs/cgroup", group) < (int)size;
	}
	if (f)
		fclose(f);
	return found;
}

/* With CONFIG_RT_GROUP_SCHED a cgroup has no real-time budget of its own until it is given one. */
static bool rt_group_forbids(char *file, size_t size)
{
	char path[PATH_MAX], line[64];

	return find_cgroup("cpu", path, sizeof path) &&
	       snprintf(file, size, "%.*s/cpu.rt_runtime_us", (int)size - 32, path) < (int)size &&
	       first_line(file, line, sizeof line) && !strcmp(line, "0");
}

static void probe_fifo(struct rs_symptom *f)
{
	int error = try_in_child(try_fifo);
	char file[PATH_MAX], line[64], mend[PATH_MAX + 32];

	if (!error) {
		rs_buf_puts(&f->what, "readers can run SCHED_FIFO");
		return;
	}
	if (rt_group_forbids(file, sizeof file))
		snprintf(mend, sizeof mend, "echo 100000 > %s", file);
	else if (first_line("/proc/sys/kernel/sched_rt_runtime_us", line, sizeof line) && !strcmp(line, "0"))
		snprintf(mend, sizeof mend, "sysctl kernel.sched_rt_runtime_us=950000");
	else
		snprintf(mend, sizeof mend, "%s", geteuid() ? RS_DOCTOR_AS_ROOT : "give it CAP_SYS_NICE");
	rs_doctor_found(f, RS_HEALTH_LOSS, "events, while more tasks want a CPU than there are", mend,
			"readers cannot run SCHED_FIFO: %s", strerror(error));
}

static void probe_nice(struct rs_symptom *f)
{
	int error = try_in_child(try_nice);

	if (!error)
		rs_buf_puts(&f->what, "the analysis can run at nice -20");
	else
		rs_doctor_found(f, RS_HEALTH_LOSS, "events, while the machine is busy",
				geteuid() ? RS_DOCTOR_AS_ROOT : "give it CAP_SYS_NICE",
				"the analysis cannot run at nice -20: %s", strerror(error));
}

/* Programs of one user can send signals to each other. */
static void probe_user(struct rs_symptom *f)
{
	struct rs_engine_user user = { .is_shared = true };
	struct rs_error err = { 0 };

	if (rs_privileges_find(&user, &err) == 0 && !user.is_shared)
		rs_buf_printf(&f->what, "the engine becomes user %u, which no other program has",
			      (unsigned int)user.uid);
	else
		rs_doctor_found(f, RS_HEALTH_LOSS,
				"isolation: other programs of that user can end the engine",
				"useradd -r ringside", "the engine becomes nobody, as other programs do");
}

/* Nice values count only against the tasks of the same autogroup, which is that of the terminal. */
static void probe_autogroup(struct rs_symptom *f)
{
	char on[16], group[64];

	if (!first_line("/proc/sys/kernel/sched_autogroup_enabled", on, sizeof on) || strcmp(on, "1") ||
	    !first_line("/proc/self/autogroup", group, sizeof group))
		rs_buf_puts(&f->what, "off");
	else
		rs_doctor_found(f, RS_HEALTH_LOSS, "events of long storms, where the analysis falls behind",
				"sysctl kernel.sched_autogroup_enabled=0",
				"on (%s): nice -20 holds only within this terminal's group", group);
}

/* The nearest limit on the way up from this cgroup to the root. */
static bool find_limit(const char *controller, const char *file, const char *none, char *path, size_t size,
		       char *limit)
{
	char folder[PATH_MAX], *slash;

	if (!find_cgroup(controller, folder, sizeof folder))
		return false;
	while (strlen(folder) > strlen("/sys/fs/cgroup")) {
		if (snprintf(path, size, "%.*s/%s", (int)size - 32, folder, file) < (int)size &&
		    first_line(path, limit, 64) && strncmp(limit, none, strlen(none)))
			return true;
		slash = strrchr(folder, '/');
		*slash = '\0';
	}
	return false;
}

static void probe_cpu_limit(struct rs_symptom *f)
{
	char path[PATH_MAX], limit[64], mend[PATH_MAX + 16];
	bool is_v2 = find_limit("", "cpu.max", "max", path, sizeof path, limit);

	if (!is_v2 && !find_limit("cpu", "cpu.cfs_quota_us", "-1", path, sizeof path, limit)) {
		rs_buf_puts(&f->what, "none");
		return;
	}
	snprintf(mend, sizeof mend, "echo %s > %s", is_v2 ? "max" : "-1", path);
	rs_doctor_found(f, RS_HEALTH_LOSS, "events, whenever the analysis is throttled", mend,
			"this cgroup may use the CPU only so much: %s", limit);
}

/* Events carry the host's pids, whatever this process calls itself. */
static void probe_pid_namespace(struct rs_symptom *f)
{
	enum rs_pidns pidns = rs_pidns();

	if (pidns == RS_PIDNS_UNKNOWN)
		rs_doctor_found(f, RS_HEALTH_UNKNOWN, NULL, NULL, "cannot be told: /proc/self/ns/pid: %s",
				strerror(errno));
	else if (pidns == RS_PIDNS_HOST)
		rs_buf_puts(&f->what, "the host's");
	else
		rs_doctor_found(f, RS_HEALTH_LOSS, "-p, -t and the names of tasks that were there before",
				"run it in the host's PID namespace (docker run --pid=host ...)",
				"not the host's: events carry the host's pids, /proc here has others");
}

/* ---- what this kernel has of the events that the analyses require ---- */

/* Events that older kernels lack. */
static const struct { const char *system, *name, *since; } since[] = {
	{ "lock", "contention_begin", "5.19" }, { "lock", "contention_end", "5.19" },
	{ "block", "block_io_start", "6.5" },   { "block", "block_io_done", "6.5" },
	{ "sched", "sched_waking", "4.3" },
	{ "sock", "inet_sock_set_state", "4.16" }, { "sock", "inet_sk_error_report", "5.14" },
	{ "sock", "sock_send_length", "6.3" },  { "sock", "sock_recv_length", "6.3" },
	{ "sock", "sk_data_ready", "6.3" },
};

/* The events of these analyses. */
struct needs {
	const char *tracefs;
	struct rs_event_requirement list[RS_DOCTOR_MAX_REQUIREMENTS];
	size_t nr;
};

/*
 * A fallback stands in for the row before it, so that row is missing only where its fallback is missing too.
 */
static bool is_missing(const struct needs *n, size_t at)
{
	const struct rs_event_requirement *need = &n->list[at];
	bool fallback = at + 1 < n->nr && need[1].need == RS_FALLBACK;

	return need->need != RS_PASSIVE && need->need != RS_FALLBACK &&
	       !rs_tracefs_has_event(n->tracefs, need->system, need->name) &&
	       !(fallback && rs_tracefs_has_event(n->tracefs, need[1].system, need[1].name)) &&
	       !rs_requirement_is_replaced(n->tracefs, need);
}

/* The first kernel that has all of them is that of the newest. */
static void name_event(struct rs_symptom *f, const struct rs_event_requirement *need, const char **newest)
{
	rs_buf_printf(&f->what, "%s%s:%s", f->what.len ? ", " : "no ", need->system, need->name);
	for (size_t i = 0; i < sizeof since / sizeof *since; i++)
		if (!strcmp(since[i].system, need->system) && !strcmp(since[i].name, need->name) &&
		    (!*newest || strverscmp(since[i].since, *newest) > 0))
			*newest = since[i].since;
}

static void name_events(struct rs_symptom *f, struct needs *n)
{
	struct rs_session_config all = { .nr_analyses = 0 };
	const char *newest = NULL;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		all.analyses[all.nr_analyses++] = *a;
	n->nr = rs_requirements_list(&all, n->list, RS_DOCTOR_MAX_REQUIREMENTS);
	for (size_t i = 0; i < n->nr; i++)
		if (is_missing(n, i))
			name_event(f, &n->list[i], &newest);
	if (newest)
		rs_buf_printf(&f->mend, "a kernel of %s or later", newest);
}

/* Adds its views to those that are off, or to those that lack columns. */
static void name_views(const struct rs_analysis *a, struct needs *n, struct rs_buf *off, struct rs_buf *less)
{
	struct rs_session_config config = { .analyses = { a }, .nr_analyses = 1 };
	struct rs_buf *list = NULL;

	n->nr = rs_requirements_list(&config, n->list, RS_DOCTOR_MAX_REQUIREMENTS);
	for (size_t i = 0; i < n->nr; i++)
		if (is_missing(n, i) && list != off)
			list = n->list[i].need == RS_REQUIRED ? off : less;
	for (const struct rs_view *v = a->views; list && v && v->name; v++)
		rs_buf_printf(list, "%s%s", list->len ? ", " : "", v->name);
}

static void name_losses(struct rs_symptom *f, struct needs *n)
{
	struct rs_buf off = RS_BUF_INIT, less = RS_BUF_INIT;

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		name_views(*a, n, &off, &less);
	if (off.len)
		rs_buf_puts(&f->loses, off.data);
	if (less.len)
		rs_buf_printf(&f->loses, "%scolumns of %s", off.len ? "; " : "", less.data);
	rs_buf_done(&off);
	rs_buf_done(&less);
}

static void probe_events(struct rs_symptom *f)
{
	struct rs_error ignored = { 0 };
	struct needs n = { .tracefs = rs_tracefs_find(&ignored) };

	if (!n.tracefs) {
		rs_doctor_found(f, RS_HEALTH_UNKNOWN, NULL, NULL, "cannot be told without tracefs");
		return;
	}
	name_events(f, &n);
	if (!f->what.len) {
		rs_buf_puts(&f->what, "all that the analyses want");
		return;
	}
	f->health = RS_HEALTH_LOSS;
	name_losses(f, &n);
	if (!f->mend.len)
		rs_buf_puts(&f->mend, "a kernel built with them (CONFIG_FTRACE, CONFIG_FTRACE_SYSCALLS, "
			    "CONFIG_BLK_DEV_IO_TRACE)");
}

/* ---- all of them ---- */

static const struct probe {
	const char *name;
	void (*probe)(struct rs_symptom *f);
} probes[] = {
	/* in the order in which one hinders the next; last what needs a capture, which gives up all other
	   rights */
	{ "kernel", probe_kernel },
	{ "lockdown", probe_lockdown },
	{ "tracefs", probe_tracefs },
	{ "real time", probe_fifo },
	{ "nice", probe_nice },
	{ "user", probe_user },
	{ "autogroup", probe_autogroup },
	{ "cpu limit", probe_cpu_limit },
	{ "pid namespace", probe_pid_namespace },
	{ "events", probe_events },
	{ "samples", probe_samples },
	{ "stacks", rs_doctor_capture_stacks },
	{ "allocations", rs_doctor_capture_allocations },
	{ "capture", rs_doctor_capture_try },
	{ "switches", rs_doctor_capture_switches },
};

#define DOCTOR_COLUMN(column) { .name = column, .heading = column, .type = RS_TYPE_TEXT, .help = "" }

/* For JSON and CSV; text has a line for each of loses and mend. */
static const struct rs_view view = {
	.name = "doctor", .kind = RS_VIEW_STREAM,
	.columns = (const struct rs_column[]){
		DOCTOR_COLUMN("check"), DOCTOR_COLUMN("health"), DOCTOR_COLUMN("what"),
		DOCTOR_COLUMN("loses"), DOCTOR_COLUMN("mend"),
		{ .name = NULL },
	},
};

static void print_text(const struct probe *probe, const struct rs_symptom *f, struct rs_buf *out)
{
	rs_buf_printf(out, "%-8s %-14s %s\n", healths[f->health], probe->name, f->what.data);
	if (f->loses.len)
		rs_buf_printf(out, "%23s loses: %s\n", "", f->loses.data);
	if (f->mend.len)
		rs_buf_printf(out, "%23s mend:  %s\n", "", f->mend.data);
}

static void print_row(const struct probe *probe, const struct rs_symptom *f, struct rs_sink *sink)
{
	sink->row(sink, (struct rs_value[]){
				rs_s(probe->name),
				rs_s(healths[f->health]),
				rs_s(f->what.data),
				rs_s(f->loses.data),
				rs_s(f->mend.data),
			});
}

/* Each finding is written when it is found: the last probes take a moment. */
static enum rs_health examine(const struct probe *p, struct rs_printer *printer, struct rs_buf *out,
			      struct rs_error *err)
{
	struct rs_symptom f = { .what = RS_BUF_INIT, .loses = RS_BUF_INIT, .mend = RS_BUF_INIT };

	p->probe(&f);
	if (printer)
		print_row(p, &f, rs_printer_sink(printer));
	else
		print_text(p, &f, out);
	rs_out(out, err);
	rs_buf_done(&f.what);
	rs_buf_done(&f.loses);
	rs_buf_done(&f.mend);
	return f.health;
}

static enum rs_exit doctor_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_formatter_options formatter = { .format = opt->json ? "json" : "csv" };
	struct rs_buf out = RS_BUF_INIT;
	struct rs_printer *printer = opt->json || opt->csv ? rs_printer_new(&view, &formatter, &out, err) :
							     NULL;
	enum rs_health health, gravest = RS_HEALTH_GOOD;

	for (size_t i = 0; i < sizeof probes / sizeof *probes && err->status == RS_OK && !rs_out_closed();
	     i++) {
		health = examine(&probes[i], printer, &out, err);
		gravest = health > gravest ? health : gravest;
	}
	rs_printer_free(printer);
	rs_buf_done(&out);
	if (err->status != RS_OK)
		return err->status;
	return gravest == RS_HEALTH_FATAL ? RS_CHECK_FAILED : RS_OK;
}

const struct rs_command rs_command_doctor = {
	.name = "doctor", .summary = "what this machine lacks, and the commands that fix it",
	.options = "json,csv", .run = doctor_run,
	.help = "Exit status 3 where capture cannot work at all.",
};
