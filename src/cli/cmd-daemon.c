// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * daemon - an engine that stays, keeps a window of the past, and serves its clients
 */
#include <errno.h>
#include <grp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/daemon-file.h"
#include "cli/keep-options.h"
#include "cli/options/config.h"
#include "daemon/metrics-http.h"
#include "daemon/notify.h"
#include "daemon/serve.h"
#include "daemon/usual-file.h"
#include "service/alarms.h"

#define BUFFER_BYTES (256ull << 20) /* what the kernel's buffers may grow to */
#define DAEMON_KEEPS_NOTHING \
	"the process that keeps recordings has ended: until the next start nothing is kept of what fires, " \
	"and no command is run"

struct daemon {
	const struct rs_options *line;
	struct rs_daemon_file file;
	struct rs_options opt;        /* of both */
	struct rs_alarms *alarms;     /* NULL: it judges no conditions */
	struct rs_responder_config responder;
	atomic_bool has_responder;    /* it has begun, and not ended */
	char keep_formats[RS_KEEP_FORMATS_TEXT];
	char learn_file[4096];        /* systemd's */
	struct rs_serve_config serve;
	struct rs_listen_socket listen;
	struct rs_notify notify;
	_Atomic int level;            /* enum rs_say: what is less grave is not said */
	char greeting[320];
	bool journal;                 /* stderr is the journal's, which knows levels by "<4>" */
};

/* ---- the options of the file and of the command line ---- */

static void add_texts(const char **to, size_t *nr, const char *const *from, size_t nr_from)
{
	for (size_t i = 0; i < nr_from && *nr < RS_MAX_LIST; i++)
		to[(*nr)++] = from[i];
}

#define PICK(member) (line->member ? line->member : file->member)

/* Of both: what the command line says goes first; analyses and events of either. */
static struct rs_options daemon_config_merge(const struct rs_options *line, const struct rs_options *file)
{
	struct rs_options both = *line;

	both.socket = PICK(socket);
	both.group = PICK(group);
	both.metrics = PICK(metrics);
	both.window = PICK(window);
	both.max_overhead = PICK(max_overhead);
	both.mem = PICK(mem);
	both.log_level = PICK(log_level);
	both.sample_hz = PICK(sample_hz);
	both.stack_bytes = PICK(stack_bytes);
	both.stacks = PICK(stacks);
	both.buffer_kib = PICK(buffer_kib);
	both.clock = PICK(clock);
	both.cpus = PICK(cpus);
	both.self = PICK(self);
	both.silence = PICK(silence);
	both.keep = PICK(keep);
	both.keep_in = PICK(keep_in);
	both.keep_around = PICK(keep_around);
	both.keep_as = PICK(keep_as);
	both.run = PICK(run);
	both.learn = PICK(learn);
	add_texts(both.whens, &both.nr_whens, file->whens, file->nr_whens);
	add_texts(both.analyses, &both.nr_analyses, file->analyses, file->nr_analyses);
	add_texts(both.events, &both.nr_events, file->events, file->nr_events);
	return both;
}

/* ---- conditions ---- */

/* Those of the command line and of the file, all or none of them. NULL: err. */
static struct rs_when *daemon_make_conditions(const struct rs_options *line,
					      const struct rs_daemon_file *file, struct rs_error *err)
{
	struct rs_when *when = rs_when_new(&(struct rs_when_to){ 0 }, err);

	if (when && rs_daemon_file_conditions(file, line, when, err) == 0)
		return when;
	rs_when_free(when);
	return NULL;
}

/* At the start: the session runs what they are about, whatever -a says. */
static int daemon_set_conditions(struct daemon *d, struct rs_error *err)
{
	struct rs_when *when = daemon_make_conditions(d->line, &d->file, err);
	struct rs_view_ref refs[RS_WHEN_MOST];
	size_t nr = when ? rs_when_views(when, refs, RS_WHEN_MOST) : 0;

	for (size_t i = 0; i < nr; i++)
		if (rs_config_add(&d->serve.session, refs[i].analysis, err) < 0)
			break;
	if (when && err->status == RS_OK && (d->alarms = rs_alarms_new(err)))
		rs_alarms_set(d->alarms, when);
	else
		rs_when_free(when);
	return err->status == RS_OK ? 0 : -1;
}

/* Later: the session runs what it runs. */
static int daemon_check_views(const struct daemon *d, const struct rs_when *when, struct rs_error *err)
{
	const struct rs_session_config *session = &d->serve.session;
	struct rs_view_ref refs[RS_WHEN_MOST];
	size_t nr = rs_when_views(when, refs, RS_WHEN_MOST);

	for (size_t i = 0; i < nr; i++) {
		unsigned int at = 0;

		while (at < session->nr_analyses && session->analyses[at] != refs[i].analysis)
			at++;
		if (at == session->nr_analyses)
			return rs_fail(err,
				       "%s is not being traced: its condition counts from the next start on",
				       refs[i].view->name);
	}
	return 0;
}

