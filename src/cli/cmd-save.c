// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save - what the daemon's window holds, to a file that we open: it writes with our rights and not with its own
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/config.h"
#include "capture/capture.h"

struct saving {
	const char *path;        /* as it will be called; NULL: standard output */
	char *made;              /* what is written meanwhile beside it; NULL: path itself, a device or a pipe */
	int fd;
};

/* The format of a file by the end of its name. */
static const struct { const char *end, *format; } endings[] = {
	{ ".dat", "trace.dat" }, { ".json", "chrome" }, { ".csv", "csv" }, { ".jsonl", "json" }, { ".ndjson", "json" },
};

/* NULL with err set: unknown end. A name without an end, as of a pipe or a device, gives the default. */
static const char *save_format_of(const struct rs_options *opt, struct rs_error *err)
{
	const char *slash = opt->output ? strrchr(opt->output, '/') : NULL, *name = slash ? slash + 1 : opt->output;
	const char *dot = name && !opt->format ? strrchr(name, '.') : NULL;

	if (!dot || dot == name)
		return opt->format ? opt->format : "trace.dat";
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot, endings[i].end))
			return endings[i].format;
	rs_fail_usage(err, "save: what format is '%s'? (-f trace.dat, chrome, csv or json; or a name that ends in .dat, "
		      ".json, .csv or .jsonl)", name);
	return NULL;
}

static int give_to_caller(const struct saving *s, struct rs_error *err)
{
	uid_t uid;
	gid_t gid;

	if (rs_launch_sudo_user(&uid, &gid) && fchown(s->fd, uid, gid) < 0)
		return rs_fail(err, "cannot give '%s' to user %u: %s", s->path, (unsigned int)uid, strerror(errno));
	return fchmod(s->fd, 0644 & ~umask(umask(0))) < 0 ? rs_fail(err, "cannot write '%s': %s", s->path, strerror(errno)) : 0;
}

/* An existing file stays unchanged until the new one is complete. */
static int save_open_output(struct saving *s, struct rs_error *err)
{
	struct stat st;

	s->fd = -1;
	if (!strcmp(s->path, "-")) {
		s->path = NULL;
		s->fd = dup(STDOUT_FILENO);
		return s->fd < 0 ? rs_fail(err, "cannot write: %s", strerror(errno)) : 0;
	}
	if (stat(s->path, &st) == 0 && !S_ISREG(st.st_mode)) {
		s->fd = open(s->path, O_WRONLY | O_CLOEXEC);
	} else if (asprintf(&s->made, "%s.XXXXXX", s->path) > 0) {
		s->fd = mkostemp(s->made, O_CLOEXEC);
		if (s->fd >= 0)
			return give_to_caller(s, err);
		free(s->made);
		s->made = NULL;
	}
	return s->fd < 0 ? rs_fail(err, "cannot write '%s': %s (name another file with -o)", s->path, strerror(errno)) : 0;
}

static void save_close_output(struct saving *s, struct rs_error *err)
{
	if (s->fd >= 0 && close(s->fd) < 0)
		rs_fail(err, "cannot write '%s': %s", s->path ? s->path : "standard output", strerror(errno));
	if (!s->made)
		return;
	if (err->status == RS_OK && rename(s->made, s->path) < 0)
		rs_fail(err, "cannot write '%s': %s", s->path, strerror(errno));
	if (err->status != RS_OK)
		unlink(s->made);
	free(s->made);
}

/* Without an end the range ends now: the daemon does not wait for events that come during the save. */
static int save_find_range(struct rs_client *c, const struct rs_options *opt, struct rs_asked_time *time, struct rs_error *err)
{
	struct rs_session_config config = { .nr_analyses = 0 };
	struct rs_moment_clock clock;

	if (!rs_options_gave(opt, "from,to,last"))
		return 0;
	if (rs_attach_clock(c, &clock, err) < 0 || rs_config_times(opt, &clock, &config, err) < 0)
		return -1;
	*time = (struct rs_asked_time){ rs_u(config.from_ns), rs_u(config.to_ns ? config.to_ns : clock.end_ns) };
	return 0;
}

static const struct rs_save_reply *save_ask_daemon(struct rs_client *c, const struct rs_options *opt, const char *format, int fd,
						   struct rs_error *err)
{
	struct rs_save_request request = { .format = format };

	return save_find_range(c, opt, &request.time, err) < 0 ? NULL : rs_client_call(c, "save", &request, fd, err);
}

/* The daemon has the file without its name. */
static void name_file(const struct saving *s, struct rs_error *err)
{
	static const char unnamed[] = "cannot write: ";
	struct rs_error told = *err;

	if (!s->path || strncmp(told.text, unnamed, sizeof unnamed - 1))
		return;
	*err = (struct rs_error){ 0 };
	rs_fail(err, "cannot write '%s': %s", s->path, told.text + sizeof unnamed - 1);
}

static void save_show(const struct rs_options *opt, const struct saving *s, const struct rs_save_reply *answer)
{
	struct rs_buf path = RS_BUF_INIT;
	char size[RS_UNIT_TEXT + 1] = "";

	if (opt->quiet || !s->path)
		return;
	size[rs_units_put_bytes(size, answer->bytes)] = '\0';
	rs_escape_text(&path, s->path);
	fprintf(stderr, "ringside: %s: %s, %" PRIu64 " events\n", path.data, size, answer->events);
	rs_buf_done(&path);
}

static enum rs_exit save_run(const struct rs_options *opt, struct rs_error *err)
{
	struct saving s = { .path = opt->output ? opt->output : "trace.dat", .fd = -1 };
	const char *format = save_format_of(opt, err);
	struct rs_client *c = format ? rs_attach(opt, err) : NULL;
	const struct rs_save_reply *answer = NULL;

	if (c && save_open_output(&s, err) == 0)
		answer = save_ask_daemon(c, opt, format, s.fd, err);
	if (err->status != RS_OK)
		name_file(&s, err);
	save_close_output(&s, err);
	if (answer && err->status == RS_OK)
		save_show(opt, &s, answer);
	rs_message_drop(answer);
	rs_client_free(c);
	return err->status;
}

const struct rs_command rs_command_save = {
	.name = "save", .summary = "write the daemon's window, or the last of it, to a file",
	.options = "output,format,from,to,last,socket,quiet",
	.help = "To trace.dat, or -o FILE (- is standard output), in the format that -f names, else that the name\n"
		"ends in: .json is chrome, .csv and .jsonl are rows, .dat is trace.dat. For root and who began the\n"
		"daemon; the file is yours, and written with your rights. What is there already stays until the new\n"
		"file is whole.",
	.run = save_run,
};
