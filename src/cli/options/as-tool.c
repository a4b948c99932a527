// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * as-tool.c - a row for each option of the tools that people know: what becomes of it here, or why it cannot
 * be had
 *
 * perf-tools: iosnoop; execsnoop's -d, -a, -r. bcc: the others. To add a tool: rows, and a script in
 * scripts/wrappers.
 */
#include "cli/options/as-tool.h"

#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/units.h"
#include "cli/options/options.h"

enum tool_kind {
	TOOL_FLAG = 1, /* -x becomes .ours */
	TOOL_VALUE,    /* -x V becomes .ours=V.more */
	TOOL_ONLY,     /* likewise, of this process or thread alone: old tools do not follow children */
	TOOL_NAME,     /* -x V, a regular expression that is searched for, becomes .ours=PATTERN */
	TOOL_NOTHING,  /* -x asks for what is done anyhow */
	TOOL_WORD,     /* a bare word, in order, becomes .ours=word.more */
	TOOL_NAME_WORD, /* likewise, a name as of TOOL_NAME */
	/* the bare word that says how many intervals: --duration is so many times --interval */
	TOOL_COUNT,
	TOOL_REFUSED,  /* -x, or the long --.ours, cannot be had: .help says why, and what is nearest */
	TOOL_ALWAYS,   /* is added whatever was asked for; what the options say comes after it, and wins */
	/*
	 * --columns, in parts: the tool's own; what -x puts before or behind them; what it puts in place of
	 * .ours
	 */
	TOOL_COLUMNS,
	TOOL_BEFORE,
	TOOL_BEHIND,   /* .more: another option with it; NULL none */
	TOOL_INSTEAD,  /* .more: the columns; .ours is the first of the tool's own, and --by */
};

struct tool_row {
	const char *tool;
	enum tool_kind kind;
	char letter;      /* 0: a bare word, a long option, or none */
	const char *ours, *more;
	const char *help; /* NULL: that of our option */
};

#define TIMES "each interval begins with its time anyhow"
#define UNITS "units stand beside the numbers anyhow"
#define THIS_PROCESS "only this process, without its children"
#define THIS_THREAD "only this thread, without its children"
#define NAMED "only tasks with this in their name; ^ and $ are its begin and end"
#define COUNTS "so many intervals, then the end"
#define INTERVAL "print and start anew every so many seconds"
#define NO_STACKS "no stacks are recorded"
#define NO_PICTURE "no pictures of each source (nearest: --columns name,p50_ns,p99_ns,max_ns)"
#define NO_NAMESPACES "nothing is narrowed by namespace (nearest: --pid)"

