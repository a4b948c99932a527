// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * answers - rules: who waits until its time-out for answers that do not come, and who asks another then,
 * which does answer, over and over
 */
#include <stdio.h>
#include <string.h>

#include "why/blame.h"
#include "why/cases/unanswered.h"
#include "ringside/task.h"
#include "ringside/plugin.h"

#define ANSWERS_LEAST 33333           /* of a thread's time, in thousandths of a percent */

enum { NO_ANSWER, FAILOVER };

static const struct rs_rule rules[] = {
	[NO_ANSWER] = {
	  "no-answer", "a process sends requests, and waits until its time-out for answers that do not come",
	  10 * ANSWERS_LEAST, "ms/s", "waits",
	  "see whether who should answer is there, and gets the requests (ss -p, tcpdump)",
	  .says = { "for {what}", "{call/a poll} ends by its time-out, {often}" },
	  .view = "offcpu", .where = "pid == {sender}",
	  .evidence = RS_LIST(rs_evidence,
			      { "syscall-latency", NULL, "pid == {sender}", "pid,syscall" },
			      { "offcpu", "-total_ns", "pid == {sender}" }),
	  .found =
		"After a send or a connect, the poll for the answer ends by its time-out, and hardly "
		"any answer comes: at least {least}.",
	  .wrong =
		"A process that needs no answer, and polls for something else, looks alike: the culprit "
		"is inferred. Whether the request or the answer was lost on its way is unknown." },
	[FAILOVER] = {
	  "failover",
	  "a process waits until its time-out for one that does not answer, and asks another then, over and "
	  "over",
	  10 * ANSWERS_LEAST, "ms/s", "waits", "see why the first does not answer, or ask the other first",
	  .says = { "for {what} descriptor {fd}{ (|file|)} that {fails}",
		    "{call/a call} ends by its time-out of {time_out}, {times} times in {seconds} s, and "
		    "{~it} "
		    "{~asks} another then, which answers (failover)" },
	  .view = "offcpu", .where = "pid == {pid}",
	  .evidence = RS_LIST(rs_evidence, { "syscall-latency", NULL, "pid == {pid}", "pid,syscall" },
			      { "offcpu", NULL, "pid == {pid}" }),
	  .found =
		"A wait for an answer on one descriptor ends by its time-out, then the thread asks on "
		"another one, which answers, several times: at least {least}.",
	  .wrong =
		"A client that tries several servers in turn on purpose does the same: which of them is "
		"at fault is inferred." },
	{ 0 },
};

static const struct rs_sentence of_reader = {
	"for {what}", "{culprit} {^gets} what {~it} {~sends}, but {call/a poll} ends by its time-out, {often}"
};

/* What is told of a case. */
struct answers_finding {
	uint64_t interval_ns;
	const struct rs_blame *reader; /* who gets the requests; NULL: nobody, or one on another machine */
	struct rs_slot slots[9];
	char time_out[24], what[64 + RS_SOCKET_TEXT_BYTES];
};

struct answers_row {
	const struct rs_rule *rule;
	enum rs_unanswered_kind kind;
	uint64_t least_nr;            /* waits: fewer are no rule */
	bool (*is)(struct rs_ctx *c, const struct rs_unanswered_case *k); /* NULL: it is true of all */
	void (*put)(struct rs_ctx *c, const struct rs_unanswered_case *k, struct answers_finding *f);
};

/* ---- nobody answers ---- */

#define ANSWERS_READS (RS_PART_BIT(READ_WRITE) | RS_PARTS_OF_SOCKET)

/* Who waits for what that process sends; NULL: nobody, or somebody on another machine. */
static const struct rs_blame *answers_reader(struct rs_ctx *c, const struct rs_blame *sender, uint64_t nr)
{
	size_t nr_names;
	const struct rs_blame *list = rs_blame_list(c, &nr_names);

	for (size_t i = 0; sender && i < nr_names; i++)
		for (unsigned int j = 0; j < list[i].nr && &list[i] != sender; j++) {
			const struct rs_blame_entry *e = &list[i].at[j];

			if (((ANSWERS_READS | RS_PART_BIT(POLL)) >> e->part & 1) &&
			    e->kind == RS_CULPRIT_TASK && rs_blame_is_of(e, sender) && e->nr >= nr / 2)
				return &list[i];
		}
	return NULL;
}

/*
 * How often a process waited in a call that reads: for an answer that came, after which it polls for whatever
 * comes.
 */
static uint64_t answers_nr_reads(struct rs_ctx *c, const struct rs_blame *b)
{
	uint64_t nr = 0;

	for (unsigned int i = 0; b && i < b->nr; i++)
		nr += (ANSWERS_READS >> b->at[i].part & 1) &&
				      !rs_call_is(c, b->at[i].call, RS_CLASS_WRITE | RS_CLASS_SEND) ?
			      b->at[i].nr :
			      0;
	return nr;
}

/* Without wakings it is unknown who waits for what others send. */
static bool answers_is_in_vain(struct rs_ctx *c, const struct rs_unanswered_case *k)
{
	return rs_wakings_are_recorded(c) && (k->nr_processes > 1 || !k->sum.is_doubtful) &&
	       answers_nr_reads(c, rs_blame_find(c, k->comm, k->task->pid)) <= k->sum.nr / 4;
}

