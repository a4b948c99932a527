// SPDX-License-Identifier: GPL-2.0-or-later
/* responder - what a daemon does when a condition fires: a recording, a command, the journal */
#include "daemon/responder.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "daemon/journal.h"
#include "daemon/keep-command.h"
#include "daemon/keep-recording.h"
#include "tracefs/tracefs.h"

#define RESPONDER_ASK_MS 500
#define RESPONDER_IDLE_MS 2000           /* while there are no conditions */
#define RESPONDER_COMMAND_MS 60000
#define RESPONDER_PENDING 64u            /* of one recording; more are told, and are in none */

/* What fired, and waits for the end of its recording. */
struct responder_alarm {
	struct rs_wire_alarm wire;
	char when[512], name[64], sentence[400];
};

struct responder {
	const struct rs_responder_config *config;
	struct rs_client *client;
	struct rs_journal journal;
	struct rs_keep_folder folder; /* opened with the first conditions; .fd -1: keeps none */
	bool has_conditions;
	uint64_t after;               /* the number of the last that was told */
	struct rs_value realtime_offset_ns;
	struct responder_alarm pending[RESPONDER_PENDING];
	unsigned int nr_pending;
};

/* ---- telling ---- */

static void responder_say(const struct responder *k, const char *text)
{
	struct rs_buf line = RS_BUF_INIT;

	rs_buf_puts(&line, k->config->journal ? "<4>" : "ringside: warning: ");
	rs_escape_text(&line, text);
	rs_buf_putc(&line, '\n');
	fputs(line.data, stderr);
	rs_buf_done(&line);
}

static const char *responder_name(const struct responder_alarm *a)
{
	return *a->name ? a->name : a->when;
}

static void responder_notify(struct responder *k, const struct responder_alarm *a)
{
	char text[1100], from[24], to[24];

	snprintf(text, sizeof text, "%s: %s", responder_name(a), a->sentence);
	snprintf(from, sizeof from, "%" PRIu64, a->wire.from_ns);
	snprintf(to, sizeof to, "%" PRIu64, a->wire.to_ns);
	rs_journal_put(&k->journal, "MESSAGE", text);
	rs_journal_put(&k->journal, "PRIORITY", "4");
	rs_journal_put(&k->journal, "SYSLOG_IDENTIFIER", "ringside");
	rs_journal_put(&k->journal, "RINGSIDE_NAME", a->name);
	rs_journal_put(&k->journal, "RINGSIDE_WHEN", a->when);
	rs_journal_put(&k->journal, "RINGSIDE_SENTENCE", a->sentence);
	rs_journal_put(&k->journal, "RINGSIDE_FROM_NS", from);
	rs_journal_put(&k->journal, "RINGSIDE_TO_NS", to);
	if (!rs_journal_send(&k->journal) || !k->config->journal)
		responder_say(k, text);
}

static void responder_run_command(struct responder *k, const struct responder_alarm *a, const char *recording)
{
	char from[24], to[24];
	const struct rs_keep_variable variables[] = {
		{ "RINGSIDE_NAME", a->name }, { "RINGSIDE_WHEN", a->when },
		{ "RINGSIDE_SENTENCE", a->sentence }, { "RINGSIDE_FROM_NS", from }, { "RINGSIDE_TO_NS", to },
		{ "RINGSIDE_RECORDING", recording }, { NULL, NULL },
	};
	struct rs_error err = { 0 };

	if (!k->config->command)
		return;
	snprintf(from, sizeof from, "%" PRIu64, a->wire.from_ns);
	snprintf(to, sizeof to, "%" PRIu64, a->wire.to_ns);
	if (rs_keep_command_run(k->config->command, variables, RESPONDER_COMMAND_MS, &err) < 0)
		responder_say(k, err.text);
}

/* ---- a recording ---- */

static int responder_save(struct responder *k, struct rs_keep_recording *recording, const char *stem,
			  struct rs_error *err)
{
	char text[700];