/* The rows of a tool stand together, bare words in their order. */
static const struct tool_row tool_rows[] = {
	{ "iosnoop", TOOL_FLAG, 'Q', "--queue", "", NULL },
	{ "iosnoop", TOOL_FLAG, 's', "--starts", "", NULL },
	{ "iosnoop", TOOL_FLAG, 't', "--ends", "", NULL },
	{ "iosnoop", TOOL_VALUE, 'd', "--dev", "", NULL },
	{ "iosnoop", TOOL_VALUE, 'i', "--type", "", NULL },
	{ "iosnoop", TOOL_NAME, 'n', "--comm", "", NAMED },
	{ "iosnoop", TOOL_ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "iosnoop", TOOL_WORD, 0, "--duration", "", NULL },

	{ "runqlat", TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "runqlat", TOOL_NOTHING, 'm', NULL, NULL, UNITS },
	{ "runqlat", TOOL_FLAG, 'P', "--by=pid", "", "a picture for each process" },
	{ "runqlat", TOOL_FLAG, 'L', "--by=tid", "", "a picture for each thread" },
	{ "runqlat", TOOL_ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "runqlat", TOOL_REFUSED, 0, "pidnss", NULL, NO_NAMESPACES },
	{ "runqlat", TOOL_WORD, 0, "--interval", "", INTERVAL },
	{ "runqlat", TOOL_COUNT, 0, NULL, NULL, COUNTS },

	{ "runqslower", TOOL_COLUMNS, 0, "time_ns,comm,tid,lat_ns", NULL, NULL },
	{ "runqslower", TOOL_BEHIND, 'P', "prev_comm,prev_tid", NULL, "who left the CPU, too" },
	{ "runqslower", TOOL_ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "runqslower", TOOL_ONLY, 't', "--tid", "", THIS_THREAD },
	{ "runqslower", TOOL_WORD, 0, "--min", "us", "only what took this many microseconds" },

	{ "fileslower", TOOL_COLUMNS, 0, "end_ns,comm,tid,op,bytes,lat_ns,path", NULL, NULL },
	{ "fileslower", TOOL_ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "fileslower", TOOL_REFUSED, 'a', NULL, NULL,
	  "sockets and pipes are left out (nearest: ringside syscalls --min 10ms)" },
	{ "fileslower", TOOL_WORD, 0, "--min", "ms",
	  "only what took this many milliseconds; 10 if not given" },

	{ "biolatency", TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "biolatency", TOOL_NOTHING, 'm', NULL, NULL, UNITS },
	{ "biolatency", TOOL_FLAG, 'Q', "--queue", "", NULL },
	{ "biolatency", TOOL_FLAG, 'D', "--by=dev", "", "a picture for each disk" },
	{ "biolatency", TOOL_FLAG, 'F', "--by=type", "", "a picture for each type, as R or WS" },
	{ "biolatency", TOOL_FLAG, 'j', "--json", "", NULL },
	{ "biolatency", TOOL_VALUE, 'd', "--dev", "", NULL },
	{ "biolatency", TOOL_REFUSED, 'e', NULL, NULL,
	  "the summary has count, average and quantiles anyhow" },
	{ "biolatency", TOOL_REFUSED, 'c', NULL, NULL,
	  "a cgroup is not given as a folder (nearest: --cgroup GLOB)" },
	{ "biolatency", TOOL_WORD, 0, "--interval", "", INTERVAL },
	{ "biolatency", TOOL_COUNT, 0, NULL, NULL, COUNTS },

	{ "hardirqs", TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "hardirqs", TOOL_NOTHING, 'N', NULL, NULL, "--json and --csv have nanoseconds" },
	{ "hardirqs", TOOL_FLAG, 'C', "--columns=name,count", "", "count them, without their times" },
	{ "hardirqs", TOOL_VALUE, 'c', "--cpus", "", NULL },
	{ "hardirqs", TOOL_REFUSED, 'd', NULL, NULL, NO_PICTURE },
	{ "hardirqs", TOOL_WORD, 0, "--interval", "", INTERVAL },
	{ "hardirqs", TOOL_COUNT, 0, NULL, NULL, COUNTS },

	{ "softirqs", TOOL_NOTHING, 'T', NULL, NULL, TIMES },
	{ "softirqs", TOOL_NOTHING, 'N', NULL, NULL, "--json and --csv have nanoseconds" },
	{ "softirqs", TOOL_FLAG, 'C', "--columns=name,count", "", "count them, without their times" },
	{ "softirqs", TOOL_VALUE, 'c', "--cpus", "", NULL },
	{ "softirqs", TOOL_REFUSED, 'd', NULL, NULL, NO_PICTURE },
	{ "softirqs", TOOL_REFUSED, 'e', NULL, NULL,
	  "the time from raise to begin is a column (nearest: --columns name,raise_delay_p99_ns)" },
	{ "softirqs", TOOL_WORD, 0, "--interval", "", INTERVAL },
	{ "softirqs", TOOL_COUNT, 0, NULL, NULL, COUNTS },

	{ "offcputime", TOOL_ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "offcputime", TOOL_ONLY, 't', "--tid", "", THIS_THREAD },
	{ "offcputime", TOOL_VALUE, 'm', "--min", "us",
	  "only rows whose longest took this many microseconds" },
	{ "offcputime", TOOL_REFUSED, 'M', NULL, NULL, "no upper limit (nearest: --where 'max_ns < 1ms')" },
	{ "offcputime", TOOL_REFUSED, 'f', NULL, NULL,
	  "folded output is of stacks, and none are recorded (nearest: --csv)" },
	{ "offcputime", TOOL_REFUSED, 'd', NULL, NULL, NO_STACKS ", so nothing is between them" },
	{ "offcputime", TOOL_REFUSED, 'U', NULL, NULL, NO_STACKS },
	{ "offcputime", TOOL_REFUSED, 'K', NULL, NULL, NO_STACKS },
	{ "offcputime", TOOL_REFUSED, 'v', NULL, NULL, NO_STACKS ", so no addresses" },
	{ "offcputime", TOOL_REFUSED, 'u', NULL, NULL,
	  "kernel threads are shown too (nearest: --comm, --pid)" },
	{ "offcputime", TOOL_REFUSED, 'k', NULL, NULL,
	  "user threads are shown too (nearest: --comm, --pid)" },
	{ "offcputime", TOOL_REFUSED, 0, "stack-storage-size", NULL, NO_STACKS },
	{ "offcputime", TOOL_REFUSED, 0, "state", NULL,
	  "by its number it cannot be asked for (nearest: --where 'state == D')" },
	{ "offcputime", TOOL_WORD, 0, "--duration", "", NULL },

	{ "execsnoop", TOOL_ALWAYS, 0, "--type=exec", NULL, NULL }, /* exits are ringside's own */
	{ "execsnoop", TOOL_COLUMNS, 0, "comm,pid,ppid,ret,args", NULL, NULL },
	{ "execsnoop", TOOL_NOTHING, 'x', NULL, NULL,
	  "those that fail are shown anyhow, with what was returned" },
	{ "execsnoop", TOOL_NOTHING, 'r', NULL, NULL,
	  "a process that begins another program is shown each time anyhow" },
	{ "execsnoop", TOOL_BEFORE, 't', "time_ns", NULL, "when each was begun" },
	{ "execsnoop", TOOL_NAME, 'n', "--comm", "", NAMED },
	{ "execsnoop", TOOL_VALUE, 'd', "--duration", "", NULL },
	{ "execsnoop", TOOL_REFUSED, 'a', NULL, NULL,
	  "words are shown as far as there is room (nearest: --json has them whole)" },
	{ "execsnoop", TOOL_REFUSED, 'l', NULL, NULL,
	  "words are not searched by this letter (nearest: --where 'args ~ WORD')" },
	{ "execsnoop", TOOL_REFUSED, 'T', NULL, NULL,
	  "the letter for the time is -t (nearest: -t --time wall)" },
	{ "execsnoop", TOOL_REFUSED, 'u', NULL, NULL, "users are not recorded (nearest: --comm)" },
	{ "execsnoop", TOOL_REFUSED, 'U', NULL, NULL, "users are not recorded" },
	{ "execsnoop", TOOL_REFUSED, 'P', NULL, NULL,
	  "no process by its parent (nearest: --where 'ppid == 42')" },
	{ "execsnoop", TOOL_REFUSED, 'q', NULL, NULL, "words are shown as they are" },
	{ "execsnoop", TOOL_REFUSED, 0, "max-args", NULL, "words are shown as far as there is room" },
	{ "execsnoop", TOOL_NAME_WORD, 0, "--comm", "", NAMED },

	{ "syscount", TOOL_ALWAYS, 0, "--sort=calls", NULL, NULL },
	{ "syscount", TOOL_ALWAYS, 0, "--rows=10", NULL, NULL },
	{ "syscount", TOOL_COLUMNS, 0, "syscall,calls", NULL, NULL },
	{ "syscount", TOOL_INSTEAD, 'P', "syscall", "pid,comm", "by process, not by call" },
	{ "syscount", TOOL_BEHIND, 'L', "total_ns", "--sort=total_ns",
	  "the time in the calls, too, the longest first" },
	{ "syscount", TOOL_NOTHING, 'm', NULL, NULL, UNITS },
	{ "syscount", TOOL_ONLY, 'p', "--pid", "", THIS_PROCESS },
	{ "syscount", TOOL_ONLY, 't', "--tid", "", THIS_THREAD },
	{ "syscount", TOOL_VALUE, 'i', "--interval", "", NULL },
	{ "syscount", TOOL_VALUE, 'd', "--duration", "", NULL },
	{ "syscount", TOOL_VALUE, 'T', "--rows", "", "at most so many rows; 10 if not given" },
	{ "syscount", TOOL_REFUSED, 'x', NULL, NULL,
	  "failed calls are counted beside the others (nearest: --columns syscall,errors --sort errors)" },
	{ "syscount", TOOL_REFUSED, 'e', NULL, NULL,
	  "not by one error (nearest: ringside syscalls --where 'errno == 2')" },
	{ "syscount", TOOL_REFUSED, 'l', NULL, NULL,
	  "no list of calls; a misspelt --syscall names the nearest" },
	{ "syscount", TOOL_REFUSED, 'c', NULL, NULL,
	  "no process by its parent (nearest: --pid, which follows children)" },
	{ .tool = NULL },
};

