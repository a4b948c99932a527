// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * selection.c - what a selected row names, and how to ask another view for the same
 *
 * A key can filter another view only if all views mean the same by it: those are the nouns below, which the
 * public headers define. "type" means one thing for a lock and another for a request, so such a key filters
 * only its own view.
 */
#include <string.h>

#include "tui/app/screen.h"
#include "view/columns.h"

static bool is_noun(const char *name)
{
	static const char *const nouns[] = { "comm", "pid", "tid", "cpu", "dev", "syscall", "event" };

	for (size_t i = 0; i < sizeof nouns / sizeof nouns[0]; i++)
		if (!strcmp(nouns[i], name))
			return true;
	return false;
}

static bool names_something(const struct rs_column *c)
{
	if (c->type != RS_TYPE_TEXT && c->type != RS_TYPE_ID)
		return false;
	return c->flags & RS_COLUMN_KEY || is_noun(c->name);
}

/* A process or a thread is in one: it names the row no better. */
static bool selection_is_group(const char *name)
{
	return !strcmp(name, "cgroup") || !strcmp(name, "unit") || !strcmp(name, "slice") ||
	       !strcmp(name, "container") || !strcmp(name, "pod");
}

static struct rs_selection_key *selection_find(struct rs_selection_keys *keys, const char *name)
{
	for (unsigned int i = 0; i < keys->nr; i++)
		if (!strcmp(keys->keys[i].column->name, name))
			return &keys->keys[i];
	return NULL;
}

const struct rs_selection_key *rs_selection_key(const struct rs_selection_keys *keys, const char *name)
{
	return selection_find((struct rs_selection_keys *)keys, name);
}

int64_t rs_selection_number(const struct rs_selection_keys *keys, const char *name)
{
	const struct rs_selection_key *key = rs_selection_key(keys, name);

	return key && key->column->type == RS_TYPE_ID ? key->value.i : -1;
}

/* Skips a text that is longer than any name in the kernel: a truncated name would match nothing. */
static void selection_put_key(struct rs_selection_keys *keys, const struct rs_column *column,
			      const struct rs_value *value)
{
	struct rs_selection_key *key = selection_find(keys, column->name);

	if (column->type == RS_TYPE_TEXT && strlen(value->s) >= sizeof key->text)
		return;
	if (!key) {
		if (keys->nr == RS_MAX_SELECTION_KEYS)
			return;
		key = &keys->keys[keys->nr++];
	}
	key->column = column;
	key->value = *value;
	if (column->type == RS_TYPE_TEXT)
		strcpy(key->text, value->s);
}

static const struct rs_value *selection_value_of(const struct rs_view *view, const struct rs_value *values,
						 const char *name)
{
	int column = rs_column_named(view, name);

	return column >= 0 && values[column].known ? &values[column] : NULL;
}

void rs_selection_add(struct rs_selection_keys *keys, const struct rs_view *view,
		      const struct rs_value *values)
{
	const struct rs_value *pid = selection_value_of(view, values, "pid"),
	*tid = selection_value_of(view, values, "tid");
	bool of_that_process = pid && rs_selection_number(keys, "pid") == pid->i;
	bool thread = tid && (!pid || of_that_process);

	for (unsigned int i = 0; view->columns[i].name; i++) {
		const struct rs_column *c = &view->columns[i];

		if (!values[i].known || !names_something(c) ||
		    ((pid || tid) && selection_is_group(c->name)))
			continue;
		if (strcmp(c->name, "tid") || thread)
			selection_put_key(keys, c, &values[i]);
	}
}

static bool selection_has_key(const struct rs_selection_keys *keys, const struct rs_view *view,
			      const char *name)
{
	return rs_selection_key(keys, name) && rs_column_named(view, name) >= 0;
}

/*
 * Of thread, process and name, only the narrowest filters: a name changes at an exec, and a process has other
 * threads.
 */
