// SPDX-License-Identifier: GPL-2.0-or-later
/* options - every option of every command, as rows: letter, name, type, unit, help */
#include "cli/options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/nearest.h"
#include "cli/options/option-values.h"
#include "source/perf/samples.h"

#define SOURCE RS_OPTIONS_SOURCE
#define FILTER RS_OPTIONS_FILTER
#define CAPTURE RS_OPTIONS_CAPTURE
#define OUTPUT RS_OPTIONS_OUTPUT
#define SERVICE RS_OPTIONS_SERVICE
#define NARROWS RS_OPTION_NARROWS
#define HIDDEN RS_OPTION_HIDDEN
#define OPTIONS_AT(member) offsetof(struct rs_options, member)
#define VALUE_AT(member) offsetof(struct rs_option_value, member)
#define SECONDS 1000000000ull
#define YEAR (366 * 86400 * SECONDS)

#define OPTIONS_FLAG(member, flags) RS_OPTION_FLAG, flags, OPTIONS_AT(member), 0, 0, 0, NULL, NULL
#define EITHER(member, both) RS_OPTION_EITHER, 0, OPTIONS_AT(member), OPTIONS_AT(both), 0, 0, NULL
#define TEXT(member, flags) RS_OPTION_TEXT, flags, OPTIONS_AT(member), 0, 0, 0, NULL
#define MAYBE_TEXT(member, flags) RS_OPTION_OPTIONAL, flags, OPTIONS_AT(member), 0, 0, 0, NULL
#define TEXTS(member, nr) RS_OPTION_TEXTS, 0, OPTIONS_AT(member), nr, 0, 0, NULL
#define CHOICE(member, flags) RS_OPTION_CHOICE, flags, OPTIONS_AT(member), 0, 0, 0, NULL
#define CPUS(member, flags) RS_OPTION_CPUS, flags, OPTIONS_AT(member), 0, 0, 0, NULL
#define IDS(member, nr, flags) RS_OPTION_IDS, flags, OPTIONS_AT(member), nr, 1, INT32_MAX, NULL
#define NUMBER(member, least, most) RS_OPTION_NUMBER, 0, OPTIONS_AT(member), 0, least, most, NULL
#define TIME(member, known, flags, least, most, unit) \
	RS_OPTION_TIME, flags, OPTIONS_AT(member), known, least, most, unit
/* What is asked of a column, which follows the help. */
#define ASKS_TEXT RS_OPTION_TEXT, NARROWS, VALUE_AT(text), 0, 0, 0, NULL
#define ASKS_FLAG RS_OPTION_FLAG, NARROWS, VALUE_AT(is_set), 0, 0, 0, NULL, NULL
#define ASKS_TIME RS_OPTION_TIME, NARROWS, VALUE_AT(ns), 0, 0, YEAR, "ms"
#define MOMENT(member, before, flags) \
	RS_OPTION_MOMENT, flags, OPTIONS_AT(member), OPTIONS_AT(before), 0, 0, NULL

