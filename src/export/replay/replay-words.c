// SPDX-License-Identifier: GPL-2.0-or-later
/* replay-words - what happens, in words: a caption for each moment, the last sentence, how fast it plays */
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "export/replay/replay.h"

/* ---- captions ---- */

/*
 * Whose state explains the moment: the last task of the path that was waited for then, but for one of which
 * it is not known what it did. NULL: none.
 */
static const struct rs_replay_track *words_find_track(const struct rs_replay *r, uint64_t ns)
{
	const struct rs_replay_track *found = NULL;

	for (unsigned int i = 0; i < r->nr_tracks; i++) {
		const struct rs_replay_track *track = &r->tracks[i];

		if (track->on_path && ns >= track->part_from_ns && ns < track->part_to_ns &&
		    rs_replay_steps_at(r, track, ns))
			found = track;
	}
	return found;
}

/* What that CPU, or with RS_REPLAY_DISK any disk, does then. NULL: unknown. */
static const struct rs_replay_step *words_find_step(const struct rs_replay *r, enum rs_replay_track_kind kind,
						    unsigned int cpu, uint64_t ns,
						    const struct rs_replay_track **of)
{
	for (unsigned int i = 0; i < r->nr_tracks; i++) {
		const struct rs_replay_track *track = &r->tracks[i];
		bool is_it = track->kind == kind && (kind == RS_REPLAY_DISK || track->id == cpu);
		const struct rs_replay_step *step = is_it ? rs_replay_steps_at(r, track, ns) : NULL;

		if (step) {
			*of = track;
			return step;
		}
	}
	return NULL;
}

/* What stands between the name and what it does. */
static const char *words_role(const struct rs_replay_track *track)
{
	if (!strcmp(track->role, "holder"))
		return " has the lock,";
	return strcmp(track->role, "victim") ? " is waited for," : "";
}

/* "audit-log (24669) has the lock, waits for CPU 1: encode (24665) runs": who has what it wants now. */
static void words_put_caption(const struct rs_replay *r, uint64_t ns, char *text, size_t size_bytes)
{
	const struct rs_replay_track *track = words_find_track(r, ns), *of;
	const struct rs_replay_step *step = track ? rs_replay_steps_at(r, track, ns) : NULL, *other = NULL;

	if (!step) {
		snprintf(text, size_bytes, "not known: no event tells");
		return;
	}
	if (step->cause == RS_CAUSE_DISK)
		other = words_find_step(r, RS_REPLAY_DISK, 0, ns, &of);
	else if (step->cause == RS_CAUSE_DELAY || step->cause == RS_CAUSE_PREEMPTED)
		other = words_find_step(r, RS_REPLAY_CPU, step->cpu, ns, &of);
	snprintf(text, size_bytes, "%s%s %s%s%s%s%s", track->name, words_role(track), step->text,
		 other ? ": " : "", other && step->cause == RS_CAUSE_DISK ? of->name : "",
		 other && step->cause == RS_CAUSE_DISK ? ", " : "", other ? other->text : "");
}

/* One that would be replaced at once is not shown: nobody can read it. */
static void words_add_caption(struct rs_replay *r, uint64_t ns)
{
	const uint64_t least_ns = (r->to_ns - r->from_ns) / (RS_REPLAY_CAPTIONS - 2);
	unsigned int nr = r->nr_captions;
	char text[RS_REPLAY_TEXT];

	words_put_caption(r, ns, text, sizeof text);
	if (nr && !strcmp(r->captions[nr - 1].text, text))
		return;
	if (nr && ns - r->captions[nr - 1].from_ns < least_ns)
		ns = r->captions[--nr].from_ns;
	r->nr_captions = nr;
	if (nr == RS_REPLAY_CAPTIONS || (nr && !strcmp(r->captions[nr - 1].text, text)))
		return;
	r->captions[nr].from_ns = ns;
	rs_copy(r->captions[nr].text, sizeof r->captions[nr].text, text);
	r->nr_captions++;
}

static int words_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void rs_replay_words_sort(uint64_t *times, size_t nr)
{
	qsort(times, nr, sizeof *times, words_compare);
}

static void words_make_captions(struct rs_replay *r)
{
	uint64_t times[2 * RS_REPLAY_STEPS + 2 * RS_REPLAY_TRACKS + 1];
	size_t nr = 0;

	times[nr++] = r->from_ns;
	for (unsigned int i = 0; i < r->nr_steps; i++) {
		times[nr++] = r->steps[i].from_ns;
		times[nr++] = r->steps[i].to_ns;
	}
	for (unsigned int i = 0; i < r->nr_tracks; i++) {
		times[nr++] = r->tracks[i].part_from_ns;
		times[nr++] = r->tracks[i].part_to_ns;
	}
	rs_replay_words_sort(times, nr);
	for (size_t i = 0; i < nr; i++)
		if (times[i] >= r->from_ns && times[i] < r->to_ns)
			words_add_caption(r, times[i]);
}

const struct rs_replay_caption *rs_replay_words_at(const struct rs_replay *r, uint64_t ns)
{
	const struct rs_replay_caption *found = NULL;

	for (unsigned int i = 0; i < r->nr_captions && r->captions[i].from_ns <= ns; i++)
		found = &r->captions[i];
	return found;
}

/* ---- the last sentence ---- */

static void words_put_time(struct rs_buf *b, uint64_t ns)
{
	char number[RS_UNIT_TEXT];

	rs_buf_add(b, number, rs_units_put_duration(number, ns, RS_UNIT_AUTO, -1));
}

