// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The control side under the real kernel. Each test uses an instance of its own.
 */
#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skip.h"
#include "tracefs/guardian.h"
#include "tracefs/tracefs-file.h"
#include "tracefs/tracefs.h"

static const struct rs_plan_event events[] = {
	{ .system = "raw_syscalls", .name = "sys_enter", .skip_own = true, .filter = "id != 7 || id == 8" },
	{ .system = "sched", .name = "sched_switch" },
};
static const struct rs_plan plan = {
	.events = events, .nr_events = 2, .clock = "boot", .buffer_percent = 10,
};

static bool begins(const char *dir, const char *file, const char *begin)
{
	char *text = rs_tracefs_read(dir, file, NULL);
	bool is = text && !strncmp(text, begin, strlen(begin));

	free(text);
	return is;
}

static bool content_is(const struct rs_instance *in, const char *file, const char *begin)
{
	char *text = rs_tracefs_read(in->path, file, NULL);
	bool is = text && !strncmp(text, begin, strlen(begin));

	if (!is)
		fprintf(stderr, "%s: '%s', not '%s'\n", file, text ? text : "unreadable", begin);
	free(text);
	return is;
}

static int open_in(const char *dir, const char *file)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", dir, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* An instance in which somebody lives; another session that starts just now removes it where nobody does yet. */
static int make_held(const char *path)
{
	int fd = -1;

	for (int i = 0; i < 20 && fd < 0; i++) {
		ck_assert(mkdir(path, 0700) == 0 || errno == EEXIST);
		fd = open_in(path, "tracing_on");
	}
	ck_assert_int_ge(fd, 0);
	return fd;
}

static long number_in(const struct rs_instance *in, const char *file, int base)
{
	char *text = rs_tracefs_read(in->path, file, NULL);
	long number = text ? strtol(text, NULL, base) : -1;

	free(text);
	return number;
}

static void open_instance(struct rs_instance *in)
{
	struct rs_error err = { 0 };

	ck_assert_msg(rs_instance_open(in, &plan, &err) == 0 && rs_instance_await_clock(in, &err) == 0, "%s", err.text);
}

static bool removed_within_2s(const char *path)
{
	for (int i = 0; i < 200 && access(path, F_OK) == 0; i++)
		usleep(10000);
	return access(path, F_OK) < 0;
}

