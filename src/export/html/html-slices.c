// SPDX-License-Identifier: GPL-2.0-or-later
/* html-slices - which states the page's timeline has one by one, and their numbers in the page */
#include "export/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"

struct rs_html_named {
	struct rs_map_node node;
	int32_t tid, pid;
	uint32_t put;           /* its number in the page, 1 more; 0: not in it */
	char name[48], process[RS_COMM_LEN];
};

struct rs_html_told {
	struct rs_map_node node;
	struct rs_html_kind kind;
	uint32_t put;
};

bool rs_html_slices_init(struct rs_html_slices *s, unsigned int nr_tracks)
{
	s->at = calloc(RS_HTML_SLICES, sizeof *s->at);
	s->tracks = calloc(nr_tracks + 1, sizeof *s->tracks);
	s->parties = calloc(RS_HTML_PARTIES, sizeof *s->parties);
	s->kinds = calloc(RS_HTML_KINDS, sizeof *s->kinds);
	s->nr_tracks = nr_tracks;
	s->nr_parties = RS_HTML_NR_NOBODY;
	return rs_map_init(&s->parties_map, 256) && rs_map_init(&s->kinds_map, 1024) && s->at && s->tracks &&
	       s->parties && s->kinds;
}

void rs_html_slices_done(struct rs_html_slices *s)
{
	rs_map_done(&s->parties_map);
	rs_map_done(&s->kinds_map);
	free(s->at);
	free(s->tracks);
	free(s->parties);
	free(s->kinds);
	*s = (struct rs_html_slices){ 0 };
}

void rs_html_slices_reuse(struct rs_html_slices *s, unsigned int track)
{
	s->tracks[track].use++;
	s->tracks[track].least_ns = 0;
}

/* ---- names and kinds, once each ---- */

uint32_t rs_html_slices_party(struct rs_html_slices *s, const struct rs_html_party *party)
{
	uint64_t hash = rs_hash_pair(rs_hash_bytes(party->name, strlen(party->name)), (uint32_t)party->tid);
	struct rs_html_named *w;

	for (struct rs_map_node *n = rs_map_find(&s->parties_map, hash); n; n = rs_map_find_next(n)) {
		w = RS_MAP_ENTRY(n, struct rs_html_named, node);
		if (w->tid == party->tid && !strncmp(w->name, party->name, sizeof w->name - 1))
			return (uint32_t)(w - s->parties);
	}
	if (s->nr_parties == RS_HTML_PARTIES)
		return RS_HTML_ANYBODY;
	w = &s->parties[s->nr_parties];
	w->tid = party->tid;
	w->pid = party->pid;
	rs_copy(w->name, sizeof w->name, party->name);
	rs_copy(w->process, sizeof w->process, party->process);
	rs_map_add(&s->parties_map, &w->node, hash);
	return s->nr_parties++;
}

/* Returns RS_HTML_KINDS if there are too many. */
static uint32_t html_slices_kind(struct rs_html_slices *s, const struct rs_html_kind *kind)
{
	uint64_t hash = rs_hash_bytes(kind, sizeof *kind);
	struct rs_html_told *k;

	for (struct rs_map_node *n = rs_map_find(&s->kinds_map, hash); n; n = rs_map_find_next(n)) {
		k = RS_MAP_ENTRY(n, struct rs_html_told, node);
		if (!memcmp(&k->kind, kind, sizeof *kind))
			return (uint32_t)(k - s->kinds);
	}
	if (s->nr_kinds == RS_HTML_KINDS)
		return RS_HTML_KINDS;
	k = &s->kinds[s->nr_kinds];
	k->kind = *kind;
	rs_map_add(&s->kinds_map, &k->node, hash);
	return s->nr_kinds++;
}

/* ---- slices ---- */

static bool html_slices_is_stale(const struct rs_html_slices *s, const struct rs_html_slice *slice)
{
	return slice->use != s->tracks[slice->track].use;
}

