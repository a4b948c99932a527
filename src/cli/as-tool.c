// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/as-tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cli/options.h"

enum kind {
	FLAG,     /* -x becomes .ours */
	VALUE,    /* -x V becomes .ours=V.unit */
	NOTHING,  /* -x asks for what is done anyhow */
	WORD,     /* a bare word, in order, becomes .ours=word.unit */
	REFUSED,  /* -x cannot be had: .ours says why */
	ALWAYS,   /* is added whatever was asked for; what the letters say comes after it, and wins */
	COUNT,    /* the bare word that says how many intervals: --duration is so many times --interval */
};

/*
 * perf-tools: iosnoop. bcc: the others; syscount lends its letters to
 * syscall-latency, which is what syscount -L measures.
 */
static const struct row {
	const char *tool;
	enum kind kind;
	char letter;
	const char *ours, *unit;
} rows[] = {
	{ "iosnoop", FLAG, 'Q', "--queue", "" },
	{ "iosnoop", FLAG, 's', "--starts", "" },
	{ "iosnoop", FLAG, 't', "--ends", "" },
	{ "iosnoop", VALUE, 'd', "--dev", "" },
	{ "iosnoop", VALUE, 'i', "--type", "" },
	{ "iosnoop", VALUE, 'n', "--comm", "" },
	{ "iosnoop", VALUE, 'p', "--pid", "" },
	{ "iosnoop", WORD, 0, "--duration", "" },

	{ "runqlat", NOTHING, 'T', NULL, NULL }, /* each interval begins with its time */
	{ "runqlat", NOTHING, 'm', NULL, NULL }, /* units are written beside the numbers */
	{ "runqlat", FLAG, 'P', "--by=pid", "" },
	{ "runqlat", FLAG, 'L', "--by=tid", "" },
	{ "runqlat", VALUE, 'p', "--pid", "" },
	{ "runqlat", WORD, 0, "--interval", "" },
	{ "runqlat", COUNT, 0, NULL, NULL },

	{ "runqslower", FLAG, 'P', "--columns=time_ns,comm,tid,lat_ns,prev_comm,prev_tid", "" },
	{ "runqslower", VALUE, 'p', "--pid", "" },
	{ "runqslower", VALUE, 't', "--tid", "" },
	{ "runqslower", WORD, 0, "--min", "us" },

	{ "biolatency", NOTHING, 'T', NULL, NULL },
	{ "biolatency", NOTHING, 'm', NULL, NULL },
	{ "biolatency", FLAG, 'Q', "--queue", "" },
	{ "biolatency", FLAG, 'D', "--by=dev", "" },
	{ "biolatency", FLAG, 'F', "--by=type", "" },
	{ "biolatency", FLAG, 'j', "--json", "" },
	{ "biolatency", VALUE, 'd', "--dev", "" },
	{ "biolatency", WORD, 0, "--interval", "" },
	{ "biolatency", COUNT, 0, NULL, NULL },

	{ "hardirqs", NOTHING, 'T', NULL, NULL },
	{ "hardirqs", NOTHING, 'N', NULL, NULL },
	{ "hardirqs", FLAG, 'C', "--columns=name,count", "" },
	{ "hardirqs", VALUE, 'c', "--cpus", "" },
	{ "hardirqs", WORD, 0, "--interval", "" },
	{ "hardirqs", COUNT, 0, NULL, NULL },

	{ "softirqs", NOTHING, 'T', NULL, NULL },
	{ "softirqs", NOTHING, 'N', NULL, NULL },
	{ "softirqs", FLAG, 'C', "--columns=name,count", "" },
	{ "softirqs", VALUE, 'c', "--cpus", "" },
	{ "softirqs", WORD, 0, "--interval", "" },
	{ "softirqs", COUNT, 0, NULL, NULL },

	{ "offcputime", VALUE, 'p', "--pid", "" },
	{ "offcputime", VALUE, 't', "--tid", "" },
	{ "offcputime", VALUE, 'm', "--min", "us" },
	{ "offcputime", REFUSED, 'f', "folded output is of stacks, and none are recorded", NULL },
	{ "offcputime", REFUSED, 'd', "no stacks are recorded, so nothing is between them", NULL },
	{ "offcputime", REFUSED, 'U', "no stacks are recorded", NULL },
	{ "offcputime", REFUSED, 'K', "no stacks are recorded", NULL },
	{ "offcputime", WORD, 0, "--duration", "" },

	/* bcc, and perf-tools' -d; exits are ringside's own */
	{ "execsnoop", ALWAYS, 0, "--type=exec", "" },
	{ "execsnoop", ALWAYS, 0, "--columns=comm,pid,ppid,ret,args", "" },
	{ "execsnoop", NOTHING, 'x', NULL, NULL }, /* those that fail are shown, with what was returned */
	{ "execsnoop", FLAG, 't', "--columns=time_ns,comm,pid,ppid,ret,args", "" },
	{ "execsnoop", VALUE, 'n', "--comm", "" },
	{ "execsnoop", VALUE, 'd', "--duration", "" },
	{ "execsnoop", WORD, 0, "--comm", "" },

	{ "syscount", NOTHING, 'L', NULL, NULL },
	{ "syscount", NOTHING, 'm', NULL, NULL },
	{ "syscount", FLAG, 'P', "--by=pid", "" },
	{ "syscount", VALUE, 'p', "--pid", "" },
	{ "syscount", VALUE, 't', "--tid", "" },
	{ "syscount", VALUE, 'i', "--interval", "" },
	{ "syscount", VALUE, 'd', "--duration", "" },
	{ "syscount", VALUE, 'T', "--rows", "" },
};