START_TEST(cpu_lists)
{
	static const struct { const char *list, *listed; } rows[] = {
		{ NULL, "11111111" }, { "0", "10000000" }, { "0,2-4", "10111000" }, { "7", "00000001" },
		{ "0-7", "11111111" }, { "3,3,1-1", "01010000" },
		{ "8", NULL }, { "", NULL }, { "0,", NULL }, { "2-1", NULL }, { "a", NULL }, { "-1", NULL },
		{ "1-", NULL }, { "0-99999999999999999999", NULL }, { " 1", NULL }, { "1;2", NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rs_error err = { 0 };
		unsigned char listed[8];
		int ret = rs_instance_plan_parse_cpus(rows[i].list, listed, 8, &err);

		ck_assert_msg((ret == 0) == (rows[i].listed != NULL), "'%s' gave %d", rows[i].list, ret);
		ck_assert_int_eq(err.status, rows[i].listed ? RS_OK : RS_USAGE);
		for (int k = 0; rows[i].listed && k < 8; k++)
			ck_assert_msg(listed[k] == rows[i].listed[k] - '0', "'%s' CPU %d", rows[i].list, k);
	}
}
END_TEST

START_TEST(settings)
{
	struct rs_plan mine = plan;
	struct rs_error err = { 0 };
	struct rs_instance in;
	const pid_t tids[] = { getpid(), 1 };
	char expected[64], *clocks, *mask, *last;

	NEEDS_TRACING();
	mine.buffer_kib = 256;
	mine.cpus = "0";
	mine.tids = tids;
	mine.nr_tids = 2;
	ck_assert_msg(rs_instance_open(&in, &mine, &err) == 0 && rs_instance_await_clock(&in, &err) == 0, "%s", err.text);
	ck_assert(content_is(&in, "tracing_on", "0"));
	ck_assert(content_is(&in, "events/enable", "0"));
	clocks = rs_tracefs_read(in.path, "trace_clock", NULL);
	ck_assert(strstr(clocks, "[boot]"));
	free(clocks);
	ck_assert_int_ge(number_in(&in, "buffer_size_kb", 10), 256);
	ck_assert_int_lt(number_in(&in, "buffer_size_kb", 10), 300);
	ck_assert(content_is(&in, "buffer_percent", "10"));
	ck_assert(content_is(&in, "options/overwrite", "1"));
	ck_assert(content_is(&in, "options/disable_on_free", "1"));
	ck_assert(content_is(&in, "options/event-fork", "1"));
	mask = rs_tracefs_read(in.path, "tracing_cpumask", NULL);
	last = strrchr(mask, ','); /* groups of 32 CPUs, the first of them last */
	ck_assert_int_eq(strtol(last ? last + 1 : mask, NULL, 16), 1);
	free(mask);
	snprintf(expected, sizeof expected, "1\n%d\n", (int)getpid());
	ck_assert(content_is(&in, "set_event_pid", expected));
	ck_assert_int_ge(in.raw_fds[0], 0);
	for (unsigned int i = 1; i < in.nr_cpus; i++)
		ck_assert_int_eq(in.raw_fds[i], -1);
	rs_instance_close(&in);
}
END_TEST

/* Own threads alone are kept out, though others have numbers between theirs. */
START_TEST(filter_with_others_between)
{
	/* in no order; 4712 to 4714 are a range, 4711 is missing, 4717 is alone */
	const pid_t own[] = { 4714, 4710, 4717, 4712, 4713 };
	struct rs_error err = { 0 };
	struct rs_instance in;

	NEEDS_TRACING();
	open_instance(&in);
	ck_assert_msg(rs_instance_start(&in, &plan, own, 5, &err) == 0, "%s", err.text);
	ck_assert(content_is(&in, "events/raw_syscalls/sys_enter/filter",
			     "(id != 7 || id == 8) && (common_pid > 4717 || common_pid < 4710 || "
			     "(common_pid != 4710 && (common_pid > 4714 || common_pid < 4712) && common_pid != 4717))"));
	rs_instance_close(&in);
}
END_TEST

/* Whoever begins beside others leaves out what all of them do: what each tells of the others' reading has no echo. */
START_TEST(beside_others_their_work_is_left_out)
{
	static const struct rs_plan_event calls[] = {
		{ .system = "raw_syscalls", .name = "sys_enter", .skip_ringsides = true },
		{ .system = "raw_syscalls", .name = "sys_exit", .skip_ringsides = true, .filter = "id != 7", .skip_own = true },
		{ .system = "sched", .name = "sched_switch" },
	};
	static const struct rs_plan mine = { .events = calls, .nr_events = 3, .clock = "boot", .buffer_percent = 10 };
	const pid_t own[] = { 4711, 4712 };
	struct rs_error err = { 0 };
	struct rs_instance in;
	char other[256];
	int fd;

	NEEDS_TRACING();
	snprintf(other, sizeof other, "%s/instances/ringside-beside-%d", rs_tracefs_find(NULL), (int)getpid());
	fd = make_held(other);
	ck_assert_msg(rs_instance_open(&in, &mine, &err) == 0 && rs_instance_start(&in, &mine, own, 2, &err) == 0, "%s", err.text);
	ck_assert(content_is(&in, "events/raw_syscalls/sys_enter/filter", "!(COMM ~ \"ringside*\")\n"));
	ck_assert(content_is(&in, "events/raw_syscalls/sys_exit/filter",
			     "((id != 7) && !(COMM ~ \"ringside*\")) && (common_pid > 4712 || common_pid < 4711)"));
	ck_assert(content_is(&in, "events/sched/sched_switch/filter", "none"));
	rs_instance_close(&in);
	close(fd);
	ck_assert(rmdir(other) == 0 || errno == ENOENT); /* another session that starts just now may be quicker */
}
END_TEST

START_TEST(start_and_stop)
{
	const pid_t own[] = { 4711, 4712 };
	struct rs_error err = { 0 };
	struct rs_instance in;
	uint64_t lost;

	NEEDS_TRACING();
	open_instance(&in);
	ck_assert_msg(rs_instance_start(&in, &plan, own, 2, &err) == 0, "%s", err.text);
	ck_assert(content_is(&in, "tracing_on", "1"));
	ck_assert(content_is(&in, "events/raw_syscalls/sys_enter/enable", "1"));
	ck_assert(content_is(&in, "events/raw_syscalls/sys_enter/filter",
			     "(id != 7 || id == 8) && (common_pid > 4712 || common_pid < 4711)"));
	ck_assert(content_is(&in, "events/sched/sched_switch/filter", "none"));
	ck_assert(rs_instance_lost(&in, 0, &lost));
	rs_instance_pause(&in, true);
	ck_assert(content_is(&in, "tracing_on", "0"));
	rs_instance_pause(&in, false);
	ck_assert(content_is(&in, "tracing_on", "1"));
	rs_instance_stop(&in);
	ck_assert(content_is(&in, "tracing_on", "0"));
	ck_assert(content_is(&in, "events/enable", "0"));
	rs_instance_close(&in);
}
END_TEST

/* Each bad plan is refused with a reason that names it, and leaves nothing. */
START_TEST(refusals)
{
	static const struct {
		struct rs_plan_event event;
		const char *clock, *cpus, *say;
		enum rs_exit status;
	} rows[] = {
		{ { .system = "sched", .name = "sched_switch" }, "sundial", NULL,
		  "no trace clock 'sundial' (it has: ", RS_USAGE },
		{ { .system = "sched", .name = "sched_switch" }, "boot", "4095",
		  "there is no CPU 4095", RS_USAGE },
		{ { .system = "sched", .name = "sched_swich" }, "boot", NULL,
		  "no event sched:sched_swich", RS_FAILED },
		{ { .system = "sched", .name = "sched_switch", .filter = "nofield == 1" }, "boot", NULL,
		  "'nofield == 1' for sched:sched_switch: Field not found", RS_FAILED },
	};

	NEEDS_TRACING();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rs_plan mine = { .events = &rows[i].event, .nr_events = 1, .clock = rows[i].clock,
					.cpus = rows[i].cpus, .buffer_percent = 10 };
		struct rs_error err = { 0 };
		struct rs_instance in;
		char path[sizeof in.path];
		int ret = rs_instance_open(&in, &mine, &err);

		snprintf(path, sizeof path, "%s/instances/%s", rs_tracefs_find(NULL), in.name);
		if (ret == 0) {
			ret = rs_instance_start(&in, &mine, NULL, 0, &err);
			rs_instance_close(&in);
		}
		ck_assert_int_eq(ret, -1);
		ck_assert_int_eq(err.status, rows[i].status);
		ck_assert_msg(strstr(err.text, rows[i].say) != NULL, "'%s' does not say '%s'", err.text,
			      rows[i].say);
		ck_assert_msg(access(path, F_OK) < 0, "%s stays", path);
	}
}
END_TEST

