// SPDX-License-Identifier: GPL-2.0-or-later
/* fuzzy.c - finds a name by a few of its letters */
#include "tui/toolkit/fuzzy.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { FUZZY_EXACT, FUZZY_PREFIX, FUZZY_WORD, FUZZY_PART, FUZZY_LETTERS };

static bool fuzzy_is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool fuzzy_begins_word(const char *name, const char *at)
{
	return at == name || !isalnum((unsigned char)at[-1]);
}

/* The letters that are passed over between the first and the last one; -1: they do not come in that order. */
static int fuzzy_gaps(const char *name, const char *typed)
{
	int nr = 0;
	bool begun = false;

	for (; *name && *typed; name++)
		if (fuzzy_is_same(*name, *typed)) {
			typed++;
			begun = true;
		} else {
			nr += begun;
		}
	return *typed ? -1 : nr;
}

int rs_fuzzy_rank(const char *name, const char *typed)
{
	const char *at = strcasestr(name, typed);
	int gaps;

	if (!strcasecmp(name, typed))
		return FUZZY_EXACT;
	if (at == name)
		return FUZZY_PREFIX;
	for (const char *next = at; next; next = strcasestr(next + 1, typed))
		if (fuzzy_begins_word(name, next))
			return FUZZY_WORD;
	if (at)
		return FUZZY_PART;
	gaps = fuzzy_gaps(name, typed);
	return gaps < 0 ? -1 : FUZZY_LETTERS + gaps;
}
