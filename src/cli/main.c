// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - finds the command, runs it, prints its error and exits: no other file does
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/crash.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/memory-watch.h"
#include "cli/options/as-tool.h"
#include "cli/options/machine-stamp.h"
#include "cli/attach.h"
#include "cli/help/help.h"
#include "cli/out.h"
#include "cli/remote.h"
#include "engine/plugins.h"
#include "link/host.h"

/*
 * A file opened later must not become a standard stream that the caller closed;
 * the wrong direction makes writing there fail, so that a closed output is noticed.
 */
static void open_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static enum rs_exit main_put_help(void (*text)(struct rs_buf *out), struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	text(&out);
	return rs_out_end(&out, err);
}

/* Other tools take such a word for a time or a file, ringside takes it for a command. */
static int check_command_word(const char *name, const struct rs_options *opt, struct rs_error *err)
{
	const char *word = opt->command_is_bare ? opt->command[0] : "";
	struct stat st;

	if (*word && !word[strspn(word, "0123456789.")])
		return rs_fail_usage(err, "%s: '%.60s' is no command (for so many seconds: -d %.60s)", name,
				     word, word);
	if (strchr(word, '.') && stat(word, &st) == 0 && S_ISREG(st.st_mode) && access(word, X_OK) < 0)
		return rs_fail_usage(err, "%s: '%.60s' is no command (a recording: report %.60s)", name, word,
				     word);
	return 0;
}

/*
 * --debug DOMAIN,...: false: nothing is to be run, because the domains were listed, or are no domains (err).
 */
static bool main_enable_log(const char *domains, struct rs_error *err)
{
	if (domains && !strcmp(domains, "help")) {
		main_put_help(rs_log_list, err);
		return false;
	}
	return !domains || rs_log_enable(domains, err) == 0;
}

/*
 * Before the command it logs from the first step on: "--debug plugin list plugins". Takes it out of the
 * words.
 */
static const char *main_take_debug(int *argc, char ***argv)
{
	const char *word = *argc > 1 ? (*argv)[1] : "", *domains = NULL;
	int nr = 0;

	if (!strncmp(word, "--debug=", 8)) {
		domains = word + 8;
		nr = 1;
	} else if (!strcmp(word, "--debug") && *argc > 2) {
		domains = (*argv)[2];
		nr = 2;
	}
	(*argv)[nr] = (*argv)[0];
	*argv += nr;
	*argc -= nr;
	return domains;
}

/*
 * Reads the options; false: nothing is to be run, for a reason in err, or none where the log's domains were
 * listed.
 */
static bool main_read_options(struct rs_options *opt, const char *name, const char *takes, int argc,
			      char **argv, struct rs_error *err)
{
	if (rs_options_parse(opt, name, takes, argc, argv, err) < 0 || check_command_word(name, opt, err) < 0)
		return false;
	if (opt->nr_hosts > RS_HOSTS_MAX)
		return rs_fail_usage(err, "--host: at most %d hosts at a time", RS_HOSTS_MAX), false;
	rs_out_quiet = opt->quiet;
	rs_machine_stamp_take(opt);
	return main_enable_log(opt->debug, err);
}

/* A time that has passed is read here, from that host's window. */
static bool main_runs_there(const struct rs_options *opt)
{
	return opt->nr_hosts && !rs_options_gave(opt, "input,from,to,last");
}

static enum rs_exit main_help_command(const struct rs_command *command, struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	rs_help_command(command, &out);
	return rs_out_end(&out, err);
}

static enum rs_exit run_command(const struct rs_command *command, int argc, char **argv, struct rs_error *err)
{
	char **words = rs_remote_words(argc, argv);
	struct rs_options opt;
	bool is_read = main_read_options(&opt, command->name, command->options, argc, argv, err);
	enum rs_exit status = RS_OK;

	opt.words = words;
	if (!is_read)
		status = err->status;
	else if (opt.help)
		status = main_help_command(command, err);
	else if (command->runs_there && main_runs_there(&opt))
		status = (enum rs_exit)rs_remote_run(&opt, false, err);
	else
		status = command->run(&opt, err);
	free(words);
	return err->status != RS_OK ? err->status : status;
}

