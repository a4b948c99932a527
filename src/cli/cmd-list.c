// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * list - lists views, columns, events, rules and formats
 *
 * Each list is a view of its own, so that text, JSON and CSV come from the same printers.
 */
#include <string.h>

#include "base/nearest.h"
#include "cli/command.h"
#include "cli/out.h"
#include "export/export.h"
#include "tracefs/tracefs.h"
#include "view/formatter.h"

#define LIST_MAX_REQUIREMENTS 256

struct list {
	struct rs_view view;
	void (*rows)(struct rs_sink *sink);
};

static const char *const kinds[] = {
	[RS_VIEW_TABLE] = "table", [RS_VIEW_STREAM] = "stream", [RS_VIEW_HIST] = "histogram",
};

static void list_views(struct rs_sink *sink)
{
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t n = rs_commands_views(refs, RS_MAX_VIEWS, true);

	for (size_t i = 0; i < n; i++)
		sink->row(sink, (struct rs_value[]){
					rs_s(refs[i].view->name),
					rs_s(kinds[refs[i].view->kind]),
					rs_s(refs[i].analysis->name),
					rs_s(refs[i].view->summary),
					rs_s(refs[i].analysis->by_name || refs[i].view->by_name ||
							     refs[i].view->on_request ?
						     "no" :
						     "yes"),
					rs_s(rs_topic_row(refs[i].view->topic)->word),
				});
}

static const char *const types[] = {
	[RS_TYPE_TEXT] = "text", [RS_TYPE_COUNT] = "count", [RS_TYPE_ID] = "id", [RS_TYPE_TIME] = "time, ns",
	[RS_TYPE_DURATION] = "duration, ns", [RS_TYPE_BYTES] = "bytes", [RS_TYPE_MILLI] = "decimal",
};

static void list_columns(struct rs_sink *sink)
{
	struct rs_view_ref refs[RS_MAX_VIEWS];
	size_t n = rs_commands_views(refs, RS_MAX_VIEWS, true);

	for (size_t i = 0; i < n; i++)
		for (const struct rs_column *c = refs[i].view->columns; c->name; c++)
			sink->row(sink, (struct rs_value[]){
				rs_s(refs[i].view->name), rs_s(c->name), rs_s(c->heading),
				rs_s(types[c->type]), rs_s(c->help),
			});
}

static const char *const needs_names[] = {
	[RS_REQUIRED] = "required", [RS_OPTIONAL] = "optional",
	[RS_FALLBACK] = "fallback", [RS_PASSIVE] = "if recorded",
};

/* Whether this kernel has them, where tracefs can be read; where not, that is unknown. */
static void list_events(struct rs_sink *sink)
{
	struct rs_error unreadable = { 0 };
	const char *tracefs = rs_tracefs_find(&unreadable);

	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++) {
		struct rs_session_config config = { .analyses = { *a }, .nr_analyses = 1 };
		struct rs_event_requirement needs[LIST_MAX_REQUIREMENTS];
		size_t n = rs_requirements_list(&config, needs, LIST_MAX_REQUIREMENTS);

		for (size_t i = 0; i < n; i++) {
			bool here = tracefs && rs_tracefs_has_event(tracefs, needs[i].system, needs[i].name);

			sink->row(sink, (struct rs_value[]){
						rs_s((*a)->name),
						rs_s(needs[i].system),
						rs_s(needs[i].name),
						rs_s(needs_names[needs[i].need]),
						tracefs ? rs_s(here ? "yes" : "no") : rs_null(),
					});
		}
	}
}

static void list_rules(struct rs_sink *sink)
{
	for (const struct rs_analysis *const *a = rs_plugins_all(); *a; a++)
		for (const struct rs_rule *r = (*a)->rules; r && r->name; r++)
			sink->row(sink, (struct rs_value[]){
						rs_s(r->name),
						rs_s((*a)->name),
						rs_u(r->threshold),
						rs_s(r->unit),
						rs_s(r->summary),
						rs_s(r->advice),
					});
}