const struct rs_option rs_option_rows[] = {
	/* what is read and written */
	{ SOURCE, 'i', "input", TEXT(input, 0), "FILE", "read this recording (trace.dat)" },
	{ SOURCE, 0, "buffer", TEXT(buffer_name, 0), "NAME", "read this buffer inside the recording" },
	{ OUTPUT, 'o', "output", TEXT(output, 0), "FILE", "write to this file" },
	{ OUTPUT, 'f', "format", TEXT(format, 0), "FORMAT", "write this format: folded or svg" },
	{ OUTPUT, 0, "compat", OPTIONS_FLAG(compat, 0),
	  "write scheduling as text, for Perfetto before version 54 and chrome://tracing" },
	{ OUTPUT, 0, "gzip", OPTIONS_FLAG(gzip, 0), "compress the output, as a name that ends in .gz does" },
	{ OUTPUT, 0, "max-size", TEXT(max_size, 0), "SIZE",
	  "leave out the shortest events of each kind, so that the file is no larger" },
	{ OUTPUT, 0, "export", TEXT(export_to, 0), "FILE",
	  "export the recording to this file, too, in the format of its name or of -f" },
	{ OUTPUT, 0, "chrome", TEXT(chrome, 0), "FILE", "the same as --export FILE -f chrome" },
	{ SOURCE, 0, "own", OPTIONS_FLAG(own, 0), "start an engine, even where a daemon runs" },
	{ SOURCE, 0, "daemon", OPTIONS_FLAG(daemon, 0),
	  "export what the daemon's window holds, instead of a file" },
	{ OUTPUT, 0, "screen", TEXT(screen, 0), "SCREEN",
	  "begin with this screen (overview, timeline, histogram, heat), or with this view's table" },
	{ OUTPUT, 0, "batch", OPTIONS_FLAG(batch, 0), "print the screen as text, without a terminal" },
	{ OUTPUT, 0, "svg", OPTIONS_FLAG(svg, 0), "print the screen as a picture (SVG)" },
	{ OUTPUT, 0, "ascii", OPTIONS_FLAG(ascii, 0), "draw with ASCII characters alone" },
	{ OUTPUT, 0, "letters", OPTIONS_FLAG(letters, 0),
	  "draw bars with state letters instead of colored cells, heat maps with shades" },
	{ OUTPUT, 0, "no-mouse", OPTIONS_FLAG(no_mouse, 0),
	  "leave the mouse to the terminal, to select text" },
	{ OUTPUT, 0, "theme", CHOICE(theme, 0), "dark|light|mono",
	  "colours for a dark or a light terminal, or none" },
	{ OUTPUT, 0, "view", TEXT(view, 0), "VIEW,...", "show these views, or all" },
	/* how long */
	{ OUTPUT, 'I', "interval", TIME(interval_ns, 0, 0, SECONDS / 100, YEAR, "s"), "SECONDS",
	  "print, and start anew, after each interval of this length" },
	{ CAPTURE, 'd', "duration", TIME(duration_ns, 0, 0, SECONDS / 1000, YEAR, "s"), "SECONDS",
	  "end after this time" },
	{ SOURCE, 0, "debuginfod", OPTIONS_FLAG(debuginfod, 0),
	  "ask the servers of $DEBUGINFOD_URLS for symbols that the recording and this machine lack" },
	/* whose */
	{ FILTER, 'p', "pid", IDS(pids, OPTIONS_AT(nr_pids), NARROWS), "PID,...",
	  "only these processes, and the children that they fork while traced" },
	{ FILTER, 't', "tid", IDS(tids, OPTIONS_AT(nr_tids), NARROWS), "TID,...",
	  "only these threads, and the children that they fork while traced" },
	{ FILTER, 0, "command", OPTIONS_FLAG(of_command, NARROWS),
	  "only the command that was recorded, and what it forked" },
	{ FILTER, 0, "no-children", OPTIONS_FLAG(no_children, NARROWS),
	  "without the children that they, or COMMAND, fork" },
	{ FILTER, 0, "system", OPTIONS_FLAG(system, 0),
	  "the whole machine, not only COMMAND and its children" },
	{ FILTER, 'c', "comm", TEXT(comm, NARROWS), "GLOB", "only tasks of this name" },
	{ FILTER, 0, "cgroup", TEXT(cgroup, NARROWS), "GLOB",
	  "only tasks of this control group, by path or name, and of those below it" },
	{ FILTER, 'C', "cpus", CPUS(cpus, NARROWS), "LIST", "only these CPUs, as 0,2-3" },
	{ FILTER, 0, "self", OPTIONS_FLAG(self, 0),
	  "include the work of ringside itself, of this one and others" },
	/* what */
	{ FILTER, 'm', "min", ASKS_TIME, "TIME", "only what took this long: ms, or with a unit (10us, 1.5s)",
	  RS_LATENCY_COLUMN },
	{ FILTER, 0, "dev", ASKS_TEXT, "DISK,...", "only these: by name as vda, or number as 254,0", "dev" },
	{ FILTER, 0, "type", ASKS_TEXT, "TYPE,...", "only these types, as R, WS or softirq", "type" },
	{ FILTER, 0, "syscall", ASKS_TEXT, "NAME,...", "only these system calls", "syscall" },
	{ FILTER, 0, "sector", RS_OPTION_NUMBER, NARROWS, OPTIONS_AT(sector), 0, 0, UINT64_MAX, NULL,
	  "SECTOR",
	  "the request that begins there, with --dev: as iosnoop's BLOCK" },
	{ FILTER, 0, "slice", TEXT(slice, NARROWS), "TID@TIME",
	  "what this thread was in at this time: its system call, else its state" },
	{ FILTER, 'x', "failed", ASKS_FLAG, "only calls that failed", "errno" },
	{ FILTER, 0, "where", TEXT(where, NARROWS), "EXPRESSION",
	  "only rows of which it is true: comm ~ ssh && pid != 1" },
	{ OUTPUT, 'Q', "queue", OPTIONS_FLAG(queue, 0), "latency from the insert into the queue on" },
	{ FILTER, 0, "older", TIME(older_ns, 0, 0, 1, YEAR, "s"), "TIME",
	  "memory is old that was not freed for so long; 10s if not given" },
	{ FILTER, 0, "from", MOMENT(from, other_from, NARROWS), "TIME",
	  "begin at this time: 1.5 (s since the begin), -10s (before the end), 14:03:07, @TIME of the trace "
	  "clock" },
	{ FILTER, 0, "to", MOMENT(to, other_to, NARROWS), "TIME", "end at this time, which is included" },
	{ FILTER, 0, "before", TIME(before_ns, 0, 0, SECONDS, YEAR, "s"), "TIME",
	  "compare the end of the daemon's window with what was so long before" },
	{ OUTPUT, 0, "per", TEXT(per, 0), "SYSCALL|second",
	  "a process does as much work as it makes this call, or works for so long" },
	{ OUTPUT, 0, "report", CHOICE(report, 0), "markdown|junit|html",
	  "write this instead: text for a pull request, tests that fail by --fail-on, or a page" },
	{ OUTPUT, 0, "add", OPTIONS_FLAG(add, 0),
	  "of save: add to the baseline of this name, which must be of the same machine and options" },
	{ OUTPUT, 0, "store", TEXT(store, 0), "FILE",
	  "keep baselines in this file; /var/lib/ringside/baselines.db, or the user's own, if not given" },
	{ SERVICE, 0, "to-url", TEXT(to_url, 0), "URL",
	  "send to this server: http://HOST:8123/DATABASE, or https",
	  NULL, "to" },
	{ SERVICE, 0, "credentials", TEXT(credentials, 0), "FILE",
	  "read the server's USER:PASSWORD from this file, which others may not read" },
	{ SERVICE, 0, "authority", TEXT(authority, 0), "FILE",
	  "trust the certificates in this file, instead of the system's", NULL, "cacert" },
	{ SERVICE, 0, "spool", TEXT(spool, 0), "FOLDER",
	  "keep what is not delivered yet in this folder; /var/lib/ringside/spool if not given" },
	{ SERVICE, 0, "least", TIME(least_ns, 0, 0, 0, YEAR, "ms"), "TIME",
	  "send a row for each span that lasts this long: ms, or with a unit; 1 if not given" },
	{ OUTPUT, 0, "exact", OPTIONS_FLAG(exact, 0),
	  "show unknown, instead of a bound, where a switch is missing" },
	{ FILTER, 'e', "event", TEXTS(events, OPTIONS_AT(nr_events)), "EVENT,...",
	  "these events, as sched:sched_switch, kvm:* or block" },
	{ FILTER, 'a', "analysis", TEXTS(analyses, OPTIONS_AT(nr_analyses)), "NAME,...",
	  "only these analyses, and the events that they require" },
	/* how it is shown */
	{ OUTPUT, 0, "by", TEXT(by, 0), "COLUMN,...", "a row, or a picture, for each of these" },
	{ OUTPUT, 'n', "rows", NUMBER(nr_rows, 1, UINT64_MAX), "ROWS", "at most so many rows" },
	{ OUTPUT, 's', "sort", TEXT(sort, 0), "COLUMN,...",
	  "sort by it, the largest first, names from a on; -COLUMN reverses" },
	{ OUTPUT, 0, "columns", TEXT(columns, 0), "COLUMN,...", "show these columns; help lists them" },
	{ OUTPUT, 0, "time", CHOICE(time, 0), "rel|boot|wall",
	  "times since the begin, of the trace clock, of day" },
	{ OUTPUT, 0, "list", OPTIONS_FLAG(list, 0), "each single one, as it comes, instead of the sums" },
	{ OUTPUT, 0, "follow", OPTIONS_FLAG(follow, 0), "lines in the format of strace -f -tt -T" },
	{ OUTPUT, 'H', "histogram", OPTIONS_FLAG(histogram, 0),
	  "the distribution as a picture, instead of the sums" },
	{ FILTER, 0, "key", TEXT(key, NARROWS), "FIELD",
	  "what both events have alike: task, cpu, or a field of both" },
	{ OUTPUT, 0, "starts", OPTIONS_FLAG(starts, 0), "show when each began" },
	{ OUTPUT, 0, "ends", OPTIONS_FLAG(ends, 0), "show when each ended" },
	{ OUTPUT, 0, "json", OPTIONS_FLAG(json, 0), "a JSON object a line, the quality line last" },
	{ OUTPUT, 0, "csv", EITHER(csv, csv_meta), "meta",
	  "comma-separated values; the last line on stderr, or as a second table" },
	{ OUTPUT, 0, "check", OPTIONS_FLAG(check, 0),
	  "verify the accounting invariants; exit 3 if one does not hold" },
	{ FILTER, 0, "silence", TEXT(silence, 0), "RULE,...", "report no findings of these rules" },
	{ FILTER, 0, "when", TEXTS(whens, OPTIONS_AT(nr_whens)), "CONDITION",
	  "what to wait for, as 'runqlat.p99 > 10ms for 2s'; may be given several times" },
	{ OUTPUT, 0, "over-time", OPTIONS_FLAG(over_time, 0),
	  "judge each second: when each finding began and ended, and how often it came" },
	{ OUTPUT, 0, "fail-on", TEXT(fail_on, 0), "RULE,...|any",
	  "exit 3 if there is a finding of these rules" },
	{ OUTPUT, 'q', "quiet", OPTIONS_FLAG(quiet, 0), "no progress, no warnings, no line on the result" },
	/* how it is captured */
	{ CAPTURE, 'F', "frequency", NUMBER(sample_hz, 1, RS_SAMPLES_MAX_HZ), "HZ",
	  "sample each CPU so many times a second; 99 if not given" },
	{ CAPTURE, 0, "samples", RS_OPTION_EITHER, 0, OPTIONS_AT(samples), OPTIONS_AT(sample_hz),
	  1, RS_SAMPLES_MAX_HZ,
	  NULL, "HZ", "sample what the CPUs run, with stacks, 99 times a second or HZ" },
	{ CAPTURE, 0, "call-graph", RS_OPTION_CALL_GRAPH, 0, OPTIONS_AT(stack_bytes),
	  0, 8, RS_SAMPLES_MAX_STACK_BYTES,
	  NULL, "HOW",
	  "find callers in samples by frame pointers: fp, the default; or dwarf[,BYTES]: by the tables of "
	  "programs, and 8192 or BYTES of each stack" },
	{ CAPTURE, 0, "stacks", MAYBE_TEXT(stacks, 0), "KIND,...",
	  "record where tasks wait, too: off-cpu, block, faults, contention, syscall:NAME; kernel: without "
	  "programs' frames; perf: by perf events" },
	{ CAPTURE, 'b', "buffer-size", NUMBER(buffer_kib, 4, 1u << 30), "KIB",
	  "the kernel's buffer, KiB a CPU" },
	{ CAPTURE, 0, "clock", TEXT(clock, 0), "CLOCK", "the trace clock; boot if not given" },
	{ CAPTURE, 0, "args", OPTIONS_FLAG(plain_args, 0),
	  "record command lines as they are, instead of with *** for passwords and tokens" },
	{ CAPTURE, 0, "no-args", OPTIONS_FLAG(no_args, 0), "record no command lines" },
	{ CAPTURE, 0, "as-root", OPTIONS_FLAG(as_root, 0),
	  "run COMMAND as root, not as the user who called sudo" },
	{ CAPTURE, 0, "core", OPTIONS_FLAG(core, 0), "leave a core file after a crash" },
	/* the daemon */
	{ SERVICE, 0, "metrics", TEXT(metrics, 0), "ADDRESS",
	  "serve metrics by HTTP at PORT (to this machine alone) or ADDRESS:PORT" },
	{ SOURCE, 0, "socket", TEXT(socket, 0), "PATH",
	  "the daemon's socket; /run/ringside/socket if not given" },
	{ SOURCE, 0, "host", TEXTS(hosts, OPTIONS_AT(nr_hosts)), "HOST,...",
	  "the machines that are traced: user@server, as ssh takes it; ringside has to be there, too" },
	{ SOURCE, 0, "remote", TEXT(remote, 0), "COMMAND",
	  "what runs ringside on that host, as 'sudo -n ringside'" },
	{ SERVICE, 0, "stdio", OPTIONS_FLAG(stdio, 0), "speak the protocol over standard input and output" },
	{ SERVICE, 0, "group", TEXT(group, 0), "GROUP",
	  "let members of this group connect; ringside if it exists, else root alone" },
	{ CAPTURE, 0, "window", TEXT(window, 0), "BYTES|TIME",
	  "keep this much history, as 256M, 30s or both: 1G,60s" },
	{ CAPTURE, 0, "max-overhead", TEXT(max_overhead, 0), "PERCENT",
	  "let probes cost at most this, as 5%: of the process that they are in, or of the machine for the "
	  "kernel's own" },
	{ CAPTURE, 0, "mem", TEXT(mem, 0), "BYTES",
	  "let the kernel's buffers grow to this, all CPUs together; 256M if not given" },
	{ SERVICE, 0, "keep", TEXT(keep, 0), "COUNT,BYTES",
	  "keep so many recordings of what fired, the oldest go; 20,2G if not given, 0: none" },
	{ SERVICE, 0, "keep-in", TEXT(keep_in, 0), "FOLDER",
	  "keep them there; /var/lib/ringside/incidents if not given" },
	{ SERVICE, 0, "keep-around", TEXT(keep_around, 0), "BEFORE,AFTER",
	  "of so long before and after; 10s,5s if not given" },
	{ SERVICE, 0, "keep-as", TEXT(keep_as, 0), "FORMAT,...",
	  "in these formats of \"ringside save\", and findings; trace.dat,findings if not given" },
	{ SERVICE, 0, "run", TEXT(run, 0), "COMMAND",
	  "run it when a condition has fired, as the daemon's user, for 60 s at most" },
	{ SERVICE, 0, "learn", TEXT(learn, 0), "FILE|off",
	  "learn what is usual, and keep it there; under systemd in /var/lib/ringside/usual if not given" },
	{ SERVICE, 0, "forget", OPTIONS_FLAG(forget, 0), "throw away what the daemon has learned" },
	{ SERVICE, 0, "config", TEXT(config, 0), "FILE",
	  "read options from this file, too; /etc/ringside/daemon.conf if not given" },
	{ SERVICE, 0, "log-level", CHOICE(log_level, 0), "error|warning|info|debug",
	  "log messages of this level and above; info if not given" },
	{ FILTER, 0, "last", TIME(last_ns, 0, NARROWS, SECONDS / 1000000, YEAR, "s"), "TIME",
	  "only this much time, as 30s: before --to, else before the end; with --from, after that" },
	{ OUTPUT, 0, "debug", TEXT(debug, HIDDEN), "DOMAIN,...",
	  "log what it does to standard error; help lists the domains" },
	{ OUTPUT, 0, "as", TEXT(as_tool, HIDDEN), "TOOL", "take that tool's letters" },
	{ OUTPUT, 'h', "help", OPTIONS_FLAG(help, 0), "this help" },
	{ .name = NULL },
};

