// SPDX-License-Identifier: GPL-2.0-or-later
/* help-search - which commands, views, rules, columns and sections of the guide have the words asked for */
#include "cli/help/help.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/nearest.h"
#include "cli/help/help-words.h"
#include "engine/plugins.h"
#include "ringside/plugin.h"

#define SEARCH_MOST 12   /* lines of a group: the others are counted */
#define SEARCH_TEXTS 6
#define SEARCH_WORDS 32

/* What is searched: texts end with NULL, the first is its name. */
struct help_search_item {
	const char *left, *right;      /* its line */
	const char *texts[SEARCH_TEXTS + 1];
	const char *context;           /* a word may be in here, but not each: a column's view. NULL: none */
};

/* A line of a group. */
struct help_search_hit {
	unsigned int score;
	size_t nr, at, len;            /* nr: in the order of the group; at: in .lines */
};

struct help_search {
	const char *words[SEARCH_WORDS];
	size_t nr_words, nr_least;     /* least: so many of them are in an item that is listed */
	struct rs_buf *out;
	struct rs_buf lines;           /* of the group that is searched */
	struct help_search_hit *hits;
	size_t nr, room;
	unsigned int nr_all;           /* lines of all groups */
	uint32_t somewhere;            /* bit n: word n is in some item */
};

/* Returns 0: too few of the words are in the item, or all of them in its context alone. */
static unsigned int search_score(struct help_search *s, const struct help_search_item *item)
{
	unsigned int score = 0;
	size_t nr = 0, nr_own = 0;

	for (size_t i = 0; i < s->nr_words; i++) {
		unsigned int own = rs_help_word_score(s->words[i], item->texts);

		s->somewhere |= (uint32_t)(own > 0) << i;
		score += own;
		nr_own += own > 0;
		nr += own || (item->context && rs_help_word_is_in(s->words[i], item->context));
	}
	return nr >= s->nr_least && nr_own ? score : 0;
}

static void search_try(struct help_search *s, const struct help_search_item *item)
{
	struct help_search_hit hit = { .score = search_score(s, item), .nr = s->nr, .at = s->lines.len };
	struct help_search_hit *grown = s->hits;

	if (!hit.score)
		return;
	if (s->nr == s->room)
		grown = realloc(s->hits, (s->room = s->room ? 2 * s->room : 64) * sizeof *grown);
	if (!grown) {
		s->out->failed = true;
		return;
	}
	s->hits = grown;
	rs_help_line(&s->lines, item->left, item->right);
	hit.len = s->lines.len - hit.at;
	s->hits[s->nr++] = hit;
}

/* ---- groups ---- */

static void search_commands(struct help_search *s)
{
	for (const struct rs_command *const *c = rs_commands(); *c; c++)
		search_try(s, &(struct help_search_item){
			(*c)->name, (*c)->summary,
			{ (*c)->name, (*c)->summary, (*c)->help ? (*c)->help : "" },
		});
}

static void search_views(struct help_search *s)
{
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t n = rs_commands_views(refs, RS_MAX_VIEWS, true);

	for (size_t i = 0; i < n; i++) {
		const struct rs_view *v = refs[i].view;
		const struct rs_topic_row *topic = rs_topic_row(v->topic);

		search_try(s, &(struct help_search_item){
			v->name, v->summary, { v->name, v->summary, topic->word, topic->question },
		});
	}
}

static void search_rules(struct help_search *s)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_rule *r = (*a)->rules; r && r->name; r++)
			search_try(s, &(struct help_search_item){
				r->name, r->summary,
				{ r->name, r->summary, r->advice, r->found ? r->found : "",
				  r->wrong ? r->wrong : "" },
			});
}

static void search_columns(struct help_search *s)
{
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t n = rs_commands_views(refs, RS_MAX_VIEWS, true);
	struct rs_buf left = RS_BUF_INIT, right = RS_BUF_INIT;

	for (size_t i = 0; i < n; i++)
		for (const struct rs_column *c = refs[i].view->columns; c->name; c++) {
			rs_buf_clear(&left);
			rs_buf_clear(&right);
			rs_buf_printf(&left, "%s %s", refs[i].view->name, c->name);
			rs_buf_printf(&right, "%s: %s", c->heading, c->help);
			search_try(s, &(struct help_search_item){
				left.data, right.data, { c->name, c->heading, c->help },
				refs[i].view->name,
			});
		}
	rs_buf_done(&left);
	rs_buf_done(&right);
}

static void search_guide(struct help_search *s)
{
	struct rs_help_section section = { 0 };
	struct rs_buf title = RS_BUF_INIT, text = RS_BUF_INIT;

	while (rs_help_guide_next(&section)) {
		rs_buf_clear(&title);
		rs_buf_clear(&text);
		rs_buf_add(&title, section.title, section.title_len);
		rs_buf_add(&text, section.text, section.len);
		search_try(s, &(struct help_search_item){ title.data, "", { title.data, text.data } });
	}
	rs_buf_done(&title);
	rs_buf_done(&text);
}

