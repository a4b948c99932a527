// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * critical-path - the chain of the slowest call or wait, link by link
 */
#include <inttypes.h>
#include <stdio.h>

#include "ringside/plugin.h"
#include "ringside/socket.h"

struct path_state {
	struct rs_chain_list chains;  /* of calls and waits */
	struct rs_wait_tree tree;     /* of the first of these: found with it, while the history has it */
	uint64_t tree_from_ns;        /* when that began, and whose it is */
	int32_t tree_tid;
	/* of RS_ASKED_SLICE: the call, which comes before the state around it */
	bool found;
};

/* After a chain was added. */
static void path_find_tree(struct rs_ctx *c, struct path_state *state, const struct rs_task *t)
{
	const struct rs_chain_link *first = state->chains.nr ? &state->chains.at[0].chain.at[0] : NULL;

	if (!first || first->tid != t->tid ||
	    (first->from_ns == state->tree_from_ns && first->tid == state->tree_tid))
		return;
	state->tree_from_ns = first->from_ns;
	state->tree_tid = first->tid;
	if (!rs_wait_tree_find(c, t, first->from_ns, first->to_ns, first->call, &state->tree))
		state->tree.nr = 0;
}

/* The state that was asked about ends, if there was no call at that time. */
static void path_on_asked_state(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct path_state *state = c->state;
	struct rs_chain chain;

	if (state->found || iv->discarded || !rs_culprits_asked_state(c, iv))
		return;
	rs_chain_find(c, iv->task, iv->from_ns, iv->to_ns, &chain);
	rs_chain_list_add(&state->chains, &chain);
}

static void path_on_state(struct rs_ctx *c, const struct rs_interval *iv)
{
	struct path_state *state = c->state;

	if (rs_culprits_asked(c)->kind == RS_ASKED_ALL)
		rs_chain_list_add_state(c, &state->chains, iv, iv->task->syscall);
	else
		path_on_asked_state(c, iv);
	path_find_tree(c, state, iv->task);
}

static void path_on_wait(struct rs_ctx *c, const struct rs_wait *w)
{
	struct path_state *state = c->state;

	if (rs_culprits_asked(c)->kind == RS_ASKED_ALL)
		rs_chain_list_add_wait(c, &state->chains, w);
	else
		path_on_asked_state(c, w->interval);
	path_find_tree(c, state, w->interval->task);
}

static void path_on_call(struct rs_ctx *c, const struct rs_call *call)
{
	struct path_state *state = c->state;
	bool all = rs_culprits_asked(c)->kind == RS_ASKED_ALL;

	/* nearly all of them */
	if (all && !rs_chain_list_has_room(&state->chains, call->exit_ns - call->enter_ns))
		return;
	if (all ? rs_call_kind(c, call->nr, call->args) == RS_CALL_IDLE : !rs_culprits_asked_call(c, call))
		return;
	state->found = true;
	rs_chain_list_add_call(c, &state->chains, call);
	path_find_tree(c, state, call->task);
}

static void path_on_request(struct rs_ctx *c, const struct rs_request *r)
{
	struct path_state *state = c->state;
	struct rs_chain chain;

	if (!rs_culprits_asked_request(c, r))
		return;
	rs_chain_find_request(c, r, &chain);
	rs_chain_list_add(&state->chains, &chain);
}

/* ---- works of the kernel ---- */

enum { WORK, WORK_FLAGS, WORK_FUNCTION };

static void path_on_queue_work(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	bool by_interrupt = rs_u64(ev, &f[WORK_FLAGS]) & RS_FLAGS_IN_INTERRUPT;

	rs_works_queue(c, rs_u64(ev, &f[WORK]), by_interrupt ? NULL : ev->task, ev->ts_ns);
}

static void path_on_execute_start(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_works_begin(c, rs_u64(ev, &f[WORK]), rs_u64(ev, &f[WORK_FUNCTION]), ev->task, ev->ts_ns);
}

static void path_on_execute_end(struct rs_ctx *c, const struct rs_event *ev, const struct rs_field *f)
{
	rs_works_end(c, rs_u64(ev, &f[WORK]), ev->task, ev->ts_ns);
}

/*
 * A duration may be requested only of interrupts that were recorded anyway: the engine keeps them, nothing is
 * to be done here.
 */
static void path_on_irq(struct rs_ctx *c, const struct rs_irq *irq)
{
}

