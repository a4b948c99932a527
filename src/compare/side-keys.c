// SPDX-License-Identifier: GPL-2.0-or-later
/* side-keys - by what the rows of a side are told apart: names that mean the same in another recording */
#include "compare/side-keys.h"

#include <string.h>

#include "base/comma-list.h"
#include "base/units.h"
#include "engine/short-cmdline.h"
#include "view/cell.h"

/* ---- which columns ---- */

/* Names of processes, and the columns that tell which process: its command line follows from that. */
static const struct { const char *name, *pid; } side_pids[] = {
	{ "comm", "pid" }, { "culprit", "culprit_pid" }, { "peer_comm", "peer_pid" },
};

static unsigned int side_find_pid(const struct rs_view *view, const char *name)
{
	for (size_t i = 0; i < sizeof side_pids / sizeof *side_pids; i++)
		for (unsigned int c = 0; !strcmp(side_pids[i].name, name) && view->columns[c].name; c++)
			if (view->columns[c].key && !strcmp(view->columns[c].name, side_pids[i].pid))
				return c;
	return RS_SIDE_NO_PID;
}

/* An id, an address, a descriptor or a connection is another one in the next recording. */
static bool side_lasts(const struct rs_column *c)
{
	return c->type == RS_TYPE_TEXT && !(c->flags & (RS_COLUMN_OF_FILE | RS_COLUMN_OF_STACKS)) &&
	       !strstr(c->name, "addr");
}

/* Is it one of the keys that the view's own default has, with a name for its process or thread? */
static bool side_is_own_key(const struct rs_view *view, const struct rs_column *c)
{
	const char *by = view->also_by ? view->also_by : view->by;

	if (!c->key)
		return false;
	if (!strcmp(c->name, "comm"))
		return !by || rs_comma_list_has(by, "comm") || rs_comma_list_has(by, "pid") ||
		       rs_comma_list_has(by, "tid");
	return side_lasts(c) && (c->always || (by && rs_comma_list_has(by, c->name)));
}

static void side_add_by(struct rs_side_view *v, unsigned int column)
{
	if (v->query.nr_by < RS_MAX_BY)
		v->query.by[v->query.nr_by++] = v->ref.view->columns[column].name;
}

static bool side_add_key(struct rs_side_view *v, unsigned int column)
{
	if (v->nr_keys == RS_SIDE_KEYS)
		return false;
	v->pids[v->nr_keys] = side_find_pid(v->ref.view, v->ref.view->columns[column].name);
	side_add_by(v, column);
	if (v->pids[v->nr_keys] != RS_SIDE_NO_PID)
		side_add_by(v, v->pids[v->nr_keys]);
	v->keys[v->nr_keys++] = column;
	return true;
}

int rs_side_keys_choose(struct rs_side_view *v, const char *by, struct rs_error *err)
{
	const struct rs_column *columns = v->ref.view->columns;
	unsigned int nr_found = 0, nr_asked = 0;

	for (unsigned int i = 0; columns[i].name; i++) {
		bool is_asked = by && rs_comma_list_has(by, columns[i].name);

		nr_found += is_asked && columns[i].key;
		if ((is_asked && columns[i].key) || (!by && side_is_own_key(v->ref.view, &columns[i])))
			side_add_key(v, i);
	}
	for (const char *at = by; at && *at; at += strcspn(at, ","), at += *at == ',')
		nr_asked++;
	if (nr_found < nr_asked)
		return rs_fail_usage(err, "--by %s: %s is not grouped by all of these (ringside %s --columns "
					  "help lists its keys)",
				     by, v->ref.view->name, v->ref.view->name);
	return 0;
}

/* ---- their texts ---- */

static size_t side_put_cell(const struct rs_column *c, const struct rs_value *value, char *to, size_t room)
{
	static const struct rs_cell_style style;
	char number[RS_UNIT_TEXT + 1];
	const char *text = number;
	size_t len;

	if (c->type == RS_TYPE_TEXT) {
		text = value->known ? value->s : "-";
		len = strlen(text);
	} else {
		len = rs_cell_number(&style, c, value, number);
	}
	if (len >= room)
		len = room - 1;
	memcpy(to, text, len);
	to[len] = '\0';
	return len + 1;
}

static const char *side_name_process(const struct rs_session *s, const struct rs_value *pid, const char *comm,
				     char buf[RS_SHORT_ARGS_BYTES])
{
	bool is_one = pid->known && pid->u && pid->u <= INT32_MAX;

	return is_one ? rs_short_cmdline_lasting(s, (int32_t)pid->u, comm, buf, RS_SHORT_ARGS_BYTES) : NULL;
}

size_t rs_side_keys_put(const struct rs_side_view *view, const struct rs_session *s,
			const struct rs_value *values, char key[RS_SIDE_KEY_BYTES])
{
	char name[RS_SHORT_ARGS_BYTES];
	size_t len = 0;

	for (unsigned int i = 0; i < view->nr_keys; i++) {
		struct rs_value value = values[view->keys[i]];

		if (view->pids[i] != RS_SIDE_NO_PID && value.known) {
			const char *of = side_name_process(s, &values[view->pids[i]], value.s, name);

			value.s = of ? of : value.s;
		}
		len += side_put_cell(&view->ref.view->columns[view->keys[i]], &value, key + len,
				     RS_SIDE_KEY_BYTES / RS_SIDE_KEYS);
	}
	return len;
}
