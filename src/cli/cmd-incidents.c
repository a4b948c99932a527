// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * incidents - which conditions of a daemon fired: what its recordings say, and what it knows itself
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/attach.h"
#include "cli/command.h"
#include "cli/out.h"
#include "daemon/keep-folder.h"
#include "daemon/responder.h"
#include "view/formatter.h"

#define INCIDENTS_FILE_BYTES (1u << 20)
#define INCIDENTS_SEEN 1024 /* that are in recordings: not told again where the daemon tells them, too */
#define INCIDENTS_TIME 24

#define INCIDENTS_COLUMN(column, title, columns_wide, text) \
	{ .name = column, .heading = title, .type = RS_TYPE_TEXT, .width = columns_wide, .help = text }

static const struct rs_column incidents_columns[] = {
	INCIDENTS_COLUMN("time", "TIME", 19, "when it fired, local"),
	INCIDENTS_COLUMN("name", "NAME", 12, "of the condition; null: it has none"),
	INCIDENTS_COLUMN("when", "WHEN", 30, "the condition"),
	{ .name = "from_ns", .heading = "FROM", .type = RS_TYPE_ID, .help = "since when it has held" },
	{ .name = "to_ns", .heading = "TO", .type = RS_TYPE_ID, .help = "when it fired" },
	INCIDENTS_COLUMN("sentence", "SENTENCE", 30, "what it was"),
	INCIDENTS_COLUMN("recording", "RECORDING", 9, "the first file that was kept; null: none"),
	{ .name = NULL },
};

static const struct rs_view incidents_view = {
	.name = "incidents", .kind = RS_VIEW_STREAM, .columns = incidents_columns,
	.text_columns = "time,when,sentence,recording",
};

struct incidents_list {
	struct rs_sink *sink;
	const char *folder;
	uint64_t seen_ns[INCIDENTS_SEEN]; /* when these fired */
	size_t nr_seen, nr;
};

/* "2026-11-28 05:45:00"; null where the time of day is not known. */
static struct rs_value incidents_time(uint64_t ns, struct rs_value offset_ns, char text[INCIDENTS_TIME])
{
	time_t t = (time_t)((int64_t)(ns + offset_ns.u) / 1000000000);
	struct tm tm;

	if (!offset_ns.known || !localtime_r(&t, &tm) ||
	    !strftime(text, INCIDENTS_TIME, "%Y-%m-%d %H:%M:%S", &tm))
		return rs_null();
	return rs_s(text);
}

static void incidents_put(struct incidents_list *in, const struct rs_wire_alarm *a, struct rs_value offset_ns,
			  const char *recording)
{
	char text[INCIDENTS_TIME];
	const struct rs_value values[] = {
		incidents_time(a->to_ns, offset_ns, text), rs_s(a->name), rs_s(a->when), rs_u(a->from_ns),
		rs_u(a->to_ns), rs_s(a->sentence), rs_s(recording),
	};

	in->nr++;
	in->sink->row(in->sink, values);
}

/* ---- recordings ---- */

static void incidents_put_file(struct incidents_list *in, const struct rs_alarm_file *file)
{
	char path[4096] = "";

	if (file->nr_files && !strchr(file->files[0], '/'))
		snprintf(path, sizeof path, "%s/%s", in->folder, file->files[0]);
	for (size_t i = 0; i < file->nr_alarms; i++) {
		incidents_put(in, &file->alarms[i], file->realtime_offset_ns, path);
		in->seen_ns[in->nr_seen++ % INCIDENTS_SEEN] = file->alarms[i].to_ns;
	}
}

/* The file is the daemon's user's: it may be anything. */
static void incidents_read_file(struct incidents_list *in, int folder_fd, const char *name)
{
	int fd = openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *text = fd < 0 ? NULL : malloc(INCIDENTS_FILE_BYTES);
	ssize_t len = text ? read(fd, text, INCIDENTS_FILE_BYTES) : -1;
	struct rs_error err = { 0 };
	struct rs_frame_message *f = len > 0 ? rs_message_parse(text, (size_t)len, &err) : NULL;
	const struct rs_alarm_file *file = f ? rs_message_read(f, &rs_alarm_file_message, &err) : NULL;

	if (file)
		incidents_put_file(in, file);
	else
		rs_out_warn("%s/%s: is not what a daemon writes there", in->folder, name);
	rs_message_free(f);
	free(text);
	if (fd >= 0)
		close(fd);
}