static void html_slices_drop_stale(struct rs_html_slices *s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		if (!html_slices_is_stale(s, &s->at[i]))
			s->at[nr++] = s->at[i];
	s->nr = nr;
}

static uint64_t html_slices_len(const struct rs_html_slice *slice)
{
	return slice->to_ns - slice->from_ns;
}

/* By track, the longest first. */
static int html_slices_compare_len(const void *a, const void *b)
{
	const struct rs_html_slice *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (html_slices_len(x) != html_slices_len(y))
		return html_slices_len(x) > html_slices_len(y) ? -1 : 1;
	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

static int html_slices_compare_time(const void *a, const void *b)
{
	const struct rs_html_slice *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* Returns where the slices of the track that begins there end. */
static size_t html_slices_end_of_track(const struct rs_html_slices *s, size_t i)
{
	uint32_t track = s->at[i].track;

	while (i < s->nr && s->at[i].track == track)
		i++;
	return i;
}

/* Returns how many slices there are if no track has more than most. */
static size_t html_slices_nr_with(const struct rs_html_slices *s, size_t most)
{
	size_t sum = 0;

	for (size_t i = 0, end; i < s->nr; i = end) {
		end = html_slices_end_of_track(s, i);
		sum += end - i < most ? end - i : most;
	}
	return sum;
}

/* Keeps the longest of each track, all in all at most nr. */
static void html_slices_shrink(struct rs_html_slices *s, size_t nr)
{
	size_t most = 0, kept = 0;

	qsort(s->at, s->nr, sizeof *s->at, html_slices_compare_len);
	for (size_t step = RS_HTML_SLICES; step; step /= 2)
		if (html_slices_nr_with(s, most + step) <= nr)
			most += step;
	for (size_t i = 0, end; i < s->nr; i = end) {
		size_t of_track = html_slices_end_of_track(s, i) - i;
		struct rs_html_track *track = &s->tracks[s->at[i].track];

		end = i + of_track;
		if (of_track > most) {
			track->least_ns = html_slices_len(&s->at[i + most]);
			of_track = most;
		}
		memmove(&s->at[kept], &s->at[i], of_track * sizeof *s->at);
		kept += of_track;
	}
	s->nr = kept;
}

static void html_slices_make_room(struct rs_html_slices *s)
{
	html_slices_drop_stale(s);
	if (s->nr > RS_HTML_SLICES / 4 * 3)
		html_slices_shrink(s, RS_HTML_SLICES / 2);
}

void rs_html_slices_add(struct rs_html_slices *s, unsigned int track, uint64_t from_ns, uint64_t to_ns,
			const struct rs_html_kind *kind)
{
	struct rs_html_kind plain = { .state = kind->state, .part = RS_NR_PARTS };
	uint32_t nr = html_slices_kind(s, kind);

	if (nr == RS_HTML_KINDS)
		nr = html_slices_kind(s, &plain);
	if (nr == RS_HTML_KINDS)
		return;
	if (s->nr == RS_HTML_SLICES)
		html_slices_make_room(s);
	if (rs_html_slices_takes(s, track, to_ns - from_ns))
		s->at[s->nr++] =
			(struct rs_html_slice){ from_ns, to_ns, track, s->tracks[track].use, nr };
}

void rs_html_slices_visit(const struct rs_html_slices *s, unsigned int track, uint64_t from_ns,
			    uint64_t to_ns, void (*visit)(void *arg, int32_t tid), void *arg)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct rs_html_slice *slice = &s->at[i];
		const struct rs_html_kind *kind = &s->kinds[slice->kind].kind;

		if (slice->track != track || slice->from_ns >= to_ns || slice->to_ns <= from_ns ||
		    html_slices_is_stale(s, slice))
			continue;
		if (s->parties[kind->waker].tid)
			visit(arg, s->parties[kind->waker].tid);
		if (s->parties[kind->culprit].tid)
			visit(arg, s->parties[kind->culprit].tid);
	}
}

