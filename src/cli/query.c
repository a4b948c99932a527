// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/query.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/units.h"
#include "cli/command.h"

/* The column of a name that is len bytes long, NULL none. */
static const struct rs_column *query_find_column(const struct rs_view *view, const char *name, size_t len)
{
	for (const struct rs_column *c = view->columns; c->name; c++)
		if (strlen(c->name) == len && !memcmp(c->name, name, len))
			return c;
	return NULL;
}

static int no_key(const struct rs_view *view, const char *name, size_t len, struct rs_error *err)
{
	struct rs_buf keys = RS_BUF_INIT;

	for (const struct rs_column *c = view->columns; c->name; c++)
		if (c->flags & RS_COLUMN_KEY)
			rs_buf_printf(&keys, "%s%s", keys.len ? ", " : "", c->name);
	rs_fail_usage(err, "--by '%.*s': %s groups by %s", (int)(len > 40 ? 40 : len), name, view->name,
		      keys.len ? keys.data : "nothing");
	rs_buf_done(&keys);
	return -1;
}

static int make_by(const char *by, const struct rs_view *view, bool strict, struct rs_query *query,
		   struct rs_error *err)
{
	for (const char *at = by; at && *at; at += strcspn(at, ","), at += *at == ',') {
		size_t len = strcspn(at, ",");
		const struct rs_column *c = query_find_column(view, at, len);

		if (!c || !(c->flags & RS_COLUMN_KEY)) {
			if (!strict)
				continue;
			return no_key(view, at, len, err);
		}
		if (query->nr_by == RS_MAX_BY)
			return rs_fail_usage(err, "--by: at most %d columns", RS_MAX_BY);
		query->by[query->nr_by++] = c->name;
	}
	return 0;
}

int rs_query_make(const struct rs_options *opt, const struct rs_view *view, bool strict,
		  struct rs_query *query, struct rs_error *err)
{
	*query = (struct rs_query){ .queue = opt->queue };
	return make_by(opt->by, view, strict, query, err);
}

static const struct {
	const char *name;
	enum rs_time_mode mode;
} time_modes[] = {
	{ "rel", RS_TIME_REL }, { "boot", RS_TIME_BOOT }, { "wall", RS_TIME_WALL },
};

static void add_column(struct rs_buf *columns, const char *name)
{
	rs_buf_printf(columns, "%s%s", columns->len ? "," : "", name);
}

/* --starts and --ends stand before the others, as in iosnoop -st. */
static void make_columns(const struct rs_options *opt, const struct rs_view *view, struct rs_buf *columns)
{
	if (opt->starts)
		add_column(columns, "start_ns");
	if (opt->ends)
		add_column(columns, "end_ns");
	if (columns->len && view->text_columns)
		add_column(columns, view->text_columns);
}

/* Returns 0 if standard output is no terminal: then no line is truncated. */
static unsigned int terminal_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int rs_query_make_printer(const struct rs_options *opt, const struct rs_view *view,
			  struct rs_formatter_options *formatter,
			  struct rs_buf *columns, struct rs_error *err)
{
	*formatter = (struct rs_formatter_options){
		.format = opt->json ? "json" : opt->csv ? "csv" : "text",
		.machine = opt->machine, .where = opt->where, .columns = opt->columns, .sort = opt->sort, .nr_rows = opt->nr_rows,
		.largest_first = true, .width = terminal_width(),
	};
	for (size_t i = 0; opt->time && i < sizeof time_modes / sizeof *time_modes; i++)
		if (!strcmp(opt->time, time_modes[i].name))
			formatter->time = time_modes[i].mode;
	if (!opt->columns && !opt->json && !opt->csv) {
		make_columns(opt, view, columns);
		formatter->columns = columns->len ? columns->data : NULL;
	}
	if (opt->where && view->kind == RS_VIEW_HIST && !opt->by)
		return rs_fail_usage(err, "--where: %s has one picture of all (with --by a picture for each key)",
				     view->name);
	if (columns->failed)
		return rs_fail(err, "%s: out of memory", view->name);
	return 0;
}

size_t rs_query_find_views(const char *names, struct rs_view_ref *refs, size_t max, struct rs_error *err)
{
	char name[64];
	size_t n = 0;

	if (!strcmp(names, "all"))
		return rs_commands_default_views(refs, max);
	for (const char *at = names; *at; at += strcspn(at, ","), at += *at == ',') {
		size_t len = strcspn(at, ",");

		snprintf(name, sizeof name, "%.*s", (int)(len < sizeof name ? len : sizeof name - 1), at);
		if (n == max || !rs_requirements_find_view(name, &refs[n], err)) {
			rs_fail_usage(err, "--view: too many views");
			return 0;
		}
		n++;
	}
	if (!n)
		rs_fail_usage(err, "--view: no view is named (see 'ringside list views')");
	return n;
}