static int incidents_is_file(const struct dirent *entry)
{
	const char *dot = strchr(entry->d_name, '.');

	return rs_keep_folder_is_stem(entry->d_name) && dot && !strcmp(dot, ".json");
}

/* By name, which is by time. Without a folder nothing was kept yet, but where one was named. */
static int incidents_read_folder(struct incidents_list *in, bool must, struct rs_error *err)
{
	struct dirent **names;
	int fd = open(in->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), nr;

	if (fd < 0 && (must || errno != ENOENT))
		return rs_fail(err, "cannot open '%s': %s", in->folder, strerror(errno));
	nr = fd < 0 ? 0 : scandirat(fd, ".", &names, incidents_is_file, alphasort);
	for (int i = 0; i < nr; i++) {
		incidents_read_file(in, fd, names[i]->d_name);
		free(names[i]);
	}
	if (fd >= 0 && nr >= 0)
		free(names);
	if (fd >= 0)
		close(fd);
	return nr < 0 ? rs_fail(err, "cannot read '%s': %s", in->folder, strerror(errno)) : 0;
}

/* ---- the daemon ---- */

static bool incidents_is_seen(const struct incidents_list *in, uint64_t to_ns)
{
	size_t nr = in->nr_seen < INCIDENTS_SEEN ? in->nr_seen : INCIDENTS_SEEN;

	for (size_t i = 0; i < nr; i++)
		if (in->seen_ns[i] == to_ns)
			return true;
	return false;
}

static void incidents_warn(const struct rs_alarms_reply *reply)
{
	for (size_t i = 0; i < reply->nr_conditions; i++)
		if (reply->conditions[i].why)
			rs_out_warn("%s: cannot be judged: %s", reply->conditions[i].text,
				    reply->conditions[i].why);
}

/* What fired, and is in no recording: none was kept, or it is still to come. */
static int incidents_ask(struct incidents_list *in, const struct rs_options *opt, struct rs_error *err)
{
	struct rs_error none = { 0 };
	struct rs_client *c = rs_attach(opt, &none);
	const struct rs_alarms_reply *reply = NULL;

	if (!c && opt->socket)
		*err = none;
	if (!c)
		return opt->socket ? -1 : 0;
	reply = rs_client_call(c, "alarms", NULL, -1, err);
	for (size_t i = 0; reply && i < reply->nr_alarms; i++)
		if (!incidents_is_seen(in, reply->alarms[i].to_ns))
			incidents_put(in, &reply->alarms[i], reply->realtime_offset_ns,
				      reply->alarms[i].recording);
	if (reply)
		incidents_warn(reply);
	rs_message_drop(reply);
	rs_client_free(c);
	return reply ? 0 : -1;
}

static enum rs_exit incidents_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_formatter_options formatter = { .format = opt->json ? "json" : opt->csv ? "csv" : "text",
						  .columns = opt->columns };
	struct rs_buf out = RS_BUF_INIT;
	struct rs_printer *printer = rs_printer_new(&incidents_view, &formatter, &out, err);
	static struct incidents_list in;

	if (!printer)
		return err->status;
	in.sink = rs_printer_sink(printer);
	in.folder = opt->keep_in ? opt->keep_in : RS_RESPONDER_FOLDER;
	if (incidents_read_folder(&in, opt->keep_in, err) == 0)
		incidents_ask(&in, opt, err);
	rs_printer_finish(printer);
	rs_printer_free(printer);
	if (!in.nr && !opt->json && !opt->csv && err->status == RS_OK) {
		rs_buf_clear(&out);
		rs_buf_puts(&out, "no condition has fired\n");
	}
	rs_out_end(&out, err);
	return err->status;
}

const struct rs_command rs_command_incidents = {
	.name = "incidents",
	.arguments = NULL,
	.summary = "which conditions of the daemon fired, when, and the recordings that were kept",
	.options = "keep-in,columns,json,csv,socket",
	.help = "Lists what the recordings in --keep-in say, and what fired in the daemon that runs and\n"
		"is in none of them. \"ringside FILE\" opens one.",
	.texts = RS_LIST(rs_option_text, { "keep-in", "the folder of the recordings; "
						      "/var/lib/ringside/incidents if not given" }),
	.run = incidents_run,
};
