// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chrome-path.c - critical paths: what the slowest calls and waits waited for, as slices and flows of their own category
 *
 * Each link is a slice on the track of its task: the wait for the next link, or what the last one waited for. A flow goes
 * from the last link, whose work let the others go on, to the first. Each of its ends is in the last nanosecond of a slice.
 */
#include "export/chrome.h"

#include <stdio.h>

struct path_slice {
	const struct rs_chain_link *link;
	uint64_t from_ns, to_ns;
};

/* All that were written: of one wait several chains may have overlapping parts. */
struct path_slices {
	struct path_slice at[RS_MAX_CHAINS * RS_MAX_LINKS];
	unsigned int nr;
};

/* Calls begin and end while a task runs, so only what it waits for is sure to lie within its other slices, or around them. */
static bool path_is_wait(const struct rs_chain_link *link)
{
	return link->part != RS_PART_RUN && link->part != RS_PART_IRQ && link->part != RS_PART_SOFTIRQ && link->part != RS_PART_UNKNOWN;
}

static struct path_slice path_find_slice(const struct rs_chain *chain, unsigned int i)
{
	const struct rs_chain_link *link = &chain->at[i];

	if (link->followed)
		return (struct path_slice){ link, link[1].from_ns, link[1].to_ns };
	if (path_is_wait(link) && link->culprit.piece_ns)
		return (struct path_slice){ link, link->culprit.at_ns, link->culprit.at_ns + link->culprit.piece_ns };
	return (struct path_slice){ link, link->to_ns - 1, link->to_ns };
}

static bool path_overlaps(const struct path_slice *a, const struct path_slice *b)
{
	if (a->link->tid != b->link->tid || a->link->inst != b->link->inst || a->to_ns <= b->from_ns || b->to_ns <= a->from_ns)
		return false;
	return !(a->from_ns >= b->from_ns && a->to_ns <= b->to_ns) && !(b->from_ns >= a->from_ns && b->to_ns <= a->to_ns);
}

/* A slice of a nanosecond never overlaps another in part. */
static const struct path_slice *path_add_slice(struct path_slices *slices, struct path_slice slice)
{
	for (unsigned int i = 0; i < slices->nr; i++)
		if (path_overlaps(&slice, &slices->at[i]))
			slice.from_ns = slice.to_ns - 1;
	slices->at[slices->nr] = slice;
	return &slices->at[slices->nr++];
}

static void path_put_slice(struct rs_ctx *c, struct rs_chrome *ch, const struct rs_chain *chain, unsigned int i, unsigned int number,
			   const struct path_slice *slice, const struct rs_chrome_track *at)
{
	const struct rs_chain_link *link = slice->link;
	const char *part = rs_part_row(link->part)->name;
	char name[64], text[512];

	if (link->followed)
		snprintf(name, sizeof name, "waits for %s (%s)", link[1].comm, part);
	else
		snprintf(name, sizeof name, "%s", link->part == RS_PART_RUN ? "on a CPU" : part);
	rs_chain_text(c, chain, i, text, sizeof text);
	rs_chrome_link(ch, at, slice->from_ns, slice->to_ns, name, number, i + 1, text);
}

/* From the last link to the first. A link whose longest wait was earlier than the next link's begins another flow. */
static void path_put(struct rs_ctx *c, struct rs_chrome *ch, const struct rs_chain *chain, unsigned int number, struct path_slices *slices)
{
	const struct path_slice *of[RS_MAX_LINKS];
	struct rs_chrome_track at[RS_MAX_LINKS];

	for (unsigned int i = 0; i < chain->nr; i++) {
		of[i] = path_add_slice(slices, path_find_slice(chain, i));
		rs_chrome_track_link(ch, &chain->at[i], &at[i]);
		path_put_slice(c, ch, chain, i, number, of[i], &at[i]);
	}
	for (unsigned int i = chain->nr; i--;) {
		bool begins = i == chain->nr - 1 || of[i]->to_ns < of[i + 1]->to_ns, ends = !i || of[i - 1]->to_ns < of[i]->to_ns;

		ch->next_id += begins;
		if (!begins || !ends)
			rs_chrome_path_flow(ch, begins ? 's' : ends ? 'f' : 't', &at[i], of[i]->to_ns - 1);
	}
}

/* A single link is a wait that no other task ended: its slice says all, and there is nothing to draw. */
void rs_chrome_put_paths(struct rs_ctx *c, struct rs_chrome *ch, const struct rs_chain_list *chains)
{
	struct path_slices slices = { .nr = 0 };

	for (unsigned int i = 0, number = 0; i < chains->nr; i++)
		if (chains->at[i].chain.nr > 1)
			path_put(c, ch, &chains->at[i].chain, ++number, &slices);
}