const struct rs_html_kind *rs_html_slices_kind_at(const struct rs_html_slices *s, unsigned int track,
						  uint64_t at_ns)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct rs_html_slice *slice = &s->at[i];

		if (slice->track == track && slice->from_ns <= at_ns && at_ns < slice->to_ns &&
		    !html_slices_is_stale(s, slice))
			return &s->kinds[slice->kind].kind;
	}
	return NULL;
}

/* ---- the page ---- */

static void html_slices_put_name(struct rs_json *j, const char *name)
{
	struct rs_buf shown = RS_BUF_INIT;

	rs_escape_text(&shown, name);
	rs_json_str(j, shown.len ? shown.data : "");
	j->out->failed |= shown.failed;
	rs_buf_done(&shown);
}

static const char *const html_slices_nobody[] = {
	[RS_HTML_UNKNOWN] = "unknown",
	[RS_HTML_INTERRUPT] = "an interrupt",
	[RS_HTML_ANYBODY] = "others",
	[RS_HTML_ITSELF] = "itself",
	[RS_HTML_IDLE] = "nobody",
};

/* Numbers of the page are given in the order in which they come; returns that of a name. */
struct html_slices_numbers {
	struct rs_html_slices *s;
	uint32_t *parties, *kinds; /* those that have one, in its order */
	uint32_t nr_parties, nr_kinds;
};

static uint32_t html_slices_number_party(struct html_slices_numbers *n, uint32_t party)
{
	struct rs_html_named *w = &n->s->parties[party];

	if (!w->put) {
		n->parties[n->nr_parties] = party;
		w->put = ++n->nr_parties;
	}
	return w->put - 1;
}

static uint32_t html_slices_number_kind(struct html_slices_numbers *n, uint32_t kind)
{
	struct rs_html_told *k = &n->s->kinds[kind];

	if (!k->put) {
		n->kinds[n->nr_kinds] = kind;
		k->put = ++n->nr_kinds;
	}
	return k->put - 1;
}

static bool html_slices_numbers_init(struct html_slices_numbers *n, struct rs_html_slices *s)
{
	*n = (struct html_slices_numbers){ .s = s };
	n->parties = calloc(s->nr_parties, sizeof *n->parties);
	n->kinds = calloc(s->nr_kinds + 1, sizeof *n->kinds);
	for (uint32_t i = 0; i < s->nr_parties; i++)
		s->parties[i].put = 0;
	for (uint32_t i = 0; i < s->nr_kinds; i++)
		s->kinds[i].put = 0;
	if (!n->parties || !n->kinds)
		return false;
	html_slices_number_party(n, RS_HTML_UNKNOWN); /* is 0 in the page, too */
	return true;
}

/* The time from the end of the slice before, its length and its kind. */
static void html_slices_put_track(struct html_slices_numbers *n, const struct rs_html_drawn *drawn,
				  uint64_t begin_ns, struct rs_json *j)
{
	const struct rs_html_slices *s = n->s;
	uint64_t end_ns = begin_ns;

	rs_json_open(j, '{');
	if (drawn->cpu >= 0) {
		rs_json_put_u64(j, "cpu", (uint64_t)drawn->cpu);
	} else {
		char inks[RS_NR_CAUSES + 1];

		rs_html_ink_put(&drawn->ink, inks);
		rs_json_key(j, "inks");
		rs_json_str(j, inks);
		rs_json_put_u64(j, "party", html_slices_number_party(n, drawn->party));
	}
	rs_json_put_u64(j, "y", (uint64_t)drawn->y);
	rs_json_put_u64(j, "shorter_ns", s->tracks[drawn->track].least_ns);
	rs_json_key(j, "slices");
	rs_json_open(j, '[');
	for (size_t i = 0; i < s->nr; i++) {
		const struct rs_html_slice *slice = &s->at[i];

		if (slice->track != drawn->track)
			continue;
		rs_json_i64(j, (int64_t)(slice->from_ns - end_ns));
		rs_json_u64(j, html_slices_len(slice));
		rs_json_u64(j, html_slices_number_kind(n, slice->kind));
		end_ns = slice->to_ns;
	}
	rs_json_close(j, ']');
	rs_json_close(j, '}');
}

