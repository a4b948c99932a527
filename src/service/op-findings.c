// SPDX-License-Identifier: GPL-2.0-or-later
/* op-findings - a finding as the protocol's message, which is its JSON everywhere */
#include "service/interval-rows.h"
#include "service/service.h"
#include "service/op-findings.h"
#include "service/where.h"
#include "why/findings.h"

#include <stdlib.h>
#include <string.h>

#define OP_FINDINGS_MAX_FINDINGS 20

static const char *or_null(const char *text)
{
	return text[0] ? text : NULL;
}

/* Names of kinds, for whoever reads a sentence in parts. */
static const char *const op_findings_kinds[RS_NR_SLOT_KINDS] = {
	[RS_SLOT_TEXT] = "text",       [RS_SLOT_VICTIM] = "victim",   [RS_SLOT_VERB] = "verb",
	[RS_SLOT_SHARE] = "share",     [RS_SLOT_OF_TIME] = "of-time", [RS_SLOT_COLON] = "colon",
	[RS_SLOT_CULPRIT] = "culprit", [RS_SLOT_NUMBER] = "number",   [RS_SLOT_LEVEL] = "number",
	[RS_SLOT_PERCENT] = "percent", [RS_SLOT_DURATION] = "duration", [RS_SLOT_BYTES] = "bytes",
	[RS_SLOT_RATE] = "rate",       [RS_SLOT_CALL] = "call",       [RS_SLOT_DISK] = "disk",
	[RS_SLOT_DEV] = "disk",        [RS_SLOT_NAME] = "name",       [RS_SLOT_FILE] = "file",
	[RS_SLOT_CGROUP] = "cgroup",   [RS_SLOT_LOCK] = "lock",
};

/* The texts of the parts, each with its end; returns how many there are. */
static size_t op_findings_split(const struct rs_finding_item *f, struct rs_op_findings_room *to)
{
	struct rs_phrase phrase;
	const char *from = phrase.text;
	char *text = to->words_text;

	rs_finding_list_words(f, false, &phrase);
	for (unsigned int i = 0; i < phrase.nr; from += phrase.at[i++].len) {
		memcpy(text, from, phrase.at[i].len);
		text[phrase.at[i].len] = '\0';
		to->words[i] = (struct rs_wire_word){ op_findings_kinds[phrase.at[i].kind], text };
		text += phrase.at[i].len + 1;
	}
	return phrase.nr;
}

void rs_op_findings_fill(const struct rs_finding_item *f, struct rs_op_findings_room *room,
			 struct rs_wire_finding *to)
{
	for (unsigned int i = 0; i < f->nr_evidence; i++)
		room->evidence[i] = (struct rs_finding_evidence){ f->evidence[i].view,
								  or_null(f->evidence[i].sort),
								  or_null(f->evidence[i].where),
								  or_null(f->evidence[i].by) };
	rs_finding_list_cause(f, &room->cause);
	room->slowest = (struct rs_wire_wait){ f->slowest.tid, f->slowest.from_ns, f->slowest.to_ns };
	*to = (struct rs_wire_finding){
		.rule = f->rule->name, .weight = f->weight, .text = rs_finding_list_text(f, room->text),
		.brief = rs_finding_list_brief(f, room->brief),
		.words = room->words, .nr_words = op_findings_split(f, room),
		.cost_ns = f->cost_ns, .lost_ns = rs_u_if(f->lost_ns, f->lost_ns),
		.of_ns = rs_u_if(f->of_ns, f->of_ns), .victim = or_null(f->victim.name),
		.victim_pids = f->victim.pids,
		.nr_victim_pids = f->victim.nr_pids, .nr_victims = f->victim.nr, .cause = room->cause.text,
		.category = f->category ? rs_category_row(f->category)->name : NULL,
		.culprit = or_null(f->culprit.name), .culprit_pids = f->culprit.pids,
		.nr_culprit_pids = f->culprit.nr_pids, .nr_culprits = f->culprit.nr,
		.code = rs_finding_list_code(f, room->code),
		.function = or_null(f->code.function), .module = or_null(f->code.module),
		.nr_in_function = f->code.nr,
		.nr_samples = f->code.nr_samples, .confidence = rs_u(f->confidence),
		.measured = f->measured, .threshold = f->rule->threshold, .unit = f->rule->unit,
		.since_ns = f->since_ns, .slowest = f->slowest.tid ? &room->slowest : NULL,
		.advice = f->rule->advice, .view = f->view, .where = or_null(f->where),
		.evidence = room->evidence, .nr_evidence = f->nr_evidence,
	};
}

