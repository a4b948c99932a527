// SPDX-License-Identifier: GPL-2.0-or-later
/* own-engine - engines of our own: child processes that serve over a socketpair */
#include "cli/own-engine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/crash.h"
#include "base/memory-watch.h"
#include "cli/options/config.h"
#include "cli/show/show.h"
#include "daemon/serve.h"
#include "rpc/frame.h"
#include "symbols/debug-server.h"

#define MIN_SPANS_BYTES (16u << 20)
#define MAX_SPANS_BYTES (256u << 20)
#define ENDED_WITHOUT_MEMORY \
	12 /* an exit status of the engine's: not all that failed has been said to its client */
#define OWN_ENGINE_WINDOW_BYTES \
	(128u << 20) /* half of what a daemon keeps: it is there from the first moment on */

bool rs_own_engine_is_needed(const struct rs_options *opt)
{
	return opt->command || rs_options_gave(opt, RS_OWN_ENGINE_OPTIONS);
}

/*
 * About three bytes of spans for four of a recording; they are touched before the first event is read.
 * Besides that each thread takes a kilobyte for each lane, however little it did: of thousands in a small
 * recording the spans of others went for it, and what was longest of all was not on the timeline.
 */
static size_t own_engine_spans_bytes(struct rs_source *source)
{
	uint64_t done_bytes, all_bytes = 0, bytes;

	source->ops->progress(source, &done_bytes, &all_bytes);
	bytes = all_bytes / 4 * 3 + MIN_SPANS_BYTES;
	return bytes < MAX_SPANS_BYTES ? (size_t)bytes : MAX_SPANS_BYTES;
}

static int own_engine_serve_file(const struct rs_options *opt, struct rs_serve_config *config,
				 struct rs_error *err)
{
	struct rs_moment_clock clock;
	struct rs_source *source = rs_show_file_open(opt, &clock, err);
	int status;

	if (!source)
		return -1;
	config->source = "file";
	config->path = opt->input;
	config->window_bytes = own_engine_spans_bytes(source);
	status = rs_config_times(opt, &clock, &config->session, err);
	if (status == 0 && source->samples && !opt->nr_analyses)
		status = rs_config_add_stacks(&config->session, true, true, err);
	if (status == 0 && !opt->nr_analyses)
		status = rs_config_add_messages(&config->session, err);
	if (status == 0 && opt->debuginfod && geteuid() == 0)
		status = rs_debug_server_cache_in_memory(err);
	/* the file is open: what reads it needs no right any more */
	if (status == 0 && geteuid() == 0)
		status = rs_privileges_drop(NULL, opt->core, err);
	if (status == 0)
		status = rs_serve_file(config, source, clock.begin_ns, err);
	source->ops->close(source);
	return status;
}

static int own_engine_serve_live(const struct rs_options *opt, struct rs_serve_config *config,
				 int parent_pidfd, struct rs_error *err)
{
	if (opt->window && rs_config_window(opt->window, &config->window_bytes, &config->window_ns, err) < 0)
		return -1;
	config->source = "live";
	if (rs_config_add_stacks(&config->session, opt->samples || opt->sample_hz, opt->stacks, err) < 0)
		return -1;
	if (!config->window_bytes)
		config->window_bytes = OWN_ENGINE_WINDOW_BYTES;
	config->capture = rs_config_capture(opt);
	config->capture.live.parent_pidfd = parent_pidfd;
	/* one of its own, which can be raised: see RS_CAPTURE_SESSION_NICE */
	if (!config->capture.command)
		setsid();
	return rs_serve_live(config, err);
}

/*
 * Standard error is the screen's: what a crash has to say goes the way of all else. why: plain words of our
 * own.
 */
static void own_engine_say_crash(int fd, const char *why)
{
	char text[400];

	snprintf(text, sizeof text, "{\"event\":\"failed\",\"error\":\"the engine: %s\"}", why);
	rs_frame_send(fd, text);
}

/* Waits for the first request; false: the client has closed its socket. */
static bool own_engine_is_requested(int fd)
{
	void (*before)(int) = signal(SIGINT, SIG_IGN); /* Ctrl-C is for who draws, which then goes */
	char byte;
	ssize_t n;

	while ((n = recv(fd, &byte, 1, MSG_PEEK)) < 0 && errno == EINTR)
		;
	signal(SIGINT, before);
	return n > 0;
}

/* The child: what it has to say it says to its client. Standard output and error belong to the screen. */
static int own_engine_serve(const struct rs_options *opt, int fd, int parent_pidfd)
{
	struct rs_serve_config config = { .listen_fd = -1, .client_fd = fd, .sandbox = true,
					  .session.findings = true };
	struct rs_error err = { 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int kept = fcntl(fd, F_DUPFD_CLOEXEC, 3); /* the server closes its own */

	prctl(PR_SET_NAME, "ringside-engine");
	rs_crash_report(kept, own_engine_say_crash);
	for (int std = STDIN_FILENO; null >= 0 && std <= STDERR_FILENO; std++)
		dup2(null, std);
	if (!own_engine_is_requested(fd))
		return RS_OK;
	rs_config_select(opt, &config.session);
	if (rs_config_analyses(opt, &config.session, &err) == 0) {
		if (opt->input) {
			/* for who draws, as above; a capture ends by it in good order */
			signal(SIGINT, SIG_IGN);
			own_engine_serve_file(opt, &config, &err);
		} else {
			own_engine_serve_live(opt, &config, parent_pidfd, &err);
		}
	}
	if (err.status != RS_OK) {
		/* what could not be read for want of memory was taken for something else */
		rs_memory_check("engine", &err);
		rs_serve_failed(kept, &err);
	}
	return rs_memory_failed() ? ENDED_WITHOUT_MEMORY : err.status;
}

int rs_own_engine_begin(struct rs_own_engines *own, const struct rs_options *opt, struct rs_error *err)
{
	int fds[2], self;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return rs_fail(err, "cannot make a socket to the engine: %s", strerror(errno));
	self = pidfd_open(getpid(), 0); /* before there is anybody who could outlive us */
	pid = fork();
	if (!pid) {
		close(fds[0]);
		for (size_t i = 0; i < own->nr; i++) /* who waits for their end would wait for ours */
			close(own->at[i].fd);
		_exit(own_engine_serve(opt, fds[1], self));
	}
	if (pid < 0) {
		rs_fail(err, "cannot start the engine: %s", strerror(errno));
		close(fds[0]);
	} else {
		own->at[own->nr].fd = fds[0];
		own->at[own->nr++].pid = pid;
	}
	close(fds[1]);
	if (self >= 0)
		close(self);
	return pid < 0 ? -1 : 0;
}

bool rs_own_engine_have_ended(void *engines)
{
	const struct rs_own_engines *own = engines;
	siginfo_t info;

	for (size_t i = 0; i < own->nr; i++) {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)own->at[i].pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
		    info.si_pid != own->at[i].pid)
			return false;
	}
	return true;
}

void rs_own_engine_end(pid_t pid, struct rs_error *err)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		rs_fail(err, "the engine was ended by a signal: %s", strsignal(WTERMSIG(status)));
	if (WIFEXITED(status) && WEXITSTATUS(status) == ENDED_WITHOUT_MEMORY)
		rs_fail(err, "the engine: out of memory: what it showed was not whole (free memory, or trace "
			     "less)");
}