static void html_slices_put_kinds(struct html_slices_numbers *n, struct rs_json *j)
{
	rs_json_key(j, "kinds");
	rs_json_open(j, '[');
	for (uint32_t i = 0; i < n->nr_kinds; i++) {
		const struct rs_html_kind *k = &n->s->kinds[n->kinds[i]].kind;

		rs_json_open(j, '[');
		rs_json_u64(j, k->state);
		rs_json_u64(j, html_slices_number_party(n, k->ran));
		rs_json_u64(j, html_slices_number_party(n, k->waker));
		rs_json_u64(j, html_slices_number_party(n, k->culprit));
		rs_json_u64(j, k->part);
		rs_json_u64(j, k->cpu);
		rs_json_u64(j, k->open);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

static void html_slices_put_parties(struct html_slices_numbers *n, struct rs_json *j)
{
	rs_json_key(j, "parties");
	rs_json_open(j, '[');
	for (uint32_t i = 0; i < n->nr_parties; i++) {
		const struct rs_html_named *w = &n->s->parties[n->parties[i]];

		rs_json_open(j, '[');
		if (n->parties[i] < RS_HTML_NR_NOBODY)
			rs_json_str(j, html_slices_nobody[n->parties[i]]);
		else
			html_slices_put_name(j, w->name);
		rs_json_i64(j, w->tid);
		rs_json_i64(j, w->pid);
		html_slices_put_name(j, w->process);
		rs_json_close(j, ']');
	}
	rs_json_close(j, ']');
}

static void html_slices_put_all(struct rs_html_slices *s, const struct rs_html_drawn *drawn,
				unsigned int nr_drawn, uint64_t begin_ns, struct rs_json *j)
{
	struct html_slices_numbers n;

	if (html_slices_numbers_init(&n, s)) {
		rs_json_key(j, "tracks");
		rs_json_open(j, '[');
		for (unsigned int i = 0; i < nr_drawn; i++)
			html_slices_put_track(&n, &drawn[i], begin_ns, j);
		rs_json_close(j, ']');
		html_slices_put_kinds(&n, j);
		html_slices_put_parties(&n, j);
	} else {
		j->out->failed = true;
	}
	free(n.parties);
	free(n.kinds);
}

/* Slices of tracks that are not drawn are dropped. */
static void html_slices_choose(struct rs_html_slices *s, const struct rs_html_drawn *drawn,
			       unsigned int nr_drawn)
{
	bool *is_drawn = calloc(s->nr_tracks + 1, sizeof *is_drawn);
	size_t nr = 0;

	for (unsigned int i = 0; is_drawn && i < nr_drawn; i++)
		is_drawn[drawn[i].track] = true;
	for (size_t i = 0; is_drawn && i < s->nr; i++)
		if (is_drawn[s->at[i].track] && !html_slices_is_stale(s, &s->at[i]))
			s->at[nr++] = s->at[i];
	s->nr = nr;
	free(is_drawn);
}

void rs_html_slices_put(struct rs_html_slices *s, const struct rs_html_drawn *drawn, unsigned int nr_drawn,
			uint64_t begin_ns, size_t max_bytes, struct rs_json *j)
{
	struct rs_json start = *j;
	size_t len = j->out->len;

	html_slices_choose(s, drawn, nr_drawn);
	for (;;) {
		qsort(s->at, s->nr, sizeof *s->at, html_slices_compare_time);
		html_slices_put_all(s, drawn, nr_drawn, begin_ns, j);
		if (j->out->len - len <= max_bytes || !s->nr || j->out->failed)
			return;
		j->out->len = len;
		*j = start;
		html_slices_shrink(s, s->nr / 4 * 3);
	}
}