/* Words end with a NUL each. */
struct translation {
	const char *tool, *takes;
	struct rs_buf words;   /* in place of the options and bare words seen so far */
	struct rs_buf columns; /* empty: the view's own */
	unsigned int nr_bare;  /* bare words seen */
	const char *interval;
	struct rs_error *err;
};

#define ADD_WORD(words, ...) (rs_buf_printf(words, __VA_ARGS__), rs_buf_putc(words, '\0'))

/* ---- rows ---- */

static const struct tool_row *find_letter(const char *tool, char letter)
{
	for (const struct tool_row *row = tool_rows; row->tool; row++)
		if (!strcmp(row->tool, tool) && row->letter == letter)
			return row;
	return NULL;
}

static bool is_bare(const struct tool_row *row)
{
	return row->kind == TOOL_WORD || row->kind == TOOL_NAME_WORD || row->kind == TOOL_COUNT;
}

static const struct tool_row *find_bare(const char *tool, unsigned int nth)
{
	for (const struct tool_row *row = tool_rows; row->tool; row++)
		if (!strcmp(row->tool, tool) && is_bare(row) && nth-- == 0)
			return row;
	return NULL;
}

/* The option of ringside that a row's word stands for, "--dev"; NULL: none. */
static const struct rs_option *find_ours(const char *word)
{
	return word && !strncmp(word, "--", 2) ? rs_option_find(0, word + 2, strlen(word + 2)) : NULL;
}

