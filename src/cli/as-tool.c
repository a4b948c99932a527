// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/as-tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comma-list.h"
#include "base/units.h"
#include "cli/as-tool-rows.h"
#include "cli/options.h"

struct translation {
	const char *tool, *takes;
	char **words;          /* made so far, each allocated */
	int nr_words, max_words;
	unsigned int nr_bare;  /* bare words seen */
	const char *interval;
	char *columns;         /* allocated; NULL: the view's own */
	int columns_at, by_at; /* the words that they, and what groups, will be; 0: none */
	struct rs_error *err;
};

static int as_tool_add(struct translation *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int as_tool_add(struct translation *t, const char *fmt, ...)
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

/* ---- rows ---- */

static const struct rs_tool_row *find_letter(const char *tool, char letter)
{
	for (const struct rs_tool_row *row = rs_tool_rows; row->tool; row++)
		if (!strcmp(row->tool, tool) && row->letter == letter)
			return row;
	return NULL;
}

static bool is_bare(const struct rs_tool_row *row)
{
	return row->kind == RS_TOOL_WORD || row->kind == RS_TOOL_NAME_WORD || row->kind == RS_TOOL_COUNT;
}

static const struct rs_tool_row *find_bare(const char *tool, unsigned int nth)
{
	for (const struct rs_tool_row *row = rs_tool_rows; row->tool; row++)
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

static int set_columns(struct translation *t, const char *before, const char *between, const char *after)
{
	char *columns;

	if (asprintf(&columns, "%s%s%s", before, between, after) < 0)
		return rs_fail(t->err, "--as: out of memory");
	free(t->columns);
	t->columns = columns;
	return 0;
}

static int change_columns(struct translation *t, const struct rs_tool_row *row)
{
	const char *columns = t->columns ? t->columns : "";

	switch (row->kind) {
	case RS_TOOL_BEFORE: return set_columns(t, row->ours, ",", columns);
	case RS_TOOL_BEHIND: return set_columns(t, columns, ",", row->ours) < 0 || !row->more ? 0 : as_tool_add(t, "%s", row->more);
	case RS_TOOL_INSTEAD:
		if (strncmp(columns, row->ours, strlen(row->ours)) != 0)
			return 0; /* given twice */
		return set_columns(t, row->more, columns + strlen(row->ours), "");
	default: return set_columns(t, row->ours, "", "");
	}
}

static int as_tool_reserve(struct translation *t, int *at)
{
	*at = t->nr_words;
	return as_tool_add(t, "%s", "");
}

static int add_always(struct translation *t)
{
	for (const struct rs_tool_row *row = rs_tool_rows; row->tool; row++) {
		if (strcmp(row->tool, t->tool) != 0)
			continue;
		if (row->kind == RS_TOOL_ALWAYS && as_tool_add(t, "%s", row->ours) < 0)
			return -1;
		if (row->kind == RS_TOOL_COLUMNS && change_columns(t, row) < 0)
			return -1;
		if (row->kind == RS_TOOL_COLUMNS && as_tool_reserve(t, &t->columns_at) < 0)
			return -1;
		if (row->kind == RS_TOOL_INSTEAD && as_tool_reserve(t, &t->by_at) < 0)
			return -1;
	}
	return 0;
}

/* Known once all letters have been seen; where they stand an option of the user's own comes after. */
static int as_tool_put_word(struct translation *t, int at, const char *option, size_t len)
{
	char *word;

	if (!at)
		return 0;
	if (asprintf(&word, "%s=%.*s", option, (int)len, t->columns) < 0)
		return rs_fail(t->err, "--as: out of memory");
	free(t->words[at]);
	t->words[at] = word;
	return 0;
}

/* What groups is the first of the columns. */
static int put_columns(struct translation *t)
{
	if (!t->columns)
		return 0;
	return as_tool_put_word(t, t->columns_at, "--columns", strlen(t->columns)) < 0 ? -1 :
	       as_tool_put_word(t, t->by_at, "--by", strcspn(t->columns, ","));
}

/* ---- words ---- */

/*
 * These tools search a name for a regular expression, ringside fits patterns as a shell does. A plain word, "." and
 * ".*", ^ and $ mean the same in both; the rest is refused rather than taken for something else.
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
			return rs_fail_usage(t->err, "%s: '%.60s': of regular expressions only ^, $, . and .* are known here "
					     "(nearest: --comm PATTERN, as in a shell)", t->tool, name);
		pattern[n++] = any ? '*' : name[i] == '.' ? '?' : name[i];
		i += any;
	}
	if (to == len)
		pattern[n++] = '*';
	return as_tool_add(t, "%s=%.*s", ours, (int)n, pattern);
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
	return as_tool_add(t, "--duration=%lluns", (unsigned long long)ns);
}

static int add_bare(struct translation *t, const char *word)
{
	const struct rs_tool_row *row = find_bare(t->tool, t->nr_bare++);

	if (!row)
		return rs_fail_usage(t->err, "%s: one word too many: '%.40s'", t->tool, word);
	if (row->kind == RS_TOOL_COUNT)
		return add_count(t, word);
	if (row->kind == RS_TOOL_NAME_WORD)
		return as_tool_add_name(t, row->ours, word);
	t->interval = word;
	return as_tool_add(t, "%s=%s%s", row->ours, word, row->more);
}

static int refuse_letter(struct translation *t, char letter)
{
	char shown = letter > ' ' && letter < 127 ? letter : '?';
	const struct rs_tool_row *row = find_letter(t->tool, letter);
	const struct rs_option *ours = rs_option_find(shown, NULL, 0);

	if (row)
		return rs_fail_usage(t->err, "%s: -%c cannot be had here: %s", t->tool, shown, row->help);
	if (ours && rs_comma_list_has(t->takes, ours->name))
		return rs_fail_usage(t->err, "%s has no option '-%c' (ringside's -%c is --%s here)", t->tool, shown, shown,
				     ours->name);
	return rs_fail_usage(t->err, "%s has no option '-%c' (-h lists them; long ones are ringside's)", t->tool, shown);
}

static int add_value(struct translation *t, const struct rs_tool_row *row, const char *value)
{
	if (row->kind == RS_TOOL_NAME)
		return as_tool_add_name(t, row->ours, value);
	if (as_tool_add(t, "%s=%s%s", row->ours, value, row->more) < 0)
		return -1;
	return row->kind == RS_TOOL_ONLY ? as_tool_add(t, "--no-children") : 0;
}

static bool takes_value(const struct rs_tool_row *row)
{
	return row->kind == RS_TOOL_VALUE || row->kind == RS_TOOL_ONLY || row->kind == RS_TOOL_NAME;
}

static int add_flag(struct translation *t, const struct rs_tool_row *row)
{
	if (row->kind == RS_TOOL_FLAG)
		return as_tool_add(t, "%s", row->ours);
	return row->kind == RS_TOOL_NOTHING ? 0 : change_columns(t, row);
}

/* Returns how many words were used. */
static int add_letters(struct translation *t, char **words)
{
	for (const char *letter = words[0] + 1; *letter; letter++) {
		const struct rs_tool_row *row = find_letter(t->tool, *letter);

		if (*letter == 'h')
			return as_tool_add(t, "--help") < 0 ? -1 : 1;
		if (!row || row->kind == RS_TOOL_REFUSED)
			return refuse_letter(t, *letter);
		if (!takes_value(row)) {
			if (add_flag(t, row) < 0)
				return -1;
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

	for (const struct rs_tool_row *row = rs_tool_rows; row->tool; row++)
		if (row->kind == RS_TOOL_REFUSED && row->ours && !strcmp(row->tool, t->tool) &&
		    !strncmp(row->ours, name, strcspn(name, "=")) && !row->ours[strcspn(name, "=")])
			return rs_fail_usage(t->err, "%s: --%s cannot be had here: %s", t->tool, row->ours, row->help);
	if (as_tool_add(t, "%s", words[0]) < 0)
		return -1;
	if (!ours || ours->kind == RS_OPTION_FLAG || ours->kind == RS_OPTION_EITHER || !words[1])
		return 1;
	return as_tool_add(t, "%s", words[1]) < 0 ? -1 : 2;
}

static int translate(struct translation *t, char **words)
{
	while (*words) {
		int used = 1;

		if (!strcmp(*words, "--")) {
			for (; *words; words++)
				if (as_tool_add(t, "%s", *words) < 0)
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

/* A bundle of letters makes a word of each, two where it narrows to one process or sorts. */
static int count_words(char **words)
{
	int n = 16;

	for (; *words; words++)
		n += (*words)[0] == '-' && (*words)[1] != '-' ? 2 * (int)strnlen(*words, 64) : 1;
	return n;
}

int rs_as_tool(int *argc, char ***argv, const char *takes, char ***owned, struct rs_error *err)
{
	char **old = *argv;
	struct translation t = { .takes = takes, .err = err };

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
	if (as_tool_add(&t, "%s", old[0]) == 0 && as_tool_add(&t, "--as=%s", t.tool) == 0 &&
	    add_always(&t) == 0 &&
	    translate(&t, old + 3) == 0)
		put_columns(&t);
	free(t.columns);
	if (err->status != RS_OK)
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

/* ---- -h ---- */

/* What stands for the word in the help: "COUNT", "SECONDS". */
static const char *bare_name(const struct rs_tool_row *row)
{
	const struct rs_option *ours = find_ours(row->ours);

	if (row->kind == RS_TOOL_COUNT)
		return "COUNT";
	return row->kind == RS_TOOL_NAME_WORD ? "NAME" : ours ? ours->argument : "TIME";
}

/* "-d DISK,..." */
static void put_left(struct rs_buf *out, const struct rs_tool_row *row, const struct rs_option *ours)
{
	size_t before = out->len;

	if (row->letter)
		rs_buf_printf(out, "  -%c", row->letter);
	else if (row->kind == RS_TOOL_REFUSED)
		rs_buf_printf(out, "  --%s", row->ours);
	if (row->kind == RS_TOOL_NAME)
		rs_buf_puts(out, " NAME");
	else if (is_bare(row))
		rs_buf_printf(out, "  %s", bare_name(row));
	else if (takes_value(row) && ours)
		rs_buf_printf(out, " %.*s", row->kind == RS_TOOL_ONLY ? 3 : 40, ours->argument); /* PID of PID,... */
	rs_buf_pad(out, ' ', out->len - before < 16 ? 16 - (out->len - before) : 1);
}

static void as_tool_put_rows(struct rs_buf *out, const char *tool, const char *title, bool refused)
{
	bool any = false;

	for (const struct rs_tool_row *row = rs_tool_rows; row->tool; row++) {
		const struct rs_option *ours = find_ours(row->ours);

		if (strcmp(row->tool, tool) != 0 || (row->kind == RS_TOOL_REFUSED) != refused || row->kind == RS_TOOL_ALWAYS ||
		    row->kind == RS_TOOL_COLUMNS)
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