static enum rs_exit main_help_view(const struct rs_view_ref *ref, const struct rs_options *opt,
				   struct rs_error *err)
{
	struct rs_buf out = RS_BUF_INIT;

	if (opt->as_tool)
		rs_as_tool_help(opt->as_tool, ref->view->name, &out);
	else
		rs_help_view(ref, &out);
	return rs_out_end(&out, err);
}

static enum rs_exit main_run_parsed(const struct rs_view_ref *ref, const struct rs_options *opt,
				    struct rs_error *err)
{
	if (opt->help)
		return main_help_view(ref, opt, err);
	if (!main_runs_there(opt))
		return rs_view_run(ref, opt, err);
	return (enum rs_exit)rs_remote_run(opt, ref->view->kind == RS_VIEW_STREAM && !opt->sort, err);
}

static enum rs_exit run_view(const struct rs_view_ref *ref, int argc, char **argv, struct rs_error *err)
{
	char **old_letters = NULL, **words = rs_remote_words(argc, argv);
	struct rs_buf takes = RS_BUF_INIT;
	enum rs_exit status = RS_OK;
	struct rs_options opt;

	rs_command_view_takes(ref->view, &takes);
	if (ref->view->tasks_view) /* what it groups by, if anything, is told with the view that has tasks */
		rs_buf_puts(&takes, ",by");
	if (rs_as_tool(&argc, &argv, takes.data, &old_letters, err) == 0 &&
	    main_read_options(&opt, ref->view->name, takes.data, argc, argv, err)) {
		opt.words = words;
		status = main_run_parsed(ref, &opt, err);
	}
	free(old_letters);
	free(words);
	rs_buf_done(&takes);
	return err->status != RS_OK ? err->status : status;
}

/* What other tools call a command, and what does the same here. */
static const struct {
	const char *word, *ours;
} hints[] = {
	{ "top", "tasks -I 2" }, { "htop", "tui" }, { "atop", "tui" }, { "pidstat", "tasks -I 2" },
	{ "stat", "summary" }, { "script", "event-list -i FILE -e ..." }, { "show", "report" },
	{ "view", "report" },
	{ "annotate", "report" }, { "timechart", "export" }, { "convert", "export" },
	{ "start", "record" }, { "stop", "trace off" }, { "restart", "trace on" },
	{ "strace", "syscalls -- COMMAND" }, { "syscount", "syscall-latency --by syscall" },
	{ "opensnoop", "syscalls --syscall 'open*'" }, { "killsnoop", "syscalls --syscall 'kill,t*kill'" },
	{ "statsnoop", "syscalls --syscall '*stat*'" }, { "execs", "execsnoop" },
	{ "exitsnoop", "execsnoop --type exit" },
	{ "hardirqs", "irqs --type irq" }, { "softirqs", "irqs --type softirq" }, { "mpstat", "cpus" },
	{ "runqlen", "cpus" },
	{ "cpudist", "timehist" }, { "latency", "sched" }, { "map", "timehist" },
	{ "offcputime", "offcpu" }, { "wakeuptime", "offcpu" }, { "klockstat", "locks" }, { "lock", "locks" },
	{ "contention", "locks" }, { "biosnoop", "iosnoop" }, { "iolatency", "biolatency" },
	{ "iostat", "disks" }, { "iotop", "biotop" }, { "drsnoop", "reclaim" },
};

static const char *main_find_hint(const char *word)
{
	for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
		if (!strcmp(hints[i].word, word))
			return hints[i].ours;
	return NULL;
}

/* A word that names nothing: a misspelt command, or a file that is not there. */
static enum rs_exit unknown(const char *word, struct rs_error *err)
{
	const char *near = rs_command_near(word), *dot = strrchr(word, '.'), *hint = main_find_hint(word);

	if (strchr(word, '/') || strstr(word, ".dat.") || (dot && !strcmp(dot, ".dat")))
		rs_fail(err, "cannot open '%s': %s", word, strerror(errno));
	else if (hint)
		rs_fail_usage(err, "unknown command '%.40s'; here it is 'ringside %s'", word, hint);
	else if (near)
		rs_fail_usage(err, "unknown command '%.40s'; did you mean '%s'?", word, near);
	else
		rs_fail_usage(err, "unknown command '%.40s': neither a command, a view nor a file (see "
			      "'ringside help')", word);
	return err->status;
}