const struct rs_option_value *rs_options_value(const struct rs_options *opt, const char *name)
{
	for (size_t i = 0; rs_option_rows[i].name; i++)
		if (opt->given[i] && !strcmp(rs_option_rows[i].name, name))
			return &opt->values[i];
	return NULL;
}

/* Every result carries its filters as the user typed them. */
static void note_filter(struct rs_options_parser *p, const char *value)
{
	char *filters = p->opt->filters;
	size_t used = strlen(filters), room = sizeof p->opt->filters - used;
	int n = snprintf(filters + used, room, "%s%s%s%s", used ? " " : "", p->typed, value ? " " : "",
			 value ? value : "");

	if (n >= 0 && (size_t)n >= room)
		memcpy(filters + sizeof p->opt->filters - 4, "...", 4);
}

_Static_assert(sizeof rs_option_rows / sizeof *rs_option_rows <= RS_MAX_OPTIONS,
	       "`given` has a place for each row");

static int options_set_option(struct rs_options_parser *p, const char *value)
{
	size_t n = (size_t)(p->row - rs_option_rows);
	char *base = p->row->column ? (char *)&p->opt->values[n] : (char *)p->opt;

	p->opt->given[n] = true;
	if (rs_option_values_set(p, base + p->row->offset, value) < 0)
		return -1;
	if (p->row->flags & RS_OPTION_NARROWS)
		note_filter(p, value);
	return 0;
}