/* ---- what it says ---- */

static const struct { const char *name, *mark; int number; } levels[] = {
	[RS_SAY_ERROR] = { "error", "", 3 }, [RS_SAY_WARNING] = { "warning", "warning: ", 4 },
	[RS_SAY_INFO] = { "info", "", 6 },
	[RS_SAY_DEBUG] = { "debug", "", 7 },
};

/* NULL: info. */
static enum rs_say find_level(const char *name)
{
	for (size_t i = 0; name && i < sizeof levels / sizeof *levels; i++)
		if (levels[i].name && !strcmp(levels[i].name, name))
			return (enum rs_say)i;
	return RS_SAY_INFO;
}

static void say(void *arg, enum rs_say level, const char *text)
{
	struct daemon *d = arg;
	struct rs_buf line = RS_BUF_INIT;

	if ((int)level > d->level)
		return;
	if (d->journal)
		rs_buf_printf(&line, "<%d>", levels[level].number);
	else
		rs_buf_puts(&line, "ringside: ");
	rs_buf_puts(&line, levels[level].mark);
	rs_escape_text(&line, text);
	rs_buf_puts(&line, "\n");
	fputs(line.data, stderr);
	rs_buf_done(&line);
	if (level == RS_SAY_WARNING)
		rs_notify_status(&d->notify, text);
}

static void ready(void *arg)
{
	struct daemon *d = arg;

	say(d, RS_SAY_INFO, d->greeting);
	rs_notify_send(&d->notify, RS_NOTIFY_READY);
	rs_notify_status(&d->notify, d->greeting);
}

static void ending(void *arg)
{
	struct daemon *d = arg;

	rs_notify_send(&d->notify, RS_NOTIFY_STOPPING);
	say(d, RS_SAY_INFO, "ending");
}

/* ---- what it is to be ---- */

static int daemon_apply_config(struct daemon *d, struct rs_error *err)
{
	struct rs_serve_config *s = &d->serve;
	gid_t ignored;

	d->opt = daemon_config_merge(d->line, &d->file.opt);
	d->level = find_level(d->opt.log_level);
	if (d->opt.window && rs_config_window(d->opt.window, &s->window_bytes, &s->window_ns, err) < 0)
		return -1;
	if (d->opt.max_overhead && rs_config_percent(d->opt.max_overhead, &s->max_overhead_milli, err) < 0)
		return -1;
	s->buffer_most_bytes = BUFFER_BYTES;
	if (d->opt.mem && rs_config_size("--mem", d->opt.mem, &s->buffer_most_bytes, err) < 0)
		return -1;
	if (rs_config_analyses(&d->opt, &s->session, err) < 0 || daemon_set_conditions(d, err) < 0 ||
	    rs_keep_options_read(&d->opt, &d->responder, d->keep_formats, err) < 0)
		return -1;
	s->rules.owner = getuid();
	rs_launch_sudo_user(&s->rules.owner, &ignored);
	return 0;
}

/* What can change while it runs: what is too much, what is said, what is judged. All of it, or nothing. */
static int daemon_reload(struct daemon *d, const struct rs_daemon_file *file, struct rs_control *control,
			 struct rs_error *err)
{
	struct rs_options opt = daemon_config_merge(d->line, &file->opt);
	struct rs_when *when = daemon_make_conditions(d->line, file, err);
	unsigned int milli = 0;

	if (!when || daemon_check_views(d, when, err) < 0 ||
	    (opt.max_overhead && rs_config_percent(opt.max_overhead, &milli, err) < 0)) {
		rs_when_free(when);
		return -1;
	}
	d->level = find_level(opt.log_level);
	rs_control_limit(control, milli);
	rs_alarms_set(d->alarms, when);
	if (opt.nr_whens && !atomic_load(&d->has_responder))
		say(d, RS_SAY_WARNING, DAEMON_KEEPS_NOTHING);
	return 0;
}

static void reload(void *arg, struct rs_control *control)
{
	struct daemon *d = arg;
	struct rs_daemon_file file;
	struct rs_error err = { 0 };

	rs_notify_reloading(&d->notify);
	if (rs_daemon_file_read(&file, d->line->config, RS_DAEMON_OPTIONS, &err) == 0 &&
	    daemon_reload(d, &file, control, &err) == 0)
		say(d, RS_SAY_INFO,
		    "read again: max-overhead, log-level and when; the rest counts from the next "
		    "start on");
	else
		say(d, RS_SAY_ERROR, err.text);
	rs_daemon_file_done(&file);
	rs_notify_send(&d->notify, RS_NOTIFY_READY);
}

static void daemon_lose_responder(void *arg)
{
	struct daemon *d = arg;

	atomic_store(&d->has_responder, false);
	say(d, RS_SAY_WARNING, DAEMON_KEEPS_NOTHING);
}

