// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor-machine.c - what around the kernel defeats a capture: rights, priorities, limits, namespaces
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pidns.h"
#include "cli/doctor.h"
#include "tracefs/tracefs.h"

/* The first line of a small file, without its end; false where it cannot be read. */
static bool first_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "re");
	bool read;

	if (!f)
		return false;
	read = fgets(line, size, f);
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

	if (tracefs) {
		rs_buf_printf(&f->what, "at %s", tracefs);
		return;
	}
	f->health = RS_HEALTH_FATAL;
	rs_buf_puts(&f->what, err.text);
	rs_buf_puts(&f->loses, "all live views and record; recordings can be read");
	if (geteuid())
		rs_buf_puts(&f->mend, "sudo ringside doctor");
}

/* Under "confidentiality" tracefs is there, and empty. */
static void probe_lockdown(struct rs_symptom *f)
{
	char line[128];

	if (!first_line("/sys/kernel/security/lockdown", line, sizeof line)) {
		rs_buf_puts(&f->what, "none");
		return;
	}
	if (!strstr(line, "[confidentiality]")) {
		rs_buf_printf(&f->what, "%s", line);
		return;
	}
	f->health = RS_HEALTH_FATAL;
	rs_buf_puts(&f->what, "confidentiality: the kernel shows its tracing to nobody");
	rs_buf_puts(&f->loses, "all live views and record; recordings can be read");
	rs_buf_puts(&f->mend, "boot without lockdown=confidentiality on the kernel's command line");
}

/* Tried in a child: neither its class nor its nice value is to stay with us. */
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

/* Version 1 has a hierarchy for one controller, or for cpu and cpuacct together; that of version 2 has no
 * name. */
static bool is_controller(const char *names, const char *controller)
{
	if (!*controller)
		return !*names;
	return !strcmp(names, controller) || !strcmp(names, "cpu,cpuacct") || !strcmp(names, "cpuacct,cpu");
}

/* Where this process' cgroup of a controller is: version 1 by the controller's name, version 2 by "". */
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
	char file[PATH_MAX], line[64];

	if (!error) {
		rs_buf_puts(&f->what, "readers can run SCHED_FIFO");
		return;
	}
	f->health = RS_HEALTH_LOSS;
	rs_buf_printf(&f->what, "readers cannot run SCHED_FIFO: %s", strerror(error));
	rs_buf_puts(&f->loses, "events, while more tasks want a CPU than there are");
	if (rt_group_forbids(file, sizeof file))
		rs_buf_printf(&f->mend, "echo 100000 > %s", file);
	else if (first_line("/proc/sys/kernel/sched_rt_runtime_us", line, sizeof line) && !strcmp(line, "0"))
		rs_buf_puts(&f->mend, "sysctl kernel.sched_rt_runtime_us=950000");
	else
		rs_buf_puts(&f->mend, geteuid() ? "sudo ringside doctor" : "give it CAP_SYS_NICE");
}

static void probe_nice(struct rs_symptom *f)
{
	int error = try_in_child(try_nice);

	if (!error) {
		rs_buf_puts(&f->what, "the analysis can run at nice -20");
		return;
	}
	f->health = RS_HEALTH_LOSS;
	rs_buf_printf(&f->what, "the analysis cannot run at nice -20: %s", strerror(error));
	rs_buf_puts(&f->loses, "events, while the machine is busy");
	rs_buf_puts(&f->mend, geteuid() ? "sudo ringside doctor" : "give it CAP_SYS_NICE");
}

/* Nice values count only against the tasks of the same autogroup, which is that of the terminal. */
static void probe_autogroup(struct rs_symptom *f)
{
	char on[16], group[64];

	if (!first_line("/proc/sys/kernel/sched_autogroup_enabled", on, sizeof on) || strcmp(on, "1") ||
	    !first_line("/proc/self/autogroup", group, sizeof group)) {
		rs_buf_puts(&f->what, "off");
		return;
	}
	f->health = RS_HEALTH_LOSS;
	rs_buf_printf(&f->what, "on (%s): nice -20 holds only within this terminal's group", group);
	rs_buf_puts(&f->loses, "events of long storms, where the analysis falls behind");
	rs_buf_puts(&f->mend, "sysctl kernel.sched_autogroup_enabled=0");
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
	char path[PATH_MAX], limit[64];
	const char *free = "max";

	if (!find_limit("", "cpu.max", "max", path, sizeof path, limit)) {
		free = "-1";
		if (!find_limit("cpu", "cpu.cfs_quota_us", "-1", path, sizeof path, limit)) {
			rs_buf_puts(&f->what, "none");
			return;
		}
	}
	f->health = RS_HEALTH_LOSS;
	rs_buf_printf(&f->what, "this cgroup may use the CPU only so much: %s", limit);
	rs_buf_puts(&f->loses, "events, whenever the analysis is throttled");
	rs_buf_printf(&f->mend, "echo %s > %s", free, path);
}

/* Events carry the host's pids, whatever this process calls itself. */
static void probe_pid_namespace(struct rs_symptom *f)
{
	enum rs_pidns pidns = rs_pidns();

	if (pidns == RS_PIDNS_UNKNOWN) {
		f->health = RS_HEALTH_UNKNOWN;
		rs_buf_printf(&f->what, "cannot be told: /proc/self/ns/pid: %s", strerror(errno));
		return;
	}
	if (pidns == RS_PIDNS_HOST) {
		rs_buf_puts(&f->what, "the host's");
		return;
	}
	f->health = RS_HEALTH_LOSS;
	rs_buf_puts(&f->what, "not the host's: events carry the host's pids, /proc here has others");
	rs_buf_puts(&f->loses, "-p, -t and the names of tasks that were there before");
	rs_buf_puts(&f->mend, "run it in the host's PID namespace (docker run --pid=host ...)");
}

const struct rs_probe rs_machine_probes[] = {
	{ "kernel", probe_kernel },
	{ "lockdown", probe_lockdown },
	{ "tracefs", probe_tracefs },
	{ "real time", probe_fifo },
	{ "nice", probe_nice },
	{ "autogroup", probe_autogroup },
	{ "cpu limit", probe_cpu_limit },
	{ "pid namespace", probe_pid_namespace },
	{ .name = NULL },
};