static void list_formats(struct rs_sink *sink)
{
	static const char *const rows[][2] = {
		{ "text", "aligned columns, units for a person, the quality line as a footer (of views)" },
		{ "json",
		  "an object a line, integers in base units, the quality line last as _meta (--json)" },
		{ "csv", "comma-separated values by RFC 4180 (--csv)" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		sink->row(sink, (struct rs_value[]){ rs_s(rows[i][0]), rs_s(rows[i][1]) });
	for (const struct rs_export_format *f = rs_export_formats; f->name; f++)
		sink->row(sink, (struct rs_value[]){ rs_s(f->name), rs_s(f->help) });
}

#define LIST_COLUMN(column, title, columns_wide) \
	{ .name = column, .heading = title, .type = RS_TYPE_TEXT, .width = columns_wide, .help = "" }
#define LIST_COLUMNS(...) (const struct rs_column[]){ __VA_ARGS__, { .name = NULL } }

static const struct list lists[] = {
	{ {
		  .name = "views",
		  .kind = RS_VIEW_STREAM,
		  .text_columns = "view,kind,summary",
		  .columns = LIST_COLUMNS(LIST_COLUMN("view", "VIEW", 16), LIST_COLUMN("kind", "KIND", 9),
					  LIST_COLUMN("analysis", "ANALYSIS", 12),
					  LIST_COLUMN("summary", "SUMMARY", 7),
					  LIST_COLUMN("default", "DEFAULT", 7),
					  LIST_COLUMN("topic", "TOPIC", 14)),
	  },
	  list_views },
	{ {
		  .name = "events",
		  .kind = RS_VIEW_STREAM,
		  .text_columns = "analysis,system,event,need,here",
		  .columns = LIST_COLUMNS(LIST_COLUMN("analysis", "ANALYSIS", 10),
					  LIST_COLUMN("system", "SYSTEM", 14),
					  LIST_COLUMN("event", "EVENT", 24), LIST_COLUMN("need", "NEED", 11),
					  LIST_COLUMN("here", "HERE", 4)),
	  },
	  list_events },
	{ {
		  .name = "columns",
		  .kind = RS_VIEW_STREAM,
		  .text_columns = "view,column,heading,type,help",
		  .columns = LIST_COLUMNS(LIST_COLUMN("view", "VIEW", 16),
					  LIST_COLUMN("column", "COLUMN", 17),
					  LIST_COLUMN("heading", "HEADING", 10),
					  LIST_COLUMN("type", "TYPE", 12), LIST_COLUMN("help", "HELP", 4)),
	  },
	  list_columns },
	{ {
		  .name = "rules",
		  .kind = RS_VIEW_STREAM,
		  .text_columns = "rule,threshold,unit,summary",
		  .columns = LIST_COLUMNS(
			  LIST_COLUMN("rule", "RULE", 20), LIST_COLUMN("analysis", "ANALYSIS", 10),
			  { .name = "threshold",
			    .heading = "AT LEAST",
			    .type = RS_TYPE_MILLI,
			    .width = 8,
			    .help = "" },
			  LIST_COLUMN("unit", "UNIT", 8), LIST_COLUMN("summary", "SUMMARY", 7),
			  LIST_COLUMN("advice", "ADVICE", 6)),
	  },
	  list_rules },
	{ {
		  .name = "formats",
		  .kind = RS_VIEW_STREAM,
		  .text_columns = "format,help",
		  .columns = LIST_COLUMNS(LIST_COLUMN("format", "FORMAT", 6), LIST_COLUMN("help", "HELP", 4)),
	  },
	  list_formats },
};

#define NR_LISTS (sizeof lists / sizeof *lists)

static const struct list *find_list(const char *name, struct rs_error *err)
{
	const char *names[NR_LISTS + 1] = { NULL }, *near;

	for (size_t i = 0; i < NR_LISTS; i++) {
		if (!strcmp(lists[i].view.name, name))
			return &lists[i];
		names[i] = lists[i].view.name;
	}
	near = rs_nearest(name, names);
	if (near)
		rs_fail_usage(err, "no list of '%.40s'; did you mean '%s'?", name, near);
	else
		rs_fail_usage(err, "no list of '%.40s' (views, events, columns, rules or formats)", name);
	return NULL;
}

static enum rs_exit list_run(const struct rs_options *opt, struct rs_error *err)
{
	const struct list *list = find_list(opt->nr_arguments ? opt->arguments[0] : "views", err);
	struct rs_formatter_options formatter = { .format = opt->json ? "json" : opt->csv ? "csv" : "text" };
	struct rs_printer *printer;
	struct rs_buf out = RS_BUF_INIT;

	if (!list)
		return err->status;
	printer = rs_printer_new(&list->view, &formatter, &out, err);
	if (!printer)
		return err->status;
	list->rows(rs_printer_sink(printer));
	rs_printer_finish(printer);
	rs_printer_free(printer);
	return rs_out_end(&out, err);
}

const struct rs_command rs_command_list = {
	.name = "list", .arguments = "[views|events|columns|rules|formats]",
	.summary = "list views, columns, events, rules and formats",
	.options = "WORD,json,csv", .run = list_run,
	.help = "events: what the analyses require of the kernel, and whether this kernel has it.\n"
		"rules: what findings judge, and from which value on (each: ringside help RULE).",
};