	if (rs_keep_recording_save(recording, stem, err) < 0) {
		rs_keep_folder_drop(&k->folder, stem);
		return -1;
	}
	if (recording->missing.status != RS_OK) {
		snprintf(text, sizeof text, "no findings are kept beside '%s': %s", stem,
			 recording->missing.text);
		responder_say(k, text);
	}
	return rs_keep_folder_finish(&k->folder, stem, err);
}

/* The screens open what fired; that the daemon did not hear of it costs them no more than that. */
static void responder_report(struct responder *k, const char *path)
{
	struct rs_error ignored = { 0 };

	rs_message_drop(rs_client_call(k->client, "recorded", &(struct rs_recorded_request){
		k->pending[0].wire.number, k->pending[k->nr_pending - 1].wire.number, path }, -1, &ignored));
}

static void responder_keep(struct responder *k)
{
	struct rs_wire_alarm alarms[RESPONDER_PENDING];
	struct rs_keep_recording recording = {
		.client = k->client, .folder = &k->folder, .formats = k->config->formats,
		.before_ns = k->config->before_ns, .after_ns = k->config->after_ns,
		.realtime_offset_ns = k->realtime_offset_ns, .alarms = alarms, .nr_alarms = k->nr_pending,
	};
	char stem[RS_KEEP_STEM], file[RS_KEEP_FILE], path[4096] = "", text[700];
	struct rs_error err = { 0 };

	for (unsigned int i = 0; i < k->nr_pending; i++)
		alarms[i] = k->pending[i].wire;
	rs_keep_folder_name(&k->folder, time(NULL), responder_name(&k->pending[0]), stem);
	if (responder_save(k, &recording, stem, &err) < 0) {
		snprintf(text, sizeof text, "no recording was kept of '%.80s': %s",
			 responder_name(&k->pending[0]), err.text);
		responder_say(k, text);
	} else {
		rs_keep_folder_prune(&k->folder, time(NULL));
		rs_keep_recording_file(&recording, stem, file);
		snprintf(path, sizeof path, "%s/%s", k->config->folder, file);
		responder_report(k, path);
	}
	responder_run_command(k, &k->pending[0], path);
	k->nr_pending = 0;
}

/* ---- the loop ---- */

static void responder_take(struct responder *k, const struct rs_wire_alarm *wire)
{
	struct responder_alarm *a, untold;

	a = k->nr_pending < RESPONDER_PENDING ? &k->pending[k->nr_pending] : &untold;
	a->wire = *wire;
	snprintf(a->when, sizeof a->when, "%s", wire->when);
	snprintf(a->name, sizeof a->name, "%s", wire->name ? wire->name : "");
	snprintf(a->sentence, sizeof a->sentence, "%s", wire->sentence);
	a->wire.when = a->when;
	a->wire.name = *a->name ? a->name : NULL;
	a->wire.sentence = a->sentence;
	k->after = wire->number;
	responder_notify(k, a);
	if (k->folder.fd < 0)
		responder_run_command(k, a, "");
	else if (a != &untold)
		k->nr_pending++;
}

/* Once the time behind the first of them is over. */
static bool responder_is_due(const struct responder *k, uint64_t now_ns)
{
	return k->nr_pending && now_ns >= k->pending[0].wire.to_ns + k->config->after_ns;
}

/* Not before: what is kept there is none of a daemon's without conditions. */
static void responder_begin_conditions(struct responder *k)
{
	struct rs_error err = { 0 };
	char text[700];

	k->has_conditions = true;
	if (!k->config->most || rs_keep_folder_open(&k->folder, k->config->folder, &err) == 0)
		return;
	snprintf(text, sizeof text, "no recording is kept of what fires: %s", err.text);
	responder_say(k, text);
}

