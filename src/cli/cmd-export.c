// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * export - a recording in another program's format, written as it is read
 */
#include "cli/command.h"
#include "cli/export/export-file.h"
#include "cli/show/machines.h"

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
	if (machines && rs_machines_collect_ends(machines, err) == 0)
		rs_export_file(machines->options, machines->nr, format, NULL, err);
	rs_machines_close(machines);
	return err->status;
}

const struct rs_command rs_command_export = {
	.name = "export",
	.arguments = "[FILE...]",
	.summary = "a recording in the format of another program",
	.options = "WORDS,input,daemon,buffer," RS_EXPORT_OPTIONS,
	.help = "Writes FILE (trace.dat if not given) in the format that -f names, else that the name of the "
		"output\n"
		"ends in: trace.json is chrome, trace.db sqlite, report.html html. Without -o it writes to "
		"standard\n"
		"output, as chrome. Open a chrome or perfetto file in ui.perfetto.dev, a chrome file also "
		"in\n"
		"chrome://tracing or speedscope; a perfetto file is a tenth of the size.\n"
		"\n"
		"Several files are a host's and its guests': they become one timeline on one clock, in which "
		"the\n"
		"processes of each machine stand together, under its name. --daemon exports what the "
		"daemon's window\n"
		"holds. -f trace.dat writes a time range, or some CPUs, as a plain recording.\n"
		"\n"
		"The output has its name once it is complete; a line on standard error says its size and how "
		"many\n"
		"events it was made of.",
	.run = export_run,
};