/* A taken name is left alone, with all that is in it. */
START_TEST(name_is_taken)
{
	char taken[256];
	struct rs_instance in;
	int fd;

	NEEDS_TRACING();
	snprintf(taken, sizeof taken, "%s/instances/ringside-%d", rs_tracefs_find(NULL), (int)getpid());
	fd = make_held(taken);
	open_instance(&in);
	ck_assert_str_ne(in.path, taken);
	rs_instance_close(&in);
	ck_assert(begins(taken, "tracing_on", "1"));
	close(fd);
	ck_assert(rmdir(taken) == 0 || errno == ENOENT);
}
END_TEST

START_TEST(every_fd_closes_on_exec)
{
	struct rs_instance in;
	struct dirent *d;
	int nr = 0;
	DIR *dir;

	NEEDS_TRACING();
	open_instance(&in);
	dir = opendir("/proc/self/fd");
	while ((d = readdir(dir))) {
		char target[256];
		ssize_t len = readlinkat(dirfd(dir), d->d_name, target, sizeof target - 1);
		int fd = atoi(d->d_name);

		if (len < 0 || fd == in.guardian_fds[0] || fd == in.guardian_fds[1])
			continue;
		target[len] = '\0';
		if (!strstr(target, in.name))
			continue;
		nr++;
		ck_assert_msg(fcntl(fd, F_GETFD) & FD_CLOEXEC, "%s is inherited", target);
	}
	closedir(dir);
	/* tracing_on, events/enable, free_buffer, and two of each CPU */
	ck_assert_int_eq(nr, 3 + 2 * (int)in.nr_cpus);
	ck_assert(fcntl(in.guardian_fds[0], F_GETFD) & FD_CLOEXEC);
	ck_assert(fcntl(in.guardian_fds[1], F_GETFD) & FD_CLOEXEC);
	rs_instance_close(&in);
}
END_TEST

/*
 * Closing waits for two seconds, and once one guardian saw the instance gone 60 ms for the other: on a loaded machine
 * what was let go by then ends a little later, by itself.
 */
