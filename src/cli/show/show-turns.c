// SPDX-License-Identifier: GPL-2.0-or-later
/* show-turns - two commands that run in turn, each run a block of its side */
#include "cli/show/show-turns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/show/show.h"
#include "recording/unpack.h"

/* As a shell would have it: "make -j2" in quotes is a line, and a name alone is a program. */
static void turns_set(char *argv[RS_MAX_LIST + 1], char **words, size_t nr)
{
	static char shell[] = "sh", option[] = "-c";
	size_t first = 0;

	if (nr == 1 && strpbrk(words[0], " \t;|&<>$")) {
		argv[first++] = shell;
		argv[first++] = option;
	}
	memcpy(argv + first, words, nr * sizeof *argv);
	argv[first + nr] = NULL;
}

int rs_show_turns_divide(const struct rs_options *opt, struct rs_show_turns *turns, struct rs_error *err)
{
	size_t nr_old = 0, nr_new = 0;

	while (opt->command[nr_old] && strcmp(opt->command[nr_old], "--") != 0)
		nr_old++;
	while (opt->command[nr_old] && opt->command[nr_old + 1 + nr_new])
		nr_new++;
	if (!nr_old || !nr_new)
		return rs_fail_usage(err, "diff: name two commands: -- OLD -- NEW");
	if (nr_old > RS_MAX_LIST - 2 || nr_new > RS_MAX_LIST - 2)
		return rs_fail_usage(err,
				     "diff: a command has more than %d words (give it as one, in quotes)",
				     RS_MAX_LIST - 2);
	turns_set(turns->old, opt->command, nr_old);
	turns_set(turns->new, opt->command + nr_old + 1, nr_new);
	return 0;
}

/*
 * A session gives up root for good, so each run is recorded by a program of its own; and what is measured
 * afterwards does not disturb it.
 */
static void turns_exec(const struct rs_options *opt, char *const command[], int fd)
{
	char output[32], kib[24];
	char *argv[RS_MAX_LIST + 16] = { "ringside", "record", "-q", "-o", output };
	size_t nr = 5;

	fcntl(fd, F_SETFD, 0);
	snprintf(output, sizeof output, "/dev/fd/%d", fd);
	if (opt->as_root)
		argv[nr++] = "--as-root";
	if (opt->core)
		argv[nr++] = "--core";
	if (opt->buffer_kib) {
		snprintf(kib, sizeof kib, "%llu", (unsigned long long)opt->buffer_kib);
		argv[nr++] = "-b";
		argv[nr++] = kib;
	}
	argv[nr++] = "--";
	for (size_t i = 0; command[i]; i++)
		argv[nr++] = command[i];
	argv[nr] = NULL;
	execv("/proc/self/exe", argv);
	_exit(RS_FAILED);
}

static int turns_record(const struct rs_options *opt, char *const command[], int fd, struct rs_error *err)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		turns_exec(opt, command, fd);
	if (pid < 0)
		return rs_fail(err, "diff: cannot begin '%.60s': %s", command[0], strerror(errno));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return rs_fail(err, "diff: cannot wait for '%.60s': %s", command[0], strerror(errno));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return rs_fail(err, "diff: '%.60s' was not recorded to its end", command[0]);
	return 0;
}

static void turns_run_one(const struct rs_view_ref *views, size_t nr_views, struct rs_options *of,
			  char *const command[], struct rs_error *err)
{
	int fd;

	if (err->status != RS_OK)
		return;
	fd = rs_unpack_nameless();
	if (fd < 0) {
		rs_fail(err, "diff: cannot make a file in %s for a recording: %s ($TMPDIR names another)",
			rs_unpack_folder(), strerror(errno));
		return;
	}
	if (turns_record(of, command, fd, err) == 0) {
		of->input = command[0];
		of->input_fd = fd;
		of->of_command = true;
		rs_show_file(RS_SHOW_SIDE, views, nr_views, of, err);
		of->input_fd = 0;
	}
	if (err->status == RS_OK && of->side->failed)
		rs_fail(err, "diff: out of memory");
	close(fd);
}

void rs_show_turns_run(const struct rs_show_turns *turns, const struct rs_view_ref *views, size_t nr_views,
		       struct rs_options *of_a, struct rs_options *of_b, struct rs_error *err)
{
	uint64_t nr = of_a->nr_rows ? of_a->nr_rows : RS_SHOW_TURNS;

	of_a->side->of_runs = of_b->side->of_runs = true;
	of_a->command = of_b->command = NULL;
	for (uint64_t i = 0; i < 2 * nr; i++) {
		bool is_new = (i + i / 2) % 2;

		turns_run_one(views, nr_views, is_new ? of_b : of_a, is_new ? turns->new : turns->old, err);
	}
}