/* ---- columns ---- */

static void change_columns(struct translation *t, const struct tool_row *row)
{
	struct rs_buf old = t->columns;
	size_t len = strlen(row->ours);

	if (row->kind == TOOL_INSTEAD && strncmp(old.data, row->ours, len) != 0)
		return; /* given twice */
	t->columns = (struct rs_buf)RS_BUF_INIT;
	if (row->kind == TOOL_BEFORE)
		rs_buf_printf(&t->columns, "%s,%s", row->ours, old.data);
	else if (row->kind == TOOL_BEHIND)
		rs_buf_printf(&t->columns, "%s,%s", old.data, row->ours);
	else
		rs_buf_printf(&t->columns, "%s%s", row->kind == TOOL_INSTEAD ? row->more : row->ours,
			      row->kind == TOOL_INSTEAD ? old.data + len : "");
	if (row->kind == TOOL_BEHIND && row->more)
		ADD_WORD(&t->words, "%s", row->more);
	t->words.failed |= old.failed;
	rs_buf_done(&old);
}

static void set_columns(struct translation *t)
{
	for (const struct tool_row *row = tool_rows; row->tool; row++)
		if (row->kind == TOOL_COLUMNS && !strcmp(row->tool, t->tool))
			change_columns(t, row);
}

/*
 * What stands before the user's options, which win. Rows are grouped by the first of the columns where that
 * may be another.
 */
static void add_always(const struct translation *t, struct rs_buf *words)
{
	for (const struct tool_row *row = tool_rows; row->tool; row++) {
		if (strcmp(row->tool, t->tool) != 0)
			continue;
		if (row->kind == TOOL_ALWAYS)
			ADD_WORD(words, "%s", row->ours);
		else if (row->kind == TOOL_COLUMNS)
			ADD_WORD(words, "--columns=%s", t->columns.data);
		else if (row->kind == TOOL_INSTEAD)
			ADD_WORD(words, "--by=%.*s", (int)strcspn(t->columns.data, ","), t->columns.data);
	}
}

/* ---- words ---- */

/*
 * These tools search a name for a regular expression, ringside fits patterns as a shell does. A plain word,
 * "." and ".*", ^ and $ mean the same in both; the rest is refused rather than taken for something else.
 */
static int as_tool_add_name(struct translation *t, const char *ours, const char *name)
{
	size_t len = strlen(name), from = *name == '^', to = len - (len > from && name[len - 1] == '$');
	char pattern[160];
	size_t n = 0;

	if (len > 128)
		return rs_fail_usage(t->err, "%s: the name '%.40s...' is too long", t->tool, name);
	if (!from)
		pattern[n++] = '*';
	for (size_t i = from; i < to; i++) {
		bool any = name[i] == '.' && name[i + 1] == '*' && i + 1 < to;

		if (strchr("*?+()[]{}|\\^$", name[i]))
			return rs_fail_usage(
				t->err,
				"%s: '%.60s': of regular expressions only ^, $, . and .* are known here "
				"(nearest: --comm PATTERN, as in a shell)",
				t->tool, name);
		pattern[n++] = any ? '*' : name[i] == '.' ? '?' : name[i];
		i += any;
	}
	if (to == len)
		pattern[n++] = '*';
	ADD_WORD(&t->words, "%s=%.*s", ours, (int)n, pattern);
	return 0;
}