static void expect_nothing_left(const char *path)
{
	bool instance = true, child = true;

	for (int i = 0; i < 2000 && (instance || child); i++) {
		instance = access(path, F_OK) == 0;
		child = waitpid(-1, NULL, WNOHANG) >= 0;
		if (instance || child)
			usleep(5000);
	}
	ck_assert_msg(!instance, "the instance stays");
	ck_assert_msg(!child, "a guardian stays");
}

/* "ringside ... | cat" ends when ringside does: no guardian keeps the pipe. */
START_TEST(guardians_keep_nothing)
{
	struct rs_instance in;
	char path[sizeof in.path];
	struct pollfd p;
	int pipe_fds[2];

	NEEDS_TRACING();
	ck_assert_int_eq(pipe(pipe_fds), 0);
	/* High, out of the way of the few that a guardian has. */
	ck_assert_int_ge(fcntl(pipe_fds[1], F_DUPFD, 100), 100);
	open_instance(&in);
	memcpy(path, in.path, sizeof path);
	close(pipe_fds[1]);
	closefrom(100);
	p = (struct pollfd){ .fd = pipe_fds[0], .events = POLLIN };
	ck_assert_msg(poll(&p, 1, 2000) == 1 && (p.revents & POLLHUP), "a guardian holds an inherited pipe");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_ne(getsid(in.guardian_pids[i]), getsid(0));
		/* What a terminal or a service manager sends does not end them. */
		for (int sig = 1; sig < 32; sig++)
			if (sig != SIGKILL && sig != SIGSTOP)
				kill(in.guardian_pids[i], sig);
	}
	p = (struct pollfd){ .fd = in.guardian_fds[0] };
	ck_assert_msg(poll(&p, 1, 100) == 0, "a signal ended a guardian");
	rs_instance_close(&in);
	expect_nothing_left(path);
}
END_TEST

START_TEST(a_dead_guardian_is_noticed)
{
	int which = _i;
	struct rs_instance in;
	struct pollfd p;
	char path[sizeof in.path];

	NEEDS_TRACING();
	open_instance(&in);
	memcpy(path, in.path, sizeof path);
	kill(in.guardian_pids[which], SIGKILL);
	p = (struct pollfd){ .fd = in.guardian_fds[which] };
	ck_assert_int_eq(poll(&p, 1, 2000), 1);
	ck_assert(p.revents & POLLHUP);
	p.fd = in.guardian_fds[!which];
	ck_assert_int_eq(poll(&p, 1, 0), 0);
	rs_instance_close(&in);
	expect_nothing_left(path);
}
END_TEST

/* Questions that nobody takes the answers of, until there is room for no more: the end comes as ever. */
START_TEST(questions_do_not_hold_up_the_end)
{
	struct rs_instance in;
	char path[sizeof in.path];
	unsigned int nr = 0;

	NEEDS_TRACING();
	open_instance(&in);
	memcpy(path, in.path, sizeof path);
	while (nr++ < 20000)
		rs_guardian_ask_fd(in.ask_fd, getpid(), in.ask_fd, CLOCK_BOOTTIME);
	ck_assert_int_ge(send(in.ask_fd, "garbage", 7, MSG_DONTWAIT | MSG_NOSIGNAL), -1);
	rs_instance_close(&in);
	expect_nothing_left(path);
}
END_TEST

/* In a child: opens and starts, says its path, and waits to be killed. */
static pid_t run_session(int path_fd)
{
	pid_t pid = fork();
	struct rs_error err = { 0 };
	struct rs_instance in;

	if (pid)
		return pid;
	if (rs_instance_open(&in, &plan, &err) < 0 || rs_instance_start(&in, &plan, NULL, 0, &err) < 0)
		_exit(1);
	if (write(path_fd, in.path, sizeof in.path) < 0)
		_exit(1);
	for (;;)
		pause();
}

START_TEST(a_killed_engine_leaves_nothing)
{
	int pipe_fds[2], fd;
	char path[256];
	pid_t pid;

	NEEDS_TRACING();
	ck_assert_int_eq(pipe(pipe_fds), 0);
	pid = run_session(pipe_fds[1]);
	ck_assert_int_eq(read(pipe_fds[0], path, sizeof path), sizeof path);
	/* Somebody looks into it: events must end at once, the folder when he has gone. */
	fd = open_in(path, "tracing_on");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 200 && !begins(path, "events/enable", "0"); i++)
		usleep(10000);
	ck_assert(begins(path, "events/enable", "0"));
	ck_assert(begins(path, "tracing_on", "0"));
	close(fd);
	ck_assert(removed_within_2s(path));
}
END_TEST