void rs_op_findings_put(struct rs_json *j, const char *machine, const struct rs_finding_item *f)
{
	struct rs_op_findings_room room;
	struct rs_wire_finding wire;

	rs_op_findings_fill(f, &room, &wire);
	rs_json_open(j, '{');
	if (machine)
		rs_json_put_str(j, "_machine", machine);
	rs_message_put_members(j, &rs_wire_finding_message, &wire);
	rs_json_close(j, '}');
}

void rs_op_findings_put_command(const struct rs_wire_finding *f, struct rs_buf *out)
{
	struct rs_finding_command command = { .view = f->view, .where = f->where };
	const struct rs_finding_evidence *e = f->evidence;

	if (f->nr_evidence)
		command = (struct rs_finding_command){ e->view, e->by, e->sort, e->where };
	rs_finding_list_command(&command, out);
}

/* A wait for a CPU, or a busy loop, is told by the sentence: to analyze its time anew would show no more. */
static struct rs_value op_findings_chain_pid(const struct rs_finding_list *list)
{
	const struct rs_finding_item *first = rs_finding_list_get(list, 0);
	bool has_chain = first && first->rule->has_chain && first->victim.nr_pids;

	return rs_u_if(has_chain, has_chain ? (uint64_t)first->victim.pids[0] : 0);
}

static void op_findings_put_answer(struct rs_json *j, const struct rs_finding_list *list,
				   const struct rs_where *where, uint64_t from_ns, uint64_t to_ns)
{
	const struct rs_finding_item *f;
	unsigned int nr = 0;

	rs_message_put_members(j, &rs_findings_reply_message, &(struct rs_findings_reply){
		.from_ns = rs_u(from_ns), .to_ns = rs_u(to_ns), .chain_pid = op_findings_chain_pid(list) });
	rs_message_open_list(j, "findings");
	for (size_t i = 0; nr < OP_FINDINGS_MAX_FINDINGS && (f = rs_finding_list_get(list, i)); i++)
		if (rs_where_finding(where, f)) {
			rs_op_findings_put(j, NULL, f);
			nr++;
		}
	rs_json_close(j, ']');
}

static int findings_now(struct rs_job *job, const struct rs_where *where, struct rs_error *err)
{
	struct rs_rows_range range;
	const struct rs_finding_list *list = rs_interval_rows_findings(job->service->interval_rows, &range);

	if (!list)
		return rs_fail(err, "findings: out of memory");
	op_findings_put_answer(&job->reply, list, where, range.from_ns, range.to_ns);
	return 0;
}

/* Analyzes the time range with all analyses, for their findings. */
static int findings_of_range(struct rs_job *job, const struct rs_where *where, struct rs_error *err)
{
	struct rs_time_range *time_range = rs_job_range_open(job, &job->service->config.session,
							     err);
	struct rs_finding_list list;
	int status;

	if (!time_range)
		return -1;
	status = rs_job_range_run(job, time_range, err);
	if (status == 0 && !rs_finding_list_init(&list))
		status = rs_fail(err, "findings: out of memory");
	if (status == 0) {
		rs_findings_collect(time_range->session, &list);
		op_findings_put_answer(&job->reply, &list, where, time_range->from_ns, job->range->to_ns);
		rs_finding_list_done(&list);
	}
	rs_time_range_free(time_range);
	return status;
}

static int op_findings_run(struct rs_job *job, struct rs_error *err)
{
	const struct rs_findings_request *request = job->request;
	struct rs_where *where;
	int status;

	if (rs_where_read(request->where, RS_FILTER_FINDINGS, NULL, &where, err) < 0)
		return -1;
	status = job->range ? findings_of_range(job, where, err) : findings_now(job, where, err);
	free(where);
	return status;
}

const struct rs_op rs_op_findings = { .name = "findings", .range = RS_RANGE_IF_ASKED,
				      .run = op_findings_run };