static int add_count(struct translation *t, const char *count)
{
	uint64_t interval_ns, ns;
	char *end;
	unsigned long long times = strtoull(count, &end, 10);

	if (*count < '0' || *count > '9' || *end)
		return rs_fail_usage(t->err, "%s: count '%.40s' is not a whole number", t->tool, count);
	if (rs_units_parse_duration(t->interval, "s", &interval_ns) < 0 ||
	    __builtin_mul_overflow(interval_ns, times, &ns))
		return rs_fail_usage(t->err, "%s: %.40s times '%.40s' is no time", t->tool, count,
				     t->interval);
	ADD_WORD(&t->words, "--duration=%lluns", (unsigned long long)ns);
	return 0;
}

static int add_bare(struct translation *t, const char *word)
{
	const struct tool_row *row = find_bare(t->tool, t->nr_bare++);

	if (!row)
		return rs_fail_usage(t->err, "%s: one word too many: '%.40s'", t->tool, word);
	if (row->kind == TOOL_COUNT)
		return add_count(t, word);
	if (row->kind == TOOL_NAME_WORD)
		return as_tool_add_name(t, row->ours, word);
	t->interval = word;
	ADD_WORD(&t->words, "%s=%s%s", row->ours, word, row->more);
	return 0;
}

static int refuse_letter(struct translation *t, char letter)
{
	char shown = letter > ' ' && letter < 127 ? letter : '?';
	const struct tool_row *row = find_letter(t->tool, letter);
	const struct rs_option *ours = rs_option_find(shown, NULL, 0);

	if (row)
		return rs_fail_usage(t->err, "%s: -%c cannot be had here: %s", t->tool, shown, row->help);
	if (ours && rs_comma_list_has(t->takes, ours->name))
		return rs_fail_usage(t->err, "%s has no option '-%c' (ringside's -%c is --%s here)", t->tool,
				     shown, shown, ours->name);
	return rs_fail_usage(t->err, "%s has no option '-%c' (-h lists them; long ones are ringside's)",
			     t->tool, shown);
}

static int add_value(struct translation *t, const struct tool_row *row, const char *value)
{
	if (row->kind == TOOL_NAME)
		return as_tool_add_name(t, row->ours, value);
	ADD_WORD(&t->words, "%s=%s%s", row->ours, value, row->more);
	if (row->kind == TOOL_ONLY)
		ADD_WORD(&t->words, "--no-children");
	return 0;
}

static bool takes_value(const struct tool_row *row)
{
	return row->kind == TOOL_VALUE || row->kind == TOOL_ONLY || row->kind == TOOL_NAME;
}

static void add_flag(struct translation *t, const struct tool_row *row)
{
	if (row->kind == TOOL_FLAG)
		ADD_WORD(&t->words, "%s", row->ours);
	else if (row->kind != TOOL_NOTHING)
		change_columns(t, row);
}

/* Returns how many words were used. */
static int add_letters(struct translation *t, char **words)
{
	for (const char *letter = words[0] + 1; *letter; letter++) {
		const struct tool_row *row = find_letter(t->tool, *letter);

		if (*letter == 'h') {
			ADD_WORD(&t->words, "--help");
			return 1;
		}
		if (!row || row->kind == TOOL_REFUSED)
			return refuse_letter(t, *letter);
		if (!takes_value(row)) {
			add_flag(t, row);
			continue;
		}
		if (!letter[1] && !words[1])
			return rs_fail_usage(t->err, "%s: -%c needs a value", t->tool, *letter);
		if (add_value(t, row, letter[1] ? letter + 1 : words[1]) < 0)
			return -1;
		return letter[1] ? 1 : 2;
	}
	return 1;
}

static int add_long(struct translation *t, char **words)
{
	const char *name = words[0] + 2;
	const struct rs_option *ours = find_ours(words[0]);

	for (const struct tool_row *row = tool_rows; row->tool; row++)
		if (row->kind == TOOL_REFUSED && row->ours && !strcmp(row->tool, t->tool) &&
		    !strncmp(row->ours, name, strcspn(name, "=")) && !row->ours[strcspn(name, "=")])
			return rs_fail_usage(t->err, "%s: --%s cannot be had here: %s", t->tool, row->ours,
					     row->help);
	ADD_WORD(&t->words, "%s", words[0]);
	if (!ours || ours->kind == RS_OPTION_FLAG || ours->kind == RS_OPTION_EITHER ||
	    ours->kind == RS_OPTION_OPTIONAL || !words[1])
		return 1;
	ADD_WORD(&t->words, "%s", words[1]);
	return 2;
}