START_TEST(cleanup)
{
	char left[256], used[256];
	unsigned int nr_busy = 0;
	int fd, nr_closed = 0;

	NEEDS_TRACING();
	snprintf(left, sizeof left, "%s/instances/ringside-left-%d", rs_tracefs_find(NULL), (int)getpid());
	snprintf(used, sizeof used, "%s/instances/ringside-used-%d", rs_tracefs_find(NULL), (int)getpid());
	fd = make_held(used);
	/* Another session that starts just now may be quicker. */
	for (int i = 0; i < 5 && !nr_closed; i++) {
		ck_assert_int_eq(mkdir(left, 0700), 0);
		nr_closed = rs_tracefs_cleanup(&nr_busy);
	}
	ck_assert_int_ge(nr_closed, 1);
	ck_assert_int_ge(nr_busy, 1);
	ck_assert(access(left, F_OK) < 0);
	ck_assert(access(used, F_OK) == 0);
	close(fd);
	ck_assert(rmdir(used) == 0 || errno == ENOENT); /* another session that starts just now may be quicker */
}
END_TEST

/* What the engine still does when it is nobody. */
START_TEST(stop_without_privileges)
{
	struct rs_error err = { 0 };
	struct rs_instance in;
	uint64_t lost;
	char path[sizeof in.path];
	int status;
	pid_t pid;

	NEEDS_TRACING();
	pid = fork();
	if (pid == 0) {
		char text[4] = "", events_on[4] = "";
		int on_fd, events_fd;

		if (rs_instance_open(&in, &plan, &err) < 0 ||
		    rs_instance_start(&in, &plan, NULL, 0, &err) < 0)
			_exit(1);
		on_fd = open_in(in.path, "tracing_on");
		events_fd = open_in(in.path, "events/enable");
		memcpy(path, in.path, sizeof path);
		if (rs_privileges_drop(NULL, false, &err) < 0)
			_exit(2);
		if (geteuid() == 0 || getegid() == 0 || access("/root/.", X_OK) == 0 || setuid(0) == 0 ||
		    prctl(PR_GET_DUMPABLE) || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
			_exit(3);
		rs_instance_stop(&in);
		if (read(on_fd, text, 1) != 1 || text[0] != '0' || read(events_fd, events_on, 1) != 1 ||
		    events_on[0] != '0')
			_exit(4);
		if (!rs_instance_lost(&in, 0, &lost))
			_exit(5);
		close(on_fd);
		close(events_fd);
		rs_instance_close(&in);
		_exit(access(path, F_OK) == 0 ? 6 : 0);
	}
	waitpid(pid, &status, 0);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

/* Not root: said, with what to do. */
START_TEST(not_root)
{
	int status;
	pid_t pid;

	NEEDS_TRACING();
	pid = fork();
	if (pid == 0) {
		struct rs_error err = { 0 };
		struct rs_instance in;

		if (setresgid(65534, 65534, 65534) < 0 || setresuid(65534, 65534, 65534) < 0)
			_exit(1);
		_exit(rs_instance_open(&in, &plan, &err) == -1 && strstr(err.text, "root") ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

Suite *rs_suite_tracefs(void)
{
	Suite *s = suite_create("tracefs");
	TCase *t = tcase_create("control");

	tcase_set_timeout(t, 30);
	tcase_add_test(t, cpu_lists);
	tcase_add_test(t, settings);
	tcase_add_test(t, filter_with_others_between);
	tcase_add_test(t, beside_others_their_work_is_left_out);
	tcase_add_test(t, start_and_stop);
	tcase_add_test(t, refusals);
	tcase_add_test(t, name_is_taken);
	tcase_add_test(t, every_fd_closes_on_exec);
	tcase_add_test(t, guardians_keep_nothing);
	tcase_add_loop_test(t, a_dead_guardian_is_noticed, 0, 2);
	tcase_add_test(t, questions_do_not_hold_up_the_end);
	tcase_add_test(t, a_killed_engine_leaves_nothing);
	tcase_add_test(t, cleanup);
	tcase_add_test(t, stop_without_privileges);
	tcase_add_test(t, not_root);
	suite_add_tcase(s, t);
	return s;
}