/* Now, for later on nothing may be looked up any more. */
static void greet(struct daemon *d)
{
	const struct group *gr = d->listen.group ? getgrgid(d->listen.group) : NULL;

	snprintf(d->greeting, sizeof d->greeting, "tracing for %u analyses, and serving at %s (root%s%.40s)",
		 d->serve.session.nr_analyses, d->listen.path, gr ? " and the group " : "",
		 gr ? gr->gr_name : "");
}

static void daemon_fill(struct daemon *d)
{
	struct rs_serve_config *s = &d->serve;

	greet(d);
	rs_config_select(&d->opt, &s->session);
	s->session.findings = true;
	s->session.selection = (struct rs_selection){ .cpus = d->opt.cpus, .self = d->opt.self };
	s->capture = rs_config_capture(&d->opt);
	s->capture.switchable = true;
	s->source = "daemon";
	s->listen = &d->listen;
	s->listen_fd = d->listen.fd;
	s->alarms = d->alarms;
	s->rules.group = d->listen.group;
	s->sandbox = s->reloads = true;
	s->ready = ready;
	s->reload = reload;
	s->client_left = daemon_lose_responder;
	s->ending = ending;
	s->say = say;
	s->arg = d;
}

/* The service manager names a folder that is the service's own; who starts it by hand names the file. */
static const char *daemon_find_learn_file(struct daemon *d)
{
	const char *folder = getenv("STATE_DIRECTORY");

	if (d->opt.learn)
		return d->opt.learn;
	if (!folder || strchr(folder, ':') || strlen(folder) + sizeof "/usual" > sizeof d->learn_file)
		return NULL;
	snprintf(d->learn_file, sizeof d->learn_file, "%s/usual", folder);
	return d->learn_file;
}

static int daemon_open_learned(struct daemon *d, struct rs_error *err)
{
	const char *file = daemon_find_learn_file(d);

	d->serve.learns = !file || strcmp(file, "off") != 0;
	if (!file || !d->serve.learns)
		return 0;
	d->serve.usual_file = rs_usual_file_open(file, err);
	return d->serve.usual_file ? 0 : -1;
}

/* Without conditions, too: SIGHUP may bring the first ones, and then no process can be begun any more. */
static int daemon_start_responder(struct daemon *d, struct rs_error *err)
{
	d->responder.journal = d->journal;
	d->responder.is_idle = !d->opt.nr_whens;
	d->serve.client_fd = rs_responder_start(&d->responder, err);
	atomic_store(&d->has_responder, d->serve.client_fd >= 0);
	return d->serve.client_fd < 0 ? -1 : 0;
}

static enum rs_exit daemon_run(const struct rs_options *opt, struct rs_error *err)
{
	struct daemon d = { .line = opt, .listen = { .fd = -1, .lock_fd = -1 }, .serve.client_fd = -1 };

	d.journal = getenv("JOURNAL_STREAM") && !isatty(STDERR_FILENO);
	if (rs_daemon_file_read(&d.file, opt->config, RS_DAEMON_OPTIONS, err) < 0 ||
	    daemon_apply_config(&d, err) < 0 || daemon_start_responder(&d, err) < 0)
		goto out;
	rs_notify_open(&d.notify);
	if (rs_listen(&d.listen, rs_attach_socket_path(&d.opt), d.serve.rules.owner, d.opt.group, err) < 0)
		goto out;
	if (d.opt.metrics) {
		d.serve.metrics_fd = rs_metrics_http_listen(d.opt.metrics, err);
		if (d.serve.metrics_fd < 0)
			goto out_listen;
	}
	daemon_fill(&d);
	if (daemon_open_learned(&d, err) == 0)
		rs_serve_live(&d.serve, err);
	rs_usual_file_close(d.serve.usual_file);
out_listen:
	rs_listen_close(&d.listen);
	rs_notify_close(&d.notify);
out:
	rs_alarms_free(d.alarms);
	rs_daemon_file_done(&d.file);
	return err->status;
}

const struct rs_command rs_command_daemon = {
	.name = "daemon",
	.arguments = NULL,
	.summary = "trace all the time, and keep the last of it for views and files",
	.options = RS_DAEMON_OPTIONS ",config,core",
	.help = "Traces until SIGTERM or Ctrl-C, in the foreground; its log goes to standard error. Members "
		"of --group\n"
		"may read the window (\"ringside status\", \"ringside VIEW\"); root and the user who started "
		"the daemon may\n"
		"also save it (\"save\") and turn events off and on (\"trace\"). SIGHUP rereads "
		"max-overhead, "
		"log-level\n"
		"and when from the file.",
	.texts =
		(const struct rs_option_text[]){
			{ "max-overhead",
			  "warn if tracing costs more than this, as 5% of the whole machine" },
			{ "analysis", "trace the events that these analyses require" },
			{ .name = NULL },
		},
	.run = daemon_run,
};
