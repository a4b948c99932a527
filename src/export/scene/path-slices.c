// SPDX-License-Identifier: GPL-2.0-or-later
/* path-slices - critical paths as slices and flows: what the slowest calls and waits waited for */
#include "export/scene/path-slices.h"

#include <stdio.h>

/* All that were drawn: of one wait several chains may have overlapping parts. */
struct path_slices {
	struct path_place {
		const struct rs_chain_link *link;
		uint64_t from_ns, to_ns;
	} at[RS_MAX_CHAINS * RS_MAX_LINKS];
	unsigned int nr;
};

/*
 * Calls begin and end while a task runs, so only what it waits for is sure to lie within its other slices, or
 * around them.
 */
static bool path_is_wait(const struct rs_chain_link *link)
{
	enum rs_cause cause = rs_part_row(link->part)->cause;

	return cause != RS_CAUSE_RUN && cause != RS_CAUSE_IRQ && link->part != RS_PART_UNKNOWN;
}

static struct path_place path_find_place(const struct rs_chain *chain, unsigned int i)
{
	const struct rs_chain_link *link = &chain->at[i];

	if (link->followed)
		return (struct path_place){ link, link[1].from_ns, link[1].to_ns };
	if (path_is_wait(link) && link->culprit.piece_ns)
		return (struct path_place){ link, link->culprit.at_ns,
					    link->culprit.at_ns + link->culprit.piece_ns };
	return (struct path_place){ link, link->to_ns - 1, link->to_ns };
}

static bool path_overlaps(const struct path_place *a, const struct path_place *b)
{
	if (a->link->tid != b->link->tid || a->link->inst != b->link->inst || a->to_ns <= b->from_ns ||
	    b->to_ns <= a->from_ns)
		return false;
	return !(a->from_ns >= b->from_ns && a->to_ns <= b->to_ns) &&
	       !(b->from_ns >= a->from_ns && b->to_ns <= a->to_ns);
}

/* A slice of a nanosecond never overlaps another in part. */
static const struct path_place *path_add_place(struct path_slices *slices, struct path_place slice)
{
	for (unsigned int i = 0; i < slices->nr; i++)
		if (path_overlaps(&slice, &slices->at[i]))
			slice.from_ns = slice.to_ns - 1;
	slices->at[slices->nr] = slice;
	return &slices->at[slices->nr++];
}

static void path_make_slice(struct rs_ctx *c, const struct rs_chain *chain, unsigned int i,
			    const struct path_place *place, unsigned int path, struct rs_path_slice *slice)
{
	const struct rs_chain_link *link = place->link;
	const char *part = rs_part_row(link->part)->name;

	slice->link = link;
	slice->from_ns = place->from_ns;
	slice->to_ns = place->to_ns;
	slice->path = path;
	slice->number = i + 1;
	if (link->followed)
		snprintf(slice->name, sizeof slice->name, "waits for %s (%s)", link[1].comm, part);
	else
		snprintf(slice->name, sizeof slice->name, "%s",
			 link->part == RS_PART_RUN ? "on a CPU" : part);
	rs_chain_text(c, chain, i, slice->text, sizeof slice->text);
}

/*
 * From the last link to the first. A link whose longest wait was earlier than the next link's begins another
 * flow.
 */
static void path_draw(struct rs_ctx *c, const struct rs_path_slices_drawer *drawer,
		      const struct rs_chain *chain, unsigned int path, struct path_slices *slices)
{
	struct rs_path_slice of[RS_MAX_LINKS];

	for (unsigned int i = 0; i < chain->nr; i++) {
		path_make_slice(c, chain, i, path_add_place(slices, path_find_place(chain, i)), path, &of[i]);
		drawer->slice(drawer->arg, c, &of[i]);
	}
	for (unsigned int i = chain->nr; i--;)
		drawer->flow(drawer->arg, c, &of[i], i == chain->nr - 1 || of[i].to_ns < of[i + 1].to_ns,
			     !i || of[i - 1].to_ns < of[i].to_ns);
}

/* A single link is a wait that no other task ended: its slice says all, and there is nothing to draw. */
void rs_path_slices_draw(struct rs_ctx *c, const struct rs_chain_list *chains,
			 const struct rs_path_slices_drawer *drawer)
{
	struct path_slices slices = { .nr = 0 };

	for (unsigned int i = 0, path = 0; i < chains->nr; i++)
		if (chains->at[i].chain.nr > 1)
			path_draw(c, drawer, &chains->at[i].chain, ++path, &slices);
}