static bool is_narrowed_by(const struct rs_selection_keys *keys, const struct rs_view *view, const char *name)
{
	if (!strcmp(name, "pid"))
		return !selection_has_key(keys, view, "tid");
	if (!strcmp(name, "comm"))
		return !selection_has_key(keys, view, "tid") && !selection_has_key(keys, view, "pid");
	return true;
}

static bool asks_by(const struct rs_selection_keys *keys, const struct rs_selection_key *key,
		    const struct rs_view *view)
{
	int at = rs_column_named(view, key->column->name);
	const struct rs_column *c = at >= 0 ? &view->columns[at] : NULL;

	return c && c->type == key->column->type && (c == key->column || is_noun(c->name)) &&
	       is_narrowed_by(keys, view, c->name);
}

bool rs_selection_where(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out)
{
	bool any = false;

	for (unsigned int i = 0; i < keys->nr; i++) {
		const struct rs_selection_key *key = &keys->keys[i];
		struct rs_value value = key->value;

		if (!asks_by(keys, key, view))
			continue;
		rs_buf_puts(out, any ? " && " : "");
		if (key->column->type == RS_TYPE_TEXT)
			value.s = key->text;
		rs_expression_put(out, key->column, &value);
		any = true;
	}
	return any;
}

/* ---- grouping ---- */

static bool is_task_name(const char *name)
{
	return !strcmp(name, "comm") || !strcmp(name, "pid") || !strcmp(name, "tid");
}

static void selection_add_name(struct rs_buf *out, const char *name)
{
	rs_buf_printf(out, "%s%s", out->len ? "," : "", name);
}

/* Lists the default group columns of the view other than the task's, as far as they are known. */
static unsigned int other_keys(const struct rs_view *view, struct rs_buf *out)
{
	unsigned int nr = 0;

	for (const struct rs_column *c = view->columns; c->name; c++)
		if (c->flags & RS_COLUMN_KEY && !is_task_name(c->name) && rs_column_is_default(view, c->name))
			if (++nr < RS_MAX_BY && out)
				selection_add_name(out, c->name);
	return nr;
}

bool rs_selection_by(const struct rs_selection_keys *keys, const struct rs_view *view, struct rs_buf *out)
{
	size_t before = out->len;

	if (view->kind == RS_VIEW_HIST) {
		for (const struct rs_column *c = view->columns; c->name; c++)
			if (c->flags & RS_COLUMN_KEY && rs_selection_key(keys, c->name))
				selection_add_name(out, c->name);
	} else if (view->kind == RS_VIEW_TABLE && rs_column_named(view, "tid") >= 0 &&
		   view->columns[rs_column_named(view, "tid")].flags & RS_COLUMN_KEY) {
		bool thread = rs_selection_key(keys, "tid"), process = rs_selection_key(keys, "pid");

		if (thread || (process && !other_keys(view, NULL)))
			selection_add_name(out, "tid");
		if (thread)
			other_keys(view, out);
	}
	return out->len > before;
}

/* "postgres (4242)", then the other keys */
void rs_selection_title(const struct rs_selection_keys *keys, struct rs_buf *out)
{
	const struct rs_selection_key *comm = rs_selection_key(keys, "comm"),
	*task = rs_selection_key(keys, "tid");
	size_t start = out->len;

	if (!task)
		task = rs_selection_key(keys, "pid");
	if (comm)
		rs_buf_puts(out, comm->text);
	if (task)
		rs_buf_printf(out, comm ? " (%lld)" : "%lld", (long long)task->value.i);
	for (unsigned int i = 0; i < keys->nr; i++) {
		const struct rs_selection_key *key = &keys->keys[i];
		const char *name = key->column->name;

		if (is_task_name(name))
			continue;
		rs_buf_puts(out, out->len > start ? " " : "");
		if (key->column->type == RS_TYPE_TEXT)
			rs_buf_puts(out, key->text);
		else
			rs_buf_printf(out, "%s %lld", name, (long long)key->value.i);
	}
}