static const struct {
	const char *heading, *more; /* what lists those that are left out; NULL: nothing does */
	void (*search)(struct help_search *s);
} search_groups[] = {
	{ "commands (ringside help COMMAND):", NULL, search_commands },
	{ "views (ringside help VIEW):", "ringside list views", search_views },
	{ "rules of findings (ringside help RULE):", "ringside list rules", search_rules },
	{ "columns (ringside VIEW --columns COLUMN,...):", "ringside list columns", search_columns },
	{ "sections of the guide (ringside help SECTION):", NULL, search_guide },
};

static int search_compare(const void *a, const void *b)
{
	const struct help_search_hit *x = a, *y = b;

	return x->score != y->score ? (x->score < y->score ? 1 : -1) : x->nr < y->nr ? -1 : 1;
}

/* What fits best comes first. */
static void search_group(struct help_search *s, size_t group)
{
	const char *more = search_groups[group].more;

	s->nr = 0;
	rs_buf_clear(&s->lines);
	search_groups[group].search(s);
	if (!s->nr)
		return;
	qsort(s->hits, s->nr, sizeof *s->hits, search_compare);
	rs_buf_printf(s->out, "%s%s\n", s->nr_all ? "\n" : "", search_groups[group].heading);
	for (size_t i = 0; i < s->nr && i < SEARCH_MOST; i++)
		rs_buf_add(s->out, s->lines.data + s->hits[i].at, s->hits[i].len);
	if (s->nr > SEARCH_MOST)
		rs_buf_printf(s->out, "  and %zu more%s%s\n", s->nr - SEARCH_MOST, more ? ": " : "",
			      more ? more : "");
	s->nr_all += (unsigned int)s->nr;
}

static void search_all(struct help_search *s)
{
	for (size_t i = 0; i < sizeof search_groups / sizeof *search_groups; i++)
		search_group(s, i);
}

/* ---- nothing has them ---- */

/* Adds the words of a text, in small letters, each behind a NUL. */
static void search_add_words(struct rs_buf *to, const char *text)
{
	for (; *text; text++)
		rs_buf_putc(to, isalnum((unsigned char)*text) ? (char)tolower((unsigned char)*text) : '\0');
	rs_buf_putc(to, '\0');
}

static void search_add_all_words(struct rs_buf *to)
{
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t n = rs_commands_views(refs, RS_MAX_VIEWS, true);

	for (size_t i = 0; i < n; i++) {
		search_add_words(to, refs[i].view->name);
		search_add_words(to, refs[i].view->summary);
	}
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_rule *r = (*a)->rules; r && r->name; r++) {
			search_add_words(to, r->name);
			search_add_words(to, r->summary);
		}
}

/* The nearest word that help has, in a buffer of the caller; false: none is near. */
static bool search_near(const char *word, char *near, size_t size_bytes)
{
	struct rs_buf words = RS_BUF_INIT;
	const char *name = rs_command_near(word), **list, *found;
	size_t nr = 0;

	if (name) {
		rs_copy(near, size_bytes, name);
		return true;
	}
	search_add_all_words(&words);
	list = calloc(words.len + 1, sizeof *list);
	for (const char *at = words.data; list && at < words.data + words.len; at += strlen(at) + 1)
		if (strlen(at) > 2)
			list[nr++] = at;
	found = list ? rs_nearest(word, list) : NULL;
	if (found)
		rs_copy(near, size_bytes, found);
	free(list);
	rs_buf_done(&words);
	return found;
}

/* A word is nowhere: the nearest one that is somewhere, or what to do. */
static void search_refuse(const struct help_search *s, struct rs_error *err)
{
	char near[64];

	for (size_t i = 0; i < s->nr_words; i++) {
		if (s->somewhere >> i & 1)
			continue;
		if (search_near(s->words[i], near, sizeof near))
			rs_fail_usage(err, "no help on '%.40s'; did you mean '%s'?", s->words[i], near);
		else
			rs_fail_usage(err,
				      "no help on '%.40s': no command, view, rule, column or section of the "
				      "guide has it (see 'ringside help')",
				      s->words[i]);
		return;
	}
}

/* Words that say nothing are left out, unless there are no others. */
static void search_take_words(struct help_search *s, char *const *words, size_t nr)
{
	for (int with_fillers = 0; with_fillers < 2 && !s->nr_words; with_fillers++)
		for (size_t i = 0; i < nr && s->nr_words < SEARCH_WORDS; i++)
			if (with_fillers || !rs_help_word_is_filler(words[i]))
				s->words[s->nr_words++] = words[i];
}

bool rs_help_search(char *const *words, size_t nr, struct rs_buf *out, struct rs_error *err)
{
	struct help_search s = { .out = out, .lines = RS_BUF_INIT };

	search_take_words(&s, words, nr);
	s.nr_least = s.nr_words;
	search_all(&s);
	if (!s.nr_all && s.somewhere != (1ull << s.nr_words) - 1)
		search_refuse(&s, err);
	else if (!s.nr_all)
		rs_buf_printf(out, "nothing has all of these words; what has most of them:\n\n");
	while (!s.nr_all && err->status == RS_OK && --s.nr_least)
		search_all(&s);
	free(s.hits);
	rs_buf_done(&s.lines);
	return s.nr_all;
}
