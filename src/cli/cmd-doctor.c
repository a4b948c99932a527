// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * doctor - what this machine lacks, what that costs, and the line that mends it
 */
#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/out.h"
#include "view/formatter.h"

static const char *const healths[] = {
	[RS_HEALTH_GOOD] = "good", [RS_HEALTH_UNKNOWN] = "unknown",
	[RS_HEALTH_LOSS] = "lacks", [RS_HEALTH_FATAL] = "cannot",
};

#define DOCTOR_COLUMN(column) { .name = column, .heading = column, .type = RS_TYPE_TEXT, .help = "" }

/* For JSON and CSV; text has a line for each of loses and mend. */
static const struct rs_view view = {
	.name = "doctor", .kind = RS_VIEW_STREAM,
	.columns = (const struct rs_column[]){
		DOCTOR_COLUMN("check"), DOCTOR_COLUMN("health"), DOCTOR_COLUMN("what"),
		DOCTOR_COLUMN("loses"), DOCTOR_COLUMN("mend"),
		{ .name = NULL },
	},
};

static void print_text(const struct rs_probe *probe, const struct rs_symptom *f, struct rs_buf *out)
{
	rs_buf_printf(out, "%-8s %-14s %s\n", healths[f->health], probe->name, f->what.data);
	if (f->loses.len)
		rs_buf_printf(out, "%23s loses: %s\n", "", f->loses.data);
	if (f->mend.len)
		rs_buf_printf(out, "%23s mend:  %s\n", "", f->mend.data);
}

static void print_row(const struct rs_probe *probe, const struct rs_symptom *f, struct rs_sink *sink)
{
	sink->row(sink, (struct rs_value[]){
		rs_s(probe->name), rs_s(healths[f->health]), rs_s(f->what.data), rs_s(f->loses.data),
		rs_s(f->mend.data),
	});
}

/* Each finding is written when it is found: the last probes take a moment. */
static enum rs_health examine(const struct rs_probe *probes, struct rs_printer *printer, struct rs_buf *out,
			      struct rs_error *err)
{
	enum rs_health slowest = RS_HEALTH_GOOD;

	for (const struct rs_probe *p = probes; p->name && err->status == RS_OK && !rs_out_closed(); p++) {
		struct rs_symptom f = { .what = RS_BUF_INIT, .loses = RS_BUF_INIT, .mend = RS_BUF_INIT };

		p->probe(&f);
		if (printer)
			print_row(p, &f, rs_printer_sink(printer));
		else
			print_text(p, &f, out);
		rs_out(out, err);
		slowest = f.health > slowest ? f.health : slowest;
		rs_buf_done(&f.what);
		rs_buf_done(&f.loses);
		rs_buf_done(&f.mend);
	}
	return slowest;
}

static enum rs_exit doctor_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_formatter_options formatter = { .format = opt->json ? "json" : "csv" };
	struct rs_printer *printer = NULL;
	struct rs_buf out = RS_BUF_INIT;
	const struct rs_probe *const groups[] = { rs_machine_probes, rs_kernel_probes, rs_capture_probes };
	enum rs_health health, slowest = RS_HEALTH_GOOD;

	if (opt->json || opt->csv) {
		printer = rs_printer_new(&view, &formatter, &out, err);
		if (!printer)
			return err->status;
	}
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		health = examine(groups[i], printer, &out, err);
		slowest = health > slowest ? health : slowest;
	}
	rs_printer_free(printer);
	rs_buf_done(&out);
	if (err->status != RS_OK)
		return err->status;
	return slowest == RS_HEALTH_FATAL ? RS_CHECK_FAILED : RS_OK;
}

const struct rs_command rs_command_doctor = {
	.name = "doctor", .summary = "what this machine lacks, and the line that mends it",
	.options = "json,csv", .run = doctor_run,
	.help = "Exit status 3 where capture cannot work at all.",
};