static bool options_is_taken(const struct rs_options_parser *p, const struct rs_option *row)
{
	return row->letter == 'h' || !strcmp(row->name, "debug") || rs_comma_list_has(p->takes, row->name);
}

static int not_taken(struct rs_options_parser *p)
{
	return rs_fail_usage(p->err, "%s: %s does not apply here (see 'ringside help %s')", p->command,
			     p->typed, p->command);
}

static int unknown_long(struct rs_options_parser *p, const char *name, size_t len)
{
	const char *names[sizeof rs_option_rows / sizeof *rs_option_rows], *near;
	char word[32];
	size_t n = 0;

	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (options_is_taken(p, row) && !(row->flags & RS_OPTION_HIDDEN))
			names[n++] = row->name;
	names[n] = NULL;
	snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), name);
	near = rs_nearest(word, names);
	if (near)
		return rs_fail_usage(p->err, "%s: unknown option '--%s'; did you mean '--%s'?", p->command,
				     word, near);
	return rs_fail_usage(p->err, "%s: unknown option '--%s' (see 'ringside help %s')", p->command, word,
			     p->command);
}

const struct rs_option *rs_option_find(char letter, const char *name, size_t len)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (letter ? row->letter == letter :
			     strlen(row->name) == len && !memcmp(row->name, name, len))
			return row;
	return NULL;
}