static int translate(struct translation *t, char **words)
{
	while (*words && strcmp(*words, "--") != 0) {
		int used = 1;

		if (!strncmp(*words, "--", 2))
			used = add_long(t, words);
		else if (**words == '-' && (*words)[1])
			used = add_letters(t, words);
		else if (add_bare(t, *words) < 0)
			return -1;
		if (used < 0)
			return -1;
		words += used;
	}
	for (; *words; words++)
		ADD_WORD(&t->words, "%s", *words);
	return 0;
}

int rs_as_tool(int *argc, char ***argv, const char *takes, char ***owned, struct rs_error *err)
{
	char **old = *argv;
	struct translation t = { .takes = takes, .words = RS_BUF_INIT, .columns = RS_BUF_INIT, .err = err };
	struct rs_buf all = RS_BUF_INIT;

	if (*argc < 3 || strcmp(old[1], "--as"))
		return 0;
	t.tool = old[2];
	if (!find_bare(t.tool, 0) && !find_letter(t.tool, 'p'))
		return rs_fail_usage(err, "--as: no tool '%.40s' is known here", t.tool);
	set_columns(&t);
	if (translate(&t, old + 3) == 0) {
		ADD_WORD(&all, "%s", old[0]);
		ADD_WORD(&all, "--as=%s", t.tool);
		add_always(&t, &all);
		rs_buf_add(&all, t.words.data, t.words.len);
		all.failed |= t.words.failed | t.columns.failed;
		*owned = rs_options_words(&all, argc);
		if (*owned)
			*argv = *owned;
		else
			rs_fail(err, "--as: out of memory");
	}
	rs_buf_done(&all);
	rs_buf_done(&t.words);
	rs_buf_done(&t.columns);
	return err->status == RS_OK ? 0 : -1;
}

/* ---- -h ---- */

/* What stands for the word in the help: "COUNT", "SECONDS". */
static const char *bare_name(const struct tool_row *row)
{
	const struct rs_option *ours = find_ours(row->ours);

	if (row->kind == TOOL_COUNT)
		return "COUNT";
	return row->kind == TOOL_NAME_WORD ? "NAME" : ours ? ours->argument : "TIME";
}

/* "-d DISK,..." */
static void put_left(struct rs_buf *out, const struct tool_row *row, const struct rs_option *ours)
{
	size_t before = out->len;

	if (row->letter)
		rs_buf_printf(out, "  -%c", row->letter);
	else if (row->kind == TOOL_REFUSED)
		rs_buf_printf(out, "  --%s", row->ours);
	if (row->kind == TOOL_NAME)
		rs_buf_puts(out, " NAME");
	else if (is_bare(row))
		rs_buf_printf(out, "  %s", bare_name(row));
	else if (takes_value(row) && ours)
		rs_buf_printf(out, " %.*s", row->kind == TOOL_ONLY ? 3 : 40,
			      ours->argument); /* PID of PID,... */
	rs_buf_pad(out, ' ', out->len - before < 16 ? 16 - (out->len - before) : 1);
}

static void as_tool_put_rows(struct rs_buf *out, const char *tool, const char *title, bool refused)
{
	bool any = false;

	for (const struct tool_row *row = tool_rows; row->tool; row++) {
		const struct rs_option *ours = find_ours(row->ours);

		if (strcmp(row->tool, tool) != 0 || (row->kind == TOOL_REFUSED) != refused ||
		    row->kind == TOOL_ALWAYS || row->kind == TOOL_COLUMNS)
			continue;
		if (!any)
			rs_buf_printf(out, "\n%s:\n", title);
		any = true;
		put_left(out, row, ours);
		rs_buf_printf(out, "%s\n", row->help ? row->help : ours ? ours->help : "");
	}
}

void rs_as_tool_help(const char *tool, const char *view, struct rs_buf *out)
{
	rs_buf_printf(out, "usage: %s [options]", tool);
	for (unsigned int i = 0; find_bare(tool, i); i++)
		rs_buf_printf(out, " [%s]", bare_name(find_bare(tool, i)));
	rs_buf_printf(out, " [-- COMMAND...]\n\n'ringside %s' with the options of %s\n", view, tool);
	as_tool_put_rows(out, tool, "options", false);
	rs_buf_puts(out, "  -h            this help\n");
	as_tool_put_rows(out, tool, "options of that tool that cannot be had here", true);
	rs_buf_printf(out, "\nLong options are ringside's: 'ringside help %s' lists them.\n", view);
}
