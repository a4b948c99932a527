// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * export - a recording in another program's format, written as it is read
 */
#include "cli/command.h"
#include "cli/export-file.h"
#include "cli/machines.h"

static enum rs_exit export_run(const struct rs_options *opt, struct rs_error *err)
{
	const struct rs_export_format *format;
	struct rs_machines *machines;

	if (rs_export_file_choose(opt, "", &format, err) < 0)
		return err->status;
	format = format ? format : rs_export_formats;
	if (opt->daemon && (opt->input || opt->nr_arguments))
		return rs_fail_usage(err, "export: --daemon has no other input"), err->status;
	if (opt->daemon)
		return rs_export_file_of_daemon(opt, format, err);
	machines = rs_machines_open("export", opt, err);
	if (machines)
		rs_export_file(machines->options, machines->nr, format, NULL, err);
	rs_machines_close(machines);
	return err->status;
}

const struct rs_command rs_command_export = {
	.name = "export", .arguments = "[FILE...]", .summary = "a recording in the format of another program",
	.options = "WORDS,input,daemon,buffer," RS_EXPORT_OPTIONS,
	.help = "Without -o it goes to standard output. The format is that of the name: trace.json (chrome), trace.db\n"
		"(sqlite: ask it in SQL), report.html (a page for people), and so on. Open a chrome file in ui.perfetto.dev, in\n"
		"chrome://tracing or in speedscope; --compat is for viewers older than Perfetto 54. A perfetto file is\n"
		"a tenth of its size.\n"
		"FILE is trace.dat if not given. Several files are a host's and its guests': one picture on one\n"
		"clock, in which each machine's processes stand together, under its name. --daemon exports what the\n"
		"daemon's window holds. -f trace.dat writes a time range, or some CPUs, as a plain recording. The output\n"
		"has its name once it is complete.",
	.run = export_run,
};