/* What the command means by that name, before what others do. */
static const struct rs_option *options_find_typed(const struct rs_options_parser *p, const char *name,
						  size_t len)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (row->typed && strlen(row->typed) == len && !memcmp(row->typed, name, len) &&
		    options_is_taken(p, row))
			return row;
	return rs_option_find(0, name, len);
}

bool rs_options_gave(const struct rs_options *opt, const char *names)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (opt->given[row - rs_option_rows] && rs_comma_list_has(names, row->name))
			return true;
	return false;
}

/* Sets the row. attached: its value, if it is part of words[0]. Returns how many words it used. */
static int options_take(struct rs_options_parser *p, const char *attached, char **words)
{
	bool may_stand_alone = p->row->kind == RS_OPTION_FLAG || p->row->kind == RS_OPTION_EITHER ||
			       p->row->kind == RS_OPTION_OPTIONAL;

	if (!options_is_taken(p, p->row))
		return not_taken(p);
	if (p->row->kind == RS_OPTION_FLAG && attached)
		return rs_option_values_refuse(p, attached, "takes no value");
	if (attached || may_stand_alone)
		return options_set_option(p, attached) < 0 ? -1 : 1;
	if (!words[1])
		return rs_fail_usage(p->err, "%s: %s needs a value: %s", p->command, p->typed,
				     p->row->argument);
	return options_set_option(p, words[1]) < 0 ? -1 : 2;
}

