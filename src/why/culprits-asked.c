// SPDX-License-Identifier: GPL-2.0-or-later
/* culprits-asked - what `ringside why` was asked about, and the command that shows more of a part */
#include "ringside/culprit.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/escape.h"
#include "engine/internal.h"

#define SHOWN_NS 1000u /* times are shown in microseconds: one that was copied may be that much too early */

const struct rs_time_asked *rs_culprits_asked(const struct rs_ctx *c)
{
	return &c->session->config.asked_why;
}

static bool asked_is_at(const struct rs_time_asked *asked, int32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	return asked->kind == RS_ASKED_SLICE && tid == asked->tid && from_ns < asked->at_ns + SHOWN_NS &&
	       asked->at_ns <= to_ns;
}

bool rs_culprits_asked_call(const struct rs_ctx *c, const struct rs_call *call)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	const char *name;

	if (asked->kind != RS_ASKED_CALLS || call->exit_ns - call->enter_ns < asked->least_ns)
		return asked_is_at(asked, call->task->tid, call->enter_ns, call->exit_ns);
	name = rs_syscall_name(c, call->nr);
	return name && rs_pattern_matches(asked->calls, name);
}

/* A state within a call is asked about by the call, which is still in flight. */
bool rs_culprits_asked_state(const struct rs_ctx *c, const struct rs_interval *iv)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);

	return asked_is_at(asked, iv->task->tid, iv->from_ns, iv->to_ns) &&
	       (iv->task->syscall < 0 || iv->task->syscall_enter_ns >= asked->at_ns + SHOWN_NS);
}

bool rs_culprits_asked_request(const struct rs_ctx *c, const struct rs_request *r)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	const char *name;
	char number[32];

	if (asked->kind != RS_ASKED_REQUEST || r->sector != asked->sector || r->discarded || !r->shown)
		return false;
	rs_dev_text(r->dev, number, sizeof number);
	name = rs_disk_name(c, r->dev);
	return rs_pattern_matches(asked->disks, number) || (name && rs_pattern_matches(asked->disks, name));
}

/* ---- the commands that show more ---- */

static void asked_put_ids(struct rs_buf *out, const char *option, const int32_t *ids, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		rs_buf_printf(out, "%s%d", i ? "," : option, ids[i]);
}

static void asked_put_word(struct rs_buf *out, const char *option, const char *word)
{
	if (word) {
		rs_buf_puts(out, option);
		rs_escape_word(out, word);
	}
}

static void asked_put_time(struct rs_buf *out, const char *option, uint64_t at_ns)
{
	if (at_ns)
		rs_buf_printf(out, "%s@%" PRIu64 ".%09" PRIu64, option, at_ns / 1000000000,
			      at_ns % 1000000000);
}

static void asked_put_selection(struct rs_buf *out, const struct rs_selection *sel)
{
	asked_put_ids(out, " -p ", sel->pids, sel->nr_pids);
	asked_put_ids(out, " -t ", sel->tids, sel->nr_tids);
	asked_put_word(out, " -c ", sel->comm_glob);
	asked_put_word(out, " --cgroup ", sel->cgroup_glob);
	if (!sel->nr_pids)
		asked_put_ids(out, " -p ", &sel->command, sel->command != 0);
}

/* A process whose pid is not known is shown by its tid. */
void rs_part_command(const struct rs_ctx *c, enum rs_time_part part, uint32_t dev, int32_t pid, int32_t tid,
		     char *buf, size_t size_bytes)
{
	const struct rs_session_config *config = &c->session->config;
	struct rs_buf out = RS_BUF_INIT;

	rs_buf_printf(&out, "ringside %s", rs_part_row(part)->view);
	asked_put_word(&out, " -i ", config->of_window ? NULL : config->input);
	if (dev)
		rs_buf_printf(&out, " --dev %u,%u", dev >> 20, dev & 0xfffff);
	else if (pid || tid)
		asked_put_ids(&out, pid ? " -p " : " -t ", pid ? &pid : &tid, 1);
	else if (part != RS_PART_IRQ && part != RS_PART_SOFTIRQ)
		asked_put_selection(&out, &config->selection);
	asked_put_time(&out, " --from ", config->input ? config->from_ns : 0);
	asked_put_time(&out, " --to ", config->input ? config->to_ns : 0);
	if (!out.failed && out.len < size_bytes)
		memcpy(buf, out.data, out.len + 1);
	else
		snprintf(buf, size_bytes, "ringside %s", rs_part_row(part)->view);
	rs_buf_done(&out);
}
