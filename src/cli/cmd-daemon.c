// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * daemon - an engine that stays, keeps a window of the past, and serves its clients
 */
#include <ctype.h>
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/options/config.h"
#include "daemon/metrics-http.h"
#include "daemon/notify.h"
#include "daemon/serve.h"

#define BUFFER_BYTES (256ull << 20) /* what the kernel's buffers may grow to */
#define DAEMON_CONFIG "/etc/ringside/daemon.conf"
#define DAEMON_CONFIG_MAX_BYTES 65536
/* What the command line and the file take; --config is the command line's alone. */
#define DAEMON_OPTIONS \
	"socket,group,metrics,window,max-overhead,mem,log-level,analysis,event,frequency,call-graph,buffer-" \
	"size,stacks,clock,cpus,self,silence"

/* The file's lines, as long as it is used: "max-overhead 5%", "analysis = sched", "# nothing". */
struct daemon_file {
	char **words;
	struct rs_options opt;
};

struct daemon {
	const struct rs_options *line;
	struct daemon_file file;
	struct rs_options opt;        /* of both */
	struct rs_serve_config serve;
	struct rs_listen_socket listen;
	struct rs_notify notify;
	_Atomic int level;            /* enum rs_say: what is less grave is not said */
	char greeting[320];
	bool journal;                 /* stderr is the journal's, which knows levels by "<4>" */
};

/* ---- the file of options ---- */

static int daemon_config_read_file(const char *path, bool must, char text[DAEMON_CONFIG_MAX_BYTES + 2],
				   struct rs_error *err)
{
	FILE *f = fopen(path, "re");
	size_t len = 0;
	int failed = !f && (errno != ENOENT || must);

	if (f) {
		len = fread(text, 1, DAEMON_CONFIG_MAX_BYTES + 1, f);
		failed = ferror(f) || len > DAEMON_CONFIG_MAX_BYTES;
	}
	text[len] = '\0';
	if (failed)
		rs_fail(err, "cannot read '%s': %s", path,
			len > DAEMON_CONFIG_MAX_BYTES ? "larger than 64 KiB" : strerror(errno));
	if (f)
		fclose(f);
	return failed ? -1 : 0;
}

/* Blanks at both ends go; what is left begins where it is returned. */
static char *daemon_config_trim(char *line)
{
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	for (end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
		*--end = '\0';
	return line;
}

/* "max-overhead 5%" or "max-overhead = 5%" to "--max-overhead=5%". */
static void config_add_word(struct rs_buf *words, char *line)
{
	size_t len = strcspn(line, " \t=");
	char *value = line + len + strspn(line + len, " \t");

	if (*value == '=')
		value = daemon_config_trim(value + 1);
	rs_buf_printf(words, "--%.*s%s%s", (int)len, line, *value ? "=" : "", value);
	rs_buf_putc(words, '\0');
}

static char **daemon_config_words(char *text, int *nr)
{
	struct rs_buf words = RS_BUF_INIT;
	char *save = NULL, **list;

	rs_buf_add(&words, "daemon", sizeof "daemon");
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		line = daemon_config_trim(line);
		if (*line && *line != '#')
			config_add_word(&words, line);
	}
	list = rs_options_words(&words, nr);
	rs_buf_done(&words);
	return list;
}

/* path NULL: the usual one, which need not be there. The caller frees f->words, also after an error. */
static int daemon_config_read(struct daemon_file *f, const char *given, struct rs_error *err)
{
	const char *path = given ? given : DAEMON_CONFIG;
	char text[DAEMON_CONFIG_MAX_BYTES + 2];
	struct rs_error why = { 0 };
	int nr;

	*f = (struct daemon_file){ 0 };
	if (daemon_config_read_file(path, given, text, err) < 0)
		return -1;
	f->words = daemon_config_words(text, &nr);
	if (!f->words)
		return rs_fail(err, "cannot read options: out of memory");
	if (rs_options_parse(&f->opt, "daemon", DAEMON_OPTIONS, nr, f->words, &why) < 0)
		return rs_fail(err, "'%s': %s", path, why.text);
	if (f->opt.nr_arguments || f->opt.help)
		return rs_fail(err, "'%s': '--' and 'help' are no options of a file", path);
	return 0;
}

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
	add_texts(both.analyses, &both.nr_analyses, file->analyses, file->nr_analyses);
	add_texts(both.events, &both.nr_events, file->events, file->nr_events);
	return both;
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
	if (rs_config_analyses(&d->opt, &s->session, err) < 0)
		return -1;
	s->rules.owner = getuid();
	rs_launch_sudo_user(&s->rules.owner, &ignored);
	return 0;
}

/* What can change while it runs: what is too much, and what is said. */
static void reload(void *arg, struct rs_control *control)
{
	struct daemon *d = arg;
	struct daemon_file file;
	struct rs_error err = { 0 };
	struct rs_options opt;
	unsigned int milli = 0;

	rs_notify_reloading(&d->notify);
	if (daemon_config_read(&file, d->line->config, &err) < 0)
		goto out;
	opt = daemon_config_merge(d->line, &file.opt);
	if (opt.max_overhead && rs_config_percent(opt.max_overhead, &milli, &err) < 0)
		goto out;
	d->level = find_level(opt.log_level);
	rs_control_limit(control, milli);
	say(d, RS_SAY_INFO, "read again: max-overhead and log-level; the rest counts from the next start on");
out:
	if (err.status != RS_OK)
		say(d, RS_SAY_ERROR, err.text);
	free(file.words);
	rs_notify_send(&d->notify, RS_NOTIFY_READY);
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
	s->client_fd = -1;
	s->rules.group = d->listen.group;
	s->sandbox = s->reloads = true;
	s->ready = ready;
	s->reload = reload;
	s->ending = ending;
	s->say = say;
	s->arg = d;
}

static enum rs_exit daemon_run(const struct rs_options *opt, struct rs_error *err)
{
	struct daemon d = { .line = opt, .listen = { .fd = -1, .lock_fd = -1 } };

	d.journal = getenv("JOURNAL_STREAM") && !isatty(STDERR_FILENO);
	if (daemon_config_read(&d.file, opt->config, err) < 0 || daemon_apply_config(&d, err) < 0)
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
	rs_serve_live(&d.serve, err);
out_listen:
	rs_listen_close(&d.listen);
	rs_notify_close(&d.notify);
out:
	free(d.file.words);
	return err->status;
}

const struct rs_command rs_command_daemon = {
	.name = "daemon",
	.arguments = NULL,
	.summary = "trace all the time, and keep the last of it for views and files",
	.options = DAEMON_OPTIONS ",config,core",
	.help = "Traces until SIGTERM or Ctrl-C, in the foreground; its log goes to standard error. Members "
		"of --group\n"
		"may read the window (\"ringside status\", \"ringside VIEW\"); root and the user who started "
		"the daemon may\n"
		"also save it (\"save\") and turn events off and on (\"trace\"). SIGHUP rereads max-overhead "
		"and log-level\n"
		"from the file.",
	.texts =
		(const struct rs_option_text[]){
			{ "max-overhead",
			  "warn if tracing costs more than this, as 5% of the whole machine" },
			{ "analysis", "trace the events that these analyses require" },
			{ .name = NULL },
		},
	.run = daemon_run,
};
