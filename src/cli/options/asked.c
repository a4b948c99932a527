// SPDX-License-Identifier: GPL-2.0-or-later
/* asked - what --dev, --type, --syscall, -x and -m ask of a view's columns */
#include "cli/options/asked.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "engine/calls/syscall.h"
#include "ringside/request.h"

#define ASKED_MAX_WORD 128
#define ASKED_MAX_NAMES 1024

struct asking {
	const struct rs_trace_info *info;
	const struct rs_view *view;
	struct rs_buf *warnings;
	struct rs_error *err;
};

static void add_pattern(struct rs_buf *patterns, const char *word)
{
	rs_buf_printf(patterns, "%s%s", patterns->len ? " " : "", word);
}

/*
 * Takes the next word of a list; false at its end. A word that is too long is cut: no name is as long as
 * that.
 */
static bool next_word(const char **list, char *word)
{
	size_t len = strcspn(*list, ",");

	if (!**list)
		return false;
	snprintf(word, ASKED_MAX_WORD, "%.*s", (int)(len < ASKED_MAX_WORD ? len
							    : ASKED_MAX_WORD - 1), *list);
	*list += len + ((*list)[len] == ',');
	return true;
}

static int asked_refuse(struct asking *a, const char *option, const char *word, const char *why,
			       const char *near)
{
	near = near && *near ? near : NULL;
	return rs_fail_usage(a->err, "%s '%.60s': %s%s%s%s", option, word, why,
			     near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

/* ---- --dev ---- */

/*
 * sda of sda1, nvme0n1 of nvme0n1p2: the disk whose number that partition's requests bear. A disk whose name
 * ends in a digit has its partitions behind a p, so that dm-10 is no partition of dm-1.
 */
static const char *disk_of_partition(const struct rs_trace_info *info, const char *name)
{
	for (size_t i = 0; i < info->nr_disks; i++) {
		const char *disk = info->disks[i].name;
		size_t len = strlen(disk);
		bool uses_p = len && disk[len - 1] >= '0' && disk[len - 1] <= '9';
		const char *number = name + len + uses_p;

		if (!len || strncmp(disk, name, len) != 0 || (uses_p && name[len] != 'p'))
			continue;
		if (*number && !number[strspn(number, "0123456789")])
			return disk;
	}
	return NULL;
}

static int add_named_disks(struct asking *a, struct rs_buf *patterns, const char *word)
{
	const char *whole = disk_of_partition(a->info, word), *names[ASKED_MAX_NAMES + 1];
	char dev[32];
	bool any = false;
	size_t nr = 0;

	if (!a->info->nr_disks)
		return asked_refuse(a, "--dev", word,
				    "the names of the disks were not recorded (use MAJ,MIN, as 8,0)", NULL);
	if (whole)
		return asked_refuse(a, "--dev", word,
					   "is a partition, and requests are seen as its disk's", whole);
	for (size_t i = 0; i < a->info->nr_disks; i++) {
		if (nr < ASKED_MAX_NAMES)
			names[nr++] = a->info->disks[i].name;
		if (fnmatch(word, a->info->disks[i].name, 0) != 0)
			continue;
		rs_dev_text(a->info->disks[i].dev, dev, sizeof dev);
		add_pattern(patterns, dev);
		any = true;
	}
	names[nr] = NULL;
	return any ? 0 : asked_refuse(a, "--dev", word, "no such disk", rs_nearest(word, names));
}

/* A disk may come later than the list was made: a number that is not in it is no error. */
static int add_numbered_disks(struct asking *a, struct rs_buf *patterns, const char *number)
{
	bool known = !a->info->nr_disks;
	char dev[32];

	add_pattern(patterns, number);
	for (size_t i = 0; i < a->info->nr_disks && !known; i++) {
		rs_dev_text(a->info->disks[i].dev, dev, sizeof dev);
		known = fnmatch(number, dev, 0) == 0;
	}
	if (!known && a->warnings)
		rs_buf_printf(a->warnings, "--dev %s: there was no such disk at the begin (%s is %u,%u)\n",
			      number, a->info->disks->name, a->info->disks->dev >> 20,
			      a->info->disks->dev & 0xfffffu);
	return 0;
}

static bool asked_is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789*?")];
}

/* "254,0" is one disk, though a comma ends any other word of the list. */
static int asked_add_disk(struct asking *a, struct rs_buf *patterns, const char *word,
				 const char **rest)
{
	char number[2 * ASKED_MAX_WORD], minor[ASKED_MAX_WORD], *colon;
	const char *after = *rest;

	snprintf(number, sizeof number, "%s", word);
	colon = strchr(number, ':');
	if (colon) {
		*colon = ',';
		return add_numbered_disks(a, patterns, number);
	}
	if (!asked_is_number(word) || !strcmp(word, "*"))
		return add_named_disks(a, patterns, word);
	if (!next_word(&after, minor) || !asked_is_number(minor))
		return asked_refuse(a, "--dev", word, "is no disk: a name as vda, or MAJ,MIN as 8,0",
					   NULL);
	*rest = after;
	snprintf(number, sizeof number, "%s,%s", word, minor);
	return add_numbered_disks(a, patterns, number);
}

/* ---- --type, --syscall, and others ---- */

static int add_type(struct asking *a, struct rs_buf *patterns, const char *word, const char **rest)
{
	const char *types = a->view ? a->view->types : NULL, *names[ASKED_MAX_NAMES + 1];
	char texts[512] = "", why[ASKED_MAX_WORD + 600], *save = NULL;
	size_t nr = 0;

	snprintf(texts, sizeof texts, "%s", types ? types : "");
	for (char *name = strtok_r(texts, ",", &save); name && nr < ASKED_MAX_NAMES;
	     name = strtok_r(NULL, ",", &save)) {
		names[nr++] = name;
		types = fnmatch(word, name, 0) == 0 ? NULL : types;
	}
	names[nr] = NULL;
	add_pattern(patterns, word);
	if (!types)
		return 0;
	snprintf(why, sizeof why, "%s has no such type, but %s", a->view->name, types);
	return asked_refuse(a, "--type", word, why, rs_nearest(word, names));
}

static int add_syscall(struct asking *a, struct rs_buf *patterns, const char *word, const char **rest)
{
	char near[ASKED_MAX_WORD];

	add_pattern(patterns, word);
	if (rs_syscall_is_known(a->info, word, near, sizeof near))
		return 0;
	return asked_refuse(a, "--syscall", word, "there is no such system call", near);
}

/* ---- all of them ---- */

/* The words of these options are looked up. */
static const struct {
	const char *option;
	int (*add)(struct asking *a, struct rs_buf *patterns, const char *word, const char **rest);
} lookups[] = {
	{ "dev", asked_add_disk }, { "type", add_type }, { "syscall", add_syscall }, { .option = NULL },
};

static int make_patterns(struct asking *a, struct rs_buf *patterns, const char *option, const char *list)
{
	char word[ASKED_MAX_WORD];
	size_t n = 0;

	while (lookups[n].option && strcmp(lookups[n].option, option) != 0)
		n++;
	rs_buf_clear(patterns);
	while (list && next_word(&list, word))
		if (!lookups[n].option)
			add_pattern(patterns, word);
		else if (lookups[n].add(a, patterns, word, &list) < 0)
			return -1;
	return patterns->failed ? rs_fail(a->err, "cannot filter: out of memory") : 0;
}

int rs_asked_make(struct rs_asked *asked, const struct rs_options *opt, const struct rs_view *view,
			 const struct rs_trace_info *info, struct rs_buf *warnings, struct rs_error *err)
{
	struct asking a = { info, view, warnings, err };

	for (size_t i = 0; rs_option_rows[i].name; i++)
		if (rs_option_rows[i].column &&
		    make_patterns(&a, &asked->patterns[i], rs_option_rows[i].name, opt->values[i].text) < 0)
			return -1;
	return 0;
}

static const struct rs_column *asked_column(const struct rs_view *view, const struct rs_option *row)
{
	for (const struct rs_column *c = view->columns; c->name; c++)
		if (c->option ? !strcmp(c->option, row->name) : !strcmp(c->name, row->column) ||
		    (!*row->column && c->flags & RS_COLUMN_LATENCY))
			return c;
	return NULL;
}

static void asked_add_term(struct rs_terms *terms, const struct rs_column *column, const char *patterns,
			   uint64_t least)
{
	if (column && terms->nr < RS_MAX_TERMS)
		terms->at[terms->nr++] = (struct rs_term){ column, patterns, least };
}

void rs_asked_terms(const struct rs_asked *asked, const struct rs_options *opt, const struct rs_view *view,
			   struct rs_terms *terms)
{
	terms->nr = 0;
	for (size_t i = 0; rs_option_rows[i].name; i++) {
		const struct rs_option *row = &rs_option_rows[i];
		const struct rs_column *column = row->column && opt->given[i] ? asked_column(view, row) :
										NULL;
		const struct rs_buf *patterns = &asked->patterns[i];

		asked_add_term(terms, column, patterns->len ? patterns->data : NULL, opt->values[i].ns);
	}
	if (opt->is_view && opt->format && view->folded_type && !rs_options_gave(opt, "type"))
		asked_add_term(terms, asked_column(view, rs_option_find(0, "type", strlen("type"))),
			       view->folded_type, 0);
}

void rs_asked_done(struct rs_asked *asked)
{
	for (size_t i = 0; i < RS_MAX_OPTIONS; i++)
		rs_buf_done(&asked->patterns[i]);
}