static void path_reset(struct rs_ctx *c)
{
	struct path_state *state = c->state;

	state->chains.nr = 0;
	state->chains.least_ns = 0;
	state->found = false;
	state->tree.nr = 0;
	state->tree_tid = 0;
}

/* ---- its rows ---- */

enum {
	LINK,
	LINK_COMM,
	LINK_PID,
	LINK_TID,
	LINK_INST,
	LINK_CALL,
	LINK_FUNCTION,
	LINK_AT,
	LINK_TO,
	LINK_NS,
	LINK_WAITS,
	LINK_PART,
	LINK_PART_NS,
	LINK_DEV,
	LINK_CULPRIT,
	LINK_OTHERS,
	LINK_OTHERS_NS,
	LINK_TEXT,
	NR_LINK_COLUMNS
};

static const struct rs_column link_columns[] = {
	[LINK] = { "link", "LINK", RS_TYPE_ID, 0, 0, 4,
		   "1: the slow call or wait itself, or the run of the command; each that follows is what "
		   "the one before waited for" },
	[LINK_COMM] = { "comm", "TASK", RS_TYPE_TEXT, 0, 0, 16, "the thread" },
	[LINK_PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[LINK_TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[LINK_INST] = { "instance", "INST", RS_TYPE_ID, 0, 0, 4,
			"which task of that TID, from 0: TIDs are reused" },
	[LINK_CALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 16,
			"the call that it was in; null: none, or unknown" },
	[LINK_FUNCTION] = { "function", "FUNCTION", RS_TYPE_TEXT, 0, 0, 20,
			    "of a worker of the kernel: the function of the work that it executed; "
			    "null: none, or unknown" },
	[LINK_AT] = { "at_ns", "AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14,
		      "when it began, or the longest of several waits" },
	[LINK_TO] = { "to_ns", "TO(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14,
		      "when that ended: of each link but the first, it woke the one before" },
	[LINK_NS] = { "took_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 12,
		      "how long it took, or the link before waited for it" },
	[LINK_WAITS] = { "waits", "WAITS", RS_TYPE_COUNT, 0, 0, 6, "in how many waits" },
	[LINK_PART] = { "part", "PART", RS_TYPE_TEXT, 0, 0, 20, "what most of that time went to" },
	[LINK_PART_NS] = { "part_ns", "OF IT(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 12, "how long that was" },
	[LINK_DEV] = { "dev", "DEV", RS_TYPE_TEXT, 0, 0, 6, "the disk" },
	[LINK_CULPRIT] = { "culprit", "CULPRIT", RS_TYPE_TEXT, 0, 0, 20,
			   "who had it; the next link, where it was followed" },
	[LINK_OTHERS] = { "others", "OTHERS", RS_TYPE_COUNT, 0, 0, 6,
			  "other tasks that it waited for, which are not followed" },
	[LINK_OTHERS_NS] = { "others_ns", "FOR(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 12,
			     "how long it waited for these" },
	[LINK_TEXT] = { "text", "WHAT", RS_TYPE_TEXT, 0, 0, 0, "all of it as a sentence" },
	{ 0 },
};

static struct rs_value path_dev(struct rs_ctx *c, const struct rs_chain_link *link, char *buf)
{
	const char *name = link->culprit.dev ? rs_disk_name(c, link->culprit.dev) : NULL;

	if (!link->culprit.dev || name)
		return rs_s(name);
	rs_dev_text(link->culprit.dev, buf, RS_CELL_TEXT_BYTES);
	return rs_s(buf);
}

/* Where addresses have no names the address tells one function from another. */
static struct rs_value path_function(struct rs_ctx *c, uint64_t function, char *buf)
{
	const char *name = function ? rs_function(c, function) : NULL;

	if (!function || name)
		return rs_s(name);
	snprintf(buf, RS_CELL_TEXT_BYTES, "0x%" PRIx64, function);
	return rs_s(buf);
}

static void path_put_link(struct rs_ctx *c, const struct rs_chain *chain, unsigned int i, struct rs_sink *out)
{
	const struct rs_chain_link *link = &chain->at[i];
	char text[512], dev[RS_CELL_TEXT_BYTES], function[RS_CELL_TEXT_BYTES];
	struct rs_value v[NR_LINK_COLUMNS] = {
		[LINK] = rs_u(i + 1),
		[LINK_COMM] = rs_s(link->comm),
		[LINK_PID] = rs_u_if(link->pid, (uint64_t)link->pid),
		[LINK_TID] = rs_u((uint64_t)link->tid),
		[LINK_INST] = rs_u(link->inst),
		[LINK_CALL] = link->call >= 0 ? rs_s(rs_syscall_name(c, link->call)) : rs_null(),
		[LINK_FUNCTION] = path_function(c, link->function, function),
		[LINK_AT] = rs_u(link->from_ns),
		[LINK_TO] = rs_u(link->to_ns),
		[LINK_NS] = rs_u(link->ns),
		[LINK_WAITS] = rs_u(link->nr_waits),
		[LINK_PART] = rs_s(rs_part_row(link->part)->name),
		[LINK_PART_NS] = rs_u(link->part_ns),
		[LINK_DEV] = path_dev(c, link, dev),
		[LINK_CULPRIT] = rs_s(link->followed ? chain->at[i + 1].comm : link->culprit_text),
		[LINK_OTHERS] = rs_u(link->nr_others),
		[LINK_OTHERS_NS] = rs_u(link->others_ns),
	};

	rs_chain_text(c, chain, i, text, sizeof text);
	v[LINK_TEXT] = rs_s(text);
	out->row(out, v);
}

static int path_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct rs_chain_list *chains = &((const struct path_state *)c->state)->chains;
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	const struct rs_task *t = asked->kind == RS_ASKED_TIME ? rs_task_find(c, asked->tid) : NULL;
	struct rs_chain chain = chains->at[0].chain, command;

	if (!chains->nr)
		chain.nr = 0;
	if (t)
		rs_chain_find(c, t, asked->at_ns, asked->to_ns, &chain);
	if (asked->kind == RS_ASKED_ALL) {
		rs_chain_find_command(c, &command);
		if (command.nr && command.at[command.nr - 1].part != RS_PART_UNKNOWN)
			chain = command;
	}
	for (unsigned int i = 0; i < chain.nr; i++)
		path_put_link(c, &chain, i, out);
	return 0;
}

/* ---- the tree ---- */

enum {
	NODE,
	NODE_DEPTH,
	NODE_KIND,
	NODE_ROLE,
	NODE_COMM,
	NODE_PID,
	NODE_TID,
	NODE_INST,
	NODE_CALL,
	NODE_FUNCTION,
	NODE_PART,
	NODE_AT,
	NODE_TO,
	NODE_NS,
	NODE_NR,
	NODE_DEV,
	NODE_DISK,
	NODE_CPU,
	NODE_LOCK,
	NODE_SOCKET,
	NODE_PEER,
	NODE_CONNECTION,
	NODE_PATH,
	NODE_TEXT,
	NR_NODE_COLUMNS
};

static const struct rs_column node_columns[] = {
	[NODE] = { "node", "NODE", RS_TYPE_ID, 0, 0, 4, "1: the wait itself; those below it follow it" },
	[NODE_DEPTH] = { "depth", "DEPTH", RS_TYPE_COUNT, 0, 0, 5,
			 "how many nodes are around it; the times below a node add up to its own" },
	[NODE_KIND] = { "kind", "KIND", RS_TYPE_TEXT, 0, 0, 8,
			"task: waited, or was waited for; part: of its time; culprit: who had what the part "
			"waited for; "
			"others: the rest, which is small" },
	[NODE_ROLE] = { "role", "ROLE", RS_TYPE_TEXT, 0, 0, 8,
			"victim, holder of a lock, peer, child, worker; takes: runs on the CPU; device: in "
			"its queue" },
	[NODE_COMM] = { "comm", "WHO", RS_TYPE_TEXT, 0, 0, 16, "the thread; of a culprit its process" },
	[NODE_PID] = { "pid", "PID", RS_TYPE_ID, 0, 0, 7, "its process" },
	[NODE_TID] = { "tid", "TID", RS_TYPE_ID, 0, 0, 7, "thread" },
	[NODE_INST] = { "instance", "INST", RS_TYPE_ID, 0, 0, 4,
			"which task of that TID, from 0: TIDs are reused" },
	[NODE_CALL] = { "syscall", "SYSCALL", RS_TYPE_TEXT, 0, 0, 16,
			"the call that the task is in; null: none, or unknown" },
	[NODE_FUNCTION] = { "function", "FUNCTION", RS_TYPE_TEXT, 0, 0, 20,
			    "of a worker of the kernel: the function of the work that it executed; "
			    "null: none, or unknown" },
	[NODE_PART] = { "part", "PART", RS_TYPE_TEXT, 0, 0, 20,
			"what the time went to; of a task below another, what that waited in" },
	[NODE_AT] = { "at_ns", "AT(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_BEGIN, 14,
		      "when its longest piece began" },
	[NODE_TO] = { "to_ns", "TO(s)", RS_TYPE_TIME, RS_UNIT_S, RS_COLUMN_END, 14, "and ended" },
	[NODE_NS] = { "took_ns", "TIME(ms)", RS_TYPE_DURATION, RS_UNIT_MS, 0, 12, "how long, in all" },
	[NODE_NR] = { "waits", "WAITS", RS_TYPE_COUNT, 0, 0, 6,
		      "of a task: in how many waits; of others: how many" },
	[NODE_DEV] = { "dev", "DEV", RS_TYPE_TEXT, 0, 0, 6, "major and minor number of the disk" },
	[NODE_DISK] = { "disk", "DISK", RS_TYPE_TEXT, 0, 0, 6,
			"its name; null where the recording does not tell" },
	[NODE_CPU] = { "cpu", "CPU", RS_TYPE_ID, 0, 0, 4,
		       "the CPU that it waited for, in its longest piece" },
	[NODE_LOCK] = { "lock_addr", "LOCK", RS_TYPE_TEXT, 0, 0, 18, "the lock that it has" },
	[NODE_SOCKET] = { "socket", "SOCKET", RS_TYPE_TEXT, 0, 0, 20,
			  "the socket that was waited on, of a task by the one that it is below; null: "
			  "none, or unknown" },
	[NODE_PEER] = { "peer", "PEER", RS_TYPE_TEXT, 0, 0, 20, RS_FAR_TASK_HELP },
	[NODE_CONNECTION] = { "connection", "CONNECTION", RS_TYPE_ID, 0, 0, 10,
			      "its number in this trace, whose track is connection:NUMBER" },
	[NODE_PATH] = { "on_path", "PATH", RS_TYPE_COUNT, 0, 0, 4,
			"1: the largest of its node, and so are those around it: the critical path" },
	[NODE_TEXT] = { "text", "WHAT", RS_TYPE_TEXT, 0, 0, 0, "all of it, indented" },
	{ 0 },
};

static struct rs_value node_dev(const struct rs_wait_node *n, char *buf)
{
	if (n->dev)
		rs_dev_text(n->dev, buf, RS_CELL_TEXT_BYTES);
	return rs_s(n->dev ? buf : NULL);
}

static void path_put_node(struct rs_ctx *c, const struct rs_wait_tree *tree, unsigned int i,
			  struct rs_sink *out)
{
	static const char *const kinds[] = { "task", "part", "culprit", "others" };
	const struct rs_wait_node *n = &tree->at[i];
	const struct rs_socket *socket = n->socket ? rs_socket_of_name(c, n->socket, n->from_ns) : NULL;
	bool is_task = n->kind == RS_WAIT_NODE_TASK, is_others = n->kind == RS_WAIT_NODE_OTHERS;
	char dev[RS_CELL_TEXT_BYTES], function[RS_CELL_TEXT_BYTES], lock[24], text[256];
	char peer[RS_FAR_TASK_TEXT_BYTES];
	struct rs_value v[NR_NODE_COLUMNS] = {
		[NODE] = rs_u(i + 1),
		[NODE_DEPTH] = rs_u(n->depth),
		[NODE_KIND] = rs_s(kinds[n->kind]),
		[NODE_ROLE] = rs_s(rs_wait_node_role(n)),
		[NODE_COMM] = rs_s(n->name[0] ? n->name : NULL),
		[NODE_PID] = rs_u_if(n->pid > 0, (uint64_t)n->pid),
		[NODE_TID] = rs_u_if(n->tid > 0, (uint64_t)n->tid),
		[NODE_INST] = rs_u_if(is_task, n->inst),
		[NODE_CALL] = rs_s(n->call >= 0 ? rs_syscall_name(c, n->call) : NULL),
		[NODE_FUNCTION] = path_function(c, n->function, function),
		[NODE_PART] = rs_s(is_others || (is_task && !n->depth) ? NULL : rs_part_row(n->part)->name),
		[NODE_AT] = rs_u_if(n->to_ns, n->from_ns),
		[NODE_TO] = rs_u_if(n->to_ns, n->to_ns),
		[NODE_NS] = rs_u(n->ns),
		[NODE_NR] = rs_u_if(is_task || is_others, n->nr),
		[NODE_DEV] = node_dev(n, dev),
		[NODE_DISK] = rs_s(n->dev ? rs_disk_name(c, n->dev) : NULL),
		[NODE_CPU] = rs_u_if(n->cpu_1, (uint64_t)n->cpu_1 - 1),
		[NODE_LOCK] = rs_s(n->lock_addr ? lock : NULL),
		[NODE_SOCKET] = rs_s(rs_socket_name(c, n->socket)),
		[NODE_PEER] = rs_s(rs_far_task_text(rs_socket_far_task_of_name(c, n->socket), peer)),
		[NODE_CONNECTION] = rs_u_if(socket, socket ? socket->number : 0),
		[NODE_PATH] = rs_u(n->on_path),
	};

	snprintf(lock, sizeof lock, "0x%" PRIx64, n->lock_addr);
	rs_wait_node_text(c, n, text, sizeof text);
	v[NODE_TEXT] = rs_s(text);
	out->row(out, v);
}

static int path_tree_rows(struct rs_ctx *c, const struct rs_query *q, struct rs_sink *out)
{
	const struct rs_time_asked *asked = rs_culprits_asked(c);
	const struct rs_task *t = asked->kind == RS_ASKED_TIME ? rs_task_find(c, asked->tid) : NULL;
	struct rs_wait_tree tree = ((const struct path_state *)c->state)->tree;

	if (t && !rs_wait_tree_find(c, t, asked->at_ns, asked->to_ns, -1, &tree))
		return -1;
	for (unsigned int i = 0; i < tree.nr; i++)
		path_put_node(c, &tree, i, out);
	return 0;
}

static const struct rs_view views[] = {
	{ .name = "critical-path", .topic = RS_TOPIC_WAITS,
	  .role = RS_ROLE_PATH,
	  .summary =
		  "the slowest call or wait, or the run of a command, link by link: what each waited for",
	  .kind = RS_VIEW_TABLE,
	  .columns = link_columns,
	  .keeps_order = true,
	  .rows = path_rows,
	  .text_columns = "link,at_ns,text" },
	{ .name = "wait-tree",
	  .topic = RS_TOPIC_WAITS,
	  .role = RS_ROLE_WAIT_TREE,
	  .summary = "the slowest call or wait: where all of its time went, as a tree",
	  .kind = RS_VIEW_TABLE,
	  .columns = node_columns,
	  .keeps_order = true,
	  .rows = path_tree_rows,
	  .text_columns = "took_ns,at_ns,text" },
	{ 0 },
};

static const struct rs_callback callbacks[] = {
	{ RS_ON_INTERVAL, .interval = path_on_state,
	  .kinds = 1 << RS_RUN | 1 << RS_DELAY | 1 << RS_PREEMPTED },
	{ RS_ON_WAIT, .wait = path_on_wait },
	{ RS_ON_CALL, .call = path_on_call, .if_recorded = true },
	{ RS_ON_REQUEST, .request = path_on_request, .if_recorded = true },
	{ RS_ON_IRQ, .irq = path_on_irq },
	{ 0 },
};

#define WORK_EVENT(event, handler) \
	{ \
		"workqueue", event, RS_OPTIONAL, RS_BY_ANYONE, handler, \
		{ \
			"work", "?common_flags", "?function" \
		} \
	}

static const struct rs_requirement requirements[] = {
	WORK_EVENT("workqueue_queue_work", path_on_queue_work),
	WORK_EVENT("workqueue_execute_start", path_on_execute_start),
	WORK_EVENT("workqueue_execute_end", path_on_execute_end),
	{ 0 },
};

const struct rs_analysis rs_analysis_critical_path = {
	.abi = RS_ABI,
	.name = "critical-path",
	.summary = "what the slowest call or wait waited for, link by link",
	.requirements = requirements,
	.callbacks = callbacks,
	.views = views,
	.requires_history = true,
	.requires_sockets = true,
	.by_name = true,
	.state_size = sizeof(struct path_state),
	.reset = path_reset,
};