/* "audit-log (24669), holder, 102ms": a step of the path. */
static void words_put_node(struct rs_buf *b, const struct rs_wait_node *n)
{
	const char *role = rs_wait_node_role(n);

	if (n->kind == RS_WAIT_NODE_PART)
		rs_buf_puts(b, n->part == RS_PART_RUN ? "on a CPU" : rs_part_row(n->part)->name);
	else
		rs_buf_puts(b, n->name);
	if (n->kind != RS_WAIT_NODE_PART && n->tid > 0)
		rs_buf_printf(b, " (%d)", (int)n->tid);
	if (n->kind == RS_WAIT_NODE_CULPRIT && n->part == RS_PART_QUEUE)
		rs_buf_puts(b, " ran in its place");
	else if (n->kind == RS_WAIT_NODE_TASK && role)
		rs_buf_printf(b, ", %s", role);
	rs_buf_puts(b, ", ");
	words_put_time(b, n->ns);
}

/* "order (24667) waited 102ms. Most of that, step by step: audit-log (24669), holder, 102ms; run queue" */
static void words_make_last(struct rs_replay *r, const struct rs_wait_tree *tree)
{
	const char *between = ". Most of that, step by step: ";
	struct rs_buf b = RS_BUF_INIT;

	rs_buf_printf(&b, "%s (%d) waited ", tree->at[0].name, (int)tree->at[0].tid);
	words_put_time(&b, r->to_ns - r->from_ns);
	for (unsigned int i = 1; i < tree->nr; i++) {
		if (!tree->at[i].on_path || tree->at[i].kind == RS_WAIT_NODE_OTHERS)
			continue;
		rs_buf_puts(&b, between);
		words_put_node(&b, &tree->at[i]);
		between = "; ";
	}
	if (!b.failed)
		rs_copy(r->last, sizeof r->last, b.data);
	rs_buf_done(&b);
}

void rs_replay_words_make(struct rs_replay *r, const struct rs_wait_tree *tree)
{
	if (!*r->headline)
		snprintf(r->headline, sizeof r->headline,
			 "%s (%d): the slowest wait that cost time, of no finding", tree->at[0].name,
			 (int)tree->at[0].tid);
	r->nr_captions = 0;
	words_make_captions(r);
	words_make_last(r, tree);
}

/* ---- how fast ---- */

unsigned int rs_replay_words_play_ms(const struct rs_replay *r)
{
	uint64_t us = (r->to_ns - r->from_ns) / 1000;

	if (us > RS_REPLAY_MOST_MS * 1000ull / RS_REPLAY_SLOWER)
		return RS_REPLAY_MOST_MS;
	if (us < RS_REPLAY_LEAST_MS * 1000ull / RS_REPLAY_SLOWER)
		return RS_REPLAY_LEAST_MS;
	return (unsigned int)(us * RS_REPLAY_SLOWER / 1000);
}

/* Whole numbers where they say enough: "29 times", "1.5 times". */
static size_t words_put_times(char *to, uint64_t more, uint64_t less)
{
	if (more / 10 >= less)
		return rs_units_put_u64(to, (more + less / 2) / less);
	return rs_units_put_fixed(to, (more * 10 + less / 2) / less, 1);
}

void rs_replay_words_speed(const struct rs_replay *r, char *text, size_t size_bytes)
{
	uint64_t ns = r->to_ns - r->from_ns, play_ms = rs_replay_words_play_ms(r);
	uint64_t play_us = play_ms * 1000, us = ns / 1000 ? ns / 1000 : 1;
	bool is_slower = play_us >= us;
	char number[RS_UNIT_TEXT];
	struct rs_buf b = RS_BUF_INIT;

	words_put_time(&b, ns);
	rs_buf_puts(&b, " from ");
	rs_buf_add(&b, number, rs_units_put_seconds_since(number, r->from_ns, r->begin_ns));
	rs_buf_puts(&b, " s on, ");
	rs_buf_add(&b, number,
		   is_slower ? words_put_times(number, play_us, us) : words_put_times(number, us, play_us));
	rs_buf_printf(&b, " times %s than it was", is_slower ? "slower" : "faster");
	rs_copy(text, size_bytes, b.failed ? "" : b.data);
	rs_buf_done(&b);
}

/* ---- lines ---- */

/* How many bytes of the text go to the line: up to its last space, else to no byte inside of a character. */
static size_t words_line_bytes(const char *text, size_t width)
{
	size_t len = strlen(text), at = width;

	if (len <= width)
		return len;
	while (at && text[at] != ' ')
		at--;
	if (at)
		return at;
	for (at = width; at > 1 && ((unsigned char)text[at] & 0xc0) == 0x80;)
		at--;
	return at;
}

void rs_replay_words_wrap(const char *text, size_t width, unsigned int nr_lines,
			  void (*put)(void *arg, unsigned int nr, const char *line), void *arg)
{
	char line[400];

	for (unsigned int nr = 0; *text && nr < nr_lines; nr++) {
		bool is_last = nr + 1 == nr_lines;
		size_t len = words_line_bytes(text, width);

		if (is_last && text[len])
			len = words_line_bytes(text, width - 3);
		snprintf(line, sizeof line, "%.*s%s", (int)len, text, is_last && text[len] ? "..." : "");
		put(arg, nr, line);
		text += len;
		while (*text == ' ')
			text++;
	}
}
