// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timeline-order.c - which tracks come first: those of the wait that the screen was opened on, and who had to
 * do with them, then those that findings are about, CPUs and disks, the busiest; then ringside's own, kernel
 * threads, and what is quiet
 */
#include <stdlib.h>
#include <string.h>

#include "base/own-name.h"
#include "tui/app/app.h"
#include "tui/timeline/timeline-screen.h"

enum order_rank {
	ORDER_IN_WAIT,
	ORDER_WAKES,    /* it woke one of these, or was woken by one, meanwhile */
	ORDER_SHARES,   /* it used the same disk meanwhile */
	ORDER_KIN,      /* of the process of a task in the wait */
	ORDER_COST,     /* a finding is about it */
	ORDER_MACHINE,  /* CPUs and disks */
	ORDER_OTHER,
	ORDER_OWN,
	ORDER_KERNEL,
	ORDER_QUIET_HEADING,
	ORDER_QUIET,
};

struct order_key {
	unsigned int group;      /* tracks stay below the heading of their machine */
	enum order_rank rank;
	size_t first;            /* within the rank: in the wait, or by cost, or by spans */
	size_t then;             /* of a process with a finding: the slowest thread, then by spans */
	size_t at;               /* index in the engine's order, by process */
};

/* Returns the place of a track in the wait, or of its process; the number of roles: it takes no part. */
static size_t order_find_role(const struct rs_timeline_screen *t, const struct rs_tl_track *track, bool kin)
{
	const char *name = rs_timeline_engine_name(track->name);
	size_t i = 0;

	for (; i < t->cast.nr; i++) {
		const struct rs_tl_role *role = &t->cast.at[i];

		if (kin ? track->pid > 0 && role->pid == track->pid : !strcmp(role->track, name))
			break;
	}
	return i;
}

/* By powers of two: live, a list that follows small changes would not stand still. */
static size_t order_quietness(uint64_t nr_spans)
{
	size_t halvings = 0;

	while (nr_spans >>= 1)
		halvings++;
	return 64 - halvings;
}

/* Of all threads of the process together, so that these stay beside each other. */
static uint64_t order_count_spans(const struct rs_timeline_screen *t, const struct rs_tl_track *of)
{
	const struct rs_tui_machine *machine = rs_timeline_machine(t, of->name);
	uint64_t nr = 0;

	if (of->pid <= 0)
		return of->nr_spans;
	for (const struct rs_tl_track *track = t->tracks; track < t->tracks + t->nr_tracks; track++)
		if (track->pid == of->pid && rs_timeline_machine(t, track->name) == machine)
			nr += track->nr_spans;
	return nr;
}

static void order_rank(const struct rs_timeline_screen *t, const struct rs_tl_track *track,
		       struct order_key *key)
{
	const struct rs_pains *pains = &rs_timeline_machine(t, track->name)->pains;
	bool of_task = track->of == RS_TRACK_TASK;
	const struct rs_pain *pain = of_task ? rs_pains_find(pains, track->pid, track->label) : NULL;
	size_t role = order_find_role(t, track, false), kin = order_find_role(t, track, true);

	if (role < t->cast.nr) {
		key->rank = ORDER_IN_WAIT;
		key->first = role;
	} else if (*track->involved) {
		key->rank = strcmp(track->involved, "same disk") ? ORDER_WAKES : ORDER_SHARES;
		key->first = order_quietness(track->nr_spans);
	} else if (kin < t->cast.nr) {
		key->rank = ORDER_KIN;
		key->first = kin;
	} else if (pain) {
		key->rank = ORDER_COST;
		key->first = (size_t)(pain - pains->at);
		key->then = track->tid == pain->slowest_tid ? 0 : order_quietness(track->nr_spans);
	} else if (!of_task) {
		key->rank = ORDER_MACHINE;
	} else {
		key->rank = track->kernel_thread	? ORDER_KERNEL :
			    rs_own_name(track->label)	? ORDER_OWN :
							  ORDER_OTHER;
		key->first = order_quietness(order_count_spans(t, track));
	}
}

static int order_compare(const void *a, const void *b)
{
	const struct order_key *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->then != y->then)
		return x->then < y->then ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* A heading begins a group, and is its first. */
static void order_rank_all(const struct rs_timeline_screen *t, const bool *quiet, struct order_key *keys)
{
	unsigned int group = 0;

	for (size_t i = 0; i < t->nr_tracks; i++) {
		bool heads_quiet = rs_timeline_quiet_is_heading(t->tracks[i].name);
		bool heading = rs_timeline_is_heading(t->tracks[i].name) && !heads_quiet;

		group += heading;
		keys[i] = (struct order_key){ .group = group, .at = i };
		if (!heading && !heads_quiet)
			order_rank(t, &t->tracks[i], &keys[i]);
		if (heads_quiet || quiet[i])
			keys[i].rank = quiet[i] ? ORDER_QUIET : ORDER_QUIET_HEADING;
	}
}

/* What takes part in the wait may be too quiet for the engine's list. */
static void order_add_roles(struct rs_timeline_screen *t)
{
	for (unsigned int i = 0; i < t->cast.nr; i++) {
		char name[RS_TL_NAME];

		rs_timeline_put_name(t->screen.machine, t->cast.at[i].track, name);
		if (*name && rs_timeline_find_track(t, name) < 0)
			rs_timeline_add_track(t, t->nr_tracks, name, t->cast.at[i].label);
	}
}

/* Returns the number of tracks: the heading of the quiet ones goes where none is folded. */
static size_t order_sort(struct rs_timeline_screen *t, struct order_key *keys, struct rs_tl_track *tracks)
{
	bool quiet[RS_TL_MAX_TRACKS] = { false }, none[RS_TL_MAX_TRACKS] = { false };
	bool any = rs_timeline_quiet_list(t, quiet);
	size_t nr = 0;

	if (any)
		rs_timeline_quiet_add_heading(t);
	order_rank_all(t, any ? quiet : none, keys);
	qsort(keys, t->nr_tracks, sizeof *keys, order_compare);
	for (size_t i = 0; i < t->nr_tracks; i++)
		if (any || !rs_timeline_quiet_is_heading(t->tracks[keys[i].at].name))
			tracks[nr++] = t->tracks[keys[i].at];
	return nr;
}

void rs_timeline_order(struct rs_timeline_screen *t)
{
	struct rs_tl_track *tracks = calloc(RS_TL_MAX_TRACKS, sizeof *tracks);
	struct order_key *keys = calloc(RS_TL_MAX_TRACKS, sizeof *keys);

	t->order_of = t->screen.machine->pains.nr_read;
	if (tracks && keys) { /* else they stay as they are */
		order_add_roles(t);
		rs_timeline_replace_tracks(t, tracks, order_sort(t, keys, tracks));
		tracks = NULL;
	}
	free(tracks);
	free(keys);
}

void rs_timeline_order_anew(struct rs_timeline_screen *t)
{
	if (t->on_first && !t->touched)
		*t->at_track = '\0';
	t->placed = t->placed && t->top; /* where the first rows are seen, they still are */
	rs_timeline_order(t);
	rs_timeline_path_arrange(t);
}

/*
 * Findings may come after the tracks. Live they come all the time: only the first ones change the order of
 * tracks that are on the screen.
 */
bool rs_timeline_order_again(struct rs_timeline_screen *t)
{
	unsigned int nr_read = t->screen.machine->pains.nr_read;

	if (!t->tracks_known || t->cast.only || t->order_of == nr_read)
		return false;
	if (t->order_of && t->screen.app->live)
		return false;
	rs_timeline_order_anew(t);
	return true;
}
