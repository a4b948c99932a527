// SPDX-License-Identifier: GPL-2.0-or-later
/* help - all commands and views, and each of them: made from the rows of commands, views and options */
#include "cli/help/help.h"

#include "base/comma-list.h"
#include "export/export.h"
#include "view/columns.h"

#define LEFT 28 /* columns of the left column */
#define HELP_FEW_OPTIONS 10 /* need no headings */

void rs_help_line(struct rs_buf *out, const char *left, const char *right)
{
	size_t len = strlen(left);

	rs_buf_printf(out, "  %s", left);
	if (!*right) {
		rs_buf_putc(out, '\n');
		return;
	}
	if (len + 2 > LEFT) {
		rs_buf_putc(out, '\n');
		rs_buf_pad(out, ' ', LEFT + 2);
	} else {
		rs_buf_pad(out, ' ', LEFT - len);
	}
	rs_buf_printf(out, "%s\n", right);
}

static const char *help_find_text(const struct rs_command *command, const char *option)
{
	for (const struct rs_option_text *t = command ? command->texts : NULL; t && t->name; t++)
		if (!strcmp(t->name, option))
			return t->help;
	return NULL;
}

/* Of a command that exports, the formats that the option is for. */
static void help_put_text(const struct rs_command *command, const struct rs_option *row, struct rs_buf *out)
{
	const char *own = help_find_text(command, row->name);
	bool exports = command && rs_comma_list_has(command->options, "format"),
	     is_format = !strcmp(row->name, "format");
	struct rs_buf names = RS_BUF_INIT;

	if (exports)
		rs_export_put_names(&names, is_format ? NULL : row->name);
	if (exports && is_format)
		rs_buf_printf(out, "write this format: %s%s", names.data, own ? own : "");
	else
		rs_buf_puts(out, own ? own : row->help);
	if (names.len && !is_format)
		rs_buf_printf(out, " (%s)", names.data);
	rs_buf_done(&names);
}

/* "-p, --pid PID,..." */
static void help_put_typed(const struct rs_option *row, struct rs_buf *out)
{
	bool may_stand_alone = row->kind == RS_OPTION_EITHER || row->kind == RS_OPTION_OPTIONAL;

	if (row->letter)
		rs_buf_printf(out, "-%c, --%s", row->letter, rs_option_typed(row));
	else
		rs_buf_printf(out, "    --%s", rs_option_typed(row));
	if (row->argument)
		rs_buf_printf(out, may_stand_alone ? "[=%s]" : " %s", row->argument);
}

static void help_put_option(const struct rs_command *command, const struct rs_option *row,
			    struct rs_buf *out)
{
	struct rs_buf left = RS_BUF_INIT, right = RS_BUF_INIT;

	help_put_typed(row, &left);
	help_put_text(command, row, &right);
	rs_help_line(out, left.data, right.data);
	rs_buf_done(&left);
	rs_buf_done(&right);
}

static bool help_has_option(const struct rs_option *row, const char *takes)
{
	return !(row->flags & RS_OPTION_HIDDEN) &&
	       (row->letter == 'h' || rs_comma_list_has(takes, row->name));
}

/* of: RS_NR_OPTION_GROUPS: of all groups. */
static unsigned int help_nr_options(const char *takes, unsigned int of)
{
	unsigned int nr = 0;

	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		nr += help_has_option(row, takes) && (of == RS_NR_OPTION_GROUPS || row->group == of);
	return nr;
}

static void help_put_group(const struct rs_command *command, const char *takes, unsigned int of,
			   struct rs_buf *out)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (help_has_option(row, takes) && (of == RS_NR_OPTION_GROUPS || row->group == of))
			help_put_option(command, row, out);
}

/* command: NULL of a view. Few options are one list. */
static void help_put_options(const struct rs_command *command, const char *takes, struct rs_buf *out)
{
	static const char *const headings[RS_NR_OPTION_GROUPS] = {
		[RS_OPTIONS_SOURCE] = "source", [RS_OPTIONS_FILTER] = "filter",
		[RS_OPTIONS_CAPTURE] = "capture", [RS_OPTIONS_OUTPUT] = "output",
		[RS_OPTIONS_SERVICE] = "service",
	};

	if (help_nr_options(takes, RS_NR_OPTION_GROUPS) <= HELP_FEW_OPTIONS) {
		rs_buf_puts(out, "\noptions:\n");
		help_put_group(command, takes, RS_NR_OPTION_GROUPS, out);
		return;
	}
	for (unsigned int i = 0; i < RS_NR_OPTION_GROUPS; i++) {
		if (!help_nr_options(takes, i))
			continue;
		rs_buf_printf(out, "\n%s options:\n", headings[i]);
		help_put_group(command, takes, i, out);
	}
}

void rs_help_command(const struct rs_command *command, struct rs_buf *out)
{
	rs_buf_printf(out, "usage: ringside %s%s%s%s\n\n%s\n", command->name,
		      *command->options ? " [options]" : "", command->arguments ? " " : "",
		      command->arguments ? command->arguments : "", command->summary);
	if (command->help)
		rs_buf_printf(out, "\n%s\n", command->help);
	help_put_options(command, command->options, out);
	if (command->keys)
		command->keys(out);
}

void rs_help_view(const struct rs_view_ref *ref, struct rs_buf *out)
{
	struct rs_buf takes = RS_BUF_INIT;

	rs_buf_printf(out, "usage: ringside %s [options] [[--] COMMAND...]\n", ref->view->name);
	if (!ref->analysis->live_only)
		rs_buf_printf(out, "       ringside %s -i FILE [options]\n", ref->view->name);
	rs_buf_printf(out, "\n%s\n", ref->view->summary);
	rs_command_view_offers(ref, &takes);
	help_put_options(NULL, takes.data, out);
	rs_buf_puts(out, "\ncolumns:\n");
	rs_columns_list(ref->view, out);
	rs_buf_done(&takes);
}

static void help_put_views_of(enum rs_topic topic, const struct rs_view_ref *refs, size_t nr,
			      struct rs_buf *out)
{
	bool is_first = true;

	for (size_t i = 0; i < nr; i++) {
		if (refs[i].view->topic != topic)
			continue;
		if (is_first)
			rs_buf_printf(out, "\n%s\n", rs_topic_row(topic)->question);
		is_first = false;
		rs_help_line(out, refs[i].view->name, refs[i].view->summary);
	}
}

static void help_put_views(const struct rs_view_ref *refs, size_t nr, struct rs_buf *out)
{
	rs_buf_puts(out, "\nviews:\n");
	for (unsigned int i = 0; i < RS_NR_TOPICS; i++)
		help_put_views_of(rs_topic_nth(i), refs, nr, out);
}

void rs_help_overview(struct rs_buf *out)
{
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t n = rs_commands_views(refs, RS_MAX_VIEWS, true);

	rs_buf_puts(out,
		    "usage: ringside COMMAND [options]\n"
		    "       ringside VIEW [options] [[--] COMMAND...]   what the kernel does now, or the "
		    "command\n"
		    "       ringside FILE                               what a recording (trace.dat) holds\n"
		    "\ncommands:\n");
	for (const struct rs_command *const *c = rs_commands(); *c; c++)
		rs_help_line(out, (*c)->name, (*c)->summary);
	help_put_views(refs, n, out);
	rs_buf_puts(out,
		    "\n'ringside help NAME' describes one of them, 'ringside help RULE' explains a finding, "
		    "and\n'ringside help slow disk' searches all help. Live capture takes root, a recording "
		    "does not.\n");
}
