// SPDX-License-Identifier: GPL-2.0-or-later
/* side-align - names of processes that two sides tell apart by what they know of them */
#include "compare/side-align.h"

#include <stdlib.h>
#include <string.h>

#include "base/vector.h"

/* What one side has of a name: alone, with what lasts of one command line, with several of these. */
struct align_side {
	bool is_alone;
	const char *longer;         /* "python3 old.py"; NULL: none */
	bool has_several;
};

struct align_name {
	struct rs_map_node node;
	struct align_side a, b;
	bool is_shortened;          /* to this name, on both sides */
	size_t len;
	char text[];                /* the name, without an end */
};

struct align_names {
	struct rs_map map;
	struct align_name **at;
	size_t nr, room;
};

/* ---- which there are ---- */

static struct align_name *align_find(const struct align_names *names, const char *text, size_t len)
{
	struct rs_map_node *n = rs_map_find(&names->map, rs_hash_bytes(text, len));

	for (; n; n = rs_map_find_next(n)) {
		struct align_name *name = RS_MAP_ENTRY(n, struct align_name, node);

		if (name->len == len && !memcmp(name->text, text, len))
			return name;
	}
	return NULL;
}

static struct align_name *align_get(struct align_names *names, const char *text)
{
	size_t len = strcspn(text, " ");
	struct align_name *name = align_find(names, text, len), **at;

	if (name)
		return name;
	name = calloc(1, sizeof *name + len);
	at = name ? RS_VECTOR_ADD(&names->at, &names->nr, &names->room) : NULL;
	if (!at) {
		free(name);
		return NULL;
	}
	*at = name;
	memcpy(name->text, text, len);
	name->len = len;
	rs_map_add(&names->map, &name->node, rs_hash_bytes(text, len));
	return name;
}

static bool align_note(struct align_names *names, const char *text, bool is_b)
{
	struct align_name *name = align_get(names, text);
	struct align_side *side = name ? is_b ? &name->b : &name->a : NULL;

	if (!side)
		return false;
	if (!text[name->len])
		side->is_alone = true;
	else if (!side->longer)
		side->longer = text;
	else
		side->has_several |= strcmp(side->longer, text) != 0;
	return true;
}

static bool align_note_view(struct align_names *names, const struct rs_side_view *view, bool is_b)
{
	for (size_t r = 0; r < view->nr_rows; r++)
		for (unsigned int i = 0; i < view->nr_keys; i++)
			if (view->pids[i] != RS_SIDE_NO_PID &&
			    !align_note(names, rs_side_key(view->rows[r], i), is_b))
				return false;
	return true;
}

/* ---- which are shortened ---- */

static bool align_is_unknown(const struct align_side *side)
{
	return side->is_alone && !side->longer;
}

static bool align_shortens(const struct align_name *name)
{
	const struct align_side *a = &name->a, *b = &name->b;

	if ((align_is_unknown(a) && b->longer) || (align_is_unknown(b) && a->longer))
		return true;
	if (!a->longer || !b->longer || a->has_several || b->has_several)
		return false;
	return a->is_alone || b->is_alone || strcmp(a->longer, b->longer) != 0;
}

/* Writes the key as it shall be; false: that is as it is. */
static bool align_put_key(const struct align_names *names, const struct rs_side_view *view,
			  const struct rs_side_row *row, struct rs_buf *key)
{
	bool is_other = false;

	rs_buf_clear(key);
	for (unsigned int i = 0; i < view->nr_keys; i++) {
		const char *text = rs_side_key(row, i);
		size_t len = strlen(text), short_len = strcspn(text, " ");
		const struct align_name *name =
			view->pids[i] != RS_SIDE_NO_PID ? align_find(names, text, short_len) : NULL;

		if (name && short_len < len && name->is_shortened) {
			is_other = true;
			len = short_len;
		}
		rs_buf_add(key, text, len);
		rs_buf_putc(key, '\0');
	}
	return is_other;
}

static bool align_view(const struct align_names *names, struct rs_side *side, struct rs_side_view *view)
{
	struct rs_buf key = RS_BUF_INIT;
	bool is_good = true;

	/* backwards: the last takes the place of one that becomes part of another */
	for (size_t r = view->nr_rows; is_good && r-- > 0;)
		if (align_put_key(names, view, view->rows[r], &key))
			is_good = !key.failed && rs_side_set_key(side, view, r, key.data, key.len);
	rs_buf_done(&key);
	return is_good;
}

static bool align_sides(struct align_names *names, struct rs_side *a, struct rs_side *b)
{
	bool is_good = true;

	for (size_t i = 0; is_good && i < a->nr_views; i++)
		is_good = align_note_view(names, &a->views[i], false) &&
			  align_note_view(names, &b->views[i], true);
	for (size_t i = 0; i < names->nr; i++)
		names->at[i]->is_shortened = align_shortens(names->at[i]);
	for (size_t i = 0; is_good && i < a->nr_views; i++)
		is_good = align_view(names, a, &a->views[i]) && align_view(names, b, &b->views[i]);
	return is_good;
}

bool rs_side_align(struct rs_side *a, struct rs_side *b)
{
	struct align_names names = { 0 };
	bool is_good = rs_map_init(&names.map, 64) && align_sides(&names, a, b);

	for (size_t i = 0; i < names.nr; i++)
		free(names.at[i]);
	free(names.at);
	rs_map_done(&names.map);
	return is_good;
}