/* "--name", "--name=value", or "--name" with the value in the next word; returns how many words it was. */
static int parse_long(struct rs_options_parser *p, char **words)
{
	const char *name = words[0] + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);

	p->row = options_find_typed(p, name, len);
	if (!p->row)
		return unknown_long(p, name, len);
	snprintf(p->typed, sizeof p->typed, "--%s", rs_option_typed(p->row));
	return options_take(p, equals ? equals + 1 : NULL, words);
}

/* "-Qx", "-p 42", "-p42", "-Qp42": letters up to the first that takes a value. */
static int parse_letters(struct rs_options_parser *p, char **words)
{
	for (const char *letter = words[0] + 1; *letter; letter++) {
		char shown = *letter > ' ' && *letter < 127 ? *letter : '?';

		p->row = rs_option_find(*letter, NULL, 0);
		snprintf(p->typed, sizeof p->typed, "-%c", shown);
		if (!p->row)
			return rs_fail_usage(p->err, "%s: unknown option '-%c' (see 'ringside help %s')",
					     p->command, shown, p->command);
		if (p->row->kind != RS_OPTION_FLAG)
			return options_take(p, letter[1] ? letter + 1 : NULL, words);
		if (options_take(p, NULL, words) < 0)
			return -1;
	}
	return 1;
}

/* ---- words that are no options ---- */

