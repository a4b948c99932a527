// SPDX-License-Identifier: GPL-2.0-or-later
/* show-recorded - records with a program of its own, and measures that, as one side of a comparison */
#include "cli/show/show-recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recording/unpack.h"

struct recorded_words {
	char *argv[RS_MAX_LIST + 16];
	size_t nr;
	char output[32], kib[24], seconds[40];
};

static void recorded_add(struct recorded_words *w, char *word)
{
	if (w->nr + 1 < sizeof w->argv / sizeof *w->argv)
		w->argv[w->nr++] = word;
}

static void recorded_add_options(struct recorded_words *w, const struct rs_options *opt, bool has_command)
{
	if (opt->as_root)
		recorded_add(w, "--as-root");
	if (opt->core)
		recorded_add(w, "--core");
	if (opt->buffer_kib) {
		snprintf(w->kib, sizeof w->kib, "-b%llu", (unsigned long long)opt->buffer_kib);
		recorded_add(w, w->kib);
	}
	if (opt->duration_ns && !has_command) {
		snprintf(w->seconds, sizeof w->seconds, "-d%llu.%09llu",
			 (unsigned long long)(opt->duration_ns / 1000000000),
			 (unsigned long long)(opt->duration_ns % 1000000000));
		recorded_add(w, w->seconds);
	}
}

static void recorded_exec(const struct rs_options *opt, char *const command[], int fd)
{
	struct recorded_words w = { .argv = { "ringside", "record", "-q", "-o", w.output }, .nr = 5 };

	fcntl(fd, F_SETFD, 0);
	snprintf(w.output, sizeof w.output, "/dev/fd/%d", fd);
	recorded_add_options(&w, opt, command);
	if (command)
		recorded_add(&w, "--");
	for (size_t i = 0; command && command[i]; i++)
		recorded_add(&w, command[i]);
	execv("/proc/self/exe", w.argv);
	_exit(RS_FAILED);
}

/* Ctrl-C goes to the recording, which it ends; then what was recorded is measured. */
static int recorded_wait(pid_t pid, int *status)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	int ret;

	sigaction(SIGINT, &ignore, &before);
	do
		ret = waitpid(pid, status, 0);
	while (ret < 0 && errno == EINTR);
	sigaction(SIGINT, &before, NULL);
	return ret;
}

static int recorded_record(const struct rs_options *opt, char *const command[], int fd, struct rs_error *err)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		recorded_exec(opt, command, fd);
	if (pid < 0 || recorded_wait(pid, &status) < 0)
		return rs_fail(err, "cannot run ringside record: %s", strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return rs_fail(err, "nothing was recorded of '%.60s'", command ? command[0] : "this machine");
	return 0;
}

void rs_show_recorded(const struct rs_view_ref *views, size_t nr_views, const struct rs_options *given,
		      char *const command[], struct rs_error *err)
{
	struct rs_options opt = *given;
	int fd = rs_unpack_nameless();

	if (fd < 0) {
		rs_fail(err, "cannot make a file in %s for a recording: %s ($TMPDIR names another)",
			rs_unpack_folder(), strerror(errno));
		return;
	}
	if (recorded_record(&opt, command, fd, err) == 0) {
		opt.input = "the recording";
		opt.input_fd = fd;
		opt.command = NULL;
		rs_show_file(RS_SHOW_SIDE, views, nr_views, &opt, err);
	}
	if (err->status == RS_OK && opt.side->failed)
		rs_fail(err, "cannot compare: out of memory");
	close(fd);
}