void rs_selection_add_task(struct rs_selection_keys *keys, const char *comm, int64_t pid, int64_t tid)
{
	static const struct rs_column columns[] = {
		{ .name = "comm", .type = RS_TYPE_TEXT, .flags = RS_COLUMN_KEY },
		{ .name = "pid", .type = RS_TYPE_ID, .flags = RS_COLUMN_KEY },
		{ .name = "tid", .type = RS_TYPE_ID, .flags = RS_COLUMN_KEY },
	};

	if (pid > 0)
		selection_put_key(keys, &columns[1], &(struct rs_value){ .i = pid, .known = true });
	if (tid > 0 && tid != pid)
		selection_put_key(keys, &columns[2], &(struct rs_value){ .i = tid, .known = true });
	if (comm && *comm && strcmp(comm, "-")) /* for the title; a filter uses the number if it is known */
		selection_put_key(keys, &columns[0], &(struct rs_value){ .s = comm, .known = true });
}

/* The value of the column with that flag; NULL: it has none, or it is not known. */
static const struct rs_value *selection_flagged(const struct rs_screen_selection *of,
						enum rs_column_flags flag)
{
	const struct rs_column *columns = of->view->view.columns;

	for (unsigned int i = 0; columns[i].name; i++)
		if (columns[i].flags & flag)
			return of->values[i].known ? &of->values[i] : NULL;
	return NULL;
}

/* Two of begin, end and length are enough. Returns false if the row does not tell. */
static bool selection_find_time(const struct rs_screen_selection *of, uint64_t *from_ns, uint64_t *to_ns)
{
	const struct rs_value *begin = selection_flagged(of, RS_COLUMN_BEGIN),
			      *end = selection_flagged(of, RS_COLUMN_END),
			      *length = selection_flagged(of, RS_COLUMN_LENGTH);
	uint64_t from, to;

	if ((begin != NULL) + (end != NULL) + (length != NULL) < 2)
		return false;
	from = begin ? begin->u : end->u > length->u ? end->u - length->u : 0;
	to = end ? end->u : begin->u + length->u;
	if (to <= from)
		return false;
	*from_ns = from;
	*to_ns = to;
	return true;
}

/* A thread is a key only below its process: here the row is about it. */
static int64_t selection_row_thread(const struct rs_screen_selection *of)
{
	const struct rs_value *tid = selection_value_of(&of->view->view, of->values, "tid");

	return tid && tid->i > 0 ? tid->i : rs_selection_number(&of->keys, "tid");
}

void rs_selection_add_wait(struct rs_screen_selection *out)
{
	int64_t tid;

	if (!out->view || !out->values || !selection_find_time(out, &out->from_ns, &out->to_ns))
		return;
	tid = selection_row_thread(out);
	if (tid <= 0)
		return;
	if (tid != rs_selection_number(&out->keys, "pid"))
		rs_selection_add_task(&out->keys, NULL, 0, tid);
	out->is_wait = true;
}

int64_t rs_selection_thread(const struct rs_selection_keys *keys)
{
	int64_t tid = rs_selection_number(keys, "tid");

	return tid > 0 ? tid : rs_selection_number(keys, "pid");
}

bool rs_selection_set_wait(struct rs_screen_selection *out, const char *comm, int64_t pid, int64_t tid,
			   uint64_t from_ns, uint64_t to_ns)
{
	if (tid <= 0 || to_ns <= from_ns)
		return false;
	*out = (struct rs_screen_selection){
		.column = -1, .from_ns = from_ns, .to_ns = to_ns, .is_wait = true
	};
	rs_selection_add_task(&out->keys, comm, pid, tid);
	return true;
}

void rs_selection_add_cpu(struct rs_selection_keys *keys, int64_t cpu)
{
	static const struct rs_column column = { .name = "cpu", .type = RS_TYPE_ID, .flags = RS_COLUMN_KEY };

	selection_put_key(keys, &column, &(struct rs_value){ .i = cpu, .known = true });
}