/* NULL: it is not known, or not connected. */
static const char *answers_peer_text(struct rs_ctx *c, const struct rs_unanswered_sum *sum, char *buf)
{
	const struct rs_socket *socket = rs_socket_find(c, sum->socket);

	return socket ? rs_socket_peer_text(socket, buf) :
			rs_socket_peer_of_name(sum->file ? rs_file_path(c, sum->file) : NULL, buf);
}

static void answers_put_no_answer(struct rs_ctx *c, const struct rs_unanswered_case *k,
				   struct answers_finding *f)
{
	const struct rs_unanswered_sum *sum = &k->sum;
	bool is_connect = sum->nr_connects > sum->nr / 2;
	char peer[RS_SOCKET_TEXT_BYTES];
	const char *from = answers_peer_text(c, sum, peer);

	snprintf(f->what, sizeof f->what, "%s%s%s",
		 is_connect ? "connections that are not accepted" : "answers that do not come",
		 !from	    ? "" :
		 is_connect ? " by " :
			      " from ", from ? from : "");

	const struct rs_slot slots[] = {
		{ "what", RS_SLOT_TEXT, rs_s(f->what) },
		{ "call", RS_SLOT_CALL, rs_i(sum->call) },
		{ "often", RS_SLOT_RATE,
		  rs_u((sum->nr * 1000000000 + f->interval_ns / 2) / f->interval_ns) },
		{ "sender", RS_SLOT_LEVEL, rs_i(k->task->pid ? k->task->pid : k->task->tid) },
	};

	memcpy(f->slots, slots, sizeof slots);
	f->reader = answers_reader(c, rs_blame_find(c, k->comm, k->task->pid), sum->nr);
}

/* ---- another answers ---- */

static const char *answers_time_text(uint64_t ns, char *buf, size_t size_bytes)
{
	bool is_long = ns >= 10000000000;

	snprintf(buf, size_bytes, "%u %s", (unsigned int)(ns / (is_long ? 1000000000 : 1000000)),
		 is_long ? "s" : "ms");
	return buf;
}

static void answers_put_failover(struct rs_ctx *c, const struct rs_unanswered_case *k,
				  struct answers_finding *f)
{
	const struct rs_unanswered_sum *sum = &k->sum;
	bool is_connect = sum->nr_connects > sum->nr / 2;
	const struct rs_slot slots[] = {
		{ "what", RS_SLOT_TEXT, rs_s(is_connect ? "connections of" : "answers on") },
		{ "fd", RS_SLOT_NUMBER, rs_u(sum->fd) },
		{ "file", RS_SLOT_FILE, rs_s(sum->file ? rs_file_path(c, sum->file) : NULL) },
		{ "fails", RS_SLOT_TEXT, rs_s(is_connect ? "are not accepted" : "do not come") },
		{ "call", RS_SLOT_CALL, rs_i(sum->call) },
		{ "time_out", RS_SLOT_TEXT,
		  rs_s(answers_time_text(sum->least_ns, f->time_out, sizeof f->time_out)) },
		{ "times", RS_SLOT_NUMBER, rs_u(sum->nr) },
		{ "seconds", RS_SLOT_NUMBER, rs_u((f->interval_ns + 500000000) / 1000000000) },
	};

	memcpy(f->slots, slots, sizeof slots);
}

/* ---- findings ---- */

static const struct answers_row rows[] = {
	{ &rules[NO_ANSWER], RS_UNANSWERED_POLL, 2, answers_is_in_vain, answers_put_no_answer },
	{ &rules[FAILOVER], RS_UNANSWERED_FAILOVER, 3, NULL, answers_put_failover },
};

static void answers_judge(struct rs_ctx *c, const struct rs_unanswered_case *k, const void *arg)
{
	const struct answers_row *row = arg;
	const struct rs_unanswered_sum *sum = &k->sum;
	struct answers_finding f = { .interval_ns = rs_judged_ns(c) };

	if (sum->nr < row->least_nr || sum->nr_against > sum->nr / 4 ||
	    rs_milli(sum->ns, f.interval_ns, 100).u < ANSWERS_LEAST || (row->is && !row->is(c, k)))
		return;
	row->put(c, k, &f);
	rs_report_finding(c, &(struct rs_finding){
		.rule = row->rule, .says = f.reader ? &of_reader : NULL, .slots = f.slots,
		.cost_ns = sum->ns, .of_ns = rs_unanswered_of_ns(c, row->kind, k), .of_name = true,
		.victim = k->comm, .victim_pid = k->task->pid, .nr_victims = k->nr_processes,
		.culprit = f.reader ? f.reader->comm : k->comm,
		.culprit_pid = f.reader ? f.reader->pid : k->task->pid,
		.confidence = RS_INFERRED, .category = RS_CATEGORY_SLEEP, /* they poll */
	});
}

static void answers_put_findings(struct rs_ctx *c)
{
	for (size_t i = 0; rs_judged_ns(c) && i < sizeof rows / sizeof *rows; i++)
		rs_unanswered_each(c, rows[i].kind, answers_judge, &rows[i]);
}

const struct rs_analysis rs_analysis_answers = {
	.abi = RS_ABI,
	.name = "answers",
	.summary = "who waits for answers that do not come",
	.callbacks = RS_LIST(rs_callback, { RS_ON_CALL, .call = rs_unanswered_on_call,
					    RS_UNANSWERED_CALLS, .if_recorded = true }),
	.requires_states = true,
	.requires_history = true,
	.requires_blame = true,
	.uses_files = true,
	.task_size = sizeof(struct rs_unanswered_task),
	.rules = rules,
	.findings = answers_put_findings,
};