/* The screens need a terminal, and root or a daemon that may be asked. */
static bool can_show_screens(void)
{
	struct rs_options none = { 0 };

	return isatty(STDOUT_FILENO) && (geteuid() == 0 || access(rs_attach_socket_path(&none),
								  R_OK | W_OK) == 0);
}

/* FILE --batch is a screen also in a pipe, where FILE alone is a report. */
static bool opens_screen(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--batch") || !strcmp(argv[i], "--svg"))
			return true;
	return isatty(STDOUT_FILENO);
}

/* Options alone belong to the screens. One that they do not know was meant for a command after it. */
static enum rs_exit run_screens(int argc, char **argv, struct rs_error *err)
{
	enum rs_exit status = run_command(rs_command_find("tui"), argc, argv, err);

	if (err->status != RS_USAGE)
		return status;
	*err = (struct rs_error){ 0 };
	rs_fail_usage(err, "'%.40s': the command or the file comes first (see 'ringside help')", argv[1]);
	return RS_USAGE;
}

static enum rs_exit dispatch(int argc, char **argv, struct rs_error *err)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	const struct rs_command *command;
	struct rs_view_ref ref;
	struct stat st;

	if (!word && can_show_screens())
		return run_command(rs_command_find("tui"), argc, argv, err);
	if (!word || !strcmp(word, "--help") || !strcmp(word, "-h"))
		return main_put_help(rs_help_overview, err);
	if (!strcmp(word, "--version") || !strcmp(word, "-V"))
		return run_command(rs_command_find("version"), 1, argv + argc - 1, err);
	if (*word == '-')
		return run_screens(argc, argv, err);
	command = rs_command_find(word);
	if (command)
		return run_command(command, argc - 1, argv + 1, err);
	if (rs_command_is_view(word, &ref))
		return run_view(&ref, argc - 1, argv + 1, err);
	if (stat(word, &st) == 0)
		return run_command(rs_command_find(opens_screen(argc, argv) ? "tui" : "report"), argc, argv,
				   err);
	return unknown(word, err);
}

/* Comes first: the views of a plugin are commands, too. A view must not have the name of a command. */
static void load_plugins(void)
{
	const char *reserved[128] = { "all" };
	struct rs_buf warnings = RS_BUF_INIT;
	size_t nr = 1;

	for (const struct rs_command *const *c = rs_commands(); *c && nr < 127; c++)
		reserved[nr++] = (*c)->name;
	rs_plugins_load(reserved, &warnings);
	rs_out_note(warnings.data);
	rs_buf_done(&warnings);
}

/* Without memory to escape the text, replaces each unprintable byte by '?'. */
static void print_error(struct rs_error *err)
{
	struct rs_buf b = RS_BUF_INIT;

	rs_escape_text(&b, err->text);
	for (char *c = err->text; b.failed && *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	fprintf(stderr, "ringside: %s\n", b.failed ? err->text : b.data);
	rs_buf_done(&b);
}

/* Everything that may fail before the first word is read. */
static void main_begin(void)
{
	open_standard_streams();
	rs_crash_watch();
	rs_message_init();
	/*
	 * Once more: one that this machine lacks is no error, and one for which there was no memory looks the
	 * same.
	 */
	if (!setlocale(LC_CTYPE, ""))
		setlocale(LC_CTYPE, "");
	signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
	/* now: who reads the options moves them about */
	const char *debug = main_take_debug(&argc, &argv);
	const char *what = argc > 1 && argv[1][0] != '-' ? argv[1] : "screens";
	enum rs_exit status = RS_OK;
	struct rs_error err = { 0 };

	main_begin();
	if (main_enable_log(debug, &err)) {
		load_plugins();
		status = dispatch(argc, argv, &err);
	}
	rs_memory_check(what, &err);
	if (err.status != RS_OK) {
		print_error(&err);
		return err.status;
	}
	return rs_out_closed() ? RS_OK : status;
}
