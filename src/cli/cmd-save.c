// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * save - what the daemon's window holds, to a file that we open: it writes with our rights and not with its own
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/export-file.h"
#include "cli/save-window.h"

/* The daemon's own formats, by the end of a file's name; export/export.h has those of other programs. */
static const struct { const char *end, *format; } endings[] = {
	{ ".dat", "trace.dat" }, { ".csv", "csv" }, { ".jsonl", "json" }, { ".ndjson", "json" },
};

/* NULL with err set: unknown end. A name without an end, as of a pipe or a device, gives the default. */
static const char *save_format_of(const struct rs_options *opt, struct rs_error *err)
{
	const char *slash = opt->output ? strrchr(opt->output, '/') : NULL, *name = slash ? slash + 1 : opt->output;
	const char *dot = name && !opt->format ? strrchr(name, '.') : NULL;

	if (!dot || dot == name)
		return opt->format ? opt->format : "trace.dat";
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot, endings[i].end))
			return endings[i].format;
	if (rs_export_find_by_ending(name))
		return rs_export_find_by_ending(name)->name;
	rs_fail_usage(err, "save: what format is '%s'? (-f trace.dat, json, csv, or one that \"ringside list formats\" names)", name);
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

static void save_show(const struct rs_options *opt, const char *name, const struct rs_save_reply *answer)
{
	struct rs_buf path = RS_BUF_INIT;
	char size[RS_UNIT_TEXT + 1] = "";

	if (opt->quiet || !strcmp(name, "-"))
		return;
	size[rs_units_put_bytes(size, answer->bytes)] = '\0';
	rs_escape_text(&path, name);
	fprintf(stderr, "ringside: %s: %s, %" PRIu64 " events\n", path.data, size, answer->events);
	rs_buf_done(&path);
}

/* By the daemon, to a descriptor of ours: with our rights and not with its own. */
static void save_by_daemon(const struct rs_options *opt, const char *name, const char *format, struct rs_error *err)
{
	const struct rs_save_reply *answer = NULL;
	struct rs_client *c = rs_attach(opt, err);
	struct rs_output_file file = { .fd = -1 };

	if (c && rs_output_file_open(&file, name, RS_OUTPUT_BYTES, err) == 0)
		answer = rs_save_window(c, opt, format, file.fd, err);
	if (err->status != RS_OK)
		save_name_file(&file, err);
	rs_output_file_close(&file, answer != NULL, err);
	if (answer && err->status == RS_OK)
		save_show(opt, name, answer);
	rs_message_drop(answer);
	rs_client_free(c);
}

static enum rs_exit save_run(const struct rs_options *opt, struct rs_error *err)
{
	const char *format = save_format_of(opt, err), *name = opt->output ? opt->output : "trace.dat";
	struct rs_error ignored = { 0 };
	const struct rs_export_format *of_files = format ? rs_export_find(format, &ignored) : NULL;

	if (of_files && (of_files->output == RS_EXPORT_FILE || of_files->output == RS_EXPORT_FOLDER))
		rs_export_file_of_daemon(opt, of_files, err); /* the daemon writes to no path */
	else if (format)
		save_by_daemon(opt, name, format, err);
	return err->status;
}

const struct rs_command rs_command_save = {
	.name = "save", .summary = "write the daemon's window, or the last of it, to a file",
	.options = "output,format,from,to,last,socket,quiet",
	.help = "To trace.dat, or -o FILE (- is standard output), in the format that -f names, else that the name\n"
		"ends in: .json is chrome, .csv and .jsonl are rows, .dat is trace.dat. For root and who began the\n"
		"daemon; the file is yours, and written with your rights. What is there already stays until the new\n"
		"file is whole.",
	.run = save_run,
};