static bool responder_ask(struct responder *k)
{
	const struct rs_alarms_request request = { .after = k->after };
	struct rs_error err = { 0 };
	const struct rs_alarms_reply *reply = rs_client_call(k->client, "alarms", &request, -1, &err);
	bool is_due;

	if (!reply)
		return false;
	k->realtime_offset_ns = reply->realtime_offset_ns;
	if (reply->nr_conditions && !k->has_conditions)
		responder_begin_conditions(k);
	for (size_t i = 0; i < reply->nr_alarms; i++)
		responder_take(k, &reply->alarms[i]);
	is_due = responder_is_due(k, reply->now_ns);
	rs_message_drop(reply);
	if (is_due)
		responder_keep(k);
	return true;
}

/* Returns false when the daemon has ended. */
static bool responder_pause(struct responder *k)
{
	struct pollfd p = { .fd = rs_client_fd(k->client), .events = POLLIN };
	struct rs_error err = { 0 };

	int ms = k->has_conditions ? RESPONDER_ASK_MS : RESPONDER_IDLE_MS;

	return poll(&p, 1, ms) <= 0 || rs_client_read(k->client, &err) == 0;
}

static void responder_run(const struct rs_responder_config *config, const struct rs_engine_user *user, int fd)
{
	static struct responder k;
	struct rs_error err = { 0 };

	k.config = config;
	k.folder = (struct rs_keep_folder){ -1, config->most, config->most_bytes };
	prctl(PR_SET_NAME, "ringside-alarms");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN); /* of the terminal: the daemon's end is what ends it */
	signal(SIGHUP, SIG_IGN);
	if (rs_privileges_drop(user, false, &err) == 0)
		k.client = rs_client_new(fd, &err);
	if (k.client && rs_client_hello(k.client, "responder", &err) == 0) {
		rs_journal_open(&k.journal, NULL);
		while (responder_ask(&k) && responder_pause(&k))
			;
		rs_journal_close(&k.journal);
	} else if (err.status != RS_OK) {
		responder_say(&k, err.text);
	}
	rs_client_free(k.client);
	rs_keep_folder_close(&k.folder);
}

/* ---- beginning ---- */

/* For the user that the responder becomes: the folder alone, so that files of an earlier one can be removed.
 */
static int responder_make_folder(const char *path, const struct rs_engine_user *user, struct rs_error *err)
{
	char parent[4096];
	char *slash;

	snprintf(parent, sizeof parent, "%s", path);
	slash = strrchr(parent, '/');
	if (slash && slash > parent) {
		*slash = '\0';
		mkdir(parent, 0755);
	}
	if (mkdir(path, 0750) < 0 && errno != EEXIST)
		return rs_fail(err, "cannot make '%s': %s", path, strerror(errno));
	if (user && lchown(path, user->uid, user->gid) < 0)
		return rs_fail(err, "cannot give '%s' to the daemon's user: %s", path, strerror(errno));
	return 0;
}

/* Its parent is init: the daemon waits for no child of whose end it does not know. */
static void responder_begin(const struct rs_responder_config *config, const struct rs_engine_user *user,
			    int fd)
{
	pid_t pid = fork();

	if (pid)
		_exit(pid < 0);
	responder_run(config, user, fd);
	_exit(0);
}

int rs_responder_start(const struct rs_responder_config *config, struct rs_error *err)
{
	struct rs_engine_user found, *user = geteuid() == 0 ? &found : NULL;
	struct rs_error ignored = { 0 };
	int fds[2], status = 1;
	pid_t pid;

	if (user && rs_privileges_find(user, err) < 0)
		return -1;
	if (config->most &&
	    responder_make_folder(config->folder, user, config->is_idle ? &ignored : err) < 0 &&
	    !config->is_idle)
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return rs_fail(err, "cannot begin the responder: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(fds[0]);
		responder_begin(config, user, fds[1]);
	}
	close(fds[1]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status) {
		close(fds[0]);
		return rs_fail(err, "cannot begin the responder: %s", strerror(pid < 0 ? errno : EAGAIN));
	}
	return fds[0];
}
