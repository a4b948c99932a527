// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unusual - what is not usual for this machine, of what the daemon has learned
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/attach.h"
#include "cli/command.h"
#include "cli/out.h"

#define UNUSUAL_HOUR_S 3600
#define UNUSUAL_MOST 10 /* that are told of each list */

/* "14:03:07"; "-" where the time of day is not known. */
static void unusual_put_time(struct rs_buf *out, const struct rs_unusual_reply *r, uint64_t ns)
{
	time_t t = (time_t)((int64_t)(ns + r->realtime_offset_ns.u) / 1000000000);
	char text[16];
	struct tm tm;

	if (r->realtime_offset_ns.known && localtime_r(&t, &tm) &&
	    strftime(text, sizeof text, "%H:%M:%S", &tm))
		rs_buf_puts(out, text);
	else
		rs_buf_puts(out, "-");
}

static void unusual_put_duration(struct rs_buf *out, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t s = (to_ns - from_ns) / 1000000000;

	if (s >= 2 * UNUSUAL_HOUR_S)
		rs_buf_printf(out, "%" PRIu64 " h", s / UNUSUAL_HOUR_S);
	else if (s >= 120)
		rs_buf_printf(out, "%" PRIu64 " min", s / 60);
	else
		rs_buf_printf(out, "%" PRIu64 " s", s);
}

static void unusual_put_item(struct rs_buf *out, const struct rs_unusual_reply *r,
			     const struct rs_wire_unusual *u, bool has_ended)
{
	rs_escape_text(out, u->sentence);
	rs_buf_puts(out, has_ended ? "\n    from " : "\n    since ");
	unusual_put_time(out, r, u->since_ns);
	rs_buf_puts(out, has_ended ? " on, for " : ", for ");
	unusual_put_duration(out, u->since_ns, u->last_ns);
	if (u->cost_ppm.known)
		rs_buf_printf(out, "; costs %" PRIu64 " ms each second", u->cost_ppm.u / 1000);
	rs_buf_printf(out, "; beyond all of %" PRIu64 " blocks of ten minutes%s", u->nr_blocks,
		      u->by_day ? " at this time of day" : "");
	rs_buf_printf(out, ": by chance 1 in %" PRIu64 "\n", u->nr_blocks + 1);
}

static void unusual_put_learned(struct rs_buf *out, const struct rs_unusual_reply *r)
{
	uint64_t min = r->learned_s / 60;

	rs_buf_printf(out, "learned   from %" PRIu64 " h %02" PRIu64 " min, %s\n", min / 60, min % 60,
		      min < 120	 ? "which is too little: it needs two hours" :
		      r->by_day ? "by the time of day" :
				  "of any time of day: loads are not judged before two days");
	rs_buf_printf(out, "watches   %" PRIu64 " of %" PRIu64 " series", r->nr_series, r->most);
	if (r->nr_turned_away)
		rs_buf_printf(out, "; %" PRIu64 " or more with less time have no room", r->nr_turned_away);
	if (r->nr_lost)
		rs_buf_printf(out, "; %" PRIu64 " s with lost events are not judged", r->nr_lost);
	rs_buf_puts(out, "\nkept      ");
	if (r->file)
		rs_escape_text(out, r->file);
	rs_buf_puts(out, r->file ? "\n" : "nowhere: it ends with the daemon (--learn FILE)\n");
}

/* Of one process, one disk the costliest, and how many more: they move together. */
static void unusual_put_list(struct rs_buf *out, const struct rs_unusual_reply *r,
			     const struct rs_wire_unusual *list, size_t nr, bool has_ended)
{
	unsigned int nr_told = 0;

	for (size_t i = 0; i < nr; i++) {
		unsigned int nr_before = 0, nr_more = 0;

		for (size_t k = 0; k < nr; k++) {
			bool is_same = k != i && !strcmp(list[i].of, list[k].of);

			nr_before += is_same && k < i;
			nr_more += is_same && k > i;
		}
		if (nr_before || nr_told == UNUSUAL_MOST)
			continue;
		unusual_put_item(out, r, &list[i], has_ended);
		if (nr_more)
			rs_buf_printf(out, "    and %u more of it (--json has all)\n", nr_more);
		nr_told++;
	}
}

static void unusual_put(struct rs_buf *out, const struct rs_unusual_reply *r)
{
	unusual_put_list(out, r, r->unusual, r->nr_unusual, false);
	if (!r->nr_unusual)
		rs_buf_puts(out, "nothing is unusual\n");
	if (r->nr_ended)
		rs_buf_puts(out, "\nbefore:\n");
	unusual_put_list(out, r, r->ended, r->nr_ended, true);
	rs_buf_puts(out, "\n");
	unusual_put_learned(out, r);
}

static int unusual_show(struct rs_client *c, const struct rs_options *opt, struct rs_error *err)
{
	const struct rs_unusual_reply *r = rs_client_call(c, "unusual", NULL, -1, err);
	struct rs_buf out = RS_BUF_INIT;
	struct rs_json json;

	if (!r)
		return -1;
	if (!r->learns) {
		rs_message_drop(r);
		return rs_fail(err, "the daemon does not learn what is usual (it runs with --learn off)");
	}
	if (opt->json) {
		rs_json_init(&json, &out);
		rs_message_put(&json, &rs_unusual_reply_message, r);
		rs_buf_puts(&out, "\n");
	} else {
		unusual_put(&out, r);
	}
	rs_message_drop(r);
	rs_out_end(&out, err);
	return 0;
}

static int unusual_forget(struct rs_client *c, struct rs_error *err)
{
	const void *reply = rs_client_call(c, "forget", NULL, -1, err);

	rs_message_drop(reply);
	return reply ? 0 : -1;
}

static enum rs_exit unusual_run(const struct rs_options *opt, struct rs_error *err)
{
	struct rs_client *c = rs_attach(opt, err);

	if (!c)
		return err->status;
	if (opt->forget)
		unusual_forget(c, err);
	else
		unusual_show(c, opt, err);
	rs_client_free(c);
	return err->status;
}

const struct rs_command rs_command_unusual = {
	.name = "unusual",
	.arguments = NULL,
	.summary = "what is not usual for this machine, of what the daemon has learned",
	.options = "forget,json,socket,host,remote",
	.help = "The daemon learns each second what latencies, rates and CPU times are usual, by the time\n"
		"of day once it knows two days. It takes two hours until anything is told.",
	.run = unusual_run,
};