struct translation {
	const char *tool;
	char **words;          /* made so far, each allocated */
	int nr_words, max_words;
	unsigned int nr_bare;  /* bare words seen */
	const char *interval;
	struct rs_error *err;
};

static int add(struct translation *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int add(struct translation *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = t->nr_words < t->max_words ? vasprintf(&t->words[t->nr_words], fmt, ap) : -1;
	va_end(ap);
	if (n < 0) {
		t->words[t->nr_words] = NULL;
		return rs_fail(t->err, "--as: out of memory");
	}
	t->nr_words++;
	return 0;
}

static const struct row *find_letter(const char *tool, char letter)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].tool, tool) && rows[i].letter == letter)
			return &rows[i];
	return NULL;
}

static const struct row *find_bare(const char *tool, unsigned int nth)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].tool, tool) && !rows[i].letter && rows[i].kind != ALWAYS && nth-- == 0)
			return &rows[i];
	return NULL;
}

static int add_always(struct translation *t)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].kind == ALWAYS && !strcmp(rows[i].tool, t->tool) && add(t, "%s", rows[i].ours) < 0)
			return -1;
	return 0;
}

static int add_count(struct translation *t, const char *count)
{
	uint64_t interval_ns, ns;
	char *end;
	unsigned long long times = strtoull(count, &end, 10);

	if (*count < '0' || *count > '9' || *end)
		return rs_fail_usage(t->err, "%s: count '%.40s' is not a whole number", t->tool, count);
	if (rs_parse_ns(t->interval, "s", &interval_ns) < 0 ||
	    __builtin_mul_overflow(interval_ns, times, &ns))
		return rs_fail_usage(t->err, "%s: %.40s times '%.40s' is no time", t->tool, count,
				     t->interval);
	return add(t, "--duration=%lluns", (unsigned long long)ns);
}

static int add_bare(struct translation *t, const char *word)
{
	const struct row *row = find_bare(t->tool, t->nr_bare++);

	if (!row)
		return rs_fail_usage(t->err, "%s: one word too many: '%.40s'", t->tool, word);
	if (row->kind == COUNT)
		return add_count(t, word);
	t->interval = word;
	return add(t, "%s=%s%s", row->ours, word, row->unit);
}

/* Returns how many words were used. */
static int add_letters(struct translation *t, char **words)
{
	for (const char *letter = words[0] + 1; *letter; letter++) {
		const struct row *row = find_letter(t->tool, *letter);

		if (*letter == 'h')
			return add(t, "--help") < 0 ? -1 : 1;
		if (!row)
			return rs_fail_usage(t->err,
					     "%s has no option '-%c' (its own long options are ringside's)",
					     t->tool, *letter > ' ' && *letter < 127 ? *letter : '?');
		if (row->kind == REFUSED)
			return rs_fail_usage(t->err, "%s: -%c is not for ringside: %s", t->tool, *letter, row->ours);
		if (row->kind == FLAG && add(t, "%s", row->ours) < 0)
			return -1;
		if (row->kind != VALUE)
			continue;
		if (!letter[1] && !words[1])
			return rs_fail_usage(t->err, "%s: -%c needs a value", t->tool, *letter);
		if (add(t, "%s=%s%s", row->ours, letter[1] ? letter + 1 : words[1], row->unit) < 0)
			return -1;
		return letter[1] ? 1 : 2;
	}
	return 1;
}

static int add_long(struct translation *t, char **words)
{
	const struct rs_option *row = rs_option_rows;

	if (add(t, "%s", words[0]) < 0)
		return -1;
	while (row->name && strcmp(row->name, words[0] + 2))
		row++;
	if (!row->name || row->kind == RS_OPTION_FLAG || row->kind == RS_OPTION_EITHER || !words[1])
		return 1;
	return add(t, "%s", words[1]) < 0 ? -1 : 2;
}

static int translate(struct translation *t, char **words)
{
	while (*words) {
		int used = 1;

		if (!strcmp(*words, "--")) {
			for (; *words; words++)
				if (add(t, "%s", *words) < 0)
					return -1;
			return 0;
		}
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
	return 0;
}

/* A bundle of letters makes a word of each. */
static int count_words(char **words)
{
	int n = 8;

	for (; *words; words++)
		n += (*words)[0] == '-' && (*words)[1] != '-' ? (int)strnlen(*words, 64) : 1;
	return n;
}

int rs_as_tool(int *argc, char ***argv, char ***owned, struct rs_error *err)
{
	char **old = *argv;
	struct translation t = { .err = err };

	if (*argc < 3 || strcmp(old[1], "--as"))
		return 0;
	t.tool = old[2];
	if (!find_bare(t.tool, 0) && !find_letter(t.tool, 'p'))
		return rs_fail_usage(err, "--as: no tool '%.40s' is known here", t.tool);
	t.max_words = count_words(old);
	/* twice: the parser puts its argv in order, the list to free must stay as it is */
	t.words = calloc(2 * (t.max_words + 1), sizeof *t.words);
	if (!t.words)
		return rs_fail(err, "--as: out of memory");
	*owned = t.words;
	if (add(&t, "%s", old[0]) < 0 || add(&t, "--as=%s", t.tool) < 0 || add_always(&t) < 0 ||
	    translate(&t, old + 3) < 0)
		return -1;
	*argc = t.nr_words;
	*argv = t.words + t.max_words + 1;
	memcpy(*argv, t.words, t.nr_words * sizeof *t.words);
	return 0;
}

void rs_as_tool_free(char **owned)
{
	for (char **word = owned; word && *word; word++)
		free(*word);
	free(owned);
}