/* From the first such word on, as perf record and strace have it; "--" before it is allowed. */
static int take_command(struct rs_options_parser *p, char **words, bool is_bare)
{
	if (!rs_comma_list_has(p->takes, "COMMAND"))
		return rs_fail_usage(p->err, "%s: '%.60s': it runs no command (see 'ringside help %s')",
				     p->command, words[0] ? words[0] : "--", p->command);
	if (!words[0])
		return rs_fail_usage(p->err, "%s: no command behind '--'", p->command);
	p->opt->command = words;
	p->opt->command_is_bare = is_bare;
	return 0;
}

static int take_word(struct rs_options_parser *p, char *word)
{
	size_t most = rs_comma_list_has(p->takes, "WORDS") ? SIZE_MAX
		: rs_comma_list_has(p->takes, "WORD");

	if (p->opt->nr_arguments >= most)
		return rs_fail_usage(p->err, "%s: '%.60s' is one word too many (see 'ringside help %s')",
				     p->command, word, p->command);
	p->opt->arguments[p->opt->nr_arguments++] = word;
	return 0;
}

/* ---- all of it ---- */

/* A user who launches a command asks about it, unless an option names a task or the whole machine. */
static void settle_command(struct rs_options_parser *p)
{
	struct rs_options *o = p->opt;

	if (!rs_comma_list_has(p->takes, "system")) /* as record, which keeps all */
		return;
	o->only_command = o->command && !o->system && !o->nr_pids && !o->nr_tids;
	if (!o->only_command)
		return;
	snprintf(p->typed, sizeof p->typed, "--");
	note_filter(p, o->command[0]);
}

/* Compares only moments whose order is known before the trace is: a time of day may be the next day's. */
static bool is_after(const struct rs_moment *from, const struct rs_moment *to)
{
	if (from->kind != to->kind || from->kind == RS_MOMENT_NONE || from->kind == RS_MOMENT_OF_DAY)
		return false;
	return from->kind == RS_MOMENT_BEFORE_END ? from->ns <= to->ns : from->ns >= to->ns;
}

static int check_together(struct rs_options_parser *p)
{
	const struct rs_options *o = p->opt;

	if (o->json && o->csv)
		return rs_fail_usage(p->err, "%s: --json and --csv: one of them", p->command);
	if (is_after(&o->from, &o->to))
		return rs_fail_usage(p->err, "%s: --from is not before --to", p->command);
	if (o->from.kind && o->to.kind && o->last_ns)
		return rs_fail_usage(p->err, "%s: --from, --to and --last: two of them", p->command);
	return 0;
}

int rs_options_parse(struct rs_options *opt, const char *command, const char *takes,
		     int argc, char **argv, struct rs_error *err)
{
	struct rs_options_parser p = { .opt = opt, .command = command, .takes = takes, .err = err };
	int i = 1, words;

	*opt = (struct rs_options){ .arguments = argv + 1 };
	while (i < argc && !opt->help && !opt->command) {
		char *word = argv[i];
		bool is_bare = word[0] != '-' || !word[1];

		if (!strcmp(word, "--"))
			words = take_command(&p, argv + i + 1, false);
		else if (is_bare && rs_comma_list_has(takes, "COMMAND") &&
			 !rs_comma_list_has(takes, "WORDS"))
			words = take_command(&p, argv + i, true);
		else if (is_bare)
			words = take_word(&p, word) < 0 ? -1 : 1;
		else
			words = word[1] == '-' ? parse_long(&p, argv + i) : parse_letters(&p, argv + i);
		if (words < 0)
			return -1;
		i += words;
	}
	if (opt->command && !opt->nr_arguments) /* it has no words of its own besides */
		opt->arguments = argv + argc;
	else /* the place is free: an argument's own word, the "--", or argv's last NULL is there */
		opt->arguments[opt->nr_arguments] = NULL;
	if (opt->help)
		return 0;
	settle_command(&p);
	return check_together(&p);
}

char **rs_options_words(const struct rs_buf *words, int *nr)
{
	char **list, *text;

	*nr = 0;
	for (size_t i = 0; i < words->len; i++)
		*nr += !words->data[i];
	list = words->failed ? NULL : malloc(((size_t)*nr + 1) * sizeof *list + words->len);
	if (!list)
		return NULL;
	text = memcpy(list + *nr + 1, words->data, words->len);
	for (int i = 0; i < *nr; i++, text += strlen(text) + 1)
		list[i] = text;
	list[*nr] = NULL;
	return list;
}
