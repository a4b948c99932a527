// SPDX-License-Identifier: GPL-2.0-or-later
/* nearest - "did you mean ...?" for a misspelt name */
#include "base/nearest.h"

#include <string.h>
#include <strings.h>

#define NEAREST_MAX_WORD 64 /* no name of ours is longer; it bounds the rows on the stack */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/*
 * Insertions, deletions, changes and swaps of two neighbours ("recrod"), each
 * counted 1: these are the usual typing errors. Swapped letters are not changed again
 * ("optimal string alignment"). Both words are at most MAX_WORD long.
 */
static unsigned int distance(const char *a, size_t len_a, const char *b, size_t len_b)
{
	unsigned int rows[3][NEAREST_MAX_WORD + 1], *before = rows[0], *above = rows[1], *row = rows[2],
	*spare;

	for (size_t j = 0; j <= len_b; j++)
		above[j] = j;
	for (size_t i = 1; i <= len_a; i++) {
		row[0] = i;
		for (size_t j = 1; j <= len_b; j++) {
			row[j] = least(least(above[j], row[j - 1]) + 1,
				       above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
		spare = before;
		before = above;
		above = row;
		row = spare;
	}
	return above[len_b];
}

/*
 * A third of the letters may be wrong, rounded: more than that is another word, as "type" is for "nope". The
 * beginning of a name, and the name in another case, are nearer than one slip;
 * of such names the one with the fewest letters to add wins.
 */
const char *rs_nearest(const char *word, const char *const *candidates)
{
	size_t len = strlen(word);
	unsigned int best = 2 * ((len + 1) / 3) + 1, best_edits = 0; /* in half slips */
	const char *nearest = NULL;

	if (!len || len > NEAREST_MAX_WORD)
		return NULL;
	for (; *candidates; candidates++) {
		size_t len_c = strlen(*candidates);
		unsigned int edits, halves;

		if (len_c > NEAREST_MAX_WORD)
			continue;
		edits = distance(word, len, *candidates, len_c);
		halves = 2 * edits;
		if (!strcasecmp(word, *candidates) || (len >= 3 && !strncmp(word, *candidates, len)))
			halves = 1;
		else if (edits >= len_c)
			continue;
		if (halves < best || (halves == best && edits < best_edits)) {
			best = halves;
			best_edits = edits;
			nearest = *candidates;
		}
	}
	return nearest;
}
