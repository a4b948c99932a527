// SPDX-License-Identifier: GPL-2.0-or-later
/* keep-recording - the files of a recording that is kept: the time around what fired, and why */
#include "daemon/keep-recording.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "daemon/keep-findings.h"
#include "service/save.h"

#define KEEP_RECORDING_HELD_NS 60000000000u /* of a condition that held for longer, the end is kept */
#define KEEP_RECORDING_DAT "trace.dat"

/* The names of what was written, for the file that says what it is about. */
struct keep_files {
	char name[RS_KEEP_FORMATS + 1][RS_KEEP_FILE]; /* findings are two files of one format */
	unsigned int nr;
};

static void keep_files_add(struct keep_files *files, const char *stem, const char *ending)
{
	snprintf(files->name[files->nr++], RS_KEEP_FILE, "%s%s", stem, ending);
}

/* "trace.dat" is ".dat", html ".html", chrome ".chrome.json": ".json" says what the others are about. */
static void keep_recording_ending(const char *name, char ending[32])
{
	struct rs_save_format f;
	int len;

	snprintf(ending, 32, ".%s", name);
	if (!strcmp(name, RS_KEEP_FINDINGS))
		snprintf(ending, 32, "%s", RS_KEEP_FINDINGS_TEXT);
	for (size_t n = 0; rs_save_format(n, &f); n++) {
		if (strcmp(f.name, name) || !f.endings)
			continue;
		len = 1 + (int)strcspn(f.endings + 1, ".");
		snprintf(ending, 32, "%s%s%.*s", strncmp(f.endings, ".json", 5) ? "" : ".",
			 strncmp(f.endings, ".json", 5) ? "" : name, len, f.endings);
	}
}

void rs_keep_recording_file(const struct rs_keep_recording *k, const char *stem, char file[RS_KEEP_FILE])
{
	char ending[32];

	keep_recording_ending(k->formats[0], ending);
	snprintf(file, RS_KEEP_FILE, "%s%s", stem, ending);
}

static int keep_recording_save_as(struct rs_keep_recording *k, const char *stem, const char *format,
				  const struct rs_asked_time *time, struct keep_files *files,
				  struct rs_error *err)
{
	const struct rs_save_request request = { .format = format, .time = *time };
	const struct rs_save_reply *reply;
	char ending[32];
	int fd;

	keep_recording_ending(format, ending);
	fd = rs_keep_folder_create(k->folder, stem, ending, err);
	if (fd < 0)
		return -1;
	reply = rs_client_call(k->client, "save", &request, fd, err);
	rs_message_drop(reply);
	if (close(fd) < 0 && err->status == RS_OK)
		rs_fail(err, "%s", strerror(errno));
	keep_files_add(files, stem, ending);
	return err->status == RS_OK ? 0 : -1;
}

static bool keep_recording_has_dat(const struct rs_keep_recording *k)
{
	size_t i = 0;

	while (k->formats[i] && strcmp(k->formats[i], KEEP_RECORDING_DAT))
		i++;
	return k->formats[i];
}

/* A recording is worth having without them. */
static int keep_recording_save_findings(struct rs_keep_recording *k, const char *stem,
					const struct rs_asked_time *time, struct keep_files *files,
					struct rs_error *err)
{
	const struct rs_findings_request request = { .time = *time };
	const struct rs_findings_reply *reply =
		rs_client_call(k->client, "findings", &request, -1, &k->missing);
	const struct rs_keep_findings findings = { .alarms = k->alarms, .nr_alarms = k->nr_alarms,
						   .has_recording = keep_recording_has_dat(k),
						   .reply = reply };
	int ret = 0;

	if (reply) {
		ret = rs_keep_findings_write(k->folder, stem, &findings, err);
		keep_files_add(files, stem, RS_KEEP_FINDINGS_TEXT);
		keep_files_add(files, stem, RS_KEEP_FINDINGS_JSON);
	}
	rs_message_drop(reply);
	return ret;
}

/* The file that says what it is about. */
static int keep_recording_describe(struct rs_keep_recording *k, const char *stem,
				   const struct rs_asked_time *range, const struct keep_files *files,
				   struct rs_error *err)
{
	const char *names[RS_KEEP_FORMATS + 1];
	char when[32];
	struct rs_alarm_file contents = { .time = when, .from_ns = range->from_ns.u, .to_ns = range->to_ns.u,
					  .realtime_offset_ns = k->realtime_offset_ns, .files = names,
					  .nr_files = files->nr, .alarms = k->alarms,
					  .nr_alarms = k->nr_alarms };
	struct rs_buf text = RS_BUF_INIT;
	time_t now = time(NULL);
	struct rs_json j;
	struct tm tm;
	int ret;

	gmtime_r(&now, &tm);
	strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &tm);
	for (unsigned int i = 0; i < files->nr; i++)
		names[i] = files->name[i];
	rs_json_init(&j, &text);
	rs_message_put(&j, &rs_alarm_file_message, &contents);
	rs_buf_putc(&text, '\n');
	ret = rs_keep_folder_write(k->folder, stem, ".json", &text, err);
	rs_buf_done(&text);
	return ret;
}

/* What all of them are about. */
static struct rs_asked_time keep_recording_range(const struct rs_keep_recording *k)
{
	uint64_t from_ns = UINT64_MAX, to_ns = 0;

	for (size_t i = 0; i < k->nr_alarms; i++) {
		const struct rs_wire_alarm *a = &k->alarms[i];
		uint64_t begin_ns = a->to_ns - a->from_ns < KEEP_RECORDING_HELD_NS
					    ? a->from_ns
					    : a->to_ns - KEEP_RECORDING_HELD_NS;

		from_ns = begin_ns < from_ns ? begin_ns : from_ns;
		to_ns = a->to_ns > to_ns ? a->to_ns : to_ns;
	}
	from_ns = from_ns > k->before_ns ? from_ns - k->before_ns : 0;
	return (struct rs_asked_time){ rs_u(from_ns), rs_u(to_ns + k->after_ns) };
}

int rs_keep_recording_save(struct rs_keep_recording *k, const char *stem, struct rs_error *err)
{
	struct rs_asked_time range = keep_recording_range(k);
	struct keep_files files = { .nr = 0 };

	for (size_t i = 0; k->formats[i]; i++) {
		int ret = strcmp(k->formats[i], RS_KEEP_FINDINGS)
				  ? keep_recording_save_as(k, stem, k->formats[i], &range, &files, err)
				  : keep_recording_save_findings(k, stem, &range, &files, err);

		if (ret < 0)
			return -1;
	}
	return keep_recording_describe(k, stem, &range, &files, err);
}
