// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ship - a daemon's window to a database, batch by batch
 *
 * Each batch is read from the window, where it stays for a while: so who is killed begins again behind the
 * last batch that is in the spool, and nothing is missing.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/monotonic.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/export/export-file.h"
#include "cli/interrupt.h"
#include "cli/options/config.h"
#include "cli/out.h"
#include "cli/save-window.h"
#include "ship/sender.h"

#define SHIP_SPOOL "/var/lib/ringside/spool"
#define SHIP_SPOOL_BYTES (256ull << 20)
#define SHIP_INTERVAL_NS 10000000000ull
#define SHIP_LEAST_NS 1000000u
#define SHIP_BEFORE_FACTOR 4
#define SHIP_READ_BYTES (128 << 20)     /* a second's work or two */
#define SHIP_TICK_MS 200

struct ship {
	const struct rs_options *opt;
	struct rs_export_batch batch;
	uint64_t interval_ns;
	uint64_t nr_unmatched;   /* of the last that was written */
	char host[72], boot[48], said[512];
	struct rs_spool spool;
	struct rs_sender *sender;
};

/* An error that lasts is said once. */
static void ship_say(struct ship *s, const struct rs_error *err)
{
	if (strcmp(s->said, err->text) != 0)
		rs_out_warn("%s", err->text);
	snprintf(s->said, sizeof s->said, "%s", err->text);
}

static int ship_read_boot(struct ship *s, struct rs_error *err)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool known = f && fscanf(f, "%47s", s->boot) == 1;

	if (f)
		fclose(f);
	if (gethostname(s->host, sizeof s->host - 1) < 0)
		s->host[0] = '\0';
	return known ? 0 : rs_fail(err, "cannot read /proc/sys/kernel/random/boot_id");
}

/* Writes the batch, of a window that is read from before_ns ahead of it. bytes: of what was read. */
static int ship_write_batch(struct ship *s, struct rs_client *c, uint64_t before_ns, off_t *bytes,
			    struct rs_error *err)
{
	struct rs_options opt = *s->opt;
	char path[PATH_MAX];
	struct stat st = { 0 };

	rs_spool_path(&s->spool, s->batch.number, path);
	opt.from = (struct rs_moment){ RS_MOMENT_CLOCK, s->batch.from_ns };
	opt.to = (struct rs_moment){ RS_MOMENT_CLOCK, s->batch.to_ns };
	opt.window_before_ns = before_ns;
	opt.shipped = &s->batch;
	opt.max_size = NULL; /* the spool's */
	opt.output = path;
	if (rs_spool_remove(&s->spool, s->batch.number, err) < 0 || rs_save_window_as_input(c, &opt, err) < 0)
		return -1;
	fstat(opt.input_fd, &st);
	*bytes = st.st_size;
	rs_export_file(&(const struct rs_options *){ &opt }, 1, rs_export_find("clickhouse", err), NULL, err);
	close(opt.input_fd);
	return err->status == RS_OK ? 0 : -1;
}

/*
 * One interval before the batch is read with it. If spans end in it that began earlier, more of the window is
 * read, as long as that is affordable. All of it has been read when there is no more.
 */
static int ship_write_whole_batch(struct ship *s, struct rs_client *c, struct rs_error *err)
{
	uint64_t before_ns = s->interval_ns;
	off_t bytes = 0, last;

	do {
		last = bytes;
		if (ship_write_batch(s, c, before_ns, &bytes, err) < 0)
			return -1;
		before_ns *= SHIP_BEFORE_FACTOR;
	} while (s->nr_unmatched && bytes > last && bytes * SHIP_BEFORE_FACTOR <= SHIP_READ_BYTES);
	return rs_spool_add(&s->spool, s->batch.to_ns, err);
}

/* Sets the time of the next batch: from the last one to now. Returns false if none has passed. */
static bool ship_find_time(struct ship *s, const struct rs_state_reply *state)
{
	uint64_t now_ns = state->now_ns.u, done_ns = s->spool.done_ns;
	struct rs_error note = { 0 };

	if (now_ns <= done_ns)
		return false;
	s->batch.to_ns = now_ns;
	s->batch.from_ns = done_ns ? done_ns + 1 : now_ns > s->interval_ns ? now_ns - s->interval_ns : 1;
	if (state->oldest_ns.u <= s->batch.from_ns)
		return true;
	s->batch.from_ns = state->oldest_ns.u < now_ns ? state->oldest_ns.u : now_ns;
	rs_fail(&note, "the daemon's window does not reach back to the last batch: the time between is "
		       "missing, and from_ns of ringside_batch "
		       "shows how much (use a larger --window of the daemon, or a shorter -I)");
	if (done_ns)
		ship_say(s, &note);
	return true;
}

