// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save - what the daemon's window holds, to a file that we open: it writes with our rights and not with its
 * own
 */
#include <string.h>

#include "base/comma-list.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/export/export-file.h"
#include "cli/save-window.h"

/* The daemon's own formats, by the end of a file's name; export/export.h has those of other programs. */
static const struct { const char *end, *format; } endings[] = {
	{ ".dat", "trace.dat" }, { ".csv", "csv" }, { ".jsonl", "json" }, { ".ndjson", "json" },
};

/* The daemon's own format that -f or the name's end means; NULL: none of them. */
static const char *save_find_own(const struct rs_options *opt)
{
	const char *dot = opt->output ? strrchr(opt->output, '.') : NULL;

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (opt->format ? !strcmp(opt->format, endings[i].format) :
				  dot && !strcmp(dot, endings[i].end))
			return endings[i].format;
	return NULL;
}

/* What --debug and the like are not: options that only an export knows. */
static const struct rs_option *save_find_narrowing(const struct rs_options *opt)
{
	for (const struct rs_option *row = rs_option_rows; row->name; row++)
		if (opt->given[row - rs_option_rows] && rs_comma_list_has(RS_EXPORT_NARROWS, row->name))
			return row;
	return NULL;
}

/* The daemon has the file without its name. */
static void save_name_file(const struct rs_output_file *file, struct rs_error *err)
{
	static const char unnamed[] = "cannot write: ";
	struct rs_error told = *err;

	if (!file->path || strncmp(told.text, unnamed, sizeof unnamed - 1))
		return;
	*err = (struct rs_error){ 0 };
	rs_fail(err, "cannot write '%s': %s", file->path, told.text + sizeof unnamed - 1);
}

/* By the daemon, to a descriptor of ours: with our rights and not with its own. */
static void save_by_daemon(const struct rs_options *opt, const char *name, const char *format,
			   struct rs_error *err)
{
	const struct rs_save_reply *answer = NULL;
	struct rs_client *c = rs_attach(opt, err);
	struct rs_output_file file = { .fd = -1, .place.folder_fd = -1 };

	if (c && rs_output_file_open(&file, name, RS_OUTPUT_BYTES, err) == 0)
		answer = rs_save_window(c, opt, format, file.fd, err);
	if (err->status != RS_OK)
		save_name_file(&file, err);
	rs_output_file_close(&file, answer != NULL, err);
	if (answer && err->status == RS_OK)
		rs_export_file_say(name, answer->bytes, answer->events, "");
	rs_message_drop(answer);
	rs_client_free(c);
}

/*
 * Rows, and a plain trace.dat, are the daemon's; whatever `export` writes or narrows is written as it does.
 */
static enum rs_exit save_run(const struct rs_options *opt, struct rs_error *err)
{
	const char *own = save_find_own(opt);
	const struct rs_option *narrowing = save_find_narrowing(opt);
	const struct rs_export_format *format = NULL;
	struct rs_options named = *opt;

	named.output = opt->output ? opt->output : "trace.dat";
	if (!own && rs_export_file_choose(opt, ", .csv, .jsonl (rows)", &format, err) < 0)
		return err->status;
	if (!own && !format)
		own = "trace.dat";
	if (own && !strcmp(own, "trace.dat") && narrowing)
		format = rs_export_find(own, err);
	else if (own && narrowing)
		rs_fail_usage(err, "save: --%s is not for rows (ask a view for them: ringside VIEW --%s)",
			      rs_option_typed(narrowing), own);
	if (format)
		rs_export_file_of_daemon(&named, format, err);
	else if (err->status == RS_OK)
		save_by_daemon(opt, named.output, own, err);
	return err->status;
}

const struct rs_command rs_command_save = {
	.name = "save",
	.summary = "write the daemon's window, or the last of it, to a file",
	.options = RS_EXPORT_OPTIONS,
	.help = "Writes to trace.dat, or to -o FILE (- is standard output), in the format that -f names, "
		"else that\n"
		"the name ends in: .dat is trace.dat, .csv and .jsonl are rows of all views, others are "
		"those of\n"
		"\"ringside export\" (.json is chrome). The file is written with your rights and belongs to "
		"you; what\n"
		"was there is replaced when the new file is complete. Root and the user who started the "
		"daemon may\n"
		"save.",
	.texts =
		(const struct rs_option_text[]){
			{ "format", ", json, csv" },
			{ .name = NULL },
		},
	.run = save_run,
};