/* The time from the last batch to now, to the folder of the next one. */
static int ship_make_batch(struct ship *s, struct rs_error *err)
{
	struct rs_client *c = rs_attach(s->opt, err);
	const struct rs_state_reply *state = c ? rs_client_call(c, "state", NULL, -1, err) : NULL;
	int ret = state ? 0 : -1;
	bool has_time = state && ship_find_time(s, state);

	rs_message_drop(state);
	if (has_time) {
		s->batch.number = s->spool.next;
		s->batch.nr_dropped = s->spool.nr_dropped;
		ret = ship_write_whole_batch(s, c, err);
	}
	rs_client_free(c);
	return ret;
}

/* What cannot be done now is done later: only Ctrl-C and -d end it. */
static void ship_run(struct ship *s)
{
	uint64_t due_ns = rs_monotonic_ns();
	uint64_t end_ns = s->opt->duration_ns ? due_ns + s->opt->duration_ns : UINT64_MAX;
	bool last = false;

	while (!rs_interrupt_came() && !last) {
		struct rs_error err = { 0 };

		last = rs_monotonic_ns() >= end_ns;
		if (last || rs_monotonic_ns() >= due_ns) {
			due_ns += s->interval_ns;
			if (ship_make_batch(s, &err) < 0)
				ship_say(s, &err);
		}
		err = (struct rs_error){ 0 };
		if (rs_sender_deliver(s->sender, &s->spool, &err) < 0)
			ship_say(s, &err);
		if (!last)
			poll(NULL, 0, SHIP_TICK_MS);
	}
}

static int ship_begin(struct ship *s, struct rs_error *err)
{
	const struct rs_options *opt = s->opt;
	uint64_t most_bytes = SHIP_SPOOL_BYTES;

	if (!opt->to_url)
		return rs_fail_usage(err, "ship: --to says where to (http://HOST:8123/DATABASE)");
	if ((opt->max_size && rs_config_size("--max-size", opt->max_size, &most_bytes, err) < 0) ||
	    ship_read_boot(s, err) < 0)
		return -1;
	s->interval_ns = opt->interval_ns ? opt->interval_ns : SHIP_INTERVAL_NS;
	s->batch = (struct rs_export_batch){ .host = s->host, .boot = s->boot, .is_part = true,
					     .nr_unmatched = &s->nr_unmatched,
					     .least_ns = opt->least_ns ? opt->least_ns : SHIP_LEAST_NS };
	s->sender = rs_sender_new(&(struct rs_sender_config){ opt->to_url, opt->credentials, opt->authority },
				  err);
	if (!s->sender)
		return -1;
	if (rs_sender_warning(s->sender))
		rs_out_warn("%s", rs_sender_warning(s->sender));
	return rs_spool_open(&s->spool, opt->spool ? opt->spool : SHIP_SPOOL, s->boot, most_bytes, err);
}

static enum rs_exit ship_command(const struct rs_options *opt, struct rs_error *err)
{
	struct ship s = { .opt = opt, .spool = { .dir = -1, .lock = -1 } };

	rs_interrupt_watch();
	if (ship_begin(&s, err) == 0)
		ship_run(&s);
	rs_spool_close(&s.spool);
	rs_sender_free(s.sender);
	return err->status;
}

const struct rs_command rs_command_ship = {
	.name = "ship",
	.summary = "send what a daemon traces to a ClickHouse database",
	.options = "to-url,credentials,authority,spool,max-size,least,interval,duration,analysis,pid,tid,"
		   "comm,cgroup,socket,quiet",
	.help = "Every ten seconds (-I) it makes a batch of that part of the daemon's window, adds it to the "
		"spool and\n"
		"sends it to the server, until Ctrl-C or for -d SECONDS. A batch has a row for each span of "
		"1 ms\n"
		"(--least) and more, the sums of all spans, the findings, and the data quality. It makes the "
		"tables if\n"
		"they do not exist. Batches that the server has not acknowledged stay in the spool; if the "
		"spool grows\n"
		"over 256M (--max-size), the oldest are dropped and counted. A row that is delivered twice "
		"is stored\n"
		"once. Root and the user who started the daemon may ship.",
	.texts =
		(const struct rs_option_text[]){
			{ "max-size",
			  "drop the oldest batches if the spool grows over this; 256M if not given" },
			{ "interval", "send a batch after each interval of this length; 10 if not given" },
			{ "analysis", "only what these analyses find" },
			{ .name = NULL },
		},
	.run = ship_command,
};
